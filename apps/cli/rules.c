/* nonet rules: the rules of a game for a person, with diagrams drawn in place. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/markdown.h"
#include "drawing.h"
#include "pages.h"

enum { WIDEST = 80, NARROWEST = 24, ROOM = 1 << 20 };

static int output_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_col > WIDEST)
        return WIDEST;
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

static const struct rules_page *find_page(const char *language, const char *game) {
    for (const struct rules_page *page = rules_pages; page->game != NULL; page++)
        if (strcmp(page->language, language) == 0 && strcmp(page->game, game) == 0)
            return page;
    return NULL;
}

static bool has_language(const char *language) {
    for (const struct rules_page *page = rules_pages; page->game != NULL; page++)
        if (strcmp(page->language, language) == 0)
            return true;
    return false;
}

/* Refuses a language, and lists the languages there are, each once. */
static int refuse_language(const char *language) {
    char list[256];
    struct nonet_text text = NONET_TEXT_IN(list);
    for (const struct rules_page *page = rules_pages; page->game != NULL; page++) {
        const struct rules_page *first = rules_pages;
        while (strcmp(first->language, page->language) != 0)
            first++;
        if (first == page)
            nonet_text_format(&text, "%s%s", text.length > 0 ? ", " : "", page->language);
    }
    return cli_fail(CLI_USAGE, "--lang cannot be \"%s\"; the rules exist in %s",
                    nonet_quote(language).text, list);
}

static int draw_diagram(void *context, int word_count, char **words, struct nonet_text *out) {
    return cli_draw_words(word_count, words, *(const struct draw_text_style *)context, out);
}

static int run(int argc, char **argv) {
    const char *language = "en";
    const struct cli_flag flags[] = {{"--lang", &language, NULL}, {0}};
    char **words;
    int count, code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count == 0)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    if (count > 1)
        return cli_fail(CLI_USAGE, "one game at a time: \"%s\" is one too many",
                        nonet_quote(words[1]).text);
    const struct nonet_game *game = cli_find_game(words[0]);
    if (game == NULL)
        return CLI_USAGE;
    char lower[16];
    struct nonet_text folded = NONET_TEXT_IN(lower);
    cli_lower(language, &folded);
    language = folded.cut ? language : lower;
    if (!has_language(language))
        return refuse_language(language);
    const struct rules_page *page = find_page(language, game->id);
    if (page == NULL) /* not translated yet */
        page = find_page("en", game->id);
    if (page == NULL)
        return cli_fail(CLI_FAILED, "there is no rules page for %s", game->id);
    char *bytes = malloc(ROOM);
    if (bytes == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    struct nonet_text text = nonet_text_in(bytes, ROOM);
    struct draw_text_style style = cli_text_style();
    struct markdown_style layout = {style.colour, style.unicode, output_width()};
    code = markdown_text(page->markdown, &layout, draw_diagram, &style, &text);
    if (code == CLI_DONE)
        code = text.cut ? cli_fail(CLI_FAILED, "the page is too long") : cli_output(bytes);
    free(bytes);
    return code;
}

const struct cli_command cli_rules = {
    .name = "rules",
    .usage = "GAME [--lang L]",
    .brief = "the rules of a game, with diagrams",
    .help = "  --lang L   the language of the page: en (the default), fr, de, nl or it\n",
    .run = run,
};
