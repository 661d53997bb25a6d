/* A game in progress: a tree of variations, draws by repetition, and the current legal moves.
 *
 * The session owns what games do not: the states so far and the moves between them. It stands at
 * one node of the tree. The line that leads there is the game as it is played. Undo goes back along
 * it; playing another move from there begins a variation beside the old one, which is kept. The
 * session refuses illegal moves with the reason.
 *
 * What only the current position needs lies in a scratch, which sessions of a thread can share: the
 * legal moves, and the workspace of a game with too many moves to list, which takes megabytes. */
#ifndef NONET_RULES_SESSION_H
#define NONET_RULES_SESSION_H

#include "events.h"

struct nonet_session;

/* ---- The scratch: room to work out the position that is asked about ---- */

struct nonet_scratch;

/* A scratch for any session of a game; it must outlive all sessions that borrow it. It serves one
 * session at a time, the one that was asked something last. Changing to another costs little in a
 * game whose moves are listed, and a fraction of a millisecond in a wide one. Null if there is no
 * memory. */
struct nonet_scratch *nonet_scratch_new(const struct nonet_game *game);
void nonet_scratch_free(struct nonet_scratch *scratch);

/* ---- Beginning ---- */

/* A session at the first position, or null if there is no memory. Options must be checked and
 * dealt. With a scratch it borrows that one; with null it has one of its own. */
struct nonet_session *nonet_session_new(const struct nonet_options *options);
struct nonet_session *nonet_session_new_at(const struct nonet_options *options,
                                           struct nonet_scratch *scratch);
void nonet_session_free(struct nonet_session *session);

/* Restarts the session from a position text; the tree is gone. */
bool nonet_session_read(struct nonet_session *session, const char *text, struct nonet_message *why);

/* Begins another game, at the first position of these options of the same game, which are checked
 * and dealt; the tree is gone. */
void nonet_session_restart(struct nonet_session *session, const struct nonet_options *options);

/* Whether it began at a given position, not at the first one of its options. */
bool nonet_session_began_elsewhere(const struct nonet_session *session);

/* ---- The current position, and the line that led there ---- */

const struct nonet_options *nonet_session_options(const struct nonet_session *session);
const void *nonet_session_state(const struct nonet_session *session);

/* Moves played since the start, and the i-th of them; the state before it. States last until a move
 * is played. */
int nonet_session_ply(const struct nonet_session *session);
nonet_move nonet_session_move(const struct nonet_session *session, int index);
const void *nonet_session_state_before(const struct nonet_session *session, int index);

/* The player whose decision it is, or 0 when the game is over, also by repetition. */
int nonet_session_turn(const struct nonet_session *session);
/* The player from whose side the position's value is stated: the player to move. After the end it
 * is the player who would be next, or player 1 in a game that names nobody there. */
int nonet_session_side(const struct nonet_session *session);
void nonet_session_result(const struct nonet_session *session, struct nonet_result *result);
/* How often the current position has occurred along the line, this time included. */
int nonet_session_repetitions(const struct nonet_session *session);

/* What the i-th move did, as far as the viewer may know, and whether a position came back by it. */
void nonet_session_events(const struct nonet_session *session, int index, int viewer,
                          struct nonet_events *events);

/* Legal moves: how many, and which, in the game's order. None once the game is over. */
uint64_t nonet_session_count(const struct nonet_session *session);
nonet_move nonet_session_nth(const struct nonet_session *session, uint64_t index);

/* The workspace of a wide game. It matches the state until another session uses the scratch. Null
 * for other games. */
const void *nonet_session_workspace(const struct nonet_session *session);

/* ---- Playing ---- */

/* Whether the move may be played now; if not, why. */
bool nonet_session_legal(const struct nonet_session *session, nonet_move move,
                         struct nonet_message *why);
/* Plays a legal move: enters the variation that has it already, or begins a new one. Refuses a move
 * that is not legal, or for which there is no room. */
bool nonet_session_play(struct nonet_session *session, nonet_move move, struct nonet_message *why);
/* The same for a move's text. */
bool nonet_session_play_text(struct nonet_session *session, const char *text,
                             struct nonet_message *why);

/* Takes a move back; or plays a move again that was taken back, into the variation visited last.
 * False if there is none. */
bool nonet_session_undo(struct nonet_session *session);
bool nonet_session_redo(struct nonet_session *session);

/* ---- The tree ----
 *
 * A node is a number, 0 for the first position; a number is never used for two nodes. The first
 * child of a node continues its line, so the first children from node 0 on are the main line. */

enum { NONET_NO_NODE = -1 };

int nonet_session_node(const struct nonet_session *session); /* where the session stands */
int nonet_session_parent(const struct nonet_session *session, int node);
int nonet_session_first_child(const struct nonet_session *session, int node);
int nonet_session_next_sibling(const struct nonet_session *session, int node);
nonet_move nonet_session_move_to(const struct nonet_session *session, int node); /* not of 0 */

/* Goes to a node. */
void nonet_session_go(struct nonet_session *session, int node);
/* Makes a variation the first child of its parent. */
void nonet_session_promote(struct nonet_session *session, int node);
/* Removes a node and everything after it, except node 0; a session that stands there goes to its
 * parent. */
void nonet_session_prune(struct nonet_session *session, int node);
/* Forgets all variations, and keeps the line to where the session stands. This makes room for other
 * positions; nodes get new numbers. */
void nonet_session_trim(struct nonet_session *session);

#endif
