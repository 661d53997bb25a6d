#include "table_store.h"
#include "rules/setup.h"
#include "rules/swap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

void table_file_name(const struct nonet_options *options, struct nonet_text *name) {
    struct nonet_options without = nonet_swap_without(options);
    folders_file(&without, "nonet-table", name);
}

void table_file_command(const struct nonet_options *options, struct nonet_text *command) {
    const struct nonet_game *game = options->game;
    nonet_text_format(command, "nonet solve %s", game->id);
    for (int i = -1; (i = nonet_option_next(options, i, NONET_TELL_WHOLE)) >= 0;)
        nonet_text_format(command, " -o %s=%s", game->options[i].key, options->value[i].text);
}

/* The folder's path followed by the table's name; false if that is too long. */
static bool in_folder(const char *folder, const struct nonet_options *options,
                      char path[TABLE_PATH]) {
    struct nonet_text text = nonet_text_in(path, TABLE_PATH);
    nonet_text_add(&text, folder);
    nonet_text_char(&text, '/');
    table_file_name(options, &text);
    return !text.cut;
}

bool table_file_folder(char folder[TABLE_PATH]) {
    return folders_own("NONET_TABLES", folder);
}

bool table_file_new(const struct nonet_options *options, int material, char path[TABLE_PATH],
                    struct nonet_text *why) {
    char folder[TABLE_PATH];
    if (!table_file_folder(folder)) {
        nonet_text_add(why, "there is no folder for tables: set NONET_TABLES, or HOME");
        return false;
    }
    if (in_folder(folder, options, path)) {
        struct nonet_text text = {.bytes = path, .size = TABLE_PATH, .length = strlen(path)};
        if (material > 0)
            nonet_text_format(&text, ".up-to-%d", material);
        if (!text.cut)
            return true;
    }
    nonet_text_add(why, "the path of the folder for tables is too long");
    return false;
}

static bool fetch(void *context, uint64_t offset, void *bytes, size_t size) {
    return files_fetch(((const struct table_file *)context)->descriptor, offset, bytes, size);
}

enum table_found table_file_open(const char *path, const struct nonet_options *options,
                                 struct table_file *file, struct nonet_text *why) {
    char reason[256];
    struct nonet_text text = NONET_TEXT_IN(reason);
    struct nonet_message message;
    uint64_t size;
    *file = (struct table_file){.descriptor = files_open(path, &size, &text)};
    snprintf(file->path, sizeof file->path, "%s", path);
    if (file->descriptor < 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return TABLE_MISSING;
        nonet_text_format(why, "%s cannot be opened: %s", path, reason);
        return TABLE_REFUSED;
    }
    file->table = nonet_table_open(options, fetch, file, size, &message);
    if (file->table != NULL)
        return TABLE_FOUND;
    nonet_text_format(why, "%s cannot be used: ", path);
    nonet_message_write(&message, NULL, why);
    close(file->descriptor);
    return TABLE_REFUSED;
}

enum table_found table_file_open_any(const char *path, struct nonet_options *options,
                                     struct table_file *file, struct nonet_text *why) {
    char reason[256], game[256];
    struct nonet_text text = NONET_TEXT_IN(reason), name = NONET_TEXT_IN(game);
    struct nonet_message message;
    uint64_t size;
    *file = (struct table_file){.descriptor = files_open(path, &size, &text)};
    if (file->descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
        return TABLE_MISSING;
    bool named = file->descriptor >= 0 && nonet_table_name(fetch, file, size, &name, &message);
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (named && nonet_options_read(game, options, &message))
        return table_file_open(path, options, file, why);
    nonet_text_format(why, "%s cannot be used: ", path);
    if (file->descriptor < 0)
        nonet_text_add(why, reason);
    else
        nonet_message_write(&message, NULL, why);
    return TABLE_REFUSED;
}

bool table_file_is_cached(const struct table_file *file) {
    return folders_is_cached(file->path);
}

enum table_found table_file_find(const struct nonet_options *options, struct table_file *file,
                                 struct nonet_text *why) {
    char folders[FOLDERS][TABLE_PATH];
    int count = folders_of("NONET_TABLES", "tables", folders);
    enum table_found best = TABLE_MISSING;
    char refused[TABLE_PATH] = "";
    for (int i = 0; i < count; i++) {
        char path[TABLE_PATH];
        if (!in_folder(folders[i], options, path))
            continue;
        char reason[TABLE_PATH + 256];
        struct nonet_text text = NONET_TEXT_IN(reason);
        enum table_found found = table_file_open(path, options, file, &text);
        if (found == TABLE_FOUND) {
            if (best == TABLE_REFUSED)
                nonet_text_format(why, "; using %s", path);
            return TABLE_FOUND;
        }
        if (found == TABLE_MISSING || best == TABLE_REFUSED)
            continue;
        best = TABLE_REFUSED;
        nonet_text_add(why, reason);
        snprintf(refused, sizeof refused, "%s", path);
        /* A folder that the user named must be used; one that programs fill may be skipped. */
        if (!table_file_is_cached(file))
            break;
    }
    snprintf(file->path, sizeof file->path, "%s", refused);
    return best;
}

void table_file_close(struct table_file *file) {
    nonet_table_close(file->table);
    close(file->descriptor);
}

/* Makes a folder for this user alone, and whatever is missing above it. */
static bool make_folder(char *path) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    char *slash = strrchr(path, '/');
    if (errno != ENOENT || slash == NULL || slash == path)
        return false;
    *slash = '\0';
    bool made = make_folder(path);
    *slash = '/';
    return made && (mkdir(path, 0700) == 0 || errno == EEXIST);
}

/* Opens and locks a file, and makes sure that it still exists: a program that ends a solve removes
 * it, and a lock on a removed file is useless. -1 with errno. */
static int open_lock(const char *path) {
    for (;;) {
        int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        if (lock < 0)
            return -1;
        struct stat held, named;
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            int error = errno;
            close(lock);
            errno = error;
            return -1;
        }
        if (fstat(lock, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino)
            return lock;
        close(lock);
    }
}

static void lock_path(const struct table_work *work, char path[TABLE_PATH + 8]) {
    snprintf(path, TABLE_PATH + 8, "%s/lock", work->folder);
}

bool table_work_key(struct nonet_siphash_key *key) {
    char folder[TABLE_PATH], path[TABLE_PATH + 32], ignored[256];
    struct nonet_text why = NONET_TEXT_IN(ignored);
    struct stat status;
    uint64_t size;
    if (!files_random(key, sizeof *key))
        return false;
    if (!folders_cache(folder) || !make_folder(folder) || !files_own_folder(folder, &why))
        return true;
    snprintf(path, sizeof path, "%s/checkpoint-key", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0) {
        files_write(file, key, sizeof *key);
        close(file);
        return true;
    }
    file = files_open(path, &size, &why);
    if (file < 0)
        return true;
    struct nonet_siphash_key kept;
    if (fstat(file, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 077) == 0 &&
        size == sizeof kept && files_fetch(file, 0, &kept, sizeof kept))
        *key = kept;
    close(file);
    return true;
}

bool table_work_make(struct table_work *work, struct nonet_text *why) {
    char reason[256];
    struct nonet_text text = NONET_TEXT_IN(reason);
    if (!make_folder(work->folder)) {
        nonet_text_format(why, "%s cannot be made: %s", work->folder, strerror(errno));
        return false;
    }
    /* Somebody else could have made it, to put checkpoints or links into it. */
    if (files_own_folder(work->folder, &text))
        return true;
    nonet_text_format(why, "%s cannot be used to work in: %s", work->folder, reason);
    return false;
}

bool table_work_begin(const char *path, struct table_work *work, struct nonet_text *why) {
    struct nonet_text folder = NONET_TEXT_IN(work->folder);
    nonet_text_format(&folder, "%s.work", path);
    if (folder.cut) {
        nonet_text_add(why, "the path of the table is too long");
        return false;
    }
    char lock[TABLE_PATH + 8];
    lock_path(work, lock);
    do {
        if (!table_work_make(work, why))
            return false;
        work->lock = open_lock(lock);
        /* The folder may disappear between the two steps when another solve ends. */
    } while (work->lock < 0 && errno == ENOENT);
    if (work->lock >= 0)
        return true;
    if (errno == EWOULDBLOCK)
        nonet_text_format(why, "another program is building %s now", path);
    else
        nonet_text_format(why, "%s cannot be locked: %s", lock, strerror(errno));
    return false;
}

void table_work_end(struct table_work *work) {
    char lock[TABLE_PATH + 8];
    lock_path(work, lock);
    /* If there are still checkpoints in it, the folder stays for the solve that continues from
     * them. */
    unlink(lock);
    close(work->lock); /* before the folder: on Windows an open file is still in it */
    rmdir(work->folder);
}
