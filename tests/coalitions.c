/* Chasm with three players: numbers for its positions, the solver of one player against the others,
 * and tables with several values of a position. The whole game takes too long for a test, so it is
 * solved with few pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/table_store.h"
#include "rules/ranking.h"
#include "rules/setup.h"
#include "search/exact.h"
#include "search/search.h"
#include "solve/coalitions.h"
#include "solve/table_writer.h"
#include "solve/verify.h"
#include "table/codec.h"
#include "variants.h"

enum { PLAYERS = 3, OPENING = 11, PLACED = 12 };

static struct nonet_options options;
static const struct nonet_ranking *ranking;
static void *numbers; /* the index */
static char folder[] = "/tmp/nonet-coalitions-XXXXXX", path[64], other_path[64];

static int set_up(void **unused) {
    (void)unused;
    options = options_of("chasm:players=3");
    ranking = nonet_ranking_of(&options);
    assert_non_null(ranking);
    numbers = malloc(ranking->index_size(&options));
    assert_non_null(numbers);
    ranking->build_index(&options, numbers);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/table", folder);
    snprintf(other_path, sizeof other_path, "%s/other", folder);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    free(numbers);
    unlink(path);
    unlink(other_path);
    return rmdir(folder);
}

static const char *text_of(const struct nonet_state *state) {
    static char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options.game->write(&options, state, &text);
    return line;
}

/* ---- Numbers ---- */

/* Only with three players. */
static void others_have_no_numbers(void **unused) {
    (void)unused;
    struct nonet_options two = options_of("chasm:players=2"), four = options_of("chasm:players=4");
    assert_null(nonet_ranking_of(&two));
    assert_null(nonet_ranking_of(&four));
    assert_false(solve_coalitions_applies(&two));
    assert_false(solve_coalitions_applies(&four));
    assert_true(solve_coalitions_applies(&options));
}

/* Each number yields a position that has this number, or a lower one as its own. With the positions
 * symmetric to them, those with a number of their own are all boards with so many pieces: 16 cells,
 * of which each player chooses theirs. */
static void all_boards_have_numbers(void **unused) {
    (void)unused;
    static const uint64_t boards[] = {
        720720,      /* 120 * 91 * 66 */
        3 * 2402400, /* 120 * 91 * 220, whoever has three */
    };
    for (int tier = 0; tier < 2; tier++) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < ranking->size(&options, numbers, tier); i++) {
            struct nonet_state state;
            uint64_t number;
            ranking->unrank(&options, numbers, tier, i, &state);
            assert_int_equal(ranking->rank(&options, numbers, &state, &number), tier);
            assert_true(number <= i);
            if (number == i)
                sum += (uint64_t)nonet_orbit(&options, &state);
        }
        assert_int_equal(sum, boards[tier]);
    }
}

/* The position with everybody one seat further on: what was player 1's is player 2's, and so on. */
static void move_seats(const struct nonet_state *state, struct nonet_state *moved) {
    char text[NONET_POSITION_TEXT];
    strcpy(text, text_of(state));
    for (char *c = text; *c != ' '; c++)
        *c = *c == 'A' ? 'B' : *c == 'B' ? 'C' : *c == 'C' ? 'A' : *c;
    char *turn = text + strlen(text) - 1;
    *turn = *turn == '3' ? '1' : (char)(*turn + 1);
    struct nonet_message why;
    CHECK(options.game->read(&options, text, moved, NULL, &why), "%s", text);
}

/* In random games: all symmetric positions have the same number, and nothing else does, as it
 * yields one of them. A turn that pushes nobody off stays in its tier, and others go down. */
static void games_have_numbers(void **unused) {
    (void)unused;
    struct nonet_random random = {3};
    for (int game = 0; game < 2000; game++) {
        struct nonet_state state;
        int last = OPENING;
        options.game->start(&options, &state, NULL);
        for (int ply = 0; options.game->turn(&options, &state) != 0; ply++) {
            struct nonet_state turned, again, canonical[2];
            uint64_t number, same;
            int tier = ranking->rank(&options, numbers, &state, &number);
            CHECK(tier >= 0 && tier <= last, "%s", text_of(&state));
            assert_int_equal(tier == OPENING, ply < PLACED);
            assert_true(number < ranking->size(&options, numbers, tier));
            last = tier;
            int symmetry = (int)nonet_random_below(&random, 8);
            options.game->turn_state(&options, symmetry, &state, &turned);
            assert_int_equal(ranking->rank(&options, numbers, &turned, &same), tier);
            assert_int_equal(same, number);
            ranking->unrank(&options, numbers, tier, number, &again);
            while (ply >= PLACED &&
                   options.game->turn(&options, &state) != options.game->turn(&options, &again)) {
                turned = again;
                move_seats(&turned, &again);
                assert_int_equal(ranking->rank(&options, numbers, &again, &same), tier);
                assert_int_equal(same, number);
            }
            nonet_canonical(&options, &state, &canonical[0]);
            nonet_canonical(&options, &again, &canonical[1]);
            CHECK(memcmp(&canonical[0], &canonical[1], options.game->state_size) == 0, "%s",
                  text_of(&state));
            nonet_move moves[NONET_MAX_MOVES];
            int count = options.game->moves(&options, &state, moves);
            options.game->play(&options, &state, NULL,
                               moves[nonet_random_below(&random, (uint32_t)count)]);
        }
        uint64_t none;
        assert_int_equal(ranking->rank(&options, numbers, &state, &none), -1);
    }
}

/* Every listed position of the opening is one that can be read, and has its own number. */
static void opening_is_listed(void **unused) {
    (void)unused;
    enum { STEP = 97 };
    for (uint64_t i = 0; i < ranking->size(&options, numbers, OPENING); i += STEP) {
        struct nonet_state state, again;
        struct nonet_message why;
        uint64_t number;
        ranking->unrank(&options, numbers, OPENING, i, &state);
        CHECK(options.game->read(&options, text_of(&state), &again, NULL, &why), "%s",
              text_of(&state));
        assert_int_equal(ranking->rank(&options, numbers, &again, &number), OPENING);
        assert_int_equal(number, i);
    }
}

/* ---- Tables ---- */

static void solve(const char *to, const struct solve_limits *limits,
                  struct coalitions_report *report) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    CHECK(solve_coalitions(&options, limits, to, report, &why), "%s", reason);
}

/* A table up to so many pieces of each player. */
static void build(int material, struct table_file *file) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 2, .material = material};
    struct coalitions_report report;
    solve(path, &limits, &report);
    CHECK(table_file_open(path, &options, file, &why) == TABLE_FOUND, "%s", reason);
}

static bool verified(struct verify_report *report, char *reason, size_t size) {
    struct solve_limits limits = {.threads = 2};
    struct nonet_text why = nonet_text_in(reason, size);
    return verify_table(path, &limits, report, &why);
}

static bool can_be_read(const struct nonet_state *state) {
    struct nonet_state again;
    struct nonet_message why;
    return options.game->read(&options, text_of(state), &again, NULL, &why);
}

/* What a search finds for a player. */
static struct nonet_value searched(void *exact, const struct nonet_state *state, int player) {
    struct nonet_proof proof;
    nonet_exact_ask(exact, state, player);
    assert_int_equal(nonet_exact_advance(exact, UINT64_MAX / 2), NONET_EXACT_SETTLED);
    assert_true(nonet_exact_answer(exact, &proof));
    return proof.value;
}

/* All positions with two pieces each. There are (720720 + 3 * 336 + 2 * 768) / 8 of them: as many
 * as each of the symmetries leaves as they are, by Burnside's lemma. A move leads to 90,317 of
 * them; tests/exact.c solves these in another way, and docs/results-search.md has the counts. */
static void two_pieces_each(void **unused) {
    (void)unused;
    struct table_file file;
    struct verify_report report;
    char reason[512];
    build(2, &file);
    CHECK(verified(&report, reason, sizeof reason), "%s", reason);
    assert_int_equal(report.positions, 90408);
    assert_int_equal(report.values, PLAYERS);
    for (int value = 0; value < PLAYERS; value++)
        assert_int_equal(report.of[value].wins + report.of[value].losses, report.positions);
    size_t size = (nonet_exact_least(&options) / NONET_EXACT_ALIGN + (1 << 18)) * NONET_EXACT_ALIGN;
    void *exact = aligned_alloc(NONET_EXACT_ALIGN, size);
    nonet_exact_begin(exact, size, &options);
    int reached = 0, wins[PLAYERS] = {0}, longest[3] = {0};
    for (uint64_t i = 0; i < ranking->size(&options, numbers, 0); i++) {
        struct nonet_state state;
        uint64_t number;
        ranking->unrank(&options, numbers, 0, i, &state); /* player 1 is to move */
        ranking->rank(&options, numbers, &state, &number);
        if (number != i || !can_be_read(&state))
            continue;
        reached++;
        for (int player = 1; player <= PLAYERS; player++) {
            struct nonet_value value, other = searched(exact, &state, player);
            struct nonet_message why;
            assert_true(nonet_table_probe_for(file.table, &state, player, &value, &why));
            CHECK(nonet_value_compare(&value, &other) == 0, "%s for %d: %d in %d, not %d",
                  text_of(&state), player, value.outcome, value.distance, other.distance);
            wins[player - 1] += value.outcome == NONET_WIN;
            if (value.distance > longest[value.outcome])
                longest[value.outcome] = value.distance;
        }
    }
    assert_int_equal(reached, 90317);
    assert_int_equal(wins[0], 17948);
    assert_int_equal(wins[1], 6039);
    assert_int_equal(wins[2], 980);
    assert_int_equal(longest[NONET_WIN], 7);
    assert_int_equal(longest[NONET_LOSS], 9);
    free(exact);
    table_file_close(&file);
}

/* Positions of random games: values come round with the seats. A finished position has the value of
 * its result, and one with more pieces is not in the table. */
static void games_have_values(void **unused) {
    (void)unused;
    struct table_file file;
    build(2, &file);
    struct nonet_random random = {8};
    int found = 0, finished = 0;
    for (int game = 0; game < 2000; game++) {
        struct nonet_state state;
        struct nonet_message why;
        options.game->start(&options, &state, NULL);
        while (options.game->turn(&options, &state) != 0) {
            nonet_move moves[NONET_MAX_MOVES];
            int count = options.game->moves(&options, &state, moves);
            uint64_t number;
            int tier = ranking->rank(&options, numbers, &state, &number);
            struct nonet_value values[PLAYERS], mover;
            for (int player = 1; player <= PLAYERS; player++)
                assert_int_equal(
                    nonet_table_probe_for(file.table, &state, player, &values[player - 1], &why),
                    tier == 0);
            if (tier == 0) {
                struct nonet_state moved;
                move_seats(&state, &moved);
                for (int player = 1; player <= PLAYERS; player++) {
                    struct nonet_value value;
                    assert_true(nonet_table_probe_for(file.table, &moved, player % PLAYERS + 1,
                                                      &value, &why));
                    assert_int_equal(nonet_value_compare(&value, &values[player - 1]), 0);
                }
                assert_true(nonet_table_probe(file.table, &state, &mover, &why));
                int turn = options.game->turn(&options, &state);
                assert_int_equal(nonet_value_compare(&mover, &values[turn - 1]), 0);
                found++;
            }
            options.game->play(&options, &state, NULL,
                               moves[nonet_random_below(&random, (uint32_t)count)]);
        }
        struct nonet_result result = {0};
        options.game->result(&options, &state, &result);
        for (int player = 1; player <= PLAYERS; player++) {
            struct nonet_value value;
            assert_true(nonet_table_probe_for(file.table, &state, player, &value, &why));
            assert_int_equal(value.outcome == NONET_WIN, result.winners >> (player - 1) & 1);
            assert_int_equal(value.distance, 0);
            finished++;
        }
    }
    CHECK(found > 100 && finished == 2000 * PLAYERS, "%d positions", found);
    table_file_close(&file);
}

static struct nonet_value probe(const struct table_file *file, const struct nonet_state *state,
                                int player) {
    struct nonet_value value;
    struct nonet_message why;
    assert_true(nonet_table_probe_for(file->table, state, player, &value, &why));
    return value;
}

/* How a move leaves the player who made it: whether they force a win, and whether somebody else
 * does. */
struct outlook {
    int wins_in; /* plies after the move, or -1 */
    bool gives_away;
};

static struct outlook outlook_of(const struct table_file *file, const struct nonet_state *state,
                                 nonet_move move) {
    int seat = options.game->turn(&options, state);
    struct outlook outlook = {.wins_in = -1};
    struct nonet_state after = *state;
    options.game->play(&options, &after, NULL, move);
    for (int player = 1; player <= PLAYERS; player++) {
        struct nonet_value value = probe(file, &after, player);
        if (value.outcome == NONET_WIN && player == seat)
            outlook.wins_in = value.distance;
        else if (value.outcome == NONET_WIN)
            outlook.gives_away = true;
    }
    return outlook;
}

/* The highest level wins as soon as it can where it can force that, and does not give a win away
 * where it need not. It hardly searches here. */
static void check_choice(const struct table_file *file, const struct nonet_state *state) {
    enum { NODES = 40 };
    static struct nonet_report report;
    const struct nonet_setup setup = {options, text_of(state)};
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_open(&setup, NULL, &error);
    struct nonet_search_task task;
    assert_non_null(session);
    int seat = nonet_session_turn(session);
    assert_true(nonet_search_task_open(&task, session, seat));
    task.table = file->table;
    task.memory = 1 << 20;
    const struct nonet_searcher *searcher = nonet_searcher_for(&task);
    void *search = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(&task));
    searcher->begin(search, &task);
    searcher->advance(search, NODES);
    searcher->report(search, &report);
    struct outlook chosen = outlook_of(file, state, report.moves[0].move);
    struct nonet_value value = probe(file, state, seat);
    if (value.outcome == NONET_WIN) {
        CHECK(chosen.wins_in == value.distance - 1, "%s", text_of(state));
        assert_int_equal(report.moves[0].known, NONET_PROVEN);
    }
    nonet_move moves[NONET_MAX_MOVES];
    int count = options.game->moves(&options, state, moves);
    bool must = true;
    for (int i = 0; i < count; i++)
        must = must && outlook_of(file, state, moves[i]).gives_away;
    CHECK(must || !chosen.gives_away, "%s", text_of(state));
    free(search);
    nonet_search_task_close(&task);
    nonet_session_free(session);
}

static void highest_level_uses_it(void **unused) {
    (void)unused;
    struct table_file file;
    struct nonet_random random = {6};
    build(2, &file);
    for (int round = 0; round < 500;) {
        struct nonet_state state;
        uint64_t size = ranking->size(&options, numbers, 0);
        ranking->unrank(&options, numbers, 0, nonet_random_next(&random) % size, &state);
        if (!can_be_read(&state))
            continue;
        check_choice(&file, &state);
        round++;
    }
    table_file_close(&file);
}

/* Writes the table again with one value changed. */
static void lie(const struct table_file *file, uint64_t number, int which) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_table_facts facts = nonet_table_facts(file->table);
    struct table_writer *writer = table_writer_open(other_path, &options, TABLE_RANKED, &why);
    CHECK(writer != NULL, "%s", reason);
    for (uint64_t i = 0; i < facts.ranked; i++) {
        const unsigned char *states;
        const uint16_t *codes;
        size_t count;
        struct nonet_message message;
        assert_true(nonet_table_block(file->table, false, (uint32_t)(i / facts.ranked_entries),
                                      &states, &codes, &count, &message));
        for (int k = 0; k < PLAYERS; k++) {
            int code = codes[i % facts.ranked_entries * PLAYERS + (uint64_t)k];
            struct nonet_value value =
                nonet_value_of_code(i == number && k == which ? code + 2 : code, false);
            assert_true(table_writer_next(writer, &value));
        }
    }
    CHECK(table_writer_close(writer, &why), "%s", reason);
    assert_int_equal(rename(other_path, path), 0);
}

static void verify_finds_lies(void **unused) {
    (void)unused;
    struct nonet_random random = {4};
    for (int round = 0; round < 6; round++) {
        struct table_file file;
        build(2, &file);
        uint64_t number, tier_size = ranking->size(&options, numbers, 0);
        struct nonet_state state;
        ranking->unrank(&options, numbers, 0, nonet_random_next(&random) % tier_size, &state);
        ranking->rank(&options, numbers, &state, &number);
        lie(&file, number, round % PLAYERS);
        table_file_close(&file);
        struct verify_report report;
        char reason[512];
        assert_false(verified(&report, reason, sizeof reason));
        CHECK(strstr(reason, "player ") != NULL && strstr(reason, ": expected ") != NULL, "%s",
              reason);
    }
}

static uint32_t sum_of(const char *of) {
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(of, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 0 && size < sizeof bytes);
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = sum * 16777619u ^ bytes[i];
    return sum;
}

struct told {
    int ahead; /* how often a tier was expanded */
};

static void tell(void *context, const char *what, double share, double seconds_left) {
    (void)share, (void)seconds_left;
    ((struct told *)context)->ahead += strcmp(what, "looking ahead") == 0;
}

/* The same bytes with any number of threads, and after a run that was stopped by its limit: a tier
 * that it solved is not solved again. */
static void threads_and_checkpoints(void **unused) {
    (void)unused;
    char work[] = "/tmp/nonet-coalitions-work-XXXXXX", reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    assert_non_null(mkdtemp(work));
    struct told told = {0};
    struct solve_limits limits = {.threads = 1, .material = 2, .progress = tell, .context = &told};
    solve(path, &limits, NULL);
    uint32_t sum = sum_of(path);
    limits.threads = 3;
    solve(path, &limits, NULL);
    assert_int_equal(sum_of(path), sum);
    assert_int_equal(told.ahead, 2);
    limits.work = work;
    limits.material = 4;
    limits.memory = 12 << 20;
    assert_false(solve_coalitions(&options, &limits, path, NULL, &why));
    assert_non_null(strstr(reason, "12 MB"));
    told.ahead = 0;
    limits.material = 2;
    solve(path, &limits, NULL);
    assert_int_equal(sum_of(path), sum);
    assert_int_equal(told.ahead, 0);
    assert_int_equal(rmdir(work), 0); /* no checkpoint is left */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_have_no_numbers),  cmocka_unit_test(all_boards_have_numbers),
        cmocka_unit_test(games_have_numbers),      cmocka_unit_test(opening_is_listed),
        cmocka_unit_test(two_pieces_each),         cmocka_unit_test(games_have_values),
        cmocka_unit_test(highest_level_uses_it),   cmocka_unit_test(verify_finds_lies),
        cmocka_unit_test(threads_and_checkpoints),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
