/* Plain UCT (Kocsis and Szepesvári 2006), the standard of comparison for stronger players: it stays
 * unchanged.
 *
 * Every iteration walks down a tree of positions, adds one to it, and plays on from there at random
 * to the end. On the way down, each player follows the move with the highest upper confidence bound
 * (UCB1) on their own share: the mean plus sqrt(2 ln N / n), for any number of players. Moves are
 * added to a node one by one; all of them are tried once before any bound counts.
 *
 * Where there are too many moves to list, a node with N visits has at most WIDENING * sqrt(N) of
 * them, picked at random. With hidden information, every iteration draws one of the worlds that the
 * seat's observation allows. All worlds share the tree; in a node only the moves that are legal in
 * the drawn world take part. Positions that occur for the third time are draws within the tree. A
 * playout that is not over after LONGEST plies is a draw too.
 *
 * Positions are counted, in the tree and in playouts. Levels differ here only in their number of
 * nodes. */
#include <string.h>

#include "../base/random.h"
#include "../rules/hidden.h"
#include "../rules/wide.h"
#include "repetition.h"
#include "ucb.h"

enum {
    LONGEST = 400, /* plies of a playout */
    DEEPEST = 128, /* plies from the root to a node */
    WIDENING = 2,
    NONE = 0, /* in place of a node: the root is nobody's child */
};

struct node {
    uint64_t sum;        /* of the shares of the player who moved to here */
    nonet_move move;     /* that led here */
    uint32_t visits;     /* iterations that came through */
    uint32_t child;      /* the newest */
    uint32_t sibling;    /* the next older */
    uint16_t children;   /* how many there are */
    uint16_t move_count; /* if moves are listed: how many are legal; 0 before the first look */
};

struct search {
    const struct nonet_search_task *task;
    struct nonet_random random;
    uint64_t nodes, allowed;
    struct nonet_ucb ucb;
    nonet_move any; /* a legal move, for reports before the first iteration */

    /* About the current iteration. */
    struct nonet_state state;
    void *workspace;
    int depth;
    uint32_t path[DEEPEST + 1];
    int movers[DEEPEST + 1]; /* whose move led to the node of that depth */
    /* Of the game's positions and those of the path, if repetitions matter. */
    uint64_t *hashes;

    uint32_t used, room; /* nodes */
    struct node *tree;   /* the first is the root */
};

static size_t workspace_size(const struct nonet_search_task *task) {
    const struct nonet_wide *wide = task->options.game->wide;
    return wide != NULL ? nonet_search_padded(wide->workspace_size) : 0;
}

/* What a search needs besides the tree. */
static size_t fixed_size(const struct nonet_search_task *task) {
    return nonet_search_padded(sizeof(struct search)) + nonet_hashes_size(task, DEEPEST) +
           workspace_size(task);
}

static size_t size(const struct nonet_search_task *task) {
    size_t least = fixed_size(task) + nonet_search_padded(sizeof(struct node));
    return task->memory > least ? nonet_search_padded(task->memory) : least;
}

static void begin(void *search, const struct nonet_search_task *task) {
    struct search *s = search;
    const struct nonet_options *options = &task->options;
    memset(s, 0, sizeof *s);
    s->task = task;
    const uint64_t seed[] = {task->seed, (uint64_t)task->thread, (uint64_t)task->ply};
    s->random.state = nonet_hash_words(seed, sizeof seed);
    nonet_ucb_init(&s->ucb);
    unsigned char *memory = (unsigned char *)search + nonet_search_padded(sizeof *s);
    s->hashes = (uint64_t *)memory;
    memory += nonet_hashes_size(task, DEEPEST);
    s->workspace = workspace_size(task) > 0 ? memory : NULL;
    memory += workspace_size(task);
    s->tree = (struct node *)memory;
    size_t room = (size(task) - fixed_size(task)) / sizeof *s->tree;
    s->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    s->tree[0] = (struct node){0};
    s->used = 1;
    nonet_hashes_begin(s->hashes, task);
    if (options->game->wide != NULL) {
        s->any = options->game->wide->nth(options, &task->state, task->workspace, 0);
    } else {
        nonet_move moves[NONET_MAX_MOVES];
        options->game->moves(options, &task->state, moves);
        s->any = moves[0];
    }
}

/* ---- Down the tree ---- */

static struct node *child_with(const struct search *s, const struct node *node, nonet_move move) {
    for (uint32_t i = node->child; i != NONE; i = s->tree[i].sibling)
        if (s->tree[i].move == move)
            return &s->tree[i];
    return NULL;
}

/* A new child, or null if there is no room. */
static struct node *add_child(struct search *s, struct node *node, nonet_move move) {
    if (s->used == s->room)
        return NULL;
    s->tree[s->used] = (struct node){.move = move, .sibling = node->child};
    node->child = s->used;
    node->children++;
    return &s->tree[s->used++];
}

static bool contains(const nonet_move *moves, int count, nonet_move move) {
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* The child with the highest bound among those whose moves are in the list, or among all if there
 * is no list. Null if there is none. */
static struct node *best_child(const struct search *s, const struct node *node,
                               const nonet_move *moves, int count) {
    uint64_t visits = 0;
    for (uint32_t i = node->child; i != NONE; i = s->tree[i].sibling)
        if (moves == NULL || contains(moves, count, s->tree[i].move))
            visits += s->tree[i].visits;
    if (visits == 0)
        return NULL;
    uint64_t root = nonet_root(2 * nonet_ucb_log(visits) * NONET_UCB_ONE), highest = 0;
    struct node *best = NULL;
    for (uint32_t i = node->child; i != NONE; i = s->tree[i].sibling) {
        struct node *child = &s->tree[i];
        if (moves != NULL && !contains(moves, count, child->move))
            continue;
        uint64_t mean = child->sum * (NONET_UCB_ONE / NONET_WHOLE_WIN) / child->visits;
        uint64_t bound = mean + nonet_ucb_over_root(&s->ucb, root, child->visits);
        if (best == NULL || bound > highest) {
            best = child;
            highest = bound;
        }
    }
    return best;
}

/* The child to go on to in a game with too many moves to list. Null if there is no room for any. */
static struct node *choose_wide(struct search *s, struct node *node) {
    const struct nonet_options *options = &s->task->options;
    const struct nonet_wide *wide = options->game->wide;
    if (node->children < NONET_MAX_MOVES &&
        node->children < WIDENING * nonet_root((uint64_t)node->visits + 1)) {
        uint64_t count = wide->count(options, &s->state, s->workspace);
        nonet_move move = wide->nth(options, &s->state, s->workspace,
                                    nonet_random_below(&s->random, (uint32_t)count));
        struct node *child = child_with(s, node, move);
        if (child == NULL)
            child = add_child(s, node, move);
        if (child != NULL)
            return child;
    }
    return best_child(s, node, NULL, 0);
}

/* The same in a game whose moves are listed. */
static struct node *choose_listed(struct search *s, struct node *node) {
    const struct nonet_options *options = &s->task->options;
    bool hidden = options->game->hidden != NULL;
    if (!hidden && node->move_count != 0 && node->children == node->move_count)
        return best_child(s, node, NULL, 0);
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, &s->state, moves), tried = node->children;
    if (hidden) {
        tried = 0;
        for (int i = 0; i < count; i++)
            tried += child_with(s, node, moves[i]) != NULL;
    } else {
        node->move_count = (uint16_t)count;
    }
    if (tried < count && s->used < s->room) {
        nonet_move move;
        do
            move = moves[nonet_random_below(&s->random, (uint32_t)count)];
        while (child_with(s, node, move) != NULL);
        return add_child(s, node, move);
    }
    return best_child(s, node, hidden ? moves : NULL, count);
}

/* ---- Iterations ---- */

static void draw(const struct search *s, struct nonet_result *result) {
    result->winners = (uint8_t)((1u << s->task->options.players) - 1);
}

/* Random playout from where the tree ends. */
static void play_out(struct search *s, struct nonet_result *result) {
    const struct nonet_options *options = &s->task->options;
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    for (int ply = 0; ply < LONGEST; ply++) {
        nonet_move move;
        if (game->wide == NULL) {
            int count = game->moves(options, &s->state, moves);
            if (count == 0)
                break;
            move = moves[nonet_random_below(&s->random, (uint32_t)count)];
        } else {
            if (game->turn(options, &s->state) == 0)
                break;
            uint64_t count = game->wide->count(options, &s->state, s->workspace);
            move = game->wide->nth(options, &s->state, s->workspace,
                                   nonet_random_below(&s->random, (uint32_t)count));
        }
        game->play(options, &s->state, s->workspace, move);
        s->nodes++;
    }
    if (game->turn(options, &s->state) == 0)
        game->result(options, &s->state, result);
    else
        draw(s, result);
}

/* Walks down to a position that is new to the tree, or over, or has no room in it; then plays out.
 */
static void descend(struct search *s, struct nonet_result *result) {
    const struct nonet_options *options = &s->task->options;
    const struct nonet_game *game = options->game;
    s->depth = 0;
    s->path[0] = 0;
    for (bool fresh = false; !fresh && s->depth < DEEPEST;) {
        int mover = game->turn(options, &s->state);
        if (mover == 0) {
            game->result(options, &s->state, result);
            return;
        }
        struct node *node = &s->tree[s->path[s->depth]];
        struct node *child = game->wide != NULL ? choose_wide(s, node) : choose_listed(s, node);
        if (child == NULL)
            break;
        fresh = child->visits == 0;
        game->play(options, &s->state, s->workspace, child->move);
        s->nodes++;
        s->depth++;
        s->path[s->depth] = (uint32_t)(child - s->tree);
        s->movers[s->depth] = mover;
        if (nonet_stands_third(s->hashes, s->task, &s->state, s->depth)) {
            draw(s, result);
            return;
        }
    }
    play_out(s, result);
}

static void iterate(struct search *s) {
    const struct nonet_search_task *task = s->task;
    const struct nonet_options *options = &task->options;
    const struct nonet_game *game = options->game;
    if (game->hidden != NULL) {
        int worlds = game->hidden->worlds(options, &task->state, task->seat);
        game->hidden->world(options, &task->state, task->seat,
                            (int)nonet_random_below(&s->random, (uint32_t)worlds), &s->state);
    } else {
        memcpy(&s->state, &task->state, game->state_size);
    }
    /* A copy takes as long as a few moves; undoing moves would have to undo every one of them. */
    if (game->wide != NULL)
        memcpy(s->workspace, task->workspace, game->wide->workspace_size);
    struct nonet_result result = {0};
    descend(s, &result);
    s->tree[0].visits++;
    for (int i = 1; i <= s->depth; i++) {
        struct node *node = &s->tree[s->path[i]];
        node->visits++;
        node->sum += (uint64_t)nonet_result_share(options, &result, s->movers[i]);
    }
}

static bool advance(void *search, uint64_t nodes) {
    struct search *s = search;
    s->allowed = nonet_nodes_and(s->allowed, nodes);
    while (s->nodes < s->allowed && s->tree[0].visits < UINT32_MAX)
        iterate(s);
    return s->tree[0].visits == UINT32_MAX;
}

/* ---- Reports ---- */

static const struct node *most_visited(const struct search *s, const struct node *node) {
    const struct node *most = NULL;
    for (uint32_t i = node->child; i != NONE; i = s->tree[i].sibling)
        if (most == NULL || s->tree[i].visits > most->visits)
            most = &s->tree[i];
    return most;
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    const struct nonet_options *options = &s->task->options;
    const struct node *root = &s->tree[0];
    report->nodes = s->nodes;
    report->depth = 0;
    report->by = "uct";
    report->count = 0;
    for (uint32_t i = root->child; i != NONE; i = s->tree[i].sibling) {
        const struct node *child = &s->tree[i];
        uint64_t full = (uint64_t)NONET_WHOLE_WIN * child->visits;
        int score = (int)(2 * NONET_SCORE_WON * child->sum / full) - NONET_SCORE_WON;
        nonet_report_add(report, (struct nonet_opinion){.move = child->move,
                                                        .known = NONET_ESTIMATED,
                                                        .score = (int16_t)score,
                                                        .visits = child->visits});
    }
    /* Then the moves that it has not looked at yet. */
    nonet_move moves[NONET_MAX_MOVES] = {s->any};
    int count = 1;
    if (options->game->wide == NULL)
        count = options->game->moves(options, &s->task->state, moves);
    for (int i = 0; i < count && (options->game->wide == NULL || report->count == 0); i++)
        if (child_with(s, root, moves[i]) == NULL)
            nonet_report_add(report,
                             (struct nonet_opinion){.move = moves[i], .known = NONET_ESTIMATED});
    report->line_length = 0;
    for (const struct node *node = most_visited(s, root);
         node != NULL && report->line_length < NONET_SEARCH_LINE; node = most_visited(s, node))
        report->line[report->line_length++] = node->move;
    if (report->line_length == 0)
        report->line[report->line_length++] = report->moves[0].move;
}

static bool plays(const struct nonet_options *options) {
    (void)options;
    return true;
}

const struct nonet_searcher nonet_search_uct = {
    .name = "uct",
    .plays = plays,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
