/* For games with too many positions to list: positions are numbered, tier by tier.
 *
 * No move leads to a tier with a higher number, so tiers are solved in rising order. Symmetric
 * positions share a number. Some numbers may stand for no position, or for one that has another
 * number too.
 *
 * Numbering needs an index: `index_size` bytes that the caller owns. `build_index` fills it once,
 * within about a second; all other functions then read it. A caller that asks about all positions
 * uses a large index instead, with which a number takes a fraction of a microsecond. It may be
 * limited to the first `tiers` tiers. Where the index does as well, there is no large one.
 *
 * With two players a position has one value, for the player to move. With more it has one for each
 * player: what they reach if all others play together against them. `nonet_values_of_position` says
 * how many. The first is that of the player to move, then come the others in turn. */
#ifndef NONET_RULES_RANKING_H
#define NONET_RULES_RANKING_H

#include "game.h"

/* A move that leaves its tier. */
struct nonet_exit {
    uint32_t from; /* the number of the position it is made in */
    int32_t tier;  /* where it leads, or NONET_EXIT_LOST: over, the player next in turn has lost */
    uint32_t to;
};
enum { NONET_EXIT_LOST = -1 };

struct nonet_ranking {
    /* ---- REQUIRED ---- */

    size_t (*index_size)(const struct nonet_options *options);
    void (*build_index)(const struct nonet_options *options, void *index);
    /* How many tiers there are: none if positions have no numbers with these options. */
    int (*tiers)(const struct nonet_options *options);
    uint64_t (*size)(const struct nonet_options *options, const void *index, int tier);
    /* The tier of a state, and its number there, found in well under a millisecond. The tier is -1
     * for a state without a number: it is over, or impossible, or one of the comparatively few that
     * tables list state by state (an opening phase that play never returns to). */
    int (*rank)(const struct nonet_options *options, const void *index, const void *state,
                uint64_t *number);
    /* A state that has this number. */
    void (*unrank)(const struct nonet_options *options, const void *index, int tier,
                   uint64_t number, void *state);

    int (*material)(const struct nonet_options *options, int tier); /* most pieces of a side */

    /* ---- The large index: OPTIONAL, both or none ---- */

    size_t (*large_index_size)(const struct nonet_options *options, int tiers);
    void (*build_large_index)(const struct nonet_options *options, int tiers, void *index);

    /* ---- With two players REQUIRED: what a fast solver needs ---- */

    /* All of it takes the large index, which is REQUIRED then. A player without a move has lost in
     * these games. */

    /* A tier is expanded in this many blocks, in any order. */
    uint32_t (*blocks)(const struct nonet_options *options, const void *index, int tier);
    /* A tier consists of runs. In each run, a block's positions have consecutive numbers: from
     * block_start of the block up to that of the next one. */
    int (*runs)(const struct nonet_options *options, int tier);
    uint64_t (*block_start)(const struct nonet_options *options, const void *index, int tier,
                            int run, uint32_t block);
    uint32_t max_exits; /* of a block */
    /* For each position of a block: how many moves stay in the tier, in `inside` by its number. The
     * other moves are listed in `exits`, those of one position together. Returns how many are
     * listed. */
    uint32_t (*expand)(const struct nonet_options *options, const void *index, int tier,
                       uint32_t block, uint8_t *inside, struct nonet_exit *exits);
    /* Where a move within the tier can have come from: each number as often as moves lead from
     * there to the position. Where several numbers stand for the position, only one of them has
     * predecessors. `hint` is 0 in the first call, then what the last call left there. `numbers`
     * has room for NONET_MAX_PREDECESSORS. */
    int (*predecessors)(const struct nonet_options *options, const void *index, int tier,
                        uint32_t number, uint32_t *hint, uint32_t *numbers);
};

/* The numbering of a game with these options; null if its positions have none. */
static inline const struct nonet_ranking *nonet_ranking_of(const struct nonet_options *options) {
    const struct nonet_ranking *ranking = options->game->ranking;
    return ranking != NULL && ranking->tiers(options) > 0 ? ranking : NULL;
}

/* How many values each position has. */
static inline int nonet_values_of_position(const struct nonet_options *options) {
    return options->players > 2 ? options->players : 1;
}

#endif
