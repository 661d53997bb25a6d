/* A proof by search on several threads: answers questions of the form "can player 1 reach at least
 * this score?" in games of two players with points, as engine/search/exact.h does on one thread for
 * positions that a computer player meets. A score is that of nonet_value_signed: twice the margin,
 * one more for a win of player 1, one less for a loss.
 *
 * The threads share a table of what is known about positions. They all search the whole question,
 * and leave a position that another thread is at for later. So they meet at the same place in the
 * end, and help each other there. */
#ifndef NONET_SOLVE_PROOF_SEARCH_H
#define NONET_SOLVE_PROOF_SEARCH_H

#include "budget.h"
#include "checkpoint.h"
#include "rules/game.h"
#include "solve.h"

/* Below and above all scores. */
enum { PROOF_NEVER = -20000, PROOF_ALWAYS = 20000 };

struct proof_search;

/* A search whose table takes the memory that the budget has left. Null with the reason. */
struct proof_search *proof_search_new(const struct nonet_options *options,
                                      const struct solve_limits *limits, struct budget *budget,
                                      struct nonet_text *why);
void proof_search_free(struct proof_search *search);

/* Whether player 1 can reach at least this score from here. `low` and `high` become what is known
 * about the score by then. Where the memory is small, the answer takes longer. */
bool proof_search_ask(struct proof_search *search, const void *state, int goal, int *low,
                      int *high);
/* The same on the calling thread alone, for the many small questions of who writes a certificate.
 */
bool proof_search_ask_alone(struct proof_search *search, const void *state, int goal, int *low,
                            int *high);

/* What the table and the game know about a position without a search, and a move that may be good.
 */
void proof_search_look_up(const struct proof_search *search, const void *state, int *low, int *high,
                          nonet_move *move);

/* Positions whose moves were looked at, also before the search was killed and continued. */
uint64_t proof_search_positions(const struct proof_search *search);

#endif
