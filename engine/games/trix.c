/* Trix (Nazareno Signoretto): two players with three pieces each on a 4x4 board race into each
 * other's camp.
 *
 * A move takes one of the player's own pieces. It either steps to an empty neighbouring cell in any
 * of eight directions, or jumps over one neighbouring piece of either colour, straight on to the
 * empty cell right behind it. Jumps may be chained and may change direction. During a chain the
 * cell that the piece came from counts as empty, but the chain must not end there. Nothing is
 * captured. A move is named by where it starts and ends; the way between does not matter. The first
 * player who has all three pieces home wins. With an option, a player also wins when after their
 * own move all cells of their home are occupied, at least one of them by their own piece.
 *
 * A jump takes a piece two files or two ranks on, or both. On a 4x4 board there is only one such
 * file and one such rank. So a piece jumps only between four cells, the corners of a 3x3 square,
 * and never over a piece on one of those four. This is what makes `jumps` short.
 *
 * Position text: the board from the top rank, A and B for the players' pieces, a dot for an empty
 * cell, then the player next in turn: "..BB/...B/A.../AA.. 1". A move is the cell it ends on, plus
 * the piece's cell times 16. */
#include <assert.h>

#include "../base/bits.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "board4.h"

enum { PIECES = 3 };

enum { CAMPS, GOAL };
enum { CORNER, SIDE };
enum { THREE, FILLED };
static const struct nonet_option options_table[] = {
    [CAMPS] = {.key = "camps",
               .values = "corner|side",
               .help = "where the pieces start: in opposite corners, or on opposite sides",
               .kind = NONET_CHOICE},
    [GOAL] = {.key = "goal",
              .values = "three|filled",
              .help = "what wins: all three pieces home, or also a home with no empty cell left",
              .kind = NONET_CHOICE},
    NONET_SWAP_OPTION,
    {0},
};

enum {
    STAYS,
    NO_WAY,
    NOT_A_MOVE,
    ALL_HOME,
    HOME_FILLED,
    WRONG_COUNT,
    ALREADY_HOME,
    COUNT_HOME,
    ABOUT_TO_FILL,
    PIECES_HOME,
};
static const struct nonet_phrase phrases[] = {
    [STAYS] = {"trix.stays", "a move must not end on {0}, where it started"},
    [NO_WAY] = {"trix.no-way", "{1} is not one step from {0}, and no chain of jumps leads there"},
    [NOT_A_MOVE] = {"trix.not-a-move",
                    "\"{0}\" is not a move: name a piece's cell and the cell it goes to, as in "
                    "a1b2; the cells are a1 to d4"},
    [ALL_HOME] = {"trix.all-home", "player {0} has all three pieces home"},
    [HOME_FILLED] = {"trix.home-filled",
                     "player {0} has moved, and no cell of that player's home is empty"},
    [WRONG_COUNT] = {"trix.wrong-count",
                     "player {0} must have 3 pieces, not {1}: nothing is captured"},
    [ALREADY_HOME] =
        {"trix.already-home",
         "player {0} has all three pieces home, so the game ended before player {1} could move"},
    [COUNT_HOME] = {"trix.count-home", "player {0} now has {1} of 3 pieces home"},
    [ABOUT_TO_FILL] = {"trix.about-to-fill",
                       "no cell of player {0}'s home is empty: player {0} wins by any move that "
                       "leaves it so"},
    [PIECES_HOME] = {"trix.pieces-home", "pieces home"},
};

enum { NOBODY }; /* as a winner */
struct state {
    uint16_t own[2];
    uint8_t next;   /* 0 or 1: whose turn comes next, also after the end */
    uint8_t winner; /* 1 or 2; follows from the rest and is kept because every move asks for it */
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 6, "a state has no padding");

#define LOWER_LEFT 0x0013  /* a1 b1 a2 */
#define UPPER_RIGHT 0xc800 /* d3 c4 d4 */

static const uint16_t start_cells[][2] = {
    [CORNER] = {LOWER_LEFT, UPPER_RIGHT}, [SIDE] = {0x0007, 0xe000}, /* a1 b1 c1, b4 c4 d4 */
};

/* The cells that each player must reach. */
static const uint16_t homes[][2] = {
    [CORNER] = {UPPER_RIGHT, LOWER_LEFT},
    [SIDE] = {BOARD4_ROW(3), BOARD4_ROW(0)},
};

static const uint16_t *homes_of(const struct nonet_options *options) {
    return homes[options->value[CAMPS].number];
}

static unsigned occupied(const struct state *s) {
    return s->own[0] | s->own[1];
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)workspace;
    const uint16_t *cells = start_cells[options->value[CAMPS].number];
    *(struct state *)state = (struct state){.own = {cells[0], cells[1]}};
}

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    const struct state *s = state;
    return s->winner == NOBODY ? s->next + 1 : 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->next + 1;
}

/* A player's pieces one by one: each in a lane of its own, so that all of them move at once. */
static uint64_t lanes_of(unsigned own) {
    uint64_t lanes = 0;
    for (int piece = 0; piece < PIECES; piece++, own &= own - 1)
        lanes |= (uint64_t)(own & -own) << 16 * piece;
    return lanes;
}

/* Where pieces would step: to the neighbours in eight directions. */
static uint64_t steps(uint64_t lanes) {
    uint64_t beside = (lanes & ~BOARD4_LANES(BOARD4_COLUMN(3))) << 1 |
                      (lanes & ~BOARD4_LANES(BOARD4_COLUMN(0))) >> 1;
    uint64_t row = lanes | beside;
    return beside | (row & ~BOARD4_LANES(BOARD4_ROW(3))) << 4 |
           (row & ~BOARD4_LANES(BOARD4_ROW(0))) >> 4;
}

/* The cells two files away, and those two ranks away. */
static uint64_t two_files(uint64_t lanes) {
    uint64_t left = BOARD4_LANES(BOARD4_COLUMN(0) | BOARD4_COLUMN(1));
    return (lanes & left) << 2 | (lanes >> 2 & left);
}
static uint64_t two_ranks(uint64_t lanes) {
    uint64_t lower = BOARD4_LANES(BOARD4_ROW(0) | BOARD4_ROW(1));
    return (lanes & lower) << 8 | (lanes >> 8 & lower);
}

/* Where chains of jumps take pieces. */
static uint64_t jumps(uint64_t lanes, unsigned all) {
    /* the cells next to a piece that can be jumped over sideways, vertically, diagonally */
    unsigned in_files = all & (BOARD4_COLUMN(1) | BOARD4_COLUMN(2));
    unsigned in_ranks = all & (BOARD4_ROW(1) | BOARD4_ROW(2));
    unsigned in_both = in_files & in_ranks;
    uint64_t sideways = BOARD4_LANES(in_files << 1 | in_files >> 1);
    uint64_t vertical = BOARD4_LANES(in_ranks << 4 | in_ranks >> 4);
    uint64_t aslant = BOARD4_LANES(in_both << 5 | in_both << 3 | in_both >> 3 | in_both >> 5);
    uint64_t empty = BOARD4_LANES(~all & 0xffff);
    uint64_t reached = lanes;
    for (int i = 0; i < 3; i++) /* there are only three other cells */
        reached |= (two_files(reached & sideways) | two_ranks(reached & vertical) |
                    two_files(two_ranks(reached & aslant))) &
                   empty;
    return reached;
}

/* Where each piece of a player can go, in its lane. */
static uint64_t destinations(const struct state *s, int player) {
    uint64_t lanes = lanes_of(s->own[player]);
    return (steps(lanes) | jumps(lanes, occupied(s))) & ~BOARD4_LANES(occupied(s));
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    (void)options;
    const struct state *s = state;
    if (s->winner != NOBODY)
        return 0;
    int count = 0;
    uint64_t lanes = destinations(s, s->next);
    for (unsigned rest = s->own[s->next]; rest != 0; rest &= rest - 1, lanes >>= 16)
        count += nonet_bits_list16((uint16_t)lanes, (uint32_t)nonet_bits_first(rest) << 4,
                                   moves + count);
    return count;
}

static int from_of(nonet_move move) {
    return move >> 4 & 15;
}
static int to_of(nonet_move move) {
    return move & 15;
}

static bool is_home(const struct nonet_options *options, const struct state *s, int player) {
    return (s->own[player] & ~homes_of(options)[player]) == 0;
}

static bool is_filled(const struct nonet_options *options, const struct state *s, int player) {
    unsigned home = homes_of(options)[player];
    return options->value[GOAL].number == FILLED && (home & ~occupied(s)) == 0 &&
           (home & s->own[player]) != 0;
}

/* The winner, if the player who moved last is one. */
static uint8_t winner_of(const struct nonet_options *options, const struct state *s) {
    int last = 1 - s->next;
    return (uint8_t)(is_home(options, s, last) || is_filled(options, s, last) ? last + 1 : NOBODY);
}

static void move_piece(const struct nonet_options *options, struct state *s, unsigned from,
                       unsigned to) {
    s->own[s->next] = (uint16_t)(s->own[s->next] ^ from ^ to);
    s->next ^= 1;
    s->winner = winner_of(options, s);
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)workspace;
    move_piece(options, state, 1u << from_of(move), 1u << to_of(move));
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    const struct state *s = state;
    result->winners = s->winner;
    result->reason =
        nonet_say(&phrases[is_home(options, s, s->winner - 1) ? ALL_HOME : HOME_FILLED],
                  nonet_player(s->winner));
}

/* Whether jumps lead from one cell to another, tried one jump at a time. The cell that the piece
 * started from must be empty in `all`. */
static bool jumps_lead(unsigned all, int from, int to) {
    bool reached[BOARD4_CELLS] = {[0] = false};
    int waiting[BOARD4_CELLS] = {from}, count = 1;
    reached[from] = true;
    for (int i = 0; i < count; i++)
        for (int up = -1; up <= 1; up++)
            for (int right = -1; right <= 1; right++) {
                int file = waiting[i] % 4 + 2 * right, rank = waiting[i] / 4 + 2 * up;
                if (file < 0 || file > 3 || rank < 0 || rank > 3)
                    continue;
                int landing = file + 4 * rank, over = waiting[i] + right + 4 * up;
                if (all >> over & 1 && !(all >> landing & 1) && !reached[landing]) {
                    reached[landing] = true;
                    waiting[count++] = landing;
                }
            }
    return reached[to];
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    int from = from_of(move), to = to_of(move);
    int files = to % 4 - from % 4, ranks = to / 4 - from / 4;
    bool step = files * files <= 1 && ranks * ranks <= 1;
    struct nonet_argument start_cell = nonet_cell_argument(BOARD4_SIDE, from);
    struct nonet_argument end_cell = nonet_cell_argument(BOARD4_SIDE, to);
    if (turn(options, s) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (move >= BOARD4_CELLS * BOARD4_CELLS)
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (!(occupied(s) >> from & 1))
        *why = nonet_say(&nonet_common[NONET_SAY_EMPTY], start_cell);
    else if (!(s->own[s->next] >> from & 1))
        *why = nonet_say(&nonet_common[NONET_SAY_NOT_YOURS], start_cell);
    else if (from == to)
        *why = nonet_say(&phrases[STAYS], start_cell);
    else if (occupied(s) >> to & 1)
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], end_cell);
    else if (!step && !jumps_lead(occupied(s) & ~(1u << from), from, to))
        *why = nonet_say(&phrases[NO_WAY], start_cell, end_cell);
    else
        return true;
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    (void)options;
    nonet_cell_print(BOARD4_SIDE, from_of(move), out);
    nonet_cell_print(BOARD4_SIDE, to_of(move), out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    (void)options;
    const char *cursor = text;
    int from = nonet_cell_scan(&cursor, BOARD4_SIDE, BOARD4_SIDE);
    int to = nonet_cell_scan(&cursor, BOARD4_SIDE, BOARD4_SIDE);
    if (from < 0 || to < 0 || *cursor != '\0') {
        *why = nonet_say(&phrases[NOT_A_MOVE], nonet_quote(text));
        return false;
    }
    *move = (nonet_move)(from << 4 | to);
    return true;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    (void)options;
    const struct state *s = state;
    board4_write(2, (uint16_t[]){s->own[0], s->own[1]}, out);
    nonet_text_format(out, " %d", s->next + 1);
}

/* Every other position of three pieces each can arise in play. */
static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    uint16_t own[2];
    int next;
    if (!board4_scan(&text, 2, own, why) || !nonet_turn_scan(&text, 2, &next, why))
        return false;
    struct state s = {.own = {own[0], own[1]}, .next = (uint8_t)(next - 1)};
    for (int player = 0; player < 2; player++)
        if (nonet_bits_count(s.own[player]) != PIECES) {
            *why = nonet_say(&phrases[WRONG_COUNT], nonet_player(player + 1),
                             nonet_number(nonet_bits_count(s.own[player])));
            return false;
        }
    s.winner = winner_of(options, &s);
    if (is_home(options, &s, s.next)) {
        *why = nonet_say(&phrases[ALREADY_HOME], nonet_player(next), nonet_player(3 - next));
        return false;
    }
    *(struct state *)state = s;
    return true;
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = (uint16_t)from_of(move);
    places[1] = (uint16_t)to_of(move);
    return 2;
}

/* The pieces in the winner's home are lit: the winner's own, or all that fill it. */
static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    unsigned lit = 0;
    if (s->winner != NOBODY)
        lit = is_home(options, s, s->winner - 1) ? s->own[s->winner - 1]
                                                 : homes_of(options)[s->winner - 1];
    nonet_scene_board(scene, BOARD4_SIDE, BOARD4_SIDE);
    for (int player = 0; player < 2; player++)
        for (unsigned rest = homes_of(options)[player]; rest != 0; rest &= rest - 1)
            scene->places[nonet_bits_first(rest)].home = (uint8_t)(player + 1);
    for (int player = 0; player < 2; player++)
        for (unsigned rest = s->own[player]; rest != 0; rest &= rest - 1) {
            int cell = nonet_bits_first(rest);
            board4_piece(scene, cell, player + 1)->lit = lit >> cell & 1;
        }
}

static int count_home(const struct nonet_options *options, const struct state *s, int player) {
    return nonet_bits_count(s->own[player] & homes_of(options)[player]);
}

/* How many pieces are home, when that changes. The result tells of a win. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    const struct state *old = before, *new = after;
    int mover = old->next, waiting = new->next, home = count_home(options, new, mover);
    nonet_journey_add(events, from_of(move), to_of(move));
    if (home != count_home(options, old, mover) && home < PIECES)
        nonet_event_at(
            nonet_event_add(events, nonet_say(&phrases[COUNT_HOME], nonet_player(mover + 1),
                                              nonet_number(home))),
            to_of(move));
    if (new->winner == NOBODY && is_filled(options, new, waiting) &&
        !is_filled(options, old, waiting))
        nonet_event_at_cells(
            nonet_event_add(events, nonet_say(&phrases[ABOUT_TO_FILL], nonet_player(waiting + 1))),
            homes_of(options)[waiting]);
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    for (int player = 0; player < 2; player++)
        nonet_standing_add(standings, player + 1, count_home(options, state, player),
                           nonet_say(&phrases[PIECES_HOME]))
            ->most = PIECES;
}

/* The mirror that keeps both homes where they are: the diagonal a1-d4 for corners, left and right
 * for sides. The number is board4_turn's. */
static int mirror(const struct nonet_options *options, int symmetry) {
    return symmetry == 0 ? 0 : options->value[CAMPS].number == CORNER ? 4 : 1;
}

static int symmetries(const struct nonet_options *options) {
    (void)options;
    return 2;
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    struct state s = *(const struct state *)state;
    for (int player = 0; player < 2; player++)
        s.own[player] = board4_turn(mirror(options, symmetry), s.own[player]);
    *(struct state *)turned = s;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    int from = board4_turn_cell(mirror(options, symmetry), from_of(move));
    int to = board4_turn_cell(mirror(options, symmetry), to_of(move));
    return (nonet_move)(from << 4 | to);
}

/* What a player's pieces are worth by their distance from home in steps, ignoring jumps. A piece
 * that is home is worth most: the opponent's pieces cannot block it any more. */
static int progress(const struct nonet_options *options, const struct state *s, int player) {
    enum { HOME = 40, NEAR = 15, MIDWAY = 10, TEMPO = 15 };
    uint64_t home = homes_of(options)[player], near = home | (steps(home) & 0xffff);
    uint64_t midway = near | (steps(near) & 0xffff);
    return HOME * nonet_bits_count(s->own[player] & home) +
           NEAR * nonet_bits_count(s->own[player] & near) +
           MIDWAY * nonet_bits_count(s->own[player] & midway) + (s->next == player ? TEMPO : 0);
}

static int evaluate(const struct nonet_options *options, const void *state, int player) {
    return progress(options, state, player - 1) - progress(options, state, 2 - player);
}

static int action_count(const struct nonet_options *options) {
    (void)options;
    return BOARD4_CELLS * BOARD4_CELLS;
}

/* Of levels 1 to 9, found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{16, 19, 23, 28, 35, 41, 46, 57, 69}};

const struct nonet_game nonet_trix = {
    .id = "trix",
    .title = "Trix",
    .author = "Nazareno Signoretto",
    .year = "",
    .summary = "Step and jump your three pieces into the other camp.",
    .box = "the Joechi box: a 4x4 board, 3 maple and 3 walnut pieces",
    .minutes = 10,
    .min_players = 2,
    .max_players = 2,
    .facts = NONET_REPETITION_DRAWS | NONET_FEW_POSITIONS,
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
    .events = events,
    .standings = standings,
    .editor = &board4_editor,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .evaluate = evaluate,
    .skills = skills,
    .action_count = action_count,
};
