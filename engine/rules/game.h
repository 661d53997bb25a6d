/* The contract: what a game is.
 *
 * A game is one `const struct nonet_game` of facts, tables and functions, defined in one file of
 * engine/games/ and listed in games.def. Everything else in Nonet, from the terminal to the
 * solvers, knows games only through this struct. docs/adding-a-game.md shows how to write one.
 *
 * A state is a flat block of `state_size` bytes without pointers and without padding, so memcpy
 * copies it, memcmp compares it, and undo only needs the old one. Equal positions have equal bytes,
 * however they were reached: whatever a game keeps in its state is a function of the position. The
 * bytes are the same on every machine, as hashes, canonical forms and tables depend on them: a
 * state's struct is NONET_LITTLE_ENDIAN.
 *
 * A move is a 32-bit value that names what a hand touches; `touches` says which places those are. A
 * turn of several decisions is several moves by the same player. Not every number is a move. `why`
 * takes any number and refuses those that are not moves, and so do `test` and `nearest` of wide.h:
 * ask one of them first about a number from outside. All other functions need a move that came from
 * `parse`, `moves`, `turn_move`, or `nth`, `nearest` or `wish` of a wide game; `play` needs a legal
 * one.
 *
 * Functions get the parsed options explicitly. They never allocate, and keep nothing between calls.
 * capacities.h says how much of anything a game can have. */
#ifndef NONET_RULES_GAME_H
#define NONET_RULES_GAME_H

#include <assert.h>
#include <stdalign.h>

#include "../base/byte_order.h"
#include "capacities.h"
#include "message.h"
#include "notation.h"
#include "options.h"
#include "scene.h"

typedef uint32_t nonet_move;

struct nonet_events;
struct nonet_features;
struct nonet_standings;

enum { NONET_SPECTATOR = 0 }; /* a viewer who holds no seat */

/* Room for any game's state. */
struct nonet_state {
    alignas(NONET_STATE_ALIGN) unsigned char bytes[NONET_STATE_MAX];
};

struct nonet_result {
    uint8_t winners; /* bit p-1 for player p: one, several who share the win, or all for a draw */
    bool has_points;
    int16_t points[NONET_MAX_PLAYERS];
    struct nonet_message reason; /* why the game ended so, for people */
};

enum nonet_game_fact {
    NONET_CHANCE = 1,           /* something is dealt before the first move: `deal` is there */
    NONET_REPETITION_DRAWS = 2, /* a draw when a position occurs for the third time */
    NONET_POINTS = 4,           /* a finished game has points */
    NONET_FEW_POSITIONS = 8,    /* a few million with two players: a solver can list them all */
    NONET_TEAMS = 16,           /* four players are two teams, 1 and 3 against 2 and 4 */
};

struct nonet_game {
    /* ---- Facts: REQUIRED ---- */

    const char *id, *title, *author, *year;
    const char *summary; /* one line for a shelf: what the game is about */
    const char *box;     /* what the box holds, and ages where it says */
    uint8_t minutes;     /* length of a game: as the box says, or our guess */
    uint8_t min_players, max_players;
    uint8_t facts; /* enum nonet_game_fact */
    uint16_t state_size;
    const struct nonet_option *options; /* ends with an entry whose key is null */
    const struct nonet_phrase *phrases; /* everything this game says, for translators */
    uint16_t phrase_count;
    uint8_t swap_after; /* OPTIONAL, by default 1: the move after which sides can be swapped */
    const struct nonet_game *inner; /* OPTIONAL, by default null: only the engine sets it, in a game
                                       with the swap rule, to the game without it (swap.h) */

    /* ---- Rules: REQUIRED, except `moves` in a wide game ---- */

    /* The first position. Options are complete: a deal has been made. */
    void (*start)(const struct nonet_options *options, void *state, void *workspace);
    /* The player whose decision it is, from 1; or 0 if the game is over. */
    int (*turn)(const struct nonet_options *options, const void *state);
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
     * Any 32-bit number may be asked about. A number that is no move at all is refused too
     * (NONET_SAY_NO_SUCH_MOVE), also if it only sets bits that moves do not use. */
    bool (*why)(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why);

    /* ---- Notation: REQUIRED ---- */

    /* The text of a move, as in the rules, and back. `parse` accepts every text that could be a
     * move in some position; `why` says whether it is legal here. */
    void (*print)(const struct nonet_options *options, nonet_move move, struct nonet_text *out);
    bool (*parse)(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why);
    /* The whole position as one line of text, and back. `read` refuses positions that no game could
     * have. Where information is hidden, it also reads the text of an observation, to the bytes
     * that `observe` gives; use nonet_read_whole where nothing may be hidden. */
    void (*write)(const struct nonet_options *options, const void *state, struct nonet_text *out);
    bool (*read)(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why);

    /* ---- What is seen: REQUIRED ---- */

    /* The places, by their index in the scene, that a hand touches to make this move, in order. No
     * two legal moves of a position touch the same places, wide games excepted. */
    int (*touches)(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]);
    /* The position as a scene. Use nonet_scene_for, which goes through `observe`. The places are
     * shown even of a state of zeros. */
    void (*scene)(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene);
    /* OPTIONAL. The text of the move that touching these places in order makes, whether it is legal
     * or not. By default the places' names run together; use nonet_spell. */
    void (*spell)(const struct nonet_options *options, const uint16_t *places, int count,
                  struct nonet_text *out);

    /* OPTIONAL, by default nothing. What a legal move did beyond what its mover touched, in words,
     * and which pieces went where: events.h. Where information is hidden, both states are
     * observations of the same viewer. Use nonet_events_for. */
    void (*events)(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events);
    /* OPTIONAL, by default nothing. How the game stands, as counts: standings.h. Use
     * nonet_standings_for. */
    void (*standings)(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings);

    /* ---- Kinds of games: OPTIONAL, by default null: a game is not of that kind ---- */

    const struct nonet_wide *wide;       /* too many moves to list: wide.h */
    const struct nonet_hidden *hidden;   /* players know different things: hidden.h */
    const struct nonet_ranking *ranking; /* too many positions to list, but numbered: ranking.h */
    const struct nonet_editor *editor;   /* positions can be put down by hand: editing.h */

    /* ---- Set-up: OPTIONAL ---- */

    /* Refuses options that contradict each other or the setup rules. By default all fit. */
    bool (*check)(const struct nonet_options *options, struct nonet_message *why);
    /* Fills in the options that chance decides and nobody gave: `open` decides what all may see,
     * `secret` what is hidden, so that neither tells anything about the other. Required with
     * NONET_CHANCE, and null without. */
    void (*deal)(struct nonet_options *options, uint64_t open, uint64_t secret);

    /* ---- Symmetry: OPTIONAL, by default there is none ---- */

    /* Symmetries that keep the player to move; number 0 is the identity. A game has all of the
     * first three members or none. */
    int (*symmetries)(const struct nonet_options *options);
    void (*turn_state)(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned);
    nonet_move (*turn_move)(const struct nonet_options *options, int symmetry, nonet_move move);
    /* The canonical form of a state: the one that represents all symmetric states. Which one is the
     * game's choice. By default the least by its bytes; use nonet_canonical. */
    void (*canonical)(const struct nonet_options *options, const void *state, void *canonical);
    /* How many different states the symmetries make of a state. By default they are counted; use
     * nonet_orbit. */
    int (*orbit)(const struct nonet_options *options, const void *state);

    /* ---- What helps solvers and searches: OPTIONAL, by default not offered ---- */

    /* As `turn`, but also after the end: the player who would be next in turn. Present where two
     * players always move in turn; solvers rely on that. */
    int (*next)(const struct nonet_options *options, const void *state);
    /* Two players with points: with best play by both, the points of player 1 at the end, minus
     * those of player 2, are at least low and at most high. */
    void (*bounds)(const struct nonet_options *options, const void *state, int *low, int *high);
    /* This player cannot be among the winners of a game that ends in fewer plies. */
    int (*soonest)(const struct nonet_options *options, const void *state, int player);
    /* For a game in which a player wins by answering every move with its reflection: whether that
     * settles this position, for which player, and, where it is their turn, by which move. */
    bool (*mirror)(const struct nonet_options *options, const void *state, int *winner,
                   nonet_move *move);
    /* The evaluation, for players that cannot search to the end: the result that this player can
     * expect of a game that goes on, from -1000 for a sure loss to 1000 for a sure win. With hidden
     * information it also takes what this player observes of a state. */
    int (*evaluate)(const struct nonet_options *options, const void *state, int player);
    /* The skills of the levels below the highest (search/search.h), for every number of players
     * from `min_players` on: measured, so that every level is as much better than the one below it.
     * By default those that most games have. */
    const uint8_t (*skills)[NONET_LOWER_LEVELS];
    /* What a trained network sees of a position, and its weights: features.h. */
    const struct nonet_features *features;

    /* ---- Actions, for programs that learn: OPTIONAL, by default not offered ---- */

    /* A fixed numbering, from 0 to action_count - 1, in which every move that is legal in some
     * position has a number of its own. A number may be no move, which `why` tells. `action_of` and
     * `action_move` come together; by default a move is its own number. Use nonet_action_of and
     * nonet_action_move. */
    int (*action_count)(const struct nonet_options *options);
    int (*action_of)(const struct nonet_options *options, nonet_move move);
    nonet_move (*action_move)(const struct nonet_options *options, int action);
};

/* What a player gets from a finished game: the whole win, their part of a shared one, or nothing. A
 * team gets a whole win together. Divisible by every number of winners. */
enum { NONET_WHOLE_WIN = 12 };
int nonet_result_share(const struct nonet_options *options, const struct nonet_result *result,
                       int player);

/* The games that people are shown, in the order of games.def. */
extern const struct nonet_game *const nonet_games[];
extern const int nonet_game_count;
/* The same and, after them, the template for a new game. */
extern const int nonet_game_count_with_template;

/* By id; also finds the template. Null for an unknown id. */
const struct nonet_game *nonet_game_find(const char *id);

/* The game with the swap rule, or without it (swap.h); the same game if it has no such option. */
const struct nonet_game *nonet_game_with_swap(const struct nonet_game *game, bool swap);

/* The scene for a viewer: goes through `observe`, so no game can show more than the viewer may
 * know. At the end of a game everything is turned up, as at a real table. */
void nonet_scene_for(const struct nonet_options *options, const void *state, int viewer,
                     struct nonet_scene *scene);
/* The scene with everything turned up: for a game that is over though its rules would let it go
 * on, because somebody gave up. */
void nonet_scene_open(const struct nonet_options *options, const void *state,
                      struct nonet_scene *scene);

/* What touching these places, in order, is meant to do, as the text of a move. */
void nonet_spell(const struct nonet_options *options, const struct nonet_scene *scene,
                 const uint16_t *places, int count, struct nonet_text *out);

/* The state as the viewer may know it: `observe`, or a copy where nothing is hidden. */
void nonet_observe(const struct nonet_options *options, const void *state, int viewer, void *seen);

/* Whether nothing is hidden in this state: it is a position, not only what somebody sees of one. */
bool nonet_is_whole(const struct nonet_options *options, const void *state);

/* `read`, but only of positions in which nothing is hidden. */
bool nonet_read_whole(const struct nonet_options *options, const char *text, void *state,
                      void *workspace, struct nonet_message *why);

/* The number of a move, and the move of a number, in a game that numbers them. Any number may be
 * asked about: -1 for one that is no move in this numbering. */
int nonet_action_of(const struct nonet_options *options, nonet_move move);
nonet_move nonet_action_move(const struct nonet_options *options, int action);

/* The canonical form: `canonical`, or the least symmetric state by its bytes. */
void nonet_canonical(const struct nonet_options *options, const void *state, void *canonical);

/* How many states it represents: `orbit`, or counted. */
int nonet_orbit(const struct nonet_options *options, const void *state);

#endif
