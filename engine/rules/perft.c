#include "perft.h"
#include "wide.h"

#include <stdlib.h>
#include <string.h>

static uint64_t listed(const struct nonet_options *options, const void *state, int depth) {
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(options, state, moves);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        struct nonet_state next;
        memcpy(&next, state, game->state_size);
        game->play(options, &next, NULL, moves[i]);
        sum += listed(options, &next, depth - 1);
    }
    return sum;
}

static bool wide(const struct nonet_options *options, const void *state, const void *workspace,
                 int depth, uint64_t *sum) {
    const struct nonet_game *game = options->game;
    uint64_t count = game->wide->count(options, state, workspace);
    if (depth == 1) {
        *sum += count;
        return true;
    }
    size_t size = (game->wide->workspace_size + 63) / 64 * 64;
    void *copy = aligned_alloc(64, size);
    if (copy == NULL)
        return false;
    bool done = true;
    for (uint64_t i = 0; i < count && done; i++) {
        struct nonet_state next;
        memcpy(&next, state, game->state_size);
        memcpy(copy, workspace, game->wide->workspace_size);
        game->play(options, &next, copy, game->wide->nth(options, state, workspace, i));
        done = wide(options, &next, copy, depth - 1, sum);
    }
    free(copy);
    return done;
}

bool nonet_perft(const struct nonet_options *options, const void *state, const void *workspace,
                 int depth, uint64_t *count) {
    *count = 0;
    if (depth == 0) {
        *count = 1;
        return true;
    }
    if (options->game->wide != NULL)
        return wide(options, state, workspace, depth, count);
    *count = listed(options, state, depth);
    return true;
}
