/* Every limit of the contract, in one place: how much of anything a game can have.
 *
 * nonet_contract_check (contract.h) refuses a game that would go beyond one of them. */
#ifndef NONET_RULES_CAPACITIES_H
#define NONET_RULES_CAPACITIES_H

enum {
    NONET_MAX_PLAYERS = 4,
    NONET_MAX_OPTIONS = 5,  /* entries in a game's table of options */
    NONET_OPTION_TEXT = 40, /* no option's value is longer, zero byte included */

    NONET_STATE_MAX = 256,  /* bytes: no state is larger */
    NONET_STATE_ALIGN = 32, /* bytes: the alignment that a game may rely on */

    NONET_MAX_MOVES = 3328, /* room that `moves` gets: no position has more, and a few entries after
                               the last may be overwritten */
    NONET_MAX_TOUCHES = 4,
    NONET_MOVE_TEXT = 32,       /* no move's text is longer, zero byte included */
    NONET_POSITION_TEXT = 2048, /* nor any position's */

    NONET_MAX_PLIES = 20000,  /* moves of a game that is played, or read from a record */
    NONET_MAX_NODES = 100000, /* positions of a session, variations included */

    NONET_MAX_MARGIN = 62, /* with points: by so many a player wins at most */

    NONET_ARGUMENTS = 4, /* of a message */
    NONET_ARGUMENT_TEXT = 48,

    NONET_MAX_SIDE = 16,    /* cells of a board from side to side */
    NONET_MAX_PLACES = 320, /* of a scene */
    NONET_MAX_PIECES = 128,
    NONET_MAX_FIGURES = 64,
    NONET_FIGURE_PLACES = 4,
    NONET_PLACE_NAME = 16,
    NONET_MAX_EVENTS = 16, /* of a move */
    NONET_EVENT_PLACES = 32,
    NONET_MAX_JOURNEYS = 16,
    NONET_MAX_STANDINGS = 24,
    NONET_MAX_KINDS = 24,  /* of pieces that an editor can put down */
    NONET_MAX_FIELDS = 12, /* numbers beside the board that it can set */
    NONET_MAX_ABOUT = 16,  /* places, or pieces, that a reason is about */

    NONET_MOST_PARTS = 64,         /* no part is divided into more (parts.h) */
    NONET_MAX_PREDECESSORS = 1024, /* of a position within its tier (ranking.h) */
    NONET_LOWER_LEVELS = 9,        /* of computer players, below the highest */
    NONET_MOST_SKILL = 160,        /* of such a level (search/search.h) */
    NONET_MAX_WORLDS = 64,         /* states that an observation can stand for (hidden.h) */
    NONET_MAX_FEATURES = 64,       /* of a position, that a network sees (features.h) */
    NONET_FEATURE_LIMIT = 511,     /* no feature is greater */
    NONET_FEATURE_OUTLINE = 65536, /* bytes of what features have in common */
    NONET_MAX_COUNTS = 64,         /* that are kept of a side, or of a move (counts.h) */
    NONET_MAX_COUNT_SETS = 32,     /* of weights for these */
};

#endif
