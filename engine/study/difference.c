#include "difference.h"

#include <string.h>

bool difference_on_board(const struct nonet_scene *scene, const struct nonet_piece *piece) {
    int kind = scene->places[piece->place].kind;
    return kind == NONET_CELL || kind == NONET_FLOOR;
}

static bool is_alike(const struct nonet_piece *a, const struct nonet_piece *b) {
    return a->shape == b->shape && a->material == b->material && a->owner == b->owner;
}

/* Whether both stand in the same way on the same place. A swap of sides changes only the owner. */
static bool stands_equal(const struct nonet_piece *a, const struct nonet_piece *b) {
    return a->shape == b->shape && a->material == b->material && a->place == b->place &&
           a->angle == b->angle && a->x == b->x && a->y == b->y && a->z == b->z &&
           a->width == b->width && a->depth == b->depth && a->height == b->height;
}

static bool says_equal(const struct nonet_argument *a, const struct nonet_argument *b) {
    if (a->kind != b->kind || a->number != b->number)
        return false;
    if (a->kind == NONET_ARG_TEXT)
        return strcmp(a->text, b->text) == 0;
    return a->kind != NONET_ARG_PHRASE || a->phrase == b->phrase;
}

static bool looks_equal(const struct nonet_piece *a, const struct nonet_piece *b) {
    bool equal = a->owner == b->owner && a->button == b->button && a->count == b->count &&
                 a->lit == b->lit && strcmp(a->mark, b->mark) == 0 &&
                 a->label.phrase == b->label.phrase;
    for (int i = 0; i < NONET_ARGUMENTS && equal; i++)
        equal = says_equal(&a->label.arguments[i], &b->label.arguments[i]);
    return equal;
}

static void pair(struct difference *difference, int before, int after, enum difference_kind kind) {
    difference->before[before] =
        (struct difference_of_piece){.kind = (uint8_t)kind, .partner = (int16_t)after};
    difference->after[after] =
        (struct difference_of_piece){.kind = (uint8_t)kind, .partner = (int16_t)before};
}

/* The highest piece on a place, or -1. */
static int top_of(const struct nonet_scene *scene, int place) {
    int top = -1;
    for (int i = 0; i < scene->piece_count; i++)
        if (scene->pieces[i].place == place &&
            (top < 0 || scene->pieces[i].z > scene->pieces[top].z))
            top = i;
    return top;
}

/* Pairs the pieces whose journeys are known, and notes those that left the game. */
static void follow(const struct nonet_scene *before, const struct nonet_scene *after,
                   const struct nonet_events *events, struct difference *difference) {
    for (int k = 0; k < events->journey_count; k++) {
        const struct nonet_journey *journey = &events->journeys[k];
        int i = top_of(before, journey->from), j = top_of(after, journey->to);
        if (i >= 0 && journey->to == NONET_NOWHERE)
            difference->before[i].left = true;
        else if (i >= 0 && j >= 0 && is_alike(&before->pieces[i], &after->pieces[j]) &&
                 !stands_equal(&before->pieces[i], &after->pieces[j]))
            pair(difference, i, j, DIFFERENCE_MOVED);
    }
}

void difference_find(const struct nonet_scene *before, const struct nonet_scene *after,
                     const struct nonet_events *events, struct difference *difference) {
    const struct difference_of_piece alone = {.kind = DIFFERENCE_ALONE, .partner = -1};
    for (int i = 0; i < NONET_MAX_PIECES; i++)
        difference->before[i] = difference->after[i] = alone;
    if (events != NULL)
        follow(before, after, events, difference);
    /* Those that stay come first, so that none of them is mistaken for one that moves. */
    for (int i = 0; i < before->piece_count; i++) {
        const struct nonet_piece *old = &before->pieces[i];
        if (difference->before[i].partner >= 0 || difference->before[i].left)
            continue;
        for (int j = 0; j < after->piece_count; j++) {
            const struct nonet_piece *new = &after->pieces[j];
            if (difference->after[j].partner >= 0 || !stands_equal(old, new))
                continue;
            pair(difference, i, j, looks_equal(old, new) ? DIFFERENCE_NONE : DIFFERENCE_CHANGED);
            break;
        }
    }
    for (int i = 0; i < before->piece_count; i++) {
        const struct nonet_piece *old = &before->pieces[i];
        if (difference->before[i].partner >= 0 || difference->before[i].left ||
            !difference_on_board(before, old))
            continue;
        for (int j = 0; j < after->piece_count; j++) {
            const struct nonet_piece *new = &after->pieces[j];
            if (difference->after[j].partner >= 0 || !is_alike(old, new) ||
                !difference_on_board(after, new))
                continue;
            pair(difference, i, j, DIFFERENCE_MOVED);
            break;
        }
    }
}

void difference_follow(struct difference_numbers *numbers, const struct nonet_scene *scene,
                       const struct nonet_events *events) {
    struct difference difference;
    int32_t of_piece[NONET_MAX_PIECES];
    difference_find(&numbers->scene, scene, events, &difference);
    for (int i = 0; i < scene->piece_count; i++) {
        int partner = difference.after[i].partner;
        of_piece[i] = partner >= 0 ? numbers->of_piece[partner] : numbers->count++;
    }
    memcpy(numbers->of_piece, of_piece, sizeof of_piece[0] * (size_t)scene->piece_count);
    numbers->scene = *scene;
}

void difference_forget(struct difference_numbers *numbers) {
    numbers->scene.piece_count = 0;
}
