/* Openings have the same number if and only if they are the same: by symmetry, found by trying all
 * symmetries, or by what a spectator can read. And the lists that the page ships belong to the
 * games as they are now: every game that was counted began with one of the legal first moves, and
 * none is counted twice.
 *
 * Usage: test-openings FOLDER */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/setup.h"
#include "study/openings.h"
#include "variants.h"

enum { PLIES = 6, MOVES = 40, GAMES = 4 };

static const char *folder;

/* The legal moves of a session's position, or some of them. */
static int some_moves(const struct nonet_session *session, struct nonet_random *random,
                      nonet_move moves[MOVES]) {
    uint64_t all = nonet_session_count(session);
    int count = all < MOVES ? (int)all : MOVES;
    for (int i = 0; i < count; i++)
        moves[i] = nonet_session_nth(
            session, all <= MOVES ? (uint64_t)i : nonet_random_below(random, (uint32_t)all));
    return count;
}

static void play_any(struct nonet_session *session, struct nonet_random *random) {
    struct nonet_message why;
    uint32_t count = (uint32_t)nonet_session_count(session);
    nonet_move move = nonet_session_nth(session, nonet_random_below(random, count));
    CHECK(nonet_session_play(session, move, &why), "a legal move");
}

/* ---- By symmetry ---- */

static bool are_symmetric(const struct nonet_options *options, const void *one, const void *other) {
    const struct nonet_game *game = options->game;
    struct nonet_state turned;
    for (int i = 0; i < (game->symmetries != NULL ? game->symmetries(options) : 1); i++) {
        if (game->symmetries != NULL)
            game->turn_state(options, i, one, &turned);
        else
            memcpy(&turned, one, game->state_size);
        if (memcmp(&turned, other, game->state_size) == 0)
            return true;
    }
    return false;
}

static void compare_moves(const struct nonet_session *session, struct nonet_random *random) {
    const struct nonet_options *options = nonet_session_options(session);
    nonet_move moves[MOVES];
    struct nonet_state after[MOVES];
    uint64_t keys[MOVES];
    int count = some_moves(session, random, moves);
    for (int i = 0; i < count; i++) {
        memcpy(&after[i], nonet_session_state(session), options->game->state_size);
        options->game->play(options, &after[i], NULL, moves[i]);
        keys[i] = opening_key(session, moves[i]);
        CHECK(keys[i] != 0, "%s", variant_name(options));
        for (int j = 0; j < i; j++)
            CHECK((keys[i] == keys[j]) == are_symmetric(options, &after[i], &after[j]),
                  "%s, ply %d", variant_name(options), nonet_session_ply(session));
    }
}

static void test_symmetry(void **unused) {
    (void)unused;
    static struct nonet_options variants[MOST_VARIANTS];
    for (int g = 0; g < nonet_game_count; g++) {
        if (nonet_games[g]->wide != NULL || nonet_games[g]->hidden != NULL)
            continue;
        int count = variants_of(nonet_games[g], 1, variants);
        for (int v = 0; v < count; v++)
            for (uint64_t seed = 1; seed <= GAMES; seed++) {
                struct nonet_random random = {seed};
                struct nonet_session *session = nonet_session_new(&variants[v]);
                for (int ply = 0; ply < PLIES && nonet_session_turn(session) != 0; ply++) {
                    compare_moves(session, &random);
                    play_any(session, &random);
                }
                nonet_session_free(session);
            }
    }
}

/* ---- By what is open to all ---- */

static void read_openly(const struct nonet_session *session, char bytes[NONET_POSITION_TEXT]) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_state seen;
    struct nonet_text text = nonet_text_in(bytes, NONET_POSITION_TEXT);
    nonet_observe(options, nonet_session_state(session), NONET_SPECTATOR, &seen);
    options->game->write(options, &seen, &text);
}

/* The number of the position after a move, and what a spectator reads there. */
static uint64_t look_after(struct nonet_session *session, nonet_move move,
                           char text[NONET_POSITION_TEXT]) {
    struct nonet_message why;
    uint64_t key = opening_key(session, move);
    CHECK(nonet_session_play(session, move, &why), "a legal move");
    read_openly(session, text);
    nonet_session_undo(session);
    return key;
}

static void compare_deals(const struct nonet_options *options, uint64_t seed) {
    struct nonet_random random = {seed};
    struct nonet_options dealt[2] = {*options, *options};
    struct nonet_session *sessions[2];
    for (int i = 0; i < 2; i++) {
        options->game->deal(&dealt[i], seed, 2 * seed + (uint64_t)i);
        sessions[i] = nonet_session_new(&dealt[i]);
    }
    for (int ply = 0; ply < PLIES; ply++) {
        nonet_move moves[MOVES];
        int count = some_moves(sessions[0], &random, moves);
        struct nonet_message why;
        for (int i = 0; i < count; i++) {
            char one[NONET_POSITION_TEXT], other[NONET_POSITION_TEXT];
            if (!nonet_session_legal(sessions[1], moves[i], &why))
                continue;
            uint64_t key = look_after(sessions[0], moves[i], one);
            CHECK((look_after(sessions[1], moves[i], other) == key) == (strcmp(one, other) == 0),
                  "%s: %s, %s", variant_name(options), one, other);
        }
        if (count == 0 || !nonet_session_legal(sessions[1], moves[0], &why))
            break;
        for (int i = 0; i < 2; i++)
            CHECK(nonet_session_play(sessions[i], moves[0], &why), "a legal move");
    }
    for (int i = 0; i < 2; i++)
        nonet_session_free(sessions[i]);
}

static void test_secrets(void **unused) {
    (void)unused;
    int hidden = 0;
    for (int g = 0; g < nonet_game_count; g++)
        for (int players = nonet_games[g]->min_players;
             nonet_games[g]->hidden != NULL && players <= nonet_games[g]->max_players; players++) {
            char name[64];
            snprintf(name, sizeof name, "%s:players=%d", nonet_games[g]->id, players);
            struct nonet_options options = options_of(name);
            for (uint64_t seed = 1; seed <= 20; seed++, hidden++)
                compare_deals(&options, seed);
        }
    CHECK(hidden > 0, "no game hides anything");
}

/* ---- The lists ---- */

static int64_t games_of(json_t *setting, uint64_t key) {
    char name[17];
    snprintf(name, sizeof name, "%016llx", (unsigned long long)key);
    const char *winners;
    json_t *games;
    int64_t sum = 0;
    json_object_foreach(json_object_get(json_object_get(setting, "openings"), name), winners, games)
        sum += json_integer_value(games);
    return sum;
}

static struct nonet_session *open_setting(json_t *list, json_t *setting) {
    char lines[1024];
    struct nonet_text text = NONET_TEXT_IN(lines);
    const char *key;
    json_t *value;
    struct nonet_setup_error error;
    nonet_text_add(&text, json_string_value(json_object_get(list, "game")));
    json_object_foreach(json_object_get(setting, "options"), key, value)
        nonet_text_format(&text, "\n%s=%s", key, json_string_value(value));
    struct nonet_session *session = nonet_setup_read(lines, &(struct nonet_chance){1, 2}, &error);
    CHECK(session != NULL, "%s", lines);
    return session;
}

/* The games that reached the position after a first move, for all first moves. A game that came to
 * several of them later on is among those of each. */
static int64_t count_listed(json_t *setting, const struct nonet_session *session) {
    static uint64_t keys[NONET_MAX_MOVES];
    int64_t sum = 0;
    int known = 0;
    for (uint64_t i = 0; i < nonet_session_count(session); i++) {
        uint64_t key = opening_key(session, nonet_session_nth(session, i));
        bool is_new = true;
        for (int j = 0; j < known; j++)
            is_new = is_new && keys[j] != key;
        if (is_new) {
            keys[known++] = key;
            sum += games_of(setting, key);
            CHECK(games_of(setting, key) <= json_integer_value(json_object_get(setting, "games")),
                  "more games than there are");
        }
    }
    return sum;
}

/* The games of all groups of first moves, each of which has an example. */
static int64_t count_groups(json_t *setting, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    json_t *examples = json_object_get(setting, "examples"), *example;
    const char *name;
    int64_t sum = 0;
    assert_int_equal(json_object_size(examples),
                     json_object_size(json_object_get(setting, "openings")));
    json_object_foreach(examples, name, example) {
        nonet_move move;
        struct nonet_message why;
        CHECK(options->game->parse(options, json_string_value(example), &move, &why) &&
                  nonet_session_legal(session, move, &why),
              "%s", json_string_value(example));
        CHECK(strtoull(name, NULL, 16) == opening_key(session, move), "%s", name);
        sum += games_of(setting, opening_key(session, move));
    }
    return sum;
}

static void check_list(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_error_t error;
    json_t *list = json_load_file(path, 0, &error), *setting;
    CHECK(list != NULL, "%s: %s", path, error.text);
    assert_int_equal(json_integer_value(json_object_get(list, "version")), 1);
    size_t i;
    json_array_foreach(json_object_get(list, "settings"), i, setting) {
        struct nonet_session *session = open_setting(list, setting);
        int64_t games = json_integer_value(json_object_get(setting, "games"));
        bool is_wide = nonet_session_options(session)->game->wide != NULL;
        int64_t sum = is_wide ? count_groups(setting, session) : count_listed(setting, session);
        CHECK(games > 0 && (is_wide ? sum == games : sum >= games),
              "%s, setting %zu: %lld of %lld games", name, i, (long long)sum, (long long)games);
        nonet_session_free(session);
    }
    json_decref(list);
}

static void test_lists(void **unused) {
    (void)unused;
    DIR *directory = opendir(folder);
    CHECK(directory != NULL, "%s", folder);
    int lists = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, ".json") != NULL) {
            check_list(entry->d_name);
            lists++;
        }
    closedir(directory);
    assert_true(lists > 0);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    folder = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
