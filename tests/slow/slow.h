/* Slow, obvious models of the games, written from the rules alone and sharing nothing with the
 * engine but the parsed options. tests/slow.c plays random games and compares the two at every ply.
 */
#ifndef NONET_TESTS_SLOW_H
#define NONET_TESTS_SLOW_H

#include "rules/game.h"

struct slow_model {
    const char *id;
    size_t size; /* of the model's state */
    void (*start)(const struct nonet_options *options, void *model);
    /* Whose turn it is, or 0 when the game is over (draws by repetition aside). */
    int (*turn)(const struct nonet_options *options, const void *model);
    /* The texts of all legal moves, in any order; returns how many. Null in a wide game. */
    int (*legal)(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]);
    /* Wide games instead: whether this one is legal. */
    bool (*is_legal)(const struct nonet_options *options, const void *model, const char *move);
    void (*play)(const struct nonet_options *options, void *model, const char *move);
    /* Winners and points of a finished game; `reason` is not compared. */
    void (*result)(const struct nonet_options *options, const void *model,
                   struct nonet_result *result);
};

#endif
