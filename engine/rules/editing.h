/* What an editor of positions needs, for games whose position text begins with a board of letters.
 *
 * On the way from one position to another an editor comes by boards that no game leads to: a piece
 * too many, one too few. A state of such a board would be dangerous, as games count on their states
 * being possible. So an editor holds a draft instead: a text that looks like a position's. Each
 * edit gives the next draft, and says whether it is a position (`read` accepts it) or why not yet.
 * What stands after the board, such as pieces in hand, is edited as text. */
#ifndef NONET_RULES_EDITING_H
#define NONET_RULES_EDITING_H

#include "game.h"

enum { NONET_NOTHING = '.' }; /* the letter of an empty place */

/* The draft with a piece on a place, known by its letter (`choices` lists them), or with nothing
 * there. Whose turn it is is changed too where that makes a position of the draft and nothing else
 * does. True if the new draft is a position; if not, the reason. A piece that cannot stand there,
 * or a draft without such a place, leaves the draft as it was. */
bool nonet_edit(const struct nonet_options *options, const char *draft, uint16_t place, char letter,
                struct nonet_text *out, struct nonet_message *why);

#endif
