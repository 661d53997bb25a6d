/* The server for tables on a machine that fails: its disk is slow, refuses to be written or forgets
 * what was not synced when the power is cut, and its clocks jump.
 *
 * It is nonet-serve over the layer of powercut.c. NONET_FAULTS names a file with the struct below,
 * which a test changes while the server runs. */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "powercut.h"

static struct faults {
    _Atomic int64_t sync;            /* milliseconds that a sync takes */
    _Atomic int64_t read_only;       /* nothing can be written */
    _Atomic int64_t until_cut;       /* writes and syncs; 0: the power does not fail */
    _Atomic int64_t seed;            /* for what a disk has written of what was not synced */
    _Atomic int64_t real, monotonic; /* milliseconds that clocks are ahead */
    _Atomic int64_t syncs;           /* so many there were */
} none, *faults = &none;

static enum powercut_change ask(bool syncs) {
    if (faults->until_cut > 0 && --faults->until_cut == 0) {
        powercut_happen((uint64_t)faults->seed); /* what is there, and the machine is dark */
        raise(SIGKILL);
    }
    if (syncs) {
        faults->syncs++;
        usleep((useconds_t)faults->sync * 1000);
    }
    return faults->read_only ? POWERCUT_REFUSED : POWERCUT_FINE;
}

/* In place of the C library's, for the server and all its libraries. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    int64_t ahead =
        clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? faults->real
        : clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME
            ? faults->monotonic
            : 0;
    long code = syscall(SYS_clock_gettime, clock, time);
    time->tv_sec += ahead / 1000;
    return (int)code;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("NONET_FAULTS");
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *at = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
        fputs("NONET_FAULTS names no file\n", stderr);
        _exit(2);
    }
    close(file);
    faults = at;
    powercut_install();
    powercut_ask(ask);
}
