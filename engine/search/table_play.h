/* Playing by a table of exact values: never gives a proven result away.
 *
 * Every move of the position is probed. Wins are ordered by the shortest way, losses by the
 * longest, games with points by the margin. Of moves that are equally good the one is best that is
 * hardest to answer: after which the greatest share of the other's replies makes his result worse.
 *
 * Tables know nothing of draws by repetition. A move to a position that has stood twice is a draw,
 * and so is, at best, one that lets the other go there. What else such a position may spoil is not
 * looked into: while there is one, wins and losses are not called proven. */
#ifndef NONET_SEARCH_TABLE_PLAY_H
#define NONET_SEARCH_TABLE_PLAY_H

#include "search.h"

enum { NONET_MOST_USED_UP = 64 };

/* Positions that have stood twice, by their hash: to stand again would end the game. */
struct nonet_used_up {
    int count;
    bool too_many; /* there are more than are kept */
    uint64_t key;  /* stands for all of them together; 0 if there is none */
    uint64_t hash[NONET_MOST_USED_UP];
};
void nonet_used_up_find(struct nonet_used_up *used_up, const struct nonet_search_task *task);
bool nonet_used_up_has(const struct nonet_used_up *used_up, uint64_t hash);

struct nonet_table_move {
    nonet_move move;
    bool probed;
    struct nonet_value value; /* from the seat's side, plies counted from before the move */
    bool by_rule;             /* it is no table that says so */
    int replies, errors;      /* looked at, and how many of them make the result worse */
    uint64_t lot;             /* decides between what is equal in all that */
};

enum nonet_table_stage {
    NONET_TABLE_ROOT,
    NONET_TABLE_MOVES,
    NONET_TABLE_REPLIES,
    NONET_TABLE_DONE
};

struct nonet_table_play {
    const struct nonet_search_task *task;
    const struct nonet_used_up *used_up;
    enum nonet_table_stage stage;
    struct nonet_value value;  /* of the task's position */
    int count, at;             /* moves, and the one under way */
    struct nonet_state behind; /* it */
    int reply_count, reply;
    nonet_move reply_moves[NONET_MAX_MOVES];
    struct nonet_table_move moves[NONET_MAX_MOVES];
};

/* `used_up` must last as long as the play. */
void nonet_table_play_begin(struct nonet_table_play *play, const struct nonet_search_task *task,
                            const struct nonet_used_up *used_up);
/* Probes one position. False if the table does not hold it, and so is of no use here. */
bool nonet_table_play_step(struct nonet_table_play *play);
/* What is known so far; `nodes` is for the caller to fill in. */
void nonet_table_play_report(const struct nonet_table_play *play, struct nonet_report *report);

#endif
