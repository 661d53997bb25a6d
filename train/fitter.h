/* Fits weights to choices, in floating point, and rounds them. How likely something is to be chosen
 * is in proportion to the power of two of the weighted sum of its counts. */
#ifndef NONET_TRAIN_FITTER_H
#define NONET_TRAIN_FITTER_H

#include "choices.h"

/* The choices that one set of weights is for. */
struct fit {
    const struct choices *choices;
    int set, width; /* how many things are counted */
    double unit;    /* of a weight: so much doubles */
};

/* Finds the weights that make the choices likeliest, less `ridge` for each square of a weight
 * (natural logarithms), which keeps small what few choices tell. False, with the weights unchanged,
 * if there is nothing to learn from. */
bool fitter_run(const struct fit *fit, double ridge, int16_t *weights);

/* The mean logarithm of how likely the choices were that are held out, and how many they are; null
 * for weights is a guess. */
double fitter_likelihood(const struct fit *fit, const int16_t *weights, size_t *count);

#endif
