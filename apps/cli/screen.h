/* The terminal as a full screen: glyphs in colours, keys, and a mouse. Only screen.c knows ncurses.
 *
 * Colours come down from 256 to eight to none, as the terminal can; texts come down to ASCII where
 * its encoding is not UTF-8. */
#ifndef NONET_CLI_SCREEN_H
#define NONET_CLI_SCREEN_H

#include "study/draw_text.h"
#include "terminal.h"

/* How something is emphasised; also on a terminal without colours. */
enum {
    SCREEN_BOLD = 1,
    SCREEN_REVERSE = 2,
    SCREEN_UNDERLINE = 4,
    SCREEN_DIM = 8,
};

enum screen_kind {
    SCREEN_NOTHING, /* the time is up, or a signal came */
    SCREEN_KEY,
    SCREEN_PRESS,
    SCREEN_RELEASE,
    SCREEN_WHEEL, /* key: 1 away from the hand, -1 towards it */
    SCREEN_RESIZED,
};

/* Keys without a character. */
enum {
    SCREEN_UP = 0x110000,
    SCREEN_DOWN,
    SCREEN_LEFT,
    SCREEN_RIGHT,
    SCREEN_BACK, /* Backspace */
    SCREEN_PAGE_UP,
    SCREEN_PAGE_DOWN,
    SCREEN_HOME,
    SCREEN_END,
    SCREEN_BACK_TAB,
    SCREEN_ESCAPE = 27,
    SCREEN_ENTER = '\n',
};

struct screen_event {
    enum screen_kind kind;
    int key;
    int row, column; /* of the mouse */
};

/* Whether this terminal can be used as a screen. */
bool screen_possible(void);

/* Begins; false if the terminal cannot do it after all. With `plain` no colours and only ASCII. The
 * terminal must have been opened before, without an editor. */
bool screen_open(bool plain);
void screen_close(void);

bool screen_unicode(void);
bool screen_colours(void);
void screen_size(int *rows, int *columns);

void screen_clear(void);
void screen_glyph(int row, int column, struct draw_glyph glyph, int emphasis);
/* Text in UTF-8, at most so many columns wide. What is longer ends with a sign for that, where it
 * is words and not a few letters. Returns the columns it took. */
int screen_text(int row, int column, int room, int emphasis, const char *text);
/* The columns that a text takes. */
int screen_width(const char *text);
/* Shows what was drawn, with the cursor there; negative: without a cursor. */
void screen_show(int row, int column);

/* Waits for the next event, or for so many milliseconds (-1: for ever). */
struct screen_event screen_wait(struct terminal *terminal, int milliseconds);

#endif
