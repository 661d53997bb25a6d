/* A position of a game with hidden information as a small game of two players with types: the tree
 * of everything that can be played from there in public. A type is what a seat knows and the other
 * does not. All worlds that are possible to the public are equally likely at first. */
#ifndef NONET_BENCH_PUBLIC_TREE_H
#define NONET_BENCH_PUBLIC_TREE_H

#include "bayes.h"
#include "rules/game.h"
#include "rules/session.h"

enum { MOST_WORLDS = BAYES_TYPES * BAYES_TYPES };

/* A world of the first position. */
struct world {
    struct nonet_state state;
    int type[2]; /* of seats 1 and 2 */
};

struct public_tree {
    struct nonet_options options;
    char types[BAYES_TYPES + 1]; /* what the seats may know, a letter for each type */
    int world_count;
    struct world worlds[MOST_WORLDS];
    struct bayes_game game; /* what player 1 wins: a half, or minus a half */
    int choices;            /* nodes with more than one branch */

    /* For each node of the game. */
    struct public_node {
        int parent;
        nonet_move move; /* that leads here */
        uint32_t going;  /* the worlds in which the game goes on, as a set */
    } * nodes;
    int room;
};

/* False if there are more nodes with a choice than this. The state is a whole position. */
bool public_tree_open(struct public_tree *tree, const struct nonet_options *options,
                      const void *state, int most_choices);
void public_tree_close(struct public_tree *tree);

/* Whether the mover of a node can be of this type there. If so, `world` is a world in which that is
 * so. */
bool public_tree_can_be(const struct public_tree *tree, int node, int type, int *world);

/* A session that began at the first position in this world, and stands at the node. */
struct nonet_session *public_tree_session(const struct public_tree *tree, int world, int node);

#endif
