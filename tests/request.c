/* Requests to a table: what is read, and what is said of what is not one. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "online/api/request.h"

static struct api_request request;
static char why[512];

static bool read_it(const char *body) {
    struct nonet_text text = NONET_TEXT_IN(why);
    return api_request_read(body, strlen(body), &request, &text);
}

static void read_wishes(void **unused) {
    (void)unused;
    assert_true(read_it("{\"wish\":\"sit\",\"seat\":2,\"name\":\"Zo\\u00eb\"}"));
    assert_int_equal(request.room.wish, ROOM_SIT);
    assert_int_equal(request.room.seat, 2);
    assert_string_equal(request.room.name, "Zo\xc3\xab");
    assert_true(read_it("{\"move\":\"a1b2\",\"id\":\"18446744073709551615\",\"ply\":7,\"seat\":1,"
                        "\"wish\":\"move\",\"spent\":900}"));
    assert_int_equal(request.room.wish, ROOM_MOVE);
    assert_true(request.room.id == UINT64_MAX);
    assert_int_equal(request.room.ply, 7);
    assert_int_equal(request.room.spent, 900);
    assert_string_equal(request.room.move, "a1b2");
    assert_true(read_it("{\"wish\":\"move\",\"seat\":1,\"ply\":0,\"id\":\"1\",\"move\":\"x\"}"));
    assert_int_equal(request.room.spent, -1);
    assert_true(
        read_it("{\"wish\":\"accept\",\"seat\":1,\"offer\":\"take-back\",\"id\":\"5\",\"ply\":3}"));
    assert_int_equal(request.room.offer, ROOM_TAKE_BACK);
    assert_true(read_it("{\"wish\":\"decline\",\"seat\":1,\"offer\":\"draw\",\"id\":\"5\"}"));
    assert_true(read_it("{\"wish\":\"say\",\"seat\":1,\"phrase\":11}"));
    assert_true(read_it("{\"wish\":\"promise\",\"seat\":1,\"ply\":3,\"id\":\"9\","
                        "\"lines\":[[\"a1\",\"b2\"],[\"c3\"]]}"));
    assert_int_equal(request.room.wish, ROOM_PROMISE);
    assert_int_equal(request.room.ply, 3);
    assert_true(request.room.id == 9);
    assert_string_equal(request.room.lines, "a1\nb2\n\nc3\n\n");
    assert_true(read_it("{\"wish\":\"promise\",\"seat\":1,\"ply\":3,\"id\":\"9\",\"lines\":[]}"));
    assert_string_equal(request.room.lines, "");
    static const char *const plain[] = {"stand", "resign", "abort", "claim"};
    for (int i = 0; i < 4; i++) {
        char body[64];
        snprintf(body, sizeof body, "{\"wish\":\"%s\",\"seat\":3}", plain[i]);
        assert_true(read_it(body));
    }
}

static void what_is_wrong(void **unused) {
    (void)unused;
    static const char *const cases[][2] = {
        {"", "an object of JSON"},
        {"[]", "an object of JSON"},
        {"{\"wish\":\"resign\",\"seat\":1}}", "an object of JSON"},
        {"{\"wish\":\"resign\",\"seat\":1,\"seat\":1}", "an object of JSON"},
        {"{\"wish\":\"resign\",\"seat\":\"\xff\"}", "an object of JSON"},
        {"{}", "\"wish\" must be one of sit"},
        {"{\"wish\":\"win\",\"seat\":1}", "\"wish\" must be one of sit"},
        {"{\"wish\":\"resign\"}", "\"seat\" must be a number from 1 to 4"},
        {"{\"wish\":\"resign\",\"seat\":5}", "\"seat\" must be a number from 1 to 4"},
        {"{\"wish\":\"resign\",\"seat\":1,\"ply\":2}", "a member that does not belong there"},
        {"{\"wish\":\"move\",\"seat\":1,\"ply\":-1,\"id\":\"1\",\"move\":\"x\"}",
         "\"ply\" must be"},
        {"{\"wish\":\"move\",\"seat\":1,\"ply\":1,\"id\":1,\"move\":\"x\"}", "in quotation marks"},
        {"{\"wish\":\"move\",\"seat\":1,\"ply\":1,\"id\":\"18446744073709551616\",\"move\":\"x\"}",
         "in quotation marks"},
        {"{\"wish\":\"move\",\"seat\":1,\"ply\":1,\"id\":\"1\",\"move\":\"a\\u0000b\"}",
         "an object of JSON"},
        {"{\"wish\":\"sit\",\"seat\":1,\"name\":7}", "\"name\" must be a text"},
        {"{\"wish\":\"offer\",\"seat\":1,\"ply\":1,\"id\":\"1\",\"offer\":\"money\"}",
         "one of draw, take-back, rematch"},
        {"{\"wish\":\"say\",\"seat\":1,\"phrase\":12}", "the number of a phrase"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(!read_it(cases[i][0]), "%s", cases[i][0]);
        CHECK(strstr(why, cases[i][1]) != NULL, "%s: \"%s\"", cases[i][0], why);
    }
    static const char *const bad_lines[] = {
        "",       "{}",       "\"a1\"",       "[\"a1\"]",        "[[]]",          "[[1]]", "[{}]",
        "[null]", "[[\"\"]]", "[[[\"a1\"]]]", "[[\"a1\\nb2\"]]", "[[\"a1\"],[]]",
    };
    for (size_t i = 0; i < sizeof bad_lines / sizeof bad_lines[0]; i++) {
        char bad[128];
        snprintf(bad, sizeof bad, "{\"wish\":\"promise\",\"seat\":1,\"ply\":1,\"id\":\"1\"%s%s}",
                 i == 0 ? "" : ",\"lines\":", bad_lines[i]);
        CHECK(!read_it(bad), "%s", bad);
        CHECK(strstr(why, "\"lines\" must be a list of at most 20") != NULL, "%s: %s", bad, why);
    }
    /* What does not fit is refused, not cut. */
    char body[REQUEST_MOST + 64], name[ROOM_NAME + 1];
    memset(name, 'n', ROOM_NAME);
    name[ROOM_NAME] = '\0';
    snprintf(body, sizeof body, "{\"wish\":\"sit\",\"seat\":1,\"name\":\"%s\"}", name);
    assert_false(read_it(body));
    name[ROOM_NAME - 1] = '\0';
    snprintf(body, sizeof body, "{\"wish\":\"sit\",\"seat\":1,\"name\":\"%s\"}", name);
    assert_true(read_it(body));
    snprintf(body, sizeof body, "%-*s", REQUEST_MOST + 1, "{\"wish\":\"resign\",\"seat\":1}");
    assert_false(read_it(body));
    assert_non_null(strstr(why, "at most 16384 bytes"));
    /* Twenty lines of twenty of the longest moves do; one more of either does not. */
    char longest[NONET_MOVE_TEXT + 1];
    memset(longest, 'm', NONET_MOVE_TEXT);
    longest[NONET_MOVE_TEXT] = '\0';
    for (int more = 0; more < 4; more++) {
        struct nonet_text text = NONET_TEXT_IN(body);
        nonet_text_add(&text,
                       "{\"wish\":\"promise\",\"seat\":1,\"ply\":1,\"id\":\"1\",\"lines\":[");
        for (int i = 0; i < PROMISE_LINES + (more == 1); i++)
            for (int j = 0; j < (more == 1 ? 1 : PROMISE_PLIES) + (more == 2 && i == 0); j++)
                nonet_text_format(&text, "%s\"%s\"",
                                  j > 0   ? ","
                                  : i > 0 ? "],["
                                          : "[",
                                  longest + (more == 3 && i == 0 ? 0 : 1));
        nonet_text_add(&text, "]]}");
        assert_false(text.cut);
        CHECK(read_it(body) == (more == 0), "%d", more);
    }
    memset(body, '[', REQUEST_MOST);
    body[REQUEST_MOST] = '\0';
    assert_false(read_it(body));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_wishes),
        cmocka_unit_test(what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
