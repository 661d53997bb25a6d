#include "values.h"

#include "game.h"

struct nonet_value nonet_value_result(const struct nonet_options *options, const void *state,
                                      int player) {
    struct nonet_result result = {0};
    options->game->result(options, state, &result);
    bool won = result.winners >> (player - 1) & 1;
    bool shared = result.winners == (1 << options->players) - 1;
    struct nonet_value value = {.outcome = shared ? NONET_DRAW : won ? NONET_WIN : NONET_LOSS};
    if (result.has_points && options->players == 2) {
        value.has_margin = true;
        value.margin = (int16_t)(result.points[player - 1] - result.points[2 - player]);
    }
    return value;
}

struct nonet_value nonet_value_final(const struct nonet_options *options, const void *state) {
    return nonet_value_result(options, state, options->game->next(options, state));
}

struct nonet_value nonet_value_negated(struct nonet_value value) {
    value.outcome = (uint8_t)(NONET_WIN - value.outcome);
    value.margin = (int16_t)-value.margin;
    return value;
}

struct nonet_value nonet_value_earlier(struct nonet_value value) {
    if (!value.has_margin && value.outcome != NONET_DRAW &&
        value.distance != NONET_UNKNOWN_DISTANCE)
        value.distance++;
    return value;
}

struct nonet_value nonet_value_before(struct nonet_value after) {
    return nonet_value_earlier(nonet_value_negated(after));
}

int nonet_value_rank(const struct nonet_value *value) {
    enum { LONG = 100000 };
    if (value->has_margin)
        return 4 * value->margin + value->outcome;
    int distance = value->distance >= 0 ? value->distance : LONG / 2;
    return value->outcome == NONET_WIN    ? LONG - distance
           : value->outcome == NONET_LOSS ? distance - LONG
                                          : 0;
}

int nonet_value_compare(const struct nonet_value *a, const struct nonet_value *b) {
    int first = nonet_value_rank(a), second = nonet_value_rank(b);
    return (first > second) - (first < second);
}
