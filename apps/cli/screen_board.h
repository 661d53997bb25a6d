/* A board on the full screen: drawn from the scene alone, as large as there is room for, and
 * scrolled where there is not enough. */
#ifndef NONET_CLI_SCREEN_BOARD_H
#define NONET_CLI_SCREEN_BOARD_H

#include "screen.h"

/* What is marked on a cell. */
enum {
    BOARD_LIT = 1,    /* it can be touched now */
    BOARD_LAST = 2,   /* the last move touched it */
    BOARD_CHOSEN = 4, /* the hand has touched it */
};

struct board {
    const struct nonet_scene *scene;
    const struct nonet_scene *ghost; /* what the scene would become, or null */
    struct draw_text_style style;
    bool close;                     /* larger than fits, for a closer look */
    int row, column, rows, columns; /* where it is on the screen */
    int top, left;                  /* how far it is scrolled */
    uint8_t marks[NONET_MAX_PLACES];
    struct draw_canvas canvas, other;
};

/* Chooses the size of the board for this part of the screen; returns the columns that it takes. */
int board_fit(struct board *board, int row, int column, int rows, int columns);

/* Draws it, with this part of the canvas in view, and shown to be where the hand is. */
void board_draw(struct board *board, const struct draw_box *focus, bool shows_hand);

/* Where a cell is on the canvas, or a point of a floor. */
bool board_cell(const struct board *board, int place, struct draw_box *box);
void board_spot(const struct board *board, int32_t x, int32_t y, struct draw_box *box);

/* From the canvas to the screen; false if it is out of view. */
bool board_on_screen(const struct board *board, int *row, int *column);

/* The cell at a place of the screen, or -1; the point of a floor there, if there is one. */
int board_place_at(const struct board *board, int row, int column);
bool board_point_at(const struct board *board, int row, int column, int32_t *x, int32_t *y);

#endif
