#include "session.h"
#include "wide.h"

#include <stdlib.h>
#include <string.h>

static const struct nonet_phrase no_memory = {"common.no-memory", "there is no memory left"};

struct nonet_session {
    struct nonet_options options;
    size_t stride;         /* state_size rounded up to its alignment */
    unsigned char *states; /* ply + 1 of them are the history, those behind can be redone */
    nonet_move *moves;
    int ply, redo, capacity; /* redo: moves that stand in `moves`, played or taken back */
    void *workspace;
    int repetitions;   /* how often the current position has stood on the board */
    nonet_move *legal; /* of the current position, for games that list them */
    int legal_count;
};

static void *state_at(const struct nonet_session *session, int index) {
    return session->states + (size_t)index * session->stride;
}

static const struct nonet_game *game_of(const struct nonet_session *session) {
    return session->options.game;
}

/* Brings what depends on the current state up to date. */
static void settle(struct nonet_session *session) {
    const struct nonet_game *game = game_of(session);
    const void *now = state_at(session, session->ply);
    session->repetitions = 1;
    if (game->facts & NONET_REPETITION_DRAWS)
        for (int i = 0; i < session->ply; i++)
            session->repetitions += memcmp(state_at(session, i), now, game->state_size) == 0;
    if (game->moves != NULL)
        session->legal_count = game->moves(&session->options, now, session->legal);
}

static bool grow(struct nonet_session *session, int capacity) {
    unsigned char *states =
        aligned_alloc(NONET_STATE_ALIGN, ((size_t)capacity + 1) * session->stride);
    if (states == NULL)
        return false;
    nonet_move *moves = realloc(session->moves, (size_t)capacity * sizeof *moves);
    if (moves == NULL) {
        free(states);
        return false;
    }
    if (session->states != NULL)
        memcpy(states, session->states, ((size_t)session->redo + 1) * session->stride);
    free(session->states);
    session->states = states;
    session->moves = moves;
    session->capacity = capacity;
    return true;
}

struct nonet_session *nonet_session_new(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    struct nonet_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->options = *options;
    session->stride =
        (game->state_size + (size_t)NONET_STATE_ALIGN - 1) / NONET_STATE_ALIGN * NONET_STATE_ALIGN;
    if (game->wide != NULL) {
        size_t size = (game->wide->workspace_size + 63) / 64 * 64;
        session->workspace = aligned_alloc(64, size);
    } else {
        session->legal = malloc(NONET_MAX_MOVES * sizeof *session->legal);
    }
    if ((session->workspace == NULL && session->legal == NULL) || !grow(session, 32)) {
        nonet_session_free(session);
        return NULL;
    }
    game->start(&session->options, state_at(session, 0), session->workspace);
    settle(session);
    return session;
}

void nonet_session_free(struct nonet_session *session) {
    if (session == NULL)
        return;
    free(session->states);
    free(session->moves);
    free(session->workspace);
    free(session->legal);
    free(session);
}

bool nonet_session_read(struct nonet_session *session, const char *text,
                        struct nonet_message *why) {
    const struct nonet_game *game = game_of(session);
    struct nonet_state state;
    if (!nonet_read_whole(&session->options, text, &state, session->workspace, why)) {
        if (game->wide != NULL) /* a refused text may have left the workspace half changed */
            game->wide->enter(&session->options, nonet_session_state(session), session->workspace);
        return false;
    }
    memcpy(state_at(session, 0), &state, game->state_size);
    session->ply = session->redo = 0;
    settle(session);
    return true;
}

const struct nonet_options *nonet_session_options(const struct nonet_session *session) {
    return &session->options;
}

const void *nonet_session_state(const struct nonet_session *session) {
    return state_at(session, session->ply);
}

int nonet_session_ply(const struct nonet_session *session) {
    return session->ply;
}

nonet_move nonet_session_move(const struct nonet_session *session, int index) {
    return session->moves[index];
}

const void *nonet_session_state_before(const struct nonet_session *session, int index) {
    return state_at(session, index);
}

const void *nonet_session_workspace(const struct nonet_session *session) {
    return session->workspace;
}

static bool drawn_by_repetition(const struct nonet_session *session) {
    return session->repetitions >= 3;
}

int nonet_session_turn(const struct nonet_session *session) {
    if (drawn_by_repetition(session))
        return 0;
    return game_of(session)->turn(&session->options, nonet_session_state(session));
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

uint64_t nonet_session_count(const struct nonet_session *session) {
    if (nonet_session_turn(session) == 0)
        return 0;
    const struct nonet_wide *wide = game_of(session)->wide;
    if (wide == NULL)
        return (uint64_t)session->legal_count;
    return wide->count(&session->options, nonet_session_state(session), session->workspace);
}

nonet_move nonet_session_nth(const struct nonet_session *session, uint64_t index) {
    const struct nonet_wide *wide = game_of(session)->wide;
    if (wide == NULL)
        return session->legal[index];
    return wide->nth(&session->options, nonet_session_state(session), session->workspace, index);
}

bool nonet_session_legal(const struct nonet_session *session, nonet_move move,
                         struct nonet_message *why) {
    if (nonet_session_turn(session) == 0) {
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
        return false;
    }
    return game_of(session)->why(&session->options, nonet_session_state(session), move, why);
}

bool nonet_session_play(struct nonet_session *session, nonet_move move, struct nonet_message *why) {
    const struct nonet_game *game = game_of(session);
    if (!nonet_session_legal(session, move, why))
        return false;
    if (session->ply == session->capacity && !grow(session, session->capacity * 2)) {
        *why = nonet_say(&no_memory);
        return false;
    }
    void *next = state_at(session, session->ply + 1);
    memcpy(next, state_at(session, session->ply), game->state_size);
    game->play(&session->options, next, session->workspace, move);
    session->moves[session->ply++] = move;
    session->redo = session->ply;
    settle(session);
    return true;
}

bool nonet_session_play_text(struct nonet_session *session, const char *text,
                             struct nonet_message *why) {
    nonet_move move;
    return game_of(session)->parse(&session->options, text, &move, why) &&
           nonet_session_play(session, move, why);
}

static void go_to(struct nonet_session *session, int ply) {
    session->ply = ply;
    if (game_of(session)->wide != NULL)
        game_of(session)->wide->enter(&session->options, nonet_session_state(session),
                                      session->workspace);
    settle(session);
}

bool nonet_session_undo(struct nonet_session *session) {
    if (session->ply == 0)
        return false;
    go_to(session, session->ply - 1);
    return true;
}

bool nonet_session_redo(struct nonet_session *session) {
    if (session->ply == session->redo)
        return false;
    go_to(session, session->ply + 1);
    return true;
}
