/* Sets of cells as bits: the few operations that every board needs. */
#ifndef NONET_BASE_BITS_H
#define NONET_BASE_BITS_H

#include <stdint.h>

static inline int nonet_bits_count(uint64_t set) {
    return __builtin_popcountll(set);
}

/* The lowest member of a set that is not empty. */
static inline int nonet_bits_first(uint64_t set) {
    return __builtin_ctzll(set);
}

/* The positions of the members of each byte, lowest first; used by nonet_bits_list16. */
extern const uint8_t nonet_bits_of_byte[256][8];

/* Writes the members of a 16-bit set in rising order, each plus `base`, and returns how many. Two
 * table rows are widened at a stroke instead of looping member by member, so up to eight
 * entries behind the last one are overwritten too. */
static inline int nonet_bits_list16(uint16_t set, uint32_t base, uint32_t *out) {
    const uint8_t *low = nonet_bits_of_byte[set & 0xff], *high = nonet_bits_of_byte[set >> 8];
    for (int i = 0; i < 8; i++)
        out[i] = base + low[i];
    int half = nonet_bits_count(set & 0xff);
    for (int i = 0; i < 8; i++)
        out[half + i] = base + 8 + high[i];
    return half + nonet_bits_count(set >> 8);
}

#endif
