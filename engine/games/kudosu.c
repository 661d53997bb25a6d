/* Kudosu (Nazareno Signoretto), Sudoku backwards: each player holds two pieces of each of four
 * woods. In turn, players place one on an empty cell of the 4x4 board. No two pieces of the same
 * wood may stand in the same row, column or quadrant (the four 2x2 corners of the board). A player
 * who has no legal placement from their own hand loses, also when the hand is empty. Pieces on the
 * board belong to nobody.
 *
 * Position text: the board from the top rank, M Z P W for maple, zebrano, padouk and walnut, a dot
 * for an empty cell, then both hands in the same order of woods, - for an empty one, then the
 * player next in turn: "..../..../.M../.... MZZPPWW MMZZPPWW 2". A move is 16 times the wood's
 * number plus the cell's. */
#include <assert.h>

#include "../base/bits.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "board4.h"

enum { WOODS = 4, OF_A_WOOD = 4, IN_HAND = 2, PIECES = 16 };

/* Places of the scene after the cells: a button for each wood, then the hands. */
enum { WOOD_BUTTONS = BOARD4_CELLS, HANDS = WOOD_BUTTONS + WOODS };

static const struct nonet_option options_table[] = {
    NONET_SWAP_OPTION,
    {0},
};

/* What two pieces of the same wood must not share; none for cells that share nothing. */
enum unit { ROW, COLUMN, QUADRANT, NO_UNIT };

enum {
    NOT_A_MOVE,
    NONE_IN_HAND,
    SAME_ROW, /* the next two follow in the order of enum unit */
    SAME_COLUMN,
    SAME_QUADRANT,
    HAND_EMPTY,
    NO_PLACE,
    BAD_HAND,
    WOOD_COUNT,
    UNEVEN_HANDS,
    TWO_IN_ROW, /* likewise */
    TWO_IN_COLUMN,
    TWO_IN_QUADRANT,
    MAPLE, /* the woods, in the order of their numbers */
    ZEBRANO,
    PADOUK,
    WALNUT,
    PIECE_ON,
    PIECES_IN_HAND,
    TAKE_WOOD,
    NOWHERE,
    LEFT_IN_HAND,
    WOOD_IN_HAND,
};
static const struct nonet_phrase phrases[] = {
    [NOT_A_MOVE] = {"kudosu.not-a-move",
                    "\"{0}\" is not a move: name a wood (M, Z, P or W) and a cell from a1 to d4, "
                    "such as Ma1"},
    [NONE_IN_HAND] = {"kudosu.none-in-hand", "player {0} has no {1} left in hand"},
    [SAME_ROW] = {"kudosu.same-row", "a {0} already stands in the row of {1}, on {2}"},
    [SAME_COLUMN] = {"kudosu.same-column", "a {0} already stands in the column of {1}, on {2}"},
    [SAME_QUADRANT] = {"kudosu.same-quadrant",
                       "a {0} already stands in the quadrant of {1}, on {2}"},
    [HAND_EMPTY] = {"kudosu.hand-empty", "player {0} has no piece left to place"},
    [NO_PLACE] = {"kudosu.no-place", "player {0} has no legal place for any piece left in hand"},
    [BAD_HAND] = {"kudosu.bad-hand", "both hands must follow the board, each at most MMZZPPWW, in "
                                     "this order, or - for an empty one, not \"{0}\""},
    [WOOD_COUNT] = {"kudosu.wood-count",
                    "on the board and in the hands there must be {0} pieces of {1}, not {2}"},
    [UNEVEN_HANDS] = {"kudosu.uneven-hands", "pieces in hand: {0} of player 1 and {1} of player 2, "
                                             "but they place in turn, player 1 first"},
    [TWO_IN_ROW] = {"kudosu.two-in-row", "the pieces of {0} on {1} and {2} stand in the same row"},
    [TWO_IN_COLUMN] = {"kudosu.two-in-column",
                       "the pieces of {0} on {1} and {2} stand in the same column"},
    [TWO_IN_QUADRANT] = {"kudosu.two-in-quadrant",
                         "the pieces of {0} on {1} and {2} stand in the same quadrant"},
    [MAPLE] = {"kudosu.maple", "maple"},
    [ZEBRANO] = {"kudosu.zebrano", "zebrano"},
    [PADOUK] = {"kudosu.padouk", "padouk"},
    [WALNUT] = {"kudosu.walnut", "walnut"},
    [PIECE_ON] = {"kudosu.piece-on", "{0} on {1}"},
    [PIECES_IN_HAND] = {"kudosu.pieces-in-hand", "{0} in hand: {1}"},
    [TAKE_WOOD] = {"kudosu.take-wood", "take a {0} from the hand"},
    [NOWHERE] = {"kudosu.nowhere", "no cell is left where {0} may stand; still in hand: {1} of "
                                   "player {2}, {3} of the other player"},
    [LEFT_IN_HAND] = {"kudosu.left-in-hand", "pieces in hand"},
    [WOOD_IN_HAND] = {"kudosu.wood-in-hand", "{0} in the hand of player {1}"},
};

static const char wood_letters[WOODS + 1] = "MZPW";

struct state {
    uint64_t pieces; /* bit 16 * wood + cell, which is also the move that places it */
    uint8_t hand[2][WOODS];
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 16, "a state has no padding");

/* The same sixteen bits for each wood. */
#define EACH_WOOD(bits) ((bits)*0x0001000100010001u)

/* Every turn places a piece, so their number says whose turn is next, also after the end. */
static int next_of(const struct state *s) {
    return nonet_bits_count(s->pieces) % 2;
}

/* For each wood, the cells that share a row, column or quadrant with one of its pieces. In all four
 * woods at once, the pieces of a unit are gathered in its lowest cell and spread from there. */
static uint64_t reached(uint64_t pieces) {
    uint64_t row = pieces | (pieces >> 1 & EACH_WOOD(0x7777));
    row = (row | row >> 2) & EACH_WOOD(0x1111);
    uint64_t column = pieces | (pieces >> 4 & EACH_WOOD(0x0fff));
    column = (column | column >> 8) & EACH_WOOD(0x000f);
    uint64_t quadrant = pieces | pieces >> 1;
    quadrant = (quadrant | quadrant >> 4) & EACH_WOOD(0x0505);
    return row * 0x000f | column * 0x1111 | quadrant * 0x0033;
}

/* The pieces in one set, whatever their wood. */
static uint16_t occupied(uint64_t pieces) {
    return (uint16_t)(pieces | pieces >> 16 | pieces >> 32 | pieces >> 48);
}

/* What a player may place where, a bit each. */
static uint64_t placements_of(const struct state *s, int player) {
    const uint8_t *hand = s->hand[player];
    uint64_t held = 0;
    for (int wood = 0; wood < WOODS; wood++)
        held |= (uint64_t)(hand[wood] > 0 ? 0xffff : 0) << 16 * wood;
    return held & ~(reached(s->pieces) | EACH_WOOD((uint64_t)occupied(s->pieces)));
}

/* The legal moves. */
static uint64_t placements(const struct state *s) {
    return placements_of(s, next_of(s));
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    struct state *s = state;
    s->pieces = 0;
    for (int wood = 0; wood < WOODS; wood++)
        s->hand[0][wood] = s->hand[1][wood] = IN_HAND;
}

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    return placements(state) != 0 ? next_of(state) + 1 : 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return next_of(state) + 1;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    (void)options;
    uint64_t legal = placements(state);
    int count = 0;
    for (int wood = 0; wood < WOODS; wood++)
        count +=
            nonet_bits_list16((uint16_t)(legal >> 16 * wood), 16 * (uint32_t)wood, moves + count);
    return count;
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options, (void)workspace;
    struct state *s = state;
    s->hand[next_of(s)][move / 16]--;
    s->pieces |= (uint64_t)1 << move;
}

static int hand_size(const struct state *s, int player) {
    int size = 0;
    for (int wood = 0; wood < WOODS; wood++)
        size += s->hand[player][wood];
    return size;
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    const struct state *s = state;
    int loser = next_of(s);
    result->winners = (uint8_t)(2 >> loser);
    result->reason = nonet_say(&phrases[hand_size(s, loser) == 0 ? HAND_EMPTY : NO_PLACE],
                               nonet_player(loser + 1));
}

static struct nonet_argument cell_argument(int cell) {
    return nonet_cell_argument(BOARD4_SIDE, cell);
}

static struct nonet_argument wood_argument(int wood) {
    return nonet_word(&phrases[MAPLE + wood]);
}

static bool stands(const struct state *s, int wood, int cell) {
    return s->pieces >> (16 * wood + cell) & 1;
}

static enum unit shared_unit(int cell, int other) {
    int x = cell % 4, y = cell / 4, other_x = other % 4, other_y = other / 4;
    if (y == other_y)
        return ROW;
    if (x == other_x)
        return COLUMN;
    return x / 2 == other_x / 2 && y / 2 == other_y / 2 ? QUADRANT : NO_UNIT;
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (turn(options, s) == 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
        return false;
    }
    if (move >= WOODS * BOARD4_CELLS) {
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
        return false;
    }
    int wood = (int)move / 16, cell = (int)move % 16, player = next_of(s);
    if (s->hand[player][wood] == 0) {
        *why = nonet_say(&phrases[NONE_IN_HAND], nonet_player(player + 1), wood_argument(wood));
        return false;
    }
    if (occupied(s->pieces) >> cell & 1) {
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], cell_argument(cell));
        return false;
    }
    for (int other = 0; other < BOARD4_CELLS; other++) {
        enum unit unit = shared_unit(cell, other);
        if (unit != NO_UNIT && stands(s, wood, other)) {
            *why = nonet_say(&phrases[SAME_ROW + unit], wood_argument(wood), cell_argument(cell),
                             cell_argument(other));
            return false;
        }
    }
    return true;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    (void)options;
    nonet_text_char(out, wood_letters[move / 16]);
    nonet_cell_print(BOARD4_SIDE, (int)move % 16, out);
}

/* The number of the wood with this letter, or -1. */
static int wood_of(char letter) {
    for (int wood = 0; wood < WOODS; wood++)
        if (wood_letters[wood] == letter)
            return wood;
    return -1;
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    (void)options;
    int wood = wood_of(text[0]);
    if (wood >= 0) {
        const char *cursor = text + 1;
        int cell = nonet_cell_scan(&cursor, BOARD4_SIDE, BOARD4_SIDE);
        if (cell >= 0 && *cursor == '\0') {
            *move = (nonet_move)(16 * wood + cell);
            return true;
        }
    }
    *why = nonet_say(&phrases[NOT_A_MOVE], nonet_quote(text));
    return false;
}

static void write_hand(const uint8_t hand[WOODS], struct nonet_text *out) {
    nonet_text_char(out, ' ');
    size_t before = out->length;
    for (int wood = 0; wood < WOODS; wood++)
        for (int i = 0; i < hand[wood]; i++)
            nonet_text_char(out, wood_letters[wood]);
    if (out->length == before)
        nonet_text_char(out, '-');
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    (void)options;
    const struct state *s = state;
    char letters[BOARD4_CELLS];
    for (int cell = 0; cell < BOARD4_CELLS; cell++) {
        letters[cell] = '.';
        for (int wood = 0; wood < WOODS; wood++)
            if (stands(s, wood, cell))
                letters[cell] = wood_letters[wood];
    }
    nonet_board_write(BOARD4_SIDE, BOARD4_SIDE, letters, out);
    write_hand(s->hand[0], out);
    write_hand(s->hand[1], out);
    nonet_text_format(out, " %d", next_of(s) + 1);
}

static bool read_hand(const char **cursor, uint8_t hand[WOODS], struct nonet_message *why) {
    const char *c = *cursor;
    if (*c == ' ') {
        const char *first = ++c;
        for (int wood = 0; wood < WOODS; wood++)
            for (hand[wood] = 0; hand[wood] < IN_HAND && *c == wood_letters[wood]; c++)
                hand[wood]++;
        if ((c != first || *c++ == '-') && *c == ' ') {
            *cursor = c;
            return true;
        }
    }
    *why = nonet_say(&phrases[BAD_HAND], nonet_quote(*cursor));
    return false;
}

/* Whether the woods are all there and turns taken one by one can lead to these hands. */
static bool plausible_counts(const struct state *s, struct nonet_message *why) {
    for (int wood = 0; wood < WOODS; wood++) {
        int count =
            nonet_bits_count(s->pieces >> 16 * wood & 0xffff) + s->hand[0][wood] + s->hand[1][wood];
        if (count != OF_A_WOOD) {
            *why = nonet_say(&phrases[WOOD_COUNT], nonet_number(OF_A_WOOD), wood_argument(wood),
                             nonet_number(count));
            return false;
        }
    }
    int held = PIECES - nonet_bits_count(s->pieces);
    if (hand_size(s, 0) != held / 2) {
        *why = nonet_say(&phrases[UNEVEN_HANDS], nonet_number(hand_size(s, 0)),
                         nonet_number(hand_size(s, 1)));
        return false;
    }
    return true;
}

static bool plausible_board(const struct state *s, struct nonet_message *why) {
    for (int wood = 0; wood < WOODS; wood++)
        for (int cell = 0; cell < BOARD4_CELLS; cell++)
            for (int other = cell + 1; other < BOARD4_CELLS; other++) {
                enum unit unit = shared_unit(cell, other);
                if (unit != NO_UNIT && stands(s, wood, cell) && stands(s, wood, other)) {
                    *why = nonet_say(&phrases[TWO_IN_ROW + unit], wood_argument(wood),
                                     cell_argument(cell), cell_argument(other));
                    return false;
                }
            }
    return true;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)options, (void)workspace;
    char letters[BOARD4_CELLS];
    struct state s = {0};
    int next;
    if (!nonet_board_scan(&text, BOARD4_SIDE, BOARD4_SIDE, ".MZPW", letters, why) ||
        !read_hand(&text, s.hand[0], why) || !read_hand(&text, s.hand[1], why) ||
        !nonet_turn_scan(&text, 2, &next, why))
        return false;
    for (int cell = 0; cell < BOARD4_CELLS; cell++)
        if (letters[cell] != '.')
            s.pieces |= (uint64_t)1 << (16 * wood_of(letters[cell]) + cell);
    if (!plausible_board(&s, why) || !plausible_counts(&s, why))
        return false;
    if (next != next_of(&s) + 1) {
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(next_of(&s) + 1));
        return false;
    }
    *(struct state *)state = s;
    return true;
}

/* The wood comes first, by its button: a move does not know whose hand the piece comes from. */
static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = (uint16_t)(WOOD_BUTTONS + move / 16);
    places[1] = (uint16_t)(move % 16);
    return 2;
}

static void spell(const struct nonet_options *options, const uint16_t *places, int count,
                  struct nonet_text *out) {
    (void)options;
    for (int i = 0; i < count; i++)
        if (places[i] < BOARD4_CELLS)
            nonet_cell_print(BOARD4_SIDE, places[i], out);
        else if (places[i] < HANDS)
            nonet_text_char(out, wood_letters[places[i] - WOOD_BUTTONS]);
}

static const enum nonet_material material[WOODS] = {NONET_MAPLE, NONET_ZEBRANO, NONET_PADOUK,
                                                    NONET_WALNUT};

/* --- For an editor: the fields are both hands, wood by wood --- */

static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    (void)options;
    for (int wood = 0; wood < WOODS; wood++) {
        kinds[wood] = nonet_piece_on(0, NONET_TILE, material[wood]);
        kinds[wood].mark[0] = wood_letters[wood];
        kinds[wood].label = nonet_say(&phrases[MAPLE + wood]);
    }
    return WOODS;
}

static int fields(const struct nonet_options *options,
                  struct nonet_field fields[NONET_MAX_FIELDS]) {
    (void)options;
    for (int i = 0; i < 2 * WOODS; i++)
        fields[i] = (struct nonet_field){.label = nonet_say(&phrases[WOOD_IN_HAND],
                                                            wood_argument(i % WOODS),
                                                            nonet_player(i / WOODS + 1)),
                                         .most = IN_HAND};
    return 2 * WOODS;
}

static bool take_apart(const struct nonet_options *options, const char *text,
                       struct nonet_draft *draft) {
    (void)options;
    struct nonet_message why;
    char letters[BOARD4_CELLS];
    uint8_t hands[2][WOODS];
    int turn;
    if (!nonet_board_scan(&text, BOARD4_SIDE, BOARD4_SIDE, ".MZPW", letters, &why) ||
        !read_hand(&text, hands[0], &why) || !read_hand(&text, hands[1], &why) ||
        !nonet_turn_scan(&text, 2, &turn, &why))
        return false;
    for (int cell = 0; cell < BOARD4_CELLS; cell++)
        if (letters[cell] != '.')
            draft->pieces[draft->count++] = (struct nonet_draft_piece){
                .kind = (uint8_t)wood_of(letters[cell]), .place = (uint16_t)cell};
    for (int i = 0; i < 2 * WOODS; i++)
        draft->values[i] = hands[i / WOODS][i % WOODS];
    draft->turn = (int16_t)turn;
    return true;
}

static void put_together(const struct nonet_options *options, const struct nonet_draft *draft,
                         struct nonet_text *out) {
    (void)options;
    char letters[BOARD4_CELLS];
    uint8_t hands[2][WOODS];
    memset(letters, '.', sizeof letters);
    for (int i = 0; i < draft->count; i++)
        letters[draft->pieces[i].place] = wood_letters[draft->pieces[i].kind];
    for (int i = 0; i < 2 * WOODS; i++)
        hands[i / WOODS][i % WOODS] = (uint8_t)draft->values[i];
    nonet_board_write(BOARD4_SIDE, BOARD4_SIDE, letters, out);
    write_hand(hands[0], out);
    write_hand(hands[1], out);
    nonet_text_format(out, " %d", draft->turn);
}

/* A piece is placed from the fuller hand, of equal ones from that of player 1; and back. */
static void settle(const struct nonet_options *options, const struct nonet_draft *before,
                   struct nonet_draft *draft, int edited) {
    (void)options, (void)before;
    int rest[WOODS] = {[0 ... WOODS - 1] = OF_A_WOOD}, held[2] = {0};
    for (int i = 0; i < draft->count; i++)
        rest[draft->pieces[i].kind]--;
    for (int i = 0; i < 2 * WOODS; i++) {
        rest[i % WOODS] -= draft->values[i];
        held[i / WOODS] += draft->values[i];
    }
    if (edited >= 0) { /* what one hand has not, the other has */
        int16_t *other = &draft->values[(edited + WOODS) % (2 * WOODS)];
        int value = *other + rest[edited % WOODS];
        if (value >= 0 && value <= IN_HAND)
            *other = (int16_t)value;
    } else if (edited == NONET_EDITED_PIECES) {
        for (int wood = 0; wood < WOODS; wood++)
            for (; rest[wood] != 0;) {
                int step = rest[wood] < 0 ? -1 : 1;
                int hand = step < 0 ? held[0] < held[1] : held[0] >= held[1];
                int full = step < 0 ? 0 : IN_HAND;
                if (draft->values[WOODS * hand + wood] == full)
                    hand = 1 - hand;
                if (draft->values[WOODS * hand + wood] == full)
                    break;
                draft->values[WOODS * hand + wood] =
                    (int16_t)(draft->values[WOODS * hand + wood] + step);
                held[hand] += step;
                rest[wood] -= step;
            }
    }
}

static const struct nonet_editor editor = {.kinds = kinds,
                                           .fields = fields,
                                           .take_apart = take_apart,
                                           .put_together = put_together,
                                           .settle = settle};

/* Where a piece of this wood may stand, whoever holds one. */
static uint16_t open_cells(const struct state *s, int wood) {
    return (uint16_t) ~(reached(s->pieces) >> 16 * wood | occupied(s->pieces));
}

/* The woods that this move leaves without a place, although somebody still holds them. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    (void)options, (void)move;
    const struct state *s = after;
    for (int wood = 0; wood < WOODS; wood++)
        if (open_cells(before, wood) != 0 && open_cells(s, wood) == 0 &&
            s->hand[0][wood] + s->hand[1][wood] > 0)
            nonet_event_add(events, nonet_say(&phrases[NOWHERE], wood_argument(wood),
                                              nonet_number(s->hand[0][wood]), nonet_player(1),
                                              nonet_number(s->hand[1][wood])));
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    (void)options;
    for (int player = 0; player < 2; player++)
        nonet_standing_add(standings, player + 1, hand_size(state, player),
                           nonet_say(&phrases[LEFT_IN_HAND]))
            ->most = WOODS * IN_HAND;
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    (void)options;
    const struct state *s = state;
    nonet_scene_board(scene, BOARD4_SIDE, BOARD4_SIDE);
    for (int cell = 0; cell < BOARD4_CELLS; cell++)
        scene->places[cell].zone = (uint8_t)(1 + cell / 8 * 2 + cell % 4 / 2);
    for (int wood = 0; wood < WOODS; wood++)
        nonet_scene_place(scene, NONET_BUTTON, phrases[MAPLE + wood].english)->label =
            nonet_say(&phrases[TAKE_WOOD], wood_argument(wood));
    nonet_scene_hands(scene, 2);
    for (int wood = 0; wood < WOODS; wood++) {
        for (int cell = 0; cell < BOARD4_CELLS; cell++) {
            if (!stands(s, wood, cell))
                continue;
            struct nonet_piece *piece =
                nonet_scene_on_cell(scene, cell, NONET_TILE, material[wood]);
            piece->mark[0] = wood_letters[wood];
            piece->label = nonet_say(&phrases[PIECE_ON], wood_argument(wood), cell_argument(cell));
        }
        for (int player = 0; player < 2; player++) {
            if (s->hand[player][wood] == 0)
                continue;
            struct nonet_piece *piece =
                nonet_scene_piece(scene, HANDS + player, NONET_TILE, material[wood]);
            piece->owner = (uint8_t)(player + 1);
            piece->button = (uint16_t)(WOOD_BUTTONS + wood);
            piece->count = s->hand[player][wood];
            piece->mark[0] = wood_letters[wood];
            piece->label = nonet_say(&phrases[PIECES_IN_HAND], wood_argument(wood),
                                     nonet_number(s->hand[player][wood]));
        }
    }
}

/* As in Sudoku, lines may be exchanged within a band of two and bands with each other, rows with
 * columns, and the woods in any way: (2 * 2 * 2)^2 * 2 grids, times 24. */
enum { GRIDS = 128, WOOD_ORDERS = 24 };
static const uint8_t wood_orders[WOOD_ORDERS][WOODS] = {
    {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1},
    {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0},
    {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0}, {2, 3, 0, 1}, {2, 3, 1, 0},
    {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0},
};

static int symmetries(const struct nonet_options *options) {
    (void)options;
    return GRIDS * WOOD_ORDERS;
}

/* Bits 0 and 1 of `swaps` exchange the lines of a band, bit 2 the bands. */
static int turn_line(int swaps, int line) {
    return line ^ (swaps >> line / 2 & 1) ^ (swaps >> 1 & 2);
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    (void)options;
    int grid = symmetry % GRIDS, cell = (int)move % 16;
    int x = turn_line(grid & 7, cell % 4), y = turn_line(grid >> 3 & 7, cell / 4);
    int turned = grid & 64 ? y + 4 * x : x + 4 * y;
    return (nonet_move)(16 * wood_orders[symmetry / GRIDS][move / 16] + turned);
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    const struct state *s = state;
    struct state t = {0};
    for (uint64_t rest = s->pieces; rest != 0; rest &= rest - 1)
        t.pieces |= (uint64_t)1 << turn_move(options, symmetry, (nonet_move)nonet_bits_first(rest));
    for (int player = 0; player < 2; player++)
        for (int wood = 0; wood < WOODS; wood++)
            t.hand[player][wood_orders[symmetry / GRIDS][wood]] = s->hand[player][wood];
    *(struct state *)turned = t;
}

/* The board in every grid: the cells of each wood, wood by wood, so that many grids fit into a
 * processor's vector. */
struct boards {
    uint16_t woods[WOODS][GRIDS];
};

/* Exchanges the cells of the set with those `step` further on. */
static inline uint16_t exchange(uint16_t cells, int step, uint16_t set) {
    uint16_t differ = (uint16_t)(cells ^ cells >> step) & set;
    return (uint16_t)(cells ^ differ ^ differ << step);
}

/* Doubles a list of `count` boards by those with lines exchanged. */
static inline void exchange_all(uint16_t cells[GRIDS], int count, int step, uint16_t set) {
    for (int i = 0; i < count; i++)
        cells[count + i] = exchange(cells[i], step, set);
}

/* From the cells in grid 0 to those in all grids, each at its own number: the swaps of files, then
 * of ranks, then both exchanged. */
static void turn_to_all_grids(uint16_t cells[GRIDS]) {
    exchange_all(cells, 1, 1, 0x1111);
    exchange_all(cells, 2, 1, 0x4444);
    exchange_all(cells, 4, 2, 0x3333);
    exchange_all(cells, 8, 4, 0x000f);
    exchange_all(cells, 16, 4, 0x0f00);
    exchange_all(cells, 32, 8, 0x00ff);
    for (int i = 0; i < 64; i++)
        cells[64 + i] = exchange(exchange(cells[i], 3, 0x0a0a), 6, 0x00cc);
}

/* Exchanges two woods of all boards where that makes the board smaller. */
static void order_woods(uint16_t lower[GRIDS], uint16_t higher[GRIDS]) {
    for (int i = 0; i < GRIDS; i++) {
        uint16_t a = lower[i], b = higher[i];
        lower[i] = a > b ? a : b;
        higher[i] = a > b ? b : a;
    }
}

/* The least of the boards, comparing the last wood first; returns how many are equal to it. */
static int find_least(struct boards *boards, uint64_t *board) {
    uint16_t larger[GRIDS] = {0}; /* all bits for boards that a wood has shown to be larger */
    *board = 0;
    for (int wood = WOODS - 1; wood >= 0; wood--) {
        uint16_t *cells = boards->woods[wood], least = UINT16_MAX;
        for (int i = 0; i < GRIDS; i++) {
            cells[i] |= larger[i];
            least = cells[i] < least ? cells[i] : least;
        }
        for (int i = 0; i < GRIDS; i++)
            larger[i] = cells[i] == least ? 0 : UINT16_MAX;
        *board = *board << 16 | least;
    }
    uint16_t found = 0;
    for (int i = 0; i < GRIDS; i++)
        found = (uint16_t)(found + (larger[i] == 0));
    return found;
}

/* The canonical form: woods are ordered by their hands and, where these are equal, the board is the
 * least. Returns how many symmetries lead there. */
static int least_of_all(const struct state *s, struct state *least) {
    /* Grids do not change the hands, so the order of woods with different hands is fixed. */
    uint8_t hands[WOODS], order[WOODS];
    for (int wood = 0; wood < WOODS; wood++) {
        uint8_t held = (uint8_t)(s->hand[0][wood] << 4 | s->hand[1][wood]);
        int place = wood;
        for (; place > 0 && hands[place - 1] > held; place--) {
            hands[place] = hands[place - 1];
            order[place] = order[place - 1];
        }
        hands[place] = held;
        order[place] = (uint8_t)wood;
    }
    struct boards boards;
    for (int wood = 0; wood < WOODS; wood++) {
        boards.woods[wood][0] = (uint16_t)(s->pieces >> 16 * order[wood]);
        turn_to_all_grids(boards.woods[wood]);
    }
    for (int last = WOODS - 1; last > 0; last--)
        for (int wood = 0; wood < last; wood++)
            if (hands[wood] == hands[wood + 1])
                order_woods(boards.woods[wood], boards.woods[wood + 1]);
    uint64_t board;
    int ways = find_least(&boards, &board);
    int alike = 1; /* woods up to this one that nothing tells apart: none of them is on the board */
    for (int wood = 1; wood < WOODS; wood++) {
        alike = hands[wood] == hands[wood - 1] && (board >> 16 * (wood - 1) & 0xffffffff) == 0
                    ? alike + 1
                    : 1;
        ways *= alike;
    }
    least->pieces = board;
    for (int wood = 0; wood < WOODS; wood++) {
        least->hand[0][wood] = hands[wood] >> 4;
        least->hand[1][wood] = hands[wood] & 15;
    }
    return ways;
}

static void canonical(const struct nonet_options *options, const void *state, void *canonical) {
    (void)options;
    struct state least;
    least_of_all(state, &least);
    *(struct state *)canonical = least;
}

static int orbit(const struct nonet_options *options, const void *state) {
    (void)options;
    struct state least;
    return GRIDS * WOOD_ORDERS / least_of_all(state, &least);
}

/* The player who has more left to place can wait longer. */
static int evaluate(const struct nonet_options *options, const void *state, int player) {
    (void)options;
    enum { PLACEMENT = 15 };
    return PLACEMENT * (nonet_bits_count(placements_of(state, player - 1)) -
                        nonet_bits_count(placements_of(state, 2 - player)));
}

static int action_count(const struct nonet_options *options) {
    (void)options;
    return WOODS * BOARD4_CELLS;
}

/* Of levels 1 to 9, found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{78, 86, 93, 99, 105, 116, 124, 129, 134}};

const struct nonet_game nonet_kudosu = {
    .id = "kudosu",
    .title = "Kudosu",
    .author = "Nazareno Signoretto",
    .year = "",
    .summary = "Sudoku backwards: leave your opponent no cell that fits.",
    .box = "the Joechi box: a 4x4 board, 4 pieces each of maple, zebrano, padouk and walnut",
    .minutes = 5,
    .min_players = 2,
    .max_players = 2,
    .facts = NONET_FEW_POSITIONS,
    .state_size = sizeof(struct state),
    .options = options_table,
    .phrases = phrases,
    .phrase_count = sizeof phrases / sizeof phrases[0],
    .start = start,
    .turn = turn,
    .next = next,
    .moves = moves,
    .play = play,
    .result = result,
    .why = why,
    .print = print,
    .parse = parse,
    .write = write,
    .read = read,
    .touches = touches,
    .spell = spell,
    .scene = scene,
    .events = events,
    .standings = standings,
    .editor = &editor,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .canonical = canonical,
    .orbit = orbit,
    .evaluate = evaluate,
    .skills = skills,
    .action_count = action_count,
};
