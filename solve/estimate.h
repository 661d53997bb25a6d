/* The progress estimate of a breadth-first search, from the sizes of its rounds.
 *
 * Nobody knows the number of a game's positions before they are found. But rounds grow, then grow
 * more slowly, and then shrink faster and faster. Once they shrink, the last three show how this
 * will continue. */
#ifndef NONET_SOLVE_ESTIMATE_H
#define NONET_SOLVE_ESTIMATE_H

#include <stdint.h>

struct estimate {
    uint64_t done;    /* positions of the finished rounds */
    uint64_t last[3]; /* positions of this round, the one before, and the one before that */
};

/* A round begins. */
void estimate_begin_round(struct estimate *estimate, uint64_t positions);

/* About how many positions are still to be looked at, from the beginning of this round on. Negative
 * while rounds grow and nothing can be said. */
double estimate_left(const struct estimate *estimate);

/* The share of all positions that are done, given how many of this round are done; 0 while nothing
 * can be said. */
double estimate_share(const struct estimate *estimate, uint64_t done_of_round);

#endif
