/* Any requests to the API, on a hall with a log of its own.
 *
 * The input is lines. The first letter of each says who asks and what it is: 'g' and 'p' are GET
 * and POST by a stranger, 'a' and 'A', 'b' and 'B' the same by one of two visitors; a path follows
 * and, after a space, the body. In them '*' stands for the name of the last table that was opened.
 * '+' lets time pass, '!' loses a batch, '.' writes one. Whatever is asked, each answer is one
 * object of JSON with a known status, and what is told after a restart is what was told before. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzzing.h"
#include "online/api/desk.h"
#include "online/room/table_name.h"

static struct store *store;
static struct hall *hall;
static int64_t now;
static char tokens[2][VISITORS_TOKEN];
static uint64_t last;
static char answer[DESK_TEXT];

static char log_path[64];

/* In memory, where there is such a folder: a log of SQLite in none would not be one. */
static void forget_log(void) {
    static const char *const ends[] = {"-wal", "-shm", ""};
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    for (int i = 0; i < 3; i++) {
        snprintf(log_path, sizeof log_path, "%s/nonet-fuzz-%d%s", folder, (int)getpid(), ends[i]);
        unlink(log_path);
    }
}

static void wake(void *owner) {
    (void)owner;
}

static void open_hall(void) {
    char why[256];
    struct nonet_text text = NONET_TEXT_IN(why);
    hall = hall_open(store, now, wake, &text);
    PROMISE(hall != NULL);
}

static void write_down(void) {
    int count;
    uint64_t number;
    const struct store_line *lines = hall_batch(hall, &count, &number);
    if (lines == NULL)
        return;
    char why[256];
    struct nonet_text text = NONET_TEXT_IN(why);
    int64_t first;
    PROMISE(store_append(store, lines, count, &first, &text));
    hall_written(hall, first, now);
}

static void lose(void) {
    int count;
    uint64_t number;
    if (hall_batch(hall, &count, &number) != NULL)
        hall_failed(hall, now);
}

static void check_answer(struct desk_call *call) {
    struct nonet_text text = NONET_TEXT_IN(answer);
    desk_answer(hall, call, now, &text);
    PROMISE(!text.cut);
    PROMISE(call->status == 200 || call->status == 201 ||
            (call->status >= 400 && call->status < 600));
    PROMISE((call->says == DESK_REFUSAL) == (call->status >= 400));
    json_t *object = json_loadb(answer, text.length, JSON_REJECT_DUPLICATES, NULL);
    PROMISE(json_is_object(object));
    if (call->status >= 400)
        PROMISE(json_is_string(json_object_get(object, "error")) &&
                json_is_string(json_object_get(object, "kind")));
    json_decref(object);
}

/* The line with the name of the last table in place of each '*'. */
static size_t expand(const char *line, size_t length, char *out, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < length && used + TABLE_NAME < size; i++) {
        if (line[i] == '*') {
            table_name_write(last, out + used);
            used += TABLE_NAME - 1;
        } else {
            out[used++] = line[i];
        }
    }
    out[used] = '\0';
    return used;
}

static void ask(const char *line, size_t length) {
    char text[4096];
    size_t used = expand(line, length, text, sizeof text);
    int visitor = text[0] == 'a' || text[0] == 'A' ? 0 : text[0] == 'b' || text[0] == 'B' ? 1 : 2;
    bool posts = text[0] == 'A' || text[0] == 'B' || text[0] == 'p';
    char *path = text + 1, *body = memchr(path, ' ', used - 1);
    size_t body_length = body != NULL ? used - (size_t)(body + 1 - text) : 0;
    if (body != NULL)
        *body++ = '\0';
    char *query = strchr(path, '?');
    if (query != NULL)
        *query++ = '\0';
    struct desk_request request = {.method = posts ? "POST" : "GET",
                                   .path = path,
                                   .query = query != NULL ? query : "",
                                   .token = visitor < 2 ? tokens[visitor] : NULL,
                                   .body = body != NULL ? body : "",
                                   .length = body_length};
    struct desk_call call;
    desk_decide(hall, &request, now, &call);
    PROMISE(call.token[0] == '\0' || call.batch != 0);
    if (call.batch != 0)
        write_down();
    PROMISE(desk_waits(hall, &call, now) == 0);
    if (call.says == DESK_STREAM)
        return;
    check_answer(&call);
    if (call.says == DESK_TABLE)
        last = call.table;
    if (visitor < 2 && call.token[0] != '\0')
        memcpy(tokens[visitor], call.token, sizeof call.token);
}

static void tell(struct nonet_text *text) {
    struct nonet_json json = nonet_json_in(text);
    struct hall_table *table = last != 0 ? hall_find(hall, last, now) : NULL;
    if (table != NULL && hall_room(table) != NULL)
        hall_tell(table, visitors_find(hall_visitors(hall), tokens[0]), now, &json);
    PROMISE(!text->cut);
}

/* A server that reads the log tells what the first one told, except for clocks: those of the new
 * one begin where the log has them. */
static void check_restart(void) {
    static char before[DESK_TEXT], after[DESK_TEXT];
    struct nonet_text first = NONET_TEXT_IN(before), second = NONET_TEXT_IN(after);
    write_down();
    tell(&first);
    struct hall_counts had = hall_count(hall);
    hall_close(hall);
    open_hall();
    struct hall_counts has = hall_count(hall);
    PROMISE(has.waiting == had.waiting && has.playing == had.playing &&
            has.visitors == had.visitors);
    tell(&second);
    if (strstr(before, "\"left\"") == NULL)
        PROMISE(strcmp(before, after) == 0);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    char why[256];
    struct nonet_text text = NONET_TEXT_IN(why);
    forget_log();
    store = store_open(log_path, &text);
    PROMISE(store != NULL);
    now = 1000;
    last = 0;
    memset(tokens, 0, sizeof tokens);
    open_hall();
    const char *at = (const char *)data, *end = at + size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop != NULL ? stop : end) - at);
        if (length > 0 && *at == '+') {
            now += 40000;
            hall_tick(hall, now);
        } else if (length > 0 && *at == '!') {
            lose();
        } else if (length > 0 && *at == '.') {
            write_down();
        } else if (length > 0) {
            ask(at, length);
        }
        at += length + 1;
    }
    check_restart();
    hall_close(hall);
    store_close(store);
    forget_log();
    return 0;
}
