#include "promise.h"

#include <string.h>

bool promise_add_line(struct promise *promise) {
    if (promise->count == PROMISE_LINES)
        return false;
    promise->lines[promise->count++].length = 0;
    return true;
}

bool promise_add_move(struct promise *promise, nonet_move move) {
    struct promise_line *line = &promise->lines[promise->count - 1];
    if (line->length == PROMISE_PLIES)
        return false;
    line->moves[line->length++] = move;
    return true;
}

/* Reads a move and moves past it. */
static bool read_move(const struct nonet_options *options, const char **at, nonet_move *move,
                      struct nonet_text *why) {
    char text[NONET_MOVE_TEXT];
    struct nonet_message message = {0};
    size_t length = strcspn(*at, "\n");
    if (length >= sizeof text) {
        nonet_text_add(why, "no move is so long");
        return false;
    }
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length + ((*at)[length] == '\n');
    if (options->game->parse(options, text, move, &message))
        return true;
    nonet_message_write(&message, NULL, why);
    return false;
}

bool promise_read(struct promise *promise, const struct nonet_options *options, const char *text,
                  struct nonet_text *why) {
    promise->count = 0;
    while (*text != '\0') {
        bool fits = promise_add_line(promise);
        do {
            nonet_move move;
            if (fits && !read_move(options, &text, &move, why))
                return false;
            fits = fits && promise_add_move(promise, move);
            if (!fits) {
                nonet_text_format(why, "there is room for %d lines of %d moves", PROMISE_LINES,
                                  PROMISE_PLIES);
                return false;
            }
        } while (*text != '\n' && *text != '\0');
        text += *text == '\n';
    }
    return true;
}

bool promise_check(const struct promise *promise) {
    if (promise->count < 0 || promise->count > PROMISE_LINES)
        return false;
    for (int i = 0; i < promise->count; i++)
        if (promise->lines[i].length < 1 || promise->lines[i].length > PROMISE_PLIES)
            return false;
    return true;
}

void promise_advance(struct promise *promise, nonet_move move) {
    int kept = 0;
    for (int i = 0; i < promise->count; i++) {
        struct promise_line line = promise->lines[i];
        if (line.moves[0] != move || line.length == 1)
            continue;
        line.length--;
        memmove(line.moves, line.moves + 1, line.length * sizeof line.moves[0]);
        promise->lines[kept++] = line;
    }
    promise->count = kept;
}

int promise_common(const struct promise_line *one, const struct promise_line *two) {
    int count = 0;
    while (count < one->length && count < two->length && one->moves[count] == two->moves[count])
        count++;
    return count;
}
