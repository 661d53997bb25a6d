#include "format.h"

#include <string.h>

#include "codec.h"

const struct nonet_phrase nonet_table_phrases[NONET_TABLE_PHRASES] = {
    [NONET_TABLE_NO_TABLE] = {"table.no-table", "this is not a table of exact values"},
    [NONET_TABLE_OTHER_VERSION] = {"table.other-version",
                                   "the table has format version {0}, and this program reads "
                                   "version {1}"},
    [NONET_TABLE_BAD_HEADER] = {"table.bad-header", "the table is damaged in its header"},
    [NONET_TABLE_SHORT] = {"table.short",
                           "the table is damaged: its size is not what its header says"},
    [NONET_TABLE_UNREADABLE] = {"table.unreadable", "the table cannot be read"},
    [NONET_TABLE_OTHER_GAME] = {"table.other-game", "the table is for {0}, not for {1}"},
    [NONET_TABLE_OTHER_NUMBERS] = {"table.other-numbers",
                                   "the table is from an older or newer program, which wrote or "
                                   "numbered positions in another way"},
    [NONET_TABLE_BAD_INDEX] = {"table.bad-index", "the table is damaged in its index"},
    [NONET_TABLE_BAD_BLOCK] = {"table.bad-block", "the table is damaged in block {0}"},
    [NONET_TABLE_NO_MEMORY] = {"table.no-memory", "there is not enough memory for the table"},
    [NONET_TABLE_NOT_LISTED] = {"table.not-listed",
                                "the position is not in the table: no game leads to it"},
};

/* A CRC four bits at a time: this needs a small constant table, not a large one that must be
 * computed. */
uint32_t nonet_table_checksum(uint32_t checksum, const void *bytes, size_t size) {
    static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                        0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *cursor = bytes;
    checksum = ~checksum;
    for (; size > 0; size--) {
        checksum ^= *cursor++;
        checksum = checksum >> 4 ^ nibble[checksum & 15];
        checksum = checksum >> 4 ^ nibble[checksum & 15];
    }
    return ~checksum;
}

static uint64_t load(const unsigned char *bytes, int size) {
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

static void store(unsigned char *bytes, int size, uint64_t value) {
    for (int i = 0; i < size; i++, value >>= 8)
        bytes[i] = (unsigned char)value;
}

uint32_t nonet_load32(const unsigned char *bytes) {
    return (uint32_t)load(bytes, 4);
}

void nonet_store32(unsigned char *bytes, uint32_t value) {
    store(bytes, 4, value);
}

static const unsigned char magic[8] = {'N', 'o', 'n', 'e', 't', '\r', '\n', 0x1a};

/* The offsets of the fields. The fields of sections have their own offsets, starting at
 * AT_SECTIONS. */
enum {
    AT_VERSION = 8,
    AT_STATE_SIZE = 12,
    AT_KIND = 14,
    AT_GREATEST = 16,
    AT_NAME_LENGTH = 18,
    AT_INDEX_CHECKSUM = 20,
    AT_INDEX_OFFSET = 24,
    AT_INDEX_SIZE = 32,
    AT_SECTIONS = 40,
    AT_FINGERPRINT = 88,
    AT_FURTHER_VALUES = 96,
    AT_ZERO = 98,
    AT_CHECKSUM = 100,
    SECTION_COUNT = 0,
    SECTION_BLOCKS = 8,
    SECTION_CHAPTERS = 12,
    SECTION_BLOCK_ENTRIES = 16,
    SECTION_CHAPTER_BLOCKS = 20,
    SECTION_SIZE = 24,
};

static uint32_t header_checksum(const unsigned char *bytes, size_t name_length) {
    uint32_t checksum = nonet_table_checksum(0, bytes, AT_CHECKSUM);
    return nonet_table_checksum(checksum, bytes + NONET_TABLE_HEADER, name_length);
}

size_t nonet_table_header_write(const struct nonet_table_header *header, unsigned char *bytes) {
    size_t length = strlen(header->name);
    memset(bytes, 0, NONET_TABLE_HEADER);
    memcpy(bytes, magic, sizeof magic);
    store(bytes + AT_VERSION, 4, NONET_TABLE_VERSION);
    store(bytes + AT_STATE_SIZE, 2, header->state_size);
    store(bytes + AT_KIND, 2, header->has_margin);
    store(bytes + AT_GREATEST, 2, header->greatest);
    store(bytes + AT_NAME_LENGTH, 2, length);
    store(bytes + AT_INDEX_CHECKSUM, 4, header->index_checksum);
    store(bytes + AT_INDEX_OFFSET, 8, header->index_offset);
    store(bytes + AT_INDEX_SIZE, 8, header->index_size);
    store(bytes + AT_FINGERPRINT, 8, header->fingerprint);
    store(bytes + AT_FURTHER_VALUES, 2, header->values - 1u);
    for (int i = 0; i < NONET_TABLE_SECTIONS; i++) {
        const struct nonet_table_section *section = &header->section[i];
        unsigned char *at = bytes + AT_SECTIONS + i * SECTION_SIZE;
        store(at + SECTION_COUNT, 8, section->count);
        store(at + SECTION_BLOCKS, 4, section->blocks);
        store(at + SECTION_CHAPTERS, 4, section->chapters);
        store(at + SECTION_BLOCK_ENTRIES, 4, section->block_entries);
        store(at + SECTION_CHAPTER_BLOCKS, 4, section->chapter_blocks);
    }
    memcpy(bytes + NONET_TABLE_HEADER, header->name, length);
    store(bytes + AT_CHECKSUM, 4, header_checksum(bytes, length));
    return NONET_TABLE_HEADER + length;
}

bool nonet_table_section_complete(struct nonet_table_section *section) {
    uint64_t blocks = section->count == 0 ? 0 : (section->count - 1) / section->block_entries + 1;
    if (blocks > INT32_MAX)
        return false;
    section->blocks = (uint32_t)blocks;
    section->chapters = blocks == 0 ? 0 : (section->blocks - 1) / section->chapter_blocks + 1;
    return true;
}

/* Whether a section's numbers are consistent. Adds to the bytes that the index must have. This
 * cannot overflow, because there are fewer than 2^31 blocks. */
static bool read_section(struct nonet_table_section *section, const unsigned char *at,
                         uint32_t values, uint64_t *index_size) {
    section->count = load(at + SECTION_COUNT, 8);
    section->block_entries = nonet_load32(at + SECTION_BLOCK_ENTRIES);
    section->chapter_blocks = nonet_load32(at + SECTION_CHAPTER_BLOCKS);
    if (section->block_entries == 0 ||
        section->block_entries >
            (section->key_size > 0 ? NONET_CODEC_MAX_KEYS : NONET_CODEC_MAX_ENTRIES / values) ||
        section->chapter_blocks == 0 || section->chapter_blocks > NONET_TABLE_CHAPTER ||
        !nonet_table_section_complete(section))
        return false;
    *index_size += (uint64_t)section->chapters * NONET_TABLE_PART +
                   (uint64_t)section->blocks * (NONET_TABLE_PART + section->key_size);
    return section->blocks == nonet_load32(at + SECTION_BLOCKS) &&
           section->chapters == nonet_load32(at + SECTION_CHAPTERS);
}

bool nonet_table_header_read(struct nonet_table_header *header, const unsigned char *bytes,
                             size_t size, uint64_t file_size, struct nonet_message *why) {
    memset(header, 0, sizeof *header);
    if (size < AT_STATE_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
        *why = nonet_say(&nonet_table_phrases[NONET_TABLE_NO_TABLE]);
        return false;
    }
    uint64_t version = load(bytes + AT_VERSION, 4);
    if (version != NONET_TABLE_VERSION) {
        *why = nonet_say(&nonet_table_phrases[NONET_TABLE_OTHER_VERSION],
                         nonet_number(version > 999999 ? 999999 : (int32_t)version),
                         nonet_number(NONET_TABLE_VERSION));
        return false;
    }
    *why = nonet_say(&nonet_table_phrases[NONET_TABLE_BAD_HEADER]);
    if (size < NONET_TABLE_HEADER)
        return false;
    size_t length = load(bytes + AT_NAME_LENGTH, 2);
    if (length > NONET_TABLE_NAME_MAX || size < NONET_TABLE_HEADER + length ||
        load(bytes + AT_CHECKSUM, 4) != header_checksum(bytes, length) ||
        memchr(bytes + NONET_TABLE_HEADER, '\0', length) != NULL)
        return false;
    uint64_t kind = load(bytes + AT_KIND, 2), zero = load(bytes + AT_ZERO, 2), index_size = 0;
    header->state_size = (uint16_t)load(bytes + AT_STATE_SIZE, 2);
    header->has_margin = kind == 1;
    header->greatest = (uint16_t)load(bytes + AT_GREATEST, 2);
    header->index_checksum = nonet_load32(bytes + AT_INDEX_CHECKSUM);
    header->index_offset = load(bytes + AT_INDEX_OFFSET, 8);
    header->index_size = load(bytes + AT_INDEX_SIZE, 8);
    header->fingerprint = load(bytes + AT_FINGERPRINT, 8);
    uint64_t values = 1 + load(bytes + AT_FURTHER_VALUES, 2);
    header->values = (uint16_t)values;
    memcpy(header->name, bytes + NONET_TABLE_HEADER, length);
    header->section[NONET_TABLE_LISTED].key_size = header->state_size;
    if (kind > 1 || zero != 0 || header->state_size == 0 || header->state_size > NONET_STATE_MAX ||
        values > NONET_MAX_PLAYERS || header->greatest > NONET_CODE_MAX ||
        header->index_size > NONET_TABLE_INDEX)
        return false;
    for (int i = 0; i < NONET_TABLE_SECTIONS; i++)
        if (!read_section(&header->section[i], bytes + AT_SECTIONS + i * SECTION_SIZE,
                          header->values, &index_size))
            return false;
    /* Several values of an entry go with numbers only. */
    if (values > 1 && header->section[NONET_TABLE_LISTED].count > 0)
        return false;
    if (header->index_offset >= NONET_TABLE_HEADER + length && header->index_offset <= file_size &&
        header->index_size == file_size - header->index_offset && header->index_size == index_size)
        return true;
    *why = nonet_say(&nonet_table_phrases[NONET_TABLE_SHORT]);
    return false;
}
