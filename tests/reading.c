/* Reading positions, against tables that list every position that play can reach. Each of them, and
 * each of its symmetric images, is read as it was written. Of similar texts that are not positions,
 * `read` accepts none. In Kolem this holds for the opening, which its table lists. Later positions
 * are numbered: those of random numbers are read as they were written, and the table must have a
 * value for each that is accepted.
 *
 *     test-reading KOLEM-TABLE           all positions, many damaged texts
 *     test-reading KOLEM-TABLE short     the smallest games and fewer texts, as under sanitizers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/table_store.h"
#include "rules/ranking.h"
#include "solve/listed.h"
#include "variants.h"

static const char *kolem_table;
static bool is_short;

static const char smallest[] = "trix";

/* ---- Lists of positions ---- */

struct list {
    struct nonet_options options;
    struct table_file file;
    size_t count;
    unsigned char *states; /* canonical ones, in rising order */
};

static void open_list(struct list *list, const struct nonet_options *options, const char *path) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_message message;
    list->options = *options;
    CHECK(table_file_open(path, options, &list->file, &why) == TABLE_FOUND, "%s", reason);
    struct nonet_table_facts facts = nonet_table_facts(list->file.table);
    size_t size = options->game->state_size;
    list->count = 0;
    list->states = malloc((size_t)facts.listed * size);
    assert_non_null(list->states);
    for (uint32_t block = 0; list->count < facts.listed; block++) {
        const unsigned char *states;
        const uint16_t *codes;
        size_t count;
        assert_true(
            nonet_table_block(list->file.table, true, block, &states, &codes, &count, &message));
        memcpy(list->states + list->count * size, states, count * size);
        list->count += count;
    }
}

static void close_list(struct list *list) {
    table_file_close(&list->file);
    free(list->states);
}

static void solve_list(struct list *list, const struct nonet_options *options) {
    char path[] = "/tmp/nonet-reading-XXXXXX", reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct solve_limits limits = {.threads = 2, .memory = 1 << 30};
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    CHECK(solve_listed(options, &limits, path, NULL, &why), "%s", reason);
    open_list(list, options, path);
    unlink(path);
}

/* Whether play can reach the state; finished ones are listed, too. */
static bool is_listed(struct list *list, const void *state) {
    size_t size = list->options.game->state_size, low = 0, high = list->count;
    struct nonet_state canonical;
    nonet_canonical(&list->options, state, &canonical);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = memcmp(list->states + middle * size, &canonical, size);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* ---- Texts ---- */

static void write_state(const struct nonet_options *options, const void *state, char *line) {
    struct nonet_text text = nonet_text_in(line, NONET_POSITION_TEXT);
    options->game->write(options, state, &text);
}

static bool read_state(const struct nonet_options *options, const char *line, void *state,
                       struct nonet_message *why) {
    memset(state, 0xa5, sizeof(struct nonet_state));
    return options->game->read(options, line, state, NULL, why);
}

static void check_round_trip(const struct nonet_options *options, const void *state) {
    char line[NONET_POSITION_TEXT];
    struct nonet_state read;
    struct nonet_message why;
    write_state(options, state, line);
    CHECK(read_state(options, line, &read, &why), "%s: \"%s\" is refused: %s",
          variant_name(options), line, why.phrase->english);
    CHECK(memcmp(&read, state, options->game->state_size) == 0, "%s: \"%s\" is read differently",
          variant_name(options), line);
}

/* Every position as it is listed; one in eight also turned in one way, since some games have
 * thousands of symmetries. Long lists are sampled. */
static void check_read_back(const struct list *list) {
    const struct nonet_options *options = &list->options;
    size_t size = options->game->state_size, most = is_short ? 10000 : 700000;
    size_t stride = list->count / most + 1;
    uint32_t symmetries = (uint32_t)options->game->symmetries(options);
    struct nonet_random random = {3};
    for (size_t i = 0; i < list->count; i += stride) {
        const unsigned char *state = list->states + i * size;
        struct nonet_state image;
        check_round_trip(options, state);
        if (i / stride % 8 != 0)
            continue;
        options->game->turn_state(options, (int)nonet_random_below(&random, symmetries), state,
                                  &image);
        check_round_trip(options, &image);
    }
}

static void random_line(const struct list *list, struct nonet_random *random, char *line) {
    const struct nonet_options *options = &list->options;
    size_t i = nonet_random_below(random, (uint32_t)list->count);
    struct nonet_state image;
    int symmetries = options->game->symmetries(options);
    options->game->turn_state(options, (int)nonet_random_below(random, (uint32_t)symmetries),
                              list->states + i * options->game->state_size, &image);
    write_state(options, &image, line);
}

/* Some characters change places, or are replaced by characters of another position's text; or the
 * text continues as another one. */
static void spoil(const struct list *list, struct nonet_random *random, char *line) {
    char other[NONET_POSITION_TEXT];
    random_line(list, random, other);
    uint32_t length = (uint32_t)strlen(line), others = (uint32_t)strlen(other);
    uint32_t way = nonet_random_below(random, 8);
    if (way == 0 && length == others) {
        uint32_t from = nonet_random_below(random, length);
        memcpy(line + from, other + from, length - from);
    }
    for (uint32_t times = nonet_random_below(random, 12); times > 0; times--) {
        uint32_t i = nonet_random_below(random, length), j = nonet_random_below(random, length);
        char letter = line[i];
        if (way == 1) {
            line[i] = other[nonet_random_below(random, others)];
        } else if (letter != '/' && letter != ' ' && line[j] != '/' && line[j] != ' ') {
            line[i] = line[j];
            line[j] = letter;
        }
    }
}

/* Damaged texts: those that are accepted must be positions that the list or table has. */
static void check_spoilt(struct list *list, bool (*has)(struct list *list, const void *state),
                         int tries) {
    const struct nonet_options *options = &list->options;
    struct nonet_random random = {7};
    int accepted = 0;
    for (int i = 0; i < tries; i++) {
        char line[NONET_POSITION_TEXT];
        struct nonet_state state;
        struct nonet_message why = {0};
        random_line(list, &random, line);
        spoil(list, &random, line);
        if (!read_state(options, line, &state, &why)) {
            assert_non_null(why.phrase);
            continue;
        }
        accepted++;
        CHECK(has(list, &state), "%s: no game leads to \"%s\", but it is read",
              variant_name(options), line);
    }
    CHECK(accepted > tries / 10, "%s: only %d of %d texts are read", variant_name(options),
          accepted, tries);
}

static void test_listed_games(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        int count = variants_of(nonet_games[g], 1, variants);
        for (int i = 0; i < count; i++) {
            if (!solve_listed_applies(&variants[i]) ||
                (is_short && strcmp(nonet_games[g]->id, smallest) != 0))
                continue;
            struct list list;
            solve_list(&list, &variants[i]);
            check_read_back(&list);
            check_spoilt(&list, is_listed, is_short ? 20000 : 100000);
            close_list(&list);
        }
    }
}

/* Kolem's table lists positions of the opening and numbers the others; it has no finished ones. */
static bool has_value(struct list *list, const void *state) {
    struct nonet_message why;
    struct nonet_value value;
    return nonet_table_probe(list->file.table, state, &value, &why);
}

/* Positions of random numbers, as they are and turned in one way. */
static void check_numbered(const struct nonet_options *options, int tries) {
    const struct nonet_ranking *ranking = options->game->ranking;
    void *index = malloc(ranking->index_size(options));
    assert_non_null(index);
    ranking->build_index(options, index);
    uint32_t tiers = (uint32_t)ranking->tiers(options);
    uint32_t symmetries = (uint32_t)options->game->symmetries(options);
    struct nonet_random random = {11};
    for (int i = 0; i < tries; i++) {
        int tier = (int)nonet_random_below(&random, tiers);
        uint64_t number = nonet_random_next(&random) % ranking->size(options, index, tier);
        struct nonet_state state, image;
        ranking->unrank(options, index, tier, number, &state);
        check_round_trip(options, &state);
        options->game->turn_state(options, (int)nonet_random_below(&random, symmetries), &state,
                                  &image);
        check_round_trip(options, &image);
    }
    free(index);
}

static void test_kolem(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("kolem");
    struct list list;
    open_list(&list, &options, kolem_table);
    check_read_back(&list);
    check_numbered(&options, is_short ? 500 : 10000);
    check_spoilt(&list, has_value, is_short ? 20000 : 100000);
    close_list(&list);
}

int main(int count, char **arguments) {
    assert_true(count >= 2);
    kolem_table = arguments[1];
    is_short = count > 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed_games),
        cmocka_unit_test(test_kolem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
