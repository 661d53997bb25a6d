/* Exact values without a table: proofs by search, for positions of games that nobody can list in
 * full.
 *
 * A question is a position and a player: what does this player reach if all others play together
 * against him, and both sides play as well as can be? With two players that is the value of the
 * position. With more, it says
 *
 *     win   he can force his win, whatever the others agree upon; `distance` is the number of plies
 *           to the end if he hurries and the others delay it
 *     loss  the others together can force an end at which he is not among the winners; `distance`
 *           is the number of plies if they hurry and he delays it
 *     draw  neither: together they can keep him from winning, and he can keep the game going for
 *           ever (or reach a shared end)
 *
 * So at most one of several players can have a win, and often all have a loss.
 *
 * In games with points (two players) the margin is maximised. Of equal margins, a win is better
 * than a draw and a draw better than a loss: in a game where equal points are won by one of the
 * two, that decides. The outcome is that of the best result in this order; there is no distance.
 *
 * Some positions are settled by an argument instead of a search (`mirror` in the contract): then
 * the outcome is proven, and the distance is not known.
 *
 * A search works in memory that the caller owns, is advanced by a number of nodes at a time, has
 * no clock and no threads. With as much memory it takes the same course everywhere:
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
 * What one question taught stays in memory for the next one of the same game and options, so the
 * moves of a position are soon valued once the position is: ask about the position behind each
 * move, for the same player.
 */
#ifndef NONET_SEARCH_EXACT_H
#define NONET_SEARCH_EXACT_H

#include "../rules/game.h"
#include "../rules/values.h"

enum { NONET_EXACT_ALIGN = 64 };

enum nonet_exact_status {
    NONET_EXACT_WORKING, /* advance it further */
    NONET_EXACT_SETTLED, /* the answer is there */
    NONET_EXACT_BEYOND,  /* no search of ours settles this: a wide game without an argument, hidden
                            information, a game longer than NONET_EXACT_PLIES */
};

/* The longest game, or fastest win, that a search sees the end of. */
enum { NONET_EXACT_PLIES = 64 };

struct nonet_proof {
    struct nonet_value value; /* for the player asked about */
    const char *by;           /* "search" or "mirror"; "rules" for a finished game */
};

/* The least memory to begin with; more of it is a larger table, which makes searches faster. */
size_t nonet_exact_least(const struct nonet_options *options);

/* Lays out an empty search in memory aligned to NONET_EXACT_ALIGN. */
void nonet_exact_begin(void *memory, size_t size, const struct nonet_options *options);

/* Sets the question; whatever was asked before is dropped, what it taught is kept. */
void nonet_exact_ask(void *exact, const void *state, int player);

/* Looks at up to so many more positions. */
enum nonet_exact_status nonet_exact_advance(void *exact, uint64_t nodes);

/* The answer, once settled. */
bool nonet_exact_answer(const void *exact, struct nonet_proof *proof);

/* Positions looked at since `begin`. */
uint64_t nonet_exact_nodes(const void *exact);

#endif
