#include "analysis.h"

#include <stdlib.h>
#include <string.h>

/* With at least this score a player is ahead: five to one. */
enum { AHEAD = 667 };

const struct nonet_report *analysis_think_by_nodes(void *context,
                                                   const struct nonet_session *session) {
    struct analysis_by_nodes *by_nodes = context;
    const struct nonet_player_limits limits = {
        .level = NONET_SEARCH_LEVELS,
        .nodes = by_nodes->nodes,
        .searches = 1,
        .seed = by_nodes->seed,
        .table = by_nodes->table,
    };
    if (!nonet_player_begin(by_nodes->player, session, &limits))
        return NULL;
    nonet_player_advance(by_nodes->player, 0, UINT64_MAX);
    nonet_player_report(by_nodes->player, &by_nodes->report);
    nonet_player_end(by_nodes->player);
    return &by_nodes->report;
}

/* What the search says about a position: about its best move, and the move that was played. */
struct look {
    int turn; /* 0 if the game is over */
    const char *by;
    struct nonet_opinion best, played;
    bool has_played; /* the search looked at it */
    int second;      /* the best score of the other moves */
    bool has_second; /* there are other moves, and the scores of all are known */
};

/* Whether the search looked at the move, and did not only list it. */
static bool says_something(const struct nonet_opinion *opinion) {
    return opinion->known != NONET_ESTIMATED || opinion->visits > 0;
}

static struct nonet_opinion settled(struct nonet_opinion opinion) {
    if (opinion.known == NONET_PROVEN)
        opinion.score = nonet_score_of_value(&opinion.value);
    return opinion;
}

static void take_report(struct look *look, struct analysis_move *move,
                        const struct nonet_report *report) {
    look->by = report->by;
    look->best = settled(report->moves[0]);
    look->second = -NONET_SCORE_WON;
    look->has_second = report->count > 1;
    for (int i = 0; i < report->count; i++) {
        const struct nonet_opinion *opinion = &report->moves[i];
        if (move != NULL && opinion->move == move->move && (i == 0 || says_something(opinion))) {
            look->played = settled(*opinion);
            look->has_played = true;
        }
        if (i == 0)
            continue;
        /* A search that has proven its move may not have looked at the others. */
        look->has_second &= says_something(opinion) && opinion->known >= look->best.known;
        int score = settled(*opinion).score;
        look->second = score > look->second ? score : look->second;
    }
    if (move != NULL) {
        move->line_length = report->line_length;
        memcpy(move->line, report->line, sizeof move->line);
    }
}

/* The opinion on the position after a move, for the player who made it. */
static struct nonet_opinion seen_from_before(const struct look *next, int player, nonet_move move) {
    struct nonet_opinion opinion = next->best;
    opinion.move = move;
    opinion.visits = 0;
    if (next->turn != player) {
        opinion.score = (int16_t)-opinion.score;
        opinion.value = nonet_value_negated(opinion.value);
    }
    opinion.value = nonet_value_earlier(opinion.value);
    return opinion;
}

/* The result as an opinion of the player who made the last move. */
static struct nonet_opinion seen_at_end(const struct nonet_session *session, int player,
                                        nonet_move move) {
    const struct nonet_options *options = nonet_session_options(session);
    const void *state = nonet_session_state(session);
    struct nonet_opinion opinion = {.move = move, .known = NONET_PROVEN};
    opinion.value.outcome = NONET_DRAW; /* by repetition */
    if (options->game->turn(options, state) == 0)
        opinion.value = nonet_value_earlier(nonet_value_result(options, state, player));
    return settled(opinion);
}

/* Judges the move that was played. The search of the position after it knows best, because it
 * looked at nothing else. But if players know different things, that is another player's view; and
 * with more than two players, it is for another player's side. Then the mover's own search must be
 * enough. */
static void judge_move(struct analysis_move *move, const struct look *look, const struct look *next,
                       const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    bool open = options->game->hidden == NULL;
    move->best = look->best;
    move->best_by = move->played_by = look->by;
    move->judged = look->has_played;
    if (look->has_played)
        move->played = look->played;
    struct nonet_opinion after;
    const char *by = next->by;
    if (open && next->turn == 0) {
        after = seen_at_end(session, move->player, move->move);
        by = "rules";
    } else if (open && (options->players == 2 || next->turn == move->player)) {
        after = seen_from_before(next, move->player, move->move);
    } else {
        return;
    }
    if (!move->judged || after.known >= move->played.known) {
        move->judged = true;
        move->played = after;
        move->played_by = by;
    }
}

/* 1: better or won, 0: even or drawn, -1: worse or lost. */
static int standing(const struct nonet_opinion *opinion) {
    int least = opinion->known == NONET_PROVEN ? NONET_SCORE_WON : AHEAD;
    return (opinion->score >= least) - (opinion->score <= -least);
}

static void mark(struct analysis_move *move, const struct look *look) {
    if (!move->judged)
        return;
    bool same = move->move == move->best.move;
    int loss = (move->best.score - move->played.score) / 2;
    move->loss = same || loss < 0 ? 0 : loss;
    move->turned =
        move->loss >= ANALYSIS_MISTAKE && standing(&move->played) < standing(&move->best);
    if (move->loss >= ANALYSIS_BLUNDER)
        move->mark = ANALYSIS_AWFUL;
    else if (move->loss >= ANALYSIS_MISTAKE)
        move->mark = ANALYSIS_POOR;
    else if (same && look->has_second && look->best.score - look->second >= 2 * ANALYSIS_BLUNDER)
        move->mark = ANALYSIS_GOOD;
}

/* The mean over moves that made a difference: with a choice, and not proven lost before. */
static void reckon(struct analysis *analysis) {
    int64_t kept[NONET_MAX_PLAYERS] = {0};
    for (int i = 0; i < analysis->count; i++) {
        const struct analysis_move *move = &analysis->moves[i];
        struct analysis_player *player = &analysis->players[move->player - 1];
        bool lost = move->best.known == NONET_PROVEN && move->best.value.outcome == NONET_LOSS;
        if (!move->judged || !move->choice || lost)
            continue;
        player->counted++;
        kept[move->player - 1] += 1000 - move->loss;
        player->mistakes += move->mark == ANALYSIS_POOR;
        player->blunders += move->mark == ANALYSIS_AWFUL;
    }
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        if (analysis->players[i].counted > 0)
            analysis->players[i].accuracy =
                (int)((kept[i] + analysis->players[i].counted / 2) / analysis->players[i].counted);
}

/* Searches every position from the first to the session's last. */
static bool look_at_all(struct analysis *analysis, struct nonet_session *session,
                        const struct analysis_judge *judge,
                        bool (*progress)(void *context, int done), void *context) {
    struct look look = {0};
    for (int i = 0; i <= analysis->count; i++) {
        struct analysis_move *move = i < analysis->count ? &analysis->moves[i] : NULL;
        if (progress != NULL && !progress(context, i))
            return false;
        struct look next = {.turn = nonet_session_turn(session)};
        if (move != NULL) {
            move->player = next.turn;
            move->choice = nonet_session_count(session) > 1;
        }
        if (next.turn != 0) {
            const struct nonet_report *report = judge->think(judge->context, session);
            if (report == NULL)
                return false;
            take_report(&next, move, report);
        }
        if (i > 0) {
            judge_move(&analysis->moves[i - 1], &look, &next, session);
            mark(&analysis->moves[i - 1], &look);
        }
        look = next;
        nonet_session_redo(session);
    }
    return true;
}

bool analysis_run(struct analysis *analysis, struct nonet_session *session,
                  const struct analysis_judge *judge, bool (*progress)(void *context, int done),
                  void *context) {
    int count = nonet_session_ply(session);
    *analysis = (struct analysis){.count = count};
    analysis->moves = calloc((size_t)count + 1, sizeof *analysis->moves);
    bool done = analysis->moves != NULL;
    for (int i = 0; done && i < count; i++)
        analysis->moves[i].move = nonet_session_move(session, i);
    while (nonet_session_undo(session))
        ;
    done = done && look_at_all(analysis, session, judge, progress, context);
    while (nonet_session_ply(session) < count)
        nonet_session_redo(session);
    if (done)
        reckon(analysis);
    else
        analysis_close(analysis);
    return done;
}

void analysis_close(struct analysis *analysis) {
    free(analysis->moves);
    *analysis = (struct analysis){0};
}
