/* Every position is searched for one question only, whether the score is at least the goal, and the
 * search leaves it as soon as it knows. What it learns is a bound, often a tighter one than was
 * asked for, and the table keeps both bounds of a position.
 *
 * The table has no locks. An entry is two words, and the first is the hash combined with the
 * second: if two threads write at the same time, the words do not match, and the entry is not
 * found. */
#include "proof_search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "host/clock.h"
#include "rules/values.h"

enum {
    NEVER = PROOF_NEVER,
    ALWAYS = PROOF_ALWAYS,
    PLIES = 64, /* no game with a proof is longer */
    HISTORY = 4096,
    WAYS = 4, /* entries that share a cache line */
    BUSY = 1 << 14,
};

/* Bounds on the score of a position. */
struct span {
    int low, high;
};

/* What is known about a position; packed into one word. */
struct known {
    struct span span;
    nonet_move move; /* settled the last question, so it is likely to settle the next */
    int effort;      /* logarithm of the positions that it took */
};

struct entry {
    _Atomic uint64_t check, packed;
};

struct choice {
    nonet_move move;
    uint32_t worth; /* the order in which they are tried */
};

/* A position on the path from the first one to the current one. */
struct level {
    struct nonet_state state;
    uint64_t key[2];
    int best; /* bound so far */
    int count, tried;
    struct choice choices[NONET_MAX_MOVES];
};

struct worker {
    struct proof_search *search;
    pthread_t thread;
    bool started;
    int goal;
    _Atomic uint64_t positions;
    _Atomic double share;         /* of the question that is settled, as an estimate */
    uint32_t history[2][HISTORY]; /* how often a move settled a question, by the side to move */
    struct level levels[PLIES];
};

struct proof_search {
    struct nonet_options options;
    const struct solve_limits *limits;
    struct budget *budget;
    struct worker *workers[256];
    int threads;
    uint64_t before; /* positions that an earlier run searched */
    uint64_t buckets;
    struct entry (*table)[WAYS];
    void *memory; /* of the table, and a bucket more, as a bucket is to begin with a cache line */
    _Atomic uint64_t busy[BUSY]; /* keys of positions that are being searched */
    /* The current question. */
    _Atomic bool stop;
    bool settled;
    int working; /* threads */
    pthread_mutex_t lock;
    pthread_cond_t left; /* a thread has stopped working */
    struct checkpoint_owner owner;
    double next_checkpoint;
};

/* --- Scores --- */

static int final_score(const struct nonet_options *options, const void *state) {
    struct nonet_value value = nonet_value_result(options, state, 1);
    return nonet_value_signed(&value);
}

static struct span bounds_of(const struct nonet_options *options, const void *state) {
    int low, high;
    options->game->bounds(options, state, &low, &high);
    return (struct span){nonet_signed_of_margin(low, -1), nonet_signed_of_margin(high, 1)};
}

/* --- The table --- */

/* Two hashes of the canonical state: one says where it is, the other that it is there. */
static void make_key(const struct nonet_options *options, const void *state, uint64_t key[2]) {
    struct nonet_state canonical;
    nonet_canonical(options, state, &canonical);
    nonet_hash_twice(&canonical, options->game->state_size, 0, key);
}

/* A score takes a byte, with the two that no game has at its ends. 16 bits of the first hash are
 * kept too: with the number of the bucket they tell the other 16 that choose it, so that a
 * checkpoint can be read into a table of another size. */
enum { LEAST_SCORE = -128, MOST_SCORE = 127, MOVE_BITS = 24, NO_MOVE = (1 << MOVE_BITS) - 1 };
static_assert(2 * NONET_MAX_MARGIN + 1 < MOST_SCORE, "a score fits in a byte");

static uint64_t pack(const struct known *known, const uint64_t key[2]) {
    int low = known->span.low == NEVER ? LEAST_SCORE : known->span.low;
    int high = known->span.high == ALWAYS ? MOST_SCORE : known->span.high;
    return (uint64_t)(low - LEAST_SCORE) | (uint64_t)(high - LEAST_SCORE) << 8 |
           (key[0] >> 32 & 0xffff) << 16 | (uint64_t)known->effort << 32 |
           (uint64_t)(known->move & NO_MOVE) << 40;
}

static struct known unpack(uint64_t word) {
    int low = (int)(word & 0xff) + LEAST_SCORE, high = (int)(word >> 8 & 0xff) + LEAST_SCORE;
    return (struct known){
        .span = {low == LEAST_SCORE ? NEVER : low, high == MOST_SCORE ? ALWAYS : high},
        .effort = (int)(word >> 32 & 0xff),
        .move = (nonet_move)(word >> 40)};
}

static bool is_of(uint64_t check, uint64_t packed, const uint64_t key[2]) {
    return packed != 0 && (check ^ packed) == key[1] &&
           (packed >> 16 & 0xffff) == (key[0] >> 32 & 0xffff);
}

static struct entry *bucket_of(const struct proof_search *search, const uint64_t key[2]) {
    return search->table[(key[0] >> 32) * search->buckets >> 32];
}

static uint64_t load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

static void store(_Atomic uint64_t *word, uint64_t value) {
    atomic_store_explicit(word, value, memory_order_relaxed);
}

static bool find(const struct proof_search *search, const uint64_t key[2], struct known *known) {
    const struct entry *bucket = bucket_of(search, key);
    for (int i = 0; i < WAYS; i++) {
        uint64_t packed = load(&bucket[i].packed);
        if (is_of(load(&bucket[i].check), packed, key)) {
            *known = unpack(packed);
            return true;
        }
    }
    *known = (struct known){.span = {NEVER, ALWAYS}, .move = NO_MOVE};
    return false;
}

/* Adds to what is known about a position. A position that is new takes the place of the one in its
 * bucket that is the cheapest to find again. */
static void keep(struct proof_search *search, const uint64_t key[2], struct known add) {
    struct entry *bucket = bucket_of(search, key), *place = NULL;
    int least = INT32_MAX;
    for (int i = 0; i < WAYS; i++) {
        uint64_t packed = load(&bucket[i].packed);
        if (is_of(load(&bucket[i].check), packed, key)) {
            struct known old = unpack(packed);
            add.span.low = old.span.low > add.span.low ? old.span.low : add.span.low;
            add.span.high = old.span.high < add.span.high ? old.span.high : add.span.high;
            add.effort = old.effort > add.effort ? old.effort : add.effort;
            add.move = add.move == NO_MOVE ? old.move : add.move;
            place = &bucket[i];
            break;
        }
        int effort = packed == 0 ? -1 : unpack(packed).effort;
        if (effort < least) {
            least = effort;
            place = &bucket[i];
        }
    }
    uint64_t packed = pack(&add, key);
    store(&place->packed, packed);
    store(&place->check, key[1] ^ packed);
}

/* --- Checkpoints --- */

/* What is worth keeping: positions that took at least 2^7 others. There are few of them. */
enum { WORTH_KEEPING = 8, LEAST_BUCKETS = 1 << 16 };

struct saved {
    uint64_t key[2]; /* of the first, only the upper half */
    uint64_t packed; /* 0 after the last */
};

static const char checkpoint_name[] = "proof";

/* Checkpoints take this part of the time at most. But on a busy machine, where one may take long,
 * nobody should lose more seconds than that. */
enum { CHECKPOINT_SHARE = 20, LONGEST_WAIT = 300 };

/* The threads go on meanwhile. Scanning a large table takes time, so the next checkpoint waits
 * until this one has cost little. */
static void save(struct proof_search *search) {
    double began = clock_now();
    struct checkpoint *checkpoint = checkpoint_create(&search->owner, checkpoint_name);
    if (checkpoint != NULL) {
        uint64_t positions = proof_search_positions(search);
        checkpoint_transfer(checkpoint, &positions, sizeof positions);
        for (uint64_t i = 0; i < search->buckets; i++)
            for (int way = 0; way < WAYS; way++) {
                uint64_t packed = load(&search->table[i][way].packed);
                if (packed == 0 || unpack(packed).effort < WORTH_KEEPING)
                    continue;
                uint64_t check = load(&search->table[i][way].check);
                /* The hashes that lead to this bucket, and the one of them with these lower bits.
                 */
                uint64_t least = ((i << 32) + search->buckets - 1) / search->buckets;
                uint64_t half = least + (((packed >> 16) - least) & 0xffff);
                struct saved saved = {.key = {half << 32, check ^ packed}, .packed = packed};
                checkpoint_transfer(checkpoint, &saved, sizeof saved);
            }
        struct saved last = {0};
        checkpoint_transfer(checkpoint, &last, sizeof last);
        checkpoint_close(checkpoint);
    }
    double now = clock_now(), wait = CHECKPOINT_SHARE * (now - began);
    if (wait > LONGEST_WAIT)
        wait = LONGEST_WAIT;
    if (wait < search->limits->checkpoint_seconds)
        wait = search->limits->checkpoint_seconds;
    search->next_checkpoint = now + wait;
}

static void load_checkpoint(struct proof_search *search) {
    struct checkpoint *checkpoint = checkpoint_open(&search->owner, checkpoint_name);
    if (checkpoint == NULL) {
        if (checkpoint_forget(search->owner.folder))
            solve_note(search->limits, SOLVE_AFRESH);
        return;
    }
    struct saved saved;
    if (checkpoint_transfer(checkpoint, &search->before, sizeof search->before))
        while (checkpoint_transfer(checkpoint, &saved, sizeof saved) && saved.packed != 0)
            keep(search, saved.key, unpack(saved.packed));
    checkpoint_close(checkpoint);
}

/* --- Positions that other threads are at --- */

static _Atomic uint64_t *busy_place(struct proof_search *search, const uint64_t key[2]) {
    return &search->busy[key[1] % BUSY];
}

/* --- The search --- */

static uint32_t *history_of(struct worker *worker, bool choosing, nonet_move move) {
    return &worker->history[choosing][(uint32_t)(move * 0x9e3779b1u) >> 20];
}

static int logarithm(uint64_t number) {
    return 64 - __builtin_clzll(number | 1);
}

static void credit(struct worker *worker, bool choosing, nonet_move move, int effort) {
    uint32_t *count = history_of(worker, choosing, move);
    *count += (uint32_t)effort;
    if (*count > (1 << 20))
        for (int i = 0; i < HISTORY; i++)
            worker->history[choosing][i] /= 2;
}

/* Takes the bound of one move into account; true if that settles the question. */
static bool learn(const struct worker *worker, struct level *level, bool choosing, int score) {
    if (choosing ? score > level->best : score < level->best)
        level->best = score;
    return choosing ? level->best >= worker->goal : level->best < worker->goal;
}

/* Puts the moves first that settled the most questions elsewhere: the first glances may be enough.
 */
static void put_known_first(struct worker *worker, struct level *level, bool choosing,
                            nonet_move known) {
    enum { PICKED = 8 };
    struct choice *choices = level->choices;
    for (int i = 0; i < level->count; i++)
        choices[i].worth =
            choices[i].move == known ? UINT32_MAX : *history_of(worker, choosing, choices[i].move);
    for (int first = 0; first < PICKED && first < level->count; first++) {
        int best = first;
        for (int i = first + 1; i < level->count; i++)
            if (choices[i].worth > choices[best].worth)
                best = i;
        struct choice choice = choices[best];
        choices[best] = choices[first];
        choices[first] = choice;
    }
}

/* Glances at the position after every move. What its bounds settle is done with. The others are
 * ordered: first those that are likely to settle the question. */
static bool sift(struct worker *worker, int depth, bool choosing, nonet_move known,
                 nonet_move *settling) {
    const struct nonet_options *options = &worker->search->options;
    const struct nonet_game *game = options->game;
    struct level *level = &worker->levels[depth];
    int count = 0;
    put_known_first(worker, level, choosing, known);
    for (int i = 0; i < level->count; i++) {
        struct choice choice = level->choices[i];
        struct nonet_state after;
        memcpy(&after, &level->state, game->state_size);
        game->play(options, &after, NULL, choice.move);
        struct span span = bounds_of(options, &after);
        if (span.low >= worker->goal || span.high < worker->goal) {
            if (learn(worker, level, choosing, span.low >= worker->goal ? span.low : span.high)) {
                *settling = choice.move;
                return true;
            }
            continue;
        }
        /* What is safe already tells more than what is possible: then there are half as many
         * positions as with the middle of both. */
        int safe = choosing ? span.low : -span.high;
        uint32_t often = choice.worth < 1 << 20 ? choice.worth : (1 << 20) - 1;
        choice.worth = choice.move == known ? UINT32_MAX : (uint32_t)(1024 + safe) << 20 | often;
        int to = count++;
        for (; to > 0 && level->choices[to - 1].worth < choice.worth; to--)
            level->choices[to] = level->choices[to - 1];
        level->choices[to] = choice;
    }
    level->count = count;
    return false;
}

/* How much of the question is settled, if all moves had to be looked at and took as long. Told for
 * the first few plies. */
static void tell_share(struct worker *worker, int depth) {
    enum { TOLD = 4 };
    if (depth >= TOLD)
        return;
    double share = 0, part = 1;
    for (int i = 0; i <= depth; i++) {
        const struct level *level = &worker->levels[i];
        share += part * level->tried / level->count;
        part /= level->count;
    }
    atomic_store_explicit(&worker->share, share, memory_order_relaxed);
}

static bool explore(struct worker *worker, int depth, const struct known *known);

enum verdict { LEARNT, SETTLED, LATER, STOPPED };

/* Searches the position after a move. With `may_wait`, not if another thread is at it. */
static enum verdict try_move(struct worker *worker, int depth, bool choosing, nonet_move move,
                             bool may_wait) {
    struct proof_search *search = worker->search;
    const struct nonet_game *game = search->options.game;
    struct level *level = &worker->levels[depth], *next = level + 1;
    memcpy(&next->state, &level->state, game->state_size);
    game->play(&search->options, &next->state, NULL, move);
    make_key(&search->options, &next->state, next->key);
    struct known known;
    find(search, next->key, &known);
    if (known.span.low >= worker->goal)
        next->best = known.span.low;
    else if (known.span.high < worker->goal)
        next->best = known.span.high;
    else {
        _Atomic uint64_t *busy = busy_place(search, next->key);
        if (may_wait && load(busy) == next->key[0])
            return LATER;
        store(busy, next->key[0]);
        bool finished = explore(worker, depth + 1, &known);
        if (load(busy) == next->key[0])
            store(busy, 0);
        if (!finished)
            return STOPPED;
    }
    return learn(worker, level, choosing, next->best) ? SETTLED : LEARNT;
}

/* Tries the moves that are left, first those that no other thread is at. False if the search was
 * stopped before; `settling` becomes the move that settled the question, if one did. */
static bool try_moves(struct worker *worker, int depth, bool choosing, nonet_move *settling) {
    struct level *level = &worker->levels[depth];
    int left = level->count;
    for (int round = 0; round < 2; round++) {
        int later = 0;
        for (int i = 0; i < left; i++) {
            nonet_move move = level->choices[i].move;
            bool may_wait = round == 0 && i > 0 && worker->search->threads > 1;
            enum verdict verdict = try_move(worker, depth, choosing, move, may_wait);
            if (verdict == STOPPED)
                return false;
            if (verdict == LATER) {
                level->choices[later++].move = move;
                continue;
            }
            level->tried++;
            tell_share(worker, depth);
            if (verdict == SETTLED) {
                *settling = move;
                return true;
            }
        }
        left = later;
    }
    return true;
}

/* Settles the question for the position at this depth, which the table does not: the bound is in
 * `best`. False if the search was stopped before. */
static bool explore(struct worker *worker, int depth, const struct known *known) {
    struct proof_search *search = worker->search;
    const struct nonet_options *options = &search->options;
    struct level *level = &worker->levels[depth];
    if (atomic_load_explicit(&search->stop, memory_order_relaxed) || depth + 1 == PLIES)
        return false;
    uint64_t began = load(&worker->positions);
    store(&worker->positions, began + 1);
    nonet_move moves[NONET_MAX_MOVES], settling = NO_MOVE;
    level->count = options->game->moves(options, &level->state, moves);
    level->tried = 0;
    if (level->count == 0) {
        level->best = final_score(options, &level->state);
        return true;
    }
    for (int i = 0; i < level->count; i++)
        level->choices[i].move = moves[i];
    bool choosing = options->game->next(options, &level->state) == 1;
    level->best = choosing ? NEVER : ALWAYS;
    if (!sift(worker, depth, choosing, known->move, &settling) &&
        !try_moves(worker, depth, choosing, &settling))
        return false;
    int effort = logarithm(load(&worker->positions) - began);
    if (settling != NO_MOVE)
        credit(worker, choosing, settling, effort);
    struct known now = {.span = {NEVER, ALWAYS}, .move = settling, .effort = effort};
    if (level->best >= worker->goal)
        now.span.low = level->best;
    else
        now.span.high = level->best;
    keep(search, level->key, now);
    return true;
}

/* --- Questions --- */

static void look_up(const struct proof_search *search, const void *state, uint64_t key[2],
                    struct known *known) {
    make_key(&search->options, state, key);
    find(search, key, known);
    struct span span = bounds_of(&search->options, state);
    if (span.low > known->span.low)
        known->span.low = span.low;
    if (span.high < known->span.high)
        known->span.high = span.high;
}

void proof_search_look_up(const struct proof_search *search, const void *state, int *low, int *high,
                          nonet_move *move) {
    uint64_t key[2];
    struct known known;
    look_up(search, state, key, &known);
    *low = known.span.low;
    *high = known.span.high;
    *move = known.move;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct proof_search *search = worker->search;
    struct level *first = &worker->levels[0];
    struct known known;
    look_up(search, &first->state, first->key, &known);
    bool finished = explore(worker, 0, &known);
    atomic_store(&search->stop, true);
    pthread_mutex_lock(&search->lock);
    search->settled |= finished;
    search->working--;
    pthread_cond_signal(&search->left);
    pthread_mutex_unlock(&search->lock);
    return NULL;
}

static void prepare(struct worker *worker, const void *state, int goal) {
    memset(&worker->levels[0].state, 0, sizeof worker->levels[0].state);
    memcpy(&worker->levels[0].state, state, worker->search->options.game->state_size);
    worker->goal = goal;
    worker->share = 0;
}

uint64_t proof_search_positions(const struct proof_search *search) {
    uint64_t sum = search->before;
    for (int i = 0; i < search->threads; i++)
        sum += load(&search->workers[i]->positions);
    return sum;
}

static void tell(struct proof_search *search) {
    double share = 0;
    for (int i = 0; i < search->threads; i++) {
        double own = search->workers[i]->share;
        share = own > share ? own : share;
    }
    char what[64];
    struct nonet_text text = NONET_TEXT_IN(what);
    nonet_text_format(&text, "%.1f million positions",
                      (double)proof_search_positions(search) / 1e6);
    if (search->limits->progress != NULL)
        search->limits->progress(search->limits->context, what, share, -1);
}

/* Waits for the workers, and meanwhile tells of the progress and keeps checkpoints. */
static void watch(struct proof_search *search) {
    pthread_mutex_lock(&search->lock);
    while (search->working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&search->left, &search->lock, &until);
        pthread_mutex_unlock(&search->lock);
        if (!search->stop) {
            tell(search);
            if (clock_now() >= search->next_checkpoint)
                save(search);
        }
        pthread_mutex_lock(&search->lock);
    }
    pthread_mutex_unlock(&search->lock);
}

static bool answer(struct proof_search *search, const void *state, int goal, bool alone, int *low,
                   int *high) {
    uint64_t key[2];
    struct known known;
    look_up(search, state, key, &known);
    if (known.span.low < goal && known.span.high >= goal) {
        int threads = alone ? 1 : search->threads;
        search->stop = search->settled = false;
        search->working = threads;
        for (int i = 0; i < threads; i++)
            prepare(search->workers[i], state, goal);
        if (alone) {
            work(search->workers[0]);
        } else {
            for (int i = 0; i < threads; i++) {
                struct worker *worker = search->workers[i];
                worker->started = pthread_create(&worker->thread, NULL, work, worker) == 0;
                if (!worker->started && i == 0)
                    work(worker);
                else if (!worker->started) {
                    pthread_mutex_lock(&search->lock);
                    search->working--;
                    pthread_mutex_unlock(&search->lock);
                }
            }
            watch(search);
            for (int i = 0; i < threads; i++)
                if (search->workers[i]->started)
                    pthread_join(search->workers[i]->thread, NULL);
        }
        if (!search->settled)
            return false;
        look_up(search, state, key, &known);
    }
    *low = known.span.low;
    *high = known.span.high;
    return true;
}

bool proof_search_ask(struct proof_search *search, const void *state, int goal, int *low,
                      int *high) {
    return answer(search, state, goal, false, low, high);
}

bool proof_search_ask_alone(struct proof_search *search, const void *state, int goal, int *low,
                            int *high) {
    return answer(search, state, goal, true, low, high);
}

/* --- Setting up --- */

static uint64_t table_size(const struct proof_search *search) {
    return (search->buckets + 1) * sizeof *search->table;
}

/* Memory that was never touched costs nothing, and a small game touches little. */
static bool take_table(struct proof_search *search) {
    search->memory = budget_take_zeros(search->budget, table_size(search));
    if (search->memory == NULL)
        return false;
    uintptr_t line = sizeof *search->table, start = (uintptr_t)search->memory + line - 1;
    search->table = (void *)(start - start % line);
    return true;
}

struct proof_search *proof_search_new(const struct nonet_options *options,
                                      const struct solve_limits *limits, struct budget *budget,
                                      struct nonet_text *why) {
    struct proof_search *search = budget_take(budget, sizeof *search);
    if (search == NULL)
        return NULL;
    memset(search, 0, sizeof *search);
    search->options = *options;
    search->limits = limits;
    search->budget = budget;
    search->owner = (struct checkpoint_owner){
        .folder = limits->work, .options = options, .processes = 1, .key = limits->work_key};
    search->next_checkpoint = clock_now() + limits->checkpoint_seconds;
    pthread_mutex_init(&search->lock, NULL);
    pthread_cond_init(&search->left, NULL);
    while (search->threads < limits->threads) {
        struct worker *worker = budget_take(budget, sizeof *worker);
        if (worker == NULL)
            break;
        memset(worker, 0, sizeof *worker);
        worker->search = search;
        search->workers[search->threads++] = worker;
    }
    uint64_t room = budget->limit > budget->used ? budget->limit - budget->used : 0;
    search->buckets = room / sizeof *search->table;
    search->buckets -= search->buckets > 0;
    if (search->buckets > UINT32_MAX)
        search->buckets = UINT32_MAX;
    if (search->threads < limits->threads || search->buckets < LEAST_BUCKETS ||
        !take_table(search)) {
        budget_explain(budget, why);
        proof_search_free(search);
        return NULL;
    }
    load_checkpoint(search);
    return search;
}

void proof_search_free(struct proof_search *search) {
    if (search == NULL)
        return;
    pthread_mutex_destroy(&search->lock);
    pthread_cond_destroy(&search->left);
    for (int i = 0; i < search->threads; i++)
        budget_give_back(search->budget, search->workers[i], sizeof *search->workers[i]);
    budget_give_back(search->budget, search->memory, table_size(search));
    budget_give_back(search->budget, search, sizeof *search);
}
