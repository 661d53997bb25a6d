/* The one file that expands games.def. */
#include <string.h>

#include "../rules/game.h"

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

const struct nonet_game *nonet_game_find(const char *id) {
    for (int i = 0; i < nonet_game_count_with_template; i++)
        if (strcmp(nonet_games[i]->id, id) == 0)
            return nonet_games[i];
    return NULL;
}
