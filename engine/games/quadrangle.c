/* Quadrangle (Nazareno Signoretto): on a 4x4 board, players in turn place a piece on an empty cell.
 * The first player with four own pieces that are the corners of a rectangle wins; a full board
 * without one is a draw.
 *
 * Position text: the board from the top rank, A and B for the players' pieces, a dot for an empty
 * cell, then the player next in turn: "..../.B../.A../.... 1". A move is the cell's number. */
#include "../base/bits.h"
#include "../rules/standings.h"
#include "board4.h"

enum { RECTANGLES };
static const struct nonet_option options_table[] = {
    [RECTANGLES] = {.key = "rectangles",
                    .values = "any|upright",
                    .help = "which rectangles win: also tilted ones, or only those along the rows",
                    .kind = NONET_CHOICE},
    NONET_SWAP_OPTION,
    {0},
};

enum { TWO_RECTANGLES, NO_LAST_MOVE, RECTANGLE_OF, TO_PLACE };
static const struct nonet_phrase phrases[] = {
    [TWO_RECTANGLES] =
        {"quadrangle.two-rectangles",
         "player {0} has a rectangle, so the game ended before player {1} could move"},
    [NO_LAST_MOVE] = {"quadrangle.no-last-move",
                      "player {0} has rectangles that no single last move can have completed"},
    [RECTANGLE_OF] = {"quadrangle.rectangle-of", "player {0} has completed a rectangle"},
    [TO_PLACE] = {"quadrangle.to-place", "pieces to place"},
};

enum { GOING_ON, WON_BY_1, WON_BY_2, DRAWN };
struct state {
    uint16_t own[2];
    uint8_t next;    /* 0 or 1: whose turn comes next, also after the end */
    uint8_t outcome; /* follows from the pieces; kept because every move asks for it */
} NONET_LITTLE_ENDIAN;

static enum board4_rectangles kind_of(const struct nonet_options *options) {
    return (enum board4_rectangles)options->value[RECTANGLES].number;
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    *(struct state *)state = (struct state){0};
}

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    const struct state *s = state;
    return s->outcome == GOING_ON ? s->next + 1 : 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->next + 1;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    (void)options;
    const struct state *s = state;
    if (s->outcome != GOING_ON)
        return 0;
    return nonet_bits_list16((uint16_t) ~(s->own[0] | s->own[1]), 0, moves);
}

static uint8_t outcome_of(const struct nonet_options *options, const struct state *s, int mover) {
    if (board4_has_rectangle(s->own[mover], kind_of(options)))
        return (uint8_t)(WON_BY_1 + mover);
    return (s->own[0] | s->own[1]) == 0xffff ? DRAWN : GOING_ON;
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)workspace;
    struct state *s = state;
    int mover = s->next;
    s->own[mover] = (uint16_t)(s->own[mover] | 1u << move);
    s->next ^= 1;
    if (board4_completes_rectangle(s->own[mover], (int)move, kind_of(options)))
        s->outcome = (uint8_t)(WON_BY_1 + mover);
    else if ((s->own[0] | s->own[1]) == 0xffff)
        s->outcome = DRAWN;
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    const struct state *s = state;
    if (s->outcome == DRAWN) {
        result->winners = 3;
        result->reason = nonet_say(&nonet_common[NONET_SAY_FULL_BOARD]);
    } else {
        result->winners = s->outcome;
        result->reason = nonet_say(&phrases[RECTANGLE_OF], nonet_player(s->outcome));
    }
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (turn(options, s) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (move >= BOARD4_CELLS)
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if ((s->own[0] | s->own[1]) >> move & 1)
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], nonet_cell_argument(4, (int)move));
    else
        return true;
    return false;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    (void)options;
    const struct state *s = state;
    board4_write(2, (uint16_t[]){s->own[0], s->own[1]}, out);
    nonet_text_format(out, " %d", s->next + 1);
}

/* The pieces that every rectangle needs: one of them must have been placed last. */
static uint16_t last_moves(const struct nonet_options *options, uint16_t own) {
    unsigned found = 0;
    for (unsigned rest = own; rest != 0; rest &= rest - 1)
        if (!board4_has_rectangle((uint16_t)(own & ~(rest & -rest)), kind_of(options)))
            found |= rest & -rest;
    return (uint16_t)found;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    uint16_t own[2];
    int next;
    if (!board4_scan(&text, 2, own, why) || !nonet_turn_scan(&text, 2, &next, why) ||
        !nonet_placed_in_turn(nonet_bits_count(own[0]), nonet_bits_count(own[1]), next, why))
        return false;
    struct state s = {.own = {own[0], own[1]}, .next = (uint8_t)(next - 1)};
    if (board4_has_rectangle(s.own[s.next], kind_of(options))) {
        *why = nonet_say(&phrases[TWO_RECTANGLES], nonet_player(next), nonet_player(3 - next));
        return false;
    }
    s.outcome = outcome_of(options, &s, 1 - s.next);
    if (s.outcome == WON_BY_1 + 1 - s.next && last_moves(options, s.own[1 - s.next]) == 0) {
        *why = nonet_say(&phrases[NO_LAST_MOVE], nonet_player(3 - next));
        return false;
    }
    *(struct state *)state = s;
    return true;
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    nonet_scene_board(scene, BOARD4_SIDE, BOARD4_SIDE);
    nonet_scene_hands(scene, 2);
    for (int player = 0; player < 2; player++) {
        int to_place = BOARD4_CELLS / 2 - nonet_bits_count(s->own[player]);
        board4_pieces_to_place(scene, BOARD4_CELLS + player, player + 1, to_place);
        for (unsigned rest = s->own[player]; rest != 0; rest &= rest - 1) {
            int cell = nonet_bits_first(rest);
            struct nonet_piece *piece = board4_piece(scene, cell, player + 1);
            piece->lit = s->outcome == WON_BY_1 + player &&
                         board4_in_rectangle(s->own[player], cell, kind_of(options));
        }
    }
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    (void)options;
    const struct state *s = state;
    for (int player = 0; player < 2; player++)
        nonet_standing_add(standings, player + 1,
                           BOARD4_CELLS / 2 - nonet_bits_count(s->own[player]),
                           nonet_say(&phrases[TO_PLACE]));
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    (void)options;
    struct state s = *(const struct state *)state;
    for (int player = 0; player < 2; player++)
        s.own[player] = board4_turn(symmetry, s.own[player]);
    *(struct state *)turned = s;
}

static void canonical(const struct nonet_options *options, const void *state, void *canonical) {
    (void)options;
    struct state s = *(const struct state *)state;
    uint64_t least = board4_least((uint64_t)s.own[0] << 16 | s.own[1]);
    s.own[0] = (uint16_t)(least >> 16);
    s.own[1] = (uint16_t)least;
    *(struct state *)canonical = s;
}

/* What the rectangles are worth that a player can still complete, by the corners the player holds:
 * never all four while the game goes on. */
static int prospects(const struct nonet_options *options, const struct state *s, int player) {
    static const uint8_t worth[] = {0, 2, 8, 40};
    const uint16_t *rectangles = board4_rectangles[kind_of(options)];
    unsigned own = s->own[player], enemy = s->own[1 - player];
    int sum = 0;
    for (int i = 0; i < BOARD4_RECTANGLES; i++)
        if (!(rectangles[i] & enemy))
            sum += worth[nonet_bits_count(rectangles[i] & own) & 3];
    return sum;
}

static int evaluate(const struct nonet_options *options, const void *state, int player) {
    return prospects(options, state, player - 1) - prospects(options, state, 2 - player);
}

static int action_count(const struct nonet_options *options) {
    (void)options;
    return BOARD4_CELLS;
}

/* Of levels 1 to 9, found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{16, 17, 19, 23, 27, 33, 43, 51, 73}};

const struct nonet_game nonet_quadrangle = {
    .id = "quadrangle",
    .title = "Quadrangle",
    .author = "Nazareno Signoretto",
    .year = "",
    .summary = "Own the four corners of a rectangle.",
    .box = "the Joechi box: a 4x4 board, 8 maple and 8 walnut pieces",
    .minutes = 5,
    .min_players = 2,
    .max_players = 2,
    .facts = NONET_FEW_POSITIONS,
    .state_size = sizeof(struct state),
    .options = options_table,
    .phrases = phrases,
    .phrase_count = sizeof phrases / sizeof phrases[0],
    .swap_after = 3,
    .start = start,
    .turn = turn,
    .next = next,
    .moves = moves,
    .play = play,
    .result = result,
    .why = why,
    .print = board4_print_cell,
    .parse = board4_parse_cell,
    .write = write,
    .read = read,
    .touches = board4_touch_cell,
    .scene = scene,
    .standings = standings,
    .editor = &board4_editor,
    .symmetries = board4_symmetries,
    .turn_state = turn_state,
    .turn_move = board4_turn_move,
    .canonical = canonical,
    .evaluate = evaluate,
    .skills = skills,
    .action_count = action_count,
};
