/* Judging Ksar's positions: what can still be forced, for exact searches; and an evaluation, for
 * players that cannot search to the end. */
#include "ksar_board.h"

/* What is on the floor and what may still come. */
struct view {
    rows corners;       /* of the pieces, one each */
    rows owned[2];      /* by a player, or by nobody */
    rows live[HEIGHTS]; /* cells that a piece of this height may still come to cover */
    rows any_live;
    rows legal[WAYS]; /* lower-left cells of what can be placed at once */
};

static void look(const struct nonet_options *options, const struct state *s, struct view *view) {
    corners(s, &view->corners);
    rows filled = ROWS(s->height[0]) | ROWS(s->height[1]) | ROWS(s->height[2]);
    for (int player = 0; player < 2; player++)
        view->owned[player] = filled & ~ROWS(s->colour[1 - player]);
    struct site site;
    survey(options, s, &site);
    FOR_EACH_WAY(way) {
        rows places;
        find_places(&site, way, true, (uint16_t *)&places);
        if (way % 2 == 0)
            view->live[way / 2] = (rows){0};
        cover(way, &places, &view->live[way / 2]);
        if (!is_empty(&places))
            find_places(&site, way, false, (uint16_t *)&places);
        view->legal[way] = places;
    }
    view->any_live = view->live[0] | view->live[1] | view->live[2];
}

/* --- What can still be forced --- */

/* How many cells pieces of one height, none of them flat, can cover of a set at most: two of each
 * 2x2 block, since three of them would have to belong to two pieces that touch. */
static int most_covered(const rows *cells) {
    static const rows blocks = {0x5555, 0, 0x5555, 0, 0x5555, 0, 0x5555, 0,
                                0x5555, 0, 0x5555, 0, 0x5555, 0, 0x5555, 0};
    rows a = *cells, b = a >> 1, c = ROW_SOUTH(a), d = c >> 1;
    rows one = (a | b | c | d) & blocks, two = ((a & b) | (c & d) | ((a | b) & (c | d))) & blocks;
    return count_cells(&one) + count_cells(&two);
}

static int at_most(int number, int limit) {
    return number < limit ? number : limit;
}

/* How many more pieces fit on these cells at most, by their sizes: as many uprights as possible,
 * then pieces on edge, then flat ones. */
static int most_pieces(const struct view *view, const rows *cells) {
    rows live[HEIGHTS], all = *cells & view->any_live;
    for (int height = 0; height < HEIGHTS; height++)
        live[height] = *cells & view->live[height];
    int left = count_cells(&all);
    int upright = at_most(most_covered(&live[2]), left) / 2;
    left -= 2 * upright;
    int on_edge = at_most(most_covered(&live[1]), left) / 3;
    left -= 3 * on_edge;
    return upright + on_edge + at_most(count_cells(&live[0]), left) / 6;
}

/* The most pieces that the player's largest group can have at the end if so many more of the
 * player's pieces or neutral ones are placed. Groups can be joined only over live cells. */
static int largest_later(const struct view *view, int player, int more) {
    int most = 0;
    rows cells = view->owned[player] | view->any_live, part;
    while (take_part(&cells, &part)) {
        rows down = part & view->corners & view->owned[player];
        int pieces = count_cells(&down) + at_most(most_pieces(view, &part), more);
        most = pieces > most ? pieces : most;
    }
    return most;
}

/* How many pieces the player's largest group has, and whether it (or one as large) can be enlarged
 * at once. */
static int largest_now(const struct view *view, int player, bool *grows) {
    int most = 0;
    rows groups = {0}; /* all of the same size */
    rows cells = view->owned[player], part;
    while (take_part(&cells, &part)) {
        rows down = part & view->corners;
        int pieces = count_cells(&down);
        if (pieces > most)
            groups = part;
        else if (pieces == most)
            groups |= part;
        most = pieces > most ? pieces : most;
    }
    /* A legal place never overlaps a group, so a covered cell beside one is enough. */
    rows covered = {0};
    FOR_EACH_WAY(way) {
        cover(way, &view->legal[way], &covered);
    }
    covered &= BESIDE(groups);
    *grows = !is_empty(&covered);
    return most;
}

/* Let A be one player and B the other. A can force no more than A gets against some B of our
 * choice. We choose a B who places no neutral piece while own pieces are left. If it is B's turn
 * and it is possible, B first enlarges B's largest group. Against this B:
 * - At most `room` more pieces will be placed, in turn. That limits the turns of both, and also how
 *   often B can be `forced` to place a neutral piece because B's own have run out.
 * - B's group at the end is at least as large as it is now, or after that first placement, as
 *   groups only grow. At worst all of B's neutral pieces stay in hand.
 * - A's group at the end consists of pieces that are down now, of pieces that A places, and of
 *   those that B is forced to place: see largest_later. No more neutral pieces leave A's hand than
 *   A has turns. */
void nonet_ksar_bounds(const struct nonet_options *options, const void *state, int *low,
                       int *high) {
    const struct state *s = state;
    int most[2]; /* margin for each player */
    struct view view;
    look(options, s, &view);
    int room = 0;
    rows cells = view.any_live, part;
    while (take_part(&cells, &part))
        room += most_pieces(&view, &part);
    for (int player = 0; player < 2; player++) {
        int other = 1 - player, in_hand = s->own[player] + s->neutral[player];
        int turns = at_most((room + (s->next == player)) / 2, in_hand);
        int forced = at_most((room + (s->next == other)) / 2 - s->own[other], s->neutral[other]);
        bool grows;
        int now = largest_now(&view, other, &grows);
        if (grows && s->next == other && s->own[other] > 0)
            now++;
        most[player] = largest_later(&view, player, turns + (forced > 0 ? forced : 0)) -
                       (s->neutral[player] - at_most(s->neutral[player], turns)) -
                       (now - s->neutral[other]);
    }
    *low = -most[RED];
    *high = most[BLUE];
}

/* --- Evaluation --- */

/* What is counted for a player: neutral pieces in hand, and the other features of one group. */
enum feature {
    HAND,      /* neutral pieces that would cost a point each */
    SIZE,      /* pieces of the group */
    JOINS,     /* pieces of other groups that one placement would join to it */
    GROWTH,    /* cells of placements that would enlarge it at once */
    EDGE,      /* live cells beside it */
    OUTSKIRTS, /* live cells within REACH steps over live cells */
    FEATURES,
};
enum { REACH = 5 };

/* What each is worth: thousandths of the logarithm of the odds to win, for a floor that is nearly
 * full and for one with room for OPEN_FLOOR cells of pieces. Found by logistic regression over
 * games that the evaluation played against itself, except for HAND and the size on an open floor:
 * such games say little about them. */
static const struct {
    int full, open;
} weights[FEATURES] = {
    [HAND] = {-1000, 0}, [SIZE] = {1850, 0}, [JOINS] = {500, 330},
    [GROWTH] = {54, 19}, [EDGE] = {187, 39}, [OUTSKIRTS] = {73, 57},
};
static const int turn_full = 630, turn_open = 475; /* for the player next in turn */
enum { OPEN_FLOOR = 100 };

struct group {
    rows cells, beside;
    int size;
};

/* The player's groups; returns how many. */
static int list_groups(const struct view *view, int player, struct group groups[PIECES]) {
    int count = 0;
    rows cells = view->owned[player];
    while (take_part(&cells, &groups[count].cells)) {
        struct group *group = &groups[count++];
        rows down = group->cells & view->corners;
        group->size = count_cells(&down);
        group->beside = BESIDE(group->cells);
    }
    return count;
}

/* The lower-left cells of pieces standing in this way that would cover one of these cells. */
static void reach_back(int way, const rows *cells, rows *places) {
    rows line = *cells | *cells >> (uint16_t)(ways[way].width / 2) |
                *cells >> (uint16_t)(ways[way].width - 1);
    for (int y = 1; y < ways[way].depth; y++)
        line |= ROW_SOUTH(line);
    *places = line;
}

/* Counts JOINS and GROWTH of a group. */
static void count_placements(const struct view *view, const struct group groups[], int count,
                             const struct group *group, int counted[FEATURES]) {
    rows enlarging[WAYS], covered = {0};
    FOR_EACH_WAY(way) {
        reach_back(way, &group->beside, &enlarging[way]);
        enlarging[way] &= view->legal[way];
        cover(way, &enlarging[way], &covered);
    }
    counted[GROWTH] = count_cells(&covered);
    for (int i = 0; i < count; i++) {
        rows between = groups[i].beside & covered;
        if (&groups[i] == group || is_empty(&between))
            continue;
        rows joining = {0};
        FOR_EACH_WAY(way) {
            rows places;
            reach_back(way, &between, &places);
            joining |= places & enlarging[way];
        }
        counted[JOINS] += is_empty(&joining) ? 0 : groups[i].size;
    }
}

/* Counts EDGE and OUTSKIRTS of a group. */
static void count_surroundings(const struct view *view, const struct group *group,
                               int counted[FEATURES]) {
    rows cells = group->beside & view->any_live;
    counted[EDGE] = count_cells(&cells);
    for (int step = 1; step < REACH; step++)
        cells |= BESIDE(cells) & view->any_live;
    counted[OUTSKIRTS] = count_cells(&cells);
}

static int worth(const int counted[FEATURES], int open) {
    int sum = 0;
    for (int i = 0; i < FEATURES; i++)
        sum += counted[i] * (weights[i].full * (OPEN_FLOOR - open) + weights[i].open * open);
    return sum / OPEN_FLOOR;
}

/* Counts for the player's best group. Groups much smaller than the largest are skipped. */
static int judge(const struct state *s, const struct view *view, int player, int open) {
    enum { MUCH = 3 };
    struct group groups[PIECES];
    int count = list_groups(view, player, groups), largest = 0;
    int most = count > 0 ? INT32_MIN : worth((int[FEATURES]){[HAND] = s->neutral[player]}, open);
    for (int i = 0; i < count; i++)
        largest = groups[i].size > largest ? groups[i].size : largest;
    for (int i = 0; i < count; i++) {
        if (groups[i].size <= largest - MUCH)
            continue;
        int counted[FEATURES] = {[HAND] = s->neutral[player], [SIZE] = groups[i].size};
        count_placements(view, groups, count, &groups[i], counted);
        count_surroundings(view, &groups[i], counted);
        int value = worth(counted, open);
        most = value > most ? value : most;
    }
    return most;
}

/* A position is more open if pieces may still cover more cells. */
static int openness(const struct state *s, const struct view *view) {
    enum { SMALL_PIECE = 3 }; /* cells */
    int hands = s->own[BLUE] + s->neutral[BLUE] + s->own[RED] + s->neutral[RED];
    return at_most(at_most(count_cells(&view->any_live), SMALL_PIECE * hands), OPEN_FLOOR);
}

int nonet_ksar_evaluate(const struct nonet_options *options, const void *state, int player) {
    const struct state *s = state;
    struct view view;
    look(options, s, &view);
    int self = player - 1, open = openness(s, &view);
    int ahead = judge(s, &view, self, open) - judge(s, &view, 1 - self, open);
    int turn = (turn_full * (OPEN_FLOOR - open) + turn_open * open) / OPEN_FLOOR;
    ahead += s->next == self ? turn : -turn;
    /* Converts odds to the expected result: half way to a sure win at odds of about e^2. */
    return 1000 * ahead / ((ahead < 0 ? -ahead : ahead) + 2000);
}
