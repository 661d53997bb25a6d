/* Upper confidence bounds in whole numbers, so that tree searches choose the same on every machine.
 * Fractions are counted in units of 1 / NONET_UCB_ONE. */
#ifndef NONET_SEARCH_UCB_H
#define NONET_SEARCH_UCB_H

#include <stdint.h>

enum { NONET_UCB_ONE = 1 << 16 };

/* One over the square root of m, in units of 2^-24, for m from NONET_UCB_FROM on. Any other number
 * is approximately one of these times a power of 4, to within one part in a few hundred. */
enum { NONET_UCB_FROM = 256, NONET_UCB_ROOTS = 3 * NONET_UCB_FROM };
struct nonet_ucb {
    uint32_t inverse_root[NONET_UCB_ROOTS];
};

/* The square root, rounded down. */
static inline uint32_t nonet_root(uint64_t square) {
    uint64_t root = 0;
    for (uint64_t bit = 1ull << 31; bit != 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= square)
            root |= bit;
    return (uint32_t)root;
}

static inline void nonet_ucb_init(struct nonet_ucb *ucb) {
    for (uint64_t i = 0; i < NONET_UCB_ROOTS; i++)
        ucb->inverse_root[i] = nonet_root((1ull << 48) / (NONET_UCB_FROM + i));
}

/* The natural logarithm of a number of at least 1, to within a hundredth: a parabola between powers
 * of two. */
static inline uint64_t nonet_ucb_log(uint64_t number) {
    int whole = 63 - __builtin_clzll(number);
    uint64_t one = NONET_UCB_ONE;
    uint64_t rest = whole <= 16 ? (number << (16 - whole)) - one : (number >> (whole - 16)) - one;
    uint64_t binary = (uint64_t)whole * one + rest + rest * (one - rest) / one * 22526 / one;
    return binary * 45426 / one;
}

/* root / sqrt(visits), both counted in units; visits are at least 1. */
static inline uint64_t nonet_ucb_over_root(const struct nonet_ucb *ucb, uint64_t root,
                                           uint32_t visits) {
    int bits = 32 - __builtin_clz(visits);
    /* This many powers of 4 bring the number to 9 or 10 bits. */
    int fours = (bits - 9) / 2 - (bits < 9 && bits % 2 == 0);
    uint64_t inverse;
    if (fours >= 0)
        inverse = ucb->inverse_root[(visits >> 2 * fours) - NONET_UCB_FROM] >> fours;
    else
        inverse = (uint64_t)ucb->inverse_root[(visits << -2 * fours) - NONET_UCB_FROM] << -fours;
    return root * inverse >> 24;
}

#endif
