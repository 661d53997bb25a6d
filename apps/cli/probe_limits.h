/* What the command lets a prober use, with a progress bar while it works. */
#ifndef NONET_CLI_PROBE_LIMITS_H
#define NONET_CLI_PROBE_LIMITS_H

#include "host/prober.h"
#include "progress.h"

/* The usual limits. Begins the progress, which must last as long as the prober. */
struct prober_limits cli_probe_limits(uint64_t seconds, struct cli_progress *progress);

#endif
