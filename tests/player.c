/* The player without threads and clock: what it remembers and what not, and its limits. The test of
 * the alpha-beta search checks against tables that what it remembers is true. */
#include "search/player.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "variants.h"

static struct nonet_report report, again;

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
        struct nonet_session *session = session_of(nonet_games[g]->id, 1);
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
    struct nonet_session *session = session_of("kudosu", 1);
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
                         nonet_level(nonet_session_options(session), level, 0).nodes);
    }
    nonet_player_close(player);
    nonet_session_free(session);
}

/* Where something is hidden, a search knows nothing of the one before. */
static void hidden_games_keep_nothing(void **unused) {
    (void)unused;
    struct nonet_player *player = nonet_player_open(), *fresh = nonet_player_open();
    struct nonet_session *session = session_of("masker", 1);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limited_thinking_repeats),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(hidden_games_keep_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
