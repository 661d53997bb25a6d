/* A computer player: runs the search that suits a position, with memory of its own, for as long as
 * the caller likes. It has no clock and no threads, so it works in a browser too; host/thinker.h
 * adds both. It may run several searches of a position side by side, which share what they learn:
 * each may then be advanced by a thread of its own.
 *
 *     struct nonet_player *player = nonet_player_open();
 *     const struct nonet_player_limits limits = {.level = 5, .searches = 1, .seed = 1};
 *     if (nonet_player_begin(player, session, &limits)) {
 *         while (!nonet_player_advance(player, 0, 1000) && time_is_left())
 *             ;
 *         nonet_player_report(player, report);
 *         …
 *
 * What it remembers. A search that has no limit of nodes (the highest level without `nodes`) leaves
 * what it learnt of positions to the next such search of the same game, which so sees further. With
 * a limit of nodes every search begins with empty memory: the same position, level, seed and nodes
 * then lead to the same report, whatever was thought about before. Nothing is kept of games with
 * hidden information, so that no seat profits from what another knows. */
#ifndef NONET_SEARCH_PLAYER_H
#define NONET_SEARCH_PLAYER_H

#include "search.h"

struct nonet_player_limits {
    int level;      /* 1 to NONET_SEARCH_LEVELS */
    uint64_t nodes; /* a move, of all searches together; 0: what the level says */
    int searches;   /* side by side, at least 1. There are no more than nodes */
    size_t memory;  /* in bytes, of all searches together; 0: the usual */
    uint64_t seed;
    const struct nonet_searcher *searcher; /* null: the one that suits */
    struct nonet_table *table; /* of exact values, asked at the highest level; or null */
};

struct nonet_player;

/* Null without memory. */
struct nonet_player *nonet_player_open(void);
void nonet_player_close(struct nonet_player *player);

/* A game begins, of other options perhaps: what was remembered of the last is forgotten. */
void nonet_player_new_game(struct nonet_player *player);

/* Begins to think about the session's position, for the seat whose turn it is; the session is not
 * needed any more then. An earlier thinking is over. False without memory. */
bool nonet_player_begin(struct nonet_player *player, const struct nonet_session *session,
                        const struct nonet_player_limits *limits);

/* How many searches there are, and how many nodes they may look at together; 0: any number. */
int nonet_player_searches(const struct nonet_player *player);
uint64_t nonet_player_nodes(const struct nonet_player *player);

/* Advances one of the searches, from 0, by so many nodes or what is left of its share. True once
 * its share is used up, or it knows all that it will ever know. */
bool nonet_player_advance(struct nonet_player *player, int search, uint64_t nodes);

/* What one search thinks so far; and what all think together, while none is being advanced. */
void nonet_player_report_of(const struct nonet_player *player, int search,
                            struct nonet_report *report);
void nonet_player_report(const struct nonet_player *player, struct nonet_report *report);

/* Gives back the memory of the searches, but for what the next will remember. */
void nonet_player_end(struct nonet_player *player);

#endif
