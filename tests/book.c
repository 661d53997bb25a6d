/* Books of openings: what they say, compared with a plain recursion over their lines; in all images
 * of a position; which position comes next; and what is refused.
 *
 * The books here are made with scores by chance, so that no search hides a mistake. */
#include "search/book.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "variants.h"

enum { LINES = 24, PER_PLY = 20, ROOM = 1 << 16 };

static const char *const games[] = {"ksar:frame=6x6", "ksar:frame=6x7",  "quadrangle",
                                    "kudosu",         "chasm:players=3", "chasm:players=4"};
enum { GAMES = sizeof games / sizeof games[0] };

static struct nonet_report report;

/* ---- A plain model: the lines, looked through one by one ---- */

struct position {
    struct nonet_state state;
    int count;
    struct nonet_book_move moves[NONET_BOOK_MOVES];
    struct nonet_state after[NONET_BOOK_MOVES];
    int score[NONET_BOOK_MOVES]; /* of the whole book, for the player to move */
    int best;
};

struct model {
    struct nonet_options options;
    int count;
    struct position positions[LINES];
    char text[ROOM]; /* of the book */
};

static void after_move(const struct model *model, const struct nonet_state *state, nonet_move move,
                       struct nonet_state *after) {
    struct nonet_state played = *state;
    model->options.game->play(&model->options, &played, NULL, move);
    memset(after, 0, sizeof *after);
    nonet_canonical(&model->options, &played, after);
}

static const struct position *line_of(const struct model *model, const struct nonet_state *state) {
    for (int i = 0; i < model->count; i++)
        if (memcmp(&model->positions[i].state, state, model->options.game->state_size) == 0)
            return &model->positions[i];
    return NULL;
}

static void worth_of_move(const struct model *model, const struct position *position, int index,
                          int16_t worth[NONET_MAX_PLAYERS]);

/* The best move's worth for all; among equals the first. */
static void worth_of_position(const struct model *model, const struct position *position,
                              int16_t worth[NONET_MAX_PLAYERS]) {
    int mover = model->options.game->turn(&model->options, &position->state);
    for (int i = 0; i < position->count; i++) {
        int16_t own[NONET_MAX_PLAYERS];
        worth_of_move(model, position, i, own);
        if (i == 0 || own[mover - 1] > worth[mover - 1])
            memcpy(worth, own, sizeof own);
    }
}

static void worth_of_move(const struct model *model, const struct position *position, int index,
                          int16_t worth[NONET_MAX_PLAYERS]) {
    const struct position *line = line_of(model, &position->after[index]);
    if (line != NULL)
        worth_of_position(model, line, worth);
    else
        memcpy(worth, position->moves[index].worth, sizeof position->moves[index].worth);
}

/* The least cost at which a position without a line is reached, over all ways. */
static int least_cost(const struct model *model, const struct position *position,
                      const struct nonet_state *wanted, int so_far) {
    int mover = model->options.game->turn(&model->options, &position->state), least = INT32_MAX;
    int16_t best[NONET_MAX_PLAYERS], own[NONET_MAX_PLAYERS];
    worth_of_position(model, position, best);
    for (int i = 0; i < position->count; i++) {
        const struct nonet_state *after = &position->after[i];
        worth_of_move(model, position, i, own);
        int cost = so_far + PER_PLY + best[mover - 1] - own[mover - 1];
        const struct position *line = line_of(model, after);
        bool open = model->options.game->turn(&model->options, after) != 0;
        if (line != NULL)
            cost = least_cost(model, line, wanted, cost);
        else if (!open || (wanted != NULL && memcmp(after, wanted, sizeof *after) != 0))
            continue;
        least = cost < least ? cost : least;
    }
    return least;
}

/* ---- Making books by chance ---- */

static void draw_moves(struct model *model, struct position *position,
                       struct nonet_random *random) {
    const struct nonet_options *options = &model->options;
    nonet_move moves[NONET_MAX_MOVES], chosen[NONET_BOOK_MOVES];
    int count = options->game->moves(options, &position->state, moves);
    report.count = count;
    for (int i = 0; i < count; i++) {
        int at = i + (int)nonet_random_below(random, (uint32_t)(count - i));
        report.moves[i] = (struct nonet_opinion){.move = moves[at]};
        moves[at] = moves[i];
    }
    int mover = options->game->turn(options, &position->state);
    position->count = nonet_book_choose(options, &position->state, &report,
                                        2 + (int)nonet_random_below(random, 5), chosen);
    for (int i = 0; i < position->count; i++) {
        struct nonet_book_move *move = &position->moves[i];
        move->move = chosen[i];
        after_move(model, &position->state, chosen[i], &position->after[i]);
        for (int k = 0; k < options->players; k++)
            move->worth[k] = (int16_t)((int)nonet_random_below(random, 201) - 100);
        if (options->players == 2)
            move->worth[2 - mover] = (int16_t)-move->worth[mover - 1];
    }
}

/* Adds a position that the book asks for; false if there is none left. */
static bool add_position(struct model *model, struct nonet_book *book, struct nonet_text *text,
                         struct nonet_random *random) {
    struct position *position = &model->positions[model->count];
    struct nonet_message why;
    memset(position, 0, sizeof *position);
    if (!nonet_book_next(book, &position->state))
        return false;
    if (model->count > 0)
        CHECK(least_cost(model, &model->positions[0], &position->state, 0) ==
                  least_cost(model, &model->positions[0], NULL, 0),
              "%s: position %d is not the next", variant_name(&model->options), model->count);
    draw_moves(model, position, random);
    size_t begun = text->length;
    nonet_book_write(&model->options, &position->state, position->moves, position->count, text);
    assert_true(nonet_book_add(book, text->bytes + begun, &why));
    model->count++;
    assert_int_equal(nonet_book_count(book), model->count);
    return true;
}

/* What the whole book says about the moves of its lines. */
static void settle(struct model *model) {
    for (int i = 0; i < model->count; i++) {
        struct position *line = &model->positions[i];
        int mover = model->options.game->turn(&model->options, &line->state);
        int16_t worth[NONET_MAX_PLAYERS];
        for (int k = 0; k < line->count; k++) {
            worth_of_move(model, line, k, worth);
            line->score[k] = worth[mover - 1];
        }
        worth_of_position(model, line, worth);
        line->best = worth[mover - 1];
    }
}

static struct nonet_book *make(const char *name, uint64_t seed, struct model *model) {
    struct nonet_random random = {seed};
    struct nonet_message why;
    *model = (struct model){.options = options_of(name)};
    assert_true(nonet_book_suits(&model->options));
    struct nonet_text text = NONET_TEXT_IN(model->text);
    nonet_book_begin(&model->options, "by chance", &text);
    struct nonet_book *book = nonet_book_new(&model->options);
    while (model->count < LINES && add_position(model, book, &text, &random)) {
    }
    assert_true(model->count > 10);
    settle(model);
    nonet_book_free(book);
    nonet_book_end(&text);
    assert_false(text.cut);
    book = nonet_book_read(&model->options, model->text, &why);
    assert_non_null(book);
    return book;
}

/* ---- What a book says ---- */

/* The score of a move of this position, which is one of a line's images; or the worst of the line's
 * scores if the line does not name it. */
static int score_of(const struct model *model, const struct position *line,
                    const struct nonet_state *state, nonet_move move, bool *named) {
    int worst = INT32_MAX;
    struct nonet_state reached;
    after_move(model, state, move, &reached);
    for (int i = 0; i < line->count; i++) {
        *named = memcmp(&line->after[i], &reached, sizeof reached) == 0;
        if (*named)
            return line->score[i];
        worst = line->score[i] < worst ? line->score[i] : worst;
    }
    return worst;
}

static void check_line(const struct model *model, const struct nonet_state *state) {
    const struct nonet_options *options = &model->options;
    struct nonet_state at = *state;
    struct nonet_message why;
    assert_int_equal(report.line[0], report.moves[0].move);
    for (int i = 0; i < report.line_length; i++) {
        assert_true(options->game->why(options, &at, report.line[i], &why));
        options->game->play(options, &at, NULL, report.line[i]);
    }
}

static void check_report(const struct model *model, const struct position *line,
                         const struct nonet_state *state, int known) {
    const struct nonet_options *options = &model->options;
    nonet_move moves[NONET_MAX_MOVES];
    bool named[NONET_MAX_MOVES];
    assert_int_equal(report.count, options->game->moves(options, state, moves));
    for (int i = 0; i < report.count; i++) {
        const struct nonet_opinion *opinion = &report.moves[i];
        struct nonet_message why;
        assert_true(options->game->why(options, state, opinion->move, &why));
        assert_int_equal(opinion->score, score_of(model, line, state, opinion->move, &named[i]));
        assert_int_equal(opinion->known, NONET_ESTIMATED);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(report.moves[k].move, opinion->move);
        assert_int_equal(named[i], i < known);
        if (i > 1)
            assert_true(opinion[-1].score >= opinion->score);
    }
    assert_true(named[0] && report.moves[0].score >= line->best - NONET_BOOK_MARGIN);
    check_line(model, state);
}

/* In every image of every position the choice is legal and about as good as the best, and all such
 * moves are chosen by some seed. */
static void books_say_what_follows(void **unused) {
    (void)unused;
    static struct model model;
    for (int g = 0; g < GAMES; g++) {
        struct nonet_book *book = make(games[g], 7 + (uint64_t)g, &model);
        const struct nonet_game *game = model.options.game;
        for (int i = 0; i < model.count; i++)
            for (int s = 0; s < game->symmetries(&model.options); s++) {
                const struct position *line = &model.positions[i];
                struct nonet_state image = line->state;
                game->turn_state(&model.options, s, &line->state, &image);
                int known = nonet_book_report(book, &image, (uint64_t)s, &report);
                check_report(&model, line, &image, known);
            }
        nonet_book_free(book);
    }
}

static void all_good_moves_are_played(void **unused) {
    (void)unused;
    static struct model model;
    struct nonet_book *book = make("ksar:frame=6x6", 3, &model);
    const struct nonet_game *game = model.options.game;
    int several = 0;
    for (int i = 0; i < model.count; i++) {
        const struct nonet_state *state = &model.positions[i].state;
        bool played[NONET_MAX_MOVES] = {false};
        nonet_move moves[NONET_MAX_MOVES];
        int good = 0, found = 0, count = game->moves(&model.options, state, moves);
        for (uint64_t seed = 0; seed < 300; seed++) {
            assert_true(nonet_book_report(book, state, seed, &report) > 0);
            for (int k = 0; k < count; k++)
                played[k] |= moves[k] == report.moves[0].move;
        }
        for (int k = 0; k < count; k++) {
            bool named;
            int score = score_of(&model, &model.positions[i], state, moves[k], &named);
            good += named && score >= model.positions[i].best - NONET_BOOK_MARGIN;
            found += played[k];
        }
        assert_int_equal(found, good);
        several += good > 1;
    }
    assert_true(several > 5);
    nonet_book_free(book);
}

/* Positions that the book does not have. */
static void others_are_unknown(void **unused) {
    (void)unused;
    static struct model model;
    struct nonet_book *book = make("kudosu", 1, &model);
    struct nonet_random random = {5};
    for (int game = 0; game < 50; game++) {
        struct nonet_session *session = session_of("kudosu", 1);
        while (nonet_session_turn(session) != 0) {
            struct nonet_state canonical = {0};
            nonet_canonical(&model.options, nonet_session_state(session), &canonical);
            int known = nonet_book_report(book, nonet_session_state(session), 1, &report);
            assert_int_equal(known > 0, line_of(&model, &canonical) != NULL);
            play(session, random_move(session, &random));
        }
        nonet_session_free(session);
    }
    nonet_book_free(book);
}

/* ---- What is refused ---- */

static void check_refused(const struct nonet_options *options, const char *text, const char *key) {
    struct nonet_message why = {0};
    struct nonet_book *book = nonet_book_read(options, text, &why);
    CHECK(book == NULL, "accepted: %.300s", text);
    if (key != NULL)
        assert_string_equal(why.phrase->key, key);
}

static void damage_is_refused(void **unused) {
    (void)unused;
    static struct model model;
    nonet_book_free(make("quadrangle", 2, &model));
    size_t size = strlen(model.text);
    char *copy = malloc(size + 1);
    for (size_t at = 0; at < size; at++) {
        memcpy(copy, model.text, size + 1);
        copy[at] = (char)(copy[at] ^ 1 << at % 7);
        check_refused(&model.options, copy, NULL);
        copy[at] = '\0'; /* cut short */
        check_refused(&model.options, copy, NULL);
    }
    free(copy);
    struct nonet_options other = options_of("quadrangle:rectangles=upright");
    check_refused(&other, model.text, "book.other-game");
    check_refused(&model.options, "", "book.no-book");
    check_refused(&model.options, "nonet-book 2 quadrangle x\n", "book.other-version");
    check_refused(&model.options, "nonet-book 1 quadrangle:rectangles=any x\n", "book.damaged");
}

/* A book with a good checksum, of these lines. */
static void check_lines_refused(const char *name, const char *lines) {
    struct nonet_options options = options_of(name);
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_book_begin(&options, "by hand", &text);
    nonet_text_add(&text, lines);
    nonet_book_end(&text);
    check_refused(&options, bytes, "book.bad-line");
}

static void bad_lines_are_refused(void **unused) {
    (void)unused;
#define START "12+3 12+3 1 |"
    struct nonet_options ksar = options_of("ksar:frame=6x6");
    struct nonet_message why;
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_book_begin(&ksar, "by hand", &text);
    nonet_text_add(&text, START " 2x3@a1 -1000 3x1@a1 1000\n");
    nonet_book_end(&text);
    struct nonet_book *book = nonet_book_read(&ksar, bytes, &why);
    assert_non_null(book);
    nonet_book_free(book);
    static const char *const bad[] = {
        "\n",
        "nonsense\n",
        START "\n",
        START " \n",
        START " 2x3@a1\n",
        START " 2x3@a1 \n",
        START " 2x3@a1 12 \n",
        START " 2x3@a1 12/3\n",
        START " 2x3@a1 1001\n",
        START " 2x3@a1 -1001\n",
        START " 2x3@a1 --1\n",
        START " 2x3@b2 12\n", /* touches nothing */
        START " 9x9@a1 12\n",
        START " 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1"
              " 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1 2x3@a1 1\n",
        START " 2x3@a1 12 2x3@a1 10\n",                       /* a move twice */
        START " 2x3@a1 12 3x2@a5 10\n",                       /* or an image of it */
        START " 2x3@a1 12\n" START " 2x3@a1 12\n",            /* a position twice */
        "11+3 12+3 b2x3@a1 2 | 2x3@e4 5\n",                   /* not the first position */
        START " 2x3@a1 12\n10+3 12+3 b2x3@a1 2 | 2x3@e4 5\n", /* no position of a game */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_lines_refused("ksar:frame=6x6", bad[i]);
    /* Of the images of a position all but one are refused. */
    static const char *const corners[] = {"a1", "e1", "a4", "e4"};
    int refused = 0;
    for (int i = 0; i < 4; i++) {
        text = nonet_text_in(bytes, sizeof bytes);
        nonet_book_begin(&ksar, "by hand", &text);
        nonet_text_format(&text, START " 2x3@a1 1\n11+3 12+3 b2x3@%s 2 | 1x2@%s 5\n", corners[i],
                          corners[i][0] == 'a' ? "f1" : "a1");
        nonet_book_end(&text);
        book = nonet_book_read(&ksar, bytes, &why);
        refused += book == NULL;
        nonet_book_free(book);
    }
    assert_in_range(refused, 3, 4); /* the eight images are these and four with 3x2 */
    check_lines_refused("chasm:players=3", "..../..../..../.... place 1 | a1 1/2\n");
    check_lines_refused("chasm:players=3", "..../..../..../.... place 1 | a1 1/2/3/4\n");
}

/* Games without a book. */
static void some_games_have_none(void **unused) {
    (void)unused;
    static const char *const names[] = {"masker", "fullend", "ksar:swap=yes"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct nonet_options options = options_of(names[i]);
        assert_false(nonet_book_suits(&options));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_say_what_follows), cmocka_unit_test(all_good_moves_are_played),
        cmocka_unit_test(others_are_unknown),     cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(bad_lines_are_refused),  cmocka_unit_test(some_games_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
