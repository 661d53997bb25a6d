/* Chasm (Nazareno Signoretto, 1999): two to four players with four pieces each on a 4x4 board.
 *
 * First all players place their pieces, one each in turn, on empty cells outside the rows and
 * columns of their own pieces. A player who has no such cell may use any empty one. Then they move
 * in turn, player 1 first. A move steps one of the player's own pieces one cell sideways, up or
 * down. If that cell is occupied, the unbroken line of pieces ahead is pushed on by one, and a
 * piece pushed over the edge is lost. A player who has exactly one piece left wins, whoever pushed
 * the others off.
 *
 * There is always a move. While the game goes on, every player has at least two pieces; from every
 * cell there is a step that stays on the board, and a push is never blocked. No player ever runs
 * out of pieces, as pieces are lost one at a time and the game ends when a player has one left.
 *
 * Position text: the board from the top rank, A to D for the players' pieces, a dot for an empty
 * cell, then "place" or "move", then the player next in turn: "...A/.B../..../.... place 1". A move
 * that places is the cell's number. A move that steps is the piece's cell, the cell it steps to
 * times 16, and a mark, because a cell number alone would mean placing. */
#include "../base/bits.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "chasm_board.h"

enum { PLAYERS };
static const struct nonet_option options_table[] = {
    [PLAYERS] = {.key = "players",
                 .values = "2|3|4",
                 .help = "number of players",
                 .kind = NONET_CHOICE},
    NONET_SWAP_OPTION,
    {0},
};

enum {
    IN_ROW,
    IN_COLUMN,
    STILL_PLACING,
    ALL_PLACED,
    NOT_A_STEP,
    NOT_A_MOVE,
    LAST_PIECE,
    NO_PHASE,
    PLACED_UNEVENLY,
    PLACED_WRONGLY,
    PLACING_OVER,
    NO_PIECE,
    TWO_WINNERS,
    NO_LAST_MOVE,
    PUSHED_ON,
    PUSHED_OFF,
    MOVING_BEGINS,
    ANY_CELL,
    PIECES_LEFT,
    PHASE,
    PLACE_WORD, /* and the next: the phases */
    MOVE_WORD,
};
static const struct nonet_phrase phrases[] = {
    [IN_ROW] = {"chasm.in-row", "{0} is in the row of your piece on {1}"},
    [IN_COLUMN] = {"chasm.in-column", "{0} is in the column of your piece on {1}"},
    [STILL_PLACING] = {"chasm.still-placing",
                       "pieces are still being placed: name only the empty cell for yours"},
    [ALL_PLACED] = {"chasm.all-placed",
                    "all pieces are placed: name one of yours and the cell it steps to"},
    [NOT_A_STEP] = {"chasm.not-a-step", "{0} to {1} is not one step sideways, up or down"},
    [NOT_A_MOVE] = {"chasm.not-a-move",
                    "\"{0}\" is not a move: name a cell to place a piece, as in a1, or a piece's "
                    "cell and the cell it steps to, as in a1b1; the cells are a1 to d4"},
    [LAST_PIECE] = {"chasm.last-piece", "player {0} has only one piece left"},
    [NO_PHASE] = {"chasm.no-phase", "\"place\" or \"move\" must follow the board, not \"{0}\""},
    [PLACED_UNEVENLY] =
        {"chasm.placed-unevenly",
         "pieces placed by player {0}: {1}; with {2} on the board, placed in turn, it must be {3}"},
    [PLACED_WRONGLY] = {"chasm.placed-wrongly",
                        "in whatever order the pieces were placed, one was put into a row or "
                        "column of its owner although a cell outside them was empty"},
    [PLACING_OVER] = {"chasm.placing-over",
                      "all pieces are placed, so the players move: \"move\", not \"place\""},
    [NO_PIECE] = {"chasm.no-piece",
                  "player {0} has no piece left, but the game ends when one is left"},
    [TWO_WINNERS] = {"chasm.two-winners", "players {0} and {1} have one piece left each, but the "
                                          "game ended when the first of them did"},
    [NO_LAST_MOVE] = {"chasm.no-last-move", "no move of player {0} leads to this position"},
    [PUSHED_ON] = {"chasm.pushed-on", "a piece of player {0} is pushed from {1} to {2}"},
    [PUSHED_OFF] = {"chasm.pushed-off",
                    "a piece of player {0} is pushed off the board from {1}; pieces left: {2}"},
    [MOVING_BEGINS] = {"chasm.moving-begins",
                       "all pieces are placed: from now on pieces move and push, player {0} first"},
    [ANY_CELL] = {"chasm.any-cell",
                  "no empty cell is left outside the rows and columns of player {0}: now any empty "
                  "cell will do"},
    [PIECES_LEFT] = {"chasm.pieces-left", "pieces left"},
    [PHASE] = {"chasm.phase", "what the players do"},
    [PLACE_WORD] = {"chasm.place-word", "place pieces"},
    [MOVE_WORD] = {"chasm.move-word", "move pieces"},
};

static uint16_t occupied(const struct state *s) {
    uint64_t half = s->pieces | s->pieces >> 32;
    return (uint16_t)(half | half >> 16);
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    *(struct state *)state = (struct state){0};
}

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    const struct state *s = state;
    return s->phase == FINISHED ? 0 : (int)s->next + 1;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return (int)((const struct state *)state)->next + 1;
}

/* All cells in a row or column of one of these. */
static unsigned rows_and_columns(unsigned set) {
    unsigned columns = set | set >> 8;
    columns = (columns | columns >> 4) & BOARD4_ROW(0);
    unsigned rows = set | set >> 2;
    rows = (rows | rows >> 1) & BOARD4_COLUMN(0);
    return columns * BOARD4_COLUMN(0) | rows * BOARD4_ROW(0);
}

/* Where a player with these pieces may place another. */
static uint16_t placements(unsigned own, unsigned all) {
    unsigned apart = ~(all | rows_and_columns(own)) & 0xffff;
    return (uint16_t)(apart != 0 ? apart : ~all);
}

enum { STEP_MARK = 0x100 };
#define STEP(from, to) ((nonet_move)(STEP_MARK | (from) | (to) << 4))
static bool is_step(nonet_move move) {
    return move & STEP_MARK;
}
static bool is_move(nonet_move move) {
    return move < BOARD4_CELLS || (move >= STEP(0, 0) && move <= STEP(15, 15));
}
static int from_of(nonet_move move) {
    return move & 15;
}
static int to_of(nonet_move move) {
    return move >> 4 & 15;
}

/* The directions of a step: how far it goes in cell numbers, and the edge that ends it. */
enum { EAST, WEST, NORTH, SOUTH, DIRECTIONS };
static const struct direction {
    int step;
    uint16_t edge;
} directions[DIRECTIONS] = {
    [EAST] = {1, BOARD4_COLUMN(3)},
    [WEST] = {-1, BOARD4_COLUMN(0)},
    [NORTH] = {4, BOARD4_ROW(3)},
    [SOUTH] = {-4, BOARD4_ROW(0)},
};

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    (void)options;
    const struct state *s = state;
    if (s->phase == FINISHED)
        return 0;
    unsigned own = own_of(s, (int)s->next);
    if (s->phase == PLACING)
        return nonet_bits_list16(placements(own, occupied(s)), 0, moves);
    int count = 0;
    for (const struct direction *d = directions; d < directions + DIRECTIONS; d++)
        for (unsigned rest = own & ~d->edge; rest != 0; rest &= rest - 1) {
            int from = nonet_bits_first(rest);
            moves[count++] = STEP(from, from + d->step);
        }
    return count;
}

/* The pieces of all players one step on. Those on the edge must have been taken out before, so that
 * nothing wraps into another row or player. */
static uint64_t shift(uint64_t pieces, int step) {
    return step > 0 ? pieces << step : pieces >> -step;
}

/* Steps a piece from a cell and pushes the pieces ahead of it. */
static void step(struct state *s, int from, int to) {
    const struct direction *d = directions;
    while (d->step != to - from)
        d++;
    uint64_t all = BOARD4_LANES(occupied(s)), inside = ~BOARD4_LANES(d->edge);
    uint64_t line = BOARD4_LANES(1ull << from);
    for (int i = 1; i < BOARD4_SIDE; i++)
        line |= shift(line & inside, d->step) & all;
    uint64_t moving = s->pieces & line, lost = moving & ~inside;
    s->pieces = (s->pieces ^ moving) | shift(moving & inside, d->step);
    if (lost != 0 && nonet_bits_count(own_of(s, nonet_bits_first(lost) / 16)) == 1)
        s->phase = FINISHED;
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)workspace;
    struct state *s = state;
    if (s->phase == MOVING) {
        step(s, from_of(move), to_of(move));
    } else {
        s->pieces |= 1ull << move << 16 * s->next;
        if (nonet_bits_count(s->pieces) == PIECES * options->players)
            s->phase = MOVING;
    }
    s->next = s->next + 1 < options->players ? s->next + 1 : 0;
}

/* The player, from 0, who has exactly one piece. */
static int winner_of(const struct state *s) {
    int player = 0;
    while (nonet_bits_count(own_of(s, player)) != 1)
        player++;
    return player;
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    int winner = winner_of(state);
    result->winners = (uint8_t)(1u << winner);
    result->reason = nonet_say(&phrases[LAST_PIECE], nonet_player(winner + 1));
}

static struct nonet_argument cell_argument(int cell) {
    return nonet_cell_argument(BOARD4_SIDE, cell);
}

static bool why_not_place(const struct state *s, int cell, struct nonet_message *why) {
    unsigned own = own_of(s, (int)s->next), all = occupied(s);
    unsigned row = own & BOARD4_ROW(cell / 4), column = own & BOARD4_COLUMN(cell % 4);
    bool some_apart = false;
    for (int i = 0; i < BOARD4_CELLS; i++)
        some_apart |= !(all >> i & 1) && !(own & (BOARD4_ROW(i / 4) | BOARD4_COLUMN(i % 4)));
    if (all >> cell & 1)
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], cell_argument(cell));
    else if (some_apart && row != 0)
        *why =
            nonet_say(&phrases[IN_ROW], cell_argument(cell), cell_argument(nonet_bits_first(row)));
    else if (some_apart && column != 0)
        *why = nonet_say(&phrases[IN_COLUMN], cell_argument(cell),
                         cell_argument(nonet_bits_first(column)));
    else
        return true;
    return false;
}

static bool why_not_step(const struct state *s, int from, int to, struct nonet_message *why) {
    int sideways = to % 4 - from % 4, up = to / 4 - from / 4;
    if (!(occupied(s) >> from & 1))
        *why = nonet_say(&nonet_common[NONET_SAY_EMPTY], cell_argument(from));
    else if (!(own_of(s, (int)s->next) >> from & 1))
        *why = nonet_say(&nonet_common[NONET_SAY_NOT_YOURS], cell_argument(from));
    else if (sideways * sideways + up * up != 1)
        *why = nonet_say(&phrases[NOT_A_STEP], cell_argument(from), cell_argument(to));
    else
        return true;
    return false;
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (turn(options, s) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (!is_move(move))
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (s->phase == PLACING && is_step(move))
        *why = nonet_say(&phrases[STILL_PLACING]);
    else if (s->phase == PLACING)
        return why_not_place(s, (int)move, why);
    else if (!is_step(move))
        *why = nonet_say(&phrases[ALL_PLACED]);
    else
        return why_not_step(s, from_of(move), to_of(move), why);
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    (void)options;
    nonet_cell_print(BOARD4_SIDE, from_of(move), out);
    if (is_step(move))
        nonet_cell_print(BOARD4_SIDE, to_of(move), out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    (void)options;
    const char *cursor = text;
    int from = nonet_cell_scan(&cursor, BOARD4_SIDE, BOARD4_SIDE);
    *move = (nonet_move)from;
    if (from >= 0 && *cursor == '\0')
        return true;
    int to = nonet_cell_scan(&cursor, BOARD4_SIDE, BOARD4_SIDE);
    if (from < 0 || to < 0 || *cursor != '\0') {
        *why = nonet_say(&phrases[NOT_A_MOVE], nonet_quote(text));
        return false;
    }
    *move = STEP(from, to);
    return true;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    const struct state *s = state;
    uint16_t own[NONET_MAX_PLAYERS];
    for (int player = 0; player < options->players; player++)
        own[player] = own_of(s, player);
    board4_write(options->players, own, out);
    nonet_text_format(out, " %s %d", s->phase == PLACING ? "place" : "move", (int)s->next + 1);
}

/* Whether these pieces can have been placed one after the other: takes them off again, in every
 * possible order. The slowest board of four players that was found takes 0.3 milliseconds. */
static bool placed_rightly(uint64_t pieces, int players) {
    if (pieces == 0)
        return true;
    struct state s = {.pieces = pieces};
    int last = (nonet_bits_count(pieces) - 1) % players;
    for (unsigned rest = own_of(&s, last); rest != 0; rest &= rest - 1) {
        unsigned piece = rest & -rest;
        if (placements(own_of(&s, last) & ~piece, occupied(&s) & ~piece) & piece &&
            placed_rightly(pieces & ~((uint64_t)piece << 16 * last), players))
            return true;
    }
    return false;
}

static bool check_placing(int players, const struct state *s, struct nonet_message *why) {
    int placed = nonet_bits_count(s->pieces);
    for (int player = 0; player < players; player++) {
        int count = nonet_bits_count(own_of(s, player));
        int share = (placed + players - 1 - player) / players;
        if (count != share) {
            *why = nonet_say(&phrases[PLACED_UNEVENLY], nonet_player(player + 1),
                             nonet_number(count), nonet_number(placed), nonet_number(share));
            return false;
        }
    }
    if (placed == PIECES * players)
        *why = nonet_say(&phrases[PLACING_OVER]);
    else if ((int)s->next != placed % players)
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(placed % players + 1));
    else if (!placed_rightly(s->pieces, players))
        *why = nonet_say(&phrases[PLACED_WRONGLY]);
    else
        return true;
    return false;
}

/* Whether a step of this player can have led here. It left an empty cell behind one of the player's
 * pieces. If it pushed a piece off, there is an unbroken line from that piece to the edge. */
static bool can_have_stepped(const struct state *s, int player, bool pushed_off) {
    uint16_t all = occupied(s);
    for (const struct direction *d = directions; d < directions + DIRECTIONS; d++) {
        uint64_t line = pushed_off ? all & d->edge : all;
        for (int i = 1; i < BOARD4_SIDE; i++)
            line |= shift(line, -d->step) & all & ~d->edge;
        uint64_t left_behind = shift((uint64_t)(~all & 0xffff & ~d->edge), d->step);
        if (own_of(s, player) & line & left_behind)
            return true;
    }
    return false;
}

static bool check_moving(int players, struct state *s, struct nonet_message *why) {
    for (int player = 0; player < players; player++) {
        int count = nonet_bits_count(own_of(s, player));
        if (count > 1)
            continue;
        if (count == 0)
            *why = nonet_say(&phrases[NO_PIECE], nonet_player(player + 1));
        else if (s->phase == FINISHED)
            *why = nonet_say(&phrases[TWO_WINNERS], nonet_player(winner_of(s) + 1),
                             nonet_player(player + 1));
        if (count == 0 || s->phase == FINISHED)
            return false;
        s->phase = FINISHED;
    }
    int last = ((int)s->next + players - 1) % players;
    bool just_placed = s->next == 0 && nonet_bits_count(s->pieces) == PIECES * players &&
                       placed_rightly(s->pieces, players);
    if (just_placed || can_have_stepped(s, last, s->phase == FINISHED))
        return true;
    *why = nonet_say(&phrases[NO_LAST_MOVE], nonet_player(last + 1));
    return false;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    uint16_t own[NONET_MAX_PLAYERS];
    int next, players = options->players;
    if (!board4_scan(&text, players, own, why))
        return false;
    bool placing = nonet_scan_word(&text, " place");
    if (!placing && !nonet_scan_word(&text, " move")) {
        *why = nonet_say(&phrases[NO_PHASE], nonet_quote(text));
        return false;
    }
    if (!nonet_turn_scan(&text, players, &next, why))
        return false;
    struct state s = {.next = (uint32_t)next - 1, .phase = placing ? PLACING : MOVING};
    for (int player = 0; player < players; player++) {
        int count = nonet_bits_count(own[player]);
        if (count > PIECES) {
            *why = nonet_say(&nonet_common[NONET_SAY_TOO_MANY], nonet_player(player + 1),
                             nonet_number(count), nonet_number(PIECES));
            return false;
        }
        s.pieces |= (uint64_t)own[player] << 16 * player;
    }
    if (!(placing ? check_placing(players, &s, why) : check_moving(players, &s, why)))
        return false;
    *(struct state *)state = s;
    return true;
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = (uint16_t)from_of(move);
    places[1] = (uint16_t)to_of(move);
    return is_step(move) ? 2 : 1;
}

/* The player, from 0, whose piece is on this cell. */
static int owner_of(const struct state *s, int cell) {
    int player = 0;
    while (!(own_of(s, player) >> cell & 1))
        player++;
    return player;
}

/* The piece on this cell is pushed one cell on, or over the edge. */
static void tell_push(const struct state *old, const struct state *new, int cell,
                      const struct direction *d, struct nonet_events *events) {
    int owner = owner_of(old, cell);
    bool off = d->edge >> cell & 1;
    struct nonet_message says =
        off ? nonet_say(&phrases[PUSHED_OFF], nonet_player(owner + 1), cell_argument(cell),
                        nonet_number(nonet_bits_count(own_of(new, owner))))
            : nonet_say(&phrases[PUSHED_ON], nonet_player(owner + 1), cell_argument(cell),
                        cell_argument(cell + d->step));
    nonet_event_at(nonet_event_add(events, says), off ? cell : cell + d->step);
    nonet_journey_add(events, cell, off ? NONET_NOWHERE : cell + d->step);
}

/* Each piece of the line that a step pushes, the nearest first; what begins; and who may place
 * anywhere. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    (void)options;
    const struct state *old = before, *new = after;
    if (is_step(move)) {
        int from = from_of(move), cell = to_of(move);
        const struct direction *d = directions;
        while (d->step != cell - from)
            d++;
        nonet_journey_add(events, from, cell);
        for (bool on_board = true; on_board && occupied(old) >> cell & 1; cell += d->step) {
            tell_push(old, new, cell, d, events);
            on_board = !(d->edge >> cell & 1);
        }
    }
    if (old->phase == PLACING && new->phase == MOVING)
        nonet_event_add(events,
                        nonet_say(&phrases[MOVING_BEGINS], nonet_player((int)new->next + 1)));
    unsigned own = own_of(new, (int)new->next);
    if (new->phase == PLACING && placements(own, occupied(new)) & rows_and_columns(own))
        nonet_event_add(events, nonet_say(&phrases[ANY_CELL], nonet_player((int)new->next + 1)));
}

/* Pieces that are still to be placed are not lost. */
static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    const struct state *s = state;
    for (int player = 0; player < options->players; player++) {
        int left = s->phase == PLACING ? PIECES : nonet_bits_count(own_of(s, player));
        nonet_standing_add(standings, player + 1, left, nonet_say(&phrases[PIECES_LEFT]))->most =
            PIECES;
    }
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    nonet_scene_board(scene, BOARD4_SIDE, BOARD4_SIDE);
    nonet_scene_hands(scene, options->players);
    for (int player = 0; player < options->players; player++) {
        for (unsigned rest = own_of(s, player); rest != 0; rest &= rest - 1) {
            struct nonet_piece *piece = board4_piece(scene, nonet_bits_first(rest), player + 1);
            piece->lit = s->phase == FINISHED && player == winner_of(s);
        }
        int to_place = PIECES - nonet_bits_count(own_of(s, player));
        if (s->phase == PLACING)
            board4_pieces_to_place(scene, BOARD4_CELLS + player, player + 1, to_place);
    }
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    (void)options;
    struct state s = *(const struct state *)state;
    s.pieces = board4_turn_lanes(symmetry, s.pieces);
    *(struct state *)turned = s;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    (void)options;
    int from = board4_turn_cell(symmetry, from_of(move));
    int to = board4_turn_cell(symmetry, to_of(move));
    return is_step(move) ? STEP(from, to) : (nonet_move)from;
}

static void canonical(const struct nonet_options *options, const void *state, void *canonical) {
    (void)options;
    struct state s = *(const struct state *)state;
    s.pieces = board4_least(s.pieces);
    *(struct state *)canonical = s;
}

/* A ply takes at most one piece off the board, and all must have been placed before. */
static int soonest(const struct nonet_options *options, const void *state, int player) {
    const struct state *s = state;
    if (s->phase == PLACING)
        return PIECES * options->players - nonet_bits_count(s->pieces) + PIECES - 1;
    return nonet_bits_count(own_of(s, player - 1)) - 1;
}

/* How close a player is to one last piece. Own pieces at the edge block others, except those that
 * another own piece pushes off. The weights come from a least-squares fit to exact values of 8,000
 * random positions of two players, rounded. */
static int closeness(const struct state *s, int player) {
    enum { LOST = 200, AT_EDGE = -125, IN_CORNER = -105, CAN_PUSH = 80, PUSH = 100, TURN = 175 };
    const uint16_t corners = 0x9009, edge = 0xf99f;
    uint64_t own = own_of(s, player), all = occupied(s);
    int pushes = 0;
    for (const struct direction *d = directions; d < directions + DIRECTIONS; d++) {
        uint64_t line = own & d->edge; /* from there inwards, as long as it is unbroken */
        for (int i = 1; i < BOARD4_SIDE; i++)
            line |= shift(line, -d->step) & all & ~d->edge;
        pushes += nonet_bits_count(own & line & ~d->edge);
    }
    return LOST * (PIECES - nonet_bits_count(own)) + AT_EDGE * nonet_bits_count(own & edge) +
           IN_CORNER * nonet_bits_count(own & corners) + PUSH * pushes +
           (pushes > 0 ? CAN_PUSH : 0) + ((int)s->next == player ? TURN : 0);
}

/* The lead over the best of the other players. */
static int evaluate(const struct nonet_options *options, const void *state, int player) {
    int best = INT16_MIN;
    for (int i = 0; i < options->players; i++)
        if (i != player - 1 && closeness(state, i) > best)
            best = closeness(state, i);
    int lead = closeness(state, player - 1) - best;
    return lead > 1000 ? 1000 : lead < -1000 ? -1000 : lead;
}

/* --- For an editor: after the board, a position text has the phase --- */

static int fields(const struct nonet_options *options,
                  struct nonet_field fields[NONET_MAX_FIELDS]) {
    (void)options;
    static const char *const texts[] = {"place", "move"};
    fields[0] = (struct nonet_field){.label = nonet_say(&phrases[PHASE]),
                                     .most = 1,
                                     .names = &phrases[PLACE_WORD],
                                     .texts = texts};
    return 1;
}

/* An empty board is for placing, one with all pieces for moving. */
static void settle(const struct nonet_options *options, const struct nonet_draft *before,
                   struct nonet_draft *draft, int edited) {
    (void)before;
    if (edited == NONET_EDITED_PIECES && draft->count == 0)
        draft->values[0] = 0;
    else if (edited == NONET_EDITED_PIECES && draft->count == PIECES * options->players)
        draft->values[0] = 1;
}

static const struct nonet_editor editor = {
    .kinds = board4_kinds, .fields = fields, .settle = settle};

static int action_count(const struct nonet_options *options) {
    (void)options;
    return 2 * STEP_MARK;
}

/* Of levels 1 to 9, for two, three and four players: for two found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {
    {19, 21, 24, 29, 36, 42, 50, 55, 67},
    {40, 46, 52, 58, 64, 70, 76, 84, 92},
    {40, 46, 52, 58, 64, 70, 76, 84, 92},
};

const struct nonet_game nonet_chasm = {
    .id = "chasm",
    .title = "Chasm",
    .author = "Nazareno Signoretto",
    .year = "1999",
    .summary = "Push and be pushed: be the first with a single piece left.",
    .box = "the Joechi box: a 4x4 board and 4 pieces each of maple, walnut, zebrano and padouk",
    .minutes = 10,
    .min_players = 2,
    .max_players = 4,
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
    .editor = &editor,
    .ranking = &nonet_chasm_ranking,
    .symmetries = board4_symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .canonical = canonical,
    .soonest = soonest,
    .evaluate = evaluate,
    .skills = skills,
    .action_count = action_count,
};
