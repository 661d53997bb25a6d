#include "cli.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool cli_needs_ascii(void) {
    return host_language != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

int cli_fail(int code, const char *format, ...) {
    char line[8192], ascii[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, host_words(format), arguments);
    va_end(arguments);
    struct nonet_text text = NONET_TEXT_IN(ascii);
    nonet_text_ascii(&text, line, strlen(line));
    fprintf(stderr, "nonet: %s\n", cli_needs_ascii() ? ascii : line);
    return code;
}

int cli_fail_because(int code, const char *prefix, const struct nonet_message *why) {
    char reason[512];
    struct nonet_text text = NONET_TEXT_IN(reason);
    nonet_message_write(why, host_language, &text);
    return cli_fail(code, "%s%s", prefix, reason);
}

int cli_fail_setup(int code, const struct nonet_setup_error *error) {
    char line[1024];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_setup_explain(error, host_language, &text);
    return cli_fail(code, "%s", line);
}

void cli_note(const char *line) {
    if (line != NULL)
        fprintf(stderr, "nonet: %s\n", line);
}

void cli_lower(const char *text, struct nonet_text *out) {
    for (; *text != '\0'; text++)
        nonet_text_char(out, *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text);
}

/* Letters and digits in lower case: of "Mix 3" and "MIX3" they are the same. */
static void squeeze(const char *text, struct nonet_text *out) {
    for (; *text != '\0'; text++)
        if (strchr(" -_", *text) == NULL)
            nonet_text_char(out, *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text);
}

const struct nonet_game *cli_game_named(const char *name) {
    char squeezed[64];
    struct nonet_text text = NONET_TEXT_IN(squeezed);
    squeeze(name, &text);
    return text.cut ? NULL : nonet_game_find(squeezed);
}

const struct nonet_game *cli_find_game(const char *name) {
    const struct nonet_game *game = cli_game_named(name);
    if (game == NULL) {
        char list[256];
        struct nonet_text text = NONET_TEXT_IN(list);
        for (int i = 0; i < nonet_game_count; i++)
            nonet_text_format(&text, "%s%s", i > 0 ? ", " : "", nonet_games[i]->id);
        struct nonet_argument typed = nonet_quote(name);
        cli_fail(CLI_USAGE, "there is no game \"%s\"; the games are %s", typed.text, list);
    }
    return game;
}

const struct nonet_game *cli_take_game(char ***words, int *count) {
    char joined[64];
    struct nonet_text text = NONET_TEXT_IN(joined);
    /* A name of two words, as in: nonet rules mix 3. */
    if (*count > 1)
        nonet_text_format(&text, "%s %s", (*words)[0], (*words)[1]);
    bool two = *count > 1 && !text.cut && cli_game_named((*words)[0]) == NULL &&
               cli_game_named(joined) != NULL;
    const struct nonet_game *game = cli_find_game(two ? joined : (*words)[0]);
    *words += two ? 2 : 1;
    *count -= two ? 2 : 1;
    return game;
}

/* The flag that a word names, or null. `length` is the word's length before any "=". */
static const struct cli_flag *find_flag(const struct cli_flag *flags, const char *word,
                                        size_t length) {
    for (; flags->name != NULL; flags++)
        if (strncmp(flags->name, word, length) == 0 && flags->name[length] == '\0')
            return flags;
    return NULL;
}

/* Takes the flag at argv[*i] and its value; CLI_USAGE if it is in neither list. */
static int take_flag(int argc, char **argv, int *i, const struct cli_flag *flags,
                     const struct cli_flag *common) {
    const char *word = argv[*i];
    const char *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const struct cli_flag *flag = find_flag(flags, word, length);
    if (flag == NULL)
        flag = find_flag(common, word, length);
    if (flag == NULL)
        return cli_fail(CLI_USAGE, "there is no flag \"%s\" here; see --help",
                        nonet_quote(word).text);
    if (flag->present != NULL)
        *flag->present = true;
    if (flag->value == NULL) {
        if (equals != NULL)
            return cli_fail(CLI_USAGE, "%s takes no value", flag->name);
    } else if (equals != NULL) {
        *flag->value = equals + 1;
    } else if (*i + 1 < argc) {
        *flag->value = argv[++*i];
    } else {
        return cli_fail(CLI_USAGE, "%s needs a value after it", flag->name);
    }
    return CLI_DONE;
}

static int parse_words(int argc, char **argv, const struct cli_flag *flags,
                       const struct cli_flag *common, char ***words, int *count) {
    *words = argv;
    *count = 0;
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0') {
            int code = take_flag(argc, argv, &i, flags, common);
            if (code != CLI_DONE)
                return code;
        } else {
            argv[(*count)++] = argv[i];
        }
    }
    return CLI_DONE;
}

int cli_parse_words(int argc, char **argv, const struct cli_flag *flags, char ***words,
                    int *count) {
    return parse_words(argc, argv, flags, &(struct cli_flag){0}, words, count);
}

int cli_parse(int argc, char **argv, const struct cli_flag *flags,
              struct cli_arguments *arguments) {
    *arguments = (struct cli_arguments){0};
    enum { MOST_OPTIONS = 64 };
    const char *assignments[MOST_OPTIONS];
    int assignment_count = 0;
    char **kept = argv;
    int kept_count = 0;
    bool only_words = false;
    /* -o may be given any number of times, so it is taken out before the other flags are read. */
    for (int i = 0; i < argc; i++) {
        bool option = !only_words && strncmp(argv[i], "-o", 2) == 0;
        only_words |= strcmp(argv[i], "--") == 0;
        if (!option) {
            kept[kept_count++] = argv[i];
            continue;
        }
        const char *assignment = argv[i][2] != '\0' ? argv[i] + 2 : i + 1 < argc ? argv[++i] : NULL;
        if (assignment == NULL)
            return cli_fail(CLI_USAGE, "-o needs key=value after it");
        if (assignment_count == MOST_OPTIONS)
            return cli_fail(CLI_USAGE, "more than %d options", MOST_OPTIONS);
        assignments[assignment_count++] = assignment;
    }
    const struct cli_flag common[] = {{"--from", &arguments->from, NULL}, {0}};
    int code =
        parse_words(kept_count, kept, flags, common, &arguments->words, &arguments->word_count);
    if (code != CLI_DONE)
        return code;
    if (arguments->word_count == 0)
        return assignment_count == 0 ? CLI_DONE
                                     : cli_fail(CLI_USAGE, "name the game before its options");
    arguments->game = cli_take_game(&arguments->words, &arguments->word_count);
    if (arguments->game == NULL)
        return CLI_USAGE;
    nonet_options_default(&arguments->options, arguments->game);
    struct nonet_message why;
    for (int i = 0; i < assignment_count; i++)
        if (!nonet_options_set(&arguments->options, assignments[i], &why))
            return cli_fail_because(CLI_USAGE, "", &why);
    const struct nonet_setup setup = {arguments->options, arguments->from};
    struct nonet_setup_error error;
    return nonet_setup_check(&setup, &error) ? CLI_DONE : cli_fail_setup(CLI_USAGE, &error);
}

bool cli_random(uint64_t *number) {
    if (getrandom(number, sizeof *number, 0) == (ssize_t)sizeof *number)
        return true;
    cli_fail(CLI_FAILED, "the system gives no random numbers: %s", host_error(errno));
    return false;
}

bool cli_chance(const struct nonet_options *options, struct nonet_chance *chance) {
    *chance = (struct nonet_chance){0};
    return options->game->deal == NULL ||
           (cli_random(&chance->open) && cli_random(&chance->secret));
}

/* Whether the typed text is the only legal move that is written so but for its case. */
static bool is_listed(const struct nonet_session *session, const char *typed, cli_move_text found) {
    const struct nonet_options *options = nonet_session_options(session);
    uint64_t count = options->game->wide != NULL ? 0 : nonet_session_count(session);
    int same = 0;
    for (uint64_t i = 0; i < count; i++) {
        cli_move_text move;
        struct nonet_text text = NONET_TEXT_IN(move);
        options->game->print(options, nonet_session_nth(session, i), &text);
        if (strcasecmp(move, typed) == 0 && same++ == 0)
            memcpy(found, move, sizeof move);
    }
    return same == 1;
}

const char *cli_spell_move(const struct nonet_session *session, const char *typed,
                           cli_move_text spelled) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_text lower = nonet_text_in(spelled, sizeof(cli_move_text));
    struct nonet_message why;
    nonet_move move;
    if (options->game->parse(options, typed, &move, &why))
        return typed;
    if (is_listed(session, typed, spelled))
        return spelled;
    cli_lower(typed, &lower);
    return !lower.cut && options->game->parse(options, spelled, &move, &why) ? spelled : typed;
}

struct nonet_session *cli_open(struct cli_arguments *arguments, char **moves, int move_count,
                               int *code) {
    *code = CLI_FAILED;
    const struct nonet_setup setup = {arguments->options, arguments->from};
    struct nonet_chance chance;
    if (!cli_chance(&setup.options, &chance))
        return NULL;
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_open(&setup, &chance, &error);
    bool good = session != NULL;
    for (int i = 0; good && i < move_count; i++) {
        cli_move_text spelled;
        good = nonet_setup_play(session, cli_spell_move(session, moves[i], spelled), &error);
    }
    if (!good) {
        cli_fail_setup(CLI_FAILED, &error);
        nonet_session_free(session);
        return NULL;
    }
    arguments->options = *nonet_session_options(session);
    *code = CLI_DONE;
    return session;
}

bool cli_number(const char *text, uint64_t most, uint64_t *number) {
    uint64_t sum = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (digit > most || sum > (most - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    *number = sum;
    return true;
}

int cli_number_flag(const char *flag, const char *text, uint64_t least, uint64_t most,
                    uint64_t *number) {
    if (text == NULL || (cli_number(text, most, number) && *number >= least))
        return CLI_DONE;
    return cli_fail(CLI_USAGE, "%s cannot be \"%s\"; it is a number from %llu to %llu", flag,
                    nonet_quote(text).text, (unsigned long long)least, (unsigned long long)most);
}

bool cli_seconds(const char *text, double *seconds) {
    char *end;
    if (text[0] == '\0' || text[strspn(text, "0123456789.")] != '\0')
        return false;
    *seconds = strtod(text, &end);
    return *end == '\0' && *seconds > 0 && *seconds <= 1e6;
}

bool cli_bytes(const char *text, uint64_t *bytes) {
    static const char units[] = "KMG";
    char digits[24];
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof digits)
        return false;
    strcpy(digits, text);
    const char *unit = strchr(units, digits[length - 1]);
    int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    if (unit != NULL)
        digits[length - 1] = '\0';
    if (!cli_number(digits, UINT64_MAX >> shift, bytes))
        return false;
    *bytes <<= shift;
    return true;
}

int cli_fail_output(int error) {
    /* A reader who closes a pipe has read enough: that ends a program silently, by the signal. */
    if (error == EPIPE) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    return cli_fail(CLI_FAILED, "cannot write the output: %s", host_error(error));
}

int cli_output_to(FILE *file, const char *text) {
    return fputs(text, file) == EOF || fflush(file) == EOF ? cli_fail_output(errno) : CLI_DONE;
}

int cli_output(const char *text) {
    return cli_output_to(stdout, text);
}

const char *cli_printable(const char *name) {
    static char line[256];
    struct nonet_text text = NONET_TEXT_IN(line);
    for (; *name != '\0'; name++)
        nonet_text_char(&text, (unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name);
    return line;
}

const char *cli_file_name(const char *path) {
    return strcmp(path, "-") == 0 ? host_words("the standard input") : cli_printable(path);
}

int cli_seat(const char *as, int players, int *seat) {
    uint64_t number = 0;
    if (as != NULL && (!cli_number(as, (uint64_t)players, &number) || number == 0))
        return cli_fail(CLI_USAGE, "--as cannot be \"%s\"; it is a player from 1 to %d",
                        nonet_quote(as).text, players);
    *seat = (int)number;
    return CLI_DONE;
}
