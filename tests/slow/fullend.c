/* Fullend as the rules describe it, by cutting polygons: two footprints overlap if the part of one
 * that lies within the other has an area. In millimetres and long doubles, with the sines of libm.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slow.h"

struct footprint {
    int x, y, angle; /* as in the move */
    long double centre_x, centre_y;
    long double long_half, short_half; /* shrunk */
    long double cosine, sine;
    long double corner_x[4], corner_y[4];
};

struct model {
    int placed, supply; /* a supply of 0 is unlimited */
    int lattice;        /* 0: any centre and angle */
    struct footprint pieces[64];
};

static struct footprint footprint_of(int standing, int x, int y, int angle) {
    struct footprint f = {.x = x, .y = y, .angle = angle};
    long double pi = acosl(-1.0L);
    f.centre_x = x * 0.5L;
    f.centre_y = y * 0.5L;
    f.long_half = 18.0L - 0.005L;
    f.short_half = (standing ? 6.0L : 18.0L) - 0.005L;
    f.cosine = cosl(angle * pi / 180);
    f.sine = sinl(angle * pi / 180);
    static const int signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int i = 0; i < 4; i++) {
        long double along = signs[i][0] * f.long_half, across = signs[i][1] * f.short_half;
        f.corner_x[i] = f.centre_x + along * f.cosine - across * f.sine;
        f.corner_y[i] = f.centre_y + along * f.sine + across * f.cosine;
    }
    return f;
}

/* Whether the text is a placement as the rules write it: written back, it must read the same. */
static bool read_move(const char *move, struct footprint *f) {
    char kind[5], again[64];
    int x, y, angle;
    if (sscanf(move, "%4[a-z]@%3d,%3d,%3d", kind, &x, &y, &angle) != 4)
        return false;
    snprintf(again, sizeof again, "%s@%d,%d,%d", kind, x, y, angle);
    bool standing = strcmp(kind, "edge") == 0;
    if (strcmp(again, move) != 0 || (!standing && strcmp(kind, "flat") != 0))
        return false;
    if (x < 0 || x > 320 || y < 0 || y > 320 || angle < 0 || angle >= (standing ? 180 : 90))
        return false;
    *f = footprint_of(standing, x, y, angle);
    return true;
}

static bool on_floor(const struct footprint *f) {
    for (int i = 0; i < 4; i++)
        if (f->corner_x[i] < 0 || f->corner_x[i] > 160 || f->corner_y[i] < 0 ||
            f->corner_y[i] > 160)
            return false;
    return true;
}

/* The area of what is left of `a` when all that lies outside the sides of `b` is cut off. */
static long double common_area(const struct footprint *a, const struct footprint *b) {
    long double x[16], y[16];
    int corners = 4;
    for (int i = 0; i < 4; i++) {
        x[i] = a->corner_x[i];
        y[i] = a->corner_y[i];
    }
    for (int side = 0; side < 4; side++) {
        long double from_x = b->corner_x[side], from_y = b->corner_y[side];
        long double to_x = b->corner_x[(side + 1) % 4], to_y = b->corner_y[(side + 1) % 4];
        long double cut_x[16], cut_y[16];
        int cut = 0;
        for (int i = 0; i < corners; i++) {
            int j = (i + 1) % corners;
            /* positive on the inner side, as the corners run counter-clockwise */
            long double here =
                (to_x - from_x) * (y[i] - from_y) - (to_y - from_y) * (x[i] - from_x);
            long double next =
                (to_x - from_x) * (y[j] - from_y) - (to_y - from_y) * (x[j] - from_x);
            if (here > 0) {
                cut_x[cut] = x[i];
                cut_y[cut++] = y[i];
            }
            if ((here > 0) != (next > 0)) {
                cut_x[cut] = x[i] + (x[j] - x[i]) * here / (here - next);
                cut_y[cut++] = y[i] + (y[j] - y[i]) * here / (here - next);
            }
        }
        corners = cut;
        memcpy(x, cut_x, sizeof x);
        memcpy(y, cut_y, sizeof y);
    }
    long double twice = 0;
    for (int i = 0; i < corners; i++) {
        int j = (i + 1) % corners;
        twice += (x[i] - a->centre_x) * (y[j] - a->centre_y) -
                 (x[j] - a->centre_x) * (y[i] - a->centre_y);
    }
    return twice / 2;
}

/* A corner that enters the side of another footprint by 1e-7 mm has an area of at least 1e-14. Two
 * footprints that only touch have no area except rounding errors. */
static bool overlap(const struct footprint *a, const struct footprint *b) {
    long double across = a->centre_x - b->centre_x, up = a->centre_y - b->centre_y;
    if (across * across + up * up > 51 * 51) /* farther apart than two half diagonals */
        return false;
    return common_area(a, b) > 1e-15L;
}

/* Whether this is the middle of one of the lattice's strips, rounded to half millimetres away from
 * the middle of the floor. */
static bool on_line(const struct model *m, int at) {
    for (int strip = 0; strip < m->lattice; strip++) {
        double middle = (strip + 0.5) * 320 / m->lattice;
        if (at == (middle <= 160 ? floor(middle + 1e-9) : ceil(middle - 1e-9)))
            return true;
    }
    return m->lattice == 0;
}

static bool on_lattice(const struct model *m, const struct footprint *f) {
    return on_line(m, f->x) && on_line(m, f->y) && (m->lattice == 0 || f->angle % 90 == 0);
}

static bool fits(const struct model *m, const struct footprint *f) {
    if (!on_floor(f) || !on_lattice(m, f))
        return false;
    for (int i = 0; i < m->placed; i++)
        if (overlap(f, &m->pieces[i]))
            return false;
    return true;
}

/* Whether a disc about this point meets no piece. */
static bool clear(const struct model *m, double x, double y, double radius) {
    for (int i = 0; i < m->placed; i++) {
        const struct footprint *f = &m->pieces[i];
        double right = x - (double)f->centre_x, up = y - (double)f->centre_y;
        double along = fabs(right * (double)f->cosine + up * (double)f->sine);
        double across = fabs(up * (double)f->cosine - right * (double)f->sine);
        along = fmax(along - (double)f->long_half, 0);
        across = fmax(across - (double)f->short_half, 0);
        if (along * along + across * across < radius * radius)
            return false;
    }
    return true;
}

/* Whether any placement at this centre fits. Where a piece can lie flat it can stand as well, so
 * only standing ones are tried. Placements that cannot fit for a simple reason are skipped, to save
 * time: the footprint holds three discs along its middle, of radius 6 less the shrinking. */
static bool room_at(const struct model *m, int x, int y) {
    double centre_x = x * 0.5, centre_y = y * 0.5;
    if (!clear(m, centre_x, centre_y, 5.99))
        return false;
    for (int angle = 0; angle < 180; angle++) {
        double across = 12 * cos(angle * acos(-1) / 180), up = 12 * sin(angle * acos(-1) / 180);
        if (!clear(m, centre_x + across, centre_y + up, 5.99) ||
            !clear(m, centre_x - across, centre_y - up, 5.99))
            continue;
        struct footprint f = footprint_of(1, x, y, angle);
        if (fits(m, &f))
            return true;
    }
    return false;
}

/* All centres, in strides of the golden ratio, so that room is found soon if there is much. */
static bool room_left(const struct model *m) {
    enum { SIDE = 321, CENTRES = SIDE * SIDE, STRIDE = 63683 };
    for (int i = 0, centre = 0; i < CENTRES; i++, centre = (centre + STRIDE) % CENTRES)
        if (room_at(m, centre % SIDE, centre / SIDE))
            return true;
    return false;
}

static void start(const struct nonet_options *options, void *model) {
    struct model *m = model;
    memset(m, 0, sizeof *m);
    m->supply = strcmp(options->value[0].text, "24") == 0 ? 24 : 0;
    m->lattice = atoi(options->value[1].text);
}

static int turn(const struct nonet_options *options, const void *model) {
    (void)options;
    const struct model *m = model;
    if (m->supply != 0 && m->placed == m->supply)
        return 0;
    return room_left(m) ? m->placed % 2 + 1 : 0;
}

static bool is_legal(const struct nonet_options *options, const void *model, const char *move) {
    (void)options;
    const struct model *m = model;
    struct footprint f;
    return (m->supply == 0 || m->placed < m->supply) && read_move(move, &f) && fits(m, &f);
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    if (read_move(move, &m->pieces[m->placed]))
        m->placed++;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    (void)options;
    const struct model *m = model;
    result->winners = m->placed % 2 == 0 ? 2 : 1; /* not the one whose turn it would be */
}

const struct slow_model slow_fullend = {
    .id = "fullend",
    .size = sizeof(struct model),
    .start = start,
    .turn = turn,
    .is_legal = is_legal,
    .play = play,
    .result = result,
};
