/* Ksar (Philippe Proux, 2018): two players build a village inside a frame from cuboids of 1x2x3
 * units. In turn, place one from your hand, of your colour or neutral, on free floor. The way it
 * stands decides its height: flat (footprint 2x3) 1, on edge (1x3) 2, upright (1x2) 3. It must
 * touch the frame or other pieces with its west or east side and with its south or north side, and
 * must not touch a piece of its own height. The game ends when the player to move cannot place.
 * Points: the pieces in your largest group of own and neutral pieces joined by their sides, minus
 * the neutral pieces still in your hand. The player with more points wins; on equal points, the
 * player who placed last.
 *
 * Position text: own+neutral pieces in the hands of Blue and of Red, the pieces on the floor (b, r
 * or n for the owner, then footprint and lower-left cell; written in the order of the cells, read
 * in any), the player next in turn: "11+2 11+3 r3x1@f1 b2x3@i1 n1x2@h2 2".
 *
 * A move is y * 16 + x of the lower-left cell, the way the piece stands << 8, and NEUTRAL for a
 * neutral piece. */
#include "../rules/editing.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "ksar_board.h"

static const struct nonet_option options_table[] = {
    [FRAME] = {.key = "frame",
               .values = "10x10",
               .help = "width and depth of the frame, in units",
               .kind = NONET_SIZE,
               .least = 3,
               .most = SIDE},
    NONET_SWAP_OPTION,
    {0},
};

enum {
    BLUE_NAME,
    RED_NAME,
    BLUE_WORD,
    RED_WORD,
    NEUTRAL_WORD,
    FLAT_WORD,
    ON_EDGE_WORD,
    UPRIGHT_WORD,
    BAD_PLACEMENT,
    STICKS_OUT,
    NO_OWN_PIECE,
    NO_NEUTRAL_PIECE,
    OVERLAPS,
    NO_CONTACT,
    NO_WEST_EAST,
    NO_SOUTH_NORTH,
    SAME_HEIGHT,
    MORE_POINTS,
    LAST_PLACED,
    PIECE_AT,
    HAND,
    IN_HAND,
    TAKE_OWN,
    TAKE_NEUTRAL,
    STAND,
    BAD_HANDS,
    BAD_OWNER,
    TOO_MANY_PIECES,
    TWO_OVERLAP,
    TWO_SAME_HEIGHT,
    WRONG_COUNT,
    UNBALANCED,
    NEVER_HELD,
    NO_ORDER,
    GROUPS_JOIN,
    LARGEST_GROUP,
    NEUTRAL_IN_HAND,
    POINTS_SO_FAR,
    KIND,
};
static const struct nonet_phrase phrases[] = {
    [BLUE_NAME] = {"ksar.blue-name", "Blue"},
    [RED_NAME] = {"ksar.red-name", "Red"},
    [BLUE_WORD] = {"ksar.blue", "blue"},
    [RED_WORD] = {"ksar.red", "red"},
    [NEUTRAL_WORD] = {"ksar.neutral", "neutral"},
    [FLAT_WORD] = {"ksar.flat", "flat"},
    [ON_EDGE_WORD] = {"ksar.on-edge", "on-edge"},
    [UPRIGHT_WORD] = {"ksar.upright", "upright"},
    [BAD_PLACEMENT] =
        {"ksar.bad-placement",
         "\"{0}\" is not a placement; one looks like 2x3@a1: a footprint of 2x3, 3x2, "
         "1x3, 3x1, 1x2 or 2x1, then @ and the lower-left cell; n in front takes a "
         "neutral piece"},
    [STICKS_OUT] = {"ksar.sticks-out", "at {1} the piece would stick out of the frame; {0} fits "
                                       "with its lower-left cell from a1 to {2}"},
    [NO_OWN_PIECE] = {"ksar.no-own-piece", "{0} has no piece of that colour left in hand"},
    [NO_NEUTRAL_PIECE] = {"ksar.no-neutral-piece", "{0} has no neutral piece left in hand"},
    [OVERLAPS] = {"ksar.overlaps", "the piece would overlap the {0} piece at {1}"},
    [NO_CONTACT] = {"ksar.no-contact",
                    "the piece would touch nothing: it needs the frame or another piece at its "
                    "west or east side, and at its south or north side"},
    [NO_WEST_EAST] = {"ksar.no-west-east",
                      "the piece would touch nothing at its west or east side: it needs the frame "
                      "or another piece there"},
    [NO_SOUTH_NORTH] = {"ksar.no-south-north",
                        "the piece would touch nothing at its south or north side: it needs the "
                        "frame or another piece there"},
    [SAME_HEIGHT] = {"ksar.same-height",
                     "the piece would touch the {0} piece at {1}, which has the same height"},
    [MORE_POINTS] = {"ksar.more-points", "{0} has more points, {1} to {2}"},
    [LAST_PLACED] = {"ksar.last-placed", "equal points, {0} each: {1} placed last"},
    [PIECE_AT] = {"ksar.piece-at", "{0} {1} piece, {2} at {3}"},
    [HAND] = {"ksar.hand", "{0} pieces in the hand of {1}"},
    [IN_HAND] = {"ksar.in-hand", "{1} pieces in the hand of {2}: {0}"},
    [TAKE_OWN] = {"ksar.take-own", "take a piece of your colour"},
    [TAKE_NEUTRAL] = {"ksar.take-neutral", "take a neutral piece"},
    [STAND] = {"ksar.stand", "{0}, {1}"},
    [BAD_HANDS] = {"ksar.bad-hands",
                   "the hands of Blue and Red must come first, each as own+neutral pieces from 0+0 "
                   "to 12+3 with a space between, not \"{0}\""},
    [BAD_OWNER] = {"ksar.bad-owner", "\"{0}\" is not a piece; one looks like b2x3@i1, with b for "
                                     "blue, r for red, n for neutral"},
    [TOO_MANY_PIECES] = {"ksar.too-many-pieces", "there are more than {0} pieces"},
    [TWO_OVERLAP] = {"ksar.two-overlap", "the pieces at {0} and {1} overlap"},
    [TWO_SAME_HEIGHT] = {"ksar.two-same-height",
                         "the pieces at {0} and {1} touch and have the same height"},
    [WRONG_COUNT] = {"ksar.wrong-count",
                     "{0} pieces: {1} on the floor and {2} in hand, which must make {3}"},
    [UNBALANCED] =
        {"ksar.unbalanced",
         "pieces placed: {0} by Blue and {1} by Red, but they place in turn, Blue first"},
    [NEVER_HELD] = {"ksar.never-held",
                    "in whatever order the pieces were placed, the one at {0} did not touch the "
                    "frame or another piece at its west or east side and its south or north side"},
    [NO_ORDER] = {"ksar.no-order", "Blue and Red, placing in turn, cannot have placed these pieces "
                                   "in any order"},
    [GROUPS_JOIN] = {"ksar.groups-join", "groups of {0} join: the largest now has {1} pieces"},
    [LARGEST_GROUP] = {"ksar.largest-group", "largest group"},
    [NEUTRAL_IN_HAND] = {"ksar.neutral-in-hand", "neutral in hand"},
    [POINTS_SO_FAR] = {"ksar.points-so-far", "points so far"},
    [KIND] = {"ksar.kind", "{0} {1} piece, {2}"},
};

enum { WAY_SHIFT = 8, WAY_MASK = 7, NEUTRAL = 1 << 11 };

/* A piece on the floor, or about to be placed there. */
struct piece {
    int x, y; /* of the lower-left cell */
    int way, owner;
};

static struct piece piece_of(nonet_move move, int player) {
    return (struct piece){.x = (int)(move % SIDE),
                          .y = (int)(move / SIDE % SIDE),
                          .way = (int)(move >> WAY_SHIFT & WAY_MASK),
                          .owner = move & NEUTRAL ? NEUTRAL_OWNER : player};
}

static nonet_move move_of(struct piece piece) {
    return (nonet_move)(piece.y * SIDE + piece.x) | (nonet_move)piece.way << WAY_SHIFT |
           (piece.owner == NEUTRAL_OWNER ? NEUTRAL : 0u);
}

/* Whether the number stands for a piece inside the frame. */
static bool is_move(const struct nonet_options *options, nonet_move move) {
    struct piece piece = piece_of(move, BLUE);
    return move < 2 * NEUTRAL && piece.way < WAYS &&
           piece.x + ways[piece.way].width <= frame_width(options) &&
           piece.y + ways[piece.way].depth <= frame_depth(options);
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    *(struct state *)state = (struct state){.own = {OWN_PIECES, OWN_PIECES},
                                            .neutral = {NEUTRAL_PIECES, NEUTRAL_PIECES}};
}

static void placements(const struct site *site, int way, rows *legal) {
    rows later;
    find_places(site, way, legal, &later);
}

static int turn(const struct nonet_options *options, const void *state) {
    const struct state *s = state;
    if (s->own[s->next] + s->neutral[s->next] == 0)
        return 0;
    struct site site;
    survey(options, s, &site);
    FOR_EACH_WAY(way) {
        rows legal;
        placements(&site, way, &legal);
        if (!is_empty(&legal))
            return s->next + 1;
    }
    return 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->next + 1;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    const struct state *s = state;
    bool own = s->own[s->next] > 0, neutral = s->neutral[s->next] > 0;
    if (!own && !neutral)
        return 0;
    struct site site;
    survey(options, s, &site);
    int count = 0;
    FOR_EACH_WAY(way) {
        uint16_t legal[SIDE];
        placements(&site, way, &ROWS(legal));
        nonet_move base = (nonet_move)way << WAY_SHIFT | (own ? 0u : NEUTRAL);
        for (int quarter = 0; quarter < 4; quarter++, base += 4 * SIDE)
            for (uint64_t set = quarter_of(legal, quarter); set != 0; set &= set - 1)
                moves[count++] = base + (nonet_move)nonet_bits_first(set);
    }
    if (!own || !neutral)
        return count;
    for (int i = 0; i < count; i++)
        moves[count + i] = moves[i] | NEUTRAL;
    return 2 * count;
}

static void put(struct state *s, struct piece piece) {
    uint16_t line = (uint16_t)(((1u << ways[piece.way].width) - 1) << piece.x);
    for (int y = piece.y; y < piece.y + ways[piece.way].depth; y++) {
        s->height[piece.way / 2][y] |= line;
        if (piece.owner != NEUTRAL_OWNER)
            s->colour[piece.owner][y] |= line;
    }
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options, (void)workspace;
    struct state *s = state;
    put(s, piece_of(move, s->next));
    if (move & NEUTRAL)
        s->neutral[s->next]--;
    else
        s->own[s->next]--;
    s->next ^= 1;
}

/* How many pieces the player's largest group of own and neutral pieces has, and its cells. */
static int largest_group(const struct state *s, int player, rows *largest) {
    rows first, group,
        rest = (PLANE(s->height[0]) | PLANE(s->height[1]) | PLANE(s->height[2])) &
               ~PLANE(s->colour[1 - player]);
    corners(s, &first);
    int most = 0;
    *largest = (rows){0};
    while (take_part(&rest, &group)) {
        rows counted = group & first;
        int pieces = count_cells(&counted);
        if (pieces > most) {
            most = pieces;
            *largest = group;
        }
    }
    return most;
}

/* The winner of a finished game, and the points. On equal points the player who placed last wins:
 * the one who is not next. */
static int winner(const struct state *s, int points[2]) {
    for (int player = 0; player < 2; player++) {
        rows group;
        points[player] = largest_group(s, player, &group) - s->neutral[player];
    }
    return points[s->next] > points[1 - s->next] ? s->next : 1 - s->next;
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    int points[2], won = winner(state, points), lost = 1 - won;
    result->winners = (uint8_t)(1u << won);
    result->has_points = true;
    for (int player = 0; player < 2; player++)
        result->points[player] = (int16_t)points[player];
    struct nonet_argument name = nonet_word(&phrases[BLUE_NAME + won]);
    if (points[won] == points[lost])
        result->reason = nonet_say(&phrases[LAST_PLACED], nonet_number(points[won]), name);
    else
        result->reason = nonet_say(&phrases[MORE_POINTS], name, nonet_number(points[won]),
                                   nonet_number(points[lost]));
}

/* The pieces on the floor in the order of their lower-left cells; returns how many. */
static int list_pieces(const struct state *s, struct piece pieces[PIECES]) {
    rows first;
    corners(s, &first);
    int count = 0;
    for (int y = 0; y < SIDE; y++)
        for (unsigned row = first[y]; row != 0; row &= row - 1) {
            int x = nonet_bits_first(row);
            int height = s->height[0][y] >> x & 1 ? 0 : s->height[1][y] >> x & 1 ? 1 : 2;
            /* Of the two ways with this height, the second is wider. */
            int wider = s->height[height][y] >> (x + ways[2 * height].width) & 1;
            int owner = s->colour[BLUE][y] >> x & 1  ? BLUE
                        : s->colour[RED][y] >> x & 1 ? RED
                                                     : NEUTRAL_OWNER;
            pieces[count++] = (struct piece){x, y, 2 * height + wider, owner};
        }
    return count;
}

/* Whether two pieces share a part of the width, or of the depth, of the frame. */
static bool share_x(struct piece a, struct piece b) {
    return a.x < b.x + ways[b.way].width && b.x < a.x + ways[a.way].width;
}

static bool share_y(struct piece a, struct piece b) {
    return a.y < b.y + ways[b.way].depth && b.y < a.y + ways[a.way].depth;
}

static bool overlap(struct piece a, struct piece b) {
    return share_x(a, b) && share_y(a, b);
}

static bool touch_west_east(struct piece a, struct piece b) {
    return share_y(a, b) && (a.x + ways[a.way].width == b.x || b.x + ways[b.way].width == a.x);
}

static bool touch_south_north(struct piece a, struct piece b) {
    return share_x(a, b) && (a.y + ways[a.way].depth == b.y || b.y + ways[b.way].depth == a.y);
}

static bool clash(struct piece a, struct piece b) {
    return a.way / 2 == b.way / 2 && (touch_west_east(a, b) || touch_south_north(a, b));
}

static bool touch_frame_west_east(const struct nonet_options *options, struct piece piece) {
    return piece.x == 0 || piece.x + ways[piece.way].width == frame_width(options);
}

static bool touch_frame_south_north(const struct nonet_options *options, struct piece piece) {
    return piece.y == 0 || piece.y + ways[piece.way].depth == frame_depth(options);
}

static struct nonet_argument cell_argument(const struct nonet_options *options,
                                           struct piece piece) {
    int width = frame_width(options);
    return nonet_cell_argument(width, piece.y * width + piece.x);
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (turn(options, s) == 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
        return false;
    }
    if (!is_move(options, move)) {
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
        return false;
    }
    if ((move & NEUTRAL ? s->neutral : s->own)[s->next] == 0) {
        *why = nonet_say(&phrases[move & NEUTRAL ? NO_NEUTRAL_PIECE : NO_OWN_PIECE],
                         nonet_word(&phrases[BLUE_NAME + s->next]));
        return false;
    }
    struct piece piece = piece_of(move, s->next), others[PIECES];
    int count = list_pieces(s, others);
    for (int i = 0; i < count; i++)
        if (overlap(piece, others[i])) {
            *why = nonet_say(&phrases[OVERLAPS], nonet_word(&phrases[BLUE_WORD + others[i].owner]),
                             cell_argument(options, others[i]));
            return false;
        }
    bool west_east = touch_frame_west_east(options, piece);
    bool south_north = touch_frame_south_north(options, piece);
    for (int i = 0; i < count; i++) {
        west_east = west_east || touch_west_east(piece, others[i]);
        south_north = south_north || touch_south_north(piece, others[i]);
    }
    if (!west_east || !south_north) {
        *why = nonet_say(&phrases[west_east     ? NO_SOUTH_NORTH
                                  : south_north ? NO_WEST_EAST
                                                : NO_CONTACT]);
        return false;
    }
    for (int i = 0; i < count; i++)
        if (clash(piece, others[i])) {
            *why = nonet_say(&phrases[SAME_HEIGHT], nonet_word(&phrases[FLAT_WORD + piece.way / 2]),
                             cell_argument(options, others[i]));
            return false;
        }
    return true;
}

static void print_placement(const struct nonet_options *options, struct piece piece,
                            struct nonet_text *out) {
    int width = frame_width(options);
    nonet_text_format(out, "%s@", ways[piece.way].name);
    nonet_cell_print(width, piece.y * width + piece.x, out);
}

/* The text up to the next space, for a message. */
static struct nonet_argument quote_word(const char *text) {
    char word[NONET_ARGUMENT_TEXT];
    struct nonet_text out = NONET_TEXT_IN(word);
    for (size_t i = 0; text[i] != '\0' && (i == 0 || text[i] != ' '); i++)
        nonet_text_char(&out, text[i]);
    return nonet_quote(word);
}

/* Reads footprint and cell of a piece. */
static bool scan_placement(const struct nonet_options *options, const char **cursor,
                           struct piece *piece, struct nonet_message *why) {
    const char *c = *cursor;
    int width = frame_width(options), depth = frame_depth(options);
    int way = 0;
    while (way < WAYS && !nonet_scan_word(&c, ways[way].name))
        way++;
    if (way == WAYS || !nonet_scan_word(&c, "@")) {
        *why = nonet_say(&phrases[BAD_PLACEMENT], quote_word(*cursor));
        return false;
    }
    const char *name = c;
    int cell = nonet_cell_scan(&c, width, depth);
    if (cell < 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_OFF_BOARD], quote_word(name), nonet_quote("a1"),
                         nonet_cell_argument(width, width * depth - 1));
        return false;
    }
    piece->x = cell % width;
    piece->y = cell / width;
    piece->way = way;
    *cursor = c;
    return true;
}

/* Whether it stands inside the frame. */
static bool fits(const struct nonet_options *options, struct piece piece,
                 struct nonet_message *why) {
    struct piece last = {frame_width(options) - ways[piece.way].width,
                         frame_depth(options) - ways[piece.way].depth, piece.way, piece.owner};
    if (piece.x <= last.x && piece.y <= last.y)
        return true;
    *why = nonet_say(&phrases[STICKS_OUT], nonet_quote(ways[piece.way].name),
                     cell_argument(options, piece), cell_argument(options, last));
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    if (move & NEUTRAL)
        nonet_text_char(out, 'n');
    print_placement(options, piece_of(move, BLUE), out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    const char *cursor = text;
    struct piece piece = {.owner = nonet_scan_word(&cursor, "n") ? NEUTRAL_OWNER : BLUE};
    if (!scan_placement(options, &cursor, &piece, why) || !fits(options, piece, why))
        return false;
    if (*cursor != '\0') {
        *why = nonet_say(&phrases[BAD_PLACEMENT], nonet_quote(text));
        return false;
    }
    *move = move_of(piece);
    return true;
}

static const char owner_letters[] = "brn";

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    const struct state *s = state;
    nonet_text_format(out, "%d+%d %d+%d", s->own[BLUE], s->neutral[BLUE], s->own[RED],
                      s->neutral[RED]);
    struct piece pieces[PIECES];
    int count = list_pieces(s, pieces);
    for (int i = 0; i < count; i++) {
        nonet_text_format(out, " %c", owner_letters[pieces[i].owner]);
        print_placement(options, pieces[i], out);
    }
    nonet_text_format(out, " %d", s->next + 1);
}

static bool scan_hand(const char **cursor, struct state *s, int player) {
    uint32_t own, neutral;
    if (!nonet_scan_number(cursor, OWN_PIECES, &own) || !nonet_scan_word(cursor, "+") ||
        !nonet_scan_number(cursor, NEUTRAL_PIECES, &neutral))
        return false;
    s->own[player] = (uint8_t)own;
    s->neutral[player] = (uint8_t)neutral;
    return true;
}

/* Reads a piece after a space. */
static bool scan_piece(const struct nonet_options *options, const char **cursor,
                       struct piece *piece, struct nonet_message *why) {
    const char *c = *cursor + 1, *letter = strchr(owner_letters, *c);
    if (*c == '\0' || letter == NULL) {
        *why = nonet_say(&phrases[BAD_OWNER], quote_word(c));
        return false;
    }
    c++;
    *piece = (struct piece){.owner = (int)(letter - owner_letters)};
    if (!scan_placement(options, &c, piece, why))
        return false;
    *cursor = c;
    return true;
}

/* Whether the pieces can have been placed, each touching what it must at that time. What a piece
 * touches only grows, so pieces already down never rule out an order. */
struct order {
    int count;
    const struct piece *pieces;
    uint32_t west_east[PIECES], south_north[PIECES]; /* what each touches there */
    int patience;                                    /* attempts left */
};
#define FRAME_BIT (1u << PIECES) /* the frame, among sets of pieces */

static void find_contacts(const struct nonet_options *options, struct order *order) {
    for (int i = 0; i < order->count; i++) {
        struct piece piece = order->pieces[i];
        uint32_t west_east = touch_frame_west_east(options, piece) ? FRAME_BIT : 0;
        uint32_t south_north = touch_frame_south_north(options, piece) ? FRAME_BIT : 0;
        for (int j = 0; j < order->count; j++) {
            west_east |= (uint32_t)touch_west_east(piece, order->pieces[j]) << j;
            south_north |= (uint32_t)touch_south_north(piece, order->pieces[j]) << j;
        }
        order->west_east[i] = west_east;
        order->south_north[i] = south_north;
    }
}

static bool held(const struct order *order, int piece, uint32_t placed) {
    return (order->west_east[piece] & placed) != 0 && (order->south_north[piece] & placed) != 0;
}

/* The first piece that fits into no order, whichever player places it, or -1. */
static int never_held(const struct order *order) {
    uint32_t placed = FRAME_BIT, before;
    do {
        before = placed;
        for (int i = 0; i < order->count; i++)
            placed |= (uint32_t)held(order, i, placed) << i;
    } while (placed != before);
    for (int i = 0; i < order->count; i++)
        if (!(placed >> i & 1))
            return i;
    return -1;
}

/* Whether the players, who place in turn, can place the rest: each their own pieces and so many
 * neutral ones. If patience runs out, which takes 0.6 milliseconds, says yes. */
static bool can_finish(struct order *order, uint32_t placed, int player, int neutral, int others) {
    if (placed == (FRAME_BIT | ((1u << order->count) - 1)) || order->patience-- <= 0)
        return true;
    for (int i = 0; i < order->count; i++) {
        int owner = order->pieces[i].owner;
        if (placed >> i & 1 || owner == 1 - player || !held(order, i, placed))
            continue;
        int mine = neutral - (owner == NEUTRAL_OWNER);
        if (mine >= 0 && can_finish(order, placed | 1u << i, 1 - player, others, mine))
            return true;
    }
    return false;
}

/* Whether these pieces, which do not overlap and have no forbidden contacts, agree with the hands
 * and the turn. */
static bool check_counts(const struct state *s, const struct piece *pieces, int count,
                         struct nonet_message *why) {
    int down[3] = {0};
    for (int i = 0; i < count; i++)
        down[pieces[i].owner]++;
    const int in_hand[] = {s->own[BLUE], s->own[RED], s->neutral[BLUE] + s->neutral[RED]};
    static const int all[] = {OWN_PIECES, OWN_PIECES, 2 * NEUTRAL_PIECES};
    for (int owner = 0; owner < 3; owner++)
        if (down[owner] + in_hand[owner] != all[owner]) {
            *why = nonet_say(&phrases[WRONG_COUNT], nonet_word(&phrases[BLUE_WORD + owner]),
                             nonet_number(down[owner]), nonet_number(in_hand[owner]),
                             nonet_number(all[owner]));
            return false;
        }
    int blue = OWN_PIECES + NEUTRAL_PIECES - s->own[BLUE] - s->neutral[BLUE];
    if (blue != (count + 1) / 2) {
        *why = nonet_say(&phrases[UNBALANCED], nonet_number(blue), nonet_number(count - blue));
        return false;
    }
    if (s->next != count % 2) {
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(count % 2 + 1));
        return false;
    }
    return true;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    struct state s = {0};
    const char *c = text;
    if (!scan_hand(&c, &s, BLUE) || !nonet_scan_word(&c, " ") || !scan_hand(&c, &s, RED)) {
        *why = nonet_say(&phrases[BAD_HANDS], nonet_quote(c));
        return false;
    }
    struct piece pieces[PIECES];
    int count = 0, next;
    while (c[0] == ' ' && c[1] >= 'a' && c[1] <= 'z') {
        if (count == PIECES) {
            *why = nonet_say(&phrases[TOO_MANY_PIECES], nonet_number(PIECES));
            return false;
        }
        struct piece *piece = &pieces[count];
        if (!scan_piece(options, &c, piece, why) || !fits(options, *piece, why))
            return false;
        for (int i = 0; i < count; i++)
            if (overlap(*piece, pieces[i]) || clash(*piece, pieces[i])) {
                bool same_height = !overlap(*piece, pieces[i]);
                *why = nonet_say(&phrases[same_height ? TWO_SAME_HEIGHT : TWO_OVERLAP],
                                 cell_argument(options, pieces[i]), cell_argument(options, *piece));
                return false;
            }
        put(&s, *piece);
        count++;
    }
    if (!nonet_turn_scan(&c, 2, &next, why))
        return false;
    s.next = (uint8_t)(next - 1);
    if (!check_counts(&s, pieces, count, why))
        return false;
    list_pieces(&s, pieces); /* so that the answer depends on the position only */
    struct order order = {.count = count, .pieces = pieces, .patience = 20000};
    find_contacts(options, &order);
    int loose = never_held(&order);
    if (loose >= 0) {
        *why = nonet_say(&phrases[NEVER_HELD], cell_argument(options, pieces[loose]));
        return false;
    }
    if (!can_finish(&order, FRAME_BIT, BLUE, NEUTRAL_PIECES - s.neutral[BLUE],
                    NEUTRAL_PIECES - s.neutral[RED])) {
        *why = nonet_say(&phrases[NO_ORDER]);
        return false;
    }
    *(struct state *)state = s;
    return true;
}

/* After the cells the scene has these places. A move touches what to take, how to stand it, and the
 * lower-left cell. */
enum { OWN_BUTTON, NEUTRAL_BUTTON, WAY_BUTTONS };

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    struct piece piece = piece_of(move, BLUE);
    int width = frame_width(options), cells = width * frame_depth(options);
    places[0] = (uint16_t)(cells + (move & NEUTRAL ? NEUTRAL_BUTTON : OWN_BUTTON));
    places[1] = (uint16_t)(cells + WAY_BUTTONS + piece.way);
    places[2] = (uint16_t)(piece.y * width + piece.x);
    return 3;
}

static void spell(const struct nonet_options *options, const uint16_t *places, int count,
                  struct nonet_text *out) {
    int width = frame_width(options), cells = width * frame_depth(options);
    for (int i = 0; i < count; i++) {
        int button = places[i] - cells;
        if (button < 0) {
            nonet_text_char(out, '@');
            nonet_cell_print(width, places[i], out);
        } else if (button >= WAY_BUTTONS && button < WAY_BUTTONS + WAYS) {
            nonet_text_add(out, ways[button - WAY_BUTTONS].name);
        } else if (button == NEUTRAL_BUTTON) {
            nonet_text_char(out, 'n');
        }
    }
}

static void dress(struct nonet_piece *piece, int way, int owner) {
    static const uint8_t materials[] = {NONET_BLUE, NONET_RED, NONET_NATURAL};
    piece->material = materials[owner];
    piece->owner = owner == NEUTRAL_OWNER ? 0 : (uint8_t)(owner + 1);
    piece->width = ways[way].width * NONET_UNIT;
    piece->depth = ways[way].depth * NONET_UNIT;
    piece->height = (way / 2 + 1) * NONET_UNIT;
    piece->mark[0] = "BRN"[owner];
}

static struct nonet_piece *scene_piece(struct nonet_scene *scene, int place, int way, int owner) {
    struct nonet_piece *piece = nonet_scene_piece(scene, place, NONET_CUBOID, NONET_NATURAL);
    dress(piece, way, owner);
    return piece;
}

static void scene_hand(struct nonet_scene *scene, const char *name, int player, int owner,
                       int button, int count) {
    struct nonet_place *hand = nonet_scene_place(scene, NONET_HAND, name);
    hand->owner = (uint8_t)(player + 1);
    hand->label = nonet_say(&phrases[HAND], nonet_word(&phrases[BLUE_WORD + owner]),
                            nonet_word(&phrases[BLUE_NAME + player]));
    if (count == 0)
        return;
    struct nonet_piece *piece = scene_piece(scene, scene->place_count - 1, 0, owner);
    piece->owner = hand->owner;
    piece->button = (uint16_t)button;
    piece->count = (uint8_t)count;
    piece->label =
        nonet_say(&phrases[IN_HAND], nonet_number(count), nonet_word(&phrases[BLUE_WORD + owner]),
                  nonet_word(&phrases[BLUE_NAME + player]));
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    int width = frame_width(options);
    nonet_scene_board(scene, width, frame_depth(options));
    scene->tall = true;
    int own = scene->place_count + OWN_BUTTON, neutral = scene->place_count + NEUTRAL_BUTTON;
    nonet_scene_place(scene, NONET_BUTTON, "own")->label = nonet_say(&phrases[TAKE_OWN]);
    nonet_scene_place(scene, NONET_BUTTON, "neutral")->label = nonet_say(&phrases[TAKE_NEUTRAL]);
    for (int way = 0; way < WAYS; way++)
        nonet_scene_place(scene, NONET_BUTTON, ways[way].name)->label =
            nonet_say(&phrases[STAND], nonet_quote(ways[way].name),
                      nonet_word(&phrases[FLAT_WORD + way / 2]));
    scene_hand(scene, "blue", BLUE, BLUE, own, s->own[BLUE]);
    scene_hand(scene, "blue neutral", BLUE, NEUTRAL_OWNER, neutral, s->neutral[BLUE]);
    scene_hand(scene, "red", RED, RED, own, s->own[RED]);
    scene_hand(scene, "red neutral", RED, NEUTRAL_OWNER, neutral, s->neutral[RED]);

    rows scored = {0};
    if (turn(options, s) == 0)
        largest_group(s, winner(s, (int[2]){0}), &scored);
    struct piece pieces[PIECES];
    int count = list_pieces(s, pieces);
    for (int i = 0; i < count; i++) {
        int x = pieces[i].x, y = pieces[i].y, way = pieces[i].way, owner = pieces[i].owner;
        struct nonet_piece *piece = scene_piece(scene, y * width + x, way, owner);
        piece->x = x * NONET_UNIT + piece->width / 2;
        piece->y = y * NONET_UNIT + piece->depth / 2;
        piece->lit = scored[y] >> x & 1;
        piece->mark[1] = (char)('1' + way / 2);
        piece->label = nonet_say(&phrases[PIECE_AT], nonet_word(&phrases[BLUE_WORD + owner]),
                                 nonet_word(&phrases[FLAT_WORD + way / 2]),
                                 nonet_quote(ways[way].name), cell_argument(options, pieces[i]));
    }
}

/* Groups that a piece joins, of either player: a neutral piece can serve both. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    (void)move;
    for (int player = 0; player < 2; player++) {
        rows group, first;
        int old = largest_group(before, player, &group), new = largest_group(after, player, &group);
        if (new <= old + 1)
            continue;
        struct nonet_event *event = nonet_event_add(
            events, nonet_say(&phrases[GROUPS_JOIN], nonet_word(&phrases[BLUE_NAME + player]),
                              nonet_number(new)));
        corners(after, &first);
        for (int y = 0; y < SIDE; y++)
            for (unsigned row = group[y] & first[y]; row != 0; row &= row - 1)
                nonet_event_at(event, y * frame_width(options) + nonet_bits_first(row));
    }
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    (void)options;
    const struct state *s = state;
    for (int player = 0; player < 2; player++) {
        rows group;
        int largest = largest_group(s, player, &group), neutral = s->neutral[player];
        nonet_standing_add(standings, player + 1, largest, nonet_say(&phrases[LARGEST_GROUP]));
        nonet_standing_add(standings, player + 1, neutral, nonet_say(&phrases[NEUTRAL_IN_HAND]));
        nonet_standing_add(standings, player + 1, largest - neutral,
                           nonet_say(&phrases[POINTS_SO_FAR]));
    }
}

/* Bit 0 of a symmetry mirrors west and east, bit 1 south and north; bit 2, in a square frame, then
 * swaps files and ranks. */
static int symmetries(const struct nonet_options *options) {
    return frame_width(options) == frame_depth(options) ? 8 : 4;
}

static struct piece turn_piece(const struct nonet_options *options, int symmetry,
                               struct piece piece) {
    if (symmetry & 1)
        piece.x = frame_width(options) - ways[piece.way].width - piece.x;
    if (symmetry & 2)
        piece.y = frame_depth(options) - ways[piece.way].depth - piece.y;
    if (symmetry & 4) /* a quarter turn swaps the two ways of a height */
        piece = (struct piece){piece.y, piece.x, piece.way ^ 1, piece.owner};
    return piece;
}

/* Swaps files and ranks of a square plane: first the quarters off the diagonal, then within each
 * quarter the same again. */
static void swap_files_and_ranks(uint16_t plane[SIDE], int side) {
    int half = side <= SIDE / 2 ? SIDE / 4 : SIDE / 2;
    unsigned mask = (1u << half) - 1; /* the lower half of every 2 * half files */
    if (half == SIDE / 4)
        mask |= mask << SIDE / 2;
    for (int rank_count = 2 * half; half > 0; half /= 2, mask ^= mask << half)
        for (int y = 0; y < rank_count; y = (y + half + 1) & ~half) {
            unsigned change = (plane[y] >> half ^ plane[y + half]) & mask;
            plane[y] = (uint16_t)(plane[y] ^ change << half);
            plane[y + half] = (uint16_t)(plane[y + half] ^ change);
        }
}

static void turn_plane(const struct nonet_options *options, int symmetry,
                       const uint16_t plane[SIDE], uint16_t turned[SIDE]) {
    int width = frame_width(options), depth = frame_depth(options);
    rows image = PLANE(plane);
    if (symmetry & 1) {
        image = (image & 0x5555) << 1 | (image >> 1 & 0x5555);
        image = (image & 0x3333) << 2 | (image >> 2 & 0x3333);
        image = (image & 0x0f0f) << 4 | (image >> 4 & 0x0f0f);
        image = (image << 8 | image >> 8) >> (uint16_t)(SIDE - width);
    }
    ROWS(turned) = image;
    if (symmetry & 2)
        for (int y = 0; y < depth / 2; y++) {
            uint16_t row = turned[y];
            turned[y] = turned[depth - 1 - y];
            turned[depth - 1 - y] = row;
        }
    if (symmetry & 4)
        swap_files_and_ranks(turned, width);
    ROWS(turned) = PLANE(turned);
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    struct state s = *(const struct state *)state, t = s;
    for (int height = 0; height < HEIGHTS; height++)
        turn_plane(options, symmetry, s.height[height], t.height[height]);
    for (int player = 0; player < 2; player++)
        turn_plane(options, symmetry, s.colour[player], t.colour[player]);
    *(struct state *)turned = t;
}

/* The canonical form: least by the filled cells; only where these are equal, by everything. */
static void canonical(const struct nonet_options *options, const void *state, void *canonical) {
    const struct state *s = state;
    /* Turning and then swapping is swapping and then turning the other way. */
    uint16_t filled[2][SIDE], least[SIDE], image[SIDE];
    ROWS(filled[0]) = ROWS(s->height[0]) | ROWS(s->height[1]) | ROWS(s->height[2]);
    int best = 0, count = symmetries(options);
    if (count > 4)
        turn_plane(options, 4, filled[0], filled[1]);
    memcpy(least, filled[0], sizeof least);
    for (int symmetry = 1; symmetry < count; symmetry++) {
        bool swapped = symmetry & 4;
        int flips = swapped ? (symmetry & 1) << 1 | (symmetry & 2) >> 1 : symmetry;
        turn_plane(options, flips, filled[swapped], image);
        int order = memcmp(image, least, sizeof image);
        if (order == 0) {
            struct state a, b;
            turn_state(options, symmetry, s, &a);
            turn_state(options, best, s, &b);
            order = memcmp(&a, &b, sizeof a);
        }
        if (order < 0) {
            best = symmetry;
            memcpy(least, image, sizeof least);
        }
    }
    turn_state(options, best, s, canonical);
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    return move_of(turn_piece(options, symmetry, piece_of(move, BLUE)));
}

/* --- For an editor: a kind for every way in which a piece of an owner can stand --- */

static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    (void)options;
    for (int kind = 0; kind < 3 * WAYS; kind++) {
        int owner = kind / WAYS, way = kind % WAYS;
        kinds[kind] = nonet_piece_on(0, NONET_CUBOID, NONET_NATURAL);
        dress(&kinds[kind], way, owner);
        kinds[kind].mark[1] = (char)('1' + way / 2);
        kinds[kind].label =
            nonet_say(&phrases[KIND], nonet_word(&phrases[BLUE_WORD + owner]),
                      nonet_word(&phrases[FLAT_WORD + way / 2]), nonet_quote(ways[way].name));
    }
    return 3 * WAYS;
}

/* The hands are not taken along: they follow from what stands on the floor. */
static bool take_apart(const struct nonet_options *options, const char *text,
                       struct nonet_draft *draft) {
    struct state s;
    struct piece piece;
    struct nonet_message why;
    int turn;
    if (!scan_hand(&text, &s, BLUE) || !nonet_scan_word(&text, " ") || !scan_hand(&text, &s, RED))
        return false;
    while (text[0] == ' ' && text[1] >= 'a' && text[1] <= 'z') {
        if (draft->count == NONET_MAX_PIECES || !scan_piece(options, &text, &piece, &why))
            return false;
        draft->pieces[draft->count++] = (struct nonet_draft_piece){
            .kind = (uint8_t)(WAYS * piece.owner + piece.way),
            .place = (uint16_t)(piece.y * frame_width(options) + piece.x)};
    }
    if (!nonet_turn_scan(&text, 2, &turn, &why))
        return false;
    draft->turn = (int16_t)turn;
    return true;
}

static int within(int number, int most) {
    return number < 0 ? 0 : number > most ? most : number;
}

/* Blue has placed half of the pieces, or one more. Those that are not blue were neutral. */
static void put_together(const struct nonet_options *options, const struct nonet_draft *draft,
                         struct nonet_text *out) {
    int down[3] = {0};
    for (int i = 0; i < draft->count; i++)
        down[draft->pieces[i].kind / WAYS]++;
    int neutral = within(2 * NEUTRAL_PIECES - down[NEUTRAL_OWNER], 2 * NEUTRAL_PIECES);
    int placed = within((draft->count + 1) / 2 - down[BLUE], NEUTRAL_PIECES);
    int blue = within(NEUTRAL_PIECES - placed, neutral);
    int red = within(neutral - blue, NEUTRAL_PIECES);
    nonet_text_format(out, "%d+%d %d+%d", within(OWN_PIECES - down[BLUE], OWN_PIECES),
                      neutral - red, within(OWN_PIECES - down[RED], OWN_PIECES), red);
    for (int i = 0; i < draft->count; i++) {
        int width = frame_width(options), cell = draft->pieces[i].place;
        nonet_text_format(out, " %c", owner_letters[draft->pieces[i].kind / WAYS]);
        print_placement(options,
                        (struct piece){.x = cell % width,
                                       .y = cell / width,
                                       .way = draft->pieces[i].kind % WAYS},
                        out);
    }
    nonet_text_format(out, " %d", draft->turn);
}

static const struct nonet_editor editor = {
    .kinds = kinds, .take_apart = take_apart, .put_together = put_together};

/* Own pieces, then neutral ones; way by way; the cells of the frame along its ranks. */
static int action_count(const struct nonet_options *options) {
    return 2 * WAYS * frame_depth(options) * frame_width(options);
}

static int action_of(const struct nonet_options *options, nonet_move move) {
    if (!is_move(options, move))
        return -1;
    struct piece piece = piece_of(move, BLUE);
    int kind = piece.way + (move & NEUTRAL ? WAYS : 0);
    return (kind * frame_depth(options) + piece.y) * frame_width(options) + piece.x;
}

static nonet_move action_move(const struct nonet_options *options, int action) {
    int width = frame_width(options), depth = frame_depth(options);
    int kind = action / (width * depth);
    return move_of((struct piece){.x = action % width,
                                  .y = action / width % depth,
                                  .way = kind % WAYS,
                                  .owner = kind < WAYS ? BLUE : NEUTRAL_OWNER});
}

/* Of levels 1 to 9, found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{21, 31, 38, 46, 56, 66, 76, 85, 101}};

const struct nonet_game nonet_ksar = {
    .id = "ksar",
    .title = "Ksar",
    .author = "Philippe Proux",
    .year = "2018",
    .summary = "Build a fortified village together, and own the largest part of it.",
    .box = "a frame, 12 blue, 12 red and 6 neutral cuboids of 1x2x3 units; ages 7 and up",
    .minutes = 15,
    .min_players = 2,
    .max_players = 2,
    .facts = NONET_POINTS,
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
    .editor = &editor,
    .events = events,
    .standings = standings,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .canonical = canonical,
    .bounds = nonet_ksar_bounds,
    .evaluate = nonet_ksar_evaluate,
    .skills = skills,
    .features = &nonet_ksar_features,
    .action_count = action_count,
    .action_of = action_of,
    .action_move = action_move,
};
