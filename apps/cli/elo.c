#include "elo.h"

#include <math.h>
#include <stdbool.h>

/* 95 % of a normal distribution lie within this many standard deviations. */
static const double Z = 1.959963984540054;

static double value_of(const struct elo_sample *sample, int points) {
    return (double)points / (sample->games * ELO_WIN);
}

uint64_t elo_openings(const struct elo_sample *sample) {
    uint64_t sum = 0;
    for (int points = 0; points <= sample->games * ELO_WIN; points++)
        sum += sample->openings[points];
    return sum;
}

/* How many independent yes-or-no games would vary as much as this sample does. Openings that vary
 * less than won or lost ones are worth more than one such game. One more opening, with the largest
 * possible variance, is added. Otherwise a few openings that happen to agree would look like
 * certainty. */
static double independent_games(const struct elo_sample *sample, double mean) {
    double openings = (double)elo_openings(sample), wildest = mean * (1 - mean);
    if (wildest <= 0)
        return openings * sample->games;
    double squares = wildest;
    for (int points = 0; points <= sample->games * ELO_WIN; points++) {
        double distance = value_of(sample, points) - mean;
        squares += (double)sample->openings[points] * distance * distance;
    }
    return openings * wildest / (squares / openings);
}

struct elo_interval elo_score(const struct elo_sample *sample) {
    double sum = 0;
    for (int points = 0; points <= sample->games * ELO_WIN; points++)
        sum += (double)sample->openings[points] * value_of(sample, points);
    double mean = sum / (double)elo_openings(sample);
    /* Wilson's interval: all scores whose distance from the mean chance can explain. */
    double games = independent_games(sample, mean), pull = Z * Z / games;
    double middle = (mean + pull / 2) / (1 + pull);
    double half = Z / (1 + pull) * sqrt(mean * (1 - mean) / games + pull / (4 * games));
    return (struct elo_interval){mean <= 0 ? 0 : middle - half, mean,
                                 mean >= 1 ? 1 : middle + half};
}

double elo_of_score(double score, double even) {
    return 400 * log10(score / (1 - score) * (1 - even) / even);
}

double elo_to_score(double elo, double even) {
    double odds = pow(10, elo / 400) * even / (1 - even);
    return odds / (1 + odds);
}

struct elo_interval elo_difference(const struct elo_sample *sample) {
    struct elo_interval score = elo_score(sample);
    return (struct elo_interval){elo_of_score(score.low, sample->even),
                                 elo_of_score(score.value, sample->even),
                                 elo_of_score(score.high, sample->even)};
}

/* How many openings are assumed to have brought these points. Losing or winning all games of an
 * opening counts as possible even if it was never seen. */
static double weight_of(const struct elo_sample *sample, int points) {
    bool extreme = points == 0 || points == sample->games * ELO_WIN;
    return extreme && sample->openings[points] == 0 ? 1e-3 : (double)sample->openings[points];
}

/* Of all distributions over the points whose mean is `score`, the one that makes the sample most
 * likely gives each value the share that it has in the sample, divided by 1 + tilt (value - score).
 * The tilt is found by bisection, as the mean falls when the tilt rises. */
static double find_tilt(const struct elo_sample *sample, double score) {
    double low = -1 / (1 - score), high = 1 / score;
    for (int i = 0; i < 100; i++) {
        double tilt = (low + high) / 2, excess = 0;
        for (int points = 0; points <= sample->games * ELO_WIN; points++) {
            double distance = value_of(sample, points) - score;
            excess += weight_of(sample, points) * distance / (1 + tilt * distance);
        }
        if (excess > 0)
            low = tilt;
        else
            high = tilt;
    }
    return (low + high) / 2;
}

double elo_likelihood_ratio(const struct elo_sample *sample, double elo0, double elo1) {
    if (elo_openings(sample) == 0)
        return 0;
    double score0 = elo_to_score(elo0, sample->even), score1 = elo_to_score(elo1, sample->even);
    double tilt0 = find_tilt(sample, score0), tilt1 = find_tilt(sample, score1), ratio = 0;
    for (int points = 0; points <= sample->games * ELO_WIN; points++) {
        double value = value_of(sample, points);
        ratio += weight_of(sample, points) *
                 (log(1 + tilt0 * (value - score0)) - log(1 + tilt1 * (value - score1)));
    }
    return ratio;
}

double elo_test_bound(void) {
    return log(0.95 / 0.05);
}
