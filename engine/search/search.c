#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"

static void *copy_block(const void *block, size_t size) {
    void *copy = aligned_alloc(NONET_SEARCH_ALIGN, (size + NONET_SEARCH_ALIGN - 1) /
                                                       NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN);
    if (copy != NULL)
        memcpy(copy, block, size);
    return copy;
}

static bool copy_history(struct nonet_search_task *task, const struct nonet_session *session) {
    const struct nonet_game *game = task->options.game;
    task->ply = nonet_session_ply(session);
    task->stride =
        (game->state_size + (size_t)NONET_STATE_ALIGN - 1) / NONET_STATE_ALIGN * NONET_STATE_ALIGN;
    /* One more than needed, so that a game's first move asks for no empty blocks. */
    size_t room = (size_t)task->ply + 1;
    task->moves = malloc(room * sizeof *task->moves);
    task->history = aligned_alloc(NONET_STATE_ALIGN, room * task->stride);
    if (task->moves == NULL || task->history == NULL)
        return false;
    for (int i = 0; i < task->ply; i++) {
        task->moves[i] = nonet_session_move(session, i);
        nonet_observe(nonet_session_options(session), nonet_session_state_before(session, i),
                      task->seat, task->history + (size_t)i * task->stride);
    }
    return true;
}

bool nonet_search_task_open(struct nonet_search_task *task, const struct nonet_session *session,
                            int seat) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    memset(task, 0, sizeof *task);
    task->options = *options;
    for (int i = 0; game->options[i].key != NULL; i++)
        if (game->options[i].secret)
            task->options.value[i] = (struct nonet_option_value){0};
    task->seat = seat;
    task->level = NONET_SEARCH_LEVELS;
    task->memory = NONET_SEARCH_MEMORY;
    nonet_observe(options, nonet_session_state(session), seat, &task->state);
    bool done = copy_history(task, session);
    if (done && game->wide != NULL) {
        task->workspace = copy_block(nonet_session_workspace(session), game->wide->workspace_size);
        done = task->workspace != NULL;
    }
    if (!done)
        nonet_search_task_close(task);
    return done;
}

void nonet_search_task_close(struct nonet_search_task *task) {
    free(task->workspace);
    free(task->moves);
    free(task->history);
    task->workspace = NULL;
    task->moves = NULL;
    task->history = NULL;
}

const void *nonet_search_history(const struct nonet_search_task *task, int index) {
    return task->history + (size_t)index * task->stride;
}

const struct nonet_searcher *nonet_searcher_for(const struct nonet_search_task *task) {
    const struct nonet_game *game = task->options.game;
    if (game->wide != NULL && game->wide->parts != NULL)
        return &nonet_search_wide;
    if (game->facts & NONET_HIDDEN_INFORMATION || game->wide != NULL || task->options.players > 2 ||
        game->next == NULL)
        return &nonet_search_random;
    return &nonet_search_alphabeta;
}

/* ---- Reports ---- */

/* The more the better, and any proof of a win before any guess, any guess before a proven loss. */
static int proof_rank(const struct nonet_opinion *opinion) {
    if (opinion->known != NONET_PROVEN)
        return 0;
    return opinion->value.outcome == NONET_WIN ? 1 : opinion->value.outcome == NONET_LOSS ? -1 : 0;
}

static bool better(const struct nonet_opinion *a, const struct nonet_opinion *b) {
    if (proof_rank(a) != proof_rank(b))
        return proof_rank(a) > proof_rank(b);
    return a->visits > b->visits;
}

static void add_opinion(struct nonet_report *into, const struct nonet_opinion *other) {
    for (int i = 0; i < into->count; i++) {
        struct nonet_opinion *own = &into->moves[i];
        if (own->move != other->move)
            continue;
        uint64_t visits = own->visits + other->visits;
        if (own->known == NONET_PROVEN || other->known == NONET_PROVEN) {
            if (own->known != NONET_PROVEN)
                *own = *other;
        } else if (visits > 0) {
            own->score = (int16_t)((own->score * (int64_t)own->visits +
                                    other->score * (int64_t)other->visits) /
                                   (int64_t)visits);
        }
        own->visits = visits;
        return;
    }
    if (into->count < NONET_MAX_MOVES)
        into->moves[into->count++] = *other;
}

void nonet_report_merge(struct nonet_report *into, const struct nonet_report *other) {
    uint64_t nodes = into->nodes + other->nodes;
    if (into->moves[0].visits == 0 && other->moves[0].visits == 0) {
        bool proven = into->moves[0].known == NONET_PROVEN;
        if (!proven && (other->moves[0].known == NONET_PROVEN || other->depth > into->depth))
            *into = *other;
    } else {
        for (int i = 0; i < other->count; i++)
            add_opinion(into, &other->moves[i]);
        nonet_move first = into->moves[0].move;
        /* Sorted by insertion: equals keep their order. */
        for (int i = 1; i < into->count; i++) {
            struct nonet_opinion opinion = into->moves[i];
            int at = i;
            for (; at > 0 && better(&opinion, &into->moves[at - 1]); at--)
                into->moves[at] = into->moves[at - 1];
            into->moves[at] = opinion;
        }
        if (into->moves[0].move == other->moves[0].move && into->moves[0].move != first) {
            into->line_length = other->line_length;
            memcpy(into->line, other->line, sizeof into->line);
        } else if (into->moves[0].move != first) {
            into->line_length = 1;
            into->line[0] = into->moves[0].move;
        }
    }
    into->nodes = nodes;
}

/* ---- Levels ---- */

static const struct nonet_level levels[NONET_SEARCH_LEVELS] = {
    {16, 550},   {40, 450},   {100, 360},  {250, 280},  {600, 210},
    {1500, 150}, {4000, 100}, {10000, 60}, {25000, 30}, {0, 0},
};

struct nonet_level nonet_level(const struct nonet_options *options, int level) {
    (void)options;
    return levels[level - 1];
}

bool nonet_overlooked(const struct nonet_search_task *task, uint64_t position, nonet_move move,
                      int depth) {
    int chance = nonet_level(&task->options, task->level).overlooks;
    /* What lies on the board is seen better than what might come. */
    if (depth == 0)
        chance /= 2;
    const uint64_t key[] = {task->seed, (uint64_t)task->seat, position, move};
    return chance > 0 && nonet_hash(key, sizeof key) % 1000 < (uint64_t)chance;
}
