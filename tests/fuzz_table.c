/* Fuzz target for the bytes of tables: the first byte says which game, the rest is a table.
 *
 * Checksums would reject nearly every input, so they are corrected first, as far as the sizes in
 * header and index make sense. Then the table is opened, positions of a game are looked up, and
 * some blocks of each kind are unpacked. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzzing.h"
#include "memory.h"
#include "rules/game.h"
#include "table/format.h"
#include "table/table.h"

/* The places are those of docs/tables.md. Only the first part, a preface, and those that follow it
 * in a list of states are corrected. */
static void sign(uint8_t *bytes, size_t size, size_t state_size) {
    if (size < NONET_TABLE_HEADER)
        return;
    size_t name = (size_t)(bytes[18] | bytes[19] << 8), index = nonet_load32(bytes + 24);
    if (NONET_TABLE_HEADER + name > size || index > size)
        return;
    size_t at = NONET_TABLE_HEADER + name, stride = NONET_TABLE_PART;
    for (size_t entry = index; entry + NONET_TABLE_PART <= size;
         entry += stride, stride = NONET_TABLE_PART + state_size) {
        size_t part = nonet_load32(bytes + entry);
        if (part > size - at)
            break;
        nonet_store32(bytes + entry + 4, nonet_table_checksum(0, bytes + at, part));
        at += part;
    }
    nonet_store32(bytes + 20, nonet_table_checksum(0, bytes + index, size - index));
    uint32_t checksum = nonet_table_checksum(0, bytes, NONET_TABLE_HEADER - 4);
    nonet_store32(bytes + NONET_TABLE_HEADER - 4,
                  nonet_table_checksum(checksum, bytes + NONET_TABLE_HEADER, name));
}

static void look_up(struct nonet_table *table, const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    struct nonet_state state;
    game->start(options, &state, NULL);
    for (int ply = 0; ply < 40 && game->turn(options, &state) != 0; ply++) {
        nonet_move moves[NONET_MAX_MOVES];
        struct nonet_value value;
        struct nonet_message why;
        nonet_table_probe(table, &state, &value, &why);
        int count = game->moves(options, &state, moves);
        game->play(options, &state, NULL, moves[(7 * ply) % count]);
    }
}

static void unpack(struct nonet_table *table) {
    enum { MOST = 8 };
    struct nonet_table_facts facts = nonet_table_facts(table);
    for (int listed = 0; listed < 2; listed++) {
        uint64_t count = listed ? facts.listed : facts.ranked;
        uint32_t entries = listed ? facts.listed_entries : facts.ranked_entries;
        for (uint32_t block = 0; block < MOST && (uint64_t)block * entries < count; block++) {
            const unsigned char *states;
            const uint16_t *codes;
            size_t got;
            struct nonet_message why;
            if (nonet_table_block(table, listed, block, &states, &codes, &got, &why))
                for (size_t i = 0; i < got; i++)
                    if (codes[i] > facts.greatest)
                        abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (size < 1 || size > 1 << 16)
        return 0;
    struct nonet_options options;
    int which = bytes[0] % (nonet_game_count + 1);
    const struct nonet_game *game =
        which == nonet_game_count ? nonet_game_find("template") : nonet_games[which];
    if (game == NULL || game->wide != NULL || game->hidden != NULL || game->deal != NULL)
        return 0;
    nonet_options_default(&options, game);
    uint8_t *copy = malloc(size);
    if (copy == NULL)
        return 0;
    memcpy(copy, bytes + 1, size - 1);
    sign(copy, size - 1, game->state_size);
    struct memory memory = {copy, size - 1};
    struct nonet_message why;
    struct nonet_table *table = nonet_table_open(&options, fetch, &memory, memory.size, &why);
    if (table != NULL) {
        look_up(table, &options);
        unpack(table);
        nonet_table_close(table);
    }
    free(copy);
    return 0;
}
