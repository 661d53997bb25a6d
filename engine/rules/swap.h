/* The swap rule, for every game of two in which nothing is hidden: once, after the first move, the
 * player to move may take over the side that has made it, instead of a move of their own.
 *
 * Swapping changes seats, and nothing on the board. A game's own rules know two sides, 1 and 2;
 * around them, nonet_swap_make puts a second game, which says which player has which side. Its
 * state is the game's own, followed by a few bytes of ours, so the game's functions work on it as
 * it is. With the option swap=yes, `options->game` is that second game, and all that knows games by
 * the contract alone can record, search and show swaps. With swap=no nothing differs.
 *
 * A position text is that of the game itself, so its numbers of players mean sides. What follows
 * tells about the swap: " swap in 2" that it is offered after two more moves, " swap now" that it
 * is offered, " swapped" that it was made; nothing that it was declined, as in a position that
 * somebody has thought up. Where moves are listed, the first two are read only with a position that
 * the game can reach in so many moves. */
#ifndef NONET_RULES_SWAP_H
#define NONET_RULES_SWAP_H

#include "wide.h"

/* The move "swap": a number that is no move of any game ("swap" in ASCII). */
#define NONET_SWAP ((nonet_move)0x70617773)

/* A game with the swap rule. It belongs to the caller, and is constant once it is made. */
struct nonet_swapped {
    struct nonet_game game;
    struct nonet_wide wide;
};
void nonet_swap_make(struct nonet_swapped *swapped, const struct nonet_game *inner);

/* The same options for the game without the swap rule; its tables are also those of the other. */
struct nonet_options nonet_swap_without(const struct nonet_options *options);

/* Where a position stands. A game without the rule is always past the offer. */
enum nonet_swap_stage { NONET_SWAP_LATER, NONET_SWAP_NOW, NONET_SWAP_PAST };
enum nonet_swap_stage nonet_swap_stage(const struct nonet_options *options, const void *state);

/* The length of a position text without what it tells about the swap. */
size_t nonet_swap_text(const char *text);

#endif
