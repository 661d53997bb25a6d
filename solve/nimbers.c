/* A position is the set of moves that are still possible, a bit each. Two moves are neighbours if
 * one forbids the other. A set falls into connected parts, which are independent, so that the
 * nimber of a sum is the exclusive or of theirs.
 *
 * The question is never "which nimber", but "is it this one": a part whose nimber is m has no move
 * to a position of nimber m. One such move therefore answers no, which spares most moves of most
 * parts. (After Lemoine and Viennot, "Nimbers are inevitable", 2012.) The answers for a part are
 * remembered. Symmetric parts are the same part. */
#include "nimbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "budget.h"
#include "rules/parts.h"
#include "rules/session.h"
#include "rules/wide.h"

/* Enough for every part that can be solved in a day. */
enum { WORDS = 4, MOST_MOVES = 64 * WORDS, MOST_SYMMETRIES = 8 };

struct set {
    uint64_t word[WORDS];
};

/* What is known of a part. Nimbers are at most as large as the number of moves that can still be
 * made, which is far below 64 where parts can be solved. */
enum { MOST_NIMBER = 63 };
struct entry {
    struct set part; /* empty: nothing is kept here */
    uint64_t wrong;  /* bit m: the nimber is not m */
    int64_t nimber;  /* or -1 */
};

struct solver {
    struct budget budget;
    int moves;
    struct set forbidden[MOST_MOVES]; /* by each move, itself included */
    int symmetries;
    uint8_t turned[MOST_SYMMETRIES][MOST_MOVES];
    struct entry *entries;
    uint64_t room, used; /* of the entries; room is a power of two */
    bool failed;         /* the memory was too small */
};

/* --- Sets --- */

static bool is_empty(const struct set *set) {
    uint64_t any = 0;
    for (int i = 0; i < WORDS; i++)
        any |= set->word[i];
    return any == 0;
}

static int count(const struct set *set) {
    int sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += nonet_bits_count(set->word[i]);
    return sum;
}

static void add(struct set *set, int move) {
    set->word[move / 64] |= (uint64_t)1 << move % 64;
}

static struct set common(const struct set *a, const struct set *b) {
    struct set both;
    for (int i = 0; i < WORDS; i++)
        both.word[i] = a->word[i] & b->word[i];
    return both;
}

static struct set without(const struct set *a, const struct set *b) {
    struct set rest;
    for (int i = 0; i < WORDS; i++)
        rest.word[i] = a->word[i] & ~b->word[i];
    return rest;
}

/* The least move from `move` on, or MOST_MOVES. */
static int next_from(const struct set *set, int move) {
    for (int i = move / 64; i < WORDS; i++) {
        uint64_t bits = set->word[i];
        if (i == move / 64)
            bits &= UINT64_MAX << move % 64;
        if (bits != 0)
            return 64 * i + nonet_bits_first(bits);
    }
    return MOST_MOVES;
}

#define EACH(move, set)                                                                            \
    int move = next_from(set, 0);                                                                  \
    move < MOST_MOVES;                                                                             \
    move = next_from(set, move + 1)

/* Takes the connected part of the first move out of a set that is not empty. */
static struct set take_part(const struct solver *solver, struct set *from) {
    struct set part = {0}, fresh = {0};
    add(&fresh, next_from(from, 0));
    while (!is_empty(&fresh)) {
        struct set reached = {0};
        for (EACH(move, &fresh))
            for (int i = 0; i < WORDS; i++)
                reached.word[i] |= solver->forbidden[move].word[i];
        for (int i = 0; i < WORDS; i++)
            part.word[i] |= fresh.word[i];
        *from = without(from, &fresh);
        fresh = common(&reached, from);
    }
    return part;
}

/* The least of the symmetric sets. */
static struct set canonical(const struct solver *solver, const struct set *set) {
    struct set least = *set;
    for (int symmetry = 1; symmetry < solver->symmetries; symmetry++) {
        struct set turned = {0};
        for (EACH(move, set))
            add(&turned, solver->turned[symmetry][move]);
        for (int i = 0; i < WORDS; i++)
            if (turned.word[i] != least.word[i]) {
                if (turned.word[i] < least.word[i])
                    least = turned;
                break;
            }
    }
    return least;
}

/* --- What is remembered --- */

static struct entry *place_of(const struct solver *solver, const struct set *part) {
    uint64_t at = nonet_hash_words(part->word, sizeof part->word);
    for (;; at++) {
        struct entry *entry = &solver->entries[at & (solver->room - 1)];
        if (is_empty(&entry->part) || memcmp(&entry->part, part, sizeof *part) == 0)
            return entry;
    }
}

static bool make_room(struct solver *solver, uint64_t room) {
    struct entry *before = solver->entries;
    uint64_t had = solver->room;
    struct entry *entries = budget_take(&solver->budget, room * sizeof *entries);
    if (entries == NULL)
        return false;
    memset(entries, 0, room * sizeof *entries);
    solver->entries = entries;
    solver->room = room;
    for (uint64_t i = 0; i < had; i++)
        if (!is_empty(&before[i].part))
            *place_of(solver, &before[i].part) = before[i];
    budget_give_back(&solver->budget, before, had * sizeof *before);
    return true;
}

/* The entry of a part; null if there is no memory for a new one. It may move when the next part is
 * entered. */
static struct entry *enter(struct solver *solver, const struct set *part) {
    struct entry *entry = place_of(solver, part);
    if (!is_empty(&entry->part))
        return entry;
    if (solver->used >= solver->room / 4 * 3) {
        if (!make_room(solver, 2 * solver->room)) {
            solver->failed = true;
            return NULL;
        }
        entry = place_of(solver, part);
    }
    *entry = (struct entry){.part = *part, .nimber = -1};
    solver->used++;
    return entry;
}

/* --- Nimbers --- */

static bool is_nimber(struct solver *solver, const struct set *part, int nimber);

static int nimber_of(struct solver *solver, const struct set *part) {
    int nimber = 0;
    while (!is_nimber(solver, part, nimber) && !solver->failed)
        nimber++;
    return nimber;
}

/* Whether a set of independent parts has this nimber. All parts but the largest must be known
 * whole. */
static bool is_sum(struct solver *solver, struct set set, int nimber) {
    struct set largest = {0};
    int most = 0;
    while (!is_empty(&set)) {
        struct set part = take_part(solver, &set);
        int moves = count(&part);
        if (moves > most) {
            struct set smaller = largest;
            largest = part;
            part = smaller;
            most = moves;
        }
        if (!is_empty(&part))
            nimber ^= nimber_of(solver, &part);
    }
    return most == 0 ? nimber == 0 : is_nimber(solver, &largest, nimber);
}

/* The moves of a part, those that leave the fewest first: their answers are the quickest. Of moves
 * that forbid the same, one is enough. */
static int order_moves(const struct solver *solver, const struct set *part,
                       uint8_t moves[MOST_MOVES]) {
    int length = 0, forbids[MOST_MOVES];
    for (EACH(move, part)) {
        struct set struck = common(&solver->forbidden[move], part);
        int size = count(&struck), at = length;
        bool known = false;
        for (int i = 0; i < length && !known; i++)
            if (forbids[i] == size) {
                struct set other = common(&solver->forbidden[moves[i]], part);
                known = memcmp(&other, &struck, sizeof other) == 0;
            }
        if (known)
            continue;
        for (; at > 0 && forbids[at - 1] < size; at--) {
            forbids[at] = forbids[at - 1];
            moves[at] = moves[at - 1];
        }
        forbids[at] = size;
        moves[at] = (uint8_t)move;
        length++;
    }
    return length;
}

/* Whether a connected part has this nimber. */
static bool is_nimber(struct solver *solver, const struct set *part, int nimber) {
    if (nimber > MOST_NIMBER || solver->failed)
        return false;
    struct set form = canonical(solver, part);
    const struct entry *known = enter(solver, &form);
    if (known == NULL || known->wrong >> nimber & 1)
        return false;
    if (known->nimber >= 0)
        return known->nimber == nimber;
    uint8_t moves[MOST_MOVES];
    int length = order_moves(solver, &form, moves);
    bool is = true;
    for (int i = 0; i < length && is; i++)
        is = !is_sum(solver, without(&form, &solver->forbidden[moves[i]]), nimber);
    for (int less = 0; less < nimber && is; less++)
        is = !is_nimber(solver, &form, less);
    if (solver->failed)
        return false;
    struct entry *entry = place_of(solver, &form);
    if (is)
        entry->nimber = nimber;
    else
        entry->wrong |= (uint64_t)1 << nimber;
    return is;
}

/* --- The moves of a position --- */

/* All moves of a position as one part; null if there are too many, or no memory. */
static void *gather(const struct nonet_options *options, const void *state) {
    const struct nonet_wide *wide = options->game->wide;
    /* A move takes at most a run of its own; see parts.h for the alignment. */
    size_t room = 64 * (MOST_MOVES + 1);
    void *workspace = aligned_alloc(64, (wide->workspace_size + 63) / 64 * 64);
    void *part = malloc(room);
    bool fits = workspace != NULL && part != NULL;
    if (fits) {
        wide->enter(options, state, workspace);
        fits = wide->count(options, state, workspace) <= MOST_MOVES &&
               wide->parts->gather(options, workspace, part, room) &&
               wide->parts->count(part) <= MOST_MOVES;
    }
    free(workspace);
    if (!fits) {
        free(part);
        return NULL;
    }
    return part;
}

static int index_of(const struct nonet_parts *parts, const void *part, nonet_move move) {
    int index = 0;
    while (parts->nth(part, (uint32_t)index) != move)
        index++;
    return index;
}

/* Which moves forbid which, and where symmetries take them. A symmetry that does not map the
 * position onto itself is not used. */
static bool learn_moves(struct solver *solver, const struct nonet_options *options,
                        const void *part) {
    const struct nonet_game *game = options->game;
    const struct nonet_parts *parts = game->wide->parts;
    size_t room = 2 * parts->size(part) + 64;
    void *struck = malloc(room);
    if (struck == NULL)
        return false;
    solver->moves = (int)parts->count(part);
    bool fits = true;
    for (int i = 0; i < solver->moves && fits; i++) {
        fits = parts->forbidden(part, parts->nth(part, (uint32_t)i), struck, room);
        for (uint32_t j = 0; fits && j < parts->count(struck); j++)
            add(&solver->forbidden[i], index_of(parts, part, parts->nth(struck, j)));
    }
    free(struck);
    int symmetries = game->symmetries != NULL ? game->symmetries(options) : 1;
    solver->symmetries = 1; /* the first changes nothing */
    for (int symmetry = 1; symmetry < symmetries && solver->symmetries < MOST_SYMMETRIES;
         symmetry++) {
        uint8_t *turned = solver->turned[solver->symmetries];
        bool whole = true;
        for (int i = 0; i < solver->moves && whole; i++) {
            nonet_move move = game->turn_move(options, symmetry, parts->nth(part, (uint32_t)i));
            whole = parts->contains(part, move);
            turned[i] = whole ? (uint8_t)index_of(parts, part, move) : 0;
        }
        solver->symmetries += whole;
    }
    return fits;
}

/* The most moves that can still be made, or more: the moves are divided into sets of which only one
 * can be made, always beginning with the move that has the fewest left to share with. */
static int most_moves(const struct solver *solver, struct set left) {
    int cliques = 0;
    for (; !is_empty(&left); cliques++) {
        struct set candidates = left;
        while (!is_empty(&candidates)) {
            int chosen = -1, best = 0;
            bool first = count(&candidates) == count(&left);
            for (EACH(move, &candidates)) {
                struct set shared = common(&solver->forbidden[move], &candidates);
                int size = count(&shared);
                if (chosen < 0 || (first ? size < best : size > best)) {
                    chosen = move;
                    best = size;
                }
            }
            struct set only = {0};
            add(&only, chosen);
            left = without(&left, &only);
            candidates = common(&solver->forbidden[chosen], &candidates);
            candidates = without(&candidates, &only);
        }
    }
    return cliques;
}

bool solve_nimbers_applies(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    if (game->inner != NULL || game->wide == NULL || game->wide->parts == NULL)
        return false;
    struct nonet_session *session = nonet_session_new(options);
    bool few = session != NULL && nonet_session_count(session) <= MOST_MOVES;
    nonet_session_free(session);
    return few;
}

bool solve_nimbers(const struct nonet_options *options, const void *state,
                   const struct solve_limits *limits, struct nimbers_report *report,
                   struct nonet_text *why) {
    struct solver *solver = calloc(1, sizeof *solver);
    void *part = gather(options, state);
    bool solved = false;
    if (solver == NULL || part == NULL || !learn_moves(solver, options, part)) {
        nonet_text_add(why, "there are too many moves, or too little memory");
    } else {
        solver->budget.limit = limits->memory;
        struct set all = {0};
        for (int i = 0; i < solver->moves; i++)
            add(&all, i);
        int limit = options->game->wide->parts->limit(options, state);
        int most = most_moves(solver, all);
        if (most > limit) {
            nonet_text_format(why,
                              "%d moves might be made, but only %d are allowed: then the parts are "
                              "not independent",
                              most, limit);
        } else if (!make_room(solver, 1 << 12)) {
            budget_explain(&solver->budget, why);
        } else {
            int nimber = 0;
            while (!is_empty(&all)) {
                struct set one = take_part(solver, &all);
                nimber ^= nimber_of(solver, &one);
            }
            solved = !solver->failed;
            if (!solved)
                budget_explain(&solver->budget, why);
            *report =
                (struct nimbers_report){solver->moves, solver->used, nimber, solver->budget.most};
        }
        free(solver->entries);
    }
    free(part);
    free(solver);
    return solved;
}
