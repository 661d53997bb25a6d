/* Kudosu, slowly: letters on a board, letters in hands. */
#include <string.h>

#include "slow.h"

struct model {
    char at[4][4]; /* at[rank][file], from 0; a wood's letter or '.' */
    char hand[2][9];
    int player;
};

static void start(const struct nonet_options *options, void *model) {
    (void)options;
    struct model *m = model;
    memset(m->at, '.', sizeof m->at);
    strcpy(m->hand[0], "MMZZPPWW");
    strcpy(m->hand[1], "MMZZPPWW");
    m->player = 0;
}

static bool fits(const struct model *m, char wood, int rank, int file) {
    if (m->at[rank][file] != '.')
        return false;
    for (int i = 0; i < 4; i++)
        if (m->at[rank][i] == wood || m->at[i][file] == wood)
            return false;
    int corner_rank = rank < 2 ? 0 : 2, corner_file = file < 2 ? 0 : 2;
    for (int r = corner_rank; r < corner_rank + 2; r++)
        for (int f = corner_file; f < corner_file + 2; f++)
            if (m->at[r][f] == wood)
                return false;
    return true;
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    (void)options;
    const struct model *m = model;
    int count = 0;
    for (const char *wood = "MZPW"; *wood != '\0'; wood++) {
        if (strchr(m->hand[m->player], *wood) == NULL)
            continue;
        for (int rank = 0; rank < 4; rank++)
            for (int file = 0; file < 4; file++)
                if (fits(m, *wood, rank, file)) {
                    char *move = moves[count++];
                    move[0] = *wood;
                    move[1] = (char)('a' + file);
                    move[2] = (char)('1' + rank);
                    move[3] = '\0';
                }
    }
    return count;
}

static int turn(const struct nonet_options *options, const void *model) {
    const struct model *m = model;
    char moves[64][NONET_MOVE_TEXT];
    return legal(options, m, moves) > 0 ? m->player + 1 : 0;
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    m->at[move[2] - '1'][move[1] - 'a'] = move[0];
    char *taken = strchr(m->hand[m->player], move[0]);
    memmove(taken, taken + 1, strlen(taken));
    m->player = 1 - m->player;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    (void)options;
    const struct model *m = model;
    result->winners = m->player == 0 ? 2 : 1;
}

const struct slow_model slow_kudosu = {
    .id = "kudosu",
    .size = sizeof(struct model),
    .start = start,
    .turn = turn,
    .legal = legal,
    .play = play,
    .result = result,
};
