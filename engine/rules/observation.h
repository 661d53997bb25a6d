/* A session from what one seat knows, for a player in a program of its own.
 *
 * Whoever runs the game tells such a player texts in which what the seat does not know is hidden:
 * what it saw first, and what it sees now, with the moves between, which are public. The session is
 * that of some position which all of this fits. Which one makes no difference to a search, as that
 * is given nothing but what the seat sees of it. */
#ifndef NONET_RULES_OBSERVATION_H
#define NONET_RULES_OBSERVATION_H

#include "session.h"

/* The options are checked; what they deal does not matter. `seen` may be null where there are no
 * moves. Null with the reason if nothing fits. */
struct nonet_session *nonet_observation_open(const struct nonet_options *options, int seat,
                                             const char *first, char **moves, int move_count,
                                             const char *seen, struct nonet_text *why);

#endif
