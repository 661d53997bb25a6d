#include "openings.h"

#include <string.h>

#include "../base/hash.h"
#include "../rules/hidden.h"
#include "../rules/wide.h"

/* ---- Positions ---- */

static uint64_t position_key(const struct nonet_options *options, const void *state,
                             nonet_move move) {
    const struct nonet_game *game = options->game;
    struct nonet_state after, seen;
    memcpy(&after, state, game->state_size);
    game->play(options, &after, NULL, move);
    if (game->hidden != NULL)
        nonet_observe(options, &after, NONET_SPECTATOR, &seen);
    else
        nonet_canonical(options, &after, &seen);
    return nonet_hash(&seen, game->state_size);
}

/* ---- Groups of first moves ---- */

enum { THIRDS = 3, STEP = 45, QUARTER = 90, HALF = 180 };

/* What the pieces of a group have in common. */
struct group {
    int32_t symmetries; /* that leave the piece as it is */
    int32_t width, depth, height;
    int32_t column, row; /* of the floor, in thirds */
    int32_t angle;
} NONET_LITTLE_ENDIAN;

static int32_t third_of(int32_t at, int32_t whole) {
    int32_t third = at * THIRDS / whole;
    return third < THIRDS ? third : THIRDS - 1;
}

static struct group group_of(const struct nonet_options *options, const struct nonet_scene *floor,
                             nonet_move move, int symmetries) {
    struct nonet_piece piece;
    options->game->wide->piece(options, move, &piece);
    int turn = piece.width == piece.depth ? QUARTER : HALF;
    return (struct group){
        .symmetries = symmetries,
        .width = piece.width,
        .depth = piece.depth,
        .height = piece.height,
        .column = third_of(piece.x, floor->width),
        .row = third_of(piece.y, floor->depth),
        .angle = (piece.angle + STEP / 2) / STEP * STEP % turn,
    };
}

static uint64_t group_key(const struct nonet_session *session, nonet_move move) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    struct nonet_scene floor;
    nonet_scene_for(options, nonet_session_state(session), NONET_SPECTATOR, &floor);
    int count = game->symmetries != NULL ? game->symmetries(options) : 1, kept = 0;
    for (int i = 0; i < count; i++)
        kept += count == 1 || game->turn_move(options, i, move) == move;
    struct group least = group_of(options, &floor, move, kept);
    for (int i = 1; i < count; i++) {
        struct group other = group_of(options, &floor, game->turn_move(options, i, move), kept);
        if (memcmp(&other, &least, sizeof least) < 0)
            least = other;
    }
    return nonet_hash(&least, sizeof least);
}

uint64_t opening_key(const struct nonet_session *session, nonet_move move) {
    uint64_t key;
    if (nonet_session_options(session)->game->wide == NULL)
        key = position_key(nonet_session_options(session), nonet_session_state(session), move);
    else if (nonet_session_ply(session) == 0 && !nonet_session_began_elsewhere(session))
        key = group_key(session, move);
    else
        return 0;
    return key != 0 ? key : 1;
}
