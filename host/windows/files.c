/* Files and folders by POSIX's names, where Windows' library lacks them or does something else: its
 * open files can be neither renamed nor removed, and its `rename` replaces nothing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <windows.h>

/* Windows' last error as `errno`. Returns -1. */
static int fail(void) {
    static const struct {
        DWORD error;
        int number;
    } errors[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    };
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].error == error)
            errno = errors[i].number;
    return -1;
}

static HANDLE handle_of(int file) {
    return (HANDLE)_get_osfhandle(file);
}

static int open_as(const char *path, DWORD access, DWORD how, DWORD flags) {
    HANDLE handle =
        CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                    flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return fail();
    int file = _open_osfhandle((intptr_t)handle, O_BINARY);
    if (file < 0)
        CloseHandle(handle);
    return file;
}

int open(const char *path, int flags, ...) {
    static const DWORD accesses[] = {GENERIC_READ, GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE};
    DWORD how = (flags & O_CREAT) == 0  ? OPEN_EXISTING
                : (flags & O_EXCL) != 0 ? CREATE_NEW
                                        : OPEN_ALWAYS;
    return open_as(path, accesses[flags & O_ACCMODE], how, FILE_ATTRIBUTE_NORMAL);
}

int flock(int file, int how) {
    /* Bytes that are locked cannot be read by others, so it is one that no file has. */
    OVERLAPPED where = {.OffsetHigh = INT32_MAX};
    (void)how;
    return LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                      &where)
               ? 0
               : fail();
}

int fsync(int file) {
    return FlushFileBuffers(handle_of(file)) ? 0 : fail();
}

int rename(const char *from, const char *to) {
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : fail();
}

char *realpath(const char *path, char *unused) {
    char whole[MAX_PATH];
    (void)unused;
    return _fullpath(whole, path, sizeof whole) != NULL ? strdup(whole) : NULL;
}

/* ---- At an offset ---- */

enum { AT_ONCE = 1 << 30 };

static OVERLAPPED at_offset(off_t offset) {
    return (OVERLAPPED){.Offset = (DWORD)((uint64_t)offset & UINT32_MAX),
                        .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
    OVERLAPPED where = at_offset(offset);
    DWORD done = 0;
    bool good =
        ReadFile(handle_of(file), bytes, size < AT_ONCE ? (DWORD)size : AT_ONCE, &done, &where);
    return good || GetLastError() == ERROR_HANDLE_EOF ? (ssize_t)done : fail();
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    OVERLAPPED where = at_offset(offset);
    DWORD done = 0;
    bool good =
        WriteFile(handle_of(file), bytes, size < AT_ONCE ? (DWORD)size : AT_ONCE, &done, &where);
    return good ? (ssize_t)done : fail();
}

/* ---- Folders ---- */

char *mkdtemp(char *path) {
    char *letters = path + strlen(path) - strlen("XXXXXX");
    unsigned number;
    do {
        if (rand_s(&number) != 0)
            return NULL;
        for (char *letter = letters; *letter != '\0'; letter++, number /= 26)
            *letter = (char)('a' + number % 26);
        if (mkdir(path, 0700) == 0)
            return path;
    } while (errno == EEXIST);
    return NULL;
}

struct windows_folder {
    int file;
    HANDLE find; /* the first entry is found when the folder is opened */
    bool first;
    WIN32_FIND_DATAA found;
    struct dirent entry;
};

DIR *opendir(const char *path) {
    char pattern[MAX_PATH];
    DIR *folder = malloc(sizeof *folder);
    if (folder == NULL)
        return NULL;
    snprintf(pattern, sizeof pattern, "%s/*", path);
    folder->file = open_as(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    folder->find =
        folder->file >= 0 ? FindFirstFileA(pattern, &folder->found) : INVALID_HANDLE_VALUE;
    folder->first = true;
    if (folder->find != INVALID_HANDLE_VALUE)
        return folder;
    if (folder->file >= 0) {
        fail();
        close(folder->file);
    }
    free(folder);
    return NULL;
}

struct dirent *readdir(DIR *folder) {
    if (!folder->first && !FindNextFileA(folder->find, &folder->found))
        return NULL;
    folder->first = false;
    snprintf(folder->entry.d_name, sizeof folder->entry.d_name, "%s", folder->found.cFileName);
    return &folder->entry;
}

int dirfd(DIR *folder) {
    return folder->file;
}

int closedir(DIR *folder) {
    FindClose(folder->find);
    close(folder->file);
    free(folder);
    return 0;
}

/* The path of a name in an open folder. */
static bool path_at(int folder, const char *name, char path[2 * MAX_PATH]) {
    DWORD length = GetFinalPathNameByHandleA(handle_of(folder), path, MAX_PATH, 0);
    if (length == 0 || length >= MAX_PATH) {
        fail();
        return false;
    }
    snprintf(path + length, MAX_PATH, "\\%s", name);
    return true;
}

int openat(int folder, const char *name, int flags) {
    char path[2 * MAX_PATH];
    return path_at(folder, name, path) ? open(path, flags) : -1;
}

int unlinkat(int folder, const char *name, int flags) {
    char path[2 * MAX_PATH];
    (void)flags;
    return path_at(folder, name, path) ? unlink(path) : -1;
}
