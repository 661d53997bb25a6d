/* For games in which players know different things.
 *
 * An observation is a state in which everything that a viewer may not know is blanked out. `turn`,
 * `moves`, `why`, `write` and `scene` of the game accept it, and `read` yields it; `play` does not
 * accept it. `read` refuses a text that no viewer of any position could observe.
 * Whatever leaves the engine for a player or a spectator is made from an observation, so drawing
 * code has nothing to leak. */
#ifndef NONET_RULES_HIDDEN_H
#define NONET_RULES_HIDDEN_H

#include "counts.h"

/* A game with hidden information must have all members: they are REQUIRED. */
struct nonet_hidden {
    /* The position as one seat, or a spectator, may know it. Use nonet_observe. */
    void (*observe)(const struct nonet_options *options, const void *state, int viewer, void *seen);

    /* What this seat knows and others do not, as text, and what to call it: "disc". */
    const char *secret_name;
    void (*secret)(const struct nonet_options *options, const void *state, int seat,
                   struct nonet_text *out);

    /* How many states are possible for this observation of a seat or a spectator, at most
     * NONET_MAX_WORLDS; and the index-th of them, index < worlds. What the seat knows is the same
     * in all of them. The options are those that a seat may know. */
    int (*worlds)(const struct nonet_options *options, const void *seen, int seat);
    void (*world)(const struct nonet_options *options, const void *seen, int seat, int index,
                  void *state);

    /* By what positions and moves are judged. */
    const struct nonet_counts *counts;
};

#endif
