/* A game being played at the terminal: people type moves and commands, computers answer. */
#ifndef NONET_CLI_TABLETOP_H
#define NONET_CLI_TABLETOP_H

#include "cli.h"
#include "host/record.h"
#include "host/thinker.h"
#include "rules/standings.h"
#include "study/draw_text.h"
#include "study/review.h"
#include "terminal.h"

enum {
    TABLETOP_PATH = 1024,
    TABLETOP_PERSON = -1, /* instead of a level */
    TABLETOP_RANDOM = 0,
    TABLETOP_LEVEL = 5, /* unless another one is chosen */
};

struct tabletop {
    struct terminal *terminal;
    struct draw_text_style style;
    struct record record;          /* the game, and who plays it */
    int levels[NONET_MAX_PLAYERS]; /* of the computers; TABLETOP_PERSON, TABLETOP_RANDOM */
    int level;                     /* of a "computer" without a stated level */
    uint64_t seed;                 /* of the computers' choices */
    struct thinker *thinker;       /* thinks for them; null before the first time */
    const char *keep;              /* the file that holds the game after every move, or null */
    bool resumes;                  /* it is offered again the next time, from there */
    char path[TABLETOP_PATH];      /* the file saved to or loaded from last; may be empty */

    bool analysing;        /* what the position is worth is told without being asked */
    struct review *review; /* of the game up to some move, or null */
    bool reviewing;        /* it is not finished */

    int timed;      /* moves for which record.times has room, -1 if times are not kept */
    bool stale;     /* the board on the screen is not the current one */
    bool unsaved;   /* there are moves that no file holds */
    bool leaving;   /* the person wants to leave */
    bool on_prompt; /* the cursor stands after a prompt that got no answer */
    double since;   /* when the current decision began, by clock_now */
    int shown_to;   /* where people share a game with secrets: the seat that is looking */
    int code;       /* what the command will exit with */

    /* For a front end that draws while somebody thinks; all may be null. What is thought so far,
     * which may stop it; how far a table is that is built on first use; and for how long to think,
     * 0 as long as the level says. */
    bool (*watch)(void *watcher, const struct nonet_report *report, double seconds);
    void (*waiting)(void *watcher, const char *what, double share, double seconds_left);
    void *watcher;
    double seconds;
};

/* A level as people write it; false if the text is not a level. */
bool tabletop_read_level(const char *text, int *level);
/* The name of what sits in a seat: "human", "level-5". */
void tabletop_write_kind(int level, char kind[RECORD_KIND]);

/* Gives a seat to a kind of player; false for an unknown one. */
bool tabletop_seat(struct tabletop *tabletop, int seat, const char *kind);

/* Gives the seats to the players that the record names. Where it names none, player 1 is a person
 * and the others are computers. False, with the reason, for an unknown kind of player. */
bool tabletop_seat_record(struct tabletop *tabletop, struct nonet_text *why);

/* Takes another game instead of the present one, which is closed; the seats are not changed. */
void tabletop_replace(struct tabletop *tabletop, const struct record *record);
/* Without another file, the game is kept where it is looked for the next time (kept.h). */
void tabletop_keep_for_next_time(struct tabletop *tabletop);

/* Plays until the game is over or somebody leaves; returns the exit code. */
int tabletop_run(struct tabletop *tabletop);

/* The last words of the command: a goodbye, or what went wrong. */
int tabletop_leave(struct tabletop *tabletop);

/* ---- The game and its screen, for the commands ---- */

typedef cli_move_text tabletop_move_text;

const struct nonet_options *tabletop_options(const struct tabletop *tabletop);
bool tabletop_is_person(const struct tabletop *tabletop, int seat);
/* Whose decision the index-th move was. */
int tabletop_seat_before(const struct tabletop *tabletop, int index);
void tabletop_print(const struct tabletop *tabletop, nonet_move move, tabletop_move_text out);
void tabletop_print_nth(const struct tabletop *tabletop, uint64_t index, tabletop_move_text out);

int tabletop_count_people(const struct tabletop *tabletop);
/* Whether people who may not see each other's side share this screen. */
bool tabletop_needs_hand_over(const struct tabletop *tabletop);
/* The seat that the board is drawn for, or -1: nobody may look now. */
int tabletop_viewer(const struct tabletop *tabletop);
/* A seat's name, valid until the next call. */
const char *tabletop_who(const struct tabletop *tabletop, int seat);

/* Appends who sits there: "Player 2: computer (level 5)". */
void tabletop_write_seat(const struct tabletop *tabletop, int seat, struct nonet_text *out);
/* Says a sentence of words.h. */
void tabletop_say(struct tabletop *tabletop, struct nonet_message message);
/* Says what game it is, who plays, and what to type. */
void tabletop_greet(struct tabletop *tabletop);
/* Draws the board for the seat that is looking, with its secret; and this position, without. */
void tabletop_show(struct tabletop *tabletop);
void tabletop_draw(struct tabletop *tabletop, const void *state);
/* Appends up to three different legal moves as examples. */
void tabletop_add_examples(const struct tabletop *tabletop, struct nonet_text *out);

/* Notes that the position has changed: it must be drawn, saved and thought about. */
void tabletop_changed(struct tabletop *tabletop);
/* Thinks about the position at a level, for the seat to move; the book of openings may answer
 * instead. Null without memory, or when the program was asked to end. */
const struct nonet_report *tabletop_think(struct tabletop *tabletop, int level, bool book);
/* Plays a move and notes the time it took. */
bool tabletop_play(struct tabletop *tabletop, nonet_move move, struct nonet_message *why);
/* A computer chooses and plays a move, and says so. */
void tabletop_computer_turn(struct tabletop *tabletop, int seat);
/* The public moves since this seat's last decision. */
void tabletop_say_moves_since(struct tabletop *tabletop, int seat);
/* What a seat knows and others do not, if there is something. */
void tabletop_say_secret(struct tabletop *tabletop, int seat);
/* The result of the game that is over, and what was hidden. */
void tabletop_say_end(struct tabletop *tabletop);
/* Saves the game, if it is kept in a file and has changed. */
void tabletop_keep(struct tabletop *tabletop);
/* Says what the last move did beyond what its mover touched. */
void tabletop_say_last_events(struct tabletop *tabletop);
bool tabletop_save(struct tabletop *tabletop, const char *path, struct nonet_text *why);
/* Warns that a file contains hidden information, where the game has any. */
void tabletop_warn(struct tabletop *tabletop);

/* ---- Studying it: tabletop_study.c ---- */

/* Appends who is better, as a search says; and the line to expect. */
void tabletop_write_opinion(const struct tabletop *tabletop, const struct nonet_report *report,
                            struct nonet_text *out);
void tabletop_write_line(const struct tabletop *tabletop, const struct nonet_report *report,
                         struct nonet_text *out);

/* Begins a review of the game so far. Then it is advanced in slices, or to its end with a progress
 * bar. */
bool tabletop_begin_review(struct tabletop *tabletop);
void tabletop_advance_review(struct tabletop *tabletop);
void tabletop_finish_review(struct tabletop *tabletop);
void tabletop_forget_review(struct tabletop *tabletop);
/* What the review says of the ply-th move, from 1; null if nothing. */
const struct review_row *tabletop_reviewed(const struct tabletop *tabletop, int ply);
/* Its mark: "??", or an empty text. */
const char *tabletop_mark(const struct tabletop *tabletop, int ply);
/* Appends what would have been better, or that nothing would; nothing for a move without a mark. */
void tabletop_write_remark(const struct tabletop *tabletop, int ply, struct nonet_text *out);

/* How the game stands, as far as whoever looks may know; appends the counts of a player, or of
 * all. */
void tabletop_read_standings(const struct tabletop *tabletop, struct nonet_standings *standings);
void tabletop_write_standings(const struct nonet_standings *standings, int player, bool unicode,
                              struct nonet_text *out);

/* Another game with the same options, with everybody moved on by a seat. */
bool tabletop_rematch(struct tabletop *tabletop);

/* ---- What people type: tabletop_commands.c ---- */

/* Completes moves of the current position and commands. */
terminal_completer tabletop_complete;

/* The file that `save` without a name writes to. */
void tabletop_remember_path(struct tabletop *tabletop, const char *path);
/* Says who is better, and the line to expect. */
void tabletop_say_analysis(struct tabletop *tabletop);
/* Runs the command that the line begins with; false if it begins with no command. */
bool tabletop_command(struct tabletop *tabletop, const char *line);
/* Plays the move that the line names, or says why not. */
void tabletop_try(struct tabletop *tabletop, const char *line);

#endif
