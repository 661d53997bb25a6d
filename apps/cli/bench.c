/* nonet bench: random games through the public contract, with speeds and one signature over all of
 * them.
 *
 * The signature depends on every move and result played, and on nothing else: a change that is not
 * meant to change the rules keeps it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/random.h"
#include "cli.h"

struct tally {
    uint64_t games, moves, signature;
};

static void mix(struct tally *tally, uint64_t value) {
    tally->signature = (tally->signature ^ value) * 0x9fb21c651e98df25u;
}

/* Picks of a linear congruential generator (Knuth's MMIX): three instructions, so that the games
 * are measured and not the dice. */
static uint32_t pick(uint64_t *dice, uint32_t bound) {
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((*dice >> 32) * bound) >> 32);
}

static void end_game(const struct nonet_options *options, const void *state,
                     struct nonet_result *result, struct tally *tally) {
    options->game->result(options, state, result);
    mix(tally, result->winners);
    for (int player = 0; result->has_points && player < options->players; player++)
        mix(tally, (uint64_t)result->points[player]);
    tally->games++;
}

/* Games that can go on for ever are cut at this length. */
enum { LONGEST = 200 };

/* The loop that is measured: list the legal moves, pick one, play it. Never inlined, so that
 * callgrind can be told to count nothing else. */
__attribute__((noinline)) void bench_listed(const struct nonet_options *options, uint64_t games,
                                            uint64_t *dice, struct tally *tally) {
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state first, state;
    struct tally sum = *tally; /* kept in registers while the games last */
    uint64_t random = *dice;
    struct nonet_result result = {0};
    game->start(options, &first, NULL);
    for (uint64_t i = 0; i < games; i++) {
        memcpy(&state, &first, game->state_size);
        int count = 0;
        for (int ply = 0; ply < LONGEST; ply++) {
            count = game->moves(options, &state, moves);
            if (count == 0)
                break;
            nonet_move move = moves[pick(&random, (uint32_t)count)];
            game->play(options, &state, NULL, move);
            mix(&sum, move);
            sum.moves++;
        }
        if (count == 0)
            end_game(options, &state, &result, &sum);
        else
            sum.games++;
    }
    *tally = sum;
    *dice = random;
}

__attribute__((noinline)) void bench_wide(const struct nonet_options *options, uint64_t games,
                                          uint64_t *dice, struct tally *tally, void *workspace) {
    const struct nonet_game *game = options->game;
    struct nonet_state state;
    struct nonet_result result = {0};
    for (uint64_t i = 0; i < games; i++) {
        game->start(options, &state, workspace);
        for (;;) {
            uint64_t count = game->wide->count(options, &state, workspace);
            if (count == 0)
                break;
            nonet_move move =
                game->wide->nth(options, &state, workspace, pick(dice, (uint32_t)count));
            game->play(options, &state, workspace, move);
            mix(tally, move);
            tally->moves++;
        }
        end_game(options, &state, &result, tally);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool play_games(const struct nonet_options *options, uint64_t games, struct tally *tally) {
    /* Every deal and every game of a run follows from this one number. */
    struct nonet_random random = {1};
    uint64_t dice = 1;
    const struct nonet_game *game = options->game;
    if (game->wide != NULL) {
        void *workspace = aligned_alloc(64, (game->wide->workspace_size + 63) / 64 * 64);
        if (workspace == NULL)
            return false;
        bench_wide(options, games, &dice, tally, workspace);
        free(workspace);
        return true;
    }
    /* A new deal now and then, where there is one, without measuring the dealing. */
    uint64_t batch = game->deal != NULL ? 100 : games;
    for (uint64_t done = 0; done < games; done += batch) {
        struct nonet_options dealt = *options;
        uint64_t open = nonet_random_next(&random), secret = nonet_random_next(&random);
        nonet_options_deal(&dealt, open, secret);
        bench_listed(&dealt, games - done < batch ? games - done : batch, &dice, tally);
    }
    return true;
}

/* How many games make about the same time of each. */
static uint64_t default_games(const struct nonet_game *game) {
    if (game->wide != NULL)
        return 20;
    return game->facts & NONET_REPETITION_DRAWS ? 5000 : 50000;
}

/* The options of a game that are worth a line of their own: the defaults and every choice. */
static int run_game(struct nonet_options *options, uint64_t games, uint64_t *signature,
                    struct nonet_text *out) {
    struct tally tally = {0, 0, *signature};
    double begun = seconds();
    if (!play_games(options, games, &tally))
        return cli_fail(CLI_FAILED, "there is no memory left");
    double spent = seconds() - begun;
    char name[128];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(options, &text);
    nonet_text_format(
        out, "%-30s %9" PRIu64 " games %11" PRIu64 " moves %12.0f moves/s %10.0f games/s\n", name,
        tally.games, tally.moves, (double)tally.moves / spent, (double)tally.games / spent);
    *signature = tally.signature;
    return CLI_DONE;
}

static int run(int argc, char **argv) {
    const char *games_text = NULL;
    const struct cli_flag flags[] = {{"--games", &games_text, NULL}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    uint64_t games = 0;
    if (games_text != NULL && (!cli_number(games_text, 1000000000, &games) || games == 0))
        return cli_fail(CLI_USAGE, "--games must be a number from 1 to 1000000000");
    if (arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE, "bench takes a game and its options at most; see --help");
    uint64_t signature = 0;
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int i = 0; i < nonet_game_count && code == CLI_DONE; i++) {
        struct nonet_options options;
        if (arguments.game != NULL && arguments.game != nonet_games[i])
            continue;
        if (arguments.game != NULL)
            options = arguments.options;
        else
            nonet_options_default(&options, nonet_games[i]);
        code = run_game(&options, games != 0 ? games : default_games(nonet_games[i]), &signature,
                        &text);
    }
    if (code != CLI_DONE)
        return code;
    nonet_text_format(&text, "signature %016" PRIx64 "\n",
                      nonet_hash(&signature, sizeof signature));
    return cli_output(bytes);
}

const struct cli_command cli_bench = {
    .name = "bench",
    .usage = "[GAME [-o key=value]…] [--games N]",
    .brief = "play random games: speeds, and a signature of all moves played",
    .help = "Speeds are per second of processor time, listing all legal moves included. The\n"
            "signature stays the same as long as the rules do.\n\n"
            "  --games N      play N games of each instead of the usual number\n",
    .run = run,
};
