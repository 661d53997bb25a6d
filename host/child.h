/* A program that we started and talk to by lines, and that may do anything: die, hang, write
 * without end, or never read. None of this can delay us for longer than we allow.
 *
 * It runs in a process group of its own, so that it and everything it started can be ended
 * together, and so that Ctrl-C reaches only us. What it writes to its standard error is thrown
 * away. */
#ifndef NONET_HOST_CHILD_H
#define NONET_HOST_CHILD_H

#include <stdatomic.h>

#include "base/text.h"

enum {
    CHILD_LINE = 1 << 16,  /* longer lines are ignored */
    CHILD_TALK = 16 << 20, /* bytes that it may write before it answers */
};

struct child;

enum child_answer {
    CHILD_LINE_READ,
    CHILD_STOPPED, /* we were told to stop */
    CHILD_FAILED,  /* it ended, was too slow, or wrote too much: see `why` */
};

/* Starts a shell command. Null with the reason if the system cannot start it. */
struct child *child_start(const char *command, struct nonet_text *why);

/* Ends it. First `farewell` is sent, and it has half a second to end by itself; then it is killed.
 * If `farewell` is null, it is killed at once. */
void child_end(struct child *child, const char *farewell);

/* Sends a text, at the latest by `deadline`, a time of host/clock.h. Output of the child that
 * nobody has read before may get lost. */
enum child_answer child_send(struct child *child, const char *text, double deadline,
                             const atomic_bool *stop, struct nonet_text *why);

/* The next line, without its end. It is valid until the child is used again. */
enum child_answer child_read(struct child *child, const char **line, double deadline,
                             const atomic_bool *stop, struct nonet_text *why);

#endif
