/* A 64-bit hash of a block of bytes: quick, well mixed, not meant to withstand an adversary. */
#ifndef NONET_BASE_HASH_H
#define NONET_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t nonet_hash(const void *bytes, size_t size);

/* The same of numbers, whatever the order of their bytes in memory. The size is in bytes too. */
uint64_t nonet_hash_words(const uint64_t *words, size_t size);

/* Two hashes of a block of bytes in one pass. They have only its words in common, so that one can
 * say where something is, and the other that it is there. */
void nonet_hash_twice(const void *bytes, size_t size, uint64_t seed, uint64_t hashes[2]);

#endif
