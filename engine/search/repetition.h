/* Draws by repetition, for searches: whether a position on the path from the task's state occurs
 * for the third time, counting the positions of the game so far. Positions are told apart by a hash
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

/* The bytes that the hashes need, for paths of up to `deepest` plies. */
static inline size_t nonet_hashes_size(const struct nonet_search_task *task, int deepest) {
    return nonet_may_repeat(task)
               ? nonet_search_padded(sizeof(uint64_t) * (size_t)(task->ply + deepest + 1))
               : 0;
}

/* Fills in the hashes of the game so far, including the task's state. */
static inline void nonet_hashes_begin(uint64_t *hashes, const struct nonet_search_task *task) {
    for (int i = 0; nonet_may_repeat(task) && i <= task->ply; i++) {
        const void *state = i < task->ply ? nonet_search_history(task, i) : &task->state;
        hashes[i] = nonet_hash(state, task->options.game->state_size);
    }
}

/* Adds the state that is `depth` plies, at least one, after the task's state. Those between must
 * have been added before. */
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
