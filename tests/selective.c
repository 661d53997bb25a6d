/* The selective search. What it calls proven is compared with the exact search alone, which other
 * tests compare with a plain one. Also what must hold for every report. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/session.h"
#include "search/exact.h"
#include "search/search.h"
#include "variants.h"

static const struct nonet_searcher *const searcher = &nonet_search_selective;
static struct nonet_report report, again;

/* A session after this many random moves, or null if the game is over by then. */
static struct nonet_session *after_random_moves(const struct nonet_options *options, int plies,
                                                struct nonet_random *random) {
    struct nonet_session *session = nonet_session_new(options);
    assert_non_null(session);
    for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++)
        play(session,
             nonet_session_nth(session,
                               nonet_random_below(random, (uint32_t)nonet_session_count(session))));
    if (nonet_session_turn(session) != 0)
        return session;
    nonet_session_free(session);
    return NULL;
}

static struct nonet_search_task task_for(const struct nonet_session *session) {
    struct nonet_search_task task;
    assert_true(nonet_search_task_open(&task, session, nonet_session_turn(session)));
    return task;
}

/* In memory full of random bytes, as a search must not assume any content. */
static void *begin(const struct nonet_search_task *task) {
    size_t size = searcher->size(task);
    assert_int_equal(size % NONET_SEARCH_ALIGN, 0);
    void *search = aligned_alloc(NONET_SEARCH_ALIGN, size);
    assert_non_null(search);
    memset(search, 0xa5, size);
    searcher->begin(search, task);
    return search;
}

/* The moves of a report are the legal ones, each once, and its line can be played. */
static void check_report(const struct nonet_session *session, const struct nonet_report *said) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    nonet_move legal[NONET_MAX_MOVES];
    int count = game->moves(options, nonet_session_state(session), legal);
    assert_int_equal(said->count, count);
    for (int i = 0; i < count; i++) {
        int times = 0;
        for (int j = 0; j < count; j++)
            times += said->moves[j].move == legal[i];
        assert_int_equal(times, 1);
        assert_in_range(said->moves[i].score + NONET_SCORE_WON, 0, 2 * NONET_SCORE_WON);
    }
    assert_in_range(said->line_length, 1, NONET_SEARCH_LINE);
    assert_int_equal(said->line[0], said->moves[0].move);
    struct nonet_state state;
    memcpy(&state, nonet_session_state(session), game->state_size);
    for (int i = 0; i < said->line_length; i++) {
        struct nonet_message why;
        assert_true(game->why(options, &state, said->line[i], &why));
        game->play(options, &state, NULL, said->line[i]);
    }
}

static struct nonet_value exact_value(void *exact, const void *state, int player) {
    struct nonet_proof proof;
    nonet_exact_ask(exact, state, player);
    while (nonet_exact_advance(exact, 1000) == NONET_EXACT_WORKING)
        ;
    assert_true(nonet_exact_answer(exact, &proof));
    return proof.value;
}

/* Once a search has proven all it can, its first move reaches the value of the position, and the
 * other proven moves have their true values. */
static void check_proofs(const struct nonet_session *session, void *exact) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_search_task task = task_for(session);
    void *search = begin(&task);
    while (!searcher->advance(search, 1000))
        ;
    searcher->report(search, &report);
    check_report(session, &report);
    struct nonet_value value = exact_value(exact, &task.state, task.seat);
    assert_int_equal(report.moves[0].known, NONET_PROVEN);
    assert_int_equal(report.moves[0].value.margin, value.margin);
    assert_int_equal(report.moves[0].value.outcome, value.outcome);
    for (int i = 0; i < report.count; i++) {
        const struct nonet_opinion *opinion = &report.moves[i];
        if (opinion->known != NONET_PROVEN)
            continue;
        struct nonet_state after = task.state;
        options->game->play(options, &after, NULL, opinion->move);
        value = exact_value(exact, &after, task.seat);
        assert_true(opinion->value.has_margin);
        assert_int_equal(opinion->value.margin, value.margin);
        assert_int_equal(opinion->value.outcome, value.outcome);
        assert_int_equal(opinion->score,
                         value.outcome == NONET_WIN ? NONET_SCORE_WON : -NONET_SCORE_WON);
    }
    free(search);
    nonet_search_task_close(&task);
}

static void proofs_in_small_frames(void **unused) {
    (void)unused;
    static const char *const frames[] = {"ksar:frame=3x3", "ksar:frame=3x5", "ksar:frame=4x4",
                                         "ksar:frame=5x4"};
    struct nonet_random random = {1};
    size_t size = 16 << 20;
    void *exact = aligned_alloc(NONET_EXACT_ALIGN, size);
    assert_non_null(exact);
    for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++) {
        struct nonet_options options = options_of(frames[f]);
        nonet_exact_begin(exact, size, &options);
        for (int i = 0; i < 30; i++) {
            struct nonet_session *session = after_random_moves(&options, i % 6, &random);
            if (session != NULL)
                check_proofs(session, exact);
            nonet_session_free(session);
        }
    }
    free(exact);
}

/* Who wins is known no later than by how much, and the move that wins does. */
static void wins_before_margins(void **unused) {
    (void)unused;
    struct nonet_random random = {3};
    size_t size = 16 << 20;
    void *exact = aligned_alloc(NONET_EXACT_ALIGN, size);
    void *other = aligned_alloc(NONET_EXACT_ALIGN, size);
    assert_true(exact != NULL && other != NULL);
    struct nonet_options options = options_of("ksar:frame=5x5");
    const struct nonet_game *game = options.game;
    int wins = 0, earlier = 0;
    for (int i = 0; i < 40; i++) {
        struct nonet_session *session = after_random_moves(&options, 1 + i % 5, &random);
        if (session == NULL)
            continue;
        int player = nonet_session_turn(session);
        struct nonet_state state, after;
        nonet_move move;
        memcpy(&state, nonet_session_state(session), game->state_size);
        nonet_exact_begin(exact, size, &options);
        nonet_exact_begin(other, size, &options);
        nonet_exact_ask(exact, &state, player);
        assert_false(nonet_exact_winning(exact, &move));
        bool known = false;
        while (nonet_exact_advance(exact, 1) == NONET_EXACT_WORKING && !known)
            known = nonet_exact_winning(exact, &move);
        earlier += known;
        bool wins_here = exact_value(other, &state, player).outcome == NONET_WIN;
        assert_true(nonet_exact_winning(exact, &move) == wins_here);
        if (wins_here) {
            after = state;
            game->play(&options, &after, NULL, move);
            assert_int_equal(exact_value(other, &after, player).outcome, NONET_WIN);
        }
        wins += wins_here;
        nonet_session_free(session);
    }
    assert_true(wins > 10 && earlier > 5);
    free(exact);
    free(other);
}

/* Calls this for positions of random games in frames of several sizes. */
static void for_positions(void (*check)(const struct nonet_session *, struct nonet_random *)) {
    static const char *const frames[] = {"ksar:frame=3x4", "ksar:frame=7x5", "ksar:frame=10x10",
                                         "ksar:frame=16x16"};
    struct nonet_random random = {2};
    for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++) {
        struct nonet_options options = options_of(frames[f]);
        for (int plies = 0; plies < 24; plies += 3) {
            struct nonet_session *session = after_random_moves(&options, plies, &random);
            if (session != NULL)
                check(session, &random);
            nonet_session_free(session);
        }
    }
}

/* Member by member: what lies between members may differ. */
static void check_same(const struct nonet_report *a, const struct nonet_report *b) {
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->count, b->count);
    assert_string_equal(a->by, b->by);
    for (int i = 0; i < a->count; i++) {
        const struct nonet_opinion *x = &a->moves[i], *y = &b->moves[i];
        assert_int_equal(x->move, y->move);
        assert_int_equal(x->known, y->known);
        assert_int_equal(x->score, y->score);
        assert_int_equal(x->visits, y->visits);
        assert_int_equal(x->value.outcome, y->value.outcome);
        assert_int_equal(x->value.distance, y->value.distance);
        assert_int_equal(x->value.margin, y->value.margin);
        assert_int_equal(x->value.has_margin, y->value.has_margin);
        assert_memory_equal(x->chances, y->chances, sizeof x->chances);
    }
    assert_int_equal(a->line_length, b->line_length);
    assert_memory_equal(a->line, b->line, (size_t)a->line_length * sizeof *a->line);
}

/* The same nodes give the same report, in whatever portions, and no portion is exceeded. */
static void check_portions(const struct nonet_session *session, struct nonet_random *random) {
    struct nonet_search_task task = task_for(session);
    task.level = (int)nonet_random_below(random, NONET_SEARCH_LEVELS) + 1;
    task.seed = nonet_random_next(random);
    uint64_t sum = 0;
    void *search = begin(&task), *whole = begin(&task);
    searcher->report(search, &report);
    check_report(session, &report);
    for (bool done = false; sum < 6000 && !done;) {
        uint64_t portion = 1 + nonet_random_below(random, 700);
        sum += portion;
        done = searcher->advance(search, portion);
        searcher->report(search, &report);
        if (report.nodes > sum)
            assert_in_range(report.nodes - sum, 0, NONET_MAX_MOVES);
    }
    searcher->advance(whole, sum);
    searcher->report(search, &report);
    searcher->report(whole, &again);
    check_report(session, &report);
    check_same(&report, &again);
    for (int i = 0; i < report.count && task.level < NONET_SEARCH_LEVELS; i++)
        assert_int_equal(report.moves[i].known, NONET_ESTIMATED);
    free(search);
    free(whole);
    nonet_search_task_close(&task);
}

static void portions(void **unused) {
    (void)unused;
    for_positions(check_portions);
}

/* Searches that share what they remember each have a report of their own. */
static void check_sharing(const struct nonet_session *session, struct nonet_random *random) {
    (void)random;
    enum { THREADS = 3 };
    struct nonet_search_task tasks[THREADS];
    void *searches[THREADS];
    size_t size = 1 << 16;
    void *shared = aligned_alloc(NONET_SEARCH_ALIGN, size);
    assert_non_null(shared);
    memset(shared, 0, size);
    for (int i = 0; i < THREADS; i++) {
        tasks[i] = task_for(session);
        tasks[i].thread = i;
        tasks[i].shared = shared;
        tasks[i].shared_size = size;
        searches[i] = begin(&tasks[i]);
    }
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < THREADS; i++) {
            searcher->advance(searches[i], 500);
            searcher->report(searches[i], &report);
            check_report(session, &report);
        }
    for (int i = 0; i < THREADS; i++) {
        free(searches[i]);
        nonet_search_task_close(&tasks[i]);
    }
    free(shared);
}

static void sharing(void **unused) {
    (void)unused;
    for_positions(check_sharing);
}

/* Of two threads' reports the deeper one counts, unless the other knows a move that wins, though
 * not yet by how much. */
static void known_wins_stay(void **unused) {
    (void)unused;
    struct nonet_random random = {5};
    struct nonet_options options = options_of("ksar:frame=6x6");
    int wins = 0, others = 0;
    for (int i = 0; i < 40; i++) {
        struct nonet_session *session = after_random_moves(&options, 4 + i % 4, &random);
        if (session == NULL)
            continue;
        struct nonet_search_task task = task_for(session);
        void *search = begin(&task);
        bool done = false;
        do {
            done = searcher->advance(search, 20);
            searcher->report(search, &report);
        } while (!done && report.moves[0].score < NONET_SCORE_WON);
        if (report.moves[0].known != NONET_PROVEN && report.count > 1) {
            bool won = report.moves[0].score == NONET_SCORE_WON;
            again = report;
            again.depth++;
            again.moves[0] = report.moves[1];
            again.moves[1] = report.moves[0];
            nonet_move first = report.moves[0].move;
            nonet_report_merge(&report, &again);
            assert_true((report.moves[0].move == first) == won);
            wins += won;
        }
        free(search);
        search = begin(&task);
        searcher->report(search, &report);
        if (report.count > 1 && report.moves[0].score < NONET_SCORE_WON) {
            again = report;
            again.depth++;
            again.moves[0] = report.moves[1];
            nonet_report_merge(&report, &again);
            assert_int_equal(report.moves[0].move, again.moves[0].move);
            others++;
        }
        free(search);
        nonet_search_task_close(&task);
        nonet_session_free(session);
    }
    CHECK(wins > 5 && others > 20, "%d wins, %d others", wins, others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_in_small_frames),
        cmocka_unit_test(wins_before_margins),
        cmocka_unit_test(portions),
        cmocka_unit_test(sharing),
        cmocka_unit_test(known_wins_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
