/* What the files of the library share: handles, errors, texts that belong to a handle. */
#ifndef NONET_LIBRARY_INSIDE_H
#define NONET_LIBRARY_INSIDE_H

#include "nonet/nonet.h"
#include "rules/setup.h"

struct nonet_words {
    struct nonet_wording wording;
    struct nonet_catalogue catalogue;
    char bytes[];
};

struct nonet_variant {
    struct nonet_options options; /* checked, not dealt */
    const struct nonet_words *words;
    char name[512];
    char json[];
};

/* ---- Errors: each fills in the error, if there is one, and returns its code ---- */

int library_fail(struct nonet_error *error, enum nonet_code code, const char *message);
int library_refuse(struct nonet_error *error, enum nonet_code code, const struct nonet_words *words,
                   const struct nonet_message *why);
int library_refuse_setup(struct nonet_error *error, const struct nonet_words *words,
                         const struct nonet_setup_error *why);
int library_no_memory(struct nonet_error *error);
/* For a null pointer, or a number out of its range. */
int library_bad_argument(struct nonet_error *error, const char *which);

/* Legal moves of a session, from the first-th on; returns how many. */
size_t library_legal(const struct nonet_session *session, uint64_t first, uint32_t *moves,
                     size_t room);

/* The words as the engine takes them; null for English. */
const struct nonet_catalogue *library_catalogue(const struct nonet_words *words);

#endif
