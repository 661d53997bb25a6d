/* The log of all tables: what was appended is there, in order, whatever happens afterwards; what
 * failed is not there at all. */
#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "online/store/store.h"
#include "powercut.h"

static char folder[64], path[128], why[512];

static int begin(void **unused) {
    (void)unused;
    strcpy(folder, "/tmp/nonet-store-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/log", folder);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (int i = 0; i < 4; i++) {
        char file[160];
        snprintf(file, sizeof file, "%s%s", path, ends[i]);
        remove(file);
    }
    return rmdir(folder);
}

static struct store *open_store(void) {
    struct nonet_text text = NONET_TEXT_IN(why);
    struct store *store = store_open(path, &text);
    CHECK(store != NULL, "%s", why);
    return store;
}

static bool append(struct store *store, const struct store_line *lines, int count, int64_t *first) {
    struct nonet_text text = NONET_TEXT_IN(why);
    return store_append(store, lines, count, first, &text);
}

/* A line after another of the same table. */
static struct store_line line_after(int64_t before, uint64_t table, const char *text) {
    return (struct store_line){table, text, strlen(text), false, before};
}

static struct store_line line_of(uint64_t table, const char *text) {
    return line_after(0, table, text);
}

/* All lines that are read, as one text: "number table line;". */
static bool gather(void *context, int64_t number, const struct store_line *line) {
    nonet_text_format(context, "%lld %llu %.*s;", (long long)number,
                      (unsigned long long)line->table, (int)line->length, line->text);
    return true;
}

static void check_running(struct store *store, const char *expected) {
    char all[4096];
    struct nonet_text text = NONET_TEXT_IN(all), reason = NONET_TEXT_IN(why);
    CHECK(store_read_running(store, gather, &text, &reason), "%s", why);
    assert_string_equal(all, expected);
}

static void check_table(struct store *store, uint64_t table, const char *expected) {
    char all[4096];
    struct nonet_text text = NONET_TEXT_IN(all), reason = NONET_TEXT_IN(why);
    CHECK(store_read(store, table, gather, &text, &reason), "%s", why);
    assert_string_equal(all, expected);
}

static void kept_in_order(void **unused) {
    (void)unused;
    struct store *store = open_store();
    check_running(store, "");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 077, 0); /* it has secrets */
    int64_t first;
    struct store_line lines[] = {line_of(7, "a"), line_of(5, "b"), line_of(0, "of the hall"),
                                 line_after(1, 7, "ç; 'c'")};
    assert_int_equal(store_next(store), 1);
    assert_true(append(store, lines, 4, &first));
    assert_int_equal(first, 1);
    assert_true(append(store, &(struct store_line){INT64_MAX, "d", 1, false, 0}, 1, &first));
    assert_int_equal(first, 5);
    for (int round = 0; round < 2; round++) {
        check_running(store, "3 0 of the hall;1 7 a;2 5 b;4 7 ç; 'c';5 9223372036854775807 d;");
        check_table(store, 7, "1 7 a;4 7 ç; 'c';");
        check_table(store, 8, "");
        store_close(store);
        store = open_store();
        assert_int_equal(store_next(store), 6);
    }
    assert_true(append(store, &(struct store_line){7, "end", 3, true, 4}, 1, &first));
    assert_int_equal(first, 6);
    check_running(store, "3 0 of the hall;2 5 b;5 9223372036854775807 d;");
    check_table(store, 7, "1 7 a;4 7 ç; 'c';6 7 end;");
    /* What is said after the end is the end of the chain. */
    assert_true(append(store, &(struct store_line){7, "bye", 3, true, 6}, 1, &first));
    check_table(store, 7, "1 7 a;4 7 ç; 'c';6 7 end;7 7 bye;");
    check_table(store, 5, "2 5 b;");
    store_close(store);
}

/* Another writer of the same file: the batch fails as a whole, with the reason, and later ones do
 * not. */
static void all_or_none(void **unused) {
    (void)unused;
    struct store *store = open_store();
    int64_t first;
    struct store_line lines[] = {line_of(1, "a"), line_after(1, 1, "b")};
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_false(append(store, lines, 2, &first));
    assert_non_null(strstr(why, "locked"));
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(other, "INSERT INTO events VALUES(2, 9, 0, 'x')", NULL, NULL, NULL),
        SQLITE_OK);
    assert_false(append(store, lines, 2, &first));
    check_table(store, 1, "");
    assert_int_equal(sqlite3_exec(other, "DELETE FROM events", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_true(append(store, lines, 2, &first));
    check_table(store, 1, "1 1 a;2 1 b;");
    store_close(store);
}

static void refuses(const char *part) {
    struct nonet_text text = NONET_TEXT_IN(why);
    assert_null(store_open(path, &text));
    CHECK(strstr(why, part) != NULL, "\"%s\", expected \"%s\"", why, part);
}

static void change(const char *sql) {
    sqlite3 *file;
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
}

static void what_is_no_log(void **unused) {
    (void)unused;
    change("CREATE TABLE money(amount)");
    refuses("another program's data");
    change("PRAGMA user_version=1");
    refuses("another program's data");
    remove(path);
    store_close(open_store());
    change("PRAGMA user_version=99");
    refuses("a newer version");
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < 5000; i++)
        fputc(i * 7, file);
    fclose(file);
    refuses("not a database");
    remove(path);
    strcat(path, "/not/there");
    refuses("unable to open");
    snprintf(path, sizeof path, "%s/log", folder);
}

/* The disk is full: appending fails with the reason; when there is room again, it goes on. */
static void full_disk(void **unused) {
    (void)unused;
    struct store *store = open_store();
    int64_t first;
    static char large[100000];
    memset(large, 'x', sizeof large);
    struct store_line line = {1, large, sizeof large, false, 0};
    assert_true(append(store, &line, 1, &first));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 150000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    line.before = 1;
    bool refused = !append(store, &line, 1, &first);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(refused);
    assert_non_null(strstr(why, "cannot write the log"));
    struct store_line small = line_of(2, "after");
    assert_true(append(store, &small, 1, &first));
    assert_int_equal(first, 2);
    check_table(store, 2, "2 2 after;");
    store_close(store);
}

/* ---- Kills and cuts ---- */

/* The i-th line of a batch that has this number. */
static void write_text(char text[32], int batch, int i) {
    snprintf(text, 32, "%d.%d", batch, i);
}

enum { BATCH = 5 };

static bool append_batch(struct store *store, int batch) {
    char texts[BATCH][32];
    struct store_line lines[BATCH];
    for (int i = 0; i < BATCH; i++) {
        write_text(texts[i], batch, i);
        int before = i > 0 ? batch * BATCH + i : (batch - 2) * BATCH;
        lines[i] = line_after(before > 0 ? before : 0, (uint64_t)(batch % 3), texts[i]);
    }
    int64_t first;
    return append(store, lines, BATCH, &first);
}

/* Counts lines; each must be the next one of its table. */
static bool count_line(void *context, int64_t number, const struct store_line *line) {
    int *batches = context, batch = (int)((number - 1) / BATCH);
    char text[32];
    write_text(text, batch, (int)((number - 1) % BATCH));
    CHECK(line->table == (uint64_t)(batch % 3) && line->length == strlen(text) &&
              memcmp(line->text, text, line->length) == 0,
          "line %lld is \"%.*s\", expected \"%s\"", (long long)number, (int)line->length,
          line->text, text);
    ++*batches;
    return true;
}

/* Whole batches, at least so many; returns how many. */
static int check_whole(struct store *store, int least) {
    int lines = 0;
    struct nonet_text reason = NONET_TEXT_IN(why);
    CHECK(store_read_running(store, count_line, &lines, &reason), "%s", why);
    CHECK(lines % BATCH == 0 && lines / BATCH >= least, "%d lines, %d batches were acknowledged",
          lines, least);
    return lines / BATCH;
}

static void killed(void **unused) {
    (void)unused;
    struct nonet_random random = {4};
    int done = 0;
    for (int round = 0; round < 20; round++) {
        int acknowledged[2];
        assert_int_equal(pipe(acknowledged), 0);
        pid_t child = fork();
        if (child == 0) {
            struct nonet_text text = NONET_TEXT_IN(why);
            struct store *store = store_open(path, &text);
            for (int batch = done; store != NULL && append_batch(store, batch); batch++)
                if (write(acknowledged[1], "+", 1) != 1)
                    break;
            _exit(1);
        }
        close(acknowledged[1]);
        char plus;
        assert_int_equal(read(acknowledged[0], &plus, 1), 1);
        done++;
        usleep(nonet_random_below(&random, 20000));
        kill(child, SIGKILL);
        while (read(acknowledged[0], &plus, 1) == 1)
            done++;
        close(acknowledged[0]);
        waitpid(child, NULL, 0);
        struct store *store = open_store();
        done = check_whole(store, done);
        store_close(store);
    }
}

static void power_cuts(void **unused) {
    (void)unused;
    powercut_install();
    struct nonet_random random = {6};
    int done = 0, lost = 0;
    for (int round = 0; round < 200; round++) {
        struct nonet_text text = NONET_TEXT_IN(why);
        powercut_after(1 + (int)nonet_random_below(&random, round % 4 == 0 ? 12 : 200));
        struct store *store = store_open(path, &text);
        int batch = done;
        while (store != NULL && append_batch(store, batch))
            batch++;
        store_close(store);
        powercut_happen((uint64_t)round);
        store = open_store();
        done = check_whole(store, batch);
        lost += done == batch;
        store_close(store);
        sqlite3 *file;
        assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
        sqlite3_stmt *check;
        assert_int_equal(sqlite3_prepare_v2(file, "PRAGMA integrity_check", -1, &check, NULL),
                         SQLITE_OK);
        assert_int_equal(sqlite3_step(check), SQLITE_ROW);
        assert_string_equal((const char *)sqlite3_column_text(check, 0), "ok");
        sqlite3_finalize(check);
        sqlite3_close(file);
    }
    CHECK(done > 500 && lost > 20, "%d batches, %d cuts in the middle of one", done, lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept_in_order, begin, clean),
        cmocka_unit_test_setup_teardown(all_or_none, begin, clean),
        cmocka_unit_test_setup_teardown(what_is_no_log, begin, clean),
        cmocka_unit_test_setup_teardown(full_disk, begin, clean),
        cmocka_unit_test_setup_teardown(killed, begin, clean),
        cmocka_unit_test_setup_teardown(power_cuts, begin, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
