/* Replays every game of a log, as `nonet serve --check` does: by the rules, and by what the log
 * says about itself. */
#ifndef NONET_ONLINE_CHECKING_H
#define NONET_ONLINE_CHECKING_H

#include "base/text.h"

struct checking {
    int64_t tables, lines, visitors;
    int64_t damaged; /* tables with a line that does not fit; or the hall */
};

/* False, with the reason, if the log cannot be read. The first damages are named in `why`. */
bool checking_run(const char *path, struct checking *found, struct nonet_text *why);

#endif
