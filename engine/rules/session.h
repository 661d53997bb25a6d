/* A game in progress: history, undo, redo, draws by repetition.
 *
 * The session owns what games do not: the states so far, the moves between them, and the workspace
 * of a game with too many moves to list. It refuses illegal moves with the reason. */
#ifndef NONET_RULES_SESSION_H
#define NONET_RULES_SESSION_H

#include "game.h"

struct nonet_session;

/* A session at the first position, or null without memory. Options must be checked and dealt. */
struct nonet_session *nonet_session_new(const struct nonet_options *options);
void nonet_session_free(struct nonet_session *session);

/* Restarts the session from a position text; the history is gone. */
bool nonet_session_read(struct nonet_session *session, const char *text, struct nonet_message *why);

const struct nonet_options *nonet_session_options(const struct nonet_session *session);
const void *nonet_session_state(const struct nonet_session *session);

/* Moves played since the start, and the i-th of them; the state before it. */
int nonet_session_ply(const struct nonet_session *session);
nonet_move nonet_session_move(const struct nonet_session *session, int index);
const void *nonet_session_state_before(const struct nonet_session *session, int index);

/* The player whose decision it is, or 0 when the game is over, by repetition too. */
int nonet_session_turn(const struct nonet_session *session);
void nonet_session_result(const struct nonet_session *session, struct nonet_result *result);

/* Legal moves: how many, and which, in the game's order. None once the game is over. */
uint64_t nonet_session_count(const struct nonet_session *session);
nonet_move nonet_session_nth(const struct nonet_session *session, uint64_t index);

/* The workspace of a wide game, in step with the state; null for others. */
const void *nonet_session_workspace(const struct nonet_session *session);

/* Whether the move may be played now; if not, why. */
bool nonet_session_legal(const struct nonet_session *session, nonet_move move,
                         struct nonet_message *why);
/* Plays a legal move. A move that is not, or for which there is no memory, is refused. */
bool nonet_session_play(struct nonet_session *session, nonet_move move, struct nonet_message *why);
/* The same for a move's text. */
bool nonet_session_play_text(struct nonet_session *session, const char *text,
                             struct nonet_message *why);

/* Takes a move back, or plays the one taken back again. False where there is none. */
bool nonet_session_undo(struct nonet_session *session);
bool nonet_session_redo(struct nonet_session *session);

#endif
