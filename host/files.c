#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refusal.h"

bool files_random(void *bytes, size_t size) {
    for (unsigned char *rest = bytes; size > 0;) {
        ssize_t done = getrandom(rest, size, 0);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            rest += done;
            size -= (size_t)done;
        }
    }
    return true;
}

/* As much as every system reads or writes at once. */
static unsigned at_once(size_t size) {
    return size < 1u << 30 ? (unsigned)size : 1u << 30;
}

/* ---- Reading ---- */

static const char *kind_of(mode_t mode) {
    return host_words(S_ISDIR(mode)    ? "it is a directory"
                      : S_ISFIFO(mode) ? "it is a pipe, not a regular file"
                      : S_ISSOCK(mode) ? "it is a socket, not a regular file"
                                       : "it is a device, not a regular file");
}

int files_open(const char *path, uint64_t *size, struct nonet_text *why) {
    /* Without O_NONBLOCK, opening a pipe waits until somebody writes to it. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        int error = errno;
        nonet_text_add(why, host_error(error));
        if (file >= 0)
            close(file);
        errno = error;
        return -1;
    }
    if (S_ISREG(status.st_mode)) {
        *size = (uint64_t)status.st_size;
        return file;
    }
    nonet_text_add(why, kind_of(status.st_mode));
    close(file);
    errno = EINVAL;
    return -1;
}

bool files_fetch(int file, uint64_t offset, void *bytes, size_t size) {
    for (unsigned char *rest = bytes; size > 0;) {
        ssize_t done = pread(file, rest, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        rest += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

/* Reads until the end, or one byte more than allowed. */
static bool read_up_to(int file, char *bytes, size_t room, size_t *size) {
    for (*size = 0; *size < room;) {
        ssize_t done = read(file, bytes + *size, at_once(room - *size));
        if (done == 0)
            return true;
        if (done > 0)
            *size += (size_t)done;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

char *files_read(const char *path, size_t most, size_t *size, struct nonet_text *why) {
    bool standard = strcmp(path, "-") == 0;
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        host_refuse(why, "cannot open it: %s", host_error(errno));
        return NULL;
    }
    char *bytes = malloc(most + 1);
    bool good = false;
    if (bytes == NULL)
        host_refuse(why, "there is no memory left");
    else if (!read_up_to(file, bytes, most + 1, size))
        host_refuse(why, "cannot read it: %s", host_error(errno));
    else if (*size > most)
        host_refuse(why, "it is larger than %zu bytes", most);
    else
        good = true;
    if (!standard)
        close(file);
    if (good) {
        bytes[*size] = '\0';
        return bytes;
    }
    free(bytes);
    return NULL;
}

/* ---- Writing ---- */

bool files_write(int file, const void *bytes, size_t size) {
    for (const unsigned char *rest = bytes; size > 0;) {
        ssize_t done = write(file, rest, at_once(size));
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            rest += done;
            size -= (size_t)done;
        }
    }
    return true;
}

/* Whether the name still refers to the open file. */
static bool is_named(int file, const char *name) {
    struct stat held, named;
    return fstat(file, &held) == 0 && lstat(name, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

int files_create(const char *path, const char *mark, unsigned mode, char name[FILES_PATH]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    enum { LETTERS = 12, TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        unsigned char random[LETTERS];
        char word[LETTERS + 1] = "";
        if (!files_random(random, sizeof random))
            return -1;
        for (int k = 0; k < LETTERS; k++)
            word[k] = letters[random[k] % 32];
        if (snprintf(name, FILES_PATH, "%s%s%s", path, mark, word) >= FILES_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file < 0 && errno != EEXIST)
            return -1;
        /* Before it was locked, another program may have removed it as a leftover. */
        if (file >= 0 && (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
            is_named(file, name))
            return file;
        if (file >= 0)
            close(file);
    }
    return -1;
}

/* The folder of a path, to be freed, and the name in it. */
static char *split(const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    *name = slash == NULL ? path : slash + 1;
    return slash == NULL   ? strdup(".")
           : slash == path ? strdup("/")
                           : strndup(path, (size_t)(slash - path));
}

/* Removes a file that nobody has locked; false if somebody has. */
static bool clear_one(int folder, const char *name) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return true;
    bool ours = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    bool held = ours && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (ours && !held)
        unlinkat(folder, name, 0);
    close(file);
    return !held;
}

bool files_clear(const char *path, const char *mark) {
    const char *name;
    char *folder = split(path, &name);
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    size_t length = strlen(name), mark_length = strlen(mark);
    bool free_to_go = true;
    free(folder);
    if (directory == NULL)
        return true;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strncmp(entry->d_name, name, length) == 0 &&
            strncmp(entry->d_name + length, mark, mark_length) == 0)
            free_to_go = clear_one(dirfd(directory), entry->d_name) && free_to_go;
    closedir(directory);
    return free_to_go;
}

/* A new name is safe once the folder is on the disk. File systems that cannot do this do not need
 * it, so a failure is ignored. */
static void sync_folder_of(const char *path) {
    const char *name;
    char *folder = split(path, &name);
    int file = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

bool files_rename(int file, const char *from, const char *to) {
    if (fsync(file) != 0 || rename(from, to) != 0)
        return false;
    sync_folder_of(to);
    return true;
}

bool files_replace(const char *path, unsigned mode, const void *bytes, size_t size,
                   struct nonet_text *why) {
    static const char mark[] = ".part-";
    char name[FILES_PATH];
    files_clear(path, mark);
    int file = files_create(path, mark, mode, name);
    if (file < 0)
        return host_refuse(why, "cannot create it: %s", host_error(errno));
    bool done = files_write(file, bytes, size) && files_rename(file, name, path);
    int error = errno;
    if (!done)
        unlink(name);
    if (close(file) != 0 && done) {
        done = false;
        error = errno;
    }
    return done || host_refuse(why, "cannot write it: %s", host_error(error));
}

bool files_own_folder(const char *path, struct nonet_text *why) {
    struct stat status;
    const char *wrong = NULL;
    if (lstat(path, &status) != 0)
        wrong = host_error(errno);
    else if (!S_ISDIR(status.st_mode))
        wrong = S_ISLNK(status.st_mode) ? "it is a symbolic link" : "it is not a folder";
    else if (status.st_uid != geteuid())
        wrong = "it belongs to another user";
    else if (status.st_mode & S_IWOTH)
        wrong = "every user may write to it";
    if (wrong != NULL)
        nonet_text_add(why, wrong);
    return wrong == NULL;
}
