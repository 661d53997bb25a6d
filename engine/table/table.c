#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "../rules/ranking.h"
#include "../rules/swap.h"
#include "codec.h"
#include "fingerprint.h"
#include "format.h"

/* A section of an open table: where its parts are in the index, and its chapters in the file. */
struct section {
    struct nonet_table_section is;
    const unsigned char *prefaces, *blocks;
    uint64_t *offset; /* of each chapter */
};

struct nonet_table {
    struct nonet_options options; /* without the swap rule, as tables are */
    struct nonet_options played;  /* as it was opened */
    struct nonet_table_header header;
    nonet_table_fetch *fetch;
    void *context;
    struct section section[NONET_TABLE_SECTIONS];
    unsigned char *index;
    uint64_t *offsets;     /* of both sections' chapters */
    void *ranking_index;   /* null if there is no ranked section */
    uint64_t *tier_start;  /* in the ranked section; null if there is none */
    bool borrows;          /* the four members before belong to another table */
    size_t largest;        /* size of a packed part */
    unsigned char *packed; /* room for one packed part */
    /* The block that was found last, and where it begins. */
    const struct section *found_in;
    uint32_t found_block;
    uint64_t found_offset;
    /* A cache of what was read and unpacked. Each chapter's codec, and each block, has one possible
     * place, given by its number. It stays there until another one needs the place. */
    size_t codec_places, block_places;
    struct nonet_codec *codecs;
    uint64_t *codec_of, *block_of; /* by place: what is there, or NOTHING */
    size_t block_room;             /* bytes of a place: value codes, followed by states */
    unsigned char *blocks;
    struct nonet_codec_model model;
};

/* How much is kept. A search asks about the neighbours of a position, which are in a few hundred
 * blocks; with the blocks of our own tables, 2^22 bytes are about a thousand. */
enum { CODECS_KEPT = 16, BLOCK_BYTES_KEPT = 1 << 22, BLOCKS_KEPT = 1 << 10 };
static const uint64_t nothing = UINT64_MAX;

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

/* Whether the header is right for the game. Its numbers are already known to be consistent. */
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
    return game->next != NULL && header->values == nonet_values_of_position(options) &&
           header->state_size == game->state_size &&
           header->has_margin == ((game->facts & NONET_POINTS) != 0) &&
           (header->section[NONET_TABLE_RANKED].count == 0 || nonet_ranking_of(options) != NULL);
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

/* Adds up the sizes to offsets; false if one is too large or the keys do not increase. */
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

/* Where each tier begins. The table must hold whole tiers by the ranking's own count: all of them,
 * or the first ones. */
static bool find_tiers(struct nonet_table *table) {
    const struct nonet_ranking *ranking = table->options.game->ranking;
    uint64_t ranked = table->header.section[NONET_TABLE_RANKED].count;
    int tiers = ranking->tiers(&table->options);
    bool whole = false;
    table->tier_start[0] = 0;
    for (int tier = 0; tier < tiers; tier++) {
        table->tier_start[tier + 1] =
            table->tier_start[tier] + ranking->size(&table->options, table->ranking_index, tier);
        whole = whole || table->tier_start[tier + 1] == ranked;
    }
    return whole;
}

/* Builds the ranking's index, and makes sure that the table uses the same numbers. */
static bool open_ranking(struct nonet_table *table, struct nonet_message *why) {
    const struct nonet_ranking *ranking = table->options.game->ranking;
    bool ranked = table->header.section[NONET_TABLE_RANKED].count > 0;
    if (ranked) {
        size_t size = ranking->index_size(&table->options);
        size_t tiers = (size_t)ranking->tiers(&table->options);
        table->ranking_index = malloc(size > 0 ? size : 1);
        table->tier_start = malloc((tiers + 1) * sizeof *table->tier_start);
        if (table->ranking_index == NULL || table->tier_start == NULL) {
            *why = say(NONET_TABLE_NO_MEMORY);
            return false;
        }
        ranking->build_index(&table->options, table->ranking_index);
    }
    if (nonet_table_fingerprint(&table->options, table->ranking_index) !=
        table->header.fingerprint) {
        *why = say(NONET_TABLE_OTHER_NUMBERS);
        return false;
    }
    *why = say(NONET_TABLE_BAD_HEADER);
    return !ranked || find_tiers(table);
}

static size_t chapters_of(const struct nonet_table *table) {
    return (size_t)table->header.section[NONET_TABLE_RANKED].chapters +
           table->header.section[NONET_TABLE_LISTED].chapters;
}

/* Memory that every opening of a table has for itself; nothing is unpacked yet. */
static bool make_room(struct nonet_table *table) {
    table->block_room = 0;
    for (int i = 0; i < NONET_TABLE_SECTIONS; i++) {
        const struct nonet_table_section *is = &table->section[i].is;
        size_t room = is->block_entries * (sizeof(uint16_t) * table->header.values + is->key_size);
        if (is->count > 0 && room > table->block_room)
            table->block_room = (room + 1) / 2 * 2;
    }
    table->block_places = 1;
    while (2 * table->block_places <= BLOCKS_KEPT &&
           2 * table->block_places * table->block_room <= BLOCK_BYTES_KEPT)
        table->block_places *= 2;
    table->codec_places = chapters_of(table) < CODECS_KEPT ? chapters_of(table) : CODECS_KEPT;
    table->packed = malloc(table->largest + 1);
    table->blocks = malloc(table->block_places * table->block_room + 1);
    table->block_of = malloc(table->block_places * sizeof *table->block_of);
    table->codecs = malloc(table->codec_places * sizeof *table->codecs + 1);
    table->codec_of = malloc(table->codec_places * sizeof *table->codec_of + 1);
    if (table->packed == NULL || table->blocks == NULL || table->block_of == NULL ||
        table->codecs == NULL || table->codec_of == NULL)
        return false;
    for (size_t i = 0; i < table->block_places; i++)
        table->block_of[i] = nothing;
    for (size_t i = 0; i < table->codec_places; i++)
        table->codec_of[i] = nothing;
    return true;
}

struct nonet_table *nonet_table_open(const struct nonet_options *options, nonet_table_fetch *fetch,
                                     void *context, uint64_t size, struct nonet_message *why) {
    struct nonet_table_header header;
    struct nonet_options without = nonet_swap_without(options);
    if (!read_header(fetch, context, size, &header, why) || !suits(&without, &header, why))
        return NULL;
    *why = say(NONET_TABLE_NO_MEMORY);
    struct nonet_table *table = calloc(1, sizeof *table);
    if (table == NULL || header.index_size > SIZE_MAX / 2)
        goto failed;
    table->options = without;
    table->played = *options;
    table->header = header;
    table->fetch = fetch;
    table->context = context;
    table->index = malloc((size_t)header.index_size + 1);
    table->offsets = malloc(chapters_of(table) * sizeof *table->offsets + 1);
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

struct nonet_table *nonet_table_open_again(const struct nonet_table *table,
                                           const struct nonet_options *options) {
    struct nonet_table *again = malloc(sizeof *again);
    if (again == NULL)
        return NULL;
    *again = *table;
    again->played = *options;
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
        free(table->tier_start);
    }
    free(table->packed);
    free(table->blocks);
    free(table->block_of);
    free(table->codecs);
    free(table->codec_of);
    free(table);
}

enum part { WHOLE, DAMAGED, MISSING };

/* Fetches the part that an entry of the index describes into `packed`. */
static enum part fetch_part(struct nonet_table *table, uint64_t offset, const unsigned char *entry,
                            size_t *size) {
    *size = nonet_load32(entry);
    if (!table->fetch(table->context, offset, table->packed, *size))
        return MISSING;
    return nonet_table_checksum(0, table->packed, *size) == nonet_load32(entry + 4) ? WHOLE
                                                                                    : DAMAGED;
}

/* A chapter's codec. */
static enum part open_chapter(struct nonet_table *table, const struct section *section,
                              uint32_t chapter, const struct nonet_codec **opened) {
    uint64_t number = chapter + (section->is.key_size > 0 ? table->section[0].is.chapters : 0);
    size_t place = (size_t)(number % table->codec_places), size;
    struct nonet_codec *codec = &table->codecs[place];
    *opened = codec;
    if (table->codec_of[place] == number)
        return WHOLE;
    table->codec_of[place] = nothing;
    enum part part =
        fetch_part(table, section->offset[chapter], preface_entry(section, chapter), &size);
    if (part != WHOLE)
        return part;
    nonet_codec_init(codec, section->is.key_size);
    if (!nonet_codec_read(codec, table->packed, size))
        return DAMAGED;
    for (int i = 0; i < codec->symbols; i++)
        if (codec->code[i] > table->header.greatest)
            return DAMAGED;
    table->codec_of[place] = number;
    return WHOLE;
}

static size_t entries_of(const struct section *section, uint32_t block) {
    uint64_t left = section->is.count - (uint64_t)block * section->is.block_entries;
    return left < section->is.block_entries ? (size_t)left : section->is.block_entries;
}

/* A block as the cache keeps it. */
struct block {
    uint16_t *codes;       /* of all values */
    unsigned char *states; /* null in the ranked section */
    size_t count;          /* entries */
};

/* Where a block begins. Sizes are added up from the beginning of its chapter, or from the block
 * found last, so that reading all blocks in turn takes linear time. */
static uint64_t offset_of(struct nonet_table *table, const struct section *section,
                          uint32_t block) {
    uint32_t chapter = block / section->is.chapter_blocks;
    uint32_t before = chapter * section->is.chapter_blocks;
    uint64_t offset = section->offset[chapter] + nonet_load32(preface_entry(section, chapter));
    if (table->found_in == section && table->found_block >= before && table->found_block <= block) {
        before = table->found_block;
        offset = table->found_offset;
    }
    for (; before < block; before++)
        offset += nonet_load32(block_entry(section, before));
    table->found_in = section;
    table->found_block = block;
    table->found_offset = offset;
    return offset;
}

/* If bytes are missing, both parts are asked for before giving up, so that a caller who fetches
 * them learns of both at once. */
static enum part unpack(struct nonet_table *table, const struct section *section, uint32_t block,
                        const struct block *to) {
    uint32_t chapter = block / section->is.chapter_blocks;
    const struct nonet_codec *codec;
    enum part preface = open_chapter(table, section, chapter, &codec);
    if (preface == DAMAGED)
        return DAMAGED;
    const unsigned char *entry = block_entry(section, block);
    size_t size;
    enum part part = fetch_part(table, offset_of(table, section, block), entry, &size);
    if (preface == MISSING || part != WHOLE)
        return preface == MISSING ? MISSING : part;
    if (to->states != NULL)
        memcpy(to->states, entry + NONET_TABLE_PART, section->is.key_size);
    nonet_codec_unpack(codec, &table->model, table->packed, size, to->states, to->codes,
                       to->count * table->header.values);
    return WHOLE;
}

/* The block, from the cache or from the file. */
static bool open_block(struct nonet_table *table, const struct section *section, uint32_t number,
                       struct block *block, struct nonet_message *why) {
    bool listed = section->is.key_size > 0;
    uint64_t name = (uint64_t)number + (listed ? table->section[0].is.blocks : 0);
    size_t place = (size_t)(name & (table->block_places - 1));
    unsigned char *bytes = table->blocks + place * table->block_room;
    block->codes = (uint16_t *)(void *)bytes;
    block->count = entries_of(section, number);
    block->states = listed ? bytes + block->count * sizeof *block->codes : NULL;
    if (table->block_of[place] == name)
        return true;
    table->block_of[place] = nothing;
    enum part part = unpack(table, section, number, block);
    if (part != WHOLE) {
        *why = part == MISSING ? say(NONET_TABLE_UNREADABLE)
                               : nonet_say(&nonet_table_phrases[NONET_TABLE_BAD_BLOCK],
                                           nonet_number((int32_t)number));
        return false;
    }
    table->block_of[place] = name;
    return true;
}

bool nonet_table_block(struct nonet_table *table, bool listed, uint32_t block,
                       const unsigned char **states, const uint16_t **codes, size_t *count,
                       struct nonet_message *why) {
    struct block opened;
    if (!open_block(table, &table->section[listed ? NONET_TABLE_LISTED : NONET_TABLE_RANKED], block,
                    &opened, why))
        return false;
    *states = opened.states;
    *codes = opened.codes;
    *count = opened.count;
    return true;
}

struct nonet_table_facts nonet_table_facts(const struct nonet_table *table) {
    const struct nonet_table_section *section = table->header.section;
    return (struct nonet_table_facts){
        .ranked = section[NONET_TABLE_RANKED].count,
        .listed = section[NONET_TABLE_LISTED].count,
        .values = table->header.values,
        .ranked_entries = section[NONET_TABLE_RANKED].block_entries,
        .listed_entries = section[NONET_TABLE_LISTED].block_entries,
        .greatest = table->header.greatest,
    };
}

struct nonet_table_numbering nonet_table_numbering(const struct nonet_table *table) {
    return (struct nonet_table_numbering){table->ranking_index, table->tier_start};
}

/* The last of `count` increasing keys, `stride` bytes apart, that is not greater than `key`;
 * `count` if all are greater. */
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

static bool find_listed(struct nonet_table *table, const void *state, uint16_t *code,
                        struct nonet_message *why) {
    const struct section *section = &table->section[NONET_TABLE_LISTED];
    size_t size = section->is.key_size;
    struct nonet_state canonical;
    struct block block;
    if (section->is.count == 0) {
        *why = say(NONET_TABLE_NOT_LISTED);
        return false;
    }
    nonet_canonical(&table->options, state, &canonical);
    size_t number = last_not_greater(block_entry(section, 0) + NONET_TABLE_PART,
                                     NONET_TABLE_PART + size, section->is.blocks, &canonical, size);
    if (number == section->is.blocks) {
        *why = say(NONET_TABLE_NOT_LISTED);
        return false;
    }
    if (!open_block(table, section, (uint32_t)number, &block, why))
        return false;
    size_t place = last_not_greater(block.states, size, block.count, &canonical, size);
    if (place == block.count || memcmp(block.states + place * size, &canonical, size) != 0) {
        *why = say(NONET_TABLE_NOT_LISTED);
        return false;
    }
    *code = block.codes[place];
    return true;
}

static bool find_ranked(struct nonet_table *table, uint64_t number, int which, uint16_t *code,
                        struct nonet_message *why) {
    const struct section *section = &table->section[NONET_TABLE_RANKED];
    struct block block;
    if (number >= section->is.count) {
        *why = say(NONET_TABLE_NOT_LISTED);
        return false;
    }
    if (!open_block(table, section, (uint32_t)(number / section->is.block_entries), &block, why))
        return false;
    *code = block.codes[number % section->is.block_entries * table->header.values + (size_t)which];
    return true;
}

/* Values are counted from the player who is next; with two players there is only that one. */
static bool probe(struct nonet_table *table, const void *state, int which,
                  struct nonet_value *value, struct nonet_message *why) {
    const struct nonet_options *options = &table->options;
    const struct nonet_game *game = options->game;
    if (game->turn(options, state) == 0) {
        int player = (game->next(options, state) - 1 + which) % options->players + 1;
        *value = nonet_value_result(options, state, player);
        return true;
    }
    uint64_t number;
    uint16_t code;
    int tier = -1;
    if (table->ranking_index != NULL)
        tier = game->ranking->rank(options, table->ranking_index, state, &number);
    if (!(tier >= 0 ? find_ranked(table, table->tier_start[tier] + number, which, &code, why)
                    : find_listed(table, state, &code, why)))
        return false;
    *value = nonet_value_of_code(code, table->header.has_margin);
    return true;
}

static struct nonet_value better(struct nonet_value a, struct nonet_value b) {
    return nonet_value_compare(&a, &b) >= 0 ? a : b;
}

/* Before the swap is offered: the best of all moves. */
static bool probe_moves(struct nonet_table *table, const void *state, struct nonet_value *value,
                        struct nonet_message *why) {
    const struct nonet_options *options = &table->played;
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state after;
        struct nonet_value other;
        memcpy(&after, state, options->game->state_size);
        options->game->play(options, &after, NULL, moves[i]);
        if (!nonet_table_probe(table, &after, &other, why))
            return false;
        other = nonet_value_before(other);
        *value = i > 0 ? better(*value, other) : other;
    }
    return true;
}

/* A value is that of the player who is next, whichever side they have. A state with the swap rule
 * begins with the state without it, and a swap leaves that as it is. */
bool nonet_table_probe(struct nonet_table *table, const void *state, struct nonet_value *value,
                       struct nonet_message *why) {
    const struct nonet_options *options = &table->played;
    enum nonet_swap_stage stage = nonet_swap_stage(options, state);
    if (stage == NONET_SWAP_LATER && options->game->turn(options, state) > 0)
        return probe_moves(table, state, value, why);
    if (!probe(table, state, 0, value, why))
        return false;
    if (stage == NONET_SWAP_NOW)
        *value = better(*value, nonet_value_before(*value));
    return true;
}

bool nonet_table_probe_for(struct nonet_table *table, const void *state, int player,
                           struct nonet_value *value, struct nonet_message *why) {
    const struct nonet_options *options = &table->played;
    int next = options->game->next(options, state);
    if (options->players > 2)
        return probe(table, state, (player - next + options->players) % options->players, value,
                     why);
    if (!nonet_table_probe(table, state, value, why))
        return false;
    if (player != next)
        *value = nonet_value_negated(*value);
    return true;
}
