/* Chasm, slowly: a board of numbers, and pieces that push each other one by one. */
#include "slow.h"

#include <string.h>

struct model {
    int board[4][4]; /* [file][rank]: 0, or the player */
    int placed;      /* pieces placed so far, by all */
    int next;
};

static void start(const struct nonet_options *options, void *model) {
    (void)options;
    memset(model, 0, sizeof(struct model));
    ((struct model *)model)->next = 1;
}

static bool moving(const struct nonet_options *options, const struct model *m) {
    return m->placed == 4 * options->players;
}

static int pieces(const struct model *m, int player) {
    int count = 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            if (m->board[file][rank] == player)
                count++;
    return count;
}

static int winner(const struct nonet_options *options, const struct model *m) {
    for (int player = 1; player <= options->players; player++)
        if (moving(options, m) && pieces(m, player) == 1)
            return player;
    return 0;
}

static int turn(const struct nonet_options *options, const void *model) {
    const struct model *m = model;
    return winner(options, m) != 0 ? 0 : m->next;
}

static bool on_board(int file, int rank) {
    return file >= 0 && file < 4 && rank >= 0 && rank < 4;
}

/* Whether a row or column through this cell holds a piece of the player. */
static bool crosses_own(const struct model *m, int file, int rank) {
    for (int i = 0; i < 4; i++)
        if (m->board[i][rank] == m->next || m->board[file][i] == m->next)
            return true;
    return false;
}

static int legal_placings(const struct model *m, bool anywhere, char (*moves)[NONET_MOVE_TEXT]) {
    int count = 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            if (m->board[file][rank] == 0 && (anywhere || !crosses_own(m, file, rank))) {
                moves[count][0] = "abcd"[file];
                moves[count][1] = "1234"[rank];
                moves[count++][2] = '\0';
            }
    return count;
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const struct model *m = model;
    int count = 0;
    if (turn(options, m) == 0)
        return 0;
    if (!moving(options, m)) {
        count = legal_placings(m, false, moves);
        return count > 0 ? count : legal_placings(m, true, moves);
    }
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            for (int way = 0; way < 4; way++) {
                int x = file + ways[way][0], y = rank + ways[way][1];
                if (m->board[file][rank] != m->next || !on_board(x, y))
                    continue;
                moves[count][0] = "abcd"[file];
                moves[count][1] = "1234"[rank];
                moves[count][2] = "abcd"[x];
                moves[count][3] = "1234"[y];
                moves[count++][4] = '\0';
            }
    return count;
}

/* Puts a piece on a cell; a piece that stands there moves on in the same direction. */
static void push(struct model *m, int piece, int file, int rank, int x, int y) {
    if (!on_board(file, rank))
        return;
    int pushed = m->board[file][rank];
    m->board[file][rank] = piece;
    if (pushed != 0)
        push(m, pushed, file + x, rank + y, x, y);
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    struct model *m = model;
    int file = move[0] - 'a', rank = move[1] - '1';
    if (moving(options, m)) {
        int to_file = move[2] - 'a', to_rank = move[3] - '1';
        m->board[file][rank] = 0;
        push(m, m->next, to_file, to_rank, to_file - file, to_rank - rank);
    } else {
        m->board[file][rank] = m->next;
        m->placed++;
    }
    m->next = m->next % options->players + 1;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    result->winners = (uint8_t)(1 << (winner(options, model) - 1));
}

const struct slow_model slow_chasm = {.id = "chasm",
                                      .size = sizeof(struct model),
                                      .start = start,
                                      .turn = turn,
                                      .legal = legal,
                                      .play = play,
                                      .result = result};
