/* Weights from files (search/weights.h), for commands that let them judge instead of the game's
 * own. */
#ifndef NONET_CLI_WEIGHTS_H
#define NONET_CLI_WEIGHTS_H

#include "cli.h"

/* Reads weights for the game with these options. *weights is null, or weights that these replace;
 * it is to be freed. CLI_DONE, or the exit code after an error. */
int cli_weights(const char *path, const struct nonet_options *options, int16_t **weights);

#endif
