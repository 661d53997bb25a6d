/* What can be saved of a log of which pages were overwritten.
 *
 * Every page is read for itself, whatever leads to it: what is lost is what was in the pages that
 * are damaged, and the tables that it may have belonged to. They are noted as lost. All others are
 * complete. */
#ifndef NONET_ONLINE_SALVAGE_H
#define NONET_ONLINE_SALVAGE_H

#include "base/text.h"

enum { SALVAGE_NAMED = 10, SALVAGE_PATH = 4096 };

struct salvage {
    char kept[SALVAGE_PATH];       /* the damaged log, as it was found */
    int64_t lines, gone;           /* how many there were, and how many of them are lost */
    int64_t tables;                /* that are lost */
    uint64_t named[SALVAGE_NAMED]; /* the first of them */
};

/* Whether there is a log of ours at this path that is damaged, as opposed to sound, out of reach or
 * something else. */
bool salvage_needed(const char *path);

/* Puts a log with all that can be read in the place of a damaged one. Nobody else may use it.
 * False, with the reason, if that cannot be done; then the damaged log is still there. */
bool salvage_run(const char *path, struct salvage *found, struct nonet_text *why);

#endif
