#include "table_play.h"

#include <string.h>

#include "../base/hash.h"

/* ---- Positions that have occurred twice ---- */

void nonet_used_up_find(struct nonet_used_up *used_up, const struct nonet_search_task *task) {
    size_t size = task->options.game->state_size;
    *used_up = (struct nonet_used_up){0};
    if (!(task->options.game->facts & NONET_REPETITION_DRAWS))
        return;
    uint64_t sum = 0; /* the same for any order of the positions */
    for (int i = 0; i < task->ply; i++) {
        const void *state = nonet_search_history(task, i);
        bool again = memcmp(state, &task->state, size) == 0;
        for (int j = i + 1; j < task->ply && !again; j++)
            again = memcmp(state, nonet_search_history(task, j), size) == 0;
        if (!again)
            continue;
        uint64_t hash = nonet_hash(state, size);
        sum += hash;
        if (used_up->count == NONET_MOST_USED_UP)
            used_up->too_many = true;
        else
            used_up->hash[used_up->count++] = hash;
    }
    if (used_up->count > 0)
        used_up->key = nonet_hash_words(&sum, sizeof sum);
}

bool nonet_used_up_has(const struct nonet_used_up *used_up, uint64_t hash) {
    for (int i = 0; i < used_up->count; i++)
        if (used_up->hash[i] == hash)
            return true;
    return false;
}

/* ---- Lines ---- */

void nonet_line_begin(struct nonet_line *line, const struct nonet_state *state) {
    line->state = *state;
    line->length = 0;
}

bool nonet_line_add(struct nonet_line *line, const struct nonet_options *options,
                    const struct nonet_used_up *used_up, nonet_move move, bool drawn) {
    size_t size = options->game->state_size;
    line->seen[line->length] = nonet_hash(&line->state, size);
    line->moves[line->length++] = move;
    options->game->play(options, &line->state, NULL, move);
    uint64_t hash = nonet_hash(&line->state, size);
    for (int i = 0; i < line->length; i++)
        if (line->seen[i] == hash)
            return false;
    return line->length < (drawn ? NONET_DRAWN_LINE : NONET_SEARCH_LINE) &&
           !nonet_used_up_has(used_up, hash) && options->game->turn(options, &line->state) != 0;
}

/* ---- Values ---- */

/* The value of a position that a move leads to; false if the table does not hold it. */
static bool value_of(const struct nonet_table_play *play, const void *state,
                     struct nonet_value *value, bool *by_rule) {
    const struct nonet_options *options = &play->task->options;
    uint64_t hash = nonet_hash(state, options->game->state_size);
    struct nonet_message why;
    *by_rule = nonet_used_up_has(play->used_up, hash);
    *value = (struct nonet_value){.outcome = NONET_DRAW};
    return *by_rule || nonet_table_probe(play->task->table, state, value, &why);
}

/* ---- Steps ---- */

void nonet_table_play_begin(struct nonet_table_play *play, const struct nonet_search_task *task,
                            const struct nonet_used_up *used_up) {
    memset(play, 0, offsetof(struct nonet_table_play, reply_moves));
    play->task = task;
    play->used_up = used_up;
    nonet_move moves[NONET_MAX_MOVES];
    play->count = task->options.game->moves(&task->options, &task->state, moves);
    uint64_t here = nonet_hash(&task->state, task->options.game->state_size);
    for (int i = 0; i < play->count; i++) {
        const uint64_t ticket[] = {task->seed, here, moves[i]};
        play->moves[i] = (struct nonet_table_move){.move = moves[i],
                                                   .lot = nonet_hash_words(ticket, sizeof ticket)};
    }
}

static int best_rank(const struct nonet_table_play *play) {
    int best = nonet_value_rank(&play->moves[0].value);
    for (int i = 1; i < play->count; i++) {
        int rank = nonet_value_rank(&play->moves[i].value);
        best = rank > best ? rank : best;
    }
    return best;
}

/* Whether there is another move as good as this one. */
static bool has_equal(const struct nonet_table_play *play, int index) {
    for (int i = 0; i < play->count; i++)
        if (i != index &&
            nonet_value_rank(&play->moves[i].value) == nonet_value_rank(&play->moves[index].value))
            return true;
    return false;
}

/* Whether a move is the better choice. A move not yet probed may still have the value of the
 * position. */
static bool is_better(const struct nonet_table_play *play, const struct nonet_table_move *a,
                      const struct nonet_table_move *b) {
    int rank_a = a->probed ? nonet_value_rank(&a->value) : nonet_value_rank(&play->value) - 1;
    int rank_b = b->probed ? nonet_value_rank(&b->value) : nonet_value_rank(&play->value) - 1;
    if (rank_a != rank_b)
        return rank_a > rank_b;
    int errors_a = a->errors * (b->replies > 0 ? b->replies : 1);
    int errors_b = b->errors * (a->replies > 0 ? a->replies : 1);
    return errors_a != errors_b ? errors_a > errors_b : a->lot < b->lot;
}

/* Plays a move of the line, and goes on to the position after it unless the line ends there. */
static void follow_line(struct nonet_table_play *play, nonet_move move,
                        const struct nonet_value *value) {
    const struct nonet_options *options = &play->task->options;
    bool drawn = value->outcome == NONET_DRAW;
    play->stage = NONET_TABLE_DONE;
    if (!nonet_line_add(&play->line, options, play->used_up, move, drawn))
        return;
    play->reply_count = options->game->moves(options, &play->line.state, play->reply_moves);
    play->reply = play->best_reply = 0;
    play->stage = NONET_TABLE_LINE;
}

static void begin_line(struct nonet_table_play *play) {
    const struct nonet_table_move *best = &play->moves[0];
    for (int i = 1; i < play->count; i++)
        if (is_better(play, &play->moves[i], best))
            best = &play->moves[i];
    nonet_line_begin(&play->line, &play->task->state);
    follow_line(play, best->move, &best->value);
}

/* Goes on to the next move whose replies matter: one of several best moves, or any move while a
 * reply can end the game as a draw. */
static void seek_replies(struct nonet_table_play *play) {
    const struct nonet_options *options = &play->task->options;
    int best = best_rank(play);
    for (; play->at < play->count; play->at++) {
        const struct nonet_table_move *move = &play->moves[play->at];
        bool matters = play->used_up->count > 0 ||
                       (nonet_value_rank(&move->value) == best && has_equal(play, play->at));
        play->after = play->task->state;
        options->game->play(options, &play->after, NULL, move->move);
        play->reply_count = options->game->moves(options, &play->after, play->reply_moves);
        play->reply = 0;
        if (matters && !move->by_rule && play->reply_count > 0)
            return;
    }
    play->stage = NONET_TABLE_DONE;
    if (play->task->whole_line)
        begin_line(play);
}

static bool probe_move(struct nonet_table_play *play) {
    const struct nonet_options *options = &play->task->options;
    struct nonet_table_move *move = &play->moves[play->at];
    struct nonet_state state = play->task->state;
    options->game->play(options, &state, NULL, move->move);
    if (!value_of(play, &state, &move->value, &move->by_rule))
        return false;
    move->value = nonet_value_before(move->value);
    move->probed = true;
    if (++play->at == play->count) {
        play->stage = NONET_TABLE_REPLIES;
        play->at = 0;
        seek_replies(play);
    }
    return true;
}

static bool probe_reply(struct nonet_table_play *play) {
    const struct nonet_options *options = &play->task->options;
    struct nonet_table_move *move = &play->moves[play->at];
    struct nonet_state state = play->after;
    options->game->play(options, &state, NULL, play->reply_moves[play->reply]);
    struct nonet_value value;
    bool by_rule;
    if (!value_of(play, &state, &value, &by_rule))
        return false;
    value = nonet_value_before(nonet_value_before(value));
    if (by_rule && move->value.outcome == NONET_WIN)
        move->value = value;
    move->replies++;
    move->errors += nonet_value_rank(&value) > nonet_value_rank(&move->value);
    if (++play->reply == play->reply_count) {
        play->at++;
        seek_replies(play);
    }
    return true;
}

/* Probes a move of the line's position. If the table lacks it, the line ends there. */
static void probe_line(struct nonet_table_play *play) {
    const struct nonet_options *options = &play->task->options;
    struct nonet_state state = play->line.state;
    options->game->play(options, &state, NULL, play->reply_moves[play->reply]);
    struct nonet_value value;
    bool by_rule;
    if (!value_of(play, &state, &value, &by_rule)) {
        play->stage = NONET_TABLE_DONE;
        return;
    }
    value = nonet_value_before(value);
    if (play->reply == 0 || nonet_value_compare(&value, &play->best_value) > 0) {
        play->best_reply = play->reply;
        play->best_value = value;
    }
    if (++play->reply == play->reply_count)
        follow_line(play, play->reply_moves[play->best_reply], &play->best_value);
}

bool nonet_table_play_step(struct nonet_table_play *play) {
    struct nonet_message why;
    switch (play->stage) {
    case NONET_TABLE_ROOT:
        play->stage = NONET_TABLE_MOVES;
        return nonet_table_probe(play->task->table, &play->task->state, &play->value, &why);
    case NONET_TABLE_MOVES:
        return probe_move(play);
    case NONET_TABLE_REPLIES:
        return probe_reply(play);
    case NONET_TABLE_LINE:
        probe_line(play);
        return true;
    default:
        return true;
    }
}

/* ---- The report ---- */

void nonet_table_play_report(const struct nonet_table_play *play, struct nonet_report *report) {
    /* A shortest way to an end never leads back to where it began. */
    uint64_t here = nonet_hash(&play->task->state, play->task->options.game->state_size);
    bool in_doubt =
        play->used_up->too_many || play->used_up->count > nonet_used_up_has(play->used_up, here);
    int order[NONET_MAX_MOVES];
    for (int i = 0; i < play->count; i++) {
        int to = i;
        for (; to > 0 && is_better(play, &play->moves[i], &play->moves[order[to - 1]]); to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
    for (int i = 0; i < play->count; i++) {
        const struct nonet_table_move *move = &play->moves[order[i]];
        struct nonet_opinion *opinion = &report->moves[i];
        *opinion = (struct nonet_opinion){.move = move->move, .known = NONET_ESTIMATED};
        if (!move->probed)
            continue;
        opinion->known =
            in_doubt && move->value.outcome != NONET_DRAW ? NONET_SEARCHED : NONET_PROVEN;
        opinion->value = move->value;
        opinion->score = nonet_score_of_value(&move->value);
    }
    report->count = play->count;
    report->depth = 0;
    report->by = "table";
    report->line[0] = report->moves[0].move;
    report->line_length = 1;
    if (play->line.length > 0) {
        report->line_length = play->line.length;
        memcpy(report->line, play->line.moves, (size_t)play->line.length * sizeof *report->line);
    }
}
