/* Puzzles: positions in which the result hangs on one move or a few, found by proof.
 *
 * Random games are played from a seed, and each of their positions is examined. A puzzle is a small
 * tree. At each step the solver chooses among all legal moves: those that keep the result are
 * right. A right move is answered by best play, and the next step follows, for as long as the
 * result still hangs on a few moves. A wrong move comes with the best play against it.
 *
 * The difficulty of a puzzle is measured, not guessed: it is the lowest level of the computer
 * player that solves it often enough. */
#ifndef NONET_STUDY_PUZZLES_H
#define NONET_STUDY_PUZZLES_H

#include "../base/random.h"
#include "../rules/game.h"
#include "../rules/values.h"
#include "../search/player.h"

enum {
    PUZZLES_MOST = 4000,
    PUZZLE_THEMES = 4,
    PUZZLE_FEW = 3,        /* at most this many moves keep the result */
    PUZZLE_STEPS = 12,     /* in all branches together */
    PUZZLE_TRIES = 512,    /* in all steps together */
    PUZZLE_REFUTATION = 5, /* moves that show what is wrong with a wrong one, at most */
    PUZZLE_SEEDS = 20,     /* tries of a level; it solves a puzzle by half of them */
};

enum puzzle_theme {
    PUZZLE_ONLY = 1,  /* exactly one move keeps the result */
    PUZZLE_SAVE = 2,  /* a few moves keep a draw, and all others lose */
    PUZZLE_WIN = 4,   /* one move wins; played to the end of the game, if the solver hurries */
    PUZZLE_QUIET = 8, /* one move wins, and the game has no event to tell of it, but of others */
};
/* What the themes are called, from PUZZLE_ONLY on. */
extern const char *const puzzle_theme_names[PUZZLE_THEMES];

struct puzzle_try {
    nonet_move move;
    struct nonet_value value; /* for the solver */
    bool keeps;               /* it is right */
    uint8_t next;             /* the step that follows a right move and its answer; 0: solved */
    uint8_t line_length;      /* a right move that has a next step: 1 */
    nonet_move line[PUZZLE_REFUTATION]; /* the best answer, and best play after it */
};

struct puzzle_step {
    struct nonet_state state; /* it is the solver's turn */
    int depth;                /* moves of the solver before */
    int first, count;         /* its tries: all legal moves, the best first */
};

struct puzzle {
    int themes;               /* of enum puzzle_theme */
    struct nonet_value value; /* for the solver */
    int step_count, try_count;
    struct puzzle_step steps[PUZZLE_STEPS];
    struct puzzle_try tries[PUZZLE_TRIES];
};

/* A move with its value for the player who makes it. */
struct puzzle_move {
    nonet_move move;
    struct nonet_value value;
};

/* A prover: all moves of a position, best first; returns how many, -1 without a proof. */
struct puzzle_prover {
    int (*moves)(void *context, const void *state, struct puzzle_move *moves);
    void *context;
};

/* A search for puzzles of a game in which two players move in turn, all moves are listed and
 * nothing is hidden. */
struct puzzle_search {
    const struct nonet_options *options;
    struct puzzle_prover prover;
    struct nonet_random random;
    int found;
    uint64_t seen[PUZZLES_MOST]; /* hashes of canonical states that are puzzles already */
};

/* The same seed finds the same puzzles. */
void puzzles_begin(struct puzzle_search *search, const struct nonet_options *options,
                   struct puzzle_prover prover, uint64_t seed);

/* Finds the next puzzle with one of these themes, of PUZZLES_MOST at most, and none that equals an
 * earlier one by symmetry: 1, 0 if there seems to be none, -1 without a proof. */
int puzzles_next(struct puzzle_search *search, int themes, struct puzzle *puzzle);

/* Whether a player of this level makes right moves only. The level must have a limit of its own, so
 * it is not the highest. The session is of the same game and options, and is used up. */
bool puzzle_solved_by(const struct puzzle *puzzle, struct nonet_session *session,
                      struct nonet_player *player, int level, uint64_t seed);

/* The lowest level that solves the puzzle with half of the seeds 1 to PUZZLE_SEEDS. The highest
 * solves what all others do not. 0 if memory runs out. */
int puzzle_level(const struct puzzle *puzzle, const struct nonet_options *options,
                 struct nonet_player *player);

#endif
