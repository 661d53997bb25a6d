/* nonet bench: random games and searches through the public contract. Prints speeds, and one
 * signature of all of them.
 *
 * The signature depends on every move, result and opinion, and on nothing else. A change that is
 * not meant to change rules or searches must keep it. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/hash.h"
#include "cli.h"
#include "study/measure.h"

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void write_name(const struct nonet_options *options, struct nonet_text *out) {
    char name[128];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(options, &text);
    nonet_text_format(out, "%-30s ", name);
}

static int run_games(const struct nonet_options *options, uint64_t games, uint64_t *signature,
                     struct nonet_text *out) {
    struct measure_tally tally = {.signature = *signature};
    double begun = seconds();
    if (!measure_games(options, games, &tally))
        return cli_fail(CLI_FAILED, "there is no memory left");
    double spent = seconds() - begun;
    write_name(options, out);
    nonet_text_format(out, "%9" PRIu64 " games %11" PRIu64 " moves %12.0f moves/s %10.0f games/s\n",
                      tally.games, tally.moves, (double)tally.moves / spent,
                      (double)tally.games / spent);
    *signature = tally.signature;
    return CLI_DONE;
}

static int run_searches(const struct nonet_options *options, uint64_t nodes, uint64_t *signature,
                        struct nonet_text *out) {
    struct measure_tally tally = {.signature = *signature};
    double begun = seconds();
    if (!measure_searches(options, nodes, &tally))
        return cli_fail(CLI_FAILED, "there is no memory left");
    double spent = seconds() - begun;
    write_name(options, out);
    nonet_text_format(out, "%9" PRIu64 " nodes searched %27.0f nodes/s\n", tally.nodes,
                      (double)tally.nodes / spent);
    *signature = tally.signature;
    return CLI_DONE;
}

/* Searches differ with the number of players. */
static int run_all_searches(const struct nonet_options *options, uint64_t nodes,
                            uint64_t *signature, struct nonet_text *out) {
    int code = CLI_DONE;
    for (int players = options->game->min_players;
         players <= options->game->max_players && code == CLI_DONE; players++) {
        struct nonet_options more = *options;
        char assignment[16];
        struct nonet_message why;
        snprintf(assignment, sizeof assignment, "players=%d", players);
        if (players == options->players || nonet_options_set(&more, assignment, &why))
            code = run_searches(&more, nodes, signature, out);
    }
    return code;
}

static int run(int argc, char **argv) {
    const char *games_text = NULL, *nodes_text = "10000";
    const struct cli_flag flags[] = {
        {"--games", &games_text, NULL}, {"--nodes", &nodes_text, NULL}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    uint64_t games = 0, nodes = 0;
    if (games_text != NULL && (!cli_number(games_text, 1000000000, &games) || games == 0))
        return cli_fail(CLI_USAGE, "--games must be a number from 1 to 1000000000");
    if (!cli_number(nodes_text, 1000000000, &nodes))
        return cli_fail(CLI_USAGE, "--nodes must be a number from 0 to 1000000000");
    if (arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE, "bench takes at most a game and its options; see --help");
    uint64_t signature = 0;
    char bytes[8192];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int i = 0; i < nonet_game_count && code == CLI_DONE; i++) {
        const struct nonet_game *game = nonet_games[i];
        if (arguments.game != NULL && arguments.game != game)
            continue;
        struct nonet_options options;
        if (arguments.game != NULL)
            options = arguments.options;
        else
            nonet_options_default(&options, game);
        code =
            run_games(&options, games != 0 ? games : measure_usual_games(game), &signature, &text);
        if (code == CLI_DONE && nodes > 0)
            code = arguments.game != NULL ? run_searches(&options, nodes, &signature, &text)
                                          : run_all_searches(&options, nodes, &signature, &text);
    }
    if (code != CLI_DONE)
        return code;
    nonet_text_format(&text, "signature %016" PRIx64 "\n",
                      nonet_hash_words(&signature, sizeof signature));
    return cli_output(bytes);
}

const struct cli_command cli_bench = {
    .name = "bench",
    .usage = "[GAME [-o key=value]…] [--games N] [--nodes N]",
    .brief = "random games and searches: speeds, and a signature of all of them",
    .help =
        "Speeds are per second of processor time. In games this includes listing all legal moves.\n"
        "The signature stays the same as long as rules and searches stay the same.\n\n"
        "  --games N      play N games of each instead of the usual number\n"
        "  --nodes N      search some positions with N nodes each, by default 10000; 0: none\n",
    .run = run,
};
