#include "playouts.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/random.h"
#include "../rules/wide.h"

/* What the games of a run share. */
struct run {
    const struct nonet_session *session;
    const struct nonet_options *options;
    struct nonet_random random;
    void *workspace;  /* of a wide game */
    uint64_t *hashes; /* of the positions since the first, if repetitions matter; else null */
    int before;       /* positions on the line to where the games begin */
};

/* Adds a position and tells whether it occurs for the third time. Two different positions have the
 * same hash of 64 bits too seldom to matter. */
static bool is_third(const struct run *run, const void *state, int index) {
    if (run->hashes == NULL)
        return false;
    uint64_t hash = nonet_hash(state, run->options->game->state_size);
    int same = 0;
    for (int i = 0; i < index; i++)
        same += run->hashes[i] == hash;
    run->hashes[index] = hash;
    return same >= 2;
}

static nonet_move pick(struct run *run, const void *state) {
    const struct nonet_game *game = run->options->game;
    if (game->wide != NULL) {
        uint64_t count = game->wide->count(run->options, state, run->workspace);
        return game->wide->nth(run->options, state, run->workspace,
                               nonet_random_below(&run->random, (uint32_t)count));
    }
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(run->options, state, moves);
    return moves[nonet_random_below(&run->random, (uint32_t)count)];
}

static void play_game(struct run *run, struct playouts *sum) {
    const struct nonet_options *options = run->options;
    const struct nonet_game *game = options->game;
    struct nonet_state state;
    memcpy(&state, nonet_session_state(run->session), game->state_size);
    if (game->wide != NULL)
        memcpy(run->workspace, nonet_session_workspace(run->session), game->wide->workspace_size);
    bool drawn = nonet_session_turn(run->session) == 0; /* by repetition, unless it is over */
    int plies = 0;
    while (!drawn && game->turn(options, &state) != 0) {
        game->play(options, &state, run->workspace, pick(run, &state));
        plies++;
        drawn = plies == PLAYOUTS_LONGEST || is_third(run, &state, run->before + plies - 1);
    }
    struct nonet_result result = {.winners = (uint8_t)((1u << options->players) - 1)};
    if (game->turn(options, &state) == 0)
        game->result(options, &state, &result);
    for (int player = 1; player <= options->players; player++)
        sum->shares[player - 1] += (uint64_t)nonet_result_share(options, &result, player);
    sum->games++;
    sum->moves += (uint64_t)plies;
}

bool playouts_run(const struct nonet_session *session, uint64_t games, uint64_t seed,
                  struct playouts *sum) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    struct run run = {.session = session,
                      .options = options,
                      .random = {seed},
                      .before = nonet_session_ply(session) + 1};
    bool repeats = (game->facts & NONET_REPETITION_DRAWS) != 0;
    if (game->wide != NULL)
        run.workspace = aligned_alloc(64, (game->wide->workspace_size + 63) / 64 * 64);
    if (repeats)
        run.hashes = malloc((size_t)(run.before + PLAYOUTS_LONGEST) * sizeof *run.hashes);
    bool ready = (game->wide == NULL || run.workspace != NULL) && (!repeats || run.hashes != NULL);
    for (int i = 0; ready && repeats && i < run.before; i++)
        is_third(&run, nonet_session_state_before(session, i), i);
    for (uint64_t i = 0; ready && i < games; i++)
        play_game(&run, sum);
    free(run.workspace);
    free(run.hashes);
    return ready;
}
