/* Kolem, slowly: an array of letters with a border, and the rules in the order they are written. */
#include <stdlib.h>
#include <string.h>

#include "slow.h"

struct model {
    char at[7][7]; /* at[rank][file], both from 1; 'W', 'B', '.', and '#' off the board */
    int hand[2];
    int player; /* 0 White, 1 Black */
};

static const char colour[2] = {'W', 'B'};

static int count_beside(const struct model *m, int rank, int file, char wanted) {
    return (m->at[rank + 1][file] == wanted) + (m->at[rank - 1][file] == wanted) +
           (m->at[rank][file + 1] == wanted) + (m->at[rank][file - 1] == wanted);
}

static int count_all(const struct model *m, char wanted) {
    int count = 0;
    for (int rank = 1; rank <= 5; rank++)
        for (int file = 1; file <= 5; file++)
            count += m->at[rank][file] == wanted;
    return count;
}

/* Both requirements, for the piece that now stands on the point. */
static bool demands_hold(const struct model *m, int rank, int file) {
    if (count_beside(m, rank, file, colour[1 - m->player]) == 0)
        return false;
    for (int r = 1; r <= 5; r++)
        for (int f = 1; f <= 5; f++)
            if (m->at[r][f] != '.' && count_beside(m, r, f, 'W') + count_beside(m, r, f, 'B') > 3)
                return false;
    return true;
}

static bool in_phase_1(const struct model *m) {
    return m->hand[0] + m->hand[1] > 0;
}

static bool can_place(const struct model *m, int rank, int file) {
    if (m->at[rank][file] != '.')
        return false;
    if (count_all(m, 'W') + count_all(m, 'B') < 2)
        return true;
    struct model after = *m;
    after.at[rank][file] = colour[m->player];
    return demands_hold(&after, rank, file);
}

static bool can_step(const struct nonet_options *options, const struct model *m, int rank, int file,
                     int to_rank, int to_file) {
    if (m->at[rank][file] != colour[m->player] || m->at[to_rank][to_file] != '.')
        return false;
    bool straight = to_rank == rank || to_file == file;
    if (!straight && strcmp(options->value[0].text, "4") == 0)
        return false;
    struct model after = *m;
    after.at[rank][file] = '.';
    after.at[to_rank][to_file] = colour[m->player];
    return demands_hold(&after, to_rank, to_file);
}

static void name(char *text, int rank, int file) {
    text[0] = (char)('a' + file - 1);
    text[1] = (char)('0' + rank);
    text[2] = '\0';
}

static int list_placements(const struct model *m, char (*moves)[NONET_MOVE_TEXT]) {
    int count = 0;
    for (int rank = 1; rank <= 5; rank++)
        for (int file = 1; file <= 5; file++)
            if (can_place(m, rank, file))
                name(moves[count++], rank, file);
    if (count == 0)
        strcpy(moves[count++], "pass");
    return count;
}

static int list_steps(const struct nonet_options *options, const struct model *m,
                      char (*moves)[NONET_MOVE_TEXT]) {
    int count = 0;
    for (int rank = 1; rank <= 5; rank++)
        for (int file = 1; file <= 5; file++)
            for (int up = -1; up <= 1; up++)
                for (int right = -1; right <= 1; right++)
                    if (can_step(options, m, rank, file, rank + up, file + right)) {
                        name(moves[count], rank, file);
                        name(moves[count++] + 2, rank + up, file + right);
                    }
    return count;
}

static void start(const struct nonet_options *options, void *model) {
    struct model *m = model;
    int pieces = atoi(options->value[1].text);
    *m = (struct model){.hand = {pieces, pieces}};
    memset(m->at, '#', sizeof m->at);
    for (int rank = 1; rank <= 5; rank++)
        memset(&m->at[rank][1], '.', 5);
}

static int turn(const struct nonet_options *options, const void *model) {
    const struct model *m = model;
    char moves[9 * 8][NONET_MOVE_TEXT];
    if (in_phase_1(m))
        return m->player + 1;
    if (count_all(m, 'W') <= 2 || count_all(m, 'B') <= 2)
        return 0;
    return list_steps(options, m, moves) > 0 ? m->player + 1 : 0;
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    if (turn(options, model) == 0)
        return 0;
    return in_phase_1(model) ? list_placements(model, moves) : list_steps(options, model, moves);
}

/* Removes pieces without an enemy neighbour, again and again until none is left to remove. */
static void remove_lonely(struct model *m) {
    bool removed;
    do {
        removed = false;
        struct model before = *m;
        for (int rank = 1; rank <= 5; rank++)
            for (int file = 1; file <= 5; file++) {
                char piece = before.at[rank][file];
                if (piece != '.' &&
                    count_beside(&before, rank, file, piece == 'W' ? 'B' : 'W') == 0) {
                    m->at[rank][file] = '.';
                    removed = true;
                }
            }
    } while (removed);
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    if (in_phase_1(m)) {
        if (strcmp(move, "pass") != 0)
            m->at[move[1] - '0'][move[0] - 'a' + 1] = colour[m->player];
        m->hand[m->player]--;
    } else {
        m->at[move[1] - '0'][move[0] - 'a' + 1] = '.';
        m->at[move[3] - '0'][move[2] - 'a' + 1] = colour[m->player];
        remove_lonely(m);
    }
    m->player = 1 - m->player;
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    (void)options;
    const struct model *m = model;
    bool white_few = count_all(m, 'W') <= 2, black_few = count_all(m, 'B') <= 2;
    if (white_few && black_few)
        result->winners = 1 | 2;
    else if (white_few)
        result->winners = 2;
    else if (black_few)
        result->winners = 1;
    else /* the player to move cannot */
        result->winners = m->player == 0 ? 2 : 1;
}

const struct slow_model slow_kolem = {
    .id = "kolem",
    .size = sizeof(struct model),
    .start = start,
    .turn = turn,
    .legal = legal,
    .play = play,
    .result = result,
};
