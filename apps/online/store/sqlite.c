/* The store in a file of SQLite.
 *
 * WAL mode: a commit appends to one file and syncs it. synchronous=FULL: it does so before the
 * commit returns. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format.h"
#include "host/refusal.h"
#include "store.h"

#define LAST_NUMBER                                                                                \
    "max(coalesce((SELECT max(number) FROM events), 0),"                                           \
    "    coalesce((SELECT max(number) FROM hall), 0))"

const char format_whole[] =
    "SELECT number = 1 + " LAST_NUMBER
    " AND number = 1 + (SELECT count(*) FROM events) + (SELECT count(*) FROM hall)"
    " AND NOT EXISTS (SELECT 1 FROM events WHERE before = 0 AND of > 0 AND of NOT IN"
    "  (SELECT id FROM running UNION ALL SELECT id FROM over UNION ALL SELECT id FROM lost))"
    " AND NOT EXISTS (SELECT 1 FROM running WHERE id IN (SELECT id FROM lost))"
    " AND NOT EXISTS (SELECT number, line FROM hall EXCEPT SELECT number, line FROM spare)"
    " FROM next";

/* What leads from each version of the file to the next. Salvage tells their rows apart by their
 * columns. */
static const char *const migrations[FORMAT_VERSION] = {
    "CREATE TABLE hall(number INTEGER PRIMARY KEY, line TEXT NOT NULL);"
    "CREATE TABLE events(number INTEGER PRIMARY KEY, of INTEGER NOT NULL, before INTEGER NOT NULL,"
    "                    line TEXT NOT NULL);"
    "CREATE TABLE running(id INTEGER PRIMARY KEY, first INTEGER NOT NULL);"
    "CREATE TABLE over(id INTEGER PRIMARY KEY, last INTEGER NOT NULL);",
    /* For the day on which a page is overwritten. Without the lines of the hall nobody has a seat,
     * so they are there twice. The number of the next line tells whether the last ones are there;
     * its id is one that no table has. Tables of which lines are lost are never read. */
    "CREATE TABLE spare(number INTEGER PRIMARY KEY, line TEXT NOT NULL);"
    "INSERT INTO spare SELECT number, line FROM hall;"
    "CREATE TABLE next(id INTEGER PRIMARY KEY, number INTEGER NOT NULL);"
    "INSERT INTO next SELECT 0, 1 + " LAST_NUMBER ";"
    "CREATE TABLE lost(id INTEGER PRIMARY KEY);",
};

struct store {
    sqlite3 *file;
    sqlite3_stmt *to_hall, *to_spare, *append, *begins, *ends, *closes, *goes_on, *of_table,
        *of_hall, *of_running, *of_all, *is_lost;
    int64_t next;
};

static bool failed(const struct store *store, const char *what, struct nonet_text *why) {
    const char *reason = sqlite3_errmsg(store->file);
    if (strncmp(reason, "no such", strlen("no such")) == 0)
        nonet_text_format(
            why, "this file says that it is a log of Nonet, but it is not built as one: %s",
            reason);
    else
        nonet_text_format(why, "%s: %s", what, reason);
    return false;
}

static bool run(struct store *store, const char *sql) {
    return sqlite3_exec(store->file, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* The first number of the first row. */
static bool ask(struct store *store, const char *sql, int64_t *answer) {
    sqlite3_stmt *question;
    if (sqlite3_prepare_v2(store->file, sql, -1, &question, NULL) != SQLITE_OK)
        return false;
    bool found = sqlite3_step(question) == SQLITE_ROW;
    if (found)
        *answer = sqlite3_column_int64(question, 0);
    return sqlite3_finalize(question) == SQLITE_OK && found;
}

static bool set_version(struct store *store) {
    char names[96];
    struct nonet_text text = NONET_TEXT_IN(names);
    nonet_text_format(&text, "PRAGMA application_id=%d; PRAGMA user_version=%d", FORMAT_APPLICATION,
                      FORMAT_VERSION);
    return run(store, names);
}

static bool migrate(struct store *store, struct nonet_text *why) {
    int64_t application, version, objects;
    if (!ask(store, "PRAGMA application_id", &application) ||
        !ask(store, "PRAGMA user_version", &version) ||
        !ask(store, "SELECT count(*) FROM sqlite_master", &objects))
        return failed(store, "cannot read the log", why);
    bool empty = application == 0 && version == 0 && objects == 0;
    if (!empty && application != FORMAT_APPLICATION) {
        host_refuse(why, "there is another program's data in this file");
        return false;
    }
    if (version > FORMAT_VERSION) {
        host_refuse(why, "a newer version of Nonet wrote this log");
        return false;
    }
    if (version == FORMAT_VERSION)
        return true;
    bool fine = run(store, "BEGIN IMMEDIATE");
    for (; version < FORMAT_VERSION && fine; version++)
        fine = run(store, migrations[version]);
    return (fine && set_version(store) && run(store, "COMMIT")) ||
           failed(store, "cannot prepare the log", why);
}

static bool prepare(struct store *store, struct nonet_text *why) {
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } statements[] = {
        {&store->to_hall, "INSERT INTO hall VALUES(?1, ?3)"},
        {&store->to_spare, "INSERT INTO spare VALUES(?1, ?3)"},
        {&store->append, "INSERT INTO events VALUES(?1, ?2, ?4, ?3)"},
        {&store->begins, "INSERT INTO running VALUES(?1, ?2)"},
        {&store->ends, "DELETE FROM running WHERE id = ?1"},
        {&store->closes, "INSERT OR REPLACE INTO over VALUES(?1, ?2)"},
        {&store->goes_on, "UPDATE next SET number = ?1"},
        {&store->is_lost, "SELECT 1 FROM lost WHERE id = ?1"},
        /* From its last line back to its first. The last line of a game that is not over is looked
         * for; that is needed only after a batch failed. */
        {&store->of_table,
         "WITH RECURSIVE chain(n) AS (SELECT coalesce((SELECT last FROM over WHERE id = ?1), "
         "  (SELECT max(number) FROM events WHERE of = ?1 AND"
         "   number >= (SELECT first FROM running WHERE id = ?1))) "
         " UNION ALL SELECT before FROM events, chain WHERE number = n AND before > 0) "
         "SELECT number, of, line, before FROM events WHERE number IN chain ORDER BY number"},
        {&store->of_hall, "SELECT number, 0, line, 0 FROM hall ORDER BY number"},
        {&store->of_running, "SELECT number, of, line, before FROM events WHERE number >= (SELECT "
                             "min(first) FROM running) AND "
                             "of IN (SELECT id FROM running) ORDER BY number"},
        {&store->of_all,
         "SELECT number, of, line, before FROM events WHERE of > 0 ORDER BY number"},
    };
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (sqlite3_prepare_v3(store->file, statements[i].sql, -1, SQLITE_PREPARE_PERSISTENT,
                               statements[i].statement, NULL) != SQLITE_OK)
            return failed(store, "cannot read the log", why);
    return true;
}

/* Where it cannot be used, SQLite only says which mode it keeps. */
static bool uses_wal(struct store *store) {
    sqlite3_stmt *question;
    if (sqlite3_prepare_v2(store->file, "PRAGMA journal_mode=WAL", -1, &question, NULL) !=
        SQLITE_OK)
        return false;
    bool wal = sqlite3_step(question) == SQLITE_ROW &&
               sqlite3_stricmp((const char *)sqlite3_column_text(question, 0), "wal") == 0;
    return sqlite3_finalize(question) == SQLITE_OK && wal;
}

struct store *store_open(const char *path, struct nonet_text *why) {
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    mode_t usual =
        umask(077); /* what is hidden in games, and the secret, are for this user alone */
    bool fine = sqlite3_open_v2(path, &store->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                NULL) == SQLITE_OK;
    if (!fine) {
        failed(store, "cannot open the log", why);
    } else if (sqlite3_db_readonly(store->file, "main") == 1) {
        host_refuse(why, "cannot write the log: the file can only be read");
        fine = false;
    }
    /* Text of strangers is never run as SQL; this also refuses a file that would run its own. */
    fine = fine &&
           sqlite3_db_config(store->file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
           migrate(store, why);
    if (fine && !(uses_wal(store) && run(store, "PRAGMA synchronous=FULL") &&
                  run(store, "PRAGMA trusted_schema=OFF") &&
                  ask(store, "SELECT number FROM next", &store->next)))
        fine = failed(store, "cannot write the log", why);
    umask(usual);
    if (fine && prepare(store, why))
        return store;
    store_close(store);
    return NULL;
}

int store_lock(const char *path, struct nonet_text *why) {
    char name[4096];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_text_format(&text, "%s-lock", path);
    int file = text.cut ? -1 : open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file < 0) {
        host_refuse(why, "cannot open the log: %s", host_error(errno));
        return -1;
    }
    host_refuse(why, "another server uses these tables");
    close(file);
    return -1;
}

void store_close(struct store *store) {
    if (store == NULL)
        return;
    sqlite3_stmt *const all[] = {store->to_hall, store->to_spare,   store->append,  store->begins,
                                 store->ends,    store->closes,     store->goes_on, store->of_table,
                                 store->of_hall, store->of_running, store->of_all,  store->is_lost};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sqlite3_finalize(all[i]);
    sqlite3_close(store->file);
    free(store);
}

/* ---- Writing ---- */

static bool step(sqlite3_stmt *statement) {
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    return sqlite3_reset(statement) == SQLITE_OK && done;
}

/* A statement about a table, and perhaps a number. */
static bool note(sqlite3_stmt *statement, int64_t table, int64_t number) {
    sqlite3_bind_int64(statement, 1, table);
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, number);
    return step(statement);
}

static bool put(sqlite3_stmt *into, int64_t number, const struct store_line *line) {
    sqlite3_bind_int64(into, 1, number);
    sqlite3_bind_text64(into, 3, line->text, line->length, SQLITE_STATIC, SQLITE_UTF8);
    if (sqlite3_bind_parameter_count(into) > 3) {
        sqlite3_bind_int64(into, 2, (int64_t)line->table);
        sqlite3_bind_int64(into, 4, line->before);
    }
    return step(into);
}

static bool append_line(struct store *store, int64_t number, const struct store_line *line) {
    int64_t table = (int64_t)line->table;
    if (table == 0)
        return put(store->to_hall, number, line) && put(store->to_spare, number, line);
    if (!put(store->append, number, line))
        return false;
    if (line->over)
        return note(store->ends, table, number) && note(store->closes, table, number);
    return line->before != 0 || note(store->begins, table, number);
}

int64_t store_next(const struct store *store) {
    return store->next;
}

bool store_append(struct store *store, const struct store_line *lines, int count, int64_t *first,
                  struct nonet_text *why) {
    bool fine = run(store, "BEGIN IMMEDIATE") && note(store->goes_on, store->next + count, 0);
    for (int i = 0; i < count && fine; i++)
        fine = append_line(store, store->next + i, &lines[i]);
    fine = fine && run(store, "COMMIT");
    if (!fine) {
        failed(store, "cannot write the log", why);
        run(store, "ROLLBACK");
        return false;
    }
    *first = store->next;
    store->next += count;
    return true;
}

/* ---- Reading ---- */

static bool read_lines(struct store *store, sqlite3_stmt *statement, store_reader *reader,
                       void *context, struct nonet_text *why) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct store_line line = {.table = (uint64_t)sqlite3_column_int64(statement, 1),
                                  .text = (const char *)sqlite3_column_text(statement, 2),
                                  .length = (size_t)sqlite3_column_bytes(statement, 2),
                                  .before = sqlite3_column_int64(statement, 3)};
        if (line.text == NULL || !reader(context, sqlite3_column_int64(statement, 0), &line))
            break;
    }
    bool fine = code == SQLITE_ROW || code == SQLITE_DONE;
    if (!fine)
        failed(store, "cannot read the log", why);
    sqlite3_reset(statement);
    return fine;
}

bool store_read(struct store *store, uint64_t table, store_reader *reader, void *context,
                struct nonet_text *why) {
    if (table == 0)
        return read_lines(store, store->of_hall, reader, context, why);
    if (store_is_lost(store, table)) {
        nonet_text_add(why, "lines of this table are lost");
        return false;
    }
    sqlite3_bind_int64(store->of_table, 1, (int64_t)table);
    return read_lines(store, store->of_table, reader, context, why);
}

bool store_read_running(struct store *store, store_reader *reader, void *context,
                        struct nonet_text *why) {
    return read_lines(store, store->of_hall, reader, context, why) &&
           read_lines(store, store->of_running, reader, context, why);
}

bool store_read_all(struct store *store, store_reader *reader, void *context,
                    struct nonet_text *why) {
    return read_lines(store, store->of_hall, reader, context, why) &&
           read_lines(store, store->of_all, reader, context, why);
}

bool store_is_lost(struct store *store, uint64_t table) {
    sqlite3_bind_int64(store->is_lost, 1, (int64_t)table);
    bool lost = sqlite3_step(store->is_lost) != SQLITE_DONE;
    sqlite3_reset(store->is_lost);
    return lost;
}

bool store_check(struct store *store, struct nonet_text *why) {
    sqlite3_stmt *question;
    if (sqlite3_prepare_v2(store->file, "PRAGMA integrity_check(1)", -1, &question, NULL) !=
        SQLITE_OK)
        return failed(store, "cannot check the log", why);
    bool answered = sqlite3_step(question) == SQLITE_ROW;
    const char *says = answered ? (const char *)sqlite3_column_text(question, 0) : NULL;
    bool sound = says != NULL && sqlite3_stricmp(says, "ok") == 0;
    if (!sound)
        nonet_text_format(why, "the file is damaged: %s",
                          says != NULL ? says : sqlite3_errmsg(store->file));
    sqlite3_finalize(question);
    int64_t whole = 0;
    if (sound && !(ask(store, format_whole, &whole) && whole == 1)) {
        nonet_text_add(why, "the file is damaged: lines are missing");
        sound = false;
    }
    return sound;
}
