/* A win in one move, for the levels that overlook moves. People miss many things, but hardly ever
 * a move that ends the game in their favour. So a player who sees one makes it, and looks at
 * nothing else.
 *
 * Where moves are listed, every move is tried; where something is hidden, in every world that the
 * seat considers possible. In a game of parts (parts.h) such a move forbids all others. To try all
 * would take too long, so moves are ruled out by witnesses: a move that is still possible after
 * one of them, and forbids few, rules out all that do not forbid it. */
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../rules/hidden.h"
#include "../rules/parts.h"
#include "../rules/wide.h"
#include "search.h"

bool nonet_wins_at_once(const struct nonet_options *options, const void *state, nonet_move move) {
    const struct nonet_game *game = options->game;
    struct nonet_state after;
    memcpy(&after, state, game->state_size);
    game->play(options, &after, NULL, move);
    if (game->turn(options, &after) != 0)
        return false;
    struct nonet_result result = {0};
    game->result(options, &after, &result);
    return nonet_result_share(options, &result, game->turn(options, state)) == NONET_WHOLE_WIN;
}

bool nonet_win_is_near(const struct nonet_options *options, const void *state) {
    const struct nonet_game *game = options->game;
    return game->soonest == NULL || game->soonest(options, state, game->turn(options, state)) <= 1;
}

static bool wins_for_sure(const struct nonet_search_task *task, nonet_move move) {
    const struct nonet_options *options = &task->options;
    const struct nonet_hidden *hidden = options->game->hidden;
    if (hidden == NULL)
        return nonet_wins_at_once(options, &task->state, move);
    int worlds = hidden->worlds(options, &task->state, task->seat);
    struct nonet_state world;
    for (int i = 0; i < worlds; i++) {
        hidden->world(options, &task->state, task->seat, i, &world);
        if (!nonet_wins_at_once(options, &world, move))
            return false;
    }
    return true;
}

static bool sees_listed(const struct nonet_search_task *task, uint64_t position,
                        nonet_move *winning) {
    const struct nonet_options *options = &task->options;
    nonet_move moves[NONET_MAX_MOVES];
    if (!nonet_win_is_near(options, &task->state))
        return false;
    int count = options->game->moves(options, &task->state, moves);
    for (int i = 0; i < count; i++)
        if (!nonet_overlooks_win(task, position, moves[i]) && wins_for_sure(task, moves[i])) {
            *winning = moves[i];
            return true;
        }
    return false;
}

/* One of a part's moves, a different one in every round. */
static nonet_move some_move(const struct nonet_parts *parts, const void *part, uint32_t round) {
    uint32_t golden = 0x9e3779b9u; /* multiples of it, as fractions of 2^32, lie far apart */
    uint64_t fraction = (uint32_t)(golden * (round + 1));
    return parts->nth(part, (uint32_t)(fraction * parts->count(part) >> 32));
}

/* A move that forbids all others, if there is one. `memory` is four times `room` bytes. */
static bool forbids_all(const struct nonet_search_task *task, unsigned char *memory, size_t room,
                        nonet_move *winning) {
    const struct nonet_parts *parts = task->options.game->wide->parts;
    unsigned char *all = memory, *left = memory + room;
    const unsigned char *possible = all; /* these may forbid all others */
    if (!parts->gather(&task->options, task->workspace, all, room))
        return false;
    for (uint32_t round = 0; parts->count(possible) > 0; round++) {
        *winning = some_move(parts, possible, round);
        if (!parts->play(all, *winning, left, room))
            return false;
        if (parts->count(left) == 0)
            return true;
        unsigned char *fewer = memory + (2 + round % 2) * room;
        if (!parts->forbidden(possible, some_move(parts, left, round), fewer, room))
            return false;
        possible = fewer;
    }
    return false;
}

/* With the last piece every move wins, so there is nothing to see. */
static bool sees_among_parts(const struct nonet_search_task *task, uint64_t position,
                             nonet_move *winning) {
    enum { ROOM = 4 << 20 }; /* twice what the empty floor of Fullend takes */
    const struct nonet_parts *parts = task->options.game->wide->parts;
    if (parts == NULL || parts->limit(&task->options, &task->state) <= 1)
        return false;
    unsigned char *memory = malloc(4 * (size_t)ROOM);
    bool won = memory != NULL && forbids_all(task, memory, ROOM, winning);
    free(memory);
    return won && !nonet_overlooks_win(task, position, *winning);
}

bool nonet_sees_win(const struct nonet_search_task *task, nonet_move *winning) {
    const struct nonet_game *game = task->options.game;
    if (task->level == NONET_SEARCH_LEVELS)
        return false;
    uint64_t position = nonet_hash(&task->state, game->state_size);
    return game->wide != NULL ? sees_among_parts(task, position, winning)
                              : sees_listed(task, position, winning);
}

/* ---- The searcher ---- */

struct search {
    const struct nonet_search_task *task;
    nonet_move winning;
};

static size_t size(const struct nonet_search_task *task) {
    (void)task;
    return NONET_SEARCH_ALIGN;
}

static void begin(void *search, const struct nonet_search_task *task) {
    struct search *s = search;
    s->task = task;
    nonet_sees_win(task, &s->winning);
}

static bool advance(void *search, uint64_t nodes) {
    (void)search, (void)nodes;
    return true;
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    const struct nonet_options *options = &s->task->options;
    report->nodes = 1;
    report->depth = 1;
    report->by = "search";
    report->line[0] = s->winning;
    report->line_length = report->count = 1;
    report->moves[0] = (struct nonet_opinion){
        .move = s->winning, .known = NONET_SEARCHED, .score = NONET_SCORE_WON};
    if (options->game->wide != NULL)
        return;
    /* Then the moves that it does not care about. */
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, &s->task->state, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] != s->winning)
            report->moves[report->count++] = (struct nonet_opinion){.move = moves[i]};
}

/* Not for a game, but for a position: nonet_searcher_for. */
static bool plays(const struct nonet_options *options) {
    (void)options;
    return false;
}

const struct nonet_searcher nonet_search_at_once = {
    .name = "at once",
    .plays = plays,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
