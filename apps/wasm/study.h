/* What the engine for studying offers beside page.c, for tests that call it. */
#ifndef NONET_WASM_STUDY_H
#define NONET_WASM_STUDY_H

#include <stdbool.h>
#include <stdint.h>

/* deducing.c */
bool study_deduce(int seat);

/* editing.c */
bool study_edit(uint64_t seed);

/* lessons.c */
bool study_lesson_try(uint64_t nodes);

/* openings.c */
bool study_opening_keys(void);
bool study_book_moves(void);

/* reviewing.c */
enum { REVIEWS = 2 };
bool review_begin(int which, int first, uint64_t nodes, uint64_t seed, int hindsight, int no_line);
int review_go_on(int which, uint64_t nodes);
int review_finished(int which);
bool review_tell(int which, int from);
void review_end(int which);

/* trials.c */
bool bench_begin(int level, uint64_t seed);
bool bench_game(uint32_t number);
int bench_go_on(uint64_t nodes);
bool bench_record(void);
bool bench_figures(int players);
bool bench_exact(void);
int bench_exact_go_on(int positions);
bool bench_exact_tell(void);
void bench_exact_end(void);

/* truth.c */
enum study_table { STUDY_TABLE_REFUSED, STUDY_TABLE_OPEN, STUDY_TABLE_MISSING };
bool study_table_name(void);
bool study_table_begin(uint64_t size);
int study_table_page_size(void);
unsigned char *study_table_page(uint32_t number);
bool study_table_missing(void);
enum study_table study_table_open(void);
struct nonet_table;
struct nonet_table *study_table(void); /* null if there is none of the current game */
void study_table_end(void);
bool study_judge(uint64_t proof_nodes, uint64_t nodes, uint64_t seed, int no_line);
int study_advance(uint64_t nodes);
bool study_verdict(void);

#endif
