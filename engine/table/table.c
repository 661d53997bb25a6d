#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "format.h"

/* A section of an open table: where in the index its parts stand, and in the file its chapters. */
struct section {
    struct nonet_table_section is;
    const unsigned char *prefaces, *blocks;
    uint64_t *offset; /* of each chapter */
};

struct nonet_table {
    struct nonet_options options;
    struct nonet_table_header header;
    nonet_table_fetch *fetch;
    void *context;
    struct section section[NONET_TABLE_SECTIONS];
    unsigned char *index;
    uint64_t *offsets;     /* of both sections' chapters */
    void *ranking_index;   /* null without a ranked section */
    bool borrows;          /* the three before are another's */
    size_t largest;        /* size of a packed part */
    unsigned char *packed; /* room for one */
    /* The block unpacked last, its chapter's preface, and which they are; null: none. */
    const struct section *block_of, *chapter_of;
    uint32_t block, chapter;
    unsigned char *states;
    uint16_t *codes;
    struct nonet_codec codec;
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
    return game->next != NULL && options->players == 2 && header->state_size == game->state_size &&
           header->has_margin == ((game->facts & NONET_POINTS) != 0) &&
           (header->section[NONET_TABLE_RANKED].count == 0 || game->ranking != NULL);
}

static const unsigned char *preface_entry(const struct section *section, uint32_t chapter) {
    return section->prefaces + (size_t)chapter * NONET_TABLE_PART;
}

static const unsigned char *block_entry(const struct section *section, uint32_t block) {
    return section->blocks + (size_t)block * (NONET_TABLE_PART + section->is.key_size);
}

static bool take_size(struct nonet_table *table, const unsigned char *entry, uint32_t most,
                      uint64_t *at) {
    uint32_t size = nonet_load32(entry);
    *at += size;
    table->largest = size > table->largest ? size : table->largest;
    return size <= most;
}

/* Adds up the sizes to offsets; false if one is too large or keys do not rise. */
static bool read_section(struct nonet_table *table, struct section *section, uint64_t *at) {
    const struct nonet_table_section *is = &section->is;
    for (uint32_t block = 0; block < is->blocks; block++) {
        const unsigned char *entry = block_entry(section, block);
        if (block % is->chapter_blocks == 0) {
            uint32_t chapter = block / is->chapter_blocks;
            section->offset[chapter] = *at;
            if (!take_size(table, preface_entry(section, chapter), NONET_CODEC_PREFACE, at))
                return false;
        }
        if (!take_size(table, entry, NONET_TABLE_PACKED, at))
            return false;
        if (block > 0 && is->key_size > 0 &&
            memcmp(block_entry(section, block - 1) + NONET_TABLE_PART, entry + NONET_TABLE_PART,
                   is->key_size) >= 0)
            return false;
    }
    return true;
}

/* The index has, for each section, the sizes and checksums of all prefaces, then those of all
 * blocks, each with its first key. They must fill the file exactly. */
static bool read_index(struct nonet_table *table) {
    const unsigned char *cursor = table->index;
    uint64_t *offset = table->offsets, at = NONET_TABLE_HEADER + strlen(table->header.name);
    for (int i = 0; i < NONET_TABLE_SECTIONS; i++) {
        struct section *section = &table->section[i];
        section->is = table->header.section[i];
        section->offset = offset;
        section->prefaces = cursor;
        section->blocks = preface_entry(section, section->is.chapters);
        cursor = block_entry(section, section->is.blocks);
        offset += section->is.chapters;
        if (!read_section(table, section, &at))
            return false;
    }
    return at == table->header.index_offset;
}

/* The table must hold whole tiers by the ranking's own count: all of them, or the first ones. */
static bool open_ranking(struct nonet_table *table, struct nonet_message *why) {
    uint64_t ranked = table->header.section[NONET_TABLE_RANKED].count, count = 0;
    if (ranked == 0)
        return true;
    const struct nonet_ranking *ranking = table->options.game->ranking;
    size_t size = ranking->index_size(&table->options);
    table->ranking_index = malloc(size > 0 ? size : 1);
    if (table->ranking_index == NULL) {
        *why = say(NONET_TABLE_NO_MEMORY);
        return false;
    }
    ranking->build_index(&table->options, table->ranking_index);
    int tiers = ranking->tiers(&table->options);
    for (int tier = 0; tier < tiers && count < ranked; tier++)
        count += ranking->size(&table->options, table->ranking_index, tier);
    *why = say(NONET_TABLE_BAD_HEADER);
    return count == ranked;
}

/* What every opening of a table has for itself; nothing is unpacked yet. */
static bool make_room(struct nonet_table *table) {
    size_t entries = 0;
    for (int i = 0; i < NONET_TABLE_SECTIONS; i++)
        if (table->section[i].is.count > 0 && table->section[i].is.block_entries > entries)
            entries = table->section[i].is.block_entries;
    table->packed = malloc(table->largest + 1);
    table->codes = malloc(entries * sizeof *table->codes + 1);
    table->states = malloc(entries * table->header.state_size + 1);
    table->block_of = table->chapter_of = NULL;
    nonet_codec_init(&table->codec, table->header.state_size);
    return table->packed != NULL && table->codes != NULL && table->states != NULL;
}

struct nonet_table *nonet_table_open(const struct nonet_options *options, nonet_table_fetch *fetch,
                                     void *context, uint64_t size, struct nonet_message *why) {
    struct nonet_table_header header;
    if (!read_header(fetch, context, size, &header, why) || !suits(options, &header, why))
        return NULL;
    *why = say(NONET_TABLE_NO_MEMORY);
    struct nonet_table *table = calloc(1, sizeof *table);
    if (table == NULL || header.index_size > SIZE_MAX / 2)
        goto failed;
    size_t chapters = (size_t)header.section[0].chapters + header.section[1].chapters;
    table->options = *options;
    table->header = header;
    table->fetch = fetch;
    table->context = context;
    table->index = malloc((size_t)header.index_size + 1);
    table->offsets = malloc(chapters * sizeof *table->offsets + 1);
    if (table->index == NULL || table->offsets == NULL)
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
    if (make_room(table) && open_ranking(table, why))
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
        free(table->offsets);
        free(table->ranking_index);
    }
    free(table->packed);
    free(table->states);
    free(table->codes);
    free(table);
}

/* Fetches what an entry of the index is about into `packed`. */
static bool fetch_part(struct nonet_table *table, uint64_t offset, const unsigned char *entry,
                       size_t *size) {
    *size = nonet_load32(entry);
    return table->fetch(table->context, offset, table->packed, *size) &&
           nonet_table_checksum(0, table->packed, *size) == nonet_load32(entry + 4);
}

static bool open_chapter(struct nonet_table *table, const struct section *section,
                         uint32_t chapter) {
    if (table->chapter_of == section && table->chapter == chapter)
        return true;
    table->chapter_of = NULL;
    size_t size;
    if (!fetch_part(table, section->offset[chapter], preface_entry(section, chapter), &size))
        return false;
    table->codec.state_size = section->is.key_size;
    if (!nonet_codec_read(&table->codec, table->packed, size))
        return false;
    for (int i = 0; i < table->codec.symbols; i++)
        if (table->codec.code[i] > table->header.greatest)
            return false;
    table->chapter_of = section;
    table->chapter = chapter;
    return true;
}

static size_t entries_of(const struct section *section, uint32_t block) {
    uint64_t left = section->is.count - (uint64_t)block * section->is.block_entries;
    return left < section->is.block_entries ? (size_t)left : section->is.block_entries;
}

static bool unpack(struct nonet_table *table, const struct section *section, uint32_t block) {
    uint32_t chapter = block / section->is.chapter_blocks;
    if (!open_chapter(table, section, chapter))
        return false;
    uint64_t offset = section->offset[chapter] + nonet_load32(preface_entry(section, chapter));
    for (uint32_t before = chapter * section->is.chapter_blocks; before < block; before++)
        offset += nonet_load32(block_entry(section, before));
    const unsigned char *entry = block_entry(section, block);
    size_t size;
    if (!fetch_part(table, offset, entry, &size))
        return false;
    memcpy(table->states, entry + NONET_TABLE_PART, section->is.key_size);
    nonet_codec_unpack(&table->codec, &table->model, table->packed, size, table->states,
                       table->codes, entries_of(section, block));
    return true;
}

static bool open_block(struct nonet_table *table, const struct section *section, uint32_t block,
                       struct nonet_message *why) {
    if (table->block_of == section && table->block == block)
        return true;
    table->block_of = NULL;
    if (!unpack(table, section, block)) {
        *why = nonet_say(&nonet_table_phrases[NONET_TABLE_BAD_BLOCK], nonet_number((int32_t)block));
        return false;
    }
    table->block_of = section;
    table->block = block;
    return true;
}

bool nonet_table_block(struct nonet_table *table, bool listed, uint32_t block,
                       const unsigned char **states, const uint16_t **codes, size_t *count,
                       struct nonet_message *why) {
    const struct section *section =
        &table->section[listed ? NONET_TABLE_LISTED : NONET_TABLE_RANKED];
    if (!open_block(table, section, block, why))
        return false;
    *states = table->states;
    *codes = table->codes;
    *count = entries_of(section, block);
    return true;
}

struct nonet_table_facts nonet_table_facts(const struct nonet_table *table) {
    const struct nonet_table_section *section = table->header.section;
    return (struct nonet_table_facts){
        .ranked = section[NONET_TABLE_RANKED].count,
        .listed = section[NONET_TABLE_LISTED].count,
        .ranked_entries = section[NONET_TABLE_RANKED].block_entries,
        .listed_entries = section[NONET_TABLE_LISTED].block_entries,
        .greatest = table->header.greatest,
    };
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

static bool find_listed(struct nonet_table *table, const void *state, size_t *place,
                        struct nonet_message *why) {
    const struct section *section = &table->section[NONET_TABLE_LISTED];
    size_t size = section->is.key_size;
    struct nonet_state canonical;
    if (section->is.count == 0) {
        *why = say(NONET_TABLE_NOT_LISTED);
        return false;
    }
    nonet_canonical(&table->options, state, &canonical);
    size_t block = last_not_greater(block_entry(section, 0) + NONET_TABLE_PART,
                                    NONET_TABLE_PART + size, section->is.blocks, &canonical, size);
    if (block == section->is.blocks) {
        *why = say(NONET_TABLE_NOT_LISTED);
        return false;
    }
    if (!open_block(table, section, (uint32_t)block, why))
        return false;
    size_t count = entries_of(section, (uint32_t)block);
    *place = last_not_greater(table->states, size, count, &canonical, size);
    if (*place < count && memcmp(table->states + *place * size, &canonical, size) == 0)
        return true;
    *why = say(NONET_TABLE_NOT_LISTED);
    return false;
}

bool nonet_table_probe(struct nonet_table *table, const void *state, struct nonet_value *value,
                       struct nonet_message *why) {
    const struct nonet_options *options = &table->options;
    const struct nonet_ranking *ranking = options->game->ranking;
    const struct section *section = &table->section[NONET_TABLE_RANKED];
    if (options->game->turn(options, state) == 0) {
        *value = finished(options, state);
        return true;
    }
    uint64_t number;
    size_t place;
    int tier =
        section->is.count == 0 ? -1 : ranking->rank(options, table->ranking_index, state, &number);
    if (tier >= 0) {
        while (tier-- > 0)
            number += ranking->size(options, table->ranking_index, tier);
        if (number >= section->is.count) {
            *why = say(NONET_TABLE_NOT_LISTED);
            return false;
        }
        place = (size_t)(number % section->is.block_entries);
        if (!open_block(table, section, (uint32_t)(number / section->is.block_entries), why))
            return false;
    } else if (!find_listed(table, state, &place, why)) {
        return false;
    }
    *value = nonet_value_of_code(table->codes[place], table->header.has_margin);
    return true;
}
