/* nonet puzzles: positions with a single winning move, found by proof.
 *
 * Random games are played from a seed. A position becomes a puzzle when exactly one of its moves
 * wins. The grade depends on how long the win takes, and on the number of lures: moves that look
 * like any other and lose. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "cli.h"
#include "host/files.h"
#include "probe_limits.h"
#include "rules/hidden.h"
#include "study/draw_svg.h"

enum {
    MOST_PUZZLES = 1000,
    TRIES_PER_PUZZLE = 20000, /* positions looked at before giving up */
    LONGEST_GAME = 120,
    LONGEST_LINE = 64,
    FEWEST_MOVES = 3, /* a choice of two is no puzzle */
    SECONDS = 60,     /* for the proof of one position */
};

struct puzzle {
    struct nonet_state state;
    struct nonet_value value;
    int moves, lures, drawing, grade;
    int line_length;
    nonet_move line[LONGEST_LINE]; /* the winning move, and best play after it */
};

struct search {
    const struct nonet_options *options;
    struct prober *prober;
    struct nonet_random random;
    struct prober_move *moves;
    uint64_t seen[MOST_PUZZLES]; /* hashes of the canonical forms of earlier puzzles */
    int found;
    char reason[512];
};

/* From 1, which is easy, to 5. A long win is hard to see, and so is a win among many lures. */
static int grade_of(const struct puzzle *puzzle) {
    int depth = puzzle->value.has_margin ? puzzle->line_length : puzzle->value.distance;
    int hardness = depth + puzzle->lures / 2;
    return hardness <= 3 ? 1 : hardness <= 6 ? 2 : hardness <= 10 ? 3 : hardness <= 15 ? 4 : 5;
}

static int prove(struct search *search, const void *state) {
    struct nonet_text why = NONET_TEXT_IN(search->reason);
    return prober_moves(search->prober, state, search->moves, &why);
}

/* Plays the best moves of both sides to the end. False if a proof is missing. */
static bool play_line(struct search *search, struct puzzle *puzzle) {
    const struct nonet_game *game = search->options->game;
    struct nonet_state state;
    memcpy(&state, &puzzle->state, game->state_size);
    puzzle->line_length = 0;
    while (game->turn(search->options, &state) != 0 && puzzle->line_length < LONGEST_LINE) {
        int count = prove(search, &state);
        if (count <= 0)
            return false;
        nonet_move move = search->moves[0].move;
        puzzle->line[puzzle->line_length++] = move;
        game->play(search->options, &state, NULL, move);
    }
    return true;
}

static bool is_new(struct search *search, const void *state) {
    struct nonet_state canonical;
    nonet_canonical(search->options, state, &canonical);
    uint64_t hash = nonet_hash(&canonical, search->options->game->state_size);
    for (int i = 0; i < search->found; i++)
        if (search->seen[i] == hash)
            return false;
    search->seen[search->found] = hash;
    return true;
}

/* Whether the position is a puzzle: -1 without a proof, else 0 or 1. An immediate win is not a
 * puzzle, as it is too easy to see. */
static int examine(struct search *search, const void *state, struct puzzle *puzzle) {
    int count = prove(search, state);
    if (count < 0)
        return -1;
    if (count < FEWEST_MOVES || search->moves[0].proof.value.outcome != NONET_WIN ||
        search->moves[1].proof.value.outcome == NONET_WIN)
        return 0;
    *puzzle = (struct puzzle){.value = search->moves[0].proof.value, .moves = count};
    memcpy(&puzzle->state, state, search->options->game->state_size);
    for (int i = 1; i < count; i++) {
        puzzle->lures += search->moves[i].proof.value.outcome == NONET_LOSS;
        puzzle->drawing += search->moves[i].proof.value.outcome == NONET_DRAW;
    }
    if ((!puzzle->value.has_margin && puzzle->value.distance <= 1) || !is_new(search, state))
        return 0;
    if (!play_line(search, puzzle))
        return -1;
    puzzle->grade = grade_of(puzzle);
    return puzzle->line_length > 1;
}

/* Finds the next puzzle: 1, 0 if there seems to be none, -1 without a proof. */
static int next_puzzle(struct search *search, struct puzzle *puzzle) {
    const struct nonet_game *game = search->options->game;
    nonet_move moves[NONET_MAX_MOVES];
    for (int tries = 0; tries < TRIES_PER_PUZZLE;) {
        struct nonet_state state;
        game->start(search->options, &state, NULL);
        for (int ply = 0; ply < LONGEST_GAME; ply++, tries++) {
            int count = game->moves(search->options, &state, moves);
            if (count == 0)
                break;
            int found = examine(search, &state, puzzle);
            if (found != 0) {
                search->found++;
                return found;
            }
            game->play(search->options, &state, NULL,
                       moves[nonet_random_below(&search->random, (uint32_t)count)]);
        }
    }
    return 0;
}

static void write_puzzle(const struct nonet_options *options, const struct puzzle *puzzle,
                         struct nonet_json *json) {
    const struct nonet_game *game = options->game;
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    game->write(options, &puzzle->state, &text);
    nonet_json_open(json, '{');
    nonet_json_name(json, "text");
    nonet_json_string(json, line);
    nonet_json_name(json, "to_move");
    nonet_json_number(json, game->turn(options, &puzzle->state));
    nonet_json_name(json, "grade");
    nonet_json_number(json, puzzle->grade);
    nonet_json_name(json, puzzle->value.has_margin ? "margin" : "distance");
    nonet_json_number(json,
                      puzzle->value.has_margin ? puzzle->value.margin : puzzle->value.distance);
    nonet_json_name(json, "moves");
    nonet_json_number(json, puzzle->moves);
    nonet_json_name(json, "losing");
    nonet_json_number(json, puzzle->lures);
    nonet_json_name(json, "drawing");
    nonet_json_number(json, puzzle->drawing);
    nonet_json_name(json, "solution");
    nonet_json_open(json, '[');
    for (int i = 0; i < puzzle->line_length; i++) {
        char move[NONET_MOVE_TEXT];
        struct nonet_text out = NONET_TEXT_IN(move);
        game->print(options, puzzle->line[i], &out);
        nonet_json_string(json, move);
    }
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
        snprintf(title, sizeof title, "%s: player %d wins", options->game->title,
                 options->game->turn(options, &puzzle->state));
        struct nonet_text text = nonet_text_in(picture, DRAW_SVG_ROOM);
        options->game->scene(options, &puzzle->state, scene);
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

static int make_puzzles(struct search *search, int wanted, const char *directory,
                        struct cli_progress *progress, struct nonet_text *out) {
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '[');
    for (int number = 1; number <= wanted; number++) {
        struct puzzle puzzle;
        int found = next_puzzle(search, &puzzle);
        cli_progress_end(progress);
        if (found < 0)
            return cli_fail(CLI_FAILED, "%s", search->reason);
        if (found == 0)
            return cli_fail(CLI_FAILED,
                            "found only %d positions with a single winning move; ask for fewer",
                            number - 1);
        write_puzzle(search->options, &puzzle, &json);
        if (directory != NULL) {
            int code = draw_puzzle(search->options, &puzzle, number, directory);
            if (code != CLI_DONE)
                return code;
        }
    }
    nonet_json_close(&json, ']');
    nonet_text_char(out, '\n');
    return cli_output(out->bytes);
}

static int run(int argc, char **argv) {
    const char *count_text = NULL, *seed_text = NULL, *directory = NULL;
    const struct cli_flag flags[] = {{"--count", &count_text, NULL},
                                     {"--seed", &seed_text, NULL},
                                     {"--svg", &directory, NULL},
                                     {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL || arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE,
                        "puzzles needs a game that is solved, such as: nonet puzzles trix");
    uint64_t count = 10, seed = 1;
    if (count_text != NULL && (!cli_number(count_text, MOST_PUZZLES, &count) || count == 0))
        return cli_fail(CLI_USAGE, "--count must be a number from 1 to %d", MOST_PUZZLES);
    if (seed_text != NULL && !cli_number(seed_text, UINT64_MAX, &seed))
        return cli_fail(CLI_USAGE, "--seed must be a whole number from 0 to 2^64-1");
    if (arguments.game->wide != NULL || arguments.game->hidden != NULL)
        return cli_fail(CLI_FAILED, "%s is not solved, so there are no puzzles to make of it",
                        arguments.game->title);
    struct search *search = calloc(1, sizeof *search);
    enum { ROOM = MOST_PUZZLES * 2048 };
    char *bytes = malloc(ROOM);
    if (search != NULL)
        search->moves = malloc(NONET_MAX_MOVES * sizeof *search->moves);
    if (search == NULL || bytes == NULL || search->moves == NULL) {
        code = cli_fail(CLI_FAILED, "there is no memory left");
    } else {
        struct nonet_text why = NONET_TEXT_IN(search->reason), out = nonet_text_in(bytes, ROOM);
        struct cli_progress progress;
        struct prober_limits limits = cli_probe_limits(SECONDS, &progress);
        search->options = &arguments.options;
        search->random.state = seed;
        search->prober = prober_open(&arguments.options, &limits, &why);
        if (search->prober == NULL) {
            cli_progress_end(&progress);
            code = cli_fail(CLI_FAILED, "%s", search->reason);
        } else {
            code = make_puzzles(search, (int)count, directory, &progress, &out);
        }
        prober_close(search->prober);
    }
    if (search != NULL)
        free(search->moves);
    free(search);
    free(bytes);
    return code;
}

const struct cli_command cli_puzzles = {
    .name = "puzzles",
    .usage = "GAME [-o key=value]… [--count N] [--seed S] [--svg DIRECTORY]",
    .brief = "positions with a single winning move, as JSON and as pictures",
    .help =
        "Each puzzle has its position, the player to move, a grade from 1 to 5, how long the win\n"
        "takes, how many of the other moves lose or draw, and the winning line.\n\n"
        "  --count N      make N puzzles (10)\n"
        "  --seed S       the same seed gives the same puzzles (1)\n"
        "  --svg DIR      also draw them, as DIR/puzzle-1.svg and so on\n",
    .run = run,
};
