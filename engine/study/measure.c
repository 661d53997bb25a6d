#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "../base/random.h"
#include "../rules/wide.h"
#include "../search/search.h"

static void mix(struct measure_tally *tally, uint64_t value) {
    tally->signature = (tally->signature ^ value) * 0x9fb21c651e98df25u;
}

/* Random picks by a linear congruential generator (Knuth's MMIX): only three instructions, so that
 * the games are measured and not the generator. */
static uint32_t pick(uint64_t *dice, uint32_t bound) {
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((*dice >> 32) * bound) >> 32);
}

static void end_game(const struct nonet_options *options, const void *state,
                     struct nonet_result *result, struct measure_tally *tally) {
    options->game->result(options, state, result);
    mix(tally, result->winners);
    for (int player = 0; result->has_points && player < options->players; player++)
        mix(tally, (uint64_t)result->points[player]);
    tally->games++;
}

/* Games that can go on for ever are stopped at this length. */
enum { LONGEST = 200 };

/* The loop that is measured: list the legal moves, pick one, play it. It is never inlined, so that
 * callgrind can count it alone. */
__attribute__((noinline)) static void measure_listed(const struct nonet_options *options,
                                                     uint64_t games, uint64_t *dice,
                                                     struct measure_tally *tally) {
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state first, state;
    struct measure_tally sum = *tally; /* kept in registers during the games */
    uint64_t random = *dice;
    struct nonet_result result = {0};
    game->start(options, &first, NULL);
    for (uint64_t i = 0; i < games; i++) {
        memcpy(&state, &first, game->state_size);
        int count = 0;
        for (int ply = 0; ply < LONGEST; ply++) {
            count = game->moves(options, &state, moves);
            if (count == 0)
                break;
            nonet_move move = moves[pick(&random, (uint32_t)count)];
            game->play(options, &state, NULL, move);
            mix(&sum, move);
            sum.moves++;
        }
        if (count == 0)
            end_game(options, &state, &result, &sum);
        else
            sum.games++;
    }
    *tally = sum;
    *dice = random;
}

__attribute__((noinline)) static void measure_wide(const struct nonet_options *options,
                                                   uint64_t games, uint64_t *dice,
                                                   struct measure_tally *tally, void *workspace) {
    const struct nonet_game *game = options->game;
    struct nonet_state state;
    struct nonet_result result = {0};
    for (uint64_t i = 0; i < games; i++) {
        game->start(options, &state, workspace);
        for (;;) {
            uint64_t count = game->wide->count(options, &state, workspace);
            if (count == 0)
                break;
            nonet_move move =
                game->wide->nth(options, &state, workspace, pick(dice, (uint32_t)count));
            game->play(options, &state, workspace, move);
            mix(tally, move);
            tally->moves++;
        }
        end_game(options, &state, &result, tally);
    }
}

bool measure_games(const struct nonet_options *options, uint64_t games,
                   struct measure_tally *tally) {
    /* Every deal and every game of a run follows from this one number. */
    struct nonet_random random = {1};
    uint64_t dice = 1;
    const struct nonet_game *game = options->game;
    if (game->wide != NULL) {
        void *workspace = aligned_alloc(64, (game->wide->workspace_size + 63) / 64 * 64);
        if (workspace == NULL)
            return false;
        measure_wide(options, games, &dice, tally, workspace);
        free(workspace);
        return true;
    }
    /* A new deal from time to time, if the game has deals. The dealing is not measured. */
    uint64_t batch = game->deal != NULL ? 100 : games;
    for (uint64_t done = 0; done < games; done += batch) {
        struct nonet_options dealt = *options;
        uint64_t open = nonet_random_next(&random), secret = nonet_random_next(&random);
        nonet_options_deal(&dealt, open, secret);
        measure_listed(&dealt, games - done < batch ? games - done : batch, &dice, tally);
    }
    return true;
}

uint64_t measure_usual_games(const struct nonet_game *game) {
    if (game->wide != NULL)
        return 20;
    return game->facts & NONET_REPETITION_DRAWS ? 5000 : 50000;
}

static bool search(const struct nonet_session *session, int level, uint64_t nodes,
                   struct nonet_report *report, struct measure_tally *tally) {
    struct nonet_search_task task;
    if (!nonet_search_task_open(&task, session, nonet_session_turn(session)))
        return false;
    task.level = level;
    const struct nonet_searcher *searcher = nonet_searcher_for(&task);
    void *memory = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(&task));
    if (memory != NULL) {
        searcher->begin(memory, &task);
        searcher->advance(memory, nodes);
        searcher->report(memory, report);
        mix(tally, report->moves[0].move);
        mix(tally, (uint64_t)report->moves[0].score);
        mix(tally, report->nodes);
        tally->nodes += report->nodes;
    }
    free(memory);
    nonet_search_task_close(&task);
    return memory != NULL;
}

bool measure_searches(const struct nonet_options *options, uint64_t nodes,
                      struct measure_tally *tally) {
    enum { POSITIONS = 4, STEP = 3, LOW_LEVEL = 4 }; /* one position every STEP plies */
    if (options->game->wide != NULL)
        nodes = nodes / 50 + 1; /* which take about as long */
    struct nonet_options dealt = *options;
    nonet_options_deal(&dealt, 1, 2);
    struct nonet_session *session = nonet_session_new(&dealt);
    struct nonet_report *report = malloc(sizeof *report);
    bool done = session != NULL && report != NULL;
    uint64_t dice = 1;
    for (int ply = 0; done && ply < POSITIONS * STEP && nonet_session_turn(session) != 0; ply++) {
        if (ply % STEP == 0)
            done = search(session, NONET_SEARCH_LEVELS, nodes, report, tally) &&
                   search(session, LOW_LEVEL, nodes, report, tally);
        uint32_t count = (uint32_t)nonet_session_count(session);
        struct nonet_message why;
        done = done &&
               nonet_session_play(session, nonet_session_nth(session, pick(&dice, count)), &why);
    }
    free(report);
    nonet_session_free(session);
    return done;
}
