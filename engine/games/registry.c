/* The one file that expands games.def. */
#include <string.h>

#include "../rules/swap.h"

#define GAME(id) extern const struct nonet_game nonet_##id;
#define TEMPLATE(id) extern const struct nonet_game nonet_##id;
#include "games.def"
#undef GAME
#undef TEMPLATE

#define GAME(id) &nonet_##id,
#define TEMPLATE(id) &nonet_##id,
const struct nonet_game *const nonet_games[] = {
#include "games.def"
};
#undef GAME
#undef TEMPLATE

const int nonet_game_count_with_template = sizeof nonet_games / sizeof nonet_games[0];
const int nonet_game_count = sizeof nonet_games / sizeof nonet_games[0] - 1;

/* A game with the swap rule copies facts of the game, which no constant expression can do. So these
 * are made before the program begins, and never change. */
static struct nonet_swapped swapped[sizeof nonet_games / sizeof nonet_games[0]];

__attribute__((constructor)) static void make_swapped(void) {
    for (int i = 0; i < nonet_game_count_with_template; i++)
        if (nonet_option_find(nonet_games[i], NONET_SWAP_KEY) >= 0)
            nonet_swap_make(&swapped[i], nonet_games[i]);
}

const struct nonet_game *nonet_game_with_swap(const struct nonet_game *game, bool swap) {
    const struct nonet_game *inner = game->inner != NULL ? game->inner : game;
    for (int i = 0; i < nonet_game_count_with_template && swap; i++)
        if (swapped[i].game.inner == inner)
            return &swapped[i].game;
    return inner;
}

const struct nonet_game *nonet_game_find(const char *id) {
    for (int i = 0; i < nonet_game_count_with_template; i++)
        if (strcmp(nonet_games[i]->id, id) == 0)
            return nonet_games[i];
    return NULL;
}
