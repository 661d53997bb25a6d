/* What every move of a position is worth, and how that is known.
 *
 * The best proof at hand counts: a table of exact values, a search that sees the end of every line,
 * and where neither answers, the search of the strongest player, which goes deeper the longer it is
 * advanced. The judge has no clock and no threads: the caller advances it by a number of nodes at a
 * time and asks for a verdict whenever it wants one.
 *
 * It judges by what the seat to move may know, so a verdict tells nothing that is hidden from it.
 */
#ifndef NONET_STUDY_JUDGE_H
#define NONET_STUDY_JUDGE_H

#include "../search/search.h"

struct judge_limits {
    struct nonet_table *table; /* of exact values; or null */
    uint64_t proof_nodes;      /* that a proof by search may take, before the player takes over */
    uint64_t nodes;            /* of the player after that; 0: no limit */
    size_t memory;             /* in bytes, for searches; 0: the default */
    uint64_t seed;
};

enum judge_status {
    JUDGE_WORKING, /* advance it further */
    JUDGE_WAITING, /* the table's bytes are not all here: fetch them, then advance it further */
    JUDGE_SETTLED, /* nothing more to find out within the limits */
};

struct judge_move {
    nonet_move move;
    bool judged; /* the rest means something; in a search that was stopped early not all are */
    struct nonet_opinion opinion; /* for the player who makes the move */
    /* With more than two players, what each may expect: shares of the win, NONET_WHOLE_WIN in all.
     */
    int16_t chances[NONET_MAX_PLAYERS];
    int twin; /* the first move in the list that is the same by symmetry; often the move itself */
};

struct judge_verdict {
    int turn;       /* 0: the game is over, and there is nothing to judge */
    const char *by; /* names the proof or the search, as in struct nonet_report */
    int depth;      /* of the search, where that means something; else 0 */
    uint64_t nodes;
    /* Best first. In a wide game, only the moves that were looked at. */
    int count;
    struct judge_move moves[NONET_MAX_MOVES];
    int line_length; /* best play from here on, as far as it is known; by a table, to the end */
    nonet_move line[NONET_SEARCH_LINE];
};

struct judge;

/* Null if memory runs out. */
struct judge *judge_open(void);
void judge_close(struct judge *judge);

/* Begins to judge the session's position. After this call the session is no longer needed, but the
 * table is. Any earlier judging ends. False if memory runs out. */
bool judge_begin(struct judge *judge, const struct nonet_session *session,
                 const struct judge_limits *limits);

/* Looks at up to this many more positions. */
enum judge_status judge_advance(struct judge *judge, uint64_t nodes);

/* What is known so far. */
void judge_verdict(const struct judge *judge, struct judge_verdict *verdict);

/* Whether a move keeps the result that the best move has: win, draw or loss, or with points the
 * sign of the margin. Only meaningful for proven values of both. */
bool judge_keeps(const struct judge_verdict *verdict, const struct judge_move *move);

#endif
