/* Exact values of positions, by the proof that applies: the result of a finished game, a table, or
 * a search that sees the end of every line. A table is found in a file, or built on first use if
 * that takes only seconds. The search also answers if a table does not have a position. */
#ifndef NONET_HOST_PROBER_H
#define NONET_HOST_PROBER_H

#include "rules/session.h"
#include "search/exact.h"
#include "solve/solve.h"
#include "table/table.h"

struct prober_limits {
    struct solve_limits solve; /* for a table that is built on first use */
    uint64_t memory;           /* for a search, in bytes */
    double seconds;            /* for all its searches together, after which they give up */
};

struct prober;

/* What programs usually let a prober use: all processors and a gigabyte for tables, a quarter of
 * one and so many seconds for searches. Nobody is told anything meanwhile. */
struct prober_limits prober_usual_limits(double seconds);

/* A prober for a game with these options, which must live as long as the prober. Null with the
 * reason if a table that takes long to build is missing, or if a table cannot be used. */
struct prober *prober_open(const struct nonet_options *options, const struct prober_limits *limits,
                           struct nonet_text *why);
/* The same for callers that can do without. If there is a table, but none that can be used, they
 * are told by a note (solve_limits), as answers are weaker without it. */
struct prober *prober_try(const struct nonet_options *options, const struct prober_limits *limits);
void prober_close(struct prober *prober);

/* Gives its searches so many seconds again, from now on. */
void prober_allow(struct prober *prober, double seconds);

/* The value of a position for a player. False with the reason if nothing proves it. */
bool prober_value(struct prober *prober, const void *state, int player, struct nonet_proof *proof,
                  struct nonet_text *why);

/* The game's table, or null if there are only searches. It belongs to the prober. */
struct nonet_table *prober_table(const struct prober *prober);

struct prober_move {
    nonet_move move;
    char text[NONET_MOVE_TEXT];
    struct nonet_proof proof; /* for the player who makes the move */
};

/* All moves of a position, best first: wins from the fastest, draws, losses from the slowest, or by
 * decreasing margin. Equal moves are ordered by their text. In a game with too many moves to list,
 * only those that a proof names. Returns how many, or -1 with the reason if one of them cannot be
 * proven. `moves` has room for NONET_MAX_MOVES. */
int prober_moves(struct prober *prober, const void *state, struct prober_move *moves,
                 struct nonet_text *why);

/* The value of the session's position and of all its moves, as a line of JSON. False with the
 * reason. */
enum { PROBER_ROOM = (NONET_MAX_MOVES + 8) * (NONET_MOVE_TEXT + 100) };
bool prober_describe(struct prober *prober, const struct nonet_session *session,
                     struct nonet_text *out, struct nonet_text *why);

#endif
