#include "tensor.h"

#include <string.h>

#include "../rules/standings.h"

/* Players counted from the viewer: 0 for the viewer, 1 for the next in turn. */
static int seat_from(const struct nonet_options *options, int viewer, int player) {
    int first = viewer > NONET_SPECTATOR ? viewer : 1;
    return (player - first + options->players) % options->players;
}

/* Whether the piece covers the middle of a cell. A turned piece counts for its own place only. */
static bool covers(const struct nonet_piece *piece, const struct nonet_place *cell) {
    int32_t x = cell->x + cell->width / 2, y = cell->y + cell->depth / 2;
    return cell->kind == NONET_CELL && piece->angle % 180 == 0 &&
           2 * (x < piece->x ? piece->x - x : x - piece->x) < piece->width &&
           2 * (y < piece->y ? piece->y - y : y - piece->y) < piece->depth;
}

static void add(const struct nonet_options *options, const struct nonet_piece *piece, int viewer,
                float *of_place) {
    float count = piece->count == NONET_ENDLESS ? 1.0f : (float)piece->count;
    of_place[TENSOR_MATERIALS + piece->material] += count;
    int owner = piece->owner == 0 ? 0 : 1 + seat_from(options, viewer, piece->owner);
    of_place[TENSOR_OWNERS + owner] += count;
    float top = (float)(piece->z + piece->height) / (float)NONET_UNIT;
    if (top <= of_place[TENSOR_HEIGHT])
        return;
    of_place[TENSOR_HEIGHT] = top;
    memset(of_place + TENSOR_TOP, 0, NONET_MATERIALS * sizeof *of_place);
    of_place[TENSOR_TOP + piece->material] = 1;
}

static void see(const struct nonet_options *options, const void *state, int viewer,
                struct nonet_scene *scene, struct nonet_standings *standings) {
    scene->place_count = scene->piece_count = scene->figure_count = 0;
    if (viewer < NONET_SPECTATOR)
        options->game->scene(options, state, scene);
    else
        nonet_scene_for(options, state, viewer, scene);
    *standings = (struct nonet_standings){0};
    nonet_standings_for(options, state, viewer < NONET_SPECTATOR ? NONET_SPECTATOR : viewer,
                        standings);
}

int tensor_size(const struct nonet_options *options, const void *state,
                struct nonet_scene *scratch) {
    struct nonet_standings standings;
    see(options, state, NONET_SPECTATOR, scratch, &standings);
    return scratch->place_count * TENSOR_FEATURES + TENSOR_TURN + standings.count;
}

void tensor_write(const struct nonet_options *options, const void *state, int viewer,
                  struct nonet_scene *scratch, float *numbers) {
    struct nonet_standings standings;
    see(options, state, viewer, scratch, &standings);
    int places = scratch->place_count;
    float *turns = numbers + places * TENSOR_FEATURES;
    memset(numbers, 0, (size_t)(places * TENSOR_FEATURES + TENSOR_TURN) * sizeof *numbers);
    for (int i = 0; i < scratch->piece_count; i++) {
        const struct nonet_piece *piece = &scratch->pieces[i];
        add(options, piece, viewer, numbers + piece->place * TENSOR_FEATURES);
        for (int k = 0; scratch->places[piece->place].kind == NONET_CELL && k < places; k++)
            if (k != piece->place && covers(piece, &scratch->places[k]))
                add(options, piece, viewer, numbers + k * TENSOR_FEATURES);
    }
    int turn = options->game->turn(options, state);
    turns[turn == 0 ? NONET_MAX_PLAYERS : seat_from(options, viewer, turn)] = 1;
    for (int i = 0; i < standings.count; i++)
        turns[TENSOR_TURN + i] = standings.list[i].number;
}
