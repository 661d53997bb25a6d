/* Writes a table of exact values into a file, value by value, in bounded memory. The format is
 * described in docs/tables.md; engine/table/table.h reads it.
 *
 * The file is written under a temporary name beside `path`. It gets its own name only when it is
 * complete and on disk, so `path` is never an incomplete table. */
#ifndef NONET_SOLVE_TABLE_WRITER_H
#define NONET_SOLVE_TABLE_WRITER_H

#include "rules/game.h"
#include "rules/values.h"

enum table_layout {
    TABLE_KEYED, /* a list of canonical states with their values */
    TABLE_RANKED /* values in the order of the game's `ranking`, then a list of the rest */
};

struct table_writer;

/* Null with the reason in `why`. The file appears under `path` only after a successful close. */
struct table_writer *table_writer_open(const char *path, const struct nonet_options *options,
                                       enum table_layout layout, struct nonet_text *why);

/* Canonical states in increasing order of memcmp over state_size bytes. In a TABLE_RANKED, those
 * that have no number, after the last table_writer_next. False after a failure: then stop, and
 * table_writer_close gives the reason. */
bool table_writer_add(struct table_writer *writer, const void *canonical_state,
                      const struct nonet_value *value);

/* TABLE_RANKED: all values of tier 0 in rank order, then tier 1, and so on. With more than two
 * players, all values of a number come one after the other. */
bool table_writer_next(struct table_writer *writer, const struct nonet_value *value);

/* Also frees. False with the reason; then no file is left. */
bool table_writer_close(struct table_writer *writer, struct nonet_text *why);

/* Gives up: frees, and leaves no file. */
void table_writer_abandon(struct table_writer *writer);

#endif
