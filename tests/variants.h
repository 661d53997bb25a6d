/* Every game with every combination of its options, for tests that must hold for all of them. */
#ifndef NONET_TESTS_VARIANTS_H
#define NONET_TESTS_VARIANTS_H

#include "rules/game.h"
#include "rules/session.h"

enum { MOST_VARIANTS = 64 };

/* The variants of one game: each choice, several sizes, a deal from `seed`; no swap. Returns how
 * many. */
int variants_of(const struct nonet_game *game, uint64_t seed,
                struct nonet_options variants[MOST_VARIANTS]);

/* Those of two players again, with the swap rule; none for a game that has no such option. */
int swap_variants_of(const struct nonet_game *game, struct nonet_options variants[MOST_VARIANTS]);

/* The options of a canonical string such as "chasm:players=3"; nothing is dealt. */
struct nonet_options options_of(const char *name);

/* A session of such a string, dealt from `seed`. */
struct nonet_session *session_of(const char *name, uint64_t seed);

/* A move that must be legal. */
void play(struct nonet_session *session, nonet_move move);

/* The canonical string of a variant, in a static buffer. */
const char *variant_name(const struct nonet_options *options);

/* A workspace for a wide game, or null for others; freed by free(). */
void *new_workspace(const struct nonet_game *game);

/* Legal moves of a position: all of them, or a sample of a wide game's. */
enum { MOST_SAMPLED = 24 };
struct legal {
    int count;
    nonet_move moves[NONET_MAX_MOVES];
};
struct nonet_random;
nonet_move random_move(const struct nonet_session *session, struct nonet_random *random);
void list_legal(const struct nonet_options *options, const void *state, const void *workspace,
                struct nonet_random *random, struct legal *legal);

#endif
