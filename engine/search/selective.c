/* A selective search for two players who see everything, in games with points, many moves and a
 * reliable evaluation.
 *
 * It evaluates the position after every move and follows only the WIDTH best moves. So it sees
 * twice as far as a search of all moves. It is a principal variation search with iterative
 * deepening. Moves that look worse are first followed for fewer plies, and positions that are clear
 * at a glance are not followed to the last ply. Its result is an estimate at any depth.
 *
 * Beside it, as soon as the bounds of the result are narrow enough, an exact search (exact.h) of
 * the same position gets a share of the nodes. It proves the value of the position. Then it is
 * asked about the moves, the most promising first, until one is found that reaches this value.
 *
 * Searches of several threads share what they remember of positions. The exact search is not
 * shared: only the first thread runs it.
 *
 * The search is a loop over a stack of frames rather than a recursive function, so that it can stop
 * after any number of nodes and go on later. A node is a position that was evaluated. */
#include <stddef.h>
#include <string.h>

#include "../base/hash.h"
#include "exact.h"
#include "network.h"
#include "search.h"
#include "transpositions.h"

enum {
    MOST_PLIES = 48,
    WIDTH = 16,
    FIRST_WIDTH = 40, /* of the task's position */
    HISTORY = 4096,
    OWN_TABLE = 1 << 20, /* bytes, if no table is shared */
    EXACT_MEMORY = 8 << 20,
    EXACT_WIDTH = 22, /* margins between the bounds, with more it would not come to an end */
    EXACT_SHARE = 3,  /* one of this many nodes is for the exact search */
    CLEAR_PLIES = 3,  /* with no more left, a position may be clear at a glance */
    DOUBT = 100,      /* how far a score may change in a ply, in a clear position */
    INFINITE = 32000,
    DECIDED = 2000, /* scores beyond it are finished games */
};

struct choice {
    nonet_move move;
    int index;  /* among the moves as the game lists them */
    int glance; /* the score of the position after it at a glance */
};

/* A position on the path from the task's position to the current one. */
struct frame {
    struct nonet_state state;
    uint64_t key;
    int player;      /* to move */
    int glance;      /* its score at a glance, for this player */
    int depth;       /* plies still to be followed */
    int asked, beta; /* the window of scores that matters; `asked` is its lower end */
    int alpha;       /* the current lower end */
    int score;       /* the best so far, and in the end the answer */
    int best;        /* index of its move */
    int count, tried;
    bool listed;                  /* all choices are there, not only the remembered move */
    bool scouted;                 /* the last move was only asked whether it exceeds alpha */
    struct choice choices[WIDTH]; /* the most promising first */
};

/* A move of the task's position. */
struct candidate {
    nonet_move move;
    int glance; /* the score at a glance */
    int score;
    bool proven;
    struct nonet_value value; /* if proven */
};

struct search {
    const struct nonet_search_task *task;
    bool flawed;    /* overlooks moves */
    bool estimated; /* deep enough: nothing is left to estimate */
    uint64_t nodes, allowed;
    uint64_t evaluated; /* the nodes that went into the estimate */
    int iteration;      /* the current depth; `tried` of its candidates are done */
    int tried;
    bool scouted; /* the candidate that is being tried, as in a frame */
    int depth;    /* the last finished depth */
    int ply;      /* of the current frame; 0: between candidates */
    struct nonet_transpositions table;
    uint16_t history[2][HISTORY]; /* how often a move was good enough, by player */

    struct nonet_evaluator evaluator;

    void *exact;  /* null if there is none */
    bool settled; /* the task's position is proven; now its moves are asked about */
    bool won;     /* at least that is proven, with this move */
    nonet_move winning;
    bool done;
    struct nonet_value value;

    int candidate_count, overlooked; /* the last ones, `overlooked` of them, are not seen */
    struct candidate candidates[NONET_MAX_MOVES]; /* best first */
    struct frame frames[MOST_PLIES + 1];
};

static const struct nonet_options *options_of(const struct search *s) {
    return &s->task->options;
}

/* ---- Positions ---- */

/* The score of a finished game for a player: won or lost, then by how much. */
static int final_score(const struct search *s, const void *state, int player) {
    struct nonet_value value = nonet_value_result(options_of(s), state, player);
    return value.outcome == NONET_DRAW ? 0 : (value.outcome - NONET_DRAW) * DECIDED + value.margin;
}

/* The score of a position at a glance, for the player who moved there. */
static int glance(struct search *s, const void *state, int player) {
    int score;
    bool goes_on = nonet_evaluator_judge(&s->evaluator, state, player, &score);
    return goes_on ? score : final_score(s, state, player);
}

/* Positions after moves of this one will be glanced at. */
static void prepare_glances(struct search *s, const void *state) {
    nonet_evaluator_begin(&s->evaluator, options_of(s), s->task->weights, state);
}

/* The score of the position after a move of the frame, at a glance. */
static int glance_after(struct search *s, const struct frame *frame, nonet_move move) {
    const struct nonet_options *options = options_of(s);
    struct nonet_state after;
    memcpy(&after, &frame->state, options->game->state_size);
    options->game->play(options, &after, NULL, move);
    s->nodes++;
    s->evaluated++;
    return glance(s, &after, frame->player);
}

/* The moves that the player sees, or the first move if they see none. */
static int list_moves(const struct search *s, const void *state, uint64_t key, nonet_move *moves) {
    int count = options_of(s)->game->moves(options_of(s), state, moves);
    return nonet_leave_out_overlooked(s->task, key, moves, count);
}

static uint16_t *history_of(struct search *s, int player, nonet_move move) {
    return &s->history[player - 1][(uint32_t)(move * 0x9e3779b1u) >> 20];
}

/* The highest ticket is for the move that is remembered. */
static void praise(struct search *s, int player, nonet_move move) {
    uint16_t *often = history_of(s, player, move);
    if (*often < UINT16_MAX - 1)
        ++*often;
}

/* Glances at the position after a move, and adds it to the choices, but for the first `fixed`,
 * where it belongs. Returns the score. */
static int add_choice(struct search *s, struct frame *frame, nonet_move move, int index,
                      int fixed) {
    struct choice choice = {move, index, glance_after(s, frame, move)};
    int at = frame->count;
    for (; at > fixed && frame->choices[at - 1].glance < choice.glance; at--)
        if (at < WIDTH)
            frame->choices[at] = frame->choices[at - 1];
    if (at < WIDTH)
        frame->choices[at] = choice;
    frame->count += frame->count < WIDTH;
    return choice.glance;
}

/* Moves are taken by their tickets: above, how often the move was good enough; below, so that
 * equals are taken in their order, what is left of UINT16_MAX without its index. 0: it was taken.
 */
static uint32_t ticket_of(struct search *s, int player, nonet_move move, int index) {
    uint32_t often = *history_of(s, player, move);
    return often << 16 | (uint32_t)(UINT16_MAX - index);
}

/* The index of the move with the highest ticket, which is taken. */
static int take(uint32_t *tickets, int count) {
    uint32_t highest = 0;
    for (int i = 0; i < count; i++) /* without a branch that nobody can foresee */
        highest = tickets[i] > highest ? tickets[i] : highest;
    int index = (int)(UINT16_MAX - (highest & UINT16_MAX));
    tickets[index] = 0;
    return index;
}

/* Looks for a move that seems good enough to answer the frame's question, and makes it the only
 * choice for now: the remembered move, or else the first by a glance. Those that were good enough
 * most often elsewhere are tried first. If there is none, the choices are the most promising. */
static void choose(struct search *s, struct frame *frame, const nonet_move *moves, int count,
                   int remembered) {
    uint32_t tickets[NONET_MAX_MOVES];
    for (int i = 0; i < count; i++)
        tickets[i] = ticket_of(s, frame->player, moves[i], i);
    if (remembered >= 0 && remembered < count)
        tickets[remembered] |= (uint32_t)UINT16_MAX << 16;
    prepare_glances(s, &frame->state);
    frame->count = 0;
    frame->listed = true;
    for (int tried = 0; tried < count; tried++) {
        int index = take(tickets, count);
        int score = add_choice(s, frame, moves[index], index, 0);
        if (score >= frame->beta || (index == remembered && frame->depth > 1)) {
            frame->listed = false;
            frame->choices[0] = (struct choice){moves[index], index, score};
            frame->count = 1;
            return;
        }
    }
}

/* Whether there are more moves to try. If the first seemed good enough and was not, now all are
 * looked at. */
static bool has_more(struct search *s, struct frame *frame) {
    if (!frame->listed) {
        nonet_move moves[NONET_MAX_MOVES];
        int count = list_moves(s, &frame->state, frame->key, moves);
        prepare_glances(s, &frame->state);
        for (int i = 0; i < count; i++)
            if (i != frame->choices[0].index)
                add_choice(s, frame, moves[i], i, 1);
        frame->listed = true;
    }
    return frame->tried < frame->count;
}

static void keep(const struct search *s, const struct frame *frame) {
    struct nonet_remembered news = {
        .score = (int16_t)frame->score,
        .bound = frame->score <= frame->asked  ? NONET_BOUND_UPPER
                 : frame->score >= frame->beta ? NONET_BOUND_LOWER
                                               : NONET_BOUND_EXACT,
        .depth = (uint8_t)frame->depth,
        .index = (uint16_t)frame->best,
    };
    nonet_transpositions_keep(&s->table, frame->key, &news);
}

/* Whether what is remembered about the frame's position answers its question. */
static bool recall(const struct search *s, struct frame *frame, int *remembered) {
    struct nonet_remembered found;
    if (!nonet_transpositions_find(&s->table, frame->key, &found))
        return false;
    *remembered = found.index;
    frame->score = found.score;
    return found.depth >= frame->depth &&
           (found.bound == NONET_BOUND_EXACT ||
            (found.bound == NONET_BOUND_LOWER && found.score >= frame->beta) ||
            (found.bound == NONET_BOUND_UPPER && found.score <= frame->asked));
}

/* Whether the position is so good or so bad at a glance that the few plies left would hardly change
 * the answer to the frame's question. */
static bool is_clear(struct frame *frame) {
    int doubt = DOUBT * frame->depth;
    if (frame->depth > CLEAR_PLIES || frame->beta - frame->asked > 1)
        return false;
    frame->score = frame->glance;
    return frame->glance - doubt >= frame->beta || frame->glance + doubt <= frame->asked;
}

/* Looks at the position in the frame at this ply, whose state, depth and window are set. True if
 * its question is answered at once. */
static bool enter(struct search *s, int ply) {
    const struct nonet_options *options = options_of(s);
    struct frame *frame = &s->frames[ply];
    frame->player = options->game->next(options, &frame->state);
    frame->key = nonet_hash(&frame->state, options->game->state_size);
    frame->alpha = frame->asked;
    frame->tried = 0;
    frame->scouted = false;
    if (is_clear(frame))
        return true;
    /* A table is so large that it answers slowly: meanwhile moves are listed. */
    nonet_transpositions_prepare(&s->table, frame->key);
    nonet_move moves[NONET_MAX_MOVES];
    int count = list_moves(s, &frame->state, frame->key, moves), remembered = -1;
    if (recall(s, frame, &remembered))
        return true;
    if (count == 0) {
        s->nodes++;
        s->evaluated++;
        frame->score = final_score(s, &frame->state, frame->player);
        return true;
    }
    frame->score = -INFINITE;
    frame->best = 0;
    choose(s, frame, moves, count, remembered);
    if (frame->depth > 1)
        return false;
    frame->score = frame->choices[0].glance;
    frame->best = frame->choices[0].index;
    if (frame->score >= frame->beta)
        praise(s, frame->player, frame->choices[0].move);
    keep(s, frame);
    return true;
}

/* Goes to the position after a move, for a search of `depth` plies. */
static bool descend(struct search *s, nonet_move move, int glance, int depth, int alpha, int beta) {
    const struct nonet_options *options = options_of(s);
    const struct nonet_state *from = s->ply == 0 ? &s->task->state : &s->frames[s->ply].state;
    struct frame *frame = &s->frames[++s->ply];
    memcpy(&frame->state, from, options->game->state_size);
    options->game->play(options, &frame->state, NULL, move);
    frame->depth = depth;
    frame->glance = -glance;
    frame->asked = -beta;
    frame->beta = -alpha;
    return enter(s, s->ply);
}

/* ---- The estimate ---- */

static void begin_iteration(struct search *s) {
    s->iteration++;
    s->tried = 0;
    s->estimated = s->iteration > MOST_PLIES;
}

static int width_of_first(const struct search *s) {
    int seen = s->candidate_count - s->overlooked;
    return seen < FIRST_WIDTH ? seen : FIRST_WIDTH;
}

/* Puts the candidate where its score belongs, among those already tried in this iteration. */
static void place_candidate(struct search *s, int index, int score) {
    struct candidate candidate = s->candidates[index];
    candidate.score = score;
    int at = index;
    for (; at > 0 && s->candidates[at - 1].score < score; at--)
        s->candidates[at] = s->candidates[at - 1];
    s->candidates[at] = candidate;
}

static void learn_candidate(struct search *s, int score) {
    if (s->scouted && score > s->candidates[0].score)
        return; /* it is tried again */
    s->scouted = false;
    place_candidate(s, s->tried++, score);
    if (s->tried < width_of_first(s))
        return;
    s->depth = s->iteration + 1; /* replies were glanced at */
    begin_iteration(s);
}

/* Passes the answer of the current frame up the path, as long as that completes frames. */
static void climb(struct search *s) {
    while (--s->ply > 0) {
        struct frame *frame = &s->frames[s->ply];
        int score = -frame[1].score;
        if (frame->scouted && score > frame->alpha)
            return; /* the move is tried again */
        frame->scouted = false;
        if (score > frame->score) {
            frame->score = score;
            frame->best = frame->choices[frame->tried - 1].index;
        }
        frame->alpha = score > frame->alpha ? score : frame->alpha;
        if (frame->alpha < frame->beta && has_more(s, frame))
            return;
        if (frame->alpha >= frame->beta)
            praise(s, frame->player, frame->choices[frame->tried - 1].move);
        keep(s, frame);
    }
    learn_candidate(s, -s->frames[1].score);
}

/* By how many of the plies left a move is at first followed less, after so many others. */
static int reduction(int depth, int before) {
    int plies = before < 3 ? 0 : before < 8 ? 1 : 2;
    return plies < depth ? plies : depth - 1;
}

/* Looks at the position after the next move. The first is followed with the whole window. The
 * others are first asked, with fewer plies, whether they exceed the best; only then are they
 * followed like the first. */
static void go_on(struct search *s) {
    bool root = s->ply == 0, again = root ? s->scouted : s->frames[s->ply].scouted;
    struct frame *frame = &s->frames[s->ply];
    int index, glance, depth, alpha, beta;
    nonet_move move;
    if (root) {
        index = s->tried;
        move = s->candidates[index].move;
        glance = s->candidates[index].glance;
        depth = s->iteration;
        alpha = index == 0 ? -INFINITE : s->candidates[0].score;
        beta = INFINITE;
    } else {
        frame->tried += !again;
        index = frame->tried - 1;
        move = frame->choices[index].move;
        glance = frame->choices[index].glance;
        depth = frame->depth - 1;
        alpha = frame->alpha;
        beta = frame->beta;
    }
    bool scout = index > 0 && !again;
    *(root ? &s->scouted : &frame->scouted) = scout;
    if (scout) {
        depth -= reduction(depth, index);
        beta = alpha + 1;
    }
    if (descend(s, move, glance, depth, alpha, beta))
        climb(s);
}

/* ---- The proof ---- */

static void ask_about_first(struct search *s) {
    const struct nonet_options *options = options_of(s);
    struct nonet_state after = s->task->state;
    options->game->play(options, &after, NULL, s->candidates[0].move);
    nonet_exact_ask(s->exact, &after, s->task->seat);
}

/* Takes an answer of the exact search: the value of the position, then of one candidate after the
 * other, until one is as good as that. The others go to the end, in the order of their values. */
static void take_proof(struct search *s, const struct nonet_value *value) {
    if (!s->settled) {
        s->settled = true;
        s->value = *value;
        ask_about_first(s);
        return;
    }
    struct candidate first = s->candidates[0];
    first.proven = true;
    first.value = *value;
    int at = 0;
    if (nonet_value_compare(&s->value, value) > 0)
        for (; at + 1 < s->candidate_count; at++) {
            const struct candidate *next = &s->candidates[at + 1];
            if (next->proven && nonet_value_compare(&next->value, value) <= 0)
                break;
            s->candidates[at] = *next;
        }
    s->candidates[at] = first;
    if (at == 0)
        s->done = true;
    else
        ask_about_first(s);
}

/* Lets the exact search look at one more position. */
static void work_on_proof(struct search *s) {
    uint64_t before = nonet_exact_glances(s->exact);
    enum nonet_exact_status status = nonet_exact_advance(s->exact, 1);
    s->nodes +=
        1 + nonet_exact_glances(s->exact) - before; /* each takes as long as an evaluation */
    if (!s->settled && !s->won && nonet_exact_winning(s->exact, &s->winning))
        s->won = s->estimated = true; /* what is left is to find out by how much */
    struct nonet_proof proof;
    if (nonet_exact_answer(s->exact, &proof))
        take_proof(s, &proof.value);
    else if (status == NONET_EXACT_BEYOND)
        s->exact = NULL;
}

static bool advance(void *search, uint64_t nodes) {
    struct search *s = search;
    s->allowed = nonet_nodes_and(s->allowed, nodes);
    while (!s->done && s->nodes < s->allowed) {
        bool proves =
            s->exact != NULL && (s->settled || s->estimated ||
                                 (s->nodes - s->evaluated) * (EXACT_SHARE - 1) < s->evaluated);
        if (proves)
            work_on_proof(s);
        else if (!s->estimated)
            go_on(s);
        else
            s->done = true;
    }
    return s->done;
}

/* ---- The beginning ---- */

static size_t padded(size_t size) {
    return (size + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN;
}

static bool has_exact(const struct nonet_search_task *task) {
    return task->level == NONET_SEARCH_LEVELS && task->thread == 0 &&
           task->options.game->bounds != NULL;
}

/* Whether the end is so near that an exact search may see it. */
static bool is_late(const struct nonet_search_task *task) {
    int low, high;
    task->options.game->bounds(&task->options, &task->state, &low, &high);
    return high - low <= EXACT_WIDTH;
}

static size_t table_size(const struct nonet_search_task *task) {
    return task->shared == NULL ? OWN_TABLE : 0;
}

static size_t size(const struct nonet_search_task *task) {
    return padded(sizeof(struct search)) + table_size(task) + (has_exact(task) ? EXACT_MEMORY : 0);
}

/* Lists the candidates by their scores at a glance; chance decides between equals. Those that are
 * not seen come last. */
static void list_candidates(struct search *s) {
    const struct nonet_search_task *task = s->task;
    const struct nonet_options *options = &task->options;
    nonet_move moves[NONET_MAX_MOVES];
    uint64_t lots[NONET_MAX_MOVES];
    uint64_t here = nonet_hash(&task->state, options->game->state_size);
    s->candidate_count = options->game->moves(options, &task->state, moves);
    prepare_glances(s, &task->state);
    for (int i = 0; i < s->candidate_count; i++) {
        struct nonet_state after = task->state;
        options->game->play(options, &after, NULL, moves[i]);
        int score = glance(s, &after, task->seat);
        bool seen = !s->flawed || !nonet_overlooked_of(task, s->candidate_count, here, moves[i]);
        s->overlooked += !seen;
        const uint64_t ticket[] = {task->seed, here, moves[i]};
        uint64_t lot = nonet_hash_words(ticket, sizeof ticket) >> 32;
        lot |= (uint64_t)(seen ? INFINITE + score : 0) << 32;
        int at = i;
        for (; at > 0 && lots[at - 1] < lot; at--) {
            lots[at] = lots[at - 1];
            s->candidates[at] = s->candidates[at - 1];
        }
        lots[at] = lot;
        s->candidates[at] = (struct candidate){.move = moves[i], .glance = score, .score = score};
    }
    s->nodes = s->evaluated = (uint64_t)s->candidate_count;
    if (s->overlooked == s->candidate_count)
        s->overlooked--;
}

static void begin(void *search, const struct nonet_search_task *task) {
    struct search *s = search;
    memset(s, 0, offsetof(struct search, candidates));
    s->task = task;
    s->flawed = task->level < NONET_SEARCH_LEVELS;
    unsigned char *memory = (unsigned char *)search + padded(sizeof *s);
    memset(memory, 0, table_size(task));
    s->table = task->shared == NULL
                   ? nonet_transpositions_in(memory, OWN_TABLE, 0)
                   : nonet_transpositions_in(task->shared, task->shared_size, task->round);
    if (has_exact(task) && is_late(task)) {
        s->exact = memory + table_size(task);
        nonet_exact_begin(s->exact, EXACT_MEMORY, &task->options);
        nonet_exact_ask(s->exact, &task->state, task->seat);
    }
    list_candidates(s);
    /* Threads that start at different depths do not all look at the same positions. */
    s->iteration = task->thread & 1;
    begin_iteration(s);
}

/* ---- The report ---- */

static int clamp(int score) {
    return score < -NONET_SCORE_WON  ? -NONET_SCORE_WON
           : score > NONET_SCORE_WON ? NONET_SCORE_WON
                                     : score;
}

/* A move that was only glanced at is no better than the best. */
static struct nonet_opinion opinion_of(const struct search *s, const struct candidate *candidate) {
    int best = s->candidates[0].score, score = candidate->score;
    struct nonet_opinion opinion = {
        .move = candidate->move,
        .known = candidate->proven ? NONET_PROVEN : NONET_ESTIMATED,
        .score = (int16_t)clamp(score < best ? score : best),
        .value = candidate->value,
    };
    if (candidate->proven)
        opinion.score = nonet_score_of_value(&candidate->value);
    return opinion;
}

/* The line from the best move on, as far as it is remembered. */
static void report_line(const struct search *s, struct nonet_report *report) {
    const struct nonet_options *options = options_of(s);
    const struct nonet_game *game = options->game;
    struct nonet_state state = s->task->state;
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_remembered found;
    nonet_move move = report->moves[0].move;
    report->line_length = 0;
    for (;;) {
        report->line[report->line_length++] = move;
        game->play(options, &state, NULL, move);
        uint64_t key = nonet_hash(&state, game->state_size);
        if (report->line_length == NONET_SEARCH_LINE ||
            !nonet_transpositions_find(&s->table, key, &found) ||
            found.index >= list_moves(s, &state, key, moves))
            return;
        move = moves[found.index];
    }
}

/* Until the margins are proven too, a move that is known to win is the choice. */
static void put_winning_first(const struct search *s, struct nonet_report *report) {
    int at = 0;
    while (report->moves[at].move != s->winning)
        at++;
    struct nonet_opinion winning = report->moves[at];
    winning.score = NONET_SCORE_WON;
    memmove(&report->moves[1], &report->moves[0], (size_t)at * sizeof winning);
    report->moves[0] = winning;
}

static void report(const void *search, struct nonet_report *report) {
    const struct search *s = search;
    report->nodes = s->nodes;
    report->depth = s->depth;
    report->by = "search";
    report->count = s->candidate_count;
    for (int i = 0; i < s->candidate_count; i++)
        report->moves[i] = opinion_of(s, &s->candidates[i]);
    if (s->won && !s->done)
        put_winning_first(s, report);
    report_line(s, report);
}

static bool plays(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    return nonet_is_open_duel(options) && game->facts & NONET_POINTS && game->bounds != NULL &&
           nonet_can_evaluate(options);
}

const struct nonet_searcher nonet_search_selective = {
    .name = "selective",
    .plays = plays,
    .shares = true,
    .size = size,
    .begin = begin,
    .advance = advance,
    .report = report,
};
