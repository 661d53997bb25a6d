/* Fullend's placements and their geometry: what its rules (fullend.c) and the parts into which the
 * floor falls (fullend_parts.c) share. */
#ifndef NONET_GAMES_FULLEND_BOARD_H
#define NONET_GAMES_FULLEND_BOARD_H

#include <assert.h>

#include "../rules/game.h"
#include "../rules/parts.h"
#include "../rules/wide.h"

extern const struct nonet_parts nonet_fullend_parts;
extern const struct nonet_sketch nonet_fullend_sketch;

/* The options. */
enum { SUPPLY, LATTICE };

/* Lengths are in half millimetres unless something else is said. */
enum {
    FLOOR_SIDE = 320,
    FLAT_LAYERS = 90,
    EDGE_LAYERS = 180,
    LAYERS = FLAT_LAYERS + EDGE_LAYERS,
    MOST_PIECES = 59, /* fit by their area: 160 x 160 / (35.99 x 11.99) is below 60 */
    BOXED_PIECES = 24,
};

struct state {
    uint32_t room;   /* placements the floor has room for, whether or not a piece is left */
    uint32_t placed; /* number of pieces down; player 1 is next in turn if it is even */
    nonet_move pieces[MOST_PIECES]; /* in rising order, then zeros */
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 8 + 4 * MOST_PIECES && sizeof(struct state) <= 256,
              "a state has no padding and is not too large");

static inline bool is_unlimited(const struct nonet_options *options) {
    return options->value[SUPPLY].number != 0;
}

static inline uint32_t supply_of(const struct nonet_options *options) {
    return is_unlimited(options) ? MOST_PIECES : BOXED_PIECES;
}

/* --- Moves --- */

struct placement {
    int layer, x, y;
};

static inline nonet_move pack(struct placement p) {
    return (nonet_move)(p.layer << 18 | p.y << 9 | p.x);
}

static inline struct placement unpack(nonet_move move) {
    return (struct placement){(int)(move >> 18), (int)(move & 511), (int)(move >> 9 & 511)};
}

/* Whether a number that was unpacked stands for a placement on the lattice. */
static inline bool is_move(struct placement p) {
    return p.layer < LAYERS && p.x <= FLOOR_SIDE && p.y <= FLOOR_SIDE;
}

static inline bool is_edge(int layer) {
    return layer >= FLAT_LAYERS;
}

static inline int angle_of(int layer) {
    return is_edge(layer) ? layer - FLAT_LAYERS : layer;
}

/* --- Geometry --- */

/* Sines of the degrees from 0 to 90, the nearest doubles: our own, so that every machine has the
 * same ones. */
extern const double nonet_fullend_sines[91];

static inline double sine(int degrees) {
    if (degrees < 0)
        return -sine(-degrees);
    if (degrees > 180)
        return -sine(degrees - 180);
    return nonet_fullend_sines[degrees <= 90 ? degrees : 180 - degrees];
}

static inline double cosine(int degrees) {
    return sine(degrees + 90);
}

static inline double size_of(double number) {
    return number < 0 ? -number : number;
}

/* What the rules take off each side of a footprint. Lengths that people are told have nothing taken
 * off. */
static const double shrink = 0.01, whole = 0;

/* How far the footprint of a layer reaches from its centre, measured along an axis at `degrees`. */
static inline double reach(int layer, int degrees, double less) {
    int apart = degrees - angle_of(layer);
    double along = 36 - less, across = (is_edge(layer) ? 12 : 36) - less;
    return along * size_of(cosine(apart)) + across * size_of(sine(apart));
}

/* Footprints whose centres are two half diagonals apart, 2 * 36 * sqrt 2, cannot meet. */
enum { FARTHEST = 102 };

/* Rounds a number that is not whole up: adds one and drops the fraction. Doubles from 2^24 to 2^25
 * have 28 bits for the fraction, so once 1.5 * 2^24 is added, the bits above those are the whole
 * number. For many numbers at a time this is faster than a conversion, above all in WebAssembly. It
 * takes numbers to which `raised` has been added already.
 *
 * Such a number is rounded to 2^-28, and by some processors twice. Therefore `raised` adds a little
 * less than one: a number that is above a whole number only by rounding does not count as above it.
 * Placements never come that close (see fullend.c). */
static const double raised = 0x1.8p24 + 1 - 0x1p-26;

static inline int32_t whole_above(double raised_number) {
    const union {
        double number;
        uint64_t bits;
    } given = {raised_number}, zero = {0x1.8p24};
    return (int32_t)((uint32_t)(given.bits >> 28) - (uint32_t)(zero.bits >> 28));
}

/* The forbidden octagon about a placed piece, for the centres of one layer: where the footprints
 * overlap along all four axes. For each axis, that is between two parallel lines. In the row `up`
 * above the piece's centre, the left line of an axis is at base + slope * up, raised for
 * whole_above. */
struct octagon {
    int rows; /* above the centre, and as many below */
    double base[4], slope[4];
};

static inline struct octagon octagon_about(int placed, int layer) {
    int axes[4] = {angle_of(placed), angle_of(placed) + 90, angle_of(layer), angle_of(layer) + 90};
    struct octagon octagon;
    for (int i = 0; i < 4; i++) {
        double across = cosine(axes[i]), up = sine(axes[i]);
        double width = reach(placed, axes[i], shrink) + reach(layer, axes[i], shrink);
        if (across == 0) { /* lines parallel to the rows only limit the number of rows */
            octagon.base[i] = raised - 1000;
            octagon.slope[i] = 0;
        } else {
            octagon.base[i] = raised - width / size_of(across);
            octagon.slope[i] = -up / across;
        }
    }
    octagon.rows = (int)(reach(placed, 90, shrink) + reach(layer, 90, shrink));
    return octagon;
}

/* The leftmost forbidden centre of a row, relative to the piece's. The rightmost is the negative of
 * the leftmost in row -up, since half a turn leaves an octagon the same. */
static inline int32_t octagon_left(const struct octagon *octagon, int up) {
    const double *slope = octagon->slope, *base = octagon->base;
    double a = slope[0] * up + base[0], b = slope[1] * up + base[1];
    double c = slope[2] * up + base[2], d = slope[3] * up + base[3];
    /* In this form clang recognizes the maximum of WebAssembly's vectors. */
    double ab = a < b ? b : a, cd = c < d ? d : c;
    return whole_above(ab < cd ? cd : ab);
}

/* --- How many pieces to expect --- */

/* The floor in cells of this side, a bit each. */
enum { CELL = 5, CELLS_ACROSS = FLOOR_SIDE / CELL };
static_assert(CELLS_ACROSS == 64, "a row of cells is a word");

/* The number of pieces that random games put down where these cells have centres, in hundredths.
 * Changes the cells. */
int nonet_fullend_expected(uint64_t cells[CELLS_ACROSS]);

#endif
