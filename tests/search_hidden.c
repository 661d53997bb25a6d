/* Playing with hidden information: which states an observation allows, and a player who knows no
 * more than that.
 *
 * The states are checked against the plainest computation: deal the discs in every possible way,
 * replay the public moves, and keep the deals under which the seat would have seen, from the first
 * position on, just what it saw. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/game.h"
#include "search/search.h"
#include "variants.h"

enum { MOST_DEALS = 60 };

/* A game under one deal of the discs. */
struct telling {
    struct nonet_options options;
    struct nonet_state state;
};

static void set(struct nonet_options *options, const char *assignment) {
    struct nonet_message why;
    CHECK(nonet_options_set(options, assignment, &why), "%s", assignment);
}

/* The same layout under every deal of the discs, at the first position. */
static int tell_all(const struct nonet_options *options, struct telling tellings[MOST_DEALS]) {
    const char letters[] = "RYGBV";
    int discs = options->players == 4 ? 2 : options->players, count = 0;
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (int c = 0; c < (discs == 3 ? 5 : 1); c++) {
                if (a == b || (discs == 3 && (a == c || b == c)))
                    continue;
                char colours[] = "colours=...";
                colours[8] = letters[a];
                colours[9] = letters[b];
                colours[10] = discs == 3 ? letters[c] : '\0';
                struct telling *telling = &tellings[count++];
                telling->options = *options;
                set(&telling->options, colours);
                options->game->start(&telling->options, &telling->state, NULL);
            }
    return count;
}

/* Drops the tellings that look different to the seat; returns how many are left. */
static int keep_alike(struct telling *tellings, int count, int seat, const void *seen) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        struct nonet_state other;
        const struct nonet_options *options = &tellings[i].options;
        nonet_observe(options, &tellings[i].state, seat, &other);
        if (memcmp(&other, seen, options->game->state_size) == 0)
            tellings[left++] = tellings[i];
    }
    return left;
}

/* The options as a seat may know them. */
static struct nonet_options without_secrets(const struct nonet_options *options) {
    struct nonet_options known = *options;
    for (int i = 0; options->game->options[i].key != NULL; i++)
        if (options->game->options[i].secret)
            known.value[i] = (struct nonet_option_value){0};
    return known;
}

static void check_worlds(const struct nonet_options *options, const void *seen, int seat,
                         const struct telling *tellings, int count) {
    const struct nonet_game *game = options->game;
    struct nonet_options known = without_secrets(options);
    CHECK(game->worlds(&known, seen, seat) == count, "%s: seat %d, %d worlds instead of %d",
          variant_name(options), seat, game->worlds(&known, seen, seat), count);
    bool found[MOST_DEALS] = {false};
    for (int index = 0; index < count; index++) {
        struct nonet_state world;
        memset(&world, 0xee, sizeof world);
        game->world(&known, seen, seat, index, &world);
        int at = 0;
        while (at < count && memcmp(&world, &tellings[at].state, game->state_size) != 0)
            at++;
        CHECK(at < count && !found[at], "%s: seat %d, world %d is none, or comes twice",
              variant_name(options), seat, index);
        found[at] = true;
    }
}

/* One random game as one seat, or a spectator, sees it. */
static void follow_worlds(const struct nonet_options *options, int seat,
                          struct nonet_random *random) {
    const struct nonet_game *game = options->game;
    static struct telling tellings[MOST_DEALS];
    int count = tell_all(options, tellings);
    struct nonet_state state, seen;
    game->start(options, &state, NULL);
    for (;;) {
        nonet_observe(options, &state, seat, &seen);
        count = keep_alike(tellings, count, seat, &seen);
        check_worlds(options, &seen, seat, tellings, count);
        nonet_move moves[NONET_MAX_MOVES];
        int legal = game->moves(options, &state, moves);
        if (legal == 0)
            return;
        nonet_move move = moves[nonet_random_below(random, (uint32_t)legal)];
        game->play(options, &state, NULL, move);
        for (int i = 0; i < count; i++)
            game->play(&tellings[i].options, &tellings[i].state, NULL, move);
    }
}

static void worlds_are_what_the_seat_cannot_tell_apart(void **unused) {
    (void)unused;
    const struct nonet_game *game = nonet_game_find("masker");
    static struct nonet_options variants[MOST_VARIANTS];
    struct nonet_random random = {11};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        int count = variants_of(game, seed, variants);
        for (int v = 0; v < count; v++)
            for (int seat = NONET_SPECTATOR; seat <= variants[v].players; seat++)
                follow_worlds(&variants[v], seat, &random);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_what_the_seat_cannot_tell_apart),
    };
    return cmocka_run_group_tests_name("search_hidden", tests, NULL, NULL);
}
