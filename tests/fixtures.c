/* Move counts and games of an independent implementation (tests/fixtures), and cases derived by
 * hand from the rules (tests/cases). Usage:
 *     test-fixtures FIXTURES CASES [GAME]
 *     test-fixtures FIXTURES CASES short     without the large counts, as under sanitizers */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rules/perft.h"
#include "rules/setup.h"
#include "rules/standings.h"
#include "rules/wide.h"
#include "sha256.h"

static bool is_short;

typedef char move_text[NONET_MOVE_TEXT];

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

static const char *worded(const struct nonet_message *why) {
    static char words[512];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(why, NULL, &text);
    return words;
}

/* The options of a case, which may be refused; false if so. */
static bool set_up(const json_t *entry, struct nonet_options *options, struct nonet_message *why) {
    const char *id = json_string_value(json_object_get(entry, "game"));
    const struct nonet_game *game = nonet_game_find(id);
    CHECK(game != NULL, "there is no game %s", id);
    nonet_options_default(options, game);
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(entry, "options"), key, value) {
        char assignment[128];
        snprintf(assignment, sizeof assignment, "%s=%s", key, json_string_value(value));
        if (!nonet_options_set(options, assignment, why))
            return false;
    }
    return nonet_options_check(options, why);
}

static const char *fault(const struct nonet_setup_error *error) {
    static char words[512];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_setup_explain(error, NULL, &text);
    return words;
}

static struct nonet_session *open_session(const json_t *entry) {
    struct nonet_setup setup = {.from = json_string_value(json_object_get(entry, "from"))};
    const struct nonet_chance chance = {1, 2};
    struct nonet_message why;
    CHECK(set_up(entry, &setup.options, &why), "%s", worded(&why));
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_open(&setup, &chance, &error);
    CHECK(session != NULL, "%s", fault(&error));
    return session;
}

static void play_all(struct nonet_session *session, const json_t *moves) {
    size_t i;
    json_t *move;
    json_array_foreach(moves, i, move) {
        struct nonet_setup_error error;
        CHECK(nonet_setup_play(session, json_string_value(move), &error), "%s", fault(&error));
    }
}

static move_text *sorted_legal(const struct nonet_session *session, size_t *count) {
    *count = (size_t)nonet_session_count(session);
    move_text *texts = calloc(*count + 1, sizeof *texts);
    const struct nonet_options *options = nonet_session_options(session);
    for (size_t i = 0; i < *count; i++) {
        struct nonet_text text = NONET_TEXT_IN(texts[i]);
        options->game->print(options, nonet_session_nth(session, i), &text);
    }
    qsort(texts, *count, sizeof *texts, compare_texts);
    return texts;
}

static void check_legal(const struct nonet_session *session, const json_t *expected) {
    size_t count;
    move_text *texts = sorted_legal(session, &count);
    for (size_t i = 0; i < count && i < json_array_size(expected); i++)
        CHECK(strcmp(texts[i], json_string_value(json_array_get(expected, i))) == 0,
              "ply %d: legal move %zu is %s, expected %s", nonet_session_ply(session), i, texts[i],
              json_string_value(json_array_get(expected, i)));
    CHECK(count == json_array_size(expected), "ply %d: %zu legal moves, expected %zu",
          nonet_session_ply(session), count, json_array_size(expected));
    free(texts);
}

static void check_digest(const struct nonet_session *session, const json_t *expected) {
    size_t count;
    move_text *texts = sorted_legal(session, &count);
    char *joined = calloc(count + 1, NONET_MOVE_TEXT + 1), *end = joined;
    for (size_t i = 0; i < count; i++)
        end += sprintf(end, "%s%s", i > 0 ? " " : "", texts[i]);
    char hex[65];
    sha256_hex(joined, strlen(joined), hex);
    CHECK(strcmp(hex, json_string_value(expected)) == 0, "ply %d: other legal moves than expected",
          nonet_session_ply(session));
    free(joined);
    free(texts);
}

static void check_count(const struct nonet_session *session, const json_t *expected) {
    CHECK((json_int_t)nonet_session_count(session) == json_integer_value(expected),
          "ply %d: %llu legal moves, expected %lld", nonet_session_ply(session),
          (unsigned long long)nonet_session_count(session),
          (long long)json_integer_value(expected));
}

static bool accepts(const struct nonet_session *session, const char *text,
                    struct nonet_message *why) {
    const struct nonet_options *options = nonet_session_options(session);
    nonet_move move;
    *why = (struct nonet_message){0};
    if (!options->game->parse(options, text, &move, why))
        return false;
    bool legal = nonet_session_legal(session, move, why);
    if (options->game->wide != NULL && nonet_session_turn(session) != 0)
        CHECK(legal == options->game->wide->test(options, nonet_session_state(session),
                                                 nonet_session_workspace(session), move),
              "%s: legal set and geometry disagree", text);
    return legal;
}

static void check_verdicts(const struct nonet_session *session, const json_t *moves, bool legal) {
    size_t i;
    json_t *move;
    json_array_foreach(moves, i, move) {
        struct nonet_message why;
        CHECK(accepts(session, json_string_value(move), &why) == legal, "ply %d: %s",
              nonet_session_ply(session), json_string_value(move));
        CHECK(legal || why.phrase != NULL, "%s refused without a reason", json_string_value(move));
    }
}

static void check_end(const struct nonet_session *session, const json_t *entry) {
    struct nonet_result result;
    nonet_session_result(session, &result);
    const json_t *winners = json_object_get(entry, "winners");
    if (winners != NULL) {
        unsigned set = 0;
        for (size_t i = 0; i < json_array_size(winners); i++)
            set |= 1u << (json_integer_value(json_array_get(winners, i)) - 1);
        CHECK(result.winners == set, "winners %x, expected %x", result.winners, set);
    }
    const json_t *points = json_object_get(entry, "points");
    if (json_is_array(points)) {
        CHECK(result.has_points, "no points");
        for (size_t i = 0; i < json_array_size(points); i++)
            CHECK(result.points[i] == json_integer_value(json_array_get(points, i)),
                  "player %zu has %d points", i + 1, result.points[i]);
    }
    const json_t *over = json_object_get(entry, "over");
    if (over != NULL)
        CHECK((nonet_session_turn(session) == 0) == json_is_true(over), "over");
}

/* What is given once for each ply. */
static const struct {
    const char *key;
    void (*check)(const struct nonet_session *session, const json_t *expected);
} per_ply[] = {
    {"legal", check_legal}, {"legal_count", check_count}, {"legal_sha256", check_digest}};

static void check_game(const json_t *entry) {
    struct nonet_session *session = open_session(entry);
    const json_t *moves = json_object_get(entry, "moves");
    for (size_t ply = 0; ply < json_array_size(moves); ply++) {
        for (size_t i = 0; i < sizeof per_ply / sizeof per_ply[0]; i++) {
            const json_t *expected = json_array_get(json_object_get(entry, per_ply[i].key), ply);
            if (expected != NULL)
                per_ply[i].check(session, expected);
        }
        const char *const refused[] = {"illegal", "illegal_tight"};
        for (size_t i = 0; i < 2; i++)
            check_verdicts(session, json_array_get(json_object_get(entry, refused[i]), ply), false);
        check_verdicts(session, json_array_get(json_object_get(entry, "legal_tight"), ply), true);
        struct nonet_message why;
        const char *move = json_string_value(json_array_get(moves, ply));
        CHECK(nonet_session_play_text(session, move, &why), "move %zu, %s, refused: %s", ply + 1,
              move, worded(&why));
    }
    check_end(session, entry);
    nonet_session_free(session);
}

static void check_perft(const json_t *entry) {
    struct nonet_session *session = open_session(entry);
    play_all(session, json_object_get(entry, "moves"));
    size_t depth;
    json_t *expected;
    json_array_foreach(json_object_get(entry, "perft"), depth, expected) {
        if (is_short && json_integer_value(expected) > 1000000)
            break;
        uint64_t count;
        assert_true(nonet_perft(nonet_session_options(session), nonet_session_state(session),
                                nonet_session_workspace(session), (int)depth + 1, &count));
        CHECK((json_int_t)count == json_integer_value(expected), "depth %zu: %llu, expected %lld",
              depth + 1, (unsigned long long)count, (long long)json_integer_value(expected));
    }
    nonet_session_free(session);
}

static void check_reason(const char *what, bool accepted, const struct nonet_message *why,
                         const json_t *part) {
    CHECK(!accepted, "\"%s\" was accepted", what);
    CHECK(strstr(worded(why), json_string_value(part)) != NULL,
          "\"%s\" refused by \"%s\", expected \"%s\"", what, worded(why), json_string_value(part));
}

/* What everybody is told of the last move. */
static void check_events(const struct nonet_session *session, const json_t *expected) {
    struct nonet_events events;
    nonet_session_events(session, nonet_session_ply(session) - 1, NONET_SPECTATOR, &events);
    for (int i = 0; i < events.count && i < (int)json_array_size(expected); i++)
        assert_string_equal(worded(&events.list[i].says),
                            json_string_value(json_array_get(expected, (size_t)i)));
    CHECK(events.count == json_array_size(expected), "%d events, expected %zu, the last: %s",
          events.count, json_array_size(expected),
          events.count > 0 ? worded(&events.list[events.count - 1].says) : "none");
}

/* How the game stands, as {"1 pieces home": 2}; player 0 for what is nobody's. */
static void check_standings(const struct nonet_session *session, const json_t *expected) {
    struct nonet_standings standings;
    nonet_standings_for(nonet_session_options(session), nonet_session_state(session),
                        NONET_SPECTATOR, &standings);
    size_t found = 0;
    for (int i = 0; i < standings.count; i++) {
        const struct nonet_standing *standing = &standings.list[i];
        char name[600];
        snprintf(name, sizeof name, "%d %s", standing->player, worded(&standing->label));
        const json_t *number = json_object_get(expected, name);
        found += number != NULL;
        CHECK(number == NULL || json_integer_value(number) == standing->number, "%s: %d", name,
              standing->number);
    }
    CHECK(found == json_object_size(expected), "%zu of %zu standings", found,
          json_object_size(expected));
}

/* A case derived by hand; see the keys below. */
static void check_case(const json_t *entry) {
    struct nonet_session *session = open_session(entry);
    const struct nonet_options *options = nonet_session_options(session);
    play_all(session, json_object_get(entry, "moves"));
    for (size_t i = 0; i < sizeof per_ply / sizeof per_ply[0]; i++)
        if (json_object_get(entry, per_ply[i].key) != NULL)
            per_ply[i].check(session, json_object_get(entry, per_ply[i].key));
    const json_t *to_move = json_object_get(entry, "to_move");
    if (to_move != NULL)
        CHECK(nonet_session_turn(session) == (int)json_integer_value(to_move), "player %d to move",
              nonet_session_turn(session));
    check_end(session, entry);
    if (json_object_get(entry, "events") != NULL)
        check_events(session, json_object_get(entry, "events"));
    check_standings(session, json_object_get(entry, "standings"));
    const char *text = json_string_value(json_object_get(entry, "text"));
    if (text != NULL) {
        char line[NONET_POSITION_TEXT];
        struct nonet_text out = NONET_TEXT_IN(line);
        options->game->write(options, nonet_session_state(session), &out);
        CHECK(strcmp(line, text) == 0, "position \"%s\"", line);
    }
    const char *what;
    json_t *part;
    struct nonet_message why;
    json_object_foreach(json_object_get(entry, "illegal"), what, part) {
        bool accepted = accepts(session, what, &why);
        check_reason(what, accepted, &why, part);
    }
    json_object_foreach(json_object_get(entry, "refused_parse"), what, part) {
        nonet_move move;
        bool accepted = options->game->parse(options, what, &move, &why);
        check_reason(what, accepted, &why, part);
    }
    json_object_foreach(json_object_get(entry, "refused_from"), what, part) {
        bool accepted = nonet_session_read(session, what, &why);
        check_reason(what, accepted, &why, part);
    }
    json_object_foreach(json_object_get(entry, "refused_options"), what, part) {
        struct nonet_options changed = *options;
        for (int i = 0; options->game->options[i].key != NULL; i++)
            if (options->game->options[i].chance &&
                json_object_get(json_object_get(entry, "options"), options->game->options[i].key) ==
                    NULL)
                changed.value[i].text[0] = '\0';
        bool accepted =
            nonet_options_set(&changed, what, &why) && nonet_options_check(&changed, &why);
        check_reason(what, accepted, &why, part);
    }
    nonet_session_free(session);
    if (json_object_get(entry, "perft") != NULL)
        check_perft(entry);
}

struct job {
    json_t *entry;
    void (*check)(const json_t *entry);
};

static void run_job(void **state) {
    struct job *job = *state;
    job->check(job->entry);
    json_decref(job->entry);
    free(job);
}

enum { MOST_TESTS = 4096 };
static struct CMUnitTest tests[MOST_TESTS];
static size_t test_count;

static void add_job(json_t *entry, const char *file, int line, void (*check)(const json_t *)) {
    char name[512];
    const char *note = json_string_value(json_object_get(entry, "note"));
    snprintf(name, sizeof name, "%s %d%s%s", strrchr(file, '/') + 1, line, note ? ": " : "",
             note ? note : "");
    struct job *job = malloc(sizeof *job);
    *job = (struct job){entry, check};
    if (test_count == MOST_TESTS)
        abort();
    tests[test_count++] = (struct CMUnitTest){strdup(name), run_job, NULL, NULL, job};
}

static bool wanted(const json_t *entry, const char *only) {
    const char *id = json_string_value(json_object_get(entry, "game"));
    return only == NULL || (id != NULL && strcmp(id, only) == 0);
}

static void add_lines(const char *path, const char *id, const char *only,
                      void (*check)(const json_t *)) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char line[1 << 16];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        json_error_t error;
        json_t *entry = json_loads(line, 0, &error);
        if (entry == NULL) {
            fprintf(stderr, "%s:%d: %s\n", path, number, error.text);
            exit(1);
        }
        if (id != NULL)
            json_object_set_new(entry, "game", json_string(id));
        if (wanted(entry, only))
            add_job(entry, path, number, check);
        else
            json_decref(entry);
    }
    fclose(file);
}

enum { MOST_FILES = 64 };
struct name {
    char text[64];
};

/* The names in a folder, sorted. */
static int list_folder(const char *folder, struct name names[MOST_FILES]) {
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        perror(folder);
        exit(1);
    }
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL; count++) {
        if (count == MOST_FILES || strlen(entry->d_name) >= sizeof names[0].text)
            abort();
        strcpy(names[count].text, entry->d_name);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], compare_texts);
    return count;
}

static void add_folder(const char *folder, const char *only) {
    struct name names[MOST_FILES];
    int count = list_folder(folder, names);
    for (int i = 0; i < count; i++) {
        char path[1024], id[64] = "";
        snprintf(path, sizeof path, "%s/%.63s", folder, names[i].text);
        if (strcmp(names[i].text, "perft.json") == 0) {
            json_t *list = json_load_file(path, 0, NULL), *entry;
            size_t index;
            json_array_foreach(list, index, entry) if (wanted(entry, only))
                add_job(json_incref(entry), path, (int)index + 1, check_perft);
            json_decref(list);
        } else if (sscanf(names[i].text, "games-%63[a-z0-9].jsonl", id) == 1) {
            add_lines(path, NULL, only, check_game);
        } else if (strstr(names[i].text, ".jsonl") != NULL) {
            snprintf(id, sizeof id, "%.*s", (int)strcspn(names[i].text, "."), names[i].text);
            add_lines(path, id, only, check_case);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    is_short = argc > 3 && strcmp(argv[3], "short") == 0;
    const char *only = argc > 3 && !is_short ? argv[3] : NULL;
    add_folder(argv[1], only);
    add_folder(argv[2], only);
    return _cmocka_run_group_tests("fixtures", tests, test_count, NULL, NULL);
}
