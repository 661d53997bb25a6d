#include "screen.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#undef columns /* a macro of term.h */

#define CLICKS (BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED)

/* What belongs to ncurses' one screen. */
static struct {
    bool unicode, colour;
    short pairs;
    struct {
        short ink, paper;
    } of_pair[256];
} screen;

bool screen_possible(void) {
    const char *kind = getenv("TERM");
    int error;
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind != NULL && kind[0] != '\0' &&
           strcmp(kind, "dumb") != 0 && setupterm(NULL, STDOUT_FILENO, &error) == OK &&
           cursor_address != NULL;
}

bool screen_open(bool plain) {
    static bool begun;
    if (begun) {
        refresh();
        return true;
    }
    setlocale(LC_CTYPE, "");
    if (newterm(NULL, stdout, stdin) == NULL)
        return false;
    const char *no_colour = getenv("NO_COLOR");
    screen.unicode = !plain && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    screen.colour = !plain && (no_colour == NULL || no_colour[0] == '\0') && has_colors();
    screen.pairs = 0;
    if (screen.colour) {
        start_color();
        use_default_colors();
        screen.colour = COLORS >= 8;
    }
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    /* A drag is where the button went down, and where it came up. Both together are a click if
     * they arrive together, over a slow line. */
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | CLICKS | BUTTON4_PRESSED | BUTTON5_PRESSED,
              NULL);
    mouseinterval(0);
    /* Terminals that call themselves by another's name send some keys differently. */
    static const struct {
        const char *bytes;
        int key;
    } keys[] = {{"\033[1~", KEY_HOME}, {"\033[4~", KEY_END},  {"\033[H", KEY_HOME},
                {"\033[F", KEY_END},   {"\033[A", KEY_UP},    {"\033[B", KEY_DOWN},
                {"\033[C", KEY_RIGHT}, {"\033[D", KEY_LEFT},  {"\033OA", KEY_UP},
                {"\033OB", KEY_DOWN},  {"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (key_defined(keys[i].bytes) == 0)
            define_key(keys[i].bytes, keys[i].key);
    begun = true;
    return true;
}

void screen_close(void) {
    endwin();
}

bool screen_unicode(void) {
    return screen.unicode;
}

bool screen_colours(void) {
    return screen.colour;
}

void screen_size(int *rows, int *columns) {
    getmaxyx(stdscr, *rows, *columns);
}

/* ---- Colours ---- */

static void rgb_of(int colour, int rgb[3]) {
    if (colour >= 232) {
        rgb[0] = rgb[1] = rgb[2] = 8 + (colour - 232) * 10;
        return;
    }
    for (int i = 2, rest = colour - 16; i >= 0; i--, rest /= 6)
        rgb[i] = rest % 6 == 0 ? 0 : 55 + rest % 6 * 40;
}

/* A colour of the 256 as this terminal has it: the same, or the nearest of the first eight. */
static short colour_here(int colour) {
    if (colour < 16 || COLORS >= 256)
        return (short)colour;
    static const int eight[8][3] = {{0, 0, 0},   {205, 0, 0},   {0, 205, 0},   {205, 205, 0},
                                    {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229}};
    int rgb[3], best = 0, nearest = INT32_MAX;
    rgb_of(colour, rgb);
    for (int i = 0; i < 8; i++) {
        int distance = 0;
        for (int part = 0; part < 3; part++)
            distance += (rgb[part] - eight[i][part]) * (rgb[part] - eight[i][part]);
        if (distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return (short)best;
}

/* The pair of two colours; 0, the terminal's own, if there are no more pairs. */
static short pair_of(int ink, int paper) {
    short front = colour_here(ink), back = colour_here(paper);
    if (front == -1 && back == -1)
        return 0;
    /* Two colours that became one would hide what is written. */
    if (front == back)
        front = back == COLOR_BLACK || back == COLOR_BLUE ? COLOR_WHITE : COLOR_BLACK;
    for (short i = 0; i < screen.pairs; i++)
        if (screen.of_pair[i].ink == front && screen.of_pair[i].paper == back)
            return (short)(i + 1);
    if (screen.pairs == 255 || screen.pairs + 1 >= COLOR_PAIRS)
        return 0;
    screen.of_pair[screen.pairs].ink = front;
    screen.of_pair[screen.pairs].paper = back;
    init_pair(++screen.pairs, front, back);
    return screen.pairs;
}

static attr_t attributes_of(int emphasis) {
    return (emphasis & SCREEN_BOLD ? A_BOLD : 0) | (emphasis & SCREEN_REVERSE ? A_REVERSE : 0) |
           (emphasis & SCREEN_UNDERLINE ? A_UNDERLINE : 0) | (emphasis & SCREEN_DIM ? A_DIM : 0);
}

/* ---- Drawing ---- */

void screen_clear(void) {
    erase();
}

void screen_glyph(int row, int column, struct draw_glyph glyph, int emphasis) {
    wchar_t text[2] = {glyph.code, L'\0'};
    cchar_t cell;
    short pair = screen.colour ? pair_of(glyph.ink, glyph.paper) : 0;
    setcchar(&cell, text, attributes_of(emphasis | (glyph.bold ? SCREEN_BOLD : 0)), pair, NULL);
    mvadd_wch(row, column, &cell);
}

/* The next character of a text in UTF-8; what is no character is a question mark. */
static char32_t next_character(const char **text) {
    const unsigned char *byte = (const unsigned char *)*text;
    int more = byte[0] < 0x80 ? 0 : byte[0] < 0xe0 ? 1 : byte[0] < 0xf0 ? 2 : 3;
    char32_t code = more == 0 ? byte[0] : byte[0] & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            *text += i;
            return '?';
        }
        code = code << 6 | (byte[i] & 0x3f);
    }
    *text += more + 1;
    return code < ' ' || code == 0x7f ? '?' : code;
}

int screen_width(const char *text) {
    int width = 0;
    for (; *text != '\0'; width++)
        next_character(&text);
    return width;
}

int screen_text(int row, int column, int room, int emphasis, const char *text) {
    char ascii[2048];
    struct nonet_text plain = NONET_TEXT_IN(ascii);
    if (!screen.unicode) {
        nonet_text_ascii(&plain, text, strlen(text));
        text = ascii;
    }
    enum { WORDS = 20 };
    int width = 0;
    while (*text != '\0' && width < room) {
        char32_t code = next_character(&text);
        if (room >= WORDS && width == room - 1 && *text != '\0')
            code = screen.unicode ? U'…' : U'~';
        struct draw_glyph glyph = {code < 0x10000 ? (char16_t)code : u'?', DRAW_DEFAULT,
                                   DRAW_DEFAULT, false};
        screen_glyph(row, column + width++, glyph, emphasis);
    }
    return width;
}

void screen_show(int row, int column) {
    curs_set(row >= 0);
    if (row >= 0)
        move(row, column);
    refresh();
}

/* ---- Input ---- */

static int key_here(int key) {
    switch (key) {
    case KEY_UP:
        return SCREEN_UP;
    case KEY_DOWN:
        return SCREEN_DOWN;
    case KEY_LEFT:
        return SCREEN_LEFT;
    case KEY_RIGHT:
        return SCREEN_RIGHT;
    case KEY_BACKSPACE:
    case KEY_DC:
    case 0x7f:
    case '\b':
        return SCREEN_BACK;
    case KEY_PPAGE:
        return SCREEN_PAGE_UP;
    case KEY_NPAGE:
        return SCREEN_PAGE_DOWN;
    case KEY_HOME:
        return SCREEN_HOME;
    case KEY_END:
        return SCREEN_END;
    case KEY_BTAB:
        return SCREEN_BACK_TAB;
    case KEY_ENTER:
    case '\r':
        return SCREEN_ENTER;
    default:
        return key;
    }
}

static struct screen_event mouse_event(void) {
    MEVENT mouse;
    struct screen_event event = {.kind = SCREEN_NOTHING};
    if (getmouse(&mouse) != OK)
        return event;
    event.row = mouse.y;
    event.column = mouse.x;
    if (mouse.bstate & (BUTTON1_PRESSED | CLICKS))
        event.kind = SCREEN_PRESS;
    else if (mouse.bstate & BUTTON1_RELEASED)
        event.kind = SCREEN_RELEASE;
    else if (mouse.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
        event = (struct screen_event){SCREEN_WHEEL, mouse.bstate & BUTTON4_PRESSED ? 1 : -1,
                                      mouse.y, mouse.x};
    return event;
}

struct screen_event screen_wait(struct terminal *terminal, int milliseconds) {
    wint_t key;
    int got = get_wch(&key);
    if (got == ERR) {
        bool ready = terminal_await(terminal, milliseconds);
        got = get_wch(&key);
        /* Where the terminal is gone, reading fails at once, and would do so for ever. */
        if (got == ERR && ready && terminal_signal(terminal) == 0)
            terminal_hang_up(terminal);
    }
    if (got == ERR)
        return (struct screen_event){.kind = SCREEN_NOTHING};
    if (got == KEY_CODE_YES && key == KEY_RESIZE)
        return (struct screen_event){.kind = SCREEN_RESIZED};
    if (got == KEY_CODE_YES && key == KEY_MOUSE)
        return mouse_event();
    return (struct screen_event){.kind = SCREEN_KEY, .key = key_here((int)key)};
}
