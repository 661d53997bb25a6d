#include "network.h"

#include "../rules/swap.h"

/* A sum is so short that the loop around it takes time. */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll_count(8)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

/* Compilers turn this sum into vector instructions that multiply and add pairs of 16 bits, which
 * vector types cannot express. */
static int32_t sum_of_products(const int16_t *weights, const int16_t *features) {
    int32_t sum = 0;
    for (int k = 0; k < NONET_MAX_FEATURES; k++)
        sum += weights[k] * features[k];
    return sum;
}

int nonet_network_judge(const int16_t *weights, const int16_t features[NONET_MAX_FEATURES]) {
    const int16_t *constants = weights + NONET_NETWORK_HIDDEN * NONET_MAX_FEATURES;
    const int16_t *outputs = constants + NONET_NETWORK_HIDDEN;
    int32_t units[NONET_NETWORK_HIDDEN], sum = 0;
    UNROLLED
    for (int i = 0; i < NONET_NETWORK_HIDDEN; i++)
        units[i] = sum_of_products(weights + i * NONET_MAX_FEATURES, features);
    for (int i = 0; i < NONET_NETWORK_HIDDEN; i++) {
        int32_t unit = units[i] + constants[i] * (NONET_NETWORK_ONE / NONET_NETWORK_CONSTANT_ONE);
        unit = unit < 0 ? 0 : unit > NONET_NETWORK_ONE ? NONET_NETWORK_ONE : unit;
        sum += unit / (NONET_NETWORK_ONE / NONET_NETWORK_UNIT_ONE) * outputs[i];
    }
    int64_t total = sum + (int64_t)outputs[NONET_NETWORK_HIDDEN] * NONET_NETWORK_UNIT_ONE;
    return (int)(total * 1000 / (NONET_NETWORK_UNIT_ONE * NONET_NETWORK_UNIT_ONE));
}

void nonet_evaluator_begin(struct nonet_evaluator *evaluator, const struct nonet_options *options,
                           const int16_t *weights, const void *before) {
    const struct nonet_features *features = options->game->features;
    evaluator->options = options;
    evaluator->weights = weights != NULL || features == NULL ? weights : features->weights;
    if (evaluator->weights != NULL)
        features->outline(options, before, &evaluator->outline);
}

bool nonet_evaluator_judge(struct nonet_evaluator *evaluator, const void *state, int player,
                           int *score) {
    const struct nonet_options *options = evaluator->options;
    const struct nonet_game *game = options->game;
    if (evaluator->weights == NULL) {
        bool goes_on = game->turn(options, state) != 0;
        if (goes_on)
            *score = game->evaluate(options, state, player);
        return goes_on;
    }
    int16_t seen[NONET_MAX_FEATURES] = {0};
    if (!game->features->write(options, &evaluator->outline, state, seen))
        return false;
    int ahead = nonet_network_judge(evaluator->weights, seen);
    /* The network judges sides. Whoever may swap chooses the better one. */
    if (ahead < 0 && nonet_swap_stage(options, state) == NONET_SWAP_NOW)
        ahead = -ahead;
    if (game->next(options, state) != player)
        ahead = -ahead;
    /* Converts odds to the expected result: half way to a sure win at odds of about e^2. */
    *score = 1000 * ahead / ((ahead < 0 ? -ahead : ahead) + 2000);
    return true;
}

int nonet_evaluate(const struct nonet_options *options, const int16_t *weights, const void *state,
                   int player) {
    struct nonet_evaluator evaluator;
    int score = 0;
    nonet_evaluator_begin(&evaluator, options, weights, state);
    nonet_evaluator_judge(&evaluator, state, player, &score);
    return score;
}

bool nonet_can_evaluate(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    return game->evaluate != NULL || (game->features != NULL && game->features->weights != NULL);
}
