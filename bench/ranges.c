/* How many requests a position needs if its table is a file on another machine, of which ranges of
 * bytes are fetched: for the values of all moves of the positions of some games. Half of the games
 * are random. In the others both sides play a best move nine times out of ten.
 *
 *     build/tests/bench-ranges FILE GAME [key=value]… */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "host/files.h"
#include "host/table_store.h"

enum { GAMES = 40, PLIES = 60, PAGE = 4096 };

/* The file, and which of its pages are here. */
static int descriptor;
static uint64_t file_size;
static unsigned char *here; /* for each page: 0 not here, 1 wanted, 2 here */
static uint64_t pages;

static bool fetch(void *unused, uint64_t offset, void *bytes, size_t size) {
    (void)unused;
    bool all = true;
    for (uint64_t i = offset / PAGE; i <= (offset + size - 1) / PAGE; i++) {
        all = all && here[i] == 2;
        if (here[i] == 0)
            here[i] = 1;
    }
    return all && files_fetch(descriptor, offset, bytes, size);
}

static struct tally { uint64_t positions, missing, moves, bytes, requests; } tally;

/* Fetches what is wanted; pages that are less than `gap` apart come with one request. */
static void bring(uint64_t gap) {
    uint64_t last = UINT64_MAX;
    for (uint64_t i = 0; i < pages; i++) {
        if (here[i] != 1)
            continue;
        if (last == UINT64_MAX || (i - last) * PAGE > gap) {
            tally.requests++;
            tally.bytes += PAGE;
        } else {
            tally.bytes += (i - last) * PAGE;
            for (uint64_t k = last + 1; k < i; k++)
                here[k] = 2;
        }
        tally.missing++;
        here[i] = 2;
        last = i;
    }
}

/* Probes all moves; false if some bytes are missing. */
static bool probe_moves(const struct nonet_options *options, struct nonet_table *table,
                        const struct nonet_state *state, const nonet_move *moves, int count,
                        int *best) {
    bool all = true;
    struct nonet_value value, best_value = {0};
    for (int i = 0; i < count; i++) {
        struct nonet_state child = *state;
        struct nonet_message why;
        options->game->play(options, &child, NULL, moves[i]);
        if (!nonet_table_probe(table, &child, &value, &why)) {
            all = false;
            continue;
        }
        value = nonet_value_before(value);
        if (i == 0 || nonet_value_compare(&value, &best_value) > 0) {
            best_value = value;
            *best = i;
        }
    }
    return all;
}

/* Only what opening the table needed is here. Of a table that keeps unpacked blocks, a new one. */
static unsigned char *opened;
static struct nonet_table *forget(const struct nonet_options *options,
                                  const struct nonet_table *table) {
    memcpy(here, opened, pages);
    return nonet_table_open_again(table, options);
}

static void play(const struct nonet_options *options, const struct nonet_table *whole, bool well,
                 bool alone, uint64_t gap, struct nonet_random *random) {
    const struct nonet_game *game = options->game;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state state = {0};
    struct nonet_table *table = forget(options, whole);
    game->start(options, &state, NULL);
    for (int ply = 0; ply < PLIES; ply++) {
        int count = game->moves(options, &state, moves), best = 0;
        if (count == 0)
            break;
        if (alone) {
            nonet_table_close(table);
            table = forget(options, whole);
        }
        while (!probe_moves(options, table, &state, moves, count, &best))
            bring(gap);
        tally.positions++;
        tally.moves += (uint64_t)count;
        bool follow = well && nonet_random_below(random, 10) > 0;
        int pick = follow ? best : (int)nonet_random_below(random, (uint32_t)count);
        game->play(options, &state, NULL, moves[pick]);
    }
    nonet_table_close(table);
}

static void measure(const struct nonet_options *options, const struct nonet_table *table,
                    bool alone, uint64_t gap) {
    struct nonet_random random = {1};
    tally = (struct tally){0};
    for (int i = 0; i < GAMES; i++)
        play(options, table, i % 2, alone, gap, &random);
    double positions = (double)tally.positions;
    printf("%s, gaps of %4llu kB: %.1f moves, %.2f new pages, %.2f requests, %.0f kB\n",
           alone ? "alone" : "in a game", (unsigned long long)gap >> 10,
           (double)tally.moves / positions, (double)tally.missing / positions,
           (double)tally.requests / positions, (double)tally.bytes / positions / 1000);
}

int main(int argc, char **argv) {
    struct nonet_options options;
    struct nonet_message message;
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const struct nonet_game *game = argc > 2 ? nonet_game_find(argv[2]) : NULL;
    if (game == NULL) {
        fputs("usage: bench-ranges FILE GAME [key=value]…\n", stderr);
        return 2;
    }
    nonet_options_default(&options, game);
    for (int i = 3; i < argc; i++)
        if (!nonet_options_set(&options, argv[i], &message))
            return 2;
    descriptor = files_open(argv[1], &file_size, &why);
    if (descriptor < 0) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    pages = file_size / PAGE + 1;
    here = calloc(1, pages);
    struct nonet_table *table;
    while ((table = nonet_table_open(&options, fetch, NULL, file_size, &message)) == NULL) {
        uint64_t before = tally.requests;
        bring(PAGE);
        if (tally.requests == before) {
            fputs("the table cannot be used\n", stderr);
            return 1;
        }
    }
    printf("opened with %llu requests, %llu kB\n", (unsigned long long)tally.requests,
           (unsigned long long)tally.bytes / 1000);
    opened = malloc(pages);
    memcpy(opened, here, pages);
    for (int alone = 0; alone < 2; alone++)
        for (uint64_t gap = PAGE; gap <= 1 << 20; gap *= 4)
            measure(&options, table, alone, gap);
    return 0;
}
