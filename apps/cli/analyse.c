/* nonet analyse: reviews whole games. It shows which moves were good, which were not, and what
 * would have been better: as a table for people, or as JSON for programs. */
#include "host/thinker.h"
#include "study/describe.h"

#include <stdlib.h>
#include <string.h>

#include "host/record.h"
#include "progress.h"
#include "think_flags.h"

/* ---- For programs ---- */

static void write_json(const struct analysis *analysis, const struct record *record,
                       const char *name, struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(record->session);
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_name(&json, "file");
    nonet_json_string(&json, name);
    nonet_json_name(&json, "game");
    nonet_json_string(&json, options->game->id);
    nonet_json_name(&json, "over");
    nonet_json_bool(&json, nonet_session_turn(record->session) == 0);
    describe_analysis(&json, options, analysis);
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
}

/* ---- For people ---- */

/* "won in 5", "lost by 3", "drawn"; "62 %", the share of a win to expect; "~62 %" of a guess. */
static void say_worth(const struct nonet_opinion *opinion, struct nonet_text *out) {
    static const char *const words[] = {"lost", "drawn", "won"};
    const struct nonet_value *value = &opinion->value;
    if (opinion->known != NONET_PROVEN) {
        nonet_text_format(out, "%s%d %%", opinion->known == NONET_ESTIMATED ? "~" : "",
                          (opinion->score + NONET_SCORE_WON) * 100 / (2 * NONET_SCORE_WON));
        return;
    }
    nonet_text_add(out, words[value->outcome]);
    if (value->has_margin && value->outcome != NONET_DRAW)
        nonet_text_format(out, " by %d", abs(value->margin));
    else if (!value->has_margin && value->outcome != NONET_DRAW && value->distance >= 0)
        nonet_text_format(out, " in %d", value->distance);
}

static void say_move(const struct nonet_options *options, const struct analysis_move *move,
                     int number, struct nonet_text *out) {
    char played[NONET_MOVE_TEXT + 4], worth[32];
    struct nonet_text text = NONET_TEXT_IN(played), value = NONET_TEXT_IN(worth);
    options->game->print(options, move->move, &text);
    nonet_text_format(&text, " %s", describe_marks[move->mark]);
    if (move->judged)
        say_worth(&move->played, &value);
    else
        nonet_text_add(&value, "-");
    bool better = move->mark == ANALYSIS_POOR || move->mark == ANALYSIS_AWFUL;
    nonet_text_format(out, better ? "%5d  %-6d  %-16s  %-10s  " : "%5d  %-6d  %-16s  %s", number,
                      move->player, played, worth);
    if (better) {
        enum { SHOWN = 5 }; /* moves of a line: as many as a reader can follow */
        say_worth(&move->best, out);
        nonet_text_char(out, ':');
        for (int i = 0; i < move->line_length && i < SHOWN; i++) {
            nonet_text_char(out, ' ');
            options->game->print(options, move->line[i], out);
        }
    }
    nonet_text_char(out, '\n');
}

static void say_count(int count, const char *what, struct nonet_text *out) {
    if (count > 0)
        nonet_text_format(out, ", %d %s%s", count, what, count == 1 ? "" : "s");
}

static void say_summary(const struct analysis *analysis, const struct nonet_options *options,
                        struct nonet_text *out) {
    for (int i = 0; i < options->players; i++) {
        const struct analysis_player *player = &analysis->players[i];
        nonet_text_format(out, "Player %d: ", i + 1);
        if (player->counted == 0) {
            nonet_text_add(out, "no move that made a difference.\n");
            continue;
        }
        nonet_text_format(out, "accuracy %d.%d %% in %d move%s", player->accuracy / 10,
                          player->accuracy % 10, player->counted, player->counted == 1 ? "" : "s");
        say_count(player->mistakes, "mistake", out);
        say_count(player->blunders, "blunder", out);
        nonet_text_add(out, ".\n");
    }
    for (int i = 0; i < analysis->count; i++)
        if (analysis->moves[i].turned) {
            nonet_text_format(out, "The result changed with move %d, ", i + 1);
            options->game->print(options, analysis->moves[i].move, out);
            nonet_text_format(out, " of player %d.\n", analysis->moves[i].player);
        }
}

static void write_table(const struct analysis *analysis, const struct record *record,
                        struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(record->session);
    nonet_text_format(out, "%s, %d move%s. ", options->game->title, analysis->count,
                      analysis->count == 1 ? "" : "s");
    if (nonet_session_turn(record->session) == 0)
        cli_say_result(record->session, out);
    else
        nonet_text_add(out, "The game is not over.\n");
    nonet_text_add(out, "\n move  player  played            worth       better\n");
    for (int i = 0; i < analysis->count; i++)
        say_move(options, &analysis->moves[i], i + 1, out);
    nonet_text_char(out, '\n');
    say_summary(analysis, options, out);
    nonet_text_add(out,
                   "\nWorth is what a move leads to for the player who made it. Won, drawn and "
                   "lost are proven, with\nthe plies to the end or the margin; 62 % is the "
                   "share of a win to expect, by search; ~62 %\nis estimated.\n");
}

/* ---- Files ---- */

struct watching {
    struct cli_progress progress;
    int positions;
};

static bool show(void *context, int done) {
    struct watching *watching = context;
    char what[64];
    struct nonet_text text = NONET_TEXT_IN(what);
    nonet_text_format(&text, "position %d of %d", done + 1, watching->positions);
    double spent = cli_progress_seconds(&watching->progress);
    cli_progress_show(&watching->progress, what, (double)done / watching->positions,
                      done > 0 ? spent / done * (watching->positions - done) : -1);
    return true;
}

/* The player that thinks for the analysis, and its limits. */
struct judge {
    struct thinker *thinker;
    const struct thinker_limits *limits;
};

static const struct nonet_report *think(void *context, const struct nonet_session *session) {
    struct judge *judge = context;
    return thinker_think(judge->thinker, session, NONET_SEARCH_LEVELS, judge->limits);
}

static bool look_at_game(struct analysis *analysis, struct nonet_session *session,
                         const struct thinker_limits *limits, struct watching *watching) {
    struct judge judge = {thinker_open(nonet_session_options(session)), limits};
    if (judge.thinker == NULL)
        return false;
    cli_note(thinker_prepare(judge.thinker, NONET_SEARCH_LEVELS));
    bool done =
        analysis_run(analysis, session, &(struct analysis_judge){think, &judge}, show, watching);
    thinker_close(judge.thinker);
    return done;
}

static int analyse(const char *path, bool as_json, bool named,
                   const struct thinker_limits *limits) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const char *name = strcmp(path, "-") == 0 ? "the standard input" : cli_printable(path);
    struct record record;
    if (!record_read_file(path, &record, &why))
        return cli_fail(CLI_FAILED, "%s: %s", name, reason);
    struct watching watching = {.positions = nonet_session_ply(record.session) + 1};
    cli_progress_begin(&watching.progress);
    struct analysis analysis;
    bool done = look_at_game(&analysis, record.session, limits, &watching);
    cli_progress_end(&watching.progress);
    int code = CLI_FAILED;
    size_t room =
        4096 + (size_t)watching.positions * ((NONET_SEARCH_LINE + 4) * NONET_MOVE_TEXT + 512);
    char *bytes = done ? malloc(room) : NULL;
    if (bytes != NULL) {
        struct nonet_text text = nonet_text_in(bytes, room);
        if (as_json)
            write_json(&analysis, &record, path, &text);
        else if (named)
            nonet_text_format(&text, "%s: ", name);
        if (!as_json)
            write_table(&analysis, &record, &text);
        code = cli_output(bytes);
    } else {
        cli_fail(CLI_FAILED, "there is no memory left");
    }
    free(bytes);
    if (done)
        analysis_close(&analysis);
    record_close(&record);
    return code;
}

static int run(int argc, char **argv) {
    struct cli_think_flags thinking = {0};
    bool as_json = false;
    const struct cli_flag flags[] = {CLI_THINK_FLAGS(thinking), {"--json", NULL, &as_json}, {0}};
    char **words;
    int count, level, code = cli_parse_words(argc, argv, flags, &words, &count);
    struct thinker_limits limits;
    if (code == CLI_DONE)
        code = cli_think_flags_read(&thinking, &level, &limits);
    if (code != CLI_DONE)
        return code;
    if (thinking.level != NULL)
        return cli_fail(CLI_USAGE,
                        "games are analysed at the highest level, so there is no --level");
    if (count == 0)
        return cli_fail(CLI_USAGE, "name a file; - is the standard input");
    if (limits.nodes == 0 && limits.seconds <= 0)
        limits.seconds = 1;
    for (int i = 0; i < count; i++) {
        if (i > 0 && !as_json && cli_output("\n") != CLI_DONE)
            return CLI_FAILED;
        if (analyse(words[i], as_json, count > 1, &limits) != CLI_DONE)
            code = CLI_FAILED;
    }
    return code;
}

const struct cli_command cli_analyse = {
    .name = "analyse",
    .usage = "FILE… [--nodes N] [--time S] [--json]",
    .brief = "review a game: good moves, mistakes, and what was better",
    .help =
        "  FILE           a record, as nonet play saves it; - is the standard input\n"
        "  --nodes N      search at most N positions for each move of the game\n"
        "  --time S       think for at most S seconds about each move; by default 1\n"
        "  --seed S       a number that fixes all random choices\n"
        "  --threads T    search on T threads; with more than one, answers may vary\n"
        "  --memory SIZE  memory for the searches, such as 256M; by default 64M\n"
        "  --json         for programs: one line of JSON for each file\n\n"
        "A move is marked ? if it gave away a tenth of a win, ?? if three tenths or more, and !\n"
        "if every other move is known to be ??. See docs/analysis.md.\n",
    .run = run,
};
