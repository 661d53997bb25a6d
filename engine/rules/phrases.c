#include "phrases.h"

const struct nonet_phrase nonet_common[NONET_COMMON_PHRASES] = {
    [NONET_SAY_PLAIN] = {"common.plain", "{0}"},
    [NONET_SAY_GAME_OVER] = {"common.game-over", "the game is over"},
    [NONET_SAY_NOT_A_MOVE] = {"common.not-a-move",
                              "\"{0}\" is not a move of this game; a move looks like {1}"},
    [NONET_SAY_NO_SUCH_MOVE] = {"common.no-such-move", "this is not a move of this game"},
    [NONET_SAY_CANNOT_STAND] = {"common.cannot-stand", "\"{0}\" cannot be put there"},
    [NONET_SAY_OFF_BOARD] = {"common.off-board",
                             "\"{0}\" is not a cell of the board; the cells are {1} to {2}"},
    [NONET_SAY_OCCUPIED] = {"common.occupied", "{0} is occupied"},
    [NONET_SAY_EMPTY] = {"common.empty", "there is no piece on {0}"},
    [NONET_SAY_NOT_YOURS] = {"common.not-yours", "the piece on {0} is not yours"},
    [NONET_SAY_PASS_REFUSED] = {"common.pass-refused",
                                "you may pass only when you have no other move; {0} is one"},
    [NONET_SAY_BAD_BOARD] =
        {"common.bad-board",
         "the board must have {0} ranks of {1} cells each, from the top, with / "
         "between them and a letter of \"{2}\" for each cell"},
    [NONET_SAY_BAD_TURN] =
        {"common.bad-turn",
         "the player to move must come last, a number from 1 to {1}, where \"{0}\" stands"},
    [NONET_SAY_TRAILING] = {"common.trailing", "\"{0}\" comes after the end of the position"},
    [NONET_SAY_NOT_WHOLE] = {"common.not-whole", "this is what one player knows, with something "
                                                 "hidden; a position needs all of it"},
    [NONET_SAY_TOO_MANY] = {"common.too-many",
                            "player {0} has {1} pieces, but there are only {2} of them"},
    [NONET_SAY_WRONG_TURN] = {"common.wrong-turn",
                              "with these pieces on the board player {0} is to move"},
    [NONET_SAY_UNBALANCED] = {"common.unbalanced",
                              "pieces placed: {0} by player 1 and {1} by player 2, but they place "
                              "in turn, player 1 first"},
    [NONET_SAY_PLAYER] = {"common.player", "player {0}"},
    [NONET_SAY_REPETITION] = {"common.repetition",
                              "the same position stands on the board for the third time"},
    [NONET_SAY_HAND] = {"common.hand", "pieces in the hand of player {0}"},
    [NONET_SAY_TO_PLACE] = {"common.to-place", "pieces that player {0} has still to place: {1}"},
    [NONET_SAY_CANNOT_MOVE] = {"common.cannot-move", "player {0} cannot move"},
    [NONET_SAY_FULL_BOARD] = {"common.full-board", "the board is full"},
    [NONET_SAY_PIECE_OF] = {"common.piece-of", "piece of player {0} on {1}"},
    [NONET_SAY_DECIMAL_MARK] = {"common.decimal-mark", "."},
};
