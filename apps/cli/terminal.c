#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#include "cli.h"
#include "line_editor.h"

struct terminal {
    bool screen;
    int error;
    struct line_editor *editor; /* null without a screen */
    char line[1024];

    /* Input read but not yet used. */
    char buffer[4096];
    size_t next, filled;
    bool ended;

    struct nonet_text *captured; /* what is said goes there, if not null */

    int signals; /* how many of them are handled */
    struct sigaction before[5];
};

/* Signals that end the program come first. The others are for the editor. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT};
enum { SIGNALS = sizeof signals / sizeof signals[0], ENDING = 3 };

static volatile sig_atomic_t ending_signal, resized, continued;

static void on_signal(int number) {
    if (number == SIGWINCH)
        resized = 1;
    else if (number == SIGCONT)
        continued = 1;
    else
        ending_signal = number;
}

/* Waits until there is input, if that is wanted, or for a time (-1: for ever). Signals are
 * delivered only here, while nothing is half done. So no signal can arrive unnoticed between the
 * check and the wait. */
static bool wait_for(bool wants_input, int milliseconds) {
    sigset_t ours, before;
    sigemptyset(&ours);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&ours, signals[i]);
    sigprocmask(SIG_BLOCK, &ours, &before);
    bool ready = false;
    if (ending_signal == 0) {
        fd_set input;
        FD_ZERO(&input);
        FD_SET(STDIN_FILENO, &input);
        struct timespec time = {.tv_sec = milliseconds / 1000,
                                .tv_nsec = milliseconds % 1000 * 1000000L};
        int found = pselect(wants_input ? STDIN_FILENO + 1 : 0, wants_input ? &input : NULL, NULL,
                            NULL, milliseconds < 0 ? NULL : &time, &before);
        /* If something is wrong with the input, reading it will show that. */
        ready = found > 0 || (found < 0 && errno != EINTR);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready;
}

/* The next byte of input, or -1: the input has ended, or a signal asks the program to end. */
static int next_byte(struct terminal *terminal) {
    while (terminal->next == terminal->filled) {
        if (ending_signal != 0 || terminal->ended)
            return -1;
        if (terminal->editor != NULL && resized) {
            resized = 0;
            line_editor_resize(terminal->editor);
        }
        if (terminal->editor != NULL && continued) {
            continued = 0;
            line_editor_resume(terminal->editor);
        }
        if (!wait_for(true, -1))
            continue;
        ssize_t got = read(STDIN_FILENO, terminal->buffer, sizeof terminal->buffer);
        if (got > 0) {
            terminal->next = 0;
            terminal->filled = (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            terminal->ended = true;
        }
    }
    return (unsigned char)terminal->buffer[terminal->next++];
}

int terminal_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* A terminal that cannot move its cursor gets plain lines instead. */
static bool has_screen(void) {
    const char *kind = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind != NULL && kind[0] != '\0' &&
           strcmp(kind, "dumb") != 0;
}

struct terminal *terminal_open(terminal_completer *completer, void *context) {
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (terminal == NULL)
        return NULL;
    terminal->screen = has_screen();
    ending_signal = 0;
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    terminal->signals = completer != NULL ? SIGNALS : ENDING;
    for (int i = 0; i < terminal->signals; i++) {
        /* A resized window must not make a write fail; a signal that ends the program must. */
        action.sa_flags = signals[i] == SIGWINCH || signals[i] == SIGCONT ? SA_RESTART : 0;
        sigaction(signals[i], NULL, &terminal->before[i]);
        /* If we were started with a signal ignored, as nohup does, it stays ignored. */
        if (terminal->before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    if (terminal->screen && completer != NULL)
        terminal->editor = line_editor_open(terminal, next_byte, completer, context);
    return terminal;
}

void terminal_close(struct terminal *terminal) {
    if (terminal == NULL)
        return;
    line_editor_close(terminal->editor);
    for (int i = 0; i < terminal->signals; i++)
        sigaction(signals[i], &terminal->before[i], NULL);
    free(terminal);
}

bool terminal_has_person(const struct terminal *terminal) {
    (void)terminal;
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool terminal_has_screen(const struct terminal *terminal) {
    return terminal->screen;
}

void terminal_clear(struct terminal *terminal) {
    if (terminal->screen)
        terminal_say(terminal, "\033[H\033[2J\033[3J");
}

void terminal_say(struct terminal *terminal, const char *text) {
    if (terminal->captured != NULL) {
        nonet_text_add(terminal->captured, text);
        return;
    }
    if (terminal->error != 0 || ending_signal == SIGHUP)
        return;
    char *ascii = cli_needs_ascii() ? malloc(2 * strlen(text) + 1) : NULL;
    if (ascii != NULL) {
        struct nonet_text out = nonet_text_in(ascii, 2 * strlen(text) + 1);
        nonet_text_ascii(&out, text, strlen(text));
    }
    if (fputs(ascii != NULL ? ascii : text, stdout) == EOF || fflush(stdout) == EOF)
        terminal->error = errno;
    free(ascii);
}

/* Breaks lines that are wider than the screen at spaces, and indents the rest of such a line. */
static void wrap(const char *text, int wide, struct nonet_text *out) {
    int column = 0;
    while (*text != '\0') {
        size_t space = strspn(text, " "), word = strcspn(text + space, " \n");
        int columns = 0; /* of the word: bytes that begin a character, escapes left out */
        for (size_t i = 0; i < word; i++) {
            if (text[space + i] == '\033')
                i += strcspn(text + space + i, "m");
            else
                columns += ((unsigned char)text[space + i] & 0xc0) != 0x80;
        }
        if (column > 0 && column + (int)space + columns >= wide) {
            nonet_text_add(out, "\n    ");
            column = 4;
        } else {
            nonet_text_format(out, "%.*s", (int)space, text);
            column += (int)space;
        }
        nonet_text_format(out, "%.*s", (int)word, text + space);
        column += columns;
        text += space + word;
        if (*text == '\n') {
            nonet_text_char(out, *text++);
            column = 0;
        }
    }
}

void terminal_format(struct terminal *terminal, const char *format, ...) {
    char line[1024], wrapped[2 * sizeof line];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    struct nonet_text text = NONET_TEXT_IN(wrapped);
    bool wraps = terminal->screen && terminal->captured == NULL;
    if (wraps)
        wrap(line, terminal_columns(), &text);
    terminal_say(terminal, wraps ? wrapped : line);
}

/* Reads a line as it comes and echoes it. What does not fit is dropped. */
static bool read_plainly(struct terminal *terminal, const char *prompt) {
    struct nonet_text text = NONET_TEXT_IN(terminal->line);
    terminal_say(terminal, prompt);
    int byte;
    while ((byte = next_byte(terminal)) >= 0 && byte != '\n')
        nonet_text_char(&text, byte == '\0' ? '?' : (char)byte);
    if (byte < 0 && (text.length == 0 || ending_signal != 0))
        return false;
    if (!isatty(STDIN_FILENO)) {
        terminal_say(terminal, cli_printable(terminal->line));
        terminal_say(terminal, "\n");
    }
    return true;
}

const char *terminal_read(struct terminal *terminal, const char *prompt) {
    if (terminal->error != 0 || ending_signal != 0)
        return NULL;
    bool got = terminal->editor != NULL ? line_editor_read(terminal->editor, prompt, terminal->line,
                                                           sizeof terminal->line)
                                        : read_plainly(terminal, prompt);
    if (!got || terminal->error != 0)
        return NULL;
    char *line = terminal->line + strspn(terminal->line, " \t\r\n");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL)
        line[--length] = '\0';
    return line;
}

void terminal_wait(struct terminal *terminal, int milliseconds) {
    (void)terminal;
    wait_for(false, milliseconds);
}

bool terminal_await(struct terminal *terminal, int milliseconds) {
    (void)terminal;
    return wait_for(true, milliseconds);
}

void terminal_hang_up(struct terminal *terminal) {
    (void)terminal;
    ending_signal = SIGHUP;
}

void terminal_capture(struct terminal *terminal, struct nonet_text *out) {
    terminal->captured = out;
}

int terminal_signal(const struct terminal *terminal) {
    (void)terminal;
    return ending_signal;
}

int terminal_error(const struct terminal *terminal) {
    return terminal->error;
}
