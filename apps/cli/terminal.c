#include "terminal.h"

#include <errno.h>
#include <histedit.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>
#include <wchar.h>

#include "words.h"

enum { LINE_ROOM = 1024, MOST_LISTED = 200 };

struct terminal {
    bool screen;
    int error;
    EditLine *editor; /* null without a screen */
    History *history;
    const char *prompt;
    char line[LINE_ROOM];

    /* Input read but not yet used. */
    char buffer[4096];
    size_t next, filled;
    bool ended;

    struct nonet_text *captured; /* what is said goes there, if not null */

    terminal_completer *completer;
    void *context;
    /* What the completer has offered: how many, what they have in common, and the first of them. */
    const char *typed;
    int offered;
    char common[LINE_ROOM];
    char list[MOST_LISTED][64];

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

/* Tells the editor that the window has another size. The editor assumes that prompt and line still
 * take as many rows as before, and writes out of bounds if there are fewer now. So both are removed
 * for the moment. */
static void resize(struct terminal *terminal) {
    EditLine *editor = terminal->editor;
    const char *prompt = terminal->prompt;
    const LineInfoW *info = el_wline(editor);
    size_t length = (size_t)(info->lastchar - info->buffer);
    int after_cursor = (int)(info->lastchar - info->cursor);
    wchar_t *line = malloc((length + 1) * sizeof *line);
    if (line == NULL)
        return;
    wmemcpy(line, info->buffer, length);
    line[length] = L'\0';
    el_cursor(editor, after_cursor);
    el_deletestr(editor, (int)length);
    terminal->prompt = "";
    el_set(editor, EL_REFRESH);
    el_resize(editor);
    terminal->prompt = prompt;
    el_winsertstr(editor, line);
    el_cursor(editor, -after_cursor);
    el_set(editor, EL_REFRESH);
    free(line);
}

/* The next byte of input, or -1: the input has ended, or a signal asks the program to end. */
static int next_byte(struct terminal *terminal) {
    while (terminal->next == terminal->filled) {
        if (ending_signal != 0 || terminal->ended)
            return -1;
        if (terminal->editor != NULL && resized) {
            resized = 0;
            resize(terminal);
        }
        if (terminal->editor != NULL && continued) {
            continued = 0;
            /* The shell has changed the modes, but the editor assumes that they are unchanged. */
            el_set(terminal->editor, EL_PREP_TERM, 0);
            el_set(terminal->editor, EL_PREP_TERM, 1);
            el_set(terminal->editor, EL_REFRESH);
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

static struct terminal *terminal_of(EditLine *editor) {
    struct terminal *terminal;
    el_get(editor, EL_CLIENTDATA, &terminal);
    return terminal;
}

static int next_character(EditLine *editor, wchar_t *character) {
    mbstate_t state = {0};
    for (;;) {
        int byte = next_byte(terminal_of(editor));
        if (byte < 0)
            return 0;
        char c = (char)byte;
        size_t used = mbrtowc(character, &c, 1, &state);
        if (used <= 1)
            return 1;
        if (used == (size_t)-1)
            state = (mbstate_t){0}; /* not a character in this locale: ignored */
    }
}

static char *prompt_of(EditLine *editor) {
    return (char *)terminal_of(editor)->prompt;
}

static void offer(struct terminal *terminal, const char *line) {
    if (strncasecmp(line, terminal->typed, strlen(terminal->typed)) != 0 ||
        strlen(line) >= sizeof terminal->common)
        return;
    if (terminal->offered == 0) {
        strcpy(terminal->common, line);
    } else {
        size_t same = 0;
        while (terminal->common[same] != '\0' && terminal->common[same] == line[same])
            same++;
        terminal->common[same] = '\0';
    }
    if (terminal->offered < MOST_LISTED)
        snprintf(terminal->list[terminal->offered], sizeof terminal->list[0], "%s", line);
    terminal->offered++;
}

static int columns_of_screen(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Shows the offers below the line, in columns. */
static void list_offers(struct terminal *terminal) {
    char bytes[MOST_LISTED * 66];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (terminal->offered > MOST_LISTED) {
        nonet_text_char(&text, '\n');
        cli_write(&text,
                  nonet_say(&cli_words[WORD_POSSIBILITIES], nonet_number(terminal->offered)));
        nonet_text_char(&text, '\n');
    } else {
        int wide = columns_of_screen(), cell = 0;
        for (int i = 0; i < terminal->offered; i++)
            if ((int)strlen(terminal->list[i]) + 2 > cell)
                cell = (int)strlen(terminal->list[i]) + 2;
        int columns = wide > cell ? wide / cell : 1;
        for (int i = 0; i < terminal->offered; i++)
            nonet_text_format(&text, "%s%-*s", i % columns == 0 ? "\n" : "", cell,
                              terminal->list[i]);
        nonet_text_char(&text, '\n');
    }
    terminal_say(terminal, bytes);
}

static unsigned char complete(EditLine *editor, int key) {
    (void)key;
    struct terminal *terminal = terminal_of(editor);
    const LineInfo *info = el_line(editor);
    char typed[LINE_ROOM];
    struct nonet_text text = NONET_TEXT_IN(typed);
    nonet_text_format(&text, "%.*s", (int)(info->cursor - info->buffer), info->buffer);
    terminal->typed = typed;
    terminal->offered = 0;
    terminal->completer(terminal->context, typed, offer, terminal);
    if (terminal->offered == 0)
        return CC_ERROR;
    /* Offers may differ from the typed text in case, and from each other early. Never remove typed
     * text. */
    if (strlen(terminal->common) >= text.length && strcmp(terminal->common, typed) != 0) {
        el_deletestr(editor, (int)text.length);
        el_insertstr(editor, terminal->common);
        return CC_REFRESH;
    }
    if (terminal->offered == 1)
        return CC_NORM;
    list_offers(terminal);
    return CC_REDISPLAY;
}

/* A terminal that cannot move its cursor gets plain lines instead. */
static bool has_screen(void) {
    const char *kind = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind != NULL && kind[0] != '\0' &&
           strcmp(kind, "dumb") != 0;
}

static void open_editor(struct terminal *terminal) {
    terminal->editor = el_init("nonet", stdin, stdout, stderr);
    if (terminal->editor == NULL)
        return;
    EditLine *editor = terminal->editor;
    el_set(editor, EL_CLIENTDATA, terminal);
    el_set(editor, EL_PROMPT, prompt_of);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_GETCFN, next_character);
    /* As wide texts, because libedit would copy narrow ones and never free them. */
    el_wset(editor, EL_ADDFN, L"nonet-complete", L"Complete a move or a command", complete);
    el_set(editor, EL_BIND, "^I", "nonet-complete", NULL);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    terminal->history = history_init();
    if (terminal->history != NULL) {
        HistEvent event;
        history(terminal->history, &event, H_SETSIZE, 500);
        history(terminal->history, &event, H_SETUNIQUE, 1);
        el_set(editor, EL_HIST, history, terminal->history);
    }
    el_source(editor, NULL); /* ~/.editrc, if there is one */
}

struct terminal *terminal_open(terminal_completer *completer, void *context) {
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (terminal == NULL)
        return NULL;
    terminal->completer = completer;
    terminal->context = context;
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
        open_editor(terminal);
    return terminal;
}

void terminal_close(struct terminal *terminal) {
    if (terminal == NULL)
        return;
    if (terminal->history != NULL)
        history_end(terminal->history);
    if (terminal->editor != NULL)
        el_end(terminal->editor);
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
        wrap(line, columns_of_screen(), &text);
    terminal_say(terminal, wraps ? wrapped : line);
}

/* Reads a line as it comes and echoes it. What does not fit is dropped. */
static bool read_plainly(struct terminal *terminal) {
    struct nonet_text text = NONET_TEXT_IN(terminal->line);
    terminal_say(terminal, terminal->prompt);
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

static bool read_edited(struct terminal *terminal) {
    int length = 0;
    /* Before the prompt is visible, so that a quick Ctrl-D is not lost between two modes. */
    el_set(terminal->editor, EL_PREP_TERM, 1);
    const char *line = el_gets(terminal->editor, &length);
    if (line == NULL || length <= 0)
        return false;
    struct nonet_text text = NONET_TEXT_IN(terminal->line);
    nonet_text_add(&text, line);
    if (terminal->history != NULL && line[strspn(line, " \t\r\n")] != '\0') {
        HistEvent event;
        history(terminal->history, &event, H_ENTER, line);
    }
    return true;
}

const char *terminal_read(struct terminal *terminal, const char *prompt) {
    if (terminal->error != 0 || ending_signal != 0)
        return NULL;
    terminal->prompt = prompt;
    bool got = terminal->editor != NULL ? read_edited(terminal) : read_plainly(terminal);
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
