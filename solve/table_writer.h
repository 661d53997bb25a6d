/* Writes a table of exact values into a file, value by value, in bounded memory. The format is
 * described in docs/tables.md; engine/table/table.h reads it.
 *
 * The file grows under a temporary name beside `path` and gets its own name only when it is whole
 * and on disk, so whatever stands under `path` is never half a table. */
#ifndef NONET_SOLVE_TABLE_WRITER_H
#define NONET_SOLVE_TABLE_WRITER_H

#include "rules/game.h"
#include "rules/values.h"

enum table_layout {
    TABLE_KEYED, /* a list of canonical states with their values */
    TABLE_RANKED /* values in the order of the game's `ranking`, then such a list of the rest */
};

struct table_writer;

/* Null with the reason in `why`. The file appears under `path` only when closed well. */
struct table_writer *table_writer_open(const char *path, const struct nonet_options *options,
                                       enum table_layout layout, struct nonet_text *why);

/* Canonical states in rising order of memcmp over state_size bytes; in a TABLE_RANKED those that
 * have no number, behind the last table_writer_next. False after a failure, which
 * table_writer_close tells: there is no use in going on. */
bool table_writer_add(struct table_writer *writer, const void *canonical_state,
                      const struct nonet_value *value);

/* TABLE_RANKED: all values of tier 0 in rank order, then tier 1, and so on. */
bool table_writer_next(struct table_writer *writer, const struct nonet_value *value);

/* Also frees. False with the reason: nothing was left behind. */
bool table_writer_close(struct table_writer *writer, struct nonet_text *why);

/* Gives up: frees, and leaves nothing behind. */
void table_writer_abandon(struct table_writer *writer);

#endif
