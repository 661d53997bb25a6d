#include "desk.h"

#include <stdlib.h>
#include <string.h>

#include "host/record.h"
#include "online/room/fields.h"
#include "online/room/table_name.h"
#include "rules/hidden.h"

/* ---- Refusing ---- */

static const struct {
    unsigned status;
    const char *kind;
} kinds[] = {
    {400, "malformed"}, {401, "unknown"},  {403, "forbidden"}, {404, "missing"},
    {405, "method"},    {409, "conflict"}, {413, "large"},     {415, "type"},
    {421, "host"},      {422, "illegal"},  {429, "often"},     {503, "disk"},
};

static const char NO_TOKEN[] = "only players can do this; their cookie or token is missing";

void desk_refuse(struct desk_call *call, unsigned status, const char *why) {
    struct nonet_text reason = NONET_TEXT_IN(call->reason);
    call->status = status;
    call->says = DESK_REFUSAL;
    call->kind = "failed";
    call->token[0] = '\0'; /* somebody who is refused does not become a visitor */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].status == status)
            call->kind = kinds[i].kind;
    nonet_text_add(&reason, why);
}

static void refuse_for_room(struct desk_call *call, enum room_refusal refusal, const char *why) {
    static const unsigned statuses[] = {
        [ROOM_MALFORMED] = 400, [ROOM_FORBIDDEN] = 403, [ROOM_CONFLICT] = 409,
        [ROOM_ILLEGAL] = 422,   [ROOM_NO_MEMORY] = 503,
    };
    desk_refuse(call, statuses[refusal], why);
}

/* A hall that is full may soon have room again. */
static void refuse_full(struct desk_call *call) {
    desk_refuse(call, 503, "there are too many tables now; come again later");
    call->seconds = 10;
}

/* ---- Deciding ---- */

/* What a handler works with. */
struct asked {
    struct hall *hall;
    const struct desk_request *request;
    int64_t now;
    struct desk_call *call;
    struct hall_table *table; /* where the path names one */
};

/* Who asks, for something that only somebody can do: they become a visitor if they are none. */
static bool introduce(const struct asked *asked) {
    if (asked->call->who == 0 && asked->request->only_known) {
        desk_refuse(asked->call, 429, "too many new players come from one address");
        return false;
    }
    if (asked->call->who == 0)
        asked->call->who = hall_add_visitor(asked->hall, asked->call->token);
    if (asked->call->who == 0)
        desk_refuse(asked->call, 503, "there is no memory left");
    return asked->call->who != 0;
}

static void say(const struct asked *asked, unsigned status, enum desk_saying what) {
    asked->call->status = status;
    asked->call->says = what;
}

/* What a room has granted, now or before, is answered so; what it refused, with its reason. */
static void conclude(const struct asked *asked, enum room_refusal refusal, const char *reason,
                     unsigned status, enum desk_saying what) {
    if (refusal == ROOM_FINE || refusal == ROOM_DONE_BEFORE)
        say(asked, status, what);
    else
        refuse_for_room(asked->call, refusal, reason);
}

static void give_lobby(const struct asked *asked) {
    say(asked, 200, DESK_LOBBY);
}

static void give_own(const struct asked *asked) {
    say(asked, 200, DESK_OWN);
}

/* Somebody wants to be known before they take a seat: if the answer is lost, so is nothing. */
static void greet(const struct asked *asked) {
    struct desk_call *call = asked->call;
    struct fields fields = fields_open(asked->request->body, asked->request->length);
    bool fine = fields_end(&fields), is_new = call->who == 0;
    fields_close(&fields);
    if (!fine)
        desk_refuse(call, 400, "who wants to be known asks with {}");
    else if (introduce(asked)) {
        say(asked, 200, DESK_OWN);
        call->batch = is_new ? hall_gathered(asked->hall) : 0;
    }
}

static void give_table(const struct asked *asked) {
    say(asked, 200, DESK_TABLE);
}

static void open_table(const struct asked *asked) {
    struct plan plan;
    struct desk_call *call = asked->call;
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct hall_table *table = NULL;
    if (!plan_read_request(asked->request->body, asked->request->length, &plan, &why)) {
        desk_refuse(call, 400, reason);
        return;
    }
    if (!introduce(asked))
        return;
    enum room_refusal refusal =
        hall_open_table(asked->hall, &plan, call->who, asked->now, &table, &why);
    if (table != NULL)
        call->table = hall_table_id(table);
    conclude(asked, refusal, reason, 201, DESK_TABLE);
}

/* Whether somebody unknown may sit down, and so becomes a visitor; else refuses. */
static bool may_sit(const struct asked *asked, const struct room_request *request) {
    struct room_request stranger = *request;
    struct room_events events;
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    stranger.who = UINT64_MAX; /* whom nobody is */
    enum room_refusal refusal =
        room_decide(hall_room(asked->table), &stranger, asked->now, &events, &why);
    if (refusal != ROOM_FINE)
        refuse_for_room(asked->call, refusal, reason);
    return refusal == ROOM_FINE;
}

static void ask_table(const struct asked *asked) {
    struct api_request request;
    struct desk_call *call = asked->call;
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (!api_request_read(asked->request->body, asked->request->length, &request, &why)) {
        desk_refuse(call, 400, reason);
        return;
    }
    if (call->who == 0 && request.room.wish != ROOM_SIT) {
        desk_refuse(call, 401, NO_TOKEN);
        return;
    }
    if (call->who == 0 && !(may_sit(asked, &request.room) && introduce(asked)))
        return;
    bool opens = request.room.wish == ROOM_OFFER && request.room.offer == ROOM_REMATCH;
    if (opens && asked->request->no_more) {
        desk_refuse(call, 429, "too many tables are opened from one address");
        return;
    }
    request.room.who = call->who;
    enum room_refusal refusal =
        hall_ask(asked->hall, asked->table, &request.room, asked->now, &why);
    call->opens = opens && refusal == ROOM_FINE;
    conclude(asked, refusal, reason, 200, DESK_NUMBER);
}

static void give_record(const struct asked *asked) {
    const struct room *room = hall_room(asked->table);
    if (nonet_session_options(room_session(room))->game->hidden != NULL &&
        room_phase(room) != ROOM_OVER)
        desk_refuse(asked->call, 409, "there is a record when the game is over");
    else
        say(asked, 200, DESK_RECORD);
}

/* The only member of the query that there may be. */
static const char *query_member(const char *query, const char *name) {
    size_t length = strlen(name);
    return strncmp(query, name, length) == 0 && query[length] == '=' ? query + length + 1 : NULL;
}

/* The seat as its key knows it. */
static struct visitors_seat seat_of(const struct hall_table *table, int seat) {
    const struct room *room = hall_room(table);
    bool is = seat >= 1 && seat <= nonet_session_options(room_session(room))->players;
    return (struct visitors_seat){hall_table_id(table), seat, is ? room_seat(room, seat)->left : 0};
}

static void give_key(const struct asked *asked) {
    const char *digit = query_member(asked->request->query, "seat");
    struct desk_call *call = asked->call;
    const struct room *room = hall_room(asked->table);
    int players = nonet_session_options(room_session(room))->players;
    int seat =
        digit != NULL && *digit >= '1' && *digit <= '9' && digit[1] == '\0' ? *digit - '0' : 0;
    if (seat < 1 || seat > players) {
        desk_refuse(call, 400, "\"seat\" must be the number of a seat at this table");
    } else if (call->who == 0) {
        desk_refuse(call, 401, NO_TOKEN);
    } else if (room_seat(room, seat)->level > 0 || room_seat(room, seat)->who != call->who) {
        desk_refuse(call, 403, "this is not your seat");
    } else {
        struct visitors_seat own = seat_of(asked->table, seat);
        visitors_seat_key(hall_visitors(asked->hall), &own, call->key);
        say(asked, 200, DESK_KEY);
    }
}

static void use_key(const struct asked *asked) {
    struct desk_call *call = asked->call;
    struct fields fields = fields_open(asked->request->body, asked->request->length);
    int seat = (int)fields_number(&fields, "seat", NONET_MAX_PLAYERS);
    const char *key = fields_text(&fields, "key");
    bool fine = fields_end(&fields);
    struct visitors_seat wanted = seat_of(asked->table, seat);
    if (!fine)
        desk_refuse(call, 400, "a key is used with {\"seat\":1,\"key\":\"…\"}");
    else if (!visitors_check_seat_key(hall_visitors(asked->hall), &wanted, key))
        desk_refuse(call, 403, "this key does not fit");
    else if (introduce(asked)) {
        char reason[256];
        struct nonet_text why = NONET_TEXT_IN(reason);
        struct room_request regain = {.wish = ROOM_REGAIN, .who = call->who, .seat = (uint8_t)seat};
        enum room_refusal refusal = hall_ask(asked->hall, asked->table, &regain, asked->now, &why);
        conclude(asked, refusal, reason, 200, DESK_TABLE);
    }
    fields_close(&fields);
}

/* Reads a table of the list and moves past it. */
static bool read_wanted(const char **at, struct desk_wanted *wanted) {
    char name[TABLE_NAME] = "";
    memcpy(name, *at, strnlen(*at, TABLE_NAME - 1));
    wanted->told = 0;
    if (!table_name_read(name, &wanted->table))
        return false;
    *at += TABLE_NAME - 1;
    if (**at == ':') {
        const char *first = ++*at;
        for (; **at >= '0' && **at <= '9' && *at - first < 18; ++*at)
            wanted->told = 10 * wanted->told + (**at - '0');
    }
    if (**at != ',')
        return **at == '\0';
    ++*at;
    return true;
}

int desk_read_stream(const char *query, struct desk_wanted wanted[DESK_STREAM_TABLES]) {
    const char *at = query_member(query, "tables");
    int count = 0;
    while (at != NULL && *at != '\0') {
        struct desk_wanted next;
        bool twice = false;
        if (!read_wanted(&at, &next))
            return -1;
        for (int i = 0; i < count; i++)
            twice |= wanted[i].table == next.table;
        if (twice)
            continue;
        if (count == DESK_STREAM_TABLES)
            return -1;
        wanted[count++] = next;
    }
    return at == NULL ? -1 : count;
}

static void give_stream(const struct asked *asked) {
    struct desk_wanted wanted[DESK_STREAM_TABLES];
    int count = desk_read_stream(asked->request->query, wanted);
    if (count < 0) {
        desk_refuse(asked->call, 400,
                    "a stream needs ?tables=ID:NUMBER,ID:NUMBER, at most 50 tables; NUMBER is the "
                    "last event that was seen, and may be left out");
        return;
    }
    say(asked, 200, DESK_STREAM);
    /* A table that cannot be looked for must not be told to be missing. */
    for (int i = 0; i < count && asked->call->says == DESK_STREAM; i++)
        if (hall_is_full(asked->hall) &&
            hall_find(asked->hall, wanted[i].table, asked->now) == NULL)
            refuse_full(asked->call);
}

/* ---- Routes ---- */

typedef void handler(const struct asked *asked);

static const struct route {
    const char *path; /* "*" stands for the name of a table */
    handler *get, *post;
} routes[] = {
    {"/api/tables", give_lobby, open_table},
    {"/api/tables/*", give_table, ask_table},
    {"/api/tables/*/record", give_record, NULL},
    {"/api/tables/*/key", give_key, use_key},
    {"/api/me", give_own, greet},
    {"/api/stream", give_stream, NULL},
};

/* Whether a path is that of a route; `name` becomes the table's, if there is one in it. */
static bool follows(const char *path, const char *route, char name[TABLE_NAME]) {
    for (; *route != '\0'; route++, path++) {
        if (*route == '*') {
            size_t length = strcspn(path, "/");
            if (length != TABLE_NAME - 1)
                return false;
            memcpy(name, path, length);
            name[length] = '\0';
            path += length - 1;
        } else if (*path != *route) {
            return false;
        }
    }
    return *path == '\0';
}

static bool find_table(struct asked *asked, const char *name) {
    struct desk_call *call = asked->call;
    if (*name == '\0')
        return true;
    if (table_name_read(name, &call->table))
        asked->table = hall_find(asked->hall, call->table, asked->now);
    if (asked->table == NULL && call->table != 0 && hall_is_full(asked->hall)) {
        refuse_full(call);
    } else if (asked->table == NULL)
        desk_refuse(call, 404, "there is no such table");
    else if (hall_room(asked->table) == NULL)
        desk_refuse(call, 503,
                    hall_damaged(asked->table)
                        ? "a part of this table's log is lost, and it cannot go on"
                        : "this table cannot be read now");
    return call->says != DESK_REFUSAL;
}

void desk_decide(struct hall *hall, const struct desk_request *request, int64_t now,
                 struct desk_call *call) {
    *call = (struct desk_call){.says = DESK_NUMBER};
    struct asked asked = {hall, request, now, call, NULL};
    if (request->token != NULL)
        call->who = visitors_find(hall_visitors(hall), request->token);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        char name[TABLE_NAME] = "";
        if (!follows(request->path, routes[i].path, name))
            continue;
        bool gets = strcmp(request->method, "GET") == 0;
        handler *does = gets                                   ? routes[i].get
                        : strcmp(request->method, "POST") == 0 ? routes[i].post
                                                               : NULL;
        if (does == NULL) {
            desk_refuse(call, 405, "this address does not take this method");
            call->allow = routes[i].post == NULL ? "GET" : "GET, POST";
            return;
        }
        if (find_table(&asked, name))
            does(&asked);
        struct hall_table *table = call->table != 0 ? hall_find(hall, call->table, now) : NULL;
        if (table != NULL)
            call->batch = hall_unsettled(table, call->who);
        return;
    }
    desk_refuse(call, 404, "there is nothing at this address");
}

uint64_t desk_waits(struct hall *hall, const struct desk_call *call, int64_t now) {
    bool tells = call->says == DESK_TABLE || call->says == DESK_RECORD;
    struct hall_table *table = tells ? hall_find(hall, call->table, now) : NULL;
    return table != NULL ? hall_unsettled(table, call->who) : 0;
}

/* ---- Answering ---- */

static void write_record(const struct hall_table *table, struct nonet_text *text) {
    const struct room *room = hall_room(table);
    struct record record = {.session = (struct nonet_session *)(uintptr_t)room_session(room)};
    for (int p = 1; p <= nonet_session_options(room_session(room))->players; p++) {
        const struct room_seat *seat = room_seat(room, p);
        struct nonet_text kind = NONET_TEXT_IN(record.seats[p - 1].kind);
        struct nonet_text name = NONET_TEXT_IN(record.seats[p - 1].name);
        if (seat->level > 0)
            nonet_text_format(&kind, "level-%d", seat->level);
        else
            nonet_text_add(&kind, "human");
        nonet_text_add(&name, seat->name);
    }
    char *line = record_write(&record);
    if (line != NULL)
        nonet_text_add(text, line);
    free(line);
}

static void tell_table_member(struct desk_call *call, const struct hall_table *table, int64_t now,
                              struct nonet_json *json) {
    nonet_json_name(json, "table");
    nonet_json_open(json, '{');
    hall_tell(table, call->who, now, json);
    nonet_json_close(json, '}');
}

void desk_answer(struct hall *hall, struct desk_call *call, int64_t now, struct nonet_text *text) {
    struct hall_table *table = call->table != 0 ? hall_find(hall, call->table, now) : NULL;
    bool there = table != NULL && hall_room(table) != NULL;
    if (call->table != 0 && !there && call->says != DESK_REFUSAL)
        desk_refuse(call, 503, "this could not be written, and nothing happened");
    if (call->says == DESK_RECORD) {
        write_record(table, text);
        return;
    }
    struct nonet_json json = nonet_json_in(text);
    nonet_json_open(&json, '{');
    switch (call->says) {
    case DESK_NUMBER:
        nonet_json_number_member(&json, "number", hall_number(table));
        break;
    case DESK_TABLE:
        hall_tell(table, call->who, now, &json);
        break;
    case DESK_LOBBY:
        hall_tell_lobby(hall, call->who, now, &json);
        break;
    case DESK_OWN:
        hall_tell_own(hall, call->who, now, &json);
        break;
    case DESK_KEY:
        nonet_json_string_member(&json, "key", call->key);
        break;
    case DESK_REFUSAL:
        nonet_json_string_member(&json, "error", call->reason);
        nonet_json_string_member(&json, "kind", call->kind);
        if (call->status == 409 && there && hall_unsettled(table, call->who) == 0)
            tell_table_member(call, table, now, &json);
        break;
    case DESK_RECORD:
    case DESK_STREAM:
        break;
    }
    nonet_json_close(&json, '}');
}
