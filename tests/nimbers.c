/* Nimbers by solve/nimbers.c against a plain search that knows no theory: it plays on a floor of
 * rectangles with a heap of nim beside it. The player to move loses that sum if and only if the
 * heap is as large as the floor's nimber. It shares no code with the rules nor with the solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "rules/session.h"
#include "solve/nimbers.h"
#include "variants.h"

/* --- The floor, in half millimetres --- */

struct rectangle {
    int x, y, half_width, half_height;
    char name[NONET_MOVE_TEXT];
};

enum { MOST_RECTANGLES = 240 };
struct floor {
    int count;
    struct rectangle at[MOST_RECTANGLES];
};

static bool overlap(const struct rectangle *a, const struct rectangle *b) {
    return abs(a->x - b->x) < a->half_width + b->half_width &&
           abs(a->y - b->y) < a->half_height + b->half_height;
}

/* The left half of the middles, rounded down; the others are their reflections. */
static int middle(int lines, int strip) {
    return 2 * strip < lines ? (320 * strip + 160) / lines
                             : 320 - (320 * (lines - 1 - strip) + 160) / lines;
}

static void add_kind(struct floor *floor, int lines, int half_width, int half_height,
                     const char *kind, int angle) {
    for (int row = 0; row < lines; row++)
        for (int column = 0; column < lines; column++) {
            struct rectangle r = {middle(lines, column), middle(lines, row), half_width,
                                  half_height, ""};
            if (r.x < half_width || r.x > 320 - half_width || r.y < half_height ||
                r.y > 320 - half_height)
                continue;
            struct nonet_text text = NONET_TEXT_IN(r.name);
            nonet_text_format(&text, "%s@%d,%d,%d", kind, r.x, r.y, angle);
            assert_true(floor->count < MOST_RECTANGLES);
            floor->at[floor->count++] = r;
        }
}

static struct floor empty_floor(int lines) {
    struct floor floor = {0};
    add_kind(&floor, lines, 36, 36, "flat", 0);
    add_kind(&floor, lines, 36, 12, "edge", 0);
    add_kind(&floor, lines, 12, 36, "edge", 90);
    return floor;
}

static struct floor without(const struct floor *floor, const struct rectangle *piece) {
    struct floor rest = {0};
    for (int i = 0; i < floor->count; i++)
        if (!overlap(&floor->at[i], piece))
            rest.at[rest.count++] = floor->at[i];
    return rest;
}

/* --- The plain search --- */

enum { FEW = 64, ENDLESS = 255, PLACE_BITS = 21, PLACES = 1 << PLACE_BITS };

struct known {
    uint64_t possible;
    uint8_t heap, pieces;
    bool used, lost;
};

struct plain {
    int count;
    uint64_t forbidden[FEW];
    struct known *known;
};

static struct plain plain_new(const struct floor *floor) {
    struct plain plain = {.count = floor->count, .known = calloc(PLACES, sizeof(struct known))};
    assert_true(floor->count <= FEW);
    assert_non_null(plain.known);
    for (int i = 0; i < floor->count; i++)
        for (int j = 0; j < floor->count; j++)
            plain.forbidden[i] |= (uint64_t)overlap(&floor->at[i], &floor->at[j]) << j;
    return plain;
}

/* Whether the player to move loses, with so many pieces left and a heap beside the floor. */
static bool is_lost(struct plain *plain, uint64_t possible, int heap, int pieces) {
    uint64_t at = (possible * 31 + (uint64_t)heap * 7 + (uint64_t)pieces) * 0x9e3779b97f4a7c15;
    struct known *known = &plain->known[at >> (64 - PLACE_BITS)];
    if (known->used && known->possible == possible && known->heap == heap &&
        known->pieces == pieces)
        return known->lost;
    bool lost = true;
    for (int i = 0; i < plain->count && lost && pieces > 0; i++)
        if (possible >> i & 1)
            lost = !is_lost(plain, possible & ~plain->forbidden[i], heap,
                            pieces == ENDLESS ? ENDLESS : pieces - 1);
    for (int less = 0; less < heap && lost; less++)
        lost = !is_lost(plain, possible, less, pieces);
    *known = (struct known){possible, (uint8_t)heap, (uint8_t)pieces, true, lost};
    return lost;
}

static uint64_t all_of(const struct floor *floor) {
    return floor->count == 0 ? 0 : UINT64_MAX >> (FEW - floor->count);
}

/* --- Comparisons --- */

static bool solve(const struct nonet_session *session, struct nimbers_report *report,
                  uint64_t memory) {
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 1, .memory = memory};
    bool solved = solve_nimbers(nonet_session_options(session), nonet_session_state(session),
                                &limits, report, &why);
    assert_true(solved || why.length > 0);
    return solved;
}

static struct nonet_session *open(const char *supply, int lines) {
    char name[64];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_text_format(&text, "fullend:supply=%s,lattice=%d", supply, lines);
    return session_of(name, 1);
}

static void compare(const struct floor *floor, int nimber) {
    struct plain plain = plain_new(floor);
    for (int heap = 0; heap <= nimber + 1; heap++)
        assert_int_equal(is_lost(&plain, all_of(floor), heap, ENDLESS), heap == nimber);
    free(plain.known);
}

static void empty_floors(void **unused) {
    (void)unused;
    for (int lines = 1; lines <= 5; lines++) {
        struct nonet_session *session = open("unlimited", lines);
        struct floor floor = empty_floor(lines);
        struct nimbers_report report;
        assert_true(solve(session, &report, 0));
        assert_int_equal(report.moves, floor.count);
        compare(&floor, report.nimber);
        nonet_session_free(session);
    }
}

/* Plays random pieces until so few placements are left that the plain search can follow. */
static struct floor fill(struct nonet_session *session, int lines, int few,
                         struct nonet_random *random) {
    struct floor floor = empty_floor(lines);
    while (floor.count > few) {
        struct rectangle piece = floor.at[nonet_random_below(random, (uint32_t)floor.count)];
        struct nonet_message why;
        nonet_move move;
        const struct nonet_options *options = nonet_session_options(session);
        assert_true(options->game->parse(options, piece.name, &move, &why));
        play(session, move);
        floor = without(&floor, &piece);
    }
    return floor;
}

static void later_positions(void **unused) {
    (void)unused;
    struct nonet_random random = {1};
    int seen[4] = {0};
    for (int lines = 6; lines <= 9; lines++)
        for (int game = 0; game < 6; game++) {
            struct nonet_session *session = open("unlimited", lines);
            struct floor floor = fill(session, lines, 26, &random);
            struct nimbers_report report;
            assert_true(solve(session, &report, 0));
            compare(&floor, report.nimber);
            seen[report.nimber < 3 ? report.nimber : 3]++;
            nonet_session_free(session);
        }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] + seen[3] > 0);
}

/* Where the solver answers although the box is limited, the box does not matter. */
static void limited_boxes(void **unused) {
    (void)unused;
    struct nonet_random random = {2};
    int answered = 0, refused = 0;
    for (int lines = 8; lines <= 10; lines++)
        for (int game = 0; game < 6; game++) {
            struct nonet_session *session = open("24", lines);
            struct floor floor = fill(session, lines, 26, &random);
            struct nimbers_report report;
            if (solve(session, &report, 0)) {
                struct plain plain = plain_new(&floor);
                int left = 24 - nonet_session_ply(session);
                assert_int_equal(is_lost(&plain, all_of(&floor), 0, left), report.nimber == 0);
                free(plain.known);
                answered++;
            } else {
                refused++;
            }
            nonet_session_free(session);
        }
    assert_true(answered > 0 && refused > 0);
}

static void too_little(void **unused) {
    (void)unused;
    struct nimbers_report report;
    struct nonet_session *session = open("24", 8); /* more than 24 pieces may find room */
    assert_false(solve(session, &report, 0));
    nonet_session_free(session);
    session = open("unlimited", 6);
    assert_false(solve(session, &report, 1 << 10));
    assert_true(solve(session, &report, 1 << 20));
    nonet_session_free(session);
    session = open("unlimited", 7);
    assert_false(solve(session, &report, 1 << 20)); /* in the middle of the work */
    nonet_session_free(session);
}

static void who_is_taken(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        bool taken;
    } games[] = {{"fullend:supply=24", false},
                 {"fullend:supply=24,lattice=7", true},
                 {"fullend:supply=24,lattice=40", false},
                 {"fullend:supply=24,lattice=7,swap=yes", false},
                 {"trix", false}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct nonet_options options = options_of(games[i].name);
        assert_int_equal(solve_nimbers_applies(&options), games[i].taken);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_floors),  cmocka_unit_test(later_positions),
        cmocka_unit_test(limited_boxes), cmocka_unit_test(too_little),
        cmocka_unit_test(who_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
