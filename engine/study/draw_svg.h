/* A scene as an SVG picture, with no code for any particular game.
 *
 * The view is from above, tilted just enough that a piece shows its front side. So its height can
 * be seen, and every level of a pile. Each material is a pattern of wood. Light falls from the
 * upper left. The page is transparent; the board and the trays with the hands have their own
 * background. The same scene always gives the same bytes; there are no scripts, filters or outside
 * references. */
#ifndef NONET_STUDY_DRAW_SVG_H
#define NONET_STUDY_DRAW_SVG_H

#include "../rules/scene.h"

struct draw_svg_style {
    const char *title; /* what it is a picture of, for those who cannot see it */
    bool coordinates;  /* file letters and rank numbers on the frame */
    const struct nonet_catalogue *catalogue; /* the language of the labels; null for English */
};

/* Enough bytes for any picture. */
enum { DRAW_SVG_ROOM = 1 << 19 };

void draw_svg(const struct nonet_scene *scene, const struct draw_svg_style *style,
              struct nonet_text *out);

#endif
