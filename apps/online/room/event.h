/* Events as JSON: a line of the log, or what a browser is told.
 *
 * A log is read by later versions of the program too. So everything has a name, moves are texts as
 * the rules write them, and members that do not apply are left out. Numbers that need 64 bits are
 * texts, because readers in JavaScript would round them. */
#ifndef NONET_ONLINE_EVENT_H
#define NONET_ONLINE_EVENT_H

#include "base/json.h"
#include "room.h"

enum event_reader {
    EVENT_FOR_LOG,
    EVENT_FOR_VIEWERS, /* without the numbers of visitors, and without ids of moves */
};

/* What offers and endings are called. */
extern const char *const event_offers[];
extern const char *const event_endings[];

/* A number of 64 bits, and the players that win, as members of the open object. */
void event_json_long(struct nonet_json *json, const char *name, uint64_t value);
void event_json_winners(struct nonet_json *json, uint8_t winners);

/* Lines of moves as a member. */
void event_json_lines(struct nonet_json *json, const struct promise *promise,
                      const struct nonet_options *options);

/* The event as members of the open object. */
void event_json(struct nonet_json *json, const struct room_event *event,
                const struct nonet_options *options, enum event_reader reader);

/* Reads a line of the log. False if it is not exactly one. */
bool event_read(const char *line, size_t length, const struct nonet_options *options,
                struct room_event *event);

#endif
