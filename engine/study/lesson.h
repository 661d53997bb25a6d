/* Whether a try of somebody who learns a game meets the goal of a lesson's step.
 *
 * A try is what a hand does: it touches places, or names a move. It is a legal move, the beginning
 * of one, or refused with a reason. A goal is a text in a small closed language:
 *
 *     move M [M …]     the try is one of these moves, and legal
 *     legal            the try is a legal move
 *     touch P [P …]    these places were touched first, in this order
 *     refused KEY      the try is refused with the phrase that has this key
 *     reach P [P …]    after the try, pieces of the one who tried stand on all of these places
 *     event KEY        the try makes the game tell this
 *     over             the game is over after the try
 *     winner N         and player N is among the winners
 *     kept             the try keeps the result that best play has here; only where that is proven
 *     all(G, G …)   any(G, G …)   not(G)
 *
 * The page and the tests call the same functions. docs/lessons.md tells about the lessons. */
#ifndef NONET_STUDY_LESSON_H
#define NONET_STUDY_LESSON_H

#include "judge.h"

enum { LESSON_NESTING = 4 }; /* goals within goals */

enum lesson_outcome {
    LESSON_REFUSED, /* it is no move, and no legal move begins like this */
    LESSON_BEGUN,   /* a legal move begins like this */
    LESSON_LEGAL,   /* a legal move */
};

/* Whether a move keeps the result of best play, as far as a judge knows. */
enum lesson_proof { LESSON_UNPROVEN, LESSON_KEPT, LESSON_LOST };

struct lesson_try {
    const struct nonet_options *options;
    enum lesson_outcome outcome;
    int player; /* who tried */
    int count;  /* of the places touched */
    uint16_t places[NONET_MAX_TOUCHES];
    /* Of a refusal. Without a phrase where the engine has nothing to say: the touches could still
     * become several moves that are all refused, each for a reason of its own. */
    struct nonet_message why;
    nonet_move move;            /* of a legal move, as everything below */
    int turn;                   /* after it; 0: the game is over */
    struct nonet_result result; /* if it is */
    struct nonet_events events;
    enum lesson_proof proof;
    struct nonet_scene scene; /* after it; without a legal move, as it is */
};

/* A try by touching places, given by their index in the scene. The session stays where it is. */
void lesson_try_touches(struct nonet_session *session, const uint16_t *places, int count,
                        struct lesson_try *try);
/* A try by the text of a move. */
void lesson_try_move(struct nonet_session *session, const char *text, struct lesson_try *try);

/* Adds what a judge knows about the position before a legal try. Returns the best move, if the try
 * gave its result away; else null. */
const struct judge_move *lesson_try_prove(struct lesson_try *try,
                                          const struct judge_verdict *verdict);

/* What is wrong with a goal's text, and where. */
struct lesson_fault {
    int at;
    const char *what; /* in English, for whoever writes lessons */
};

/* Whether the text is a goal for this session's game: its moves and places exist. */
bool lesson_goal_check(const struct nonet_session *session, const char *goal,
                       struct lesson_fault *fault);

/* Whether the try meets the goal. A text that is no goal is never met. */
bool lesson_goal_met(const char *goal, const struct lesson_try *try);

#endif
