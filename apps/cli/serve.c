/* nonet serve: starts the server, which is a program of its own (apps/online). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/program.h"
#include "words.h"

/* Replaces this process by the program at a path. Returns only if that fails, false if there is
 * none. */
static bool become(const char *path, char **argv) {
    execv(path, argv);
    return errno != ENOENT && errno != ENOTDIR;
}

static int run(int argc, char **argv) {
    static char name[] = "nonet-serve", language[16];
    static const char installed[] = NONET_LIBEXEC "/nonet-serve";
    char bytes[4096];
    struct nonet_text beside = NONET_TEXT_IN(bytes);
    (void)argc;
    /* Two words in place of "nonet serve". */
    snprintf(language, sizeof language, "--lang=%s", cli_language_id());
    *--argv = language;
    *--argv = name;
    if (program_beside(name, &beside) && become(bytes, argv))
        return cli_fail(CLI_FAILED, "cannot start %s: %s", cli_printable(bytes), host_error(errno));
    if (become(installed, argv))
        return cli_fail(CLI_FAILED, "cannot start %s: %s", installed, host_error(errno));
    return cli_fail(CLI_FAILED,
                    "the server, nonet-serve, is missing: it is neither beside this command nor at "
                    "%s; make builds it",
                    installed);
}

const struct cli_command cli_serve = {
    .name = "serve",
    .usage = "[--port N] [--address A] [--store FILE | --no-tables] [--proxy A]\n"
             "       [--log text|json] [--unlimited] [--check]",
    .brief = "play in the browser: delivers the page until Ctrl-C",
    .help =
        "  --port N      where to listen; by default 8080; 0 for any free port\n"
        "  --address A   an IPv4 or IPv6 address of this machine; by default 127.0.0.1, which no\n"
        "                other machine can reach. 0.0.0.0 means all addresses\n"
        "  --store FILE  where the tables of people who play each other are kept; by default\n"
        "                nonet/tables.sqlite in $XDG_STATE_HOME or ~/.local/state\n"
        "  --no-tables   deliver only the page\n"
        "  --proxy A     believe a proxy at this address who its clients are\n"
        "  --log json    write what happens on stderr for programs, a JSON object on each line\n"
        "  --check       replay every game in the store by the rules, say what is damaged, and "
        "end\n"
        "  --unlimited   let one address ask for as much as it likes: for tests and measurements\n"
        "\n"
        "NONET_PORT, NONET_ADDRESS, NONET_STORE, NONET_PROXY and NONET_LOG in the environment say\n"
        "the same as the flags, which win.\n",
    .run = run,
};
