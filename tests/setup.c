/* Opening a game and writing it down. What one writes the other opens, for every game and option,
 * from the start and from any position. What a seat may not know is left out. Errors are named. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/setup.h"
#include "variants.h"

enum { ROOM = 1 << 16 };

static void play_random(struct nonet_session *session, struct nonet_random *random, int most) {
    struct nonet_message why;
    for (; most > 0 && nonet_session_turn(session) != 0; most--) {
        uint32_t count = (uint32_t)nonet_session_count(session);
        nonet_move move = nonet_session_nth(session, nonet_random_below(random, count));
        assert_true(nonet_session_play(session, move, &why));
    }
}

/* The same states all along. */
static void check_same(const struct nonet_session *a, const struct nonet_session *b) {
    const struct nonet_options *options = nonet_session_options(a);
    CHECK(nonet_session_ply(a) == nonet_session_ply(b), "%s", variant_name(options));
    for (int i = 0; i <= nonet_session_ply(a); i++)
        CHECK(memcmp(nonet_session_state_before(a, i), nonet_session_state_before(b, i),
                     options->game->state_size) == 0,
              "%s: state %d", variant_name(options), i);
}

static void check_lines(const struct nonet_session *session, char *lines) {
    struct nonet_text text = nonet_text_in(lines, ROOM);
    nonet_setup_write(session, &text);
    assert_false(text.cut);
    /* With other random numbers the same game: the text contains all of it. */
    const struct nonet_chance chance = {1234, 5678};
    struct nonet_setup_error error;
    struct nonet_session *again = nonet_setup_read(lines, &chance, &error);
    CHECK(again != NULL, "%s", lines);
    check_same(session, again);
    nonet_session_free(again);
    again = nonet_setup_read(lines, NULL, &error);
    CHECK(again != NULL, "%s", lines);
    nonet_session_free(again);
}

static void what_is_written_is_opened(void **unused) {
    (void)unused;
    char *lines = malloc(ROOM);
    assert_non_null(lines);
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 11, variants);
        for (int v = 0; v < count; v++) {
            struct nonet_random random = {(uint64_t)v};
            struct nonet_session *session = nonet_session_new(&variants[v]);
            assert_non_null(session);
            check_lines(session, lines);
            play_random(session, &random, 12);
            check_lines(session, lines);
            char from[NONET_POSITION_TEXT];
            struct nonet_text text = NONET_TEXT_IN(from);
            nonet_games[g]->write(&variants[v], nonet_session_state(session), &text);
            struct nonet_message why;
            CHECK(nonet_session_read(session, from, &why), "%s: %s", variant_name(&variants[v]),
                  from);
            play_random(session, &random, 5);
            check_lines(session, lines);
            nonet_session_free(session);
        }
    }
    free(lines);
}

/* The canonical string of every variant is read to the same options. */
static void a_name_is_read_back(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 11, variants);
        for (int v = 0; v < count; v++) {
            char name[256];
            strcpy(name, variant_name(&variants[v]));
            struct nonet_options back = options_of(name);
            assert_string_equal(variant_name(&back), name);
            assert_int_equal(back.players, variants[v].players);
        }
    }
    static const char *const bad[] = {
        "", "poker", "trix:", "trix:camps", "trix:moon=1", "trix:camps=corner,", ":camps=side"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct nonet_options options;
        struct nonet_message why;
        CHECK(!nonet_options_read(bad[i], &options, &why) && why.phrase != NULL, "%s", bad[i]);
    }
}

/* A seat learns no value of a secret option, and none that would give the same deal again. */
static void a_seat_is_told_no_secret(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 11, variants);
        const struct nonet_option *table = nonet_games[g]->options;
        for (int v = 0; v < count; v++) {
            for (int i = -1; (i = nonet_option_next(&variants[v], i, NONET_TELL_SEAT)) >= 0;)
                CHECK(!table[i].secret && table[i].kind != NONET_SEED, "%s", table[i].key);
            for (int i = -1; (i = nonet_option_next(&variants[v], i, NONET_TELL_RULES)) >= 0;)
                CHECK(!table[i].secret && !table[i].chance, "%s", table[i].key);
        }
    }
}

static void check_refused(const char *lines, int kind, const char *words) {
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_read(lines, NULL, &error);
    CHECK(session == NULL, "%s", lines);
    CHECK((int)error.kind == kind, "%s: %d", lines, error.kind);
    char line[512];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_setup_explain(&error, NULL, &text);
    CHECK(strstr(line, words) != NULL, "%s: %s", lines, line);
}

static void what_is_wrong_is_named(void **unused) {
    (void)unused;
    check_refused("", NONET_SETUP_OPTIONS, "there is no game \"\"");
    check_refused("poker\n", NONET_SETUP_OPTIONS, "there is no game \"poker\"");
    check_refused("trix\ncamps=moon\n", NONET_SETUP_OPTIONS, "corner|side");
    check_refused("masker\n", NONET_SETUP_UNDEALT, "Masker needs a deal");
    check_refused("masker\nseed=1\nfrom=x\n", NONET_SETUP_OPTIONS, "nothing left to deal");
    check_refused("trix\nfrom=x\n", NONET_SETUP_POSITION, "this is no position: ");
    check_refused("quadrangle\n a1\n a1\n", NONET_SETUP_MOVE, "move 2, a1, is not legal: ");
    check_refused("quadrangle\n a1\nb1\n\n", NONET_SETUP_MOVE, "move 3, , is not legal: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_opened),
        cmocka_unit_test(a_name_is_read_back),
        cmocka_unit_test(a_seat_is_told_no_secret),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
