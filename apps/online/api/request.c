#include "request.h"

#include <string.h>

#include "online/room/event.h"
#include "online/room/fields.h"

static const char *const wishes[] = {
    [ROOM_SIT] = "sit",         [ROOM_STAND] = "stand",       [ROOM_MOVE] = "move",
    [ROOM_OFFER] = "offer",     [ROOM_WITHDRAW] = "withdraw", [ROOM_ACCEPT] = "accept",
    [ROOM_DECLINE] = "decline", [ROOM_RESIGN] = "resign",     [ROOM_ABORT] = "abort",
    [ROOM_CLAIM] = "claim",     [ROOM_SAY] = "say",           [ROOM_PROMISE] = "promise",
};
enum { WISHES = sizeof wishes / sizeof wishes[0] };

/* What is right for each member, for people. */
static const struct {
    const char *name, *right;
} members[] = {
    {"wish",
     "one of sit, stand, move, offer, withdraw, accept, decline, resign, abort, claim, say, "
     "promise"},
    {"seat", "a number from 1 to 4"},
    {"name", "a text of 1 to 63 bytes"},
    {"move", "a move as the rules write it"},
    {"ply", "the number of moves so far"},
    {"id", "a number from 1 on, in quotation marks"},
    {"spent", "milliseconds"},
    {"offer", "one of draw, take-back, rematch"},
    {"phrase", "the number of a phrase"},
    {"lines", "a list of at most 20 lists, each of 1 to 20 moves as the rules write them"},
};

static void say_wrong(const char *wrong, struct nonet_text *why) {
    if (*wrong == '\0') {
        nonet_text_format(why, "a request is an object of JSON of at most %d bytes", REQUEST_MOST);
        return;
    }
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(wrong, members[i].name) == 0) {
            nonet_text_format(why, "\"%s\" must be %s", wrong, members[i].right);
            return;
        }
    nonet_text_format(why, "the request has %s", wrong);
}

static void read_text(struct fields *fields, const char *name, char *into, size_t size) {
    const char *text = fields_text(fields, name);
    if (strlen(text) < size)
        memcpy(into, text, strlen(text) + 1);
    else
        fields_refuse(fields, name);
}

static void read_offer(struct fields *fields, struct room_request *room) {
    room->offer = (uint8_t)fields_word(fields, "offer", event_offers, ROOM_OFFER_KINDS);
    room->id = fields_long(fields, "id");
}

/* As promise_read takes them. */
static void read_lines(struct fields *fields, char *into) {
    json_t *lines = fields_any(fields, "lines"), *line, *move;
    struct nonet_text text = nonet_text_in(into, PROMISE_TEXT);
    size_t i, j;
    bool fine = json_is_array(lines) && json_array_size(lines) <= PROMISE_LINES;
    json_array_foreach(lines, i, line) {
        size_t length = json_array_size(line);
        fine = fine && length > 0 && length <= PROMISE_PLIES;
        json_array_foreach(line, j, move) {
            const char *written = json_string_value(move);
            fine = fine && written != NULL && *written != '\0' &&
                   strlen(written) < NONET_MOVE_TEXT && strchr(written, '\n') == NULL;
            if (fine)
                nonet_text_format(&text, "%s\n", written);
        }
        nonet_text_char(&text, '\n');
    }
    if (!fine || text.cut)
        fields_refuse(fields, "lines");
}

static void read_wish(struct fields *fields, struct api_request *request) {
    struct room_request *room = &request->room;
    room->seat = (uint8_t)fields_number(fields, "seat", NONET_MAX_PLAYERS);
    switch (room->wish) {
    case ROOM_SIT:
        read_text(fields, "name", request->name, sizeof request->name);
        break;
    case ROOM_MOVE:
        room->ply = (uint16_t)fields_number(fields, "ply", UINT16_MAX);
        room->id = fields_long(fields, "id");
        read_text(fields, "move", request->move, sizeof request->move);
        if (fields_has(fields, "spent"))
            room->spent = fields_number(fields, "spent", CLOCK_MOST_MOVE);
        break;
    case ROOM_OFFER:
    case ROOM_ACCEPT:
        room->ply = (uint16_t)fields_number(fields, "ply", UINT16_MAX);
        read_offer(fields, room);
        break;
    case ROOM_WITHDRAW:
    case ROOM_DECLINE:
        read_offer(fields, room);
        break;
    case ROOM_SAY:
        room->phrase = (uint8_t)fields_number(fields, "phrase", ROOM_PHRASES - 1);
        break;
    case ROOM_PROMISE:
        room->ply = (uint16_t)fields_number(fields, "ply", UINT16_MAX);
        room->id = fields_long(fields, "id");
        read_lines(fields, request->lines);
        break;
    case ROOM_STAND:
    case ROOM_RESIGN:
    case ROOM_ABORT:
    case ROOM_CLAIM:
    case ROOM_REGAIN: /* which has an address of its own */
        break;
    }
}

bool api_request_read(const char *body, size_t length, struct api_request *request,
                      struct nonet_text *why) {
    request->room = (struct room_request){.spent = -1};
    request->move[0] = request->name[0] = request->lines[0] = '\0';
    if (length > REQUEST_MOST) {
        say_wrong("", why);
        return false;
    }
    struct fields fields = fields_open(body, length);
    request->room.wish = (enum room_wish)fields_word(&fields, "wish", wishes, WISHES);
    if (fields.wrong == NULL)
        read_wish(&fields, request);
    bool fine = fields_end(&fields);
    if (!fine)
        say_wrong(fields.wrong, why);
    fields_close(&fields);
    request->room.move = request->move;
    request->room.name = request->name;
    request->room.lines = request->lines;
    return fine;
}
