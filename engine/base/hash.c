#include "hash.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 32);
}

uint64_t nonet_hash(const void *bytes, size_t size) {
    const unsigned char *cursor = bytes;
    uint64_t hash = 0x243f6a8885a308d3u ^ size;
    for (; size >= 8; size -= 8, cursor += 8) {
        uint64_t word;
        memcpy(&word, cursor, 8);
        hash = mix(hash, word);
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, cursor, size);
        hash = mix(hash, word);
    }
    return mix(hash, 0);
}
