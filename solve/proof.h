/* Solves games with points that have too many positions for a table, by proving two bounds on the
 * margin that meet: player 1 reaches at least this score, and no more. Knows a game only by the
 * contract.
 *
 * There is no table. The result is the value of the first position and, if asked for, a certificate
 * that `nonet verify` checks without any of this. */
#ifndef NONET_SOLVE_PROOF_H
#define NONET_SOLVE_PROOF_H

#include "rules/game.h"
#include "rules/values.h"
#include "solve.h"

struct proof_report {
    struct nonet_value value; /* of the first position, for player 1 */
    uint64_t positions;       /* searched, also before the solver was killed */
    uint64_t choices, leaves; /* of the certificate, and positions that its check looks at */
    uint64_t checked;
    uint64_t memory; /* the most that was used */
};

/* Whether the solver takes this game: one that certificates can be about, and not too large. */
bool solve_proof_applies(const struct nonet_options *options);

/* Writes the certificate into `path`, or none if that is null. The table takes all of the memory,
 * which must be limited. A solve that was killed continues from its checkpoint. False with the
 * reason in `why`. */
bool solve_proof(const struct nonet_options *options, const struct solve_limits *limits,
                 const char *path, struct proof_report *report, struct nonet_text *why);

#endif
