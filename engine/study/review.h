/* The review of a played game: ply by ply, who wins after each move, what the move kept or lost,
 * what would have been better, and how well each player played. docs/analysis.md says how marks and
 * accuracies are computed.
 *
 * Each position is judged by what the seat to move could know. So nobody is blamed for not knowing
 * what is under the other player's disc. Hindsight is another review, of the same game with nothing
 * hidden.
 *
 * A review has no clock and no threads. The caller advances it by a number of nodes at a time, and
 * may look at the rows that are finished meanwhile:
 *
 *     struct review *review = review_open(session, &wish);
 *     while (review_advance(review, 10000) == REVIEW_WORKING)
 *         show(review);
 *     …
 *     review_close(review);
 */
#ifndef NONET_STUDY_REVIEW_H
#define NONET_STUDY_REVIEW_H

#include "judge.h"

/* The least losses for each, in thousandths of a win. */
enum { REVIEW_MISTAKE = 100, REVIEW_BLUNDER = 300 };

enum review_mark {
    REVIEW_PLAIN,
    REVIEW_GOOD,  /* "!": all other moves are known to be blunders */
    REVIEW_POOR,  /* "?": a mistake */
    REVIEW_AWFUL, /* "??": a blunder */
};

/* A lane is the number of the player who wins, or one of these. */
enum { REVIEW_UNKNOWN = -1, REVIEW_DRAWN = 0 };

/* How many moves there are, and how many of them keep the result; -1 where that is not proven of
 * all of them. */
struct review_choice {
    uint64_t legal;
    int keeps;
};

struct review_row {
    /* The move that led here, and who made it. The first row has no move, and the player is the one
     * whose turn it is. */
    nonet_move move;
    int player;

    /* What it led to. */
    bool judged;                  /* all of this means something */
    struct nonet_opinion opinion; /* for the player */
    const char *by;               /* as in struct nonet_report */
    int lane;
    /* With more than two players, the share of the win that each may expect, in thousandths. */
    int16_t chances[NONET_MAX_PLAYERS];
    struct review_choice replies; /* the choice that there is now; no legal moves at the end */
    int line_length;              /* what to expect from here on */
    nonet_move line[NONET_SEARCH_LINE];

    /* What there was instead; not in the first row. The line from there on is that of the row
     * before. */
    struct review_choice choice;
    struct nonet_opinion best;
    const char *best_by;

    /* How good it was; not in the first row. */
    int loss; /* cost of this move compared with the best, in thousandths of a win */
    enum review_mark mark;
    bool turned; /* the expected winner changed with this move */
    bool kept;   /* the result; only where `choice` is proven */
    int slower;  /* the plies by which a proven win takes longer than the fastest */
};

struct review_player {
    /* Over the positions in which something could be spoilt: proven, with moves that keep the
     * result and moves that do not. */
    int kept, of;
    int64_t chance; /* how many somebody would have kept who draws lots, in billionths */

    /* Over the moves that count where values are not exact. */
    int counted;
    int loss; /* of all of them together, in thousandths of a win */
    int mistakes, blunders;
};
enum { REVIEW_CHANCE = 1000000000 };

struct review;

struct review_wish {
    struct judge_limits limits; /* for each position */
    int first;                  /* the ply to begin at: rows before it stay empty */
    bool hindsight;             /* all players are judged as if nothing were hidden */
};

/* A review of the session's line, up to where it stands. The session is not needed any more after
 * this call, but the table of the limits is. Null if memory runs out. */
struct review *review_open(const struct nonet_session *session, const struct review_wish *wish);
void review_close(struct review *review);

enum review_status {
    REVIEW_WORKING,
    REVIEW_WAITING, /* for bytes of the table, as JUDGE_WAITING */
    REVIEW_DONE,
    REVIEW_NO_MEMORY,
};

/* Looks at up to this many more positions. */
enum review_status review_advance(struct review *review, uint64_t nodes);
/* What is known of the position that is being judged must be enough: on to the next. */
enum review_status review_enough(struct review *review);

/* The row that it began with, how many are finished, and of how many: one more than there are
 * moves. */
int review_first(const struct review *review);
int review_rows(const struct review *review);
int review_all_rows(const struct review *review);
const struct review_row *review_row(const struct review *review, int ply);

/* Whether some position had to be searched because the table turned out to be damaged, and how. */
bool review_table_failed(const struct review *review, struct nonet_message *why);

/* Over the rows that are finished. */
const struct review_player *review_player(const struct review *review, int player);
/* Whether there are two players, and the values of all moves that they could have made are proven;
 * or would be, if no position had occurred twice: then a third time would change them.
 * What is proven of more players is what all others together can do, which they rarely do. */
bool review_exact(const struct review *review);

/* Kept a of b, by chance c: 100 (a - c) / (b - c), rounded. Needs a position that could be spoilt.
 */
int review_number(const struct review_player *player);
/* The measure where values are not exact: the mean of what moves kept of a win, in tenths of a
 * percent. Needs a move that counts. */
int review_accuracy(const struct review_player *player);

#endif
