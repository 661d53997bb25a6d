/* What the engine for studying offers beside page.c, for tests that call it. */
#ifndef NONET_WASM_STUDY_H
#define NONET_WASM_STUDY_H

#include <stdbool.h>
#include <stdint.h>

bool study_analyse(uint64_t nodes, uint64_t seed);
bool study_deduce(int seat);

/* truth.c */
enum study_table { STUDY_TABLE_REFUSED, STUDY_TABLE_OPEN, STUDY_TABLE_MISSING };
bool study_table_name(void);
bool study_table_begin(uint64_t size);
int study_table_page_size(void);
unsigned char *study_table_page(uint32_t number);
bool study_table_missing(void);
enum study_table study_table_open(void);
void study_table_end(void);
bool study_judge(uint64_t proof_nodes, uint64_t nodes, uint64_t seed, int no_line);
int study_advance(uint64_t nodes);
bool study_verdict(void);

#endif
