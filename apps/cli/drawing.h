/* Drawing the position that words describe: what `nonet draw` does, and every diagram of the rules.
 */
#ifndef NONET_CLI_DRAWING_H
#define NONET_CLI_DRAWING_H

#include "cli.h"
#include "study/draw_text.h"

/* Takes the words that follow `nonet draw`, which it may rearrange. Appends the drawing in this
 * style, or the picture if --svg is among the words. CLI_DONE, or the exit code after an error. */
int cli_draw_words(int argc, char **argv, struct draw_text_style style, struct nonet_text *out);

/* No drawing or picture needs more bytes. */
enum { CLI_DRAW_ROOM = 1 << 19 };

/* What the standard output can show: colour on a terminal unless NO_COLOR is set, Unicode where the
 * locale's encoding is UTF-8. Coordinates are on. */
struct draw_text_style cli_text_style(void);

/* The rules of a game in the language that is spoken, without colours: CLI_DONE, or the exit code.
 */
enum { CLI_RULES_ROOM = 1 << 20 };
int cli_rules_text(const struct nonet_game *game, bool unicode, struct nonet_text *out);

#endif
