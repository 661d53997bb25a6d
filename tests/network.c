/* Networks: the quick computation against an obvious one, the text of weights, and features, which
 * must not change when the board is turned or the players change places. */
#include "search/weights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "check.h"
#include "games/ksar_board.h"
#include "rules/session.h"
#include "rules/swap.h"
#include "variants.h"

/* As network.h describes it, one number at a time. */
static int judge_slowly(const int16_t *weights, const int16_t *features) {
    enum { INPUTS = NONET_MAX_FEATURES, HIDDEN = NONET_NETWORK_HIDDEN };
    long long total = weights[(INPUTS + 2) * HIDDEN] * 1024ll;
    for (int unit = 0; unit < HIDDEN; unit++) {
        long long sum = weights[INPUTS * HIDDEN + unit] * 32ll;
        for (int input = 0; input < INPUTS; input++)
            sum += (long long)weights[unit * INPUTS + input] * features[input];
        if (sum < 0)
            sum = 0;
        if (sum > 8192)
            sum = 8192;
        total += sum / 8 * weights[(INPUTS + 1) * HIDDEN + unit];
    }
    return (int)(total * 1000 / (1024 * 1024));
}

static int16_t random_number(struct nonet_random *random, int limit) {
    return (int16_t)((int)nonet_random_below(random, 2 * (uint32_t)limit + 1) - limit);
}

static void quick_is_as_slow(void **unused) {
    (void)unused;
    struct nonet_random random = {1};
    int16_t weights[NONET_NETWORK_WEIGHTS], features[NONET_MAX_FEATURES];
    int between = 0;
    for (int round = 0; round < 3000; round++) {
        /* Large weights reach the limits of the units, small ones stay between them. */
        int limit = round % 3 == 0 ? INT16_MAX : round % 3 == 1 ? 300 : 30;
        for (int i = 0; i < NONET_NETWORK_WEIGHTS; i++)
            weights[i] = random_number(&random, limit);
        for (int i = 0; i < NONET_MAX_FEATURES; i++)
            features[i] = (int16_t)nonet_random_below(&random, NONET_FEATURE_LIMIT + 1);
        int slow = judge_slowly(weights, features);
        CHECK(nonet_network_judge(weights, features) == slow, "round %d", round);
        between += slow != 0;
    }
    assert_true(between > 1000);
}

static void no_sum_is_too_large(void **unused) {
    (void)unused;
    int16_t weights[NONET_NETWORK_WEIGHTS], features[NONET_MAX_FEATURES];
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < NONET_NETWORK_WEIGHTS; i++)
            weights[i] = (int16_t)(sign * INT16_MAX);
        for (int i = 0; i < NONET_MAX_FEATURES; i++)
            features[i] = NONET_FEATURE_LIMIT;
        assert_int_equal(nonet_network_judge(weights, features), judge_slowly(weights, features));
    }
}

static void text_of_weights(void **unused) {
    (void)unused;
    static char bytes[1 << 16];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    int16_t weights[NONET_NETWORK_WEIGHTS];
    nonet_text_add(&text, "/* by, 7, hand */\n");
    for (int i = 0; i < NONET_NETWORK_WEIGHTS; i++)
        nonet_text_format(&text, "%d%s", i % 2 == 0 ? i : -i,
                          i + 1 < NONET_NETWORK_WEIGHTS ? ",\n" : "\n");
    assert_true(nonet_weights_read(bytes, weights, NONET_NETWORK_WEIGHTS));
    for (int i = 0; i < NONET_NETWORK_WEIGHTS; i++)
        assert_int_equal(weights[i], i % 2 == 0 ? i : -i);
    nonet_text_add(&text, "1");
    assert_false(nonet_weights_read(bytes, weights, NONET_NETWORK_WEIGHTS)); /* too many */
    *strrchr(bytes, ',') = '\0';
    assert_false(nonet_weights_read(bytes, weights, NONET_NETWORK_WEIGHTS)); /* too few */
    static const char *const wrong[] = {"", "1, x", "/* never ends", "32768, 1", "--1", "1.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!nonet_weights_read(wrong[i], weights, NONET_NETWORK_WEIGHTS), "%s", wrong[i]);
}

/* The same position with the colours exchanged. */
static struct state exchanged(const struct state *s) {
    struct state t = *s;
    for (int player = 0; player < 2; player++) {
        memcpy(t.colour[player], s->colour[1 - player], sizeof t.colour[player]);
        t.own[player] = s->own[1 - player];
        t.neutral[player] = s->neutral[1 - player];
    }
    t.next = 1 - s->next;
    return t;
}

/* The features by an outline of the position itself. */
static void write_features(const struct nonet_options *options, const void *state,
                           int16_t features[NONET_MAX_FEATURES]) {
    struct nonet_outline outline;
    memset(&outline, 0xa5, sizeof outline);
    options->game->features->outline(options, state, &outline);
    bool goes_on = options->game->features->write(options, &outline, state, features);
    assert_true(goes_on == (options->game->turn(options, state) != 0));
}

static int feature_number(const struct nonet_features *features, const char *name) {
    int i = 0;
    while (i < features->count && strcmp(features->names[i], name) != 0)
        i++;
    CHECK(i < features->count, "there is no %s", name);
    return i;
}

static bool has(const uint16_t set[SIDE], int x, int y) {
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE && set[y] >> x & 1;
}

/* Takes the cells connected to this one out of a set, one by one. Returns how many pieces they are:
 * each has one cell with nothing of its height to the west and south. */
static int take_pieces(const struct state *s, uint16_t set[SIDE], int x, int y) {
    if (!has(set, x, y))
        return 0;
    set[y] = (uint16_t)(set[y] & ~(1u << x));
    int height = has(s->height[0], x, y) ? 0 : has(s->height[1], x, y) ? 1 : 2;
    int pieces = !has(s->height[height], x - 1, y) && !has(s->height[height], x, y - 1);
    return pieces + take_pieces(s, set, x - 1, y) + take_pieces(s, set, x + 1, y) +
           take_pieces(s, set, x, y - 1) + take_pieces(s, set, x, y + 1);
}

/* How many groups a player has, and the sizes of the largest and the second. */
static void check_groups(const struct nonet_options *options, const struct state *s) {
    static const char *const whose[] = {"mover's", "other's"};
    const struct nonet_features *features = options->game->features;
    int16_t seen[NONET_MAX_FEATURES] = {0};
    write_features(options, s, seen);
    for (int i = 0; i < 2; i++) {
        int player = i == 0 ? s->next : 1 - s->next, count = 0, largest = 0, second = 0;
        uint16_t set[SIDE];
        for (int y = 0; y < SIDE; y++)
            set[y] = (uint16_t)((s->height[0][y] | s->height[1][y] | s->height[2][y]) &
                                ~s->colour[1 - player][y]);
        for (int cell = 0; cell < SIDE * SIDE; cell++) {
            int pieces = take_pieces(s, set, cell % SIDE, cell / SIDE);
            count += pieces > 0;
            if (pieces > largest) {
                second = largest;
                largest = pieces;
            } else if (pieces > second) {
                second = pieces;
            }
        }
        char name[40];
        snprintf(name, sizeof name, "%s groups", whose[i]);
        assert_int_equal(seen[feature_number(features, name)], count);
        snprintf(name, sizeof name, "%s second", whose[i]);
        assert_int_equal(seen[feature_number(features, name)], second);
        snprintf(name, sizeof name, "%s size", whose[i]);
        assert_in_range(seen[feature_number(features, name)] + 2, largest, largest + 2);
    }
}

/* After any move, the outline of the position before serves as well. */
static void check_outline(const struct nonet_options *options, const void *state) {
    const struct nonet_game *game = options->game;
    struct nonet_outline outline;
    game->features->outline(options, state, &outline);
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(options, state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state after;
        memcpy(&after, state, game->state_size);
        game->play(options, &after, NULL, moves[i]);
        int16_t own[NONET_MAX_FEATURES] = {0}, before[NONET_MAX_FEATURES] = {0};
        write_features(options, &after, own);
        game->features->write(options, &outline, &after, before);
        for (int k = 0; k < game->features->count; k++)
            CHECK(own[k] == before[k], "%s is %d, by the outline before %d",
                  game->features->names[k], own[k], before[k]);
    }
}

static void check_features(const struct nonet_options *options, const void *state) {
    const struct nonet_game *game = options->game;
    int16_t seen[NONET_MAX_FEATURES] = {0}, same[NONET_MAX_FEATURES] = {0};
    write_features(options, state, seen);
    for (int i = 0; i < game->features->count; i++)
        CHECK(seen[i] >= 0 && seen[i] <= NONET_FEATURE_LIMIT, "%s is %d", game->features->names[i],
              seen[i]);
    struct nonet_state turned;
    for (int symmetry = 1; symmetry < game->symmetries(options); symmetry++) {
        game->turn_state(options, symmetry, state, &turned);
        write_features(options, &turned, same);
        for (int i = 0; i < game->features->count; i++)
            CHECK(seen[i] == same[i], "%s is %d, turned by %d it is %d", game->features->names[i],
                  seen[i], symmetry, same[i]);
    }
    const struct state other = exchanged(state);
    write_features(options, &other, same);
    for (int i = 0; i < game->features->count; i++)
        CHECK(seen[i] == same[i], "%s is %d, for the other player it is %d",
              game->features->names[i], seen[i], same[i]);
    int first = nonet_evaluate(options, NULL, state, 1);
    assert_in_range(first + 1000, 0, 2000);
    assert_int_equal(nonet_evaluate(options, NULL, state, 2), -first);
}

static void features_of_ksar(void **unused) {
    (void)unused;
    static const char *const names[] = {"ksar:frame=3x3", "ksar:frame=6x6", "ksar:frame=10x10",
                                        "ksar:frame=9x12", "ksar:frame=16x16"};
    struct nonet_random random = {1};
    for (int game = 0; game < 200; game++) {
        struct nonet_options options = options_of(names[game % 5]);
        assert_in_range(options.game->features->count, 1, NONET_MAX_FEATURES);
        struct nonet_session *session = nonet_session_new(&options);
        assert_non_null(session);
        while (nonet_session_turn(session) != 0) {
            check_features(&options, nonet_session_state(session));
            check_groups(&options, nonet_session_state(session));
            if (game < 20)
                check_outline(&options, nonet_session_state(session));
            play(session, random_move(session, &random));
        }
        check_groups(&options, nonet_session_state(session)); /* of a finished game too */
        nonet_session_free(session);
    }
}

/* A game of two moves, counted by hand: blue 3x2@a1 and red 1x3@d1 in a frame of 10x10. */
static void counted_by_hand(void **unused) {
    (void)unused;
    struct nonet_session *session = session_of("ksar:frame=10x10", 0);
    struct nonet_message why;
    assert_true(nonet_session_play_text(session, "3x2@a1", &why));
    assert_true(nonet_session_play_text(session, "n1x3@d1", &why));
    const struct nonet_features *features = nonet_session_options(session)->game->features;
    int16_t seen[NONET_MAX_FEATURES] = {0};
    write_features(nonet_session_options(session), nonet_session_state(session), seen);
    /* Blue's group has both pieces; red's is the neutral piece. */
    static const struct {
        const char *name;
        int value;
    } expected[] = {
        {"mover's size", 2},
        {"other's size", 1},
        {"mover's neutral in", 1},
        {"other's neutral in", 1},
        {"mover's own in hand", 11},
        {"other's own in hand", 12},
        {"mover's groups", 1},
        {"other's groups", 1},
        {"mover's neutral in hand", 3},
        {"other's neutral in hand", 2},
        {"mover's second", 0},
        {"mover's joins", 0},
        {"floor", 100},
        {"narrow", 10},
        /* a3, b3, c3, d4, e1, e2, e3 */
        {"mover's edge", 7},
        /* d4, e1, e2, e3, and c3 */
        {"other's edge", 5},
        {"shared edge", 5},
    };
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        int i = feature_number(features, expected[k].name);
        CHECK(seen[i] == expected[k].value, "%s is %d, not %d", expected[k].name, seen[i],
              expected[k].value);
    }
    nonet_session_free(session);
}

/* With the swap rule, a position is worth for each side what it is worth without the rule, as long
 * as nobody may choose between them; whoever may choose takes the better one. */
static void swapped_sides(void **unused) {
    (void)unused;
    struct nonet_random random = {2};
    int16_t weights[NONET_NETWORK_WEIGHTS];
    int worse = 0; /* offers after which the side to move was the worse one */
    for (int game = 0; game < 100; game++) {
        struct nonet_session *plain = session_of("ksar:frame=6x6", 0);
        struct nonet_session *with = session_of("ksar:frame=6x6,swap=yes", 0);
        for (int i = 0; i < NONET_NETWORK_WEIGHTS; i++)
            weights[i] = (int16_t)(nonet_random_below(&random, 2001) - 1000);
        bool swaps = game % 2 == 0;
        while (nonet_session_turn(plain) != 0) {
            int ply = nonet_session_ply(plain);
            bool turned = swaps && ply > 1; /* player 2 has the first side */
            for (int player = 1; player <= 2; player++) {
                int side = turned ? 3 - player : player;
                int expected = nonet_evaluate(nonet_session_options(plain), weights,
                                              nonet_session_state(plain), side);
                if (ply == 1) {
                    worse += player == 2 && expected < 0;
                    expected = player == 2 ? abs(expected) : -abs(expected);
                }
                int value = nonet_evaluate(nonet_session_options(with), weights,
                                           nonet_session_state(with), player);
                CHECK(value == expected, "game %d, ply %d, player %d: %d, not %d", game, ply,
                      player, value, expected);
            }
            if (ply == 1 && swaps) {
                play(with, NONET_SWAP);
                for (int player = 1; player <= 2; player++)
                    assert_int_equal(nonet_evaluate(nonet_session_options(with), weights,
                                                    nonet_session_state(with), player),
                                     nonet_evaluate(nonet_session_options(plain), weights,
                                                    nonet_session_state(plain), 3 - player));
            }
            nonet_move move = random_move(plain, &random);
            play(plain, move);
            play(with, move);
        }
        nonet_session_free(plain);
        nonet_session_free(with);
    }
    assert_in_range(worse, 1, 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_is_as_slow), cmocka_unit_test(no_sum_is_too_large),
        cmocka_unit_test(text_of_weights),  cmocka_unit_test(features_of_ksar),
        cmocka_unit_test(counted_by_hand),  cmocka_unit_test(swapped_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
