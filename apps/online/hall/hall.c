#include "hall.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "online/api/telling.h"
#include "online/journal.h"
#include "online/room/event.h"
#include "online/room/table_name.h"
#include "rules/hidden.h"
#include "scratches.h"

enum {
    MOST_LINE = 4096 + PROMISE_TEXT, /* bytes of a line of the log */
    MOST_LISTED = 100,               /* tables in one list, */
    MOST_LISTED_OF_ONE = 10,         /* and in the lobby, of those that one visitor has opened */
    VIEWERS = 1 + NONET_MAX_PLAYERS,
};

/* Something that listeners are told. */
struct told {
    int64_t number;
    bool whole;          /* the whole table is told instead, since other things are hidden now */
    char *text[VIEWERS]; /* for each viewer, or the first for all */
};

struct hall_table {
    uint64_t id;
    int place; /* in hall->tables */
    struct plan plan;
    struct room *room; /* null: its log could not be read, */
    bool damaged;      /* and never will be */
    int64_t number;    /* of the last event on disk that everybody is told, */
    int64_t counted;   /* and of the last such event at all */
    int64_t first;     /* line of the log, */
    int64_t last;      /* and the last one */
    int64_t forgotten; /* events up to this one are not in `told` any more */
    struct told *told;
    int told_count, told_room;
    int unsettled; /* lines that are not on disk */
    int untold;    /* those among them after which the table is another one for everybody, */
    uint64_t untold_batch;           /* the batch of the last of these; */
    uint64_t own[NONET_MAX_PLAYERS]; /* and the batch of one that only this player waits for */
    int64_t turned;                  /* the line that gave somebody the turn */
    bool asked;                      /* a computer is thinking */
    unsigned position;
    bool computers;  /* there are some at this table */
    bool reseated;   /* somebody sat down or stood up, and that is not on disk yet */
    uint8_t present; /* bit p-1 */
    unsigned presence;
    unsigned promised[NONET_MAX_PLAYERS]; /* another number when a player's promises are others */
    int64_t absent_since[NONET_MAX_PLAYERS];
    int64_t touched; /* somebody asked for it, or something happened */
    int64_t clocked; /* a running clock was written down */
    struct hall_listener *listeners;
};

/* Whom a line concerns. */
enum news {
    NEWS_FOR_NOBODY, /* or for one player alone */
    NEWS_SAID,       /* everybody is told, but the table stays as it is: nobody else waits for it */
    NEWS_HAPPENED,   /* everybody is told, and the table is another one then */
};

/* Lines on their way to the disk. */
struct batch {
    struct store_line *lines; /* their texts: offsets into `bytes`, until it is handed out */
    enum news *news;
    int count, room, news_room;
    char *bytes;
    size_t length, size;
    size_t visitors; /* how many there are after it */
};

struct hall {
    struct store *store;
    void (*wake)(void *owner);
    struct visitors visitors;
    struct map by_id;
    struct hall_table **tables;
    int count, room;
    struct scratches scratches;
    struct batch batches[2], *gathered, *written;
    bool turned;           /* a computer may be next at some table; */
    int computer_from;     /* they are looked for from here on, so that each has its turn */
    uint64_t batch_number; /* of the one that is being gathered */
    int64_t next, safe;    /* the number of the next line; of the next that is not on disk */
    size_t safe_visitors;
    bool begun; /* the secret is on disk */
    char *text; /* what is told next */
};

enum { TEXT_SIZE = TELLING_TEXT + 1024 };

/* ---- Batches ---- */

/* Room for one more of `size` bytes in a list; false if there is no memory. */
static bool grow(void *list, int count, int *room, size_t size) {
    if (count < *room)
        return true;
    int wanted = *room == 0 ? 16 : 2 * *room;
    void *more = realloc(*(void **)list, (size_t)wanted * size);
    if (more == NULL)
        return false;
    *(void **)list = more;
    *room = wanted;
    return true;
}

/* Adds a line, of a table or of the hall; false if there is no memory. Lines are numbered in the
 * order in which they will be written, those that everybody is told also at their table. */
static bool add_line(struct hall *hall, struct hall_table *table, const struct nonet_text *text,
                     enum news news) {
    struct batch *batch = hall->gathered;
    if (!grow(&batch->lines, batch->count, &batch->room, sizeof *batch->lines) ||
        !grow(&batch->news, batch->count, &batch->news_room, sizeof *batch->news))
        return false;
    if (batch->length + text->length > batch->size) {
        size_t wanted = 2 * (batch->size + text->length);
        char *more = realloc(batch->bytes, wanted);
        if (more == NULL)
            return false;
        batch->bytes = more;
        batch->size = wanted;
    }
    memcpy(batch->bytes + batch->length, text->bytes, text->length);
    batch->news[batch->count] = news;
    struct store_line *line = &batch->lines[batch->count++];
    *line = (struct store_line){.length = text->length};
    batch->length += text->length;
    batch->visitors = hall->visitors.count;
    if (table != NULL) {
        line->table = table->id;
        line->over = room_phase(table->room) == ROOM_OVER;
        line->before = table->last;
        table->first = table->first != 0 ? table->first : hall->next;
        table->last = hall->next;
        table->unsettled++;
        table->counted += news != NEWS_FOR_NOBODY;
        if (news == NEWS_HAPPENED) {
            table->untold++;
            table->untold_batch = hall->batch_number;
        }
    }
    hall->next++;
    return true;
}

const struct store_line *hall_batch(struct hall *hall, int *count, uint64_t *number) {
    struct batch *full = hall->gathered;
    if (full->count == 0)
        return NULL;
    *count = full->count;
    size_t offset = 0;
    for (int i = 0; i < full->count; i++) {
        full->lines[i].text = full->bytes + offset;
        offset += full->lines[i].length;
    }
    hall->gathered = hall->written;
    hall->written = full;
    *number = hall->batch_number++;
    return full->lines;
}

static void empty(struct batch *batch) {
    batch->count = 0;
    batch->length = 0;
}

/* ---- Tables in memory ---- */

static void forget_told(struct hall_table *table, int count) {
    for (int i = 0; i < count; i++)
        for (int v = 0; v < VIEWERS; v++)
            free(table->told[i].text[v]);
    table->told_count -= count;
    if (table->told_count > 0)
        memmove(table->told, table->told + count, (size_t)table->told_count * sizeof *table->told);
}

static struct hall_table *add_table(struct hall *hall, uint64_t id) {
    if (!grow(&hall->tables, hall->count, &hall->room, sizeof(struct hall_table *)))
        return NULL;
    struct hall_table *table = calloc(1, sizeof *table);
    if (table == NULL || !map_add(&hall->by_id, id, table)) {
        free(table);
        return NULL;
    }
    table->id = id;
    table->place = hall->count;
    hall->tables[hall->count++] = table;
    return table;
}

static void remove_table(struct hall *hall, struct hall_table *table) {
    for (struct hall_listener *one = table->listeners, *next; one != NULL; one = next) {
        next = one->next;
        one->table = NULL;
        hall->wake(one->owner);
    }
    map_remove(&hall->by_id, table->id);
    hall->tables[table->place] = hall->tables[--hall->count];
    hall->tables[table->place]->place = table->place;
    forget_told(table, table->told_count);
    free(table->told);
    room_free(table->room);
    free(table);
}

uint64_t hall_table_id(const struct hall_table *table) {
    return table->id;
}

const struct room *hall_room(const struct hall_table *table) {
    return table->room;
}

bool hall_damaged(const struct hall_table *table) {
    return table->damaged;
}

uint64_t hall_unsettled(const struct hall_table *table, room_who who) {
    int seat = table->unsettled > 0 ? room_seat_of(table->room, who) : 0;
    uint64_t own = seat != 0 ? table->own[seat - 1] : 0;
    uint64_t all = table->untold > 0 ? table->untold_batch : 0;
    return own > all ? own : all;
}

int64_t hall_number(const struct hall_table *table) {
    return table->number;
}

struct visitors *hall_visitors(struct hall *hall) {
    return &hall->visitors;
}

/* ---- From the log ---- */

/* Reading the log. */
struct loading {
    struct hall *hall;
    bool damaged, full;
};

static enum news news_of(const struct room_event *event) {
    return event->kind == ROOM_CLOCKED || event->kind == ROOM_PROMISED ? NEWS_FOR_NOBODY
           : event->kind == ROOM_SAID                                  ? NEWS_SAID
                                                                       : NEWS_HAPPENED;
}

static void count_loaded(struct hall_table *table) {
    table->counted++;
    table->number = table->forgotten = table->counted;
}

static bool load_line(struct loading *loading, struct hall_table *table, int64_t number,
                      const struct store_line *line) {
    table->last = number;
    table->first = table->first != 0 ? table->first : number;
    if (table->room != NULL) {
        struct room_event event;
        bool read = event_read(line->text, line->length, &table->plan.room.options, &event);
        if (read && news_of(&event) != NEWS_FOR_NOBODY)
            count_loaded(table);
        return read && room_apply(table->room, &event);
    }
    count_loaded(table);
    if (!plan_read(line->text, line->length, &table->plan))
        return false;
    struct nonet_scratch *scratch =
        scratches_find(&loading->hall->scratches, table->plan.room.options.game);
    table->room = scratch != NULL ? room_new(&table->plan.room, scratch) : NULL;
    return table->room != NULL;
}

static bool load(void *context, int64_t number, const struct store_line *line) {
    struct loading *loading = context;
    struct hall *hall = loading->hall;
    if (line->table == 0) {
        loading->damaged |= !visitors_read(&hall->visitors, line->text, line->length);
        return !loading->damaged;
    }
    struct hall_table *table = map_find(&hall->by_id, line->table);
    if (table == NULL)
        table = add_table(hall, line->table);
    if (table == NULL) {
        loading->full = true;
        return false;
    }
    /* A damaged table is left alone; others go on. */
    bool first = table->last == 0;
    if ((first || table->room != NULL) &&
        (line->before != table->last || !load_line(loading, table, number, line))) {
        room_free(table->room);
        table->room = NULL;
    }
    return true;
}

/* A table that was read: nobody is there yet, and its clock begins to run. */
static void settle(struct hall *hall, struct hall_table *table, int64_t now) {
    bool unread = table->room == NULL && !table->damaged;
    table->damaged =
        table->room == NULL && (table->last > 0 || store_is_lost(hall->store, table->id));
    if (unread && table->damaged) {
        char name[TABLE_NAME], line[128];
        table_name_write(table->id, name);
        snprintf(line, sizeof line, "table %s is damaged, and cannot go on", name);
        const struct journal_field fields[] = {{"table", name, 0}, {0}};
        journal_tell(JOURNAL_TROUBLE, "table-damaged", fields, line);
    }
    table->touched = table->clocked = now;
    for (int i = 0; i < NONET_MAX_PLAYERS; i++) {
        table->absent_since[i] = now;
        table->computers |= table->plan.room.level[i] > 0;
    }
    hall->turned |= table->computers;
    if (table->room != NULL)
        room_go_on(table->room, now);
}

/* Reads a table again, or for the first time. False if the log has nothing of it. */
static bool reload(struct hall *hall, struct hall_table *table, int64_t now) {
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct loading loading = {.hall = hall};
    room_free(table->room);
    table->room = NULL;
    forget_told(table, table->told_count);
    table->number = table->counted = table->forgotten = table->last = 0;
    table->unsettled = table->untold = 0;
    memset(table->own, 0, sizeof table->own);
    table->turned = 0;
    table->asked = false;
    table->position++;
    bool read = store_read(hall->store, table->id, load, &loading, &why);
    if (!read) {
        room_free(table->room);
        table->room = NULL;
        table->number = table->last = 0;
    }
    settle(hall, table, now);
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        table->promised[i]++;
    for (struct hall_listener *one = table->listeners; one != NULL; one = one->next)
        hall->wake(one->owner);
    return !read || table->last > 0;
}

bool hall_is_full(const struct hall *hall) {
    return hall->count >= HALL_MOST_TABLES;
}

struct hall_table *hall_find(struct hall *hall, uint64_t id, int64_t now) {
    struct hall_table *table = map_find(&hall->by_id, id);
    if (table == NULL) {
        table = id != 0 && !hall_is_full(hall) ? add_table(hall, id) : NULL;
        if (table != NULL && !reload(hall, table, now)) {
            remove_table(hall, table);
            return NULL;
        }
    }
    if (table != NULL)
        table->touched = now;
    return table;
}

static bool begin_log(struct hall *hall) {
    char line[256];
    struct nonet_text text = NONET_TEXT_IN(line);
    return hall->visitors.has_secret ||
           (visitors_begin(&hall->visitors, &text) && add_line(hall, NULL, &text, NEWS_FOR_NOBODY));
}

struct hall *hall_open(struct store *store, int64_t now, void (*wake)(void *owner),
                       struct nonet_text *why) {
    struct hall *hall = calloc(1, sizeof *hall);
    if (hall == NULL || sodium_init() < 0 || (hall->text = malloc(TEXT_SIZE)) == NULL) {
        nonet_text_add(why, "there is no memory left");
        free(hall);
        return NULL;
    }
    hall->store = store;
    hall->wake = wake;
    hall->gathered = &hall->batches[0];
    hall->written = &hall->batches[1];
    hall->batch_number = 1;
    hall->next = hall->safe = store_next(store);
    struct loading loading = {.hall = hall};
    bool read = store_read_running(store, load, &loading, why);
    hall->begun = hall->visitors.has_secret;
    if (read && (loading.damaged || loading.full || !begin_log(hall))) {
        nonet_text_add(why, loading.damaged ? "the list of visitors is damaged"
                                            : "there is no memory left");
        read = false;
    }
    if (!read) {
        hall_close(hall);
        return NULL;
    }
    hall->safe_visitors = hall->visitors.count;
    for (int i = 0; i < hall->count; i++)
        settle(hall, hall->tables[i], now);
    return hall;
}

void hall_close(struct hall *hall) {
    while (hall->count > 0)
        remove_table(hall, hall->tables[hall->count - 1]);
    scratches_free(&hall->scratches);
    for (int i = 0; i < 2; i++) {
        free(hall->batches[i].lines);
        free(hall->batches[i].news);
        free(hall->batches[i].bytes);
    }
    free(hall->tables);
    map_free(&hall->by_id);
    visitors_free(&hall->visitors);
    free(hall->text);
    free(hall);
}

room_who hall_add_visitor(struct hall *hall, char token[VISITORS_TOKEN]) {
    char line[256];
    struct nonet_text text = NONET_TEXT_IN(line);
    room_who who = visitors_add(&hall->visitors, token, &text);
    if (who != 0 && !add_line(hall, NULL, &text, NEWS_FOR_NOBODY)) {
        visitors_forget(&hall->visitors, (size_t)who - 1);
        return 0;
    }
    return who;
}

uint64_t hall_gathered(const struct hall *hall) {
    return hall->batch_number;
}

/* ---- What happens ---- */

static bool hides(const struct hall_table *table) {
    return table->plan.room.options.game->hidden != NULL;
}

/* The event as JSON, without its number, which is not known yet. */
static char *text_for(const struct hall_table *table, const struct room_event *event, int viewer) {
    char bytes[MOST_LINE], name[TABLE_NAME];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    struct nonet_json json = nonet_json_in(&text);
    table_name_write(table->id, name);
    nonet_json_string_member(&json, "table", name);
    event_json(&json, event, &table->plan.room.options, EVENT_FOR_VIEWERS);
    if (event->kind == ROOM_MOVED && hides(table) && room_phase(table->room) != ROOM_OVER)
        tell_seen(&json, "seen", &table->plan.room.options,
                  nonet_session_state(room_session(table->room)), viewer);
    assert(!text.cut);
    return strdup(bytes);
}

static bool add_told(struct hall_table *table, const struct room_event *event, int64_t number) {
    if (!grow(&table->told, table->told_count, &table->told_room, sizeof *table->told))
        return false;
    struct told *told = &table->told[table->told_count++];
    bool changes = event->kind == ROOM_BEGAN || event->kind == ROOM_ENDED;
    *told = (struct told){.number = number, .whole = changes && hides(table)};
    int players = table->plan.room.options.players;
    for (int v = 0; v <= (event->kind == ROOM_MOVED && hides(table) ? players : 0); v++)
        if ((told->text[v] = text_for(table, event, v)) == NULL)
            return false;
    return true;
}

/* What is in memory and what will be on disk cannot be kept together without memory. All that was
 * acknowledged is on disk, so the next start of the server goes on from there. */
static _Noreturn void give_up(void) {
    journal_tell(JOURNAL_TROUBLE, "no-memory", NULL, "there is no memory left");
    abort();
}

/* A position is new, by the last line: its computer has not been asked yet; and a player who is not
 * there gets time to come from now on. */
static void give_turn(const struct hall *hall, struct hall_table *table,
                      const struct room_event *event, int64_t now) {
    int turn = nonet_session_turn(room_session(table->room));
    bool turns =
        event->kind == ROOM_BEGAN || event->kind == ROOM_MOVED || event->kind == ROOM_UNDONE;
    if (!turns)
        return;
    table->asked = false;
    table->position++;
    table->turned = hall->next - 1;
    if (turn != 0)
        table->absent_since[turn - 1] = now;
}

/* Bit p-1: player p has promised something. */
static unsigned promising_at(const struct hall_table *table) {
    unsigned set = 0;
    for (int p = 1; p <= table->plan.room.options.players; p++)
        set |= (unsigned)(room_promise(table->room, p) != NULL) << (p - 1);
    return set;
}

/* A player's promises are others: that player is told, when it is on disk. */
static void note_promises(struct hall_table *table, const struct room_event *event,
                          unsigned before) {
    if (event->kind == ROOM_PROMISED)
        before |= 1u << (event->seat - 1);
    bool changes = event->kind == ROOM_PROMISED || event->kind == ROOM_MOVED ||
                   event->kind == ROOM_UNDONE || event->kind == ROOM_ENDED;
    for (int i = 0; i < NONET_MAX_PLAYERS && changes; i++)
        table->promised[i] += before >> i & 1;
}

/* Applies events and has them written down. */
static void happen(struct hall *hall, struct hall_table *table, const struct room_events *events,
                   int64_t now) {
    for (int i = 0; i < events->count; i++) {
        const struct room_event *event = &events->list[i];
        char bytes[MOST_LINE];
        struct nonet_text text = NONET_TEXT_IN(bytes);
        struct nonet_json json = nonet_json_in(&text);
        nonet_json_open(&json, '{');
        event_json(&json, event, &table->plan.room.options, EVENT_FOR_LOG);
        nonet_json_close(&json, '}');
        enum news news = news_of(event);
        bool runs_on = event->kind == ROOM_CLOCKED && events->count == 1; /* for the log alone */
        unsigned promising = promising_at(table);
        if ((!runs_on && !room_apply(table->room, event)) ||
            (news != NEWS_FOR_NOBODY && !add_told(table, event, table->counted + 1)) ||
            !add_line(hall, table, &text, news))
            give_up();
        if (event->kind == ROOM_PROMISED || event->kind == ROOM_SAID)
            table->own[event->seat - 1] = hall->batch_number;
        note_promises(table, event, promising);
        give_turn(hall, table, event, now);
        table->reseated |=
            event->kind == ROOM_SAT || event->kind == ROOM_STOOD || event->kind == ROOM_REGAINED;
        table->touched = now;
    }
}

static const struct room_event *find_event(const struct room_events *events,
                                           enum room_event_kind kind) {
    for (int i = 0; i < events->count; i++)
        if (events->list[i].kind == kind)
            return &events->list[i];
    return NULL;
}

static uint64_t new_id(const struct hall *hall) {
    uint64_t id;
    do {
        randombytes_buf(&id, sizeof id);
        id >>= 1;
    } while (id == 0 || map_find(&hall->by_id, id) != NULL);
    return id;
}

static struct hall_table *new_table(struct hall *hall, const struct plan *plan, uint64_t id,
                                    int64_t now) {
    char bytes[MOST_LINE];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    struct nonet_json json = nonet_json_in(&text);
    struct nonet_scratch *scratch = scratches_find(&hall->scratches, plan->room.options.game);
    struct hall_table *table = scratch != NULL ? add_table(hall, id) : NULL;
    if (table == NULL)
        return NULL;
    table->plan = *plan;
    table->room = room_new(&plan->room, scratch);
    plan_write(&json, plan);
    if (table->room == NULL || text.cut || !add_line(hall, table, &text, NEWS_HAPPENED)) {
        remove_table(hall, table);
        return NULL;
    }
    table->forgotten = table->counted;
    settle(hall, table, now);
    return table;
}

static void deal(struct plan *plan) {
    struct nonet_chance chance;
    randombytes_buf(&chance, sizeof chance);
    plan_deal(plan, &chance);
}

/* Some moves by chance, after which the game goes on: fewer if chance would end it. */
static void choose_opening(struct hall *hall, struct plan *plan) {
    struct room_plan *room = &plan->room;
    struct nonet_scratch *scratch = scratches_find(&hall->scratches, room->options.game);
    struct nonet_session *session =
        scratch != NULL ? nonet_session_new_at(&room->options, scratch) : NULL;
    bool goes_on = session != NULL;
    room->opening_count = 0;
    while (goes_on && room->opening_count < ROOM_OPENING) {
        uint64_t chance;
        struct nonet_message why;
        randombytes_buf(&chance, sizeof chance);
        nonet_move move = nonet_session_nth(session, chance % nonet_session_count(session));
        goes_on = nonet_session_play(session, move, &why) && nonet_session_turn(session) != 0;
        if (goes_on)
            room->opening[room->opening_count++] = move;
    }
    nonet_session_free(session);
}

/* Lays the table of a plan that is dealt, or the two of a pair; null if there is no memory. */
static struct hall_table *lay(struct hall *hall, struct plan *plan, int64_t now) {
    uint64_t id = new_id(hall), twin_id = new_id(hall);
    if (!plan->pair)
        return new_table(hall, plan, id, now);
    choose_opening(hall, plan);
    struct plan twin = *plan;
    plan->room.twin = twin_id;
    twin.room.twin = id;
    twin.id = 0;         /* a player who asks again is shown the first, */
    twin.listed = false; /* and so is one who looks for a game */
    for (int i = 0; i < 2; i++)
        twin.room.level[i] = plan->room.level[1 - i];
    struct hall_table *table = new_table(hall, plan, id, now);
    if (table != NULL && new_table(hall, &twin, twin_id, now) == NULL)
        give_up(); /* half a pair is on its way to the disk */
    return table;
}

/* The other table of a pair; null if there is none, or if it cannot be read. */
static struct hall_table *twin_of(struct hall *hall, const struct hall_table *table, int64_t now) {
    struct hall_table *twin =
        table->plan.room.twin != 0 ? hall_find(hall, table->plan.room.twin, now) : NULL;
    return twin != NULL && twin->room != NULL ? twin : NULL;
}

/* The rematch: the same once more, and everybody sits one seat further. */
static void follow(struct hall *hall, struct hall_table *table, int64_t now) {
    struct plan plan = table->plan;
    int players = plan.room.options.players;
    nonet_options_forget_deal(&plan.room.options);
    for (int p = 1; p <= players; p++)
        plan.room.level[p % players] = table->plan.room.level[p - 1];
    plan.id = 0;
    plan.pair = plan.room.twin != 0;
    deal(&plan);
    struct hall_table *next = hall->count + 1 < HALL_MOST_TABLES ? lay(hall, &plan, now) : NULL;
    if (next == NULL)
        return;
    for (int p = 1; p <= players; p++) {
        const struct room_seat *seat = room_seat(table->room, p);
        char reason[256];
        struct nonet_text why = NONET_TEXT_IN(reason);
        struct room_request sit = {.wish = ROOM_SIT,
                                   .who = seat->who,
                                   .seat = (uint8_t)(p % players + 1),
                                   .name = seat->name};
        if (seat->level == 0)
            hall_ask(hall, next, &sit, now, &why);
    }
    struct room_events events = {1, {{.kind = ROOM_FOLLOWED, .next = next->id}}};
    happen(hall, table, &events, now);
    struct hall_table *twin = twin_of(hall, table, now);
    if (twin == NULL)
        return;
    events.list[0].next = next->plan.room.twin;
    happen(hall, twin, &events, now);
}

/* The other table of a pair learns how this game ended. */
static void tell_twin(struct hall *hall, struct hall_table *table, const struct room_events *events,
                      int64_t now) {
    const struct room_event *ended = find_event(events, ROOM_ENDED);
    struct hall_table *twin = ended != NULL ? twin_of(hall, table, now) : NULL;
    if (twin == NULL)
        return;
    struct room_events paired = {
        1, {{.kind = ROOM_PAIRED, .ending = ended->ending, .winners = ended->winners}}};
    happen(hall, twin, &paired, now);
}

/* What follows from what happened: moves that were promised, the end of the game, the next one. */
static void consequences(struct hall *hall, struct hall_table *table,
                         const struct room_events *events, int64_t now) {
    struct room_events more;
    const struct room_event *accepted = find_event(events, ROOM_ACCEPTED);
    tell_twin(hall, table, events, now);
    do {
        room_decide_end(table->room, now, &more);
        if (more.count == 0)
            room_decide_promised(table->room, &more);
        happen(hall, table, &more, now);
        tell_twin(hall, table, &more, now);
    } while (more.count > 0);
    if (accepted != NULL && accepted->offer == ROOM_REMATCH)
        follow(hall, table, now);
}

/* The same at the other table of a pair, for the other seat. */
static enum room_refusal decide_at_twin(struct hall *hall, struct hall_table *table,
                                        const struct room_request *request, int64_t now,
                                        struct room_events *events, struct nonet_text *why) {
    struct hall_table *twin = twin_of(hall, table, now);
    struct room_request other = *request;
    other.seat = (uint8_t)(3 - request->seat);
    if (twin != NULL)
        return room_decide(twin->room, &other, now, events, why);
    nonet_text_add(why, "the other game of the pair cannot be read now");
    return ROOM_CONFLICT;
}

/* Whether a request that is granted here is for both tables of a pair. Whoever comes back to a seat
 * by its key comes back to the other one too, unless that is somebody else's by now. */
static bool is_for_both(struct hall *hall, const struct hall_table *table,
                        const struct room_request *request, int64_t now) {
    if (table->plan.room.twin == 0)
        return false;
    if (request->wish != ROOM_REGAIN)
        return request->wish == ROOM_SIT || request->wish == ROOM_STAND;
    const struct hall_table *twin = twin_of(hall, table, now);
    return twin != NULL && room_seat(twin->room, 3 - request->seat)->who ==
                               room_seat(table->room, request->seat)->who;
}

enum room_refusal hall_ask(struct hall *hall, struct hall_table *table,
                           struct room_request *request, int64_t now, struct nonet_text *why) {
    struct room_events events;
    int turn = nonet_session_turn(room_session(table->room));
    request->absent = 0;
    if (request->who == ROOM_COMPUTER)
        request->id = (uint64_t)hall->next; /* once, also after a move was taken back */
    if (turn != 0 && !(table->present >> (turn - 1) & 1))
        request->absent = now - table->absent_since[turn - 1];
    enum room_refusal refusal = room_decide(table->room, request, now, &events, why);
    if (refusal != ROOM_FINE)
        return refusal;
    struct room_events others;
    others.count = 0;
    if (is_for_both(hall, table, request, now)) {
        refusal = decide_at_twin(hall, table, request, now, &others, why);
        if (refusal != ROOM_FINE)
            return refusal;
    }
    happen(hall, table, &events, now);
    if (others.count > 0)
        happen(hall, twin_of(hall, table, now), &others, now);
    consequences(hall, table, &events, now);
    return ROOM_FINE;
}

enum room_refusal hall_open_table(struct hall *hall, const struct plan *plan, room_who who,
                                  int64_t now, struct hall_table **table, struct nonet_text *why) {
    int open = 0;
    for (int i = 0; i < hall->count; i++) {
        struct hall_table *other = hall->tables[i];
        if (other->room == NULL || other->plan.by != who)
            continue;
        if (other->plan.id == plan->id && plan->id != 0) {
            *table = other;
            return ROOM_DONE_BEFORE;
        }
        open += room_phase(other->room) != ROOM_OVER;
    }
    if (open + plan->pair >= HALL_MOST_OF_ONE || hall->count + plan->pair >= HALL_MOST_TABLES) {
        nonet_text_add(why, open + plan->pair >= HALL_MOST_OF_ONE
                                ? "you have opened too many tables that are not over"
                                : "there is no room for more tables");
        return ROOM_CONFLICT;
    }
    struct plan dealt = *plan;
    dealt.by = who;
    deal(&dealt);
    *table = lay(hall, &dealt, now);
    if (*table == NULL) {
        nonet_text_add(why, "there is no memory left");
        return ROOM_NO_MEMORY;
    }
    if (plan->seat == 0)
        return ROOM_FINE;
    struct room_request sit = {
        .wish = ROOM_SIT, .who = who, .seat = (uint8_t)plan->seat, .name = plan->name};
    return hall_ask(hall, *table, &sit, now, why);
}

static int64_t clock_interval(const struct hall_table *table, int64_t now) {
    const struct clocks *clocks = room_clocks(table->room);
    int64_t part =
        clocks->running != 0 ? clock_left(clocks, clocks->running, now) / HALL_CLOCK_PARTS : 0;
    return part > HALL_CLOCK ? part : HALL_CLOCK;
}

/* Since when nobody has been at the table, or at the other table of a pair, and nothing happened.
 */
static int64_t left_since(const struct hall *hall, const struct hall_table *table, int64_t now) {
    const struct hall_table *twin =
        table->plan.room.twin != 0 ? map_find(&hall->by_id, table->plan.room.twin) : NULL;
    int64_t since = table->present != 0 ? now : table->touched;
    int64_t twins = twin == NULL ? since : twin->present != 0 ? now : twin->touched;
    return twins > since ? twins : since;
}

static void tick_table(struct hall *hall, struct hall_table *table, int64_t now) {
    struct room_events events;
    events.count = 0;
    if (table->room == NULL) {
        if (!table->damaged && now - table->touched > 1000)
            reload(hall, table, now);
        return;
    }
    enum room_phase phase = room_phase(table->room);
    bool unlimited = phase == ROOM_PLAYING && room_clocks(table->room)->rule.kind == CLOCK_NONE;
    int64_t since = left_since(hall, table, now);
    if ((phase == ROOM_WAITING && now - since > HALL_WAIT) ||
        (unlimited && now - since > HALL_IDLE))
        room_decide_close(table->room, &events);
    else if (phase == ROOM_PLAYING && now >= clock_end(room_clocks(table->room)))
        room_decide_end(table->room, now, &events);
    if (events.count > 0) {
        happen(hall, table, &events, now);
        tell_twin(hall, table, &events, now);
    } else if (now - table->clocked >= clock_interval(table, now)) {
        table->clocked = now;
        room_decide_clock(table->room, now, &events);
        happen(hall, table, &events, now);
    }
}

void hall_tick(struct hall *hall, int64_t now) {
    /* A computer agrees to a rematch at once, so tables that are over can soon be many. */
    int64_t keep = hall->count > HALL_CROWD ? HALL_KEEP_CROWD : HALL_KEEP;
    for (int i = hall->count - 1; i >= 0; i--) {
        struct hall_table *table = hall->tables[i];
        tick_table(hall, table, now);
        bool over = table->room == NULL || room_phase(table->room) == ROOM_OVER;
        if (over && table->listeners == NULL && table->unsettled == 0 &&
            now - table->touched > keep)
            remove_table(hall, table);
    }
}

struct hall_table *hall_next_computer(struct hall *hall) {
    for (int i = 0; hall->turned && i < hall->count; i++) {
        int place = (hall->computer_from + i) % hall->count;
        struct hall_table *table = hall->tables[place];
        if (table->computers && table->room != NULL && !table->asked &&
            table->turned < hall->safe && room_awaits_computer(table->room) != 0) {
            hall->computer_from = place + 1;
            table->asked = true;
            return table;
        }
    }
    hall->turned = false;
    return NULL;
}

unsigned hall_position(const struct hall_table *table) {
    return table->position;
}

/* ---- Presence ---- */

static void update_presence(struct hall *hall, struct hall_table *table, int64_t now) {
    unsigned present = 0;
    if (table->room == NULL)
        return;
    for (int p = 1; p <= table->plan.room.options.players; p++) {
        const struct room_seat *seat = room_seat(table->room, p);
        for (struct hall_listener *one = table->listeners; one != NULL; one = one->next)
            if (seat->taken && seat->level == 0 && one->who == seat->who)
                present |= 1u << (p - 1);
        if ((table->present & ~present) >> (p - 1) & 1)
            table->absent_since[p - 1] = now;
    }
    if (present == table->present)
        return;
    table->present = (uint8_t)present;
    table->presence++;
    for (struct hall_listener *one = table->listeners; one != NULL; one = one->next)
        hall->wake(one->owner);
}

/* ---- The disk ---- */

/* Whether conditional moves can be promised at this table at all. */
static bool may_promise(const struct hall_table *table) {
    return table->plan.room.clock.kind == CLOCK_MOVE && !hides(table);
}

static bool can_be_told_promises(const struct hall_listener *listener) {
    const struct hall_table *table = listener->table;
    int seat = may_promise(table) ? room_seat_of(table->room, listener->who) : 0;
    return seat != 0 && listener->told_promised != table->promised[seat - 1] &&
           hall_unsettled(table, listener->who) == 0;
}

static void settle_line(struct hall *hall, const struct store_line *line, enum news news,
                        int64_t now) {
    bool told = news != NEWS_FOR_NOBODY;
    struct hall_table *table = map_find(&hall->by_id, line->table);
    hall->safe++;
    if (table == NULL)
        return;
    hall->turned |= table->computers;
    if (table->turned < hall->safe) /* whatever was said since */
        room_go_on(table->room, now);
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        if (table->own[i] < hall->batch_number)
            table->own[i] = 0; /* it is in this batch */
    table->unsettled--;
    table->untold -= news == NEWS_HAPPENED;
    table->number += told;
    for (struct hall_listener *one = table->listeners; one != NULL; one = one->next)
        if (told || can_be_told_promises(one))
            hall->wake(one->owner);
    if (!told || table->untold > 0)
        return;
    int most = table->told_count - HALL_KEPT;
    while (most > 0 && table->told[most - 1].number > table->number)
        most--; /* not what nobody has been told yet */
    if (most > 0) {
        table->forgotten = table->told[most - 1].number;
        forget_told(table, most);
    }
    if (table->reseated)
        update_presence(hall, table, now); /* somebody who listens has sat down or stood up */
    table->reseated = false;
}

void hall_written(struct hall *hall, int64_t first, int64_t now) {
    struct batch *batch = hall->written;
    assert(first == hall->safe);
    (void)first;
    hall->safe_visitors = batch->visitors;
    hall->begun = true;
    for (int i = 0; i < batch->count; i++)
        settle_line(hall, &batch->lines[i], batch->news[i], now);
    empty(batch);
}

void hall_failed(struct hall *hall, int64_t now) {
    empty(hall->written);
    empty(hall->gathered);
    hall->next = hall->safe;
    visitors_forget(&hall->visitors, hall->safe_visitors);
    if (!hall->begun) { /* the log still begins with the secret */
        hall->visitors.has_secret = false;
        if (!begin_log(hall))
            give_up();
    }
    for (int i = hall->count - 1; i >= 0; i--) {
        struct hall_table *table = hall->tables[i];
        if (table->unsettled == 0)
            continue;
        if (reload(hall, table, now))
            update_presence(hall, table, now); /* the seats are as they were before */
        else
            remove_table(hall, table);
    }
}

/* ---- Listening ---- */

static int viewer_of(const struct hall_table *table, room_who who) {
    int seat = room_seat_of(table->room, who);
    return seat != 0 ? seat : NONET_SPECTATOR;
}

void hall_listen(struct hall *hall, struct hall_listener *listener, struct hall_table *table,
                 int64_t now) {
    listener->table = table;
    listener->before = NULL;
    listener->next = table->listeners;
    if (listener->next != NULL)
        listener->next->before = listener;
    table->listeners = listener;
    if (listener->told > table->number || listener->told < table->forgotten)
        listener->told = 0;
    update_presence(hall, table, now);
    listener->told_present = table->presence - 1;
    /* They may have changed while nobody listened. */
    int seat = table->room != NULL ? room_seat_of(table->room, listener->who) : 0;
    if (seat != 0)
        listener->told_promised = table->promised[seat - 1] - may_promise(table);
}

void hall_leave(struct hall *hall, struct hall_listener *listener, int64_t now) {
    struct hall_table *table = listener->table;
    if (table == NULL)
        return;
    if (listener->before != NULL)
        listener->before->next = listener->next;
    else
        table->listeners = listener->next;
    if (listener->next != NULL)
        listener->next->before = listener->before;
    listener->table = NULL;
    update_presence(hall, table, now);
}

bool hall_clock_runs(const struct hall_listener *listener) {
    return listener->table != NULL && listener->table->room != NULL &&
           room_clocks(listener->table->room)->running != 0;
}

void hall_tell(const struct hall_table *table, room_who who, int64_t now, struct nonet_json *json) {
    char name[TABLE_NAME];
    table_name_write(table->id, name);
    nonet_json_string_member(json, "table", name);
    nonet_json_number_member(json, "number", table->number);
    nonet_json_bool_member(json, "listed", table->plan.listed);
    tell_table(json, table->room, viewer_of(table, who), table->present, now);
}

static void tell_whole(struct hall_listener *listener, int64_t now, struct nonet_text *text) {
    const struct hall_table *table = listener->table;
    struct nonet_json json = nonet_json_in(text);
    nonet_json_string_member(&json, "event", "table");
    hall_tell(table, listener->who, now, &json);
    listener->told = table->number;
    listener->told_present = table->presence;
    int seat = room_seat_of(table->room, listener->who);
    if (seat != 0)
        listener->told_promised = table->promised[seat - 1];
}

/* A listener's own promises, as they are now. */
static void tell_promises(struct hall_listener *listener, struct nonet_text *text) {
    static const struct promise nothing;
    const struct hall_table *table = listener->table;
    int seat = room_seat_of(table->room, listener->who);
    const struct promise *promise = room_promise(table->room, seat);
    struct nonet_json json = nonet_json_in(text);
    char name[TABLE_NAME];
    table_name_write(table->id, name);
    nonet_json_string_member(&json, "event", "promised");
    nonet_json_string_member(&json, "table", name);
    event_json_lines(&json, promise != NULL ? promise : &nothing, &table->plan.room.options);
    listener->told_promised = table->promised[seat - 1];
}

static void tell_present(const struct hall_table *table, struct nonet_text *text) {
    struct nonet_json json = nonet_json_in(text);
    char name[TABLE_NAME];
    table_name_write(table->id, name);
    nonet_json_string_member(&json, "event", "present");
    nonet_json_string_member(&json, "table", name);
    nonet_json_name(&json, "seats");
    nonet_json_open(&json, '[');
    for (int p = 1; p <= NONET_MAX_PLAYERS; p++)
        if (table->present >> (p - 1) & 1)
            nonet_json_number(&json, p);
    nonet_json_close(&json, ']');
}

/* The first event on disk that the listener has not been told; null if there is none. */
static const struct told *first_untold(const struct hall_listener *listener) {
    const struct hall_table *table = listener->table;
    int at = table->told_count;
    while (at > 0 && table->told[at - 1].number > listener->told)
        at--;
    return at < table->told_count && table->told[at].number <= table->number ? &table->told[at]
                                                                             : NULL;
}

const char *hall_next(struct hall *hall, struct hall_listener *listener, int64_t now,
                      size_t *length) {
    struct nonet_text text = nonet_text_in(hall->text, TEXT_SIZE);
    const struct hall_table *table = listener->table;
    if (table == NULL || table->room == NULL)
        return NULL;
    nonet_text_add(&text, "data: {");
    bool behind = listener->told == 0 || listener->told < table->forgotten;
    const struct told *told = behind ? NULL : first_untold(listener);
    if (behind || (told != NULL && told->whole)) {
        if (hall_unsettled(table, listener->who) != 0)
            return NULL; /* it would tell what is not on disk; soon */
        tell_whole(listener, now, &text);
    } else if (told != NULL) {
        int viewer = told->text[1] != NULL ? room_seat_of(table->room, listener->who) : 0;
        nonet_text_add(&text, "\"number\":");
        nonet_text_number(&text, told->number);
        nonet_text_char(&text, ',');
        nonet_text_add(&text, told->text[viewer]);
        listener->told = told->number;
    } else if (can_be_told_promises(listener)) {
        tell_promises(listener, &text);
    } else if (listener->told_present != table->presence) {
        tell_present(table, &text);
        listener->told_present = table->presence;
    } else {
        return NULL;
    }
    nonet_text_add(&text, "}\n\n");
    assert(!text.cut);
    *length = text.length;
    return text.bytes;
}

/* ---- Lists ---- */

static void tell_in_list(const struct hall_table *table, room_who who, int64_t now,
                         struct nonet_json *json) {
    char name[TABLE_NAME];
    table_name_write(table->id, name);
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "table", name);
    tell_summary(json, table->room, viewer_of(table, who), table->present, now);
    nonet_json_close(json, '}');
}

/* What is not on disk is in no list, and neither is a table that changes just now: it will be in
 * the next. */
static bool can_be_listed(const struct hall_table *table) {
    return table->room != NULL && table->number > 0 && table->untold == 0;
}

/* Tables that wait come first, then those where somebody is, then the newest. */
static int by_interest(const void *left, const void *right) {
    const struct hall_table *a = *(struct hall_table *const *)left;
    const struct hall_table *b = *(struct hall_table *const *)right;
    enum room_phase phase_a = room_phase(a->room), phase_b = room_phase(b->room);
    if (phase_a != phase_b)
        return phase_a < phase_b ? -1 : 1;
    if ((a->present != 0) != (b->present != 0))
        return a->present != 0 ? -1 : 1;
    return a->first > b->first ? -1 : 1;
}

/* Whether the lobby has not many tables of this one's opener yet. */
static bool has_a_share(const struct hall_table *table, struct hall_table *const *listed,
                        int count) {
    int same = 0;
    for (int i = 0; i < count; i++)
        same += listed[i]->plan.by == table->plan.by;
    return same < MOST_LISTED_OF_ONE;
}

void hall_tell_lobby(const struct hall *hall, room_who who, int64_t now, struct nonet_json *json) {
    struct hall_table **all = calloc((size_t)hall->count + 1, sizeof(struct hall_table *));
    int count = 0, listed = 0;
    for (int i = 0; i < hall->count && all != NULL; i++) {
        struct hall_table *table = hall->tables[i];
        if (can_be_listed(table) && table->plan.listed && room_phase(table->room) != ROOM_OVER)
            all[count++] = table;
    }
    if (count > 0)
        qsort(all, (size_t)count, sizeof(struct hall_table *), by_interest);
    nonet_json_name(json, "tables");
    nonet_json_open(json, '[');
    for (int i = 0; i < count && listed < MOST_LISTED; i++)
        if (has_a_share(all[i], all, listed)) {
            tell_in_list(all[i], who, now, json);
            all[listed++] = all[i];
        }
    nonet_json_close(json, ']');
    free(all);
}

void hall_tell_own(const struct hall *hall, room_who who, int64_t now, struct nonet_json *json) {
    int listed = 0;
    nonet_json_name(json, "tables");
    nonet_json_open(json, '[');
    for (int i = hall->count - 1; i >= 0 && listed < MOST_LISTED && who != 0; i--) {
        const struct hall_table *table = hall->tables[i];
        if (can_be_listed(table) &&
            (room_seat_of(table->room, who) != 0 || table->plan.by == who)) {
            tell_in_list(table, who, now, json);
            listed++;
        }
    }
    nonet_json_close(json, ']');
}

struct hall_counts hall_count(const struct hall *hall) {
    struct hall_counts counts = {.visitors = (int)hall->visitors.count};
    for (int i = 0; i < hall->count; i++) {
        const struct hall_table *table = hall->tables[i];
        for (struct hall_listener *one = table->listeners; one != NULL; one = one->next)
            counts.listeners++;
        if (table->room != NULL)
            ++*(room_phase(table->room) == ROOM_WAITING   ? &counts.waiting
                : room_phase(table->room) == ROOM_PLAYING ? &counts.playing
                                                          : &counts.over);
    }
    return counts;
}
