/* The swap rule against a slow model of it: the game without the rule, played beside it, and a note
 * of who has which side. Everything that names a player must name the one who has that side. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/events.h"
#include "rules/perft.h"
#include "rules/standings.h"
#include "rules/swap.h"
#include "variants.h"

enum { GAMES = 8, LONGEST = 60 };

/* The model. */
struct table {
    struct nonet_options options;
    struct nonet_session *session;
    int moves;           /* made, swaps not counted */
    int seat_of_side[3]; /* the player who has side 1, side 2 */
    bool answered;       /* the offer is past */
};

/* By the rules: Quadrangle offers it after the third move, all others after the first. */
static int offer_of(const struct nonet_options *options) {
    return strcmp(options->game->id, "quadrangle") == 0 ? 3 : 1;
}

static const char *words_of(const struct nonet_message *message) {
    static char words[512];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(message, NULL, &text);
    return words;
}

/* The English words with players exchanged where the model says so. */
static const char *expected_words(const struct table *table, const struct nonet_message *message) {
    static char out[512];
    const char *c = words_of(message);
    size_t length = 0;
    for (; *c != '\0' && length < sizeof out - 1; c++) {
        bool named = length >= 7 && strncmp(out + length - 7, "player ", 7) == 0;
        out[length++] =
            named && (*c == '1' || *c == '2') ? (char)('0' + table->seat_of_side[*c - '0']) : *c;
    }
    out[length] = '\0';
    return out;
}

static void compare_messages(const struct table *table, const struct nonet_message *inner,
                             const struct nonet_message *shown) {
    char expected[512];
    strcpy(expected, expected_words(table, inner));
    CHECK(strcmp(expected, words_of(shown)) == 0, "\"%s\", not \"%s\"", words_of(shown), expected);
}

static int seat(const struct table *table, int side) {
    return side == 0 ? 0 : table->seat_of_side[side];
}

static void compare_scenes(const struct table *table, const struct nonet_session *session) {
    struct nonet_scene *scenes = calloc(2, sizeof *scenes), *inner = &scenes[0],
                       *shown = &scenes[1];
    nonet_scene_for(&table->options, nonet_session_state(table->session), NONET_SPECTATOR, inner);
    nonet_scene_for(nonet_session_options(session), nonet_session_state(session), NONET_SPECTATOR,
                    shown);
    CHECK(shown->place_count == inner->place_count + 1 &&
              strcmp(shown->places[inner->place_count].name, "swap") == 0 &&
              shown->places[inner->place_count].kind == NONET_BUTTON,
          "no button");
    for (int i = 0; i < inner->place_count; i++) {
        CHECK(shown->places[i].owner == seat(table, inner->places[i].owner) &&
                  shown->places[i].home == seat(table, inner->places[i].home),
              "place %s", inner->places[i].name);
        compare_messages(table, &inner->places[i].label, &shown->places[i].label);
    }
    CHECK(shown->piece_count == inner->piece_count, "%d pieces", shown->piece_count);
    for (int i = 0; i < inner->piece_count; i++) {
        CHECK(shown->pieces[i].owner == seat(table, inner->pieces[i].owner) &&
                  shown->pieces[i].material == inner->pieces[i].material &&
                  shown->pieces[i].place == inner->pieces[i].place,
              "piece %d", i);
        compare_messages(table, &inner->pieces[i].label, &shown->pieces[i].label);
    }
    CHECK(shown->figure_count == inner->figure_count, "%d figures", shown->figure_count);
    for (int i = 0; i < inner->figure_count; i++)
        CHECK(shown->figures[i].owner == seat(table, inner->figures[i].owner), "figure %d", i);
    free(scenes);
}

static void compare_standings(const struct table *table, const struct nonet_session *session) {
    static struct nonet_standings inner, shown;
    nonet_standings_for(&table->options, nonet_session_state(table->session), 0, &inner);
    nonet_standings_for(nonet_session_options(session), nonet_session_state(session), 0, &shown);
    CHECK(shown.count == inner.count, "%d standings", shown.count);
    for (int i = 0; i < inner.count; i++) {
        int found = 0;
        for (int j = 0; j < shown.count; j++)
            found += shown.list[j].player == seat(table, inner.list[i].player) &&
                     shown.list[j].number == inner.list[i].number &&
                     shown.list[j].most == inner.list[i].most &&
                     shown.list[j].material == inner.list[i].material &&
                     shown.list[j].label.phrase == inner.list[i].label.phrase;
        CHECK(found > 0, "standing %d is nobody's", i);
        CHECK(shown.list[i].player == inner.list[i].player, "standing %d has moved", i);
    }
}

static void compare_results(const struct table *table, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_result inner = {0}, shown = {0};
    table->options.game->result(&table->options, nonet_session_state(table->session), &inner);
    options->game->result(options, nonet_session_state(session), &shown);
    for (int side = 1; side <= 2; side++) {
        int player = seat(table, side);
        CHECK((inner.winners >> (side - 1) & 1) == (shown.winners >> (player - 1) & 1), "winner");
        CHECK(inner.points[side - 1] == shown.points[player - 1], "points");
    }
    compare_messages(table, &inner.reason, &shown.reason);
}

/* The position, and its legal moves. */
static void compare(const struct table *table, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    const void *state = nonet_session_state(session);
    const void *inner_state = nonet_session_state(table->session);
    int side = table->options.game->turn(&table->options, inner_state);
    bool offered = side != 0 && !table->answered && table->moves == offer_of(options);
    CHECK(options->game->turn(options, state) == seat(table, side), "turn");
    uint64_t count = nonet_session_count(table->session);
    CHECK(nonet_session_count(session) == count + offered, "number of moves");
    for (uint64_t i = 0; i < count && i < 50; i++)
        CHECK(nonet_session_nth(session, i) == nonet_session_nth(table->session, i), "move");
    if (offered)
        CHECK(nonet_session_nth(session, count) == NONET_SWAP, "no swap");
    char text[NONET_POSITION_TEXT], inner_text[NONET_POSITION_TEXT];
    struct nonet_text out = NONET_TEXT_IN(text), inner_out = NONET_TEXT_IN(inner_text);
    options->game->write(options, state, &out);
    table->options.game->write(&table->options, inner_state, &inner_out);
    if (table->seat_of_side[1] == 2)
        nonet_text_add(&inner_out, " swapped");
    else if (!table->answered && table->moves == offer_of(options))
        nonet_text_add(&inner_out, " swap now");
    else if (!table->answered)
        nonet_text_format(&inner_out, " swap in %d", offer_of(options) - table->moves);
    CHECK(strcmp(text, inner_text) == 0, "\"%s\", not \"%s\"", text, inner_text);
    compare_scenes(table, session);
    compare_standings(table, session);
    if (side == 0)
        compare_results(table, session);
}

/* What a move is told to have done. */
static void compare_events(const struct table *table, const struct nonet_session *session,
                           nonet_move move, bool offered_now) {
    static struct nonet_events inner, shown;
    const struct nonet_options *options = nonet_session_options(session);
    int ply = nonet_session_ply(session);
    nonet_events_for(options, nonet_session_state_before(session, ply - 1), move,
                     nonet_session_state(session), 0, &shown);
    inner.count = 0;
    if (move != NONET_SWAP) {
        int before = nonet_session_ply(table->session) - 1;
        nonet_events_for(&table->options, nonet_session_state_before(table->session, before), move,
                         nonet_session_state(table->session), 0, &inner);
    }
    bool more = move == NONET_SWAP || offered_now;
    CHECK(shown.count == inner.count + more, "%d events", shown.count);
    for (int i = 0; i < inner.count; i++)
        compare_messages(table, &inner.list[i].says, &shown.list[i].says);
    if (more)
        CHECK(strcmp(words_of(&shown.list[inner.count].says),
                     move == NONET_SWAP
                         ? "player 2 has taken over the side of player 1"
                         : "player 2 may swap sides now, instead of making a move") == 0,
              "\"%s\"", words_of(&shown.list[inner.count].says));
}

static void play_beside(const struct nonet_options *options, struct nonet_random *random,
                        bool swaps) {
    struct nonet_message why;
    struct table table = {.options = *options, .seat_of_side = {0, 1, 2}};
    assert_true(nonet_options_set(&table.options, "swap=no", &why));
    table.session = nonet_session_new(&table.options);
    struct nonet_session *session = nonet_session_new(options);
    int most = options->game->wide != NULL ? 6 : LONGEST;
    for (int ply = 0; ply < most && nonet_session_turn(session) != 0; ply++) {
        compare(&table, session);
        bool here = !table.answered && table.moves == offer_of(options);
        nonet_move move = here && swaps ? NONET_SWAP : random_move(table.session, random);
        play(session, move);
        if (here)
            table.answered = true;
        if (move == NONET_SWAP) {
            table.seat_of_side[1] = 2;
            table.seat_of_side[2] = 1;
        } else {
            play(table.session, move);
            table.moves++;
        }
        compare_events(&table, session, move,
                       !table.answered && table.moves == offer_of(options) &&
                           nonet_session_turn(session) != 0);
    }
    compare(&table, session);
    nonet_session_free(table.session);
    nonet_session_free(session);
}

static void seats_change_and_nothing_else(void **unused) {
    (void)unused;
    struct nonet_random random = {20};
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        static struct nonet_options variants[MOST_VARIANTS];
        int count = swap_variants_of(nonet_games[g], variants);
        CHECK((count > 0) == (nonet_games[g]->hidden == NULL), "%s", nonet_games[g]->id);
        for (int v = 0; v < count; v++)
            for (int game = 0; game < (nonet_games[g]->wide != NULL ? 2 : GAMES); game++)
                play_beside(&variants[v], &random, game % 2 == 0);
    }
}

/* With N moves before the offer, a line of d > N plies either has no swap, or one as its ply N + 1:
 * without it, d - 1 plies are left of the game itself. So there are perft(d) + perft(d - 1). */
static void perft_is_that_of_two_games(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        if (nonet_games[g]->wide != NULL || nonet_games[g]->hidden != NULL)
            continue;
        struct nonet_options options, with;
        struct nonet_message why;
        nonet_options_default(&options, nonet_games[g]);
        with = options;
        assert_true(nonet_options_set(&with, "swap=yes", &why));
        struct nonet_state state, first;
        options.game->start(&options, &state, NULL);
        with.game->start(&with, &first, NULL);
        uint64_t before = 0;
        int deepest = strcmp(options.game->id, "ksar") == 0 ? 2 : 4;
        for (int depth = 0; depth <= deepest; depth++) {
            uint64_t plain, swapped;
            assert_true(nonet_perft(&options, &state, NULL, depth, &plain));
            assert_true(nonet_perft(&with, &first, NULL, depth, &swapped));
            CHECK(swapped == plain + (depth > offer_of(&options) ? before : 0), "%s to depth %d",
                  options.game->id, depth);
            before = plain;
        }
    }
}

static void texts_that_no_game_has_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *text, *part; /* null: it is read */
    } tried[] = {
        {"quadrangle", "..../..../..../.... 1 swap in 3", NULL},
        {"quadrangle", "..../.B../.A../A... 2 swap now", NULL},
        {"quadrangle", "..../.B../.A../A... 2 swapped", NULL},
        {"quadrangle", "..../.B../.A../A... 2", NULL},
        {"quadrangle", "..../..../..../.... 1 swap in 4", "swap in 4"},
        {"quadrangle", "..../..../..../.... 1 swap in 0", "swap in 0"},
        {"quadrangle", "..../..../..../.... 1 swap in 2", "up to move 3"},
        {"quadrangle", "..../..../..../.... 1 swap now", "up to move 3"},
        {"quadrangle", "..../.B../.A../A... 2 swap in 1", "up to move 3"},
        {"quadrangle", "..../.B../.AB./A... 1 swap now", "up to move 3"},
        {"quadrangle", "..../..../..../.... 1 swap", "swap"},
        {"quadrangle", "..../..../..../.... 1 swapping", "swapping"},
        {"quadrangle", "..../.B../.A../A... 2 swapped now", "now"},
        {"quadrangle", "..../.B../.A../A... 1 swapped", "player 2 is to move"},
        {"kolem", "...../...../..W../...../..... 8 9 2 swap now", NULL},
        {"kolem", "...../...../..WB./...../..... 8 8 1 swap now", "up to move 1"},
        {"fullend", "- 2 swap now", ""},
    };
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        struct nonet_options options;
        struct nonet_message why;
        nonet_options_default(&options, nonet_game_find(tried[i].game));
        assert_true(nonet_options_set(&options, "swap=yes", &why));
        struct nonet_session *session = nonet_session_new(&options);
        bool reads = nonet_session_read(session, tried[i].text, &why);
        CHECK(reads == (tried[i].part == NULL), "%s", tried[i].text);
        if (!reads)
            CHECK(strstr(words_of(&why), tried[i].part) != NULL, "%s: %s", tried[i].text,
                  words_of(&why));
        nonet_session_free(session);
    }
}

/* Names stay as they were without the rule, and the order of the options does not matter. */
static void options_choose_the_game(void **unused) {
    (void)unused;
    struct nonet_message why;
    struct nonet_options options = options_of("kolem:steps=8,swap=no");
    assert_string_equal(variant_name(&options), "kolem:steps=8");
    options = options_of("kolem:swap=yes,steps=8");
    assert_string_equal(variant_name(&options), "kolem:steps=8,swap=yes");
    assert_true(options.game->inner == nonet_game_find("kolem"));
    struct nonet_options without = nonet_swap_without(&options);
    assert_string_equal(variant_name(&without), "kolem:steps=8");
    assert_true(without.game == nonet_game_find("kolem"));
    assert_true(nonet_options_set(&options, "swap=no", &why));
    assert_true(options.game == nonet_game_find("kolem"));
    nonet_options_default(&options, nonet_game_find("chasm"));
    assert_true(nonet_options_set(&options, "swap=yes", &why));
    assert_true(nonet_options_check(&options, &why));
    assert_true(nonet_options_set(&options, "players=3", &why));
    assert_false(nonet_options_check(&options, &why));
    assert_string_equal(words_of(&why),
                        "swap=yes is for two players; with players=3 it is swap=no");
    nonet_options_default(&options, nonet_game_find("masker"));
    assert_false(nonet_options_set(&options, "swap=yes", &why));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seats_change_and_nothing_else),
        cmocka_unit_test(perft_is_that_of_two_games),
        cmocka_unit_test(texts_that_no_game_has_are_refused),
        cmocka_unit_test(options_choose_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
