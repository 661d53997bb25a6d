/* Powers of two of fractions, in integers, so that every machine has the same. */
#ifndef NONET_BASE_POWER_H
#define NONET_BASE_POWER_H

#include <stdint.h>

/* 2^(x / 256) in units of 2^-16, for x <= 0; within 0.3 percent and one unit.
 * Between whole exponents a parabola stands for the curve. */
static inline uint32_t nonet_power(int x) {
    uint32_t below = (uint32_t)-x, whole = below >> 8, part = below & 255;
    if (whole > 16)
        return 0;
    /* 2^-t is about 1 - 0.6723 t + 0.1723 t^2 for t from 0 to 1. */
    uint32_t fraction = (1 << 16) - 172 * part + ((part * part * 11292) >> 16);
    return fraction >> whole;
}

#endif
