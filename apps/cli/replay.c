/* nonet replay: checks a game record, every move and the result, and says how the game ended. */
#include <string.h>

#include "cli.h"
#include "host/record.h"
#include "words.h"

static int run(int argc, char **argv) {
    char **words;
    int count, code = cli_parse_words(argc, argv, &(struct cli_flag){0}, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count != 1)
        return cli_fail(CLI_USAGE, "name one file; - is the standard input");
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record;
    if (!record_read_file(words[0], &record, &why))
        return cli_fail(CLI_FAILED, "%s: %s", cli_file_name(words[0]), reason);
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    int ply = nonet_session_ply(record.session);
    const struct nonet_options *options = nonet_session_options(record.session);
    cli_write(&text, nonet_say(&cli_words[ply == 1 ? WORD_ONE_LEGAL : WORD_ALL_LEGAL],
                               nonet_quote(options->game->title), nonet_number(ply)));
    nonet_text_char(&text, '\n');
    if (nonet_session_turn(record.session) != 0) {
        cli_write(&text, nonet_say(&cli_words[WORD_STILL_TO_MOVE],
                                   nonet_number(nonet_session_turn(record.session))));
        nonet_text_char(&text, '\n');
    } else {
        cli_say_result(record.session, &text);
    }
    record_close(&record);
    return cli_output_words(bytes);
}

const struct cli_command cli_replay = {
    .name = "replay",
    .usage = "FILE [--lang L]",
    .brief = "check a game record and say how the game ended",
    .help = "  FILE           a record, as nonet play saves it; - is the standard input\n"
            "  --lang L       in this language: en, fr, de, nl or it; by default yours\n\n"
            "Plays every move and compares the stated result with the true one. The first\n"
            "error is reported on the standard error, with exit code 1.\n",
    .run = run,
};
