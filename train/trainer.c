#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { HIDDEN = NONET_NETWORK_HIDDEN, BATCH = 128 };

/* The parameters: for each feature its weight in each hidden unit; then as in a network. */
enum { MOST = NONET_NETWORK_WEIGHTS };

struct trainer {
    const struct samples *samples;
    const struct settings *settings;
    struct nonet_random random;
    int inputs, count;                                         /* of features, of parameters */
    float mean[NONET_MAX_FEATURES], scale[NONET_MAX_FEATURES]; /* so that inputs are alike */
    float value[MOST], slope[MOST];
    float mean_slope[MOST], mean_square[MOST]; /* of slopes so far: Adam (Kingma, Ba 2014) */
    int steps;
};

static float uniform(struct nonet_random *random) {
    return (float)(nonet_random_next(random) >> 40) / (float)(1 << 24);
}

/* Means and deviations of the features, over the samples to learn from. */
static void measure_features(struct trainer *t) {
    double count = 0, sum[NONET_MAX_FEATURES] = {0}, squares[NONET_MAX_FEATURES] = {0};
    for (size_t i = 0; i < t->samples->count; i++) {
        const struct sample *sample = &t->samples->sample[i];
        if (sample->held_out)
            continue;
        count++;
        for (int k = 0; k < t->inputs; k++) {
            sum[k] += sample->features[k];
            squares[k] += (double)sample->features[k] * sample->features[k];
        }
    }
    for (int k = 0; k < t->inputs && count > 0; k++) {
        double mean = sum[k] / count, variance = squares[k] / count - mean * mean;
        t->mean[k] = (float)mean;
        t->scale[k] = variance > 0.01 ? (float)(1 / sqrt(variance)) : 0;
    }
}

static void initialise(struct trainer *t) {
    float range = sqrtf(3 / (float)t->inputs);
    for (int i = 0; i < t->count - 1; i++)
        t->value[i] = (2 * uniform(&t->random) - 1) * range;
    for (int i = 0; i < HIDDEN; i++)
        t->value[t->inputs * HIDDEN + i] = 0.5f;
}

/* ---- One sample ---- */

/* Adds the slope of the loss for a sample. */
static void learn(struct trainer *t, const struct sample *sample) {
    const float *constants = t->value + t->inputs * HIDDEN, *outputs = constants + HIDDEN;
    float input[NONET_MAX_FEATURES], hidden[HIDDEN], back[HIDDEN];
    memcpy(hidden, constants, sizeof hidden);
    for (int k = 0; k < t->inputs; k++) {
        input[k] = ((float)sample->features[k] - t->mean[k]) * t->scale[k];
        for (int i = 0; i < HIDDEN; i++)
            hidden[i] += input[k] * t->value[k * HIDDEN + i];
    }
    float sum = outputs[HIDDEN];
    for (int i = 0; i < HIDDEN; i++)
        sum += fminf(fmaxf(hidden[i], 0), 1) * outputs[i];
    float share = (float)t->settings->by_search;
    float aim = share * sample->expected + (1 - share) * sample->result;
    float error = 1 / (1 + expf(-sum)) - aim;
    float *slope = t->slope + t->inputs * HIDDEN;
    for (int i = 0; i < HIDDEN; i++) {
        back[i] = hidden[i] > 0 && hidden[i] < 1 ? error * outputs[i] : 0;
        slope[i] += back[i];
        slope[HIDDEN + i] += error * fminf(fmaxf(hidden[i], 0), 1);
    }
    slope[2 * HIDDEN] += error;
    for (int k = 0; k < t->inputs; k++)
        for (int i = 0; i < HIDDEN; i++)
            t->slope[k * HIDDEN + i] += input[k] * back[i];
}

/* Changes the parameters after a batch. */
static void step(struct trainer *t, int batch, float rate) {
    const float keep = 0.9f, keep_square = 0.999f;
    t->steps++;
    float correction =
        sqrtf(1 - powf(keep_square, (float)t->steps)) / (1 - powf(keep, (float)t->steps));
    for (int i = 0; i < t->count; i++) {
        float slope = t->slope[i] / (float)batch;
        t->mean_slope[i] = keep * t->mean_slope[i] + (1 - keep) * slope;
        t->mean_square[i] = keep_square * t->mean_square[i] + (1 - keep_square) * slope * slope;
        t->value[i] -= rate * correction * t->mean_slope[i] / (sqrtf(t->mean_square[i]) + 1e-8f);
        t->slope[i] = 0;
    }
}

/* ---- All samples ---- */

static void shuffle(struct nonet_random *random, uint32_t *order, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t other = nonet_random_below(random, (uint32_t)i);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
}

static void train(struct trainer *t, uint32_t *order, size_t count) {
    int epochs = t->settings->epochs;
    for (int epoch = 0; epoch < epochs; epoch++) {
        shuffle(&t->random, order, count);
        for (size_t i = 0; i < count; i += BATCH) {
            int batch = count - i < BATCH ? (int)(count - i) : BATCH;
            for (int k = 0; k < batch; k++)
                learn(t, &t->samples->sample[order[i + (size_t)k]]);
            /* From the full rate along half a wave down to nothing. */
            double done = ((double)epoch + (double)i / (double)count) / epochs;
            step(t, batch, (float)(t->settings->rate * (1 + cos(done * acos(-1))) / 2));
        }
    }
}

static int16_t rounded(double value) {
    return (int16_t)fmax(-INT16_MAX, fmin(INT16_MAX, round(value)));
}

/* Features enter the network as they are, so scales and means move into its weights. */
static void round_all(const struct trainer *t, int16_t *weights) {
    const float *constants = t->value + t->inputs * HIDDEN, *outputs = constants + HIDDEN;
    double constant[HIDDEN];
    for (int i = 0; i < HIDDEN; i++)
        constant[i] = constants[i];
    for (int k = 0; k < t->inputs; k++)
        for (int i = 0; i < HIDDEN; i++) {
            int16_t *weight = &weights[i * NONET_MAX_FEATURES + k];
            *weight = rounded(t->value[k * HIDDEN + i] * t->scale[k] * NONET_NETWORK_ONE);
            constant[i] -= (double)*weight / NONET_NETWORK_ONE * t->mean[k];
        }
    weights += HIDDEN * NONET_MAX_FEATURES;
    for (int i = 0; i < HIDDEN; i++) {
        weights[i] = rounded(constant[i] * NONET_NETWORK_CONSTANT_ONE);
        weights[HIDDEN + i] = rounded(outputs[i] * NONET_NETWORK_UNIT_ONE);
    }
    weights[2 * HIDDEN] = rounded(outputs[HIDDEN] * NONET_NETWORK_UNIT_ONE);
}

bool trainer_run(const struct samples *samples, const struct settings *settings, int16_t *weights) {
    struct trainer *t = calloc(1, sizeof *t);
    uint32_t *order = malloc((samples->count + 1) * sizeof *order);
    bool good = t != NULL && order != NULL;
    if (good) {
        t->samples = samples;
        t->settings = settings;
        t->random.state = settings->seed;
        t->inputs = samples->game->features->count;
        t->count = (t->inputs + 2) * HIDDEN + 1;
        size_t count = 0;
        for (size_t i = 0; i < samples->count; i++)
            if (!samples->sample[i].held_out)
                order[count++] = (uint32_t)i;
        measure_features(t);
        initialise(t);
        train(t, order, count);
        round_all(t, weights);
    }
    free(order);
    free(t);
    return good;
}
