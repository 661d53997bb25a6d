/* Random games and searches whose course depends on the rules and the searches alone: what speeds
 * are measured on, and what a signature is made of that changes when either of them does. It has
 * no clock, so that it runs wherever the engine does. */
#ifndef NONET_STUDY_MEASURE_H
#define NONET_STUDY_MEASURE_H

#include "../rules/game.h"

struct measure_tally {
    uint64_t games, moves, nodes;
    uint64_t signature; /* of every move, result and report; carried from one bench to the next */
};

/* Plays random games. False without memory. */
bool measure_games(const struct nonet_options *options, uint64_t games,
                   struct measure_tally *tally);

/* How many games make about the same time of each game. */
uint64_t measure_usual_games(const struct nonet_game *game);

/* Searches some positions of a random game, at the highest level without a table and at a low one,
 * up to so many nodes each. False without memory. */
bool measure_searches(const struct nonet_options *options, uint64_t nodes,
                      struct measure_tally *tally);

#endif
