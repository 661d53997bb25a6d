/* sys/stat.h as POSIX has it. */
#include_next <sys/stat.h>
#ifndef NONET_WINDOWS_STAT_H
#define NONET_WINDOWS_STAT_H

/* What Windows' library makes up is left out: rights of other users, who have none in a user's
 * folders, and a device that is another one for an open file than for its name. */
static inline int windows_status(int result, struct stat *status) {
    status->st_mode &= S_IFMT | 0700;
    status->st_dev = 0;
    return result;
}

#undef fstat
#define fstat(file, status) windows_status(_fstat64(file, status), status)
#define lstat(path, status) windows_status(stat(path, status), status)
#define mkdir(path, mode) mkdir(path)

#define S_ISLNK(mode) ((void)(mode), 0)
#define S_ISSOCK(mode) ((void)(mode), 0)

#endif
