/* What games and the engine say that belongs to no game in particular. */
#ifndef NONET_RULES_PHRASES_H
#define NONET_RULES_PHRASES_H

#include "message.h"

enum nonet_common_phrase {
    NONET_SAY_PLAIN, /* {0} */
    NONET_SAY_GAME_OVER,
    NONET_SAY_NOT_A_MOVE,   /* {0} what was typed, {1} an example of a move */
    NONET_SAY_NO_SUCH_MOVE, /* a number that no text of a move yields */
    NONET_SAY_OFF_BOARD,    /* {0} what was typed, {1} and {2} the first and last cell */
    NONET_SAY_OCCUPIED,     /* {0} cell */
    NONET_SAY_EMPTY,        /* {0} cell: nothing there to move */
    NONET_SAY_NOT_YOURS,    /* {0} cell */
    NONET_SAY_PASS_REFUSED, /* a move is possible */
    NONET_SAY_BAD_BOARD,    /* {0} ranks, {1} cells in each, {2} letters allowed */
    NONET_SAY_BAD_TURN,     /* {0} what was found, {1} number of players */
    NONET_SAY_TRAILING,     /* {0} what follows the end of a position */
    NONET_SAY_NOT_WHOLE,    /* an observation was given, but a position is needed */
    NONET_SAY_TOO_MANY,     /* {0} player, {1} pieces found, {2} pieces there are */
    NONET_SAY_WRONG_TURN,   /* {0} the player whose turn it must be */
    NONET_SAY_UNBALANCED,   /* {0} pieces of player 1, {1} of player 2: they place in turn */
    NONET_SAY_PLAYER,       /* {0} */
    NONET_SAY_REPETITION,
    NONET_SAY_SECOND_TIME,
    NONET_SAY_HAND,        /* {0} player whose pieces in hand these are */
    NONET_SAY_TO_PLACE,    /* {0} player, {1} pieces */
    NONET_SAY_CANNOT_MOVE, /* {0} player who cannot move and loses */
    NONET_SAY_FULL_BOARD,
    NONET_SAY_PIECE_OF,   /* {0} player, {1} cell */
    NONET_SAY_PIECE_KIND, /* {0} player whose pieces these are */
    NONET_SAY_NO,         /* and the next: words for the values of a field */
    NONET_SAY_YES,
    NONET_SAY_MOST_MOVES,   /* {0} moves that a game can have */
    NONET_SAY_DECIMAL_MARK, /* between units and hundredths */
    NONET_SAY_NO_MEMORY,
    NONET_SAY_MOST_POSITIONS, /* {0} positions that a game can have, variations included */
    NONET_SAY_NO_GAME,        /* {0} what was named */
    NONET_SAY_DEALT_TWICE,    /* both a position and a deal are given */
    NONET_SAY_UNDEALT,        /* {0} game */
    NONET_SAY_NO_POSITION,
    NONET_SAY_ILLEGAL, /* {0} number of a move, {1} its text */
    NONET_SAY_COLON,   /* with what stands before and after it in that language */
    NONET_SAY_SWAP,
    NONET_SAY_SWAP_NOW,     /* {0} player who may swap */
    NONET_SAY_SWAPPED,      /* {0} player who has swapped, {1} player whose side that was */
    NONET_SAY_SWAP_NOT_NOW, /* {0} moves before the swap is offered */
    NONET_SAY_SWAP_PAST,    /* {0} moves before the swap is offered */
    NONET_SAY_SWAP_FOR_TWO, /* {0} players */
    NONET_COMMON_PHRASES
};
extern const struct nonet_phrase nonet_common[NONET_COMMON_PHRASES];

#endif
