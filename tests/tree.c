/* The tree searches: plain UCT, and the one that proves results where it can.
 *
 * What must hold for any searcher is checked in every variant of every game: moves are legal, each
 * is reported once, and the line can be played; the same nodes give the same report, in whatever
 * portions; the memory limit is respected. Called as "test-tree short", as under sanitizers, it
 * compares fewer proofs and does not measure strength. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "rules/session.h"
#include "search/exact.h"
#include "search/search.h"
#include "variants.h"

static bool is_short;

static const struct nonet_searcher *const searchers[] = {&nonet_search_uct, &nonet_search_tree};
enum { SEARCHERS = sizeof searchers / sizeof searchers[0] };

/* How many of the searchers, from the first on, can play this game. */
static int searchers_for(const struct nonet_game *game) {
    bool listed = game->wide == NULL && game->hidden == NULL;
    return listed ? SEARCHERS : SEARCHERS - 1;
}

static struct nonet_report report, again;

/* A task for the player whose turn it is. */
static struct nonet_search_task task_for(const struct nonet_session *session) {
    struct nonet_search_task task;
    assert_true(nonet_search_task_open(&task, session, nonet_session_turn(session)));
    task.memory = 1 << 20;
    return task;
}

static void *begin(const struct nonet_searcher *searcher, const struct nonet_search_task *task) {
    void *search = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(task));
    assert_non_null(search);
    searcher->begin(search, task);
    return search;
}

static void search_for(const struct nonet_searcher *searcher, const struct nonet_search_task *task,
                       uint64_t nodes, struct nonet_report *into) {
    void *search = begin(searcher, task);
    searcher->advance(search, nodes);
    searcher->report(search, into);
    free(search);
}

/* Plays this many random moves; false once the game is over. */
static bool play_random(struct nonet_session *session, int plies, struct nonet_random *random) {
    for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++)
        play(session,
             nonet_session_nth(session,
                               nonet_random_below(random, (uint32_t)nonet_session_count(session))));
    return nonet_session_turn(session) != 0;
}

/* Calls this for positions of random games of every variant of every game, up to this many plies
 * apart. */
static void for_positions(void (*check)(const struct nonet_session *, struct nonet_random *),
                          uint64_t seed, uint32_t steps) {
    struct nonet_random random = {seed};
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 1, variants);
        for (int v = 0; v < count; v++) {
            struct nonet_session *session = nonet_session_new(&variants[v]);
            while (play_random(session, 1 + (int)nonet_random_below(&random, steps), &random))
                check(session, &random);
            nonet_session_free(session);
        }
    }
}

/* ---- What must hold for any searcher ---- */

static void check_report(const struct nonet_session *session, const struct nonet_report *r,
                         const char *name) {
    const struct nonet_options *options = nonet_session_options(session);
    bool wide = options->game->wide != NULL;
    CHECK(r->count >= 1 && (wide || r->count == (int)nonet_session_count(session)),
          "%s: %d moves in %s", name, r->count, variant_name(options));
    for (int i = 0; i < r->count; i++) {
        const struct nonet_opinion *opinion = &r->moves[i];
        struct nonet_message why;
        CHECK(nonet_session_legal(session, opinion->move, &why), "%s: illegal move in %s", name,
              variant_name(options));
        for (int k = 0; k < i; k++)
            CHECK(r->moves[k].move != opinion->move, "%s: a move twice in %s", name,
                  variant_name(options));
        CHECK(opinion->score >= -NONET_SCORE_WON && opinion->score <= NONET_SCORE_WON,
              "%s: score %d in %s", name, opinion->score, variant_name(options));
    }
    CHECK(r->line_length >= 1 && r->line[0] == r->moves[0].move, "%s: the line starts elsewhere",
          name);
}

/* Where nothing is hidden, what a search expects can be played. */
static void check_line(const struct nonet_search_task *task, const struct nonet_report *r) {
    const struct nonet_options *options = &task->options;
    const struct nonet_game *game = options->game;
    if (game->hidden != NULL || game->wide != NULL)
        return;
    struct nonet_state state = task->state;
    for (int i = 0; i < r->line_length; i++) {
        struct nonet_message why;
        CHECK(game->why(options, &state, r->line[i], &why), "%s: illegal in the line, ply %d",
              variant_name(options), i);
        game->play(options, &state, NULL, r->line[i]);
    }
}

static void check_legal(const struct nonet_session *session, struct nonet_random *random) {
    (void)random;
    struct nonet_search_task task = task_for(session);
    for (int i = 0; i < searchers_for(task.options.game); i++) {
        void *search = begin(searchers[i], &task);
        searchers[i]->report(search, &report);
        check_report(session, &report, searchers[i]->name);
        for (uint64_t nodes = 1; nodes <= 256; nodes *= 16) {
            searchers[i]->advance(search, nodes);
            searchers[i]->report(search, &report);
            check_report(session, &report, searchers[i]->name);
            check_line(&task, &report);
        }
        free(search);
    }
    nonet_search_task_close(&task);
}

static void legal_moves(void **unused) {
    (void)unused;
    for_positions(check_legal, 1, 20);
}

static bool same_opinion(const struct nonet_opinion *a, const struct nonet_opinion *b) {
    return a->move == b->move && a->known == b->known && a->score == b->score &&
           a->visits == b->visits &&
           (a->known != NONET_PROVEN ||
            (a->value.outcome == b->value.outcome && a->value.distance == b->value.distance));
}

static bool same_report(const struct nonet_report *a, const struct nonet_report *b) {
    bool same = a->nodes == b->nodes && a->count == b->count && a->line_length == b->line_length &&
                memcmp(a->line, b->line, sizeof a->line[0] * (size_t)a->line_length) == 0;
    for (int i = 0; same && i < a->count; i++)
        same = same_opinion(&a->moves[i], &b->moves[i]);
    return same;
}

static void check_portions(const struct nonet_session *session, struct nonet_random *random) {
    struct nonet_search_task task = task_for(session);
    task.seed = nonet_random_next(random);
    for (int i = 0; i < searchers_for(task.options.game); i++) {
        const uint64_t nodes = 400;
        search_for(searchers[i], &task, nodes, &report);
        void *search = begin(searchers[i], &task);
        for (uint64_t left = nodes; left > 0;) {
            uint64_t portion = 1 + nonet_random_below(random, 100);
            portion = portion < left ? portion : left;
            searchers[i]->advance(search, portion);
            searchers[i]->report(search, &again);
            left -= portion;
        }
        CHECK(same_report(&report, &again), "%s: portions matter in %s", searchers[i]->name,
              variant_name(&task.options));
        free(search);
    }
    nonet_search_task_close(&task);
}

static void portions(void **unused) {
    (void)unused;
    for_positions(check_portions, 1, 20);
}

/* However little memory it gets, a search works, asks for no more than it needs, and stays within
 * it. */
static void check_memory(const struct nonet_session *session, struct nonet_random *random) {
    struct nonet_search_task task = task_for(session);
    for (int i = 0; i < searchers_for(task.options.game); i++) {
        task.memory = 0;
        size_t least = searchers[i]->size(&task);
        task.memory = least + nonet_random_below(random, 4096);
        size_t size = searchers[i]->size(&task);
        CHECK(size >= least && size < task.memory + NONET_SEARCH_ALIGN, "%s: %zu bytes of %zu",
              searchers[i]->name, size, task.memory);
        enum { BEYOND = 4096 };
        unsigned char *memory = aligned_alloc(NONET_SEARCH_ALIGN, size + BEYOND);
        assert_non_null(memory);
        memset(memory, 0xa5, size + BEYOND);
        searchers[i]->begin(memory, &task);
        searchers[i]->advance(memory, 500);
        searchers[i]->report(memory, &report);
        check_report(session, &report, searchers[i]->name);
        for (size_t k = size; k < size + BEYOND; k++)
            CHECK(memory[k] == 0xa5, "%s: wrote past its memory", searchers[i]->name);
        free(memory);
    }
    nonet_search_task_close(&task);
}

static void little_memory(void **unused) {
    (void)unused;
    for_positions(check_memory, 1, 20);
}

/* Below the highest level nothing is proven, and an overlooked move is neither looked at nor
 * chosen.
 */
static void check_levels(const struct nonet_session *session, struct nonet_random *random) {
    struct nonet_search_task task = task_for(session);
    task.seed = nonet_random_next(random);
    for (int i = 0; i < searchers_for(task.options.game); i++)
        for (task.level = 1; task.level < NONET_SEARCH_LEVELS; task.level++) {
            search_for(searchers[i], &task, 50, &report);
            check_report(session, &report, searchers[i]->name);
            for (int k = 0; k < report.count; k++)
                CHECK(report.moves[k].known != NONET_PROVEN, "%s: proven at level %d",
                      searchers[i]->name, task.level);
        }
    uint64_t position = nonet_hash(&task.state, task.options.game->state_size);
    if (searchers_for(task.options.game) == SEARCHERS) {
        task.level = 1;
        search_for(&nonet_search_tree, &task, 50, &report);
        nonet_move moves[NONET_MAX_MOVES];
        int seen = nonet_seen_moves(&task, &task.state, position, moves);
        for (int k = 0; k < report.count; k++) {
            int at = 0;
            while (at < seen && moves[at] != report.moves[k].move)
                at++;
            CHECK(at < seen || (k > 0 && report.moves[k].visits == 0),
                  "an overlooked move was looked at in %s", variant_name(&task.options));
        }
    }
    nonet_search_task_close(&task);
}

static void levels(void **unused) {
    (void)unused;
    for_positions(check_levels, 1, 20);
}

static uint64_t sum_of_visits(const struct nonet_report *r) {
    uint64_t sum = 0;
    for (int i = 0; i < r->count; i++)
        sum += r->moves[i].visits;
    return sum;
}

/* Threads grow separate trees, and their results are added. */
static void threads(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("chasm:players=3");
    struct nonet_session *session = nonet_session_new(&options);
    struct nonet_search_task task = task_for(session);
    for (int i = 0; i < SEARCHERS; i++) {
        task.thread = 0;
        search_for(searchers[i], &task, 10000, &report);
        task.thread = 1;
        search_for(searchers[i], &task, 10000, &again);
        CHECK(!same_report(&report, &again), "%s: two threads do the same", searchers[i]->name);
        uint64_t visits = sum_of_visits(&report) + sum_of_visits(&again);
        nonet_report_merge(&report, &again);
        assert_int_equal(sum_of_visits(&report), visits);
        check_report(session, &report, searchers[i]->name);
    }
    nonet_search_task_close(&task);
    nonet_session_free(session);
}

/* ---- Proofs, compared with exact searches, which work in another way ---- */

static void *exact;
enum { EXACT_BYTES = 4 << 20 };

static bool exact_value(const struct nonet_options *options, const void *state, int player,
                        struct nonet_value *value) {
    nonet_exact_begin(exact, EXACT_BYTES, options);
    nonet_exact_ask(exact, state, player);
    nonet_exact_advance(exact, 20000);
    struct nonet_proof proof;
    bool settled = nonet_exact_answer(exact, &proof);
    *value = proof.value;
    return settled;
}

static struct {
    int wins, losses, draws; /* that both searches agree on */
    int forced;              /* short wins that the tree search found */
} tally;

/* With three or more players, exact searches compute what one player can reach against all others,
 * so only wins and losses can be compared. Where repetitions draw, they know nothing of the moves
 * before. */
static void check_proofs(const struct nonet_session *session, struct nonet_random *random) {
    struct nonet_search_task task = task_for(session);
    const struct nonet_options *options = &task.options;
    const struct nonet_game *game = options->game;
    if (searchers_for(game) < SEARCHERS || nonet_random_below(random, 2) == 0) {
        nonet_search_task_close(&task);
        return;
    }
    search_for(&nonet_search_tree, &task, 20000, &report);
    bool draws_compare = options->players == 2 && !(game->facts & NONET_REPETITION_DRAWS);
    for (int i = 0; i < report.count; i++) {
        const struct nonet_opinion *opinion = &report.moves[i];
        struct nonet_value value;
        if (opinion->known != NONET_PROVEN ||
            (opinion->value.outcome == NONET_DRAW && !draws_compare))
            continue;
        struct nonet_state after = task.state;
        game->play(options, &after, NULL, opinion->move);
        if (!exact_value(options, &after, task.seat, &value))
            continue;
        CHECK(value.outcome == opinion->value.outcome, "%s: outcome %d is proven, but it is %d",
              variant_name(options), opinion->value.outcome, value.outcome);
        tally.wins += value.outcome == NONET_WIN;
        tally.losses += value.outcome == NONET_LOSS;
        tally.draws += value.outcome == NONET_DRAW;
    }
    struct nonet_value value;
    task.ply = 0; /* because of earlier moves some lines might be drawn */
    if (exact_value(options, &task.state, task.seat, &value) && value.outcome == NONET_WIN &&
        !value.has_margin && value.distance <= 3) {
        task.memory = NONET_SEARCH_MEMORY;
        search_for(&nonet_search_tree, &task, value.distance == 1 ? 1 : 4000000, &report);
        CHECK(report.moves[0].known == NONET_PROVEN && report.moves[0].value.outcome == NONET_WIN,
              "%s: a win in %d plies is not found", variant_name(options), value.distance);
        tally.forced++;
    }
    nonet_search_task_close(&task);
}

static void proofs(void **unused) {
    (void)unused;
    exact = aligned_alloc(NONET_EXACT_ALIGN, EXACT_BYTES);
    assert_non_null(exact);
    for (uint64_t seed = 1; seed <= (is_short ? 1 : 4); seed++)
        for_positions(check_proofs, seed, 8);
    /* Mix 3 ends without a winner often enough. */
    struct nonet_options options = options_of("mix3");
    struct nonet_random random = {5};
    for (int i = 0; i < 100; i++) {
        struct nonet_session *session = nonet_session_new(&options);
        assert_true(play_random(session, 9 + i % 6, &random));
        check_proofs(session, &random);
        nonet_session_free(session);
    }
    free(exact);
    int least = is_short ? 1 : 4;
    CHECK(tally.wins >= 12 * least && tally.losses >= 12 * least && tally.draws >= 10 &&
              tally.forced >= 5 * least,
          "too few to compare: %d wins, %d losses, %d draws, %d short wins", tally.wins,
          tally.losses, tally.draws, tally.forced);
}

/* Which searcher plays which game, as docs/search.md says. A searcher that says that it plays a
 * game can play it. */
static void check_players(const struct nonet_session *session, struct nonet_random *random) {
    (void)random;
    struct nonet_search_task task = task_for(session);
    const struct nonet_options *options = &task.options;
    const char *id = options->game->id, *best = nonet_searcher_for(&task)->name;
    static const struct {
        const char *id, *best;
    } expected[] = {{"masker", "hidden"},    {"fullend", "wide"},      {"ksar", "selective"},
                    {"kolem", "alpha-beta"}, {"kudosu", "alpha-beta"}, {"trix", "alpha-beta"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        CHECK(strcmp(id, expected[i].id) != 0 || strcmp(best, expected[i].best) == 0,
              "%s is played by %s", variant_name(options), best);
    CHECK(strcmp(id, "chasm") != 0 ||
              strcmp(best, options->players > 2 ? "tree" : "alpha-beta") == 0,
          "%s is played by %s", variant_name(options), best);
    for (int i = 0; i < NONET_SEARCHERS; i++) {
        const struct nonet_searcher *searcher = nonet_searchers[i];
        bool named = nonet_searcher_named(searcher->name, options) == searcher;
        CHECK(named == searcher->plays(options), "%s: %s", variant_name(options), searcher->name);
        if (!named)
            continue;
        search_for(searcher, &task, 30, &report);
        struct nonet_message why;
        CHECK(nonet_session_legal(session, report.moves[0].move, &why), "%s: illegal move in %s",
              searcher->name, variant_name(options));
    }
    assert_null(nonet_searcher_named("", options));
    nonet_search_task_close(&task);
}

static void players(void **unused) {
    (void)unused;
    for_positions(check_players, 2, 12);
}

/* Counts saturate: a caller who allows all nodes after some gets no fewer than before. */
static void all_nodes(void **unused) {
    (void)unused;
    assert_true(nonet_nodes_and(7, 5) == 12);
    assert_true(nonet_nodes_and(7, UINT64_MAX) == UINT64_MAX);
    assert_true(nonet_nodes_and(UINT64_MAX - 1, UINT64_MAX - 1) == UINT64_MAX);
    struct nonet_options options = options_of("quadrangle");
    struct nonet_random random = {3};
    int settled = 0;
    while (settled < 10) {
        struct nonet_session *session = nonet_session_new(&options);
        if (play_random(session, 9, &random)) {
            struct nonet_search_task task = task_for(session);
            void *search = begin(&nonet_search_tree, &task);
            if (!nonet_search_tree.advance(search, 1)) {
                assert_true(nonet_search_tree.advance(search, UINT64_MAX));
                settled++;
            }
            free(search);
            nonet_search_task_close(&task);
        }
        nonet_session_free(session);
    }
}

static sigjmp_buf interrupted;

static void interrupt(int signal) {
    (void)signal;
    siglongjmp(interrupted, 1);
}

/* The same of UCT, which never knows everything: it is still searching when it is interrupted. */
static void all_nodes_of_uct(void **unused) {
    (void)unused;
    struct nonet_options options;
    nonet_options_default(&options, nonet_game_find("quadrangle"));
    struct nonet_session *session = nonet_session_new(&options);
    struct nonet_search_task task = task_for(session);
    void *search = begin(&nonet_search_uct, &task);
    assert_false(nonet_search_uct.advance(search, 100));
    void (*before)(int) = signal(SIGVTALRM, interrupt);
    if (sigsetjmp(interrupted, 1) == 0) {
        const struct itimerval soon = {.it_value.tv_usec = 200000};
        setitimer(ITIMER_VIRTUAL, &soon, NULL);
        nonet_search_uct.advance(search, UINT64_MAX);
        setitimer(ITIMER_VIRTUAL, &(const struct itimerval){0}, NULL);
        fail_msg("it looked at no more nodes");
    }
    signal(SIGVTALRM, before);
    free(search);
    nonet_search_task_close(&task);
    nonet_session_free(session);
}

/* ---- Strength ---- */

/* Players of the same strength would win equally often. Against random moves this player wins; 18
 * wins in 20 games would happen by chance only once in 5,000 times. */
static void beats_chance(void **unused) {
    (void)unused;
    if (is_short)
        skip();
    for (int g = 0; g < nonet_game_count; g++) {
        const struct nonet_game *game = nonet_games[g];
        if (game->wide != NULL) /* a good game of it takes seconds for each move */
            continue;
        for (int i = 0; i < searchers_for(game); i++) {
            int share = 0;
            for (int round = 0; round < 20; round++) {
                struct nonet_options options;
                nonet_options_default(&options, game);
                nonet_options_deal(&options, (uint64_t)round, (uint64_t)round);
                struct nonet_session *session = nonet_session_new(&options);
                int seat = 1 + round % 2;
                while (nonet_session_turn(session) != 0) {
                    bool own = nonet_session_turn(session) == seat;
                    struct nonet_search_task task = task_for(session);
                    task.seed = (uint64_t)round;
                    search_for(own ? searchers[i] : &nonet_search_random, &task, 20000, &report);
                    nonet_search_task_close(&task);
                    play(session, report.moves[0].move);
                }
                struct nonet_result result;
                nonet_session_result(session, &result);
                share += nonet_result_share(&options, &result, seat);
                nonet_session_free(session);
            }
            CHECK(share >= 18 * NONET_WHOLE_WIN, "%s: %d/%d of 20 games of %s against chance",
                  searchers[i]->name, share, NONET_WHOLE_WIN, game->id);
        }
    }
}

int main(int count, char **arguments) {
    is_short = count > 1 && strcmp(arguments[1], "short") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_moves),      cmocka_unit_test(portions),
        cmocka_unit_test(little_memory),    cmocka_unit_test(levels),
        cmocka_unit_test(threads),          cmocka_unit_test(proofs),
        cmocka_unit_test(players),          cmocka_unit_test(all_nodes),
        cmocka_unit_test(all_nodes_of_uct), cmocka_unit_test(beats_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
