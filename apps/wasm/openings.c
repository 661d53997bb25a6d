/* By which number the games of an opening were counted: study/openings.h, for the page. */
#include "study/openings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "page.h"
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
