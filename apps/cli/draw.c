/* nonet draw: a position as text or as an SVG picture. */
#include <stdlib.h>

#include "cli.h"
#include "common/draw_svg.h"
#include "common/draw_text.h"

static int run(int argc, char **argv) {
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
    uint64_t seat = 0;
    if (as != NULL && (!cli_number(as, arguments.options.players, &seat) || seat == 0))
        return cli_fail(CLI_USAGE, "--as cannot be \"%s\"; it is a player from 1 to %d",
                        nonet_quote(as).text, arguments.options.players);
    struct nonet_session *session =
        cli_open(&arguments, arguments.words, arguments.word_count, &code);
    if (session == NULL)
        return code;
    size_t room = svg ? DRAW_SVG_ROOM : DRAW_TEXT_ROOM;
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    char *bytes = malloc(room);
    if (scene != NULL && bytes != NULL) {
        const struct nonet_options *options = nonet_session_options(session);
        if (seat != 0)
            nonet_scene_for(options, nonet_session_state(session), (int)seat, scene);
        else
            options->game->scene(options, nonet_session_state(session), scene);
        struct nonet_text text = nonet_text_in(bytes, room);
        if (svg) {
            draw_svg(scene, &(struct draw_svg_style){options->game->title, true, NULL}, &text);
        } else {
            struct draw_text_style style = draw_text_style_of_output();
            if (ascii)
                style.unicode = style.colour = false;
            draw_text(scene, &style, &text);
        }
        code = text.cut ? cli_fail(CLI_FAILED, "the drawing is too large") : cli_output(bytes);
    } else {
        code = cli_fail(CLI_FAILED, "there is no memory left");
    }
    free(bytes);
    free(scene);
    nonet_session_free(session);
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
