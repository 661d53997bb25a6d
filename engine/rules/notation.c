#include "notation.h"

#include <string.h>

#include "../base/bits.h"

void nonet_cell_print(int width, int cell, struct nonet_text *out) {
    nonet_text_format(out, "%c%d", 'a' + cell % width, cell / width + 1);
}

int nonet_cell_scan(const char **cursor, int width, int depth) {
    const char *c = *cursor;
    int file = *c - 'a';
    if (file < 0 || file >= width)
        return -1;
    c++;
    uint32_t rank;
    if (!nonet_scan_number(&c, (uint32_t)depth, &rank) || rank == 0)
        return -1;
    *cursor = c;
    return ((int)rank - 1) * width + file;
}

int nonet_cell_parse(const char *text, int width, int depth, struct nonet_message *why) {
    const char *cursor = text;
    int cell = nonet_cell_scan(&cursor, width, depth);
    if (cell >= 0 && *cursor == '\0')
        return cell;
    *why = nonet_say(&nonet_common[NONET_SAY_OFF_BOARD], nonet_quote(text), nonet_quote("a1"),
                     nonet_cell_argument(width, width * depth - 1));
    return -1;
}

struct nonet_argument nonet_cell_argument(int width, int cell) {
    char name[16];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_cell_print(width, cell, &text);
    return nonet_quote(name);
}

struct nonet_argument nonet_cells_argument(int width, uint64_t cells) {
    char names[NONET_ARGUMENT_TEXT];
    struct nonet_text text = NONET_TEXT_IN(names);
    for (; cells != 0; cells &= cells - 1) {
        if (text.length > 0)
            nonet_text_add(&text, ", ");
        nonet_cell_print(width, nonet_bits_first(cells), &text);
    }
    return nonet_quote(names);
}

void nonet_board_write(int width, int depth, const char *letters, struct nonet_text *out) {
    for (int rank = depth - 1; rank >= 0; rank--) {
        for (int file = 0; file < width; file++)
            nonet_text_char(out, letters[rank * width + file]);
        if (rank > 0)
            nonet_text_char(out, '/');
    }
}

bool nonet_board_scan(const char **cursor, int width, int depth, const char *allowed, char *letters,
                      struct nonet_message *why) {
    const char *c = *cursor;
    for (int rank = depth - 1; rank >= 0; rank--) {
        for (int file = 0; file < width; file++, c++) {
            if (*c == '\0' || strchr(allowed, *c) == NULL)
                goto bad;
            letters[rank * width + file] = *c;
        }
        if (rank > 0 && *c++ != '/')
            goto bad;
    }
    *cursor = c;
    return true;
bad:
    *why = nonet_say(&nonet_common[NONET_SAY_BAD_BOARD], nonet_number(depth), nonet_number(width),
                     nonet_quote(allowed));
    return false;
}

bool nonet_placed_in_turn(int first, int second, int next, struct nonet_message *why) {
    if (first != second && first != second + 1) {
        *why = nonet_say(&nonet_common[NONET_SAY_UNBALANCED], nonet_number(first),
                         nonet_number(second));
        return false;
    }
    int follows = first == second ? 1 : 2;
    if (next != follows)
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(follows));
    return next == follows;
}

bool nonet_turn_scan(const char **cursor, int players, int *player, struct nonet_message *why) {
    const char *c = *cursor;
    uint32_t number;
    if (!nonet_scan_word(&c, " ") || !nonet_scan_number(&c, (uint32_t)players, &number) ||
        number == 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_BAD_TURN], nonet_quote(*cursor),
                         nonet_number(players));
        return false;
    }
    if (*c != '\0') {
        *why = nonet_say(&nonet_common[NONET_SAY_TRAILING], nonet_quote(c));
        return false;
    }
    *cursor = c;
    *player = (int)number;
    return true;
}
