/* A scene as text for a terminal, with no code for any particular game.
 *
 * Boards are grids with file letters and rank numbers. A piece is its mark on the colour of its
 * material. A piece that covers several cells is an outlined block with its height. A pile is a
 * column of marks that grows upwards. Surfaces without cells are drawn dot by dot. Hands are listed
 * below. The drawing is never wider than 80 columns. */
#ifndef NONET_STUDY_DRAW_TEXT_H
#define NONET_STUDY_DRAW_TEXT_H

#include <uchar.h>

#include "../rules/scene.h"

struct draw_text_style {
    bool colour;      /* ANSI escapes for 256 colours, legible on light and dark */
    bool unicode;     /* lines and blocks in UTF-8; else only ASCII */
    bool coordinates; /* file letters and rank numbers around the board */
    const struct nonet_catalogue *catalogue; /* the language of the labels; null for English */
    /* For a screen with more room, or less: the least room inside a cell, and how many columns a
     * floor takes. 0: as small as can be read, and DRAW_FLOOR_COLUMNS. */
    int cell_width, cell_depth, floor_columns;
};

/* Enough bytes for any drawing. */
enum { DRAW_TEXT_ROOM = 1 << 18 };

/* Appends the drawing. Every line ends with a newline. */
void draw_text(const struct nonet_scene *scene, const struct draw_text_style *style,
               struct nonet_text *out);

/* ---- The board alone, for a program that draws the screen itself ---- */

enum { DRAW_COLUMNS = 160, DRAW_ROWS = 100, DRAW_FLOOR_COLUMNS = 72, DRAW_DEFAULT = -1 };

struct draw_glyph {
    char16_t code;
    int16_t ink, paper; /* colours of the 256, or DRAW_DEFAULT */
    bool bold;
};

struct draw_canvas {
    const struct draw_text_style *style;
    int rows, columns; /* in use */
    struct draw_glyph at[DRAW_ROWS][DRAW_COLUMNS];
};

void draw_board(const struct nonet_scene *scene, const struct draw_text_style *style,
                struct draw_canvas *canvas);

struct draw_box {
    int row, column, rows, columns;
};

/* Where on the canvas a cell is, without its lines; or the floor. False if it is none, or there is
 * none. */
bool draw_cell(const struct nonet_scene *scene, const struct draw_text_style *style, int place,
               struct draw_box *box);
bool draw_floor_box(const struct nonet_scene *scene, const struct draw_text_style *style,
                    struct draw_box *box);

/* A piece's colours. */
struct draw_glyph draw_material(const struct nonet_piece *piece);

#endif
