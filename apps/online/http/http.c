#include "http.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"
#include "online/journal.h"
#include "online/room/table_name.h"
#include "online/store/salvage.h"
#include "server.h"

/* A page uses about six connections and a few hundred bytes of headers. Cookies of other servers at
 * this machine, at any port, may add many kilobytes; at a site of its own there are none, and the
 * memory is for streams. A client that does nothing for a while is disconnected. */
enum {
    MOST_CONNECTIONS = 8192,
    MOST_CONNECTIONS_FROM_ONE = 128,
    MOST_MEMORY_AT_HOME = 64 * 1024, /* of one connection: its request, with cookies twice */
    MOST_MEMORY = 8 * 1024,
    PATIENCE = 10,      /* seconds */
    TICK = PULSE_ROUND, /* milliseconds */
    TICKS_OF_LINKS = 3, /* looking after all connections takes a while */
    TICKS_OF_DISK = 10,
    THINKING_THREADS = 2,
    LAST_MOMENTS = 2000, /* milliseconds for the last answers when the server ends */
};

/* ---- The loop ---- */

/* A computer's move goes the way of every other. If the table has gone on, it is refused. */
static void play_for_computer(struct http_server *server, const struct computers_move *found,
                              int64_t now) {
    struct hall_table *table = hall_find(server->hall, found->table, now);
    char text[NONET_MOVE_TEXT], reason[256];
    struct nonet_text move = NONET_TEXT_IN(text), why = NONET_TEXT_IN(reason);
    if (table == NULL || hall_room(table) == NULL || hall_position(table) != found->position)
        return;
    const struct nonet_options *options = nonet_session_options(room_session(hall_room(table)));
    options->game->print(options, found->move, &move);
    struct room_request request = {
        .wish = ROOM_MOVE,
        .who = ROOM_COMPUTER,
        .seat = (uint8_t)room_awaits_computer(hall_room(table)),
        .ply = (uint16_t)found->ply,
        .move = text,
        .spent = -1,
    };
    hall_ask(server->hall, table, &request, now, &why);
}

static void ask_computers(struct http_server *server) {
    struct hall_table *table;
    while (computers_are_free(server->computers) &&
           (table = hall_next_computer(server->hall)) != NULL) {
        const struct room *room = hall_room(table);
        int seat = room_awaits_computer(room);
        if (!computers_ask(server->computers, hall_table_id(table), hall_position(table),
                           room_session(room), room_seat(room, seat)->level))
            return;
    }
}

static void end_batch(struct http_server *server, int64_t now) {
    struct writer_result result;
    if ((server->batch == 0 && !server->trying) || !writer_done(server->writer, &result))
        return;
    if (server->trying) {
        server->trying = false;
    } else if (result.fine) {
        hall_written(server->hall, result.first, now);
        server->batches++;
        calls_wake(server, &server->waiting[server->batch % 2], true);
    } else {
        if (!server->disk_fails)
            journal_tell(JOURNAL_TROUBLE, "disk-fails", NULL, result.why);
        hall_failed(server->hall, now);
        calls_wake(server, &server->waiting[0], false);
        calls_wake(server, &server->waiting[1], false);
    }
    if (server->disk_fails && result.fine)
        journal_tell(JOURNAL_RELIEF, "disk-works", NULL, "the log can be written again");
    server->disk_fails = !result.fine;
    server->last_write = now - server->writing_since;
    server->batch = 0;
}

static void write_lines(struct http_server *server, const struct store_line *lines, int count) {
    server->writing_since = pulse_now(&server->pulse);
    writer_write(server->writer, lines, count);
}

static void begin_batch(struct http_server *server) {
    int count;
    bool idle = server->batch == 0 && !server->trying;
    const struct store_line *lines = idle ? hall_batch(server->hall, &count, &server->batch) : NULL;
    if (lines != NULL)
        write_lines(server, lines, count);
}

/* A server whose disk failed is sent no visitors, so it must find out itself that it can go on. */
static void try_disk(struct http_server *server) {
    static const struct store_line nothing;
    if (!server->disk_fails || server->batch != 0 || server->trying)
        return;
    server->trying = true;
    write_lines(server, &nothing, 0);
}

/* What has happened elsewhere: on disk, in the threads that think, with time. */
static void serve_tables(struct http_server *server, int64_t now, bool tick) {
    struct computers_move move;
    end_batch(server, now);
    while (computers_take(server->computers, &move))
        play_for_computer(server, &move, now);
    if (tick) {
        hall_tick(server->hall, now);
        streams_tick(&server->streams, now);
    }
    ask_computers(server);
}

/* One round. */
static void serve(struct http_server *server, struct pollfd *ready, int count, int64_t *next_tick) {
    unsigned long long soon;
    int64_t now = pulse_now(&server->pulse);
    int wait = *next_tick > now ? (int)(*next_tick - now) : 0;
    /* What the library has still to do, it does not tell by its descriptor. */
    if (server->streams.woken ||
        (MHD_get_timeout(server->daemon, &soon) == MHD_YES && soon < (unsigned)wait))
        wait = server->streams.woken ? 0 : (int)soon;
    poll(ready, (nfds_t)count, wait);
    now = pulse_beat(&server->pulse);
    bool tick = now >= *next_tick;
    if (tick) {
        *next_tick = now + TICK;
        if (++server->ticks % TICKS_OF_LINKS == 0)
            links_tick(&server->links);
        if (server->ticks % TICKS_OF_DISK == 0)
            try_disk(server);
    }
    if (server->hall != NULL)
        serve_tables(server, now, tick);
    server->streams.woken = false;
    MHD_run(server->daemon); /* requests that are ready, and everything that was woken */
    if (server->hall != NULL)
        begin_batch(server);
}

void http_run(struct http_server *server, int end) {
    struct pollfd ready[4] = {
        {end, POLLIN, 0},
        {MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, POLLIN, 0},
    };
    int count = 2;
    if (server->hall != NULL) {
        ready[count++] = (struct pollfd){writer_signal(server->writer), POLLIN, 0};
        ready[count++] = (struct pollfd){computers_signal(server->computers), POLLIN, 0};
    }
    int64_t next_tick = 0;
    while (!(ready[0].revents & POLLIN))
        serve(server, ready, count, &next_tick);
    streams_end(&server->streams);
    int64_t last = pulse_now(&server->pulse) + LAST_MOMENTS;
    while ((server->batch != 0 || server->waiting_count > 0 || server->streams.count > 0) &&
           pulse_now(&server->pulse) < last)
        serve(server, ready + 1, count - 1, &next_tick);
}

/* ---- Beginning and ending ---- */

static bool open_log(struct http_server *server, const char *path, struct nonet_text *why) {
    server->reading = store_open(path, why);
    bool sound = server->reading != NULL && store_check(server->reading, why);
    struct store *writing = sound ? store_open(path, why) : NULL;
    server->writer = writing != NULL ? writer_new(writing) : NULL;
    server->hall = server->writer != NULL
                       ? hall_open(server->reading, pulse_beat(&server->pulse), stream_wake, why)
                       : NULL;
    if (server->hall != NULL)
        return true;
    writer_free(server->writer);
    store_close(server->reading);
    server->writer = NULL;
    server->reading = NULL;
    return false;
}

static void tell_salvage(const struct salvage *found) {
    char line[SALVAGE_PATH + 2048], listed[1024];
    struct nonet_text text = NONET_TEXT_IN(line), names = NONET_TEXT_IN(listed);
    for (int i = 0; i < SALVAGE_NAMED && i < found->tables; i++) {
        char name[TABLE_NAME];
        table_name_write(found->named[i], name);
        nonet_text_format(&names, i > 0 ? " %s" : "%s", name);
    }
    if (found->tables > SALVAGE_NAMED)
        nonet_text_add(&names, " …");
    nonet_text_format(&text,
                      "the log was damaged, and is kept as %s. %lld of %lld lines are lost; %lld "
                      "tables cannot go on%s%s",
                      found->kept, (long long)found->gone, (long long)found->lines,
                      (long long)found->tables, found->tables > 0 ? ": " : "", listed);
    const struct journal_field fields[] = {
        {"kept", found->kept, 0},        {"lost", NULL, found->gone}, {"lines", NULL, found->lines},
        {"tables", NULL, found->tables}, {"named", listed, 0},        {0}};
    journal_tell(JOURNAL_TROUBLE, "log-damaged", fields, line);
}

/* The log as it is, or else what can be saved of it. */
static bool open_tables(struct http_server *server, const char *path, struct nonet_text *why) {
    struct salvage found;
    server->lock = store_lock(path, why);
    if (server->lock < 0)
        return false;
    if (!open_log(server, path, why)) {
        if (!salvage_needed(path))
            return false;
        nonet_text_add(why, ". ");
        if (!salvage_run(path, &found, why) || !open_log(server, path, why))
            return false;
        tell_salvage(&found);
        *why = nonet_text_in(why->bytes, why->size);
    }
    server->streams.hall = server->hall;
    server->streams.pulse = &server->pulse;
    server->computers = server->hall != NULL ? computers_new(THINKING_THREADS) : NULL;
    if (server->computers == NULL && why->length == 0)
        nonet_text_add(why, "there is no memory left");
    return server->computers != NULL;
}

/* A path stays as it was sent: ours have no percent signs, and a decoded "%00" would cut it. */
static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *path) {
    (void)cls, (void)connection;
    return strlen(path);
}

static bool start_daemon(struct http_server *server, const struct http_plan *plan,
                         struct nonet_text *why) {
    int listener = address_listen(plan->address, plan->port, &server->address, why);
    if (listener < 0)
        return false;
    server->local = address_is_loopback(&server->address) && plan->proxy == NULL;
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, listener, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, MOST_CONNECTIONS, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT,
         plan->unlimited || plan->proxy != NULL ? 0 : MOST_CONNECTIONS_FROM_ONE, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, server->local ? MOST_MEMORY_AT_HOME : MOST_MEMORY,
         NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, PATIENCE, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    server->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                                      calls_take, server, MHD_OPTION_NOTIFY_COMPLETED, calls_end,
                                      NULL, MHD_OPTION_NOTIFY_CONNECTION, links_notify,
                                      &server->links, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes,
                                      NULL, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (server->daemon != NULL)
        return true;
    nonet_text_add(why, "the server does not start");
    /* libmicrohttpd closes the socket if it fails late, but not if it fails early. No other thread
     * opens files that could have got the same number since. */
    if (fcntl(listener, F_GETFD) >= 0)
        close(listener);
    return false;
}

struct http_server *http_start(const struct http_plan *plan, struct nonet_text *why) {
    struct http_server *server = calloc(1, sizeof *server);
    if (server == NULL || (server->text = malloc(DESK_TEXT)) == NULL) {
        nonet_text_add(why, "there is no memory left");
        free(server);
        return NULL;
    }
    server->files = plan->files;
    server->lock = -1;
    server->links.wake = stream_abandon;
    server->has_proxy = plan->proxy != NULL && address_read(plan->proxy, &server->proxy);
    if (!plan->unlimited)
        server->limits = limits_new();
    if ((plan->unlimited || server->limits != NULL) && start_daemon(server, plan, why) &&
        (plan->store == NULL || open_tables(server, plan->store, why)))
        return server;
    http_stop(server);
    return NULL;
}

void http_url(const struct http_server *server, struct nonet_text *out) {
    address_url(&server->address, out);
}

void http_stop(struct http_server *server) {
    streams_end(&server->streams);
    calls_wake(server, &server->waiting[0], false);
    calls_wake(server, &server->waiting[1], false);
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    computers_free(server->computers);
    writer_free(server->writer);
    if (server->hall != NULL)
        hall_close(server->hall);
    store_close(server->reading);
    if (server->lock >= 0)
        close(server->lock);
    limits_free(server->limits);
    free(server->text);
    free(server);
}
