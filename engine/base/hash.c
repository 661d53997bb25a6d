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
