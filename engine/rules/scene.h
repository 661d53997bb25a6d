/* The scene: the only thing a renderer sees.
 *
 * Terminal, SVG, 3-D, rules diagrams and spoken text are all drawn from it, with no code for any
 * particular game. Lengths are whole thousandths of a unit (a cell is one unit wide; Fullend's unit
 * is a millimetre), x to the right, y away from the first player, z upwards. */
#ifndef NONET_RULES_SCENE_H
#define NONET_RULES_SCENE_H

#include "capacities.h"
#include "message.h"

enum {
    NONET_UNIT = 1000,
    NONET_NOWHERE = 0xffff,
    NONET_ENDLESS = 255, /* the count of an unlimited supply */
};

enum nonet_place_kind {
    NONET_CELL,   /* a square of the board, or the foot of a pile */
    NONET_FLOOR,  /* a surface without cells: a piece may lie anywhere on it */
    NONET_HAND,   /* where a player keeps pieces */
    NONET_BUTTON, /* a decision that touches no piece: stop, pass, how to stand a piece */
};

/* A scene of given options always has the same places in the same order, whatever the position, so
 * a move can name them by their index. Cells lie in the plane of the board. Hands and buttons have
 * no position of their own; a renderer puts them where it has room. */
struct nonet_place {
    char name[NONET_PLACE_NAME]; /* unique, and the name people use: "a1", "stop" */
    uint8_t kind;
    uint8_t owner; /* player, or 0 */
    uint8_t zone;  /* of a cell: the part of the board it belongs to, from 1; 0 if there are none */
    uint8_t home;  /* of a cell: the player who has to bring pieces there, or 0 */
    int32_t x, y;  /* of the lower-left corner */
    int32_t width, depth;
    struct nonet_message label;
};

enum nonet_shape { NONET_TILE, NONET_CROSS, NONET_DISC, NONET_CUBOID };

enum nonet_material {
    NONET_MAPLE,
    NONET_ZEBRANO,
    NONET_PADOUK,
    NONET_WALNUT,
    NONET_RED,
    NONET_YELLOW,
    NONET_GREEN,
    NONET_BLUE,
    NONET_VIOLET,
    NONET_WHITE,
    NONET_BLACK,
    NONET_NATURAL, /* plain wood */
    NONET_HIDDEN,  /* a piece whose face this viewer may not see */
    NONET_MATERIALS
};

struct nonet_piece {
    uint16_t place; /* index of the place it is on */
    uint8_t shape, material;
    uint16_t button; /* in a hand: the button that takes it, or NONET_NOWHERE */
    uint8_t owner;   /* player, or 0 */
    uint8_t count;   /* number of equal pieces; in a hand, they are stacked */
    bool lit;        /* part of what won, or of what scored */
    int16_t angle;   /* degrees counter-clockwise about the centre */
    int32_t x, y, z; /* centre of the footprint, and height of its underside; unused in hands */
    int32_t width, depth, height;
    char mark[4]; /* for a renderer that has only letters */
    struct nonet_message label;
};

/* What counted at the end, where it is a line from place to place. */
struct nonet_figure {
    uint8_t owner;  /* player */
    uint8_t points; /* for this player */
    uint8_t count;  /* of its places */
    bool closed;    /* the line goes back to the first place */
    uint16_t places[NONET_FIGURE_PLACES];
    struct nonet_message label;
};

/* After the last entry that counts there is a spare one, which takes what does not fit. */
struct nonet_scene {
    int32_t width, depth; /* of the board */
    int32_t step;         /* on a floor: the length that a move's text counts as one */
    bool tall;            /* height matters: pieces of several heights, or on top of each other */
    bool cut;             /* the game put more into it than fits, or than makes sense */
    uint16_t place_count, piece_count;
    struct nonet_place places[NONET_MAX_PLACES + 1];
    struct nonet_piece pieces[NONET_MAX_PIECES + 1];
    uint16_t figure_count;
    struct nonet_figure figures[NONET_MAX_FIGURES + 1];
};

/* A piece on a place, without a position, an owner or a label yet. */
struct nonet_piece nonet_piece_on(int place, enum nonet_shape shape, enum nonet_material material);

/* Append to the scene and return what was appended, for the caller to fill in. What does not fit
 * (too many, a name that is too long, a piece on a place that does not exist) is left out, and the
 * scene is marked as cut. So a bad game shows too little, and the contract test fails. */
struct nonet_place *nonet_scene_place(struct nonet_scene *scene, enum nonet_place_kind kind,
                                      const char *name);
struct nonet_piece *nonet_scene_piece(struct nonet_scene *scene, int place, enum nonet_shape shape,
                                      enum nonet_material material);

struct nonet_figure *nonet_scene_figure(struct nonet_scene *scene, int owner, int points);

/* A board of width x depth cells, at most NONET_MAX_SIDE each, named a1, b1 … in the order of their
 * indices, from index 0. */
void nonet_scene_board(struct nonet_scene *scene, int width, int depth);

/* Whether a line between two neighbouring cells parts two zones. */
bool nonet_scene_parts(const struct nonet_place *cell, const struct nonet_place *neighbour);

/* Gives a piece the usual size of one on a cell. */
void nonet_piece_fit(struct nonet_piece *piece, const struct nonet_place *cell);

/* Puts a piece of that size on the middle of a cell of such a board. */
struct nonet_piece *nonet_scene_on_cell(struct nonet_scene *scene, int cell, enum nonet_shape shape,
                                        enum nonet_material material);

/* A hand for each player, named hand1, hand2 …, in the order of their indices. */
void nonet_scene_hands(struct nonet_scene *scene, int players);

#endif
