/* The computers at the tables: a few threads that think, one table at a time each, and give way to
 * everything else the server does.
 *
 * In a game with hidden information a computer answers after a fixed time: how long it really
 * thought could tell what it knows. */
#ifndef NONET_ONLINE_COMPUTERS_H
#define NONET_ONLINE_COMPUTERS_H

#include "rules/session.h"

enum { COMPUTERS_PACE = 1000 }; /* milliseconds that a move takes at most, or, if hidden, exactly */

struct computers;

/* Null if there is no memory or no thread. */
struct computers *computers_new(int threads);
/* Stops thinking and waits for the threads. */
void computers_free(struct computers *computers);

/* A descriptor that becomes readable when a move is there. */
int computers_signal(const struct computers *computers);

/* Whether a thread waits for something to think about. Whoever asks only then never has a computer
 * think about a position that is gone before it begins. */
bool computers_are_free(struct computers *computers);

/* Asks for a move in the session's position, which the caller calls `position`; the session is
 * copied. False if there is no memory. */
bool computers_ask(struct computers *computers, uint64_t table, unsigned position,
                   const struct nonet_session *session, int level);

struct computers_move {
    uint64_t table;
    unsigned position;
    int ply;
    nonet_move move;
};
/* The next move that was found; false if there is none. */
bool computers_take(struct computers *computers, struct computers_move *move);

#endif
