/* Languages, the shelf, and games with their options. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "study/describe.h"

const char *nonet_version(void) {
    return NONET_VERSION;
}

/* ---- Words ---- */

struct nonet_words *nonet_words_open(const char *lines, struct nonet_error *error) {
    if (lines == NULL) {
        library_bad_argument(error, "lines");
        return NULL;
    }
    struct nonet_words *words = malloc(sizeof *words + strlen(lines) + 1);
    if (words == NULL) {
        library_no_memory(error);
        return NULL;
    }
    words->wording = nonet_wording_read(lines, words->bytes);
    words->catalogue = (struct nonet_catalogue){nonet_wording_text, &words->wording};
    return words;
}

void nonet_words_close(struct nonet_words *words) {
    free(words);
}

const struct nonet_catalogue *library_catalogue(const struct nonet_words *words) {
    return words != NULL ? &words->catalogue : NULL;
}

/* ---- The shelf and variants ---- */

int nonet_shelf_size(void) {
    return nonet_game_count;
}

const char *nonet_shelf_game(int index) {
    return index >= 0 && index < nonet_game_count ? nonet_games[index]->id : NULL;
}

enum { JSON_ROOM = 8192 };

struct nonet_variant *nonet_variant_open(const char *name, const struct nonet_words *words,
                                         struct nonet_error *error) {
    struct nonet_options options;
    struct nonet_message why;
    if (name == NULL) {
        library_bad_argument(error, "name");
        return NULL;
    }
    if (!nonet_options_read(name, &options, &why)) {
        library_refuse(error, NONET_ERROR_OPTIONS, words, &why);
        return NULL;
    }
    struct nonet_variant *variant = malloc(sizeof *variant + JSON_ROOM);
    if (variant == NULL) {
        library_no_memory(error);
        return NULL;
    }
    variant->options = options;
    variant->words = words;
    struct nonet_text text = NONET_TEXT_IN(variant->name);
    nonet_options_write(&options, &text);
    struct nonet_text described = nonet_text_in(variant->json, JSON_ROOM);
    struct nonet_json json = nonet_json_in(&described);
    describe_game(&json, options.game);
    return variant;
}

void nonet_variant_close(struct nonet_variant *variant) {
    free(variant);
}

const char *nonet_variant_name(const struct nonet_variant *variant) {
    return variant != NULL ? variant->name : NULL;
}

const char *nonet_variant_game(const struct nonet_variant *variant) {
    return variant != NULL ? variant->options.game->id : NULL;
}

const char *nonet_variant_json(const struct nonet_variant *variant) {
    return variant != NULL ? variant->json : NULL;
}

int nonet_variant_players(const struct nonet_variant *variant) {
    return variant != NULL ? variant->options.players : 0;
}

uint32_t nonet_variant_facts(const struct nonet_variant *variant) {
    if (variant == NULL)
        return 0;
    const struct nonet_game *game = variant->options.game;
    uint32_t facts = 0;
    facts |= game->facts & NONET_CHANCE ? NONET_FACT_CHANCE : 0;
    facts |= game->hidden != NULL ? NONET_FACT_HIDDEN : 0;
    facts |= game->wide != NULL ? NONET_FACT_WIDE : 0;
    facts |= game->facts & NONET_POINTS ? NONET_FACT_POINTS : 0;
    facts |= game->facts & NONET_REPETITION_DRAWS ? NONET_FACT_REPETITION : 0;
    return facts;
}

int nonet_variant_actions(const struct nonet_variant *variant) {
    if (variant == NULL || variant->options.game->action_count == NULL)
        return 0;
    return variant->options.game->action_count(&variant->options);
}

int nonet_variant_action_of(const struct nonet_variant *variant, uint32_t move) {
    return nonet_variant_actions(variant) > 0 ? nonet_action_of(&variant->options, move) : -1;
}

int nonet_variant_action_move(const struct nonet_variant *variant, int action, uint32_t *move,
                              struct nonet_error *error) {
    if (move == NULL || action < 0 || action >= nonet_variant_actions(variant))
        return library_bad_argument(error, move == NULL ? "move" : "action");
    *move = nonet_action_move(&variant->options, action);
    return NONET_OK;
}
