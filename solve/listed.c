/* The solver for games whose positions can be listed.
 *
 * First it finds them all, breadth-first from the start. The successors of each position are
 * brought into canonical form and looked up in a hash set. New ones wait for the next round.
 * Threads share the work of a round. The set is split into parts by hash, each with its own lock,
 * so that threads rarely wait for each other. Successors are kept, because they are needed twice
 * more.
 *
 * Then comes retrograde analysis, from the finished positions back along predecessors. Without
 * points, a position with a move to a lost position is won. A position is lost when all of its
 * moves lead to won positions. Positions are settled in the order of their distance. So the first
 * win found for a position is the fastest, and the last refuted move of a lost position is the
 * longest defence. What is never settled is drawn. With points, a position is settled when all its
 * successors are, with the best margin among them. In such games, play must never repeat a
 * position.
 *
 * The order in which threads find positions does not affect the table, because it is sorted.
 */
#include "listed.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "checkpoint.h"
#include "estimate.h"
#include "host/clock.h"
#include "table_writer.h"
#include "workers.h"

enum {
    PARTS = 64,      /* of the hash set */
    BLOCK = 32,      /* positions that a thread takes at a time */
    CHUNK_BITS = 18, /* successors are kept in chunks, so that none is ever copied */
    CHUNK = 1 << CHUNK_BITS,
    MOST_CHUNKS = 1 << 14,
    MOST_THREADS = 256,
};
static_assert(CHUNK > (int)NONET_MAX_MOVES, "the successors of a position fit into a chunk");

/* The value of a position as one number that changes its sign with the side: twice the margin, plus
 * one for a win, minus one for a loss. So with equal points a game can still be won or lost, if the
 * rules say so. */
typedef int16_t score;
enum { UNSETTLED = INT16_MIN };

struct position {
    uint64_t successors; /* where its successors are */
    uint32_t open;       /* successors still to be settled (with points), or to be refuted */
    uint16_t count;      /* number of different successors */
    uint16_t weight;     /* how many symmetric positions it stands for */
    uint16_t ply;        /* the least number of moves to here */
    uint16_t distance;
    score score;
    uint16_t zero; /* instead of padding, because positions are written to files */
};

/* A part of the hash set. Positions are numbered within a part; the slots hold numbers from 1. */
struct part {
    pthread_mutex_t lock;
    unsigned char *states;
    struct position *positions;
    /* Atomic, because they are also read without the lock, to prefetch a slot. */
    _Atomic(uint32_t *) slots;
    atomic_uint slot_count;
    uint32_t count, room;
    uint32_t begin, end; /* the positions to expand in this round */
};

struct solver {
    const struct nonet_options *options;
    const struct solve_limits *limits;
    size_t state_size;
    bool points;
    struct part parts[PARTS];
    uint32_t *chunks[MOST_CHUNKS];
    atomic_int chunk_count;
    atomic_uint_fast64_t used, most_used; /* bytes of memory */
    /* Why it cannot go on; the first reason counts. */
    _Atomic(const char *) failure;
    /* One round of the search. */
    atomic_uint next_block;
    uint32_t blocks;
    uint32_t first_block[PARTS + 1];
    uint16_t ply;
    uint64_t found;
    struct estimate estimate;
    struct checkpoint_owner owner;
    double begun, kept; /* when this run began, and when the last checkpoint was kept */
    /* All positions in one list, once they are found. */
    unsigned char *states;
    struct position *positions;
    uint32_t count, root;
    uint64_t *first_parent; /* where the predecessors of each position begin in `parents` */
    uint32_t *parents;
    uint64_t edges;
    uint32_t *order;
};

static const char too_little_memory[] = "memory";
static const char no_memory[] = "there is no memory left";
static const char too_many[] = "the game has more positions than this solver can list";

static void fail(struct solver *solver, const char *why) {
    const char *none = NULL;
    atomic_compare_exchange_strong(&solver->failure, &none, why);
}

static bool failed(struct solver *solver) {
    return atomic_load_explicit(&solver->failure, memory_order_relaxed) != NULL;
}

static void tell(const struct solver *solver, const char *what, double share) {
    solve_tell(solver->limits, what, share, clock_now() - solver->begun);
}

/* Memory is counted before it is allocated, so that the limit is never exceeded. */
static void *more_memory(struct solver *solver, void *old, size_t old_size, size_t size) {
    uint64_t used = atomic_fetch_add(&solver->used, size) + size;
    if (solver->limits->memory != 0 && used > solver->limits->memory) {
        atomic_fetch_sub(&solver->used, size);
        fail(solver, too_little_memory);
        return NULL;
    }
    uint64_t most = atomic_load(&solver->most_used);
    while (most < used && !atomic_compare_exchange_weak(&solver->most_used, &most, used))
        ;
    /* Some of it holds states, which are aligned to more than malloc promises; none of that grows.
     */
    void *new = old == NULL
                    ? aligned_alloc(NONET_STATE_ALIGN, (size + NONET_STATE_ALIGN - 1) /
                                                           NONET_STATE_ALIGN * NONET_STATE_ALIGN)
                    : realloc(old, size);
    if (new == NULL) {
        atomic_fetch_sub(&solver->used, size);
        fail(solver, no_memory);
        return NULL;
    }
    atomic_fetch_sub(&solver->used, old_size);
    return new;
}

static void *memory(struct solver *solver, size_t size) {
    return more_memory(solver, NULL, 0, size > 0 ? size : 1);
}

static void give_back(struct solver *solver, void *bytes, size_t size) {
    if (bytes != NULL)
        atomic_fetch_sub(&solver->used, size > 0 ? size : 1);
    free(bytes);
}

/* Room for twice as many positions, and twice as many slots as positions. */
static bool grow(struct solver *solver, struct part *part) {
    uint32_t room = part->room > 0 ? 2 * part->room : 64;
    if (room > UINT32_MAX / PARTS / 4) {
        fail(solver, too_many);
        return false;
    }
    size_t old = part->room, size = solver->state_size;
    void *states = more_memory(solver, part->states, old * size, room * size);
    if (states == NULL)
        return false;
    part->states = states;
    void *positions = more_memory(solver, part->positions, old * sizeof *part->positions,
                                  room * sizeof *part->positions);
    if (positions == NULL)
        return false;
    part->positions = positions;
    uint32_t *slots = memory(solver, 2 * (size_t)room * sizeof *slots);
    if (slots == NULL)
        return false;
    memset(slots, 0, 2 * (size_t)room * sizeof *slots);
    give_back(solver, part->slots, part->slot_count * sizeof *slots);
    part->slots = slots;
    part->slot_count = 2 * room;
    part->room = room;
    for (uint32_t i = 0; i < part->count; i++) {
        uint64_t slot = nonet_hash(part->states + i * size, size);
        while (slots[slot & (2 * room - 1)] != 0)
            slot++;
        slots[slot & (2 * room - 1)] = i + 1;
    }
    return true;
}

static uint32_t part_of(uint64_t hash) {
    static_assert(PARTS == 1 << (64 - 58), "the upper bits choose the part");
    return (uint32_t)(hash >> 58);
}

/* Prefetches the slot, before it is looked at. */
static void fetch_slot(const struct solver *solver, uint64_t hash) {
    const struct part *part = &solver->parts[part_of(hash)];
    const uint32_t *slots = atomic_load_explicit(&part->slots, memory_order_relaxed);
    uint32_t count = atomic_load_explicit(&part->slot_count, memory_order_relaxed);
    if (slots != NULL && count > 0)
        __builtin_prefetch(slots + ((uint32_t)hash & (count - 1)));
}

/* The number of a canonical state with this hash; a new state is added. Numbers of parts are
 * interleaved. */
static bool find_or_add(struct solver *solver, const void *state, uint64_t hash, uint32_t *number) {
    size_t size = solver->state_size;
    uint32_t which = part_of(hash);
    struct part *part = &solver->parts[which];
    bool found = true;
    pthread_mutex_lock(&part->lock);
    if (part->count == part->room)
        found = grow(solver, part);
    if (found) {
        uint32_t *slots = part->slots, mask = part->slot_count - 1, slot = (uint32_t)hash & mask;
        while (slots[slot] != 0 &&
               memcmp(part->states + (slots[slot] - 1) * size, state, size) != 0)
            slot = (slot + 1) & mask;
        if (slots[slot] == 0) {
            memcpy(part->states + part->count * size, state, size);
            slots[slot] = ++part->count;
        }
        *number = (slots[slot] - 1) * PARTS + which;
    }
    pthread_mutex_unlock(&part->lock);
    return found;
}

/* Where a thread puts the successors that it finds. */
struct outlet {
    int chunk;
    uint32_t used;
};

static uint32_t *room_for_successors(struct solver *solver, struct outlet *outlet, int count,
                                     uint64_t *place) {
    if (outlet->chunk < 0 || outlet->used + (uint32_t)count > CHUNK) {
        uint32_t *chunk = memory(solver, CHUNK * sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        outlet->chunk = atomic_fetch_add(&solver->chunk_count, 1);
        outlet->used = 0;
        if (outlet->chunk >= MOST_CHUNKS) {
            give_back(solver, chunk, CHUNK * sizeof *chunk);
            atomic_store(&solver->chunk_count, MOST_CHUNKS);
            outlet->chunk = -1;
            fail(solver, too_many);
            return NULL;
        }
        solver->chunks[outlet->chunk] = chunk;
    }
    *place = (uint64_t)outlet->chunk << CHUNK_BITS | outlet->used;
    return solver->chunks[outlet->chunk] + outlet->used;
}

static uint32_t *successors_of(const struct solver *solver, const struct position *position) {
    return solver->chunks[position->successors >> CHUNK_BITS] +
           (position->successors & (CHUNK - 1));
}

static score score_of_result(const struct solver *solver, const void *state) {
    struct nonet_value value = nonet_value_final(solver->options, state);
    return (score)nonet_value_signed(&value);
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

/* A successor to be looked up in the set. */
struct child {
    struct nonet_state canonical;
    uint64_t hash;
};

/* Finds the successors of a canonical state, in two steps. The first computes them and prefetches
 * the scattered memory that the second reads. `children` has room for all. */
static bool expand(struct solver *solver, struct outlet *outlet, struct child *children,
                   const void *state, struct position *position) {
    const struct nonet_options *options = solver->options;
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(options, state, moves);
    *position = (struct position){
        .ply = solver->ply, .weight = (uint16_t)nonet_orbit(options, state), .score = UNSETTLED};
    if (count == 0) {
        position->score = score_of_result(solver, state);
        return true;
    }
    uint32_t *successors = room_for_successors(solver, outlet, count, &position->successors);
    if (successors == NULL)
        return false;
    for (int i = 0; i < count; i++) {
        struct nonet_state child;
        memcpy(&child, state, solver->state_size);
        game->play(options, &child, NULL, moves[i]);
        assert(game->next(options, &child) != game->next(options, state));
        nonet_canonical(options, &child, &children[i].canonical);
        children[i].hash = nonet_hash(&children[i].canonical, solver->state_size);
        fetch_slot(solver, children[i].hash);
    }
    for (int i = 0; i < count; i++)
        if (!find_or_add(solver, &children[i].canonical, children[i].hash, &successors[i]))
            return false;
    /* Moves to symmetric positions lead to the same successor, which is kept once. */
    qsort(successors, (size_t)count, sizeof *successors, compare_numbers);
    int kept = 1;
    for (int i = 1; i < count; i++)
        if (successors[i] != successors[kept - 1])
            successors[kept++] = successors[i];
    position->count = (uint16_t)kept;
    position->open = (uint32_t)kept;
    outlet->used += (uint32_t)kept;
    return true;
}

struct worker {
    struct solver *solver;
    struct outlet outlet;
    struct child *children;
    bool speaks; /* reports the progress of all */
};

/* Finding positions is about half of the work. */
static void tell_finding(const struct solver *solver, uint64_t done_of_round) {
    char what[64];
    snprintf(what, sizeof what, "finding positions, %llu so far",
             (unsigned long long)solver->found);
    tell(solver, what, 0.5 * estimate_share(&solver->estimate, done_of_round));
}

/* Takes blocks of positions and expands them. Meanwhile other threads may add to the part and move
 * it in memory. So a block is copied out, and its answers are copied in. */
static void *expand_blocks(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    size_t size = solver->state_size;
    struct nonet_state states[BLOCK];
    unsigned char copy[BLOCK * NONET_STATE_MAX];
    struct position positions[BLOCK];
    uint32_t which = 0;
    for (;;) {
        uint32_t block = atomic_fetch_add(&solver->next_block, 1);
        if (block >= solver->blocks || failed(solver))
            return NULL;
        if (worker->speaks && block % 256 == 0)
            tell_finding(solver, (uint64_t)block * BLOCK);
        while (block >= solver->first_block[which + 1])
            which++;
        struct part *part = &solver->parts[which];
        uint32_t begin = part->begin + (block - solver->first_block[which]) * BLOCK;
        uint32_t count = part->end - begin < BLOCK ? part->end - begin : BLOCK;
        pthread_mutex_lock(&part->lock);
        memcpy(copy, part->states + begin * size, count * size);
        pthread_mutex_unlock(&part->lock);
        for (uint32_t i = 0; i < count; i++) {
            memcpy(&states[i], copy + i * size, size);
            if (!expand(solver, &worker->outlet, worker->children, &states[i], &positions[i]))
                return NULL;
        }
        pthread_mutex_lock(&part->lock);
        memcpy(part->positions + begin, positions, count * sizeof *positions);
        pthread_mutex_unlock(&part->lock);
    }
}

/* Sets up the next round: the positions added in the last one. False if there are none. */
static bool next_round(struct solver *solver) {
    uint64_t round = 0;
    solver->blocks = 0;
    solver->found = 0;
    for (int i = 0; i < PARTS; i++) {
        struct part *part = &solver->parts[i];
        part->begin = part->end;
        part->end = part->count;
        solver->first_block[i] = solver->blocks;
        solver->blocks += (part->end - part->begin + BLOCK - 1) / BLOCK;
        solver->found += part->count;
        round += part->end - part->begin;
    }
    solver->first_block[PARTS] = solver->blocks;
    estimate_begin_round(&solver->estimate, round);
    atomic_store(&solver->next_block, 0);
    return solver->blocks > 0;
}

/* Forgets all positions, to begin again or at the end. */
static void drop_positions(struct solver *solver) {
    for (int i = 0; i < PARTS; i++) {
        struct part *part = &solver->parts[i];
        give_back(solver, part->states, part->room * solver->state_size);
        give_back(solver, part->positions, part->room * sizeof *part->positions);
        give_back(solver, part->slots, part->slot_count * sizeof(uint32_t));
        part->states = NULL;
        part->positions = NULL;
        part->slots = NULL;
        part->slot_count = 0;
        part->count = part->room = part->begin = part->end = 0;
    }
    for (int i = 0; i < atomic_load(&solver->chunk_count); i++) {
        give_back(solver, solver->chunks[i], CHUNK * sizeof(uint32_t));
        solver->chunks[i] = NULL;
    }
    atomic_store(&solver->chunk_count, 0);
    give_back(solver, solver->states, solver->count * solver->state_size);
    give_back(solver, solver->positions, solver->count * sizeof *solver->positions);
    give_back(solver, solver->first_parent, (solver->count + 1) * sizeof *solver->first_parent);
    give_back(solver, solver->parents, solver->edges * sizeof *solver->parents);
    give_back(solver, solver->order, solver->count * sizeof *solver->order);
    solver->states = NULL;
    solver->positions = NULL;
    solver->first_parent = NULL;
    solver->parents = NULL;
    solver->order = NULL;
    solver->count = 0;
}

/* Checkpoints: what was found so far, written between two rounds. Working backward takes about as
 * long as reading a checkpoint, so there are none for it. Every number that is read is checked
 * before it is used. */

/* Enters the states that were read into the part's slots. Each must belong there and occur only
 * once. */
static bool enter_states(struct solver *solver, struct part *part, uint32_t count) {
    size_t size = solver->state_size;
    uint32_t mask = part->slot_count - 1;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *state = part->states + i * size;
        uint64_t hash = nonet_hash(state, size);
        uint32_t slot = (uint32_t)hash & mask;
        if (&solver->parts[part_of(hash)] != part)
            return false;
        for (; part->slots[slot] != 0; slot = (slot + 1) & mask)
            if (memcmp(part->states + (part->slots[slot] - 1) * size, state, size) == 0)
                return false;
        part->slots[slot] = i + 1;
    }
    return true;
}

/* Whether a position may come from a round before this one. */
static bool is_sound(const struct solver *solver, const struct position *position) {
    bool ends = position->count == 0;
    int most = solver->points ? INT16_MAX : 1;
    return position->count <= NONET_MAX_MOVES && position->open == position->count &&
           position->ply < solver->ply && position->weight > 0 && position->distance == 0 &&
           position->zero == 0 && (position->score == UNSETTLED) == !ends &&
           (!ends || (abs(position->score) <= most && position->successors == 0));
}

static bool transfer_part(struct solver *solver, struct part *part, struct outlet *outlet,
                          struct checkpoint *checkpoint) {
    bool reading = !checkpoint_is_new(checkpoint);
    uint32_t counts[2] = {part->count, part->end};
    uint64_t size = solver->state_size;
    if (!checkpoint_transfer(checkpoint, counts, sizeof counts))
        return false;
    if (reading &&
        (counts[1] > counts[0] || counts[0] * size + counts[1] * (uint64_t)sizeof *part->positions >
                                      checkpoint_left(checkpoint)))
        return false;
    while (part->room < counts[0])
        if (!grow(solver, part))
            return false;
    if (!checkpoint_transfer(checkpoint, part->states, counts[0] * size) ||
        !checkpoint_transfer(checkpoint, part->positions, counts[1] * sizeof *part->positions) ||
        (reading && !enter_states(solver, part, counts[0])))
        return false;
    part->count = counts[0];
    part->end = counts[1];
    for (uint32_t i = 0; i < part->end; i++) {
        struct position *position = &part->positions[i];
        if (reading && !is_sound(solver, position))
            return false;
        if (position->count == 0)
            continue;
        uint32_t *successors =
            !reading ? successors_of(solver, position)
                     : room_for_successors(solver, outlet, position->count, &position->successors);
        if (successors == NULL ||
            !checkpoint_transfer(checkpoint, successors, position->count * sizeof *successors))
            return false;
        outlet->used += position->count;
    }
    return true;
}

/* Whether all successors that were read are positions, in increasing order without duplicates. */
static bool successors_are_sound(const struct solver *solver) {
    for (int i = 0; i < PARTS; i++)
        for (uint32_t k = 0; k < solver->parts[i].end; k++) {
            const struct position *position = &solver->parts[i].positions[k];
            if (position->count == 0)
                continue;
            const uint32_t *successors = successors_of(solver, position);
            for (int n = 0; n < position->count; n++)
                if ((n > 0 && successors[n] <= successors[n - 1]) ||
                    successors[n] / PARTS >= solver->parts[successors[n] % PARTS].count)
                    return false;
        }
    return true;
}

static bool transfer(struct solver *solver, struct checkpoint *checkpoint) {
    struct outlet outlet = {.chunk = -1};
    bool good = checkpoint_transfer(checkpoint, &solver->ply, sizeof solver->ply);
    for (int i = 0; i < PARTS && good; i++)
        good = transfer_part(solver, &solver->parts[i], &outlet, checkpoint);
    return good && (checkpoint_is_new(checkpoint) ||
                    (checkpoint_left(checkpoint) == 0 && successors_are_sound(solver)));
}

static void keep_positions(struct solver *solver) {
    if (clock_now() - solver->kept < solver->limits->checkpoint_seconds)
        return;
    struct checkpoint *checkpoint = checkpoint_create(&solver->owner, "positions");
    if (checkpoint == NULL)
        return;
    transfer(solver, checkpoint);
    checkpoint_close(checkpoint);
    solver->kept = clock_now();
}

/* Continues from what an earlier run found. A checkpoint that is damaged or not ours is ignored. */
static bool fetch_positions(struct solver *solver) {
    struct checkpoint *checkpoint = checkpoint_open(&solver->owner, "positions");
    bool fetched = checkpoint != NULL && transfer(solver, checkpoint);
    if (checkpoint != NULL)
        fetched = checkpoint_close(checkpoint) && fetched;
    if (fetched)
        return true;
    drop_positions(solver);
    solver->ply = 0;
    if (checkpoint_forget(solver->owner.folder))
        solve_note(solver->limits, SOLVE_AFRESH);
    return false;
}

/* Works in rounds until nothing new is found. */
static bool explore(struct solver *solver, struct worker *workers, int threads) {
    size_t room = NONET_MAX_MOVES * sizeof(struct child);
    bool ready = true;
    for (int i = 0; i < threads; i++) {
        workers[i] = (struct worker){.solver = solver, .outlet = {.chunk = -1}};
        workers[i].children = memory(solver, room);
        ready &= workers[i].children != NULL;
    }
    workers[0].speaks = true;
    while (ready && next_round(solver)) {
        tell_finding(solver, 0);
        workers_run(workers, sizeof *workers, threads, expand_blocks);
        if (solver->ply == UINT16_MAX)
            fail(solver, too_many);
        ready = !failed(solver);
        solver->ply++;
        if (ready)
            keep_positions(solver);
    }
    for (int i = 0; i < threads; i++)
        give_back(solver, workers[i].children, room);
    return ready;
}

/* Makes one list of the parts, and numbers successors by their place in it. */
static bool gather(struct solver *solver, uint32_t root) {
    uint32_t base[PARTS];
    solver->count = 0;
    for (int i = 0; i < PARTS; i++) {
        struct part *part = &solver->parts[i];
        base[i] = solver->count;
        solver->count += part->count;
        give_back(solver, part->slots, part->slot_count * sizeof(uint32_t));
        part->slots = NULL;
    }
    solver->states = memory(solver, solver->count * solver->state_size);
    solver->positions = memory(solver, solver->count * sizeof *solver->positions);
    if (solver->states == NULL || solver->positions == NULL)
        return false;
    for (int i = 0; i < PARTS; i++) {
        struct part *part = &solver->parts[i];
        if (part->count == 0)
            continue;
        memcpy(solver->states + base[i] * solver->state_size, part->states,
               part->count * solver->state_size);
        memcpy(solver->positions + base[i], part->positions, part->count * sizeof *part->positions);
        give_back(solver, part->states, part->room * solver->state_size);
        give_back(solver, part->positions, part->room * sizeof *part->positions);
        part->states = NULL;
        part->positions = NULL;
    }
    for (uint32_t i = 0; i < solver->count; i++) {
        uint32_t *successors = successors_of(solver, &solver->positions[i]);
        for (int k = 0; k < solver->positions[i].count; k++)
            successors[k] = base[successors[k] % PARTS] + successors[k] / PARTS;
    }
    solver->root = base[root % PARTS] + root / PARTS;
    return true;
}

static bool discover(struct solver *solver, int threads) {
    struct nonet_state start, canonical;
    struct worker workers[MOST_THREADS];
    uint32_t root;
    solver->options->game->start(solver->options, &start, NULL);
    nonet_canonical(solver->options, &start, &canonical);
    bool fetched = fetch_positions(solver);
    solver->kept = clock_now();
    /* If a checkpoint was read, the first position is in it; else it is added first. */
    return (fetched || !failed(solver)) &&
           find_or_add(solver, &canonical, nonet_hash(&canonical, solver->state_size), &root) &&
           explore(solver, workers, threads) && gather(solver, root);
}

/* Inverts the lists of successors. */
static bool find_parents(struct solver *solver) {
    solver->first_parent = memory(solver, (solver->count + 1) * sizeof *solver->first_parent);
    if (solver->first_parent == NULL)
        return false;
    uint64_t *first = solver->first_parent;
    memset(first, 0, (solver->count + 1) * sizeof *first);
    for (uint32_t i = 0; i < solver->count; i++) {
        const uint32_t *successors = successors_of(solver, &solver->positions[i]);
        for (int k = 0; k < solver->positions[i].count; k++)
            first[successors[k]]++;
    }
    /* Sums up to and including each position. Filling in then counts them down to where each list
     * begins. */
    for (uint32_t i = 1; i <= solver->count; i++)
        first[i] += first[i - 1];
    solver->edges = first[solver->count];
    solver->parents = memory(solver, solver->edges * sizeof *solver->parents);
    if (solver->parents == NULL)
        return false;
    for (uint32_t i = solver->count; i-- > 0;) {
        const uint32_t *successors = successors_of(solver, &solver->positions[i]);
        for (int k = 0; k < solver->positions[i].count; k++)
            solver->parents[--first[successors[k]]] = i;
    }
    return true;
}

/* Updates a predecessor of a settled position; true if this settles the predecessor. */
static bool settle_parent(const struct solver *solver, struct position *parent,
                          const struct position *child) {
    if (solver->points) {
        if (-child->score > parent->score)
            parent->score = (score)-child->score;
        return --parent->open == 0;
    }
    if (parent->score != UNSETTLED)
        return false;
    if (child->score > 0 && --parent->open > 0)
        return false;
    parent->score = child->score > 0 ? -1 : 1;
    parent->distance = (uint16_t)(child->distance + 1);
    return true;
}

static bool settle(struct solver *solver) {
    /* The list of settled positions, beginning with distance 0, is also the queue. */
    uint32_t *queue = memory(solver, solver->count * sizeof *queue), settled = 0;
    if (queue == NULL)
        return false;
    for (uint32_t i = 0; i < solver->count; i++)
        if (solver->positions[i].count == 0 && (solver->points || solver->positions[i].score != 0))
            queue[settled++] = i;
    for (uint32_t at = 0; at < settled; at++) {
        const struct position *child = &solver->positions[queue[at]];
        if (at % 0x40000 == 0)
            tell(solver, "working backward", 0.5 + 0.15 * at / solver->count);
        for (uint64_t k = solver->first_parent[queue[at]]; k < solver->first_parent[queue[at] + 1];
             k++)
            if (settle_parent(solver, &solver->positions[solver->parents[k]], child))
                queue[settled++] = solver->parents[k];
    }
    give_back(solver, queue, solver->count * sizeof *queue);
    if (solver->points && settled < solver->count) {
        fail(solver, "play can repeat positions, which must not happen in a game with points");
        return false;
    }
    for (uint32_t i = 0; i < solver->count; i++) {
        if (solver->positions[i].score == UNSETTLED)
            solver->positions[i].score = 0;
        if (solver->positions[i].distance > INT16_MAX) {
            fail(solver, "a win takes longer than a table can record");
            return false;
        }
    }
    return true;
}

static struct nonet_value value_of(const struct solver *solver, const struct position *position) {
    if (solver->points)
        return nonet_value_of_signed(position->score);
    struct nonet_value value = {.outcome = (uint8_t)nonet_outcome_of_sign(position->score)};
    if (position->score != 0)
        value.distance = (int16_t)position->distance;
    return value;
}

/* The numbers of all positions in the order of their states' bytes: sorted by the last byte, then
 * by the one before it, and so on, each time keeping the order of equal ones. */
static bool sort(struct solver *solver) {
    size_t size = solver->state_size, bytes = solver->count * sizeof *solver->order;
    uint32_t *from = memory(solver, bytes), *to = memory(solver, bytes);
    if (from != NULL && to != NULL) {
        for (uint32_t i = 0; i < solver->count; i++)
            from[i] = i;
        for (size_t byte = size; byte-- > 0;) {
            uint32_t place[257] = {0};
            for (uint32_t i = 0; i < solver->count; i++)
                place[solver->states[i * size + byte] + 1]++;
            for (int i = 1; i < 257; i++)
                place[i] += place[i - 1];
            for (uint32_t i = 0; i < solver->count; i++)
                to[place[solver->states[from[i] * size + byte]]++] = from[i];
            uint32_t *swap = from;
            from = to;
            to = swap;
        }
    }
    give_back(solver, to, bytes);
    solver->order = from;
    return !failed(solver);
}

static bool write_table(struct solver *solver, const char *path, struct nonet_text *why) {
    struct table_writer *writer = table_writer_open(path, solver->options, TABLE_KEYED, why);
    if (writer == NULL)
        return false;
    for (uint32_t i = 0; i < solver->count; i++) {
        uint32_t number = solver->order[i];
        struct nonet_value value = value_of(solver, &solver->positions[number]);
        if (i % 0x20000 == 0 && i > 0)
            tell(solver, "writing the table", 0.65 + 0.35 * i / solver->count);
        if (!table_writer_add(writer, solver->states + number * solver->state_size, &value))
            break;
    }
    return table_writer_close(writer, why);
}

static void count_position(struct solve_counts *counts, const struct position *position) {
    enum nonet_outcome outcome = nonet_outcome_of_sign(position->score);
    counts->classes[outcome]++;
    counts->positions[outcome] += position->weight;
}

/* Of won positions, the record is the longest win, or the largest margin. */
static int record_of(const struct solver *solver, const struct position *position) {
    return position->score <= 0 ? -1 : solver->points ? position->score / 2 : position->distance;
}

static bool fill_report(struct solver *solver, struct solve_report *report) {
    int most_margin = 0, record = -1;
    for (uint32_t i = 0; i < solver->count; i++) {
        const struct position *position = &solver->positions[i];
        int margin = abs(position->score / 2);
        most_margin = margin > most_margin ? margin : most_margin;
        report->plies = position->ply >= report->plies ? position->ply + 1 : report->plies;
        if (position->distance >= report->distances)
            report->distances = position->distance + 1;
    }
    report->margins = solver->points ? 2 * most_margin + 1 : 0;
    if (solver->points)
        report->distances = 0;
    report->by_ply = calloc((size_t)report->plies + 1, sizeof *report->by_ply);
    report->by_distance = calloc((size_t)report->distances + 1, sizeof *report->by_distance);
    report->by_margin = calloc((size_t)report->margins + 1, sizeof *report->by_margin);
    if (report->by_ply == NULL || report->by_distance == NULL || report->by_margin == NULL)
        return false;
    for (uint32_t at = 0; at < solver->count; at++) {
        const struct position *position = &solver->positions[solver->order[at]];
        report->positions += position->weight;
        count_position(&report->by_ply[position->ply], position);
        if (solver->points)
            count_position(&report->by_margin[position->score / 2 + most_margin], position);
        else if (position->score != 0)
            count_position(&report->by_distance[position->distance], position);
        if (record_of(solver, position) > record) {
            record = record_of(solver, position);
            memcpy(&report->longest, solver->states + solver->order[at] * solver->state_size,
                   solver->state_size);
            report->longest_value = value_of(solver, position);
        }
    }
    report->classes = solver->count;
    report->successors = solver->edges;
    report->start = value_of(solver, &solver->positions[solver->root]);
    report->memory = atomic_load(&solver->most_used);
    return true;
}

void solve_report_free(struct solve_report *report) {
    free(report->by_ply);
    free(report->by_distance);
    free(report->by_margin);
    *report = (struct solve_report){0};
}

static bool solve(struct solver *solver, const char *path, struct solve_report *report,
                  struct nonet_text *why) {
    int threads = solver->limits->threads;
    threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    if (!discover(solver, threads) || !find_parents(solver) || !settle(solver) || !sort(solver) ||
        !write_table(solver, path, why))
        return false;
    if (report != NULL && !fill_report(solver, report)) {
        fail(solver, no_memory);
        return false;
    }
    checkpoint_forget(solver->owner.folder);
    return true;
}

bool solve_listed_applies(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    return game->facts & NONET_FEW_POSITIONS && options->players == 2 && game->next != NULL &&
           game->wide == NULL && game->hidden == NULL && !(game->facts & NONET_CHANCE);
}

bool solve_listed(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct solve_report *report, struct nonet_text *why) {
    assert(solve_listed_applies(options));
    if (report != NULL)
        *report = (struct solve_report){0};
    struct solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL) {
        nonet_text_add(why, no_memory);
        return false;
    }
    solver->options = options;
    solver->limits = limits;
    solver->state_size = options->game->state_size;
    solver->points = options->game->facts & NONET_POINTS;
    solver->begun = clock_now();
    solver->owner = (struct checkpoint_owner){limits->work, options, 0, 1, limits->work_key};
    for (int i = 0; i < PARTS; i++)
        pthread_mutex_init(&solver->parts[i].lock, NULL);
    bool solved = solve(solver, path, report, why);
    const char *failure = atomic_load(&solver->failure);
    if (failure == too_little_memory)
        nonet_text_format(why, "solving it takes more than the %llu bytes of memory allowed",
                          (unsigned long long)limits->memory);
    else if (failure != NULL)
        nonet_text_add(why, failure);
    double seconds = clock_now() - solver->begun;
    drop_positions(solver);
    for (int i = 0; i < PARTS; i++)
        pthread_mutex_destroy(&solver->parts[i].lock);
    free(solver);
    if (report != NULL) {
        report->seconds = seconds;
        if (!solved)
            solve_report_free(report);
    }
    return solved;
}
