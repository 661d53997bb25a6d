/* stdlib.h as C11 and POSIX have it. */
#include_next <stdlib.h>
#ifndef NONET_WINDOWS_STDLIB_H
#define NONET_WINDOWS_STDLIB_H

void *aligned_alloc(size_t alignment, size_t size);
char *mkdtemp(char *path);
char *realpath(const char *path, char *unused);
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *context);

#endif
