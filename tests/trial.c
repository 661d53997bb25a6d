/* Games that measure a game: figures of games made by hand, intervals against published ones, and
 * that neither the workers nor their order change anything. */
#include "study/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "variants.h"

/* ---- Intervals ---- */

static void check_interval(struct interval got, double value, double low, double high,
                           double within) {
    CHECK(fabs(got.value - value) < within && fabs(got.low - low) < within &&
              fabs(got.high - high) < within,
          "%f (%f to %f), not %f (%f to %f)", got.value, got.low, got.high, value, low, high);
}

/* Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
static void test_shares(void **unused) {
    (void)unused;
    check_interval(interval_share(81, 263), 81.0 / 263, 0.2553, 0.3662, 0.00005);
    check_interval(interval_share(15, 148), 15.0 / 148, 0.0624, 0.1605, 0.00005);
    check_interval(interval_share(0, 20), 0, 0, 0.1611, 0.00005);
    check_interval(interval_share(1, 29), 1.0 / 29, 0.0061, 0.1718, 0.00005);
    /* The same from the other end. */
    check_interval(interval_share(20, 20), 1, 0.8389, 1, 0.00005);
    assert_int_equal(interval_share(0, 0).count, 0);
    /* Its ends are the shares p with n (mean - p)^2 = z^2 p (1 - p). */
    for (int n = 1; n <= 50; n++)
        for (double sum = 0; sum <= n; sum += 0.5) {
            struct interval got = interval_share(sum, n);
            const double ends[] = {got.low, got.high};
            for (int i = 0; i < 2; i++) {
                double off = got.value - ends[i];
                double gap =
                    n * off * off - 1.959963984540054 * 1.959963984540054 * ends[i] * (1 - ends[i]);
                CHECK(fabs(gap) < 1e-9, "%f of %d: end %f, gap %g", sum, n, ends[i], gap);
            }
            assert_true(got.low <= got.value && got.value <= got.high);
        }
}

static void test_means(void **unused) {
    (void)unused;
    /* 10, 12, 14, 16: the mean is 13, the squared deviations 9 + 1 + 1 + 9 = 20, the variance 20/3,
     * the standard error sqrt(20/3/4) = 1.29099, times 1.95996 = 2.53030. */
    check_interval(interval_mean(52, 100 + 144 + 196 + 256, 4), 13, 10.46970, 15.53030, 0.00001);
    check_interval(interval_mean(7, 49, 1), 7, 7, 7, 1e-12);
    check_interval(interval_mean(48, 3 * 256, 3), 16, 16, 16, 1e-12);
    assert_int_equal(interval_mean(0, 0, 0).count, 0);
}

/* ---- Games made by hand ---- */

static void play_text(struct nonet_session *session, const char *move) {
    struct nonet_message why;
    CHECK(nonet_session_play_text(session, move, &why), "%s", move);
}

/* Plays moves; before each of them the player to move expects this score. */
static struct trial_game game_of(const char *name, const char *const *moves, const int *scores,
                                 int count) {
    struct nonet_session *session = session_of(name, 1);
    struct trial_track track;
    trial_track_begin(&track, 5);
    for (int i = 0; i < count; i++) {
        const struct nonet_opinion opinion = {.score = (int16_t)scores[i]};
        trial_track_position(&track, session, &opinion);
        play_text(session, moves[i]);
    }
    trial_track_end(&track, session);
    nonet_session_free(session);
    return track.game;
}

static void test_by_hand(void **unused) {
    (void)unused;
    /* Player 1 completes a rectangle with the seventh piece. There were 16, 15, … 10 moves, 91
     * together. Player 2 leads at first: 65 to 35. Then 57.5 is too little for player 1, but 60 to
     * 40 is a lead, and the only change. 90 is sure, but 89 is not, so the game is decided after
     * six plies. */
    static const char *const moves[] = {"a1", "d4", "b1", "d3", "a2", "c4", "b2"};
    static const int scores[] = {0, 300, 150, -200, 800, -780, 1000};
    struct trial_game game = game_of("quadrangle:rectangles=any", moves, scores, 7);
    assert_int_equal(game.number, 5);
    assert_int_equal(game.plies, 7);
    assert_int_equal(game.choices, 91);
    assert_int_equal(game.lead_changes, 1);
    assert_int_equal(game.decided, 6);
    assert_int_equal(game.shares[0], NONET_WHOLE_WIN);
    assert_int_equal(game.shares[1], 0);
    assert_false(game.draw || game.cut);
    for (int i = 0; i < TRIAL_OPENING; i++)
        assert_string_equal(game.moves[i], moves[i]);

    /* The same game seen in a mirror is the same opening. Here the winner was behind until the end,
     * which is a change of the lead with the last move. */
    static const char *const mirrored[] = {"d1", "a4", "c1", "a3", "d2", "b4", "c2"};
    static const int behind[] = {0, 0, 0, 0, 0, 500, -500};
    struct trial_game other = game_of("quadrangle:rectangles=any", mirrored, behind, 7);
    assert_memory_equal(game.openings, other.openings, sizeof game.openings);
    assert_int_equal(other.lead_changes, 1);
    assert_int_equal(other.decided, 7);
    /* Another third move is another opening from there on. */
    static const char *const different[] = {"a1", "d4", "c2"};
    other = game_of("quadrangle:rectangles=any", different, behind, 3);
    assert_true(other.openings[1] == game.openings[1] && other.openings[2] != game.openings[2]);
    assert_true(other.openings[3] == 0 && other.moves[3][0] == '\0');
    /* It is stopped there: a draw. */
    assert_true(other.cut && other.draw && other.decided == -1);
    assert_int_equal(other.shares[0], NONET_WHOLE_WIN / 2);
    assert_int_equal(other.shares[1], NONET_WHOLE_WIN / 2);
}

/* With more players the chances of all count; a team is one side. */
static void test_several(void **unused) {
    (void)unused;
    struct nonet_session *session = session_of("chasm:players=3", 1);
    struct trial_track track;
    static const int16_t chances[][3] = {
        {400, 300, 300}, /* nobody */
        {550, 350, 100}, /* player 1 */
        {350, 550, 100}, /* player 2: a change */
        {500, 400, 100}, /* nobody */
        {100, 100, 800}, /* player 3: a change */
    };
    trial_track_begin(&track, 0);
    for (int i = 0; i < 5; i++) {
        struct nonet_opinion opinion = {0};
        memcpy(opinion.chances, chances[i], sizeof chances[i]);
        trial_track_position(&track, session, &opinion);
    }
    assert_int_equal(track.game.lead_changes, 2);
    /* Where only the mover's share is known, others divide the rest: 60, 20 and 20 in a hundred. */
    const struct nonet_opinion opinion = {.score = 200};
    trial_track_position(&track, session, &opinion);
    assert_int_equal(track.game.lead_changes, 3);
    trial_track_end(&track, session);
    for (int i = 0; i < 3; i++)
        assert_int_equal(track.game.shares[i], NONET_WHOLE_WIN / 3);
    assert_true(track.game.openings[0] == 0);
    nonet_session_free(session);

    session = session_of("masker:players=4,variant=flat", 1);
    trial_track_begin(&track, 0);
    const struct nonet_opinion good = {.score = 900}, bad = {.score = -900};
    trial_track_position(&track, session, &good); /* team of 1 and 3 */
    assert_int_equal(track.leader, 0);
    trial_track_position(&track, session, &bad); /* it is still player 1's turn: the other team */
    assert_int_equal(track.leader, 1);
    assert_int_equal(track.game.lead_changes, 1);
    trial_track_end(&track, session);
    for (int i = 0; i < 4; i++)
        assert_int_equal(track.game.shares[i], NONET_WHOLE_WIN / 2);
    nonet_session_free(session);
}

/* ---- Figures ---- */

/* `winner` 0 is a draw. The opening is the same for all plies. */
static struct trial_game record_of(uint32_t number, int winner, int plies, uint64_t opening) {
    struct trial_game game = {.number = number, .draw = winner == 0, .plies = plies, .decided = -1};
    game.choices = (uint64_t)plies * (uint64_t)(plies - 8);
    game.lead_changes = plies / 5;
    if (winner != 0) {
        game.shares[winner - 1] = NONET_WHOLE_WIN;
        game.decided = plies / 2;
    } else {
        game.shares[0] = game.shares[1] = NONET_WHOLE_WIN / 2;
    }
    for (int i = 0; i < TRIAL_OPENING; i++) {
        game.openings[i] = opening;
        strcpy(game.moves[i], opening == 1 ? "a1" : "b2");
    }
    return game;
}

static void test_figures(void **unused) {
    (void)unused;
    /* Player 1 wins three of four, and one is drawn: 3.5 of 4. */
    struct trial_game games[] = {record_of(0, 1, 10, 0), record_of(1, 1, 12, 0),
                                 record_of(2, 0, 14, 0), record_of(3, 1, 16, 0)};
    struct trial_figures figures;
    trial_figures(games, 4, 2, &figures);
    assert_int_equal(figures.games, 4);
    assert_int_equal(figures.wins[0], 3);
    assert_int_equal(figures.wins[1], 0);
    assert_int_equal(figures.draws, 1);
    /* By Wilson with mean 0.875 and n 4: z^2/n = 0.960365; (0.875 + 0.480182) / 1.960365 =
     * 0.691291; 1.959964 / 1.960365 sqrt(0.109375 / 4 + 0.960365 / 16) = 0.295518. */
    check_interval(figures.shares[0], 0.875, 0.395773, 0.986809, 0.00001);
    check_interval(figures.shares[1], 0.125, 0.013191, 0.604227, 0.00001);
    /* 1 of 4: (0.25 + 0.480182) / 1.960365 = 0.372473; 0.999796 sqrt(0.1875 / 4 + 0.060023) =
     * 0.326885. */
    check_interval(figures.drawn, 0.25, 0.045587, 0.699358, 0.00001);
    check_interval(figures.plies, 13, 10.46970, 15.53030, 0.00001);
    /* 2, 4, 6 and 8 moves: the same deviations, around 5. */
    check_interval(figures.choices, 5, 2.46970, 7.53030, 0.00001);
    /* 2, 2, 2 and 3: mean 2.25, variance 0.75 / 3 = 0.25, error 0.25. */
    check_interval(figures.lead_changes, 2.25, 2.25 - 0.489991, 2.25 + 0.489991, 0.00001);
    /* Only of the games with a winner, half each. */
    check_interval(figures.decided, 0.5, 0.5, 0.5, 1e-12);
    assert_int_equal(figures.decided.count, 3);
    assert_int_equal(figures.swaps[0].openings, 0); /* they cannot be compared */
}

enum { MANY = 40 };

/* Openings 1 (player 1 wins 9 of 12, 75 %) and 2 (4 of 10 with 2 draws, 50 %); 3 is played nine
 * times, once too few, and the rest only once. */
static void many(struct trial_game *games) {
    int count = 0;
    for (int i = 0; i < 12; i++, count++)
        games[count] = record_of((uint32_t)count, i < 9 ? 1 : 2, 9 + count % 7, 1);
    for (int i = 0; i < 10; i++, count++)
        games[count] = record_of((uint32_t)count, i < 4 ? 1 : i < 6 ? 0 : 2, 9 + count % 7, 2);
    for (int i = 0; i < 9; i++, count++)
        games[count] = record_of((uint32_t)count, 1 + i % 2, 9 + count % 7, 3);
    for (; count < MANY; count++)
        games[count] = record_of((uint32_t)count, 1, 9 + count % 7, (uint64_t)count);
}

static void test_swap(void **unused) {
    (void)unused;
    struct trial_game games[MANY];
    struct trial_figures figures;
    many(games);
    trial_figures(games, MANY, 2, &figures);
    for (int i = 0; i < TRIAL_OPENING; i++) {
        const struct trial_swap *swap = &figures.swaps[i];
        assert_int_equal(swap->openings, 12);
        assert_int_equal(swap->often, 2);
        /* Newcombe's method for 5 of 10: 0.2366 to 0.7634. Half is within, so nobody need have an
         * advantage; at worst the chooser has 0.7634. */
        check_interval(swap->first, 0.5, 0.2366, 0.7634, 0.00005);
        check_interval(swap->chooser, 0.5, 0.5, 0.7634, 0.00005);
        for (int ply = 0; ply <= i; ply++)
            assert_string_equal(swap->moves[ply], "b2");
        assert_true(i + 1 == TRIAL_OPENING || swap->moves[i + 1][0] == '\0');
    }
    /* Without the fair opening the chooser takes player 1, after the other one. */
    int left = 0;
    for (int i = 0; i < MANY; i++)
        if (games[i].openings[0] != 2)
            games[left++] = games[i];
    trial_figures(games, left, 2, &figures);
    assert_string_equal(figures.swaps[0].moves[0], "a1");
    struct interval first = interval_share(9, 12);
    check_interval(figures.swaps[0].chooser, 0.75, first.low <= 0.5 ? 0.5 : first.low, first.high,
                   1e-12);
    /* Where player 1 always loses, the chooser takes the other side. */
    for (int i = 0; i < 10; i++)
        games[i] = record_of((uint32_t)i, 2, 9, 7);
    trial_figures(games, 10, 2, &figures);
    check_interval(figures.swaps[0].first, 0, 0, 0.2775, 0.00005);
    check_interval(figures.swaps[0].chooser, 1, 0.7225, 1, 0.00005);
}

/* Records put together in any order are measured as one run. */
static void test_merging(void **unused) {
    (void)unused;
    struct trial_game games[MANY];
    struct trial_figures once, again;
    struct nonet_random random = {3};
    memset(&once, 0, sizeof once);
    memset(&again, 0, sizeof again);
    many(games);
    trial_figures(games, MANY, 2, &once);
    for (int round = 0; round < 100; round++) {
        for (int i = MANY - 1; i > 0; i--) {
            int j = (int)nonet_random_below(&random, (uint32_t)i + 1);
            struct trial_game held = games[i];
            games[i] = games[j];
            games[j] = held;
        }
        trial_figures(games, MANY, 2, &again);
        assert_memory_equal(&once, &again, sizeof once);
    }
}

/* ---- Playing ---- */

static struct trial_game played(struct trial *trial, uint32_t number, uint64_t slice) {
    assert_true(trial_begin(trial, number));
    enum trial_status status = TRIAL_WORKING;
    while (status == TRIAL_WORKING)
        status = trial_advance(trial, slice);
    assert_int_equal(status, TRIAL_DONE);
    return *trial_game(trial);
}

static void check_same(const struct trial_game *a, const struct trial_game *b) {
    char left[1024], right[1024];
    struct nonet_text text = NONET_TEXT_IN(left), other = NONET_TEXT_IN(right);
    trial_write(a, &text);
    trial_write(b, &other);
    assert_string_equal(left, right);
}

/* A game follows from its number, whatever was played before it, and however it was advanced; and
 * its record can be written and read. */
static void test_numbers(void **unused) {
    (void)unused;
    static const char *const names[] = {"quadrangle:rectangles=any", "trix:camps=side,goal=three",
                                        "ksar:frame=4x4", "chasm:players=3",
                                        "masker:players=2,variant=flat"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct trial_wish wish = {
            .options = options_of(names[i]), .levels = {1, 2, 1, 2}, .seed = 42};
        struct trial *one = trial_open(&wish), *two = trial_open(&wish);
        struct trial_wish changed = wish;
        changed.seed = 43;
        struct trial *other = trial_open(&changed);
        bool all_alike = true, other_alike = true;
        assert_true(one != NULL && two != NULL && other != NULL);
        struct trial_game before = {0};
        for (uint32_t number = 0; number < 6; number++) {
            struct trial_game game = played(one, number, UINT64_MAX);
            struct trial_game again = played(two, 5 - number, 7);
            again = played(two, number, 100);
            check_same(&game, &again);
            assert_true(game.plies > 0 && game.plies <= TRIAL_LONGEST);
            assert_true(game.choices >= (uint64_t)game.plies);
            assert_true(game.decided <= game.plies && (game.decided >= 0 || game.draw));
            all_alike = all_alike && (number == 0 || game.choices == before.choices);
            other_alike = other_alike && played(other, number, UINT64_MAX).choices == game.choices;
            before = game;
            char line[1024];
            struct nonet_text text = NONET_TEXT_IN(line);
            struct trial_game copy;
            trial_write(&game, &text);
            assert_true(trial_read(line, &copy));
            check_same(&game, &copy);
        }
        CHECK(!all_alike && !other_alike, "%s: all games are the same", names[i]);
        trial_close(one);
        trial_close(two);
        trial_close(other);
    }
}

static void test_damaged(void **unused) {
    (void)unused;
    struct trial_game game = record_of(3, 1, 12, 9), copy;
    char line[1024], damaged[1024];
    struct nonet_text text = NONET_TEXT_IN(line);
    trial_write(&game, &text);
    assert_true(trial_read(line, &copy));
    assert_false(trial_read("", &copy));
    for (size_t length = 0; length < text.length - 3; length++) {
        memcpy(damaged, line, length);
        damaged[length] = '\0';
        assert_false(trial_read(damaged, &copy));
    }
    nonet_text_add(&text, "\t1");
    assert_false(trial_read(line, &copy));
    static const char *const wrong[] = {
        "3\t2\t0\t12\t0\t0\t0\t12\t48\t2\t6\t9\tb2\t9\tb2\t9\tb2\t9\tb2",
        "3\t0\t0\t13\t0\t0\t0\t12\t48\t2\t6\t9\tb2\t9\tb2\t9\tb2\t9\tb2",
        "3\t0\t0\t12\t0\t0\t0\t401\t48\t2\t6\t9\tb2\t9\tb2\t9\tb2\t9\tb2",
        "3\t0\t0\t12\t0\t0\t0\t12\t48\t2\t13\t9\tb2\t9\tb2\t9\tb2\t9\tb2",
        "3\t0\t0\t12\t0\t0\t0\t12\t48\t2\t6\t99999999999999999999\tb2\t9\tb2\t9\tb2\t9\tb2",
        "3\t0\t0\t12\t0\t0\t0\t12\t9999999999999999\t2\t6\t9\tb2\t9\tb2\t9\tb2\t9\tb2",
        "4294967296\t0\t0\t12\t0\t0\t0\t12\t48\t2\t6\t9\tb2\t9\tb2\t9\tb2\t9\tb2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!trial_read(wrong[i], &copy), "%s", wrong[i]);
    assert_true(
        trial_read("3\t0\t0\t12\t0\t0\t0\t12\t48\t2\t6\t9\tb2\t9\tb2\t9\tb2\t9\tb2", &copy));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),  cmocka_unit_test(test_means),
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_several),
        cmocka_unit_test(test_figures), cmocka_unit_test(test_swap),
        cmocka_unit_test(test_merging), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
