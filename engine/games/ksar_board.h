/* Ksar's floor: what its rules (ksar.c) and the judging of its positions (ksar_judging.c) share. */
#ifndef NONET_GAMES_KSAR_BOARD_H
#define NONET_GAMES_KSAR_BOARD_H

#include <assert.h>
#include <string.h>

#include "../base/bits.h"
#include "../rules/game.h"

/* In ksar_judging.c; game.h describes them. */
void nonet_ksar_bounds(const struct nonet_options *options, const void *state, int *low, int *high);
int nonet_ksar_evaluate(const struct nonet_options *options, const void *state, int player);
extern const struct nonet_features nonet_ksar_features;

enum {
    SIDE = 16, /* of the largest frame */
    WAYS = 6,
    HEIGHTS = 3,
    OWN_PIECES = 12,
    NEUTRAL_PIECES = 3, /* of each player */
    PIECES = 2 * (OWN_PIECES + NEUTRAL_PIECES),
};

/* The options. */
enum { FRAME };

enum { BLUE, RED, NEUTRAL_OWNER };

/* Pieces of one height never touch, so the pieces of a height are exactly the connected parts of
 * the floor that they cover: no list of them is needed. Bit x of row y is a cell. */
struct state {
    uint16_t height[HEIGHTS][SIDE]; /* cells covered up to height 1, 2, 3 */
    uint16_t colour[2][SIDE];       /* cells covered by blue and by red pieces */
    uint8_t own[2], neutral[2];     /* pieces in hand */
    uint8_t next;                   /* BLUE or RED, also after the end */
    uint8_t zero[3];                /* no padding: a state is compared byte by byte */
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 168, "a state has no padding");

/* The ways a piece can stand. Two by two they have the same height: its index is way / 2. */
static const struct {
    uint8_t width, depth;
    char name[4];
} ways[WAYS] = {{2, 3, "2x3"}, {3, 2, "3x2"}, {1, 3, "1x3"},
                {3, 1, "3x1"}, {1, 2, "1x2"}, {2, 1, "2x1"}};

/* Does something for each of them in turn. The code is repeated six times, so that shifts and rows
 * are constants. That is faster, in WebAssembly by far. */
#ifdef __clang__
#define FOR_EACH_WAY(way) _Pragma("clang loop unroll(full)") for (int way = 0; way < WAYS; way++)
#else
#define FOR_EACH_WAY(way) _Pragma("GCC unroll 6") for (int way = 0; way < WAYS; way++)
#endif

static inline int frame_width(const struct nonet_options *options) {
    return (int)(options->value[FRAME].number & 0xff);
}

static inline int frame_depth(const struct nonet_options *options) {
    return (int)(options->value[FRAME].number >> 8);
}

/* Legal placements are found for all cells at once: sixteen rows of sixteen cells make a vector.
 * It may be read from a state. */
typedef uint16_t rows __attribute__((vector_size(32), aligned(2), may_alias));

/* All rows of a set. These are macros, because the way functions pass such vectors depends on the
 * processor, and compilers warn about it. */
#define ROWS(array) (*(rows *)(array))
#define PLANE(array) NONET_LITTLE_ENDIAN16(ROWS(array)) /* of a state */

/* A set of cells one row further north, or n rows further south. Compilers find the two or three
 * instructions that do this only if the rows they take follow each other, and GCC only in vectors
 * that the processor has: otherwise it moves single rows. */
#define NO_ROWS(type) ((type){0})
#if defined __clang__ || defined __AVX2__
#define ROWS_OF_TWO(south, north, n)                                                               \
    __builtin_shufflevector(south, north, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7,      \
                            n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15)
#define ROW_NORTH(set) ROWS_OF_TWO(NO_ROWS(rows), set, 15)
#define ROWS_SOUTH(set, n) ROWS_OF_TWO(set, NO_ROWS(rows), n)
#else
typedef uint16_t eight_rows __attribute__((vector_size(16), aligned(2), may_alias));
#define HALF(set, i) (((eight_rows *)&(set))[i])
#define ROWS_OF_TWO(south, north, n)                                                               \
    __builtin_shufflevector(south, north, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7)
#define ROW_NORTH(set)                                                                             \
    ({                                                                                             \
        rows from = (set), to;                                                                     \
        HALF(to, 0) = ROWS_OF_TWO(NO_ROWS(eight_rows), HALF(from, 0), 7);                          \
        HALF(to, 1) = ROWS_OF_TWO(HALF(from, 0), NO_ROWS(eight_rows), 7) |                         \
                      ROWS_OF_TWO(NO_ROWS(eight_rows), HALF(from, 1), 7);                          \
        to;                                                                                        \
    })
#define ROWS_SOUTH(set, n)                                                                         \
    ({                                                                                             \
        rows from = (set), to;                                                                     \
        HALF(to, 0) = ROWS_OF_TWO(HALF(from, 0), NO_ROWS(eight_rows), n) |                         \
                      ROWS_OF_TWO(NO_ROWS(eight_rows), HALF(from, 1), n);                          \
        HALF(to, 1) = ROWS_OF_TWO(HALF(from, 1), NO_ROWS(eight_rows), n);                          \
        to;                                                                                        \
    })
#endif
#define ROW_SOUTH(set) ROWS_SOUTH(set, 1)

/* The cells beside those of a set, and some cells of the set itself. */
#define BESIDE(set) ((set) << 1 | (set) >> 1 | ROW_NORTH(set) | ROW_SOUTH(set))

/* Four rows, from row 4 * quarter on, as one set of 64. */
static inline uint64_t quarter_of(const uint16_t row[SIDE], int quarter) {
    row += 4 * quarter;
    return row[0] | (uint64_t)row[1] << 16 | (uint64_t)row[2] << 32 | (uint64_t)row[3] << 48;
}

/* What the search for placements looks at. A set is there five times: in the place of each row are
 * the row south of it, the row itself, and those up to three rows north of it. */
enum { BELOW = 1, ABOVE = 3 };
struct cells {
    rows at[BELOW + 1 + ABOVE];
};
#define AT(cells, y) ((cells)->at[BELOW + (y)])

struct site {
    struct cells free;            /* inside the frame and not covered by a piece */
    struct cells height[HEIGHTS]; /* covered by pieces of a height */
};

static inline void look_from_all_rows(const rows *set, struct cells *cells) {
    *cells = (struct cells){
        {ROW_NORTH(*set), *set, ROW_SOUTH(*set), ROWS_SOUTH(*set, 2), ROWS_SOUTH(*set, 3)}};
}

static inline void survey(const struct nonet_options *options, const struct state *s,
                          struct site *site) {
    static const uint16_t south[2 * SIDE] = {[0 ... SIDE - 1] = 0xffff};
    rows free =
        ROWS(south + SIDE - frame_depth(options)) & (uint16_t)((1u << frame_width(options)) - 1);
    for (int height = 0; height < HEIGHTS; height++) {
        rows covered = PLANE(s->height[height]);
        free &= ~covered;
        look_from_all_rows(&covered, &site->height[height]);
    }
    look_from_all_rows(&free, &site->free);
}

/* The cells that can be the lower-left one of a piece that stands in this way: now, and `later`,
 * after everything that it has to touch has been built. What is outside the frame is not free, so
 * walls need no attention. */
static inline void find_places(const struct site *site, int way, rows *now, rows *later) {
    const struct cells *free = &site->free, *alike = &site->height[way / 2];
    uint16_t width = ways[way].width, depth = ways[way].depth;
    /* A side of a footprint has one to three cells: the first, the middle and the last are all. */
    uint16_t middle_x = width / 2, last_x = (uint16_t)(width - 1);
    int middle_y = depth / 2, last_y = depth - 1;
    /* Bit x of row y: whether column x is free in all rows of a footprint that begins in row y, and
     * whether it is free both south and north of them. Shifted right by i, the bit tells of column
     * x + i. */
    rows column = AT(free, 0) & AT(free, middle_y) & AT(free, last_y);
    rows beyond = AT(free, -1) & AT(free, depth);
    rows alike_column = AT(alike, 0) | AT(alike, middle_y) | AT(alike, last_y);
    rows alike_beyond = AT(alike, -1) | AT(alike, depth);

    rows untouched_west_east = column << 1 & column >> width;
    rows untouched_south_north = beyond & beyond >> middle_x & beyond >> last_x;
    rows same_height = alike_column << 1 | alike_column >> width | alike_beyond |
                       alike_beyond >> middle_x | alike_beyond >> last_x;
    *later = column & column >> middle_x & column >> last_x & ~same_height;
    *now = *later & ~(untouched_west_east | untouched_south_north);
}

/* The same sixteen rows as four words: faster where only their bits matter, not their order. */
typedef uint64_t words __attribute__((vector_size(32)));

static inline bool is_empty(const rows *cells) {
    words four = (words)*cells;
    four |= __builtin_shufflevector(four, four, 2, 3, 0, 1);
    return (four[0] | four[1]) == 0;
}

static inline int count_cells(const rows *cells) {
    words four = (words)*cells;
    return nonet_bits_count(four[0]) + nonet_bits_count(four[1]) + nonet_bits_count(four[2]) +
           nonet_bits_count(four[3]);
}

/* Adds what is connected to a set over the cells of another. */
static inline void spread(rows *set, const rows *over) {
    rows rest = *over, before, now = *set;
    do {
        before = now;
        for (int step = 0; step < 2; step++) { /* twice, as testing for growth takes time */
            now |= (now << 1 | now >> 1) & rest;
            now |= (ROW_NORTH(now) | ROW_SOUTH(now)) & rest;
        }
        before ^= now;
    } while (!is_empty(&before));
    *set = now;
}

/* Takes the part connected to its first cell out of a set; false if the set is empty. */
static inline bool take_part(rows *cells, rows *part) {
    /* Read at the right offset, its one cell is the first of row y. */
    static const uint16_t one_cell[2 * SIDE] = {[SIDE] = 1};
    int quarter = 0;
    uint64_t four_rows = 0;
    while (quarter < 4 && (four_rows = quarter_of((const uint16_t *)cells, quarter)) == 0)
        quarter++;
    if (quarter == 4)
        return false;
    int first = nonet_bits_first(four_rows), y = 4 * quarter + first / SIDE;
    *part = ROWS(one_cell + SIDE - y) << (uint16_t)(first % SIDE);
    spread(part, cells);
    *cells &= ~*part;
    return true;
}

/* Adds the cells that pieces standing in this way cover, from their lower-left cells. */
static inline void cover(int way, const rows *places, rows *covered) {
    rows line = *places | *places << (uint16_t)(ways[way].width / 2) |
                *places << (uint16_t)(ways[way].width - 1);
    for (int y = 1; y < ways[way].depth; y++)
        line |= ROW_NORTH(line);
    *covered |= line;
}

/* The lower-left cell of every piece: it has no cell of the same height to its west or south. */
static inline void corners(const struct state *s, rows *found) {
    *found = (rows){0};
    for (int height = 0; height < HEIGHTS; height++) {
        rows covered = PLANE(s->height[height]);
        *found |= covered & ~(covered << 1 | ROW_NORTH(covered));
    }
}

#endif
