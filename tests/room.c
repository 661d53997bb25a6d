/* Tables of people: what each request leads to, and what holds whatever is asked in whatever order.
 *
 * The slow, obvious version beside the room is its log: a second room that applies the same events
 * must know the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "online/room/event.h"
#include "variants.h"

enum { ANNA = 11, BEN = 22, EVE = 66, SECOND = 1000, MINUTE = 60 * SECOND };

/* A room, its log, and the last answer. */
static struct {
    struct room *room;
    struct room_plan plan;
    int64_t now;
    struct room_event log[8192];
    int logged;
    struct room_events events;
    char why[512];
} table;

static void begin_with(const char *name, struct clock_rule clock, const uint8_t *levels) {
    table.plan = (struct room_plan){.options = options_of(name), .clock = clock};
    nonet_options_deal(&table.plan.options, 7, 8);
    if (levels != NULL)
        memcpy(table.plan.level, levels, sizeof table.plan.level);
    table.room = room_new(&table.plan, NULL);
    assert_non_null(table.room);
    table.now = 1000000;
    table.logged = 0;
}

static void take(const struct room_events *events) {
    for (int i = 0; i < events->count; i++) {
        assert_true(room_apply(table.room, &events->list[i]));
        assert_true(table.logged < (int)(sizeof table.log / sizeof table.log[0]));
        table.log[table.logged++] = events->list[i];
    }
}

/* A request, as the server treats it: decided, applied, written down, and then time goes on. */
static enum room_refusal ask(struct room_request request) {
    struct nonet_text why = NONET_TEXT_IN(table.why);
    enum room_refusal refusal = room_decide(table.room, &request, table.now, &table.events, &why);
    CHECK((refusal == ROOM_FINE) == (table.events.count > 0), "refusal %d with %d events", refusal,
          table.events.count);
    CHECK((refusal > ROOM_DONE_BEFORE) == (table.why[0] != '\0'), "refusal %d: \"%s\"", refusal,
          table.why);
    take(&table.events);
    struct room_events more;
    do {
        room_decide_end(table.room, table.now, &more);
        if (more.count == 0)
            room_decide_promised(table.room, &more);
        take(&more);
    } while (more.count > 0);
    room_go_on(table.room, table.now);
    return refusal;
}

static enum room_refusal sit(int seat, room_who who, const char *name) {
    return ask(
        (struct room_request){.wish = ROOM_SIT, .seat = (uint8_t)seat, .who = who, .name = name});
}

static uint64_t next_id = 100;

/* The seat that somebody asks from: their own, if they have one. */
static uint8_t seat_of(room_who who) {
    int seat =
        who == ROOM_COMPUTER ? room_awaits_computer(table.room) : room_seat_of(table.room, who);
    return seat == 0 ? 1 : (uint8_t)seat;
}

static enum room_refusal move_as(room_who who, const char *move, int ply, uint64_t id) {
    return ask((struct room_request){.wish = ROOM_MOVE,
                                     .who = who,
                                     .seat = seat_of(who),
                                     .move = move,
                                     .ply = (uint16_t)ply,
                                     .id = id,
                                     .spent = -1});
}

static enum room_refusal plays(room_who who, const char *move) {
    return move_as(who, move, nonet_session_ply(room_session(table.room)), next_id++);
}

static enum room_refusal wishes(room_who who, enum room_wish wish, int offer, uint64_t id) {
    return ask((struct room_request){.wish = wish,
                                     .who = who,
                                     .seat = seat_of(who),
                                     .offer = (uint8_t)offer,
                                     .id = id,
                                     .ply = (uint16_t)nonet_session_ply(room_session(table.room))});
}

/* What a room knows, in bytes that can be compared. Clocks that run are told by what is left. */
static void summarize(const struct room *room, int64_t now, struct nonet_text *out) {
    const struct nonet_session *session = room_session(room);
    const struct nonet_options *options = nonet_session_options(session);
    nonet_text_format(out, "phase %d ending %d winners %d ply %d\n", room_phase(room),
                      room_ending(room), room_winners(room), nonet_session_ply(session));
    for (int p = 1; p <= options->players; p++) {
        const struct room_seat *seat = room_seat(room, p);
        nonet_text_format(out, "%d %d %llu %s %lld\n", seat->taken, seat->level,
                          (unsigned long long)seat->who, seat->name,
                          (long long)clock_left(room_clocks(room), p, now));
    }
    for (int i = 0; i < ROOM_OFFER_KINDS; i++) {
        const struct room_offer *offer = room_offer(room, (enum room_offer_kind)i);
        nonet_text_format(out, "offer %d %d %d\n", offer->open, offer->open ? offer->seat : 0,
                          offer->open ? offer->agreed : 0);
    }
    for (int p = 1; p <= options->players; p++) {
        const struct promise *promise = room_promise(room, p);
        struct nonet_json json = nonet_json_in(out);
        if (promise != NULL)
            event_json_lines(&json, promise, options);
    }
    options->game->write(options, nonet_session_state(session), out);
}

static bool is_same_promise(const struct promise *one, const struct promise *two) {
    bool same = one->count == two->count;
    for (int i = 0; i < one->count && same; i++)
        same = one->lines[i].length == two->lines[i].length &&
               promise_common(&one->lines[i], &two->lines[i]) == one->lines[i].length;
    return same;
}

/* An event as a line of the log, and back, is the same event. */
static void check_line(const struct room_event *event) {
    char line[1024 + PROMISE_TEXT];
    struct nonet_text out = NONET_TEXT_IN(line);
    struct nonet_json json = nonet_json_in(&out);
    nonet_json_open(&json, '{');
    event_json(&json, event, &table.plan.options, EVENT_FOR_LOG);
    nonet_json_close(&json, '}');
    assert_false(out.cut);
    struct room_event again;
    CHECK(event_read(line, out.length, &table.plan.options, &again), "%s", line);
    CHECK(again.kind == event->kind && again.seat == event->seat && again.offer == event->offer &&
              again.phrase == event->phrase && again.ending == event->ending &&
              again.winners == event->winners && again.ply == event->ply && again.id == event->id &&
              again.who == event->who && again.move == event->move && again.left == event->left &&
              again.lag == event->lag && strcmp(again.name, event->name) == 0 &&
              is_same_promise(&again.promise, &event->promise),
          "%s", line);
    /* No shorter line is one, and none with something else in it. */
    assert_false(event_read(line, out.length - 1, &table.plan.options, &again));
    line[out.length - 1] = ',';
    nonet_text_add(&out, "\"more\":1}");
    assert_false(event_read(line, out.length, &table.plan.options, &again));
    /* Viewers learn nothing of who is who, nor ids that they could use. */
    out = NONET_TEXT_IN(line);
    json = nonet_json_in(&out);
    nonet_json_open(&json, '{');
    event_json(&json, event, &table.plan.options, EVENT_FOR_VIEWERS);
    nonet_json_close(&json, '}');
    assert_null(strstr(line, "\"who\""));
    assert_true(event->kind != ROOM_MOVED || strstr(line, "\"id\"") == NULL);
    assert_null(strstr(line, "\"lines\""));
}

/* The log alone leads to the same room; the clock that runs has what was written down last. */
static void check_log(void) {
    struct room *again = room_new(&table.plan, NULL);
    assert_non_null(again);
    for (int i = 0; i < table.logged; i++)
        CHECK(room_apply(again, &table.log[i]), "event %d of kind %d", i, table.log[i].kind);
    for (int i = 0; i < table.logged; i++)
        check_line(&table.log[i]);
    struct room_events clock;
    room_decide_clock(table.room, table.now, &clock);
    for (int i = 0; i < clock.count; i++)
        assert_true(room_apply(again, &clock.list[i]));
    room_go_on(again, table.now);
    static char first[8192 + 4 * PROMISE_TEXT], second[sizeof first];
    struct nonet_text out = NONET_TEXT_IN(first);
    summarize(table.room, table.now, &out);
    assert_false(out.cut);
    out = NONET_TEXT_IN(second);
    summarize(again, table.now, &out);
    assert_string_equal(first, second);
    room_free(again);
}

static void finish(void) {
    check_log();
    room_free(table.room);
}

static void begin_trix(struct clock_rule clock) {
    begin_with("trix", clock, NULL);
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_FINE);
    assert_int_equal(sit(2, BEN, "Ben"), ROOM_FINE);
    assert_int_equal(room_phase(table.room), ROOM_PLAYING);
}

static const struct clock_rule none = {0};
static const struct clock_rule five_minutes = {CLOCK_GAME, 5 * MINUTE, 2 * SECOND, 0};

/* Some legal move, as text. */
static const char *some_move(int index) {
    static char text[NONET_MOVE_TEXT];
    const struct nonet_session *session = room_session(table.room);
    struct nonet_text out = NONET_TEXT_IN(text);
    const struct nonet_options *options = nonet_session_options(session);
    options->game->print(
        options, nonet_session_nth(session, (uint64_t)index % nonet_session_count(session)), &out);
    return text;
}

/* ---- Sitting down ---- */

static void seats(void **unused) {
    (void)unused;
    begin_with("trix", none, NULL);
    assert_int_equal(sit(0, ANNA, "Anna"), ROOM_MALFORMED);
    assert_int_equal(sit(1, ANNA, "An\u200bna"), ROOM_MALFORMED); /* of no width */
    assert_int_equal(sit(1, ANNA, "\u202eannA"), ROOM_MALFORMED); /* turns the rest of the line */
    assert_int_equal(sit(1, ANNA, "An\xc2\x85na"), ROOM_MALFORMED);
    static const char *const invisible[] = {
        "\u00ad", "\u00a0", "\u2800", "\u3164", "\u115f", "\u1160",     "\u17b4",     "\u17b5",
        "\u180b", "\u180e", "\u061c", "\uffa0", "\ufe0f", "\U000e0001", "\U000e007f", "\U000e0100",
        "\ufdd0", "\uffff", "\u2003", "\u2066", "\ue000", "\U0001fffe", "\U0010ffff",
    };
    for (size_t i = 0; i < sizeof invisible / sizeof invisible[0]; i++) {
        char name[16];
        assert_int_equal(sit(1, ANNA, invisible[i]), ROOM_MALFORMED);
        snprintf(name, sizeof name, "An%sna", invisible[i]);
        assert_int_equal(sit(1, ANNA, name), ROOM_MALFORMED);
    }
    assert_int_equal(sit(1, ANNA, "\u3000"), ROOM_MALFORMED);
    static const char *const visible[] = {"\u00c5sa",
                                          "\u5c71\u7530\u3000\u82b1",
                                          "\u0410\u043d\u043d\u0430",
                                          "\U0001f98a",
                                          "\u1e00\uffdc",
                                          "e\u0301"};
    for (size_t i = 0; i < sizeof visible / sizeof visible[0]; i++)
        assert_true(room_name_check(visible[i]));
    assert_int_equal(sit(3, ANNA, "Anna"), ROOM_MALFORMED);
    assert_int_equal(sit(1, ANNA, ""), ROOM_MALFORMED);
    assert_int_equal(sit(1, ANNA, "  "), ROOM_MALFORMED);
    assert_int_equal(sit(1, ANNA, "An\nna"), ROOM_MALFORMED);
    assert_int_equal(sit(1, ANNA, NULL), ROOM_MALFORMED);
    assert_int_equal(sit(1, ROOM_COMPUTER, "Anna"), ROOM_MALFORMED);
    char longest[ROOM_NAME + 1];
    memset(longest, 'a', sizeof longest);
    longest[ROOM_NAME] = '\0';
    assert_int_equal(sit(1, ANNA, longest), ROOM_MALFORMED);
    longest[ROOM_NAME - 1] = '\0';
    assert_int_equal(sit(1, ANNA, longest), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_STAND, 0, 0), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_STAND, 0, 0), ROOM_FORBIDDEN);
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_FINE);
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_DONE_BEFORE);
    assert_int_equal(sit(1, BEN, "Ben"), ROOM_CONFLICT);
    assert_int_equal(plays(ANNA, "a1b2"), ROOM_CONFLICT);
    assert_int_equal(sit(2, BEN, "Ben"), ROOM_FINE);
    assert_int_equal(table.events.count, 2);
    assert_int_equal(sit(2, EVE, "Eve"), ROOM_CONFLICT);
    assert_int_equal(wishes(ANNA, ROOM_STAND, 0, 0), ROOM_CONFLICT);
    assert_int_equal(room_seat_of(table.room, BEN), 2);
    assert_int_equal(room_seat_of(table.room, EVE), 0);
    assert_int_equal(room_seat_of(table.room, ROOM_COMPUTER), 0);
    finish();
}

/* ---- Moving ---- */

static void moves(void **unused) {
    (void)unused;
    begin_trix(none);
    char first[NONET_MOVE_TEXT], other[NONET_MOVE_TEXT];
    strcpy(first, some_move(0));
    strcpy(other, some_move(1));
    assert_int_equal(plays(EVE, first), ROOM_FORBIDDEN);
    assert_int_equal(plays(ROOM_COMPUTER, first), ROOM_FORBIDDEN);
    assert_int_equal(plays(BEN, first), ROOM_CONFLICT);
    assert_int_equal(plays(ANNA, "nonsense"), ROOM_MALFORMED);
    assert_int_equal(plays(ANNA, "a1a1"), ROOM_ILLEGAL);
    assert_int_equal(move_as(ANNA, first, 0, 0), ROOM_MALFORMED);
    assert_int_equal(move_as(ANNA, first, 1, 5), ROOM_CONFLICT);
    assert_int_equal(move_as(ANNA, first, 0, 5), ROOM_FINE);
    assert_int_equal(move_as(ANNA, first, 0, 5), ROOM_DONE_BEFORE);
    assert_int_equal(move_as(ANNA, other, 0, 5), ROOM_CONFLICT);
    assert_int_equal(move_as(ANNA, other, 0, 6), ROOM_CONFLICT);
    assert_int_equal(move_as(BEN, first, 1, 5), ROOM_ILLEGAL);
    assert_int_equal(move_as(BEN, some_move(0), 1, 5), ROOM_FINE); /* ids are each player's own */
    assert_int_equal(move_as(ANNA, first, 0, 5), ROOM_DONE_BEFORE);
    finish();
}

/* A move that was taken back does not return when its request comes once more. */
static void taken_back(void **unused) {
    (void)unused;
    begin_trix(none);
    char first[NONET_MOVE_TEXT];
    strcpy(first, some_move(0));
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 1), ROOM_CONFLICT);
    assert_int_equal(move_as(ANNA, first, 0, 5), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 1), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 1), ROOM_DONE_BEFORE);
    assert_int_equal(wishes(BEN, ROOM_OFFER, ROOM_TAKE_BACK, 2), ROOM_CONFLICT);
    assert_int_equal(wishes(ANNA, ROOM_ACCEPT, ROOM_TAKE_BACK, 1), ROOM_DONE_BEFORE);
    assert_int_equal(wishes(BEN, ROOM_WITHDRAW, ROOM_TAKE_BACK, 1), ROOM_FORBIDDEN);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_TAKE_BACK, 3), ROOM_CONFLICT);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_TAKE_BACK, 1), ROOM_FINE);
    assert_int_equal(nonet_session_ply(room_session(table.room)), 0);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_TAKE_BACK, 1), ROOM_DONE_BEFORE);
    assert_int_equal(move_as(ANNA, first, 0, 5), ROOM_CONFLICT);
    assert_int_equal(move_as(ANNA, first, 0, 6), ROOM_FINE);
    finish();

    begin_with("masker", none, NULL);
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_FINE);
    assert_int_equal(sit(2, BEN, "Ben"), ROOM_FINE);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 1), ROOM_CONFLICT);
    finish();
}

/* Moves and take-backs without end, with a computer that agrees to all: the oldest are forgotten.
 */
static void what_was_granted_is_bounded(void **unused) {
    (void)unused;
    begin_with("trix", none, (const uint8_t[NONET_MAX_PLAYERS]){0, 1});
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_FINE);
    char move[NONET_MOVE_TEXT];
    strcpy(move, some_move(0));
    for (uint64_t id = 1; id <= 1100; id++) {
        assert_int_equal(move_as(ANNA, move, 0, id), ROOM_FINE);
        assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 10000 + id), ROOM_FINE);
        table.logged = 0;
    }
    assert_int_equal(move_as(ANNA, move, 0, 1100), ROOM_CONFLICT);
    assert_int_equal(move_as(ANNA, move, 0, 1), ROOM_FINE);
    room_free(table.room);
}

/* ---- Offers ---- */

static void offers(void **unused) {
    (void)unused;
    begin_trix(none);
    assert_int_equal(wishes(EVE, ROOM_OFFER, ROOM_DRAW, 1), ROOM_FORBIDDEN);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_OFFER_KINDS, 1), ROOM_MALFORMED);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_REMATCH, 1), ROOM_CONFLICT);
    assert_int_equal(wishes(BEN, ROOM_OFFER, ROOM_DRAW, 2), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_DECLINE, ROOM_DRAW, 2), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_DECLINE, ROOM_DRAW, 2), ROOM_DONE_BEFORE);
    assert_int_equal(wishes(ANNA, ROOM_ACCEPT, ROOM_DRAW, 2), ROOM_CONFLICT);
    assert_int_equal(wishes(BEN, ROOM_WITHDRAW, ROOM_DRAW, 2), ROOM_CONFLICT);
    assert_int_equal(wishes(BEN, ROOM_OFFER, ROOM_DRAW, 3), ROOM_CONFLICT); /* too soon */
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_DRAW, 4), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_WITHDRAW, ROOM_DRAW, 4), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_WITHDRAW, ROOM_DRAW, 4), ROOM_DONE_BEFORE);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_DRAW, 4), ROOM_CONFLICT);
    assert_int_equal(wishes(BEN, ROOM_DECLINE, ROOM_DRAW, 4), ROOM_CONFLICT);
    /* An offer ends with the position it was made in. */
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_DRAW, 5), ROOM_FINE);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_DRAW, 5), ROOM_CONFLICT);
    assert_int_equal(plays(BEN, some_move(0)), ROOM_FINE);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(wishes(BEN, ROOM_OFFER, ROOM_DRAW, 6), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_ACCEPT, ROOM_DRAW, 6), ROOM_FINE);
    assert_int_equal(room_ending(table.room), ROOM_AGREED);
    assert_int_equal(room_winners(table.room), 3);
    assert_int_equal(plays(BEN, "a1b2"), ROOM_CONFLICT);
    assert_int_equal(wishes(BEN, ROOM_OFFER, ROOM_REMATCH, 7), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_ACCEPT, ROOM_REMATCH, 7), ROOM_FINE);
    finish();
}

/* Everybody must agree; computers agree to all but a draw. */
static void several(void **unused) {
    (void)unused;
    begin_with("chasm:players=3", none, NULL);
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_FINE);
    assert_int_equal(sit(2, BEN, "Ben"), ROOM_FINE);
    assert_int_equal(sit(3, EVE, "Eve"), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_DRAW, 1), ROOM_FINE);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_DRAW, 1), ROOM_FINE);
    assert_int_equal(table.events.list[0].kind, ROOM_AGREES);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_DRAW, 1), ROOM_DONE_BEFORE);
    check_log();
    assert_int_equal(wishes(EVE, ROOM_ACCEPT, ROOM_DRAW, 1), ROOM_FINE);
    assert_int_equal(room_ending(table.room), ROOM_AGREED);
    finish();

    begin_with("trix", none, (const uint8_t[NONET_MAX_PLAYERS]){0, 3});
    assert_int_equal(sit(1, ANNA, "Anna"), ROOM_FINE);
    assert_int_equal(sit(2, BEN, "Ben"), ROOM_CONFLICT);
    assert_int_equal(room_phase(table.room), ROOM_PLAYING);
    assert_int_equal(room_awaits_computer(table.room), 0);
    for (enum room_wish wish = ROOM_STAND; wish <= ROOM_SAY; wish++)
        assert_int_equal(
            ask((struct room_request){
                .wish = wish, .who = ROOM_COMPUTER, .seat = 2, .move = "a1b2", .id = 1}),
            wish == ROOM_MOVE ? ROOM_CONFLICT : ROOM_FORBIDDEN);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(room_awaits_computer(table.room), 2);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_CONFLICT);
    assert_int_equal(plays(ROOM_COMPUTER, some_move(0)), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_DRAW, 1), ROOM_CONFLICT);
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 2), ROOM_FINE);
    assert_int_equal(nonet_session_ply(room_session(table.room)), 0);
    finish();
}

/* ---- Ends ---- */

static void ends(void **unused) {
    (void)unused;
    begin_trix(none);
    assert_int_equal(wishes(EVE, ROOM_RESIGN, 0, 0), ROOM_FORBIDDEN);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_ABORT, 0, 0), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_ABORT, 0, 0), ROOM_DONE_BEFORE);
    assert_int_equal(room_winners(table.room), 0);
    finish();

    begin_trix(none);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(plays(BEN, some_move(0)), ROOM_FINE);
    assert_int_equal(wishes(BEN, ROOM_ABORT, 0, 0), ROOM_CONFLICT);
    assert_int_equal(wishes(ANNA, ROOM_RESIGN, 0, 0), ROOM_FINE); /* also on one's own turn */
    assert_int_equal(wishes(ANNA, ROOM_RESIGN, 0, 0), ROOM_DONE_BEFORE);
    assert_int_equal(wishes(BEN, ROOM_RESIGN, 0, 0), ROOM_CONFLICT);
    assert_int_equal(room_winners(table.room), 2);
    finish();

    /* Partners lose together. */
    begin_with("chasm:players=4", none, (const uint8_t[NONET_MAX_PLAYERS]){1, 1, 1, 0});
    bool teams = table.plan.options.game->facts & NONET_TEAMS;
    assert_int_equal(sit(4, ANNA, "Anna"), ROOM_FINE);
    assert_int_equal(wishes(ANNA, ROOM_RESIGN, 0, 0), ROOM_FINE);
    assert_int_equal(room_winners(table.room), teams ? 5 : 7);
    finish();

    static const struct {
        struct clock_rule clock;
        int64_t absence; /* 0: none is long enough */
    } claims[] = {
        {{.kind = CLOCK_NONE}, ROOM_LONG_ABSENCE},
        {{.kind = CLOCK_GAME, .budget = 600000}, ROOM_ABSENCE},
        {{.kind = CLOCK_MOVE, .budget = CLOCK_MOST_MOVE}, 0},
    };
    for (int i = 0; i < 3; i++) {
        begin_trix(claims[i].clock);
        struct room_request claim = {
            .wish = ROOM_CLAIM, .who = BEN, .seat = 2, .absent = claims[i].absence - 1};
        if (claims[i].absence == 0)
            claim.absent = CLOCK_MOST_MOVE - 1;
        assert_int_equal(ask(claim), ROOM_CONFLICT);
        claim.absent++;
        claim.who = ANNA; /* whose turn it is */
        claim.seat = 1;
        assert_int_equal(ask(claim), ROOM_CONFLICT);
        claim.who = BEN;
        assert_int_equal(ask(claim), ROOM_FORBIDDEN);
        claim.seat = 2;
        assert_int_equal(ask(claim), claims[i].absence == 0 ? ROOM_CONFLICT : ROOM_FINE);
        if (claims[i].absence != 0)
            assert_int_equal(room_winners(table.room), 2);
        finish();
    }
}

/* ---- Clocks ---- */

static int64_t left(int player) {
    return clock_left(room_clocks(table.room), player, table.now);
}

static void clock_law(void **unused) {
    (void)unused;
    begin_trix(five_minutes);
    table.now += 10 * SECOND;
    assert_int_equal(left(1), 290 * SECOND);
    assert_int_equal(left(2), 300 * SECOND);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(left(1), 292 * SECOND); /* the increment */
    table.now += 299 * SECOND;
    assert_int_equal(left(2), SECOND);
    check_log();
    struct room_events end;
    room_decide_end(table.room, table.now, &end);
    assert_int_equal(end.count, 0);
    table.now += 2 * SECOND;
    assert_int_equal(left(2), 0);
    room_decide_end(table.room, table.now, &end);
    assert_int_equal(end.count, 1);
    assert_int_equal(plays(BEN, some_move(0)), ROOM_CONFLICT);
    assert_int_equal(room_ending(table.room), ROOM_FLAGGED);
    assert_int_equal(room_winners(table.room), 1);
    finish();
}

/* While the server is down, no time runs. */
static void down(void **unused) {
    (void)unused;
    begin_trix(five_minutes);
    table.now += 100 * SECOND;
    struct room_events clock;
    room_decide_clock(table.room, table.now, &clock);
    assert_int_equal(clock.count, 1);
    table.log[table.logged++] = clock.list[0];
    struct room *again = room_new(&table.plan, NULL);
    for (int i = 0; i < table.logged; i++)
        assert_true(room_apply(again, &table.log[i]));
    table.now += 3600 * SECOND;
    assert_int_equal(clock_left(room_clocks(again), 1, table.now), 200 * SECOND);
    room_go_on(again, table.now);
    assert_int_equal(clock_left(room_clocks(again), 1, table.now + SECOND), 199 * SECOND);
    room_free(again);
    room_free(table.room);
}

/* A slow network costs nothing, but only as far as the allowance reaches, and nobody gains. */
static void lag(void **unused) {
    (void)unused;
    begin_trix(five_minutes);
    int64_t before = left(1), given = 0;
    for (int i = 0; i < 12; i++) {
        room_who who = i % 2 == 0 ? ANNA : BEN;
        int64_t then = left(1 + i % 2);
        table.now += 3 * SECOND;
        struct room_request request = {.wish = ROOM_MOVE,
                                       .who = who,
                                       .seat = seat_of(who),
                                       .move = some_move(i),
                                       .ply = (uint16_t)i,
                                       .id = next_id++,
                                       .spent = i % 3 == 2 ? 9 * SECOND : 0};
        assert_int_equal(ask(request), ROOM_FINE);
        int64_t back = left(1 + i % 2) - then + 3 * SECOND - 2 * SECOND;
        assert_in_range(back, 0, CLOCK_LAG_A_MOVE);
        assert_true(back == 0 || request.spent == 0);
        given += i % 2 == 0 ? back : 0;
    }
    assert_true(left(1) <= before);
    assert_in_range(given, 1, CLOCK_LAG_A_MOVE + 6 * CLOCK_LAG_GROWTH);
    finish();
}

static void days(void **unused) {
    (void)unused;
    int64_t day = 24 * 60 * (int64_t)MINUTE;
    begin_trix((struct clock_rule){CLOCK_MOVE, 3 * day, 0, 0});
    table.now += 2 * day;
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_true(left(1) == 3 * day);
    table.now += 3 * day + CLOCK_LAG_ALLOWANCE;
    struct room_events end;
    room_decide_end(table.room, table.now, &end);
    assert_int_equal(end.count, 1);
    assert_int_equal(end.list[0].winners, 1);
    room_free(table.room);
    assert_false(clock_rule_check(&(struct clock_rule){CLOCK_MOVE, 15 * day, 0, 0}));
    assert_false(clock_rule_check(&(struct clock_rule){CLOCK_MOVE, day, 0, 31 * day}));
    assert_false(clock_rule_check(&(struct clock_rule){CLOCK_GAME, MINUTE, 0, day}));
    assert_false(clock_rule_check(&(struct clock_rule){CLOCK_GAME, 9 * SECOND, 0, 0}));
    assert_false(clock_rule_check(&(struct clock_rule){CLOCK_GAME, MINUTE, -1, 0}));
    assert_false(clock_rule_check(&(struct clock_rule){7, MINUTE, 0, 0}));
    assert_true(clock_rule_check(&none) && clock_rule_check(&five_minutes));
}

/* Three days for a move, and five days of pause: a move that takes four days uses up one of them.
 */
static void pauses(void **unused) {
    (void)unused;
    int64_t day = 24 * 60 * (int64_t)MINUTE;
    begin_trix((struct clock_rule){CLOCK_MOVE, 3 * day, 0, 5 * day});
    assert_true(left(1) == 8 * day);
    table.now += 4 * day;
    /* How it stands now is written down, as if the server fell and rose again. */
    struct room_events clocked;
    room_decide_clock(table.room, table.now, &clocked);
    assert_true(clocked.list[0].left == 4 * day);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_true(left(1) == 3 * day + 4 * day);
    table.now += 2 * day;
    assert_int_equal(plays(BEN, some_move(0)), ROOM_FINE);
    assert_true(left(2) == 8 * day);
    table.now += 7 * day + CLOCK_LAG_ALLOWANCE;
    struct room_events end;
    room_decide_end(table.room, table.now, &end);
    assert_int_equal(end.count, 1);
    assert_int_equal(end.list[0].ending, ROOM_FLAGGED);
    room_free(table.room);
}

/* ---- Conditional moves ---- */

static const struct clock_rule three_days = {CLOCK_MOVE, 259200000, 0, 86400000};

/* A second session that stands where the table does, in which lines are made up. */
static struct nonet_session *copy_of_table(void) {
    struct nonet_session *copy = nonet_session_new(&table.plan.options);
    struct nonet_message message;
    assert_non_null(copy);
    const struct nonet_session *session = room_session(table.room);
    for (int i = 0; i < nonet_session_ply(session); i++)
        assert_true(nonet_session_play(copy, nonet_session_move(session, i), &message));
    return copy;
}

/* A line as text: the legal moves with these indices, one after the other. Adds it to `lines`. */
static void add_line(struct nonet_text *lines, int count, const int *indices) {
    struct nonet_session *copy = copy_of_table();
    const struct nonet_options *options = &table.plan.options;
    struct nonet_message message;
    for (int i = 0; i < count && nonet_session_turn(copy) != 0; i++) {
        nonet_move move = nonet_session_nth(copy, (uint64_t)indices[i] % nonet_session_count(copy));
        options->game->print(options, move, lines);
        nonet_text_char(lines, '\n');
        assert_true(nonet_session_play(copy, move, &message));
    }
    nonet_text_char(lines, '\n');
    nonet_session_free(copy);
}

#define LINE(...)                                                                                  \
    sizeof((const int[]){__VA_ARGS__}) / sizeof(int), (const int[]) {                              \
        __VA_ARGS__                                                                                \
    }

static enum room_refusal promises_with(room_who who, const char *lines, uint64_t id) {
    return ask((struct room_request){.wish = ROOM_PROMISE,
                                     .who = who,
                                     .seat = seat_of(who),
                                     .lines = lines,
                                     .id = id,
                                     .ply = (uint16_t)nonet_session_ply(room_session(table.room))});
}

static enum room_refusal promises(room_who who, const char *lines) {
    return promises_with(who, lines, next_id++);
}

static int promised_lines(int seat) {
    const struct promise *promise = room_promise(table.room, seat);
    return promise != NULL ? promise->count : 0;
}

static void conditional(void **unused) {
    (void)unused;
    char lines[2048];
    begin_trix(three_days);
    struct nonet_text text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0, 1, 2));
    add_line(&text, LINE(0, 0, 2, 3));
    add_line(&text, LINE(1, 4));
    assert_int_equal(promises(BEN, lines), ROOM_FINE);
    assert_int_equal(promised_lines(2), 3);
    assert_int_equal(promised_lines(1), 0);
    /* Both moves at once, and the second took no time. */
    int64_t before = left(2);
    table.now += 5 * MINUTE;
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(nonet_session_ply(room_session(table.room)), 2);
    assert_true(left(2) == before);
    assert_int_equal(table.log[table.logged - 1].kind, ROOM_MOVED);
    assert_int_equal(table.log[table.logged - 1].seat, 2);
    assert_int_equal(promised_lines(2), 2);
    table.now += MINUTE;
    assert_true(left(1) == three_days.budget + three_days.pause - MINUTE && left(2) == before);
    /* The chain goes on; what does not fit is gone. */
    assert_int_equal(plays(ANNA, some_move(2)), ROOM_FINE);
    assert_int_equal(nonet_session_ply(room_session(table.room)), 4);
    assert_int_equal(promised_lines(2), 0);
    /* Something else was played: nothing happens. */
    text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0));
    assert_int_equal(promises(BEN, lines), ROOM_FINE);
    assert_int_equal(plays(ANNA, some_move(1)), ROOM_FINE);
    assert_int_equal(nonet_session_ply(room_session(table.room)), 5);
    assert_int_equal(promised_lines(2), 0);
    finish();
}

/* The lines are gone with what they were made for; setting them again replaces them. */
static void conditional_ends(void **unused) {
    (void)unused;
    char lines[2048];
    begin_trix(three_days);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    struct nonet_text text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0));
    assert_int_equal(promises_with(ANNA, lines, 51), ROOM_FINE);
    assert_int_equal(promises_with(ANNA, lines, 51), ROOM_DONE_BEFORE);
    add_line(&text, LINE(1, 0));
    assert_int_equal(promises_with(ANNA, lines, 52), ROOM_FINE);
    assert_int_equal(promised_lines(1), 2);
    assert_int_equal(promises_with(ANNA, "", 53), ROOM_FINE);
    assert_int_equal(promised_lines(1), 0);
    assert_int_equal(promises_with(ANNA, lines, 54), ROOM_FINE);
    /* Offers and talk leave them; taking back does not. */
    assert_int_equal(wishes(ANNA, ROOM_OFFER, ROOM_TAKE_BACK, 7), ROOM_FINE);
    assert_int_equal(promised_lines(1), 2);
    assert_int_equal(wishes(BEN, ROOM_ACCEPT, ROOM_TAKE_BACK, 7), ROOM_FINE);
    assert_int_equal(promised_lines(1), 0);
    assert_int_equal(plays(ANNA, some_move(0)), ROOM_FINE);
    assert_int_equal(promises(ANNA, lines), ROOM_FINE);
    assert_int_equal(wishes(BEN, ROOM_RESIGN, 0, 0), ROOM_FINE);
    assert_int_equal(promised_lines(1), 0);
    assert_int_equal(promises(ANNA, lines), ROOM_CONFLICT);
    finish();
}

static void conditional_refused(void **unused) {
    (void)unused;
    char lines[4096];
    struct nonet_text text = NONET_TEXT_IN(lines);
    begin_trix(three_days);
    add_line(&text, LINE(0, 0));
    assert_int_equal(promises(ANNA, lines), ROOM_CONFLICT); /* it is her turn */
    assert_int_equal(promises(EVE, lines), ROOM_FORBIDDEN);
    assert_int_equal(promises_with(BEN, lines, 0), ROOM_MALFORMED);
    assert_int_equal(
        ask((struct room_request){
            .wish = ROOM_PROMISE, .who = BEN, .seat = 2, .lines = lines, .id = 5, .ply = 1}),
        ROOM_CONFLICT);
    assert_int_equal(promises(BEN, "no move\n\n"), ROOM_MALFORMED);
    assert_int_equal(promises(BEN, "\n"), ROOM_MALFORMED);
    /* A line that ends with the other's move, one that cannot be played, two that disagree. */
    text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0, 0));
    assert_int_equal(promises(BEN, lines), ROOM_MALFORMED);
    text = NONET_TEXT_IN(lines);
    nonet_text_format(&text, "%s\n", some_move(0));
    nonet_text_format(&text, "%s\n\n", some_move(0));
    assert_int_equal(promises(BEN, lines), ROOM_ILLEGAL);
    text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0, 1, 1));
    add_line(&text, LINE(0, 1));
    assert_int_equal(promises(BEN, lines), ROOM_MALFORMED);
    assert_non_null(strstr(table.why, "differently"));
    /* The same answer in two lines is none; neither are more lines or moves than there is room. */
    text = NONET_TEXT_IN(lines);
    for (int i = 0; i < PROMISE_LINES; i++)
        add_line(&text, LINE(0, 0));
    assert_int_equal(promises(BEN, lines), ROOM_FINE);
    add_line(&text, LINE(0, 0));
    assert_int_equal(promises(BEN, lines), ROOM_MALFORMED);
    text = NONET_TEXT_IN(lines);
    for (int i = 0; i <= PROMISE_PLIES; i++)
        nonet_text_format(&text, "%s\n", some_move(0));
    assert_int_equal(promises(BEN, lines), ROOM_MALFORMED);
    assert_int_equal(promised_lines(2), PROMISE_LINES);
    finish();
    /* Only with days for a move, and never where something is hidden. */
    begin_trix(five_minutes);
    text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0));
    assert_int_equal(promises(BEN, lines), ROOM_CONFLICT);
    finish();
    begin_with("masker", three_days, NULL);
    sit(1, ANNA, "Anna");
    sit(2, BEN, "Ben");
    text = NONET_TEXT_IN(lines);
    add_line(&text, LINE(0, 0));
    assert_int_equal(
        promises(nonet_session_turn(room_session(table.room)) == 1 ? BEN : ANNA, lines),
        ROOM_CONFLICT);
    assert_non_null(strstr(table.why, "hidden"));
    finish();
}

/* A game that ends in the middle of a line, in every game: what was promised is played to its end,
 * as if its owner had played it. */
static void conditional_to_the_end(void **unused) {
    (void)unused;
    struct nonet_random random = {21};
    int played = 0;
    for (int round = 0; round < 200; round++) {
        const struct nonet_game *game = nonet_games[round % nonet_game_count];
        if (game->hidden != NULL || (game->wide != NULL && round > 20))
            continue;
        begin_with(game->id, three_days, NULL);
        sit(1, ANNA, "Anna");
        sit(2, BEN, "Ben");
        while (room_phase(table.room) == ROOM_PLAYING && table.logged < 400) {
            /* A line at random, as far as it goes; then its moves, or once in a while another. */
            char lines[2048];
            struct nonet_text text = NONET_TEXT_IN(lines);
            struct nonet_session *copy = copy_of_table();
            int turn = nonet_session_turn(copy), owner = 3 - turn, length = 0, whole = 0;
            nonet_move line[PROMISE_PLIES];
            struct nonet_message message;
            while (length < PROMISE_PLIES && nonet_session_turn(copy) != 0) {
                whole = nonet_session_turn(copy) == owner ? length + 1 : whole;
                line[length] = random_move(copy, &random);
                assert_true(nonet_session_play(copy, line[length++], &message));
            }
            nonet_session_free(copy);
            for (int i = 0; i < whole; i++) {
                game->print(&table.plan.options, line[i], &text);
                nonet_text_char(&text, '\n');
            }
            if (whole > 0)
                CHECK(promises(owner == 1 ? ANNA : BEN, lines) == ROOM_FINE, "%s", table.why);
            int first = nonet_session_ply(room_session(table.room));
            for (int at = 0; at < length && room_phase(table.room) == ROOM_PLAYING;) {
                char move[NONET_MOVE_TEXT];
                struct nonet_text out = NONET_TEXT_IN(move);
                game->print(&table.plan.options, line[at], &out);
                CHECK(plays(turn == 1 ? ANNA : BEN, move) == ROOM_FINE, "%s", table.why);
                at = nonet_session_ply(room_session(table.room)) - first;
                CHECK(room_phase(table.room) == ROOM_OVER || at >= whole ||
                          nonet_session_turn(room_session(table.room)) == turn,
                      "move %d of %d was not made", at, whole);
                played++;
                if (nonet_session_turn(room_session(table.room)) == owner)
                    break;
            }
            for (int i = first; i < nonet_session_ply(room_session(table.room)); i++)
                assert_int_equal(nonet_session_move(room_session(table.room), i), line[i - first]);
        }
        finish();
    }
    CHECK(played > 1000, "only %d moves", played);
}

/* ---- Whatever is asked ---- */

/* Requests of all kinds by right and wrong people, most of them senseless, in every game. */
static void anything(void **unused) {
    (void)unused;
    struct nonet_random random = {12};
    int endings[ROOM_ABORTED + 1] = {0};
    for (int round = 0; round < 600; round++) {
        const struct nonet_game *game = nonet_games[round % nonet_game_count];
        if (game->wide != NULL && round > 60)
            continue;
        begin_with(game->id,
                   round % 4 == 3 ? three_days
                   : round % 2    ? none
                                  : five_minutes,
                   round % 3 ? NULL : (const uint8_t[NONET_MAX_PLAYERS]){0, 1});
        sit(1, ANNA, "Anna");
        sit(2, BEN, "Ben");
        for (int step = 0; step < 150; step++) {
            static char text[NONET_MOVE_TEXT];
            const struct nonet_session *session = room_session(table.room);
            text[0] = '\0';
            if (nonet_session_turn(session) != 0)
                strcpy(text, some_move((int)nonet_random_below(&random, 1000)));
            char lines[256] = "";
            struct nonet_text line = NONET_TEXT_IN(lines);
            if (round % 4 == 3 && nonet_session_count(session) > 0 && game->hidden == NULL)
                add_line(&line, LINE((int)nonet_random_below(&random, 3), 0));
            struct room_request request = {
                .wish =
                    nonet_random_below(&random, 3) ? ROOM_MOVE : nonet_random_below(&random, 14),
                .who = (room_who[]){ANNA, BEN, EVE, ROOM_COMPUTER}[nonet_random_below(&random, 4)],
                .offer = (uint8_t)nonet_random_below(&random, ROOM_OFFER_KINDS + 1),
                .phrase = (uint8_t)nonet_random_below(&random, ROOM_PHRASES + 1),
                .ply = (uint16_t)(nonet_session_ply(session) +
                                  (nonet_random_below(&random, 6) ? 0 : 1)),
                .id =
                    nonet_random_below(&random, 4) ? 1 + nonet_random_below(&random, 3) : next_id++,
                .move = text,
                .lines = lines,
                .spent = (int64_t)nonet_random_below(&random, 5000) - 1,
                .absent = nonet_random_below(&random, 30) ? 0 : ROOM_LONG_ABSENCE,
                .name = "Eve",
            };
            const struct room_offer *draw = room_offer(table.room, ROOM_DRAW);
            if (draw->open && nonet_random_below(&random, 3) == 0) {
                request.wish = ROOM_ACCEPT;
                request.offer = ROOM_DRAW;
                request.id = draw->id;
            }
            request.seat = nonet_random_below(&random, 8) ? seat_of(request.who)
                                                          : (uint8_t)nonet_random_below(&random, 6);
            if (request.wish == ROOM_RESIGN && nonet_random_below(&random, 8))
                continue;
            int seat = room_seat_of(table.room, request.who);
            int ply = nonet_session_ply(session);
            enum room_phase phase = room_phase(table.room);
            enum room_refusal refusal = ask(request);
            CHECK(refusal != ROOM_FINE || seat != 0 || request.who == ROOM_COMPUTER ||
                      request.wish == ROOM_SIT || request.wish == ROOM_REGAIN,
                  "a spectator changed the table by wish %d", request.wish);
            CHECK(phase != ROOM_OVER || ply == nonet_session_ply(session), "moved after the end");
            table.now += (int64_t)nonet_random_below(&random, 20) * SECOND;
            /* Once more, at once: never a second effect of one move. */
            int after = nonet_session_ply(session);
            if (request.wish == ROOM_MOVE && refusal == ROOM_FINE &&
                room_phase(table.room) == ROOM_PLAYING) {
                assert_int_equal(ask(request), ROOM_DONE_BEFORE);
                assert_int_equal(nonet_session_ply(session), after);
            }
        }
        if (room_phase(table.room) == ROOM_OVER)
            endings[room_ending(table.room)]++;
        finish();
    }
    for (int i = 0; i <= ROOM_ABORTED; i++)
        CHECK(endings[i] > 0 || i == ROOM_EXHAUSTED, "no game ended by %d", i);
}

/* Events that no room decided are refused, or do no harm. */
static void forged_events(void **unused) {
    (void)unused;
    struct nonet_random random = {3};
    for (int round = 0; round < 20000; round++) {
        if (round % 100 == 0) {
            if (round > 0)
                room_free(table.room);
            begin_trix(five_minutes);
        }
        struct room_event event;
        for (size_t i = 0; i < sizeof event; i++)
            ((unsigned char *)&event)[i] = (unsigned char)nonet_random_below(&random, 256);
        event.kind = nonet_random_below(&random, 19);
        event.promise.count %= PROMISE_LINES + 2;
        for (int i = 0; i < PROMISE_LINES; i++)
            event.promise.lines[i].length %= 5;
        event.seat %= 4;
        event.offer %= 4;
        event.ply %= 8;
        if (event.kind == ROOM_MOVED && nonet_session_turn(room_session(table.room)) != 0)
            event.move = nonet_session_nth(room_session(table.room), 0);
        room_apply(table.room, &event);
        room_go_on(table.room, table.now);
        room_decide_end(table.room, table.now, &table.events);
        room_decide_promised(table.room, &table.events);
        for (int i = 0; i < table.events.count; i++)
            assert_true(room_apply(table.room, &table.events.list[i]));
    }
    room_free(table.room);
}

/* Lines that are no events, most of them nearly ones. */
static void forged_lines(void **unused) {
    (void)unused;
    begin_trix(none);
    static const char *const lines[] = {
        "",
        "{}",
        "[]",
        "null",
        "{\"event\":\"began\"",
        "{\"event\":\"begun\"}",
        "{\"event\":1}",
        "{\"event\":\"stood\",\"seat\":-1}",
        "{\"event\":\"stood\",\"seat\":3}",
        "{\"event\":\"stood\",\"seat\":1.0}",
        "{\"event\":\"stood\",\"seat\":1,\"seat\":1}",
        "{\"event\":\"sat\",\"seat\":1,\"who\":5,\"name\":\"A\"}",
        "{\"event\":\"sat\",\"seat\":1,\"who\":\"-5\",\"name\":\"A\"}",
        "{\"event\":\"undone\",\"seat\":1,\"ply\":65536}",
        "{\"event\":\"said\",\"seat\":1,\"phrase\":12}",
        "{\"event\":\"promised\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"lines\":[[]]}",
        "{\"event\":\"promised\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"lines\":[\"a1\"]}",
        "{\"event\":\"promised\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"lines\":[[\"e9\"]]}",
        "{\"event\":\"promised\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"lines\":{}}",
        "{\"event\":\"ended\",\"seat\":0,\"ending\":\"rules\",\"winners\":[1,1]}",
        "{\"event\":\"ended\",\"seat\":0,\"ending\":\"rules\",\"winners\":[0]}",
        "{\"event\":\"ended\",\"seat\":0,\"ending\":\"chess\",\"winners\":[1]}",
        ("{\"event\":\"moved\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"move\":\"e9\",\"left\":0,"
         "\"lag\":"
         "0}"),
    };
    struct room_event event;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        CHECK(!event_read(lines[i], strlen(lines[i]), &table.plan.options, &event), "%s", lines[i]);
    const char *good = "{\"event\":\"ended\",\"seat\":0,\"ending\":\"rules\",\"winners\":[1]}";
    assert_true(event_read(good, strlen(good), &table.plan.options, &event));
    room_free(table.room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seats),
        cmocka_unit_test(moves),
        cmocka_unit_test(taken_back),
        cmocka_unit_test(what_was_granted_is_bounded),
        cmocka_unit_test(offers),
        cmocka_unit_test(several),
        cmocka_unit_test(ends),
        cmocka_unit_test(clock_law),
        cmocka_unit_test(down),
        cmocka_unit_test(lag),
        cmocka_unit_test(days),
        cmocka_unit_test(pauses),
        cmocka_unit_test(anything),
        cmocka_unit_test(forged_events),
        cmocka_unit_test(forged_lines),
        cmocka_unit_test(conditional),
        cmocka_unit_test(conditional_ends),
        cmocka_unit_test(conditional_refused),
        cmocka_unit_test(conditional_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
