#include "powercut.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"

enum { MOST_FILES = 8, SECTOR = 512 };

/* A write, or a truncation, that has not been synced. */
struct write {
    struct write *next;
    int64_t at, length;
    bool truncates;
    unsigned char bytes[];
};

/* What is known of a file: its bytes at the last sync, and everything since then. */
static struct disk {
    char path[512];
    unsigned char *synced;
    int64_t length;
    struct write *writes, **last;
} disks[MOST_FILES];

static sqlite3_vfs *below, layer;
static int until_cut = -1; /* writes; -1: the power does not fail */
static bool dark;
static enum powercut_change (*asked)(bool syncs);
/* One thread of a server may read while another writes. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct file {
    sqlite3_file base;
    struct disk *disk; /* null for files that need not survive */
    sqlite3_file *real;
};

#define REAL(name, ...)                                                                            \
    (((struct file *)file)->real->pMethods->name(((struct file *)file)->real, ##__VA_ARGS__))

/* Whether a change takes place. */
static bool power(bool syncs) {
    enum powercut_change change = asked != NULL ? asked(syncs) : POWERCUT_FINE;
    pthread_mutex_lock(&lock);
    if (change == POWERCUT_DARK || (until_cut > 0 && --until_cut == 0))
        dark = true;
    return !dark && change == POWERCUT_FINE;
}

/* What comes after power(). */
static int done(int code) {
    pthread_mutex_unlock(&lock);
    return code;
}

static void note(struct disk *disk, int64_t at, const void *bytes, int64_t length, bool truncates) {
    struct write *write = malloc(sizeof *write + (size_t)(truncates ? 0 : length));
    assert_non_null(write);
    *write = (struct write){NULL, at, length, truncates};
    if (!truncates)
        memcpy(write->bytes, bytes, (size_t)length);
    *disk->last = write;
    disk->last = &write->next;
}

/* Does to the bytes what the write does, or a part of it. */
static void redo(struct disk *disk, const struct write *write, struct nonet_random *random) {
    if (write->truncates) {
        if (random == NULL || nonet_random_below(random, 2))
            disk->length = write->at < disk->length ? write->at : disk->length;
        return;
    }
    for (int64_t done = 0; done < write->length; done += SECTOR) {
        if (random != NULL && nonet_random_below(random, 2))
            continue;
        int64_t part = write->length - done < SECTOR ? write->length - done : SECTOR;
        int64_t end = write->at + done + part;
        if (end > disk->length) {
            disk->synced = realloc(disk->synced, (size_t)end);
            assert_non_null(disk->synced);
            memset(disk->synced + disk->length, 0, (size_t)(end - disk->length));
            disk->length = end;
        }
        memcpy(disk->synced + write->at + done, write->bytes + done, (size_t)part);
    }
}

static void settle(struct disk *disk, struct nonet_random *random) {
    for (struct write *write = disk->writes, *next; write != NULL; write = next) {
        next = write->next;
        redo(disk, write, random);
        free(write);
    }
    disk->writes = NULL;
    disk->last = &disk->writes;
}

/* ---- A file of the layer ---- */

static int file_close(sqlite3_file *file) {
    return REAL(xClose);
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 at) {
    return REAL(xRead, bytes, count, at);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
    struct disk *disk = ((struct file *)file)->disk;
    if (!power(false))
        return done(SQLITE_IOERR_WRITE);
    if (disk != NULL)
        note(disk, at, bytes, count, false);
    return done(REAL(xWrite, bytes, count, at));
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct disk *disk = ((struct file *)file)->disk;
    if (!power(false))
        return done(SQLITE_IOERR_TRUNCATE);
    if (disk != NULL)
        note(disk, size, NULL, 0, true);
    return done(REAL(xTruncate, size));
}

static int file_sync(sqlite3_file *file, int flags) {
    (void)flags; /* the bytes are ours: a real sync would only take time */
    struct disk *disk = ((struct file *)file)->disk;
    if (!power(true))
        return done(SQLITE_IOERR_FSYNC);
    if (disk != NULL)
        settle(disk, NULL);
    return done(SQLITE_OK);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(xFileSize, size);
}
static int file_lock(sqlite3_file *file, int kind) {
    return REAL(xLock, kind);
}
static int file_unlock(sqlite3_file *file, int kind) {
    return REAL(xUnlock, kind);
}
static int file_reserved(sqlite3_file *file, int *answer) {
    return REAL(xCheckReservedLock, answer);
}
static int file_control(sqlite3_file *file, int what, void *with) {
    return REAL(xFileControl, what, with);
}
static int file_sector(sqlite3_file *file) {
    return REAL(xSectorSize);
}
static int file_traits(sqlite3_file *file) {
    (void)file;
    return 0; /* a disk that promises nothing */
}
static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **at) {
    return REAL(xShmMap, page, size, extend, at);
}
static int file_map_lock(sqlite3_file *file, int offset, int count, int flags) {
    return REAL(xShmLock, offset, count, flags);
}
static void file_barrier(sqlite3_file *file) {
    REAL(xShmBarrier);
}
static int file_unmap(sqlite3_file *file, int remove) {
    return REAL(xShmUnmap, remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits,
    .xShmMap = file_map,
    .xShmLock = file_map_lock,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
};

/* ---- The layer ---- */

/* The disk at a path; what is in its file now counts as synced. */
static struct disk *disk_at(const char *path) {
    struct disk *disk = disks;
    while (disk->path[0] != '\0' && strcmp(disk->path, path) != 0)
        assert_true(++disk < disks + MOST_FILES);
    if (disk->path[0] != '\0')
        return disk;
    snprintf(disk->path, sizeof disk->path, "%s", path);
    disk->last = &disk->writes;
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fseek(file, 0, SEEK_END);
        disk->length = ftell(file);
        rewind(file);
        disk->synced = malloc((size_t)disk->length + 1);
        assert_int_equal(fread(disk->synced, 1, (size_t)disk->length, file), disk->length);
        fclose(file);
    }
    return disk;
}

static int layer_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags,
                      int *got) {
    (void)vfs;
    struct file *file = (struct file *)base;
    *file = (struct file){.real = (sqlite3_file *)(file + 1)};
    bool kept = name != NULL && !(flags & SQLITE_OPEN_DELETEONCLOSE);
    if (kept)
        file->disk = disk_at(name);
    int code = below->xOpen(below, name, file->real, flags, got);
    if (code == SQLITE_OK)
        file->base.pMethods = &methods;
    return code;
}

/* A deleted file is gone at once: the folder is taken to be synced. */
static int layer_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    if (!power(false))
        return done(SQLITE_IOERR_DELETE);
    struct disk *disk = disk_at(name);
    settle(disk, NULL);
    disk->length = 0;
    return done(below->xDelete(below, name, sync));
}

static int layer_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
    (void)vfs;
    return below->xAccess(below, name, flags, answer);
}

static int layer_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
    (void)vfs;
    return below->xFullPathname(below, name, size, path);
}

void powercut_install(void) {
    if (below != NULL)
        return;
    below = sqlite3_vfs_find(NULL);
    layer = *below;
    layer.zName = "powercut";
    layer.szOsFile = (int)sizeof(struct file) + below->szOsFile;
    layer.xOpen = layer_open;
    layer.xDelete = layer_delete;
    layer.xAccess = layer_access;
    layer.xFullPathname = layer_path;
    assert_int_equal(sqlite3_vfs_register(&layer, 1), SQLITE_OK);
}

void powercut_after(int writes) {
    until_cut = writes;
}

void powercut_ask(enum powercut_change (*ask)(bool syncs)) {
    asked = ask;
}

void powercut_happen(uint64_t seed) {
    struct nonet_random random = {seed};
    pthread_mutex_lock(&lock);
    for (struct disk *disk = disks; disk < disks + MOST_FILES && disk->path[0] != '\0'; disk++) {
        settle(disk, &random);
        FILE *file = fopen(disk->path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(disk->synced, 1, (size_t)disk->length, file), disk->length);
        fclose(file);
        free(disk->synced);
        *disk = (struct disk){0};
    }
    until_cut = -1;
    dark = false;
    pthread_mutex_unlock(&lock);
}
