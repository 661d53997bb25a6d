/* Reads an object of JSON strictly: every member must be there, be what it should be, and no other
 * may be. The first that is wrong is remembered; after it, all values are 0 or empty. */
#ifndef NONET_ONLINE_FIELDS_H
#define NONET_ONLINE_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct fields {
    json_t *object;
    size_t used;
    const char *wrong; /* the name of the first member that is; null if none is */
};

/* The object in some bytes. If there is none, "" is wrong with it. */
struct fields fields_open(const char *bytes, size_t length);

/* A number from 0 on; a number of 64 bits, written as a text; a text; a word, as its index. */
int64_t fields_number(struct fields *fields, const char *name, int64_t most);
uint64_t fields_long(struct fields *fields, const char *name);
const char *fields_text(struct fields *fields, const char *name);
int fields_word(struct fields *fields, const char *name, const char *const *words, int count);
/* Any value; for lists. */
json_t *fields_any(struct fields *fields, const char *name);
bool fields_bool(struct fields *fields, const char *name);
/* The object in some value, to be read and closed by itself. */
struct fields fields_inside(json_t *value);

bool fields_has(const struct fields *fields, const char *name);
/* Remembers that a member is wrong for a reason of the caller's. */
void fields_refuse(struct fields *fields, const char *name);

/* The first member that nobody asked for is wrong too. False if something is; texts live until
 * fields_close. */
bool fields_end(struct fields *fields);
void fields_close(struct fields *fields);

#endif
