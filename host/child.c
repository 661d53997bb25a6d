#define _GNU_SOURCE /* pipe2: children of other threads do not inherit our pipes */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

extern char **environ;

enum { GLANCE = 50 }; /* milliseconds between two checks whether to stop */
static const double parting = 0.5;

struct child {
    pid_t pid;
    int input, output; /* our ends of its input and its output */
    size_t talk;       /* bytes that it has written since we last sent something */
    bool skipping;     /* the rest of the line is ignored */
    size_t begin, end; /* the bytes in `buffer` that were not looked at yet */
    char buffer[CHILD_LINE];
};

/* ---- Beginning and end ---- */

/* Runs the command in its own process group, and resets the signal settings that we changed. */
static int spawn(const char *command, int input, int output, pid_t *pid) {
    static const char run[] = "exec ";
    char *line = malloc(sizeof run + strlen(command));
    if (line == NULL)
        return ENOMEM;
    strcpy(line, run);
    strcat(line, command);
    char sh[] = "sh", c[] = "-c";
    char *words[] = {sh, c, line, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(pid, "/bin/sh", &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(line);
    return error;
}

struct child *child_start(const char *command, struct nonet_text *why) {
    struct child *child = calloc(1, sizeof *child);
    int in[2] = {-1, -1}, out[2] = {-1, -1}, error = ENOMEM;
    if (child != NULL)
        error = pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0
                    ? errno
                    : spawn(command, in[0], out[1], &child->pid);
    if (in[0] >= 0)
        close(in[0]);
    if (out[1] >= 0)
        close(out[1]);
    if (error != 0) {
        if (in[1] >= 0)
            close(in[1]);
        if (out[0] >= 0)
            close(out[0]);
        free(child);
        nonet_text_format(why, "it cannot be started: %s", strerror(error));
        return NULL;
    }
    child->input = in[1];
    child->output = out[0];
    fcntl(child->input, F_SETFL, O_NONBLOCK);
    fcntl(child->output, F_SETFL, O_NONBLOCK);
    return child;
}

/* Whether it has ended, and how, within some time. It is not reaped yet, so that its process id
 * stays its own. */
static bool has_ended(const struct child *child, double seconds, siginfo_t *how) {
    for (double until = clock_now() + seconds;;) {
        how->si_pid = 0;
        if (waitid(P_PID, (id_t)child->pid, how, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            how->si_pid != 0)
            return true;
        if (clock_now() >= until)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

void child_end(struct child *child, const char *farewell) {
    if (child == NULL)
        return;
    siginfo_t how;
    bool asked = farewell != NULL && write(child->input, farewell, strlen(farewell)) > 0;
    close(child->input);
    close(child->output);
    if (asked)
        has_ended(child, parting, &how);
    kill(-child->pid, SIGKILL); /* and whatever it may have started */
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(child);
}

/* ---- Talking ---- */

/* It can no longer be talked to; `closed` says what it did if it has not ended. */
static enum child_answer tell_end(const struct child *child, const char *closed,
                                  struct nonet_text *why) {
    siginfo_t how;
    if (!has_ended(child, parting, &how))
        nonet_text_add(why, closed);
    else if (how.si_code == CLD_EXITED && how.si_status == 127)
        nonet_text_add(why, "there is no such command");
    else if (how.si_code == CLD_EXITED)
        nonet_text_format(why, "it ended, with exit code %d", how.si_status);
    else
        nonet_text_format(why, "it was ended by signal %d", how.si_status);
    return CHILD_FAILED;
}

/* Waits until the child has written something or, if `writing`, can be written to. A child that has
 * ended may have left another process that keeps the pipes open. */
static enum child_answer await(struct child *child, bool writing, double deadline,
                               const atomic_bool *stop, struct nonet_text *why) {
    struct pollfd files[] = {{child->output, POLLIN, 0}, {child->input, POLLOUT, 0}};
    for (bool ended = false;;) {
        double left = deadline - clock_now();
        siginfo_t how;
        if (stop != NULL && atomic_load(stop))
            return CHILD_STOPPED;
        if (ended)
            return tell_end(child, NULL, why);
        if (left <= 0) {
            nonet_text_add(why, "it did not answer in time");
            return CHILD_FAILED;
        }
        ended = has_ended(child, 0, &how);
        int wait = ended ? 0 : left * 1000 < GLANCE ? (int)(left * 1000) + 1 : GLANCE;
        if (poll(files, writing ? 2 : 1, wait) > 0)
            return CHILD_LINE_READ;
    }
}

/* Takes what the child has written, as far as there is room. */
static enum child_answer take(struct child *child, struct nonet_text *why) {
    memmove(child->buffer, child->buffer + child->begin, child->end - child->begin);
    child->end -= child->begin;
    child->begin = 0;
    if (child->end == sizeof child->buffer) { /* a line that is too long */
        child->end = 0;
        child->skipping = true;
    }
    ssize_t size =
        read(child->output, child->buffer + child->end, sizeof child->buffer - child->end);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))
        return tell_end(child, "it closed its output", why);
    if (size < 0)
        return CHILD_LINE_READ;
    child->end += (size_t)size;
    child->talk += (size_t)size;
    if (child->talk <= CHILD_TALK)
        return CHILD_LINE_READ;
    nonet_text_format(why, "it wrote more than %d MB without an answer", CHILD_TALK >> 20);
    return CHILD_FAILED;
}

enum child_answer child_send(struct child *child, const char *text, double deadline,
                             const atomic_bool *stop, struct nonet_text *why) {
    size_t left = strlen(text);
    child->talk = 0;
    while (left > 0) {
        enum child_answer answer = await(child, true, deadline, stop, why);
        if (answer != CHILD_LINE_READ)
            return answer;
        ssize_t size = write(child->input, text, left);
        if (size >= 0) {
            text += size;
            left -= (size_t)size;
        } else if (errno != EAGAIN && errno != EINTR) {
            return tell_end(child, "it closed its input", why);
        }
        /* It may be waiting for us to read before it reads on. */
        struct pollfd output = {child->output, POLLIN, 0};
        if (left > 0 && poll(&output, 1, 0) > 0 && take(child, why) != CHILD_LINE_READ)
            return CHILD_FAILED;
    }
    return CHILD_LINE_READ;
}

enum child_answer child_read(struct child *child, const char **line, double deadline,
                             const atomic_bool *stop, struct nonet_text *why) {
    for (;;) {
        char *begin = child->buffer + child->begin;
        char *end = memchr(begin, '\n', child->end - child->begin);
        if (end != NULL) {
            bool skipped = child->skipping;
            child->begin = (size_t)(end + 1 - child->buffer);
            child->skipping = false;
            *end = '\0';
            if (end > begin && end[-1] == '\r')
                end[-1] = '\0';
            *line = begin;
            if (!skipped)
                return CHILD_LINE_READ;
            continue;
        }
        enum child_answer answer = await(child, false, deadline, stop, why);
        if (answer == CHILD_LINE_READ)
            answer = take(child, why);
        if (answer != CHILD_LINE_READ)
            return answer;
    }
}
