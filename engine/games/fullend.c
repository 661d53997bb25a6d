/* Fullend (Nazareno Signoretto): the floor of the box is 160 x 160 mm, the pieces are 36 x 36 x 12
 * mm and belong to nobody. In turn, players put one anywhere on the floor: lying flat (footprint 36
 * x 36) or standing on a narrow side (footprint 36 x 12), at any angle. It must lie wholly on the
 * floor and must not overlap another piece; touching is allowed. A player who cannot place a piece
 * loses, also when the supply of pieces is used up.
 *
 * A placement is a centre on a lattice of half millimetres, 0 to 320 both ways, and a whole number
 * of degrees counter-clockwise: 0 to 89 lying flat, 0 to 179 standing (the 36 mm side along the
 * angle). Footprints count as 0.005 mm smaller on each of their four sides. That leaves no doubt
 * about what touches and what overlaps: no two placements of the lattice then come closer than 1e-7
 * mm to a tie. So it does not matter how a compiler rounds the sums below, nor whether a test says
 * < or <=. tests/fullend_exact.c proves it with whole numbers.
 *
 * Move text: "flat@36,36,0", "edge@100,60,135". A move is the layer, the y and the x of a placement
 * in one number. A layer is a way to put a piece down: 0 to 89 flat at that angle, from 90 on
 * standing at the angle layer - 90.
 *
 * Position text: all placements, in the order of their moves, then the player next in turn: "- 1"
 * for the empty floor, "flat@36,36,0 edge@160,60,135 1".
 *
 * For study there is a coarser floor: with the option `lattice`, centres lie only in the middles of
 * so many equal strips each way, and pieces are parallel to the walls. So few placements are left
 * that the game can be solved.
 *
 * There are some 17 million placements, so this is a wide game. Its workspace has a bit for every
 * centre of every layer. A piece that is put down forbids, in each layer, the centres inside a
 * convex octagon: the sum of the two footprints, one of them turned by half a turn, which leaves a
 * rectangle as it is. `strike` clears it row by row. `why` decides single placements by plain
 * geometry without the bits, and the tests compare the two. */
#include <string.h>

#include "../base/bits.h"
#include "../rules/editing.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "fullend_board.h"

static const struct nonet_option options_table[] = {
    [SUPPLY] = {.key = "supply",
                .values = "24|unlimited",
                .help = "pieces in the box, or as many as fit",
                .kind = NONET_CHOICE},
    [LATTICE] = {.key = "lattice",
                 .values = "0",
                 .help =
                     "for study: centres only on so many lines each way, pieces straight; 0 for "
                     "anywhere",
                 .kind = NONET_NUMBER,
                 .least = 0,
                 .most = 80,
                 .tacit = true},
    NONET_SWAP_OPTION,
    {0},
};

enum {
    BAD_NUMBERS,
    OFF_LATTICE,
    STICKS_OUT,
    LEFT_EDGE,
    RIGHT_EDGE,
    LOWER_EDGE,
    UPPER_EDGE,
    OVERLAPS,
    NO_ROOM,
    SUPPLY_USED_UP,
    LOST_WITHOUT_ROOM,
    LOST_WITHOUT_PIECES,
    PLACED_OFF_LATTICE,
    PLACED_OFF_FLOOR,
    PLACED_OVERLAPPING,
    TOO_MANY_PIECES,
    NOT_A_POSITION,
    FLOOR_OF_BOX,
    LAY_FLAT,
    STAND_ON_EDGE,
    FLAT_PIECE,
    EDGE_PIECE,
    PIECES_LEFT,
    ANY_NUMBER_LEFT,
    ONE_PIECE_LEFT,
    SUPPLY_LEFT,
};
static const struct nonet_phrase phrases[] = {
    [BAD_NUMBERS] = {"fullend.bad-numbers",
                     "\"{0}\" is not a placement: x and y are whole numbers from 0 to 320, the "
                     "angle one from 0 to {1}, without leading zeros, as in {2}"},
    [OFF_LATTICE] = {"fullend.off-lattice",
                     "the piece would not lie on the lattice of {0} x {0} centres; {1} would"},
    [STICKS_OUT] = {"fullend.sticks-out", "the piece would stick out over {0} by {1} mm"},
    [LEFT_EDGE] = {"fullend.left-edge", "the left edge of the floor"},
    [RIGHT_EDGE] = {"fullend.right-edge", "the right edge of the floor"},
    [LOWER_EDGE] = {"fullend.lower-edge", "the lower edge of the floor"},
    [UPPER_EDGE] = {"fullend.upper-edge", "the upper edge of the floor"},
    [OVERLAPS] = {"fullend.overlaps", "the piece would overlap {0} by {1} mm"},
    [NO_ROOM] = {"fullend.no-room", "the game is over: nothing can be placed any more"},
    [SUPPLY_USED_UP] = {"fullend.supply-used-up",
                        "the game is over: all {0} pieces of the box are placed"},
    [LOST_WITHOUT_ROOM] = {"fullend.lost-without-room", "player {0} finds no room for a piece"},
    [LOST_WITHOUT_PIECES] = {"fullend.lost-without-pieces",
                             "player {0} finds no piece left in the box"},
    [PLACED_OFF_LATTICE] = {"fullend.placed-off-lattice",
                            "{0} does not lie on the lattice of {1} x {1} centres; {2} would"},
    [PLACED_OFF_FLOOR] = {"fullend.placed-off-floor", "{0} sticks out over {1} by {2} mm"},
    [PLACED_OVERLAPPING] = {"fullend.placed-overlapping", "{0} and {1} overlap by {2} mm"},
    [TOO_MANY_PIECES] = {"fullend.too-many-pieces", "there cannot be more than {0} pieces"},
    [NOT_A_POSITION] = {"fullend.not-a-position",
                        "a position is a list of placements such as {1}, or - for the empty floor, "
                        "then the player to move; not \"{0}\""},
    [FLOOR_OF_BOX] = {"fullend.floor", "the floor of the box"},
    [LAY_FLAT] = {"fullend.lay-flat", "pieces to lay flat"},
    [STAND_ON_EDGE] = {"fullend.stand-on-edge", "pieces to stand on edge"},
    [FLAT_PIECE] = {"fullend.flat-piece",
                    "piece lying flat, centre {0} mm from the left and {1} mm from the lower edge, "
                    "turned by {2} degrees"},
    [EDGE_PIECE] = {"fullend.edge-piece",
                    "standing piece, centre {0} mm from the left and {1} mm from the lower edge, "
                    "turned by {2} degrees"},
    [PIECES_LEFT] = {"fullend.pieces-left", "pieces left in the box: {0}"},
    [ANY_NUMBER_LEFT] = {"fullend.any-number-left", "as many pieces as you like"},
    [ONE_PIECE_LEFT] = {"fullend.one-piece-left",
                        "one piece is left in the box: player {0} places it and wins"},
    [SUPPLY_LEFT] = {"fullend.supply-left", "pieces in the box"},
};

/* No centre is nearer than 12 to an edge of the floor, so 320 rows of 320 bits are enough: the
 * lattice's last row and column are not needed. */
enum { ROWS = FLOOR_SIDE, WORDS = FLOOR_SIDE / 64 };
typedef uint64_t layer_bits[ROWS][WORDS];

struct workspace {
    layer_bits free[LAYERS];
    uint32_t count[LAYERS]; /* of the bits in a layer */
};

/* --- Moves --- */

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    (void)options;
    struct placement p = unpack(move);
    nonet_text_format(out, "%s@%d,%d,%d", is_edge(p.layer) ? "edge" : "flat", p.x, p.y,
                      angle_of(p.layer));
}

static struct nonet_argument move_argument(nonet_move move) {
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    print(NULL, move, &text);
    return nonet_quote(name);
}

/* Reads a placement and moves the cursor past it. */
static bool scan(const char **cursor, nonet_move *move, struct nonet_message *why) {
    const char *c = *cursor;
    bool edge = nonet_scan_word(&c, "edge@");
    if (!edge && !nonet_scan_word(&c, "flat@")) {
        *why = nonet_say(&nonet_common[NONET_SAY_NOT_A_MOVE], nonet_quote(*cursor),
                         nonet_quote("flat@36,36,0 or edge@100,60,135"));
        return false;
    }
    uint32_t x, y, angle, angles = edge ? EDGE_LAYERS : FLAT_LAYERS;
    if (!nonet_scan_number(&c, FLOOR_SIDE, &x) || !nonet_scan_word(&c, ",") ||
        !nonet_scan_number(&c, FLOOR_SIDE, &y) || !nonet_scan_word(&c, ",") ||
        !nonet_scan_number(&c, angles - 1, &angle)) {
        *why = nonet_say(&phrases[BAD_NUMBERS], nonet_quote(*cursor),
                         nonet_number((int32_t)angles - 1),
                         nonet_quote(edge ? "edge@100,60,135" : "flat@36,36,0"));
        return false;
    }
    *cursor = c;
    *move = pack((struct placement){(int)angle + (edge ? FLAT_LAYERS : 0), (int)x, (int)y});
    return true;
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    (void)options;
    const char *cursor = text;
    if (!scan(&cursor, move, why))
        return false;
    if (*cursor == '\0')
        return true;
    *why = nonet_say(&nonet_common[NONET_SAY_NOT_A_MOVE], nonet_quote(text), move_argument(*move));
    return false;
}

/* --- Geometry of two footprints --- */

/* clang-format off */
const double nonet_fullend_sines[91] = {
    0, 0.017452406437283512, 0.034899496702500969, 0.052335956242943835,
    0.069756473744125302, 0.08715574274765818, 0.10452846326765347, 0.12186934340514748,
    0.13917310096006544, 0.15643446504023087, 0.17364817766693036, 0.1908089953765448,
    0.20791169081775934, 0.224951054343865, 0.24192189559966773, 0.25881904510252074,
    0.27563735581699916, 0.29237170472273671, 0.30901699437494745, 0.32556815445715664,
    0.34202014332566871, 0.35836794954530027, 0.37460659341591201, 0.39073112848927377,
    0.40673664307580021, 0.42261826174069944, 0.4383711467890774, 0.4539904997395468,
    0.46947156278589075, 0.484809620246337, 0.5, 0.51503807491005416,
    0.5299192642332049, 0.54463903501502708, 0.55919290347074679, 0.57357643635104605,
    0.58778525229247314, 0.60181502315204827, 0.61566147532565829, 0.6293203910498375,
    0.64278760968653936, 0.65605902899050728, 0.66913060635885824, 0.68199836006249848,
    0.69465837045899725, 0.70710678118654757, 0.71933980033865119, 0.73135370161917046,
    0.74314482547739424, 0.75470958022277201, 0.76604444311897801, 0.7771459614569709,
    0.7880107536067219, 0.79863551004729283, 0.80901699437494745, 0.8191520442889918,
    0.82903757255504174, 0.83867056794542405, 0.84804809615642596, 0.85716730070211233,
    0.8660254037844386, 0.87461970713939585, 0.88294759285892699, 0.8910065241883679,
    0.89879404629916704, 0.90630778703664994, 0.91354545764260087, 0.92050485345244037,
    0.92718385456678742, 0.93358042649720174, 0.93969262078590843, 0.94551857559931685,
    0.95105651629515353, 0.95630475596303544, 0.96126169593831889, 0.96592582628906831,
    0.97029572627599647, 0.97437006478523525, 0.97814760073380569, 0.98162718344766398,
    0.98480775301220802, 0.98768834059513777, 0.99026806874157036, 0.99254615164132198,
    0.99452189536827329, 0.99619469809174555, 0.9975640502598242, 0.99862953475457383,
    0.99939082701909576, 0.99984769515639127, 1,
};
/* clang-format on */

/* How deep one footprint lies in the other: the least shift that would separate them; 0 or less if
 * they are apart. Two rectangles are apart if and only if they are so along one of their sides.
 */
static double overlap(struct placement a, struct placement b, double less) {
    int axes[4] = {angle_of(a.layer), angle_of(a.layer) + 90, angle_of(b.layer),
                   angle_of(b.layer) + 90};
    double least = FLOOR_SIDE;
    for (int i = 0; i < 4; i++) {
        double apart = size_of((b.x - a.x) * cosine(axes[i]) + (b.y - a.y) * sine(axes[i]));
        double depth = reach(a.layer, axes[i], less) + reach(b.layer, axes[i], less) - apart;
        if (depth < least)
            least = depth;
    }
    return least;
}

/* How far a footprint sticks out over the floor, and the phrase for the edge where it does so most;
 * 0 or less if it lies on the floor. */
static double stick_out(struct placement p, double less, int *edge) {
    double across = reach(p.layer, 0, less), up = reach(p.layer, 90, less);
    double out[4] = {across - p.x, across + p.x - FLOOR_SIDE, up - p.y, up + p.y - FLOOR_SIDE};
    int worst = 0;
    for (int i = 1; i < 4; i++)
        if (out[i] > out[worst])
            worst = i;
    *edge = LEFT_EDGE + worst;
    return out[worst];
}

/* A length in millimetres, to the hundredth. */
static struct nonet_argument millimetres(double length) {
    return nonet_hundredths((int32_t)(length * 50 + 0.5));
}

/* --- The coarser floor --- */

static int lines_of(const struct nonet_options *options) {
    return (int)options->value[LATTICE].number;
}

/* The middle of a strip, in whole numbers: rounded away from the middle of the floor, so that the
 * lattice has all symmetries of the floor. */
static int line_at(int lines, int strip) {
    int opposite = lines - 1 - strip;
    return strip <= opposite ? (2 * strip + 1) * FLOOR_SIDE / (2 * lines)
                             : FLOOR_SIDE - line_at(lines, opposite);
}

static int strip_of(int lines, int at) {
    return at < FLOOR_SIDE ? at * lines / FLOOR_SIDE : lines - 1;
}

static bool is_line(int lines, int at) {
    return line_at(lines, strip_of(lines, at)) == at;
}

/* The nearest layer of the same kind that is parallel to the walls. */
static int straight(int layer) {
    return is_edge(layer) ? FLAT_LAYERS + (angle_of(layer) + 45) / 90 % 2 * 90 : 0;
}

static bool is_on_lattice(const struct nonet_options *options, struct placement p) {
    int lines = lines_of(options);
    return lines == 0 ||
           (p.layer == straight(p.layer) && is_line(lines, p.x) && is_line(lines, p.y));
}

/* The line nearest to `at` of those that are at least `room` from both walls. */
static int nearest_line(int lines, int at, double room) {
    int strip = strip_of(lines, at);
    while (line_at(lines, strip) < room)
        strip++;
    while (line_at(lines, strip) > FLOOR_SIDE - room)
        strip--;
    return line_at(lines, strip);
}

/* The nearest placement of the same kind that lies on the lattice and on the floor; with no
 * lattice, the one that was asked about. */
static struct placement on_lattice(const struct nonet_options *options, struct placement p) {
    int lines = lines_of(options);
    if (lines == 0)
        return p;
    int layer = straight(p.layer);
    return (struct placement){layer, nearest_line(lines, p.x, reach(layer, 0, shrink)),
                              nearest_line(lines, p.y, reach(layer, 90, shrink))};
}

/* --- The workspace --- */

/* The rows and columns where a layer's centres keep their footprint on the floor. */
struct bounds {
    int left, right, lower, upper;
};

static struct bounds bounds_of(int layer) {
    int across = (int)reach(layer, 0, shrink) + 1, up = (int)reach(layer, 90, shrink) + 1;
    return (struct bounds){across, FLOOR_SIDE - across, up, FLOOR_SIDE - up};
}

static const uint64_t all = UINT64_MAX;

/* The bits of word `word` that belong to columns from `left` to `right`. */
static uint64_t columns(int word, int left, int right) {
    int low = left - word * 64, high = right - word * 64;
    if (low > 63 || high < 0)
        return 0;
    return (low > 0 ? all << low : all) & (high < 63 ? all >> (63 - high) : all);
}

/* Clears the centres that a piece forbids in a layer; returns how many were free. */
static uint32_t strike(layer_bits bits, int layer, struct placement piece) {
    struct octagon octagon = octagon_about(piece.layer, layer);
    int32_t left_ends[2 * FARTHEST + 1];
    int32_t *left_of = left_ends + FARTHEST;
    for (int up = -octagon.rows; up <= octagon.rows; up++)
        left_of[up] = octagon_left(&octagon, up);
    struct bounds floor = bounds_of(layer);
    int lower = piece.y - octagon.rows, upper = piece.y + octagon.rows;
    lower = lower > floor.lower ? lower : floor.lower;
    upper = upper < floor.upper ? upper : floor.upper;
    int cleared = 0;
    for (int y = lower; y <= upper; y++) {
        int up = y - piece.y;
        int left = piece.x + left_of[up], right = piece.x - left_of[-up];
        left = left > floor.left ? left : floor.left;
        right = right < floor.right ? right : floor.right;
        if (left > right)
            continue;
        uint64_t *first = &bits[y][(unsigned)left / 64], *last = &bits[y][(unsigned)right / 64];
        uint64_t from_left = all << (left & 63), to_right = all >> (~right & 63);
        if (first == last) {
            uint64_t mask = from_left & to_right;
            cleared += nonet_bits_count(*first & mask);
            *first &= ~mask;
            continue;
        }
        cleared += nonet_bits_count(*first & from_left);
        *first &= ~from_left;
#ifdef __clang__
#pragma clang loop vectorize(disable) /* at most three rounds: vectors only cost time */
#endif
        while (++first < last) {
            cleared += nonet_bits_count(*first);
            *first = 0;
        }
        cleared += nonet_bits_count(*last & to_right);
        *last &= ~to_right;
    }
    return (uint32_t)cleared;
}

/* Leaves of a layer's centres those on the lattice; returns how many there are. */
static uint32_t thin_out(const struct nonet_options *options, layer_bits bits, int layer) {
    uint32_t kept = 0;
    if (layer != straight(layer)) {
        memset(bits, 0, sizeof(layer_bits));
        return 0;
    }
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < FLOOR_SIDE; x++)
            if (bits[y][x / 64] >> x % 64 & 1) {
                if (is_on_lattice(options, (struct placement){layer, x, y}))
                    kept++;
                else
                    bits[y][x / 64] ^= (uint64_t)1 << x % 64;
            }
    return kept;
}

/* Builds the workspace for the pieces of a state; returns how many placements there is room for. */
static uint32_t build(const struct nonet_options *options, struct workspace *w,
                      const struct state *s) {
    uint32_t room = 0;
    for (int layer = 0; layer < LAYERS; layer++) {
        struct bounds floor = bounds_of(layer);
        memset(w->free[layer], 0, sizeof w->free[layer]);
        for (int y = floor.lower; y <= floor.upper; y++)
            for (int word = 0; word < WORDS; word++)
                w->free[layer][y][word] = columns(word, floor.left, floor.right);
        w->count[layer] =
            (uint32_t)((floor.right - floor.left + 1) * (floor.upper - floor.lower + 1));
        if (lines_of(options) != 0)
            w->count[layer] = thin_out(options, w->free[layer], layer);
        for (uint32_t i = 0; i < s->placed && w->count[layer] > 0; i++)
            w->count[layer] -= strike(w->free[layer], layer, unpack(s->pieces[i]));
        room += w->count[layer];
    }
    return room;
}

static void enter(const struct nonet_options *options, const void *state, void *workspace) {
    build(options, workspace, state);
}

/* --- Play --- */

static void start(const struct nonet_options *options, void *state, void *workspace) {
    struct state *s = state;
    *s = (struct state){0};
    s->room = build(options, workspace, s);
}

static int next_of(const struct state *s) {
    return s->placed % 2 == 0 ? 1 : 2;
}

static int turn(const struct nonet_options *options, const void *state) {
    const struct state *s = state;
    return s->room > 0 && s->placed < supply_of(options) ? next_of(s) : 0;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return next_of(state);
}

/* Puts a piece into the list, where there is room for it. */
static void insert(struct state *s, nonet_move move) {
    uint32_t i = s->placed++;
    for (; i > 0 && s->pieces[i - 1] > move; i--)
        s->pieces[i] = s->pieces[i - 1];
    s->pieces[i] = move;
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options;
    struct state *s = state;
    struct workspace *w = workspace;
    insert(s, move);
    for (int layer = 0; layer < LAYERS; layer++)
        if (w->count[layer] > 0) {
            uint32_t cleared = strike(w->free[layer], layer, unpack(move));
            w->count[layer] -= cleared;
            s->room -= cleared;
        }
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    (void)options;
    const struct state *s = state;
    result->winners = (uint8_t)(1u << (2 - next_of(s)));
    result->reason = nonet_say(&phrases[s->room == 0 ? LOST_WITHOUT_ROOM : LOST_WITHOUT_PIECES],
                               nonet_player(next_of(s)));
}

/* The piece that lies deepest in a new one, or -1. */
static int deepest(const struct state *s, struct placement p) {
    int found = -1;
    double depth = 0;
    for (uint32_t i = 0; i < s->placed; i++) {
        double this = overlap(p, unpack(s->pieces[i]), shrink);
        if (this > depth) {
            depth = this;
            found = (int)i;
        }
    }
    return found;
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    struct placement p = unpack(move);
    int edge, met;
    if (s->room == 0)
        *why = nonet_say(&phrases[NO_ROOM]);
    else if (s->placed == supply_of(options))
        *why = nonet_say(&phrases[SUPPLY_USED_UP], nonet_number((int32_t)s->placed));
    else if (!is_move(p))
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (stick_out(p, shrink, &edge) > 0)
        *why = nonet_say(&phrases[STICKS_OUT], nonet_word(&phrases[edge]),
                         millimetres(stick_out(p, whole, &edge)));
    else if (!is_on_lattice(options, p))
        *why = nonet_say(&phrases[OFF_LATTICE], nonet_number(lines_of(options)),
                         move_argument(pack(on_lattice(options, p))));
    else if ((met = deepest(s, p)) >= 0)
        *why = nonet_say(&phrases[OVERLAPS], move_argument(s->pieces[met]),
                         millimetres(overlap(p, unpack(s->pieces[met]), whole)));
    else
        return true;
    return false;
}

/* --- The legal moves, which are never listed --- */

static uint64_t count(const struct nonet_options *options, const void *state,
                      const void *workspace) {
    (void)workspace;
    return turn(options, state) != 0 ? ((const struct state *)state)->room : 0;
}

/* In the order of the moves' numbers. */
static nonet_move nth(const struct nonet_options *options, const void *state, const void *workspace,
                      uint64_t index) {
    (void)options, (void)state;
    const struct workspace *w = workspace;
    struct placement p = {0};
    for (; index >= w->count[p.layer]; p.layer++)
        index -= w->count[p.layer];
    const uint64_t *word = w->free[p.layer][0];
    for (; index >= (uint64_t)nonet_bits_count(*word); word++)
        index -= (uint64_t)nonet_bits_count(*word);
    uint64_t set = *word;
    for (; index > 0; index--)
        set &= set - 1;
    int at = (int)(word - w->free[p.layer][0]);
    p.y = at / WORDS;
    p.x = at % WORDS * 64 + nonet_bits_first(set);
    return pack(p);
}

static bool is_free(const struct workspace *w, int layer, int x, int y) {
    return x >= 0 && x < 64 * WORDS && y >= 0 && y < ROWS &&
           (w->free[layer][y][x / 64] >> x % 64 & 1) != 0;
}

static bool test(const struct nonet_options *options, const void *state, const void *workspace,
                 nonet_move move) {
    struct placement p = unpack(move);
    return is_move(p) && turn(options, state) != 0 && is_free(workspace, p.layer, p.x, p.y);
}

/* Of centres equally near: the one in the nearer row, then in the lower one, then on the left. */
static bool nearest(const struct nonet_options *options, const void *state, const void *workspace,
                    nonet_move wish, nonet_move *found) {
    const struct workspace *w = workspace;
    struct placement p = unpack(wish);
    if (!is_move(p) || turn(options, state) == 0 || w->count[p.layer] == 0)
        return false;
    int best = 2 * FLOOR_SIDE * FLOOR_SIDE + 1; /* square of a distance */
    for (int up = 0; up * up < best && up <= FLOOR_SIDE; up++)
        for (int y = p.y - up; y <= p.y + up; y += up > 0 ? 2 * up : 1)
            for (int off = 0; up * up + off * off < best && off <= FLOOR_SIDE; off++)
                for (int x = p.x - off; x <= p.x + off; x += off > 0 ? 2 * off : 1)
                    if (up * up + off * off < best && is_free(w, p.layer, x, y)) {
                        best = up * up + off * off;
                        *found = pack((struct placement){p.layer, x, y});
                    }
    return true;
}

static const uint64_t *region(const struct nonet_options *options, const void *workspace,
                              nonet_move like, int *rows, int *words) {
    (void)options;
    const struct workspace *w = workspace;
    *rows = ROWS;
    *words = WORDS;
    return w->free[unpack(like).layer][0];
}

/* --- Positions as text --- */

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    const struct state *s = state;
    for (uint32_t i = 0; i < s->placed; i++) {
        if (i > 0)
            nonet_text_char(out, ' ');
        print(options, s->pieces[i], out);
    }
    nonet_text_format(out, "%s %d", s->placed == 0 ? "-" : "", next_of(s));
}

/* Adds a piece to a position that is being read. Any position of pieces that do not overlap can
 * arise: whichever of them is placed last, there was room for it. */
static bool add(const struct nonet_options *options, struct state *s, nonet_move move,
                struct nonet_message *why) {
    struct placement p = unpack(move);
    int edge, met = deepest(s, p);
    if (stick_out(p, shrink, &edge) > 0)
        *why = nonet_say(&phrases[PLACED_OFF_FLOOR], move_argument(move),
                         nonet_word(&phrases[edge]), millimetres(stick_out(p, whole, &edge)));
    else if (!is_on_lattice(options, p))
        *why =
            nonet_say(&phrases[PLACED_OFF_LATTICE], move_argument(move),
                      nonet_number(lines_of(options)), move_argument(pack(on_lattice(options, p))));
    else if (met >= 0)
        *why =
            nonet_say(&phrases[PLACED_OVERLAPPING], move_argument(s->pieces[met]),
                      move_argument(move), millimetres(overlap(p, unpack(s->pieces[met]), whole)));
    else if (s->placed == supply_of(options))
        *why = nonet_say(&phrases[TOO_MANY_PIECES], nonet_number((int32_t)s->placed));
    else {
        insert(s, move);
        return true;
    }
    return false;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    struct state s = {0};
    const char *cursor = text;
    if (!nonet_scan_word(&cursor, "-"))
        for (bool more = true; more;) {
            nonet_move move;
            if (*cursor != 'f' && *cursor != 'e') {
                *why = nonet_say(&phrases[NOT_A_POSITION], nonet_quote(cursor),
                                 nonet_quote("flat@36,36,0"));
                return false;
            }
            if (!scan(&cursor, &move, why) || !add(options, &s, move, why))
                return false;
            more = cursor[0] == ' ' && (cursor[1] < '0' || cursor[1] > '9');
            cursor += more;
        }
    int next;
    if (!nonet_turn_scan(&cursor, 2, &next, why))
        return false;
    if (next != next_of(&s)) {
        *why = nonet_say(&nonet_common[NONET_SAY_WRONG_TURN], nonet_player(next_of(&s)));
        return false;
    }
    s.room = build(options, workspace, &s);
    *(struct state *)state = s;
    return true;
}

/* --- The scene --- */

enum { FLOOR_PLACE, FLAT_PLACE, EDGE_PLACE };

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    (void)options;
    places[0] = is_edge(unpack(move).layer) ? EDGE_PLACE : FLAT_PLACE;
    places[1] = FLOOR_PLACE;
    return 2;
}

static struct nonet_piece *add_piece(struct nonet_scene *scene, int place) {
    return nonet_scene_piece(scene, place, NONET_CUBOID, NONET_NATURAL);
}

static void shape(struct nonet_piece *piece, bool edge) {
    piece->width = 36 * NONET_UNIT;
    piece->depth = (edge ? 12 : 36) * NONET_UNIT;
    piece->height = (edge ? 36 : 12) * NONET_UNIT;
    piece->mark[0] = edge ? 'E' : 'F';
}

static void lay(struct nonet_piece *piece, struct placement p) {
    shape(piece, is_edge(p.layer));
    piece->x = p.x * NONET_UNIT / 2;
    piece->y = p.y * NONET_UNIT / 2;
    piece->angle = (int16_t)angle_of(p.layer);
    piece->label = nonet_say(&phrases[is_edge(p.layer) ? EDGE_PIECE : FLAT_PIECE], millimetres(p.x),
                             millimetres(p.y), nonet_number(piece->angle));
}

/* Both hands draw on the same supply: each shows all that is left of it. */
static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    bool unlimited = is_unlimited(options);
    uint32_t left = unlimited ? NONET_ENDLESS : BOXED_PIECES - s->placed;
    scene->width = scene->depth = FLOOR_SIDE / 2 * NONET_UNIT;
    scene->step = NONET_UNIT / 2;
    struct nonet_place *floor = nonet_scene_place(scene, NONET_FLOOR, "floor");
    floor->width = floor->depth = scene->width;
    floor->label = nonet_say(&phrases[FLOOR_OF_BOX]);
    nonet_scene_place(scene, NONET_HAND, "flat")->label = nonet_say(&phrases[LAY_FLAT]);
    nonet_scene_place(scene, NONET_HAND, "edge")->label = nonet_say(&phrases[STAND_ON_EDGE]);
    for (uint32_t i = 0; i < s->placed; i++) {
        struct placement p = unpack(s->pieces[i]);
        lay(add_piece(scene, FLOOR_PLACE), p);
    }
    for (int place = FLAT_PLACE; place <= EDGE_PLACE && left > 0; place++) {
        struct nonet_piece *piece = add_piece(scene, place);
        shape(piece, place == EDGE_PLACE);
        piece->count = (uint8_t)left;
        piece->label = unlimited ? nonet_say(&phrases[ANY_NUMBER_LEFT])
                                 : nonet_say(&phrases[PIECES_LEFT], nonet_number((int32_t)left));
    }
}

/* There is still room, or the game would be over. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    (void)before, (void)move;
    const struct state *s = after;
    if (!is_unlimited(options) && s->placed + 1 == BOXED_PIECES && turn(options, s) != 0)
        nonet_event_add(events, nonet_say(&phrases[ONE_PIECE_LEFT], nonet_player(next_of(s))));
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    const struct state *s = state;
    int left = is_unlimited(options) ? NONET_ENDLESS : BOXED_PIECES - (int)s->placed;
    nonet_standing_add(standings, 0, left, nonet_say(&phrases[SUPPLY_LEFT]));
}

static int in_half_millimetres(int32_t length) {
    if (length < 0 || length > FLOOR_SIDE / 2 * NONET_UNIT)
        return length < 0 ? 0 : FLOOR_SIDE;
    return (length * 2 + NONET_UNIT / 2) / NONET_UNIT;
}

static bool wish(const struct nonet_options *options, uint16_t place, int32_t x, int32_t y,
                 int degrees, nonet_move *move) {
    if (place != FLAT_PLACE && place != EDGE_PLACE)
        return false;
    /* A piece looks the same after a quarter turn, or, standing, after half a turn. */
    int angles = place == EDGE_PLACE ? EDGE_LAYERS : FLAT_LAYERS;
    int angle = (degrees % angles + angles) % angles;
    struct placement wished = {angle + (place == EDGE_PLACE ? FLAT_LAYERS : 0),
                               in_half_millimetres(x), in_half_millimetres(y)};
    *move = pack(on_lattice(options, wished));
    return true;
}

static void piece(const struct nonet_options *options, nonet_move move, struct nonet_piece *piece) {
    (void)options;
    *piece = nonet_piece_on(FLOOR_PLACE, NONET_CUBOID, NONET_NATURAL);
    lay(piece, unpack(move));
}

static const struct nonet_wide wide = {
    .workspace_size = sizeof(struct workspace),
    .enter = enter,
    .count = count,
    .nth = nth,
    .test = test,
    .nearest = nearest,
    .region = region,
    .wish = wish,
    .piece = piece,
    .parts = &nonet_fullend_parts,
};

/* --- For an editor --- */

static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    (void)options;
    for (int edge = 0; edge < 2; edge++) {
        kinds[edge] = nonet_piece_on(FLAT_PLACE + edge, NONET_CUBOID, NONET_NATURAL);
        shape(&kinds[edge], edge);
        kinds[edge].label = nonet_say(&phrases[LAY_FLAT + edge]);
    }
    return 2;
}

static bool take_apart(const struct nonet_options *options, const char *text,
                       struct nonet_draft *draft) {
    struct nonet_message why;
    int turn;
    if (!nonet_scan_word(&text, "-"))
        for (bool more = true; more; text += more) {
            nonet_move move;
            struct nonet_piece laid;
            if (draft->count == NONET_MAX_PIECES || !scan(&text, &move, &why))
                return false;
            piece(options, move, &laid);
            draft->pieces[draft->count++] =
                (struct nonet_draft_piece){.kind = is_edge(unpack(move).layer),
                                           .place = FLOOR_PLACE,
                                           .x = laid.x,
                                           .y = laid.y,
                                           .angle = laid.angle};
            more = text[0] == ' ' && (text[1] < '0' || text[1] > '9');
        }
    if (!nonet_turn_scan(&text, 2, &turn, &why))
        return false;
    draft->turn = (int16_t)turn;
    return true;
}

static void put_together(const struct nonet_options *options, const struct nonet_draft *draft,
                         struct nonet_text *out) {
    for (int i = 0; i < draft->count; i++) {
        const struct nonet_draft_piece *laid = &draft->pieces[i];
        nonet_move move = 0;
        wish(options, (uint16_t)(FLAT_PLACE + laid->kind), laid->x, laid->y, laid->angle, &move);
        if (i > 0)
            nonet_text_char(out, ' ');
        print(options, move, out);
    }
    nonet_text_format(out, "%s %d", draft->count == 0 ? "-" : "", draft->turn);
}

static const struct nonet_editor editor = {
    .kinds = kinds, .take_apart = take_apart, .put_together = put_together};

/* --- Symmetries of the floor: 1 to 3 turn it by quarters, 4 to 7 mirror it first --- */

static int symmetries(const struct nonet_options *options) {
    (void)options;
    return 8;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    (void)options;
    struct placement p = unpack(move);
    int angle = angle_of(p.layer), angles = is_edge(p.layer) ? EDGE_LAYERS : FLAT_LAYERS;
    if (symmetry >= 4) {
        p.x = FLOOR_SIDE - p.x;
        angle = angles - angle;
    }
    for (int quarter = symmetry % 4; quarter > 0; quarter--) {
        int x = p.x;
        p.x = FLOOR_SIDE - p.y;
        p.y = x;
        angle += 90;
    }
    p.layer += angle % angles - angle_of(p.layer);
    return pack(p);
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    const struct state *s = state;
    struct state t = {.room = s->room};
    for (uint32_t i = 0; i < s->placed; i++)
        insert(&t, turn_move(options, symmetry, s->pieces[i]));
    *(struct state *)turned = t;
}

/* --- The winner by reflection --- */

enum { CENTRE = FLOOR_SIDE / 2 };

static bool is_centred(nonet_move move) {
    struct placement p = unpack(move);
    return p.x == CENTRE && p.y == CENTRE;
}

/* Half a turn of the floor moves every footprint to one at the same angle. */
static nonet_move reflection(nonet_move move) {
    struct placement p = unpack(move);
    return pack((struct placement){p.layer, FLOOR_SIDE - p.x, FLOOR_SIDE - p.y});
}

static bool is_placed(const struct state *s, nonet_move move) {
    for (uint32_t i = 0; i < s->placed; i++)
        if (s->pieces[i] == move)
            return true;
    return false;
}

/* A piece that fits on the centre, flat and straight if possible. */
static bool find_centred(const struct nonet_options *options, const struct state *s,
                         nonet_move *move) {
    for (int layer = 0; layer < LAYERS; layer++) {
        struct placement p = {layer, CENTRE, CENTRE};
        if (is_on_lattice(options, p) && deepest(s, p) < 0) {
            *move = pack(p);
            return true;
        }
    }
    return false;
}

/* The player to move loses if half a turn of the floor leaves the position as it is and a piece
 * lies on the centre: the opponent answers every placement by its reflection, which is always
 * legal. The pieces that were there are not in its way, as the position was symmetric. Nor is the
 * piece P just placed. The part that a convex footprint P shares with its reflection is convex and
 * symmetric about the centre. If it had any interior, the centre would be in it, but the piece on
 * the centre lies there. An unlimited supply does not run out, so the opponent always has an
 * answer; and the game ends, because the floor is finite. */
static bool mirror(const struct nonet_options *options, const void *state, int *winner,
                   nonet_move *move) {
    const struct state *s = state;
    if (!is_unlimited(options))
        return false;
    bool centred = false;
    uint32_t alone = 0; /* pieces without their reflection */
    for (uint32_t i = 0; i < s->placed; i++) {
        centred |= is_centred(s->pieces[i]);
        if (!is_placed(s, reflection(s->pieces[i]))) {
            alone++;
            *move = reflection(s->pieces[i]);
        }
    }
    bool lost = centred && alone == 0;
    *winner = lost ? 3 - next_of(s) : next_of(s);
    return lost || (centred ? alone == 1 : alone == 0 && find_centred(options, s, move));
}

/* Of levels 1 to 9. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{16, 47, 55, 62, 68, 75, 82, 90, 98}};

const struct nonet_game nonet_fullend = {
    .id = "fullend",
    .title = "Fullend",
    .author = "Nazareno Signoretto",
    .year = "",
    .summary = "Find room for one more piece, and leave none.",
    .box = "the Joechi box, 160 x 160 mm inside, and its 24 pieces of 36 x 36 x 12 mm",
    .minutes = 10,
    .min_players = 2,
    .max_players = 2,
    .state_size = sizeof(struct state),
    .options = options_table,
    .phrases = phrases,
    .phrase_count = sizeof phrases / sizeof phrases[0],
    .wide = &wide,
    .editor = &editor,
    .start = start,
    .turn = turn,
    .next = next,
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
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .mirror = mirror,
    .skills = skills,
};
