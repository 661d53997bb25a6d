/* Notakto: both players place crosses on the same 3x3 board, in turn. A player who completes a line
 * of three, along a row, a column or a diagonal, loses.
 *
 * Position text: the board from the top rank, X for a cross and a dot for an empty cell, then the
 * player next in turn: ".../.X./... 2". A move is the cell's number. */
#include "../base/bits.h"
#include "../rules/game.h"

enum { SIDE = 3, CELLS = 9, LINES = 8, SYMMETRIES = 8 };

static const struct nonet_option options_table[] = {NONET_SWAP_OPTION, {0}};

enum { COMPLETED, TWO_LINES, CROSS_ON };
static const struct nonet_phrase phrases[] = {
    [COMPLETED] = {"notakto.completed", "player {0} completed a line"},
    [TWO_LINES] = {"notakto.two-lines", "no single cross completes all these lines"},
    [CROSS_ON] = {"notakto.cross-on", "cross on {0}"},
};

struct state {
    uint16_t crosses; /* a bit for each cell; their number says whose turn is next */
} NONET_LITTLE_ENDIAN;

static const uint16_t lines[LINES] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

static bool has_line(unsigned crosses) {
    for (int i = 0; i < LINES; i++)
        if ((crosses & lines[i]) == lines[i])
            return true;
    return false;
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    *(struct state *)state = (struct state){0};
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return nonet_bits_count(((const struct state *)state)->crosses) % 2 + 1;
}

static int turn(const struct nonet_options *options, const void *state) {
    return has_line(((const struct state *)state)->crosses) ? 0 : next(options, state);
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    const struct state *s = state;
    if (turn(options, s) == 0)
        return 0;
    return nonet_bits_list16((uint16_t)(~s->crosses & 0777), 0, moves);
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options, (void)workspace;
    ((struct state *)state)->crosses |= (uint16_t)(1u << move);
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    int winner = next(options, state);
    result->winners = (uint8_t)winner;
    result->reason = nonet_say(&phrases[COMPLETED], nonet_player(3 - winner));
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (turn(options, s) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (move >= CELLS)
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (s->crosses >> move & 1)
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], nonet_cell_argument(SIDE, (int)move));
    else
        return true;
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    (void)options;
    nonet_cell_print(SIDE, (int)move, out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    (void)options;
    int cell = nonet_cell_parse(text, SIDE, SIDE, why);
    *move = (nonet_move)cell;
    return cell >= 0;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    const struct state *s = state;
    char letters[CELLS];
    for (int cell = 0; cell < CELLS; cell++)
        letters[cell] = s->crosses >> cell & 1 ? 'X' : '.';
    nonet_board_write(SIDE, SIDE, letters, out);
    nonet_text_format(out, " %d", next(options, s));
}

/* Whether one cross, the last, completed every line there is. */
static bool one_completed(unsigned crosses) {
    if (!has_line(crosses))
        return true;
    for (int cell = 0; cell < CELLS; cell++)
        if (crosses >> cell & 1 && !has_line(crosses & ~(1u << cell)))
            return true;
    return false;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    char letters[CELLS];
    int player;
    if (!nonet_board_scan(&text, SIDE, SIDE, ".X", letters, why) ||
        !nonet_turn_scan(&text, 2, &player, why))
        return false;
    struct state s = {0};
    for (int cell = 0; cell < CELLS; cell++)
        if (letters[cell] == 'X')
            s.crosses |= (uint16_t)(1u << cell);
    if (!one_completed(s.crosses))
        *why = nonet_say(&phrases[TWO_LINES]);
    else if (player != next(options, &s))
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(next(options, &s)));
    else {
        *(struct state *)state = s;
        return true;
    }
    return false;
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = (uint16_t)move;
    return 1;
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    (void)options;
    const struct state *s = state;
    nonet_scene_board(scene, SIDE, SIDE);
    for (int cell = 0; cell < CELLS; cell++) {
        if (!(s->crosses >> cell & 1))
            continue;
        struct nonet_piece *piece = nonet_scene_on_cell(scene, cell, NONET_DISC, NONET_WALNUT);
        piece->mark[0] = 'X';
        piece->label = nonet_say(&phrases[CROSS_ON], nonet_cell_argument(SIDE, cell));
    }
}

/* The square's symmetries: mirrored left and right, bottom and top, along the diagonal. */
static int symmetries(const struct nonet_options *options) {
    (void)options;
    return SYMMETRIES;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    (void)options;
    unsigned x = move % SIDE, y = move / SIDE;
    if (symmetry & 1)
        x = SIDE - 1 - x;
    if (symmetry & 2)
        y = SIDE - 1 - y;
    return symmetry & 4 ? y + SIDE * x : x + SIDE * y;
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    const struct state *s = state;
    struct state t = {0};
    for (unsigned cell = 0; cell < CELLS; cell++)
        if (s->crosses >> cell & 1)
            t.crosses |= (uint16_t)(1u << turn_move(options, symmetry, cell));
    *(struct state *)turned = t;
}

const struct nonet_game nonet_notakto = {
    .id = "notakto",
    .title = "Notakto",
    .author = "Bob Koca",
    .year = "2010",
    .summary = "Crosses for both: do not be the one who completes a line.",
    .box = "a 3x3 board and nine discs",
    .minutes = 2,
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
    .scene = scene,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
};
