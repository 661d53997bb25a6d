/* Ksar, slowly: a grid of cells that know which piece covers them, with the frame around it. Every
 * cell beside a footprint is looked at. */
#include "slow.h"

#include <stdio.h>
#include <string.h>

enum { EMPTY = 0, WALL = -1, BLUE = 1, RED = 2, NEUTRAL = 3 };

struct model {
    int grid[18][18]; /* [x][y], a1 being [1][1]: EMPTY, WALL, or the number of a piece from 1 */
    int pieces;
    int owner[31], height[31]; /* of each piece */
    int own_in_hand[3], neutral_in_hand[3];
    int next;
};

static const struct {
    int width, depth, height;
} footprints[] = {{2, 3, 1}, {3, 2, 1}, {1, 3, 2}, {3, 1, 2}, {1, 2, 3}, {2, 1, 3}};

static void start(const struct nonet_options *options, void *model) {
    struct model *m = model;
    int width, depth;
    sscanf(options->value[0].text, "%dx%d", &width, &depth);
    memset(m, 0, sizeof *m);
    for (int x = 0; x < 18; x++)
        for (int y = 0; y < 18; y++)
            m->grid[x][y] = x >= 1 && x <= width && y >= 1 && y <= depth ? EMPTY : WALL;
    for (int player = BLUE; player <= RED; player++) {
        m->own_in_hand[player] = 12;
        m->neutral_in_hand[player] = 3;
    }
    m->next = BLUE;
}

/* Looks at one cell beside a footprint: whether something is there, or even something as high. */
static void look(const struct model *m, int x, int y, int height, bool *touches, bool *clashes) {
    int there = m->grid[x][y];
    if (there != EMPTY)
        *touches = true;
    if (there > 0 && m->height[there] == height)
        *clashes = true;
}

static bool fits(const struct model *m, int left, int bottom, int width, int depth, int height) {
    int right = left + width - 1, top = bottom + depth - 1;
    if (right > 16 || top > 16)
        return false;
    for (int x = left; x <= right; x++)
        for (int y = bottom; y <= top; y++)
            if (m->grid[x][y] != EMPTY)
                return false;
    bool west = false, east = false, south = false, north = false, clash = false;
    for (int y = bottom; y <= top; y++) {
        look(m, left - 1, y, height, &west, &clash);
        look(m, right + 1, y, height, &east, &clash);
    }
    for (int x = left; x <= right; x++) {
        look(m, x, bottom - 1, height, &south, &clash);
        look(m, x, top + 1, height, &north, &clash);
    }
    return (west || east) && (south || north) && !clash;
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    (void)options;
    const struct model *m = model;
    int count = 0;
    for (int neutral = 0; neutral < 2; neutral++) {
        if ((neutral ? m->neutral_in_hand : m->own_in_hand)[m->next] == 0)
            continue;
        for (int i = 0; i < 6; i++)
            for (int x = 1; x <= 16; x++)
                for (int y = 1; y <= 16; y++)
                    if (fits(m, x, y, footprints[i].width, footprints[i].depth,
                             footprints[i].height))
                        snprintf(moves[count++], NONET_MOVE_TEXT, "%s%dx%d@%c%d",
                                 neutral ? "n" : "", footprints[i].width, footprints[i].depth,
                                 'a' + x - 1, y);
    }
    return count;
}

static int turn(const struct nonet_options *options, const void *model) {
    static char moves[NONET_MAX_MOVES][NONET_MOVE_TEXT];
    return legal(options, model, moves) > 0 ? ((const struct model *)model)->next : 0;
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    bool neutral = move[0] == 'n';
    int width, depth, bottom;
    char file;
    sscanf(neutral ? move + 1 : move, "%dx%d@%c%d", &width, &depth, &file, &bottom);
    int piece = ++m->pieces, left = file - 'a' + 1;
    for (int x = left; x < left + width; x++)
        for (int y = bottom; y < bottom + depth; y++)
            m->grid[x][y] = piece;
    m->owner[piece] = neutral ? NEUTRAL : m->next;
    m->height[piece] = 6 / (width * depth); /* a piece takes up six cubic units */
    (neutral ? m->neutral_in_hand : m->own_in_hand)[m->next]--;
    m->next = 3 - m->next;
}

static bool joined(const struct model *m, int a, int b) {
    for (int x = 1; x <= 16; x++)
        for (int y = 1; y <= 16; y++)
            if (m->grid[x][y] == a && (m->grid[x - 1][y] == b || m->grid[x + 1][y] == b ||
                                       m->grid[x][y - 1] == b || m->grid[x][y + 1] == b))
                return true;
    return false;
}

static bool counts_for(const struct model *m, int piece, int player) {
    return m->owner[piece] == player || m->owner[piece] == NEUTRAL;
}

/* Adds a piece and all pieces joined with it to the group; returns how many were added. */
static int gather(const struct model *m, int player, int piece, bool *in_group) {
    in_group[piece] = true;
    int count = 1;
    for (int other = 1; other <= m->pieces; other++)
        if (counts_for(m, other, player) && !in_group[other] && joined(m, piece, other))
            count += gather(m, player, other, in_group);
    return count;
}

static int points_of(const struct model *m, int player) {
    bool in_group[31] = {false};
    int largest = 0;
    for (int piece = 1; piece <= m->pieces; piece++)
        if (counts_for(m, piece, player) && !in_group[piece]) {
            int count = gather(m, player, piece, in_group);
            if (count > largest)
                largest = count;
        }
    return largest - m->neutral_in_hand[player];
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    (void)options;
    const struct model *m = model;
    int blue = points_of(m, BLUE), red = points_of(m, RED), last = 3 - m->next;
    int winner = blue > red ? BLUE : red > blue ? RED : last;
    result->winners = winner == BLUE ? 1 : 2;
    result->has_points = true;
    result->points[0] = (int16_t)blue;
    result->points[1] = (int16_t)red;
}

const struct slow_model slow_ksar = {.id = "ksar",
                                     .size = sizeof(struct model),
                                     .start = start,
                                     .turn = turn,
                                     .legal = legal,
                                     .play = play,
                                     .result = result};
