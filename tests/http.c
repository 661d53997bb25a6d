/* The server's socket: what is opened is closed again, whether the server starts or not.
 * tests/answer.c tests what it answers, tests/serve.py how it behaves towards clients. */
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "online/http/http.h"

static const struct site_file no_files[1];

/* The lowest free number, which the next opened file will get. */
static int next_file(void) {
    int file = dup(STDIN_FILENO);
    close(file);
    return file;
}

static struct http_server *start(void) {
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const struct http_plan plan = {.files = no_files, .address = "127.0.0.1"};
    return http_start(&plan, &why);
}

static void nothing_is_left_open(void **unused) {
    (void)unused;
    int before = next_file();
    struct http_server *server = start();
    assert_non_null(server);
    assert_true(next_file() > before);
    http_stop(server);
    assert_int_equal(next_file(), before);
}

/* With room for few files, a start fails at different steps. */
static void nothing_is_left_open_by_failures(void **unused) {
    (void)unused;
    struct rlimit usual, tight;
    getrlimit(RLIMIT_NOFILE, &usual);
    int before = next_file(), failed = 0;
    for (int more = 0; more < 8; more++) {
        tight = usual;
        tight.rlim_cur = (rlim_t)(before + more);
        setrlimit(RLIMIT_NOFILE, &tight);
        struct http_server *server = start();
        setrlimit(RLIMIT_NOFILE, &usual);
        if (server != NULL)
            http_stop(server);
        failed += server == NULL;
        CHECK(next_file() == before, "room for %d", more);
    }
    CHECK(failed > 1, "%d starts failed", failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_open),
        cmocka_unit_test(nothing_is_left_open_by_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
