#include "counts.h"

#include "../base/power.h"
#include "hidden.h"

static int sum_of(const int16_t *weights, const int16_t *count, int counts) {
    int sum = 0;
    for (int i = 0; i < counts; i++)
        sum += weights[i] * count[i];
    return sum;
}

void nonet_expect(const struct nonet_options *options, const int16_t *weights, const void *state,
                  int shares[NONET_MAX_PLAYERS]) {
    const struct nonet_counts *counts = options->game->hidden->counts;
    struct nonet_side sides[NONET_MAX_PLAYERS];
    int score[NONET_MAX_PLAYERS], best = INT32_MIN, set;
    uint32_t power[NONET_MAX_PLAYERS], sum = 0;
    int count = counts->sides(options, state, sides, &set);
    weights = (weights != NULL ? weights : counts->weights) + set * counts->side_counts;
    for (int i = 0; i < count; i++) {
        score[i] = sum_of(weights, sides[i].count, counts->side_counts);
        best = score[i] > best ? score[i] : best;
    }
    for (int i = 0; i < count; i++) {
        power[i] = nonet_power(score[i] - best);
        sum += power[i];
    }
    for (int player = 0; player < NONET_MAX_PLAYERS; player++) {
        shares[player] = 0;
        for (int i = 0; i < count; i++)
            if (sides[i].players >> player & 1)
                shares[player] = (int)((uint64_t)power[i] * NONET_EXPECTED_WHOLE / sum);
    }
}

int nonet_appeal(const struct nonet_options *options, const int16_t *weights, const void *seen,
                 nonet_move move) {
    const struct nonet_counts *counts = options->game->hidden->counts;
    int16_t count[NONET_MAX_COUNTS];
    int set = counts->move(options, seen, move, count);
    weights = (weights != NULL ? weights : counts->weights) +
              counts->side_sets * counts->side_counts + set * counts->move_counts;
    return sum_of(weights, count, counts->move_counts) / (NONET_MOVE_UNIT / NONET_APPEAL_UNIT);
}
