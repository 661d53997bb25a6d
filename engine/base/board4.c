#include "board4.h"

#include "bits.h"

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

#define DIAMOND(x, y) CORNERS((x) + 1, y, x, (y) + 1, (x) + 2, (y) + 1, (x) + 1, (y) + 2)
#define ALL_TILTED                                                                                 \
    DIAMOND(0, 0), DIAMOND(1, 0), DIAMOND(0, 1), DIAMOND(1, 1), CORNERS(1, 0, 3, 1, 2, 3, 0, 2),   \
        CORNERS(2, 0, 3, 2, 1, 3, 0, 1), /* squares of side √5 */                                \
        CORNERS(1, 0, 0, 1, 3, 2, 2, 3), CORNERS(2, 0, 3, 1, 1, 3, 0, 2) /* √2 by 2√2 */

#define NEVER 0xffff

const uint16_t board4_rectangles[2][BOARD4_RECTANGLES] = {
    [BOARD4_ANY] = {ALL_UPRIGHT, ALL_TILTED, NEVER, NEVER, NEVER, NEVER},
    [BOARD4_UPRIGHT] = {ALL_UPRIGHT, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER,
                        NEVER, NEVER, NEVER},
};

int board4_turn_cell(int symmetry, int cell) {
    int x = cell % 4, y = cell / 4;
    if (symmetry & 1)
        x = 3 - x;
    if (symmetry & 2)
        y = 3 - y;
    return symmetry & 4 ? y + 4 * x : x + 4 * y;
}

uint16_t board4_turn(int symmetry, uint16_t set) {
    unsigned turned = 0;
    for (unsigned rest = set; rest != 0; rest &= rest - 1)
        turned |= 1u << board4_turn_cell(symmetry, nonet_bits_first(rest));
    return (uint16_t)turned;
}
