/* What a hand does: it touches places, one after the other, until they name a legal move. The page
 * does the same (web/src/game/touching.ts). No game is known here. */
#ifndef NONET_CLI_TOUCHING_H
#define NONET_CLI_TOUCHING_H

#include "rules/session.h"

struct touching {
    int count; /* of the legal moves; none in a wide game */
    struct touching_move {
        nonet_move move;
        int count;
        uint16_t places[NONET_MAX_TOUCHES];
    } moves[NONET_MAX_MOVES];
    int touched_count;
    uint16_t touched[NONET_MAX_TOUCHES];
};

/* The session's legal moves, and nothing touched. */
void touching_begin(struct touching *touching, const struct nonet_session *session);
void touching_forget(struct touching *touching);

/* Whether this place can be touched next; or in place of what was touched before. */
bool touching_next(const struct touching *touching, int place);
bool touching_instead(const struct touching *touching, int place);
bool touching_has(const struct touching *touching, int place);

/* Touches that leave no choice are made at once: the only kind of piece left, say. But nobody lifts
 * a piece from the board for somebody else, and the last touch is always somebody's decision. */
void touching_hurry(struct touching *touching, const struct nonet_scene *scene);

/* Touches a place: next, or instead of another. False if neither is possible. */
bool touching_touch(struct touching *touching, int place);
/* The move that the touches name in full. */
bool touching_named(const struct touching *touching, nonet_move *move);
/* The move that one more touch would name. */
bool touching_would(const struct touching *touching, int place, nonet_move *move);
/* Takes the last touch back; false if there is none. */
bool touching_back(struct touching *touching);

#endif
