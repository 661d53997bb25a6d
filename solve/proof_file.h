/* Certificates: files that prove the value of a game with points. docs/tables.md describes their
 * bytes. A certificate has two proofs: that player 1 reaches at least the score, and no more. Each
 * is a list of numbers, as proof_walk.h asks for them. */
#ifndef NONET_SOLVE_PROOF_FILE_H
#define NONET_SOLVE_PROOF_FILE_H

#include "proof_coder.h"
#include "proof_walk.h"
#include "rules/values.h"
#include "solve.h"

enum { PROOF_CLAIMS = 2, PROOF_LIMIT_MOST = 1 << 16 };

/* What the two proofs claim, if this is the score. */
struct proof_claim proof_claim_of(int score, int number);

/* The context in which the next number is packed. */
int proof_context(const struct proof_walk *walk);

struct proof_certificate {
    const struct nonet_options *options;
    int score;      /* of player 1, as nonet_value_signed */
    uint32_t limit; /* positions of the search at a leaf */
    struct proof_part {
        uint64_t choices; /* numbers */
        unsigned char *bytes;
        size_t size;
    } part[PROOF_CLAIMS];
};

/* Writes it into a file that appears when it is complete. False with the reason. */
bool proof_file_write(const char *path, const struct proof_certificate *certificate,
                      struct nonet_text *why);

/* Whether the file begins as a certificate does. */
bool proof_file_is(const char *path);

struct proof_file_report {
    char game[256];
    struct nonet_value value; /* of the first position, for player 1 */
    uint64_t choices, leaves, positions;
};

/* Checks a certificate. False with the reason: it cannot be read or checked within the limits, or
 * it proves nothing. */
bool proof_file_verify(const char *path, const struct solve_limits *limits,
                       struct proof_file_report *report, struct nonet_text *why);

#endif
