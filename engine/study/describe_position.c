/* A position as JSON. It is apart from describe.c because the moves are sorted in memory of its
 * own.
 */
#include <stdlib.h>
#include <string.h>

#include "../rules/hidden.h"
#include "../rules/setup.h"
#include "describe.h"

typedef char move_text[NONET_MOVE_TEXT];

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Writes all legal moves sorted by their bytes, or null where there are too many. */
static bool write_legal(struct nonet_json *json, const struct nonet_session *session) {
    uint64_t count = nonet_session_count(session);
    nonet_json_number_member(json, "legal_count", (int64_t)count);
    nonet_json_name(json, "legal");
    if (count > DESCRIBE_MOST_LISTED) {
        nonet_json_null(json);
        return true;
    }
    move_text *texts = malloc((size_t)(count + 1) * sizeof *texts);
    if (texts == NULL)
        return false;
    const struct nonet_options *options = nonet_session_options(session);
    for (uint64_t i = 0; i < count; i++) {
        struct nonet_text text = NONET_TEXT_IN(texts[i]);
        options->game->print(options, nonet_session_nth(session, i), &text);
    }
    qsort(texts, (size_t)count, sizeof *texts, compare_texts);
    nonet_json_open(json, '[');
    for (uint64_t i = 0; i < count; i++)
        nonet_json_string(json, texts[i]);
    nonet_json_close(json, ']');
    free(texts);
    return true;
}

bool describe_position(struct nonet_text *out, const struct nonet_session *session, int viewer,
                       bool from_position) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    const void *state = nonet_session_state(session);
    struct nonet_state seen;
    bool all = viewer == DESCRIBE_ALL;
    if (!all)
        nonet_observe(options, state, viewer, &seen);
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    game->write(options, all ? state : &seen, &text);
    int turn = nonet_session_turn(session);

    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "game", game->id);
    nonet_setup_json_options(&json, options,
                             from_position ? NONET_TELL_RULES
                             : all         ? NONET_TELL_WHOLE
                                           : NONET_TELL_SEAT);
    nonet_json_string_member(&json, "text", line);
    if (viewer > NONET_SPECTATOR && game->hidden != NULL) {
        char secret[64];
        struct nonet_text own = NONET_TEXT_IN(secret);
        game->hidden->secret(options, &seen, viewer, &own);
        nonet_json_string_member(&json, game->hidden->secret_name, secret);
    }
    nonet_json_number_member(&json, "ply", nonet_session_ply(session));
    nonet_json_name(&json, "to_move");
    if (turn != 0)
        nonet_json_number(&json, turn);
    else
        nonet_json_null(&json);
    nonet_json_bool_member(&json, "over", turn == 0);
    describe_result(&json, session);
    bool done = write_legal(&json, session);
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
    return done;
}
