/* A computer player with threads and a clock: it runs the search that suits a position, for some
 * time or some nodes, until it is told to stop. It keeps the game's table and its book
 * of openings (search/book.h). If only time limits it, it also keeps what its searches remember
 * from one position of a game to the next. With a limit of nodes, which the lower levels always
 * have, every search starts with empty memory and can be repeated (search/player.h). */
#ifndef NONET_HOST_THINKER_H
#define NONET_HOST_THINKER_H

#include <stdatomic.h>

#include "search/search.h"

enum { THINKER_MAX_THREADS = 64 };

struct thinker_limits {
    int skill;      /* of a level below the highest; 0: what the game gives to it */
    uint64_t nodes; /* per move, on all threads together; 0: what the level says */
    double seconds; /* per move; 0: no limit but nodes. Without either, two seconds */
    int threads;    /* at least 1 */
    size_t memory;  /* in bytes, for all searches together; 0: the default */
    uint64_t seed;
    /* At the highest level, the game's book of openings may answer at once instead: for players
     * whom only time limits. */
    bool book;
    bool whole_line; /* by a table, the line is wanted to the end of the game: that takes longer */
    const struct nonet_searcher *searcher; /* null: the one that suits best */
    const int16_t *weights;                /* by which it judges; null: the game's own */
    const atomic_bool *stop;               /* checked about every millisecond; may be null */
    /* Called about ten times a second, from the caller's thread, with what its search thinks so
     * far. If it returns false, thinking stops. May be null. */
    bool (*progress)(void *context, const struct nonet_report *report, double seconds);
    void *context;
};

struct thinker;

/* A thinker for a game with these options. At the highest level it asks the game's table, if one is
 * found or can be built within seconds; otherwise it plays without a table. Null if memory runs
 * out. */
struct thinker *thinker_open(const struct nonet_options *options);
void thinker_close(struct thinker *thinker);

/* Another game with the same options begins: what searches remember about the last is forgotten. */
void thinker_new_game(struct thinker *thinker);

/* Who is told how far a table is that is built on first use, which takes seconds; as in struct
 * solve_limits. Nobody, unless this was called. */
void thinker_watch(struct thinker *thinker,
                   void (*progress)(void *context, const char *what, double share,
                                    double seconds_left),
                   void *context);

/* Looks for the table and the book now, which may take seconds, so that later thinking at this
 * level is not delayed. Returns what the user should know about them, for example that a damaged
 * one was passed over: a line, once, or null. */
const char *thinker_prepare(struct thinker *thinker, int level);

/* Thinks about the session's position for the seat whose turn it is. The report belongs to the
 * thinker and is valid until it thinks again. Null if memory runs out. */
const struct nonet_report *thinker_think(struct thinker *thinker,
                                         const struct nonet_session *session, int level,
                                         const struct thinker_limits *limits);

/* How long it thought last, in seconds of real time. */
double thinker_seconds(const struct thinker *thinker);

#endif
