/* Checks a table of exact values against the rules: every entry must follow from the moves of its
 * position and the values that the table gives to the positions after them. Shares only the
 * contract with the solvers.
 *
 * This is a proof. A win in n plies has a move to a loss in n - 1, and a loss has only moves to
 * wins, so all wins and losses are true by induction over n. A draw has no move to a loss of the
 * other player, but a move to another draw, so both sides can always keep the draw. A table of
 * margins is right by induction from the end, because games with points never repeat a position.
 * With more than two players, the same holds for each of them and the others together. */
#ifndef NONET_SOLVE_VERIFY_H
#define NONET_SOLVE_VERIFY_H

#include "rules/game.h"
#include "solve.h"

struct verify_report {
    char game[256];                 /* as nonet_options_write writes it */
    uint64_t positions, successors; /* positions checked, and successors looked at for this */
    uint64_t unused;                /* numbers that stand for no position of their own */
    bool has_margin;
    int values; /* of each position: for the player to move, then for the others in turn */
    struct {
        uint64_t wins, draws, losses;
        int longest; /* distance, or greatest margin */
    } of[NONET_MAX_PLAYERS];
};

/* Reads the table at `path`. False with the reason: it cannot be read or checked within the limits,
 * or it is wrong. Then the reason says where it is wrong first, what it should say there, and what
 * it says. */
bool verify_table(const char *path, const struct solve_limits *limits, struct verify_report *report,
                  struct nonet_text *why);

#endif
