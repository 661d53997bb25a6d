/* Without libedit there is no editor: the system's own terminal keeps a line until it is whole. */
#include "line_editor.h"

struct line_editor *line_editor_open(struct terminal *terminal, line_editor_byte *next,
                                     terminal_completer *completer, void *context) {
    (void)terminal, (void)next, (void)completer, (void)context;
    return NULL;
}

void line_editor_close(struct line_editor *editor) {
    (void)editor;
}

bool line_editor_read(struct line_editor *editor, const char *prompt, char *line, size_t room) {
    (void)editor, (void)prompt, (void)line, (void)room;
    return false;
}

void line_editor_resize(struct line_editor *editor) {
    (void)editor;
}

void line_editor_resume(struct line_editor *editor) {
    (void)editor;
}
