#include "probe_limits.h"

#include <unistd.h>

struct prober_limits cli_probe_limits(uint64_t seconds, struct cli_progress *progress) {
    cli_progress_begin(progress);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct prober_limits){
        .solve = {.threads = processors < 1 ? 1 : (int)processors,
                  .memory = (uint64_t)1 << 30,
                  .progress = cli_progress_show,
                  .note = cli_progress_note,
                  .context = progress},
        .memory = (uint64_t)1 << 28,
        .seconds = (double)seconds,
    };
}
