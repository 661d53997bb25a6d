/* For games whose positions can be put down by hand: what an editor can do, and what edits it.
 *
 * On the way from one position to another an editor passes through boards that no game leads to: a
 * piece too many, one too few. Games rely on their states being possible, so a state of such a
 * board would be dangerous. An editor therefore holds a draft: a text that looks like a position's.
 * A game takes it apart into pieces and numbers, and puts it together again. Every edit gives the
 * next draft, which is a position if `read` accepts it; if not, `read` has said why not. */
#ifndef NONET_RULES_EDITING_H
#define NONET_RULES_EDITING_H

#include "game.h"

/* A number that belongs to the position and is not on the board, such as pieces in hand. */
struct nonet_field {
    struct nonet_message label;
    int16_t least, most;
    const struct nonet_phrase *names; /* a word for each value, `least` first; null for a number */
    const char *const *texts;         /* the same in a position text that is taken apart for you */
};

struct nonet_draft_piece {
    uint8_t kind;   /* its index among the kinds */
    uint16_t place; /* the cell; of a piece that covers several, its lower-left one; or the floor */
    int16_t angle;  /* on a floor, and its centre, as in a scene */
    int32_t x, y;
};

struct nonet_draft {
    int16_t count; /* of the pieces; where they can be piled, lower ones come first */
    int16_t turn;  /* the player to move; 0 if the text says that the game is over */
    int16_t values[NONET_MAX_FIELDS];
    struct nonet_draft_piece pieces[NONET_MAX_PIECES];
};

enum { NONET_EDITED_PIECES = -1, NONET_EDITED_TURN = -2 };

struct nonet_editor {
    /* REQUIRED. The kinds of pieces that can be put down; returns how many. They look as in a
     * scene, and their label is the name of the kind. One without a size gets the usual one of a
     * piece on a cell. `count` is how many can be piled on a cell. For a floor, `place` is the
     * supply that they are taken from. */
    int (*kinds)(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]);
    /* OPTIONAL, by default none; returns how many. */
    int (*fields)(const struct nonet_options *options, struct nonet_field fields[NONET_MAX_FIELDS]);
    /* OPTIONAL, both or none. Takes the text of a draft apart, and puts it together. False for a
     * text that does not look like a position; all positions do. By default a text has a board of
     * letters (nonet_board_write), those that mark the kinds, then every field, then the player to
     * move, with spaces between them. */
    bool (*take_apart)(const struct nonet_options *options, const char *text,
                       struct nonet_draft *draft);
    void (*put_together)(const struct nonet_options *options, const struct nonet_draft *draft,
                         struct nonet_text *out);
    /* OPTIONAL. After an edit: changes along what follows from it, so that nobody has to count.
     * `edited` is the field that was set, or one of the above. */
    void (*settle)(const struct nonet_options *options, const struct nonet_draft *before,
                   struct nonet_draft *draft, int edited);
};

/* ---- Editing ---- */

/* All of it belongs to the caller, who reads everything and changes nothing. */
struct nonet_editing {
    struct nonet_options options; /* without the swap rule: what is set up is past the offer */
    bool swap;                    /* they had it, so a text may tell about it (swap.h) */
    void *workspace;              /* of a wide game, or null */
    int kind_count, field_count;
    struct nonet_piece kinds[NONET_MAX_KINDS];
    struct nonet_field fields[NONET_MAX_FIELDS];
    struct nonet_draft draft;
    struct nonet_scene scene; /* of the draft: its pieces in the same order, and no others */
    char text[NONET_POSITION_TEXT];
    bool is_position;         /* of what somebody sees, where something is hidden */
    struct nonet_message why; /* if it is none */
    /* What that is about, as far as it says so: places, and pieces by their index. */
    int place_count, piece_count;
    uint16_t places[NONET_MAX_ABOUT], pieces[NONET_MAX_ABOUT];
};

/* Begins with the first position. Options must be checked and dealt. False if the game has no
 * editor. */
bool nonet_editing_begin(struct nonet_editing *editing, const struct nonet_options *options,
                         void *workspace);

/* All others return false, and change nothing, if that cannot be done. */

/* Goes on from a text. It need not be a position, but must look like one; `why` says how it does
 * not. */
bool nonet_editing_read(struct nonet_editing *editing, const char *text, struct nonet_message *why);
/* Puts a piece on a cell, instead of the one there, or onto a pile; or on the floor, with its
 * centre at x, y, turned by so many degrees, as precisely as moves allow. */
bool nonet_editing_put(struct nonet_editing *editing, int kind, int place, int32_t x, int32_t y,
                       int degrees);
/* Takes away the piece with this index. */
bool nonet_editing_take(struct nonet_editing *editing, int index);
bool nonet_editing_clear(struct nonet_editing *editing);
bool nonet_editing_set(struct nonet_editing *editing, int field, int value);
/* Whose turn it is. After all other edits, if only that makes the draft a position, it changes by
 * itself. */
bool nonet_editing_turn(struct nonet_editing *editing, int player);

#endif
