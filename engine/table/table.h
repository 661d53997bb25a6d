/* Tables of exact values, probed from bytes: a file, memory, or any source that the caller fetches
 * from. The format is described in docs/tables.md.
 *
 * Opening a table reads its header and index. A probe fetches and unpacks one block. About four
 * megabytes of unpacked blocks are cached, so that a position near the last one is found in a
 * microsecond. Because of this cache, an open table belongs to one thread at a time. */
#ifndef NONET_TABLE_TABLE_H
#define NONET_TABLE_TABLE_H

#include "../rules/game.h"
#include "../rules/values.h"

/* Copies `size` bytes starting at `offset`; false if that is not possible. */
typedef bool nonet_table_fetch(void *context, uint64_t offset, void *bytes, size_t size);

struct nonet_table; /* open it with nonet_table_open, close it with nonet_table_close */

/* Opens a table of `size` bytes for the game and options. Tables know no swap rule (swap.h), but
 * serve with it as well: an open table answers for the game as it is played. Null with the reason
 * if the table is damaged, has another version, is for another game, or is from a program that
 * numbered positions in another way. */
struct nonet_table *nonet_table_open(const struct nonet_options *options, nonet_table_fetch *fetch,
                                     void *context, uint64_t size, struct nonet_message *why);
void nonet_table_close(struct nonet_table *table);

/* The same table for another thread, or for the same game with or without the swap rule. It must
 * be closed before this one; `fetch` is called from both. Null if memory runs out. */
struct nonet_table *nonet_table_open_again(const struct nonet_table *table,
                                           const struct nonet_options *options);

/* The value of a position for the player who is next. The value of a finished one follows from the
 * rules. False with the reason if it is not in the table (no game reaches it), or if its part of
 * the table is damaged. */
bool nonet_table_probe(struct nonet_table *table, const void *state, struct nonet_value *value,
                       struct nonet_message *why);
/* The same for any player. With more than two, it is what they reach against all others. */
bool nonet_table_probe_for(struct nonet_table *table, const void *state, int player,
                           struct nonet_value *value, struct nonet_message *why);

/* The game of a table, as nonet_options_write writes it, before it is opened. */
bool nonet_table_name(nonet_table_fetch *fetch, void *context, uint64_t size,
                      struct nonet_text *name, struct nonet_message *why);

/* For reading a whole table: first come the values of all positions that the game's `ranking`
 * numbers, in that order, then a list of states with their values. */
struct nonet_table_facts {
    uint64_t ranked, listed;                 /* number of entries of each kind */
    int values;                              /* of each entry: ranking.h */
    uint32_t ranked_entries, listed_entries; /* in every block but the last */
    int greatest;                            /* value code that occurs; see codec.h */
};
struct nonet_table_facts nonet_table_facts(const struct nonet_table *table);

/* How the ranked entries are numbered: the index of the game's ranking, and the entry that each
 * tier begins with, followed by the total. Both belong to the table, and are null if there are no
 * ranked entries. */
struct nonet_table_numbering {
    const void *index;
    const uint64_t *tier_start;
};
struct nonet_table_numbering nonet_table_numbering(const struct nonet_table *table);

/* Unpacks a block of either kind. `count` is that of its entries; the codes of an entry's values
 * are together. States and value codes are valid until the next call. */
bool nonet_table_block(struct nonet_table *table, bool listed, uint32_t block,
                       const unsigned char **states, const uint16_t **codes, size_t *count,
                       struct nonet_message *why);

#endif
