/* What `nonet think` says about a position, and the questions of `nonet think --batch`. */
#ifndef NONET_CLI_THINK_H
#define NONET_CLI_THINK_H

#include <stdio.h>

#include "base/json.h"
#include "host/thinker.h"
#include "study/describe.h"

enum {
    THINK_OPTIONS = 512, /* room for the options of a game as text */
    /* Room for an answer with all moves. */
    THINK_ROOM = DESCRIBE_THOUGHTS_ROOM,
    THINK_MOST_PARALLEL = 64,
};

/* A player, which is kept as long as the questions are about the same game with the same options.
 * All zero at first; close the thinker at the end. */
struct think_mind {
    struct thinker *thinker;
    char options[THINK_OPTIONS]; /* the options that it was opened for */
};

/* Writes what the player thinks of the session's position, as members. False without memory. */
bool think_about(struct think_mind *mind, const struct nonet_session *session, int level,
                 const struct thinker_limits *limits, struct nonet_json *json);

/* Answers the questions on the standard input, up to `parallel` at once, until there are no more.
 */
int think_in_batch(int parallel, int level, const struct thinker_limits *limits);

/* ---- One question of a batch, whatever it is: answered by a line of JSON ---- */

struct think_batch;

/* Null without memory. */
struct think_batch *think_batch_new(void);
void think_batch_free(struct think_batch *batch);

/* Answers a line, which may set its own limits instead of these. CLI_DONE, or CLI_FAILED where the
 * answer cannot be written. */
int think_batch_answer(struct think_batch *batch, const char *line, size_t length, int level,
                       const struct thinker_limits *limits, FILE *out);

#endif
