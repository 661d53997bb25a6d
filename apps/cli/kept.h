/* Games that were left and are offered the next time: one for each game, in the user's state
 * folder. */
#ifndef NONET_CLI_KEPT_H
#define NONET_CLI_KEPT_H

#include <stddef.h>

#include "rules/game.h"

/* The file of a game; its folder is made if it does not exist. False if there can be none. */
bool kept_path(const struct nonet_game *game, char *path, size_t room);

/* How many moves an unfinished game has that was kept; 0 if there is none. */
int kept_moves(const struct nonet_game *game);

#endif
