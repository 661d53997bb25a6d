/* Makes the preface of a chapter of a table from its entries; engine/table/codec.h needs it to pack
 * them well. */
#ifndef NONET_SOLVE_TABLE_PREFACE_H
#define NONET_SOLVE_TABLE_PREFACE_H

#include "table/codec.h"

/* Sets everything in `codec`, after nonet_codec_init, for `count` > 0 entries that will be packed
 * in blocks of `block`. `keys` may be null in a ranked table. Replaces the codes by the numbers of
 * their leaves. False if there are more than NONET_CODEC_SYMBOLS different codes. */
bool table_preface(struct nonet_codec *codec, struct nonet_codec_model *model,
                   const unsigned char *keys, uint16_t *codes, size_t count, size_t block);

#endif
