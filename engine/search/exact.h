/* Exact values without a table: proofs by search, for games with too many positions to list.
 *
 * A question is a position and a player: what does this player reach if all others play together
 * against them, and both sides play as well as possible? With two players that is the value of the
 * position. With more, it says
 *
 *     win   the player can force a win, whatever the others agree on; `distance` is the number of
 *           plies to the end if the player hurries and the others delay it
 *     loss  the others together can force an end at which the player is not among the winners;
 *           `distance` is the number of plies if they hurry and the player delays it
 *     draw  neither: the others together can keep the player from winning, and the player can keep
 *           the game going for ever (or reach a shared end)
 *
 * So at most one of several players can have a win, and often all have a loss.
 *
 * In games with points (two players) the margin is maximised. Of equal margins, a win is better
 * than a draw and a draw better than a loss: this decides in games where one of the two wins with
 * equal points. The outcome is that of the best result in this order; there is no distance.
 *
 * Some positions are settled by an argument instead of a search (`mirror` in the contract): then
 * the outcome is proven, and the distance is not known.
 *
 * A search works in memory that the caller owns. It is advanced by a number of nodes at a time, and
 * has no clock and no threads. With the same amount of memory it takes the same course everywhere:
 *
 *     size_t size = 1 << 28;                       // at least nonet_exact_least(options)
 *     void *exact = aligned_alloc(NONET_EXACT_ALIGN, size);
 *     nonet_exact_begin(exact, size, options);
 *     nonet_exact_ask(exact, state, player);
 *     while (nonet_exact_advance(exact, 100000) == NONET_EXACT_WORKING && time_is_left())
 *         ;
 *     struct nonet_proof proof;
 *     if (nonet_exact_answer(exact, &proof))
 *         …
 *
 * What one question taught stays in memory for the next one of the same game and options. So once
 * the value of a position is known, the values of its moves come quickly: ask about the position
 * after each move, for the same player.
 */
#ifndef NONET_SEARCH_EXACT_H
#define NONET_SEARCH_EXACT_H

#include "../rules/game.h"
#include "../rules/values.h"

enum { NONET_EXACT_ALIGN = 64 };

enum nonet_exact_status {
    NONET_EXACT_WORKING, /* not settled yet: advance it further */
    NONET_EXACT_SETTLED, /* the answer is there */
    NONET_EXACT_BEYOND,  /* this search cannot settle it: a wide game without an argument, hidden
                            information, a game longer than NONET_EXACT_PLIES */
};

/* The longest game, or the longest fastest win, whose end a search can see. */
enum { NONET_EXACT_PLIES = 64 };

struct nonet_proof {
    struct nonet_value value; /* for the player asked about */
    const char *by;           /* "search" or "mirror"; "rules" for a finished game */
};

/* The least memory to begin with. More memory makes the table larger and searches faster. */
size_t nonet_exact_least(const struct nonet_options *options);

/* Lays out an empty search in memory aligned to NONET_EXACT_ALIGN. */
void nonet_exact_begin(void *memory, size_t size, const struct nonet_options *options);

/* Sets the question. The question before it is dropped; what it taught is kept. */
void nonet_exact_ask(void *exact, const void *state, int player);

/* Looks at up to this many more positions. */
enum nonet_exact_status nonet_exact_advance(void *exact, uint64_t nodes);

/* The answer, once settled. */
bool nonet_exact_answer(const void *exact, struct nonet_proof *proof);

/* In a game with points: whether it is known, perhaps before the answer, that the player to move
 * wins, and by which move. */
bool nonet_exact_winning(const void *exact, nonet_move *move);

/* Positions looked at since `begin`. */
uint64_t nonet_exact_nodes(const void *exact);
/* Positions after them at which it glanced: that takes most of the time. */
uint64_t nonet_exact_glances(const void *exact);

#endif
