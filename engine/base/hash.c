#include "hash.h"

#include <string.h>

#include "byte_order.h"

static const uint64_t first = 0x243f6a8885a308d3u;

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 32);
}

uint64_t nonet_hash(const void *bytes, size_t size) {
    const unsigned char *cursor = bytes;
    uint64_t hash = first ^ size;
    for (; size >= 8; size -= 8, cursor += 8) {
        uint64_t word;
        memcpy(&word, cursor, 8);
        hash = mix(hash, nonet_little_endian64(word));
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, cursor, size);
        hash = mix(hash, nonet_little_endian64(word));
    }
    return mix(hash, 0);
}

uint64_t nonet_hash_words(const uint64_t *words, size_t size) {
    uint64_t hash = first ^ size;
    for (; size > 0; size -= 8)
        hash = mix(hash, *words++);
    return mix(hash, 0);
}

static uint64_t turned(uint64_t word, int by) {
    return word << by | word >> (64 - by);
}

void nonet_hash_twice(const void *bytes, size_t size, uint64_t seed, uint64_t hashes[2]) {
    uint64_t a = first + seed, b = ~a;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const unsigned char *)bytes + i, size - i < 8 ? size - i : 8);
        word = nonet_little_endian64(word);
        a = mix(a, word);
        b = (turned(b, 29) + word) * 0xd6e8feb86659fd93u;
        b ^= b >> 29;
    }
    hashes[0] = (a ^ a >> 29) * 0x9fb21c651e98df25u;
    hashes[1] = (b ^ b >> 32) * 0xd6e8feb86659fd93u;
}
