/* Draws by repetition, for searches: whether a position on the way down from the task's state
 * stands for the third time, counting those of the game so far. Positions are told apart by a hash
 * of 64 bits. */
#ifndef NONET_SEARCH_REPETITION_H
#define NONET_SEARCH_REPETITION_H

#include "../base/hash.h"
#include "search.h"

static inline size_t nonet_search_padded(size_t size) {
    return (size + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN;
}

static inline bool nonet_may_repeat(const struct nonet_search_task *task) {
    return task->options.game->facts & NONET_REPETITION_DRAWS;
}

/* The bytes that hashes need, for ways down of up to so many plies. */
static inline size_t nonet_hashes_size(const struct nonet_search_task *task, int deepest) {
    return nonet_may_repeat(task)
               ? nonet_search_padded(sizeof(uint64_t) * (size_t)(task->ply + deepest + 1))
               : 0;
}

/* Fills in those of the game so far, the task's state included. */
static inline void nonet_hashes_begin(uint64_t *hashes, const struct nonet_search_task *task) {
    for (int i = 0; nonet_may_repeat(task) && i <= task->ply; i++) {
        const void *state = i < task->ply ? nonet_search_history(task, i) : &task->state;
        hashes[i] = nonet_hash(state, task->options.game->state_size);
    }
}

/* Takes in the state so many plies, at least one, behind the task's; those between them came
 * before. */
static inline bool nonet_stands_third(uint64_t *hashes, const struct nonet_search_task *task,
                                      const void *state, int depth) {
    if (!nonet_may_repeat(task))
        return false;
    int last = task->ply + depth, before = 0;
    hashes[last] = nonet_hash(state, task->options.game->state_size);
    for (int i = 0; i < last; i++)
        before += hashes[i] == hashes[last];
    return before >= 2;
}

#endif
