/* The 4x4 board's tables against their definitions. */
#include "games/board4.h"

#include "base/bits.h"
#include "check.h"

/* Four points are the corners of a rectangle if the diagonals of some pairing share middle and
 * length. */
static bool is_rectangle(int set, bool upright_only) {
    int x[4], y[4], count = 0;
    for (int cell = 0; cell < 16; cell++)
        if (set >> cell & 1) {
            x[count] = cell % 4;
            y[count++] = cell / 4;
        }
    for (int partner = 1; partner < 4; partner++) {
        int others[2], other = 0;
        for (int i = 1; i < 4; i++)
            if (i != partner)
                others[other++] = i;
        int a = others[0], b = others[1];
        int dx = x[0] - x[partner], dy = y[0] - y[partner], ex = x[a] - x[b], ey = y[a] - y[b];
        if (x[0] + x[partner] != x[a] + x[b] || y[0] + y[partner] != y[a] + y[b] ||
            dx * dx + dy * dy != ex * ex + ey * ey)
            continue;
        bool upright = (x[0] == x[a] && y[0] == y[b]) || (x[0] == x[b] && y[0] == y[a]);
        return upright || !upright_only;
    }
    return false;
}

static void rectangles(void **unused) {
    (void)unused;
    for (int upright = 0; upright < 2; upright++) {
        int count = 0;
        for (int set = 0; set < 0x10000; set++) {
            if (nonet_bits_count((uint64_t)set) != 4)
                continue;
            bool expected = is_rectangle(set, upright);
            count += expected;
            CHECK(board4_has_rectangle((uint16_t)set, (enum board4_rectangles)upright) == expected,
                  "set %x", set);
            CHECK(board4_count_rectangles((uint16_t)set, (enum board4_rectangles)upright) ==
                      expected,
                  "set %x", set);
            for (int cell = 0; cell < 16; cell++)
                CHECK(board4_completes_rectangle((uint16_t)set, cell,
                                                 (enum board4_rectangles)upright) ==
                          (expected && set >> cell & 1),
                      "set %x, cell %d", set, cell);
        }
        assert_int_equal(count, upright ? 36 : 44);
    }
}

static void turns(void **unused) {
    (void)unused;
    for (int symmetry = 0; symmetry < BOARD4_SYMMETRIES; symmetry++) {
        unsigned reached = 0;
        for (int cell = 0; cell < 16; cell++) {
            int turned = board4_turn_cell(symmetry, cell);
            reached |= 1u << turned;
            for (int other = 0; other < 16; other++) {
                int image = board4_turn_cell(symmetry, other);
                int dx = cell % 4 - other % 4, dy = cell / 4 - other / 4;
                int ex = turned % 4 - image % 4, ey = turned / 4 - image / 4;
                assert_int_equal(dx * dx + dy * dy, ex * ex + ey * ey);
            }
        }
        assert_int_equal(reached, 0xffff);
        for (unsigned set = 0; set < 0x10000; set++) {
            unsigned turned = 0;
            for (unsigned rest = set; rest != 0; rest &= rest - 1)
                turned |= 1u << board4_turn_cell(symmetry, nonet_bits_first(rest));
            assert_int_equal(board4_turn(symmetry, (uint16_t)set), turned);
        }
    }
    for (int cell = 0; cell < 16; cell++)
        assert_int_equal(board4_turn_cell(0, cell), cell);
    for (uint64_t i = 1; i < 1000; i++) {
        uint64_t lanes = i * 0x9e3779b97f4a7c15u, least = UINT64_MAX;
        for (int symmetry = 0; symmetry < BOARD4_SYMMETRIES; symmetry++) {
            uint64_t turned = 0;
            for (int lane = 0; lane < 64; lane += 16)
                turned |= (uint64_t)board4_turn(symmetry, (uint16_t)(lanes >> lane)) << lane;
            assert_true(board4_turn_lanes(symmetry, lanes) == turned);
            least = turned < least ? turned : least;
        }
        assert_true(board4_least(lanes) == least);
    }
}

static void lists(void **unused) {
    (void)unused;
    uint32_t members[32];
    for (int set = 0; set < 0x10000; set++) {
        int count = nonet_bits_list16((uint16_t)set, 100, members), expected = 0;
        for (int bit = 0; bit < 16; bit++)
            if (set >> bit & 1)
                assert_int_equal(members[expected++], 100 + bit);
        assert_int_equal(count, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rectangles), cmocka_unit_test(turns),
                                       cmocka_unit_test(lists)};
    return cmocka_run_group_tests_name("board4", tests, NULL, NULL);
}
