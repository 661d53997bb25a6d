/* nonet trial: what a game is like with some options, for those who design games. Computer players
 * play some hundred games, or a table of exact values is asked; docs/bench.md says what the figures
 * mean. The page shows the same figures, from the same code. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "probe_limits.h"
#include "solve/workers.h"
#include "study/describe.h"

enum { MOST_GAMES = 100000, USUAL_GAMES = 200, USUAL_LEVEL = 3, MOST_JOBS = 256 };

static const char no_memory[] = "there is no memory left";

/* ---- Playing ---- */

struct run {
    struct trial_wish wish;
    struct trial_game *games;
    int count;
    atomic_int next; /* the game that is begun next */
    atomic_int done;
    atomic_bool failed;
};

static void *play(void *context) {
    struct run *run = context;
    struct trial *trial = trial_open(&run->wish);
    for (int number; trial != NULL && (number = atomic_fetch_add(&run->next, 1)) < run->count;) {
        enum trial_status status = TRIAL_NO_MEMORY;
        if (trial_begin(trial, (uint32_t)number))
            do
                status = trial_advance(trial, UINT64_MAX);
            while (status == TRIAL_WORKING);
        if (status != TRIAL_DONE) {
            atomic_store(&run->failed, true);
            break;
        }
        run->games[number] = *trial_game(trial);
        atomic_fetch_add(&run->done, 1);
    }
    trial_close(trial);
    return NULL;
}

/* Plays all games with several threads. False if memory runs out. */
static bool play_all(struct run *run, int jobs) {
    workers_run(run, 0, jobs, play);
    return !atomic_load(&run->failed) && atomic_load(&run->done) == run->count;
}

/* ---- For people ---- */

static void say_share(const char *what, const struct interval *share, struct nonet_text *out) {
    if (share->count > 0)
        nonet_text_format(out, "%-24s %5.1f %%  (%.1f to %.1f)\n", what, 100 * share->value,
                          100 * share->low, 100 * share->high);
}

static void say_mean(const char *what, const struct interval *mean, struct nonet_text *out) {
    if (mean->count > 0)
        nonet_text_format(out, "%-24s %7.1f  (%.1f to %.1f)\n", what, mean->value, mean->low,
                          mean->high);
}

static void say_figures(const struct trial_figures *figures, struct nonet_text *out) {
    for (int i = 0; i < figures->players; i++) {
        char what[32];
        struct nonet_text text = NONET_TEXT_IN(what);
        nonet_text_format(&text, "player %d gets", i + 1);
        say_share(what, &figures->shares[i], out);
    }
    say_share("drawn games", &figures->drawn, out);
    if (figures->cut > 0)
        nonet_text_format(out, "%-24s %d, counted as drawn\n", "stopped games", figures->cut);
    say_mean("plies", &figures->plies, out);
    say_mean("moves to choose from", &figures->choices, out);
    say_share("decided after", &figures->decided, out);
    say_mean("lead changes", &figures->lead_changes, out);
    for (int i = 0; i < TRIAL_OPENING && figures->swaps[i].openings > 0; i++) {
        const struct trial_swap *swap = &figures->swaps[i];
        char what[32];
        struct nonet_text text = NONET_TEXT_IN(what);
        nonet_text_format(&text, "swap after %d", i + 1);
        if (swap->often == 0) {
            nonet_text_format(out, "%-24s no opening was played %d times\n", what, TRIAL_TIMES);
            continue;
        }
        say_share(what, &swap->chooser, out);
        nonet_text_add(out, "                           for the chooser after");
        for (int ply = 0; ply <= i; ply++)
            nonet_text_format(out, " %s", swap->moves[ply]);
        nonet_text_format(out, ", %d games\n", swap->first.count);
    }
}

static void say_openings(const struct nonet_options *options, const struct balance *openings,
                         struct nonet_text *out) {
    nonet_text_add(out, "plies  openings  player 1 wins  draws  player 2 wins  fairest\n");
    for (int plies = 0; plies <= balance_plies(openings); plies++) {
        const struct balance_count *count = balance_count(openings, plies);
        const uint64_t *lines = count->lines;
        nonet_text_format(out, "%5d  %8llu  %13llu  %5llu  %13llu ", plies,
                          (unsigned long long)(lines[0] + lines[1] + lines[2]),
                          (unsigned long long)lines[NONET_WIN],
                          (unsigned long long)lines[NONET_DRAW],
                          (unsigned long long)lines[NONET_LOSS]);
        for (int ply = 0; ply < plies; ply++) {
            nonet_text_char(out, ' ');
            options->game->print(options, count->moves[ply], out);
        }
        const struct nonet_value *value = &count->fairest;
        if (value->outcome == NONET_DRAW)
            nonet_text_add(out, " draws\n");
        else
            nonet_text_format(out, " %s %s %d\n", value->outcome == NONET_WIN ? "1 wins" : "2 wins",
                              value->has_margin ? "by" : "in",
                              value->has_margin ? abs(value->margin) : value->distance);
    }
}

/* ---- The command ---- */

enum { ROOM = 1 << 16 };

/* The options of a setting as text: everything but what is dealt. */
static void say_setting(struct nonet_json *json, const struct nonet_options *options) {
    char name[1024];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(options, &text);
    nonet_json_string_member(json, "setting", name);
}

static int show_games(struct run *run, int level, int jobs, bool as_json) {
    struct trial_figures figures;
    char bytes[ROOM];
    struct nonet_text out = NONET_TEXT_IN(bytes);
    run->games = calloc((size_t)run->count, sizeof *run->games);
    if (run->games == NULL || !play_all(run, jobs)) {
        free(run->games);
        return cli_fail(CLI_FAILED, no_memory);
    }
    trial_figures(run->games, run->count, run->wish.options.players, &figures);
    if (as_json) {
        struct nonet_json json = nonet_json_in(&out);
        nonet_json_open(&json, '{');
        say_setting(&json, &run->wish.options);
        nonet_json_number_member(&json, "level", level);
        nonet_json_number_member(&json, "seed", (int64_t)run->wish.seed);
        describe_figures(&json, &figures);
        nonet_json_close(&json, '}');
        nonet_text_char(&out, '\n');
    } else {
        nonet_options_write(&run->wish.options, &out);
        nonet_text_format(&out, ": %d game%s of level %d; seed %llu\n", run->count,
                          run->count == 1 ? "" : "s", level, (unsigned long long)run->wish.seed);
        say_figures(&figures, &out);
    }
    free(run->games);
    return cli_output(bytes);
}

static int show_exact(const struct nonet_options *options, bool as_json) {
    char bytes[ROOM], reason[1024];
    struct nonet_text out = NONET_TEXT_IN(bytes), why = NONET_TEXT_IN(reason);
    struct cli_progress progress;
    struct prober_limits limits = cli_probe_limits(0, &progress);
    struct prober *prober = prober_open(options, &limits, &why);
    cli_progress_end(&progress);
    if (prober == NULL)
        return cli_fail(CLI_FAILED, "%s", reason);
    /* With more players, a table does not tell who wins. */
    struct nonet_table *table = options->players == 2 ? prober_table(prober) : NULL;
    struct balance *openings = table != NULL ? balance_open(options, table) : NULL;
    enum balance_status status = BALANCE_WORKING;
    while (openings != NULL && status == BALANCE_WORKING)
        status = balance_advance(openings, 1000);
    int code = CLI_FAILED;
    if (table == NULL) {
        cli_fail(CLI_FAILED, "there is no table of exact values for this setting");
    } else if (openings == NULL) {
        cli_fail(CLI_FAILED, no_memory);
    } else if (status != BALANCE_DONE) {
        cli_fail(CLI_FAILED, "the table of exact values is damaged");
    } else {
        if (as_json) {
            struct nonet_json json = nonet_json_in(&out);
            nonet_json_open(&json, '{');
            say_setting(&json, options);
            describe_balance(&json, options, openings);
            nonet_json_close(&json, '}');
            nonet_text_char(&out, '\n');
        } else {
            say_openings(options, openings, &out);
        }
        code = cli_output(bytes);
    }
    balance_close(openings);
    prober_close(prober);
    return code;
}

static int run(int argc, char **argv) {
    const char *games = NULL, *level = NULL, *seed = NULL, *jobs = NULL;
    bool exact = false, as_json = false;
    const struct cli_flag flags[] = {{"--games", &games, NULL},
                                     {"--level", &level, NULL},
                                     {"--seed", &seed, NULL},
                                     {"--jobs", &jobs, NULL},
                                     {"--exact", NULL, &exact},
                                     {"--json", NULL, &as_json},
                                     {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL || arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE, "trial needs a game and its options, such as: nonet trial trix "
                                   "-o camps=side");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = USUAL_GAMES, strength = USUAL_LEVEL, number = 1;
    uint64_t threads = processors > 0 ? (uint64_t)processors : 1;
    if ((code = cli_number_flag("--games", games, 1, MOST_GAMES, &count)) != CLI_DONE ||
        (code = cli_number_flag("--level", level, 1, TRIAL_LEVEL, &strength)) != CLI_DONE ||
        (code = cli_number_flag("--seed", seed, 0, INT64_MAX, &number)) != CLI_DONE ||
        (code = cli_number_flag("--jobs", jobs, 1, MOST_JOBS, &threads)) != CLI_DONE)
        return code;
    if (exact)
        return show_exact(&arguments.options, as_json);
    struct run all = {.wish = {.options = arguments.options, .seed = number}, .count = (int)count};
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        all.wish.levels[i] = (int)strength;
    return show_games(&all, (int)strength, (int)threads, as_json);
}

const struct cli_command cli_trial = {
    .name = "trial",
    .usage = "GAME [-o key=value]… [flags]",
    .brief = "how fair, long and exciting a game is with some options",
    .help = "  -o key=value   set an option of the game; nonet games lists them\n"
            "  --games N      let computer players play N games; by default 200\n"
            "  --level L      how strong they are, 1 to 9; by default 3\n"
            "  --seed N       the same seed gives the same games; by default 1\n"
            "  --jobs J       play J games at a time; by default one on each processor\n"
            "  --exact        play no games, but ask a table of exact values who wins after the\n"
            "                 first plies\n"
            "  --json         print figures as JSON\n\n"
            "Behind each figure stands the interval that holds the true one in 95 of 100 runs.\n",
    .run = run,
};
