/* Cuts of power, simulated: a layer under SQLite that knows what was synced, and forgets the rest.
 *
 * A disk may write what was not synced, in any order, or not; of a write that spans sectors, some
 * sectors and not others. */
#ifndef NONET_TESTS_POWERCUT_H
#define NONET_TESTS_POWERCUT_H

#include <stdbool.h>
#include <stdint.h>

/* From now on, SQLite writes through the layer. */
void powercut_install(void);

/* The power fails at the n-th write or sync from now: it and all later ones do nothing and fail. */
void powercut_after(int writes);

/* Before every write and sync, `ask` is asked whether it takes place, in the thread that writes. A
 * change that is refused fails alone; after a cut all do. */
enum powercut_change { POWERCUT_FINE, POWERCUT_REFUSED, POWERCUT_DARK };
void powercut_ask(enum powercut_change (*ask)(bool syncs));

/* Leaves the files as a disk might have them after the cut. All of them must be closed, or the
 * program must end. From then on, nothing fails. */
void powercut_happen(uint64_t seed);

#endif
