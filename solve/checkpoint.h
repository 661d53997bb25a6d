/* Checkpoints: files in a solver's work folder from which a later run goes on.
 *
 * One says what it is of: the game with its options, how that writes positions, and which of how
 * many processes kept it. It gets its name only when it is whole and on disk, and is read only
 * after its checksum was found right; so whatever a kill or a damage leaves behind is passed over.
 * The checksum depends on a secret key, so that nobody else can have written it.
 * That one cannot be written is no reason to stop: it only makes a kill cost more. */
#ifndef NONET_SOLVE_CHECKPOINT_H
#define NONET_SOLVE_CHECKPOINT_H

#include "base/siphash.h"
#include "rules/game.h"

/* Whose checkpoints they are. */
struct checkpoint_owner {
    const char *folder; /* null: none are kept */
    const struct nonet_options *options;
    int process, processes;       /* from 0, and 1 for a solver that is alone */
    struct nonet_siphash_key key; /* see solve_limits */
};

struct checkpoint;

/* A new one under a name such as "tier05". Null if that cannot be. */
struct checkpoint *checkpoint_create(const struct checkpoint_owner *owner, const char *name);

/* One that is there, sound and the owner's; or null. */
struct checkpoint *checkpoint_open(const struct checkpoint_owner *owner, const char *name);

/* How many bytes of an opened one are still to be read. */
uint64_t checkpoint_left(const struct checkpoint *checkpoint);

/* Writes the next bytes to a new one, or reads them from one that is there, so that one function
 * can serve for both. False if that fails, or nothing is left to be read. */
bool checkpoint_transfer(struct checkpoint *checkpoint, void *bytes, uint64_t size);
bool checkpoint_is_new(const struct checkpoint *checkpoint);

/* Ends it. A new one appears under its name if all went well, which is told. */
bool checkpoint_close(struct checkpoint *checkpoint);

/* Removes all that are in the folder, and halves of them, whoever kept them. True if there were
 * any. */
bool checkpoint_forget(const char *folder);

#endif
