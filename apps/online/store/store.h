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

struct store_line {
    uint64_t table; /* below 2^63 */
    const char *text;
    size_t length;
    bool over; /* its game is: the table need not be read when the server starts */
};

/* Opens a log, or begins one. Null, with the reason for people, if there is something else in the
 * file, or a log of a newer version, or if it cannot be written. */
struct store *store_open(const char *path, struct nonet_text *why);
void store_close(struct store *store);

/* Appends all lines or none. `*first` becomes the number of the first; the others follow it. */
bool store_append(struct store *store, const struct store_line *lines, int count, int64_t *first,
                  struct nonet_text *why);

/* A line that is read; false ends the reading. */
typedef bool store_reader(void *context, int64_t number, const struct store_line *line);

/* The lines of one table after a number, in order; or those of all tables whose last line is not
 * `over`, table by table. False, with the reason, if they cannot be read. */
bool store_read(struct store *store, uint64_t table, int64_t after, store_reader *reader,
                void *context, struct nonet_text *why);
bool store_read_running(struct store *store, store_reader *reader, void *context,
                        struct nonet_text *why);

#endif
