/* nonet replay: checks a game record, every move and the result, and says how the game ended. */
#include <string.h>

#include "cli.h"
#include "host/record.h"
#include "words.h"

static int run(int argc, char **argv) {
    const struct cli_flag flags[] = {{0}};
    char **words;
    int count;
    int code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count != 1)
        return cli_fail(CLI_USAGE, "name one file; - is the standard input");
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record;
    if (!record_read_file(words[0], &record, &why))
        return cli_fail(CLI_FAILED, "%s: %s",
                        strcmp(words[0], "-") == 0 ? "the standard input" : cli_printable(words[0]),
                        reason);
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    int ply = nonet_session_ply(record.session);
    const struct nonet_options *options = nonet_session_options(record.session);
    nonet_text_format(&text, "%s, %d move%s, all legal.\n", options->game->title, ply,
                      ply == 1 ? "" : "s");
    if (nonet_session_turn(record.session) != 0)
        nonet_text_format(&text, "The game is not over: player %d is to move.\n",
                          nonet_session_turn(record.session));
    else
        cli_say_result(record.session, &text);
    record_close(&record);
    return cli_output(bytes);
}

const struct cli_command cli_replay = {
    .name = "replay",
    .usage = "FILE",
    .brief = "check a game record and say how the game ended",
    .help = "  FILE           a record, as nonet play saves it; - is the standard input\n\n"
            "Plays every move and compares the stated result with the true one. The first\n"
            "error is reported on the standard error, with exit code 1.\n",
    .run = run,
};
