#include "screen_board.h"

#include <stdlib.h>
#include <string.h>

/* Columns and rows around the board that name its cells; they stay when it is scrolled. */
enum { CELL_LABELS = 3, FLOOR_LABELS = 4, LABEL_ROWS = 1 };

static bool has_floor(const struct board *board) {
    struct draw_box box;
    return draw_floor_box(board->scene, &board->style, &box);
}

static int label_columns(const struct board *board) {
    return has_floor(board) ? FLOOR_LABELS : CELL_LABELS;
}

static void draw_all(struct board *board) {
    draw_board(board->scene, &board->style, &board->canvas);
}

static bool fits(const struct board *board) {
    return board->canvas.rows <= board->rows && board->canvas.columns <= board->columns;
}

/* The sizes of a cell, from the largest; and of a floor, down to half of what is usual. */
static void choose_size(struct board *board) {
    static const int cells[][2] = {{11, 5}, {9, 4}, {7, 3}, {5, 2}, {3, 1}};
    enum { SIZES = sizeof cells / sizeof cells[0], LEAST_FLOOR = 36, FLOOR_STEP = 2 };
    if (has_floor(board)) {
        int wanted = DRAW_FLOOR_COLUMNS;
        do {
            board->style.floor_columns = wanted;
            draw_all(board);
            wanted -= FLOOR_STEP;
        } while (!board->close && !fits(board) && wanted >= LEAST_FLOOR);
        return;
    }
    int chosen = 0;
    for (; chosen < SIZES; chosen++) {
        board->style.cell_width = cells[chosen][0];
        board->style.cell_depth = cells[chosen][1];
        draw_all(board);
        if (fits(board))
            break;
    }
    if (board->close && chosen > 0) {
        int closer = chosen >= 2 ? chosen - 2 : 0;
        board->style.cell_width = cells[closer][0];
        board->style.cell_depth = cells[closer][1];
        draw_all(board);
    }
}

int board_fit(struct board *board, int row, int column, int rows, int columns) {
    board->row = row;
    board->column = column;
    board->rows = rows;
    board->columns = columns;
    choose_size(board);
    return board->canvas.columns < columns ? board->canvas.columns : columns;
}

/* Scrolls in one direction so that the focus is in view, with some room around it. */
static int scrolled(int offset, int room, int whole, int from, int size) {
    enum { AROUND = 2 };
    if (whole <= room)
        return 0;
    if (from - AROUND < offset || from + size + AROUND > offset + room)
        offset = from + size / 2 - room / 2;
    return offset < 0 ? 0 : offset > whole - room ? whole - room : offset;
}

static bool same_glyph(struct draw_glyph a, struct draw_glyph b) {
    return a.code == b.code && a.ink == b.ink && a.paper == b.paper;
}

/* What would be there, and is not yet: hollow, in the colour of its material. */
static struct draw_glyph hollow(struct draw_glyph glyph) {
    if (glyph.paper != DRAW_DEFAULT) {
        glyph.ink = glyph.paper;
        glyph.paper = DRAW_DEFAULT;
    }
    return glyph;
}

static bool is_in(const struct draw_box *box, int row, int column) {
    return row >= box->row && row < box->row + box->rows && column >= box->column &&
           column < box->column + box->columns;
}

/* Marks a cell at its sides, where there is room beside the piece. */
static void mark_cell(struct board *board, int place, struct draw_canvas *canvas) {
    struct draw_box box;
    int marks = board->marks[place];
    if (marks == 0 || !draw_cell(board->scene, &board->style, place, &box))
        return;
    bool unicode = board->style.unicode;
    int row = box.row + box.rows / 2, last = box.column + box.columns - 1;
    struct draw_glyph *left = &canvas->at[row][box.column], *right = &canvas->at[row][last];
    struct draw_glyph *middle = &canvas->at[row][box.column + box.columns / 2];
    if (box.row + box.rows > DRAW_ROWS || last >= DRAW_COLUMNS)
        return;
    bool empty = middle->code == ' ' && middle->paper == DRAW_DEFAULT;
    if (marks & BOARD_LAST && left->code == ' ')
        left->code = unicode ? u'›' : '>';
    if (marks & BOARD_CHOSEN && left->code != '[') {
        left->code = '<';
        right->code = '>';
    } else if (marks & BOARD_LIT && empty) {
        middle->code = unicode ? u'·' : '.';
        middle->bold = true;
    } else if (marks & BOARD_LIT && right->code == ' ') {
        right->code = unicode ? u'•' : '*';
        right->bold = true;
    }
}

/* A row or column of the screen shows this one of the canvas: the labels always, the rest
 * scrolled. */
static int shown_row(const struct board *board, int row) {
    int rows = board->canvas.rows < board->rows ? board->canvas.rows : board->rows;
    return row >= rows - LABEL_ROWS ? board->canvas.rows - (rows - row) : row + board->top;
}

static int shown_column(const struct board *board, int column) {
    return column < label_columns(board) ? column : column + board->left;
}

void board_draw(struct board *board, const struct draw_box *focus, bool shows_hand) {
    struct draw_canvas *canvas = &board->canvas;
    int labels = label_columns(board);
    board->top = scrolled(board->top, board->rows - LABEL_ROWS, canvas->rows - LABEL_ROWS,
                          focus->row, focus->rows);
    board->left = scrolled(board->left, board->columns - labels, canvas->columns - labels,
                           focus->column - labels, focus->columns);
    struct draw_canvas *other = &board->other;
    bool ghost = board->ghost != NULL;
    if (ghost) {
        draw_board(board->ghost, &board->style, other);
        ghost = other->rows == canvas->rows && other->columns == canvas->columns;
    }
    /* Marks belong to both, or they would seem to be part of what changes. */
    for (int i = 0; i < board->scene->place_count; i++)
        mark_cell(board, i, canvas);
    for (int row = 0; row < board->rows && row < canvas->rows; row++)
        for (int column = 0; column < board->columns && column < canvas->columns; column++) {
            int from_row = shown_row(board, row), from_column = shown_column(board, column);
            struct draw_glyph glyph = canvas->at[from_row][from_column];
            struct draw_glyph after = other->at[from_row][from_column];
            int emphasis = 0;
            bool marked = glyph.code == u'·' || glyph.code == '.';
            if (ghost && !same_glyph(glyph, after) && !(marked && after.code == ' ')) {
                glyph = hollow(after);
                emphasis = SCREEN_BOLD | SCREEN_UNDERLINE;
            }
            if (shows_hand && is_in(focus, from_row, from_column))
                emphasis |= SCREEN_REVERSE;
            screen_glyph(board->row + row, board->column + column, glyph, emphasis);
        }
}

bool board_cell(const struct board *board, int place, struct draw_box *box) {
    return draw_cell(board->scene, &board->style, place, box);
}

void board_spot(const struct board *board, int32_t x, int32_t y, struct draw_box *box) {
    struct draw_box floor;
    draw_floor_box(board->scene, &board->style, &floor);
    int column = (int)((int64_t)x * floor.columns / board->scene->width);
    int row = floor.rows - 1 - (int)((int64_t)y * floor.rows / board->scene->depth);
    *box = (struct draw_box){floor.row + row, floor.column + column, 1, 1};
}

bool board_on_screen(const struct board *board, int *row, int *column) {
    int labels = label_columns(board);
    bool pinned = *row >= board->canvas.rows - LABEL_ROWS;
    *row -= pinned ? 0 : board->top;
    *column -= *column < labels ? 0 : board->left;
    bool seen = *row >= 0 && *row < board->rows - LABEL_ROWS && *column >= labels &&
                *column < board->columns;
    *row += board->row;
    *column += board->column;
    return seen;
}

/* From the screen to the canvas; false outside of the board. */
static bool on_canvas(const struct board *board, int *row, int *column) {
    *row -= board->row;
    *column -= board->column;
    if (*row < 0 || *row >= board->rows || *column < 0 || *column >= board->columns)
        return false;
    *row = shown_row(board, *row);
    *column = shown_column(board, *column);
    return true;
}

int board_place_at(const struct board *board, int row, int column) {
    struct draw_box box;
    if (!on_canvas(board, &row, &column))
        return -1;
    for (int i = 0; i < board->scene->place_count; i++)
        if (draw_cell(board->scene, &board->style, i, &box) && is_in(&box, row, column))
            return i;
    return -1;
}

bool board_point_at(const struct board *board, int row, int column, int32_t *x, int32_t *y) {
    struct draw_box floor;
    if (!draw_floor_box(board->scene, &board->style, &floor) || !on_canvas(board, &row, &column))
        return false;
    row -= floor.row;
    column -= floor.column;
    if (row < 0 || row >= floor.rows || column < 0 || column >= floor.columns)
        return false;
    *x = (int32_t)(((int64_t)column * 2 + 1) * board->scene->width / (2 * floor.columns));
    *y = (int32_t)(((int64_t)(floor.rows - 1 - row) * 2 + 1) * board->scene->depth /
                   (2 * floor.rows));
    return true;
}
