#include "board4.h"

#include "../base/bits.h"

#define CELL(x, y) (1u << ((x) + 4 * (y)))
#define CORNERS(x1, y1, x2, y2, x3, y3, x4, y4)                                                    \
    (uint16_t)(CELL(x1, y1) | CELL(x2, y2) | CELL(x3, y3) | CELL(x4, y4))

/* Two columns crossed with each pair of rows. */
#define CROSS(x1, x2, y1, y2) CORNERS(x1, y1, x2, y1, x1, y2, x2, y2)
#define COLUMNS(x1, x2)                                                                            \
    CROSS(x1, x2, 0, 1), CROSS(x1, x2, 0, 2), CROSS(x1, x2, 0, 3), CROSS(x1, x2, 1, 2),            \
        CROSS(x1, x2, 1, 3), CROSS(x1, x2, 2, 3)
#define ALL_UPRIGHT                                                                                \
    COLUMNS(0, 1), COLUMNS(0, 2), COLUMNS(0, 3), COLUMNS(1, 2), COLUMNS(1, 3), COLUMNS(2, 3)

/* The nine upright rectangles with a corner on a cell: three other columns, three other rows. */
#define CORNER_ROWS(x1, x2, y)                                                                     \
    CROSS(x1, x2, y, ((y) + 1) % 4), CROSS(x1, x2, y, ((y) + 2) % 4),                              \
        CROSS(x1, x2, y, ((y) + 3) % 4)
#define UPRIGHT_AT(x, y)                                                                           \
    CORNER_ROWS(x, ((x) + 1) % 4, y), CORNER_ROWS(x, ((x) + 2) % 4, y),                            \
        CORNER_ROWS(x, ((x) + 3) % 4, y)

#define DIAMOND(x, y) CORNERS((x) + 1, y, x, (y) + 1, (x) + 2, (y) + 1, (x) + 1, (y) + 2)
#define LARGE_1 CORNERS(1, 0, 3, 1, 2, 3, 0, 2) /* squares whose side is the root of five */
#define LARGE_2 CORNERS(2, 0, 3, 2, 1, 3, 0, 1)
#define LONG_1 CORNERS(1, 0, 0, 1, 3, 2, 2, 3) /* one diagonal by two */
#define LONG_2 CORNERS(2, 0, 3, 1, 1, 3, 0, 2)
#define ALL_TILTED                                                                                 \
    DIAMOND(0, 0), DIAMOND(1, 0), DIAMOND(0, 1), DIAMOND(1, 1), LARGE_1, LARGE_2, LONG_1, LONG_2

/* Of two rectangles without a common corner, the one that has a corner on the cell. */
#define ONE_OF(a, b, x, y) ((a)&CELL(x, y) ? (a) : (b)&CELL(x, y) ? (b) : NEVER)
#define TILTED_AT(x, y)                                                                            \
    ONE_OF(DIAMOND(0, 0), DIAMOND(1, 0), x, y), ONE_OF(DIAMOND(0, 1), DIAMOND(1, 1), x, y),        \
        ONE_OF(LARGE_1, LARGE_2, x, y), ONE_OF(LONG_1, LONG_2, x, y)

#define NEVER 0xffff

const uint16_t board4_rectangles[2][BOARD4_RECTANGLES] = {
    [BOARD4_ANY] = {ALL_UPRIGHT, ALL_TILTED, NEVER, NEVER, NEVER, NEVER},
    [BOARD4_UPRIGHT] = {ALL_UPRIGHT, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER,
                        NEVER, NEVER, NEVER},
};

#define AT_ANY(x, y)                                                                               \
    { UPRIGHT_AT(x, y), TILTED_AT(x, y), NEVER, NEVER, NEVER }
#define AT_UPRIGHT(x, y)                                                                           \
    { UPRIGHT_AT(x, y), NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER }
#define RANKS(at)                                                                                  \
    at(0, 0), at(1, 0), at(2, 0), at(3, 0), at(0, 1), at(1, 1), at(2, 1), at(3, 1), at(0, 2),      \
        at(1, 2), at(2, 2), at(3, 2), at(0, 3), at(1, 3), at(2, 3), at(3, 3)

const uint16_t board4_rectangles_at[2][BOARD4_CELLS][16] = {
    [BOARD4_ANY] = {RANKS(AT_ANY)},
    [BOARD4_UPRIGHT] = {RANKS(AT_UPRIGHT)},
};

int board4_turn_cell(int symmetry, int cell) {
    int x = cell % 4, y = cell / 4;
    if (symmetry & 1)
        x = 3 - x;
    if (symmetry & 2)
        y = 3 - y;
    return symmetry & 4 ? y + 4 * x : x + 4 * y;
}

/* Exchanges the cells of a set with those `step` further on, in each lane. */
static uint64_t exchange(uint64_t lanes, int step, uint16_t set) {
    uint64_t differ = (lanes ^ lanes >> step) & BOARD4_LANES(set);
    return lanes ^ differ ^ differ << step;
}

static uint64_t mirror_files(uint64_t lanes) {
    return exchange(exchange(lanes, 1, 0x5555), 2, 0x3333);
}

static uint64_t mirror_ranks(uint64_t lanes) {
    return exchange(exchange(lanes, 4, 0x0f0f), 8, 0x00ff);
}

static uint64_t swap_files_and_ranks(uint64_t lanes) {
    return exchange(exchange(lanes, 3, 0x0a0a), 6, 0x00cc);
}

uint64_t board4_turn_lanes(int symmetry, uint64_t lanes) {
    if (symmetry & 1)
        lanes = mirror_files(lanes);
    if (symmetry & 2)
        lanes = mirror_ranks(lanes);
    return symmetry & 4 ? swap_files_and_ranks(lanes) : lanes;
}

uint16_t board4_turn(int symmetry, uint16_t set) {
    return (uint16_t)board4_turn_lanes(symmetry, set);
}

uint64_t board4_least(uint64_t lanes) {
    uint64_t least = lanes;
    /* Applying one reflection after another visits all eight. */
    for (int i = 1; i < BOARD4_SYMMETRIES; i++) {
        lanes = i == 4       ? swap_files_and_ranks(lanes)
                : i % 2 != 0 ? mirror_files(lanes)
                             : mirror_ranks(lanes);
        least = lanes < least ? lanes : least;
    }
    return least;
}

void board4_write(int players, const uint16_t *own, struct nonet_text *out) {
    char letters[BOARD4_CELLS];
    memset(letters, '.', sizeof letters);
    for (int cell = 0; cell < BOARD4_CELLS; cell++)
        for (int player = 0; player < players; player++)
            if (own[player] >> cell & 1)
                letters[cell] = (char)('A' + player);
    nonet_board_write(BOARD4_SIDE, BOARD4_SIDE, letters, out);
}

bool board4_scan(const char **cursor, int players, uint16_t *own, struct nonet_message *why) {
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

static const enum nonet_material woods[NONET_MAX_PLAYERS] = {NONET_MAPLE, NONET_WALNUT,
                                                             NONET_ZEBRANO, NONET_PADOUK};

static void mark(struct nonet_piece *piece, int player, struct nonet_argument place) {
    piece->owner = (uint8_t)player;
    piece->mark[0] = (char)('A' + player - 1);
    piece->label = nonet_say(&nonet_common[NONET_SAY_PIECE_OF], nonet_player(player), place);
}

struct nonet_piece *board4_piece(struct nonet_scene *scene, int place, int player) {
    struct nonet_piece *piece = nonet_scene_on_cell(scene, place, NONET_TILE, woods[player - 1]);
    mark(piece, player, nonet_quote(scene->places[place].name));
    return piece;
}

int board4_kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    for (int player = 1; player <= options->players; player++) {
        struct nonet_piece *kind = &kinds[player - 1];
        *kind = nonet_piece_on(0, NONET_TILE, woods[player - 1]);
        mark(kind, player, (struct nonet_argument){0});
        kind->label = nonet_say(&nonet_common[NONET_SAY_PIECE_KIND], nonet_player(player));
    }
    return options->players;
}

const struct nonet_editor board4_editor = {.kinds = board4_kinds};

void board4_pieces_to_place(struct nonet_scene *scene, int hand, int player, int count) {
    if (count == 0)
        return;
    struct nonet_piece *piece = board4_piece(scene, hand, player);
    piece->count = (uint8_t)count;
    piece->label =
        nonet_say(&nonet_common[NONET_SAY_TO_PLACE], nonet_player(player), nonet_number(count));
}

void board4_print_cell(const struct nonet_options *options, nonet_move move,
                       struct nonet_text *out) {
    (void)options;
    nonet_cell_print(BOARD4_SIDE, (int)move, out);
}

bool board4_parse_cell(const struct nonet_options *options, const char *text, nonet_move *move,
                       struct nonet_message *why) {
    (void)options;
    int cell = nonet_cell_parse(text, BOARD4_SIDE, BOARD4_SIDE, why);
    *move = (nonet_move)cell;
    return cell >= 0;
}

int board4_touch_cell(const struct nonet_options *options, nonet_move move,
                      uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = (uint16_t)move;
    return 1;
}

nonet_move board4_turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    (void)options;
    return (nonet_move)board4_turn_cell(symmetry, (int)move);
}

int board4_symmetries(const struct nonet_options *options) {
    (void)options;
    return BOARD4_SYMMETRIES;
}
