#include "proof_coder.h"

#include <stdlib.h>

/* A chance is of "yes", in 65536ths. It moves by a 32nd towards what was decided, so that it never
 * reaches 0 or 1. */
enum { EVEN = 1 << 15, SHIFT = 5 };

static void model_begin(struct proof_model *model) {
    for (int context = 0; context < PROOF_CONTEXTS; context++)
        for (int i = 0; i <= PROOF_NUMBER_BITS; i++)
            model->length[context][i] = EVEN;
    for (int i = 0; i < 1 << PROOF_NUMBER_BITS; i++)
        model->bit[i] = EVEN;
}

/* Divides the interval from low to high by the chance: the lower part is "yes". */
static uint32_t divide(uint32_t low, uint32_t high, uint16_t chance) {
    return low + (uint32_t)((uint64_t)(high - low) * chance >> 16);
}

static void adapt(uint16_t *chance, bool yes) {
    if (yes)
        *chance = (uint16_t)(*chance + ((65536 - *chance) >> SHIFT));
    else
        *chance = (uint16_t)(*chance - (*chance >> SHIFT));
}

/* --- Packing --- */

void proof_packer_begin(struct proof_packer *packer) {
    *packer = (struct proof_packer){.high = UINT32_MAX};
    model_begin(&packer->model);
}

static void add_byte(struct proof_packer *packer, unsigned char byte) {
    if (packer->size == packer->room) {
        size_t room = packer->room == 0 ? 4096 : 2 * packer->room;
        unsigned char *larger = realloc(packer->bytes, room);
        packer->failed |= larger == NULL;
        if (packer->failed)
            return;
        packer->bytes = larger;
        packer->room = room;
    }
    packer->bytes[packer->size++] = byte;
}

static void pack_decision(struct proof_packer *packer, uint16_t *chance, bool yes) {
    uint32_t middle = divide(packer->low, packer->high, *chance);
    if (yes)
        packer->high = middle;
    else
        packer->low = middle + 1;
    adapt(chance, yes);
    while ((packer->low ^ packer->high) >> 24 == 0) {
        add_byte(packer, (unsigned char)(packer->high >> 24));
        packer->low <<= 8;
        packer->high = packer->high << 8 | 0xff;
    }
}

void proof_pack(struct proof_packer *packer, int context, int number) {
    struct proof_model *model = &packer->model;
    int length = 0;
    while (number >> length != 0)
        length++;
    for (int i = 0; i < length; i++)
        pack_decision(packer, &model->length[context][i], true);
    if (length < PROOF_NUMBER_BITS)
        pack_decision(packer, &model->length[context][length], false);
    for (int i = length - 2; i >= 0; i--)
        pack_decision(packer, &model->bit[number >> (i + 1)], number >> i & 1);
}

void proof_packer_end(struct proof_packer *packer) {
    for (int i = 0; i < 4; i++) {
        add_byte(packer, (unsigned char)(packer->low >> 24));
        packer->low <<= 8;
    }
}

/* --- Unpacking --- */

static unsigned char take_byte(struct proof_unpacker *unpacker) {
    size_t at = unpacker->at++;
    return at < unpacker->size ? unpacker->bytes[at] : 0;
}

void proof_unpacker_begin(struct proof_unpacker *unpacker, const unsigned char *bytes,
                          size_t size) {
    *unpacker = (struct proof_unpacker){.high = UINT32_MAX, .bytes = bytes, .size = size};
    model_begin(&unpacker->model);
    for (int i = 0; i < 4; i++)
        unpacker->code = unpacker->code << 8 | take_byte(unpacker);
}

static bool unpack_decision(struct proof_unpacker *unpacker, uint16_t *chance) {
    uint32_t middle = divide(unpacker->low, unpacker->high, *chance);
    bool yes = unpacker->code <= middle;
    if (yes)
        unpacker->high = middle;
    else
        unpacker->low = middle + 1;
    adapt(chance, yes);
    while ((unpacker->low ^ unpacker->high) >> 24 == 0) {
        unpacker->low <<= 8;
        unpacker->high = unpacker->high << 8 | 0xff;
        unpacker->code = unpacker->code << 8 | take_byte(unpacker);
    }
    return yes;
}

int proof_unpack(struct proof_unpacker *unpacker, int context) {
    struct proof_model *model = &unpacker->model;
    int length = 0, number = 1;
    while (length < PROOF_NUMBER_BITS && unpack_decision(unpacker, &model->length[context][length]))
        length++;
    if (length == 0)
        return 0;
    for (int i = length - 2; i >= 0; i--)
        number = number << 1 | unpack_decision(unpacker, &model->bit[number]);
    return number;
}

bool proof_unpacker_is_done(const struct proof_unpacker *unpacker) {
    return unpacker->at == unpacker->size;
}
