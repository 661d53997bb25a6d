/* Kolem's board: what its rules (kolem.c) and the numbering of its positions (kolem_ranking.c)
 * share. */
#ifndef NONET_GAMES_KOLEM_BOARD_H
#define NONET_GAMES_KOLEM_BOARD_H

#include <assert.h>

#include "../base/bits.h"
#include "../rules/game.h"
#include "../rules/ranking.h"

extern const struct nonet_ranking nonet_kolem_ranking;

enum { SIDE = 5, POINTS = 25, FEW = 2, MOST_NEIGHBOURS = 3 };

/* The options. Each side has nine pieces; for study, any number from three to ten. */
enum { STEPS, PIECES };
enum { LEAST_PIECES = FEW + 1, MOST_PIECES = 10 };

struct state {
    uint32_t own[2]; /* point a1 is bit 0, b1 bit 1, a2 bit 5, e5 bit 24 */
    uint8_t hand[2];
    uint8_t next; /* 0 White, 1 Black: whose turn comes next, also after the end */
    uint8_t zero; /* no padding: a state is compared byte by byte */
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 12, "a state has no padding");

#define BOARD 0x1ffffffu
#define FILE_A 0x0108421u
#define FILE_E (FILE_A << 4)

/* Where one of the eight symmetries of the board takes a point. */
static inline int turn_point(int symmetry, int point) {
    int x = point % SIDE, y = point / SIDE;
    if (symmetry & 1)
        x = SIDE - 1 - x;
    if (symmetry & 2)
        y = SIDE - 1 - y;
    return symmetry & 4 ? y + SIDE * x : x + SIDE * y;
}

/* A set of points, each replaced by the one beside it; points that leave the board are dropped. */
static inline uint32_t north(uint32_t set) {
    return set << SIDE & BOARD;
}
static inline uint32_t south(uint32_t set) {
    return set >> SIDE;
}
static inline uint32_t east(uint32_t set) {
    return (set & ~FILE_E) << 1;
}
static inline uint32_t west(uint32_t set) {
    return (set & ~FILE_A) >> 1;
}
static inline uint32_t beside(uint32_t set) {
    return north(set) | south(set) | east(set) | west(set);
}

static inline bool diagonals(const struct nonet_options *options) {
    return options->value[STEPS].number == 0;
}

/* How many each side begins with. */
static inline int pieces_of(const struct nonet_options *options) {
    return (int)options->value[PIECES].number;
}

/* What the two demands ask of points where the player next in turn might put a piece. Demand (b)
 * forbids a point beside a full piece, one that has three neighbours already. A step takes a
 * neighbour away from some pieces, so it matters in which direction the full piece is. */
struct demands {
    uint32_t open;                                         /* free points with an enemy neighbour */
    uint32_t four;                                         /* points with four neighbours */
    uint32_t full_north, full_east, full_south, full_west; /* points with a full piece there */
};

static inline struct demands demands_of(const struct state *s) {
    uint32_t all = s->own[0] | s->own[1];
    /* Points with a neighbour on that side; three of the four make a piece full. */
    uint32_t to_north = south(all), to_east = west(all), to_south = north(all), to_west = east(all);
    uint32_t both = to_north & to_east, either = to_north | to_east;
    uint32_t full = all & ((both & (to_south | to_west)) | (either & to_south & to_west));
    return (struct demands){
        .open = beside(s->own[1 - s->next]) & ~all,
        .four = both & to_south & to_west,
        .full_north = south(full),
        .full_east = west(full),
        .full_south = north(full),
        .full_west = east(full),
    };
}

/* First the four along the lines. */
enum { DIRECTIONS = 8 };
static const int8_t direction_offset[DIRECTIONS] = {5, 1, -5, -1, 6, -4, -6, 4};

/* The points that own pieces can step to in each direction; returns the number of directions.
 *
 * A step leaves its old point, so the pieces beside that point lose a neighbour. Along a line: the
 * new point loses the neighbour behind it, so it never has four. None of the three others was
 * beside the old point. Diagonally: two neighbours of the new point were beside the old one and
 * stay as full as they were, so only the two ahead matter. */
static inline int steps(const struct nonet_options *options, const struct state *s,
                        uint32_t to[DIRECTIONS]) {
    struct demands d = demands_of(s);
    uint32_t own = s->own[s->next];
    to[0] = north(own) & d.open & ~(d.full_north | d.full_east | d.full_west);
    to[1] = east(own) & d.open & ~(d.full_east | d.full_north | d.full_south);
    to[2] = south(own) & d.open & ~(d.full_south | d.full_east | d.full_west);
    to[3] = west(own) & d.open & ~(d.full_west | d.full_north | d.full_south);
    if (!diagonals(options))
        return 4;
    d.open &= ~d.four;
    to[4] = north(east(own)) & d.open & ~(d.full_north | d.full_east);
    to[5] = south(east(own)) & d.open & ~(d.full_south | d.full_east);
    to[6] = south(west(own)) & d.open & ~(d.full_south | d.full_west);
    to[7] = north(west(own)) & d.open & ~(d.full_north | d.full_west);
    return DIRECTIONS;
}

#endif
