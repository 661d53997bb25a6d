/* A tree search for games in which players know different things: information-set tree search with
 * an observer for each player (after Cowling, Powley and Whitehouse, 2012), and beliefs.
 *
 * A world is one possible state of the hidden things. The search lists the worlds that were
 * possible to the public at the first position it knows. It replays the moves in each, and drops
 * the worlds in which something else would have been seen. Anybody may still believe in the worlds
 * that are left.
 *
 * They are not all equally likely, because a move tells something about the player who made it. In
 * every world the search asks the game how the move would have appealed to a player with the
 * knowledge that they would have there. Worlds in which the move makes sense gain weight. Nobody
 * plays that simply, so this never rules a world out.
 *
 * The tree is one of public positions. Every iteration draws a world by weight and walks down. In a
 * node, the player to move has separate statistics for everything that they might know, and so
 * never acts on what they cannot know. Some iterations also redraw the seat's own secret, from what
 * the others can believe. Otherwise the others would learn in the tree to act as if they had seen
 * it, and hiding it would be worth nothing. Beyond the tree the game says what everybody may
 * expect.
 *
 * Meanwhile a small search for proofs looks for a win in every world, whatever the others know. */
#include <assert.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/power.h"
#include "../base/random.h"
#include "../rules/hidden.h"
#include "search.h"

enum {
    LIKELIEST = 1 << 24, /* weight of the likeliest world */
    DEEPEST = 128,       /* plies from the root to a node */
    EXPECTING = 16,      /* what a question to the game counts for, in nodes */
    /* In this many of ten iterations the seat's own secret is redrawn. */
    REDRAWN = 3,
    /* Lower levels conclude nothing from the moves that were played. */
    READING_LEVEL = 8,
    /* Of a hundred moves, this many are played for reasons that we do not see. */
    WHIMS = 10,
    ONE = 1 << 12, /* the whole win, when choosing */
    /* Proofs: one node of this many is theirs, and the most nodes for one depth. */
    PROOF_SHARE = 8,
    PROOF_NODES = 1 << 15,
    MOST_ITERATIONS = 1 << 28, /* so that 32 bits are enough for the counts */
    LEAST_TREE = 1 << 17,      /* bytes: enough for the root of any game */
    NOTHING = 0,               /* in place of an offset */
};
/* The size of the arena: 32 bits hold every offset, also when rounded up to a state's alignment. */
static const uint32_t MOST_WORDS = UINT32_MAX - NONET_STATE_ALIGN / 8;

struct world {
    struct nonet_state state;
    uint32_t weight;
    bool dropped;
    /* What each player knows here: worlds with the same number look the same to that player. */
    uint8_t known[NONET_MAX_PLAYERS];
};

struct stat {
    uint32_t visits;
    uint32_t share; /* sum of the player's shares of the win */
};

/* A node as seen by a player with this knowledge; one stat for each branch. */
struct set {
    uint32_t next; /* of the same node */
    uint32_t known;
    uint32_t visits;
    uint32_t root; /* of the visits, in sixteenths */
    struct stat stats[];
};

struct branch {
    nonet_move move;
    uint32_t child; /* the first: what is seen of a move may differ between worlds */
};

struct node {
    uint64_t seen;    /* hash of what the public sees */
    uint32_t sibling; /* after the same move */
    uint32_t set;     /* the first */
    uint16_t mover, count;
    struct branch branches[];
};

struct search {
    const struct nonet_search_task *task;
    const struct nonet_options *options;
    const struct nonet_game *game;
    struct nonet_random random;
    uint64_t nodes, allowed, iterations;
    int world_count, own; /* what the seat knows, as a number */
    struct world worlds[NONET_MAX_WORLDS];
    uint64_t own_weight, all_weight;

    int proof_depth;
    uint64_t proof_nodes, proof_limit;
    bool proof_cut, proof_over, won;
    nonet_move winning;
    nonet_move moves[NONET_MAX_MOVES]; /* room for a list */

    uint32_t used, room; /* of the arena, in words */
    uint64_t *arena;
    uint32_t root;
    /* With more than two players, for each branch of the root: the sum of every player's shares, as
     * far as the seat's own knowledge led there. */
    uint32_t sums;
};

/* The bytes before the arena: the same number on every machine, so that it is full at the same
 * time. */
enum { HEAD_BYTES = 1 << 16 };
static_assert(sizeof(struct search) <= HEAD_BYTES, "there is room for the head");

static void *at(const struct search *s, uint32_t offset) {
    return s->arena + offset;
}

/* Returns NOTHING if there is no room. */
static uint32_t reserve(struct search *s, size_t bytes) {
    size_t words = (bytes + 7) / 8;
    if (s->room - s->used < words)
        return NOTHING;
    s->used += (uint32_t)words;
    return s->used - (uint32_t)words;
}

static void copy_state(const struct search *s, struct nonet_state *to, const void *from) {
    memcpy(to, from, s->game->state_size);
}

/* Whether two states look the same to somebody. */
static bool alike(const struct search *s, int viewer, const void *a, const void *b) {
    struct nonet_state seen[2];
    s->game->hidden->observe(s->options, a, viewer, &seen[0]);
    s->game->hidden->observe(s->options, b, viewer, &seen[1]);
    return memcmp(&seen[0], &seen[1], s->game->state_size) == 0;
}

/* ---- Worlds ---- */

static bool is_own(const struct search *s, const struct world *world) {
    return world->known[s->task->seat - 1] == s->own;
}

/* What the seat saw before the index-th move, or sees now. */
static const void *view(const struct search *s, int index) {
    return index < s->task->ply ? nonet_search_history(s->task, index) : &s->task->state;
}

/* Numbers what this player may know. */
static void number_knowledge(struct search *s, int player) {
    int count = 0;
    for (int i = 0; i < s->world_count; i++) {
        struct world *world = &s->worlds[i];
        int like = 0;
        while (like < i && !alike(s, player, &s->worlds[like].state, &world->state))
            like++;
        world->known[player - 1] = like < i ? s->worlds[like].known[player - 1] : (uint8_t)count++;
    }
}

/* Lists the worlds of the first position. */
static void imagine(struct search *s) {
    const struct nonet_game *game = s->game;
    int seat = s->task->seat;
    struct nonet_state one, seen;
    game->hidden->world(s->options, view(s, 0), seat, 0, &one);
    game->hidden->observe(s->options, &one, NONET_SPECTATOR, &seen);
    s->world_count = game->hidden->worlds(s->options, &seen, NONET_SPECTATOR);
    if (s->world_count > NONET_MAX_WORLDS) /* more than a game may have: the others are ignored */
        s->world_count = NONET_MAX_WORLDS;
    for (int i = 0; i < s->world_count; i++) {
        s->worlds[i] = (struct world){.weight = LIKELIEST};
        game->hidden->world(s->options, &seen, NONET_SPECTATOR, i, &s->worlds[i].state);
    }
    for (int player = 1; player <= s->options->players; player++)
        number_knowledge(s, player);
    for (int i = 0; i < s->world_count; i++)
        if (alike(s, seat, &s->worlds[i].state, &one))
            s->own = s->worlds[i].known[seat - 1];
}

/* Whether a world that agrees with the seat's secret shows the seat what it saw before the index-th
 * move. */
static bool is_seen(const struct search *s, const struct world *world, int index) {
    struct nonet_state seen;
    s->game->hidden->observe(s->options, &world->state, s->task->seat, &seen);
    return memcmp(&seen, view(s, index), s->game->state_size) == 0;
}

/* Drops the worlds in which something else would be seen before the index-th move: seen by the seat
 * in worlds that agree with its secret, by the public in the others. One world is the true one,
 * unless a game has more worlds than it may; if none would be left, none is dropped. */
static void drop(struct search *s, int index) {
    const struct world *kept = NULL;
    for (int i = 0; i < s->world_count && kept == NULL; i++) {
        const struct world *world = &s->worlds[i];
        if (!world->dropped && is_own(s, world) && is_seen(s, world, index))
            kept = world;
    }
    for (int i = 0; i < s->world_count && kept != NULL; i++) {
        struct world *world = &s->worlds[i];
        if (!world->dropped)
            world->dropped = is_own(s, world)
                                 ? !is_seen(s, world, index)
                                 : !alike(s, NONET_SPECTATOR, &world->state, &kept->state);
    }
}

/* How likely a sensible player is to play this move, in units of 2^-16. */
static uint32_t likelihood(const struct search *s, const void *state, nonet_move played) {
    nonet_move moves[NONET_MAX_MOVES];
    int appeals[NONET_MAX_MOVES], best = INT32_MIN;
    int count = s->game->moves(s->options, state, moves);
    struct nonet_state seen;
    s->game->hidden->observe(s->options, state, s->game->turn(s->options, state), &seen);
    for (int i = 0; i < count; i++) {
        appeals[i] = nonet_appeal(s->options, s->task->weights, &seen, moves[i]);
        best = appeals[i] > best ? appeals[i] : best;
    }
    uint64_t sum = 0, mine = 0;
    for (int i = 0; i < count; i++) {
        uint64_t often = nonet_power(appeals[i] - best);
        sum += often;
        if (moves[i] == played)
            mine = often;
    }
    uint64_t sensible = (mine << 16) / sum, whim = (1 << 16) / (uint64_t)count;
    return (uint32_t)((sensible * (100 - WHIMS) + whim * WHIMS) / 100);
}

/* Shifts weight to the worlds in which the index-th move makes sense. */
static void read_move(struct search *s, int index) {
    uint64_t weights[NONET_MAX_WORLDS] = {0}, most = 1;
    uint32_t likely[NONET_MAX_WORLDS]; /* indexed by what the mover knows */
    bool asked[NONET_MAX_WORLDS] = {false};
    for (int i = 0; i < s->world_count; i++) {
        const struct world *world = &s->worlds[i];
        if (world->dropped)
            continue;
        int known = world->known[s->game->turn(s->options, &world->state) - 1];
        if (!asked[known])
            likely[known] = likelihood(s, &world->state, s->task->moves[index]);
        asked[known] = true;
        weights[i] = (uint64_t)world->weight * likely[known];
        most = weights[i] > most ? weights[i] : most;
    }
    for (int i = 0; i < s->world_count; i++) {
        uint64_t weight = weights[i] / (most / LIKELIEST + 1);
        s->worlds[i].weight = weight > 0 ? (uint32_t)weight : 1;
    }
}

/* Replays the game up to the position to search, in every world. */
static void replay(struct search *s) {
    bool reads = s->task->level >= READING_LEVEL;
    drop(s, 0);
    for (int i = 0; i < s->task->ply; i++) {
        if (reads)
            read_move(s, i);
        for (int w = 0; w < s->world_count; w++)
            if (!s->worlds[w].dropped)
                s->game->play(s->options, &s->worlds[w].state, NULL, s->task->moves[i]);
        drop(s, i + 1);
    }
    for (int w = 0; w < s->world_count; w++) {
        const struct world *world = &s->worlds[w];
        if (world->dropped)
            continue;
        s->all_weight += world->weight;
        s->own_weight += is_own(s, world) ? world->weight : 0;
    }
}

/* Draws a world by weight: among those that agree with the seat's secret, or among all. */
static const struct world *draw(struct search *s, bool own) {
    uint64_t total = own ? s->own_weight : s->all_weight;
    uint64_t left = nonet_random_next(&s->random) % total;
    for (const struct world *world = s->worlds;; world++) {
        if (world->dropped || (own && !is_own(s, world)))
            continue;
        if (left < world->weight)
            return world;
        left -= world->weight;
    }
}

/* ---- The tree ---- */

static uint64_t hash_of_public(const struct search *s, const void *state) {
    struct nonet_state seen;
    s->game->hidden->observe(s->options, state, NONET_SPECTATOR, &seen);
    return nonet_hash(&seen, s->game->state_size);
}

/* A new node, without the moves that the task's player overlooks; NOTHING if there is no room. */
static uint32_t add_node(struct search *s, const void *state, uint64_t seen) {
    nonet_move moves[NONET_MAX_MOVES];
    int count =
        nonet_leave_out_overlooked(s->task, seen, moves, s->game->moves(s->options, state, moves));
    uint32_t offset = reserve(s, sizeof(struct node) + (size_t)count * sizeof(struct branch));
    if (offset == NOTHING)
        return NOTHING;
    struct node *node = at(s, offset);
    *node = (struct node){.seen = seen,
                          .mover = (uint16_t)s->game->turn(s->options, state),
                          .count = (uint16_t)count};
    for (int i = 0; i < count; i++)
        node->branches[i] = (struct branch){.move = moves[i]};
    return offset;
}

/* The node as seen by a player who knows this. Null if it does not exist. */
static struct set *find_set(const struct search *s, const struct node *node, int known) {
    for (uint32_t i = node->set; i != NOTHING;) {
        struct set *set = at(s, i);
        if ((int)set->known == known)
            return set;
        i = set->next;
    }
    return NULL;
}

/* Null if there is no room. */
static struct set *add_set(struct search *s, struct node *node, int known) {
    size_t bytes = sizeof(struct set) + node->count * sizeof(struct stat);
    uint32_t offset = reserve(s, bytes);
    if (offset == NOTHING)
        return NULL;
    struct set *set = at(s, offset);
    memset(set, 0, bytes);
    set->known = (uint32_t)known;
    set->next = node->set;
    node->set = offset;
    return set;
}

/* The node after a branch where the public sees this state. `fresh` says whether it is new. NOTHING
 * if there is no room. */
static uint32_t follow(struct search *s, struct branch *branch, const void *state, bool *fresh) {
    uint64_t seen = hash_of_public(s, state);
    for (uint32_t i = branch->child; i != NOTHING;) {
        const struct node *node = at(s, i);
        if (node->seen == seen)
            return i;
        i = node->sibling;
    }
    *fresh = true;
    uint32_t offset = add_node(s, state, seen);
    if (offset != NOTHING) {
        ((struct node *)at(s, offset))->sibling = branch->child;
        branch->child = offset;
    }
    return offset;
}

/* ---- Iterations ---- */

/* The branch with the highest upper bound for the player: the mean, plus sqrt(N) / (n + 1) / 12.
 * Moves not yet tried come first, and chance decides between equals. */
static int choose(struct search *s, const struct node *node, const struct set *set) {
    uint64_t reach = (uint64_t)set->root * (ONE / 192), highest = 0;
    uint32_t equals = 0;
    int best = 0;
    for (int i = 0; i < node->count; i++) {
        const struct stat *stat = &set->stats[i];
        uint64_t bound = UINT64_MAX;
        if (stat->visits > 0)
            bound = (uint64_t)stat->share * ONE / ((uint64_t)stat->visits * NONET_WHOLE_WIN) +
                    reach / (stat->visits + 1);
        if (equals > 0 && bound < highest)
            continue;
        equals = bound > highest ? 1 : equals + 1;
        highest = bound;
        if (equals == 1 || nonet_random_below(&s->random, equals) == 0)
            best = i;
    }
    return best;
}

static void learn(struct set *set, int branch, int share) {
    set->visits++;
    while ((uint64_t)(set->root + 1) * (set->root + 1) <= (uint64_t)set->visits * 256)
        set->root++;
    set->stats[branch].visits++;
    set->stats[branch].share += (uint32_t)share;
}

/* What each player may expect from a state, or has in the end, in shares of the win. Shares are
 * whole numbers, so chance rounds them. */
static void expect(struct search *s, const struct nonet_state *state,
                   int shares[NONET_MAX_PLAYERS]) {
    if (s->game->turn(s->options, state) == 0) {
        struct nonet_result result = {0};
        s->game->result(s->options, state, &result);
        for (int player = 1; player <= s->options->players; player++)
            shares[player - 1] = nonet_result_share(s->options, &result, player);
        return;
    }
    s->nodes += EXPECTING;
    nonet_expect(s->options, s->task->weights, state, shares);
    for (int i = 0; i < s->options->players; i++) {
        uint32_t exact = (uint32_t)shares[i] * NONET_WHOLE_WIN;
        shares[i] = (int)((exact + nonet_random_below(&s->random, NONET_EXPECTED_WHOLE)) /
                          NONET_EXPECTED_WHOLE);
    }
}

/* Walks down to a position that is new to the tree, or over, or has no room in it. Records what may
 * be expected there in the nodes on the path. */
static void iterate(struct search *s) {
    const struct nonet_game *game = s->game;
    const struct world *world = draw(s, s->iterations++ % 10 >= REDRAWN);
    struct nonet_state state;
    copy_state(s, &state, &world->state);
    struct {
        struct set *set;
        int branch, mover;
    } path[DEEPEST];
    int depth = 0;
    uint32_t here = s->root;
    for (bool fresh = false; !fresh && here != NOTHING && depth < DEEPEST;) {
        struct node *node = at(s, here);
        int known = world->known[node->mover - 1];
        struct set *set = find_set(s, node, known);
        if (set == NULL)
            set = add_set(s, node, known);
        if (set == NULL)
            break;
        int branch = choose(s, node, set);
        path[depth].set = set;
        path[depth].branch = branch;
        path[depth++].mover = node->mover;
        game->play(s->options, &state, NULL, node->branches[branch].move);
        s->nodes++;
        if (game->turn(s->options, &state) == 0)
            break;
        here = follow(s, &node->branches[branch], &state, &fresh);
    }
    int shares[NONET_MAX_PLAYERS];
    expect(s, &state, shares);
    for (int i = 0; i < depth; i++)
        learn(path[i].set, path[i].branch, shares[path[i].mover - 1]);
    if (s->sums != NOTHING && depth > 0 && path[0].set->known == (uint32_t)s->own) {
        uint32_t(*sums)[NONET_MAX_PLAYERS] = at(s, s->sums);
        for (int player = 0; player < s->options->players; player++)
            sums[path[0].branch][player] += (uint32_t)shares[player];
    }
}

/* ---- Proofs ---- */

static bool wins(struct search *s, const struct nonet_state *states, int count, int plies);

/* There is no room for proofs any more. */
static void give_up(struct search *s) {
    s->proof_cut = true;
    s->proof_limit = 0;
}

/* Whether the seat wins for sure after a move from these states. They may come to look different:
 * then the seat knows more, and may continue differently in each. */
static bool wins_after(struct search *s, const struct nonet_state *states, int count,
                       nonet_move move, int plies) {
    uint32_t kept = s->used, aligned = (s->used + 3) / 4 * 4;
    s->used = aligned < s->room ? aligned : s->room;
    uint32_t offset = reserve(s, (size_t)count * sizeof *states);
    bool won = offset != NOTHING;
    if (!won)
        give_up(s);
    struct nonet_state *after = at(s, offset);
    for (int i = 0; won && i < count; i++) {
        copy_state(s, &after[i], &states[i]);
        s->game->play(s->options, &after[i], NULL, move);
        s->nodes++;
        s->proof_nodes++;
    }
    for (int first = 0, end; won && first < count; first = end) {
        /* Those that look like the first are moved to the places after it. */
        end = first + 1;
        for (int i = end; i < count; i++)
            if (alike(s, s->task->seat, &after[first], &after[i])) {
                struct nonet_state other = after[end];
                after[end++] = after[i];
                after[i] = other;
            }
        won = wins(s, after + first, end - first, plies);
    }
    s->used = kept;
    return won;
}

/* Whether the seat, which cannot tell these states apart, has a sure whole win within so many
 * plies, whatever the others do and know. */
static bool wins(struct search *s, const struct nonet_state *states, int count, int plies) {
    int mover = s->game->turn(s->options, &states[0]);
    if (mover == 0) {
        for (int i = 0; i < count; i++) {
            struct nonet_result result = {0};
            s->game->result(s->options, &states[i], &result);
            if (nonet_result_share(s->options, &result, s->task->seat) != NONET_WHOLE_WIN)
                return false;
        }
        return true;
    }
    if (plies == 0 || s->proof_nodes >= s->proof_limit) {
        s->proof_cut = true;
        return false;
    }
    /* The list is kept in the arena, because proofs are deep and the stack may be small. */
    int moves_count = s->game->moves(s->options, &states[0], s->moves);
    uint32_t kept = s->used, list = reserve(s, (size_t)moves_count * sizeof(nonet_move));
    if (list == NOTHING) {
        give_up(s);
        return false;
    }
    nonet_move *moves = at(s, list);
    memcpy(moves, s->moves, (size_t)moves_count * sizeof *moves);
    bool chooses = mover == s->task->seat, settled = false;
    for (int i = 0; !settled && i < moves_count; i++)
        settled = wins_after(s, states, count, moves[i], plies - 1) == chooses;
    s->used = kept;
    return settled == chooses;
}

/* The states that the seat considers possible; returns how many. */
static int own_states(const struct search *s, struct nonet_state states[NONET_MAX_WORLDS]) {
    int count = 0;
    for (int i = 0; i < s->world_count; i++)
        if (!s->worlds[i].dropped && is_own(s, &s->worlds[i]))
            copy_state(s, &states[count++], &s->worlds[i].state);
    return count;
}

/* Looks for a proof that is one ply longer than before. */
static void prove(struct search *s) {
    struct nonet_state states[NONET_MAX_WORLDS];
    int count = own_states(s, states);
    const struct node *root = at(s, s->root);
    s->proof_cut = false;
    s->proof_limit = s->proof_nodes + PROOF_NODES;
    for (int i = 0; !s->won && i < root->count; i++) {
        s->winning = root->branches[i].move;
        s->won = wins_after(s, states, count, s->winning, s->proof_depth);
    }
    s->proof_depth++;
    s->proof_over = s->won || !s->proof_cut || s->proof_nodes >= s->proof_limit;
}

/* ---- The searcher ---- */

static size_t size(const struct nonet_search_task *task) {
    size_t least = HEAD_BYTES + LEAST_TREE;
    size_t bytes = task->memory > least ? task->memory : least;
    return bytes / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN;
}

static void begin(void *search, const struct nonet_search_task *task) {
    struct search *s = search;
    memset(s, 0, sizeof *s);
    s->task = task;
    s->options = &task->options;
    s->game = task->options.game;
    const uint64_t seed[] = {task->seed, (uint64_t)task->thread, (uint64_t)task->ply};
    s->random.state = nonet_hash_words(seed, sizeof seed);
    s->arena = (uint64_t *)((unsigned char *)search + HEAD_BYTES);
    size_t words = (size(task) - HEAD_BYTES) / sizeof *s->arena;
    s->room = words < MOST_WORDS ? (uint32_t)words : MOST_WORDS;
    s->used = 1; /* offset 0 is NOTHING */
    imagine(s);
    replay(s);
    const void *state = &draw(s, true)->state;
    s->root = add_node(s, state, hash_of_public(s, state));
    add_set(s, at(s, s->root), s->own);
    if (s->options->players > 2) {
        size_t bytes = ((struct node *)at(s, s->root))->count * sizeof(uint32_t[NONET_MAX_PLAYERS]);
        s->sums = reserve(s, bytes);
        if (s->sums != NOTHING)
            memset(at(s, s->sums), 0, bytes);
    }
    s->proof_over = task->level < NONET_SEARCH_LEVELS;
}

static bool is_done(const struct search *s) {
    const struct node *root = at(s, s->root);
    bool decided = s->won || (root->count == 1 && s->iterations > 0);
    return (decided && !s->task->every_move) || s->iterations == MOST_ITERATIONS;
}

static bool advance(void *search, uint64_t nodes) {
    struct search *s = search;
    s->allowed = nonet_nodes_and(s->allowed, nodes);
    while (s->nodes < s->allowed && !is_done(s)) {
        if (!s->proof_over && s->nodes >= PROOF_SHARE * s->proof_nodes)
            prove(s);
        else
            iterate(s);
    }
    return is_done(s);
}

/* ---- Reports ---- */

/* What is known for sure about a move: it wins by the proof, or it ends the game at once, in the
 * same way in every world. */
static bool is_settled(const struct search *s, nonet_move move, struct nonet_value *value) {
    *value = (struct nonet_value){.outcome = NONET_WIN, .distance = NONET_UNKNOWN_DISTANCE};
    if (s->task->level < NONET_SEARCH_LEVELS)
        return false;
    if (s->won && move == s->winning)
        return true;
    struct nonet_state states[NONET_MAX_WORLDS];
    int count = own_states(s, states), share = -1;
    for (int i = 0; i < count; i++) {
        s->game->play(s->options, &states[i], NULL, move);
        if (s->game->turn(s->options, &states[i]) != 0)
            return false;
        struct nonet_result result = {0};
        s->game->result(s->options, &states[i], &result);
        int other = nonet_result_share(s->options, &result, s->task->seat);
        if (share >= 0 && other != share)
            return false;
        share = other;
    }
    value->outcome = share == 0 ? NONET_LOSS : share == NONET_WHOLE_WIN ? NONET_WIN : NONET_DRAW;
    value->distance = 1;
    return true;
}

static struct nonet_opinion opinion_of(const struct search *s, nonet_move move) {
    const struct node *root = at(s, s->root);
    const struct set *set = find_set(s, root, s->own);
    struct nonet_opinion opinion = {.move = move, .known = NONET_ESTIMATED};
    for (int i = 0; i < root->count; i++) {
        const struct stat *stat = &set->stats[i];
        if (root->branches[i].move != move || stat->visits == 0)
            continue;
        uint64_t whole = (uint64_t)stat->visits * NONET_WHOLE_WIN;
        opinion.visits = stat->visits;
        opinion.score =
            (int16_t)(2 * NONET_SCORE_WON * (uint64_t)stat->share / whole - NONET_SCORE_WON);
        const uint32_t(*sums)[NONET_MAX_PLAYERS] = at(s, s->sums);
        for (int k = 0; s->sums != NOTHING && k < s->options->players; k++)
            opinion.chances[k] = (int16_t)(NONET_SCORE_WON * (uint64_t)sums[i][k] / whole);
    }
    if (is_settled(s, move, &opinion.value)) {
        opinion.known = NONET_PROVEN;
        opinion.score = nonet_score_of_value(&opinion.value);
    }
    return opinion;
}

/* The most visited set of this node and its later siblings. Null if there is none. */
static const struct set *busiest_set(const struct search *s, uint32_t first,
                                     const struct node **of) {
    const struct set *best = NULL;
    for (uint32_t i = first; i != NOTHING;) {
        const struct node *node = at(s, i);
        for (uint32_t j = node->set; j != NOTHING;) {
            const struct set *set = at(s, j);
            if (best == NULL || set->visits > best->visits) {
                best = set;
                *of = node;
            }
            j = set->next;
        }
        i = node->sibling;
    }
    return best;
}

/* What the search expects from its best move on. */
static void trace(const struct search *s, struct nonet_report *report) {
    report->line[0] = report->moves[0].move;
    report->line_length = 1;
    const struct node *node = at(s, s->root);
    int branch = 0;
    while (branch < node->count && node->branches[branch].move != report->line[0])
        branch++;
    if (branch == node->count)
        return;
    const struct set *set;
    while (report->line_length < NONET_SEARCH_LINE &&
           (set = busiest_set(s, node->branches[branch].child, &node)) != NULL) {
        branch = 0;
        for (int i = 1; i < node->count; i++)
            if (set->stats[i].visits > set->stats[branch].visits)
                branch = i;
        report->line[report->line_length++] = node->branches[branch].move;
    }
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    report->nodes = s->nodes;
    report->depth = 0;
    report->by = s->won ? "search" : "worlds";
    report->count = 0;
    nonet_move moves[NONET_MAX_MOVES];
    int count = s->game->moves(s->options, &s->task->state, moves);
    for (int i = 0; i < count; i++)
        nonet_report_add(report, opinion_of(s, moves[i]));
    trace(s, report);
}

static bool plays(const struct nonet_options *options) {
    return options->game->hidden != NULL;
}

const struct nonet_searcher nonet_search_hidden = {
    .name = "hidden",
    .plays = plays,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
