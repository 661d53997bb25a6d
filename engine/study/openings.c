#include "openings.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../table/format.h"

/* A position, and the openings that lead to it or to a symmetric one. */
struct node {
    struct nonet_state state;     /* one of the symmetric ones, which the moves lead to */
    struct nonet_state canonical; /* what represents all of them */
    uint64_t lines;
    nonet_move moves[OPENINGS_PLIES];
    bool counted;
};

/* The positions after the same number of plies, found by their canonical states. */
struct layer {
    struct node *nodes;
    int count;
    uint32_t *slots; /* the number of a node, plus 1; a hash decides where the search begins */
};
enum { SLOTS = 1 << 16 };
_Static_assert(SLOTS > 2 * OPENINGS_MOST, "there is always a free slot");

struct openings {
    struct nonet_options options;
    struct nonet_table *table;
    int plies; /* of the layer that is being looked at */
    struct layer now, next;
    int at;           /* the node that is looked at next */
    bool lacks_bytes; /* some node of the layer could not be looked at yet */
    bool expanding;   /* the values are known, the moves are being made */
    int finished;     /* plies */
    bool done;
    struct openings_count counts[OPENINGS_PLIES + 1];
};

static bool open_layer(struct layer *layer) {
    layer->nodes = aligned_alloc(alignof(struct node), OPENINGS_MOST * sizeof *layer->nodes);
    layer->slots = calloc(SLOTS, sizeof *layer->slots);
    return layer->nodes != NULL && layer->slots != NULL;
}

static void close_layer(struct layer *layer) {
    free(layer->nodes);
    free(layer->slots);
}

void openings_close(struct openings *openings) {
    if (openings == NULL)
        return;
    close_layer(&openings->now);
    close_layer(&openings->next);
    free(openings);
}

/* Adds openings that lead to a position. False if there are too many positions. */
static bool add(const struct openings *openings, struct layer *layer,
                const struct nonet_state *state, const struct node *from, int plies,
                nonet_move move) {
    size_t size = openings->options.game->state_size;
    struct nonet_state canonical = {0};
    nonet_canonical(&openings->options, state, &canonical);
    uint64_t slot = nonet_hash(&canonical, size) % SLOTS;
    for (; layer->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        struct node *node = &layer->nodes[layer->slots[slot] - 1];
        if (memcmp(&node->canonical, &canonical, size) == 0) {
            node->lines += from->lines;
            return true;
        }
    }
    if (layer->count == OPENINGS_MOST)
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

struct openings *openings_open(const struct nonet_options *options, struct nonet_table *table) {
    struct openings *openings = calloc(1, sizeof *openings);
    if (openings == NULL)
        return NULL;
    openings->options = *options;
    openings->table = table;
    openings->finished = -1;
    if (!open_layer(&openings->now) || !open_layer(&openings->next)) {
        openings_close(openings);
        return NULL;
    }
    struct node *first = &openings->now.nodes[openings->now.count++];
    *first = (struct node){.lines = 1};
    options->game->start(options, &first->state, NULL);
    return openings;
}

/* Whether the first value is nearer to an even game. */
static bool is_fairer(const struct nonet_value *a, const struct nonet_value *b) {
    if ((a->outcome == NONET_DRAW) != (b->outcome == NONET_DRAW))
        return a->outcome == NONET_DRAW;
    return a->has_margin ? abs(a->margin) < abs(b->margin) : a->distance > b->distance;
}

static bool is_first(const struct openings_count *count) {
    return count->positions[NONET_LOSS] + count->positions[NONET_DRAW] +
               count->positions[NONET_WIN] ==
           0;
}

static void count_node(struct openings *openings, struct node *node, struct nonet_value value) {
    struct openings_count *count = &openings->counts[openings->plies];
    if (is_first(count) || is_fairer(&value, &count->fairest)) {
        count->fairest = value;
        memcpy(count->moves, node->moves, sizeof node->moves);
    }
    count->lines[value.outcome] += node->lines;
    count->positions[value.outcome]++;
    node->counted = true;
}

/* False if the table is damaged. */
static bool look_at(struct openings *openings, struct node *node) {
    const struct nonet_options *options = &openings->options;
    struct nonet_value value;
    struct nonet_message why;
    if (node->counted)
        return true;
    if (nonet_table_probe(openings->table, &node->state, &value, &why)) {
        bool first = options->game->next(options, &node->state) == 1;
        count_node(openings, node, first ? value : nonet_value_negated(value));
        return true;
    }
    openings->lacks_bytes = true;
    return why.phrase == &nonet_table_phrases[NONET_TABLE_UNREADABLE];
}

/* False if there are too many positions. */
static bool make_moves(struct openings *openings, const struct node *node) {
    const struct nonet_options *options = &openings->options;
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, &node->state, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state state = node->state;
        options->game->play(options, &state, NULL, moves[i]);
        if (!add(openings, &openings->next, &state, node, openings->plies + 1, moves[i]))
            return false;
    }
    return true;
}

/* The layer is looked at: all of it is known, or some of it must be looked at again. */
static enum openings_status end_layer(struct openings *openings) {
    openings->at = 0;
    if (openings->lacks_bytes) {
        openings->lacks_bytes = false;
        return OPENINGS_WAITING;
    }
    openings->finished = openings->plies;
    openings->expanding = true;
    openings->done = openings->plies == OPENINGS_PLIES;
    return openings->done ? OPENINGS_DONE : OPENINGS_WORKING;
}

/* On to the positions a ply later, if there are any. */
static void enter_next(struct openings *openings) {
    struct layer used = openings->now;
    openings->now = openings->next;
    openings->next = used;
    openings->next.count = 0;
    memset(openings->next.slots, 0, SLOTS * sizeof *openings->next.slots);
    openings->at = 0;
    openings->expanding = false;
    openings->plies++;
    openings->done = openings->now.count == 0;
}

enum openings_status openings_advance(struct openings *openings, int positions) {
    for (; positions > 0 && !openings->done; positions--) {
        if (openings->at == openings->now.count) {
            if (openings->expanding) {
                enter_next(openings);
                continue;
            }
            enum openings_status status = end_layer(openings);
            if (status != OPENINGS_WORKING)
                return status;
            continue;
        }
        struct node *node = &openings->now.nodes[openings->at++];
        if (openings->expanding)
            openings->done = !make_moves(openings, node);
        else if (!look_at(openings, node))
            return OPENINGS_FAILED;
    }
    return openings->done ? OPENINGS_DONE : OPENINGS_WORKING;
}

int openings_plies(const struct openings *openings) {
    return openings->finished;
}

const struct openings_count *openings_count(const struct openings *openings, int plies) {
    return &openings->counts[plies];
}
