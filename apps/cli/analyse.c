/* nonet analyse: reviews whole games. It shows which moves were good, which were not, and what
 * would have been better: as a table for people, or as JSON for programs. */
#include <stdio.h>
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
    static const enum cli_word words[] = {WORD_LOST, WORD_DREW, WORD_WON};
    const struct nonet_value *value = &opinion->value;
    if (opinion->known != NONET_PROVEN) {
        nonet_text_format(out, "%s%d %%", opinion->known == NONET_ESTIMATED ? "~" : "",
                          (opinion->score + NONET_SCORE_WON) * 100 / (2 * NONET_SCORE_WON));
        return;
    }
    cli_write(out, nonet_say(&cli_words[words[value->outcome]]));
    if (value->has_margin && value->outcome != NONET_DRAW)
        cli_write(out, nonet_say(&cli_words[WORD_BY_POINTS], nonet_number(abs(value->margin))));
    else if (!value->has_margin && value->outcome != NONET_DRAW && value->distance >= 0)
        cli_write(out, nonet_say(&cli_words[WORD_IN_MOVES], nonet_number(value->distance)));
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
        cli_write(out, nonet_say(&cli_words[WORD_SLOWER], nonet_number(row->slower)));
    } else if (row->lane == REVIEW_DRAWN && replies->keeps >= 0 && replies->legal > 0) {
        cli_write(out, nonet_say(&cli_words[WORD_REPLIES_LOSE],
                                 nonet_number((int)replies->legal - replies->keeps),
                                 nonet_number((int)replies->legal)));
    }
}

/* The table for people: its columns are as wide in every language. */
static const int column_widths[] = {5, 6, 16, 9, 10};
enum { COLUMNS = sizeof column_widths / sizeof column_widths[0] };

/* Appends a cell of the table, filled up with spaces; the first column is flush right. */
static void add_cell(int column, const char *words, struct nonet_text *out) {
    int wide = 0, room = column < COLUMNS ? column_widths[column] : 0;
    for (const char *c = words; *c != '\0'; c++)
        wide += ((unsigned char)*c & 0xc0) != 0x80;
    if (column == 0)
        nonet_text_format(out, "%*s%s", room > wide ? room - wide : 0, "", words);
    else
        nonet_text_format(out, "  %s%*s", words, room > wide ? room - wide : 0, "");
}

/* Ends a line, without the spaces before. */
static void end_line(struct nonet_text *out) {
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->bytes[--out->length] = '\0';
    nonet_text_char(out, '\n');
}

static void say_move(const struct nonet_options *options, const struct review_row *row, int number,
                     struct nonet_text *out) {
    char cells[COLUMNS][64];
    char remark[64 + NONET_SEARCH_LINE * NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(cells[2]), kept = NONET_TEXT_IN(cells[3]);
    struct nonet_text value = NONET_TEXT_IN(cells[4]), noted = NONET_TEXT_IN(remark);
    snprintf(cells[0], sizeof cells[0], "%d", number);
    snprintf(cells[1], sizeof cells[1], "%d", row->player);
    options->game->print(options, row->move, &text);
    if (row->mark != REVIEW_PLAIN)
        nonet_text_format(&text, " %s", describe_marks[row->mark]);
    if (row->choice.keeps >= 0)
        cli_write(&kept, nonet_say(&cli_words[WORD_COUNT_OF], nonet_number(row->choice.keeps),
                                   nonet_number((int)row->choice.legal)));
    else
        nonet_text_add(&kept, "-");
    if (row->judged)
        say_worth(&row->opinion, &value);
    else
        nonet_text_add(&value, "-");
    say_remark(options, row, &noted);
    for (int i = 0; i < COLUMNS; i++)
        add_cell(i, cells[i], out);
    add_cell(COLUMNS, remark, out);
    end_line(out);
}

/* A number with one decimal, as an argument. */
static struct nonet_argument tenths(int number) {
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%d%s%d", number / 10, cli_text_of("common.decimal-mark", "."),
             number % 10);
    return nonet_quote(bytes);
}

static void say_exact(const struct review_player *player, struct nonet_text *out) {
    if (player->of == 0) {
        cli_write(out, nonet_say(&cli_words[WORD_NOTHING_TO_SPOIL]));
        return;
    }
    int chance = (int)((player->chance + REVIEW_CHANCE / 20) / (REVIEW_CHANCE / 10));
    cli_write(out, nonet_say(&cli_words[WORD_KEPT_OF], nonet_number(player->kept),
                             nonet_number(player->of), tenths(chance),
                             nonet_number(review_number(player))));
}

static void say_expected(const struct review_player *player, struct nonet_text *out) {
    if (player->counted == 0) {
        cli_write(out, nonet_say(&cli_words[WORD_NO_DIFFERENCE]));
        return;
    }
    cli_write(out, nonet_say(&cli_words[WORD_ACCURACY], tenths(review_accuracy(player)),
                             nonet_number(player->counted)));
    if (player->mistakes > 0)
        cli_write(out, nonet_say(&cli_words[WORD_MISTAKES], nonet_number(player->mistakes)));
    if (player->blunders > 0)
        cli_write(out, nonet_say(&cli_words[WORD_BLUNDERS], nonet_number(player->blunders)));
    nonet_text_add(out, ").");
}

static void say_summary(const struct review *review, const struct nonet_options *options,
                        struct nonet_text *out) {
    bool exact = review_exact(review);
    for (int i = 1; i <= options->players; i++) {
        cli_write(out, nonet_say(&cli_words[WORD_PLAYER], nonet_number(i)));
        cli_write(out, nonet_say(&nonet_common[NONET_SAY_COLON]));
        (exact ? say_exact : say_expected)(review_player(review, i), out);
        nonet_text_char(out, '\n');
    }
    if (!exact) {
        cli_write(out, nonet_say(&cli_words[WORD_BY_SEARCH]));
        nonet_text_char(out, '\n');
    }
    for (int i = 1; i < review_rows(review); i++)
        if (review_row(review, i)->turned) {
            cli_move_text move;
            struct nonet_text text = NONET_TEXT_IN(move);
            options->game->print(options, review_row(review, i)->move, &text);
            cli_write(out, nonet_say(&cli_words[WORD_TURNED], nonet_number(i), nonet_quote(move),
                                     nonet_number(review_row(review, i)->player)));
            nonet_text_char(out, '\n');
        }
}

static void write_table(const struct review *review, const struct record *record,
                        struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(record->session);
    int count = review_all_rows(review) - 1;
    cli_write(out, nonet_say(&cli_words[count == 1 ? WORD_GAME_OF_ONE : WORD_GAME_OF],
                             nonet_quote(options->game->title), nonet_number(count)));
    nonet_text_char(out, ' ');
    if (nonet_session_turn(record->session) == 0) {
        cli_say_result(record->session, out);
    } else {
        cli_write(out, nonet_say(&cli_words[WORD_UNFINISHED]));
        nonet_text_char(out, '\n');
    }
    nonet_text_char(out, '\n');
    for (int i = 0; i <= COLUMNS; i++) {
        char head[64];
        struct nonet_text text = NONET_TEXT_IN(head);
        cli_write(&text, nonet_say(&cli_words[WORD_HEAD_MOVE + i]));
        add_cell(i, head, out);
    }
    end_line(out);
    for (int i = 1; i <= count; i++)
        say_move(options, review_row(review, i), i, out);
    nonet_text_char(out, '\n');
    say_summary(review, options, out);
    nonet_text_char(out, '\n');
    cli_write(out, nonet_say(&cli_words[WORD_TABLE_MEANS]));
    nonet_text_char(out, '\n');
}

/* ---- Going through a game ---- */

/* Without --nodes: so much for a proof, and the rest of the time for the player. */
static const uint64_t proof_nodes = 200000;

struct limits {
    struct review_wish wish;
    double seconds; /* for each position; 0: no limit */
};

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
            cli_progress_positions(progress, rows, review_all_rows(review));
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
    struct prober_limits probing = {0};
    probing.solve.threads = 1;
    probing.solve.note = note;
    struct prober *prober = prober_try(nonet_session_options(session), &probing);
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
    const char *name = cli_file_name(path);
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
        code = as_json ? cli_output(bytes) : cli_output_words(bytes);
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
    .usage = "FILE… [--nodes N] [--time S] [--hindsight] [--lang L | --json]",
    .brief = "review a game: good moves, mistakes, and what was better",
    .help =
        "  FILE           a record, as nonet play saves it; - is the standard input\n"
        "  --nodes N      for each position, search at most N positions for a proof, and N more\n"
        "                 at the highest level if there is none\n"
        "  --time S       think for at most S seconds about each position; by default 1\n"
        "  --seed S       a number that fixes all random choices\n"
        "  --memory SIZE  memory for the searches, such as 256M; by default 64M\n"
        "  --hindsight    judge all players as if nothing had been hidden\n"
        "  --lang L       in this language: en, fr, de, nl or it; by default yours\n"
        "  --json         for programs: one line of JSON for each file\n\n"
        "A move is marked ? if it gave away a tenth of a win, ?? if three tenths or more, and !\n"
        "if every other move is known to be ??. See docs/analysis.md.\n",
    .run = run,
};
