#include "thinker.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "clock.h"
#include "prober.h"

enum {
    SLICE_MICROSECONDS = 1000, /* between two looks at the clock */
    USUAL_SECONDS = 2,
};
static const double tell_every = 0.1; /* seconds */

struct worker {
    pthread_t thread;
    struct thinker *thinker;
    struct nonet_search_task task;
    void *search;
    uint64_t nodes; /* its share of the limit; 0: none */
};

struct thinker {
    struct nonet_options options;
    struct prober *prober; /* null where no table is at hand */
    bool looked_for_table;
    struct nonet_report *report, *other; /* the merged one, and one thread's */
    double seconds;

    /* Of the current thinking. */
    const struct thinker_limits *limits;
    const struct nonet_searcher *searcher;
    double begun, told, until;
    atomic_bool enough; /* a thread knows all, or time is up */
};

struct thinker *thinker_open(const struct nonet_options *options) {
    struct thinker *thinker = calloc(1, sizeof *thinker);
    if (thinker == NULL)
        return NULL;
    thinker->options = *options;
    thinker->report = malloc(sizeof *thinker->report);
    thinker->other = malloc(sizeof *thinker->other);
    if (thinker->report == NULL || thinker->other == NULL) {
        thinker_close(thinker);
        return NULL;
    }
    return thinker;
}

void thinker_close(struct thinker *thinker) {
    if (thinker == NULL)
        return;
    prober_close(thinker->prober);
    free(thinker->report);
    free(thinker->other);
    free(thinker);
}

/* The game's table, opened when the first position of the highest level comes along. */
static struct nonet_table *find_table(struct thinker *thinker) {
    if (!thinker->looked_for_table) {
        thinker->looked_for_table = true;
        char reason[1024];
        struct nonet_text why = NONET_TEXT_IN(reason);
        struct prober_limits limits = {0};
        limits.solve.threads = 1;
        thinker->prober = prober_open(&thinker->options, &limits, &why);
    }
    return thinker->prober != NULL ? prober_table(thinker->prober) : NULL;
}

void thinker_prepare(struct thinker *thinker, int level) {
    if (level == NONET_SEARCH_LEVELS)
        find_table(thinker);
}

static bool told_to_stop(const struct thinker *thinker) {
    const atomic_bool *stop = thinker->limits->stop;
    return (stop != NULL && atomic_load(stop)) || clock_now() >= thinker->until;
}

/* Lets the caller know, from his own thread, and asks him whether to go on. */
static bool tell(struct thinker *thinker, const struct worker *worker) {
    const struct thinker_limits *limits = thinker->limits;
    if (limits->progress == NULL || worker->task.thread != 0 ||
        clock_now() < thinker->told + tell_every)
        return true;
    thinker->told = clock_now();
    thinker->searcher->report(worker->search, thinker->report);
    return limits->progress(limits->context, thinker->report, thinker->told - thinker->begun);
}

/* Searches in slices of a few milliseconds, whatever a node costs in this game. */
static void *work(void *argument) {
    struct worker *worker = argument;
    struct thinker *thinker = worker->thinker;
    uint64_t done = 0, slice = 1;
    while (!atomic_load(&thinker->enough)) {
        uint64_t nodes = slice;
        if (worker->nodes != 0 && nodes > worker->nodes - done)
            nodes = worker->nodes - done;
        double begun = clock_now();
        bool all = thinker->searcher->advance(worker->search, nodes);
        done += nodes;
        if (all || done == worker->nodes)
            break;
        double spent = clock_now() - begun;
        if (spent < SLICE_MICROSECONDS * 0.5e-6)
            slice *= 2;
        else if (spent > SLICE_MICROSECONDS * 2e-6 && slice > 1)
            slice /= 2;
        if (told_to_stop(thinker) || !tell(thinker, worker)) {
            atomic_store(&thinker->enough, true);
            break;
        }
    }
    /* With a limit on nodes, every thread uses up its share: that is what can be repeated. */
    if (worker->nodes == 0)
        atomic_store(&thinker->enough, true);
    return NULL;
}

static void *aligned(size_t size) {
    return aligned_alloc(NONET_SEARCH_ALIGN,
                         (size + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN);
}

/* Bytes that are zero, straight from the system: those that a search never touches cost nothing. */
static void *blank(size_t size) {
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return bytes != MAP_FAILED ? bytes : NULL;
}

/* Starts the other threads, works in this one, and waits for them. */
static void run(struct worker *workers, int count) {
    int started = 1;
    for (; started < count; started++)
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    work(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

static bool begin(struct thinker *thinker, struct worker *workers, int count,
                  const struct nonet_search_task *task, uint64_t nodes) {
    for (int i = 0; i < count; i++) {
        struct worker *worker = &workers[i];
        worker->thinker = thinker;
        worker->task = *task;
        worker->task.thread = i;
        if (task->table != NULL && i > 0)
            worker->task.table = nonet_table_open_again(task->table);
        worker->nodes =
            nodes == 0 ? 0 : nodes / (uint64_t)count + (i < (int)(nodes % (uint64_t)count));
        worker->search = aligned(thinker->searcher->size(&worker->task));
        if (worker->search == NULL || (task->table != NULL && worker->task.table == NULL))
            return false;
        thinker->searcher->begin(worker->search, &worker->task);
    }
    return true;
}

const struct nonet_report *thinker_think(struct thinker *thinker,
                                         const struct nonet_session *session, int level,
                                         const struct thinker_limits *limits) {
    thinker->begun = thinker->told = clock_now();
    thinker->limits = limits;
    struct nonet_search_task task;
    if (!nonet_search_task_open(&task, session, nonet_session_turn(session)))
        return NULL;
    task.level = level;
    task.seed = limits->seed;
    uint64_t nodes =
        limits->nodes != 0 ? limits->nodes : nonet_level(&thinker->options, level).nodes;
    double seconds = limits->seconds > 0 ? limits->seconds : nodes == 0 ? USUAL_SECONDS : 1e9;
    thinker->until = thinker->begun + seconds;
    atomic_store(&thinker->enough, false);
    /* No more threads than nodes: a share of none would be no limit at all. */
    int count = nodes == 0 || nodes >= (uint64_t)limits->threads ? limits->threads : (int)nodes;
    task.memory =
        (limits->memory != 0 ? limits->memory : NONET_SEARCH_MEMORY) / (size_t)(count + 1);
    if (level == NONET_SEARCH_LEVELS && limits->searcher == NULL)
        task.table = find_table(thinker);
    thinker->searcher = limits->searcher != NULL ? limits->searcher : nonet_searcher_for(&task);
    /* No larger than a search of so many nodes can fill, as clearing it takes time. */
    task.shared_size = task.memory;
    while (nodes != 0 && task.shared_size > 4096 && task.shared_size / 64 > nodes)
        task.shared_size /= 2;
    task.shared = blank(task.shared_size);
    struct worker *workers = calloc((size_t)count, sizeof *workers);
    bool ready = task.shared != NULL && workers != NULL;
    if (ready)
        ready = begin(thinker, workers, count, &task, nodes);
    if (ready) {
        run(workers, count);
        thinker->searcher->report(workers[0].search, thinker->report);
        for (int i = 1; i < count; i++) {
            thinker->searcher->report(workers[i].search, thinker->other);
            nonet_report_merge(thinker->report, thinker->other);
        }
    }
    for (int i = 0; workers != NULL && i < count; i++) {
        free(workers[i].search);
        if (i > 0)
            nonet_table_close(workers[i].task.table);
    }
    free(workers);
    if (task.shared != NULL)
        munmap(task.shared, task.shared_size);
    nonet_search_task_close(&task);
    thinker->seconds = clock_now() - thinker->begun;
    return ready ? thinker->report : NULL;
}

double thinker_seconds(const struct thinker *thinker) {
    return thinker->seconds;
}
