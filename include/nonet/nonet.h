/* Nonet as a library: nine wooden-box games by exact rules, for programs in C and whatever can call
 * C. docs/library.md explains it with examples; examples/ has programs to begin with.
 *
 * There are four kinds of handles. Words are a language. A variant is a game with its options. A
 * round is a game in progress: moves, undo, values, computer players. A batch is many games that
 * are advanced by one call. Words and variants never change, so threads can share them. A round or
 * a batch serves one thread at a time.
 *
 * Whatever a caller passes, the answer is a result or an error: any number as a move, any text, a
 * null handle. Only pointers must be what they are said to be: a live handle or null, a text that
 * ends with a zero byte, room for as many entries as stated.
 *
 * A text that a function returns belongs to the handle. It lasts until the next call that returns a
 * text from the same handle, or until the handle is closed. Texts are UTF-8, JSON included. */
#ifndef NONET_NONET_H
#define NONET_NONET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NONET_API __attribute__((visibility("default")))
#else
#define NONET_API
#endif

/* The version of the library that runs: "0.2.0". */
NONET_API const char *nonet_version(void);

/* ---- Errors ---- */

enum nonet_code {
    NONET_OK = 0,
    NONET_ERROR_ARGUMENT,  /* null, or a number out of its range */
    NONET_ERROR_OPTIONS,   /* no such game, or options that do not fit */
    NONET_ERROR_POSITION,  /* a text that is no position of the game */
    NONET_ERROR_MOVE,      /* a move that is not legal, or no move at all */
    NONET_ERROR_UNPROVEN,  /* nothing proves the value that was asked for */
    NONET_ERROR_MEMORY,    /* there is no memory left */
    NONET_ERROR_SYSTEM,    /* the system refused something, such as random numbers */
    NONET_ERROR_NOT_THERE, /* the game does not have what was asked for */
};

/* What went wrong. Every function that takes one also accepts null. It is only written if the
 * function fails. */
struct nonet_error {
    int32_t code;       /* enum nonet_code */
    char key[48];       /* which rule or reason: "ksar.same-height"; may be empty */
    char message[1024]; /* a sentence in the language of the handle */
};

/* ---- Words: a language ---- */

struct nonet_words;

/* A language from lines "key<TAB>text", keys as in struct nonet_error. What it lacks is said in
 * English. The lines are copied. Null with the error. */
NONET_API struct nonet_words *nonet_words_open(const char *lines, struct nonet_error *error);
/* After all variants and rounds that use them. */
NONET_API void nonet_words_close(struct nonet_words *words);

/* ---- Variants: a game with its options ---- */

struct nonet_variant;

/* How many games there are, and the id of each, from 0: "ksar". Null after the last. */
NONET_API int nonet_shelf_size(void);
NONET_API const char *nonet_shelf_game(int index);

/* A game with options: "ksar", "ksar:frame=8x8", "masker:players=3,seed=1". With null as words it
 * speaks English. Null with the error. */
NONET_API struct nonet_variant *
nonet_variant_open(const char *name, const struct nonet_words *words, struct nonet_error *error);
NONET_API void nonet_variant_close(struct nonet_variant *variant);

/* The canonical name, which nonet_variant_open takes; and the game's id. */
NONET_API const char *nonet_variant_name(const struct nonet_variant *variant);
NONET_API const char *nonet_variant_game(const struct nonet_variant *variant);

/* The game's facts and all its options as JSON, as `nonet games --json` prints them. */
NONET_API const char *nonet_variant_json(const struct nonet_variant *variant);

NONET_API int nonet_variant_players(const struct nonet_variant *variant);

enum nonet_fact {
    NONET_FACT_CHANCE = 1,     /* something is dealt before the first move */
    NONET_FACT_HIDDEN = 2,     /* players know different things */
    NONET_FACT_WIDE = 4,       /* too many moves to list them all */
    NONET_FACT_POINTS = 8,     /* a finished game has points */
    NONET_FACT_REPETITION = 16 /* a draw when a position occurs for the third time */
};
/* Which of them hold, added up. */
NONET_API uint32_t nonet_variant_facts(const struct nonet_variant *variant);

/* For programs that learn: a fixed numbering of all moves of a variant, from 0. How many numbers
 * there are, or 0 if the game has none; the number of a move, or -1; and the move of a number. Not
 * every number is a legal move somewhere. */
NONET_API int nonet_variant_actions(const struct nonet_variant *variant);
NONET_API int nonet_variant_action_of(const struct nonet_variant *variant, uint32_t move);
NONET_API int nonet_variant_action_move(const struct nonet_variant *variant, int action,
                                        uint32_t *move, struct nonet_error *error);

/* ---- Rounds: a game in progress ---- */

struct nonet_round;

enum {
    NONET_VIEW_ALL = -1,   /* a viewer who may know everything */
    NONET_VIEW_PUBLIC = 0, /* a spectator; from 1 on: the seat of that player */
};

/* A game at its first position, or at the position of this text. What the options leave to chance
 * is dealt from the system's random source. Null with the error. */
NONET_API struct nonet_round *nonet_round_open(const struct nonet_variant *variant,
                                               const char *from, struct nonet_error *error);

/* A game as one seat knows it: the text that this seat saw first, the moves since, and the text
 * that it sees now (null if there are no moves). Whatever the seat cannot know is made up so that
 * it fits. Null with the error. */
NONET_API struct nonet_round *nonet_round_open_seen(const struct nonet_variant *variant, int seat,
                                                    const char *first, const char *const *moves,
                                                    size_t count, const char *seen,
                                                    struct nonet_error *error);

/* A whole game as lines of text, and a game from such lines. */
NONET_API const char *nonet_round_write(struct nonet_round *round, struct nonet_error *error);
NONET_API struct nonet_round *nonet_round_read(const char *lines, const struct nonet_words *words,
                                               struct nonet_error *error);

/* The same game again, to go on in another way. Null with the error. */
NONET_API struct nonet_round *nonet_round_copy(struct nonet_round *round,
                                               struct nonet_error *error);
NONET_API void nonet_round_close(struct nonet_round *round);

/* Whose turn it is, from 1; 0 if the game is over. */
NONET_API int nonet_round_turn(const struct nonet_round *round);
NONET_API int nonet_round_players(const struct nonet_round *round);

/* How many moves were played, and the index-th of them, from 0. */
NONET_API int nonet_round_ply(const struct nonet_round *round);
NONET_API int nonet_round_played(const struct nonet_round *round, int index, uint32_t *move,
                                 struct nonet_error *error);

/* How many moves are legal. Then some of them, from the first-th on, in a fixed order: at most
 * `room`; returns how many. */
NONET_API uint64_t nonet_round_legal_count(struct nonet_round *round);
NONET_API size_t nonet_round_legal(struct nonet_round *round, uint64_t first, uint32_t *moves,
                                   size_t room);

/* The text of a move, null with the error; and the move of a text. A move of some position of the
 * game has a text, whether it is legal now or not. */
NONET_API const char *nonet_round_move_text(struct nonet_round *round, uint32_t move,
                                            struct nonet_error *error);
NONET_API int nonet_round_parse(const struct nonet_round *round, const char *text, uint32_t *move,
                                struct nonet_error *error);

/* Whether a move may be played now: NONET_OK, or why not. */
NONET_API int nonet_round_why(const struct nonet_round *round, uint32_t move,
                              struct nonet_error *error);

/* Plays a move: NONET_OK, or why not, and then nothing has changed. */
NONET_API int nonet_round_play(struct nonet_round *round, uint32_t move, struct nonet_error *error);
NONET_API int nonet_round_play_text(struct nonet_round *round, const char *text,
                                    struct nonet_error *error);

/* Takes a move back, or plays it again: 1, or 0 if there is none. */
NONET_API int nonet_round_undo(struct nonet_round *round);
NONET_API int nonet_round_redo(struct nonet_round *round);

/* Goes back to the position that the game was opened at, and forgets all moves. */
NONET_API void nonet_round_restart(struct nonet_round *round);

/* Of a finished game: bit p-1 for each winner p, all for a draw; 0 while the game goes on. */
NONET_API uint32_t nonet_round_winners(const struct nonet_round *round);
/* What a player has of a finished game: 12 for the whole win, a part of 12 for a shared one. */
NONET_API int nonet_round_share(const struct nonet_round *round, int player);
/* A player's points at the end. NONET_ERROR_NOT_THERE if the game has none, or goes on. */
NONET_API int nonet_round_points(const struct nonet_round *round, int player, int *points,
                                 struct nonet_error *error);
/* Why the game ended so, in words; empty while it goes on. Null with the error. */
NONET_API const char *nonet_round_reason(struct nonet_round *round, struct nonet_error *error);

/* The position as a viewer may know it: as a line of text; as JSON, as `nonet position` prints it;
 * as the JSON of a scene, from which it can be drawn; and as a picture. Null with the error. */
NONET_API const char *nonet_round_text(struct nonet_round *round, int viewer,
                                       struct nonet_error *error);
NONET_API const char *nonet_round_position(struct nonet_round *round, int viewer,
                                           struct nonet_error *error);
NONET_API const char *nonet_round_scene(struct nonet_round *round, int viewer,
                                        struct nonet_error *error);
enum nonet_picture { NONET_PICTURE_TEXT, NONET_PICTURE_SVG };
NONET_API const char *nonet_round_draw(struct nonet_round *round, int viewer, int picture,
                                       struct nonet_error *error);

/* The position as numbers, for programs that learn, as a viewer may know it: how many numbers, the
 * same for all positions of a variant, and the numbers. docs/python.md tells what they mean. */
NONET_API size_t nonet_round_tensor_size(struct nonet_round *round);
NONET_API int nonet_round_tensor(struct nonet_round *round, int viewer, float *numbers, size_t room,
                                 struct nonet_error *error);
/* A byte for each of the variant's actions: 1 if it is legal now. */
NONET_API int nonet_round_mask(struct nonet_round *round, uint8_t *mask, size_t room,
                               struct nonet_error *error);

/* ---- What a position is worth ---- */

/* The proven value of the position and of every move, as JSON, as `nonet probe` prints it. Tables
 * are looked for and built as the command does; searches give up after so many seconds. Null with
 * the error. */
NONET_API const char *nonet_round_probe(struct nonet_round *round, double seconds,
                                        struct nonet_error *error);

/* How a computer player thinks. All zero, or null in its place: the highest level, two seconds.
 * With a level below the highest, or with nodes, and with one thread and no seconds, the answer
 * depends on nothing but the position, the moves before it and these numbers. */
struct nonet_thinking {
    uint64_t nodes;  /* positions to look at; 0: what the level says */
    uint64_t seed;   /* for all random choices */
    uint64_t memory; /* bytes, at least a million; 0: the default */
    double seconds;  /* the longest time; 0: no limit but nodes */
    int32_t level;   /* 1 to 10; 0: the highest */
    int32_t threads; /* up to 64; 0: one */
};

/* What a player thinks of the position, as JSON, as `nonet think` prints it. The player knows what
 * the seat to move may know. Null with the error. */
NONET_API const char *nonet_round_think(struct nonet_round *round,
                                        const struct nonet_thinking *thinking,
                                        struct nonet_error *error);
/* Only its move. */
NONET_API int nonet_round_choose(struct nonet_round *round, const struct nonet_thinking *thinking,
                                 uint32_t *move, struct nonet_error *error);

/* Random games from the position to the end. A game that is not over after 2,000 moves counts as a
 * draw. */
struct nonet_tally {
    uint64_t games, moves;
    uint64_t shares[4]; /* of each player, as nonet_round_share, added up */
};
NONET_API int nonet_round_playouts(struct nonet_round *round, uint64_t games, uint64_t seed,
                                   struct nonet_tally *tally, struct nonet_error *error);

/* ---- Batches: many games at once ---- */

struct nonet_batch;

/* So many games of a variant, each at a first position. All that chance decides follows from the
 * seed, unless the options say it. Null with the error. */
NONET_API struct nonet_batch *nonet_batch_open(const struct nonet_variant *variant, size_t size,
                                               uint64_t seed, struct nonet_error *error);
NONET_API void nonet_batch_close(struct nonet_batch *batch);
NONET_API size_t nonet_batch_size(const struct nonet_batch *batch);

enum nonet_step {
    NONET_STEP_ON,      /* the game goes on */
    NONET_STEP_OVER,    /* the game is over */
    NONET_STEP_REFUSED, /* the move was not legal: the game stays as it was */
};
/* Plays the index-th move in the index-th game, for all games. `steps` may be null; else it gets an
 * enum nonet_step for each game. A game that was over before stays so. */
NONET_API int nonet_batch_step(struct nonet_batch *batch, const uint32_t *moves, uint8_t *steps,
                               struct nonet_error *error);
/* A random legal move for each game, or 0 where the game is over. */
NONET_API int nonet_batch_choose(struct nonet_batch *batch, uint32_t *moves,
                                 struct nonet_error *error);
/* Begins the finished games again, with a new deal where something is dealt; returns how many. */
NONET_API size_t nonet_batch_restart(struct nonet_batch *batch);

/* For each game: whose turn it is; the winners. */
NONET_API int nonet_batch_turns(const struct nonet_batch *batch, uint8_t *turns,
                                struct nonet_error *error);
NONET_API int nonet_batch_winners(const struct nonet_batch *batch, uint8_t *winners,
                                  struct nonet_error *error);
/* The legal moves of one game, as nonet_round_legal. */
NONET_API size_t nonet_batch_legal(struct nonet_batch *batch, size_t index, uint64_t first,
                                   uint32_t *moves, size_t room);

#ifdef __cplusplus
}
#endif

#endif
