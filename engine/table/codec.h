/* How the entries of a table are packed: an adaptive binary arithmetic coder.
 *
 * A table is divided into chapters, and a chapter into blocks. Any block can be unpacked by itself,
 * once the preface of its chapter has been read. The preface holds what all its blocks have in
 * common: which value codes occur, which bits of the states vary, and what to expect at first.
 *
 * Every value is written as a few yes-or-no decisions, each coded with the probability that it had
 * in similar places. Five contexts, made of the values before it and of its own key, give five
 * predictions. These are mixed by weights that learn (as in the PAQ family of archivers). What was
 * expected costs a hundredth of a bit. The coder uses only integers, so that every machine unpacks
 * the same.
 *
 * The bytes are described in docs/tables.md. Packing and unpacking are in one place because they
 * are the same walk through the model. */
#ifndef NONET_TABLE_CODEC_H
#define NONET_TABLE_CODEC_H

#include "../rules/game.h"
#include "../rules/values.h"

enum {
    NONET_CODE_MAX = 4095,     /* the greatest code, so no distance or margin exceeds 2046 */
    NONET_CODEC_SYMBOLS = 512, /* different codes in a chapter */
    NONET_CODEC_INPUTS = 5,
    NONET_CODEC_SLOTS = 1 << 12,
    NONET_CODEC_SETS = 64,
    NONET_CODEC_MAX_ENTRIES = 1 << 16, /* in a block */
    NONET_CODEC_MAX_KEYS = 1 << 12,    /* in a block of states */
    /* The longest preface. */
    NONET_CODEC_PREFACE = 4 + 3 * NONET_CODEC_SYMBOLS + NONET_STATE_MAX +
                          2 * NONET_CODEC_SETS * NONET_CODEC_INPUTS +
                          NONET_CODEC_INPUTS * NONET_CODEC_SLOTS * 2,
};

/* The value as a number: 0 for a draw, else 1 + 2n for a loss and 2 + 2n for a win, where n is the
 * distance or the margin in points. -1 for a value that contradicts itself or is too large. */
int nonet_value_code(const struct nonet_value *value);
struct nonet_value nonet_value_of_code(int code, bool has_margin);

/* The part that learns: the chance of each decision in each context, and the weight of each
 * prediction. */
struct nonet_codec_model {
    uint32_t slot[NONET_CODEC_INPUTS * NONET_CODEC_SLOTS]; /* 22 bits of chance, 10 of count */
    int32_t weight[NONET_CODEC_SETS][NONET_CODEC_INPUTS];
};

/* A chapter's preface, and what follows from it. */
struct nonet_codec {
    uint16_t state_size; /* of the keys, or 0 if there are none */
    int symbols;
    uint16_t code[NONET_CODEC_SYMBOLS];     /* in the order of the tree's leaves */
    uint8_t depth[NONET_CODEC_SYMBOLS];     /* of each leaf, rising */
    uint32_t path[NONET_CODEC_SYMBOLS];     /* to each leaf, the last decision in the lowest bit */
    int16_t child[NONET_CODEC_SYMBOLS][2];  /* the tree of decisions: a node, or ~leaf */
    unsigned char varying[NONET_STATE_MAX]; /* bits that are not the same in all states */
    uint16_t bit[8 * NONET_STATE_MAX];      /* their numbers, the first byte's highest first */
    int bits;
    uint8_t level[NONET_CODEC_INPUTS * NONET_CODEC_SLOTS]; /* of the slots, as it is written */
    struct nonet_codec_model at_first;
    /* Constants, computed once. */
    int16_t stretch[4096], chance[4096];
    uint16_t rate[256];
};

/* Computes the constants. */
void nonet_codec_init(struct nonet_codec *codec, uint16_t state_size);

/* Completes a codec whose symbols, depths and varying bits are set; false if they do not fit
 * together. `at_first` starts without knowledge. */
bool nonet_codec_complete(struct nonet_codec *codec);

/* Reads a preface; false if it is not one. */
bool nonet_codec_read(struct nonet_codec *codec, const unsigned char *bytes, size_t size);
/* Writes it; returns its size. */
size_t nonet_codec_write(const struct nonet_codec *codec, unsigned char *bytes);

/* Unpacks `count` entries of a block. If there are keys, `keys` gets the states; the first state
 * must already be there. `model` is working memory. */
void nonet_codec_unpack(const struct nonet_codec *codec, struct nonet_codec_model *model,
                        const unsigned char *bytes, size_t size, unsigned char *keys,
                        uint16_t *codes, size_t count);

enum nonet_codec_learning {
    NONET_LEARN_NOTHING, /* packs a block: the model begins from `at_first` */
    NONET_LEARN_WEIGHTS, /* the weights continue from the block before */
    NONET_LEARN_ALL      /* and so do the slots */
};

/* Room in which any `count` entries can be packed. */
size_t nonet_codec_room(const struct nonet_codec *codec, size_t count);

/* Packs the entries, given as numbers of leaves. Returns the size, at most `room`, or SIZE_MAX if
 * that is not enough. */
size_t nonet_codec_pack(const struct nonet_codec *codec, struct nonet_codec_model *model,
                        enum nonet_codec_learning learning, const unsigned char *keys,
                        uint16_t *leaves, size_t count, unsigned char *bytes, size_t room);

/* Makes all blocks begin with what a model has learnt, rounded as it will be written: the weights,
 * or all. Slots that were asked less often than `least` keep the state of a codec without
 * knowledge. */
void nonet_codec_learnt(struct nonet_codec *codec, const struct nonet_codec_model *model,
                        enum nonet_codec_learning learning, unsigned least);

#endif
