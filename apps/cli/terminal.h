/* The connection to the person who plays: prints text, reads lines, and always ends cleanly.
 *
 * Where input and output are a terminal, lines are edited with history and completion
 * (line_editor.h). Anywhere else they are read as they are and echoed, so that a script's
 * transcript reads like a game. Signals that end a program are noticed only while it waits or
 * writes. So the terminal is always left as it was found. */
#ifndef NONET_CLI_TERMINAL_H
#define NONET_CLI_TERMINAL_H

#include "base/text.h"

struct terminal;

/* Offers a way to complete the line so far: the whole line that it would become. */
typedef void terminal_offer(void *asker, const char *line);
/* Calls `offer` for each way to complete the line. */
typedef void terminal_completer(void *context, const char *line, terminal_offer *offer,
                                void *asker);

/* Null without memory. There is only one at a time. Without a completer lines are not edited, and
 * only the signals that end the program are noticed: for a program that draws the screen itself. */
struct terminal *terminal_open(terminal_completer *completer, void *context);
void terminal_close(struct terminal *terminal);

/* Whether a person sits there, and not a script. */
bool terminal_has_person(const struct terminal *terminal);
/* Whether there is a screen that can be cleared and edited on. */
bool terminal_has_screen(const struct terminal *terminal);
/* Clears the screen and everything that has scrolled off it, so that nobody can look back. Does
 * nothing without a screen. */
void terminal_clear(struct terminal *terminal);

/* How wide the screen is. */
int terminal_columns(void);

/* Writes at once. After a failure nothing more is written. */
void terminal_say(struct terminal *terminal, const char *text);
/* The same for sentences, which are broken between words to fit on a screen. */
__attribute__((format(printf, 2, 3))) void terminal_format(struct terminal *terminal,
                                                           const char *format, ...);

/* The next line without white space around it, valid until the next call; null if there is none
 * because the input has ended, a signal came, or the output failed. */
const char *terminal_read(struct terminal *terminal, const char *prompt);

/* Waits this many milliseconds; less if a signal comes. */
void terminal_wait(struct terminal *terminal, int milliseconds);

/* Waits for input, or for so many milliseconds (-1: for ever); whether there is input. */
bool terminal_await(struct terminal *terminal, int milliseconds);
/* There is nobody at the terminal any more: as if a signal had said so. */
void terminal_hang_up(struct terminal *terminal);

/* From now on what is said is appended here, without line breaks that fit a screen; null: it is
 * written again. */
void terminal_capture(struct terminal *terminal, struct nonet_text *out);

/* The signal that asks the program to end, or 0. */
int terminal_signal(const struct terminal *terminal);
/* The error that the output failed with, or 0. */
int terminal_error(const struct terminal *terminal);

#endif
