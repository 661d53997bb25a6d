/* The log of all tables, on disk.
 *
 * Lines are only ever added, and get numbers in the order in which they were written. When a batch
 * has been appended, it survives the end of the program and of the machine: nothing of it is told
 * to anybody before. If appending fails, nothing of the batch is there.
 *
 * A store belongs to one thread at a time. */
#ifndef NONET_ONLINE_STORE_H
#define NONET_ONLINE_STORE_H

#include "base/text.h"

struct store;

/* A line of a table, or, with table 0, of the whole hall. Every line of a table leads to the one
 * before it: so a table is found again without an index, which would cost more than the lines. */
struct store_line {
    uint64_t table; /* below 2^63 */
    const char *text;
    size_t length;
    bool over;      /* its game is: the table need not be read when the server starts */
    int64_t before; /* the number of the line before it at this table; 0 for the first */
};

/* Opens a log, or begins one. Null, with the reason for people, if there is something else in the
 * file, or a log of a newer version, or if it cannot be written. */
struct store *store_open(const char *path, struct nonet_text *why);
void store_close(struct store *store);

/* Makes sure that this is the only server with this log, for as long as the descriptor is open. -1,
 * with the reason, if it is not. */
int store_lock(const char *path, struct nonet_text *why);

/* The number that the next line will get. */
int64_t store_next(const struct store *store);

/* Appends all lines or none. `*first` becomes the number of the first; the others follow it. With
 * no lines it tries whether some could be written. */
bool store_append(struct store *store, const struct store_line *lines, int count, int64_t *first,
                  struct nonet_text *why);

/* A line that is read; false ends the reading. */
typedef bool store_reader(void *context, int64_t number, const struct store_line *line);

/* The lines of one table, or of the hall (0), in order; or those of the hall and of all tables
 * whose last line is not `over`. False, with the reason, if they cannot be read. */
bool store_read(struct store *store, uint64_t table, store_reader *reader, void *context,
                struct nonet_text *why);
bool store_read_running(struct store *store, store_reader *reader, void *context,
                        struct nonet_text *why);

/* Whether lines of a table are lost, so that it cannot go on. */
bool store_is_lost(struct store *store, uint64_t table);

/* Every line that there is, with the number of the line before it. */
bool store_read_all(struct store *store, store_reader *reader, void *context,
                    struct nonet_text *why);

/* Whether the file itself is sound, and no line is missing: it reads all of it, two million lines a
 * second. */
bool store_check(struct store *store, struct nonet_text *why);

#endif
