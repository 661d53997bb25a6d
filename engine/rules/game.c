#include "game.h"

#include <string.h>

void nonet_observe(const struct nonet_options *options, const void *state, int viewer, void *seen) {
    const struct nonet_game *game = options->game;
    if (game->observe != NULL)
        game->observe(options, state, viewer, seen);
    else
        memcpy(seen, state, game->state_size);
}

void nonet_scene_for(const struct nonet_options *options, const void *state, int viewer,
                     struct nonet_scene *scene) {
    struct nonet_state seen;
    nonet_observe(options, state, viewer, &seen);
    scene->place_count = scene->piece_count = 0;
    options->game->scene(options, &seen, scene);
}
