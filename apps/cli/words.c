#include "words.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct nonet_phrase cli_words[CLI_WORDS] = {
    [WORD_TO_MOVE] = {"terminal.to-move", "{0} to move"},
    [WORD_PLAYER] = {"terminal.player", "Player {0}"},
    [WORD_NAMED] = {"terminal.named", "{0} (player {1})"},
    [WORD_YOU] = {"terminal.you", "you"},
    [WORD_PERSON] = {"terminal.person", "a person"},
    [WORD_COMPUTER] = {"terminal.computer", "computer (level {0})"},
    [WORD_RANDOM] = {"terminal.random", "computer (random)"},
    [WORD_THINKS] = {"terminal.thinks", "{0} is thinking…"},
    [WORD_BUILDING] = {"terminal.building", "A table of exact values is being built: {0} %"},
    [WORD_MOVE_NUMBER] = {"terminal.move-number", "move {0}"},
    [WORD_OVER] = {"terminal.over", "The game is over"},
    [WORD_LOOKING] = {"terminal.looking", "after move {0} of {1}"},
    [WORD_KEYS_PLAY] = {"terminal.keys-play",
                        "Arrows Enter: play  Tab: next place  h: hint  u: undo  ?: help  q: quit"},
    [WORD_KEYS_FLOOR] = {"terminal.keys-floor",
                         "Arrows: move  r R: turn  +-: step  Enter: lay down  ?: help  q: quit"},
    [WORD_KEYS_OVER] = {"terminal.keys-over",
                        "n: rematch  v: review  PgUp: look back  u: undo  ?: help  q: quit"},
    [WORD_KEYS_LOOKING] = {"terminal.keys-looking",
                           "PgUp PgDn: one move  Home: first  End: back to the game  q: quit"},
    [WORD_KEYS_MENU] = {"terminal.keys-menu", "Arrows: choose  Enter: go on  q: quit"},
    [WORD_KEYS_FORM] = {"terminal.keys-form", "Arrows: choose and change  Enter: go on  Esc: back"},
    [WORD_KEYS_PAGE] = {"terminal.keys-page", "Arrows: scroll  Esc: back"},
    [WORD_HELP] = {"terminal.help",
                   "Play by touching what is lit: move the cursor there and press Enter, or click. "
                   "A piece can also be dragged with the mouse.\n\n"
                   "Arrows          move the cursor\n"
                   "Tab             to the next lit place; a piece turns until it fits\n"
                   "Enter, Space    touch it\n"
                   "1 to 9          touch what has this number beside the board\n"
                   "Esc, Backspace  let go of what was touched last\n"
                   "r R e E         turn a piece: by 15 degrees, by 1\n"
                   "+ -             a longer or shorter step\n"
                   "z               a closer look, and back\n\n"
                   "h               a hint\n"
                   "a               analysis on or off\n"
                   "u U             take back, play again\n"
                   "PgUp PgDn       look at earlier moves; End comes back\n"
                   "v               review of the game so far, with marks for its moves\n"
                   "n               a rematch with the seats changed, once the game is over\n"
                   "i               the rules\n"
                   ":               type a move or a command; :help lists the commands\n"
                   "q               leave; the game is kept\n\n"
                   "Marks: a dot is a place that can be touched, an arrow is the last move."},
    [WORD_TOO_SMALL] = {"terminal.too-small",
                        "The window has {0} columns and {1} rows; the game needs {2} and {3}."},
    [WORD_ANALYSIS] = {"terminal.analysis", "Analysis"},
    [WORD_ANALYSIS_OFF] = {"terminal.analysis-off", "The analysis is off."},
    [WORD_PROVEN_WIN] = {"terminal.proven-win", "{0} wins, proven"},
    [WORD_PROVEN_LOSS] = {"terminal.proven-loss", "{0} loses, proven"},
    [WORD_PROVEN_DRAW] = {"terminal.proven-draw", "a draw, proven"},
    [WORD_IN_PLIES] = {"terminal.in-plies", " (moves left: {0})"},
    [WORD_MARGIN] = {"terminal.margin", " (points: {0})"},
    [WORD_WINNING] = {"terminal.winning", "{0} is winning"},
    [WORD_BETTER] = {"terminal.better", "{0} is better"},
    [WORD_EVEN] = {"terminal.even", "about even"},
    [WORD_WORSE] = {"terminal.worse", "{0} is worse"},
    [WORD_LOSING] = {"terminal.losing", "{0} is losing"},
    [WORD_LINE] = {"terminal.line", "Line:"},
    [WORD_MOVES] = {"terminal.moves", "Moves"},
    [WORD_NOT_HERE] = {"terminal.not-here", "Nothing can be done with {0} now."},
    [WORD_NOTHING_LIT] = {"terminal.nothing-lit", "There is no lit place."},
    [WORD_FITS_NOWHERE] = {"terminal.fits-nowhere",
                           "Turned like this, it fits nowhere. Tab turns it on."},
    [WORD_HAND_OVER] = {"terminal.hand-over", "{0}, press Enter when only you are looking."},
    [WORD_REALLY_QUIT] = {"terminal.really-quit", "Press q once more to leave."},
    [WORD_KEPT] = {"terminal.kept", "The game is kept; nonet play {0} goes on with it."},
    [WORD_NOT_SAVED] = {"terminal.not-saved", "This game was not saved."},
    [WORD_GOODBYE] = {"terminal.goodbye", "Goodbye."},
    [WORD_STOPPED] = {"terminal.stopped", "Stopped."},
    [WORD_REVIEWING] = {"terminal.reviewing", "Review: {0} of {1} moves"},
    [WORD_REVIEW_BEST] = {"terminal.review-best", "Better was {0}."},
    [WORD_REVIEW_GOOD] = {"terminal.review-good", "The only good move."},
    [WORD_CONTINUE] = {"terminal.continue", "Go on with {0} (moves: {1})"},
    [WORD_NEW_GAME] = {"terminal.new-game", "A new game of {0}"},
    [WORD_CHOOSE_GAME] = {"terminal.choose-game", "Which game?"},
    [WORD_COUNT_PLAYERS] = {"terminal.players", "{0} players"},
    [WORD_START] = {"terminal.start", "Start"},
    [WORD_TYPE] = {"terminal.type", "Move or command:"},
    [WORD_PLAYS] = {"terminal.plays", "{0} plays {1}."},
    [WORD_PLAYED_LAST] = {"terminal.played-last", "{0} played"},
    [WORD_SECRET] = {"terminal.secret", "{0}, your {1}: {2}"},
    [WORD_TOOK_ONE] = {"terminal.took-one", "Took back 1 move."},
    [WORD_TOOK] = {"terminal.took", "Took back {0} moves."},
    [WORD_NOTHING_TO_TAKE] = {"terminal.nothing-to-take",
                              "There is no move of yours to take back."},
    [WORD_AGAIN_ONE] = {"terminal.again-one", "Played 1 move again."},
    [WORD_AGAIN] = {"terminal.again", "Played {0} moves again."},
    [WORD_NOTHING_AGAIN] = {"terminal.nothing-again", "There is nothing to play again."},
    [WORD_TRY] = {"terminal.try", "Try {0}: "},
    [WORD_IT_LOSES] = {"terminal.it-loses", "it loses if the others play well"},
    [WORD_IT_DRAWS] = {"terminal.it-draws", "it draws"},
    [WORD_IT_WINS] = {"terminal.it-wins", "it wins"},
    [WORD_AT_THE_END] = {"terminal.at-the-end", ", {0} points at the end"},
    [WORD_PLIES] = {"terminal.plies", " in {0} plies"},
    [WORD_IS_PROVEN] = {"terminal.is-proven", ", that is proven"},
    [WORD_YOURS_WINNING] = {"terminal.yours-winning", "your position would be winning"},
    [WORD_YOURS_BETTER] = {"terminal.yours-better", "your position would be better"},
    [WORD_YOURS_EVEN] = {"terminal.yours-even", "your position would be about even"},
    [WORD_YOURS_WORSE] = {"terminal.yours-worse",
                          "your position would be worse, but better than after other moves"},
    [WORD_YOURS_BAD] = {"terminal.yours-bad",
                        "your position would be bad, but better than after other moves"},
    [WORD_DRAWN] = {"terminal.drawn", "The game is drawn"},
    [WORD_WINS] = {"terminal.wins", "Player {0} wins"},
    [WORD_WIN] = {"terminal.win", "Players {0} win"},
    [WORD_AND] = {"terminal.and", " and "},
    [WORD_SEMICOLON] = {"terminal.semicolon", "; "},
    [WORD_POINTS] = {"terminal.points", "Points:"},
    [WORD_HAS_POINTS] = {"terminal.has-points", " player {0} has {1}"},
    [WORD_NO_MOVE] = {"terminal.no-move", "That is no move: "},
    [WORD_NOT_LEGAL] = {"terminal.not-legal", "Not legal: "},
    [WORD_IS_LEGAL] = {"terminal.is-legal", "{0} is legal."},
    [WORD_IS_NOT_LEGAL] = {"terminal.is-not-legal", "{0} is not legal: "},
    [WORD_MEANT] = {"terminal.meant", "Did you mean {0}?"},
    [WORD_MEANT_COMMAND] = {"terminal.meant-command", "Did you mean the command {0}?"},
    [WORD_NEAREST] = {"terminal.nearest", "The nearest place where it fits: {0}"},
    [WORD_SEE_MOVES] = {"terminal.see-moves", "Type moves to see the legal ones, help for more."},
    [WORD_AT_END] = {"terminal.at-end",
                     "Type review, rematch, undo, save FILE, or Enter to leave."},
    [WORD_AFTER_END] = {"terminal.after-end",
                        "The game is over. Type review, rematch, undo, save FILE, or quit."},
    [WORD_PROMPT_OVER] = {"terminal.prompt-over", "Game over> "},
    [WORD_NO_COMPUTER] = {"terminal.no-computer", "No computer plays here."},
    [WORD_NEW_LEVEL] = {"terminal.new-level", "The computer plays at level {0} now."},
    [WORD_SUCH_AS] = {"terminal.such-as", "Type a move, such as "},
    [WORD_OR_HELP] = {"terminal.or-help", ", or help."},
    [WORD_OR] = {"terminal.or", " or "},
    [WORD_OR_COMMAND] = {"terminal.or-command", ", or a command:"},
    [WORD_BEGIN_LIKE] = {"terminal.begin-like",
                         "{0} legal moves begin like this, such as {1}; moves {2} lists them."},
    [WORD_LEGAL_SUCH_AS] = {"terminal.legal-such-as", "{0} legal moves, such as "},
    [WORD_LEGAL_COUNT] = {"terminal.legal-count", "{0} legal moves:"},
    [WORD_PLACES] = {"terminal.places", "places: {0}"},
    [WORD_LISTS_PLACES] = {"terminal.lists-places", "moves {0} lists the places for that piece."},
    [WORD_NO_MOVES] = {"terminal.no-moves", "There are no moves: the game is over."},
    [WORD_NONE_BEGINS] = {"terminal.none-begins", "No legal move begins with {0}."},
    [WORD_WHY_WHAT] = {"terminal.why-what", "Why what? Type why and a move."},
    [WORD_SAVE_WHERE] = {"terminal.save-where", "Save where? Type save and a file name."},
    [WORD_SAVED] = {"terminal.saved", "Saved in"},
    [WORD_LOAD_WHAT] = {"terminal.load-what", "Load what? Type load and a file name."},
    [WORD_LEVEL_HOW] = {"terminal.level-how", "Type level and a number from 1 to {0}."},
    [WORD_MOVE_HOW] = {"terminal.move-how", "Type draw and a number of moves from 0 to {0}."},
    [WORD_NO_MEMORY] = {"terminal.no-memory", "There is no memory left."},
    [WORD_BY] = {"terminal.by", "{0}, by {1}."},
    [WORD_OPTIONS] = {"terminal.options", "Options:"},
    [WORD_HIDDEN_FILE] = {"terminal.hidden-file",
                          "Note: the file contains hidden information: every player's {0}. Anyone "
                          "who reads it knows."},
    [WORD_NOT_KEPT] = {"terminal.not-kept", "The game could not be saved:"},
    [WORD_HAD_SECRET] = {"terminal.had-secret", "{0} had this {1}: {2}"},
    [WORD_UNKNOWN_KIND] = {"terminal.unknown-kind",
                           "player {0} is a \"{1}\", a kind of player that does not exist here"},
    [WORD_DISC] = {"terminal.disc", "disc"},
    [WORD_NO_MOVES_YET] = {"terminal.no-moves-yet", "There are no moves yet."},
    [WORD_NOT_OVER] = {"terminal.not-over", "That is for the end of the game."},
    [WORD_REMATCH] = {"terminal.rematch", "A rematch, with the seats changed."},
    [WORD_REVIEW_CLEAN] = {"terminal.review-clean", "No move gave anything away."},
    [WORD_ANALYSIS_ON] = {"terminal.analysis-on", "The analysis is on."},
    [WORD_POSSIBILITIES] = {"terminal.possibilities", "{0} possibilities; type more of it."},
    [WORD_ASK_GAME] = {"terminal.ask-game", "Number or name [{0}]: "},
    [WORD_NO_SUCH_GAME] = {"terminal.no-such-game",
                           "There is no game \"{0}\". Type a number from 1 to {1}, or quit."},
    [WORD_FROM_TO] = {"terminal.from-to", "{0} to {1}"},
    [WORD_ASK_PEOPLE] = {"terminal.ask-people", "How many of the {0} players are people? [1]: "},
    [WORD_ASK_NUMBER] = {"terminal.ask-number", "Type a number from 0 to {0}."},
    [WORD_ASK_LEVEL] = {"terminal.ask-level", "How strong is the computer, from 1 to {0}? [{1}]: "},
    [WORD_LEVELS] = {"terminal.levels",
                     "Type a number from 1, for a beginner, to {0}, the best there is."},
    [WORD_ASK_CHOICE] = {"terminal.ask-choice", "Number from 1 to {0} [1]: "},
    [WORD_DOES_HELP] = {"terminal.does-help", "this list"},
    [WORD_DOES_MOVES] = {"terminal.does-moves", "the legal moves, or those that begin like this"},
    [WORD_DOES_WHY] = {"terminal.does-why", "whether a move is legal, and if not, why"},
    [WORD_DOES_HINT] = {"terminal.does-hint", "what the computer would play in your place"},
    [WORD_DOES_ANALYSE] = {"terminal.does-analyse",
                           "who is better, and the line to expect; on: before every move"},
    [WORD_DOES_LEVEL] = {"terminal.does-level",
                         "make the computer weaker or stronger, from 1 to 10"},
    [WORD_DOES_UNDO] = {"terminal.does-undo", "back to your last decision"},
    [WORD_DOES_REDO] = {"terminal.does-redo", "play the moves again that were taken back"},
    [WORD_DOES_DRAW] = {"terminal.does-draw", "draw the board again, or as it was after N moves"},
    [WORD_DOES_PIECES] = {"terminal.does-pieces", "where every piece is, in words"},
    [WORD_DOES_STATUS] = {"terminal.does-status", "who plays, and how the game stands"},
    [WORD_DOES_LIST] = {"terminal.does-list", "the moves so far"},
    [WORD_DOES_REVIEW] = {"terminal.does-review", "which moves were mistakes, and what was better"},
    [WORD_DOES_REMATCH] = {"terminal.does-rematch",
                           "after the end, another game with the seats changed"},
    [WORD_DOES_RULES] = {"terminal.does-rules", "the rules"},
    [WORD_DOES_SAVE] = {"terminal.does-save", "save the game"},
    [WORD_DOES_LOAD] = {"terminal.does-load", "continue a saved game"},
    [WORD_DOES_QUIT] = {"terminal.does-quit", "leave; so does Ctrl-D"},
    [WORD_ALL_LEGAL] = {"terminal.all-legal", "{0}, {1} moves, all legal."},
    [WORD_ONE_LEGAL] = {"terminal.one-legal", "{0}, 1 move, all legal."},
    [WORD_STILL_TO_MOVE] = {"terminal.still-to-move",
                            "The game is not over: player {0} is to move."},
    [WORD_GAME_OF] = {"terminal.game-of", "{0}, {1} moves."},
    [WORD_GAME_OF_ONE] = {"terminal.game-of-one", "{0}, 1 move."},
    [WORD_UNFINISHED] = {"terminal.unfinished", "The game is not over."},
    [WORD_HEAD_MOVE] = {"terminal.head-move", "move"},
    [WORD_HEAD_PLAYER] = {"terminal.head-player", "player"},
    [WORD_HEAD_PLAYED] = {"terminal.head-played", "played"},
    [WORD_HEAD_KEEP] = {"terminal.head-keep", "keep"},
    [WORD_HEAD_WORTH] = {"terminal.head-worth", "worth"},
    [WORD_HEAD_NOTE] = {"terminal.head-note", "better, or a note"},
    [WORD_COUNT_OF] = {"terminal.count-of", "{0} of {1}"},
    [WORD_LOST] = {"terminal.lost", "lost"},
    [WORD_DREW] = {"terminal.drew", "drawn"},
    [WORD_WON] = {"terminal.won", "won"},
    [WORD_BY_POINTS] = {"terminal.by-points", " by {0}"},
    [WORD_IN_MOVES] = {"terminal.in-moves", " in {0}"},
    [WORD_SLOWER] = {"terminal.slower", "slower by {0}"},
    [WORD_REPLIES_LOSE] = {"terminal.replies-lose", "{0} of {1} replies lose"},
    [WORD_NOTHING_TO_SPOIL] = {"terminal.nothing-to-spoil", "there was nothing to spoil."},
    [WORD_KEPT_OF] = {"terminal.kept-of",
                      "kept {0} of {1}, by chance it would have been {2}: {3}."},
    [WORD_NO_DIFFERENCE] = {"terminal.no-difference", "no move that made a difference."},
    [WORD_ACCURACY] = {"terminal.accuracy", "accuracy {0} % (moves: {1}"},
    [WORD_MISTAKES] = {"terminal.mistakes", ", mistakes: {0}"},
    [WORD_BLUNDERS] = {"terminal.blunders", ", blunders: {0}"},
    [WORD_BY_SEARCH] = {"terminal.by-search",
                        "Not all values are proven: accuracy is the share of a win that was kept, "
                        "by search."},
    [WORD_TURNED] = {"terminal.turned", "The result changed with move {0}, {1} of player {2}."},
    [WORD_TABLE_MEANS] =
        {"terminal.table-means",
         "Keep is how many of the legal moves kept the result. Worth is what a move leads to for "
         "the\nplayer who made it. Won, drawn and lost are proven, with the plies to the end or "
         "the margin;\n62 % is the share of a win to expect, by search; ~62 % is estimated."},
    [WORD_MINUTES_LEFT] = {"terminal.minutes-left", ", about {0} min left"},
    [WORD_SECONDS_LEFT] = {"terminal.seconds-left", ", about {0} s left"},
    [WORD_POSITION_OF] = {"terminal.position-of", "position {0} of {1}"},
    [WORD_ABOUT] = {"terminal.about", "Nonet plays nine wooden-box games."},
    [WORD_USAGE] = {"terminal.usage", "Usage:"},
    [WORD_MORE_HELP] = {"terminal.more-help",
                        "nonet help COMMAND shows more; nonet --version shows the version.\n"
                        "To play now: nonet play, or nonet serve for the browser"},
};

static const struct cli_texts *spoken; /* null: English */

static const char *find(const struct cli_texts *texts, const char *key) {
    int low = 0, high = texts->count;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(key, texts->texts[middle].key);
        if (order == 0)
            return texts->texts[middle].text;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const char *text_in(const void *context, const struct nonet_phrase *phrase) {
    return find(context, phrase->key);
}

bool cli_speak(const char *language) {
    static struct nonet_catalogue catalogue;
    char lower[8];
    struct nonet_text text = NONET_TEXT_IN(lower);
    cli_lower(language, &text);
    bool english = strncmp(lower, "en", 2) == 0;
    if (strlen(lower) < 2 || strchr("_.@-", language[2]) == NULL)
        return false;
    for (const struct cli_texts *texts = cli_all_texts; texts->language != NULL || english;
         texts++) {
        if (!english && strncmp(texts->language, lower, 2) != 0)
            continue;
        spoken = english ? NULL : texts;
        catalogue = (struct nonet_catalogue){text_in, texts};
        host_language = english ? NULL : &catalogue;
        return true;
    }
    return false;
}

/* The first of three variables of the environment that says something, or an empty text. */
static const char *said_by(const char *first, const char *second, const char *third) {
    const char *const names[] = {first, second, third};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "";
}

/* The encoding of the terminal. Many small systems have no locale of the language that somebody
 * asks for; where UTF-8 is meant, it is UTF-8 all the same. */
static void take_encoding(void) {
    const char *encoding = strchr(said_by("LC_ALL", "LC_CTYPE", "LANG"), '.');
    if (setlocale(LC_CTYPE, "") == NULL && encoding != NULL &&
        (strncasecmp(encoding, ".UTF-8", 6) == 0 || strncasecmp(encoding, ".UTF8", 5) == 0))
        setlocale(LC_CTYPE, "C.UTF-8");
}

void cli_speak_here(void) {
    take_encoding();
    cli_speak(said_by("LC_ALL", "LC_MESSAGES", "LANG"));
}

static int speak_flag(const char *language) {
    if (language == NULL)
        return cli_fail(CLI_USAGE, "%s needs a value after it", "--lang");
    if (cli_speak(language))
        return CLI_DONE;
    char list[64];
    struct nonet_text text = NONET_TEXT_IN(list);
    cli_list_languages(&text);
    return cli_fail(CLI_USAGE, "--lang cannot be \"%s\"; the languages are %s",
                    nonet_quote(language).text, list);
}

int cli_take_language(int *argc, char **argv) {
    int kept = 0, code = CLI_DONE;
    bool only_words = false;
    for (int i = 0; i < *argc && code == CLI_DONE; i++) {
        only_words |= strcmp(argv[i], "--") == 0;
        if (!only_words && strcmp(argv[i], "--lang") == 0)
            code = speak_flag(argv[++i]);
        else if (!only_words && strncmp(argv[i], "--lang=", 7) == 0)
            code = speak_flag(argv[i] + 7);
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    *argc = kept;
    return code;
}

const char *cli_language_id(void) {
    return spoken == NULL ? "en" : spoken->language;
}

void cli_list_languages(struct nonet_text *out) {
    nonet_text_add(out, "en");
    for (const struct cli_texts *texts = cli_all_texts; texts->language != NULL; texts++)
        nonet_text_format(out, ", %s", texts->language);
}

const char *cli_text_of(const char *key, const char *english) {
    const char *text = spoken != NULL ? find(spoken, key) : NULL;
    return text != NULL ? text : english;
}

/* An option that all games have is told once for all of them. */
static const char *option_text(const char *game, const char *option, const char *value,
                               const char *english) {
    char key[160];
    snprintf(key, sizeof key, "%s.%s%s%s", game, option, value[0] != '\0' ? "." : "", value);
    const char *text = cli_text_of(key, NULL);
    if (text != NULL)
        return text;
    /* What only some people set, such as a deal, is found by its English text. */
    return strcmp(game, "common") == 0 ? cli_text_of(english, english)
                                       : option_text("common", option, value, english);
}

const char *cli_option_label(const struct nonet_game *game, const struct nonet_option *option) {
    return option_text(game->id, option->key, "label", option->key);
}

const char *cli_option_help(const struct nonet_game *game, const struct nonet_option *option) {
    return option_text(game->id, option->key, "", option->help);
}

const char *cli_option_value(const struct nonet_game *game, const struct nonet_option *option,
                             const char *value) {
    return option_text(game->id, option->key, value, value);
}

void cli_write(struct nonet_text *out, struct nonet_message message) {
    nonet_message_write(&message, host_language, out);
}

int cli_output_words(const char *words) {
    size_t room = 2 * strlen(words) + 1;
    char *bytes = cli_needs_ascii() ? malloc(room) : NULL;
    if (bytes == NULL)
        return cli_output(words);
    struct nonet_text text = nonet_text_in(bytes, room);
    nonet_text_ascii(&text, words, strlen(words));
    int code = cli_output(bytes);
    free(bytes);
    return code;
}

void cli_say_result(const struct nonet_session *session, struct nonet_text *out) {
    struct nonet_result result;
    nonet_session_result(session, &result);
    int players = nonet_session_options(session)->players;
    int count = __builtin_popcount(result.winners), told = 0;
    char list[64];
    struct nonet_text names = NONET_TEXT_IN(list);
    for (int player = 1; player <= players; player++)
        if (result.winners >> (player - 1) & 1) {
            if (++told > 1)
                nonet_text_add(&names, told == count ? cli_text_of("terminal.and", " and ") : ", ");
            nonet_text_format(&names, "%d", player);
        }
    cli_write(out, nonet_say(&cli_words[count == players ? WORD_DRAWN
                                        : count == 1     ? WORD_WINS
                                                         : WORD_WIN],
                             nonet_quote(list)));
    if (result.reason.phrase != NULL) {
        cli_write(out, nonet_say(&nonet_common[NONET_SAY_COLON]));
        cli_write(out, result.reason);
    }
    nonet_text_add(out, ".\n");
    if (!result.has_points)
        return;
    cli_write(out, nonet_say(&cli_words[WORD_POINTS]));
    for (int player = 1; player <= players; player++) {
        nonet_text_add(out, player > 1 ? "," : "");
        cli_write(out, nonet_say(&cli_words[WORD_HAS_POINTS], nonet_number(player),
                                 nonet_number(result.points[player - 1])));
    }
    nonet_text_add(out, ".\n");
}
