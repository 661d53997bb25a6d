#include "value.h"

#include "../rules/game.h"

struct nonet_value nonet_value_final(const struct nonet_options *options, const void *state) {
    int player = options->game->next(options, state);
    struct nonet_result result = {0};
    options->game->result(options, state, &result);
    struct nonet_value value = {.outcome = NONET_DRAW, .has_margin = result.has_points};
    if (result.winners != 3)
        value.outcome = result.winners >> (player - 1) & 1 ? NONET_WIN : NONET_LOSS;
    if (result.has_points)
        value.margin = (int16_t)(result.points[player - 1] - result.points[2 - player]);
    return value;
}

struct nonet_value nonet_value_before(struct nonet_value behind) {
    struct nonet_value value = behind;
    value.outcome = (uint8_t)(NONET_WIN - behind.outcome);
    value.margin = (int16_t)-behind.margin;
    if (!behind.has_margin && behind.outcome != NONET_DRAW)
        value.distance++;
    return value;
}
