#include "judge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../search/exact.h"
#include "../search/table_play.h"
#include "../table/format.h"

enum {
    QUANTUM = 4096, /* nodes, by turns for the proof and for the player */
    BYTES_PER_NODE = 96,
};

/* The values of the moves of a position, for the player whose turn it is there. */
struct survey {
    struct nonet_state state;
    int mover;
    int count, at;    /* moves, and which of them is looked at */
    int known;        /* how many have a value */
    bool missing;     /* bytes were missing since the pass over the moves began */
    bool asked_whole; /* the search has been asked about the position itself */
    bool asking;      /* it is being asked about the position, or about the current move */
    nonet_move moves[NONET_MAX_MOVES];
    struct nonet_value values[NONET_MAX_MOVES];
    const char *by[NONET_MAX_MOVES]; /* what proves it; null if nothing does yet */
    /* Of the position to judge: the first move that leads to the same position or a symmetric one.
     */
    uint16_t kind[NONET_MAX_MOVES];
};

/* Where the proof is. */
enum stage {
    MOVES, /* of the position to judge */
    LINE,  /* of positions along the best line */
    OVER,  /* all is proven, or cannot be */
};

struct judge {
    struct judge_limits limits;
    struct nonet_search_task task;
    bool open; /* the task */
    struct nonet_used_up used_up;
    uint64_t nodes;

    /* The proof. */
    enum stage stage;
    struct survey first, next; /* the position, and the current one of the line */
    bool table_failed;
    struct nonet_message why;
    void *exact; /* null until it is needed */
    bool beyond; /* the search cannot settle this game, or has used up its nodes */
    bool doomed; /* in a wide game: whatever the mover does, the other wins by an argument */
    struct nonet_line line;

    /* The player. */
    bool wants_player;
    bool player_done;
    const struct nonet_searcher *searcher;
    void *search; /* null until it is needed */
    void *shared;
    uint64_t player_nodes;

    bool players_turn; /* while both work */
    uint64_t quantum;  /* what is left of it */
    /* Room for a report, and for sorting moves. */
    struct nonet_report *report;
    struct judge_move *room;
};

struct judge *judge_open(void) {
    size_t size =
        (sizeof(struct judge) + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN;
    struct judge *judge = aligned_alloc(NONET_SEARCH_ALIGN, size);
    if (judge == NULL)
        return NULL;
    memset(judge, 0, size);
    judge->report = malloc(sizeof *judge->report);
    judge->room = malloc(NONET_MAX_MOVES * sizeof *judge->room);
    if (judge->report == NULL || judge->room == NULL) {
        judge_close(judge);
        return NULL;
    }
    return judge;
}

static void end(struct judge *judge) {
    if (judge->open)
        nonet_search_task_close(&judge->task);
    free(judge->exact);
    free(judge->search);
    free(judge->shared);
    struct nonet_report *report = judge->report;
    struct judge_move *room = judge->room;
    memset(judge, 0, sizeof *judge);
    judge->report = report;
    judge->room = room;
}

void judge_close(struct judge *judge) {
    if (judge == NULL)
        return;
    end(judge);
    free(judge->report);
    free(judge->room);
    free(judge);
}

static const struct nonet_options *options_of(const struct judge *judge) {
    return &judge->task.options;
}

/* ---- The position ---- */

static struct nonet_state after(const struct judge *judge, const struct nonet_state *state,
                                nonet_move move) {
    struct nonet_state next = *state;
    options_of(judge)->game->play(options_of(judge), &next, NULL, move);
    return next;
}

static void survey_begin(const struct judge *judge, struct survey *survey,
                         const struct nonet_state *state) {
    const struct nonet_options *options = options_of(judge);
    memset(survey, 0, offsetof(struct survey, moves));
    survey->state = *state;
    survey->mover = options->game->turn(options, state);
    survey->count = options->game->moves(options, state, survey->moves);
    memset(survey->by, 0, (size_t)survey->count * sizeof *survey->by);
}

/* Finds the kinds of the moves, by a table of hashes of the positions after them. */
static void find_kinds(struct judge *judge) {
    enum { PLACES = 8192, EMPTY = UINT16_MAX };
    static_assert(PLACES > 2 * NONET_MAX_MOVES, "there is room");
    const struct nonet_options *options = options_of(judge);
    size_t size = options->game->state_size;
    struct survey *first = &judge->first;
    uint16_t table[PLACES];
    memset(table, 0xff, sizeof table);
    for (int i = 0; i < first->count; i++) {
        struct nonet_state state = after(judge, &first->state, first->moves[i]), own, other;
        first->kind[i] = (uint16_t)i;
        if (judge->used_up.count > 0)
            continue;
        nonet_canonical(options, &state, &own);
        for (uint64_t at = nonet_hash(&own, size) % PLACES;; at = (at + 1) % PLACES) {
            if (table[at] == EMPTY) {
                table[at] = (uint16_t)i;
                break;
            }
            state = after(judge, &first->state, first->moves[table[at]]);
            nonet_canonical(options, &state, &other);
            if (memcmp(&own, &other, size) == 0) {
                first->kind[i] = table[at];
                break;
            }
        }
    }
}

/* An argument about a wide game: it names a winning move, or says that there is none. */
static void argue(struct judge *judge) {
    const struct nonet_options *options = options_of(judge);
    int winner;
    nonet_move move;
    judge->first.mover = judge->task.seat;
    if (judge->limits.proof_nodes == 0 || options->game->mirror == NULL ||
        !options->game->mirror(options, &judge->task.state, &winner, &move))
        return;
    judge->doomed = winner != judge->task.seat;
    if (judge->doomed)
        return;
    judge->first.moves[0] = move;
    judge->first.values[0] =
        (struct nonet_value){.outcome = NONET_WIN, .distance = NONET_UNKNOWN_DISTANCE};
    judge->first.by[0] = "mirror";
    judge->first.count = judge->first.known = 1;
}

bool judge_begin(struct judge *judge, const struct nonet_session *session,
                 const struct judge_limits *limits) {
    end(judge);
    judge->limits = *limits;
    int turn = nonet_session_turn(session);
    if (turn == 0) {
        judge->stage = OVER;
        return true;
    }
    if (!nonet_search_task_open(&judge->task, session, turn))
        return false;
    judge->open = true;
    judge->task.seed = limits->seed;
    judge->task.every_move = true;
    judge->searcher = nonet_searcher_for(&judge->task);
    const struct nonet_options *options = options_of(judge);
    judge->stage = nonet_is_open(options) ? MOVES : OVER;
    judge->wants_player = options->players > 2 || judge->stage == OVER;
    judge->beyond = limits->proof_nodes == 0;
    if (judge->stage == MOVES) {
        nonet_used_up_find(&judge->used_up, &judge->task);
        survey_begin(judge, &judge->first, &judge->task.state);
        nonet_line_begin(&judge->line, &judge->task.state);
        find_kinds(judge);
    } else if (options->game->wide != NULL) {
        argue(judge);
    }
    return true;
}

/* ---- The proof ---- */

static size_t memory_of(const struct judge *judge) {
    return (judge->limits.memory != 0 ? judge->limits.memory : NONET_SEARCH_MEMORY) / 2;
}

static void *aligned(size_t size) {
    return aligned_alloc(NONET_SEARCH_ALIGN,
                         (size + NONET_SEARCH_ALIGN - 1) / NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN);
}

/* No larger than its nodes can fill, because clearing it takes time. */
static bool begin_exact(struct judge *judge) {
    size_t size = memory_of(judge), least = nonet_exact_least(options_of(judge));
    uint64_t fill = least + nonet_nodes_and(0, judge->limits.proof_nodes) * BYTES_PER_NODE;
    if (judge->limits.proof_nodes < size && fill < size)
        size = (size_t)fill;
    if (size < least)
        size = least;
    judge->exact = aligned(size);
    if (judge->exact == NULL)
        return false;
    nonet_exact_begin(judge->exact, size, options_of(judge));
    return true;
}

enum found { FOUND, NOT_YET, NOT_HERE, NEVER };

/* Searches for the value of a state for a player. */
static enum found ask_search(struct judge *judge, struct survey *survey, const void *state,
                             uint64_t nodes, struct nonet_proof *proof) {
    if (judge->beyond)
        return NEVER;
    if (judge->exact == NULL && !begin_exact(judge)) {
        judge->beyond = true;
        return NEVER;
    }
    if (!survey->asking) {
        survey->asking = true;
        nonet_exact_ask(judge->exact, state, survey->mover);
    }
    uint64_t before = nonet_exact_nodes(judge->exact);
    if (nodes > judge->limits.proof_nodes - before)
        nodes = judge->limits.proof_nodes - before;
    enum nonet_exact_status status = nonet_exact_advance(judge->exact, nodes);
    judge->nodes += nonet_exact_nodes(judge->exact) - before;
    if (nonet_exact_answer(judge->exact, proof)) {
        survey->asking = false;
        return FOUND;
    }
    if (status == NONET_EXACT_WORKING &&
        nonet_exact_nodes(judge->exact) < judge->limits.proof_nodes)
        return NOT_YET;
    judge->beyond = true;
    return NEVER;
}

/* The value for a player, from the table. */
static enum found ask_table(struct judge *judge, const void *state, int player,
                            struct nonet_value *value) {
    struct nonet_message why;
    if (judge->limits.table == NULL || judge->table_failed)
        return NEVER;
    judge->nodes++;
    if (nonet_table_probe_for(judge->limits.table, state, player, value, &why))
        return FOUND;
    if (why.phrase == &nonet_table_phrases[NONET_TABLE_UNREADABLE])
        return NOT_HERE;
    if (why.phrase != &nonet_table_phrases[NONET_TABLE_NOT_LISTED]) {
        judge->table_failed = true;
        judge->why = why;
    }
    return NEVER;
}

/* The value of the current move of a survey. */
static enum found ask_move(struct judge *judge, struct survey *survey, uint64_t nodes,
                           struct nonet_value *value, const char **by) {
    const struct nonet_options *options = options_of(judge);
    struct nonet_state state = after(judge, &survey->state, survey->moves[survey->at]);
    if (options->game->turn(options, &state) == 0) {
        *value = nonet_value_earlier(nonet_value_result(options, &state, survey->mover));
        *by = "rules";
        judge->nodes++;
        return FOUND;
    }
    struct nonet_value following;
    enum found found = survey->asking ? NEVER : ask_table(judge, &state, survey->mover, &following);
    if (found != NEVER) {
        if (found == FOUND)
            *value = nonet_value_earlier(following);
        *by = "table";
        return found;
    }
    struct nonet_proof proof;
    /* Once the value of a position is known, those of its moves come quickly. */
    if (!survey->asked_whole) {
        found = ask_search(judge, survey, &survey->state, nodes, &proof);
        survey->asked_whole = found == FOUND;
        return found == FOUND ? NOT_YET : found;
    }
    found = ask_search(judge, survey, &state, nodes, &proof);
    if (found == FOUND) {
        *value = nonet_value_earlier(proof.value);
        *by = strcmp(proof.by, "rules") == 0 ? "search" : proof.by;
    }
    return found;
}

/* Looks at moves that have no value yet. FOUND: all have one. NOT_HERE: some cannot have one before
 * more of the table is here. NEVER: some cannot have one at all. */
static enum found survey_advance(struct judge *judge, struct survey *survey, uint64_t nodes) {
    uint64_t until = nonet_nodes_and(judge->nodes, nodes);
    while (judge->nodes < until && survey->known < survey->count) {
        if (survey->at == survey->count) {
            survey->at = 0;
            bool missing = survey->missing;
            survey->missing = false;
            return missing ? NOT_HERE : NEVER;
        }
        int at = survey->at;
        if (survey->by[at] == NULL) {
            const char *by;
            switch (ask_move(judge, survey, until - judge->nodes, &survey->values[at], &by)) {
            case FOUND:
                survey->by[at] = by;
                survey->known++;
                break;
            case NOT_YET:
                continue;
            case NOT_HERE:
                survey->missing = true;
                break;
            case NEVER:
                break;
            }
        }
        survey->at++;
    }
    return survey->known == survey->count ? FOUND : NOT_YET;
}

/* The best move: the first of equals. */
static int best_of(const struct survey *survey) {
    int best = 0;
    for (int i = 1; i < survey->count; i++)
        if (nonet_value_compare(&survey->values[i], &survey->values[best]) > 0)
            best = i;
    return best;
}

/* A position that has occurred twice ends the game when it comes back: to move there is a draw, and
 * a win is none if the others can move there. As in search/table_play.h. */
static void mind_repetitions(struct judge *judge) {
    const struct nonet_options *options = options_of(judge);
    size_t size = options->game->state_size;
    struct survey *first = &judge->first;
    if (judge->used_up.count == 0)
        return;
    for (int i = 0; i < first->count; i++) {
        struct nonet_state state = after(judge, &first->state, first->moves[i]);
        bool comes_back = nonet_used_up_has(&judge->used_up, nonet_hash(&state, size));
        if (!comes_back && first->by[i] != NULL && first->values[i].outcome == NONET_WIN) {
            nonet_move replies[NONET_MAX_MOVES];
            int count = options->game->moves(options, &state, replies);
            for (int k = 0; k < count && !comes_back; k++) {
                struct nonet_state reply = after(judge, &state, replies[k]);
                comes_back = nonet_used_up_has(&judge->used_up, nonet_hash(&reply, size));
            }
        }
        if (comes_back) {
            first->known += first->by[i] == NULL;
            first->values[i] = (struct nonet_value){.outcome = NONET_DRAW};
            first->by[i] = "rules";
        }
    }
}

/* Plays a move of the line, and goes on to the position after it unless the line ends there. */
static void follow_line(struct judge *judge, const struct survey *survey) {
    int best = best_of(survey);
    bool drawn = survey->values[best].outcome == NONET_DRAW;
    bool goes_on = nonet_line_add(&judge->line, options_of(judge), &judge->used_up,
                                  survey->moves[best], drawn);
    judge->stage = goes_on && !judge->limits.no_line ? LINE : OVER;
    if (judge->stage == LINE)
        survey_begin(judge, &judge->next, &judge->line.state);
}

/* True if bytes of the table are missing. */
static bool advance_proof(struct judge *judge, uint64_t nodes) {
    struct survey *survey = judge->stage == MOVES ? &judge->first : &judge->next;
    enum found found = survey_advance(judge, survey, nodes);
    if (judge->stage == MOVES && (judge->exact != NULL || found == NEVER))
        judge->wants_player = true; /* it thinks beside the search */
    if (found == NOT_YET || found == NOT_HERE)
        return found == NOT_HERE;
    if (judge->stage == MOVES) {
        mind_repetitions(judge);
        if (found == FOUND)
            judge->wants_player = options_of(judge)->players > 2;
    }
    if (found == FOUND && options_of(judge)->players == 2)
        follow_line(judge, survey);
    else
        judge->stage = OVER;
    return false;
}

/* ---- The player ---- */

static bool begin_player(struct judge *judge) {
    struct nonet_search_task *task = &judge->task;
    uint64_t nodes = judge->limits.nodes;
    task->memory = memory_of(judge);
    if (judge->searcher->shares) {
        task->shared_size = task->memory;
        while (nodes != 0 && task->shared_size > 4096 && task->shared_size / 64 > nodes)
            task->shared_size /= 2;
        judge->shared = aligned(task->shared_size);
        if (judge->shared == NULL)
            return false;
        memset(judge->shared, 0, task->shared_size);
        task->shared = judge->shared;
    }
    judge->search = aligned(judge->searcher->size(task));
    if (judge->search == NULL)
        return false;
    judge->searcher->begin(judge->search, task);
    return true;
}

static void advance_player(struct judge *judge, uint64_t nodes) {
    if (judge->search == NULL && !begin_player(judge)) {
        free(judge->search);
        judge->search = NULL;
        judge->player_done = true; /* without memory, nothing more is found out */
        return;
    }
    if (judge->limits.nodes != 0 && nodes > judge->limits.nodes - judge->player_nodes)
        nodes = judge->limits.nodes - judge->player_nodes;
    judge->player_nodes += nodes;
    judge->nodes += nodes;
    judge->player_done = judge->searcher->advance(judge->search, nodes) ||
                         (judge->limits.nodes != 0 && judge->player_nodes >= judge->limits.nodes);
}

enum judge_status judge_advance(struct judge *judge, uint64_t nodes) {
    uint64_t until = nonet_nodes_and(judge->nodes, nodes);
    for (;;) {
        bool proving = judge->stage != OVER;
        bool playing = judge->wants_player && !judge->player_done;
        if (!proving && !playing)
            return JUDGE_SETTLED;
        if (judge->nodes >= until)
            return JUDGE_WORKING;
        if (judge->quantum == 0) {
            judge->players_turn = !judge->players_turn;
            judge->quantum = QUANTUM;
        }
        uint64_t before = judge->nodes, left = until - before;
        if (left > judge->quantum)
            left = judge->quantum;
        if (playing && (!proving || judge->players_turn))
            advance_player(judge, left);
        else if (advance_proof(judge, left))
            return JUDGE_WAITING;
        uint64_t spent = judge->nodes - before;
        judge->quantum = spent < judge->quantum ? judge->quantum - spent : 0;
    }
}

bool judge_starved(const struct judge *judge) {
    return judge->player_done && judge->search == NULL;
}

bool judge_table_failed(const struct judge *judge, struct nonet_message *why) {
    if (judge->table_failed)
        *why = judge->why;
    return judge->table_failed;
}

/* ---- The verdict ---- */

/* The index of a move in the survey of the position; -1 if it is not there. */
static int in_survey(const struct survey *survey, nonet_move move) {
    for (int i = 0; i < survey->count; i++)
        if (survey->moves[i] == move)
            return i;
    return -1;
}

/* A move that loses because all do. */
static void overrule_by_argument(struct judge_move *move) {
    if (move->opinion.known == NONET_PROVEN)
        return;
    move->opinion.known = NONET_PROVEN;
    move->valued = true;
    move->opinion.value =
        (struct nonet_value){.outcome = NONET_LOSS, .distance = NONET_UNKNOWN_DISTANCE};
    move->opinion.score = nonet_score_of_value(&move->opinion.value);
    move->by = "mirror";
}

/* Puts what was proven in the place of an opinion. */
static void overrule(const struct judge *judge, struct judge_move *move, int at) {
    const struct survey *first = &judge->first;
    struct nonet_opinion *opinion = &move->opinion;
    if (first->by[at] == NULL)
        return;
    bool in_doubt = judge->used_up.too_many || judge->used_up.count > 0;
    struct nonet_value value = first->values[at];
    opinion->known = in_doubt && value.outcome != NONET_DRAW ? NONET_SEARCHED : NONET_PROVEN;
    opinion->value = value;
    /* With more players it tells less than the player's opinion does, unless it is a win. */
    if (options_of(judge)->players == 2 || value.outcome == NONET_WIN || !move->judged)
        opinion->score = nonet_score_of_value(&value);
    if (options_of(judge)->players > 2 && value.outcome == NONET_WIN)
        for (int k = 0; k < NONET_MAX_PLAYERS; k++)
            opinion->chances[k] = k == first->mover - 1 ? NONET_SCORE_WON : 0;
    move->by = first->by[at];
    move->judged = move->valued = true;
}

/* Proven wins first, proven losses last. */
static int class_of(const struct judge *judge, const struct judge_move *move) {
    if (!move->judged)
        return -2;
    if (!move->valued)
        return 0;
    int class = move->opinion.value.outcome - NONET_DRAW;
    return class < 0 && options_of(judge)->players > 2 ? 0 : class;
}

/* Above 0: the first is better. Moves that a search judged by visiting them stay in its order. */
static int compare(const struct judge *judge, const struct judge_move *a,
                   const struct judge_move *b, bool by_visits) {
    int class_a = class_of(judge, a), class_b = class_of(judge, b);
    if (class_a != class_b)
        return class_a - class_b;
    if (class_a == 1 || class_a == -1)
        return nonet_value_compare(&a->opinion.value, &b->opinion.value);
    return by_visits ? 0 : a->opinion.score - b->opinion.score;
}

/* Sorts by merging, so that equals stay in their order. */
static void sort(const struct judge *judge, struct judge_move *moves, int count,
                 struct judge_move *room, bool by_visits) {
    if (count < 2)
        return;
    int half = count / 2;
    sort(judge, moves, half, room, by_visits);
    sort(judge, moves + half, count - half, room, by_visits);
    if (compare(judge, &moves[half], &moves[half - 1], by_visits) <= 0)
        return;
    memcpy(room, moves, (size_t)half * sizeof *moves);
    for (int to = 0, a = 0, b = half; a < half; to++)
        moves[to] = b < count && compare(judge, &moves[b], &room[a], by_visits) > 0 ? moves[b++]
                                                                                    : room[a++];
}

/* Whether a move is known better than its twin: proven, or judged at all. */
static bool knows_more(const struct judge_move *move, const struct judge_move *twin) {
    if (!move->judged || !twin->judged)
        return move->judged;
    return move->opinion.known == NONET_PROVEN && twin->opinion.known != NONET_PROVEN;
}

/* Gives twins the same opinion: a proven one, or else that of the first. */
static void agree(struct judge_verdict *verdict) {
    int model[NONET_MAX_MOVES]; /* for each kind of moves, the one that is known best */
    for (int i = 0; i < verdict->count; i++)
        model[verdict->moves[i].twin] = -1;
    for (int i = 0; i < verdict->count; i++) {
        int *best = &model[verdict->moves[i].twin];
        if (*best < 0 || knows_more(&verdict->moves[i], &verdict->moves[*best]))
            *best = i;
    }
    for (int i = 0; i < verdict->count; i++) {
        struct judge_move *move = &verdict->moves[i];
        nonet_move own = move->opinion.move;
        *move = verdict->moves[model[move->twin]];
        move->opinion.move = own;
    }
}

/* Once the moves are in order: instead of the number of its kind, gives each move the place of the
 * first of its kind. */
static void point_to_twins(struct judge_verdict *verdict) {
    int first[NONET_MAX_MOVES];
    for (int i = 0; i < verdict->count; i++)
        first[verdict->moves[i].twin] = -1;
    for (int i = 0; i < verdict->count; i++) {
        struct judge_move *move = &verdict->moves[i];
        int *place = &first[move->twin];
        if (*place < 0)
            *place = i;
        move->twin = *place;
        move->move = move->opinion.move;
    }
}

/* The moves as the player judges them; true if it has visited them. */
static bool take_report(const struct judge *judge, struct judge_verdict *verdict) {
    struct nonet_report *report = judge->report;
    judge->searcher->report(judge->search, report);
    bool wide = options_of(judge)->game->wide != NULL;
    verdict->depth = report->depth;
    verdict->count = report->count;
    for (int i = 0; i < report->count; i++) {
        const struct nonet_opinion *opinion = &report->moves[i];
        verdict->moves[i] = (struct judge_move){
            .opinion = *opinion,
            .by = report->by,
            .judged = wide || opinion->known != NONET_ESTIMATED || opinion->visits > 0 ||
                      report->depth > 0,
            .valued = opinion->known == NONET_PROVEN,
        };
    }
    verdict->line_length = report->line_length;
    memcpy(verdict->line, report->line, sizeof report->line);
    return report->moves[0].visits > 0;
}

void judge_verdict(const struct judge *judge, struct judge_verdict *verdict) {
    const struct survey *first = &judge->first;
    memset(verdict, 0, offsetof(struct judge_verdict, moves));
    verdict->by = "rules";
    verdict->line_length = 0;
    if (!judge->open)
        return;
    verdict->turn = judge->task.seat;
    verdict->nodes = judge->nodes;
    bool by_visits = false, proven = first->count > 0 && first->known == first->count;
    if (judge->search != NULL && (!proven || judge->wants_player)) {
        by_visits = take_report(judge, verdict);
    } else {
        verdict->count = first->count;
        for (int i = 0; i < first->count; i++)
            verdict->moves[i] =
                (struct judge_move){.opinion.move = first->moves[i], .by = judge->searcher->name};
    }
    bool listed = options_of(judge)->game->wide == NULL;
    for (int i = 0; i < verdict->count; i++) {
        struct judge_move *move = &verdict->moves[i];
        int at = in_survey(first, move->opinion.move);
        if (at >= 0)
            overrule(judge, move, at);
        else if (judge->doomed)
            overrule_by_argument(move);
        move->twin = listed && at >= 0 ? first->kind[at] : i;
    }
    agree(verdict);
    sort(judge, verdict->moves, verdict->count, judge->room, by_visits);
    point_to_twins(verdict);
    if (judge->line.length > 0) {
        verdict->line_length = judge->line.length;
        memcpy(verdict->line, judge->line.moves, sizeof judge->line.moves);
    } else if (verdict->count > 0 &&
               (verdict->line_length == 0 || verdict->line[0] != verdict->moves[0].opinion.move)) {
        verdict->line_length = 1;
        verdict->line[0] = verdict->moves[0].opinion.move;
    }
    if (verdict->count > 0)
        verdict->by = verdict->moves[0].by;
}

bool judge_keeps(const struct judge_verdict *verdict, const struct judge_move *move) {
    int best = NONET_LOSS;
    for (int i = 0; i < verdict->count; i++)
        if (verdict->moves[i].valued && verdict->moves[i].opinion.value.outcome > best)
            best = verdict->moves[i].opinion.value.outcome;
    return move->opinion.value.outcome == best;
}
