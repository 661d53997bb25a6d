/* What a table tells its viewers: enough to go on with the game, and nothing that they may not
 * know. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "online/api/telling.h"
#include "rules/observation.h"
#include "rules/setup.h"
#include "variants.h"

static char told[2][TELLING_TEXT];

static const char *tell(const struct room *room, int viewer, int which) {
    struct nonet_text text = NONET_TEXT_IN(told[which]);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    tell_table(&json, room, viewer, 0, 5000);
    nonet_json_close(&json, '}');
    assert_false(text.cut);
    return told[which];
}

/* A table with everybody seated, as the log would have it. */
static struct room *seated(const struct nonet_options *options) {
    struct room_plan plan = {.options = *options, .clock = {CLOCK_GAME, 60000, 0, 0}};
    struct room *room = room_new(&plan, NULL);
    assert_non_null(room);
    for (int p = 1; p <= options->players; p++)
        assert_true(room_apply(room, &(struct room_event){.kind = ROOM_SAT,
                                                          .seat = (uint8_t)p,
                                                          .who = 90 + (room_who)p,
                                                          .name = "somebody"}));
    assert_true(room_apply(room, &(struct room_event){.kind = ROOM_BEGAN}));
    return room;
}

static void move(struct room *room, nonet_move move) {
    const struct nonet_session *session = room_session(room);
    struct room_event event = {.kind = ROOM_MOVED,
                               .seat = (uint8_t)nonet_session_turn(session),
                               .ply = (uint16_t)nonet_session_ply(session),
                               .id = 12345678,
                               .move = move,
                               .left = 50000};
    assert_true(room_apply(room, &event));
    struct room_events end;
    room_decide_end(room, 0, &end);
    for (int i = 0; i < end.count; i++)
        assert_true(room_apply(room, &end.list[i]));
}

static void position(const struct nonet_session *session, int viewer, char *line) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_text text = nonet_text_in(line, NONET_POSITION_TEXT);
    struct nonet_state seen;
    nonet_observe(options, nonet_session_state(session), viewer, &seen);
    options->game->write(options, &seen, &text);
}

/* A viewer opens the game from what was told, and sees what the table sees. */
static void check_opens(const struct room *room, int viewer) {
    json_t *all = json_loads(tell(room, viewer, 0), 0, NULL);
    assert_non_null(all);
    struct nonet_setup setup = {0};
    nonet_options_default(&setup.options,
                          nonet_game_find(json_string_value(json_object_get(all, "game"))));
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(all, "options"), key, value) {
        char assignment[256];
        struct nonet_message why;
        snprintf(assignment, sizeof assignment, "%s=%s", key, json_string_value(value));
        CHECK(nonet_options_set(&setup.options, assignment, &why), "%s", assignment);
    }
    json_t *list = json_object_get(all, "moves");
    int count = (int)json_array_size(list);
    char **moves = calloc((size_t)count + 1, sizeof *moves);
    for (int i = 0; i < count; i++)
        moves[i] = strdup(json_string_value(json_array_get(list, (size_t)i)));
    const char *first = json_string_value(json_object_get(all, "first"));
    struct nonet_session *session;
    char words[512];
    struct nonet_text why = NONET_TEXT_IN(words);
    struct nonet_setup_error error;
    if (first != NULL) {
        session = nonet_observation_open(&setup.options, viewer, first, moves, count,
                                         json_string_value(json_object_get(all, "seen")), &why);
        CHECK(session != NULL, "%s", words);
    } else {
        session = nonet_setup_open(&setup, NULL, &error);
        assert_non_null(session);
        for (int i = 0; i < count; i++)
            assert_true(nonet_setup_play(session, moves[i], &error));
    }
    static char here[NONET_POSITION_TEXT], there[NONET_POSITION_TEXT];
    position(room_session(room), viewer, here);
    position(session, viewer, there);
    assert_string_equal(here, there);
    nonet_session_free(session);
    for (int i = 0; i < count; i++)
        free(moves[i]);
    free(moves);
    json_decref(all);
}

static void enough_is_told(void **unused) {
    (void)unused;
    struct nonet_random random = {5};
    static struct nonet_options variants[MOST_VARIANTS];
    for (int g = 0; g < nonet_game_count; g++) {
        int count = variants_of(nonet_games[g], 3, variants);
        for (int v = 0; v < count; v++) {
            struct room *room = seated(&variants[v]);
            int most = nonet_games[g]->wide != NULL ? 3 : 60;
            for (int ply = 0; ply < most && room_phase(room) == ROOM_PLAYING; ply++) {
                if (ply % 7 == 0)
                    check_opens(room, 1 + ply % variants[v].players);
                move(room, random_move(room_session(room), &random));
            }
            check_opens(room, 1);
            room_free(room);
        }
    }
}

/* Two tables at which only the others' discs differ tell a viewer the same bytes, as long as
 * everything public is the same. */
static void no_more_is_told(void **unused) {
    (void)unused;
    struct nonet_random random = {9};
    int compared = 0;
    for (int round = 0; round < 200; round++) {
        static const char *const games[] = {"masker", "masker:variant=3d", "masker:players=3",
                                            "masker:players=4"};
        struct nonet_options one = options_of(games[round % 4]), two;
        nonet_options_deal(&one, (uint64_t)round, 1);
        two = one;
        /* The first disc, of player 1, is the same. A spectator has none. */
        struct nonet_message why;
        bool three = one.players == 3;
        assert_true(nonet_options_set(&one, three ? "colours=RYG" : "colours=RY", &why));
        assert_true(nonet_options_set(&two, three ? "colours=RBV" : "colours=RV", &why));
        struct room *rooms[2] = {seated(&one), seated(&two)};
        while (room_phase(rooms[0]) == ROOM_PLAYING && room_phase(rooms[1]) == ROOM_PLAYING) {
            static char seen[2][NONET_POSITION_TEXT];
            for (int i = 0; i < 2; i++)
                position(room_session(rooms[i]), NONET_SPECTATOR, seen[i]);
            if (strcmp(seen[0], seen[1]) != 0)
                break;
            for (int viewer = 0; viewer <= 1; viewer++) {
                assert_string_equal(tell(rooms[0], viewer, 0), tell(rooms[1], viewer, 1));
                assert_null(strstr(told[0], "colours"));
                assert_null(strstr(told[0], "12345678")); /* ids of moves */
                assert_null(strstr(told[0], "\"9"));      /* numbers of visitors */
                compared++;
            }
            nonet_move next = random_move(room_session(rooms[0]), &random);
            for (int i = 0; i < 2; i++)
                move(rooms[i], next);
        }
        for (int i = 0; i < 2; i++)
            room_free(rooms[i]);
    }
    CHECK(compared > 2000, "only %d tellings were compared", compared);
}

/* However a game ends, everybody is told all of it then. */
static void nothing_is_hidden_after_the_end(void **unused) {
    (void)unused;
    static const enum room_ending endings[] = {ROOM_RESIGNED, ROOM_FLAGGED,   ROOM_DESERTED,
                                               ROOM_AGREED,   ROOM_EXHAUSTED, ROOM_ABORTED};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct nonet_options options = options_of("masker:players=3");
        struct nonet_random random = {3};
        nonet_options_deal(&options, 1, i);
        struct room *room = seated(&options);
        move(room, random_move(room_session(room), &random));
        for (int viewer = 0; viewer <= 3; viewer++)
            assert_null(strstr(tell(room, viewer, 0), "colours"));
        assert_true(room_apply(
            room, &(struct room_event){.kind = ROOM_ENDED, .ending = (uint8_t)endings[i]}));
        for (int viewer = 0; viewer <= 3; viewer++) {
            json_t *all = json_loads(tell(room, viewer, 0), 0, NULL);
            json_t *told_options = json_object_get(all, "options");
            assert_int_equal(strlen(json_string_value(json_object_get(told_options, "colours"))),
                             3);
            assert_null(json_object_get(all, "first"));
            assert_null(json_object_get(all, "seen"));
            json_decref(all);
        }
        room_free(room);
    }
}

/* What somebody has promised is told to them alone. */
static void promises_are_told_to_their_owner(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("trix");
    struct room *room = seated(&options);
    char before[3][TELLING_TEXT];
    for (int viewer = 0; viewer <= 2; viewer++)
        strcpy(before[viewer], tell(room, viewer, 0));
    struct room_event event = {.kind = ROOM_PROMISED, .seat = 2, .id = 12345678};
    const struct nonet_session *session = room_session(room);
    assert_true(promise_add_line(&event.promise));
    for (uint64_t i = 0; i < 2; i++)
        assert_true(promise_add_move(&event.promise, nonet_session_nth(session, i)));
    assert_true(room_apply(room, &event));
    assert_string_equal(tell(room, NONET_SPECTATOR, 0), before[0]);
    assert_string_equal(tell(room, 1, 0), before[1]);
    json_t *own = json_loads(tell(room, 2, 0), 0, NULL), *lines = json_object_get(own, "lines");
    assert_int_equal(json_array_size(lines), 1);
    assert_int_equal(json_array_size(json_array_get(lines, 0)), 2);
    assert_null(strstr(told[0], "12345678"));
    json_object_del(own, "lines");
    json_t *old = json_loads(before[2], 0, NULL);
    assert_true(json_equal(own, old));
    json_decref(own);
    json_decref(old);
    room_free(room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enough_is_told),
        cmocka_unit_test(no_more_is_told),
        cmocka_unit_test(nothing_is_hidden_after_the_end),
        cmocka_unit_test(promises_are_told_to_their_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
