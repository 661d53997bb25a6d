/* SplitMix64 (Steele, Lea, Flood 2014): a random number generator of one word, the same on every
 * machine. A seed must give the same deal for ever, so this must never change. */
#ifndef NONET_BASE_RANDOM_H
#define NONET_BASE_RANDOM_H

#include <stdint.h>

struct nonet_random {
    uint64_t state;
};

static inline uint64_t nonet_random_next(struct nonet_random *random) {
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number below `bound`. The bias, below bound / 2^32, does not matter for bounds as small as
 * ours. */
static inline uint32_t nonet_random_below(struct nonet_random *random, uint32_t bound) {
    return (uint32_t)(((nonet_random_next(random) >> 32) * bound) >> 32);
}

#endif
