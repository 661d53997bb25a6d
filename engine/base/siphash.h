/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed hash. Without the key, known hashes tell nothing
 * about the hashes of other inputs, and nobody can choose inputs whose hashes collide. So one
 * secret can give numbers for several purposes, some of them public and others not.
 *
 * A key is secret only if it cannot be guessed: it needs 64 random bits or more. */
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
