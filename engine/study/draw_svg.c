#include "draw_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../rules/notation.h"
#include "../rules/options.h"

/* Lengths on the page are in pixels; y points down. */
struct point {
    double x, y;
};

struct picture {
    const struct nonet_scene *scene;
    const struct draw_svg_style *style;
    struct nonet_text *out;
    double scale;                          /* pixels per unit */
    bool has_floor;                        /* a surface without cells */
    bool has_piles;                        /* pieces stand on others */
    double width, depth;                   /* of the board inside its frame, whose corner is 0,0 */
    double left, top, right, bottom;       /* of the whole page */
    unsigned char order[NONET_MAX_PIECES]; /* pieces on the board, from the back to the front */
    int order_count;
};

static const double frame = 30, margin = 14;
static const char font[] = "font-family=\"DejaVu Sans,Verdana,sans-serif\"";

/* Numbers are written by our own code: as short as possible, and with a point in every locale. */
static void add_number(struct nonet_text *out, double value) {
    long tenths = lround(value * 10);
    if (tenths < 0) {
        nonet_text_char(out, '-');
        tenths = -tenths;
    }
    nonet_text_format(out, "%ld", tenths / 10);
    if (tenths % 10 != 0)
        nonet_text_format(out, ".%ld", tenths % 10);
}

/* Appends a format in which each ~ stands for the next number. */
static void add_numbers(struct nonet_text *out, const char *format, const double *numbers) {
    for (; *format != '\0'; format++)
        if (*format == '~')
            add_number(out, *numbers++);
        else
            nonet_text_char(out, *format);
}
#define ADD(out, format, ...) add_numbers(out, format, (const double[]){__VA_ARGS__})

static void add_escaped(struct nonet_text *out, const char *text) {
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            nonet_text_add(out, "&amp;");
            break;
        case '<':
            nonet_text_add(out, "&lt;");
            break;
        case '>':
            nonet_text_add(out, "&gt;");
            break;
        case '"':
            nonet_text_add(out, "&quot;");
            break;
        default:
            nonet_text_char(out, *text);
        }
}

static void add_message(const struct picture *picture, const struct nonet_message *message) {
    char words[512];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(message, picture->style->catalogue, &text);
    add_escaped(picture->out, words);
}

/* Materials: the ground colour, the colour of the grain, and how strongly it shows. */
struct material {
    const char *name;
    unsigned ground, grain;
    int strength; /* percent */
    bool striped;
};

static const struct material materials[NONET_MATERIALS] = {
    [NONET_MAPLE] = {"maple", 0xefd9ae, 0xb98d52, 34, false},
    [NONET_ZEBRANO] = {"zebrano", 0xd8b478, 0x5a3a1c, 72, true},
    [NONET_PADOUK] = {"padouk", 0xb0482b, 0x5e1d10, 44, false},
    [NONET_WALNUT] = {"walnut", 0x5f412c, 0x2a180d, 60, false},
    [NONET_RED] = {"red", 0xcb372c, 0x74150f, 34, false},
    [NONET_YELLOW] = {"yellow", 0xf2c230, 0xa8740a, 36, false},
    [NONET_GREEN] = {"green", 0x4f9448, 0x1d4a1c, 38, false},
    [NONET_BLUE] = {"blue", 0x2f66b8, 0x0f2c5e, 42, false},
    [NONET_VIOLET] = {"violet", 0x7c4a9c, 0x381a50, 42, false},
    [NONET_WHITE] = {"white", 0xf7f4ec, 0xbdb29c, 34, false},
    [NONET_BLACK] = {"black", 0x35302d, 0x0d0b0a, 60, false},
    [NONET_NATURAL] = {"natural", 0xdfb880, 0x94642f, 46, false},
    [NONET_HIDDEN] = {"hidden", 0x8f887f, 0x57514a, 30, false},
};

/* The colour of a side that gets no light: darker and warmer. */
static unsigned shade(unsigned colour) {
    unsigned red = (colour >> 16) * 74 / 100, green = (colour >> 8 & 0xff) * 66 / 100;
    return red << 16 | green << 8 | (colour & 0xff) * 58 / 100;
}

/* The colour that is legible on a material. */
static const char *ink_on(const struct nonet_piece *piece) {
    unsigned ground = materials[piece->material].ground;
    unsigned light = ((ground >> 16) * 30 + (ground >> 8 & 0xff) * 59 + (ground & 0xff) * 11) / 100;
    return light > 120 ? "#2a1a0c" : "#fff4e0";
}

/* The grain: lines that wander a little. They are alike for all woods except for colour, strength
 * and, if the wood is striped, width. A line leaves the pattern at the height where it enters, so
 * that tiles join. */
static void define_material(struct nonet_text *out, const struct material *m) {
    nonet_text_format(out,
                      "<pattern id=\"%s\" width=\"260\" height=\"110\" "
                      "patternUnits=\"userSpaceOnUse\"><path fill=\"#%06x\" d=\"M0 0h260v110H0z\"/>"
                      "<g fill=\"none\" stroke=\"#%06x\" stroke-opacity=\".%02d\">",
                      m->name, m->ground, m->grain, m->strength);
    static const struct {
        unsigned char y, width; /* tenths of a pixel */
        signed char bend, back;
    } lines[] = {{3, 8, 2, -3},    {9, 14, -2, 1},   {14, 6, 1, -2}, {21, 22, 3, 2}, {27, 7, -1, 2},
                 {35, 10, 2, -1},  {41, 18, -3, 2},  {46, 5, -2, 1}, {54, 26, 1, 3}, {61, 9, 3, -2},
                 {66, 6, 2, -1},   {73, 15, -2, -3}, {81, 8, -1, 2}, {88, 20, 2, 1}, {94, 6, 3, -2},
                 {101, 12, -2, 2}, {106, 7, 1, -1}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        double bend = lines[i].bend, back = lines[i].back;
        ADD(out, "<path stroke-width=\"~\" d=\"M0 ~c50 ~ 60 ~ 130 ~s80 ~ 130 ~\"/>",
            (m->striped ? lines[i].width * 0.9 + 16 : lines[i].width) / 10, lines[i].y, bend,
            2 * bend, back, -bend, -back);
    }
    nonet_text_add(out, "</g></pattern>\n");
}

static void add_definitions(const struct picture *picture) {
    struct nonet_text *out = picture->out;
    nonet_text_add(
        out,
        "<defs>\n"
        "<linearGradient id=\"sheen\" x2=\"1\" y2=\"1\"><stop stop-color=\"#fff\" "
        "stop-opacity=\".3\"/><stop offset=\".5\" stop-color=\"#fff\" stop-opacity=\"0\"/>"
        "<stop offset=\"1\" stop-opacity=\".2\"/></linearGradient>\n"
        "<linearGradient id=\"edge\" x2=\"1\" y2=\"1\"><stop stop-color=\"#fff\" "
        "stop-opacity=\".65\"/><stop offset=\"1\" stop-opacity=\".45\"/></linearGradient>\n"
        "<linearGradient id=\"rail\" x2=\"0\" y2=\"1\"><stop stop-color=\"#7b5233\"/>"
        "<stop offset=\".5\" stop-color=\"#5e3c24\"/><stop offset=\"1\" stop-color=\"#472b18\"/>"
        "</linearGradient>\n"
        "<linearGradient id=\"from-top\" x2=\"0\" y2=\"1\"><stop stop-opacity=\".5\"/>"
        "<stop offset=\"1\" stop-opacity=\"0\"/></linearGradient>\n"
        "<linearGradient id=\"from-left\"><stop stop-opacity=\".4\"/>"
        "<stop offset=\"1\" stop-opacity=\"0\"/></linearGradient>\n");
    ADD(out, "<clipPath id=\"box\"><rect x=\"~\" y=\"~\" width=\"~\" height=\"~\"/></clipPath>\n",
        -frame, -frame, picture->width + 2 * frame, picture->depth + 2 * frame);
    define_material(out, &(struct material){"ground", 0xa9855a, 0x6b4a2a, 22, false});
    bool defined[NONET_MATERIALS] = {false};
    for (int i = 0; i < picture->scene->piece_count; i++) {
        int material = picture->scene->pieces[i].material;
        if (!defined[material])
            define_material(out, &materials[material]);
        defined[material] = true;
    }
    nonet_text_add(out, "</defs>\n");
}

static bool on_board(const struct nonet_scene *scene, const struct nonet_piece *piece) {
    int kind = scene->places[piece->place].kind;
    return kind == NONET_CELL || kind == NONET_FLOOR;
}

/* How far up the page something at this height above the floor moves. Cuboids may be tall, so they
 * are foreshortened more. */
static double rise(const struct picture *picture, const struct nonet_piece *piece, double height) {
    return height / NONET_UNIT * picture->scale *
           (piece->shape == NONET_CUBOID ? 0.15
            : picture->has_piles         ? 0.34
                                         : 0.26);
}

/* A footprint as a polygon on the page, clockwise as seen, corners rounded by `radius`. */
enum { MOST_CORNERS = 12 };

struct outline {
    struct point corner[MOST_CORNERS];
    int count;
    double radius;
};

/* The footprint of a piece around `centre`, at `scale` pixels per unit. A disc has no corners. */
static struct outline outline_of(const struct nonet_piece *piece, struct point centre,
                                 double scale) {
    static const signed char square[][2] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}};
    static const signed char cross[][2] = {{-1, -3}, {1, -3}, {1, -1}, {3, -1}, {3, 1},   {1, 1},
                                           {1, 3},   {-1, 3}, {-1, 1}, {-3, 1}, {-3, -1}, {-1, -1}};
    bool is_cross = piece->shape == NONET_CROSS;
    struct outline outline = {.count = is_cross ? 12 : 4};
    double width = piece->width * scale / NONET_UNIT, depth = piece->depth * scale / NONET_UNIT;
    double smaller = width < depth ? width : depth;
    outline.radius = smaller * (piece->shape == NONET_TILE ? 0.1 : 0.05);
    double angle = piece->angle * acos(-1) / 180, c = cos(angle), s = sin(angle);
    for (int i = 0; i < outline.count; i++) {
        const signed char *corner = is_cross ? cross[i] : square[i];
        double x = corner[0] * width / 6, y = corner[1] * depth / 6;
        outline.corner[i] = (struct point){centre.x + x * c + y * s, centre.y - x * s + y * c};
    }
    return outline;
}

/* The point on the line from one corner to another where the rounding begins. */
static struct point towards(const struct outline *outline, int from, int to) {
    struct point a = outline->corner[from], b = outline->corner[to];
    double length = hypot(b.x - a.x, b.y - a.y);
    double part = length > 0 ? outline->radius / length : 0;
    return (struct point){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/* One rounded corner of a path that goes round clockwise. */
static void add_corner(struct nonet_text *out, const struct outline *outline, int i, char command) {
    int count = outline->count;
    struct point in = towards(outline, i, (i + count - 1) % count);
    struct point over = outline->corner[i], behind = towards(outline, i, (i + 1) % count);
    nonet_text_char(out, command);
    ADD(out, "~ ~Q~ ~ ~ ~", in.x, in.y, over.x, over.y, behind.x, behind.y);
}

static void add_face(struct nonet_text *out, const struct nonet_piece *piece, struct point centre,
                     double scale) {
    if (piece->shape == NONET_DISC) {
        double r = piece->width * scale / NONET_UNIT / 2;
        ADD(out, "M~ ~a~ ~ 0 1 1 ~ 0a~ ~ 0 1 1 ~ 0z", centre.x - r, centre.y, r, r, 2 * r, r, r,
            -2 * r);
        return;
    }
    struct outline outline = outline_of(piece, centre, scale);
    for (int i = 0; i < outline.count; i++)
        add_corner(out, &outline, i, i == 0 ? 'M' : 'L');
    nonet_text_char(out, 'z');
}

/* The visible sides below a face that is raised by `up`: the front of the footprint, swept upwards.
 * The face itself is drawn over it. */
static void add_sides(struct nonet_text *out, const struct nonet_piece *piece, struct point centre,
                      double scale, double up) {
    if (piece->shape == NONET_DISC) {
        double r = piece->width * scale / NONET_UNIT / 2;
        ADD(out, "M~ ~a~ ~ 0 0 0 ~ 0v~H~z", centre.x - r, centre.y, r, r, 2 * r, -up, centre.x - r);
        return;
    }
    struct outline outline = outline_of(piece, centre, scale);
    int count = outline.count, leftmost = 0, rightmost = 0;
    /* Of corners equally far out, the front one. */
    for (int i = 1; i < count; i++) {
        struct point corner = outline.corner[i];
        struct point l = outline.corner[leftmost], r = outline.corner[rightmost];
        if (corner.x < l.x - 0.01 || (corner.x < l.x + 0.01 && corner.y > l.y))
            leftmost = i;
        if (corner.x > r.x + 0.01 || (corner.x > r.x - 0.01 && corner.y > r.y))
            rightmost = i;
    }
    for (int i = rightmost;; i = (i + 1) % count) {
        add_corner(out, &outline, i, i == rightmost ? 'M' : 'L');
        if (i == leftmost)
            break;
    }
    struct point start = towards(&outline, rightmost, (rightmost + count - 1) % count);
    ADD(out, "v~L~ ~z", -up, start.x, start.y - up);
}

/* Sides that face away from the light are even darker. This matters only for turned pieces: other
 * pieces show only their front. */
static void add_dark_sides(struct nonet_text *out, const struct nonet_piece *piece,
                           struct point centre, double scale, double up) {
    struct outline outline = outline_of(piece, centre, scale);
    for (int i = 0; i < outline.count; i++) {
        struct point a = outline.corner[i], b = outline.corner[(i + 1) % outline.count];
        if (b.x < a.x - 0.5 && b.y > a.y + 0.5)
            ADD(out, "M~ ~L~ ~v~L~ ~z", a.x, a.y, b.x, b.y, -up, a.x, a.y - up);
    }
}

static struct point centre_of(const struct picture *picture, const struct nonet_piece *piece) {
    return (struct point){piece->x * picture->scale / NONET_UNIT,
                          picture->depth - piece->y * picture->scale / NONET_UNIT};
}

/* Where the footprint crosses the vertical line at x: the nearest (lowest) point on the page. */
static double front_at(const struct outline *outline, double x) {
    double front = -1e9;
    for (int i = 0; i < outline->count; i++) {
        struct point a = outline->corner[i], b = outline->corner[(i + 1) % outline->count];
        if ((a.x < x) == (b.x < x))
            continue;
        double y = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
        front = y > front ? y : front;
    }
    return front;
}

/* Whether `a` must be drawn before `b` because `b` may hide a part of it. */
static bool is_behind(const struct picture *picture, const struct nonet_piece *a,
                      const struct nonet_piece *b) {
    if (a->place == b->place && picture->scene->places[a->place].kind == NONET_CELL)
        return a->z < b->z;
    struct outline first = outline_of(a, centre_of(picture, a), picture->scale);
    struct outline second = outline_of(b, centre_of(picture, b), picture->scale);
    double low = -1e9, high = 1e9; /* the range of x that they have in common */
    const struct outline *both[] = {&first, &second};
    for (int k = 0; k < 2; k++) {
        double least = 1e9, most = -1e9;
        for (int i = 0; i < both[k]->count; i++) {
            least = fmin(least, both[k]->corner[i].x);
            most = fmax(most, both[k]->corner[i].x);
        }
        low = fmax(low, least);
        high = fmin(high, most);
    }
    if (high - low < 0.01)
        return false;
    return front_at(&first, (low + high) / 2) < front_at(&second, (low + high) / 2);
}

/* From the back to the front: the next piece is one with no undrawn piece behind it. Footprints are
 * disjoint, so there always is such a piece. */
static void sort_pieces(struct picture *picture) {
    const struct nonet_scene *scene = picture->scene;
    unsigned char waiting[NONET_MAX_PIECES];
    int count = 0;
    for (int i = 0; i < scene->piece_count; i++)
        if (on_board(scene, &scene->pieces[i]))
            waiting[count++] = (unsigned char)i;
    picture->order_count = 0;
    while (count > 0) {
        int next = 0;
        for (int i = 0; i < count; i++) {
            bool free = true;
            for (int k = 0; k < count && free; k++)
                free = k == i ||
                       !is_behind(picture, &scene->pieces[waiting[k]], &scene->pieces[waiting[i]]);
            if (free) {
                next = i;
                break;
            }
        }
        picture->order[picture->order_count++] = waiting[next];
        memmove(waiting + next, waiting + next + 1, (size_t)(count - next - 1));
        count--;
    }
}

static void add_text(const struct picture *picture, struct point at, double size, const char *ink,
                     const char *text) {
    ADD(picture->out, "<text x=\"~\" y=\"~\" font-size=\"~\"", at.x, at.y + size * 0.36, size);
    nonet_text_format(picture->out, " fill=\"%s\">", ink);
    add_escaped(picture->out, text);
    nonet_text_add(picture->out, "</text>");
}

static void add_rectangle(struct nonet_text *out, double x, double y, double width, double depth,
                          const char *attributes) {
    ADD(out, "<rect x=\"~\" y=\"~\" width=\"~\" height=\"~\" ", x, y, width, depth);
    nonet_text_format(out, "%s/>\n", attributes);
}

/* What a player's pieces are made of; plain wood if none is seen. */
static int material_of(const struct nonet_scene *scene, int player) {
    for (int i = 0; i < scene->piece_count; i++)
        if (scene->pieces[i].owner == player)
            return scene->pieces[i].material;
    return NONET_NATURAL;
}

/* A home has a frame and a tint of its player's wood. */
static void draw_home(const struct picture *picture, const struct nonet_place *place) {
    double scale = picture->scale / NONET_UNIT, inset = place->width * scale * 0.045;
    double x = place->x * scale, y = picture->depth - (place->y + place->depth) * scale;
    double width = place->width * scale, depth = place->depth * scale;
    unsigned ground = materials[material_of(picture->scene, place->home)].ground;
    for (int pass = 0; pass < 2; pass++) {
        ADD(picture->out, "<rect x=\"~\" y=\"~\" width=\"~\" height=\"~\" rx=\"3\" ", x + inset,
            y + inset, width - 2 * inset, depth - 2 * inset);
        ADD(picture->out, "stroke-width=\"~\" ", width * (pass == 0 ? 0.07 : 0.045));
        if (pass == 0)
            nonet_text_add(picture->out, "fill=\"none\" stroke=\"#2d1a0d\"/>");
        else
            nonet_text_format(picture->out,
                              "fill=\"#%06x\" fill-opacity=\".35\" stroke=\"#%06x\"/>\n", ground,
                              ground);
    }
}

/* The lines between zones, as parts of one path. */
static void draw_zones(const struct picture *picture) {
    const struct nonet_scene *scene = picture->scene;
    double scale = picture->scale / NONET_UNIT;
    bool any = false;
    for (int i = 0; i < scene->place_count; i++)
        for (int j = 0; j < i; j++) {
            const struct nonet_place *cell = &scene->places[i], *other = &scene->places[j];
            if (!nonet_scene_parts(cell, other))
                continue;
            if (!any)
                nonet_text_add(picture->out, "<path fill=\"none\" stroke=\"#2d1a0d\" "
                                             "stroke-width=\"5\" stroke-linecap=\"square\" d=\"");
            any = true;
            double x = (cell->x > other->x ? cell->x : other->x) * scale;
            double y = (cell->y > other->y ? cell->y : other->y) * scale;
            ADD(picture->out, "M~ ~", x, picture->depth - y);
            if (cell->y == other->y)
                ADD(picture->out, "v~", -cell->depth * scale);
            else
                ADD(picture->out, "h~", cell->width * scale);
        }
    if (any)
        nonet_text_add(picture->out, "\"/>\n");
}

static void draw_board(const struct picture *picture) {
    struct nonet_text *out = picture->out;
    const struct nonet_scene *scene = picture->scene;
    double w = picture->width, d = picture->depth;
    add_rectangle(out, -frame + 3, -frame + 6, w + 2 * frame, d + 2 * frame,
                  "rx=\"10\" fill-opacity=\".16\"");
    add_rectangle(out, -frame + 1, -frame + 3, w + 2 * frame, d + 2 * frame,
                  "rx=\"10\" fill-opacity=\".3\"");
    add_rectangle(out, -frame, -frame, w + 2 * frame, d + 2 * frame,
                  "rx=\"9\" fill=\"url(#rail)\" stroke=\"#2d1a0d\"");
    add_rectangle(out, -frame + 2, -frame + 2, w + 2 * frame - 4, d + 2 * frame - 4,
                  "rx=\"7\" fill=\"none\" stroke=\"url(#edge)\" stroke-opacity=\".5\"");
    ADD(out,
        "<path stroke=\"#20110a\" stroke-opacity=\".6\" fill=\"none\" "
        "d=\"M~ ~L0 0M~ ~L~ 0M~ ~L0 ~M~ ~L~ ~\"/>\n",
        -frame + 3, -frame + 3, w + frame - 3, -frame + 3, w, -frame + 3, d + frame - 3, d,
        w + frame - 3, d + frame - 3, w, d);
    add_rectangle(out, 0, 0, w, d, "fill=\"url(#ground)\" stroke=\"#2d1a0d\" stroke-width=\"2\"");
    for (int i = 0; i < scene->place_count; i++)
        if (scene->places[i].home != 0)
            draw_home(picture, &scene->places[i]);
    nonet_text_add(out, "<g fill=\"none\" stroke=\"#4a2f18\" stroke-opacity=\".55\">\n");
    for (int i = 0; i < scene->place_count; i++) {
        const struct nonet_place *place = &scene->places[i];
        if (place->kind != NONET_CELL && place->kind != NONET_FLOOR)
            continue;
        double scale = picture->scale / NONET_UNIT;
        nonet_text_add(out, "<rect data-place=\"");
        add_escaped(out, place->name);
        ADD(out, "\" x=\"~\" y=\"~\" width=\"~\" height=\"~\"/>\n", place->x * scale,
            d - (place->y + place->depth) * scale, place->width * scale, place->depth * scale);
    }
    nonet_text_add(out, "</g>\n");
    draw_zones(picture);
    /* The frame is higher than the floor, so it casts a shadow on it. */
    add_rectangle(out, 0, 0, w, 12, "fill=\"url(#from-top)\"");
    add_rectangle(out, 0, 0, 8, d, "fill=\"url(#from-left)\"");
}

static void draw_coordinates(const struct picture *picture) {
    const struct nonet_scene *scene = picture->scene;
    struct nonet_text *out = picture->out;
    nonet_text_format(out, "<g %s text-anchor=\"middle\" aria-hidden=\"true\">", font);
    double scale = picture->scale / NONET_UNIT;
    for (int i = 0; i < scene->place_count; i++) {
        const struct nonet_place *place = &scene->places[i];
        if (place->kind != NONET_CELL)
            continue;
        char letter[2] = {place->name[0], '\0'};
        if (place->y == 0)
            add_text(
                picture,
                (struct point){(place->x + place->width * 0.5) * scale, picture->depth + frame / 2},
                14, "#e8cfa6", letter);
        if (place->x == 0)
            add_text(picture,
                     (struct point){-frame / 2,
                                    picture->depth - (place->y + place->depth * 0.5) * scale},
                     14, "#e8cfa6", place->name + 1);
    }
    for (int quarter = 0; picture->has_floor && quarter <= 4; quarter++) {
        char number[16];
        struct nonet_text text = NONET_TEXT_IN(number);
        nonet_text_format(&text, "%d", scene->width * quarter / 4 / NONET_UNIT);
        add_text(picture, (struct point){picture->width * quarter / 4, picture->depth + frame / 2},
                 12, "#e8cfa6", number);
        text = NONET_TEXT_IN(number);
        nonet_text_format(&text, "%d", scene->depth * quarter / 4 / NONET_UNIT);
        if (quarter > 0)
            add_text(picture,
                     (struct point){-frame / 2, picture->depth - picture->depth * quarter / 4}, 12,
                     "#e8cfa6", number);
    }
    nonet_text_add(out, "</g>\n");
}

/* All shadows are one shape, so that they do not darken each other, laid down twice for a soft
 * edge. They end at the frame, because we do not know what is under the page. */
static void draw_shadows(const struct picture *picture) {
    struct nonet_text *out = picture->out;
    nonet_text_add(out, "<g fill-opacity=\".2\" clip-path=\"url(#box)\"><path id=\"shadow\" d=\"");
    for (int i = 0; i < picture->order_count; i++) {
        const struct nonet_piece *piece = &picture->scene->pieces[picture->order[i]];
        struct point centre = centre_of(picture, piece);
        double low = rise(picture, piece, piece->z);
        double high = rise(picture, piece, piece->z + piece->height);
        for (double h = high; h > low; h -= 5)
            add_face(out, piece, (struct point){centre.x + h * 0.75, centre.y + h * 0.3},
                     picture->scale);
    }
    nonet_text_add(out, "\"/><use href=\"#shadow\" x=\"2\" y=\"2\"/></g>\n");
}

/* A piece whose face, around `centre`, is raised by `low` plus its thickness. */
static void draw_piece(const struct picture *picture, const struct nonet_piece *piece,
                       struct point centre, double scale, double low, double thickness) {
    struct nonet_text *out = picture->out;
    const struct material *material = &materials[piece->material];
    struct point base = {centre.x, centre.y - low};
    struct point face = {centre.x, centre.y - low - thickness};
    nonet_text_format(out, "<path fill=\"#%06x\" stroke=\"#000\" stroke-opacity=\".35\" d=\"",
                      shade(material->ground));
    add_sides(out, piece, base, scale, thickness);
    nonet_text_add(out, "\"/>");
    if (piece->angle != 0) {
        nonet_text_add(out, "<path fill-opacity=\".25\" d=\"");
        add_dark_sides(out, piece, base, scale, thickness);
        nonet_text_add(out, "\"/>");
    }
    nonet_text_format(out, "<path fill=\"url(#%s)\"", material->name);
    if (piece->angle != 0) {
        /* The piece is drawn straight and then turned, so that the grain turns with it. */
        struct nonet_piece straight = *piece;
        straight.angle = 0;
        ADD(out, " transform=\"rotate(~ ~ ~)\" d=\"", -piece->angle, face.x, face.y);
        add_face(out, &straight, face, scale);
    } else {
        nonet_text_add(out, " d=\"");
        add_face(out, piece, face, scale);
    }
    nonet_text_add(out, "\"/>");
    /* No two pieces of wood are alike. This shows where they are side by side without marks. */
    int tone = picture->has_floor ? (piece->x / 7 + piece->y / 5 + piece->angle) / 100 % 4 : 0;
    if (tone > 0) {
        nonet_text_format(out, "<path fill=\"#3a1c00\" fill-opacity=\".%02d\" d=\"", tone * 7);
        add_face(out, piece, face, scale);
        nonet_text_add(out, "\"/>");
    }
    nonet_text_add(out, "<path fill=\"url(#sheen)\" stroke=\"url(#edge)\" d=\"");
    add_face(out, piece, face, scale);
    nonet_text_add(out, "\"/>");
    if (piece->lit) {
        for (int pass = 0; pass < 2; pass++) {
            nonet_text_format(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"",
                              pass == 0 ? "#3a1c00" : "#ffd447", pass == 0 ? "6" : "3.4");
            add_face(out, piece, face, scale);
            nonet_text_add(out, "\"/>");
        }
    }
}

/* Letters tell owners and woods apart where colours do not. A number gives the height of a piece
 * that may stand in several ways. */
static void draw_mark(const struct picture *picture, const struct nonet_piece *piece,
                      struct point face, double size) {
    char mark[16];
    struct nonet_text text = NONET_TEXT_IN(mark);
    nonet_text_format(&text, "%.4s", piece->mark);
    if (piece->shape == NONET_CUBOID && strpbrk(mark, "123456789") == NULL)
        nonet_text_format(&text, "%d", (piece->height + NONET_UNIT / 2) / NONET_UNIT);
    if (text.length == 0)
        return;
    const struct material *material = &materials[piece->material];
    if (material->striped) {
        nonet_text_format(picture->out,
                          "<g stroke=\"#%06x\" stroke-width=\"7\" stroke-linejoin=\"round\">",
                          material->ground);
        add_text(picture, face, size, "none", mark);
        nonet_text_add(picture->out, "</g>");
    }
    nonet_text_add(picture->out, "<g fill-opacity=\".85\">");
    add_text(picture, face, size, ink_on(piece), mark);
    nonet_text_add(picture->out, "</g>");
}

static bool is_covered(const struct picture *picture, const struct nonet_piece *piece) {
    for (int i = 0; i < picture->order_count; i++) {
        const struct nonet_piece *other = &picture->scene->pieces[picture->order[i]];
        if (other->place == piece->place && other->z > piece->z && !picture->has_floor)
            return true;
    }
    return false;
}

/* The middle of the visible part of a piece under others. This is its front. The pile before a
 * cross may hide that, so for a cross it is the front of its left arm. */
static struct point front_of(const struct picture *picture, const struct nonet_piece *piece) {
    struct point front = centre_of(picture, piece);
    bool is_cross = piece->shape == NONET_CROSS;
    double scale = picture->scale / NONET_UNIT;
    front.x -= is_cross ? piece->width * scale / 3 : 0;
    front.y += piece->depth * scale / (is_cross ? 6 : 2);
    front.y -= rise(picture, piece, piece->z + piece->height / 2);
    return front;
}

static void draw_pieces(const struct picture *picture) {
    struct nonet_text *out = picture->out;
    nonet_text_format(out, "<g %s text-anchor=\"middle\" font-weight=\"bold\">\n", font);
    for (int i = 0; i < picture->order_count; i++) {
        const struct nonet_piece *piece = &picture->scene->pieces[picture->order[i]];
        struct point centre = centre_of(picture, piece);
        double low = rise(picture, piece, piece->z);
        double thickness = rise(picture, piece, piece->height);
        nonet_text_add(out, "<g><title>");
        add_message(picture, &piece->label);
        nonet_text_add(out, "</title>");
        draw_piece(picture, piece, centre, picture->scale, low, thickness);
        if (is_covered(picture, piece))
            draw_mark(picture, piece, front_of(picture, piece), thickness * 0.85);
        else if (!picture->has_floor)
            draw_mark(picture, piece, (struct point){centre.x, centre.y - low - thickness},
                      fmin(picture->scale * 0.32, 24));
        nonet_text_add(out, "</g>\n");
    }
    nonet_text_add(out, "</g>\n");
}

/* Trays: beside the board, one for each owner of hands, with a slot for each kind of piece. */
enum { TRAY_WIDTH = 172, SLOT_WIDTH = 82, SLOT_DEPTH = 52, TRAY_HEAD = 26, TRAY_GAP = 12 };

static bool in_tray(const struct nonet_scene *scene, const struct nonet_piece *piece, int owner) {
    const struct nonet_place *place = &scene->places[piece->place];
    return place->kind == NONET_HAND && place->owner == owner;
}

static int tray_slots(const struct nonet_scene *scene, int owner) {
    int slots = 0;
    for (int i = 0; i < scene->piece_count; i++)
        slots += in_tray(scene, &scene->pieces[i], owner);
    return slots;
}

static double tray_depth(const struct nonet_scene *scene, int owner) {
    int rows = (tray_slots(scene, owner) + 1) / 2;
    return TRAY_HEAD + 6 + SLOT_DEPTH * rows;
}

static void draw_slot(const struct picture *picture, const struct nonet_piece *hand,
                      struct point at) {
    struct nonet_piece piece = *hand;
    if (piece.width == 0 || piece.depth == 0) { /* pieces in hands need no size */
        piece.width = piece.depth = NONET_UNIT * 8 / 10;
        piece.height = NONET_UNIT * 3 / 10;
    }
    double scale = 34 * NONET_UNIT / fmax(piece.width, piece.depth);
    double thickness = fmin(rise(picture, &piece, piece.height) / picture->scale * scale, 12);
    struct point centre = {at.x + 22, at.y + 22 + thickness / 2};
    nonet_text_add(picture->out, "<g><title>");
    add_message(picture, &piece.label);
    nonet_text_add(picture->out, "</title>");
    draw_piece(picture, &piece, centre, scale, 0, thickness);
    if (!picture->has_floor) {
        piece.shape = NONET_TILE; /* whose mark has no height: in a hand it does not stand yet */
        draw_mark(picture, &piece, (struct point){centre.x, centre.y - thickness}, 13);
    }
    char count[16];
    struct nonet_text text = NONET_TEXT_IN(count);
    if (piece.count == NONET_ENDLESS)
        nonet_text_add(&text, "×∞");
    else
        nonet_text_format(&text, "×%d", piece.count);
    nonet_text_add(picture->out, "</g><g text-anchor=\"start\">");
    add_text(picture, (struct point){at.x + 43, at.y + 22}, 14, "#f3e2c4", count);
    nonet_text_add(picture->out, "</g>\n");
}

static void draw_tray(const struct picture *picture, int owner, struct point at) {
    struct nonet_text *out = picture->out;
    const struct nonet_scene *scene = picture->scene;
    double depth = tray_depth(scene, owner);
    add_rectangle(out, at.x + 2, at.y + 3, TRAY_WIDTH, depth, "rx=\"7\" fill-opacity=\".25\"");
    add_rectangle(out, at.x, at.y, TRAY_WIDTH, depth,
                  "rx=\"7\" fill=\"url(#rail)\" stroke=\"#2d1a0d\"");
    add_rectangle(out, at.x + 1.5, at.y + 1.5, TRAY_WIDTH - 3, depth - 3,
                  "rx=\"6\" fill=\"none\" stroke=\"url(#edge)\" stroke-opacity=\".5\"");
    if (owner > 0) {
        char words[64];
        struct nonet_text text = NONET_TEXT_IN(words);
        struct nonet_message message =
            nonet_say(&nonet_common[NONET_SAY_PLAYER], nonet_player(owner));
        nonet_message_write(&message, picture->style->catalogue, &text);
        add_text(picture, (struct point){at.x + TRAY_WIDTH / 2, at.y + 15}, 14, "#e8cfa6", words);
    }
    int slot = 0;
    for (int i = 0; i < scene->piece_count; i++)
        if (in_tray(scene, &scene->pieces[i], owner)) {
            draw_slot(picture, &scene->pieces[i],
                      (struct point){at.x + 4 + slot % 2 * SLOT_WIDTH,
                                     at.y + TRAY_HEAD + slot / 2 * SLOT_DEPTH});
            slot++;
        }
}

/* The players' trays from the top down, then the tray that belongs to nobody. Once all hands are
 * empty for good, there is nothing to show. */
enum { TRAYS = NONET_MAX_PLAYERS + 1 };

static int trays_of(const struct nonet_scene *scene, int owners[TRAYS]) {
    int count = 0;
    bool empty = true;
    for (int i = 1; i <= TRAYS; i++) {
        int owner = i % TRAYS;
        bool has_hand = false;
        for (int k = 0; k < scene->place_count; k++)
            has_hand |= scene->places[k].kind == NONET_HAND && scene->places[k].owner == owner;
        if (has_hand)
            owners[count++] = owner;
        empty &= tray_slots(scene, owner) == 0;
    }
    return empty ? 0 : count;
}

static void draw_trays(const struct picture *picture) {
    struct point at = {picture->width + frame + TRAY_GAP + 4, -frame};
    int owners[TRAYS], count = trays_of(picture->scene, owners);
    nonet_text_format(picture->out, "<g %s text-anchor=\"middle\" font-weight=\"bold\">\n", font);
    for (int i = 0; i < count; i++) {
        draw_tray(picture, owners[i], at);
        at.y += tray_depth(picture->scene, owners[i]) + TRAY_GAP;
    }
    nonet_text_add(picture->out, "</g>\n");
}

static void lay_out(struct picture *picture) {
    const struct nonet_scene *scene = picture->scene;
    double units = fmax(scene->width, scene->depth) / NONET_UNIT;
    for (int i = 0; i < scene->place_count; i++)
        picture->has_floor |= scene->places[i].kind == NONET_FLOOR;
    for (int i = 0; i < scene->piece_count; i++)
        picture->has_piles |= on_board(scene, &scene->pieces[i]) && scene->pieces[i].z > 0;
    picture->scale = picture->has_floor ? 480 / units : fmin(fmax(480 / units, 36), 140);
    picture->width = scene->width * picture->scale / NONET_UNIT;
    picture->depth = scene->depth * picture->scale / NONET_UNIT;
    sort_pieces(picture);
    picture->left = picture->top = -frame - margin;
    picture->right = picture->width + frame + margin;
    picture->bottom = picture->depth + frame + margin;
    for (int i = 0; i < picture->order_count; i++) {
        const struct nonet_piece *piece = &scene->pieces[picture->order[i]];
        double up = centre_of(picture, piece).y - rise(picture, piece, piece->z + piece->height);
        double half = piece->depth * picture->scale / NONET_UNIT / 2;
        picture->top = fmin(picture->top, up - half - margin);
    }
    double trays = -frame;
    int owners[TRAYS], count = trays_of(scene, owners);
    for (int i = 0; i < count; i++) {
        trays += tray_depth(scene, owners[i]) + TRAY_GAP;
        picture->right = picture->width + frame + TRAY_GAP + 4 + TRAY_WIDTH + margin;
    }
    picture->bottom = fmax(picture->bottom, trays + margin);
}

/* What is on the board and in the hands, in the words of the labels. */
static void describe(const struct picture *picture) {
    const struct nonet_scene *scene = picture->scene;
    nonet_text_add(picture->out, "<title>");
    add_escaped(picture->out, picture->style->title);
    nonet_text_add(picture->out, "</title>\n<desc>");
    bool first = true;
    for (int i = 0; i < scene->piece_count; i++) {
        if (scene->pieces[i].label.phrase == NULL)
            continue;
        nonet_text_add(picture->out, first ? "" : "; ");
        add_message(picture, &scene->pieces[i].label);
        first = false;
    }
    nonet_text_add(picture->out, "</desc>\n");
}

void draw_svg(const struct nonet_scene *scene, const struct draw_svg_style *style,
              struct nonet_text *out) {
    struct picture picture = {.scene = scene, .style = style, .out = out};
    lay_out(&picture);
    double width = picture.right - picture.left, depth = picture.bottom - picture.top;
    ADD(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"~\" height=\"~\" "
        "viewBox=\"~ ~ ~ ~\">\n",
        width, depth, picture.left, picture.top, width, depth);
    describe(&picture);
    add_definitions(&picture);
    draw_board(&picture);
    if (style->coordinates)
        draw_coordinates(&picture);
    draw_shadows(&picture);
    draw_pieces(&picture);
    draw_trays(&picture);
    nonet_text_add(out, "</svg>\n");
}
