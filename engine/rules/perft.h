/* Counting move sequences: the classic check of move generation. */
#ifndef NONET_RULES_PERFT_H
#define NONET_RULES_PERFT_H

#include "game.h"

/* The number of sequences of exactly `depth` moves from a state, ignoring draws by repetition. In a
 * wide game the workspace belongs to the state; in others it is null. False if there is not enough
 * memory. */
bool nonet_perft(const struct nonet_options *options, const void *state, const void *workspace,
                 int depth, uint64_t *count);

#endif
