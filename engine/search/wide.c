/* A player for games with too many moves to list, in which a move only forbids other moves and a
 * player who cannot move loses (struct nonet_parts).
 *
 * What is left of such a game falls into independent parts. The theory of Sprague and Grundy says
 * which player wins a sum of parts. Every part has a nimber: the least number that is not the
 * nimber of anything that one move can leave of it. The player to move loses if and only if the
 * nimbers, added without carry, make 0. A part in which every move forbids all others has nimber 1.
 *
 * A nimber is exact if all moves of a part are followed, and all moves in what they leave. If there
 * are too many, some of them are sampled: `effort` says how many, with half as many one move later.
 * Such a nimber is a guess; more effort makes it better.
 *
 * The theory holds as long as moves do not run out for another reason. If there is a limit on their
 * number, it holds if the parts cannot exceed the limit. If they are sure to reach it, the limit
 * decides. In between, it depends on how many moves are expected.
 *
 * So the player tries moves at random, glances at what each leaves, and puts more and more effort
 * into the one that looks best, until another looks better. */
#include <string.h>

#include "../base/hash.h"
#include "../base/random.h"
#include "../rules/parts.h"
#include "../rules/swap.h"
#include "../rules/wide.h"
#include "search.h"

enum {
    MOST_CANDIDATES = 1024,
    FIRST_GLANCES = 64,  /* glances before any effort is put into a candidate */
    NODES_A_GLANCE = 32, /* and one more glance for this many nodes */
    FIRST_EFFORT = 8,
    MOST_EFFORT = 1 << 12,
    ENUMERATED = 16,  /* this many moves for each unit of effort are followed without sampling */
    TOO_EARLY = 1200, /* with more moves to come, in hundredths, a nimber says nothing */
    MOST_DEPTH = 64,  /* parts that are being worked out, one within the other */
    NO_BOUND = 255,
    /* Far from the end: */
    CHAINS = 24,       /* moves that are improved side by side */
    LOOKS_A_NODE = 16, /* moves looked at, which together count as a node */
    CLIMBS = 4,        /* nodes for each chain, before playouts */
    MOST_PLAYOUTS = 1 << 17,
    TOO_LATE = 300, /* hundredths of moves; with fewer to come, nimbers are all that counts */
    /* Hundredths of moves by which the limit can be missed or exceeded, and may still decide; near
     * the end, the player who wants few moves had better turn to the nimbers. */
    IN_DOUBT = 1000,
    LITTLE_DOUBT = 300,
    HOPE = 250,  /* of a playout's moves, in hundredths: an error to be hoped for */
    DOUBT = 100, /* and one to be feared */
    /* Bytes for parts, whatever the task says: an early position alone takes one or two million. */
    LEAST_MEMORY = 8 << 20,
    MOST_MEMORY = 24 << 20,
    MOST_TABLE = 8 << 20,
};

/* What is known about a part, or about several together. */
struct worth {
    uint8_t nimber;
    bool exact;
    uint8_t least, most; /* bounds on the number of moves that will be made; NO_BOUND: any number */
    int32_t expected;    /* expected moves, in hundredths */
    int32_t guessed;     /* of these, in parts without an exact nimber */
};
static const struct worth nothing = {.exact = true};
static const struct worth single = {
    .nimber = 1, .exact = true, .least = 1, .most = 1, .expected = 100};

/* Bounds are added up to the highest number they can hold. A bound on the fewest moves stays
 * correct when it is lower; a bound on the most moves stays correct when it is dropped. */
static uint8_t add_least(int a, int b) {
    return (uint8_t)(a + b < NO_BOUND ? a + b : NO_BOUND - 1);
}

static uint8_t add_most(int a, int b) {
    return (uint8_t)(a != NO_BOUND && b != NO_BOUND && a + b < NO_BOUND ? a + b : NO_BOUND);
}

static struct worth both(struct worth a, struct worth b) {
    return (struct worth){
        .nimber = a.nimber ^ b.nimber,
        .exact = a.exact && b.exact,
        .least = add_least(a.least, b.least),
        .most = add_most(a.most, b.most),
        .expected = a.expected + b.expected,
        .guessed = a.guessed + b.guessed,
    };
}

struct entry {
    uint64_t key;
    struct worth worth;
    uint32_t effort;
};

/* Parts in memory, one after the other, that are valued in turn. */
struct sum {
    size_t next;
    int pending;
    struct worth worth; /* of the parts before */
};

/* A part whose nimber is being worked out. */
struct frame {
    size_t part, after; /* where it starts, and where free memory starts */
    uint64_t key;
    uint32_t count, tried, tries, effort;
    uint64_t seen; /* nimbers of what moves leave */
    bool exact, trying;
    uint8_t least, most;
    struct sum left; /* by the move that is being tried */
};

struct candidate {
    nonet_move move;
    int part;        /* the part of the root that it is in */
    uint32_t effort; /* 0 after a glance */
    bool glanced, proven;
    int chance;              /* to win with it; 0 or SURE if proven */
    int look;                /* expected moves after it, in hundredths, at a first look */
    int64_t playouts, moves; /* number of playouts, and moves made in them */
    struct worth worth;      /* of what the move leaves */
};

struct search {
    const struct nonet_search_task *task;
    const struct nonet_parts *parts;
    uint64_t nodes, most_nodes;
    struct nonet_random random;
    uint64_t position; /* a hash of the root */
    int limit;         /* moves that can still be made */
    const char *by;    /* what proves a win */
    bool settled;

    bool swap; /* it is legal, and no move of a part */
    int roots; /* parts of the position */
    size_t root[NONET_MOST_PARTS], root_end;
    uint64_t root_count; /* moves */
    uint64_t drawn, draw_next, draw_step;

    int candidates;
    struct candidate candidate[MOST_CANDIDATES];
    struct candidate *trial; /* whose worth is being worked out, or null */
    uint32_t effort;         /* to put into it */
    struct sum own, others;  /* what it leaves of its own part, and the other parts */

    const struct nonet_sketch *sketch; /* null if it is not too early for nimbers */
    void *picture;

    int depth;
    struct frame frame[MOST_DEPTH];

    uint64_t table_mask;
    struct entry *table;
    size_t memory_size;
    unsigned char *memory;
};

/* --- Nimbers --- */

static uint64_t key_of(const struct search *s, size_t part) {
    return nonet_hash(s->memory + part, s->parts->size(s->memory + part));
}

static struct entry *entry_of(const struct search *s, uint64_t key) {
    return &s->table[key & s->table_mask];
}

/* What is known about a part without following moves: from before, or because it is single. */
static bool recall(struct search *s, size_t part, uint64_t key, uint32_t effort,
                   struct worth *worth) {
    struct entry *entry = entry_of(s, key);
    if (entry->key == key && (entry->worth.exact || entry->effort >= effort)) {
        *worth = entry->worth;
        return true;
    }
    if (entry->key == key || !s->parts->is_single(s->memory + part))
        return false;
    *entry = (struct entry){.key = key, .worth = single};
    *worth = single;
    return true;
}

/* The least number that has not been seen. */
static uint8_t mex(uint64_t seen) {
    uint8_t least = 0;
    for (; (seen >> least & 1) != 0; least++)
        ;
    return least;
}

/* Begins to work out a part's nimber. */
static void push(struct search *s, size_t part, size_t after, uint64_t key, uint32_t effort) {
    struct frame *frame = &s->frame[s->depth++];
    uint32_t count = s->parts->count(s->memory + part);
    *frame = (struct frame){
        .part = part,
        .after = after,
        .key = key,
        .count = count,
        .tries = count <= ENUMERATED * effort ? count : effort,
        .effort = effort,
        .exact = count <= ENUMERATED * effort,
        .least = NO_BOUND,
    };
}

/* Keeps what has been found out about the part on top. */
static void pop(struct search *s) {
    struct frame *frame = &s->frame[--s->depth];
    struct worth worth = {.nimber = mex(frame->seen), .exact = frame->exact, .least = 1};
    if (frame->exact) {
        worth.least = add_least(frame->least, 1);
        worth.most = add_most(frame->most, 1);
        worth.expected = (worth.least + worth.most) * 50;
    } else {
        worth.most = NO_BOUND;
        worth.expected = worth.guessed = s->parts->expected(s->memory + frame->part);
    }
    *entry_of(s, frame->key) = (struct entry){frame->key, worth, frame->effort};
}

/* Plays a move in a part and prepares to value what it leaves. If memory runs out, the sum is not
 * exact. */
static void leave(struct search *s, size_t part, nonet_move move, size_t after, struct sum *left) {
    *left = (struct sum){.next = after, .worth = nothing};
    s->nodes++;
    unsigned char *rest = s->memory + after;
    bool fits = s->parts->play(s->memory + part, move, rest, s->memory_size - after);
    if (fits && s->parts->count(rest) > 0) {
        left->next = after + s->parts->size(rest);
        left->pending = s->parts->split(rest, s->memory + left->next, s->memory_size - left->next);
        fits = left->pending > 0;
    }
    if (!fits)
        left->worth = (struct worth){.most = NO_BOUND};
}

static const size_t none = SIZE_MAX; /* no part is skipped */

/* Goes on to value a sum, without the part at `skipped`. False if a part of it must be worked out
 * first. */
static bool value(struct search *s, struct sum *sum, size_t skipped, size_t after,
                  uint32_t effort) {
    for (; sum->pending > 0; sum->pending--) {
        size_t size = s->parts->size(s->memory + sum->next);
        if (sum->next != skipped) {
            struct worth worth;
            uint64_t key = key_of(s, sum->next);
            if (!recall(s, sum->next, key, effort, &worth)) {
                if (effort > 0) {
                    push(s, sum->next, after, key, effort);
                    return false;
                }
                worth = (struct worth){.least = 1, .most = NO_BOUND};
                worth.expected = worth.guessed = s->parts->expected(s->memory + sum->next);
            }
            sum->worth = both(sum->worth, worth);
        }
        sum->next += size;
    }
    return true;
}

/* Where free memory starts, after the parts of a sum. */
static size_t end_of(const struct search *s, struct sum sum) {
    for (; sum.pending > 0; sum.pending--)
        sum.next += s->parts->size(s->memory + sum.next);
    return sum.next;
}

/* The index of the move to try next: all in turn, or spread over the part. */
static uint32_t next_index(const struct frame *frame) {
    if (frame->tries == frame->count)
        return frame->tried;
    uint32_t golden = 0x9e3779b9u; /* multiples of it, as fractions of 2^32, lie far apart */
    uint32_t fraction = (uint32_t)(frame->key >> 32) + golden * frame->tried;
    return (uint32_t)((uint64_t)fraction * frame->count >> 32);
}

/* Works on the part on top, until a move was played or the part is done. */
static void work(struct search *s) {
    struct frame *frame = &s->frame[s->depth - 1];
    if (frame->trying) {
        uint32_t effort = frame->effort > 1 ? frame->effort / 2 : 1;
        if (!value(s, &frame->left, none, end_of(s, frame->left), effort))
            return;
        struct worth worth = frame->left.worth;
        frame->seen |= (uint64_t)1 << (worth.nimber & 63);
        frame->exact &= worth.exact;
        frame->least = worth.least < frame->least ? worth.least : frame->least;
        frame->most = worth.most > frame->most ? worth.most : frame->most;
        frame->trying = false;
        frame->tried++;
    }
    if (frame->tried == frame->tries) {
        pop(s);
        return;
    }
    nonet_move move = s->parts->nth(s->memory + frame->part, next_index(frame));
    if (nonet_overlooked(s->task, frame->key, move) &&
        (frame->seen != 0 || frame->tried + 1 < frame->tries)) {
        frame->exact = false;
        frame->tried++;
        return;
    }
    leave(s, frame->part, move, frame->after, &frame->left);
    frame->trying = true;
}

/* --- Candidates --- */

/* Chances are counted in millionths: whole numbers, so that they are the same everywhere. */
enum { SURE = 1000000 };

/* From -SURE to SURE, steep in the middle: x^3 + x, squeezed. */
static int64_t squeeze(int64_t x) {
    int64_t y = x * x / SURE * x / SURE + x;
    return y * SURE / (SURE + (y < 0 ? -y : y));
}

/* The chance that as many more moves are made as the limit allows. */
static int64_t chance_of_limit(const struct worth *worth, int limit) {
    int64_t over = worth->expected - 100 * limit, deviation = 50 + worth->guessed / 10;
    return (SURE + squeeze(over * SURE / deviation)) / 2;
}

/* The chance that the nimbers decide. It falls with the number of moves in parts whose nimbers are
 * guessed. */
static int64_t trust_in(const struct candidate *c) {
    int64_t steps = 0, doubt = (int64_t)c->worth.guessed * c->worth.guessed;
    for (uint32_t effort = c->effort; effort >= FIRST_EFFORT; effort /= 2)
        steps += 40000;
    return steps + doubt > 0 ? steps * SURE / (steps + doubt) : 0;
}

/* Weighs up a candidate, once more is known about what it leaves to the other player. */
static void judge(struct search *s, struct candidate *c) {
    const struct worth *worth = &c->worth;
    int limit = s->limit - 1;
    bool limit_wins = limit % 2 == 0; /* the other player has no move after them */
    bool limit_decides = worth->least >= limit;
    bool nimbers_decide = worth->exact && worth->most <= limit;
    c->proven = limit_decides || nimbers_decide;
    if (c->proven) {
        c->chance = (limit_decides ? limit_wins : worth->nimber == 0) ? SURE : 0;
        return;
    }
    int64_t reached = chance_of_limit(worth, limit), trust = trust_in(c);
    int64_t parity = (worth->nimber == 0 ? SURE + trust : SURE - trust) / 2;
    int64_t chance = (limit_wins ? reached : 0) + (SURE - reached) * parity / SURE;
    c->chance = (int)(chance < 1 ? 1 : chance < SURE ? chance : SURE - 1);
}

/* Of two losing moves, the longer game gives the other player more chances to go wrong. */
static bool is_better(const struct candidate *a, const struct candidate *b) {
    if (a->chance != b->chance)
        return a->chance > b->chance;
    return a->chance == 0 && a->worth.expected > b->worth.expected;
}

static struct candidate *best_of(struct search *s) {
    struct candidate *best = &s->candidate[0];
    for (int i = 1; i < s->candidates; i++)
        if (is_better(&s->candidate[i], best))
            best = &s->candidate[i];
    return best;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Moves are drawn in large steps that reach every move once. */
static void prepare_drawing(struct search *s) {
    s->draw_next = nonet_random_next(&s->random) % s->root_count;
    s->draw_step = s->root_count * 618 / 1000 + 1;
    while (common_divisor(s->root_count, s->draw_step) > 1)
        s->draw_step++;
}

/* Room for one more candidate, if necessary that of a losing one; null if there is none. */
static struct candidate *place_for_candidate(struct search *s) {
    if (s->candidates < MOST_CANDIDATES)
        return &s->candidate[s->candidates++];
    struct candidate *worst = &s->candidate[0];
    for (int i = 1; i < s->candidates; i++)
        if (is_better(worst, &s->candidate[i]))
            worst = &s->candidate[i];
    return worst->proven ? worst : NULL;
}

static bool is_candidate(const struct search *s, nonet_move move) {
    for (int i = 0; i < s->candidates; i++)
        if (s->candidate[i].move == move)
            return true;
    return false;
}

/* The next move that is not overlooked; the first is seen in any case. */
static struct candidate *draw_candidate(struct search *s) {
    for (; s->drawn < s->root_count; s->drawn++) {
        uint64_t index = s->draw_next;
        s->draw_next = (s->draw_next + s->draw_step) % s->root_count;
        int part = 0;
        for (uint32_t count; index >= (count = s->parts->count(s->memory + s->root[part])); part++)
            index -= count;
        nonet_move move = s->parts->nth(s->memory + s->root[part], (uint32_t)index);
        if (is_candidate(s, move) || (s->drawn > 0 && nonet_overlooked(s->task, s->position, move)))
            continue;
        struct candidate *c = place_for_candidate(s);
        if (c != NULL) {
            *c = (struct candidate){.move = move, .part = part, .chance = SURE / 2};
            s->drawn++;
        }
        return c;
    }
    return NULL;
}

static void try(struct search *s, struct candidate *c, uint32_t effort) {
    s->trial = c;
    s->effort = effort;
    leave(s, s->root[c->part], c->move, s->root_end, &s->own);
    s->others = (struct sum){.next = s->root[0], .pending = s->roots, .worth = nothing};
}

/* Goes on with the trial; false if a part must be worked out first. */
static bool finish_trial(struct search *s) {
    struct candidate *c = s->trial;
    size_t after = end_of(s, s->own);
    if (!value(s, &s->own, none, after, s->effort) ||
        !value(s, &s->others, s->root[c->part], after, s->effort))
        return false;
    c->worth = both(s->own.worth, s->others.worth);
    c->effort = s->effort;
    c->glanced = true;
    judge(s, c);
    s->trial = NULL;
    return true;
}

/* A candidate that has not been glanced at, or null. */
static struct candidate *unseen(struct search *s) {
    for (int i = 0; i < s->candidates; i++)
        if (!s->candidate[i].glanced)
            return &s->candidate[i];
    return NULL;
}

/* Glances at one more candidate. False if there is none. */
static bool glance(struct search *s) {
    struct candidate *c = unseen(s);
    if (c == NULL)
        c = draw_candidate(s);
    if (c != NULL)
        try(s, c, 0);
    return c != NULL;
}

/* Puts more effort into a candidate. False if that is not worthwhile. */
static bool deepen(struct search *s, struct candidate *c) {
    if (c->proven || c->worth.guessed > TOO_EARLY || c->effort == MOST_EFFORT)
        return false;
    try(s, c, c->effort == 0 ? FIRST_EFFORT : c->effort * 2);
    return true;
}

/* Decides what to look at next, and begins with it. */
static void choose(struct search *s) {
    struct candidate *best = best_of(s);
    uint64_t glances = FIRST_GLANCES + s->nodes / NODES_A_GLANCE;
    if (best->chance == SURE)
        s->settled = true;
    else if ((s->drawn >= glances && unseen(s) == NULL) || !glance(s))
        s->settled = !deepen(s, best) && !glance(s);
}

/* --- Far from the end --- */

/* As long as nimbers say nothing, the length of the game is what counts: whether the limit is
 * reached. Then it wins for one player, and that player wants many moves. The other one wants few.
 * So moves are improved step by step, as seen in a rough picture. Then playouts compare them. */

/* Whether the player to move wants few moves: all of an even number leave them without one. */
static bool is_wasting(const struct search *s) {
    return s->limit % 2 == 0;
}

/* Takes `expected` as the number of moves to come after a candidate. */
static void weigh(struct search *s, struct candidate *c, int expected) {
    c->worth = (struct worth){.most = NO_BOUND, .expected = expected, .guessed = expected};
    int64_t reached = chance_of_limit(&c->worth, s->limit - 1);
    c->chance = (int)(is_wasting(s) ? SURE - reached : SURE + reached) / 2;
}

/* Takes the move in place of the candidate's own if it looks better. */
static void look_at(struct search *s, struct candidate *c, nonet_move move) {
    if (is_candidate(s, move))
        return;
    int look = s->sketch->look(s->picture, move, is_wasting(s));
    if (c->glanced && (is_wasting(s) ? look >= c->look : look <= c->look))
        return;
    *c = (struct candidate){.move = move, .glanced = true, .look = look};
    weigh(s, c, look);
}

static nonet_move any_move(struct search *s) {
    const struct nonet_search_task *task = s->task;
    return task->options.game->wide->nth(&task->options, &task->state, task->workspace,
                                         nonet_random_next(&s->random) % s->root_count);
}

static bool is_legal(const struct search *s, nonet_move move) {
    const struct nonet_search_task *task = s->task;
    return task->options.game->wide->test(&task->options, &task->state, task->workspace, move);
}

static void begin_chain(struct search *s) {
    struct candidate *c = &s->candidate[s->candidates];
    *c = (struct candidate){0};
    for (int i = 0; i < LOOKS_A_NODE; i++)
        look_at(s, c, any_move(s));
    s->candidates += c->glanced;
}

static void climb(struct search *s, struct candidate *c) {
    for (int i = 0; i < LOOKS_A_NODE; i++) {
        nonet_move move = s->sketch->vary(c->move, &s->random);
        if (is_legal(s, move))
            look_at(s, c, move);
    }
}

static int64_t square_root(int64_t square) {
    int64_t root = 0;
    for (int64_t bit = 1 << 20; bit > 0; bit /= 2)
        root += (root + bit) * (root + bit) <= square ? bit : 0;
    return root;
}

/* Moves after a candidate, in hundredths: more if they are wanted, fewer otherwise, as playouts may
 * err by `doubt` in hundredths after one of them. */
static int64_t hope(const struct search *s, const struct candidate *c, int doubt) {
    int64_t mean = c->moves * 100 / c->playouts;
    int64_t margin = doubt * (int64_t)10 / square_root(c->playouts * 100);
    return is_wasting(s) ? -mean + margin : mean + margin;
}

static void play_out(struct search *s) {
    struct candidate *next = &s->candidate[0];
    for (int i = 1; i < s->candidates; i++) {
        struct candidate *c = &s->candidate[i];
        if (next->playouts > 0 && (c->playouts == 0 || hope(s, c, HOPE) > hope(s, next, HOPE)))
            next = c;
    }
    next->moves +=
        s->sketch->playout(s->picture, next->move, MOST_DEPTH, is_wasting(s), &s->random);
    next->playouts++;
    int64_t sure = hope(s, next, -DOUBT);
    weigh(s, next, (int)(is_wasting(s) ? -sure : sure));
    s->settled = s->nodes >= MOST_PLAYOUTS;
}

/* Goes on from the picture to the parts, with the candidates found so far. */
static void leave_picture(struct search *s) {
    s->sketch = NULL;
    for (int i = 0; i < s->candidates; i++) {
        struct candidate *c = &s->candidate[i];
        *c = (struct candidate){.move = c->move, .chance = SURE / 2};
        while (!s->parts->contains(s->memory + s->root[c->part], c->move))
            c->part++;
    }
}

static void work_on_picture(struct search *s) {
    if (s->nodes < CHAINS)
        begin_chain(s);
    else if (s->nodes < (1 + CLIMBS) * CHAINS)
        climb(s, &s->candidate[s->nodes % (uint64_t)s->candidates]);
    else if (s->roots == 0)
        play_out(s);
    else
        leave_picture(s);
    s->nodes++;
}

/* --- The searcher --- */

static size_t table_entries(const struct nonet_search_task *task) {
    size_t bytes = task->memory / 4 < MOST_TABLE ? task->memory / 4 : MOST_TABLE, entries = 1024;
    while (2 * entries * sizeof(struct entry) <= bytes)
        entries *= 2;
    return entries;
}

static size_t part_memory(const struct nonet_search_task *task) {
    size_t bytes = task->memory / 2;
    bytes = bytes < MOST_MEMORY ? bytes : MOST_MEMORY;
    return bytes > LEAST_MEMORY ? bytes : LEAST_MEMORY;
}

static size_t padded(size_t size) {
    return (size + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN;
}

static size_t sketch_size(const struct nonet_search_task *task) {
    const struct nonet_sketch *sketch = task->options.game->wide->parts->sketch;
    return sketch != NULL ? sketch->size : 0;
}

static size_t size(const struct nonet_search_task *task) {
    return padded(sizeof(struct search)) + padded(table_entries(task) * sizeof(struct entry)) +
           padded(part_memory(task)) + padded(sketch_size(task));
}

static bool is_highest(const struct search *s) {
    return s->task->level == NONET_SEARCH_LEVELS;
}

/* Draws a picture if the limit may decide. Returns how many moves are expected, or 0. */
static int begin_picture(struct search *s) {
    const struct nonet_sketch *sketch = s->parts->sketch;
    if (!is_highest(s) || sketch == NULL)
        return 0;
    sketch->draw(&s->task->options, s->task->workspace, s->picture);
    int expected = sketch->look(s->picture, any_move(s), is_wasting(s));
    int over = expected - 100 * s->limit;
    int doubt = expected <= TOO_EARLY && is_wasting(s) ? LITTLE_DOUBT : IN_DOUBT;
    if (expected < TOO_LATE || over < -doubt || over > doubt)
        return 0;
    s->sketch = sketch;
    return expected;
}

static void begin(void *search, const struct nonet_search_task *task) {
    struct search *s = search;
    const struct nonet_options *options = &task->options;
    const struct nonet_game *game = options->game;
    memset(s, 0, sizeof *s);
    s->task = task;
    s->parts = game->wide->parts;
    s->most_nodes = nonet_level(options, task->level, task->skill).nodes;
    s->limit = s->parts->limit(options, &task->state);
    s->position = nonet_hash(&task->state, game->state_size);
    const uint64_t key[] = {task->seed, (uint64_t)task->thread, s->position};
    s->random = (struct nonet_random){nonet_hash_words(key, sizeof key)};

    s->table = (struct entry *)(void *)((unsigned char *)search + padded(sizeof *s));
    s->table_mask = table_entries(task) - 1;
    memset(s->table, 0, (s->table_mask + 1) * sizeof *s->table);
    s->memory = (unsigned char *)s->table + padded((s->table_mask + 1) * sizeof *s->table);
    s->memory_size = part_memory(task);
    s->picture = s->memory + padded(s->memory_size);

    int winner;
    struct candidate *first = &s->candidate[0];
    if (is_highest(s) && game->mirror != NULL &&
        game->mirror(options, &task->state, &winner, &first->move) && winner == task->seat) {
        s->by = "mirror";
        s->candidates = 1;
        first->glanced = first->proven = s->settled = true;
        first->chance = SURE;
        return;
    }
    s->by = "search";
    s->swap = nonet_swap_stage(options, &task->state) == NONET_SWAP_NOW;
    s->root_count = game->wide->count(options, &task->state, task->workspace) - s->swap;
    if (begin_picture(s) > TOO_EARLY) {
        begin_chain(s);
        return;
    }
    /* The whole comes first and its parts after it; then the parts take its place. */
    if (s->parts->gather(options, task->workspace, s->memory, s->memory_size)) {
        size_t whole = s->parts->size(s->memory);
        unsigned char *parts = s->memory + whole;
        s->roots = s->parts->split(s->memory, parts, s->memory_size - whole);
        struct sum all = {.next = whole, .pending = s->roots};
        memmove(s->memory, parts, end_of(s, all) - whole);
    }
    for (int i = 0; i < s->roots; i++) {
        s->root[i] = s->root_end;
        s->root_end += s->parts->size(s->memory + s->root_end);
    }
    prepare_drawing(s);
    if (s->sketch != NULL) {
        begin_chain(s);
    } else if (s->roots > 0) {
        draw_candidate(s);
    } else { /* no memory to look ahead in */
        s->settled = true;
        first->move = game->wide->nth(options, &task->state, task->workspace, s->draw_next);
        first->chance = SURE / 2;
        s->candidates = 1;
    }
}

static bool advance(void *search, uint64_t nodes) {
    struct search *s = search;
    uint64_t target = nonet_nodes_and(s->nodes, nodes);
    if (s->most_nodes > 0 && target > s->most_nodes)
        target = s->most_nodes;
    while (!s->settled && s->nodes < target) {
        if (s->sketch != NULL)
            work_on_picture(s);
        else if (s->depth > 0)
            work(s);
        else if (s->trial == NULL)
            choose(s);
        else
            finish_trial(s);
    }
    return s->settled || (s->most_nodes > 0 && s->nodes >= s->most_nodes);
}

static struct nonet_opinion opinion_of(const struct search *s, const struct candidate *c) {
    struct nonet_opinion opinion = {
        .move = c->move,
        .score = (int16_t)(c->chance / (SURE / (2 * NONET_SCORE_WON)) - NONET_SCORE_WON),
    };
    if (c->proven && is_highest(s)) {
        opinion.known = NONET_PROVEN;
        opinion.value.outcome = c->chance == SURE ? NONET_WIN : NONET_LOSS;
        opinion.value.distance = NONET_UNKNOWN_DISTANCE;
    }
    return opinion;
}

/* A swap gives away what the best other move is worth. */
static void add_swap(struct nonet_report *report) {
    struct nonet_opinion swap = report->moves[0];
    swap.move = NONET_SWAP;
    swap.score = (int16_t)-swap.score;
    if (swap.known == NONET_PROVEN)
        swap.value = nonet_value_negated(swap.value);
    int at = swap.score > report->moves[0].score ? 0 : report->count;
    memmove(&report->moves[at + 1], &report->moves[at],
            (size_t)(report->count - at) * sizeof report->moves[0]);
    report->moves[at] = swap;
    report->count++;
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    int order[MOST_CANDIDATES], count = 0;
    bool any_glanced = false, any_played_out = false;
    for (int i = 0; i < s->candidates; i++) {
        any_glanced |= s->candidate[i].glanced;
        any_played_out |= s->candidate[i].playouts > 0;
    }
    for (int i = 0; i < s->candidates; i++) {
        /* What was not glanced at, or not played out, cannot be compared with what was. */
        if (s->candidate[i].glanced != any_glanced ||
            (s->candidate[i].playouts > 0) != any_played_out)
            continue;
        /* Sorted by insertion: equals keep their order. */
        int at = count++;
        for (; at > 0 && is_better(&s->candidate[i], &s->candidate[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    report->nodes = s->nodes;
    report->depth = 0;
    report->count = count;
    for (int i = 0; i < count; i++)
        report->moves[i] = opinion_of(s, &s->candidate[order[i]]);
    /* The first stands for the position, which is lost only if every move is. So when searches of
     * several threads are merged, what one has proven counts for all. */
    bool all_tried =
        s->drawn == s->root_count && s->trial == NULL && report->count == s->candidates;
    if (report->moves[0].value.outcome == NONET_LOSS && !all_tried)
        report->moves[0].known = NONET_ESTIMATED;
    if (s->swap)
        add_swap(report);
    report->line[0] = report->moves[0].move;
    report->line_length = 1;
    report->by = report->moves[0].known == NONET_PROVEN ? s->by : "nimbers";
}

static bool plays(const struct nonet_options *options) {
    return options->game->wide != NULL && options->game->wide->parts != NULL;
}

const struct nonet_searcher nonet_search_wide = {
    .name = "wide",
    .plays = plays,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
