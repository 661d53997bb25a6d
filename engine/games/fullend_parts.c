/* What may still be placed on Fullend's floor, for searches.
 *
 * The workspace of the rules has a bit for every placement, which takes three megabytes, however
 * few placements are left. Here they are a list of runs: centres of one layer that lie in a row
 * without a gap. One pass over the runs strikes out what a new piece forbids, and the list shrinks
 * with what is left.
 *
 * As the floor fills, it falls apart: a piece in one pocket forbids nothing in another. Such a part
 * is a list of runs of its own. */
#include <string.h>

#include "../base/bits.h"
#include "fullend_board.h"

struct run {
    uint16_t layer, y;
    uint16_t left, right; /* the first and the last centre */
} NONET_LITTLE_ENDIAN;

struct part {
    uint32_t runs;
    uint32_t count; /* of placements */
    struct run run[];
} NONET_LITTLE_ENDIAN;
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

/* The first centre from x on whose bit is as `set` says; if none is, past the row's end. */
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

static bool contains(const void *part, nonet_move move) {
    const struct part *p = part;
    struct placement at = unpack(move);
    for (uint32_t i = 0; i < p->runs; i++) {
        const struct run *run = &p->run[i];
        if (run->layer == at.layer && run->y == at.y && run->left <= at.x && at.x <= run->right)
            return true;
    }
    return false;
}

/* --- A piece is placed --- */

/* The moves of a part that a piece forbids, or those that it leaves. A run may be cut in two, so
 * what is left can be longer than the part was. */
static bool divide(const void *part, nonet_move move, bool forbidden, void *into, size_t room) {
    const struct part *before = part;
    struct part *after = into;
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
        int up = run.y - piece.y, from = 0, to = -1;
        if (up >= -octagon.rows && up <= octagon.rows) {
            from = piece.x + octagon_left(&octagon, up);
            to = piece.x - octagon_left(&octagon, -up);
        }
        if (from > to || run.right < from || run.left > to) {
            if (!forbidden)
                append(after, run);
            continue;
        }
        struct run cut = {run.layer, run.y, (uint16_t)(run.left < from ? from : run.left),
                          (uint16_t)(run.right > to ? to : run.right)};
        if (forbidden) {
            append(after, cut);
            continue;
        }
        if (run.left < cut.left)
            append(after, (struct run){run.layer, run.y, run.left, (uint16_t)(cut.left - 1)});
        if (run.right > cut.right)
            append(after, (struct run){run.layer, run.y, (uint16_t)(cut.right + 1), run.right});
    }
    return true;
}

static bool play(const void *part, nonet_move move, void *left, size_t room) {
    return divide(part, move, false, left, room);
}

static bool forbidden(const void *part, nonet_move move, void *struck, size_t room) {
    return divide(part, move, true, struck, room);
}

/* --- Independent parts --- */

/* Every footprint covers a disc of radius 11.99 about its centre. So two footprints whose centres
 * lie in the same square of this side overlap, and such placements belong to one part. */
enum {
    SQUARE = 16,
    SQUARES_ACROSS = FLOOR_SIDE / SQUARE,
    SQUARES = SQUARES_ACROSS * SQUARES_ACROSS,
    LARGE = 1 << 20, /* placements; with more, the floor has not fallen apart yet */
};
static_assert(2 * (SQUARE - 1) * (SQUARE - 1) < 23 * 23, "a square is small enough");

/* Two footprints that are apart along one of these axes do not overlap. The axes are whole numbers,
 * so sums of products with centres are exact. */
enum { AXES = 16 };
static const struct axis {
    int16_t across, up;
} axes[AXES] = {
    {64, 0}, {63, 12},  {59, 24},  {53, 36},  {45, 45},  {36, 53},  {24, 59},  {12, 63},
    {0, 64}, {-12, 63}, {-24, 59}, {-36, 53}, {-45, 45}, {-53, 36}, {-59, 24}, {-63, 12},
};

/* How far along the axes the footprints of a square's placements reach together, rounded up. */
struct hull {
    int16_t least[AXES], most[AXES];
};

/* The squares that centres lie in, numbered as they are found. */
struct squares {
    int used;
    int16_t number[SQUARES]; /* by the place of a square, or -1 */
    int16_t parent[SQUARES]; /* for each square: an earlier one of the same part, or itself */
    struct hull hull[SQUARES];
};

static int root_of(const struct squares *squares, int number) {
    while (squares->parent[number] != number)
        number = squares->parent[number];
    return number;
}

static void join(struct squares *squares, int a, int b) {
    a = root_of(squares, a);
    b = root_of(squares, b);
    squares->parent[a > b ? a : b] = (int16_t)(a > b ? b : a);
}

static int square_at(int x, int y) {
    return y / SQUARE * SQUARES_ACROSS + x / SQUARE;
}

static int number_of(struct squares *squares, int square) {
    if (squares->number[square] < 0) {
        int number = squares->used++;
        squares->number[square] = squares->parent[number] = (int16_t)number;
        for (int i = 0; i < AXES; i++) {
            squares->hull[number].least[i] = INT16_MAX;
            squares->hull[number].most[i] = INT16_MIN;
        }
    }
    return squares->number[square];
}

static void widen_hull(struct hull *hull, int x, int y, const int16_t reaches[AXES]) {
    for (int i = 0; i < AXES; i++) {
        int16_t at = (int16_t)(x * axes[i].across + y * axes[i].up);
        int16_t low = (int16_t)(at - reaches[i]), high = (int16_t)(at + reaches[i]);
        hull->least[i] = low < hull->least[i] ? low : hull->least[i];
        hull->most[i] = high > hull->most[i] ? high : hull->most[i];
    }
}

/* All squares of a run belong to one part: neighbours in a row overlap. */
static void note_run(struct squares *squares, struct run run, const int16_t reaches[AXES]) {
    int before = -1;
    for (int left = run.left; left <= run.right;) {
        int right = left / SQUARE * SQUARE + SQUARE - 1;
        right = right < run.right ? right : run.right;
        int number = number_of(squares, square_at(left, run.y));
        widen_hull(&squares->hull[number], left, run.y, reaches);
        widen_hull(&squares->hull[number], right, run.y, reaches);
        if (before >= 0)
            join(squares, before, number);
        before = number;
        left = right + 1;
    }
}

static void reaches_of(int layer, int16_t reaches[AXES]) {
    double across = cosine(angle_of(layer)), up = sine(angle_of(layer));
    double along = 36 - shrink, aside = (is_edge(layer) ? 12 : 36) - shrink;
    for (int i = 0; i < AXES; i++)
        reaches[i] = (int16_t)(along * size_of(axes[i].across * across + axes[i].up * up) +
                               aside * size_of(axes[i].up * across - axes[i].across * up) + 1);
}

static bool are_apart(const struct hull *a, const struct hull *b) {
    for (int i = 0; i < AXES; i++)
        if (a->most[i] <= b->least[i] || b->most[i] <= a->least[i])
            return true;
    return false;
}

static void find_parts(const struct part *part, struct squares *squares) {
    squares->used = 0;
    memset(squares->number, -1, sizeof squares->number);
    int layer = -1;
    int16_t reaches[AXES];
    for (uint32_t i = 0; i < part->runs; i++) {
        if (part->run[i].layer != layer) {
            layer = part->run[i].layer;
            reaches_of(layer, reaches);
        }
        note_run(squares, part->run[i], reaches);
    }
    for (int a = 0; a < squares->used; a++)
        for (int b = 0; b < a; b++)
            if (root_of(squares, a) != root_of(squares, b) &&
                !are_apart(&squares->hull[a], &squares->hull[b]))
                join(squares, a, b);
}

static int split(const void *part, void *parts, size_t room) {
    const struct part *all = part;
    if (all->count > LARGE) {
        bool fits = room >= size(all);
        if (fits)
            memcpy(parts, all, size(all));
        return fits ? 1 : 0;
    }
    struct squares squares;
    find_parts(all, &squares);
    /* Parts are numbered by their first square. There are no more parts than pieces that fit. */
    int found = 0, owner[SQUARES];
    for (int i = 0; i < squares.used; i++)
        owner[i] = squares.parent[i] == i ? found++ : owner[root_of(&squares, i)];
    if (room < size(all) + (size_t)found * sizeof *all)
        return 0;
    uint32_t runs[MOST_PIECES] = {0};
    for (uint32_t i = 0; i < all->runs; i++)
        runs[owner[squares.number[square_at(all->run[i].left, all->run[i].y)]]]++;
    struct part *to[MOST_PIECES];
    unsigned char *place = parts;
    for (int i = 0; i < found; i++) {
        to[i] = (struct part *)(void *)place;
        *to[i] = (struct part){0};
        place += sizeof *all + runs[i] * sizeof(struct run);
    }
    for (uint32_t i = 0; i < all->runs; i++)
        append(to[owner[squares.number[square_at(all->run[i].left, all->run[i].y)]]], all->run[i]);
    return found;
}

/* --- Parts that take one piece --- */

/* A convex polygon that is cut smaller by lines. */
enum { MOST_CORNERS = 64 };
struct polygon {
    int corners;
    double x[MOST_CORNERS], y[MOST_CORNERS];
};

static void add_corner(struct polygon *polygon, double x, double y) {
    polygon->x[polygon->corners] = x;
    polygon->y[polygon->corners++] = y;
}

/* Keeps what lies where across * x + up * y <= limit. Each cut adds at most one corner. */
static struct polygon cut(const struct polygon *polygon, double across, double up, double limit) {
    struct polygon kept;
    kept.corners = 0;
    for (int i = 0; i < polygon->corners; i++) {
        int j = i + 1 < polygon->corners ? i + 1 : 0;
        double x = polygon->x[i], y = polygon->y[i];
        double here = across * x + up * y - limit;
        double there = across * polygon->x[j] + up * polygon->y[j] - limit;
        if (here <= 0)
            add_corner(&kept, x, y);
        if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
            double way = here / (here - there);
            add_corner(&kept, x + way * (polygon->x[j] - x), y + way * (polygon->y[j] - y));
        }
    }
    return kept;
}

/* How far the centres of a layer, from its run `first` on, reach along a direction. */
static void extent(const struct part *part, uint32_t first, double across, double up, double *least,
                   double *most) {
    *least = 2 * FLOOR_SIDE;
    *most = -2 * FLOOR_SIDE;
    for (uint32_t i = first; i < part->runs && part->run[i].layer == part->run[first].layer; i++) {
        double a = part->run[i].left * across + part->run[i].y * up;
        double b = part->run[i].right * across + part->run[i].y * up;
        double low = a < b ? a : b, high = a > b ? a : b;
        *least = low < *least ? low : *least;
        *most = high > *most ? high : *most;
    }
}

/* Whether some point of the floor lies inside every footprint, so that any two overlap. Along
 * either side of a footprint, such a point is no farther from the centre than half that side. So
 * the centres of a layer put it between two pairs of parallel lines. */
static bool is_single(const void *part) {
    const struct part *p = part;
    const double margin = 0.02; /* more than `shrink` and any rounding */
    struct polygon inside = {4, {0, FLOOR_SIDE, FLOOR_SIDE, 0}, {0, 0, FLOOR_SIDE, FLOOR_SIDE}};
    uint32_t i = 0;
    while (i < p->runs && inside.corners > 0) {
        int layer = p->run[i].layer;
        for (int side = 0; side < 2; side++) {
            double across = cosine(angle_of(layer) + 90 * side);
            double up = sine(angle_of(layer) + 90 * side);
            double half = (side == 1 && is_edge(layer) ? 12 : 36) - margin, least, most;
            extent(p, i, across, up, &least, &most);
            if (inside.corners + 2 > MOST_CORNERS)
                return false;
            inside = cut(&inside, across, up, least + half);
            inside = cut(&inside, -across, -up, half - most);
        }
        while (i < p->runs && p->run[i].layer == layer)
            i++;
    }
    return inside.corners > 0;
}

/* --- How many pieces to expect --- */

/* Adds the cells beside those of the set; also those at a corner if `corners`. */
static void widen(uint64_t cells[CELLS_ACROSS], bool corners) {
    uint64_t below = 0;
    for (int y = 0; y < CELLS_ACROSS; y++) {
        uint64_t row = cells[y], above = y + 1 < CELLS_ACROSS ? cells[y + 1] : 0;
        uint64_t beside = corners ? row | below | above : row;
        cells[y] = row | below | above | beside << 1 | beside >> 1;
        below = row;
    }
}

/* The number of pieces that random games put into a part depends on the area of the centres and
 * their surroundings: a piece for 155 cells, and half a piece for every part. On 929 positions,
 * this differed from the mean of four random games by 0.8 pieces (root mean square). */
int nonet_fullend_expected(uint64_t cells[CELLS_ACROSS]) {
    widen(cells, true);
    widen(cells, false);
    int area = 0;
    for (int y = 0; y < CELLS_ACROSS; y++)
        area += nonet_bits_count(cells[y]);
    int hundredths = 58 + area * 646 / 1000;
    return hundredths > 100 ? hundredths : 100;
}

static int expected(const void *part) {
    const struct part *p = part;
    uint64_t cells[CELLS_ACROSS] = {0};
    for (uint32_t i = 0; i < p->runs; i++)
        cells[p->run[i].y / CELL] |= UINT64_MAX << p->run[i].left / CELL &
                                     UINT64_MAX >> (CELLS_ACROSS - 1 - p->run[i].right / CELL);
    return nonet_fullend_expected(cells);
}

const struct nonet_parts nonet_fullend_parts = {
    .limit = limit,
    .gather = gather,
    .size = size,
    .count = count,
    .nth = nth,
    .contains = contains,
    .play = play,
    .split = split,
    .forbidden = forbidden,
    .is_single = is_single,
    .expected = expected,
    .sketch = &nonet_fullend_sketch,
};
