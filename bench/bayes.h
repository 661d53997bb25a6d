/* Small games of two players, each of whom secretly has a type. The types are drawn together, with
 * known chances; every move is seen by both; what one player wins the other loses. An exact best
 * response, and an equilibrium to any accuracy that is asked for.
 *
 * The tree is one of public positions: a node is what both have seen so far. So a player's decision
 * is a node and the type of its mover, and a strategy says how likely each branch is in each of
 * them. A profile holds the strategies of both players.
 *
 * Not all types need to find the same end: at a node the game may be over for some pairs of types,
 * and go on for the others. Nothing may be won below a node by a pair for which it is over. */
#ifndef NONET_BENCH_BAYES_H
#define NONET_BENCH_BAYES_H

#include <stdbool.h>

enum { BAYES_TYPES = 5, BAYES_OVER = -1, BAYES_NONE = -1 };

/* The pairs of types for which the game is over at a node, and what player 0 wins with them, times
 * the chance of the pair. */
struct bayes_end {
    double won[BAYES_TYPES][BAYES_TYPES];
    bool over[BAYES_TYPES][BAYES_TYPES];
};

struct bayes_node {
    int mover;        /* 0, 1 or BAYES_OVER */
    int first, count; /* children follow each other, one for each branch */
    int chances; /* where they begin in a profile: `count` of them for each type of the mover */
    int end;     /* in `ends`; BAYES_NONE if no pair ends here */
};

struct bayes_game {
    double chance[BAYES_TYPES][BAYES_TYPES]; /* of the pairs of types of players 0 and 1 */
    struct bayes_node *nodes;                /* 0 is the first position */
    struct bayes_end *ends;
    int node_count, node_room, end_count, end_room;
    int chances; /* how long a profile is */
};

/* Begins with one node, at which the game is over; the chances of pairs are still to be filled in.
 * These functions end the program if memory runs out. */
void bayes_open(struct bayes_game *game);
void bayes_close(struct bayes_game *game);
/* The game goes on at a node: it gets a mover and so many children. Returns the first of them. */
int bayes_branch(struct bayes_game *game, int node, int mover, int count);
/* The game is over for a pair of types, and player 0 wins so much. */
void bayes_pay(struct bayes_game *game, int node, int type0, int type1, double won);

/* In a profile: where the chances of the branches of this decision begin. */
int bayes_decision(const struct bayes_node *node, int type);

double *bayes_profile(const struct bayes_game *game); /* every branch equally likely */

/* What player 0 wins on average, with the strategies of both players taken from one profile each.
 */
double bayes_value(const struct bayes_game *game, const double *first, const double *second);

/* The most that a player can win on average against the other's strategy. If `answer` is given, the
 * player's chances in it become those of a strategy that wins as much; decisions that cannot come
 * up remain as they are. */
double bayes_best(const struct bayes_game *game, int player, const double *profile, double *answer);

/* How far a profile is from an equilibrium: the sum of what both could win more by a best response
 * to the other's strategy. */
double bayes_gap(const struct bayes_game *game, const double *profile);

/* Finds a profile whose gap is at most this; stops after so many rounds without. Returns the gap.
 */
double bayes_solve(const struct bayes_game *game, double gap, int rounds, double *profile);

/* What the moves of a player tell about their type, in bits, if both strategies are known. */
double bayes_told(const struct bayes_game *game, int player, const double *profile);

/* Compares a player's strategy with the best one against the other's strategy in `rival`. The judge
 * hears of every decision that can come up: how likely the player's own moves lead to it, and what
 * each branch wins when the best moves follow, times how likely the rest leads to it. Summed over
 * all decisions, what the player's choices win less than the best branch is what the strategy wins
 * less than the best strategy. */
typedef void bayes_judge(void *context, int node, int type, double own, const double *worth);
void bayes_judge_choices(const struct bayes_game *game, int player, const double *profile,
                         const double *rival, bayes_judge *judge, void *context);

#endif
