/* Options of a game: one table for the command line, web forms, documents and canonical strings. */
#ifndef NONET_RULES_OPTIONS_H
#define NONET_RULES_OPTIONS_H

#include "capacities.h"
#include "message.h"

struct nonet_game;

enum nonet_option_kind {
    NONET_CHOICE, /* one of `values`, which are separated by | */
    NONET_SIZE,   /* WxH, each from `least` to `most` */
    NONET_NUMBER, /* from `least` to `most`; `values` is the default */
    NONET_SEED,   /* a number below 2^64; absent unless given */
    NONET_LETTERS /* a text that the game checks; absent unless given */
};

struct nonet_option {
    const char *key;
    const char *values; /* the first is the default; what a seed or letters look like, for people */
    const char *help;   /* one line */
    uint8_t kind;
    uint8_t least, most; /* NONET_SIZE, NONET_NUMBER */
    bool chance;         /* decides the deal, so it means nothing if a position is given instead */
    bool secret;         /* reveals what one seat may not know */
    bool tacit;          /* the default goes without saying: it is not written down */
};

/* For the table of a game that two can play and in which nothing is hidden: the swap rule, which
 * the engine adds (swap.h). Names of games and of tables are the same as without this option. */
#define NONET_SWAP_KEY "swap"
#define NONET_SWAP_OPTION                                                                          \
    {                                                                                              \
        .key = NONET_SWAP_KEY, .values = "no|yes",                                                 \
        .help =                                                                                    \
            "early in the game, player 2 may once take over player 1's side instead of moving",    \
        .kind = NONET_CHOICE, .tacit = true                                                        \
    }

struct nonet_option_value {
    uint64_t number; /* the index of a choice, width | depth << 8 of a size, the number, a seed */
    char text[NONET_OPTION_TEXT]; /* as canonically written; empty if absent */
    bool dealt;                   /* follows from the seed, so it need not be given */
};

/* Parsed options, in the order of the game's table. The key "players" also sets `players`, and the
 * key "swap" says whether `game` is the one with the swap rule. */
struct nonet_options {
    const struct nonet_game *game;
    uint8_t players;
    struct nonet_option_value value[NONET_MAX_OPTIONS];
};

/* All defaults. */
void nonet_options_default(struct nonet_options *options, const struct nonet_game *game);

/* Sets one option from "key=value"; a bad one is refused with a message that names the good ones.
 */
bool nonet_options_set(struct nonet_options *options, const char *assignment,
                       struct nonet_message *why);

/* Once all are set, and before the game starts: whether they fit together, and whether the game
 * keeps the contract at all (contract.h). */
bool nonet_options_check(const struct nonet_options *options, struct nonet_message *why);

/* Deals what chance decides and no option gives: from the seed if there is one, otherwise from the
 * two random numbers. The options then fix the first position. */
void nonet_options_deal(struct nonet_options *options, uint64_t open, uint64_t secret);

/* Forgets what one seat may not know: options as every seat may know them. */
void nonet_options_forget_secrets(struct nonet_options *options);

/* Forgets what was dealt or chosen of a deal: the next one is another. */
void nonet_options_forget_deal(struct nonet_options *options);

/* Whether they fix everything that chance decides, so that the same game can be set up again. */
bool nonet_options_tell_deal(const struct nonet_options *options);

/* Whether there is a value, and it does not go without saying. */
bool nonet_option_says(const struct nonet_options *options, int index);

/* Whether the value must be given to set up the same game again. */
bool nonet_option_told(const struct nonet_options *options, int index);

/* How many options a game has: at most as many as there is room for, whatever its table says. */
int nonet_option_count(const struct nonet_game *game);

/* Whether people choose its value before a game. Chance or a seed decides the others. */
bool nonet_option_is_asked(const struct nonet_option *option);

/* What an option with a range accepts at least and at most, as texts. */
void nonet_option_range(const struct nonet_option *option, char least[NONET_OPTION_TEXT],
                        char most[NONET_OPTION_TEXT]);

/* Whether this text is a value of the option. */
bool nonet_option_accepts(const struct nonet_option *option, const char *text);

/* The index of a key in the game's table, or -1. */
int nonet_option_find(const struct nonet_game *game, const char *key);

/* "chasm:players=3": the game's id and all options that must be given. */
void nonet_options_write(const struct nonet_options *options, struct nonet_text *out);
/* And back: a text that it wrote, or could have. Such options are checked, but not dealt. */
bool nonet_options_read(const char *text, struct nonet_options *options, struct nonet_message *why);

extern const struct nonet_phrase nonet_option_phrases[];
extern const int nonet_option_phrase_count;

#endif
