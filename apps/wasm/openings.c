/* What the page tells of openings: by which number their games were counted (study/openings.h), and
 * what a book says of a position (search/book.h). */
#include "study/openings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "page.h"
#include "search/book.h"
#include "study.h"

/* The number of the position after a move; 0 where there is none, or no such move. */
static uint64_t key_after(const struct nonet_session *session, const char *text) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_message why;
    nonet_move move;
    return options->game->parse(options, text, &move, &why) &&
                   nonet_session_legal(session, move, &why)
               ? opening_key(session, move)
               : 0;
}

/* Of the moves in the input, one in each line: the numbers as hexadecimal texts, empty for none. */
bool EXPORT(study_opening_keys)(void) {
    const struct nonet_session *session = page_session();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (char *line = strtok(page_input(), "\n"); line != NULL; line = strtok(NULL, "\n")) {
        uint64_t key = key_after(session, line);
        char name[17] = "";
        if (key != 0)
            snprintf(name, sizeof name, "%016" PRIx64, key);
        nonet_json_string(&json, name);
    }
    nonet_json_close(&json, ']');
    return page_answered(&text);
}

/* Of the book in the input: the moves that it names in this position, with their scores, best first
 * but for the one it would play. */
bool EXPORT(study_book_moves)(void) {
    static struct nonet_report report;
    const struct nonet_session *session = page_session();
    struct nonet_message why;
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    const struct nonet_options *options = nonet_session_options(session);
    if (!nonet_book_suits(options))
        return page_none();
    struct nonet_book *book = nonet_book_read(options, page_input(), &why);
    if (book == NULL)
        return page_refuse(&why);
    int named = nonet_book_report(book, nonet_session_state(session), 0, &report);
    nonet_book_free(book);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    for (int i = 0; i < named; i++) {
        char move[NONET_MOVE_TEXT];
        struct nonet_text name = NONET_TEXT_IN(move);
        options->game->print(options, report.moves[i].move, &name);
        nonet_json_number_member(&json, move, report.moves[i].score);
    }
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
