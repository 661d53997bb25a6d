#include "notation.h"

#include <string.h>

struct nonet_argument nonet_hundredths(int32_t number) {
    return (struct nonet_argument){.kind = NONET_ARG_HUNDREDTHS, .number = number};
}

struct nonet_argument nonet_word(const struct nonet_phrase *phrase) {
    return (struct nonet_argument){.kind = NONET_ARG_PHRASE, .phrase = phrase};
}

struct nonet_argument nonet_quote(const char *text) {
    struct nonet_argument argument = {.kind = NONET_ARG_TEXT};
    size_t i = 0;
    for (; text != NULL && text[i] != '\0' && i < NONET_ARGUMENT_TEXT - 1; i++) {
        unsigned char c = (unsigned char)text[i];
        argument.text[i] = c < 0x20 || c >= 0x7f ? '?' : (char)c;
    }
    return argument;
}

static const char *worded(const struct nonet_phrase *phrase,
                          const struct nonet_catalogue *catalogue) {
    const char *text = catalogue != NULL ? catalogue->text(catalogue->context, phrase) : NULL;
    return text != NULL ? text : phrase->english;
}

static void write_argument(const struct nonet_argument *argument,
                           const struct nonet_catalogue *catalogue, struct nonet_text *out) {
    switch (argument->kind) {
    case NONET_ARG_NONE:
        break;
    case NONET_ARG_NUMBER:
    case NONET_ARG_PLAYER:
        nonet_text_format(out, "%d", (int)argument->number);
        break;
    case NONET_ARG_HUNDREDTHS:
        nonet_text_format(out, "%d%s%02d", (int)argument->number / 100,
                          worded(&nonet_common[NONET_SAY_DECIMAL_MARK], catalogue),
                          (int)argument->number % 100);
        break;
    case NONET_ARG_TEXT:
        nonet_text_add(out, argument->text);
        break;
    case NONET_ARG_PHRASE:
        nonet_text_add(out, worded(argument->phrase, catalogue));
        break;
    }
}

void nonet_message_write(const struct nonet_message *message,
                         const struct nonet_catalogue *catalogue, struct nonet_text *out) {
    if (message->phrase == NULL)
        return;
    for (const char *c = worded(message->phrase, catalogue); *c != '\0'; c++) {
        if (c[0] == '{' && c[1] >= '0' && c[1] < '0' + NONET_ARGUMENTS && c[2] == '}') {
            write_argument(&message->arguments[c[1] - '0'], catalogue, out);
            c += 2;
        } else {
            nonet_text_char(out, *c);
        }
    }
}

struct nonet_wording nonet_wording_read(const char *lines, char *bytes) {
    struct nonet_wording wording = {bytes, 0};
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        const char *tab = memchr(lines, '\t', length);
        if (tab != NULL) {
            char *entry = bytes + wording.size;
            memcpy(entry, lines, length);
            entry[tab - lines] = '\0';
            entry[length] = '\0';
            wording.size += length + 1;
        }
        lines += length + (lines[length] == '\n');
    }
    return wording;
}

const char *nonet_wording_text(const void *wording, const struct nonet_phrase *phrase) {
    const struct nonet_wording *words = wording;
    for (size_t at = 0; at < words->size;) {
        const char *key = words->bytes + at, *text = key + strlen(key) + 1;
        if (strcmp(key, phrase->key) == 0)
            return text;
        at += (size_t)(text - key) + strlen(text) + 1;
    }
    return NULL;
}
