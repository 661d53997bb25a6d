/* unistd.h as POSIX has it. */
#include_next <unistd.h>
#ifndef NONET_WINDOWS_UNISTD_H
#define NONET_WINDOWS_UNISTD_H

#include <sys/types.h>

enum { _SC_NPROCESSORS_ONLN };

long sysconf(int name);
int fsync(int file);
ssize_t pread(int file, void *bytes, size_t size, off_t offset);
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset);
int unlinkat(int folder, const char *name, int flags);

/* Every file says that it belongs to user 0. */
static inline int geteuid(void) {
    return 0;
}

#endif
