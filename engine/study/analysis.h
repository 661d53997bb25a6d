/* The analysis of a played game: what each move was worth, where a better one was missed, and how
 * well each player played. docs/analysis.md says how marks and accuracy are computed.
 *
 * Each position is judged by what the seat to move could know. So nobody is blamed for not knowing
 * what is under the other player's disc. */
#ifndef NONET_STUDY_ANALYSIS_H
#define NONET_STUDY_ANALYSIS_H

#include "../search/player.h"

/* The least losses for each, in thousandths of a win. */
enum { ANALYSIS_MISTAKE = 100, ANALYSIS_BLUNDER = 300 };

enum analysis_mark {
    ANALYSIS_PLAIN,
    ANALYSIS_GOOD,  /* "!": all other moves are known to be blunders */
    ANALYSIS_POOR,  /* "?": a mistake */
    ANALYSIS_AWFUL, /* "??": a blunder */
};

struct analysis_move {
    nonet_move move;
    int player;
    bool choice;                       /* there was another legal move */
    bool judged;                       /* `played` and `loss` mean something */
    struct nonet_opinion best, played; /* for the player */
    const char *best_by, *played_by;   /* as in struct nonet_report */
    int line_length;                   /* what was expected from the best move on */
    nonet_move line[NONET_SEARCH_LINE];
    int loss; /* cost of this move compared with the best, in thousandths of a win */
    enum analysis_mark mark;
    bool turned; /* the expected winner changed with this move */
};

struct analysis_player {
    int counted;  /* number of moves that count for the accuracy */
    int accuracy; /* in tenths of a percent; meaningless if none is counted */
    int mistakes, blunders;
};

struct analysis {
    int count;
    struct analysis_move *moves;
    struct analysis_player players[NONET_MAX_PLAYERS];
};

/* The judge of the positions. It returns the report on the session's position, for the seat to
 * move, valid until the next call. Null ends the analysis. */
struct analysis_judge {
    const struct nonet_report *(*think)(void *context, const struct nonet_session *session);
    void *context;
};

/* A judge without threads or clock, so it works in a browser too. It looks at a fixed number of
 * nodes of each position at the highest level. So it always judges a game in the same way. */
struct analysis_by_nodes {
    struct nonet_player *player; /* for the session's game */
    uint64_t nodes;              /* for each position */
    uint64_t seed;
    struct nonet_table *table; /* of exact values, or null */
    struct nonet_report report;
};
const struct nonet_report *analysis_think_by_nodes(void *by_nodes,
                                                   const struct nonet_session *session);

/* Analyses the session's game from its beginning. The session ends up where it was. `progress` is
 * called before each position with how many are done; if it returns false, the analysis ends. It
 * may be null. False if memory runs out or the analysis was ended; then there is nothing to close.
 */
bool analysis_run(struct analysis *analysis, struct nonet_session *session,
                  const struct analysis_judge *judge, bool (*progress)(void *context, int done),
                  void *context);
void analysis_close(struct analysis *analysis);

#endif
