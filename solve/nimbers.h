/* Solves small games of the kind that parts.h describes: a move does nothing except forbid other
 * moves, and a player who cannot move has lost. By the theory of Sprague and Grundy a position is
 * worth a heap of nim. The nimber is the size of that heap, and the player to move loses if it is
 * 0. Knows a game only by the contract.
 *
 * There is no table: the result is the nimber of one position. */
#ifndef NONET_SOLVE_NIMBERS_H
#define NONET_SOLVE_NIMBERS_H

#include "rules/game.h"
#include "solve.h"

struct nimbers_report {
    int moves;          /* of the position */
    uint64_t positions; /* looked at: connected ones, symmetric ones counted once */
    int nimber;
    uint64_t memory; /* the most that was used */
};

/* Whether the solver takes this game: it falls apart into parts, and begins with few moves. */
bool solve_nimbers_applies(const struct nonet_options *options);

/* False with the reason in `why`: there are too many moves, they may outlast what `limit` of
 * parts.h allows, or the memory is too small. Works on one thread and keeps no checkpoints. */
bool solve_nimbers(const struct nonet_options *options, const void *state,
                   const struct solve_limits *limits, struct nimbers_report *report,
                   struct nonet_text *why);

#endif
