/* nonet games: what there is to play. */
#include "cli.h"
#include "study/describe.h"
#include "words.h"

enum { OUTPUT = 32768 };

static void player_counts(const struct nonet_game *game, struct nonet_text *out) {
    nonet_text_format(out, "%d", game->min_players);
    if (game->max_players > game->min_players)
        nonet_text_format(out, "-%d", game->max_players);
}

/* What an option may be: its values, and for a range where it begins and ends. */
static void describe_option(const struct nonet_game *game, const struct nonet_option *option,
                            struct nonet_text *out) {
    nonet_text_format(out, "            -o %s=%s  %s", option->key,
                      cli_text_of(option->values, option->values), cli_option_help(game, option));
    if (option->kind == NONET_SIZE || option->kind == NONET_NUMBER) {
        char least[NONET_OPTION_TEXT], most[NONET_OPTION_TEXT];
        nonet_option_range(option, least, most);
        nonet_text_add(out, " (");
        cli_write(out, nonet_say(&cli_words[WORD_FROM_TO], nonet_quote(least), nonet_quote(most)));
        nonet_text_char(out, ')');
    }
    nonet_text_char(out, '\n');
}

static void describe(const struct nonet_game *game, struct nonet_text *out) {
    char players[8];
    struct nonet_text text = NONET_TEXT_IN(players);
    player_counts(game, &text);
    char key[64], count[64];
    struct nonet_text words = NONET_TEXT_IN(count);
    cli_write(&words, nonet_say(&cli_words[WORD_COUNT_PLAYERS], nonet_quote(players)));
    snprintf(key, sizeof key, "%s.summary", game->id);
    nonet_text_format(out, "%-11s %s  %s\n", game->id, count, cli_text_of(key, game->summary));
    for (const struct nonet_option *option = game->options; option->key != NULL; option++)
        describe_option(game, option, out);
}

static int run(int argc, char **argv) {
    bool as_json = false;
    const struct cli_flag flags[] = {{"--json", NULL, &as_json}, {0}};
    char **words;
    int count, code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count > 0)
        return cli_fail(CLI_USAGE, "games takes no argument except --json and --lang");
    char bytes[OUTPUT];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (!as_json) {
        for (int i = 0; i < nonet_game_count; i++)
            describe(nonet_games[i], &text);
        return cli_output_words(bytes);
    }
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (int i = 0; i < nonet_game_count; i++)
        describe_game(&json, nonet_games[i]);
    nonet_json_close(&json, ']');
    nonet_text_char(&text, '\n');
    return cli_output(bytes);
}

const struct cli_command cli_games = {
    .name = "games",
    .usage = "[--lang L | --json]",
    .brief = "list the games with their players, options and defaults",
    .help = "The first value of an option is its default. Give options as -o key=value after a\n"
            "game's name.\n\n"
            "  --lang L   in this language: en, fr, de, nl or it; by default yours\n"
            "  --json     all that is known of each game, in English\n",
    .run = run,
};
