/* The difference of two scenes of the same options: what came, what went, what moved and what looks
 * different. Front ends use it to mark, announce, animate and sound a move.
 *
 * Every piece of one scene is paired with the same piece in the other. Journeys that are known come
 * first. Then two pieces that stand in the same way on the same place are one piece. Of the rest on
 * the board, pieces of the same shape, material and owner are paired in their order: such a piece
 * has moved. A piece without a partner has come or gone. Pieces in hands never move: they are taken
 * and given back. */
#ifndef NONET_STUDY_DIFFERENCE_H
#define NONET_STUDY_DIFFERENCE_H

#include "../rules/events.h"

enum difference_kind {
    DIFFERENCE_NONE,    /* the same in both scenes */
    DIFFERENCE_CHANGED, /* stands where it stood, but its light, count or name differs */
    DIFFERENCE_MOVED,
    DIFFERENCE_ALONE, /* only in this scene: gone from the first, or come to the second */
};

struct difference_of_piece {
    uint8_t kind;
    bool left;       /* alone in the first scene, because its journey led out of the game */
    int16_t partner; /* the piece's index in the other scene, or -1 */
};

/* By the index of the pieces in each scene. Swapping the scenes swaps the two. */
struct difference {
    struct difference_of_piece before[NONET_MAX_PIECES], after[NONET_MAX_PIECES];
};

/* The events are those of the move between the two scenes; without any, null. */
void difference_find(const struct nonet_scene *before, const struct nonet_scene *after,
                     const struct nonet_events *events, struct difference *difference);

/* Numbers that stay with the pieces from scene to scene, so that a front end can animate them.
 * Begins as {0}; no number is used twice. */
struct difference_numbers {
    struct nonet_scene scene; /* the last one */
    int32_t of_piece[NONET_MAX_PIECES];
    int32_t count;
};

/* Goes to the next scene. The events are those of the move that leads there, or null. */
void difference_follow(struct difference_numbers *numbers, const struct nonet_scene *scene,
                       const struct nonet_events *events);
/* The next scene has other options: none of its pieces was in the last. */
void difference_forget(struct difference_numbers *numbers);

/* Whether it is on a cell or on the floor, not in a hand. */
bool difference_on_board(const struct nonet_scene *scene, const struct nonet_piece *piece);

#endif
