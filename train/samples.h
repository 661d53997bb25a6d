/* Positions of self-play games as numbers to learn from. */
#ifndef NONET_TRAIN_SAMPLES_H
#define NONET_TRAIN_SAMPLES_H

#include "search/network.h"

/* A position, for the player to move. */
struct sample {
    int16_t features[NONET_MAX_FEATURES];
    float result;     /* 1 for a win, 0 for a loss */
    float expected;   /* the same as a search saw it */
    int16_t score;    /* by the evaluation of the game itself, from -1000 to 1000 */
    int16_t ply;      /* moves played before */
    uint8_t progress; /* tenths of the game played, from 0 to 9 */
    bool proven;      /* the result is that of best play */
    bool played;      /* to the end by searches; else only one search has an opinion */
    bool held_out;    /* not learnt from, for measuring */
};

struct samples {
    const struct nonet_game *game; /* null until the first file is read */
    struct sample *sample;
    size_t count, room;
    uint64_t games;
};

/* Adds the positions of a file that `nonet selfplay` wrote. Every tenth game is held out. False
 * with the reason. */
bool samples_read(struct samples *samples, const char *path, struct nonet_text *why);

#endif
