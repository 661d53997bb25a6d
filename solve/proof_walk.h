/* Checks the proof of a bound on the margin of a game with points, by walking through it.
 *
 * A proof is for one side, which claims that it can reach some score whatever the other does. The
 * walk begins at the first position. Where the other side is to move, it looks at all moves. Where
 * the prover is to move, a number says what to do: 0 that the position is a leaf, which the walk
 * must settle by itself, and n that the n-th move proves it. A leaf is settled by a plain search
 * that looks at the moves of no more than `limit` positions. Everything ends at positions that the
 * game's result, or its bounds, settle. A position that was proved before is not looked at again;
 * symmetric ones are the same.
 *
 * The numbers come from a certificate, or from whoever writes one. So what is written has been
 * checked. The walk shares only the contract with the search that found the proof. It believes
 * nothing: wrong numbers make it fail, and cannot make it succeed. */
#ifndef NONET_SOLVE_PROOF_WALK_H
#define NONET_SOLVE_PROOF_WALK_H

#include "base/siphash.h"
#include "base/text.h"
#include "budget.h"
#include "rules/game.h"

/* What is claimed: player 1's score (nonet_value_signed) is at least `goal`, or it is less. */
struct proof_claim {
    int goal;
    bool at_least;
};

/* What the walk asks for. Below 0: stop. The moves are those that the bounds leave open, in the
 * order in which the n of "the n-th move" counts. */
struct proof_walk;
typedef int proof_choose(void *context, const struct proof_walk *walk, const void *state,
                         const nonet_move *moves, int count);

struct proof_walk {
    const struct nonet_options *options;
    struct proof_claim claim;
    uint64_t limit; /* positions of the search at a leaf */
    proof_choose *choose;
    void *context;
    struct budget *budget;
    struct nonet_siphash_key key[2]; /* secret, as numbers may come from strangers */
    /* What it counts: positions where it asked for a number, leaves among them, and positions whose
     * moves it looked at. */
    uint64_t choices, leaves, positions;
    int depth, last; /* of the position asked about, and the number given last */
    /* Positions that are proved, under two keyed hashes. */
    struct proof_seen *seen;
    uint64_t seen_room, seen_count;
    struct proof_step *steps, *leaf_steps; /* the path from the first position, and below a leaf */
};

/* Whether there are such proofs: in a game of two players in turn with points and bounds on them.
 */
bool proof_applies(const struct nonet_options *options);

/* Whether the walk proves the claim. If not, `why` says where it fails. The fields up to the keys
 * must be set, and the rest be 0. */
bool proof_walk(struct proof_walk *walk, struct nonet_text *why);

/* For who gives the numbers: whether this position may be a leaf, and the position after a move. */
bool proof_walk_settles(const struct proof_walk *walk, const void *state);
void proof_walk_play(const struct proof_walk *walk, const void *state, nonet_move move,
                     struct nonet_state *after);

#endif
