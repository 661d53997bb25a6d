/* Fullend's geometry against exact whole numbers: every row of every pair of footprints.
 *
 * The engine computes with doubles, and relies on every placement being further from a tie than any
 * rounding error. Here sines are whole multiples of 2^-58, from their series, and everything
 * follows from them by sums and products of whole numbers. For each of the 270 x 270 pairs of
 * layers, and each row, the leftmost centre that overlaps must be the one that the engine finds,
 * with enough margin. So this also detects a compiler or processor whose rounding matters. It is
 * built a second time with -mfpmath=387, which rounds twice, and has been run with FMA. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/fullend_board.h"

enum { FRACTION = 58 };
#define ONE ((int64_t)1 << FRACTION)

static int64_t times(int64_t a, int64_t b) { /* of numbers whose product is below four */
    uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
    uint64_t x1 = x >> 32, x0 = (uint32_t)x, y1 = y >> 32, y0 = (uint32_t)y;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32); /* x1 and y1 are below 2^28 */
    uint64_t high = x1 * y1 + (middle >> 32), rest = (middle & UINT32_MAX) + x0 * y1;
    high += rest >> 32;
    uint64_t low = rest << 32;
    uint64_t product = high << (64 - FRACTION) | low >> FRACTION;
    return (a < 0) != (b < 0) ? -(int64_t)product : (int64_t)product;
}

static int64_t sines[361 + 90]; /* of the degrees from -90 on */
static int64_t *const sine_of = sines + 90;

/* Up to 45 degrees by the series of sine and cosine, the others by symmetry. */
static void compute_sines(void) {
    const int64_t degree = 5030569068109113; /* pi / 180 * 2^58, rounded */
    for (int degrees = 0; degrees <= 45; degrees++) {
        int64_t angle = degree * degrees, term[2] = {angle, ONE}, sum[2] = {angle, ONE};
        for (int even = 0; even < 2; even++)
            for (int n = 3 - even; term[even] != 0; n += 2) {
                term[even] = -times(times(term[even], angle), angle) / (n * (n - 1));
                sum[even] += term[even];
            }
        sine_of[degrees] = sum[0];
        sine_of[90 - degrees] = sum[1];
    }
    for (int degrees = 91; degrees <= 180; degrees++)
        sine_of[degrees] = sine_of[180 - degrees];
    for (int degrees = 181; degrees <= 360; degrees++)
        sine_of[degrees] = -sine_of[degrees - 180];
    for (int degrees = 1; degrees <= 90; degrees++)
        sine_of[-degrees] = -sine_of[degrees];
}

/* Lengths here are hundredths of half millimetres times sines, with 40 bits for fractions. Besides
 * the fraction there is room for a length of 10^5, and a margin of 1e-7 mm is two million steps. */
enum { COARSER = FRACTION - 40 };
#define LENGTH_ONE ((int64_t)100 << 40)

static int64_t sine_at(int degrees) {
    return sine_of[(degrees % 360 + 360) % 360] >> COARSER;
}

static int64_t cosine_at(int degrees) {
    return sine_at(degrees + 90);
}

static int64_t magnitude(int64_t number) {
    return number < 0 ? -number : number;
}

static int64_t reach_of(int layer, int axis) {
    bool edge = layer >= 90;
    int angle = edge ? layer - 90 : layer;
    return 3599 * magnitude(cosine_at(axis - angle)) +
           (edge ? 1199 : 3599) * magnitude(sine_at(axis - angle));
}

/* How deep two footprints overlap, if the second one's centre is this far away. */
static int64_t depth_of(const int axes[4], const int64_t width[4], int across, int up) {
    int64_t least = INT64_MAX;
    for (int i = 0; i < 4; i++) {
        int64_t apart = 100 * magnitude(across * cosine_at(axes[i]) + up * sine_at(axes[i]));
        int64_t depth = width[i] - apart;
        least = depth < least ? depth : least;
    }
    return least;
}

static int64_t closest = INT64_MAX; /* to a tie */

static void check_overlap(const int axes[4], const int64_t width[4], int across, int up,
                          bool expected, int placed, int layer) {
    int64_t depth = depth_of(axes, width, across, up);
    if ((depth > 0) != expected)
        fail_msg("layers %d and %d, %d across and %d up", placed, layer, across, up);
    closest = magnitude(depth) < closest ? magnitude(depth) : closest;
}

static void forbidden_centres_are_exact(void **unused) {
    (void)unused;
    compute_sines();
    for (int placed = 0; placed < LAYERS; placed++)
        for (int layer = 0; layer < LAYERS; layer++) {
            struct octagon octagon = octagon_about(placed, layer);
            int first = angle_of(placed), second = angle_of(layer);
            const int axes[4] = {first, first + 90, second, second + 90};
            int64_t width[4];
            for (int i = 0; i < 4; i++)
                width[i] = reach_of(placed, axes[i]) + reach_of(layer, axes[i]);
            for (int up = -octagon.rows; up <= octagon.rows; up++) {
                int left = octagon_left(&octagon, up), right = -octagon_left(&octagon, -up);
                check_overlap(axes, width, left - 1, up, false, placed, layer);
                check_overlap(axes, width, right + 1, up, false, placed, layer);
                if (left <= right) {
                    check_overlap(axes, width, left, up, true, placed, layer);
                    check_overlap(axes, width, right, up, true, placed, layer);
                }
            }
            int64_t height = reach_of(placed, 90) + reach_of(layer, 90);
            if (height / LENGTH_ONE != octagon.rows)
                fail_msg("layers %d and %d: %d rows", placed, layer, octagon.rows);
        }
    /* 1e-7 mm is 2e-5 hundredths of half a millimetre; far more than what is rounded off here. */
    assert_true(closest > ((int64_t)1 << 40) / 50000);
}

static void whole_numbers_above(void **unused) {
    (void)unused;
    for (int whole_number = -9000; whole_number <= 9000; whole_number++)
        for (int step = 1; step < 100; step++) {
            double fraction = step == 1 ? 1e-7 : step == 99 ? 1 - 1e-7 : step / 100.0;
            assert_int_equal(whole_above(raised + whole_number + fraction), whole_number + 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_above),
        cmocka_unit_test(forbidden_centres_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
