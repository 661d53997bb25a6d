/* The ranked solver on Kolem with up to four pieces a side. It is compared with all those
 * positions, found by trying every pair of sets and solved in passes over their moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/random.h"
#include "check.h"
#include "plain_solver.h"
#include "rules/ranking.h"
#include "solve/ranked.h"
#include "variants.h"

enum { POINTS = 25, CAP = 4, UNKNOWN = -1, WON_BY_MOVE = -2 };

/* A position with White to move: both sets of points. */
struct position {
    uint32_t own[2];
};

struct plain {
    struct nonet_options options;
    struct position *positions; /* canonical, sorted */
    int count;
    int weight_sum[CAP + 1][CAP + 1]; /* positions before symmetry, by pieces of mover and other */
    int *first, *moves;               /* where each leads: a number, or WON_BY_MOVE */
    int *distance;                    /* odd: won, even: lost */
};

static void state_of(const struct position *position, struct nonet_state *state) {
    memset(state, 0, sizeof *state);
    memcpy(state, position, sizeof *position);
}

/* Kolem's state begins with both sets; byte 10 says whose turn it is. */
static struct position position_of(const struct nonet_options *options,
                                   const struct nonet_state *state) {
    struct nonet_state turned = *state;
    if (state->bytes[10] == 1) {
        memcpy(turned.bytes, state->bytes + 4, 4);
        memcpy(turned.bytes + 4, state->bytes, 4);
        turned.bytes[10] = 0;
    }
    struct nonet_state canonical;
    nonet_canonical(options, &turned, &canonical);
    struct position position;
    memcpy(&position, &canonical, sizeof position);
    return position;
}

static int compare(const void *a, const void *b) {
    const struct position *p = a, *q = b;
    if (p->own[0] != q->own[0])
        return p->own[0] < q->own[0] ? -1 : 1;
    return (p->own[1] > q->own[1]) - (p->own[1] < q->own[1]);
}

static bool next_to(int p, int q) {
    return abs(p % 5 - q % 5) + abs(p / 5 - q / 5) == 1;
}

/* Sets of three to CAP points, by number of points. */
static int all_sets(uint32_t *sets) {
    int count = 0;
    for (uint32_t set = 0; set < 1u << POINTS; set++)
        if (nonet_bits_count(set) >= 3 && nonet_bits_count(set) <= CAP)
            sets[count++] = set;
    return count;
}

static bool stable(const uint32_t beside[POINTS], uint32_t a, uint32_t b) {
    for (uint32_t rest = a | b; rest != 0; rest &= rest - 1) {
        int point = nonet_bits_first(rest);
        uint32_t enemies = a >> point & 1 ? b : a;
        if ((beside[point] & enemies) == 0 || nonet_bits_count(beside[point] & (a | b)) > 3)
            return false;
    }
    return true;
}

static void find_positions(struct plain *plain) {
    uint32_t beside[POINTS] = {0};
    for (int p = 0; p < POINTS; p++)
        for (int q = 0; q < POINTS; q++)
            beside[p] |= next_to(p, q) ? 1u << q : 0;
    uint32_t *sets = malloc(20000 * sizeof *sets);
    int count = all_sets(sets), room = 1 << 18;
    plain->positions = malloc((size_t)room * sizeof *plain->positions);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            uint32_t a = sets[i], b = sets[j];
            if ((a & b) != 0 || !stable(beside, a, b))
                continue;
            plain->weight_sum[nonet_bits_count(a)][nonet_bits_count(b)]++;
            struct position found = {{a, b}};
            struct nonet_state state;
            state_of(&found, &state);
            struct position canonical = position_of(&plain->options, &state);
            if (compare(&found, &canonical) == 0) {
                assert_true(plain->count < room);
                plain->positions[plain->count++] = found;
            }
        }
    free(sets);
    qsort(plain->positions, (size_t)plain->count, sizeof *plain->positions, compare);
}

static void find_moves(struct plain *plain) {
    const struct nonet_options *options = &plain->options;
    const struct nonet_game *game = options->game;
    int total = 0;
    plain->first = malloc(((size_t)plain->count + 1) * sizeof *plain->first);
    plain->moves = malloc((size_t)plain->count * 32 * sizeof *plain->moves);
    for (int i = 0; i < plain->count; i++) {
        plain->first[i] = total;
        struct nonet_state state, after;
        nonet_move moves[NONET_MAX_MOVES];
        state_of(&plain->positions[i], &state);
        int count = game->moves(options, &state, moves);
        for (int j = 0; j < count; j++) {
            after = state;
            game->play(options, &after, NULL, moves[j]);
            struct nonet_result result = {0};
            struct position next = position_of(options, &after);
            struct position *found =
                bsearch(&next, plain->positions, (size_t)plain->count, sizeof next, compare);
            if (found == NULL) {
                assert_int_equal(game->turn(options, &after), 0);
                game->result(options, &after, &result);
                assert_int_equal(result.winners, 1);
            }
            plain->moves[total++] = found == NULL ? WON_BY_MOVE : (int)(found - plain->positions);
        }
    }
    plain->first[plain->count] = total;
}

/* One pass for each distance. */
static void settle(struct plain *plain) {
    plain->distance = malloc((size_t)plain->count * sizeof *plain->distance);
    for (int i = 0; i < plain->count; i++)
        plain->distance[i] = UNKNOWN;
    int idle = 0;
    for (int distance = 0; idle < 2; distance++) {
        int settled = 0;
        for (int i = 0; i < plain->count; i++) {
            if (plain->distance[i] != UNKNOWN)
                continue;
            bool any_lost = false, all_won = true;
            for (int j = plain->first[i]; j < plain->first[i + 1]; j++) {
                int there = plain->moves[j] == WON_BY_MOVE ? 0 : plain->distance[plain->moves[j]];
                bool known = there != UNKNOWN && there < distance;
                any_lost = any_lost || (known && there % 2 == 0);
                all_won = all_won && known && there % 2 == 1;
            }
            if (distance % 2 == 1 ? any_lost : all_won) {
                plain->distance[i] = distance;
                settled++;
            }
        }
        idle = settled == 0 ? idle + 1 : 0;
    }
}

static void plain_solution(struct plain *plain, const char *variant) {
    *plain = (struct plain){.options = options_of(variant)};
    find_positions(plain);
    find_moves(plain);
    settle(plain);
}

static void forget(struct plain *plain) {
    free(plain->positions);
    free(plain->first);
    free(plain->moves);
    free(plain->distance);
}

static void solve(const struct nonet_options *options, int material, int threads, const char *work,
                  struct ranked_solution *solution) {
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = threads, .work = work, .material = material};
    CHECK(ranked_solve(options, &limits, solution, &why), "%s", reason);
}

static void compare_values(const char *variant) {
    struct plain plain;
    struct ranked_solution solution;
    plain_solution(&plain, variant);
    solve(&plain.options, CAP, 2, NULL, &solution);
    assert_int_equal(plain.weight_sum[4][4], 762006);
    for (int i = 0; i < plain.count; i++) {
        struct nonet_state state;
        struct nonet_value value;
        state_of(&plain.positions[i], &state);
        if (plain.distance[i] == 0 && plain.options.game->turn(&plain.options, &state) != 0)
            fail_msg("a position with moves is lost at once");
        char line[NONET_POSITION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(line);
        plain.options.game->write(&plain.options, &state, &text);
        assert_true(ranked_probe(&solution, &state, &value));
        int distance = value.outcome == NONET_DRAW ? UNKNOWN : value.distance;
        CHECK(distance == plain.distance[i], "%s %s: %d, not %d", variant, line, distance,
              plain.distance[i]);
        CHECK(distance == UNKNOWN || (value.outcome == NONET_WIN) == (distance % 2 == 1), "%s",
              line);
    }
    ranked_free(&solution);
    forget(&plain);
}

static void test_values_of_eight_steps(void **unused) {
    (void)unused;
    compare_values("kolem:steps=8");
}

static void test_values_of_four_steps(void **unused) {
    (void)unused;
    compare_values("kolem:steps=4");
}

/* Whole games with few pieces, from the first move on. */
static void test_whole_games(void **unused) {
    (void)unused;
    static const char *const variants[] = {"kolem:pieces=3", "kolem:steps=4,pieces=3",
                                           "kolem:pieces=4", "kolem:steps=4,pieces=4"};
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        struct nonet_options options = options_of(variants[v]);
        struct plain_solution plain;
        struct ranked_solution solution;
        plain_solve(&options, &plain);
        solve(&options, 0, 2, NULL, &solution);
        for (size_t i = 0; i < plain.count; i++) {
            struct nonet_state state;
            struct nonet_value value;
            memset(&state, 0, sizeof state);
            memcpy(&state, plain.states + i * options.game->state_size, options.game->state_size);
            assert_true(ranked_probe(&solution, &state, &value));
            CHECK(nonet_value_compare(&value, &plain.values[i]) == 0, "%s, position %d",
                  variants[v], (int)i);
        }
        ranked_free(&solution);
        plain_free(&plain);
    }
}

/* How many positions a state stands for: how many of its rotations and reflections differ. */
static int weight(const struct nonet_options *options, const struct nonet_state *state) {
    struct nonet_state turned[8];
    int different = 0, count = options->game->symmetries(options);
    for (int i = 0; i < count; i++) {
        options->game->turn_state(options, i, state, &turned[different]);
        int j = 0;
        while (memcmp(&turned[j], &turned[different], options->game->state_size) != 0)
            j++;
        different += j == different;
    }
    return different;
}

/* Each number yields a state that has this number, or a lower one as its own. Each position has a
 * number of its own. */
static void test_numbers(void **unused) {
    (void)unused;
    struct plain plain;
    plain_solution(&plain, "kolem:steps=4");
    const struct nonet_options *options = &plain.options;
    const struct nonet_ranking *ranking = options->game->ranking;
    int tiers = 0, sum[CAP + 1][CAP + 1] = {0};
    while (ranking->material(options, tiers) <= CAP)
        tiers++;
    void *index = aligned_alloc(64, (ranking->large_index_size(options, tiers) + 63) / 64 * 64);
    ranking->build_large_index(options, tiers, index);
    for (int tier = 0; tier < tiers; tier++)
        for (uint64_t i = 0; i < ranking->size(options, index, tier); i++) {
            struct nonet_state state;
            struct position position;
            uint64_t number;
            ranking->unrank(options, index, tier, i, &state);
            assert_int_equal(ranking->rank(options, index, &state, &number), tier);
            assert_true(number <= i);
            memcpy(&position, &state, sizeof position);
            if (number == i)
                sum[nonet_bits_count(position.own[0])][nonet_bits_count(position.own[1])] +=
                    weight(options, &state);
        }
    for (int mover = 3; mover <= CAP; mover++)
        for (int other = 3; other <= CAP; other++)
            assert_int_equal(sum[mover][other], plain.weight_sum[mover][other]);
    free(index);
    forget(&plain);
}

/* A block's runs are where `expand` counts its moves; the runs of all blocks together fill the
 * tier. */
static void test_blocks(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("kolem");
    const struct nonet_ranking *ranking = options.game->ranking;
    int tiers = 0;
    while (ranking->material(&options, tiers) <= CAP)
        tiers++;
    void *index = aligned_alloc(64, (ranking->large_index_size(&options, tiers) + 63) / 64 * 64);
    ranking->build_large_index(&options, tiers, index);
    struct nonet_exit *exits = malloc(ranking->max_exits * sizeof *exits);
    for (int tier = 0; tier < tiers; tier++) {
        enum { UNTOUCHED = 200 };
        uint64_t size = ranking->size(&options, index, tier), end = 0;
        uint32_t blocks = ranking->blocks(&options, index, tier);
        uint8_t *inside = malloc(size);
        for (int run = 0; run < ranking->runs(&options, tier); run++) {
            assert_int_equal(ranking->block_start(&options, index, tier, run, 0), end);
            end = ranking->block_start(&options, index, tier, run, blocks);
        }
        assert_int_equal(end, size);
        memset(inside, UNTOUCHED, size);
        for (uint32_t block = 0; block < blocks; block++) {
            uint32_t count = ranking->expand(&options, index, tier, block, inside, exits);
            for (int run = 0; run < ranking->runs(&options, tier); run++) {
                uint64_t i = ranking->block_start(&options, index, tier, run, block);
                for (; i < ranking->block_start(&options, index, tier, run, block + 1); i++) {
                    assert_true(inside[i] < UNTOUCHED);
                    inside[i] = UNTOUCHED;
                }
            }
            assert_true(count <= ranking->max_exits);
        }
        for (uint64_t i = 0; i < size; i++)
            assert_int_equal(inside[i], UNTOUCHED);
        free(inside);
    }
    free(exits);
    free(index);
}

/* Both indexes give the same numbers. scripts/count_kolem.py has counted all positions. */
static void compare_indexes(const char *variant, uint64_t positions) {
    struct nonet_options options = options_of(variant);
    const struct nonet_ranking *ranking = options.game->ranking;
    int tiers = 0;
    while (ranking->material(&options, tiers) <= 6)
        tiers++;
    void *large = aligned_alloc(64, (ranking->large_index_size(&options, tiers) + 63) / 64 * 64);
    void *small = malloc(ranking->index_size(&options));
    ranking->build_large_index(&options, tiers, large);
    ranking->build_index(&options, small);
    uint64_t all = 0;
    struct nonet_random random = {1};
    for (int tier = 0; tier < tiers; tier++) {
        assert_int_equal(ranking->size(&options, large, tier),
                         ranking->size(&options, small, tier));
        for (int i = 0; i < 100; i++) {
            uint64_t wanted = nonet_random_next(&random) % ranking->size(&options, large, tier);
            uint64_t numbers[2];
            struct nonet_state states[2];
            memset(states, 0, sizeof states);
            ranking->unrank(&options, large, tier, wanted, &states[0]);
            ranking->unrank(&options, small, tier, wanted, &states[1]);
            assert_memory_equal(&states[0], &states[1], options.game->state_size);
            assert_int_equal(ranking->rank(&options, large, &states[0], &numbers[0]), tier);
            assert_int_equal(ranking->rank(&options, small, &states[0], &numbers[1]), tier);
            assert_int_equal(numbers[0], numbers[1]);
        }
    }
    for (int tier = 0; tier < ranking->tiers(&options); tier++)
        all += ranking->size(&options, small, tier);
    /* Symmetric boards count for more than an eighth. */
    CHECK(all > positions / 8 && all < positions / 8 + positions / 200, "%s: %d numbers", variant,
          (int)all);
    free(small);
    free(large);
}

static void test_small_index(void **unused) {
    (void)unused;
    compare_indexes("kolem", 1731220818);
    compare_indexes("kolem:pieces=10", 2185011998);
    compare_indexes("kolem:pieces=6", 80685992);
}

static int worth(struct nonet_value value) {
    return value.outcome == NONET_DRAW  ? 0
           : value.outcome == NONET_WIN ? 1000 - value.distance
                                        : value.distance - 1000;
}

/* Up to five a side: every value follows from the values after its moves, which proves them all. */
static void test_values_follow(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("kolem");
    const struct nonet_game *game = options.game;
    struct ranked_solution solution;
    solve(&options, CAP + 1, 2, NULL, &solution);
    for (int tier = 0; tier < solution.tiers; tier++)
        for (uint64_t i = 0; i < solution.sizes[tier]; i++) {
            struct nonet_state state, after;
            nonet_move moves[NONET_MAX_MOVES];
            memset(&state, 0, sizeof state);
            game->ranking->unrank(&options, solution.index, tier, i, &state);
            int count = game->moves(&options, &state, moves), best = -1000;
            for (int j = 0; j < count; j++) {
                struct nonet_value value;
                after = state;
                game->play(&options, &after, NULL, moves[j]);
                assert_true(ranked_probe(&solution, &after, &value));
                value.outcome = (uint8_t)(NONET_WIN - value.outcome);
                value.distance++;
                best = worth(value) > best ? worth(value) : best;
            }
            CHECK(best == worth(ranked_value(solution.values[tier][i])), "tier %d number %d", tier,
                  (int)i);
        }
    ranked_free(&solution);
}

static void same_values(const struct ranked_solution *a, const struct ranked_solution *b) {
    assert_int_equal(a->tiers, b->tiers);
    for (int tier = 0; tier < a->tiers; tier++) {
        assert_int_equal(a->sizes[tier], b->sizes[tier]);
        assert_memory_equal(a->values[tier], b->values[tier], a->sizes[tier]);
    }
}

/* The same values with any number of threads, and after a run that ended early. Its files are used
 * if they are intact. */
static void test_threads_and_checkpoints(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("kolem");
    struct ranked_solution alone, together;
    char work[] = "/tmp/nonet-ranked-XXXXXX", path[64];
    assert_non_null(mkdtemp(work));
    solve(&options, CAP, 1, NULL, &alone);
    solve(&options, CAP, 3, NULL, &together);
    same_values(&alone, &together);
    ranked_free(&together);
    solve(&options, CAP - 1, 2, work, &together);
    ranked_free(&together);
    snprintf(path, sizeof path, "%s/tier00.checkpoint", work);
    assert_int_equal(access(path, R_OK), 0);
    solve(&options, CAP, 2, work, &together);
    same_values(&alone, &together);
    ranked_free(&together);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, 100, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, 100, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
    solve(&options, CAP, 2, work, &together);
    same_values(&alone, &together);
    ranked_free(&together);
    ranked_free(&alone);
    for (int tier = 0; tier < 3; tier++) {
        snprintf(path, sizeof path, "%s/tier%02d.checkpoint", work, tier);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(work), 0);
}

static void test_memory_limit(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("kolem");
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 1, .memory = 10 << 20, .material = CAP};
    struct ranked_solution solution;
    assert_false(ranked_solve(&options, &limits, &solution, &why));
    assert_non_null(strstr(reason, "10 MB"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_eight_steps),
        cmocka_unit_test(test_values_of_four_steps),
        cmocka_unit_test(test_whole_games),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_small_index),
        cmocka_unit_test(test_threads_and_checkpoints),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_values_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
