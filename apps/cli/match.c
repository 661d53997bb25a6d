/* nonet match: computer players against each other, to find out which is stronger. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matching.h"

enum {
    MOST_GAMES = 1000000,
    MOST_JOBS = 256,
    MOST_OPENING = 1000,
    USUAL_GAMES = 100,
    USUAL_TEST_GAMES = 20000,
    USUAL_MAX_PLIES = 2000,
};

static bool read_elo(const char *text, double *elo) {
    char *end;
    *elo = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*elo) && fabs(*elo) <= 2000;
}

/* Takes --sprt ELO0 ELO1 out of the arguments. Other flags have one value; this one has two, which
 * may be negative. */
static int take_test(int *argc, char **argv, struct match *match) {
    for (int i = 0; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--sprt") != 0)
            continue;
        if (i + 2 >= *argc || !read_elo(argv[i + 1], &match->elo0) ||
            !read_elo(argv[i + 2], &match->elo1) || !(match->elo0 < match->elo1))
            return cli_fail(CLI_USAGE, "--sprt needs two Elo differences after it, the lower one "
                                       "first, such as 0 20");
        match->testing = true;
        for (int j = i; j + 3 < *argc; j++)
            argv[j] = argv[j + 3];
        *argc -= 3;
        i--;
    }
    return CLI_DONE;
}

static bool is_taken(const struct match *match, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(match->entrants[i].name, name) == 0)
            return true;
    return false;
}

/* Entrants with the same name get numbers. */
static void tell_apart(struct match *match, int index) {
    char *name = match->entrants[index].name, suffix[16];
    size_t length = strlen(name);
    for (int number = 2; is_taken(match, index, name); number++) {
        size_t size = (size_t)snprintf(suffix, sizeof suffix, "#%d", number) + 1;
        size_t at = length + size <= RECORD_NAME ? length : RECORD_NAME - size;
        memcpy(name + at, suffix, size);
    }
}

/* Entrants without a limit of their own get the common one. */
static int read_entrants(struct match *match, char **words, int count, uint64_t nodes,
                         double seconds) {
    if (count < 2 || count > MATCH_ENTRANTS)
        return cli_fail(CLI_USAGE, "name 2 to %d players, such as level:10 random", MATCH_ENTRANTS);
    match->entrant_count = count;
    for (int i = 0; i < count; i++) {
        struct match_entrant *entrant = &match->entrants[i];
        int code = match_entrant_read(words[i], &match->options, entrant);
        if (code != CLI_DONE)
            return code;
        if (entrant->nodes == 0 && entrant->seconds <= 0) {
            entrant->nodes = nodes;
            entrant->seconds = seconds;
        }
        tell_apart(match, i);
    }
    return CLI_DONE;
}

static int run(int argc, char **argv) {
    struct match match = {0};
    const char *games = NULL, *opening = NULL, *seats = NULL, *nodes = NULL, *time = NULL;
    const char *seed = NULL, *jobs = NULL, *max_plies = NULL, *timeout = "10";
    bool as_json = false;
    const struct cli_flag flags[] = {{"--games", &games, NULL},
                                     {"--opening", &opening, NULL},
                                     {"--seats", &seats, NULL},
                                     {"--nodes", &nodes, NULL},
                                     {"--time", &time, NULL},
                                     {"--seed", &seed, NULL},
                                     {"--jobs", &jobs, NULL},
                                     {"--max-plies", &max_plies, NULL},
                                     {"--timeout", &timeout, NULL},
                                     {"--records", &match.records, NULL},
                                     {"--json", NULL, &as_json},
                                     {"--untimed", NULL, &match.untimed},
                                     {0}};
    struct cli_arguments arguments;
    int code = take_test(&argc, argv, &match);
    if (code == CLI_DONE)
        code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    match.options = arguments.options;
    match.from = arguments.from;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = match.testing ? USUAL_TEST_GAMES : USUAL_GAMES, limit = 0;
    uint64_t plies = match.options.players, longest = USUAL_MAX_PLIES;
    uint64_t workers = processors > 0 ? (uint64_t)processors : 1;
    double seconds = 0;
    if (time != NULL && !cli_seconds(time, &seconds))
        return cli_fail(CLI_USAGE, "--time cannot be \"%s\"; it is a number of seconds",
                        nonet_quote(time).text);
    if (!cli_seconds(timeout, &match.timeout))
        return cli_fail(CLI_USAGE, "--timeout cannot be \"%s\"; it is a number of seconds",
                        nonet_quote(timeout).text);
    if ((code = cli_number_flag("--games", games, 1, MOST_GAMES, &count)) != CLI_DONE ||
        (code = cli_number_flag("--opening", opening, 0, MOST_OPENING, &plies)) != CLI_DONE ||
        (code = cli_number_flag("--nodes", nodes, 1, INT64_MAX, &limit)) != CLI_DONE ||
        (code = cli_number_flag("--seed", seed, 0, INT64_MAX, &match.seed)) != CLI_DONE ||
        (code = cli_number_flag("--jobs", jobs, 1, MOST_JOBS, &workers)) != CLI_DONE ||
        (code = cli_number_flag("--max-plies", max_plies, 1, NONET_MAX_PLIES, &longest)) !=
            CLI_DONE)
        return code;
    if (seed == NULL && !cli_random(&match.seed))
        return CLI_FAILED;
    match.seed &= INT64_MAX; /* so that it can be written as a number everywhere */
    code = read_entrants(&match, arguments.words, arguments.word_count, limit, seconds);
    if (code == CLI_DONE)
        code = match_arrange(&match, seats);
    if (code == CLI_DONE && match.testing && (match.pairing_count > 1 || match.letters > 2))
        code = cli_fail(CLI_USAGE, "--sprt is for two players");
    if (code != CLI_DONE) {
        match_free(&match);
        return code;
    }
    match.openings = (count + (uint64_t)match.rotations - 1) / (uint64_t)match.rotations;
    match.opening_plies = (int)plies;
    match.max_plies = (int)longest;
    match.jobs = (int)workers;
    code = match_play(&match);
    if (code == CLI_DONE)
        code = (as_json ? match_print_json : match_print)(&match);
    match_free(&match);
    return code;
}

const struct cli_command cli_match = {
    .name = "match",
    .usage = "GAME [-o key=value]… [--from TEXT] PLAYER PLAYER… [flags]",
    .brief = "let computer players play against each other",
    .help =
        "  PLAYER         level:1 to level:10; a search that suits the game: random, uct,\n"
        "                 alpha-beta, wide; or cmd:COMMAND for another program that speaks UGI.\n"
        "                 Settings of its own may follow: level:10,nodes=20000,name=new or\n"
        "                 cmd:./bot.py,time=0.1; skill=S is for a level below 10, from 1 to 160;\n"
        "                 weights=FILE has the weights by which it judges; book=no keeps level\n"
        "                 10 from its book of openings, book=yes does not\n"
        "  -o key=value   set an option of the game; nonet games lists them\n"
        "  --from TEXT    begin at this position (the \"text\" of nonet position)\n"
        "  --games N      play N games, or N of each pair where there are more than two players;\n"
        "                 by default 100, or up to 20000 with --sprt\n"
        "  --nodes N      a player searches N positions for each move\n"
        "  --time S       a player thinks for S seconds about each move; without --nodes and\n"
        "                 --time the level decides\n"
        "  --opening K    the first K plies are random; by default one for each seat\n"
        "  --seats ABB    which player has which seat, by letters; every opening is played in all\n"
        "                 seatings\n"
        "  --max-plies N  longer games are drawn; by default 2000\n"
        "  --timeout S    a program that takes S seconds longer than its time loses the game; by\n"
        "                 default 10\n"
        "  --sprt E0 E1   stop when it is clear whether the first is E0 or E1 Elo stronger\n"
        "  --seed N       the same seed gives the same match, if only nodes limit the players\n"
        "  --jobs J       play J games at a time; by default one on each processor\n"
        "  --records DIR  write a record of every game\n"
        "  --json         print figures as JSON\n"
        "  --untimed      print nothing that depends on a clock\n\n"
        "Ctrl-C ends the match with the table so far.\n",
    .run = run,
};
