/* nonet verify: checks a table of exact values, or a certificate of one value, against the rules.
 */
#include "solve/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"
#include "solve/proof_file.h"

static int print_certificate(const struct proof_file_report *report) {
    char out[1024];
    struct nonet_text text = NONET_TEXT_IN(out);
    const struct nonet_value *value = &report->value;
    nonet_text_format(&text, "%s: ", report->game);
    if (value->outcome == NONET_DRAW)
        nonet_text_add(&text, "a draw");
    else
        nonet_text_format(&text, "player %d wins", value->outcome == NONET_WIN ? 1 : 2);
    if (value->margin != 0)
        nonet_text_format(&text, " by %d", abs(value->margin));
    nonet_text_format(&text,
                      "\n%" PRIu64 " positions looked at\n"
                      "verified: %" PRIu64 " choices, %" PRIu64 " of them left to a short search\n",
                      report->positions, report->choices, report->leaves);
    return cli_output(out);
}

static void add_counts(const struct verify_report *report, int value, struct nonet_text *text) {
    static const char *const whom[NONET_MAX_PLAYERS] = {"the player to move", "the next player",
                                                        "the one after them", "the fourth"};
    nonet_text_format(
        text, "%s: %" PRIu64 " wins, %" PRIu64 " draws, %" PRIu64 " losses for %s; %s %d\n",
        report->game, report->of[value].wins, report->of[value].draws, report->of[value].losses,
        whom[value], report->has_margin ? "greatest margin" : "longest distance",
        report->of[value].longest);
}

static int run(int argc, char **argv) {
    enum { MOST_THREADS = 64 };
    const char *threads = NULL, *memory = "4G";
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
    if (!cli_bytes(memory, &limits.memory) || limits.memory == 0)
        return cli_fail(CLI_USAGE,
                        "--memory cannot be \"%s\"; it is a number of bytes, or 500M, 2G",
                        nonet_quote(memory).text);
    struct cli_progress progress;
    cli_progress_begin(&progress);
    limits.progress = cli_progress_show;
    limits.context = &progress;
    struct verify_report report;
    char reason[2 * NONET_POSITION_TEXT + 512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct proof_file_report proof;
    bool is_certificate = proof_file_is(words[0]);
    bool good = is_certificate ? proof_file_verify(words[0], &limits, &proof, &why)
                               : verify_table(words[0], &limits, &report, &why);
    cli_progress_end(&progress);
    if (!good)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(words[0]), reason);
    if (is_certificate)
        return print_certificate(&proof);
    char bytes[2048];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int i = 0; i < report.values; i++)
        add_counts(&report, i, &text);
    nonet_text_format(&text,
                      "%" PRIu64 " moves followed, no position missing\n"
                      "verified: %" PRIu64 " positions\n",
                      report.successors, report.positions);
    return cli_output(bytes);
}

const struct cli_command cli_verify = {
    .name = "verify",
    .usage = "FILE [--threads N] [--memory SIZE]",
    .brief = "check a table of exact values against the rules",
    .help = "Reads the whole table and checks every position in it: its value and distance (or\n"
            "margin) must follow from its moves and the values of the positions they lead to. All\n"
            "those positions, and the game's first position, must be in the table.\n"
            "Prints \"verified: N positions\", or the first wrong position with the expected\n"
            "value and the value found.\n"
            "A certificate, as nonet solve writes it for Ksar, is checked by walking through its\n"
            "proof, on one processor. All that it says must follow from the rules.\n\n"
            "  --threads N     work on N processors instead of all\n"
            "  --memory SIZE   use no more memory than this, such as 500M; by default 4G\n",
    .run = run,
};
