/* A program that we started and talk to by lines, and that may do anything: die, hang, write
 * without end, or never read. None of it can hold us up for longer than we allow.
 *
 * It runs in a process group of its own, so that it and whatever it started can be ended together,
 * and so that Ctrl-C is for us alone. What it writes to its standard error is thrown away. */
#ifndef NONET_HOST_CHILD_H
#define NONET_HOST_CHILD_H

#include <stdatomic.h>

#include "base/text.h"

enum {
    CHILD_LINE = 1 << 16,  /* longer lines are passed over */
    CHILD_TALK = 16 << 20, /* bytes that it may write before it answers */
};

struct child;

enum child_answer {
    CHILD_LINE_READ,
    CHILD_STOPPED, /* we were told to stop */
    CHILD_FAILED,  /* it ended, or was too slow, or wrote too much: `why` tells */
};

/* Starts a shell command. Null with the reason where the system starts nothing. */
struct child *child_start(const char *command, struct nonet_text *why);

/* Ends it: by its own will within half a second after `farewell`, a text that is sent to it and may
 * be null for one that does not deserve it, or by ours. */
void child_end(struct child *child, const char *farewell);

/* Sends a text; by `deadline`, a time of host/clock.h. What the child has written before, and
 * nobody has read, may get lost. */
enum child_answer child_send(struct child *child, const char *text, double deadline,
                             const atomic_bool *stop, struct nonet_text *why);

/* The next line, without its end; it lasts until the child is used again. */
enum child_answer child_read(struct child *child, const char **line, double deadline,
                             const atomic_bool *stop, struct nonet_text *why);

#endif
