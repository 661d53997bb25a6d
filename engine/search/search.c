#include "search.h"

#include <stdlib.h>
#include <string.h>

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
