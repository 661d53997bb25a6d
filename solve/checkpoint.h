/* Checkpoints: files in a solver's work folder from which a later run continues.
 *
 * A checkpoint says what it belongs to: the game with its options, the fingerprint of its
 * positions, and which of how many processes wrote it. It gets its name only when it is complete
 * and on disk. It is read only if its checksum is right. So incomplete and damaged files are
 * ignored. The checksum depends on a secret key, so that nobody else can have written it. If a
 * checkpoint cannot be written, the solver goes on: it would only lose more work if killed. */
#ifndef NONET_SOLVE_CHECKPOINT_H
#define NONET_SOLVE_CHECKPOINT_H

#include "base/siphash.h"
#include "rules/game.h"

/* Whose checkpoints they are. */
struct checkpoint_owner {
    const char *folder; /* null: no checkpoints are kept */
    const struct nonet_options *options;
    int process, processes;       /* this process, from 0, and their number; 1 without MPI */
    struct nonet_siphash_key key; /* see solve_limits */
};

struct checkpoint;

/* Creates a checkpoint with a name such as "tier05". Null if that fails. */
struct checkpoint *checkpoint_create(const struct checkpoint_owner *owner, const char *name);

/* Opens an existing checkpoint that is sound and belongs to the owner, or returns null. */
struct checkpoint *checkpoint_open(const struct checkpoint_owner *owner, const char *name);

/* How many bytes of an opened checkpoint are still to be read. */
uint64_t checkpoint_left(const struct checkpoint *checkpoint);

/* Writes the next bytes to a new checkpoint, or reads them from an opened one, so that one function
 * can do both. False if that fails, or nothing is left to read. */
bool checkpoint_transfer(struct checkpoint *checkpoint, void *bytes, uint64_t size);
bool checkpoint_is_new(const struct checkpoint *checkpoint);

/* Closes it. A new checkpoint appears under its name if all went well; the result says so. */
bool checkpoint_close(struct checkpoint *checkpoint);

/* A solved tier is one checkpoint: keeps its values, or fetches them. False if that fails. */
bool checkpoint_keep_tier(const struct checkpoint_owner *owner, int tier, void *values,
                          uint64_t size);
bool checkpoint_fetch_tier(const struct checkpoint_owner *owner, int tier, void *values,
                           uint64_t size);

/* Removes all checkpoints in the folder, complete or not, of any owner. True if there were any. */
bool checkpoint_forget(const char *folder);

#endif
