/* Memory that a solver may use, counted before it is asked for, so that the limit is kept and not
 * only noticed. For one thread. */
#ifndef NONET_SOLVE_BUDGET_H
#define NONET_SOLVE_BUDGET_H

#include "base/text.h"

struct budget {
    uint64_t limit; /* 0: none */
    uint64_t used, most;
    bool exceeded; /* the last failure was the limit's, not the machine's */
};

/* Memory for any purpose, or null. */
void *budget_take(struct budget *budget, uint64_t size);
void budget_give_back(struct budget *budget, void *memory, uint64_t size);

/* Why there was none. */
void budget_explain(const struct budget *budget, struct nonet_text *why);

#endif
