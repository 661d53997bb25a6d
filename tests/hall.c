/* All tables of a server, without a socket: what is told, to whom and when; what is on disk; what
 * is left when writing fails; and that nobody learns what others hide. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "online/api/desk.h"
#include "online/api/telling.h"
#include "online/room/table_name.h"
#include "rules/hidden.h"
#include "variants.h"

/* ---- A hall and its disk ---- */

static char folder[64], path[128], why[512];
static struct store *store;
static struct hall *hall;
static int64_t now;
static int woken;
static struct nonet_random chance;

static void wake(void *owner) {
    (void)owner;
    woken++;
}

static void open_hall(void) {
    struct nonet_text text = NONET_TEXT_IN(why);
    store = store_open(path, &text);
    CHECK(store != NULL, "%s", why);
    hall = hall_open(store, now, wake, &text);
    CHECK(hall != NULL, "%s", why);
}

static void close_hall(void) {
    hall_close(hall);
    store_close(store);
}

static int begin(void **unused) {
    (void)unused;
    strcpy(folder, "/tmp/nonet-hall-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/log", folder);
    now = 1000000;
    chance = (struct nonet_random){7};
    open_hall();
    return 0;
}

static int end(void **unused) {
    (void)unused;
    close_hall();
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char file[160];
        snprintf(file, sizeof file, "%s%s", path, ends[i]);
        remove(file);
    }
    return rmdir(folder);
}

/* Writes what has happened; returns how many lines that were. */
static int write_down(void) {
    int count;
    uint64_t number;
    const struct store_line *lines = hall_batch(hall, &count, &number);
    if (lines == NULL)
        return 0;
    struct nonet_text text = NONET_TEXT_IN(why);
    int64_t first;
    CHECK(store_append(store, lines, count, &first, &text), "%s", why);
    hall_written(hall, first, now);
    return count;
}

/* The disk fails. */
static void lose(void) {
    int count;
    uint64_t number;
    assert_non_null(hall_batch(hall, &count, &number));
    hall_failed(hall, now);
}

static void restart(void) {
    write_down();
    close_hall();
    open_hall();
}

/* ---- Visitors and what they ask ---- */

/* An answer; its text is valid until the next one. */
struct reply {
    unsigned status;
    json_t *json; /* borrowed, as long as the text */
    const char *text;
};

static char answer[DESK_TEXT];
static json_t *answered;

static struct reply give_answer(struct desk_call *call) {
    struct nonet_text text = NONET_TEXT_IN(answer);
    desk_answer(hall, call, now, &text);
    assert_false(text.cut);
    json_decref(answered);
    answered = json_loads(answer, 0, NULL);
    CHECK(answered != NULL || call->says == DESK_RECORD, "%s", answer);
    return (struct reply){call->status, answered, answer};
}

static struct desk_call decide(const char *token, const char *method, const char *target,
                               const char *body) {
    char place[256];
    snprintf(place, sizeof place, "%s", target);
    char *query = strchr(place, '?');
    if (query != NULL)
        *query++ = '\0';
    struct desk_request request = {.method = method,
                                   .path = place,
                                   .query = query != NULL ? query : "",
                                   .token = token,
                                   .body = body,
                                   .length = strlen(body)};
    struct desk_call call;
    desk_decide(hall, &request, now, &call);
    return call;
}

/* A request that is answered when it is on disk. Without a token, `token` gets the new one. */
static struct reply ask(char token[VISITORS_TOKEN], const char *method, const char *target,
                        const char *body) {
    struct desk_call call = decide(*token != '\0' ? token : NULL, method, target, body);
    if (call.batch != 0)
        write_down();
    if (call.token[0] != '\0')
        strcpy(token, call.token);
    return give_answer(&call);
}

static struct reply get(char token[VISITORS_TOKEN], const char *target) {
    return ask(token, "GET", target, "");
}

static const char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
static const char *format(const char *pattern, ...) {
    static char texts[4][2048];
    static int next;
    char *text = texts[next++ % 4];
    va_list arguments;
    va_start(arguments, pattern);
    vsnprintf(text, sizeof texts[0], pattern, arguments);
    va_end(arguments);
    return text;
}

static const char *path_of(const char *table, const char *rest) {
    return format("/api/tables/%s%s", table, rest);
}

static struct reply post(char token[VISITORS_TOKEN], const char *table, const char *body) {
    return ask(token, "POST", path_of(table, ""), body);
}

#define NO_CLOCK "{\"kind\":\"none\"}"
#define DAY_CLOCK "{\"kind\":\"move\",\"budget\":86400000,\"pause\":0}"
#define LONG_CLOCK "{\"kind\":\"game\",\"budget\":10800000,\"increment\":0}"
#define GAME_CLOCK "{\"kind\":\"game\",\"budget\":60000,\"increment\":0}"

static int next_id = 100;

/* Opens a table; `table` gets its name. */
static void open_table(char token[VISITORS_TOKEN], const char *game, const char *options,
                       const char *clock, const char *seats, char table[TABLE_NAME]) {
    struct reply reply =
        ask(token, "POST", "/api/tables",
            format("{\"id\":\"%d\",\"game\":\"%s\",\"options\":{%s},\"clock\":%s,\"seats\":[%s],"
                   "\"listed\":true}",
                   next_id++, game, options, clock, seats));
    CHECK(reply.status == 201, "%u %s", reply.status, reply.text);
    snprintf(table, TABLE_NAME, "%s", json_string_value(json_object_get(reply.json, "table")));
}

static void sit(char token[VISITORS_TOKEN], const char *table, int seat) {
    struct reply reply =
        post(token, table, format("{\"wish\":\"sit\",\"seat\":%d,\"name\":\"Bo\"}", seat));
    CHECK(reply.status == 200, "%u %s", reply.status, reply.text);
}

static struct hall_table *find(const char *table) {
    uint64_t id;
    assert_true(table_name_read(table, &id));
    return hall_find(hall, id, now);
}

static const struct nonet_session *session_at(const char *table) {
    return room_session(hall_room(find(table)));
}

static const char *move_text(const struct nonet_session *session, nonet_move move) {
    static char line[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    const struct nonet_options *options = nonet_session_options(session);
    options->game->print(options, move, &text);
    return line;
}

static const char *move_body(const char *table, struct nonet_random *random) {
    const struct nonet_session *session = session_at(table);
    return format("{\"wish\":\"move\",\"seat\":%d,\"ply\":%d,\"id\":\"%d\",\"move\":\"%s\"}",
                  nonet_session_turn(session), nonet_session_ply(session), next_id++,
                  move_text(session, random_move(session, random)));
}

/* The player whose turn it is makes some move; tokens of all players, by seat. */
static void play_on(char (*tokens)[VISITORS_TOKEN], const char *table) {
    int turn = nonet_session_turn(session_at(table));
    struct reply reply = post(tokens[turn - 1], table, move_body(table, &chance));
    CHECK(reply.status == 200, "%u %s", reply.status, reply.text);
}

/* A game of two people that has begun. */
static void begin_game(char (*tokens)[VISITORS_TOKEN], const char *game, const char *clock,
                       char table[TABLE_NAME]) {
    open_table(tokens[0], game, "", clock, "{\"name\":\"Ada\"},{}", table);
    sit(tokens[1], table, 2);
    assert_int_equal(room_phase(hall_room(find(table))), ROOM_PLAYING);
}

static const char *text_member(json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* ---- Listeners ---- */

static struct hall_listener listening(room_who who, int64_t told) {
    return (struct hall_listener){.who = who, .told = told};
}

static room_who who_of(const char *token) {
    return visitors_find(hall_visitors(hall), token);
}

/* The next thing a listener is told, as JSON to be freed; null if there is none. */
static json_t *hear(struct hall_listener *listener) {
    size_t length;
    const char *text = hall_next(hall, listener, now, &length);
    if (text == NULL)
        return NULL;
    CHECK(length == strlen(text) && strncmp(text, "data: {", 7) == 0 &&
              strcmp(text + length - 3, "}\n\n") == 0,
          "%s", text);
    json_t *event = json_loads(text + 6, 0, NULL);
    CHECK(event != NULL, "%s", text);
    return event;
}

/* Hears everything, and returns the names of the events, with a space after each. */
static const char *hear_all(struct hall_listener *listener) {
    static char names[4][1024];
    static int next;
    char *all = names[next++ % 4];
    struct nonet_text text = nonet_text_in(all, sizeof names[0]);
    for (json_t *event; (event = hear(listener)) != NULL;) {
        nonet_text_format(&text, "%s ", text_member(event, "event"));
        json_decref(event);
    }
    assert_false(text.cut);
    return all;
}

/* ---- Opening and asking ---- */

static void a_table_is_opened_once(void **unused) {
    (void)unused;
    static const char plan[] = "{\"id\":\"8\",\"game\":\"trix\",\"options\":{},\"clock\":" NO_CLOCK
                               ",\"seats\":[{\"name\":\"Ada\"},{}],\"listed\":true}";
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", table[TABLE_NAME];
    struct reply reply = ask(ada, "POST", "/api/tables", plan);
    assert_int_equal(reply.status, 201);
    assert_int_equal(strlen(ada), VISITORS_TOKEN - 1);
    snprintf(table, sizeof table, "%s", text_member(reply.json, "table"));
    assert_int_equal(json_integer_value(json_object_get(reply.json, "you")), 1);
    reply = ask(ada, "POST", "/api/tables", plan);
    assert_int_equal(reply.status, 201);
    assert_string_equal(text_member(reply.json, "table"), table);
    assert_string_not_equal(text_member(ask(bo, "POST", "/api/tables", plan).json, "table"), table);
    assert_int_equal(hall_count(hall).waiting, 2);
    restart();
    assert_string_equal(text_member(ask(ada, "POST", "/api/tables", plan).json, "table"), table);
    assert_int_equal(hall_count(hall).waiting, 2);
}

/* A refused request leaves no table, no visitor and no line behind. */
static void refusals_leave_nothing(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", nobody[VISITORS_TOKEN] = "";
    char table[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    int visitors = hall_count(hall).visitors;
    static const char *const bad_names[] = {"", "  ", "a\\u0001", "\\u007f"};
    for (int i = 0; i < 4; i++) {
        struct reply reply =
            ask(nobody, "POST", "/api/tables",
                format("{\"id\":\"9\",\"game\":\"trix\",\"options\":{},\"clock\":" NO_CLOCK
                       ",\"seats\":[{\"name\":\"%s\"},{}],\"listed\":true}",
                       bad_names[i]));
        CHECK(reply.status == 400, "%s", reply.text);
        reply = post(nobody, table,
                     format("{\"wish\":\"sit\",\"seat\":2,\"name\":\"%s\"}", bad_names[i]));
        CHECK(reply.status == 400, "%s", reply.text);
    }
    static const char *const no_games[] = {"", "tri", "trixx", "template", "TRIX"};
    for (int i = 0; i < 5; i++) {
        struct reply refused =
            ask(nobody, "POST", "/api/tables",
                format("{\"id\":\"9\",\"game\":\"%s\",\"options\":{},\"clock\":" NO_CLOCK
                       ",\"seats\":[{\"name\":\"Ada\"},{}],\"listed\":true}",
                       no_games[i]));
        CHECK(refused.status == 400, "%s", refused.text);
    }
    struct reply reply = post(nobody, table, "{\"wish\":\"sit\",\"seat\":1,\"name\":\"Eve\"}");
    assert_int_equal(reply.status, 409);
    assert_non_null(json_object_get(reply.json, "table"));
    assert_string_equal(nobody, "");
    assert_int_equal(hall_count(hall).visitors, visitors);
    assert_int_equal(hall_count(hall).waiting, 1);
    assert_int_equal(write_down(), 0);
    sit(bo, table, 2);
    static const struct {
        const char *who, *method, *rest, *body;
        unsigned status;
        const char *kind;
    } cases[] = {
        {"ada", "POST", "", "{}", 400, "malformed"},
        {"ada", "POST", "", "nonsense", 400, "malformed"},
        {"", "POST", "", "{\"wish\":\"resign\",\"seat\":1}", 401, "unknown"},
        {"", "GET", "/key?seat=1", "", 401, "unknown"},
        {"forged", "POST", "", "{\"wish\":\"resign\",\"seat\":1}", 401, "unknown"},
        {"bo", "POST", "", "{\"wish\":\"resign\",\"seat\":1}", 403, "forbidden"},
        {"bo", "GET", "/key?seat=1", "", 403, "forbidden"},
        {"bo", "GET", "/key?seat=3", "", 400, "malformed"},
        {"bo", "GET", "/key", "", 400, "malformed"},
        {"bo", "POST", "/key", "{\"seat\":1,\"key\":\"\"}", 403, "forbidden"},
        {"bo", "PUT", "", "", 405, "method"},
        {"bo", "POST", "/record", "{}", 405, "method"},
        {"bo", "GET", "/", "", 404, "missing"},
        {"bo", "GET", "/records", "", 404, "missing"},
        {"ada", "POST", "", "{\"wish\":\"stand\",\"seat\":1}", 409, "conflict"},
        {"ada", "POST", "", "{\"wish\":\"claim\",\"seat\":1}", 409, "conflict"},
        {"ada", "POST", "",
         "{\"wish\":\"move\",\"seat\":1,\"ply\":1,\"id\":\"1\",\"move\":\"a1b2\"}", 409,
         "conflict"},
        {"ada", "POST", "", "{\"wish\":\"move\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"move\":\"zz\"}",
         400, "malformed"},
    };
    static char forged[VISITORS_TOKEN] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *who = strcmp(cases[i].who, "ada") == 0      ? ada
                    : strcmp(cases[i].who, "bo") == 0     ? bo
                    : strcmp(cases[i].who, "forged") == 0 ? forged
                                                          : nobody;
        reply = ask(who, cases[i].method, path_of(table, cases[i].rest), cases[i].body);
        CHECK(reply.status == cases[i].status &&
                  strcmp(text_member(reply.json, "kind"), cases[i].kind) == 0,
              "case %zu: %u %s", i, reply.status, reply.text);
        assert_int_equal(write_down(), 0);
    }
    /* A move that can be written, but is against the rules. */
    const struct nonet_session *session = session_at(table);
    const struct nonet_options *options = nonet_session_options(session);
    char text[8] = "";
    for (int i = 0; i < 256; i++) {
        nonet_move move;
        struct nonet_message message;
        snprintf(text, sizeof text, "%c%d%c%d", 'a' + i / 64, i / 16 % 4 + 1, 'a' + i / 4 % 4,
                 i % 4 + 1);
        if (options->game->parse(options, text, &move, &message) &&
            !nonet_session_legal(session, move, &message))
            break;
    }
    reply =
        post(ada, table,
             format("{\"wish\":\"move\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"move\":\"%s\"}", text));
    CHECK(reply.status == 422 && strcmp(text_member(reply.json, "kind"), "illegal") == 0, "%s %s",
          text, reply.text);
    assert_int_equal(write_down(), 0);
    assert_int_equal(get(ada, "/api/tables/0000000000001").status, 404);
    assert_int_equal(get(ada, "/api/tables/0000000000000").status, 404);
    assert_int_equal(get(ada, "/api/tables/..").status, 404);
}

static void nothing_is_told_before_it_is_on_disk(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, nobody[VISITORS_TOKEN] = "", table[TABLE_NAME];
    begin_game(tokens, "trix", NO_CLOCK, table);
    struct hall_listener one = listening(0, 0);
    hall_listen(hall, &one, find(table), now);
    assert_string_equal(hear_all(&one), "table ");
    struct desk_call call =
        decide(tokens[0], "POST", path_of(table, ""), move_body(table, &chance));
    assert_int_not_equal(call.batch, 0);
    assert_int_equal(hall_unsettled(find(table), 0), call.batch);
    assert_string_equal(hear_all(&one), "");
    struct hall_listener late = listening(0, 0);
    hall_listen(hall, &late, find(table), now);
    assert_string_equal(hear_all(&late), "");
    assert_int_equal(json_array_size(json_object_get(get(nobody, "/api/tables").json, "tables")),
                     0);
    /* Who asks for the table waits, too; and so does who asks something else of it. */
    assert_int_equal(decide(NULL, "GET", path_of(table, ""), "").batch, call.batch);
    woken = 0;
    int64_t before = hall_number(find(table));
    write_down();
    assert_int_equal(woken, 2);
    assert_int_equal(hall_unsettled(find(table), 0), 0);
    struct reply reply = give_answer(&call);
    assert_int_equal(reply.status, 200);
    assert_int_equal(json_integer_value(json_object_get(reply.json, "number")), before + 1);
    assert_string_equal(hear_all(&one), "moved ");
    assert_string_equal(hear_all(&late), "table ");
    assert_int_equal(json_array_size(json_object_get(get(nobody, "/api/tables").json, "tables")),
                     1);
    hall_leave(hall, &one, now);
    hall_leave(hall, &late, now);
}

/* Somebody who talks all the time keeps nobody from seeing the table; what is said is told when it
 * is on disk, once. */
static void talk_hides_no_table(void **unused) {
    (void)unused;
    static const char talk[] = "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}";
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "trix", NO_CLOCK, table);
    int64_t before = hall_number(find(table)), heard = 0;
    struct hall_listener late = listening(0, 0);
    struct desk_call call = decide(tokens[1], "POST", path_of(table, ""), talk);
    assert_int_equal(call.batch, hall_gathered(hall));
    for (int i = 0; i < 3 * HALL_KEPT; i++) {
        int count;
        uint64_t batch;
        const struct store_line *lines = hall_batch(hall, &count, &batch);
        for (int j = 0; j <= i % 2 * 2 * HALL_KEPT; j++) /* while the batch is written */
            decide(tokens[1], "POST", path_of(table, ""), talk);
        if (i == 5)
            hall_listen(hall, &late, find(table), now);
        for (json_t *event; i >= 5 && (event = hear(&late)) != NULL;) {
            int64_t number = json_integer_value(json_object_get(event, "number"));
            bool whole = strcmp(text_member(event, "event"), "table") == 0;
            CHECK(number == heard + 1 || whole || number == 0, "%" PRId64, number);
            CHECK(number <= hall_number(find(table)), "it is not on disk");
            heard = number != 0 ? number : heard;
            json_decref(event);
        }
        CHECK(i < 5 || heard == hall_number(find(table)), "waits");
        assert_int_equal(decide(tokens[0], "GET", path_of(table, ""), "").batch, 0);
        assert_int_equal(decide(tokens[1], "GET", path_of(table, ""), "").batch, batch + 1);
        struct nonet_text text = NONET_TEXT_IN(why);
        int64_t first;
        CHECK(store_append(store, lines, count, &first, &text), "%s", why);
        hall_written(hall, first, now);
    }
    write_down();
    assert_int_equal(json_integer_value(json_object_get(give_answer(&call).json, "number")),
                     hall_number(find(table)));
    assert_true(hall_number(find(table)) > before + 100);
    hall_leave(hall, &late, now);
}

/* A table that goes on while somebody waits to be told about it is told when that is on disk, too.
 */
static void who_waits_may_wait_again(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "trix", NO_CLOCK, table);
    decide(tokens[0], "POST", path_of(table, ""), move_body(table, &chance));
    struct desk_call waiting = decide(NULL, "GET", path_of(table, ""), "");
    int count;
    uint64_t batch;
    const struct store_line *lines = hall_batch(hall, &count, &batch);
    decide(tokens[1], "POST", path_of(table, ""), move_body(table, &chance));
    struct nonet_text text = NONET_TEXT_IN(why);
    int64_t first;
    assert_true(store_append(store, lines, count, &first, &text));
    hall_written(hall, first, now);
    assert_int_equal(waiting.batch, batch);
    assert_int_equal(desk_waits(hall, &waiting, now), batch + 1);
    write_down();
    assert_int_equal(desk_waits(hall, &waiting, now), 0);
    assert_int_equal(json_array_size(json_object_get(give_answer(&waiting).json, "moves")), 2);
}

/* A new visitor learns their token when it is on disk, whatever was answered. */
static void a_token_is_told_when_it_is_on_disk(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", table[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    static const struct {
        const char *rest, *body;
    } requests[] = {{"", "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Bo\"}"},
                    {"", "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Cy\"}"}};
    for (int i = 0; i < 2; i++) {
        struct desk_call call =
            decide(NULL, "POST", path_of(table, requests[i].rest), requests[i].body);
        assert_true(call.token[0] == '\0' || call.batch != 0);
    }
    write_down();
}

/* Who is known before they take a seat can ask for it again if the answer is lost. */
static void a_lost_answer_costs_no_seat(void **unused) {
    (void)unused;
    static const char wish[] = "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Bo\"}";
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", table[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    struct desk_call lost = decide(NULL, "POST", "/api/me", "{}");
    assert_true(lost.token[0] != '\0' && lost.batch != 0);
    write_down();
    struct reply reply = ask(bo, "POST", "/api/me", "{}");
    assert_int_equal(reply.status, 200);
    assert_true(bo[0] != '\0' && strcmp(bo, lost.token) != 0);
    assert_int_equal(decide(bo, "POST", "/api/me", "{}").batch, 0);
    assert_int_equal(decide(bo, "POST", "/api/me", "{}").token[0], '\0');
    for (int i = 0; i < 2; i++) {
        struct desk_call call = decide(bo, "POST", path_of(table, ""), wish);
        assert_int_equal(call.status, 200);
        assert_int_equal(call.token[0], '\0');
    }
    write_down();
}

/* ---- Failing disks ---- */

static void failing_leaves_what_is_on_disk(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, cy[VISITORS_TOKEN] = "", table[TABLE_NAME];
    begin_game(tokens, "trix", NO_CLOCK, table);
    play_on(tokens, table);
    struct hall_listener one = listening(who_of(tokens[0]), 0);
    hall_listen(hall, &one, find(table), now);
    char whole[DESK_TEXT];
    strcpy(whole, get(tokens[0], path_of(table, "")).text);
    hear_all(&one);
    int64_t number = hall_number(find(table));
    struct hall_counts before = hall_count(hall);
    for (int round = 0; round < 3; round++) {
        /* A batch that is being written, and one that is gathered meanwhile. */
        struct desk_call move =
            decide(tokens[1], "POST", path_of(table, ""), move_body(table, &chance));
        struct desk_call opened =
            decide(NULL, "POST", "/api/tables",
                   format("{\"id\":\"%d\",\"game\":\"trix\",\"options\":{},\"clock\":" NO_CLOCK
                          ",\"seats\":[{\"name\":\"Cy\"},{}],\"listed\":true}",
                          next_id++));
        int count;
        uint64_t batch;
        assert_non_null(hall_batch(hall, &count, &batch));
        assert_int_equal(batch, move.batch);
        struct desk_call later = decide(tokens[0], "POST", path_of(table, ""),
                                        "{\"wish\":\"say\",\"seat\":1,\"phrase\":1}");
        assert_int_equal(later.batch, batch + 1);
        hall_failed(hall, now);
        assert_string_equal(get(tokens[0], path_of(table, "")).text, whole);
        assert_int_equal(hall_number(find(table)), number);
        struct hall_counts after = hall_count(hall);
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(who_of(opened.token), 0);
        assert_int_equal(give_answer(&opened).status, 503);
        assert_string_equal(hear_all(&one), "");
        assert_int_equal(write_down(), 0);
    }
    /* And it goes on. */
    play_on(tokens, table);
    assert_string_equal(hear_all(&one), "moved ");
    hall_leave(hall, &one, now);
    open_table(cy, "kolem", "", NO_CLOCK, "{\"name\":\"Cy\"},{}", table);
    restart();
    assert_int_not_equal(who_of(cy), 0);
    assert_int_equal(hall_count(hall).playing, 1);
    assert_int_equal(hall_count(hall).waiting, 1);
}

/* The server's secret is in the first batch. Without it no later line could be read again. */
static void the_first_batch_fails(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", table[TABLE_NAME];
    lose();
    lose();
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    char key[64];
    snprintf(key, sizeof key, "%s",
             text_member(get(ada, path_of(table, "/key?seat=1")).json, "key"));
    restart();
    assert_int_not_equal(who_of(ada), 0);
    assert_string_equal(text_member(get(ada, path_of(table, "/key?seat=1")).json, "key"), key);
}

/* ---- Read again ---- */

static void a_table_is_read_again_as_it_was(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count; g++) {
        char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME], nobody[VISITORS_TOKEN] = "";
        begin_game(tokens, nonet_games[g]->id, NO_CLOCK, table);
        int most = nonet_games[g]->wide != NULL ? 3 : 12;
        for (int ply = 0; ply < most && room_phase(hall_room(find(table))) == ROOM_PLAYING; ply++)
            play_on(tokens, table);
        post(tokens[0], table,
             format("{\"wish\":\"offer\",\"seat\":1,\"offer\":\"draw\",\"id\":\"%d\",\"ply\":%d}",
                    next_id++, nonet_session_ply(session_at(table))));
        char before[3][DESK_TEXT];
        for (int over = 0; over < 2; over++) {
            for (int v = 0; v < 3; v++)
                strcpy(before[v], get(v < 2 ? tokens[v] : nobody, path_of(table, "")).text);
            restart();
            for (int v = 0; v < 3; v++)
                assert_string_equal(get(v < 2 ? tokens[v] : nobody, path_of(table, "")).text,
                                    before[v]);
            post(tokens[1], table, "{\"wish\":\"resign\",\"seat\":2}");
        }
        assert_int_equal(room_phase(hall_room(find(table))), ROOM_OVER);
    }
}

/* ---- Listening ---- */

/* Everybody hears every event once and in order, wherever they begin, and whenever they hear. */
static void every_event_once_and_in_order(void **unused) {
    (void)unused;
    enum { LISTENERS = 6, ROUNDS = 300 };
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "ksar", NO_CLOCK, table);
    struct hall_listener listeners[LISTENERS];
    int64_t heard[LISTENERS];
    int plies[LISTENERS], events = 0, snapshots = 0;
    for (int i = 0; i < LISTENERS; i++) {
        listeners[i] = listening(i % 3 == 0 ? 0 : who_of(tokens[i % 2]), 0);
        hall_listen(hall, &listeners[i], find(table), now);
        json_t *whole = hear(&listeners[i]);
        heard[i] = json_integer_value(json_object_get(whole, "number"));
        plies[i] = 0;
        json_decref(whole);
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (room_phase(hall_room(find(table))) == ROOM_PLAYING && nonet_random_below(&chance, 2)) {
            int turn = nonet_session_turn(session_at(table));
            decide(tokens[turn - 1], "POST", path_of(table, ""), move_body(table, &chance));
        } else {
            decide(tokens[round % 2], "POST", path_of(table, ""),
                   format("{\"wish\":\"say\",\"seat\":%d,\"phrase\":%d}", round % 2 + 1,
                          round % ROOM_PHRASES));
        }
        if (nonet_random_below(&chance, 3) == 0)
            write_down();
        int i = (int)nonet_random_below(&chance, LISTENERS);
        if (nonet_random_below(&chance, 8) == 0) { /* cut off, and comes back where it was */
            int64_t told = listeners[i].told;
            hall_leave(hall, &listeners[i], now);
            listeners[i] = listening(listeners[i].who, told);
            hall_listen(hall, &listeners[i], find(table), now);
        }
        if (i == 5 && round < ROUNDS - 50)
            continue; /* is away for long, and falls behind */
        for (json_t *event; (event = hear(&listeners[i])) != NULL; json_decref(event)) {
            const char *kind = text_member(event, "event");
            int64_t number = json_integer_value(json_object_get(event, "number"));
            if (strcmp(kind, "present") == 0)
                continue;
            if (strcmp(kind, "table") == 0) {
                heard[i] = number;
                plies[i] = (int)json_array_size(json_object_get(event, "moves"));
                snapshots++;
                continue;
            }
            /* Each table counts for itself, so numbers follow each other. */
            CHECK(number == heard[i] + 1, "%" PRId64 " after %" PRId64, number, heard[i]);
            heard[i] = number;
            events++;
            if (strcmp(kind, "moved") == 0)
                assert_int_equal(json_integer_value(json_object_get(event, "ply")), plies[i]++);
        }
    }
    write_down();
    for (int i = 0; i < LISTENERS; i++) {
        hear_all(&listeners[i]);
        assert_int_equal(listeners[i].told, hall_number(find(table)));
        hall_leave(hall, &listeners[i], now);
    }
    CHECK(events > ROUNDS && snapshots > 0, "%d events, %d snapshots", events, snapshots);
}

static void who_is_too_far_behind_gets_the_table(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "trix", NO_CLOCK, table);
    int64_t first = hall_number(find(table));
    for (int i = 0; i < HALL_KEPT; i++)
        post(tokens[0], table, "{\"wish\":\"say\",\"seat\":1,\"phrase\":0}");
    static const struct {
        int64_t back; /* from the last number */
        bool whole;
    } cases[] = {{0, false}, {1, false}, {HALL_KEPT, false}, {HALL_KEPT + 1, true}, {-1, true}};
    int64_t last = hall_number(find(table));
    assert_int_equal(last, first + HALL_KEPT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hall_listener one = listening(0, last - cases[i].back);
        hall_listen(hall, &one, find(table), now);
        const char *heard = hear_all(&one);
        if (cases[i].whole)
            assert_string_equal(heard, "table ");
        else
            assert_int_equal(strlen(heard), (size_t)cases[i].back * 5 + strlen("present "));
        hall_leave(hall, &one, now);
    }
}

static json_int_t present_bits(const char *table) {
    char nobody[VISITORS_TOKEN] = "";
    json_int_t bits = 0;
    size_t i;
    json_t *seat;
    json_array_foreach(json_object_get(get(nobody, path_of(table, "")).json, "seats"), i,
                       seat) if (json_is_true(json_object_get(seat, "present"))) bits |= 1 << i;
    return bits;
}

static void who_listens_is_present(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME], other[TABLE_NAME];
    open_table(tokens[1], "trix", "", NO_CLOCK, "{\"name\":\"Bo\"},{}", other);
    open_table(tokens[0], "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    struct hall_listener ada = listening(who_of(tokens[0]), 0), again = ada;
    struct hall_listener bo = listening(who_of(tokens[1]), 0), spectator = listening(0, 0);
    hall_listen(hall, &spectator, find(table), now);
    assert_int_equal(present_bits(table), 0);
    hall_listen(hall, &ada, find(table), now);
    hall_listen(hall, &again, find(table), now);
    assert_int_equal(present_bits(table), 1);
    assert_string_equal(hear_all(&spectator), "table ");
    /* Bo listens, then sits down. */
    hall_listen(hall, &bo, find(table), now);
    assert_int_equal(present_bits(table), 1);
    sit(tokens[1], table, 2);
    assert_int_equal(present_bits(table), 3);
    assert_string_equal(hear_all(&spectator), "sat began present ");
    hall_leave(hall, &again, now);
    assert_int_equal(present_bits(table), 3);
    hall_leave(hall, &ada, now);
    assert_int_equal(present_bits(table), 2);
    assert_string_equal(hear_all(&spectator), "present ");
    hall_leave(hall, &bo, now);
    hall_leave(hall, &spectator, now);
    /* Who stands up is not present at the seat any more. */
    hall_listen(hall, &bo, find(other), now);
    assert_int_equal(present_bits(other), 1);
    assert_int_equal(post(tokens[1], other, "{\"wish\":\"stand\",\"seat\":1}").status, 200);
    assert_int_equal(present_bits(other), 0);
    hall_leave(hall, &bo, now);
}

/* Whoever listens has no seat if sitting down could not be written. */
static void nobody_is_present_at_an_empty_seat(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", table[TABLE_NAME], other[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    open_table(bo, "trix", "", NO_CLOCK, "{\"name\":\"Bo\"},{}", other);
    decide(bo, "POST", path_of(table, ""), "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Bo\"}");
    struct hall_listener one = listening(who_of(bo), 0);
    hall_listen(hall, &one, find(table), now);
    lose();
    json_t *seats = json_object_get(get(ada, path_of(table, "")).json, "seats");
    assert_null(json_object_get(json_array_get(seats, 1), "present"));
    sit(bo, table, 2);
    seats = json_object_get(get(ada, path_of(table, "")).json, "seats");
    assert_true(json_is_true(json_object_get(json_array_get(seats, 1), "present")));
    hall_leave(hall, &one, now);
}

/* Only who has been away since the turn began can be claimed to have left. */
static void a_claim_needs_a_long_absence(void **unused) {
    (void)unused;
    static const char claim[] = "{\"wish\":\"claim\",\"seat\":2}";
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    open_table(tokens[0], "trix", "", LONG_CLOCK, "{\"name\":\"Ada\"},{}", table);
    now += 10 * ROOM_ABSENCE; /* Ada waits for somebody, without listening */
    sit(tokens[1], table, 2);
    assert_int_equal(post(tokens[1], table, claim).status, 409);
    now += ROOM_ABSENCE / 2;
    play_on(tokens, table); /* Ada, a program that does not listen, plays */
    now += 2 * ROOM_ABSENCE;
    play_on(tokens, table); /* and Bo thinks for long */
    assert_int_equal(post(tokens[1], table, claim).status, 409);
    now += ROOM_ABSENCE - 1;
    assert_int_equal(post(tokens[1], table, claim).status, 409);
    struct hall_listener ada = listening(who_of(tokens[0]), 0);
    hall_listen(hall, &ada, find(table), now);
    now += 2 * ROOM_ABSENCE;
    assert_int_equal(post(tokens[1], table, claim).status, 409);
    hall_leave(hall, &ada, now);
    now += ROOM_ABSENCE - 1;
    assert_int_equal(post(tokens[1], table, claim).status, 409);
    now += 1;
    assert_int_equal(post(tokens[1], table, claim).status, 200);
    assert_int_equal(room_ending(hall_room(find(table))), ROOM_DESERTED);
}

/* ---- Rematches ---- */

static void a_rematch_turns_seats_and_deals_again(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, third[VISITORS_TOKEN] = "", table[TABLE_NAME];
    open_table(tokens[0], "masker", "\"players\":\"3\"", GAME_CLOCK,
               "{\"name\":\"Ada\"},{\"level\":4},{}", table);
    sit(tokens[1], table, 3);
    struct nonet_options first = *nonet_session_options(session_at(table));
    assert_int_equal(post(tokens[0], table, "{\"wish\":\"resign\",\"seat\":1}").status, 200);
    static const char offer[] =
        "{\"wish\":\"offer\",\"seat\":1,\"offer\":\"rematch\",\"id\":\"5\",\"ply\":0}";
    static const char accept[] =
        "{\"wish\":\"accept\",\"seat\":3,\"offer\":\"rematch\",\"id\":\"5\",\"ply\":0}";
    assert_int_equal(post(tokens[0], table, offer).status, 200);
    assert_int_equal(post(third, table, accept).status, 401);
    assert_int_equal(post(tokens[1], table, accept).status, 200);
    uint64_t next = room_next(hall_room(find(table)));
    struct hall_table *rematch = hall_find(hall, next, now);
    assert_non_null(rematch);
    const struct room *room = hall_room(rematch);
    assert_int_equal(room_phase(room), ROOM_PLAYING);
    assert_int_equal(room_seat(room, 2)->who, who_of(tokens[0]));
    assert_string_equal(room_seat(room, 2)->name, "Ada");
    assert_int_equal(room_seat(room, 3)->level, 4);
    assert_int_equal(room_seat(room, 1)->who, who_of(tokens[1]));
    assert_int_equal(room_clocks(room)->left[0], 60000);
    const struct nonet_options *second = nonet_session_options(room_session(room));
    assert_int_equal(second->players, 3);
    assert_int_equal(second->game == first.game, 1);
    assert_memory_not_equal(second, &first, sizeof first);
    /* There is one rematch of a game, however often it is asked for. */
    assert_int_equal(post(tokens[1], table, accept).status, 200);
    assert_int_equal(post(tokens[0], table,
                          "{\"wish\":\"offer\",\"seat\":1,\"offer\":\"rematch\",\"id\":\"6\","
                          "\"ply\":0}")
                         .status,
                     409);
    assert_int_equal(hall_count(hall).playing, 1);
    restart();
    assert_int_equal(room_next(hall_room(find(table))), next);
}

/* ---- Keys of seats ---- */

static void a_key_opens_one_seat_of_one_sitting(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", eve[VISITORS_TOKEN] = "";
    char table[TABLE_NAME], other[TABLE_NAME], key[64], old[64];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", other);
    snprintf(key, sizeof key, "%s",
             text_member(get(ada, path_of(table, "/key?seat=1")).json, "key"));
    assert_int_equal(strlen(key), VISITORS_SEAT_KEY - 1);
    assert_int_equal(get(ada, path_of(table, "/key?seat=2")).status, 403);
    static const struct {
        int seat, change; /* of the key's first letter */
        unsigned status;
    } cases[] = {{2, 0, 403}, {1, 1, 403}, {0, 0, 403}, {4, 0, 403}, {1, 0, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char tried[64], fresh[VISITORS_TOKEN] = "";
        snprintf(tried, sizeof tried, "%s", key);
        if (cases[i].change)
            tried[0] = tried[0] == 'A' ? 'B' : 'A';
        struct reply reply = ask(fresh, "POST", path_of(table, "/key"),
                                 format("{\"seat\":%d,\"key\":\"%s\"}", cases[i].seat, tried));
        CHECK(reply.status == cases[i].status, "case %zu: %s", i, reply.text);
        assert_int_equal(*fresh != '\0', cases[i].status == 200);
        assert_int_equal(room_seat_of(hall_room(find(table)), who_of(fresh)),
                         cases[i].status == 200 ? 1 : 0);
    }
    assert_int_equal(room_seat_of(hall_room(find(table)), who_of(ada)), 0);
    assert_int_equal(
        ask(ada, "POST", path_of(other, "/key"), format("{\"seat\":1,\"key\":\"%s\"}", key)).status,
        403);
    /* It can be used again, and by who lost the seat. */
    assert_int_equal(
        ask(ada, "POST", path_of(table, "/key"), format("{\"seat\":1,\"key\":\"%s\"}", key)).status,
        200);
    assert_int_equal(room_seat_of(hall_room(find(table)), who_of(ada)), 1);
    /* A key that was got at an earlier sitting does not take the seat from who sits there now. */
    sit(eve, other, 2);
    assert_int_equal(room_phase(hall_room(find(other))), ROOM_PLAYING);
    open_table(ada, "chasm", "\"players\":\"3\"", NO_CLOCK, "{\"name\":\"Ada\"},{},{}", other);
    sit(eve, other, 2);
    snprintf(old, sizeof old, "%s",
             text_member(get(eve, path_of(other, "/key?seat=2")).json, "key"));
    assert_int_equal(post(eve, other, "{\"wish\":\"stand\",\"seat\":2}").status, 200);
    assert_int_equal(
        ask(eve, "POST", path_of(other, "/key"), format("{\"seat\":2,\"key\":\"%s\"}", old)).status,
        403);
    sit(bo, other, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            ask(eve, "POST", path_of(other, "/key"), format("{\"seat\":2,\"key\":\"%s\"}", old))
                .status,
            403);
        assert_int_equal(room_seat_of(hall_room(find(other)), who_of(bo)), 2);
        restart();
    }
    snprintf(key, sizeof key, "%s",
             text_member(get(bo, path_of(other, "/key?seat=2")).json, "key"));
    assert_string_not_equal(key, old);
    /* Nor is the key of the next sitting told to who asked for theirs, and then stood up. */
    open_table(ada, "chasm", "\"players\":\"3\"", NO_CLOCK, "{\"name\":\"Ada\"},{},{}", other);
    static const char sits[] = "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Bo\"}";
    decide(eve, "POST", path_of(other, ""), sits);
    struct desk_call waiting = decide(eve, "GET", path_of(other, "/key?seat=2"), "");
    int count;
    uint64_t batch;
    const struct store_line *lines = hall_batch(hall, &count, &batch);
    assert_int_equal(waiting.batch, batch);
    decide(eve, "POST", path_of(other, ""), "{\"wish\":\"stand\",\"seat\":2}");
    decide(bo, "POST", path_of(other, ""), sits);
    struct nonet_text text = NONET_TEXT_IN(why);
    int64_t first;
    assert_true(store_append(store, lines, count, &first, &text));
    hall_written(hall, first, now);
    snprintf(old, sizeof old, "%s", text_member(give_answer(&waiting).json, "key"));
    write_down();
    assert_int_equal(
        ask(eve, "POST", path_of(other, "/key"), format("{\"seat\":2,\"key\":\"%s\"}", old)).status,
        403);
}

/* ---- Hidden information ---- */

/* Before a game begins, who sits down sees no disc: they could stand up again and leave the seat to
 * somebody whose disc they know. */
static void no_disc_before_the_game_begins(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", nobody[VISITORS_TOKEN] = "";
    char table[TABLE_NAME], seen[NONET_POSITION_TEXT];
    open_table(ada, "masker", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    struct hall_listener one = listening(who_of(ada), 0), spectator = listening(0, 0);
    hall_listen(hall, &one, find(table), now);
    hall_listen(hall, &spectator, find(table), now);
    snprintf(seen, sizeof seen, "%s", text_member(get(nobody, path_of(table, "")).json, "seen"));
    assert_string_not_equal(seen, "");
    struct reply own = get(ada, path_of(table, ""));
    assert_string_equal(text_member(own.json, "seen"), seen);
    assert_string_equal(text_member(own.json, "first"), seen);
    assert_int_equal(json_integer_value(json_object_get(own.json, "you")), 1);
    hear_all(&one);
    hear_all(&spectator);
    sit(bo, table, 2);
    /* Then everybody is told what they see now. */
    json_t *event;
    char begun[2][NONET_POSITION_TEXT] = {"", ""};
    struct hall_listener *both[] = {&one, &spectator};
    for (int i = 0; i < 2; i++)
        for (; (event = hear(both[i])) != NULL; json_decref(event)) {
            assert_string_not_equal(text_member(event, "event"), "began");
            if (strcmp(text_member(event, "event"), "table") == 0) {
                assert_string_equal(text_member(event, "phase"), "playing");
                snprintf(begun[i], sizeof begun[i], "%s", text_member(event, "first"));
            }
        }
    assert_string_not_equal(begun[0], seen);
    assert_string_equal(begun[1], seen);
    hall_leave(hall, &one, now);
    hall_leave(hall, &spectator, now);
}

/* Two servers with the same table, at which only the others' discs differ, tell a viewer the same
 * bytes, in the same order: live, to who comes back, in lists, and when they refuse. */
enum { HEARD = 64 * 1024 };
struct server {
    char path[128];
    struct store *store;
    struct hall *hall;
    struct hall_listener listeners[2]; /* a spectator, and player 1 */
    char heard[2][HEARD];
    size_t length[2];
};

static char twin_tokens[4][VISITORS_TOKEN];

static void use(const struct server *server) {
    store = server->store;
    hall = server->hall;
}

static void open_twin(struct server *server, int number, const struct room_plan *room,
                      const char *visitors, size_t visitors_length) {
    snprintf(server->path, sizeof server->path, "%s/twin-%d", folder, number);
    struct nonet_text text = NONET_TEXT_IN(why);
    store = server->store = store_open(server->path, &text);
    CHECK(store != NULL, "%s", why);
    /* The same visitors, and the table as a log has it. */
    struct store_line lines[16];
    int count = 0;
    for (const char *at = visitors; at < visitors + visitors_length; at += strlen(at) + 1)
        lines[count++] = (struct store_line){.text = at, .length = strlen(at)};
    char bytes[4096];
    struct nonet_text line = NONET_TEXT_IN(bytes);
    struct nonet_json json = nonet_json_in(&line);
    struct plan plan = {.room = *room, .listed = true, .by = 1};
    plan_write(&json, &plan);
    lines[count++] = (struct store_line){.table = 12345, .text = bytes, .length = line.length};
    int64_t first;
    assert_true(store_append(store, lines, count, &first, &text));
    hall = server->hall = hall_open(store, now, wake, &text);
    CHECK(hall != NULL, "%s", why);
    for (int i = 0; i < 2; i++) {
        server->length[i] = 0;
        server->listeners[i] = listening(i == 0 ? 0 : who_of(twin_tokens[0]), 0);
        hall_listen(hall, &server->listeners[i], hall_find(hall, 12345, now), now);
    }
}

static void close_twin(struct server *server) {
    use(server);
    for (int i = 0; i < 2; i++)
        hall_leave(hall, &server->listeners[i], now);
    close_hall();
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++)
        remove(format("%s%s", server->path, ends[i]));
}

static void note(struct server *server, int viewer, const char *text, size_t length) {
    assert_true(server->length[viewer] + length < HEARD);
    memcpy(server->heard[viewer] + server->length[viewer], text, length + 1);
    server->length[viewer] += length;
}

/* Everything that the two viewers get to know now. */
static void hear_twin(struct server *server, int round) {
    char name[TABLE_NAME];
    table_name_write(12345, name);
    for (int viewer = 0; viewer < 2; viewer++) {
        struct hall_listener *listener = &server->listeners[viewer];
        size_t length;
        for (const char *text; (text = hall_next(hall, listener, now, &length)) != NULL;)
            note(server, viewer, text, length);
        if (round % 5 == 3) { /* comes back, with or without a number */
            struct hall_listener again = listening(listener->who, round % 2 ? listener->told : 0);
            hall_leave(hall, listener, now);
            *listener = again;
            hall_listen(hall, listener, hall_find(hall, 12345, now), now);
        }
        char *token = viewer == 1 ? twin_tokens[0] : (char[VISITORS_TOKEN]){""};
        const char *const places[] = {path_of(name, ""), path_of(name, "/record"), "/api/tables",
                                      "/api/me"};
        for (int i = 0; i < 4; i++) {
            struct reply reply = get(token, places[i]);
            note(server, viewer, reply.text, strlen(reply.text));
        }
        struct reply reply = post(token, name, "{\"wish\":\"claim\",\"seat\":1}");
        note(server, viewer, reply.text, strlen(reply.text));
        reply =
            post(token, name,
                 format("{\"wish\":\"move\",\"seat\":1,\"ply\":%d,\"id\":\"99\",\"move\":\"%s\"}",
                        nonet_session_ply(session_at(name)), "a1a1"));
        note(server, viewer, reply.text, strlen(reply.text));
    }
}

static const char *spectators_view(void) {
    static char lines[2][NONET_POSITION_TEXT];
    static int next;
    char *line = lines[next++ % 2];
    struct nonet_text text = nonet_text_in(line, NONET_POSITION_TEXT);
    const struct nonet_session *session = room_session(hall_room(hall_find(hall, 12345, now)));
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_state seen;
    nonet_observe(options, nonet_session_state(session), NONET_SPECTATOR, &seen);
    options->game->write(options, &seen, &text);
    return line;
}

/* Lines of a log, each with a zero at its end. */
struct gathered {
    char *bytes;
    size_t length;
};

static bool gather(void *context, int64_t number, const struct store_line *line) {
    (void)number;
    struct gathered *gathered = context;
    memcpy(gathered->bytes + gathered->length, line->text, line->length);
    gathered->length += line->length;
    gathered->bytes[gathered->length++] = '\0';
    return true;
}

/* Visitors for all twins: those of this hall. */
static struct gathered visitors_of_twins(char *bytes) {
    char table[TABLE_NAME];
    for (int i = 0; i < 4; i++) {
        twin_tokens[i][0] = '\0';
        open_table(twin_tokens[i], "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    }
    write_down();
    struct gathered gathered = {bytes, 0};
    struct nonet_text text = NONET_TEXT_IN(why);
    assert_true(store_read(store, 0, gather, &gathered, &text));
    return gathered;
}

static void others_discs_change_no_byte(void **unused) {
    (void)unused;
    char visitors[4096] = "";
    struct gathered gathered = visitors_of_twins(visitors);
    struct store *own_store = store;
    struct hall *own_hall = hall;
    static struct server servers[2];
    size_t compared = 0;
    for (int game = 0; game < 24; game++) {
        static const char *const games[] = {"masker", "masker:variant=3d", "masker:players=3",
                                            "masker:players=4"};
        struct nonet_options one = options_of(games[game % 4]), two;
        nonet_options_deal(&one, (uint64_t)game, 1);
        two = one;
        struct nonet_message message;
        bool three = one.players == 3;
        assert_true(nonet_options_set(&one, three ? "colours=RYG" : "colours=RY", &message));
        assert_true(nonet_options_set(&two, three ? "colours=RBV" : "colours=RV", &message));
        open_twin(&servers[0], 0, &(struct room_plan){.options = one}, visitors, gathered.length);
        open_twin(&servers[1], 1, &(struct room_plan){.options = two}, visitors, gathered.length);
        char name[TABLE_NAME];
        table_name_write(12345, name);
        for (int round = 0;; round++) {
            int ply = round - one.players;
            char body[256] = "";
            char *who = NULL;
            for (int i = 0; i < 2; i++) {
                use(&servers[i]);
                if (round < one.players) {
                    sit(twin_tokens[round], name, round + 1);
                } else {
                    if (i == 0) {
                        const struct nonet_session *session = session_at(name);
                        who = twin_tokens[nonet_session_turn(session) - 1];
                        snprintf(body, sizeof body,
                                 "{\"wish\":\"move\",\"seat\":%d,\"ply\":%d,\"id\":\"%d\","
                                 "\"move\":\"%s\"}",
                                 nonet_session_turn(session), ply, ply + 1,
                                 move_text(session, random_move(session, &chance)));
                    }
                    assert_int_equal(post(who, name, body).status, 200);
                }
            }
            bool goes_on = true;
            const char *views[2];
            for (int i = 0; i < 2; i++) {
                use(&servers[i]);
                views[i] = spectators_view();
                goes_on &= room_phase(hall_room(find(name))) != ROOM_OVER;
            }
            if (!goes_on || strcmp(views[0], views[1]) != 0)
                break; /* what is public differs now */
            for (int i = 0; i < 2; i++) {
                use(&servers[i]);
                hear_twin(&servers[i], round);
            }
            for (int viewer = 0; viewer < 2; viewer++) {
                assert_string_equal(servers[0].heard[viewer], servers[1].heard[viewer]);
                compared += servers[0].length[viewer];
                assert_null(strstr(servers[0].heard[viewer], "colours"));
                servers[0].length[viewer] = servers[1].length[viewer] = 0;
            }
        }
        close_twin(&servers[0]);
        close_twin(&servers[1]);
    }
    store = own_store;
    hall = own_hall;
    CHECK(compared > 1000000, "only %zu bytes were compared", compared);
}

/* ---- Conditional moves ---- */

/* A line of two legal moves from here on, as JSON; none ends the game. The first has this index. */
static const char *line_from(const char *table, uint64_t index) {
    const struct nonet_session *session = session_at(table);
    struct nonet_session *copy = nonet_session_new(nonet_session_options(session));
    struct nonet_message message;
    for (int i = 0; i < nonet_session_ply(session); i++)
        assert_true(nonet_session_play(copy, nonet_session_move(session, i), &message));
    char first[NONET_MOVE_TEXT];
    nonet_move move = nonet_session_nth(copy, index % nonet_session_count(copy));
    strcpy(first, move_text(copy, move));
    assert_true(nonet_session_play(copy, move, &message));
    const char *line =
        format("[\"%s\",\"%s\"]", first, move_text(copy, nonet_session_nth(copy, 0)));
    nonet_session_free(copy);
    return line;
}

static const char *promise_body(const char *table, int seat, const char *lines) {
    return format("{\"wish\":\"promise\",\"seat\":%d,\"ply\":%d,\"id\":\"%d\",\"lines\":[%s]}",
                  seat, nonet_session_ply(session_at(table)), next_id++, lines);
}

static const char *nth_move_body(const char *table, uint64_t index) {
    const struct nonet_session *session = session_at(table);
    return format("{\"wish\":\"move\",\"seat\":%d,\"ply\":%d,\"id\":\"%d\",\"move\":\"%s\"}",
                  nonet_session_turn(session), nonet_session_ply(session), next_id++,
                  move_text(session, nonet_session_nth(session, index)));
}

static size_t lines_told(char token[VISITORS_TOKEN], const char *table) {
    return json_array_size(json_object_get(get(token, path_of(table, "")).json, "lines"));
}

static void what_was_promised_is_played(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "trix", DAY_CLOCK, table);
    struct hall_listener one = listening(who_of(tokens[0]), 0),
                         two = listening(who_of(tokens[1]), 0);
    hall_listen(hall, &one, find(table), now);
    hall_listen(hall, &two, find(table), now);
    hear_all(&one);
    hear_all(&two);
    const char *body =
        promise_body(table, 2, format("%s,%s", line_from(table, 0), line_from(table, 1)));
    assert_int_equal(post(tokens[1], table, body).status, 200);
    assert_string_equal(hear_all(&two), "promised ");
    assert_string_equal(hear_all(&one), "");
    assert_int_equal(post(tokens[1], table, body).status, 200); /* the same is the same */
    assert_string_equal(hear_all(&two), "");
    assert_int_equal(lines_told(tokens[1], table), 2);
    assert_int_equal(lines_told(tokens[0], table), 0);
    /* Who comes back is told again, with and without a number. */
    for (int with = 0; with < 2; with++) {
        struct hall_listener again = listening(who_of(tokens[1]), with ? two.told : 0);
        hall_listen(hall, &again, find(table), now);
        assert_string_equal(hear_all(&again), with ? "promised present " : "table ");
        hall_leave(hall, &again, now);
    }
    hear_all(&one);
    hear_all(&two);
    /* A new server knows it; the move and its answer are one batch. */
    hall_leave(hall, &one, now);
    hall_leave(hall, &two, now);
    restart();
    assert_int_equal(lines_told(tokens[1], table), 2);
    one = listening(who_of(tokens[0]), 0), two = listening(who_of(tokens[1]), 0);
    hall_listen(hall, &one, find(table), now);
    hall_listen(hall, &two, find(table), now);
    hear_all(&one);
    hear_all(&two);
    struct desk_call call = decide(tokens[0], "POST", path_of(table, ""), nth_move_body(table, 1));
    assert_int_equal(nonet_session_ply(session_at(table)), 2);
    assert_string_equal(hear_all(&two), "");
    assert_int_equal(write_down(), 2);
    assert_int_equal(give_answer(&call).status, 200);
    assert_string_equal(hear_all(&one), "moved moved ");
    assert_string_equal(hear_all(&two), "moved moved promised ");
    assert_int_equal(lines_told(tokens[1], table), 0);
    /* It can be played on, and refused what cannot be. */
    assert_int_equal(post(tokens[0], table, promise_body(table, 1, line_from(table, 0))).status,
                     409);
    assert_int_equal(post(tokens[1], table, promise_body(table, 2, "[\"no\"]")).status, 400);
    hall_leave(hall, &one, now);
    hall_leave(hall, &two, now);
}

static void a_promise_that_is_not_on_disk(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, nobody[VISITORS_TOKEN] = "", table[TABLE_NAME];
    begin_game(tokens, "trix", DAY_CLOCK, table);
    struct hall_listener two = listening(who_of(tokens[1]), 0);
    hall_listen(hall, &two, find(table), now);
    hear_all(&two);
    struct desk_call call =
        decide(tokens[1], "POST", path_of(table, ""), promise_body(table, 2, line_from(table, 0)));
    assert_int_not_equal(call.batch, 0);
    assert_string_equal(hear_all(&two), "");
    /* Only its owner waits for it. */
    assert_int_equal(decide(tokens[1], "GET", path_of(table, ""), "").batch, call.batch);
    assert_int_equal(decide(tokens[0], "GET", path_of(table, ""), "").batch, 0);
    assert_int_equal(decide(NULL, "GET", path_of(table, ""), "").batch, 0);
    assert_int_equal(json_array_size(json_object_get(get(nobody, "/api/tables").json, "tables")),
                     1);
    lose();
    hear_all(&two);
    assert_int_equal(lines_told(tokens[1], table), 0);
    assert_int_equal(post(tokens[0], table, nth_move_body(table, 0)).status, 200);
    assert_int_equal(nonet_session_ply(session_at(table)), 1);
    hall_leave(hall, &two, now);
}

/* Two servers with the same table, at one of which player 2 promises answers to what player 1 does
 * not play: the other player and a spectator hear the same bytes. */
static void promises_change_no_byte(void **unused) {
    (void)unused;
    char visitors[4096] = "", name[TABLE_NAME];
    struct gathered gathered = visitors_of_twins(visitors);
    struct store *own_store = store;
    struct hall *own_hall = hall;
    static struct server servers[2];
    struct room_plan plan = {.options = options_of("ksar"), .clock = {CLOCK_MOVE, 86400000, 0, 0}};
    for (int i = 0; i < 2; i++)
        open_twin(&servers[i], i, &plan, visitors, gathered.length);
    table_name_write(12345, name);
    size_t compared = 0;
    for (int round = 0; round < 24; round++) {
        char body[256] = "", promise[256] = "";
        now += 60000;
        for (int i = 0; i < 2; i++) {
            use(&servers[i]);
            const struct nonet_session *session = session_at(name);
            int turn = nonet_session_turn(session);
            if (i == 0 && round >= 2) {
                strcpy(body, nth_move_body(name, 0));
                strcpy(promise, promise_body(name, 2, line_from(name, 1)));
            }
            if (round < 2)
                sit(twin_tokens[round], name, round + 1);
            if (round >= 2 && turn == 1 && i == 0)
                assert_int_equal(decide(twin_tokens[1], "POST", path_of(name, ""), promise).status,
                                 200);
            if (round % 4 != 2)
                write_down();
            hear_twin(&servers[i], round); /* also while it is not on disk */
            write_down();
            hall_tick(hall, now);
            write_down();
            hear_twin(&servers[i], round);
            if (round >= 2)
                assert_int_equal(post(twin_tokens[turn - 1], name, body).status, 200);
            hear_twin(&servers[i], round);
        }
        for (int viewer = 0; viewer < 2; viewer++) {
            assert_string_equal(servers[0].heard[viewer], servers[1].heard[viewer]);
            compared += servers[0].length[viewer];
            servers[0].length[viewer] = servers[1].length[viewer] = 0;
        }
    }
    for (int i = 0; i < 2; i++)
        close_twin(&servers[i]);
    store = own_store;
    hall = own_hall;
    CHECK(compared > 50000, "only %zu bytes were compared", compared);
}

/* ---- Pairs ---- */

/* Opens a pair; `tables` get the names of both. */
static void open_pair(char token[VISITORS_TOKEN], const char *game, const char *seats, int id,
                      char tables[2][TABLE_NAME]) {
    struct reply reply =
        ask(token, "POST", "/api/tables",
            format("{\"id\":\"%d\",\"game\":\"%s\",\"options\":{},\"clock\":" NO_CLOCK
                   ",\"seats\":[%s],\"listed\":true,\"pair\":true}",
                   id, game, seats));
    CHECK(reply.status == 201, "%u %s", reply.status, reply.text);
    snprintf(tables[0], TABLE_NAME, "%s", text_member(reply.json, "table"));
    snprintf(tables[1], TABLE_NAME, "%s",
             text_member(json_object_get(reply.json, "pair"), "table"));
}

/* What the table says of the score, in halves: of seat 1 and seat 2. */
static void check_score(char token[VISITORS_TOKEN], const char *table, int first, int second) {
    json_t *pair = json_object_get(get(token, path_of(table, "")).json, "pair");
    json_t *halves = json_object_get(pair, "halves");
    assert_int_equal(json_integer_value(json_array_get(halves, 0)), first);
    assert_int_equal(json_integer_value(json_array_get(halves, 1)), second);
}

static void two_games_with_the_seats_swapped(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", nobody[VISITORS_TOKEN] = "";
    char tables[2][TABLE_NAME], again[2][TABLE_NAME];
    open_pair(ada, "trix", "{\"name\":\"Ada\"},{}", 77, tables);
    open_pair(ada, "trix", "{\"name\":\"Ada\"},{}", 77, again);
    assert_string_equal(again[0], tables[0]);
    assert_string_equal(again[1], tables[1]);
    assert_int_equal(hall_count(hall).waiting, 2);
    assert_int_equal(json_array_size(json_object_get(get(nobody, "/api/tables").json, "tables")),
                     1);
    restart();
    /* Who stands up from one stands up from both, and who sits down has both seats. */
    assert_int_equal(post(ada, tables[1], "{\"wish\":\"stand\",\"seat\":2}").status, 200);
    assert_int_equal(room_seat_of(hall_room(find(tables[0])), who_of(ada)), 0);
    sit(ada, tables[0], 1);
    sit(bo, tables[1], 1);
    for (int i = 0; i < 2; i++) {
        const struct room *room = hall_room(find(tables[i]));
        assert_int_equal(room_phase(room), ROOM_PLAYING);
        assert_int_equal(room_seat_of(room, who_of(ada)), 1 + i);
        assert_int_equal(room_seat_of(room, who_of(bo)), 2 - i);
        assert_int_equal(nonet_session_ply(room_session(room)), 2);
        assert_string_equal(
            text_member(json_object_get(get(nobody, path_of(tables[i], "")).json, "pair"), "table"),
            tables[1 - i]);
        /* Nobody made the opening, so nobody takes it back. */
        struct reply reply =
            post(nonet_session_turn(room_session(room)) == 1 + i ? ada : bo, tables[i],
                 format("{\"wish\":\"offer\",\"seat\":%d,\"offer\":\"take-back\","
                        "\"id\":\"3\",\"ply\":2}",
                        nonet_session_turn(room_session(room))));
        CHECK(reply.status == 409, "%s", reply.text);
    }
    for (int ply = 0; ply < 2; ply++)
        assert_int_equal(nonet_session_move(session_at(tables[0]), ply),
                         nonet_session_move(session_at(tables[1]), ply));
    /* One is won, one is drawn: 1½ to ½. */
    struct hall_listener one = listening(0, 0);
    hall_listen(hall, &one, find(tables[0]), now);
    hear_all(&one);
    assert_int_equal(post(bo, tables[1], "{\"wish\":\"resign\",\"seat\":1}").status, 200);
    assert_string_equal(hear_all(&one), "paired ");
    check_score(ada, tables[0], 2, 0);
    check_score(ada, tables[1], 0, 2);
    /* A rematch is for when both are over. */
    const char *rematch =
        "{\"wish\":\"%s\",\"seat\":%d,\"offer\":\"rematch\",\"id\":\"9\",\"ply\":2}";
    char body[256];
    snprintf(body, sizeof body, rematch, "offer", 2);
    assert_int_equal(post(ada, tables[1], body).status, 409);
    assert_int_equal(
        post(ada, tables[0],
             "{\"wish\":\"offer\",\"seat\":1,\"offer\":\"draw\",\"id\":\"5\",\"ply\":2}")
            .status,
        200);
    assert_int_equal(
        post(bo, tables[0],
             "{\"wish\":\"accept\",\"seat\":2,\"offer\":\"draw\",\"id\":\"5\",\"ply\":2}")
            .status,
        200);
    hall_leave(hall, &one, now);
    restart();
    check_score(ada, tables[0], 3, 1);
    check_score(ada, tables[1], 1, 3);
    for (int i = 0; i < 2; i++) {
        snprintf(body, sizeof body, rematch, "offer", 1 + i);
        assert_int_equal(post(ada, tables[i], body).status, 200);
    }
    snprintf(body, sizeof body, rematch, "accept", 1);
    assert_int_equal(post(bo, tables[1], body).status, 200);
    uint64_t next[2];
    for (int i = 0; i < 2; i++)
        next[i] = room_next(hall_room(find(tables[i])));
    /* It was offered at both tables; there is one rematch all the same. */
    snprintf(body, sizeof body, rematch, "accept", 2);
    assert_int_equal(post(bo, tables[0], body).status, 409);
    for (int i = 0; i < 2; i++)
        assert_true(room_next(hall_room(find(tables[i]))) == next[i]);
    assert_int_equal(hall_count(hall).playing, 2);
    assert_true(next[0] != 0 && next[1] != 0 && next[0] != next[1]);
    for (int i = 0; i < 2; i++) {
        const struct room *room = hall_room(hall_find(hall, next[i], now));
        assert_true(room_twin(room) == next[1 - i]);
        assert_int_equal(room_phase(room), ROOM_PLAYING);
        assert_int_equal(room_seat_of(room, who_of(ada)), 2 - i);
    }
}

/* The seats of a pair at which a visitor sits, the other table's after ten times this one's. */
static int seats_at_pair(const char *token, char tables[2][TABLE_NAME]) {
    return 10 * room_seat_of(hall_room(find(tables[0])), who_of(token)) +
           room_seat_of(hall_room(find(tables[1])), who_of(token));
}

static void key_of_seat(char token[VISITORS_TOKEN], const char *table, int seat, char key[64]) {
    struct reply reply = get(token, path_of(table, format("/key?seat=%d", seat)));
    snprintf(key, 64, "%s", text_member(reply.json, "key"));
}

static void use_key(char token[VISITORS_TOKEN], const char *table, int seat, const char *key) {
    struct reply reply = ask(token, "POST", path_of(table, "/key"),
                             format("{\"seat\":%d,\"key\":\"%s\"}", seat, key));
    CHECK(reply.status == 200, "%u %s", reply.status, reply.text);
}

static void a_key_opens_both_games_of_a_pair(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", phone[VISITORS_TOKEN] = "";
    char tables[2][TABLE_NAME], first[64], second[64];
    open_pair(ada, "trix", "{\"name\":\"Ada\"},{}", next_id++, tables);
    key_of_seat(ada, tables[0], 1, first);
    use_key(phone, tables[0], 1, first); /* before the game begins, */
    assert_int_equal(seats_at_pair(phone, tables), 12);
    assert_int_equal(seats_at_pair(ada, tables), 0);
    sit(bo, tables[0], 2);
    use_key(ada, tables[0], 1, first); /* and after that */
    assert_int_equal(seats_at_pair(ada, tables), 12);
    restart();
    assert_int_equal(seats_at_pair(ada, tables), 12);
    assert_int_equal(seats_at_pair(bo, tables), 21);
    assert_int_equal(post(ada, tables[1], "{\"wish\":\"resign\",\"seat\":2}").status, 200);
    key_of_seat(ada, tables[1], 2, second);
    use_key(phone, tables[1], 2, second); /* also when one of the games is over */
    assert_int_equal(seats_at_pair(phone, tables), 12);
}

static void pairs_of_all_games(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", tables[2][TABLE_NAME];
    for (int g = 0; g < nonet_game_count; g++) {
        if (nonet_games[g]->hidden != NULL) {
            struct reply reply =
                ask(ada, "POST", "/api/tables",
                    format("{\"id\":\"%d\",\"game\":\"%s\",\"options\":{},\"clock\":" NO_CLOCK
                           ",\"seats\":[{\"name\":\"Ada\"},{}],\"listed\":true,\"pair\":true}",
                           next_id++, nonet_games[g]->id));
            assert_int_equal(reply.status, 400);
            assert_non_null(strstr(reply.text, "nothing is hidden"));
            continue;
        }
        for (int round = 0; round < (nonet_games[g]->wide != NULL ? 2 : 20); round++) {
            open_pair(ada, nonet_games[g]->id, "{\"name\":\"Ada\"},{\"level\":1}", next_id++,
                      tables);
            for (int i = 0; i < 2; i++) {
                const struct room *room = hall_room(find(tables[i]));
                assert_int_equal(room_phase(room), ROOM_PLAYING);
                assert_int_equal(room_seat(room, 2 - i)->level, 1);
                assert_int_not_equal(nonet_session_turn(room_session(room)), 0);
                post(ada, tables[i], format("{\"wish\":\"abort\",\"seat\":%d}", 1 + i));
                assert_int_equal(room_phase(room), ROOM_OVER);
            }
        }
    }
}

/* ---- Time ---- */

static void a_table_nobody_comes_to_is_closed(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", table[TABLE_NAME], played[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", table);
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", played);
    sit(bo, played, 2);
    struct hall_listener one = listening(who_of(ada), 0);
    hall_listen(hall, &one, find(table), now);
    now += HALL_WAIT + 1;
    hall_tick(hall, now);
    assert_int_equal(write_down(), 0); /* Ada is there */
    hall_leave(hall, &one, now);
    hall_tick(hall, now);
    assert_int_equal(write_down(), 1);
    assert_int_equal(hall_count(hall).over, 1);
    assert_int_equal(hall_count(hall).playing, 1);
    /* After a while it is not in memory any more, and comes back when somebody asks. */
    now += HALL_KEEP + 1;
    hall_tick(hall, now);
    assert_int_equal(hall_count(hall).over, 0);
    struct reply reply = get(ada, path_of(table, ""));
    assert_int_equal(reply.status, 200);
    assert_string_equal(text_member(reply.json, "phase"), "over");
    assert_string_equal(text_member(reply.json, "ending"), "aborted");
    assert_int_equal(hall_count(hall).over, 1);
    assert_int_equal(post(bo, table, "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Bo\"}").status, 409);
    /* A game without a clock that everybody has left does not wait for ever either. */
    now += HALL_IDLE + 1;
    hall_tick(hall, now);
    assert_int_equal(write_down(), 1);
    assert_int_equal(hall_count(hall).playing, 0);
}

/* The first table of the lobby, and how many there are. */
static size_t look_around(char first[TABLE_NAME]) {
    char nobody[VISITORS_TOKEN] = "";
    json_t *tables = json_object_get(get(nobody, "/api/tables").json, "tables");
    snprintf(first, TABLE_NAME, "%s", text_member(json_array_get(tables, 0), "table"));
    return json_array_size(tables);
}

/* Many old tables hide no new one, nor one where somebody waits; one opener has a part of it. */
static void old_tables_block_no_lobby(void **unused) {
    (void)unused;
    char crowd[12][VISITORS_TOKEN] = {0}, ada[VISITORS_TOKEN] = "", table[TABLE_NAME];
    char first[TABLE_NAME], there[TABLE_NAME];
    for (int i = 0; i < 15; i++)
        open_table(crowd[0], "trix", "", NO_CLOCK, "{\"name\":\"Cy\"},{}", table);
    assert_int_equal(look_around(first), 10);
    assert_string_equal(first, table);
    for (int i = 10; i < 120; i++)
        open_table(crowd[i / 10], "trix", "", NO_CLOCK, "{\"name\":\"Cy\"},{}", table);
    assert_int_equal(look_around(first), 100);
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", there);
    look_around(first);
    assert_string_equal(first, there);
    open_table(crowd[11], "trix", "", NO_CLOCK, "{\"name\":\"Cy\"},{}", table);
    look_around(first);
    assert_string_equal(first, table);
    restart();
    look_around(first);
    assert_string_equal(first, table);
    struct hall_listener one = listening(who_of(ada), 0);
    hall_listen(hall, &one, find(there), now);
    look_around(first);
    assert_string_equal(first, there);
    hall_leave(hall, &one, now);
}

/* Somebody resigns and has a rematch with a computer, again and again. */
static void have_rematches(char ada[VISITORS_TOKEN], int count) {
    char table[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{\"level\":1}", table);
    for (int i = 0; i < count; i++) {
        int seat = room_seat_of(hall_room(find(table)), who_of(ada));
        decide(ada, "POST", path_of(table, ""), format("{\"wish\":\"resign\",\"seat\":%d}", seat));
        decide(
            ada, "POST", path_of(table, ""),
            format("{\"wish\":\"offer\",\"seat\":%d,\"offer\":\"rematch\",\"id\":\"5\",\"ply\":0}",
                   seat));
        table_name_write(room_next(hall_room(find(table))), table);
    }
    write_down();
}

/* They leave room for others. */
static void rematches_fill_no_hall(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "";
    have_rematches(ada, HALL_CROWD);
    hall_tick(hall, now);
    assert_int_equal(hall_count(hall).over, HALL_CROWD);
    assert_int_equal(hall_count(hall).playing, 1);
    now += HALL_KEEP_CROWD + 1;
    hall_tick(hall, now);
    assert_in_range(hall_count(hall).over, 0, 1);
    assert_int_equal(hall_count(hall).playing, 1);
}

/* A table that a full hall cannot look for is not said to be missing. */
static void a_full_hall_says_so(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", bo[VISITORS_TOKEN] = "", table[TABLE_NAME], there[TABLE_NAME];
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{\"level\":1}", table);
    post(ada, table, "{\"wish\":\"resign\",\"seat\":1}");
    now += HALL_KEEP + 1;
    hall_tick(hall, now);
    assert_int_equal(hall_count(hall).over, 0);
    have_rematches(bo, HALL_MOST_TABLES - 2);
    open_table(ada, "trix", "", NO_CLOCK, "{\"name\":\"Ada\"},{}", there);
    struct desk_call call = decide(NULL, "GET", path_of(table, ""), "");
    assert_int_equal(call.status, 503);
    assert_in_range(call.seconds, 1, 60);
    assert_int_equal(get(ada, path_of(there, "")).status, 200);
    assert_int_equal(get(ada, "/api/tables/nothing").status, 404);
    call = decide(NULL, "GET", format("/api/stream?tables=%s,%s", there, table), "");
    assert_int_equal(call.status, 503);
    assert_int_equal(decide(NULL, "GET", format("/api/stream?tables=%s", there), "").status, 200);
    now += HALL_KEEP + 1;
    hall_tick(hall, now);
    assert_int_equal(get(ada, path_of(table, "")).status, 200);
}

static int64_t left_of(const char *table, int seat) {
    return clock_left(room_clocks(hall_room(find(table))), seat, now);
}

static void clocks_over_restarts(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "ksar", GAME_CLOCK, table);
    now += 2000;
    play_on(tokens, table);
    assert_int_equal(left_of(table, 1), 58000);
    int64_t shown = 60000;
    for (int round = 0; round < 5; round++) {
        /* Some seconds of thinking, in ticks; then the server falls. */
        int64_t begun = left_of(table, 2);
        for (int i = 0; i < 83; i++) {
            now += 100;
            hall_tick(hall, now);
            write_down();
        }
        assert_int_equal(left_of(table, 2), begun - 8300);
        shown = left_of(table, 2);
        close_hall(); /* nothing is written at the end of a fall */
        now += 3600000;
        open_hall();
        int64_t left = left_of(table, 2);
        CHECK(left >= shown && left <= shown + HALL_CLOCK, "%" PRId64 " of %" PRId64, left, shown);
        assert_int_equal(left_of(table, 1), 58000);
    }
    /* Time goes on to its end, and only once. */
    now += shown + HALL_CLOCK + CLOCK_LAG_A_MOVE;
    hall_tick(hall, now);
    hall_tick(hall, now);
    assert_int_equal(write_down(), 1);
    assert_int_equal(room_ending(hall_room(find(table))), ROOM_FLAGGED);
    assert_int_equal(room_ended_by(hall_room(find(table))), 2);
    assert_int_equal(room_winners(hall_room(find(table))), 1);
}

/* What was thought before a move is taken back is not given back. */
static void taking_back_returns_no_time(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "ksar", GAME_CLOCK, table);
    now += 2000;
    play_on(tokens, table);
    now += 7000;
    struct hall_listener one = listening(0, 0);
    hall_listen(hall, &one, find(table), now);
    hear_all(&one);
    assert_int_equal(post(tokens[0], table,
                          "{\"wish\":\"offer\",\"seat\":1,\"offer\":\"take-back\",\"id\":\"5\","
                          "\"ply\":1}")
                         .status,
                     200);
    now += 1000;
    assert_int_equal(post(tokens[1], table,
                          "{\"wish\":\"accept\",\"seat\":2,\"offer\":\"take-back\",\"id\":\"5\","
                          "\"ply\":1}")
                         .status,
                     200);
    assert_string_equal(hear_all(&one), "offered accepted undone ");
    hall_leave(hall, &one, now);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(nonet_session_ply(session_at(table)), 0);
        assert_int_equal(left_of(table, 1), 58000);
        assert_int_equal(left_of(table, 2), 52000);
        restart();
    }
}

/* A clock of days is not written down every five seconds of them. */
static void a_slow_clock_is_written_seldom(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "ksar", "{\"kind\":\"move\",\"budget\":259200000}", table);
    int lines = 0;
    for (int minute = 0; minute < 24 * 60; minute++) {
        now += 60000;
        hall_tick(hall, now);
        lines += write_down();
    }
    CHECK(lines > 100 && lines < 500, "%d lines a day", lines);
    close_hall();
    open_hall();
    int64_t left = left_of(table, 1);
    CHECK(left >= 172800000 && left <= 172800000 + 600000, "%" PRId64, left);
}

/* Somebody who talks all the time delays neither the beginning of their clock, nor its end. */
static void talk_stops_no_clock(void **unused) {
    (void)unused;
    static const char talk[] = "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}";
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "ksar", GAME_CLOCK, table);
    decide(tokens[0], "POST", path_of(table, ""), move_body(table, &chance));
    for (int i = 0; i < 700; i++) {
        int count;
        uint64_t batch;
        const struct store_line *lines = hall_batch(hall, &count, &batch);
        decide(tokens[1], "POST", path_of(table, ""), talk); /* while the batch is written */
        struct nonet_text text = NONET_TEXT_IN(why);
        int64_t first;
        CHECK(store_append(store, lines, count, &first, &text), "%s", why);
        hall_written(hall, first, now);
        CHECK(i > 0 || room_clocks(hall_room(find(table)))->running == 2, "its clock stands");
        now += 100;
        hall_tick(hall, now);
    }
    write_down();
    assert_int_equal(room_phase(hall_room(find(table))), ROOM_OVER);
    assert_int_equal(room_ending(hall_room(find(table))), ROOM_FLAGGED);
}

/* The clock in a list is that of this moment, too. */
static void clocks_in_lists(void **unused) {
    (void)unused;
    char tokens[2][VISITORS_TOKEN] = {"", ""}, table[TABLE_NAME];
    begin_game(tokens, "ksar", GAME_CLOCK, table);
    now += 7000;
    static const char *const lists[] = {"/api/tables", "/api/me"};
    for (int i = 0; i < 2; i++) {
        json_t *told = json_array_get(json_object_get(get(tokens[0], lists[i]).json, "tables"), 0);
        json_t *seat = json_array_get(json_object_get(told, "seats"), 0);
        assert_int_equal(json_integer_value(json_object_get(seat, "left")), 53000);
    }
}

/* ---- Computers ---- */

/* A computer is asked once for each position, whatever else happens at the table. */
static void a_computer_is_asked_once(void **unused) {
    (void)unused;
    char ada[VISITORS_TOKEN] = "", table[TABLE_NAME];
    open_table(ada, "trix", "", GAME_CLOCK, "{\"level\":1},{\"name\":\"Ada\"}", table);
    assert_ptr_equal(hall_next_computer(hall), find(table));
    assert_null(hall_next_computer(hall));
    for (int i = 0; i < 3; i++) {
        post(ada, table, "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}");
        now += HALL_CLOCK;
        hall_tick(hall, now);
        write_down();
        assert_null(hall_next_computer(hall));
    }
    const struct nonet_session *session = session_at(table);
    struct nonet_text text = NONET_TEXT_IN(why);
    struct room_request move = {.wish = ROOM_MOVE,
                                .who = ROOM_COMPUTER,
                                .seat = 1,
                                .id = 1,
                                .move = move_text(session, random_move(session, &chance)),
                                .spent = -1};
    assert_int_equal(hall_ask(hall, find(table), &move, now, &text), ROOM_FINE);
    write_down();
    assert_null(hall_next_computer(hall));
    assert_int_equal(post(ada, table, move_body(table, &chance)).status, 200);
    decide(ada, "POST", path_of(table, ""), "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}");
    assert_ptr_equal(hall_next_computer(hall), find(table));
    /* Moves that are taken back and played again lead to another position, at the same ply. */
    unsigned position = hall_position(find(table));
    post(ada, table, "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}");
    assert_int_equal(hall_position(find(table)), position);
    assert_int_equal(post(ada, table,
                          "{\"wish\":\"offer\",\"seat\":2,\"offer\":\"take-back\",\"id\":\"5\","
                          "\"ply\":2}")
                         .status,
                     200);
    assert_int_equal(post(ada, table, move_body(table, &chance)).status, 200);
    assert_int_equal(nonet_session_ply(session_at(table)), 2);
    assert_int_not_equal(hall_position(find(table)), position);
    assert_ptr_equal(hall_next_computer(hall), find(table));
    /* After a failed batch, and after a restart, it is asked again. */
    post(ada, table, "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}");
    decide(ada, "POST", path_of(table, ""), "{\"wish\":\"say\",\"seat\":2,\"phrase\":1}");
    lose();
    assert_ptr_equal(hall_next_computer(hall), find(table));
    restart();
    assert_ptr_equal(hall_next_computer(hall), find(table));
    assert_null(hall_next_computer(hall));
}

#define HALL_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        HALL_TEST(a_table_is_opened_once),
        HALL_TEST(refusals_leave_nothing),
        HALL_TEST(nothing_is_told_before_it_is_on_disk),
        HALL_TEST(talk_hides_no_table),
        HALL_TEST(who_waits_may_wait_again),
        HALL_TEST(a_token_is_told_when_it_is_on_disk),
        HALL_TEST(a_lost_answer_costs_no_seat),
        HALL_TEST(failing_leaves_what_is_on_disk),
        HALL_TEST(the_first_batch_fails),
        HALL_TEST(a_table_is_read_again_as_it_was),
        HALL_TEST(every_event_once_and_in_order),
        HALL_TEST(who_is_too_far_behind_gets_the_table),
        HALL_TEST(who_listens_is_present),
        HALL_TEST(nobody_is_present_at_an_empty_seat),
        HALL_TEST(a_claim_needs_a_long_absence),
        HALL_TEST(a_rematch_turns_seats_and_deals_again),
        HALL_TEST(a_key_opens_one_seat_of_one_sitting),
        HALL_TEST(no_disc_before_the_game_begins),
        HALL_TEST(others_discs_change_no_byte),
        HALL_TEST(what_was_promised_is_played),
        HALL_TEST(a_promise_that_is_not_on_disk),
        HALL_TEST(promises_change_no_byte),
        HALL_TEST(two_games_with_the_seats_swapped),
        HALL_TEST(a_key_opens_both_games_of_a_pair),
        HALL_TEST(pairs_of_all_games),
        HALL_TEST(a_table_nobody_comes_to_is_closed),
        HALL_TEST(rematches_fill_no_hall),
        HALL_TEST(a_full_hall_says_so),
        HALL_TEST(old_tables_block_no_lobby),
        HALL_TEST(clocks_over_restarts),
        HALL_TEST(taking_back_returns_no_time),
        HALL_TEST(a_slow_clock_is_written_seldom),
        HALL_TEST(talk_stops_no_clock),
        HALL_TEST(clocks_in_lists),
        HALL_TEST(a_computer_is_asked_once),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(answered);
    return failed;
}
