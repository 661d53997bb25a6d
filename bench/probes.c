/* How long probing a table takes: scattered positions, each of which needs another block, and the
 * neighbours that a player asks about: all positions after the moves of random games.
 *
 *     build/bench-probes FILE GAME [key=value]… */
#define _GNU_SOURCE /* clock_gettime's clock of the thread */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "host/table_store.h"
#include "rules/ranking.h"

enum { SCATTERED = 20000, GAMES = 300, PLIES = 200 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void probe(struct table_file *file, const void *state) {
    struct nonet_value value;
    struct nonet_message why;
    if (nonet_table_probe(file->table, state, &value, &why))
        return;
    fputs("a position is missing\n", stderr);
    exit(1);
}

/* A random position that is not over: one of the ranked positions, or else one of a random game. */
static void scatter(const struct nonet_options *options, const void *index,
                    struct nonet_random *random, void *state) {
    const struct nonet_game *game = options->game;
    const struct nonet_ranking *ranking = nonet_ranking_of(options);
    if (ranking != NULL) {
        do {
            uint64_t number = nonet_random_next(random), all = 0;
            int tier = 0;
            for (int i = 0; i < ranking->tiers(options); i++)
                all += ranking->size(options, index, i);
            for (number %= all; number >= ranking->size(options, index, tier); tier++)
                number -= ranking->size(options, index, tier);
            ranking->unrank(options, index, tier, number, state);
        } while (game->turn(options, state) == 0);
        return;
    }
    do {
        nonet_move moves[NONET_MAX_MOVES];
        game->start(options, state, NULL);
        for (uint32_t ply = nonet_random_below(random, 50); ply > 0; ply--) {
            int count = game->moves(options, state, moves);
            if (count == 0)
                break;
            game->play(options, state, NULL, moves[nonet_random_below(random, (uint32_t)count)]);
        }
    } while (game->turn(options, state) == 0);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_scattered(const struct nonet_options *options, struct table_file *file) {
    static double times[SCATTERED];
    struct nonet_random random = {1};
    void *index = NULL;
    const struct nonet_ranking *ranking = nonet_ranking_of(options);
    if (ranking != NULL) {
        index = malloc(ranking->index_size(options));
        ranking->build_index(options, index);
    }
    for (int i = 0; i < SCATTERED; i++) {
        struct nonet_state state;
        memset(&state, 0, sizeof state);
        scatter(options, index, &random, &state);
        double begun = now();
        probe(file, &state);
        times[i] = now() - begun;
    }
    qsort(times, SCATTERED, sizeof times[0], compare);
    printf("scattered: median %.3f ms, 99 %% %.3f ms, 99.9 %% %.3f ms, worst %.3f ms\n",
           1e3 * times[SCATTERED / 2], 1e3 * times[SCATTERED * 99 / 100],
           1e3 * times[SCATTERED / 1000 * 999], 1e3 * times[SCATTERED - 1]);
    free(index);
}

static void measure_neighbours(const struct nonet_options *options, struct table_file *file) {
    const struct nonet_game *game = options->game;
    struct nonet_random random = {2};
    nonet_move moves[NONET_MAX_MOVES];
    uint64_t probes = 0;
    double begun = now();
    for (int i = 0; i < GAMES; i++) {
        struct nonet_state state, child;
        game->start(options, &state, NULL);
        for (int ply = 0; ply < PLIES; ply++) {
            int count = game->moves(options, &state, moves);
            if (count == 0)
                break;
            for (int k = 0; k < count; k++, probes++) {
                memcpy(&child, &state, game->state_size);
                game->play(options, &child, NULL, moves[k]);
                probe(file, &child);
            }
            game->play(options, &state, NULL, moves[nonet_random_below(&random, (uint32_t)count)]);
        }
    }
    double seconds = now() - begun;
    printf("neighbours: %llu probes, %.0f a second\n", (unsigned long long)probes,
           (double)probes / seconds);
}

int main(int argc, char **argv) {
    struct nonet_options options;
    struct nonet_message message;
    struct table_file file;
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const struct nonet_game *game = argc > 2 ? nonet_game_find(argv[2]) : NULL;
    if (game == NULL) {
        fputs("usage: bench-probes FILE GAME [key=value]…\n", stderr);
        return 2;
    }
    nonet_options_default(&options, game);
    for (int i = 3; i < argc; i++)
        if (!nonet_options_set(&options, argv[i], &message))
            return 2;
    double begun = now();
    if (table_file_open(argv[1], &options, &file, &why) != TABLE_FOUND) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    printf("opened in %.1f ms\n", 1e3 * (now() - begun));
    measure_scattered(&options, &file);
    measure_neighbours(&options, &file);
    table_file_close(&file);
    return 0;
}
