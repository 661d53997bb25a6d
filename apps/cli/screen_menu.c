/* What is on the full screen besides a game: pages to read, and the questions before a game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "screen.h"
#include "screen_play.h"
#include "words.h"

enum { LEAST_ROWS = 20, LEAST_COLUMNS = 64, MOST_ROWS = 24 };

int screen_paragraph(int row, int column, int rows, int columns, int emphasis, const char *text) {
    int used = 0;
    while (*text != '\0' && used < rows && columns > 0) {
        /* As many words as fit; a word that is longer than the line is broken. */
        size_t take = strcspn(text, "\n"), fits = 0;
        char line[1024];
        for (size_t i = 0; i <= take && i < sizeof line - 1; i++) {
            if (i < take && text[i] != ' ')
                continue;
            snprintf(line, sizeof line, "%.*s", (int)i, text);
            if (screen_width(line) > columns)
                break;
            fits = i;
        }
        if (fits == 0 && take > 0) {
            fits = take < (size_t)columns ? take : (size_t)columns;
            while (fits > 1 && ((unsigned char)text[fits] & 0xc0) == 0x80)
                fits--;
        }
        /* In the last row what is left is cut off, with a sign for that. */
        bool last = used == rows - 1;
        snprintf(line, sizeof line, "%.*s", last ? (int)take : (int)fits, text);
        screen_text(row + used++, column, columns, emphasis, line);
        text += fits;
        if (*text == '\n')
            text++;
        else
            text += strspn(text, " ");
    }
    return used;
}

void screen_frame(const char *title, const char *keys) {
    int rows, columns;
    char blank[512];
    screen_size(&rows, &columns);
    memset(blank, ' ', sizeof blank);
    blank[columns < (int)sizeof blank ? columns : (int)sizeof blank - 1] = '\0';
    screen_text(0, 0, columns, SCREEN_REVERSE, blank);
    screen_text(0, 0, columns, SCREEN_REVERSE | SCREEN_BOLD, title);
    screen_text(rows - 1, 0, columns - 1, SCREEN_DIM, keys);
}

bool screen_is_enough(void) {
    int rows, columns;
    screen_size(&rows, &columns);
    if (rows >= LEAST_ROWS && columns >= LEAST_COLUMNS)
        return true;
    char bytes[256];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text,
              nonet_say(&cli_words[WORD_TOO_SMALL], nonet_number(columns), nonet_number(rows),
                        nonet_number(LEAST_COLUMNS), nonet_number(LEAST_ROWS)));
    screen_clear();
    screen_paragraph(0, 0, rows, columns, 0, bytes);
    screen_show(-1, 0);
    return false;
}

/* ---- A page to read ---- */

/* The rows that a text takes if it is broken to fit. */
static int draw_page(const char *text, int skip, int rows, int columns) {
    int count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        /* Only what is in view is drawn; of the rest, the rows are counted. */
        int row = count - skip;
        int took = row >= 0 && row < rows
                       ? screen_paragraph(1 + row, 1, rows - row, columns - 2, 0, line)
                       : (screen_width(line) + columns - 3) / (columns - 2);
        count += took > 0 ? took : 1;
        text += length + (text[length] == '\n');
    }
    return count;
}

void screen_page(struct terminal *terminal, const char *title, const char *text) {
    char keys[256];
    struct nonet_text words = NONET_TEXT_IN(keys);
    cli_write(&words, nonet_say(&cli_words[WORD_KEYS_PAGE]));
    for (int skip = 0; terminal_signal(terminal) == 0;) {
        int rows, columns, count = 0;
        screen_clear();
        screen_size(&rows, &columns);
        if (screen_is_enough()) {
            count = draw_page(text, skip, rows - 2, columns);
            screen_frame(title, keys);
            screen_show(-1, 0);
        }
        struct screen_event event = screen_wait(terminal, -1);
        if (event.kind == SCREEN_WHEEL)
            skip -= event.key * 3;
        if (event.kind == SCREEN_KEY)
            switch (event.key) {
            case SCREEN_UP:
                skip--;
                break;
            case SCREEN_DOWN:
                skip++;
                break;
            case SCREEN_PAGE_UP:
                skip -= rows - 3;
                break;
            case SCREEN_PAGE_DOWN:
            case ' ':
                skip += rows - 3;
                break;
            case SCREEN_HOME:
                skip = 0;
                break;
            case SCREEN_END:
                skip = count;
                break;
            case SCREEN_ESCAPE:
            case SCREEN_ENTER:
            case 'q':
                return;
            default:
                break;
            }
        if (skip > count - (rows - 2))
            skip = count - (rows - 2);
        if (skip < 0)
            skip = 0;
    }
}

/* ---- Lists and forms ---- */

struct row {
    char text[200];
    char about[300]; /* told below the rows, while it is chosen */
};

/* Draws rows with one of them chosen, and returns the event. Clicking a row chooses it, and counts
 * as Enter. */
static struct screen_event show_rows(struct terminal *terminal, const char *title, const char *keys,
                                     const struct row *rows, int count, int *chosen) {
    int height, columns;
    screen_clear();
    screen_size(&height, &columns);
    if (screen_is_enough()) {
        screen_frame(title, keys);
        for (int i = 0; i < count; i++)
            screen_text(2 + i, 2, columns - 4, i == *chosen ? SCREEN_REVERSE : 0, rows[i].text);
        screen_paragraph(3 + count, 2, height - 5 - count, columns - 4, 0, rows[*chosen].about);
        screen_show(2 + *chosen, 2);
    }
    struct screen_event event = screen_wait(terminal, -1);
    if (event.kind == SCREEN_PRESS && event.row >= 2 && event.row < 2 + count) {
        *chosen = event.row - 2;
        event = (struct screen_event){.kind = SCREEN_KEY, .key = SCREEN_ENTER};
    }
    if (event.kind == SCREEN_KEY && event.key == SCREEN_UP)
        *chosen = (*chosen + count - 1) % count;
    if (event.kind == SCREEN_KEY && (event.key == SCREEN_DOWN || event.key == '\t'))
        *chosen = (*chosen + 1) % count;
    return event;
}

/* One of the rows, or -1. */
static int choose(struct terminal *terminal, const char *title, const struct row *rows, int count,
                  int chosen) {
    char keys[256];
    struct nonet_text words = NONET_TEXT_IN(keys);
    cli_write(&words, nonet_say(&cli_words[WORD_KEYS_MENU]));
    while (terminal_signal(terminal) == 0) {
        struct screen_event event = show_rows(terminal, title, keys, rows, count, &chosen);
        if (event.kind != SCREEN_KEY)
            continue;
        if (event.key == SCREEN_ENTER || event.key == ' ')
            return chosen;
        if (event.key == 'q' || event.key == SCREEN_ESCAPE)
            return -1;
        if (event.key >= '1' && event.key <= '9' && event.key - '1' < count)
            return event.key - '1';
    }
    return -1;
}

/* The value after this one among "a|b|c", or before it. */
static void next_value(const struct nonet_option *option, int step, char value[NONET_OPTION_TEXT]) {
    char values[16][NONET_OPTION_TEXT];
    int count = 0, at = 0;
    for (const char *next = option->values; next != NULL && count < 16; count++) {
        snprintf(values[count], NONET_OPTION_TEXT, "%.*s", (int)strcspn(next, "|"), next);
        if (strcmp(values[count], value) == 0)
            at = count;
        next = strchr(next, '|');
        next = next != NULL ? next + 1 : NULL;
    }
    strcpy(value, values[(at + step + count) % count]);
}

/* One larger or smaller: a number, or a square frame. */
static void next_in_range(const struct nonet_option *option, int step,
                          char value[NONET_OPTION_TEXT]) {
    int next = atoi(value) + step;
    next = next < option->least ? option->most : next > option->most ? option->least : next;
    snprintf(value, NONET_OPTION_TEXT, option->kind == NONET_SIZE ? "%dx%d" : "%d", next, next);
}

static void change_option(struct nonet_options *options, int index, int step) {
    const struct nonet_option *option = &options->game->options[index];
    char value[NONET_OPTION_TEXT], assignment[NONET_OPTION_TEXT * 2];
    strcpy(value, options->value[index].text);
    if (option->kind == NONET_CHOICE)
        next_value(option, step, value);
    else
        next_in_range(option, step, value);
    snprintf(assignment, sizeof assignment, "%s=%s", option->key, value);
    struct nonet_options changed = *options;
    struct nonet_message why;
    if (nonet_options_set(&changed, assignment, &why) && nonet_options_check(&changed, &why))
        *options = changed;
}

/* Levels in the order in which keys go through them: a person, then computers. */
static int next_level(int level, int step) {
    int at = level == TABLETOP_PERSON ? 0 : level;
    at = (at + step + NONET_SEARCH_LEVELS + 1) % (NONET_SEARCH_LEVELS + 1);
    return at == 0 ? TABLETOP_PERSON : at;
}

static void write_level(int level, struct nonet_text *out) {
    if (level == TABLETOP_PERSON)
        cli_write(out, nonet_say(&cli_words[WORD_PERSON]));
    else
        cli_write(out, nonet_say(&cli_words[WORD_COMPUTER], nonet_number(level)));
}

static void option_row(const struct nonet_options *options, int index, struct nonet_text *out) {
    const struct nonet_option *option = &options->game->options[index];
    nonet_text_add(out, cli_option_label(options->game, option));
    cli_write(out, nonet_say(&nonet_common[NONET_SAY_COLON]));
    nonet_text_format(out, "< %s >",
                      cli_option_value(options->game, option, options->value[index].text));
}

/* The options of a game and who plays it. False: back. */
static bool fill_form(struct tabletop *tabletop, struct nonet_options *options,
                      int levels[NONET_MAX_PLAYERS]) {
    char title[128], keys[256];
    struct nonet_text text = NONET_TEXT_IN(title), words = NONET_TEXT_IN(keys);
    nonet_text_char(&text, ' ');
    cli_write(&text, nonet_say(&cli_words[WORD_NEW_GAME], nonet_quote(options->game->title)));
    cli_write(&words, nonet_say(&cli_words[WORD_KEYS_FORM]));
    int chosen = -1;
    while (terminal_signal(tabletop->terminal) == 0) {
        struct row rows[MOST_ROWS] = {0};
        int option_of[MOST_ROWS], count = 0;
        for (int i = 0; options->game->options[i].key != NULL; i++) {
            const struct nonet_option *option = &options->game->options[i];
            if (!nonet_option_is_asked(option))
                continue;
            text = NONET_TEXT_IN(rows[count].text);
            option_row(options, i, &text);
            text = NONET_TEXT_IN(rows[count].about);
            nonet_text_add(&text, cli_option_help(options->game, option));
            option_of[count++] = i;
        }
        int seats = count;
        for (int seat = 1; seat <= options->players; seat++) {
            text = NONET_TEXT_IN(rows[count].text);
            cli_write(&text, nonet_say(&cli_words[WORD_PLAYER], nonet_number(seat)));
            cli_write(&text, nonet_say(&nonet_common[NONET_SAY_COLON]));
            nonet_text_add(&text, "< ");
            write_level(levels[seat - 1], &text);
            nonet_text_add(&text, " >");
            count++;
        }
        text = NONET_TEXT_IN(rows[count].text);
        nonet_text_add(&text, "[ ");
        cli_write(&text, nonet_say(&cli_words[WORD_START]));
        nonet_text_add(&text, " ]");
        count++;
        if (chosen < 0 || chosen >= count)
            chosen = count - 1;
        struct screen_event event =
            show_rows(tabletop->terminal, title, keys, rows, count, &chosen);
        if (event.kind != SCREEN_KEY)
            continue;
        if (event.key == SCREEN_ESCAPE || event.key == 'q')
            return false;
        bool enters = event.key == SCREEN_ENTER || event.key == ' ';
        if (enters && chosen == count - 1)
            return true;
        int step = event.key == SCREEN_RIGHT || enters ? 1 : event.key == SCREEN_LEFT ? -1 : 0;
        if (step == 0 || chosen == count - 1)
            continue;
        if (chosen < seats)
            change_option(options, option_of[chosen], step);
        else
            levels[chosen - seats] = next_level(levels[chosen - seats], step);
    }
    return false;
}

/* Asks about one game: whether to go on with the one that was kept; and, if wanted, how to begin a
 * new one. */
static enum screen_choice ask_about(struct tabletop *tabletop, struct cli_arguments *arguments,
                                    bool asks, char path[TABLETOP_PATH]) {
    const struct nonet_game *game = arguments->game;
    int moves = kept_moves(game);
    if (moves > 0) {
        struct row rows[2] = {0};
        struct nonet_text text = NONET_TEXT_IN(rows[0].text);
        cli_write(&text, nonet_say(&cli_words[WORD_CONTINUE], nonet_quote(game->title),
                                   nonet_number(moves)));
        text = NONET_TEXT_IN(rows[1].text);
        cli_write(&text, nonet_say(&cli_words[WORD_NEW_GAME], nonet_quote(game->title)));
        int answer = choose(tabletop->terminal, game->title, rows, 2, 0);
        if (answer < 0)
            return SCREEN_QUIT;
        if (answer == 0)
            return kept_path(game, path, TABLETOP_PATH) ? SCREEN_RESUME : SCREEN_QUIT;
    }
    if (!asks)
        return SCREEN_NEW;
    int levels[NONET_MAX_PLAYERS] = {TABLETOP_PERSON, tabletop->level, tabletop->level,
                                     tabletop->level};
    if (!fill_form(tabletop, &arguments->options, levels))
        return SCREEN_QUIT;
    for (int i = 0; i < arguments->options.players; i++)
        tabletop_write_kind(levels[i], tabletop->record.seats[i].kind);
    return SCREEN_NEW;
}

enum screen_choice screen_menu(struct tabletop *tabletop, struct cli_arguments *arguments,
                               char path[TABLETOP_PATH]) {
    if (arguments->game != NULL)
        return ask_about(tabletop, arguments, false, path);
    char title[128];
    struct nonet_text text = NONET_TEXT_IN(title);
    nonet_text_add(&text, " Nonet - ");
    cli_write(&text, nonet_say(&cli_words[WORD_CHOOSE_GAME]));
    for (int chosen = 0; terminal_signal(tabletop->terminal) == 0;) {
        struct row rows[MOST_ROWS] = {0};
        int count = 0;
        for (; count < nonet_game_count && count < MOST_ROWS; count++) {
            const struct nonet_game *game = nonet_games[count];
            char key[64];
            snprintf(key, sizeof key, "%s.summary", game->id);
            text = NONET_TEXT_IN(rows[count].text);
            nonet_text_format(&text, "%d  %-11s %s", count + 1, game->title,
                              cli_text_of(key, game->summary));
            text = NONET_TEXT_IN(rows[count].about);
            cli_write(&text, nonet_say(&cli_words[WORD_BY], nonet_quote(game->title),
                                       nonet_quote(game->author)));
            nonet_text_format(&text, " %s", cli_text_of(key, game->summary));
        }
        chosen = choose(tabletop->terminal, title, rows, count, chosen);
        if (chosen < 0)
            break;
        arguments->game = nonet_games[chosen];
        nonet_options_default(&arguments->options, arguments->game);
        enum screen_choice choice = ask_about(tabletop, arguments, true, path);
        if (choice != SCREEN_QUIT)
            return choice;
    }
    return SCREEN_QUIT;
}
