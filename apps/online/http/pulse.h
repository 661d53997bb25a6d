/* The server's time: that of the machine, without the times in which the server stood still.
 *
 * A machine may be suspended or moved, or a program stopped, for seconds or for days. Nobody could
 * move meanwhile, so nobody's clock runs: it is as if the server had been down. */
#ifndef NONET_ONLINE_PULSE_H
#define NONET_ONLINE_PULSE_H

#include "host/clock.h"

enum {
    PULSE_ROUND = 100,  /* milliseconds that the loop waits at most */
    PULSE_STILL = 2000, /* it stood still if a round took longer: work takes a fraction of that */
};

struct pulse {
    int64_t last;  /* when the last round was */
    int64_t stood; /* so long it stood still, in all */
};

static inline int64_t pulse_now(const struct pulse *pulse) {
    return clock_milliseconds() - pulse->stood;
}

/* To be called in every round, first when the server starts. */
static inline int64_t pulse_beat(struct pulse *pulse) {
    int64_t now = pulse_now(pulse);
    if (pulse->last != 0 && now - pulse->last > PULSE_STILL) {
        pulse->stood += now - pulse->last - PULSE_ROUND;
        now = pulse->last + PULSE_ROUND;
    }
    return pulse->last = now;
}

#endif
