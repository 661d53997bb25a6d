/* What the engine for studying offers beside page.c, for tests that call it. */
#ifndef NONET_WASM_STUDY_H
#define NONET_WASM_STUDY_H

#include <stdbool.h>
#include <stdint.h>

bool study_analyse(uint64_t nodes, uint64_t seed);
bool study_lesson_try(uint64_t nodes);

#endif
