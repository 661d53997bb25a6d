/* Checks a table of exact values against the rules: every entry must be what the moves of its
 * position, and the values that the table gives to where they lead, make of it. Shares nothing with
 * the solvers but the contract.
 *
 * That this is a proof: a win in n plies has a move to a loss in n - 1, and a loss only moves to
 * wins, so by induction over n all wins and losses are true. A draw has no move to a loss of the
 * other player, but one to another draw, so neither side is ever forced out of drawing. A table of
 * margins is right by induction from the end, as no game with points can return to a position. */
#ifndef NONET_SOLVE_VERIFY_H
#define NONET_SOLVE_VERIFY_H

#include "rules/game.h"
#include "solve.h"

struct verify_report {
    char game[256];                 /* as nonet_options_write has it */
    uint64_t positions, successors; /* checked, and looked at for that */
    uint64_t unused;                /* numbers that stand for no position of their own */
    uint64_t wins, draws, losses;
    bool has_margin;
    int longest; /* distance, or greatest margin */
};

/* Reads the table at `path`. False with the reason: it cannot be read or checked within the limits,
 * or it is wrong, and then where first, what it should say there, and what it says. */
bool verify_table(const char *path, const struct solve_limits *limits, struct verify_report *report,
                  struct nonet_text *why);

#endif
