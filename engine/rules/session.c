#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "wide.h"

struct node {
    nonet_move move; /* that leads here */
    int32_t parent, first_child, next_sibling;
    int32_t looked_at; /* the child that was visited last: what redo plays */
    int32_t depth;     /* moves from the first position */
    int32_t same_hash; /* an older node in the same bucket, see `buckets` */
    uint32_t repetitions;
};

struct nonet_scratch {
    const struct nonet_game *game;
    const struct nonet_session *session; /* whose position it holds; null: no session's */
    int node;
    void *workspace;   /* of a wide game */
    nonet_move *legal; /* of any other game */
    int legal_count;
};

struct nonet_session {
    struct nonet_options options;
    size_t stride; /* state_size rounded up to its alignment */
    struct node *nodes;
    unsigned char *states;    /* of the nodes */
    int32_t *line;            /* the nodes from the first to where the session stands */
    int count, capacity, now; /* nodes; `now` is the current one */
    bool began_elsewhere;
    struct nonet_scratch *scratch;
    bool owns_scratch;
    /* Nodes by the hash of their states, where repetition matters: the newest of each bucket. There
     * are `capacity` buckets, a power of two. The hash has no key: the engine has no secret to make
     * one of, and even a game whose states all meet in one bucket takes only about a second, since
     * a game is at most NONET_MAX_PLIES long. */
    int32_t *buckets;
};

enum { FIRST_CAPACITY = 32 };

static const struct nonet_game *game_of(const struct nonet_session *session) {
    return session->options.game;
}

static void *state_of(const struct nonet_session *session, int node) {
    return session->states + (size_t)node * session->stride;
}

/* ---- The scratch ---- */

struct nonet_scratch *nonet_scratch_new(const struct nonet_game *game) {
    struct nonet_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    scratch->game = game;
    if (game->wide != NULL)
        scratch->workspace = aligned_alloc(64, (game->wide->workspace_size + 63) / 64 * 64);
    else
        scratch->legal = malloc(NONET_MAX_MOVES * sizeof *scratch->legal);
    if (scratch->workspace == NULL && scratch->legal == NULL) {
        free(scratch);
        return NULL;
    }
    return scratch;
}

void nonet_scratch_free(struct nonet_scratch *scratch) {
    if (scratch == NULL)
        return;
    free(scratch->workspace);
    free(scratch->legal);
    free(scratch);
}

static void hold(const struct nonet_session *session) {
    session->scratch->session = session;
    session->scratch->node = session->now;
}

/* The scratch, holding the session's position. */
static struct nonet_scratch *at_scratch(const struct nonet_session *session) {
    struct nonet_scratch *scratch = session->scratch;
    if (scratch->session == session && scratch->node == session->now)
        return scratch;
    const struct nonet_game *game = game_of(session);
    const void *state = nonet_session_state(session);
    if (game->wide != NULL)
        game->wide->enter(&session->options, state, scratch->workspace);
    else
        scratch->legal_count = game->moves(&session->options, state, scratch->legal);
    hold(session);
    return scratch;
}

/* ---- Nodes ---- */

static bool counts_repetitions(const struct nonet_session *session) {
    return (game_of(session)->facts & NONET_REPETITION_DRAWS) != 0;
}

static int32_t *bucket_of(const struct nonet_session *session, int node) {
    uint64_t hash = nonet_hash(state_of(session, node), game_of(session)->state_size);
    return &session->buckets[hash & (uint64_t)(session->capacity - 1)];
}

static bool is_on_line(const struct nonet_session *session, int node) {
    int depth = session->nodes[node].depth;
    return depth <= session->nodes[session->now].depth && session->line[depth] == node;
}

static void remember(struct nonet_session *session, int node) {
    int32_t *bucket = bucket_of(session, node);
    session->nodes[node].same_hash = *bucket;
    *bucket = node;
}

/* How often a new node's position has occurred on the line to it. The newest node on the line with
 * the same position has the count so far. */
static uint32_t count_repetitions(const struct nonet_session *session, int node) {
    for (int i = *bucket_of(session, node); i != NONET_NO_NODE; i = session->nodes[i].same_hash)
        if (is_on_line(session, i) && memcmp(state_of(session, i), state_of(session, node),
                                             game_of(session)->state_size) == 0)
            return session->nodes[i].repetitions + 1;
    return 1;
}

/* Puts all nodes into their buckets anew, where repetition matters. */
static void index_states(struct nonet_session *session) {
    if (!counts_repetitions(session))
        return;
    for (int i = 0; i < session->capacity; i++)
        session->buckets[i] = NONET_NO_NODE;
    for (int i = 0; i < session->count; i++)
        remember(session, i);
}

static bool grow(struct nonet_session *session, int capacity) {
    size_t room = (size_t)capacity;
    unsigned char *states = aligned_alloc(NONET_STATE_ALIGN, room * session->stride);
    struct node *nodes = states != NULL ? realloc(session->nodes, room * sizeof *nodes) : NULL;
    session->nodes = nodes != NULL ? nodes : session->nodes;
    int32_t *line = nodes != NULL ? realloc(session->line, room * sizeof *line) : NULL;
    session->line = line != NULL ? line : session->line;
    int32_t *buckets =
        line != NULL ? realloc(session->buckets, room * sizeof *session->buckets) : NULL;
    session->buckets = buckets != NULL ? buckets : session->buckets;
    if (buckets == NULL) {
        free(states);
        return false;
    }
    if (session->count > 0)
        memcpy(states, session->states, (size_t)session->count * session->stride);
    free(session->states);
    session->states = states;
    session->capacity = capacity;
    index_states(session);
    return true;
}

/* Forgets everything but the state of node 0, which is set already. */
static void begin_tree(struct nonet_session *session) {
    session->count = 1;
    session->now = session->line[0] = 0;
    session->nodes[0] = (struct node){.parent = NONET_NO_NODE,
                                      .first_child = NONET_NO_NODE,
                                      .next_sibling = NONET_NO_NODE,
                                      .looked_at = NONET_NO_NODE,
                                      .repetitions = 1};
    index_states(session);
}

/* Goes to a node: writes the line that leads there, from its end back to where it meets the old
 * one. */
static void stand_at(struct nonet_session *session, int node) {
    int right = session->nodes[session->now].depth; /* the line is correct up to here */
    session->now = node;
    for (int parent; (parent = session->nodes[node].parent) != NONET_NO_NODE; node = parent) {
        int depth = session->nodes[node].depth;
        session->line[depth] = node;
        session->nodes[parent].looked_at = node;
        if (depth - 1 <= right && session->line[depth - 1] == parent)
            break;
    }
}

/* ---- Beginning ---- */

struct nonet_session *nonet_session_new(const struct nonet_options *options) {
    return nonet_session_new_at(options, NULL);
}

struct nonet_session *nonet_session_new_at(const struct nonet_options *options,
                                           struct nonet_scratch *scratch) {
    const struct nonet_game *game = options->game;
    struct nonet_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->options = *options;
    session->stride =
        (game->state_size + (size_t)NONET_STATE_ALIGN - 1) / NONET_STATE_ALIGN * NONET_STATE_ALIGN;
    session->owns_scratch = scratch == NULL;
    session->scratch = scratch != NULL ? scratch : nonet_scratch_new(game);
    if (session->scratch == NULL || !grow(session, FIRST_CAPACITY)) {
        nonet_session_free(session);
        return NULL;
    }
    nonet_session_restart(session, options);
    return session;
}

void nonet_session_restart(struct nonet_session *session, const struct nonet_options *options) {
    session->options = *options;
    session->began_elsewhere = false;
    session->scratch->session = NULL;
    game_of(session)->start(&session->options, state_of(session, 0), session->scratch->workspace);
    begin_tree(session);
    if (game_of(session)->wide != NULL)
        hold(session);
}

void nonet_session_free(struct nonet_session *session) {
    if (session == NULL)
        return;
    if (session->owns_scratch)
        nonet_scratch_free(session->scratch);
    else if (session->scratch->session == session)
        session->scratch->session = NULL;
    free(session->nodes);
    free(session->states);
    free(session->line);
    free(session->buckets);
    free(session);
}

bool nonet_session_read(struct nonet_session *session, const char *text,
                        struct nonet_message *why) {
    const struct nonet_game *game = game_of(session);
    struct nonet_state start, state;
    session->scratch->session = NULL; /* a refused text may leave the workspace half changed */
    game->start(&session->options, &start, session->scratch->workspace);
    if (!nonet_read_whole(&session->options, text, &state, session->scratch->workspace, why))
        return false;
    memcpy(state_of(session, 0), &state, game->state_size);
    session->began_elsewhere = memcmp(&start, &state, game->state_size) != 0;
    begin_tree(session);
    if (game->wide != NULL)
        hold(session);
    return true;
}

bool nonet_session_began_elsewhere(const struct nonet_session *session) {
    return session->began_elsewhere;
}

/* ---- The current position ---- */

const struct nonet_options *nonet_session_options(const struct nonet_session *session) {
    return &session->options;
}

const void *nonet_session_state(const struct nonet_session *session) {
    return state_of(session, session->now);
}

int nonet_session_ply(const struct nonet_session *session) {
    return session->nodes[session->now].depth;
}

nonet_move nonet_session_move(const struct nonet_session *session, int index) {
    return session->nodes[session->line[index + 1]].move;
}

const void *nonet_session_state_before(const struct nonet_session *session, int index) {
    return state_of(session, session->line[index]);
}

int nonet_session_repetitions(const struct nonet_session *session) {
    return (int)session->nodes[session->now].repetitions;
}

int nonet_session_turn(const struct nonet_session *session) {
    if (nonet_session_repetitions(session) >= 3)
        return 0;
    return game_of(session)->turn(&session->options, nonet_session_state(session));
}

int nonet_session_side(const struct nonet_session *session) {
    const struct nonet_game *game = game_of(session);
    const void *state = nonet_session_state(session);
    int turn = game->turn(&session->options, state);
    return turn != 0 ? turn : game->next != NULL ? game->next(&session->options, state) : 1;
}

void nonet_session_result(const struct nonet_session *session, struct nonet_result *result) {
    memset(result, 0, sizeof *result);
    if (nonet_session_turn(session) != 0)
        return;
    const void *state = nonet_session_state(session);
    if (game_of(session)->turn(&session->options, state) == 0) {
        game_of(session)->result(&session->options, state, result);
    } else {
        result->winners = (uint8_t)((1u << session->options.players) - 1);
        result->reason = nonet_say(&nonet_common[NONET_SAY_REPETITION]);
    }
}

void nonet_session_events(const struct nonet_session *session, int index, int viewer,
                          struct nonet_events *events) {
    int node = session->line[index + 1];
    nonet_events_for(&session->options, nonet_session_state_before(session, index),
                     session->nodes[node].move, state_of(session, node), viewer, events);
    if (session->nodes[node].repetitions == 2)
        nonet_event_add(events, nonet_say(&nonet_common[NONET_SAY_SECOND_TIME]));
}

uint64_t nonet_session_count(const struct nonet_session *session) {
    if (nonet_session_turn(session) == 0)
        return 0;
    const struct nonet_scratch *scratch = at_scratch(session);
    const struct nonet_wide *wide = game_of(session)->wide;
    if (wide == NULL)
        return (uint64_t)scratch->legal_count;
    return wide->count(&session->options, nonet_session_state(session), scratch->workspace);
}

nonet_move nonet_session_nth(const struct nonet_session *session, uint64_t index) {
    const struct nonet_scratch *scratch = at_scratch(session);
    const struct nonet_wide *wide = game_of(session)->wide;
    if (wide == NULL)
        return scratch->legal[index];
    return wide->nth(&session->options, nonet_session_state(session), scratch->workspace, index);
}

const void *nonet_session_workspace(const struct nonet_session *session) {
    return game_of(session)->wide != NULL ? at_scratch(session)->workspace : NULL;
}

/* ---- Playing ---- */

bool nonet_session_legal(const struct nonet_session *session, nonet_move move,
                         struct nonet_message *why) {
    if (nonet_session_turn(session) == 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
        return false;
    }
    return game_of(session)->why(&session->options, nonet_session_state(session), move, why);
}

static int child_by(const struct nonet_session *session, nonet_move move) {
    int child = session->nodes[session->now].first_child;
    while (child != NONET_NO_NODE && session->nodes[child].move != move)
        child = session->nodes[child].next_sibling;
    return child;
}

/* Puts a node after its siblings. */
static void append(struct nonet_session *session, int node) {
    int32_t *link = &session->nodes[session->nodes[node].parent].first_child;
    while (*link != NONET_NO_NODE)
        link = &session->nodes[*link].next_sibling;
    *link = node;
}

/* Makes room for one more node; false with the reason if that is impossible. */
static bool make_room(struct nonet_session *session, struct nonet_message *why) {
    if (nonet_session_ply(session) >= NONET_MAX_PLIES) {
        *why = nonet_say(&nonet_common[NONET_SAY_MOST_MOVES], nonet_number(NONET_MAX_PLIES));
        return false;
    }
    if (session->count >= NONET_MAX_NODES) {
        *why = nonet_say(&nonet_common[NONET_SAY_MOST_POSITIONS], nonet_number(NONET_MAX_NODES));
        return false;
    }
    if (session->count < session->capacity || grow(session, session->capacity * 2))
        return true;
    *why = nonet_say(&nonet_common[NONET_SAY_NO_MEMORY]);
    return false;
}

bool nonet_session_play(struct nonet_session *session, nonet_move move, struct nonet_message *why) {
    const struct nonet_game *game = game_of(session);
    if (!nonet_session_legal(session, move, why))
        return false;
    int known = child_by(session, move);
    if (known != NONET_NO_NODE) {
        stand_at(session, known);
        return true;
    }
    if (!make_room(session, why))
        return false;
    int node = session->count;
    void *workspace = game->wide != NULL ? at_scratch(session)->workspace : NULL;
    memcpy(state_of(session, node), nonet_session_state(session), game->state_size);
    game->play(&session->options, state_of(session, node), workspace, move);
    session->nodes[node] = (struct node){.move = move,
                                         .parent = session->now,
                                         .first_child = NONET_NO_NODE,
                                         .next_sibling = NONET_NO_NODE,
                                         .looked_at = NONET_NO_NODE,
                                         .depth = nonet_session_ply(session) + 1,
                                         .repetitions = 1};
    if (counts_repetitions(session)) {
        session->nodes[node].repetitions = count_repetitions(session, node);
        remember(session, node);
    }
    session->count++;
    append(session, node);
    stand_at(session, node);
    if (game->wide != NULL)
        hold(session);
    return true;
}

bool nonet_session_play_text(struct nonet_session *session, const char *text,
                             struct nonet_message *why) {
    nonet_move move;
    return game_of(session)->parse(&session->options, text, &move, why) &&
           nonet_session_play(session, move, why);
}

bool nonet_session_undo(struct nonet_session *session) {
    int parent = session->nodes[session->now].parent;
    if (parent == NONET_NO_NODE)
        return false;
    stand_at(session, parent);
    return true;
}

bool nonet_session_redo(struct nonet_session *session) {
    int next = session->nodes[session->now].looked_at;
    if (next == NONET_NO_NODE)
        return false;
    stand_at(session, next);
    return true;
}

/* ---- The tree ---- */

int nonet_session_node(const struct nonet_session *session) {
    return session->now;
}

int nonet_session_parent(const struct nonet_session *session, int node) {
    return session->nodes[node].parent;
}

int nonet_session_first_child(const struct nonet_session *session, int node) {
    return session->nodes[node].first_child;
}

int nonet_session_next_sibling(const struct nonet_session *session, int node) {
    return session->nodes[node].next_sibling;
}

nonet_move nonet_session_move_to(const struct nonet_session *session, int node) {
    return session->nodes[node].move;
}

void nonet_session_go(struct nonet_session *session, int node) {
    stand_at(session, node);
}

static void unlink_node(struct nonet_session *session, int node) {
    int32_t *link = &session->nodes[session->nodes[node].parent].first_child;
    while (*link != node)
        link = &session->nodes[*link].next_sibling;
    *link = session->nodes[node].next_sibling;
}

void nonet_session_promote(struct nonet_session *session, int node) {
    struct node *parent = &session->nodes[session->nodes[node].parent];
    unlink_node(session, node);
    session->nodes[node].next_sibling = parent->first_child;
    parent->first_child = node;
}

/* A pruned node keeps its number and its bytes, but nothing leads to it. */
void nonet_session_prune(struct nonet_session *session, int node) {
    int parent = session->nodes[node].parent;
    if (parent == NONET_NO_NODE)
        return;
    if (is_on_line(session, node))
        stand_at(session, parent);
    unlink_node(session, node);
    if (session->nodes[parent].looked_at == node)
        session->nodes[parent].looked_at = session->nodes[parent].first_child;
}

/* A node has a higher number than its parent, so nothing is overwritten before it is moved. */
void nonet_session_trim(struct nonet_session *session) {
    int depth = nonet_session_ply(session);
    for (int i = 0; i <= depth; i++) {
        int node = session->line[i], next = i < depth ? i + 1 : NONET_NO_NODE;
        memmove(state_of(session, i), state_of(session, node), session->stride);
        session->nodes[i] = (struct node){.move = session->nodes[node].move,
                                          .parent = i > 0 ? i - 1 : NONET_NO_NODE,
                                          .first_child = next,
                                          .next_sibling = NONET_NO_NODE,
                                          .looked_at = next,
                                          .depth = i,
                                          .repetitions = session->nodes[node].repetitions};
        session->line[i] = i;
    }
    session->count = depth + 1;
    session->now = depth;
    index_states(session);
    if (session->scratch->session == session)
        session->scratch->session = NULL;
}
