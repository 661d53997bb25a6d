/* Writes batches of lines in a thread of its own, one at a time, so that the loop never waits for
 * the disk. */
#ifndef NONET_ONLINE_WRITER_H
#define NONET_ONLINE_WRITER_H

#include "store.h"

struct writer;

/* The store belongs to the writer from now on. Null, and the store is closed, if there is no memory
 * or no thread. */
struct writer *writer_new(struct store *store);
/* Waits for the batch that is being written. */
void writer_free(struct writer *writer);

/* A descriptor that becomes readable when a batch is done. */
int writer_signal(const struct writer *writer);

/* Begins to write a batch, which stays as it is until it is done. None may be being written. */
void writer_write(struct writer *writer, const struct store_line *lines, int count);

/* Whether the batch is done since the last call: `*fine` says how. */
struct writer_result {
    bool fine;
    int64_t first; /* the number of its first line */
    const char *why;
};
bool writer_done(struct writer *writer, struct writer_result *result);

#endif
