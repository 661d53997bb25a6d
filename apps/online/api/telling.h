/* What a table is told to one viewer, as JSON: all that a page needs to show it, and nothing that
 * the viewer may not know.
 *
 * A viewer opens the game from it as a bot does (rules/observation.h): where something is hidden,
 * there are what they saw first and what they see now; else options and moves are enough. When the
 * game is over, there is nothing left to hide. */
#ifndef NONET_ONLINE_TELLING_H
#define NONET_ONLINE_TELLING_H

#include "base/json.h"
#include "online/room/room.h"

/* Enough for any table: a long game has ROOM_MOST_MOVES moves. */
enum {
    TELLING_TEXT =
        ROOM_MOST_MOVES * (NONET_MOVE_TEXT + 3) + 3 * NONET_POSITION_TEXT + PROMISE_TEXT + 8192
};

/* Members of the open object; `viewer` is a seat or NONET_SPECTATOR. Bit p-1 of `present`: player p
 * is there now. */
void tell_table(struct nonet_json *json, const struct room *room, int viewer, unsigned present,
                int64_t now);
/* The same for a list: what it is, who sits there, and how far it is. */
void tell_summary(struct nonet_json *json, const struct room *room, int viewer, unsigned present,
                  int64_t now);

/* A position as the viewer may know it, as a member. */
void tell_seen(struct nonet_json *json, const char *name, const struct nonet_options *options,
               const void *state, int viewer);

#endif
