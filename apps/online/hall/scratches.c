#include "scratches.h"

struct nonet_scratch *scratches_find(struct scratches *scratches, const struct nonet_game *game) {
    for (int i = 0; i < SCRATCHES_MOST && i < nonet_game_count; i++)
        if (nonet_games[i] == game || nonet_games[i] == game->inner) {
            if (scratches->of[i] == NULL)
                scratches->of[i] = nonet_scratch_new(game);
            return scratches->of[i];
        }
    return NULL;
}

void scratches_free(struct scratches *scratches) {
    for (int i = 0; i < SCRATCHES_MOST; i++)
        nonet_scratch_free(scratches->of[i]);
    *scratches = (struct scratches){0};
}
