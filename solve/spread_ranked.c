#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "budget.h"
#include "checkpoint.h"
#include "host/clock.h"
#include "messages.h"
#include "opening.h"
#include "ranked_code.h"
#include "rules/ranking.h"
#include "spread.h"

/* Work is done in slices, so that messages stay small. */
enum {
    EXITS_AT_A_TIME = 1 << 18,
    TOLD_AT_A_TIME = 1 << 18,
    ASKED_AT_A_TIME = 1 << 18,
    SENT_AT_A_TIME = 1 << 22,
    AHEAD = 16, /* a value is prefetched this many steps before it is changed */
    MOST_RUNS = 2,
};

/* The part of a tier that a process owns: consecutive blocks, whose positions are contiguous in
 * each run. Its values are kept by their number in an array as long as the tier. Only the owned
 * parts of it are ever touched, and untouched memory costs nothing. */
struct part {
    uint32_t block, end_block;
    int runs;
    uint64_t begin[MOST_RUNS], end[MOST_RUNS];
    uint64_t size; /* the number of owned positions */
    /* Where the parts of all processes begin, run by run, and the tier's end. */
    uint64_t *bounds;
    uint8_t *values;
};

struct share {
    const struct nonet_options *options;
    const struct nonet_ranking *ranking;
    const struct solve_limits *limits;
    struct nonet_text *why;
    struct messages messages;
    struct budget budget;
    struct checkpoint_owner owner;
    void *index;
    int tiers;
    uint64_t *sizes;
    struct part *parts;
    struct nonet_exit *exits;
    int *answer; /* by process: where its next answer is in the messages */
    double began, work, done;
    /* The current tier. */
    int tier;
    struct ranked_tier at_work;
    uint8_t code, highest; /* code of the positions being settled; highest code so far */
    bool too_long;
};

static void tell(const struct share *s, const char *what, double done) {
    if (s->messages.me == 0)
        solve_tell(s->limits, what, (s->done + done) / s->work, clock_now() - s->began);
}

/* True if all went well in all processes. */
static bool all_good(struct share *s, bool good) {
    if (messages_agree(good))
        return true;
    if (s->why->length == 0)
        nonet_text_add(s->why,
                       "there is not enough memory: give each process more, or use more processes");
    return false;
}

/* --- Ownership ------------------------------------------------------------------------------ */

/* How many positions the blocks before this one have. */
static uint64_t positions_before(const struct share *s, int tier, uint32_t block) {
    uint64_t sum = 0;
    for (int run = 0; run < s->ranking->runs(s->options, tier); run++)
        sum += s->ranking->block_start(s->options, s->index, tier, run, block) -
               s->ranking->block_start(s->options, s->index, tier, run, 0);
    return sum;
}

/* The first block of a process. All processes get about the same number of positions. */
static uint32_t first_block(const struct share *s, int tier, int process) {
    uint64_t wanted = s->sizes[tier] * (uint64_t)process / (uint64_t)s->messages.all;
    uint32_t low = 0, high = s->ranking->blocks(s->options, s->index, tier);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (positions_before(s, tier, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return process == s->messages.all ? s->ranking->blocks(s->options, s->index, tier) : low;
}

static bool share_out(struct share *s, int tier) {
    struct part *part = &s->parts[tier];
    size_t all = (size_t)s->messages.all;
    part->runs = s->ranking->runs(s->options, tier);
    assert(part->runs <= MOST_RUNS);
    part->bounds = malloc(((size_t)part->runs * all + 1) * sizeof *part->bounds);
    if (part->bounds == NULL)
        return false;
    for (int process = 0; process < s->messages.all; process++) {
        uint32_t block = first_block(s, tier, process);
        for (int run = 0; run < part->runs; run++)
            part->bounds[(size_t)run * all + (size_t)process] =
                s->ranking->block_start(s->options, s->index, tier, run, block);
    }
    part->bounds[(size_t)part->runs * all] = s->sizes[tier];
    part->block = first_block(s, tier, s->messages.me);
    part->end_block = first_block(s, tier, s->messages.me + 1);
    for (int run = 0; run < part->runs; run++) {
        const uint64_t *bound = &part->bounds[(size_t)run * all + (size_t)s->messages.me];
        part->begin[run] = bound[0];
        part->end[run] = bound[1];
        part->size += bound[1] - bound[0];
    }
    return true;
}

static int owner_of(const struct share *s, const struct part *part, uint64_t number) {
    size_t low = 0, high = (size_t)part->runs * (size_t)s->messages.all;
    while (high - low > 1) { /* the last bound that is not greater than the number */
        size_t middle = (low + high) / 2;
        if (part->bounds[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return (int)(low % (size_t)s->messages.all);
}

/* An array of zeros as long as the tier. It takes memory only where it is touched; that memory is
 * counted. */
static uint8_t *map(struct share *s, int tier) {
    struct budget *budget = &s->budget;
    uint64_t size = s->parts[tier].size;
    budget->exceeded = budget->limit != 0 && budget->used + size > budget->limit;
    if (budget->exceeded)
        return NULL;
    void *bytes = mmap(NULL, s->sizes[tier] + 1, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    budget->used += size;
    if (budget->used > budget->most)
        budget->most = budget->used;
    return bytes;
}

static void unmap(struct share *s, int tier, void *bytes) {
    if (bytes == NULL)
        return;
    munmap(bytes, s->sizes[tier] + 1);
    s->budget.used -= s->parts[tier].size;
}

/* --- Asking --------------------------------------------------------------------------------- */

/* Asks the owner of a position for its value. */
static void ask(struct share *s, int tier, uint64_t number) {
    uint64_t question = (uint64_t)tier << 32 | number;
    messages_write(&s->messages, owner_of(s, &s->parts[tier], number), &question, sizeof question);
}

/* Delivers all questions and answers those of others. */
static bool get_answers(struct share *s) {
    struct messages *messages = &s->messages;
    if (!messages_exchange(messages))
        return false;
    for (int sender = 0; sender < messages->all; sender++)
        for (int at = 0; at < messages->in_sizes[sender]; at += (int)sizeof(uint64_t)) {
            uint64_t question;
            memcpy(&question, messages->in + messages->in_starts[sender] + at, sizeof question);
            messages_write(messages, sender,
                           &s->parts[question >> 32].values[question & UINT32_MAX], 1);
        }
    if (!messages_exchange(messages))
        return false;
    memcpy(s->answer, messages->in_starts, (size_t)messages->all * sizeof *s->answer);
    return true;
}

/* The answers to the same questions, in the same order. */
static uint8_t next_answer(struct share *s, int tier, uint64_t number) {
    return s->messages.in[s->answer[owner_of(s, &s->parts[tier], number)]++];
}

/* --- A tier --------------------------------------------------------------------------------- */

static bool look_ahead(struct share *s) {
    const struct part *part = &s->parts[s->tier];
    uint32_t block = part->block, blocks = part->end_block - part->block;
    do {
        uint32_t count = 0;
        while (block < part->end_block && count < EXITS_AT_A_TIME)
            count += s->ranking->expand(s->options, s->index, s->tier, block++,
                                        (uint8_t *)s->at_work.left, s->exits + count);
        for (const struct nonet_exit *exit = s->exits; exit < s->exits + count; exit++)
            if (exit->tier != NONET_EXIT_LOST)
                ask(s, exit->tier, exit->to);
        if (!get_answers(s))
            return false;
        for (const struct nonet_exit *exit = s->exits; exit < s->exits + count; exit++) {
            uint8_t reached =
                exit->tier == NONET_EXIT_LOST ? LOST_AT_ONCE : next_answer(s, exit->tier, exit->to);
            s->too_long |= !ranked_learn(&s->at_work, exit->from, reached);
            if (reached >= s->highest && reached < LONGEST)
                s->highest = (uint8_t)(reached + 1);
        }
        if (blocks > 0)
            tell(s, "looking ahead",
                 0.6 * (double)s->sizes[s->tier] * (block - part->block) / blocks);
    } while (messages_sum(part->end_block - block) > 0);
    return true;
}

/* Reads what other processes found about owned positions. */
static void listen(struct share *s) {
    bool won = is_win(s->code);
    _Atomic uint8_t *told = won ? s->at_work.left : s->at_work.values;
    size_t count = s->messages.in_size / sizeof(uint32_t);
    const unsigned char *in = s->messages.in;
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        if (i + AHEAD < count) {
            memcpy(&number, in + (i + AHEAD) * sizeof number, sizeof number);
            __builtin_prefetch((const void *)&told[number], 1);
        }
        memcpy(&number, in + i * sizeof number, sizeof number);
        if (won)
            ranked_refute(&s->at_work, number, s->code);
        else
            ranked_settle_win(&s->at_work, number, s->code);
    }
    if (count > 0 && s->highest <= s->code)
        s->highest = (uint8_t)(s->code + 1);
}

/* Sends all positions with the code to the owners of their predecessors. */
static bool look_back(struct share *s) {
    const struct part *part = &s->parts[s->tier];
    uint32_t hint = 0, before[NONET_MAX_PREDECESSORS];
    int run = 0;
    uint64_t i = part->begin[0];
    do {
        for (uint32_t told = 0; run < part->runs && told < TOLD_AT_A_TIME;) {
            i = ranked_next(&s->at_work, s->code, i, part->end[run]);
            if (i == part->end[run]) {
                i = ++run < part->runs ? part->begin[run] : 0;
                continue;
            }
            int count = s->ranking->predecessors(s->options, s->index, s->tier, (uint32_t)i++,
                                                 &hint, before);
            for (int k = 0; k < count; k++)
                messages_write(&s->messages, owner_of(s, part, before[k]), &before[k],
                               sizeof before[k]);
            told += (uint32_t)count;
        }
        if (!messages_exchange(&s->messages))
            return false;
        listen(s);
    } while (messages_sum(run < part->runs) > 0);
    return true;
}

static bool solve_tier(struct share *s) {
    const struct part *part = &s->parts[s->tier];
    uint8_t *left = map(s, s->tier);
    if (!all_good(s, left != NULL)) {
        unmap(s, s->tier, left);
        return false;
    }
    s->at_work = (struct ranked_tier){.values = (_Atomic uint8_t *)part->values,
                                      .left = (_Atomic uint8_t *)left};
    s->highest = LOST_AT_ONCE;
    bool good = look_ahead(s);
    for (int run = 0; run < part->runs; run++)
        ranked_mark_ends(&s->at_work, part->begin[run], part->end[run]);
    uint64_t highest = LOST_AT_ONCE;
    for (uint64_t code = LOST_AT_ONCE; good && code <= highest; code++) {
        s->code = (uint8_t)code;
        tell(s, "looking back", 0.6 * (double)s->sizes[s->tier]);
        good = look_back(s);
        highest = messages_most(s->highest);
        s->too_long |= highest == LONGEST;
        if (messages_most(s->too_long) > 0) {
            ranked_too_long(s->why);
            good = false;
        }
    }
    for (int run = 0; run < part->runs; run++)
        ranked_mark_draws(&s->at_work, part->begin[run], part->end[run]);
    unmap(s, s->tier, left);
    return all_good(s, good);
}

/* The owned values of a tier, to or from a checkpoint. */
static bool transfer_tier(const struct share *s, struct checkpoint *checkpoint) {
    const struct part *part = &s->parts[s->tier];
    bool good = checkpoint_is_new(checkpoint) || checkpoint_left(checkpoint) == part->size;
    for (int run = 0; run < part->runs && good; run++)
        good = checkpoint_transfer(checkpoint, part->values + part->begin[run],
                                   part->end[run] - part->begin[run]);
    return good;
}

static void keep_tier(const struct share *s) {
    char name[16];
    snprintf(name, sizeof name, "tier%02d", s->tier);
    struct checkpoint *checkpoint = checkpoint_create(&s->owner, name);
    if (checkpoint == NULL)
        return;
    transfer_tier(s, checkpoint);
    checkpoint_close(checkpoint);
}

/* Whether all processes have read their parts of the tier from an earlier run. */
static bool fetch_tier(const struct share *s) {
    char name[16];
    snprintf(name, sizeof name, "tier%02d", s->tier);
    struct checkpoint *checkpoint = checkpoint_open(&s->owner, name);
    bool good = checkpoint != NULL && transfer_tier(s, checkpoint);
    if (checkpoint != NULL)
        good = checkpoint_close(checkpoint) && good;
    return messages_agree(good);
}

static bool solve_tiers(struct share *s) {
    for (s->tier = 0; s->tier < s->tiers; s->tier++) {
        struct part *part = &s->parts[s->tier];
        if (!all_good(s, (part->values = map(s, s->tier)) != NULL))
            return false;
        if (!fetch_tier(s)) {
            /* All processes have tried before any removes checkpoints, and removed them before any
             * writes one. */
            bool forgotten = s->tier == 0 && checkpoint_forget(s->owner.folder);
            if (messages_sum(forgotten) > 0 && s->messages.me == 0)
                solve_note(s->limits, SOLVE_AFRESH);
            /* If one process has read its part and another has not, the tier is solved again. */
            unmap(s, s->tier, part->values);
            if (!all_good(s, (part->values = map(s, s->tier)) != NULL) || !solve_tier(s))
                return false;
            keep_tier(s);
        }
        s->done += (double)s->sizes[s->tier];
    }
    return true;
}

/* --- The opening ---------------------------------------------------------------------------- */

static struct nonet_value put_question(void *context, int tier, uint64_t number) {
    ask(context, tier, number);
    return (struct nonet_value){0};
}

static struct nonet_value read_answer(void *context, int tier, uint64_t number) {
    return ranked_value(next_answer(context, tier, number));
}

static uint64_t share_of(const struct share *s, uint64_t count, int process) {
    return count * (uint64_t)process / (uint64_t)s->messages.all;
}

/* Every process has the whole layer and solves a share of it. It looks at each state twice: first
 * to ask the questions, then with the answers. Then all processes exchange their results. */
static bool solve_layer(struct share *s, struct opening *opening, int number, int *sizes,
                        int *starts) {
    struct opening_layer *layer = &opening->layer[number];
    uint64_t i = share_of(s, layer->count, s->messages.me);
    uint64_t end = share_of(s, layer->count, s->messages.me + 1);
    do {
        uint64_t from = i;
        for (; i < end && messages_waiting(&s->messages) < ASKED_AT_A_TIME; i++)
            opening_value(opening, number, i, put_question, s);
        if (!get_answers(s))
            return false;
        for (; from < i; from++)
            layer->values[from] = opening_value(opening, number, from, read_answer, s);
    } while (messages_sum(end - i) > 0);
    for (int process = 0; process < s->messages.all; process++) {
        starts[process] = (int)(share_of(s, layer->count, process) * sizeof *layer->values);
        sizes[process] =
            (int)(share_of(s, layer->count, process + 1) * sizeof *layer->values) - starts[process];
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, layer->values, sizes, starts, MPI_BYTE,
                   MPI_COMM_WORLD);
    return true;
}

static bool solve_opening(struct share *s, struct opening *opening) {
    int *sizes = calloc(2 * (size_t)s->messages.all, sizeof *sizes);
    tell(s, "listing the opening", 0);
    bool found = opening_find(opening, s->why);
    bool good = all_good(s, found && sizes != NULL);
    for (int layer = opening->layers - 2; good && layer >= 0; layer--) {
        tell(s, "solving the opening", 0.02 * s->work);
        good = solve_layer(s, opening, layer, sizes, sizes + s->messages.all);
    }
    free(sizes);
    return all_good(s, good);
}

/* --- The table ------------------------------------------------------------------------------ */

/* The values of a tier go to the first process in the order of their numbers. After writing has
 * failed, it still receives them, so that no process waits for ever. */
static bool write_tier(const struct share *s, const struct part *part, struct table_writer *writer,
                       uint8_t *buffer) {
    bool good = true;
    for (int i = 0; i < part->runs * s->messages.all; i++) {
        int process = i % s->messages.all;
        for (uint64_t at = part->bounds[i]; at < part->bounds[i + 1];) {
            uint64_t left = part->bounds[i + 1] - at;
            int size = (int)(left < SENT_AT_A_TIME ? left : SENT_AT_A_TIME);
            if (process == s->messages.me && s->messages.me != 0)
                MPI_Send(part->values + at, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            if (s->messages.me == 0 && process != 0)
                MPI_Recv(buffer, size, MPI_BYTE, process, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (s->messages.me == 0)
                good = good && ranked_write(writer, process == 0 ? part->values + at : buffer,
                                            (uint64_t)size);
            at += (uint64_t)size;
        }
    }
    return good;
}

static bool write_table(struct share *s, const struct opening *opening,
                        struct table_writer *writer) {
    uint8_t *buffer = malloc(SENT_AT_A_TIME);
    bool good = all_good(s, buffer != NULL);
    bool wrote = true;
    for (int tier = 0; tier < s->tiers && good; tier++) {
        tell(s, "writing the table", 0);
        wrote = write_tier(s, &s->parts[tier], writer, buffer) && wrote;
    }
    free(buffer);
    if (!good || s->messages.me != 0)
        return good;
    unsigned char *states = NULL;
    struct nonet_value *values = NULL;
    uint64_t count;
    bool listed = opening_list(opening, &states, &values, &count);
    if (!listed)
        budget_explain(&s->budget, s->why);
    else if (wrote)
        ranked_write_list(writer, states, values, count, s->options->game->state_size);
    free(states);
    free(values);
    return listed;
}

/* --- The whole solve ------------------------------------------------------------------------ */

static bool prepare(struct share *s) {
    const struct nonet_options *options = s->options;
    s->tiers = ranked_tiers(options, s->limits->material);
    if (s->tiers == 0) {
        ranked_too_few(options, s->why);
        return false;
    }
    size_t exits = (EXITS_AT_A_TIME + s->ranking->max_exits) * sizeof *s->exits;
    s->index = budget_take(&s->budget, s->ranking->large_index_size(options, s->tiers));
    s->exits = budget_take(&s->budget, exits);
    s->sizes = calloc((size_t)s->tiers + 1, sizeof *s->sizes);
    s->parts = calloc((size_t)s->tiers + 1, sizeof *s->parts);
    s->answer = calloc((size_t)s->messages.all, sizeof *s->answer);
    bool good = s->index != NULL && s->exits != NULL && s->sizes != NULL && s->parts != NULL &&
                s->answer != NULL;
    if (!all_good(s, good))
        return false;
    tell(s, "numbering positions", 0);
    s->ranking->build_large_index(options, s->tiers, s->index);
    uint64_t all = 0, own = 0, largest = 0;
    for (int tier = 0; tier < s->tiers && good; tier++) {
        s->sizes[tier] = s->ranking->size(options, s->index, tier);
        good = share_out(s, tier);
        all += s->sizes[tier];
        own += s->parts[tier].size;
        largest = s->parts[tier].size > largest ? s->parts[tier].size : largest;
    }
    s->work = 1.05 * (double)all;
    return all_good(
        s, good && (s->budget.limit == 0 || s->budget.used + own + largest <= s->budget.limit));
}

static void end(struct share *s) {
    for (int tier = 0; s->parts != NULL && tier < s->tiers; tier++) {
        unmap(s, tier, s->parts[tier].values);
        free(s->parts[tier].bounds);
    }
    free(s->index);
    free(s->exits);
    free(s->sizes);
    free(s->parts);
    free(s->answer);
    messages_close(&s->messages);
}

/* Solves everything; the first process has a table to write to. */
static bool solve(struct share *s, struct table_writer *writer) {
    struct opening opening = {.options = s->options, .index = s->index, .budget = &s->budget};
    bool whole = s->tiers == s->ranking->tiers(s->options);
    bool good = solve_tiers(s) && (!whole || solve_opening(s, &opening)) &&
                write_table(s, &opening, writer);
    opening_free(&opening);
    return good;
}

bool solve_spread_ranked(const struct nonet_options *options, const struct solve_limits *limits,
                         const char *path, struct nonet_text *why) {
    struct share s = {.options = options,
                      .ranking = options->game->ranking,
                      .limits = limits,
                      .why = why,
                      .budget = {.limit = limits->memory},
                      .began = clock_now(),
                      .work = 1};
    struct table_writer *writer = NULL;
    bool good = all_good(&s, messages_open(&s.messages));
    s.owner = (struct checkpoint_owner){limits->work, options, s.messages.me, s.messages.all,
                                        limits->work_key};
    /* Opened first, so that problems with the file are found before the work, not after it. */
    if (good && s.messages.me == 0)
        writer = table_writer_open(path, options, TABLE_RANKED, why);
    good = good && all_good(&s, s.messages.me != 0 || writer != NULL) && prepare(&s);
    good = good && all_good(&s, solve(&s, writer));
    if (writer != NULL && !good)
        table_writer_abandon(writer);
    if (good) {
        good = all_good(&s, s.messages.me != 0 || table_writer_close(writer, why));
        if (good)
            checkpoint_forget(limits->work);
    }
    end(&s);
    return good;
}
