/* Players that choose moves: what to search, how a search is driven, and what it says.
 *
 * A task is all that a seat may know when it has to choose. It is copied from the session, so that
 * a search cannot see more, and the session may change meanwhile. A searcher is a way to choose
 * that knows games only through the contract. It has no clock and no threads: the caller advances
 * it by a number of nodes at a time, as often as it likes, and asks for a report whenever it wants
 * one.
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
    NONET_SEARCH_LEVELS = NONET_LOWER_LEVELS + 1,
    NONET_SEARCH_MEMORY = 64 << 20, /* default bytes of a search, and of what searches share */
    /* The longest line. No table knows of a win that takes longer: Kolem with four steps, 84. */
    NONET_SEARCH_LINE = 128,
    NONET_SCORE_WON = 1000,
};

struct nonet_search_task {
    struct nonet_options options; /* without its seed, and without what chance dealt in secret */
    int seat;                     /* the seat that chooses; it is its turn */
    int level;                    /* 1 to NONET_SEARCH_LEVELS, the highest unless set */
    int skill;                    /* instead of what the game gives to the level; 0 unless set */
    uint64_t seed;                /* for all random choices; 0 unless set */
    /* By which it judges (weights.h) instead of the game's own; null unless set. */
    const int16_t *weights;
    bool every_move;          /* opinions on all moves are wanted, also once one is sure to win */
    bool whole_line;          /* the line is wanted to the end of the game, where a table has it */
    struct nonet_state state; /* as the seat may know it */
    void *workspace;          /* of a wide game, in step with the state; else null */
    int ply;                  /* moves played before, all of them public */
    nonet_move *moves;
    unsigned char *history; /* the states before them, as the seat may know them */
    size_t stride;          /* in bytes, from one to the next */

    size_t memory; /* the most bytes a search may ask for, unless it needs more to work at all */
    /* A table of exact values, for the highest level; null if there is none. */
    struct nonet_table *table;
    /* Several searches of one task, each in a thread of its own, may share what they learn: bytes
     * aligned to NONET_SEARCH_ALIGN, all zero when the first begins. Null: nothing is shared.
     * Earlier tasks of the same game at the highest level may have left what they learnt there:
     * `round` is how many. */
    void *shared;
    size_t shared_size;
    int round;
    int thread; /* which of the searches this is, from 0 */
};

/* Fills in the task for a seat whose turn it is. False if memory runs out. */
bool nonet_search_task_open(struct nonet_search_task *task, const struct nonet_session *session,
                            int seat);
void nonet_search_task_close(struct nonet_search_task *task);

/* The state before the index-th move, index < ply. */
const void *nonet_search_history(const struct nonet_search_task *task, int index);

/* ---- What a search says, always for the task's seat ---- */

enum nonet_knowledge {
    NONET_ESTIMATED, /* from playouts, or an evaluation of the position */
    NONET_SEARCHED,  /* every line was followed to some search depth, and evaluated there */
    NONET_PROVEN,    /* by a table, or by lines that all end */
};

struct nonet_opinion {
    nonet_move move;
    uint8_t known;            /* enum nonet_knowledge */
    int16_t score;            /* the result to expect, from -1000 (lost) to 1000 (won) */
    struct nonet_value value; /* if proven; the distance may be NONET_UNKNOWN_DISTANCE */
    uint64_t visits;          /* for a search that looks at better moves more often; else 0 */
    /* With more than two players, where the search can tell: the share of the win that each may
     * expect, in thousandths. Players of a team have the same. Else all are 0. */
    int16_t chances[NONET_MAX_PLAYERS];
};

struct nonet_report {
    uint64_t nodes;  /* positions looked at */
    int depth;       /* search depth in plies, if that means something; else 0 */
    const char *by;  /* names the proof: "table", "search", "mirror"; or the search */
    int line_length; /* what the search expects to happen, from its best move on */
    nonet_move line[NONET_SEARCH_LINE];
    int count; /* at least 1; in a wide game, only the moves that were looked at */
    struct nonet_opinion moves[NONET_MAX_MOVES]; /* best first: the first is the choice */
};

/* A share of the win (NONET_WHOLE_WIN is all of it) as a score. */
static inline int nonet_score_of_share(int share) {
    return 2 * NONET_SCORE_WON * share / NONET_WHOLE_WIN - NONET_SCORE_WON;
}

/* The score of a proven value. */
static inline int16_t nonet_score_of_value(const struct nonet_value *value) {
    return (int16_t)((value->outcome - NONET_DRAW) * NONET_SCORE_WON);
}

/* Adds an opinion to the report of a search that looks at better moves more often. Proven wins come
 * first, proven losses last; the others are ordered by visits, and equals stay in order. */
void nonet_report_add(struct nonet_report *report, struct nonet_opinion opinion);

/* Merges the reports of several threads about the same task. If moves have visits, these are added
 * up, and scores are weighted by them; else the deepest report stays. A proof counts more than any
 * number of visits. */
void nonet_report_merge(struct nonet_report *into, const struct nonet_report *other);

/* ---- Searchers ---- */

struct nonet_searcher {
    const char *name; /* what people call such a player */
    /* Whether it can play the game with these options at all. */
    bool (*plays)(const struct nonet_options *options);
    bool shares; /* it uses what a task shares */
    /* The bytes that a search of this task works in. This is a multiple of NONET_SEARCH_ALIGN, to
     * which they must be aligned. */
    size_t (*size)(const struct nonet_search_task *task);
    /* The task must not change while the search is used. */
    void (*begin)(void *search, const struct nonet_search_task *task);
    /* Looks at up to this many more positions; UINT64_MAX: no limit. True once it has nothing more
     * to find out. */
    bool (*advance)(void *search, uint64_t nodes);
    /* What it thinks so far. There is always a legal move in it, even before the first advance. If
     * nothing is shared, the report depends only on the task and the total number of nodes, not on
     * their portions. */
    void (*report)(const void *search, struct nonet_report *report);
};

/* Every legal move with the same probability. One seed is enough for a whole game: the choice
 * differs at every ply. */
extern const struct nonet_searcher nonet_search_random;

/* Two players who move in turn and both see everything: alpha-beta. */
extern const struct nonet_searcher nonet_search_alphabeta;

/* The same, for games with points, bounds and a reliable evaluation: searches only the most
 * promising moves, with an exact search beside it. */
extern const struct nonet_searcher nonet_search_selective;

/* Plain UCT with random playouts, for every game: the standard of comparison, which stays
 * unchanged. */
extern const struct nonet_searcher nonet_search_uct;

/* UCT that proves what it can, for any number of players, if moves are listed and nothing is
 * hidden. */
extern const struct nonet_searcher nonet_search_tree;

/* For games with hidden information: judges what others may hold by how they play, and considers
 * what they know about the seat. */
extern const struct nonet_searcher nonet_search_hidden;

/* For wide games that fall into independent parts (struct nonet_parts): plays by the parity of what
 * is left. */
extern const struct nonet_searcher nonet_search_wide;

/* Makes a move that wins at once, in a position in which the task's player sees one. */
extern const struct nonet_searcher nonet_search_at_once;

/* All others, the best first: of those that can play a game, the first suits it best. */
enum { NONET_SEARCHERS = 7 };
extern const struct nonet_searcher *const nonet_searchers[NONET_SEARCHERS];
const struct nonet_searcher *nonet_searcher_for(const struct nonet_search_task *task);
/* Of those that can play the game, the one with this name; null if there is none. */
const struct nonet_searcher *nonet_searcher_named(const char *name,
                                                  const struct nonet_options *options);

/* Whether all players see everything and moves are listed; and whether, in addition, there are two
 * players who move in turn. */
static inline bool nonet_is_open(const struct nonet_options *options) {
    return options->game->hidden == NULL && options->game->wide == NULL;
}
static inline bool nonet_is_open_duel(const struct nonet_options *options) {
    return nonet_is_open(options) && options->players == 2 && options->game->next != NULL;
}

/* ---- Levels ---- */

/* A level is how much a player looks at, and how much of it is overlooked. The highest overlooks
 * nothing, asks tables, and is limited only by the time it is given.
 *
 * Both follow from one number, the skill: with eight more, a player looks at twice as much. How
 * much that is worth differs from game to game, so a game tells which skills its levels have. */
struct nonet_level {
    uint64_t nodes; /* per move; 0: no limit but time */
    int sees;   /* with a handful of moves and this many sixteenths of one, half are seen; 0: all */
    int misses; /* of a thousand moves that win at once, this many are not seen */
};
/* `skill` is 0, or used instead of the level's own. */
struct nonet_level nonet_level(const struct nonet_options *options, int level, int skill);

/* Whether the task's player does not see this move in a position with so many moves; a hash
 * decides. Within a task the answer is always the same. */
bool nonet_overlooked_of(const struct nonet_search_task *task, int count, uint64_t position,
                         nonet_move move);
/* The same where moves are too many to count, and only some of them are looked at anyway. */
bool nonet_overlooked(const struct nonet_search_task *task, uint64_t position, nonet_move move);
/* Removes the overlooked moves from the list of all, but never all moves; returns how many are
 * left. */
int nonet_leave_out_overlooked(const struct nonet_search_task *task, uint64_t position,
                               nonet_move *moves, int count);

/* Whether the player does not even see that this move wins at once. */
bool nonet_overlooks_win(const struct nonet_search_task *task, uint64_t position, nonet_move move);
/* Where moves are listed: those that the player sees in a position, wins among them; at least one
 * unless the game is over. Returns how many there are. */
int nonet_seen_moves(const struct nonet_search_task *task, const void *state, uint64_t position,
                     nonet_move *moves);

/* Where moves are listed: whether a move wins at once; and whether any may. */
bool nonet_wins_at_once(const struct nonet_options *options, const void *state, nonet_move move);
bool nonet_win_is_near(const struct nonet_options *options, const void *state);
/* Whether the task's player, below the highest level, sees a move that wins at once for sure. */
bool nonet_sees_win(const struct nonet_search_task *task, nonet_move *winning);

#endif
