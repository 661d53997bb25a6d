/* Fullend's bitmap against its geometry: every lattice point of random layers in random positions,
 * and what is derived from the bits against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/random.h"
#include "rules/game.h"
#include "rules/wide.h"
#include "variants.h"

extern const struct nonet_game nonet_fullend;
static const struct nonet_game *const game = &nonet_fullend;

enum { SIDE = 321, FLAT_ANGLES = 90, EDGE_ANGLES = 180 };

struct table {
    struct nonet_options options;
    struct nonet_state state;
    void *workspace;
    struct nonet_random random;
};

static struct table table_new(const char *variant, uint64_t seed) {
    struct table table = {.workspace = new_workspace(game), .random = {seed}};
    table.options = options_of(variant);
    game->start(&table.options, &table.state, table.workspace);
    return table;
}

static nonet_move move_of(const struct table *table, const char *kind, int x, int y, int angle) {
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_text_format(&text, "%s@%d,%d,%d", kind, x, y, angle);
    struct nonet_message why;
    nonet_move move;
    assert_true(game->parse(&table->options, name, &move, &why));
    return move;
}

static uint64_t count(const struct table *table) {
    return game->wide->count(&table->options, &table->state, table->workspace);
}

static bool is_set(const struct table *table, nonet_move like, int x, int y) {
    int rows, words;
    const uint64_t *bits =
        game->wide->region(&table->options, table->workspace, like, &rows, &words);
    return y < rows && x < 64 * words && (bits[y * words + x / 64] >> x % 64 & 1) != 0;
}

static uint64_t bits_in(const struct table *table, nonet_move like) {
    int rows, words;
    const uint64_t *bits =
        game->wide->region(&table->options, table->workspace, like, &rows, &words);
    uint64_t sum = 0;
    for (int i = 0; i < rows * words; i++)
        sum += (uint64_t)nonet_bits_count(bits[i]);
    return sum;
}

static uint64_t bits_of_kind(const struct table *table, const char *kind, int angles) {
    uint64_t sum = 0;
    for (int angle = 0; angle < angles; angle++)
        sum += bits_in(table, move_of(table, kind, 0, 0, angle));
    return sum;
}

/* Plays a random legal move; one in three is pushed against a corner of the floor, so that tight
 * positions occur as well. */
static void play_random(struct table *table) {
    nonet_move move = game->wide->nth(&table->options, &table->state, table->workspace,
                                      nonet_random_below(&table->random, (uint32_t)count(table)));
    if (nonet_random_below(&table->random, 3) == 0) {
        char name[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(name);
        game->print(&table->options, move, &text);
        int angle = atoi(strrchr(name, ',') + 1);
        name[4] = '\0';
        nonet_move corner = move_of(table, name, 0, 0, angle);
        assert_true(
            game->wide->nearest(&table->options, &table->state, table->workspace, corner, &move));
    }
    game->play(&table->options, &table->state, table->workspace, move);
}

static void empty_floor(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 1);
    assert_int_equal(count(&table), 4703970 + 12043844);
    assert_int_equal(bits_of_kind(&table, "flat", FLAT_ANGLES), 4703970);
    assert_int_equal(bits_of_kind(&table, "edge", EDGE_ANGLES), 12043844);
    free(table.workspace);
}

static void compare_layer(const struct table *table, const char *kind, int angle) {
    nonet_move like = move_of(table, kind, 0, 0, angle);
    struct nonet_message why;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            nonet_move move = move_of(table, kind, x, y, angle);
            bool legal = game->why(&table->options, &table->state, move, &why);
            if (legal != is_set(table, like, x, y) ||
                legal != game->wide->test(&table->options, &table->state, table->workspace, move))
                fail_msg("%s@%d,%d,%d is %s by geometry", kind, x, y, angle,
                         legal ? "legal" : "illegal");
        }
}

static void bits_match_geometry(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct table table = table_new("fullend:supply=unlimited", seed);
        while (count(&table) > 0) {
            if (nonet_random_below(&table.random, 5) == 0) {
                compare_layer(&table, "flat", (int)nonet_random_below(&table.random, FLAT_ANGLES));
                compare_layer(&table, "edge", (int)nonet_random_below(&table.random, EDGE_ANGLES));
                compare_layer(&table, "edge", (int)nonet_random_below(&table.random, 2) * 90);
            }
            play_random(&table);
        }
        free(table.workspace);
    }
}

static void counts_match_bits(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=unlimited", 11);
    while (count(&table) > 0) {
        play_random(&table);
        assert_int_equal(count(&table), bits_of_kind(&table, "flat", FLAT_ANGLES) +
                                            bits_of_kind(&table, "edge", EDGE_ANGLES));
    }
    free(table.workspace);
}

/* Moves rise with their indices, so they are distinct; in a small position they are all moves there
 * are. */
static void nth_is_one_to_one(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=unlimited", 21);
    while (count(&table) > 0) {
        uint64_t step = count(&table) / 20000 + 1;
        nonet_move last = 0;
        for (uint64_t index = 0; index < count(&table); index += step) {
            nonet_move move = game->wide->nth(&table.options, &table.state, table.workspace, index);
            assert_true(index == 0 || move > last);
            assert_true(game->wide->test(&table.options, &table.state, table.workspace, move));
            last = move;
        }
        play_random(&table);
    }
    free(table.workspace);
}

static void entering_rebuilds_the_bits(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 31);
    void *rebuilt = new_workspace(game);
    while (game->turn(&table.options, &table.state) != 0) {
        play_random(&table);
        game->wide->enter(&table.options, &table.state, rebuilt);
        assert_memory_equal(rebuilt, table.workspace, game->wide->workspace_size);
        char line[NONET_POSITION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(line);
        game->write(&table.options, &table.state, &text);
        struct nonet_state read = {0};
        struct nonet_message why;
        memset(rebuilt, 0xff, game->wide->workspace_size);
        assert_true(game->read(&table.options, line, &read, rebuilt, &why));
        assert_memory_equal(&read, &table.state, game->state_size);
        assert_memory_equal(rebuilt, table.workspace, game->wide->workspace_size);
    }
    free(rebuilt);
    free(table.workspace);
}

/* The order of play leaves no trace in the state or in the bits. */
static void order_does_not_show(void **unused) {
    (void)unused;
    struct table one = table_new("fullend:supply=24", 1), other = table_new("fullend:supply=24", 1);
    static const char *const line[] = {"flat@36,36,0", "edge@160,160,33", "edge@300,36,90",
                                       "flat@200,250,17"};
    enum { LENGTH = sizeof line / sizeof line[0] };
    for (int i = 0; i < LENGTH; i++) {
        nonet_move move;
        struct nonet_message why;
        assert_true(game->parse(&one.options, line[i], &move, &why));
        game->play(&one.options, &one.state, one.workspace, move);
        assert_true(game->parse(&other.options, line[LENGTH - 1 - i], &move, &why));
        game->play(&other.options, &other.state, other.workspace, move);
    }
    assert_memory_equal(&one.state, &other.state, game->state_size);
    assert_memory_equal(one.workspace, other.workspace, game->wide->workspace_size);
    free(one.workspace);
    free(other.workspace);
}

static void nearest_is_nearest(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=unlimited", 41);
    while (count(&table) > 0) {
        for (int tries = 0; tries < 10; tries++) {
            bool edge = nonet_random_below(&table.random, 3) > 0;
            const char *kind = edge ? "edge" : "flat";
            int angle = (int)nonet_random_below(&table.random, edge ? EDGE_ANGLES : FLAT_ANGLES);
            int x = (int)nonet_random_below(&table.random, SIDE);
            int y = (int)nonet_random_below(&table.random, SIDE);
            nonet_move wish = move_of(&table, kind, x, y, angle), found, expected = 0;
            int best = 2 * SIDE * SIDE;
            /* equally near ones: the nearer row, then the lower, then the left one */
            for (int off = 0; off < 2 * SIDE; off++) {
                int row = y + (off % 2 != 0 ? -(off + 1) / 2 : off / 2);
                for (int column = 0; column < SIDE && row >= 0 && row < SIDE; column++) {
                    int distance = (row - y) * (row - y) + (column - x) * (column - x);
                    if (distance < best && is_set(&table, wish, column, row)) {
                        best = distance;
                        expected = move_of(&table, kind, column, row, angle);
                    }
                }
            }
            bool any =
                game->wide->nearest(&table.options, &table.state, table.workspace, wish, &found);
            assert_int_equal(any, expected != 0);
            assert_true(!any || found == expected);
        }
        play_random(&table);
    }
    free(table.workspace);
}

/* The floor looks the same from all sides: a turned position has as many placements in each turned
 * layer as the position had there. */
static void symmetries_keep_the_room(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 51);
    for (int i = 0; i < 8; i++)
        play_random(&table);
    struct table turned = {.workspace = new_workspace(game), .options = table.options};
    for (int symmetry = 0; symmetry < game->symmetries(&table.options); symmetry++) {
        game->turn_state(&table.options, symmetry, &table.state, &turned.state);
        game->wide->enter(&turned.options, &turned.state, turned.workspace);
        assert_int_equal(count(&turned), count(&table));
        for (uint64_t index = 0; index < count(&table); index += 10007) {
            nonet_move move = game->wide->nth(&table.options, &table.state, table.workspace, index);
            nonet_move image = game->turn_move(&table.options, symmetry, move);
            assert_true(game->wide->test(&turned.options, &turned.state, turned.workspace, image));
            assert_int_equal(bits_in(&table, move), bits_in(&turned, image));
        }
    }
    free(turned.workspace);
    free(table.workspace);
}

/* With a supply of 24 the game ends after 24 pieces, whatever room is left. */
static void supply_ends_the_game(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 61);
    for (int i = 0; i < 24; i++) {
        assert_int_equal(game->turn(&table.options, &table.state), i % 2 + 1);
        nonet_move move = move_of(&table, "edge", 36 + 72 * (i / 12), 12 + 24 * (i % 12), 0);
        struct nonet_message why;
        assert_true(game->why(&table.options, &table.state, move, &why));
        game->play(&table.options, &table.state, table.workspace, move);
    }
    assert_int_equal(game->turn(&table.options, &table.state), 0);
    assert_int_equal(count(&table), 0);
    nonet_move far = move_of(&table, "edge", 284, 308, 0), found;
    assert_false(game->wide->test(&table.options, &table.state, table.workspace, far));
    assert_false(game->wide->nearest(&table.options, &table.state, table.workspace, far, &found));
    struct nonet_result result = {0};
    game->result(&table.options, &table.state, &result);
    assert_int_equal(result.winners, 2);
    free(table.workspace);
}

/* Pieces that a hand lets go of lie on the lattice; a placement beside it is refused, and the one
 * that is named instead is legal. */
static void coarser_floor(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24,lattice=8", 41);
    struct nonet_message why;
    nonet_move move;
    assert_int_equal(count(&table), 36 + 2 * 48);
    for (int degrees = 0; degrees < 360; degrees += 7)
        for (uint16_t place = 1; place <= 2; place++) {
            assert_true(game->wide->wish(
                &table.options, place, (int32_t)nonet_random_below(&table.random, 160 * NONET_UNIT),
                (int32_t)nonet_random_below(&table.random, 160 * NONET_UNIT), degrees, &move));
            assert_true(game->why(&table.options, &table.state, move, &why));
        }
    move = move_of(&table, "edge", 61, 20, 0);
    assert_false(game->why(&table.options, &table.state, move, &why));
    assert_string_equal(why.phrase->key, "fullend.off-lattice");
    assert_string_equal(why.arguments[1].text, "edge@60,20,0");
    assert_false(game->read(&table.options, "edge@60,20,1 2", &table.state, table.workspace, &why));
    assert_string_equal(why.phrase->key, "fullend.placed-off-lattice");
    assert_true(game->read(&table.options, "edge@60,20,0 2", &table.state, table.workspace, &why));
    compare_layer(&table, "flat", 0);
    compare_layer(&table, "edge", 0);
    compare_layer(&table, "edge", 90);
    compare_layer(&table, "edge", 45);
    free(table.workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_floor),
        cmocka_unit_test(coarser_floor),
        cmocka_unit_test(bits_match_geometry),
        cmocka_unit_test(counts_match_bits),
        cmocka_unit_test(nth_is_one_to_one),
        cmocka_unit_test(entering_rebuilds_the_bits),
        cmocka_unit_test(order_does_not_show),
        cmocka_unit_test(nearest_is_nearest),
        cmocka_unit_test(symmetries_keep_the_room),
        cmocka_unit_test(supply_ends_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
