/* Quadrangle, slowly: four pieces are tried as corners by the angles between them. */
#include "slow.h"

#include <string.h>

struct model {
    int board[4][4]; /* [file][rank]: 0, or the player */
    int next;
};

static void start(const struct nonet_options *options, void *model) {
    (void)options;
    memset(model, 0, sizeof(struct model));
    ((struct model *)model)->next = 1;
}

/* Corners a, b, c, d in order around: two equal opposite sides with a right angle between. */
static bool corners(int ax, int ay, int bx, int by, int cx, int cy, int dx, int dy) {
    return bx - ax == cx - dx && by - ay == cy - dy &&
           (bx - ax) * (dx - ax) + (by - ay) * (dy - ay) == 0 && (bx != ax || by != ay) &&
           (dx != ax || dy != ay);
}

static bool has_rectangle(const struct nonet_options *options, const struct model *m, int player) {
    bool upright = strcmp(options->value[0].text, "upright") == 0;
    int x[16], y[16], count = 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            if (m->board[file][rank] == player) {
                x[count] = file;
                y[count++] = rank;
            }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            for (int c = 0; c < count; c++)
                for (int d = 0; d < count; d++)
                    if (corners(x[a], y[a], x[b], y[b], x[c], y[c], x[d], y[d]) &&
                        (!upright || x[a] == x[b] || y[a] == y[b]))
                        return true;
    return false;
}

static bool full(const struct model *m) {
    for (int cell = 0; cell < 16; cell++)
        if (m->board[cell % 4][cell / 4] == 0)
            return false;
    return true;
}

static int turn(const struct nonet_options *options, const void *model) {
    const struct model *m = model;
    bool over = full(m) || has_rectangle(options, m, 1) || has_rectangle(options, m, 2);
    return over ? 0 : m->next;
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    const struct model *m = model;
    int count = 0;
    if (turn(options, model) == 0)
        return 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            if (m->board[file][rank] == 0) {
                moves[count][0] = "abcd"[file];
                moves[count][1] = "1234"[rank];
                moves[count++][2] = '\0';
            }
    return count;
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    m->board[move[0] - 'a'][move[1] - '1'] = m->next;
    m->next = 3 - m->next;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    result->winners = has_rectangle(options, model, 1)   ? 1
                      : has_rectangle(options, model, 2) ? 2
                                                         : 3;
}

const struct slow_model slow_quadrangle = {.id = "quadrangle",
                                           .size = sizeof(struct model),
                                           .start = start,
                                           .turn = turn,
                                           .legal = legal,
                                           .play = play,
                                           .result = result};
