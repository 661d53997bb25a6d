/* What is known of a position, always from the side of one player: won, drawn or lost, by what
 * margin or in how many plies. Everything that compares or turns such values round is here. */
#ifndef NONET_RULES_VALUES_H
#define NONET_RULES_VALUES_H

#include <stdbool.h>
#include <stdint.h>

enum { NONET_UNKNOWN_DISTANCE = -1 }; /* won or lost, but nobody knows how fast */

enum nonet_outcome { NONET_LOSS, NONET_DRAW, NONET_WIN };

struct nonet_value {
    uint8_t outcome;  /* enum nonet_outcome */
    bool has_margin;  /* in games with points: `margin`, own points less the other's at the end */
    int16_t margin;   /* with best play by both */
    int16_t distance; /* plies to the end of a win or loss: the winner shortens, the loser
                         lengthens. Unused in draws and in games with points */
};

struct nonet_options;

/* What the result of a finished position is worth to a player, by the rules. */
struct nonet_value nonet_value_result(const struct nonet_options *options, const void *state,
                                      int player);
/* The same for the player who would be next, in a game in which two players move in turn. */
struct nonet_value nonet_value_final(const struct nonet_options *options, const void *state);

/* The same value from the other side of two. */
struct nonet_value nonet_value_negated(struct nonet_value value);

/* What a move is worth to the player who makes it, from the value of the position after it, which
 * is told from the side of the player who is next there. */
struct nonet_value nonet_value_before(struct nonet_value after);

/* Below, at or above 0: the first is worse, as good, or better. A fast win is better than a slow
 * one, a slow loss better than a fast one; with points the margin tells. */
int nonet_value_compare(const struct nonet_value *a, const struct nonet_value *b);

#endif
