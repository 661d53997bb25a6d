/* What a table of exact values says about the first plies of a game: who wins after how many of all
 * openings, and which opening is the fairest. A designer who thinks of a swap wants to know: one
 * player makes the first plies for both sides, the other then chooses a side.
 *
 * It has no clock: the caller advances it by a number of positions at a time. */
#ifndef NONET_STUDY_BALANCE_H
#define NONET_STUDY_BALANCE_H

#include "../table/table.h"

enum {
    BALANCE_PLIES = 4,
    BALANCE_MOST = 20000, /* different positions after the same number of plies */
};

/* All openings of some plies; a game that is over before is none. */
struct balance_count {
    uint64_t lines[3];     /* sequences of moves, by the outcome for player 1: enum nonet_outcome */
    uint32_t positions[3]; /* different positions, symmetric ones counted once */
    /* The fairest: a draw if there is one; else the smallest margin, or the longest way to the
     * end. */
    struct nonet_value fairest; /* for player 1 */
    nonet_move moves[BALANCE_PLIES];
};

struct balance;

/* The options are of a game for two players who move in turn, and the table is of this game. Null
 * if memory runs out. */
struct balance *balance_open(const struct nonet_options *options, struct nonet_table *table);
void balance_close(struct balance *balance);

enum balance_status {
    BALANCE_WORKING,
    BALANCE_WAITING, /* some of the table's bytes are not here: fetch them, then go on */
    BALANCE_DONE,
    BALANCE_FAILED, /* the table is damaged */
};

/* Looks at up to this many more positions. */
enum balance_status balance_advance(struct balance *balance, int positions);

/* The numbers of plies that are finished: 0 for the first position alone, and so on; -1: nothing.
 * If it is done with less than BALANCE_PLIES, there are too many positions, or no longer games. */
int balance_plies(const struct balance *balance);
const struct balance_count *balance_count(const struct balance *balance, int plies);

#endif
