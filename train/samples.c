#include "samples.h"

#include <stdlib.h>
#include <string.h>

#include "games.h"

static struct sample *new_sample(struct samples *samples) {
    if (samples->count == samples->room) {
        size_t room = samples->room == 0 ? 1 << 14 : 2 * samples->room;
        struct sample *more = realloc(samples->sample, room * sizeof *more);
        if (more == NULL)
            return NULL;
        samples->sample = more;
        samples->room = room;
    }
    struct sample *sample = &samples->sample[samples->count++];
    memset(sample, 0, sizeof *sample);
    return sample;
}

/* Learns about a position from the score that a search gave it for the player to move, `sign` times
 * the number in the text. */
static bool add_sample(struct samples *samples, const struct nonet_session *session,
                       const char *score, int sign, char result) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    const void *state = nonet_session_state(session);
    int player = nonet_session_turn(session), number = sign * atoi(score);
    struct sample *sample = new_sample(samples);
    if (sample == NULL)
        return false;
    sample->ply = (int16_t)nonet_session_ply(session);
    struct nonet_outline outline;
    game->features->outline(options, state, &outline);
    game->features->write(options, &outline, state, sample->features);
    sample->expected = (float)(number + 1000) / 2000;
    sample->proven = strchr(score, '!') != NULL;
    sample->played = result != '~';
    sample->result = result == '=' ? 0.5f : (result == '+') == (player == 1) ? 1 : 0;
    if (sample->proven || !sample->played)
        sample->result = sample->expected;
    if (game->evaluate != NULL)
        sample->score = (int16_t)game->evaluate(options, state, player);
    return true;
}

/* The result after a random move says little about the positions before it. */
static void forget_result(struct samples *samples, size_t first) {
    for (size_t i = first; i < samples->count; i++) {
        samples->sample[i].played = false;
        samples->sample[i].result = samples->sample[i].expected;
    }
}

/* Takes the positions of a game. */
static bool read_game(struct samples *samples, const struct nonet_options *options, char *line,
                      struct nonet_text *why) {
    struct nonet_session *session = nonet_session_new(options);
    size_t first = samples->count;
    struct games_move move;
    bool good = session != NULL;
    char *rest = line + 1;
    while (good && games_next(&rest, &move)) {
        if (move.score == NULL)
            forget_result(samples, first);
        else if (move.played)
            good = add_sample(samples, session, move.score, 1, line[0]);
        good = good && games_play(session, move.text, why);
        if (good && !move.played)
            good = move.score != NULL && add_sample(samples, session, move.score, -1, '~') &&
                   nonet_session_undo(session);
    }
    size_t count = samples->count - first;
    int plies = good ? nonet_session_ply(session) : 0;
    for (size_t i = 0; good && i < count; i++) {
        struct sample *sample = &samples->sample[first + i];
        sample->progress = (uint8_t)(sample->ply < plies ? 10 * sample->ply / plies : 9);
        sample->held_out = samples->games % GAMES_HELD_OUT == 0;
    }
    samples->games++;
    nonet_session_free(session);
    return good;
}

bool samples_read(struct samples *samples, const char *path, struct nonet_text *why) {
    struct games games;
    if (!games_open(&games, path, &samples->game, why))
        return false;
    bool good = samples->game->features != NULL;
    if (!good)
        nonet_text_add(why, "no network judges this game");
    char *line;
    while (good && (line = games_line(&games)) != NULL)
        good = read_game(samples, &games.options, line, why);
    games_close(&games);
    return good;
}
