#include "options.h"

#include <string.h>

#include "../base/random.h"
#include "contract.h"

enum {
    NO_SUCH_OPTION,
    NO_OPTIONS,
    NO_VALUE,
    BAD_CHOICE,
    BAD_SIZE,
    BAD_NUMBER,
    BAD_SEED,
    TOO_LONG,
    BAD_GAME
};

const struct nonet_phrase nonet_option_phrases[] = {
    [NO_SUCH_OPTION] = {"common.no-such-option", "{0} has no option \"{1}\"; it has {2}"},
    [NO_OPTIONS] = {"common.no-options", "{0} has no options, so \"{1}\" cannot be set"},
    [NO_VALUE] = {"common.no-value", "\"{0}\" sets no option; write it as key=value"},
    [BAD_CHOICE] = {"common.bad-choice", "option {0} cannot be \"{1}\"; it is one of {2}"},
    [BAD_SIZE] = {"common.bad-size",
                  "option {0} cannot be \"{1}\"; it is a size from {2} to {3}, such as 10x10"},
    [BAD_NUMBER] = {"common.bad-number",
                    "option {0} cannot be \"{1}\"; it is a whole number from {2} to {3}"},
    [BAD_SEED] = {"common.bad-seed",
                  "option {0} cannot be \"{1}\"; it is a whole number from 0 to 2^64-1"},
    [TOO_LONG] = {"common.too-long", "option {0} cannot be \"{1}\"; it looks like {2}"},
    [BAD_GAME] = {"common.bad-game", "{0} cannot be played, because its program is wrong: {1}"},
};
const int nonet_option_phrase_count = BAD_GAME + 1;

/* Appends value number `index` of a|b|c; false if there are fewer values. */
static bool nth_value(const char *values, uint64_t index, struct nonet_text *out) {
    for (; index > 0 && values != NULL; index--) {
        values = strchr(values, '|');
        values = values != NULL ? values + 1 : NULL;
    }
    if (values == NULL)
        return false;
    for (; *values != '\0' && *values != '|'; values++)
        nonet_text_char(out, *values);
    return true;
}

int nonet_option_count(const struct nonet_game *game) {
    int count = 0;
    while (game->options != NULL && count < NONET_MAX_OPTIONS && game->options[count].key != NULL)
        count++;
    return count;
}

int nonet_option_find(const struct nonet_game *game, const char *key) {
    int count = nonet_option_count(game);
    for (int i = 0; i < count; i++)
        if (strcmp(game->options[i].key, key) == 0)
            return i;
    return -1;
}

static bool scan_size(const struct nonet_option *option, const char *text, uint64_t *number) {
    uint32_t width, depth;
    if (!nonet_scan_number(&text, option->most, &width) || !nonet_scan_word(&text, "x") ||
        !nonet_scan_number(&text, option->most, &depth) || *text != '\0')
        return false;
    *number = width | depth << 8;
    return width >= option->least && depth >= option->least;
}

static bool scan_small(const struct nonet_option *option, const char *text, uint64_t *number) {
    uint32_t small;
    if (!nonet_scan_number(&text, option->most, &small) || *text != '\0')
        return false;
    *number = small;
    return small >= option->least;
}

static bool scan_seed(const char *text, uint64_t *number) {
    if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] != '\0'))
        return false;
    uint64_t sum = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (UINT64_MAX - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    *number = sum;
    return *text == '\0';
}

bool nonet_option_is_asked(const struct nonet_option *option) {
    return !option->chance && option->kind != NONET_SEED && option->kind != NONET_LETTERS;
}

void nonet_option_range(const struct nonet_option *option, char least[NONET_OPTION_TEXT],
                        char most[NONET_OPTION_TEXT]) {
    char *texts[2] = {least, most};
    for (int i = 0; i < 2; i++) {
        struct nonet_text out = nonet_text_in(texts[i], NONET_OPTION_TEXT);
        int end = i == 0 ? option->least : option->most;
        nonet_text_format(&out, "%d", end);
        if (option->kind == NONET_SIZE)
            nonet_text_format(&out, "x%d", end);
    }
}

/* Refuses a value that is out of the option's range. */
static bool out_of_range(const struct nonet_option *option, const char *text, int phrase,
                         struct nonet_message *why) {
    char least[NONET_OPTION_TEXT], most[NONET_OPTION_TEXT];
    nonet_option_range(option, least, most);
    *why = nonet_say(&nonet_option_phrases[phrase], nonet_quote(option->key), nonet_quote(text),
                     nonet_quote(least), nonet_quote(most));
    return false;
}

static bool set_value(const struct nonet_option *option, const char *text,
                      struct nonet_option_value *value, struct nonet_message *why) {
    struct nonet_argument key = nonet_quote(option->key), given = nonet_quote(text);
    switch (option->kind) {
    case NONET_CHOICE:
        for (uint64_t index = 0;; index++) {
            char choice[NONET_OPTION_TEXT];
            struct nonet_text out = NONET_TEXT_IN(choice);
            if (!nth_value(option->values, index, &out)) {
                *why = nonet_say(&nonet_option_phrases[BAD_CHOICE], key, given,
                                 nonet_quote(option->values));
                return false;
            }
            if (strcmp(choice, text) == 0) {
                value->number = index;
                break;
            }
        }
        break;
    case NONET_SIZE:
        if (!scan_size(option, text, &value->number))
            return out_of_range(option, text, BAD_SIZE, why);
        break;
    case NONET_NUMBER:
        if (!scan_small(option, text, &value->number))
            return out_of_range(option, text, BAD_NUMBER, why);
        break;
    case NONET_SEED:
        if (!scan_seed(text, &value->number)) {
            *why = nonet_say(&nonet_option_phrases[BAD_SEED], key, given);
            return false;
        }
        break;
    case NONET_LETTERS:
        if (text[0] == '\0' || strlen(text) >= NONET_OPTION_TEXT) {
            *why =
                nonet_say(&nonet_option_phrases[TOO_LONG], key, given, nonet_quote(option->values));
            return false;
        }
        break;
    }
    struct nonet_text out = NONET_TEXT_IN(value->text);
    nonet_text_add(&out, text);
    return true;
}

bool nonet_option_accepts(const struct nonet_option *option, const char *text) {
    struct nonet_option_value value;
    struct nonet_message why;
    return set_value(option, text, &value, &why);
}

static void count_players(struct nonet_options *options) {
    int index = nonet_option_find(options->game, "players");
    options->players =
        index < 0 ? options->game->min_players : (uint8_t)(options->value[index].text[0] - '0');
}

void nonet_options_default(struct nonet_options *options, const struct nonet_game *game) {
    memset(options, 0, sizeof *options);
    options->game = game;
    for (int i = 0; i < nonet_option_count(game); i++) {
        const struct nonet_option *option = &game->options[i];
        if (option->kind == NONET_SEED || option->kind == NONET_LETTERS)
            continue;
        char first[NONET_OPTION_TEXT];
        struct nonet_text out = NONET_TEXT_IN(first);
        nth_value(option->values, 0, &out);
        struct nonet_message never;
        set_value(option, first, &options->value[i], &never);
    }
    count_players(options);
}

bool nonet_options_set(struct nonet_options *options, const char *assignment,
                       struct nonet_message *why) {
    const struct nonet_game *game = options->game;
    const char *equals = strchr(assignment, '=');
    if (equals == NULL) {
        *why = nonet_say(&nonet_option_phrases[NO_VALUE], nonet_quote(assignment));
        return false;
    }
    char key[NONET_OPTION_TEXT];
    struct nonet_text out = NONET_TEXT_IN(key);
    nonet_text_format(&out, "%.*s", (int)(equals - assignment), assignment);
    int index = nonet_option_find(game, key);
    if (index < 0) {
        char keys[NONET_ARGUMENT_TEXT];
        struct nonet_text list = NONET_TEXT_IN(keys);
        for (int i = 0; i < nonet_option_count(game); i++)
            nonet_text_format(&list, "%s%s", i > 0 ? ", " : "", game->options[i].key);
        *why = nonet_say(&nonet_option_phrases[list.length > 0 ? NO_SUCH_OPTION : NO_OPTIONS],
                         nonet_quote(game->title), nonet_quote(key), nonet_quote(keys));
        return false;
    }
    if (!set_value(&game->options[index], equals + 1, &options->value[index], why))
        return false;
    if (strcmp(key, NONET_SWAP_KEY) == 0)
        options->game = nonet_game_with_swap(game, options->value[index].number != 0);
    count_players(options);
    return true;
}

bool nonet_options_check(const struct nonet_options *options, struct nonet_message *why) {
    const struct nonet_game *game = options->game;
    char line[NONET_ARGUMENT_TEXT];
    struct nonet_text reason = NONET_TEXT_IN(line);
    if (!nonet_contract_check(game, &reason)) {
        *why =
            nonet_say(&nonet_option_phrases[BAD_GAME], nonet_quote(game->title), nonet_quote(line));
        return false;
    }
    return game->check == NULL || game->check(options, why);
}

void nonet_options_deal(struct nonet_options *options, uint64_t open, uint64_t secret) {
    const struct nonet_game *game = options->game;
    if (game->deal == NULL)
        return;
    struct nonet_options before = *options;
    int seed = nonet_option_find(game, "seed");
    bool seeded = seed >= 0 && before.value[seed].text[0] != '\0';
    if (seeded) {
        struct nonet_random random = {before.value[seed].number};
        open = nonet_random_next(&random);
        secret = nonet_random_next(&random);
    }
    game->deal(options, open, secret);
    for (int i = 0; seeded && i < nonet_option_count(game); i++)
        if (before.value[i].text[0] == '\0')
            options->value[i].dealt = true;
}

void nonet_options_forget_secrets(struct nonet_options *options) {
    for (int i = 0; i < nonet_option_count(options->game); i++)
        if (options->game->options[i].secret)
            options->value[i] = (struct nonet_option_value){0};
}

void nonet_options_forget_deal(struct nonet_options *options) {
    for (int i = 0; i < nonet_option_count(options->game); i++)
        if (options->game->options[i].chance)
            options->value[i] = (struct nonet_option_value){0};
}

bool nonet_options_tell_deal(const struct nonet_options *options) {
    const struct nonet_option *table = options->game->options;
    bool all = true;
    for (int i = 0; i < nonet_option_count(options->game); i++) {
        bool told = options->value[i].text[0] != '\0';
        if (table[i].kind == NONET_SEED && told)
            return true;
        if (table[i].chance && table[i].kind != NONET_SEED)
            all &= told;
    }
    return all;
}

bool nonet_option_says(const struct nonet_options *options, int index) {
    const struct nonet_option *option = &options->game->options[index];
    const char *text = options->value[index].text;
    char usual[NONET_OPTION_TEXT];
    struct nonet_text out = NONET_TEXT_IN(usual);
    nth_value(option->values, 0, &out);
    return text[0] != '\0' && !(option->tacit && strcmp(text, usual) == 0);
}

bool nonet_option_told(const struct nonet_options *options, int index) {
    return nonet_option_says(options, index) && !options->value[index].dealt;
}

void nonet_options_write(const struct nonet_options *options, struct nonet_text *out) {
    nonet_text_add(out, options->game->id);
    char separator = ':';
    for (int i = 0; i < nonet_option_count(options->game); i++) {
        if (!nonet_option_told(options, i))
            continue;
        nonet_text_format(out, "%c%s=%s", separator, options->game->options[i].key,
                          options->value[i].text);
        separator = ',';
    }
}

bool nonet_options_read(const char *text, struct nonet_options *options,
                        struct nonet_message *why) {
    size_t length = strcspn(text, ":");
    char part[2 * NONET_OPTION_TEXT];
    struct nonet_text id = NONET_TEXT_IN(part);
    nonet_text_format(&id, "%.*s", (int)length, text);
    const struct nonet_game *game = nonet_game_find(part);
    if (game == NULL) {
        *why = nonet_say(&nonet_common[NONET_SAY_NO_GAME], nonet_quote(part));
        return false;
    }
    nonet_options_default(options, game);
    for (text += length; *text != '\0'; text += length) {
        length = strcspn(++text, ",");
        struct nonet_text assignment = NONET_TEXT_IN(part);
        nonet_text_format(&assignment, "%.*s", (int)length, text);
        if (!nonet_options_set(options, part, why))
            return false;
    }
    return nonet_options_check(options, why);
}
