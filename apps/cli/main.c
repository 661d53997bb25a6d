/* The `nonet` command: finds the subcommand and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "screen.h"
#include "words.h"

static const struct cli_command *const commands[] = {
    &cli_play,     &cli_serve,  &cli_games,  &cli_rules,   &cli_position, &cli_draw,
    &cli_replay,   &cli_record, &cli_think,  &cli_analyse, &cli_probe,    &cli_puzzles,
    &cli_solve,    &cli_verify, &cli_export, &cli_perft,   &cli_match,    &cli_selfplay,
    &cli_openings, &cli_book,   &cli_trial,  &cli_ugi,     &cli_bench,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* What a command says about itself, "command" for what it does or "help", in the language that is
 * spoken. */
static const char *told_by(const struct cli_command *command, const char *what,
                           const char *english) {
    char key[64];
    snprintf(key, sizeof key, "%s.%s", what, command->name);
    return cli_text_of(key, english);
}

static const char *brief_of(const struct cli_command *command) {
    return told_by(command, "command", command->brief);
}

static int help(void) {
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text, nonet_say(&cli_words[WORD_ABOUT]));
    nonet_text_add(&text, "\n\n");
    cli_write(&text, nonet_say(&cli_words[WORD_USAGE]));
    nonet_text_add(&text, " nonet COMMAND …\n\n");
    for (int i = 0; i < COMMANDS; i++)
        nonet_text_format(&text, "  %-10s %s\n", commands[i]->name, brief_of(commands[i]));
    nonet_text_char(&text, '\n');
    cli_write(&text, nonet_say(&cli_words[WORD_MORE_HELP]));
    nonet_text_char(&text, '\n');
    return cli_output_words(bytes);
}

static int command_help(const struct cli_command *command) {
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_text_format(&text, "nonet %s: %s\n\n", command->name, brief_of(command));
    cli_write(&text, nonet_say(&cli_words[WORD_USAGE]));
    nonet_text_format(&text, " nonet %s %s\n\n%s", command->name, command->usage,
                      told_by(command, "help", command->help));
    return cli_output_words(bytes);
}

static const struct cli_command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    cli_fail(CLI_USAGE, "there is no command \"%s\"; nonet --help lists them",
             nonet_quote(name).text);
    return NULL;
}

static bool asks_for_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    /* A closed pipe and a file that may not grow are failed writes, which every command reports. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    cli_speak_here();
    int code = cli_take_language(&argc, argv);
    if (code != CLI_DONE)
        return code;
    if (argc < 2) {
        /* Whoever types the name alone wants to play. */
        if (screen_possible())
            return cli_play.run(0, argv + 1);
        return cli_fail(CLI_USAGE, "name a command; nonet --help lists them, nonet play plays");
    }
    if (strcmp(argv[1], "--version") == 0)
        return cli_output("nonet " NONET_VERSION "\n");
    bool helps = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                 strcmp(argv[1], "help") == 0;
    if (helps && argc == 2)
        return help();
    const struct cli_command *command = find_command(argv[helps ? 2 : 1]);
    if (command == NULL)
        return CLI_USAGE;
    if (helps || asks_for_help(argc - 2, argv + 2))
        return command_help(command);
    return command->run(argc - 2, argv + 2);
}
