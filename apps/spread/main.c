/* nonet-solve: `nonet solve` on several processes or machines.
 *
 *     mpirun -n 4 nonet-solve kudosu --output kudosu.nonet-table
 *
 * All processes read the same command line; the first one speaks for all. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../cli/cli.h"
#include "solve/explicit.h"
#include "solve/spread.h"

static void show_progress(void *context, const char *what, double share, double seconds_left) {
    (void)context, (void)seconds_left;
    fprintf(stderr, "\r%s %3.0f %%\033[K", what, 100 * share);
}

static int run(int me, int argc, char **argv) {
    const char *output = NULL, *memory = NULL;
    const struct cli_flag flags[] = {{"--output", &output, NULL}, {"--memory", &memory, NULL}, {0}};
    struct cli_arguments arguments;
    /* Every process finds the same mistake; one of them says so. */
    if (me != 0 && freopen("/dev/null", "w", stderr) == NULL)
        return CLI_FAILED;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    const struct nonet_game *game = arguments.game;
    uint64_t megabytes = 4096;
    if (game == NULL || output == NULL || arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE, "usage: mpirun -n N nonet-solve GAME [-o key=value]… --output "
                                   "FILE [--memory MEGABYTES]");
    if (memory != NULL && (!cli_number(memory, 1 << 24, &megabytes) || megabytes == 0))
        return cli_fail(CLI_USAGE, "--memory is the megabytes of one process, at least 1");
    if (!solve_explicit_applies(&arguments.options))
        return cli_fail(CLI_USAGE,
                        "%s with these options cannot be solved by listing its positions",
                        game->title);
    struct solve_limits limits = {.threads = 1,
                                  .memory = megabytes << 20,
                                  .progress = isatty(STDERR_FILENO) ? show_progress : NULL};
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    bool solved = solve_spread(&arguments.options, &limits, output, &why);
    if (limits.progress != NULL && me == 0)
        fputs("\r\033[K", stderr);
    return solved ? CLI_DONE : cli_fail(CLI_FAILED, "%s", reason);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int code = run(me, argc - 1, argv + 1);
    MPI_Finalize();
    return code;
}
