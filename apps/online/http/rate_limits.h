/* How much one address may ask for, so that one visitor cannot use up what all need.
 *
 * Requests are counted by buckets: each has room for some, and fills again with time. Neighbours in
 * an IPv6 network of one household (64 bits) share a bucket. */
#ifndef NONET_ONLINE_RATE_LIMITS_H
#define NONET_ONLINE_RATE_LIMITS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct limits;

enum limits_kind {
    LIMITS_REQUEST, /* anything: 50 a second, 300 at once */
    LIMITS_OPENING, /* opens a table: one in 5 seconds, 40 at once, */
    LIMITS_DAY,     /* and 300 a day: a month of them, in pairs, do not fill the hall */
    LIMITS_VISITOR, /* becomes a visitor: one in 2 seconds, 100 at once */
    LIMITS_BODY, /* sends what may be kept, in parts of 64 bytes: 8 kB a second, 256 kB at once */
    LIMITS_WORK, /* lets the server work, in parts of 100 µs: a tenth of the time, a second at once
                  */
    LIMITS_KINDS,
};
enum {
    LIMITS_STREAMS = 40, /* of one address */
    LIMITS_PART = 64,    /* bytes of a body that are counted as one, */
    LIMITS_TIME = 100,   /* and microseconds of work */
};

/* Null if there is no memory. */
struct limits *limits_new(void);
void limits_free(struct limits *limits);

/* Whether this address may ask for so many now. If not, in how many seconds. */
bool limits_may(struct limits *limits, const struct in6_addr *address, enum limits_kind kind,
                int count, int64_t now, int *seconds);
/* It does, whether it may or not. */
void limits_charge(struct limits *limits, const struct in6_addr *address, enum limits_kind kind,
                   int count, int64_t now);
/* It does if it may. */
bool limits_take(struct limits *limits, const struct in6_addr *address, enum limits_kind kind,
                 int count, int64_t now, int *seconds);

/* A stream begins (+1), if it may, or ends (-1). */
bool limits_stream(struct limits *limits, const struct in6_addr *address, int change, int64_t now);

#endif
