/* Texts, messages, JSON, options and digests. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/power.h"
#include "base/random.h"
#include "base/siphash.h"
#include "check.h"
#include "rules/game.h"
#include "sha256.h"
#include "variants.h"

static void texts_are_cut_not_overrun(void **unused) {
    (void)unused;
    char bytes[8] = "xxxxxxx";
    struct nonet_text text = nonet_text_in(bytes, 6);
    nonet_text_add(&text, "abc");
    assert_false(text.cut);
    nonet_text_format(&text, "%d", 12345);
    assert_true(text.cut);
    assert_string_equal(bytes, "abc12");
    nonet_text_char(&text, 'z');
    nonet_text_add(&text, "more");
    assert_string_equal(bytes, "abc12");
    assert_int_equal(bytes[6], 'x');
}

static void numbers_have_no_sign_and_no_leading_zero(void **unused) {
    (void)unused;
    const struct {
        const char *text;
        bool accepted;
        uint32_t value;
    } cases[] = {{"0", true, 0},    {"7,", true, 7},  {"320", true, 320},
                 {"321", false, 0}, {"00", false, 0}, {"01", false, 0},
                 {"-1", false, 0},  {"+1", false, 0}, {" 1", false, 0},
                 {"", false, 0},    {"x", false, 0},  {"99999999999999999999999", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *cursor = cases[i].text;
        uint32_t value = 0;
        CHECK(nonet_scan_number(&cursor, 320, &value) == cases[i].accepted, "\"%s\"",
              cases[i].text);
        if (cases[i].accepted)
            assert_int_equal(value, cases[i].value);
        else
            assert_ptr_equal(cursor, cases[i].text);
    }
}

static void messages_are_worded(void **unused) {
    (void)unused;
    static const struct nonet_phrase noun = {"test.noun", "the {0} noun"};
    static const struct nonet_phrase phrase = {"test.phrase", "{1} of {0}, {2} {x} {9} {"};
    struct nonet_message message =
        nonet_say(&phrase, nonet_number(-3), nonet_quote("c4\n\x1b[0m"), nonet_word(&noun));
    char words[128];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(&message, NULL, &text);
    assert_string_equal(words, "c4??[0m of -3, the {0} noun {x} {9} {");
}

/* A language that knows one phrase, which is its context. */
static const char *one_phrase(const void *context, const struct nonet_phrase *phrase) {
    const struct nonet_phrase *known = context;
    return strcmp(phrase->key, known->key) == 0 ? known->english : NULL;
}

static void catalogues_replace_what_they_have(void **unused) {
    (void)unused;
    struct nonet_message known = nonet_say(&nonet_common[NONET_SAY_OCCUPIED], nonet_quote("a1"));
    struct nonet_message unknown = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    const struct nonet_phrase besetzt = {"common.occupied", "besetzt: {0}"};
    const struct nonet_phrase pris = {"common.occupied", "pris : {0}"};
    const struct nonet_catalogue german = {one_phrase, &besetzt}, french = {one_phrase, &pris};
    char words[64];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(&known, &german, &text);
    nonet_text_add(&text, "; ");
    nonet_message_write(&known, &french, &text);
    nonet_text_add(&text, "; ");
    nonet_message_write(&unknown, &german, &text);
    assert_string_equal(words, "besetzt: a1; pris : a1; the game is over");
}

/* As the C library writes them, from 0 to the limits of 64 bits, and cut where there is no room. */
static void numbers_are_written(void **unused) {
    (void)unused;
    struct nonet_random random = {.state = 7};
    for (int i = 0; i < 20000; i++) {
        int64_t number = (int64_t)(nonet_random_next(&random) >> (i % 64));
        if (i < 4)
            number = (const int64_t[]){0, -1, INT64_MAX, INT64_MIN}[i];
        char bytes[32], wanted[32];
        struct nonet_text text = nonet_text_in(bytes, i % 5 == 4 ? 5 : sizeof bytes);
        snprintf(wanted, text.size, "%" PRId64, number);
        nonet_text_number(&text, number);
        assert_string_equal(bytes, wanted);
        assert_int_equal(text.cut, snprintf(NULL, 0, "%" PRId64, number) >= (int)text.size);
    }
}

static void json_is_escaped(void **unused) {
    (void)unused;
    char bytes[128];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_name(&json, "a\"b");
    nonet_json_open(&json, '[');
    nonet_json_number(&json, -5);
    nonet_json_bool(&json, true);
    nonet_json_null(&json);
    nonet_json_close(&json, ']');
    nonet_json_name(&json, "c");
    nonet_json_string(&json, "x\\\n");
    nonet_json_close(&json, '}');
    assert_string_equal(bytes, "{\"a\\\"b\":[-5,true,null],\"c\":\"x\\\\\\u000a\"}");
}

/* The published test vector: SplitMix64 seeded with 1234567 (Rosetta Code and the reference in C
 * agree). */
static void random_numbers_never_change(void **unused) {
    (void)unused;
    struct nonet_random random = {1234567};
    const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                 4593380528125082431u, 16408922859458223821u};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(nonet_random_next(&random) == expected[i]);
}

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

/* Whatever the order of bytes in this machine's own numbers. */
static void the_lowest_byte_is_the_first(void **unused) {
    (void)unused;
    const struct {
        uint64_t eight;
        uint32_t four;
        uint16_t two[2];
    } NONET_LITTLE_ENDIAN stored = {0x0807060504030201u, 0x0c0b0a09u, {0x0e0d, 0x100f}};
    const unsigned char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    assert_int_equal(sizeof stored, sizeof bytes);
    assert_memory_equal(&stored, bytes, sizeof bytes);
    const uint64_t words[2] = {0x0807060504030201u, 0x100f0e0d0c0b0a09u};
    uint64_t first = mixed(0x243f6a8885a308d3u ^ 16, words[0]);
    assert_true(nonet_hash(bytes, 16) == mixed(mixed(first, words[1]), 0));
    assert_true(nonet_hash_words(words, 16) == nonet_hash(bytes, 16));
    first = mixed(0x243f6a8885a308d3u ^ 11, words[0]);
    assert_true(nonet_hash(bytes, 11) == mixed(mixed(first, 0x0b0a09), 0));
}

/* From the paper and the authors' test vectors: the key 00 01 … 0f, the input 00 01 … of each
 * length. */
static void keyed_hashes_follow_the_paper(void **unused) {
    (void)unused;
    const struct nonet_siphash_key key = {{0x0706050403020100u, 0x0f0e0d0c0b0a0908u}};
    unsigned char bytes[16];
    for (int i = 0; i < 16; i++)
        bytes[i] = (unsigned char)i;
    assert_true(nonet_siphash(&key, bytes, 0) == 0x726fdb47dd0e0e31u);
    assert_true(nonet_siphash(&key, bytes, 1) == 0x74f839c593dc67fdu);
    assert_true(nonet_siphash(&key, bytes, 8) == 0x93f5f5799a932462u);
    assert_true(nonet_siphash(&key, bytes, 15) == 0xa129ca6149be45e5u);
}

static void digests_follow_the_standard(void **unused) {
    (void)unused;
    char hex[65];
    sha256_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    sha256_hex(two_blocks, strlen(two_blocks), hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void cells_are_named_exactly(void **unused) {
    (void)unused;
    const char *good = "p16";
    assert_int_equal(nonet_cell_scan(&good, 16, 16), 255);
    const char *const bad[] = {"", "a", "a0", "a01", "q1", "a17", "A1", "1a", "a+1", "a-1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *cursor = bad[i];
        CHECK(nonet_cell_scan(&cursor, 16, 16) == -1, "\"%s\"", bad[i]);
    }
}

static void options_are_refused_with_the_good_values(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("template");
    const struct {
        const char *assignment, *reason;
    } bad[] = {{"row=8", "option row cannot be \"8\"; it is one of 7|5|9"},
               {"row=", "option row cannot be \"\"; it is one of 7|5|9"},
               {"row", "\"row\" sets no option; write it as key=value"},
               {"size=3", "Gaps has no option \"size\"; it has row, swap"},
               {"=", "Gaps has no option \"\"; it has row, swap"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct nonet_message why;
        assert_false(nonet_options_set(&options, bad[i].assignment, &why));
        char words[256];
        struct nonet_text text = NONET_TEXT_IN(words);
        nonet_message_write(&why, NULL, &text);
        assert_string_equal(words, bad[i].reason);
    }
    struct nonet_message why;
    assert_true(nonet_options_set(&options, "row=9", &why));
    char name[64];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(&options, &text);
    assert_string_equal(name, "template:row=9");
}

/* Powers in whole numbers against those of the mathematical library. */
static void powers_are_close(void **unused) {
    (void)unused;
    for (int x = 0; x >= -6000; x--) {
        double exact = 65536 * exp2(x / 256.0), off = fabs(nonet_power(x) - exact);
        CHECK(off <= 1 + 0.003 * exact, "%d: %" PRIu32 " instead of %.1f", x, nonet_power(x),
              exact);
        CHECK(nonet_power(x) >= nonet_power(x - 1), "%d: not falling", x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_cut_not_overrun),
        cmocka_unit_test(numbers_have_no_sign_and_no_leading_zero),
        cmocka_unit_test(messages_are_worded),
        cmocka_unit_test(catalogues_replace_what_they_have),
        cmocka_unit_test(numbers_are_written),
        cmocka_unit_test(json_is_escaped),
        cmocka_unit_test(random_numbers_never_change),
        cmocka_unit_test(the_lowest_byte_is_the_first),
        cmocka_unit_test(keyed_hashes_follow_the_paper),
        cmocka_unit_test(powers_are_close),
        cmocka_unit_test(digests_follow_the_standard),
        cmocka_unit_test(cells_are_named_exactly),
        cmocka_unit_test(options_are_refused_with_the_good_values),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
