/* Judging Masker's positions: who will win, when all discs are known; and how a move appeals to a
 * player who knows only their own.
 *
 * Both are sums of a few counted things, weighted by what was fitted to games of the program
 * against itself (masker.weights). What counts most is how many crosses a colour has left, and how
 * near they are to the uncoloured one when somebody else is to move. */
#include "masker_board.h"

/* How well a cross can be reached is told in a table of so many rows. */
enum { ROWS = 4, ACCESSES = 6 };

/* What is counted of a side: a player who is not out, or a team. */
enum side_count {
    LEFT_ONE, /* that many crosses are left of the side's colour, */
    LEFT_TWO,
    LEFT_THREE,
    LEFT_FOUR,
    LEFT_FIVE,
    LEFT_SIX,
    FAR_NEAR, /* of them so many captures away, when another side is to move, */
    FAR_TWO,
    FAR_THREE,
    OWN_NEAR, /* and when it is this one */
    OWN_TWO,
    OWN_THREE,
    DOOMED_ONE, /* the side to move reaches all, so many, in this turn, */
    DOOMED_TWO,
    DOOMED_THREE,
    BARE_ONE, /* or begins with a free capture */
    BARE_TWO,
    BARE_THREE,
    ALONE, /* crosses in cells without a neighbour */
    SECOND_CAPTURE,
    THIRD_CAPTURE, /* that this side may make now */
    ROOM,          /* crosses that it may still capture */
    FULL,
    FULL_AND_FEW,
    OTHERS_ROOM, /* with three crosses or fewer left */
    PORTION,     /* of all crosses left, in 36ths */
    FREE,        /* this side is to move, and its capture is free */
    BURIED,      /* in 3d: crosses by what lies on them; */
    TOPS,
    ONE_ABOVE,
    FULL_OTHERS, /* crosses left when the others are full */
    TO_MOVE,
    TWO_ABOVE,
    UNDER,      /* the uncoloured cross lies on one */
    FAR_SECOND, /* crosses beneath the top in a neighbouring pile, when another side is to move, */
    OWN_SECOND, /* and when it is this one */
    ACCESS,     /* crosses by how well they can be reached, from badly to well */
    SIDE_COUNTS = ACCESS + ROWS * ACCESSES
};

/* What is counted of a move, for the mover's own colour. */
enum move_count {
    TAKES_ONE, /* it takes one of so many own crosses */
    TAKES_TWO,
    TAKES_THREE,
    TAKES_FOUR,
    TAKES_FIVE,
    TAKES_SIX,
    TAKES_FREELY,
    GOES_ON_NEAR, /* own crosses so many captures away, when the turn goes on, */
    GOES_ON_TWO,
    ENDS_NEAR, /* and when it ends */
    ENDS_TWO,
    ENDS_THREE,
    ENDS_REACHED, /* of all own crosses left, in sixtieths */
    ENDS_DOOMED,
    ENDS_BARE_ONE, /* the next player has a free capture */
    ENDS_BARE_TWO,
    ENDS_BARE_THREE,
    DEPTH, /* in 3d: as BURIED */
    TAKES_FIRST,
    GOES_ON_FREELY, /* divided by own crosses left, in sixtieths */
    GOES_ON_THREE,
    GOES_ON_REACHED,
    LEAVES_UNDER,  /* in 3d: the uncoloured cross lies on one, when the turn ends */
    LEAVES_SECOND, /* own crosses beneath the top in a neighbouring pile */
    MOVE_COUNTS
};

/* Sides have a set of weights for each number of players from two, for flat and 3d, and for each
 * phase; moves for flat and 3d. */
enum { PHASES = 3, SIDE_SETS = 3 * 2 * PHASES, MOVE_SETS = 2, SIXTY = 60 };

#define BY_PHASE(name) name ", many crosses", name ", fewer crosses", name ", the last 13 crosses"
static const char *const set_names[SIDE_SETS + MOVE_SETS] = {
    BY_PHASE("2 players, flat"),
    BY_PHASE("2 players, 3d"),
    BY_PHASE("3 players, flat"),
    BY_PHASE("3 players, 3d"),
    BY_PHASE("teams, flat"),
    BY_PHASE("teams, 3d"),
    "moves, flat",
    "moves, 3d",
};

static const int16_t weights[SIDE_SETS * SIDE_COUNTS + MOVE_SETS * MOVE_COUNTS] = {
#include "masker.weights"
};

/* A board at a glance. Sets of crosses are in deal order, sets of cells are not. */
struct view {
    const struct nonet_options *options;
    const struct state *s;
    uint64_t crosses[UNCOLOURED + 1]; /* of each colour */
    uint64_t near[3];                 /* cells that are one, two, three captures away */
    bool free;                        /* whether the next capture is */
    int left;                         /* crosses */
    uint8_t beside_pile[PILES];       /* in 3d: crosses in the neighbouring piles */
};

/* The cells beside a set of them. */
static uint64_t around(bool piled, uint64_t cells) {
    const uint64_t file6 = 0x041041041, file3 = 0x49;
    if (piled)
        return cells << 3 | cells >> 3 | (cells & ~(file3 << 2)) << 1 | (cells & ~file3) >> 1;
    return cells << 6 | cells >> 6 | (cells & ~(file6 << 5)) << 1 | (cells & ~file6) >> 1;
}

static void look(const struct nonet_options *options, const struct state *s, struct view *v) {
    *v = (struct view){.options = options, .s = s, .left = CAPTURED_AT_MOST};
    for (int i = 0; i < CROSSES; i++)
        v->crosses[s->cross[i]] |= 1ull << i;
    v->near[0] = neighbours(options, s);
    v->near[1] = around(piled(options), v->near[0]) & s->takable & ~v->near[0];
    v->near[2] = around(piled(options), v->near[1]) & s->takable & ~(v->near[0] | v->near[1]);
    v->free = is_free(s, v->near[0]);
    for (int player = 0; player < options->players; player++)
        v->left -= s->holding[player];
    for (int pile = 0; piled(options) && pile < PILES; pile++)
        for (uint64_t rest = beside[true][pile]; rest != 0; rest &= rest - 1) {
            int other = nonet_bits_first(rest);
            v->beside_pile[pile] =
                (uint8_t)(v->beside_pile[pile] + s->height[other] - (other == s->at));
        }
}

static int phase_of(const struct view *v) {
    return v->left > 23 ? 0 : v->left > 13 ? 1 : 2;
}

/* Where the crosses of a colour are. */
struct lie {
    int left;
    uint64_t cells;    /* on which one can be taken; but for the cell of the uncoloured cross */
    int alone;         /* in cells without a neighbour */
    int near[3];       /* that many captures away */
    int above[LEVELS]; /* in 3d: with so many others above */
    int access[ROWS * ACCESSES]; /* by how well they can be reached */
    int under, second; /* just beneath the uncoloured one; beneath the top of a pile next to it */
};

static void find_in_piles(const struct view *v, int colour, uint64_t alone, struct lie *lie) {
    const struct state *s = v->s;
    for (uint64_t rest = v->crosses[colour]; rest != 0; rest &= rest - 1) {
        int place = nonet_bits_first(rest), pile = place % PILES, under = pile == s->at;
        int above = s->height[pile] - 1 - place / PILES - under;
        lie->above[above]++;
        lie->cells |= (uint64_t)(above == 0 && !under) << pile;
        lie->alone += (int)(alone >> pile & 1);
        /* Every visit to the pile takes a cross beside it. */
        int access = (v->beside_pile[pile] - above + 1) / 2;
        access = access < 0 ? 0 : access < ACCESSES ? access : ACCESSES - 1;
        lie->access[above * ACCESSES + access]++;
        lie->under += above == 0 && under;
        lie->second += above == 1 && (v->near[0] >> pile & 1);
    }
}

static struct lie find(const struct view *v, int colour) {
    uint64_t alone = ~around(piled(v->options), v->s->takable);
    struct lie lie = {.left = nonet_bits_count(v->crosses[colour])};
    if (piled(v->options)) {
        find_in_piles(v, colour, alone, &lie);
    } else {
        lie.cells = v->crosses[colour];
        lie.alone = nonet_bits_count(lie.cells & alone);
        for (uint64_t rest = lie.cells; rest != 0; rest &= rest - 1) {
            uint64_t nearby = beside[false][nonet_bits_first(rest)] & v->s->takable;
            int wider = nonet_bits_count(around(false, nearby) & v->s->takable) / 2;
            int row = wider < ROWS ? wider : ROWS - 1;
            lie.access[row * ACCESSES + nonet_bits_count(nearby)]++;
        }
    }
    for (int i = 0; i < 3; i++)
        lie.near[i] = nonet_bits_count(lie.cells & v->near[i]);
    /* To them, the uncoloured cross comes back. */
    lie.near[1] += v->near[0] != 0 ? lie.under : 0;
    lie.near[2] += lie.second;
    return lie;
}

static int buried(const struct lie *lie) {
    return 2 * lie->above[0] + 6 * lie->above[1] + 12 * lie->above[2] + 20 * lie->above[3];
}

struct side {
    int colour;
    unsigned players;
    bool to_move;
    int room, others_room;
};

static void count_side(const struct view *v, const struct side *side,
                       int16_t count[NONET_MAX_COUNTS]) {
    struct lie lie = find(v, side->colour);
    int left = lie.left, captures = v->s->captures;
    memset(count, 0, SIDE_COUNTS * sizeof *count);
    count[LEFT_ONE + left - 1] = 1;
    count[ALONE] = (int16_t)lie.alone;
    count[ROOM] = (int16_t)side->room;
    count[PORTION] = (int16_t)(36 * left / (v->left + 1));
    for (int i = 0; i < 3; i++)
        count[(side->to_move ? OWN_NEAR : FAR_NEAR) + i] = (int16_t)lie.near[i];
    if (side->to_move) {
        count[TO_MOVE] = 1;
        count[FREE] = v->free;
        if (captures > 0)
            count[SECOND_CAPTURE + captures - 1] = 1;
    } else if (left <= 3 - captures) {
        int reached =
            lie.near[0] + (captures < 2 ? lie.near[1] : 0) + (captures < 1 ? lie.near[2] : 0);
        count[DOOMED_ONE + left - 1] = reached >= left && side->others_room >= left;
        count[BARE_ONE + left - 1] = v->free;
    }
    count[FULL] = side->room == 0;
    count[FULL_AND_FEW] = side->room == 0 && left <= 2;
    count[FULL_OTHERS] = (int16_t)(side->others_room == 0 ? left : 0);
    count[OTHERS_ROOM] = (int16_t)(left <= 3 ? side->others_room : 0);
    for (int i = 0; i < ROWS * ACCESSES; i++)
        count[ACCESS + i] = (int16_t)lie.access[i];
    if (!piled(v->options))
        return;
    count[BURIED] = (int16_t)buried(&lie);
    count[TOPS] = (int16_t)nonet_bits_count(lie.cells);
    count[ONE_ABOVE] = (int16_t)lie.above[1];
    count[TWO_ABOVE] = (int16_t)lie.above[2];
    count[UNDER] = (int16_t)lie.under;
    count[side->to_move ? OWN_SECOND : FAR_SECOND] = (int16_t)lie.second;
}

/* Lists the sides that are not out; returns how many. */
static int list_sides(const struct view *v, struct side sides[3]) {
    int count = 0, players = v->options->players, all_room = 0;
    for (int player = 0; player < players; player++) {
        if (v->s->out >> player & 1)
            continue;
        int room = limit_of(v->options) - v->s->holding[player], i = 0;
        all_room += room;
        while (i < count && sides[i].colour != v->s->disc[player])
            i++;
        if (i == count)
            sides[count++] = (struct side){.colour = v->s->disc[player]};
        sides[i].players |= 1u << player;
        sides[i].room += room;
        sides[i].to_move = sides[i].to_move || player + 1 == v->s->mover;
    }
    for (int i = 0; i < count; i++)
        sides[i].others_room = all_room - sides[i].room;
    return count;
}

static int count_sides(const struct nonet_options *options, const void *state,
                       struct nonet_side counted[NONET_MAX_PLAYERS], int *set) {
    struct view v;
    struct side sides[3];
    look(options, state, &v);
    int count = list_sides(&v, sides);
    for (int i = 0; i < count; i++) {
        counted[i].players = sides[i].players;
        count_side(&v, &sides[i], counted[i].count);
    }
    *set = ((options->players - 2) * 2 + piled(options)) * PHASES + phase_of(&v);
    return count;
}

/* What the next player finds of the own colour after a move. */
static void count_rest(const struct view *v, int own, bool goes_on, int16_t count[MOVE_COUNTS]) {
    struct lie lie = find(v, own);
    int left = lie.left, reached = lie.near[0] + lie.near[1] + lie.near[2];
    if (goes_on && v->free) {
        count[GOES_ON_FREELY] = (int16_t)(SIXTY / left);
    } else if (goes_on) {
        count[GOES_ON_NEAR] = (int16_t)lie.near[0];
        count[GOES_ON_TWO] = (int16_t)lie.near[1];
        count[GOES_ON_THREE] = (int16_t)lie.near[2];
    } else if (v->free) {
        if (left <= 3)
            count[ENDS_BARE_ONE + left - 1] = 1;
    } else {
        for (int i = 0; i < 3; i++)
            count[ENDS_NEAR + i] = (int16_t)lie.near[i];
        count[ENDS_REACHED] = (int16_t)(SIXTY * reached / left);
        count[ENDS_DOOMED] = left <= 3 && reached >= left;
    }
    if (goes_on)
        count[GOES_ON_REACHED] = (int16_t)(SIXTY * lie.near[0] / left);
    if (piled(v->options)) {
        count[DEPTH] = (int16_t)buried(&lie);
        count[LEAVES_UNDER] = (int16_t)(goes_on ? 0 : lie.under);
        count[LEAVES_SECOND] = (int16_t)(goes_on ? 0 : lie.second);
    }
}

static int count_move(const struct nonet_options *options, const void *seen, nonet_move move,
                      int16_t count[NONET_MAX_COUNTS]) {
    const struct state *s = seen;
    int own = s->disc[s->mover - 1], set = piled(options);
    memset(count, 0, MOVE_COUNTS * sizeof *count);
    if (move >= FILL)
        return set;
    if (move < STOP && colour_on(options, s, (int)move) == own) {
        bool free = is_free(s, neighbours(options, s));
        count[TAKES_ONE + s->left[own] - 1] = 1;
        count[TAKES_FREELY] = free;
        count[TAKES_FIRST] = !free && s->captures == 0;
    }
    struct state after = *s;
    memset(after.disc, NONE, sizeof after.disc);
    nonet_masker_play(options, &after, NULL, move);
    if (after.left[own] > 0) {
        struct view v;
        look(options, &after, &v);
        count_rest(&v, own, after.mover == s->mover && after.captures > 0, count);
    }
    return set;
}

const struct nonet_counts nonet_masker_counts = {
    .side_counts = SIDE_COUNTS,
    .side_sets = SIDE_SETS,
    .move_counts = MOVE_COUNTS,
    .move_sets = MOVE_SETS,
    .set_names = set_names,
    .weights = weights,
    .sides = count_sides,
    .move = count_move,
};
