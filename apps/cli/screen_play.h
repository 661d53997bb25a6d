/* A game on the full screen. */
#ifndef NONET_CLI_SCREEN_PLAY_H
#define NONET_CLI_SCREEN_PLAY_H

#include "tabletop.h"

/* Plays until somebody leaves; returns the exit code. The screen is open, and is closed. */
int screen_play(struct tabletop *tabletop);

/* Asks for what the command line leaves open: a game, its options, who plays; or a game to go on
 * with, whose file is left in `path`. False if the person wants to leave. */
enum screen_choice { SCREEN_QUIT, SCREEN_NEW, SCREEN_RESUME };
enum screen_choice screen_menu(struct tabletop *tabletop, struct cli_arguments *arguments,
                               char path[TABLETOP_PATH]);

/* A text to read and scroll. */
void screen_page(struct terminal *terminal, const char *title, const char *text);

/* Writes a text into a part of the screen, broken between words; returns the rows that it took, at
 * most `rows`. */
int screen_paragraph(int row, int column, int rows, int columns, int emphasis, const char *text);

/* The bar at the top, and the line of keys at the bottom. */
void screen_frame(const char *title, const char *keys);

/* Whether the window is large enough; if not, it says so. */
bool screen_is_enough(void);

#endif
