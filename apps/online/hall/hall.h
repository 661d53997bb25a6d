/* All tables of a server, and what is still to be written down.
 *
 * The hall stands between rooms, which know one table each, and the disk and the sockets, which
 * know nothing of games. It has no clock, no socket and no thread: the caller says what time it is,
 * has batches of lines written, and says when that is done. It reads the log only to find tables
 * that are not in memory.
 *
 * Nobody is told what is not on disk. A table with something that is not is `unsettled`: whoever
 * wants to know how it stands waits for the next hall_written. */
#ifndef NONET_ONLINE_HALL_H
#define NONET_ONLINE_HALL_H

#include "online/api/plan.h"
#include "online/store/store.h"
#include "visitors.h"

enum {
    HALL_MOST_TABLES = 20000,
    HALL_CROWD = 5000,       /* more than so many are kept in memory only while somebody comes */
    HALL_MOST_OF_ONE = 100,  /* tables that one visitor has opened and that are not over */
    HALL_KEPT = 32,          /* events of a table that listeners can still be told one by one */
    HALL_CLOCK_PARTS = 1000, /* a clock with much time is written down after such a part of it */
};
#define HALL_WAIT INT64_C(86400000)    /* so long a table waits for people who are not there */
#define HALL_IDLE INT64_C(2592000000)  /* and a game without a clock, thirty days */
#define HALL_KEEP INT64_C(3600000)     /* so long a table that nobody looks at stays in memory */
#define HALL_KEEP_CROWD INT64_C(10000) /* and if there is a crowd */
#define HALL_CLOCK INT64_C(5000)       /* so often a running clock is written down */

struct hall;
struct hall_table;

/* Somebody who listens to a table. */
struct hall_listener {
    struct hall_table *table;
    struct hall_listener *next, *before;
    room_who who; /* 0: a spectator */
    int64_t told; /* the last event; 0: nothing yet, so the whole table comes first */
    unsigned told_present;
    unsigned told_promised;
    void *owner;
};

/* Reads everything that is not over. `wake` is called for each listener that can be told something
 * new. Null, with the reason, if the log cannot be read, or is damaged. */
struct hall *hall_open(struct store *store, int64_t now, void (*wake)(void *owner),
                       struct nonet_text *why);
void hall_close(struct hall *hall);

struct visitors *hall_visitors(struct hall *hall);
/* A new visitor, and their token; 0 if there is no memory. */
room_who hall_add_visitor(struct hall *hall, char token[VISITORS_TOKEN]);
/* The batch that everything is in that happens now. */
uint64_t hall_gathered(const struct hall *hall);

/* ---- Tables ---- */

/* The table with this number, from memory or from the log; null if there is none, or if the hall is
 * too full to look. */
struct hall_table *hall_find(struct hall *hall, uint64_t table, int64_t now);
bool hall_is_full(const struct hall *hall);

/* Opens a table, and the visitor sits down at the seat of the plan. The same id from the same
 * visitor is the same table. A pair is two tables: whoever sits at one sits at the other too, with
 * the other seat. */
enum room_refusal hall_open_table(struct hall *hall, const struct plan *plan, room_who who,
                                  int64_t now, struct hall_table **table, struct nonet_text *why);

/* Somebody asks something of a table; request->who is filled in, the rest as room_decide wants. A
 * computer needs no id. */
enum room_refusal hall_ask(struct hall *hall, struct hall_table *table,
                           struct room_request *request, int64_t now, struct nonet_text *why);

/* What time brings: flags, clocks for the log, tables that nobody comes to. To be called several
 * times a second. */
void hall_tick(struct hall *hall, int64_t now);

uint64_t hall_table_id(const struct hall_table *table);
/* Null if its log cannot be read now; or never again, since it is damaged. */
const struct room *hall_room(const struct hall_table *table);
bool hall_damaged(const struct hall_table *table);
/* If the table, as this visitor may know it, is not on disk so: the number of the batch that it
 * waits for; else 0. What is said changes no table, so only the player who says it waits. */
uint64_t hall_unsettled(const struct hall_table *table, room_who who);
/* The number of the last event on disk that everybody is told. They are counted at each table, so
 * that nothing can be learnt from a number about what is not told. */
int64_t hall_number(const struct hall_table *table);
/* The next table at which a computer must move and has not been asked to, or null; and that it has
 * been asked. */
struct hall_table *hall_next_computer(struct hall *hall);
/* Another number whenever the position is another one: a computer's answer is for one position, and
 * its ply may be that of a later one if moves were taken back. */
unsigned hall_position(const struct hall_table *table);

/* ---- What is told ---- */

/* The table for one visitor, as members of the open object. It must be settled for them. */
void hall_tell(const struct hall_table *table, room_who who, int64_t now, struct nonet_json *json);

/* A list of tables: in the lobby, or those of one visitor. */
void hall_tell_lobby(const struct hall *hall, room_who who, int64_t now, struct nonet_json *json);
void hall_tell_own(const struct hall *hall, room_who who, int64_t now, struct nonet_json *json);

/* Somebody begins or stops to listen. */
void hall_listen(struct hall *hall, struct hall_listener *listener, struct hall_table *table,
                 int64_t now);
void hall_leave(struct hall *hall, struct hall_listener *listener, int64_t now);

/* The next thing that a listener must be told, as a server-sent event; null if there is nothing
 * now. The bytes are valid until the next call. */
const char *hall_next(struct hall *hall, struct hall_listener *listener, int64_t now,
                      size_t *length);
/* Whether a clock runs at the listener's table: then silence is told more often. */
bool hall_clock_runs(const struct hall_listener *listener);

/* ---- The disk ---- */

/* What is to be written next: a batch, which stays as it is until one of the two calls below; null
 * if there is nothing. Batches are numbered from 1 on. */
const struct store_line *hall_batch(struct hall *hall, int *count, uint64_t *number);
/* The batch is on disk; its first line has this number. */
void hall_written(struct hall *hall, int64_t first, int64_t now);
/* It is not, and never will be: its tables, and those of later batches, are read again. */
void hall_failed(struct hall *hall, int64_t now);

/* How many tables are in memory, by phase; how many listen. */
struct hall_counts {
    int waiting, playing, over, listeners, visitors;
};
struct hall_counts hall_count(const struct hall *hall);

#endif
