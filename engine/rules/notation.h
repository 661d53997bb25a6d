/* Notation that games share: cells, players and boards as text. */
#ifndef NONET_RULES_NOTATION_H
#define NONET_RULES_NOTATION_H

#include "phrases.h"

/* Cells are counted from a1 along the ranks: a file letter from the left, a rank number from the
 * bottom. */
void nonet_cell_print(int width, int cell, struct nonet_text *out);

/* Reads a cell of a width x depth board and moves the cursor past it; -1 where there is none. */
int nonet_cell_scan(const char **cursor, int width, int depth);

/* The cell that the whole text names, or -1 with the reason. */
int nonet_cell_parse(const char *text, int width, int depth, struct nonet_message *why);

/* The cell as an argument of a message. */
struct nonet_argument nonet_cell_argument(int width, int cell);
/* Several of them, "a1, b2": those whose bits are set. Not more than eleven fit. */
struct nonet_argument nonet_cells_argument(int width, uint64_t cells);

/* Boards are written rank by rank from the top, `/` between ranks, one letter a cell. */
void nonet_board_write(int width, int depth, const char *letters, struct nonet_text *out);

/* Reads such a board into letters[width * depth], each of which must be one of `allowed`, and moves
 * the cursor past it. */
bool nonet_board_scan(const char **cursor, int width, int depth, const char *allowed, char *letters,
                      struct nonet_message *why);

/* Whether two players who place one piece each in turn can have placed so many; `next` is the
 * player to place next. */
bool nonet_placed_in_turn(int first, int second, int next, struct nonet_message *why);

/* Reads " 2" at the end of a position text: the player to move, 1 to players, and nothing after it.
 */
bool nonet_turn_scan(const char **cursor, int players, int *player, struct nonet_message *why);

#endif
