#include "event.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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
};

/* What each kind is called, and which members it has. */
static const struct {
    const char *name;
    unsigned members;
} kinds[] = {
    [ROOM_SAT] = {"sat", SEAT | WHO | NAME},
    [ROOM_STOOD] = {"stood", SEAT},
    [ROOM_BEGAN] = {"began", 0},
    [ROOM_MOVED] = {"moved", SEAT | PLY | ID | MOVE | LEFT | LAG},
    [ROOM_CLOCKED] = {"clocked", SEAT | LEFT},
    [ROOM_OFFERED] = {"offered", SEAT | OFFER | ID | PLY},
    [ROOM_WITHDRAWN] = {"withdrawn", SEAT | OFFER | ID},
    [ROOM_DECLINED] = {"declined", SEAT | OFFER | ID},
    [ROOM_ACCEPTED] = {"accepted", SEAT | OFFER | ID},
    [ROOM_AGREES] = {"agrees", SEAT | OFFER | ID},
    [ROOM_UNDONE] = {"undone", SEAT | PLY},
    [ROOM_SAID] = {"said", SEAT | PHRASE},
    [ROOM_ENDED] = {"ended", SEAT | ENDING | WINNERS},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

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

void event_json(struct nonet_json *json, const struct room_event *event,
                const struct nonet_options *options, enum event_reader reader) {
    unsigned members = kinds[event->kind].members;
    if (reader == EVENT_FOR_VIEWERS)
        members &= ~(WHO | LAG | (event->kind == ROOM_MOVED ? ID : 0u));
    nonet_json_string_member(json, "event", kinds[event->kind].name);
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
        char move[NONET_MOVE_TEXT];
        struct nonet_text out = NONET_TEXT_IN(move);
        options->game->print(options, event->move, &out);
        nonet_json_string_member(json, "move", move);
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
}

/* ---- Reading ---- */

/* An object that is being read: whatever is wrong with it is remembered, and how much was used. */
struct reading {
    json_t *object;
    size_t used;
    bool bad;
};

static json_t *member(struct reading *reading, const char *name) {
    json_t *value = json_object_get(reading->object, name);
    reading->used += value != NULL;
    reading->bad |= value == NULL;
    return value;
}

static int64_t read_number(struct reading *reading, const char *name, int64_t most) {
    json_t *value = member(reading, name);
    int64_t found = json_integer_value(value);
    reading->bad |= !json_is_integer(value) || found < 0 || found > most;
    return reading->bad ? 0 : found;
}

static const char *read_text(struct reading *reading, const char *name) {
    json_t *value = member(reading, name);
    const char *found = json_string_value(value);
    reading->bad |= found == NULL || strlen(found) != json_string_length(value);
    return reading->bad ? "" : found;
}

static uint64_t read_long(struct reading *reading, const char *name) {
    const char *digits = read_text(reading, name);
    size_t length = strspn(digits, "0123456789");
    reading->bad |= length == 0 || length > 20 || digits[length] != '\0';
    return reading->bad ? 0 : strtoull(digits, NULL, 10);
}

static uint8_t read_word(struct reading *reading, const char *name, const char *const *words,
                         size_t count) {
    const char *found = read_text(reading, name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(found, words[i]) == 0)
            return (uint8_t)i;
    reading->bad = true;
    return 0;
}

static uint8_t read_winners(struct reading *reading, int players) {
    json_t *list = member(reading, "winners"), *winner;
    size_t i;
    unsigned set = 0;
    reading->bad |= !json_is_array(list);
    json_array_foreach(list, i, winner) {
        json_int_t player = json_integer_value(winner);
        reading->bad |= player < 1 || player > players || (set >> (player - 1) & 1);
        set |= reading->bad ? 0 : 1u << (player - 1);
    }
    return (uint8_t)set;
}

static void read_members(struct reading *reading, unsigned members,
                         const struct nonet_options *options, struct room_event *event) {
    if (members & SEAT)
        event->seat = (uint8_t)read_number(reading, "seat", options->players);
    if (members & WHO)
        event->who = read_long(reading, "who");
    if (members & NAME) {
        const char *name = read_text(reading, "name");
        reading->bad |= strlen(name) >= ROOM_NAME;
        if (!reading->bad)
            memcpy(event->name, name, strlen(name) + 1);
    }
    if (members & OFFER)
        event->offer = read_word(reading, "offer", event_offers, ROOM_OFFER_KINDS);
    if (members & PLY)
        event->ply = (uint16_t)read_number(reading, "ply", UINT16_MAX);
    if (members & ID)
        event->id = read_long(reading, "id");
    if (members & MOVE) {
        struct nonet_message why;
        const char *move = read_text(reading, "move");
        reading->bad = reading->bad || !options->game->parse(options, move, &event->move, &why);
    }
    if (members & LEFT)
        event->left = read_number(reading, "left", CLOCK_MOST_MOVE);
    if (members & LAG)
        event->lag = read_number(reading, "lag", CLOCK_LAG_ALLOWANCE);
    if (members & PHRASE)
        event->phrase = (uint8_t)read_number(reading, "phrase", ROOM_PHRASES - 1);
    if (members & ENDING)
        event->ending = read_word(reading, "ending", event_endings,
                                  sizeof event_endings / sizeof event_endings[0]);
    if (members & WINNERS)
        event->winners = read_winners(reading, options->players);
}

bool event_read(const char *line, size_t length, const struct nonet_options *options,
                struct room_event *event) {
    *event = (struct room_event){0};
    struct reading reading = {json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL), 0, false};
    const char *name = read_text(&reading, "event");
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kinds[kind].name != NULL && strcmp(name, kinds[kind].name) == 0)
            event->kind = kind;
    if (event->kind != 0)
        read_members(&reading, kinds[event->kind].members, options, event);
    bool whole =
        event->kind != 0 && !reading.bad && reading.used == json_object_size(reading.object);
    json_decref(reading.object);
    return whole;
}
