/* nonet record: a game record as a report for sites of abstract games, and back. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "host/files.h"
#include "host/report.h"

static const char FORM[] = "abstractplay";

static int fail_file(const char *file, const char *reason) {
    return cli_fail(CLI_FAILED, "%s: %s", cli_file_name(file), reason);
}

static int write_report(const char *file, const char *site, const char *ended) {
    char reason[RECORD_REASON], now[REPORT_TIME];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record;
    report_time_write((long long)time(NULL), now);
    if (!record_read_file(file, &record, &why))
        return fail_file(file, reason);
    char *text = report_write(
        &record, &(struct report_facts){site != NULL ? site : "Nonet", ended, now}, &why);
    record_close(&record);
    if (text == NULL)
        return fail_file(file, reason);
    int code = cli_output(text);
    free(text);
    return code;
}

static int read_report(const char *file) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record;
    size_t size;
    char *bytes = files_read(file, RECORD_MAX_BYTES, &size, &why);
    bool done = bytes != NULL && report_read_bytes(bytes, size, &record, &why);
    free(bytes);
    if (!done)
        return fail_file(file, reason);
    char *text = record_write(&record);
    record_close(&record);
    if (text == NULL)
        return fail_file(file, "there is no memory left");
    int code = cli_output(text);
    free(text);
    return code;
}

static int run(int argc, char **argv) {
    const char *to = NULL, *from = NULL, *site = NULL, *ended = NULL;
    const struct cli_flag flags[] = {{"--to", &to, NULL},
                                     {"--from", &from, NULL},
                                     {"--site", &site, NULL},
                                     {"--ended", &ended, NULL},
                                     {0}};
    char **words;
    int count;
    long long seconds;
    int code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count != 1)
        return cli_fail(CLI_USAGE, "name one file; - is the standard input");
    if ((to != NULL) == (from != NULL) || strcmp(to != NULL ? to : from, FORM) != 0)
        return cli_fail(CLI_USAGE, "say --to %s or --from %s", FORM, FORM);
    if (from != NULL && (site != NULL || ended != NULL))
        return cli_fail(CLI_USAGE, "--site and --ended are for --to");
    if (from != NULL)
        return read_report(words[0]);
    if (ended == NULL || !report_time(ended, &seconds))
        return cli_fail(CLI_USAGE, "a record does not know when the game ended: say --ended TIME, "
                                   "such as 2026-11-18T20:15:00Z");
    return write_report(words[0], site, ended);
}

const struct cli_command cli_record = {
    .name = "record",
    .usage = "FILE --to abstractplay --ended TIME [--site NAME]\n"
             "       nonet record FILE --from abstractplay",
    .brief = "a game record as a report for other sites, and back",
    .help = "  FILE           a record, or with --from a report; - is the standard input\n"
            "  --to abstractplay\n"
            "                 print the game as a report in the form of Abstract Play\n"
            "  --from abstractplay\n"
            "                 read such a report, check every move and the result, and print the\n"
            "                 game as a record\n"
            "  --ended TIME   when the game ended: 2026-11-18T20:15:00Z\n"
            "  --site NAME    where it was played; by default Nonet\n\n"
            "Only games that are over have a report.\n",
    .run = run,
};
