/* What every solver is told about the machine it may use, and how it tells how far it is. */
#ifndef NONET_SOLVE_SOLVE_H
#define NONET_SOLVE_SOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"

struct solve_limits {
    int threads;      /* workers, at least one; the result does not depend on it */
    uint64_t memory;  /* bytes that the solver may allocate, or 0: no limit */
    const char *work; /* directory for checkpoints, which exists; null: none are kept */
    /* A secret of the user, by which their own checkpoints are known: states in them are given to
     * the game as they are. */
    struct nonet_siphash_key work_key;
    /* Called now and then, from one thread at a time: what is being done, the share of the whole
     * that is done, and an estimate of the seconds left (negative: none yet). May be null. */
    void (*progress)(void *context, const char *what, double share, double seconds_left);
    /* Called with a line worth knowing, such as that a checkpoint was of no use. May be null. */
    void (*note)(void *context, const char *line);
    void *context;
    int material; /* no more pieces a side than this, for a quick run; 0: no cap */
    /* Where a solver can keep a checkpoint at many points, it waits so long between two of them. */
    double checkpoint_seconds;
};

static inline void solve_note(const struct solve_limits *limits, const char *line) {
    if (limits->note != NULL)
        limits->note(limits->context, line);
}

/* What is noted where checkpoints are there but of no use. */
#define SOLVE_AFRESH                                                                               \
    "the checkpoints found are damaged, or of another game or number of processes: starting "      \
    "afresh"

#endif
