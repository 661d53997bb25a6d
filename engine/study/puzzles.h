/* Puzzles: positions with a single winning move, found by proof.
 *
 * Random games are played from a seed. A position becomes a puzzle when exactly one of its moves
 * wins. It is graded by how long the win takes and by how many lures there are: moves that look
 * like any other and lose. */
#ifndef NONET_STUDY_PUZZLES_H
#define NONET_STUDY_PUZZLES_H

#include "../base/random.h"
#include "../rules/game.h"
#include "../rules/values.h"

enum {
    PUZZLES_MOST = 1000,
    PUZZLE_LINE = 64, /* no solution is longer */
};

struct puzzle {
    struct nonet_state state;
    struct nonet_value value;
    int moves, lures, drawing, grade;
    int line_length;
    nonet_move line[PUZZLE_LINE]; /* the winning move, and best play after it */
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

/* A search for puzzles of a game in which all moves are listed and nothing is hidden. */
struct puzzle_search {
    const struct nonet_options *options;
    struct puzzle_prover prover;
    struct nonet_random random;
    int found;
    uint64_t seen[PUZZLES_MOST]; /* hashes of canonical states that are puzzles already */
    struct puzzle_move moves[NONET_MAX_MOVES];
};

/* The same seed finds the same puzzles. */
void puzzles_begin(struct puzzle_search *search, const struct nonet_options *options,
                   struct puzzle_prover prover, uint64_t seed);

/* Finds the next puzzle, of PUZZLES_MOST at most: 1, 0 if there seems to be none, -1 without a
 * proof. */
int puzzles_next(struct puzzle_search *search, struct puzzle *puzzle);

#endif
