#include "codec.h"

#include <assert.h>
#include <string.h>

/* A slot: the chance of a yes, and how often it was asked, up to a limit that keeps it learning. */
enum { CHANCE_BITS = 22, COUNT_BITS = 10, COUNT_MASK = (1 << COUNT_BITS) - 1, SLOT_BITS = 12 };
enum { SLOTS = NONET_CODEC_INPUTS * NONET_CODEC_SLOTS }; /* in total */
static_assert(1 << SLOT_BITS == NONET_CODEC_SLOTS, "a context finds a slot");

/* Tuned on the values of Kolem, Chasm, Quadrangle, Mix 3 and Trix. */
enum {
    LIMIT = 60,
    LIMIT_TRAINING = 255,
    TRUST = 4,    /* the count that a slot from the preface begins with */
    LEARNING = 2, /* how fast weights move */
    OWN_BITS = 7, /* bits of a key that are in its value's context */
};

/* Weights are parts of ONE. */
enum { ONE = 1 << 16, WEIGHT_MOST = 16 * ONE };
enum { SET_DIFFERS = NONET_CODEC_SETS - 2, SET_BITS, SET_NODES = SET_DIFFERS };

/* A slot's level in the preface if it was not worth writing. */
enum { UNTOUCHED = 0 };

int nonet_value_code(const struct nonet_value *value) {
    int size = value->has_margin ? value->margin : value->distance;
    if (value->outcome == NONET_DRAW)
        return value->has_margin && size != 0 ? -1 : 0;
    bool wins = value->outcome == NONET_WIN;
    if (value->has_margin && !wins)
        size = -size;
    int code = (wins ? 2 : 1) + 2 * size;
    return value->outcome > NONET_WIN || size < 0 || code > NONET_CODE_MAX ? -1 : code;
}

struct nonet_value nonet_value_of_code(int code, bool has_margin) {
    if (code == 0)
        return (struct nonet_value){.outcome = NONET_DRAW, .has_margin = has_margin};
    bool wins = code % 2 == 0;
    int16_t size = (int16_t)((code - 1) / 2);
    return (struct nonet_value){
        .outcome = wins ? NONET_WIN : NONET_LOSS,
        .has_margin = has_margin,
        .margin = (int16_t)(!has_margin ? 0
                            : wins      ? size
                                        : -size),
        .distance = has_margin ? 0 : size,
    };
}

/* 4096 / (1 + e^(-x / 256)): from log odds to a chance of 12 bits. */
static int squash(int x) {
    static const int16_t at[33] = {1,    2,    3,    6,    10,   16,   27,   45,   73,
                                   120,  194,  310,  488,  747,  1101, 1546, 2047, 2549,
                                   2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068,
                                   4079, 4085, 4089, 4092, 4093, 4094};
    if (x > 2047)
        return 4095;
    if (x < -2047)
        return 0;
    int part = x & 127, step = (x >> 7) + 16;
    return (at[step] * (128 - part) + at[step + 1] * part + 64) >> 7;
}

void nonet_codec_init(struct nonet_codec *codec, uint16_t state_size) {
    memset(codec, 0, sizeof *codec);
    codec->state_size = state_size;
    /* The inverse: from chances to log odds. */
    int chance = 0;
    for (int x = -2047; x <= 2047; x++)
        for (int end = squash(x); chance <= end; chance++)
            codec->stretch[chance] = (int16_t)x;
    for (; chance < 4096; chance++)
        codec->stretch[chance] = 2047;
    for (int x = -2047; x <= 2047; x++)
        codec->chance[x + 2048] = (int16_t)(squash(x) + (squash(x) == 0));
    for (int n = 0; n < 256; n++)
        codec->rate[n] = (uint16_t)(2 * ONE / (2 * n + 3));
}

/* A canonical prefix code: the leaves are in order, as far to the left as possible, and each depth
 * continues where the one before ended. They must use up the tree exactly. */
static bool grow_tree(struct nonet_codec *codec) {
    if (codec->symbols == 1)
        return codec->depth[0] == 0;
    int nodes = 1;
    memset(codec->child, 0, sizeof codec->child);
    for (int leaf = 0; leaf < codec->symbols; leaf++) {
        int depth = codec->depth[leaf];
        if (depth < 1 || depth > 32 || (leaf > 0 && depth < codec->depth[leaf - 1]))
            return false;
        /* The number of this leaf is the count of all before it, in units of its depth. */
        uint64_t number = 0;
        for (int before = 0; before < leaf; before++)
            number += (uint64_t)1 << (depth - codec->depth[before]);
        if (number >> depth != 0)
            return false;
        codec->path[leaf] = (uint32_t)number;
        int node = 0;
        for (int level = depth - 1; level >= 0; level--) {
            int side = number >> level & 1;
            if (level == 0) {
                codec->child[node][side] = (int16_t)~leaf;
            } else {
                if (codec->child[node][side] == 0) {
                    if (nodes == codec->symbols - 1)
                        return false;
                    codec->child[node][side] = (int16_t)nodes++;
                }
                node = codec->child[node][side];
                if (node < 0)
                    return false;
            }
        }
    }
    for (int node = 0; node < nodes; node++)
        if (codec->child[node][0] == 0 || codec->child[node][1] == 0)
            return false;
    return nodes == codec->symbols - 1;
}

/* A slot's level gives its first log odds, from 1 to 255. UNTOUCHED means even odds that the first
 * experience replaces. */
static void set_level(struct nonet_codec *codec, size_t slot, uint8_t level) {
    codec->level[slot] = level;
    codec->at_first.slot[slot] =
        level == UNTOUCHED ? 1u << 31 : (2 * (uint32_t)codec->chance[16 * level] + 1) << 19 | TRUST;
}

bool nonet_codec_complete(struct nonet_codec *codec) {
    if (codec->symbols < 1 || codec->symbols > NONET_CODEC_SYMBOLS || !grow_tree(codec))
        return false;
    for (int i = 0; i < codec->symbols; i++)
        if (codec->code[i] > NONET_CODE_MAX)
            return false;
    codec->bits = 0;
    for (int i = 0; i < 8 * codec->state_size; i++)
        if (codec->varying[i / 8] >> (7 - i % 8) & 1)
            codec->bit[codec->bits++] = (uint16_t)i;
    for (int set = 0; set < NONET_CODEC_SETS; set++)
        for (int i = 0; i < NONET_CODEC_INPUTS; i++)
            codec->at_first.weight[set][i] = ONE * 3 / 10;
    for (size_t slot = 0; slot < SLOTS; slot++)
        set_level(codec, slot, UNTOUCHED);
    return true;
}

static uint16_t load16(const unsigned char *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static void store16(unsigned char *bytes, unsigned value) {
    bytes[0] = (unsigned char)value;
    bytes[1] = (unsigned char)(value >> 8);
}

static int weight_level(int32_t weight) {
    return weight / 8 < INT16_MIN ? INT16_MIN : weight / 8 > INT16_MAX ? INT16_MAX : weight / 8;
}

bool nonet_codec_read(struct nonet_codec *codec, const unsigned char *bytes, size_t size) {
    const unsigned char *end = bytes + size;
    size_t keys = codec->state_size;
    size_t weights = 2 * NONET_CODEC_SETS * NONET_CODEC_INPUTS;
    if (size < 2)
        return false;
    codec->symbols = load16(bytes);
    bytes += 2;
    if (codec->symbols > NONET_CODEC_SYMBOLS ||
        size < 2 + 3 * (size_t)codec->symbols + keys + weights)
        return false;
    for (int i = 0; i < codec->symbols; i++, bytes += 3) {
        codec->code[i] = load16(bytes);
        codec->depth[i] = bytes[2];
    }
    memset(codec->varying, 0, sizeof codec->varying);
    memcpy(codec->varying, bytes, keys);
    bytes += keys;
    if (!nonet_codec_complete(codec))
        return false;
    for (int set = 0; set < NONET_CODEC_SETS; set++)
        for (int i = 0; i < NONET_CODEC_INPUTS; i++, bytes += 2)
            codec->at_first.weight[set][i] = 8 * (int16_t)load16(bytes);
    /* Slots that training touched, and how many untouched slots are between them. */
    size_t slot = 0;
    for (; bytes < end; bytes++) {
        for (; bytes + 1 < end && *bytes == UNTOUCHED; bytes += 2)
            slot += bytes[1];
        if (bytes == end || slot >= SLOTS)
            return false;
        set_level(codec, slot++, *bytes);
    }
    return true;
}

size_t nonet_codec_write(const struct nonet_codec *codec, unsigned char *bytes) {
    unsigned char *begin = bytes;
    store16(bytes, (unsigned)codec->symbols);
    bytes += 2;
    for (int i = 0; i < codec->symbols; i++, bytes += 3) {
        store16(bytes, codec->code[i]);
        bytes[2] = codec->depth[i];
    }
    memcpy(bytes, codec->varying, codec->state_size);
    bytes += codec->state_size;
    for (int set = 0; set < NONET_CODEC_SETS; set++)
        for (int i = 0; i < NONET_CODEC_INPUTS; i++, bytes += 2)
            store16(bytes, (unsigned)weight_level(codec->at_first.weight[set][i]));
    size_t skipped = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        if (codec->level[i] == UNTOUCHED) {
            skipped++;
            continue;
        }
        for (; skipped > 0; bytes += 2) {
            size_t part = skipped < 255 ? skipped : 255;
            bytes[0] = UNTOUCHED;
            bytes[1] = (unsigned char)part;
            skipped -= part;
        }
        *bytes++ = codec->level[i];
    }
    return (size_t)(bytes - begin);
}

/* One walk through a block. `bytes` is written when packing, else read. Both end at `end`; only
 * zeros are read after it. */
struct walk {
    const struct nonet_codec *codec;
    struct nonet_codec_model *model;
    unsigned limit;
    uint32_t low, high, code;
    const unsigned char *in, *end;
    unsigned char *out;
    bool full;
};

static inline unsigned slot_of(uint32_t context) {
    return context * 0x9e3779b1u >> (32 - SLOT_BITS);
}

/* Codes one decision under these contexts. `yes` is given when packing, returned when unpacking. */
static inline __attribute__((always_inline)) bool decide(struct walk *walk, bool packing,
                                                         const uint32_t context[NONET_CODEC_INPUTS],
                                                         unsigned set, bool yes) {
    const struct nonet_codec *codec = walk->codec;
    uint32_t *slot[NONET_CODEC_INPUTS];
    int guess[NONET_CODEC_INPUTS];
    int32_t *weight = walk->model->weight[set];
    int64_t sum = 0;
    for (int i = 0; i < NONET_CODEC_INPUTS; i++) {
        slot[i] = &walk->model->slot[i * NONET_CODEC_SLOTS + (int)slot_of(context[i])];
        guess[i] = codec->stretch[*slot[i] >> 20];
        sum += (int64_t)guess[i] * weight[i];
    }
    int64_t odds = sum >> 16;
    odds = odds > 2047 ? 2047 : odds < -2047 ? -2047 : odds;
    int chance = codec->chance[odds + 2048];

    uint32_t middle = walk->low + ((walk->high - walk->low) >> 12) * (uint32_t)chance;
    if (!packing)
        yes = walk->code <= middle;
    if (yes)
        walk->high = middle;
    else
        walk->low = middle + 1;
    while (((walk->low ^ walk->high) & 0xff000000) == 0) {
        if (packing) {
            if (walk->out == walk->end)
                walk->full = true;
            else
                *walk->out++ = (unsigned char)(walk->high >> 24);
        } else {
            walk->code = walk->code << 8 | (walk->in == walk->end ? 0u : *walk->in++);
        }
        walk->low <<= 8;
        walk->high = walk->high << 8 | 255;
    }

    int error = ((yes << 12) - chance) * LEARNING;
    for (int i = 0; i < NONET_CODEC_INPUTS; i++) {
        int32_t moved = weight[i] + ((guess[i] * error + 512) >> 10);
        weight[i] = moved > WEIGHT_MOST ? WEIGHT_MOST : moved < -WEIGHT_MOST ? -WEIGHT_MOST : moved;
        uint32_t count = *slot[i] & COUNT_MASK, known = *slot[i] >> COUNT_BITS;
        int64_t short_of = (yes ? (1 << CHANCE_BITS) - 1 : 0) - (int64_t)known;
        known += (uint32_t)(short_of * codec->rate[count] >> 16);
        *slot[i] = known << COUNT_BITS | (count + (count < walk->limit));
    }
    return yes;
}

/* Contexts of different kinds of decisions begin at different numbers, so that they rarely share a
 * slot. */
#define DIFFERS 0x40000000u
#define BITS 0x50000000u

static inline bool bit_at(const unsigned char *key, int bit) {
    return key[bit / 8] >> (7 - bit % 8) & 1;
}

/* A key, which is greater than the one before: the first bit that differs, then those after it. */
static inline __attribute__((always_inline)) int walk_key(struct walk *walk, bool packing,
                                                          const unsigned char *before,
                                                          unsigned char *key, int lately) {
    const struct nonet_codec *codec = walk->codec;
    int differs = 0;
    if (packing)
        while (differs < codec->bits - 1 &&
               bit_at(key, codec->bit[differs]) == bit_at(before, codec->bit[differs]))
            differs++;
    int levels = 1;
    while (codec->bits >> levels != 0)
        levels++;
    uint32_t node = 1;
    for (int level = levels - 1; level >= 0; level--) {
        uint32_t context[NONET_CODEC_INPUTS] = {
            DIFFERS + node,
            DIFFERS + node * 4096 + (uint32_t)lately,
            DIFFERS + node * 256 + before[codec->state_size - 1],
            DIFFERS + node * 4096 + (uint32_t)lately,
            DIFFERS + node,
        };
        bool side = decide(walk, packing, context, SET_DIFFERS, differs >> level & 1);
        node = node * 2 + side;
    }
    differs = (int)(node - (1u << levels));
    if (differs >= codec->bits)
        differs = codec->bits - 1; /* only in a block that is damaged or forged */
    if (!packing)
        memcpy(key, before, codec->state_size);
    if (differs < 0)
        return 0;
    int at = codec->bit[differs];
    if (!packing)
        key[at / 8] |= (unsigned char)(0x80 >> at % 8);
    /* Bits after the difference. */
    unsigned ones = 0;
    for (int i = 0; i <= differs; i++)
        ones += bit_at(key, codec->bit[i]);
    for (int i = differs + 1; i < codec->bits; i++) {
        at = codec->bit[i];
        int byte = at / 8, shift = 7 - at % 8;
        uint32_t so_far = (uint32_t)(key[byte] >> shift >> 1 | 0x100 >> (shift + 1));
        uint32_t behind = 0;
        /* The same bit of earlier bytes: sets of cells that exclude each other are two, four or
         * eight bytes apart. */
        for (int back = 1; back <= 8; back *= 2)
            behind = behind * 2 + (byte >= back ? key[byte - back] >> shift & 1 : 0);
        uint32_t place = (uint32_t)at << 16;
        uint32_t one_before = byte > 0 ? key[byte - 1] : 0,
                 two_before = byte > 1 ? key[byte - 2] : 0;
        uint32_t context[NONET_CODEC_INPUTS] = {
            BITS + place + so_far,
            BITS + place + behind * 256 + ones,
            BITS + place + ones * 256 + so_far,
            BITS + place * 3 + so_far * 256 + one_before,
            BITS + place * 3 + (so_far * 256 + two_before) * 16 + behind,
        };
        bool one = decide(walk, packing, context, SET_BITS, key[byte] >> shift & 1);
        if (!packing)
            key[byte] = (unsigned char)((key[byte] & ~(1 << shift)) | one << shift);
        ones += one;
    }
    return differs;
}

static inline __attribute__((always_inline)) void
walk_block(struct walk *walk, bool packing, unsigned char *keys, uint16_t *leaves, size_t count) {
    const struct nonet_codec *codec = walk->codec;
    walk->low = 0;
    walk->high = UINT32_MAX;
    for (int i = 0; !packing && i < 4; i++)
        walk->code = walk->code << 8 | (walk->in == walk->end ? 0u : *walk->in++);
    uint32_t last = 0, second = 0, third = 0, fourth = 0, run = 0;
    int differs = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t own = 0;
        if (codec->state_size > 0) {
            unsigned char *key = keys + i * codec->state_size;
            if (i > 0)
                differs = walk_key(walk, packing, key - codec->state_size, key, differs);
            for (int b = codec->bits > OWN_BITS ? codec->bits - OWN_BITS : 0; b < codec->bits; b++)
                own = own * 2 + bit_at(key, codec->bit[b]);
        }
        uint32_t length = run < 4     ? run
                          : run < 8   ? 4
                          : run < 16  ? 5
                          : run < 32  ? 6
                          : run < 256 ? 7
                                      : 8;
        uint32_t base[NONET_CODEC_INPUTS] = {
            last * 512,
            (last * 512 + second) * 512,
            ((last * 16 + length) * 512 + third) * 512,
            (fourth * 512 + last) * 512,
            codec->state_size > 0 ? (own * 512 + last) * 512 : (second * 512 + third) * 512,
        };
        uint32_t now = packing ? leaves[i] : 0;
        int node = codec->symbols > 1 ? 0 : ~0;
        for (int level = codec->depth[now] - 1; node >= 0; level--) {
            uint32_t context[NONET_CODEC_INPUTS];
            for (int k = 0; k < NONET_CODEC_INPUTS; k++)
                context[k] = base[k] + (uint32_t)node * 0x01000193u;
            bool side = packing ? codec->path[now] >> level & 1 : false;
            side = decide(walk, packing, context,
                          (unsigned)(node < SET_NODES ? node : SET_NODES - 1), side);
            node = codec->child[node][side];
        }
        now = (uint32_t)~node;
        leaves[i] = (uint16_t)now;
        run = now == last ? run + 1 : 0;
        fourth = third;
        third = second;
        second = last;
        last = now;
    }
}

void nonet_codec_unpack(const struct nonet_codec *codec, struct nonet_codec_model *model,
                        const unsigned char *bytes, size_t size, unsigned char *keys,
                        uint16_t *codes, size_t count) {
    *model = codec->at_first;
    struct walk walk = {
        .codec = codec, .model = model, .limit = LIMIT, .in = bytes, .end = bytes + size};
    walk_block(&walk, false, keys, codes, count);
    for (size_t i = 0; i < count; i++)
        codes[i] = codec->code[codes[i]];
}

size_t nonet_codec_room(const struct nonet_codec *codec, size_t count) {
    /* A decision costs at most 12 bits, plus rounding. A key has one decision for every bit, and
     * those for the first bit that differs. */
    size_t decisions = (size_t)(codec->depth[codec->symbols - 1] + codec->bits + 12);
    return 2 * count * decisions + 16;
}

size_t nonet_codec_pack(const struct nonet_codec *codec, struct nonet_codec_model *model,
                        enum nonet_codec_learning learning, const unsigned char *keys,
                        uint16_t *leaves, size_t count, unsigned char *bytes, size_t room) {
    struct walk walk = {.codec = codec,
                        .model = model,
                        .limit = learning == NONET_LEARN_ALL ? LIMIT_TRAINING : LIMIT,
                        .out = bytes,
                        .end = bytes + room};
    if (learning == NONET_LEARN_NOTHING)
        *model = codec->at_first;
    else if (learning == NONET_LEARN_WEIGHTS)
        memcpy(model->slot, codec->at_first.slot, sizeof model->slot);
    walk_block(&walk, true, (unsigned char *)keys, leaves, count);
    /* The first bytes of low and high differ, so one more byte, followed only by zeros, is between
     * them. */
    if (walk.low != 0 && walk.out < walk.end)
        *walk.out++ = (unsigned char)((walk.low + 0xffffff) >> 24);
    else if (walk.low != 0)
        walk.full = true;
    return walk.full ? SIZE_MAX : (size_t)(walk.out - bytes);
}

void nonet_codec_learnt(struct nonet_codec *codec, const struct nonet_codec_model *model,
                        enum nonet_codec_learning learning, unsigned least) {
    for (size_t i = 0; learning == NONET_LEARN_ALL && i < SLOTS; i++) {
        uint32_t slot = model->slot[i];
        int near = (codec->stretch[slot >> 20] + 2048 + 8) / 16;
        near = near < 1 ? 1 : near > 255 ? 255 : near;
        set_level(codec, i, (slot & COUNT_MASK) < least ? UNTOUCHED : (uint8_t)near);
    }
    for (int set = 0; set < NONET_CODEC_SETS; set++)
        for (int i = 0; i < NONET_CODEC_INPUTS; i++)
            codec->at_first.weight[set][i] = 8 * weight_level(model->weight[set][i]);
}
