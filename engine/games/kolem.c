/* Kolem (Patrik Carpentier, 2009): on a 5x5 board, White and Black place nine pieces each. Then
 * they move them, and pieces that lose contact with the enemy are removed. Neighbours are
 * orthogonal. Two demands hold for every placement and move: (a) the piece just placed or moved has
 * an enemy neighbour; (b) no piece on the board has more than three neighbours.
 *
 * Phase 1: in turn, place a piece on a free point. The first piece of each side goes anywhere, the
 * others must meet both demands. A player who has no such point passes and loses that piece from
 * hand. Phase 2, White first again: move one of your own pieces one step so that both demands hold.
 * Then every piece without an enemy neighbour is removed. In phase 2 a side with two pieces or
 * fewer loses (both at once: a draw). A player who cannot move loses, too.
 *
 * Position text: the board from the top rank, W, B and a dot for a free point, the pieces in
 * White's and in Black's hand, the player next in turn: "...../...../..W../...../..... 8 9 2". In
 * phase 2 both hands are 0. A move is the point to place on, or PASS, or STEP with the point moved
 * from in the second byte and the point moved to in the first. */
#include "../rules/editing.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "kolem_board.h"

/* Moves; PASS is also the place of the button, right after the points. */
enum { PASS = POINTS, HANDS, STEP = 1 << 16 };

static const struct nonet_option options_table[] = {
    [STEPS] = {.key = "steps",
               .values = "8|4",
               .help = "directions in which a piece may step: also diagonally, or only along lines",
               .kind = NONET_CHOICE},
    [PIECES] = {.key = "pieces",
                .values = "9",
                .help = "pieces of each player; the box has nine for each",
                .kind = NONET_NUMBER,
                .least = LEAST_PIECES,
                .most = MOST_PIECES,
                .tacit = true},
    NONET_SWAP_OPTION,
    {0},
};

enum {
    NOT_A_MOVE,
    STILL_PLACING,
    ALL_PLACED,
    NO_PASS,
    NOT_A_STEP,
    DIAGONAL,
    NO_ENEMY,
    CROWDED,
    HAS_FOUR,
    FEW_LEFT,
    BOTH_FEW,
    BAD_HANDS,
    UNEVEN_HANDS,
    NO_PIECE,
    ALONE,
    APART,
    NO_ORDER,
    WHITE,
    BLACK,
    PIECE_ON,
    PIECES_IN_HAND,
    PASS_BUTTON,
    WHITE_REMOVED,
    BLACK_REMOVED,
    MOVING_BEGINS,
    MUST_PASS,
    PASSED,
    ON_BOARD,
    IN_HAND,
};
static const struct nonet_phrase phrases[] = {
    [NOT_A_MOVE] = {"kolem.not-a-move",
                    "\"{0}\" is not a move: place on a point from a1 to e5 (c3), later step from "
                    "one point to another (c3d4), or pass"},
    [STILL_PLACING] = {"kolem.still-placing",
                       "no piece moves before both hands are empty: name a point to place on"},
    [ALL_PLACED] = {"kolem.all-placed",
                    "the hands are empty: move a piece from one point to another, such as c3d4"},
    [NO_PASS] = {"kolem.no-pass", "nobody may pass once the hands are empty"},
    [NOT_A_STEP] = {"kolem.not-a-step", "{0} to {1} is not one step"},
    [DIAGONAL] = {"kolem.diagonal",
                  "{0} to {1} is a diagonal step, and this game is played with four directions"},
    [NO_ENEMY] = {"kolem.no-enemy", "{0} has no {1} neighbour"},
    [CROWDED] = {"kolem.crowded", "the piece on {0} would have four neighbours"},
    [HAS_FOUR] = {"kolem.has-four", "the piece on {0} has four neighbours, one more than allowed"},
    [FEW_LEFT] = {"kolem.few-left", "player {0} has too few pieces left: {1}"},
    [BOTH_FEW] = {"kolem.both-few", "both players have two pieces or fewer left"},
    [BAD_HANDS] = {"kolem.bad-hands", "the pieces in both hands must follow the board, such as \" "
                                      "8 9\", each from 0 to {1}, not \"{0}\""},
    [UNEVEN_HANDS] = {"kolem.uneven-hands", "pieces in hand: {0} of player 1 and {1} of player 2, "
                                            "but each turn takes one from a hand, player 1 first"},
    [NO_PIECE] = {"kolem.no-piece",
                  "player {0} has no piece on the board, but the first one placed is never lost"},
    [ALONE] = {"kolem.alone",
               "the {0} piece on {1} has no {2} neighbour, so the last move would have removed it"},
    [APART] = {"kolem.apart", "no chain of enemy neighbours joins the piece on {0} to either "
                              "side's first piece, so it could not be placed"},
    [NO_ORDER] = {"kolem.no-order",
                  "no order of turns leads here: every piece except each side's first "
                  "needs an enemy neighbour when it is placed, and a piece is lost "
                  "from hand only when none can be placed"},
    [WHITE] = {"kolem.white", "white"},
    [BLACK] = {"kolem.black", "black"},
    [PIECE_ON] = {"kolem.piece-on", "{0} piece on {1}"},
    [PIECES_IN_HAND] = {"kolem.pieces-in-hand", "{0} pieces in hand: {1}"},
    [PASS_BUTTON] = {"kolem.pass-button", "pass: lose a piece from hand"},
    [WHITE_REMOVED] = {"kolem.white-removed",
                       "removed, as no black neighbour is left: white on {0}"},
    [BLACK_REMOVED] = {"kolem.black-removed",
                       "removed, as no white neighbour is left: black on {0}"},
    [MOVING_BEGINS] = {"kolem.moving-begins",
                       "all pieces are placed: from now on pieces move, White first"},
    [MUST_PASS] = {"kolem.must-pass",
                   "player {0} can place nowhere and must pass, which costs a piece from hand: "
                   "every free point lacks an enemy neighbour, or a piece would have four "
                   "neighbours"},
    [PASSED] = {"kolem.passed", "player {0} has passed and lost a piece; left in hand: {1}"},
    [ON_BOARD] = {"kolem.on-board", "pieces on the board"},
    [IN_HAND] = {"kolem.in-hand", "pieces in hand"},
};

static bool placing(const struct state *s) {
    return (s->hand[0] | s->hand[1]) != 0;
}

/* Neither demand applies to a side's first piece, so it is never lost. */
static bool placing_first(const struct state *s) {
    return s->own[s->next] == 0;
}

static bool has_few(const struct state *s, int player) {
    return nonet_bits_count(s->own[player]) <= FEW;
}

/* The points where the player next in turn may place in phase 1. */
static inline uint32_t placements(const struct state *s) {
    if (placing_first(s))
        return BOARD & ~(s->own[0] | s->own[1]);
    struct demands d = demands_of(s);
    return d.open & ~(d.four | d.full_north | d.full_east | d.full_south | d.full_west);
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)workspace;
    uint8_t pieces = (uint8_t)pieces_of(options);
    *(struct state *)state = (struct state){.hand = {pieces, pieces}};
}

static int turn(const struct nonet_options *options, const void *state) {
    const struct state *s = state;
    if (placing(s))
        return s->next + 1;
    if (has_few(s, 0) || has_few(s, 1))
        return 0;
    uint32_t to[DIRECTIONS], any = 0;
    for (int i = steps(options, s, to) - 1; i >= 0; i--)
        any |= to[i];
    return any != 0 ? s->next + 1 : 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->next + 1;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    const struct state *s = state;
    nonet_move *end = moves;
    if (placing(s)) {
        for (uint32_t rest = placements(s); rest != 0; rest &= rest - 1)
            *end++ = (nonet_move)nonet_bits_first(rest);
        if (end == moves)
            *end++ = PASS;
        return (int)(end - moves);
    }
    if (has_few(s, 0) || has_few(s, 1))
        return 0;
    uint32_t to[DIRECTIONS];
    int directions = steps(options, s, to);
    for (int i = 0; i < directions; i++)
        for (uint32_t rest = to[i]; rest != 0; rest &= rest - 1) {
            int point = nonet_bits_first(rest);
            *end++ = (nonet_move)(STEP | (point - direction_offset[i]) << 8 | point);
        }
    return (int)(end - moves);
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options, (void)workspace;
    struct state *s = state;
    int mover = s->next;
    s->next = (uint8_t)(1 - mover);
    if (move < STEP) {
        s->own[mover] |= move == PASS ? 0 : 1u << move;
        s->hand[mover]--;
        return;
    }
    s->own[mover] ^= 1u << (move >> 8 & 0xff) | 1u << (move & 0xff);
    /* One pass is enough: a piece that is removed touched no enemy, so no enemy loses contact by
     * it. */
    uint32_t white = s->own[0], black = s->own[1];
    s->own[0] = white & beside(black);
    s->own[1] = black & beside(white);
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    const struct state *s = state;
    if (has_few(s, 0) && has_few(s, 1)) {
        result->winners = 3;
        result->reason = nonet_say(&phrases[BOTH_FEW]);
        return;
    }
    int loser = has_few(s, 0) ? 0 : has_few(s, 1) ? 1 : s->next;
    result->winners = (uint8_t)(2 >> loser);
    if (has_few(s, loser))
        result->reason = nonet_say(&phrases[FEW_LEFT], nonet_player(loser + 1),
                                   nonet_number(nonet_bits_count(s->own[loser])));
    else
        result->reason = nonet_say(&nonet_common[NONET_SAY_CANNOT_MOVE], nonet_player(loser + 1));
}

static struct nonet_argument point_argument(int point) {
    return nonet_cell_argument(SIDE, point);
}

static struct nonet_argument colour_argument(int player) {
    return nonet_word(&phrases[player == 0 ? WHITE : BLACK]);
}

/* A piece with more neighbours than demand (b) allows, or -1. */
static int crowded(uint32_t all) {
    for (int point = 0; point < POINTS; point++)
        if (all >> point & 1 && nonet_bits_count(beside(1u << point) & all) > MOST_NEIGHBOURS)
            return point;
    return -1;
}

/* Whether the player next in turn may put a piece on a point. `rest` are the other pieces: all of
 * them, or all but the one that steps. */
static bool may_stand(const struct state *s, int point, uint32_t rest, struct nonet_message *why) {
    int enemy = 1 - s->next;
    if ((s->own[0] | s->own[1]) >> point & 1) {
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], point_argument(point));
        return false;
    }
    if (placing(s) && placing_first(s))
        return true;
    if ((beside(1u << point) & s->own[enemy]) == 0) {
        *why = nonet_say(&phrases[NO_ENEMY], point_argument(point), colour_argument(enemy));
        return false;
    }
    int piece = crowded(rest | 1u << point);
    if (piece >= 0)
        *why = nonet_say(&phrases[CROWDED], point_argument(piece));
    return piece < 0;
}

static bool may_pass(const struct state *s, struct nonet_message *why) {
    if (!placing(s)) {
        *why = nonet_say(&phrases[NO_PASS]);
        return false;
    }
    for (int point = 0; point < POINTS; point++)
        if (may_stand(s, point, s->own[0] | s->own[1], why)) {
            *why = nonet_say(&nonet_common[NONET_SAY_PASS_REFUSED], point_argument(point));
            return false;
        }
    return true;
}

static bool may_step(const struct nonet_options *options, const struct state *s, int from, int to,
                     struct nonet_message *why) {
    int files = to % SIDE - from % SIDE, ranks = to / SIDE - from / SIDE;
    int distance = files * files + ranks * ranks;
    uint32_t all = s->own[0] | s->own[1], piece = 1u << from;
    if (placing(s))
        *why = nonet_say(&phrases[STILL_PLACING]);
    else if ((all & piece) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_EMPTY], point_argument(from));
    else if ((s->own[s->next] & piece) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_NOT_YOURS], point_argument(from));
    else if (distance == 0 || distance > 2)
        *why = nonet_say(&phrases[NOT_A_STEP], point_argument(from), point_argument(to));
    else if (distance == 2 && !diagonals(options))
        *why = nonet_say(&phrases[DIAGONAL], point_argument(from), point_argument(to));
    else
        return may_stand(s, to, all & ~piece, why);
    return false;
}

/* Whether the number stands for a placement, a pass or a pair of points. */
static bool is_move(nonet_move move) {
    return move <= PASS ||
           (move >> 16 == STEP >> 16 && (move >> 8 & 0xff) < POINTS && (move & 0xff) < POINTS);
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (turn(options, s) == 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
        return false;
    }
    if (!is_move(move)) {
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
        return false;
    }
    if (move >= STEP)
        return may_step(options, s, move >> 8 & 0xff, move & 0xff, why);
    if (move == PASS)
        return may_pass(s, why);
    if (placing(s))
        return may_stand(s, (int)move, s->own[0] | s->own[1], why);
    *why = nonet_say(&phrases[ALL_PLACED]);
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    (void)options;
    if (move == PASS) {
        nonet_text_add(out, "pass");
        return;
    }
    if (move >= STEP)
        nonet_cell_print(SIDE, move >> 8 & 0xff, out);
    nonet_cell_print(SIDE, move & 0xff, out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    (void)options;
    const char *cursor = text;
    if (nonet_scan_word(&cursor, "pass") && *cursor == '\0') {
        *move = PASS;
        return true;
    }
    cursor = text;
    int first = nonet_cell_scan(&cursor, SIDE, SIDE);
    if (first >= 0 && *cursor == '\0') {
        *move = (nonet_move)first;
        return true;
    }
    int second = first < 0 ? -1 : nonet_cell_scan(&cursor, SIDE, SIDE);
    if (second >= 0 && *cursor == '\0') {
        *move = (nonet_move)(STEP | first << 8 | second);
        return true;
    }
    *why = nonet_say(&phrases[NOT_A_MOVE], nonet_quote(text));
    return false;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    (void)options;
    const struct state *s = state;
    char letters[POINTS];
    for (int point = 0; point < POINTS; point++)
        letters[point] = s->own[0] >> point & 1 ? 'W' : s->own[1] >> point & 1 ? 'B' : '.';
    nonet_board_write(SIDE, SIDE, letters, out);
    nonet_text_format(out, " %d %d %d", s->hand[0], s->hand[1], s->next + 1);
}

static bool read_hands(const struct nonet_options *options, const char **cursor, uint8_t hand[2],
                       struct nonet_message *why) {
    const char *hands = *cursor;
    for (int player = 0; player < 2; player++) {
        uint32_t count;
        if (!nonet_scan_word(cursor, " ") ||
            !nonet_scan_number(cursor, (uint32_t)pieces_of(options), &count)) {
            *why = nonet_say(&phrases[BAD_HANDS], nonet_quote(hands),
                             nonet_number(pieces_of(options)));
            return false;
        }
        hand[player] = (uint8_t)count;
    }
    return true;
}

/* Whether turns taken one by one can lead to these hands and so many pieces. */
static bool plausible_counts(const struct nonet_options *options, const struct state *s,
                             struct nonet_message *why) {
    int most = pieces_of(options);
    if (s->hand[0] != s->hand[1] && s->hand[0] + 1 != s->hand[1]) {
        *why =
            nonet_say(&phrases[UNEVEN_HANDS], nonet_number(s->hand[0]), nonet_number(s->hand[1]));
        return false;
    }
    if (placing(s) && s->next != (s->hand[0] != s->hand[1])) {
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(2 - s->next));
        return false;
    }
    for (int player = 0; player < 2; player++) {
        int pieces = nonet_bits_count(s->own[player]) + s->hand[player];
        if (pieces > most) {
            *why = nonet_say(&nonet_common[NONET_SAY_TOO_MANY], nonet_player(player + 1),
                             nonet_number(pieces), nonet_number(most));
            return false;
        }
        if (s->own[player] == 0 && s->hand[player] < most) {
            *why = nonet_say(&phrases[NO_PIECE], nonet_player(player + 1));
            return false;
        }
    }
    return true;
}

/* All pieces that chains of enemy neighbours connect to the given one. */
static uint32_t joined(const struct state *s, uint32_t piece) {
    for (uint32_t before = 0; before != piece;) {
        before = piece;
        piece |= s->own[0] & beside(piece & s->own[1]);
        piece |= s->own[1] & beside(piece & s->own[0]);
    }
    return piece;
}

/* Placed one by one, all pieces connect to White's first or to Black's. So there are at most two
 * groups; if there are two, White can have begun one and Black the other. */
static bool check_groups(const struct state *s, struct nonet_message *why) {
    uint32_t all = s->own[0] | s->own[1];
    uint32_t first = joined(s, all & -all);
    uint32_t others = all & ~first;
    uint32_t second = joined(s, others & -others);
    uint32_t apart = others & ~second;
    if (apart == 0 && second != 0)
        for (int player = 0; player < 2; player++)
            if (((first | second) & ~s->own[player]) == 0)
                apart = second;
    if (apart != 0)
        *why = nonet_say(&phrases[APART], point_argument(nonet_bits_first(apart)));
    return apart == 0;
}

/* A search for turns of phase 1 that lead to a position. What has been tried is known by the pieces
 * placed, a bit for each of the wanted ones, and the number of turns passed. With nine pieces there
 * are eighteen turns, so there are at most 2^18 such combinations, and each is tried once. Among
 * the slowest boards that could be found, none had more than 14,249 of them, or took more than half
 * a millisecond. */
enum { TURNS = 2 * MOST_PIECES };
struct order {
    const struct state *wanted;
    int pieces;
    uint32_t tried[(1 << TURNS) / 32];
};

/* Whether turns lead from `s`, in which some of the wanted pieces are placed, to the position. */
static bool leads_on(struct order *order, const struct state *s, uint32_t placed, int passed) {
    const struct state *wanted = order->wanted;
    if (s->hand[0] == wanted->hand[0] && s->hand[1] == wanted->hand[1])
        return true;
    uint32_t name = (uint32_t)passed << order->pieces | placed;
    if (order->tried[name / 32] >> name % 32 & 1)
        return false;
    order->tried[name / 32] |= 1u << name % 32;
    int mover = s->next;
    uint32_t legal = placements(s), missing = wanted->own[mover] & ~s->own[mover];
    struct state after = *s;
    after.next = (uint8_t)(1 - mover);
    after.hand[mover]--;
    if (legal == 0)
        return nonet_bits_count(missing) <= after.hand[mover] - wanted->hand[mover] &&
               leads_on(order, &after, placed, passed + 1);
    uint32_t all = wanted->own[0] | wanted->own[1];
    for (uint32_t rest = legal & missing; rest != 0; rest &= rest - 1) {
        uint32_t piece = rest & -rest;
        after.own[mover] = s->own[mover] | piece;
        if (leads_on(order, &after, placed | 1u << nonet_bits_count(all & (piece - 1)), passed))
            return true;
    }
    return false;
}

/* Whether phase 1 can have led to this position, in which demand (b) holds. */
static bool check_order(const struct nonet_options *options, const struct state *s,
                        struct nonet_message *why) {
    if (!check_groups(s, why))
        return false;
    struct order order = {.wanted = s, .pieces = nonet_bits_count(s->own[0] | s->own[1])};
    struct state first;
    start(options, &first, NULL);
    bool found = leads_on(&order, &first, 0, 0);
    if (!found)
        *why = nonet_say(&phrases[NO_ORDER]);
    return found;
}

/* Whether the pieces can stand as they do. In phase 2 a piece without an enemy neighbour does not
 * survive a move. So if there is one, all pieces still stand where they were placed. */
static bool plausible_board(const struct nonet_options *options, const struct state *s,
                            struct nonet_message *why) {
    int piece = crowded(s->own[0] | s->own[1]);
    if (piece >= 0) {
        *why = nonet_say(&phrases[HAS_FOUR], point_argument(piece));
        return false;
    }
    if (placing(s))
        return check_order(options, s, why);
    for (int player = 0; player < 2; player++) {
        uint32_t alone = s->own[player] & ~beside(s->own[1 - player]);
        if (alone == 0)
            continue;
        if (s->next == 0)
            return check_order(options, s, why);
        *why = nonet_say(&phrases[ALONE], colour_argument(player),
                         point_argument(nonet_bits_first(alone)), colour_argument(1 - player));
        return false;
    }
    return true;
}

/* Exact in phase 1, and at its end if a piece has no enemy neighbour: reads only positions that
 * turns lead to. In phase 2, reads every position that meets demand (b) and in which each piece has
 * an enemy neighbour, as after every move. Whether moves lead to this one is not checked. All of
 * them have a number (kolem_ranking.c), so a table has their values. */
static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    char letters[POINTS];
    struct state s = {0};
    int next;
    if (!nonet_board_scan(&text, SIDE, SIDE, ".WB", letters, why) ||
        !read_hands(options, &text, s.hand, why) || !nonet_turn_scan(&text, 2, &next, why))
        return false;
    s.next = (uint8_t)(next - 1);
    for (int point = 0; point < POINTS; point++)
        if (letters[point] != '.')
            s.own[letters[point] == 'B'] |= 1u << point;
    if (!plausible_counts(options, &s, why) || !plausible_board(options, &s, why))
        return false;
    *(struct state *)state = s;
    return true;
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    int count = 0;
    if (move >= STEP)
        places[count++] = (uint16_t)(move >> 8 & 0xff);
    places[count++] = (uint16_t)(move & 0xff);
    return count;
}

/* Who lost contact, what begins, and who cannot place. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    (void)options;
    const struct state *old = before, *new = after;
    int mover = old->next;
    uint32_t moved = move < STEP ? 0 : 1u << (move >> 8 & 0xff);
    if (move >= STEP)
        nonet_journey_add(events, move >> 8 & 0xff, move & 0xff);
    for (int player = 0; player < 2; player++) {
        uint32_t removed = old->own[player] & ~new->own[player] & ~moved;
        if (removed != 0)
            nonet_event_at_cells(
                nonet_event_add(events,
                                nonet_say(&phrases[player == 0 ? WHITE_REMOVED : BLACK_REMOVED],
                                          nonet_cells_argument(SIDE, removed))),
                removed);
    }
    if (move == PASS)
        nonet_event_add(events, nonet_say(&phrases[PASSED], nonet_player(mover + 1),
                                          nonet_number(new->hand[mover])));
    if (placing(old) && !placing(new))
        nonet_event_add(events, nonet_say(&phrases[MOVING_BEGINS]));
    if (placing(new) && placements(new) == 0)
        nonet_event_add(events, nonet_say(&phrases[MUST_PASS], nonet_player(new->next + 1)));
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    (void)options;
    const struct state *s = state;
    for (int player = 0; player < 2; player++) {
        nonet_standing_add(standings, player + 1, nonet_bits_count(s->own[player]),
                           nonet_say(&phrases[ON_BOARD]));
        nonet_standing_add(standings, player + 1, s->hand[player], nonet_say(&phrases[IN_HAND]));
    }
}

static void dress(struct nonet_piece *piece, int player) {
    piece->owner = (uint8_t)(player + 1);
    piece->mark[0] = player == 0 ? 'W' : 'B';
}

static const enum nonet_material material[2] = {NONET_WHITE, NONET_BLACK};

/* For an editor: after the board, a position text has the pieces in both hands. */
static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    (void)options;
    for (int player = 0; player < 2; player++) {
        kinds[player] = nonet_piece_on(0, NONET_DISC, material[player]);
        dress(&kinds[player], player);
        kinds[player].label = nonet_say(&phrases[WHITE + player]);
    }
    return 2;
}

static int fields(const struct nonet_options *options,
                  struct nonet_field fields[NONET_MAX_FIELDS]) {
    for (int player = 0; player < 2; player++)
        fields[player] = (struct nonet_field){
            .label = nonet_say(&nonet_common[NONET_SAY_HAND], nonet_player(player + 1)),
            .most = (int16_t)pieces_of(options)};
    return 2;
}

/* Until the hands are empty, a piece comes from a hand, and goes back there. */
static void settle(const struct nonet_options *options, const struct nonet_draft *before,
                   struct nonet_draft *draft, int edited) {
    int16_t most = (int16_t)pieces_of(options);
    if (edited != NONET_EDITED_PIECES || before->values[0] + before->values[1] == 0)
        return;
    for (int i = 0; i < before->count; i++)
        draft->values[before->pieces[i].kind]++;
    for (int i = 0; i < draft->count; i++)
        draft->values[draft->pieces[i].kind]--;
    for (int player = 0; player < 2; player++) {
        int16_t *hand = &draft->values[player];
        *hand = *hand < 0 ? 0 : *hand > most ? most : *hand;
    }
}

static const struct nonet_editor editor = {.kinds = kinds, .fields = fields, .settle = settle};

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    struct nonet_result end = {0};
    if (turn(options, s) == 0)
        result(options, s, &end);
    nonet_scene_board(scene, SIDE, SIDE);
    nonet_scene_place(scene, NONET_BUTTON, "pass")->label = nonet_say(&phrases[PASS_BUTTON]);
    nonet_scene_hands(scene, 2);
    for (int player = 0; player < 2; player++) {
        for (uint32_t rest = s->own[player]; rest != 0; rest &= rest - 1) {
            int point = nonet_bits_first(rest);
            struct nonet_piece *piece =
                nonet_scene_on_cell(scene, point, NONET_DISC, material[player]);
            dress(piece, player);
            piece->lit = end.winners == 1u << player;
            piece->label =
                nonet_say(&phrases[PIECE_ON], colour_argument(player), point_argument(point));
        }
        if (s->hand[player] > 0) {
            struct nonet_piece *piece =
                nonet_scene_piece(scene, HANDS + player, NONET_DISC, material[player]);
            dress(piece, player);
            piece->count = s->hand[player];
            piece->label = nonet_say(&phrases[PIECES_IN_HAND], colour_argument(player),
                                     nonet_number(s->hand[player]));
        }
    }
}

/* The eight turns and reflections of the board. */
static int symmetries(const struct nonet_options *options) {
    (void)options;
    return 8;
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    (void)options;
    struct state s = *(const struct state *)state;
    for (int player = 0; player < 2; player++) {
        uint32_t set = 0;
        for (uint32_t rest = s.own[player]; rest != 0; rest &= rest - 1)
            set |= 1u << turn_point(symmetry, nonet_bits_first(rest));
        s.own[player] = set;
    }
    *(struct state *)turned = s;
}

/* The same turns, all points at once. */
static uint32_t mirror(uint32_t set) {
    return (set & FILE_A) << 4 | (set & FILE_A << 1) << 2 | (set & FILE_A << 2) |
           (set >> 2 & FILE_A << 1) | (set >> 4 & FILE_A);
}
static uint32_t upside_down(uint32_t set) {
    return (set & 0x1f) << 20 | (set & 0x1f << 5) << 10 | (set & 0x1f << 10) |
           (set >> 10 & 0x1f << 5) | (set >> 20 & 0x1f);
}
static uint32_t swap_axes(uint32_t set) {
    /* Diagonals, from the long one outward; each moves by four places for each step away from it.
     */
    return (set & 0x1041041) | (set & 0x0820820) >> 4 | (set & 0x0082082) << 4 |
           (set & 0x0410400) >> 8 | (set & 0x0004104) << 8 | (set & 0x0208000) >> 12 |
           (set & 0x0000208) << 12 | (set & 0x0100000) >> 16 | (set & 0x0000010) << 16;
}

/* The canonical form: least by White's pieces, then by Black's. */
static void canonical(const struct nonet_options *options, const void *state, void *canonical) {
    (void)options;
    const struct state *s = state;
    uint32_t sets[2][8];
    for (int player = 0; player < 2; player++) {
        uint32_t *set = sets[player];
        set[0] = s->own[player];
        set[1] = swap_axes(set[0]);
        for (int i = 0; i < 2; i++)
            set[2 + i] = mirror(set[i]);
        for (int i = 0; i < 4; i++)
            set[4 + i] = upside_down(set[i]);
    }
    int least = 0;
    for (int i = 1; i < 8; i++)
        if (sets[0][i] < sets[0][least] ||
            (sets[0][i] == sets[0][least] && sets[1][i] < sets[1][least]))
            least = i;
    struct state found = *s;
    found.own[0] = sets[0][least];
    found.own[1] = sets[1][least];
    *(struct state *)canonical = found;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    (void)options;
    if (move == PASS)
        return move;
    int point = turn_point(symmetry, move & 0xff);
    if (move < STEP)
        return (nonet_move)point;
    return (nonet_move)(STEP | turn_point(symmetry, move >> 8 & 0xff) << 8 | point);
}

/* What a side has: pieces, and moves. */
static int standing(const struct nonet_options *options, const struct state *s, int player) {
    enum { PIECE = 80, WAY = 8 };
    struct state to_move = *s;
    to_move.next = (uint8_t)player;
    int ways = 0;
    if (placing(s)) {
        ways = nonet_bits_count(placements(&to_move));
    } else {
        uint32_t to[DIRECTIONS];
        for (int i = steps(options, &to_move, to) - 1; i >= 0; i--)
            ways += nonet_bits_count(to[i]);
    }
    return PIECE * (nonet_bits_count(s->own[player]) + s->hand[player]) + WAY * ways;
}

static int evaluate(const struct nonet_options *options, const void *state, int player) {
    return standing(options, state, player - 1) - standing(options, state, 2 - player);
}

/* The points to place on, a pass, then the steps by the points they leave and reach. */
static int action_count(const struct nonet_options *options) {
    (void)options;
    return PASS + 1 + POINTS * POINTS;
}

static int action_of(const struct nonet_options *options, nonet_move move) {
    (void)options;
    if (move <= PASS)
        return (int)move;
    return is_move(move) ? PASS + 1 + (int)(move >> 8 & 0xff) * POINTS + (int)(move & 0xff) : -1;
}

static nonet_move action_move(const struct nonet_options *options, int action) {
    (void)options;
    if (action <= PASS)
        return (nonet_move)action;
    int step = action - PASS - 1;
    return STEP | (nonet_move)(step / POINTS) << 8 | (nonet_move)(step % POINTS);
}

/* Of levels 1 to 9, found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{16, 24, 35, 37, 39, 45, 54, 61, 70}};

const struct nonet_game nonet_kolem = {
    .id = "kolem",
    .title = "Kolem",
    .author = "Patrik Carpentier",
    .year = "2009",
    .summary = "Stay in touch with the enemy: a piece without one is lost.",
    .box = "a 5x5 board, 9 white and 9 black pieces; a quick game",
    .minutes = 10,
    .min_players = 2,
    .max_players = 2,
    .facts = NONET_REPETITION_DRAWS,
    .state_size = sizeof(struct state),
    .options = options_table,
    .phrases = phrases,
    .phrase_count = sizeof phrases / sizeof phrases[0],
    .ranking = &nonet_kolem_ranking,
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
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .canonical = canonical,
    .evaluate = evaluate,
    .skills = skills,
    .action_count = action_count,
    .action_of = action_of,
    .action_move = action_move,
};
