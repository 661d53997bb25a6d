/* Chasm's state: what its rules (chasm.c) and the numbering of its positions (chasm_ranking.c)
 * share. */
#ifndef NONET_GAMES_CHASM_BOARD_H
#define NONET_GAMES_CHASM_BOARD_H

#include <assert.h>

#include "../rules/ranking.h"
#include "board4.h"

extern const struct nonet_ranking nonet_chasm_ranking;

enum { PIECES = 4 };

enum { PLACING, MOVING, FINISHED };
struct state {
    uint64_t pieces; /* a lane for each player; player 1 has the lowest */
    uint32_t next;   /* from 0: whose turn comes next, also after the end */
    uint32_t phase;
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 16, "a state has no padding");

static inline uint16_t own_of(const struct state *s, int player) {
    return (uint16_t)(s->pieces >> 16 * player);
}

#endif
