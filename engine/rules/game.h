/* The contract: what a game is.
 *
 * A game is one `const struct nonet_game` of facts, tables and functions, defined in one file of
 * engine/games/ and listed in games.def. Everything else in Nonet, from the terminal to the
 * solvers, knows games only through this struct.
 *
 * A state is a flat block of `state_size` bytes without pointers and without padding, so copying it
 * is memcpy, comparing it is memcmp, and undo is keeping the old one. Equal positions have equal
 * bytes, however they were reached: whatever a game keeps in its state is a function of the
 * position.
 *
 * A move is a 32-bit value that names what a hand touches; `touches` says which places those are. A
 * turn of several decisions is several moves by the same player.
 *
 * Functions get the parsed options explicitly. They never allocate, and keep nothing between calls.
 */
#ifndef NONET_RULES_GAME_H
#define NONET_RULES_GAME_H

#include <stdalign.h>

#include "message.h"
#include "notation.h"
#include "options.h"
#include "scene.h"

typedef uint32_t nonet_move;

enum {
    NONET_STATE_MAX = 256,  /* no state is larger */
    NONET_STATE_ALIGN = 32, /* what a game may count on */
    NONET_MAX_MOVES = 3328, /* room that `moves` gets: no position has more, and a few may be
                               overwritten behind the last */
    NONET_MAX_TOUCHES = 4,
    NONET_MOVE_TEXT = 32,       /* no move's text is longer, zero byte included */
    NONET_POSITION_TEXT = 2048, /* nor any position's */
    NONET_SPECTATOR = 0,        /* a viewer who holds no seat */
};

/* Room for any game's state. */
struct nonet_state {
    alignas(NONET_STATE_ALIGN) unsigned char bytes[NONET_STATE_MAX];
};

struct nonet_result {
    uint8_t winners; /* bit p-1 for player p: one, several who share the win, or all for a draw */
    bool has_points;
    int16_t points[NONET_MAX_PLAYERS];
    struct nonet_message reason; /* how it came to this, for people */
};

enum nonet_game_fact {
    NONET_HIDDEN_INFORMATION = 1, /* players know different things: `observe` is there */
    NONET_CHANCE = 2,             /* something is dealt before the first move: `deal` is there */
    NONET_REPETITION_DRAWS = 4,   /* drawn when a position stands for the third time */
    NONET_POINTS = 8,             /* a finished game has points */
    NONET_FEW_POSITIONS = 16,     /* a few million with two players: a solver can list them all */
    NONET_TEAMS = 32,             /* four players are two teams, 1 and 3 against 2 and 4 */
};

/* For searches of a game with too many moves to list, in which two players move in turn, who cannot
 * move has lost, and a move does nothing but forbid others: what may still be played, apart from
 * state and workspace. A part is a block of bytes, aligned to 8, that holds moves; equal sets of
 * moves are equal bytes. */
struct nonet_parts {
    /* How many moves can be made from here on, whatever there is room for. */
    int (*limit)(const struct nonet_options *options, const void *state);
    /* All moves of the workspace as one part. False without room for so many bytes. */
    bool (*gather)(const struct nonet_options *options, const void *workspace, void *part,
                   size_t room);
    size_t (*size)(const void *part); /* in bytes */
    uint32_t (*count)(const void *part);
    /* The index-th move of a part in a fixed order, index < count. */
    nonet_move (*nth)(const void *part, uint32_t index);
    /* What is left of a part once a move is played. False without room for so many bytes. */
    bool (*play)(const void *part, nonet_move move, void *left, size_t room);
    /* Divides a part into parts that have nothing to do with each other: no move of one forbids a
     * move of another. They lie one behind the other; returns how many, or 0 without room. */
    int (*split)(const void *part, void *parts, size_t room);
    /* True only if every move of the part forbids all others, so that one will be made. */
    bool (*is_single)(const void *part);
    /* How many moves to expect in a part that is not single, in hundredths. */
    int (*expected)(const void *part);
};
enum { NONET_MOST_PARTS = 64 }; /* no part is divided into more */

/* For a game with too many moves to list. Its legal moves live in a workspace that the caller owns
 * and that always belongs to one state: `start`, `read` and `play` keep it in step, `enter`
 * rebuilds it for a state that came from elsewhere. */
struct nonet_wide {
    size_t workspace_size;
    void (*enter)(const struct nonet_options *options, const void *state, void *workspace);
    uint64_t (*count)(const struct nonet_options *options, const void *state,
                      const void *workspace);
    /* The index-th legal move in a fixed order, index < count. */
    nonet_move (*nth)(const struct nonet_options *options, const void *state, const void *workspace,
                      uint64_t index);
    bool (*test)(const struct nonet_options *options, const void *state, const void *workspace,
                 nonet_move move);
    /* The legal move nearest to `wish` that keeps its kind and angle, if there is one. */
    bool (*nearest)(const struct nonet_options *options, const void *state, const void *workspace,
                    nonet_move wish, nonet_move *found);
    /* The move that lays down a piece taken from this place (of a scene) with its centre at x, y,
     * turned by so many degrees, as nearly as moves can say it. False for a place that has no
     * pieces. */
    bool (*wish)(const struct nonet_options *options, uint16_t place, int32_t x, int32_t y,
                 int degrees, nonet_move *move);
    /* The piece as a scene shows it once the move is made. */
    void (*piece)(const struct nonet_options *options, nonet_move move, struct nonet_piece *piece);
    /* Which centres are possible for a move of this kind and angle: `rows` of `words` 64-bit words,
     * lowest bit first; returns the first. */
    const uint64_t *(*region)(const struct nonet_options *options, const void *workspace,
                              nonet_move like, int *rows, int *words);
    const struct nonet_parts *parts; /* null where a game does not offer it */
};

/* A move that leaves its tier. */
struct nonet_exit {
    uint32_t from; /* the number of the position it is made in */
    int32_t tier;  /* where it leads, or NONET_EXIT_LOST: over, and lost for who is next in turn */
    uint32_t to;
};
enum { NONET_EXIT_LOST = -1 };

/* For games with too many positions to keep a list of them: positions are numbered, tier by tier.
 * No move leads to a tier with a higher number, so tiers are solved in rising order. Symmetric
 * positions share a number. Numbers that stand for no position, or for one that another number
 * stands for, are possible.
 *
 * Numbering needs an index: `index_size` bytes that the caller owns and that `build_index` fills
 * once, within a second or so; all other functions then read it. For who asks about all positions
 * there is a large one instead, with which a number takes a fraction of a microsecond; it may
 * be limited to the first `tiers` tiers. */
struct nonet_ranking {
    size_t (*index_size)(const struct nonet_options *options);
    void (*build_index)(const struct nonet_options *options, void *index);
    int (*tiers)(const struct nonet_options *options);
    uint64_t (*size)(const struct nonet_options *options, const void *index, int tier);
    /* The tier of a state, and its number there, found in well under a millisecond. The tier is -1
     * for a state that has no number: it is over, or cannot be, or is one of the comparatively few
     * that tables list state by state (an opening phase whose moves never come back to it). */
    int (*rank)(const struct nonet_options *options, const void *index, const void *state,
                uint64_t *number);
    /* A state that has this number. */
    void (*unrank)(const struct nonet_options *options, const void *index, int tier,
                   uint64_t number, void *state);

    /* The large index. */
    size_t (*large_index_size)(const struct nonet_options *options, int tiers);
    void (*build_large_index)(const struct nonet_options *options, int tiers, void *index);
    /* What a solver needs to be quick; all of it takes the large index. A player without a move has
     * lost in these games. */
    int (*material)(const struct nonet_options *options, int tier); /* most pieces of a side */
    /* A tier is expanded in this many blocks, in any order. */
    uint32_t (*blocks)(const struct nonet_options *options, const void *index, int tier);
    /* A block's positions have numbers one behind the other, in each of so many runs of the tier:
     * in a run those from block_start of the block up to that of the next one. The runs fill the
     * tier. */
    int (*runs)(const struct nonet_options *options, int tier);
    uint64_t (*block_start)(const struct nonet_options *options, const void *index, int tier,
                            int run, uint32_t block);
    uint32_t max_exits; /* of a block */
    /* For each position of a block: how many moves stay in the tier, in `inside` by its number; the
     * other moves are listed in `exits`, those of a position together. Returns their number. */
    uint32_t (*expand)(const struct nonet_options *options, const void *index, int tier,
                       uint32_t block, uint8_t *inside, struct nonet_exit *exits);
    /* Where a move within the tier can have come from: each number as often as moves lead from
     * there to the position. Where several numbers stand for the position, only one of them has
     * predecessors. `hint` is 0 at first, then what the last call left there. Room in `numbers` is
     * NONET_MAX_PREDECESSORS. */
    int (*predecessors)(const struct nonet_options *options, const void *index, int tier,
                        uint32_t number, uint32_t *hint, uint32_t *numbers);
};
enum { NONET_MAX_PREDECESSORS = 1024 };

struct nonet_game {
    /* Facts. */
    const char *id, *title, *author, *year;
    const char *summary; /* one line for a shelf: what the game is about */
    const char *box;     /* what the box holds, and ages where it says */
    uint8_t minutes;     /* that a game takes: as the box says, or by our guess */
    uint8_t min_players, max_players;
    uint8_t facts; /* enum nonet_game_fact */
    uint16_t state_size;
    const struct nonet_option *options; /* ends with an entry whose key is null */
    const struct nonet_phrase *phrases; /* everything this game says, for translators */
    uint16_t phrase_count;
    const struct nonet_wide *wide;       /* null for a game whose moves can be listed */
    const struct nonet_ranking *ranking; /* null for a game that does without */

    /* Refuses options that contradict each other or the setup rules. May be null. */
    bool (*check)(const struct nonet_options *options, struct nonet_message *why);
    /* Fills in the options that chance decides and nobody gave: from `open` what all may see, from
     * `secret` what is hidden, so that the one tells nothing about the other. Null without chance.
     */
    void (*deal)(struct nonet_options *options, uint64_t open, uint64_t secret);

    /* The first position. Options are complete: a deal has been made. */
    void (*start)(const struct nonet_options *options, void *state, void *workspace);
    /* The player whose decision it is, from 1, or 0: the game is over. */
    int (*turn)(const struct nonet_options *options, const void *state);
    /* The same, but also behind the end: the player who would be next in turn. Present where two
     * players move in turn, whatever happens: what solvers count on. */
    int (*next)(const struct nonet_options *options, const void *state);
    /* All legal moves, each once, in a fixed order; returns how many. None if and only if the game
     * is over. Null in a wide game. */
    int (*moves)(const struct nonet_options *options, const void *state, nonet_move *moves);
    /* Applies a legal move. */
    void (*play)(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move);
    /* Winners and points of a finished game. */
    void (*result)(const struct nonet_options *options, const void *state,
                   struct nonet_result *result);
    /* True if the move is legal; if not, says which rule forbids it, and by which piece or cell.
     * Any value that `parse` can yield may be asked about. */
    bool (*why)(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why);

    /* The text of a move, as in the rules, and back. `parse` accepts every text that could be a
     * move in some position; whether it is one here is for `why` to say. */
    void (*print)(const struct nonet_options *options, nonet_move move, struct nonet_text *out);
    bool (*parse)(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why);
    /* The whole position as one line of text, and back: reading refuses what no game could hold. */
    void (*write)(const struct nonet_options *options, const void *state, struct nonet_text *out);
    bool (*read)(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why);

    /* The places, by their index in the scene, that a hand touches to make this move, in order. No
     * two legal moves of a position touch the same places, wide games excepted. */
    int (*touches)(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]);
    /* The text of the move that touching these places in order makes, whether it is legal or not.
     * Null where the places' names run together are that text; use nonet_spell. */
    void (*spell)(const struct nonet_options *options, const uint16_t *places, int count,
                  struct nonet_text *out);
    /* The position as a scene. Use nonet_scene_for, which goes through `observe`. */
    void (*scene)(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene);

    /* The position as one seat, or a spectator, may know it: a state with what is hidden blanked
     * out. `turn`, `moves`, `why`, `write` and `scene` accept it; `play` and `read` do not. */
    void (*observe)(const struct nonet_options *options, const void *state, int viewer, void *seen);

    /* What this seat knows and others do not, as text, and what to call it: "disc". */
    const char *secret_name;
    void (*secret)(const struct nonet_options *options, const void *state, int seat,
                   struct nonet_text *out);

    /* Symmetries that keep the player to move, the identity being number 0. Null without any. */
    int (*symmetries)(const struct nonet_options *options);
    void (*turn_state)(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned);
    nonet_move (*turn_move)(const struct nonet_options *options, int symmetry, nonet_move move);
    /* The one of all symmetric states that stands for them; which one is the game's choice. May be
     * null: nonet_canonical tries all symmetries then. */
    void (*canonical)(const struct nonet_options *options, const void *state, void *canonical);
    /* How many different states its symmetries make of a state. May be null: nonet_orbit counts
     * those that leave the state as it is then. */
    int (*orbit)(const struct nonet_options *options, const void *state);

    /* What spares exact searches work; each is null where a game does not offer it. */
    /* Two players with points: with best play by both, the points of player 1 at the end, less
     * those of player 2, lie from low to high. */
    void (*bounds)(const struct nonet_options *options, const void *state, int *low, int *high);
    /* The game does not end in fewer plies with this player among the winners. */
    int (*soonest)(const struct nonet_options *options, const void *state, int player);
    /* For a game in which a player wins by answering every move with its reflection: whether that
     * settles this position, for which player, and, where it is his turn, by which move. */
    bool (*mirror)(const struct nonet_options *options, const void *state, int *winner,
                   nonet_move *move);

    /* What players that cannot see the end go by; null where a game does not offer it. */
    /* How well this player seems to stand in a game that goes on: the result to expect, from -1000
     * for a sure loss to 1000 for a sure win. With hidden information it also takes what this
     * player observes of a state. */
    int (*evaluate)(const struct nonet_options *options, const void *state, int player);

    /* Hidden information: how many states this observation of a seat, or a spectator, allows, and
     * the index-th of them, index < worlds. What the seat knows is in all of them; options are
     * those that a seat may know. */
    int (*worlds)(const struct nonet_options *options, const void *seen, int seat);
    void (*world)(const struct nonet_options *options, const void *seen, int seat, int index,
                  void *state);
};

/* What a player has of a finished game: the whole win, his part of a shared one, or nothing. A team
 * has a whole win together. Divisible by every number of winners. */
enum { NONET_WHOLE_WIN = 12 };
int nonet_result_share(const struct nonet_options *options, const struct nonet_result *result,
                       int player);

/* The games that people are shown, in the order of games.def. */
extern const struct nonet_game *const nonet_games[];
extern const int nonet_game_count;
/* The same and, behind them, the template for a new game. */
extern const int nonet_game_count_with_template;

/* By id; also finds the template. Null for an unknown id. */
const struct nonet_game *nonet_game_find(const char *id);

/* The scene for a viewer: goes through `observe`, so no game can show more than the viewer may
 * know. */
void nonet_scene_for(const struct nonet_options *options, const void *state, int viewer,
                     struct nonet_scene *scene);

/* What a hand that touched these places, in order, is trying to do, as the text of a move. */
void nonet_spell(const struct nonet_options *options, const struct nonet_scene *scene,
                 const uint16_t *places, int count, struct nonet_text *out);

/* The state as the viewer may know it: `observe`, or a copy where nothing is hidden. */
void nonet_observe(const struct nonet_options *options, const void *state, int viewer, void *seen);

/* The state that stands for all its symmetric ones: `canonical`, or the least by its bytes. */
void nonet_canonical(const struct nonet_options *options, const void *state, void *canonical);

/* How many states it stands for: `orbit`, or counted. */
int nonet_orbit(const struct nonet_options *options, const void *state);

#endif
