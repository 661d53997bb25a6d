/* Tree search for any number of players, in games whose moves are listed and where nothing is
 * hidden: UCT that proves what it can.
 *
 * As in plain UCT, each player follows the moves that are best for themselves, and positions that
 * are new to the tree are judged by a random playout. Two things make it stronger.
 *
 * Proofs. A node has bounds on each player's share of the win, whatever sensible moves follow.
 * Sensible players take the most they can be sure of, and any of the moves that are equal to them.
 * An end of the game closes these bounds, and they are carried up the tree. With two players that
 * is a proof in the usual sense. With more players, a proven winner wins against all others
 * together: if somebody could spoil it at no cost to themselves, the bounds would stay open. Each
 * node stands for one path to its position, so a third occurrence on that path is an end like any
 * other. The idea is Score Bounded Monte-Carlo Tree Search (Cazenave and Saffidine 2010), with
 * bounds for each player.
 *
 * Decisive moves. A player who can win at once does so, in the tree and in playouts. This is done
 * only if looking for such moves is cheap: if the game can tell how soon a win is possible at all.
 *
 * Of more than two players, a table tells what each can enforce against all others. A move after
 * which one of them can force a win is settled by that before the search begins. That the others
 * together could keep a player from winning says little, as they need not be of one mind.
 *
 * Below the highest level some moves are overlooked, so nothing is proven. When memory is full, the
 * tree stops growing, but goes on learning. */
#include <string.h>

#include "../base/random.h"
#include "repetition.h"
#include "table_play.h"
#include "ucb.h"

enum {
    LONGEST = 400, /* plies of a playout; a longer one is a draw */
    DEEPEST = 128, /* plies from the root to a node */
};

/* Bounds on each player's share of the win: four bits for each player, player 1 in the lowest. */
struct bounds {
    uint16_t low, high;
};
static const struct bounds open_bounds = {0, 0x1111 * NONET_WHOLE_WIN};

struct node {
    struct bounds bounds;
    uint16_t distance; /* plies to the end, if it is proven */
    uint16_t count;    /* of the children; 0 before they are listed */
    uint32_t first;    /* the first child; the others follow it */
    nonet_move move;   /* that led here */
    uint32_t visits;   /* iterations that came through */
    uint64_t sum;      /* of the shares of the player who moved to here */
};

struct search {
    const struct nonet_search_task *task;
    bool proving;
    struct nonet_random random;
    uint64_t nodes, allowed;
    struct nonet_ucb ucb;

    /* About the current iteration. */
    struct nonet_state state;
    int depth;
    uint32_t path[DEEPEST + 1];
    int movers[DEEPEST + 1]; /* whose turn it is there */
    uint64_t *hashes;        /* as in repetition.h */

    /* With more than two players: for each move of the task's position, the sum of every player's
     * shares. */
    uint64_t (*sums)[NONET_MAX_PLAYERS];

    uint32_t used, room; /* nodes */
    struct node *tree;   /* the first is the root */
};

static size_t sums_size(const struct nonet_search_task *task) {
    return task->options.players > 2
               ? nonet_search_padded(NONET_MAX_MOVES * sizeof(uint64_t[NONET_MAX_PLAYERS]))
               : 0;
}

/* What a search needs besides the tree. */
static size_t fixed_size(const struct nonet_search_task *task) {
    return nonet_search_padded(sizeof(struct search)) + nonet_hashes_size(task, DEEPEST) +
           sums_size(task);
}

static size_t size(const struct nonet_search_task *task) {
    size_t root = nonet_search_padded(sizeof(struct node) * (1 + NONET_MAX_MOVES));
    size_t least = fixed_size(task) + root;
    return task->memory > least ? nonet_search_padded(task->memory) : least;
}

/* ---- Proofs ---- */

static int share_in(unsigned shares, int player) {
    return shares >> 4 * (player - 1) & 15;
}

static bool is_closed(struct bounds bounds) {
    return bounds.low == bounds.high;
}

static bool surely_wins(const struct node *node, int player) {
    return share_in(node->bounds.low, player) == NONET_WHOLE_WIN;
}

static bool surely_loses(const struct node *node, int player) {
    return share_in(node->bounds.high, player) == 0;
}

static struct bounds bounds_of_result(const struct search *s, const struct nonet_result *result) {
    const struct nonet_options *options = &s->task->options;
    unsigned shares = 0;
    for (int player = 1; player <= options->players; player++)
        shares |= (unsigned)nonet_result_share(options, result, player) << 4 * (player - 1);
    return (struct bounds){(uint16_t)shares, (uint16_t)shares};
}

static struct nonet_result draw(const struct search *s) {
    return (struct nonet_result){.winners = (uint8_t)((1u << s->task->options.players) - 1)};
}

/* Whether both win or lose together. */
static bool are_one(const struct search *s, int player, int other) {
    const struct nonet_options *options = &s->task->options;
    bool teams = options->game->facts & NONET_TEAMS && options->players == 4;
    return player == other || (teams && (player - other) % 2 == 0);
}

/* What is proven about one player's share, if the mover is sure of `least` and plays for it. */
static struct bounds bounds_for(const struct search *s, const struct node *node, int player,
                                int mover, int least) {
    int low = NONET_WHOLE_WIN, high = 0;
    for (int i = 0; i < node->count; i++) {
        struct bounds bounds = s->tree[node->first + (uint32_t)i].bounds;
        if (share_in(bounds.high, mover) < least) /* the mover has better moves */
            continue;
        if (share_in(bounds.low, player) < low)
            low = share_in(bounds.low, player);
        if (share_in(bounds.high, player) > high)
            high = share_in(bounds.high, player);
    }
    if (are_one(s, player, mover))
        low = least;
    else if (high > NONET_WHOLE_WIN - least) /* all shares together are one win */
        high = NONET_WHOLE_WIN - least;
    return (struct bounds){(uint16_t)low, (uint16_t)high};
}

/* Updates a node from its children: the mover takes one that may be best for them. True if that
 * adds to what was known. */
static bool prove(const struct search *s, struct node *node, int mover) {
    const struct node *children = &s->tree[node->first];
    int least = 0;
    for (int i = 0; i < node->count; i++)
        if (share_in(children[i].bounds.low, mover) > least)
            least = share_in(children[i].bounds.low, mover);
    struct bounds bounds = {0};
    for (int player = 1; player <= s->task->options.players; player++) {
        struct bounds own = bounds_for(s, node, player, mover, least);
        bounds.low |= (uint16_t)(own.low << 4 * (player - 1));
        bounds.high |= (uint16_t)(own.high << 4 * (player - 1));
    }
    bool more = bounds.low != node->bounds.low || bounds.high != node->bounds.high;
    node->bounds = bounds;
    /* A player who wins takes the shortest way; any other player takes the longest. */
    bool wins = least == NONET_WHOLE_WIN;
    int distance = -1;
    for (int i = 0; i < node->count; i++)
        if (!wins || surely_wins(&children[i], mover))
            if (distance < 0 || (children[i].distance < distance) == wins)
                distance = children[i].distance;
    node->distance = (uint16_t)(distance + 1);
    return more;
}

/* ---- The tree ---- */

/* Whether this move ends the game in the current position of the iteration. */
static bool ends(const struct search *s, nonet_move move, struct nonet_result *result) {
    const struct nonet_options *options = &s->task->options;
    struct nonet_state after;
    memcpy(&after, &s->state, options->game->state_size);
    options->game->play(options, &after, NULL, move);
    if (options->game->turn(options, &after) != 0)
        return false;
    options->game->result(options, &after, result);
    return true;
}

/* Lists the moves of the current position of the iteration in random order, if there is room. */
static void expand(struct search *s, struct node *node) {
    const struct nonet_options *options = &s->task->options;
    nonet_move moves[NONET_MAX_MOVES];
    uint64_t position = nonet_hash(&s->state, options->game->state_size);
    int count = nonet_seen_moves(s->task, &s->state, position, moves);
    if ((uint32_t)count > s->room - s->used)
        return;
    node->first = s->used;
    node->count = (uint16_t)count;
    s->used += (uint32_t)count;
    for (int i = 0; i < count; i++) {
        int at = i + (int)nonet_random_below(&s->random, (uint32_t)(count - i));
        struct node *child = &s->tree[node->first + (uint32_t)i];
        *child = (struct node){.move = moves[at], .bounds = open_bounds};
        moves[at] = moves[i];
        struct nonet_result result = {0};
        if (ends(s, child->move, &result))
            child->bounds = bounds_of_result(s, &result);
    }
    s->nodes += (uint64_t)count;
}

/* What a move is worth to the player who makes it, as a fraction of the win. */
static uint64_t mean_of(const struct node *child, int mover) {
    int low = share_in(child->bounds.low, mover), high = share_in(child->bounds.high, mover);
    uint64_t unit = NONET_UCB_ONE / NONET_WHOLE_WIN;
    return low == high ? (uint64_t)low * unit : child->sum * unit / child->visits;
}

/* The child to go on to: a sure win, or one not yet visited, or the one with the highest bound,
 * mean + sqrt(4 ln N / n). Sure losses are avoided while there is anything else. */
static struct node *choose(const struct search *s, const struct node *node, int mover) {
    struct node *children = &s->tree[node->first];
    bool lost = true;
    uint64_t visits = 0;
    struct node *fresh = NULL;
    for (int i = 0; i < node->count; i++) {
        struct node *child = &children[i];
        if (surely_wins(child, mover))
            return child;
        lost = lost && surely_loses(child, mover);
        visits += child->visits;
        if (fresh == NULL && child->visits == 0 && !surely_loses(child, mover))
            fresh = child;
    }
    if (fresh != NULL)
        return fresh;
    uint64_t root = nonet_root(4 * nonet_ucb_log(visits + 1) * NONET_UCB_ONE), highest = 0;
    struct node *best = NULL;
    for (int i = 0; i < node->count; i++) {
        struct node *child = &children[i];
        if (surely_loses(child, mover) && !lost)
            continue;
        if (child->visits == 0)
            return child;
        uint64_t bound = mean_of(child, mover) + nonet_ucb_over_root(&s->ucb, root, child->visits);
        if (best == NULL || bound > highest) {
            best = child;
            highest = bound;
        }
    }
    return best;
}

/* ---- Iterations ---- */

/* Whether one of these moves wins the game at once, without sharing the win. */
static bool wins_at_once(struct search *s, const nonet_move *moves, int count, int mover,
                         struct nonet_result *result) {
    for (int i = 0; i < count; i++) {
        s->nodes++;
        if (ends(s, moves[i], result) &&
            nonet_result_share(&s->task->options, result, mover) == NONET_WHOLE_WIN)
            return true;
    }
    return false;
}

/* Playout from where the tree ends: at random, but nobody misses a win. */
static struct nonet_result play_out(struct search *s) {
    const struct nonet_options *options = &s->task->options;
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_result result = {0};
    for (int ply = 0; ply < LONGEST; ply++) {
        int mover = game->turn(options, &s->state);
        if (mover == 0) {
            game->result(options, &s->state, &result);
            return result;
        }
        int count = game->moves(options, &s->state, moves);
        if (game->soonest != NULL && game->soonest(options, &s->state, mover) <= 1 &&
            wins_at_once(s, moves, count, mover, &result))
            return result;
        game->play(options, &s->state, NULL,
                   moves[nonet_random_below(&s->random, (uint32_t)count)]);
        s->nodes++;
    }
    return draw(s);
}

/* Walks down to a position that is closed, or new to the tree, or has no room in it, and judges it.
 * A position is expanded when it is visited for the second time. Returns each player's share. */
static unsigned descend(struct search *s) {
    const struct nonet_options *options = &s->task->options;
    const struct nonet_game *game = options->game;
    s->depth = 0;
    s->path[0] = 0;
    for (;;) {
        struct node *node = &s->tree[s->path[s->depth]];
        int mover = s->movers[s->depth] = game->turn(options, &s->state);
        if (s->depth > 0 && nonet_stands_third(s->hashes, s->task, &s->state, s->depth)) {
            struct nonet_result drawn = draw(s);
            node->bounds = bounds_of_result(s, &drawn);
        } else if (node->count == 0 && node->visits > 0 && !is_closed(node->bounds)) {
            expand(s, node);
        }
        if (is_closed(node->bounds))
            return node->bounds.low;
        if (node->count == 0 || s->depth == DEEPEST) {
            struct nonet_result result = play_out(s);
            return bounds_of_result(s, &result).low;
        }
        struct node *child = choose(s, node, mover);
        game->play(options, &s->state, NULL, child->move);
        s->nodes++;
        s->depth++;
        s->path[s->depth] = (uint32_t)(child - s->tree);
    }
}

static void iterate(struct search *s) {
    memcpy(&s->state, &s->task->state, s->task->options.game->state_size);
    unsigned shares = descend(s);
    bool news = s->proving;
    for (int i = s->depth; i >= 0; i--) {
        struct node *node = &s->tree[s->path[i]];
        node->visits++;
        if (i > 0)
            node->sum += (uint64_t)share_in(shares, s->movers[i - 1]);
        if (news && i < s->depth)
            news = prove(s, node, s->movers[i]);
    }
    if (s->sums != NULL && s->depth > 0)
        for (int player = 1; player <= s->task->options.players; player++)
            s->sums[s->path[1] - 1][player - 1] += (uint64_t)share_in(shares, player);
}

/* Settles a move if the table knows of somebody who wins after it. */
static void ask_about(struct search *s, struct node *child) {
    const struct nonet_search_task *task = s->task;
    struct nonet_state after = task->state;
    task->options.game->play(&task->options, &after, NULL, child->move);
    s->nodes++;
    for (int player = 1; player <= task->options.players; player++) {
        struct nonet_value value;
        struct nonet_message why;
        if (!nonet_table_probe_for(task->table, &after, player, &value, &why))
            return;
        if (value.outcome != NONET_WIN)
            continue;
        const struct nonet_result won = {.winners = (uint8_t)(1u << (player - 1))};
        child->bounds = bounds_of_result(s, &won);
        child->distance = (uint16_t)value.distance;
    }
}

/* Asks the table about all moves, unless a third repetition could come before a win that it knows
 * of. */
static void ask_table(struct search *s) {
    struct nonet_used_up used_up;
    nonet_used_up_find(&used_up, s->task);
    struct node *root = &s->tree[0];
    if (!s->proving || s->task->table == NULL || s->task->options.players == 2 ||
        used_up.count > 0 || root->count == 0)
        return;
    for (int i = 0; i < root->count; i++)
        ask_about(s, &s->tree[root->first + (uint32_t)i]);
    prove(s, root, s->task->seat);
}

static void begin(void *search, const struct nonet_search_task *task) {
    struct search *s = search;
    memset(s, 0, sizeof *s);
    s->task = task;
    s->proving = task->level == NONET_SEARCH_LEVELS;
    const uint64_t seed[] = {task->seed, (uint64_t)task->thread, (uint64_t)task->ply};
    s->random.state = nonet_hash_words(seed, sizeof seed);
    nonet_ucb_init(&s->ucb);
    unsigned char *memory = (unsigned char *)search + nonet_search_padded(sizeof *s);
    s->hashes = (uint64_t *)memory;
    nonet_hashes_begin(s->hashes, task);
    memory += nonet_hashes_size(task, DEEPEST);
    s->sums = sums_size(task) > 0 ? (uint64_t(*)[NONET_MAX_PLAYERS])memory : NULL;
    memset(memory, 0, sums_size(task));
    s->tree = (struct node *)(memory + sums_size(task));
    size_t room = (size(task) - fixed_size(task)) / sizeof *s->tree;
    s->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    s->tree[0] = (struct node){.bounds = open_bounds};
    s->used = 1;
    memcpy(&s->state, &task->state, task->options.game->state_size);
    expand(s, &s->tree[0]);
    ask_table(s);
}

/* Whether the seat's share is certain, or the count of visits has reached its limit. */
static bool is_settled(const struct search *s) {
    const struct node *root = &s->tree[0];
    int seat = s->task->seat;
    return share_in(root->bounds.low, seat) == share_in(root->bounds.high, seat) ||
           root->visits == UINT32_MAX;
}

static bool advance(void *search, uint64_t nodes) {
    struct search *s = search;
    s->allowed = nonet_nodes_and(s->allowed, nodes);
    while (s->nodes < s->allowed && !is_settled(s))
        iterate(s);
    return is_settled(s);
}

/* ---- Reports ---- */

/* Sure wins first, the fastest first; sure losses last, the slowest first; between them, the most
 * visited first. */
static bool is_better(const struct node *a, const struct node *b, int player) {
    int rank_a = surely_wins(a, player) - surely_loses(a, player);
    int rank_b = surely_wins(b, player) - surely_loses(b, player);
    if (rank_a != rank_b)
        return rank_a > rank_b;
    if (rank_a != 0 && a->distance != b->distance)
        return (a->distance < b->distance) == (rank_a > 0);
    return a->visits > b->visits;
}

static const struct node *best_child(const struct search *s, const struct node *node, int mover) {
    const struct node *best = &s->tree[node->first];
    for (int i = 1; i < node->count; i++)
        if (is_better(&s->tree[node->first + (uint32_t)i], best, mover))
            best = &s->tree[node->first + (uint32_t)i];
    return best;
}

/* What every player may expect after a move, as far as it is proven, or else on average. */
static void tell_chances(const struct search *s, const struct node *child,
                         struct nonet_opinion *opinion) {
    const uint64_t *sums = s->sums[child - &s->tree[s->tree[0].first]];
    for (int player = 1; player <= s->task->options.players; player++) {
        int low = share_in(child->bounds.low, player), high = share_in(child->bounds.high, player);
        bool proven = s->proving && low == high;
        uint64_t share = proven ? (uint64_t)low : sums[player - 1];
        uint64_t whole = NONET_WHOLE_WIN * (proven ? (uint64_t)1 : child->visits);
        opinion->chances[player - 1] = (int16_t)(whole > 0 ? NONET_SCORE_WON * share / whole : 0);
    }
}

static struct nonet_opinion opinion_of(const struct search *s, const struct node *child) {
    struct nonet_opinion opinion = {
        .move = child->move, .known = NONET_ESTIMATED, .visits = child->visits};
    int low = share_in(child->bounds.low, s->task->seat);
    int high = share_in(child->bounds.high, s->task->seat);
    if (s->proving && low == high) {
        opinion.known = NONET_PROVEN;
        opinion.score = (int16_t)nonet_score_of_share(low);
        opinion.value = (struct nonet_value){.outcome = low == NONET_WHOLE_WIN ? NONET_WIN
                                                        : low == 0             ? NONET_LOSS
                                                                               : NONET_DRAW,
                                             .distance = NONET_UNKNOWN_DISTANCE};
    } else if (child->visits > 0) {
        uint64_t full = (uint64_t)NONET_WHOLE_WIN * child->visits;
        opinion.score =
            (int16_t)((int64_t)(2 * NONET_SCORE_WON * child->sum / full) - NONET_SCORE_WON);
    }
    if (s->sums != NULL)
        tell_chances(s, child, &opinion);
    return opinion;
}

/* What each player would choose, as far as the tree knows. */
static void write_line(const struct search *s, struct nonet_report *report) {
    const struct nonet_options *options = &s->task->options;
    struct nonet_state state;
    memcpy(&state, &s->task->state, options->game->state_size);
    report->line_length = 0;
    for (const struct node *node = &s->tree[0];
         node->count > 0 && report->line_length < NONET_SEARCH_LINE;) {
        node = best_child(s, node, options->game->turn(options, &state));
        options->game->play(options, &state, NULL, node->move);
        report->line[report->line_length++] = node->move;
    }
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    const struct nonet_options *options = &s->task->options;
    const struct node *children = &s->tree[s->tree[0].first];
    int count = s->tree[0].count;
    report->nodes = s->nodes;
    report->depth = 0;
    report->by = "tree";
    const struct node *order[NONET_MAX_MOVES];
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && is_better(&children[i], order[at - 1], s->task->seat); at--)
            order[at] = order[at - 1];
        order[at] = &children[i];
    }
    for (int i = 0; i < count; i++)
        report->moves[i] = opinion_of(s, order[i]);
    report->count = count;
    /* Then the overlooked moves. */
    nonet_move moves[NONET_MAX_MOVES];
    int legal = options->game->moves(options, &s->task->state, moves);
    for (int i = 0; i < legal; i++) {
        int k = 0;
        while (k < count && children[k].move != moves[i])
            k++;
        if (k == count)
            report->moves[report->count++] =
                (struct nonet_opinion){.move = moves[i], .known = NONET_ESTIMATED};
    }
    write_line(s, report);
}

const struct nonet_searcher nonet_search_tree = {
    .name = "tree",
    .plays = nonet_is_open,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
