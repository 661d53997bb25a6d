/* A rough picture of Fullend's floor, for playouts.
 *
 * It has cells of 2.5 mm and kinds of 15 degrees: 18 kinds of placements with 64 x 64 centres each,
 * a word for a row of one kind. What a piece forbids is a mask of a few dozen rows. So a piece
 * takes a microsecond or two to place, a thousandth of what it takes among all placements.
 *
 * In a playout, a player looks at a few random placements and takes the one that costs the most
 * room, or the least. Room is measured by the cells in which a standing piece could have its
 * centre.
 */
#include <string.h>

#include "../base/bits.h"
#include "../base/random.h"
#include "fullend_board.h"

enum {
    TURN = 15, /* degrees between kinds */
    EDGE_KINDS = EDGE_LAYERS / TURN,
    FLAT_KINDS = FLAT_LAYERS / TURN,
    KINDS = EDGE_KINDS + FLAT_KINDS, /* standing pieces first */
    MIDDLE = CELL / 2,               /* of a cell, where its centre is */
    REACH = FARTHEST / CELL,         /* rows of centres that a piece can forbid, up or down */
    REACHED = 2 * REACH + 1,
    LOOKS = 3, /* placements that a player of a playout chooses from */
};

typedef uint64_t kinds_row[KINDS];

struct floor {
    kinds_row row[CELLS_ACROSS];
    int count; /* of placements */
};

struct sketch {
    struct floor floor;
    /* By kind: what a piece on the centre REACH of row REACH forbids. */
    kinds_row forbidden[KINDS][REACHED];
};

static int layer_of(int kind) {
    return kind < EDGE_KINDS ? FLAT_LAYERS + kind * TURN : (kind - EDGE_KINDS) * TURN;
}

static int centre_of(int cell) {
    return cell * CELL + MIDDLE;
}

/* What a piece forbids, in rows from `lower` to `upper`; to be moved by `shift` to the left. */
struct mask {
    const kinds_row *row; /* of `lower` */
    int lower, upper, shift;
};

static uint64_t shifted(uint64_t row, int shift) {
    return shift >= 0 ? row << shift : row >> -shift;
}

/* The cells whose centres are from `left` to `right`. */
static uint64_t cells_between(int left, int right) {
    int from = left <= MIDDLE ? 0 : (left - MIDDLE + CELL - 1) / CELL;
    int to = right < MIDDLE ? -1 : (right - MIDDLE) / CELL;
    to = to < CELLS_ACROSS ? to : CELLS_ACROSS - 1;
    return from <= to ? UINT64_MAX << from & UINT64_MAX >> (CELLS_ACROSS - 1 - to) : 0;
}

/* The layer of a kind that is most nearly parallel to a piece. */
static int parallel_layer(int kind, int piece) {
    int layer = layer_of(kind), angles = is_edge(layer) ? EDGE_LAYERS : FLAT_LAYERS;
    int apart = (angle_of(piece) - angle_of(layer) + 360 + TURN / 2) % 90 - TURN / 2;
    int turn = apart <= TURN / 2 ? apart : 0;
    return layer - angle_of(layer) + (angle_of(layer) + turn + angles) % angles;
}

/* What a piece anywhere on the floor forbids in the rows from `lower` on: cells with all centres up
 * to `slack` beside their own. */
static void forbid(struct placement piece, int lower, int rows, int slack, kinds_row *row) {
    for (int kind = 0; kind < KINDS; kind++) {
        struct octagon octagon = octagon_about(piece.layer, parallel_layer(kind, piece.layer));
        for (int i = 0; i < rows; i++) {
            int up = centre_of(lower + i) - piece.y, low = up - slack, high = up + slack;
            row[i][kind] = 0;
            if (low < -octagon.rows || high > octagon.rows)
                continue;
            int left = octagon_left(&octagon, low), left_high = octagon_left(&octagon, high);
            int right = -octagon_left(&octagon, -low), right_high = -octagon_left(&octagon, -high);
            left = (left > left_high ? left : left_high) + slack;
            right = (right < right_high ? right : right_high) - slack;
            if (left <= right)
                row[i][kind] = cells_between(piece.x + left, piece.x + right);
        }
    }
}

/* A player who wants to waste room must not be deceived by room that only the picture does not
 * show, and one who wants to save it not by room that only the picture shows. */
static struct mask mask_of(struct placement piece, bool wasting, kinds_row row[REACHED]) {
    int lower = (piece.y - FARTHEST - MIDDLE + CELL - 1) / CELL;
    int upper = (piece.y + FARTHEST - MIDDLE) / CELL;
    lower = lower > 0 ? lower : 0;
    upper = upper < CELLS_ACROSS ? upper : CELLS_ACROSS - 1;
    forbid(piece, lower, upper - lower + 1, wasting ? MIDDLE : 0, row);
    return (struct mask){row, lower, upper, 0};
}

/* The same for a placement of the sketch, which has been worked out before. */
static struct mask known_mask(const struct sketch *sketch, int kind, int x, int y) {
    int lower = y > REACH ? y - REACH : 0;
    int upper = y + REACH < CELLS_ACROSS ? y + REACH : CELLS_ACROSS - 1;
    return (struct mask){&sketch->forbidden[kind][lower - y + REACH], lower, upper, x - REACH};
}

/* Cells in which a standing piece can have its centre. */
static uint64_t standing(const kinds_row row) {
    uint64_t cells = 0;
    for (int kind = 0; kind < EDGE_KINDS; kind++)
        cells |= row[kind];
    return cells;
}

static uint64_t standing_after(const kinds_row row, const kinds_row forbidden, int shift) {
    uint64_t cells = 0;
    for (int kind = 0; kind < EDGE_KINDS; kind++)
        cells |= row[kind] & ~shifted(forbidden[kind], shift);
    return cells;
}

static void strike(struct floor *floor, struct mask mask) {
    for (int y = mask.lower; y <= mask.upper; y++)
        for (int kind = 0; kind < KINDS; kind++) {
            uint64_t *row = &floor->row[y][kind];
            uint64_t gone = *row & shifted(mask.row[y - mask.lower][kind], mask.shift);
            floor->count -= nonet_bits_count(gone);
            *row ^= gone;
        }
}

/* --- The picture --- */

/* The cells of a row in which some layer of the kind has a centre. */
static uint64_t cells_of(const struct nonet_options *options, const void *workspace, int kind,
                         int y) {
    int middle = layer_of(kind), angles = is_edge(middle) ? EDGE_LAYERS : FLAT_LAYERS;
    uint64_t any[FLOOR_SIDE / 64] = {0}, cells = 0;
    for (int turn = -(TURN / 2); turn <= TURN / 2; turn++) {
        int rows, words;
        int layer = middle - angle_of(middle) + (angle_of(middle) + turn + angles) % angles;
        const uint64_t *bits = options->game->wide->region(
            options, workspace, pack((struct placement){.layer = layer}), &rows, &words);
        for (int up = 0; up < CELL; up++)
            for (int word = 0; word < words; word++)
                any[word] |= bits[(y * CELL + up) * words + word];
    }
    for (int x = 0; x < FLOOR_SIDE; x++)
        cells |= (any[x / 64] >> x % 64 & 1) << x / CELL;
    return cells;
}

static void draw(const struct nonet_options *options, const void *workspace, void *sketch) {
    struct sketch *s = sketch;
    memset(&s->floor, 0, sizeof s->floor);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int y = 0; y < CELLS_ACROSS; y++) {
            s->floor.row[y][kind] = cells_of(options, workspace, kind, y);
            s->floor.count += nonet_bits_count(s->floor.row[y][kind]);
        }
        struct placement middle = {layer_of(kind), centre_of(REACH), centre_of(REACH)};
        forbid(middle, 0, REACHED, 0, s->forbidden[kind]);
    }
}

static int look(const void *sketch, nonet_move move, bool wasting) {
    const struct sketch *s = sketch;
    kinds_row forbidden[REACHED];
    struct mask mask = mask_of(unpack(move), wasting, forbidden);
    uint64_t cells[CELLS_ACROSS];
    for (int y = 0; y < CELLS_ACROSS; y++)
        cells[y] = y < mask.lower || y > mask.upper
                       ? standing(s->floor.row[y])
                       : standing_after(s->floor.row[y], mask.row[y - mask.lower], 0);
    return nonet_fullend_expected(cells);
}

/* --- Playouts --- */

/* The index-th placement. */
static struct mask nth(const struct sketch *s, const struct floor *floor, int index) {
    for (int y = 0;; y++)
        for (int kind = 0; kind < KINDS; kind++) {
            uint64_t set = floor->row[y][kind];
            int count = nonet_bits_count(set);
            if (index < count) {
                for (; index > 0; index--)
                    set &= set - 1;
                return known_mask(s, kind, nonet_bits_first(set), y);
            }
            index -= count;
        }
}

/* Cells for standing pieces that a placement takes away. */
static int cost(const struct floor *floor, const uint64_t cells[CELLS_ACROSS], struct mask mask) {
    int lost = 0;
    for (int y = mask.lower; y <= mask.upper; y++)
        lost += nonet_bits_count(
            cells[y] & ~standing_after(floor->row[y], mask.row[y - mask.lower], mask.shift));
    return lost;
}

static struct mask choose(const struct sketch *s, const struct floor *floor, bool wasting,
                          struct nonet_random *random) {
    uint64_t cells[CELLS_ACROSS];
    for (int y = 0; y < CELLS_ACROSS; y++)
        cells[y] = standing(floor->row[y]);
    struct mask best = {0};
    int best_cost = 0;
    for (int i = 0; i < LOOKS; i++) {
        struct mask mask = nth(s, floor, (int)nonet_random_below(random, (uint32_t)floor->count));
        int this = cost(floor, cells, mask);
        if (i == 0 || (wasting ? this > best_cost : this < best_cost)) {
            best = mask;
            best_cost = this;
        }
    }
    return best;
}

static int playout(const void *sketch, nonet_move move, int limit, bool wasting,
                   struct nonet_random *random) {
    const struct sketch *s = sketch;
    struct floor floor = s->floor;
    kinds_row forbidden[REACHED];
    strike(&floor, mask_of(unpack(move), wasting, forbidden));
    int moves = 0;
    for (; moves < limit && floor.count > 0; moves++) {
        wasting = !wasting;
        strike(&floor, choose(s, &floor, wasting, random));
    }
    return moves;
}

/* --- Similar moves --- */

static int nudge(int most, struct nonet_random *random) {
    return (int)nonet_random_below(random, (uint32_t)(2 * most + 1)) - most;
}

/* Nearly always by little, sometimes by much. */
static nonet_move vary(nonet_move move, struct nonet_random *random) {
    struct placement p = unpack(move);
    int scale = 1 << nonet_random_below(random, 6);
    int x = p.x + nudge(scale, random), y = p.y + nudge(scale, random);
    int angles = is_edge(p.layer) ? EDGE_LAYERS : FLAT_LAYERS;
    int angle = (angle_of(p.layer) + nudge(scale, random) + angles) % angles;
    p.x = x < 0 ? 0 : x > FLOOR_SIDE ? FLOOR_SIDE : x;
    p.y = y < 0 ? 0 : y > FLOOR_SIDE ? FLOOR_SIDE : y;
    p.layer += angle - angle_of(p.layer);
    return pack(p);
}

const struct nonet_sketch nonet_fullend_sketch = {
    .size = sizeof(struct sketch),
    .draw = draw,
    .look = look,
    .playout = playout,
    .vary = vary,
};
