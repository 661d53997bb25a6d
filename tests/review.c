/* Reviews of games: a planted blunder is the move that is marked, in every game; the counts behind
 * the accuracy are counted again by the plainest search; and reviews do not depend on how they are
 * advanced. */
#include "study/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/hidden.h"
#include "variants.h"

enum { NODES = 30000 };

static struct review *reviewed(const struct nonet_session *session, struct review_wish wish,
                               uint64_t slice) {
    bool wide = nonet_session_options(session)->game->wide != NULL; /* its nodes take longer */
    if (wish.limits.nodes == 0)
        wish.limits.proof_nodes = wish.limits.nodes = wide ? 200 : NODES;
    wish.limits.memory = 1 << 22;
    struct review *review = review_open(session, &wish);
    assert_non_null(review);
    enum review_status status = REVIEW_WORKING;
    while (status == REVIEW_WORKING)
        status = review_advance(review, slice);
    assert_int_equal(status, REVIEW_DONE);
    assert_int_equal(review_rows(review), nonet_session_ply(session) + 1);
    return review;
}

/* ---- The plainest search ---- */

enum truth { LOSS = -1, DRAW = 0, WIN = 1, TOO_LARGE = 2 };

/* What the player to move reaches, by playing all moves to the end. */
static enum truth truth_of(struct nonet_session *session, int *budget) {
    int turn = nonet_session_turn(session);
    if (turn == 0 || --*budget < 0)
        return TOO_LARGE;
    enum truth best = LOSS;
    uint64_t count = nonet_session_count(session);
    for (uint64_t i = 0; i < count; i++) {
        play(session, nonet_session_nth(session, i));
        enum truth value;
        if (nonet_session_turn(session) == 0) {
            struct nonet_result result = {0};
            nonet_session_result(session, &result);
            bool wins = result.winners >> (turn - 1) & 1;
            value = !wins ? LOSS : result.winners == 1 << (turn - 1) ? WIN : DRAW;
        } else {
            value = truth_of(session, budget);
            if (value != TOO_LARGE && nonet_session_turn(session) != turn)
                value = (enum truth) - value;
        }
        int node = nonet_session_node(session);
        nonet_session_undo(session);
        nonet_session_prune(session, node);
        if (value == TOO_LARGE)
            return TOO_LARGE;
        best = value > best ? value : best;
    }
    return best;
}

/* What each move of the position reaches, for its player; false if there is too much to look at. */
static bool truths_of(struct nonet_session *session, enum truth *values, enum truth *best) {
    int turn = nonet_session_turn(session), budget = 20000;
    uint64_t count = nonet_session_count(session);
    *best = LOSS;
    for (uint64_t i = 0; i < count; i++) {
        play(session, nonet_session_nth(session, i));
        int node = nonet_session_node(session);
        if (nonet_session_turn(session) == 0) {
            struct nonet_result result = {0};
            nonet_session_result(session, &result);
            bool wins = result.winners >> (turn - 1) & 1;
            values[i] = !wins ? LOSS : result.winners == 1 << (turn - 1) ? WIN : DRAW;
        } else {
            values[i] = truth_of(session, &budget);
            if (values[i] != TOO_LARGE && nonet_session_turn(session) != turn)
                values[i] = (enum truth) - values[i];
        }
        nonet_session_undo(session);
        nonet_session_prune(session, node);
        if (values[i] == TOO_LARGE)
            return false;
        *best = values[i] > *best ? values[i] : *best;
    }
    return true;
}

/* A session that begins where another stands. */
static struct nonet_session *beginning_here(const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, nonet_session_state(session), &text);
    struct nonet_session *here = nonet_session_new(options);
    struct nonet_message why;
    assert_non_null(here);
    assert_true(nonet_session_read(here, line, &why));
    return here;
}

/* Random moves, but not one that ends the game. False if there is none. */
static bool wander(struct nonet_session *session, struct nonet_random *random) {
    for (int tries = 0; tries < 20; tries++) {
        play(session, random_move(session, random));
        if (nonet_session_turn(session) != 0)
            return true;
        nonet_session_undo(session);
    }
    return false;
}

/* ---- A planted blunder ---- */

/* Whether the move ends the game, and its player alone wins. */
static bool wins_at_once(struct nonet_session *session, nonet_move move) {
    int turn = nonet_session_turn(session);
    struct nonet_result result = {0};
    play(session, move);
    bool over = nonet_session_turn(session) == 0;
    if (over)
        nonet_session_result(session, &result);
    nonet_session_undo(session);
    return over && result.winners == 1 << (turn - 1);
}

enum { LOOKED_AT = 60 }; /* moves of a position: all, or a sample */

static bool find_win(struct nonet_session *session, struct nonet_random *random, nonet_move *win) {
    uint64_t count = nonet_session_count(session);
    for (uint64_t i = 0; i < LOOKED_AT && i < count; i++) {
        *win = count <= LOOKED_AT ? nonet_session_nth(session, i) : random_move(session, random);
        if (wins_at_once(session, *win))
            return true;
    }
    return false;
}

/* In a position where the player could win at once: plays another move, after which the opponent
 * wins at once, and that win. */
static bool plant(struct nonet_session *session, struct nonet_random *random) {
    nonet_move win, answer;
    int turn = nonet_session_turn(session);
    if (!find_win(session, random, &win))
        return false;
    for (int tries = 0; tries < LOOKED_AT; tries++) {
        play(session, random_move(session, random));
        int other = nonet_session_turn(session);
        if (other != 0 && other != turn && find_win(session, random, &answer)) {
            play(session, answer);
            return true;
        }
        nonet_session_undo(session);
    }
    return false;
}

/* A game of two moves, from a position near the end: a blunder, and what refutes it. */
static struct nonet_session *planted(const char *name, uint64_t seed, struct nonet_random *random) {
    struct nonet_session *session = session_of(name, seed);
    for (;;) {
        struct nonet_session *here = beginning_here(session);
        if (plant(here, random)) {
            nonet_session_free(session);
            return here;
        }
        nonet_session_free(here);
        if (!wander(session, random)) {
            nonet_session_free(session);
            return NULL;
        }
    }
}

/* Whether a player who does not see everything must know, too, that the first move of this game is
 * a blunder: in all positions that look the same, one and the same move would have won, and the
 * move that was made loses. */
static bool is_known_to_the_player(struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_hidden *hidden = options->game->hidden;
    int seat = options->game->turn(options, nonet_session_state_before(session, 0));
    struct nonet_state seen, state;
    nonet_observe(options, nonet_session_state_before(session, 0), seat, &seen);
    nonet_move moves[NONET_MAX_MOVES];
    bool wins[NONET_MAX_MOVES];
    int count = options->game->moves(options, &seen, moves), left = count;
    memset(wins, true, sizeof wins);
    for (int i = 0; i < hidden->worlds(options, &seen, seat); i++) {
        hidden->world(options, &seen, seat, i, &state);
        struct nonet_result result;
        for (int k = 0; k < count; k++) {
            struct nonet_state after = state;
            options->game->play(options, &after, NULL, moves[k]);
            bool over = options->game->turn(options, &after) == 0;
            if (over)
                options->game->result(options, &after, &result);
            bool here = over && result.winners == 1 << (seat - 1);
            left -= wins[k] && !here;
            wins[k] &= here;
        }
        if (left == 0)
            return false;
        for (int k = 0; k < 2; k++) {
            nonet_move made = nonet_session_move(session, k), legal[NONET_MAX_MOVES];
            int n = options->game->turn(options, &state) == 0
                        ? 0
                        : options->game->moves(options, &state, legal);
            while (n > 0 && legal[n - 1] != made)
                n--;
            if (n == 0)
                return false; /* there the game goes on in another way */
            options->game->play(options, &state, NULL, made);
        }
        if (options->game->turn(options, &state) != 0)
            return false;
        options->game->result(options, &state, &result);
        if (result.winners >> (seat - 1) & 1)
            return false;
    }
    return true;
}

static void check_marked(const char *name, const struct nonet_session *session, bool hindsight) {
    struct review *review = reviewed(session, (struct review_wish){.hindsight = hindsight}, 1000);
    const struct review_row *blunder = review_row(review, 1), *refutation = review_row(review, 2);
    CHECK(blunder->judged && blunder->turned && blunder->mark == REVIEW_AWFUL,
          "%s: the blunder is not marked: score %d instead of %d", name, blunder->opinion.score,
          blunder->best.score);
    CHECK(!refutation->turned && refutation->mark != REVIEW_AWFUL && refutation->loss == 0,
          "%s: the refutation is marked", name);
    CHECK(refutation->lane == refutation->player, "%s: the lane of the winner", name);
    bool whole = hindsight || nonet_session_options(session)->game->hidden == NULL;
    CHECK(!whole || review_row(review, 0)->lane == blunder->player, "%s: the first lane", name);
    CHECK(review_player(review, refutation->player)->blunders == 0, "%s: blunders", name);
    review_close(review);
}

static void a_planted_blunder_is_marked(void **unused) {
    (void)unused;
    /* Mix 3 ends when the board is full, never two moves earlier: see below. So is Fullend. */
    static const char *const names[] = {"ksar:frame=4x4", "masker",     "kolem", "kolem:steps=4",
                                        "kudosu",         "quadrangle", "chasm", "trix"};
    struct nonet_random random = {3};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int found = 0;
        bool is_hidden = options_of(names[i]).game->hidden != NULL;
        for (uint64_t seed = 1; found < 2 && seed < 300; seed++) {
            struct nonet_session *session = planted(names[i], seed, &random);
            if (session == NULL)
                continue;
            check_marked(names[i], session, true);
            bool known = !is_hidden || is_known_to_the_player(session);
            if (known)
                check_marked(names[i], session, false);
            found += known;
            nonet_session_free(session);
        }
        CHECK(found == 2, "%s: no blunder could be planted", names[i]);
    }
}

/* Fullend with unlimited supply: the first player wins by answering every move with its reflection,
 * and does so once. Then another move gives that up. */
static void leaving_the_mirror_is_marked(void **unused) {
    (void)unused;
    struct nonet_session *session = session_of("fullend:supply=unlimited", 1);
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_random random = {6};
    int winner;
    nonet_move move;
    for (int i = 0; i < 2; i++) {
        assert_true(options->game->mirror(options, nonet_session_state(session), &winner, &move));
        assert_int_equal(winner, 1);
        play(session, move);
        play(session, random_move(session, &random));
    }
    assert_true(options->game->mirror(options, nonet_session_state(session), &winner, &move));
    nonet_move other = random_move(session, &random);
    assert_int_not_equal(other, move);
    play(session, other);
    struct review *review = reviewed(session, (struct review_wish){0}, 1000);
    for (int i = 1; i <= 5; i++)
        CHECK(review_row(review, i)->turned == (i == 5), "row %d", i);
    assert_int_equal(review_row(review, 4)->lane, 1);
    assert_int_not_equal(review_row(review, 5)->lane, 1);
    review_close(review);
    nonet_session_free(session);
}

/* ---- Best play with one blunder in it, and the counts ---- */

/* What follows from the values of all moves, counted row by row. */
struct counted {
    int plies, blunder; /* the row of the planted blunder; 0: none yet */
    int legal[64], keeps[64];
    bool kept[64];
};

/* Plays best moves from here to the end, and once one that is not, if there is a chance for it. */
static bool play_best_but_once(struct nonet_session *session, struct nonet_random *random,
                               struct counted *counted) {
    static enum truth values[NONET_MAX_MOVES];
    enum truth best;
    int wait = (int)nonet_random_below(random, 3);
    *counted = (struct counted){0};
    while (nonet_session_turn(session) != 0) {
        if (counted->plies == 60 || !truths_of(session, values, &best))
            return false;
        int count = (int)nonet_session_count(session), keeps = 0;
        for (int i = 0; i < count; i++)
            keeps += values[i] == best;
        int row = ++counted->plies;
        bool blunder = counted->blunder == 0 && keeps < count && wait-- <= 0;
        int choice = (int)nonet_random_below(random, (uint32_t)count);
        while ((values[choice] == best) == blunder)
            choice = (choice + 1) % count;
        if (blunder)
            counted->blunder = row;
        counted->legal[row] = count;
        counted->keeps[row] = keeps;
        counted->kept[row] = !blunder;
        play(session, nonet_session_nth(session, (uint64_t)choice));
    }
    return counted->blunder > 0;
}

static void check_counts(const char *name, const struct review *review,
                         const struct counted *counted) {
    int of[2] = {0}, kept[2] = {0};
    double chance[2] = {0};
    CHECK(review_exact(review), "%s: not all is proven", name);
    for (int i = 1; i <= counted->plies; i++) {
        const struct review_row *row = review_row(review, i);
        CHECK(row->turned == (i == counted->blunder), "%s: row %d, the blunder is in %d", name, i,
              counted->blunder);
        CHECK((int)row->choice.legal == counted->legal[i] && row->choice.keeps == counted->keeps[i],
              "%s: %d of %d, not %d of %d", name, row->choice.keeps, (int)row->choice.legal,
              counted->keeps[i], counted->legal[i]);
        CHECK((row->lane != review_row(review, i - 1)->lane) == (i == counted->blunder),
              "%s: the lane changed elsewhere", name);
        if (counted->keeps[i] == counted->legal[i])
            continue;
        CHECK(row->kept == counted->kept[i], "%s: row %d", name, i);
        of[row->player - 1]++;
        kept[row->player - 1] += counted->kept[i];
        chance[row->player - 1] += (double)counted->keeps[i] / counted->legal[i];
    }
    for (int i = 0; i < 2; i++) {
        const struct review_player *player = review_player(review, i + 1);
        CHECK(player->of == of[i] && player->kept == kept[i], "%s: kept %d of %d", name,
              player->kept, player->of);
        double off = (double)player->chance / REVIEW_CHANCE - chance[i];
        CHECK(off < 1e-6 && off > -1e-6, "%s: by chance %f", name, chance[i]);
        if (of[i] == 0)
            continue;
        double number = 100 * (kept[i] - chance[i]) / (of[i] - chance[i]);
        off = review_number(player) - number;
        CHECK(off < 0.501 && off > -0.501, "%s: %d and not %f", name, review_number(player),
              number);
        CHECK(kept[i] < of[i] || review_number(player) == 100, "%s: all was kept", name);
    }
}

static void best_play_with_one_blunder_is_counted(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        int before; /* random moves, so that little is left */
    } games[] = {{"quadrangle", 8}, {"mix3", 11}, {"ksar:frame=4x4", 2}, {"kudosu", 9}};
    struct nonet_random random = {8};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        int found = 0;
        for (int tries = 0; found < 4 && tries < 400; tries++) {
            struct nonet_session *session = session_of(games[i].name, 1);
            bool going = true;
            for (int ply = 0; going && ply < games[i].before; ply++)
                going = wander(session, &random);
            struct nonet_session *here = beginning_here(session);
            nonet_session_free(session);
            struct counted counted;
            if (going && play_best_but_once(here, &random, &counted)) {
                struct review *review = reviewed(
                    here, (struct review_wish){.limits = {.proof_nodes = 1 << 22, .nodes = 100}},
                    1 << 20);
                check_counts(games[i].name, review, &counted);
                review_close(review);
                found++;
            }
            nonet_session_free(here);
        }
        CHECK(found == 4, "%s: only %d games", games[i].name, found);
    }
}

/* ---- Numbers ---- */

static void numbers_by_hand(void **unused) {
    (void)unused;
    static const struct {
        int kept, of;
        double chance;
        int number;
    } cases[] = {
        {7, 9, 4.2, 58},   /* 2.8 / 4.8 */
        {9, 9, 4.2, 100},  /* nothing was spoilt */
        {4, 8, 4, 0},      /* as good as chance */
        {0, 1, 0.5, -100}, /* worse */
        {2, 3, 1.5, 33},   /* 0.5 / 1.5 */
        {1, 3, 1.5, -33},  /* the same below 0 */
        {5, 6, 2, 75},     /* 3 / 4 */
        {199, 200, 199.5, -100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct review_player player = {.kept = cases[i].kept,
                                             .of = cases[i].of,
                                             .chance = (int64_t)(cases[i].chance * REVIEW_CHANCE)};
        assert_int_equal(review_number(&player), cases[i].number);
    }
    const struct review_player half = {.counted = 3, .loss = 500};
    assert_int_equal(review_accuracy(&half), 833); /* (1 + 1 + 0.5) / 3 */
}

/* A player who never spoils anything has 100, whoever plays; lots are drawn to see what chance
 * reaches on average. */
static void chance_has_nought(void **unused) {
    (void)unused;
    struct nonet_random random = {21};
    int64_t kept = 0, of = 0;
    double chance = 0;
    for (int i = 0; i < 60; i++) {
        struct nonet_session *session = session_of("quadrangle", 1);
        bool going = true;
        for (int ply = 0; going && ply < 6; ply++)
            going = wander(session, &random);
        struct nonet_session *here = beginning_here(session);
        while (nonet_session_turn(here) != 0)
            play(here, random_move(here, &random));
        struct review *review = reviewed(
            here, (struct review_wish){.limits = {.proof_nodes = 1 << 22, .nodes = 100}}, 1 << 20);
        for (int p = 1; p <= 2; p++) {
            kept += review_player(review, p)->kept;
            of += review_player(review, p)->of;
            chance += (double)review_player(review, p)->chance / REVIEW_CHANCE;
        }
        review_close(review);
        nonet_session_free(here);
        nonet_session_free(session);
    }
    double number = 100 * ((double)kept - chance) / ((double)of - chance);
    CHECK(of > 60 && number < 20 && number > -20, "kept %d of %d, by chance %f: %f", (int)kept,
          (int)of, chance, number);
}

/* ---- The course of a review ---- */

static void check_same(const struct review *a, const struct review *b, int from) {
    for (int i = from; i < review_all_rows(a); i++) {
        const struct review_row *one = review_row(a, i), *other = review_row(b, i);
        assert_int_equal(one->replies.keeps, other->replies.keeps);
        if (i == from)
            continue;
        assert_int_equal(one->lane, other->lane);
        assert_int_equal(one->opinion.score, other->opinion.score);
        assert_int_equal(one->best.move, other->best.move);
        assert_int_equal(one->loss, other->loss);
        assert_int_equal(one->choice.keeps, other->choice.keeps);
    }
}

/* Random games of every kind: what is proven agrees from row to row, and the review is the same
 * however it is advanced, and from wherever it begins. */
static void reviews_agree(void **unused) {
    (void)unused;
    static const char *const names[] = {"quadrangle", "trix", "chasm:players=3", "masker",
                                        "ksar:frame=4x4"};
    struct nonet_random random = {4};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        struct nonet_session *session = session_of(names[n], 2);
        while (nonet_session_turn(session) != 0 && nonet_session_ply(session) < 14)
            play(session, random_move(session, &random));
        const struct review_wish wish = {.limits = {.proof_nodes = 2000, .nodes = 2000}};
        struct review *review = reviewed(session, wish, 1 << 20);
        bool two = nonet_session_options(session)->players == 2;
        for (int i = 1; i < review_rows(review); i++) {
            const struct review_row *row = review_row(review, i), *before = row - 1;
            assert_int_equal(row->move, nonet_session_move(session, i - 1));
            assert_int_equal(row->choice.legal, before->replies.legal);
            if (two && row->judged && row->best.known == NONET_PROVEN &&
                row->opinion.known == NONET_PROVEN)
                CHECK(row->opinion.value.outcome <= row->best.value.outcome,
                      "%s: row %d is better than the best", names[n], i);
            CHECK(!row->turned || row->loss >= REVIEW_MISTAKE, "%s: row %d", names[n], i);
            CHECK(row->slower == 0 || !row->turned, "%s: a slower win is no mistake", names[n]);
        }
        struct review *slowly = reviewed(session, wish, 7);
        check_same(review, slowly, 0);
        review_close(slowly);
        struct review_wish later = wish;
        later.first = nonet_session_ply(session) / 2;
        struct review *part = reviewed(session, later, 1 << 20);
        assert_int_equal(review_first(part), later.first);
        check_same(review, part, later.first);
        review_close(part);
        review_close(review);
        nonet_session_free(session);
    }
}

/* What time is left for may be less than all; and the reviewed session stays as it was. */
static void enough_is_enough(void **unused) {
    (void)unused;
    struct nonet_random random = {5};
    struct nonet_session *session = session_of("ksar", 1);
    for (int i = 0; i < 6; i++)
        play(session, random_move(session, &random));
    int node = nonet_session_node(session);
    const struct review_wish wish = {.limits = {.proof_nodes = 0, .nodes = 0}};
    struct review *review = review_open(session, &wish);
    assert_non_null(review);
    assert_int_equal(review_enough(review), REVIEW_WORKING); /* nothing is known yet */
    assert_int_equal(review_rows(review), 0);
    enum review_status status = REVIEW_WORKING;
    while (status == REVIEW_WORKING) {
        status = review_advance(review, 50);
        if (status == REVIEW_WORKING)
            status = review_enough(review);
    }
    assert_int_equal(status, REVIEW_DONE);
    assert_int_equal(review_rows(review), 7);
    assert_int_equal(nonet_session_node(session), node);
    assert_false(review_exact(review));
    review_close(review);
    nonet_session_free(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_blunder_is_marked),
        cmocka_unit_test(leaving_the_mirror_is_marked),
        cmocka_unit_test(best_play_with_one_blunder_is_counted),
        cmocka_unit_test(numbers_by_hand),
        cmocka_unit_test(chance_has_nought),
        cmocka_unit_test(reviews_agree),
        cmocka_unit_test(enough_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
