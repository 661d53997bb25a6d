#include "puzzles.h"

#include <string.h>

#include "../base/hash.h"

enum {
    TRIES_PER_PUZZLE = 20000, /* positions looked at before giving up */
    LONGEST_GAME = 120,
    FEWEST_MOVES = 3, /* a choice of two is no puzzle */
};

/* From 1, which everybody sees, to 5. Long wins are hard to see, and so is one among many lures. */
static int grade_of(const struct puzzle *puzzle) {
    int depth = puzzle->value.has_margin ? puzzle->line_length : puzzle->value.distance;
    int hardness = depth + puzzle->lures / 2;
    return hardness <= 3 ? 1 : hardness <= 6 ? 2 : hardness <= 10 ? 3 : hardness <= 15 ? 4 : 5;
}

static int prove(struct puzzle_search *search, const void *state) {
    return search->prover.moves(search->prover.context, state, search->moves);
}

/* Plays the best moves of both sides to the end. False if a proof is missing. */
static bool play_line(struct puzzle_search *search, struct puzzle *puzzle) {
    const struct nonet_game *game = search->options->game;
    struct nonet_state state;
    memcpy(&state, &puzzle->state, game->state_size);
    puzzle->line_length = 0;
    while (game->turn(search->options, &state) != 0 && puzzle->line_length < PUZZLE_LINE) {
        int count = prove(search, &state);
        if (count <= 0)
            return false;
        nonet_move move = search->moves[0].move;
        puzzle->line[puzzle->line_length++] = move;
        game->play(search->options, &state, NULL, move);
    }
    return true;
}

static bool is_new(struct puzzle_search *search, const void *state) {
    struct nonet_state canonical;
    nonet_canonical(search->options, state, &canonical);
    uint64_t hash = nonet_hash(&canonical, search->options->game->state_size);
    for (int i = 0; i < search->found; i++)
        if (search->seen[i] == hash)
            return false;
    search->seen[search->found] = hash;
    return true;
}

/* Whether the position is a puzzle: -1 without a proof, else 0 or 1. A win at once is none, being
 * plain to see. */
static int examine(struct puzzle_search *search, const void *state, struct puzzle *puzzle) {
    int count = prove(search, state);
    if (count < 0)
        return -1;
    if (count < FEWEST_MOVES || search->moves[0].value.outcome != NONET_WIN ||
        search->moves[1].value.outcome == NONET_WIN)
        return 0;
    *puzzle = (struct puzzle){.value = search->moves[0].value, .moves = count};
    memcpy(&puzzle->state, state, search->options->game->state_size);
    for (int i = 1; i < count; i++) {
        puzzle->lures += search->moves[i].value.outcome == NONET_LOSS;
        puzzle->drawing += search->moves[i].value.outcome == NONET_DRAW;
    }
    if ((!puzzle->value.has_margin && puzzle->value.distance <= 1) || !is_new(search, state))
        return 0;
    if (!play_line(search, puzzle))
        return -1;
    puzzle->grade = grade_of(puzzle);
    return puzzle->line_length > 1;
}

void puzzles_begin(struct puzzle_search *search, const struct nonet_options *options,
                   struct puzzle_prover prover, uint64_t seed) {
    search->options = options;
    search->prover = prover;
    search->random = (struct nonet_random){seed};
    search->found = 0;
}

int puzzles_next(struct puzzle_search *search, struct puzzle *puzzle) {
    const struct nonet_game *game = search->options->game;
    nonet_move moves[NONET_MAX_MOVES];
    for (int tries = 0; tries < TRIES_PER_PUZZLE && search->found < PUZZLES_MOST;) {
        struct nonet_state state;
        game->start(search->options, &state, NULL);
        for (int ply = 0; ply < LONGEST_GAME; ply++, tries++) {
            int count = game->moves(search->options, &state, moves);
            if (count == 0)
                break;
            int found = examine(search, &state, puzzle);
            if (found != 0) {
                search->found++;
                return found;
            }
            game->play(search->options, &state, NULL,
                       moves[nonet_random_below(&search->random, (uint32_t)count)]);
        }
    }
    return 0;
}
