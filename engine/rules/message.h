/* What the engine says to people: a phrase with arguments, worded from a catalogue.
 *
 * A game never builds sentences. It names a phrase from its own table and gives the arguments; a
 * catalogue turns that into words. The phrase itself has the English text, beside the code that
 * uses it. Another language gives texts for keys, with the same `{0}`, `{1}` … in them. A catalogue
 * is a value that is passed along, so one process can speak several languages at once. */
#ifndef NONET_RULES_MESSAGE_H
#define NONET_RULES_MESSAGE_H

#include "../base/text.h"
#include "capacities.h"

struct nonet_phrase {
    const char *key; /* "ksar.same-height": the game's id (or "common"), then the name */
    const char *english;
};

struct nonet_argument {
    enum {
        NONET_ARG_NONE,
        NONET_ARG_NUMBER,
        NONET_ARG_PLAYER,
        NONET_ARG_HUNDREDTHS,
        NONET_ARG_TEXT,
        NONET_ARG_PHRASE
    } kind;
    int32_t number;
    union {
        const struct nonet_phrase *phrase;
        char text[NONET_ARGUMENT_TEXT];
    };
};

struct nonet_message {
    const struct nonet_phrase *phrase;                    /* null: nothing to say */
    struct nonet_argument arguments[NONET_ARGUMENTS + 1]; /* the last one ends nonet_say's list */
};

/* Usage: *why = nonet_say(&phrases[TAKEN], nonet_quote("c4"), nonet_number(3)); */
#define nonet_say(...) ((struct nonet_message)NONET_SAY_FIRST(__VA_ARGS__, {0}))
#define NONET_SAY_FIRST(phrase, ...)                                                               \
    {                                                                                              \
        phrase, {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* In the header because results are counted at the end of every random game. */
static inline struct nonet_argument nonet_number(int32_t number) {
    return (struct nonet_argument){.kind = NONET_ARG_NUMBER, .number = number};
}
/* The number of a player. It is told from other numbers because players can change sides (swap.h).
 */
static inline struct nonet_argument nonet_player(int player) {
    return (struct nonet_argument){.kind = NONET_ARG_PLAYER, .number = player};
}
/* A number of hundredths, not negative, with the decimal mark of the language: 1250 is "12.50". */
struct nonet_argument nonet_hundredths(int32_t number);
struct nonet_argument nonet_word(const struct nonet_phrase *phrase);
/* Text from outside is cut to size and stripped of control characters; null is an empty text. */
struct nonet_argument nonet_quote(const char *text);

/* A catalogue gives a phrase's text in its language, or null if it has none. The context belongs to
 * the catalogue: it says where to find the texts. */
struct nonet_catalogue {
    const char *(*text)(const void *context, const struct nonet_phrase *phrase);
    const void *context;
};

/* The words of a language from lines "key<TAB>text", as a catalogue's context. The bytes are the
 * caller's; there must be as many as the lines have, their zero byte included. A line without a tab
 * is ignored. */
struct nonet_wording {
    char *bytes; /* keys and texts by turns, each ended by a zero byte */
    size_t size;
};
struct nonet_wording nonet_wording_read(const char *lines, char *bytes);
const char *nonet_wording_text(const void *wording, const struct nonet_phrase *phrase);

/* Appends the message in the catalogue's words; null stands for English. */
void nonet_message_write(const struct nonet_message *message,
                         const struct nonet_catalogue *catalogue, struct nonet_text *out);

#endif
