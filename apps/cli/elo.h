/* Which player is stronger, and how sure that is: scores of a match with intervals, Elo
 * differences, and a sequential test that stops as soon as the answer is clear.
 *
 * Games that begin with the same opening are not independent. So openings are counted, not games:
 * all games of an opening together are one value of the sample. docs/match.md states the formulas.
 */
#ifndef NONET_CLI_ELO_H
#define NONET_CLI_ELO_H

#include <stdint.h>

enum {
    ELO_WIN = 12,  /* points for a whole win, so that any number of winners can share it */
    ELO_GAMES = 4, /* no opening is played more often */
};

/* One entrant's openings, counted by the points they brought. */
struct elo_sample {
    int games;   /* of each opening */
    double even; /* the score to expect among equals, between 0 and 1: 1/2 in a duel */
    uint64_t openings[ELO_GAMES * ELO_WIN + 1];
};

struct elo_interval {
    double low, value, high;
};

uint64_t elo_openings(const struct elo_sample *sample);

/* The mean score, from 0 to 1, and the interval that holds the true one in 95 of 100 matches. There
 * must be an opening. */
struct elo_interval elo_score(const struct elo_sample *sample);

/* Converts a score to the Elo difference to the others, and back. A score of 0 or 1 means an
 * infinite difference. */
double elo_of_score(double score, double even);
double elo_to_score(double elo, double even);
struct elo_interval elo_difference(const struct elo_sample *sample);

/* ---- The sequential test of two hypotheses: the difference is elo0, or it is elo1 ---- */

/* The logarithm of how much better elo1 explains the sample than elo0; 0 without openings. */
double elo_likelihood_ratio(const struct elo_sample *sample, double elo0, double elo1);

/* With an error probability of 5 % either way, elo1 is accepted when the ratio reaches this bound,
 * elo0 when it reaches its negative. */
double elo_test_bound(void);

#endif
