#include "words.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

const struct nonet_phrase cli_words[CLI_WORDS] = {
    [WORD_TO_MOVE] = {"terminal.to-move", "{0} to move"},
    [WORD_PLAYER] = {"terminal.player", "Player {0}"},
    [WORD_NAMED] = {"terminal.named", "{0} (player {1})"},
    [WORD_YOU] = {"terminal.you", "you"},
    [WORD_PERSON] = {"terminal.person", "a person"},
    [WORD_COMPUTER] = {"terminal.computer", "computer, level {0}"},
    [WORD_RANDOM] = {"terminal.random", "computer, at random"},
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
                   "Tab             to the next lit place\n"
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
    [WORD_FITS_NOWHERE] = {"terminal.fits-nowhere", "Turned like this, it fits nowhere."},
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
    [WORD_LEAVE] = {"terminal.leave", "Leave"},
    [WORD_TYPE] = {"terminal.type", "Move or command:"},
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
        cli_language = english ? NULL : &catalogue;
        return true;
    }
    return false;
}

void cli_speak_here(void) {
    setlocale(LC_CTYPE, "");
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        cli_speak(value);
        return;
    }
}

int cli_speak_flag(const char *language) {
    if (language == NULL || cli_speak(language))
        return CLI_DONE;
    char list[64];
    struct nonet_text text = NONET_TEXT_IN(list);
    cli_list_languages(&text);
    return cli_fail(CLI_USAGE, "--lang cannot be \"%s\"; the languages are %s",
                    nonet_quote(language).text, list);
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

void cli_write(struct nonet_text *out, struct nonet_message message) {
    nonet_message_write(&message, cli_language, out);
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
