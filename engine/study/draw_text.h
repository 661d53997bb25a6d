/* A scene as text for a terminal, with no code for any particular game.
 *
 * Boards are grids with file letters and rank numbers. A piece is its mark on the colour of its
 * material. A piece that covers several cells is an outlined block with its height. A pile is a
 * column of marks that grows upwards. Surfaces without cells are drawn dot by dot. Hands are listed
 * below. The drawing is never wider than 80 columns. */
#ifndef NONET_STUDY_DRAW_TEXT_H
#define NONET_STUDY_DRAW_TEXT_H

#include "../rules/scene.h"

struct draw_text_style {
    bool colour;      /* ANSI escapes for 256 colours, legible on light and dark */
    bool unicode;     /* lines and blocks in UTF-8; else only ASCII */
    bool coordinates; /* file letters and rank numbers around the board */
    const struct nonet_catalogue *catalogue; /* the language of the labels; null for English */
};

/* Enough bytes for any drawing. */
enum { DRAW_TEXT_ROOM = 1 << 18 };

/* Appends the drawing. Every line ends with a newline. */
void draw_text(const struct nonet_scene *scene, const struct draw_text_style *style,
               struct nonet_text *out);

#endif
