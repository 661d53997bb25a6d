#include "spread.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "checkpoint.h"
#include "estimate.h"
#include "host/clock.h"
#include "messages.h"
#include "table_writer.h"

/* Positions are expanded, and results are sent, in slices, so that messages stay small. */
enum { SLICE = 4096, CHUNK = 16384 };

/* Where a position is kept: its owner in the high bits, its number there in the low bits. */
typedef uint64_t place;
enum { OWNER_SHIFT = 40 };

enum { UNKNOWN = 0xff }; /* an outcome not known yet */

struct edge {
    uint32_t to;
    place from;
};

struct share {
    const struct nonet_options *options;
    const struct nonet_game *game;
    const struct solve_limits *limits;
    struct messages messages;
    struct checkpoint_owner owner;
    uint64_t generation; /* of checkpoints */
    double begun, kept;  /* when this run began, and when the last checkpoint was kept */

    /* The positions owned, in the order they were found. */
    uint32_t count, room;
    unsigned char *states;
    uint16_t *pending;          /* moves whose value is not known yet */
    struct nonet_value *values; /* outcome UNKNOWN until known */
    uint32_t *slots;            /* open hash table of numbers plus one */
    uint32_t slot_count;        /* a power of two */

    /* The moves to them: gathered while searching, then sorted by `to`. */
    struct edge *edges;
    uint64_t edge_count, edge_room;
    uint64_t *first_edge;

    uint32_t expanded; /* of the positions, while they are being found */
};

static bool reserve(struct share *s, void *array, size_t bytes) {
    void **pointer = array;
    void *larger = realloc(*pointer, bytes);
    if (larger == NULL) {
        s->messages.failed = true;
        return false;
    }
    *pointer = larger;
    return true;
}

/* --- Finding all positions ------------------------------------------------------------------ */

static void *state_at(const struct share *s, uint32_t number) {
    return s->states + (size_t)number * s->game->state_size;
}

static bool grow_slots(struct share *s) {
    uint32_t slot_count = s->slot_count * 2;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL) {
        s->messages.failed = true;
        return false;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = (uint32_t)(nonet_hash(state_at(s, i), s->game->state_size) >> 32);
        while (slots[at & (slot_count - 1)] != 0)
            at++;
        slots[at & (slot_count - 1)] = i + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_count = slot_count;
    return true;
}

static uint64_t bytes_used(const struct share *s) {
    return (uint64_t)s->room * (s->game->state_size + sizeof *s->pending + sizeof *s->values) +
           s->slot_count * sizeof *s->slots + s->edge_room * sizeof *s->edges;
}

static bool grow_positions(struct share *s) {
    uint32_t room = s->room * 2;
    if (!reserve(s, &s->states, (size_t)room * s->game->state_size) ||
        !reserve(s, &s->pending, room * sizeof *s->pending) ||
        !reserve(s, &s->values, room * sizeof *s->values))
        return false;
    s->room = room;
    return true;
}

/* The number of an owned canonical state; a new state is added. */
static uint32_t number_of(struct share *s, const void *state) {
    uint32_t at = (uint32_t)(nonet_hash(state, s->game->state_size) >> 32);
    for (;; at++) {
        uint32_t slot = s->slots[at & (s->slot_count - 1)];
        if (slot == 0)
            break;
        if (memcmp(state_at(s, slot - 1), state, s->game->state_size) == 0)
            return slot - 1;
    }
    if (s->count == s->room && !grow_positions(s))
        return 0;
    uint32_t number = s->count++;
    memcpy(state_at(s, number), state, s->game->state_size);
    s->pending[number] = 0;
    s->values[number] = (struct nonet_value){.outcome = UNKNOWN};
    s->slots[at & (s->slot_count - 1)] = number + 1;
    if (s->count > s->slot_count / 2)
        grow_slots(s);
    return number;
}

static int owner_of(const struct share *s, const void *state) {
    return (int)((uint32_t)nonet_hash(state, s->game->state_size) % (uint32_t)s->messages.all);
}

/* Sends every successor to its owner, together with its predecessor. */
static void expand(struct share *s, uint32_t number) {
    const struct nonet_game *game = s->game;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_state state, next, canonical;
    memcpy(&state, state_at(s, number), game->state_size);
    int count = game->moves(s->options, &state, moves);
    place from = (place)s->messages.me << OWNER_SHIFT | number;
    s->pending[number] = (uint16_t)count;
    for (int i = 0; i < count; i++) {
        memcpy(&next, &state, game->state_size);
        game->play(s->options, &next, NULL, moves[i]);
        nonet_canonical(s->options, &next, &canonical);
        int owner = owner_of(s, &canonical);
        messages_write(&s->messages, owner, &from, sizeof from);
        messages_write(&s->messages, owner, &canonical, game->state_size);
    }
}

static void receive_positions(struct share *s) {
    size_t record = sizeof(place) + s->game->state_size;
    for (size_t at = 0; at < s->messages.in_size && !s->messages.failed; at += record) {
        if (s->edge_count == s->edge_room) {
            if (!reserve(s, &s->edges, s->edge_room * 2 * sizeof *s->edges))
                return;
            s->edge_room *= 2;
        }
        struct edge *edge = &s->edges[s->edge_count++];
        memcpy(&edge->from, s->messages.in + at, sizeof edge->from);
        struct nonet_state state;
        memcpy(&state, s->messages.in + at + sizeof(place), s->game->state_size);
        edge->to = number_of(s, &state);
        if (bytes_used(s) > s->limits->memory)
            s->messages.failed = true;
    }
}

/* --- Checkpoints: what each process has found so far ----------------------------------------- */

/* Two are kept in turn, so that the older one is still complete in all processes while the newer
 * one is being written. */
static void checkpoint_name(uint64_t generation, char name[16]) {
    snprintf(name, 16, "positions%d", (int)(generation % 2));
}

static bool make_room(struct share *s, uint64_t count, uint64_t edge_count) {
    while (s->room < count)
        if (!grow_positions(s))
            return false;
    if (s->edge_room < edge_count) {
        if (!reserve(s, &s->edges, edge_count * sizeof *s->edges))
            return false;
        s->edge_room = edge_count;
    }
    return bytes_used(s) <= s->limits->memory;
}

/* Enters the states that were read into the hash table. */
static bool enter_states(struct share *s, uint64_t count) {
    struct nonet_state state;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(&state, state_at(s, (uint32_t)i), s->game->state_size);
        if (number_of(s, &state) != i || s->messages.failed)
            return false;
    }
    return true;
}

static bool transfer(struct share *s, struct checkpoint *checkpoint) {
    uint64_t counts[3] = {s->count, s->expanded, s->edge_count};
    if (!checkpoint_transfer(checkpoint, &s->generation, sizeof s->generation) ||
        !checkpoint_transfer(checkpoint, counts, sizeof counts))
        return false;
    bool reading = !checkpoint_is_new(checkpoint);
    if (reading && !make_room(s, counts[0], counts[2]))
        return false;
    if (!checkpoint_transfer(checkpoint, s->states, counts[0] * s->game->state_size) ||
        (reading && !enter_states(s, counts[0])) ||
        !checkpoint_transfer(checkpoint, s->pending, counts[0] * sizeof *s->pending) ||
        !checkpoint_transfer(checkpoint, s->edges, counts[2] * sizeof *s->edges))
        return false;
    s->expanded = (uint32_t)counts[1];
    s->edge_count = counts[2];
    return true;
}

/* Keeps a checkpoint if it is time; the first process decides. */
static void keep_positions(struct share *s) {
    bool due = s->owner.folder != NULL && s->messages.me == 0 &&
               clock_now() - s->kept >= s->limits->checkpoint_seconds;
    if (messages_most(due) == 0)
        return;
    char name[16];
    checkpoint_name(++s->generation, name);
    struct checkpoint *checkpoint = checkpoint_create(&s->owner, name);
    if (checkpoint != NULL) {
        transfer(s, checkpoint);
        checkpoint_close(checkpoint);
    }
    s->kept = clock_now();
}

/* The generation of an existing checkpoint, or 0. */
static uint64_t generation_kept(const struct share *s, uint64_t parity) {
    char name[16];
    uint64_t generation = 0;
    checkpoint_name(parity, name);
    struct checkpoint *checkpoint = checkpoint_open(&s->owner, name);
    if (checkpoint == NULL)
        return 0;
    if (!checkpoint_transfer(checkpoint, &generation, sizeof generation))
        generation = 0;
    checkpoint_close(checkpoint);
    return generation;
}

/* Continues from the newest checkpoint that all processes have. False, in all of them, if there is
 * none. */
static bool fetch_positions(struct share *s) {
    uint64_t kept[2] = {generation_kept(s, 0), generation_kept(s, 1)};
    uint64_t newest = kept[0] > kept[1] ? kept[0] : kept[1];
    uint64_t common =
        UINT64_MAX - messages_most(UINT64_MAX - newest); /* the least of all processes */
    bool fetched = false;
    if (messages_agree(common != 0 && kept[common % 2] == common)) {
        char name[16];
        checkpoint_name(common, name);
        struct checkpoint *checkpoint = checkpoint_open(&s->owner, name);
        fetched = checkpoint != NULL && transfer(s, checkpoint);
        if (checkpoint != NULL)
            fetched = checkpoint_close(checkpoint) && fetched;
    }
    if (messages_agree(fetched))
        return true;
    /* All processes have tried before any of them removes checkpoints. */
    if (messages_sum(checkpoint_forget(s->owner.folder)) > 0 && s->messages.me == 0)
        solve_note(s->limits, SOLVE_AFRESH);
    s->count = s->expanded = 0;
    s->edge_count = s->generation = 0;
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    return false;
}

/* --- Finding, to the end --------------------------------------------------------------------- */

static void tell(const struct share *s, const char *what, double share, double seconds) {
    if (s->messages.me == 0)
        solve_tell(s->limits, what, share, seconds);
}

/* Rounds as in the solver with one process, each in slices. */
static bool discover(struct share *s) {
    struct nonet_state first, canonical;
    struct estimate estimate = {0};
    s->game->start(s->options, &first, NULL);
    nonet_canonical(s->options, &first, &canonical);
    if (!fetch_positions(s) && owner_of(s, &canonical) == s->messages.me)
        number_of(s, &canonical);
    s->kept = clock_now();
    for (;;) {
        uint32_t level = s->count;
        uint64_t round = messages_sum(level - s->expanded), left = round,
                 known = messages_sum(s->count);
        keep_positions(s);
        if (round == 0)
            return true;
        estimate_begin_round(&estimate, round);
        while (left > 0) {
            char what[64];
            snprintf(what, sizeof what, "finding positions, %llu so far",
                     (unsigned long long)known);
            tell(s, what, 0.6 * estimate_share(&estimate, round - left), clock_now() - s->begun);
            for (int i = 0; i < SLICE && s->expanded < level && !s->messages.failed; i++)
                expand(s, s->expanded++);
            if (!messages_exchange(&s->messages))
                return false;
            receive_positions(s);
            left = messages_sum(level - s->expanded);
            known = messages_sum(s->count);
        }
    }
}

/* Sorts the edges by the position they lead to, so that its predecessors are together. */
static bool sort_edges(struct share *s) {
    s->first_edge = calloc((size_t)s->count + 1, sizeof *s->first_edge);
    struct edge *sorted = malloc((s->edge_count + 1) * sizeof *sorted);
    if (s->first_edge == NULL || sorted == NULL) {
        free(sorted);
        s->messages.failed = true;
    } else {
        for (uint64_t i = 0; i < s->edge_count; i++)
            s->first_edge[s->edges[i].to + 1]++;
        for (uint32_t i = 0; i < s->count; i++)
            s->first_edge[i + 1] += s->first_edge[i];
        for (uint64_t i = 0; i < s->edge_count; i++)
            sorted[s->first_edge[s->edges[i].to]++] = s->edges[i];
        memmove(s->first_edge + 1, s->first_edge, s->count * sizeof *s->first_edge);
        s->first_edge[0] = 0;
        free(s->edges);
        s->edges = sorted;
    }
    return messages_agree(!s->messages.failed);
}

/* --- Solving -------------------------------------------------------------------------------- */

struct news {
    uint64_t about;           /* the number of the predecessor, at its owner */
    struct nonet_value value; /* of the successor, for the predecessor's player */
};

/* Uses the value of a successor. True if that settles the position. Values arrive in the order of
 * their distance, so the first win is the shortest, and the last loss the longest. */
static bool settles(struct share *s, const struct news *news) {
    uint32_t number = (uint32_t)news->about;
    struct nonet_value *value = &s->values[number];
    if (news->value.has_margin) {
        if (value->outcome == UNKNOWN || nonet_value_compare(&news->value, value) > 0)
            *value = news->value;
        return --s->pending[number] == 0;
    }
    if (value->outcome != UNKNOWN)
        return false;
    bool all_known = --s->pending[number] == 0;
    if (news->value.outcome == NONET_WIN || all_known) {
        *value = news->value;
        return true;
    }
    return false;
}

static void announce(struct share *s, uint32_t number) {
    struct nonet_value before = nonet_value_before(s->values[number]);
    for (uint64_t e = s->first_edge[number]; e < s->first_edge[number + 1]; e++) {
        place from = s->edges[e].from;
        struct news news;
        memset(&news, 0, sizeof news); /* what is sent has no indeterminate bytes */
        news.about = from & ((1ull << OWNER_SHIFT) - 1);
        news.value = before;
        messages_write(&s->messages, (int)(from >> OWNER_SHIFT), &news, sizeof news);
    }
}

/* Settled positions update their predecessors, distance by distance. */
static bool solve(struct share *s) {
    uint32_t *settled = malloc(((size_t)s->count + 1) * sizeof *settled);
    if (settled == NULL)
        s->messages.failed = true;
    uint32_t count = 0, told = 0;
    for (uint32_t i = 0; i < s->count && !s->messages.failed; i++) {
        if (s->pending[i] > 0)
            continue;
        struct nonet_state state;
        memcpy(&state, state_at(s, i), s->game->state_size);
        s->values[i] = nonet_value_final(s->options, &state);
        /* A drawn end settles nothing: what is never won or lost is drawn. */
        if (s->values[i].has_margin || s->values[i].outcome != NONET_DRAW)
            settled[count++] = i;
    }
    uint64_t known = messages_sum(s->count);
    while (messages_sum(count - told) > 0) {
        uint64_t done = messages_sum(told);
        tell(s, "working backward", 0.6 + 0.3 * (double)done / (double)known,
             clock_now() - s->begun);
        uint32_t level = count;
        /* One level is sent in slices, and completely before the next one begins. */
        while (messages_sum(level - told) > 0) {
            for (int i = 0; i < SLICE && told < level && !s->messages.failed; i++)
                announce(s, settled[told++]);
            if (!messages_exchange(&s->messages)) {
                free(settled);
                return false;
            }
            for (size_t at = 0; at < s->messages.in_size; at += sizeof(struct news)) {
                struct news news;
                memcpy(&news, s->messages.in + at, sizeof news);
                if (settles(s, &news))
                    settled[count++] = (uint32_t)news.about;
            }
        }
    }
    free(settled);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->values[i].outcome == UNKNOWN)
            s->values[i] = (struct nonet_value){.outcome = NONET_DRAW};
    return true;
}

/* --- Writing -------------------------------------------------------------------------------- */

/* An entry as sent to the first process: the value, then the state. */
static size_t entry_size(const struct share *s) {
    return (sizeof(struct nonet_value) + s->game->state_size + 7) / 8 * 8;
}

/* The order of the owned positions by their bytes: a heap sort, because it needs no global variable
 * to compare. */
static void sift(const struct share *s, uint32_t *order, uint32_t at, uint32_t count) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && memcmp(state_at(s, order[child]), state_at(s, order[child + 1]),
                                        s->game->state_size) < 0)
            child++;
        if (memcmp(state_at(s, order[at]), state_at(s, order[child]), s->game->state_size) >= 0)
            return;
        uint32_t kept = order[at];
        order[at] = order[child];
        order[child] = kept;
        at = child;
    }
}

static uint32_t *sorted_order(const struct share *s) {
    uint32_t *order = malloc(((size_t)s->count + 1) * sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint32_t i = 0; i < s->count; i++)
        order[i] = i;
    for (uint32_t i = s->count / 2; i-- > 0;)
        sift(s, order, i, s->count);
    for (uint32_t left = s->count; left > 1;) {
        left--;
        uint32_t kept = order[0];
        order[0] = order[left];
        order[left] = kept;
        sift(s, order, 0, left);
    }
    return order;
}

/* Packs the next entries, at most CHUNK, into the buffer; returns how many. */
static int pack(const struct share *s, const uint32_t *order, uint32_t *done,
                unsigned char *chunk) {
    int count = 0;
    for (; count < CHUNK && *done < s->count; count++, (*done)++) {
        unsigned char *entry = chunk + (size_t)count * entry_size(s);
        memset(entry, 0, entry_size(s));
        memcpy(entry, &s->values[order[*done]], sizeof(struct nonet_value));
        memcpy(entry + sizeof(struct nonet_value), state_at(s, order[*done]), s->game->state_size);
    }
    return count;
}

enum { ASK = 1, ANSWER, STOP };

/* Processes other than the first send their entries chunk by chunk until they are told to stop. */
static void hand_out(const struct share *s, const uint32_t *order, unsigned char *chunk) {
    for (uint32_t done = 0;;) {
        MPI_Status status;
        MPI_Recv(NULL, 0, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        int count = pack(s, order, &done, chunk);
        MPI_Send(chunk, (int)((size_t)count * entry_size(s)), MPI_BYTE, 0, ANSWER, MPI_COMM_WORLD);
    }
}

struct stream {
    unsigned char *chunk;
    int at, count;
    bool ended;
};

static void refill(const struct share *s, int owner, const uint32_t *order, uint32_t *done,
                   struct stream *stream) {
    stream->at = 0;
    if (owner == 0) {
        stream->count = pack(s, order, done, stream->chunk);
    } else {
        MPI_Status status;
        int size;
        MPI_Send(NULL, 0, MPI_BYTE, owner, ASK, MPI_COMM_WORLD);
        MPI_Recv(stream->chunk, (int)(CHUNK * entry_size(s)), MPI_BYTE, owner, ANSWER,
                 MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &size);
        stream->count = (int)((size_t)size / entry_size(s));
    }
    stream->ended = stream->count == 0;
}

/* The first process merges the sorted entries of all and writes them. */
static bool merge(const struct share *s, const uint32_t *order, struct stream *streams,
                  const char *path, struct nonet_text *why) {
    struct table_writer *writer = table_writer_open(path, s->options, TABLE_KEYED, why);
    uint32_t done = 0;
    bool writing = writer != NULL;
    for (int i = 0; i < s->messages.all; i++)
        refill(s, i, order, &done, &streams[i]);
    while (writing) {
        int least = -1;
        const unsigned char *first = NULL;
        for (int i = 0; i < s->messages.all; i++) {
            if (streams[i].ended)
                continue;
            const unsigned char *entry = streams[i].chunk + (size_t)streams[i].at * entry_size(s) +
                                         sizeof(struct nonet_value);
            if (first == NULL || memcmp(entry, first, s->game->state_size) < 0) {
                first = entry;
                least = i;
            }
        }
        if (least < 0)
            break;
        struct nonet_value value;
        memcpy(&value, first - sizeof value, sizeof value);
        writing = table_writer_add(writer, first, &value);
        if (++streams[least].at == streams[least].count)
            refill(s, least, order, &done, &streams[least]);
    }
    for (int i = 1; i < s->messages.all; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, STOP, MPI_COMM_WORLD);
    return writer != NULL && table_writer_close(writer, why);
}

static bool write_table(struct share *s, const char *path, struct nonet_text *why) {
    uint32_t *order = sorted_order(s);
    int chunks = s->messages.me == 0 ? s->messages.all : 1;
    struct stream *streams = calloc((size_t)chunks, sizeof *streams);
    bool ready = order != NULL && streams != NULL;
    for (int i = 0; i < chunks && ready; i++)
        ready = (streams[i].chunk = malloc(CHUNK * entry_size(s))) != NULL;
    bool anybody = !messages_agree(ready);
    int written = 0;
    if (anybody)
        nonet_text_add(why, "there is not enough memory to write the table");
    else if (s->messages.me == 0)
        written = merge(s, order, streams, path, why);
    else
        hand_out(s, order, streams[0].chunk);
    MPI_Bcast(&written, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!written && s->messages.me != 0 && !anybody)
        nonet_text_add(why, "the first process could not write the table");
    for (int i = 0; i < chunks && streams != NULL; i++)
        free(streams[i].chunk);
    free(streams);
    free(order);
    return written;
}

/* --- The whole solve ------------------------------------------------------------------------ */

static bool begin(struct share *s) {
    if (!messages_open(&s->messages))
        return false;
    s->owner = (struct checkpoint_owner){s->limits->work, s->options, s->messages.me,
                                         s->messages.all, s->limits->work_key};
    s->begun = clock_now();
    s->room = 1024;
    s->edge_room = 4096;
    s->slot_count = 4096;
    s->states = malloc((size_t)s->room * s->game->state_size);
    s->pending = malloc(s->room * sizeof *s->pending);
    s->values = malloc(s->room * sizeof *s->values);
    s->edges = malloc(s->edge_room * sizeof *s->edges);
    s->slots = calloc(s->slot_count, sizeof *s->slots);
    return messages_agree(s->states != NULL && s->pending != NULL && s->values != NULL &&
                          s->edges != NULL && s->slots != NULL);
}

static void end(struct share *s) {
    free(s->states);
    free(s->pending);
    free(s->values);
    free(s->edges);
    free(s->first_edge);
    free(s->slots);
    messages_close(&s->messages);
}

bool solve_spread(const struct nonet_options *options, const struct solve_limits *limits,
                  const char *path, struct nonet_text *why) {
    struct share s = {.options = options, .game = options->game, .limits = limits};
    bool done = false;
    if (begin(&s) && discover(&s) && sort_edges(&s) && solve(&s))
        done = write_table(&s, path, why);
    else
        nonet_text_add(why,
                       "there is not enough memory: give each process more, or use more processes");
    if (done)
        checkpoint_forget(limits->work);
    end(&s);
    return done;
}
