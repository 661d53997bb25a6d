/* The statistics of a match, compared with closed formulas, with a search for the best distribution
 * on a grid, and with many matches of players whose strength is known. */
#include "cli/elo.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "check.h"

static const double Z_SQUARED = 3.841458820694124; /* the 95 % point of chi-squared, one degree */

static void check_near(const char *what, double got, double expected, double tolerance) {
    CHECK(fabs(got - expected) <= tolerance, "%s: %.9g instead of %.9g", what, got, expected);
}

/* ---- Elo differences ---- */

static void test_elo_of_score(void **state) {
    (void)state;
    check_near("3 to 1", elo_of_score(0.75, 0.5), 400 * log10(3), 1e-9);
    check_near("3 to 1, in figures", elo_of_score(0.75, 0.5), 190.848501888, 1e-8);
    check_near("10 to 1", elo_of_score(10.0 / 11, 0.5), 400, 1e-9);
    check_near("even", elo_of_score(0.5, 0.5), 0, 1e-12);
    /* One player against two of equal strength wins one game in three. A player who wins every
     * second game is twice as strong as each of them. */
    check_near("a third", elo_of_score(1.0 / 3, 1.0 / 3), 0, 1e-9);
    check_near("a half of three", elo_of_score(0.5, 1.0 / 3), 400 * log10(2), 1e-9);
    assert_true(isinf(elo_of_score(1, 0.5)) && elo_of_score(1, 0.5) > 0);
    assert_true(isinf(elo_of_score(0, 0.5)) && elo_of_score(0, 0.5) < 0);
    for (double elo = -800; elo <= 800; elo += 50)
        for (double even = 0.25; even < 0.8; even += 0.25)
            check_near("there and back", elo_of_score(elo_to_score(elo, even), even), elo, 1e-6);
}

/* ---- Intervals ---- */

/* The ends of Wilson's interval are the scores s with games (mean - s)^2 = z^2 s (1 - s). */
static void check_wilson(const struct elo_sample *sample, double mean, double games) {
    struct elo_interval score = elo_score(sample);
    const double ends[] = {score.low, score.high};
    check_near("mean", score.value, mean, 1e-12);
    assert_true(score.low < mean && mean < score.high);
    for (int i = 0; i < 2; i++)
        check_near("end of the interval", games * (mean - ends[i]) * (mean - ends[i]),
                   Z_SQUARED * ends[i] * (1 - ends[i]), 1e-9);
    struct elo_interval elo = elo_difference(sample);
    check_near("Elo", elo.value, elo_of_score(mean, sample->even), 1e-9);
    check_near("Elo, low", elo.low, elo_of_score(score.low, sample->even), 1e-9);
    check_near("Elo, high", elo.high, elo_of_score(score.high, sample->even), 1e-9);
}

static void test_intervals(void **state) {
    (void)state;
    /* 30 openings of one game, 18 won: the sum of squares is 30 times 0.6 times 0.4, and the added
     * opening with the largest variance makes it 31 times. Divided by 30 that is a variance of
     * 0.248; won or lost games with variance 0.24 are worth 30 times 0.24 / 0.248 of them. */
    struct elo_sample one = {.games = 1, .even = 0.5};
    one.openings[0] = 12, one.openings[12] = 18;
    assert_int_equal(elo_openings(&one), 30);
    check_wilson(&one, 0.6, 30 * 0.24 / 0.248);

    /* Pairs: 2 with 0 points, 4 with 1/2, 10 with 1, 4 with 3/2, 5 with 2. Their sum is 28 of 50.
     * The distances of their means from 0.56 are 0.56, 0.31, 0.06, 0.19, 0.44. */
    struct elo_sample pairs = {.games = 2, .even = 0.5};
    const uint64_t counts[] = {2, 4, 10, 4, 5};
    for (int i = 0; i < 5; i++)
        pairs.openings[6 * i] = counts[i];
    double squares = 2 * 0.3136 + 4 * 0.0961 + 10 * 0.0036 + 4 * 0.0361 + 5 * 0.1936;
    double wildest = 0.56 * 0.44;
    check_wilson(&pairs, 0.56, 25 * wildest / ((squares + wildest) / 25));

    /* For a player who wins all of n games, the lower end is n / (n + z^2), by Wilson. */
    struct elo_sample all = {.games = 2, .even = 0.5};
    all.openings[24] = 20;
    check_near("all won", elo_score(&all).low, 40 / (40 + Z_SQUARED), 1e-12);
    check_near("all won, at most", elo_score(&all).high, 1, 0);
    assert_true(isinf(elo_difference(&all).high));
    struct elo_sample none = {.games = 2, .even = 0.5};
    none.openings[0] = 20;
    check_near("none won", elo_score(&none).high, Z_SQUARED / (40 + Z_SQUARED), 1e-12);
    check_near("none won, at least", elo_score(&none).low, 0, 0);
}

/* Two games of an opening whose luck belongs to the seat: with this probability the first seat wins
 * both, otherwise each game is won by A with the probability p, or drawn. */
static int play_pair(struct nonet_random *random, double p, double draws, double seat_luck) {
    const double unit = 1.0 / 4294967296.0;
    if ((double)(nonet_random_next(random) >> 32) * unit < seat_luck)
        return ELO_WIN;
    int points = 0;
    for (int game = 0; game < 2; game++) {
        double luck = (double)(nonet_random_next(random) >> 32) * unit;
        points += luck < draws ? ELO_WIN / 2 : luck < draws + (1 - draws) * p ? ELO_WIN : 0;
    }
    return points;
}

static double true_score(double p, double draws, double seat_luck) {
    return 0.5 * seat_luck + (1 - seat_luck) * (0.5 * draws + (1 - draws) * p);
}

/* Of many matches, 95 in 100 have the true score in their interval. */
static void test_coverage(void **state) {
    (void)state;
    static const struct {
        int openings;
        double p, draws, seat_luck;
    } cases[] = {{50, 0.5, 0, 0},   {50, 0.5, 0.3, 0.5}, {200, 0.6, 0.2, 0.3},
                 {50, 0.8, 0.1, 0}, {100, 0.95, 0, 0},   {20, 0.5, 0, 0.5}};
    enum { MATCHES = 4000 };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct nonet_random random = {c};
        double truth = true_score(cases[c].p, cases[c].draws, cases[c].seat_luck);
        int held = 0;
        for (int match = 0; match < MATCHES; match++) {
            struct elo_sample sample = {.games = 2, .even = 0.5};
            for (int i = 0; i < cases[c].openings; i++)
                sample
                    .openings[play_pair(&random, cases[c].p, cases[c].draws, cases[c].seat_luck)]++;
            struct elo_interval score = elo_score(&sample);
            held += score.low <= truth && truth <= score.high;
        }
        double share = (double)held / MATCHES;
        CHECK(share > 0.935 && share < 0.98, "case %zu: %.2f %% of intervals hold the truth", c,
              100 * share);
    }
}

/* ---- The test ---- */

static void test_ratio_of_single_games(void **state) {
    (void)state;
    /* Only wins and losses: a hypothesis about the mean leaves nothing open. */
    struct elo_sample sample = {.games = 1, .even = 0.5};
    sample.openings[0] = 12, sample.openings[12] = 18;
    double s0 = elo_to_score(-20, 0.5), s1 = elo_to_score(30, 0.5);
    check_near("ratio", elo_likelihood_ratio(&sample, -20, 30),
               18 * log(s1 / s0) + 12 * log((1 - s1) / (1 - s0)), 1e-9);
    check_near("turned round", elo_likelihood_ratio(&sample, 30, -20),
               -elo_likelihood_ratio(&sample, -20, 30), 1e-9);
    struct elo_sample none = {.games = 1, .even = 0.5};
    check_near("no games", elo_likelihood_ratio(&none, 0, 20), 0, 0);
    /* All won: losses count as possible, but very unlikely. */
    struct elo_sample all = {.games = 1, .even = 0.5};
    all.openings[12] = 10;
    check_near("all won", elo_likelihood_ratio(&all, 0, 100),
               10 * log(elo_to_score(100, 0.5) / 0.5), 0.01);
    check_near("bound", elo_test_bound(), log(19), 1e-12);
}

/* The highest likelihood of three counts, for 0, 1 and 2 points of 2, with the mean s: only the
 * share of 1 point is open, so all its values are tried. */
static double best_likelihood(const double counts[3], double s) {
    double best = -INFINITY;
    enum { STEPS = 200000 };
    for (int i = 1; i < STEPS; i++) {
        double middle = (double)i / STEPS, two = s - middle / 2, none = 1 - s - middle / 2;
        if (two <= 0 || none <= 0)
            continue;
        double sum = counts[0] * log(none) + counts[1] * log(middle) + counts[2] * log(two);
        best = sum > best ? sum : best;
    }
    return best;
}

static void test_ratio_of_pairs(void **state) {
    (void)state;
    static const double cases[][5] = {
        /* counts, elo0, elo1 */
        {10, 25, 15, 0, 20},
        {3, 40, 2, -10, 10},
        {50, 5, 60, 0, 50},
        {1, 9, 30, 0, 100},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct elo_sample sample = {.games = 2, .even = 0.5};
        for (int i = 0; i < 3; i++)
            sample.openings[ELO_WIN * i] = (uint64_t)cases[c][i];
        double s0 = elo_to_score(cases[c][3], 0.5), s1 = elo_to_score(cases[c][4], 0.5);
        check_near("ratio", elo_likelihood_ratio(&sample, cases[c][3], cases[c][4]),
                   best_likelihood(cases[c], s1) - best_likelihood(cases[c], s0), 1e-5);
    }
}

/* Where one hypothesis is true, the other is accepted in not much more than one test of twenty. */
static void test_errors(void **state) {
    (void)state;
    enum { TESTS = 1000, LONGEST = 5000 };
    const double elo0 = 0, elo1 = 80, seat_luck = 0.4, draws = 0.1;
    for (int truth = 0; truth < 2; truth++) {
        double score = elo_to_score(truth == 0 ? elo0 : elo1, 0.5);
        double p = ((score - 0.5 * seat_luck) / (1 - seat_luck) - 0.5 * draws) / (1 - draws);
        check_near("score", true_score(p, draws, seat_luck), score, 1e-12);
        struct nonet_random random = {(uint64_t)truth};
        int wrong = 0, undecided = 0;
        for (int test = 0; test < TESTS; test++) {
            struct elo_sample sample = {.games = 2, .even = 0.5};
            double ratio = 0;
            for (int i = 0; i < LONGEST && fabs(ratio) < elo_test_bound(); i++) {
                sample.openings[play_pair(&random, p, draws, seat_luck)]++;
                ratio = elo_likelihood_ratio(&sample, elo0, elo1);
            }
            undecided += fabs(ratio) < elo_test_bound();
            wrong += truth == 0 ? ratio >= elo_test_bound() : ratio <= -elo_test_bound();
        }
        CHECK(undecided == 0, "%d of %d tests were not decided", undecided, TESTS);
        CHECK(wrong < TESTS * 8 / 100, "%d of %d tests were wrong", wrong, TESTS);
        CHECK(wrong > TESTS / 100, "%d of %d tests were wrong: they take too long", wrong, TESTS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo_of_score),   cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_coverage),       cmocka_unit_test(test_ratio_of_single_games),
        cmocka_unit_test(test_ratio_of_pairs), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
