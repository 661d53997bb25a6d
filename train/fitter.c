#include "fitter.h"

#include <math.h>
#include <string.h>

enum { MOST = NONET_MAX_COUNTS, ROUNDS = 50 };

/* At some values of the parameters: how good they are, and how that changes. */
struct slope {
    double good;
    double first[MOST];
    double second[MOST][MOST]; /* negative, and only where column <= row */
};

static double sum_of(const double *value, const int16_t *count, int width) {
    double sum = 0;
    for (int i = 0; i < width; i++)
        sum += value[i] * count[i];
    return sum;
}

/* How likely each row of a choice is; returns the logarithm for the one that was chosen. */
static double predict(const struct fit *fit, const struct choice *choice, const double *value,
                      double likely[]) {
    const struct row *rows = fit->choices->row + choice->first;
    double best = -HUGE_VAL, whole = 0, chosen = 0;
    for (int k = 0; k < choice->rows; k++) {
        likely[k] = sum_of(value, rows[k].count, fit->width);
        best = fmax(best, likely[k]);
    }
    for (int k = 0; k < choice->rows; k++)
        whole += exp(likely[k] - best);
    for (int k = 0; k < choice->rows; k++) {
        double logarithm = likely[k] - best - log(whole);
        chosen += rows[k].aim > 0 ? rows[k].aim * logarithm : 0;
        likely[k] = exp(logarithm);
    }
    return chosen;
}

static void add_choice(const struct fit *fit, const struct choice *choice, const double *value,
                       struct slope *slope) {
    const struct row *rows = fit->choices->row + choice->first;
    double likely[NONET_MAX_MOVES], mean[MOST] = {0};
    slope->good += predict(fit, choice, value, likely);
    for (int k = 0; k < choice->rows; k++)
        for (int i = 0; i < fit->width; i++)
            mean[i] += likely[k] * rows[k].count[i];
    for (int k = 0; k < choice->rows; k++)
        for (int i = 0; i < fit->width; i++) {
            double off = rows[k].count[i] - mean[i];
            slope->first[i] += rows[k].aim * off;
            for (int j = 0; off != 0 && j <= i; j++)
                slope->second[i][j] += likely[k] * off * (rows[k].count[j] - mean[j]);
        }
}

/* Returns how many choices there are. */
static size_t measure(const struct fit *fit, double ridge, const double *value,
                      struct slope *slope) {
    size_t count = 0;
    memset(slope, 0, sizeof *slope);
    for (size_t c = 0; c < fit->choices->count; c++) {
        const struct choice *choice = &fit->choices->choice[c];
        if (choice->set == fit->set && !choice->held_out) {
            add_choice(fit, choice, value, slope);
            count++;
        }
    }
    for (int i = 0; i < fit->width; i++) {
        slope->good -= ridge * value[i] * value[i];
        slope->first[i] -= 2 * ridge * value[i];
        slope->second[i][i] += 2 * ridge;
    }
    return count;
}

/* Newton's step from there: `second` step = `first`, by Cholesky's method. */
static void find_step(struct slope *slope, int width, double step[]) {
    double(*root)[MOST] = slope->second;
    for (int i = 0; i < width; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < j; k++)
                root[i][j] -= root[i][k] * root[j][k];
            root[i][j] = i == j ? sqrt(root[i][i]) : root[i][j] / root[j][j];
        }
    for (int i = 0; i < width; i++) {
        step[i] = slope->first[i];
        for (int k = 0; k < i; k++)
            step[i] -= root[i][k] * step[k];
        step[i] /= root[i][i];
    }
    for (int i = width - 1; i >= 0; i--) {
        for (int k = i + 1; k < width; k++)
            step[i] -= root[k][i] * step[k];
        step[i] /= root[i][i];
    }
}

bool fitter_run(const struct fit *fit, double ridge, int16_t *weights) {
    double value[MOST] = {0}, step[MOST];
    struct slope slope, next;
    if (measure(fit, ridge, value, &slope) == 0)
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        double good = slope.good, tried[MOST], share = 1, largest = 0;
        find_step(&slope, fit->width, step);
        for (next.good = -HUGE_VAL; next.good < good && share > 1e-6; share /= 2) {
            for (int i = 0; i < fit->width; i++)
                tried[i] = value[i] + share * step[i];
            measure(fit, ridge, tried, &next);
        }
        if (next.good <= good)
            break;
        for (int i = 0; i < fit->width; i++)
            largest = fmax(largest, fabs(tried[i] - value[i]));
        memcpy(value, tried, sizeof value);
        slope = next;
        if (largest * fit->unit < 0.01)
            break;
    }
    for (int i = 0; i < fit->width; i++) {
        double rounded = round(value[i] * fit->unit / log(2));
        weights[i] = (int16_t)fmax(-INT16_MAX, fmin(INT16_MAX, rounded));
    }
    return true;
}

double fitter_likelihood(const struct fit *fit, const int16_t *weights, size_t *count) {
    double value[MOST] = {0}, likely[NONET_MAX_MOVES], sum = 0;
    for (int i = 0; weights != NULL && i < fit->width; i++)
        value[i] = weights[i] * log(2) / fit->unit;
    *count = 0;
    for (size_t c = 0; c < fit->choices->count; c++) {
        const struct choice *choice = &fit->choices->choice[c];
        if (choice->set == fit->set && choice->held_out) {
            sum += predict(fit, choice, value, likely);
            ++*count;
        }
    }
    return *count > 0 ? sum / (double)*count : 0;
}
