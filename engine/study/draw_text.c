#include "draw_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rules/phrases.h"

/* Everything is first drawn on a canvas of glyphs. So order does not matter, and escapes are
 * written only where the colour changes. */
enum { DEFAULT = DRAW_DEFAULT, GREY = 244 };

static void put(struct draw_canvas *canvas, int row, int column, struct draw_glyph glyph) {
    if (row < 0 || row >= DRAW_ROWS || column < 0 || column >= DRAW_COLUMNS)
        return;
    canvas->at[row][column] = glyph;
    if (row >= canvas->rows)
        canvas->rows = row + 1;
    if (column >= canvas->columns)
        canvas->columns = column + 1;
}

/* ASCII text, in the same colours throughout. */
static void put_text(struct draw_canvas *canvas, int row, int column, const char *text,
                     struct draw_glyph like) {
    for (; *text != '\0'; text++) {
        like.code = (unsigned char)*text;
        put(canvas, row, column++, like);
    }
}

static const struct draw_glyph plain = {' ', DEFAULT, DEFAULT, false};

static void add_code(struct nonet_text *out, char16_t code) {
    if (code < 0x80) {
        nonet_text_char(out, (char)code);
    } else if (code < 0x800) {
        nonet_text_char(out, (char)(0xc0 | code >> 6));
        nonet_text_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        nonet_text_char(out, (char)(0xe0 | code >> 12));
        nonet_text_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        nonet_text_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

static bool same_colours(struct draw_glyph a, struct draw_glyph b) {
    return a.ink == b.ink && a.paper == b.paper && a.bold == b.bold;
}

static void add_colours(struct nonet_text *out, struct draw_glyph glyph) {
    nonet_text_add(out, glyph.bold ? "\033[0;1" : "\033[0");
    if (glyph.ink != DEFAULT)
        nonet_text_format(out, ";38;5;%d", glyph.ink);
    if (glyph.paper != DEFAULT)
        nonet_text_format(out, ";48;5;%d", glyph.paper);
    nonet_text_char(out, 'm');
}

static void add_canvas(struct nonet_text *out, const struct draw_canvas *canvas) {
    for (int row = 0; row < canvas->rows; row++) {
        int end = canvas->columns;
        while (end > 0 && canvas->at[row][end - 1].code == ' ' &&
               canvas->at[row][end - 1].paper == DEFAULT)
            end--;
        struct draw_glyph current = plain;
        for (int column = 0; column < end; column++) {
            struct draw_glyph glyph = canvas->at[row][column];
            if (canvas->style->colour && !same_colours(glyph, current))
                add_colours(out, glyph);
            current = glyph;
            add_code(out, glyph.code);
        }
        if (canvas->style->colour && !same_colours(current, plain))
            nonet_text_add(out, "\033[0m");
        nonet_text_char(out, '\n');
    }
}

/* Materials as a terminal can show them. The ink is black or white, so that a mark is legible with
 * any colours of the terminal. */
static const unsigned char material_rgb[NONET_MATERIALS][3] = {
    [NONET_MAPLE] = {255, 223, 175},  [NONET_ZEBRANO] = {215, 175, 95},
    [NONET_PADOUK] = {215, 95, 0},    [NONET_WALNUT] = {135, 95, 0},
    [NONET_RED] = {215, 35, 40},      [NONET_YELLOW] = {255, 215, 0},
    [NONET_GREEN] = {45, 150, 60},    [NONET_BLUE] = {30, 95, 215},
    [NONET_VIOLET] = {135, 70, 175},  [NONET_WHITE] = {255, 255, 255},
    [NONET_BLACK] = {28, 28, 28},     [NONET_NATURAL] = {215, 175, 135},
    [NONET_HIDDEN] = {128, 128, 128},
};

/* The nearest of the 216 colours of the 6x6x6 cube. */
static int16_t cube_colour(const unsigned char rgb[3], int percent) {
    int index = 0;
    for (int i = 0; i < 3; i++) {
        static const int levels[6] = {0, 95, 135, 175, 215, 255};
        int wanted = rgb[i] * percent / 100, best = 0;
        for (int level = 1; level < 6; level++)
            if (abs(levels[level] - wanted) < abs(levels[best] - wanted))
                best = level;
        index = index * 6 + best;
    }
    return (int16_t)(16 + index);
}

static struct draw_glyph material_glyph(const struct nonet_piece *piece, int percent) {
    const unsigned char *rgb = material_rgb[piece->material];
    int light = (rgb[0] * 30 + rgb[1] * 59 + rgb[2] * 11) * percent / 10000;
    return (struct draw_glyph){' ', light > 115 ? 16 : 231, cube_colour(rgb, percent), piece->lit};
}

struct draw_glyph draw_material(const struct nonet_piece *piece) {
    return material_glyph(piece, 100);
}

/* Lines of a grid: weight 0, 1 (between cells) or 2 (around a piece) in each of four directions. */
static char16_t line_glyph(const struct draw_text_style *style, int up, int right, int down,
                           int left) {
    static const char16_t joints[] = u" ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳"
                                     u"╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈"
                                     u"╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";
    if (style->unicode)
        return joints[((up * 3 + right) * 3 + down) * 3 + left];
    if (up == 2 || right == 2 || down == 2 || left == 2)
        return '#';
    bool vertical = up + down > 0, horizontal = left + right > 0;
    return vertical && horizontal ? '+' : vertical ? '|' : horizontal ? '-' : ' ';
}

enum { BARE = -1, OUTSIDE = -2 };

struct grid {
    const struct nonet_scene *scene;
    int32_t unit; /* width of a cell */
    int files, ranks;
    int left, top;    /* where the lines begin on the canvas */
    int width, depth; /* room inside a cell */
    int tallest;      /* pieces in a pile */
    int place[NONET_MAX_SIDE][NONET_MAX_SIDE];
    /* The piece that covers this cell and others, or BARE. */
    int block[NONET_MAX_SIDE][NONET_MAX_SIDE];
};

/* A piece wider or deeper than a cell is drawn as a block over all the cells that it covers. */
static bool is_block(const struct grid *grid, const struct nonet_piece *piece) {
    return piece->width > grid->unit || piece->depth > grid->unit;
}

static bool on_board(const struct nonet_scene *scene, const struct nonet_piece *piece) {
    int kind = scene->places[piece->place].kind;
    return kind == NONET_CELL || kind == NONET_FLOOR;
}

/* The mark, and the height of a piece that may stand in several ways. */
static void piece_text(const struct nonet_piece *piece, int room, char out[16]) {
    char mark[8];
    struct nonet_text text = NONET_TEXT_IN(mark);
    nonet_text_format(&text, "%.4s", piece->mark);
    if (piece->shape == NONET_CUBOID && strpbrk(mark, "123456789") == NULL)
        nonet_text_format(&text, "%d", (piece->height + NONET_UNIT / 2) / NONET_UNIT);
    struct nonet_text whole = nonet_text_in(out, 16);
    if (!piece->lit)
        nonet_text_add(&whole, mark);
    else if ((int)text.length + 2 <= room)
        nonet_text_format(&whole, "[%s]", mark);
    else
        nonet_text_format(&whole, "*%s", mark);
    if ((int)whole.length > room)
        out[room] = '\0';
}

/* Pieces on a place, except blocks, from the lowest to the topmost. */
static int pile_of(const struct grid *grid, int place, const struct nonet_piece *pile[], int most) {
    int count = 0;
    for (int i = 0; i < grid->scene->piece_count && count < most; i++) {
        const struct nonet_piece *piece = &grid->scene->pieces[i];
        if (piece->place != place || is_block(grid, piece))
            continue;
        int at = count++;
        for (; at > 0 && pile[at - 1]->z > piece->z; at--)
            pile[at] = pile[at - 1];
        pile[at] = piece;
    }
    return count;
}

enum { MOST_PILE = 8 };

/* False if there are no cells, or more of them in a row than a game may have. */
static bool survey(struct grid *grid, const struct nonet_scene *scene,
                   const struct draw_text_style *style) {
    *grid = (struct grid){
        .scene = scene, .width = style->cell_width > 3 ? style->cell_width : 3, .tallest = 1};
    for (int i = 0; i < scene->place_count && grid->unit == 0; i++)
        if (scene->places[i].kind == NONET_CELL)
            grid->unit = scene->places[i].width;
    if (grid->unit <= 0)
        return false;
    grid->files = scene->width / grid->unit;
    grid->ranks = scene->depth / grid->unit;
    if (grid->files > NONET_MAX_SIDE || grid->ranks > NONET_MAX_SIDE)
        return false;
    for (int rank = 0; rank < grid->ranks; rank++)
        for (int file = 0; file < grid->files; file++)
            grid->place[rank][file] = grid->block[rank][file] = BARE;
    for (int i = 0; i < scene->place_count; i++) {
        const struct nonet_place *place = &scene->places[i];
        if (place->kind != NONET_CELL || place->x < 0 || place->y < 0)
            continue;
        int rank = place->y / grid->unit, file = place->x / grid->unit;
        if (rank >= grid->ranks || file >= grid->files)
            continue; /* a game that breaks the contract */
        grid->place[rank][file] = i;
        const struct nonet_piece *pile[MOST_PILE];
        int height = pile_of(grid, i, pile, MOST_PILE);
        if (height > grid->tallest)
            grid->tallest = height;
    }
    /* All pieces of a pile are equally thick. */
    int least = style->cell_depth > 1 ? style->cell_depth : 1;
    grid->depth = (least + grid->tallest - 1) / grid->tallest * grid->tallest;
    for (int i = 0; i < scene->piece_count; i++) {
        const struct nonet_piece *piece = &scene->pieces[i];
        if (!on_board(scene, piece) || !is_block(grid, piece))
            continue;
        for (int rank = 0; rank < grid->ranks; rank++)
            for (int file = 0; file < grid->files; file++)
                if (abs(file * grid->unit + grid->unit / 2 - piece->x) * 2 < piece->width &&
                    abs(rank * grid->unit + grid->unit / 2 - piece->y) * 2 < piece->depth)
                    grid->block[rank][file] = i;
    }
    grid->left = style->coordinates ? 3 : 0;
    return true;
}

static int block_at(const struct grid *grid, int rank, int file) {
    bool inside = rank >= 0 && rank < grid->ranks && file >= 0 && file < grid->files;
    return inside ? grid->block[rank][file] : OUTSIDE;
}

/* How heavy the line between two neighbouring cells is: heavier around a piece, and between two
 * zones. */
static int weight(const struct grid *grid, int rank, int file, int other_rank, int other_file) {
    int block = block_at(grid, rank, file), other = block_at(grid, other_rank, other_file);
    if (block == BARE && other == BARE && grid->place[rank][file] != BARE &&
        grid->place[other_rank][other_file] != BARE)
        return nonet_scene_parts(&grid->scene->places[grid->place[rank][file]],
                                 &grid->scene->places[grid->place[other_rank][other_file]])
                   ? 2
                   : 1;
    if (block == other)
        return block == BARE;
    return block >= 0 || other >= 0 ? 2 : 1;
}

static int row_of(const struct grid *grid, int rank) {
    return grid->top + (grid->ranks - rank) * (grid->depth + 1);
}

static int column_of(const struct grid *grid, int file) {
    return grid->left + file * (grid->width + 1);
}

/* The corner at the lower left of a cell, and the lines that run from it upwards and to the right.
 */
static void draw_lines(struct draw_canvas *canvas, const struct grid *grid, int rank, int file) {
    int up = weight(grid, rank, file - 1, rank, file);
    int right = weight(grid, rank - 1, file, rank, file);
    int down = weight(grid, rank - 1, file - 1, rank - 1, file);
    int left = weight(grid, rank - 1, file - 1, rank, file - 1);
    int row = row_of(grid, rank), column = column_of(grid, file);
    struct draw_glyph line = plain;
    line.ink = up + right + down + left > 4 ? DEFAULT : GREY;
    line.code = line_glyph(canvas->style, up, right, down, left);
    put(canvas, row, column, line);
    if (file < grid->files) {
        line.ink = right == 2 ? DEFAULT : GREY;
        line.code = line_glyph(canvas->style, 0, right, 0, right);
        for (int i = 1; i <= grid->width; i++)
            put(canvas, row, column + i, line);
    }
    if (rank < grid->ranks) {
        line.ink = up == 2 ? DEFAULT : GREY;
        line.code = line_glyph(canvas->style, up, 0, up, 0);
        for (int i = 1; i <= grid->depth; i++)
            put(canvas, row - i, column, line);
    }
}

static void draw_block(struct draw_canvas *canvas, const struct grid *grid, int index) {
    const struct nonet_piece *piece = &grid->scene->pieces[index];
    int first = grid->files, last = -1, low = grid->ranks, high = -1;
    for (int rank = 0; rank < grid->ranks; rank++)
        for (int file = 0; file < grid->files; file++)
            if (grid->block[rank][file] == index) {
                first = file < first ? file : first;
                last = file;
                low = rank < low ? rank : low;
                high = rank;
            }
    if (last < 0)
        return;
    struct draw_glyph paint = material_glyph(piece, 100);
    int left = column_of(grid, first) + 1, right = column_of(grid, last + 1) - 1;
    int top = row_of(grid, high + 1) + 1, bottom = row_of(grid, low) - 1;
    for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++)
            put(canvas, row, column, paint);
    char text[16];
    piece_text(piece, right - left + 1, text);
    put_text(canvas, (top + bottom) / 2, left + (right - left + 2 - (int)strlen(text)) / 2, text,
             paint);
}

static void draw_pile(struct draw_canvas *canvas, const struct grid *grid, int rank, int file) {
    const struct nonet_piece *pile[MOST_PILE];
    int count = pile_of(grid, grid->place[rank][file], pile, MOST_PILE);
    for (int level = 0; level < count; level++) {
        struct draw_glyph paint = material_glyph(pile[level], 100);
        int thick = grid->depth / grid->tallest;
        int row = row_of(grid, rank) - 1 - level * thick, column = column_of(grid, file) + 1;
        for (int i = 0; i < grid->width * thick; i++)
            put(canvas, row - i / grid->width, column + i % grid->width, paint);
        char text[16];
        row -= (thick - 1) / 2;
        piece_text(pile[level], grid->width, text);
        put_text(canvas, row, column + (grid->width - (int)strlen(text)) / 2, text, paint);
    }
}

/* File letters and rank numbers, taken from the names of the cells. */
static void draw_coordinates(struct draw_canvas *canvas, const struct grid *grid) {
    for (int file = 0; file < grid->files; file++) {
        int place = grid->place[0][file];
        if (place == BARE)
            continue;
        char letter[2] = {grid->scene->places[place].name[0], '\0'};
        put_text(canvas, row_of(grid, 0) + 1, column_of(grid, file) + 1 + grid->width / 2, letter,
                 plain);
    }
    for (int rank = 0; rank < grid->ranks; rank++) {
        int place = grid->place[rank][0];
        if (place == BARE)
            continue;
        const char *number = grid->scene->places[place].name + 1;
        put_text(canvas, row_of(grid, rank) - (grid->depth + 1) / 2,
                 grid->left - 1 - (int)strlen(number), number, plain);
    }
}

static void draw_grid(struct draw_canvas *canvas, const struct grid *grid) {
    for (int rank = 0; rank <= grid->ranks; rank++)
        for (int file = 0; file <= grid->files; file++)
            draw_lines(canvas, grid, rank, file);
    for (int rank = 0; rank < grid->ranks; rank++)
        for (int file = 0; file < grid->files; file++)
            if (grid->place[rank][file] != BARE)
                draw_pile(canvas, grid, rank, file);
    for (int i = 0; i < grid->scene->piece_count; i++)
        if (on_board(grid->scene, &grid->scene->pieces[i]) &&
            is_block(grid, &grid->scene->pieces[i]))
            draw_block(canvas, grid, i);
    if (canvas->style->coordinates)
        draw_coordinates(canvas, grid);
}

bool draw_cell(const struct nonet_scene *scene, const struct draw_text_style *style, int place,
               struct draw_box *box) {
    struct grid grid;
    if (scene->places[place].kind != NONET_CELL || !survey(&grid, scene, style))
        return false;
    int rank = scene->places[place].y / grid.unit, file = scene->places[place].x / grid.unit;
    *box = (struct draw_box){row_of(&grid, rank + 1) + 1, column_of(&grid, file) + 1, grid.depth,
                             grid.width};
    return true;
}

/* A floor without cells is sampled on a raster of square dots. A glyph shows 2x4 dots as Braille
 * outlines, or 1x2 as coloured halves. With letters only, it shows one of its 1x2 dots. */
enum { MOST_DOTS = DRAW_FLOOR_COLUMNS * 2 };

struct raster {
    const struct nonet_scene *scene;
    int width, depth;                          /* in dots */
    unsigned char piece[MOST_DOTS][MOST_DOTS]; /* 1 + index, or 0; the lowest row first */
};

static void paint_piece(struct raster *raster, int index) {
    const struct nonet_piece *piece = &raster->scene->pieces[index];
    double dot = (double)raster->scene->width / raster->width;
    double angle = piece->angle * acos(-1) / 180, c = cos(angle), s = sin(angle);
    for (int row = 0; row < raster->depth; row++)
        for (int column = 0; column < raster->width; column++) {
            double x = (column + 0.5) * dot - piece->x, y = (row + 0.5) * dot - piece->y;
            if (fabs(x * c + y * s) * 2 <= piece->width && fabs(y * c - x * s) * 2 <= piece->depth)
                raster->piece[row][column] = (unsigned char)(index + 1);
        }
}

static void paint_floor(struct raster *raster, const struct nonet_scene *scene, int width) {
    *raster = (struct raster){.scene = scene, .width = width};
    raster->depth = (int)((int64_t)width * scene->depth / scene->width);
    if (raster->depth > MOST_DOTS)
        raster->depth = MOST_DOTS;
    for (int i = 0; i < scene->piece_count; i++)
        if (on_board(scene, &scene->pieces[i]))
            paint_piece(raster, i);
}

static bool has_floor(const struct nonet_scene *scene) {
    for (int i = 0; i < scene->place_count; i++)
        if (scene->places[i].kind == NONET_FLOOR)
            return true;
    return false;
}

static int dot_at(const struct raster *raster, int row, int column) {
    bool inside = row >= 0 && row < raster->depth && column >= 0 && column < raster->width;
    return inside ? raster->piece[row][column] : 0;
}

/* Pieces that touch get different tones of their wood. */
static void choose_tones(const struct raster *raster, int percent[NONET_MAX_PIECES + 1]) {
    static const int tones[] = {100, 80, 62, 90, 71};
    enum { TONES = sizeof tones / sizeof tones[0] };
    unsigned char near[NONET_MAX_PIECES + 1][NONET_MAX_PIECES + 1] = {{0}};
    for (int row = 0; row < raster->depth; row++)
        for (int column = 0; column < raster->width; column++)
            for (int i = 0; i < 4; i++) {
                static const int step[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
                int a = raster->piece[row][column];
                int b = dot_at(raster, row + step[i][0], column + step[i][1]);
                near[a][b] = near[b][a] = 1;
            }
    for (int a = 1; a <= raster->scene->piece_count; a++) {
        int tone = 0;
        for (int b = 1; b < a && tone < TONES - 1; b++)
            if (near[a][b] && percent[b] == tones[tone]) {
                tone++;
                b = 0;
            }
        percent[a] = tones[tone];
    }
}

/* Names pieces for readers who see no colours: A … Z a … z 0 … 9. */
static char letter_of(int index) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return letters[index % (int)(sizeof letters - 1)];
}

static void draw_letters(struct draw_canvas *canvas, int top, int left, struct raster *raster) {
    for (int row = 0; row < raster->depth / 2; row++)
        for (int column = 0; column < raster->width; column++) {
            /* The upper of the two dots stands for both. */
            int piece = dot_at(raster, raster->depth - 1 - row * 2, column);
            struct draw_glyph glyph = plain;
            glyph.code = (unsigned char)(piece > 0 ? letter_of(piece - 1) : ' ');
            put(canvas, top + row, left + column, glyph);
        }
}

static void draw_outlines(struct draw_canvas *canvas, int top, int left, struct raster *raster) {
    for (int row = 0; row < raster->depth / 4; row++)
        for (int column = 0; column < raster->width / 2; column++) {
            struct draw_glyph glyph = plain;
            unsigned dots = 0;
            for (int dot = 0; dot < 8; dot++) {
                static const unsigned char bit[8] = {0x01, 0x08, 0x02, 0x10,
                                                     0x04, 0x20, 0x40, 0x80};
                int r = raster->depth - 1 - row * 4 - dot / 2, c = column * 2 + dot % 2;
                int piece = dot_at(raster, r, c);
                bool inner = piece == dot_at(raster, r - 1, c) &&
                             piece == dot_at(raster, r + 1, c) &&
                             piece == dot_at(raster, r, c - 1) && piece == dot_at(raster, r, c + 1);
                if (piece > 0 && !inner)
                    dots |= bit[dot];
            }
            if (dots != 0)
                glyph.code = (char16_t)(0x2800 + dots);
            put(canvas, top + row, left + column, glyph);
        }
}

static void draw_halves(struct draw_canvas *canvas, int top, int left, struct raster *raster) {
    int percent[NONET_MAX_PIECES + 1];
    choose_tones(raster, percent);
    for (int row = 0; row < raster->depth / 2; row++)
        for (int column = 0; column < raster->width; column++) {
            int upper = dot_at(raster, raster->depth - 1 - row * 2, column);
            int lower = dot_at(raster, raster->depth - 2 - row * 2, column);
            const struct nonet_piece *pieces = raster->scene->pieces;
            struct draw_glyph glyph = plain;
            if (upper == lower && upper > 0) {
                glyph.paper = material_glyph(&pieces[upper - 1], percent[upper]).paper;
            } else if (upper > 0) {
                glyph.code = u'▀';
                glyph.ink = material_glyph(&pieces[upper - 1], percent[upper]).paper;
                if (lower > 0)
                    glyph.paper = material_glyph(&pieces[lower - 1], percent[lower]).paper;
            } else if (lower > 0) {
                glyph.code = u'▄';
                glyph.ink = material_glyph(&pieces[lower - 1], percent[lower]).paper;
            }
            put(canvas, top + row, left + column, glyph);
        }
}

static int style_columns(const struct draw_text_style *style) {
    int wanted = style->floor_columns;
    return wanted > 0 && wanted < DRAW_FLOOR_COLUMNS ? wanted : DRAW_FLOOR_COLUMNS;
}

bool draw_floor_box(const struct nonet_scene *scene, const struct draw_text_style *style,
                    struct draw_box *box) {
    if (!has_floor(scene))
        return false;
    int columns = style_columns(style);
    *box = (struct draw_box){1, style->coordinates ? 5 : 1,
                             (int)((int64_t)columns * scene->depth / scene->width) / 2, columns};
    return true;
}

static void draw_floor(struct draw_canvas *canvas, const struct nonet_scene *scene) {
    struct raster raster;
    bool outlines = canvas->style->unicode && !canvas->style->colour;
    int across = style_columns(canvas->style);
    paint_floor(&raster, scene, outlines ? across * 2 : across);
    int dots_across = outlines ? 2 : 1, dots_down = outlines ? 4 : 2;
    int left = canvas->style->coordinates ? 5 : 1, top = 1;
    int columns = raster.width / dots_across, rows = raster.depth / dots_down;
    struct draw_glyph line = {' ', GREY, DEFAULT, false};
    for (int row = top - 1; row <= top + rows; row++)
        for (int column = left - 1; column <= left + columns; column++) {
            bool first_row = row < top, last_row = row == top + rows;
            bool first_column = column < left, last_column = column == left + columns;
            bool flat = first_row || last_row, along = first_column || last_column;
            line.code = line_glyph(canvas->style, along && !first_row, flat && !last_column,
                                   along && !last_row, flat && !first_column);
            if (flat || along)
                put(canvas, row, column, line);
        }
    if (outlines)
        draw_outlines(canvas, top, left, &raster);
    else if (canvas->style->colour && canvas->style->unicode)
        draw_halves(canvas, top, left, &raster);
    else
        draw_letters(canvas, top, left, &raster);
    for (int i = 0; canvas->style->unicode && i < scene->piece_count; i++) {
        const struct nonet_piece *piece = &scene->pieces[i];
        if (!on_board(scene, piece))
            continue;
        int column = (int)((int64_t)piece->x * columns / scene->width);
        int row = rows - 1 - (int)((int64_t)piece->y * rows / scene->depth);
        struct draw_glyph name = canvas->at[top + row][left + column];
        name.code = (unsigned char)letter_of(i);
        name.ink = canvas->style->colour ? material_glyph(piece, 100).ink : DEFAULT;
        name.bold = piece->lit;
        put(canvas, top + row, left + column, name);
    }
    /* In the unit that moves are written in, so that people can read a place off. */
    int32_t step = scene->step > 0 ? scene->step : NONET_UNIT;
    for (int quarter = 0; canvas->style->coordinates && quarter <= 4; quarter++) {
        char number[16];
        struct nonet_text text = NONET_TEXT_IN(number);
        nonet_text_format(&text, "%d", scene->width * quarter / 4 / step);
        put_text(canvas, top + rows + 1, left + (columns - 1) * quarter / 4 - (int)text.length / 2,
                 number, plain);
        text = NONET_TEXT_IN(number);
        nonet_text_format(&text, "%3d", scene->depth * quarter / 4 / step);
        put_text(canvas, top + rows - 1 - (rows - 1) * quarter / 4, left - 5, number, plain);
    }
}

/* A message as this style can show it. */
static void add_message(struct nonet_text *out, const struct draw_text_style *style,
                        const struct nonet_message *message) {
    char words[512];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(message, style->catalogue, &text);
    if (style->unicode)
        nonet_text_add(out, words);
    else
        nonet_text_ascii(out, words, text.length);
}

static void list_hand(struct nonet_text *out, const struct draw_text_style *style,
                      const struct nonet_scene *scene, int hand) {
    add_message(out, style, &scene->places[hand].label);
    const struct nonet_message colon = nonet_say(&nonet_common[NONET_SAY_COLON]);
    add_message(out, style, &colon);
    bool empty = true;
    for (int i = 0; i < scene->piece_count; i++) {
        const struct nonet_piece *piece = &scene->pieces[i];
        if (piece->place != hand || piece->count == 0)
            continue;
        if (!empty)
            nonet_text_char(out, ' ');
        if (piece->count == NONET_ENDLESS)
            nonet_text_add(out, style->unicode ? "∞×" : "any x ");
        else
            nonet_text_format(out, style->unicode ? "%d×" : "%d x ", piece->count);
        if (style->colour)
            add_colours(out, material_glyph(piece, 100));
        nonet_text_format(out, style->colour ? " %.4s " : "%.4s", piece->mark);
        if (style->colour)
            nonet_text_add(out, "\033[0m");
        empty = false;
    }
    nonet_text_add(out, empty ? "-\n" : "\n");
}

void draw_board(const struct nonet_scene *scene, const struct draw_text_style *style,
                struct draw_canvas *canvas) {
    *canvas = (struct draw_canvas){.style = style};
    for (int row = 0; row < DRAW_ROWS; row++)
        for (int column = 0; column < DRAW_COLUMNS; column++)
            canvas->at[row][column] = plain;
    struct grid grid;
    if (has_floor(scene))
        draw_floor(canvas, scene);
    else if (survey(&grid, scene, style))
        draw_grid(canvas, &grid);
}

void draw_text(const struct nonet_scene *scene, const struct draw_text_style *style,
               struct nonet_text *out) {
    struct draw_canvas canvas;
    draw_board(scene, style, &canvas);
    add_canvas(out, &canvas);
    /* Once all hands are empty for good, there is nothing to list. */
    bool empty = true;
    for (int i = 0; i < scene->piece_count; i++)
        empty &= on_board(scene, &scene->pieces[i]);
    for (int i = 0; i < scene->place_count && !empty; i++)
        if (scene->places[i].kind == NONET_HAND)
            list_hand(out, style, scene, i);
}
