/* Numbers for Kolem's positions, for solvers and tables.
 *
 * A position of phase 2 is stable when every piece has an enemy neighbour and no piece has more
 * than three neighbours; every move leaves a stable one. Only stable positions with at least three
 * pieces a side have a number. A tier is a pair of piece counts, with either side to move: steps
 * that remove nothing stay in it.
 *
 * The side with fewer pieces is the key; with equal counts the side that is not to move. The least
 * of eight symmetric keys represents them all: a class. The other side's pieces stand on points
 * beside the key, and there are at most eighteen of those: a pattern of 18 bits. All stable
 * patterns of a class, in rising order, are a block, and a tier is its blocks in the order of their
 * keys. Where the counts differ, all positions with the key to move come first, then the same
 * boards with the other side to move.
 *
 * A key that is symmetric in itself has symmetric patterns in its block, so the same position
 * occurs there more than once. `rank` yields the first of them.
 *
 * A step that removes nothing can be reversed by another step, so predecessors are found like
 * moves. */
#include "kolem_board.h"

enum {
    TURNS = 8,
    LOCAL = 18, /* no set of three to ten points has more points beside it */
    HALF = LOCAL / 2,
    TIERS = 36,        /* of ten pieces; fewer pieces have the first of them */
    PATTERNS = 198968, /* of 18 bits, with 3 to 10 of them set */
    LOW = 12,          /* a set of points is looked up in two parts */
    HIGH = POINTS - LOW,
    SEPTETS = 4, /* or in four of seven bits */
    BUCKET = 16, /* keys that share an entry of the small index */
};

/* Sets of a size, in rising order: C(25, n). */
static const uint32_t sets_of_size[MOST_PIECES + 1] = {
    1, 25, 300, 2300, 12650, 53130, 177100, 480700, 1081575, 2042975, 3268760};

/* What both indexes hold. */
struct tools {
    bool is_large;
    uint32_t beside_point[POINTS];
    uint32_t turn_low[TURNS][1 << LOW], turn_high[TURNS][1 << HIGH];
    /* The place of a set among those of its size is the sum of two shares, one of each part. That
     * of the high part depends on the size of the low one. */
    uint32_t place_low[1 << LOW], place_high[MOST_PIECES + 1][1 << HIGH];
    /* The bits of the second that the first selects, packed together; and back. */
    uint8_t gather[128][128], scatter[128][128];
    /* The place of a pattern among those of its size. */
    uint16_t order_low[1 << HALF], order_high[HALF + 1][1 << HALF];
    uint32_t patterns[PATTERNS];
    uint32_t first_pattern[MOST_PIECES + 1];
};

/* For probing: how many boards there are before the keys of each bucket. */
struct small_index {
    struct tools tools;
    uint32_t first_bucket[TIERS + 1];
    uint32_t before[];
};

/* For solving: all classes, and a bit for each pattern of each of them. */
struct family { /* keys of one size */
    uint32_t classes;
    uint32_t *class_of; /* by place: class << 4 | symmetric in itself << 3 | the turn to its key */
    uint32_t *key;
    uint32_t *local; /* points beside the key, and SYMMETRIC */
};

/* A bit for each of 64 patterns, in two halves so that there is no padding, and the number of
 * boards before them. What is read together lies together. */
struct word {
    uint32_t valid[2], before;
};

struct boards { /* of a tier */
    uint32_t count;
    uint32_t *first_word; /* by class, plus one entry */
    struct word *words;   /* by order of the pattern within the class, plus one entry */
};

/* Marks a key that is symmetric in itself. */
#define SYMMETRIC (1u << 31)

enum { MOST_PATTERNS = 48620 }; /* of a size: C(18, 9) */

struct large_index {
    struct tools tools;
    uint32_t list[(MOST_PIECES + 1) * MOST_PATTERNS]; /* for building */
    struct family families[MOST_PIECES + 1];
    struct boards boards[TIERS];
};

/* What a large index takes in memory, by size of the key and by tier. */
static const uint32_t class_counts[MOST_PIECES + 1] = {0,     0,     0,      319,    1666,  6814,
                                                       22475, 60645, 136080, 256585, 410170};
static const uint32_t word_counts[TIERS] = {
    434,     619,     6384,    528,   7757,   63761,   514,     8252,    76174,
    422898,  333,     6151,    69510, 434825, 1676344, 219,     3836,    50458,
    355116,  1453054, 3816577, 110,   2121,   30232,   235297,  1016348, 2695270,
    4694377, 41,      1197,    16033, 128465, 573617,  1519426, 2548767, 2869962};

static inline uint64_t valid_of(const struct word *word) {
    return word->valid[0] | (uint64_t)word->valid[1] << 32;
}

static inline int count(uint32_t set) {
    return nonet_bits_count(set);
}

/* Tiers are ordered by the larger count, then by the smaller. */
static inline int tier_of(int few, int many) {
    return (many - LEAST_PIECES) * (many - LEAST_PIECES + 1) / 2 + few - LEAST_PIECES;
}

static void counts_of(int tier, int *few, int *many) {
    for (*many = LEAST_PIECES; tier_of(*many, *many) < tier; ++*many)
        continue;
    *few = tier - tier_of(LEAST_PIECES, *many) + LEAST_PIECES;
}

static inline uint32_t turn_set(const struct tools *tools, int turn, uint32_t set) {
    return tools->turn_low[turn][set & ((1 << LOW) - 1)] | tools->turn_high[turn][set >> LOW];
}

static inline uint32_t place_of(const struct tools *tools, uint32_t set) {
    uint32_t low = set & ((1 << LOW) - 1);
    return tools->place_low[low] + tools->place_high[count(low)][set >> LOW];
}

static inline uint32_t order_of(const struct tools *tools, uint32_t pattern) {
    uint32_t low = pattern & ((1 << HALF) - 1);
    return (uint32_t)tools->order_low[low] + tools->order_high[count(low)][pattern >> HALF];
}

/* The pattern that a set makes on the points of `local`. */
static inline uint32_t gather(const struct tools *tools, uint32_t local, uint32_t set) {
    uint32_t pattern = 0;
    int shift = 0;
    for (int i = 0; i < SEPTETS; i++) {
        uint32_t part = local >> 7 * i & 127;
        pattern |= (uint32_t)tools->gather[part][set >> 7 * i & 127] << shift;
        shift += count(part);
    }
    return pattern;
}

static inline uint32_t scatter(const struct tools *tools, uint32_t local, uint32_t pattern) {
    uint32_t set = 0;
    for (int i = 0; i < SEPTETS; i++) {
        uint32_t part = local >> 7 * i & 127;
        set |= (uint32_t)tools->scatter[part][pattern & 127] << 7 * i;
        pattern >>= count(part);
    }
    return set;
}

static inline uint32_t local_of(uint32_t key) {
    return beside(key) & ~key;
}

static inline bool is_crowded(uint32_t all) {
    return (all & north(all) & south(all) & east(all) & west(all)) != 0;
}

/* C(n, k) of small numbers. */
static uint32_t choose(int n, int k) {
    uint32_t result = 1;
    for (int i = 1; i <= k; i++)
        result = result * (uint32_t)(n - k + i) / (uint32_t)i;
    return k > n ? 0 : result;
}

/* The place of a set among all of its size, in rising order. */
static uint32_t place_of_bits(uint32_t set, int shift, int smaller) {
    uint32_t place = 0;
    for (; set != 0; set &= set - 1)
        place += choose(nonet_bits_first(set) + shift, ++smaller);
    return place;
}

/* The set of a size at a place. */
static uint32_t set_at(int size, uint32_t place) {
    uint32_t set = 0;
    for (int point = POINTS - 1; size > 0; point--)
        if (choose(point, size) <= place) {
            place -= choose(point, size--);
            set |= 1u << point;
        }
    return set;
}

static uint32_t turn_bits(int turn, uint32_t set) {
    uint32_t turned = 0;
    for (; set != 0; set &= set - 1)
        turned |= 1u << turn_point(turn, nonet_bits_first(set));
    return turned;
}

static void build_tools(struct tools *tools) {
    for (int point = 0; point < POINTS; point++)
        tools->beside_point[point] = beside(1u << point);
    for (int turn = 0; turn < TURNS; turn++) {
        for (uint32_t set = 0; set < 1 << LOW; set++)
            tools->turn_low[turn][set] = turn_bits(turn, set);
        for (uint32_t set = 0; set < 1 << HIGH; set++)
            tools->turn_high[turn][set] = turn_bits(turn, set << LOW);
    }
    for (uint32_t set = 0; set < 1 << LOW; set++)
        tools->place_low[set] = place_of_bits(set, 0, 0);
    for (int low = 0; low <= MOST_PIECES; low++)
        for (uint32_t set = 0; set < 1 << HIGH; set++)
            tools->place_high[low][set] =
                low + count(set) > MOST_PIECES ? 0 : place_of_bits(set, LOW, low);
    for (uint32_t local = 0; local < 128; local++)
        for (uint32_t set = 0; set < 128; set++) {
            uint32_t gathered = 0, scattered = 0;
            int size = 0;
            for (uint32_t rest = local; rest != 0; rest &= rest - 1, size++) {
                gathered |= (set >> nonet_bits_first(rest) & 1) << size;
                scattered |= set >> size & 1 ? rest & -rest : 0;
            }
            tools->gather[local][set] = (uint8_t)gathered;
            tools->scatter[local][set] = (uint8_t)scattered;
        }
    for (uint32_t set = 0; set < 1 << HALF; set++)
        tools->order_low[set] = (uint16_t)place_of_bits(set, 0, 0);
    for (int low = 0; low <= HALF; low++)
        for (uint32_t set = 0; set < 1 << HALF; set++)
            tools->order_high[low][set] =
                low + count(set) > MOST_PIECES ? 0 : (uint16_t)place_of_bits(set, HALF, low);
    uint32_t pattern = 0;
    for (int size = LEAST_PIECES; size <= MOST_PIECES; size++) {
        tools->first_pattern[size] = pattern;
        for (uint32_t set = 0; set < 1 << LOCAL; set++)
            if (count(set) == size)
                tools->patterns[pattern++] = set;
    }
}

/* The least of the symmetric keys, and the turn that leads to it. */
static uint32_t least_key(const struct tools *tools, uint32_t key, int *turn) {
    uint32_t least = key;
    *turn = 0;
    for (int i = 1; i < TURNS; i++) {
        uint32_t turned = turn_set(tools, i, key);
        if (turned < least) {
            least = turned;
            *turn = i;
        }
    }
    return least;
}

static inline bool is_least_key(const struct tools *tools, uint32_t key) {
    for (int i = 1; i < TURNS; i++)
        if (turn_set(tools, i, key) < key)
            return false;
    return true;
}

static bool is_symmetric(const struct tools *tools, uint32_t key) {
    for (int i = 1; i < TURNS; i++)
        if (turn_set(tools, i, key) == key)
            return true;
    return false;
}

/* The next larger set of the same size. */
static inline uint32_t next_set(uint32_t set) {
    uint32_t sum = set + (set & -set);
    return sum | (set ^ sum) >> (2 + nonet_bits_first(set));
}

static inline uint32_t previous_set(uint32_t set) {
    return ~next_set(~set);
}

/* A walk through the stable patterns of a key, in rising order. */
struct walk {
    uint32_t key, least, most; /* the sizes that are wanted */
    uint32_t point[LOCAL];     /* points beside the key, as sets of one */
    uint32_t limit;            /* only patterns below this one count */
    uint32_t counts[MOST_PIECES + 1];
    uint32_t *list;   /* by size; may be null */
    uint32_t room;    /* for each size */
    uint32_t stop_at; /* ends once so many are found, unless 0 */
    uint32_t last;    /* the last one found */
};

/* `place` points, those of `open`, are undecided; `others` have been chosen. */
static void walk_on(struct walk *walk, int place, uint32_t open, uint32_t others, uint32_t size,
                    uint32_t pattern) {
    if (pattern >= walk->limit || size + (uint32_t)place < walk->least ||
        (walk->stop_at != 0 && walk->counts[walk->least] == walk->stop_at))
        return;
    if (place == 0) {
        if (walk->list != NULL)
            walk->list[size * walk->room + walk->counts[size]] = pattern;
        walk->counts[size]++;
        walk->last = pattern;
        return;
    }
    uint32_t point = walk->point[--place];
    open &= ~point;
    if ((walk->key & ~beside(others | open)) == 0)
        walk_on(walk, place, open, others, size, pattern);
    if (size < walk->most && !is_crowded(walk->key | others | point))
        walk_on(walk, place, open, others | point, size + 1, pattern | 1u << place);
}

static void walk_key(struct walk *walk) {
    uint32_t local = local_of(walk->key);
    int places = 0;
    for (uint32_t rest = local; rest != 0; rest &= rest - 1)
        walk->point[places++] = rest & -rest;
    if (!is_crowded(walk->key) && (walk->key & ~beside(local)) == 0)
        walk_on(walk, places, local, 0, 0, 0);
}

/* A count of them can be hundreds of times faster: the first eight points beside the key are taken
 * in all 256 ways at once, one bit for each, and only the others one way after another. */
enum { AT_ONCE = 8 };
typedef uint64_t ways __attribute__((vector_size(32)));

/* A condition on the others: if they hold all of `all` and none of `none`, only these ways are left
 * for the first eight. */
struct condition {
    uint32_t all, none;
    ways left;
};

/* The ways in which the given one of the first eight is there, in four words. */
static const uint64_t ways_with[AT_ONCE][4] = {
    {0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
    {0xcccccccccccccccc, 0xcccccccccccccccc, 0xcccccccccccccccc, 0xcccccccccccccccc},
    {0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0},
    {0xff00ff00ff00ff00, 0xff00ff00ff00ff00, 0xff00ff00ff00ff00, 0xff00ff00ff00ff00},
    {0xffff0000ffff0000, 0xffff0000ffff0000, 0xffff0000ffff0000, 0xffff0000ffff0000},
    {0xffffffff00000000, 0xffffffff00000000, 0xffffffff00000000, 0xffffffff00000000},
    {0, 0xffffffffffffffff, 0, 0xffffffffffffffff},
    {0, 0, 0xffffffffffffffff, 0xffffffffffffffff},
};

/* The ways with each number of the first eight. */
static void ways_by_size(ways by_size[AT_ONCE + 1]) {
    for (int size = 0; size <= AT_ONCE; size++)
        by_size[size] = (ways){0};
    for (uint32_t pattern = 0; pattern < 1 << AT_ONCE; pattern++)
        by_size[count(pattern)][pattern / 64] |= UINT64_C(1) << pattern % 64;
}

/* What the stable patterns of a key must meet, for each piece of the key and for each point with
 * four neighbours. */
static int conditions_of(uint32_t key, uint32_t first, struct condition *conditions) {
    uint32_t local = local_of(key);
    int found = 0;
    for (uint32_t rest = key; rest != 0; rest &= rest - 1) { /* an enemy neighbour */
        uint32_t near = beside(rest & -rest) & local;
        ways left = {0};
        int place = 0;
        for (uint32_t points = first; points != 0; points &= points - 1, place++)
            if (points & -points & near)
                for (int word = 0; word < 4; word++)
                    left[word] |= ways_with[place][word];
        conditions[found++] = (struct condition){.none = near & ~first, .left = left};
    }
    for (int point = 0; point < POINTS; point++) { /* not four neighbours */
        uint32_t near = beside(1u << point), needed = (near | 1u << point) & ~key;
        if (count(near) < 4 || (needed & ~local) != 0)
            continue;
        ways left = ~(ways){0};
        int place = 0;
        for (uint32_t points = first; points != 0; points &= points - 1, place++)
            if (points & -points & needed)
                for (int word = 0; word < 4; word++)
                    left[word] &= ways_with[place][word];
        conditions[found++] = (struct condition){.all = needed & ~first, .left = ~left};
    }
    return found;
}

static void count_key(const ways by_size[AT_ONCE + 1], uint32_t key, int least, int most,
                      uint32_t counts[MOST_PIECES + 1]) {
    struct condition conditions[MOST_PIECES + POINTS];
    uint32_t local = local_of(key), first = 0, rest = local;
    ways possible = ~(ways){0};
    int places = 0;
    for (; rest != 0 && places < AT_ONCE; rest &= rest - 1, places++)
        first |= rest & -rest;
    for (; places < AT_ONCE; places++) /* fewer than eight: the missing ones are not there */
        for (int word = 0; word < 4; word++)
            possible[word] &= ~ways_with[places][word];
    int asked = conditions_of(key, first, conditions);
    for (uint32_t others = 0;; others = (others - rest) & rest) {
        int size = count(others);
        ways left = possible;
        for (int i = 0; i < asked; i++)
            if ((conditions[i].all & ~others) == 0 && (conditions[i].none & others) == 0)
                left &= conditions[i].left;
        if ((left[0] | left[1] | left[2] | left[3]) != 0)
            for (int some = least > size ? least - size : 0; some <= AT_ONCE && size + some <= most;
                 some++) {
                ways of_size = left & by_size[some];
                counts[size + some] +=
                    (uint32_t)(nonet_bits_count(of_size[0]) + nonet_bits_count(of_size[1]) +
                               nonet_bits_count(of_size[2]) + nonet_bits_count(of_size[3]));
            }
        if (others == rest)
            return;
    }
}

static int tiers(const struct nonet_options *options) {
    return tier_of(pieces_of(options), pieces_of(options)) + 1;
}

static int material(const struct nonet_options *options, int tier) {
    (void)options;
    int few, many;
    counts_of(tier, &few, &many);
    return many;
}

/* The small index. */

static uint32_t buckets_of_size(int size) {
    return sets_of_size[size] / BUCKET + 2;
}

static size_t index_size(const struct nonet_options *options) {
    size_t entries = 0;
    for (int tier = 0; tier < tiers(options); tier++) {
        int few, many;
        counts_of(tier, &few, &many);
        entries += buckets_of_size(few);
    }
    return sizeof(struct small_index) + entries * sizeof(uint32_t);
}

static void build_index(const struct nonet_options *options, void *memory) {
    struct small_index *index = memory;
    int most = pieces_of(options);
    build_tools(&index->tools);
    index->tools.is_large = false;
    uint32_t bucket = 0;
    for (int tier = 0; tier < tiers(options); tier++) {
        int few, many;
        counts_of(tier, &few, &many);
        index->first_bucket[tier] = bucket;
        bucket += buckets_of_size(few);
    }
    index->first_bucket[tiers(options)] = bucket;
    ways by_size[AT_ONCE + 1];
    ways_by_size(by_size);
    for (int few = LEAST_PIECES; few <= most; few++) {
        uint32_t sums[MOST_PIECES + 1] = {0};
        uint32_t key = (1u << few) - 1;
        for (uint32_t place = 0; place < sets_of_size[few]; place++, key = next_set(key)) {
            if (place % BUCKET == 0)
                for (int many = few; many <= most; many++)
                    index->before[index->first_bucket[tier_of(few, many)] + place / BUCKET] =
                        sums[many];
            if (!is_least_key(&index->tools, key))
                continue;
            count_key(by_size, key, few, most, sums);
        }
        for (int many = few; many <= most; many++) {
            uint32_t *before = &index->before[index->first_bucket[tier_of(few, many)]];
            for (uint32_t i = (sets_of_size[few] + BUCKET - 1) / BUCKET; i < buckets_of_size(few);
                 i++)
                before[i] = sums[many];
        }
    }
}

/* The large index. */

/* Takes `count` entries of `size` bytes from what begins at `*next`; returns where they begin. */
static size_t carve(size_t *next, size_t count, size_t size) {
    size_t taken = *next;
    *next += (count * size + 63) / 64 * 64;
    return taken;
}

/* Divides an index's memory; returns how much it takes. */
static size_t lay_out(int tiers, struct large_index *index, unsigned char *memory) {
    size_t next = 0;
    carve(&next, 1, sizeof(struct large_index));
    for (int tier = 0; tier < tiers; tier++) {
        int few, many;
        counts_of(tier, &few, &many);
        size_t first_word = carve(&next, class_counts[few] + 1, sizeof(uint32_t));
        size_t words = carve(&next, word_counts[tier] + 1, sizeof(struct word));
        size_t class_of = next, key = next, local = next;
        if (few == many) {
            class_of = carve(&next, sets_of_size[few], sizeof(uint32_t));
            key = carve(&next, class_counts[few], sizeof(uint32_t));
            local = carve(&next, class_counts[few], sizeof(uint32_t));
        }
        if (index == NULL)
            continue;
        index->boards[tier] = (struct boards){.first_word = (void *)(memory + first_word),
                                              .words = (void *)(memory + words)};
        if (few == many)
            index->families[few] = (struct family){.class_of = (void *)(memory + class_of),
                                                   .key = (void *)(memory + key),
                                                   .local = (void *)(memory + local)};
    }
    return next;
}

static size_t large_index_size(const struct nonet_options *options, int tiers) {
    (void)options;
    return lay_out(tiers, NULL, NULL);
}

static void build_family(const struct tools *tools, struct family *family, int size) {
    uint32_t key = (1u << size) - 1;
    for (uint32_t place = 0; place < sets_of_size[size]; place++, key = next_set(key)) {
        int turn;
        uint32_t least = least_key(tools, key, &turn);
        if (least != key) { /* the least one comes earlier */
            family->class_of[place] = family->class_of[place_of(tools, least)] | (uint32_t)turn;
            continue;
        }
        bool symmetric = is_symmetric(tools, key);
        family->class_of[place] = family->classes << 4 | (symmetric ? 1u << 3 : 0);
        family->key[family->classes] = key;
        family->local[family->classes++] = local_of(key) | (symmetric ? SYMMETRIC : 0);
    }
    assert(family->classes == class_counts[size]);
}

/* The boards of all tiers up to `most` pieces that have a key of this size. */
static void build_boards(struct large_index *index, int few, int most) {
    const struct family *family = &index->families[few];
    uint32_t words[MOST_PIECES + 1] = {0};
    for (uint32_t class = 0; class < family->classes; class ++) {
        struct walk walk = {.key = family->key[class],
                            .least = (uint32_t)few,
                            .most = (uint32_t)most,
                            .limit = 1 << LOCAL,
                            .list = index->list,
                            .room = MOST_PATTERNS};
        walk_key(&walk);
        for (int many = few; many <= most; many++) {
            struct boards *boards = &index->boards[tier_of(few, many)];
            uint32_t room = (choose(count(family->local[class] & BOARD), many) + 63) / 64;
            struct word *block = &boards->words[words[many]];
            for (uint32_t i = 0; i < room; i++)
                block[i] = (struct word){0};
            const uint32_t *list = &index->list[many * MOST_PATTERNS];
            for (uint32_t i = 0; i < walk.counts[many]; i++) {
                uint32_t order = order_of(&index->tools, list[i]);
                block[order / 64].valid[order / 32 % 2] |= 1u << order % 32;
            }
            boards->first_word[class] = words[many];
            words[many] += room;
            for (uint32_t i = 0; i < room; i++) {
                block[i].before = boards->count;
                boards->count += (uint32_t)nonet_bits_count(valid_of(&block[i]));
            }
        }
    }
    for (int many = few; many <= most; many++) {
        struct boards *boards = &index->boards[tier_of(few, many)];
        boards->first_word[family->classes] = words[many];
        boards->words[words[many]] = (struct word){.before = boards->count};
        assert(words[many] == word_counts[tier_of(few, many)]);
    }
}

static void build_large_index(const struct nonet_options *options, int tiers, void *memory) {
    struct large_index *index = memory;
    build_tools(&index->tools);
    index->tools.is_large = true;
    lay_out(tiers, index, memory);
    int most = material(options, tiers - 1);
    for (int few = LEAST_PIECES; few <= most; few++) {
        build_family(&index->tools, &index->families[few], few);
        build_boards(index, few, most);
    }
}

/* A position as the key sees it. */
struct keyed {
    uint32_t key, rest;
    int few, many;
    bool key_moves; /* where the counts differ */
};

static inline struct keyed keyed_of(uint32_t mover, uint32_t other) {
    int movers = count(mover), others = count(other);
    if (movers < others)
        return (struct keyed){mover, other, movers, others, true};
    return (struct keyed){other, mover, others, movers, false};
}

/* A place in a large index: the number of a board in its tier; `local` is the pattern. */
static inline uint32_t board_number(const struct large_index *index, const struct boards *boards,
                                    uint32_t class, uint32_t pattern) {
    uint32_t order = order_of(&index->tools, pattern);
    const struct word *word = &boards->words[boards->first_word[class] + order / 64];
    uint64_t valid = valid_of(word);
    assert(valid >> order % 64 & 1);
    return word->before + (uint32_t)nonet_bits_count(valid & ((UINT64_C(1) << order % 64) - 1));
}

static inline uint32_t slot_of(const struct boards *boards, const struct keyed *keyed,
                               uint32_t board) {
    return keyed->few == keyed->many || keyed->key_moves ? board : boards->count + board;
}

/* The tier and a number of a stable position. */
static inline int locate(const struct large_index *index, uint32_t mover, uint32_t other,
                         uint32_t *number) {
    struct keyed keyed = keyed_of(mover, other);
    int tier = tier_of(keyed.few, keyed.many);
    const struct family *family = &index->families[keyed.few];
    const struct boards *boards = &index->boards[tier];
    uint32_t entry = family->class_of[place_of(&index->tools, keyed.key)];
    uint32_t key = turn_set(&index->tools, entry & 7, keyed.key);
    uint32_t rest = turn_set(&index->tools, entry & 7, keyed.rest);
    uint32_t pattern = gather(&index->tools, local_of(key), rest);
    *number = slot_of(boards, &keyed, board_number(index, boards, entry >> 4, pattern));
    return tier;
}

/* All numbers of the boards with a key and its other side's pieces, each as often as there are
 * turns that lead to it; `entry` is the key's in `class_of`. */
static inline int board_numbers(const struct large_index *index, const struct boards *boards,
                                uint32_t entry, uint32_t key, uint32_t rest, uint32_t *numbers) {
    const struct tools *tools = &index->tools;
    key = turn_set(tools, entry & 7, key);
    rest = turn_set(tools, entry & 7, rest);
    uint32_t local = local_of(key);
    numbers[0] = board_number(index, boards, entry >> 4, gather(tools, local, rest));
    int found = 1;
    if (entry >> 3 & 1)
        for (int turn = 1; turn < TURNS; turn++)
            if (turn_set(tools, turn, key) == key)
                numbers[found++] = board_number(index, boards, entry >> 4,
                                                gather(tools, local, turn_set(tools, turn, rest)));
    return found;
}

static bool is_stable(uint32_t mover, uint32_t other) {
    return (mover & ~beside(other)) == 0 && (other & ~beside(mover)) == 0 &&
           !is_crowded(mover | other);
}

/* Without an index of all keys: walks through the keys before it in its bucket. */
static uint64_t small_rank(const struct small_index *index, const struct keyed *keyed) {
    const struct tools *tools = &index->tools;
    int turn, tier = tier_of(keyed->few, keyed->many);
    uint32_t least = least_key(tools, keyed->key, &turn), rest = turn_set(tools, turn, keyed->rest);
    uint32_t local = local_of(least), limit = 1 << LOCAL;
    for (int i = 0; i < TURNS; i++)
        if (turn_set(tools, i, least) == least) {
            uint32_t pattern = gather(tools, local, turn_set(tools, i, rest));
            limit = pattern < limit ? pattern : limit;
        }
    uint32_t place = place_of(tools, least), counts[MOST_PIECES + 1] = {0};
    uint32_t before = index->before[index->first_bucket[tier] + place / BUCKET];
    ways by_size[AT_ONCE + 1];
    ways_by_size(by_size);
    uint32_t key = least;
    for (uint32_t i = place % BUCKET; i > 0; i--) {
        key = previous_set(key);
        if (is_least_key(tools, key))
            count_key(by_size, key, keyed->many, keyed->many, counts);
    }
    struct walk walk = {.key = least,
                        .least = (uint32_t)keyed->many,
                        .most = (uint32_t)keyed->many,
                        .limit = limit};
    walk_key(&walk);
    return before + counts[keyed->many] + walk.counts[keyed->many];
}

/* One of the boards of a tier. */
struct board {
    uint32_t class, pattern;
};

/* Where the boards of a class begin. */
static inline uint32_t class_start(const struct boards *boards, uint32_t class) {
    return boards->words[boards->first_word[class]].before;
}

static uint32_t class_of_board(const struct boards *boards, uint32_t classes, uint32_t number,
                               uint32_t hint) {
    if (class_start(boards, hint) <= number)
        for (uint32_t class = hint; class < classes && class < hint + 8; class ++)
            if (number < class_start(boards, class + 1))
                return class;
    uint32_t low = 0, high = classes - 1; /* the first that ends after the number */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (class_start(boards, middle + 1) > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct board board_at(const struct large_index *index, int tier, uint32_t number,
                             uint32_t *hint) {
    int few, many;
    counts_of(tier, &few, &many);
    const struct boards *boards = &index->boards[tier];
    uint32_t class = class_of_board(boards, index->families[few].classes, number, *hint);
    uint32_t low = boards->first_word[class], high = boards->first_word[class + 1] - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (boards->words[middle + 1].before > number)
            high = middle;
        else
            low = middle + 1;
    }
    uint64_t valid = valid_of(&boards->words[low]);
    for (uint32_t i = boards->words[low].before; i < number; i++)
        valid &= valid - 1;
    uint32_t order = (low - boards->first_word[class]) * 64 + (uint32_t)nonet_bits_first(valid);
    *hint = class;
    return (struct board){class, index->tools.patterns[index->tools.first_pattern[many] + order]};
}

/* The same without an index of all keys. */
static void small_unrank(const struct small_index *index, int tier, uint32_t number, uint32_t *key,
                         uint32_t *rest) {
    int few, many;
    counts_of(tier, &few, &many);
    const uint32_t *before = &index->before[index->first_bucket[tier]];
    uint32_t low = 0, high = buckets_of_size(few) - 2;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (before[middle + 1] > number)
            high = middle;
        else
            low = middle + 1;
    }
    number -= before[low];
    ways by_size[AT_ONCE + 1];
    ways_by_size(by_size);
    for (*key = set_at(few, low * BUCKET);; *key = next_set(*key)) {
        uint32_t counts[MOST_PIECES + 1] = {0};
        if (is_least_key(&index->tools, *key))
            count_key(by_size, *key, many, many, counts);
        if (counts[many] > number)
            break;
        number -= counts[many];
    }
    struct walk walk = {.key = *key,
                        .least = (uint32_t)many,
                        .most = (uint32_t)many,
                        .limit = 1 << LOCAL,
                        .stop_at = number + 1};
    walk_key(&walk);
    *rest = scatter(&index->tools, local_of(*key), walk.last);
}

static uint64_t size(const struct nonet_options *options, const void *index, int tier) {
    (void)options;
    int few, many;
    counts_of(tier, &few, &many);
    const struct tools *tools = index;
    const struct small_index *small = index;
    uint64_t boards = tools->is_large ? ((const struct large_index *)index)->boards[tier].count
                                      : small->before[small->first_bucket[tier + 1] - 1];
    return few == many ? boards : 2 * boards;
}

static int rank(const struct nonet_options *options, const void *index, const void *state,
                uint64_t *number) {
    const struct state *s = state;
    uint32_t mover = s->own[s->next], other = s->own[1 - s->next];
    if ((s->hand[0] | s->hand[1]) != 0 || count(mover) < LEAST_PIECES ||
        count(other) < LEAST_PIECES || !is_stable(mover, other))
        return -1;
    struct keyed keyed = keyed_of(mover, other);
    int tier = tier_of(keyed.few, keyed.many);
    if (((const struct tools *)index)->is_large) {
        const struct large_index *large = index;
        const struct boards *boards = &large->boards[tier];
        uint32_t place = place_of(&large->tools, keyed.key), numbers[TURNS];
        int found = board_numbers(large, boards, large->families[keyed.few].class_of[place],
                                  keyed.key, keyed.rest, numbers);
        for (int i = 1; i < found; i++)
            if (numbers[i] < numbers[0])
                numbers[0] = numbers[i];
        *number = slot_of(boards, &keyed, numbers[0]);
        return tier;
    }
    *number = small_rank(index, &keyed);
    if (keyed.few != keyed.many && !keyed.key_moves)
        *number += size(options, index, tier) / 2;
    return tier;
}

/* White is to move in the state. */
static void unrank(const struct nonet_options *options, const void *index, int tier,
                   uint64_t number, void *state) {
    int few, many;
    counts_of(tier, &few, &many);
    bool key_moves = false;
    if (few != many) {
        uint64_t boards = size(options, index, tier) / 2;
        key_moves = number < boards;
        number -= key_moves ? 0 : boards;
    }
    uint32_t key, rest;
    if (((const struct tools *)index)->is_large) {
        const struct large_index *large = index;
        uint32_t hint = 0;
        struct board board = board_at(large, tier, (uint32_t)number, &hint);
        key = large->families[few].key[board.class];
        rest = scatter(&large->tools, large->families[few].local[board.class], board.pattern);
    } else
        small_unrank(index, tier, (uint32_t)number, &key, &rest);
    *(struct state *)state =
        (struct state){.own = {key_moves ? key : rest, key_moves ? rest : key}};
}

static uint32_t blocks(const struct nonet_options *options, const void *index, int tier) {
    (void)options;
    int few, many;
    counts_of(tier, &few, &many);
    return ((const struct large_index *)index)->families[few].classes;
}

/* With the key to move and with the other side to move, where the counts differ. */
static int runs(const struct nonet_options *options, int tier) {
    (void)options;
    int few, many;
    counts_of(tier, &few, &many);
    return few == many ? 1 : 2;
}

static uint64_t block_start(const struct nonet_options *options, const void *index, int tier,
                            int run, uint32_t block) {
    (void)options;
    const struct boards *boards = &((const struct large_index *)index)->boards[tier];
    return class_start(boards, block) + (uint64_t)run * boards->count;
}

/* The steps that a side has in a stable position. An enemy piece with only one neighbour hangs on
 * it. A step of a piece on which others hang removes them, unless it ends beside them. */
struct stepping {
    int directions;
    uint32_t from[DIRECTIONS]; /* points that can be stepped from */
    uint32_t hanging, holding; /* enemy pieces, and own ones on which they hang */
};

static inline struct stepping stepping_of(const struct nonet_options *options, uint32_t mover,
                                          uint32_t other) {
    struct stepping stepping;
    struct state s = {.own = {mover, other}};
    uint32_t to[DIRECTIONS];
    stepping.directions = steps(options, &s, to);
    for (int i = 0; i < stepping.directions; i++)
        stepping.from[i] =
            direction_offset[i] > 0 ? to[i] >> direction_offset[i] : to[i] << -direction_offset[i];
    uint32_t a = north(mover), b = south(mover), c = east(mover), d = west(mover);
    stepping.hanging = other & ~((a & b) | (c & d) | ((a | b) & (c | d)));
    stepping.holding = mover & beside(stepping.hanging);
    return stepping;
}

/* What a step from a point removes. */
static inline uint32_t removed_by(const struct tools *tools, const struct stepping *stepping,
                                  int from, int to) {
    return stepping->hanging & tools->beside_point[from] & ~tools->beside_point[to];
}

/* The moves of one position: how many stay; the others are listed. */
static inline int expand_position(const struct nonet_options *options,
                                  const struct large_index *index, uint32_t number, uint32_t mover,
                                  uint32_t other, struct nonet_exit **exits) {
    struct stepping stepping = stepping_of(options, mover, other);
    int staying = 0;
    for (int i = 0; i < stepping.directions; i++) {
        staying += count(stepping.from[i] & ~stepping.holding);
        for (uint32_t rest = stepping.from[i] & stepping.holding; rest != 0; rest &= rest - 1) {
            int from = nonet_bits_first(rest), to = from + direction_offset[i];
            uint32_t removed = removed_by(&index->tools, &stepping, from, to);
            if (removed == 0) {
                staying++;
                continue;
            }
            struct nonet_exit *leaving = (*exits)++;
            leaving->from = number;
            leaving->tier = NONET_EXIT_LOST;
            if (count(other & ~removed) > FEW)
                leaving->tier =
                    locate(index, other & ~removed, mover ^ (1u << from | 1u << to), &leaving->to);
        }
    }
    return staying;
}

static uint32_t expand(const struct nonet_options *options, const void *memory, int tier,
                       uint32_t block, uint8_t *inside, struct nonet_exit *exits) {
    const struct large_index *index = memory;
    int few, many;
    counts_of(tier, &few, &many);
    const struct boards *boards = &index->boards[tier];
    uint32_t key = index->families[few].key[block], local = index->families[few].local[block];
    uint32_t number = class_start(boards, block), word = boards->first_word[block];
    const uint32_t *patterns = &index->tools.patterns[index->tools.first_pattern[many]];
    struct nonet_exit *end = exits;
    for (; word < boards->first_word[block + 1]; word++, patterns += 64)
        for (uint64_t valid = valid_of(&boards->words[word]); valid != 0;
             valid &= valid - 1, number++) {
            uint32_t rest = scatter(&index->tools, local, patterns[nonet_bits_first(valid)]);
            uint32_t rest_moves = few == many ? number : boards->count + number;
            inside[rest_moves] =
                (uint8_t)expand_position(options, index, rest_moves, rest, key, &end);
            if (few != many)
                inside[number] = (uint8_t)expand_position(options, index, number, key, rest, &end);
        }
    return (uint32_t)(end - exits);
}

/* How many turns leave a board as it is; 0 if a turn gives it a lower pattern. */
static int turns_of_board(const struct tools *tools, uint32_t key, uint32_t local, uint32_t rest) {
    uint32_t pattern = gather(tools, local, rest);
    int same = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn_set(tools, turn, key) != key)
            continue;
        uint32_t turned = gather(tools, local, turn_set(tools, turn, rest));
        if (turned < pattern)
            return 0;
        same += turned == pattern;
    }
    return same;
}

/* Each number occurs a multiple of `times` times: keeps one of every `times`. */
static int thin_out(uint32_t *numbers, int found, int times) {
    for (int i = 1; i < found; i++) { /* sorts the few there are */
        uint32_t number = numbers[i];
        int j = i;
        for (; j > 0 && numbers[j - 1] > number; j--)
            numbers[j] = numbers[j - 1];
        numbers[j] = number;
    }
    int kept = 0;
    for (int i = 0; i < found; i += times)
        numbers[kept++] = numbers[i];
    return kept;
}

static int predecessors(const struct nonet_options *options, const void *memory, int tier,
                        uint32_t number, uint32_t *hint, uint32_t *numbers) {
    const struct large_index *index = memory;
    const struct tools *tools = &index->tools;
    int few, many;
    counts_of(tier, &few, &many);
    const struct boards *boards = &index->boards[tier];
    bool key_moves = few != many && number < boards->count;
    if (few != many && !key_moves)
        number -= boards->count;
    struct board board = board_at(index, tier, number, hint);
    uint32_t key = index->families[few].key[board.class];
    uint32_t local = index->families[few].local[board.class];
    uint32_t rest = scatter(tools, local, board.pattern);
    int times = 1;
    if (local & SYMMETRIC) {
        times = turns_of_board(tools, key, local, rest);
        if (times == 0)
            return 0;
    }
    /* The side that moved last: the rest if it is the key's turn, otherwise the key. With equal
     * counts it was the key, but before that move the others were the key. */
    uint32_t stayed = key_moves ? key : rest, moved = key_moves ? rest : key;
    uint32_t first = key_moves ? boards->count : 0, entry = 0;
    const uint32_t *class_of = index->families[few].class_of;
    bool same_key = key_moves || few == many;
    if (same_key)
        entry = class_of[place_of(tools, stayed)];
    struct stepping stepping = stepping_of(options, moved, stayed);
    int found = 0;
    for (int i = 0; i < stepping.directions; i++)
        for (uint32_t set = stepping.from[i]; set != 0; set &= set - 1) {
            int from = nonet_bits_first(set), to = from + direction_offset[i];
            if ((set & -set & stepping.holding) != 0 && removed_by(tools, &stepping, from, to) != 0)
                continue;
            uint32_t earlier = moved ^ (1u << from | 1u << to);
            int more = same_key
                           ? board_numbers(index, boards, entry, stayed, earlier, &numbers[found])
                           : board_numbers(index, boards, class_of[place_of(tools, earlier)],
                                           earlier, stayed, &numbers[found]);
            for (; more > 0; more--)
                numbers[found++] += first;
        }
    return times == 1 ? found : thin_out(numbers, found, times);
}

const struct nonet_ranking nonet_kolem_ranking = {
    .index_size = index_size,
    .build_index = build_index,
    .large_index_size = large_index_size,
    .build_large_index = build_large_index,
    .tiers = tiers,
    .size = size,
    .rank = rank,
    .unrank = unrank,
    .material = material,
    .blocks = blocks,
    .runs = runs,
    .block_start = block_start,
    .max_exits = 1 << 18,
    .expand = expand,
    .predecessors = predecessors,
};
