/* nonet puzzles: positions with a single winning move, as JSON and as pictures. study/puzzles.h
 * says how they are found. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "host/files.h"
#include "probe_limits.h"
#include "rules/hidden.h"
#include "study/describe.h"
#include "study/draw_svg.h"
#include "study/puzzles.h"

enum { SECONDS = 60 }; /* for the proof of one position */

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
    describe_moves(json, "solution", options, puzzle->line, puzzle->line_length);
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

static int make_puzzles(struct puzzle_search *search, int wanted, const char *directory,
                        struct cli_progress *progress, struct nonet_text *out) {
    const struct proving *proving = search->prover.context;
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '[');
    for (int number = 1; number <= wanted; number++) {
        struct puzzle puzzle;
        int found = puzzles_next(search, &puzzle);
        cli_progress_end(progress);
        if (found < 0)
            return cli_fail(CLI_FAILED, "%s", proving->reason);
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
    if (count_text != NULL && (!cli_number(count_text, PUZZLES_MOST, &count) || count == 0))
        return cli_fail(CLI_USAGE, "--count must be a number from 1 to %d", PUZZLES_MOST);
    if (seed_text != NULL && !cli_number(seed_text, UINT64_MAX, &seed))
        return cli_fail(CLI_USAGE, "--seed must be a whole number from 0 to 2^64-1");
    if (arguments.game->wide != NULL || arguments.game->hidden != NULL)
        return cli_fail(CLI_FAILED, "%s is not solved, so there are no puzzles to make of it",
                        arguments.game->title);
    struct puzzle_search *search = malloc(sizeof *search);
    struct proving *proving = malloc(sizeof *proving);
    enum { ROOM = PUZZLES_MOST * 2048 };
    char *bytes = malloc(ROOM);
    if (search == NULL || proving == NULL || bytes == NULL) {
        code = cli_fail(CLI_FAILED, "there is no memory left");
    } else {
        struct nonet_text why = NONET_TEXT_IN(proving->reason), out = nonet_text_in(bytes, ROOM);
        struct cli_progress progress;
        struct prober_limits limits = cli_probe_limits(SECONDS, &progress);
        puzzles_begin(search, &arguments.options, (struct puzzle_prover){prove, proving}, seed);
        proving->prober = prober_open(&arguments.options, &limits, &why);
        if (proving->prober == NULL) {
            cli_progress_end(&progress);
            code = cli_fail(CLI_FAILED, "%s", proving->reason);
        } else {
            code = make_puzzles(search, (int)count, directory, &progress, &out);
        }
        prober_close(proving->prober);
    }
    free(search);
    free(proving);
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
