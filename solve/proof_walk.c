#include "proof_walk.h"

#include <stdlib.h>
#include <string.h>

#include "rules/values.h"

/* No game that is proved is longer. */
enum { PLIES = 64 };

/* A position of the prover with its open moves, or of the other side. */
struct proof_step {
    struct nonet_state state;
    int count;
    nonet_move moves[NONET_MAX_MOVES];
};

bool proof_applies(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    return options->players == 2 && game->facts & NONET_POINTS && game->bounds != NULL &&
           game->next != NULL && game->moves != NULL && game->hidden == NULL &&
           !(game->facts & NONET_CHANCE) && game->inner == NULL;
}

/* --- Claims --- */

static int judge(const struct proof_claim *claim, int low, int high) {
    int proved = low >= claim->goal ? 1 : high < claim->goal ? -1 : 0;
    return claim->at_least ? proved : -proved;
}

static int glance(const struct proof_walk *walk, const void *state, int *middle) {
    int low, high;
    walk->options->game->bounds(walk->options, state, &low, &high);
    *middle = low + high;
    return judge(&walk->claim, nonet_signed_of_margin(low, -1), nonet_signed_of_margin(high, 1));
}

static bool final_proves(const struct proof_walk *walk, const void *state) {
    struct nonet_value value = nonet_value_result(walk->options, state, 1);
    int score = nonet_value_signed(&value);
    return judge(&walk->claim, score, score) > 0;
}

static bool prover_moves(const struct proof_walk *walk, const void *state) {
    return (walk->options->game->next(walk->options, state) == 1) == walk->claim.at_least;
}

/* --- Moves --- */

void proof_walk_play(const struct proof_walk *walk, const void *state, nonet_move move,
                     struct nonet_state *after) {
    const struct nonet_game *game = walk->options->game;
    memset(after, 0, sizeof *after);
    memcpy(after, state, game->state_size);
    game->play(walk->options, after, NULL, move);
}

/* Lists the moves that are not settled at a glance: the best for the player to move first, by the
 * sum of the bounds after them; of equal ones the first in the order of the game. 1 or -1 if the
 * position itself is settled by that. */
static int list_open_moves(const struct proof_walk *walk, const void *state, bool proving,
                           struct proof_step *step) {
    const struct nonet_game *game = walk->options->game;
    nonet_move moves[NONET_MAX_MOVES];
    int worths[NONET_MAX_MOVES];
    int all = game->moves(walk->options, state, moves);
    step->count = 0;
    if (all == 0)
        return final_proves(walk, state) ? 1 : -1;
    int sign = game->next(walk->options, state) == 1 ? 1 : -1;
    for (int i = 0; i < all; i++) {
        struct nonet_state after;
        int worth;
        proof_walk_play(walk, state, moves[i], &after);
        int settled = glance(walk, &after, &worth);
        if (settled == (proving ? 1 : -1))
            return settled;
        if (settled != 0)
            continue;
        int to = step->count++;
        for (worth *= sign; to > 0 && worths[to - 1] < worth; to--) {
            worths[to] = worths[to - 1];
            step->moves[to] = step->moves[to - 1];
        }
        worths[to] = worth;
        step->moves[to] = moves[i];
    }
    return step->count > 0 ? 0 : proving ? -1 : 1;
}

/* --- Leaves --- */

static bool search(const struct proof_walk *walk, struct proof_step *step, int depth,
                   uint64_t limit, uint64_t *positions) {
    if (depth == PLIES || *positions == limit)
        return false;
    ++*positions;
    bool proving = prover_moves(walk, &step->state);
    int settled = list_open_moves(walk, &step->state, proving, step);
    if (settled != 0)
        return settled > 0;
    for (int i = 0; i < step->count; i++) {
        proof_walk_play(walk, &step->state, step->moves[i], &step[1].state);
        if (search(walk, step + 1, depth + 1, limit, positions) == proving)
            return proving;
    }
    return !proving;
}

static bool settles(const struct proof_walk *walk, const void *state, uint64_t *positions) {
    memset(&walk->leaf_steps->state, 0, sizeof walk->leaf_steps->state);
    memcpy(&walk->leaf_steps->state, state, walk->options->game->state_size);
    return search(walk, walk->leaf_steps, 0, *positions + walk->limit, positions);
}

bool proof_walk_settles(const struct proof_walk *walk, const void *state) {
    uint64_t positions = 0;
    return settles(walk, state, &positions);
}

/* --- What is proved --- */

struct proof_seen {
    uint64_t hash[2]; /* the second is never 0 */
};

static struct proof_seen hash_of(const struct proof_walk *walk, const void *canonical) {
    size_t size = walk->options->game->state_size;
    return (struct proof_seen){{nonet_siphash(&walk->key[0], canonical, size),
                                nonet_siphash(&walk->key[1], canonical, size) | 1}};
}

/* Where it is, or belongs. */
static struct proof_seen *place_of(const struct proof_walk *walk, const struct proof_seen *seen) {
    for (uint64_t at = seen->hash[0];; at++) {
        struct proof_seen *place = &walk->seen[at & (walk->seen_room - 1)];
        if (place->hash[1] == 0 || memcmp(place, seen, sizeof *seen) == 0)
            return place;
    }
}

static bool make_room(struct proof_walk *walk, uint64_t room) {
    struct proof_seen *before = walk->seen;
    uint64_t had = walk->seen_room;
    struct proof_seen *larger = budget_take(walk->budget, room * sizeof *larger);
    if (larger == NULL)
        return false;
    memset(larger, 0, room * sizeof *larger);
    walk->seen = larger;
    walk->seen_room = room;
    for (uint64_t i = 0; i < had; i++)
        if (before[i].hash[1] != 0)
            *place_of(walk, &before[i]) = before[i];
    budget_give_back(walk->budget, before, had * sizeof *before);
    return true;
}

static bool remember(struct proof_walk *walk, const struct proof_seen *seen) {
    if (walk->seen_count >= walk->seen_room / 4 * 3 && !make_room(walk, 2 * walk->seen_room))
        return false;
    *place_of(walk, seen) = *seen;
    walk->seen_count++;
    return true;
}

/* --- The walk --- */

static bool fail(const struct proof_walk *walk, const void *state, const char *reason,
                 struct nonet_text *why) {
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    walk->options->game->write(walk->options, state, &text);
    nonet_text_format(why, "position \"%s\": %s", line, reason);
    return false;
}

static bool walk_other(struct proof_walk *walk, struct proof_step *step, struct nonet_text *why);

/* A position in which the prover is to move. */
static bool walk_prover(struct proof_walk *walk, struct proof_step *step, struct nonet_text *why) {
    struct nonet_state state = step->state;
    memset(&step->state, 0, sizeof step->state);
    nonet_canonical(walk->options, &state, &step->state);
    struct proof_seen seen = hash_of(walk, &step->state);
    if (place_of(walk, &seen)->hash[1] != 0)
        return true;
    walk->positions++;
    int settled = list_open_moves(walk, &step->state, true, step);
    if (settled > 0)
        return true;
    walk->depth = (int)(step - walk->steps);
    if (settled < 0)
        return fail(walk, &step->state, "no move can prove what is claimed", why);
    if (walk->depth + 2 >= PLIES)
        return fail(walk, &step->state, "the game takes too many moves", why);
    int number = walk->choose(walk->context, walk, &step->state, step->moves, step->count);
    if (number < 0)
        return fail(walk, &step->state, "nothing is said about it", why);
    if (number > step->count)
        return fail(walk, &step->state, "the chosen move is none of its moves", why);
    walk->last = number;
    walk->choices++;
    walk->leaves += number == 0;
    if (number == 0) {
        if (!settles(walk, &step->state, &walk->positions))
            return fail(walk, &step->state, "a short search does not prove what is claimed", why);
    } else {
        proof_walk_play(walk, &step->state, step->moves[number - 1], &step[1].state);
        if (!walk_other(walk, step + 1, why))
            return false;
    }
    if (remember(walk, &seen))
        return true;
    budget_explain(walk->budget, why);
    return false;
}

/* A position in which the other side is to move. */
static bool walk_other(struct proof_walk *walk, struct proof_step *step, struct nonet_text *why) {
    walk->positions++;
    int settled = list_open_moves(walk, &step->state, false, step);
    if (settled < 0)
        return fail(walk, &step->state, "a move refutes what is claimed", why);
    for (int i = 0; settled == 0 && i < step->count; i++) {
        proof_walk_play(walk, &step->state, step->moves[i], &step[1].state);
        if (!walk_prover(walk, step + 1, why))
            return false;
    }
    return true;
}

bool proof_walk(struct proof_walk *walk, struct nonet_text *why) {
    const struct nonet_game *game = walk->options->game;
    uint64_t size = (PLIES + 1) * sizeof(struct proof_step);
    walk->steps = budget_take(walk->budget, size);
    walk->leaf_steps = budget_take(walk->budget, size);
    bool good = walk->steps != NULL && walk->leaf_steps != NULL && make_room(walk, 1 << 12);
    if (!good) {
        budget_explain(walk->budget, why);
    } else {
        struct proof_step *first = walk->steps;
        memset(&first->state, 0, sizeof first->state);
        game->start(walk->options, &first->state, NULL);
        int middle, settled = glance(walk, &first->state, &middle);
        if (settled == 0)
            good = (prover_moves(walk, &first->state) ? walk_prover : walk_other)(walk, first, why);
        else
            good =
                settled > 0 || fail(walk, &first->state, "its bounds refute what is claimed", why);
    }
    budget_give_back(walk->budget, walk->steps, size);
    budget_give_back(walk->budget, walk->leaf_steps, size);
    budget_give_back(walk->budget, walk->seen, walk->seen_room * sizeof *walk->seen);
    return good;
}
