/* What a delivered event costs a server that treats all requests of a round together.
 *
 *     build/tests/bench-streams [STREAMS [TABLES [SECONDS]]]      2000, 200 and 5 unless given
 *
 * The server is the smallest that shows it: libmicrohttpd in one loop; streams that sleep until
 * something happens at their table; requests that wait until a helper thread has written them to a
 * file and synced it, all of a round at once. The clients are another process: STREAMS connections
 * that listen, and at each table two players who move in turn as soon as they see the other's move.
 * A move is seen by its two players and by the table's share of the other streams. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TABLES = 5000, POOL = 8 * 1024, EVENT_TEXT = 128 };

static int streams = 2000, tables = 200, seconds = 5;

static void check(bool fine, const char *what) {
    if (!fine) {
        perror(what);
        exit(1);
    }
}

static double processor_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- The server ---- */

struct stream {
    struct MHD_Connection *connection;
    struct stream *next; /* of the same table */
    struct room *room;
    unsigned told; /* how many moves */
    bool asleep;
};

static struct room {
    unsigned moves;
    struct stream *listening;
} rooms[MOST_TABLES];

/* Requests that wait for the disk. One batch is gathered while the other is written. */
struct batch {
    struct MHD_Connection *asked[2 * MOST_TABLES];
    struct room *room[2 * MOST_TABLES];
    int count;
};
static struct batch batches[2], *gathered = &batches[0], *written = &batches[1];
static bool writing;
static int to_disk, from_disk, file;
static struct MHD_Response *accepted;
static uint64_t delivered, granted, rounds;

static void *write_batches(void *unused) {
    (void)unused;
    static const char line[EVENT_TEXT];
    for (uint64_t one; read(to_disk, &one, sizeof one) == sizeof one;) {
        for (int i = 0; i < written->count; i++)
            check(write(file, line, sizeof line) == sizeof line, "write");
        check(fdatasync(file) == 0, "fdatasync");
        check(write(from_disk, &one, sizeof one) == sizeof one, "eventfd");
    }
    return NULL;
}

/* What the stream has not been told yet. If that is nothing, it sleeps. */
static ssize_t tell(void *cls, uint64_t position, char *buffer, size_t most) {
    (void)position;
    struct stream *stream = cls;
    size_t length = 0;
    while (stream->told < stream->room->moves && most - length > EVENT_TEXT) {
        length += (size_t)snprintf(buffer + length, most - length,
                                   "id: %u\ndata: {\"event\":\"moved\",\"seat\":%u,\"ply\":%u,"
                                   "\"move\":\"a1b2\",\"left\":297000}\n\n",
                                   stream->told, 1 + stream->told % 2, stream->told);
        stream->told++;
        delivered++;
    }
    if (length == 0) {
        stream->asleep = true;
        MHD_suspend_connection(stream->connection);
    }
    return (ssize_t)length;
}

static enum MHD_Result take(void *cls, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *data, size_t *size,
                            void **context) {
    (void)cls, (void)version, (void)data;
    static char first, last;
    struct room *room = &rooms[atoi(url + 3) % MOST_TABLES];
    if (*context == NULL) {
        *context = &first;
        return MHD_YES;
    }
    if (*size > 0) {
        *size = 0;
        return MHD_YES;
    }
    if (strcmp(method, "POST") == 0) {
        if (*context == &first) { /* the room decides; then the disk is waited for */
            *context = &last;
            room->moves++;
            gathered->asked[gathered->count] = connection;
            gathered->room[gathered->count++] = room;
            MHD_suspend_connection(connection);
            return MHD_YES;
        }
        granted++;
        return MHD_queue_response(connection, MHD_HTTP_OK, accepted);
    }
    struct stream *stream = calloc(1, sizeof *stream);
    *stream = (struct stream){connection, room->listening, room, room->moves, false};
    room->listening = stream;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, tell, stream, NULL);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

/* The batch is on disk: its requests are answered and its streams woken, together. */
static void wake(void) {
    for (int i = 0; i < written->count; i++) {
        MHD_resume_connection(written->asked[i]);
        for (struct stream *one = written->room[i]->listening; one != NULL; one = one->next)
            if (one->asleep) {
                one->asleep = false;
                MHD_resume_connection(one->connection);
            }
    }
    written->count = 0;
    writing = false;
    rounds++;
}

static void serve(int port_to_tell, int stop) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, take, NULL, MHD_OPTION_SOCK_ADDR,
        &address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)(streams + 4 * tables + 100),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL, MHD_OPTION_CONNECTION_TIMEOUT, 0u,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u, MHD_OPTION_END);
    check(daemon != NULL, "libmicrohttpd");
    uint16_t port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    accepted = MHD_create_response_from_buffer(2, (void *)(uintptr_t) "{}", MHD_RESPMEM_PERSISTENT);
    to_disk = eventfd(0, 0);
    from_disk = eventfd(0, EFD_NONBLOCK);
    char name[] = "/var/tmp/nonet-streams-XXXXXX";
    file = mkstemp(name);
    check(file >= 0 && unlink(name) == 0, name);
    pthread_t writer;
    pthread_create(&writer, NULL, write_batches, NULL);
    check(write(port_to_tell, &port, sizeof port) == sizeof port, "pipe");
    struct pollfd ready[] = {
        {MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, POLLIN, 0},
        {from_disk, POLLIN, 0},
        {stop, POLLIN, 0}};
    double cpu = 0, begun = 0;
    uint64_t told = 0, moved = 0;
    for (;;) {
        /* What the library has not done yet, it does not tell by its descriptor. */
        unsigned long long soon;
        bool more = MHD_get_timeout(daemon, &soon) == MHD_YES && soon == 0;
        check(poll(ready, 3, more ? 0 : 1000) >= 0, "poll");
        uint64_t signal;
        if (ready[2].revents & POLLIN) { /* the clients begin, or end, to measure */
            char what;
            if (read(stop, &what, 1) != 1 || what == 'e')
                break;
            cpu = processor_time(), begun = now(), told = delivered, moved = granted, rounds = 0;
        }
        if ((ready[1].revents & POLLIN) && read(from_disk, &signal, sizeof signal) > 0)
            wake();
        MHD_run(daemon);
        if (!writing && gathered->count > 0) {
            struct batch *full = gathered;
            gathered = written;
            written = full;
            writing = true;
            signal = 1;
            check(write(to_disk, &signal, sizeof signal) == sizeof signal, "eventfd");
        }
    }
    cpu = processor_time() - cpu;
    double took = now() - begun;
    told = delivered - told, moved = granted - moved;
    printf("%d streams, %d tables: %.0f moves a second, %.0f events a second, %.1f moves a batch\n",
           streams, tables, (double)moved / took, (double)told / took,
           (double)moved / (double)rounds);
    printf(
        "server: %.1f µs a move, %.1f µs an event, %.0f moves a processor second, %.0f %% busy\n",
        1e6 * cpu / (double)moved, 1e6 * cpu / (double)told, (double)moved / cpu, 100 * cpu / took);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("memory: %ld kB, %.1f kB a stream\n", usage.ru_maxrss,
           (double)usage.ru_maxrss / (streams + 2 * tables));
    fflush(stdout);
    _exit(0);
}

/* ---- The clients ---- */

struct client {
    int socket;
    int table, seat; /* seat 0: only listens */
    int mover;       /* a player's other connection, for requests */
    unsigned seen;
};

static int dial(uint16_t port, const char *request) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int link = socket(AF_INET, SOCK_STREAM, 0);
    check(link >= 0 && connect(link, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    if (request != NULL)
        check(send(link, request, strlen(request), 0) > 0, "send");
    fcntl(link, F_SETFL, O_NONBLOCK);
    return link;
}

static void move(const struct client *client) {
    char request[256], answers[4096];
    while (recv(client->mover, answers, sizeof answers, MSG_DONTWAIT) > 0)
        ;
    static const char body[] = "{\"move\":\"a1b2\",\"ply\":12,\"id\":\"123456789\"}";
    int length = snprintf(request, sizeof request,
                          "POST /t/%d HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n%s",
                          client->table, strlen(body), body);
    check(send(client->mover, request, (size_t)length, 0) == length, "send");
}

static void listen_and_play(uint16_t port, int control) {
    int count = streams + 2 * tables;
    struct client *clients = calloc((size_t)count, sizeof *clients);
    int ready = epoll_create1(0);
    for (int i = 0; i < count; i++) {
        char request[128];
        clients[i].table = i % tables;
        clients[i].seat = i < 2 * tables ? 1 + i / tables : 0;
        snprintf(request, sizeof request, "GET /t/%d HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 clients[i].table);
        clients[i].socket = dial(port, request);
        clients[i].mover = clients[i].seat > 0 ? dial(port, NULL) : -1;
        struct epoll_event wanted = {EPOLLIN, {.ptr = &clients[i]}};
        epoll_ctl(ready, EPOLL_CTL_ADD, clients[i].socket, &wanted);
    }
    sleep(1);
    for (int i = 0; i < tables; i++)
        move(&clients[i]);
    bool measuring = false;
    for (double start = now(), end = start + 1 + seconds; now() < end;) {
        if (!measuring && now() > start + 1) {
            measuring = true;
            check(write(control, "b", 1) == 1, "pipe");
        }
        struct epoll_event events[512];
        int found = epoll_wait(ready, events, 512, 100);
        for (int i = 0; i < found; i++) {
            struct client *client = events[i].data.ptr;
            char text[8192];
            ssize_t got;
            bool turn = false;
            while ((got = recv(client->socket, text, sizeof text - 1, 0)) > 0) {
                text[got] = '\0';
                /* Whose move it was: the other player answers. */
                for (char *at = text; (at = strstr(at, "\"seat\":")) != NULL; at += 7)
                    turn = client->seat > 0 && at[7] - '0' != client->seat;
            }
            if (turn)
                move(client);
        }
    }
    check(write(control, "e", 1) == 1, "pipe");
}

int main(int argc, char **argv) {
    int *const numbers[] = {&streams, &tables, &seconds};
    for (int i = 1; i < argc && i <= 3; i++)
        *numbers[i - 1] = atoi(argv[i]);
    if (streams < 0 || tables < 1 || tables > MOST_TABLES || seconds < 1)
        return 2;
    struct rlimit files = {0};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    int port_pipe[2], control[2];
    check(pipe(port_pipe) == 0 && pipe(control) == 0, "pipe");
    pid_t server = fork();
    if (server == 0)
        serve(port_pipe[1], control[0]);
    uint16_t port;
    check(read(port_pipe[0], &port, sizeof port) == sizeof port, "pipe");
    listen_and_play(port, control[1]);
    int status;
    waitpid(server, &status, 0);
    return WEXITSTATUS(status);
}
