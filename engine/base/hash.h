/* A 64-bit hash of a block of bytes: quick, well mixed, not meant to withstand an adversary. */
#ifndef NONET_BASE_HASH_H
#define NONET_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t nonet_hash(const void *bytes, size_t size);

/* The same of numbers, whatever the order of their bytes in memory. The size is in bytes too. */
uint64_t nonet_hash_words(const uint64_t *words, size_t size);

#endif
