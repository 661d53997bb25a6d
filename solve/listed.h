/* Solves a game by listing all its positions: for two-player games with up to some ten million of
 * them, symmetric ones counted once. Knows nothing of a game but the contract.
 *
 * The table holds every position that play can reach, with its value: won, drawn or lost and how
 * many plies that takes, or the margin in games with points. Play that goes on for ever is drawn.
 */
#ifndef NONET_SOLVE_LISTED_H
#define NONET_SOLVE_LISTED_H

#include "rules/game.h"
#include "rules/values.h"
#include "solve.h"

/* How many positions, by outcome for the player to move. */
struct solve_counts {
    uint64_t classes[3];   /* symmetric ones counted once */
    uint64_t positions[3]; /* each for itself */
};

/* Figures of a solved game, for people and for a results page. */
struct solve_report {
    uint64_t classes, positions, successors;
    struct nonet_value start;
    struct nonet_state longest; /* a position whose win takes longest, or, in games with points,
                                   whose margin is largest */
    struct nonet_value longest_value;
    int plies, distances, margins;    /* how long these lists are: */
    struct solve_counts *by_ply;      /* by the least number of moves that lead there */
    struct solve_counts *by_distance; /* wins and losses; draws are not in it */
    struct solve_counts *by_margin;   /* from -(margins / 2) on */
    uint64_t memory;                  /* most that was used */
    double seconds;
};

/* Whether the solver takes this game: two players in turn, nothing hidden, few positions. */
bool solve_listed_applies(const struct nonet_options *options);

/* Writes the table into `path`. The same bytes, however many threads; a solve that was killed
 * continues from its checkpoint. `report` may be null. False with the reason in `why`. */
bool solve_listed(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct solve_report *report, struct nonet_text *why);

void solve_report_free(struct solve_report *report);

#endif
