/* What somebody wants to play, as JSON: as a visitor asks for it, and as the first line of a
 * table's log, which has the whole deal in it. docs/api.md shows the request. */
#ifndef NONET_ONLINE_PLAN_H
#define NONET_ONLINE_PLAN_H

#include "base/json.h"
#include "online/room/room.h"
#include "rules/setup.h"

struct plan {
    struct room_plan room;
    bool listed;
    uint64_t id; /* chosen by the visitor; 0 for a table that the server opens */
    /* Only in a request: */
    bool pair; /* two games from one opening, with the seats swapped */
    int seat;  /* the visitor's own; 0 for none */
    char name[ROOM_NAME];
    /* Only in a log: */
    room_who by;
};

/* Reads a request; the options are checked, but not dealt yet. False if it is none: `why` then says
 * what is wrong, and what would be right. */
bool plan_read_request(const char *body, size_t length, struct plan *plan, struct nonet_text *why);

/* Deals what chance decides. */
void plan_deal(struct plan *plan, const struct nonet_chance *chance);

/* A line of the log. */
void plan_write(struct nonet_json *json, const struct plan *plan);
bool plan_read(const char *line, size_t length, struct plan *plan);

/* The clock as a member of the open object. */
void plan_json_clock(struct nonet_json *json, const struct clock_rule *rule);

#endif
