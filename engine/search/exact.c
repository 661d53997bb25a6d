/* Proofs by search.
 *
 * Every question has the form "can this side force a score of at least t?". The search stops as
 * soon as it knows the answer. What a score is depends on the game:
 *
 * - In a game with points there is one kind of question, for player 1 against player 2. The score
 *   is twice the margin, one more for a win, one less for a loss.
 * - In other games there are two kinds, for the player asked about and for all others together. A
 *   side's score is 0 in a position where it has won, and one less for every ply before that, so a
 *   faster win has a higher score. A side that can win in r plies has score -r.
 *
 * Answers are bounds, as tight as the search happened to find them: "at least 5" also answers
 * whether it is at least 3. Both bounds of a position are kept in a table under 128 bits of hash of
 * the canonical state. The chance that a search of 10^10 positions ever confuses two of them is
 * below 10^-18.
 *
 * The search is a loop over a stack of frames rather than a recursive function, so that it can stop
 * after any number of nodes and go on later. */
#include "exact.h"

#include <assert.h>
#include <string.h>

#include "../base/hash.h"
#include "nodes.h"

enum {
    NEVER = -20000, /* a score below all others: this side cannot force it at all */
    ALWAYS = 20000,
    FRAMES = NONET_EXACT_PLIES + 1,
    HISTORY = 4096,
    WAYS = 2, /* entries that share a cache line */
};

/* The kinds of questions. In games with points FOR is for player 1. */
enum side { FOR, AGAINST, SIDES };

/* What is known about a position: for each kind of question, the score is from low to high. */
struct entry {
    uint64_t key[2];
    int16_t low[SIDES], high[SIDES];
    nonet_move move; /* settled the last question, so it is likely to settle the next */
    uint32_t effort; /* nodes that it took; what is cheap to find again is dropped first */
};

/* A position on the path from the one asked about to the current one. */
struct frame {
    struct nonet_state state;
    uint64_t key[2];
    uint64_t began; /* number of nodes when it was entered */
    int goal;       /* the question: at least this score? */
    int best;       /* bound so far */
    bool choosing;  /* the side that wants the score is to move */
    int count, tried;
    nonet_move settling;               /* the move that settled the question, or UINT32_MAX */
    nonet_move moves[NONET_MAX_MOVES]; /* those already tried come first */
};

struct exact {
    struct nonet_options options;
    struct nonet_state state; /* of the question */
    int player;
    enum nonet_exact_status status;
    struct nonet_proof proof;
    bool points;
    uint64_t nodes, glances;
    /* What is known about the first position, and the current search. */
    int low[SIDES], high[SIDES];
    nonet_move winning; /* a move that wins for the player to move, or UINT32_MAX */
    enum side side;
    int depth;                    /* of the current frame; -1 if no search is running */
    uint32_t history[2][HISTORY]; /* how often a move settled a question, by the side to move */
    struct frame frames[FRAMES];
    uint64_t buckets;
    struct entry (*table)[WAYS];
};

/* The bytes before the table: the same number on every machine, so that the table has the same size
 * and a search takes the same course. */
enum { HEAD_BYTES = 1 << 20 };
static_assert(sizeof(struct exact) <= HEAD_BYTES, "there is room for the head");

size_t nonet_exact_least(const struct nonet_options *options) {
    (void)options;
    return HEAD_BYTES + 1024 * sizeof(struct entry[WAYS]);
}

void nonet_exact_begin(void *memory, size_t size, const struct nonet_options *options) {
    assert(size >= nonet_exact_least(options));
    struct exact *e = memory;
    memset(memory, 0, size);
    e->options = *options;
    e->points = options->game->facts & NONET_POINTS;
    e->buckets = (size - HEAD_BYTES) / sizeof(struct entry[WAYS]);
    if (e->buckets > UINT32_MAX)
        e->buckets = UINT32_MAX;
    e->table = (struct entry(*)[WAYS])((unsigned char *)memory + HEAD_BYTES);
    e->status = NONET_EXACT_BEYOND;
}

uint64_t nonet_exact_nodes(const void *exact) {
    return ((const struct exact *)exact)->nodes;
}

uint64_t nonet_exact_glances(const void *exact) {
    return ((const struct exact *)exact)->glances;
}

bool nonet_exact_answer(const void *exact, struct nonet_proof *proof) {
    const struct exact *e = exact;
    if (e->status == NONET_EXACT_SETTLED)
        *proof = e->proof;
    return e->status == NONET_EXACT_SETTLED;
}

bool nonet_exact_winning(const void *exact, nonet_move *move) {
    *move = ((const struct exact *)exact)->winning;
    return *move != UINT32_MAX;
}

/* --- Scores --- */

static int final_score(const struct exact *e, const void *state) {
    struct nonet_value value = nonet_value_result(&e->options, state, e->points ? 1 : e->player);
    if (e->points)
        return nonet_value_signed(&value);
    return value.outcome == (e->side == FOR ? NONET_WIN : NONET_LOSS) ? 0 : NEVER;
}

/* What the game itself knows about the score. */
static void bound(const struct exact *e, const void *state, int *low, int *high) {
    const struct nonet_game *game = e->options.game;
    *low = NEVER;
    *high = ALWAYS;
    if (e->points) {
        if (game->bounds != NULL) {
            game->bounds(&e->options, state, low, high);
            *low = nonet_signed_of_margin(*low, -1);
            *high = nonet_signed_of_margin(*high, 1);
        }
        return;
    }
    *high = -1;
    if (game->soonest == NULL)
        return;
    int soonest = NONET_EXACT_PLIES;
    for (int player = 1; player <= e->options.players; player++)
        if ((player == e->player) == (e->side == FOR)) {
            int plies = game->soonest(&e->options, state, player);
            soonest = plies < soonest ? plies : soonest;
        }
    *high = soonest > 1 ? -soonest : -1;
}

/* --- The table --- */

/* In games without points the player asked about is part of the question. */
static void make_key(const struct exact *e, const void *state, uint64_t key[2]) {
    nonet_hash_twice(state, e->options.game->state_size, e->points ? 0 : (uint64_t)e->player, key);
    key[1] |= 1; /* never 0, which is an empty entry */
}

static struct entry *bucket_of(const struct exact *e, const uint64_t key[2]) {
    return e->table[(key[0] >> 32) * e->buckets >> 32];
}

static struct entry *find(const struct exact *e, const uint64_t key[2]) {
    struct entry *bucket = bucket_of(e, key);
    for (int i = 0; i < WAYS; i++)
        if (bucket[i].key[0] == key[0] && bucket[i].key[1] == key[1])
            return &bucket[i];
    return NULL;
}

/* Keeps the answer to a frame's question. The first entry of a bucket is for what took long to
 * find, the second for what is new. */
static void keep(struct exact *e, const struct frame *frame, nonet_move move) {
    uint64_t spent = e->nodes - frame->began;
    uint32_t effort = spent < UINT32_MAX ? (uint32_t)spent : UINT32_MAX;
    struct entry *entry = find(e, frame->key);
    if (entry == NULL) {
        struct entry *bucket = bucket_of(e, frame->key);
        if (effort >= bucket[0].effort) {
            bucket[1] = bucket[0];
            entry = &bucket[0];
        } else {
            entry = &bucket[1];
        }
        *entry = (struct entry){
            .key = {frame->key[0], frame->key[1]}, .low = {NEVER, NEVER}, .high = {ALWAYS, ALWAYS}};
    }
    int16_t best = (int16_t)frame->best;
    if (frame->best >= frame->goal && best > entry->low[e->side])
        entry->low[e->side] = best;
    if (frame->best < frame->goal && best < entry->high[e->side])
        entry->high[e->side] = best;
    entry->move = move;
    if (effort > entry->effort)
        entry->effort = effort;
}

/* --- The search --- */

static uint32_t history_index(nonet_move move) {
    return (uint32_t)(move * 0x9e3779b1u) >> 20;
}

/* Takes the answer for one move into account; true if that settles the frame's question. */
static bool learn(struct frame *frame, int score) {
    if (frame->choosing ? score > frame->best : score < frame->best)
        frame->best = score;
    return frame->choosing ? frame->best >= frame->goal : frame->best < frame->goal;
}

/* The score before a move, from the score after it. */
static int one_ply_back(const struct exact *e, int score) {
    return e->points || score == NEVER || score == ALWAYS ? score : score - 1;
}

/* What is known about a position without a search, as bounds on its score. */
static void glance(const struct exact *e, const void *state, int *low, int *high) {
    if (!e->points && e->options.game->turn(&e->options, state) == 0)
        *low = *high = final_score(e, state);
    else
        bound(e, state, low, high);
}

static void credit(struct exact *e, const struct frame *frame, nonet_move move) {
    uint32_t *history = e->history[frame->choosing];
    uint64_t spent = e->nodes - frame->began;
    uint32_t worth = 1;
    for (; spent > 1; spent /= 2)
        worth++;
    history[history_index(move)] += worth;
    if (history[history_index(move)] > UINT32_MAX / 2)
        for (int i = 0; i < HISTORY; i++)
            history[i] /= 2;
}

/* Puts the moves first that settled the most questions elsewhere: then the first glances may be
 * enough. */
static void put_known_first(const uint32_t *history, nonet_move known, struct frame *frame) {
    enum { PICKED = 8 };
    nonet_move *moves = frame->moves;
    for (int first = 0; first < PICKED && first < frame->count; first++) {
        int next = first;
        uint32_t most = 0;
        for (int i = first; i < frame->count; i++) {
            uint32_t often = moves[i] == known ? UINT32_MAX : history[history_index(moves[i])];
            if (often > most) {
                most = often;
                next = i;
            }
        }
        nonet_move move = moves[next];
        moves[next] = moves[first];
        moves[first] = move;
    }
}

/* Glances at the position after every move. Moves whose score is known by that are done with. The
 * others are ordered: first those that are likely to settle the question. True if it is already
 * settled. */
static bool sift(struct exact *e, struct frame *frame, nonet_move known) {
    const struct nonet_game *game = e->options.game;
    const uint32_t *history = e->history[frame->choosing];
    uint64_t worths[NONET_MAX_MOVES];
    int count = 0;
    if (e->points)
        put_known_first(history, known, frame);
    for (int i = 0; i < frame->count; i++) {
        nonet_move move = frame->moves[i];
        struct nonet_state after;
        memcpy(&after, &frame->state, game->state_size);
        game->play(&e->options, &after, NULL, move);
        e->glances++;
        int low, high;
        glance(e, &after, &low, &high);
        low = one_ply_back(e, low);
        high = one_ply_back(e, high);
        if (low >= frame->goal || high < frame->goal) {
            if (learn(frame, low >= frame->goal ? low : high)) {
                frame->settling = move;
                if (e->points)
                    credit(e, frame, move);
                return true;
            }
            continue;
        }
        /* Ordered by the middle of the bounds, then by how often the move was good elsewhere. */
        int middle = low == NEVER || high == ALWAYS ? 2 * high : low + high;
        uint64_t worth = (uint64_t)(4 * ALWAYS + (frame->choosing ? middle : -middle)) << 32 |
                         history[history_index(move)];
        if (move == known)
            worth = UINT64_MAX;
        int to = count++;
        for (; to > 0 && worths[to - 1] < worth; to--) {
            worths[to] = worths[to - 1];
            frame->moves[to] = frame->moves[to - 1];
        }
        worths[to] = worth;
        frame->moves[to] = move;
    }
    frame->count = count;
    return count == 0;
}

/* Looks at the position in the frame at this depth, whose state and goal are set, and for which a
 * glance was not enough. True if its question is answered at once; the answer is in `best`. */
static bool enter(struct exact *e, int depth) {
    const struct nonet_game *game = e->options.game;
    struct frame *frame = &e->frames[depth];
    e->nodes++;
    frame->began = e->nodes;
    frame->settling = UINT32_MAX;
    struct nonet_state canonical;
    nonet_canonical(&e->options, &frame->state, &canonical);
    make_key(e, &canonical, frame->key);
    struct entry *entry = find(e, frame->key);
    if (entry != NULL && entry->low[e->side] >= frame->goal) {
        frame->best = entry->low[e->side];
        return true;
    }
    if (entry != NULL && entry->high[e->side] < frame->goal) {
        frame->best = entry->high[e->side];
        return true;
    }
    frame->count = game->moves(&e->options, &frame->state, frame->moves);
    frame->tried = 0;
    if (frame->count == 0) {
        frame->best = final_score(e, &frame->state);
        return true;
    }
    int mover = game->next(&e->options, &frame->state);
    frame->choosing = (mover == (e->points ? 1 : e->player)) == (e->side == FOR);
    frame->best = frame->choosing ? NEVER : ALWAYS;
    if (!sift(e, frame, entry != NULL ? entry->move : UINT32_MAX))
        return false;
    keep(e, frame, entry != NULL ? entry->move : UINT32_MAX);
    return true;
}

/* Answers the frame at this depth, and the frames before it that this settles. Returns the depth of
 * the first that stays open, or -1 if there is none. */
static int settle(struct exact *e, int depth) {
    for (; depth > 0; depth--) {
        struct frame *before = &e->frames[depth - 1];
        bool settled = learn(before, one_ply_back(e, e->frames[depth].best));
        if (!settled && before->tried < before->count)
            return depth - 1;
        nonet_move move = before->moves[before->tried - 1];
        if (settled) {
            credit(e, before, move);
            before->settling = move;
        }
        keep(e, before, move);
    }
    return -1;
}

/* Sets the question for the position asked about; true if it is answered at once. */
static bool pose(struct exact *e, enum side side, int goal) {
    e->side = side;
    e->frames[0].goal = goal;
    e->frames[0].state = e->state;
    e->depth = 0;
    return enter(e, 0);
}

/* Searches until the question is answered (true) or the nodes are used up (false). */
static bool search(struct exact *e, uint64_t until) {
    const struct nonet_game *game = e->options.game;
    while (e->nodes < until) {
        if (e->depth + 1 == FRAMES) {
            e->status = NONET_EXACT_BEYOND;
            return false;
        }
        struct frame *frame = &e->frames[e->depth], *child = frame + 1;
        memcpy(&child->state, &frame->state, game->state_size);
        game->play(&e->options, &child->state, NULL, frame->moves[frame->tried++]);
        child->goal = frame->goal + !e->points; /* undoes one_ply_back */
        e->depth++;
        if (!enter(e, e->depth))
            continue;
        e->depth = settle(e, e->depth);
        if (e->depth < 0)
            return true;
    }
    return false;
}

/* --- Questions --- */

static void conclude(struct exact *e, struct nonet_value value, const char *by) {
    e->proof = (struct nonet_proof){value, by};
    e->status = NONET_EXACT_SETTLED;
}

void nonet_exact_ask(void *exact, const void *state, int player) {
    struct exact *e = exact;
    const struct nonet_game *game = e->options.game;
    memset(&e->state, 0, sizeof e->state);
    memcpy(&e->state, state, game->state_size);
    e->player = player;
    e->depth = -1;
    e->winning = UINT32_MAX;
    e->status = NONET_EXACT_WORKING;
    for (int side = 0; side < SIDES; side++) {
        e->low[side] = NEVER;
        e->high[side] = e->points ? ALWAYS : -1;
    }
    int winner;
    nonet_move move;
    if (game->turn(&e->options, state) == 0)
        conclude(e, nonet_value_result(&e->options, state, player), "rules");
    else if (game->mirror != NULL && game->mirror(&e->options, state, &winner, &move))
        conclude(e,
                 (struct nonet_value){.outcome = winner == player ? NONET_WIN : NONET_LOSS,
                                      .distance = NONET_UNKNOWN_DISTANCE},
                 "mirror");
    else if (game->wide != NULL || game->next == NULL || game->hidden != NULL ||
             (game->facts & NONET_CHANCE))
        e->status = NONET_EXACT_BEYOND;
}

/* The next score to ask for in a game with points: first whether player 1 wins at all, then step by
 * step away from there, because answers for near scores help each other. */
static int next_goal(const struct exact *e) {
    int low = e->low[FOR], high = e->high[FOR];
    return low < 1 && high >= 1 ? 1 : low >= 1 ? low + 1 : high;
}

static void conclude_points(struct exact *e) {
    conclude(e, nonet_value_of_signed(e->player == 1 ? e->low[FOR] : -e->low[FOR]), "search");
}

/* Asks the next question, if one is left, or concludes. True if it was answered at once. */
static bool proceed(struct exact *e) {
    if (e->points) {
        if (e->low[FOR] < e->high[FOR])
            return pose(e, FOR, next_goal(e));
        conclude_points(e);
        return false;
    }
    if (e->low[FOR] > NEVER || e->low[AGAINST] > NEVER) {
        enum side side = e->low[FOR] > NEVER ? FOR : AGAINST;
        conclude(e,
                 (struct nonet_value){.outcome = side == FOR ? NONET_WIN : NONET_LOSS,
                                      .distance = (int16_t)-e->low[side]},
                 "search");
        return false;
    }
    /* The side that could be faster. */
    enum side side = e->high[FOR] >= e->high[AGAINST] ? FOR : AGAINST;
    if (e->high[side] == NEVER) {
        conclude(e, (struct nonet_value){.outcome = NONET_DRAW}, "search");
        return false;
    }
    return pose(e, side, e->high[side]);
}

enum nonet_exact_status nonet_exact_advance(void *exact, uint64_t nodes) {
    struct exact *e = exact;
    uint64_t until = nonet_nodes_and(e->nodes, nodes);
    while (e->status == NONET_EXACT_WORKING && e->nodes < until) {
        bool answered = e->depth < 0 ? proceed(e) : search(e, until);
        if (!answered)
            continue;
        const struct frame *first = &e->frames[0];
        if (e->points && first->goal == 1 && first->best != 0)
            e->winning = first->settling; /* only a win is settled by a single move */
        if (first->best >= first->goal)
            e->low[e->side] = first->best;
        else
            e->high[e->side] = first->best;
        e->depth = -1;
    }
    return e->status;
}
