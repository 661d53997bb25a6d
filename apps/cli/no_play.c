/* Without play.c: a terminal is read with POSIX's signals and deadlines, which Windows lacks. */
#include "screen.h"

#include "cli.h"

bool screen_possible(void) {
    return false;
}

static int run(int argc, char **argv) {
    (void)argc, (void)argv;
    return cli_fail(CLI_FAILED, "this program cannot play in a Windows terminal; a program that "
                                "speaks UGI can, with nonet ugi");
}

const struct cli_command cli_play = {
    .name = "play",
    .usage = "",
    .brief = "play in the terminal, which is not possible on Windows",
    .help = "",
    .run = run,
};
