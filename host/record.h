/* Game records: a whole game as a small JSON text, described in docs/record.md.
 *
 * Reading trusts nothing: what comes out is a session in which every move has been played and found
 * legal, or one line that names the first thing that is wrong. */
#ifndef NONET_HOST_RECORD_H
#define NONET_HOST_RECORD_H

#include "rules/setup.h"

enum {
    RECORD_MAX_BYTES = 1 << 20,
    RECORD_KIND = 32,    /* room for a seat's kind, zero byte included */
    RECORD_NAME = 64,    /* and for its name */
    RECORD_REASON = 512, /* no message of this file needs more room */
};

struct record_seat {
    char kind[RECORD_KIND]; /* "human", "level-5", …; empty if untold */
    char name[RECORD_NAME]; /* empty if untold */
};

struct record {
    struct nonet_session *session;
    struct record_seat seats[NONET_MAX_PLAYERS];
    uint32_t *times; /* milliseconds that each move took, or null if untold */
};

/* Read a record; close it afterwards. False with the reason in `why`, and then there is nothing to
 * close. The path "-" is the standard input. */
bool record_read_bytes(const void *bytes, size_t size, struct record *record,
                       struct nonet_text *why);
bool record_read_file(const char *path, struct record *record, struct nonet_text *why);
void record_close(struct record *record);

/* A session from the members game, options, from and moves of a JSON object, which may have others.
 * Null with the reason. */
struct json_t;
struct nonet_session *record_open_session(struct json_t *object, struct nonet_text *why);

/* Whether all members of an object are among these, which end with null; `place` says which object
 * it is. False with the reason. */
bool record_known_members(struct json_t *object, const char *const *known, const char *place,
                          struct nonet_text *why);

/* The record as text, one line, to be freed; null without memory. */
char *record_write(const struct record *record);

/* Replaces or creates a file so that at any moment it holds either what it held before or the whole
 * record. Refuses to replace a file that is no record. */
bool record_save(const char *path, const struct record *record, struct nonet_text *why);

#endif
