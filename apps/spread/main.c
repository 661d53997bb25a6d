/* nonet-solve: `nonet solve` on several processes or machines.
 *
 *     mpirun -n 4 nonet-solve kudosu --output kudosu.nonet-table
 *
 * All processes read the same command line; the first one prints for all. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cli/cli.h"
#include "../cli/progress.h"
#include "../cli/solve_flags.h"
#include "host/table_store.h"
#include "solve/listed.h"
#include "solve/ranked.h"
#include "solve/spread.h"

#define USAGE                                                                                       \
    "mpirun -n N nonet-solve GAME [-o key=value]… --output FILE [--memory BYTES] [--material N] " \
    "[--checkpoint SECONDS]"

/* In the form of the command's other helps, from which the manual is made. */
static const char help[] =
    "nonet-solve: build the table of exact values of a game on several processes or machines\n"
    "\n"
    "Usage: " USAGE "\n"
    "\n"
    "  -o key=value     set an option of the game; nonet games lists them\n"
    "  --output FILE    write the table there\n"
    "  --memory BYTES   use no more memory than this in each process; by default 4G\n"
    "  --material N     solve only up to N pieces a side, where that is possible\n"
    "  --checkpoint SECONDS\n"
    "                   keep a checkpoint this often; by default every 60 seconds\n"
    "\n"
    "A solver that was stopped continues where it was when it is started again.\n";

/* The folder for checkpoints is beside the table. The first process creates and locks it. If the
 * processes do not share their disks, each has a folder of its own. */
static bool begin_work(int me, const char *output, struct table_work *work,
                       struct nonet_siphash_key *key, struct nonet_text *why) {
    int begun = me != 0 || table_work_begin(output, work, why);
    MPI_Bcast(&begun, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!begun)
        return false;
    MPI_Bcast(work->folder, sizeof work->folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    int made = (me == 0 || table_work_make(work, why)) && table_work_key(key), all;
    MPI_Allreduce(&made, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (made && !all)
        nonet_text_format(why, "another process cannot work in %s", work->folder);
    return all;
}

static void end_work(int me, struct table_work *work) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        table_work_end(work);
    else
        rmdir(work->folder);
}

static int run(int me, int argc, char **argv) {
    const char *output = NULL;
    struct cli_solve_flags words = {.memory = "4G", .checkpoint = "60"}; /* of one process */
    const struct cli_flag flags[] = {{"--output", &output, NULL},
                                     {"--memory", &words.memory, NULL},
                                     {"--material", &words.material, NULL},
                                     {"--checkpoint", &words.checkpoint, NULL},
                                     {0}};
    struct cli_arguments arguments;
    /* Every process finds the same error; one of them reports it. */
    if (me != 0 && freopen("/dev/null", "w", stderr) == NULL)
        return CLI_FAILED;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL || output == NULL || arguments.word_count > 0 ||
        arguments.from != NULL)
        return cli_fail(CLI_USAGE, "usage: " USAGE);
    const struct nonet_options *options = &arguments.options;
    bool listed = solve_listed_applies(options);
    if (!listed && !solve_ranked_applies(options))
        return cli_fail(CLI_USAGE,
                        "%s with these options has no table: its positions can be neither listed "
                        "nor ranked",
                        options->game->title);
    struct solve_limits limits = {.threads = 1};
    code = cli_solve_flags_read(&words, options, !listed, &limits);
    if (code != CLI_DONE)
        return code;
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct table_work work;
    if (!begin_work(me, output, &work, &limits.work_key, &why))
        return cli_fail(CLI_FAILED, "%s", reason);
    struct cli_progress progress;
    cli_progress_begin(&progress);
    limits.work = work.folder;
    limits.progress = cli_progress_show;
    limits.note = cli_progress_note;
    limits.context = &progress;
    bool solved = listed ? solve_spread(options, &limits, output, &why)
                         : solve_spread_ranked(options, &limits, output, &why);
    cli_progress_end(&progress);
    end_work(me, &work);
    return solved ? CLI_DONE : cli_fail(CLI_FAILED, "%s", reason);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return fputs(help, stdout) == EOF ? CLI_FAILED : CLI_DONE;
    MPI_Init(&argc, &argv);
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int code = run(me, argc - 1, argv + 1);
    MPI_Finalize();
    return code;
}
