#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "format.h"

struct nonet_table {
    struct nonet_options options;
    struct nonet_table_header header;
    nonet_table_fetch *fetch;
    void *context;
    unsigned char *index;
    uint64_t *offset;      /* where each chapter begins */
    void *ranking_index;   /* null in a keyed table */
    bool borrows;          /* index, offset and ranking_index are another's */
    unsigned char *packed; /* room for a block or a preface */
    unsigned char *states; /* the block unpacked last */
    uint16_t *codes;
    size_t largest;           /* size of a packed part */
    uint32_t chapter, block;  /* unpacked last, or the number of all: none */
    struct nonet_codec codec; /* of that chapter */
    struct nonet_codec_model model;
};

static struct nonet_message say(enum nonet_table_phrase phrase) {
    return nonet_say(&nonet_table_phrases[phrase]);
}

static bool read_header(nonet_table_fetch *fetch, void *context, uint64_t size,
                        struct nonet_table_header *header, struct nonet_message *why) {
    unsigned char bytes[NONET_TABLE_HEADER + NONET_TABLE_NAME_MAX];
    size_t part = size < sizeof bytes ? (size_t)size : sizeof bytes;
    if (!fetch(context, 0, bytes, part)) {
        *why = say(NONET_TABLE_UNREADABLE);
        return false;
    }
    return nonet_table_header_read(header, bytes, part, size, why);
}

bool nonet_table_name(nonet_table_fetch *fetch, void *context, uint64_t size,
                      struct nonet_text *name, struct nonet_message *why) {
    struct nonet_table_header header;
    if (!read_header(fetch, context, size, &header, why))
        return false;
    nonet_text_add(name, header.name);
    return true;
}

/* Whether the header suits the game; its numbers have been found to fit each other. */
static bool suits(const struct nonet_options *options, const struct nonet_table_header *header,
                  struct nonet_message *why) {
    const struct nonet_game *game = options->game;
    char name[NONET_TABLE_NAME_MAX + 1];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(options, &text);
    if (strcmp(name, header->name) != 0) {
        *why = nonet_say(&nonet_table_phrases[NONET_TABLE_OTHER_GAME], nonet_quote(header->name),
                         nonet_quote(name));
        return false;
    }
    *why = say(NONET_TABLE_BAD_HEADER);
    return game->next != NULL && options->players == 2 &&
           header->has_margin == ((game->facts & NONET_POINTS) != 0) &&
           (header->layout == NONET_TABLE_KEYED ? header->state_size == game->state_size
                                                : game->ranking != NULL);
}

/* The index has the sizes and checksums of all prefaces, then those of all blocks, each with its
 * first key. */
static const unsigned char *block_entry(const struct nonet_table *table, uint32_t block) {
    const struct nonet_table_header *h = &table->header;
    return table->index + (size_t)h->chapters * NONET_TABLE_PART +
           (size_t)block * (NONET_TABLE_PART + h->state_size);
}

static void take_size(struct nonet_table *table, uint32_t size, uint64_t *at) {
    *at += size;
    table->largest = size > table->largest ? size : table->largest;
}

/* Adds up the sizes to offsets; false if they do not fill the file exactly or keys do not rise. */
static bool read_index(struct nonet_table *table) {
    const struct nonet_table_header *h = &table->header;
    uint64_t at = NONET_TABLE_HEADER + strlen(h->name);
    for (uint32_t block = 0; block < h->blocks; block++) {
        const unsigned char *entry = block_entry(table, block);
        if (block % h->chapter_blocks == 0) {
            uint32_t chapter = block / h->chapter_blocks;
            uint32_t size = nonet_load32(table->index + (size_t)chapter * NONET_TABLE_PART);
            if (size > NONET_CODEC_PREFACE)
                return false;
            table->offset[chapter] = at;
            take_size(table, size, &at);
        }
        uint32_t size = nonet_load32(entry);
        if (size > NONET_TABLE_PACKED)
            return false;
        take_size(table, size, &at);
        if (block > 0 && h->state_size > 0 &&
            memcmp(block_entry(table, block - 1) + NONET_TABLE_PART, entry + NONET_TABLE_PART,
                   h->state_size) >= 0)
            return false;
    }
    return at == h->index_offset;
}

/* The ranking's own count of positions must be the table's. */
static bool open_ranking(struct nonet_table *table, struct nonet_message *why) {
    const struct nonet_ranking *ranking = table->options.game->ranking;
    size_t size = ranking->index_size(&table->options);
    table->ranking_index = malloc(size > 0 ? size : 1);
    if (table->ranking_index == NULL) {
        *why = say(NONET_TABLE_NO_MEMORY);
        return false;
    }
    ranking->build_index(&table->options, table->ranking_index);
    uint64_t count = 0;
    for (int tier = ranking->tiers(&table->options) - 1; tier >= 0; tier--)
        count += ranking->size(&table->options, table->ranking_index, tier);
    *why = say(NONET_TABLE_BAD_HEADER);
    return count == table->header.count;
}

/* What every opening of a table has for itself; nothing is unpacked yet. */
static bool make_room(struct nonet_table *table) {
    const struct nonet_table_header *h = &table->header;
    table->packed = malloc(table->largest + 1);
    table->codes = malloc(h->block_entries * sizeof *table->codes);
    table->states = malloc((size_t)h->block_entries * h->state_size + 1);
    table->chapter = h->chapters;
    table->block = h->blocks;
    nonet_codec_init(&table->codec, h->layout == NONET_TABLE_KEYED, h->state_size);
    return table->packed != NULL && table->codes != NULL && table->states != NULL;
}

struct nonet_table *nonet_table_open(const struct nonet_options *options, nonet_table_fetch *fetch,
                                     void *context, uint64_t size, struct nonet_message *why) {
    struct nonet_table_header header;
    if (!read_header(fetch, context, size, &header, why) || !suits(options, &header, why))
        return NULL;
    *why = say(NONET_TABLE_NO_MEMORY);
    if (header.index_size > SIZE_MAX)
        return NULL;
    struct nonet_table *table = malloc(sizeof *table);
    if (table == NULL)
        return NULL;
    *table = (struct nonet_table){
        .options = *options,
        .header = header,
        .fetch = fetch,
        .context = context,
        .index = malloc((size_t)header.index_size),
        .offset = malloc(header.chapters * sizeof *table->offset),
    };
    if (table->index == NULL || table->offset == NULL)
        goto failed;
    if (!fetch(context, header.index_offset, table->index, (size_t)header.index_size)) {
        *why = say(NONET_TABLE_UNREADABLE);
        goto failed;
    }
    if (nonet_table_checksum(0, table->index, (size_t)header.index_size) != header.index_checksum ||
        !read_index(table)) {
        *why = say(NONET_TABLE_BAD_INDEX);
        goto failed;
    }
    if (!make_room(table) || (header.layout == NONET_TABLE_RANKED && !open_ranking(table, why)))
        goto failed;
    return table;
failed:
    nonet_table_close(table);
    return NULL;
}

struct nonet_table *nonet_table_open_again(const struct nonet_table *table) {
    struct nonet_table *again = malloc(sizeof *again);
    if (again == NULL)
        return NULL;
    *again = *table;
    again->borrows = true;
    if (make_room(again))
        return again;
    nonet_table_close(again);
    return NULL;
}

void nonet_table_close(struct nonet_table *table) {
    if (table == NULL)
        return;
    if (!table->borrows) {
        free(table->index);
        free(table->offset);
        free(table->ranking_index);
    }
    free(table->packed);
    free(table->states);
    free(table->codes);
    free(table);
}

/* Fetches what an entry of the index is about into `packed`. */
static bool fetch_part(struct nonet_table *table, uint64_t offset, const unsigned char *entry,
                       size_t *size, uint32_t block, struct nonet_message *why) {
    *size = nonet_load32(entry);
    if (!table->fetch(table->context, offset, table->packed, *size)) {
        *why = say(NONET_TABLE_UNREADABLE);
        return false;
    }
    *why = nonet_say(&nonet_table_phrases[NONET_TABLE_BAD_BLOCK], nonet_number((int32_t)block));
    return nonet_table_checksum(0, table->packed, *size) == nonet_load32(entry + 4);
}

static bool open_chapter(struct nonet_table *table, uint32_t chapter, struct nonet_message *why) {
    if (table->chapter == chapter)
        return true;
    table->chapter = table->header.chapters;
    size_t size;
    if (!fetch_part(table, table->offset[chapter],
                    table->index + (size_t)chapter * NONET_TABLE_PART, &size,
                    chapter * table->header.chapter_blocks, why) ||
        !nonet_codec_read(&table->codec, table->packed, size))
        return false;
    for (int i = 0; i < table->codec.symbols; i++)
        if (table->codec.code[i] > table->header.greatest)
            return false;
    table->chapter = chapter;
    return true;
}

static size_t entries_of(const struct nonet_table *table, uint32_t block) {
    const struct nonet_table_header *h = &table->header;
    uint64_t from = (uint64_t)block * h->block_entries;
    return h->count - from < h->block_entries ? (size_t)(h->count - from) : h->block_entries;
}

static bool open_block(struct nonet_table *table, uint32_t block, struct nonet_message *why) {
    const struct nonet_table_header *h = &table->header;
    if (table->block == block)
        return true;
    uint32_t chapter = block / h->chapter_blocks;
    if (!open_chapter(table, chapter, why))
        return false;
    table->block = h->blocks;
    uint64_t offset =
        table->offset[chapter] + nonet_load32(table->index + (size_t)chapter * NONET_TABLE_PART);
    for (uint32_t before = chapter * h->chapter_blocks; before < block; before++)
        offset += nonet_load32(block_entry(table, before));
    const unsigned char *entry = block_entry(table, block);
    size_t size, count = entries_of(table, block);
    if (!fetch_part(table, offset, entry, &size, block, why))
        return false;
    memcpy(table->states, entry + NONET_TABLE_PART, h->state_size);
    nonet_codec_unpack(&table->codec, &table->model, table->packed, size, table->states,
                       table->codes, count);
    table->block = block;
    return true;
}

bool nonet_table_block(struct nonet_table *table, uint32_t block, const unsigned char **states,
                       const uint16_t **codes, size_t *count, struct nonet_message *why) {
    if (!open_block(table, block, why))
        return false;
    *states = table->states;
    *codes = table->codes;
    *count = entries_of(table, block);
    return true;
}

struct nonet_table_facts nonet_table_facts(const struct nonet_table *table) {
    return (struct nonet_table_facts){
        .keyed = table->header.layout == NONET_TABLE_KEYED,
        .count = table->header.count,
        .blocks = table->header.blocks,
        .block_entries = table->header.block_entries,
        .greatest = table->header.greatest,
    };
}

const void *nonet_table_ranking_index(const struct nonet_table *table) {
    return table->ranking_index;
}

/* The value of a finished position, by the rules alone. */
static struct nonet_value finished(const struct nonet_options *options, const void *state) {
    int player = options->game->next(options, state);
    struct nonet_result result = {0};
    options->game->result(options, state, &result);
    struct nonet_value value = {.outcome = NONET_DRAW, .has_margin = result.has_points};
    if (result.winners != 3)
        value.outcome = result.winners >> (player - 1) & 1 ? NONET_WIN : NONET_LOSS;
    if (result.has_points)
        value.margin = (int16_t)(result.points[player - 1] - result.points[2 - player]);
    return value;
}

/* The last of `count` rising keys, `stride` apart, that is not greater than `key`; `count` if all
 * are greater. */
static size_t last_not_greater(const unsigned char *keys, size_t stride, size_t count,
                               const void *key, size_t size) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memcmp(keys + middle * stride, key, size) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? count : low - 1;
}

static bool find_keyed(struct nonet_table *table, const void *state, uint32_t *block, size_t *place,
                       struct nonet_message *why) {
    const struct nonet_table_header *h = &table->header;
    struct nonet_state canonical;
    nonet_canonical(&table->options, state, &canonical);
    size_t found =
        last_not_greater(block_entry(table, 0) + NONET_TABLE_PART, NONET_TABLE_PART + h->state_size,
                         h->blocks, &canonical, h->state_size);
    *why = say(NONET_TABLE_NOT_LISTED);
    if (found == h->blocks)
        return false;
    *block = (uint32_t)found;
    if (!open_block(table, *block, why))
        return false;
    *place = last_not_greater(table->states, h->state_size, entries_of(table, *block), &canonical,
                              h->state_size);
    *why = say(NONET_TABLE_NOT_LISTED);
    return *place < h->block_entries &&
           memcmp(table->states + *place * h->state_size, &canonical, h->state_size) == 0;
}

static bool find_ranked(struct nonet_table *table, const void *state, uint32_t *block,
                        size_t *place, struct nonet_message *why) {
    const struct nonet_ranking *ranking = table->options.game->ranking;
    uint64_t number;
    int tier = ranking->rank(&table->options, table->ranking_index, state, &number);
    *why = say(NONET_TABLE_NOT_LISTED);
    if (tier < 0)
        return false;
    while (tier-- > 0)
        number += ranking->size(&table->options, table->ranking_index, tier);
    if (number >= table->header.count)
        return false;
    *block = (uint32_t)(number / table->header.block_entries);
    *place = (size_t)(number % table->header.block_entries);
    return open_block(table, *block, why);
}

bool nonet_table_probe(struct nonet_table *table, const void *state, struct nonet_value *value,
                       struct nonet_message *why) {
    const struct nonet_options *options = &table->options;
    if (options->game->turn(options, state) == 0) {
        *value = finished(options, state);
        return true;
    }
    uint32_t block;
    size_t place;
    if (!(table->header.layout == NONET_TABLE_KEYED
              ? find_keyed(table, state, &block, &place, why)
              : find_ranked(table, state, &block, &place, why)))
        return false;
    *value = nonet_value_of_code(table->codes[place], table->header.has_margin);
    return true;
}
