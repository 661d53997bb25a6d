#include "line_editor.h"

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "words.h"

enum { LINE_ROOM = 1024, MOST_LISTED = 200 };

struct line_editor {
    EditLine *lines;
    History *history;
    const char *prompt;
    struct terminal *terminal;
    line_editor_byte *next;

    terminal_completer *completer;
    void *context;
    /* What the completer has offered: how many, what they have in common, and the first of them. */
    const char *typed;
    int offered;
    char common[LINE_ROOM];
    char list[MOST_LISTED][64];
};

/* The editor assumes that prompt and line still take as many rows as before, and writes out of
 * bounds if there are fewer now. So both are removed for the moment. */
void line_editor_resize(struct line_editor *editor) {
    EditLine *lines = editor->lines;
    const char *prompt = editor->prompt;
    const LineInfoW *info = el_wline(lines);
    size_t length = (size_t)(info->lastchar - info->buffer);
    int after_cursor = (int)(info->lastchar - info->cursor);
    wchar_t *line = malloc((length + 1) * sizeof *line);
    if (line == NULL)
        return;
    wmemcpy(line, info->buffer, length);
    line[length] = L'\0';
    el_cursor(lines, after_cursor);
    el_deletestr(lines, (int)length);
    editor->prompt = "";
    el_set(lines, EL_REFRESH);
    el_resize(lines);
    editor->prompt = prompt;
    el_winsertstr(lines, line);
    el_cursor(lines, -after_cursor);
    el_set(lines, EL_REFRESH);
    free(line);
}

/* The shell has changed the modes, but the editor assumes that they are unchanged. */
void line_editor_resume(struct line_editor *editor) {
    el_set(editor->lines, EL_PREP_TERM, 0);
    el_set(editor->lines, EL_PREP_TERM, 1);
    el_set(editor->lines, EL_REFRESH);
}

static struct line_editor *editor_of(EditLine *lines) {
    struct line_editor *editor;
    el_get(lines, EL_CLIENTDATA, &editor);
    return editor;
}

static int next_character(EditLine *lines, wchar_t *character) {
    const struct line_editor *editor = editor_of(lines);
    mbstate_t state = {0};
    for (;;) {
        int byte = editor->next(editor->terminal);
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

static char *prompt_of(EditLine *lines) {
    return (char *)editor_of(lines)->prompt;
}

static void offer(void *asker, const char *line) {
    struct line_editor *editor = asker;
    if (strncasecmp(line, editor->typed, strlen(editor->typed)) != 0 ||
        strlen(line) >= sizeof editor->common)
        return;
    if (editor->offered == 0) {
        strcpy(editor->common, line);
    } else {
        size_t same = 0;
        while (editor->common[same] != '\0' && editor->common[same] == line[same])
            same++;
        editor->common[same] = '\0';
    }
    if (editor->offered < MOST_LISTED)
        snprintf(editor->list[editor->offered], sizeof editor->list[0], "%s", line);
    editor->offered++;
}

/* Shows the offers below the line, in columns. */
static void list_offers(struct line_editor *editor) {
    char bytes[MOST_LISTED * 66];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (editor->offered > MOST_LISTED) {
        nonet_text_char(&text, '\n');
        cli_write(&text, nonet_say(&cli_words[WORD_POSSIBILITIES], nonet_number(editor->offered)));
        nonet_text_char(&text, '\n');
    } else {
        int wide = terminal_columns(), cell = 0;
        for (int i = 0; i < editor->offered; i++)
            if ((int)strlen(editor->list[i]) + 2 > cell)
                cell = (int)strlen(editor->list[i]) + 2;
        int columns = wide > cell ? wide / cell : 1;
        for (int i = 0; i < editor->offered; i++)
            nonet_text_format(&text, "%s%-*s", i % columns == 0 ? "\n" : "", cell, editor->list[i]);
        nonet_text_char(&text, '\n');
    }
    terminal_say(editor->terminal, bytes);
}

static unsigned char complete(EditLine *lines, int key) {
    (void)key;
    struct line_editor *editor = editor_of(lines);
    const LineInfo *info = el_line(lines);
    char typed[LINE_ROOM];
    struct nonet_text text = NONET_TEXT_IN(typed);
    nonet_text_format(&text, "%.*s", (int)(info->cursor - info->buffer), info->buffer);
    editor->typed = typed;
    editor->offered = 0;
    editor->completer(editor->context, typed, offer, editor);
    if (editor->offered == 0)
        return CC_ERROR;
    /* Offers may differ from the typed text in case, and from each other early. Never remove typed
     * text. */
    if (strlen(editor->common) >= text.length && strcmp(editor->common, typed) != 0) {
        el_deletestr(lines, (int)text.length);
        el_insertstr(lines, editor->common);
        return CC_REFRESH;
    }
    if (editor->offered == 1)
        return CC_NORM;
    list_offers(editor);
    return CC_REDISPLAY;
}

struct line_editor *line_editor_open(struct terminal *terminal, line_editor_byte *next,
                                     terminal_completer *completer, void *context) {
    struct line_editor *editor = calloc(1, sizeof *editor);
    EditLine *lines = editor != NULL ? el_init("nonet", stdin, stdout, stderr) : NULL;
    if (lines == NULL) {
        free(editor);
        return NULL;
    }
    *editor = (struct line_editor){
        .lines = lines,
        .prompt = "",
        .terminal = terminal,
        .next = next,
        .completer = completer,
        .context = context,
    };
    el_set(lines, EL_CLIENTDATA, editor);
    el_set(lines, EL_PROMPT, prompt_of);
    el_set(lines, EL_EDITOR, "emacs");
    el_set(lines, EL_GETCFN, next_character);
    /* As wide texts, because libedit would copy narrow ones and never free them. */
    el_wset(lines, EL_ADDFN, L"nonet-complete", L"Complete a move or a command", complete);
    el_set(lines, EL_BIND, "^I", "nonet-complete", NULL);
    el_set(lines, EL_BIND, "^R", "em-inc-search-prev", NULL);
    editor->history = history_init();
    if (editor->history != NULL) {
        HistEvent event;
        history(editor->history, &event, H_SETSIZE, 500);
        history(editor->history, &event, H_SETUNIQUE, 1);
        el_set(lines, EL_HIST, history, editor->history);
    }
    el_source(lines, NULL); /* ~/.editrc, if there is one */
    return editor;
}

void line_editor_close(struct line_editor *editor) {
    if (editor == NULL)
        return;
    if (editor->history != NULL)
        history_end(editor->history);
    el_end(editor->lines);
    free(editor);
}

bool line_editor_read(struct line_editor *editor, const char *prompt, char *line, size_t room) {
    int length = 0;
    editor->prompt = prompt;
    /* Before the prompt is visible, so that a quick Ctrl-D is not lost between two modes. */
    el_set(editor->lines, EL_PREP_TERM, 1);
    const char *typed = el_gets(editor->lines, &length);
    if (typed == NULL || length <= 0)
        return false;
    struct nonet_text text = nonet_text_in(line, room);
    nonet_text_add(&text, typed);
    if (editor->history != NULL && typed[strspn(typed, " \t\r\n")] != '\0') {
        HistEvent event;
        history(editor->history, &event, H_ENTER, typed);
    }
    return true;
}
