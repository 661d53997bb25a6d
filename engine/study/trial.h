/* Games that computer players play to find out what a game is like: how long, how fair, how
 * exciting. docs/bench.md says what each figure means.
 *
 * Every game has a number. The number, the seed and the settings decide the whole game, so several
 * workers can share a run in any way: the same games are played, and their records put together
 * give the same figures. There is no clock and there are no threads here.
 *
 *     struct trial *trial = trial_open(&wish);
 *     if (trial_begin(trial, number)) {
 *         while (trial_advance(trial, 1000) == TRIAL_WORKING)
 *             ;
 *         games[count++] = *trial_game(trial);
 *         …
 *     trial_figures(games, count, players, &figures);
 */
#ifndef NONET_STUDY_TRIAL_H
#define NONET_STUDY_TRIAL_H

#include "../search/search.h"
#include "interval.h"

enum {
    TRIAL_LONGEST = 400, /* plies: a longer game is stopped, and counts as a draw */
    TRIAL_OPENING = 4,   /* plies of a game that are kept */
    TRIAL_LEVEL = 9,     /* the highest: the one above is limited by time alone */

    /* In thousandths of a win. A side leads that expects so much more than every other one; a side
     * that expects so much will hardly lose. */
    TRIAL_LEAD = 200,
    TRIAL_SURE = 900,

    TRIAL_TIMES = 10, /* how often an opening must have been played to say something about it */
};

/* ---- One game ---- */

struct trial_game {
    uint32_t number;
    uint8_t shares[NONET_MAX_PLAYERS]; /* of the win: NONET_WHOLE_WIN is all of it */
    bool draw;                         /* nobody won more than anybody else */
    bool cut;                          /* it was stopped */
    int plies;
    uint64_t choices; /* legal moves, of all positions together */
    int lead_changes;
    int decided; /* the ply since which the winner was never in danger; -1 if no single side won */
    /* What its first plies led to, as hashes that are the same for symmetric positions; 0 where
     * openings cannot be compared, or the game was over before. And the moves. */
    uint64_t openings[TRIAL_OPENING];
    char moves[TRIAL_OPENING][NONET_MOVE_TEXT];
    uint64_t key; /* what trial_figures sorts by */
};

/* What is measured while a game is played: ask about every position, then about the end. */
struct trial_track {
    struct trial_game game;
    int leader;                        /* the side that led last, from 0; -1: none yet */
    int sure_since[NONET_MAX_PLAYERS]; /* by side: the ply, or -1 while it is not sure */
};
void trial_track_begin(struct trial_track *track, uint32_t number);
/* The session's position, and what the player to move expects of it. */
void trial_track_position(struct trial_track *track, const struct nonet_session *session,
                          const struct nonet_opinion *opinion);
/* The game is over, or is stopped. */
void trial_track_end(struct trial_track *track, const struct nonet_session *session);

/* ---- Playing ---- */

struct trial_wish {
    struct nonet_options options;  /* checked; every game is dealt anew, unless they say how */
    int levels[NONET_MAX_PLAYERS]; /* of the players, 1 to TRIAL_LEVEL */
    uint64_t seed;
};

struct trial;

/* Null if memory runs out. */
struct trial *trial_open(const struct trial_wish *wish);
void trial_close(struct trial *trial);

enum trial_status { TRIAL_WORKING, TRIAL_DONE, TRIAL_NO_MEMORY };

/* Begins the game with this number. False if memory runs out. */
bool trial_begin(struct trial *trial, uint32_t number);
/* Looks at up to this many more positions. */
enum trial_status trial_advance(struct trial *trial, uint64_t nodes);
/* The game that is done. */
const struct trial_game *trial_game(const struct trial *trial);

/* A game's record as a line of text, without its end, and back; false if it is none. */
void trial_write(const struct trial_game *game, struct nonet_text *out);
bool trial_read(const char *line, struct trial_game *game);

/* ---- Figures ---- */

/* One player makes the first plies of both sides, the other one then chooses a side. */
struct trial_swap {
    int openings; /* different ones that were played */
    int often;    /* of them, those that were played at least TRIAL_TIMES times */
    /* The fairest of these; only if there are any. */
    struct interval first;                      /* the share of the win of player 1 after it */
    struct interval chooser;                    /* that of whoever chooses the side */
    char moves[TRIAL_OPENING][NONET_MOVE_TEXT]; /* an example of it */
};

struct trial_figures {
    int games, players;
    int wins[NONET_MAX_PLAYERS]; /* of each player alone, or with the team */
    int draws, cut;
    struct interval shares[NONET_MAX_PLAYERS]; /* of the win, for each player */
    struct interval drawn;                     /* share of games */
    struct interval plies;
    struct interval choices; /* legal moves in a position: a mean of the means of games */
    struct interval decided; /* the part of a won game that was played before it was decided */
    struct interval lead_changes;
    struct trial_swap swaps[TRIAL_OPENING]; /* after one ply, after two, … */
};

/* The figures of these games, which are put into another order. */
void trial_figures(struct trial_game *games, int count, int players, struct trial_figures *figures);

#endif
