/* A fingerprint of how a game writes and numbers its positions.
 *
 * A table finds a value by the canonical form of a position, or by its number. If a later program
 * chose another form or another numbering, an old table would answer with the values of other
 * positions, and nothing in its bytes would show it. So a table contains the fingerprint of the
 * program that wrote it. A reader with a different fingerprint refuses the table. */
#ifndef NONET_TABLE_FINGERPRINT_H
#define NONET_TABLE_FINGERPRINT_H

#include "../rules/game.h"

/* For a game whose moves can be listed. `index` is either index of the game's `ranking`, or null
 * for a table without numbers. Takes some tens of microseconds; a millisecond with numbers. */
uint64_t nonet_table_fingerprint(const struct nonet_options *options, const void *index);

#endif
