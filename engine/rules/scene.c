#include "scene.h"

#include <stdlib.h>
#include <string.h>

#include "notation.h"
#include "options.h"

/* The index of a new entry, or that of the spare one. */
static int append(struct nonet_scene *scene, uint16_t *count, int most, bool fits) {
    if (*count < most && fits)
        return (*count)++;
    scene->cut = true;
    return most;
}

struct nonet_place *nonet_scene_place(struct nonet_scene *scene, enum nonet_place_kind kind,
                                      const char *name) {
    int index =
        append(scene, &scene->place_count, NONET_MAX_PLACES, strlen(name) < NONET_PLACE_NAME);
    struct nonet_place *place = &scene->places[index];
    *place = (struct nonet_place){.kind = (uint8_t)kind};
    struct nonet_text text = NONET_TEXT_IN(place->name);
    nonet_text_add(&text, name);
    return place;
}

struct nonet_piece nonet_piece_on(int place, enum nonet_shape shape, enum nonet_material material) {
    return (struct nonet_piece){.place = (uint16_t)place,
                                .shape = (uint8_t)shape,
                                .material = (uint8_t)material,
                                .button = NONET_NOWHERE,
                                .count = 1};
}

struct nonet_piece *nonet_scene_piece(struct nonet_scene *scene, int place, enum nonet_shape shape,
                                      enum nonet_material material) {
    int index = append(scene, &scene->piece_count, NONET_MAX_PIECES,
                       place >= 0 && place < scene->place_count);
    scene->pieces[index] = nonet_piece_on(place, shape, material);
    return &scene->pieces[index];
}

struct nonet_figure *nonet_scene_figure(struct nonet_scene *scene, int owner, int points) {
    int index = append(scene, &scene->figure_count, NONET_MAX_FIGURES, true);
    struct nonet_figure *figure = &scene->figures[index];
    *figure = (struct nonet_figure){.owner = (uint8_t)owner, .points = (uint8_t)points};
    return figure;
}

void nonet_scene_board(struct nonet_scene *scene, int width, int depth) {
    scene->width = width * NONET_UNIT;
    scene->depth = depth * NONET_UNIT;
    scene->cut = scene->cut || width > NONET_MAX_SIDE || depth > NONET_MAX_SIDE;
    for (int cell = 0; cell < width * depth; cell++) {
        char name[NONET_PLACE_NAME];
        struct nonet_text text = NONET_TEXT_IN(name);
        nonet_cell_print(width, cell, &text);
        struct nonet_place *place = nonet_scene_place(scene, NONET_CELL, name);
        place->x = cell % width * NONET_UNIT;
        place->y = cell / width * NONET_UNIT;
        place->width = place->depth = NONET_UNIT;
        place->label = nonet_say(&nonet_common[NONET_SAY_PLAIN], nonet_quote(name));
    }
}

bool nonet_scene_parts(const struct nonet_place *cell, const struct nonet_place *neighbour) {
    bool beside = cell->y == neighbour->y && abs(cell->x - neighbour->x) == cell->width;
    bool behind = cell->x == neighbour->x && abs(cell->y - neighbour->y) == cell->depth;
    return cell->kind == NONET_CELL && neighbour->kind == NONET_CELL && (beside || behind) &&
           cell->zone != neighbour->zone;
}

void nonet_piece_fit(struct nonet_piece *piece, const struct nonet_place *cell) {
    piece->width = cell->width * 8 / 10;
    piece->depth = cell->depth * 8 / 10;
    piece->height = NONET_UNIT * 3 / 10;
}

struct nonet_piece *nonet_scene_on_cell(struct nonet_scene *scene, int cell, enum nonet_shape shape,
                                        enum nonet_material material) {
    const struct nonet_place *place =
        &scene->places[cell >= 0 && cell < scene->place_count ? cell : NONET_MAX_PLACES];
    struct nonet_piece *piece = nonet_scene_piece(scene, cell, shape, material);
    piece->x = place->x + place->width / 2;
    piece->y = place->y + place->depth / 2;
    nonet_piece_fit(piece, place);
    return piece;
}

void nonet_scene_hands(struct nonet_scene *scene, int players) {
    static const char *const names[NONET_MAX_PLAYERS] = {"hand1", "hand2", "hand3", "hand4"};
    for (int player = 1; player <= players && player <= NONET_MAX_PLAYERS; player++) {
        struct nonet_place *hand = nonet_scene_place(scene, NONET_HAND, names[player - 1]);
        hand->owner = (uint8_t)player;
        hand->label = nonet_say(&nonet_common[NONET_SAY_HAND], nonet_player(player));
    }
}
