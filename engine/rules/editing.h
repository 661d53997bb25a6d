/* What an editor of positions needs, for games whose position text begins with a board of letters.
 *
 * On the way from one position to another an editor passes through boards that no game leads to: a
 * piece too many, one too few. Games rely on their states being possible, so a state of such a
 * board would be dangerous. An editor therefore holds a draft: a text that looks like a position's.
 * Each edit gives the next draft, and says whether it is a position (`read` accepts it) or why not
 * yet. What comes after the board, such as pieces in hand, is edited as text. */
#ifndef NONET_RULES_EDITING_H
#define NONET_RULES_EDITING_H

#include "game.h"

enum { NONET_NOTHING = '.' }; /* the letter of an empty place */

/* The draft with a piece on a place, or with nothing there. The piece is given by its letter
 * (`choices` lists them). If only a change of the player to move makes the draft a position, that
 * is changed too. True if the new draft is a position; if not, the reason. A piece that cannot be
 * put there, or a draft without such a place, leaves the draft as it was. */
bool nonet_edit(const struct nonet_options *options, const char *draft, uint16_t place, char letter,
                struct nonet_text *out, struct nonet_message *why);

#endif
