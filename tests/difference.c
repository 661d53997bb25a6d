/* The difference of two scenes, tested by its meaning: applied to the first scene, it gives the
 * second. With the scenes swapped, what arrived has left. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/session.h"
#include "study/describe.h"
#include "study/difference.h"
#include "variants.h"

/* A piece as text: everything that a viewer learns about it. */
static const char *told(const struct nonet_piece *piece, char bytes[1024]) {
    struct nonet_text text = nonet_text_in(bytes, 1024);
    struct nonet_json json = nonet_json_in(&text);
    describe_piece(&json, piece, NULL);
    CHECK(!text.cut, "too long: %s", bytes);
    return bytes;
}

static bool is_same(const struct nonet_piece *a, const struct nonet_piece *b) {
    char one[1024], other[1024];
    return strcmp(told(a, one), told(b, other)) == 0;
}

static bool lies_the_same(const struct nonet_piece *a, const struct nonet_piece *b) {
    return a->place == b->place && a->x == b->x && a->y == b->y && a->z == b->z &&
           a->angle == b->angle && a->width == b->width && a->depth == b->depth &&
           a->height == b->height;
}

static bool is_alike(const struct nonet_piece *a, const struct nonet_piece *b) {
    return a->shape == b->shape && a->material == b->material && a->owner == b->owner;
}

/* Applies the difference to the first scene: pieces that stay are kept, pieces that left are
 * dropped, and the difference names the rest. The result must be the second scene, piece by piece.
 */
static void check_applied(const struct nonet_scene *before, const struct nonet_scene *after,
                          const struct difference *difference) {
    bool seen[NONET_MAX_PIECES] = {false};
    int pieces = 0;
    for (int i = 0; i < before->piece_count; i++) {
        const struct difference_of_piece *piece = &difference->before[i];
        if (piece->kind == DIFFERENCE_ALONE) {
            assert_int_equal(piece->partner, -1);
            continue;
        }
        const struct nonet_piece *old = &before->pieces[i], *new = &after->pieces[piece->partner];
        CHECK(piece->partner < after->piece_count && !seen[piece->partner], "two become one");
        seen[piece->partner] = true;
        pieces++;
        assert_true(is_alike(old, new));
        assert_int_equal(is_same(old, new), piece->kind == DIFFERENCE_NONE);
        assert_int_equal(lies_the_same(old, new), piece->kind != DIFFERENCE_MOVED);
        assert_int_equal(difference->after[piece->partner].kind, piece->kind);
        assert_int_equal(difference->after[piece->partner].partner, i);
    }
    for (int j = 0; j < after->piece_count; j++)
        if (!seen[j]) {
            pieces++;
            assert_int_equal(difference->after[j].kind, DIFFERENCE_ALONE);
            assert_int_equal(difference->after[j].partner, -1);
        }
    assert_int_equal(pieces, after->piece_count);
}

/* No piece counts as gone and another as new if both could be the same piece, unmoved or moved. */
static void check_least(const struct nonet_scene *before, const struct nonet_scene *after,
                        const struct difference *difference) {
    for (int i = 0; i < before->piece_count; i++)
        for (int j = 0; j < after->piece_count; j++) {
            const struct nonet_piece *old = &before->pieces[i], *new = &after->pieces[j];
            if (difference->before[i].kind != DIFFERENCE_ALONE ||
                difference->after[j].kind != DIFFERENCE_ALONE || !is_alike(old, new))
                continue;
            assert_false(lies_the_same(old, new));
            assert_false(difference_on_board(before, old) && difference_on_board(after, new));
        }
}

static void check_pair(const struct nonet_scene *before, const struct nonet_scene *after) {
    static struct difference there, back;
    difference_find(before, after, NULL, &there);
    difference_find(after, before, NULL, &back);
    check_applied(before, after, &there);
    check_least(before, after, &there);
    for (int i = 0; i < NONET_MAX_PIECES; i++) {
        assert_int_equal(there.before[i].kind, back.after[i].kind);
        assert_int_equal(there.before[i].partner, back.after[i].partner);
        assert_int_equal(there.after[i].kind, back.before[i].kind);
        assert_int_equal(there.after[i].partner, back.before[i].partner);
    }
}

/* Random games of all variants, for every viewer: neighbouring positions, also with what the move
 * between them tells, and positions far apart. */
static void differences_lead_from_scene_to_scene(void **state) {
    (void)state;
    enum { SCENES = 12 };
    static struct nonet_options variants[MOST_VARIANTS];
    static struct nonet_events events;
    static struct difference difference;
    struct nonet_scene *scenes = calloc(SCENES, sizeof *scenes);
    struct nonet_random random = {11};
    for (int g = 0; g < nonet_game_count; g++) {
        int count = variants_of(nonet_games[g], 4, variants);
        for (int v = 0; v < count; v++) {
            struct nonet_session *session = nonet_session_new(&variants[v]);
            int known = 0, viewer = (int)nonet_random_below(&random, variants[v].players + 1u);
            for (; known < SCENES; known++) {
                nonet_scene_for(&variants[v], nonet_session_state(session), viewer, &scenes[known]);
                uint64_t legal = nonet_session_count(session);
                struct nonet_message why;
                if (legal == 0 ||
                    !nonet_session_play(
                        session, nonet_session_nth(session, nonet_random_next(&random) % legal),
                        &why))
                    break;
            }
            for (int i = 0; i < known; i++)
                for (int j = i; j < known; j += i == j ? 1 : 4)
                    check_pair(&scenes[i], &scenes[j]);
            for (int i = 0; i + 1 < known; i++) {
                nonet_session_events(session, i, viewer, &events);
                difference_find(&scenes[i], &scenes[i + 1], &events, &difference);
                check_applied(&scenes[i], &scenes[i + 1], &difference);
            }
            nonet_session_free(session);
        }
    }
    free(scenes);
}

/* Back and forth through random games: a piece that the difference pairs keeps its number, and no
 * two pieces have the same. */
static void numbers_stay_with_pieces(void **state) {
    (void)state;
    struct difference_numbers *numbers = calloc(1, sizeof *numbers);
    static struct nonet_scene scenes[2];
    struct nonet_random random = {12};
    assert_non_null(numbers);
    for (int g = 0; g < nonet_game_count; g++) {
        static struct nonet_options variants[MOST_VARIANTS];
        variants_of(nonet_games[g], 4, variants);
        struct nonet_session *session = nonet_session_new(&variants[0]);
        int32_t earlier = numbers->count;
        difference_forget(numbers);
        for (int step = 0; step < 30; step++) {
            const struct nonet_scene *before = &scenes[step % 2];
            struct nonet_scene *after = &scenes[(step + 1) % 2];
            int32_t old[NONET_MAX_PIECES];
            memcpy(old, numbers->of_piece, sizeof old);
            nonet_scene_for(&variants[0], nonet_session_state(session), NONET_SPECTATOR, after);
            difference_follow(numbers, after, NULL);
            static struct difference difference;
            if (step > 0)
                difference_find(before, after, NULL, &difference);
            for (int i = 0; i < after->piece_count; i++) {
                if (step > 0 && difference.after[i].partner >= 0)
                    assert_int_equal(numbers->of_piece[i], old[difference.after[i].partner]);
                assert_true(numbers->of_piece[i] >= earlier);
                for (int j = 0; j < i; j++)
                    assert_int_not_equal(numbers->of_piece[i], numbers->of_piece[j]);
            }
            uint64_t legal = nonet_session_count(session);
            struct nonet_message why;
            if (legal == 0 || nonet_random_below(&random, 4) == 0)
                nonet_session_undo(session);
            else
                assert_true(nonet_session_play(
                    session, nonet_session_nth(session, nonet_random_next(&random) % legal), &why));
        }
        nonet_session_free(session);
    }
    free(numbers);
}

static const struct nonet_piece *piece_on(const struct nonet_scene *scene, const char *place) {
    for (int i = 0; i < scene->piece_count; i++)
        if (strcmp(scene->places[scene->pieces[i].place].name, place) == 0)
            return &scene->pieces[i];
    fail_msg("nothing on %s", place);
    return NULL;
}

enum { MOST_JOURNEYS = 4 };
struct known_move {
    const char *game, *from, *move;
    const char *journeys[MOST_JOURNEYS][2]; /* from, and to or "off" */
};

/* Whether exactly these pieces moved or left, and every other piece stayed as it was. */
static void check_known(const struct known_move *known, const struct nonet_scene *before,
                        const struct nonet_scene *after, const struct difference *difference) {
    int moved = 0, left = 0;
    for (int i = 0; i < MOST_JOURNEYS && known->journeys[i][0] != NULL; i++) {
        const char *from = known->journeys[i][0], *to = known->journeys[i][1];
        const struct difference_of_piece *piece =
            &difference->before[piece_on(before, from) - before->pieces];
        bool off = strcmp(to, "off") == 0;
        int partner = off ? -1 : (int)(piece_on(after, to) - after->pieces);
        CHECK(piece->kind == (off ? DIFFERENCE_ALONE : DIFFERENCE_MOVED) &&
                  piece->partner == partner,
              "%s, %s: not from %s to %s", known->game, known->move, from, to);
        moved += !off;
        left += off;
    }
    for (int i = 0; i < before->piece_count; i++) {
        moved -= difference->before[i].kind == DIFFERENCE_MOVED;
        left -= difference->before[i].kind == DIFFERENCE_ALONE;
        CHECK(difference->before[i].kind != DIFFERENCE_CHANGED, "piece %d", i);
    }
    CHECK(moved == 0 && left == 0, "%s, %s: something else happened", known->game, known->move);
    for (int i = 0; i < after->piece_count; i++)
        CHECK(difference->after[i].kind != DIFFERENCE_ALONE, "piece %d came", i);
}

/* By the rules of the games: which pieces go where, also where another piece of the same owner
 * takes the place of one that leaves, or where an equal one leaves elsewhere. */
static void pieces_go_where_the_rules_say(void **state) {
    (void)state;
    static const struct known_move moves[] = {
        {"trix", "..BB/...B/A.../AA.. 1", "a1b2", {{"a1", "b2"}}},
        {"trix", "..BB/...B/A.../AA.. 1", "a1c1", {{"a1", "c1"}}},
        {"chasm", "AA.B/B.../.A../.A.B move 1", "b2b1", {{"b2", "b1"}, {"b1", "off"}}},
        {"chasm", "AA.B/B.../.A../.B.A move 1", "b2b1", {{"b2", "b1"}, {"b1", "off"}}},
        {"chasm", "A..B/.BA./BA../A.B. move 1", "a1a2", {{"a1", "a2"}, {"a2", "a3"}}},
        {"chasm",
         "AAAB/..../A..B/B..B move 1",
         "a4b4",
         {{"a4", "b4"}, {"b4", "c4"}, {"c4", "d4"}, {"d4", "off"}}},
        {"chasm",
         "BAAA/..../A..B/B..B move 1",
         "b4c4",
         {{"b4", "c4"}, {"c4", "d4"}, {"d4", "off"}}},
        /* the white piece on e1 has no black neighbour */
        {"kolem", "B..WB/WBWB./BW.WB/WBWBW/..B.W 0 0 1", "d5e4", {{"d5", "e4"}, {"e1", "off"}}},
        {"kolem", "...../.WBW./.B.B./..W../..B.. 0 0 1", "c2c3", {{"c2", "c3"}, {"c1", "off"}}},
    };
    static struct nonet_scene before, after;
    static struct difference difference;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct nonet_options options;
        struct nonet_message why;
        struct nonet_events events;
        nonet_options_default(&options, nonet_game_find(moves[i].game));
        struct nonet_session *session = nonet_session_new(&options);
        CHECK(nonet_session_read(session, moves[i].from, &why), "%s", moves[i].from);
        nonet_scene_for(&options, nonet_session_state(session), NONET_SPECTATOR, &before);
        CHECK(nonet_session_play_text(session, moves[i].move, &why), "%s", moves[i].move);
        nonet_scene_for(&options, nonet_session_state(session), NONET_SPECTATOR, &after);
        nonet_session_events(session, 0, NONET_SPECTATOR, &events);
        difference_find(&before, &after, &events, &difference);
        check_known(&moves[i], &before, &after, &difference);
        nonet_session_free(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_lead_from_scene_to_scene),
        cmocka_unit_test(numbers_stay_with_pieces),
        cmocka_unit_test(pieces_go_where_the_rules_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
