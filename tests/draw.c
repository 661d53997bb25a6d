/* The drawings of every game, option and viewer, at random positions up to the end. Text is
 * complete and as wide as promised; pictures are well-formed, complete and the same each time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "cli/markdown.h"
#include "rules/hidden.h"
#include "rules/notation.h"
#include "study/draw_svg.h"
#include "study/draw_text.h"
#include "variants.h"

enum { GAMES = 2, LONGEST = 150 };

static char text_bytes[DRAW_TEXT_ROOM], picture[2][DRAW_SVG_ROOM];

/* Every line fits into 80 columns, and only bytes that the style allows are used. */
static void check_text(const char *text, const struct draw_text_style *style, const char *name) {
    int columns = 0;
    for (const char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '\033') {
            CHECK(style->colour, "%s: an escape without colours", name);
            c += strcspn(c, "m");
            CHECK(*c == 'm', "%s: an escape without end", name);
        } else if (byte == '\n') {
            columns = 0;
        } else {
            CHECK(byte >= 0x20 && byte != 0x7f, "%s: byte %d", name, byte);
            CHECK(style->unicode || byte < 0x80, "%s: byte %d is not ASCII", name, byte);
            columns += (byte & 0xc0) != 0x80;
            CHECK(columns <= 80, "%s: a line is too long:\n%s", name, text);
        }
    }
}

static void check_texts(const struct nonet_scene *scene, const char *name) {
    for (int mode = 0; mode < 8; mode++) {
        struct draw_text_style style = {
            .colour = mode & 1, .unicode = mode & 2, .coordinates = mode & 4};
        struct nonet_text text = NONET_TEXT_IN(text_bytes);
        draw_text(scene, &style, &text);
        CHECK(!text.cut, "%s: cut", name);
        CHECK(text.length > 0 && text.bytes[text.length - 1] == '\n', "%s: no end", name);
        check_text(text_bytes, &style, name);
    }
}

/* Tags are balanced, attributes quoted, entities known, numbers finite. */
static void check_well_formed(const char *xml, const char *name) {
    const char *open[32];
    size_t length[32];
    int depth = 0;
    for (const char *c = xml; *c != '\0'; c++) {
        if (*c == '&') {
            CHECK(strncmp(c, "&amp;", 5) == 0 || strncmp(c, "&lt;", 4) == 0 ||
                      strncmp(c, "&gt;", 4) == 0 || strncmp(c, "&quot;", 6) == 0,
                  "%s: %.20s", name, c);
            continue;
        }
        CHECK(*c != '>', "%s: > outside a tag", name);
        CHECK((unsigned char)*c >= 0x20 || *c == '\n', "%s: byte %d", name, *c);
        if (*c != '<')
            continue;
        bool closes = c[1] == '/';
        const char *tag = c + 1 + closes;
        size_t tag_length = strspn(tag, "abcdefghijklmnopqrstuvwxyzG");
        CHECK(tag_length > 0, "%s: %.20s", name, c);
        bool quoted = false;
        for (c = tag + tag_length; *c != '\0' && (quoted || *c != '>'); c++) {
            quoted ^= *c == '"';
            CHECK(*c != '<', "%s: < inside a tag", name);
        }
        CHECK(*c == '>', "%s: a tag without end", name);
        if (closes) {
            depth--;
            CHECK(depth >= 0 && length[depth] == tag_length &&
                      strncmp(open[depth], tag, tag_length) == 0,
                  "%s: </%.*s> closes nothing", name, (int)tag_length, tag);
        } else if (c[-1] != '/') {
            CHECK(depth < 32, "%s: too deep", name);
            open[depth] = tag;
            length[depth++] = tag_length;
        }
    }
    CHECK(depth == 0, "%s: %d tags stay open", name, depth);
    CHECK(strstr(xml, "nan") == NULL && strstr(xml, "inf") == NULL, "%s: no number", name);
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *c = text; (c = strstr(c, part)) != NULL; c++)
        count++;
    return count;
}

static void check_picture(const struct nonet_scene *scene, const char *name) {
    struct draw_svg_style style = {name, true, NULL};
    for (int i = 0; i < 2; i++) {
        memset(picture[i], 'x' + i, sizeof picture[i] - 1);
        struct nonet_text text = NONET_TEXT_IN(picture[i]);
        draw_svg(scene, &style, &text);
        CHECK(!text.cut, "%s: cut", name);
    }
    CHECK(strcmp(picture[0], picture[1]) == 0, "%s: differs from itself", name);
    check_well_formed(picture[0], name);
    int named = 0;
    for (int i = 0; i < scene->place_count; i++) {
        const struct nonet_place *place = &scene->places[i];
        if (place->kind != NONET_CELL && place->kind != NONET_FLOOR)
            continue;
        char attribute[64];
        snprintf(attribute, sizeof attribute, " data-place=\"%s\" ", place->name);
        CHECK(count_of(picture[0], attribute) == 1, "%s: %s", name, place->name);
        named++;
    }
    CHECK(count_of(picture[0], " data-place=") == named, "%s: other places", name);
    CHECK(count_of(picture[0], "<g><title>") == scene->piece_count, "%s: pieces", name);
}

static void check_position(const struct nonet_options *options, const void *state,
                           struct nonet_scene *scene) {
    const char *name = variant_name(options);
    int viewers = options->game->hidden != NULL ? options->players : 0;
    for (int viewer = -1; viewer <= viewers; viewer++) {
        memset(scene, 0, sizeof *scene);
        if (viewer < 0)
            options->game->scene(options, state, scene);
        else
            nonet_scene_for(options, state, viewer, scene);
        check_texts(scene, name);
        check_picture(scene, name);
    }
}

/* The start, the end, and some positions between. */
static void check_game(void **fixture) {
    const struct nonet_options *options = *fixture;
    const struct nonet_game *game = options->game;
    struct nonet_random random = {5};
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    struct legal *legal = calloc(1, sizeof *legal);
    void *workspace = new_workspace(game);
    for (int i = 0; i < GAMES; i++) {
        struct nonet_state state;
        game->start(options, &state, workspace);
        for (int ply = 0; ply < LONGEST && game->turn(options, &state) != 0; ply++) {
            if (ply == 0 || nonet_random_below(&random, 6) == 0)
                check_position(options, &state, scene);
            list_legal(options, &state, workspace, &random, legal);
            game->play(options, &state, workspace,
                       legal->moves[nonet_random_below(&random, (uint32_t)legal->count)]);
        }
        check_position(options, &state, scene);
    }
    free(workspace);
    free(legal);
    free(scene);
}

/* Whatever a title, a name or a label holds, it stays text. */
static void check_escaping(void **fixture) {
    (void)fixture;
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    nonet_scene_board(scene, 1, 1);
    struct nonet_piece *piece = nonet_scene_on_cell(scene, 0, NONET_TILE, NONET_MAPLE);
    memcpy(piece->mark, "<&\"", 4);
    piece->label = nonet_say(&nonet_common[NONET_SAY_PLAIN], nonet_quote("</title>&<b a=\"1\">"));
    check_picture(scene, "<script>&\"'");
    CHECK(strstr(picture[0], "<script") == NULL && strstr(picture[0], "<b") == NULL, "unescaped");
    free(scene);
}

/* A board wider than a game may have is not drawn, and does no harm. */
static void check_wide_board(void **fixture) {
    (void)fixture;
    static char drawn[1 << 16];
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    nonet_scene_board(scene, NONET_MAX_SIDE + 2, 1);
    assert_true(scene->cut);
    struct nonet_text text = NONET_TEXT_IN(drawn);
    draw_text(scene, &(struct draw_text_style){.coordinates = true}, &text);
    assert_null(strchr(drawn, '+'));
    free(scene);
}

static int show_words(void *context, int count, char **words, struct nonet_text *out) {
    *(int *)context += count;
    for (int i = 0; i < count; i++)
        nonet_text_format(out, "<%s>", words[i]);
    nonet_text_char(out, '\n');
    return words[count] == NULL ? 0 : 1;
}

static void check_markdown(void **fixture) {
    (void)fixture;
    static const struct {
        const char *markdown, *plain, *colour;
        int width;
    } cases[] = {
        {"# A *b*\n\ntext\n", "A b\n===\n\ntext\n",
         "\033[0;1mA \033[0;1;3mb\033[0;1m\033[0m\n===\n\ntext\n", 80},
        {"one two\nthree\n", "one\ntwo\nthree\n", "one\ntwo\nthree\n", 5},
        {"- one two\n  three\n- `x y`\n", "- one\n  two\n  three\n- `x y`\n",
         "- one\n  two\n  three\n- \033[0;1mx y\033[0m\n", 8},
        {"| a | b |\n|---|---|\n| `p|q` | r s |\n", "a      b\n-----  --\n`p|q`  r\n       s\n",
         NULL, 9},
        {"4×4 – “so”\n", "4x4 - \"so\"\n", NULL, 80},
        {"snake_case 2*3 _em_\n", "snake_case 2*3 em\n", NULL, 80},
        {"[here](http://x.y) [there](a.md)\n", "here (http://x.y) there\n", NULL, 80},
        {"<!-- draw: g -o k=v --from \"a b\" c -->\n![what](x.svg)\n",
         "<g><-o><k=v><--from><a b><c>\n\n   what\n", NULL, 80},
        {"<!-- hidden\nlines -->\nshown\n", "shown\n", NULL, 80},
        {"```\n  a  b\n```\nc\n", "      a  b\nc\n", NULL, 80},
        {"<!-- draw: ", "", NULL, 80},
        {"![", "", NULL, 80},
        {"#", "#\n", NULL, 80},
        {"###  ab\n", "ab\n", NULL, 80},
        {"| a", "a\n-\n", NULL, 80},
        {"wonderful", "wond\nerfu\nl\n", NULL, 4},
        {"[a)", "[a)\n", NULL, 80},
        {"[a](http", "[a](http\n", NULL, 80},
        {"| [a)|http |\n", "[a)  http\n---  ----\n", NULL, 80},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int colour = 0; colour < 2; colour++) {
            const char *expected = colour ? cases[i].colour : cases[i].plain;
            if (expected == NULL)
                continue;
            struct markdown_style style = {colour, false, cases[i].width};
            struct nonet_text text = NONET_TEXT_IN(text_bytes);
            int words = 0;
            int code = markdown_text(cases[i].markdown, &style, show_words, &words, &text);
            CHECK(code == 0 && !text.cut, "case %d", (int)i);
            CHECK(strcmp(text_bytes, expected) == 0, "case %d:\n%s", (int)i, text_bytes);
        }
}

/* Pages that end anywhere, or have anything in the middle, are read to their end and no further.
 * Sanitizers notice this, as each page has a block of exactly its size. */
static void check_markdown_ends(void **fixture) {
    (void)fixture;
    static const char page[] =
        "# A *b* `c`\n\n12. [a](http://x) ![b](c) [d) _e_ \\* **f**\n- g\n> h\n> i\n"
        "| [a)|http | `p|q` |\n|---|---|\n| \\| | é |\n```\n x\n```\n"
        "<!-- draw: g \"a b\" -->\n![what](x.svg)\n<!-- k -->\n4×4 “so” ✗\n";
    static const char signs[] = "#*_`[]()!|-> \n\\<\"0.\xc3\x97\1";
    char *copy = malloc(sizeof page), *ending;
    assert_non_null(copy);
    for (size_t end = 0; end < sizeof page; end++)
        for (size_t sign = 0; sign < sizeof signs; sign++) {
            /* At the end stands each sign once, or the page as it was. */
            memcpy(copy, page, end);
            if (end > 0 && signs[sign] != '\0')
                copy[end - 1] = signs[sign];
            ending = malloc(end + 1);
            assert_non_null(ending);
            memcpy(ending, copy, end);
            ending[end] = '\0';
            for (int looks = 0; looks < 4; looks++) {
                struct markdown_style style = {looks & 1, looks >> 1, 1 + (int)(end % 90)};
                struct nonet_text text = NONET_TEXT_IN(text_bytes);
                int words = 0;
                markdown_text(ending, &style, show_words, &words, &text);
                CHECK(!text.cut, "%zu bytes ending with %d", end, signs[sign]);
            }
            free(ending);
        }
    free(copy);
}

/* A board larger than any text, and cells beside the board: a bad game shows too little, and harms
 * nobody. */
static void check_impossible_boards(void **unused) {
    (void)unused;
    static struct nonet_scene scene;
    static const int32_t beside[][2] = {{-1, 0}, {0, -1}, {4, 0}, {0, 4}, {30000, 30000}};
    memset(&scene, 0, sizeof scene);
    nonet_scene_board(&scene, 17, 3);
    const struct draw_text_style style = {.coordinates = true};
    struct nonet_text text = NONET_TEXT_IN(text_bytes);
    draw_text(&scene, &style, &text);
    assert_int_equal(text.length, 0);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        memset(&scene, 0, sizeof scene);
        nonet_scene_board(&scene, 4, 4);
        scene.places[5].x = beside[i][0] * NONET_UNIT;
        scene.places[5].y = beside[i][1] * NONET_UNIT;
        check_texts(&scene, "a cell beside the board");
    }
}

int main(int argc, char **argv) {
    enum { MOST_TESTS = 256 };
    static struct CMUnitTest tests[MOST_TESTS];
    static struct nonet_options variants[MOST_TESTS];
    size_t count = 0;
    tests[count++] = (struct CMUnitTest){"escaping", check_escaping, NULL, NULL, NULL};
    tests[count++] = (struct CMUnitTest){"wide board", check_wide_board, NULL, NULL, NULL};
    tests[count++] = (struct CMUnitTest){"markdown", check_markdown, NULL, NULL, NULL};
    tests[count++] = (struct CMUnitTest){"markdown-ends", check_markdown_ends, NULL, NULL, NULL};
    tests[count++] = (struct CMUnitTest){"impossible", check_impossible_boards, NULL, NULL, NULL};
    int used = 0;
    for (int i = 0; i < nonet_game_count_with_template; i++) {
        if (argc > 1 && strcmp(argv[1], nonet_games[i]->id) != 0)
            continue;
        CHECK(used + MOST_VARIANTS <= MOST_TESTS, "more variants than there is room for");
        int found = variants_of(nonet_games[i], 1, variants + used);
        for (int v = 0; v < found; v++, used++)
            tests[count++] =
                (struct CMUnitTest){nonet_games[i]->id, check_game, NULL, NULL, &variants[used]};
    }
    return _cmocka_run_group_tests("draw", tests, count, NULL, NULL);
}
