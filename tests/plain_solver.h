/* Exact values in the most obvious way, for comparison. All canonical positions are listed by
 * playing every move, then settled in passes over the whole list, one ply of distance in each pass.
 * Shares nothing with solve/. For games of up to some million positions. */
#ifndef NONET_TESTS_PLAIN_SOLVER_H
#define NONET_TESTS_PLAIN_SOLVER_H

#include "rules/game.h"
#include "rules/values.h"

struct plain_solution {
    size_t count;
    unsigned char *states; /* count * state_size bytes, in rising order */
    struct nonet_value *values;
};

void plain_solve(const struct nonet_options *options, struct plain_solution *solution);
void plain_free(struct plain_solution *solution);

/* The number of a canonical state, or count if it is not listed. */
size_t plain_find(const struct nonet_options *options, const struct plain_solution *solution,
                  const void *canonical);

#endif
