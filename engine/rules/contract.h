/* Whether a game keeps what game.h asks of it, as far as its struct alone can tell.
 *
 * A game is a constant struct and a line in games.def, so there is no moment at which it registers.
 * It is checked twice instead. The contract test checks every game of games.def, so that a bad one
 * fails `make test`. And nonet_options_check, which everybody asks before a game is set up, refuses
 * a bad one with the reason, so that it is never played. What only shows in play (how many moves,
 * places or worlds there are) is checked where it is made: see scene.h, search/hidden.c and the
 * contract test. */
#ifndef NONET_RULES_CONTRACT_H
#define NONET_RULES_CONTRACT_H

#include "game.h"

/* True, or the first thing that is wrong, appended in a few words: shorter than NONET_ARGUMENT_TEXT
 * where keys and values are short. */
bool nonet_contract_check(const struct nonet_game *game, struct nonet_text *why);

#endif
