/* Conditional moves: what a player will answer, should the others play so.
 *
 * Lines of moves from the present position on, each beginning with a move of somebody else. Every
 * move that is played shortens the lines that have it next, and the other lines are gone. When a
 * line goes on with a move of its owner, the room makes it. Nobody but the owner ever knows. */
#ifndef NONET_ONLINE_PROMISE_H
#define NONET_ONLINE_PROMISE_H

#include "rules/game.h"

enum {
    PROMISE_LINES = 20,
    PROMISE_PLIES = 20, /* moves of a line, of all players */
    /* Bytes of all moves as JSON, each in its list; and more than as text, below. */
    PROMISE_TEXT = PROMISE_LINES * (PROMISE_PLIES * (NONET_MOVE_TEXT + 2) + 3),
};

struct promise {
    int count;
    struct promise_line {
        uint8_t length; /* at least 1 */
        nonet_move moves[PROMISE_PLIES];
    } lines[PROMISE_LINES];
};

/* Reads lines as text: a line end after each move, and one more after each line. False if there are
 * too many, or if a move is none; `why` then says so. */
bool promise_read(struct promise *promise, const struct nonet_options *options, const char *text,
                  struct nonet_text *why);

/* Adds an empty line, and a move to the last line. False if there is no room for it. */
bool promise_add_line(struct promise *promise);
bool promise_add_move(struct promise *promise, nonet_move move);

/* Whether it has as many lines and moves as there can be. */
bool promise_check(const struct promise *promise);

/* A move was played. */
void promise_advance(struct promise *promise, nonet_move move);

/* How many moves two lines begin with together. */
int promise_common(const struct promise_line *one, const struct promise_line *two);

#endif
