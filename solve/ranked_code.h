/* How the solvers of ranked games keep the values of a tier, and how the values of known moves
 * update a position. The solver on threads and the one spread over processes share this.
 *
 * A value is a byte: 0 for a draw or not yet settled, else the distance plus one. A player who
 * cannot move loses, so odd distances are wins and even distances are losses. A second byte counts
 * the moves within the tier that are not refuted.
 *
 * Both bytes are atomic, because several threads may change them. The result is the same in any
 * order. */
#ifndef NONET_SOLVE_RANKED_CODE_H
#define NONET_SOLVE_RANKED_CODE_H

#include <stdatomic.h>
#include <string.h>

#include "ranked.h"
#include "rules/ranking.h"
#include "table_writer.h"

enum {
    DRAWN = 0,
    LOST_AT_ONCE = 1,
    LONGEST = 255,
    CANNOT_LOSE = 255, /* instead of a count of moves that are not refuted */
};

static inline bool is_win(uint8_t code) {
    return code != DRAWN && code % 2 == 0;
}

static inline bool is_loss(uint8_t code) {
    return code % 2 != 0;
}

/* The current tier, by number. */
struct ranked_tier {
    _Atomic uint8_t *values, *left;
};

/* Updates a position by one move out of its tier. The value so far is the shortest win, or else the
 * longest loss. False if the distance is too long for the code. */
static inline bool ranked_learn(const struct ranked_tier *tier, uint64_t number, uint8_t reached) {
    _Atomic uint8_t *value = &tier->values[number];
    uint8_t had = atomic_load_explicit(value, memory_order_relaxed);
    uint8_t gives = (uint8_t)(reached + 1);
    if (reached == DRAWN || is_loss(reached))
        atomic_store_explicit(&tier->left[number], CANNOT_LOSE, memory_order_relaxed);
    if (reached == DRAWN || reached == LONGEST)
        return reached != LONGEST;
    if (is_win(gives) ? !is_win(had) || gives < had : !is_win(had) && gives > had)
        atomic_store_explicit(value, gives, memory_order_relaxed);
    return true;
}

/* One of its moves leads to a loss with this code. */
static inline void ranked_settle_win(const struct ranked_tier *tier, uint64_t number,
                                     uint8_t code) {
    _Atomic uint8_t *value = &tier->values[number];
    uint8_t had = atomic_load_explicit(value, memory_order_relaxed);
    uint8_t gives = (uint8_t)(code + 1);
    if (!is_win(had) || gives < had)
        atomic_store_explicit(value, gives, memory_order_relaxed);
}

/* One of its moves leads to a win with this code. */
static inline void ranked_refute(const struct ranked_tier *tier, uint64_t number, uint8_t code) {
    _Atomic uint8_t *left = &tier->left[number], *value = &tier->values[number];
    if (atomic_load_explicit(left, memory_order_relaxed) == CANNOT_LOSE ||
        atomic_fetch_sub_explicit(left, 1, memory_order_relaxed) != 1)
        return;
    uint8_t had = atomic_load_explicit(value, memory_order_relaxed);
    uint8_t gives = (uint8_t)(code + 1);
    if (!is_win(had) && gives > had)
        atomic_store_explicit(value, gives, memory_order_relaxed);
}

/* Positions from `i` to `end` - 1 that cannot move at all are lost. */
static inline void ranked_mark_ends(const struct ranked_tier *tier, uint64_t i, uint64_t end) {
    uint8_t *values = (uint8_t *)tier->values;
    const uint8_t *left = (const uint8_t *)tier->left;
    for (; i < end; i++) {
        const uint8_t *zero = memchr(left + i, 0, end - i);
        if (zero == NULL)
            return;
        i = (uint64_t)(zero - left);
        if (values[i] == DRAWN)
            values[i] = LOST_AT_ONCE;
    }
}

/* The first position, starting at `i`, that has the code and keeps it; `end` if there is none. */
static inline uint64_t ranked_next(const struct ranked_tier *tier, uint8_t code, uint64_t i,
                                   uint64_t end) {
    const uint8_t *values = (const uint8_t *)tier->values, *left = (const uint8_t *)tier->left;
    for (; i < end; i++) {
        const uint8_t *hit = memchr(values + i, code, end - i);
        if (hit == NULL)
            return end;
        i = (uint64_t)(hit - values);
        if (is_win(code) || left[i] == 0)
            return i;
    }
    return end;
}

/* What is still open is drawn. */
static inline void ranked_mark_draws(const struct ranked_tier *tier, uint64_t i, uint64_t end) {
    uint8_t *values = (uint8_t *)tier->values;
    const uint8_t *left = (const uint8_t *)tier->left;
    for (; i < end; i++)
        if (is_loss(values[i]) && left[i] != 0)
            values[i] = DRAWN;
}

/* Why a tier could not be solved. */
static inline void ranked_too_long(struct nonet_text *why) {
    nonet_text_format(why, "a win takes longer than the %d plies this solver can count",
                      LONGEST - 1);
}

/* How many tiers, from the first, the cap on pieces allows. */
static inline int ranked_tiers(const struct nonet_options *options, int material) {
    const struct nonet_ranking *ranking = options->game->ranking;
    int tiers = 0;
    while (tiers < ranking->tiers(options) &&
           (material == 0 || ranking->material(options, tiers) <= material))
        tiers++;
    return tiers;
}

/* Says why there are none. */
static inline void ranked_too_few(const struct nonet_options *options, struct nonet_text *why) {
    nonet_text_format(why, "no position has so few pieces: the least is %d per side",
                      options->game->ranking->material(options, 0));
}

/* Writes the next values of a table; the opening comes after all of them. */
static inline bool ranked_write(struct table_writer *writer, const uint8_t *codes, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        struct nonet_value value = ranked_value(codes[i]);
        if (!table_writer_next(writer, &value))
            return false;
    }
    return true;
}

static inline bool ranked_write_list(struct table_writer *writer, const unsigned char *states,
                                     const struct nonet_value *values, uint64_t count,
                                     size_t size) {
    for (uint64_t i = 0; i < count; i++)
        if (!table_writer_add(writer, states + i * size, &values[i]))
            return false;
    return true;
}

#endif
