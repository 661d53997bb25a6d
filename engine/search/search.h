/* Players that choose moves: what to search, how a search is driven, and what it says.
 *
 * A task is all that a seat may know when it has to choose, copied out of the session, so that a
 * search cannot see more and does not mind what becomes of the session. A searcher is a way to
 * choose that knows games only through the contract. It has no clock and no threads: the caller
 * advances it by a number of nodes at a time, as often as it likes, and asks for a report whenever
 * it wants one.
 *
 *     struct nonet_search_task task;
 *     if (nonet_search_task_open(&task, session, seat)) {
 *         task.level = 5, task.seed = 1;
 *         const struct nonet_searcher *searcher = nonet_searcher_for(&task);
 *         void *search = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(&task));
 *         searcher->begin(search, &task);
 *         while (!searcher->advance(search, 1000) && time_is_left())
 *             ;
 *         searcher->report(search, report);
 *         nonet_move move = report->moves[0].move;
 *         …
 */
#ifndef NONET_SEARCH_SEARCH_H
#define NONET_SEARCH_SEARCH_H

#include "../rules/session.h"
#include "../table/table.h"
#include "nodes.h"

enum {
    NONET_SEARCH_ALIGN = 64,
    NONET_SEARCH_LEVELS = 10,
    NONET_SEARCH_MEMORY = 64 << 20, /* bytes of a search, and of what searches share, unless set */
    NONET_SEARCH_LINE = 32,         /* no line is longer */
    NONET_SCORE_WON = 1000,
};

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

    size_t memory; /* what a search may ask for at most, in bytes, if it can do with that */
    /* A table of exact values, for the highest level; null without one. */
    struct nonet_table *table;
    /* Several searches of one task, each in a thread of its own, may share what they learn: bytes
     * aligned to NONET_SEARCH_ALIGN, all zero when the first begins. Null: nothing is shared.
     * Earlier tasks of the same game and the highest level may have left theirs there: `round` is
     * how many. */
    void *shared;
    size_t shared_size;
    int round;
    int thread; /* which of them this is, from 0 */
};

/* Fills in the task for a seat whose turn it is. False without memory. */
bool nonet_search_task_open(struct nonet_search_task *task, const struct nonet_session *session,
                            int seat);
void nonet_search_task_close(struct nonet_search_task *task);

/* The state before the index-th move, index < ply. */
const void *nonet_search_history(const struct nonet_search_task *task, int index);

/* ---- What a search says, always from the side of the task's seat ---- */

enum nonet_knowledge {
    NONET_ESTIMATED, /* from chance games, or a glance at the position */
    NONET_SEARCHED,  /* every line was followed to some depth, and judged there */
    NONET_PROVEN,    /* by a table, or by lines that all end */
};

struct nonet_opinion {
    nonet_move move;
    uint8_t known;            /* enum nonet_knowledge */
    int16_t score;            /* the result to expect, from -1000 (lost) to 1000 (won) */
    struct nonet_value value; /* where proven; the distance may be NONET_UNKNOWN_DISTANCE */
    uint64_t visits;          /* of a search that looks at better moves more often; else 0 */
};

struct nonet_report {
    uint64_t nodes; /* positions looked at */
    int depth;      /* plies that every line was followed for, where that means something; else 0 */
    const char *by; /* a word for the proof: "table", "search", "mirror"; or for the search */
    int line_length; /* what the search expects to happen, from its best move on */
    nonet_move line[NONET_SEARCH_LINE];
    int count; /* at least 1. In a wide game only the moves that were looked at */
    struct nonet_opinion moves[NONET_MAX_MOVES]; /* best first: the first is the choice */
};

/* The opinion for a share of the win (NONET_WHOLE_WIN is all of it), as a score. */
static inline int nonet_score_of_share(int share) {
    return 2 * NONET_SCORE_WON * share / NONET_WHOLE_WIN - NONET_SCORE_WON;
}

/* The score of a proven value. */
static inline int16_t nonet_score_of_value(const struct nonet_value *value) {
    return (int16_t)((value->outcome - NONET_DRAW) * NONET_SCORE_WON);
}

/* Puts an opinion into a report of a search that looks at better moves more often: proven wins
 * first, proven losses last, between them by visits; equals in the order they come in. */
void nonet_report_add(struct nonet_report *report, struct nonet_opinion opinion);

/* Makes one report of those that several threads brought of the same task. Where moves have
 * visits, these are added up, and scores weighed by them; else the deepest report stays. A proof
 * counts more than any number of visits. */
void nonet_report_merge(struct nonet_report *into, const struct nonet_report *other);

/* ---- Searchers ---- */

struct nonet_searcher {
    const char *name; /* what people call such a player */
    /* Whether it can play the game with these options at all. */
    bool (*plays)(const struct nonet_options *options);
    bool shares; /* makes use of what a task shares */
    /* The bytes a search of this task works in, a multiple of NONET_SEARCH_ALIGN, to which they
     * must be aligned. */
    size_t (*size)(const struct nonet_search_task *task);
    /* The task must stay as it is for as long as the search is used. */
    void (*begin)(void *search, const struct nonet_search_task *task);
    /* Looks at up to so many more positions; UINT64_MAX: no limit. True once it knows all that it
     * will ever know. */
    bool (*advance)(void *search, uint64_t nodes);
    /* What it thinks so far; there is always a legal move in it, even before the first advance.
     * With nothing shared, the same for the same task and the same sum of nodes, in whatever
     * portions. */
    void (*report)(const void *search, struct nonet_report *report);
};

/* Every legal move with the same probability. One seed serves for a whole game: it is a different
 * choice at every ply. */
extern const struct nonet_searcher nonet_search_random;

/* Two players who move in turn and both see everything: alpha-beta. */
extern const struct nonet_searcher nonet_search_alphabeta;

/* Such games with points, bounds and an evaluation to trust: the most promising moves only, and an
 * exact search beside. */
extern const struct nonet_searcher nonet_search_selective;

/* Plain UCT with random playouts, for every game: the yardstick, which stays as it is. */
extern const struct nonet_searcher nonet_search_uct;

/* UCT that proves what it can, for any number of players, where moves are listed and nothing is
 * hidden. */
extern const struct nonet_searcher nonet_search_tree;

/* For games with hidden information: weighs what others may hold by how they play, and minds what
 * they know of the seat. */
extern const struct nonet_searcher nonet_search_hidden;

/* For wide games that fall apart (struct nonet_parts): by the parity of what is left. */
extern const struct nonet_searcher nonet_search_wide;

/* All of them, the best first: of those that can play a game, the first suits it best. */
enum { NONET_SEARCHERS = 7 };
extern const struct nonet_searcher *const nonet_searchers[NONET_SEARCHERS];
const struct nonet_searcher *nonet_searcher_for(const struct nonet_search_task *task);
/* Of those that can play the game, the one with this name; null without one. */
const struct nonet_searcher *nonet_searcher_named(const char *name,
                                                  const struct nonet_options *options);

/* Whether both sides see everything and moves are listed; and whether two players move in turn
 * besides. */
static inline bool nonet_is_open(const struct nonet_options *options) {
    return options->game->hidden == NULL && options->game->wide == NULL;
}
static inline bool nonet_is_open_duel(const struct nonet_options *options) {
    return nonet_is_open(options) && options->players == 2 && options->game->next != NULL;
}

/* ---- Levels ---- */

/* A level is how much a player looks at, and how much of it is overlooked. The highest overlooks
 * nothing, asks tables, and is limited only by the time it is given. */
struct nonet_level {
    uint64_t nodes; /* a move; 0: no limit but time */
    int overlooks;  /* of a thousand moves, so many are not seen */
};
struct nonet_level nonet_level(const struct nonet_options *options, int level);

/* Whether the task's player does not see this move in this position, told by a hash. The same
 * answer whenever asked within a task. */
bool nonet_overlooked(const struct nonet_search_task *task, uint64_t position, nonet_move move);
/* Leaves out of a list of moves what is overlooked, but never all; returns how many are left. */
int nonet_leave_out_overlooked(const struct nonet_search_task *task, uint64_t position,
                               nonet_move *moves, int count);

#endif
