/* The tree searches: plain UCT, and the one that proves what it can.
 *
 * What must hold for any searcher is checked in every variant of every game: moves are legal, each
 * there once, the line can be played; the same nodes give the same report, in whatever portions;
 * memory is kept to. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/session.h"
#include "search/search.h"
#include "variants.h"

static const struct nonet_searcher *const searchers[] = {&nonet_search_uct};
enum { SEARCHERS = sizeof searchers / sizeof searchers[0] };

static struct nonet_report report, again;

/* A task for whoever's turn it is. */
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

static void play(struct nonet_session *session, nonet_move move) {
    struct nonet_message why;
    assert_true(nonet_session_play(session, move, &why));
}

/* Plays so many moves at random; false once the game is over. */
static bool play_random(struct nonet_session *session, int plies, struct nonet_random *random) {
    for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++)
        play(session,
             nonet_session_nth(session,
                               nonet_random_below(random, (uint32_t)nonet_session_count(session))));
    return nonet_session_turn(session) != 0;
}

/* Calls this for positions of random games of every variant of every game. */
static void for_positions(void (*check)(const struct nonet_session *, struct nonet_random *)) {
    struct nonet_random random = {1};
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 1, variants);
        for (int v = 0; v < count; v++) {
            struct nonet_session *session = nonet_session_new(&variants[v]);
            while (play_random(session, (int)nonet_random_below(&random, 20), &random))
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
    if (game->facts & NONET_HIDDEN_INFORMATION || game->wide != NULL)
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
    for (int i = 0; i < SEARCHERS; i++) {
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
    for_positions(check_legal);
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
    for (int i = 0; i < SEARCHERS; i++) {
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
    for_positions(check_portions);
}

/* However little memory it is given, a search works, asks for no more than it must, and keeps to
 * it. */
static void check_memory(const struct nonet_session *session, struct nonet_random *random) {
    struct nonet_search_task task = task_for(session);
    for (int i = 0; i < SEARCHERS; i++) {
        task.memory = 0;
        size_t least = searchers[i]->size(&task);
        task.memory = least + nonet_random_below(random, 4096);
        size_t size = searchers[i]->size(&task);
        CHECK(size >= least && size < task.memory + NONET_SEARCH_ALIGN, "%s: %zu bytes of %zu",
              searchers[i]->name, size, task.memory);
        enum { BEHIND = 4096 };
        unsigned char *memory = aligned_alloc(NONET_SEARCH_ALIGN, size + BEHIND);
        assert_non_null(memory);
        memset(memory, 0xa5, size + BEHIND);
        searchers[i]->begin(memory, &task);
        searchers[i]->advance(memory, 500);
        searchers[i]->report(memory, &report);
        check_report(session, &report, searchers[i]->name);
        for (size_t k = size; k < size + BEHIND; k++)
            CHECK(memory[k] == 0xa5, "%s: wrote behind its memory", searchers[i]->name);
        free(memory);
    }
    nonet_search_task_close(&task);
}

static void little_memory(void **unused) {
    (void)unused;
    for_positions(check_memory);
}

/* ---- Strength ---- */

/* What seat 1 and seat 2 of the same strength would share evenly, this player wins against chance:
 * 18 of 20 games by chance alone come once in 5,000 times. */
static void beats_chance(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count; g++) {
        const struct nonet_game *game = nonet_games[g];
        if (game->wide != NULL) /* a sound game of it takes seconds a move */
            continue;
        for (int i = 0; i < SEARCHERS; i++) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_moves),
        cmocka_unit_test(portions),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(beats_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
