/* For a game whose positions are judged by a trained network: what the network sees.
 *
 * Features are small whole numbers, counts above all. They describe a position for the player next
 * in turn, so that one network serves both players. They must not change when the board is turned,
 * nor when the players change places. What the network makes of them is computed by
 * search/network.h; train/ finds the weights. */
#ifndef NONET_RULES_FEATURES_H
#define NONET_RULES_FEATURES_H

#include <stdalign.h>

#include "game.h"

/* What a game remembers of a position while the positions after its moves are looked at. */
struct nonet_outline {
    alignas(64) unsigned char bytes[NONET_FEATURE_OUTLINE];
};

/* A game that offers this must have all members, they are REQUIRED; except `weights`. */
struct nonet_features {
    int count;                /* at most NONET_MAX_FEATURES */
    const char *const *names; /* in English, for people who look at a network */
    /* What a position has in common with those after its moves: a struct nonet_outline. */
    void (*outline)(const struct nonet_options *options, const void *state, void *outline);
    /* The features of a position of two players, from 0 to NONET_FEATURE_LIMIT. The outline is that
     * of the same position or of the one before, and may keep what other moves have in common with
     * this one. Returns whether the game goes on, as `turn` would say: a game that counts what
     * can be done knows it too. */
    bool (*write)(const struct nonet_options *options, void *outline, const void *state,
                  int16_t features[NONET_MAX_FEATURES]);
    /* OPTIONAL, by default null: nothing was trained, and `evaluate` judges. The weights, as
     * search/network.h describes them. */
    const int16_t *weights;
};

#endif
