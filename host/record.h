/* Game records: a whole game as a small JSON text, described in docs/record.md.
 *
 * Reading trusts nothing. The result is a session in which every move has been played and found
 * legal, or one line that names the first thing that is wrong. */
#ifndef NONET_HOST_RECORD_H
#define NONET_HOST_RECORD_H

#include "rules/setup.h"

enum {
    RECORD_MAX_BYTES = 1 << 20,
    RECORD_KIND = 32,    /* room for a seat's kind with its zero byte */
    RECORD_NAME = 64,    /* and for its name */
    RECORD_REASON = 512, /* enough room for any message of this file */
};

struct record_seat {
    char kind[RECORD_KIND]; /* "human", "level-5", …; empty if untold */
    char name[RECORD_NAME]; /* empty if not given */
};

struct record {
    struct nonet_session *session;
    struct record_seat seats[NONET_MAX_PLAYERS];
    uint32_t *times; /* milliseconds that each move took, or null if not given */
};

/* Read a record; close it afterwards. False with the reason in `why`, and then there is nothing to
 * close. The path "-" is the standard input. */
bool record_read_bytes(const void *bytes, size_t size, struct record *record,
                       struct nonet_text *why);
bool record_read_file(const char *path, struct record *record, struct nonet_text *why);
void record_close(struct record *record);

/* JSON from outside, not larger than a record may be. Null with the reason. */
struct json_t;
struct json_t *record_load_json(const void *bytes, size_t size, struct nonet_text *why);

/* A session from the members game, options, from and moves of a JSON object, which may have others.
 * Null with the reason. */
struct nonet_session *record_open_session(struct json_t *object, struct nonet_text *why);

/* Whether all members of an object are among these, which end with null; `place` says which object
 * it is. False with the reason. */
bool record_known_members(struct json_t *object, const char *const *known, const char *place,
                          struct nonet_text *why);

/* The record as one line of text, to be freed; null if memory runs out. */
char *record_write(const struct record *record);

/* Replaces or creates a file. At any moment it has either its old contents or the whole record.
 * Refuses to replace a file that is not a record. */
bool record_save(const char *path, const struct record *record, struct nonet_text *why);

#endif
