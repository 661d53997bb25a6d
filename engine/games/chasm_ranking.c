/* Numbers for Chasm's positions with three players, for solvers and tables.
 *
 * While pieces move, only the places of the player to move, of the next one and of the one after
 * them count: who of them is player 1 makes no difference. So a position is three sets, in this
 * order, of two to four pieces each. Their sizes come round with the turns, and a piece that is
 * pushed off never comes back. A tier is the sizes as they come round, such as 2 3 4, 3 4 2 and
 * 4 2 3: up to three parts, one after the other.
 *
 * Of the first set, the least of its eight symmetric forms stands for all: a class. The second set
 * lies on the cells that the first leaves free, the third on those that both leave free. Each is
 * numbered by its place among the sets of its size there, in rising order. A first set that is
 * symmetric in itself has symmetric positions among those of its class. `rank` yields the least of
 * their numbers.
 *
 * The positions of the opening, in which pieces are placed, are listed: all that games lead to,
 * each beside those that come from the same position. They are the last tier.
 *
 * With two players all positions can be listed, and with four there are too many for a table. They
 * have no numbers. */
#include "chasm_board.h"

#include "../base/bits.h"

enum {
    THREE = 3, /* players */
    LEAST = 2, /* pieces of a player in a game that goes on */
    SETS = 1 << BOARD4_CELLS,
    CLASSES = 252, /* of sets of four */
    LISTED = 274486,
    SLOT_BITS = 19,
};

/* The sizes of a tier, first as the least number that they make. The tiers rise by the most pieces
 * of a player, then by all pieces. */
static const uint8_t tier_sizes[][THREE] = {
    {2, 2, 2}, {2, 2, 3}, {2, 3, 3}, {3, 3, 3}, {2, 2, 4}, {2, 3, 4},
    {2, 4, 3}, {2, 4, 4}, {3, 3, 4}, {3, 4, 4}, {4, 4, 4},
};
enum { MOVING_TIERS = sizeof tier_sizes / sizeof tier_sizes[0], OPENING = MOVING_TIERS, TIERS };

/* The positions of a tier whose first set has the same size. */
struct part {
    int tier;
    uint32_t start;           /* of its numbers in the tier */
    uint32_t seconds, thirds; /* how many second and third sets there are */
};

struct index {
    uint16_t place[SETS];                 /* of a set among those of its size, in rising order; */
    uint16_t sets[SETS];                  /* and back: all of a size after each other, */
    uint32_t first_set[BOARD4_CELLS + 2]; /* from here on */
    /* The bits of the second that the first selects, packed together; and back. */
    uint8_t gather[256][256], scatter[256][256];
    /* Of sets of two to four cells. */
    uint16_t class_of[SETS];
    uint8_t turns[SETS]; /* a bit for each symmetry that leads to the least of the class */
    uint16_t least_of[PIECES + 1][CLASSES];
    uint32_t classes[PIECES + 1];
    struct part parts[PIECES + 1][PIECES + 1][PIECES + 1]; /* by the sizes of the sets */
    uint32_t sizes[MOVING_TIERS];
    /* The opening. */
    uint32_t listed;
    uint32_t slots[1 << SLOT_BITS]; /* by a hash: the place in the list + 1, or 0 */
    uint64_t opening[LISTED];       /* pieces */
};

/* ---- Sets ---- */

static uint16_t gather(const struct index *index, unsigned among, unsigned set) {
    unsigned low = index->gather[among & 255][set & 255];
    unsigned high = index->gather[among >> 8][set >> 8];
    return (uint16_t)(low | high << nonet_bits_count(among & 255));
}

static uint16_t scatter(const struct index *index, unsigned among, unsigned set) {
    unsigned low = index->scatter[among & 255][set & 255];
    unsigned high = index->scatter[among >> 8][set >> nonet_bits_count(among & 255) & 255];
    return (uint16_t)(low | high << 8);
}

static void build_sets(struct index *index) {
    uint32_t first = 0;
    for (int size = 0; size <= BOARD4_CELLS; size++) {
        index->first_set[size] = first;
        for (uint32_t set = 0; set < SETS; set++)
            if (nonet_bits_count(set) == size) {
                index->place[set] = (uint16_t)(first - index->first_set[size]);
                index->sets[first++] = (uint16_t)set;
            }
    }
    for (uint32_t among = 0; among < 256; among++)
        for (uint32_t set = 0; set < 256; set++) {
            uint32_t gathered = 0, scattered = 0;
            int size = 0;
            for (uint32_t rest = among; rest != 0; rest &= rest - 1, size++) {
                gathered |= (set >> nonet_bits_first(rest) & 1) << size;
                scattered |= set >> size & 1 ? rest & -rest : 0;
            }
            index->gather[among][set] = (uint8_t)gathered;
            index->scatter[among][set] = (uint8_t)scattered;
        }
}

/* In rising order, the least set of a class comes before all others of it. */
static void build_classes(struct index *index) {
    for (int size = LEAST; size <= PIECES; size++) {
        index->classes[size] = 0;
        for (uint32_t i = index->first_set[size]; i < index->first_set[size + 1]; i++) {
            uint16_t set = index->sets[i], least = set;
            for (int turn = 0; turn < BOARD4_SYMMETRIES; turn++) {
                uint16_t turned = board4_turn(turn, set);
                least = turned < least ? turned : least;
            }
            index->turns[set] = 0;
            for (int turn = 0; turn < BOARD4_SYMMETRIES; turn++)
                index->turns[set] |= (uint8_t)((board4_turn(turn, set) == least) << turn);
            if (least == set) {
                index->class_of[set] = (uint16_t)index->classes[size];
                index->least_of[size][index->classes[size]++] = set;
            }
            index->class_of[set] = index->class_of[least];
        }
    }
}

static uint32_t choose(int n, int k) {
    uint32_t ways = 1;
    for (int i = 1; i <= k; i++)
        ways = ways * (uint32_t)(n - k + i) / (uint32_t)i;
    return ways;
}

static int parts_of(int tier) {
    const uint8_t *sizes = tier_sizes[tier];
    return sizes[0] == sizes[1] && sizes[1] == sizes[2] ? 1 : THREE;
}

/* The sizes of the sets in a part of a tier. */
static void sizes_of(int tier, int part, int sizes[THREE]) {
    for (int i = 0; i < THREE; i++)
        sizes[i] = tier_sizes[tier][(part + i) % THREE];
}

static void build_parts(struct index *index) {
    for (int tier = 0; tier < MOVING_TIERS; tier++) {
        uint32_t start = 0;
        for (int i = 0; i < parts_of(tier); i++) {
            int of[THREE];
            sizes_of(tier, i, of);
            struct part *part = &index->parts[of[0]][of[1]][of[2]];
            *part = (struct part){
                .tier = tier,
                .start = start,
                .seconds = choose(BOARD4_CELLS - of[0], of[1]),
                .thirds = choose(BOARD4_CELLS - of[0] - of[1], of[2]),
            };
            start += index->classes[of[0]] * part->seconds * part->thirds;
        }
        index->sizes[tier] = start;
    }
}

/* ---- The opening ---- */

/* Where these pieces are found in the list, or the empty slot for them. */
static uint32_t slot_of(const struct index *index, uint64_t pieces) {
    const uint32_t mask = ((uint32_t)1 << SLOT_BITS) - 1;
    uint32_t slot = (uint32_t)(pieces * 0x9e3779b97f4a7c15u >> (64 - SLOT_BITS));
    while (index->slots[slot] != 0 && index->opening[index->slots[slot] - 1] != pieces)
        slot = (slot + 1) & mask;
    return slot;
}

static void list(struct index *index, uint64_t pieces) {
    uint32_t slot = slot_of(index, pieces);
    if (index->slots[slot] != 0)
        return;
    assert(index->listed < LISTED);
    index->opening[index->listed++] = pieces;
    index->slots[slot] = index->listed;
}

static void opening_state(uint64_t pieces, struct state *s) {
    *s = (struct state){.pieces = pieces, .next = (uint32_t)(nonet_bits_count(pieces) % THREE)};
}

static void build_opening(const struct nonet_options *options, struct index *index) {
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    index->listed = 0;
    memset(index->slots, 0, sizeof index->slots);
    list(index, 0);
    for (uint32_t i = 0; i < index->listed; i++) {
        struct state s;
        opening_state(index->opening[i], &s);
        int count = game->moves(options, &s, moves);
        for (int j = 0; j < count; j++) {
            struct state after = s;
            game->play(options, &after, NULL, moves[j]);
            if (after.phase == PLACING)
                list(index, board4_least(after.pieces));
        }
    }
    assert(index->listed == LISTED);
}

/* ---- Members of struct nonet_ranking ---- */

static size_t index_size(const struct nonet_options *options) {
    (void)options;
    return sizeof(struct index);
}

static void build_index(const struct nonet_options *options, void *index) {
    build_sets(index);
    build_classes(index);
    build_parts(index);
    build_opening(options, index);
}

static int tiers(const struct nonet_options *options) {
    return options->players == THREE ? TIERS : 0;
}

static int material(const struct nonet_options *options, int tier) {
    (void)options;
    int most = tier == OPENING ? PIECES : 0;
    for (int i = 0; i < THREE && tier != OPENING; i++)
        most = tier_sizes[tier][i] > most ? tier_sizes[tier][i] : most;
    return most;
}

static uint64_t size(const struct nonet_options *options, const void *ranking_index, int tier) {
    (void)options;
    const struct index *index = ranking_index;
    return tier == OPENING ? LISTED : index->sizes[tier];
}

/* The place of three sets within their part. */
static uint32_t place_of(const struct index *index, const struct part *part, uint64_t lanes) {
    uint16_t first = (uint16_t)lanes, second = (uint16_t)(lanes >> 16),
             third = (uint16_t)(lanes >> 32);
    uint32_t place = index->class_of[first];
    place = place * part->seconds + index->place[gather(index, (uint16_t)~first, second)];
    return place * part->thirds + index->place[gather(index, (uint16_t) ~(first | second), third)];
}

static int rank_moving(const struct index *index, const struct state *s, uint64_t *number) {
    /* The lanes come round, so that the player to move has the lowest. */
    int shift = 16 * (int)s->next;
    uint64_t lanes = (s->pieces >> shift | s->pieces << (16 * THREE - shift)) & 0xffffffffffff;
    const struct part *part =
        &index->parts[nonet_bits_count(lanes & 0xffff)][nonet_bits_count(lanes >> 16 & 0xffff)]
                     [nonet_bits_count(lanes >> 32)];
    uint32_t least = UINT32_MAX;
    for (unsigned turns = index->turns[lanes & 0xffff]; turns != 0; turns &= turns - 1) {
        uint64_t turned = board4_turn_lanes(nonet_bits_first(turns), lanes);
        uint32_t place = place_of(index, part, turned);
        least = place < least ? place : least;
    }
    *number = part->start + least;
    return part->tier;
}

static int rank(const struct nonet_options *options, const void *ranking_index, const void *state,
                uint64_t *number) {
    (void)options;
    const struct index *index = ranking_index;
    const struct state *s = state;
    if (s->phase == FINISHED)
        return -1;
    if (s->phase == MOVING)
        return rank_moving(index, s, number);
    uint32_t found = index->slots[slot_of(index, board4_least(s->pieces))];
    *number = found - 1;
    return found != 0 ? OPENING : -1;
}

static void unrank(const struct nonet_options *options, const void *ranking_index, int tier,
                   uint64_t number, void *state) {
    (void)options;
    const struct index *index = ranking_index;
    if (tier == OPENING) {
        opening_state(index->opening[number], state);
        return;
    }
    int place = parts_of(tier), of[THREE];
    const struct part *part;
    do {
        sizes_of(tier, --place, of);
        part = &index->parts[of[0]][of[1]][of[2]];
    } while (part->start > number);
    uint32_t rest = (uint32_t)number - part->start;
    uint32_t third = rest % part->thirds, second = rest / part->thirds % part->seconds;
    unsigned own = index->least_of[of[0]][rest / part->thirds / part->seconds];
    unsigned next = scatter(index, ~own & 0xffff, index->sets[index->first_set[of[1]] + second]);
    unsigned last =
        scatter(index, ~(own | next) & 0xffff, index->sets[index->first_set[of[2]] + third]);
    *(struct state *)state = (struct state){
        .pieces = own | (uint64_t)next << 16 | (uint64_t)last << 32, .phase = MOVING};
}

const struct nonet_ranking nonet_chasm_ranking = {
    .index_size = index_size,
    .build_index = build_index,
    .tiers = tiers,
    .size = size,
    .rank = rank,
    .unrank = unrank,
    .material = material,
};
