/* nonet play: a game in the terminal, against people or computers. This file finds out which game
 * to play, and asks for what the command line leaves open; tabletop.c plays it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "drawing.h"
#include "kept.h"
#include "screen.h"
#include "screen_play.h"
#include "words.h"

struct flags {
    const char *seats, *load, *save, *seed, *level;
    bool ascii, plain;
    bool screen; /* the game fills the screen */
};

/* Asks with words of ours; null if there is no answer, or the person wants to leave. */
static const char *ask(struct tabletop *tabletop, struct nonet_message words) {
    char prompt[256];
    struct nonet_text text = NONET_TEXT_IN(prompt);
    cli_write(&text, words);
    const char *answer = terminal_read(tabletop->terminal, prompt);
    bool quits = answer != NULL && (strcasecmp(answer, "quit") == 0 || strcmp(answer, "q") == 0);
    if (answer == NULL)
        tabletop->on_prompt = true;
    return quits ? NULL : answer;
}

/* Asks for a number up to `most`; *number stays if the answer is empty. False if the person wants
 * to leave. What is said about a wrong answer ends with `most`. */
static bool ask_number(struct tabletop *tabletop, struct nonet_message words, uint64_t least,
                       uint64_t most, enum cli_word wrong, int *number) {
    for (;;) {
        const char *answer = ask(tabletop, words);
        if (answer == NULL)
            return false;
        uint64_t given = (uint64_t)*number;
        if (answer[0] == '\0' || (cli_number(answer, most, &given) && given >= least)) {
            *number = (int)given;
            return true;
        }
        tabletop_say(tabletop, nonet_say(&cli_words[wrong], nonet_number((int32_t)most)));
    }
}

static const struct nonet_game *ask_game(struct tabletop *tabletop) {
    tabletop_say(tabletop, nonet_say(&cli_words[WORD_CHOOSE_GAME]));
    terminal_say(tabletop->terminal, "\n");
    for (int i = 0; i < nonet_game_count; i++) {
        const struct nonet_game *game = nonet_games[i];
        char players[16], line[512], key[64];
        snprintf(players, sizeof players, game->min_players == game->max_players ? "%d" : "%d-%d",
                 game->min_players, game->max_players);
        snprintf(key, sizeof key, "%s.summary", game->id);
        struct nonet_text text = NONET_TEXT_IN(line);
        nonet_text_format(&text, "%3d  %-11s ", i + 1, game->title);
        cli_write(&text, nonet_say(&cli_words[WORD_COUNT_PLAYERS], nonet_quote(players)));
        terminal_format(tabletop->terminal, "%s  %s\n", line, cli_text_of(key, game->summary));
    }
    terminal_say(tabletop->terminal, "\n");
    const struct nonet_game *game = NULL;
    while (game == NULL) {
        const char *answer =
            ask(tabletop, nonet_say(&cli_words[WORD_ASK_GAME], nonet_quote(nonet_games[0]->title)));
        if (answer == NULL)
            return NULL;
        uint64_t number = 0;
        if (answer[0] == '\0')
            number = 1;
        if (number > 0 || cli_number(answer, (uint64_t)nonet_game_count, &number))
            game = number > 0 ? nonet_games[number - 1] : NULL;
        else
            game = cli_game_named(answer);
        if (game == NULL)
            tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_SUCH_GAME], nonet_quote(answer),
                                             nonet_number(nonet_game_count)));
    }
    return game;
}

static void say_reason(struct tabletop *tabletop, const struct nonet_message *why) {
    char reason[512];
    struct nonet_text text = NONET_TEXT_IN(reason);
    cli_write(&text, *why);
    terminal_format(tabletop->terminal, "%s.\n", reason);
}

/* Asks for each option that people choose. Chance decides some, and some go without saying. */
static bool ask_options(struct tabletop *tabletop, struct nonet_options *options) {
    static const struct nonet_phrase prompt = {"", "{0} [{1}]: "};
    const struct nonet_option *table = options->game->options;
    for (int i = 0; table[i].key != NULL; i++) {
        if (table[i].tacit || !nonet_option_is_asked(&table[i]))
            continue;
        char about[512], least[NONET_OPTION_TEXT], most[NONET_OPTION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(about);
        nonet_text_format(&text, "%s (", cli_option_help(options->game, &table[i]));
        nonet_option_range(&table[i], least, most);
        if (table[i].kind != NONET_CHOICE)
            cli_write(&text,
                      nonet_say(&cli_words[WORD_FROM_TO], nonet_quote(least), nonet_quote(most)));
        else
            nonet_text_add(&text, table[i].values);
        about[0] = (char)toupper((unsigned char)about[0]);
        terminal_format(tabletop->terminal, "%s)\n", about);
        for (;;) {
            const char *answer = ask(tabletop, nonet_say(&prompt, nonet_quote(table[i].key),
                                                         nonet_quote(options->value[i].text)));
            if (answer == NULL)
                return false;
            char assignment[256];
            text = NONET_TEXT_IN(assignment);
            nonet_text_format(&text, "%s=%s", table[i].key, answer);
            struct nonet_message why;
            if (answer[0] == '\0' || nonet_options_set(options, assignment, &why))
                break;
            say_reason(tabletop, &why);
        }
    }
    return true;
}

/* Asks how many people play; they get the first seats. */
static bool ask_people(struct tabletop *tabletop, int players, int *people) {
    *people = 1;
    return ask_number(tabletop, nonet_say(&cli_words[WORD_ASK_PEOPLE], nonet_number(players)), 0,
                      (uint64_t)players, WORD_ASK_NUMBER, people);
}

/* Asks how strong the computers should be. */
static bool ask_level(struct tabletop *tabletop) {
    return ask_number(tabletop,
                      nonet_say(&cli_words[WORD_ASK_LEVEL], nonet_number(NONET_SEARCH_LEVELS),
                                nonet_number(tabletop->level)),
                      1, NONET_SEARCH_LEVELS, WORD_LEVELS, &tabletop->level);
}

/* Seats the players that --seats names, one for each. */
static int seat_named(struct tabletop *tabletop, const char *list) {
    int players = nonet_session_options(tabletop->record.session)->players;
    int seat = 0;
    for (const char *next = list; next != NULL; seat++) {
        char kind[RECORD_KIND];
        struct nonet_text text = NONET_TEXT_IN(kind);
        nonet_text_format(&text, "%.*s", (int)strcspn(next, ","), next);
        if (seat < players && !tabletop_seat(tabletop, seat + 1, kind))
            return cli_fail(CLI_USAGE,
                            "there is no player \"%s\"; a seat is human, random, computer, or a "
                            "level from 1 to 10",
                            nonet_quote(kind).text);
        next = strchr(next, ',');
        if (next != NULL)
            next++;
    }
    if (seat != players)
        return cli_fail(CLI_USAGE, "--seats names %d of %d players", seat, players);
    return CLI_DONE;
}

/* Refuses contradictions on the command line. */
static int check_usage(const struct cli_arguments *arguments, const struct flags *flags) {
    if (arguments->word_count > 0)
        return cli_fail(CLI_USAGE, "\"%s\" is too much; moves are typed in the game",
                        nonet_quote(arguments->words[0]).text);
    if (flags->load != NULL && arguments->game != NULL)
        return cli_fail(CLI_USAGE, "the file of --load says which game it is, so name none");
    if (flags->load != NULL && strcmp(flags->load, "-") == 0)
        return cli_fail(CLI_USAGE, "--load needs a file; the standard input is for your moves");
    if (arguments->from != NULL && arguments->game == NULL)
        return cli_fail(CLI_USAGE, "name the game that --from is a position of");
    return CLI_DONE;
}

/* Whether the command line says nothing about the game but its name, so that a game that was left
 * may be meant. */
static bool says_only_game(const struct cli_arguments *arguments, const struct flags *flags) {
    if (flags->load != NULL || flags->save != NULL || flags->seats != NULL || flags->seed != NULL ||
        arguments->from != NULL)
        return false;
    struct nonet_options usual;
    if (arguments->game != NULL)
        nonet_options_default(&usual, arguments->game);
    for (int i = 0; arguments->game != NULL && arguments->game->options[i].key != NULL; i++)
        if (strcmp(usual.value[i].text, arguments->options.value[i].text) != 0)
            return false;
    return true;
}

/* Offers to go on with a game that was left; false if the person wants to leave. */
static bool offer_kept(struct tabletop *tabletop, const struct nonet_game *game,
                       struct flags *flags) {
    static char path[TABLETOP_PATH];
    int moves = kept_moves(game), choice = 1;
    if (moves == 0)
        return true;
    char bytes[256];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_text_add(&text, "  1  ");
    cli_write(&text,
              nonet_say(&cli_words[WORD_CONTINUE], nonet_quote(game->title), nonet_number(moves)));
    nonet_text_add(&text, "\n  2  ");
    cli_write(&text, nonet_say(&cli_words[WORD_NEW_GAME], nonet_quote(game->title)));
    terminal_format(tabletop->terminal, "%s\n", bytes);
    if (!ask_number(tabletop, nonet_say(&cli_words[WORD_ASK_CHOICE], nonet_number(2)), 1, 2,
                    WORD_ASK_CHOICE, &choice))
        return false;
    if (choice == 1 && kept_path(game, path, sizeof path))
        flags->load = path;
    return true;
}

/* Asks for a game's options and players. False if the person wants to leave. */
static bool ask_about(struct tabletop *tabletop, struct cli_arguments *arguments,
                      const struct flags *flags) {
    int people = -1;
    for (;;) {
        nonet_options_default(&arguments->options, arguments->game);
        struct nonet_message why;
        if (!ask_options(tabletop, &arguments->options))
            return false;
        if (nonet_options_check(&arguments->options, &why))
            break;
        say_reason(tabletop, &why);
    }
    int players = arguments->options.players;
    if (flags->seats == NULL && !ask_people(tabletop, players, &people))
        return false;
    if (flags->seats == NULL && flags->level == NULL && people < players && !ask_level(tabletop))
        return false;
    for (int seat = 1; seat <= people; seat++)
        strcpy(tabletop->record.seats[seat - 1].kind, "human");
    for (int seat = people + 1; people >= 0 && seat <= players; seat++)
        strcpy(tabletop->record.seats[seat - 1].kind, "computer");
    terminal_say(tabletop->terminal, "\n");
    return true;
}

/* Asks line by line what the command line leaves open. False if the person wants to leave. */
static bool ask_in_lines(struct tabletop *tabletop, struct cli_arguments *arguments,
                         struct flags *flags) {
    bool open = flags->load == NULL && arguments->game == NULL;
    bool resumable = terminal_has_person(tabletop->terminal) && says_only_game(arguments, flags);
    if (open)
        arguments->game = ask_game(tabletop);
    if (flags->load == NULL && arguments->game == NULL)
        return false;
    if (resumable && !offer_kept(tabletop, arguments->game, flags))
        return false;
    return !open || flags->load != NULL || ask_about(tabletop, arguments, flags);
}

/* Asks on the screen what the command line leaves open. False if the person wants to leave. */
static bool ask_on_screen(struct tabletop *tabletop, struct cli_arguments *arguments,
                          struct flags *flags) {
    static char path[TABLETOP_PATH];
    if (!says_only_game(arguments, flags) && (arguments->game != NULL || flags->load != NULL))
        return true;
    enum screen_choice choice = screen_menu(tabletop, arguments, path);
    if (choice == SCREEN_RESUME)
        flags->load = path;
    screen_close();
    return choice != SCREEN_QUIT;
}

/* Finds or makes the game to play. False, with the exit code, when there is nothing to play. */
static bool set_up(struct tabletop *tabletop, struct cli_arguments *arguments, struct flags *flags,
                   int *code) {
    if (!(flags->screen ? ask_on_screen : ask_in_lines)(tabletop, arguments, flags)) {
        *code = tabletop_leave(tabletop);
        return false;
    }
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (flags->load != NULL) {
        if (!record_read_file(flags->load, &tabletop->record, &why)) {
            *code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(flags->load), reason);
            return false;
        }
        tabletop_remember_path(tabletop, flags->load);
        int ply = nonet_session_ply(tabletop->record.session);
        tabletop->timed = tabletop->record.times != NULL || ply == 0 ? ply : -1;
    } else {
        tabletop->record.session = cli_open(arguments, NULL, 0, code);
        if (tabletop->record.session == NULL)
            return false;
    }
    if (flags->seats != NULL) {
        *code = seat_named(tabletop, flags->seats);
        if (*code != CLI_DONE)
            return false;
    } else if (!tabletop_seat_record(tabletop, &why)) {
        *code = cli_fail(CLI_FAILED, "%s; say who plays with --seats", reason);
        return false;
    }
    /* Better now than after an hour of play. */
    if (flags->save != NULL && !record_save(flags->save, &tabletop->record, &why)) {
        *code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(flags->save), reason);
        return false;
    }
    if (flags->save != NULL)
        tabletop_remember_path(tabletop, flags->save);
    if (flags->screen || terminal_has_person(tabletop->terminal))
        tabletop_keep_for_next_time(tabletop);
    return true;
}

static int play_on_screen(struct tabletop *tabletop, bool ascii) {
    if (!screen_open(ascii))
        return cli_fail(CLI_FAILED, "the terminal cannot be used as a screen; try --plain");
    return screen_play(tabletop);
}

static int run(int argc, char **argv) {
    struct flags given = {0};
    const struct cli_flag flags[] = {
        {"--seats", &given.seats, NULL}, {"--load", &given.load, NULL},
        {"--save", &given.save, NULL},   {"--seed", &given.seed, NULL},
        {"--level", &given.level, NULL}, {"--ascii", NULL, &given.ascii},
        {"--plain", NULL, &given.plain}, {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code == CLI_DONE)
        code = check_usage(&arguments, &given);
    if (code != CLI_DONE)
        return code;
    struct tabletop tabletop = {.keep = given.save, .level = TABLETOP_LEVEL};
    if (given.level != NULL && !tabletop_read_level(given.level, &tabletop.level))
        return cli_fail(CLI_USAGE, "--level cannot be \"%s\"; it is a number from 1 to %d",
                        nonet_quote(given.level).text, NONET_SEARCH_LEVELS);
    if (given.seed != NULL ? !cli_number(given.seed, UINT64_MAX, &tabletop.seed)
                           : !cli_random(&tabletop.seed))
        return given.seed == NULL
                   ? CLI_FAILED
                   : cli_fail(CLI_USAGE, "--seed cannot be \"%s\"; it is a whole number",
                              nonet_quote(given.seed).text);
    tabletop.style = cli_text_style();
    if (given.ascii)
        tabletop.style.unicode = tabletop.style.colour = false;
    given.screen = !given.plain && screen_possible();
    tabletop.terminal = terminal_open(given.screen ? NULL : tabletop_complete, &tabletop);
    if (tabletop.terminal == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    tabletop.style.colour &= terminal_has_screen(tabletop.terminal);
    if (given.screen && !screen_open(given.ascii))
        code = cli_fail(CLI_FAILED, "the terminal cannot be used as a screen; try --plain");
    else if (set_up(&tabletop, &arguments, &given, &code) && given.screen)
        code = play_on_screen(&tabletop, given.ascii);
    else if (code == CLI_DONE && tabletop.record.session != NULL)
        code = tabletop_run(&tabletop);
    terminal_close(tabletop.terminal);
    record_close(&tabletop.record);
    return code;
}

const struct cli_command cli_play = {
    .name = "play",
    .usage = "[GAME] [-o key=value]… [--from TEXT] [--seats WHO,…] [--level N]\n"
             "       [--load FILE] [--save FILE] [--seed N] [--lang L] [--ascii] [--plain]",
    .brief = "play in the terminal, against people or the computer",
    .help =
        "On a terminal the game fills the screen, and ? shows the keys. Without GAME it asks\n"
        "which. A game that is left is kept, and offered the next time. With --plain, or where\n"
        "there is no screen, you type moves, and help lists what else you can type.\n\n"
        "  -o key=value   set an option of the game; nonet games lists them\n"
        "  --from TEXT    begin at this position (the \"text\" that nonet position prints)\n"
        "  --seats WHO,…  for each player human, computer, random, or a level from 1 to 10; by\n"
        "                 default player 1 is a human and the others are computers\n"
        "  --level N      how strong a computer is, from 1, for a beginner, to 10; by default 5\n"
        "  --load FILE    continue a saved game\n"
        "  --save FILE    keep the game in FILE, from the start and after every move\n"
        "  --seed N       make the computer's choices repeatable\n"
        "  --lang L       speak this language: en, fr, de, nl or it; by default yours\n"
        "  --ascii        plain ASCII without colours\n"
        "  --plain        line by line, also for a screen reader\n\n"
        "Moves and commands can come from a pipe too. Exit code: 0 at the end of the game or\n"
        "the input and after quit, 130 after Ctrl-C, 1 when the output or a file cannot be\n"
        "read or written, 2 for bad usage.\n",
    .run = run,
};
