/* What every move of a position is worth, and how that is known.
 *
 * The best proof at hand counts: a table of exact values, a search that sees the end of every line,
 * and where neither answers, the search of the strongest player, which goes deeper the longer it is
 * advanced. While a proof is being searched for, the player thinks beside it, so that there is
 * always something to show. The judge has no clock and no threads: the caller advances it by a
 * number of nodes at a time and asks for a verdict whenever it wants one.
 *
 * It judges by what the seat to move may know, so a verdict tells nothing that is hidden from it.
 */
#ifndef NONET_STUDY_JUDGE_H
#define NONET_STUDY_JUDGE_H

#include "../search/search.h"

struct judge_limits {
    struct nonet_table *table; /* of exact values; or null */
    uint64_t proof_nodes;      /* that a proof by search may take; 0: there is none */
    uint64_t nodes;            /* of the player, where there is no proof; 0: no limit */
    size_t memory;             /* in bytes, for searches; 0: the default */
    uint64_t seed;
    bool
        no_line; /* of the line, only the first move is wanted: that takes fewer bytes of a table */
};

enum judge_status {
    JUDGE_WORKING, /* advance it further */
    /* Some of the table's bytes are not here. Every move has asked for its own: fetch them all,
     * then advance it further. Or begin again without the table. */
    JUDGE_WAITING,
    JUDGE_SETTLED, /* nothing more to find out within the limits */
};

struct judge_move {
    nonet_move move;
    bool judged; /* the rest means something; in a search that was stopped early not all are */
    /* For the player who makes the move. With more than two players a proven loss only says that
     * the others together can prevent a win, and a draw that they cannot end the game otherwise.
     * What to expect of others who play for themselves is told by `score` and `chances`. */
    struct nonet_opinion opinion;
    /* `opinion.value` means something: it is proven; or it would be if no position had occurred
     * twice, and is only called searched because of that. */
    bool valued;
    const char *by; /* names what proved or searched this move, as in struct nonet_report */
    /* The first move in the list that leads to the same position or to a symmetric one; often the
     * move itself. Twins have the same opinion. While a position has occurred twice there are no
     * twins, because a third time counts for itself alone. */
    int twin;
};

struct judge_verdict {
    int turn;       /* 0: the game is over, and there is nothing to judge */
    const char *by; /* of the first move */
    int depth;      /* of the search, where that means something; else 0 */
    uint64_t nodes;
    /* Best first. In a wide game, only the moves that were looked at. */
    int count;
    struct judge_move moves[NONET_MAX_MOVES];
    /* Best play from here on, as far as it is known: where moves are proven, to the end, or until a
     * drawn position comes back. */
    int line_length;
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

/* Whether the table had to be given up because it is damaged, and why. */
bool judge_table_failed(const struct judge *judge, struct nonet_message *why);

/* Whether there was no memory for the player, so that less is found out than could be. */
bool judge_starved(const struct judge *judge);

/* Whether a move keeps the best result that some move has: win, draw or loss. With points, too, it
 * is the result that counts, not the margin. Only meaningful for moves with a value. */
bool judge_keeps(const struct judge_verdict *verdict, const struct judge_move *move);

#endif
