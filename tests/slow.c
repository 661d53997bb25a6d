/* The engine against slow, obvious models of the same rules (tests/slow): random games, compared at
 * every ply. Usage: test-slow [GAME] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/wide.h"
#include "slow/slow.h"
#include "variants.h"

#define MODEL(id) extern const struct slow_model slow_##id;
SLOW_MODELS
#undef MODEL
#define MODEL(id) &slow_##id,
static const struct slow_model *const models[] = {SLOW_MODELS NULL};

enum { GAMES = 60, WIDE_GAMES = 2, LONGEST = 200 };

typedef char move_text[NONET_MOVE_TEXT];
struct comparison {
    const struct slow_model *model;
    struct nonet_options options;
    uint64_t seed;
};

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

static const char *position_of(const struct nonet_options *options, const void *state) {
    static char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, state, &text);
    return line;
}

static void print_move(const struct nonet_options *options, nonet_move move, move_text out) {
    struct nonet_text text = nonet_text_in(out, NONET_MOVE_TEXT);
    options->game->print(options, move, &text);
}

static void compare_lists(const struct nonet_options *options, const void *state,
                          const struct legal *legal, const struct slow_model *model,
                          const void *slow) {
    static move_text ours[NONET_MAX_MOVES], theirs[NONET_MAX_MOVES];
    for (int i = 0; i < legal->count; i++)
        print_move(options, legal->moves[i], ours[i]);
    int count = model->legal(options, slow, theirs);
    qsort(ours, (size_t)legal->count, sizeof *ours, compare_texts);
    qsort(theirs, (size_t)count, sizeof *theirs, compare_texts);
    for (int i = 0; i < legal->count && i < count; i++)
        CHECK(strcmp(ours[i], theirs[i]) == 0, "%s here, %s there in %s", ours[i], theirs[i],
              position_of(options, state));
    CHECK(legal->count == count, "%d moves here, %d there in %s", legal->count, count,
          position_of(options, state));
}

/* A wide game: samples of legal moves, and their neighbours at the edge of legality. */
static void compare_samples(const struct nonet_options *options, const void *state,
                            const void *workspace, const struct legal *legal,
                            const struct slow_model *model, const void *slow,
                            struct nonet_random *random) {
    for (int i = 0; i < legal->count; i++) {
        move_text text;
        print_move(options, legal->moves[i], text);
        CHECK(model->is_legal(options, slow, text), "%s in %s", text, position_of(options, state));
        /* Texts near this one: a digit changed here and there. */
        for (int k = 0; k < 8; k++) {
            print_move(options, legal->moves[i], text);
            size_t at = nonet_random_below(random, (uint32_t)strlen(text));
            if (text[at] < '0' || text[at] > '9')
                continue;
            text[at] = (char)('0' + nonet_random_below(random, 10));
            nonet_move move;
            struct nonet_message why;
            if (!options->game->parse(options, text, &move, &why))
                continue;
            CHECK(model->is_legal(options, slow, text) ==
                      options->game->wide->test(options, state, workspace, move),
                  "%s in %s", text, position_of(options, state));
        }
    }
}

static void compare_ends(const struct nonet_options *options, const void *state,
                         const struct slow_model *model, const void *slow) {
    struct nonet_result ours = {0}, theirs = {0};
    options->game->result(options, state, &ours);
    model->result(options, slow, &theirs);
    CHECK(ours.winners == theirs.winners, "winners %x here, %x there in %s", ours.winners,
          theirs.winners, position_of(options, state));
    CHECK(ours.has_points == theirs.has_points &&
              memcmp(ours.points, theirs.points, sizeof ours.points) == 0,
          "points %d:%d here, %d:%d there in %s", ours.points[0], ours.points[1], theirs.points[0],
          theirs.points[1], position_of(options, state));
}

static void compare(void **argument) {
    struct comparison *c = *argument;
    const struct nonet_options *options = &c->options;
    const struct nonet_game *game = options->game;
    struct nonet_random random = {c->seed};
    void *slow = aligned_alloc(64, (c->model->size + 63) / 64 * 64);
    void *workspace = new_workspace(game);
    struct legal *legal = malloc(sizeof *legal);
    for (int i = 0; i < (game->wide != NULL ? WIDE_GAMES : GAMES); i++) {
        struct nonet_state state;
        game->start(options, &state, workspace);
        c->model->start(options, slow);
        for (int ply = 0; ply < LONGEST; ply++) {
            list_legal(options, &state, workspace, &random, legal);
            int turn = game->turn(options, &state);
            CHECK(turn == c->model->turn(options, slow), "turn %d here, %d there in %s", turn,
                  c->model->turn(options, slow), position_of(options, &state));
            if (turn == 0) {
                compare_ends(options, &state, c->model, slow);
                break;
            }
            if (game->wide == NULL)
                compare_lists(options, &state, legal, c->model, slow);
            else
                compare_samples(options, &state, workspace, legal, c->model, slow, &random);
            nonet_move move = legal->moves[nonet_random_below(&random, (uint32_t)legal->count)];
            move_text text;
            print_move(options, move, text);
            game->play(options, &state, workspace, move);
            c->model->play(options, slow, text);
        }
    }
    free(legal);
    free(workspace);
    free(slow);
    free(c);
}

int main(int argc, char **argv) {
    enum { MOST_TESTS = 512, DEALS = 8 };
    static struct CMUnitTest tests[MOST_TESTS];
    static struct nonet_options variants[MOST_VARIANTS];
    size_t count = 0;
    for (int i = 0; models[i] != NULL; i++) {
        const struct nonet_game *game = nonet_game_find(models[i]->id);
        if (argc > 1 && strcmp(argv[1], game->id) != 0)
            continue;
        /* More deals where chance decides the start. */
        for (uint64_t seed = 1; seed <= (game->deal != NULL ? DEALS : 1); seed++) {
            int variant_count = variants_of(game, seed, variants);
            for (int v = 0; v < variant_count; v++) {
                struct comparison *c = malloc(sizeof *c);
                *c = (struct comparison){models[i], variants[v], seed * 1000 + (uint64_t)v};
                tests[count++] =
                    (struct CMUnitTest){strdup(variant_name(&variants[v])), compare, NULL, NULL, c};
            }
        }
    }
    return _cmocka_run_group_tests("slow", tests, count, NULL, NULL);
}
