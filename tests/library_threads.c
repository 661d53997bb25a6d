/* Many threads use the library at once: they share a language and variants, and each has rounds
 * and batches of its own. What they compute must be the same in all of them. Built with
 * ThreadSanitizer, this finds data that is not theirs. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nonet/nonet.h"

enum { THREADS = 8, BATCH = 16, TEXT = 1 << 14 };

static const char *const names[] = {
    "trix", "ksar:frame=5x5", "masker:players=3,seed=2", "chasm:players=3", "kolem", "quadrangle"};
enum { NAMES = sizeof names / sizeof names[0] };

struct work {
    pthread_t thread;
    struct nonet_variant *const *variants;
    char said[TEXT];
    int failed;
};

static void say(struct work *work, const char *text) {
    if (text == NULL) {
        work->failed = 1;
        return;
    }
    size_t length = strlen(work->said);
    snprintf(work->said + length, sizeof work->said - length, "%s\n", text);
}

/* A game in which every third move is a player's, the others are the first or the last legal. */
static void play(struct work *work, const struct nonet_variant *variant) {
    struct nonet_error error;
    struct nonet_round *round = nonet_round_open(variant, NULL, &error);
    const struct nonet_thinking thinking = {.level = 4, .nodes = 30, .seed = 1};
    for (int ply = 0; round != NULL && ply < 12 && nonet_round_turn(round) != 0; ply++) {
        uint32_t move = 0;
        uint64_t count = nonet_round_legal_count(round);
        if (ply % 3 == 0)
            work->failed |= nonet_round_choose(round, &thinking, &move, &error) != NONET_OK;
        else
            nonet_round_legal(round, ply % 3 == 1 ? 0 : count - 1, &move, 1);
        work->failed |= nonet_round_play(round, move, &error) != NONET_OK;
        work->failed |= nonet_round_play(round, 0xffffffff, &error) == NONET_OK;
        say(work, error.message);
    }
    say(work, nonet_round_text(round, NONET_VIEW_PUBLIC, &error));
    struct nonet_tally tally;
    work->failed |= nonet_round_playouts(round, 20, 1, &tally, &error) != NONET_OK;
    nonet_round_close(round);
    struct nonet_batch *batch = nonet_batch_open(variant, BATCH, 1, &error);
    uint32_t moves[BATCH];
    for (int ply = 0; batch != NULL && ply < 20; ply++) {
        work->failed |= nonet_batch_choose(batch, moves, &error) != NONET_OK;
        work->failed |= nonet_batch_step(batch, moves, NULL, &error) != NONET_OK;
        nonet_batch_restart(batch);
    }
    nonet_batch_close(batch);
}

static void *run(void *argument) {
    struct work *work = argument;
    for (int i = 0; i < NAMES; i++)
        play(work, work->variants[i]);
    return NULL;
}

int main(void) {
    struct nonet_error error;
    struct nonet_words *words =
        nonet_words_open("common.no-such-move\tkein Zug\ncommon.game-over\taus", &error);
    struct nonet_variant *variants[NAMES];
    for (int i = 0; i < NAMES; i++)
        variants[i] = nonet_variant_open(names[i], words, &error);
    static struct work works[THREADS];
    for (int i = 0; i < THREADS; i++) {
        works[i].variants = variants;
        if (pthread_create(&works[i].thread, NULL, run, &works[i]) != 0)
            return 1;
    }
    int failed = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(works[i].thread, NULL);
        failed |= works[i].failed || strcmp(works[i].said, works[0].said) != 0;
    }
    for (int i = 0; i < NAMES; i++)
        nonet_variant_close(variants[i]);
    nonet_words_close(words);
    failed |= strstr(works[0].said, "kein Zug") == NULL;
    printf("%d passed, %d failed\n", !failed, failed);
    return failed;
}
