/* How positions and moves of a game with hidden information are judged: by weighted sums of what is
 * counted.
 *
 * In a position in which everything is known, something is counted of every side: of a player who
 * is not out, or of a team. In another position something is counted of every move, by what its
 * mover may know. Counts are small whole numbers, and the same however the board is turned.
 *
 * There are several sets of weights. The options and how far the game is tell which of them serves.
 * The weights are one array: those of each set for sides, then those of each set for moves. train/
 * finds them. */
#ifndef NONET_RULES_COUNTS_H
#define NONET_RULES_COUNTS_H

#include "game.h"

enum {
    NONET_MAX_COUNTED_WEIGHTS = NONET_MAX_COUNT_SETS * NONET_MAX_COUNTS,
    NONET_EXPECTED_WHOLE = 1 << 16,
    NONET_SIDE_UNIT = 256,  /* with a sum greater by this much, a side expects twice as much, */
    NONET_MOVE_UNIT = 4096, /* and a move is played twice as often */
    NONET_APPEAL_UNIT = 256,
};

struct nonet_side {
    unsigned players; /* bit p-1 for player p */
    int16_t count[NONET_MAX_COUNTS];
};

/* All members are REQUIRED. */
struct nonet_counts {
    int side_counts, side_sets;
    int move_counts, move_sets;
    const char *const *set_names; /* for sides, then for moves: in English, for people */
    const int16_t *weights;
    /* The sides of a state that is no observation and not over. Returns how many there are, and
     * tells which set of weights serves. */
    int (*sides)(const struct nonet_options *options, const void *state,
                 struct nonet_side sides[NONET_MAX_PLAYERS], int *set);
    /* What is counted of a legal move of the player to move, who sees this observation. Returns
     * which set of weights serves: the same for all moves of a position. */
    int (*move)(const struct nonet_options *options, const void *seen, nonet_move move,
                int16_t count[NONET_MAX_COUNTS]);
};

static inline int nonet_counts_weights(const struct nonet_counts *counts) {
    return counts->side_sets * counts->side_counts + counts->move_sets * counts->move_counts;
}

/* What share of the win each player may expect from a state that is no observation and not over, in
 * units of 1 / NONET_EXPECTED_WHOLE, rounded down; 0 for a player who is out. Shares of sides are
 * in proportion to the powers of two of their sums. The players of a team expect the same. Here and
 * below, weights may be null: then the game's own serve. */
void nonet_expect(const struct nonet_options *options, const int16_t *weights, const void *state,
                  int shares[NONET_MAX_PLAYERS]);

/* How a legal move appeals to the player to move, who sees this observation: of two moves, one with
 * NONET_APPEAL_UNIT more is played twice as often. */
int nonet_appeal(const struct nonet_options *options, const int16_t *weights, const void *seen,
                 nonet_move move);

#endif
