/* For a game whose positions are judged by a trained network: what the network sees.
 *
 * Features are small whole numbers, counts above all. They describe a position for the player next
 * in turn, so that one network serves both players. They must not change when the board is turned,
 * nor when the players change places. What the network makes of them is computed by
 * search/network.h; train/ finds the weights. */
#ifndef NONET_RULES_FEATURES_H
#define NONET_RULES_FEATURES_H

#include "game.h"

enum { NONET_MAX_FEATURES = 64, NONET_FEATURE_LIMIT = 511 };

struct nonet_features {
    int count;                /* at most NONET_MAX_FEATURES */
    const char *const *names; /* in English, for people who look at a network */
    /* The features of a position of two players, from 0 to NONET_FEATURE_LIMIT. */
    void (*write)(const struct nonet_options *options, const void *state,
                  int16_t features[NONET_MAX_FEATURES]);
    /* OPTIONAL, by default null: nothing was trained, and `evaluate` judges. The weights, as
     * search/network.h describes them. */
    const int16_t *weights;
};

#endif
