/* Exact searches against the plainest solver: every value is computed from all moves, without
 * symmetries, bounds, move ordering or cuts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "games/ksar_board.h"
#include "rules/wide.h"
#include "search/exact.h"
#include "variants.h"

enum { TABLE_BYTES = 4 << 20 };

static const char *text_of(const struct nonet_options *options, const void *state) {
    static char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, state, &text);
    return line;
}

static struct nonet_state start_of(const struct nonet_options *options) {
    struct nonet_state state = {0};
    options->game->start(options, &state, NULL);
    return state;
}

static struct nonet_state after(const struct nonet_options *options, const void *state,
                                nonet_move move) {
    struct nonet_state next = {0};
    memcpy(&next, state, options->game->state_size);
    options->game->play(options, &next, NULL, move);
    return next;
}

/* Random moves from the start; false if the game ended before. */
static bool wander(const struct nonet_options *options, int plies, struct nonet_random *random,
                   struct nonet_state *state) {
    nonet_move moves[NONET_MAX_MOVES];
    *state = start_of(options);
    for (; plies > 0; plies--) {
        int count = options->game->moves(options, state, moves);
        if (count == 0)
            return false;
        *state = after(options, state, moves[nonet_random_below(random, (uint32_t)count)]);
    }
    return true;
}

static void *new_exact(const struct nonet_options *options) {
    void *exact = aligned_alloc(NONET_EXACT_ALIGN, TABLE_BYTES);
    assert_non_null(exact);
    nonet_exact_begin(exact, TABLE_BYTES, options);
    return exact;
}

static bool prove(void *exact, const void *state, int player, uint64_t nodes,
                  struct nonet_proof *proof) {
    nonet_exact_ask(exact, state, player);
    nonet_exact_advance(exact, nodes);
    return nonet_exact_answer(exact, proof);
}

/* --- A dictionary of positions --- */

struct book {
    size_t state_size, room, count;
    struct nonet_value *values;
    bool *used;
    unsigned char *states;
};

static struct book book_new(const struct nonet_options *options, size_t room) {
    size_t state_size = options->game->state_size;
    struct book book = {state_size,
                        room,
                        0,
                        calloc(room, sizeof *book.values),
                        calloc(room, sizeof *book.used),
                        aligned_alloc(NONET_STATE_ALIGN, room * state_size)};
    assert_true(book.values != NULL && book.used != NULL && book.states != NULL);
    return book;
}

static void book_clear(struct book *book) {
    memset(book->used, 0, book->room * sizeof *book->used);
    book->count = 0;
}

static void book_free(struct book *book) {
    free(book->values);
    free(book->used);
    free(book->states);
}

/* Where a state is, or belongs. */
static size_t book_find(const struct book *book, const void *state) {
    size_t at = nonet_hash(state, book->state_size) % book->room;
    while (book->used[at] &&
           memcmp(book->states + at * book->state_size, state, book->state_size) != 0)
        at = (at + 1) % book->room;
    return at;
}

static void book_add(struct book *book, const void *state, struct nonet_value value) {
    size_t at = book_find(book, state);
    assert_true(!book->used[at] && ++book->count < book->room * 3 / 4);
    book->used[at] = true;
    book->values[at] = value;
    memcpy(book->states + at * book->state_size, state, book->state_size);
}

/* --- Two players, no way back to a position: minimax --- */

static struct nonet_value final_value(const struct nonet_options *options, const void *state,
                                      int player) {
    struct nonet_result result = {0};
    options->game->result(options, state, &result);
    bool among = result.winners >> (player - 1) & 1, alone = result.winners == 1 << (player - 1);
    struct nonet_value value = {.outcome = alone ? NONET_WIN : among ? NONET_DRAW : NONET_LOSS};
    value.has_margin = result.has_points;
    if (result.has_points)
        value.margin = (int16_t)(result.points[player - 1] - result.points[2 - player]);
    return value;
}

/* How good a value is: by margin, then by outcome; or by outcome, then fast wins and slow losses.
 */
static int goodness(struct nonet_value value) {
    if (value.has_margin)
        return 4 * value.margin + value.outcome;
    return value.outcome == NONET_WIN    ? 1000 - value.distance
           : value.outcome == NONET_DRAW ? 0
                                         : -1000 + value.distance;
}

static struct nonet_value minimax(const struct nonet_options *options, struct book *book,
                                  const void *state) {
    size_t at = book_find(book, state);
    if (book->used[at])
        return book->values[at];
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, state, moves);
    struct nonet_value best = {0};
    if (count == 0)
        best = final_value(options, state, options->game->next(options, state));
    for (int i = 0; i < count; i++) {
        struct nonet_state next = after(options, state, moves[i]);
        struct nonet_value value = minimax(options, book, &next);
        value.outcome = (uint8_t)(NONET_WIN - value.outcome);
        value.margin = (int16_t)-value.margin;
        if (!value.has_margin && value.outcome != NONET_DRAW)
            value.distance++;
        if (i == 0 || goodness(value) > goodness(best))
            best = value;
    }
    book_add(book, state, best);
    return best;
}

static void check_value(const struct nonet_options *options, const void *state,
                        struct nonet_value is, struct nonet_value should) {
    CHECK(is.outcome == should.outcome && is.has_margin == should.has_margin &&
              is.margin == should.margin && is.distance == should.distance,
          "%s %s: outcome %d margin %d distance %d, not %d, %d, %d", variant_name(options),
          text_of(options, state), is.outcome, is.margin, is.distance, should.outcome,
          should.margin, should.distance);
}

/* Checks the position, for both players, and the bounds that the game gives for it. */
static void check_position(const struct nonet_options *options, struct book *book, void *exact,
                           const void *state) {
    const struct nonet_game *game = options->game;
    int mover = game->next(options, state);
    struct nonet_value should = minimax(options, book, state);
    struct nonet_proof proof;
    CHECK(prove(exact, state, mover, UINT64_MAX / 2, &proof), "%s", text_of(options, state));
    check_value(options, state, proof.value, should);
    CHECK(prove(exact, state, 3 - mover, UINT64_MAX / 2, &proof), "%s", text_of(options, state));
    int first = mover == 1 ? should.margin : -should.margin;
    should.outcome = (uint8_t)(NONET_WIN - should.outcome);
    should.margin = (int16_t)-should.margin;
    check_value(options, state, proof.value, should);
    if (game->bounds != NULL) {
        int low, high;
        game->bounds(options, state, &low, &high);
        CHECK(low <= first && first <= high, "%s: %d is not from %d to %d", text_of(options, state),
              first, low, high);
    }
}

/* The start, if it is within reach of the plain solver, and random positions from some ply on. */
static void check_game(const char *variant, int from_ply, int positions) {
    struct nonet_options options = options_of(variant);
    struct nonet_random random = {17};
    struct book book = book_new(&options, 1 << 19);
    void *exact = new_exact(&options);
    for (int i = 0; i < positions; i++) {
        struct nonet_state state;
        if (i == 0 && from_ply > 0)
            continue;
        if (wander(&options, from_ply + (i == 0 ? 0 : (int)nonet_random_below(&random, 5)), &random,
                   &state))
            check_position(&options, &book, exact, &state);
        if (book.count > book.room / 4)
            book_clear(&book);
    }
    free(exact);
    book_free(&book);
}

static void small_frames(void **unused) {
    (void)unused;
    static const char *const frames[] = {"ksar:frame=3x3", "ksar:frame=3x4", "ksar:frame=4x3",
                                         "ksar:frame=3x5", "ksar:frame=4x4", "ksar:frame=6x3",
                                         "ksar:frame=5x4"};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
        check_game(frames[i], i < 5 ? 0 : 3, 100);
}

static void late_positions(void **unused) {
    (void)unused;
    check_game("ksar:frame=5x5", 5, 60);
    check_game("ksar:frame=6x6", 9, 60);
    check_game("ksar:frame=9x4", 9, 60);
    check_game("ksar:frame=16x3", 14, 40);
    check_game("ksar:frame=10x10", 21, 60);
    check_game("ksar:frame=16x16", 28, 12); /* where hands run out, not room */
    check_game("mix3", 9, 20);
    check_game("mix3:rectangles=upright", 10, 20);
    check_game("quadrangle", 8, 30);
    check_game("kudosu", 7, 30);
    check_game("template", 0, 30);
}

/* Ksar's bounds hold whatever is in the hands. Who has no piece of their own left must place
 * neutral ones, which may help the other; games come to that only where a plain search cannot
 * follow. So late positions get other hands, and any player may be next. */
static void any_hands(void **unused) {
    (void)unused;
    enum { LATE = 4, LONGEST = 64, POSITIONS = 150 };
    static const char *const frames[] = {"ksar:frame=4x4", "ksar:frame=5x5", "ksar:frame=6x5",
                                         "ksar:frame=9x3"};
    static struct nonet_state states[LONGEST];
    struct nonet_random random = {29};
    for (size_t frame = 0; frame < sizeof frames / sizeof frames[0]; frame++) {
        struct nonet_options options = options_of(frames[frame]);
        struct book book = book_new(&options, 1 << 19);
        for (int i = 0; i < POSITIONS; i++) {
            nonet_move moves[NONET_MAX_MOVES];
            int ply = 0, count, low, high;
            states[0] = start_of(&options);
            while ((count = options.game->moves(&options, &states[ply], moves)) > 0) {
                nonet_move move = moves[nonet_random_below(&random, (uint32_t)count)];
                states[ply + 1] = after(&options, &states[ply], move);
                ply++;
            }
            int back = (int)nonet_random_below(&random, LATE + 1);
            struct nonet_state *state = &states[ply > back ? ply - back : 0];
            struct state *s = (struct state *)state;
            for (int player = 0; player < 2; player++) {
                s->own[player] = (uint8_t)nonet_random_below(&random, 3);
                s->neutral[player] = (uint8_t)nonet_random_below(&random, 4);
            }
            s->next = (uint8_t)nonet_random_below(&random, 2);
            if (book.count > book.room / 4)
                book_clear(&book);
            int margin = minimax(&options, &book, state).margin * (s->next == BLUE ? 1 : -1);
            options.game->bounds(&options, state, &low, &high);
            CHECK(low <= margin && margin <= high, "%s: %d is not from %d to %d",
                  text_of(&options, state), margin, low, high);
        }
        book_free(&book);
    }
}

/* The bounds that games give, against how random games really end. The last position's bounds
 * contain the result, and the winner never won sooner than the bound. */
static void told_in_advance(void **unused) {
    (void)unused;
    enum { LONGEST = 200 };
    static struct nonet_state states[LONGEST + 1];
    static struct nonet_options variants[MOST_VARIANTS];
    struct nonet_random random = {23};
    for (int i = 0; i < nonet_game_count_with_template; i++) {
        const struct nonet_game *game = nonet_games[i];
        int count = game->wide == NULL ? variants_of(game, 1, variants) : 0;
        for (int j = 0; j < 20 * count; j++) {
            const struct nonet_options *options = &variants[j % count];
            nonet_move moves[NONET_MAX_MOVES];
            int ply = 0, choices;
            states[0] = start_of(options);
            while (ply < LONGEST && (choices = game->moves(options, &states[ply], moves)) > 0) {
                nonet_move move = moves[nonet_random_below(&random, (uint32_t)choices)];
                states[ply + 1] = after(options, &states[ply], move);
                ply++;
            }
            struct nonet_result result = {0};
            int low, high;
            if (game->turn(options, &states[ply]) != 0)
                continue;
            game->result(options, &states[ply], &result);
            if (game->bounds != NULL) {
                game->bounds(options, &states[ply], &low, &high);
                int margin = result.points[0] - result.points[1];
                CHECK(low <= margin && margin <= high, "%s: %d is not from %d to %d",
                      text_of(options, &states[ply]), margin, low, high);
            }
            for (int player = 1; game->soonest != NULL && player <= options->players; player++)
                for (int k = 0; k <= ply && result.winners >> (player - 1) & 1; k++)
                    CHECK(game->soonest(options, &states[k], player) <= ply - k, "%s",
                          text_of(options, &states[k]));
        }
    }
}

/* The same answer after the same number of nodes, in steps of one or all at once. */
static void slices(void **unused) {
    (void)unused;
    static const char *const variants[] = {"ksar:frame=4x5", "chasm:players=4"};
    for (int i = 0; i < 2; i++) {
        struct nonet_options options = options_of(variants[i]);
        int player = i == 0 ? 1 : 4;
        struct nonet_state state = start_of(&options);
        void *whole = new_exact(&options), *sliced = new_exact(&options);
        struct nonet_proof a, b;
        assert_true(prove(whole, &state, player, UINT64_MAX / 2, &a));
        nonet_exact_ask(sliced, &state, player);
        assert_false(nonet_exact_answer(sliced, &b));
        while (nonet_exact_advance(sliced, 1) == NONET_EXACT_WORKING)
            ;
        assert_true(nonet_exact_answer(sliced, &b));
        check_value(&options, &state, b.value, a.value);
        assert_string_equal(a.by, "search");
        assert_int_equal(nonet_exact_nodes(whole), nonet_exact_nodes(sliced));
        free(whole);
        free(sliced);
    }
}

/* --- One against all others, with ways back: a fixpoint --- */

/* Three players with two pieces each: the next piece that goes over the edge ends the game. All
 * these positions up to symmetry, and for each of their moves the number of the position after it,
 * or FINISHED plus the winner. */
enum { MOST_POSITIONS = 1 << 19, MOST_STEPS = 24, FINISHED = 1 << 24 };

struct endings {
    struct nonet_options options;
    size_t count;
    struct nonet_state *states;
    uint32_t (*after)[MOST_STEPS];
    uint8_t *steps;
    /* For the player in question; OPEN, with the distance unused, while nothing is known. */
    uint8_t *outcome;
    int16_t *distance;
};
enum { OPEN = NONET_DRAW };

static uint32_t number_of(struct endings *endings, struct book *book,
                          const struct nonet_state *state) {
    struct nonet_state canonical = {0};
    nonet_canonical(&endings->options, state, &canonical);
    size_t at = book_find(book, &canonical);
    if (!book->used[at]) {
        assert_true(endings->count < MOST_POSITIONS);
        /* The number, in two fields of a value. */
        struct nonet_value number = {.margin = (int16_t)(endings->count >> 15),
                                     .distance = (int16_t)(endings->count & 0x7fff)};
        book_add(book, &canonical, number);
        endings->states[endings->count++] = canonical;
    }
    return (uint32_t)book->values[at].margin << 15 | (uint32_t)book->values[at].distance;
}

static void list_endings(struct endings *endings) {
    const struct nonet_options *options = &endings->options;
    const struct nonet_game *game = options->game;
    struct book book = book_new(options, 2 * MOST_POSITIONS);
    struct nonet_state first = {0};
    struct nonet_message why;
    assert_true(game->read(options, "A..A/B..B/C..C/.... move 1", &first, NULL, &why));
    number_of(endings, &book, &first);
    for (size_t i = 0; i < endings->count; i++) {
        nonet_move moves[NONET_MAX_MOVES];
        int count = game->moves(options, &endings->states[i], moves);
        assert_true(count <= MOST_STEPS);
        endings->steps[i] = (uint8_t)count;
        for (int j = 0; j < count; j++) {
            struct nonet_state next = after(options, &endings->states[i], moves[j]);
            struct nonet_result result = {0};
            if (game->turn(options, &next) != 0) {
                endings->after[i][j] = number_of(endings, &book, &next);
                continue;
            }
            game->result(options, &next, &result);
            endings->after[i][j] = FINISHED + result.winners;
        }
    }
    book_free(&book);
}

static uint8_t outcome_after(const struct endings *endings, uint32_t after, int player, int round) {
    if (after >= FINISHED)
        return after - FINISHED == 1u << (player - 1) ? NONET_WIN : NONET_LOSS;
    return endings->distance[after] < round ? endings->outcome[after] : OPEN;
}

/* Each round finds what is won or lost in one ply more, until a round finds nothing. */
static void solve_endings(struct endings *endings, int player) {
    memset(endings->outcome, OPEN, endings->count);
    memset(endings->distance, 0, endings->count * sizeof *endings->distance);
    bool found = true;
    for (int round = 1; found; round++) {
        found = false;
        for (size_t i = 0; i < endings->count; i++) {
            if (endings->outcome[i] != OPEN)
                continue;
            int seen[3] = {0};
            for (int j = 0; j < endings->steps[i]; j++)
                seen[outcome_after(endings, endings->after[i][j], player, round)]++;
            bool own =
                endings->options.game->turn(&endings->options, &endings->states[i]) == player;
            uint8_t good = own ? NONET_WIN : NONET_LOSS, bad = (uint8_t)(NONET_WIN - good);
            if (seen[good] == 0 && seen[bad] < endings->steps[i])
                continue;
            endings->outcome[i] = seen[good] > 0 ? good : bad;
            endings->distance[i] = (int16_t)round;
            found = true;
        }
    }
}

static void three_players(void **unused) {
    (void)unused;
    struct endings e = {
        .options = options_of("chasm:players=3"),
        .states = aligned_alloc(NONET_STATE_ALIGN, MOST_POSITIONS * sizeof *e.states),
        .after = malloc(MOST_POSITIONS * sizeof *e.after),
        .steps = malloc(MOST_POSITIONS),
        .outcome = malloc(MOST_POSITIONS),
        .distance = malloc(MOST_POSITIONS * sizeof *e.distance),
    };
    assert_true(e.states && e.after && e.steps && e.outcome && e.distance);
    list_endings(&e);
    void *exact = new_exact(&e.options);
    struct nonet_random random = {5};
    for (int player = 1; player <= 3; player++) {
        solve_endings(&e, player);
        for (int i = 0; i < 500; i++) {
            size_t at = nonet_random_below(&random, (uint32_t)e.count);
            struct nonet_proof proof;
            CHECK(e.outcome[at] != OPEN, "%s", text_of(&e.options, &e.states[at]));
            CHECK(prove(exact, &e.states[at], player, UINT64_MAX / 2, &proof), "%s",
                  text_of(&e.options, &e.states[at]));
            check_value(&e.options, &e.states[at], proof.value,
                        (struct nonet_value){.outcome = e.outcome[at], .distance = e.distance[at]});
            CHECK(e.outcome[at] != NONET_WIN ||
                      e.options.game->soonest(&e.options, &e.states[at], player) <= e.distance[at],
                  "%s", text_of(&e.options, &e.states[at]));
        }
    }
    free(exact);
    free(e.states);
    free(e.after);
    free(e.steps);
    free(e.outcome);
    free(e.distance);
}

/* Whether the player (`wanted` WIN) or the others (LOSS) can force that within this many plies. */
static bool can_force(const struct nonet_options *options, const void *state, int player,
                      uint8_t wanted, int plies) {
    int mover = options->game->turn(options, state);
    if (mover == 0)
        return final_value(options, state, player).outcome == wanted;
    if (plies == 0)
        return false;
    bool choosing = (mover == player) == (wanted == NONET_WIN);
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state next = after(options, state, moves[i]);
        if (can_force(options, &next, player, wanted, plies - 1) == choosing)
            return choosing;
    }
    return !choosing;
}

static void four_players(void **unused) {
    (void)unused;
    enum { DEEPEST = 4 };
    struct nonet_options options = options_of("chasm:players=4");
    void *exact = new_exact(&options);
    struct nonet_random random = {9};
    for (int i = 0; i < 25; i++) {
        struct nonet_state state;
        if (!wander(&options, 16 + (int)nonet_random_below(&random, 6), &random, &state))
            continue;
        for (int player = 1; player <= 4; player++) {
            int won = 1, lost = 1;
            while (won <= DEEPEST && !can_force(&options, &state, player, NONET_WIN, won))
                won++;
            while (lost <= DEEPEST && !can_force(&options, &state, player, NONET_LOSS, lost))
                lost++;
            struct nonet_proof proof;
            assert_true(prove(exact, &state, player, UINT64_MAX / 2, &proof));
            int distance = proof.value.distance;
            CHECK(won <= DEEPEST    ? proof.value.outcome == NONET_WIN && distance == won
                  : lost <= DEEPEST ? proof.value.outcome == NONET_LOSS && distance == lost
                                    : distance > DEEPEST,
                  "%s for %d: outcome %d in %d", text_of(&options, &state), player,
                  proof.value.outcome, distance);
        }
    }
    free(exact);
}

/* --- Reflection --- */

/* A player who follows `mirror` against one who places at random, from a start where `mirror` is
 * said to win. */
static void reflect(const struct nonet_options *options, struct nonet_random *random,
                    void *workspace, bool tilted) {
    const struct nonet_game *game = options->game;
    struct nonet_state state = {0};
    game->start(options, &state, workspace);
    int hero = 1, winner;
    if (tilted) { /* any piece on the centre will do */
        nonet_move move;
        struct nonet_message why;
        assert_true(game->parse(options, "edge@160,160,45", &move, &why));
        game->play(options, &state, workspace, move);
        assert_true(game->mirror(options, &state, &winner, &move));
        assert_int_equal(winner, 1);
    }
    for (int mover; (mover = game->turn(options, &state)) != 0;) {
        nonet_move move = 0;
        assert_true(game->mirror(options, &state, &winner, &move));
        assert_int_equal(winner, hero);
        struct nonet_message why;
        uint64_t count = game->wide->count(options, &state, workspace);
        if (mover != hero)
            move = game->wide->nth(options, &state, workspace,
                                   nonet_random_below(random, (uint32_t)count));
        CHECK(game->why(options, &state, move, &why) &&
                  game->wide->test(options, &state, workspace, move),
              "no answer in %s", text_of(options, &state));
        game->play(options, &state, workspace, move);
    }
    struct nonet_result result = {0};
    game->result(options, &state, &result);
    CHECK(result.winners == 1 << (hero - 1), "%s", text_of(options, &state));
}

static void reflected_games(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("fullend:supply=unlimited");
    void *workspace = new_workspace(options.game);
    struct nonet_random random = {3};
    for (int i = 0; i < 200; i++)
        reflect(&options, &random, workspace, i % 2 != 0);
    free(workspace);
}

static void check_mirror(const char *variant, const char *position, const char *expected,
                         int winner, const char *best) {
    struct nonet_options options = options_of(variant);
    const struct nonet_game *game = options.game;
    void *workspace = new_workspace(game), *exact = new_exact(&options);
    struct nonet_state state = {0};
    struct nonet_message why;
    assert_true(game->read(&options, position, &state, workspace, &why));
    nonet_exact_ask(exact, &state, game->next(&options, &state));
    struct nonet_proof proof;
    bool settled = nonet_exact_advance(exact, 1) == NONET_EXACT_SETTLED;
    CHECK(settled == (expected != NULL), "%s", position);
    assert_int_equal(nonet_exact_answer(exact, &proof), settled);
    if (settled) {
        int found;
        nonet_move move;
        assert_true(game->mirror(&options, &state, &found, &move));
        assert_int_equal(found, winner);
        assert_string_equal(proof.by, "mirror");
        assert_int_equal(proof.value.distance, NONET_UNKNOWN_DISTANCE);
        assert_string_equal(proof.value.outcome == NONET_WIN ? "win" : "loss", expected);
        if (best != NULL) {
            char name[NONET_MOVE_TEXT];
            struct nonet_text text = NONET_TEXT_IN(name);
            game->print(&options, move, &text);
            assert_string_equal(name, best);
        }
    }
    free(workspace);
    free(exact);
}

static void reflected_positions(void **unused) {
    (void)unused;
    static const char unlimited[] = "fullend:supply=unlimited";
    check_mirror(unlimited, "- 1", "win", 1, "flat@160,160,0");
    check_mirror(unlimited, "flat@160,160,0 2", "loss", 1, NULL);
    check_mirror(unlimited, "edge@160,160,77 2", "loss", 1, NULL);
    check_mirror(unlimited, "flat@36,36,0 edge@160,160,77 1", "win", 1, "flat@284,284,0");
    check_mirror(unlimited, "flat@36,36,0 flat@284,284,0 edge@160,160,77 2", "loss", 1, NULL);
    /* While the centre is free, the player who takes it wins on a symmetric floor. Here 14 mm are
     * left between two pieces: a standing one fits from 87 degrees on, where it is 36 cos + 12 sin
     * = 13.87 wide. */
    check_mirror(unlimited, "flat@110,160,0 flat@210,160,0 1", "win", 1, "edge@160,160,87");
    /* One piece alone and no centre, two alone, and a supply that can run out. */
    check_mirror(unlimited, "flat@36,36,0 2", NULL, 0, NULL);
    check_mirror(unlimited, "flat@36,36,0 flat@36,284,0 flat@160,160,0 2", NULL, 0, NULL);
    check_mirror("fullend:supply=24", "flat@160,160,0 2", NULL, 0, NULL);
    check_mirror("fullend:supply=24", "- 1", NULL, 0, NULL);
}

/* Counts saturate: a caller who allows all nodes after some gets no fewer than before. */
static void all_nodes(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("ksar:frame=4x4");
    struct nonet_state state = start_of(&options);
    void *exact = new_exact(&options);
    nonet_exact_ask(exact, &state, 1);
    assert_int_equal(nonet_exact_advance(exact, 1), NONET_EXACT_WORKING);
    assert_int_equal(nonet_exact_advance(exact, UINT64_MAX), NONET_EXACT_SETTLED);
    free(exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_frames),
        cmocka_unit_test(late_positions),
        cmocka_unit_test(any_hands),
        cmocka_unit_test(told_in_advance),
        cmocka_unit_test(slices),
        cmocka_unit_test(three_players),
        cmocka_unit_test(four_players),
        cmocka_unit_test(reflected_games),
        cmocka_unit_test(reflected_positions),
        cmocka_unit_test(all_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
