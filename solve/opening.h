/* The opening of a ranked game: the comparatively few states that have no number, found by playing
 * from the start. All states reached by the same number of moves are a layer. No move leads back,
 * so the layers are solved from the last to the first, after the tiers. */
#ifndef NONET_SOLVE_OPENING_H
#define NONET_SOLVE_OPENING_H

#include "budget.h"
#include "rules/game.h"
#include "rules/values.h"

enum { OPENING_LAYERS = 256 };

struct opening_layer {
    uint64_t count, room;
    unsigned char *states; /* canonical, in the order of memcmp */
    struct nonet_value *values;
};

struct opening {
    const struct nonet_options *options;
    const void *index; /* of the ranking */
    struct budget *budget;
    int layers; /* the last one is empty */
    struct opening_layer layer[OPENING_LAYERS];
};

/* Finds all layers, without values. The three fields before them must be set. False with the
 * reason. */
bool opening_find(struct opening *opening, struct nonet_text *why);
void opening_free(struct opening *opening);

/* Returns the values of positions with a number. */
typedef struct nonet_value opening_lookup(void *context, int tier, uint64_t number);

/* The value of a state of a layer, when the values of the next layer are known. */
struct nonet_value opening_value(const struct opening *opening, int layer, uint64_t state,
                                 opening_lookup *lookup, void *context);

/* All layers as one list, in the order of memcmp. False if memory runs out. The memory is counted
 * in the budget. */
bool opening_list(const struct opening *opening, unsigned char **states,
                  struct nonet_value **values, uint64_t *count);

/* The place of a canonical state among `count` in the order of memcmp; `count` if not found. */
uint64_t opening_place(const unsigned char *states, uint64_t count, const void *canonical,
                       size_t size);

#endif
