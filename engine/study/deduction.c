#include "deduction.h"

#include <string.h>

#include "../rules/hidden.h"

struct deal {
    struct nonet_state first, now;
    int lost; /* after so many moves it was impossible; more than the game has: still possible */
};

struct work {
    struct nonet_options options; /* as the seat may know them */
    struct nonet_state seen;
    int count;
    struct deal deals[NONET_MAX_WORLDS];
};

/* Whether a deal still shows the seat what it saw after so many moves. */
static bool agrees(struct work *work, const struct deal *deal, const struct nonet_session *session,
                   int ply, int seat) {
    const void *true_state = ply < nonet_session_ply(session)
                                 ? nonet_session_state_before(session, ply)
                                 : nonet_session_state(session);
    struct nonet_state seen;
    nonet_observe(&work->options, true_state, seat, &work->seen);
    nonet_observe(&work->options, &deal->now, seat, &seen);
    return memcmp(&seen, &work->seen, work->options.game->state_size) == 0;
}

/* Plays the game in every deal, until it contradicts what the seat saw. */
static void play_deals(struct work *work, const struct nonet_session *session, int seat) {
    const struct nonet_game *game = work->options.game;
    int plies = nonet_session_ply(session);
    for (int i = 0; i < work->count; i++) {
        struct deal *deal = &work->deals[i];
        deal->now = deal->first;
        deal->lost = plies + 1;
        for (int ply = 1; ply <= plies && deal->lost > plies; ply++) {
            nonet_move move = nonet_session_move(session, ply - 1);
            struct nonet_message why;
            bool legal = game->why(&work->options, &deal->now, move, &why);
            if (legal)
                game->play(&work->options, &deal->now, NULL, move);
            if (!legal || !agrees(work, deal, session, ply, seat))
                deal->lost = ply;
        }
    }
}

/* The player's secret of this text, which is added if it is new. */
static struct deduction_secret *find(struct deduction_player *player, const char *text) {
    int at = 0;
    while (at < player->count && strcmp(player->secrets[at].text, text) < 0)
        at++;
    if (at < player->count && strcmp(player->secrets[at].text, text) == 0)
        return &player->secrets[at];
    memmove(&player->secrets[at + 1], &player->secrets[at],
            (size_t)(player->count++ - at) * sizeof player->secrets[0]);
    struct deduction_secret *secret = &player->secrets[at];
    memset(secret, 0, sizeof *secret);
    strcpy(secret->text, text);
    return secret;
}

static struct deduction_secret *secret_in(struct work *work, struct deduction *deduction,
                                          const struct nonet_state *first, int player) {
    char bytes[DEDUCTION_SECRET_TEXT] = "";
    struct nonet_text text = NONET_TEXT_IN(bytes);
    work->options.game->hidden->secret(&work->options, first, player, &text);
    struct deduction_secret *secret = find(&deduction->players[player - 1], bytes);
    secret->example = *first;
    return secret;
}

/* After how many moves no deal was left in which the player has this secret, or none in which they
 * have another. */
static int last_lost(struct work *work, struct deduction *deduction, int player,
                     const struct deduction_secret *secret, bool others) {
    int last = 0;
    for (int i = 0; i < work->count; i++) {
        bool has = secret_in(work, deduction, &work->deals[i].first, player) == secret;
        if (has != others && work->deals[i].lost > last)
            last = work->deals[i].lost;
    }
    return last;
}

static void count_deals(struct work *work, struct deduction *deduction, int player, int plies) {
    struct deduction_player *known = &deduction->players[player - 1];
    for (int i = 0; i < work->count; i++)
        if (work->deals[i].lost > plies)
            secret_in(work, deduction, &work->deals[i].first, player)->deals++;
    for (int s = 0; s < known->count; s++) {
        struct deduction_secret *secret = &known->secrets[s];
        bool sure = secret->deals == deduction->deals;
        secret->since = sure || secret->deals == 0
                            ? last_lost(work, deduction, player, secret, sure)
                            : DEDUCTION_UNDECIDED;
    }
}

static int worlds_of(const struct work *work, int seat) {
    int count = work->options.game->hidden->worlds(&work->options, &work->seen, seat);
    return count < NONET_MAX_WORLDS ? count : NONET_MAX_WORLDS;
}

bool deduction_make(struct deduction *deduction, const struct nonet_session *session, int seat) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_hidden *hidden = options->game->hidden;
    memset(deduction, 0, sizeof *deduction);
    if (hidden == NULL)
        return false;
    struct work room, *work = &room;
    work->options = *options;
    nonet_options_forget_secrets(&work->options);
    int plies = nonet_session_ply(session);
    const void *first =
        plies > 0 ? nonet_session_state_before(session, 0) : nonet_session_state(session);

    /* All that may have been dealt, as far as somebody without a seat knows. */
    nonet_observe(&work->options, first, NONET_SPECTATOR, &work->seen);
    int possible = worlds_of(work, NONET_SPECTATOR);
    for (int i = 0; i < possible; i++) {
        struct nonet_state state;
        hidden->world(&work->options, &work->seen, NONET_SPECTATOR, i, &state);
        for (int player = 1; player <= options->players; player++)
            secret_in(work, deduction, &state, player);
    }
    /* And what the seat held possible. */
    nonet_observe(&work->options, first, seat, &work->seen);
    work->count = worlds_of(work, seat);
    for (int i = 0; i < work->count; i++)
        hidden->world(&work->options, &work->seen, seat, i, &work->deals[i].first);
    play_deals(work, session, seat);
    for (int i = 0; i < work->count; i++)
        deduction->deals += work->deals[i].lost > plies;
    for (int player = 1; player <= options->players; player++)
        count_deals(work, deduction, player, plies);
    return true;
}
