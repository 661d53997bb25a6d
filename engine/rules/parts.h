/* For searches of a wide game that falls apart into independent parts: the moves that are left,
 * without state and workspace.
 *
 * Two players move in turn, a player who cannot move has lost, and a move does nothing except
 * forbid other moves. A part is a block of bytes, aligned to 8, that holds moves; equal sets of
 * moves are equal bytes. */
#ifndef NONET_RULES_PARTS_H
#define NONET_RULES_PARTS_H

#include "game.h"

struct nonet_random; /* base/random.h */

/* A rough picture of what is left, on which very many moves can be tried in little time. It tells
 * how long the game will be, and proves nothing. A game that offers it must have all members: they
 * are REQUIRED. */
struct nonet_sketch {
    size_t size; /* in bytes */
    void (*draw)(const struct nonet_options *options, const void *workspace, void *sketch);
    /* How many moves random games would make after this move, in hundredths: a rough number, on the
     * careful side for a player who wants few moves (`wasting`), or many. */
    int (*look)(const void *sketch, nonet_move move, bool wasting);
    /* Plays on after a move: `wasting` says whether the player who made it wants few moves. The
     * other player wants many. Returns how many moves are made, at most `limit`. */
    int (*playout)(const void *sketch, nonet_move move, int limit, bool wasting,
                   struct nonet_random *random);
    /* A move that is similar to another one. It need not be legal. */
    nonet_move (*vary)(nonet_move move, struct nonet_random *random);
};

/* A game that offers this must have all members, they are REQUIRED; except `sketch`. */
struct nonet_parts {
    /* How many moves can still be made, regardless of the room for them. */
    int (*limit)(const struct nonet_options *options, const void *state);
    /* All moves of the workspace as one part. False if they take more than `room` bytes. */
    bool (*gather)(const struct nonet_options *options, const void *workspace, void *part,
                   size_t room);
    size_t (*size)(const void *part); /* in bytes */
    uint32_t (*count)(const void *part);
    /* The index-th move of a part in a fixed order, index < count. */
    nonet_move (*nth)(const void *part, uint32_t index);
    bool (*contains)(const void *part, nonet_move move);
    /* What is left of a part after a move. False if that takes more than `room` bytes. */
    bool (*play)(const void *part, nonet_move move, void *left, size_t room);
    /* The others: what a move forbids, itself included if it is in the part. */
    bool (*forbidden)(const void *part, nonet_move move, void *struck, size_t room);
    /* Divides a part into independent parts: no move of one forbids a move of another. They are
     * stored one after the other. Returns how many there are, or 0 if there is not enough room. */
    int (*split)(const void *part, void *parts, size_t room);
    /* True only if every move of the part forbids all others, so that exactly one will be made. */
    bool (*is_single)(const void *part);
    /* How many moves to expect in a part that is not single, in hundredths. */
    int (*expected)(const void *part);
    /* OPTIONAL, by default null: there is no rough picture. */
    const struct nonet_sketch *sketch;
};

#endif
