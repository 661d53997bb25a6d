/* Any bytes as a page of Markdown, for terminals of all kinds: nothing is read or written out of
 * bounds. The first two bytes choose the width and the style. */
#include <stdlib.h>
#include <string.h>

#include "cli/markdown.h"
#include "fuzzing.h"

static int draw(void *context, int word_count, char **words, struct nonet_text *out) {
    (void)context;
    for (int i = 0; i < word_count; i++)
        nonet_text_add(out, words[i]);
    return words[word_count] != NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static char bytes[1 << 16];
    if (size < 2)
        return 0;
    char *page = malloc(size - 1);
    if (page == NULL)
        return 0;
    memcpy(page, data + 2, size - 2);
    page[size - 2] = '\0';
    struct markdown_style style = {data[1] & 1, data[1] >> 1 & 1, data[0]};
    struct nonet_text text = NONET_TEXT_IN(bytes);
    markdown_text(page, &style, draw, NULL, &text);
    free(page);
    return 0;
}
