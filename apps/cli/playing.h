/* A game being played at the terminal: people type moves and commands, computers answer. */
#ifndef NONET_CLI_PLAYING_H
#define NONET_CLI_PLAYING_H

#include "cli.h"
#include "common/draw_text.h"
#include "common/record.h"
#include "common/thinker.h"
#include "terminal.h"

enum {
    PLAYING_PATH = 1024,
    PLAYING_PERSON = -1, /* instead of a level */
    PLAYING_RANDOM = 0,
    PLAYING_LEVEL = 5, /* unless another one is wished for */
};

struct playing {
    struct terminal *terminal;
    struct draw_text_style style;
    struct record record;          /* the game, and who plays it */
    int levels[NONET_MAX_PLAYERS]; /* of the computers; PLAYING_PERSON, PLAYING_RANDOM */
    int level;                     /* of a "computer" of whom no more is said */
    uint64_t seed;                 /* of the computers' choices */
    struct thinker *thinker;       /* who thinks for them; null before the first time */
    const char *keep;              /* the file that holds the game after every move, or null */
    char path[PLAYING_PATH];       /* the file saved to or loaded from last; may be empty */

    int timed;      /* moves for which record.times has room, -1 if times are not kept */
    bool stale;     /* the board on the screen is not the current one */
    bool unsaved;   /* there are moves that no file holds */
    bool leaving;   /* the person has had enough */
    bool on_prompt; /* the cursor stands behind a prompt that got no answer */
    int since;      /* when the current decision began, in milliseconds of a clock */
    int shown_to;   /* where people share a secret game: the seat that is looking */
    int code;       /* what the command will exit with */
};

/* Says which kinds of players there are: "human, random, …". */
extern const char playing_kinds[];

/* A level as people write it; false for anything that is none. */
bool playing_read_level(const char *text, int *level);
/* The name of what sits in a seat: "human", "level-5". */
void playing_write_kind(int level, char kind[RECORD_KIND]);

/* Gives a seat to a kind of player; false for an unknown one. */
bool playing_seat(struct playing *playing, int seat, const char *kind);

/* Gives the seats to those that the record names; player 1 is a person and the others computers
 * where it names none. False with the reason for a player who is not at hand. */
bool playing_seat_record(struct playing *playing, struct nonet_text *why);

/* Plays until the game is over or somebody leaves; returns the exit code. */
int playing_run(struct playing *playing);

/* The last words of the command: a goodbye, or what went wrong. */
int playing_leave(struct playing *playing);

/* ---- The game and its screen, for the commands ---- */

typedef char playing_move_text[NONET_MOVE_TEXT];

const struct nonet_options *playing_options(const struct playing *playing);
bool playing_is_person(const struct playing *playing, int seat);
/* Whose decision the index-th move was. */
int playing_seat_before(const struct playing *playing, int index);
void playing_print(const struct playing *playing, nonet_move move, playing_move_text out);
void playing_print_nth(const struct playing *playing, uint64_t index, playing_move_text out);

/* Says what game it is, who plays, and what to type. */
void playing_greet(struct playing *playing);
/* Draws the board for who is looking, with this seat's secret. */
void playing_show(struct playing *playing);
/* Appends up to three different legal moves as examples. */
void playing_add_examples(const struct playing *playing, struct nonet_text *out);

/* The position is another one: to be drawn, saved and thought about. */
void playing_changed(struct playing *playing);
/* Thinks about the position at a level, for the seat to move. Null without memory, or when the
 * program was told to end. */
const struct nonet_report *playing_think(struct playing *playing, int level);
/* Plays a move and notes the time it took. */
bool playing_play(struct playing *playing, nonet_move move, struct nonet_message *why);
bool playing_save(struct playing *playing, const char *path, struct nonet_text *why);
/* Says that the file holds what is hidden, where something is. */
void playing_warn(struct playing *playing, const char *path);

/* ---- What people type: play_commands.c ---- */

/* Completes moves of the current position and commands. */
terminal_completer playing_complete;

/* The file that `save` without a name writes to. */
void playing_remember_path(struct playing *playing, const char *path);
/* Runs the command that the line begins with; false if it begins with none. */
bool playing_command(struct playing *playing, const char *line);
/* Plays the move that the line names, or says why not. */
void playing_try(struct playing *playing, const char *line);

#endif
