#include "computers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/clock.h"
#include "host/files.h"
#include "host/thinker.h"

enum { MOST_THREADS = 16, POLITE = 10 };

struct job {
    struct job *next;
    uint64_t table;
    unsigned position;
    struct nonet_options options;
    int level, ply;
    nonet_move answer;
    nonet_move moves[];
};

struct queue {
    struct job *first, **end;
};

struct computers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct queue asked, answered;
    atomic_bool stop;
    pthread_t threads[MOST_THREADS];
    int count, signal;
    int busy; /* jobs that are asked or thought about */
};

static void put(struct queue *queue, struct job *job) {
    job->next = NULL;
    *queue->end = job;
    queue->end = &job->next;
}

static struct job *take(struct queue *queue) {
    struct job *job = queue->first;
    if (job != NULL && (queue->first = job->next) == NULL)
        queue->end = &queue->first;
    return job;
}

/* The position of a job, played again. */
static struct nonet_session *open_session(const struct job *job) {
    struct nonet_session *session = nonet_session_new(&job->options);
    struct nonet_message why;
    for (int i = 0; i < job->ply && session != NULL; i++)
        if (!nonet_session_play(session, job->moves[i], &why)) {
            nonet_session_free(session);
            session = NULL;
        }
    return session;
}

/* Waits for a moment, or for the end of the server. */
static void wait_until(const struct computers *computers, double moment) {
    const struct timespec nap = {.tv_nsec = 5000000};
    while (clock_now() < moment && !atomic_load(&computers->stop))
        nanosleep(&nap, NULL);
}

/* False if it found no move: then the table's log has the position, and the next start asks again.
 */
static bool think(struct computers *computers, struct thinker **thinker,
                  struct nonet_options *known, struct job *job) {
    double begun = clock_now();
    struct nonet_session *session = open_session(job);
    if (session == NULL)
        return false;
    if (*thinker == NULL || memcmp(known, &job->options, sizeof *known) != 0) {
        thinker_close(*thinker);
        *thinker = thinker_open(&job->options);
        *known = job->options;
    }
    struct thinker_limits limits = {.seconds = 0.8 * COMPUTERS_PACE / 1000,
                                    .threads = 1,
                                    .book = true,
                                    .stop = &computers->stop};
    files_random(&limits.seed, sizeof limits.seed);
    if (*thinker != NULL)
        thinker_new_game(*thinker); /* the last one was at another table */
    const struct nonet_report *report =
        *thinker == NULL ? NULL : thinker_think(*thinker, session, job->level, &limits);
    bool found = report != NULL && !atomic_load(&computers->stop);
    if (found) {
        job->answer = report->moves[0].move;
        if (job->options.game->hidden != NULL)
            wait_until(computers, begun + COMPUTERS_PACE / 1000.0);
    }
    nonet_session_free(session);
    return found;
}

static void *work(void *context) {
    struct computers *computers = context;
    struct thinker *thinker = NULL;
    struct nonet_options known;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), POLITE); /* of this thread only */
    pthread_mutex_lock(&computers->lock);
    for (;;) {
        struct job *job;
        while ((job = take(&computers->asked)) == NULL && !atomic_load(&computers->stop))
            pthread_cond_wait(&computers->changed, &computers->lock);
        if (job == NULL)
            break;
        pthread_mutex_unlock(&computers->lock);
        bool found = think(computers, &thinker, &known, job);
        pthread_mutex_lock(&computers->lock);
        computers->busy--;
        if (found) {
            put(&computers->answered, job);
            eventfd_write(computers->signal, 1);
        } else {
            free(job);
        }
    }
    pthread_mutex_unlock(&computers->lock);
    thinker_close(thinker);
    return NULL;
}

struct computers *computers_new(int threads) {
    struct computers *computers = calloc(1, sizeof *computers);
    if (computers == NULL)
        return NULL;
    pthread_mutex_init(&computers->lock, NULL);
    pthread_cond_init(&computers->changed, NULL);
    computers->asked.end = &computers->asked.first;
    computers->answered.end = &computers->answered.first;
    computers->signal = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    while (computers->count < threads && computers->count < MOST_THREADS &&
           pthread_create(&computers->threads[computers->count], NULL, work, computers) == 0)
        computers->count++;
    if (computers->signal >= 0 && computers->count > 0)
        return computers;
    computers_free(computers);
    return NULL;
}

void computers_free(struct computers *computers) {
    if (computers == NULL)
        return;
    pthread_mutex_lock(&computers->lock);
    atomic_store(&computers->stop, true);
    pthread_cond_broadcast(&computers->changed);
    pthread_mutex_unlock(&computers->lock);
    for (int i = 0; i < computers->count; i++)
        pthread_join(computers->threads[i], NULL);
    for (struct job *job; (job = take(&computers->asked)) != NULL;)
        free(job);
    for (struct job *job; (job = take(&computers->answered)) != NULL;)
        free(job);
    pthread_cond_destroy(&computers->changed);
    pthread_mutex_destroy(&computers->lock);
    if (computers->signal >= 0)
        close(computers->signal);
    free(computers);
}

int computers_signal(const struct computers *computers) {
    return computers->signal;
}

bool computers_are_free(struct computers *computers) {
    pthread_mutex_lock(&computers->lock);
    bool are_free = computers->busy < computers->count;
    pthread_mutex_unlock(&computers->lock);
    return are_free;
}

bool computers_ask(struct computers *computers, uint64_t table, unsigned position,
                   const struct nonet_session *session, int level) {
    int ply = nonet_session_ply(session);
    struct job *job = calloc(1, sizeof *job + (size_t)ply * sizeof job->moves[0]);
    if (job == NULL)
        return false;
    job->table = table;
    job->position = position;
    job->options = *nonet_session_options(session);
    job->level = level;
    job->ply = ply;
    for (int i = 0; i < ply; i++)
        job->moves[i] = nonet_session_move(session, i);
    pthread_mutex_lock(&computers->lock);
    put(&computers->asked, job);
    computers->busy++;
    pthread_cond_signal(&computers->changed);
    pthread_mutex_unlock(&computers->lock);
    return true;
}

bool computers_take(struct computers *computers, struct computers_move *move) {
    eventfd_t count;
    pthread_mutex_lock(&computers->lock);
    struct job *job = take(&computers->answered);
    if (job == NULL)
        eventfd_read(computers->signal, &count);
    pthread_mutex_unlock(&computers->lock);
    if (job == NULL)
        return false;
    *move = (struct computers_move){job->table, job->position, job->ply, job->answer};
    free(job);
    return true;
}
