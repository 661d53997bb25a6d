#include "estimate.h"

void estimate_begin_round(struct estimate *outlook, uint64_t positions) {
    outlook->done += outlook->last[0];
    outlook->last[2] = outlook->last[1];
    outlook->last[1] = outlook->last[0];
    outlook->last[0] = positions;
}

double estimate_left(const struct estimate *outlook) {
    const uint64_t *last = outlook->last;
    if (last[0] >= last[1] || last[2] == 0)
        return -1;
    /* How much each round is smaller than the one before, and how that changes. */
    double ratio = (double)last[0] / (double)last[1];
    double change = ratio / ((double)last[1] / (double)last[2]);
    double round = (double)last[0], left = 0;
    while (round >= 1) {
        left += round;
        ratio *= change < 1 ? change : 1;
        round *= ratio;
    }
    return left;
}

double estimate_share(const struct estimate *outlook, uint64_t done_of_round) {
    double left = estimate_left(outlook), done = (double)(outlook->done + done_of_round);
    if (left < 0)
        return 0;
    double all = (double)outlook->done + left;
    return done < all ? done / all : 1;
}
