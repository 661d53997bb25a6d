/* nonet perft: counts move sequences, the classic check of a move generator. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "rules/perft.h"

enum { DEEPEST = 100, MOST_MOVES = 4096 };

/* Splits a text at blanks, in place. Returns the number of words, or -1 if there are too many. */
static int split(char *text, char **words, int most) {
    int count = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        if (count == most)
            return -1;
        words[count++] = word;
    }
    return count;
}

static void show_progress(uint64_t done, uint64_t all, int depth) {
    static const char bar[] = "##############################";
    int width = (int)(sizeof bar - 1);
    fprintf(stderr, "\rdepth %d [%-*.*s] %3.0f %%", depth, width,
            (int)(done * (uint64_t)width / all), bar, 100.0 * (double)done / (double)all);
}

/* Counts move by move below the root, so that a long count can show its progress. */
static bool count_at(struct nonet_session *session, int depth, uint64_t *sum) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    const void *state = nonet_session_state(session);
    if (game->wide != NULL || depth == 1)
        return nonet_perft(options, state, nonet_session_workspace(session), depth, sum);
    *sum = 0;
    bool shown = false, terminal = isatty(STDERR_FILENO);
    time_t begun = time(NULL);
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(options, state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state next;
        memcpy(&next, state, game->state_size);
        game->play(options, &next, NULL, moves[i]);
        uint64_t below;
        if (!nonet_perft(options, &next, NULL, depth - 1, &below))
            return false;
        *sum += below;
        if (terminal && time(NULL) > begun + 1) {
            show_progress((uint64_t)i + 1, (uint64_t)count, depth);
            shown = true;
        }
    }
    if (shown)
        fputs("\r\033[K", stderr);
    return true;
}

static int run(int argc, char **argv) {
    const char *moves = NULL;
    const struct cli_flag flags[] = {{"--moves", &moves, NULL}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    uint64_t depth;
    if (arguments.game == NULL || arguments.word_count != 1 ||
        !cli_number(arguments.words[0], DEEPEST, &depth) || depth == 0)
        return cli_fail(CLI_USAGE,
                        "perft needs a game and a depth from 1 to %d, such as: nonet "
                        "perft quadrangle 4",
                        DEEPEST);
    char *words[MOST_MOVES];
    int word_count = moves == NULL ? 0 : split((char *)moves, words, MOST_MOVES);
    if (word_count < 0)
        return cli_fail(CLI_USAGE, "--moves has more than %d moves", MOST_MOVES);
    struct nonet_session *session = cli_open(&arguments, words, word_count, &code);
    if (session == NULL)
        return code;
    for (int d = 1; d <= (int)depth && code == CLI_DONE; d++) {
        uint64_t sum;
        if (!count_at(session, d, &sum)) {
            code = cli_fail(CLI_FAILED, "there is no memory left");
            break;
        }
        char line[48];
        struct nonet_text text = NONET_TEXT_IN(line);
        nonet_text_format(&text, "%d %" PRIu64 "\n", d, sum);
        code = cli_output(line);
    }
    nonet_session_free(session);
    return code;
}

const struct cli_command cli_perft = {
    .name = "perft",
    .usage = "GAME [-o key=value]… [--from TEXT] [--moves \"MOVE MOVE …\"] DEPTH",
    .brief = "count the move sequences of each length up to a depth",
    .help = "Prints a line \"depth count\" for each depth. Draws by repetition are ignored.\n\n"
            "  -o key=value   set an option of the game\n"
            "  --from TEXT    begin at this position\n"
            "  --moves TEXT   play these moves first\n",
    .run = run,
};
