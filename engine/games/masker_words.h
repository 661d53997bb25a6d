/* What people read and see of Masker: its phrases, and the letters, words and materials of its
 * colours. */
#ifndef NONET_GAMES_MASKER_WORDS_H
#define NONET_GAMES_MASKER_WORDS_H

#include "masker_board.h"

enum phrase {
    BEGIN_WITH_CAPTURE,
    NOT_ASKED_TO_FILL,
    FILL_FIRST,
    FILL_RANGE,
    NO_CROSS,
    ITSELF,
    NOTHING_BENEATH,
    BENEATH_ONLY_FREE,
    NO_NEIGHBOUR,
    BAD_DEAL_LENGTH,
    BAD_DEAL_LETTER,
    BAD_DEAL_COUNT,
    BAD_BOTTOM_WHITE,
    BAD_BOTTOM_COUNT,
    BAD_TOP,
    BAD_COLOURS_LENGTH,
    BAD_COLOURS_LETTER,
    BAD_COLOURS_TWICE,
    BAD_PILES,
    BAD_FIELD,
    BAD_UNCOLOURED,
    BAD_SUM,
    BAD_HOLDING,
    BAD_VIEW,
    BAD_HIDDEN,
    BAD_OUT,
    BAD_LIVING,
    BAD_OVER,
    BAD_NOT_OVER,
    BAD_MOVER,
    BAD_TURN_ENDED,
    BAD_WHITE,
    BAD_FILL,
    BAD_BEGINNING,
    LAST_ONE,
    LAST_TEAM,
    ALL_FULL,
    CROSS_ON,
    UNCOLOURED_ON,
    HOLDING_OF,
    DISC_PLACE,
    DISC_OF,
    UNKNOWN_DISC_OF,
    BUTTON_STOP,
    BUTTON_FILL,
    WORD_UNKNOWN, /* the colours of discs come after it */
    WORD_RED,
    WORD_YELLOW,
    WORD_GREEN,
    WORD_BLUE,
    WORD_VIOLET,
    WORD_WHITE,
    WORD_UNCOLOURED,
    TEAM_DISC,
    CAPTURES_MADE,
    LAST_WHITE,
    FILLS_UP,
    OUT,
    OUT_BY_THEMSELVES,
    TEAM_OUT,
    FILLED_UP,
    GIVEN,
    CAPTURE_AGAIN,
    CAPTURE_FREELY,
    ENDS_THIRD,
    ENDS_ALONE,
    ENDS_FULL,
    ENDS_OUT,
    CHOOSES,
    SKIPPED,
    SAME_AGAIN,
    BEGINS_FREE_WHITE,
    BEGINS_FREE_ALONE,
    CROSSES_HELD,
    CROSSES_LEFT,
    PHRASES
};
extern const struct nonet_phrase nonet_masker_phrases[PHRASES];

static inline const struct nonet_phrase *phrase(int which) {
    return &nonet_masker_phrases[which];
}

/* In the order of enum cross. */
static const char letters[] = ".RYGBVWN";
enum { UNKNOWN = '?' }; /* in place of a disc's letter */
static const uint8_t material_of[] = {NONET_HIDDEN, NONET_RED,    NONET_YELLOW, NONET_GREEN,
                                      NONET_BLUE,   NONET_VIOLET, NONET_WHITE,  NONET_NATURAL};

static inline int colour_of(char letter) {
    const char *found = letter != '\0' && letter != '.' ? strchr(letters, letter) : NULL;
    return found != NULL ? (int)(found - letters) : NONE;
}

static inline const struct nonet_phrase *word_for(int colour) {
    return phrase(WORD_RED + colour - RED);
}

#endif
