/* nonet solve: builds the table of exact values of a game, for `nonet probe` and others to read.
 * Where a game is solved without a table, it prints the value, and may write a certificate of it.
 */
#include "solve/listed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "host/clock.h"
#include "host/table_store.h"
#include "progress.h"
#include "rules/session.h"
#include "solve/coalitions.h"
#include "solve/nimbers.h"
#include "solve/proof.h"
#include "solve/ranked.h"
#include "solve_flags.h"
#include "study/describe.h"

/* Which solver suits a game: its facts decide. */
enum method { LISTED, RANKED, COALITIONS, NIMBERS, PROOF, NONE };
static enum method method_for(const struct nonet_options *options) {
    if (solve_listed_applies(options))
        return LISTED;
    if (solve_ranked_applies(options))
        return RANKED;
    if (solve_coalitions_applies(options))
        return COALITIONS;
    if (solve_nimbers_applies(options))
        return NIMBERS;
    return solve_proof_applies(options) ? PROOF : NONE;
}

static int refuse(const struct nonet_options *options) {
    if (options->game->inner != NULL)
        return cli_fail(CLI_FAILED, "a table knows no swap: build it with swap=no, and it also "
                                    "serves games with swap=yes");
    char list[256], name[256];
    struct nonet_text text = NONET_TEXT_IN(list), game = NONET_TEXT_IN(name);
    nonet_options_write(options, &game);
    for (int i = 0; i < nonet_game_count; i++) {
        struct nonet_options other;
        nonet_options_default(&other, nonet_games[i]);
        if (method_for(&other) != NONE)
            nonet_text_format(&text, "%s%s", text.length > 0 ? ", " : "", nonet_games[i]->id);
    }
    return cli_fail(CLI_FAILED, "there is no table of %s: tables can be built of %s", name, list);
}

/* A position whose win takes longest, or has the largest margin. */
static void write_longest(struct nonet_json *json, const struct nonet_options *options,
                          const void *state, const struct nonet_value *value) {
    nonet_json_name(json, "longest");
    if (value->outcome != NONET_WIN) {
        nonet_json_null(json);
        return;
    }
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, state, &text);
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "text", line);
    describe_value(json, value);
    nonet_json_close(json, '}');
}

/* A list of counts. Each object begins with `key` and a number that rises from `first`. */
static void write_counts(struct nonet_json *json, const char *name, const char *key, int first,
                         const struct solve_counts *counts, int length) {
    nonet_json_name(json, name);
    nonet_json_open(json, '[');
    for (int i = 0; i < length; i++) {
        nonet_json_open(json, '{');
        nonet_json_number_member(json, key, first + i);
        for (int outcome = 0; outcome < 3; outcome++) {
            nonet_json_name(json, describe_outcomes[outcome]);
            nonet_json_number(json, (int64_t)counts[i].positions[outcome]);
        }
        nonet_json_name(json, "classes");
        nonet_json_open(json, '[');
        for (int outcome = 0; outcome < 3; outcome++)
            nonet_json_number(json, (int64_t)counts[i].classes[outcome]);
        nonet_json_close(json, ']');
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

/* Which table it is, and how large. */
static void write_table(struct nonet_json *json, const char *game, const char *path,
                        int64_t bytes) {
    nonet_json_string_member(json, "game", game);
    nonet_json_string_member(json, "table", path);
    nonet_json_number_member(json, "bytes", bytes);
}

static int print_json(const struct nonet_options *options, const struct solve_report *report,
                      const char *path, int64_t bytes) {
    size_t room =
        8192 + 256 * (size_t)(report->plies + report->distances + report->margins) + TABLE_PATH;
    char *out = malloc(room), name[256];
    if (out == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    struct nonet_text text = nonet_text_in(out, room), game = NONET_TEXT_IN(name);
    nonet_options_write(options, &game);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    write_table(&json, name, path, bytes);
    nonet_json_number_member(&json, "positions", (int64_t)report->positions);
    nonet_json_number_member(&json, "classes", (int64_t)report->classes);
    nonet_json_number_member(&json, "successors", (int64_t)report->successors);
    nonet_json_number_member(&json, "milliseconds", (int64_t)(report->seconds * 1000));
    nonet_json_number_member(&json, "memory", (int64_t)report->memory);
    describe_value(&json, &report->start);
    write_longest(&json, options, &report->longest, &report->longest_value);
    write_counts(&json, "by_ply", "ply", 0, report->by_ply, report->plies);
    if (report->margins == 0)
        write_counts(&json, "by_distance", "distance", 0, report->by_distance, report->distances);
    else
        write_counts(&json, "by_margin", "margin", -(report->margins / 2), report->by_margin,
                     report->margins);
    nonet_json_close(&json, '}');
    nonet_text_char(&text, '\n');
    int code = cli_output(out);
    free(out);
    return code;
}

static void add_start(struct nonet_text *text, const struct nonet_value *start) {
    if (start->outcome == NONET_DRAW)
        nonet_text_add(text, "a draw");
    else
        nonet_text_format(text, "player %d wins", start->outcome == NONET_WIN ? 1 : 2);
    if (start->has_margin && start->margin != 0)
        nonet_text_format(text, " by %d", abs(start->margin));
    else if (!start->has_margin && start->outcome != NONET_DRAW)
        nonet_text_format(text, " in %d plies", start->distance);
    nonet_text_char(text, '\n');
}

static int print_summary(const struct nonet_options *options, const struct solve_report *report,
                         const char *path, int64_t bytes) {
    char out[1024 + TABLE_PATH];
    struct nonet_text text = NONET_TEXT_IN(out);
    nonet_options_write(options, &text);
    nonet_text_add(&text, ": ");
    add_start(&text, &report->start);
    nonet_text_format(&text,
                      "%" PRIu64 " positions, %" PRIu64
                      " with symmetric ones counted once\n%.1f seconds, %" PRIu64
                      " MB of memory\n%s: %" PRId64 " bytes\n",
                      report->positions, report->classes, report->seconds, report->memory >> 20,
                      path, bytes);
    return cli_output(out);
}

/* How many positions have so many pieces at most, by outcome. */
static void write_material(struct nonet_json *json, int material, const uint64_t counts[3]) {
    if (counts[0] + counts[1] + counts[2] == 0)
        return;
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "material", material);
    for (int outcome = 0; outcome < 3; outcome++) {
        nonet_json_name(json, describe_outcomes[outcome]);
        nonet_json_number(json, (int64_t)counts[outcome]);
    }
    nonet_json_close(json, '}');
}

/* For a ranked game, the table itself has the value of the start, if it reaches that far. */
static void write_ranked(struct nonet_json *json, const struct nonet_options *options,
                         const struct ranked_report *report) {
    nonet_json_number_member(json, "classes", (int64_t)(report->numbers + report->listed));
    nonet_json_number_member(json, "memory", (int64_t)report->memory);
    write_longest(json, options, &report->longest, &report->longest_value);
    nonet_json_name(json, "by_material");
    nonet_json_open(json, '[');
    for (int material = 0; material <= report->most_material; material++)
        write_material(json, material, report->by_material[material]);
    nonet_json_close(json, ']');
}

/* The values of the start, from the table; false if the table does not reach that far. */
static bool look_up_start(const struct nonet_options *options, const char *path,
                          struct nonet_value *values) {
    struct table_file *file = malloc(sizeof *file);
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_message message;
    struct nonet_state start;
    bool known = file != NULL && table_file_open(path, options, file, &why) == TABLE_FOUND;
    if (known) {
        options->game->start(options, &start, NULL);
        for (int player = 1; player <= options->players; player++)
            known = known && nonet_table_probe_for(file->table, &start, player, &values[player - 1],
                                                   &message);
        table_file_close(file);
    }
    free(file);
    return known;
}

/* A summary in words, of a game whose positions are numbered. */
static void add_summary(struct nonet_text *text, uint64_t positions, uint64_t memory,
                        double seconds, const char *path, int64_t bytes) {
    nonet_text_format(text,
                      "%" PRIu64 " positions, symmetric ones counted once\n%.1f seconds, %" PRIu64
                      " MB of memory\n%s: %" PRId64 " bytes\n",
                      positions, seconds, memory >> 20, path, bytes);
}

static int print_ranked(const struct nonet_options *options, const struct ranked_report *report,
                        const char *path, int64_t bytes, double seconds, bool as_json) {
    char out[8192 + 2 * TABLE_PATH], name[256];
    struct nonet_text text = NONET_TEXT_IN(out), game = NONET_TEXT_IN(name);
    struct nonet_value values[NONET_MAX_PLAYERS];
    bool known = look_up_start(options, path, values);
    nonet_options_write(options, &game);
    if (as_json) {
        struct nonet_json json = nonet_json_in(&text);
        nonet_json_open(&json, '{');
        write_table(&json, name, path, bytes);
        nonet_json_number_member(&json, "milliseconds", (int64_t)(seconds * 1000));
        if (known)
            describe_value(&json, &values[0]);
        write_ranked(&json, options, report);
        nonet_json_close(&json, '}');
        nonet_text_char(&text, '\n');
    } else {
        nonet_text_format(&text, "%s: ", name);
        if (known)
            add_start(&text, &values[0]);
        else
            nonet_text_add(&text, "solved in part\n");
        add_summary(&text, report->numbers + report->listed, report->memory, seconds, path, bytes);
    }
    return cli_output(out);
}

/* Counts by pieces, and the longest wins and losses, for the player to move, the next one and so
 * on. */
static void write_coalitions(struct nonet_json *json, const struct nonet_options *options,
                             const struct coalitions_report *report) {
    nonet_json_number_member(json, "classes", (int64_t)report->numbers);
    nonet_json_number_member(json, "memory", (int64_t)report->memory);
    write_longest(json, options, &report->longest_state, &report->longest[0][NONET_WIN]);
    nonet_json_name(json, "by_turn");
    nonet_json_open(json, '[');
    for (int i = 0; i < report->values; i++) {
        nonet_json_open(json, '{');
        nonet_json_number_member(json, "turn", i);
        nonet_json_number_member(json, "longest_win", report->longest[i][NONET_WIN].distance);
        nonet_json_number_member(json, "longest_loss", report->longest[i][NONET_LOSS].distance);
        nonet_json_name(json, "by_material");
        nonet_json_open(json, '[');
        for (int material = 0; material <= report->most_material; material++)
            write_material(json, material, report->by_material[material][i]);
        nonet_json_close(json, ']');
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

/* What each player can enforce from the start. */
static void add_players(struct nonet_text *text, const struct nonet_value *values, int players) {
    for (int player = 1; player <= players; player++) {
        const struct nonet_value *value = &values[player - 1];
        nonet_text_format(text, "%splayer %d ", player > 1 ? ", " : "", player);
        if (value->outcome == NONET_DRAW)
            nonet_text_add(text, "draws");
        else
            nonet_text_format(text, "%s in %d plies",
                              value->outcome == NONET_WIN ? "wins" : "loses", value->distance);
    }
    nonet_text_add(text, ", each against all others\n");
}

static int print_coalitions(const struct nonet_options *options,
                            const struct coalitions_report *report, const char *path, int64_t bytes,
                            double seconds, bool as_json) {
    char out[16384 + 2 * TABLE_PATH], name[256];
    struct nonet_text text = NONET_TEXT_IN(out), game = NONET_TEXT_IN(name);
    struct nonet_value values[NONET_MAX_PLAYERS];
    bool known = look_up_start(options, path, values);
    nonet_options_write(options, &game);
    if (as_json) {
        struct nonet_json json = nonet_json_in(&text);
        nonet_json_open(&json, '{');
        write_table(&json, name, path, bytes);
        nonet_json_number_member(&json, "milliseconds", (int64_t)(seconds * 1000));
        if (known)
            describe_players(&json, values, options->players);
        write_coalitions(&json, options, report);
        nonet_json_close(&json, '}');
        nonet_text_char(&text, '\n');
    } else {
        nonet_text_format(&text, "%s: ", name);
        if (known)
            add_players(&text, values, options->players);
        else
            nonet_text_add(&text, "solved in part\n");
        add_summary(&text, report->numbers, report->memory, seconds, path, bytes);
    }
    return cli_output(out);
}

static int print_nimbers(const struct nonet_options *options, const struct nimbers_report *report,
                         double seconds, bool as_json) {
    char out[1024], name[256];
    struct nonet_text text = NONET_TEXT_IN(out), game = NONET_TEXT_IN(name);
    nonet_options_write(options, &game);
    if (as_json) {
        struct nonet_json json = nonet_json_in(&text);
        nonet_json_open(&json, '{');
        nonet_json_string_member(&json, "game", name);
        nonet_json_number_member(&json, "moves", report->moves);
        nonet_json_number_member(&json, "positions", (int64_t)report->positions);
        nonet_json_number_member(&json, "milliseconds", (int64_t)(seconds * 1000));
        nonet_json_number_member(&json, "memory", (int64_t)report->memory);
        nonet_json_string_member(&json, "value", report->nimber != 0 ? "win" : "loss");
        nonet_json_number_member(&json, "nimber", report->nimber);
        nonet_json_close(&json, '}');
        nonet_text_char(&text, '\n');
    } else {
        nonet_text_format(&text,
                          "%s: player %d wins, nimber %d\n%d moves at the start, %" PRIu64
                          " positions, symmetric ones counted once\n%.1f seconds, %" PRIu64
                          " MB of memory\n",
                          name, report->nimber != 0 ? 1 : 2, report->nimber, report->moves,
                          report->positions, seconds, report->memory >> 20);
    }
    return cli_output(out);
}

static int print_proof(const struct nonet_options *options, const struct proof_report *report,
                       const char *path, double seconds, bool as_json) {
    char out[1024 + TABLE_PATH], name[256];
    struct nonet_text text = NONET_TEXT_IN(out), game = NONET_TEXT_IN(name);
    struct stat status;
    int64_t bytes = path != NULL && stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
    nonet_options_write(options, &game);
    if (as_json) {
        struct nonet_json json = nonet_json_in(&text);
        nonet_json_open(&json, '{');
        nonet_json_string_member(&json, "game", name);
        nonet_json_number_member(&json, "positions", (int64_t)report->positions);
        nonet_json_number_member(&json, "milliseconds", (int64_t)(seconds * 1000));
        nonet_json_number_member(&json, "memory", (int64_t)report->memory);
        describe_value(&json, &report->value);
        if (path != NULL) {
            nonet_json_string_member(&json, "certificate", path);
            nonet_json_number_member(&json, "bytes", bytes);
            nonet_json_number_member(&json, "choices", (int64_t)report->choices);
        }
        nonet_json_close(&json, '}');
        nonet_text_char(&text, '\n');
    } else {
        nonet_text_format(&text, "%s: ", name);
        add_start(&text, &report->value);
        nonet_text_format(
            &text, "%" PRIu64 " positions searched\n%.1f seconds, %" PRIu64 " MB of memory\n",
            report->positions, seconds, report->memory >> 20);
        if (path != NULL)
            nonet_text_format(&text, "%s: %" PRIu64 " choices, %" PRId64 " bytes\n", path,
                              report->choices, bytes);
    }
    return cli_output(out);
}

/* There is nothing to write into a file, and nothing to continue. */
static int solve_without_table(const struct nonet_options *options,
                               const struct solve_limits *limits, bool as_json) {
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nimbers_report report;
    struct nonet_session *session = nonet_session_new(options);
    if (session == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    double begun = clock_now();
    bool solved = solve_nimbers(options, nonet_session_state(session), limits, &report, &why);
    nonet_session_free(session);
    if (!solved)
        return cli_fail(CLI_FAILED, "%s", reason);
    return print_nimbers(options, &report, clock_now() - begun, as_json);
}

static int run(int argc, char **argv) {
    const char *threads = NULL, *output = NULL;
    struct cli_solve_flags words = {.memory = "2G", .checkpoint = "5"};
    bool as_json = false;
    const struct cli_flag flags[] = {{"--threads", &threads, NULL},
                                     {"--memory", &words.memory, NULL},
                                     {"--output", &output, NULL},
                                     {"--material", &words.material, NULL},
                                     {"--checkpoint", &words.checkpoint, NULL},
                                     {"--json", NULL, &as_json},
                                     {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    if (arguments.from != NULL || arguments.word_count > 0)
        return cli_fail(CLI_USAGE, "a table is of a whole game: give no position and no moves");
    uint64_t workers = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (threads != NULL && (!cli_number(threads, 256, &workers) || workers == 0))
        return cli_fail(CLI_USAGE, "--threads cannot be \"%s\"; it is a number from 1 to 256",
                        nonet_quote(threads).text);
    const struct nonet_options *options = &arguments.options;
    enum method method = method_for(options);
    if (method == NONE)
        return refuse(options);
    struct solve_limits limits = {.threads = workers < 1 ? 1 : (int)workers};
    code = cli_solve_flags_read(&words, options, method == RANKED || method == COALITIONS, &limits);
    if (code != CLI_DONE)
        return code;

    if (method == NIMBERS && output != NULL)
        return cli_fail(CLI_USAGE, "this game is solved without a table: give no --output");
    if (method == NIMBERS)
        return solve_without_table(options, &limits, as_json);

    char path[TABLE_PATH], reason[NONET_POSITION_TEXT + 256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct table_work work;
    if (output != NULL && snprintf(path, sizeof path, "%s", output) >= (int)sizeof path)
        return cli_fail(CLI_FAILED, "the path of the output is too long");
    if ((output == NULL && !table_file_new(options, limits.material, path, &why)) ||
        !table_work_begin(path, &work, &why))
        return cli_fail(CLI_FAILED, "%s", reason);
    if (!table_work_key(&limits.work_key)) {
        table_work_end(&work);
        return cli_fail(CLI_FAILED, "the system gives no random numbers");
    }
    struct cli_progress progress;
    cli_progress_begin(&progress);
    limits.work = work.folder;
    limits.progress = cli_progress_show;
    limits.note = cli_progress_note;
    limits.context = &progress;
    struct solve_report report = {0};
    struct ranked_report ranked;
    struct coalitions_report coalitions;
    struct proof_report proof;
    /* A certificate is only written where somebody asks for it. */
    const char *certificate = output != NULL ? path : NULL;
    bool solved = method == LISTED   ? solve_listed(options, &limits, path, &report, &why)
                  : method == RANKED ? solve_ranked(options, &limits, path, &ranked, &why)
                  : method == COALITIONS
                      ? solve_coalitions(options, &limits, path, &coalitions, &why)
                      : solve_proof(options, &limits, certificate, &proof, &why);
    cli_progress_end(&progress);
    table_work_end(&work);
    if (!solved)
        return cli_fail(CLI_FAILED, "%s", reason);
    if (method == PROOF)
        return print_proof(options, &proof, certificate, cli_progress_seconds(&progress), as_json);
    struct stat status;
    int64_t size = stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
    if (method == RANKED)
        return print_ranked(options, &ranked, path, size, cli_progress_seconds(&progress), as_json);
    if (method == COALITIONS)
        return print_coalitions(options, &coalitions, path, size, cli_progress_seconds(&progress),
                                as_json);
    code = (as_json ? print_json : print_summary)(options, &report, path, size);
    solve_report_free(&report);
    return code;
}

const struct cli_command cli_solve = {
    .name = "solve",
    .usage = "GAME [-o key=value]… [--threads N] [--memory BYTES] [--output FILE]\n"
             "       [--material N] [--checkpoint SECONDS] [--json]",
    .brief = "build the table of exact values of a game",
    .help =
        "  -o key=value     set an option of the game; nonet games lists them\n"
        "  --threads N      work on N threads; by default one on each processor\n"
        "  --memory BYTES   use no more memory than this, such as 500M; by default 2G\n"
        "  --output FILE    write the table there. By default it goes where nonet probe looks:\n"
        "                   $NONET_TABLES, or else the user's cache folder\n"
        "  --material N     solve only up to N pieces a side, where that is possible\n"
        "  --checkpoint SECONDS\n"
        "                   keep a checkpoint this often; by default every 5 seconds\n"
        "  --json           print figures about the game as JSON\n\n"
        "Fullend on a coarse lattice is solved without a table: only its value is printed.\n"
        "Ksar in a frame of up to 66 cells is solved without one too. There --output writes a\n"
        "certificate: a proof of the value that nonet verify checks.\n"
        "A solver that was stopped continues where it was when it is started again.\n",
    .run = run,
};
