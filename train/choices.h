/* What was chosen in self-play games with hidden information, as numbers to learn from: which side
 * won, and which move was played. */
#ifndef NONET_TRAIN_CHOICES_H
#define NONET_TRAIN_CHOICES_H

#include "rules/hidden.h"

/* What could be chosen, as the game counts it. */
struct row {
    float aim; /* whether it was chosen: the aims of a choice add up to 1 */
    int16_t count[NONET_MAX_COUNTS];
};

struct choice {
    size_t first; /* of its rows */
    int rows;
    int set;       /* of weights */
    bool held_out; /* not learnt from, for measuring */
};

struct choices {
    struct choice *choice;
    struct row *row;
    size_t count, room, rows, row_room;
};

struct lessons {
    const struct nonet_game *game; /* null until the first file is read */
    struct choices sides, moves;
    uint64_t games;
};

/* Adds the games of a file that `nonet selfplay` wrote. False with the reason. */
bool lessons_read(struct lessons *lessons, const char *path, struct nonet_text *why);
void lessons_free(struct lessons *lessons);

#endif
