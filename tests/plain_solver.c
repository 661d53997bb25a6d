#include "plain_solver.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct list {
    size_t state_size, count, room, slots;
    unsigned char *states;
    uint32_t *slot; /* number of a state + 1, by hash */
};

static void *must(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static void put(struct list *list, size_t number) {
    size_t at = nonet_hash(list->states + number * list->state_size, list->state_size);
    while (list->slot[at &= list->slots - 1] != 0)
        at++;
    list->slot[at] = (uint32_t)number + 1;
}

static void insert(struct list *list, const void *state) {
    size_t at = nonet_hash(state, list->state_size);
    for (; list->slot[at &= list->slots - 1] != 0; at++)
        if (memcmp(list->states + (list->slot[at] - 1) * list->state_size, state,
                   list->state_size) == 0)
            return;
    if (list->count == list->room) {
        list->room *= 2;
        list->states = must(realloc(list->states, list->room * list->state_size));
        free(list->slot);
        list->slots *= 2;
        list->slot = must(calloc(list->slots, sizeof *list->slot));
        for (size_t i = 0; i < list->count; i++)
            put(list, i);
    }
    memcpy(list->states + list->count * list->state_size, state, list->state_size);
    put(list, list->count++);
}

static size_t size_to_compare;

static int compare(const void *a, const void *b) {
    return memcmp(a, b, size_to_compare);
}

size_t plain_find(const struct nonet_options *options, const struct plain_solution *solution,
                  const void *canonical) {
    size_t size = options->game->state_size;
    size_to_compare = size;
    const unsigned char *found =
        bsearch(canonical, solution->states, solution->count, size, compare);
    return found == NULL ? solution->count : (size_t)(found - solution->states) / size;
}

static struct nonet_value finished(const struct nonet_options *options, const void *state) {
    int player = options->game->next(options, state);
    struct nonet_result result = {0};
    options->game->result(options, state, &result);
    bool wins = result.winners >> (player - 1) & 1, other = result.winners >> (2 - player) & 1;
    struct nonet_value value = {
        .outcome = wins && other ? NONET_DRAW
                   : wins        ? NONET_WIN
                                 : NONET_LOSS,
        .has_margin = result.has_points,
    };
    if (result.has_points)
        value.margin = (int16_t)(result.points[player - 1] - result.points[2 - player]);
    return value;
}

/* Which of two values a player prefers to leave to the other. */
static bool better_to_leave(const struct nonet_value *a, const struct nonet_value *b) {
    if (a->outcome != b->outcome)
        return a->outcome < b->outcome;
    if (a->has_margin)
        return a->margin < b->margin;
    return a->outcome == NONET_LOSS ? a->distance < b->distance : a->distance > b->distance;
}

void plain_solve(const struct nonet_options *options, struct plain_solution *solution) {
    const struct nonet_game *game = options->game;
    struct list list = {.state_size = game->state_size, .room = 1 << 12, .slots = 1 << 14};
    list.states = must(malloc(list.room * list.state_size));
    list.slot = must(calloc(list.slots, sizeof *list.slot));
    struct nonet_state state, canonical;
    game->start(options, &state, NULL);
    nonet_canonical(options, &state, &canonical);
    insert(&list, &canonical);
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state here;
    for (size_t i = 0; i < list.count; i++) {
        memcpy(&here, list.states + i * list.state_size, list.state_size);
        int count = game->moves(options, &here, moves);
        for (int m = 0; m < count; m++) {
            state = here;
            game->play(options, &state, NULL, moves[m]);
            nonet_canonical(options, &state, &canonical);
            insert(&list, &canonical);
        }
    }
    free(list.slot);
    size_to_compare = list.state_size;
    qsort(list.states, list.count, list.state_size, compare);
    *solution = (struct plain_solution){list.count, list.states, NULL};
    solution->values = must(calloc(list.count, sizeof *solution->values));
    bool *settled = must(calloc(list.count, sizeof *settled));
    /* A position settles when one move leaves a settled loss, or when all moves leave settled
     * positions. With points only the latter counts, as a better margin may be found later. A pass
     * reads only the results of earlier passes. What never settles is endless. */
    size_t *fresh = must(malloc(list.count * sizeof *fresh));
    for (size_t settled_now = 1; settled_now > 0;) {
        settled_now = 0;
        for (size_t i = 0; i < list.count; i++) {
            if (settled[i])
                continue;
            memcpy(&here, list.states + i * list.state_size, list.state_size);
            int count = game->moves(options, &here, moves);
            struct nonet_value best = {0};
            bool all = true, any = false;
            for (int m = 0; m < count; m++) {
                state = here;
                game->play(options, &state, NULL, moves[m]);
                nonet_canonical(options, &state, &canonical);
                size_t next = plain_find(options, solution, &canonical);
                all = all && settled[next];
                if (settled[next] && (!any || better_to_leave(&solution->values[next], &best))) {
                    best = solution->values[next];
                    any = true;
                }
            }
            if (count == 0)
                solution->values[i] = finished(options, &here);
            else if (all || (any && best.outcome == NONET_LOSS && !best.has_margin))
                solution->values[i] = (struct nonet_value){
                    .outcome = (uint8_t)(NONET_WIN - best.outcome),
                    .has_margin = best.has_margin,
                    .margin = (int16_t)-best.margin,
                    .distance = (int16_t)(best.outcome == NONET_DRAW || best.has_margin
                                              ? 0
                                              : best.distance + 1),
                };
            else
                continue;
            fresh[settled_now++] = i;
        }
        for (size_t k = 0; k < settled_now; k++)
            settled[fresh[k]] = true;
    }
    for (size_t i = 0; i < list.count; i++)
        if (!settled[i])
            solution->values[i] = (struct nonet_value){.outcome = NONET_DRAW};
    free(fresh);
    free(settled);
}

void plain_free(struct plain_solution *solution) {
    free(solution->states);
    free(solution->values);
}
