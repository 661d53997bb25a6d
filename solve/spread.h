/* The listed and the ranked solver spread over several processes by MPI, on one machine or on many.
 * The values, and every byte of the table, are the same as from the solvers with one process, for
 * any number of processes.
 *
 * All processes call them between MPI_Init and MPI_Finalize. The first process writes the table and
 * reports for all. False with the reason, in all processes. The limit `memory` is for one process,
 * and each process has one thread. A run that was killed continues from its checkpoints if the
 * number of processes is the same and each finds its own. */
#ifndef NONET_SOLVE_SPREAD_H
#define NONET_SOLVE_SPREAD_H

#include "rules/game.h"
#include "solve.h"

/* Every process owns the positions that a hash gives it. */
bool solve_spread(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct nonet_text *why);

/* Every process owns some consecutive blocks of every tier. */
bool solve_spread_ranked(const struct nonet_options *options, const struct solve_limits *limits,
                         const char *path, struct nonet_text *why);

#endif
