/* Players that choose moves: what to search, and how a search is driven.
 *
 * A task is all that a seat may know when it has to choose, copied out of the session, so that a
 * search cannot see more and does not mind what becomes of the session. A searcher is a way to
 * choose that knows games only through the contract. It has no clock and no threads: the caller
 * advances it by a number of nodes at a time, as often as it likes, and takes the best move so far
 * whenever it wants one.
 *
 *     struct nonet_search_task task;
 *     if (nonet_search_task_open(&task, session, seat)) {
 *         task.level = 5, task.seed = 1;
 *         void *search = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(&task));
 *         searcher->begin(search, &task);
 *         while (!searcher->advance(search, 10000) && time_is_left())
 *             ;
 *         nonet_move move = searcher->best(search);
 *         …
 */
#ifndef NONET_SEARCH_SEARCH_H
#define NONET_SEARCH_SEARCH_H

#include "../rules/session.h"

enum { NONET_SEARCH_ALIGN = 64, NONET_SEARCH_LEVELS = 10 };

struct nonet_search_task {
    struct nonet_options options; /* without what chance dealt in secret, its seed included */
    int seat;                     /* who chooses; it is this seat's turn */
    int level;                    /* 1 to NONET_SEARCH_LEVELS, the highest unless set */
    uint64_t seed;                /* for whatever is left to chance; 0 unless set */
    struct nonet_state state;     /* as the seat may know it */
    void *workspace;              /* of a wide game, in step with the state; else null */
    int ply;                      /* moves played before, all of them public */
    nonet_move *moves;
    unsigned char *history; /* the states before them, as the seat may know them */
    size_t stride;          /* from one to the next */
};

/* Fills in the task for a seat whose turn it is. False without memory. */
bool nonet_search_task_open(struct nonet_search_task *task, const struct nonet_session *session,
                            int seat);
void nonet_search_task_close(struct nonet_search_task *task);

/* The state before the index-th move, index < ply. */
const void *nonet_search_history(const struct nonet_search_task *task, int index);

struct nonet_searcher {
    const char *name; /* what people call such a player */
    /* The bytes a search of this task works in, a multiple of NONET_SEARCH_ALIGN, to which they
     * must be aligned. */
    size_t (*size)(const struct nonet_search_task *task);
    /* The task must stay as it is for as long as the search is used. */
    void (*begin)(void *search, const struct nonet_search_task *task);
    /* Looks at up to so many more positions. True once it knows all that it will ever know. */
    bool (*advance)(void *search, uint64_t nodes);
    /* The best move so far: always a legal one, even before the first advance. The same for the
     * same task and the same sum of nodes. */
    nonet_move (*best)(const void *search);
};

/* Every legal move with the same probability. One seed serves for a whole game: it is a different
 * choice at every ply. */
extern const struct nonet_searcher nonet_search_random;

#endif
