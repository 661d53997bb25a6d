/* Checks whether a game keeps the contract of game.h, as far as its struct alone can tell.
 *
 * A game is a constant struct and a line in games.def, so there is no moment at which it registers.
 * It is checked twice instead. The contract test checks every game of games.def, so that a bad one
 * fails `make test`. And nonet_options_check, which every caller uses before it sets up a game,
 * refuses a bad one with the reason, so that it is never played. What shows only in play (the
 * number of moves, places or worlds) is checked where it is made: see scene.h, search/hidden.c and
 * the contract test. */
#ifndef NONET_RULES_CONTRACT_H
#define NONET_RULES_CONTRACT_H

#include "game.h"

/* True; or false with the first thing that is wrong, appended in a few words: shorter than
 * NONET_ARGUMENT_TEXT where keys and values are short. */
bool nonet_contract_check(const struct nonet_game *game, struct nonet_text *why);

#endif
