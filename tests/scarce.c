/* A library that is loaded before the C library (LD_PRELOAD), in which the n-th allocation fails.
 *
 * SCARCE_AT=n names the one that fails. SCARCE_LASTING=1 makes all later ones fail too.
 * SCARCE_COUNT=FILE writes the number of all allocations into a file at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The C library's own functions, by the names that remain when the usual ones are replaced. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long asked;
static long failing; /* 0: none */
static bool lasting;

static bool refused(void) {
    if (failing == 0)
        return false;
    long number = atomic_fetch_add(&asked, 1) + 1;
    if (number != failing && !(lasting && number > failing))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return refused() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return refused() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *got = refused() ? NULL : __libc_memalign(alignment, size);
    if (got == NULL)
        return ENOMEM;
    *memory = got;
    return 0;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (refused())
        return MAP_FAILED;
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "mmap");
    return real(address, size, protection, flags, file, offset);
}

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("SCARCE_AT"), *all = getenv("SCARCE_LASTING");
    lasting = all != NULL && strcmp(all, "1") == 0;
    failing = at != NULL ? atol(at) : 0;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("SCARCE_COUNT");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        return;
    dprintf(file, "%ld\n", atomic_load(&asked));
    close(file);
}
