/* Sets of cells as bits: the few operations that every board needs. */
#ifndef NONET_BASE_BITS_H
#define NONET_BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline int nonet_bits_count(uint64_t set) {
#if defined __x86_64__ && !defined __POPCNT__ /* the builtin would call a function */
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
#else
    return __builtin_popcountll(set);
#endif
}

/* The lowest member of a set that is not empty. */
static inline int nonet_bits_first(uint64_t set) {
    return __builtin_ctzll(set);
}

/* The positions of the members of each byte, lowest first; used by nonet_bits_list16. */
extern const uint32_t nonet_bits_of_byte[256][8];

/* Copies a row of the table, each entry plus `base`. */
static inline void nonet_bits_copy_row(uint8_t byte, uint32_t base, uint32_t *out) {
    typedef uint32_t row __attribute__((vector_size(32)));
    row entries;
    memcpy(&entries, nonet_bits_of_byte[byte], sizeof entries);
    entries += base;
    memcpy(out, &entries, sizeof entries);
}

/* Writes the members of a 16-bit set in rising order, each plus `base`, and returns how many. It
 * copies two table rows instead of looping over members, so up to fifteen entries after the last
 * one are overwritten too. */
static inline int nonet_bits_list16(uint16_t set, uint32_t base, uint32_t *out) {
    int half = nonet_bits_count(set & 0xff);
    nonet_bits_copy_row((uint8_t)set, base, out);
    nonet_bits_copy_row((uint8_t)(set >> 8), base + 8, out + half);
    return half + nonet_bits_count(set >> 8);
}

#endif
