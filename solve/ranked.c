#include "ranked.h"

#include <assert.h>
#include <stdlib.h>

#include "budget.h"
#include "checkpoint.h"
#include "host/clock.h"
#include "opening.h"
#include "ranked_code.h"
#include "rules/ranking.h"
#include "workers.h"

enum {
    BLOCKS_AT_A_TIME = 16, /* that a thread takes at once */
    SCAN_AT_A_TIME = 1 << 16,
    SEGMENT = 1 << 22, /* positions that are scanned before those found are worked on */
    STATES_AT_A_TIME = 1 << 10,
    TOLD_AT_A_TIME = 1 << 8,
};

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
    struct budget budget;
    struct checkpoint_owner owner;
    double began, work, done; /* seconds; positions to solve, and solved */
    /* The current tier. */
    int tier;
    struct ranked_tier at_work;
    uint8_t code; /* of the positions being settled */
    uint64_t segment, segment_end;
    atomic_uint_fast64_t next; /* what the next free thread takes */
    atomic_int highest;        /* highest code so far */
    atomic_bool too_long;
    /* The opening, and its current layer. */
    struct opening *opening;
    int layer;
};

struct worker {
    struct solver *solver;
    struct nonet_exit *exits;
    uint32_t *found; /* positions of the segment that have the code */
    uint32_t count;
};

static void tell(const struct solver *solver, const char *what, double done) {
    solve_tell(solver->limits, what, (solver->done + done) / solver->work,
               clock_now() - solver->began);
}

/* Memory within the limit, or null with the reason in `why`. */
static void *take(struct solver *solver, uint64_t size) {
    void *memory = budget_take(&solver->budget, size);
    if (memory == NULL)
        budget_explain(&solver->budget, solver->why);
    return memory;
}

/* Lets all workers run the same function, and waits for them. */
static void all_do(struct solver *solver, struct worker *workers, void *(*work)(void *worker)) {
    atomic_store(&solver->next, 0);
    workers_run(workers, sizeof *workers, solver->limits->threads, work);
}

static void raise_highest(struct solver *solver, int code) {
    int highest = atomic_load_explicit(&solver->highest, memory_order_relaxed);
    while (highest < code && !atomic_compare_exchange_weak(&solver->highest, &highest, code))
        continue;
}

/* Counts the moves of the positions of some blocks, and uses the values of moves that leave the
 * tier. */
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
                                             (uint8_t *)solver->at_work.left, worker->exits);
            int highest = 0;
            for (const struct nonet_exit *exit = worker->exits; exit < worker->exits + count;
                 exit++) {
                uint8_t reached = exit->tier == NONET_EXIT_LOST
                                      ? LOST_AT_ONCE
                                      : solver->solution->values[exit->tier][exit->to];
                if (!ranked_learn(&solver->at_work, exit->from, reached))
                    atomic_store(&solver->too_long, true);
                highest = reached > highest ? reached : highest;
            }
            raise_highest(solver, highest + 1);
        }
    }
}

/* All workers scan a whole tier, in portions. */
static void *scan(struct solver *solver,
                  void (*portion)(const struct ranked_tier *tier, uint64_t i, uint64_t end)) {
    uint64_t size = solver->solution->sizes[solver->tier];
    for (;;) {
        uint64_t i = atomic_fetch_add(&solver->next, SCAN_AT_A_TIME);
        if (i >= size)
            return NULL;
        portion(&solver->at_work, i, i + SCAN_AT_A_TIME < size ? i + SCAN_AT_A_TIME : size);
    }
}

static void *mark_ends(void *argument) {
    return scan(((struct worker *)argument)->solver, ranked_mark_ends);
}

/* Finds the positions of a segment that have the code and keep it. */
static void *find(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    worker->count = 0;
    for (;;) {
        uint64_t i = solver->segment + atomic_fetch_add(&solver->next, SCAN_AT_A_TIME);
        if (i >= solver->segment_end)
            return NULL;
        uint64_t end = i + SCAN_AT_A_TIME;
        if (end > solver->segment_end)
            end = solver->segment_end;
        while ((i = ranked_next(&solver->at_work, solver->code, i, end)) < end)
            worker->found[worker->count++] = (uint32_t)i++;
    }
}

/* Updates the predecessors of what was found. They are far apart in memory, so they are
 * prefetched. */
static void *look_back(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    bool won = is_win(solver->code);
    _Atomic uint8_t *told = won ? solver->at_work.left : solver->at_work.values;
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
                ranked_refute(&solver->at_work, before[--waiting], solver->code);
            else
                ranked_settle_win(&solver->at_work, before[--waiting], solver->code);
    }
    if (any)
        raise_highest(solver, solver->code + 1);
    return NULL;
}

static void *mark_draws(void *argument) {
    return scan(((struct worker *)argument)->solver, ranked_mark_draws);
}

static bool solve_tier(struct solver *solver, struct worker *workers) {
    struct ranked_solution *solution = solver->solution;
    uint64_t size = solution->sizes[solver->tier];
    uint8_t *left = take(solver, size);
    if (left == NULL)
        return false;
    memset(left, 0, size);
    memset(solution->values[solver->tier], DRAWN, size);
    solver->at_work = (struct ranked_tier){
        .values = (_Atomic uint8_t *)solution->values[solver->tier],
        .left = (_Atomic uint8_t *)left,
    };
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
    budget_give_back(&solver->budget, left, size);
    if (atomic_load(&solver->too_long))
        ranked_too_long(solver->why);
    return !atomic_load(&solver->too_long);
}

bool solve_ranked_applies(const struct nonet_options *options) {
    return options->players == 2 && nonet_ranking_of(options) != NULL;
}

/* The opening. */

static struct nonet_value look_up(void *context, int tier, uint64_t number) {
    const struct ranked_solution *solution = context;
    return ranked_value(solution->values[tier][number]);
}

static void *solve_states(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    struct opening_layer *layer = &solver->opening->layer[solver->layer];
    for (;;) {
        uint64_t i = atomic_fetch_add(&solver->next, STATES_AT_A_TIME);
        if (i >= layer->count)
            return NULL;
        uint64_t end = i + STATES_AT_A_TIME < layer->count ? i + STATES_AT_A_TIME : layer->count;
        for (; i < end; i++)
            layer->values[i] =
                opening_value(solver->opening, solver->layer, i, look_up, solver->solution);
    }
}

static bool solve_opening(struct solver *solver, struct worker *workers) {
    struct ranked_solution *solution = solver->solution;
    struct opening opening = {
        .options = solver->options, .index = solution->index, .budget = &solver->budget};
    solver->opening = &opening;
    tell(solver, "listing the opening", 0);
    bool good = opening_find(&opening, solver->why);
    tell(solver, "solving the opening", 0.02 * solver->work);
    for (solver->layer = opening.layers - 2; good && solver->layer >= 0; solver->layer--)
        all_do(solver, workers, solve_states);
    if (good) {
        good =
            opening_list(&opening, &solution->states, &solution->listed_values, &solution->listed);
        if (!good)
            budget_explain(&solver->budget, solver->why);
    }
    opening_free(&opening);
    return good;
}

/* Solves the tiers, each of which is a checkpoint, then the opening. */
static bool solve_all(struct solver *solver, struct worker *workers) {
    struct ranked_solution *solution = solver->solution;
    for (solver->tier = 0; solver->tier < solution->tiers; solver->tier++) {
        uint64_t size = solution->sizes[solver->tier];
        solution->values[solver->tier] = take(solver, size + 1);
        if (solution->values[solver->tier] == NULL)
            return false;
        if (!checkpoint_fetch_tier(&solver->owner, solver->tier, solution->values[solver->tier],
                                   size)) {
            if (solver->tier == 0 && checkpoint_forget(solver->owner.folder))
                solve_note(solver->limits, SOLVE_AFRESH);
            if (!solve_tier(solver, workers))
                return false;
            checkpoint_keep_tier(&solver->owner, solver->tier, solution->values[solver->tier],
                                 size);
        }
        solver->done += (double)size;
    }
    return solution->tiers < solver->ranking->tiers(solver->options) ||
           solve_opening(solver, workers);
}

static bool prepare(struct solver *solver) {
    struct ranked_solution *solution = solver->solution;
    const struct nonet_ranking *ranking = solver->ranking;
    const struct nonet_options *options = solver->options;
    solution->tiers = ranked_tiers(options, solver->limits->material);
    if (solution->tiers == 0) {
        ranked_too_few(options, solver->why);
        return false;
    }
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
    uint64_t needed = solver->budget.used + all + largest;
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
                            .budget = {.limit = limits->memory},
                            .owner = {limits->work, options, 0, 1, limits->work_key},
                            .began = clock_now(),
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
    solution->memory = solver.budget.most;
    solution->seconds = clock_now() - solver.began;
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
    const struct nonet_options *options = solution->options;
    if (options->game->turn(options, state) == 0) {
        *value = nonet_value_final(options, state);
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
    uint64_t place =
        opening_place(solution->states, solution->listed, &canonical, options->game->state_size);
    if (place < solution->listed)
        *value = solution->listed_values[place];
    return place < solution->listed;
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
    /* Opened first, so that problems with the file are found before the work, not after it. */
    struct table_writer *writer = table_writer_open(path, options, TABLE_RANKED, why);
    if (writer == NULL)
        return false;
    if (!ranked_solve(options, limits, &solution, why)) {
        table_writer_abandon(writer);
        return false;
    }
    bool good = true;
    for (int tier = 0; tier < solution.tiers && good; tier++)
        good = ranked_write(writer, solution.values[tier], solution.sizes[tier]);
    if (good)
        ranked_write_list(writer, solution.states, solution.listed_values, solution.listed,
                          options->game->state_size);
    good = table_writer_close(writer, why);
    if (good && report != NULL)
        count_values(&solution, report);
    if (good)
        checkpoint_forget(limits->work);
    ranked_free(&solution);
    return good;
}
