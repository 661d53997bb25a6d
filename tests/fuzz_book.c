/* Fuzz target for books of openings: the first byte says which game, the rest is a book without its
 * first and last line, which are put around it. A book that is accepted is asked about a game, and
 * which position comes next. */
#include <stdlib.h>
#include <string.h>

#include "fuzzing.h"
#include "search/book.h"

static void play_by(const struct nonet_book *book, const struct nonet_options *options) {
    static struct nonet_report report;
    struct nonet_state state;
    struct nonet_message why;
    options->game->start(options, &state, NULL);
    for (uint64_t ply = 0; nonet_book_report(book, &state, ply, &report) > 0; ply++) {
        PROMISE(options->game->why(options, &state, report.moves[0].move, &why));
        options->game->play(options, &state, NULL, report.moves[0].move);
        if (ply == 40)
            break;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    static const char *const games[] = {"ksar:frame=6x6", "chasm:players=3", "kolem:steps=8",
                                        "quadrangle:rectangles=any",
                                        "trix:camps=corner,goal=three"};
    struct nonet_options options;
    struct nonet_message why;
    if (size < 1 || size > 1 << 14)
        return 0;
    const char *name = games[bytes[0] % (sizeof games / sizeof games[0])];
    PROMISE(nonet_options_read(name, &options, &why));
    char *room = malloc(size + 256);
    if (room == NULL)
        return 0;
    struct nonet_text text = nonet_text_in(room, size + 256);
    nonet_book_begin(&options, "by nobody", &text);
    nonet_text_bytes(&text, (const char *)bytes + 1, strnlen((const char *)bytes + 1, size - 1));
    nonet_book_end(&text);
    struct nonet_book *book = nonet_book_read(&options, room, &why);
    if (book != NULL) {
        struct nonet_state next;
        play_by(book, &options);
        nonet_book_next(book, &next);
    }
    nonet_book_free(book);
    free(room);
    return 0;
}
