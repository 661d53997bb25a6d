/* nonet analyse: reviews whole games. It shows which moves were good, which were not, and what
 * would have been better: as a table for people, or as JSON for programs. */
#include <stdlib.h>
#include <string.h>

#include "host/clock.h"
#include "host/prober.h"
#include "host/record.h"
#include "progress.h"
#include "study/describe.h"
#include "think_flags.h"
#include "words.h"

/* ---- For programs ---- */

static void write_json(const struct review *review, const struct record *record, const char *name,
                       struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(record->session);
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "file", name);
    nonet_json_string_member(&json, "game", options->game->id);
    nonet_json_bool_member(&json, "over", nonet_session_turn(record->session) == 0);
    describe_review(&json, options, review, 0);
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

/* What was better than a mistake, or else what there is to note. */
static void say_remark(const struct nonet_options *options, const struct review_row *row,
                       struct nonet_text *out) {
    const struct review_row *before = row - 1;
    enum { SHOWN = 5 }; /* moves of a line: as many as a reader can follow */
    const struct review_choice *replies = &row->replies;
    if (row->mark == REVIEW_POOR || row->mark == REVIEW_AWFUL) {
        say_worth(&row->best, out);
        nonet_text_char(out, ':');
        for (int i = 0; i < before->line_length && i < SHOWN; i++) {
            nonet_text_char(out, ' ');
            options->game->print(options, before->line[i], out);
        }
    } else if (row->slower > 0) {
        nonet_text_format(out, "slower by %d", row->slower);
    } else if (row->lane == REVIEW_DRAWN && replies->keeps >= 0 && replies->legal > 0) {
        nonet_text_format(out, "%d of %d replies lose", (int)replies->legal - replies->keeps,
                          (int)replies->legal);
    }
}

static void say_move(const struct nonet_options *options, const struct review_row *row, int number,
                     struct nonet_text *out) {
    char played[NONET_MOVE_TEXT + 4], keep[32], worth[32];
    char remark[32 + NONET_SEARCH_LINE * NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(played), kept = NONET_TEXT_IN(keep);
    struct nonet_text value = NONET_TEXT_IN(worth), noted = NONET_TEXT_IN(remark);
    options->game->print(options, row->move, &text);
    if (row->mark != REVIEW_PLAIN)
        nonet_text_format(&text, " %s", describe_marks[row->mark]);
    if (row->choice.keeps >= 0)
        nonet_text_format(&kept, "%d of %d", row->choice.keeps, (int)row->choice.legal);
    else
        nonet_text_add(&kept, "-");
    if (row->judged)
        say_worth(&row->opinion, &value);
    else
        nonet_text_add(&value, "-");
    say_remark(options, row, &noted);
    nonet_text_format(out,
                      noted.length > 0 ? "%5d  %-6d  %-16s  %-9s  %-10s  %s\n"
                                       : "%5d  %-6d  %-16s  %-9s  %s%s\n",
                      number, row->player, played, keep, worth, remark);
}

static void say_count(int count, const char *what, struct nonet_text *out) {
    if (count > 0)
        nonet_text_format(out, ", %d %s%s", count, what, count == 1 ? "" : "s");
}

static void say_exact(const struct review_player *player, struct nonet_text *out) {
    if (player->of == 0) {
        nonet_text_add(out, "there was nothing to spoil.\n");
        return;
    }
    int tenths = (int)((player->chance + REVIEW_CHANCE / 20) / (REVIEW_CHANCE / 10));
    nonet_text_format(out, "kept %d of %d, by chance it would have been %d.%d: %d.\n", player->kept,
                      player->of, tenths / 10, tenths % 10, review_number(player));
}

static void say_expected(const struct review_player *player, struct nonet_text *out) {
    if (player->counted == 0) {
        nonet_text_add(out, "no move that made a difference.\n");
        return;
    }
    int accuracy = review_accuracy(player);
    nonet_text_format(out, "accuracy %d.%d %% in %d move%s", accuracy / 10, accuracy % 10,
                      player->counted, player->counted == 1 ? "" : "s");
    say_count(player->mistakes, "mistake", out);
    say_count(player->blunders, "blunder", out);
    nonet_text_add(out, ".\n");
}

static void say_summary(const struct review *review, const struct nonet_options *options,
                        struct nonet_text *out) {
    bool exact = review_exact(review);
    for (int i = 1; i <= options->players; i++) {
        nonet_text_format(out, "Player %d: ", i);
        (exact ? say_exact : say_expected)(review_player(review, i), out);
    }
    if (!exact)
        nonet_text_add(out, "Not all values are proven: accuracy is the share of a win that was "
                            "kept, by search.\n");
    for (int i = 1; i < review_rows(review); i++)
        if (review_row(review, i)->turned) {
            nonet_text_format(out, "The result changed with move %d, ", i);
            options->game->print(options, review_row(review, i)->move, out);
            nonet_text_format(out, " of player %d.\n", review_row(review, i)->player);
        }
}

static void write_table(const struct review *review, const struct record *record,
                        struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(record->session);
    int count = review_all_rows(review) - 1;
    nonet_text_format(out, "%s, %d move%s. ", options->game->title, count, count == 1 ? "" : "s");
    if (nonet_session_turn(record->session) == 0)
        cli_say_result(record->session, out);
    else
        nonet_text_add(out, "The game is not over.\n");
    nonet_text_add(out,
                   "\n move  player  played            keep       worth       better, or a note\n");
    for (int i = 1; i <= count; i++)
        say_move(options, review_row(review, i), i, out);
    nonet_text_char(out, '\n');
    say_summary(review, options, out);
    nonet_text_add(
        out, "\nKeep is how many of the legal moves kept the result. Worth is what a move leads "
             "to for the\nplayer who made it. Won, drawn and lost are proven, with the plies "
             "to the end or the margin;\n62 % is the share of a win to expect, by search; "
             "~62 % is estimated.\n");
}

/* ---- Going through a game ---- */

/* Without --nodes: so much for a proof, and the rest of the time for the player. */
static const uint64_t proof_nodes = 200000;

struct limits {
    struct review_wish wish;
    double seconds; /* for each position; 0: no limit */
};

static void show(struct cli_progress *progress, const struct review *review) {
    char what[64];
    struct nonet_text text = NONET_TEXT_IN(what);
    int done = review_rows(review), all = review_all_rows(review);
    nonet_text_format(&text, "position %d of %d", done + 1, all);
    double spent = cli_progress_seconds(progress);
    cli_progress_show(progress, what, (double)done / all,
                      done > 0 ? spent / done * (all - done) : -1);
}

/* Advances the review in slices of about a millisecond, and looks at the clock between them. */
static enum review_status go_through(struct review *review, double seconds,
                                     struct cli_progress *progress) {
    static const double slice_seconds = 1e-3;
    uint64_t slice = 1;
    int rows = -1;
    double begun = clock_now();
    for (enum review_status status = REVIEW_WORKING; status == REVIEW_WORKING;) {
        double before = clock_now();
        if (review_rows(review) > rows) {
            rows = review_rows(review);
            begun = before;
            show(progress, review);
        }
        status = review_advance(review, slice);
        double now = clock_now();
        if (now - before < slice_seconds / 2 && slice < (uint64_t)1 << 32)
            slice *= 2;
        else if (now - before > slice_seconds * 2 && slice > 1)
            slice /= 2;
        bool late = seconds > 0 && now - begun >= seconds;
        if (status == REVIEW_WORKING && review_rows(review) == rows && late)
            status = review_enough(review);
        if (status != REVIEW_WORKING)
            return status;
    }
    return REVIEW_DONE;
}

static void note(void *context, const char *line) {
    (void)context;
    cli_note(line);
}

/* The game's review, or null if memory runs out. */
static struct review *review_game(const struct nonet_session *session,
                                  const struct limits *limits) {
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct prober_limits probing = {0};
    probing.solve.threads = 1;
    probing.solve.note = note;
    struct prober *prober = prober_open(nonet_session_options(session), &probing, &why);
    struct review_wish wish = limits->wish;
    wish.limits.table = prober != NULL ? prober_table(prober) : NULL;
    struct review *review = review_open(session, &wish);
    struct cli_progress progress;
    cli_progress_begin(&progress);
    if (review != NULL && go_through(review, limits->seconds, &progress) != REVIEW_DONE) {
        review_close(review);
        review = NULL;
    }
    cli_progress_end(&progress);
    prober_close(prober);
    return review;
}

/* ---- Files ---- */

static int analyse(const char *path, bool as_json, bool named, const struct limits *limits) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const char *name = strcmp(path, "-") == 0 ? "the standard input" : cli_printable(path);
    struct record record;
    if (!record_read_file(path, &record, &why))
        return cli_fail(CLI_FAILED, "%s: %s", name, reason);
    struct review *review = review_game(record.session, limits);
    int code = CLI_FAILED;
    size_t room = 4096 + (size_t)(nonet_session_ply(record.session) + 1) *
                             ((NONET_SEARCH_LINE + 4) * NONET_MOVE_TEXT + 640);
    char *bytes = review != NULL ? malloc(room) : NULL;
    if (bytes != NULL) {
        struct nonet_text text = nonet_text_in(bytes, room);
        if (as_json)
            write_json(review, &record, path, &text);
        else if (named)
            nonet_text_format(&text, "%s: ", name);
        if (!as_json)
            write_table(review, &record, &text);
        code = cli_output(bytes);
    } else {
        cli_fail(CLI_FAILED, "there is no memory left");
    }
    free(bytes);
    review_close(review);
    record_close(&record);
    return code;
}

static int run(int argc, char **argv) {
    struct cli_think_flags thinking = {0};
    bool as_json = false, hindsight = false;
    const struct cli_flag flags[] = {{"--nodes", &thinking.nodes, NULL},
                                     {"--time", &thinking.time, NULL},
                                     {"--seed", &thinking.seed, NULL},
                                     {"--memory", &thinking.memory, NULL},
                                     {"--hindsight", NULL, &hindsight},
                                     {"--json", NULL, &as_json},
                                     {0}};
    char **words;
    int count, level, code = cli_parse_words(argc, argv, flags, &words, &count);
    struct thinker_limits given;
    if (code == CLI_DONE)
        code = cli_think_flags_read(&thinking, &level, &given);
    if (code != CLI_DONE)
        return code;
    if (count == 0)
        return cli_fail(CLI_USAGE, "name a file; - is the standard input");
    const struct limits limits = {
        .wish = {.limits = {.proof_nodes = given.nodes > 0 ? given.nodes : proof_nodes,
                            .nodes = given.nodes,
                            .memory = given.memory,
                            .seed = given.seed},
                 .hindsight = hindsight},
        .seconds = given.nodes > 0 || given.seconds > 0 ? given.seconds : 1,
    };
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
    .usage = "FILE… [--nodes N] [--time S] [--hindsight] [--json]",
    .brief = "review a game: good moves, mistakes, and what was better",
    .help =
        "  FILE           a record, as nonet play saves it; - is the standard input\n"
        "  --nodes N      for each position, search at most N positions for a proof, and N more\n"
        "                 at the highest level if there is none\n"
        "  --time S       think for at most S seconds about each position; by default 1\n"
        "  --seed S       a number that fixes all random choices\n"
        "  --memory SIZE  memory for the searches, such as 256M; by default 64M\n"
        "  --hindsight    judge all players as if nothing had been hidden\n"
        "  --json         for programs: one line of JSON for each file\n\n"
        "A move is marked ? if it gave away a tenth of a win, ?? if three tenths or more, and !\n"
        "if every other move is known to be ??. See docs/analysis.md.\n",
    .run = run,
};
