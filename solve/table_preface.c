#include "table_preface.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 24, SAMPLE = 1 << 20, KEEP = 64 };

/* The depths of the leaves by Huffman's method, in quadratic time, because there are few. */
static int deepest(const uint64_t *counts, uint8_t *depth, int symbols) {
    uint64_t weight[NONET_CODEC_SYMBOLS];
    int group[NONET_CODEC_SYMBOLS];
    for (int i = 0; i < symbols; i++) {
        weight[i] = counts[i];
        group[i] = i;
        depth[i] = 0;
    }
    int most = 0;
    for (int round = 1; round < symbols; round++) {
        /* The two lightest groups become one, under the name of the first. */
        int light[2] = {-1, -1};
        for (int i = 0; i < symbols; i++) {
            if (group[i] != i)
                continue;
            if (light[0] < 0 || weight[i] < weight[light[0]]) {
                light[1] = light[0];
                light[0] = i;
            } else if (light[1] < 0 || weight[i] < weight[light[1]]) {
                light[1] = i;
            }
        }
        weight[light[0]] += weight[light[1]];
        for (int i = 0; i < symbols; i++)
            if (group[i] == light[0] || group[i] == light[1]) {
                group[i] = light[0];
                depth[i]++;
                most = depth[i] > most ? depth[i] : most;
            }
    }
    return most;
}

struct symbol {
    uint16_t code;
    uint8_t depth;
};

static int by_depth(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    return x->depth != y->depth ? x->depth - y->depth : x->code - y->code;
}

static bool find_symbols(struct nonet_codec *codec, uint16_t *codes, size_t count) {
    uint64_t seen[NONET_CODE_MAX + 1] = {0}, counts[NONET_CODEC_SYMBOLS];
    for (size_t i = 0; i < count; i++)
        seen[codes[i]]++;
    struct symbol symbols[NONET_CODEC_SYMBOLS];
    uint8_t depth[NONET_CODEC_SYMBOLS];
    int number = 0;
    for (int code = 0; code <= NONET_CODE_MAX; code++) {
        if (seen[code] == 0)
            continue;
        if (number == NONET_CODEC_SYMBOLS)
            return false;
        symbols[number].code = (uint16_t)code;
        counts[number++] = seen[code];
    }
    while (deepest(counts, depth, number) > DEEPEST)
        for (int i = 0; i < number; i++)
            counts[i] = counts[i] / 2 + 1;
    for (int i = 0; i < number; i++)
        symbols[i].depth = depth[i];
    qsort(symbols, (size_t)number, sizeof symbols[0], by_depth);
    uint16_t leaf[NONET_CODE_MAX + 1];
    codec->symbols = number;
    for (int i = 0; i < number; i++) {
        codec->code[i] = symbols[i].code;
        codec->depth[i] = symbols[i].depth;
        leaf[symbols[i].code] = (uint16_t)i;
    }
    for (size_t i = 0; i < count; i++)
        codes[i] = leaf[codes[i]];
    return true;
}

bool table_preface(struct nonet_codec *codec, struct nonet_codec_model *model,
                   const unsigned char *keys, uint16_t *codes, size_t count, size_t block) {
    if (!find_symbols(codec, codes, count))
        return false;
    memset(codec->varying, 0, sizeof codec->varying);
    for (size_t i = 1; keys != NULL && i < count; i++)
        for (size_t k = 0; k < codec->state_size; k++)
            codec->varying[k] |= (unsigned char)(keys[i * codec->state_size + k] ^ keys[k]);
    if (!nonet_codec_complete(codec))
        return false;
    /* Learns from blocks spread over the chapter: first the slots, then with these the weights.
     * Writing rounds what was learnt. */
    size_t blocks = (count + block - 1) / block, step = count / SAMPLE + 1;
    unsigned char nothing;
    *model = codec->at_first;
    for (int round = 0; round < 2; round++) {
        enum nonet_codec_learning learning = round == 0 ? NONET_LEARN_ALL : NONET_LEARN_WEIGHTS;
        for (size_t i = step / 2; i < blocks; i += step) {
            size_t from = i * block, size = count - from < block ? count - from : block;
            nonet_codec_pack(codec, model, learning,
                             keys == NULL ? NULL : keys + from * codec->state_size, codes + from,
                             size, &nothing, 0);
        }
        nonet_codec_learnt(codec, model, learning, KEEP);
    }
    return true;
}
