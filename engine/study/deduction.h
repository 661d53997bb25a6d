/* What a seat can deduce about what the others keep from it, and since which move.
 *
 * Every deal that the seat held possible before the first move is played through all moves. A deal
 * in which the seat would have seen something else, or in which a move would not have been legal,
 * is impossible from then on. What was never seen is not used: all deals that are left count the
 * same, however well or badly the others would have played in them. */
#ifndef NONET_STUDY_DEDUCTION_H
#define NONET_STUDY_DEDUCTION_H

#include "../rules/session.h"

enum { DEDUCTION_SECRET_TEXT = 16, DEDUCTION_UNDECIDED = -1 };

/* One of the secrets that a player may have been dealt. */
struct deduction_secret {
    char text[DEDUCTION_SECRET_TEXT]; /* as `secret` of hidden.h tells it */
    struct nonet_state example;       /* a first position in which the player has it */
    int deals;                        /* in how many of the deals that are left they have it */
    /* After how many moves it was first sure that they have it, or that they do not; 0 if that was
     * known before the first. DEDUCTION_UNDECIDED while both are possible. */
    int since;
};

struct deduction_player {
    int count;
    struct deduction_secret secrets[NONET_MAX_WORLDS]; /* in the order of their texts */
};

struct deduction {
    int deals; /* that are left */
    struct deduction_player players[NONET_MAX_PLAYERS];
};

/* For a seat, or for a spectator. False where the game hides nothing. */
bool deduction_make(struct deduction *deduction, const struct nonet_session *session, int seat);

#endif
