/* nonet verify: checks a table of exact values against the rules. */
#include "solve/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static void show_progress(void *context, const char *what, double share, double seconds_left) {
    (void)context;
    static const char bar[] = "##############################";
    int width = (int)(sizeof bar - 1);
    fprintf(stderr, "\r%-8s [%-*.*s] %3.0f %%", what, width, (int)(share * width), bar,
            100 * share);
    if (seconds_left >= 0)
        fprintf(stderr, ", %.0f s left   ", seconds_left);
}

/* 500M, 2G, or bytes. */
static bool read_memory(const char *text, uint64_t *bytes) {
    static const struct {
        char letter;
        uint64_t size;
    } units[] = {{'K', 1000}, {'M', 1000000}, {'G', 1000000000}};
    char digits[24];
    struct nonet_text copy = NONET_TEXT_IN(digits);
    nonet_text_add(&copy, text);
    uint64_t unit = 1;
    for (size_t i = 0; i < sizeof units / sizeof units[0] && copy.length > 0; i++)
        if (digits[copy.length - 1] == units[i].letter) {
            unit = units[i].size;
            digits[copy.length - 1] = '\0';
            break;
        }
    if (copy.cut || !cli_number(digits, UINT64_MAX / unit, bytes) || *bytes == 0)
        return false;
    *bytes *= unit;
    return true;
}

static int run(int argc, char **argv) {
    enum { MOST_THREADS = 64 };
    const char *threads = NULL, *memory = NULL;
    const struct cli_flag flags[] = {
        {"--threads", &threads, NULL}, {"--memory", &memory, NULL}, {0}};
    char **words;
    int count;
    int code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count != 1)
        return cli_fail(CLI_USAGE, "verify needs one file, such as: nonet verify trix.table");
    struct solve_limits limits = {0};
    uint64_t number = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (threads != NULL && (!cli_number(threads, MOST_THREADS, &number) || number == 0))
        return cli_fail(CLI_USAGE, "--threads cannot be \"%s\"; it is a number from 1 to %d",
                        nonet_quote(threads).text, MOST_THREADS);
    limits.threads = (int)(number > MOST_THREADS ? MOST_THREADS : number);
    if (memory != NULL && !read_memory(memory, &limits.memory))
        return cli_fail(CLI_USAGE,
                        "--memory cannot be \"%s\"; it is a number of bytes, or 500M, 2G",
                        nonet_quote(memory).text);
    bool terminal = isatty(STDERR_FILENO);
    if (terminal)
        limits.progress = show_progress;
    struct verify_report report;
    char reason[2 * NONET_POSITION_TEXT + 512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    bool good = verify_table(words[0], &limits, &report, &why);
    if (terminal)
        fputs("\r\033[K", stderr);
    if (!good)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(words[0]), reason);
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_text_format(&text,
                      "%s: %" PRIu64 " wins, %" PRIu64 " draws, %" PRIu64
                      " losses for the player to move; %s %d\n"
                      "%" PRIu64 " moves followed, no position missing\n"
                      "verified: %" PRIu64 " positions\n",
                      report.game, report.wins, report.draws, report.losses,
                      report.has_margin ? "greatest margin" : "longest distance", report.longest,
                      report.successors, report.positions);
    return cli_output(bytes);
}

const struct cli_command cli_verify = {
    .name = "verify",
    .usage = "FILE [--threads N] [--memory SIZE]",
    .brief = "check a table of exact values against the rules",
    .help = "Reads the whole table and checks every position in it: that its value and distance\n"
            "(or margin) are what its moves and the values of the positions they lead to make\n"
            "of it, that those are all in the table, and that the game's first position is.\n"
            "Prints \"verified: N positions\", or the first wrong one with what was expected and\n"
            "what was found.\n\n"
            "  --threads N     work on so many processors instead of all\n"
            "  --memory SIZE   take no more memory than this, such as 500M or 2G\n",
    .run = run,
};
