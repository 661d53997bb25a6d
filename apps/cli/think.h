/* Answers the questions of `nonet think --batch`, whatever they are, with one line of JSON each. */
#ifndef NONET_CLI_THINK_H
#define NONET_CLI_THINK_H

#include <stdio.h>

#include "host/thinker.h"

struct think_batch;

/* Null without memory. */
struct think_batch *think_batch_new(void);
void think_batch_free(struct think_batch *batch);

/* Answers a line, which may set its own limits instead of these. CLI_DONE, or CLI_FAILED where the
 * answer cannot be written. */
int think_batch_answer(struct think_batch *batch, const char *line, size_t length, int level,
                       const struct thinker_limits *limits, FILE *out);

#endif
