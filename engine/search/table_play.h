/* Playing by a table of exact values: never gives a proven result away. And best play as a line.
 *
 * Every move of the position is probed. The fastest win comes first, or else the slowest loss; in
 * games with points, the highest margin. Of equally good moves, the hardest to answer is best: the
 * one after which the greatest share of replies makes the opponent's result worse.
 *
 * Tables know nothing of draws by repetition. A move to a position that has occurred twice is a
 * draw. A move that lets the opponent go there is a draw at best. Other effects of such positions
 * are not examined: while there is one, wins and losses are not called proven.
 *
 * The line goes to the end of the game, with the first of equally good moves after its own. */
#ifndef NONET_SEARCH_TABLE_PLAY_H
#define NONET_SEARCH_TABLE_PLAY_H

#include "search.h"

enum {
    NONET_MOST_USED_UP = 64,
    NONET_DRAWN_LINE = 32, /* moves after which a line of best play for a draw is cut off */
};

/* Positions that have occurred twice, by their hash: a third time would end the game. */
struct nonet_used_up {
    int count;
    bool too_many; /* there are more than fit here */
    uint64_t key;  /* stands for all of them together; 0 if there is none */
    uint64_t hash[NONET_MOST_USED_UP];
};
void nonet_used_up_find(struct nonet_used_up *used_up, const struct nonet_search_task *task);
bool nonet_used_up_has(const struct nonet_used_up *used_up, uint64_t hash);

/* Best play by both sides. It ends with the game, where a position comes back, or after
 * NONET_DRAWN_LINE moves if it leads to a draw. */
struct nonet_line {
    struct nonet_state state; /* after its moves */
    int length;
    nonet_move moves[NONET_SEARCH_LINE];
    uint64_t seen[NONET_SEARCH_LINE]; /* hashes of the positions before them */
};
void nonet_line_begin(struct nonet_line *line, const struct nonet_state *state);
/* Plays a best move of the line's position, which is drawn or not; true if the line goes on. */
bool nonet_line_add(struct nonet_line *line, const struct nonet_options *options,
                    const struct nonet_used_up *used_up, nonet_move move, bool drawn);

struct nonet_table_move {
    nonet_move move;
    bool probed;
    struct nonet_value value; /* for the seat; plies are counted from before the move */
    bool by_rule;             /* known from the rules, not from the table */
    int replies, errors; /* how many were looked at, and how many of them make the result worse */
    uint64_t lot;        /* random: decides between moves that are equal in all this */
};

enum nonet_table_stage {
    NONET_TABLE_ROOT,
    NONET_TABLE_MOVES,
    NONET_TABLE_REPLIES,
    NONET_TABLE_LINE,
    NONET_TABLE_DONE
};

struct nonet_table_play {
    const struct nonet_search_task *task;
    const struct nonet_used_up *used_up;
    enum nonet_table_stage stage;
    struct nonet_value value; /* of the task's position */
    int count, at;            /* number of moves, and the current one */
    struct nonet_state after; /* the position after that move */
    int reply_count, reply;   /* its moves; or those of the line's position */
    int best_reply;           /* in the line: which of them is best so far, and its value */
    struct nonet_value best_value;
    struct nonet_line line;
    nonet_move reply_moves[NONET_MAX_MOVES];
    struct nonet_table_move moves[NONET_MAX_MOVES];
};

/* `used_up` must live as long as the play. */
void nonet_table_play_begin(struct nonet_table_play *play, const struct nonet_search_task *task,
                            const struct nonet_used_up *used_up);
/* Probes one position. False if the table does not hold it and so is of no use here. */
bool nonet_table_play_step(struct nonet_table_play *play);
/* What is known so far; the caller fills in `nodes`. */
void nonet_table_play_report(const struct nonet_table_play *play, struct nonet_report *report);

#endif
