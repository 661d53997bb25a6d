/* Solves a game whose positions are numbered (struct nonet_ranking), tier by tier.
 *
 * Within a tier the solver uses retrograde analysis. First every position takes the known values of
 * its moves that leave the tier, and counts the moves that stay. Then positions are settled in the
 * order of their distance. A position with a move to a lost position is won; a position whose moves
 * all lead to won positions is lost. What is never settled is drawn.
 *
 * States without a number, the opening, are found by playing from the start and solved after the
 * tiers. */
#ifndef NONET_SOLVE_RANKED_H
#define NONET_SOLVE_RANKED_H

#include "rules/game.h"
#include "rules/values.h"
#include "solve.h"

enum { NONET_RANKED_MATERIAL = 32 };

/* All values of a game. */
struct ranked_solution {
    const struct nonet_options *options;
    void *index; /* the ranking's large index */
    int tiers;
    uint64_t *sizes;
    uint8_t **values; /* by tier and number; ranked_value says what they mean */
    /* The states without a number, canonical, in the order of memcmp; none in a capped solution. */
    uint64_t listed;
    unsigned char *states; /* state_size bytes each */
    struct nonet_value *listed_values;
    uint64_t memory; /* the most that was allocated */
    double seconds;
};

/* Whether the game's positions are numbered. */
bool solve_ranked_applies(const struct nonet_options *options);

/* Solves the game into memory. The values are the same for any number of threads. Tiers that an
 * earlier run left in the work directory are read from there. False with the reason in `why`. */
bool ranked_solve(const struct nonet_options *options, const struct solve_limits *limits,
                  struct ranked_solution *solution, struct nonet_text *why);
void ranked_free(struct ranked_solution *solution);

/* What a byte of `values` means. */
struct nonet_value ranked_value(uint8_t code);

/* The value of any state that is in the solution, or over; false if it is not. */
bool ranked_probe(const struct ranked_solution *solution, const void *state,
                  struct nonet_value *value);

/* Figures of a solved game, for people and for a results page. It counts numbers, not positions:
 * symmetric positions are counted once. */
struct ranked_report {
    uint64_t numbers, listed; /* positions with a number, and those listed state by state */
    int most_material;        /* the most pieces of a side */
    uint64_t by_material[NONET_RANKED_MATERIAL][3]; /* numbers by outcome, see enum nonet_outcome */
    struct nonet_state longest;                     /* a position with the longest win */
    struct nonet_value longest_value;
    uint64_t memory; /* the most that was allocated */
};

/* Solves the game and writes its table into `path`; then removes its checkpoints from the work
 * directory. `report` may be null. False with the reason in `why`. */
bool solve_ranked(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct ranked_report *report, struct nonet_text *why);

#endif
