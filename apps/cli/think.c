/* nonet think: what a player thinks of a position, as JSON for programs. docs/analysis.md describes
 * it. With --batch, of many positions: think_batch.c. */
#include "think.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "progress.h"
#include "think_flags.h"

static struct thinker *thinker_for(struct think_mind *mind, const struct nonet_options *options,
                                   int level) {
    char wanted[THINK_OPTIONS];
    struct nonet_text text = NONET_TEXT_IN(wanted);
    nonet_options_write(options, &text);
    if (mind->thinker == NULL || strcmp(wanted, mind->options) != 0) {
        thinker_close(mind->thinker);
        mind->thinker = thinker_open(options);
        strcpy(mind->options, wanted);
    }
    if (mind->thinker != NULL) {
        thinker_new_game(mind->thinker); /* no answer depends on earlier questions */
        /* This does not count as thinking time. */
        cli_note(cli_prepare(mind->thinker, level));
    }
    return mind->thinker;
}

bool think_about(struct think_mind *mind, const struct nonet_session *session, int level,
                 const struct thinker_limits *limits, struct nonet_json *json) {
    if (nonet_session_turn(session) == 0) {
        describe_no_thoughts(json, session);
        return true;
    }
    const struct nonet_options *options = nonet_session_options(session);
    struct thinker *thinker = thinker_for(mind, options, level);
    const struct nonet_report *report =
        thinker != NULL ? thinker_think(thinker, session, level, limits) : NULL;
    if (report == NULL)
        return false;
    describe_thoughts(json, options, report, thinker_seconds(thinker));
    return true;
}

/* ---- One position ---- */

struct watching {
    struct cli_progress progress;
    const struct thinker_limits *limits;
};

static bool show(void *context, const struct nonet_report *report, double seconds) {
    struct watching *watching = context;
    const struct thinker_limits *limits = watching->limits;
    char what[64];
    struct nonet_text text = NONET_TEXT_IN(what);
    nonet_text_format(&text, "thinking, %llu thousand positions",
                      (unsigned long long)report->nodes / 1000);
    double share = limits->seconds > 0 ? seconds / limits->seconds
                   : limits->nodes > 0 ? (double)report->nodes / (double)limits->nodes
                                       : 0;
    cli_progress_show(&watching->progress, what, share, share > 0 ? seconds / share - seconds : -1);
    return true;
}

static int think_once(struct cli_arguments *arguments, int level, struct thinker_limits *limits) {
    if (arguments->game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    int code;
    struct nonet_session *session =
        cli_open(arguments, arguments->words, arguments->word_count, &code);
    if (session == NULL)
        return code;
    struct watching watching = {.limits = limits};
    cli_progress_begin(&watching.progress);
    limits->progress = show;
    limits->context = &watching;
    struct think_mind mind = {0};
    char *bytes = malloc(THINK_ROOM);
    bool done = false;
    if (bytes != NULL) {
        struct nonet_text text = nonet_text_in(bytes, THINK_ROOM);
        struct nonet_json json = nonet_json_in(&text);
        nonet_json_open(&json, '{');
        done = think_about(&mind, session, level, limits, &json);
        nonet_json_close(&json, '}');
        nonet_text_char(&text, '\n');
    }
    cli_progress_end(&watching.progress);
    code = done ? cli_output(bytes) : cli_fail(CLI_FAILED, "there is no memory left");
    free(bytes);
    thinker_close(mind.thinker);
    nonet_session_free(session);
    return code;
}

static int run(int argc, char **argv) {
    struct cli_think_flags thinking = {0};
    const char *parallel = NULL;
    bool batch = false, book = false;
    const struct cli_flag flags[] = {CLI_THINK_FLAGS(thinking),
                                     {"--batch", NULL, &batch},
                                     {"--parallel", &parallel, NULL},
                                     {"--book", NULL, &book},
                                     {0}};
    struct cli_arguments arguments;
    int level, code = cli_parse(argc, argv, flags, &arguments);
    struct thinker_limits limits;
    if (code == CLI_DONE)
        code = cli_think_flags_read(&thinking, &level, &limits);
    if (code != CLI_DONE)
        return code;
    limits.whole_line = true;
    limits.book = book;
    uint64_t at_once = 1;
    code = cli_number_flag("--parallel", parallel, 1, THINK_MOST_PARALLEL, &at_once);
    if (code != CLI_DONE)
        return code;
    if (!batch)
        return parallel == NULL ? think_once(&arguments, level, &limits)
                                : cli_fail(CLI_USAGE, "--parallel is for --batch");
    if (arguments.game != NULL || arguments.from != NULL)
        return cli_fail(CLI_USAGE, "with --batch, each line names its game and position");
    return think_in_batch((int)at_once, level, &limits);
}

const struct cli_command cli_think = {
    .name = "think",
    .usage = "GAME [-o key=value]… [--from TEXT] [--level L] [--nodes N] [--time S] [MOVE]…\n"
             "       nonet think --batch [--parallel N] [--level L] [--nodes N] [--time S]",
    .brief = "what a computer player thinks of a position, as JSON",
    .help = "  -o key=value   set an option of the game; nonet games lists them\n"
            "  --from TEXT    begin at this position (the \"text\" of nonet "
            "position)\n" CLI_THINK_HELP
            "  --batch        read a question on each line of the standard input, such as\n"
            "                 {\"id\":1,\"game\":\"trix\",\"moves\":[],\"nodes\":1000}, and answer "
            "each\n"
            "                 by a line with the same id\n"
            "  --parallel N   think about up to N of these questions at once; by default 1\n"
            "  --book         at level 10, answer from the book of openings if it knows the "
            "position\n\n"
            "Without --nodes and --time the level decides: a number of positions, or at the\n"
            "highest level two seconds. The player knows what the seat to move may know, and no\n"
            "more. docs/analysis.md explains the answer.\n",
    .run = run,
};
