/* Judging Ksar's positions: what can still be forced, for exact searches; and an evaluation, for
 * players that cannot search to the end. */
#include "../rules/features.h"
#include "ksar_board.h"

/* What is on the floor. */
struct pieces {
    rows corners;  /* one of each piece */
    rows owned[2]; /* cells of pieces of a player, or of nobody */
};

static void look_at_pieces(const struct state *s, struct pieces *pieces) {
    corners(s, &pieces->corners);
    rows filled = PLANE(s->height[0]) | PLANE(s->height[1]) | PLANE(s->height[2]);
    for (int player = 0; player < 2; player++)
        pieces->owned[player] = filled & ~PLANE(s->colour[1 - player]);
}

/* What may still come. */
struct view {
    rows live[HEIGHTS]; /* cells that a piece of this height may still come to cover */
    rows any_live;
    rows legal[WAYS]; /* lower-left cells of what can be placed at once */
};

static void look(const struct nonet_options *options, const struct state *s, struct view *view) {
    struct site site;
    survey(options, s, &site);
    FOR_EACH_WAY(way) {
        rows later;
        find_places(&site, way, &view->legal[way], &later);
        if (way % 2 == 0)
            view->live[way / 2] = (rows){0};
        cover(way, &later, &view->live[way / 2]);
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
static int largest_later(const struct pieces *pieces, const struct view *view, int player,
                         int more) {
    int most = 0;
    rows cells = pieces->owned[player] | view->any_live, part;
    while (take_part(&cells, &part)) {
        rows down = part & pieces->corners & pieces->owned[player];
        int size = count_cells(&down) + at_most(most_pieces(view, &part), more);
        most = size > most ? size : most;
    }
    return most;
}

/* Regions are the connected parts of the live cells. A piece covers cells of one region only, and
 * touches no piece that comes to another. If there are more regions, the rest is left out. */
struct regions {
    int count;
    rows at[32];
};

/* How many pieces the player's largest group has, and in how many regions it can be enlarged at
 * once, by a piece that covers some of the legal cells. Of several groups as large, the one where
 * these are the most. */
static int largest_now(const struct pieces *pieces, const struct regions *regions,
                       const rows *legal, int player, int *growing) {
    int most = 0;
    rows cells = pieces->owned[player], part;
    *growing = 0;
    while (take_part(&cells, &part)) {
        rows down = part & pieces->corners;
        int size = count_cells(&down), count = 0;
        if (size < most)
            continue;
        /* A legal place never overlaps a group, so a legal cell beside one is enough. */
        rows beside = *legal & BESIDE(part);
        for (int i = 0; i < regions->count; i++) {
            rows within = beside & regions->at[i];
            count += !is_empty(&within);
        }
        if (size > most || count > *growing)
            *growing = count;
        most = size;
    }
    return most;
}

/* Let A be one player and B the other. A can force no more than A gets against some B of our
 * choice. We choose a B who places no neutral piece while own pieces are left. As long as it is
 * possible, B enlarges B's largest group in a region where no piece was placed meanwhile. Against
 * this B:
 * - At most `room` more pieces will be placed, in turn. That limits the turns of both, and also how
 *   often B can be `forced` to place a neutral piece because B's own have run out.
 * - B's group at the end is at least as large as it is now, as groups only grow. If it can be
 *   enlarged in several regions, A and B use them up in turn: what is legal in one stays legal
 *   until a piece is placed there. So B enlarges it in half of them, while B has own pieces and A
 *   has any, and does not lack a turn, as there is room. At worst all of B's neutral pieces stay in
 *   hand.
 * - A's group at the end consists of pieces that are down now, of pieces that A places, and of
 *   those that B is forced to place: see largest_later. No more neutral pieces leave A's hand than
 *   A has turns. */
void nonet_ksar_bounds(const struct nonet_options *options, const void *state, int *low,
                       int *high) {
    const struct state *s = state;
    int most[2]; /* margin for each player */
    struct pieces pieces;
    struct view view;
    look_at_pieces(s, &pieces);
    look(options, s, &view);
    int room = 0;
    rows cells = view.any_live, part, legal = {0};
    struct regions regions = {0};
    while (take_part(&cells, &part)) {
        room += most_pieces(&view, &part);
        if (regions.count < (int)(sizeof regions.at / sizeof regions.at[0]))
            regions.at[regions.count++] = part;
    }
    FOR_EACH_WAY(way) {
        cover(way, &view.legal[way], &legal);
    }
    for (int player = 0; player < 2; player++) {
        int other = 1 - player, in_hand = s->own[player] + s->neutral[player];
        int turns = at_most((room + (s->next == player)) / 2, in_hand);
        int forced = at_most((room + (s->next == other)) / 2 - s->own[other], s->neutral[other]);
        int first = s->next == other, growing;
        int now = largest_now(&pieces, &regions, &legal, other, &growing);
        now += at_most(at_most((growing + first) / 2, s->own[other]), in_hand + first);
        most[player] = largest_later(&pieces, &view, player, turns + (forced > 0 ? forced : 0)) -
                       (s->neutral[player] - at_most(s->neutral[player], turns)) -
                       (now - s->neutral[other]);
    }
    *low = -most[RED];
    *high = most[BLUE];
}

/* --- What an evaluation counts --- */

/* What is counted for a group. */
enum count {
    SIZE,       /* its pieces */
    NEUTRAL_IN, /* those of them that are neutral */
    JOINS,      /* pieces of other groups that one placement would join to it */
    LEAP,       /* pieces of the largest of these groups */
    BRIDGES,    /* placements that would join a group */
    FIRM,       /* as JOINS, but only groups with so many of them that one piece hardly stops all */
    GROWTH,     /* cells of placements that would enlarge it at once */
    FLAT,       /* such placements, by height */
    ON_EDGE,
    UPRIGHT,
    EDGE,   /* live cells beside it */
    REACH2, /* live cells within so many steps over live cells */
    REACH3,
    REACH5,
    REACH8,
    NEAR, /* pieces of other groups of the player that REACH3 touches, and REACH5 */
    FAR,
    WITHIN, /* pieces of the same player that it may still be joined to over live cells */
    ROOM,   /* live cells that it may come to reach */
    COUNTS,
};

enum { MANY_BRIDGES = 5 };

/* A group as it stands on the floor, whatever else is there. */
struct shape {
    rows beside; /* may have cells of the group too */
    int16_t size, neutral;
    bool fresh; /* has the new piece, which `neutral` does not count */
};

/* The groups of a player, the largest first. */
struct shapes {
    int count;
    const struct shape *at[PIECES];
};

struct group {
    rows beside;
    rows growth;           /* the cells counted by GROWTH */
    rows near2, near, far; /* the cells counted by REACH2, REACH3 and REACH5 */
    uint32_t met;          /* of the player's shapes: its own, and those counted by FAR */
    bool fresh;
    int16_t count[COUNTS];
};
static_assert(PIECES <= 32, "a set of shapes has 32 bits");

static int list_shapes(const struct pieces *pieces, int player, struct shape shapes[PIECES]) {
    rows owned = pieces->owned[player], part;
    int count = 0;
    while (take_part(&owned, &part)) {
        rows down = part & pieces->corners, neutral = down & pieces->owned[1 - player];
        struct shape shape = {.beside = BESIDE(part),
                              .size = (int16_t)count_cells(&down),
                              .neutral = (int16_t)count_cells(&neutral)};
        int at = count++;
        for (; at > 0 && shapes[at - 1].size < shape.size; at--)
            shapes[at] = shapes[at - 1];
        shapes[at] = shape;
    }
    return count;
}

/* Begins with one of the shapes. */
static void begin_group(struct group *group, const struct shapes *shapes, int own) {
    const struct shape *shape = shapes->at[own];
    memset(group->count, 0, sizeof group->count);
    group->beside = shape->beside;
    group->met = 1u << own;
    group->fresh = shape->fresh;
    group->count[SIZE] = shape->size;
    group->count[NEUTRAL_IN] = shape->neutral;
}

/* The lower-left cells of pieces standing in this way that would cover one of these cells. */
static void reach_back(int way, const rows *cells, rows *places) {
    rows column = *cells; /* first, as ways of the same depth share it */
    for (int y = 1; y < ways[way].depth; y++)
        column |= ROW_SOUTH(column);
    *places = column | column >> (uint16_t)(ways[way].width / 2) |
              column >> (uint16_t)(ways[way].width - 1);
}

/* Counts what placements would do for a group: from JOINS to UPRIGHT. */
static void count_placements(const struct view *view, const struct shapes *shapes, int own,
                             struct group *group) {
    rows enlarging[WAYS], covered = {0};
    int16_t *counted = group->count;
    FOR_EACH_WAY(way) {
        reach_back(way, &group->beside, &enlarging[way]);
        enlarging[way] &= view->legal[way];
        cover(way, &enlarging[way], &covered);
        counted[FLAT + way / 2] += (int16_t)count_cells(&enlarging[way]);
    }
    group->growth = covered;
    counted[GROWTH] = (int16_t)count_cells(&covered);
    for (int i = 0; i < shapes->count; i++) {
        const struct shape *shape = shapes->at[i];
        rows between = shape->beside & covered;
        if (i == own || is_empty(&between))
            continue;
        int bridges = 0;
        FOR_EACH_WAY(way) {
            rows places;
            reach_back(way, &between, &places);
            places &= enlarging[way];
            bridges += count_cells(&places);
        }
        if (bridges == 0)
            continue;
        counted[BRIDGES] += (int16_t)bridges;
        counted[JOINS] += (int16_t)shape->size;
        if (bridges >= MANY_BRIDGES)
            counted[FIRM] += (int16_t)shape->size;
        if (shape->size > counted[LEAP])
            counted[LEAP] = (int16_t)shape->size;
    }
}

/* Finds the live cells around a group, and counts what `promise` needs of them: EDGE and REACH5. */
static inline void look_around(const struct view *view, struct group *group) {
    rows cells = group->beside & view->any_live;
    group->count[EDGE] = (int16_t)count_cells(&cells);
    cells |= BESIDE(cells) & view->any_live;
    group->near2 = cells;
    cells |= BESIDE(cells) & view->any_live;
    group->near = cells;
    for (int step = 3; step < 5; step++)
        cells |= BESIDE(cells) & view->any_live;
    group->count[REACH5] = (int16_t)count_cells(&cells);
    group->far = cells;
}

/* Two groups meet if one comes near the other. Then the other comes near the one too. */
static void meet(struct group *group, const struct shape *other, int index, bool near) {
    group->met |= 1u << index;
    group->count[FAR] += other->size;
    if (near)
        group->count[NEAR] += other->size;
}

/* Counts what the group may still be joined to over live cells, beginning with these. */
static void count_region(const struct view *view, const struct shapes *shapes, const rows *cells,
                         struct group *group) {
    rows region = *cells;
    uint32_t within = 0, more = group->met;
    int pieces = 0;
    while (more != 0) {
        within |= more;
        for (; more != 0; more &= more - 1) {
            const struct shape *shape = shapes->at[nonet_bits_first(more)];
            pieces += shape->size;
            region |= shape->beside & view->any_live;
        }
        rows rest = view->any_live & ~region;
        if (!is_empty(&rest))
            spread(&region, &view->any_live);
        uint32_t others = (uint32_t)((UINT64_C(1) << shapes->count) - 1) & ~within;
        for (; others != 0; others &= others - 1) {
            int other = nonet_bits_first(others);
            rows touched = shapes->at[other]->beside & region;
            if (!is_empty(&touched))
                more |= 1u << other;
        }
    }
    group->count[WITHIN] = (int16_t)pieces;
    group->count[ROOM] = (int16_t)count_cells(&region);
}

/* Counts the rest, which only the main group needs. */
static void count_prospects(const struct view *view, const struct shapes *shapes,
                            struct group *group) {
    rows cells = group->far;
    for (int step = 5; step < 8; step++)
        cells |= BESIDE(cells) & view->any_live;
    group->count[REACH8] = (int16_t)count_cells(&cells);
    count_region(view, shapes, &cells, group);
}

enum { MUCH = 3 }; /* groups so much smaller than the largest are skipped */

/* How promising a group is, as far as is known from its surroundings. */
static int promise(const int16_t counted[COUNTS]) {
    return 20 * counted[SIZE] + 8 * counted[NEAR] + 2 * counted[EDGE] + counted[REACH5];
}

/* Adds a group that is as promising as the main one: the cells and neutral pieces of both, and the
 * higher of the other counts. */
static void merge(struct group *main, const struct group *group) {
    int16_t neutral = (int16_t)(main->count[NEUTRAL_IN] + group->count[NEUTRAL_IN]);
    main->beside |= group->beside;
    main->growth |= group->growth;
    main->near |= group->near;
    main->far |= group->far;
    main->met |= group->met;
    main->fresh |= group->fresh;
    for (int i = 0; i < COUNTS; i++)
        main->count[i] = group->count[i] > main->count[i] ? group->count[i] : main->count[i];
    main->count[NEUTRAL_IN] = neutral;
}

/* A player's main group: the most promising. Equal ones are merged, so that it does not depend on
 * the order in which groups are found. */
static void find_main(const struct view *view, const struct shapes *shapes, struct group *main) {
    struct group groups[PIECES];
    int count = 0;
    for (; count < shapes->count && shapes->at[count]->size > shapes->at[0]->size - MUCH; count++) {
        begin_group(&groups[count], shapes, count);
        look_around(view, &groups[count]);
    }
    int promised[PIECES], most = 0;
    for (int i = 0; i < count; i++) {
        struct group *group = &groups[i];
        for (int j = i + 1; j < shapes->count; j++) {
            const struct shape *other = shapes->at[j];
            rows far = other->beside & group->far, near = other->beside & group->near;
            if (is_empty(&far))
                continue;
            bool is_near = !is_empty(&near);
            meet(group, other, j, is_near);
            if (j < count)
                meet(&groups[j], shapes->at[i], i, is_near);
        }
        promised[i] = promise(group->count);
        most = promised[i] > most ? promised[i] : most;
    }
    bool found = false;
    for (int i = 0; i < count; i++) {
        struct group *group = &groups[i];
        if (promised[i] < most)
            continue;
        count_placements(view, shapes, i, group);
        group->count[REACH2] = (int16_t)count_cells(&group->near2);
        group->count[REACH3] = (int16_t)count_cells(&group->near);
        if (found)
            merge(main, group);
        else
            *main = *group;
        found = true;
    }
    if (!found)
        memset(main, 0, sizeof *main);
    count_prospects(view, shapes, main);
}

/* --- Evaluation --- */

/* What counts are worth: thousandths of the logarithm of the odds to win, for a floor that is
 * nearly full and for one with room for OPEN_FLOOR cells of pieces. Found by logistic regression
 * over games that the evaluation played against itself, except for neutral pieces in hand and the
 * size on an open floor: such games say little about them. */
static const struct {
    int full, open;
} weights[COUNTS] = {
    [SIZE] = {1850, 0}, [JOINS] = {500, 330}, [GROWTH] = {54, 19},
    [EDGE] = {187, 39}, [REACH5] = {73, 57},
};
static const int hand_full = -1000;                /* for a neutral piece in hand */
static const int turn_full = 630, turn_open = 475; /* for the player next in turn */
enum { OPEN_FLOOR = 100 };

static int worth(const struct state *s, int player, const int16_t counted[COUNTS], int open) {
    int sum = s->neutral[player] * hand_full * (OPEN_FLOOR - open);
    for (int i = 0; i < COUNTS; i++)
        sum += counted[i] * (weights[i].full * (OPEN_FLOOR - open) + weights[i].open * open);
    return sum / OPEN_FLOOR;
}

/* Counts for the player's best group. Groups much smaller than the largest are skipped. */
static int judge(const struct state *s, const struct pieces *pieces, const struct view *view,
                 int player, int open) {
    struct shape found[PIECES];
    struct shapes shapes = {.count = list_shapes(pieces, player, found)};
    int most = shapes.count > 0 ? INT32_MIN : worth(s, player, (int16_t[COUNTS]){0}, open);
    for (int i = 0; i < shapes.count; i++)
        shapes.at[i] = &found[i];
    for (int i = 0; i < shapes.count && found[i].size > found[0].size - MUCH; i++) {
        struct group group;
        begin_group(&group, &shapes, i);
        count_placements(view, &shapes, i, &group);
        look_around(view, &group);
        int value = worth(s, player, group.count, open);
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
    struct pieces pieces;
    struct view view;
    look_at_pieces(s, &pieces);
    look(options, s, &view);
    int self = player - 1, open = openness(s, &view);
    int ahead = judge(s, &pieces, &view, self, open) - judge(s, &pieces, &view, 1 - self, open);
    int turn = (turn_full * (OPEN_FLOOR - open) + turn_open * open) / OPEN_FLOOR;
    ahead += s->next == self ? turn : -turn;
    /* Converts odds to the expected result: half way to a sure win at odds of about e^2. */
    return 1000 * ahead / ((ahead < 0 ? -ahead : ahead) + 2000);
}

/* --- Features, for a network --- */

/* What a network sees: some counts for each player, first for the one next in turn, then counts of
 * the floor that both share. */
enum {
    OWN_HAND = COUNTS, /* pieces in hand */
    NEUTRAL_HAND,
    GROUPS, /* of the player */
    SECOND, /* pieces of the second largest */
    ALONE3, /* of the cells that REACH3 counts, those that it does not count for the other */
    ALONE5, /* the same of REACH5 */
    OF_PLAYER,
};
enum {
    LIVE = 2 * OF_PLAYER, /* cells that may still be covered */
    LIVE_FLAT,            /* by pieces of a height */
    LIVE_ON_EDGE,
    LIVE_UPRIGHT,
    LEGAL_FLAT, /* what can be placed at once */
    LEGAL_ON_EDGE,
    LEGAL_UPRIGHT,
    SHARED_EDGE,   /* live cells beside both main groups */
    SHARED_GROWTH, /* cells of placements that enlarge one, and of such that enlarge the other */
    FLOOR,         /* cells of the frame */
    NARROW,        /* its shorter side */
    FEATURES,
};

static const char *const names[FEATURES] = {
#define OF(player)                                                                                 \
    player " size", player " neutral in", player " joins", player " leap", player " bridges",      \
        player " firm", player " growth", player " flat", player " on edge", player " upright",    \
        player " edge", player " reach 2", player " reach 3", player " reach 5",                   \
        player " reach 8", player " near", player " far", player " within", player " room",        \
        player " own in hand", player " neutral in hand", player " groups", player " second",      \
        player " alone 3", player " alone 5"
    OF("mover's"),   OF("other's"), "live",          "live flat",     "live on edge",
    "live upright",  "legal flat",  "legal on edge", "legal upright", "shared edge",
    "shared growth", "floor",       "narrow",
};

/* What the features say of a player, but for the hands and for what the other has. */
struct side {
    struct group main;
    int16_t groups, second;
};

/* What is the same for a piece of the player's colour and for a neutral one in the same place. */
struct floor {
    struct view view;
    int16_t count[SHARED_EDGE - LIVE]; /* from LIVE to LEGAL_UPRIGHT */
    struct side mover;                 /* the player who placed it */
};

/* What the positions after all moves of a position have in common; and the floors after some of
 * them, each by the cells of the new piece, as most pieces can be neutral too. */
enum { FLOOR_BITS = 6, FLOORS = 1 << FLOOR_BITS };
struct outline {
    rows filled;
    int count[2];
    struct shape shapes[2][PIECES];
    uint64_t known; /* which of these there are */
    rows placed[FLOORS];
    struct floor floors[FLOORS];
};
static_assert(sizeof(struct outline) <= NONET_FEATURE_OUTLINE, "there is room for an outline");

static void outline(const struct nonet_options *options, const void *state, void *memory) {
    (void)options;
    const struct state *s = state;
    struct outline *outline = memory;
    struct pieces pieces;
    look_at_pieces(s, &pieces);
    outline->filled = pieces.owned[0] | pieces.owned[1];
    for (int player = 0; player < 2; player++)
        outline->count[player] = list_shapes(&pieces, player, outline->shapes[player]);
    outline->known = 0;
}

/* The piece that was not there when the outline was made, if there is one. */
struct news {
    rows cells;
    int owner; /* BLUE, RED or NEUTRAL_OWNER; -1 if there is none */
};

static void find_news(const struct outline *outline, const struct state *s, struct news *news) {
    int mover = 1 - s->next;
    news->cells =
        (PLANE(s->height[0]) | PLANE(s->height[1]) | PLANE(s->height[2])) & ~outline->filled;
    rows coloured = news->cells & PLANE(s->colour[mover]);
    news->owner = !is_empty(&coloured) ? mover : !is_empty(&news->cells) ? NEUTRAL_OWNER : -1;
}

/* The player's groups. What the new piece joins, if it is the player's too, is `joined`. */
static void update(const struct outline *outline, int player, const struct news *news,
                   struct shape *joined, struct shapes *shapes) {
    const struct shape *known = outline->shapes[player];
    int count = 0, known_count = outline->count[player];
    if (news->owner != player && news->owner != NEUTRAL_OWNER) {
        for (; count < known_count; count++)
            shapes->at[count] = &known[count];
        shapes->count = count;
        return;
    }
    *joined = (struct shape){.beside = BESIDE(news->cells), .size = 1, .fresh = true};
    for (int i = 0; i < known_count; i++) {
        rows touching = known[i].beside & news->cells;
        if (is_empty(&touching)) {
            shapes->at[count++] = &known[i];
            continue;
        }
        joined->beside |= known[i].beside;
        joined->size += known[i].size;
        joined->neutral += known[i].neutral;
    }
    shapes->count = count + 1;
    for (; count > 0 && shapes->at[count - 1]->size < joined->size; count--)
        shapes->at[count] = shapes->at[count - 1];
    shapes->at[count] = joined;
}

static void find_side(const struct outline *outline, int player, const struct news *news,
                      const struct view *view, struct side *side) {
    struct shape joined;
    struct shapes shapes;
    update(outline, player, news, &joined, &shapes);
    find_main(view, &shapes, &side->main);
    side->groups = (int16_t)shapes.count;
    side->second = shapes.count > 1 ? shapes.at[1]->size : 0;
}

static void find_floor(const struct nonet_options *options, const struct outline *outline,
                       const struct state *s, const struct news *news, struct floor *floor) {
    const struct view *view = &floor->view;
    look(options, s, &floor->view);
    floor->count[LIVE - LIVE] = (int16_t)count_cells(&view->any_live);
    for (int height = 0; height < HEIGHTS; height++) {
        floor->count[LIVE_FLAT - LIVE + height] = (int16_t)count_cells(&view->live[height]);
        floor->count[LEGAL_FLAT - LIVE + height] =
            (int16_t)(count_cells(&view->legal[2 * height]) +
                      count_cells(&view->legal[2 * height + 1]));
    }
    find_side(outline, 1 - s->next, news, view, &floor->mover);
}

/* The floor after this move, if it may be met again or was met before, in `floor`. Returns whether
 * it is known. */
static bool remember(struct outline *outline, const struct state *s, const struct news *news,
                     struct floor **floor) {
    const uint8_t *others = news->owner == NEUTRAL_OWNER ? s->own : s->neutral;
    if (news->owner < 0 || others[1 - s->next] == 0)
        return false;
    words four = (words)news->cells;
    uint64_t mixed = (four[0] + 3 * four[1] + 5 * four[2] + 7 * four[3]) * 0x9fb21c651e98df25u;
    int at = (int)(mixed >> (64 - FLOOR_BITS));
    rows different = outline->placed[at] ^ news->cells;
    *floor = &outline->floors[at];
    if (outline->known >> at & 1 && is_empty(&different))
        return true;
    outline->known |= UINT64_C(1) << at;
    outline->placed[at] = news->cells;
    return false;
}

static bool write_features(const struct nonet_options *options, void *memory, const void *state,
                           int16_t features[NONET_MAX_FEATURES]) {
    const struct state *s = state;
    struct outline *outline = memory;
    struct news news;
    find_news(outline, s, &news);
    struct floor unique, *floor = &unique;
    if (!remember(outline, s, &news, &floor))
        find_floor(options, outline, s, &news, floor);
    struct side other;
    find_side(outline, s->next, &news, &floor->view, &other);
    const struct side *sides[2] = {&other, &floor->mover};
    for (int i = 0; i < 2; i++) {
        int player = i == 0 ? s->next : 1 - s->next;
        int16_t *of = features + i * OF_PLAYER;
        const struct group *main = &sides[i]->main, *opposed = &sides[1 - i]->main;
        memcpy(of, main->count, sizeof main->count);
        if (main->fresh && news.owner == NEUTRAL_OWNER)
            of[NEUTRAL_IN]++;
        of[OWN_HAND] = s->own[player];
        of[NEUTRAL_HAND] = s->neutral[player];
        of[GROUPS] = sides[i]->groups;
        of[SECOND] = sides[i]->second;
        rows alone3 = main->near & ~opposed->near, alone5 = main->far & ~opposed->far;
        of[ALONE3] = (int16_t)count_cells(&alone3);
        of[ALONE5] = (int16_t)count_cells(&alone5);
    }
    memcpy(features + LIVE, floor->count, sizeof floor->count);
    rows shared = other.main.beside & floor->mover.main.beside & floor->view.any_live;
    features[SHARED_EDGE] = (int16_t)count_cells(&shared);
    shared = other.main.growth & floor->mover.main.growth;
    features[SHARED_GROWTH] = (int16_t)count_cells(&shared);
    int width = frame_width(options), depth = frame_depth(options);
    features[FLOOR] = (int16_t)(width * depth);
    features[NARROW] = (int16_t)at_most(width, depth);
    return features[OWN_HAND] + features[NEUTRAL_HAND] > 0 &&
           features[LEGAL_FLAT] + features[LEGAL_ON_EDGE] + features[LEGAL_UPRIGHT] > 0;
}

/* Made by train/. */
static const int16_t trained[] = {
#include "ksar.weights"
};

const struct nonet_features nonet_ksar_features = {
    .count = FEATURES,
    .names = names,
    .outline = outline,
    .write = write_features,
    .weights = trained,
};
