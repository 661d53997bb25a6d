/* The judge of lessons: its language, and tries in positions that the rules explain. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/setup.h"
#include "study/lesson.h"

static struct lesson_try try;

static struct nonet_session *open_game(const char *lines) {
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_read(lines, NULL, &error);
    CHECK(session != NULL, "%s", lines);
    return session;
}

/* Goals that are met and goals that are not, for the try that was made last. */
static void is_met(const char *goal) {
    CHECK(lesson_goal_met(goal, &try), "%s", goal);
}

static void is_missed(const char *goal) {
    CHECK(!lesson_goal_met(goal, &try), "%s", goal);
}

/* On Trix's board places are cells in the order a1, b1 … d4. */
static void test_touches(void **unused) {
    (void)unused;
    struct nonet_session *session = open_game("trix");
    enum { A1 = 0, B1 = 1, C1 = 2, D1 = 3, A2 = 4, D4 = 15, C3 = 10 };

    lesson_try_touches(session, (uint16_t[]){A1}, 1, &try);
    assert_int_equal(try.outcome, LESSON_BEGUN);
    is_met("touch a1");
    is_missed("touch a2");
    is_missed("touch a1 c1");
    is_missed("legal");

    lesson_try_touches(session, (uint16_t[]){A1, C1}, 2, &try);
    assert_int_equal(try.outcome, LESSON_LEGAL);
    is_met("move a1c1");
    is_met("move a1a3 a1c1");
    is_missed("move a1a3");
    is_met("all(touch a1, reach c1 a2 b1)");
    is_missed("reach a1");
    is_missed("reach d4"); /* the other player's piece */
    is_missed("over");
    is_missed("any(winner 1, winner 2, kept)");
    try.proof = LESSON_KEPT;
    is_met("kept");
    is_met("not(not(kept))");

    /* Too far for a step, and there is nothing to jump over. */
    lesson_try_touches(session, (uint16_t[]){A1, D1}, 2, &try);
    assert_int_equal(try.outcome, LESSON_REFUSED);
    is_met("refused trix.no-way");
    is_missed("refused common.occupied");
    is_met("touch a1 d1");
    lesson_try_touches(session, (uint16_t[]){A1, D4}, 2, &try);
    is_met("refused common.occupied");

    /* One touch that can begin no move: whatever follows, the reason is the same. */
    lesson_try_touches(session, (uint16_t[]){D4}, 1, &try);
    is_met("refused common.not-yours");
    lesson_try_touches(session, (uint16_t[]){C3}, 1, &try);
    is_met("refused common.empty");

    /* A try leaves the session as it was, with the variations it had. */
    struct nonet_message why;
    assert_true(nonet_session_play_text(session, "a1b2", &why));
    assert_true(nonet_session_undo(session));
    lesson_try_move(session, "a1b2", &try);
    lesson_try_move(session, "b1c1", &try);
    assert_int_equal(nonet_session_ply(session), 0);
    int child = nonet_session_first_child(session, 0);
    assert_true(child != NONET_NO_NODE);
    assert_int_equal(nonet_session_next_sibling(session, child), NONET_NO_NODE);
    nonet_session_free(session);
}

static void test_endings(void **unused) {
    (void)unused;
    /* Player 1 completes a rectangle on d4, or not. */
    struct nonet_session *session = open_game("quadrangle\nfrom=A.B./.B../B.../A..A 1");
    lesson_try_move(session, "d4", &try);
    is_met("over");
    is_met("winner 1");
    is_missed("winner 2");
    lesson_try_move(session, "c1", &try);
    is_missed("over");
    lesson_try_move(session, "a1", &try);
    is_met("refused common.occupied");
    nonet_session_free(session);

    /* Chasm: a push over the edge is told as an event. */
    session = open_game("chasm\nfrom=..../.A.A/BAAB/B..B move 1");
    lesson_try_move(session, "c2d2", &try);
    is_met("event chasm.pushed-off");
    is_missed("event chasm.pushed-on");
    nonet_session_free(session);

    /* A floor without cells. */
    session = open_game("fullend");
    lesson_try_move(session, "edge@160,160,0", &try);
    is_met("all(legal, touch edge)");
    is_missed("touch flat");
    lesson_try_move(session, "flat@0,160,0", &try);
    is_met("refused fullend.sticks-out");
    nonet_session_free(session);
}

/* In Kudosu a wood must be taken first, which is no reason of the rules. */
static void test_taking(void **unused) {
    (void)unused;
    struct nonet_session *session = open_game("kudosu\n Ma1");
    lesson_try_touches(session, (uint16_t[]){5}, 1, &try);
    assert_int_equal(try.outcome, LESSON_REFUSED);
    assert_null(try.why.phrase);
    is_missed("refused kudosu.same-quadrant");
    lesson_try_move(session, "Mb2", &try);
    is_met("refused kudosu.same-quadrant");
    nonet_session_free(session);
}

static void test_faults(void **unused) {
    (void)unused;
    static const char *const good[] = {
        "move a1b2",
        " move  a1b2   a1c1 ",
        "all(legal, not(over), any(winner 1, winner 2))",
        "any(any(any(any(over))))",
        "refused trix.stays",
        "event common.second-time",
    };
    static const char *const bad[] = {
        "",
        "move",
        "move a1",
        "move a1b9",
        "touch e5",
        "reach",
        "winner 3",
        "winner",
        "winner 12",
        "refused stays",
        "legal 2",
        "all()",
        "all(over",
        "all(over))",
        "not(over, legal)",
        "none(over)",
        "over()",
        "legal, over",
        "jump a1",
        "any(any(any(any(any(over)))))",
        "all over",
        "event",
        "(over)",
        "all(over,)",
        ("move "
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    };
    struct nonet_session *session = open_game("trix");
    struct lesson_fault fault;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(lesson_goal_check(session, good[i], &fault), "%s: %s", good[i], fault.what);
    lesson_try_move(session, "a1b2", &try);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!lesson_goal_check(session, bad[i], &fault), "%s", bad[i]);
        CHECK(fault.what != NULL && fault.at >= 0 && fault.at <= (int)strlen(bad[i]), "%s", bad[i]);
        is_missed(bad[i]);
    }
    nonet_session_free(session);
}

/* Words of the language in any order: a fault or a verdict, the same each time, and a goal and its
 * opposite never agree. */
static void test_any_text(void **unused) {
    (void)unused;
    static const char *const words[] = {"move ",  "a1b2 ",    "touch ", "a1",    "refused ", "x.y",
                                        "reach ", "b2",       "over",   "legal", "winner ",  "1",
                                        "kept",   "all(",     "any(",   "not(",  ")",        ", ",
                                        "event ", "\xff\x01", ",",      "("};
    struct nonet_session *session = open_game("trix");
    struct nonet_random random = {3};
    int goals = 0;
    lesson_try_move(session, "a1b2", &try);
    for (int i = 0; i < 300000; i++) {
        char goal[256] = "", opposite[300];
        for (uint32_t j = nonet_random_below(&random, 9); j > 0; j--)
            strcat(goal, words[nonet_random_below(&random, sizeof words / sizeof *words)]);
        struct lesson_fault fault;
        bool is_goal = lesson_goal_check(session, goal, &fault);
        CHECK(is_goal == (fault.what == NULL) && fault.at <= (int)strlen(goal), "%s", goal);
        CHECK(is_goal || !lesson_goal_met(goal, &try), "%s", goal);
        strcat(strcat(strcpy(opposite, "not("), goal), ")");
        if (is_goal && lesson_goal_check(session, opposite, &fault)) {
            CHECK(lesson_goal_met(goal, &try) != lesson_goal_met(opposite, &try), "%s", goal);
            goals++;
        }
    }
    assert_true(goals > 1000);
    nonet_session_free(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_touches),  cmocka_unit_test(test_endings),
        cmocka_unit_test(test_taking),   cmocka_unit_test(test_faults),
        cmocka_unit_test(test_any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
