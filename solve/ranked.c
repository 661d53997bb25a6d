#define _GNU_SOURCE /* qsort_r */
#include "ranked.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "table_writer.h"

/* A value in a byte: 0 is a draw, or not yet settled; else the distance and one. A player without a
 * move has lost, so odd distances are wins and even ones losses. */
enum { DRAWN = 0, LOST_AT_ONCE = 1, LONGEST = 255 };

enum {
    CANNOT_LOSE = 255,     /* instead of a count of moves that are not refuted */
    BLOCKS_AT_A_TIME = 16, /* that a thread takes */
    SCAN_AT_A_TIME = 1 << 16,
    SEGMENT = 1 << 22, /* positions that are scanned before what was found is worked on */
    STATES_AT_A_TIME = 1 << 10,
    TOLD_AT_A_TIME = 1 << 8,
};

static inline bool is_win(uint8_t code) {
    return code != DRAWN && code % 2 == 0;
}

static inline bool is_loss(uint8_t code) {
    return code % 2 != 0;
}

struct nonet_value ranked_value(uint8_t code) {
    if (code == DRAWN)
        return (struct nonet_value){.outcome = NONET_DRAW};
    return (struct nonet_value){.outcome = is_win(code) ? NONET_WIN : NONET_LOSS,
                                .distance = (int16_t)(code - 1)};
}

struct solver {
    const struct nonet_options *options;
    const struct nonet_ranking *ranking;
    const struct solve_limits *limits;
    struct ranked_solution *solution;
    struct nonet_text *why;
    uint64_t used;
    double began, work, done; /* seconds; positions to solve, and solved */
    /* The tier at work. */
    int tier;
    _Atomic uint8_t *values, *left; /* by number; moves in the tier that are not refuted */
    uint8_t code;                   /* of the positions being settled */
    uint64_t segment, segment_end;
    atomic_uint_fast64_t next; /* what the next free thread takes */
    atomic_int highest;        /* code given so far */
    atomic_bool too_long;
    /* The layer at work. */
    struct layer *layer, *deeper;
};

struct worker {
    struct solver *solver;
    pthread_t thread;
    struct nonet_exit *exits;
    uint32_t *found; /* positions of the segment that have the code */
    uint32_t count;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void tell(const struct solver *solver, const char *what, double done) {
    const struct solve_limits *limits = solver->limits;
    double share = (solver->done + done) / solver->work;
    double seconds = now() - solver->began;
    if (limits->progress != NULL)
        limits->progress(limits->context, what, share,
                         share > 0 ? seconds * (1 - share) / share : -1);
}

/* Memory that the limit allows, or null with the reason told. */
static void *take(struct solver *solver, uint64_t size) {
    void *memory = NULL;
    if (solver->limits->memory != 0 && solver->used + size > solver->limits->memory)
        nonet_text_format(solver->why, "this needs more than the %llu MB of memory it may use",
                          (unsigned long long)(solver->limits->memory >> 20));
    else if ((memory = aligned_alloc(64, (size + 63) / 64 * 64)) == NULL)
        nonet_text_format(solver->why, "there is no memory left");
    else
        solver->used += size;
    if (solver->used > solver->solution->memory)
        solver->solution->memory = solver->used;
    return memory;
}

static void give_back(struct solver *solver, void *memory, uint64_t size) {
    if (memory != NULL)
        solver->used -= size;
    free(memory);
}

/* Lets all workers do the same and waits for them. */
static void all_do(struct solver *solver, struct worker *workers, void *(*work)(void *worker)) {
    int threads = solver->limits->threads;
    atomic_store(&solver->next, 0);
    int started = 1;
    while (started < threads &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

/* What a position learns from one move out of its tier. The value that it has meanwhile is the
 * shortest win, or else the longest loss. */
static void learn(struct solver *solver, uint32_t number, uint8_t reached) {
    _Atomic uint8_t *value = &solver->values[number];
    uint8_t had = atomic_load_explicit(value, memory_order_relaxed);
    uint8_t gives = (uint8_t)(reached + 1);
    if (reached == DRAWN || is_loss(reached))
        atomic_store_explicit(&solver->left[number], CANNOT_LOSE, memory_order_relaxed);
    if (reached == DRAWN)
        return;
    if (reached == LONGEST) {
        atomic_store(&solver->too_long, true);
        return;
    }
    if (is_win(gives) ? !is_win(had) || gives < had : !is_win(had) && gives > had)
        atomic_store_explicit(value, gives, memory_order_relaxed);
}

static void raise_highest(struct solver *solver, int code) {
    int highest = atomic_load_explicit(&solver->highest, memory_order_relaxed);
    while (highest < code && !atomic_compare_exchange_weak(&solver->highest, &highest, code))
        continue;
}

/* Counts the moves of the positions of some blocks, and learns from those that leave the tier. */
static void *look_ahead(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    const struct nonet_ranking *ranking = solver->ranking;
    const struct nonet_options *options = solver->options;
    const void *index = solver->solution->index;
    uint64_t blocks = ranking->blocks(options, index, solver->tier);
    for (;;) {
        uint64_t block = atomic_fetch_add(&solver->next, BLOCKS_AT_A_TIME);
        if (block >= blocks)
            return NULL;
        uint64_t end = block + BLOCKS_AT_A_TIME < blocks ? block + BLOCKS_AT_A_TIME : blocks;
        for (; block < end; block++) {
            uint32_t count = ranking->expand(options, index, solver->tier, (uint32_t)block,
                                             (uint8_t *)solver->left, worker->exits);
            int highest = 0;
            for (const struct nonet_exit *exit = worker->exits; exit < worker->exits + count;
                 exit++) {
                uint8_t reached = exit->tier == NONET_EXIT_LOST
                                      ? LOST_AT_ONCE
                                      : solver->solution->values[exit->tier][exit->to];
                learn(solver, exit->from, reached);
                highest = reached > highest ? reached : highest;
            }
            raise_highest(solver, highest + 1);
        }
    }
}

/* Positions that cannot move at all are lost. */
static void *mark_ends(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    uint64_t size = solver->solution->sizes[solver->tier];
    for (;;) {
        uint64_t i = atomic_fetch_add(&solver->next, SCAN_AT_A_TIME);
        if (i >= size)
            return NULL;
        uint64_t end = i + SCAN_AT_A_TIME < size ? i + SCAN_AT_A_TIME : size;
        const uint8_t *left = (const uint8_t *)solver->left;
        for (; i < end; i++) {
            const uint8_t *zero = memchr(left + i, 0, end - i);
            if (zero == NULL)
                break;
            i = (uint64_t)(zero - left);
            if (solver->values[i] == DRAWN)
                solver->values[i] = LOST_AT_ONCE;
        }
    }
}

/* Finds the positions of a segment that have the code and keep it. */
static void *find(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    const uint8_t *values = (const uint8_t *)solver->values, *left = (const uint8_t *)solver->left;
    worker->count = 0;
    for (;;) {
        uint64_t i = solver->segment + atomic_fetch_add(&solver->next, SCAN_AT_A_TIME);
        if (i >= solver->segment_end)
            return NULL;
        uint64_t end = i + SCAN_AT_A_TIME;
        if (end > solver->segment_end)
            end = solver->segment_end;
        for (; i < end; i++) {
            const uint8_t *hit = memchr(values + i, solver->code, end - i);
            if (hit == NULL)
                break;
            i = (uint64_t)(hit - values);
            if (is_win(solver->code) || left[i] == 0)
                worker->found[worker->count++] = (uint32_t)i;
        }
    }
}

static void settle_win(struct solver *solver, uint32_t number) {
    _Atomic uint8_t *value = &solver->values[number];
    uint8_t had = atomic_load_explicit(value, memory_order_relaxed);
    uint8_t gives = (uint8_t)(solver->code + 1);
    if (!is_win(had) || gives < had)
        atomic_store_explicit(value, gives, memory_order_relaxed);
}

static void refute(struct solver *solver, uint32_t number) {
    _Atomic uint8_t *left = &solver->left[number], *value = &solver->values[number];
    if (atomic_load_explicit(left, memory_order_relaxed) == CANNOT_LOSE ||
        atomic_fetch_sub_explicit(left, 1, memory_order_relaxed) != 1)
        return;
    uint8_t had = atomic_load_explicit(value, memory_order_relaxed);
    uint8_t gives = (uint8_t)(solver->code + 1);
    if (!is_win(had) && gives > had)
        atomic_store_explicit(value, gives, memory_order_relaxed);
}

/* Tells the predecessors of what was found. They lie far apart in memory, so they are called up
 * some time before they are told. */
static void *look_back(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    bool won = is_win(solver->code);
    _Atomic uint8_t *told = won ? solver->left : solver->values;
    uint32_t hint = 0, before[TOLD_AT_A_TIME + NONET_MAX_PREDECESSORS];
    int waiting = 0;
    bool any = false;
    for (uint32_t i = 0; i < worker->count; i++) {
        int count =
            solver->ranking->predecessors(solver->options, solver->solution->index, solver->tier,
                                          worker->found[i], &hint, &before[waiting]);
        for (; count > 0; count--)
            __builtin_prefetch((const void *)&told[before[waiting++]], 1);
        any = any || waiting > 0;
        if (waiting < TOLD_AT_A_TIME && i + 1 < worker->count)
            continue;
        while (waiting > 0)
            if (won)
                refute(solver, before[--waiting]);
            else
                settle_win(solver, before[--waiting]);
    }
    if (any)
        raise_highest(solver, solver->code + 1);
    return NULL;
}

/* What stayed open is drawn. */
static void *mark_draws(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    uint64_t size = solver->solution->sizes[solver->tier];
    for (;;) {
        uint64_t i = atomic_fetch_add(&solver->next, SCAN_AT_A_TIME);
        if (i >= size)
            return NULL;
        uint64_t end = i + SCAN_AT_A_TIME < size ? i + SCAN_AT_A_TIME : size;
        uint8_t *values = (uint8_t *)solver->values;
        const uint8_t *left = (const uint8_t *)solver->left;
        for (; i < end; i++)
            if (is_loss(values[i]) && left[i] != 0)
                values[i] = DRAWN;
    }
}

static bool solve_tier(struct solver *solver, struct worker *workers) {
    struct ranked_solution *solution = solver->solution;
    uint64_t size = solution->sizes[solver->tier];
    uint8_t *left = take(solver, size);
    if (left == NULL)
        return false;
    memset(left, 0, size);
    memset(solution->values[solver->tier], DRAWN, size);
    solver->values = (_Atomic uint8_t *)solution->values[solver->tier];
    solver->left = (_Atomic uint8_t *)left;
    atomic_store(&solver->highest, LOST_AT_ONCE);
    tell(solver, "looking ahead", 0);
    all_do(solver, workers, look_ahead);
    all_do(solver, workers, mark_ends);
    for (int code = LOST_AT_ONCE; code <= atomic_load(&solver->highest); code++) {
        if (code == LONGEST)
            atomic_store(&solver->too_long, true);
        if (atomic_load(&solver->too_long))
            break;
        tell(solver, "looking back", 0.6 * (double)size);
        solver->code = (uint8_t)code;
        for (solver->segment = 0; solver->segment < size; solver->segment = solver->segment_end) {
            solver->segment_end =
                solver->segment + SEGMENT < size ? solver->segment + SEGMENT : size;
            all_do(solver, workers, find);
            all_do(solver, workers, look_back);
        }
    }
    all_do(solver, workers, mark_draws);
    give_back(solver, left, size);
    if (atomic_load(&solver->too_long))
        nonet_text_format(solver->why, "a win takes longer than the %d plies this solver can count",
                          LONGEST - 1);
    return !atomic_load(&solver->too_long);
}

bool solve_ranked_applies(const struct nonet_options *options) {
    return options->game->ranking != NULL;
}

/* Checkpoints: each solved tier is a file in the work directory. */

struct tier_header {
    char magic[8];
    uint64_t game, tier, size, checksum;
};

static struct tier_header header_of(const struct solver *solver) {
    char game[256];
    struct nonet_text text = NONET_TEXT_IN(game);
    nonet_options_write(solver->options, &text);
    uint64_t size = solver->solution->sizes[solver->tier];
    return (struct tier_header){
        .magic = "nonetrk1",
        .game = nonet_hash(game, text.length),
        .tier = (uint64_t)solver->tier,
        .size = size,
        .checksum = nonet_hash(solver->solution->values[solver->tier], size),
    };
}

static void tier_path(const struct solver *solver, char path[PATH_MAX]) {
    struct nonet_text text = nonet_text_in(path, PATH_MAX);
    nonet_text_format(&text, "%s/", solver->limits->work);
    nonet_options_write(solver->options, &text);
    nonet_text_format(&text, ".tier%02d", solver->tier);
}

static bool write_all(int file, const void *bytes, uint64_t size) {
    for (const char *rest = bytes; size > 0;) {
        ssize_t done = write(file, rest, size < 1 << 30 ? size : 1 << 30);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            rest += done;
            size -= (uint64_t)done;
        }
    }
    return true;
}

static bool read_all(int file, void *bytes, uint64_t size) {
    for (char *rest = bytes; size > 0;) {
        ssize_t done = read(file, rest, size < 1 << 30 ? size : 1 << 30);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        if (done > 0) {
            rest += done;
            size -= (uint64_t)done;
        }
    }
    return true;
}

/* A checkpoint that cannot be written is no reason to stop: it only makes a kill cost more. */
static void keep_tier(const struct solver *solver) {
    if (solver->limits->work == NULL)
        return;
    char path[PATH_MAX], part[PATH_MAX + 8];
    tier_path(solver, path);
    snprintf(part, sizeof part, "%s.part", path);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    struct tier_header header = header_of(solver);
    bool good = write_all(file, &header, sizeof header) &&
                write_all(file, solver->solution->values[solver->tier], header.size) &&
                fsync(file) == 0;
    good = close(file) == 0 && good;
    if (!good || rename(part, path) != 0)
        unlink(part);
}

/* Whether the tier was solved by an earlier run. */
static bool fetch_tier(const struct solver *solver) {
    if (solver->limits->work == NULL)
        return false;
    char path[PATH_MAX];
    tier_path(solver, path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    struct tier_header found;
    bool good = read_all(file, &found, sizeof found) &&
                found.size == solver->solution->sizes[solver->tier] &&
                read_all(file, solver->solution->values[solver->tier], found.size);
    close(file);
    struct tier_header header = header_of(solver);
    return good && memcmp(&found, &header, sizeof header) == 0;
}

static void forget_tiers(struct solver *solver) {
    for (solver->tier = 0; solver->limits->work != NULL && solver->tier < solver->solution->tiers;
         solver->tier++) {
        char path[PATH_MAX], part[PATH_MAX + 8];
        tier_path(solver, path);
        snprintf(part, sizeof part, "%s.part", path);
        unlink(path);
        unlink(part);
    }
}

/* States without a number. All that are reached by the same number of moves are a layer. */

enum { MOST_LAYERS = 256 };

struct layer {
    uint64_t count, room;
    unsigned char *states; /* canonical, in the order of memcmp */
    struct nonet_value *values;
};

/* A set of states, for finding a layer. */
struct state_set {
    unsigned char *states;
    uint32_t *slots; /* numbers from 1 */
    uint64_t count, room, slot_count;
};

static int compare_states(const void *a, const void *b, void *size) {
    return memcmp(a, b, *(const size_t *)size);
}

static uint32_t *slot_in(const struct state_set *set, const void *state, size_t size) {
    for (uint64_t i = nonet_hash(state, size);; i++) {
        uint32_t *slot = &set->slots[i & (set->slot_count - 1)];
        if (*slot == 0 || memcmp(set->states + (*slot - 1) * size, state, size) == 0)
            return slot;
    }
}

static bool grow_set(struct solver *solver, struct state_set *set, size_t size) {
    struct state_set larger = {.room = set->room == 0 ? 1024 : 2 * set->room, .count = set->count};
    larger.slot_count = 2 * larger.room;
    larger.states = take(solver, larger.room * size);
    larger.slots = take(solver, larger.slot_count * sizeof(uint32_t));
    if (larger.states == NULL || larger.slots == NULL) {
        give_back(solver, larger.states, larger.room * size);
        give_back(solver, larger.slots, larger.slot_count * sizeof(uint32_t));
        return false;
    }
    memset(larger.slots, 0, larger.slot_count * sizeof(uint32_t));
    if (set->count > 0)
        memcpy(larger.states, set->states, set->count * size);
    for (uint64_t i = 0; i < set->count; i++)
        *slot_in(&larger, larger.states + i * size, size) = (uint32_t)(i + 1);
    give_back(solver, set->states, set->room * size);
    give_back(solver, set->slots, set->slot_count * sizeof(uint32_t));
    *set = larger;
    return true;
}

/* Whether a state stands in the list rather than in a tier. */
static bool is_listed(const struct solver *solver, const void *state) {
    uint64_t number;
    return solver->options->game->turn(solver->options, state) != 0 &&
           solver->ranking->rank(solver->options, solver->solution->index, state, &number) < 0;
}

static bool add_state(struct solver *solver, struct state_set *set, const void *state) {
    size_t size = solver->options->game->state_size;
    if (!is_listed(solver, state))
        return true;
    if (set->count == set->room && !grow_set(solver, set, size))
        return false;
    struct nonet_state canonical;
    nonet_canonical(solver->options, state, &canonical);
    uint32_t *slot = slot_in(set, &canonical, size);
    if (*slot == 0) {
        memcpy(set->states + set->count * size, &canonical, size);
        *slot = (uint32_t)++set->count;
    }
    return true;
}

/* The layer behind another, or the first where there is none. */
static bool find_layer(struct solver *solver, const struct layer *earlier, struct layer *layer) {
    const struct nonet_game *game = solver->options->game;
    size_t size = game->state_size;
    struct state_set set = {0};
    struct nonet_state state;
    bool good = true;
    if (earlier == NULL) {
        game->start(solver->options, &state, NULL);
        good = add_state(solver, &set, &state);
    }
    for (uint64_t i = 0; earlier != NULL && i < earlier->count && good; i++) {
        nonet_move moves[NONET_MAX_MOVES];
        const unsigned char *from = earlier->states + i * size;
        memcpy(&state, from, size);
        int count = game->moves(solver->options, &state, moves);
        for (int j = 0; j < count && good; j++) {
            memcpy(&state, from, size);
            game->play(solver->options, &state, NULL, moves[j]);
            good = add_state(solver, &set, &state);
        }
    }
    give_back(solver, set.slots, set.slot_count * sizeof(uint32_t));
    if (set.count > 0)
        qsort_r(set.states, set.count, size, compare_states, &size);
    *layer = (struct layer){.count = set.count, .room = set.room, .states = set.states};
    layer->values = good ? take(solver, (set.count + 1) * sizeof *layer->values) : NULL;
    return layer->values != NULL;
}

static int64_t worth(const struct nonet_value *value) {
    return value->outcome == NONET_DRAW  ? 0
           : value->outcome == NONET_WIN ? INT16_MAX - value->distance
                                         : value->distance - INT16_MAX;
}

/* The value of a finished game for who would be next. */
static struct nonet_value end_value(const struct nonet_options *options, const void *state) {
    struct nonet_result result = {0};
    options->game->result(options, state, &result);
    uint8_t next = (uint8_t)(1u << (options->game->next(options, state) - 1));
    return (struct nonet_value){.outcome = result.winners == next    ? NONET_WIN
                                           : (result.winners & next) ? NONET_DRAW
                                                                     : NONET_LOSS};
}

static const struct nonet_value *listed_value(const struct layer *layer, const void *canonical,
                                              size_t size) {
    uint64_t low = 0, high = layer->count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        int order = memcmp(layer->states + middle * size, canonical, size);
        if (order == 0)
            return &layer->values[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The value of a state that is over, or in a tier, or in the layer. */
static bool value_of(const struct ranked_solution *solution, const struct layer *layer,
                     const void *state, struct nonet_value *value) {
    const struct nonet_options *options = solution->options;
    if (options->game->turn(options, state) == 0) {
        *value = end_value(options, state);
        return true;
    }
    uint64_t number;
    int tier = options->game->ranking->rank(options, solution->index, state, &number);
    if (tier >= solution->tiers)
        return false;
    if (tier >= 0) {
        *value = ranked_value(solution->values[tier][number]);
        return true;
    }
    struct nonet_state canonical;
    nonet_canonical(options, state, &canonical);
    const struct nonet_value *found = listed_value(layer, &canonical, options->game->state_size);
    if (found != NULL)
        *value = *found;
    return found != NULL;
}

static struct nonet_value best_value(const struct solver *solver, const void *from) {
    const struct nonet_game *game = solver->options->game;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state state;
    struct nonet_value best = {0};
    memcpy(&state, from, game->state_size);
    int count = game->moves(solver->options, &state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_value value;
        memcpy(&state, from, game->state_size);
        game->play(solver->options, &state, NULL, moves[i]);
        bool known = value_of(solver->solution, solver->deeper, &state, &value);
        assert(known);
        (void)known;
        value.outcome = (uint8_t)(NONET_WIN - value.outcome);
        if (value.outcome != NONET_DRAW)
            value.distance++;
        if (i == 0 || worth(&value) > worth(&best))
            best = value;
    }
    return best;
}

static void *solve_states(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    struct layer *layer = solver->layer;
    size_t size = solver->options->game->state_size;
    for (;;) {
        uint64_t i = atomic_fetch_add(&solver->next, STATES_AT_A_TIME);
        if (i >= layer->count)
            return NULL;
        uint64_t end = i + STATES_AT_A_TIME < layer->count ? i + STATES_AT_A_TIME : layer->count;
        for (; i < end; i++)
            layer->values[i] = best_value(solver, layer->states + i * size);
    }
}

/* All layers as one list, in the order of memcmp: the layers are merged. */
static bool list_layers(struct solver *solver, const struct layer *layers, int count) {
    struct ranked_solution *solution = solver->solution;
    size_t size = solver->options->game->state_size;
    uint64_t next[MOST_LAYERS] = {0}, all = 0;
    for (int i = 0; i < count; i++)
        all += layers[i].count;
    solution->states = take(solver, all * size + 1);
    solution->listed_values = take(solver, all * sizeof *solution->listed_values + 1);
    if (solution->states == NULL || solution->listed_values == NULL)
        return false;
    for (; solution->listed < all; solution->listed++) {
        const unsigned char *least = NULL;
        int where = 0;
        for (int i = 0; i < count; i++) {
            const unsigned char *state = layers[i].states + next[i] * size;
            if (next[i] < layers[i].count && (least == NULL || memcmp(state, least, size) < 0)) {
                least = state;
                where = i;
            }
        }
        memcpy(solution->states + solution->listed * size, least, size);
        solution->listed_values[solution->listed] = layers[where].values[next[where]++];
    }
    return true;
}

static bool solve_list(struct solver *solver, struct worker *workers) {
    struct layer layers[MOST_LAYERS] = {0};
    size_t size = solver->options->game->state_size;
    int count = 0;
    bool good = true;
    tell(solver, "listing the opening", 0);
    while (good && count < MOST_LAYERS && (count == 0 || layers[count - 1].count > 0)) {
        good = find_layer(solver, count == 0 ? NULL : &layers[count - 1], &layers[count]);
        count++;
    }
    if (good && layers[count - 1].count > 0) {
        nonet_text_format(solver->why, "the opening takes more than %d moves", MOST_LAYERS);
        good = false;
    }
    tell(solver, "solving the opening", 0.02 * solver->work);
    for (int i = count - 2; i >= 0 && good; i--) {
        solver->layer = &layers[i];
        solver->deeper = &layers[i + 1];
        all_do(solver, workers, solve_states);
    }
    good = good && list_layers(solver, layers, count);
    for (int i = 0; i < count; i++) {
        give_back(solver, layers[i].states, layers[i].room * size);
        give_back(solver, layers[i].values, (layers[i].count + 1) * sizeof *layers[i].values);
    }
    return good;
}

/* Tiers, then the list. */
static bool solve_all(struct solver *solver, struct worker *workers) {
    struct ranked_solution *solution = solver->solution;
    for (solver->tier = 0; solver->tier < solution->tiers; solver->tier++) {
        uint64_t size = solution->sizes[solver->tier];
        solution->values[solver->tier] = take(solver, size + 1);
        if (solution->values[solver->tier] == NULL)
            return false;
        if (!fetch_tier(solver)) {
            if (!solve_tier(solver, workers))
                return false;
            keep_tier(solver);
        }
        solver->done += (double)size;
    }
    return solution->tiers < solver->ranking->tiers(solver->options) || solve_list(solver, workers);
}

static bool prepare(struct solver *solver) {
    struct ranked_solution *solution = solver->solution;
    const struct nonet_ranking *ranking = solver->ranking;
    const struct nonet_options *options = solver->options;
    int cap = solver->limits->material;
    while (solution->tiers < ranking->tiers(options) &&
           (cap == 0 || ranking->material(options, solution->tiers) <= cap))
        solution->tiers++;
    solution->index = take(solver, ranking->large_index_size(options, solution->tiers));
    solution->sizes = calloc((size_t)solution->tiers, sizeof *solution->sizes);
    solution->values = calloc((size_t)solution->tiers, sizeof *solution->values);
    if (solution->index == NULL || solution->sizes == NULL || solution->values == NULL)
        return false;
    ranking->build_large_index(options, solution->tiers, solution->index);
    uint64_t all = 0, largest = 0;
    for (int tier = 0; tier < solution->tiers; tier++) {
        uint64_t size = ranking->size(options, solution->index, tier);
        solution->sizes[tier] = size;
        all += size;
        largest = size > largest ? size : largest;
    }
    solver->work = 1.05 * (double)all;
    uint64_t needed = solver->used + all + largest;
    if (solver->limits->memory != 0 && needed > solver->limits->memory) {
        nonet_text_format(solver->why, "this needs %llu MB of memory and may use %llu MB",
                          (unsigned long long)(needed >> 20),
                          (unsigned long long)(solver->limits->memory >> 20));
        return false;
    }
    return true;
}

bool ranked_solve(const struct nonet_options *options, const struct solve_limits *limits,
                  struct ranked_solution *solution, struct nonet_text *why) {
    *solution = (struct ranked_solution){.options = options};
    struct solver solver = {.options = options,
                            .ranking = options->game->ranking,
                            .limits = limits,
                            .solution = solution,
                            .why = why,
                            .began = now(),
                            .work = 1};
    struct worker *workers = calloc((size_t)limits->threads, sizeof *workers);
    bool good = workers != NULL && prepare(&solver);
    size_t exits = good ? solver.ranking->max_exits * sizeof(struct nonet_exit) : 0;
    for (int i = 0; i < limits->threads && good; i++) {
        workers[i].solver = &solver;
        workers[i].exits = take(&solver, exits);
        workers[i].found = take(&solver, SEGMENT * sizeof(uint32_t));
        good = workers[i].exits != NULL && workers[i].found != NULL;
    }
    good = good && solve_all(&solver, workers);
    for (int i = 0; i < limits->threads && workers != NULL; i++) {
        free(workers[i].exits);
        free(workers[i].found);
    }
    free(workers);
    solution->seconds = now() - solver.began;
    if (!good) {
        if (why->length == 0)
            nonet_text_format(why, "there is no memory left");
        ranked_free(solution);
    }
    return good;
}

void ranked_free(struct ranked_solution *solution) {
    for (int tier = 0; tier < solution->tiers && solution->values != NULL; tier++)
        free(solution->values[tier]);
    free(solution->values);
    free(solution->sizes);
    free(solution->index);
    free(solution->states);
    free(solution->listed_values);
    *solution = (struct ranked_solution){0};
}

bool ranked_probe(const struct ranked_solution *solution, const void *state,
                  struct nonet_value *value) {
    struct layer all = {
        .count = solution->listed, .states = solution->states, .values = solution->listed_values};
    return value_of(solution, &all, state, value);
}

static void count_values(const struct ranked_solution *solution, struct ranked_report *report) {
    const struct nonet_options *options = solution->options;
    const struct nonet_ranking *ranking = options->game->ranking;
    *report = (struct ranked_report){.listed = solution->listed, .memory = solution->memory};
    int longest_tier = -1;
    uint64_t longest = 0;
    for (int tier = 0; tier < solution->tiers; tier++) {
        int material = ranking->material(options, tier);
        assert(material < NONET_RANKED_MATERIAL);
        if (material > report->most_material)
            report->most_material = material;
        report->numbers += solution->sizes[tier];
        for (uint64_t i = 0; i < solution->sizes[tier]; i++) {
            struct nonet_value value = ranked_value(solution->values[tier][i]);
            report->by_material[material][value.outcome]++;
            if (value.outcome == NONET_WIN && value.distance > report->longest_value.distance) {
                report->longest_value = value;
                longest_tier = tier;
                longest = i;
            }
        }
    }
    if (longest_tier >= 0)
        ranking->unrank(options, solution->index, longest_tier, longest, &report->longest);
}

bool solve_ranked(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct ranked_report *report, struct nonet_text *why) {
    struct ranked_solution solution;
    /* Opened first, so that what stands in its way is found before the work and not behind it. */
    struct table_writer *writer = table_writer_open(path, options, TABLE_RANKED, why);
    if (writer == NULL)
        return false;
    if (!ranked_solve(options, limits, &solution, why)) {
        table_writer_abandon(writer);
        return false;
    }
    bool good = true;
    for (int tier = 0; tier < solution.tiers; tier++)
        for (uint64_t i = 0; i < solution.sizes[tier] && good; i++) {
            struct nonet_value value = ranked_value(solution.values[tier][i]);
            good = table_writer_next(writer, &value);
        }
    for (uint64_t i = 0; i < solution.listed && good; i++)
        good = table_writer_add(writer, solution.states + i * options->game->state_size,
                                &solution.listed_values[i]);
    good = table_writer_close(writer, why);
    if (good && report != NULL)
        count_values(&solution, report);
    if (good) {
        struct solver solver = {.options = options, .limits = limits, .solution = &solution};
        forget_tiers(&solver);
    }
    ranked_free(&solution);
    return good;
}
