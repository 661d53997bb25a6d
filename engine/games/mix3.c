/* Mix 3 (Nazareno Signoretto): on a 4x4 board, players in turn place a piece on an empty cell until
 * all sixteen are filled. Then each player counts
 * - rectangles: four own pieces on the corners of one, 2 points each;
 * - tris: three own pieces next to each other in a row, column or diagonal, 1 point each;
 * - pincers: two own pieces in a row or column with only enemy pieces between them, 1 point around
 *   one enemy piece, 2 points around two.
 * The player with more points wins; equal points are a draw.
 *
 * Position text: the board from the top rank, A and B for the players' pieces, a dot for an empty
 * cell, then the player next in turn: "..../.B../.A../.... 1". A move is the cell's number. */
#include <assert.h>
#include <string.h>

#include "../base/bits.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "board4.h"

enum { RECTANGLES };
static const struct nonet_option options_table[] = {
    [RECTANGLES] = {.key = "rectangles",
                    .values = "any|upright",
                    .help =
                        "which rectangles count: also tilted ones, or only those along the rows",
                    .kind = NONET_CHOICE},
    NONET_SWAP_OPTION,
    {0},
};

/* Phrases of figures: what the scene says, and then, in the same order, what a move has completed.
 */
enum {
    COUNTED,
    RECTANGLE,
    TRI,
    PINCERS_ONE,
    PINCERS_TWO,
    RECTANGLE_DONE,
    TRI_DONE,
    PINCERS_ONE_DONE,
    PINCERS_TWO_DONE,
    RECTANGLES_SO_FAR,
    TRIS_SO_FAR,
    PINCERS_SO_FAR,
    POINTS_SO_FAR,
};
static const struct nonet_phrase phrases[] = {
    [COUNTED] = {"mix3.counted", "points for rectangles, tris and pincers: player {0} has {1}, "
                                 "player {2} has {3}"},
    [RECTANGLE] = {"mix3.rectangle", "rectangle {0}: 2 points"},
    [TRI] = {"mix3.tri", "tris {0}: 1 point"},
    [PINCERS_ONE] = {"mix3.pincers-one", "pincers {0}: 1 point"},
    [PINCERS_TWO] = {"mix3.pincers-two", "pincers {0}: 2 points"},
    [RECTANGLE_DONE] = {"mix3.rectangle-done", "a rectangle for player {1}, {0}: 2 points"},
    [TRI_DONE] = {"mix3.tri-done", "a tris for player {1}, {0}: 1 point"},
    [PINCERS_ONE_DONE] = {"mix3.pincers-one-done", "pincers for player {1}, {0}: 1 point"},
    [PINCERS_TWO_DONE] = {"mix3.pincers-two-done", "pincers for player {1}, {0}: 2 points"},
    [RECTANGLES_SO_FAR] = {"mix3.rectangles", "rectangles"},
    [TRIS_SO_FAR] = {"mix3.tris", "tris"},
    [PINCERS_SO_FAR] = {"mix3.pincers", "pincers"},
    [POINTS_SO_FAR] = {"mix3.points", "points so far"},
};

/* Whose turn it is follows from the number of pieces. */
struct state {
    uint16_t own[2];
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 4, "a state has no padding");

static enum board4_rectangles kind_of(const struct nonet_options *options) {
    return (enum board4_rectangles)options->value[RECTANGLES].number;
}

static unsigned occupied(const struct state *s) {
    return s->own[0] | s->own[1];
}

/* 0 or 1: whose turn comes next, also after the end. */
static int next_of(const struct state *s) {
    return nonet_bits_count(occupied(s)) & 1;
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)options, (void)workspace;
    *(struct state *)state = (struct state){0};
}

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    const struct state *s = state;
    return occupied(s) == 0xffff ? 0 : next_of(s) + 1;
}

static int next(const struct nonet_options *options, const void *state) {
    (void)options;
    return next_of(state) + 1;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    (void)options;
    return nonet_bits_list16((uint16_t)~occupied(state), 0, moves);
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    (void)options, (void)workspace;
    struct state *s = state;
    s->own[next_of(s)] |= (uint16_t)(1u << move);
}

/* The directions of lines: the distance from a cell to the next, and the columns where a line of
 * three may start so that it does not leave the board sideways. (Beyond the top rank there are no
 * pieces.) Pincers count along the first two only. */
#define LEFT_HALF (BOARD4_COLUMN(0) | BOARD4_COLUMN(1))
#define RIGHT_HALF (BOARD4_COLUMN(2) | BOARD4_COLUMN(3))
enum { ROW, COLUMN, UP_RIGHT, UP_LEFT, DIRECTIONS };
static const struct {
    uint8_t distance;
    uint16_t starts;
} directions[DIRECTIONS] = {
    [ROW] = {1, LEFT_HALF},
    [COLUMN] = {4, LEFT_HALF | RIGHT_HALF},
    [UP_RIGHT] = {5, LEFT_HALF},
    [UP_LEFT] = {3, RIGHT_HALF},
};

/* The lowest cells of the tris in one direction. */
static unsigned tris(unsigned own, int direction) {
    int next = directions[direction].distance;
    return own & own >> next & own >> 2 * next & directions[direction].starts;
}

/* The pieces that are part of a tris. */
static unsigned in_tris(unsigned own) {
    unsigned found = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        int next = directions[d].distance;
        found |= tris(own, d) | tris(own, d) << next | tris(own, d) << 2 * next;
    }
    return found;
}

static int count_tris(unsigned own) {
    int count = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        count += nonet_bits_count(tris(own, d));
    return count;
}

/* The lowest cells of the pincers in one direction, around one enemy piece or two. */
struct pincers {
    unsigned around_one, around_two;
};

static struct pincers pincers(unsigned own, unsigned enemy, int direction) {
    int next = directions[direction].distance;
    unsigned jaw = own & enemy >> next;
    /* along a row, four cells fit only from the first column on */
    unsigned first = direction == ROW ? BOARD4_COLUMN(0) : BOARD4_ROW(0);
    return (struct pincers){
        .around_one = jaw & own >> 2 * next & directions[direction].starts,
        .around_two = jaw & enemy >> 2 * next & own >> 3 * next & first,
    };
}

/* The points for pincers: one for each enemy piece held in them. */
static int count_pincers(unsigned own, unsigned enemy) {
    int points = 0;
    for (int d = ROW; d <= COLUMN; d++) {
        struct pincers found = pincers(own, enemy, d);
        points += nonet_bits_count(found.around_one) + 2 * nonet_bits_count(found.around_two);
    }
    return points;
}

struct count {
    int rectangles, tris, pincers, sum; /* points */
};

static struct count count_points(const struct nonet_options *options, const struct state *s,
                                 int player) {
    struct count count = {
        .rectangles = 2 * board4_count_rectangles(s->own[player], kind_of(options)),
        .tris = count_tris(s->own[player]),
        .pincers = count_pincers(s->own[player], s->own[1 - player]),
    };
    count.sum = count.rectangles + count.tris + count.pincers;
    return count;
}

/* Appends a number below 100; nobody gets more than 24 points. */
static char *put_number(char *out, int number) {
    if (number >= 10) {
        *out++ = (char)('0' + number / 10);
        number %= 10;
    }
    *out++ = (char)('0' + number);
    return out;
}

static char *put_three(char *out, const char *letters) {
    memcpy(out, letters, 3);
    return out + 3;
}

/* "2 + 4 + 3 = 9". Put together by hand: printf would take longer than all sixteen moves. */
static struct nonet_argument sum_argument(const struct count *count) {
    struct nonet_argument argument = {.kind = NONET_ARG_TEXT};
    char *end = put_number(argument.text, count->rectangles);
    end = put_number(put_three(end, " + "), count->tris);
    end = put_number(put_three(end, " + "), count->pincers);
    put_number(put_three(end, " = "), count->sum);
    return argument;
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    struct count first = count_points(options, state, 0), second = count_points(options, state, 1);
    result->winners = (uint8_t)((first.sum >= second.sum) | (second.sum >= first.sum) << 1);
    result->has_points = true;
    result->points[0] = (int16_t)first.sum;
    result->points[1] = (int16_t)second.sum;
    result->reason = nonet_say(&phrases[COUNTED], nonet_player(1), sum_argument(&first),
                               nonet_player(2), sum_argument(&second));
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    if (turn(options, state) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (move >= BOARD4_CELLS)
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (occupied(state) >> move & 1)
        *why = nonet_say(&nonet_common[NONET_SAY_OCCUPIED],
                         nonet_cell_argument(BOARD4_SIDE, (int)move));
    else
        return true;
    return false;
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    (void)options;
    const struct state *s = state;
    board4_write(2, (uint16_t[]){s->own[0], s->own[1]}, out);
    nonet_text_format(out, " %d", next_of(s) + 1);
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)options, (void)workspace;
    uint16_t own[2];
    int next;
    if (!board4_scan(&text, 2, own, why) || !nonet_turn_scan(&text, 2, &next, why) ||
        !nonet_placed_in_turn(nonet_bits_count(own[0]), nonet_bits_count(own[1]), next, why))
        return false;
    *(struct state *)state = (struct state){.own = {own[0], own[1]}};
    return true;
}

/* A figure that scores: its line goes through these cells. */
struct figure {
    uint8_t phrase, points, count;
    uint8_t cells[NONET_FIGURE_PLACES];
    uint16_t needs; /* the cells that must be filled for it, those between pincers too */
};

/* Of one player, who never has more, as nobody gets more than 24 points. */
enum { MOST_FIGURES = 24 };
struct figures {
    int count;
    struct figure list[MOST_FIGURES];
};

/* Adds lines in one direction, from each lowest cell: `length` cells, of which the line goes
 * through all, or with pincers only through the ends. */
static void add_lines(struct figures *figures, int phrase, int points, int length, unsigned lowest,
                      int distance) {
    for (; lowest != 0; lowest &= lowest - 1) {
        struct figure *figure = &figures->list[figures->count++];
        *figure = (struct figure){.phrase = (uint8_t)phrase, .points = (uint8_t)points};
        for (int i = 0; i < length; i++) {
            int cell = nonet_bits_first(lowest) + i * distance;
            figure->needs |= (uint16_t)(1u << cell);
            if (phrase == TRI || i == 0 || i == length - 1)
                figure->cells[figure->count++] = (uint8_t)cell;
        }
    }
}

static void add_rectangles(struct figures *figures, unsigned own, enum board4_rectangles kind) {
    for (int i = 0; i < BOARD4_RECTANGLES; i++) {
        unsigned corners = board4_rectangles[kind][i];
        if ((own & corners) != corners)
            continue;
        uint8_t cells[4];
        struct figure *figure = &figures->list[figures->count++];
        *figure = (struct figure){.phrase = RECTANGLE, .points = 2, .needs = (uint16_t)corners};
        for (; corners != 0; corners &= corners - 1)
            cells[figure->count++] = (uint8_t)nonet_bits_first(corners);
        /* the first and the last are opposite */
        memcpy(figure->cells, (uint8_t[4]){cells[0], cells[1], cells[3], cells[2]}, 4);
    }
}

/* Everything that scores for a player. */
static void find_figures(const struct nonet_options *options, const struct state *s, int player,
                         struct figures *figures) {
    unsigned own = s->own[player], enemy = s->own[1 - player];
    figures->count = 0;
    add_rectangles(figures, own, kind_of(options));
    for (int d = 0; d < DIRECTIONS; d++)
        add_lines(figures, TRI, 1, 3, tris(own, d), directions[d].distance);
    for (int d = ROW; d <= COLUMN; d++) {
        struct pincers found = pincers(own, enemy, d);
        add_lines(figures, PINCERS_ONE, 1, 3, found.around_one, directions[d].distance);
        add_lines(figures, PINCERS_TWO, 2, 4, found.around_two, directions[d].distance);
    }
}

/* The cells of a figure, as in "a1 b2 c3". */
static struct nonet_argument cells_argument(const struct figure *figure) {
    struct nonet_argument names = {.kind = NONET_ARG_TEXT};
    struct nonet_text text = NONET_TEXT_IN(names.text);
    for (int i = 0; i < figure->count; i++) {
        nonet_text_add(&text, i > 0 ? " " : "");
        nonet_cell_print(BOARD4_SIDE, figure->cells[i], &text);
    }
    return names;
}

static void draw_figures(const struct nonet_options *options, const struct state *s, int player,
                         struct nonet_scene *scene) {
    struct figures figures;
    find_figures(options, s, player, &figures);
    for (int i = 0; i < figures.count; i++) {
        const struct figure *found = &figures.list[i];
        struct nonet_figure *figure = nonet_scene_figure(scene, player + 1, found->points);
        for (int k = 0; k < found->count; k++)
            figure->places[figure->count++] = found->cells[k];
        figure->closed = found->phrase == RECTANGLE;
        figure->label = nonet_say(&phrases[found->phrase], cells_argument(found));
    }
}

/* What the piece on the cell has completed, for either player: an enemy piece can close pincers. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    (void)before;
    for (int player = 0; player < 2; player++) {
        struct figures figures;
        find_figures(options, after, player, &figures);
        for (int i = 0; i < figures.count; i++) {
            const struct figure *figure = &figures.list[i];
            if (!(figure->needs >> move & 1))
                continue;
            struct nonet_event *event = nonet_event_add(
                events, nonet_say(&phrases[figure->phrase - RECTANGLE + RECTANGLE_DONE],
                                  cells_argument(figure), nonet_player(player + 1)));
            for (int k = 0; k < figure->count; k++)
                nonet_event_at(event, figure->cells[k]);
        }
    }
}

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    for (int player = 0; player < 2; player++) {
        struct figures figures;
        find_figures(options, state, player, &figures);
        int count[PINCERS_TWO + 1] = {0}, points = 0;
        for (int i = 0; i < figures.count; i++) {
            count[figures.list[i].phrase]++;
            points += figures.list[i].points;
        }
        nonet_standing_add(standings, player + 1, count[RECTANGLE],
                           nonet_say(&phrases[RECTANGLES_SO_FAR]));
        nonet_standing_add(standings, player + 1, count[TRI], nonet_say(&phrases[TRIS_SO_FAR]));
        nonet_standing_add(standings, player + 1, count[PINCERS_ONE] + count[PINCERS_TWO],
                           nonet_say(&phrases[PINCERS_SO_FAR]));
        nonet_standing_add(standings, player + 1, points, nonet_say(&phrases[POINTS_SO_FAR]));
    }
}

/* The winner's rectangles and tris are lit; with pincers, almost every piece would be. */
static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    const struct state *s = state;
    struct nonet_result outcome = {0};
    if (turn(options, s) == 0)
        result(options, s, &outcome);
    nonet_scene_board(scene, BOARD4_SIDE, BOARD4_SIDE);
    nonet_scene_hands(scene, 2);
    for (int player = 0; player < 2; player++) {
        int to_place = BOARD4_CELLS / 2 - nonet_bits_count(s->own[player]);
        board4_pieces_to_place(scene, BOARD4_CELLS + player, player + 1, to_place);
        for (unsigned rest = s->own[player]; rest != 0; rest &= rest - 1) {
            int cell = nonet_bits_first(rest);
            struct nonet_piece *piece = board4_piece(scene, cell, player + 1);
            piece->lit = outcome.winners >> player & 1 &&
                         (in_tris(s->own[player]) >> cell & 1 ||
                          board4_in_rectangle(s->own[player], cell, kind_of(options)));
        }
    }
    for (int player = 0; player < 2 && outcome.winners != 0; player++)
        draw_figures(options, s, player, scene);
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

/* Points so far, and those still possible: rectangles and tris without an enemy piece, pincers
 * around enemies. The weights come from a least-squares fit to exact values of 8,000 random
 * positions, halved so that few leads go beyond the scale. */
static int prospects(const struct nonet_options *options, const struct state *s, int player) {
    enum { POINT = 100, PINCER = 48, OPEN = 26, OPEN_TRI = 12, IN_CENTRE = -35, IN_CORNER = 65 };
    const unsigned corners = 0x9009, centre = 0x0660;
    unsigned own = s->own[player], enemy = s->own[1 - player], open = ~enemy & 0xffff;
    return POINT *
               (2 * board4_count_rectangles((uint16_t)own, kind_of(options)) + count_tris(own)) +
           PINCER * count_pincers(own, enemy) +
           OPEN * (2 * board4_count_rectangles((uint16_t)open, kind_of(options)) +
                   count_pincers(open, enemy)) +
           OPEN_TRI * count_tris(open) + IN_CENTRE * nonet_bits_count(own & centre) +
           IN_CORNER * nonet_bits_count(own & corners);
}

static int evaluate(const struct nonet_options *options, const void *state, int player) {
    int lead = prospects(options, state, player - 1) - prospects(options, state, 2 - player);
    return lead > 1000 ? 1000 : lead < -1000 ? -1000 : lead;
}

static int action_count(const struct nonet_options *options) {
    (void)options;
    return BOARD4_CELLS;
}

/* Of levels 1 to 9, found by scripts/skills.py. */
static const uint8_t skills[][NONET_LOWER_LEVELS] = {{42, 52, 62, 73, 82, 91, 104, 119, 135}};

const struct nonet_game nonet_mix3 = {
    .id = "mix3",
    .title = "Mix 3",
    .author = "Nazareno Signoretto",
    .year = "",
    .summary = "Fill the board, then count rectangles, tris and pincers.",
    .box = "the Joechi box: a 4x4 board, 8 maple and 8 walnut pieces",
    .minutes = 10,
    .min_players = 2,
    .max_players = 2,
    .facts = NONET_POINTS | NONET_FEW_POSITIONS,
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
    .print = board4_print_cell,
    .parse = board4_parse_cell,
    .write = write,
    .read = read,
    .touches = board4_touch_cell,
    .scene = scene,
    .events = events,
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
