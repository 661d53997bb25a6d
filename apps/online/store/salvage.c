#include "salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "format.h"
#include "store.h"

enum {
    PAGE = 4096, /* of all our files */
    HEADER = 100,
    LEAF = 13,
    MOST_COLUMNS = 4,
    LEAST_LINE = 10, /* bytes in the file */
};

/* A row as it stands in a page. */
struct row {
    int64_t id;
    int count;
    struct {
        bool text;
        int64_t number;
        const unsigned char *bytes;
        size_t length;
    } columns[MOST_COLUMNS];
};

/* A file that is being read, and the log into which its rows are put. */
struct saving {
    FILE *from;
    sqlite3 *to;
    sqlite3_stmt *event, *hall, *spare, *pair, *lost;
    int64_t next, hall_lines;
    bool fine;
};

/* ---- Pages ---- */

static uint64_t big_endian(const unsigned char *bytes, int count) {
    uint64_t number = 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* SQLite's numbers of variable length; false if it does not end before `end`. */
static bool read_varint(const unsigned char **at, const unsigned char *end, uint64_t *number) {
    *number = 0;
    for (int i = 0; i < 9 && *at < end; i++) {
        unsigned char byte = *(*at)++;
        if (i == 8) {
            *number = *number << 8 | byte;
            return true;
        }
        *number = *number << 7 | (byte & 127);
        if (byte < 128)
            return true;
    }
    return false;
}

static bool read_column(struct row *row, uint64_t type, const unsigned char **at,
                        const unsigned char *end) {
    static const int sizes[] = {0, 1, 2, 3, 4, 6, 8, -1, 0, 0};
    bool text = type >= 13 && type % 2 == 1;
    if (row->count == MOST_COLUMNS || (!text && (type > 9 || sizes[type] < 0)))
        return false;
    size_t size = text ? (size_t)((type - 13) / 2) : (size_t)sizes[type];
    if (size > (size_t)(end - *at))
        return false;
    int64_t number = 0;
    if (!text && size > 0)
        number = (int64_t)(big_endian(*at, (int)size) << (64 - 8 * size)) >> (64 - 8 * size);
    row->columns[row->count].text = text;
    row->columns[row->count].number = type == 9 ? 1 : number;
    row->columns[row->count].bytes = *at;
    row->columns[row->count++].length = size;
    *at += size;
    return true;
}

/* A row whose parts fit into each other and into its page. No line is as long as a page, so all of
 * it is there. */
static bool read_row(const unsigned char *at, const unsigned char *end, struct row *row) {
    uint64_t size, id, header, type;
    *row = (struct row){0};
    if (!read_varint(&at, end, &size) || !read_varint(&at, end, &id) || size > (uint64_t)(end - at))
        return false;
    row->id = (int64_t)id;
    const unsigned char *begin = at;
    end = begin + size;
    if (!read_varint(&at, end, &header) || header > size || begin + header < at)
        return false;
    const unsigned char *body = begin + header, *types_end = body;
    while (at < types_end)
        if (!read_varint(&at, types_end, &type) || !read_column(row, type, &body, end))
            return false;
    return body == end && row->count > 0;
}

/* ---- Rows ---- */

static bool step(sqlite3_stmt *statement) {
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    return sqlite3_reset(statement) == SQLITE_OK && done;
}

static void put(struct saving *saving, sqlite3_stmt *statement, const struct row *row) {
    sqlite3_bind_int64(statement, 1, row->id);
    for (int i = 1; i < row->count; i++)
        if (row->columns[i].text)
            sqlite3_bind_text(statement, i + 1, (const char *)row->columns[i].bytes,
                              (int)row->columns[i].length, SQLITE_STATIC);
        else
            sqlite3_bind_int64(statement, i + 1, row->columns[i].number);
    saving->fine &= statement == NULL || step(statement); /* without one, rows are only counted */
}

/* Lines are objects of JSON. That is enough to know most of those through which noise has gone;
 * whoever reads them knows the rest. */
static bool is_line(const unsigned char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < ' ')
            return false;
    return length > 1 && bytes[0] == '{' && bytes[length - 1] == '}';
}

/* Which table of the file a row is from shows in its columns. The first is null, since it stands
 * for the row's own number. */
static void take_row(struct saving *saving, const struct row *row) {
    bool text[MOST_COLUMNS];
    for (int i = 0; i < row->count; i++)
        text[i] = row->columns[i].text;
    if (text[0] || row->columns[0].length > 0 || row->id < 0)
        return;
    bool object = is_line(row->columns[row->count - 1].bytes, row->columns[row->count - 1].length);
    if (row->count == 4 && !text[1] && !text[2] && text[3]) {
        bool placeholder = row->columns[1].number == 0 && row->columns[3].length == 0;
        if (row->id > 0 && (placeholder || (row->columns[1].number > 0 && object)))
            put(saving, saving->event, row);
    } else if (row->count == 2 && text[1] && object && row->id > 0) {
        saving->hall_lines++;
        put(saving, saving->hall, row);
        put(saving, saving->spare, row);
    } else if (row->count == 2 && !text[1] && row->id == 0) {
        saving->next =
            row->columns[1].number > saving->next ? row->columns[1].number : saving->next;
    } else if (row->count == 2 && !text[1]) {
        put(saving, saving->pair, row);
    } else if (row->count == 1) {
        put(saving, saving->lost, row);
    }
}

static void take_page(struct saving *saving, const unsigned char *page, int header) {
    const unsigned char *end = page + PAGE;
    if (page[header] != LEAF)
        return;
    uint64_t cells = big_endian(page + header + 3, 2);
    for (int i = 0; i < (int)cells && header + 10 + 2 * i <= PAGE; i++) {
        uint64_t at = big_endian(page + header + 8 + 2 * i, 2);
        struct row row;
        if (at < PAGE && read_row(page + at, end, &row))
            take_row(saving, &row);
    }
}

static bool take_pages(struct saving *saving, const char *path) {
    unsigned char page[PAGE];
    saving->from = fopen(path, "rbe");
    if (saving->from == NULL)
        return false;
    saving->fine = true;
    for (int number = 1; saving->fine && fread(page, PAGE, 1, saving->from) == 1; number++)
        take_page(saving, page, number == 1 ? HEADER : 0);
    bool read = !ferror(saving->from);
    fclose(saving->from);
    return saving->fine && read;
}

/* ---- The header of a file ---- */

static const unsigned char magic[] = "SQLite format 3";

static bool read_header(const char *path, unsigned char header[HEADER]) {
    FILE *file = fopen(path, "rbe");
    bool read = file != NULL && fread(header, HEADER, 1, file) == 1;
    if (file != NULL)
        fclose(file);
    return read;
}

static bool is_sane(const unsigned char header[HEADER]) {
    static const unsigned char rest[] = {0, 64, 32, 32};
    return memcmp(header, magic, sizeof magic) == 0 && big_endian(header + 16, 2) == PAGE &&
           header[18] <= 2 && header[19] <= 2 && memcmp(header + 20, rest, sizeof rest) == 0;
}

/* So much of a header that SQLite opens the file, and joins what is in its -wal. */
static bool mend_header(const char *path) {
    unsigned char header[HEADER] = {
        [16] = PAGE >> 8, [18] = 2, [19] = 2, [21] = 64, [22] = 32, [23] = 32};
    memcpy(header, magic, sizeof magic);
    for (int i = 0; i < 4; i++)
        header[68 + i] = (unsigned char)(FORMAT_APPLICATION >> (24 - 8 * i));
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool written = file >= 0 && pwrite(file, header, HEADER, 0) == HEADER && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return written;
}

/* ---- Whether it is needed ---- */

/* The first numbers of the first rows; false if there are none. */
static bool ask(sqlite3 *file, const char *sql, int64_t *answers, int most) {
    sqlite3_stmt *question;
    int count = 0;
    if (sqlite3_prepare_v2(file, sql, -1, &question, NULL) != SQLITE_OK)
        return false;
    for (; count < most && sqlite3_step(question) == SQLITE_ROW; count++)
        answers[count] = sqlite3_column_int64(question, 0);
    return sqlite3_finalize(question) == SQLITE_OK && count > 0;
}

/* What SQLite says of a file: damaged, or as it should be, or that it cannot tell. */
static bool is_damaged(const char *path) {
    sqlite3 *file;
    sqlite3_stmt *question = NULL;
    bool damaged = false;
    int code = sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(file, "PRAGMA integrity_check(1)", -1, &question, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(question)) == SQLITE_ROW)
        damaged = sqlite3_stricmp((const char *)sqlite3_column_text(question, 0), "ok") != 0;
    sqlite3_finalize(question);
    int64_t version = 0;
    if (code == SQLITE_ROW && !damaged && ask(file, "PRAGMA user_version", &version, 1) &&
        version == FORMAT_VERSION) {
        code = sqlite3_prepare_v2(file, format_whole, -1, &question, NULL);
        damaged = code == SQLITE_ERROR; /* a table is missing */
        if (code == SQLITE_OK && (code = sqlite3_step(question)) == SQLITE_ROW)
            damaged = sqlite3_column_int(question, 0) != 1;
        sqlite3_finalize(question);
    }
    sqlite3_close(file);
    return damaged || (code & 0xff) == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool salvage_needed(const char *path) {
    unsigned char header[HEADER];
    if (!read_header(path, header))
        return false;
    if (is_sane(header))
        return big_endian(header + 68, 4) == FORMAT_APPLICATION &&
               big_endian(header + 60, 4) <= FORMAT_VERSION && is_damaged(path);
    struct saving saving = {0};
    return take_pages(&saving, path) && saving.hall_lines > 0; /* else it is something else */
}

/* ---- Saving ---- */

static bool copy_file(const char *from, const char *to) {
    char bytes[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return errno == ENOENT;
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t got = -1;
    while (out >= 0 && (got = read(in, bytes, sizeof bytes)) > 0 &&
           write(out, bytes, (size_t)got) == got)
        ;
    bool copied = out >= 0 && got == 0 && fsync(out) == 0;
    if (out >= 0)
        close(out);
    close(in);
    return copied;
}

static const char *beside(const char *path, const char *end, char name[SALVAGE_PATH]) {
    struct nonet_text text = nonet_text_in(name, SALVAGE_PATH);
    nonet_text_format(&text, "%s%s", path, end);
    return name;
}

/* Room for a copy, and for a new log with what goes through its -wal: a start that fails for want
 * of it would leave one more copy each time. */
static bool has_room(const char *path) {
    struct stat file;
    struct statvfs disk;
    return stat(path, &file) == 0 && statvfs(path, &disk) == 0 &&
           (uint64_t)disk.f_bavail * disk.f_frsize / 3 > (uint64_t)file.st_size;
}

/* The damaged log, with what is in its -wal, under another name. */
static bool keep(const char *path, struct salvage *found) {
    char wal[SALVAGE_PATH], kept_wal[SALVAGE_PATH], date[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "-damaged-%Y%m%d-%H%M%S", gmtime_r(&now, &parts));
    beside(path, date, found->kept);
    return copy_file(path, found->kept) &&
           copy_file(beside(path, "-wal", wal), beside(found->kept, "-wal", kept_wal));
}

/* What is only in the -wal comes into the file itself. */
static void join_wal(const char *path) {
    unsigned char header[HEADER];
    char name[SALVAGE_PATH];
    sqlite3 *file;
    if (read_header(path, header) && !is_sane(header))
        mend_header(path);
    if (sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_exec(file, "PRAGMA user_version", NULL, NULL, NULL);
        sqlite3_wal_checkpoint_v2(file, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    }
    sqlite3_close(file);
    unlink(beside(path, "-wal", name));
    unlink(beside(path, "-shm", name));
}

/* From rows to a log: what is missing, what that makes of the tables, and which of them are over.
 * A line whose number is missing may have been the next of any table that has no later one, unless
 * the table is known to be over. */
static const char conclude[] =
    "DELETE FROM events WHERE number IN (SELECT number FROM twice);"
    "DELETE FROM events WHERE number >= (SELECT number FROM next);"
    "CREATE TEMP TABLE gone AS"
    " WITH RECURSIVE numbers(number) AS"
    "  (SELECT number FROM events UNION SELECT number FROM hall UNION SELECT number FROM next),"
    " gaps(first, after) AS"
    "  (SELECT 1 + lag(number, 1, 0) OVER (ORDER BY number), number FROM numbers),"
    " missing(number, after) AS (SELECT first, after FROM gaps WHERE first < after"
    "  UNION ALL SELECT number + 1, after FROM missing WHERE number + 1 < after)"
    " SELECT number FROM missing;"
    "CREATE TEMP TABLE known AS SELECT of AS id, min(number) AS first, max(number) AS last,"
    "  count(*) AS lines FROM events WHERE of > 0 GROUP BY of;"
    "CREATE UNIQUE INDEX temp.known_id ON known(id);"
    "INSERT OR IGNORE INTO over SELECT known.id, last FROM known, pairs"
    "  WHERE pairs.id = known.id AND pairs.number = last AND first < last;"
    "INSERT OR IGNORE INTO lost SELECT of FROM (SELECT of, before,"
    "  lag(number, 1, 0) OVER (PARTITION BY of ORDER BY number) AS led FROM events WHERE of > 0)"
    "  WHERE before != led;"
    "INSERT OR IGNORE INTO lost SELECT id FROM pairs WHERE id NOT IN (SELECT id FROM known)"
    "  OR number NOT IN (SELECT number FROM events);"
    "INSERT OR IGNORE INTO lost SELECT id FROM known WHERE id NOT IN (SELECT id FROM over)"
    "  AND last < (SELECT max(number) FROM gone);"
    "INSERT INTO running SELECT id, first FROM known"
    "  WHERE id NOT IN (SELECT id FROM over) AND id NOT IN (SELECT id FROM lost);"
    "INSERT INTO events SELECT number, 0, 0, '' FROM gone;";

/* The same number with other content: one of them is wrong. */
static const char beginning[] = "BEGIN;"
                                "CREATE TEMP TABLE pairs(id INTEGER, number INTEGER);"
                                "CREATE TEMP TABLE twice(number INTEGER PRIMARY KEY);"
                                "CREATE TEMP TRIGGER same BEFORE INSERT ON events WHEN EXISTS"
                                "  (SELECT 1 FROM events WHERE number = new.number AND"
                                "   (of, before, line) IS NOT (new.of, new.before, new.line))"
                                " BEGIN INSERT OR IGNORE INTO twice VALUES(new.number); END;";

/* How many lines there were: as the file says, if that can be. */
static int64_t next_number(const struct saving *saving, int64_t most, const char *path) {
    FILE *file = fopen(path, "rbe");
    int64_t size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    if (file != NULL)
        fclose(file);
    return saving->next > 0 && saving->next <= most + 1 + size / LEAST_LINE ? saving->next
                                                                            : most + 1;
}

static bool gather(struct saving *saving, const char *path) {
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } statements[] = {
        {&saving->event, "INSERT OR IGNORE INTO events VALUES(?1, ?2, ?3, ?4)"},
        {&saving->hall, "INSERT OR IGNORE INTO hall VALUES(?1, ?2)"},
        {&saving->spare, "INSERT OR IGNORE INTO spare VALUES(?1, ?2)"},
        {&saving->pair, "INSERT INTO pairs VALUES(?1, ?2)"},
        {&saving->lost, "INSERT OR IGNORE INTO lost VALUES(?1)"},
    };
    enum { COUNT = sizeof statements / sizeof statements[0] };
    bool fine = sqlite3_exec(saving->to, beginning, NULL, NULL, NULL) == SQLITE_OK;
    for (int i = 0; i < COUNT && fine; i++)
        fine = sqlite3_prepare_v2(saving->to, statements[i].sql, -1, statements[i].statement,
                                  NULL) == SQLITE_OK;
    fine = fine && take_pages(saving, path);
    for (int i = 0; i < COUNT; i++)
        sqlite3_finalize(*statements[i].statement);
    return fine;
}

/* Fills a new log from the pages of a damaged one. */
static bool fill(struct saving *saving, const char *path, struct salvage *found) {
    int64_t most = 0;
    char next[96];
    struct nonet_text text = NONET_TEXT_IN(next);
    if (!gather(saving, path) || !ask(saving->to,
                                      "SELECT max((SELECT coalesce(max(number), 0) FROM events), "
                                      "(SELECT coalesce(max(number), 0) FROM hall))",
                                      &most, 1))
        return false;
    nonet_text_format(&text, "UPDATE next SET number = %lld",
                      (long long)next_number(saving, most, path));
    int64_t named[SALVAGE_NAMED];
    if (sqlite3_exec(saving->to, next, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(saving->to, conclude, NULL, NULL, NULL) != SQLITE_OK ||
        !ask(saving->to, "SELECT number - 1 FROM next", &found->lines, 1) ||
        !ask(saving->to, "SELECT count(*) FROM gone", &found->gone, 1) ||
        !ask(saving->to, "SELECT count(*) FROM lost", &found->tables, 1))
        return false;
    if (found->tables > 0 && !ask(saving->to, "SELECT id FROM lost", named, SALVAGE_NAMED))
        return false;
    for (int i = 0; i < SALVAGE_NAMED && i < found->tables; i++)
        found->named[i] = (uint64_t)named[i];
    return sqlite3_exec(saving->to, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static void sync_folder(const char *path) {
    char folder[SALVAGE_PATH];
    beside(path, "", folder);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[1] = '\0';
    int file = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

bool salvage_run(const char *path, struct salvage *found, struct nonet_text *why) {
    char fresh[SALVAGE_PATH], name[SALVAGE_PATH];
    static const char *const ends[] = {"-fresh", "-fresh-wal", "-fresh-shm"};
    *found = (struct salvage){0};
    for (int i = 0; i < 3; i++)
        unlink(beside(path, ends[i], name)); /* of a start that did not come to its end */
    struct store *store = store_open(beside(path, "-fresh", fresh), why);
    store_close(store);
    struct saving saving = {0};
    bool saved = store != NULL && has_room(path) && keep(path, found);
    if (saved) {
        join_wal(path);
        saved = sqlite3_open_v2(fresh, &saving.to, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
                fill(&saving, path, found);
        saved = sqlite3_close(saving.to) == SQLITE_OK && saved;
    }
    bool bare = saved && saving.hall_lines == 0;
    if (saved && !bare && rename(fresh, path) == 0) {
        sync_folder(path);
        return true;
    }
    for (int i = 0; i < 3; i++)
        unlink(beside(path, ends[i], name));
    if (bare) { /* what is copied is still there */
        unlink(found->kept);
        unlink(beside(found->kept, "-wal", name));
    }
    nonet_text_add(why, bare ? "nothing can be read" : "there is no room to save what can be read");
    return false;
}
