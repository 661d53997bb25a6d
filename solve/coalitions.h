/* Solves a ranked game of three or more players, one player against all others together.
 *
 * A position has a value for each player: what that player reaches if the others agree on how to
 * keep them from it, as in search/exact.h. Each of these games against a coalition has two sides,
 * so all are solved like a game of two players, side by side because they have the same moves. What
 * neither the player nor the others can force is a draw: play goes on for ever.
 *
 * A tier is expanded once: the moves within it are kept by their numbers, and of the moves that
 * leave it only the best for each value. Then one sweep after the other settles what is decided in
 * one ply, in two, and so on: this suits games in which wins are short. */
#ifndef NONET_SOLVE_COALITIONS_H
#define NONET_SOLVE_COALITIONS_H

#include "rules/game.h"
#include "rules/values.h"
#include "solve.h"

enum { COALITIONS_MATERIAL = 32 }; /* more than the most pieces of a side */

/* Figures of a solved game. They count numbers, not positions: symmetric positions are counted
 * once. */
struct coalitions_report {
    int values; /* of each position: the player to move's, then the others' in turn */
    uint64_t numbers;
    int most_material; /* the most pieces of a side */
    /* Numbers by value and by outcome, see enum nonet_outcome. */
    uint64_t by_material[COALITIONS_MATERIAL][NONET_MAX_PLAYERS][3];
    struct nonet_value longest[NONET_MAX_PLAYERS][3]; /* of these outcomes */
    struct nonet_state longest_state; /* with the longest win for the player to move */
    uint64_t memory;                  /* the most that was allocated */
};

/* Whether the solver takes this game: more than two players, and its positions are numbered. */
bool solve_coalitions_applies(const struct nonet_options *options);

/* Solves the game and writes its table into `path`; then removes its checkpoints from the work
 * directory, where each solved tier is one. The bytes are the same for any number of threads.
 * `report` may be null. False with the reason in `why`. */
bool solve_coalitions(const struct nonet_options *options, const struct solve_limits *limits,
                      const char *path, struct coalitions_report *report, struct nonet_text *why);

#endif
