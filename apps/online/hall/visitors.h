/* Who is who: tokens of visitors, and keys of seats.
 *
 * A visitor has a random token; the server remembers only a keyed hash of it, and gives each a
 * number, which rooms use. Whoever has a token is that visitor. A seat's key opens one seat at one
 * table: it follows from the server's own secret, so nothing is stored for it. */
#ifndef NONET_ONLINE_VISITORS_H
#define NONET_ONLINE_VISITORS_H

#include "base/text.h"
#include "map.h"
#include "online/room/room.h"

enum {
    VISITORS_SECRET = 32,
    VISITORS_HASH = 32,
    VISITORS_TOKEN = 33,   /* a token as text, with the zero at its end */
    VISITORS_SEAT_KEY = 25 /* a seat's key as text */
};

struct visitor {
    uint8_t hash[VISITORS_HASH]; /* of their token */
};

struct visitors {
    uint8_t secret[VISITORS_SECRET];
    bool has_secret;
    struct map by_hash;
    struct visitor *all; /* by number, from 1 on */
    size_t count, room;
};

/* The lines of the log about them, in order: one with the secret, then one for each visitor. */
bool visitors_read(struct visitors *visitors, const char *line, size_t length);
void visitors_free(struct visitors *visitors);

/* Makes the secret; false if there is no random source. `line` is for the log. */
bool visitors_begin(struct visitors *visitors, struct nonet_text *line);

/* The visitor with this token; 0 if there is none. */
room_who visitors_find(const struct visitors *visitors, const char *token);

/* A new visitor; 0 if there is no memory. `line` is for the log. */
room_who visitors_add(struct visitors *visitors, char token[VISITORS_TOKEN],
                      struct nonet_text *line);
/* Forgets the visitors after the first `count`: their lines were not written. */
void visitors_forget(struct visitors *visitors, size_t count);

/* The key of a seat, for as long as nobody stands up from it: `left` is how often somebody did. */
struct visitors_seat {
    uint64_t table;
    int seat;
    uint32_t left;
};
void visitors_seat_key(const struct visitors *visitors, const struct visitors_seat *seat,
                       char key[VISITORS_SEAT_KEY]);
/* In the same time for every wrong key. */
bool visitors_check_seat_key(const struct visitors *visitors, const struct visitors_seat *seat,
                             const char *key);

#endif
