/* What the command says to people in their language: its own words, and the texts of the engine and
 * the games, which the page has too (web/src/words). English is in the code; the other languages
 * are gathered into the program when it is built (scripts/embed_words.py). */
#ifndef NONET_CLI_WORDS_H
#define NONET_CLI_WORDS_H

#include "cli.h"

enum cli_word {
    WORD_TO_MOVE, /* {0} player */
    WORD_PLAYER,  /* {0} number */
    WORD_NAMED,   /* {0} name, {1} number */
    WORD_YOU,
    WORD_PERSON,
    WORD_COMPUTER, /* {0} level */
    WORD_RANDOM,
    WORD_THINKS,      /* {0} player */
    WORD_BUILDING,    /* {0} percent */
    WORD_MOVE_NUMBER, /* {0} */
    WORD_OVER,
    WORD_LOOKING, /* {0} ply, {1} of */
    WORD_KEYS_PLAY,
    WORD_KEYS_FLOOR,
    WORD_KEYS_OVER,
    WORD_KEYS_LOOKING,
    WORD_KEYS_MENU,
    WORD_KEYS_FORM,
    WORD_KEYS_PAGE,
    WORD_HELP,
    WORD_TOO_SMALL, /* {0} columns, {1} rows there are, {2} and {3} that are needed */
    WORD_ANALYSIS,
    WORD_ANALYSIS_OFF,
    WORD_PROVEN_WIN,
    WORD_PROVEN_LOSS,
    WORD_PROVEN_DRAW,
    WORD_IN_PLIES, /* {0} */
    WORD_MARGIN,   /* {0} with its sign */
    WORD_WINNING,
    WORD_BETTER,
    WORD_EVEN,
    WORD_WORSE,
    WORD_LOSING,
    WORD_LINE, /* {0} moves */
    WORD_MOVES,
    WORD_NOT_HERE, /* {0} place */
    WORD_NOTHING_LIT,
    WORD_FITS_NOWHERE,
    WORD_HAND_OVER, /* {0} player */
    WORD_REALLY_QUIT,
    WORD_KEPT, /* {0} game id */
    WORD_NOT_SAVED,
    WORD_GOODBYE,
    WORD_STOPPED,
    WORD_REVIEWING,   /* {0} moves of {1} */
    WORD_REVIEW_BEST, /* {0} move */
    WORD_REVIEW_GOOD,
    WORD_CONTINUE, /* {0} game, {1} moves */
    WORD_NEW_GAME, /* {0} game */
    WORD_CHOOSE_GAME,
    WORD_COUNT_PLAYERS, /* {0} how many */
    WORD_START,
    WORD_TYPE,
    /* The game line by line. */
    WORD_PLAYS,
    WORD_PLAYED_LAST,
    WORD_SECRET,
    WORD_TOOK_ONE,
    WORD_TOOK,
    WORD_NOTHING_TO_TAKE,
    WORD_AGAIN_ONE,
    WORD_AGAIN,
    WORD_NOTHING_AGAIN,
    WORD_TRY,
    WORD_IT_LOSES,
    WORD_IT_DRAWS,
    WORD_IT_WINS,
    WORD_AT_THE_END,
    WORD_PLIES,
    WORD_IS_PROVEN,
    WORD_YOURS_WINNING,
    WORD_YOURS_BETTER,
    WORD_YOURS_EVEN,
    WORD_YOURS_WORSE,
    WORD_YOURS_BAD,
    WORD_DRAWN,
    WORD_WINS,
    WORD_WIN,
    WORD_AND,
    WORD_SEMICOLON, /* with what stands before and after it in that language */
    WORD_POINTS,
    WORD_HAS_POINTS,
    WORD_NO_MOVE,
    WORD_NOT_LEGAL,
    WORD_IS_LEGAL,
    WORD_IS_NOT_LEGAL,
    WORD_MEANT,
    WORD_MEANT_COMMAND,
    WORD_NEAREST,
    WORD_SEE_MOVES,
    WORD_AT_END,
    WORD_AFTER_END,
    WORD_PROMPT_OVER,
    WORD_NO_COMPUTER,
    WORD_NEW_LEVEL,
    WORD_SUCH_AS,
    WORD_OR_HELP,
    WORD_OR,
    WORD_OR_COMMAND,
    WORD_BEGIN_LIKE,    /* {0} how many, {1} one of them, {2} what was typed */
    WORD_LEGAL_SUCH_AS, /* {0} how many */
    WORD_LEGAL_COUNT,   /* {0} */
    WORD_PLACES,        /* {0} how many */
    WORD_LISTS_PLACES,  /* {0} the beginning of a move */
    WORD_NO_MOVES,
    WORD_NONE_BEGINS, /* {0} what was typed */
    WORD_WHY_WHAT,
    WORD_SAVE_WHERE,
    WORD_SAVED, /* a file follows */
    WORD_LOAD_WHAT,
    WORD_LEVEL_HOW, /* {0} highest level */
    WORD_MOVE_HOW,  /* {0} last move */
    WORD_NO_MEMORY,
    WORD_BY,           /* {0} game, {1} author */
    WORD_OPTIONS,      /* before a list of them */
    WORD_HIDDEN_FILE,  /* {0} the name of a secret */
    WORD_NOT_KEPT,     /* file and reason follow */
    WORD_HAD_SECRET,   /* {0} player, {1} its name, {2} the secret */
    WORD_UNKNOWN_KIND, /* {0} player, {1} what is there */
    WORD_DISC,
    WORD_NO_MOVES_YET,
    WORD_NOT_OVER,
    WORD_REMATCH,
    WORD_REVIEW_CLEAN,
    WORD_ANALYSIS_ON,
    WORD_POSSIBILITIES, /* {0} how many */
    /* The questions before it. */
    WORD_ASK_GAME,     /* {0} the first one */
    WORD_NO_SUCH_GAME, /* {0} what was typed, {1} how many there are */
    WORD_FROM_TO,      /* {0}, {1} */
    WORD_ASK_PEOPLE,   /* {0} players */
    WORD_ASK_NUMBER,   /* {0} highest */
    WORD_ASK_LEVEL,    /* {0} highest, {1} usual */
    WORD_LEVELS,       /* {0} highest */
    WORD_ASK_CHOICE,   /* {0} how many */
    /* What its commands do. */
    WORD_DOES_HELP,
    WORD_DOES_MOVES,
    WORD_DOES_WHY,
    WORD_DOES_HINT,
    WORD_DOES_ANALYSE,
    WORD_DOES_LEVEL,
    WORD_DOES_UNDO,
    WORD_DOES_REDO,
    WORD_DOES_DRAW,
    WORD_DOES_PIECES,
    WORD_DOES_STATUS,
    WORD_DOES_LIST,
    WORD_DOES_REVIEW,
    WORD_DOES_REMATCH,
    WORD_DOES_RULES,
    WORD_DOES_SAVE,
    WORD_DOES_LOAD,
    WORD_DOES_QUIT,
    /* Records and their review. */
    WORD_ALL_LEGAL,     /* {0} game, {1} moves */
    WORD_ONE_LEGAL,     /* {0} game */
    WORD_STILL_TO_MOVE, /* {0} player */
    WORD_GAME_OF,       /* {0} game, {1} moves */
    WORD_GAME_OF_ONE,
    WORD_UNFINISHED,
    WORD_HEAD_MOVE, /* of columns, from here on */
    WORD_HEAD_PLAYER,
    WORD_HEAD_PLAYED,
    WORD_HEAD_KEEP,
    WORD_HEAD_WORTH,
    WORD_HEAD_NOTE,
    WORD_COUNT_OF, /* {0} of {1} */
    WORD_LOST,     /* what a move leads to, from here on */
    WORD_DREW,
    WORD_WON,
    WORD_BY_POINTS,    /* {0} */
    WORD_IN_MOVES,     /* {0} */
    WORD_SLOWER,       /* {0} plies */
    WORD_REPLIES_LOSE, /* {0} of {1} */
    WORD_NOTHING_TO_SPOIL,
    WORD_KEPT_OF, /* {0} of {1}, {2} by chance, {3} out of 100 */
    WORD_NO_DIFFERENCE,
    WORD_ACCURACY, /* {0} percent in {1} moves */
    WORD_MISTAKES, /* {0} */
    WORD_BLUNDERS, /* {0} */
    WORD_BY_SEARCH,
    WORD_TURNED, /* {0} number of the move, {1} the move, {2} player */
    WORD_TABLE_MEANS,
    /* Work that takes long. */
    WORD_MINUTES_LEFT, /* {0} */
    WORD_SECONDS_LEFT, /* {0} */
    WORD_POSITION_OF,  /* {0} of {1} */
    /* What the command says about itself. */
    WORD_ABOUT,
    WORD_USAGE,
    WORD_MORE_HELP,
    CLI_WORDS
};
extern const struct nonet_phrase cli_words[CLI_WORDS];

/* The language to speak from now on, in upper or lower case, also with a country: "fr", "de_CH".
 * False if it is not one of ours. */
bool cli_speak(const char *language);
/* The one that the environment asks for, by LC_ALL, LC_MESSAGES or LANG; or English. */
void cli_speak_here(void);
/* The one that --lang names, wherever it stands; takes that flag out of the arguments, which end
 * with a null. Done before anything else, so that every message follows it: CLI_DONE, or the exit
 * code. */
int cli_take_language(int *argc, char **argv);
/* The two letters of the language that is spoken, and of all languages: "en, fr, …". */
const char *cli_language_id(void);
void cli_list_languages(struct nonet_text *out);

/* What a game says about itself, by its key: "ksar.summary"; or this English text. */
const char *cli_text_of(const char *key, const char *english);

/* What an option of a game is for, in a word and in a sentence, and what a value of it means. */
const char *cli_option_label(const struct nonet_game *game, const struct nonet_option *option);
const char *cli_option_help(const struct nonet_game *game, const struct nonet_option *option);
const char *cli_option_value(const struct nonet_game *game, const struct nonet_option *option,
                             const char *value);

/* Writes to stdout what is in that language, as the terminal can show it. */
int cli_output_words(const char *text);

/* Appends words in the language that is spoken. */
void cli_write(struct nonet_text *out, struct nonet_message message);

/* The result of a finished game: a line with winners and reason, one with the points. */
void cli_say_result(const struct nonet_session *session, struct nonet_text *out);

/* A catalogue's words, as the build gathers them, in the order of their keys. */
struct cli_texts {
    const char *language;
    int count;
    const struct cli_text { const char *key, *text; } * texts;
};
extern const struct cli_texts cli_all_texts[]; /* ends with a null language */

#endif
