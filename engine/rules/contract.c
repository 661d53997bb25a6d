#include "contract.h"

#include <string.h>

#include "editing.h"
#include "features.h"
#include "hidden.h"
#include "parts.h"
#include "ranking.h"
#include "wide.h"

/* Appends what is wrong and returns false, so that a check can return it. */
#define wrong(why, ...) (nonet_text_format(why, __VA_ARGS__), false)

/* A required member: its name, and whether it is there. */
#define MEMBER(owner, member)                                                                      \
    { #member, (owner)->member != NULL }

struct member {
    const char *name;
    bool there;
};

static bool all_there(const struct member *members, int count, struct nonet_text *why) {
    for (int i = 0; i < count; i++)
        if (!members[i].there)
            return wrong(why, "%s is missing", members[i].name);
    return true;
}

#define ALL_THERE(members, why) all_there(members, (int)(sizeof(members) / sizeof *(members)), why)

/* Ids and keys are parts of file names and of canonical strings such as "chasm:players=3". */
static bool is_name(const char *text, const char *also) {
    for (const char *c = text; *c != '\0'; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= '0' && *c <= '9') && strchr(also, *c) == NULL)
            return false;
    return text[0] >= 'a' && text[0] <= 'z';
}

static bool facts_fit(const struct nonet_game *game, struct nonet_text *why) {
    const struct member texts[] = {
        MEMBER(game, id),      MEMBER(game, title), MEMBER(game, author),  MEMBER(game, year),
        MEMBER(game, summary), MEMBER(game, box),   MEMBER(game, options),
    };
    if (!ALL_THERE(texts, why))
        return false;
    if (!is_name(game->id, "") || strlen(game->id) >= NONET_OPTION_TEXT)
        return wrong(why, "an id has small letters and digits");
    if (game->title[0] == '\0' || game->summary[0] == '\0')
        return wrong(why, "title and summary must say something");
    if (game->min_players < 2 || game->max_players < game->min_players ||
        game->max_players > NONET_MAX_PLAYERS)
        return wrong(why, "2 to %d can play, not %d to %d", NONET_MAX_PLAYERS, game->min_players,
                     game->max_players);
    if (game->facts >= 2 * NONET_TEAMS)
        return wrong(why, "facts has bits without a meaning");
    if (game->facts & NONET_TEAMS && game->max_players != 4)
        return wrong(why, "NONET_TEAMS is for four players");
    if (game->state_size == 0 || game->state_size > NONET_STATE_MAX)
        return wrong(why, "state_size is %d, not 1 to %d", game->state_size, NONET_STATE_MAX);
    return true;
}

static bool functions_fit(const struct nonet_game *game, struct nonet_text *why) {
    const struct member rules[] = {
        MEMBER(game, start), MEMBER(game, turn),    MEMBER(game, play),  MEMBER(game, result),
        MEMBER(game, why),   MEMBER(game, print),   MEMBER(game, parse), MEMBER(game, write),
        MEMBER(game, read),  MEMBER(game, touches), MEMBER(game, scene),
    };
    if (!ALL_THERE(rules, why))
        return false;
    if ((game->moves != NULL) == (game->wide != NULL))
        return wrong(why, "one of moves and wide must be there");
    if ((game->deal != NULL) != ((game->facts & NONET_CHANCE) != 0))
        return wrong(why, "deal and NONET_CHANCE go together");
    bool symmetric = game->symmetries != NULL;
    if (symmetric != (game->turn_state != NULL) || symmetric != (game->turn_move != NULL))
        return wrong(why, "symmetries, turn_state, turn_move: all or none");
    if (!symmetric && (game->canonical != NULL || game->orbit != NULL))
        return wrong(why, "canonical and orbit need symmetries");
    if (game->bounds != NULL && !(game->facts & NONET_POINTS))
        return wrong(why, "bounds needs NONET_POINTS");
    if ((game->action_of != NULL) != (game->action_move != NULL) ||
        (game->action_count == NULL && game->action_of != NULL))
        return wrong(why, "action_of and action_move go together, and need action_count");
    if (game->facts & NONET_FEW_POSITIONS && (game->moves == NULL || game->next == NULL))
        return wrong(why, "NONET_FEW_POSITIONS needs moves and next");
    return true;
}

static bool skills_fit(const struct nonet_game *game, struct nonet_text *why) {
    if (game->skills == NULL)
        return true;
    for (int players = game->min_players; players <= game->max_players; players++) {
        const uint8_t *skills = game->skills[players - game->min_players];
        for (int i = 0; i < NONET_LOWER_LEVELS; i++)
            if (skills[i] < (i > 0 ? skills[i - 1] : 1) || skills[i] > NONET_MOST_SKILL)
                return wrong(why, "skills rise, from 1 to %d at most", NONET_MOST_SKILL);
    }
    return true;
}

static bool counts_fit(const struct nonet_counts *counts, struct nonet_text *why) {
    const struct member members[] = {
        MEMBER(counts, set_names),
        MEMBER(counts, weights),
        MEMBER(counts, sides),
        MEMBER(counts, move),
    };
    if (!ALL_THERE(members, why))
        return false;
    const int most = NONET_MAX_COUNTS, sets = counts->side_sets + counts->move_sets;
    if (counts->side_counts < 1 || counts->side_counts > most || counts->move_counts < 1 ||
        counts->move_counts > most)
        return wrong(why, "1 to %d things are counted", most);
    if (counts->side_sets < 1 || counts->move_sets < 1 || sets > NONET_MAX_COUNT_SETS)
        return wrong(why, "there are at most %d sets of weights", NONET_MAX_COUNT_SETS);
    return true;
}

static bool kinds_fit(const struct nonet_game *game, struct nonet_text *why) {
    const struct nonet_wide *wide = game->wide;
    const struct nonet_hidden *hidden = game->hidden;
    const struct nonet_ranking *ranking = game->ranking;
    if (wide != NULL) {
        const struct member members[] = {
            MEMBER(wide, enter),   MEMBER(wide, count), MEMBER(wide, nth),   MEMBER(wide, test),
            MEMBER(wide, nearest), MEMBER(wide, wish),  MEMBER(wide, piece), MEMBER(wide, region),
        };
        if (!ALL_THERE(members, why))
            return false;
        if (wide->workspace_size == 0)
            return wrong(why, "a wide game needs a workspace");
    }
    if (wide != NULL && wide->parts != NULL) {
        const struct nonet_parts *parts = wide->parts;
        const struct member members[] = {
            MEMBER(parts, forbidden), MEMBER(parts, limit),    MEMBER(parts, gather),
            MEMBER(parts, size),      MEMBER(parts, count),    MEMBER(parts, nth),
            MEMBER(parts, play),      MEMBER(parts, split),    MEMBER(parts, is_single),
            MEMBER(parts, expected),  MEMBER(parts, contains),
        };
        if (!ALL_THERE(members, why))
            return false;
    }
    if (wide != NULL && wide->parts != NULL && wide->parts->sketch != NULL) {
        const struct nonet_sketch *sketch = wide->parts->sketch;
        const struct member members[] = {
            MEMBER(sketch, draw),
            MEMBER(sketch, look),
            MEMBER(sketch, playout),
            MEMBER(sketch, vary),
        };
        if (!ALL_THERE(members, why))
            return false;
    }
    if (hidden != NULL) {
        const struct member members[] = {
            MEMBER(hidden, observe), MEMBER(hidden, secret_name), MEMBER(hidden, secret),
            MEMBER(hidden, worlds),  MEMBER(hidden, world),       MEMBER(hidden, counts),
        };
        if (!ALL_THERE(members, why) || !counts_fit(hidden->counts, why))
            return false;
        if (wide != NULL) /* observations have no workspace */
            return wrong(why, "hidden and wide do not go together");
    }
    if (game->features != NULL) {
        const struct nonet_features *features = game->features;
        const struct member members[] = {
            MEMBER(features, names),
            MEMBER(features, outline),
            MEMBER(features, write),
        };
        if (!ALL_THERE(members, why))
            return false;
        if (features->count < 1 || features->count > NONET_MAX_FEATURES)
            return wrong(why, "%d features, not 1 to %d", features->count, NONET_MAX_FEATURES);
    }
    if (game->editor != NULL) {
        const struct nonet_editor *editor = game->editor;
        const struct member members[] = {MEMBER(editor, kinds)};
        if (!ALL_THERE(members, why))
            return false;
        if ((editor->take_apart != NULL) != (editor->put_together != NULL))
            return wrong(why, "take_apart and put_together go together");
    }
    if (ranking != NULL) {
        const struct member members[] = {
            MEMBER(ranking, index_size), MEMBER(ranking, build_index), MEMBER(ranking, tiers),
            MEMBER(ranking, size),       MEMBER(ranking, rank),        MEMBER(ranking, unrank),
            MEMBER(ranking, material),
        };
        if (!ALL_THERE(members, why))
            return false;
        if ((ranking->large_index_size != NULL) != (ranking->build_large_index != NULL))
            return wrong(why, "a large index has a size");
    }
    if (ranking != NULL && ranking->expand != NULL) {
        const struct member members[] = {
            MEMBER(ranking, large_index_size),
            MEMBER(ranking, blocks),
            MEMBER(ranking, runs),
            MEMBER(ranking, block_start),
            MEMBER(ranking, expand),
            MEMBER(ranking, predecessors),
        };
        if (!ALL_THERE(members, why))
            return false;
    }
    return true;
}

/* The values of a choice, one by one: `*values` moves on to the next; false after the last. */
static bool next_value(const char **values, char value[NONET_OPTION_TEXT], bool *fits) {
    if (*values == NULL)
        return false;
    const char *end = strchr(*values, '|');
    size_t length = end != NULL ? (size_t)(end - *values) : strlen(*values);
    *fits = length > 0 && length < NONET_OPTION_TEXT;
    if (*fits) {
        memcpy(value, *values, length);
        value[length] = '\0';
    }
    *values = end != NULL ? end + 1 : NULL;
    return true;
}

static bool choice_fits(const struct nonet_option *option, struct nonet_text *why) {
    char value[NONET_OPTION_TEXT], other[NONET_OPTION_TEXT];
    bool fits;
    for (const char *values = option->values; next_value(&values, value, &fits);) {
        if (!fits)
            return wrong(why, "option %s: a value is empty or too long", option->key);
        if (strpbrk(value, ",=") != NULL)
            return wrong(why, "option %s: values have no , and no =", option->key);
        for (const char *rest = values; next_value(&rest, other, &fits);)
            if (fits && strcmp(value, other) == 0)
                return wrong(why, "option %s: %s is listed twice", option->key, value);
    }
    return true;
}

/* The numbers of players are single digits; all numbers that can play are listed. */
static bool players_fit(const struct nonet_game *game, const struct nonet_option *option,
                        struct nonet_text *why) {
    char value[NONET_OPTION_TEXT];
    bool fits;
    int count = 0;
    if (option->kind != NONET_CHOICE)
        return wrong(why, "option players must be a choice");
    for (const char *values = option->values; next_value(&values, value, &fits); count++)
        if (value[1] != '\0' || value[0] - '0' < game->min_players ||
            value[0] - '0' > game->max_players)
            return wrong(why, "option players: %s cannot play", value);
    return count == game->max_players - game->min_players + 1 ||
           wrong(why, "option players must list all of %d to %d", game->min_players,
                 game->max_players);
}

static bool option_fits(const struct nonet_game *game, const struct nonet_option *option,
                        struct nonet_text *why) {
    const struct member texts[] = {MEMBER(option, values), MEMBER(option, help)};
    if (!is_name(option->key, "-") || strlen(option->key) >= NONET_OPTION_TEXT)
        return wrong(why, "an option's key has small letters");
    if (!ALL_THERE(texts, why))
        return false;
    if (option->chance && !(game->facts & NONET_CHANCE))
        return wrong(why, "option %s: chance needs NONET_CHANCE", option->key);
    if (strcmp(option->key, NONET_SWAP_KEY) == 0 && (game->hidden != NULL || game->min_players > 2))
        return wrong(why, "option %s is for two players who know the same", option->key);
    if (option->secret && game->hidden == NULL)
        return wrong(why, "option %s: secret, but nothing is hidden", option->key);
    switch (option->kind) {
    case NONET_CHOICE:
        if (!choice_fits(option, why))
            return false;
        break;
    case NONET_SIZE:
        if (!nonet_option_accepts(option, option->values) || option->least == 0)
            return wrong(why, "option %s: the default is no such size", option->key);
        break;
    case NONET_NUMBER:
        if (!nonet_option_accepts(option, option->values))
            return wrong(why, "option %s: the default is no such number", option->key);
        break;
    case NONET_SEED:
        if (strcmp(option->key, "seed") != 0)
            return wrong(why, "option %s: a seed's key is seed", option->key);
        break;
    case NONET_LETTERS:
        break;
    default:
        return wrong(why, "option %s has no known kind", option->key);
    }
    return strcmp(option->key, "players") != 0 || players_fit(game, option, why);
}

static bool options_fit(const struct nonet_game *game, struct nonet_text *why) {
    int count = nonet_option_count(game);
    if (game->options[count].key != NULL)
        return wrong(why, "more than %d options", NONET_MAX_OPTIONS);
    for (int i = 0; i < count; i++) {
        if (!option_fits(game, &game->options[i], why))
            return false;
        if (nonet_option_find(game, game->options[i].key) != i)
            return wrong(why, "option %s is listed twice", game->options[i].key);
    }
    return game->min_players == game->max_players || nonet_option_find(game, "players") >= 0 ||
           wrong(why, "no option players, but %d to %d play", game->min_players, game->max_players);
}

static bool phrases_fit(const struct nonet_game *game, struct nonet_text *why) {
    if (game->phrases == NULL && game->phrase_count > 0)
        return wrong(why, "phrases is missing");
    size_t prefix = strlen(game->id);
    for (int i = 0; i < game->phrase_count; i++) {
        const struct nonet_phrase *phrase = &game->phrases[i];
        if (phrase->key == NULL || phrase->english == NULL || phrase->english[0] == '\0')
            return wrong(why, "phrase %d is missing", i);
        if (strncmp(phrase->key, game->id, prefix) != 0 || phrase->key[prefix] != '.' ||
            !is_name(phrase->key + prefix + 1, "-"))
            return wrong(why, "phrase %d: a key begins with %s.", i, game->id);
        for (const char *c = phrase->english; (c = strchr(c, '{')) != NULL; c++)
            if (c[1] < '0' || c[1] >= '0' + NONET_ARGUMENTS || c[2] != '}')
                return wrong(why, "phrase %s: {0} to {%d}", phrase->key, NONET_ARGUMENTS - 1);
        for (int other = 0; other < i; other++)
            if (strcmp(game->phrases[other].key, phrase->key) == 0)
                return wrong(why, "phrase %s is listed twice", phrase->key);
    }
    return true;
}

bool nonet_contract_check(const struct nonet_game *game, struct nonet_text *why) {
    return facts_fit(game, why) && functions_fit(game, why) && skills_fit(game, why) &&
           kinds_fit(game, why) && options_fit(game, why) && phrases_fit(game, why);
}
