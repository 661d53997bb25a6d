/* One way to open a game, and one to write it down: options, first position, moves.
 *
 * The command, the protocol for bots, records, matches and the page all use these functions. So
 * each of them can open what another writes, and one rule decides what is left out because a seat
 * may not know it. */
#ifndef NONET_RULES_SETUP_H
#define NONET_RULES_SETUP_H

#include "../base/json.h"
#include "session.h"

/* ---- Opening ---- */

struct nonet_setup {
    struct nonet_options options; /* as they were set; not checked yet, not dealt */
    const char *from; /* the text of the first position; null for the one of the options */
};

/* What a deal is made from if options do not fix it: two independent numbers, one for what all may
 * see and one for what is hidden. */
struct nonet_chance {
    uint64_t open, secret;
};

/* What is wrong with a game that could not be opened. */
struct nonet_setup_error {
    enum nonet_setup_fault {
        NONET_SETUP_OPTIONS,  /* they do not fit together, or with `from` */
        NONET_SETUP_UNDEALT,  /* they do not fix what chance decides */
        NONET_SETUP_POSITION, /* `from` is no position */
        NONET_SETUP_MOVE,     /* a move is not legal */
        NONET_SETUP_MEMORY,
    } kind;
    int move;                         /* which, from 1 */
    struct nonet_argument move_given; /* and its text */
    struct nonet_message why;
};

/* Whether the options fit together, and with `from`; with `from` there is nothing to deal. */
bool nonet_setup_check(const struct nonet_setup *setup, struct nonet_setup_error *error);

/* Checks, deals and goes to the first position. `chance` may be null: then the options must fix all
 * that chance decides, unless a position is given. If it fails, returns null with the error. */
struct nonet_session *nonet_setup_open(const struct nonet_setup *setup,
                                       const struct nonet_chance *chance,
                                       struct nonet_setup_error *error);

/* Plays the next move of a game that is being opened. */
bool nonet_setup_play(struct nonet_session *session, const char *text,
                      struct nonet_setup_error *error);

/* A game from lines of text: its id; "key=value" for each option; "from=TEXT" for another first
 * position; the moves played so far, each in a line that begins with a space. Null with the error;
 * an unknown game is one of NONET_SETUP_OPTIONS. */
struct nonet_session *nonet_setup_read(const char *lines, const struct nonet_chance *chance,
                                       struct nonet_setup_error *error);
/* Only the lines with the moves. Moves before the error stay played. */
bool nonet_setup_play_lines(struct nonet_session *session, const char *lines,
                            struct nonet_setup_error *error);

/* The error in words: "move 3, c4, is not legal: …". */
void nonet_setup_explain(const struct nonet_setup_error *error,
                         const struct nonet_catalogue *catalogue, struct nonet_text *out);

/* ---- Writing down ---- */

/* Who reads it, which decides what is left out. */
enum nonet_telling {
    NONET_TELL_WHOLE, /* all that is needed to open the same game again, secrets included */
    NONET_TELL_SEAT,  /* what a seat may know: all that was dealt, but no secrets */
    NONET_TELL_RULES, /* nothing of the deal: for use beside a position */
};

/* The index of the next option that is told after this one (-1: the first), or -1 at the end. */
int nonet_option_next(const struct nonet_options *options, int after, enum nonet_telling telling);

/* Which of a session's options are told to open it again: not its deal if a position is told. */
enum nonet_telling nonet_setup_telling(const struct nonet_session *session);

/* The session's game as lines that nonet_setup_read takes. */
void nonet_setup_write(const struct nonet_session *session, struct nonet_text *out);

/* The same as members of the open JSON object: game, options, `from` if it began at a given
 * position, moves. */
void nonet_setup_json(struct nonet_json *json, const struct nonet_session *session);

/* The members `moves` and `options` alone. */
void nonet_setup_json_moves(struct nonet_json *json, const struct nonet_session *session);
void nonet_setup_json_options(struct nonet_json *json, const struct nonet_options *options,
                              enum nonet_telling telling);

#endif
