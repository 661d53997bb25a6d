/* A prober with the limits that the command gives it, and a progress bar while it builds a table.
 */
#ifndef NONET_CLI_PROVING_H
#define NONET_CLI_PROVING_H

#include "common/prober.h"

/* `seconds` is how long a search may take. Null with the reason. */
struct prober *cli_prober(const struct nonet_options *options, uint64_t seconds,
                          struct nonet_text *why);

#endif
