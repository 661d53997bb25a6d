/* The 4x4 board that six of the games share: cell a1 is bit 0, b1 bit 1, a2 bit 4, d4 bit 15. */
#ifndef NONET_GAMES_BOARD4_H
#define NONET_GAMES_BOARD4_H

#include <string.h>

#include "../rules/editing.h"

enum { BOARD4_SIDE = 4, BOARD4_CELLS = 16 };

#define BOARD4_ROW(rank) ((uint16_t)(0x000fu << (4 * (rank))))
#define BOARD4_COLUMN(file) ((uint16_t)(0x1111u << (file)))

/* A 64-bit word holds four sets side by side, in lanes of sixteen bits; this puts the same set into
 * all four. */
#define BOARD4_LANES(set) ((uint64_t)(set)*0x0001000100010001u)

/* What counts as a rectangle: with sides at any angle, or only along rows and columns. */
enum board4_rectangles { BOARD4_ANY, BOARD4_UPRIGHT };

/* A multiple of the widest vector, so that a whole table is tested without a remainder. Rows end
 * with masks of all sixteen cells, which no player of eight pieces ever fills. */
enum { BOARD4_RECTANGLES = 48 };

/* The corners of every rectangle of a kind: 44 of any, 36 upright. */
extern const uint16_t board4_rectangles[2][BOARD4_RECTANGLES];

static inline int board4_count_rectangles(uint16_t own, enum board4_rectangles kind) {
    const uint16_t *table = board4_rectangles[kind];
    uint16_t count = 0;
    for (int i = 0; i < BOARD4_RECTANGLES; i++)
        count = (uint16_t)(count + ((own & table[i]) == table[i]));
    return count;
}

static inline bool board4_has_rectangle(uint16_t own, enum board4_rectangles kind) {
    return board4_count_rectangles(own, kind) != 0;
}

/* The rectangles that have a corner on each cell: no cell has more than sixteen. */
extern const uint16_t board4_rectangles_at[2][BOARD4_CELLS][16];

/* Whether a piece just placed on the cell completes a rectangle: compares one vector at once. */
static inline bool board4_completes_rectangle(uint16_t own, int cell, enum board4_rectangles kind) {
    typedef uint16_t masks __attribute__((vector_size(32)));
    typedef uint64_t half __attribute__((vector_size(16)));
    masks corners;
    memcpy(&corners, board4_rectangles_at[kind][cell], sizeof corners);
    masks complete = (masks)((own & corners) == corners);
    half halves[2];
    memcpy(halves, &complete, sizeof halves);
    half found = halves[0] | halves[1];
    return (found[0] | found[1]) != 0;
}

/* Whether a rectangle has a corner on this cell. */
static inline bool board4_in_rectangle(uint16_t own, int cell, enum board4_rectangles kind) {
    return board4_count_rectangles(own, kind) !=
           board4_count_rectangles((uint16_t)(own & ~(1u << cell)), kind);
}

/* The eight turns and reflections of the board: 0 is the identity. */
enum { BOARD4_SYMMETRIES = 8 };
int board4_turn_cell(int symmetry, int cell);
uint16_t board4_turn(int symmetry, uint16_t set);
/* Four sets at once, and the least word that a symmetry makes of them, as their canonical form. */
uint64_t board4_turn_lanes(int symmetry, uint64_t lanes);
uint64_t board4_least(uint64_t lanes);

/* Members of struct nonet_game, for games in which a move is a cell. */
void board4_print_cell(const struct nonet_options *options, nonet_move move,
                       struct nonet_text *out);
bool board4_parse_cell(const struct nonet_options *options, const char *text, nonet_move *move,
                       struct nonet_message *why);
int board4_touch_cell(const struct nonet_options *options, nonet_move move,
                      uint16_t places[NONET_MAX_TOUCHES]);
nonet_move board4_turn_move(const struct nonet_options *options, int symmetry, nonet_move move);
/* The member for games that all eight symmetries apply to. */
int board4_symmetries(const struct nonet_options *options);

/* The board as text, with a set of cells for each player: A stands for a piece of player 1, B of
 * player 2 and so on, a dot for an empty cell. Reading moves the cursor to the end of the board. */
void board4_write(int players, const uint16_t *own, struct nonet_text *out);
bool board4_scan(const char **cursor, int players, uint16_t *own, struct nonet_message *why);

/* Puts a square piece on a cell or into a hand, in the player's wood and with their letter. */
struct nonet_piece *board4_piece(struct nonet_scene *scene, int place, int player);

/* What an editor can put on a cell: a piece of any player. */
int board4_kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]);
/* An editor for games whose position text has only the board and the player to move. */
extern const struct nonet_editor board4_editor;

/* Puts the pieces that a player has still to place, if any, into their hand. */
void board4_pieces_to_place(struct nonet_scene *scene, int hand, int player, int count);

#endif
