#include "player.h"

#include <stdlib.h>
#include <string.h>

#include "../rules/hidden.h"
#include "transpositions.h"

/* Bytes that searches share, all zero at first. */
struct shared {
    void *block, *bytes; /* as allocated, and aligned within it */
    size_t size;
};

/* One of the searches of a position. */
struct working {
    struct nonet_search_task task;
    void *search;
    bool limited;
    uint64_t left; /* of its share of nodes, if that is limited */
};

struct nonet_player {
    /* For the current search. */
    const struct nonet_searcher *searcher;
    struct nonet_search_task task;
    uint64_t nodes;
    int count;
    struct working *working;
    struct shared fresh;        /* used if nothing is kept */
    struct nonet_report *other; /* room for the report of one search */

    /* Kept from one search to the next. */
    struct shared kept;
    const struct nonet_searcher *kept_by;
    int rounds; /* how many searches have used it */
};

/* From the heap: untouched blocks of this size cost nothing on most systems. */
static bool share(struct shared *shared, size_t size) {
    shared->block = calloc(1, size + NONET_SEARCH_ALIGN);
    if (shared->block == NULL)
        return false;
    uintptr_t address = (uintptr_t)shared->block;
    shared->bytes =
        (unsigned char *)shared->block + (NONET_SEARCH_ALIGN - address % NONET_SEARCH_ALIGN);
    shared->size = size;
    return true;
}

static void unshare(struct shared *shared) {
    free(shared->block);
    *shared = (struct shared){0};
}

/* For structs that hold a task: its state needs more alignment than calloc promises. */
static void *aligned_zeros(size_t size) {
    void *bytes = aligned_alloc(alignof(struct nonet_search_task), size);
    if (bytes != NULL)
        memset(bytes, 0, size);
    return bytes;
}

struct nonet_player *nonet_player_open(void) {
    struct nonet_player *player = aligned_zeros(sizeof *player);
    if (player == NULL)
        return NULL;
    player->other = malloc(sizeof *player->other);
    if (player->other == NULL) {
        free(player);
        return NULL;
    }
    return player;
}

void nonet_player_end(struct nonet_player *player) {
    for (int i = 0; i < player->count; i++) {
        free(player->working[i].search);
        if (i > 0)
            nonet_table_close(player->working[i].task.table);
    }
    free(player->working);
    unshare(&player->fresh);
    nonet_search_task_close(&player->task);
    player->working = NULL;
    player->count = 0;
}

void nonet_player_new_game(struct nonet_player *player) {
    nonet_player_end(player);
    unshare(&player->kept);
}

void nonet_player_close(struct nonet_player *player) {
    if (player == NULL)
        return;
    nonet_player_new_game(player);
    free(player->other);
    free(player);
}

/* ---- Memory ---- */

/* The bytes that the last search of the game left, if they fit; else empty bytes, to be kept. */
static bool share_kept(struct nonet_player *player) {
    struct nonet_search_task *task = &player->task;
    bool fits = player->kept.size == task->shared_size && player->kept_by == player->searcher &&
                player->rounds < NONET_TRANSPOSITION_ROUNDS;
    if (!fits) {
        unshare(&player->kept);
        player->rounds = 0;
        player->kept_by = player->searcher;
        if (!share(&player->kept, task->shared_size))
            return false;
    }
    task->shared = player->kept.bytes;
    task->round = player->rounds++;
    return true;
}

static bool find_shared(struct nonet_player *player) {
    struct nonet_search_task *task = &player->task;
    task->shared_size = task->memory;
    if (!player->searcher->shares)
        return true;
    if (player->nodes == 0 && task->options.game->hidden == NULL)
        return share_kept(player);
    /* No larger than a search of this many nodes can fill, because clearing it takes time. */
    while (player->nodes != 0 && task->shared_size > 4096 && task->shared_size / 64 > player->nodes)
        task->shared_size /= 2;
    if (!share(&player->fresh, task->shared_size))
        return false;
    task->shared = player->fresh.bytes;
    return true;
}

/* ---- Thinking ---- */

static bool begin_search(struct nonet_player *player, int index, int searches) {
    struct working *working = &player->working[index];
    working->task = player->task;
    working->task.thread = index;
    if (player->task.table != NULL && index > 0)
        working->task.table = nonet_table_open_again(player->task.table, &player->task.options);
    uint64_t count = (uint64_t)searches;
    working->limited = player->nodes != 0;
    working->left = player->nodes / count + ((uint64_t)index < player->nodes % count);
    player->count++;
    if (player->task.table != NULL && working->task.table == NULL)
        return false;
    working->search = aligned_alloc(NONET_SEARCH_ALIGN, player->searcher->size(&working->task));
    if (working->search == NULL)
        return false;
    player->searcher->begin(working->search, &working->task);
    return true;
}

bool nonet_player_begin(struct nonet_player *player, const struct nonet_session *session,
                        const struct nonet_player_limits *limits) {
    struct nonet_search_task *task = &player->task;
    nonet_player_end(player);
    if (!nonet_search_task_open(task, session, nonet_session_turn(session)))
        return false;
    task->level = limits->level;
    task->skill = limits->skill;
    task->seed = limits->seed;
    task->whole_line = limits->whole_line;
    task->weights = limits->weights;
    if (limits->level == NONET_SEARCH_LEVELS)
        task->table = limits->table;
    player->nodes = limits->nodes != 0
                        ? limits->nodes
                        : nonet_level(&task->options, limits->level, limits->skill).nodes;
    player->searcher = limits->searcher != NULL ? limits->searcher : nonet_searcher_for(task);
    /* No search has a share of zero nodes. */
    int searches = limits->searches;
    if (player->nodes != 0 && player->nodes < (uint64_t)searches)
        searches = (int)player->nodes;
    task->memory =
        (limits->memory != 0 ? limits->memory : NONET_SEARCH_MEMORY) / (size_t)(searches + 1);
    player->working = aligned_zeros((size_t)searches * sizeof *player->working);
    bool ready = player->working != NULL && find_shared(player);
    for (int i = 0; ready && i < searches; i++)
        ready = begin_search(player, i, searches);
    if (!ready)
        nonet_player_end(player);
    return ready;
}

int nonet_player_searches(const struct nonet_player *player) {
    return player->count;
}

uint64_t nonet_player_nodes(const struct nonet_player *player) {
    return player->nodes;
}

bool nonet_player_advance(struct nonet_player *player, int search, uint64_t nodes) {
    struct working *working = &player->working[search];
    if (working->limited) {
        nodes = nodes < working->left ? nodes : working->left;
        working->left -= nodes;
    }
    bool all = player->searcher->advance(working->search, nodes);
    return all || (working->limited && working->left == 0);
}

void nonet_player_report_of(const struct nonet_player *player, int search,
                            struct nonet_report *report) {
    player->searcher->report(player->working[search].search, report);
}

void nonet_player_report(const struct nonet_player *player, struct nonet_report *report) {
    nonet_player_report_of(player, 0, report);
    for (int i = 1; i < player->count; i++) {
        nonet_player_report_of(player, i, player->other);
        nonet_report_merge(report, player->other);
    }
}
