/* Games, positions, reviews and scenes as JSON, for programs and for the page. */
#ifndef NONET_STUDY_DESCRIBE_H
#define NONET_STUDY_DESCRIBE_H

#include "../base/json.h"
#include "../rules/session.h"
#include "../rules/standings.h"
#include "balance.h"
#include "difference.h"
#include "review.h"
#include "trial.h"

/* A game's facts and options. */
void describe_game(struct nonet_json *json, const struct nonet_game *game);

/* The member `winners` of a result, and the member `points` of one that has them. */
void describe_winners(struct nonet_json *json, const struct nonet_result *result, int players);
void describe_points(struct nonet_json *json, const struct nonet_result *result, int players);

/* Both for a session; `points` is null if there are none. */
void describe_result(struct nonet_json *json, const struct nonet_session *session);

/* Everything about the session's position as a line of JSON, as far as a viewer may know it. If the
 * session was opened from a position, options that only decide the deal are left out. False without
 * memory. */
enum {
    DESCRIBE_ALL = -1,            /* the viewer who may know everything */
    DESCRIBE_MOST_LISTED = 10000, /* above this number, legal moves are counted, not listed */
    DESCRIBE_POSITION_ROOM =
        (DESCRIBE_MOST_LISTED + 1) * (NONET_MOVE_TEXT + 4) + NONET_POSITION_TEXT + 4096,
};
bool describe_position(struct nonet_text *out, const struct nonet_session *session, int viewer,
                       bool from_position);

/* A value's members `value`, `distance` and `margin`. What it lacks is null; if there is no value,
 * all are null. */
void describe_value(struct nonet_json *json, const struct nonet_value *value);
/* Writes a member `players`: the value of each, with their number. */
void describe_players(struct nonet_json *json, const struct nonet_value *values, int players);
extern const char *const describe_outcomes[]; /* by enum nonet_outcome */

/* A word for where an opinion comes from. What proved it: "table", "mirror", "rules" or "search".
 * Otherwise "searched" or "estimated". `by` is that of the report. */
const char *describe_proof(const struct nonet_opinion *opinion, const char *by);

/* Writes the members move, value, distance, margin, proof and score into the object that is open.
 */
void describe_opinion(struct nonet_json *json, const struct nonet_options *options,
                      const struct nonet_opinion *opinion, const char *by);

/* Writes a member of this name: the texts of these moves. */
void describe_moves(struct nonet_json *json, const char *name, const struct nonet_options *options,
                    const nonet_move *moves, int count);

/* What a player thinks of a position, as members; docs/analysis.md lists them. And the same of a
 * game that is over: it has a value, and no move. */
enum {
    DESCRIBE_THOUGHTS_ROOM = (NONET_MAX_MOVES + NONET_SEARCH_LINE + 8) * (NONET_MOVE_TEXT + 160)
};
void describe_thoughts(struct nonet_json *json, const struct nonet_options *options,
                       const struct nonet_report *report, double seconds);
void describe_no_thoughts(struct nonet_json *json, const struct nonet_session *session);

/* The members `measure`, `players`, `start` and `moves` of a review, as far as it is finished;
 * docs/analysis.md lists them. Of the rows, only those from this ply on; `start` is the first.
 */
void describe_review(struct nonet_json *json, const struct nonet_options *options,
                     const struct review *review, int from);
extern const char *const describe_marks[]; /* by enum review_mark */

/* The figures of games that were played to measure a game, as members; docs/bench.md lists them. */
void describe_figures(struct nonet_json *json, const struct trial_figures *figures);

/* The member `plies` of what a table says about openings: an object for each number of plies. */
void describe_balance(struct nonet_json *json, const struct nonet_options *options,
                      const struct balance *balance);

/* A piece of a scene. */
void describe_piece(struct nonet_json *json, const struct nonet_piece *piece,
                    const struct nonet_catalogue *catalogue);

/* What differs on the boards of two scenes, as members. `gone`: the pieces of the first that left
 * their places. `placed`: those of the second that came to a place. `moved`: which of the former
 * are which of the latter, as pairs of indices into these two lists. `left`: the indices of those
 * of the first list that left the game. */
void describe_difference(struct nonet_json *json, const struct nonet_scene *before,
                         const struct nonet_scene *after, const struct difference *difference,
                         const struct nonet_catalogue *catalogue);

/* The member `events`: what a move did, in the catalogue's words, each with its places. */
void describe_events(struct nonet_json *json, const struct nonet_events *events,
                     const struct nonet_catalogue *catalogue);

/* The member `standings`: how a game stands. */
void describe_standings(struct nonet_json *json, const struct nonet_standings *standings,
                        const struct nonet_catalogue *catalogue);

/* What a material is called in all of this. */
const char *describe_material(enum nonet_material material);

/* A scene: its size, places and pieces, with labels in the catalogue's words. */
void describe_scene(struct nonet_json *json, const struct nonet_scene *scene,
                    const struct nonet_catalogue *catalogue);

#endif
