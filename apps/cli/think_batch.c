/* nonet think --batch: questions about positions, one JSON line each, answered by a line each.
 * docs/analysis.md describes them.
 *
 * The main thread reads lines and puts them into a queue, so that a question can be cancelled while
 * others are thought about. Some workers, each with a player of its own, take questions from the
 * queue in their order. All share the desk: its lock guards the queue, the questions that are being
 * thought about, and the output, on which lines are written whole. */
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "host/record.h"
#include "think.h"
#include "think_flags.h"

enum {
    MOST_BYTES = RECORD_MAX_BYTES, /* of a line */
    /* Of lines that wait: then no more are read, until some are answered. */
    MOST_WAITING = 16 << 20,
};

/* ---- What a question asks for ---- */

/* Reads a member that must be a whole number. If there is none, `number` stays as it is. */
static bool read_number(const json_t *object, const char *key, uint64_t least, uint64_t most,
                        uint64_t *number, struct nonet_text *why) {
    const json_t *member = json_object_get(object, key);
    if (member == NULL)
        return true;
    json_int_t value = json_integer_value(member);
    if (!json_is_integer(member) || value < 0 || (uint64_t)value < least ||
        (uint64_t)value > most) {
        nonet_text_format(why, "\"%s\" is not a whole number from %llu to %llu", key,
                          (unsigned long long)least, (unsigned long long)most);
        return false;
    }
    *number = (uint64_t)value;
    return true;
}

/* The most time that a question may ask for, unless --time says otherwise. */
static const double batch_most_seconds = 60;

/* A member that must be a number of seconds, up to `most`. If there is none, it stays as it is. */
static bool read_seconds(const json_t *object, const char *key, double most, double *seconds,
                         struct nonet_text *why) {
    const json_t *member = json_object_get(object, key);
    double value = json_number_value(member);
    if (member == NULL)
        return true;
    if (!json_is_number(member) || !(value > 0 && value <= most)) {
        nonet_text_format(why, "\"%s\" is not a number of seconds above 0, up to %g", key, most);
        return false;
    }
    *seconds = value;
    return true;
}

static bool read_limits(json_t *object, int *level, struct thinker_limits *limits, double *every,
                        struct nonet_text *why) {
    static const char *const known[] = {"id",    "game",  "options", "from",  "moves", "time",
                                        "level", "nodes", "seed",    "every", NULL};
    if (!record_known_members(object, known, "the question", why))
        return false;
    uint64_t wanted = (uint64_t)*level;
    if (!read_number(object, "level", 1, NONET_SEARCH_LEVELS, &wanted, why) ||
        !read_number(object, "nodes", 1, cli_most_nodes, &limits->nodes, why) ||
        !read_number(object, "seed", 0, INT64_MAX, &limits->seed, why))
        return false;
    *level = (int)wanted;
    /* Lines may come from strangers: none can delay the others for longer than this. */
    double most = limits->seconds > 0 ? limits->seconds : batch_most_seconds;
    double seconds = 0;
    if (!read_seconds(object, "time", most, &seconds, why) ||
        !read_seconds(object, "every", batch_most_seconds, every, why))
        return false;
    if (seconds > 0)
        limits->seconds = seconds;
    else if (limits->seconds == 0 && (limits->nodes != 0 || *level < NONET_SEARCH_LEVELS))
        limits->seconds = most; /* the nodes decide, but not for ever */
    return true;
}

/* ---- The desk ---- */

struct question {
    struct question *next; /* in the queue */
    char *line;
    size_t length;
    json_t *id;       /* null if there is none */
    atomic_bool stop; /* it was cancelled: no more thinking */
};

struct desk {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* the queue, or what follows */
    struct question *first, **last;
    size_t waiting;                              /* bytes of the queue */
    bool complete;                               /* no more questions come */
    struct question *asked[THINK_MOST_PARALLEL]; /* that are thought about, by worker; or null */
    FILE *out;
    bool broken; /* the output was closed: nothing more can be said */
};

/* Writes a line that begins with the id; CLI_FAILED if the output is closed. The desk is locked. */
static int say_locked(struct desk *desk, const json_t *id, const char *rest) {
    if (desk->broken)
        return CLI_FAILED;
    char *name = id != NULL ? json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    fprintf(desk->out, "{\"id\":%s,", name != NULL ? name : "null");
    free(name);
    int code = cli_output_to(desk->out, rest);
    desk->broken = code != CLI_DONE;
    return code;
}

static int say(struct desk *desk, const json_t *id, const char *rest) {
    pthread_mutex_lock(&desk->lock);
    int code = say_locked(desk, id, rest);
    pthread_mutex_unlock(&desk->lock);
    return code;
}

static int say_error(struct desk *desk, const json_t *id, const char *error) {
    char line[2 * RECORD_REASON + 64];
    struct nonet_text text = NONET_TEXT_IN(line);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_string_member(&json, "error", error);
    nonet_text_add(&text, "}\n");
    return say(desk, id, line);
}

/* ---- Answers ---- */

/* A worker's memory. */
struct think_batch {
    struct think_mind mind;
    char bytes[THINK_ROOM];
};

struct think_batch *think_batch_new(void) {
    return calloc(1, sizeof(struct think_batch));
}

void think_batch_free(struct think_batch *batch) {
    if (batch != NULL)
        thinker_close(batch->mind.thinker);
    free(batch);
}

/* A question that is being answered. */
struct answering {
    struct desk *desk;
    struct think_batch *batch;
    const json_t *id;
    const atomic_bool *stop; /* null if nobody can cancel it */
    const struct nonet_options *options;
    double every, told; /* seconds between interim reports, 0: none; and when the last one was */
};

static bool is_cancelled(const struct answering *answering) {
    return answering->stop != NULL && atomic_load(answering->stop);
}

static bool tell_interim(void *context, const struct nonet_report *report, double seconds) {
    struct answering *answering = context;
    if (seconds - answering->told < answering->every)
        return true;
    answering->told = seconds;
    struct nonet_text text = NONET_TEXT_IN(answering->batch->bytes);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_bool_member(&json, "interim", true);
    describe_thoughts(&json, answering->options, report, seconds);
    nonet_text_add(&text, "}\n");
    return say(answering->desk, answering->id, answering->batch->bytes) == CLI_DONE;
}

/* Answers one question. False with the reason. */
static bool answer(struct answering *answering, json_t *object, int level,
                   struct thinker_limits limits, struct nonet_text *out, struct nonet_text *why) {
    if (!json_is_object(object)) {
        nonet_text_add(why, "it is not a JSON object");
        return false;
    }
    if (!read_limits(object, &level, &limits, &answering->every, why))
        return false;
    struct nonet_session *session = record_open_session(object, why);
    if (session == NULL)
        return false;
    answering->options = nonet_session_options(session);
    limits.stop = answering->stop;
    limits.context = answering;
    limits.progress = answering->every > 0 ? tell_interim : NULL;
    struct nonet_json json = nonet_json_in(out);
    bool done = think_about(&answering->batch->mind, session, level, &limits, &json);
    if (is_cancelled(answering))
        nonet_json_bool_member(&json, "cancelled", true);
    nonet_text_add(out, "}\n");
    nonet_session_free(session);
    if (!done)
        nonet_text_add(why, "there is no memory left");
    return done;
}

/* Answers a line, thinking with the memory of `batch`. */
static int answer_line(struct desk *desk, struct think_batch *batch, const char *line,
                       size_t length, const atomic_bool *stop, int level,
                       const struct thinker_limits *limits) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason), thoughts = NONET_TEXT_IN(batch->bytes);
    json_error_t error;
    json_t *object =
        length > MOST_BYTES ? NULL : json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    struct answering answering = {
        .desk = desk, .batch = batch, .id = json_object_get(object, "id"), .stop = stop};
    int code;
    if (object != NULL && is_cancelled(&answering))
        code = say(desk, answering.id, "\"cancelled\":true}\n");
    else if (object != NULL && answer(&answering, object, level, *limits, &thoughts, &why))
        code = say(desk, answering.id, batch->bytes);
    else {
        if (length > MOST_BYTES)
            nonet_text_format(&why, "it is longer than %d bytes", MOST_BYTES);
        else if (object == NULL)
            nonet_text_format(&why, "it is not JSON: column %d: %s", error.column,
                              nonet_quote(error.text).text);
        code = say_error(desk, answering.id, reason);
    }
    json_decref(object);
    return code;
}

static void desk_open(struct desk *desk, FILE *out) {
    *desk = (struct desk){.out = out};
    desk->last = &desk->first;
    pthread_mutex_init(&desk->lock, NULL);
    pthread_cond_init(&desk->changed, NULL);
}

static void desk_close(struct desk *desk) {
    pthread_cond_destroy(&desk->changed);
    pthread_mutex_destroy(&desk->lock);
}

int think_batch_answer(struct think_batch *batch, const char *line, size_t length, int level,
                       const struct thinker_limits *limits, FILE *out) {
    struct desk desk;
    desk_open(&desk, out);
    int code = answer_line(&desk, batch, line, length, NULL, level, limits);
    desk_close(&desk);
    return code;
}

/* ---- Workers ---- */

struct worker {
    struct desk *desk;
    int number, level;
    const struct thinker_limits *limits;
    struct think_batch *batch;
    pthread_t thread;
};

static void forget(struct question *question) {
    json_decref(question->id);
    free(question->line);
    free(question);
}

/* Takes the next question from the queue; waits if there is none yet. Null if no more will come. */
static struct question *take(struct worker *worker) {
    struct desk *desk = worker->desk;
    pthread_mutex_lock(&desk->lock);
    while (desk->first == NULL && !desk->complete)
        pthread_cond_wait(&desk->changed, &desk->lock);
    struct question *question = desk->first;
    if (question != NULL) {
        desk->first = question->next;
        if (desk->first == NULL)
            desk->last = &desk->first;
        desk->waiting -= question->length;
        desk->asked[worker->number] = question;
        pthread_cond_broadcast(&desk->changed);
    }
    pthread_mutex_unlock(&desk->lock);
    return question;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct desk *desk = worker->desk;
    struct question *question;
    while ((question = take(worker)) != NULL) {
        answer_line(desk, worker->batch, question->line, question->length, &question->stop,
                    worker->level, worker->limits);
        pthread_mutex_lock(&desk->lock);
        desk->asked[worker->number] = NULL;
        pthread_mutex_unlock(&desk->lock);
        forget(question);
    }
    return NULL;
}

/* ---- Reading ---- */

/* Puts a line into the queue, once there is room. False if memory runs out, or nothing can be
 * answered any more. */
static bool enqueue(struct desk *desk, const char *line, size_t length, json_t *id) {
    size_t kept = length < MOST_BYTES ? length : MOST_BYTES;
    struct question *question = calloc(1, sizeof *question);
    char *copy = malloc(kept + 1);
    if (question == NULL || copy == NULL) {
        free(question);
        free(copy);
        cli_fail(CLI_FAILED, "there is no memory left");
        return false;
    }
    memcpy(copy, line, kept);
    *question = (struct question){.line = copy, .length = length, .id = json_incref(id)};
    pthread_mutex_lock(&desk->lock);
    while (desk->first != NULL && desk->waiting + length > MOST_WAITING && !desk->broken)
        pthread_cond_wait(&desk->changed, &desk->lock);
    *desk->last = question;
    desk->last = &question->next;
    desk->waiting += length;
    bool broken = desk->broken;
    pthread_cond_broadcast(&desk->changed);
    pthread_mutex_unlock(&desk->lock);
    return !broken;
}

static bool is_meant(const struct question *question, const json_t *id) {
    return id == NULL || json_equal(question->id, id);
}

/* Cancels the questions with this id, or all of them if it is null, and tells how many were not
 * cancelled before. The lock makes their answers come after that. */
static int cancel(struct desk *desk, const json_t *own, const json_t *id) {
    char line[32];
    struct nonet_text text = NONET_TEXT_IN(line);
    int found = 0;
    pthread_mutex_lock(&desk->lock);
    for (struct question *waiting = desk->first; waiting != NULL; waiting = waiting->next)
        found += is_meant(waiting, id) && !atomic_exchange(&waiting->stop, true);
    for (int i = 0; i < THINK_MOST_PARALLEL; i++)
        if (desk->asked[i] != NULL)
            found += is_meant(desk->asked[i], id) && !atomic_exchange(&desk->asked[i]->stop, true);
    nonet_text_format(&text, "\"found\":%d}\n", found);
    int code = say_locked(desk, own, line);
    pthread_mutex_unlock(&desk->lock);
    return code;
}

/* {"id":…,"cancel":ID} and {"id":…,"cancel_all":true} are obeyed at once. */
static int obey(struct desk *desk, json_t *object) {
    static const char *const known[] = {"id", "cancel", "cancel_all", NULL};
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const json_t *id = json_object_get(object, "id"), *which = json_object_get(object, "cancel");
    const json_t *all = json_object_get(object, "cancel_all");
    if (!record_known_members(object, known, "the cancelling", &why))
        return say_error(desk, id, reason);
    if ((which != NULL) == (all != NULL) || (all != NULL && !json_is_true(all)))
        return say_error(desk, id, "it has either \"cancel\" with an id, or \"cancel_all\":true");
    return cancel(desk, id, which);
}

/* Puts a question into the queue, or obeys if it cancels others. False if nothing more is read. */
static bool take_line(struct desk *desk, const char *line, size_t length) {
    json_error_t error;
    json_t *object =
        length > MOST_BYTES ? NULL : json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    bool cancels =
        json_object_get(object, "cancel") != NULL || json_object_get(object, "cancel_all") != NULL;
    bool good = cancels ? obey(desk, object) == CLI_DONE
                        : enqueue(desk, line, length, json_object_get(object, "id"));
    json_decref(object);
    return good;
}

/* A line without its end. For a line that is too long, only the length is right. -1 at the end. */
static long read_line(char *line) {
    int c;
    size_t length = 0;
    while ((c = getc(stdin)) != EOF && c != '\n') {
        if (length < MOST_BYTES)
            line[length] = (char)c;
        length += length <= MOST_BYTES;
    }
    return c == EOF && length == 0 ? -1 : (long)length;
}

/* Starts workers; returns how many, at most `parallel`. */
static int start_workers(struct worker *workers, int parallel, struct desk *desk, int level,
                         const struct thinker_limits *limits) {
    for (int i = 0; i < parallel; i++) {
        workers[i] = (struct worker){.desk = desk,
                                     .number = i,
                                     .level = level,
                                     .limits = limits,
                                     .batch = think_batch_new()};
        if (workers[i].batch == NULL ||
            pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            think_batch_free(workers[i].batch);
            return i;
        }
    }
    return parallel;
}

int think_in_batch(int parallel, int level, const struct thinker_limits *limits) {
    struct worker workers[THINK_MOST_PARALLEL];
    struct desk desk;
    json_object_seed(0);  /* before there are threads */
    host_language = NULL; /* programs read the answers */
    desk_open(&desk, stdout);
    char *line = malloc(MOST_BYTES + 1);
    int started = line != NULL ? start_workers(workers, parallel, &desk, level, limits) : 0;
    bool good = started > 0;
    if (!good)
        cli_fail(CLI_FAILED, "there is no memory left");
    long length;
    while (good && (length = read_line(line)) >= 0)
        if (length > 0)
            good = take_line(&desk, line, (size_t)length);
    pthread_mutex_lock(&desk.lock);
    desk.complete = true;
    pthread_cond_broadcast(&desk.changed);
    pthread_mutex_unlock(&desk.lock);
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        think_batch_free(workers[i].batch);
    }
    good = good && !desk.broken;
    desk_close(&desk);
    free(line);
    return good ? CLI_DONE : CLI_FAILED;
}
