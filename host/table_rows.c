#include "table_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "rules/ranking.h"
#include "table/codec.h"

/* From so many positions on, numbers are found with the large index, which takes seconds to build.
 */
static const uint64_t worth_large_index = 200000;

struct table_rows {
    const struct nonet_options *options;
    struct nonet_table *table;
    struct nonet_table_facts facts;
    bool has_margin;
    /* Of the ranked entries. */
    struct nonet_table_numbering numbering;
    void *large; /* the large index, if it is used instead of the table's own */
    int tier;    /* of the current entry */
    /* Entries are numbered: the ranked ones, then the listed ones. */
    uint64_t at, count;
    uint64_t *sample; /* which of them, rising; null: all */
    bool drawn;       /* the sample is complete */
};

/* ---- Entries ---- */

static const void *index_of(const struct table_rows *rows) {
    return rows->large != NULL ? rows->large : rows->numbering.index;
}

/* The position of a ranked entry. False if it has another number, which is the one that is used; in
 * a sample that has been drawn, there are no such entries. Quick if entries rise. */
static bool find_ranked(struct table_rows *rows, uint64_t entry, struct nonet_state *state) {
    const struct nonet_ranking *ranking = rows->options->game->ranking;
    const uint64_t *start = rows->numbering.tier_start;
    if (start[rows->tier] > entry)
        rows->tier = 0;
    while (start[rows->tier + 1] <= entry)
        rows->tier++;
    uint64_t number = entry - start[rows->tier], used;
    ranking->unrank(rows->options, index_of(rows), rows->tier, number, state);
    return rows->drawn ||
           (ranking->rank(rows->options, index_of(rows), state, &used) == rows->tier &&
            used == number);
}

static bool build_large_index(struct table_rows *rows, struct nonet_text *why) {
    const struct nonet_ranking *ranking = rows->options->game->ranking;
    int tiers = ranking->tiers(rows->options);
    rows->large = malloc(ranking->large_index_size(rows->options, tiers));
    if (rows->large == NULL) {
        nonet_text_add(why, "there is no memory left");
        return false;
    }
    ranking->build_large_index(rows->options, tiers, rows->large);
    return true;
}

/* ---- Samples ---- */

/* The numbers below `count` in a random order: the place of each is found without the others, by a
 * Feistel network over as many bits as are needed. */
static uint64_t scattered(uint64_t place, uint64_t count, uint64_t seed) {
    enum { ROUNDS = 6 };
    int half = 1;
    while (half < 32 && (uint64_t)1 << 2 * half < count)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t high = place >> half, low = place & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            const uint64_t ticket[] = {seed, round, low};
            uint64_t mixed = high ^ (nonet_hash_words(ticket, sizeof ticket) & mask);
            high = low;
            low = mixed;
        }
        place = high << half | low;
    } while (place >= count);
    return place;
}

static int compare(const void *a, const void *b) {
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static bool draw_sample(struct table_rows *rows, uint64_t sample, uint64_t seed,
                        struct nonet_text *why) {
    uint64_t drawn = 0;
    struct nonet_state state;
    rows->sample = malloc(sample * sizeof *rows->sample);
    if (rows->sample == NULL) {
        nonet_text_add(why, "there is no memory left");
        return false;
    }
    for (uint64_t i = 0; i < rows->count && drawn < sample; i++) {
        uint64_t entry = scattered(i, rows->count, seed);
        if (entry >= rows->facts.ranked || find_ranked(rows, entry, &state))
            rows->sample[drawn++] = entry;
    }
    qsort(rows->sample, drawn, sizeof *rows->sample, compare);
    rows->count = drawn;
    rows->drawn = true;
    return true;
}

/* ---- Rows ---- */

struct table_rows *table_rows_open(const struct nonet_options *options, struct nonet_table *table,
                                   uint64_t sample, uint64_t seed, struct nonet_text *why) {
    struct table_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    rows->options = options;
    rows->table = table;
    rows->facts = nonet_table_facts(table);
    rows->has_margin = (options->game->facts & NONET_POINTS) != 0;
    rows->numbering = nonet_table_numbering(table);
    rows->count = rows->facts.ranked + rows->facts.listed;
    bool large = rows->facts.ranked > 0 && options->game->ranking->large_index_size != NULL &&
                 (sample == 0 || sample > worth_large_index);
    if ((!large || build_large_index(rows, why)) &&
        (sample == 0 || draw_sample(rows, sample, seed, why)))
        return rows;
    table_rows_close(rows);
    return NULL;
}

void table_rows_close(struct table_rows *rows) {
    if (rows == NULL)
        return;
    free(rows->large);
    free(rows->sample);
    free(rows);
}

/* The state and the value codes of an entry, and whether it has a position of its own. False with
 * the reason if the table is damaged. */
static bool read_entry(struct table_rows *rows, uint64_t entry, struct nonet_state *state,
                       bool *used, uint16_t *of_entry, struct nonet_text *why) {
    bool listed = entry >= rows->facts.ranked;
    uint64_t number = listed ? entry - rows->facts.ranked : entry;
    uint32_t entries = listed ? rows->facts.listed_entries : rows->facts.ranked_entries;
    const unsigned char *states;
    const uint16_t *codes;
    size_t count, size = rows->options->game->state_size;
    struct nonet_message message;
    if (!nonet_table_block(rows->table, listed, (uint32_t)(number / entries), &states, &codes,
                           &count, &message)) {
        nonet_message_write(&message, NULL, why);
        return false;
    }
    size_t values = (size_t)rows->facts.values;
    memcpy(of_entry, codes + number % entries * values, values * sizeof *codes);
    *used = listed || find_ranked(rows, entry, state);
    if (listed)
        memcpy(state, states + number % entries * size, size);
    return true;
}

/* Whether a position of the list is one that the game knows. `write` only looks at bits. */
static bool is_known(const struct table_rows *rows, const struct nonet_state *state,
                     const char *text) {
    const struct nonet_options *options = rows->options;
    struct nonet_state again;
    struct nonet_message why;
    return options->game->read(options, text, &again, NULL, &why) &&
           memcmp(&again, state, options->game->state_size) == 0;
}

enum table_rows_status table_rows_next(struct table_rows *rows, struct table_row *row,
                                       struct nonet_text *why) {
    const struct nonet_options *options = rows->options;
    struct nonet_state state;
    uint64_t entry;
    bool used = false;
    uint16_t codes[NONET_MAX_PLAYERS];
    while (!used) {
        if (rows->at == rows->count)
            return TABLE_ROWS_END;
        entry = rows->sample != NULL ? rows->sample[rows->at] : rows->at;
        rows->at++;
        if (!read_entry(rows, entry, &state, &used, codes, why))
            return TABLE_ROWS_FAILED;
    }
    struct nonet_text text = NONET_TEXT_IN(row->text);
    options->game->write(options, &state, &text);
    if (entry >= rows->facts.ranked && !is_known(rows, &state, row->text)) {
        nonet_text_format(why, "entry %llu is not a position of the game",
                          (unsigned long long)entry);
        return TABLE_ROWS_FAILED;
    }
    row->player = options->game->next(options, &state);
    row->value = nonet_value_of_code(codes[0], rows->has_margin);
    row->players = rows->facts.values > 1 ? rows->facts.values : 0;
    for (int i = 0; i < row->players; i++)
        row->values[(row->player - 1 + i) % row->players] =
            nonet_value_of_code(codes[i], rows->has_margin);
    row->orbit = nonet_orbit(options, &state);
    return TABLE_ROWS_NEXT;
}

double table_rows_share(const struct table_rows *rows) {
    return rows->count > 0 ? (double)rows->at / (double)rows->count : 1;
}
