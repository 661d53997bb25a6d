/* What a proof says of a position, always from the side of the player to move in it (behind the
 * end: of the player who would be next). */
#ifndef NONET_TABLE_VALUE_H
#define NONET_TABLE_VALUE_H

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

/* The value of a finished position of a game in which two players move in turn, by the rules. */
struct nonet_value nonet_value_final(const struct nonet_options *options, const void *state);

/* What a move is worth to who makes it, from the value of the position behind it. */
struct nonet_value nonet_value_before(struct nonet_value behind);

#endif
