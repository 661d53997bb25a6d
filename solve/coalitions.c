#include "coalitions.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "checkpoint.h"
#include "host/clock.h"
#include "ranked_code.h"
#include "rules/ranking.h"
#include "table/codec.h"
#include "table_writer.h"
#include "workers.h"

/* A value is the byte that tables have for it (nonet_value_code): even for a win, odd for a loss.
 * Until it is settled, it is that of a draw. */
enum {
    OPEN = 0,
    NO_EXIT = 255,    /* instead of a code: no move leaves the tier */
    MOST_PLIES = 126, /* that a code below NO_EXIT can tell */
    CHUNK = 1 << 12,  /* numbers that a thread takes at once */
};

/* Some numbers of the current tier, and their moves within it. */
struct chunk {
    uint32_t *moves; /* where they lead, those of a number together */
    uint64_t room;   /* bytes */
    bool settled;    /* all of its values are */
};

struct solver {
    const struct nonet_options *options;
    const struct nonet_ranking *ranking;
    const struct solve_limits *limits;
    struct nonet_text *why;
    struct budget budget;
    pthread_mutex_t lock; /* of the budget */
    struct checkpoint_owner owner;
    double began, work, done; /* seconds; numbers to solve, and solved */
    void *index;
    int values, tiers; /* of a position; of the game, or up to the cap on pieces */
    uint64_t *sizes;
    uint8_t **solved; /* by tier: the values of each number together */
    /* The current tier. */
    int tier;
    _Atomic uint8_t *codes;
    uint8_t *exits;  /* by number and value: what the best move that leaves the tier gives */
    uint8_t *inside; /* by number: how many moves stay in the tier */
    struct chunk *chunks;
    uint64_t chunk_count;
    int plies;                 /* of this sweep */
    atomic_uint_fast64_t next; /* what the next free thread takes */
    atomic_uint_fast64_t settled;
    atomic_int longest_exit;
    atomic_bool failed, too_long;
};

struct worker {
    struct solver *solver;
    uint32_t *moves; /* of the current chunk, before they are kept */
    size_t count, room;
};

static void tell(const struct solver *solver, const char *what, double done) {
    solve_tell(solver->limits, what, (solver->done + done) / solver->work,
               clock_now() - solver->began);
}

/* Memory within the limit; the workers take it, too. */
static void *take(struct solver *solver, uint64_t size) {
    pthread_mutex_lock(&solver->lock);
    void *memory = budget_take(&solver->budget, size);
    if (memory == NULL && solver->why->length == 0)
        budget_explain(&solver->budget, solver->why);
    pthread_mutex_unlock(&solver->lock);
    return memory;
}

static void *take_zeros(struct solver *solver, uint64_t size) {
    void *memory = take(solver, size);
    return memory != NULL ? memset(memory, 0, size) : NULL;
}

/* Lets all workers take one chunk after the other, and waits for them. */
static void all_do(struct solver *solver, struct worker *workers, void *(*work)(void *worker)) {
    atomic_store(&solver->next, 0);
    workers_run(workers, sizeof *workers, solver->limits->threads, work);
}

static bool next_chunk(struct solver *solver, uint64_t *first, uint64_t *end,
                       struct chunk **chunk) {
    uint64_t i = atomic_fetch_add(&solver->next, 1), size = solver->sizes[solver->tier];
    if (i >= solver->chunk_count || atomic_load(&solver->failed))
        return false;
    *chunk = &solver->chunks[i];
    *first = i * CHUNK;
    *end = *first + CHUNK < size ? *first + CHUNK : size;
    return true;
}

static bool won(uint8_t code) {
    return code != OPEN && code % 2 == 0;
}

static int plies_of(uint8_t code) {
    return (code - 1) / 2;
}

static uint8_t code_of(bool wins, int plies) {
    return (uint8_t)((wins ? 2 : 1) + 2 * plies);
}

/* Values are counted from the player to move. The one with this number has another after a move. */
static int after_move(const struct solver *solver, int value) {
    return value > 0 ? value - 1 : solver->values - 1;
}

/* ---- Looking ahead: where the moves of each number lead ---- */

/* The higher the better for the player whose value it is. */
static int worth(uint8_t code) {
    int size = MOST_PLIES + 1 - plies_of(code);
    return code == OPEN ? 0 : won(code) ? size : -size;
}

/* A move out of the tier gives this value. The player to move takes the best for themselves, and
 * as one of the others the worst for the player whose value it is. */
static void learn(struct solver *solver, uint64_t number, int value, uint8_t code) {
    uint8_t *exit = &solver->exits[number * (uint64_t)solver->values + (uint64_t)value];
    if (code != OPEN && plies_of(code) == MOST_PLIES) {
        atomic_store(&solver->too_long, true);
        return;
    }
    uint8_t gives = code == OPEN ? OPEN : (uint8_t)(code + 2);
    if (*exit == NO_EXIT ||
        (value == 0 ? worth(gives) > worth(*exit) : worth(gives) < worth(*exit)))
        *exit = gives;
}

static void learn_end(struct solver *solver, uint64_t number, const void *state, int mover) {
    for (int i = 0; i < solver->values; i++) {
        int player = (mover - 1 + i) % solver->values + 1;
        struct nonet_value value = nonet_value_result(solver->options, state, player);
        learn(solver, number, i, (uint8_t)nonet_value_code(&value));
    }
}

static bool keep_move(struct worker *worker, uint32_t to) {
    if (worker->count == worker->room) {
        size_t room = 2 * worker->room + CHUNK;
        uint32_t *moves = realloc(worker->moves, room * sizeof *moves);
        if (moves == NULL)
            return false;
        worker->moves = moves;
        worker->room = room;
    }
    worker->moves[worker->count++] = to;
    return true;
}

static bool look_at(struct worker *worker, uint64_t number) {
    struct solver *solver = worker->solver;
    const struct nonet_options *options = solver->options;
    const struct nonet_game *game = options->game;
    struct nonet_state state, after;
    nonet_move moves[NONET_MAX_MOVES];
    solver->ranking->unrank(options, solver->index, solver->tier, number, &state);
    int count = game->moves(options, &state, moves), mover = game->turn(options, &state),
        inside = 0;
    for (int i = 0; i < count; i++) {
        memcpy(&after, &state, game->state_size);
        game->play(options, &after, NULL, moves[i]);
        uint64_t to;
        int tier = solver->ranking->rank(options, solver->index, &after, &to);
        if (tier < 0) {
            assert(game->turn(options, &after) == 0);
            learn_end(solver, number, &after, mover);
        } else if (tier == solver->tier) {
            if (!keep_move(worker, (uint32_t)to))
                return false;
            inside++;
        } else {
            const uint8_t *codes = solver->solved[tier] + to * (uint64_t)solver->values;
            for (int value = 0; value < solver->values; value++)
                learn(solver, number, value, codes[after_move(solver, value)]);
        }
    }
    assert(inside <= UINT8_MAX);
    solver->inside[number] = (uint8_t)inside;
    return true;
}

static void raise_longest(struct solver *solver, uint64_t first, uint64_t end) {
    int longest = 0;
    for (uint64_t i = first * (uint64_t)solver->values; i < end * (uint64_t)solver->values; i++) {
        uint8_t code = solver->exits[i];
        if (code != NO_EXIT && code != OPEN && plies_of(code) > longest)
            longest = plies_of(code);
    }
    int before = atomic_load(&solver->longest_exit);
    while (before < longest &&
           !atomic_compare_exchange_weak(&solver->longest_exit, &before, longest))
        continue;
}

static void *look_ahead(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    struct chunk *chunk;
    uint64_t first, end;
    while (next_chunk(solver, &first, &end, &chunk)) {
        bool good = true;
        worker->count = 0;
        for (uint64_t number = first; number < end && good; number++)
            good = look_at(worker, number);
        chunk->room = worker->count * sizeof *chunk->moves;
        chunk->moves = good ? take(solver, chunk->room) : NULL;
        if (chunk->moves == NULL) {
            atomic_store(&solver->failed, true);
            return NULL;
        }
        if (worker->count > 0)
            memcpy(chunk->moves, worker->moves, chunk->room);
        raise_longest(solver, first, end);
    }
    return NULL;
}

/* ---- Sweeping: what is settled in so many plies ---- */

/* Settles the values of a number that take exactly the plies of this sweep, from what is settled in
 * fewer. Other threads settle values of this sweep meanwhile, which are not looked at. Returns how
 * many are settled; `open` is set if any is left. */
static int settle(struct solver *solver, uint64_t number, const uint32_t *moves, bool *open) {
    int values = solver->values, settled = 0;
    const uint8_t known = code_of(true, solver->plies - 1); /* codes up to this one */
    _Atomic uint8_t *own = &solver->codes[number * (uint64_t)values];
    for (int value = 0; value < values; value++) {
        if (atomic_load_explicit(&own[value], memory_order_relaxed) != OPEN)
            continue;
        /* The player to move wants a win here, and each of the others a loss. */
        bool wanted = value == 0, reached, hopeless;
        uint8_t exit = solver->exits[number * (uint64_t)values + (uint64_t)value];
        bool decided = exit != NO_EXIT && exit != OPEN && plies_of(exit) <= solver->plies;
        reached = decided && won(exit) == wanted;
        hopeless = exit == NO_EXIT || (decided && won(exit) != wanted);
        int after = after_move(solver, value);
        for (int i = 0; i < solver->inside[number] && !reached; i++) {
            uint8_t code =
                atomic_load_explicit(&solver->codes[moves[i] * (uint64_t)values + (uint64_t)after],
                                     memory_order_relaxed);
            bool is_known = code != OPEN && code <= known;
            reached = is_known && won(code) == wanted;
            hopeless = hopeless && is_known;
        }
        if (reached || hopeless) {
            atomic_store_explicit(&own[value], code_of(reached == wanted, solver->plies),
                                  memory_order_relaxed);
            settled++;
        } else {
            *open = true;
        }
    }
    return settled;
}

static void *sweep(void *argument) {
    struct solver *solver = ((struct worker *)argument)->solver;
    struct chunk *chunk;
    uint64_t first, end, settled = 0;
    while (next_chunk(solver, &first, &end, &chunk)) {
        if (chunk->settled)
            continue;
        const uint32_t *moves = chunk->moves;
        bool open = false;
        for (uint64_t number = first; number < end; moves += solver->inside[number++])
            settled += (uint64_t)settle(solver, number, moves, &open);
        chunk->settled = !open;
    }
    atomic_fetch_add(&solver->settled, settled);
    return NULL;
}

/* ---- Tiers ---- */

static void sweep_tier(struct solver *solver, struct worker *workers) {
    double size = (double)solver->sizes[solver->tier], all = size * solver->values, settled = 0;
    solver->plies = 0;
    do {
        if (++solver->plies > MOST_PLIES) {
            atomic_store(&solver->too_long, true);
            return;
        }
        tell(solver, "settling values", size * (0.4 + 0.6 * settled / all));
        atomic_store(&solver->settled, 0);
        all_do(solver, workers, sweep);
        settled += (double)atomic_load(&solver->settled);
    } while (atomic_load(&solver->settled) > 0 ||
             solver->plies < atomic_load(&solver->longest_exit));
}

static void forget_tier(struct solver *solver) {
    uint64_t size = solver->sizes[solver->tier];
    for (uint64_t i = 0; i < solver->chunk_count && solver->chunks != NULL; i++)
        budget_give_back(&solver->budget, solver->chunks[i].moves, solver->chunks[i].room);
    budget_give_back(&solver->budget, solver->chunks, solver->chunk_count * sizeof *solver->chunks);
    budget_give_back(&solver->budget, solver->exits, size * (uint64_t)solver->values);
    budget_give_back(&solver->budget, solver->inside, size);
}

static bool solve_tier(struct solver *solver, struct worker *workers) {
    uint64_t size = solver->sizes[solver->tier], bytes = size * (uint64_t)solver->values;
    memset(solver->solved[solver->tier], OPEN, bytes);
    solver->codes = (_Atomic uint8_t *)solver->solved[solver->tier];
    solver->chunk_count = (size + CHUNK - 1) / CHUNK;
    solver->exits = take(solver, bytes);
    solver->inside = take(solver, size);
    solver->chunks = take_zeros(solver, solver->chunk_count * sizeof *solver->chunks);
    bool good = solver->exits != NULL && solver->inside != NULL && solver->chunks != NULL;
    if (good) {
        memset(solver->exits, NO_EXIT, bytes);
        atomic_store(&solver->longest_exit, 0);
        tell(solver, "looking ahead", 0);
        all_do(solver, workers, look_ahead);
        good = !atomic_load(&solver->failed);
    }
    if (good)
        sweep_tier(solver, workers);
    forget_tier(solver);
    if (good && atomic_load(&solver->too_long)) {
        nonet_text_format(solver->why, "a win takes longer than the %d plies this solver can count",
                          MOST_PLIES);
        good = false;
    }
    return good;
}

static bool solve_tiers(struct solver *solver, struct worker *workers) {
    for (solver->tier = 0; solver->tier < solver->tiers; solver->tier++) {
        uint64_t size = solver->sizes[solver->tier], bytes = size * (uint64_t)solver->values;
        solver->solved[solver->tier] = take(solver, bytes);
        if (solver->solved[solver->tier] == NULL)
            return false;
        if (!checkpoint_fetch_tier(&solver->owner, solver->tier, solver->solved[solver->tier],
                                   bytes)) {
            if (solver->tier == 0 && checkpoint_forget(solver->owner.folder))
                solve_note(solver->limits, SOLVE_AFRESH);
            if (!solve_tier(solver, workers))
                return false;
            checkpoint_keep_tier(&solver->owner, solver->tier, solver->solved[solver->tier], bytes);
        }
        solver->done += (double)size;
    }
    return true;
}

/* ---- The whole ---- */

static bool prepare(struct solver *solver) {
    const struct nonet_options *options = solver->options;
    solver->values = nonet_values_of_position(options);
    solver->tiers = ranked_tiers(options, solver->limits->material);
    if (solver->tiers == 0) {
        ranked_too_few(options, solver->why);
        return false;
    }
    solver->index = take(solver, solver->ranking->index_size(options));
    solver->sizes = take_zeros(solver, (uint64_t)solver->tiers * sizeof *solver->sizes);
    solver->solved = take_zeros(solver, (uint64_t)solver->tiers * sizeof *solver->solved);
    if (solver->index == NULL || solver->sizes == NULL || solver->solved == NULL)
        return false;
    solver->ranking->build_index(options, solver->index);
    solver->work = 0;
    for (int tier = 0; tier < solver->tiers; tier++) {
        solver->sizes[tier] = solver->ranking->size(options, solver->index, tier);
        solver->work += (double)solver->sizes[tier];
    }
    return true;
}

static bool write_values(const struct solver *solver, struct table_writer *writer) {
    for (int tier = 0; tier < solver->tiers; tier++)
        for (uint64_t i = 0; i < solver->sizes[tier] * (uint64_t)solver->values; i++) {
            struct nonet_value value = nonet_value_of_code(solver->solved[tier][i], false);
            if (!table_writer_next(writer, &value))
                return false;
        }
    return true;
}

static void count_tier(const struct solver *solver, int tier, struct coalitions_report *report) {
    int material = solver->ranking->material(solver->options, tier);
    assert(material < COALITIONS_MATERIAL);
    if (material > report->most_material)
        report->most_material = material;
    report->numbers += solver->sizes[tier];
    const uint8_t *codes = solver->solved[tier];
    for (uint64_t number = 0; number < solver->sizes[tier]; number++)
        for (int i = 0; i < solver->values; i++) {
            struct nonet_value value = nonet_value_of_code(*codes++, false);
            struct nonet_value *longest = &report->longest[i][value.outcome];
            report->by_material[material][i][value.outcome]++;
            if (value.distance <= longest->distance)
                continue;
            *longest = value;
            if (i == 0 && value.outcome == NONET_WIN)
                solver->ranking->unrank(solver->options, solver->index, tier, number,
                                        &report->longest_state);
        }
}

static void report_on(const struct solver *solver, struct coalitions_report *report) {
    memset(report, 0, sizeof *report);
    report->values = solver->values;
    report->memory = solver->budget.most;
    for (int tier = 0; tier < solver->tiers; tier++)
        count_tier(solver, tier, report);
}

static void release(struct solver *solver, struct worker *workers) {
    for (int i = 0; i < solver->limits->threads && workers != NULL; i++)
        free(workers[i].moves);
    free(workers);
    for (int tier = 0; tier < solver->tiers && solver->solved != NULL; tier++)
        free(solver->solved[tier]);
    free(solver->solved);
    free(solver->sizes);
    free(solver->index);
    pthread_mutex_destroy(&solver->lock);
}

bool solve_coalitions_applies(const struct nonet_options *options) {
    return options->players > 2 && nonet_ranking_of(options) != NULL;
}

bool solve_coalitions(const struct nonet_options *options, const struct solve_limits *limits,
                      const char *path, struct coalitions_report *report, struct nonet_text *why) {
    assert(solve_coalitions_applies(options));
    /* Opened first, so that problems with the file are found before the work, not after it. */
    struct table_writer *writer = table_writer_open(path, options, TABLE_RANKED, why);
    if (writer == NULL)
        return false;
    struct solver solver = {.options = options,
                            .ranking = options->game->ranking,
                            .limits = limits,
                            .why = why,
                            .budget = {.limit = limits->memory},
                            .owner = {limits->work, options, 0, 1, limits->work_key},
                            .began = clock_now(),
                            .work = 1};
    pthread_mutex_init(&solver.lock, NULL);
    struct worker *workers = calloc((size_t)limits->threads, sizeof *workers);
    for (int i = 0; i < limits->threads && workers != NULL; i++)
        workers[i].solver = &solver;
    bool good = workers != NULL && prepare(&solver) && solve_tiers(&solver, workers);
    if (!good && why->length == 0)
        nonet_text_add(why, "there is no memory left");
    if (good) {
        tell(&solver, "writing the table", 0);
        write_values(&solver, writer);
        good = table_writer_close(writer, why);
    } else {
        table_writer_abandon(writer);
    }
    if (good && report != NULL)
        report_on(&solver, report);
    if (good)
        checkpoint_forget(limits->work);
    release(&solver, workers);
    return good;
}
