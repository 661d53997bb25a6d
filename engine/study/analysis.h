/* A played game looked at again: what each move was worth, where a better one was missed, and how
 * well each player played. docs/analysis.md tells how marks and accuracy are reckoned.
 *
 * Each position is judged from what the seat to move could know in it, so that nobody is blamed
 * for not having looked under the other's disc. */
#ifndef NONET_STUDY_ANALYSIS_H
#define NONET_STUDY_ANALYSIS_H

#include "../search/player.h"

/* From these losses on, in thousandths of a win. */
enum { ANALYSIS_MISTAKE = 100, ANALYSIS_BLUNDER = 300 };

enum analysis_mark {
    ANALYSIS_PLAIN,
    ANALYSIS_GOOD,  /* "!": all others are known to be blunders */
    ANALYSIS_POOR,  /* "?": a mistake */
    ANALYSIS_AWFUL, /* "??": a blunder */
};

struct analysis_move {
    nonet_move move;
    int player;
    bool choice;                       /* there was another legal move */
    bool judged;                       /* `played` and `loss` mean something */
    struct nonet_opinion best, played; /* from the player's side */
    const char *best_by, *played_by;   /* as in struct nonet_report */
    int line_length;                   /* what was expected from the best move on */
    nonet_move line[NONET_SEARCH_LINE];
    int loss; /* what playing this move and not the best cost, in thousandths of a win */
    enum analysis_mark mark;
    bool turned; /* who is to win changed with this move */
};

struct analysis_player {
    int counted;  /* moves that the accuracy is the mean of */
    int accuracy; /* in tenths of a percent; without meaning if none is counted */
    int mistakes, blunders;
};

struct analysis {
    int count;
    struct analysis_move *moves;
    struct analysis_player players[NONET_MAX_PLAYERS];
};

/* Who thinks about the positions: the report on the session's position, for the seat to move, valid
 * until it is asked again. Null ends the analysis. */
struct analysis_judge {
    const struct nonet_report *(*think)(void *context, const struct nonet_session *session);
    void *context;
};

/* A judge without threads and clock, which serves in a browser too: it looks at so many nodes of
 * each position at the highest level, and so judges a game the same way whenever it is asked. */
struct analysis_by_nodes {
    struct nonet_player *player; /* for the session's game */
    uint64_t nodes;              /* of each position */
    uint64_t seed;
    struct nonet_table *table; /* of exact values, or null */
    struct nonet_report report;
};
const struct nonet_report *analysis_think_by_nodes(void *by_nodes,
                                                   const struct nonet_session *session);

/* Goes through the session's game from its beginning; the session ends up where it was. `progress`
 * is called before each position with how many are done; false ends the analysis. It may be null.
 * False without memory, or when ended; there is nothing to close then. */
bool analysis_run(struct analysis *analysis, struct nonet_session *session,
                  const struct analysis_judge *judge, bool (*progress)(void *context, int done),
                  void *context);
void analysis_close(struct analysis *analysis);

#endif
