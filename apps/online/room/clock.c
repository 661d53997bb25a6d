#include "clock.h"

bool clock_rule_check(const struct clock_rule *rule) {
    switch (rule->kind) {
    case CLOCK_NONE:
        return rule->budget == 0 && rule->increment == 0 && rule->pause == 0;
    case CLOCK_GAME:
        return rule->budget >= CLOCK_LEAST_BUDGET && rule->budget <= CLOCK_MOST_GAME &&
               rule->increment >= 0 && rule->increment <= CLOCK_MOST_INCREMENT && rule->pause == 0;
    case CLOCK_MOVE:
        return rule->budget >= CLOCK_LEAST_BUDGET && rule->budget <= CLOCK_MOST_MOVE &&
               rule->increment == 0 && rule->pause >= 0 && rule->pause <= CLOCK_MOST_PAUSE;
    }
    return false;
}

void clock_set(struct clocks *clocks, const struct clock_rule *rule) {
    *clocks = (struct clocks){.rule = *rule};
    for (int i = 0; i < NONET_MAX_PLAYERS; i++) {
        clocks->left[i] = rule->budget + rule->pause;
        clocks->pause[i] = rule->pause;
        clocks->lag[i] = CLOCK_LAG_A_MOVE;
    }
}

void clock_after(struct clocks *clocks, int player, int64_t left, int64_t lag) {
    clocks->left[player - 1] = left;
    clocks->lag[player - 1] = lag;
    if (clocks->rule.kind == CLOCK_MOVE)
        clocks->pause[player - 1] = left - clocks->rule.budget;
    clocks->running = 0;
}

void clock_run(struct clocks *clocks, int player, int64_t now) {
    clocks->running = clocks->rule.kind == CLOCK_NONE ? 0 : player;
    clocks->since = now;
}

int64_t clock_left(const struct clocks *clocks, int player, int64_t now) {
    int64_t left = clocks->left[player - 1];
    if (clocks->running == player && now > clocks->since)
        left -= now - clocks->since;
    return left > 0 ? left : 0;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int64_t clock_end(const struct clocks *clocks) {
    if (clocks->running == 0)
        return INT64_MAX;
    int player = clocks->running;
    return clocks->since + clocks->left[player - 1] +
           least(clocks->lag[player - 1], CLOCK_LAG_A_MOVE);
}

int64_t clock_refill(const struct clocks *clocks, int player, int64_t left) {
    if (clocks->rule.kind == CLOCK_MOVE) /* a move that took longer has used up some of the pause */
        return clocks->rule.budget + least(left, clocks->pause[player - 1]);
    return left + clocks->rule.increment;
}

bool clock_stop(const struct clocks *clocks, int64_t arrived, int64_t spent, int64_t *left,
                int64_t *lag) {
    int player = clocks->running;
    *left = clocks->left[player - 1];
    *lag = clocks->lag[player - 1];
    int64_t took = arrived > clocks->since ? arrived - clocks->since : 0;
    /* The screen may say less than the server saw, but only within the allowance. */
    int64_t back =
        spent >= 0 && spent < took ? least(took - spent, least(*lag, CLOCK_LAG_A_MOVE)) : 0;
    *left -= took - back;
    *lag = least(*lag - back + CLOCK_LAG_GROWTH, CLOCK_LAG_ALLOWANCE);
    if (*left <= 0) {
        *left = 0;
        return false;
    }
    *left = clock_refill(clocks, player, *left);
    return true;
}
