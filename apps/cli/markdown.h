/* Markdown as text for a terminal: the part of it that the rules pages use.
 *
 * Headings, paragraphs, lists, quotations, tables, code, emphasis and links. A comment `<!-- draw:
 * WORDS -->` above a picture's line stands for a diagram. The diagram is drawn in place, and the
 * picture's description becomes its caption. Other comments are left out. */
#ifndef NONET_CLI_MARKDOWN_H
#define NONET_CLI_MARKDOWN_H

#include "base/text.h"

struct markdown_style {
    bool colour;  /* ANSI escapes for bold and italics */
    bool unicode; /* UTF-8 as it is; else signs become ASCII */
    int width;    /* columns */
};

/* Draws a diagram from the words of its comment. They end with a null pointer, and it may rearrange
 * them. Any result but 0 stops the rendering. */
typedef int markdown_diagram(void *context, int word_count, char **words, struct nonet_text *out);

/* 0, or what a diagram returned. Check out->cut. */
int markdown_text(const char *markdown, const struct markdown_style *style,
                  markdown_diagram *diagram, void *context, struct nonet_text *out);

#endif
