/* The lists of puzzles that the page ships, against the proof: every step of every puzzle has all
 * legal moves, right are those that keep the value and no others, answers give nothing away, and
 * refutations are best play. Themes are what docs/puzzles.md says. No two puzzles are the same by
 * symmetry. The index agrees with the lists.
 *
 * Usage: test-puzzle-lists FOLDER TABLE [GAME…]: all lists of the folder, or only these, with the
 * table that ships with the program. */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "host/prober.h"
#include "rules/events.h"
#include "rules/setup.h"

static const char *folder;
static char **only;
static int only_count;

/* A puzzle that is being checked. */
struct checking {
    struct nonet_session *session;
    struct prober *prober;
    json_t *puzzle;
    const char *from;
    enum nonet_outcome outcome; /* that right moves keep */
};

static const char *const outcomes[] = {"loss", "draw", "win"};

static json_t *list_at(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    json_error_t error;
    json_t *list = json_load_file(path, 0, &error);
    CHECK(list != NULL, "%s: %s", path, error.text);
    assert_int_equal(json_integer_value(json_object_get(list, "version")), 1);
    return list;
}

/* The moves with their values, from the prober. */
static int prove(struct checking *at, struct prober_move *moves) {
    char reason[512] = "";
    struct nonet_text why = NONET_TEXT_IN(reason);
    int count = prober_moves(at->prober, nonet_session_state(at->session), moves, &why);
    CHECK(count >= 0, "%s: %s", at->from, reason);
    return count;
}

static struct nonet_value value_of_move(struct checking *at, const char *text) {
    static struct prober_move moves[NONET_MAX_MOVES];
    int count = prove(at, moves);
    for (int i = 0; i < count; i++)
        if (strcmp(moves[i].text, text) == 0)
            return moves[i].proof.value;
    CHECK(false, "%s: %s is not legal", at->from, text);
    return moves[0].proof.value;
}

/* Plays a move of the list; it must be legal. */
static void play(struct checking *at, const char *text) {
    struct nonet_message why;
    char reason[512] = "";
    struct nonet_text refusal = NONET_TEXT_IN(reason);
    if (!nonet_session_play_text(at->session, text, &why)) {
        nonet_message_write(&why, NULL, &refusal);
        CHECK(false, "%s: %s is refused: %s", at->from, text, reason);
    }
}

/* Every move of the refutation is as good as any; the list stops early only if nothing is left to
 * show, or after five moves. */
static void check_wrong(struct checking *at, const char *move, json_t *facts,
                        const struct nonet_value *value) {
    CHECK(value->outcome < at->outcome, "%s: %s keeps the result", at->from, move);
    assert_string_equal(json_string_value(json_array_get(facts, 0)), outcomes[value->outcome]);
    assert_int_equal(json_integer_value(json_array_get(facts, 1)), value->has_margin ? value->margin
                                                                   : value->outcome == NONET_DRAW
                                                                       ? 0
                                                                       : value->distance);
    play(at, move);
    size_t length = json_array_size(facts) - 2;
    for (size_t i = 0; i < length; i++) {
        static struct prober_move moves[NONET_MAX_MOVES];
        const char *answer = json_string_value(json_array_get(facts, i + 2));
        prove(at, moves);
        struct nonet_value best = moves[0].proof.value, chosen = value_of_move(at, answer);
        CHECK(nonet_value_compare(&best, &chosen) == 0, "%s: %s is not best after %s", at->from,
              answer, move);
        play(at, answer);
    }
    CHECK(nonet_session_turn(at->session) == 0 || length == (value->outcome == NONET_DRAW ? 1 : 5),
          "%s: the refutation of %s is too short", at->from, move);
    for (size_t i = 0; i <= length; i++)
        nonet_session_undo(at->session);
}

static void check_step(struct checking *at, size_t number, int depth);

/* `fastest`: no right move is better. */
static void check_right(struct checking *at, const char *move, json_t *follows, bool fastest,
                        int depth) {
    play(at, move);
    bool goes_on = json_array_size(follows) > 0;
    if (goes_on) {
        const char *answer = json_string_value(json_array_get(follows, 0));
        struct nonet_value value = nonet_value_negated(value_of_move(at, answer));
        CHECK(value.outcome == at->outcome, "%s: %s gives the game away", at->from, answer);
        play(at, answer);
        check_step(at, (size_t)json_integer_value(json_array_get(follows, 1)), depth + 1);
        nonet_session_undo(at->session);
    }
    bool races = false;
    for (size_t i = 0; i < json_array_size(json_object_get(at->puzzle, "themes")); i++)
        races |= strcmp(json_string_value(json_array_get(json_object_get(at->puzzle, "themes"), i)),
                        "win") == 0;
    if (races && fastest)
        CHECK(goes_on || nonet_session_turn(at->session) == 0, "%s: %s is not played to the end",
              at->from, move);
    nonet_session_undo(at->session);
}

static void check_step(struct checking *at, size_t number, int depth) {
    json_t *step = json_array_get(json_object_get(at->puzzle, "steps"), number);
    CHECK(step != NULL && depth < 8, "%s: there is no step %zu", at->from, number);
    json_t *right = json_object_get(step, "right"), *wrong = json_object_get(step, "wrong");
    struct prober_move *moves = malloc(NONET_MAX_MOVES * sizeof *moves);
    assert_non_null(moves);
    int count = prove(at, moves);
    assert_int_equal(json_object_size(right) + json_object_size(wrong), count);
    for (int i = 0; i < count; i++) {
        const struct nonet_value *value = &moves[i].proof.value;
        json_t *follows = json_object_get(right, moves[i].text);
        json_t *refuted = json_object_get(wrong, moves[i].text);
        CHECK((follows != NULL) != (refuted != NULL), "%s: %s is missing", at->from, moves[i].text);
        if (refuted != NULL) {
            check_wrong(at, moves[i].text, refuted, value);
            continue;
        }
        CHECK(value->outcome == at->outcome, "%s: %s loses the result", at->from, moves[i].text);
        check_right(at, moves[i].text, follows,
                    nonet_value_compare(value, &moves[0].proof.value) == 0, depth);
    }
    free(moves);
}

static bool has_events(struct checking *at, nonet_move move) {
    const struct nonet_options *options = nonet_session_options(at->session);
    struct nonet_state after;
    struct nonet_events events;
    memcpy(&after, nonet_session_state(at->session), options->game->state_size);
    options->game->play(options, &after, NULL, move);
    nonet_events_for(options, nonet_session_state(at->session), move, &after, NONET_SPECTATOR,
                     &events);
    return events.count > 0;
}

/* The themes, and the value, from the moves of the first step. */
static void check_themes(struct checking *at) {
    static struct prober_move moves[NONET_MAX_MOVES];
    int count = prove(at, moves), right = 0, losing = 0, telling = 0;
    const struct nonet_value *best = &moves[0].proof.value;
    for (int i = 0; i < count; i++) {
        right += moves[i].proof.value.outcome == best->outcome;
        losing += moves[i].proof.value.outcome == NONET_LOSS;
        telling += has_events(at, moves[i].move);
    }
    bool won = best->outcome == NONET_WIN;
    CHECK(count >= 4 && right <= 3 && 3 * right <= count, "%s: too easy", at->from);
    CHECK(won ? right == 1 : right + losing == count, "%s: no theme fits", at->from);
    const struct {
        const char *name;
        bool fits;
    } themes[] = {
        {"only", right == 1},
        {"save", !won},
        {"win", won && !best->has_margin && best->distance >= 3 && best->distance <= 9},
        {"quiet", won && !has_events(at, moves[0].move) && telling > 0},
    };
    size_t expected = 0;
    json_t *list = json_object_get(at->puzzle, "themes");
    for (int i = 0; i < 4; i++)
        if (themes[i].fits) {
            const char *name = json_string_value(json_array_get(list, expected++));
            CHECK(name != NULL && strcmp(name, themes[i].name) == 0, "%s: is also %s", at->from,
                  themes[i].name);
        }
    assert_int_equal(json_array_size(list), expected);
    at->outcome = best->outcome;
    assert_string_equal(json_string_value(json_object_get(at->puzzle, "value")),
                        outcomes[best->outcome]);
    if (best->has_margin)
        assert_int_equal(json_integer_value(json_object_get(at->puzzle, "margin")), best->margin);
    else if (won)
        assert_int_equal(json_integer_value(json_object_get(at->puzzle, "distance")),
                         best->distance);
}

/* The position of a puzzle. */
static struct nonet_session *open_at(const char *game, json_t *puzzle) {
    char lines[4096];
    struct nonet_text text = NONET_TEXT_IN(lines);
    nonet_text_add(&text, game);
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(puzzle, "options"), key, value)
        nonet_text_format(&text, "\n%s=%s", key, json_string_value(value));
    nonet_text_format(&text, "\nfrom=%s", json_string_value(json_object_get(puzzle, "from")));
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_read(lines, NULL, &error);
    CHECK(session != NULL, "cannot open %s", lines);
    return session;
}

static void check_list(const char *game, json_t *list) {
    json_t *puzzles = json_object_get(list, "puzzles");
    size_t count = json_array_size(puzzles);
    CHECK(count > 0, "%s: the list is empty", game);
    struct nonet_state *canonical = calloc(count, sizeof *canonical);
    struct nonet_session *first = NULL; /* of those with the same options: its prober lasts */
    struct prober *prober = NULL;
    const struct prober_limits limits = {
        .solve = {.threads = 2}, .memory = (uint64_t)1 << 26, .seconds = 600};
    size_t group = 0; /* where they begin */
    for (size_t i = 0; i < count; i++) {
        struct checking at = {.puzzle = json_array_get(puzzles, i)};
        at.from = json_string_value(json_object_get(at.puzzle, "from"));
        at.session = open_at(game, at.puzzle);
        const struct nonet_options *options = nonet_session_options(at.session);
        if (first == NULL ||
            !json_equal(json_object_get(at.puzzle, "options"),
                        json_object_get(json_array_get(puzzles, group), "options"))) {
            prober_close(prober);
            nonet_session_free(first);
            group = i;
            first = open_at(game, at.puzzle);
            char reason[512] = "";
            struct nonet_text why = NONET_TEXT_IN(reason);
            prober = prober_open(nonet_session_options(first), &limits, &why);
            CHECK(prober != NULL, "%s: %s", game, reason);
        }
        at.prober = prober;
        assert_int_equal(json_integer_value(json_object_get(at.puzzle, "turn")),
                         nonet_session_turn(at.session));
        nonet_canonical(options, nonet_session_state(at.session), &canonical[i]);
        for (size_t j = group; j < i; j++)
            CHECK(memcmp(&canonical[j], &canonical[i], options->game->state_size) != 0,
                  "%s: the same as puzzle %zu by symmetry", at.from, j);
        json_int_t level = json_integer_value(json_object_get(at.puzzle, "level"));
        CHECK(level >= 1 && level <= 10, "%s: no level", at.from);
        check_themes(&at);
        check_step(&at, 0, 0);
        nonet_session_free(at.session);
    }
    prober_close(prober);
    nonet_session_free(first);
    free(canonical);
}

/* One letter a puzzle: its level, and its themes as bits. */
static void check_facts(json_t *facts, json_t *puzzles) {
    static const char *const names[] = {"only", "save", "win", "quiet"};
    const char *levels = json_string_value(json_object_get(facts, "levels"));
    const char *themes = json_string_value(json_object_get(facts, "themes"));
    assert_int_equal(strlen(levels), json_array_size(puzzles));
    assert_int_equal(strlen(themes), json_array_size(puzzles));
    for (size_t i = 0; i < json_array_size(puzzles); i++) {
        json_t *puzzle = json_array_get(puzzles, i), *list = json_object_get(puzzle, "themes");
        char letter[2] = {levels[i], '\0'};
        assert_int_equal(strtol(letter, NULL, 16),
                         json_integer_value(json_object_get(puzzle, "level")));
        letter[0] = themes[i];
        long bits = strtol(letter, NULL, 16), own = 0;
        for (size_t j = 0; j < json_array_size(list); j++)
            for (int k = 0; k < 4; k++)
                if (strcmp(json_string_value(json_array_get(list, j)), names[k]) == 0)
                    own |= 1L << k;
        assert_int_equal(bits, own);
    }
}

static bool is_wanted(const char *game) {
    for (int i = 0; i < only_count; i++)
        if (strcmp(only[i], game) == 0)
            return true;
    return only_count == 0;
}

static void test_lists(void **context) {
    (void)context;
    json_t *index = list_at("index"), *games = json_object_get(index, "games"), *facts;
    const char *game;
    CHECK(json_object_size(games) >= 6, "six games are solved");
    json_object_foreach(games, game, facts) {
        json_t *list = list_at(game);
        assert_string_equal(json_string_value(json_object_get(list, "game")), game);
        check_facts(facts, json_object_get(list, "puzzles"));
        if (is_wanted(game))
            check_list(game, list);
        json_decref(list);
    }
    json_decref(index);
}

/* A folder for tables of our own, with the one that ships: those that are missing are built there.
 */
static char tables[] = "/tmp/nonet-puzzles-XXXXXX";

static bool make_folder(const char *shipped) {
    char link[4096];
    if (mkdtemp(tables) == NULL || setenv("NONET_TABLES", tables, 1) != 0)
        return false;
    snprintf(link, sizeof link, "%s/%s", tables, strrchr(shipped, '/') + 1);
    return symlink(shipped, link) == 0;
}

static void remove_folder(void) {
    DIR *directory = opendir(tables);
    if (directory == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(tables);
}

int main(int argc, char **argv) {
    if (argc < 3 || strchr(argv[2], '/') == NULL) {
        fprintf(stderr, "usage: %s FOLDER TABLE [GAME…]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    only = argv + 3;
    only_count = argc - 3;
    if (!make_folder(argv[2]))
        return 2;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
