/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed hash. Without the key, hashes that one has seen
 * tell nothing about those of other inputs, and nobody can choose inputs whose hashes collide. So
 * it makes numbers for several purposes from one secret, of which some are told and others are not.
 *
 * A key is a secret only as far as it cannot be guessed: 64 random bits or more. */
#ifndef NONET_BASE_SIPHASH_H
#define NONET_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct nonet_siphash_key {
    uint64_t word[2];
};

/* The same on every machine for the same bytes. */
uint64_t nonet_siphash(const struct nonet_siphash_key *key, const void *bytes, size_t size);

#endif
