#include "estimate.h"

void estimate_begin_round(struct estimate *estimate, uint64_t positions) {
    estimate->done += estimate->last[0];
    estimate->last[2] = estimate->last[1];
    estimate->last[1] = estimate->last[0];
    estimate->last[0] = positions;
}

double estimate_left(const struct estimate *estimate) {
    const uint64_t *last = estimate->last;
    if (last[0] >= last[1] || last[2] == 0)
        return -1;
    /* The ratio of each round to the one before, and how the ratio changes. */
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

double estimate_share(const struct estimate *estimate, uint64_t done_of_round) {
    double left = estimate_left(estimate), done = (double)(estimate->done + done_of_round);
    if (left < 0)
        return 0;
    double all = (double)estimate->done + left;
    return done < all ? done / all : 1;
}
