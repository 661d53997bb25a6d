/* The evaluation of positions by a small network, for games that say what it sees (features.h).
 *
 * Every hidden unit adds up the features, each multiplied by a weight, and limits the sum to the
 * range from 0 to one. The output adds up the hidden units, each multiplied by a weight. It is the
 * logarithm of the odds that the player next in turn wins. All of it is whole numbers, so that the
 * result is the same on every machine.
 *
 * The weights are one array: for each hidden unit the weights of NONET_MAX_FEATURES features, those
 * that the game does not have included; a constant for each hidden unit; the weight of each hidden
 * unit; a constant. */
#ifndef NONET_SEARCH_NETWORK_H
#define NONET_SEARCH_NETWORK_H

#include "../rules/features.h"

/* What stands for one. Constants of hidden units have fewer digits, because features are not
 * centred and constants may be large. */
enum {
    NONET_NETWORK_HIDDEN = 32,
    NONET_NETWORK_ONE = 8192,         /* in weights of features, and in the sums of hidden units */
    NONET_NETWORK_CONSTANT_ONE = 256, /* in constants of hidden units */
    NONET_NETWORK_UNIT_ONE = 1024,    /* in hidden units, weights of them and the last constant */
    NONET_NETWORK_WEIGHTS = (NONET_MAX_FEATURES + 2) * NONET_NETWORK_HIDDEN + 1,
};

/* The logarithm of the odds, in thousandths, for the player next in turn. Features that the game
 * does not have are 0. */
int nonet_network_judge(const int16_t *weights, const int16_t features[NONET_MAX_FEATURES]);

/* The result that this player can expect of a game that goes on, from -1000 to 1000: by these
 * weights; if they are null, by those of the game; if it has none, by its `evaluate`. */
int nonet_evaluate(const struct nonet_options *options, const int16_t *weights, const void *state,
                   int player);

/* The same for several positions that are one move after another, or that position itself. Here a
 * game may be over: then the answer is false, and there is no score. */
struct nonet_evaluator {
    const struct nonet_options *options;
    const int16_t *weights; /* null: the game's `evaluate` judges */
    struct nonet_outline outline;
};
void nonet_evaluator_begin(struct nonet_evaluator *evaluator, const struct nonet_options *options,
                           const int16_t *weights, const void *before);
bool nonet_evaluator_judge(struct nonet_evaluator *evaluator, const void *state, int player,
                           int *score);

/* Whether there is such an evaluation. */
bool nonet_can_evaluate(const struct nonet_options *options);

#endif
