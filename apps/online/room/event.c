#include "event.h"

#include <inttypes.h>
#include <string.h>

#include "fields.h"
#include "table_name.h"

enum member {
    SEAT = 1,
    WHO = 2,
    NAME = 4,
    PLY = 8,
    ID = 16,
    MOVE = 32,
    LEFT = 64,
    LAG = 128,
    OFFER = 256,
    PHRASE = 512,
    ENDING = 1024,
    WINNERS = 2048,
    NEXT = 4096,
    LINES = 8192,
};

/* What each kind is called, and which members it has. */
static const char *const event_kinds[] = {
    [ROOM_SAT] = "sat",
    [ROOM_STOOD] = "stood",
    [ROOM_BEGAN] = "began",
    [ROOM_MOVED] = "moved",
    [ROOM_CLOCKED] = "clocked",
    [ROOM_OFFERED] = "offered",
    [ROOM_WITHDRAWN] = "withdrawn",
    [ROOM_DECLINED] = "declined",
    [ROOM_ACCEPTED] = "accepted",
    [ROOM_AGREES] = "agrees",
    [ROOM_UNDONE] = "undone",
    [ROOM_SAID] = "said",
    [ROOM_ENDED] = "ended",
    [ROOM_REGAINED] = "regained",
    [ROOM_FOLLOWED] = "followed",
    [ROOM_PAIRED] = "paired",
    [ROOM_PROMISED] = "promised",
};
enum { KINDS = sizeof event_kinds / sizeof event_kinds[0] };

static const unsigned members_of[] = {
    [ROOM_SAT] = SEAT | WHO | NAME,
    [ROOM_STOOD] = SEAT,
    [ROOM_BEGAN] = 0,
    [ROOM_MOVED] = SEAT | PLY | ID | MOVE | LEFT | LAG,
    [ROOM_CLOCKED] = SEAT | LEFT,
    [ROOM_OFFERED] = SEAT | OFFER | ID | PLY,
    [ROOM_WITHDRAWN] = SEAT | OFFER | ID,
    [ROOM_DECLINED] = SEAT | OFFER | ID,
    [ROOM_ACCEPTED] = SEAT | OFFER | ID,
    [ROOM_AGREES] = SEAT | OFFER | ID,
    [ROOM_UNDONE] = SEAT | PLY,
    [ROOM_SAID] = SEAT | PHRASE,
    [ROOM_ENDED] = SEAT | ENDING | WINNERS,
    [ROOM_REGAINED] = SEAT | WHO,
    [ROOM_FOLLOWED] = NEXT,
    [ROOM_PAIRED] = ENDING | WINNERS,
    [ROOM_PROMISED] = SEAT | PLY | ID | LINES,
};

const char *const event_offers[] = {"draw", "take-back", "rematch"};
const char *const event_endings[] = {"rules",  "resigned",  "flagged", "deserted",
                                     "agreed", "exhausted", "aborted"};

void event_json_long(struct nonet_json *json, const char *name, uint64_t value) {
    char digits[24];
    struct nonet_text out = NONET_TEXT_IN(digits);
    nonet_text_format(&out, "%" PRIu64, value);
    nonet_json_string_member(json, name, digits);
}

void event_json_winners(struct nonet_json *json, uint8_t winners) {
    nonet_json_name(json, "winners");
    nonet_json_open(json, '[');
    for (int p = 1; p <= NONET_MAX_PLAYERS; p++)
        if (winners >> (p - 1) & 1)
            nonet_json_number(json, p);
    nonet_json_close(json, ']');
}

static void json_move(struct nonet_json *json, const struct nonet_options *options,
                      nonet_move move) {
    char text[NONET_MOVE_TEXT];
    struct nonet_text out = NONET_TEXT_IN(text);
    options->game->print(options, move, &out);
    nonet_json_string(json, text);
}

void event_json_lines(struct nonet_json *json, const struct promise *promise,
                      const struct nonet_options *options) {
    nonet_json_name(json, "lines");
    nonet_json_open(json, '[');
    for (int i = 0; i < promise->count; i++) {
        nonet_json_open(json, '[');
        for (int j = 0; j < promise->lines[i].length; j++)
            json_move(json, options, promise->lines[i].moves[j]);
        nonet_json_close(json, ']');
    }
    nonet_json_close(json, ']');
}

void event_json(struct nonet_json *json, const struct room_event *event,
                const struct nonet_options *options, enum event_reader reader) {
    unsigned members = members_of[event->kind];
    if (reader == EVENT_FOR_VIEWERS)
        members &= ~(WHO | LAG | LINES | (event->kind == ROOM_MOVED ? ID : 0u));
    nonet_json_string_member(json, "event", event_kinds[event->kind]);
    if (members & SEAT)
        nonet_json_number_member(json, "seat", event->seat);
    if (members & WHO)
        event_json_long(json, "who", event->who);
    if (members & NAME)
        nonet_json_string_member(json, "name", event->name);
    if (members & OFFER)
        nonet_json_string_member(json, "offer", event_offers[event->offer]);
    if (members & PLY)
        nonet_json_number_member(json, "ply", event->ply);
    if (members & ID)
        event_json_long(json, "id", event->id);
    if (members & MOVE) {
        nonet_json_name(json, "move");
        json_move(json, options, event->move);
    }
    if (members & LEFT)
        nonet_json_number_member(json, "left", event->left);
    if (members & LAG)
        nonet_json_number_member(json, "lag", event->lag);
    if (members & PHRASE)
        nonet_json_number_member(json, "phrase", event->phrase);
    if (members & ENDING)
        nonet_json_string_member(json, "ending", event_endings[event->ending]);
    if (members & WINNERS)
        event_json_winners(json, event->winners);
    if (members & NEXT) {
        char name[TABLE_NAME];
        table_name_write(event->next, name);
        nonet_json_string_member(json, "next", name);
    }
    if (members & LINES)
        event_json_lines(json, &event->promise, options);
}

/* ---- Reading ---- */

static uint8_t read_winners(struct fields *fields, int players) {
    json_t *list = fields_any(fields, "winners"), *winner;
    size_t i;
    unsigned set = 0;
    if (!json_is_array(list))
        fields_refuse(fields, "winners");
    json_array_foreach(list, i, winner) {
        json_int_t player = json_integer_value(winner);
        if (player < 1 || player > players || (set >> (player - 1) & 1))
            fields_refuse(fields, "winners");
        else
            set |= 1u << (player - 1);
    }
    return (uint8_t)set;
}

static void read_lines(struct fields *fields, const struct nonet_options *options,
                       struct promise *promise) {
    json_t *lines = fields_any(fields, "lines"), *line, *move;
    size_t i, j;
    bool fine = json_is_array(lines);
    json_array_foreach(lines, i, line) {
        fine = fine && json_array_size(line) > 0 && promise_add_line(promise);
        json_array_foreach(line, j, move) {
            struct nonet_message why;
            nonet_move read;
            const char *text = json_string_value(move);
            fine = fine && text != NULL && options->game->parse(options, text, &read, &why) &&
                   promise_add_move(promise, read);
        }
    }
    if (!fine)
        fields_refuse(fields, "lines");
}

static void read_members(struct fields *fields, unsigned members,
                         const struct nonet_options *options, struct room_event *event) {
    if (members & SEAT)
        event->seat = (uint8_t)fields_number(fields, "seat", options->players);
    if (members & WHO)
        event->who = fields_long(fields, "who");
    if (members & NAME) {
        const char *name = fields_text(fields, "name");
        if (strlen(name) < ROOM_NAME)
            memcpy(event->name, name, strlen(name) + 1);
        else
            fields_refuse(fields, "name");
    }
    if (members & OFFER)
        event->offer = (uint8_t)fields_word(fields, "offer", event_offers, ROOM_OFFER_KINDS);
    if (members & PLY)
        event->ply = (uint16_t)fields_number(fields, "ply", UINT16_MAX);
    if (members & ID)
        event->id = fields_long(fields, "id");
    if (members & MOVE) {
        struct nonet_message why;
        if (!options->game->parse(options, fields_text(fields, "move"), &event->move, &why))
            fields_refuse(fields, "move");
    }
    if (members & LEFT)
        event->left = fields_number(fields, "left", CLOCK_MOST_MOVE + CLOCK_MOST_PAUSE);
    if (members & LAG)
        event->lag = fields_number(fields, "lag", CLOCK_LAG_ALLOWANCE);
    if (members & PHRASE)
        event->phrase = (uint8_t)fields_number(fields, "phrase", ROOM_PHRASES - 1);
    if (members & ENDING)
        event->ending = (uint8_t)fields_word(fields, "ending", event_endings,
                                             sizeof event_endings / sizeof event_endings[0]);
    if (members & WINNERS)
        event->winners = read_winners(fields, options->players);
    if (members & NEXT && !table_name_read(fields_text(fields, "next"), &event->next))
        fields_refuse(fields, "next");
    if (members & LINES)
        read_lines(fields, options, &event->promise);
}

bool event_read(const char *line, size_t length, const struct nonet_options *options,
                struct room_event *event) {
    *event = (struct room_event){0};
    struct fields fields = fields_open(line, length);
    event->kind = (enum room_event_kind)fields_word(&fields, "event", event_kinds, KINDS);
    if (fields.wrong == NULL)
        read_members(&fields, members_of[event->kind], options, event);
    bool whole = fields_end(&fields);
    fields_close(&fields);
    return whole;
}
