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
 * What it remembers. A search without a limit of nodes (the highest level without `nodes`) leaves
 * what it learnt about positions to the next such search of the same game, which then sees further;
 * after NONET_TRANSPOSITION_ROUNDS searches it begins anew (transpositions.h). With a limit of
 * nodes every search begins with empty memory: the same position, level, seed and nodes then lead
 * to the same report, whatever was searched before. Nothing is kept in games with hidden
 * information, so that no seat profits from what another knows. */
#ifndef NONET_SEARCH_PLAYER_H
#define NONET_SEARCH_PLAYER_H

#include "search.h"

struct nonet_player_limits {
    int level;      /* 1 to NONET_SEARCH_LEVELS */
    int skill;      /* of a level below the highest; 0: what the game gives to it */
    uint64_t nodes; /* per move, for all searches together; 0: what the level says */
    int searches;   /* side by side, at least 1; never more searches than nodes */
    size_t memory;  /* in bytes, for all searches together; 0: the default */
    uint64_t seed;
    const struct nonet_searcher *searcher; /* null: the one that suits best */
    const int16_t *weights;    /* by which it judges (weights.h); null: the game's own */
    struct nonet_table *table; /* of exact values, used at the highest level; or null */
    bool whole_line; /* the line is wanted to the end of the game, where the table has it */
};

struct nonet_player;

/* Null if memory runs out. */
struct nonet_player *nonet_player_open(void);
void nonet_player_close(struct nonet_player *player);

/* A new game begins, perhaps with other options. Whatever was remembered is forgotten. */
void nonet_player_new_game(struct nonet_player *player);

/* Begins to think about the session's position, for the seat whose turn it is. After this call the
 * session is no longer needed. Any earlier thinking ends. False if memory runs out. */
bool nonet_player_begin(struct nonet_player *player, const struct nonet_session *session,
                        const struct nonet_player_limits *limits);

/* How many searches there are, and how many nodes they may look at together; 0 means no limit. */
int nonet_player_searches(const struct nonet_player *player);
uint64_t nonet_player_nodes(const struct nonet_player *player);

/* Advances one of the searches, counted from 0, by this many nodes or what is left of its share.
 * True once its share is used up, or it has nothing more to find out. */
bool nonet_player_advance(struct nonet_player *player, int search, uint64_t nodes);

/* What one search thinks so far, and what all think together; only while none is being advanced. */
void nonet_player_report_of(const struct nonet_player *player, int search,
                            struct nonet_report *report);
void nonet_player_report(const struct nonet_player *player, struct nonet_report *report);

/* Gives back the memory of the searches, except what the next search will use. */
void nonet_player_end(struct nonet_player *player);

#endif
