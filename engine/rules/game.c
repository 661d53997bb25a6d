#include "game.h"
#include "hidden.h"

#include <string.h>

void nonet_observe(const struct nonet_options *options, const void *state, int viewer, void *seen) {
    const struct nonet_game *game = options->game;
    if (game->hidden != NULL)
        game->hidden->observe(options, state, viewer, seen);
    else
        memcpy(seen, state, game->state_size);
}

void nonet_scene_open(const struct nonet_options *options, const void *state,
                      struct nonet_scene *scene) {
    scene->place_count = scene->piece_count = scene->figure_count = 0;
    scene->tall = scene->cut = false;
    options->game->scene(options, state, scene);
}

void nonet_scene_for(const struct nonet_options *options, const void *state, int viewer,
                     struct nonet_scene *scene) {
    struct nonet_state seen;
    if (options->game->turn(options, state) == 0)
        memcpy(&seen, state, options->game->state_size);
    else
        nonet_observe(options, state, viewer, &seen);
    nonet_scene_open(options, &seen, scene);
}

/* Filling in what is hidden changes a state, unless nothing is hidden. */
bool nonet_is_whole(const struct nonet_options *options, const void *state) {
    const struct nonet_game *game = options->game;
    struct nonet_state filled;
    if (game->hidden == NULL)
        return true;
    game->hidden->world(options, state, NONET_SPECTATOR, 0, &filled);
    return memcmp(&filled, state, game->state_size) == 0;
}

bool nonet_read_whole(const struct nonet_options *options, const char *text, void *state,
                      void *workspace, struct nonet_message *why) {
    if (!options->game->read(options, text, state, workspace, why))
        return false;
    if (!nonet_is_whole(options, state)) {
        *why = nonet_say(&nonet_common[NONET_SAY_NOT_WHOLE]);
        return false;
    }
    return true;
}

nonet_move nonet_action_move(const struct nonet_options *options, int action) {
    const struct nonet_game *game = options->game;
    return game->action_move != NULL ? game->action_move(options, action) : (nonet_move)action;
}

int nonet_action_of(const struct nonet_options *options, nonet_move move) {
    const struct nonet_game *game = options->game;
    int action = game->action_of != NULL ? game->action_of(options, move)
                 : move <= INT32_MAX     ? (int)move
                                         : -1;
    bool numbered = action >= 0 && action < game->action_count(options);
    return numbered && nonet_action_move(options, action) == move ? action : -1;
}

void nonet_canonical(const struct nonet_options *options, const void *state, void *canonical) {
    const struct nonet_game *game = options->game;
    if (game->canonical != NULL) {
        game->canonical(options, state, canonical);
        return;
    }
    memcpy(canonical, state, game->state_size);
    int count = game->symmetries != NULL ? game->symmetries(options) : 1;
    for (int symmetry = 1; symmetry < count; symmetry++) {
        struct nonet_state turned;
        game->turn_state(options, symmetry, state, &turned);
        if (memcmp(&turned, canonical, game->state_size) < 0)
            memcpy(canonical, &turned, game->state_size);
    }
}

int nonet_orbit(const struct nonet_options *options, const void *state) {
    const struct nonet_game *game = options->game;
    if (game->orbit != NULL)
        return game->orbit(options, state);
    int count = game->symmetries != NULL ? game->symmetries(options) : 1, same = 1;
    for (int symmetry = 1; symmetry < count; symmetry++) {
        struct nonet_state turned;
        game->turn_state(options, symmetry, state, &turned);
        same += memcmp(&turned, state, game->state_size) == 0;
    }
    return count / same;
}

int nonet_result_share(const struct nonet_options *options, const struct nonet_result *result,
                       int player) {
    bool teams = (options->game->facts & NONET_TEAMS) != 0 && options->players == 4;
    int winners = 0;
    for (int i = 0; i < (teams ? 2 : options->players); i++)
        winners += result->winners >> i & 1;
    return result->winners >> (player - 1) & 1 ? NONET_WHOLE_WIN / winners : 0;
}

void nonet_spell(const struct nonet_options *options, const struct nonet_scene *scene,
                 const uint16_t *places, int count, struct nonet_text *out) {
    if (options->game->spell != NULL) {
        options->game->spell(options, places, count, out);
        return;
    }
    for (int i = 0; i < count; i++)
        nonet_text_add(out, scene->places[places[i]].name);
}
