#include "budget.h"

#include <stdlib.h>

enum { LINE = 64 }; /* memory is aligned to a cache line */

static bool fits(struct budget *budget, uint64_t size) {
    budget->exceeded =
        budget->limit != 0 && (size > budget->limit || budget->used > budget->limit - size);
    return !budget->exceeded && size <= SIZE_MAX / 2;
}

static void *count(struct budget *budget, void *memory, uint64_t size) {
    if (memory == NULL)
        return NULL;
    budget->used += size;
    if (budget->used > budget->most)
        budget->most = budget->used;
    return memory;
}

void *budget_take(struct budget *budget, uint64_t size) {
    return fits(budget, size) ? count(budget, aligned_alloc(LINE, (size / LINE + 1) * LINE), size)
                              : NULL;
}

void *budget_take_zeros(struct budget *budget, uint64_t size) {
    return fits(budget, size) ? count(budget, calloc(size, 1), size) : NULL;
}

void budget_give_back(struct budget *budget, void *memory, uint64_t size) {
    if (memory != NULL)
        budget->used -= size;
    free(memory);
}

void budget_explain(const struct budget *budget, struct nonet_text *why) {
    if (budget->exceeded)
        nonet_text_format(why, "this needs more than the %llu MB of memory it may use",
                          (unsigned long long)(budget->limit >> 20));
    else
        nonet_text_add(why, "there is no memory left");
}
