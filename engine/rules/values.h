/* What is known of a position, always from the side of one player: won, drawn or lost, by what
 * margin or in how many plies. Everything that compares or negates such values is here. */
#ifndef NONET_RULES_VALUES_H
#define NONET_RULES_VALUES_H

#include <stdbool.h>
#include <stdint.h>

enum { NONET_UNKNOWN_DISTANCE = -1 }; /* won or lost, but nobody knows how fast */

enum nonet_outcome { NONET_LOSS, NONET_DRAW, NONET_WIN };

struct nonet_value {
    uint8_t outcome;  /* enum nonet_outcome */
    bool has_margin;  /* with points: `margin`, own points minus the opponent's at the end */
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

/* The same value for the opponent, in a game of two players. */
struct nonet_value nonet_value_negated(struct nonet_value value);

/* The same value for the same player one ply earlier: an end is one ply further away. */
struct nonet_value nonet_value_earlier(struct nonet_value value);

/* What a move is worth to the player who makes it, from the value of the position after it. That
 * value is from the side of the player who is next there. */
struct nonet_value nonet_value_before(struct nonet_value after);

/* Below, at or above 0: the first is worse, as good, or better. A fast win is better than a slow
 * one, a slow loss better than a fast one; with points the margin decides. */
int nonet_value_compare(const struct nonet_value *a, const struct nonet_value *b);
/* The same order as a number: the higher the better. */
int nonet_value_rank(const struct nonet_value *value);

/* A value with a margin as one number that changes its sign with the side: twice the margin, plus
 * one for a win, minus one for a loss. So a margin of 0 is still won or lost where the rules say
 * so. And the value for such a number. */
static inline int nonet_value_signed(const struct nonet_value *value) {
    return 2 * value->margin + value->outcome - NONET_DRAW;
}
static inline enum nonet_outcome nonet_outcome_of_sign(int number) {
    return number > 0 ? NONET_WIN : number < 0 ? NONET_LOSS : NONET_DRAW;
}
static inline struct nonet_value nonet_value_of_signed(int number) {
    return (struct nonet_value){.outcome = (uint8_t)nonet_outcome_of_sign(number),
                                .has_margin = true,
                                .margin = (int16_t)(number / 2)};
}
/* The number for a margin. With equal points either side may have won: `equal` is 1 or -1. */
static inline int nonet_signed_of_margin(int margin, int equal) {
    return 2 * margin + (margin > 0 ? 1 : margin < 0 ? -1 : equal);
}

#endif
