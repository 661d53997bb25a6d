/* nonet probe: the proven value of a position and of each of its moves, as JSON for programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "probe_limits.h"

/* Plays the moves of a line, separated by spaces; false with the reason. */
static bool play_line(struct nonet_session *session, char *line, struct nonet_text *why) {
    char *rest = NULL;
    for (char *move = strtok_r(line, " \t\r", &rest); move != NULL;
         move = strtok_r(NULL, " \t\r", &rest)) {
        struct nonet_message message;
        if (nonet_session_play_text(session, move, &message))
            continue;
        nonet_text_format(why, "%s: ", cli_printable(move));
        nonet_message_write(&message, host_language, why);
        return false;
    }
    return true;
}

/* The session that a line is about: this one, or, where the line begins with a position in quotes,
 * one of its own that begins there. Null with the reason. */
static struct nonet_session *session_of(struct nonet_session *session, char **line,
                                        struct nonet_text *why) {
    if (**line != '"')
        return session;
    char *text = *line + 1, *end = strchr(text, '"');
    if (end == NULL) {
        host_refuse(why, "the position has no quote at its end");
        return NULL;
    }
    *end = '\0';
    *line = end + 1;
    const struct nonet_setup setup = {*nonet_session_options(session), text};
    struct nonet_setup_error error;
    struct nonet_session *own = nonet_setup_open(&setup, NULL, &error);
    if (own == NULL)
        nonet_setup_explain(&error, host_language, why);
    return own;
}

static int answer_line(struct nonet_session *session, struct prober *prober, char *line,
                       unsigned long number, char *out, struct cli_progress *progress) {
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason), text = nonet_text_in(out, PROBER_ROOM);
    int start = nonet_session_ply(session);
    struct nonet_session *here = session_of(session, &line, &why);
    bool proven =
        here != NULL && play_line(here, line, &why) && prober_describe(prober, here, &text, &why);
    cli_progress_end(progress);
    int code = proven ? cli_output(out) : cli_fail(CLI_FAILED, "line %lu: %s", number, reason);
    if (here != session)
        nonet_session_free(here);
    while (nonet_session_ply(session) > start)
        nonet_session_undo(session);
    return code;
}

/* Answers every line of the input, with a line each, before it waits for the next. */
static int answer_lines(struct nonet_session *session, struct prober *prober, char *out,
                        struct cli_progress *progress) {
    enum { MOST_BYTES = 1 << 20 }; /* of a line */
    char *line = malloc(MOST_BYTES);
    int code = line != NULL ? CLI_DONE : cli_fail(CLI_FAILED, "there is no memory left");
    for (unsigned long number = 1; code == CLI_DONE && fgets(line, MOST_BYTES, stdin) != NULL;
         number++) {
        size_t length = strlen(line);
        if (length == MOST_BYTES - 1 && line[length - 1] != '\n') {
            code = cli_fail(CLI_FAILED, "line %lu: it is longer than %d bytes", number,
                            MOST_BYTES - 2);
        } else {
            line[strcspn(line, "\n")] = '\0';
            code = answer_line(session, prober, line, number, out, progress);
        }
    }
    if (code == CLI_DONE && ferror(stdin))
        code = cli_fail(CLI_FAILED, "the standard input cannot be read: %s", host_error(errno));
    free(line);
    return code;
}

static int answer(struct nonet_session *session, const struct prober_limits *limits, bool batch,
                  struct cli_progress *progress) {
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct prober *prober = prober_open(nonet_session_options(session), limits, &why);
    if (prober == NULL) {
        cli_progress_end(progress);
        return cli_fail(CLI_FAILED, "%s", reason);
    }
    int code = CLI_FAILED;
    char *out = malloc(PROBER_ROOM);
    if (out == NULL) {
        cli_fail(CLI_FAILED, "there is no memory left");
    } else if (batch) {
        code = answer_lines(session, prober, out, progress);
    } else {
        struct nonet_text text = nonet_text_in(out, PROBER_ROOM);
        bool proven = prober_describe(prober, session, &text, &why);
        cli_progress_end(progress);
        if (proven)
            code = cli_output(out);
        else
            cli_fail(CLI_FAILED, "%s", reason);
    }
    free(out);
    prober_close(prober);
    return code;
}

static int run(int argc, char **argv) {
    const char *time = "300";
    bool batch = false;
    const struct cli_flag flags[] = {{"--time", &time, NULL}, {"--batch", NULL, &batch}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    uint64_t seconds;
    if (!cli_number(time, 1000000, &seconds))
        return cli_fail(CLI_USAGE, "--time cannot be \"%s\"; it is a number of seconds",
                        nonet_quote(time).text);
    struct nonet_session *session =
        cli_open(&arguments, arguments.words, arguments.word_count, &code);
    if (session == NULL)
        return code;
    struct cli_progress progress;
    struct prober_limits limits = cli_probe_limits(seconds, &progress);
    code = answer(session, &limits, batch, &progress);
    nonet_session_free(session);
    return code;
}

const struct cli_command cli_probe = {
    .name = "probe",
    .usage = "GAME [-o key=value]… [--from TEXT] [--time S] [--batch] [MOVE]…",
    .brief = "the proven value of a position and its moves, as JSON",
    .help = "  -o key=value   set an option of the game; nonet games lists them\n"
            "  --from TEXT    begin at this position (the \"text\" of nonet position)\n"
            "  --time S       give up a search after S seconds; by default 300\n"
            "  --batch        answer many questions: each line of the standard input has further\n"
            "                 moves, or a position in double quotes and moves from there, and is\n"
            "                 answered by a line\n\n"
            "Values come from tables. The program looks for them in $NONET_TABLES, in the user's "
            "cache\n"
            "folder, and among the tables that ship with it. Small ones are built on first use.\n"
            "Games without a table are searched to the end where that is possible.\n",
    .run = run,
};
