/* How openings are recognised, so that games can be counted by them. */
#ifndef NONET_STUDY_OPENINGS_H
#define NONET_STUDY_OPENINGS_H

#include "../rules/session.h"

/* A number for the position that a legal move leads to. Positions that are equal by symmetry, or
 * for somebody who sees only what is open to all, have the same number.
 *
 * In a wide game hardly any position comes twice. There, the number is that of a group of first
 * moves: pieces of the same kind that lie in the same ninth of the floor, turned alike within 22
 * degrees, or so after a symmetry; what is symmetric in itself is a group of its own. Later moves
 * have none.
 *
 * Never 0, which stands for no number. */
uint64_t opening_key(const struct nonet_session *session, nonet_move move);

#endif
