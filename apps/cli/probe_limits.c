#include "probe_limits.h"

struct prober_limits cli_probe_limits(uint64_t seconds, struct cli_progress *progress) {
    cli_progress_begin(progress);
    struct prober_limits limits = prober_usual_limits((double)seconds);
    limits.solve.progress = cli_progress_show;
    limits.solve.note = cli_progress_note;
    limits.solve.context = progress;
    return limits;
}
