/* A position as numbers, for programs that learn. It is made from the scene and the standings of a
 * viewer, with no code for any particular game, and so tells a viewer nothing hidden.
 *
 * For each place of the scene there are TENSOR_FEATURES numbers. Then come five about the turn: one
 * for each player, counted from the viewer, and one for a game that is over. Then come the
 * standings, in the order of the game. A piece counts for every cell that it covers. */
#ifndef NONET_STUDY_TENSOR_H
#define NONET_STUDY_TENSOR_H

#include "../rules/game.h"

enum {
    TENSOR_MATERIALS = 0,                                  /* pieces of each material */
    TENSOR_TOP = TENSOR_MATERIALS + NONET_MATERIALS,       /* the material of the highest piece */
    TENSOR_OWNERS = TENSOR_TOP + NONET_MATERIALS,          /* pieces: nobody's, the viewer's, … */
    TENSOR_HEIGHT = TENSOR_OWNERS + NONET_MAX_PLAYERS + 1, /* where the highest ends, in units */
    TENSOR_FEATURES,
    TENSOR_TURN = NONET_MAX_PLAYERS + 1,
};

/* How many numbers there are. It is the same for all positions with these options. The scratch is
 * overwritten; it need not be cleared. */
int tensor_size(const struct nonet_options *options, const void *state,
                struct nonet_scene *scratch);

/* Writes them for a viewer. A spectator counts players from the first. */
void tensor_write(const struct nonet_options *options, const void *state, int viewer,
                  struct nonet_scene *scratch, float *numbers);

#endif
