/* The explicit solver spread over several processes, by MPI.
 *
 * Every process owns the positions that a hash gives it, on one machine or on many. The graph and
 * the values are those of the solver in one process, and so is the table, to the byte. */
#ifndef NONET_SOLVE_SPREAD_H
#define NONET_SOLVE_SPREAD_H

#include "rules/game.h"
#include "solve.h"

/* Called by all processes between MPI_Init and MPI_Finalize; the first one writes the table. False
 * with the reason, in all of them. Of the limits, `memory` is that of one process, and only the
 * first one tells its progress. */
bool solve_spread(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct nonet_text *why);

#endif
