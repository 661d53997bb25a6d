/* Cuts of power, simulated: a layer under SQLite that knows what was synced, and forgets the rest.
 *
 * A disk may write what was not synced, in any order, or not; of a write that spans sectors, some
 * sectors and not others. */
#ifndef NONET_TESTS_POWERCUT_H
#define NONET_TESTS_POWERCUT_H

#include <stdint.h>

/* From now on, SQLite writes through the layer. */
void powercut_install(void);

/* The power fails at the n-th write or sync from now: it and all later ones do nothing and fail. */
void powercut_after(int writes);

/* Leaves the files as a disk might have them after the cut. All of them must be closed. From then
 * on, nothing fails. */
void powercut_happen(uint64_t seed);

#endif
