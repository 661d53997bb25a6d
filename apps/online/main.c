/* nonet-serve: the page with the nine games, delivered from inside this program. `nonet serve`
 * starts it (apps/cli/serve.c). It is a separate program so that no other command loads an HTTP
 * library. */
#include <signal.h>
#include <string.h>

#include "cli/cli.h"
#include "http/http.h"
#include "tables.h"

/* The signals that end it: Ctrl-C, kill, the closing of the terminal. A signal that was ignored
 * from the start, as nohup does, stays ignored. They are blocked, so that only the thread that
 * waits for them gets them. */
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

static void wait_for_the_end(const sigset_t *ends) {
    int number;
    while (sigwait(ends, &number) != 0) {
    }
}

static int serve(int argc, char **argv) {
    const char *address = "127.0.0.1", *port_text = "8080";
    const struct cli_flag flags[] = {
        {"--address", &address, NULL}, {"--port", &port_text, NULL}, {0}};
    char **words;
    int count, code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count > 0)
        return cli_fail(CLI_USAGE, "serve takes no argument except --address and --port");
    uint64_t port;
    if (!cli_number(port_text, UINT16_MAX, &port))
        return cli_fail(CLI_USAGE, "--port cannot be \"%s\"; it is a number from 0 to %d",
                        nonet_quote(port_text).text, UINT16_MAX);
    if (strcmp(address, "localhost") == 0)
        address = "127.0.0.1";
    if (!http_is_address(address))
        return cli_fail(CLI_USAGE,
                        "--address cannot be \"%s\"; it is an IPv4 or IPv6 address, such as "
                        "127.0.0.1, this machine alone, or 0.0.0.0, all networks it is in",
                        nonet_quote(address).text);
    if (site_files[0].path == NULL)
        return cli_fail(CLI_FAILED, "this build has no page: make play builds it");

    const sigset_t ends = block_ends(); /* before there are other threads */
    char reason[256], line[256];
    struct nonet_text why = NONET_TEXT_IN(reason), text = NONET_TEXT_IN(line);
    struct site_file *files = tables_beside(site_files);
    if (files == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    struct http_server *server = http_start(files, address, (uint16_t)port, &why);
    if (server == NULL) {
        tables_close(files);
        return cli_fail(CLI_FAILED, "%s", reason);
    }
    nonet_text_add(&text, "Nonet is at ");
    http_url(server, &text);
    nonet_text_add(&text, "\n");
    code = cli_output(line);
    if (code == CLI_DONE)
        wait_for_the_end(&ends);
    http_stop(server);
    tables_close(files);
    return code;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, which is reported */
    return serve(argc - 1, argv + 1);
}
