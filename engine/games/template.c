/* A template for a new game, kept small: it always builds and is tested, but is not on the shelf.
 * It has everything that the contract requires, and the optional members that most games can offer:
 * `next`, standings, symmetries and an editor.
 *
 * Gaps: on a row of cells, players in turn place a piece on an empty cell that has no piece beside
 * it. A player who cannot place loses.
 *
 * Position text: a letter a cell, A or B for the players' pieces and a dot for an empty cell, then
 * the player next in turn: "A..B... 1". A move is the cell's number. */
#include "../base/bits.h"
#include "../rules/editing.h"
#include "../rules/standings.h"

enum { ROW };
static const struct nonet_option options_table[] = {
    [ROW] = {.key = "row", .values = "7|5|9", .help = "cells in the row", .kind = NONET_CHOICE},
    NONET_SWAP_OPTION,
    {0},
};

enum { BESIDE, NO_GAP, TOUCHING, PIECE_OF, PLACED };
static const struct nonet_phrase phrases[] = {
    [BESIDE] = {"template.beside", "{0} is beside the piece on {1}"},
    [NO_GAP] = {"template.no-gap", "player {0} finds no gap"},
    [TOUCHING] = {"template.touching", "the pieces on {0} and {1} stand beside each other"},
    [PIECE_OF] = {"template.piece-of", "piece of player {0} on {1}"},
    [PLACED] = {"template.placed", "pieces placed"},
};

struct state {
    uint16_t own[2];
    uint8_t next; /* 0 or 1 */
    uint8_t zero; /* no padding: a state is compared byte by byte */
} NONET_LITTLE_ENDIAN;

static int row_of(const struct nonet_options *options) {
    return options->value[ROW].text[0] - '0';
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    *(struct state *)state = (struct state){0};
}

/* The cells where a piece may be placed. */
static uint16_t gaps(const struct nonet_options *options, const struct state *s) {
    unsigned placed = s->own[0] | s->own[1];
    unsigned row = (1u << row_of(options)) - 1;
    return (uint16_t)(row & ~(placed | placed << 1 | placed >> 1));
}

static int turn(const struct nonet_options *options, const void *state) {
    const struct state *s = state;
    return gaps(options, s) != 0 ? s->next + 1 : 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->next + 1;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    return nonet_bits_list16(gaps(options, state), 0, moves);
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options, (void)workspace;
    struct state *s = state;
    s->own[s->next] |= (uint16_t)(1u << move);
    s->next ^= 1;
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    const struct state *s = state;
    result->winners = (uint8_t)(1u << (1 - s->next));
    result->reason = nonet_say(&phrases[NO_GAP], nonet_player(s->next + 1));
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    int row = row_of(options), cell = (int)move;
    unsigned placed = s->own[0] | s->own[1];
    if (turn(options, s) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (move >= (nonet_move)row)
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (placed >> cell & 1)
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], nonet_cell_argument(row, cell));
    else if (placed & (5u << cell >> 1))
        *why = nonet_say(&phrases[BESIDE], nonet_cell_argument(row, cell),
                         nonet_cell_argument(row, placed >> cell >> 1 & 1 ? cell + 1 : cell - 1));
    else
        return true;
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    nonet_cell_print(row_of(options), (int)move, out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    int cell = nonet_cell_parse(text, row_of(options), 1, why);
    *move = (nonet_move)cell;
    return cell >= 0;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    const struct state *s = state;
    for (int cell = 0; cell < row_of(options); cell++)
        nonet_text_char(out, s->own[0] >> cell & 1 ? 'A' : s->own[1] >> cell & 1 ? 'B' : '.');
    nonet_text_format(out, " %d", s->next + 1);
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    char letters[9];
    int row = row_of(options), next;
    if (!nonet_board_scan(&text, row, 1, ".AB", letters, why) ||
        !nonet_turn_scan(&text, 2, &next, why))
        return false;
    struct state s = {.next = (uint8_t)(next - 1)};
    for (int cell = 0; cell < row; cell++) {
        if (letters[cell] == '.')
            continue;
        s.own[letters[cell] - 'A'] |= (uint16_t)(1u << cell);
        if (cell > 0 && letters[cell - 1] != '.') {
            *why = nonet_say(&phrases[TOUCHING], nonet_cell_argument(row, cell - 1),
                             nonet_cell_argument(row, cell));
            return false;
        }
    }
    int first = nonet_bits_count(s.own[0]), second = nonet_bits_count(s.own[1]);
    if (first != second + s.next) {
        *why = nonet_say(&nonet_common[NONET_SAY_UNBALANCED], nonet_number(first),
                         nonet_number(second));
        return false;
    }
    *(struct state *)state = s;
    return true;
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = (uint16_t)move;
    return 1;
}

static const enum nonet_material woods[2] = {NONET_MAPLE, NONET_WALNUT};

/* Shows whose piece it is: by owner, by letter and in words. */
static void mark(const struct nonet_options *options, int player, int cell,
                 struct nonet_piece *piece) {
    piece->owner = (uint8_t)(player + 1);
    piece->mark[0] = (char)('A' + player);
    piece->label = nonet_say(&phrases[PIECE_OF], nonet_player(player + 1),
                             nonet_cell_argument(row_of(options), cell));
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    int row = row_of(options);
    nonet_scene_board(scene, row, 1);
    for (int cell = 0; cell < row; cell++)
        for (int player = 0; player < 2; player++)
            if (s->own[player] >> cell & 1)
                mark(options, player, cell,
                     nonet_scene_on_cell(scene, cell, NONET_DISC, woods[player]));
}

/* For a panel: what each player would count. */
static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    (void)options;
    const struct state *s = state;
    for (int player = 0; player < 2; player++)
        nonet_standing_add(standings, player + 1, nonet_bits_count(s->own[player]),
                           nonet_say(&phrases[PLACED]));
}

/* For an editor: what can stand on a cell. The position text has the letters that mark them. */
static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    for (int player = 0; player < 2; player++) {
        kinds[player] = nonet_piece_on(0, NONET_DISC, woods[player]);
        mark(options, player, 0, &kinds[player]);
        kinds[player].label =
            nonet_say(&nonet_common[NONET_SAY_PIECE_KIND], nonet_player(player + 1));
    }
    return 2;
}
static const struct nonet_editor editor = {.kinds = kinds};

/* The row looks the same from its other end: two symmetries, the first of which changes nothing. */
static int symmetries(const struct nonet_options *options) {
    (void)options;
    return 2;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    return symmetry == 0 ? move : (nonet_move)row_of(options) - 1 - move;
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    const struct state *s = state;
    struct state t = {.next = s->next};
    for (int cell = 0; cell < row_of(options); cell++)
        for (int player = 0; player < 2; player++)
            if (s->own[player] >> cell & 1)
                t.own[player] |= (uint16_t)(1u << turn_move(options, symmetry, (nonet_move)cell));
    *(struct state *)turned = t;
}

const struct nonet_game nonet_template = {
    .id = "template",
    .title = "Gaps",
    .author = "the Nonet maintainers",
    .year = "2026",
    .summary = "Find a gap, leave none: the template for a new game.",
    .box = "a row of cells and nine discs",
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
    .scene = scene,
    .standings = standings,
    .editor = &editor,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
};
