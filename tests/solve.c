/* The listed solver against plain ones: all positions of the smallest games without any use of
 * symmetry, all positions of others up to symmetry, and random positions of the large games by
 * playing every line to its end. Called as "solve short", as under sanitizers, it leaves the large
 * games alone. */
#include "solve/listed.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/prober.h"
#include "host/table_store.h"
#include "plain_solver.h"
#include "solve/estimate.h"
#include "variants.h"

static char folder[] = "/tmp/nonet-solve-XXXXXX";
static bool is_short;

/* The tables so far: each is built once. */
static struct solved {
    struct nonet_options options;
    struct solve_report report;
} solved[16];
static int solved_count;

static void path_of(const struct nonet_options *options, const char *more, char path[TABLE_PATH]) {
    struct nonet_text text = nonet_text_in(path, TABLE_PATH);
    nonet_text_format(&text, "%s/%s", folder, more);
    table_file_name(options, &text);
}

/* Solves the game into a file and opens that. */
static const struct solve_report *solve(const struct nonet_options *options,
                                        struct table_file *file) {
    char path[TABLE_PATH], reason[512] = "";
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 2, .memory = 1 << 30};
    path_of(options, "", path);
    int i = 0;
    while (i < solved_count && memcmp(&solved[i].options, options, sizeof *options) != 0)
        i++;
    if (i == solved_count) {
        solved[solved_count++].options = *options;
        CHECK(solve_listed(options, &limits, path, &solved[i].report, &why), "%s: %s",
              variant_name(options), reason);
    }
    CHECK(table_file_open(path, options, file, &why) == TABLE_FOUND, "%s", reason);
    return &solved[i].report;
}

static bool same_value(const struct nonet_value *a, const struct nonet_value *b) {
    return a->outcome == b->outcome && a->has_margin == b->has_margin &&
           (!a->has_margin || a->margin == b->margin) &&
           (a->has_margin || a->outcome == NONET_DRAW || a->distance == b->distance);
}

static void check_state(const struct nonet_options *options, struct table_file *file,
                        const void *state, const struct nonet_value *expected) {
    struct nonet_value value;
    struct nonet_message why;
    char text[NONET_POSITION_TEXT];
    struct nonet_text line = NONET_TEXT_IN(text);
    options->game->write(options, state, &line);
    CHECK(nonet_table_probe(file->table, state, &value, &why), "%s is missing", text);
    CHECK(same_value(&value, expected), "%s %s: outcome %d, distance %d, margin %d, not %d, %d, %d",
          variant_name(options), text, value.outcome, value.distance, value.margin,
          expected->outcome, expected->distance, expected->margin);
}

/* Every position, found and settled in the plainest way. With `symmetric` false the plain solver
 * does not even know that the game has symmetries. */
static void check_all(const struct nonet_options *options, bool symmetric) {
    struct table_file file;
    struct plain_solution plain;
    const struct solve_report *report = solve(options, &file);
    struct nonet_game bare = *options->game;
    struct nonet_options plain_options = *options;
    if (!symmetric) {
        bare.symmetries = NULL;
        bare.canonical = NULL;
        plain_options.game = &bare;
    }
    plain_solve(&plain_options, &plain);
    assert_int_equal(symmetric ? report->classes : report->positions, plain.count);
    uint64_t outcomes[3] = {0}, counted[3] = {0};
    for (size_t i = 0; i < plain.count; i++) {
        struct nonet_state state;
        memcpy(&state, plain.states + i * bare.state_size, bare.state_size);
        check_state(options, &file, &state, &plain.values[i]);
        outcomes[plain.values[i].outcome]++;
    }
    for (int ply = 0; ply < report->plies; ply++)
        for (int i = 0; i < 3; i++)
            counted[i] +=
                symmetric ? report->by_ply[ply].classes[i] : report->by_ply[ply].positions[i];
    assert_memory_equal(outcomes, counted, sizeof outcomes);
    plain_free(&plain);
    table_file_close(&file);
}

static void template_whole(void **unused) {
    (void)unused;
    struct nonet_options variants[MOST_VARIANTS];
    int count = variants_of(nonet_game_find("template"), 1, variants);
    for (int i = 0; i < count; i++)
        check_all(&variants[i], false);
}

static void trix_whole(void **unused) {
    (void)unused;
    struct nonet_options variants[MOST_VARIANTS];
    int count = variants_of(nonet_game_find("trix"), 1, variants);
    assert_int_equal(count, 4);
    for (int i = 0; i < (is_short ? 1 : count); i++)
        check_all(&variants[i], is_short || i > 0);
}

static void kudosu_whole(void **unused) {
    (void)unused;
    if (is_short)
        skip();
    struct nonet_options options = options_of("kudosu");
    check_all(&options, true);
}

/* Every line from here to its end, for games in which lines end: no table, no symmetry. */
static struct nonet_value play_out(const struct nonet_options *options, const void *state) {
    const struct nonet_game *game = options->game;
    nonet_move moves[64];
    int count = game->moves(options, state, moves);
    struct nonet_value best = {0};
    if (count == 0) {
        struct nonet_result result = {0};
        game->result(options, state, &result);
        int me = game->next(options, state) - 1;
        best.outcome = result.winners == 3         ? NONET_DRAW
                       : result.winners == 1 << me ? NONET_WIN
                                                   : NONET_LOSS;
        best.has_margin = result.has_points;
        best.margin = (int16_t)(result.points[me] - result.points[1 - me]);
        return best;
    }
    int best_score = INT32_MIN;
    for (int i = 0; i < count; i++) {
        struct nonet_state child;
        memcpy(&child, state, game->state_size);
        game->play(options, &child, NULL, moves[i]);
        struct nonet_value value = play_out(options, &child);
        value.outcome = (uint8_t)(NONET_WIN - value.outcome);
        value.margin = (int16_t)-value.margin;
        value.distance++;
        int score = value.has_margin              ? value.margin
                    : value.outcome == NONET_WIN  ? 1000 - value.distance
                    : value.outcome == NONET_LOSS ? value.distance - 1000
                                                  : 0;
        if (score > best_score) {
            best_score = score;
            best = value;
        }
    }
    return best;
}

/* Random positions with few empty cells, reached by play. */
static void check_late(const char *variant, int plies, int games) {
    struct nonet_options options = options_of(variant);
    struct table_file file;
    solve(&options, &file);
    struct nonet_random random = {17};
    for (int game = 0; game < games; game++) {
        struct nonet_state state;
        options.game->start(&options, &state, NULL);
        int begin = plies + (int)nonet_random_below(&random, (uint32_t)(17 - plies));
        for (int ply = 0; ply < begin; ply++) {
            nonet_move moves[64];
            int count = options.game->moves(&options, &state, moves);
            if (count == 0)
                break;
            options.game->play(&options, &state, NULL,
                               moves[nonet_random_below(&random, (uint32_t)count)]);
        }
        struct nonet_value expected = play_out(&options, &state);
        check_state(&options, &file, &state, &expected);
    }
    table_file_close(&file);
}

static void late_positions(void **unused) {
    (void)unused;
    check_late("kudosu", 8, 100);
    if (is_short)
        return;
    check_late("quadrangle", 8, 100);
    check_late("quadrangle:rectangles=upright", 8, 100);
    check_late("mix3", 8, 100);
    check_late("mix3:rectangles=upright", 8, 100);
}

/* Whether the player to move can win, or must lose, within this many plies. Looks no further. */
static bool wins_within(const struct nonet_options *options, const void *state, int plies);
static bool loses_within(const struct nonet_options *options, const void *state, int plies) {
    const struct nonet_game *game = options->game;
    nonet_move moves[64];
    int count = game->moves(options, state, moves);
    if (count == 0) {
        struct nonet_result result = {0};
        game->result(options, state, &result);
        return !(result.winners >> (game->next(options, state) - 1) & 1);
    }
    for (int i = 0; i < count; i++) {
        struct nonet_state child;
        memcpy(&child, state, game->state_size);
        game->play(options, &child, NULL, moves[i]);
        if (plies == 0 || !wins_within(options, &child, plies - 1))
            return false;
    }
    return true;
}
static bool wins_within(const struct nonet_options *options, const void *state, int plies) {
    const struct nonet_game *game = options->game;
    nonet_move moves[64];
    int count = game->moves(options, state, moves);
    if (count == 0) {
        struct nonet_result result = {0};
        game->result(options, state, &result);
        return result.winners == 1 << (game->next(options, state) - 1);
    }
    for (int i = 0; i < count && plies > 0; i++) {
        struct nonet_state child;
        memcpy(&child, state, game->state_size);
        game->play(options, &child, NULL, moves[i]);
        if (loses_within(options, &child, plies - 1))
            return true;
    }
    return false;
}

/* Chasm can go round in circles, so lines have no end. But what the table says of the next few
 * plies can be checked by playing them. */
static void chasm_near_the_end(void **unused) {
    (void)unused;
    enum { PLIES = 4 };
    if (is_short)
        skip();
    struct nonet_options options = options_of("chasm");
    struct table_file file;
    solve(&options, &file);
    struct nonet_random random = {5};
    struct nonet_state state;
    int seen[2][PLIES + 1] = {0};
    for (int game = 0; game < 300; game++) {
        options.game->start(&options, &state, NULL);
        nonet_move moves[64];
        for (int count; (count = options.game->moves(&options, &state, moves)) > 0;) {
            options.game->play(&options, &state, NULL,
                               moves[nonet_random_below(&random, (uint32_t)count)]);
            struct nonet_value value;
            struct nonet_message why;
            assert_true(nonet_table_probe(file.table, &state, &value, &why));
            if (game % 10 != 0 && value.outcome == NONET_DRAW)
                continue;
            for (int plies = 0; plies <= PLIES; plies++) {
                bool decided = value.outcome != NONET_DRAW && value.distance <= plies;
                assert_int_equal(wins_within(&options, &state, plies),
                                 decided && value.outcome == NONET_WIN);
                assert_int_equal(loses_within(&options, &state, plies),
                                 decided && value.outcome == NONET_LOSS);
            }
            if (value.outcome != NONET_DRAW && value.distance <= PLIES)
                seen[value.outcome == NONET_WIN][value.distance]++;
        }
    }
    for (int plies = 1; plies <= PLIES; plies++)
        assert_true(seen[plies % 2][plies] > 0);
    table_file_close(&file);
}

/* Counts that are known from elsewhere: Kudosu has 541,920,833 positions, and a 4x4 board that is
 * filled in turn has the sum of C(16, n) C(n, n/2) for n from 0 to 16. */
static void position_counts(void **unused) {
    (void)unused;
    struct table_file file;
    struct nonet_options options = options_of("kudosu");
    assert_int_equal(solve(&options, &file)->positions, 541920833);
    table_file_close(&file);
    if (is_short)
        return;
    uint64_t filled = 0, cells = 1;
    for (uint64_t n = 0; n <= 16; n++) {
        uint64_t colours = 1;
        for (uint64_t i = 1; i <= n / 2; i++)
            colours = colours * (n - n / 2 + i) / i;
        filled += cells * colours;
        cells = cells * (16 - n) / (n + 1);
    }
    options = options_of("mix3");
    assert_int_equal(solve(&options, &file)->positions, filled);
    table_file_close(&file);
}

/* A game that is solved again and again. */
static struct nonet_options small_game(void) {
    return options_of(is_short ? "template:row=9" : "trix");
}

static size_t read_file(const char *path, unsigned char **bytes) {
    FILE *file = fopen(path, "rb");
    struct stat status;
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    *bytes = malloc((size_t)status.st_size);
    assert_non_null(*bytes);
    assert_int_equal(fread(*bytes, 1, (size_t)status.st_size, file), status.st_size);
    fclose(file);
    return (size_t)status.st_size;
}

static void assert_same_files(const char *one, const char *other) {
    unsigned char *first, *second;
    size_t size = read_file(one, &first);
    assert_int_equal(read_file(other, &second), size);
    assert_memory_equal(first, second, size);
    free(first);
    free(second);
}

/* The table's bytes depend on the game alone: not on threads, and not on an interruption. */
static void same_bytes(void **unused) {
    (void)unused;
    struct nonet_options options = small_game();
    char one[TABLE_PATH], other[TABLE_PATH], reason[512], work[64], checkpoint[96];
    struct nonet_text why = NONET_TEXT_IN(reason);
    path_of(&options, "one-", one);
    path_of(&options, "other-", other);
    struct solve_limits limits = {.threads = 1};
    assert_true(solve_listed(&options, &limits, one, NULL, &why));
    limits.threads = 5;
    assert_true(solve_listed(&options, &limits, other, NULL, &why));
    assert_same_files(one, other);

    /* If the table cannot be written, the checkpoint stays. */
    snprintf(work, sizeof work, "%s/work", folder);
    snprintf(checkpoint, sizeof checkpoint, "%s/positions.checkpoint", work);
    assert_int_equal(mkdir(work, 0777), 0);
    limits.work = work;
    assert_false(solve_listed(&options, &limits, "/proc/nowhere/table", NULL, &why));
    assert_int_equal(access(checkpoint, F_OK), 0);
    assert_true(solve_listed(&options, &limits, other, NULL, &why));
    assert_same_files(one, other);
    assert_int_not_equal(access(checkpoint, F_OK), 0);

    /* A damaged checkpoint, and one of another game, are ignored. */
    for (int damage = 0; damage < 3; damage++) {
        struct nonet_options before = options;
        if (damage == 2)
            before = options_of(is_short ? "template" : "trix:camps=side");
        assert_false(solve_listed(&before, &limits, "/proc/nowhere/table", NULL, &why));
        struct stat status;
        int file = open(checkpoint, O_RDWR);
        assert_true(file >= 0);
        assert_int_equal(fstat(file, &status), 0);
        if (damage == 0)
            assert_int_equal(pwrite(file, "nonet?", 6, status.st_size / 2), 6);
        if (damage == 1)
            assert_int_equal(ftruncate(file, status.st_size - 9), 0);
        close(file);
        assert_true(solve_listed(&options, &limits, other, NULL, &why));
        assert_same_files(one, other);
    }
}

/* A checkpoint in memory, to be forged: its parts and their places. */
struct forgery {
    unsigned char *bytes;
    size_t size;
    size_t numbers[4096]; /* places of numbers: counts, fields of positions, successors */
    int sizes[4096];      /* in bytes */
    int count;
};

enum { HEADER = 48, AT_SIZE = 32, AT_CHECKSUM = 40, PARTS = 64, POSITION = 24, PART = 1 << 20 };

static void add_number(struct forgery *forgery, size_t at, int size) {
    if (forgery->count == sizeof forgery->numbers / sizeof forgery->numbers[0])
        return;
    forgery->numbers[forgery->count] = at;
    forgery->sizes[forgery->count++] = size;
}

static uint64_t load(const unsigned char *bytes, size_t size) {
    uint64_t value = 0;
    memcpy(&value, bytes, size);
    return value;
}

/* Finds all numbers, of which a checkpoint has many. States are left alone: only the key prevents
 * others from forging these. */
static void take_apart(struct forgery *forgery, size_t state_size) {
    static const int fields[] = {8, 4, 2, 2,
                                 2, 2, 2, 2}; /* of a position; its count is the third */
    size_t at = HEADER;
    add_number(forgery, at, 2);
    at += 2;
    for (int part = 0; part < PARTS; part++) {
        size_t count = load(forgery->bytes + at, 4), expanded = load(forgery->bytes + at + 4, 4);
        add_number(forgery, at, 4);
        add_number(forgery, at + 4, 4);
        at += 8 + count * state_size;
        size_t positions = at;
        for (size_t i = 0; i < expanded; i++)
            for (int k = 0; k < 8; at += (size_t)fields[k++])
                add_number(forgery, at, fields[k]);
        for (size_t i = 0; i < expanded; i++)
            for (uint64_t k = load(forgery->bytes + positions + i * POSITION + 12, 2); k > 0; k--) {
                add_number(forgery, at, 4);
                at += 4;
            }
    }
    assert_int_equal(at, forgery->size);
}

/* Corrects the checksum, with a key that is all zero. */
static void sign(struct forgery *forgery) {
    static const struct nonet_siphash_key key = {{0, 0}};
    unsigned char header[HEADER];
    memcpy(header, forgery->bytes, HEADER);
    memset(header + AT_SIZE, 0, 16);
    uint64_t sum[2] = {0, nonet_siphash(&key, header, HEADER)};
    sum[0] = nonet_siphash(&key, sum, sizeof sum);
    for (size_t at = HEADER; at < forgery->size; at += PART) {
        size_t left = forgery->size - at;
        sum[1] = nonet_siphash(&key, forgery->bytes + at, left < PART ? left : PART);
        sum[0] = nonet_siphash(&key, sum, sizeof sum);
    }
    memcpy(forgery->bytes + AT_CHECKSUM, &sum[0], 8);
}

static void write_file(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void count_note(void *context, const char *line) {
    (void)line;
    ++*(int *)context;
}

/* Whatever number a checkpoint contains, with a correct checksum, the solver continues or begins
 * anew, and does no harm. With another key, it always begins anew. */
static void forged_checkpoints(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("template:row=9");
    char path[TABLE_PATH], honest[TABLE_PATH], reason[512], work[64], checkpoint[96];
    path_of(&options, "forged-", path);
    path_of(&options, "honest-", honest);
    snprintf(work, sizeof work, "%s/forged", folder);
    snprintf(checkpoint, sizeof checkpoint, "%s/positions.checkpoint", work);
    assert_int_equal(mkdir(work, 0700), 0);
    struct nonet_text why = NONET_TEXT_IN(reason);
    int notes = 0;
    struct solve_limits limits = {
        .threads = 2, .memory = 1 << 26, .context = &notes, .note = count_note};
    assert_true(solve_listed(&options, &limits, honest, NULL, &why));
    limits.work = work;
    assert_false(solve_listed(&options, &limits, "/proc/nowhere/table", NULL, &why));
    static struct forgery forgery;
    forgery.size = read_file(checkpoint, &forgery.bytes);
    take_apart(&forgery, options.game->state_size);
    unsigned char *whole = malloc(forgery.size);
    assert_non_null(whole);
    memcpy(whole, forgery.bytes, forgery.size);
    sign(&forgery);
    assert_memory_equal(whole, forgery.bytes, forgery.size); /* our forgery is exact */

    /* From an honest one the solver continues. */
    assert_false(solve_listed(&options, &limits, "/proc/nowhere/table", NULL, &why));
    assert_int_equal(notes, 0);
    struct nonet_random random = {6};
    enum { ROUNDS = 400 };
    /* From here on it keeps no checkpoint of its own, so that it syncs few files, which takes long.
     */
    limits.checkpoint_seconds = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        static const uint64_t lies[] = {1,         0x7f,       0x7fff,     0xffff,
                                        0x10000,   0x7fffffff, 0xffffffff, (uint64_t)1 << 40,
                                        UINT64_MAX};
        int number = (int)nonet_random_below(&random, (uint32_t)forgery.count);
        uint64_t lie = nonet_random_below(&random, 2) == 0
                           ? lies[nonet_random_below(&random, 9)]
                           : load(whole + forgery.numbers[number], 4) + 1;
        memcpy(forgery.bytes, whole, forgery.size);
        memcpy(forgery.bytes + forgery.numbers[number], &lie, (size_t)forgery.sizes[number]);
        sign(&forgery);
        write_file(checkpoint, forgery.bytes, forgery.size);
        why = NONET_TEXT_IN(reason);
        struct solve_report report;
        bool done = solve_listed(&options, &limits, round % 8 == 0 ? path : "/proc/nowhere/table",
                                 &report, &why);
        solve_report_free(&report);
        CHECK(done || why.length > 0, "number %d", number);
    }
    CHECK(notes > ROUNDS / 2, "%d of %d forgeries were found out", notes, ROUNDS);

    /* Intact, but not ours. */
    write_file(checkpoint, whole, forgery.size);
    notes = 0;
    limits.work_key.word[0] = 1;
    assert_true(solve_listed(&options, &limits, path, NULL, &why));
    assert_int_equal(notes, 1);
    assert_same_files(honest, path);
    free(whole);
    free(forgery.bytes);
}

/* A pipe, a dangling link and a folder in the place of a checkpoint are ignored. */
static void strange_checkpoints(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("template");
    char path[TABLE_PATH], reason[512], work[64], checkpoint[96];
    path_of(&options, "strange-", path);
    snprintf(work, sizeof work, "%s/strange", folder);
    snprintf(checkpoint, sizeof checkpoint, "%s/positions.checkpoint", work);
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 1, .work = work};
    assert_int_equal(mkdir(work, 0700), 0);
    alarm(60);
    assert_int_equal(mkfifo(checkpoint, 0600), 0);
    CHECK(solve_listed(&options, &limits, path, NULL, &why), "%s", reason);
    assert_int_equal(symlink("/proc/nowhere/at/all", checkpoint), 0);
    CHECK(solve_listed(&options, &limits, path, NULL, &why), "%s", reason);
    alarm(0);
    assert_int_equal(rmdir(work), 0);
}

static void count_beginnings(void *context, const char *what, double share, double seconds_left) {
    (void)share, (void)seconds_left;
    *(int *)context += strcmp(what, "finding positions, 1 so far") == 0;
}

/* What cannot be solved is tried once. */
static void failures_are_not_tried_again(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("trix");
    char reason[512], tables[64];
    struct nonet_text why = NONET_TEXT_IN(reason);
    int begun = 0;
    snprintf(tables, sizeof tables, "%s/no-tables", folder);
    assert_int_equal(setenv("NONET_TABLES", tables, 1), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", tables, 1), 0);
    struct prober_limits limits = {
        .solve = {
            .threads = 1, .memory = 4 << 20, .progress = count_beginnings, .context = &begun}};
    assert_false(solve_listed(&options, &limits.solve, "/proc/nowhere/table", NULL, &why));
    int once = begun;
    begun = 0;
    why = NONET_TEXT_IN(reason);
    assert_null(prober_open(&options, &limits, &why));
    assert_non_null(strstr(reason, "bytes of memory"));
    CHECK(begun == once && once > 0, "%d, not %d", begun, once);
}

/* Wherever memory runs out, the solver continues from its last checkpoint to the same bytes. */
static void stops_on_the_way(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("trix");
    char whole[TABLE_PATH], path[TABLE_PATH], reason[512], work[64], checkpoint[96];
    path_of(&options, "whole-", whole);
    path_of(&options, "stopped-", path);
    snprintf(work, sizeof work, "%s/stops", folder);
    snprintf(checkpoint, sizeof checkpoint, "%s/positions.checkpoint", work);
    assert_int_equal(mkdir(work, 0777), 0);
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 2};
    assert_true(solve_listed(&options, &limits, whole, NULL, &why));
    int stopped = 0, sizes = 0;
    off_t last = 0;
    for (uint64_t memory = 4 << 20;; memory += memory / 2) {
        limits = (struct solve_limits){.threads = 2, .memory = memory, .work = work};
        why = NONET_TEXT_IN(reason);
        if (solve_listed(&options, &limits, path, NULL, &why))
            break;
        struct stat status;
        if (stat(checkpoint, &status) != 0)
            continue;
        stopped++;
        sizes += status.st_size > last;
        last = status.st_size;
        limits.memory = 0;
        limits.threads = stopped % 3 + 1;
        CHECK(solve_listed(&options, &limits, path, NULL, &why), "%s", reason);
        assert_same_files(whole, path);
        assert_int_not_equal(access(checkpoint, F_OK), 0);
    }
    CHECK(stopped > 3 && sizes > 1, "stopped %d times", stopped);
    assert_int_equal(rmdir(work), 0);
}

/* Rounds like those of Mix 3, C(16, n) C(n, n/2) / 8. Once they shrink, the progress estimate of
 * the rest is right within a third; before that, there is none. */
static void estimate_of_rounds(void **unused) {
    (void)unused;
    uint64_t rounds[17], cells = 1;
    for (uint64_t n = 0; n <= 16; n++) {
        uint64_t colours = 1;
        for (uint64_t i = 1; i <= n / 2; i++)
            colours = colours * (n - n / 2 + i) / i;
        rounds[n] = (cells * colours + 7) / 8;
        cells = cells * (16 - n) / (n + 1);
    }
    struct estimate estimate = {0};
    int claimed = 0;
    for (int n = 0; n <= 16; n++) {
        double left = 0;
        for (int later = n; later <= 16; later++)
            left += (double)rounds[later];
        estimate_begin_round(&estimate, rounds[n]);
        if (n == 0 || rounds[n] >= rounds[n - 1]) {
            assert_true(estimate_left(&estimate) < 0);
            assert_true(estimate_share(&estimate, 1) <= 0);
            continue;
        }
        claimed++;
        CHECK(estimate_left(&estimate) < left * 4 / 3 && estimate_left(&estimate) > left * 2 / 3,
              "round %d: %f, not %f", n, estimate_left(&estimate), left);
        assert_true(estimate_share(&estimate, 0) < estimate_share(&estimate, rounds[n]));
    }
    CHECK(claimed > 3, "%d", claimed);
}

/* Whichever step runs out of memory, no file remains and the reason is given. */
static void memory_limit(void **unused) {
    (void)unused;
    struct nonet_options options = small_game();
    char path[TABLE_PATH], reason[512];
    path_of(&options, "small-", path);
    bool solved_at_last = false;
    for (uint64_t memory = 1000; !solved_at_last; memory += memory / 2) {
        struct solve_limits limits = {.threads = 2, .memory = memory};
        struct nonet_text why = NONET_TEXT_IN(reason);
        solved_at_last = solve_listed(&options, &limits, path, NULL, &why);
        CHECK(solved_at_last || strstr(reason, "bytes of memory") != NULL, "%s", reason);
        assert_int_equal(access(path, F_OK) == 0, solved_at_last);
        assert_true(memory < 1 << 30);
    }
}

int main(int argc, char **argv) {
    is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(template_whole),
        cmocka_unit_test(trix_whole),
        cmocka_unit_test(kudosu_whole),
        cmocka_unit_test(late_positions),
        cmocka_unit_test(chasm_near_the_end),
        cmocka_unit_test(position_counts),
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(stops_on_the_way),
        cmocka_unit_test(estimate_of_rounds),
        cmocka_unit_test(forged_checkpoints),
        cmocka_unit_test(strange_checkpoints),
        cmocka_unit_test(failures_are_not_tried_again),
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests_name("solve", tests, NULL, NULL);
    for (int i = 0; i < solved_count; i++)
        solve_report_free(&solved[i].report);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || failed;
}
