#include "checking.h"

#include <stdlib.h>

#include "api/plan.h"
#include "hall/scratches.h"
#include "hall/visitors.h"
#include "online/room/event.h"
#include "online/room/table_name.h"
#include "store/store.h"

enum { NAMED = 10 }; /* so many damaged tables are named */

struct replayed {
    struct plan plan;
    struct room *room; /* null once a line did not fit */
    int64_t last;
};

struct replaying {
    struct checking *found;
    struct map by_id;
    struct visitors visitors;
    struct scratches scratches;
    struct store *store;
    struct nonet_text *why;
    bool no_memory;
};

static bool replay_line(struct replaying *replaying, struct replayed *table,
                        const struct store_line *line) {
    if (line->before != table->last)
        return false;
    if (table->last == 0) {
        if (plan_read(line->text, line->length, &table->plan))
            table->room =
                room_new(&table->plan.room,
                         scratches_find(&replaying->scratches, table->plan.room.options.game));
        return table->room != NULL;
    }
    struct room_event event;
    return event_read(line->text, line->length, &table->plan.room.options, &event) &&
           room_apply(table->room, &event);
}

static void name_damage(struct replaying *replaying, uint64_t table, int64_t number) {
    char name[TABLE_NAME];
    table_name_write(table, name);
    if (replaying->found->damaged++ < NAMED)
        nonet_text_format(replaying->why, "%stable %s, line %lld",
                          replaying->why->length > 0 ? "; " : "", name, (long long)number);
}

static bool replay(void *context, int64_t number, const struct store_line *line) {
    struct replaying *replaying = context;
    replaying->found->lines++;
    if (line->table == 0) {
        if (!visitors_read(&replaying->visitors, line->text, line->length))
            name_damage(replaying, 0, number);
        return true;
    }
    struct replayed *table = map_find(&replaying->by_id, line->table);
    if (table == NULL) {
        table = calloc(1, sizeof *table);
        if (table == NULL || !map_add(&replaying->by_id, line->table, table)) {
            free(table);
            replaying->no_memory = true;
            return false;
        }
        replaying->found->tables++;
    }
    bool first = table->last == 0, sound = first || table->room != NULL;
    bool lost = first && store_is_lost(replaying->store, line->table);
    if (lost || (sound && !replay_line(replaying, table, line))) {
        name_damage(replaying, line->table, number);
        room_free(table->room);
        table->room = NULL;
    }
    table->last = number;
    return true;
}

bool checking_run(const char *path, struct checking *found, struct nonet_text *why) {
    *found = (struct checking){0};
    struct replaying replaying = {.found = found, .why = why};
    struct store *store = replaying.store = store_open(path, why);
    bool read =
        store != NULL && store_check(store, why) && store_read_all(store, replay, &replaying, why);
    if (replaying.no_memory)
        nonet_text_add(why, "there is no memory left");
    found->visitors = (int64_t)replaying.visitors.count;
    for (size_t i = 0; i < replaying.by_id.room; i++) {
        struct replayed *table = replaying.by_id.entries[i].value;
        if (table != NULL)
            room_free(table->room);
        free(table);
    }
    map_free(&replaying.by_id);
    visitors_free(&replaying.visitors);
    scratches_free(&replaying.scratches);
    store_close(store);
    return read && !replaying.no_memory;
}
