/* Notation that games share: cells, players, boards as text, and the phrases every game needs. */
#ifndef NONET_RULES_NOTATION_H
#define NONET_RULES_NOTATION_H

#include "message.h"

/* Cells are counted from a1 along the ranks: a file letter from the left, a rank number from the
 * bottom. */
void nonet_cell_print(int width, int cell, struct nonet_text *out);

/* Reads a cell of a width x depth board and moves the cursor behind it; -1 where none stands there.
 */
int nonet_cell_scan(const char **cursor, int width, int depth);

/* The cell that the whole text names, or -1 with the reason. */
int nonet_cell_parse(const char *text, int width, int depth, struct nonet_message *why);

/* The cell as an argument of a message. */
struct nonet_argument nonet_cell_argument(int width, int cell);

/* Boards are written rank by rank from the top, `/` between ranks, one letter a cell. */
void nonet_board_write(int width, int depth, const char *letters, struct nonet_text *out);

/* Reads such a board into letters[width * depth], each of which must be one of `allowed`, and moves
 * the cursor behind it. */
bool nonet_board_scan(const char **cursor, int width, int depth, const char *allowed, char *letters,
                      struct nonet_message *why);

/* The same for the 4x4 board of board4.h, with a set of cells for each player: A stands for a piece
 * of player 1, B of player 2 and so on, a dot for an empty cell. */
void nonet_board4_write(int players, const uint16_t *own, struct nonet_text *out);
bool nonet_board4_scan(const char **cursor, int players, uint16_t *own, struct nonet_message *why);

/* Whether two players who place a piece each in turn can have placed so many, `next` being the one
 * to follow. */
bool nonet_placed_in_turn(int first, int second, int next, struct nonet_message *why);

/* Phrases that belong to no game in particular. */
enum nonet_common_phrase {
    NONET_SAY_PLAIN, /* {0} */
    NONET_SAY_GAME_OVER,
    NONET_SAY_NOT_A_MOVE,   /* {0} what was typed, {1} an example of a move */
    NONET_SAY_OFF_BOARD,    /* {0} what was typed, {1} and {2} the first and last cell */
    NONET_SAY_OCCUPIED,     /* {0} cell */
    NONET_SAY_EMPTY,        /* {0} cell: nothing there to move */
    NONET_SAY_NOT_YOURS,    /* {0} cell */
    NONET_SAY_PASS_REFUSED, /* a move is possible */
    NONET_SAY_BAD_BOARD,    /* {0} ranks, {1} cells in each, {2} letters allowed */
    NONET_SAY_BAD_TURN,     /* {0} what was found, {1} number of players */
    NONET_SAY_TRAILING,     /* {0} what follows the end of a position */
    NONET_SAY_TOO_MANY,     /* {0} player, {1} pieces found, {2} pieces there are */
    NONET_SAY_WRONG_TURN,   /* {0} the player whose turn it must be */
    NONET_SAY_UNBALANCED,   /* {0} pieces of player 1, {1} of player 2, who place in turn */
    NONET_SAY_PLAYER,       /* {0} */
    NONET_SAY_REPETITION,
    NONET_SAY_HAND,        /* {0} player: the pieces in hand of */
    NONET_SAY_TO_PLACE,    /* {0} player, {1} pieces */
    NONET_SAY_CANNOT_MOVE, /* {0} player who cannot move and loses */
    NONET_SAY_FULL_BOARD,
    NONET_SAY_PIECE_OF,     /* {0} player, {1} cell */
    NONET_SAY_DECIMAL_MARK, /* between units and hundredths */
    NONET_COMMON_PHRASES
};
extern const struct nonet_phrase nonet_common[NONET_COMMON_PHRASES];

/* Reads " 2" at the end of a position text: the player to move, 1 to players, and nothing behind.
 */
bool nonet_turn_scan(const char **cursor, int players, int *player, struct nonet_message *why);

#endif
