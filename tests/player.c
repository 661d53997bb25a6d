/* The player without threads and clock: what it remembers and what not, its limits, and a game
 * analysed by it alone. The test of the alpha-beta search checks against tables that what it
 * remembers is true. */
#include "search/player.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "study/analysis.h"
#include "variants.h"

static struct nonet_report report, again;

static struct nonet_session *session_of(const char *id) {
    struct nonet_options options = options_of(id);
    nonet_options_deal(&options, 1, 2);
    struct nonet_session *session = nonet_session_new(&options);
    assert_non_null(session);
    return session;
}

static void play(struct nonet_session *session, nonet_move move) {
    struct nonet_message why;
    assert_true(nonet_session_play(session, move, &why));
}

static void think(struct nonet_player *player, const struct nonet_session *session,
                  const struct nonet_player_limits *limits, uint64_t slice,
                  struct nonet_report *into) {
    assert_true(nonet_player_begin(player, session, limits));
    for (int i = 0; i < nonet_player_searches(player); i++)
        while (!nonet_player_advance(player, i, slice))
            ;
    nonet_player_report(player, into);
}

static void check_same(const struct nonet_report *a, const struct nonet_report *b) {
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        assert_int_equal(a->moves[i].move, b->moves[i].move);
        assert_int_equal(a->moves[i].score, b->moves[i].score);
        assert_int_equal(a->moves[i].known, b->moves[i].known);
    }
}

/* With a limit of nodes, the answer depends neither on earlier searches nor on the portions: at
 * every level, in every game. */
static void limited_thinking_repeats(void **unused) {
    (void)unused;
    struct nonet_player *player = nonet_player_open(), *fresh = nonet_player_open();
    assert_true(player != NULL && fresh != NULL);
    for (int g = 0; g < nonet_game_count; g++) {
        struct nonet_session *session = session_of(nonet_games[g]->id);
        nonet_player_new_game(player);
        for (int ply = 0; ply < 6 && nonet_session_turn(session) != 0; ply++) {
            /* Something to remember, which must not matter. */
            const struct nonet_player_limits endless = {.level = NONET_SEARCH_LEVELS,
                                                        .searches = 1};
            uint64_t nodes = nonet_games[g]->wide != NULL ? 20 : 2000;
            assert_true(nonet_player_begin(player, session, &endless));
            nonet_player_advance(player, 0, nodes);
            const struct nonet_player_limits limits = {.level =
                                                           ply % 2 == 0 ? NONET_SEARCH_LEVELS : 4,
                                                       .searches = 1,
                                                       .nodes = nodes,
                                                       .seed = 3};
            think(player, session, &limits, nodes / 7 + 1, &report);
            nonet_player_new_game(fresh);
            think(fresh, session, &limits, UINT64_MAX, &again);
            check_same(&report, &again);
            play(session, report.moves[0].move);
        }
        nonet_session_free(session);
    }
    nonet_player_close(player);
    nonet_player_close(fresh);
}

/* No thread's share is zero nodes. Together they search no more than allowed, except for what one
 * step of each takes. */
static void shares_add_up(void **unused) {
    (void)unused;
    struct nonet_player *player = nonet_player_open();
    struct nonet_session *session = session_of("kudosu");
    for (uint64_t nodes = 1; nodes <= 40; nodes++)
        for (int searches = 1; searches <= 5; searches++) {
            const struct nonet_player_limits limits = {
                .level = 9, .searches = searches, .nodes = nodes};
            think(player, session, &limits, 3, &report);
            int count = nonet_player_searches(player);
            assert_int_equal(count, nodes < (uint64_t)searches ? (int)nodes : searches);
            assert_in_range(report.nodes, 1, nodes + (uint64_t)count);
        }
    /* Every level except the highest has a limit of its own. */
    for (int level = 1; level <= NONET_SEARCH_LEVELS; level++) {
        const struct nonet_player_limits limits = {.level = level, .searches = 1};
        assert_true(nonet_player_begin(player, session, &limits));
        assert_int_equal(nonet_player_nodes(player),
                         nonet_level(nonet_session_options(session), level).nodes);
    }
    nonet_player_close(player);
    nonet_session_free(session);
}

/* Where something is hidden, a search knows nothing of the one before. */
static void hidden_games_keep_nothing(void **unused) {
    (void)unused;
    struct nonet_player *player = nonet_player_open(), *fresh = nonet_player_open();
    struct nonet_session *session = session_of("masker");
    const struct nonet_player_limits limits = {.level = NONET_SEARCH_LEVELS, .searches = 1};
    for (int i = 0; i < 8; i++) {
        assert_true(nonet_player_begin(player, session, &limits));
        nonet_player_advance(player, 0, 3000);
        nonet_player_report(player, &report);
        nonet_player_new_game(fresh);
        assert_true(nonet_player_begin(fresh, session, &limits));
        nonet_player_advance(fresh, 0, 3000);
        nonet_player_report(fresh, &again);
        check_same(&report, &again);
        play(session, report.moves[0].move);
    }
    nonet_player_close(player);
    nonet_player_close(fresh);
    nonet_session_free(session);
}

/* Random games of Quadrangle, analysed by the player alone: where the last move wins, the one
 * before it cannot have been better than the position, and what is proven agrees from move to move.
 */
static void analysis_without_a_host(void **unused) {
    (void)unused;
    struct nonet_random random = {4};
    struct analysis_by_nodes by_nodes = {.player = nonet_player_open(), .nodes = 60000};
    const struct analysis_judge judge = {analysis_think_by_nodes, &by_nodes};
    assert_non_null(by_nodes.player);
    for (int i = 0; i < 5; i++) {
        struct nonet_session *session = session_of("quadrangle");
        while (nonet_session_turn(session) != 0)
            play(session,
                 nonet_session_nth(
                     session, nonet_random_below(&random, (uint32_t)nonet_session_count(session))));
        struct analysis analysis, twice;
        assert_true(analysis_run(&analysis, session, &judge, NULL, NULL));
        assert_int_equal(analysis.count, nonet_session_ply(session));
        const struct analysis_move *last = &analysis.moves[analysis.count - 1];
        struct nonet_result result = {0};
        nonet_session_result(session, &result);
        assert_string_equal(last->played_by, "rules");
        assert_int_equal(last->played.value.outcome == NONET_WIN,
                         result.winners == 1 << (last->player - 1));
        for (int m = 0; m + 1 < analysis.count; m++) {
            const struct analysis_move *move = &analysis.moves[m], *next = move + 1;
            assert_true(move->judged);
            /* A move is worth what the position after it is worth, from the other side. */
            if (next->best.known == NONET_PROVEN)
                assert_int_equal(move->played.value.outcome,
                                 NONET_WIN - (int)next->best.value.outcome);
            assert_true(move->best.known != NONET_PROVEN || move->played.known != NONET_PROVEN ||
                        move->played.value.outcome <= move->best.value.outcome);
        }
        assert_true(analysis_run(&twice, session, &judge, NULL, NULL));
        for (int m = 0; m < analysis.count; m++) {
            assert_int_equal(analysis.moves[m].loss, twice.moves[m].loss);
            assert_int_equal(analysis.moves[m].best.move, twice.moves[m].best.move);
        }
        analysis_close(&analysis);
        analysis_close(&twice);
        nonet_session_free(session);
    }
    nonet_player_close(by_nodes.player);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limited_thinking_repeats),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(hidden_games_keep_nothing),
        cmocka_unit_test(analysis_without_a_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
