/* A session from what one seat knows, for a player in a program of its own.
 *
 * The program that runs the game tells such a player what the seat saw first, what it sees now, and
 * the moves between, which are public. In these texts everything is hidden that the seat does not
 * know. The session has some position that fits all of this. Which one makes no difference to a
 * search, because a search is given only what the seat sees of it. */
#ifndef NONET_RULES_OBSERVATION_H
#define NONET_RULES_OBSERVATION_H

#include "session.h"

/* The options are checked; what they deal does not matter. `seen` may be null if there are no
 * moves. If nothing fits, returns null with the reason. */
struct nonet_session *nonet_observation_open(const struct nonet_options *options, int seat,
                                             const char *first, char **moves, int move_count,
                                             const char *seen, struct nonet_text *why);

#endif
