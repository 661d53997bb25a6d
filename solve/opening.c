#define _GNU_SOURCE /* qsort_r */
#include "opening.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "rules/ranking.h"

/* A set of states, for finding a layer. */
struct state_set {
    unsigned char *states;
    uint32_t *slots; /* numbers from 1 */
    uint64_t count, room, slot_count;
};

static int compare_states(const void *a, const void *b, void *size) {
    return memcmp(a, b, *(const size_t *)size);
}

static uint32_t *slot_in(const struct state_set *set, const void *state, size_t size) {
    for (uint64_t i = nonet_hash(state, size);; i++) {
        uint32_t *slot = &set->slots[i & (set->slot_count - 1)];
        if (*slot == 0 || memcmp(set->states + (*slot - 1) * size, state, size) == 0)
            return slot;
    }
}

static bool grow_set(struct budget *budget, struct state_set *set, size_t size) {
    struct state_set larger = {.room = set->room == 0 ? 1024 : 2 * set->room, .count = set->count};
    larger.slot_count = 2 * larger.room;
    larger.states = budget_take(budget, larger.room * size);
    larger.slots = budget_take(budget, larger.slot_count * sizeof(uint32_t));
    if (larger.states == NULL || larger.slots == NULL) {
        budget_give_back(budget, larger.states, larger.room * size);
        budget_give_back(budget, larger.slots, larger.slot_count * sizeof(uint32_t));
        return false;
    }
    memset(larger.slots, 0, larger.slot_count * sizeof(uint32_t));
    if (set->count > 0)
        memcpy(larger.states, set->states, set->count * size);
    for (uint64_t i = 0; i < set->count; i++)
        *slot_in(&larger, larger.states + i * size, size) = (uint32_t)(i + 1);
    budget_give_back(budget, set->states, set->room * size);
    budget_give_back(budget, set->slots, set->slot_count * sizeof(uint32_t));
    *set = larger;
    return true;
}

/* Whether a state is in the list, not in a tier. */
static bool is_listed(const struct opening *opening, const void *state) {
    const struct nonet_options *options = opening->options;
    uint64_t number;
    return options->game->turn(options, state) != 0 &&
           options->game->ranking->rank(options, opening->index, state, &number) < 0;
}

static bool add_state(const struct opening *opening, struct state_set *set, const void *state) {
    size_t size = opening->options->game->state_size;
    if (!is_listed(opening, state))
        return true;
    if (set->count == set->room && !grow_set(opening->budget, set, size))
        return false;
    struct nonet_state canonical;
    nonet_canonical(opening->options, state, &canonical);
    uint32_t *slot = slot_in(set, &canonical, size);
    if (*slot == 0) {
        memcpy(set->states + set->count * size, &canonical, size);
        *slot = (uint32_t)++set->count;
    }
    return true;
}

/* The layer after another, or the first if there is none before. */
static bool find_layer(const struct opening *opening, const struct opening_layer *earlier,
                       struct opening_layer *layer) {
    const struct nonet_options *options = opening->options;
    const struct nonet_game *game = options->game;
    size_t size = game->state_size;
    struct state_set set = {0};
    struct nonet_state state;
    bool good = true;
    if (earlier == NULL) {
        game->start(options, &state, NULL);
        good = add_state(opening, &set, &state);
    }
    for (uint64_t i = 0; earlier != NULL && i < earlier->count && good; i++) {
        nonet_move moves[NONET_MAX_MOVES];
        const unsigned char *from = earlier->states + i * size;
        memcpy(&state, from, size);
        int count = game->moves(options, &state, moves);
        for (int j = 0; j < count && good; j++) {
            memcpy(&state, from, size);
            game->play(options, &state, NULL, moves[j]);
            good = add_state(opening, &set, &state);
        }
    }
    budget_give_back(opening->budget, set.slots, set.slot_count * sizeof(uint32_t));
    if (set.count > 0)
        qsort_r(set.states, set.count, size, compare_states, &size);
    *layer = (struct opening_layer){.count = set.count, .room = set.room, .states = set.states};
    if (good)
        layer->values = budget_take(opening->budget, (set.count + 1) * sizeof *layer->values);
    return layer->values != NULL;
}

bool opening_find(struct opening *opening, struct nonet_text *why) {
    do {
        int next = opening->layers++;
        if (!find_layer(opening, next == 0 ? NULL : &opening->layer[next - 1],
                        &opening->layer[next])) {
            budget_explain(opening->budget, why);
            return false;
        }
    } while (opening->layers < OPENING_LAYERS && opening->layer[opening->layers - 1].count > 0);
    if (opening->layer[opening->layers - 1].count == 0)
        return true;
    nonet_text_format(why, "the opening takes more than %d moves", OPENING_LAYERS);
    return false;
}

void opening_free(struct opening *opening) {
    for (int i = 0; i < opening->layers; i++) {
        struct opening_layer *layer = &opening->layer[i];
        budget_give_back(opening->budget, layer->states,
                         layer->room * opening->options->game->state_size);
        budget_give_back(opening->budget, layer->values,
                         (layer->count + 1) * sizeof *layer->values);
    }
    opening->layers = 0;
}

uint64_t opening_place(const unsigned char *states, uint64_t count, const void *canonical,
                       size_t size) {
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        int order = memcmp(states + middle * size, canonical, size);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return count;
}

static struct nonet_value value_after(const struct opening *opening, int layer, const void *state,
                                      opening_lookup *lookup, void *context) {
    const struct nonet_options *options = opening->options;
    const struct opening_layer *deeper = &opening->layer[layer + 1];
    if (options->game->turn(options, state) == 0)
        return nonet_value_final(options, state);
    uint64_t number;
    int tier = options->game->ranking->rank(options, opening->index, state, &number);
    if (tier >= 0)
        return lookup(context, tier, number);
    struct nonet_state canonical;
    nonet_canonical(options, state, &canonical);
    uint64_t place =
        opening_place(deeper->states, deeper->count, &canonical, options->game->state_size);
    assert(place < deeper->count);
    return deeper->values[place];
}

struct nonet_value opening_value(const struct opening *opening, int layer, uint64_t number,
                                 opening_lookup *lookup, void *context) {
    const struct nonet_options *options = opening->options;
    const struct nonet_game *game = options->game;
    const unsigned char *from = opening->layer[layer].states + number * game->state_size;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state state;
    struct nonet_value best = {0};
    memcpy(&state, from, game->state_size);
    int count = game->moves(options, &state, moves);
    for (int i = 0; i < count; i++) {
        memcpy(&state, from, game->state_size);
        game->play(options, &state, NULL, moves[i]);
        struct nonet_value value =
            nonet_value_before(value_after(opening, layer, &state, lookup, context));
        if (i == 0 || nonet_value_compare(&value, &best) > 0)
            best = value;
    }
    return best;
}

bool opening_list(const struct opening *opening, unsigned char **states,
                  struct nonet_value **values, uint64_t *count) {
    size_t size = opening->options->game->state_size;
    uint64_t next[OPENING_LAYERS] = {0}, all = 0;
    for (int i = 0; i < opening->layers; i++)
        all += opening->layer[i].count;
    *states = budget_take(opening->budget, all * size + 1);
    *values = budget_take(opening->budget, all * sizeof **values + 1);
    if (*states == NULL || *values == NULL)
        return false;
    /* The layers, each in order, are merged. */
    for (*count = 0; *count < all; ++*count) {
        const unsigned char *least = NULL;
        int where = 0;
        for (int i = 0; i < opening->layers; i++) {
            const struct opening_layer *layer = &opening->layer[i];
            if (next[i] == layer->count) /* an empty layer has no states at all */
                continue;
            const unsigned char *state = layer->states + next[i] * size;
            if (least == NULL || memcmp(state, least, size) < 0) {
                least = state;
                where = i;
            }
        }
        memcpy(*states + *count * size, least, size);
        (*values)[*count] = opening->layer[where].values[next[where]++];
    }
    return true;
}
