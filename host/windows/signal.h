/* signal.h as POSIX has it. Windows refuses signals that it does not have, and they never come. */
#include_next <signal.h>
#ifndef NONET_WINDOWS_SIGNAL_H
#define NONET_WINDOWS_SIGNAL_H

#include <sys/types.h>

enum { SIGPIPE = 13, SIGCHLD = 17, SIGXFSZ = 25 };
enum { SA_RESTART = 1, SA_RESETHAND = 2 };

struct sigaction {
    void (*sa_handler)(int);
    int sa_flags, sa_mask;
};

#define sigemptyset(set) ((void)(set))

/* Windows always does what both flags say: it forgets a handler that was called, and interrupts
 * nothing. */
static inline int sigaction(int number, const struct sigaction *action, struct sigaction *unused) {
    (void)unused;
    return signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
}

#endif
