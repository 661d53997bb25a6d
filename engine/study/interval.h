/* What a sample tells about what is usual: a value, and the interval that holds the true one in 95
 * of 100 samples. docs/bench.md states the formulas. */
#ifndef NONET_STUDY_INTERVAL_H
#define NONET_STUDY_INTERVAL_H

#include <stdint.h>

struct interval {
    int count; /* of the sample; if it is 0, the rest means nothing */
    double value, low, high;
};

/* The mean of numbers from 0 to 1, by Wilson: for shares of games, also where a draw is half. For
 * numbers that are all 0 or all 1, too, it does not claim to be sure. */
struct interval interval_share(double sum, int count);

/* The mean of any numbers, from their sum and the sum of their squares: the normal interval. With
 * one number only there is none: low and high are the value. */
struct interval interval_mean(double sum, double squares, int count);

#endif
