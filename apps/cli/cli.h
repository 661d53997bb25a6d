/* What the subcommands of `nonet` share: arguments, errors, output that is written whole or not at
 * all. */
#ifndef NONET_CLI_H
#define NONET_CLI_H

#include <stdio.h>

#include "base/json.h"
#include "host/refusal.h"
#include "rules/setup.h"
#include "rules/values.h"

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

struct cli_command {
    const char *name;
    const char *usage; /* after "nonet NAME " */
    const char *brief; /* one line for the list of commands */
    const char *help;  /* the rest of --help */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cli_analyse, cli_bench, cli_book, cli_draw, cli_export, cli_games,
    cli_match, cli_openings, cli_perft, cli_play, cli_position, cli_probe, cli_puzzles, cli_record,
    cli_replay, cli_rules, cli_selfplay, cli_serve, cli_solve, cli_think, cli_trial, cli_ugi,
    cli_verify;

/* Whether what is said in the language of people must be ASCII, because the terminal shows nothing
 * else. */
bool cli_needs_ascii(void);

/* One line on stderr that begins "nonet: ", in the language that is spoken; returns `code`. */
__attribute__((format(printf, 2, 3))) int cli_fail(int code, const char *format, ...);
/* The same for a message, after a prefix that may be empty. */
int cli_fail_because(int code, const char *prefix, const struct nonet_message *why);

/* The same for a game that could not be opened. */
int cli_fail_setup(int code, const struct nonet_setup_error *error);

/* What the user should know although the command goes on: a line on stderr, or nothing if null. */
void cli_note(const char *line);

/* A flag of a command: with a value (--from TEXT) or without (--json). */
struct cli_flag {
    const char *name;
    const char **value; /* null for a flag without one */
    bool *present;      /* may be null */
};

/* The arguments of a command about a game. */
struct cli_arguments {
    const struct nonet_game *game; /* null where none was given */
    struct nonet_options options;  /* checked, not yet dealt */
    const char *from;              /* --from TEXT, or null */
    char **words;                  /* what else was given: moves, a depth */
    int word_count;
};

/* Sorts out argv[0..argc) into flags (ended by a null name), game, -o options and words. -o and
 * --from are known to every command that takes a game. CLI_DONE, or the exit code after an error.
 */
int cli_parse(int argc, char **argv, const struct cli_flag *flags, struct cli_arguments *arguments);

/* The same without a game: everything that is not a flag is a word. */
int cli_parse_words(int argc, char **argv, const struct cli_flag *flags, char ***words, int *count);

/* The text in lower case. */
void cli_lower(const char *text, struct nonet_text *out);

/* The game that a name means, in upper or lower case, with or without spaces: "Mix 3"; or null. */
const struct nonet_game *cli_game_named(const char *name);
/* The same, but if there is no such game, prints which games there are. */
const struct nonet_game *cli_find_game(const char *name);
/* Takes the game that the words begin with; its name may be two of them. */
const struct nonet_game *cli_take_game(char ***words, int *count);

typedef char cli_move_text[NONET_MOVE_TEXT];

/* A move as the rules write it, if it was typed so but for upper and lower case, and can mean only
 * one; otherwise as it was typed. */
const char *cli_spell_move(const struct nonet_session *session, const char *typed,
                           cli_move_text spelled);

/* Deals, starts from --from if given, and plays the words as moves. Null after an error, with the
 * exit code in *code. */
struct nonet_session *cli_open(struct cli_arguments *arguments, char **moves, int move_count,
                               int *code);

/* The random numbers for a deal, from the system's random source. */
bool cli_chance(const struct nonet_options *options, struct nonet_chance *chance);
/* A number from the system's random source. */
bool cli_random(uint64_t *number);

/* A whole number from 0 to `most`, without sign. */
bool cli_number(const char *text, uint64_t most, uint64_t *number);
/* A whole number from `least` to `most` if the flag was given; else *number stays. */
int cli_number_flag(const char *flag, const char *text, uint64_t least, uint64_t most,
                    uint64_t *number);

/* A number of seconds above 0, up to a million, with or without decimals. */
bool cli_seconds(const char *text, double *seconds);

/* A number of bytes: "2G", "500M", "64K", or without a unit. */
bool cli_bytes(const char *text, uint64_t *bytes);

/* The player that --as names, or 0 where it was not given (null): CLI_DONE, or the exit code. */
int cli_seat(const char *as, int players, int *seat);

/* Writes to stdout and flushes: CLI_DONE, or what cli_fail_output says. */
int cli_output(const char *text);
/* What to do about output that cannot be written: CLI_FAILED with a message. But a pipe that nobody
 * reads any more ends the program without a word. */
int cli_fail_output(int error);
/* The same to another file. */
int cli_output_to(FILE *file, const char *text);

/* A name from outside, made safe for a message: without control characters, cut to a line's length.
 * The text is valid until the next call. */
const char *cli_printable(const char *name);
/* The same for a file, where - is the standard input. */
const char *cli_file_name(const char *path);

#endif
