/* The alpha-beta player. What it calls proven is compared with tables of exact values, which other
 * tests compare with plain solvers. Also what must hold for every report, and play by a table,
 * which must never give a result away.
 *
 *     test-alphabeta KOLEM-TABLE             a sample of positions
 *     test-alphabeta KOLEM-TABLE short       without the large games, as under sanitizers
 *     test-alphabeta KOLEM-TABLE 10000       play by a table in 10000 positions of each game
 */
#include "search/search.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/table_store.h"
#include "host/thinker.h"
#include "search/exact.h"
#include "search/player.h"
#include "search/table_play.h"
#include "solve/listed.h"
#include "variants.h"

enum { SHARED_BYTES = 1 << 20 };

static char folder[] = "/tmp/nonet-alphabeta-XXXXXX";
static const char *kolem_table;
static bool is_short;
static int positions_to_play = 20;

/* ---- Games with their tables ---- */

static struct solved {
    struct nonet_options options;
    struct table_file file;
} solved[16];
static int solved_count;

/* Builds or opens the tables of all games that have one; in a short run, of the smallest only. */
static int open_tables(void **unused) {
    (void)unused;
    if (mkdtemp(folder) == NULL)
        return -1;
    static const char *const games[] = {"trix", "kudosu", "quadrangle", "mix3", "chasm", "kolem"};
    for (int g = 0; g < (is_short ? 1 : 6); g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_game_find(games[g]), 1, variants);
        for (int i = 0; i < count; i++) {
            struct solved *new = &solved[solved_count];
            char path[TABLE_PATH], reason[512];
            struct nonet_text text = NONET_TEXT_IN(path), why = NONET_TEXT_IN(reason);
            struct solve_limits limits = {.threads = 2, .memory = 1 << 30};
            bool kolem = strcmp(games[g], "kolem") == 0;
            /* One variant of games with options; all variants of the smallest. */
            if (variants[i].players != 2 || (g > 0 && i > 0))
                continue;
            new->options = variants[i];
            if (kolem) {
                nonet_text_format(&text, "%s", kolem_table);
            } else {
                nonet_text_format(&text, "%s/", folder);
                table_file_name(&new->options, &text);
                struct solve_report report;
                if (!solve_listed(&new->options, &limits, path, &report, &why))
                    return -1;
                solve_report_free(&report);
            }
            if (table_file_open(path, &new->options, &new->file, &why) != TABLE_FOUND)
                return -1;
            solved_count++;
        }
    }
    return 0;
}

static int close_tables(void **unused) {
    (void)unused;
    for (int i = 0; i < solved_count; i++) {
        if (strcmp(solved[i].file.path, kolem_table) != 0)
            unlink(solved[i].file.path);
        table_file_close(&solved[i].file);
    }
    return rmdir(folder);
}

/* ---- Positions ---- */

static const char *text_of(const struct nonet_options *options, const void *state) {
    static char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, state, &text);
    return line;
}

static void play_randomly(struct nonet_session *session, int plies, struct nonet_random *random) {
    struct nonet_message why;
    for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++) {
        uint64_t count = nonet_session_count(session);
        nonet_move move = nonet_session_nth(session, nonet_random_below(random, (uint32_t)count));
        assert_true(nonet_session_play(session, move, &why));
    }
}

/* A random position that is not over. With `fresh`, nothing is known of the moves that led to it.
 */
static struct nonet_session *random_position(const struct nonet_options *options, int most_plies,
                                             bool fresh, struct nonet_random *random) {
    for (;;) {
        struct nonet_session *session = nonet_session_new(options);
        assert_non_null(session);
        play_randomly(session, (int)nonet_random_below(random, (uint32_t)most_plies), random);
        struct nonet_message why;
        char text[NONET_POSITION_TEXT];
        strcpy(text, text_of(options, nonet_session_state(session)));
        if (fresh && nonet_session_turn(session) != 0)
            assert_true(nonet_session_read(session, text, &why));
        if (nonet_session_turn(session) != 0)
            return session;
        nonet_session_free(session);
    }
}

/* ---- Searches ---- */

struct thinking {
    struct nonet_search_task task;
    void *search;
    int slices; /* how many are left, of a thread */
};

/* The task can still be changed before the search starts. */
static void begin(struct thinking *thinking, const struct nonet_session *session) {
    assert_true(nonet_search_task_open(&thinking->task, session, nonet_session_turn(session)));
    thinking->search = NULL;
}

/* In memory full of random bytes, as a search must not assume any content. */
static void set_off(struct thinking *thinking) {
    size_t size = nonet_search_alphabeta.size(&thinking->task);
    assert_int_equal(size % NONET_SEARCH_ALIGN, 0);
    thinking->search = aligned_alloc(NONET_SEARCH_ALIGN, size);
    assert_non_null(thinking->search);
    memset(thinking->search, 0xa5, size);
    nonet_search_alphabeta.begin(thinking->search, &thinking->task);
}

static void end(struct thinking *thinking) {
    free(thinking->search);
    nonet_search_task_close(&thinking->task);
}

/* What must hold for every report: all legal moves, each once, and a line that can be played. */
static void check_report(const struct nonet_session *session, const struct nonet_report *report) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    nonet_move legal[NONET_MAX_MOVES];
    struct nonet_state state;
    memcpy(&state, nonet_session_state(session), game->state_size);
    int count = game->moves(options, &state, legal);
    CHECK(report->count == count, "%s %s: %d moves reported of %d", variant_name(options),
          text_of(options, &state), report->count, count);
    for (int i = 0; i < count; i++) {
        int found = 0;
        for (int j = 0; j < count; j++)
            found += report->moves[j].move == legal[i];
        CHECK(found == 1, "%s: a move is reported %d times", text_of(options, &state), found);
        assert_in_range(report->moves[i].score + NONET_SCORE_WON, 0, 2 * NONET_SCORE_WON);
    }
    assert_in_range(report->line_length, 1, NONET_SEARCH_LINE);
    assert_int_equal(report->line[0], report->moves[0].move);
    for (int i = 0; i < report->line_length; i++) {
        struct nonet_message why;
        assert_true(game->why(options, &state, report->line[i], &why));
        game->play(options, &state, NULL, report->line[i]);
    }
}

static void check_same(const struct nonet_report *a, const struct nonet_report *b) {
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
    assert_string_equal(a->by, b->by);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        const struct nonet_opinion *one = &a->moves[i], *other = &b->moves[i];
        assert_int_equal(one->move, other->move);
        assert_int_equal(one->known, other->known);
        assert_int_equal(one->score, other->score);
        assert_memory_equal(&one->value, &other->value, sizeof one->value);
    }
    assert_int_equal(a->line_length, b->line_length);
    assert_memory_equal(a->line, b->line, (size_t)a->line_length * sizeof *a->line);
}

/* ---- Proofs ---- */

/* The value of a move by the table, from the side of the player who makes it. */
static struct nonet_value value_by_table(const struct solved *game, const void *state,
                                         nonet_move move) {
    struct nonet_state after = {0};
    memcpy(&after, state, game->options.game->state_size);
    game->options.game->play(&game->options, &after, NULL, move);
    struct nonet_value value;
    struct nonet_message why;
    CHECK(nonet_table_probe(game->file.table, &after, &value, &why), "%s is missing",
          text_of(&game->options, &after));
    value.outcome = (uint8_t)(NONET_WIN - value.outcome);
    value.margin = (int16_t)-value.margin;
    value.distance++;
    return value;
}

static bool agrees(const struct nonet_value *said, const struct nonet_value *truth) {
    if (said->outcome != truth->outcome || said->has_margin != truth->has_margin)
        return false;
    if (said->has_margin)
        return said->margin == truth->margin;
    return said->outcome == NONET_DRAW || said->distance == NONET_UNKNOWN_DISTANCE ||
           said->distance == truth->distance;
}

/* Compares every proof of a report with the table; returns how many there are. */
static int check_proofs(const struct solved *game, const void *state,
                        const struct nonet_report *report) {
    int proofs = 0;
    for (int i = 0; i < report->count; i++) {
        const struct nonet_opinion *opinion = &report->moves[i];
        if (opinion->known != NONET_PROVEN)
            continue;
        struct nonet_value truth = value_by_table(game, state, opinion->move);
        CHECK(
            agrees(&opinion->value, &truth),
            "%s %s, move %d: outcome %d, distance %d, margin %d are called proven, not %d, %d, %d",
            variant_name(&game->options), text_of(&game->options, state), i, opinion->value.outcome,
            opinion->value.distance, opinion->value.margin, truth.outcome, truth.distance,
            truth.margin);
        proofs++;
    }
    return proofs;
}

/* A position in which, according to the table, a search should be able to see the end. */
static struct nonet_session *decided_position(const struct solved *game,
                                              struct nonet_random *random) {
    for (;;) {
        struct nonet_session *session = random_position(&game->options, 40, true, random);
        struct nonet_value value;
        struct nonet_message why;
        assert_true(
            nonet_table_probe(game->file.table, nonet_session_state(session), &value, &why));
        if (value.has_margin || (value.outcome != NONET_DRAW && value.distance <= 9))
            return session;
        nonet_session_free(session);
    }
}

static void proofs_are_true(void **unused) {
    (void)unused;
    static struct nonet_report report;
    struct nonet_random random = {1};
    for (int g = 0; g < solved_count; g++) {
        int proofs = 0;
        for (int i = 0; i < 40; i++) {
            struct nonet_session *session =
                i % 2 == 0 ? decided_position(&solved[g], &random)
                           : random_position(&solved[g].options, 40, true, &random);
            struct thinking thinking;
            begin(&thinking, session);
            set_off(&thinking);
            nonet_search_alphabeta.advance(thinking.search, 20000);
            nonet_search_alphabeta.report(thinking.search, &report);
            check_report(session, &report);
            proofs += check_proofs(&solved[g], &thinking.task.state, &report);
            end(&thinking);
            nonet_session_free(session);
        }
        CHECK(proofs >= 20, "%s: only %d proofs", variant_name(&solved[g].options), proofs);
    }
}

/* Ksar has no table; its values come from the exact search, which works very differently. */
static void ksar_margins(void **unused) {
    (void)unused;
    static struct nonet_report report;
    struct nonet_options options = options_of("ksar:frame=5x5");
    struct nonet_random random = {2};
    enum { BYTES = 8 << 20 };
    void *exact = aligned_alloc(NONET_EXACT_ALIGN, BYTES);
    assert_non_null(exact);
    nonet_exact_begin(exact, BYTES, &options);
    int proofs = 0;
    for (int i = 0; i < 60; i++) {
        struct nonet_session *session = random_position(&options, 8, true, &random);
        struct thinking thinking;
        begin(&thinking, session);
        set_off(&thinking);
        nonet_search_alphabeta.advance(thinking.search, 20000);
        nonet_search_alphabeta.report(thinking.search, &report);
        check_report(session, &report);
        for (int m = 0; m < report.count; m++) {
            if (report.moves[m].known != NONET_PROVEN)
                continue;
            struct nonet_state after = thinking.task.state;
            options.game->play(&options, &after, NULL, report.moves[m].move);
            struct nonet_proof proof;
            nonet_exact_ask(exact, &after, thinking.task.seat);
            while (nonet_exact_advance(exact, 100000) == NONET_EXACT_WORKING)
                ;
            assert_true(nonet_exact_answer(exact, &proof));
            CHECK(agrees(&report.moves[m].value, &proof.value),
                  "%s: outcome %d, margin %d are called proven, not %d, %d",
                  text_of(&options, &after), report.moves[m].value.outcome,
                  report.moves[m].value.margin, proof.value.outcome, proof.value.margin);
            proofs++;
        }
        end(&thinking);
        nonet_session_free(session);
    }
    free(exact);
    CHECK(proofs >= 100, "only %d proofs", proofs);
}

/* In positions that can be searched to the end, everything is proven in the end, and the search
 * says so. */
static void ends_are_reached(void **unused) {
    (void)unused;
    static struct nonet_report report;
    static const char *const games[] = {"kudosu", "quadrangle", "mix3"};
    struct nonet_random random = {3};
    for (int g = 0; g < 3; g++) {
        struct nonet_options options;
        nonet_options_default(&options, nonet_game_find(games[g]));
        for (int i = 0; i < 20; i++) {
            struct nonet_session *session = nonet_session_new(&options);
            play_randomly(session, 8, &random);
            if (nonet_session_turn(session) != 0) {
                struct thinking thinking;
                begin(&thinking, session);
                set_off(&thinking);
                assert_true(nonet_search_alphabeta.advance(thinking.search, 1000000));
                nonet_search_alphabeta.report(thinking.search, &report);
                assert_int_equal(report.moves[0].known, NONET_PROVEN);
                assert_true(nonet_search_alphabeta.advance(thinking.search, 1000));
                end(&thinking);
            }
            nonet_session_free(session);
        }
    }
}

/* ---- Portions, seeds, levels ---- */

/* Calls `check` for positions of all games that the search is for. */
static void for_games(int positions, int level,
                      void (*check)(const struct nonet_session *session, int level)) {
    struct nonet_random random = {4};
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 1, variants);
        for (int v = 0; v < count; v++) {
            const struct nonet_game *game = variants[v].game;
            if (variants[v].players != 2 || game->wide != NULL || game->next == NULL ||
                game->hidden != NULL)
                continue;
            for (int i = 0; i < positions; i++) {
                struct nonet_session *session = random_position(&variants[v], 30, false, &random);
                check(session, level);
                nonet_session_free(session);
            }
        }
    }
}

static void check_portions(const struct nonet_session *session, int level) {
    static struct nonet_report whole, pieces;
    struct thinking thinking;
    enum { SUM = 3000 };
    begin(&thinking, session);
    thinking.task.level = level;
    set_off(&thinking);
    bool done = nonet_search_alphabeta.advance(thinking.search, SUM);
    nonet_search_alphabeta.report(thinking.search, &whole);
    free(thinking.search);
    static const int portions[] = {1, 7, 1000};
    for (int p = 0; p < 3; p++) {
        set_off(&thinking);
        bool done_now = false;
        for (int left = SUM; left > 0; left -= portions[p]) {
            int portion = left < portions[p] ? left : portions[p];
            done_now = nonet_search_alphabeta.advance(thinking.search, (uint64_t)portion);
        }
        nonet_search_alphabeta.report(thinking.search, &pieces);
        assert_int_equal(done, done_now);
        check_same(&whole, &pieces);
        free(thinking.search);
    }
    thinking.search = NULL;
    end(&thinking);
}

static void portions_do_not_matter(void **unused) {
    (void)unused;
    for_games(3, NONET_SEARCH_LEVELS, check_portions);
    for_games(1, 5, check_portions);
}

static void check_level(const struct nonet_session *session, int level) {
    static struct nonet_report report;
    struct thinking thinking;
    begin(&thinking, session);
    thinking.task.level = level;
    thinking.task.seed = 7;
    set_off(&thinking);
    nonet_search_alphabeta.report(thinking.search, &report);
    check_report(session, &report);
    uint64_t nodes = nonet_level(&thinking.task.options, level, 0).nodes;
    nonet_search_alphabeta.advance(thinking.search, nodes);
    nonet_search_alphabeta.report(thinking.search, &report);
    check_report(session, &report);
    /* A position may be searched again at once. */
    assert_in_range(report.nodes, 0, nodes + 64);
    for (int i = 0; i < report.count; i++)
        assert_int_not_equal(report.moves[i].known, NONET_PROVEN);
    end(&thinking);
}

static void low_levels(void **unused) {
    (void)unused;
    for (int level = 1; level < NONET_SEARCH_LEVELS; level++)
        for_games(level < 7 ? 4 : 1, level, check_level);
}

/* ---- Evaluations ---- */

/* What is good for one player is bad for the other, however the board is turned. */
static void check_evaluation(const struct nonet_session *session, int level) {
    (void)level;
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    if (game->evaluate == NULL)
        return;
    const void *state = nonet_session_state(session);
    int first = game->evaluate(options, state, 1), second = game->evaluate(options, state, 2);
    CHECK(first == -second && first >= -NONET_SCORE_WON && first <= NONET_SCORE_WON,
          "%s %s: %d and %d", variant_name(options), text_of(options, state), first, second);
    for (int i = 1; game->symmetries != NULL && i < game->symmetries(options); i++) {
        struct nonet_state turned;
        game->turn_state(options, i, state, &turned);
        CHECK(game->evaluate(options, &turned, 1) == first, "%s %s: not so when turned by %d",
              variant_name(options), text_of(options, state), i);
    }
}

static void evaluations(void **unused) {
    (void)unused;
    for_games(50, NONET_SEARCH_LEVELS, check_evaluation);
}

/* ---- Repetition ---- */

/* Whether the player to move wins within this many plies. Draws by repetition count: every line is
 * played. */
static bool wins_within(struct nonet_session *session, int plies) {
    struct nonet_message why;
    int player = nonet_session_turn(session);
    bool wins = false;
    uint64_t count = nonet_session_count(session);
    for (uint64_t i = 0; i < count && !wins; i++) {
        assert_true(nonet_session_play(session, nonet_session_nth(session, i), &why));
        if (nonet_session_turn(session) == 0) {
            struct nonet_result result = {0};
            nonet_session_result(session, &result);
            wins = result.winners == 1 << (player - 1);
        } else if (plies > 2) {
            wins = true;
            uint64_t replies = nonet_session_count(session);
            for (uint64_t j = 0; j < replies && wins; j++) {
                assert_true(nonet_session_play(session, nonet_session_nth(session, j), &why));
                if (nonet_session_turn(session) == 0) {
                    struct nonet_result result = {0};
                    nonet_session_result(session, &result);
                    wins = result.winners == 1 << (player - 1);
                } else {
                    wins = wins_within(session, plies - 2);
                }
                nonet_session_undo(session);
            }
        }
        nonet_session_undo(session);
    }
    return wins;
}

static void check_history(struct nonet_session *session, const struct nonet_search_task *task,
                          const struct nonet_report *report, int *draws, int *wins) {
    const struct nonet_options *options = &task->options;
    struct nonet_message why;
    for (int i = 0; i < report->count; i++) {
        const struct nonet_opinion *opinion = &report->moves[i];
        assert_true(nonet_session_play(session, opinion->move, &why));
        struct nonet_result result = {0};
        bool over = nonet_session_turn(session) == 0;
        if (over)
            nonet_session_result(session, &result);
        nonet_session_undo(session);
        if (over && result.winners == 3) {
            CHECK(opinion->known == NONET_PROVEN && opinion->value.outcome == NONET_DRAW,
                  "%s: a repetition is not seen", text_of(options, &task->state));
            (*draws)++;
        }
    }
    const struct nonet_opinion *best = &report->moves[0];
    if (best->known == NONET_PROVEN && best->value.outcome == NONET_WIN &&
        best->value.distance > 0 && best->value.distance <= 5) {
        CHECK(wins_within(session, best->value.distance) &&
                  !(best->value.distance > 2 && wins_within(session, best->value.distance - 2)),
              "%s: no win in %d plies", text_of(options, &task->state), best->value.distance);
        (*wins)++;
    }
}

/* A few more moves: a player who can reverses their last move, and makes it again. */
static void go_to_and_fro(struct nonet_session *session, struct nonet_random *random) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_message why;
    for (int k = 0; k < 8 && nonet_session_turn(session) != 0; k++) {
        int ply = nonet_session_ply(session);
        nonet_move wish = 0;
        bool found = false;
        for (uint64_t m = 0; ply >= 4 && m < nonet_session_count(session) && !found; m++) {
            wish = nonet_session_nth(session, m);
            struct nonet_state after = {0};
            memcpy(&after, nonet_session_state(session), options->game->state_size);
            options->game->play(options, &after, NULL, wish);
            for (int back = 1; back < ply && !found; back += 2)
                found = memcmp(&after, nonet_session_state_before(session, ply - back),
                               options->game->state_size) == 0;
        }
        if (!found)
            wish = nonet_session_nth(
                session, nonet_random_below(random, (uint32_t)nonet_session_count(session)));
        assert_true(nonet_session_play(session, wish, &why));
    }
    if (nonet_session_turn(session) == 0)
        nonet_session_undo(session);
}

/* Games in which both players sometimes go back and forth, so that positions have occurred twice.
 */
static void histories(void **unused) {
    (void)unused;
    static struct nonet_report report;
    static const char *const games[] = {"trix", "chasm", "kolem"};
    struct nonet_random random = {5};
    int wins = 0;
    for (int g = 0; g < 3; g++) {
        struct nonet_options options;
        nonet_options_default(&options, nonet_game_find(games[g]));
        int draws = 0;
        for (int i = 0; i < 60; i++) {
            struct nonet_session *session = random_position(&options, 60, false, &random);
            go_to_and_fro(session, &random);
            struct thinking thinking;
            begin(&thinking, session);
            set_off(&thinking);
            nonet_search_alphabeta.advance(thinking.search, 10000);
            nonet_search_alphabeta.report(thinking.search, &report);
            check_report(session, &report);
            check_history(session, &thinking.task, &report, &draws, &wins);
            end(&thinking);
            nonet_session_free(session);
        }
        CHECK(draws >= 5, "%s: only %d draws by repetition", games[g], draws);
    }
    CHECK(wins >= 3, "only %d wins", wins);
}

/* ---- Threads ---- */

static void *search_on(void *argument) {
    struct thinking *thinking = argument;
    while (!nonet_search_alphabeta.advance(thinking->search, 1000))
        if (thinking->slices-- == 0)
            break;
    return NULL;
}

static void threads_share(void **unused) {
    (void)unused;
    enum { THREADS = 3, SLICES = 40 };
    static struct nonet_report report;
    struct nonet_random random = {6};
    void *shared = aligned_alloc(NONET_SEARCH_ALIGN, SHARED_BYTES);
    assert_non_null(shared);
    for (int g = 0; g < solved_count; g++)
        for (int i = 0; i < 8; i++) {
            struct nonet_session *session = random_position(&solved[g].options, 30, true, &random);
            struct thinking thinking[THREADS];
            pthread_t threads[THREADS];
            memset(shared, 0, SHARED_BYTES);
            for (int t = 0; t < THREADS; t++) {
                begin(&thinking[t], session);
                thinking[t].task.shared = shared;
                thinking[t].task.shared_size = SHARED_BYTES;
                thinking[t].task.thread = t;
                set_off(&thinking[t]);
                thinking[t].slices = SLICES;
            }
            for (int t = 0; t < THREADS; t++)
                assert_int_equal(pthread_create(&threads[t], NULL, search_on, &thinking[t]), 0);
            for (int t = 0; t < THREADS; t++) {
                pthread_join(threads[t], NULL);
                nonet_search_alphabeta.report(thinking[t].search, &report);
                check_report(session, &report);
                check_proofs(&solved[g], &thinking[t].task.state, &report);
                end(&thinking[t]);
            }
            nonet_session_free(session);
        }
    free(shared);
}

/* ---- Memory from one position to the next ---- */

/* Thinks with whatever the player remembers, without a limit of nodes except the caller's. */
static void think_on(struct nonet_player *player, const struct nonet_session *session,
                     uint64_t nodes, struct nonet_report *report) {
    const struct nonet_player_limits limits = {
        .level = NONET_SEARCH_LEVELS, .searches = 1, .memory = 4 << 20};
    assert_true(nonet_player_begin(player, session, &limits));
    assert_int_equal(nonet_player_nodes(player), 0);
    for (uint64_t done = 0; done < nodes && !nonet_player_advance(player, 0, 1000); done += 1000)
        ;
    nonet_player_report(player, report);
}

/* Whole games with kept memory: only what the table says is proven. Some moves are random, so that
 * a search meets positions that it did not expect. */
static void kept_memory_is_true(void **unused) {
    (void)unused;
    static struct nonet_report report;
    struct nonet_random random = {8};
    struct nonet_player *player = nonet_player_open();
    assert_non_null(player);
    for (int g = 0; g < solved_count; g++) {
        const struct solved *game = &solved[g];
        bool repeats = game->options.game->facts & NONET_REPETITION_DRAWS;
        int proofs = 0, draws = 0, wins = 0;
        for (int round = 0; round < 4; round++) {
            struct nonet_session *session = nonet_session_new(&game->options);
            nonet_player_new_game(player);
            while (nonet_session_turn(session) != 0 && nonet_session_ply(session) < 80) {
                think_on(player, session, 8000, &report);
                check_report(session, &report);
                struct nonet_search_task task;
                assert_true(nonet_search_task_open(&task, session, nonet_session_turn(session)));
                /* Tables know nothing of positions that have occurred twice. */
                if (repeats)
                    check_history(session, &task, &report, &draws, &wins);
                struct nonet_used_up used_up;
                nonet_used_up_find(&used_up, &task);
                if (used_up.count == 0)
                    proofs += check_proofs(game, &task.state, &report);
                nonet_search_task_close(&task);
                uint64_t count = nonet_session_count(session);
                nonet_move move =
                    nonet_random_below(&random, 4) > 0
                        ? report.moves[0].move
                        : nonet_session_nth(session, nonet_random_below(&random, (uint32_t)count));
                struct nonet_message why;
                assert_true(nonet_session_play(session, move, &why));
            }
            nonet_session_free(session);
        }
        CHECK(proofs >= 10, "%s: only %d proofs", variant_name(&game->options), proofs);
    }
    nonet_player_close(player);
}

/* A proof of one position helps with the next: once found, it is available at once. */
static void kept_memory_helps(void **unused) {
    (void)unused;
    static struct nonet_report report;
    struct nonet_options options = options_of("quadrangle");
    struct nonet_random random = {9};
    uint64_t with = 0, without = 0;
    struct nonet_player *player = nonet_player_open();
    for (int i = 0; i < 10; i++) {
        struct nonet_session *session = random_position(&options, 6, true, &random);
        struct nonet_message why;
        think_on(player, session, 100000, &report);
        assert_true(nonet_session_play(session, report.moves[0].move, &why));
        if (nonet_session_turn(session) != 0) {
            think_on(player, session, 1000000, &report);
            with += report.nodes;
            nonet_player_new_game(player);
            think_on(player, session, 1000000, &report);
            without += report.nodes;
        }
        nonet_session_free(session);
    }
    nonet_player_close(player);
    CHECK(2 * with < without, "%llu nodes with memory, %llu without", (unsigned long long)with,
          (unsigned long long)without);
}

static uint64_t thinker_nodes(struct thinker *thinker, const struct nonet_session *session) {
    const struct thinker_limits limits = {
        .seconds = 60, .threads = 1, .searcher = &nonet_search_alphabeta};
    const struct nonet_report *report =
        thinker_think(thinker, session, NONET_SEARCH_LEVELS, &limits);
    assert_non_null(report);
    assert_int_equal(report->moves[0].known, NONET_PROVEN);
    return report->nodes;
}

/* The same of a player with threads and a clock, as the terminal, matches and UGI use it. */
static void thinkers_remember(void **unused) {
    (void)unused;
    struct nonet_options options;
    struct nonet_message why;
    nonet_options_default(&options, nonet_game_find("kolem"));
    assert_true(nonet_options_set(&options, "steps=4", &why));
    struct nonet_session *session = nonet_session_new(&options);
    struct thinker *thinker = thinker_open(&options);
    assert_true(nonet_session_read(session, "WBB../W.WB./BW.../.W.../WB... 0 0 1", &why));
    thinker_nodes(thinker, session);
    assert_true(nonet_session_play_text(session, "b2a2", &why));
    uint64_t with = thinker_nodes(thinker, session);
    thinker_new_game(thinker);
    uint64_t without = thinker_nodes(thinker, session);
    CHECK(5 * with < without, "%llu nodes with memory, %llu without", (unsigned long long)with,
          (unsigned long long)without);
    thinker_close(thinker);
    nonet_session_free(session);
}

/* ---- Play by a table ---- */

/* The worth of a value to the player who has it, for comparisons. */
static int worth(const struct nonet_value *value) {
    if (value->has_margin)
        return 2 * value->margin + value->outcome - NONET_DRAW;
    return value->outcome == NONET_WIN    ? 10000 - value->distance
           : value->outcome == NONET_LOSS ? value->distance - 10000
                                          : 0;
}

/* Of a thousand replies of the other player, how many make that player's result worse. */
static int errors_after(const struct solved *game, const void *state, nonet_move move) {
    const struct nonet_options *options = &game->options;
    struct nonet_state after = {0};
    memcpy(&after, state, options->game->state_size);
    options->game->play(options, &after, NULL, move);
    struct nonet_value best;
    struct nonet_message why;
    assert_true(nonet_table_probe(game->file.table, &after, &best, &why));
    nonet_move replies[NONET_MAX_MOVES];
    int count = options->game->moves(options, &after, replies), errors = 0;
    for (int i = 0; i < count; i++) {
        struct nonet_value value = value_by_table(game, &after, replies[i]);
        errors += worth(&value) < worth(&best);
    }
    return count == 0 ? 0 : 1000 * errors / count;
}

/* Of the best moves, no other is harder to answer than the first. */
static void check_hardest(const struct solved *game, const void *state,
                          const struct nonet_report *report) {
    int errors = errors_after(game, state, report->moves[0].move);
    for (int m = 1; m < report->count; m++)
        if (worth(&report->moves[m].value) == worth(&report->moves[0].value))
            assert_true(errors_after(game, state, report->moves[m].move) <= errors);
}

static void table_keeps_results(void **unused) {
    (void)unused;
    static struct nonet_report report;
    struct nonet_random random = {7};
    for (int g = 0; g < solved_count; g++) {
        const struct solved *game = &solved[g];
        for (int i = 0; i < positions_to_play; i++) {
            struct nonet_session *session = random_position(&game->options, 60, true, &random);
            struct thinking thinking;
            struct nonet_value value;
            struct nonet_message why;
            begin(&thinking, session);
            thinking.task.table = game->file.table;
            thinking.task.seed = (uint64_t)i;
            set_off(&thinking);
            assert_true(nonet_search_alphabeta.advance(thinking.search, 100000));
            nonet_search_alphabeta.report(thinking.search, &report);
            check_report(session, &report);
            assert_string_equal(report.by, "table");
            const void *state = nonet_session_state(session);
            assert_int_equal(check_proofs(game, state, &report), report.count);
            assert_true(nonet_table_probe(game->file.table, state, &value, &why));
            CHECK(worth(&report.moves[0].value) == worth(&value), "%s %s: the result is given away",
                  variant_name(&game->options), text_of(&game->options, state));
            for (int m = 1; m < report.count; m++)
                assert_true(worth(&report.moves[m].value) <= worth(&report.moves[m - 1].value));
            if (i % 64 < 2) /* takes ten times as long as all the rest */
                check_hardest(game, state, &report);
            end(&thinking);
            nonet_session_free(session);
        }
        print_message("%s: %d positions\n", variant_name(&game->options), positions_to_play);
    }
}

/* If a position has occurred twice, moving there draws, whatever the table says. */
static void table_knows_repetitions(void **unused) {
    (void)unused;
    static struct nonet_report report;
    static const char *const to_and_fro[] = {"a2a3", "d4c3", "a3a2", "c3d4",
                                             "a2a3", "d4c3", "a3a2"};
    struct nonet_session *session = nonet_session_new(&solved[0].options);
    struct nonet_message why;
    for (int i = 0; i < 7; i++)
        assert_true(nonet_session_play_text(session, to_and_fro[i], &why));
    struct thinking thinking;
    nonet_move back;
    assert_true(solved[0].options.game->parse(&solved[0].options, "c3d4", &back, &why));
    for (int with_table = 0; with_table < 2; with_table++) {
        begin(&thinking, session);
        thinking.task.table = with_table ? solved[0].file.table : NULL;
        set_off(&thinking);
        nonet_search_alphabeta.advance(thinking.search, 3000);
        nonet_search_alphabeta.report(thinking.search, &report);
        check_report(session, &report);
        for (int i = 0; i < report.count; i++)
            if (report.moves[i].move == back) {
                assert_int_equal(report.moves[i].known, NONET_PROVEN);
                assert_int_equal(report.moves[i].value.outcome, NONET_DRAW);
            }
        end(&thinking);
    }
    nonet_session_free(session);
}

/* Thinks by the table, with or without the whole line. */
static void think_by_table(const struct solved *game, const struct nonet_session *session,
                           bool whole_line, struct nonet_report *report) {
    struct thinking thinking;
    begin(&thinking, session);
    thinking.task.table = game->file.table;
    thinking.task.whole_line = whole_line;
    set_off(&thinking);
    assert_true(nonet_search_alphabeta.advance(thinking.search, 1000000));
    nonet_search_alphabeta.report(thinking.search, report);
    end(&thinking);
}

/* Whether the session's position occurred before, after this ply or at it. */
static bool came_back(const struct nonet_session *session, int from) {
    size_t size = nonet_session_options(session)->game->state_size;
    for (int ply = from; ply < nonet_session_ply(session); ply++)
        if (memcmp(nonet_session_state(session), nonet_session_state_before(session, ply), size) ==
            0)
            return true;
    return false;
}

/* Plays the report's line. With `exact`, every move keeps the value that the table gave before it,
 * and a win or loss takes as many plies as it says. */
static void check_line(const struct solved *game, struct nonet_session *session,
                       const struct nonet_report *report, bool exact) {
    const struct nonet_options *options = &game->options;
    int from = nonet_session_ply(session);
    struct nonet_value value, first;
    struct nonet_message why;
    assert_true(nonet_table_probe(game->file.table, nonet_session_state(session), &first, &why));
    value = first;
    for (int i = 0; i < report->line_length; i++) {
        struct nonet_value kept =
            value_by_table(game, nonet_session_state(session), report->line[i]);
        if (exact)
            CHECK(worth(&kept) == worth(&value), "%s %s: move %d of the line gives the value away",
                  variant_name(options), text_of(options, nonet_session_state(session)), i + 1);
        CHECK(nonet_session_play(session, report->line[i], &why), "%s: move %d is not legal",
              variant_name(options), i + 1);
        if (nonet_session_turn(session) != 0)
            assert_true(
                nonet_table_probe(game->file.table, nonet_session_state(session), &value, &why));
    }
    bool over = nonet_session_turn(session) == 0;
    if (!over && (first.outcome == NONET_DRAW || !exact))
        CHECK(report->line_length == NONET_DRAWN_LINE || came_back(session, from),
              "%s: a line of %d moves ends for no reason", variant_name(options),
              report->line_length);
    else
        CHECK(over, "%s: the line does not go to the end", variant_name(options));
    if (exact && first.outcome != NONET_DRAW && !first.has_margin)
        assert_int_equal(report->line_length, first.distance);
}

static void table_lines_go_to_the_end(void **unused) {
    (void)unused;
    static struct nonet_report report, brief;
    struct nonet_random random = {10};
    for (int g = 0; g < solved_count; g++) {
        const struct solved *game = &solved[g];
        for (int i = 0; i < positions_to_play; i++) {
            struct nonet_session *session =
                random_position(&game->options, 60, i % 2 == 0, &random);
            if (i % 2 != 0)
                go_to_and_fro(session, &random);
            think_by_table(game, session, false, &brief);
            think_by_table(game, session, true, &report);
            check_report(session, &report);
            assert_int_equal(brief.line_length, 1);
            assert_int_equal(report.line[0], brief.line[0]);
            check_line(game, session, &report, i % 2 == 0);
            nonet_session_free(session);
        }
    }
}

/* The longest win that docs/results.md tells of. */
static void longest_line(void **unused) {
    (void)unused;
    static struct nonet_report report;
    const struct solved *game = &solved[solved_count - 1];
    if (is_short)
        return;
    struct nonet_session *session = nonet_session_new(&game->options);
    struct nonet_message why;
    assert_true(nonet_session_read(session, "...../B.WBW/W.WB./..WB./.BWW. 0 0 1", &why));
    think_by_table(game, session, true, &report);
    assert_int_equal(report.line_length, 67);
    check_line(game, session, &report, true);
    nonet_session_free(session);
}

int main(int count, char **arguments) {
    if (count < 2)
        return 2;
    kolem_table = arguments[1];
    is_short = count > 2 && strcmp(arguments[2], "short") == 0;
    if (count > 2 && !is_short)
        positions_to_play = atoi(arguments[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_are_true),
        cmocka_unit_test(ksar_margins),
        cmocka_unit_test(ends_are_reached),
        cmocka_unit_test(portions_do_not_matter),
        cmocka_unit_test(low_levels),
        cmocka_unit_test(evaluations),
        cmocka_unit_test(histories),
        cmocka_unit_test(threads_share),
        cmocka_unit_test(kept_memory_is_true),
        cmocka_unit_test(kept_memory_helps),
        cmocka_unit_test(thinkers_remember),
        cmocka_unit_test(table_keeps_results),
        cmocka_unit_test(table_knows_repetitions),
        cmocka_unit_test(table_lines_go_to_the_end),
        cmocka_unit_test(longest_line),
    };
    const struct CMUnitTest by_table[] = {cmocka_unit_test(table_keeps_results)};
    if (count > 2 && !is_short)
        return cmocka_run_group_tests(by_table, open_tables, close_tables);
    return cmocka_run_group_tests(tests, open_tables, close_tables);
}
