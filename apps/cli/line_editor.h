/* A line that a person types and edits on a terminal, with history and completion. Only
 * line_editor.c knows libedit; without it there is no editor, and lines are read as they come. */
#ifndef NONET_CLI_LINE_EDITOR_H
#define NONET_CLI_LINE_EDITOR_H

#include <stddef.h>

#include "terminal.h"

struct line_editor;

/* The next byte of the terminal's input, or -1 if there is none any more. */
typedef int line_editor_byte(struct terminal *terminal);

/* Null if there can be none. */
struct line_editor *line_editor_open(struct terminal *terminal, line_editor_byte *next,
                                     terminal_completer *completer, void *context);
void line_editor_close(struct line_editor *editor);

/* False if the input has ended. */
bool line_editor_read(struct line_editor *editor, const char *prompt, char *line, size_t room);

/* While it reads: the window has another size; the program goes on after it was stopped. */
void line_editor_resize(struct line_editor *editor);
void line_editor_resume(struct line_editor *editor);

#endif
