/* What may still be placed on Fullend's floor, for who looks ahead.
 *
 * The workspace of the rules has a bit for every placement, which makes it three megabytes, however
 * few placements are left. Here they are a list of runs: centres of one layer that lie in a row
 * without a gap. Striking out what a new piece forbids is one pass over the runs, and what is left
 * takes as many bytes as there is to say.
 *
 * As the floor fills, it falls apart: a piece in one pocket forbids nothing in another. Such a part
 * is a list of runs of its own. */
#include <string.h>

#include "../base/bits.h"
#include "fullend_board.h"

struct run {
    uint16_t layer, y;
    uint16_t left, right; /* the first and the last centre */
};

struct part {
    uint32_t runs;
    uint32_t count; /* of placements */
    struct run run[];
};
static_assert(sizeof(struct run) == 8 && sizeof(struct part) == 8, "a part has no padding");

static size_t size(const void *part) {
    return sizeof(struct part) + ((const struct part *)part)->runs * sizeof(struct run);
}

static int limit(const struct nonet_options *options, const void *state) {
    return (int)(supply_of(options) - ((const struct state *)state)->placed);
}

static void append(struct part *part, struct run run) {
    part->run[part->runs++] = run;
    part->count += (uint32_t)(run.right - run.left + 1);
}

/* --- All that is left --- */

/* The first centre from x on whose bit is as `set` says; past the end of the row without one. */
static int find_bit(const uint64_t *row, int words, int x, bool set) {
    for (int word = x / 64; word < words; word++) {
        uint64_t bits = set ? row[word] : ~row[word];
        if (word == x / 64)
            bits &= UINT64_MAX << x % 64;
        if (bits != 0)
            return word * 64 + nonet_bits_first(bits);
    }
    return words * 64;
}

static bool gather(const struct nonet_options *options, const void *workspace, void *part,
                   size_t room) {
    struct part *all = part;
    *all = (struct part){0};
    for (int layer = 0; layer < LAYERS; layer++) {
        int rows, words;
        const uint64_t *bits = options->game->wide->region(
            options, workspace, pack((struct placement){.layer = layer}), &rows, &words);
        for (int y = 0; y < rows; y++) {
            const uint64_t *row = bits + y * words;
            for (int left, x = 0; (left = find_bit(row, words, x, true)) < words * 64;) {
                x = find_bit(row, words, left, false);
                if (size(all) + sizeof(struct run) > room)
                    return false;
                append(all, (struct run){(uint16_t)layer, (uint16_t)y, (uint16_t)left,
                                         (uint16_t)(x - 1)});
            }
        }
    }
    return true;
}

static uint32_t count(const void *part) {
    return ((const struct part *)part)->count;
}

static nonet_move nth(const void *part, uint32_t index) {
    const struct run *run = ((const struct part *)part)->run;
    for (; index > (uint32_t)(run->right - run->left); run++)
        index -= (uint32_t)(run->right - run->left) + 1;
    return pack((struct placement){run->layer, run->left + (int)index, run->y});
}

/* --- A piece is placed --- */

/* A run may be cut in two, so what is left can be longer than the part was. */
static bool play(const void *part, nonet_move move, void *left, size_t room) {
    const struct part *before = part;
    struct part *after = left;
    struct placement piece = unpack(move);
    struct octagon octagon;
    int layer = -1;
    if (room < sizeof *after)
        return false;
    *after = (struct part){0};
    size_t runs = (room - sizeof *after) / sizeof(struct run);
    for (uint32_t i = 0; i < before->runs; i++) {
        struct run run = before->run[i];
        if (after->runs + 2 > runs)
            return false;
        if (run.layer != layer) {
            layer = run.layer;
            octagon = octagon_about(piece.layer, layer);
        }
        int up = run.y - piece.y;
        if (up < -octagon.rows || up > octagon.rows || run.right < piece.x - FARTHEST ||
            run.left > piece.x + FARTHEST) {
            append(after, run);
            continue;
        }
        int from = piece.x + octagon_left(&octagon, up);
        int to = piece.x - octagon_left(&octagon, -up);
        if (from > to || run.right < from || run.left > to) {
            append(after, run);
            continue;
        }
        if (run.left < from)
            append(after, (struct run){run.layer, run.y, run.left, (uint16_t)(from - 1)});
        if (run.right > to)
            append(after, (struct run){run.layer, run.y, (uint16_t)(to + 1), run.right});
    }
    return true;
}

/* --- Parts that have nothing to do with each other --- */

/* Every footprint covers a disc of radius 11.99 about its centre, so two whose centres lie in the
 * same square of this side overlap: such placements are of one part. */
enum {
    SQUARE = 16,
    SQUARES_ACROSS = FLOOR_SIDE / SQUARE,
    SQUARES = SQUARES_ACROSS * SQUARES_ACROSS
};
static_assert(2 * (SQUARE - 1) * (SQUARE - 1) < 23 * 23, "a square is small enough");

/* How far the footprints of a square's placements reach, along so many axes. */
enum { AXES = 24, DEGREES_APART = 180 / AXES };
struct hull {
    double least[AXES], most[AXES];
};

/* Whether footprints of the one may overlap footprints of the other. */
static bool may_meet(const struct hull *a, const struct hull *b) {
    for (int i = 0; i < AXES; i++)
        if (a->most[i] <= b->least[i] || b->most[i] <= a->least[i])
            return false;
    return true;
}

struct squares {
    int used;              /* squares with placements in them */
    int16_t at[SQUARES];   /* which of the used ones a square is, or -1 */
    int16_t root[SQUARES]; /* of a used one: another in the same part, or itself */
    struct hull hull[SQUARES];
};

static int root_of(struct squares *squares, int used) {
    while (squares->root[used] != used)
        used = squares->root[used];
    return used;
}

static void join(struct squares *squares, int a, int b) {
    a = root_of(squares, a);
    b = root_of(squares, b);
    squares->root[a > b ? a : b] = (int16_t)(a > b ? b : a);
}

static int square_at(int x, int y) {
    return y / SQUARE * SQUARES_ACROSS + x / SQUARE;
}

static void note_run(struct squares *squares, struct run run, const double reaches[AXES],
                     const double across[AXES], const double up[AXES]) {
    for (int left = run.left, before = -1; left <= run.right;) {
        int right = left / SQUARE * SQUARE + SQUARE - 1;
        right = right < run.right ? right : run.right;
        int square = square_at(left, run.y), used = squares->at[square];
        if (used < 0) {
            used = squares->used++;
            squares->at[square] = squares->root[used] = (int16_t)used;
            for (int i = 0; i < AXES; i++) {
                squares->hull[used].least[i] = 1000;
                squares->hull[used].most[i] = -1000;
            }
        }
        struct hull *hull = &squares->hull[used];
        for (int i = 0; i < AXES; i++) {
            double a = left * across[i] + run.y * up[i], b = right * across[i] + run.y * up[i];
            double low = (a < b ? a : b) - reaches[i], high = (a > b ? a : b) + reaches[i];
            hull->least[i] = low < hull->least[i] ? low : hull->least[i];
            hull->most[i] = high > hull->most[i] ? high : hull->most[i];
        }
        if (before >= 0)
            join(squares, before, used);
        before = used;
        left = right + 1;
    }
}

/* Squares of which placements may overlap belong to one part, and so do those of one run. */
static void find_parts(const struct part *part, struct squares *squares) {
    double across[AXES], up[AXES], reaches[AXES];
    squares->used = 0;
    memset(squares->at, -1, sizeof squares->at);
    for (int i = 0; i < AXES; i++) {
        across[i] = cosine(i * DEGREES_APART);
        up[i] = sine(i * DEGREES_APART);
    }
    int layer = -1;
    for (uint32_t i = 0; i < part->runs; i++) {
        if (part->run[i].layer != layer) {
            layer = part->run[i].layer;
            for (int axis = 0; axis < AXES; axis++)
                reaches[axis] = reach(layer, axis * DEGREES_APART, shrink);
        }
        note_run(squares, part->run[i], reaches, across, up);
    }
    for (int a = 0; a < squares->used; a++)
        for (int b = 0, root = root_of(squares, a); b < a; b++)
            if (root_of(squares, b) != root && may_meet(&squares->hull[a], &squares->hull[b])) {
                join(squares, a, b);
                root = root_of(squares, a);
            }
}

/* With more placements than this, the floor has not fallen apart yet. */
enum { LARGE = 1 << 20 };

static int split(const void *part, void *parts, size_t room) {
    const struct part *all = part;
    if (all->count > LARGE && room >= size(all)) {
        memcpy(parts, all, size(all));
        return 1;
    }
    struct squares squares;
    find_parts(all, &squares);
    /* The used squares, first by their part's lowest one, then by the number of the part. */
    int found = 0, number[SQUARES];
    for (int i = 0; i < squares.used; i++)
        number[i] = squares.root[i] == i ? found++ : number[root_of(&squares, i)];
    if (room < size(all) + (size_t)found * sizeof *all)
        return 0;
    uint32_t runs[MOST_PIECES] = {0};
    for (uint32_t i = 0; i < all->runs; i++)
        runs[number[squares.at[square_at(all->run[i].left, all->run[i].y)]]]++;
    struct part *to[MOST_PIECES];
    unsigned char *place = parts;
    for (int i = 0; i < found; i++) {
        to[i] = (struct part *)(void *)place;
        *to[i] = (struct part){0};
        place += sizeof *all + runs[i] * sizeof(struct run);
    }
    for (uint32_t i = 0; i < all->runs; i++)
        append(to[number[squares.at[square_at(all->run[i].left, all->run[i].y)]]], all->run[i]);
    return found;
}

/* --- Parts that take one piece --- */

/* A convex polygon that half planes cut smaller. Each cut adds one corner at most. */
struct polygon {
    int corners;
    double x[2 * 4 * LAYERS], y[2 * 4 * LAYERS];
};

/* Keeps what lies where across * x + up * y <= limit. */
static void cut(struct polygon *polygon, double across, double up, double limit) {
    struct polygon kept;
    kept.corners = 0;
    for (int i = 0; i < polygon->corners; i++) {
        int j = i + 1 < polygon->corners ? i + 1 : 0;
        double a = across * polygon->x[i] + up * polygon->y[i] - limit;
        double b = across * polygon->x[j] + up * polygon->y[j] - limit;
        if (a <= 0) {
            kept.x[kept.corners] = polygon->x[i];
            kept.y[kept.corners++] = polygon->y[i];
        }
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
            double t = a / (a - b);
            kept.x[kept.corners] = polygon->x[i] + t * (polygon->x[j] - polygon->x[i]);
            kept.y[kept.corners++] = polygon->y[i] + t * (polygon->y[j] - polygon->y[i]);
        }
    }
    polygon->corners = kept.corners;
    memcpy(polygon->x, kept.x, (size_t)kept.corners * sizeof kept.x[0]);
    memcpy(polygon->y, kept.y, (size_t)kept.corners * sizeof kept.y[0]);
}

/* Whether one point of the floor lies in the inside of every footprint. Then any two overlap. For a
 * layer, such a point must not be farther from any centre, along either side of the footprint, than
 * half that side: that keeps it between two pairs of parallel lines. */
static bool is_single(const void *part) {
    const struct part *p = part;
    const double margin = 0.02; /* more than `shrink`, and than any rounding */
    struct polygon polygon = {4, {0, FLOOR_SIDE, FLOOR_SIDE, 0}, {0, 0, FLOOR_SIDE, FLOOR_SIDE}};
    for (uint32_t i = 0; i < p->runs && polygon.corners > 0;) {
        int layer = p->run[i].layer, angle = angle_of(layer);
        for (int side = 0; side < 2; side++) {
            double across = cosine(angle + 90 * side), up = sine(angle + 90 * side);
            double half = (side == 1 && is_edge(layer) ? 12 : 36) - margin;
            double least = 1000, most = -1000;
            for (uint32_t j = i; j < p->runs && p->run[j].layer == layer; j++) {
                double a = p->run[j].left * across + p->run[j].y * up;
                double b = p->run[j].right * across + p->run[j].y * up;
                double low = a < b ? a : b, high = a > b ? a : b;
                least = low < least ? low : least;
                most = high > most ? high : most;
            }
            cut(&polygon, across, up, least + half);
            cut(&polygon, -across, -up, half - most);
        }
        while (i < p->runs && p->run[i].layer == layer)
            i++;
    }
    return polygon.corners > 0;
}

/* --- How many pieces to expect --- */

/* The floor in cells of this side, a bit each. */
enum { CELL = 5, CELLS_ACROSS = FLOOR_SIDE / CELL };
static_assert(CELLS_ACROSS == 64, "a row of cells is a word");

/* Adds the cells beside those of the set; those at a corner too if `corners`. */
static void widen(uint64_t cells[CELLS_ACROSS], bool corners) {
    uint64_t below = 0;
    for (int y = 0; y < CELLS_ACROSS; y++) {
        uint64_t row = cells[y], above = y + 1 < CELLS_ACROSS ? cells[y + 1] : 0;
        uint64_t beside = corners ? row | below | above : row;
        cells[y] = row | below | above | beside << 1 | beside >> 1;
        below = row;
    }
}

/* The number of pieces that random games put into a part goes by the area of the centres and their
 * surroundings: a piece for 155 cells, and half a piece for every part. Over a thousand positions,
 * that is wrong by 0.8 pieces (root mean square), most of it the chance of the games themselves. */
static int expected(const void *part) {
    const struct part *p = part;
    uint64_t cells[CELLS_ACROSS] = {0};
    for (uint32_t i = 0; i < p->runs; i++)
        cells[p->run[i].y / CELL] |= UINT64_MAX << p->run[i].left / CELL &
                                     UINT64_MAX >> (CELLS_ACROSS - 1 - p->run[i].right / CELL);
    widen(cells, true);
    widen(cells, false);
    int area = 0;
    for (int y = 0; y < CELLS_ACROSS; y++)
        area += nonet_bits_count(cells[y]);
    int hundredths = 58 + area * 646 / 1000;
    return hundredths > 100 ? hundredths : 100;
}

const struct nonet_parts nonet_fullend_parts = {
    .limit = limit,
    .gather = gather,
    .size = size,
    .count = count,
    .nth = nth,
    .play = play,
    .split = split,
    .is_single = is_single,
    .expected = expected,
};
