/* Random games and searches whose course depends only on the rules and the searches. Speeds are
 * measured on them. Their signature changes when the rules or the searches change. There is no
 * clock here, so this runs wherever the engine does. */
#ifndef NONET_STUDY_MEASURE_H
#define NONET_STUDY_MEASURE_H

#include "../rules/game.h"

struct measure_tally {
    uint64_t games, moves, nodes;
    uint64_t signature; /* of every move, result and report; carried from one bench to the next */
};

/* Plays random games. False if memory runs out. */
bool measure_games(const struct nonet_options *options, uint64_t games,
                   struct measure_tally *tally);

/* How many games of each kind take about the same time. */
uint64_t measure_usual_games(const struct nonet_game *game);

/* Searches some positions of a random game, at the highest level without a table and at a low
 * level, up to this many nodes each. False if memory runs out. */
bool measure_searches(const struct nonet_options *options, uint64_t nodes,
                      struct measure_tally *tally);

#endif
