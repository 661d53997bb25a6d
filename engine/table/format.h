/* The outer format of a table file: header, index and checksums, as docs/tables.md describes them.
 * The writer and the reader share it. The codec handles the contents of the blocks. */
#ifndef NONET_TABLE_FORMAT_H
#define NONET_TABLE_FORMAT_H

#include "../rules/game.h"

enum {
    NONET_TABLE_VERSION = 2,
    NONET_TABLE_HEADER = 104,   /* bytes before the game's name */
    NONET_TABLE_NAME_MAX = 255, /* the longest name of a game */
    NONET_TABLE_PART = 8, /* bytes of the index for a preface, or for a block without its key */
    NONET_TABLE_PACKED = 1 << 24, /* the largest packed block */
    /* Limits on what bytes from an unknown source can ask for. */
    NONET_TABLE_CHAPTER = 1 << 16, /* blocks of a chapter */
    NONET_TABLE_INDEX = 1 << 28,   /* bytes of the index */
};

/* Entries are in one or both of two sections: values in the order of the game's `ranking`, and
 * states with their values, for positions that have no number. */
enum nonet_table_part { NONET_TABLE_RANKED, NONET_TABLE_LISTED, NONET_TABLE_SECTIONS };

struct nonet_table_section {
    uint64_t count; /* entries; 0 if there is no such section */
    uint32_t blocks, chapters;
    uint32_t block_entries, chapter_blocks; /* in all but the last */
    uint16_t key_size;                      /* the size of a state, or 0 if there are no keys */
};

struct nonet_table_header {
    bool has_margin;     /* values are margins, not distances */
    uint16_t values;     /* of each entry */
    uint16_t state_size; /* of the game */
    uint16_t greatest;   /* value code */
    uint64_t index_offset, index_size;
    uint32_t index_checksum;
    uint64_t fingerprint; /* of the game's canonical form and numbering: see fingerprint.h */
    struct nonet_table_section section[NONET_TABLE_SECTIONS];
    char name[NONET_TABLE_NAME_MAX + 1]; /* "trix:camps=corner", as nonet_options_write writes it */
};

/* Computes what follows from the counts. False if there are too many blocks. */
bool nonet_table_section_complete(struct nonet_table_section *section);

/* CRC-32 as in zip, gzip and PNG; begin with 0, continue with the last result. */
uint32_t nonet_table_checksum(uint32_t checksum, const void *bytes, size_t size);

uint32_t nonet_load32(const unsigned char *bytes);
void nonet_store32(unsigned char *bytes, uint32_t value);

/* Writes the header and the name; returns how many bytes, at most NONET_TABLE_HEADER +
 * NONET_TABLE_NAME_MAX. */
size_t nonet_table_header_write(const struct nonet_table_header *header, unsigned char *bytes);

/* Reads them from the first `size` bytes of a file of `file_size` bytes. After success all fields
 * are within bounds and consistent. */
bool nonet_table_header_read(struct nonet_table_header *header, const unsigned char *bytes,
                             size_t size, uint64_t file_size, struct nonet_message *why);

enum nonet_table_phrase {
    NONET_TABLE_NO_TABLE,
    NONET_TABLE_OTHER_VERSION,
    NONET_TABLE_BAD_HEADER,
    NONET_TABLE_SHORT,
    NONET_TABLE_UNREADABLE,
    NONET_TABLE_OTHER_GAME,
    NONET_TABLE_OTHER_NUMBERS,
    NONET_TABLE_BAD_INDEX,
    NONET_TABLE_BAD_BLOCK,
    NONET_TABLE_NO_MEMORY,
    NONET_TABLE_NOT_LISTED,
    NONET_TABLE_PHRASES
};
extern const struct nonet_phrase nonet_table_phrases[NONET_TABLE_PHRASES];

#endif
