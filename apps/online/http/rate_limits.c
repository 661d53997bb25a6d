#include "rate_limits.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/siphash.h"
#include "online/hall/map.h"

static const struct {
    int64_t interval, most; /* milliseconds for one; how many at once */
} rules[LIMITS_KINDS] = {
    [LIMITS_REQUEST] = {20, 300},   [LIMITS_OPENING] = {5000, 40}, [LIMITS_DAY] = {288000, 300},
    [LIMITS_VISITOR] = {2000, 100}, [LIMITS_BODY] = {8, 4096},     [LIMITS_WORK] = {1, 10000},
};

enum { MANY = 4096 }; /* so many addresses are looked through for some to forget */

struct address {
    uint64_t key;
    int64_t free_at[LIMITS_KINDS]; /* when the bucket will be full again */
    int streams;
};

struct limits {
    struct nonet_siphash_key key;
    struct map by_address;
    size_t look_again; /* at how many addresses */
};

struct limits *limits_new(void) {
    struct limits *limits = calloc(1, sizeof *limits);
    if (limits == NULL || sodium_init() < 0) {
        free(limits);
        return NULL;
    }
    randombytes_buf(&limits->key, sizeof limits->key);
    limits->look_again = MANY;
    return limits;
}

void limits_free(struct limits *limits) {
    if (limits == NULL)
        return;
    for (size_t i = 0; i < limits->by_address.room; i++)
        free(limits->by_address.entries[i].value);
    map_free(&limits->by_address);
    free(limits);
}

static bool is_idle(const struct address *address, int64_t now) {
    for (int i = 0; i < LIMITS_KINDS; i++)
        if (address->free_at[i] > now)
            return false;
    return address->streams == 0;
}

/* Forgets addresses that are as good as new. */
static void forget(struct limits *limits, int64_t now) {
    struct map kept = {0};
    for (size_t i = 0; i < limits->by_address.room; i++) {
        struct address *address = limits->by_address.entries[i].value;
        if (address != NULL && (is_idle(address, now) || !map_add(&kept, address->key, address)))
            free(address);
    }
    map_free(&limits->by_address);
    limits->by_address = kept;
    limits->look_again = 2 * kept.count + MANY;
}

static struct address *find(struct limits *limits, const struct in6_addr *address, int64_t now) {
    size_t length = IN6_IS_ADDR_V4MAPPED(address) ? 16 : 8;
    uint64_t key = nonet_siphash(&limits->key, address->s6_addr, length) | 1;
    struct address *found = map_find(&limits->by_address, key);
    if (found != NULL)
        return found;
    if (limits->by_address.count >= limits->look_again)
        forget(limits, now);
    found = calloc(1, sizeof *found);
    if (found != NULL) {
        found->key = key;
        if (!map_add(&limits->by_address, key, found)) {
            free(found);
            found = NULL;
        }
    }
    return found;
}

bool limits_may(struct limits *limits, const struct in6_addr *address, enum limits_kind kind,
                int count, int64_t now, int *seconds) {
    struct address *found = find(limits, address, now);
    if (found == NULL)
        return false;
    int64_t *free_at = &found->free_at[kind], interval = rules[kind].interval;
    if (*free_at < now)
        *free_at = now;
    int64_t over = *free_at + interval * count - now - interval * rules[kind].most;
    *seconds = over > 0 ? (int)((over + 999) / 1000) : 0;
    return over <= 0;
}

void limits_charge(struct limits *limits, const struct in6_addr *address, enum limits_kind kind,
                   int count, int64_t now) {
    struct address *found = find(limits, address, now);
    if (found == NULL)
        return;
    if (found->free_at[kind] < now)
        found->free_at[kind] = now;
    found->free_at[kind] += rules[kind].interval * count;
}

bool limits_take(struct limits *limits, const struct in6_addr *address, enum limits_kind kind,
                 int count, int64_t now, int *seconds) {
    if (!limits_may(limits, address, kind, count, now, seconds))
        return false;
    limits_charge(limits, address, kind, count, now);
    return true;
}

bool limits_stream(struct limits *limits, const struct in6_addr *address, int change, int64_t now) {
    struct address *found = find(limits, address, now);
    if (found == NULL || (change > 0 && found->streams >= LIMITS_STREAMS))
        return false;
    found->streams += change;
    return true;
}
