#include "puzzles.h"

#include <string.h>

#include "../base/hash.h"
#include "../rules/events.h"

enum {
    POSITIONS_PER_PUZZLE = 20000, /* looked at before giving up */
    LONGEST_GAME = 120,
    FEWEST_MOVES = 4,        /* a choice of fewer is no puzzle */
    LONGEST_WIN = 9,         /* in plies, of PUZZLE_WIN */
    MOST_OWN_MOVES = 3,      /* of the solver, except in PUZZLE_WIN */
    RIGHT_AMONG = PUZZLE_FEW /* of so many moves, at most one may be right */
};

const char *const puzzle_theme_names[PUZZLE_THEMES] = {"only", "save", "win", "quiet"};

static int prove(const struct puzzle_search *search, const void *state, struct puzzle_move *moves) {
    return search->prover.moves(search->prover.context, state, moves);
}

/* The position after a move. False if the game is over there. */
static bool play(const struct nonet_options *options, const void *state, nonet_move move,
                 struct nonet_state *after) {
    memcpy(after, state, options->game->state_size);
    options->game->play(options, after, NULL, move);
    return options->game->turn(options, after) != 0;
}

/* How many moves, of a list with the best first, have the best outcome. */
static int keeping(const struct puzzle_move *moves, int count) {
    int kept = 0;
    while (kept < count && moves[kept].value.outcome == moves[0].value.outcome)
        kept++;
    return kept;
}

/* Whether the result of a position hangs on a few of its moves. */
static bool is_demanding(const struct puzzle_move *moves, int count) {
    int kept = keeping(moves, count);
    return count >= FEWEST_MOVES && kept <= PUZZLE_FEW && kept * RIGHT_AMONG <= count;
}

/* ---- Answers ---- */

/* The best answer to a right move: the longest resistance; of equally good answers the one after
 * which the smallest share of moves is right. -1 without a proof; 0 if the game is over. */
static int best_answer(const struct puzzle_search *search, const void *state, nonet_move *answer) {
    struct puzzle_move moves[NONET_MAX_MOVES], next[NONET_MAX_MOVES];
    int count = prove(search, state, moves), least_right = 1, least_count = 0;
    for (int i = 0; i < count && nonet_value_compare(&moves[i].value, &moves[0].value) == 0; i++) {
        struct nonet_state after;
        int right = 1, all = 1;
        if (play(search->options, state, moves[i].move, &after)) {
            all = prove(search, &after, next);
            if (all < 0)
                return -1;
            right = keeping(next, all);
        }
        if (least_count == 0 || right * least_count < least_right * all) {
            least_right = right;
            least_count = all;
            *answer = moves[i].move;
        }
    }
    return count < 0 ? -1 : count > 0;
}

/* What is wrong with a wrong move: best play after it, to the end if that is near. A move that
 * gives a win away for a draw is answered by one move, because what follows is any draw. */
static bool refute(const struct puzzle_search *search, const void *state,
                   struct puzzle_try *wrong) {
    const struct nonet_options *options = search->options;
    struct nonet_state now, after;
    bool goes_on = play(options, state, wrong->move, &now);
    int most = wrong->value.outcome == NONET_DRAW ? 1 : PUZZLE_REFUTATION;
    while (goes_on && wrong->line_length < most) {
        struct puzzle_move moves[NONET_MAX_MOVES];
        int count = prove(search, &now, moves);
        if (count < 0)
            return false;
        wrong->line[wrong->line_length++] = moves[0].move;
        goes_on = play(options, &now, moves[0].move, &after);
        now = after;
    }
    return true;
}

/* ---- The tree ---- */

static bool add_step(const struct puzzle_search *search, struct puzzle *puzzle, const void *state,
                     int depth, const struct puzzle_move *moves, int count) {
    if (puzzle->step_count == PUZZLE_STEPS || puzzle->try_count + count > PUZZLE_TRIES)
        return false;
    struct puzzle_step *step = &puzzle->steps[puzzle->step_count++];
    *step = (struct puzzle_step){.depth = depth, .first = puzzle->try_count, .count = count};
    memcpy(&step->state, state, search->options->game->state_size);
    for (int i = 0; i < count; i++)
        puzzle->tries[puzzle->try_count++] =
            (struct puzzle_try){.move = moves[i].move,
                                .value = moves[i].value,
                                .keeps = moves[i].value.outcome == puzzle->value.outcome};
    return true;
}

/* The step of this position, or -1. */
static int find_step(const struct puzzle_search *search, const struct puzzle *puzzle,
                     const void *state) {
    for (int i = 0; i < puzzle->step_count; i++)
        if (memcmp(&puzzle->steps[i].state, state, search->options->game->state_size) == 0)
            return i;
    return -1;
}

/* What follows a right move: an answer and another step, or nothing if the puzzle is solved. -1
 * without a proof, 0 if there is no room for the whole puzzle. */
static int follow(const struct puzzle_search *search, struct puzzle *puzzle, int step,
                  struct puzzle_try *right) {
    struct nonet_state after, then;
    int depth = puzzle->steps[step].depth + 1;
    const struct puzzle_try *best = &puzzle->tries[puzzle->steps[step].first];
    /* In a race to the end a slower win is right as well, but it is not followed. */
    bool races = puzzle->themes & PUZZLE_WIN;
    if (races ? right->value.distance > best->value.distance : depth == MOST_OWN_MOVES)
        return 1;
    if (!play(search->options, &puzzle->steps[step].state, right->move, &after))
        return 1;
    nonet_move answer = 0;
    int found = best_answer(search, &after, &answer);
    if (found <= 0 || !play(search->options, &after, answer, &then))
        return found < 0 ? -1 : 1;
    struct puzzle_move moves[NONET_MAX_MOVES];
    int count = prove(search, &then, moves);
    if (count < 0)
        return -1;
    int known = find_step(search, puzzle, &then);
    /* An earlier step again: play goes round in circles, and nothing new is asked. */
    if ((!races && !is_demanding(moves, count)) ||
        (known >= 0 && puzzle->steps[known].depth < depth))
        return 1;
    right->next = (uint8_t)(known >= 0 ? known : puzzle->step_count);
    right->line[right->line_length++] = answer;
    return known >= 0 || add_step(search, puzzle, &then, depth, moves, count);
}

static int grow(const struct puzzle_search *search, struct puzzle *puzzle) {
    for (int step = 0; step < puzzle->step_count; step++)
        for (int i = 0; i < puzzle->steps[step].count; i++) {
            struct puzzle_try *try = &puzzle->tries[puzzle->steps[step].first + i];
            int done = try->keeps ? follow(search, puzzle, step, try)
                       : refute(search, &puzzle->steps[step].state, try) ? 1
                                                                         : -1;
            if (done <= 0)
                return done;
        }
    return 1;
}

/* ---- Themes ---- */

static bool has_events(const struct nonet_options *options, const void *state, nonet_move move) {
    struct nonet_state after;
    struct nonet_events events;
    play(options, state, move, &after);
    nonet_events_for(options, state, move, &after, NONET_SPECTATOR, &events);
    return events.count > 0;
}

/* Whether there is nothing to tell of the first move, but of another one. */
static bool is_quiet(const struct nonet_options *options, const void *state,
                     const struct puzzle_move *moves, int count) {
    if (has_events(options, state, moves[0].move))
        return false;
    for (int i = 1; i < count; i++)
        if (has_events(options, state, moves[i].move))
            return true;
    return false;
}

static int themes_of(const struct nonet_options *options, const void *state,
                     const struct puzzle_move *moves, int count) {
    if (!is_demanding(moves, count))
        return 0;
    const struct nonet_value *value = &moves[0].value;
    int kept = keeping(moves, count), only = kept == 1 ? PUZZLE_ONLY : 0;
    if (value->outcome == NONET_DRAW)
        return moves[kept].value.outcome == NONET_LOSS ? PUZZLE_SAVE | only : 0;
    struct nonet_state after;
    /* A win at once is plain to see. */
    if (value->outcome != NONET_WIN || !only || !play(options, state, moves[0].move, &after))
        return 0;
    bool races = !value->has_margin && value->distance > 1 && value->distance <= LONGEST_WIN;
    return only | (races ? PUZZLE_WIN : 0) |
           (is_quiet(options, state, moves, count) ? PUZZLE_QUIET : 0);
}

/* ---- The search ---- */

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

/* Whether the position is a puzzle: -1 without a proof, else 0 or 1. */
static int examine(struct puzzle_search *search, const void *state, int themes,
                   struct puzzle *puzzle) {
    struct puzzle_move moves[NONET_MAX_MOVES];
    int count = prove(search, state, moves);
    if (count <= 0)
        return count;
    puzzle->themes = themes_of(search->options, state, moves, count);
    puzzle->value = moves[0].value;
    puzzle->step_count = puzzle->try_count = 0;
    if (!(puzzle->themes & themes) || !is_new(search, state) ||
        !add_step(search, puzzle, state, 0, moves, count))
        return 0;
    return grow(search, puzzle);
}

void puzzles_begin(struct puzzle_search *search, const struct nonet_options *options,
                   struct puzzle_prover prover, uint64_t seed) {
    search->options = options;
    search->prover = prover;
    search->random = (struct nonet_random){seed};
    search->found = 0;
}

int puzzles_next(struct puzzle_search *search, int themes, struct puzzle *puzzle) {
    const struct nonet_game *game = search->options->game;
    nonet_move moves[NONET_MAX_MOVES];
    for (int tries = 0; tries < POSITIONS_PER_PUZZLE && search->found < PUZZLES_MOST;) {
        struct nonet_state state;
        game->start(search->options, &state, NULL);
        for (int ply = 0; ply < LONGEST_GAME; ply++, tries++) {
            int count = game->moves(search->options, &state, moves);
            if (count == 0)
                break;
            int found = examine(search, &state, themes, puzzle);
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

/* ---- Difficulty ---- */

static const struct puzzle_try *find_try(const struct puzzle *puzzle, int step, nonet_move move) {
    const struct puzzle_try *tries = &puzzle->tries[puzzle->steps[step].first];
    while (tries->move != move)
        tries++;
    return tries;
}

bool puzzle_solved_by(const struct puzzle *puzzle, struct nonet_session *session,
                      struct nonet_player *player, int level, uint64_t seed) {
    const struct nonet_player_limits limits = {.level = level, .searches = 1, .seed = seed};
    const struct nonet_options *options = nonet_session_options(session);
    char text[NONET_POSITION_TEXT];
    struct nonet_text position = NONET_TEXT_IN(text);
    options->game->write(options, &puzzle->steps[0].state, &position);
    struct nonet_message why;
    if (!nonet_session_read(session, text, &why))
        return false;
    for (int step = 0;;) {
        if (!nonet_player_begin(player, session, &limits))
            return false;
        while (!nonet_player_advance(player, 0, UINT64_MAX))
            ;
        struct nonet_report report;
        nonet_player_report(player, &report);
        const struct puzzle_try *try = find_try(puzzle, step, report.moves[0].move);
        if (!try->keeps || try->next == 0)
            return try->keeps;
        nonet_session_play(session, try->move, &why);
        nonet_session_play(session, try->line[0], &why);
        step = try->next;
    }
}

int puzzle_level(const struct puzzle *puzzle, const struct nonet_options *options,
                 struct nonet_player *player) {
    struct nonet_session *session = nonet_session_new(options);
    if (session == NULL)
        return 0;
    int level = 1;
    for (; level < NONET_SEARCH_LEVELS; level++) {
        int solved = 0, failed = 0;
        for (uint64_t seed = 1; 2 * solved < PUZZLE_SEEDS && 2 * failed <= PUZZLE_SEEDS; seed++) {
            bool done = puzzle_solved_by(puzzle, session, player, level, seed);
            solved += done;
            failed += !done;
        }
        if (2 * solved >= PUZZLE_SEEDS)
            break;
    }
    nonet_session_free(session);
    return level;
}
