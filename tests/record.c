/* Game records: random games of every game and option are written and read back the same. Wrong and
 * hostile texts are refused with the right reason. Files are replaced as a whole or left alone. The
 * random games are played through the search interface, which is tested on the way. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/record.h"
#include "search/search.h"
#include "variants.h"

/* Chooses as a seat would; the task must show no secret. */
static nonet_move choose(const struct nonet_session *session, uint64_t seed) {
    int seat = nonet_session_turn(session);
    const struct nonet_game *game = nonet_session_options(session)->game;
    struct nonet_search_task task;
    assert_true(nonet_search_task_open(&task, session, seat));
    task.seed = seed;
    for (int i = 0; game->options[i].key != NULL; i++)
        if (game->options[i].secret)
            assert_string_equal(task.options.value[i].text, "");
    struct nonet_state seen;
    memset(&seen, 0, sizeof seen);
    nonet_observe(nonet_session_options(session), nonet_session_state(session), seat, &seen);
    assert_memory_equal(&seen, &task.state, game->state_size);
    assert_int_equal(task.ply, nonet_session_ply(session));
    for (int i = 0; i < task.ply; i++) {
        nonet_observe(nonet_session_options(session), nonet_session_state_before(session, i), seat,
                      &seen);
        assert_memory_equal(&seen, nonet_search_history(&task, i), game->state_size);
    }
    const struct nonet_searcher *searcher = &nonet_search_random;
    size_t size = searcher->size(&task);
    assert_int_equal(size % NONET_SEARCH_ALIGN, 0);
    void *search = aligned_alloc(NONET_SEARCH_ALIGN, size);
    assert_non_null(search);
    struct nonet_report *report = malloc(sizeof *report);
    assert_non_null(report);
    searcher->begin(search, &task);
    searcher->report(search, report);
    nonet_move first = report->moves[0].move;
    while (!searcher->advance(search, 100))
        continue;
    searcher->report(search, report);
    nonet_move move = report->moves[0].move;
    assert_int_equal(first, move);
    free(report);
    free(search);
    nonet_search_task_close(&task);
    return move;
}

static void play_random(struct nonet_session *session, uint64_t seed, int most) {
    while (most-- > 0 && nonet_session_turn(session) != 0) {
        struct nonet_message why;
        assert_true(nonet_session_play(session, choose(session, seed), &why));
    }
}

static void fill_in(struct record *record, struct nonet_random *random) {
    int players = nonet_session_options(record->session)->players;
    for (int i = 0; i < players; i++) {
        strcpy(record->seats[i].kind, i % 2 == 0 ? "human" : "random");
        strcpy(record->seats[i].name, i == 0 ? "Zoë \"Z\" \\" : "");
    }
    int ply = nonet_session_ply(record->session);
    record->times = malloc(((size_t)ply + 1) * sizeof *record->times);
    assert_non_null(record->times);
    for (int i = 0; i < ply; i++)
        record->times[i] = (uint32_t)nonet_random_next(random);
}

static void check_same(const struct record *a, const struct record *b) {
    const struct nonet_session *s = a->session, *t = b->session;
    const struct nonet_game *game = nonet_session_options(s)->game;
    int ply = nonet_session_ply(s);
    CHECK(game == nonet_session_options(t)->game, "%s", game->id);
    CHECK(ply == nonet_session_ply(t), "%s", game->id);
    for (int i = 0; i < ply; i++) {
        CHECK(nonet_session_move(s, i) == nonet_session_move(t, i), "%s move %d", game->id, i);
        CHECK(a->times[i] == b->times[i], "%s time %d", game->id, i);
    }
    CHECK(memcmp(nonet_session_state(s), nonet_session_state(t), game->state_size) == 0, "%s",
          game->id);
    CHECK(nonet_session_turn(s) == nonet_session_turn(t), "%s", game->id);
    CHECK(memcmp(a->seats, b->seats, sizeof a->seats) == 0, "%s", game->id);
}

static FILE *written; /* where the records of random games go, for another test; or null */

/* Written, read, and written again. */
static void check_round_trip(const struct record *record) {
    const char *id = nonet_session_options(record->session)->game->id;
    char *text = record_write(record);
    assert_non_null(text);
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record back;
    CHECK(record_read_bytes(text, strlen(text), &back, &why), "%s: %s\n%s", id, reason, text);
    check_same(record, &back);
    if (written != NULL)
        fputs(text, written);
    char *again = record_write(&back);
    assert_non_null(again);
    CHECK(strcmp(text, again) == 0, "%s", id);
    free(again);
    free(text);
    record_close(&back);
}

static void test_round_trips(void **unused) {
    (void)unused;
    static struct nonet_options variants[MOST_VARIANTS];
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        const struct nonet_game *game = nonet_games[g];
        int count = variants_of(game, 11, variants);
        for (int v = 0; v < count; v++) {
            struct nonet_random random = {(uint64_t)(g * 100 + v)};
            struct record record = {.session = nonet_session_new(&variants[v])};
            assert_non_null(record.session);
            play_random(record.session, nonet_random_next(&random), 300);
            fill_in(&record, &random);
            check_round_trip(&record);
            /* The same half-way, and for a game that begins there. */
            for (int i = nonet_session_ply(record.session) / 2; i > 0; i--)
                nonet_session_undo(record.session);
            check_round_trip(&record);
            char line[NONET_POSITION_TEXT];
            struct nonet_text text = NONET_TEXT_IN(line);
            game->write(&variants[v], nonet_session_state(record.session), &text);
            struct nonet_message why;
            assert_true(nonet_session_read(record.session, line, &why));
            play_random(record.session, nonet_random_next(&random), 20);
            free(record.times);
            fill_in(&record, &random);
            check_round_trip(&record);
            record_close(&record);
        }
    }
}

/* What a seed deals need not be recorded: it is dealt again. */
static void test_seed(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count; g++) {
        if (nonet_games[g]->deal == NULL)
            continue;
        struct nonet_options options;
        struct nonet_message why;
        nonet_options_default(&options, nonet_games[g]);
        assert_true(nonet_options_set(&options, "seed=18446744073709551615", &why));
        nonet_options_deal(&options, 5, 6);
        struct nonet_random random = {3};
        struct record record = {.session = nonet_session_new(&options)};
        assert_non_null(record.session);
        play_random(record.session, 3, 10);
        fill_in(&record, &random);
        check_round_trip(&record);
        char *text = record_write(&record);
        assert_non_null(strstr(text, "\"seed\":\"18446744073709551615\""));
        assert_null(strstr(text, "\"from\""));
        free(text);
        record_close(&record);
    }
}

static void test_same_seed_same_choices(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("quadrangle");
    bool differs = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct nonet_session *a = nonet_session_new(&options), *b = nonet_session_new(&options);
        play_random(a, seed, 4);
        play_random(b, seed, 4);
        assert_memory_equal(nonet_session_state(a), nonet_session_state(b),
                            options.game->state_size);
        differs |= nonet_session_move(a, 0) != choose(b, seed + 1);
        nonet_session_free(a);
        nonet_session_free(b);
    }
    assert_true(differs);
}

#define Q "{\"format\":\"nonet-game\",\"version\":1,\"game\":\"quadrangle\","
#define WON "\"moves\":[\"a1\",\"b2\",\"d1\",\"c3\",\"a3\",\"b1\",\"d3\"]"

static const struct {
    const char *text;
    const char *reason; /* what the message must contain; null: the record is right */
} cases[] = {
    {Q WON "}", NULL},
    {Q WON ",\"result\":{\"winners\":[1]}}", NULL},
    {Q WON ",\"result\":null}", NULL},
    {Q WON ",\"result\":{\"winners\":[1],\"points\":null,\"reason\":\"\"}}", NULL},
    {" \n" Q "\"options\":{},\"moves\":[]}\n\n", NULL},
    {Q "\"options\":{\"rectangles\":\"upright\"},\"moves\":[\"a1\"],\"times\":[4294967295]}", NULL},
    {Q "\"from\":\"..../..../.A../.... 2\",\"moves\":[\"a1\"]}", NULL},
    /* Not JSON. */
    {"", "it is not JSON"},
    {"nonsense", "it is not JSON"},
    {Q WON, "it is not JSON"},
    {Q WON "}}", "it is not JSON"},
    {Q WON "} {}", "it is not JSON"},
    {Q "\"moves\":[\"\\u0000\"]}", "it is not JSON"},
    {Q "\"moves\":[\"\xff\"]}", "it is not JSON"},
    {Q "\"moves\":[],\"moves\":[]}", "duplicate object key"},
    {Q "\"moves\":[],\"times\":[99999999999999999999]}", "it is not JSON"},
    {Q "\"moves\":[],\"times\":[1e999]}", "it is not JSON"},
    /* Not a record. */
    {"[]", "it is not a JSON object"},
    {"{}", "\"format\" is missing"},
    {"{\"format\":1}", "\"format\" is not a text"},
    {"{\"format\":\"chess\"}", "its format is \"chess\", not \"nonet-game\""},
    {"{\"format\":\"nonet-game\"}", "its version is not 1"},
    {"{\"format\":\"nonet-game\",\"version\":2}", "its version is not 1"},
    {"{\"format\":\"nonet-game\",\"version\":1.0}", "its version is not 1"},
    {"{\"format\":\"nonet-game\",\"version\":\"1\"}", "its version is not 1"},
    {"{\"format\":\"nonet-game\",\"version\":1}", "\"game\" is missing"},
    {"{\"format\":\"nonet-game\",\"version\":1,\"game\":7}", "\"game\" is not a text"},
    {"{\"format\":\"nonet-game\",\"version\":1,\"game\":\"go\\u001b[2J\"}",
     "there is no game \"go?[2J\""},
    {Q "\"extra\":0}", "the record has an unknown member \"extra\""},
    {Q "\"moves\":0}", "\"moves\" is not an array"},
    {Q "\"options\":{}}", "\"moves\" is missing"},
    /* Options. */
    {Q "\"options\":[],\"moves\":[]}", "\"options\" is not an object"},
    {Q "\"options\":{\"rectangles\":1},\"moves\":[]}", "option \"rectangles\" is not a text"},
    {Q "\"options\":{\"rectangles\":\"round\"},\"moves\":[]}",
     "option rectangles cannot be \"round\"; it is one of any|upright"},
    {Q "\"options\":{\"size\":\"4\"},\"moves\":[]}", "Quadrangle has no option \"size\""},
    {Q "\"options\":{\"rectangles=any\":\"\"},\"moves\":[]}", "has no option \"rectangles=any\""},
    {Q "\"options\":{\"\":\"\"},\"moves\":[]}", "has no option \"\""},
    /* Positions. */
    {Q "\"from\":7,\"moves\":[]}", "\"from\" is not a text"},
    {Q "\"from\":\"\",\"moves\":[]}", "this is no position: "},
    {Q "\"from\":\"..../..../.A../.... 1\",\"moves\":[]}", "this is no position: "},
    /* Seats. */
    {Q "\"seats\":{},\"moves\":[]}", "\"seats\" is not an array"},
    {Q "\"seats\":[],\"moves\":[]}", "\"seats\" has 0 entries for 2 players"},
    {Q "\"seats\":[1,2],\"moves\":[]}", "seat 1 is not an object"},
    {Q "\"seats\":[{\"kind\":\"human\"},{}],\"moves\":[]}", "seat 2 has no kind"},
    {Q "\"seats\":[{\"kind\":\"A b\"},{}],\"moves\":[]}", "seat 1 has no kind"},
    {Q "\"seats\":[{\"kind\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"},{}],\"moves\":[]}",
     "seat 1 has no kind"},
    {Q "\"seats\":[{\"kind\":\"human\",\"age\":9},{}],\"moves\":[]}",
     "seat 1 has an unknown member \"age\""},
    {Q "\"seats\":[{\"kind\":\"human\",\"name\":9},{}],\"moves\":[]}", "the name of seat 1"},
    {Q "\"seats\":[{\"kind\":\"human\",\"name\":\"\\u001b]0;\"},{}],\"moves\":[]}",
     "the name of seat 1"},
    {Q "\"seats\":[{\"kind\":\"human\",\"name\":\"\\u009b2J\"},{}],\"moves\":[]}",
     "the name of seat 1"},
    {Q
     "\"seats\":[{\"kind\":\"human\",\"name\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaa\"},{}],\"moves\":[]}",
     "the name of seat 1"},
    /* Moves. */
    {Q "\"moves\":[\"a1\",3]}", "move 2 is not a text"},
    {Q "\"moves\":[\"a1\",[[]]]}", "move 2 is not a text"},
    {Q "\"moves\":[\"a1\",\"a1\"]}", "move 2, a1, is not legal: a1 is occupied"},
    {Q "\"moves\":[\"a1\",\"e9\"]}", "move 2, e9, is not legal: "},
    {Q "\"moves\":[\"\"]}", "move 1, , is not legal: "},
    {Q "\"moves\":[\"a1 \"]}", "move 1, a1 , is not legal: "},
    {Q "\"moves\":[\"a1\",\"b2\",\"d1\",\"c3\",\"a3\",\"b1\",\"d3\",\"a4\"]}",
     "move 8, a4, is not legal: "},
    /* Times. */
    {Q WON ",\"times\":7}", "\"times\" is not an array"},
    {Q WON ",\"times\":[1]}", "there are 1 times for 7 moves"},
    {Q "\"moves\":[\"a1\"],\"times\":[-1]}", "time 1 is not a whole number of milliseconds"},
    {Q "\"moves\":[\"a1\"],\"times\":[0.5]}", "time 1 is not a whole number of milliseconds"},
    {Q "\"moves\":[\"a1\"],\"times\":[4294967296]}", "time 1 is not a whole number"},
    {Q "\"moves\":[\"a1\"],\"times\":[\"1\"]}", "time 1 is not a whole number of milliseconds"},
    /* Results. */
    {Q WON ",\"result\":1}", "\"result\" is not an object"},
    {Q WON ",\"result\":{}}", "the winners are not a list of players in rising order"},
    {Q WON ",\"result\":{\"winners\":1}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[0]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[3]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[-9223372036854775808]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[2,1]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[1,1]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[\"1\"]}}", "the winners are not a list"},
    {Q WON ",\"result\":{\"winners\":[2]}}",
     "the stated result is a win of player 2, the true one a win of player 1"},
    {Q WON ",\"result\":{\"winners\":[1,2]}}",
     "the stated result is a draw, the true one a win of player 1"},
    {Q WON ",\"result\":{\"winners\":[1],\"points\":[1,0]}}",
     "points are stated, but this game has none"},
    {Q WON ",\"result\":{\"winners\":[1],\"reason\":1}}", "the result's reason is not a text"},
    {Q WON ",\"result\":{\"winners\":[1],\"by\":1}}", "\"result\" has an unknown member \"by\""},
    {Q "\"moves\":[\"a1\"],\"result\":{\"winners\":[1]}}",
     "a result is stated, but the game is not over after 1 move"},
};

static bool reads(const void *bytes, size_t size, char reason[RECORD_REASON]) {
    struct nonet_text why = nonet_text_in(reason, RECORD_REASON);
    struct record record;
    bool done = record_read_bytes(bytes, size, &record, &why);
    assert_int_equal(done, why.length == 0);
    if (done)
        record_close(&record);
    return done;
}

static void test_wrong_records(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char reason[RECORD_REASON];
        bool done = reads(cases[i].text, strlen(cases[i].text), reason);
        CHECK(done == (cases[i].reason == NULL), "%s\n%s", cases[i].text, reason);
        CHECK(done || strstr(reason, cases[i].reason) != NULL, "%s\n%s", cases[i].text, reason);
    }
}

#define MASKER "{\"format\":\"nonet-game\",\"version\":1,\"game\":\"masker\","
#define DEAL "\"deal\":\"BBRVYGGGYWYWVYNRBWVGRBYBWVRRGRVWYBGV\""

static void test_deals(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *reason;
    } deals[] = {
        {MASKER "\"options\":{\"seed\":\"1\"},\"moves\":[]}", NULL},
        {MASKER "\"options\":{" DEAL ",\"colours\":\"VR\"},\"moves\":[\"d3\"]}", NULL},
        {MASKER "\"moves\":[]}", "Masker needs a deal: "},
        {MASKER "\"options\":{" DEAL "},\"moves\":[]}", "Masker needs a deal: "},
        {MASKER "\"options\":{\"colours\":\"VR\"},\"moves\":[]}", "Masker needs a deal: "},
        {MASKER "\"options\":{\"seed\":\"-1\"},\"moves\":[]}", "option seed cannot be \"-1\""},
        {MASKER "\"options\":{\"seed\":\"1\"},\"from\":\"x\",\"moves\":[]}",
         "there is nothing left to deal"},
    };
    assert_non_null(nonet_game_find("masker"));
    for (size_t i = 0; i < sizeof deals / sizeof deals[0]; i++) {
        char reason[RECORD_REASON];
        bool done = reads(deals[i].text, strlen(deals[i].text), reason);
        CHECK(done == (deals[i].reason == NULL), "%s\n%s", deals[i].text, reason);
        CHECK(done || strstr(reason, deals[i].reason) != NULL, "%s\n%s", deals[i].text, reason);
    }
}

static void test_points(void **unused) {
    (void)unused;
    const struct nonet_game *game = nonet_game_find("mix3");
    assert_non_null(game);
    struct nonet_options options;
    nonet_options_default(&options, game);
    struct record record = {.session = nonet_session_new(&options)};
    play_random(record.session, 1, 16);
    char *text = record_write(&record);
    char *points = strstr(text, "\"points\":[");
    assert_non_null(points);
    char reason[RECORD_REASON];
    points[10] = points[10] == '1' ? '2' : '1'; /* the first digit of player 1's points */
    assert_false(reads(text, strlen(text), reason));
    assert_non_null(strstr(reason, "the stated points of player 1 are "));
    free(text);
    record_close(&record);
}

/* No proper beginning of a record is a record, and a changed byte does no harm: at worst the record
 * is refused. */
static void test_broken_bytes(void **unused) {
    (void)unused;
    static const char whole[] =
        Q "\"options\":{\"rectangles\":\"any\"},\"seats\":[{\"kind\":\"human\"},"
          "{\"kind\":\"random\",\"name\":\"x\"}]," WON
          ",\"times\":[1,2,3,4,5,6,7],\"result\":{\"winners\":[1]}}";
    char reason[RECORD_REASON];
    assert_true(reads(whole, sizeof whole - 1, reason));
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        char *copy = malloc(size + 1); /* so that reading past the end is noticed */
        memcpy(copy, whole, size);
        assert_false(reads(copy, size, reason));
        free(copy);
    }
    assert_false(reads(whole, sizeof whole, reason)); /* with the zero byte */
    struct nonet_random random = {1};
    for (int i = 0; i < 20000; i++) {
        char changed[sizeof whole];
        memcpy(changed, whole, sizeof whole);
        for (int k = 0; k < 1 + i % 3; k++)
            changed[nonet_random_below(&random, sizeof whole - 1)] =
                (char)nonet_random_next(&random);
        reads(changed, sizeof whole - 1, reason);
    }
}

static void test_large_records(void **unused) {
    (void)unused;
    char reason[RECORD_REASON];
    char *bytes = malloc(RECORD_MAX_BYTES + 1);
    assert_non_null(bytes);
    memset(bytes, '[', RECORD_MAX_BYTES + 1);
    assert_false(reads(bytes, RECORD_MAX_BYTES, reason));
    assert_non_null(strstr(reason, "it is not JSON"));
    assert_false(reads(bytes, RECORD_MAX_BYTES + 1, reason));
    assert_non_null(strstr(reason, "it is larger than"));
    memset(bytes, ' ', RECORD_MAX_BYTES);
    assert_false(reads(bytes, RECORD_MAX_BYTES, reason));
    struct nonet_text text = nonet_text_in(bytes, RECORD_MAX_BYTES);
    nonet_text_add(&text, Q "\"moves\":[\"a1\"");
    for (int i = 0; i < NONET_MAX_PLIES; i++)
        nonet_text_add(&text, ",\"a1\"");
    nonet_text_add(&text, "]}");
    assert_false(reads(bytes, text.length, reason));
    assert_string_equal(reason, "there are 20001 moves; at most 20000 are read");
    free(bytes);
}

/* ---- Files ---- */

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect(const char *path, const char *text) {
    char bytes[4096] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    bytes[size] = '\0';
    fclose(file);
    assert_string_equal(bytes, text);
}

static void saves(const char *path, const struct record *record, const char *refusal) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    bool done = record_save(path, record, &why);
    CHECK(done == (refusal == NULL), "%s: %s", path, reason);
    CHECK(done || strstr(reason, refusal) != NULL, "%s: %s", path, reason);
}

static void test_files(void **unused) {
    (void)unused;
    char directory[] = "/tmp/nonet-record-XXXXXX";
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    struct nonet_options options = options_of("quadrangle");
    struct record record = {.session = nonet_session_new(&options)}, back;
    play_random(record.session, 1, 3);
    char *text = record_write(&record);
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);

    saves("new.json", &record, NULL);
    expect("new.json", text);
    saves("new.json", &record, NULL);
    assert_true(record_read_file("new.json", &back, &why));
    record_close(&back);

    put("empty", "");
    saves("empty", &record, NULL);
    put("letter", "{\"format\":\"letter\"}");
    saves("letter", &record, "is not a game record");
    expect("letter", "{\"format\":\"letter\"}");

    saves("no/where", &record, "cannot create it");
    saves(".", &record, "cannot open it");
    saves("", &record, "a file needs a name");
    saves("/dev/full", &record, "cannot write it: No space left on device");
    saves("/dev/null", &record, NULL);
    struct stat facts;
    assert_int_equal(stat("/dev/null", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));

    /* A link stays a link, and a private file private. */
    assert_int_equal(chmod("new.json", 0600), 0);
    assert_int_equal(symlink("new.json", "link"), 0);
    play_random(record.session, 1, 1);
    saves("link", &record, NULL);
    assert_int_equal(lstat("link", &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(stat("new.json", &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    free(text);
    text = record_write(&record);
    expect("new.json", text);

    assert_false(record_read_file("absent", &back, &why));
    assert_non_null(strstr(reason, "cannot open it: No such file"));
    why = NONET_TEXT_IN(reason);
    assert_false(record_read_file(".", &back, &why));
    assert_non_null(strstr(reason, "cannot read it: Is a directory"));
    why = NONET_TEXT_IN(reason);
    assert_false(record_read_file("/dev/zero", &back, &why));
    assert_non_null(strstr(reason, "it is larger than"));

    /* No half-written file remains: the directory is empty once these are removed. */
    static const char *const names[] = {"new.json", "empty", "letter", "link"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(unlink(names[i]), 0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(directory), 0);
    free(text);
    record_close(&record);
}

int main(int count, char **arguments) {
    if (count > 1 && (written = fopen(arguments[1], "w")) == NULL)
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_same_seed_same_choices),
        cmocka_unit_test(test_wrong_records),
        cmocka_unit_test(test_deals),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_broken_bytes),
        cmocka_unit_test(test_large_records),
        cmocka_unit_test(test_files),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (written != NULL)
        fclose(written);
    return failed;
}
