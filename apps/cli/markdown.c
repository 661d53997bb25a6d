#include "cli/markdown.h"

#include <string.h>

/* Text on its way to the page carries its style in control bytes: PLAIN plus a set of these. */
enum { STRONG = 1, SLANTED = 2, CODE = 4, PLAIN = 1, STYLES = 8 };
enum { BLOCK_ROOM = 16384, MOST_WORDS = 256, MOST_CELLS = 10, MOST_ROWS = 64 };

struct page {
    const struct markdown_style *style;
    struct nonet_text *out;
    const char *cursor; /* the next line */
    bool gap;           /* an empty line stands before the next block */
};

/* A line of the source, without its end. */
struct line {
    const char *start;
    size_t length;
};

static bool look(const struct page *page, struct line *line) {
    if (*page->cursor == '\0')
        return false;
    *line = (struct line){page->cursor, strcspn(page->cursor, "\n")};
    return true;
}

static void take(struct page *page, struct line line) {
    page->cursor = line.start + line.length + (line.start[line.length] == '\n');
}

static size_t indent_of(struct line line) {
    size_t indent = 0;
    while (indent < line.length && line.start[indent] == ' ')
        indent++;
    return indent;
}

static bool begins(struct line line, const char *text) {
    size_t indent = indent_of(line), length = strlen(text);
    return line.length - indent >= length && strncmp(line.start + indent, text, length) == 0;
}

static bool is_empty(struct line line) {
    return indent_of(line) == line.length;
}

/* The length of "- ", "* " or "12. " after the indent, or 0. */
static size_t bullet_of(struct line line) {
    if (begins(line, "- ") || begins(line, "* "))
        return 2;
    size_t indent = indent_of(line), digits = 0;
    while (indent + digits < line.length && line.start[indent + digits] >= '0' &&
           line.start[indent + digits] <= '9')
        digits++;
    bool numbered = digits > 0 && indent + digits + 1 < line.length &&
                    strncmp(line.start + indent + digits, ". ", 2) == 0;
    return numbered ? digits + 2 : 0;
}

static bool ends_paragraph(struct line line) {
    return is_empty(line) || begins(line, "#") || begins(line, "|") || begins(line, "```") ||
           begins(line, "> ") || begins(line, "<!--") || begins(line, "![") || bullet_of(line) > 0;
}

static void add_run(const struct page *page, struct nonet_text *out, const char *text,
                    size_t length) {
    if (!page->style->unicode) {
        nonet_text_ascii(out, text, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        nonet_text_char(out, text[i]);
}

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* Whether a star or underscore opens emphasis or, where it is open, closes it. One that stands
 * alone or inside a word does neither. */
static bool is_emphasis(struct line text, size_t i, bool open) {
    char before = i > 0 ? text.start[i - 1] : ' ';
    char after = i + 1 < text.length ? text.start[i + 1] : ' ';
    return open ? before != ' ' && !is_word(after) : !is_word(before) && after != ' ';
}

/* Finds [words](address), or the same with ! in front: the place of its "](", and its end. */
static bool find_link(struct line text, size_t i, size_t *middle, size_t *end) {
    size_t k = i + 1;
    while (k + 1 < text.length && (text.start[k] != ']' || text.start[k + 1] != '('))
        k++;
    if (k + 1 >= text.length)
        return false;
    *middle = k;
    while (k < text.length && text.start[k] != ')')
        k++;
    *end = k;
    return k < text.length;
}

/* Inline Markdown as text with style bytes. */
static void add_inline(const struct page *page, struct nonet_text *out, struct line text,
                       int base) {
    int styles = base;
    nonet_text_char(out, (char)(PLAIN + styles));
    for (size_t i = 0; i < text.length; i++) {
        const char *c = text.start + i;
        size_t rest = text.length - i, middle, end;
        const char *close;
        if (*c == '\\' && rest > 1 && strchr("\\`*_[]|<>#-", c[1]) != NULL) {
            nonet_text_char(out, c[1]);
            i++;
        } else if (*c == '`' && (close = memchr(c + 1, '`', rest - 1)) != NULL) {
            /* Without colours the quotes stay, to mark code. */
            size_t length = (size_t)(close - c) - 1;
            nonet_text_char(out, (char)(PLAIN + (styles | CODE)));
            nonet_text_add(out, page->style->colour ? "" : "`");
            add_run(page, out, c + 1, length);
            nonet_text_add(out, page->style->colour ? "" : "`");
            nonet_text_char(out, (char)(PLAIN + styles));
            i += length + 1;
        } else if (rest > 1 && strncmp(c, "**", 2) == 0) {
            styles ^= STRONG;
            nonet_text_char(out, (char)(PLAIN + (styles | base)));
            i++;
        } else if ((*c == '*' || *c == '_') && is_emphasis(text, i, (styles & SLANTED) != 0)) {
            styles ^= SLANTED;
            nonet_text_char(out, (char)(PLAIN + styles));
        } else if (*c == '[' && find_link(text, i, &middle, &end)) {
            add_run(page, out, c + 1, middle - i - 1);
            struct line address = {text.start + middle + 2, end - middle - 2};
            if (begins(address, "http")) {
                nonet_text_add(out, " (");
                add_run(page, out, address.start, address.length);
                nonet_text_char(out, ')');
            }
            i = end;
        } else {
            size_t length = 1;
            while (length < rest && ((unsigned char)c[length] & 0xc0) == 0x80)
                length++;
            add_run(page, out, c, length);
            i += length - 1;
        }
    }
    nonet_text_char(out, PLAIN);
}

static bool is_style(char c) {
    return c >= PLAIN && c < PLAIN + STYLES;
}

/* Whether a byte takes a column: it is the first byte of a character, and not a style. */
static bool has_width(char c) {
    return !is_style(c) && ((unsigned char)c & 0xc0) != 0x80;
}

static int width_of(const char *text, size_t length) {
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += has_width(text[i]);
    return width;
}

/* The next line of styled text, at most `width` wide; false at the end of the text. */
static bool wrap(const char **cursor, int width, struct line *line) {
    while (**cursor == ' ')
        ++*cursor;
    const char *start = *cursor, *fit = NULL, *c = start;
    int columns = 0;
    for (; *c != '\0'; c++) {
        if (*c == ' ')
            fit = c;
        if (has_width(*c) && ++columns > width)
            break;
    }
    if (*c == '\0' || fit == NULL)
        fit = c;
    *line = (struct line){start, (size_t)(fit - start)};
    *cursor = fit;
    return fit > start;
}

static void set_style(const struct page *page, int styles) {
    if (!page->style->colour)
        return;
    nonet_text_add(page->out, "\033[0");
    if (styles & (STRONG | CODE))
        nonet_text_add(page->out, ";1");
    if (styles & SLANTED)
        nonet_text_add(page->out, ";3");
    nonet_text_char(page->out, 'm');
}

/* Writes styled text, beginning with the style that the line before ended with. */
static void write_styled(const struct page *page, struct line line, int *styles) {
    if (*styles != 0)
        set_style(page, *styles);
    for (size_t i = 0; i < line.length; i++)
        if (!is_style(line.start[i])) {
            nonet_text_char(page->out, line.start[i]);
        } else if (line.start[i] - PLAIN != *styles) {
            *styles = line.start[i] - PLAIN;
            set_style(page, *styles);
        }
    if (*styles != 0)
        set_style(page, 0);
}

static void write_spaces(const struct page *page, int count) {
    for (; count > 0; count--)
        nonet_text_char(page->out, ' ');
}

static void write_rule(const struct page *page, int width, bool heavy) {
    for (; width > 0; width--)
        nonet_text_add(page->out, page->style->unicode ? (heavy ? "━" : "─") : heavy ? "=" : "-");
}

static void begin_block(struct page *page) {
    if (page->gap && page->out->length > 0)
        nonet_text_char(page->out, '\n');
    page->gap = false;
}

/* Lines of styled text: the first after `head`, the others indented below it. */
static void write_block(const struct page *page, const char *head, int indent, const char *text) {
    int styles = 0, margin = indent + width_of(head, strlen(head));
    struct line line;
    bool first = true;
    while (wrap(&text, page->style->width - margin, &line)) {
        write_spaces(page, first ? indent : margin);
        nonet_text_add(page->out, first ? head : "");
        write_styled(page, line, &styles);
        nonet_text_char(page->out, '\n');
        first = false;
    }
}

static void write_heading(struct page *page, struct line line) {
    size_t level = strspn(line.start, "#");
    line.start += level;
    line.length -= level;
    size_t spaces = indent_of(line);
    line.start += spaces;
    line.length -= spaces;
    char text[1024];
    struct nonet_text styled = NONET_TEXT_IN(text);
    add_inline(page, &styled, line, STRONG);
    begin_block(page);
    write_block(page, "", 0, text);
    if (level <= 2) {
        int width = width_of(text, styled.length);
        write_rule(page, width < page->style->width ? width : page->style->width, level == 1);
        nonet_text_char(page->out, '\n');
    }
}

/* A paragraph, a list item or a quotation: the first line and those that continue it. */
static void write_paragraph(struct page *page, struct line line) {
    size_t indent = indent_of(line), bullet = bullet_of(line);
    bool quoted = begins(line, "> ");
    char head[16] = "";
    struct nonet_text text = NONET_TEXT_IN(head);
    if (bullet == 2)
        nonet_text_add(&text, page->style->unicode ? "• " : "- ");
    else
        for (size_t i = 0; i < bullet && i < sizeof head - 1; i++)
            nonet_text_char(&text, line.start[indent + i]);
    char source[BLOCK_ROOM], styled[BLOCK_ROOM];
    struct nonet_text joined = NONET_TEXT_IN(source);
    size_t skip = indent + (quoted ? 2 : bullet);
    do {
        if (joined.length > 0)
            nonet_text_char(&joined, ' ');
        for (size_t i = skip; i < line.length; i++)
            nonet_text_char(&joined, line.start[i]);
        take(page, line);
        if (!look(page, &line))
            break;
        skip = indent_of(line) + (quoted && begins(line, "> ") ? 2 : 0);
    } while (!ends_paragraph(line) || (quoted && begins(line, "> ")));
    struct nonet_text out = NONET_TEXT_IN(styled);
    add_inline(page, &out, (struct line){source, joined.length}, 0);
    page->out->cut |= joined.cut || out.cut;
    begin_block(page);
    write_block(page, head, (int)indent + (quoted ? 4 : 0), styled);
}

static void write_code(struct page *page, struct line line) {
    begin_block(page);
    take(page, line);
    while (look(page, &line) && !begins(line, "```")) {
        write_spaces(page, line.length > 0 ? 4 : 0);
        add_run(page, page->out, line.start, line.length);
        nonet_text_char(page->out, '\n');
        take(page, line);
    }
    if (*page->cursor != '\0')
        take(page, line);
}

struct table {
    const char *cell[MOST_ROWS][MOST_CELLS];                /* styled text, or null */
    int rows, columns, width[MOST_CELLS], word[MOST_CELLS]; /* the widest cell, the widest word */
};

/* Takes the cells of a row out of its line. A bar inside code or after a backslash does not
 * separate cells. */
static void read_row(const struct page *page, struct table *table, struct line line,
                     struct nonet_text *room) {
    int row = table->rows++, column = 0;
    size_t i = indent_of(line) + 1;
    while (i < line.length && column < MOST_CELLS) {
        size_t end = i;
        bool code = false;
        for (; end < line.length && (code || line.start[end] != '|'); end++) {
            code ^= line.start[end] == '`';
            end += line.start[end] == '\\' && end + 1 < line.length;
        }
        struct line cell = {line.start + i, end - i};
        size_t spaces = indent_of(cell);
        cell.start += spaces;
        cell.length -= spaces;
        while (cell.length > 0 && cell.start[cell.length - 1] == ' ')
            cell.length--;
        if (end < line.length || cell.length > 0) {
            const char *text = room->bytes + room->length;
            table->cell[row][column] = text;
            add_inline(page, room, cell, row == 0 ? STRONG : 0);
            int width = width_of(text, strlen(text));
            table->width[column] = width > table->width[column] ? width : table->width[column];
            for (const char *word = text; *word != '\0'; word += strspn(word, " ")) {
                size_t length = strcspn(word, " ");
                width = width_of(word, length);
                table->word[column] = width > table->word[column] ? width : table->word[column];
                word += length;
            }
            column++;
            if (room->length + 1 < room->size)
                room->length++; /* keeps the zero byte after the cell */
            else
                room->cut = true;
        }
        i = end + 1;
    }
    table->columns = column > table->columns ? column : table->columns;
}

/* Narrows the widest column until the table fits. Columns that can be broken between words come
 * first. */
static void fit_table(struct table *table, int room) {
    for (;;) {
        int sum = 2 * (table->columns - 1), widest = 0;
        bool breakable = false;
        for (int i = 0; i < table->columns; i++) {
            bool gives = table->width[i] > table->word[i];
            if (gives > breakable || (gives == breakable && table->width[i] > table->width[widest]))
                widest = i;
            breakable |= gives;
            sum += table->width[i];
        }
        if (sum <= room || table->width[widest] <= 1)
            return;
        table->width[widest]--;
    }
}

static void write_row(const struct page *page, const struct table *table, int row) {
    const char *left[MOST_CELLS];
    int styles[MOST_CELLS] = {0};
    for (int column = 0; column < table->columns; column++)
        left[column] = table->cell[row][column] != NULL ? table->cell[row][column] : "";
    for (;;) {
        struct line lines[MOST_CELLS];
        bool any = false;
        for (int column = 0; column < table->columns; column++)
            any |= wrap(&left[column], table->width[column], &lines[column]);
        if (!any)
            return;
        int owed = 0; /* spaces, written only if more text follows */
        for (int column = 0; column < table->columns; column++) {
            int width = width_of(lines[column].start, lines[column].length);
            if (width > 0) {
                write_spaces(page, owed);
                write_styled(page, lines[column], &styles[column]);
                owed = 0;
            }
            owed += table->width[column] - width + 2;
        }
        nonet_text_char(page->out, '\n');
    }
}

static void write_table(struct page *page, struct line line) {
    struct table table = {.rows = 0};
    char bytes[BLOCK_ROOM];
    struct nonet_text room = NONET_TEXT_IN(bytes);
    do {
        size_t indent = indent_of(line);
        bool is_rule =
            table.rows == 1 && strspn(line.start + indent, "|-: ") >= line.length - indent;
        if (!is_rule && table.rows < MOST_ROWS)
            read_row(page, &table, line, &room);
        else if (!is_rule)
            page->out->cut = true;
        take(page, line);
    } while (look(page, &line) && begins(line, "|"));
    page->out->cut |= room.cut;
    fit_table(&table, page->style->width);
    begin_block(page);
    for (int row = 0; row < table.rows; row++) {
        write_row(page, &table, row);
        for (int column = 0; row == 0 && column < table.columns; column++) {
            write_rule(page, table.width[column], false);
            nonet_text_add(page->out, column + 1 < table.columns ? "  " : "\n");
        }
    }
}

/* Splits in place; double quotes keep words with spaces together. */
static int split_words(char *text, char *words[MOST_WORDS + 1]) {
    int count = 0;
    char *to = text;
    while (*text != '\0' && count < MOST_WORDS) {
        while (*text == ' ')
            text++;
        if (*text == '\0')
            break;
        words[count++] = to;
        for (bool quoted = false; *text != '\0' && (quoted || *text != ' '); text++)
            if (*text == '"')
                quoted = !quoted;
            else
                *to++ = *text;
        if (*text != '\0')
            text++;
        *to++ = '\0';
    }
    words[count] = NULL;
    return count;
}

/* A picture's description as the caption of what is drawn above it. */
static void write_caption(struct page *page, struct line line) {
    size_t middle, end;
    if (!find_link(line, indent_of(line) + 1, &middle, &end))
        return;
    char styled[BLOCK_ROOM];
    struct nonet_text text = NONET_TEXT_IN(styled);
    size_t from = indent_of(line) + 2;
    add_inline(page, &text, (struct line){line.start + from, middle - from}, SLANTED);
    page->gap = true; /* hands may be listed below the board */
    begin_block(page);
    write_block(page, "", 3, styled);
}

static int write_comment(struct page *page, struct line line, markdown_diagram *diagram,
                         void *context) {
    const char *start = line.start + indent_of(line), *end = strstr(start, "-->");
    page->cursor = end != NULL ? end + 3 : start + strlen(start);
    page->cursor += *page->cursor == '\n';
    if (end == NULL || strncmp(start, "<!-- draw: ", 11) != 0)
        return 0;
    char source[BLOCK_ROOM], *words[MOST_WORDS + 1];
    struct nonet_text text = NONET_TEXT_IN(source);
    for (start += 11; start < end; start++)
        nonet_text_char(&text, *start);
    begin_block(page);
    return diagram(context, split_words(source, words), words, page->out);
}

int markdown_text(const char *markdown, const struct markdown_style *style,
                  markdown_diagram *diagram, void *context, struct nonet_text *out) {
    struct page page = {.style = style, .out = out, .cursor = markdown};
    struct line line;
    int code = 0;
    while (code == 0 && look(&page, &line)) {
        if (is_empty(line)) {
            page.gap = true;
            take(&page, line);
        } else if (line.start[strspn(line.start, "#")] == ' ' && line.start[0] == '#') {
            take(&page, line);
            write_heading(&page, line);
        } else if (begins(line, "<!--")) {
            code = write_comment(&page, line, diagram, context);
        } else if (begins(line, "![")) {
            take(&page, line);
            write_caption(&page, line);
        } else if (begins(line, "```")) {
            write_code(&page, line);
        } else if (begins(line, "|")) {
            write_table(&page, line);
        } else {
            write_paragraph(&page, line);
        }
    }
    return code;
}
