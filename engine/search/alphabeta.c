/* Alpha-beta search for two players who move in turn and both see everything.
 *
 * This is a principal variation search with iterative deepening: it expects the first move of a
 * position to be the best, and asks only whether the others are better. It keeps two kinds of
 * knowledge about a position apart:
 *
 * - A *score* guides the search. From -1000 to 1000 it is the game's evaluation at the full search
 *   depth. Beyond that it is the result of a finished game, as in score_of_grade.
 * - A *truth* is an interval of grades that contains the value of the position, whatever the search
 *   depth. A grade is a result for the player to move, as a small number. Truths come from finished
 *   games, from bounds that the game knows, and from tables. They also come from depth: a search
 *   that followed every line for n plies has seen every end within n plies.
 *
 * Where both ends of a truth are the same, the value is proven. A truth depends neither on
 * evaluations nor on the path to the position. A repetition counts as a draw in scores only, and
 * only if the position is neither won nor lost. So truths may be remembered, shared between
 * threads, and trusted in a later search of the same game. Positions that have occurred twice are
 * the exception, because a third time ends the game. So the set of these positions is part of the
 * key under which anything is remembered. Scores of earlier searches count only in games without
 * repetitions.
 *
 * Grades, in games with points: twice the margin, one more for a win, one less for a loss. In other
 * games: 0 for a draw, WHOLE minus the number of plies for a win, the negative of that for a loss.
 * A distance too long for this scale becomes the grade 1: a win at an unknown distance.
 *
 * If the task's position is symmetric, the positions after it are brought into canonical form, so
 * that symmetric ones are searched once. Elsewhere few symmetric positions are met, and finding the
 * canonical form takes up to half of the time. It is also not done while some position has occurred
 * twice: a third time would end the game for that position, but not for its reflection.
 *
 * The search is a loop over a stack of frames rather than a recursive function, so that it can stop
 * after any number of nodes and go on later. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "../base/hash.h"
#include "search.h"
#include "table_play.h"
#include "transpositions.h"

enum {
    MOST_PLIES = 64, /* no line is followed further */
    HISTORY = 4096,
    PICKED = 24,         /* this many moves of a position are tried in the order of their promise */
    OWN_TABLE = 1 << 20, /* bytes, if no table is shared */
    INFINITE = 32000,    /* beyond any score */
    DECIDED = 2000,      /* scores beyond it are wins, below its negative losses */
    WHOLE = 127,         /* grades go from -WHOLE to WHOLE; with points these mean "no bound" */
};

static_assert(2 * NONET_MAX_MARGIN + 1 < WHOLE - 1, "a margin and who wins are one grade");

struct truth {
    int low, high; /* grades */
};

/* A position on the path from the task's position to the current one. */
struct frame {
    struct nonet_state state;
    uint64_t key;
    int player;         /* to move */
    int depth;          /* plies still to be followed */
    int asked, beta;    /* the window of scores that matters; `asked` is its lower end */
    int alpha;          /* the current lower end */
    int score;          /* the best so far, and in the end the answer */
    struct truth known; /* before any move was tried, and in the end the answer */
    struct truth moved; /* the best of the moves tried so far */
    bool repeated;      /* is already on the path */
    bool scouting;      /* the question is only whether the current move is better */
    int count, tried;
    int best;                          /* index of the best move */
    nonet_move moves[NONET_MAX_MOVES]; /* as the game lists them */
    uint16_t order[NONET_MAX_MOVES];   /* their indexes; those already tried come first */
    uint32_t promise[NONET_MAX_MOVES]; /* of the moves, in that order */
};

/* A move of the task's position. */
struct candidate {
    nonet_move move;
    int score;          /* at the last depth searched; an upper bound, except for the best move */
    struct truth truth; /* about the move, for the seat */
    bool searched;
};

struct search {
    const struct nonet_search_task *task;
    bool points;
    bool repeats;   /* repetition is a draw */
    bool flawed;    /* it overlooks moves, so nothing is proven */
    bool doubtful;  /* nothing may be called proven */
    bool symmetric; /* positions are brought into canonical form */
    bool done;
    uint64_t nodes, allowed;
    uint64_t settled_at; /* nodes when the value was proven; 0 while it is not */
    int iteration;       /* the current depth */
    int depth;           /* the last finished depth */
    int ply;             /* of the current frame */
    struct nonet_transpositions table;
    struct nonet_used_up used_up;
    bool by_table;                /* the table holds the task's position, as far as we know */
    int missed_in_turn;           /* positions not found in it since the last one found */
    uint32_t history[2][HISTORY]; /* how often a move settled a position, by player */
    nonet_move killers[MOST_PLIES + 1][2]; /* that last settled a position at this ply */
    int candidate_count, overlooked;       /* the last ones, `overlooked` of them, are not seen */
    struct candidate candidates[NONET_MAX_MOVES]; /* best first, among those tried */
    struct nonet_table_play play;
    struct frame frames[MOST_PLIES + 1];
};

static const struct nonet_options *options_of(const struct search *s) {
    return &s->task->options;
}

/* ---- Grades and scores ---- */

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static int grade_of_value(const struct search *s, const struct nonet_value *value) {
    if (s->points)
        return clamp(nonet_value_signed(value), 1 - WHOLE, WHOLE - 1);
    return (value->outcome - NONET_DRAW) * clamp(WHOLE - value->distance, 1, WHOLE);
}

/* What a finished game is worth to a player. */
static int final_grade(const struct search *s, const void *state, int player) {
    struct nonet_value value = nonet_value_result(options_of(s), state, player);
    return grade_of_value(s, &value);
}

static int score_of_grade(int grade) {
    return grade > 0 ? DECIDED + grade : grade < 0 ? grade - DECIDED : 0;
}

static int grade_of_score(int score) {
    return score > DECIDED ? score - DECIDED : score < -DECIDED ? score + DECIDED : 0;
}

/* The grade before a move, from the grade after it: an end is one ply further away. */
static int grade_back(const struct search *s, int grade) {
    if (s->points || (grade >= -1 && grade <= 1))
        return grade;
    return grade > 0 ? grade - 1 : grade + 1;
}

static int score_back(const struct search *s, int score) {
    return score > DECIDED || score < -DECIDED
               ? score_of_grade(grade_back(s, grade_of_score(score)))
               : score;
}

/* A bound of the window after a move, from the same bound before it. */
static int score_ahead(const struct search *s, int score) {
    if (s->points || (score <= DECIDED && score >= -DECIDED) || score >= INFINITE ||
        score <= -INFINITE)
        return score;
    return score > 0 ? score + 1 : score - 1;
}

static bool is_settled(const struct search *s, const struct truth *truth) {
    return truth->low == truth->high &&
           !(s->points && (truth->low == WHOLE || truth->low == -WHOLE));
}

static void narrow(struct truth *truth, int low, int high) {
    if (low > truth->low)
        truth->low = low;
    if (high < truth->high)
        truth->high = high;
}

/* Narrows the truth by the score of a search that followed all lines for `depth` plies. */
static void narrow_by_score(const struct search *s, struct truth *truth, int score, int bound,
                            int depth) {
    if (s->points)
        return;
    int unseen = WHOLE - depth - 1; /* an end one ply later */
    int grade = grade_of_score(score);
    if (bound & NONET_BOUND_UPPER)
        narrow(truth, -WHOLE, grade > unseen ? grade : unseen);
    if (bound & NONET_BOUND_LOWER)
        narrow(truth, grade < -unseen ? grade : -unseen, WHOLE);
}

/* ---- A position ---- */

static int other(int player) {
    return 3 - player;
}

/* What the game itself knows about a position that is not over. */
static struct truth told(const struct search *s, const void *state, int player) {
    const struct nonet_options *options = options_of(s);
    struct truth truth = {-WHOLE, WHOLE};
    if (!s->points) {
        truth = (struct truth){1 - WHOLE, WHOLE - 1};
        if (options->game->soonest != NULL) {
            int own = options->game->soonest(options, state, player);
            int others = options->game->soonest(options, state, other(player));
            narrow(&truth, clamp(others, 1, WHOLE - 1) - WHOLE, WHOLE - clamp(own, 1, WHOLE - 1));
        }
    } else if (options->game->bounds != NULL && !s->flawed) {
        int low, high;
        options->game->bounds(options, state, &low, &high);
        if (player == 2) {
            int swap = low;
            low = -high;
            high = -swap;
        }
        /* With equal points, either player may have won. */
        int least = 2 * low + (low > 0 ? 1 : -1), most = 2 * high + (high < 0 ? -1 : 1);
        narrow(&truth, clamp(least, -WHOLE, WHOLE - 1), clamp(most, 1 - WHOLE, WHOLE));
    }
    return truth;
}

static int evaluate(const struct search *s, const struct frame *frame) {
    const struct nonet_options *options = options_of(s);
    if (options->game->evaluate == NULL)
        return 0;
    return clamp(options->game->evaluate(options, &frame->state, frame->player), -NONET_SCORE_WON,
                 NONET_SCORE_WON);
}

/* Answers a frame with what is known about it. */
static bool answer(struct frame *frame, int score) {
    frame->score =
        clamp(score, score_of_grade(frame->known.low), score_of_grade(frame->known.high));
    if (frame->repeated && frame->score <= DECIDED && frame->score >= -DECIDED)
        frame->score = 0;
    return true;
}

/* Whether the truth alone answers the frame's question. */
static bool truth_answers(const struct search *s, struct frame *frame) {
    int low = score_of_grade(frame->known.low), high = score_of_grade(frame->known.high);
    if (is_settled(s, &frame->known) || low >= frame->beta)
        return answer(frame, low);
    return high <= frame->asked && answer(frame, high);
}

/* A position that is already on the path is a draw unless it is decided, so only that is asked. */
static void ask_if_decided(struct frame *frame) {
    enum { BELOW_WIN = NONET_SCORE_WON, ABOVE_LOSS = -NONET_SCORE_WON };
    if (frame->asked >= 0) {
        frame->asked = clamp(frame->asked, BELOW_WIN, INFINITE);
        frame->beta = clamp(frame->beta, frame->asked + 1, INFINITE);
    } else if (frame->beta <= 0) {
        frame->beta = clamp(frame->beta, -INFINITE, ABOVE_LOSS);
        frame->asked = clamp(frame->asked, -INFINITE, frame->beta - 1);
    } else {
        frame->asked = clamp(frame->asked, -INFINITE, ABOVE_LOSS - 1);
        frame->beta = clamp(frame->beta, BELOW_WIN + 1, INFINITE);
    }
}

static bool stands_on_path(const struct search *s, int ply) {
    for (int i = 0; i < ply; i++)
        if (s->frames[i].key == s->frames[ply].key)
            return true;
    return false;
}

/* ---- The order of moves ---- */

static uint32_t history_index(nonet_move move) {
    return (uint32_t)(move * 0x9e3779b1u) >> 20;
}

static void order_moves(const struct search *s, struct frame *frame, int ply, int remembered) {
    enum { KILLER = UINT32_MAX / 2 };
    const uint32_t *history = s->history[frame->player - 1];
    for (int i = 0; i < frame->count; i++) {
        nonet_move move = frame->moves[i];
        frame->order[i] = (uint16_t)i;
        frame->promise[i] = i == remembered              ? UINT32_MAX
                            : move == s->killers[ply][0] ? KILLER + 1u
                            : move == s->killers[ply][1] ? KILLER
                                                         : history[history_index(move)];
    }
}

/* The index of the next move to try: the most promising, and the first of equals. */
static int pick(struct frame *frame) {
    int at = frame->tried++;
    if (at >= PICKED)
        return frame->order[at];
    int best = at;
    for (int i = at + 1; i < frame->count; i++)
        if (frame->promise[i] > frame->promise[best])
            best = i;
    /* It moves to the front; the others keep their order. */
    uint16_t index = frame->order[best];
    uint32_t promise = frame->promise[best];
    memmove(&frame->order[at + 1], &frame->order[at], (size_t)(best - at) * sizeof index);
    memmove(&frame->promise[at + 1], &frame->promise[at], (size_t)(best - at) * sizeof promise);
    frame->order[at] = index;
    frame->promise[at] = promise;
    return index;
}

/* A move that settled a position is tried early elsewhere. */
static void credit(struct search *s, const struct frame *frame, int ply, nonet_move move) {
    if (s->killers[ply][0] != move) {
        s->killers[ply][1] = s->killers[ply][0];
        s->killers[ply][0] = move;
    }
    uint32_t *history = s->history[frame->player - 1];
    history[history_index(move)] += (uint32_t)(frame->depth * frame->depth);
    if (history[history_index(move)] > UINT32_MAX / 8)
        for (int i = 0; i < HISTORY; i++)
            history[i] /= 2;
}

/* ---- The search ---- */

/* Uses what is remembered about the frame's position; true if it answers the question. */
static bool recall(const struct search *s, struct frame *frame, int *remembered) {
    struct nonet_remembered found;
    if (!nonet_transpositions_find(&s->table, frame->key ^ s->used_up.key, &found))
        return false;
    *remembered = found.index;
    narrow(&frame->known, found.low, found.high);
    if (truth_answers(s, frame))
        return true;
    /* Some scores of an earlier task are draws by repetition on its own paths. */
    bool by_other_paths = s->repeats && found.round != s->table.round;
    if (found.depth < frame->depth || by_other_paths)
        return false;
    if (found.bound == NONET_BOUND_EXACT ||
        (found.bound & NONET_BOUND_LOWER && found.score >= frame->beta) ||
        (found.bound & NONET_BOUND_UPPER && found.score <= frame->asked))
        return answer(frame, found.score);
    return false;
}

static void remember(struct search *s, const struct frame *frame, int score, int bound) {
    struct nonet_remembered news = {
        .score = (int16_t)score,
        .bound = (uint8_t)bound,
        .depth = (uint8_t)frame->depth,
        .low = (int8_t)frame->known.low,
        .high = (int8_t)frame->known.high,
        .index = (uint16_t)frame->best,
    };
    nonet_transpositions_keep(&s->table, frame->key ^ s->used_up.key, &news);
}

/* Asks the table, unless it seems not to hold this position, or repetitions may make it wrong. */
static bool probe(struct search *s, struct frame *frame) {
    enum { IN_VAIN = 256 };
    const struct nonet_search_task *task = s->task;
    if (task->table == NULL || s->doubtful || s->used_up.count > 0 || s->missed_in_turn == IN_VAIN)
        return false;
    s->nodes++;
    struct nonet_value value;
    struct nonet_message why;
    if (!nonet_table_probe(task->table, &frame->state, &value, &why)) {
        s->missed_in_turn++;
        return false;
    }
    s->missed_in_turn = 0;
    int grade = grade_of_value(s, &value);
    narrow(&frame->known, grade, grade);
    frame->best = 0;
    remember(s, frame, score_of_grade(grade), NONET_BOUND_EXACT);
    return truth_answers(s, frame);
}

/* Looks at the position in the frame at this ply, whose state, depth and window are set. True if
 * its question is answered at once. */
static bool enter(struct search *s, int ply) {
    const struct nonet_options *options = options_of(s);
    const struct nonet_game *game = options->game;
    struct frame *frame = &s->frames[ply];
    s->nodes++;
    frame->repeated = false;
    frame->player = game->next(options, &frame->state);
    if (game->turn(options, &frame->state) == 0) {
        int grade = final_grade(s, &frame->state, frame->player);
        frame->known = (struct truth){grade, grade};
        return answer(frame, 0);
    }
    frame->key = nonet_hash(&frame->state, game->state_size);
    /* A player who overlooks moves does not count repetitions either. */
    if (s->repeats && !s->flawed) {
        if (nonet_used_up_has(&s->used_up, frame->key)) {
            frame->known = (struct truth){0, 0};
            return answer(frame, 0);
        }
        frame->repeated = stands_on_path(s, ply);
        if (frame->repeated)
            ask_if_decided(frame);
    }
    frame->known = told(s, &frame->state, frame->player);
    int remembered = -1;
    if (truth_answers(s, frame) || recall(s, frame, &remembered))
        return true;
    if (frame->depth == 0)
        return answer(frame, evaluate(s, frame));
    if (probe(s, frame))
        return true;
    frame->count = nonet_seen_moves(s->task, &frame->state, frame->key, frame->moves);
    order_moves(s, frame, ply, remembered);
    frame->tried = 0;
    frame->best = frame->order[0];
    frame->alpha = frame->asked;
    frame->score = -INFINITE;
    frame->moved = (struct truth){-WHOLE, -WHOLE};
    return false;
}

/* Remembers the answer of a frame after all of its moves, or enough of them, were tried. */
static void close_frame(struct search *s, struct frame *frame) {
    bool cut = frame->score >= frame->beta;
    int bound = cut                            ? NONET_BOUND_LOWER
                : frame->score <= frame->asked ? NONET_BOUND_UPPER
                                               : NONET_BOUND_EXACT;
    narrow(&frame->known, frame->moved.low, cut ? WHOLE : frame->moved.high);
    narrow_by_score(s, &frame->known, frame->score, bound, frame->depth);
    assert(frame->known.low <= frame->known.high);
    remember(s, frame, frame->score, bound);
    answer(frame, frame->score);
}

/* Opens the position after the current move, with the whole window or only its lower end. */
static bool look(struct search *s, int ply, bool scouting) {
    struct frame *frame = &s->frames[ply], *child = frame + 1;
    frame->scouting = scouting;
    int low = score_ahead(s, frame->alpha);
    int high = scouting ? low + 1 : score_ahead(s, frame->beta);
    child->asked = -high;
    child->beta = -low;
    return enter(s, ply + 1);
}

/* Makes a move of the frame at this ply, and looks at the position after it. */
static bool descend(struct search *s, int ply, nonet_move move, bool scouting) {
    const struct nonet_options *options = options_of(s);
    struct frame *frame = &s->frames[ply], *child = frame + 1;
    struct nonet_state state;
    memcpy(&state, &frame->state, options->game->state_size);
    options->game->play(options, &state, NULL, move);
    if (s->symmetric)
        nonet_canonical(options, &state, &child->state);
    else
        memcpy(&child->state, &state, options->game->state_size);
    child->depth = frame->depth - 1;
    return look(s, ply, scouting);
}

/* The answer of the position after a frame's move, as the score and the truth of the move. */
static int score_of_move(const struct search *s, const struct frame *frame, struct truth *truth) {
    const struct frame *child = frame + 1;
    *truth = (struct truth){grade_back(s, -child->known.high), grade_back(s, -child->known.low)};
    return score_back(s, -child->score);
}

/* Takes a move's score and truth into account; true if no other move needs to be tried. */
static bool learn(struct search *s, int ply, int score, const struct truth *truth) {
    struct frame *frame = &s->frames[ply];
    if (truth->low > frame->moved.low)
        frame->moved.low = truth->low;
    if (truth->high > frame->moved.high)
        frame->moved.high = truth->high;
    if (score > frame->score) {
        frame->score = score;
        frame->best = frame->order[frame->tried - 1];
        if (score > frame->alpha)
            frame->alpha = score;
        if (score >= frame->beta) {
            credit(s, frame, ply, frame->moves[frame->best]);
            return true;
        }
    }
    return frame->tried == frame->count;
}

/* ---- The task's position ---- */

static void learn_candidate(struct search *s, int index, int score, const struct truth *truth) {
    struct frame *first = &s->frames[0];
    struct candidate candidate = s->candidates[index];
    candidate.score = score;
    candidate.searched = true;
    narrow(&candidate.truth, truth->low, truth->high);
    if (score > first->score) {
        first->score = score;
        memmove(&s->candidates[1], &s->candidates[0], (size_t)index * sizeof candidate);
        index = 0;
    }
    s->candidates[index] = candidate;
    /* Once the value is proven, the values of the other moves are wanted too. */
    if (s->settled_at == 0 && score > first->alpha)
        first->alpha = score;
}

/* Skips candidates about which there is nothing left to ask. */
static void skip_candidates(struct search *s) {
    struct frame *first = &s->frames[0];
    for (; first->tried < first->count; first->tried++) {
        const struct candidate *candidate = &s->candidates[first->tried];
        struct truth truth = candidate->truth;
        int most = score_of_grade(truth.high);
        bool settled = is_settled(s, &truth);
        if (!settled && !(candidate->searched && most <= first->alpha))
            return;
        bool better_known = !settled && candidate->score < most;
        learn_candidate(s, first->tried, better_known ? candidate->score : most, &truth);
    }
}

static void begin_iteration(struct search *s) {
    struct frame *first = &s->frames[0];
    s->iteration++;
    first->depth = s->iteration;
    first->asked = first->alpha = first->score = -INFINITE;
    first->beta = INFINITE;
    first->tried = 0;
    skip_candidates(s);
}

static void end_iteration(struct search *s) {
    s->depth = s->iteration;
    const struct candidate *best = &s->candidates[0];
    bool settled = is_settled(s, &best->truth), all = settled;
    for (int i = 1; i < s->frames[0].count; i++) {
        settled = settled && s->candidates[i].truth.high <= best->truth.low;
        all = all && is_settled(s, &s->candidates[i].truth);
    }
    if (settled && s->settled_at == 0)
        s->settled_at = s->nodes;
    s->done = (settled && all) || s->depth == MOST_PLIES;
}

/* ---- The loop ---- */

/* Passes answers up the path, as long as they complete frames. */
static void climb(struct search *s) {
    for (;;) {
        struct frame *frame = &s->frames[s->ply];
        struct truth truth;
        int score = score_of_move(s, frame, &truth);
        if (frame->scouting && score > frame->alpha && score < frame->beta) {
            if (look(s, s->ply, false))
                continue;
            s->ply++;
            return;
        }
        if (s->ply == 0) {
            learn_candidate(s, frame->tried - 1, score, &truth);
            skip_candidates(s);
            return;
        }
        if (!learn(s, s->ply, score, &truth))
            return;
        close_frame(s, frame);
        s->ply--;
    }
}

/* Looks at the position after the next move. */
static void go_on(struct search *s) {
    struct frame *frame = &s->frames[s->ply];
    nonet_move move = s->ply == 0 ? s->candidates[frame->tried++].move : frame->moves[pick(frame)];
    bool scouting = frame->tried > 1 && frame->alpha > -INFINITE && frame->beta - frame->alpha > 1;
    if (descend(s, s->ply, move, scouting))
        climb(s);
    else
        s->ply++;
    while (s->ply == 0 && !s->done && s->frames[0].tried == s->frames[0].count) {
        end_iteration(s);
        begin_iteration(s);
    }
    /* The proofs of the other moves may take as long as the proof of the best did. */
    if (s->settled_at != 0 && s->nodes >= 2 * s->settled_at)
        s->done = true;
}

static void go_on_by_table(struct search *s) {
    s->nodes++;
    s->by_table = nonet_table_play_step(&s->play);
    s->done = s->by_table && s->play.stage == NONET_TABLE_DONE;
}

static bool advance(void *search, uint64_t nodes) {
    struct search *s = search;
    s->allowed = nonet_nodes_and(s->allowed, nodes);
    while (!s->done && s->nodes < s->allowed)
        if (s->by_table)
            go_on_by_table(s);
        else
            go_on(s);
    return s->done;
}

/* ---- The beginning ---- */

static size_t head_size(void) {
    return (sizeof(struct search) + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN *
           NONET_SEARCH_ALIGN;
}

static size_t size(const struct nonet_search_task *task) {
    return head_size() + (task->shared == NULL ? OWN_TABLE : 0);
}

/* Lists the candidates in random order. Those that are not seen come last. */
static void list_candidates(struct search *s) {
    const struct nonet_search_task *task = s->task;
    nonet_move moves[NONET_MAX_MOVES];
    s->candidate_count = task->options.game->moves(&task->options, &task->state, moves);
    uint64_t here = nonet_hash(&task->state, task->options.game->state_size);
    uint64_t lots[NONET_MAX_MOVES];
    for (int i = 0; i < s->candidate_count; i++) {
        const uint64_t ticket[] = {task->seed, here, moves[i], (uint64_t)task->thread};
        uint64_t lot = nonet_hash_words(ticket, sizeof ticket) >> 1;
        bool seen = !nonet_overlooked_of(task, s->candidate_count, here, moves[i]);
        s->overlooked += !seen;
        lot |= (uint64_t)!seen << 63;
        int to = i;
        for (; to > 0 && lots[to - 1] > lot; to--) {
            lots[to] = lots[to - 1];
            s->candidates[to] = s->candidates[to - 1];
        }
        lots[to] = lot;
        s->candidates[to] = (struct candidate){.move = moves[i], .truth = {-WHOLE, WHOLE}};
    }
    if (s->overlooked == s->candidate_count)
        s->overlooked--;
}

static void begin(void *search, const struct nonet_search_task *task) {
    const struct nonet_game *game = task->options.game;
    struct search *s = search;
    memset(s, 0, offsetof(struct search, candidates));
    s->task = task;
    s->points = game->facts & NONET_POINTS;
    s->repeats = game->facts & NONET_REPETITION_DRAWS;
    s->flawed = task->level < NONET_SEARCH_LEVELS;
    unsigned char *own = (unsigned char *)search + head_size();
    if (task->shared == NULL)
        memset(own, 0, OWN_TABLE);
    s->table = task->shared == NULL
                   ? nonet_transpositions_in(own, OWN_TABLE, 0)
                   : nonet_transpositions_in(task->shared, task->shared_size, task->round);
    nonet_used_up_find(&s->used_up, task);
    s->doubtful = s->flawed || s->used_up.too_many;
    s->symmetric = s->used_up.count == 0 && game->symmetries != NULL &&
                   nonet_orbit(&task->options, &task->state) < game->symmetries(&task->options);
    s->by_table = task->table != NULL && !s->flawed;
    if (s->by_table)
        nonet_table_play_begin(&s->play, task, &s->used_up);
    list_candidates(s);
    struct frame *first = &s->frames[0];
    first->state = task->state;
    first->player = task->seat;
    first->count = s->candidate_count - s->overlooked;
    struct nonet_state stands_for = task->state;
    if (s->symmetric)
        nonet_canonical(&task->options, &task->state, &stands_for);
    first->key = nonet_hash(&stands_for, game->state_size);
    /* Threads that start at different depths do not all look at the same positions. */
    s->iteration = task->thread & 1;
    begin_iteration(s);
}

/* ---- The report ---- */

static struct nonet_value value_of(const struct search *s, const struct truth *truth) {
    int grade = truth->low > 0 ? truth->low : truth->high;
    if (s->points)
        return nonet_value_of_signed(grade);
    struct nonet_value value = {.outcome = (uint8_t)nonet_outcome_of_sign(grade)};
    if (grade != 0)
        value.distance = (int16_t)(!is_settled(s, truth) || grade == 1 || grade == -1
                                       ? NONET_UNKNOWN_DISTANCE
                                       : WHOLE - (grade > 0 ? grade : -grade));
    return value;
}

/* If only a bound is known for a move, this is its score, but never more than the best move's. */
static struct nonet_opinion opinion_of(const struct search *s, const struct candidate *candidate) {
    const struct truth *truth = &candidate->truth;
    struct nonet_opinion opinion = {
        .move = candidate->move,
        .known = candidate->searched ? NONET_SEARCHED : NONET_ESTIMATED,
    };
    int score = candidate->score, best = s->candidates[0].score;
    bool decided = !s->points && (truth->low > 0 || truth->high < 0);
    if (!s->doubtful && (decided || is_settled(s, truth))) {
        opinion.known = NONET_PROVEN;
        opinion.value = value_of(s, truth);
    } else if (score > best || !candidate->searched) {
        score = best;
    }
    opinion.score = (int16_t)clamp(score, -NONET_SCORE_WON, NONET_SCORE_WON);
    return opinion;
}

/* Orders the candidates after the best by what is known about them: the higher the better. */
static int rank_of(const struct candidate *candidate) {
    return candidate->searched ? candidate->score : -INFINITE;
}

/* The move that the search expects in a position. A move is remembered for the canonical form; the
 * move wanted leads to an equivalent position. False if nothing is remembered. */
static bool expected_move(const struct search *s, const struct nonet_state *state,
                          nonet_move *move) {
    const struct nonet_options *options = options_of(s);
    const struct nonet_game *game = options->game;
    struct nonet_state stands_for = *state;
    if (s->symmetric)
        nonet_canonical(options, state, &stands_for);
    uint64_t key = nonet_hash(&stands_for, game->state_size);
    struct nonet_remembered found;
    nonet_move moves[NONET_MAX_MOVES];
    if (!nonet_transpositions_find(&s->table, key ^ s->used_up.key, &found))
        return false;
    int count = nonet_seen_moves(s->task, &stands_for, key, moves);
    if (found.index >= count)
        return false;
    *move = moves[found.index];
    if (!s->symmetric)
        return true;
    struct nonet_state wanted, after, turned;
    after = stands_for;
    game->play(options, &after, NULL, *move);
    nonet_canonical(options, &after, &wanted);
    count = game->moves(options, state, moves);
    for (int i = 0; i < count; i++) {
        after = *state;
        game->play(options, &after, NULL, moves[i]);
        nonet_canonical(options, &after, &turned);
        if (memcmp(&turned, &wanted, game->state_size) == 0) {
            *move = moves[i];
            return true;
        }
    }
    return false;
}

/* The line from the best move on, as far as it is remembered and leads to new positions. */
static void report_line(const struct search *s, struct nonet_report *report) {
    const struct nonet_options *options = options_of(s);
    struct nonet_state state = s->task->state;
    nonet_move move = report->moves[0].move;
    uint64_t keys[NONET_SEARCH_LINE];
    bool known = false;
    report->line_length = 0;
    do {
        keys[report->line_length] = nonet_hash(&state, options->game->state_size);
        for (int i = 0; i < report->line_length; i++)
            known = known || keys[i] == keys[report->line_length];
        report->line[report->line_length++] = move;
        options->game->play(options, &state, NULL, move);
    } while (!known && report->line_length < NONET_SEARCH_LINE &&
             options->game->turn(options, &state) != 0 && expected_move(s, &state, &move));
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    report->nodes = s->nodes;
    if (s->by_table && s->play.stage != NONET_TABLE_ROOT) {
        nonet_table_play_report(&s->play, report);
        return;
    }
    report->depth = s->depth;
    report->by = "search";
    report->count = s->candidate_count;
    int ranks[NONET_MAX_MOVES];
    for (int i = 0; i < s->candidate_count; i++) {
        int rank = i == 0 ? INFINITE : rank_of(&s->candidates[i]), to = i;
        for (; to > 0 && ranks[to - 1] < rank; to--) {
            ranks[to] = ranks[to - 1];
            report->moves[to] = report->moves[to - 1];
        }
        ranks[to] = rank;
        report->moves[to] = opinion_of(s, &s->candidates[i]);
    }
    report_line(s, report);
}

const struct nonet_searcher nonet_search_alphabeta = {
    .name = "alpha-beta",
    .plays = nonet_is_open_duel,
    .shares = true,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
