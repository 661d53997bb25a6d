/* The solvers spread over several processes, by MPI, on one machine or on many: that of listed
 * games and that of ranked ones. The values are those of the solvers in one process, and so is the
 * table, to the byte, however many processes there are.
 *
 * Both are called by all processes between MPI_Init and MPI_Finalize; the first process writes the
 * table and speaks for all. False with the reason, in all of them. Of the limits, `memory` is that
 * of one process, and there is one thread in each. A run that was killed goes on from its
 * checkpoints if there are as many processes again, each of which finds its own. */
#ifndef NONET_SOLVE_SPREAD_H
#define NONET_SOLVE_SPREAD_H

#include "rules/game.h"
#include "solve.h"

/* Every process owns the positions that a hash gives it. */
bool solve_spread(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct nonet_text *why);

/* Every process owns some blocks of every tier, one behind the other. */
bool solve_spread_ranked(const struct nonet_options *options, const struct solve_limits *limits,
                         const char *path, struct nonet_text *why);

#endif
