#include "notation.h"

#include <string.h>

#include "../base/board4.h"

const struct nonet_phrase nonet_common[NONET_COMMON_PHRASES] = {
    [NONET_SAY_PLAIN] = {"common.plain", "{0}"},
    [NONET_SAY_GAME_OVER] = {"common.game-over", "the game is over"},
    [NONET_SAY_NOT_A_MOVE] = {"common.not-a-move",
                              "\"{0}\" is not a move of this game; a move looks like {1}"},
    [NONET_SAY_OFF_BOARD] = {"common.off-board",
                             "\"{0}\" is not a cell of the board; the cells are {1} to {2}"},
    [NONET_SAY_OCCUPIED] = {"common.occupied", "{0} is occupied"},
    [NONET_SAY_EMPTY] = {"common.empty", "there is no piece on {0}"},
    [NONET_SAY_NOT_YOURS] = {"common.not-yours", "the piece on {0} is not yours"},
    [NONET_SAY_PASS_REFUSED] = {"common.pass-refused",
                                "you may pass only when you have no other move; {0} is one"},
    [NONET_SAY_BAD_BOARD] =
        {"common.bad-board",
         "the board must have {0} ranks of {1} cells each, from the top, with / "
         "between them and a letter of \"{2}\" for each cell"},
    [NONET_SAY_BAD_TURN] =
        {"common.bad-turn",
         "the player to move must come last, a number from 1 to {1}, where \"{0}\" stands"},
    [NONET_SAY_TRAILING] = {"common.trailing", "\"{0}\" comes after the end of the position"},
    [NONET_SAY_TOO_MANY] = {"common.too-many",
                            "player {0} has {1} pieces, but there are only {2} of them"},
    [NONET_SAY_WRONG_TURN] = {"common.wrong-turn",
                              "with these pieces on the board player {0} is to move"},
    [NONET_SAY_UNBALANCED] = {"common.unbalanced",
                              "pieces placed: {0} by player 1 and {1} by player 2, but they place "
                              "in turn, player 1 first"},
    [NONET_SAY_PLAYER] = {"common.player", "player {0}"},
    [NONET_SAY_REPETITION] = {"common.repetition",
                              "the same position stands on the board for the third time"},
    [NONET_SAY_HAND] = {"common.hand", "pieces in the hand of player {0}"},
    [NONET_SAY_TO_PLACE] = {"common.to-place", "pieces that player {0} has still to place: {1}"},
    [NONET_SAY_CANNOT_MOVE] = {"common.cannot-move", "player {0} cannot move"},
    [NONET_SAY_FULL_BOARD] = {"common.full-board", "the board is full"},
    [NONET_SAY_PIECE_OF] = {"common.piece-of", "piece of player {0} on {1}"},
    [NONET_SAY_DECIMAL_MARK] = {"common.decimal-mark", "."},
};

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

void nonet_board4_write(int players, const uint16_t *own, struct nonet_text *out) {
    char letters[BOARD4_CELLS];
    memset(letters, '.', sizeof letters);
    for (int cell = 0; cell < BOARD4_CELLS; cell++)
        for (int player = 0; player < players; player++)
            if (own[player] >> cell & 1)
                letters[cell] = (char)('A' + player);
    nonet_board_write(BOARD4_SIDE, BOARD4_SIDE, letters, out);
}

bool nonet_board4_scan(const char **cursor, int players, uint16_t *own, struct nonet_message *why) {
    char allowed[] = ".ABCD", letters[BOARD4_CELLS];
    allowed[players + 1] = '\0';
    if (!nonet_board_scan(cursor, BOARD4_SIDE, BOARD4_SIDE, allowed, letters, why))
        return false;
    memset(own, 0, (size_t)players * sizeof *own);
    for (int cell = 0; cell < BOARD4_CELLS; cell++)
        if (letters[cell] != '.')
            own[letters[cell] - 'A'] |= (uint16_t)(1u << cell);
    return true;
}

bool nonet_placed_in_turn(int first, int second, int next, struct nonet_message *why) {
    if (first != second && first != second + 1) {
        *why = nonet_say(&nonet_common[NONET_SAY_UNBALANCED], nonet_number(first),
                         nonet_number(second));
        return false;
    }
    int follows = first == second ? 1 : 2;
    if (next != follows)
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_number(follows));
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
