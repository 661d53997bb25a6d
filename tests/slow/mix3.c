/* Mix 3, slowly: every choice of pieces is tried for being a rectangle, a tris or pincers. */
#include "slow.h"

#include <string.h>

struct model {
    int board[4][4]; /* [file][rank]: 0, or the player */
    int placed;
};

static void start(const struct nonet_options *options, void *model) {
    (void)options;
    memset(model, 0, sizeof(struct model));
}

static int turn(const struct nonet_options *options, const void *model) {
    (void)options;
    const struct model *m = model;
    if (m->placed == 16)
        return 0;
    return m->placed % 2 == 0 ? 1 : 2;
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    (void)options;
    const struct model *m = model;
    int count = 0;
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
    struct model *m = model;
    m->board[move[0] - 'a'][move[1] - '1'] = turn(options, model);
    m->placed++;
}

/* The owner of a cell; 0 off the board. */
static int owner(const struct model *m, int file, int rank) {
    return file >= 0 && file < 4 && rank >= 0 && rank < 4 ? m->board[file][rank] : 0;
}

/* From every cell, every two sides at a right angle; the fourth corner follows. Each rectangle is
 * found from each of its four corners and with its two sides named in either order. */
static int rectangles(const struct nonet_options *options, const struct model *m, int player) {
    bool upright = strcmp(options->value[0].text, "upright") == 0;
    int found = 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            for (int x = -3; x <= 3; x++)
                for (int y = -3; y <= 3; y++)
                    for (int u = -3; u <= 3; u++)
                        for (int v = -3; v <= 3; v++) {
                            if ((x == 0 && y == 0) || (u == 0 && v == 0) || x * u + y * v != 0)
                                continue;
                            if (upright && x != 0 && y != 0)
                                continue;
                            if (owner(m, file, rank) == player &&
                                owner(m, file + x, rank + y) == player &&
                                owner(m, file + u, rank + v) == player &&
                                owner(m, file + x + u, rank + y + v) == player)
                                found++;
                        }
    return found / 8;
}

static int tris(const struct model *m, int player) {
    static const int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int found = 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            for (int way = 0; way < 4; way++) {
                int x = ways[way][0], y = ways[way][1];
                if (owner(m, file, rank) == player && owner(m, file + x, rank + y) == player &&
                    owner(m, file + 2 * x, rank + 2 * y) == player)
                    found++;
            }
    return found;
}

/* From every own piece to the right and upwards: enemies in a row, then an own piece again. */
static int pincers(const struct model *m, int player) {
    int points = 0, enemy = 3 - player;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            for (int up = 0; up < 2; up++) {
                if (owner(m, file, rank) != player)
                    continue;
                int x = 1 - up, y = up, held = 0;
                while (owner(m, file + (held + 1) * x, rank + (held + 1) * y) == enemy)
                    held++;
                if (owner(m, file + (held + 1) * x, rank + (held + 1) * y) == player)
                    points += held;
            }
    return points;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    result->has_points = true;
    for (int player = 1; player <= 2; player++)
        result->points[player - 1] = (int16_t)(2 * rectangles(options, model, player) +
                                               tris(model, player) + pincers(model, player));
    if (result->points[0] > result->points[1])
        result->winners = 1;
    else if (result->points[0] < result->points[1])
        result->winners = 2;
    else
        result->winners = 3;
}

const struct slow_model slow_mix3 = {.id = "mix3",
                                     .size = sizeof(struct model),
                                     .start = start,
                                     .turn = turn,
                                     .legal = legal,
                                     .play = play,
                                     .result = result};
