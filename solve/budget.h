/* Memory that a solver may use. It is counted before it is allocated, so that the limit is never
 * exceeded. For one thread. */
#ifndef NONET_SOLVE_BUDGET_H
#define NONET_SOLVE_BUDGET_H

#include "base/text.h"

struct budget {
    uint64_t limit; /* 0: no limit */
    uint64_t used, most;
    bool exceeded; /* the last failure was due to the limit, not the machine */
};

/* Memory for any purpose, or null. */
void *budget_take(struct budget *budget, uint64_t size);
/* The same for memory of zeros, of which the system hands out what is touched. It is not aligned to
 * a cache line. */
void *budget_take_zeros(struct budget *budget, uint64_t size);
void budget_give_back(struct budget *budget, void *memory, uint64_t size);

/* Says why the last allocation failed. */
void budget_explain(const struct budget *budget, struct nonet_text *why);

#endif
