/* The choices of a certificate, packed: an adaptive binary arithmetic coder for small numbers.
 *
 * A number is written as its length in bits and then its bits, from the highest on. Every decision
 * has a chance that adapts. What is expected costs a small part of a bit. The bytes are described
 * in docs/tables.md. */
#ifndef NONET_SOLVE_PROOF_CODER_H
#define NONET_SOLVE_PROOF_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROOF_NUMBER_BITS = 12,
    PROOF_NUMBER_MOST = (1 << PROOF_NUMBER_BITS) - 1,
    PROOF_CONTEXTS = 128,
};

/* What both directions share. */
struct proof_model {
    uint16_t length[PROOF_CONTEXTS][PROOF_NUMBER_BITS + 1]; /* whether it has more bits than that */
    uint16_t bit[1 << PROOF_NUMBER_BITS];                   /* by the bits above it */
};

struct proof_packer {
    struct proof_model model;
    uint32_t low, high;
    unsigned char *bytes;
    size_t size, room;
    bool failed; /* out of memory */
};

void proof_packer_begin(struct proof_packer *packer);
void proof_pack(struct proof_packer *packer, int context, int number);
/* The bytes are then complete, unless it failed; they are to be freed in any case. */
void proof_packer_end(struct proof_packer *packer);

struct proof_unpacker {
    struct proof_model model;
    uint32_t low, high, code;
    const unsigned char *bytes;
    size_t size, at;
};

void proof_unpacker_begin(struct proof_unpacker *unpacker, const unsigned char *bytes, size_t size);
/* Any bytes give numbers from 0 to PROOF_NUMBER_MOST, also after their end. */
int proof_unpack(struct proof_unpacker *unpacker, int context);
/* Whether all bytes have been used, and no more. */
bool proof_unpacker_is_done(const struct proof_unpacker *unpacker);

#endif
