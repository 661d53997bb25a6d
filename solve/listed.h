/* Solves a game by listing all its positions: for two-player games with up to some ten million
 * positions, if symmetric ones are counted once. Knows a game only by the contract.
 *
 * The table holds every position that play can reach, with its value: won, drawn or lost and in how
 * many plies, or the margin in games with points. Play that goes on for ever is drawn. */
#ifndef NONET_SOLVE_LISTED_H
#define NONET_SOLVE_LISTED_H

#include "rules/game.h"
#include "rules/values.h"
#include "solve.h"

/* How many positions, by outcome for the player to move. */
struct solve_counts {
    uint64_t classes[3];   /* symmetric ones counted once */
    uint64_t positions[3]; /* symmetric ones counted separately */
};

/* Figures of a solved game, for people and for a results page. */
struct solve_report {
    uint64_t classes, positions, successors;
    struct nonet_value start;
    struct nonet_state
        longest; /* a position with the longest win or, in games with points, the largest margin */
    struct nonet_value longest_value;
    int plies, distances, margins;    /* lengths of these lists: */
    struct solve_counts *by_ply;      /* by the least number of moves to there */
    struct solve_counts *by_distance; /* wins and losses, no draws */
    struct solve_counts *by_margin;   /* starting at -(margins / 2) */
    uint64_t memory;                  /* the most that was used */
    double seconds;
};

/* Whether the solver takes this game: two players in turn, nothing hidden, few positions. */
bool solve_listed_applies(const struct nonet_options *options);

/* Writes the table into `path`. The bytes are the same for any number of threads. A solve that was
 * killed continues from its checkpoint. `report` may be null. False with the reason in `why`. */
bool solve_listed(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct solve_report *report, struct nonet_text *why);

void solve_report_free(struct solve_report *report);

#endif
