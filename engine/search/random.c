/* The uniformly random player: an opponent for a first game, and the lowest standard to compare
 * with. */
#include "../base/random.h"
#include "../rules/wide.h"
#include "search.h"

struct search {
    nonet_move move;
};

static size_t size(const struct nonet_search_task *task) {
    (void)task;
    return NONET_SEARCH_ALIGN;
}

static void begin(void *search, const struct nonet_search_task *task) {
    const struct nonet_options *options = &task->options;
    const struct nonet_game *game = options->game;
    struct nonet_random random = {task->seed};
    for (int i = 0; i < task->ply; i++)
        nonet_random_next(&random);
    nonet_move *move = &((struct search *)search)->move;
    if (game->wide != NULL) {
        uint64_t count = game->wide->count(options, &task->state, task->workspace);
        *move = game->wide->nth(options, &task->state, task->workspace,
                                nonet_random_below(&random, (uint32_t)count));
    } else {
        nonet_move moves[NONET_MAX_MOVES];
        int count = game->moves(options, &task->state, moves);
        *move = moves[nonet_random_below(&random, (uint32_t)count)];
    }
}

static bool advance(void *search, uint64_t nodes) {
    (void)search, (void)nodes;
    return true;
}

static void report(const void *search, struct nonet_report *report) {
    nonet_move move = ((const struct search *)search)->move;
    report->nodes = 0;
    report->depth = 0;
    report->by = "chance";
    report->line[0] = move;
    report->line_length = report->count = 1;
    report->moves[0] = (struct nonet_opinion){.move = move, .known = NONET_ESTIMATED};
}

static bool plays(const struct nonet_options *options) {
    (void)options;
    return true;
}

const struct nonet_searcher nonet_search_random = {
    .name = "random",
    .plays = plays,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
