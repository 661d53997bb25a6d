#include "fingerprint.h"

#include <string.h>

#include "../base/hash.h"
#include "../base/random.h"
#include "../rules/ranking.h"

enum { WALK = 64 }; /* positions to look at, from random games */

/* The walk must never change; which walk it is does not matter. */
static const uint64_t seed = 20261115;

static uint64_t join(uint64_t sum, uint64_t hash) {
    uint64_t both[2] = {sum, hash};
    return nonet_hash_words(both, sizeof both);
}

/* The canonical forms of positions of random games. */
static uint64_t walk(const struct nonet_options *options, struct nonet_random *random) {
    const struct nonet_game *game = options->game;
    uint64_t sum = 0;
    struct nonet_state state, canonical;
    nonet_move moves[NONET_MAX_MOVES];
    game->start(options, &state, NULL);
    for (int i = 0; i < WALK; i++) {
        nonet_canonical(options, &state, &canonical);
        sum = join(sum, nonet_hash(&canonical, game->state_size));
        int count = game->moves(options, &state, moves);
        if (count == 0)
            game->start(options, &state, NULL);
        else
            game->play(options, &state, NULL, moves[nonet_random_below(random, (uint32_t)count)]);
    }
    return sum;
}

/* A position of each tier: random games do not reach all of them. */
static uint64_t sample(const struct nonet_options *options, const void *index,
                       struct nonet_random *random, uint64_t sum) {
    const struct nonet_ranking *ranking = options->game->ranking;
    int tiers = ranking->tiers(options);
    for (int tier = 0; tier < tiers; tier++) {
        uint64_t size = ranking->size(options, index, tier), number = nonet_random_next(random);
        sum = join(sum, nonet_hash_words(&size, sizeof size));
        if (size == 0)
            continue;
        struct nonet_state state;
        memset(&state, 0, sizeof state);
        ranking->unrank(options, index, tier, number % size, &state);
        sum = join(sum, nonet_hash(&state, options->game->state_size));
        /* If several numbers stand for a position, this says which one is its own. */
        ranking->rank(options, index, &state, &number);
        sum = join(sum, nonet_hash_words(&number, sizeof number));
    }
    return sum;
}

uint64_t nonet_table_fingerprint(const struct nonet_options *options, const void *index) {
    struct nonet_random random = {seed};
    uint64_t sum = walk(options, &random);
    return index == NULL ? sum : sample(options, index, &random, sum);
}
