/* What the server answers, without a server: a small site of a few files, and requests whose
 * answers follow from the rules of HTTP (RFC 9110). */
#include "online/http/answer.h"

#include <string.h>

#include "base/random.h"
#include "check.h"

static const struct site_file FILES[] = {
    {"/index.html",
     "text/html; charset=utf-8",
     false,
     {{"plain", 5, "\"1\"", 0}, {"gzip", 4, "\"1-gz\"", 0}, {"br", 2, "\"1-br\"", 0}}},
    {"/assets/engine-abc.wasm",
     "application/wasm",
     true,
     {{"plain", 5, "\"2\"", 0}, {"gzip", 4, "\"2-gz\"", 0}, {0}}},
    {"/icon.png", "image/png", false, {{"picture", 7, "\"3\"", 0}, {0}, {0}}},
    {"/docs/index.html", "text/html; charset=utf-8", false, {{"all", 3, "\"4\"", 0}, {0}, {0}}},
    {"/docs/de/index.html", "text/html; charset=utf-8", false, {{"alle", 4, "\"5\"", 0}, {0}, {0}}},
    {0},
};
static const struct site_file *const PAGE = &FILES[0], *const ENGINE = &FILES[1],
                                     *const ICON = &FILES[2];

/* As HTTP/1.1 requires, with one Host header, unless stated otherwise. */
static struct answer ask_of(bool local, struct request request) {
    if (request.method == NULL)
        request.method = "GET";
    if (request.version == NULL) {
        request.version = "HTTP/1.1";
        request.hosts = 1;
    }
    struct answer answer;
    answer_request(FILES, local, &request, &answer);
    assert_true(answer.header_count <= ANSWER_HEADERS);
    return answer;
}

static struct answer ask(struct request request) {
    return ask_of(true, request);
}

/* The value of a header that comes at most once, or "". */
static const char *header(const struct answer *answer, const char *name) {
    const char *value = NULL;
    for (int i = 0; i < answer->header_count; i++)
        if (strcmp(answer->headers[i].name, name) == 0) {
            assert_null(value);
            value = answer->headers[i].value;
        }
    return value != NULL ? value : "";
}

static void test_coding(void **state) {
    (void)state;
    static const struct {
        const char *accepted;
        enum site_coding page, engine; /* the engine has no Brotli here */
    } cases[] = {
        {NULL, SITE_IDENTITY, SITE_IDENTITY},
        {"", SITE_IDENTITY, SITE_IDENTITY},
        {"gzip, deflate, br, zstd", SITE_BROTLI, SITE_GZIP},
        {"gzip,deflate", SITE_GZIP, SITE_GZIP},
        {"GZip", SITE_GZIP, SITE_GZIP},
        {"br", SITE_BROTLI, SITE_IDENTITY},
        {"zstd, deflate", SITE_IDENTITY, SITE_IDENTITY},
        /* Weights. */
        {"br;q=0, gzip", SITE_GZIP, SITE_GZIP},
        {"br;q=0.000, gzip;q=0.0", SITE_IDENTITY, SITE_IDENTITY},
        {"br;q=0.4, gzip;q=0.5", SITE_GZIP, SITE_GZIP},
        {"br;q=0.001, gzip;q=0", SITE_BROTLI, SITE_IDENTITY},
        {"br ; q=0.5 , gzip ; Q=0.4", SITE_BROTLI, SITE_GZIP},
        {"identity, gzip;q=0.5, br;q=0.5", SITE_IDENTITY, SITE_IDENTITY},
        {"identity;q=0.5, gzip;q=1.0", SITE_GZIP, SITE_GZIP},
        {"identity;q=0.5, *;q=0.5", SITE_BROTLI, SITE_GZIP},
        /* All others. */
        {"*", SITE_BROTLI, SITE_GZIP},
        {"br;q=0, *", SITE_GZIP, SITE_GZIP},
        {"*;q=0, gzip", SITE_GZIP, SITE_GZIP},
        {"*;q=0", SITE_IDENTITY, SITE_IDENTITY},
        /* A request for nothing that exists gets the file as it is. */
        {"identity;q=0", SITE_IDENTITY, SITE_IDENTITY},
        /* Not valid weights: they do not count as a request. */
        {"br;q=2, gzip;q=x", SITE_IDENTITY, SITE_IDENTITY},
        {"br;q=1.5, gzip;q=", SITE_IDENTITY, SITE_IDENTITY},
        {"br;q=0.5x, gzip;q=-1", SITE_IDENTITY, SITE_IDENTITY},
        {"brotli, gzipped, b, gz", SITE_IDENTITY, SITE_IDENTITY},
        {",,  ,br,;q=1", SITE_BROTLI, SITE_IDENTITY},
        {";;;q=;,=", SITE_IDENTITY, SITE_IDENTITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *accepted = cases[i].accepted;
        CHECK(answer_coding(PAGE, accepted) == cases[i].page, "%s: page", accepted);
        CHECK(answer_coding(ENGINE, accepted) == cases[i].engine, "%s: engine", accepted);
        CHECK(answer_coding(ICON, accepted) == SITE_IDENTITY, "%s: picture", accepted);
    }
}

static void test_tags(void **state) {
    (void)state;
    assert_false(answer_tag_matches(NULL, "\"a\""));
    assert_false(answer_tag_matches("", "\"a\""));
    assert_true(answer_tag_matches("\"a\"", "\"a\""));
    assert_true(answer_tag_matches("W/\"a\"", "\"a\""));
    assert_true(answer_tag_matches("\"x\", W/\"y\" ,\"a\"", "\"a\""));
    assert_true(answer_tag_matches("*", "\"a\""));
    assert_false(answer_tag_matches("\"A\"", "\"a\""));
    assert_false(answer_tag_matches("a", "\"a\""));
    assert_false(answer_tag_matches("\"ab\"", "\"a\""));
    assert_false(answer_tag_matches("\"a", "\"a\""));
}

static void test_hosts(void **state) {
    (void)state;
    static const char *const local[] = {"localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:80",
                                        "127.3.2.1", "[::1]",          "[::1]:8080"};
    static const char *const foreign[] = {"",
                                          "example.org",
                                          "localhost.example.org",
                                          "127.0.0.1.example.org",
                                          "127.example.org",
                                          "localhost:80x",
                                          "localhost@example.org",
                                          "[::1",
                                          "[::1]x",
                                          "[::2]",
                                          "128.0.0.1",
                                          "0.0.0.0",
                                          "192.168.1.5:8080",
                                          "localhos",
                                          ":8080"};
    assert_true(answer_host_is_local(NULL));
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        CHECK(answer_host_is_local(local[i]), "%s", local[i]);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        CHECK(!answer_host_is_local(foreign[i]), "%s", foreign[i]);
}

static void test_files(void **state) {
    (void)state;
    struct answer answer = ask((struct request){.target = "/"});
    assert_int_equal(answer.status, 200);
    assert_memory_equal(answer.body, "plain", answer.length);
    assert_string_equal(header(&answer, "Content-Type"), "text/html; charset=utf-8");
    assert_string_equal(header(&answer, "Content-Encoding"), "");
    assert_string_equal(header(&answer, "Cache-Control"), "no-cache");
    assert_string_equal(header(&answer, "Vary"), "Accept-Encoding");
    assert_string_equal(header(&answer, "ETag"), "\"1\"");
    answer = ask((struct request){.target = "/index.html", .accept_encoding = "br"});
    assert_int_equal(answer.length, 2);
    assert_string_equal(header(&answer, "Content-Encoding"), "br");
    assert_string_equal(header(&answer, "ETag"), "\"1-br\"");
    answer = ask((struct request){.target = "/assets/engine-abc.wasm", .accept_encoding = "gzip"});
    assert_string_equal(header(&answer, "Content-Encoding"), "gzip");
    assert_string_equal(header(&answer, "Content-Type"), "application/wasm");
    assert_string_equal(header(&answer, "Cache-Control"), "public, max-age=31536000, immutable");
    answer = ask((struct request){.target = "/icon.png", .accept_encoding = "gzip, br"});
    assert_int_equal(answer.length, 7);
    assert_string_equal(header(&answer, "Vary"), "");
    assert_string_equal(header(&answer, "Content-Encoding"), "");
}

/* A folder is its page, under the name with a slash; the name without it leads there. Resolved
 * against the address that was asked for, "docs/" is "/docs/" (RFC 3986, 5.2.3). */
static void test_folders(void **state) {
    (void)state;
    static const struct {
        const char *target;
        unsigned status;
        const char *content, *location;
    } cases[] = {
        {"/docs/", 200, "all", ""},     {"/docs/index.html", 200, "all", ""},
        {"/docs", 301, NULL, "docs/"},  {"http://localhost/docs", 301, NULL, "docs/"},
        {"/docs/de/", 200, "alle", ""}, {"/docs/de", 301, NULL, "de/"},
        {"/doc", 404, NULL, ""},        {"/docs//", 404, NULL, ""},
        {"//docs", 404, NULL, ""},      {"/docs/index.html/", 404, NULL, ""},
        {"/assets", 404, NULL, ""},     {"/assets/", 404, NULL, ""},
        {"docs", 404, NULL, ""},        {"", 404, NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = ask((struct request){.target = cases[i].target});
        CHECK(answer.status == cases[i].status, "%s: %u", cases[i].target, answer.status);
        CHECK(strcmp(answer.location, cases[i].location) == 0, "%s: %s", cases[i].target,
              answer.location);
        CHECK(cases[i].content == NULL ||
                  (answer.length == strlen(cases[i].content) &&
                   memcmp(answer.body, cases[i].content, answer.length) == 0),
              "%s", cases[i].target);
    }
}

static void test_not_modified(void **state) {
    (void)state;
    struct request request = {
        .target = "/", .accept_encoding = "br", .if_none_match = "\"0\", \"1-br\""};
    struct answer answer = ask(request);
    assert_int_equal(answer.status, 304);
    assert_int_equal(answer.length, 0);
    assert_string_equal(header(&answer, "ETag"), "\"1-br\"");
    assert_string_equal(header(&answer, "Cache-Control"), "no-cache");
    assert_string_equal(header(&answer, "Vary"), "Accept-Encoding");
    /* The same file in another coding is a different thing. */
    request.accept_encoding = "gzip";
    assert_int_equal(ask(request).status, 200);
}

/* Ranges of the seven bytes of a picture (RFC 9110, 14). */
static void test_ranges(void **state) {
    (void)state;
    static const struct {
        const char *range;
        unsigned status;
        const char *content, *says;
    } cases[] = {
        {"bytes=0-0", 206, "p", "bytes 0-0/7"},
        {"bytes=1-3", 206, "ict", "bytes 1-3/7"},
        {"bytes=4-", 206, "ure", "bytes 4-6/7"},
        {"bytes=4-99", 206, "ure", "bytes 4-6/7"},
        {"bytes=-2", 206, "re", "bytes 5-6/7"},
        {"bytes=-99", 206, "picture", "bytes 0-6/7"},
        {"Bytes=0-6", 206, "picture", "bytes 0-6/7"},
        {"bytes=2-99999999999999999999999999", 206, "cture", "bytes 2-6/7"},
        {"bytes=7-", 416, "", "bytes */7"},
        {"bytes=7-9", 416, "", "bytes */7"},
        {"bytes=-0", 416, "", "bytes */7"},
        {"bytes=99999999999999999999999999-", 416, "", "bytes */7"},
        /* No range, or several: the whole is always a right answer. */
        {"bytes=0-1,3-4", 200, "picture", ""},
        {"bytes=3-1", 200, "picture", ""},
        {"bytes=-", 200, "picture", ""},
        {"bytes=", 200, "picture", ""},
        {"bytes=a-b", 200, "picture", ""},
        {"bytes=1-2x", 200, "picture", ""},
        {"pages=1-2", 200, "picture", ""},
        {"", 200, "picture", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct request request = {.target = "/icon.png", .range = cases[i].range};
        struct answer answer = ask(request);
        CHECK(answer.status == cases[i].status, "%s: %u", cases[i].range, answer.status);
        CHECK(answer.length == strlen(cases[i].content) &&
                  memcmp(answer.body, cases[i].content, answer.length) == 0,
              "%s", cases[i].range);
        CHECK(strcmp(answer.content_range, cases[i].says) == 0, "%s: %s", cases[i].range,
              answer.content_range);
        CHECK(strcmp(header(&answer, "Accept-Ranges"), "bytes") == 0, "%s", cases[i].range);
        request.method = "HEAD";
        CHECK(ask(request).status == 200, "HEAD has no ranges: %s", cases[i].range);
    }
    struct request request = {.target = "/icon.png", .range = "bytes=1-2", .if_range = "\"3\""};
    assert_int_equal(ask(request).status, 206);
    static const char *const others[] = {"\"2\"", "W/\"3\"", "3", "Tue, 17 Nov 2026 10:00:00 GMT",
                                         ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        request.if_range = others[i];
        CHECK(ask(request).status == 200, "If-Range: %s", others[i]);
    }
    /* Who has the file already need not get a part of it. */
    request = (struct request){.target = "/icon.png", .range = "bytes=1-2", .if_none_match = "*"};
    assert_int_equal(ask(request).status, 304);
}

static void test_refusals(void **state) {
    (void)state;
    static const char *const methods[] = {"POST",    "PUT",   "DELETE", "OPTIONS", "TRACE",
                                          "CONNECT", "PATCH", "get",    "GETX",    ""};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct answer answer = ask((struct request){.method = methods[i], .target = "/"});
        CHECK(answer.status == 405, "%s", methods[i]);
        assert_string_equal(header(&answer, "Allow"), "GET, HEAD");
    }
    static const char *const paths[] = {"",      "//",         "/index",     "/index.html/",
                                        "/..",   "/../nonet",  "index.html", "/INDEX.HTML",
                                        "/asse", "/etc/passwd"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        CHECK(ask((struct request){.target = paths[i]}).status == 404, "%s", paths[i]);
    struct request foreign = {.target = "/", .host = "example.org"};
    assert_int_equal(ask(foreign).status, 421);
    /* A server for other machines cannot know which names they use for it. */
    assert_int_equal(ask_of(false, foreign).status, 200);
    assert_int_equal(ask((struct request){.target = "/", .oversized = true}).status, 413);
}

/* HTTP/1.1 has one Host header, HTTP/1.0 one or none (RFC 9112, 3.2). */
static void test_one_host(void **state) {
    (void)state;
    static const struct {
        const char *version;
        int hosts;
        unsigned status;
    } cases[] = {
        {"HTTP/1.1", 0, 400}, {"HTTP/1.1", 1, 200}, {"HTTP/1.1", 2, 400}, {"HTTP/1.2", 0, 400},
        {"HTTP/1.0", 0, 200}, {"HTTP/1.0", 1, 200}, {"HTTP/1.0", 2, 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = ask(
            (struct request){.target = "/", .version = cases[i].version, .hosts = cases[i].hosts});
        CHECK(answer.status == cases[i].status, "%s, %d", cases[i].version, cases[i].hosts);
    }
}

/* A whole address as target: its host counts, whatever the header says (RFC 9112, 3.2.2). */
static void test_whole_address(void **state) {
    (void)state;
    static const struct {
        const char *target, *host;
        unsigned status;
    } cases[] = {
        {"http://localhost/", "localhost", 200},
        {"http://localhost", "localhost", 200},
        {"HTTP://127.0.0.1:8080/icon.png", "localhost", 200},
        {"http://[::1]:8080/icon.png", "example.org", 200},
        {"http://localhost/nothing", "localhost", 404},
        {"http://localhost//", "localhost", 404},
        {"http://example.org/", "localhost", 421},
        {"http://localhost@example.org/", "localhost", 421},
        {"http://localhost:80@example.org/", "localhost", 421},
        {"http:///", "localhost", 421},
        {"http://", "localhost", 421},
        {"http://127.000000000000000000000000000000000000000000000000000000000000.1/", "localhost",
         421},
        {"http:/localhost/", "localhost", 404},
        {"https://localhost/", "localhost", 404},
        {"localhost:80", "localhost", 404},
        {"*", "localhost", 404},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer =
            ask((struct request){.target = cases[i].target, .host = cases[i].host});
        CHECK(answer.status == cases[i].status, "%s: %u", cases[i].target, answer.status);
    }
    struct request foreign = {.target = "http://example.org/icon.png"};
    assert_int_equal(ask_of(false, foreign).status, 200);
}

/* Whatever is asked, the answer forbids what the page does not need. */
static void test_always(void **state) {
    (void)state;
    const struct request requests[] = {
        {.target = "/"},
        {.target = "/", .method = "HEAD"},
        {.target = "/", .if_none_match = "*"},
        {.target = "/nothing"},
        {.target = "/docs"},
        {.target = "/", .method = "POST"},
        {.target = "/", .host = "example.org"},
        {.target = "/", .oversized = true},
        {.target = "/", .version = "HTTP/1.1"},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct answer answer = ask(requests[i]);
        const char *policy = header(&answer, "Content-Security-Policy");
        assert_non_null(strstr(policy, "default-src 'self';"));
        assert_non_null(strstr(policy, "script-src 'self' 'wasm-unsafe-eval';"));
        assert_null(strstr(policy, "'unsafe-"));
        assert_null(strstr(policy, "*"));
        assert_null(strstr(policy, "http"));
        assert_string_equal(header(&answer, "X-Content-Type-Options"), "nosniff");
        assert_string_equal(header(&answer, "Referrer-Policy"), "no-referrer");
        assert_string_equal(header(&answer, "Cross-Origin-Opener-Policy"), "same-origin");
        assert_true(answer.status == 304 || header(&answer, "Content-Type")[0] != '\0');
        assert_true(header(&answer, "Cache-Control")[0] != '\0');
    }
}

/* Headers of noise: nothing is read out of bounds, and no client gets a coding that it did not
 * name. */
static void test_noise(void **state) {
    (void)state;
    static const char *const scraps[] = {"br", "gzip", "identity", "*",     ";",  "q=", "0",  "1",
                                         ".",  ",",    " ",        "\"1\"", "W/", "\"", "\t", "["};
    struct nonet_random random = {5};
    for (int round = 0; round < 100000; round++) {
        char noise[64] = "";
        for (uint32_t i = nonet_random_below(&random, 8); i > 0; i--)
            strcat(noise, scraps[nonet_random_below(&random, sizeof scraps / sizeof scraps[0])]);
        struct answer answer = ask((struct request){
            .target = "/", .accept_encoding = noise, .if_none_match = noise, .host = noise});
        assert_true(answer.status == 421);
        answer = ask((struct request){.target = "/", .accept_encoding = noise});
        const char *coding = header(&answer, "Content-Encoding");
        CHECK(coding[0] == '\0' || strstr(noise, coding) != NULL || strchr(noise, '*') != NULL,
              "%s: %s", noise, coding);
        answer = ask((struct request){.target = "/", .if_none_match = noise});
        CHECK(answer.status == 200 || strstr(noise, "\"1\"") != NULL || strchr(noise, '*') != NULL,
              "%s", noise);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coding),        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_hosts),         cmocka_unit_test(test_files),
        cmocka_unit_test(test_not_modified),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_always),
        cmocka_unit_test(test_noise),         cmocka_unit_test(test_one_host),
        cmocka_unit_test(test_whole_address), cmocka_unit_test(test_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
