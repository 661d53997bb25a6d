/* Any requests at a table of people, and any line as an event of its log.
 *
 * The first byte says which game, the second which clock and seats; then every eight bytes are a
 * request. From a zero where a request would begin, the rest of the input is a line of the log.
 * What a room decides it also accepts, as an event and as a line; and a second room that is given
 * the same log stands where the first stands. */
#include <stdio.h>
#include <string.h>

#include "fuzzing.h"
#include "online/room/event.h"

enum { MOST_EVENTS = 4096, STEP = 8 };

static struct room_event log_of_table[MOST_EVENTS];
static int logged;

static void write_line(const struct room_event *event, const struct nonet_options *options) {
    char line[1024 + PROMISE_TEXT];
    struct nonet_text out = NONET_TEXT_IN(line);
    struct nonet_json json = nonet_json_in(&out);
    nonet_json_open(&json, '{');
    event_json(&json, event, options, EVENT_FOR_LOG);
    nonet_json_close(&json, '}');
    PROMISE(!out.cut);
    struct room_event again;
    PROMISE(event_read(line, out.length, options, &again));
    PROMISE(again.kind == event->kind && again.move == event->move && again.left == event->left);
}

static void take(struct room *room, const struct room_events *events,
                 const struct nonet_options *options) {
    for (int i = 0; i < events->count; i++) {
        write_line(&events->list[i], options);
        PROMISE(room_apply(room, &events->list[i]));
        PROMISE(logged < MOST_EVENTS);
        log_of_table[logged++] = events->list[i];
    }
}

static void ask(struct room *room, const unsigned char bytes[STEP], int64_t *now,
                const struct nonet_options *options) {
    const struct nonet_session *session = room_session(room);
    char move[NONET_MOVE_TEXT] = "";
    struct nonet_text out = NONET_TEXT_IN(move);
    if (nonet_session_turn(session) != 0)
        options->game->print(
            options, nonet_session_nth(session, bytes[5] % nonet_session_count(session)), &out);
    if (bytes[6] == 255) /* not a legal one */
        memcpy(move, (char[]){(char)bytes[5], '1', '\0'}, 3);
    /* Two moves, of which the second is legal now and then. */
    char lines[2 * NONET_MOVE_TEXT + 8];
    snprintf(lines, sizeof lines, "%s\n%c%c%c%c\n", move, 'a' + bytes[3] % 8, '1' + bytes[3] / 32,
             'a' + bytes[7] % 8, '1' + bytes[7] / 32);
    struct room_request request = {
        .wish = (enum room_wish)(bytes[0] % 14),
        .who = bytes[1] % 4,
        .seat = bytes[2] % 6,
        .offer = bytes[3] % 5,
        .phrase = bytes[3],
        .id = bytes[4],
        .ply = (uint16_t)(nonet_session_ply(session) - (bytes[6] % 16 == 0)),
        .move = move,
        .lines = lines,
        .spent = bytes[6] * 20 - 1,
        .absent = bytes[7] * 1000000,
        .name = "somebody",
    };
    char words[512];
    struct nonet_text why = NONET_TEXT_IN(words);
    struct room_events events;
    enum room_refusal refusal = room_decide(room, &request, *now, &events, &why);
    PROMISE((refusal == ROOM_FINE) == (events.count > 0));
    PROMISE((refusal > ROOM_DONE_BEFORE) == (why.length > 0));
    take(room, &events, options);
    do {
        room_decide_end(room, *now, &events);
        if (events.count == 0)
            room_decide_promised(room, &events);
        take(room, &events, options);
    } while (events.count > 0);
    room_go_on(room, *now);
    *now += bytes[7] * 100;
}

static void check_log(const struct room *room, const struct room_plan *plan) {
    struct room *again = room_new(plan, NULL);
    PROMISE(again != NULL);
    for (int i = 0; i < logged; i++)
        PROMISE(room_apply(again, &log_of_table[i]));
    PROMISE(room_phase(again) == room_phase(room) && room_ending(again) == room_ending(room));
    PROMISE(memcmp(nonet_session_state(room_session(again)),
                   nonet_session_state(room_session(room)), plan->options.game->state_size) == 0);
    room_free(again);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    if (size < 2)
        return -1;
    struct room_plan plan = {0};
    nonet_options_default(&plan.options, nonet_games[data[0] % nonet_game_count]);
    if (plan.options.game->wide != NULL)
        return -1; /* a workspace for each input would be all the work */
    nonet_options_deal(&plan.options, 1, 2);
    if (data[1] & 1)
        plan.clock = (struct clock_rule){CLOCK_GAME, 60000, 1000, 0};
    if (data[1] & 4)
        plan.clock = (struct clock_rule){CLOCK_MOVE, 60000, 0, 60000};
    plan.level[1] = data[1] & 2;
    struct room *room = room_new(&plan, NULL);
    PROMISE(room != NULL);
    logged = 0;
    int64_t now = 1000;
    size_t at = 2;
    for (; at + STEP <= size && data[at] != 0; at += STEP)
        ask(room, data + at, &now, &plan.options);
    check_log(room, &plan);
    struct room_event event;
    if (at < size && event_read((const char *)data + at, size - at, &plan.options, &event) &&
        room_apply(room, &event))
        room_go_on(room, now);
    room_free(room);
    return 0;
}
