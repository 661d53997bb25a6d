/* Many games at once: sessions that share one scratch. So a batch keeps the same rules as a round,
 * draws by repetition included, and costs little more than its states. */
#include <stdlib.h>

#include "base/random.h"
#include "inside.h"

struct nonet_batch {
    struct nonet_options options; /* not dealt */
    struct nonet_random random;
    struct nonet_scratch *scratch;
    size_t size;
    struct nonet_session *games[];
};

enum { MOST_GAMES = 1 << 20 };

static struct nonet_options deal(struct nonet_batch *batch) {
    struct nonet_options options = batch->options;
    uint64_t open = nonet_random_next(&batch->random), secret = nonet_random_next(&batch->random);
    nonet_options_deal(&options, open, secret);
    return options;
}

struct nonet_batch *nonet_batch_open(const struct nonet_variant *variant, size_t size,
                                     uint64_t seed, struct nonet_error *error) {
    if (variant == NULL || size == 0 || size > MOST_GAMES) {
        library_bad_argument(error, variant == NULL ? "variant" : "size");
        return NULL;
    }
    struct nonet_batch *batch = calloc(1, sizeof *batch + size * sizeof batch->games[0]);
    if (batch != NULL) {
        batch->options = variant->options;
        batch->random.state = seed;
        batch->size = size;
        batch->scratch = nonet_scratch_new(variant->options.game);
    }
    bool ready = batch != NULL && batch->scratch != NULL;
    for (size_t i = 0; ready && i < size; i++) {
        const struct nonet_options options = deal(batch);
        batch->games[i] = nonet_session_new_at(&options, batch->scratch);
        ready = batch->games[i] != NULL;
    }
    if (ready)
        return batch;
    nonet_batch_close(batch);
    library_no_memory(error);
    return NULL;
}

void nonet_batch_close(struct nonet_batch *batch) {
    if (batch == NULL)
        return;
    for (size_t i = 0; i < batch->size; i++)
        nonet_session_free(batch->games[i]);
    nonet_scratch_free(batch->scratch);
    free(batch);
}

size_t nonet_batch_size(const struct nonet_batch *batch) {
    return batch != NULL ? batch->size : 0;
}

static uint8_t step(struct nonet_session *game, nonet_move move) {
    struct nonet_message why;
    if (nonet_session_turn(game) == 0)
        return NONET_STEP_OVER;
    if (!nonet_session_play(game, move, &why))
        return NONET_STEP_REFUSED;
    return nonet_session_turn(game) == 0 ? NONET_STEP_OVER : NONET_STEP_ON;
}

int nonet_batch_step(struct nonet_batch *batch, const uint32_t *moves, uint8_t *steps,
                     struct nonet_error *error) {
    if (batch == NULL || moves == NULL)
        return library_bad_argument(error, batch == NULL ? "batch" : "moves");
    for (size_t i = 0; i < batch->size; i++) {
        uint8_t done = step(batch->games[i], moves[i]);
        if (steps != NULL)
            steps[i] = done;
    }
    return NONET_OK;
}

int nonet_batch_choose(struct nonet_batch *batch, uint32_t *moves, struct nonet_error *error) {
    if (batch == NULL || moves == NULL)
        return library_bad_argument(error, batch == NULL ? "batch" : "moves");
    for (size_t i = 0; i < batch->size; i++) {
        uint64_t count = nonet_session_count(batch->games[i]);
        moves[i] = count == 0
                       ? 0
                       : nonet_session_nth(batch->games[i],
                                           nonet_random_below(&batch->random, (uint32_t)count));
    }
    return NONET_OK;
}

size_t nonet_batch_restart(struct nonet_batch *batch) {
    size_t restarted = 0;
    for (size_t i = 0; i < nonet_batch_size(batch); i++) {
        if (nonet_session_turn(batch->games[i]) != 0)
            continue;
        const struct nonet_options options = deal(batch);
        nonet_session_restart(batch->games[i], &options);
        restarted++;
    }
    return restarted;
}

int nonet_batch_turns(const struct nonet_batch *batch, uint8_t *turns, struct nonet_error *error) {
    if (batch == NULL || turns == NULL)
        return library_bad_argument(error, batch == NULL ? "batch" : "turns");
    for (size_t i = 0; i < batch->size; i++)
        turns[i] = (uint8_t)nonet_session_turn(batch->games[i]);
    return NONET_OK;
}

int nonet_batch_winners(const struct nonet_batch *batch, uint8_t *winners,
                        struct nonet_error *error) {
    if (batch == NULL || winners == NULL)
        return library_bad_argument(error, batch == NULL ? "batch" : "winners");
    for (size_t i = 0; i < batch->size; i++) {
        struct nonet_result result;
        nonet_session_result(batch->games[i], &result);
        winners[i] = result.winners;
    }
    return NONET_OK;
}

size_t nonet_batch_legal(struct nonet_batch *batch, size_t index, uint64_t first, uint32_t *moves,
                         size_t room) {
    return index < nonet_batch_size(batch) ? library_legal(batch->games[index], first, moves, room)
                                           : 0;
}
