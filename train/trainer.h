/* Trains a network, in floating point, and rounds it to whole numbers. The same samples and
 * settings give the same weights, with the same compiler and machine. */
#ifndef NONET_TRAIN_TRAINER_H
#define NONET_TRAIN_TRAINER_H

#include "samples.h"

struct settings {
    uint64_t seed;
    int epochs;       /* how often every sample is seen; 0 leaves the network untrained */
    double rate;      /* of learning, at first */
    double by_search; /* share of what a search expected in the aim; the rest is the result */
};

/* Finds the weights: as many as nonet_network_weights says. Returns false without memory. */
bool trainer_run(const struct samples *samples, const struct settings *settings, int16_t *weights);

#endif
