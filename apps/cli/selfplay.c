/* nonet selfplay: the strongest player against itself, for training (docs/training.md).
 *
 * A file begins with a line that says how its games are made. Each further line is a game: how it
 * ended for player 1 (+, - or =), then its moves. A move that was searched is followed by = and the
 * score that the search gave it, for its player, with ! if that is proven. A move without a score
 * was random. A move after ~ was not played, but the position after it was searched, and its score
 * follows: a player who never saw bad moves could not judge them. A game depends on the first line
 * and on its number alone, so that a file that was cut short is continued as if it had not been.
 *
 * Where information is hidden, a line begins with the numbers of the winners, and then has the
 * options with the deal. No move was only tried, and none is random after the opening: what the
 * others do is to be explained by what they know. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"
#include "cli.h"
#include "progress.h"
#include "search/player.h"
#include "search/weights.h"
#include "weights.h"

enum {
    OPENING = 8,    /* at most this many random plies come first */
    ONE_IN = 24,    /* of the later plies so many are random */
    LINE = 1 << 16, /* bytes of a game */
    MOST_GAMES = 100000000,
};

struct selfplay {
    struct nonet_options options;
    uint64_t games, nodes, seed;
    int16_t *weights;
    struct nonet_player *player;
    struct nonet_report *report;
};

static void write_first_line(const struct selfplay *s, struct nonet_text *out) {
    nonet_options_write(&s->options, out);
    nonet_text_format(out, " --nodes %" PRIu64 " --seed %" PRIu64, s->nodes, s->seed);
    if (s->weights != NULL) {
        struct {
            int16_t weight[NONET_MOST_WEIGHTS];
        } NONET_LITTLE_ENDIAN stored;
        int count = nonet_weights_count(s->options.game);
        for (int i = 0; i < count; i++)
            stored.weight[i] = s->weights[i];
        nonet_text_format(out, " --weights %016" PRIx64,
                          nonet_hash(&stored, (size_t)count * sizeof stored.weight[0]));
    }
    nonet_text_add(out, "\n");
}

/* ---- One game ---- */

static bool search_move(struct selfplay *s, const struct nonet_session *session, uint64_t seed) {
    const struct nonet_player_limits limits = {.level = NONET_SEARCH_LEVELS,
                                               .nodes = s->nodes,
                                               .searches = 1,
                                               .seed = seed,
                                               .weights = s->weights};
    if (!nonet_player_begin(s->player, session, &limits))
        return false;
    while (!nonet_player_advance(s->player, 0, s->nodes))
        ;
    nonet_player_report(s->player, s->report);
    nonet_player_end(s->player);
    return true;
}

static void write_score(const struct nonet_opinion *opinion, int sign, struct nonet_text *out) {
    nonet_text_format(out, "=%d%s", sign * opinion->score,
                      opinion->known == NONET_PROVEN ? "!" : "");
}

/* Looks at the position after another move than the best. Better ones are tried more often. */
static bool try_another(struct selfplay *s, struct nonet_session *session,
                        struct nonet_random *random, struct nonet_text *moves) {
    const struct nonet_options *options = nonet_session_options(session);
    uint32_t count = (uint32_t)s->report->count;
    uint32_t first = nonet_random_below(random, count), second = nonet_random_below(random, count);
    nonet_move move = s->report->moves[first < second ? first : second].move;
    uint64_t seed = nonet_random_next(random);
    struct nonet_message why;
    bool good = nonet_session_play(session, move, &why);
    if (good && nonet_session_turn(session) != 0) {
        good = search_move(s, session, seed);
        nonet_text_add(moves, " ~");
        options->game->print(options, move, moves);
        write_score(&s->report->moves[0], -1, moves);
    }
    return good && nonet_session_undo(session);
}

static bool play_move(struct selfplay *s, struct nonet_session *session,
                      struct nonet_random *random, bool by_chance, struct nonet_text *moves) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_message why;
    if (by_chance) {
        nonet_text_add(moves, " ");
        uint32_t count = (uint32_t)nonet_session_count(session);
        nonet_move move = nonet_session_nth(session, nonet_random_below(random, count));
        options->game->print(options, move, moves);
        return nonet_session_play(session, move, &why);
    }
    if (!search_move(s, session, nonet_random_next(random)))
        return false;
    const struct nonet_opinion best = s->report->moves[0];
    if (options->game->hidden == NULL && !try_another(s, session, random, moves))
        return false;
    nonet_text_add(moves, " ");
    options->game->print(options, best.move, moves);
    write_score(&best, 1, moves);
    return nonet_session_play(session, best.move, &why);
}

/* How a game began and ended. */
static void write_ends(const struct nonet_session *session, struct nonet_text *line) {
    const struct nonet_options *options = nonet_session_options(session);
    if (options->game->hidden == NULL) {
        struct nonet_value value = nonet_value_result(options, nonet_session_state(session), 1);
        nonet_text_format(line, "%c", "-=+"[value.outcome]);
        return;
    }
    struct nonet_result result = {0};
    nonet_session_result(session, &result);
    for (int player = 1; player <= options->players; player++)
        if (result.winners >> (player - 1) & 1)
            nonet_text_format(line, "%d", player);
    nonet_text_add(line, " ");
    nonet_options_write(options, line);
}

static bool play_game(struct selfplay *s, uint64_t number, struct nonet_text *line) {
    const uint64_t key[] = {s->seed, number};
    struct nonet_random random = {nonet_hash_words(key, sizeof key)};
    struct nonet_options options = s->options;
    bool hidden = options.game->hidden != NULL;
    if (hidden) {
        uint64_t open = nonet_random_next(&random);
        nonet_options_deal(&options, open, nonet_random_next(&random));
    }
    struct nonet_session *session = nonet_session_new(&options);
    if (session == NULL)
        return false;
    nonet_player_new_game(s->player);
    char bytes[LINE];
    struct nonet_text moves = NONET_TEXT_IN(bytes);
    int opening = (int)nonet_random_below(&random, OPENING + 1);
    bool good = true;
    while (good && nonet_session_turn(session) != 0) {
        bool by_chance = nonet_session_ply(session) < opening ||
                         (!hidden && nonet_random_below(&random, ONE_IN) == 0);
        good = play_move(s, session, &random, by_chance, &moves);
    }
    if (good) {
        write_ends(session, line);
        nonet_text_format(line, "%s\n", bytes);
    }
    nonet_session_free(session);
    return good && !line->cut;
}

/* ---- The file ---- */

/* Finds out how many games the file has, and leaves it after the last whole one. */
static int find_end(FILE *file, const char *path, const char *first, uint64_t *games) {
    char line[LINE];
    long whole = 0;
    uint64_t lines = 0;
    while (fgets(line, sizeof line, file) != NULL && strchr(line, '\n') != NULL) {
        if (lines == 0 && strcmp(line, first) != 0)
            return cli_fail(CLI_FAILED, "%s has games that were made differently: %.*s",
                            cli_printable(path), (int)strcspn(line, "\n"), line);
        lines++;
        whole = ftell(file);
    }
    *games = lines > 0 ? lines - 1 : 0;
    if (fseek(file, whole, SEEK_SET) != 0 || ftruncate(fileno(file), whole) != 0)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), host_error(errno));
    return lines > 0 ? CLI_DONE : cli_output_to(file, first);
}

static int play_games(struct selfplay *s, FILE *file, uint64_t done) {
    static char bytes[LINE];
    struct cli_progress progress;
    cli_progress_begin(&progress);
    int code = CLI_DONE;
    for (uint64_t number = done; number < s->games && code == CLI_DONE; number++) {
        struct nonet_text line = NONET_TEXT_IN(bytes);
        if (!play_game(s, number, &line))
            code = cli_fail(CLI_FAILED, "there is no memory left");
        else
            code = cli_output_to(file, bytes);
        char what[40];
        snprintf(what, sizeof what, "%" PRIu64 " games", number + 1);
        double share = (double)(number + 1 - done) / (double)(s->games - done);
        cli_progress_show(&progress, what, share,
                          cli_progress_seconds(&progress) * (1 / share - 1));
    }
    cli_progress_end(&progress);
    return code;
}

static int work(struct selfplay *s, const char *path) {
    char first[512];
    struct nonet_text text = NONET_TEXT_IN(first);
    write_first_line(s, &text);
    FILE *file = fopen(path, "r+");
    if (file == NULL && errno == ENOENT)
        file = fopen(path, "w+x");
    if (file == NULL)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), host_error(errno));
    uint64_t done = 0;
    int code = find_end(file, path, first, &done);
    if (code == CLI_DONE)
        code = play_games(s, file, done);
    if (fclose(file) != 0 && code == CLI_DONE)
        code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), host_error(errno));
    return code;
}

static int run(int argc, char **argv) {
    struct selfplay s = {.games = 1000, .nodes = 2000};
    const char *games = NULL, *nodes = NULL, *seed = NULL, *output = NULL, *weights = NULL;
    const struct cli_flag flags[] = {{"--games", &games, NULL},     {"--nodes", &nodes, NULL},
                                     {"--seed", &seed, NULL},       {"--output", &output, NULL},
                                     {"--weights", &weights, NULL}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL || output == NULL || arguments.word_count > 0 ||
        arguments.from != NULL)
        return cli_fail(CLI_USAGE, "name a game and --output FILE; see --help");
    s.options = arguments.options;
    if (!nonet_is_open_duel(&s.options) && s.options.game->hidden == NULL)
        return cli_fail(CLI_USAGE, "self-play is for two players, unless something is hidden");
    if (s.options.game->inner != NULL)
        return cli_fail(CLI_USAGE, "a network judges sides: play with swap=no, and it also serves "
                                   "games with swap=yes");
    if ((code = cli_number_flag("--games", games, 1, MOST_GAMES, &s.games)) != CLI_DONE ||
        (code = cli_number_flag("--nodes", nodes, 1, INT64_MAX, &s.nodes)) != CLI_DONE ||
        (code = cli_number_flag("--seed", seed, 0, INT64_MAX, &s.seed)) != CLI_DONE)
        return code;
    if (weights != NULL)
        code = cli_weights(weights, &s.options, &s.weights);
    if (code == CLI_DONE) {
        s.player = nonet_player_open();
        s.report = malloc(sizeof *s.report);
        code = s.player != NULL && s.report != NULL
                   ? work(&s, output)
                   : cli_fail(CLI_FAILED, "there is no memory left");
    }
    nonet_player_close(s.player);
    free(s.report);
    free(s.weights);
    return code;
}

const struct cli_command cli_selfplay = {
    .name = "selfplay",
    .usage = "GAME [-o key=value]… --output FILE [flags]",
    .brief = "let the strongest player play against itself, for training",
    .help =
        "Writes games with the scores of their moves, for nonet-train or nonet-fit. A file that\n"
        "has some of the games already is continued.\n\n"
        "  -o key=value   set an option of the game; nonet games lists them\n"
        "  --output FILE  where the games go\n"
        "  --games N      until the file has N games; by default 1000\n"
        "  --nodes N      positions searched for each move; by default 2000\n"
        "  --seed N       the same seed gives the same games; by default 0\n"
        "  --weights FILE\n"
        "                 weights that judge instead of the game's own\n",
    .run = run,
};
