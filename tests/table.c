/* Tables of exact values: written, probed, verified, damaged. The plain solver of this folder
 * computes what they should contain. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "memory.h"
#include "plain_solver.h"
#include "rules/ranking.h"
#include "rules/swap.h"
#include "solve/table_preface.h"
#include "solve/table_writer.h"
#include "solve/verify.h"
#include "table/format.h"
#include "table/table.h"
#include "variants.h"

/* This test's own folder, removed at the end. */
static char folder[] = "/tmp/nonet-table-XXXXXX";
static char path[64];

static int make_folder(void **unused) {
    (void)unused;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/a.table", folder);
    return 0;
}

static int remove_folder(void **unused) {
    (void)unused;
    unlink(path);
    return rmdir(folder);
}

static struct memory read_file(void) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct memory memory = {malloc(1 << 24), 0};
    assert_non_null(memory.bytes);
    memory.size = fread(memory.bytes, 1, 1 << 24, file);
    fclose(file);
    return memory;
}

static void write_file(const struct memory *memory) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(memory->bytes, 1, memory->size, file), memory->size);
    fclose(file);
}

static void write_table(const struct nonet_options *options,
                        const struct plain_solution *solution) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct table_writer *writer = table_writer_open(path, options, TABLE_KEYED, &why);
    CHECK(writer != NULL, "%s", reason);
    for (size_t i = 0; i < solution->count; i++)
        table_writer_add(writer, solution->states + i * options->game->state_size,
                         &solution->values[i]);
    CHECK(table_writer_close(writer, &why), "%s", reason);
}

static bool verified(struct verify_report *report, char *reason, size_t size) {
    struct solve_limits limits = {.threads = 2};
    struct nonet_text why = nonet_text_in(reason, size);
    return verify_table(path, &limits, report, &why);
}

static void values_have_codes(void **unused) {
    (void)unused;
    for (int margin = 0; margin < 2; margin++)
        for (int code = 0; code <= NONET_CODE_MAX; code++) {
            struct nonet_value value = nonet_value_of_code(code, margin);
            assert_int_equal(nonet_value_code(&value), code);
        }
    const struct nonet_value bad[] = {
        {.outcome = NONET_WIN, .distance = -1},
        {.outcome = NONET_WIN, .distance = 2047},
        {.outcome = NONET_LOSS, .has_margin = true, .margin = 1},
        {.outcome = NONET_DRAW, .has_margin = true, .margin = 1},
        {.outcome = 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(nonet_value_code(&bad[i]), -1);
}

/* Rising keys of three bytes, and codes of which most or none are zero. */
static void blocks_unpack_to_what_was_packed(void **unused) {
    (void)unused;
    enum { COUNT = 5000, KEY = 3, BLOCK = 512 };
    static unsigned char keys[COUNT * KEY], back_keys[BLOCK * KEY], packed[1 << 20];
    static unsigned char preface[NONET_CODEC_PREFACE];
    static uint16_t codes[COUNT], leaves[COUNT], back[BLOCK];
    static struct nonet_codec codec, read;
    static struct nonet_codec_model model;
    struct nonet_random random = {1};
    for (int round = 0; round < 40; round++) {
        uint32_t key = 0;
        uint32_t kinds = 1 + nonet_random_below(&random, round % 4 == 0 ? 1 : 400);
        for (int i = 0; i < COUNT; i++) {
            key += 1 + (uint32_t)nonet_random_below(&random, 3000);
            for (int k = 0; k < KEY; k++)
                keys[i * KEY + k] = (unsigned char)(key >> 8 * (KEY - 1 - k));
            bool plain = round % 3 > 0 && nonet_random_below(&random, 100) > 0;
            codes[i] = (uint16_t)(plain ? 0 : 10 * nonet_random_below(&random, kinds));
        }
        bool listed = round % 2 == 0;
        memcpy(leaves, codes, sizeof codes);
        nonet_codec_init(&codec, listed ? KEY : 0);
        nonet_codec_init(&read, listed ? KEY : 0);
        assert_true(table_preface(&codec, &model, listed ? keys : NULL, leaves, COUNT, BLOCK));
        size_t size = nonet_codec_write(&codec, preface);
        assert_true(size <= sizeof preface);
        assert_true(nonet_codec_read(&read, preface, size));
        for (size_t from = 0; from < COUNT; from += BLOCK) {
            size_t count = COUNT - from < BLOCK ? COUNT - from : BLOCK;
            size = nonet_codec_pack(&codec, &model, NONET_LEARN_NOTHING, keys + from * KEY,
                                    leaves + from, count, packed, nonet_codec_room(&codec, count));
            assert_true(size <= sizeof packed);
            memcpy(back_keys, keys + from * KEY, KEY);
            nonet_codec_unpack(&read, &model, packed, size, back_keys, back, count);
            assert_memory_equal(back, codes + from, count * sizeof codes[0]);
            if (listed)
                assert_memory_equal(back_keys, keys + from * KEY, count * KEY);
        }
    }
}

/* Every position, however it is turned, has the value that the plain solver found. */
static void check_table(const char *variant, size_t positions) {
    struct nonet_options options = options_of(variant);
    const struct nonet_game *game = options.game;
    struct plain_solution solution;
    plain_solve(&options, &solution);
    CHECK(positions == 0 || solution.count == positions, "%zu positions", solution.count);
    write_table(&options, &solution);
    struct memory memory = read_file();
    struct nonet_message message;
    struct nonet_table *table = nonet_table_open(&options, fetch, &memory, memory.size, &message);
    assert_non_null(table);
    int symmetries = game->symmetries != NULL ? game->symmetries(&options) : 1;
    for (size_t i = 0; i < solution.count; i++) {
        struct nonet_state state, turned;
        memcpy(&state, solution.states + i * game->state_size, game->state_size);
        turned = state;
        if (symmetries > 1)
            game->turn_state(&options, (int)(i % (size_t)symmetries), &state, &turned);
        struct nonet_value value;
        assert_true(nonet_table_probe(table, &turned, &value, &message));
        const struct nonet_value *wanted = &solution.values[i];
        assert_int_equal(value.outcome, wanted->outcome);
        assert_int_equal(value.has_margin, wanted->has_margin);
        assert_int_equal(value.margin, wanted->margin);
        assert_int_equal(value.distance, wanted->distance);
    }
    nonet_table_close(table);
    char reason[512];
    struct verify_report report;
    CHECK(verified(&report, reason, sizeof reason), "%s", reason);
    assert_int_equal(report.positions, solution.count);
    assert_int_equal(report.of[0].wins + report.of[0].draws + report.of[0].losses, solution.count);
    assert_string_equal(report.game, variant_name(&options));
    /* Writing it again gives the same bytes. */
    write_table(&options, &solution);
    struct memory again = read_file();
    assert_int_equal(again.size, memory.size);
    assert_memory_equal(again.bytes, memory.bytes, memory.size);
    free(again.bytes);
    free(memory.bytes);
    plain_free(&solution);
}

static void tables_hold_what_was_written(void **unused) {
    (void)unused;
    check_table("template:row=9", 0);
    check_table("ksar:frame=3x4", 0);
    check_table("ksar:frame=4x4", 0);
    check_table("trix", 160266);
}

/* A small table, its file in memory, and what a position in it is worth. */
struct sample {
    struct nonet_options options;
    struct plain_solution solution;
    struct memory memory;
};

static void make_sample(struct sample *sample) {
    sample->options = options_of("template:row=9");
    plain_solve(&sample->options, &sample->solution);
    write_table(&sample->options, &sample->solution);
    sample->memory = read_file();
}

static void free_sample(struct sample *sample) {
    free(sample->memory.bytes);
    plain_free(&sample->solution);
}

/* Whether the bytes are refused, when opened or when probed everywhere. */
static bool refused(const struct sample *sample, struct memory *memory, char *reason, size_t size) {
    struct nonet_message why;
    struct nonet_table *table =
        nonet_table_open(&sample->options, fetch, memory, memory->size, &why);
    bool good = table != NULL;
    size_t state_size = sample->options.game->state_size;
    for (size_t i = 0; good && i < sample->solution.count; i++) {
        struct nonet_state state;
        struct nonet_value value;
        memcpy(&state, sample->solution.states + i * state_size, state_size);
        good = nonet_table_probe(table, &state, &value, &why);
    }
    nonet_table_close(table);
    struct nonet_text text = nonet_text_in(reason, size);
    if (!good)
        nonet_message_write(&why, NULL, &text);
    return !good;
}

static void damage_is_refused(void **unused) {
    (void)unused;
    struct sample sample;
    make_sample(&sample);
    struct memory *memory = &sample.memory;
    char reason[256];
    assert_false(refused(&sample, memory, reason, sizeof reason));
    for (size_t at = 0; at < memory->size; at++) {
        int bit = 1 << at % 8;
        memory->bytes[at] ^= (unsigned char)bit;
        CHECK(refused(&sample, memory, reason, sizeof reason), "bit %d of byte %zu", bit, at);
        memory->bytes[at] ^= (unsigned char)bit;
    }
    size_t whole = memory->size;
    for (memory->size = 0; memory->size < whole; memory->size++)
        CHECK(refused(&sample, memory, reason, sizeof reason), "%zu bytes", memory->size);
    memory->bytes[memory->size++] = 0;
    assert_true(refused(&sample, memory, reason, sizeof reason));
    assert_string_equal(reason, "the table is damaged: its size is not what its header says");
    free_sample(&sample);
}

static void strangers_are_refused(void **unused) {
    (void)unused;
    struct sample sample;
    make_sample(&sample);
    char reason[256];
    sample.memory.bytes[8] = 1;
    assert_true(refused(&sample, &sample.memory, reason, sizeof reason));
    assert_string_equal(reason, "the table has format version 1, and this program reads version 2");
    sample.memory.bytes[8] = 2;
    sample.options = options_of("template:row=7");
    assert_true(refused(&sample, &sample.memory, reason, sizeof reason));
    assert_string_equal(reason, "the table is for template:row=9, not for template:row=7");
    memset(sample.memory.bytes, 'x', 100);
    assert_true(refused(&sample, &sample.memory, reason, sizeof reason));
    assert_string_equal(reason, "this is not a table of exact values");
    free_sample(&sample);
}

/* The greatest of all symmetric states by its bytes, while nonet_canonical takes the least. */
static void greatest(const struct nonet_options *options, const void *state, void *canonical) {
    const struct nonet_game *game = options->game;
    struct nonet_state turned;
    memcpy(canonical, state, game->state_size);
    for (int i = 1; i < game->symmetries(options); i++) {
        game->turn_state(options, i, state, &turned);
        if (memcmp(&turned, canonical, game->state_size) > 0)
            memcpy(canonical, &turned, game->state_size);
    }
}

/* A program that writes positions in another way does not read the old tables. */
static void other_forms_are_refused(void **unused) {
    (void)unused;
    struct sample sample;
    char reason[256];
    sample.options = options_of("ksar:frame=3x4");
    struct nonet_game changed = *sample.options.game;
    sample.options.game = &changed;
    changed.canonical = NULL;
    plain_solve(&sample.options, &sample.solution);
    write_table(&sample.options, &sample.solution);
    sample.memory = read_file();
    changed.canonical = greatest;
    assert_true(refused(&sample, &sample.memory, reason, sizeof reason));
    assert_string_equal(reason, "the table is from an older or newer program, which wrote or "
                                "numbered positions in another way");
    changed.canonical = NULL;
    assert_false(refused(&sample, &sample.memory, reason, sizeof reason));
    free_sample(&sample);
}

/* The table of a game serves it with the swap rule: at every position of that game it says what a
 * plain solver of that game finds, which knows nothing of tables. */
static void check_swap(const char *name, int after) {
    struct sample sample = {.options = options_of(name)};
    plain_solve(&sample.options, &sample.solution);
    write_table(&sample.options, &sample.solution);
    sample.memory = read_file();
    struct nonet_game game = *sample.options.game;
    struct nonet_swapped swapped;
    struct nonet_options with = sample.options;
    struct nonet_message why;
    assert_true(nonet_options_set(&with, "swap=yes", &why));
    game.swap_after = (uint8_t)after;
    nonet_swap_make(&swapped, &game);
    with.game = &swapped.game;
    struct nonet_table *table =
        nonet_table_open(&with, fetch, &sample.memory, sample.memory.size, &why);
    assert_non_null(table);
    struct plain_solution solution;
    plain_solve(&with, &solution);
    for (size_t i = 0; i < solution.count; i++) {
        struct nonet_state state;
        struct nonet_value value;
        memcpy(&state, solution.states + i * with.game->state_size, with.game->state_size);
        CHECK(nonet_table_probe(table, &state, &value, &why) &&
                  nonet_value_compare(&value, &solution.values[i]) == 0,
              "%s: position %zu", name, i);
    }
    plain_free(&solution);
    nonet_table_close(table);
    free_sample(&sample);
}

static void a_table_serves_with_the_swap_rule(void **unused) {
    (void)unused;
    check_swap("template:row=9", 1);
    check_swap("template:row=9", 3);
    check_swap("ksar:frame=3x4", 1);
}

/* Corrects all checksums, as far as the sizes in header and index still make sense. */
static void forge_checksums(struct memory *memory) {
    unsigned char *bytes = memory->bytes;
    size_t name = (size_t)(bytes[18] | bytes[19] << 8);
    uint64_t index = nonet_load32(bytes + 24) | (uint64_t)nonet_load32(bytes + 28) << 32;
    if (NONET_TABLE_HEADER + name > memory->size || index > memory->size)
        return;
    uint64_t at = NONET_TABLE_HEADER + name;
    size_t entry = (size_t)index;
    /* One chapter of listed states: its preface, then its blocks. */
    for (size_t stride = NONET_TABLE_PART; entry + NONET_TABLE_PART <= memory->size;
         entry += stride, stride = NONET_TABLE_PART + 6u) {
        uint32_t size = nonet_load32(bytes + entry);
        if (at + size > memory->size)
            break;
        nonet_store32(bytes + entry + 4, nonet_table_checksum(0, bytes + at, size));
        at += size;
    }
    nonet_store32(bytes + 20, nonet_table_checksum(0, bytes + index, memory->size - (size_t)index));
    uint32_t checksum = nonet_table_checksum(0, bytes, NONET_TABLE_HEADER - 4);
    nonet_store32(bytes + NONET_TABLE_HEADER - 4,
                  nonet_table_checksum(checksum, bytes + NONET_TABLE_HEADER, name));
}

/* Whatever the bytes are, with correct checksums, nothing is read or written out of bounds. */
static void hostile_files_do_no_harm(void **unused) {
    (void)unused;
    struct sample sample;
    make_sample(&sample);
    struct nonet_random random = {2};
    struct memory copy = {malloc(sample.memory.size), sample.memory.size};
    assert_non_null(copy.bytes);
    int wrong = 0, verifications = 0;
    for (int round = 0; round < 20000; round++) {
        memcpy(copy.bytes, sample.memory.bytes, copy.size);
        for (uint32_t changes = 1 + nonet_random_below(&random, 4); changes > 0; changes--) {
            /* Header, index and the beginning of the preface are the places that matter most. */
            uint32_t place = nonet_random_below(&random, 3);
            size_t at = (size_t)(place == 0   ? nonet_random_below(&random, 110)
                                 : place == 1 ? copy.size - 1 - nonet_random_below(&random, 40)
                                              : nonet_random_below(&random, (uint32_t)copy.size));
            copy.bytes[at] =
                (unsigned char)(nonet_random_below(&random, 2) == 0
                                    ? nonet_random_below(&random, 256)
                                    : copy.bytes[at] ^ 1u << nonet_random_below(&random, 8));
        }
        if (round % 8 > 0)
            forge_checksums(&copy);
        char reason[512];
        wrong += refused(&sample, &copy, reason, sizeof reason);
        if (round % 100 == 0) {
            struct verify_report report;
            write_file(&copy);
            verified(&report, reason, sizeof reason);
            verifications++;
        }
    }
    CHECK(wrong > 1000 && verifications == 200, "%d refused", wrong);
    free(copy.bytes);
    free_sample(&sample);
}

/* Lies about a position, or leaves it out. Only for every seventh one, as each table is synced to
 * disk. */
static void verify_finds_what_is_wrong(void **unused) {
    (void)unused;
    struct sample sample;
    make_sample(&sample);
    struct plain_solution *solution = &sample.solution;
    size_t size = sample.options.game->state_size;
    struct verify_report report;
    char reason[512];
    for (size_t i = 0; i < solution->count; i += 7) {
        struct nonet_value right = solution->values[i];
        const struct nonet_value lies[] = {
            {.outcome = right.outcome, .distance = (int16_t)(right.distance + 2)},
            {.outcome = (uint8_t)(NONET_WIN - right.outcome), .distance = right.distance},
            {.outcome = NONET_DRAW},
        };
        for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
            solution->values[i] = lies[k];
            write_table(&sample.options, solution);
            CHECK(!verified(&report, reason, sizeof reason), "lie %zu of position %zu", k, i);
            assert_non_null(strstr(reason, "expected "));
            assert_non_null(strstr(reason, ", found "));
        }
        solution->values[i] = right;
    }
    struct plain_solution less = {solution->count - 1, malloc(solution->count * size),
                                  malloc(solution->count * sizeof *less.values)};
    for (size_t i = 0; i < solution->count; i += 7) {
        memcpy(less.states, solution->states, i * size);
        memcpy(less.states + i * size, solution->states + (i + 1) * size,
               (solution->count - i - 1) * size);
        memcpy(less.values, solution->values, i * sizeof *less.values);
        memcpy(less.values + i, solution->values + i + 1,
               (solution->count - i - 1) * sizeof *less.values);
        struct nonet_state state;
        memcpy(&state, solution->states + i * size, size);
        write_table(&sample.options, &less);
        /* A finished position has the value that the rules give it, listed or not. */
        bool finished = sample.options.game->turn(&sample.options, &state) == 0;
        CHECK(verified(&report, reason, sizeof reason) == finished, "without position %zu", i);
        assert_true(finished || strstr(reason, "which the table lacks") != NULL ||
                    strcmp(reason, "the first position of the game is not in the table") == 0);
    }
    /* One too many. */
    less.count = solution->count + 1;
    free(less.states);
    less.states = calloc(less.count, size);
    memcpy(less.states, solution->states, solution->count * size);
    memset(less.states + solution->count * size, 0xff, size);
    memcpy(less.values, solution->values, solution->count * sizeof *less.values);
    less.values = realloc(less.values, less.count * sizeof *less.values);
    less.values[solution->count] = solution->values[0];
    write_table(&sample.options, &less);
    assert_false(verified(&report, reason, sizeof reason));
    assert_non_null(strstr(reason, "is not a position that a game can reach"));
    plain_free(&less);
    struct solve_limits limits = {.threads = 1, .memory = 1000};
    struct nonet_text why = NONET_TEXT_IN(reason);
    write_table(&sample.options, solution);
    assert_false(verify_table(path, &limits, &report, &why));
    assert_non_null(strstr(reason, "more than the limit"));
    free_sample(&sample);
}

/* Asks a table in an order that returns to all its blocks, and then without its file: cached blocks
 * are not fetched again. */
static void kept_blocks_stay_right(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("trix");
    size_t size = options.game->state_size;
    struct plain_solution solution;
    plain_solve(&options, &solution);
    write_table(&options, &solution);
    struct memory memory = read_file();
    struct nonet_message message;
    struct nonet_table *table = nonet_table_open(&options, fetch, &memory, memory.size, &message);
    assert_non_null(table);
    struct nonet_random random = {4};
    size_t asked = 0;
    for (int round = 0; round < 100000; round++) {
        /* Half of them next to the one before. */
        asked = round % 2 == 0 ? nonet_random_below(&random, (uint32_t)solution.count)
                               : (asked + 1) % solution.count;
        struct nonet_state state;
        struct nonet_value value;
        memcpy(&state, solution.states + asked * size, size);
        assert_true(nonet_table_probe(table, &state, &value, &message));
        assert_int_equal(value.outcome, solution.values[asked].outcome);
        assert_int_equal(value.distance, solution.values[asked].distance);
    }
    memory.size = 0;
    int answered = 0;
    for (size_t i = 0; i < solution.count; i++) {
        struct nonet_state state;
        struct nonet_value value;
        memcpy(&state, solution.states + i * size, size);
        if (!nonet_table_probe(table, &state, &value, &message))
            continue;
        answered++;
        assert_int_equal(value.outcome, solution.values[i].outcome);
        assert_int_equal(value.distance, solution.values[i].distance);
    }
    CHECK(answered > 100000, "%d", answered);
    nonet_table_close(table);
    free(memory.bytes);
    plain_free(&solution);
}

/* A ranking for the template: the number of a position is its place in the plain solver's list. The
 * upper half, which is the second tier, is left to the list of states. */
static struct plain_solution ranked_solution;
static bool ranked_backward; /* the first tier's numbers, for another numbering */

static size_t test_index_size(const struct nonet_options *options) {
    (void)options;
    return 1;
}
static void test_build_index(const struct nonet_options *options, void *index) {
    (void)options;
    memset(index, 7, 1);
}
static int test_tiers(const struct nonet_options *options) {
    (void)options;
    return 2;
}
static uint64_t test_size(const struct nonet_options *options, const void *index, int tier) {
    (void)options;
    assert_int_equal(*(const unsigned char *)index, 7);
    return tier == 0 ? 10 : ranked_solution.count / 2 - 10;
}
static int test_rank(const struct nonet_options *options, const void *index, const void *state,
                     uint64_t *number) {
    (void)index;
    struct nonet_state canonical;
    nonet_canonical(options, state, &canonical);
    size_t place = plain_find(options, &ranked_solution, &canonical);
    *number = place >= 10 ? place - 10 : ranked_backward ? 9 - place : place;
    return place >= ranked_solution.count / 2 ? -1 : place >= 10;
}
static void test_unrank(const struct nonet_options *options, const void *index, int tier,
                        uint64_t number, void *state) {
    (void)index;
    size_t size = options->game->state_size;
    size_t place = tier > 0 ? number + 10 : ranked_backward ? 9 - number : number;
    memcpy(state, ranked_solution.states + place * size, size);
}

static void ranked_tables_hold_what_was_written(void **unused) {
    (void)unused;
    static const struct nonet_ranking ranking = {
        .index_size = test_index_size,
        .build_index = test_build_index,
        .tiers = test_tiers,
        .size = test_size,
        .rank = test_rank,
        .unrank = test_unrank,
    };
    struct nonet_options options = options_of("template:row=9");
    struct nonet_game game = *options.game;
    game.ranking = &ranking;
    options.game = &game;
    plain_solve(&options, &ranked_solution);
    const struct plain_solution *solution = &ranked_solution;
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct table_writer *writer = table_writer_open(path, &options, TABLE_RANKED, &why);
    assert_non_null(writer);
    for (size_t i = 0; i < solution->count; i++)
        assert_true(i < solution->count / 2
                        ? table_writer_next(writer, &solution->values[i])
                        : table_writer_add(writer, solution->states + i * game.state_size,
                                           &solution->values[i]));
    CHECK(table_writer_close(writer, &why), "%s", reason);
    struct memory memory = read_file();
    struct nonet_message message;
    struct nonet_table *table = nonet_table_open(&options, fetch, &memory, memory.size, &message);
    assert_non_null(table);
    struct nonet_table *again = nonet_table_open_again(table, &options);
    assert_non_null(again);
    for (size_t i = 0; i < solution->count; i++) {
        struct nonet_state state;
        struct nonet_value value;
        memcpy(&state, solution->states + i * game.state_size, game.state_size);
        assert_true(nonet_table_probe(i % 3 == 0 ? again : table, &state, &value, &message));
        assert_int_equal(value.outcome, solution->values[i].outcome);
        assert_int_equal(value.distance, solution->values[i].distance);
    }
    nonet_table_close(again);
    nonet_table_close(table);
    /* The same positions under other numbers. */
    ranked_backward = true;
    assert_null(nonet_table_open(&options, fetch, &memory, memory.size, &message));
    assert_ptr_equal(message.phrase, &nonet_table_phrases[NONET_TABLE_OTHER_NUMBERS]);
    ranked_backward = false;
    free(memory.bytes);
    plain_free(&ranked_solution);
}

static bool nothing_left(void) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int files = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        files += entry->d_name[0] != '.';
    closedir(directory);
    return files == 0;
}

static void a_failed_write_leaves_nothing(void **unused) {
    (void)unused;
    struct sample sample;
    make_sample(&sample);
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    /* Two writers at once. */
    struct table_writer *writer = table_writer_open(path, &sample.options, TABLE_KEYED, &why);
    assert_non_null(writer);
    assert_null(table_writer_open(path, &sample.options, TABLE_KEYED, &why));
    assert_non_null(strstr(reason, "is being written by another process"));
    table_writer_abandon(writer);
    /* The file that was there before is still there. Then without such a file. */
    assert_int_equal(unlink(path), 0);
    assert_true(nothing_left());
    /* A directory, and one that does not exist. */
    why = NONET_TEXT_IN(reason);
    assert_null(table_writer_open(folder, &sample.options, TABLE_KEYED, &why));
    assert_non_null(strstr(reason, "is a directory"));
    why = NONET_TEXT_IN(reason);
    assert_null(table_writer_open("/proc/nowhere/a.table", &sample.options, TABLE_KEYED, &why));
    assert_string_equal(reason, "cannot write /proc/nowhere/a.table: No such file or directory");
    /* No room: the file may not grow beyond a few bytes. */
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 300;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    why = NONET_TEXT_IN(reason);
    writer = table_writer_open(path, &sample.options, TABLE_KEYED, &why);
    assert_non_null(writer);
    for (size_t i = 0; i < sample.solution.count; i++)
        table_writer_add(writer, sample.solution.states + i * sample.options.game->state_size,
                         &sample.solution.values[i]);
    bool closed = table_writer_close(writer, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(closed);
    assert_non_null(strstr(reason, "cannot write the table: File too large"));
    assert_true(nothing_left());
    /* States out of order, contradictory values, no positions at all. */
    struct nonet_value value = {.outcome = NONET_WIN, .distance = 5000};
    for (int kind = 0; kind < 3; kind++) {
        why = NONET_TEXT_IN(reason);
        writer = table_writer_open(path, &sample.options, TABLE_KEYED, &why);
        if (kind == 0)
            assert_false(table_writer_add(writer, sample.solution.states, &value));
        for (int i = 0; kind == 1 && i < 2; i++)
            assert_int_equal(
                table_writer_add(writer, sample.solution.states, &sample.solution.values[0]),
                i == 0);
        assert_false(table_writer_close(writer, &why));
        assert_non_null(strstr(reason, kind == 0   ? "too large"
                                       : kind == 1 ? "rising order"
                                                   : "at least one position"));
        assert_true(nothing_left());
    }
    /* Files that a killed process left are removed. */
    char part[80];
    snprintf(part, sizeof part, "%s.part-abc", path);
    FILE *left = fopen(part, "wb");
    assert_non_null(left);
    fputs("half a table", left);
    fclose(left);
    write_table(&sample.options, &sample.solution);
    assert_int_not_equal(access(part, F_OK), 0);
    struct memory memory = read_file();
    assert_false(refused(&sample, &memory, reason, sizeof reason));
    free(memory.bytes);
    free_sample(&sample);
}

/* Somebody has put links where the file will be written: they are not followed. */
static void links_are_not_followed(void **unused) {
    (void)unused;
    struct sample sample;
    char victim[80], link[80], kept[32] = "";
    snprintf(victim, sizeof victim, "%s/victim", folder);
    static const char *const marks[] = {".part", ".part-abc", ".part-"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        FILE *file = fopen(victim, "w+");
        assert_non_null(file);
        fputs("a letter", file);
        fflush(file);
        snprintf(link, sizeof link, "%s%s", path, marks[i]);
        assert_int_equal(symlink(victim, link), 0);
        make_sample(&sample);
        free_sample(&sample);
        rewind(file);
        assert_non_null(fgets(kept, sizeof kept, file));
        assert_string_equal(kept, "a letter");
        fclose(file);
        unlink(link);
        unlink(victim);
    }
}

/* Fails the test if checking a file takes too long for its size. */
static bool verified_soon(char *reason, size_t size) {
    struct verify_report report;
    alarm(60);
    bool good = verified(&report, reason, size);
    alarm(0);
    return good;
}

/* Some kilobytes that unpack to half a million states, nearly all of them the same: every block is
 * a number and then only the greatest bit, as its bytes answer "no" to every question. */
static void few_bytes_keep_nobody_busy(void **unused) {
    (void)unused;
    enum { BLOCKS = 128, PACKED = 64 };
    struct sample sample;
    make_sample(&sample);
    size_t size = sample.options.game->state_size, name = strlen(variant_name(&sample.options));
    struct nonet_table_header header;
    struct nonet_message why;
    assert_true(nonet_table_header_read(&header, sample.memory.bytes, sample.memory.size,
                                        sample.memory.size, &why));
    struct nonet_table_section *listed = &header.section[NONET_TABLE_LISTED];
    listed->count = (uint64_t)BLOCKS * NONET_CODEC_MAX_KEYS;
    listed->block_entries = NONET_CODEC_MAX_KEYS;
    assert_true(nonet_table_section_complete(listed));
    static struct nonet_codec codec;
    static unsigned char bytes[1 << 16];
    nonet_codec_init(&codec, (uint16_t)size);
    codec.symbols = 1;
    codec.code[0] = 0;
    codec.depth[0] = 0;
    memset(codec.varying, 0xff, size);
    assert_true(nonet_codec_complete(&codec));
    unsigned char *preface = bytes + NONET_TABLE_HEADER + name;
    size_t preface_size = nonet_codec_write(&codec, preface);
    unsigned char *blocks = preface + preface_size, *index = blocks + BLOCKS * PACKED, *at = index;
    memset(blocks, 0xff, BLOCKS * PACKED);
    nonet_store32(at, (uint32_t)preface_size);
    nonet_store32(at + 4, nonet_table_checksum(0, preface, preface_size));
    at += NONET_TABLE_PART;
    for (int i = 0; i < BLOCKS; i++, at += NONET_TABLE_PART + size) {
        nonet_store32(at, PACKED);
        nonet_store32(at + 4, nonet_table_checksum(0, blocks, PACKED));
        at[NONET_TABLE_PART + size - 1] = (unsigned char)i;
    }
    header.index_offset = (uint64_t)(index - bytes);
    header.index_size = (uint64_t)(at - index);
    header.index_checksum = nonet_table_checksum(0, index, (size_t)(at - index));
    nonet_table_header_write(&header, bytes);
    struct memory forged = {bytes, (size_t)(at - bytes)};
    CHECK(forged.size < 16384, "%zu bytes", forged.size);
    write_file(&forged);
    char reason[512];
    assert_false(verified_soon(reason, sizeof reason));
    assert_non_null(strstr(reason, "is out of order"));
    free_sample(&sample);
}

static size_t state_bytes;
static int compare_states(const void *a, const void *b) {
    return memcmp(a, b, state_bytes);
}

/* States that all have the same nonet_hash: whatever the first words are, the last one compensates
 * for them. The constants are those of that hash, which is not secret. */
static void collisions_keep_nobody_busy(void **unused) {
    (void)unused;
    enum { COUNT = 300000 };
    struct nonet_options options = options_of("kudosu");
    state_bytes = options.game->state_size;
    assert_true(state_bytes >= 16 && state_bytes % 8 == 0);
    unsigned char *states = malloc(COUNT * state_bytes);
    assert_non_null(states);
    struct nonet_random random = {5};
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t word = 0, hash = 0x243f6a8885a308d3u ^ state_bytes;
        for (size_t at = 0; at < state_bytes; at += 8) {
            word = at + 8 < state_bytes ? nonet_random_next(&random) : hash;
            memcpy(states + i * state_bytes + at, &(uint64_t){nonet_little_endian64(word)}, 8);
            hash = (hash ^ word) * 0x9fb21c651e98df25u;
            hash ^= hash >> 32;
        }
        assert_int_equal(nonet_hash(states + i * state_bytes, state_bytes),
                         nonet_hash(states, state_bytes));
    }
    qsort(states, COUNT, state_bytes, compare_states);
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct table_writer *writer = table_writer_open(path, &options, TABLE_KEYED, &why);
    assert_non_null(writer);
    struct nonet_value value = {.outcome = NONET_DRAW,
                                .has_margin = options.game->facts & NONET_POINTS};
    for (size_t i = 0; i < COUNT; i++)
        assert_true(table_writer_add(writer, states + i * state_bytes, &value));
    CHECK(table_writer_close(writer, &why), "%s", reason);
    free(states);
    assert_false(verified_soon(reason, sizeof reason));
    assert_string_equal(reason, "the first position of the game is not in the table");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_codes),
        cmocka_unit_test(a_table_serves_with_the_swap_rule),
        cmocka_unit_test(blocks_unpack_to_what_was_packed),
        cmocka_unit_test(tables_hold_what_was_written),
        cmocka_unit_test(ranked_tables_hold_what_was_written),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(strangers_are_refused),
        cmocka_unit_test(other_forms_are_refused),
        cmocka_unit_test(kept_blocks_stay_right),
        cmocka_unit_test(hostile_files_do_no_harm),
        cmocka_unit_test(verify_finds_what_is_wrong),
        cmocka_unit_test(a_failed_write_leaves_nothing),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(few_bytes_keep_nobody_busy),
        cmocka_unit_test(collisions_keep_nobody_busy),
    };
    return cmocka_run_group_tests_name("table", tests, make_folder, remove_folder);
}
