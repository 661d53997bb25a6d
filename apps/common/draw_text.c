#include "common/draw_text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void draw_text(const struct nonet_scene *scene, const struct draw_text_style *style,
               struct nonet_text *out) {
    (void)scene, (void)style;
    nonet_text_add(out, "\n");
}

struct draw_text_style draw_text_style_of_output(void) {
    setlocale(LC_CTYPE, "");
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool plain = (no_colour != NULL && no_colour[0] != '\0') || terminal == NULL ||
                 strcmp(terminal, "dumb") == 0;
    return (struct draw_text_style){
        .colour = !plain && isatty(STDOUT_FILENO),
        .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .coordinates = true,
    };
}
