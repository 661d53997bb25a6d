#include "thinker.h"

#include <stdlib.h>
#include <string.h>

#include "book_store.h"
#include "clock.h"
#include "prober.h"
#include "search/player.h"
#include "solve/workers.h"

enum { SLICE_MICROSECONDS = 1000 }; /* between two looks at the clock */
static const uint64_t most_nodes_of_slice = (uint64_t)1 << 32;
static const double tell_every = 0.1, usual_seconds = 2, for_ever = 1e9;

struct worker {
    struct thinker *thinker;
    int index; /* of its search */
};

struct thinker {
    struct nonet_options options;
    struct prober *prober;   /* null if there is no table */
    struct nonet_book *book; /* null if there is none */
    bool looked_for_table, looked_for_book;
    char note[1024]; /* about the table, or the book */
    void (*watching)(void *context, const char *what, double share, double seconds_left);
    void *watcher;
    struct nonet_player *player;
    struct nonet_report *report;
    double seconds;

    /* For the current position. */
    const struct thinker_limits *limits;
    double begun, told, until;
    atomic_bool enough; /* a thread has finished, or time is up */
};

struct thinker *thinker_open(const struct nonet_options *options) {
    struct thinker *thinker = calloc(1, sizeof *thinker);
    if (thinker == NULL)
        return NULL;
    thinker->options = *options;
    thinker->report = malloc(sizeof *thinker->report);
    thinker->player = nonet_player_open();
    if (thinker->report == NULL || thinker->player == NULL) {
        thinker_close(thinker);
        return NULL;
    }
    return thinker;
}

void thinker_close(struct thinker *thinker) {
    if (thinker == NULL)
        return;
    nonet_player_close(thinker->player);
    prober_close(thinker->prober);
    nonet_book_free(thinker->book);
    free(thinker->report);
    free(thinker);
}

void thinker_new_game(struct thinker *thinker) {
    nonet_player_new_game(thinker->player);
}

static void keep_note(void *context, const char *line) {
    struct thinker *thinker = context;
    struct nonet_text note = NONET_TEXT_IN(thinker->note);
    nonet_text_add(&note, line);
}

static void tell_watcher(void *context, const char *what, double share, double seconds_left) {
    struct thinker *thinker = context;
    if (thinker->watching != NULL)
        thinker->watching(thinker->watcher, what, share, seconds_left);
}

void thinker_watch(struct thinker *thinker,
                   void (*progress)(void *context, const char *what, double share,
                                    double seconds_left),
                   void *context) {
    thinker->watching = progress;
    thinker->watcher = context;
}

/* The game's table, opened for the first position at the highest level. */
static struct nonet_table *find_table(struct thinker *thinker) {
    if (!thinker->looked_for_table) {
        thinker->looked_for_table = true;
        struct prober_limits limits = {0};
        limits.solve.threads = 1;
        limits.solve.note = keep_note;
        limits.solve.progress = tell_watcher;
        limits.solve.context = thinker;
        thinker->prober = prober_try(&thinker->options, &limits);
    }
    return thinker->prober != NULL ? prober_table(thinker->prober) : NULL;
}

/* The same for its book. A game with a table needs none. */
static const struct nonet_book *find_book(struct thinker *thinker) {
    if (!thinker->looked_for_book) {
        thinker->looked_for_book = true;
        if (find_table(thinker) == NULL) {
            struct nonet_text note = {.bytes = thinker->note,
                                      .size = sizeof thinker->note,
                                      .length = strlen(thinker->note)};
            thinker->book = book_file_find(&thinker->options, &note);
        }
    }
    return thinker->book;
}

const char *thinker_prepare(struct thinker *thinker, int level) {
    if (level != NONET_SEARCH_LEVELS || thinker->looked_for_book)
        return NULL;
    find_book(thinker);
    return thinker->note[0] != '\0' ? thinker->note : NULL;
}

static bool told_to_stop(const struct thinker *thinker) {
    const atomic_bool *stop = thinker->limits->stop;
    return (stop != NULL && atomic_load(stop)) || clock_now() >= thinker->until;
}

/* Reports to the caller, from the caller's own thread, and asks whether to go on. */
static bool tell(struct thinker *thinker, const struct worker *worker) {
    const struct thinker_limits *limits = thinker->limits;
    if (limits->progress == NULL || worker->index != 0 || clock_now() < thinker->told + tell_every)
        return true;
    thinker->told = clock_now();
    nonet_player_report_of(thinker->player, 0, thinker->report);
    return limits->progress(limits->context, thinker->report, thinker->told - thinker->begun);
}

/* Searches in slices of a few milliseconds, however long a node takes in this game. */
static void *work(void *argument) {
    struct worker *worker = argument;
    struct thinker *thinker = worker->thinker;
    uint64_t slice = 1;
    while (!atomic_load(&thinker->enough)) {
        double begun = clock_now();
        if (nonet_player_advance(thinker->player, worker->index, slice))
            break;
        double spent = clock_now() - begun;
        if (spent < SLICE_MICROSECONDS * 0.5e-6 && slice < most_nodes_of_slice)
            slice *= 2;
        else if (spent > SLICE_MICROSECONDS * 2e-6 && slice > 1)
            slice /= 2;
        if (told_to_stop(thinker) || !tell(thinker, worker)) {
            atomic_store(&thinker->enough, true);
            break;
        }
    }
    /* With a limit on nodes, every thread uses up its share, so that the result can be repeated. */
    if (nonet_player_nodes(thinker->player) == 0)
        atomic_store(&thinker->enough, true);
    return NULL;
}

/* Starts the other threads, works in this one, and waits for them. */
static void run(struct thinker *thinker) {
    struct worker workers[THINKER_MAX_THREADS];
    int count = nonet_player_searches(thinker->player);
    for (int i = 0; i < count; i++)
        workers[i] = (struct worker){.thinker = thinker, .index = i};
    workers_run(workers, sizeof *workers, count, work);
}

/* Whether the book has the answer. It does not know what happened before, so it is not asked about
 * a position that has come back. */
static bool know_by_book(struct thinker *thinker, const struct nonet_session *session, int level) {
    const struct thinker_limits *limits = thinker->limits;
    if (!limits->book || level != NONET_SEARCH_LEVELS || limits->searcher != NULL ||
        limits->weights != NULL || nonet_session_turn(session) == 0 ||
        nonet_session_repetitions(session) > 1)
        return false;
    const struct nonet_book *book = find_book(thinker);
    return book != NULL &&
           nonet_book_report(book, nonet_session_state(session), limits->seed, thinker->report) > 0;
}

const struct nonet_report *thinker_think(struct thinker *thinker,
                                         const struct nonet_session *session, int level,
                                         const struct thinker_limits *limits) {
    thinker->begun = thinker->told = clock_now();
    thinker->limits = limits;
    if (know_by_book(thinker, session, level)) {
        thinker->seconds = clock_now() - thinker->begun;
        return thinker->report;
    }
    const struct nonet_player_limits wanted = {
        .level = level,
        .skill = limits->skill,
        .nodes = limits->nodes,
        .searches = limits->threads,
        .memory = limits->memory,
        .seed = limits->seed,
        .searcher = limits->searcher,
        .whole_line = limits->whole_line,
        .weights = limits->weights,
        .table =
            level == NONET_SEARCH_LEVELS && limits->searcher == NULL ? find_table(thinker) : NULL,
    };
    bool ready = nonet_player_begin(thinker->player, session, &wanted);
    if (ready) {
        bool timed = limits->seconds > 0;
        bool counted = nonet_player_nodes(thinker->player) != 0;
        thinker->until = thinker->begun + (timed     ? limits->seconds
                                           : counted ? for_ever
                                                     : usual_seconds);
        atomic_store(&thinker->enough, false);
        run(thinker);
        nonet_player_report(thinker->player, thinker->report);
    }
    nonet_player_end(thinker->player);
    thinker->seconds = clock_now() - thinker->begun;
    return ready ? thinker->report : NULL;
}

double thinker_seconds(const struct thinker *thinker) {
    return thinker->seconds;
}
