#include "telling.h"

#include "online/room/event.h"
#include "online/room/table_name.h"
#include "plan.h"
#include "rules/hidden.h"
#include "rules/setup.h"

static const char *const phases[] = {"waiting", "playing", "over"};

static void tell_seats(struct nonet_json *json, const struct room *room, unsigned present,
                       int64_t now) {
    const struct clocks *times = room_clocks(room);
    nonet_json_name(json, "seats");
    nonet_json_open(json, '[');
    for (int p = 1; p <= nonet_session_options(room_session(room))->players; p++) {
        const struct room_seat *seat = room_seat(room, p);
        nonet_json_open(json, '{');
        if (seat->level > 0)
            nonet_json_number_member(json, "level", seat->level);
        else if (seat->taken)
            nonet_json_string_member(json, "name", seat->name);
        if (present >> (p - 1) & 1)
            nonet_json_bool_member(json, "present", true);
        if (times->rule.kind != CLOCK_NONE)
            nonet_json_number_member(json, "left", clock_left(times, p, now));
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

static void tell_offers(struct nonet_json *json, const struct room *room) {
    nonet_json_name(json, "offers");
    nonet_json_open(json, '[');
    for (int i = 0; i < ROOM_OFFER_KINDS; i++) {
        const struct room_offer *offer = room_offer(room, (enum room_offer_kind)i);
        if (!offer->open)
            continue;
        nonet_json_open(json, '{');
        nonet_json_string_member(json, "offer", event_offers[i]);
        nonet_json_number_member(json, "seat", offer->seat);
        nonet_json_number_member(json, "ply", offer->ply);
        event_json_long(json, "id", offer->id);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

void tell_seen(struct nonet_json *json, const char *name, const struct nonet_options *options,
               const void *state, int viewer) {
    struct nonet_state seen;
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_observe(options, state, viewer, &seen);
    options->game->write(options, &seen, &text);
    nonet_json_string_member(json, name, line);
}

static void tell_game(struct nonet_json *json, const struct room *room, int viewer) {
    const struct nonet_session *session = room_session(room);
    const struct nonet_options *options = nonet_session_options(session);
    bool hides = options->game->hidden != NULL && room_phase(room) != ROOM_OVER;
    /* A seat can still be left to somebody else, who must be the first to know what it hides. */
    if (room_phase(room) == ROOM_WAITING)
        viewer = NONET_SPECTATOR;
    nonet_json_string_member(json, "game", options->game->id);
    nonet_setup_json_options(json, options, hides ? NONET_TELL_SEAT : NONET_TELL_WHOLE);
    if (hides) {
        bool moved = nonet_session_ply(session) > 0;
        const void *now = nonet_session_state(session);
        tell_seen(json, "first", options, moved ? nonet_session_state_before(session, 0) : now,
                  viewer);
        tell_seen(json, "seen", options, now, viewer);
    }
    nonet_setup_json_moves(json, session);
}

/* The other game of a pair, and the score of both for the seats of this one. */
static void tell_pair(struct nonet_json *json, const struct room *room) {
    char twin[TABLE_NAME];
    table_name_write(room_twin(room), twin);
    nonet_json_name(json, "pair");
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "table", twin);
    nonet_json_number_member(json, "opening", room_opening(room));
    nonet_json_bool_member(json, "over", room_twin_over(room));
    nonet_json_name(json, "halves");
    nonet_json_open(json, '[');
    for (int p = 1; p <= 2; p++)
        nonet_json_number(json, room_score(room, p));
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

void tell_table(struct nonet_json *json, const struct room *room, int viewer, unsigned present,
                int64_t now) {
    tell_game(json, room, viewer);
    nonet_json_string_member(json, "phase", phases[room_phase(room)]);
    if (room_phase(room) == ROOM_OVER) {
        nonet_json_string_member(json, "ending", event_endings[room_ending(room)]);
        if (room_ended_by(room) != 0)
            nonet_json_number_member(json, "by", room_ended_by(room));
        event_json_winners(json, room_winners(room));
    }
    plan_json_clock(json, &room_clocks(room)->rule);
    if (room_clocks(room)->running != 0)
        nonet_json_number_member(json, "running", room_clocks(room)->running);
    tell_seats(json, room, present, now);
    tell_offers(json, room);
    if (room_next(room) != 0) {
        char next[TABLE_NAME];
        table_name_write(room_next(room), next);
        nonet_json_string_member(json, "next", next);
    }
    if (room_twin(room) != 0)
        tell_pair(json, room);
    if (viewer != NONET_SPECTATOR) {
        nonet_json_number_member(json, "you", viewer);
        const struct promise *promise = room_promise(room, viewer);
        if (promise != NULL)
            event_json_lines(json, promise, nonet_session_options(room_session(room)));
    }
}

void tell_summary(struct nonet_json *json, const struct room *room, int viewer, unsigned present,
                  int64_t now) {
    const struct nonet_session *session = room_session(room);
    const struct nonet_options *options = nonet_session_options(session);
    nonet_json_string_member(json, "game", options->game->id);
    nonet_setup_json_options(json, options, NONET_TELL_SEAT);
    nonet_json_string_member(json, "phase", phases[room_phase(room)]);
    plan_json_clock(json, &room_clocks(room)->rule);
    tell_seats(json, room, present, now);
    nonet_json_number_member(json, "ply", nonet_session_ply(session));
    nonet_json_number_member(json, "turn",
                             room_phase(room) == ROOM_PLAYING ? nonet_session_turn(session) : 0);
    if (viewer != NONET_SPECTATOR)
        nonet_json_number_member(json, "you", viewer);
}
