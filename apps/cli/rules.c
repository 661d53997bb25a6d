/* nonet rules: the rules of a game for a person, with diagrams drawn in place. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/markdown.h"
#include "drawing.h"
#include "pages.h"
#include "words.h"

enum { WIDEST = 80, NARROWEST = 24 };

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

static int draw_diagram(void *context, int word_count, char **words, struct nonet_text *out) {
    return cli_draw_words(word_count, words, *(const struct draw_text_style *)context, out);
}

static int write_page(const struct nonet_game *game, struct draw_text_style style,
                      struct nonet_text *out) {
    const struct rules_page *page = find_page(cli_language_id(), game->id);
    if (page == NULL) /* not translated yet */
        page = find_page("en", game->id);
    if (page == NULL)
        return cli_fail(CLI_FAILED, "there is no rules page for %s", game->id);
    struct markdown_style layout = {style.colour, style.unicode, output_width()};
    return markdown_text(page->markdown, &layout, draw_diagram, &style, out);
}

int cli_rules_text(const struct nonet_game *game, bool unicode, struct nonet_text *out) {
    struct draw_text_style style = cli_text_style();
    style.colour = false;
    style.unicode = unicode;
    return write_page(game, style, out);
}

static int run(int argc, char **argv) {
    char **words;
    int count, code = cli_parse_words(argc, argv, &(struct cli_flag){0}, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count == 0)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    const struct nonet_game *game = cli_take_game(&words, &count);
    if (game == NULL)
        return CLI_USAGE;
    if (count > 0)
        return cli_fail(CLI_USAGE, "one game at a time: \"%s\" is one too many",
                        nonet_quote(words[0]).text);
    char *bytes = malloc(CLI_RULES_ROOM);
    if (bytes == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    struct nonet_text text = nonet_text_in(bytes, CLI_RULES_ROOM);
    code = write_page(game, cli_text_style(), &text);
    if (code == CLI_DONE)
        code = text.cut ? cli_fail(CLI_FAILED, "the page is too long") : cli_output(bytes);
    free(bytes);
    return code;
}

const struct cli_command cli_rules = {
    .name = "rules",
    .usage = "GAME [--lang L]",
    .brief = "the rules of a game, with diagrams",
    .help = "  --lang L   the language of the page: en, fr, de, nl or it; by default yours\n",
    .run = run,
};
