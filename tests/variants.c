#include "variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rules/wide.h"

static const char *const sizes[] = {"10x10", "3x3", "4x9", "16x3", "7x6", "16x16"};

/* The i-th value to try for an option, or null after the last. */
static const char *value_to_try(const struct nonet_option *option, int i, char *buffer) {
    if (option->kind == NONET_SIZE)
        return i < (int)(sizeof sizes / sizeof sizes[0]) ? sizes[i] : NULL;
    if (option->kind == NONET_NUMBER && i < 3) { /* the usual one, the least and the most */
        sprintf(buffer, "%d",
                i == 0   ? atoi(option->values)
                : i == 1 ? option->least
                         : option->most);
        return buffer;
    }
    if (option->kind != NONET_CHOICE)
        return NULL;
    strcpy(buffer, option->values);
    char *value = strtok(buffer, "|");
    for (; i > 0 && value != NULL; i--)
        value = strtok(NULL, "|");
    return value;
}

int variants_of(const struct nonet_game *game, uint64_t seed,
                struct nonet_options variants[MOST_VARIANTS]) {
    int count = 1;
    nonet_options_default(&variants[0], game);
    for (const struct nonet_option *option = game->options; option->key != NULL; option++) {
        if (strcmp(option->key, NONET_SWAP_KEY) == 0)
            continue;
        int before = count;
        char buffer[128], assignment[256];
        for (int i = 1; value_to_try(option, i, buffer) != NULL; i++)
            for (int v = 0; v < before; v++) {
                struct nonet_message why;
                snprintf(assignment, sizeof assignment, "%s=%s", option->key,
                         value_to_try(option, i, buffer));
                variants[count] = variants[v];
                if (!nonet_options_set(&variants[count++], assignment, &why))
                    abort();
            }
    }
    struct nonet_random random = {seed};
    for (int v = 0; v < count; v++) {
        uint64_t open = nonet_random_next(&random), secret = nonet_random_next(&random);
        nonet_options_deal(&variants[v], open, secret);
    }
    return count;
}

int swap_variants_of(const struct nonet_game *game, struct nonet_options variants[MOST_VARIANTS]) {
    if (nonet_option_find(game, NONET_SWAP_KEY) < 0)
        return 0;
    int count = variants_of(game, 1, variants), kept = 0;
    for (int v = 0; v < count; v++) {
        struct nonet_message why;
        if (!nonet_options_set(&variants[v], "swap=yes", &why))
            abort();
        if (variants[v].players == 2)
            variants[kept++] = variants[v];
    }
    return kept;
}

struct nonet_options options_of(const char *name) {
    struct nonet_options options;
    struct nonet_message why;
    if (!nonet_options_read(name, &options, &why))
        abort();
    return options;
}

const char *variant_name(const struct nonet_options *options) {
    static char name[256];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(options, &text);
    return name;
}

struct nonet_session *session_of(const char *name, uint64_t seed) {
    struct nonet_options options = options_of(name);
    nonet_options_deal(&options, seed, seed + 1);
    struct nonet_session *session = nonet_session_new(&options);
    if (session == NULL)
        abort();
    return session;
}

void play(struct nonet_session *session, nonet_move move) {
    struct nonet_message why;
    if (!nonet_session_play(session, move, &why))
        abort();
}

nonet_move random_move(const struct nonet_session *session, struct nonet_random *random) {
    return nonet_session_nth(session,
                             nonet_random_below(random, (uint32_t)nonet_session_count(session)));
}

void *new_workspace(const struct nonet_game *game) {
    if (game->wide == NULL)
        return NULL;
    void *workspace = aligned_alloc(64, (game->wide->workspace_size + 63) / 64 * 64);
    if (workspace == NULL)
        abort();
    return workspace;
}

void list_legal(const struct nonet_options *options, const void *state, const void *workspace,
                struct nonet_random *random, struct legal *legal) {
    const struct nonet_game *game = options->game;
    if (game->wide == NULL) {
        legal->count = game->moves(options, state, legal->moves);
        return;
    }
    uint64_t count = game->wide->count(options, state, workspace);
    legal->count = 0;
    for (int i = 0; i < MOST_SAMPLED && (uint64_t)i < count; i++) {
        uint64_t index = i == 0                  ? count - 1 /* a swap, if there is one */
                         : count <= MOST_SAMPLED ? (uint64_t)i - 1
                                                 : nonet_random_below(random, (uint32_t)count);
        nonet_move move = game->wide->nth(options, state, workspace, index);
        bool known = false;
        for (int j = 0; j < legal->count; j++)
            known |= legal->moves[j] == move;
        if (!known)
            legal->moves[legal->count++] = move;
    }
}
