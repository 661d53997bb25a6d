#include "observation.h"

#include <string.h>

#include "hidden.h"

/* How far a position got before it was found not to fit. */
enum stage { NO_POSITION, NOT_SEEN_FIRST, ILLEGAL_MOVE, NOT_SEEN_NOW, FITS };

struct told {
    int seat;
    const char *first, *seen;
    char **moves;
    int move_count;
};

struct failure {
    enum stage stage;
    int move;                 /* the one that was not legal */
    struct nonet_message why; /* why the text could not be read, or that move not played */
};

static void write_seen(const struct nonet_options *options, const void *state, int seat,
                       char line[NONET_POSITION_TEXT]) {
    struct nonet_state seen;
    nonet_observe(options, state, seat, &seen);
    struct nonet_text text = nonet_text_in(line, NONET_POSITION_TEXT);
    options->game->write(options, &seen, &text);
}

/* Whether the seat sees this text in the session's position. */
static bool sees(const struct nonet_session *session, int seat, const char *expected) {
    char line[NONET_POSITION_TEXT];
    write_seen(nonet_session_options(session), nonet_session_state(session), seat, line);
    return strcmp(line, expected) == 0;
}

/* Starts the session at the position of this text and follows all that was told. */
static struct failure follow(struct nonet_session *session, const char *text,
                             const struct told *told) {
    struct failure failure = {.stage = NO_POSITION};
    if (!nonet_session_read(session, text, &failure.why))
        return failure;
    failure.stage = NOT_SEEN_FIRST;
    if (!sees(session, told->seat, told->first))
        return failure;
    failure.stage = ILLEGAL_MOVE;
    for (int i = 0; i < told->move_count; i++)
        if (!nonet_session_play_text(session, told->moves[i], &failure.why)) {
            failure.move = i;
            return failure;
        }
    bool fits = told->seen == NULL || sees(session, told->seat, told->seen);
    failure.stage = fits ? FITS : NOT_SEEN_NOW;
    return failure;
}

/* Tries the positions that look like this to the seat, until one fits; otherwise says how far the
 * best of them got. */
static struct failure find_world(struct nonet_session *session, const struct told *told) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    if (game->hidden == NULL)
        return follow(session, told->first, told);
    struct failure furthest = {.stage = NO_POSITION};
    struct nonet_state view, world;
    if (!game->read(options, told->first, &view, NULL, &furthest.why))
        return furthest;
    furthest.stage = NOT_SEEN_FIRST;
    int worlds = game->hidden->worlds(options, &view, told->seat);
    for (int i = 0; i < worlds && i < NONET_MAX_WORLDS && furthest.stage != FITS; i++) {
        char line[NONET_POSITION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(line);
        game->hidden->world(options, &view, told->seat, i, &world);
        game->write(options, &world, &text);
        struct failure failure = follow(session, line, told);
        if (failure.stage >= furthest.stage)
            furthest = failure;
    }
    return furthest;
}

static void explain(const struct failure *failure, const struct told *told,
                    struct nonet_text *why) {
    switch (failure->stage) {
    case NO_POSITION:
        nonet_text_add(why, "this is no position: ");
        nonet_message_write(&failure->why, NULL, why);
        break;
    case NOT_SEEN_FIRST:
        nonet_text_format(why, "this is not how seat %d sees any position", told->seat);
        break;
    case ILLEGAL_MOVE:
        nonet_text_format(why, "move %d, %s, is not legal: ", failure->move + 1,
                          nonet_quote(told->moves[failure->move]).text);
        nonet_message_write(&failure->why, NULL, why);
        break;
    default:
        nonet_text_format(why, "after these moves seat %d cannot see what \"seen\" says",
                          told->seat);
    }
}

struct nonet_session *nonet_observation_open(const struct nonet_options *options, int seat,
                                             const char *first, char **moves, int move_count,
                                             const char *seen, struct nonet_text *why) {
    struct nonet_options dealt = *options;
    nonet_options_deal(&dealt, 0, 0);
    struct nonet_session *session = nonet_session_new(&dealt);
    if (session == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    const struct told told = {seat, first, seen, moves, move_count};
    struct failure failure = find_world(session, &told);
    if (failure.stage == FITS)
        return session;
    explain(&failure, &told, why);
    nonet_session_free(session);
    return NULL;
}
