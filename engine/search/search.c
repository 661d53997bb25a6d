#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../rules/wide.h"

static void *copy_block(const void *block, size_t size) {
    void *copy = aligned_alloc(NONET_SEARCH_ALIGN, (size + NONET_SEARCH_ALIGN - 1) /
                                                       NONET_SEARCH_ALIGN * NONET_SEARCH_ALIGN);
    if (copy != NULL)
        memcpy(copy, block, size);
    return copy;
}

static bool copy_history(struct nonet_search_task *task, const struct nonet_session *session) {
    const struct nonet_game *game = task->options.game;
    task->ply = nonet_session_ply(session);
    task->stride =
        (game->state_size + (size_t)NONET_STATE_ALIGN - 1) / NONET_STATE_ALIGN * NONET_STATE_ALIGN;
    /* One more than needed, so that a game's first move does not ask for an empty block. */
    size_t room = (size_t)task->ply + 1;
    task->moves = malloc(room * sizeof *task->moves);
    task->history = aligned_alloc(NONET_STATE_ALIGN, room * task->stride);
    if (task->moves == NULL || task->history == NULL)
        return false;
    for (int i = 0; i < task->ply; i++) {
        task->moves[i] = nonet_session_move(session, i);
        nonet_observe(nonet_session_options(session), nonet_session_state_before(session, i),
                      task->seat, task->history + (size_t)i * task->stride);
    }
    return true;
}

bool nonet_search_task_open(struct nonet_search_task *task, const struct nonet_session *session,
                            int seat) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    memset(task, 0, sizeof *task);
    task->options = *options;
    nonet_options_forget_secrets(&task->options);
    task->seat = seat;
    task->level = NONET_SEARCH_LEVELS;
    task->memory = NONET_SEARCH_MEMORY;
    nonet_observe(options, nonet_session_state(session), seat, &task->state);
    bool done = copy_history(task, session);
    if (done && game->wide != NULL) {
        task->workspace = copy_block(nonet_session_workspace(session), game->wide->workspace_size);
        done = task->workspace != NULL;
    }
    if (!done)
        nonet_search_task_close(task);
    return done;
}

void nonet_search_task_close(struct nonet_search_task *task) {
    free(task->workspace);
    free(task->moves);
    free(task->history);
    task->workspace = NULL;
    task->moves = NULL;
    task->history = NULL;
}

const void *nonet_search_history(const struct nonet_search_task *task, int index) {
    return task->history + (size_t)index * task->stride;
}

const struct nonet_searcher *const nonet_searchers[NONET_SEARCHERS] = {
    &nonet_search_hidden, &nonet_search_wide, &nonet_search_selective, &nonet_search_alphabeta,
    &nonet_search_tree,   &nonet_search_uct,  &nonet_search_random,
};

const struct nonet_searcher *nonet_searcher_for(const struct nonet_search_task *task) {
    int i = 0;
    nonet_move winning;
    if (nonet_sees_win(task, &winning))
        return &nonet_search_at_once;
    while (!nonet_searchers[i]->plays(&task->options))
        i++; /* the last plays everything */
    return nonet_searchers[i];
}

const struct nonet_searcher *nonet_searcher_named(const char *name,
                                                  const struct nonet_options *options) {
    for (int i = 0; i < NONET_SEARCHERS; i++)
        if (strcmp(nonet_searchers[i]->name, name) == 0 && nonet_searchers[i]->plays(options))
            return nonet_searchers[i];
    return NULL;
}

/* ---- Reports ---- */

/* Higher is better: a proven win comes before any guess, and any guess before a proven loss. */
static int proof_rank(const struct nonet_opinion *opinion) {
    if (opinion->known != NONET_PROVEN)
        return 0;
    return opinion->value.outcome - NONET_DRAW;
}

static bool better(const struct nonet_opinion *a, const struct nonet_opinion *b) {
    if (proof_rank(a) != proof_rank(b))
        return proof_rank(a) > proof_rank(b);
    return a->visits > b->visits;
}

void nonet_report_add(struct nonet_report *report, struct nonet_opinion opinion) {
    int at = report->count++;
    for (; at > 0 && better(&opinion, &report->moves[at - 1]); at--)
        report->moves[at] = report->moves[at - 1];
    report->moves[at] = opinion;
}

static void merge_opinion(struct nonet_report *into, const struct nonet_opinion *other) {
    for (int i = 0; i < into->count; i++) {
        struct nonet_opinion *own = &into->moves[i];
        if (own->move != other->move)
            continue;
        uint64_t visits = own->visits + other->visits;
        if (own->known == NONET_PROVEN || other->known == NONET_PROVEN) {
            if (own->known != NONET_PROVEN)
                *own = *other;
        } else if (visits > 0) {
            own->score = (int16_t)((own->score * (int64_t)own->visits +
                                    other->score * (int64_t)other->visits) /
                                   (int64_t)visits);
            for (int k = 0; k < NONET_MAX_PLAYERS; k++)
                own->chances[k] = (int16_t)((own->chances[k] * (int64_t)own->visits +
                                             other->chances[k] * (int64_t)other->visits) /
                                            (int64_t)visits);
        }
        own->visits = visits;
        return;
    }
    if (into->count < NONET_MAX_MOVES)
        into->moves[into->count++] = *other;
}

void nonet_report_merge(struct nonet_report *into, const struct nonet_report *other) {
    uint64_t nodes = into->nodes + other->nodes;
    if (into->moves[0].visits == 0 && other->moves[0].visits == 0) {
        /* A move that is known to win stays, though by how much is not proven yet. */
        bool sure = into->moves[0].known == NONET_PROVEN || into->moves[0].score == NONET_SCORE_WON;
        if (!sure && (other->moves[0].known == NONET_PROVEN || other->depth > into->depth))
            *into = *other;
    } else {
        for (int i = 0; i < other->count; i++)
            merge_opinion(into, &other->moves[i]);
        nonet_move first = into->moves[0].move;
        /* Restores the order. */
        int count = into->count;
        into->count = 0;
        for (int i = 0; i < count; i++)
            nonet_report_add(into, into->moves[i]);
        if (into->moves[0].move == other->moves[0].move && into->moves[0].move != first) {
            into->line_length = other->line_length;
            memcpy(into->line, other->line, sizeof into->line);
        } else if (into->moves[0].move != first) {
            into->line_length = 1;
            into->line[0] = into->moves[0].move;
        }
    }
    into->nodes = nodes;
}

/* ---- Levels ---- */

/* 256 times two to the power of so many eighths. */
static uint64_t power(int eighths) {
    static const uint16_t parts[8] = {256, 279, 304, 332, 362, 395, 431, 470};
    return eighths < 0 ? parts[0] : (uint64_t)parts[eighths % 8] << eighths / 8;
}

/* The skills of a game that does not tell its own. How strong the levels are in every game:
 * docs/strength.md. */
static const uint8_t usual_skills[NONET_LOWER_LEVELS] = {24, 45, 49, 53, 59, 65, 74, 86, 98};

static int skill_of(const struct nonet_options *options, int level) {
    const struct nonet_game *game = options->game;
    return game->skills != NULL ? game->skills[options->players - game->min_players][level - 1]
                                : usual_skills[level - 1];
}

struct nonet_level nonet_level(const struct nonet_options *options, int level, int skill) {
    /* A playout takes about PLAYOUT nodes; with hidden information a look at a position counts for
     * half as many. A node of a wide game takes as long as WIDE nodes of other games. */
    enum { PLAYOUT = 32, WIDE = 30 };
    static const int misses[] = {300, 100};
    struct nonet_level answer = {0};
    if (level == NONET_SEARCH_LEVELS)
        return answer;
    if (skill == 0)
        skill = skill_of(options, level);
    answer.nodes = power(skill) / power(0);
    answer.sees =
        (int)(power(7 * skill / 8 - 11) / 16); /* not quite twice as much with eight more */
    answer.misses = level <= 2 ? misses[level - 1] : 0;
    if (options->game->wide != NULL)
        answer.nodes = answer.nodes / WIDE + 1;
    else if (options->players > 2 || options->game->hidden != NULL)
        answer.nodes *= PLAYOUT;
    return answer;
}

static struct nonet_level level_of(const struct nonet_search_task *task) {
    return nonet_level(&task->options, task->level, task->skill);
}

/* Whether something is missed that this many of a thousand are. Different moves are overlooked at
 * every ply: a player who comes back to a position may see what they did not see before. */
static bool misses(const struct nonet_search_task *task, int chance, uint64_t position,
                   nonet_move move) {
    const uint64_t key[] = {task->seed, (uint64_t)task->seat << 32 | (uint64_t)task->ply, position,
                            move};
    return chance > 0 && nonet_hash_words(key, sizeof key) % 1000 < (uint64_t)chance;
}

/* Where there is only a handful of moves, all are seen. With n more than that, n / (n + sees) of
 * all moves are missed. */
bool nonet_overlooked_of(const struct nonet_search_task *task, int count, uint64_t position,
                         nonet_move move) {
    enum { HANDFUL = 5 };
    int sees = level_of(task).sees, more = 16 * (count - HANDFUL);
    return sees > 0 && more > 0 &&
           misses(task, (int)(1000 * (int64_t)more / (more + sees)), position, move);
}

bool nonet_overlooked(const struct nonet_search_task *task, uint64_t position, nonet_move move) {
    enum { USUAL = 16 }; /* on a board of 4x4 */
    return nonet_overlooked_of(task, USUAL, position, move);
}

int nonet_leave_out_overlooked(const struct nonet_search_task *task, uint64_t position,
                               nonet_move *moves, int count) {
    int seen = 0;
    if (task->level == NONET_SEARCH_LEVELS)
        return count;
    for (int i = 0; i < count; i++)
        if (!nonet_overlooked_of(task, count, position, moves[i]))
            moves[seen++] = moves[i];
    return seen > 0 || count == 0 ? seen : 1;
}

bool nonet_overlooks_win(const struct nonet_search_task *task, uint64_t position, nonet_move move) {
    return misses(task, level_of(task).misses, position, move);
}

int nonet_seen_moves(const struct nonet_search_task *task, const void *state, uint64_t position,
                     nonet_move *moves) {
    const struct nonet_options *options = &task->options;
    int count = options->game->moves(options, state, moves), seen = 0;
    if (task->level == NONET_SEARCH_LEVELS || count == 0)
        return count;
    bool near = nonet_win_is_near(options, state);
    for (int i = 0; i < count; i++)
        if (!nonet_overlooked_of(task, count, position, moves[i]) ||
            (near && !nonet_overlooks_win(task, position, moves[i]) &&
             nonet_wins_at_once(options, state, moves[i])))
            moves[seen++] = moves[i];
    return seen > 0 ? seen : 1;
}
