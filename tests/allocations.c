/* The library without memory. Whichever allocation fails, the operation fails and says so, frees
 * all that it took, and leaves everything else as it was.
 *
 * The linker routes every allocation through here (--wrap), so that the n-th can fail. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/perft.h"
#include "rules/session.h"
#include "rules/setup.h"
#include "search/player.h"
#include "study/balance.h"
#include "study/judge.h"
#include "study/review.h"
#include "study/trial.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static long asked, failing; /* 0: none fails */

static bool refused(void) {
    return ++asked == failing;
}

void *__wrap_malloc(size_t size) {
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return refused() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return refused() ? NULL : __real_aligned_alloc(alignment, size);
}

static struct nonet_options options_of(const struct nonet_game *game) {
    struct nonet_options options;
    nonet_options_default(&options, game);
    nonet_options_deal(&options, 1, 2);
    return options;
}

/* Plays random moves; false if memory runs out. A refused move leaves the game as it was. */
static bool play_some(struct nonet_session *session, int plies) {
    struct nonet_random random = {7};
    for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++) {
        struct nonet_message why = {0};
        int ply = nonet_session_ply(session), turn = nonet_session_turn(session);
        uint64_t count = nonet_session_count(session);
        nonet_move move = nonet_session_nth(session, nonet_random_next(&random) % count);
        if (nonet_session_play(session, move, &why))
            continue;
        CHECK(why.phrase != NULL, "refused without a reason");
        CHECK(nonet_session_ply(session) == ply && nonet_session_turn(session) == turn &&
                  nonet_session_count(session) == count,
              "a move without memory changed the game");
        return false;
    }
    return true;
}

/* ---- Operations of the library: each returns false if it was refused ---- */

static bool play_a_game(const struct nonet_options *options) {
    struct nonet_session *session = nonet_session_new(options);
    if (session == NULL)
        return false;
    bool done = play_some(session, 80);
    while (nonet_session_undo(session))
        ;
    nonet_session_free(session);
    return done;
}

static bool count_games(const struct nonet_options *options) {
    struct nonet_state state;
    uint64_t count;
    if (options->game->wide != NULL)
        return true;
    options->game->start(options, &state, NULL);
    return nonet_perft(options, &state, NULL, 1, &count);
}

static struct nonet_report report;

static bool search_and_study(const struct nonet_options *options) {
    struct nonet_session *session = nonet_session_new(options);
    if (session == NULL)
        return false;
    bool done = play_some(session, 3);
    struct nonet_search_task task;
    if (done && (done = nonet_search_task_open(&task, session, nonet_session_turn(session))))
        nonet_search_task_close(&task);
    int ply = nonet_session_ply(session);
    const struct review_wish wish = {
        .limits = {.proof_nodes = 20, .nodes = 5000, .memory = 1 << 20}, .first = ply};
    struct review *review = done ? review_open(session, &wish) : NULL;
    enum review_status status = review != NULL ? REVIEW_WORKING : REVIEW_NO_MEMORY;
    while (status == REVIEW_WORKING)
        status = review_advance(review, 5);
    done = done && status == REVIEW_DONE;
    review_close(review);
    CHECK(nonet_session_ply(session) == ply, "the review left the game elsewhere");
    nonet_session_free(session);
    return done;
}

/* Reads a game from its text, and lets a player think about it, twice. */
static bool read_and_think(const struct nonet_options *options) {
    struct nonet_setup_error error;
    struct nonet_session *session =
        nonet_setup_read(options->game->id, &(const struct nonet_chance){1, 2}, &error);
    if (session == NULL) {
        CHECK(error.kind == NONET_SETUP_MEMORY, "%s: refused for another reason",
              options->game->id);
        return false;
    }
    struct nonet_player *player = nonet_player_open();
    bool done = player != NULL;
    for (int turn = 0; turn < 2 && done; turn++) {
        const struct nonet_player_limits limits = {
            .level = NONET_SEARCH_LEVELS, .searches = 2, .memory = 1 << 20};
        done = nonet_player_begin(player, session, &limits);
        for (int i = 0; done && i < nonet_player_searches(player); i++)
            nonet_player_advance(player, i, 2);
        if (done)
            nonet_player_report(player, &report);
        CHECK(!done || report.count > 0, "%s: a report without a move", options->game->id);
    }
    nonet_player_close(player);
    nonet_session_free(session);
    return done;
}

/* Judges a position. Without memory for the proof, the player still has an opinion; without memory
 * for the player there is none. */
static bool judge_moves(const struct nonet_options *options) {
    static struct judge_verdict verdict;
    struct nonet_session *session = nonet_session_new(options);
    struct judge *own = session != NULL ? judge_open() : NULL;
    const struct judge_limits limits = {.proof_nodes = 20, .nodes = 5000, .memory = 1 << 20};
    bool done = own != NULL && judge_begin(own, session, &limits);
    if (done) {
        CHECK(judge_advance(own, UINT64_MAX) == JUDGE_SETTLED, "%s: not settled",
              options->game->id);
        judge_verdict(own, &verdict);
        done = verdict.count > 0 && verdict.moves[0].judged;
    }
    judge_close(own);
    nonet_session_free(session);
    return done;
}

/* Plays some moves to measure the game. */
static bool try_out(const struct nonet_options *options) {
    const struct trial_wish wish = {.options = *options, .levels = {1, 1, 1, 1}};
    struct trial *trial = trial_open(&wish);
    bool done = trial != NULL && trial_begin(trial, 0) &&
                trial_advance(trial, options->game->wide != NULL ? 2 : 300) != TRIAL_NO_MEMORY;
    trial_close(trial);
    return done;
}

static bool open_openings(const struct nonet_options *options) {
    struct balance *openings = nonet_is_open_duel(options) ? balance_open(options, NULL) : NULL;
    bool done = openings != NULL || !nonet_is_open_duel(options);
    balance_close(openings);
    return done;
}

/* Makes each allocation fail in turn, until there is none left. AddressSanitizer finds leaks. */
static void try_all(const struct nonet_options *options,
                    bool (*ask)(const struct nonet_options *options)) {
    for (long n = 1;; n++) {
        asked = 0;
        failing = n;
        bool done = ask(options);
        failing = 0;
        if (asked < n) {
            CHECK(done, "%s: refused although there was memory", options->game->id);
            return;
        }
        CHECK(!done || asked > n, "%s: allocation %ld failed unnoticed", options->game->id, n);
    }
}

static void every_game(bool (*ask)(const struct nonet_options *options)) {
    for (int i = 0; i < nonet_game_count_with_template; i++) {
        struct nonet_options options = options_of(nonet_games[i]);
        try_all(&options, ask);
    }
}

static void calls_come_here(void **state) {
    (void)state;
    struct nonet_options options = options_of(nonet_games[0]);
    failing = 1;
    asked = 0;
    assert_false(play_a_game(&options));
    failing = 0;
    assert_int_equal(asked, 1);
}

static void sessions(void **state) {
    (void)state;
    every_game(play_a_game);
}

static void counting(void **state) {
    (void)state;
    every_game(count_games);
}

static void searching_and_study(void **state) {
    (void)state;
    every_game(search_and_study);
}

static void judging(void **state) {
    (void)state;
    every_game(judge_moves);
}

static void reading_and_thinking(void **state) {
    (void)state;
    every_game(read_and_think);
}

static void trying_out(void **state) {
    (void)state;
    every_game(try_out);
    every_game(open_openings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_here),
        cmocka_unit_test(sessions),
        cmocka_unit_test(counting),
        cmocka_unit_test(searching_and_study),
        cmocka_unit_test(reading_and_thinking),
        cmocka_unit_test(judging),
        cmocka_unit_test(trying_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
