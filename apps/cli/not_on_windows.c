/* In place of play.c and serve.c on Windows, which lacks POSIX's terminal and the server's
 * libraries. */
#include "cli.h"
#include "screen.h"

bool screen_possible(void) {
    return false;
}

static int refuse(int argc, char **argv) {
    (void)argc, (void)argv;
    return cli_fail(CLI_FAILED, "this command does not exist on Windows");
}

const struct cli_command cli_play = {
    .name = "play",
    .usage = "",
    .brief = "play in the terminal: not on Windows",
    .help = "On Windows games are played by a program that speaks UGI, with nonet ugi.\n",
    .run = refuse,
};

const struct cli_command cli_serve = {
    .name = "serve",
    .usage = "",
    .brief = "play in the browser: not on Windows",
    .help = "The server runs on other systems; a browser on Windows can use it there.\n",
    .run = refuse,
};
