/* What the server writes on stderr about itself. For people: a line for each trouble. For programs,
 * if they ask for it: a JSON object on each line, for what goes well too. Nothing in it is secret,
 * and nothing in it tells who plays.
 *
 * An event has a name that stays the same, a message in words, and fields with what it names. */
#ifndef NONET_ONLINE_JOURNAL_H
#define NONET_ONLINE_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

struct journal_field {
    const char *name; /* null after the last */
    const char *text; /* or null: it is a number */
    int64_t number;
};

/* From now on, JSON. */
void journal_for_programs(void);

enum journal_kind {
    JOURNAL_TROUBLE,
    JOURNAL_RELIEF,  /* a trouble is over */
    JOURNAL_ROUTINE, /* only programs are told */
};

/* `fields` may be null. */
void journal_tell(enum journal_kind kind, const char *event, const struct journal_field *fields,
                  const char *message);

#endif
