/* Standings: how a game stands, in its own terms, as counts for each player or for all.
 *
 * Pieces left, pieces home, the largest group, crosses of each colour: what people at the table
 * would count. All positions of the same options have the same entries in the same order; only the
 * numbers differ. So a panel that shows them keeps its size. */
#ifndef NONET_RULES_STANDINGS_H
#define NONET_RULES_STANDINGS_H

#include "game.h"

enum { NONET_NO_MOST = -1 };

struct nonet_standing {
    uint8_t player;   /* whose count it is, or 0: of the table as a whole */
    uint8_t material; /* of what is counted, or NONET_MATERIALS: of no particular one */
    int16_t number;   /* NONET_ENDLESS for a supply without end */
    int16_t most;     /* what it can reach or is wanted to reach, as in "2 of 3"; NONET_NO_MOST */
    struct nonet_message label; /* what is counted: "pieces home" */
};

/* After the last entry that counts there is a spare one, which takes what does not fit. */
struct nonet_standings {
    bool cut; /* the game told more than fits */
    uint8_t count;
    struct nonet_standing list[NONET_MAX_STANDINGS + 1];
};

/* For games: append an entry without a material and a most, and return it. */
struct nonet_standing *nonet_standing_add(struct nonet_standings *standings, int player, int number,
                                          struct nonet_message label);

/* How the game stands, as far as the viewer may know. None for a game that does not tell. */
void nonet_standings_for(const struct nonet_options *options, const void *state, int viewer,
                         struct nonet_standings *standings);

#endif
