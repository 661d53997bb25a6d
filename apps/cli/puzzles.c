/* nonet puzzles: positions in which the result hangs on a few moves, as JSON and as pictures.
 * study/puzzles.h says how they are found, docs/puzzles.md what is written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "host/files.h"
#include "probe_limits.h"
#include "rules/setup.h"
#include "study/describe.h"
#include "study/draw_svg.h"
#include "study/puzzles.h"

enum {
    SECONDS = 600,     /* for proofs by search, all together */
    TRIAL_SECONDS = 1, /* for the first position, without a table */
    COUNT_MOST = 1000, /* that can be asked for */
};

/* What proves a position: a prober, and the reason where it fails. */
struct proving {
    struct prober *prober;
    char reason[512];
    struct prober_move moves[NONET_MAX_MOVES];
};

static int prove(void *context, const void *state, struct puzzle_move *moves) {
    struct proving *proving = context;
    struct nonet_text why = NONET_TEXT_IN(proving->reason);
    int count = prober_moves(proving->prober, state, proving->moves, &why);
    for (int i = 0; i < count; i++)
        moves[i] = (struct puzzle_move){proving->moves[i].move, proving->moves[i].proof.value};
    return count;
}

static void write_move(struct nonet_json *json, const struct nonet_options *options,
                       nonet_move move) {
    char bytes[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    options->game->print(options, move, &text);
    nonet_json_string(json, bytes);
}

/* A member with the move as its name: a list of what follows it. */
static void write_try(struct nonet_json *json, const struct nonet_options *options,
                      const struct puzzle_try *try) {
    char bytes[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    options->game->print(options, try->move, &text);
    nonet_json_name(json, bytes);
    nonet_json_open(json, '[');
    if (!try->keeps) {
        const struct nonet_value *value = &try->value;
        nonet_json_string(json, describe_outcomes[value->outcome]);
        nonet_json_number(json, value->has_margin              ? value->margin
                                : value->outcome == NONET_DRAW ? 0
                                                               : value->distance);
    }
    for (int i = 0; i < try->line_length; i++)
        write_move(json, options, try->line[i]);
    if (try->next > 0)
        nonet_json_number(json, try->next);
    nonet_json_close(json, ']');
}

static void write_step(struct nonet_json *json, const struct nonet_options *options,
                       const struct puzzle *puzzle, const struct puzzle_step *step) {
    nonet_json_open(json, '{');
    for (int right = 1; right >= 0; right--) {
        nonet_json_name(json, right ? "right" : "wrong");
        nonet_json_open(json, '{');
        for (int i = step->first; i < step->first + step->count; i++)
            if (puzzle->tries[i].keeps == right)
                write_try(json, options, &puzzle->tries[i]);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, '}');
}

/* `level` is 0 if it was not measured. */
static void write_puzzle(const struct nonet_options *options, const struct puzzle *puzzle,
                         int level, struct nonet_json *json) {
    const struct nonet_game *game = options->game;
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    game->write(options, &puzzle->steps[0].state, &text);
    nonet_json_open(json, '{');
    nonet_setup_json_options(json, options, NONET_TELL_RULES);
    nonet_json_string_member(json, "from", line);
    nonet_json_number_member(json, "turn", game->turn(options, &puzzle->steps[0].state));
    describe_value(json, &puzzle->value);
    nonet_json_name(json, "themes");
    nonet_json_open(json, '[');
    for (int i = 0; i < PUZZLE_THEMES; i++)
        if (puzzle->themes >> i & 1)
            nonet_json_string(json, puzzle_theme_names[i]);
    nonet_json_close(json, ']');
    if (level > 0) {
        nonet_json_number_member(json, "level", level);
    }
    nonet_json_name(json, "steps");
    nonet_json_open(json, '[');
    for (int i = 0; i < puzzle->step_count; i++)
        write_step(json, options, puzzle, &puzzle->steps[i]);
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

/* Writes DIRECTORY/puzzle-N.svg. */
static int draw_puzzle(const struct nonet_options *options, const struct puzzle *puzzle, int number,
                       const char *directory) {
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    char *picture = malloc(DRAW_SVG_ROOM), path[4096], title[128];
    int code = CLI_FAILED;
    if (scene == NULL || picture == NULL) {
        cli_fail(CLI_FAILED, "there is no memory left");
    } else {
        snprintf(path, sizeof path, "%s/puzzle-%d.svg", directory, number);
        snprintf(title, sizeof title, "%s: player %d %s", options->game->title,
                 options->game->turn(options, &puzzle->steps[0].state),
                 puzzle->value.outcome == NONET_WIN ? "wins" : "draws");
        struct nonet_text text = nonet_text_in(picture, DRAW_SVG_ROOM);
        options->game->scene(options, &puzzle->steps[0].state, scene);
        draw_svg(scene, &(struct draw_svg_style){title, true, NULL}, &text);
        char reason[256];
        struct nonet_text why = NONET_TEXT_IN(reason);
        code = files_replace(path, 0666, picture, text.length, &why)
                   ? CLI_DONE
                   : cli_fail(CLI_FAILED, "cannot write %s: %s", path, reason);
    }
    free(picture);
    free(scene);
    return code;
}

struct making {
    struct puzzle_search search;
    struct proving proving;
    struct puzzle puzzle;
    struct nonet_player *player;           /* that measures difficulty; or null */
    const char *directory;                 /* for pictures; or null */
    int themes;                            /* of enum puzzle_theme, to be had in turn */
    int of_level[NONET_SEARCH_LEVELS + 1]; /* how many puzzles there are already */
};

/* Finds the next puzzle. Themes take turns; one that is found no more is given up. */
static int find_puzzle(struct making *making, int number) {
    for (int turn = number; making->themes != 0; turn++) {
        int theme = 1 << turn % PUZZLE_THEMES;
        if (!(making->themes & theme))
            continue;
        int found = puzzles_next(&making->search, theme, &making->puzzle);
        if (found != 0)
            return found;
        making->themes &= ~theme;
    }
    return 0;
}

/* Finds a puzzle and, if wanted, measures its difficulty. Hard puzzles are found more often than
 * easy ones: of a level that has its share already, one is taken only if nothing else is found. */
static int make_puzzle(struct making *making, int number, int wanted, int *level) {
    enum { SHARES = 6, PATIENCE = 60 };
    *level = 0;
    for (int passed_over = 0;; passed_over++) {
        int found = find_puzzle(making, number);
        if (found < 0)
            return cli_fail(CLI_FAILED, "%s", making->proving.reason);
        if (found == 0)
            return cli_fail(CLI_FAILED, "found only %d puzzles; ask for fewer", number - 1);
        if (making->player == NULL)
            return CLI_DONE;
        *level = puzzle_level(&making->puzzle, making->search.options, making->player);
        if (*level == 0)
            return cli_fail(CLI_FAILED, "there is no memory left");
        if (making->of_level[*level] * SHARES < wanted || passed_over == PATIENCE)
            break;
    }
    making->of_level[*level]++;
    return CLI_DONE;
}

static int make_puzzles(struct making *making, int wanted, struct cli_progress *progress,
                        struct nonet_text *out) {
    const struct nonet_options *options = making->search.options;
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '[');
    for (int number = 1; number <= wanted; number++) {
        int level, code = make_puzzle(making, number, wanted, &level);
        cli_progress_end(progress);
        if (code != CLI_DONE)
            return code;
        nonet_text_add(out, number > 1 ? ",\n" : "\n");
        json.follows = false;
        write_puzzle(options, &making->puzzle, level, &json);
        if (making->directory != NULL)
            code = draw_puzzle(options, &making->puzzle, number, making->directory);
        if (code != CLI_DONE)
            return code;
    }
    nonet_text_char(out, '\n');
    nonet_json_close(&json, ']');
    nonet_text_char(out, '\n');
    return out->cut ? cli_fail(CLI_FAILED, "there are too many puzzles for one list")
                    : cli_output(out->bytes);
}

/* Whether a search alone can be expected to prove positions of this game: it must prove the first
 * one at once. Otherwise somebody would wait for many minutes, and in vain. */
static bool is_provable(const struct nonet_options *options, struct nonet_text *why) {
    struct cli_progress progress;
    struct prober_limits limits = cli_probe_limits(TRIAL_SECONDS, &progress);
    struct prober *prober = prober_open(options, &limits, why);
    struct nonet_session *session = nonet_session_new(options);
    struct nonet_proof proof;
    bool proven =
        prober != NULL && session != NULL &&
        (prober_table(prober) != NULL || prober_value(prober, nonet_session_state(session),
                                                      nonet_session_turn(session), &proof, why));
    cli_progress_end(&progress);
    nonet_session_free(session);
    prober_close(prober);
    return proven;
}

/* The theme of this name, or 0. */
static int theme_named(const char *name) {
    for (int i = 0; i < PUZZLE_THEMES; i++)
        if (strcmp(puzzle_theme_names[i], name) == 0)
            return 1 << i;
    return 0;
}

static int run(int argc, char **argv) {
    const char *count_text = NULL, *seed_text = NULL, *theme = NULL, *directory = NULL;
    bool grade = false;
    const struct cli_flag flags[] = {{"--count", &count_text, NULL}, {"--seed", &seed_text, NULL},
                                     {"--theme", &theme, NULL},      {"--grade", NULL, &grade},
                                     {"--svg", &directory, NULL},    {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL || arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE,
                        "puzzles needs a game that is solved, such as: nonet puzzles trix");
    uint64_t count = 10, seed = 1;
    if (count_text != NULL && (!cli_number(count_text, COUNT_MOST, &count) || count == 0))
        return cli_fail(CLI_USAGE, "--count must be a number from 1 to %d", COUNT_MOST);
    if (seed_text != NULL && !cli_number(seed_text, UINT64_MAX, &seed))
        return cli_fail(CLI_USAGE, "--seed must be a whole number from 0 to 2^64-1");
    if (theme != NULL && theme_named(theme) == 0)
        return cli_fail(CLI_USAGE, "--theme must be only, save, win or quiet");
    if (!nonet_is_open_duel(&arguments.options))
        return cli_fail(CLI_FAILED, "%s is not solved, so there are no puzzles to make of it",
                        arguments.game->title);
    char reason[512];
    struct nonet_text doubt = NONET_TEXT_IN(reason);
    if (!is_provable(&arguments.options, &doubt))
        return cli_fail(CLI_FAILED, "%s cannot be proven with these options: %s",
                        arguments.game->title, reason);
    struct making *making = calloc(1, sizeof *making);
    enum { ROOM = 1 << 24 };
    char *bytes = malloc(ROOM);
    if (making == NULL || bytes == NULL || (grade && !(making->player = nonet_player_open()))) {
        code = cli_fail(CLI_FAILED, "there is no memory left");
    } else {
        struct nonet_text why = NONET_TEXT_IN(making->proving.reason);
        struct nonet_text out = nonet_text_in(bytes, ROOM);
        struct cli_progress progress;
        struct prober_limits limits = cli_probe_limits(SECONDS, &progress);
        making->directory = directory;
        making->themes = theme != NULL ? theme_named(theme) : (1 << PUZZLE_THEMES) - 1;
        puzzles_begin(&making->search, &arguments.options,
                      (struct puzzle_prover){prove, &making->proving}, seed);
        making->proving.prober = prober_open(&arguments.options, &limits, &why);
        if (making->proving.prober == NULL) {
            cli_progress_end(&progress);
            code = cli_fail(CLI_FAILED, "%s", making->proving.reason);
        } else {
            code = make_puzzles(making, (int)count, &progress, &out);
        }
        prober_close(making->proving.prober);
    }
    if (making != NULL)
        nonet_player_close(making->player);
    free(making);
    free(bytes);
    return code;
}

const struct cli_command cli_puzzles = {
    .name = "puzzles",
    .usage = "GAME [-o key=value]… [--count N] [--seed S] [--theme T] [--grade]\n"
             "       [--svg DIRECTORY]",
    .brief = "positions in which the result hangs on a few moves, as JSON and as pictures",
    .help =
        "Each puzzle has its position, its value, its themes and its steps: at each step the "
        "right\n"
        "and the wrong moves, and what best play answers.\n\n"
        "  --count N      make N puzzles (10)\n"
        "  --seed S       the same seed gives the same puzzles (1)\n"
        "  --theme T      of one theme: only (one move keeps the result), save (a draw, and few\n"
        "                 moves keep it), win (to the end), quiet (the winning move is a quiet\n"
        "                 one); otherwise themes take turns\n"
        "  --grade        also measure the difficulty: the lowest level that solves it in half of\n"
        "                 20 tries\n"
        "  --svg DIR      also draw them, as DIR/puzzle-1.svg and so on\n",
    .run = run,
};
