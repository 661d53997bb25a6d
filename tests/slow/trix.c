/* Trix, slowly: the piece is lifted off the board and sent jumping, one jump after the other. */
#include "slow.h"

#include <string.h>

struct model {
    int board[4][4]; /* [file][rank]: 0, or the player */
    int next;
};

static bool is_side(const struct nonet_options *options) {
    return strcmp(options->value[0].text, "side") == 0;
}

static void start(const struct nonet_options *options, void *model) {
    struct model *m = model;
    static const char *const camps[2][2] = {{"a1a2b1", "d4d3c4"}, {"a1b1c1", "b4c4d4"}};
    memset(m, 0, sizeof *m);
    m->next = 1;
    for (int player = 1; player <= 2; player++) {
        const char *cells = camps[is_side(options)][player - 1];
        for (int i = 0; i < 6; i += 2)
            m->board[cells[i] - 'a'][cells[i + 1] - '1'] = player;
    }
}

static bool is_target(const struct nonet_options *options, int player, int file, int rank) {
    if (is_side(options))
        return rank == (player == 1 ? 3 : 0);
    return player == 1 ? file + rank >= 5 : file + rank <= 1;
}

/* Whether this player, who has just moved, has won. */
static bool has_won(const struct nonet_options *options, const struct model *m, int player) {
    int own_there = 0, empty_there = 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++)
            if (is_target(options, player, file, rank)) {
                own_there += m->board[file][rank] == player;
                empty_there += m->board[file][rank] == 0;
            }
    bool filled_counts = strcmp(options->value[1].text, "filled") == 0;
    return own_there == 3 || (filled_counts && empty_there == 0 && own_there >= 1);
}

static int turn(const struct nonet_options *options, const void *model) {
    const struct model *m = model;
    return has_won(options, m, 3 - m->next) ? 0 : m->next;
}

static bool is_empty(const struct model *m, int file, int rank) {
    return file >= 0 && file < 4 && rank >= 0 && rank < 4 && m->board[file][rank] == 0;
}

/* Marks the cells that can be reached from this one by jumps. */
static void jump_on(const struct model *m, int file, int rank, bool can_end[4][4]) {
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++) {
            int to_file = file + 2 * x, to_rank = rank + 2 * y;
            if (is_empty(m, to_file, to_rank) && m->board[file + x][rank + y] != 0 &&
                !can_end[to_file][to_rank]) {
                can_end[to_file][to_rank] = true;
                jump_on(m, to_file, to_rank, can_end);
            }
        }
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    const struct model *m = model;
    int count = 0;
    if (turn(options, m) == 0)
        return 0;
    for (int file = 0; file < 4; file++)
        for (int rank = 0; rank < 4; rank++) {
            if (m->board[file][rank] != m->next)
                continue;
            struct model lifted = *m;
            lifted.board[file][rank] = 0;
            bool can_end[4][4] = {{false}};
            jump_on(&lifted, file, rank, can_end);
            for (int x = -1; x <= 1; x++)
                for (int y = -1; y <= 1; y++)
                    if (is_empty(&lifted, file + x, rank + y))
                        can_end[file + x][rank + y] = true;
            can_end[file][rank] = false;
            for (int cell = 0; cell < 16; cell++)
                if (can_end[cell % 4][cell / 4]) {
                    moves[count][0] = "abcd"[file];
                    moves[count][1] = "1234"[rank];
                    moves[count][2] = "abcd"[cell % 4];
                    moves[count][3] = "1234"[cell / 4];
                    moves[count++][4] = '\0';
                }
        }
    return count;
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    m->board[move[0] - 'a'][move[1] - '1'] = 0;
    m->board[move[2] - 'a'][move[3] - '1'] = m->next;
    m->next = 3 - m->next;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    (void)options;
    const struct model *m = model;
    result->winners = m->next == 1 ? 2 : 1;
}

const struct slow_model slow_trix = {.id = "trix",
                                     .size = sizeof(struct model),
                                     .start = start,
                                     .turn = turn,
                                     .legal = legal,
                                     .play = play,
                                     .result = result};
