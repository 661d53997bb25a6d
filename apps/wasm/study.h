/* What the engine for studying offers beside page.c, for tests that call it. */
#ifndef NONET_WASM_STUDY_H
#define NONET_WASM_STUDY_H

#include <stdbool.h>
#include <stdint.h>

/* reviewing.c */
bool review_begin(int which, int first, uint64_t nodes, uint64_t seed, int hindsight);
int review_go_on(int which, uint64_t nodes);
int review_finished(int which);
bool review_tell(int which, int from);
void review_end(int which);

#endif
