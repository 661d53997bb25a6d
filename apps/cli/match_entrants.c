/* Entrants of a match, as they are named on the command line. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matching.h"

/* Searchers that can be asked for by name, whatever suits the game. */
static const struct nonet_searcher *const searchers[] = {
    &nonet_search_random,
    &nonet_search_uct,
    &nonet_search_alphabeta,
};
enum { SEARCHERS = sizeof searchers / sizeof searchers[0] };

bool match_seconds(const char *text, double *seconds) {
    char *end;
    *seconds = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*seconds) && *seconds > 0 && *seconds <= 1e6;
}

/* A limit or a name, "nodes=1000". *known tells whether it is one at all. */
static int read_setting(const char *setting, struct match_entrant *entrant, bool *known) {
    *known = true;
    if (strncmp(setting, "nodes=", 6) == 0) {
        if (cli_number(setting + 6, UINT64_MAX, &entrant->nodes) && entrant->nodes > 0)
            return CLI_DONE;
        return cli_fail(CLI_USAGE, "\"%s\": nodes is a number above 0", nonet_quote(setting).text);
    }
    if (strncmp(setting, "time=", 5) == 0) {
        if (match_seconds(setting + 5, &entrant->seconds))
            return CLI_DONE;
        return cli_fail(CLI_USAGE, "\"%s\": time is a number of seconds",
                        nonet_quote(setting).text);
    }
    if (strncmp(setting, "name=", 5) == 0) {
        const char *name = setting + 5;
        size_t length = strlen(name);
        bool good = length > 0 && length < sizeof entrant->name;
        for (size_t i = 0; i < length; i++)
            good &= (unsigned char)name[i] >= 0x20 && name[i] != 0x7f;
        if (!good)
            return cli_fail(CLI_USAGE, "\"%s\": a name has 1 to %d bytes, none of them control",
                            nonet_quote(setting).text, RECORD_NAME - 1);
        memcpy(entrant->name, name, length + 1);
        return CLI_DONE;
    }
    *known = false;
    return CLI_DONE;
}

static int unknown(const char *text) {
    char list[256];
    struct nonet_text names = NONET_TEXT_IN(list);
    for (int i = 0; i < SEARCHERS; i++)
        nonet_text_format(&names, ", %s", searchers[i]->name);
    return cli_fail(CLI_USAGE,
                    "there is no player \"%s\"; there are level:1 to level:%d%s, cmd:COMMAND",
                    nonet_quote(text).text, NONET_SEARCH_LEVELS, list);
}

static int read_player(const char *text, struct match_entrant *entrant) {
    entrant->level = NONET_SEARCH_LEVELS;
    if (strncmp(text, "cmd:", 4) == 0) {
        if (strspn(text + 4, " ") == strlen(text + 4))
            return cli_fail(CLI_USAGE, "cmd: needs a command behind it, such as cmd:./bot.py");
        snprintf(entrant->kind, sizeof entrant->kind, "ugi");
        entrant->command = strdup(text + 4);
        return entrant->command != NULL ? CLI_DONE
                                        : cli_fail(CLI_FAILED, "there is no memory left");
    }
    if (strncmp(text, "level:", 6) == 0) {
        uint64_t level;
        if (!cli_number(text + 6, NONET_SEARCH_LEVELS, &level) || level == 0)
            return unknown(text);
        entrant->level = (int)level;
        snprintf(entrant->kind, sizeof entrant->kind, "level-%d", entrant->level);
        return CLI_DONE;
    }
    for (int i = 0; i < SEARCHERS; i++)
        if (strcmp(text, searchers[i]->name) == 0) {
            entrant->searcher = searchers[i];
            snprintf(entrant->kind, sizeof entrant->kind, "%s", searchers[i]->name);
            return CLI_DONE;
        }
    return unknown(text);
}

int match_entrant_read(const char *text, struct match_entrant *entrant) {
    char *copy = strdup(text), *comma;
    if (copy == NULL)
        return cli_fail(CLI_FAILED, "there is no memory left");
    /* Settings are taken off from behind, as what stands before them may have commas too. */
    int code = CLI_DONE;
    bool known = true;
    while (code == CLI_DONE && known && (comma = strrchr(copy, ',')) != NULL) {
        code = read_setting(comma + 1, entrant, &known);
        if (known)
            *comma = '\0';
    }
    if (code == CLI_DONE)
        code = read_player(copy, entrant);
    free(copy);
    if (entrant->name[0] == '\0')
        snprintf(entrant->name, sizeof entrant->name, "%s", nonet_quote(text).text);
    return code;
}
