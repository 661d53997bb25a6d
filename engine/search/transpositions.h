/* The transposition table: what searches remember about positions. Several threads may share it
 * without locks.
 *
 * An entry is two words: what is known, and the position's key xor what is known. Two threads that
 * write an entry at the same time may leave one word each. Then the key does not match, and the
 * entry counts as empty.
 *
 * A table may be kept for later searches. Then entries of earlier searches are replaced first. Each
 * entry contains the round in which it was written; the searches of one position make one round. */
#ifndef NONET_SEARCH_TRANSPOSITIONS_H
#define NONET_SEARCH_TRANSPOSITIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nonet_bound { NONET_BOUND_LOWER = 1, NONET_BOUND_UPPER = 2, NONET_BOUND_EXACT = 3 };

struct nonet_remembered {
    int16_t score;
    uint8_t bound;    /* enum nonet_bound: how the score relates to the value at this depth */
    uint8_t depth;    /* below 128 */
    int8_t low, high; /* what is true at any depth */
    uint16_t index;   /* of the best move, below 4096 */
    uint8_t round;    /* in which it was found */
};

enum {
    NONET_TRANSPOSITION_WAYS = 4,    /* entries in a cache line */
    NONET_TRANSPOSITION_ROUNDS = 64, /* the most for one table */
};

struct nonet_transposition_line {
    struct {
        _Atomic uint64_t check, known;
    } entry[NONET_TRANSPOSITION_WAYS];
};

struct nonet_transpositions {
    struct nonet_transposition_line *lines;
    uint32_t count;
    uint8_t round; /* the current one */
};

/* A table in bytes that are all zero, or that other searches use now or used in earlier rounds. */
static inline struct nonet_transpositions nonet_transpositions_in(void *bytes, size_t size,
                                                                  int round) {
    size_t count = size / sizeof(struct nonet_transposition_line);
    return (struct nonet_transpositions){bytes, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX,
                                         (uint8_t)round};
}

/* From the lowest bit on: score (16 bits), low (8), high (8), depth (8), bound (2), round (6),
 * index (12); the highest bit is set, so that no entry is 0. */
static inline uint64_t nonet_remembered_pack(const struct nonet_remembered *r) {
    return (uint64_t)1 << 63 | (uint64_t)(uint16_t)r->score | (uint64_t)(uint8_t)r->low << 16 |
           (uint64_t)(uint8_t)r->high << 24 | (uint64_t)r->depth << 32 | (uint64_t)r->bound << 40 |
           (uint64_t)r->round << 42 | (uint64_t)r->index << 48;
}

static inline struct nonet_remembered nonet_remembered_unpack(uint64_t known) {
    return (struct nonet_remembered){
        .score = (int16_t)(uint16_t)known,
        .low = (int8_t)(uint8_t)(known >> 16),
        .high = (int8_t)(uint8_t)(known >> 24),
        .depth = (uint8_t)(known >> 32),
        .bound = (uint8_t)(known >> 40 & 3),
        .round = (uint8_t)(known >> 42 & 63),
        .index = (uint16_t)(known >> 48 & 0xfff),
    };
}

static inline struct nonet_transposition_line *
nonet_transpositions_line(const struct nonet_transpositions *table, uint64_t key) {
    return &table->lines[(key >> 32) * table->count >> 32];
}

/* Has the position's line brought from memory, for one who will look at it soon. */
static inline void nonet_transpositions_prepare(const struct nonet_transpositions *table,
                                                uint64_t key) {
    __builtin_prefetch(nonet_transpositions_line(table, key));
}

static inline bool nonet_transpositions_find(const struct nonet_transpositions *table, uint64_t key,
                                             struct nonet_remembered *found) {
    struct nonet_transposition_line *line = nonet_transpositions_line(table, key);
    for (int i = 0; i < NONET_TRANSPOSITION_WAYS; i++) {
        uint64_t known = atomic_load_explicit(&line->entry[i].known, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&line->entry[i].check, memory_order_relaxed);
        if (known != 0 && (check ^ known) == key) {
            *found = nonet_remembered_unpack(known);
            return true;
        }
    }
    return false;
}

/* Replaces what is known about the position, or else the least useful entry: one of an earlier
 * round if there is one, and among these, or among all, the one with the least depth. */
static inline void nonet_transpositions_keep(const struct nonet_transpositions *table, uint64_t key,
                                             const struct nonet_remembered *news) {
    struct nonet_transposition_line *line = nonet_transpositions_line(table, key);
    enum { FREE = -1, OF_THIS_ROUND = 256 };
    int victim = 0, least = INT16_MAX;
    for (int i = 0; i < NONET_TRANSPOSITION_WAYS && least > FREE; i++) {
        uint64_t known = atomic_load_explicit(&line->entry[i].known, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&line->entry[i].check, memory_order_relaxed);
        bool free = known == 0 || (check ^ known) == key;
        struct nonet_remembered held = nonet_remembered_unpack(known);
        int worth = free ? FREE : held.depth + (held.round == table->round ? OF_THIS_ROUND : 0);
        if (worth < least) {
            least = worth;
            victim = i;
        }
    }
    struct nonet_remembered dated = *news;
    dated.round = table->round;
    uint64_t known = nonet_remembered_pack(&dated);
    atomic_store_explicit(&line->entry[victim].known, known, memory_order_relaxed);
    atomic_store_explicit(&line->entry[victim].check, key ^ known, memory_order_relaxed);
}

#endif
