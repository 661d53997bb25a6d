/* Tables of exact values, probed from bytes: a file, memory, or whatever the caller fetches them from.
 * The format is described in docs/tables.md. */
#ifndef NONET_TABLE_TABLE_H
#define NONET_TABLE_TABLE_H

#include "../rules/game.h"
#include "value.h"

/* Copies `size` bytes from `offset` on; false if that cannot be done. */
typedef bool nonet_table_fetch(void *context, uint64_t offset, void *bytes, size_t size);

struct nonet_table; /* open it with nonet_table_open, close it with nonet_table_close */

/* Opens a table of `size` bytes for the game and options. Null with the reason if it is damaged, of
 * another version, or of another game. */
struct nonet_table *nonet_table_open(const struct nonet_options *options, nonet_table_fetch *fetch,
                                     void *context, uint64_t size, struct nonet_message *why);
void nonet_table_close(struct nonet_table *table);

/* The value of a position. False with the reason if it is not in the table (no game reaches it) or
 * the part of the table that holds it is damaged. */
bool nonet_table_probe(struct nonet_table *table, const void *state, struct nonet_value *value,
                       struct nonet_message *why);

#endif
