/* Random games from a position to the end: how often each player wins if nobody thinks. */
#ifndef NONET_STUDY_PLAYOUTS_H
#define NONET_STUDY_PLAYOUTS_H

#include "../rules/session.h"

enum { PLAYOUTS_LONGEST = 2000 }; /* moves, after which a game counts as a draw */

struct playouts {
    uint64_t games, moves;
    uint64_t shares[NONET_MAX_PLAYERS]; /* of the win, in parts of NONET_WHOLE_WIN */
};

/* Plays so many games from the session's position and adds them up. The seed decides all of them.
 * False if memory runs out. */
bool playouts_run(const struct nonet_session *session, uint64_t games, uint64_t seed,
                  struct playouts *sum);

#endif
