/* How much of a breadth-first search is still to come, as far as its rounds tell.
 *
 * Nobody knows the number of a game's positions before they are found. But rounds grow, grow less,
 * and then shrink faster and faster; once they shrink, the last three tell how it will go on. */
#ifndef NONET_SOLVE_ESTIMATE_H
#define NONET_SOLVE_ESTIMATE_H

#include <stdint.h>

struct estimate {
    uint64_t done;    /* positions of the rounds that are over */
    uint64_t last[3]; /* positions of this round, the one before, and the one before that */
};

/* A round begins. */
void estimate_begin_round(struct estimate *estimate, uint64_t positions);

/* How many positions are about to be looked at from the beginning of this round on, itself
 * included. Negative as long as rounds grow and there is no telling. */
double estimate_left(const struct estimate *estimate);

/* How many of all have been done when so many of this round are; 0 as long as there is no telling.
 */
double estimate_share(const struct estimate *estimate, uint64_t done_of_round);

#endif
