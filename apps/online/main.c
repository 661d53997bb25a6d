/* nonet-serve: the page with the nine games, delivered from inside this program, and the tables at
 * which people in different places play. `nonet serve` starts it (apps/cli/serve.c). It is a
 * separate program so that no other command loads an HTTP library. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "checking.h"
#include "cli/words.h"
#include "host/files.h"
#include "http/address.h"
#include "http/http.h"
#include "journal.h"
#include "store/salvage.h"
#include "tables.h"

/* The signals that end it: Ctrl-C, kill, the closing of the terminal. A signal that was ignored
 * from the start, as nohup does, stays ignored. They are blocked, and read from a descriptor. */
static sigset_t block_ends(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t ends;
    sigemptyset(&ends);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaddset(&ends, numbers[i]);
    }
    sigprocmask(SIG_BLOCK, &ends, NULL);
    return ends;
}

/* Where the tables are unless somebody says otherwise: among what programs keep for this user.
 * False if there is no such place. */
static bool usual_store(char path[FILES_PATH]) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct nonet_text text = nonet_text_in(path, FILES_PATH);
    if (state != NULL && *state == '/')
        nonet_text_format(&text, "%s/nonet", state);
    else if (home != NULL && *home == '/')
        nonet_text_format(&text, "%s/.local/state/nonet", home);
    else
        return false;
    for (char *slash = path + 1; !text.cut && (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
    nonet_text_add(&text, "/tables.sqlite");
    return !text.cut;
}

/* The server with its tables. If those at the usual place cannot be used, the page is still served:
 * a home user need not know about tables. */
static struct http_server *start(struct http_plan *plan, bool usual, struct nonet_text *why) {
    struct http_server *server = http_start(plan, why);
    if (server != NULL || plan->store == NULL || !usual)
        return server;
    char reason[256], line[512];
    struct nonet_text again = NONET_TEXT_IN(reason), note = NONET_TEXT_IN(line);
    plan->store = NULL;
    server = http_start(plan, &again);
    if (server != NULL) {
        host_refuse(&note, "people cannot play each other at this server: %s", why->bytes);
        journal_tell(JOURNAL_TROUBLE, "no-tables", NULL, line);
    }
    return server;
}

static int run(struct http_plan *plan, bool usual) {
    char reason[256], line[256];
    struct nonet_text why = NONET_TEXT_IN(reason), text = NONET_TEXT_IN(line);
    const sigset_t ends = block_ends(); /* before there are other threads */
    int end = signalfd(-1, &ends, SFD_CLOEXEC);
    struct http_server *server = end >= 0 ? start(plan, usual, &why) : NULL;
    if (server == NULL)
        return cli_fail(CLI_FAILED, "%s", end >= 0 ? reason : host_error(errno));
    nonet_text_add(&text, host_words("Nonet is at "));
    size_t words = text.length;
    http_url(server, &text);
    const struct journal_field fields[] = {{"address", line + words, 0}, {0}};
    journal_tell(JOURNAL_ROUTINE, "started", fields, line);
    nonet_text_add(&text, "\n");
    int code = cli_output_words(line);
    if (code == CLI_DONE)
        http_run(server, end);
    http_stop(server);
    journal_tell(JOURNAL_ROUTINE, "stopped", NULL, "all that was acknowledged is on disk");
    return code;
}

/* From the environment, unless it is empty there. Flags come later, and win. */
static const char *setting(const char *name, const char *usual) {
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : usual;
}

static int check(const char *store) {
    struct checking found;
    char reason[1024], line[256];
    struct nonet_text why = NONET_TEXT_IN(reason), text = NONET_TEXT_IN(line);
    if (!checking_run(store, &found, &why))
        return cli_fail(CLI_FAILED, "%s%s", reason,
                        salvage_needed(store)
                            ? host_words("; the next start of the server saves what can be read")
                            : "");
    if (found.damaged > 0)
        return cli_fail(CLI_FAILED, "%lld of %lld tables are damaged: %s", (long long)found.damaged,
                        (long long)found.tables, reason);
    nonet_text_format(&text, "%lld tables, %lld lines, %lld visitors: all fine\n",
                      (long long)found.tables, (long long)found.lines, (long long)found.visitors);
    return cli_output(line);
}

static int serve(int argc, char **argv) {
    const char *address = setting("NONET_ADDRESS", "127.0.0.1");
    const char *port_text = setting("NONET_PORT", "8080");
    const char *store = setting("NONET_STORE", NULL), *proxy = setting("NONET_PROXY", NULL);
    const char *log = setting("NONET_LOG", "text");
    bool no_tables = false, unlimited = false, checks = false;
    const struct cli_flag flags[] = {{"--address", &address, NULL},
                                     {"--port", &port_text, NULL},
                                     {"--store", &store, NULL},
                                     {"--proxy", &proxy, NULL},
                                     {"--no-tables", NULL, &no_tables},
                                     {"--unlimited", NULL, &unlimited},
                                     {"--check", NULL, &checks},
                                     {"--log", &log, NULL},
                                     {0}};
    char **words;
    int count, code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count > 0)
        return cli_fail(CLI_USAGE,
                        "serve takes no argument except its flags; see nonet serve --help");
    uint64_t port;
    if (!cli_number(port_text, UINT16_MAX, &port))
        return cli_fail(CLI_USAGE, "--port cannot be \"%s\"; it is a number from 0 to %d",
                        nonet_quote(port_text).text, UINT16_MAX);
    if (strcmp(address, "localhost") == 0)
        address = "127.0.0.1";
    if (!address_check(address))
        return cli_fail(CLI_USAGE,
                        "--address cannot be \"%s\"; it is an IPv4 or IPv6 address, such as "
                        "127.0.0.1, this machine alone, or 0.0.0.0, all networks it is in",
                        nonet_quote(address).text);
    if (proxy != NULL && !address_check(proxy))
        return cli_fail(CLI_USAGE,
                        "--proxy cannot be \"%s\"; it is the IPv4 or IPv6 address from "
                        "which the proxy connects, such as 127.0.0.1",
                        nonet_quote(proxy).text);
    bool for_programs = strcmp(log, "json") == 0;
    if (!for_programs && strcmp(log, "text") != 0)
        return cli_fail(CLI_USAGE, "--log cannot be \"%s\"; it is text or json",
                        nonet_quote(log).text);
    if (for_programs)
        journal_for_programs();
    char path[FILES_PATH];
    bool usual = store == NULL;
    if (usual && !no_tables && usual_store(path))
        store = path;
    if (checks)
        return store != NULL ? check(store) : cli_fail(CLI_USAGE, "--check needs --store FILE");
    if (site_files[0].path == NULL)
        return cli_fail(CLI_FAILED, "this build has no page: make play builds it");
    struct site_file *files = tables_beside(site_files);
    if (files == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    struct http_plan plan = {files, address,  (uint16_t)port, no_tables ? NULL : store,
                             proxy, unlimited};
    code = run(&plan, usual);
    tables_close(files);
    return code;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, which is reported, */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow any more */
    cli_speak_here();
    int code = cli_take_language(&argc, argv);
    return code != CLI_DONE ? code : serve(argc - 1, argv + 1);
}
