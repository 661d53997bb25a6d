/* For a game with too many moves to list.
 *
 * Its legal moves live in a workspace that the caller owns and that always belongs to one state:
 * `start`, `read` and `play` keep it up to date, `enter` rebuilds it for a state from elsewhere. */
#ifndef NONET_RULES_WIDE_H
#define NONET_RULES_WIDE_H

#include "game.h"

struct nonet_parts; /* parts.h */

/* A wide game must have all members, they are REQUIRED; except `parts`. */
struct nonet_wide {
    size_t workspace_size;
    void (*enter)(const struct nonet_options *options, const void *state, void *workspace);
    uint64_t (*count)(const struct nonet_options *options, const void *state,
                      const void *workspace);
    /* The index-th legal move in a fixed order, index < count. */
    nonet_move (*nth)(const struct nonet_options *options, const void *state, const void *workspace,
                      uint64_t index);
    /* Whether the move is legal. Any number may be asked about. */
    bool (*test)(const struct nonet_options *options, const void *state, const void *workspace,
                 nonet_move move);
    /* The legal move nearest to `wish` that keeps its kind and angle, if there is one. False for a
     * number that is no move. */
    bool (*nearest)(const struct nonet_options *options, const void *state, const void *workspace,
                    nonet_move wish, nonet_move *found);
    /* The move that lays down a piece taken from this place (of a scene) with its centre at x, y,
     * turned by so many degrees, as precisely as moves allow. Any numbers are accepted. False for a
     * place that has no pieces. */
    bool (*wish)(const struct nonet_options *options, uint16_t place, int32_t x, int32_t y,
                 int degrees, nonet_move *move);
    /* The piece as a scene shows it after the move; NONET_NOWHERE if the move lays none down. */
    void (*piece)(const struct nonet_options *options, nonet_move move, struct nonet_piece *piece);
    /* Which centres are possible for a move of this kind and angle: `rows` of `words` 64-bit words,
     * lowest bit first; returns the first. */
    const uint64_t *(*region)(const struct nonet_options *options, const void *workspace,
                              nonet_move like, int *rows, int *words);
    /* OPTIONAL, by default null: nobody knows whether the game falls apart. See parts.h. */
    const struct nonet_parts *parts;
};

#endif
