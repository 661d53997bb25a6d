/* The only clock: it counts seconds, or milliseconds, and never goes back. It is for deadlines and
 * durations; its zero has no meaning. */
#ifndef NONET_HOST_CLOCK_H
#define NONET_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline double clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline int64_t clock_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

#endif
