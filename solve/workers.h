/* Work that several threads share. */
#ifndef NONET_SOLVE_WORKERS_H
#define NONET_SOLVE_WORKERS_H

#include <stddef.h>

/* Runs one function for each of `count` workers, of so many bytes each, the first of them on this
 * thread, and waits for all. With size 0 they all get the same bytes. Fewer than `count` run if the
 * system starts no more threads, so they take what there is to do piece by piece. */
void workers_run(void *workers, size_t size, int count, void *(*work)(void *worker));

#endif
