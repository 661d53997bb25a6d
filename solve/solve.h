/* The limits that every solver gets, and how it reports its progress. */
#ifndef NONET_SOLVE_SOLVE_H
#define NONET_SOLVE_SOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"

struct solve_limits {
    int threads;      /* workers, at least one; the result does not depend on it */
    uint64_t memory;  /* bytes that the solver may allocate, or 0: no limit */
    const char *work; /* directory for checkpoints, which exists; null: none are kept */
    /* A secret of the user that identifies their own checkpoints. This matters because states in
     * checkpoints are given to the game unchecked. */
    struct nonet_siphash_key work_key;
    /* Called from time to time, from one thread at a time, with the current work, the share of the
     * whole that is done, and an estimate of the seconds left (negative: none yet). May be null. */
    void (*progress)(void *context, const char *what, double share, double seconds_left);
    /* Called with a note for the user, for example that a checkpoint could not be used. May be
     * null. */
    void (*note)(void *context, const char *line);
    void *context;
    int material; /* the most pieces per side, for a quick run; 0: no cap */
    /* If a solver can keep checkpoints at many points, it waits this long between two of them. */
    double checkpoint_seconds;
};

/* The time left follows from the time that the finished share took. */
static inline void solve_tell(const struct solve_limits *limits, const char *what, double share,
                              double seconds) {
    if (limits->progress != NULL)
        limits->progress(limits->context, what, share,
                         share > 0 ? seconds * (1 - share) / share : -1);
}

static inline void solve_note(const struct solve_limits *limits, const char *line) {
    if (limits->note != NULL)
        limits->note(limits->context, line);
}

/* The note if there are checkpoints that cannot be used. */
#define SOLVE_AFRESH                                                                               \
    "the checkpoints are damaged, or belong to another game or number of processes: starting "     \
    "from the beginning"

#endif
