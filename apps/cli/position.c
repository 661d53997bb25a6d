/* nonet position: everything about a position, as JSON for programs. */
#include <stdlib.h>

#include "cli.h"
#include "study/describe.h"

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
    char *bytes = malloc(DESCRIBE_POSITION_ROOM);
    bool done = false;
    if (bytes != NULL) {
        struct nonet_text text = nonet_text_in(bytes, DESCRIBE_POSITION_ROOM);
        done = describe_position(&text, session, seat != 0 ? seat : DESCRIBE_ALL,
                                 arguments.from != NULL);
    }
    code = done ? cli_output(bytes) : cli_fail(CLI_FAILED, "there is no memory left");
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
