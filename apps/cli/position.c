/* nonet position: everything about a position, as JSON for programs. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "rules/hidden.h"
#include "study/describe.h"

/* Above this number, legal moves are counted, not listed. */
enum { MOST_LISTED = 10000 };

typedef char move_text[NONET_MOVE_TEXT];

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Writes all legal moves sorted by their bytes, or null where there are too many. */
static bool write_legal(struct nonet_json *json, const struct nonet_session *session) {
    uint64_t count = nonet_session_count(session);
    nonet_json_number_member(json, "legal_count", (int64_t)count);
    nonet_json_name(json, "legal");
    if (count > MOST_LISTED) {
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

/* `seat` is 0 for a viewer who may know everything. */
static bool describe(const struct nonet_session *session, int seat, bool from_position,
                     struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    const void *state = nonet_session_state(session);
    struct nonet_state seen;
    if (seat != 0)
        nonet_observe(options, state, seat, &seen);
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    game->write(options, seat != 0 ? &seen : state, &text);
    int turn = nonet_session_turn(session);

    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "game", game->id);
    nonet_setup_json_options(&json, options,
                             from_position ? NONET_TELL_RULES
                             : seat != 0   ? NONET_TELL_SEAT
                                           : NONET_TELL_WHOLE);
    nonet_json_string_member(&json, "text", line);
    if (seat != 0 && game->hidden != NULL) {
        char secret[64];
        struct nonet_text own = NONET_TEXT_IN(secret);
        game->hidden->secret(options, &seen, seat, &own);
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

static int run(int argc, char **argv) {
    const char *as = NULL;
    const struct cli_flag flags[] = {{"--as", &as, NULL}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    int seat;
    code = cli_seat(as, arguments.options.players, &seat);
    if (code != CLI_DONE)
        return code;
    struct nonet_session *session =
        cli_open(&arguments, arguments.words, arguments.word_count, &code);
    if (session == NULL)
        return code;
    enum { ROOM = (MOST_LISTED + 1) * (NONET_MOVE_TEXT + 4) + NONET_POSITION_TEXT + 4096 };
    char *bytes = malloc(ROOM);
    if (bytes != NULL) {
        struct nonet_text text = nonet_text_in(bytes, ROOM);
        if (describe(session, seat, arguments.from != NULL, &text))
            code = cli_output(bytes);
        else
            code = cli_fail(CLI_FAILED, "there is no memory left");
    } else {
        code = cli_fail(CLI_FAILED, "there is no memory left");
    }
    free(bytes);
    nonet_session_free(session);
    return code;
}

const struct cli_command cli_position = {
    .name = "position",
    .usage = "GAME [-o key=value]… [--from TEXT] [--as N] [MOVE]…",
    .brief = "a position as JSON: legal moves, whose turn, result",
    .help = "  -o key=value   set an option of the game; nonet games lists them\n"
            "  --from TEXT    begin at this position (the \"text\" of an earlier answer)\n"
            "  --as N         show only what player N may know\n",
    .run = run,
};
