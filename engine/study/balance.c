#include "balance.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../table/format.h"

/* A position, and the openings that lead to it or to a symmetric one. */
struct node {
    struct nonet_state state;     /* one of the symmetric ones, which the moves lead to */
    struct nonet_state canonical; /* what represents all of them */
    uint64_t lines;
    nonet_move moves[BALANCE_PLIES];
    bool counted;
};

/* The positions after the same number of plies, found by their canonical states. */
struct layer {
    struct node *nodes;
    int count;
    uint32_t *slots; /* the number of a node, plus 1; a hash decides where the search begins */
};
enum { SLOTS = 1 << 16 };
_Static_assert(SLOTS > 2 * BALANCE_MOST, "there is always a free slot");

struct balance {
    struct nonet_options options;
    struct nonet_table *table;
    int plies; /* of the layer that is being looked at */
    struct layer now, next;
    int at;           /* the node that is looked at next */
    bool lacks_bytes; /* some node of the layer could not be looked at yet */
    bool expanding;   /* the values are known, the moves are being made */
    int finished;     /* plies */
    bool done;
    struct balance_count counts[BALANCE_PLIES + 1];
};

static bool open_layer(struct layer *layer) {
    layer->nodes = aligned_alloc(alignof(struct node), BALANCE_MOST * sizeof *layer->nodes);
    layer->slots = calloc(SLOTS, sizeof *layer->slots);
    return layer->nodes != NULL && layer->slots != NULL;
}

static void close_layer(struct layer *layer) {
    free(layer->nodes);
    free(layer->slots);
}

void balance_close(struct balance *balance) {
    if (balance == NULL)
        return;
    close_layer(&balance->now);
    close_layer(&balance->next);
    free(balance);
}

/* Adds openings that lead to a position. False if there are too many positions. */
static bool add(const struct balance *balance, struct layer *layer, const struct nonet_state *state,
                const struct node *from, int plies, nonet_move move) {
    size_t size = balance->options.game->state_size;
    struct nonet_state canonical = {0};
    nonet_canonical(&balance->options, state, &canonical);
    uint64_t slot = nonet_hash(&canonical, size) % SLOTS;
    for (; layer->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        struct node *node = &layer->nodes[layer->slots[slot] - 1];
        if (memcmp(&node->canonical, &canonical, size) == 0) {
            node->lines += from->lines;
            return true;
        }
    }
    if (layer->count == BALANCE_MOST)
        return false;
    struct node *node = &layer->nodes[layer->count++];
    *node = *from;
    node->state = *state;
    node->canonical = canonical;
    node->counted = false;
    node->moves[plies - 1] = move;
    layer->slots[slot] = (uint32_t)layer->count;
    return true;
}

struct balance *balance_open(const struct nonet_options *options, struct nonet_table *table) {
    struct balance *balance = calloc(1, sizeof *balance);
    if (balance == NULL)
        return NULL;
    balance->options = *options;
    balance->table = table;
    balance->finished = -1;
    if (!open_layer(&balance->now) || !open_layer(&balance->next)) {
        balance_close(balance);
        return NULL;
    }
    struct node *first = &balance->now.nodes[balance->now.count++];
    *first = (struct node){.lines = 1};
    options->game->start(options, &first->state, NULL);
    return balance;
}

/* Whether the first value is nearer to an even game. */
static bool is_fairer(const struct nonet_value *a, const struct nonet_value *b) {
    if ((a->outcome == NONET_DRAW) != (b->outcome == NONET_DRAW))
        return a->outcome == NONET_DRAW;
    return a->has_margin ? abs(a->margin) < abs(b->margin) : a->distance > b->distance;
}

static bool is_first(const struct balance_count *count) {
    return count->positions[NONET_LOSS] + count->positions[NONET_DRAW] +
               count->positions[NONET_WIN] ==
           0;
}

static void count_node(struct balance *balance, struct node *node, struct nonet_value value) {
    struct balance_count *count = &balance->counts[balance->plies];
    if (is_first(count) || is_fairer(&value, &count->fairest)) {
        count->fairest = value;
        memcpy(count->moves, node->moves, sizeof node->moves);
    }
    count->lines[value.outcome] += node->lines;
    count->positions[value.outcome]++;
    node->counted = true;
}

/* False if the table is damaged. */
static bool look_at(struct balance *balance, struct node *node) {
    const struct nonet_options *options = &balance->options;
    struct nonet_value value;
    struct nonet_message why;
    if (node->counted)
        return true;
    if (nonet_table_probe(balance->table, &node->state, &value, &why)) {
        bool first = options->game->next(options, &node->state) == 1;
        count_node(balance, node, first ? value : nonet_value_negated(value));
        return true;
    }
    balance->lacks_bytes = true;
    return why.phrase == &nonet_table_phrases[NONET_TABLE_UNREADABLE];
}

/* False if there are too many positions. */
static bool make_moves(struct balance *balance, const struct node *node) {
    const struct nonet_options *options = &balance->options;
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, &node->state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state state = node->state;
        options->game->play(options, &state, NULL, moves[i]);
        if (!add(balance, &balance->next, &state, node, balance->plies + 1, moves[i]))
            return false;
    }
    return true;
}

/* The layer is looked at: all of it is known, or some of it must be looked at again. */
static enum balance_status end_layer(struct balance *balance) {
    balance->at = 0;
    if (balance->lacks_bytes) {
        balance->lacks_bytes = false;
        return BALANCE_WAITING;
    }
    balance->finished = balance->plies;
    balance->expanding = true;
    balance->done = balance->plies == BALANCE_PLIES;
    return balance->done ? BALANCE_DONE : BALANCE_WORKING;
}

/* On to the positions a ply later, if there are any. */
static void enter_next(struct balance *balance) {
    struct layer used = balance->now;
    balance->now = balance->next;
    balance->next = used;
    balance->next.count = 0;
    memset(balance->next.slots, 0, SLOTS * sizeof *balance->next.slots);
    balance->at = 0;
    balance->expanding = false;
    balance->plies++;
    balance->done = balance->now.count == 0;
}

enum balance_status balance_advance(struct balance *balance, int positions) {
    for (; positions > 0 && !balance->done; positions--) {
        if (balance->at == balance->now.count) {
            if (balance->expanding) {
                enter_next(balance);
                continue;
            }
            enum balance_status status = end_layer(balance);
            if (status != BALANCE_WORKING)
                return status;
            continue;
        }
        struct node *node = &balance->now.nodes[balance->at++];
        if (balance->expanding)
            balance->done = !make_moves(balance, node);
        else if (!look_at(balance, node))
            return BALANCE_FAILED;
    }
    return balance->done ? BALANCE_DONE : BALANCE_WORKING;
}

int balance_plies(const struct balance *balance) {
    return balance->finished;
}

const struct balance_count *balance_count(const struct balance *balance, int plies) {
    return &balance->counts[plies];
}
