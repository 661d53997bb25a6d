/* Entrants of a match, as they are named on the command line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "matching.h"
#include "weights.h"

/* As tables and records require. */
static bool is_utf8(const char *text) {
    json_t *string = json_string(text);
    json_decref(string);
    return string != NULL;
}

/* A limit or a name, "nodes=1000". *known says whether it is one at all. */
static int read_setting(const char *setting, const struct nonet_options *options,
                        struct match_entrant *entrant, bool *known) {
    *known = true;
    if (strncmp(setting, "nodes=", 6) == 0) {
        if (cli_number(setting + 6, UINT64_MAX, &entrant->nodes) && entrant->nodes > 0)
            return CLI_DONE;
        return cli_fail(CLI_USAGE, "\"%s\": nodes is a number above 0", nonet_quote(setting).text);
    }
    if (strncmp(setting, "skill=", 6) == 0) {
        uint64_t skill;
        if (!cli_number(setting + 6, NONET_MOST_SKILL, &skill) || skill == 0)
            return cli_fail(CLI_USAGE, "\"%s\": skill is a number from 1 to %d",
                            nonet_quote(setting).text, NONET_MOST_SKILL);
        entrant->skill = (int)skill;
        return CLI_DONE;
    }
    if (strncmp(setting, "time=", 5) == 0) {
        if (cli_seconds(setting + 5, &entrant->seconds))
            return CLI_DONE;
        return cli_fail(CLI_USAGE, "\"%s\": time is a number of seconds",
                        nonet_quote(setting).text);
    }
    if (strncmp(setting, "name=", 5) == 0) {
        const char *name = setting + 5;
        size_t length = strlen(name);
        bool good = length > 0 && length < sizeof entrant->name && is_utf8(name);
        for (size_t i = 0; i < length; i++)
            good &= (unsigned char)name[i] >= 0x20 && name[i] != 0x7f;
        if (!good)
            return cli_fail(CLI_USAGE,
                            "\"%s\": a name is 1 to %d bytes of UTF-8, without control characters",
                            nonet_quote(setting).text, RECORD_NAME - 1);
        memcpy(entrant->name, name, length + 1);
        return CLI_DONE;
    }
    if (strncmp(setting, "book=", 5) == 0) {
        entrant->book = setting[5] == 'y' ? MATCH_BOOK_YES : MATCH_BOOK_NO;
        if (strcmp(setting + 5, "yes") == 0 || strcmp(setting + 5, "no") == 0)
            return CLI_DONE;
        return cli_fail(CLI_USAGE, "\"%s\": book is yes or no", nonet_quote(setting).text);
    }
    if (strncmp(setting, "weights=", 8) == 0)
        return cli_weights(setting + 8, options, &entrant->weights);
    *known = false;
    return CLI_DONE;
}

static int unknown(const char *text, const struct nonet_options *options) {
    char list[256];
    struct nonet_text names = NONET_TEXT_IN(list);
    for (int i = NONET_SEARCHERS - 1; i >= 0; i--) /* the plainest first */
        if (nonet_searchers[i]->plays(options))
            nonet_text_format(&names, ", %s", nonet_searchers[i]->name);
    return cli_fail(CLI_USAGE,
                    "no player \"%s\" plays this; there are level:1 to level:%d%s, cmd:COMMAND",
                    nonet_quote(text).text, NONET_SEARCH_LEVELS, list);
}

static int read_player(const char *text, const struct nonet_options *options,
                       struct match_entrant *entrant) {
    entrant->level = NONET_SEARCH_LEVELS;
    if (strncmp(text, "cmd:", 4) == 0) {
        if (strspn(text + 4, " ") == strlen(text + 4))
            return cli_fail(CLI_USAGE, "cmd: needs a command after it, such as cmd:./bot.py");
        snprintf(entrant->kind, sizeof entrant->kind, "ugi");
        entrant->command = strdup(text + 4);
        return entrant->command != NULL ? CLI_DONE
                                        : cli_fail(CLI_FAILED, "there is no memory left");
    }
    if (strncmp(text, "level:", 6) == 0) {
        uint64_t level;
        if (!cli_number(text + 6, NONET_SEARCH_LEVELS, &level) || level == 0)
            return unknown(text, options);
        entrant->level = (int)level;
        snprintf(entrant->kind, sizeof entrant->kind, "level-%d", entrant->level);
        return CLI_DONE;
    }
    entrant->searcher = nonet_searcher_named(text, options);
    if (entrant->searcher == NULL)
        return unknown(text, options);
    snprintf(entrant->kind, sizeof entrant->kind, "%s", text);
    return CLI_DONE;
}

int match_entrant_read(const char *text, const struct nonet_options *options,
                       struct match_entrant *entrant) {
    char *copy = strdup(text), *comma;
    if (copy == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    /* Settings are taken off from the end, as the text before them may have commas too. */
    int code = CLI_DONE;
    bool known = true;
    while (code == CLI_DONE && known && (comma = strrchr(copy, ',')) != NULL) {
        code = read_setting(comma + 1, options, entrant, &known);
        if (known)
            *comma = '\0';
    }
    if (code == CLI_DONE)
        code = read_player(copy, options, entrant);
    free(copy);
    if (entrant->name[0] == '\0') {
        struct nonet_text name = NONET_TEXT_IN(entrant->name);
        for (const char *c = text; *c != '\0'; c++)
            nonet_text_char(&name, *c >= ' ' && *c < 0x7f ? *c : '?');
    }
    return code;
}
