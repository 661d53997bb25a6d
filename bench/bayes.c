#include "bayes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BRANCHES = 64 };

typedef double by_type[BAYES_TYPES];

/* ---- The tree ---- */

static void *resize(void *list, int room, size_t size) {
    void *longer = realloc(list, (size_t)room * size);
    if (longer == NULL) {
        fputs("there is no memory\n", stderr);
        exit(1);
    }
    return longer;
}

static int add_nodes(struct bayes_game *game, int count) {
    int first = game->node_count;
    game->node_count += count;
    if (game->node_count > game->node_room) {
        game->node_room = 2 * game->node_count;
        game->nodes = resize(game->nodes, game->node_room, sizeof *game->nodes);
    }
    for (int i = first; i < game->node_count; i++)
        game->nodes[i] = (struct bayes_node){.mover = BAYES_OVER, .end = BAYES_NONE};
    return first;
}

void bayes_open(struct bayes_game *game) {
    *game = (struct bayes_game){0};
    add_nodes(game, 1);
}

void bayes_close(struct bayes_game *game) {
    free(game->nodes);
    free(game->ends);
}

int bayes_branch(struct bayes_game *game, int node, int mover, int count) {
    assert(count <= MOST_BRANCHES);
    int first = add_nodes(game, count);
    struct bayes_node *branching = &game->nodes[node];
    branching->mover = mover;
    branching->first = first;
    branching->count = count;
    branching->chances = game->chances;
    game->chances += BAYES_TYPES * count;
    return first;
}

void bayes_pay(struct bayes_game *game, int node, int type0, int type1, double won) {
    struct bayes_node *paying = &game->nodes[node];
    if (paying->end == BAYES_NONE) {
        paying->end = game->end_count++;
        if (game->end_count > game->end_room) {
            game->end_room = 2 * game->end_count;
            game->ends = resize(game->ends, game->end_room, sizeof *game->ends);
        }
        game->ends[paying->end] = (struct bayes_end){0};
    }
    struct bayes_end *end = &game->ends[paying->end];
    end->won[type0][type1] = won * game->chance[type0][type1];
    end->over[type0][type1] = true;
}

int bayes_decision(const struct bayes_node *node, int type) {
    return node->chances + type * node->count;
}

double *bayes_profile(const struct bayes_game *game) {
    double *profile = resize(NULL, game->chances + 1, sizeof *profile);
    for (int i = 0; i < game->node_count; i++) {
        const struct bayes_node *node = &game->nodes[i];
        for (int k = 0; k < BAYES_TYPES * node->count; k++)
            profile[node->chances + k] = 1.0 / node->count;
    }
    return profile;
}

/* ---- Walking ----
 *
 * What a player wins is added up for each type of that player: over the types of the other, each as
 * likely as chance and the other's moves make it. */

static void add_end(const struct bayes_game *game, const struct bayes_node *node, int player,
                    const by_type reach, by_type worth) {
    if (node->end == BAYES_NONE)
        return;
    const struct bayes_end *end = &game->ends[node->end];
    for (int own = 0; own < BAYES_TYPES; own++)
        for (int other = 0; other < BAYES_TYPES; other++)
            worth[own] +=
                reach[other] * (player == 0 ? end->won[own][other] : -end->won[other][own]);
}

/* How likely each type comes to the child of a branch; false if none does. */
static bool go(const struct bayes_node *node, const double *profile, int branch,
               const by_type reach, by_type after) {
    bool comes = false;
    for (int type = 0; type < BAYES_TYPES; type++) {
        after[type] = reach[type] * profile[bayes_decision(node, type) + branch];
        comes = comes || after[type] > 0;
    }
    return comes;
}

static void all_types(by_type reach) {
    for (int type = 0; type < BAYES_TYPES; type++)
        reach[type] = 1;
}

static double sum(const by_type worth) {
    double total = 0;
    for (int type = 0; type < BAYES_TYPES; type++)
        total += worth[type];
    return total;
}

/* What player 0 wins with each type below a node. */
static void follow(const struct bayes_game *game, int index, const double *first,
                   const double *second, const by_type reach, by_type worth) {
    const struct bayes_node *node = &game->nodes[index];
    memset(worth, 0, sizeof(by_type));
    add_end(game, node, 0, reach, worth);
    for (int branch = 0; branch < node->count; branch++) {
        by_type after, below;
        bool own = node->mover == 0;
        if (!own && !go(node, second, branch, reach, after))
            continue;
        follow(game, node->first + branch, first, second, own ? reach : after, below);
        for (int type = 0; type < BAYES_TYPES; type++)
            worth[type] += below[type] * (own ? first[bayes_decision(node, type) + branch] : 1);
    }
}

double bayes_value(const struct bayes_game *game, const double *first, const double *second) {
    by_type reach, worth;
    all_types(reach);
    follow(game, 0, first, second, reach, worth);
    return sum(worth);
}

/* The best that a player can do, for each type. */
struct response {
    const struct bayes_game *game;
    int player;
    const double *rival;
    double *answer;       /* or null */
    const double *judged; /* or null */
    bayes_judge *judge;
    void *context;
};

static void respond(const struct response *r, int index, const by_type reach, const by_type own,
                    by_type worth);

/* The responder moves: takes the best branch with each type. */
static void respond_here(const struct response *r, const struct bayes_node *node, int index,
                         const by_type reach, const by_type own, by_type worth) {
    double below[BAYES_TYPES][MOST_BRANCHES];
    for (int branch = 0; branch < node->count; branch++) {
        by_type after, gained;
        memcpy(after, own, sizeof after);
        if (r->judged != NULL)
            go(node, r->judged, branch, own, after);
        respond(r, node->first + branch, reach, after, gained);
        for (int type = 0; type < BAYES_TYPES; type++)
            below[type][branch] = gained[type];
    }
    for (int type = 0; type < BAYES_TYPES; type++) {
        int best = 0;
        for (int branch = 1; branch < node->count; branch++)
            if (below[type][branch] > below[type][best])
                best = branch;
        worth[type] += below[type][best];
        for (int branch = 0; r->answer != NULL && branch < node->count; branch++)
            r->answer[bayes_decision(node, type) + branch] = branch == best;
        if (r->judge != NULL && own[type] > 0)
            r->judge(r->context, index, type, own[type], below[type]);
    }
}

static void respond(const struct response *r, int index, const by_type reach, const by_type own,
                    by_type worth) {
    const struct bayes_node *node = &r->game->nodes[index];
    memset(worth, 0, sizeof(by_type));
    add_end(r->game, node, r->player, reach, worth);
    if (node->mover == r->player) {
        respond_here(r, node, index, reach, own, worth);
        return;
    }
    for (int branch = 0; branch < node->count; branch++) {
        by_type after, below;
        if (!go(node, r->rival, branch, reach, after))
            continue;
        respond(r, node->first + branch, after, own, below);
        for (int type = 0; type < BAYES_TYPES; type++)
            worth[type] += below[type];
    }
}

static double respond_from_start(const struct response *r) {
    by_type reach, worth;
    all_types(reach);
    respond(r, 0, reach, reach, worth);
    return sum(worth);
}

double bayes_best(const struct bayes_game *game, int player, const double *profile,
                  double *answer) {
    struct response r = {.game = game, .player = player, .rival = profile, .answer = answer};
    return respond_from_start(&r);
}

double bayes_gap(const struct bayes_game *game, const double *profile) {
    return bayes_best(game, 0, profile, NULL) + bayes_best(game, 1, profile, NULL);
}

void bayes_judge_choices(const struct bayes_game *game, int player, const double *profile,
                         const double *rival, bayes_judge *judge, void *context) {
    struct response r = {.game = game,
                         .player = player,
                         .rival = rival,
                         .judged = profile,
                         .judge = judge,
                         .context = context};
    respond_from_start(&r);
}

/* ---- What moves tell ---- */

/* The mutual information of the mover's type and the branch, times the chance to be here. */
static double told_here(const struct bayes_node *node, const double *profile,
                        const by_type present) {
    double bits = 0, all = sum(present);
    for (int branch = 0; branch < node->count; branch++) {
        by_type chosen;
        go(node, profile, branch, present, chosen);
        double usual = sum(chosen) / all;
        for (int type = 0; type < BAYES_TYPES; type++)
            if (chosen[type] > 0)
                bits += chosen[type] * log2(chosen[type] / present[type] / usual);
    }
    return bits;
}

static double told(const struct bayes_game *game, int player, int index, const double *profile,
                   double pairs[BAYES_TYPES][BAYES_TYPES]) {
    const struct bayes_node *node = &game->nodes[index];
    by_type present = {0};
    for (int a = 0; a < BAYES_TYPES; a++)
        for (int b = 0; b < BAYES_TYPES; b++) {
            if (node->end != BAYES_NONE && game->ends[node->end].over[a][b])
                pairs[a][b] = 0;
            present[node->mover == 0 ? a : b] += pairs[a][b];
        }
    if (sum(present) == 0)
        return 0;
    double bits = node->mover == player ? told_here(node, profile, present) : 0;
    for (int branch = 0; branch < node->count; branch++) {
        double after[BAYES_TYPES][BAYES_TYPES];
        for (int a = 0; a < BAYES_TYPES; a++)
            for (int b = 0; b < BAYES_TYPES; b++) {
                int type = node->mover == 0 ? a : b;
                after[a][b] = pairs[a][b] * profile[bayes_decision(node, type) + branch];
            }
        bits += told(game, player, node->first + branch, profile, after);
    }
    return bits;
}

double bayes_told(const struct bayes_game *game, int player, const double *profile) {
    double pairs[BAYES_TYPES][BAYES_TYPES];
    memcpy(pairs, game->chance, sizeof pairs);
    return told(game, player, 0, profile, pairs);
}

/* ---- Equilibrium: CFR+ (Tammelin, 2014) ----
 *
 * Round after round, every decision of one player and then of the other learns how much more each
 * branch would have won, and plays the branches in proportion to these regrets. The average of all
 * rounds, later ones weighing more, comes close to an equilibrium. */

struct solver {
    const struct bayes_game *game;
    double *regrets, *now, *average; /* as long as a profile */
    double weight;                   /* of this round in the average */
};

/* Plays in proportion to the regrets. */
static void match_regrets(const struct bayes_node *node, const double *regrets, double *now) {
    double total = 0;
    for (int branch = 0; branch < node->count; branch++)
        total += regrets[branch];
    for (int branch = 0; branch < node->count; branch++)
        now[branch] = total > 0 ? regrets[branch] / total : 1.0 / node->count;
}

static void learn(const struct solver *s, int index, int player, const by_type own,
                  const by_type reach, by_type worth);

static void learn_here(const struct solver *s, const struct bayes_node *node, int player,
                       const by_type own, const by_type reach, by_type worth) {
    double below[BAYES_TYPES][MOST_BRANCHES];
    for (int branch = 0; branch < node->count; branch++) {
        by_type after, gained;
        go(node, s->now, branch, own, after);
        learn(s, node->first + branch, player, after, reach, gained);
        for (int type = 0; type < BAYES_TYPES; type++)
            below[type][branch] = gained[type];
    }
    for (int type = 0; type < BAYES_TYPES; type++) {
        int decision = bayes_decision(node, type);
        double *now = s->now + decision, *regrets = s->regrets + decision, mean = 0;
        for (int branch = 0; branch < node->count; branch++)
            mean += now[branch] * below[type][branch];
        worth[type] += mean;
        for (int branch = 0; branch < node->count; branch++) {
            s->average[decision + branch] += s->weight * own[type] * now[branch];
            regrets[branch] = fmax(0, regrets[branch] + below[type][branch] - mean);
        }
        match_regrets(node, regrets, now);
    }
}

static void learn(const struct solver *s, int index, int player, const by_type own,
                  const by_type reach, by_type worth) {
    const struct bayes_node *node = &s->game->nodes[index];
    memset(worth, 0, sizeof(by_type));
    add_end(s->game, node, player, reach, worth);
    if (node->mover == player) {
        learn_here(s, node, player, own, reach, worth);
        return;
    }
    for (int branch = 0; branch < node->count; branch++) {
        by_type after, below;
        bool comes = go(node, s->now, branch, reach, after);
        if (!comes && sum(own) == 0)
            continue;
        learn(s, node->first + branch, player, own, after, below);
        for (int type = 0; type < BAYES_TYPES; type++)
            worth[type] += below[type];
    }
}

static void average_into(const struct solver *s, double *profile) {
    for (int i = 0; i < s->game->node_count; i++) {
        const struct bayes_node *node = &s->game->nodes[i];
        for (int type = 0; type < BAYES_TYPES && node->count > 0; type++) {
            int decision = bayes_decision(node, type);
            match_regrets(node, s->average + decision, profile + decision);
        }
    }
}

double bayes_solve(const struct bayes_game *game, double gap, int rounds, double *profile) {
    enum { BETWEEN_LOOKS = 50 };
    struct solver s = {.game = game,
                       .regrets = bayes_profile(game),
                       .now = bayes_profile(game),
                       .average = bayes_profile(game)};
    memset(s.regrets, 0, (size_t)game->chances * sizeof *s.regrets);
    memset(s.average, 0, (size_t)game->chances * sizeof *s.average);
    double reached = INFINITY;
    by_type every, worth;
    all_types(every);
    for (int round = 1; round <= rounds && reached > gap; round++) {
        s.weight = round;
        for (int player = 0; player < 2; player++)
            learn(&s, 0, player, every, every, worth);
        if (round % BETWEEN_LOOKS == 0 || round == rounds) {
            average_into(&s, profile);
            reached = bayes_gap(game, profile);
        }
    }
    free(s.regrets);
    free(s.now);
    free(s.average);
    return reached;
}
