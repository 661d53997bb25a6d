#include "review.h"

#include <stdlib.h>
#include <string.h>

/* With at least this score a player is ahead: five to one. */
enum { AHEAD = 667 };

/* What the judge says about a position: about its best move, and the move that was played. */
struct look {
    int turn; /* 0 if the game is over */
    const char *by, *played_by;
    struct nonet_opinion best, played;
    bool has_played; /* the judge looked at it */
    int second;      /* the best score of the other moves */
    bool has_second; /* there are other moves, and the scores of all are known */
    struct review_choice choice;
    bool keeps;   /* the move that was played keeps the result */
    bool settled; /* all moves have exact values, or would if no position had occurred twice */
    int line_length;
    nonet_move line[NONET_SEARCH_LINE];
};

struct review {
    struct nonet_session *session; /* of its own; it stands at the position that is judged */
    struct nonet_game open;        /* the game with nothing hidden, for hindsight */
    struct judge *judge;
    struct judge_limits limits;
    bool judging;
    struct judge_verdict verdict;
    int count; /* moves of the game */
    int first; /* row */
    int done;  /* rows that are finished, or left out before the first */
    struct review_row *rows;
    struct look before; /* of the position before */
    struct review_player players[NONET_MAX_PLAYERS];
    bool exact;
};

/* ---- Beginning ---- */

/* A session of this game with the same line as another. */
static struct nonet_session *copy_line(const struct nonet_session *from,
                                       const struct nonet_game *game) {
    struct nonet_options options = *nonet_session_options(from);
    options.game = game;
    struct nonet_session *session = nonet_session_new(&options);
    struct nonet_message why;
    int count = nonet_session_ply(from);
    bool done = session != NULL;
    if (done && nonet_session_began_elsewhere(from)) {
        char text[NONET_POSITION_TEXT];
        struct nonet_text out = NONET_TEXT_IN(text);
        const void *first =
            count > 0 ? nonet_session_state_before(from, 0) : nonet_session_state(from);
        game->write(&options, first, &out);
        done = nonet_session_read(session, text, &why);
    }
    for (int i = 0; done && i < count; i++)
        done = nonet_session_play(session, nonet_session_move(from, i), &why);
    if (done)
        return session;
    nonet_session_free(session);
    return NULL;
}

struct review *review_open(const struct nonet_session *session, const struct review_wish *wish) {
    struct review *review = calloc(1, sizeof *review);
    if (review == NULL)
        return NULL;
    const struct nonet_game *game = nonet_session_options(session)->game;
    review->limits = wish->limits;
    review->exact = true;
    if (wish->hindsight && game->hidden != NULL) {
        review->open = *game;
        review->open.hidden = NULL;
        game = &review->open;
        review->limits.table = NULL;
    }
    review->count = nonet_session_ply(session);
    review->rows = calloc((size_t)review->count + 1, sizeof *review->rows);
    review->judge = judge_open();
    review->session = copy_line(session, game);
    if (review->rows == NULL || review->judge == NULL || review->session == NULL) {
        review_close(review);
        return NULL;
    }
    for (int i = 0; i < review->count; i++)
        review->rows[i + 1].move = nonet_session_move(session, i);
    nonet_session_go(review->session, 0);
    while (review->done < wish->first && nonet_session_redo(review->session))
        review->done++;
    review->first = review->done;
    return review;
}

void review_close(struct review *review) {
    if (review == NULL)
        return;
    judge_close(review->judge);
    nonet_session_free(review->session);
    free(review->rows);
    free(review);
}

/* ---- What the judge says ---- */

/* How many moves keep the result, if that is proven of all. */
static int count_keeping(const struct judge_verdict *verdict, uint64_t legal) {
    if ((uint64_t)verdict->count != legal)
        return -1;
    int keeps = 0;
    for (int i = 0; i < verdict->count; i++) {
        const struct judge_move *move = &verdict->moves[i];
        if (!move->judged || move->opinion.known != NONET_PROVEN)
            return -1;
        keeps += judge_keeps(verdict, move);
    }
    return keeps;
}

/* `played` is the row of the move that was made next; null after the last. */
static void take_verdict(struct look *look, const struct judge_verdict *verdict,
                         const struct review_row *played) {
    look->by = verdict->by;
    look->best = verdict->moves[0].opinion;
    look->second = -NONET_SCORE_WON;
    look->has_second = verdict->count > 1;
    look->choice.keeps = count_keeping(verdict, look->choice.legal);
    look->settled = (uint64_t)verdict->count == look->choice.legal;
    for (int i = 0; i < verdict->count; i++) {
        const struct judge_move *move = &verdict->moves[i];
        look->settled &= move->valued;
        if (played != NULL && move->move == played->move && (i == 0 || move->judged)) {
            look->played = move->opinion;
            look->played_by = move->by;
            look->has_played = true;
            look->keeps = judge_keeps(verdict, move);
        }
        if (i == 0)
            continue;
        /* A search that has proven its move may not have looked at the others. */
        look->has_second &= move->judged && move->opinion.known >= look->best.known;
        if (move->opinion.score > look->second)
            look->second = move->opinion.score;
    }
    look->line_length = verdict->line_length;
    memcpy(look->line, verdict->line, sizeof look->line);
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
    opinion.score = nonet_score_of_value(&opinion.value);
    return opinion;
}

/* ---- Rows ---- */

/* What the move led to. The judge of the position after it knows best, because it looked at nothing
 * else. But if players know different things, that is another player's view; and with more than two
 * players, it is for another player's side. Then the mover's own view must be enough. */
static void judge_move(struct review_row *row, const struct look *look, const struct look *next,
                       const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    bool open = options->game->hidden == NULL;
    row->best = look->best;
    row->best_by = row->by = look->by;
    row->judged = look->has_played;
    if (look->has_played) {
        row->opinion = look->played;
        row->by = look->played_by;
    }
    struct nonet_opinion after;
    const char *by = next->by;
    if (open && next->turn == 0) {
        after = seen_at_end(session, row->player, row->move);
        by = "rules";
    } else if (open && (options->players == 2 || next->turn == row->player)) {
        after = seen_from_before(next, row->player, row->move);
    } else {
        return;
    }
    if (!row->judged || after.known >= row->opinion.known) {
        row->judged = true;
        row->opinion = after;
        row->by = by;
    }
}

/* 1: better or won, 0: even or drawn, -1: worse or lost. */
static int standing(const struct nonet_opinion *opinion) {
    return (opinion->score >= AHEAD) - (opinion->score <= -AHEAD);
}

/* What each of several players may expect after the move: by the position after it where everybody
 * sees everything, else by the mover's own view. */
static void expect(struct review_row *row, const struct look *look, const struct look *next,
                   const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    bool own = options->game->hidden != NULL && look != NULL;
    memcpy(row->chances, own ? look->played.chances : next->best.chances, sizeof row->chances);
    if (next->turn != 0)
        return;
    struct nonet_result result = {0};
    nonet_session_result(session, &result);
    for (int i = 0; i < options->players; i++)
        row->chances[i] = (int16_t)(nonet_result_share(options, &result, i + 1) * NONET_SCORE_WON /
                                    NONET_WHOLE_WIN);
}

/* The lane of the player who is ahead: of two by the opinion, of more by what each may expect. */
static int lane_of(const struct review_row *row, int players) {
    int side = standing(&row->opinion);
    if (!row->judged)
        return REVIEW_UNKNOWN;
    if (players == 2)
        return side > 0 ? row->player : side < 0 ? 3 - row->player : REVIEW_DRAWN;
    int most = 0, lane = REVIEW_DRAWN;
    for (int i = 0; i < players; i++)
        if (row->chances[i] > most) {
            most = row->chances[i];
            lane = i + 1;
        } else if (row->chances[i] == most) {
            lane = REVIEW_DRAWN;
        }
    return lane;
}

/* The lane of a finished game; of a team, that of its first player. */
static int lane_of_result(const struct nonet_session *session) {
    struct nonet_result result = {0};
    nonet_session_result(session, &result);
    int players = nonet_session_options(session)->players, winner = 1;
    while (winner < players && !(result.winners >> (winner - 1) & 1))
        winner++;
    return result.winners == (1 << players) - 1 ? REVIEW_DRAWN : winner;
}

static void mark(struct review_row *row, const struct look *look) {
    if (!row->judged)
        return;
    bool same = row->move == row->best.move;
    int loss = (row->best.score - row->opinion.score) / 2;
    row->loss = same || loss < 0 ? 0 : loss;
    row->turned = row->loss >= REVIEW_MISTAKE && standing(&row->opinion) < standing(&row->best);
    if (row->loss >= REVIEW_BLUNDER)
        row->mark = REVIEW_AWFUL;
    else if (row->loss >= REVIEW_MISTAKE)
        row->mark = REVIEW_POOR;
    else if (same && look->has_second && look->best.score - look->second >= 2 * REVIEW_BLUNDER)
        row->mark = REVIEW_GOOD;
    const struct nonet_value *value = &row->opinion.value, *best = &row->best.value;
    bool won = row->opinion.known == NONET_PROVEN && value->outcome == NONET_WIN &&
               row->best.known == NONET_PROVEN && !value->has_margin;
    if (won && value->distance > best->distance && best->distance >= 0)
        row->slower = value->distance - best->distance;
}

/* ---- Accuracy ---- */

static void reckon(struct review *review, const struct review_row *row, bool settled) {
    struct review_player *player = &review->players[row->player - 1];
    const struct review_choice *choice = &row->choice;
    bool two = nonet_session_options(review->session)->players == 2;
    if (choice->legal > 1)
        review->exact &= settled && two;
    if (choice->keeps > 0 && (uint64_t)choice->keeps < choice->legal) {
        player->of++;
        player->kept += row->kept;
        player->chance += (int64_t)choice->keeps * REVIEW_CHANCE / (int64_t)choice->legal;
    }
    /* Of several players, one who loses against all others together may still have chances. */
    bool lost = two && row->best.known == NONET_PROVEN && row->best.value.outcome == NONET_LOSS;
    if (!row->judged || choice->legal < 2 || lost)
        return;
    player->counted++;
    player->loss += row->loss;
    player->mistakes += row->mark == REVIEW_POOR;
    player->blunders += row->mark == REVIEW_AWFUL;
}

/* Half of the divisor is added before dividing, away from zero. */
static int64_t divided(int64_t number, int64_t by) {
    return (number + (number < 0 ? -by : by) / 2) / by;
}

int review_number(const struct review_player *player) {
    return (int)divided(100 * ((int64_t)player->kept * REVIEW_CHANCE - player->chance),
                        (int64_t)player->of * REVIEW_CHANCE - player->chance);
}

int review_accuracy(const struct review_player *player) {
    return (int)divided((int64_t)1000 * player->counted - player->loss, player->counted);
}

/* ---- Going through the game ---- */

/* Finishes the row of the position that has been judged, and goes on to the next. */
static void finish_row(struct review *review, const struct look *look) {
    struct review_row *row = &review->rows[review->done];
    const struct look *before = review->done > review->first ? &review->before : NULL;
    int players = nonet_session_options(review->session)->players;
    if (before != NULL) {
        row->player = before->turn;
        row->choice = before->choice;
        row->kept = before->keeps;
        judge_move(row, before, look, review->session);
        mark(row, before);
        reckon(review, row, before->settled);
    } else if (look->turn != 0) {
        row->player = look->turn;
        row->judged = true;
        row->opinion = look->best;
        row->by = look->by;
    }
    if (players > 2)
        expect(row, before, look, review->session);
    row->lane = look->turn != 0 ? lane_of(row, players) : lane_of_result(review->session);
    row->replies = look->choice;
    row->line_length = look->line_length;
    memcpy(row->line, look->line, sizeof row->line);
    review->before = *look;
    review->done++;
    review->judging = false;
    nonet_session_redo(review->session);
}

/* Takes the judge's verdict on the position as it is. `none` is the answer if there is not one yet.
 */
static enum review_status take_position(struct review *review, enum review_status none) {
    struct look look = {.turn = nonet_session_turn(review->session),
                        .choice = {nonet_session_count(review->session), -1}};
    if (look.turn != 0) {
        judge_verdict(review->judge, &review->verdict);
        if (review->verdict.count == 0 || judge_starved(review->judge))
            return none;
        const struct review_row *next =
            review->done < review->count ? &review->rows[review->done + 1] : NULL;
        take_verdict(&look, &review->verdict, next);
    }
    finish_row(review, &look);
    return review->done > review->count ? REVIEW_DONE : REVIEW_WORKING;
}

enum review_status review_advance(struct review *review, uint64_t nodes) {
    if (review->done > review->count)
        return REVIEW_DONE;
    if (nonet_session_turn(review->session) == 0)
        return take_position(review, REVIEW_NO_MEMORY);
    if (!review->judging && !judge_begin(review->judge, review->session, &review->limits))
        return REVIEW_NO_MEMORY;
    review->judging = true;
    switch (judge_advance(review->judge, nodes)) {
    case JUDGE_WORKING:
        return REVIEW_WORKING;
    case JUDGE_WAITING:
        return REVIEW_WAITING;
    case JUDGE_SETTLED:
        break;
    }
    return take_position(review, REVIEW_NO_MEMORY);
}

enum review_status review_enough(struct review *review) {
    if (review->done > review->count)
        return REVIEW_DONE;
    return review->judging ? take_position(review, REVIEW_WORKING) : REVIEW_WORKING;
}

int review_first(const struct review *review) {
    return review->first;
}

int review_rows(const struct review *review) {
    return review->done;
}

int review_all_rows(const struct review *review) {
    return review->count + 1;
}

const struct review_row *review_row(const struct review *review, int ply) {
    return &review->rows[ply];
}

const struct review_player *review_player(const struct review *review, int player) {
    return &review->players[player - 1];
}

bool review_exact(const struct review *review) {
    return review->exact;
}
