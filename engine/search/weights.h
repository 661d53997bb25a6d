/* The weights by which a game is judged: of a network (network.h), or of what is counted where
 * information is hidden (rules/counts.h). They are written as text, numbers with commas between and
 * comments: a file that C includes, and that nonet_weights_read reads. */
#ifndef NONET_SEARCH_WEIGHTS_H
#define NONET_SEARCH_WEIGHTS_H

#include "../rules/hidden.h"
#include "network.h"

enum { NONET_MOST_WEIGHTS = NONET_NETWORK_WEIGHTS };
static_assert(NONET_MAX_COUNTED_WEIGHTS <= (int)NONET_MOST_WEIGHTS, "there is room for both");

/* How many weights judge a game; 0 if none do. */
int nonet_weights_count(const struct nonet_game *game);

/* Reads the text of weights. False unless there are exactly so many. */
bool nonet_weights_read(const char *text, int16_t *weights, int count);

#endif
