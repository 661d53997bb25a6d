#include "siphash.h"

static uint64_t rotate(uint64_t word, int bits) {
    return word << bits | word >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds) {
    while (rounds-- > 0) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

/* Up to eight bytes as a number, the lowest first. */
static uint64_t word_at(const unsigned char *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static void take_in(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
}

uint64_t nonet_siphash(const struct nonet_siphash_key *key, const void *bytes, size_t size) {
    const unsigned char *cursor = bytes;
    uint64_t v[4] = {
        key->word[0] ^ 0x736f6d6570736575u,
        key->word[1] ^ 0x646f72616e646f6du,
        key->word[0] ^ 0x6c7967656e657261u,
        key->word[1] ^ 0x7465646279746573u,
    };
    size_t left = size;
    for (; left >= 8; left -= 8, cursor += 8)
        take_in(v, word_at(cursor, 8));
    take_in(v, (uint64_t)size << 56 | word_at(cursor, left));
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
