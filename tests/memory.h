/* Bytes in memory as a table to fetch from. */
#ifndef NONET_TESTS_MEMORY_H
#define NONET_TESTS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct memory {
    unsigned char *bytes;
    size_t size;
};

static inline bool fetch(void *context, uint64_t offset, void *bytes, size_t size) {
    const struct memory *memory = context;
    if (offset > memory->size || memory->size - offset < size)
        return false;
    memcpy(bytes, memory->bytes + offset, size);
    return true;
}

#endif
