/* What one address may ask for, over seconds and over a month. */
#include <arpa/inet.h>

#include "check.h"
#include "online/hall/hall.h"
#include "online/http/rate_limits.h"

static struct in6_addr address(const char *text) {
    struct in6_addr read;
    assert_int_equal(inet_pton(AF_INET6, text, &read), 1);
    return read;
}

/* How many of one kind an address is granted that asks again and again for some milliseconds. */
static int ask_for(struct limits *limits, const char *from, enum limits_kind kind, int64_t time,
                   int64_t pause) {
    struct in6_addr who = address(from);
    int granted = 0, seconds;
    for (int64_t now = 0; now < time; now += pause)
        granted += limits_take(limits, &who, kind, 1, now, &seconds);
    return granted;
}

static void neighbours_share(void **unused) {
    (void)unused;
    struct limits *limits = limits_new();
    assert_non_null(limits);
    struct in6_addr one = address("2001:db8:1:2::5"), neighbour = address("2001:db8:1:2:ffff::9"),
                    other = address("2001:db8:1:3::5"), old = address("::ffff:10.0.0.1"),
                    old_neighbour = address("::ffff:10.0.0.2");
    int seconds;
    assert_true(limits_take(limits, &one, LIMITS_REQUEST, 300, 1000, &seconds));
    assert_false(limits_take(limits, &neighbour, LIMITS_REQUEST, 50, 1000, &seconds));
    assert_int_equal(seconds, 1);
    assert_true(limits_take(limits, &neighbour, LIMITS_REQUEST, 50, 2000, &seconds));
    assert_true(limits_take(limits, &other, LIMITS_REQUEST, 300, 1000, &seconds));
    assert_true(limits_take(limits, &old, LIMITS_REQUEST, 300, 1000, &seconds));
    assert_true(limits_take(limits, &old_neighbour, LIMITS_REQUEST, 300, 1000, &seconds));
    limits_free(limits);
}

/* Work is known when it is done, so an address can owe some; nobody else waits for that. */
static void work_is_charged_afterwards(void **unused) {
    (void)unused;
    struct limits *limits = limits_new();
    assert_non_null(limits);
    struct in6_addr one = address("::ffff:10.0.0.1"), other = address("::ffff:10.0.0.2");
    int seconds;
    limits_charge(limits, &one, LIMITS_WORK, 9999, 5000); /* a second */
    assert_true(limits_may(limits, &one, LIMITS_WORK, 1, 5000, &seconds));
    limits_charge(limits, &one, LIMITS_WORK, 5001, 5000);
    assert_false(limits_may(limits, &one, LIMITS_WORK, 1, 5000, &seconds));
    assert_in_range(seconds, 5, 6);
    assert_false(limits_may(limits, &one, LIMITS_WORK, 1, 10000, &seconds));
    assert_true(limits_may(limits, &one, LIMITS_WORK, 1, 10001, &seconds));
    assert_true(limits_may(limits, &other, LIMITS_WORK, 1, 5000, &seconds));
    limits_free(limits);
}

/* Games without a clock against the computer are there for a month. Whoever opens one whenever they
 * may, each time with a second game, leaves room for others. */
static void patience_fills_no_hall(void **unused) {
    (void)unused;
    struct limits *limits = limits_new();
    assert_non_null(limits);
    int often = ask_for(limits, "::ffff:10.0.0.1", LIMITS_OPENING, 60000, 10);
    assert_in_range(often, 40, 55);
    int opened = ask_for(limits, "::ffff:10.0.0.1", LIMITS_DAY, HALL_IDLE, 5000);
    CHECK(2 * opened < HALL_MOST_TABLES, "%d tables", 2 * opened);
    limits_free(limits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share),
        cmocka_unit_test(work_is_charged_afterwards),
        cmocka_unit_test(patience_fills_no_hall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
