/* What the server for tables can bear, measured from outside.
 *
 *     build/tests/bench-tables build/nonet-serve [GAME [TABLES [STREAMS [SECONDS [PAUSE]]]]]
 *
 * trix, 200, 2000, 10 and 0 unless given. Starts the server with a new log in /var/tmp and plays at
 * TABLES tables at once, as fast as the server answers, or with PAUSE milliseconds of thought
 * before each move. At each table two visitors listen, each to a stream of their own, and move by
 * requests of their own as soon as their stream tells the other's move. The other streams, up to
 * STREAMS, listen to tables at which nothing happens. A game that lasts long enough, or ends, is
 * followed by another at a table that was opened before.
 *
 * Prints moves a second and per processor second of the server, how long a move takes from the
 * request to its answer, how long a bare write and fdatasync took in the same folder at the same
 * time, and the server's memory. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "host/clock.h"
#include "rules/session.h"

enum { MOST_PAIRS = 2000, GAMES_OF_A_PAIR = 12, PLIES_OF_A_GAME = 120, MOST_TIMES = 1 << 22 };

static const char *game_id = "trix";
static int pairs = 200, streams = 2000, seconds = 10, pause_ms = 0;
static struct sockaddr_in address = {.sin_family = AF_INET};

static pid_t server;

static void check(bool fine, const char *what) {
    if (fine)
        return;
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    if (server > 0)
        kill(server, SIGKILL);
    exit(1);
}

/* ---- Times ---- */

struct times {
    int count;
    float *list; /* milliseconds */
};
static struct times answers, syncs;

static void add_time(struct times *times, double from) {
    if (times->count < MOST_TIMES)
        times->list[times->count++] = (float)(1000 * (clock_now() - from));
}

static int compare(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *what, struct times *times) {
    if (times->count == 0)
        return;
    qsort(times->list, (size_t)times->count, sizeof times->list[0], compare);
    const float *list = times->list;
    int count = times->count;
    printf("%s: half within %.1f ms, 99 %% within %.1f ms, all within %.1f ms\n", what,
           (double)list[count / 2], (double)list[count / 100 * 99 + count % 100 * 99 / 100],
           (double)list[count - 1]);
}

/* The disk, seen by a program that does nothing else. */
static atomic_bool ends;
static char folder[] = "/var/tmp/nonet-bench-XXXXXX";

static void *sync_now_and_then(void *unused) {
    (void)unused;
    char name[64], line[128] = "";
    snprintf(name, sizeof name, "%s/bare", folder);
    int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
    check(file >= 0, name);
    while (!atomic_load(&ends)) {
        double begun = clock_now();
        check(write(file, line, sizeof line) == sizeof line && fdatasync(file) == 0, name);
        add_time(&syncs, begun);
        usleep(20000);
    }
    close(file);
    return NULL;
}

/* ---- The server ---- */

static void start_server(const char *program) {
    int out[2];
    char store[64], line[128] = "";
    snprintf(store, sizeof store, "%s/tables.sqlite", folder);
    check(pipe(out) == 0, "pipe");
    server = fork();
    if (server == 0) {
        dup2(out[1], STDOUT_FILENO);
        execl(program, program, "--port", "0", "--unlimited", "--proxy", "127.0.0.1", "--store",
              store, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    check(read(out[0], line, sizeof line - 1) > 0, program);
    const char *port = strrchr(line, ':');
    check(port != NULL, line);
    address.sin_port = htons((uint16_t)atoi(port + 1));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

static double processor_time(void) {
    char name[64], line[1024] = "";
    unsigned long user, system;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)server);
    int file = open(name, O_RDONLY);
    check(file >= 0 && read(file, line, sizeof line - 1) > 0, name);
    close(file);
    const char *at = strrchr(line, ')');
    check(at != NULL && sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                               &system) == 2,
          name);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static long memory(void) {
    char name[64], line[256];
    long kilobytes = 0;
    snprintf(name, sizeof name, "/proc/%d/status", (int)server);
    FILE *file = fopen(name, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes;
}

/* ---- Requests ---- */

static int dial(void) {
    int link = socket(AF_INET, SOCK_STREAM, 0);
    check(link >= 0 && connect(link, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    return link;
}

static void request(int link, const char *method, const char *path, const char *token,
                    const char *body) {
    char text[2048], authorization[96] = "";
    if (token != NULL && *token != '\0')
        snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    int length = snprintf(text, sizeof text,
                          "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: "
                          "application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          method, path, authorization, strlen(body), body);
    check(send(link, text, (size_t)length, 0) == length, "send");
}

/* Waits for a whole answer; used only before measuring. */
static void answer(int link, char *text, size_t size) {
    size_t length = 0;
    const char *body = NULL;
    size_t announced = 0;
    do {
        ssize_t got = recv(link, text + length, size - 1 - length, 0);
        check(got > 0, "answer");
        length += (size_t)got;
        text[length] = '\0';
        body = strstr(text, "\r\n\r\n");
        const char *header = strstr(text, "Content-Length:");
        announced = header != NULL ? strtoul(header + 15, NULL, 10) : 0;
    } while (body == NULL || length < (size_t)(body + 4 - text) + announced);
    check(strncmp(text, "HTTP/1.1 20", 11) == 0, text);
}

/* Copies what stands between a word and the next quote or semicolon. */
static void copy_after(const char *text, const char *word, char *into, size_t size) {
    const char *at = strstr(text, word);
    check(at != NULL, word);
    at += strlen(word);
    snprintf(into, size, "%.*s", (int)strcspn(at, "\";"), at);
}

/* ---- Pairs of visitors ---- */

struct pair;
struct visitor {
    struct pair *pair;
    int seat;
    char token[48];
    int stream, mover; /* connections */
    double sent;       /* when the move that has no answer yet was sent; 0: none */
    double moves_at;   /* a move is due; 0: none */
};

struct pair {
    struct visitor visitors[2];
    char tables[GAMES_OF_A_PAIR][16];
    struct nonet_session *sessions[GAMES_OF_A_PAIR];
    int at; /* the game that is being played */
};

static struct pair *all;
static struct nonet_random chance = {1};
static uint64_t moves;

static const struct nonet_game *find_game(void) {
    for (int i = 0; nonet_games[i] != NULL; i++)
        if (strcmp(nonet_games[i]->id, game_id) == 0)
            return nonet_games[i];
    fprintf(stderr, "there is no game %s\n", game_id);
    exit(2);
}

static void open_table(struct pair *pair, int which, const struct nonet_game *game) {
    char body[256], path[64], text[16384];
    snprintf(
        body, sizeof body,
        "{\"id\":\"%d\",\"game\":\"%s\",\"options\":{},\"clock\":{\"kind\":\"game\",\"budget\":"
        "10800000,\"increment\":0},\"seats\":[{\"name\":\"Ada\"},{}],\"listed\":false}",
        which + 1, game_id);
    struct visitor *ada = &pair->visitors[0], *bob = &pair->visitors[1];
    request(ada->mover, "POST", "/api/tables", ada->token, body);
    answer(ada->mover, text, sizeof text);
    if (ada->token[0] == '\0')
        copy_after(text, "nonet=", ada->token, sizeof ada->token);
    copy_after(text, "{\"table\":\"", pair->tables[which], sizeof pair->tables[which]);
    snprintf(path, sizeof path, "/api/tables/%s", pair->tables[which]);
    request(bob->mover, "POST", path, bob->token, "{\"wish\":\"sit\",\"seat\":2,\"name\":\"Bob\"}");
    answer(bob->mover, text, sizeof text);
    if (bob->token[0] == '\0')
        copy_after(text, "nonet=", bob->token, sizeof bob->token);
    struct nonet_options options;
    nonet_options_default(&options, game);
    nonet_options_deal(&options, 0, 0);
    pair->sessions[which] = nonet_session_new(&options);
}

static void listen_to(struct visitor *visitor) {
    char path[GAMES_OF_A_PAIR * 16 + 64] = "/api/stream?tables=";
    for (int i = 0; i < GAMES_OF_A_PAIR; i++) {
        strcat(path, i > 0 ? "," : "");
        strcat(path, visitor->pair->tables[i]);
    }
    visitor->stream = dial();
    request(visitor->stream, "GET", path, visitor->token, "");
}

/* A move that does not end the game, if there is one. */
static nonet_move choose(struct nonet_session *session) {
    struct nonet_message why;
    nonet_move move = 0;
    for (int tries = 0; tries < 30; tries++) {
        uint64_t count = nonet_session_count(session);
        move = nonet_session_nth(session, nonet_random_next(&chance) % count);
        nonet_session_play(session, move, &why);
        bool over = nonet_session_turn(session) == 0;
        nonet_session_prune(session, nonet_session_node(session));
        if (!over)
            break;
    }
    return move;
}

static void move(struct visitor *visitor) {
    struct pair *pair = visitor->pair;
    struct nonet_session *session = pair->sessions[pair->at];
    const struct nonet_options *options = nonet_session_options(session);
    char text[NONET_MOVE_TEXT], body[192], path[64];
    struct nonet_text out = NONET_TEXT_IN(text);
    struct nonet_message why;
    nonet_move chosen = choose(session);
    int ply = nonet_session_ply(session);
    options->game->print(options, chosen, &out);
    check(nonet_session_play(session, chosen, &why), "move");
    snprintf(path, sizeof path, "/api/tables/%s", pair->tables[pair->at]);
    snprintf(body, sizeof body,
             "{\"wish\":\"move\",\"seat\":%d,\"ply\":%d,\"id\":\"%llu\",\"move\":\"%s\"}",
             visitor->seat, ply, (unsigned long long)(nonet_random_next(&chance) >> 2 | 1), text);
    request(visitor->mover, "POST", path, visitor->token, body);
    visitor->sent = clock_now();
    visitor->moves_at = 0;
}

/* Whoever's turn it is moves: in this game, or in the next one. */
static void go_on(struct pair *pair) {
    struct nonet_session *session = pair->sessions[pair->at];
    if (nonet_session_turn(session) == 0 || nonet_session_ply(session) >= PLIES_OF_A_GAME) {
        check(++pair->at < GAMES_OF_A_PAIR, "all games are over: measure for a shorter time");
        session = pair->sessions[pair->at];
    }
    struct visitor *next = &pair->visitors[nonet_session_turn(session) - 1];
    next->moves_at =
        clock_now() + 0.001 * pause_ms * 2 * (double)(nonet_random_next(&chance) >> 11) * 0x1p-53;
}

/* A visitor's stream has said something. If it is the last move, the game goes on. */
static void hear(struct visitor *visitor) {
    char text[16384], wanted[96];
    ssize_t got;
    struct pair *pair = visitor->pair;
    struct nonet_session *session = pair->sessions[pair->at];
    int ply = nonet_session_ply(session);
    while ((got = recv(visitor->stream, text, sizeof text - 1, MSG_DONTWAIT)) > 0) {
        text[got] = '\0';
        snprintf(wanted, sizeof wanted,
                 "\"table\":\"%s\",\"event\":\"moved\",\"seat\":%d,\"ply\":%d,",
                 pair->tables[pair->at], 3 - visitor->seat, ply - 1);
        if (ply > 0 && strstr(text, wanted) != NULL &&
            (nonet_session_turn(session) == visitor->seat || nonet_session_turn(session) == 0 ||
             ply >= PLIES_OF_A_GAME))
            go_on(pair);
    }
    check(got < 0 && errno == EAGAIN, "stream");
}

static void take_answer(struct visitor *visitor) {
    char text[4096];
    ssize_t got = recv(visitor->mover, text, sizeof text - 1, MSG_DONTWAIT);
    check(got > 0, "answer");
    text[got] = '\0';
    check(strncmp(text, "HTTP/1.1 200", 12) == 0, text);
    add_time(&answers, visitor->sent);
    visitor->sent = 0;
    moves++;
}

static void play(double until, int ready) {
    while (clock_now() < until) {
        struct epoll_event events[512];
        int found = epoll_wait(ready, events, 512, pause_ms > 0 ? 1 : 100);
        for (int i = 0; i < found; i++) {
            uint64_t what = events[i].data.u64;
            struct visitor *visitor = &all[what >> 2].visitors[what >> 1 & 1];
            if (what & 1)
                take_answer(visitor);
            else
                hear(visitor);
        }
        double now = clock_now();
        for (int i = 0; i < 2 * pairs; i++) {
            struct visitor *visitor = &all[i / 2].visitors[i % 2];
            if (visitor->moves_at > 0 && visitor->moves_at <= now && visitor->sent == 0)
                move(visitor);
        }
    }
}

static void prepare(int ready) {
    const struct nonet_game *game = find_game();
    all = calloc((size_t)pairs, sizeof *all);
    for (int i = 0; i < pairs; i++) {
        struct pair *pair = &all[i];
        for (int s = 0; s < 2; s++) {
            pair->visitors[s].pair = pair;
            pair->visitors[s].seat = s + 1;
            pair->visitors[s].mover = dial();
        }
        for (int g = 0; g < GAMES_OF_A_PAIR; g++)
            open_table(pair, g, game);
        for (int s = 0; s < 2; s++) {
            struct visitor *visitor = &pair->visitors[s];
            listen_to(visitor);
            close(visitor->mover); /* it may have been idle for too long */
            visitor->mover = -1;
            struct epoll_event heard = {EPOLLIN, {.u64 = (uint64_t)i << 2 | (uint64_t)s << 1}};
            epoll_ctl(ready, EPOLL_CTL_ADD, visitor->stream, &heard);
        }
    }
    long before = memory();
    for (int i = 2 * pairs; i < streams; i++) { /* at games that have not begun to be played */
        char path[64];
        snprintf(path, sizeof path, "/api/stream?tables=%s",
                 all[i % pairs].tables[GAMES_OF_A_PAIR - 1]);
        request(dial(), "GET", path, NULL, "");
    }
    sleep(1);
    if (streams > 2 * pairs)
        printf("memory: %ld kB with all tables; %.1f kB more for each other stream\n", before,
               (double)(memory() - before) / (streams - 2 * pairs));
    for (int i = 0; i < 2 * pairs; i++) {
        struct visitor *visitor = &all[i / 2].visitors[i % 2];
        struct epoll_event answered = {EPOLLIN, {.u64 = (uint64_t)i << 1 | 1}};
        visitor->mover = dial();
        epoll_ctl(ready, EPOLL_CTL_ADD, visitor->mover, &answered);
    }
}

int main(int argc, char **argv) {
    int *const numbers[] = {&pairs, &streams, &seconds, &pause_ms};
    if (argc < 2)
        return 2;
    if (argc > 2)
        game_id = argv[2];
    for (int i = 3; i < argc && i < 7; i++)
        *numbers[i - 3] = atoi(argv[i]);
    if (pairs < 1 || pairs > MOST_PAIRS || seconds < 1)
        return 2;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    signal(SIGPIPE, SIG_IGN);
    answers.list = malloc(MOST_TIMES * sizeof(float));
    syncs.list = malloc(MOST_TIMES * sizeof(float));
    check(mkdtemp(folder) != NULL, folder);
    start_server(argv[1]);
    int ready = epoll_create1(0);
    prepare(ready);
    pthread_t bare;
    pthread_create(&bare, NULL, sync_now_and_then, NULL);
    for (int i = 0; i < pairs; i++)
        go_on(&all[i]);
    play(clock_now() + 1, ready); /* until all are busy */
    answers.count = syncs.count = 0;
    uint64_t before = moves;
    double processor = processor_time(), begun = clock_now();
    play(begun + seconds, ready);
    processor = processor_time() - processor;
    double took = clock_now() - begun;
    printf("%s, %d tables, %d streams: %.0f moves a second, %.0f a processor second of the server, "
           "which was %.0f %% busy\n",
           game_id, pairs, streams > 2 * pairs ? streams : 2 * pairs,
           (double)(moves - before) / took, (double)(moves - before) / processor,
           100 * processor / took);
    atomic_store(&ends, true);
    pthread_join(bare, NULL);
    print_times("answers", &answers);
    print_times("a bare fdatasync", &syncs);
    printf("memory: %ld kB\n", memory());
    kill(server, SIGTERM);
    int status;
    waitpid(server, &status, 0);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}
