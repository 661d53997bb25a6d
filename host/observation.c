#include "observation.h"

#include <string.h>

/* How far a guess got before it was found not to fit. */
enum stage { NO_POSITION, NOT_SEEN_FIRST, ILLEGAL_MOVE, NOT_SEEN_NOW, FITS };

struct guess {
    struct nonet_session *session;
    int seat;
    const char *first, *seen;
    char **moves;
    int move_count;
    struct nonet_message why; /* of the first two stages that have one */
    int illegal;              /* which move */
};

/* Whether the seat sees this text in the session's position. */
static bool sees(const struct guess *guess, const char *expected) {
    const struct nonet_options *options = nonet_session_options(guess->session);
    struct nonet_state seen;
    nonet_observe(options, nonet_session_state(guess->session), guess->seat, &seen);
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, &seen, &text);
    return strcmp(line, expected) == 0;
}

static enum stage try(struct guess *guess, const char *text) {
    if (!nonet_session_read(guess->session, text, &guess->why))
        return NO_POSITION;
    if (!sees(guess, guess->first))
        return NOT_SEEN_FIRST;
    for (int i = 0; i < guess->move_count; i++)
        if (!nonet_session_play_text(guess->session, guess->moves[i], &guess->why)) {
            guess->illegal = i;
            return ILLEGAL_MOVE;
        }
    return guess->seen == NULL || sees(guess, guess->seen) ? FITS : NOT_SEEN_NOW;
}

/* Goes through all letters at the places in the way of a counter. False after the last. */
static bool next_letters(char *text, const size_t *places, int count) {
    for (int i = 0; i < count; i++) {
        if (text[places[i]]++ < 'Z')
            return true;
        text[places[i]] = 'A';
    }
    return false;
}

static void explain(const struct guess *guess, enum stage stage, struct nonet_text *why) {
    switch (stage) {
    case NO_POSITION:
        nonet_text_add(why, "this is no position: ");
        nonet_message_write(&guess->why, NULL, why);
        break;
    case NOT_SEEN_FIRST:
        nonet_text_format(why, "this is not how seat %d sees any position", guess->seat);
        break;
    case ILLEGAL_MOVE:
        nonet_text_format(why, "move %d, %s, is not legal: ", guess->illegal + 1,
                          nonet_quote(guess->moves[guess->illegal]).text);
        nonet_message_write(&guess->why, NULL, why);
        break;
    default:
        nonet_text_format(why, "behind these moves seat %d cannot see what \"seen\" says",
                          guess->seat);
    }
}

/* The first letters that fit in place of each ?; how far the best guess got otherwise. */
static enum stage guess_letters(struct guess *guess, struct nonet_text *why) {
    char text[NONET_POSITION_TEXT];
    struct nonet_text copy = NONET_TEXT_IN(text);
    nonet_text_add(&copy, guess->first);
    size_t places[OBSERVATION_MOST_UNKNOWN];
    int unknown = 0;
    const struct nonet_game *game = nonet_session_options(guess->session)->game;
    for (size_t i = 0; game->hidden != NULL && text[i] != '\0'; i++)
        if (text[i] == '?') {
            if (unknown == OBSERVATION_MOST_UNKNOWN) {
                nonet_text_format(why, "there are more than %d unknown letters in it",
                                  OBSERVATION_MOST_UNKNOWN);
                return NO_POSITION;
            }
            places[unknown++] = i;
            text[i] = 'A';
        }
    enum stage furthest = NO_POSITION;
    struct guess best = *guess;
    do {
        enum stage stage = try(guess, text);
        if (stage == FITS)
            return FITS;
        if (stage >= furthest) {
            furthest = stage;
            best = *guess;
        }
    } while (next_letters(text, places, unknown));
    if (furthest == NO_POSITION && unknown > 0)
        furthest = NOT_SEEN_FIRST; /* why a letter does not fit is of no interest */
    explain(&best, furthest, why);
    return furthest;
}

struct nonet_session *observation_open(const struct nonet_options *options, int seat,
                                       const char *first, char **moves, int move_count,
                                       const char *seen, struct nonet_text *why) {
    struct nonet_options dealt = *options;
    nonet_options_deal(&dealt, 0, 0);
    struct guess guess = {.session = nonet_session_new(&dealt),
                          .seat = seat,
                          .first = first,
                          .seen = seen,
                          .moves = moves,
                          .move_count = move_count};
    if (guess.session == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    if (guess_letters(&guess, why) == FITS)
        return guess.session;
    nonet_session_free(guess.session);
    return NULL;
}
