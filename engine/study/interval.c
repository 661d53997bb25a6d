#include "interval.h"

#include <math.h>

static const double z = 1.959963984540054; /* 95 % of a normal distribution lie within +-z */

struct interval interval_share(double sum, int count) {
    if (count == 0)
        return (struct interval){0};
    double n = count, mean = sum / n, widened = 1 + z * z / n;
    double middle = (mean + z * z / (2 * n)) / widened;
    double half = z / widened * sqrt(mean * (1 - mean) / n + z * z / (4 * n * n));
    /* At the ends rounding could lead a little too far. */
    return (struct interval){count, mean, sum > 0 ? fmax(0, middle - half) : 0,
                             sum < n ? fmin(1, middle + half) : 1};
}

struct interval interval_mean(double sum, double squares, int count) {
    if (count == 0)
        return (struct interval){0};
    double n = count, mean = sum / n;
    double variance = count > 1 ? fmax(0, (squares - sum * mean) / (n - 1)) : 0;
    double half = z * sqrt(variance / n);
    return (struct interval){count, mean, mean - half, mean + half};
}
