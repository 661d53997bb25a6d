/* Exact values of positions, by whichever proof applies: the result of a finished game, a table
 * (one that is found in a file, or that is built on first use where that takes seconds), or a
 * search that sees the end of every line. The search also answers where a table does not have a
 * position. */
#ifndef NONET_HOST_PROBER_H
#define NONET_HOST_PROBER_H

#include "rules/game.h"
#include "search/exact.h"
#include "solve/solve.h"
#include "table/table.h"

struct prober_limits {
    struct solve_limits solve; /* for a table that is built on first use */
    uint64_t memory;           /* for a search, in bytes */
    double seconds;            /* for all its searches together, after which they give up */
};

struct prober;

/* A prober for a game with these options, which must last as long as it. Null with the reason if a
 * table is missing that takes long to build, or one is there that cannot be used. */
struct prober *prober_open(const struct nonet_options *options, const struct prober_limits *limits,
                           struct nonet_text *why);
void prober_close(struct prober *prober);

/* The value of a position from a player's side. False with the reason if nothing proves it. */
bool prober_value(struct prober *prober, const void *state, int player, struct nonet_proof *proof,
                  struct nonet_text *why);

/* The game's table, or null where searches must do. It belongs to the prober. */
struct nonet_table *prober_table(const struct prober *prober);

struct prober_move {
    nonet_move move;
    char text[NONET_MOVE_TEXT];
    struct nonet_proof proof; /* from the side of the player to move before it */
};

/* All moves of a position, best first: fast wins, draws, slow losses, or by falling margin; equal
 * ones by their text. In a game with too many moves to list, only those that a proof names. Returns
 * how many, -1 with the reason if one of them cannot be proven. Room for NONET_MAX_MOVES. */
int prober_moves(struct prober *prober, const void *state, struct prober_move *moves,
                 struct nonet_text *why);

#endif
