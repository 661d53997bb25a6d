#include "proving.h"

#include <unistd.h>

#include "progress.h"

struct prober *cli_prober(const struct nonet_options *options, uint64_t seconds,
                          struct nonet_text *why) {
    struct cli_progress progress;
    cli_progress_begin(&progress);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct prober_limits limits = {
        .solve = {.threads = processors < 1 ? 1 : (int)processors,
                  .memory = (uint64_t)1 << 30,
                  .progress = cli_progress_show,
                  .context = &progress},
        .memory = (uint64_t)1 << 28,
        .seconds = (double)seconds,
    };
    struct prober *prober = prober_open(options, &limits, why);
    cli_progress_end(&progress);
    return prober;
}
