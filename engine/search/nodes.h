/* Counts of nodes, the positions that a search looks at. They stop at UINT64_MAX. No search reaches
 * it, so it stands for "no limit". */
#ifndef NONET_SEARCH_NODES_H
#define NONET_SEARCH_NODES_H

#include <stdint.h>

/* The sum of two counts of nodes. */
static inline uint64_t nonet_nodes_and(uint64_t nodes, uint64_t more) {
    return more < UINT64_MAX - nodes ? nodes + more : UINT64_MAX;
}

#endif
