/* What the command lets a prober use, with a progress bar while it works. */
#ifndef NONET_CLI_PROVING_H
#define NONET_CLI_PROVING_H

#include "common/prober.h"
#include "progress.h"

/* All processors, a gigabyte for tables, and `seconds` for searches. Begins the progress, which
 * must last as long as the prober. */
struct prober_limits cli_proving_limits(uint64_t seconds, struct cli_progress *progress);

#endif
