/* Files of games that `nonet selfplay` wrote. */
#ifndef NONET_TRAIN_GAMES_H
#define NONET_TRAIN_GAMES_H

#include "rules/session.h"

enum { GAMES_HELD_OUT = 10 }; /* every so many-th game is not learnt from, for measuring */

struct games {
    struct nonet_options options;
    char *text, *rest;
};

/* The options of all files are of one game: *game, null at first. False with the reason. */
bool games_open(struct games *games, const char *path, const struct nonet_game **game,
                struct nonet_text *why);
void games_close(struct games *games);

/* The line of the next game, without its end; null after the last whole one. */
char *games_line(struct games *games);

struct games_move {
    char *text;
    const char *score; /* by a search, perhaps with ! after it; null if the move was random */
    bool played;       /* else only tried */
};

/* The next move of the rest of a line; false if there is none. */
bool games_next(char **rest, struct games_move *move);

/* Plays a move. False with the reason. */
bool games_play(struct nonet_session *session, const char *move, struct nonet_text *why);

#endif
