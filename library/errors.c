#include <string.h>

#include "inside.h"

static_assert(sizeof(struct nonet_error) == 4 + 48 + 1024, "other languages know its layout");

static struct nonet_text begin(struct nonet_error *error, enum nonet_code code, const char *key) {
    error->code = (int32_t)code;
    struct nonet_text name = NONET_TEXT_IN(error->key);
    nonet_text_add(&name, key);
    return NONET_TEXT_IN(error->message);
}

int library_fail(struct nonet_error *error, enum nonet_code code, const char *message) {
    if (error != NULL) {
        struct nonet_text text = begin(error, code, "");
        nonet_text_add(&text, message);
    }
    return (int)code;
}

int library_refuse(struct nonet_error *error, enum nonet_code code, const struct nonet_words *words,
                   const struct nonet_message *why) {
    if (error != NULL) {
        struct nonet_text text = begin(error, code, why->phrase->key);
        nonet_message_write(why, library_catalogue(words), &text);
    }
    return (int)code;
}

int library_refuse_setup(struct nonet_error *error, const struct nonet_words *words,
                         const struct nonet_setup_error *why) {
    static const enum nonet_code codes[] = {
        [NONET_SETUP_OPTIONS] = NONET_ERROR_OPTIONS,   [NONET_SETUP_UNDEALT] = NONET_ERROR_OPTIONS,
        [NONET_SETUP_POSITION] = NONET_ERROR_POSITION, [NONET_SETUP_MOVE] = NONET_ERROR_MOVE,
        [NONET_SETUP_MEMORY] = NONET_ERROR_MEMORY,
    };
    if (error != NULL) {
        struct nonet_text text = begin(error, codes[why->kind], why->why.phrase->key);
        nonet_setup_explain(why, library_catalogue(words), &text);
    }
    return (int)codes[why->kind];
}

int library_no_memory(struct nonet_error *error) {
    return library_fail(error, NONET_ERROR_MEMORY, "there is no memory left");
}

int library_bad_argument(struct nonet_error *error, const char *which) {
    if (error != NULL) {
        struct nonet_text text = begin(error, NONET_ERROR_ARGUMENT, "");
        nonet_text_format(&text, "the argument \"%s\" is null or out of its range", which);
    }
    return NONET_ERROR_ARGUMENT;
}
