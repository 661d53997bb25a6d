/* What the page calls (apps/wasm/page.c), compiled for this machine: answers that do not fit, games
 * that grow too long, and the text of a game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"

#include "../apps/wasm/page.c"
#include "../apps/wasm/study.h"
#include "search/book.h"
#include "study/balance.h"
#include "study/trial.h"

static void begin(const char *lines) {
    strcpy(input, lines);
    CHECK(page_new(1, 2), "%s", output);
}

static bool plays(const char *move) {
    strcpy(input, move);
    return page_play();
}

/* Plays a random legal move, of a wide game too. False once the game is over. */
static bool plays_some(struct nonet_random *random) {
    uint64_t count = nonet_session_count(session);
    if (count == 0)
        return false;
    uint64_t index = nonet_random_next(random) % count;
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    options.game->print(&options, nonet_session_nth(session, index), &text);
    CHECK(plays(name), "%s", output);
    return true;
}

/* Answers with little room: never half of something. */
static void expect_no_room(const char *what, bool done, size_t room) {
    CHECK(!done, "%s in %zu bytes: %s", what, room, output);
    assert_string_equal(output, PAGE_NO_ROOM);
}

static void an_answer_that_was_cut_is_an_error(void **state) {
    (void)state;
    struct nonet_random random = {5};
    for (int i = 0; i < nonet_game_count; i++) {
        output_room = OUTPUT;
        begin(nonet_games[i]->id);
        for (int ply = 0; ply < 3; ply++)
            plays_some(&random);
        for (output_room = 8; output_room < 64; output_room *= 2) {
            expect_no_room("position", page_position(1), output_room);
            expect_no_room("scene", page_scene(1, 1), output_room);
            expect_no_room("show", page_show(1, 1), output_room);
            expect_no_room("picture", page_picture(1), output_room);
            expect_no_room("difference", page_difference(1, 0), output_room);
            expect_no_room("shelf", page_shelf(), output_room);
            strcpy(input, nonet_games[i]->id);
            expect_no_room("box", page_box(), output_room);
            expect_no_room("figure", page_figure(), output_room);
        }
        output_room = 8;
        expect_no_room("history", page_history(0, 3), output_room);
        expect_no_room("keep", page_keep(7), output_room);
        expect_no_room("refusal", plays("an impossible move"), output_room);
        CHECK(page_think(1, 3), "%s", output);
        page_advance(10);
        expect_no_room("report", page_report(), output_room);
        expect_no_room("tree", page_tree(), output_room);
        if (nonet_games[i]->hidden == NULL) {
            CHECK(review_begin(0, 0, 10, 1, 0, 0), "%s", output);
            while (review_go_on(0, 10) == REVIEW_WORKING)
                continue;
            expect_no_room("review", review_tell(0, 0), output_room);
            review_end(0);
        } else {
            assert_false(review_begin(0, 0, 10, 1, 0, 0)); /* it would tell what other seats know */
        }
        CHECK(study_judge(100, 20, 1, 0), "%s", output);
        study_advance(200);
        expect_no_room("verdict", study_verdict(), output_room);
        if (nonet_games[i]->hidden != NULL)
            expect_no_room("deduction", study_deduce(1), output_room);
        else
            assert_false(study_deduce(1));
        strcpy(input, "\nclear\nturn 1");
        if (nonet_games[i]->editor != NULL)
            expect_no_room("an edit", study_edit(1), output_room);
        else
            assert_false(study_edit(1));
        strcpy(input, "touch 0\nlegal\nnot(legal)");
        expect_no_room("a try", study_lesson_try(10), output_room);
        strcpy(input, "a1\na2\nno move");
        expect_no_room("openings", study_opening_keys(), output_room);
    }
    output_room = OUTPUT;
}

/* A translation may fill in more than there is room for. */
static void a_translation_that_grows_is_an_error_too(void **state) {
    (void)state;
    struct nonet_text text = NONET_TEXT_IN(input);
    nonet_text_add(&text, "kolem.not-a-move\t");
    while (text.length + 4 < INPUT)
        nonet_text_add(&text, "{0}");
    assert_true(page_language());
    begin("kolem");
    expect_no_room("refusal", plays("forty letters that are no move of any game"), OUTPUT);
    input[0] = '\0';
    assert_true(page_language());
}

static void before_the_first_game_everything_is_refused(void **state) {
    (void)state;
    nonet_session_free(session);
    session = NULL;
    strcpy(input, "a1");
    assert_false(page_keep(1) || page_position(0) || page_scene(0, 0) || page_show(0, 0) ||
                 page_picture(0) || page_setup() || page_history(0, 1) || page_play() ||
                 page_why() || page_undo() || page_redo() || page_preview(0) ||
                 page_difference(1, 0) || page_spell() || page_wish(0, 0, 0, 0) || page_ghost() ||
                 page_nearest() || page_think(1, 1) || page_report() || page_tree() || page_go(0) ||
                 page_prune(1) || review_begin(0, 0, 10, 1, 0, 0) || review_tell(0, 0) ||
                 study_deduce(0) || study_lesson_try(1) || study_table_name() ||
                 study_opening_keys() || study_book_moves() || study_judge(1, 1, 1, 0) ||
                 study_edit(1) || bench_game(0) || bench_record() || bench_exact() ||
                 bench_exact_tell());
    assert_int_equal(bench_exact_go_on(1), BALANCE_FAILED);
    assert_null(page_region());
}

/* The corner is worth 4, the cell beside it 60 less; the book knows no other cells. */
static void a_book_tells_its_moves_in_all_images(void **state) {
    (void)state;
    static const char *const told[] = {"a1", "a4", "d1", "d4"};
    struct nonet_options plain;
    nonet_options_default(&plain, nonet_game_find("quadrangle"));
    struct nonet_text text = NONET_TEXT_IN(input);
    begin("quadrangle");
    nonet_book_begin(&plain, "by hand", &text);
    nonet_text_add(&text, "..../..../..../.... 1 | d4 4 c4 -56\n");
    nonet_book_end(&text);
    CHECK(study_book_moves(), "%s", output);
    assert_int_equal(strlen(output),
                     strlen("{,,,,,,,,,,,}") + 4 * strlen("'a1':4") + 8 * strlen("'a1':-56"));
    for (int i = 0; i < 4; i++) {
        char member[16];
        snprintf(member, sizeof member, "\"%s\":4", told[i]);
        assert_non_null(strstr(output, member));
    }
    assert_non_null(strstr(output, "\"b1\":-56"));
    input[0] = 'x';
    assert_false(study_book_moves());
    CHECK(plays("a1"), "%s", output);
    text = NONET_TEXT_IN(input);
    nonet_book_begin(&plain, "by hand", &text);
    nonet_text_add(&text, "..../..../..../.... 1 | d4 4\n");
    nonet_book_end(&text);
    CHECK(study_book_moves(), "%s", output);
    assert_string_equal(output, "{}");
}

static const char *edited(const char *lines) {
    strcpy(input, lines);
    CHECK(study_edit(4), "%s", output);
    return output;
}

static void a_draft_is_edited_by_lines(void **state) {
    (void)state;
    begin("quadrangle");
    assert_non_null(strstr(edited("\nput 0 5"), "\"..../..../.A../.... 2\""));
    assert_non_null(strstr(edited("..../..../.A../.... 2\nput 0 6"), "\"position\":null"));
    assert_non_null(strstr(edited("\nput 7 5\nput 0 99\ntake 0\nnonsense"), "\"refused\":4"));
    strcpy(input, "nonsense");
    assert_false(study_edit(4));
    assert_true(strlen(output) > 0);
}

/* What the current game hides is no part of a draft, nor of what is drawn by lot for playing on. */
static void a_draft_knows_no_secret(void **state) {
    (void)state;
    static char answer[OUTPUT];
    static const char layout[] = "VWBRRVYGVBGYBRYWYNVYWGRBGVRWBBYVRWGG";
    char lines[128];
    for (int i = 0; i < 2; i++) {
        struct nonet_text text = NONET_TEXT_IN(lines);
        nonet_text_format(&text, "masker\ndeal=%s\ncolours=%s", layout, i == 0 ? "VY" : "RB");
        begin(lines);
        edited("");
        assert_non_null(strstr(output, " ?? 0 - 1\""));
        if (i == 0)
            strcpy(answer, output);
        else
            assert_string_equal(answer, output);
    }
}

/* A table comes in pages. What is missing is told; what is no table is refused. */
static void a_table_comes_in_pages(void **state) {
    (void)state;
    begin("trix");
    assert_true(study_table_name());
    assert_string_equal(output, "trix:camps=corner,goal=three");
    assert_false(study_table_begin(0) || study_table_begin(UINT64_MAX));
    size_t page = (size_t)study_table_page_size();
    assert_true(study_table_begin(2 * page + 1));
    assert_int_equal(study_table_open(), STUDY_TABLE_MISSING);
    assert_true(study_table_missing());
    assert_string_equal(output, "[[0,1]]");
    assert_null(study_table_page(3));
    unsigned char *first = study_table_page(0);
    assert_non_null(first);
    memset(first, 0, page);
    assert_int_equal(study_table_open(), STUDY_TABLE_REFUSED);
    assert_string_equal(output, "table.no-table");
    /* Without a table the search judges. */
    assert_true(study_judge(1000, 1000, 1, 1));
    while (study_advance(100) == 0)
        ;
    assert_true(study_verdict());
    assert_non_null(strstr(output, "\"trouble\":null"));
    study_table_end();
    assert_false(study_verdict());
}

/* The bench: a game for each number, figures of what was played, and nothing of what is wrong. */
static void games_are_played_to_measure_a_game(void **state) {
    (void)state;
    char records[4096] = "";
    struct nonet_text all = NONET_TEXT_IN(records);
    for (uint32_t number = 0; number < 3; number++) {
        strcpy(input, "trix\ncamps=side");
        CHECK(bench_begin(1, 9), "%s", output);
        assert_false(bench_record());
        assert_true(bench_game(number));
        while (bench_go_on(100) == TRIAL_WORKING)
            ;
        assert_true(bench_record());
        nonet_text_format(&all, "%s%s", number > 0 ? "\n" : "", output);
    }
    strcpy(input, records);
    CHECK(bench_figures(2), "%s", output);
    assert_non_null(strstr(output, "\"games\":3,"));
    strcpy(input, records);
    output_room = 8;
    expect_no_room("figures", bench_figures(2), output_room);
    expect_no_room("record", bench_record(), output_room);
    output_room = OUTPUT;
    strcpy(input, records);
    input[0] = 'x';
    assert_false(bench_figures(2));
    assert_string_equal(output, PAGE_DAMAGED);
    assert_false(bench_figures(1) || bench_figures(5));
    static const char *const wrong[] = {"", "go", "trix\ncamps=nowhere", "trix\nx"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        strcpy(input, wrong[i]);
        assert_false(bench_begin(1, 9));
        assert_true(output[0] != '\0');
    }
    strcpy(input, "trix");
    assert_false(bench_begin(0, 9) || bench_begin(10, 9));
    /* Without a table there is nothing exact. */
    begin("trix");
    assert_false(bench_exact());
}

static const char too_long[] = "a game has at most 20000 moves";

/* Plays without end: never a move that ends the game, and back from every end. */
static void a_game_has_at_most_so_many_moves(void **state) {
    (void)state;
    struct nonet_random random = {9};
    begin("trix");
    while (nonet_session_ply(session) < NONET_MAX_PLIES) {
        int ply = nonet_session_ply(session);
        CHECK(plays_some(&random), "over after %d moves", ply);
        if (nonet_session_turn(session) == 0)
            for (int back = 0; back < 2 && page_undo(); back++)
                continue;
    }
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    options.game->print(&options, nonet_session_nth(session, 0), &text);
    assert_false(plays(name));
    assert_string_equal(output, too_long);
    /* All of it can be shown, kept and restored. */
    assert_true(page_history(0, NONET_MAX_PLIES));
    assert_true(page_keep(1));
    strcpy(input, output);
    struct nonet_session *whole = session;
    assert_true(page_restore(1, 2));
    assert_ptr_not_equal(session, whole);
    assert_int_equal(nonet_session_ply(session), NONET_MAX_PLIES);
    /* A text with one more is refused, and the game stays. */
    assert_true(page_keep(1));
    strcpy(input, output);
    strcat(strcat(strcat(input, " "), name), "\n");
    assert_false(page_restore(1, 2));
    assert_string_equal(output, too_long);
    assert_int_equal(nonet_session_ply(session), NONET_MAX_PLIES);
    assert_true(page_undo());
    assert_true(page_redo());
}

/* The text of the game as another instance writes it that has played all of it. */
static void check_text(void) {
    static char kept[GAME_ROOM];
    tell_game();
    strcpy(kept, game_text);
    struct nonet_session *shown = session;
    struct nonet_options told = options;
    session = NULL;
    strcpy(input, kept);
    CHECK(page_new(77, 78), "%s: %s", kept, output);
    tell_game();
    assert_string_equal(game_text, kept);
    assert_memory_equal(nonet_session_state(session), nonet_session_state(shown),
                        told.game->state_size);
    nonet_session_free(session);
    session = shown;
    options = told;
}

static void the_text_tells_the_game(void **state) {
    (void)state;
    struct nonet_random random = {3};
    for (int i = 0; i < nonet_game_count; i++) {
        begin(nonet_games[i]->id);
        for (int step = 0; step < 40; step++) {
            switch (nonet_random_below(&random, 4)) {
            case 0:
                page_undo();
                break;
            case 1:
                page_redo();
                break;
            default:
                plays_some(&random);
            }
            check_text();
        }
    }
}

/* A record and a link tell the whole game, but nothing of one that still hides something. */
static void a_game_is_told_once_nothing_is_hidden(void **state) {
    (void)state;
    begin("trix\ncamps=side\nfrom=..BB/...B/A.../A.A. 2\n d4b4");
    CHECK(page_setup(), "%s", output);
    assert_string_equal(output,
                        "{\"game\":\"trix\",\"options\":{\"camps\":\"side\",\"goal\":\"three\"},"
                        "\"from\":\"..BB/...B/A.../A.A. 2\",\"moves\":[\"d4b4\"]}");
    struct nonet_random random = {6};
    begin("masker");
    do
        assert_false(page_setup());
    while (plays_some(&random) && nonet_session_turn(session) != 0);
    assert_true(page_setup());
    assert_non_null(strstr(output, "\"colours\""));
}

/* What a viewer sees of a position, as text. */
static void write_seen(const void *position, int viewer, char line[NONET_POSITION_TEXT]) {
    struct nonet_state seen;
    struct nonet_text text = nonet_text_in(line, NONET_POSITION_TEXT);
    nonet_observe(&options, position, viewer, &seen);
    options.game->write(&options, &seen, &text);
}

/* The game that the engine holds, told to a viewer as a server does it. */
static void tell_viewer(int viewer, char told[GAME_ROOM]) {
    char first[NONET_POSITION_TEXT], now[NONET_POSITION_TEXT];
    struct nonet_text text = nonet_text_in(told, GAME_ROOM);
    write_seen(state_at(0), viewer, first);
    write_seen(nonet_session_state(session), viewer, now);
    nonet_text_format(&text, "%s\n%s\n%s", first, now, options.game->id);
    for (int i = -1; (i = nonet_option_next(&options, i, NONET_TELL_SEAT)) >= 0;)
        nonet_text_format(&text, "\n%s=%s", options.game->options[i].key, options.value[i].text);
    for (int i = 0; i < nonet_session_ply(session); i++) {
        char name[NONET_MOVE_TEXT];
        struct nonet_text move = NONET_TEXT_IN(name);
        options.game->print(&options, nonet_session_move(session, i), &move);
        nonet_text_format(&text, "\n %s", name);
    }
    assert_false(text.cut);
}

/* At a table far away a viewer gets what they may know, and sees the same as one who looks at the
 * whole game: every scene up to the present, and what each move did. */
static void a_game_is_observed_from_afar(void **state) {
    (void)state;
    static char told[GAME_ROOM], whole[GAME_ROOM], here[OUTPUT];
    struct nonet_random random = {11};
    for (int i = 0; i < nonet_game_count; i++) {
        if (nonet_games[i]->hidden == NULL)
            continue;
        begin(nonet_games[i]->id);
        do {
            for (int viewer = 0; viewer <= options.players; viewer++) {
                size_t length = tell_game();
                memcpy(whole, game_text, length + 1);
                tell_viewer(viewer, told);
                for (int ply = 0; ply <= nonet_session_ply(session); ply++) {
                    CHECK(page_scene(ply, viewer), "%s", output);
                    strcpy(here, output);
                    strcpy(input, told);
                    CHECK(page_observe(viewer, viewer > 0), "%s", output);
                    CHECK(page_scene(ply, viewer), "%s", output);
                    assert_string_equal(output, here);
                    begin(whole);
                    CHECK(ply == 0 || page_difference(ply, viewer), "%s", output);
                    strcpy(here, output);
                    strcpy(input, told);
                    CHECK(page_observe(viewer, false), "%s", output);
                    CHECK(ply == 0 || page_difference(ply, viewer), "%s", output);
                    assert_true(ply == 0 || strcmp(output, here) == 0);
                    begin(whole);
                }
            }
        } while (plays_some(&random) && nonet_session_ply(session) < 12);
    }
}

/* When somebody gives up, what was hidden lies open in the last scene, and only there. */
static void a_game_that_was_given_up_hides_nothing(void **state) {
    (void)state;
    static const char hidden[] = "\"material\":\"hidden\"";
    struct nonet_random random = {4};
    begin("masker\nplayers=3");
    for (int i = 0; i < 3; i++)
        assert_true(plays_some(&random));
    for (int viewer = 0; viewer <= 3; viewer++) {
        assert_true(page_position(viewer));
        CHECK(strstr(output, hidden) != NULL, "%s", output);
    }
    assert_false(page_setup());
    page_end();
    for (int viewer = 0; viewer <= 3; viewer++) {
        assert_true(page_position(viewer));
        CHECK(strstr(output, hidden) == NULL && strstr(output, "\"secret\"") == NULL, "%s", output);
        assert_true(page_show(3, viewer));
        assert_null(strstr(output, hidden));
        assert_true(page_picture(viewer));
        assert_true(page_scene(2, viewer));
        assert_non_null(strstr(output, hidden));
    }
    assert_true(page_setup());
    begin("masker"); /* another game has its own secrets */
    assert_true(page_position(1));
    assert_non_null(strstr(output, hidden));
}

/* What nobody can have seen is refused, and the game stays. */
static void an_impossible_observation_is_refused(void **state) {
    (void)state;
    static char told[GAME_ROOM];
    begin("masker");
    tell_viewer(1, told);
    const struct nonet_session *known = session;
    strcpy(input, told);
    assert_false(page_observe(options.players + 1, false));
    strcpy(input, told);
    assert_false(page_observe(-1, false));
    strcpy(input, told);
    assert_false(page_observe(2, false)); /* who would not see the first player's disc */
    strcpy(input, "");
    assert_false(page_observe(1, false));
    strcpy(input, "no position\nno position\nmasker");
    assert_false(page_observe(1, false));
    snprintf(input, INPUT, "%s\n no-move", told);
    assert_false(page_observe(1, false));
    assert_ptr_equal(session, known);
}

/* The worker that thinks gets the whole game before every move: what it knows is not played again.
 */
static void a_longer_game_is_gone_on_with(void **state) {
    (void)state;
    static char longer[OUTPUT];
    struct nonet_random random = {4};
    for (int i = 0; i < nonet_game_count; i++) {
        begin(nonet_games[i]->id);
        plays_some(&random);
        plays_some(&random);
        for (int more = 0; more < 4; more++) {
            if (!plays_some(&random))
                break;
            assert_true(page_keep(nonet_random_next(&random)));
            strcpy(longer, output);
            char whole[GAME_ROOM];
            tell_game();
            strcpy(whole, game_text);
            page_undo();
            page_undo();
            struct nonet_session *known = session;
            strcpy(input, longer);
            CHECK(page_restore(1, 2), "%s", output);
            assert_ptr_equal(session, known);
            tell_game();
            assert_string_equal(game_text, whole);
            assert_false(page_redo());
            check_text();
        }
    }
}

/* How many positions the worker looks at until it knows who wins the game of these lines. */
static uint64_t nodes_for(const char *lines) {
    strcpy(input, lines);
    CHECK(page_restore(1, 2), "%s", output);
    assert_true(page_think(NONET_SEARCH_LEVELS, 1));
    assert_true(page_advance(100000));
    assert_true(page_report());
    return report.nodes;
}

/* What it found out about a position helps with the next one, but not in another game. */
static void thinking_remembers(void **state) {
    (void)state;
    static const char won[] = "kolem\nsteps=4\nfrom=WBB../W.WB./BW.../.W.../WB... 0 0 1\n";
    static const char moved[] = "kolem\nsteps=4\nfrom=WBB../W.WB./BW.../.W.../WB... 0 0 1\n b2a2\n";
    begin("quadrangle");
    nodes_for(won);
    uint64_t remembered = nodes_for(moved);
    begin("quadrangle");
    uint64_t anew = nodes_for(moved);
    CHECK(5 * remembered < anew, "%llu nodes with memory, %llu without",
          (unsigned long long)remembered, (unsigned long long)anew);
}

static void what_is_refused_leaves_the_game(void **state) {
    (void)state;
    begin("quadrangle\n a1\n b2\n");
    static char kept[GAME_ROOM];
    tell_game();
    strcpy(kept, game_text);
    const char *const refused[] = {"nim",
                                   "quadrangle\n a1\n a1",
                                   "quadrangle\nfrom=x",
                                   "kolem\nsteps=7",
                                   "quadrangle\n a1\n b2\n c3\n a1",
                                   "sealed:12",
                                   "sealed:00000000000000000"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        strcpy(input, refused[i]);
        CHECK(!page_restore(1, 2), "%s", refused[i]);
        assert_true(output[0] != '\0');
        tell_game();
        assert_string_equal(game_text, kept);
        check_text();
    }
    assert_true(plays("c3"));
}

/* Every game has a picture for its box, the same every time, and the game on the table stays. */
static void a_box_is_drawn_from_the_game_itself(void **state) {
    (void)state;
    static char once[OUTPUT];
    begin("quadrangle\n a1\n b2\n");
    for (int i = 0; i < nonet_game_count; i++) {
        strcpy(input, nonet_games[i]->id);
        CHECK(page_box(), "%s", output);
        assert_true(strncmp(output, "<svg", 4) == 0);
        strcpy(once, output);
        assert_true(page_box());
        assert_string_equal(output, once);
    }
    strcpy(input, "chess");
    assert_false(page_box());
    check_text();
}

/* A figure shows the position that its lines lead to, in the reader's language, and the game on the
 * table stays. */
static void a_figure_is_drawn_in_the_readers_language(void **state) {
    (void)state;
    static char once[OUTPUT];
    begin("quadrangle\n a1\n b2\n");
    const char *lines = "chasm\n a1\n b1\n";
    strcpy(input, lines);
    CHECK(page_figure(), "%s", output);
    assert_non_null(strstr(output, ">player 1<"));
    strcpy(once, output);
    strcpy(input, lines);
    CHECK(page_figure(), "%s", output);
    assert_string_equal(output, once);
    strcpy(input, "common.player\tSpieler {0}");
    assert_true(page_language());
    strcpy(input, lines);
    CHECK(page_figure(), "%s", output);
    assert_null(strstr(output, ">player 1<"));
    assert_non_null(strstr(output, ">Spieler 1<"));
    strcpy(input, "");
    assert_true(page_language());
    strcpy(input, "chasm\n a1\n a1\n");
    assert_false(page_figure());
    check_text();
    assert_true(plays("c3"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_book_tells_its_moves_in_all_images),
        cmocka_unit_test(a_draft_is_edited_by_lines),
        cmocka_unit_test(a_draft_knows_no_secret),
        cmocka_unit_test(a_table_comes_in_pages),
        cmocka_unit_test(before_the_first_game_everything_is_refused),
        cmocka_unit_test(an_answer_that_was_cut_is_an_error),
        cmocka_unit_test(a_translation_that_grows_is_an_error_too),
        cmocka_unit_test(a_game_has_at_most_so_many_moves),
        cmocka_unit_test(the_text_tells_the_game),
        cmocka_unit_test(a_game_is_told_once_nothing_is_hidden),
        cmocka_unit_test(a_game_is_observed_from_afar),
        cmocka_unit_test(a_game_that_was_given_up_hides_nothing),
        cmocka_unit_test(an_impossible_observation_is_refused),
        cmocka_unit_test(a_longer_game_is_gone_on_with),
        cmocka_unit_test(thinking_remembers),
        cmocka_unit_test(what_is_refused_leaves_the_game),
        cmocka_unit_test(a_box_is_drawn_from_the_game_itself),
        cmocka_unit_test(a_figure_is_drawn_in_the_readers_language),
        cmocka_unit_test(games_are_played_to_measure_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
