/* nonet draw: a position as text or as an SVG picture. */
#include <assert.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drawing.h"
#include "study/draw_svg.h"

static_assert((int)CLI_DRAW_ROOM >= (int)DRAW_SVG_ROOM && (int)CLI_DRAW_ROOM >= (int)DRAW_TEXT_ROOM,
              "room for either");

/* `seat` is 0 for a viewer who may see everything. */
static int draw_session(const struct nonet_session *session, int seat, bool svg,
                        const struct draw_text_style *style, struct nonet_text *out) {
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    const struct nonet_options *options = nonet_session_options(session);
    if (seat != 0)
        nonet_scene_for(options, nonet_session_state(session), seat, scene);
    else
        options->game->scene(options, nonet_session_state(session), scene);
    if (svg)
        draw_svg(scene, &(struct draw_svg_style){options->game->title, true, NULL}, out);
    else
        draw_text(scene, style, out);
    free(scene);
    return out->cut ? cli_fail(CLI_FAILED, "the drawing is too large") : CLI_DONE;
}

struct draw_text_style cli_text_style(void) {
    setlocale(LC_CTYPE, "");
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool plain_terminal = (no_colour != NULL && no_colour[0] != '\0') || terminal == NULL ||
                          strcmp(terminal, "dumb") == 0;
    return (struct draw_text_style){
        .colour = !plain_terminal && isatty(STDOUT_FILENO),
        .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .coordinates = true,
        .catalogue = host_language,
    };
}

int cli_draw_words(int argc, char **argv, struct draw_text_style style, struct nonet_text *out) {
    const char *as = NULL;
    bool svg = false, ascii = false;
    const struct cli_flag flags[] = {
        {"--as", &as, NULL}, {"--svg", NULL, &svg}, {"--ascii", NULL, &ascii}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    if (svg && ascii)
        return cli_fail(CLI_USAGE, "--svg and --ascii exclude each other");
    int seat;
    code = cli_seat(as, arguments.options.players, &seat);
    if (code != CLI_DONE)
        return code;
    struct nonet_session *session =
        cli_open(&arguments, arguments.words, arguments.word_count, &code);
    if (session == NULL)
        return code;
    if (ascii)
        style.unicode = style.colour = false;
    code = draw_session(session, seat, svg, &style, out);
    nonet_session_free(session);
    return code;
}

static int run(int argc, char **argv) {
    char *bytes = malloc(CLI_DRAW_ROOM);
    if (bytes == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    struct nonet_text text = nonet_text_in(bytes, CLI_DRAW_ROOM);
    int code = cli_draw_words(argc, argv, cli_text_style(), &text);
    if (code == CLI_DONE)
        code = cli_output(bytes);
    free(bytes);
    return code;
}

const struct cli_command cli_draw = {
    .name = "draw",
    .usage = "GAME [-o key=value]… [--from TEXT] [--as N] [--svg | --ascii] [MOVE]…",
    .brief = "a position as text, or as an SVG picture",
    .help = "  -o key=value   set an option of the game; nonet games lists them\n"
            "  --from TEXT    begin at this position\n"
            "  --as N         draw only what player N may know\n"
            "  --svg          a picture instead of text\n"
            "  --ascii        plain ASCII without colours\n",
    .run = run,
};
