/* The contract test: what must hold for every game, every option and every position.
 *
 * Random games are played to the end; at every position the functions of the contract are tested
 * against each other. Buffers are filled with noise before use, so that a forgotten byte is
 * noticed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "rules/contract.h"
#include "rules/editing.h"
#include "rules/features.h"
#include "rules/hidden.h"
#include "rules/session.h"
#include "rules/standings.h"
#include "rules/swap.h"
#include "variants.h"

enum { GAMES = 6, LONGEST = 150, POOL = 3000 };

struct fixture {
    struct nonet_options options;
    struct nonet_random random;
    void *workspace, *other_workspace;
    nonet_move pool[POOL]; /* moves that were legal somewhere */
    int pool_count;
    struct nonet_scene *scene, *first_scene;
    struct nonet_standings first_standings;
    struct legal *legal;
};

static void noise(struct fixture *f, struct nonet_state *state) {
    memset(state, (int)(nonet_random_next(&f->random) & 0xff), sizeof *state);
}

static const char *text_of(const struct fixture *f, const void *state) {
    static char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    f->options.game->write(&f->options, state, &text);
    return text.cut ? "(cut)" : line;
}

static const char *move_text_of(const struct fixture *f, nonet_move move) {
    static char line[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    f->options.game->print(&f->options, move, &text);
    return text.cut ? "(cut)" : line;
}

/* Whether the players have changed sides: the text says so. */
static bool is_swapped(const struct fixture *f, const void *state) {
    return strstr(text_of(f, state), " swapped") != NULL;
}

static bool is_listed(const struct legal *legal, nonet_move move) {
    for (int i = 0; i < legal->count; i++)
        if (legal->moves[i] == move)
            return true;
    return false;
}

static bool is_legal(const struct fixture *f, const void *state, nonet_move move) {
    const struct nonet_wide *wide = f->options.game->wide;
    return wide != NULL ? wide->test(&f->options, state, f->workspace, move)
                        : is_listed(f->legal, move);
}

/* Plays random moves to the end (or a limit), and passes the state before each to `visit`. */
static void random_game(struct fixture *f, void (*visit)(struct fixture *, const void *state)) {
    const struct nonet_game *game = f->options.game;
    struct nonet_state state;
    noise(f, &state);
    game->start(&f->options, &state, f->workspace);
    for (int ply = 0; ply < LONGEST; ply++) {
        list_legal(&f->options, &state, f->workspace, &f->random, f->legal);
        nonet_move move =
            f->legal->count == 0
                ? 0
                : f->legal->moves[nonet_random_below(&f->random, (uint32_t)f->legal->count)];
        if (is_listed(f->legal, NONET_SWAP) && nonet_random_below(&f->random, 2) == 0)
            move = NONET_SWAP;
        visit(f, &state);
        list_legal(&f->options, &state, f->workspace, &f->random, f->legal);
        if (f->legal->count == 0)
            return;
        game->play(&f->options, &state, f->workspace, move);
    }
}

static void gather(struct fixture *f, const void *state) {
    (void)state;
    for (int i = 0; i < f->legal->count && f->pool_count < POOL; i++) {
        bool known = false;
        for (int j = 0; j < f->pool_count && !known; j++)
            known = f->pool[j] == f->legal->moves[i];
        if (!known)
            f->pool[f->pool_count++] = f->legal->moves[i];
    }
}

static void check_moves(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    int turn = game->turn(&f->options, state);
    CHECK(turn >= 0 && turn <= f->options.players, "turn %d in %s", turn, text_of(f, state));
    CHECK((turn == 0) == (f->legal->count == 0), "turn %d, %d moves in %s", turn, f->legal->count,
          text_of(f, state));
    CHECK(f->legal->count <= NONET_MAX_MOVES - 16, "too many moves");
    if (game->next != NULL)
        CHECK(turn == 0 || game->next(&f->options, state) == turn, "next of %s", text_of(f, state));
    for (int i = 0; i < f->legal->count; i++) {
        nonet_move move = f->legal->moves[i], parsed;
        const char *text = move_text_of(f, move);
        struct nonet_message why = {0};
        for (int j = 0; j < i; j++)
            CHECK(f->legal->moves[j] != move, "%s twice in %s", text, text_of(f, state));
        CHECK(game->parse(&f->options, text, &parsed, &why) && parsed == move,
              "%s does not parse back", text);
        CHECK(game->why(&f->options, state, move, &why), "%s listed but refused (%s) in %s", text,
              why.phrase != NULL ? why.phrase->key : "", text_of(f, state));
    }
    for (int i = 0; i < f->pool_count; i++) {
        struct nonet_message why = {0};
        bool accepted = game->why(&f->options, state, f->pool[i], &why);
        CHECK(accepted == is_legal(f, state, f->pool[i]), "%s %s in %s",
              move_text_of(f, f->pool[i]), accepted ? "accepted, not listed" : "refused",
              text_of(f, state));
        CHECK(accepted || why.phrase != NULL, "%s refused without a reason in %s",
              move_text_of(f, f->pool[i]), text_of(f, state));
        if (!accepted) {
            char words[512];
            struct nonet_text text = NONET_TEXT_IN(words);
            nonet_message_write(&why, NULL, &text);
            CHECK(!text.cut && strstr(words, "{") == NULL, "worded as \"%s\"", words);
        }
    }
}

/* Any number is accepted if and only if it is a legal move. */
static void check_number(struct fixture *f, const void *state, nonet_move number) {
    const struct nonet_game *game = f->options.game;
    struct nonet_message why = {0};
    bool accepted = game->why(&f->options, state, number, &why), legal = is_legal(f, state, number);
    CHECK(accepted == legal, "number %#x is %s in %s", number, accepted ? "accepted" : "refused",
          text_of(f, state));
    CHECK(accepted || why.phrase != NULL, "number %#x refused without a reason", number);
    nonet_move found;
    if (game->wide != NULL && game->wide->nearest(&f->options, state, f->workspace, number, &found))
        CHECK(is_legal(f, state, found), "nearest to %#x is %s", number, move_text_of(f, found));
    if (!accepted || game->wide == NULL)
        return;
    nonet_move parsed; /* a move that cannot be listed must at least come back from its text */
    CHECK(game->parse(&f->options, move_text_of(f, number), &parsed, &why) && parsed == number,
          "number %#x is accepted, but is no move", number);
}

/* Numbers that are not moves: any, small ones, and those that differ from a move by a bit or two.
 */
static void check_numbers(struct fixture *f, const void *state) {
    enum { OF_A_KIND = 40 };
    for (int i = 0; i < OF_A_KIND; i++) {
        uint64_t dice = nonet_random_next(&f->random);
        check_number(f, state, (nonet_move)dice);
        check_number(f, state, (nonet_move)(dice >> 32) >> (dice & 31));
        check_number(f, state, (nonet_move) - (dice & 255));
        if (f->pool_count == 0)
            continue;
        nonet_move known = f->pool[nonet_random_below(&f->random, (uint32_t)f->pool_count)];
        check_number(f, state, known ^ 1u << (dice & 31));
        check_number(f, state, known ^ 1u << (dice & 31) ^ 1u << (dice >> 5 & 31));
        check_number(f, state, known + (nonet_move)(dice >> 10 & 511));
    }
    for (int bit = 0; bit < 32 && f->legal->count > 0; bit++)
        check_number(f, state, f->legal->moves[0] ^ 1u << bit);
    check_number(f, state, NONET_SWAP);
    struct nonet_message why;
    CHECK(f->options.game->inner != NULL ||
              !f->options.game->why(&f->options, state, NONET_SWAP, &why),
          "a move has the number of a swap");
}

/* Whether some viewer sees exactly this in every position that is consistent with it. */
static bool is_observation(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    for (int viewer = 0; viewer <= f->options.players; viewer++) {
        int worlds = game->hidden->worlds(&f->options, state, viewer), same = 0;
        for (int i = 0; i < worlds; i++) {
            struct nonet_state world, seen;
            noise(f, &world);
            noise(f, &seen);
            game->hidden->world(&f->options, state, viewer, i, &world);
            game->hidden->observe(&f->options, &world, viewer, &seen);
            same += memcmp(&seen, state, game->state_size) == 0;
        }
        if (worlds > 0 && same == worlds)
            return true;
    }
    return false;
}

static void check_text(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    char line[NONET_POSITION_TEXT];
    strcpy(line, text_of(f, state));
    CHECK(strcmp(line, "(cut)") != 0 && line[0] != '\0', "no text");
    for (const char *c = line; *c != '\0'; c++)
        CHECK(*c >= ' ' && *c < 0x7f, "odd character in \"%s\"", line);
    struct nonet_state read;
    noise(f, &read);
    struct nonet_message why = {0};
    bool accepted = game->read(&f->options, line, &read, f->other_workspace, &why);
    char words[512];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(&why, NULL, &text);
    CHECK(accepted, "\"%s\" refused: %s", line, words);
    CHECK(memcmp(&read, state, game->state_size) == 0, "\"%s\" read differently", line);
    CHECK(nonet_hash(&read, game->state_size) == nonet_hash(state, game->state_size), "hash");
    if (game->wide != NULL)
        CHECK(memcmp(f->workspace, f->other_workspace, game->wide->workspace_size) == 0,
              "workspace of \"%s\" differs", line);

    /* A damaged text is refused with a reason, or is another position, which is written back as the
     * same text. */
    for (int i = 0; i < 10; i++) {
        char spoilt[NONET_POSITION_TEXT];
        strcpy(spoilt, line);
        size_t length = strlen(line), at = nonet_random_below(&f->random, (uint32_t)length);
        switch (i % 5) {
        case 0:
            spoilt[at] = (char)(' ' + nonet_random_below(&f->random, 95));
            break;
        case 1:
            spoilt[at] = '\0';
            break;
        case 2:
            memmove(spoilt + at, line + at + 1, length - at);
            break;
        case 3:
            spoilt[at] = line[nonet_random_below(&f->random, (uint32_t)length)];
            break;
        case 4:
            for (int hidden = 0; hidden <= i / 5; hidden++)
                spoilt[length - 1 - nonet_random_below(&f->random, length < 12 ? 1 : 12)] = '?';
            break;
        }
        why.phrase = NULL;
        noise(f, &read);
        if (!game->read(&f->options, spoilt, &read, f->other_workspace, &why)) {
            CHECK(why.phrase != NULL, "\"%s\" refused without a reason", spoilt);
        } else {
            struct nonet_state again;
            noise(f, &again);
            CHECK(game->read(&f->options, text_of(f, &read), &again, f->other_workspace, &why) &&
                      memcmp(&read, &again, game->state_size) == 0,
                  "\"%s\" does not settle", spoilt);
            CHECK(nonet_is_whole(&f->options, &read) || is_observation(f, &read),
                  "nobody sees \"%s\"", spoilt);
        }
    }
}

static void check_parse(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    (void)state;
    for (int i = 0; i < f->legal->count && i < 8; i++) {
        char text[NONET_MOVE_TEXT + 1];
        strcpy(text, move_text_of(f, f->legal->moves[i]));
        size_t length = strlen(text);
        text[nonet_random_below(&f->random, (uint32_t)length)] =
            (char)(' ' + nonet_random_below(&f->random, 95));
        if (nonet_random_below(&f->random, 4) == 0)
            strcpy(text + length, "0");
        nonet_move move;
        struct nonet_message why = {0};
        if (game->parse(&f->options, text, &move, &why))
            CHECK(strcmp(move_text_of(f, move), text) == 0, "\"%s\" parses as %s", text,
                  move_text_of(f, move));
        else
            CHECK(why.phrase != NULL, "\"%s\" refused without a reason", text);
    }
}

/* A message fits: all its words, and its arguments are those that its phrase uses. */
static void check_words(const struct nonet_message *message) {
    char words[256];
    struct nonet_text text = NONET_TEXT_IN(words);
    assert_non_null(message->phrase);
    nonet_message_write(message, NULL, &text);
    CHECK(!text.cut && text.length > 0, "too long or empty: \"%s\"", words);
    CHECK(strchr(words, '{') == NULL, "an argument is missing: \"%s\"", words);
    static const char named[] = "player {";
    for (const char *c = message->phrase->english; (c = strstr(c, named)) != NULL; c++)
        CHECK(message->arguments[c[sizeof named - 1] - '0'].kind == NONET_ARG_PLAYER,
              "a number that is not told to be a player's: \"%s\"", words);
    for (const char *c = message->phrase->english; (c = strstr(c, "player ")) != NULL; c++)
        CHECK(c[7] < '0' || c[7] > '9', "a player who can never change sides: \"%s\"", words);
}

/* Every legal move has a number of its own, and every number is a move or refused. */
static void check_actions(struct fixture *f, const void *state) {
    const struct nonet_options *options = &f->options;
    if (options->game->action_count == NULL)
        return;
    int count = options->game->action_count(options);
    for (int i = 0; i < f->legal->count; i++) {
        nonet_move move = f->legal->moves[i];
        int action = nonet_action_of(options, move);
        CHECK(action >= 0 && action < count && nonet_action_move(options, action) == move,
              "%s has the number %d of %d", move_text_of(f, move), action, count);
    }
    for (int i = 0; i < 20; i++) {
        int action = (int)nonet_random_below(&f->random, (uint32_t)count);
        nonet_move move = nonet_action_move(options, action);
        struct nonet_message why = {0};
        if (options->game->why(options, state, move, &why))
            CHECK(nonet_action_of(options, move) == action, "number %d is not its own", action);
        int other = nonet_action_of(options, (nonet_move)nonet_random_next(&f->random));
        CHECK(other >= -1 && other < count, "a number out of its range");
    }
}

static void check_scene(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    struct nonet_scene *scene = f->scene, *first = f->first_scene;
    nonet_scene_for(&f->options, state, NONET_SPECTATOR, scene);
    if (first->place_count == 0)
        *first = *scene;
    CHECK(!scene->cut, "the scene has no room for all of %s", text_of(f, state));
    struct nonet_state zeros = {0};
    scene->place_count = scene->piece_count = scene->figure_count = 0;
    game->scene(&f->options, &zeros, scene);
    CHECK(scene->place_count == first->place_count, "a state of zeros has other places");
    nonet_scene_for(&f->options, state, NONET_SPECTATOR, scene);
    CHECK(scene->place_count == first->place_count, "places come and go");
    for (int i = 0; i < scene->place_count; i++) {
        const struct nonet_place *place = &scene->places[i];
        CHECK(strcmp(place->name, first->places[i].name) == 0 &&
                  place->kind == first->places[i].kind && place->x == first->places[i].x &&
                  place->y == first->places[i].y && place->zone == first->places[i].zone &&
                  (place->home == first->places[i].home) ==
                      (place->home == 0 || !is_swapped(f, state)),
              "place %d moved", i);
        CHECK(place->home <= f->options.players, "%s is the home of nobody", place->name);
        CHECK(place->kind == NONET_CELL || (place->zone == 0 && place->home == 0), "%s is no cell",
              place->name);
        CHECK(place->name[0] != '\0' && place->label.phrase != NULL, "place %d has no name", i);
        check_words(&place->label);
        for (int j = 0; j < i; j++)
            CHECK(strcmp(place->name, scene->places[j].name) != 0, "two places %s", place->name);
    }
    for (int i = 0; i < scene->piece_count; i++) {
        const struct nonet_piece *piece = &scene->pieces[i];
        CHECK(piece->place < scene->place_count, "piece %d is nowhere", i);
        CHECK(piece->label.phrase != NULL && piece->mark[0] != '\0', "piece %d has no label", i);
        check_words(&piece->label);
        CHECK(piece->material < NONET_MATERIALS && piece->owner <= f->options.players, "piece %d",
              i);
        uint8_t kind = scene->places[piece->place].kind;
        CHECK(piece->button == NONET_NOWHERE ||
                  (kind == NONET_HAND && piece->button < scene->place_count &&
                   scene->places[piece->button].kind == NONET_BUTTON),
              "piece %d is taken by something that is not a button", i);
        CHECK(kind != NONET_BUTTON, "a piece on a button");
        if (kind == NONET_CELL || kind == NONET_FLOOR)
            CHECK(piece->x > 0 && piece->x < scene->width && piece->y > 0 &&
                      piece->y < scene->depth && piece->width > 0 && piece->depth > 0,
                  "piece %d is off the board", i);
    }
    uint16_t all[64][NONET_MAX_TOUCHES];
    for (int i = 0; i < f->legal->count && i < 64; i++) {
        memset(all[i], 0xff, sizeof all[i]);
        int count = game->touches(&f->options, f->legal->moves[i], all[i]);
        CHECK(count > 0 && count <= NONET_MAX_TOUCHES, "%d touches", count);
        for (int k = 0; k < count; k++)
            CHECK(all[i][k] < scene->place_count, "%s touches a place that is not there",
                  move_text_of(f, f->legal->moves[i]));
        char spelt[64];
        struct nonet_text text = NONET_TEXT_IN(spelt);
        nonet_spell(&f->options, scene, all[i], count, &text);
        if (game->wide != NULL && f->legal->moves[i] != NONET_SWAP) {
            struct nonet_piece piece;
            nonet_move wished;
            game->wide->piece(&f->options, f->legal->moves[i], &piece);
            CHECK(piece.button == NONET_NOWHERE && piece.place < scene->place_count &&
                      piece.count == 1 && piece.label.phrase != NULL && piece.mark[0] != '\0',
                  "the piece of %s is not one that a scene shows",
                  move_text_of(f, f->legal->moves[i]));
            CHECK(
                game->wide->wish(&f->options, all[i][0], piece.x, piece.y, piece.angle, &wished) &&
                    wished == f->legal->moves[i],
                "the piece of %s does not ask for that move", move_text_of(f, f->legal->moves[i]));
        }
        if (game->wide == NULL)
            CHECK(strcmp(spelt, move_text_of(f, f->legal->moves[i])) == 0,
                  "%s is spelt %s by its touches", move_text_of(f, f->legal->moves[i]), spelt);
        for (int j = 0; j < i && game->wide == NULL; j++)
            CHECK(memcmp(all[i], all[j], sizeof all[i]) != 0, "%s is touched like another",
                  move_text_of(f, f->legal->moves[i]));
    }
}

/* A game's own canonical form is one of the symmetric states, and its orbit is the same as when it
 * is counted without the game's help. Many symmetries make this slow, so not for every position. */
static void check_canonical(struct fixture *f, const void *state, const void *canonical) {
    const struct nonet_game *game = f->options.game;
    int count = game->symmetries(&f->options);
    if (count > 100 && nonet_random_below(&f->random, 50) > 0)
        return;
    bool found = false;
    for (int symmetry = 0; symmetry < count && !found; symmetry++) {
        struct nonet_state turned;
        game->turn_state(&f->options, symmetry, state, &turned);
        found = memcmp(&turned, canonical, game->state_size) == 0;
    }
    CHECK(found, "the canonical state of %s is not symmetric to it", text_of(f, state));
    struct nonet_game plain = *game;
    struct nonet_options options = f->options;
    options.game = &plain;
    plain.orbit = NULL;
    CHECK(nonet_orbit(&f->options, state) == nonet_orbit(&options, state), "orbit of %s",
          text_of(f, state));
}

static void check_symmetries(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (game->symmetries == NULL)
        return;
    struct nonet_state turned;
    noise(f, &turned);
    game->turn_state(&f->options, 0, state, &turned);
    CHECK(memcmp(&turned, state, game->state_size) == 0, "symmetry 0 of %s", text_of(f, state));
    int symmetry = (int)nonet_random_below(&f->random, (uint32_t)game->symmetries(&f->options));
    noise(f, &turned);
    game->turn_state(&f->options, symmetry, state, &turned);
    CHECK(game->turn(&f->options, &turned) == game->turn(&f->options, state), "turn changed");
    struct nonet_state canonical, other_canonical;
    noise(f, &canonical);
    noise(f, &other_canonical);
    nonet_canonical(&f->options, state, &canonical);
    nonet_canonical(&f->options, &turned, &other_canonical);
    CHECK(memcmp(&canonical, &other_canonical, game->state_size) == 0,
          "symmetry %d of %s has another canonical state", symmetry, text_of(f, state));
    CHECK(game->turn(&f->options, &canonical) == game->turn(&f->options, state), "turn changed");
    check_canonical(f, state, &canonical);
    if (game->wide != NULL) {
        game->wide->enter(&f->options, &turned, f->other_workspace);
        CHECK(game->wide->count(&f->options, &turned, f->other_workspace) ==
                  game->wide->count(&f->options, state, f->workspace),
              "symmetry %d of %s", symmetry, text_of(f, state));
        for (int i = 0; i < f->legal->count; i++)
            CHECK(game->wide->test(&f->options, &turned, f->other_workspace,
                                   game->turn_move(&f->options, symmetry, f->legal->moves[i])),
                  "symmetry %d of %s", symmetry, text_of(f, state));
        return;
    }
    struct legal *legal = malloc(sizeof *legal);
    list_legal(&f->options, &turned, NULL, &f->random, legal);
    CHECK(legal->count == f->legal->count, "symmetry %d of %s", symmetry, text_of(f, state));
    for (int i = 0; i < f->legal->count; i++) {
        nonet_move move = game->turn_move(&f->options, symmetry, f->legal->moves[i]);
        CHECK(is_listed(legal, move), "symmetry %d, %s of %s", symmetry,
              move_text_of(f, f->legal->moves[i]), text_of(f, state));
        struct nonet_state a, b, turned_a;
        memcpy(&a, state, game->state_size);
        memcpy(&b, &turned, game->state_size);
        game->play(&f->options, &a, NULL, f->legal->moves[i]);
        game->play(&f->options, &b, NULL, move);
        game->turn_state(&f->options, symmetry, &a, &turned_a);
        CHECK(memcmp(&turned_a, &b, game->state_size) == 0, "symmetry %d, %s of %s", symmetry,
              move_text_of(f, f->legal->moves[i]), text_of(f, state));
    }
    free(legal);
}

/* ---- Editing ---- */

static struct nonet_editing editing;

/* What `read` alone says of the draft is what the editor says; a position is written as `write`
 * does it. */
static void check_verdict(struct fixture *f, const char *after) {
    const struct nonet_game *game = f->options.game;
    struct nonet_state state;
    struct nonet_message why = {0};
    noise(f, &state);
    bool reads = game->read(&f->options, editing.text, &state, f->other_workspace, &why);
    CHECK(reads == editing.is_position, "%s: \"%s\"", after, editing.text);
    if (reads)
        CHECK(strcmp(text_of(f, &state), editing.text) == 0, "%s: \"%s\" is written as \"%s\"",
              after, editing.text, text_of(f, &state));
    else
        CHECK(why.phrase == editing.why.phrase && why.phrase != NULL, "%s: another reason for %s",
              after, editing.text);
    CHECK(editing.scene.piece_count == editing.draft.count && !editing.scene.cut, "%s", after);
    for (int i = 0; i < editing.place_count; i++)
        CHECK(editing.places[i] < editing.scene.place_count, "%s: a reason is nowhere", after);
    for (int i = 0; i < editing.piece_count; i++)
        CHECK(editing.pieces[i] < editing.draft.count, "%s: a reason is about nothing", after);
}

static bool look_alike(const struct nonet_piece *a, const struct nonet_piece *b) {
    return a->place == b->place && a->shape == b->shape && a->material == b->material &&
           a->owner == b->owner && a->angle == b->angle && a->x == b->x && a->y == b->y &&
           a->z == b->z && a->width == b->width && a->depth == b->depth && a->height == b->height &&
           memcmp(a->mark, b->mark, sizeof a->mark) == 0;
}

/* The draft of a position shows what its scene shows on the board, and nothing else. */
static void check_drawn(struct fixture *f, const char *text) {
    int shown = 0;
    for (int i = 0; i < f->scene->piece_count; i++) {
        const struct nonet_piece *piece = &f->scene->pieces[i];
        int found = 0;
        for (int k = 0; k < editing.scene.piece_count; k++)
            found += look_alike(piece, &editing.scene.pieces[k]);
        bool on_board = f->scene->places[piece->place].kind <= NONET_FLOOR;
        CHECK(found == on_board, "piece %s at %s of %s is drawn %d times", piece->mark,
              f->scene->places[piece->place].name, text, found);
        shown += on_board;
    }
    CHECK(shown == editing.scene.piece_count, "%s has %d pieces", text, shown);
}

static void edit_at_random(struct fixture *f) {
    uint32_t places = editing.scene.place_count;
    int kind = (int)nonet_random_below(&f->random, (uint32_t)editing.kind_count);
    int place = (int)nonet_random_below(&f->random, places);
    int x = (int)nonet_random_below(&f->random, (uint32_t)editing.scene.width + 1);
    int y = (int)nonet_random_below(&f->random, (uint32_t)editing.scene.depth + 1);
    struct nonet_draft before = editing.draft;
    switch (nonet_random_below(&f->random, 5)) {
    case 0:
        if (before.count > 0)
            CHECK(nonet_editing_take(&editing,
                                     (int)nonet_random_below(&f->random, (uint32_t)before.count)) &&
                      editing.draft.count == before.count - 1,
                  "nothing is taken");
        break;
    case 1:
        if (editing.field_count > 0) {
            int field = (int)nonet_random_below(&f->random, (uint32_t)editing.field_count);
            const struct nonet_field *its = &editing.fields[field];
            int value = its->least +
                        (int)nonet_random_below(&f->random, (uint32_t)(its->most - its->least + 1));
            CHECK(nonet_editing_set(&editing, field, value) && editing.draft.values[field] == value,
                  "field %d is not set to %d in %s", field, value, editing.text);
        }
        break;
    case 2:
        CHECK(nonet_editing_turn(&editing,
                                 1 + (int)nonet_random_below(&f->random, f->options.players)),
              "no turn");
        break;
    default:
        nonet_editing_put(&editing, kind, place, x, y, (int)nonet_random_below(&f->random, 360));
    }
    check_verdict(f, "a random edit");
}

/* By edits alone, from whatever the draft is, to the draft of another text. */
static void edit_towards(const struct nonet_draft *goal) {
    nonet_editing_clear(&editing);
    for (int i = 0; i < goal->count; i++) {
        const struct nonet_draft_piece *piece = &goal->pieces[i];
        CHECK(nonet_editing_put(&editing, piece->kind, piece->place, piece->x, piece->y,
                                piece->angle),
              "piece %d cannot be put", i);
    }
    for (int field = 0; field < editing.field_count; field++)
        if (editing.draft.values[field] != goal->values[field])
            CHECK(nonet_editing_set(&editing, field, goal->values[field]), "field %d", field);
    if (goal->turn != editing.draft.turn)
        CHECK(nonet_editing_turn(&editing, goal->turn), "turn of player %d", goal->turn);
}

/* Texts from outside: refused, or a draft that can be edited. */
static void check_strange_drafts(struct fixture *f, const char *goal) {
    static const char *const odd[] = {"",
                                      " ",
                                      "/",
                                      "A",
                                      "A/",
                                      "AB/A 1",
                                      "//// 1",
                                      "- 0",
                                      "0+0 0+0 1",
                                      "- 1 ",
                                      ",,/,,/,, 0,0 ?? 0 - 1"};
    static char line[2 * NONET_POSITION_TEXT];
    struct nonet_message why;
    for (int i = 0; i < 24; i++) {
        size_t size = strlen(goal);
        strcpy(line, goal);
        if (i < (int)(sizeof odd / sizeof odd[0]))
            strcpy(line, odd[i]);
        else if (i == 23)
            memset(line + size, line[size / 2], sizeof line - 1 - size),
                line[sizeof line - 1] = '\0';
        else
            for (int times = 0; times < 3; times++)
                line[nonet_random_below(&f->random, (uint32_t)size)] =
                    (char)(1 + nonet_random_below(&f->random, 255));
        char before[NONET_POSITION_TEXT];
        strcpy(before, editing.text);
        why = (struct nonet_message){0};
        if (nonet_editing_read(&editing, line, &why)) {
            check_verdict(f, "a strange draft");
            edit_at_random(f);
        } else {
            CHECK(why.phrase != NULL && strcmp(before, editing.text) == 0, "\"%s\" is refused: %s",
                  line, editing.text);
            struct nonet_state state;
            CHECK(!f->options.game->read(&f->options, line, &state, f->other_workspace, &why),
                  "\"%s\" is a position, but no draft", line);
        }
    }
}

/* Every position can be put down by hand; so can what anybody sees of it. */
static void check_editing(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (game->wide != NULL && nonet_random_below(&f->random, 8) != 0)
        return; /* its workspace takes time */
    if (!nonet_editing_begin(&editing, &f->options, f->other_workspace)) {
        CHECK(game->editor == NULL, "the editor does not begin");
        return;
    }
    CHECK(editing.is_position, "it begins with %s", editing.text);
    check_verdict(f, "the beginning");
    if (game->inner != NULL) { /* it edits what is on the board, and knows no swap */
        struct nonet_message why;
        const char *text = text_of(f, state);
        CHECK(nonet_editing_read(&editing, text, &why) && editing.is_position &&
                  strlen(editing.text) == nonet_swap_text(text) &&
                  strncmp(editing.text, text, strlen(editing.text)) == 0,
              "%s is edited as %s", text, editing.text);
        return;
    }
    for (int kind = 0; kind < editing.kind_count; kind++)
        check_words(&editing.kinds[kind].label);
    for (int field = 0; field < editing.field_count; field++)
        check_words(&editing.fields[field].label);
    int viewer = (int)nonet_random_below(&f->random, f->options.players + 2u);
    struct nonet_state seen;
    memcpy(&seen, state, game->state_size);
    if (viewer <= f->options.players)
        nonet_observe(&f->options, state, viewer, &seen);
    char goal[NONET_POSITION_TEXT];
    strcpy(goal, text_of(f, &seen));
    struct nonet_message why;
    CHECK(nonet_editing_read(&editing, goal, &why) && editing.is_position &&
              strcmp(editing.text, goal) == 0,
          "%s is read as %s", goal, editing.text);
    nonet_scene_for(&f->options, state, NONET_SPECTATOR, f->scene);
    check_drawn(f, goal);
    struct nonet_draft drafted = editing.draft;
    for (int i = 0; i < (game->wide != NULL ? 2 : 8); i++)
        edit_at_random(f);
    edit_towards(&drafted);
    CHECK(strcmp(editing.text, goal) == 0 && editing.is_position, "\"%s\" is edited to \"%s\"",
          goal, editing.text);
    check_drawn(f, goal);
    CHECK(!nonet_editing_put(&editing, editing.kind_count, 0, 0, 0, 0) &&
              !nonet_editing_put(&editing, -1, 0, 0, 0, 0) &&
              !nonet_editing_put(&editing, 0, editing.scene.place_count, 0, 0, 0) &&
              !nonet_editing_take(&editing, editing.draft.count) &&
              !nonet_editing_take(&editing, -1) &&
              !nonet_editing_set(&editing, editing.field_count, 0) &&
              !nonet_editing_turn(&editing, f->options.players + 1) &&
              strcmp(editing.text, goal) == 0,
          "an edit that makes no sense changes %s", goal);
    if (game->wide == NULL)
        check_strange_drafts(f, goal);
}

static void check_result(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (f->legal->count > 0)
        return;
    struct nonet_result result = {0};
    game->result(&f->options, state, &result);
    CHECK(result.winners != 0 && result.winners >> f->options.players == 0, "winners %x of %s",
          result.winners, text_of(f, state));
    CHECK(result.has_points == ((game->facts & NONET_POINTS) != 0), "points of %s",
          text_of(f, state));
    for (int i = 0; result.has_points && i < f->options.players; i++)
        for (int j = 0; j < f->options.players; j++)
            CHECK(result.points[i] - result.points[j] <= NONET_MAX_MARGIN, "%d to %d points in %s",
                  result.points[i], result.points[j], text_of(f, state));
    CHECK(result.reason.phrase != NULL, "no reason for the end of %s", text_of(f, state));
    check_words(&result.reason);
}

/* What a viewer sees is read back from its text. It is a position only if nothing is hidden. Every
 * world is a position that looks like this. */
static void check_observation_text(struct fixture *f, const void *state, int viewer,
                                   const void *seen) {
    const struct nonet_game *game = f->options.game;
    struct nonet_state read, world, again;
    struct nonet_message why = {0};
    char line[NONET_POSITION_TEXT];
    strcpy(line, text_of(f, seen));
    noise(f, &read);
    CHECK(game->read(&f->options, line, &read, NULL, &why) &&
              memcmp(&read, seen, game->state_size) == 0,
          "\"%s\" is not read as what viewer %d sees", line, viewer);
    bool whole = memcmp(seen, state, game->state_size) == 0;
    CHECK(nonet_is_whole(&f->options, state), "something is hidden in %s", text_of(f, state));
    CHECK(nonet_is_whole(&f->options, seen) == whole, "whether \"%s\" is whole", line);
    why.phrase = NULL;
    CHECK(nonet_read_whole(&f->options, line, &read, NULL, &why) == whole &&
              (whole || why.phrase != NULL),
          "\"%s\" as a position", line);
    int worlds = game->hidden->worlds(&f->options, seen, viewer);
    for (int i = 0; i < worlds; i++) {
        noise(f, &world);
        game->hidden->world(&f->options, seen, viewer, i, &world);
        noise(f, &again);
        game->hidden->observe(&f->options, &world, viewer, &again);
        CHECK(memcmp(&again, seen, game->state_size) == 0,
              "viewer %d sees world %d of \"%s\" as %s", viewer, i, line, text_of(f, &again));
        noise(f, &again);
        CHECK(nonet_read_whole(&f->options, text_of(f, &world), &again, NULL, &why) &&
                  memcmp(&again, &world, game->state_size) == 0,
              "world %d of \"%s\" is no position", i, line);
    }
}

static void check_observation(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (game->hidden == NULL)
        return;
    for (int viewer = 0; viewer <= f->options.players; viewer++) {
        struct nonet_state seen, again;
        noise(f, &seen);
        noise(f, &again);
        game->hidden->observe(&f->options, state, viewer, &seen);
        int worlds = game->hidden->worlds(&f->options, &seen, viewer);
        CHECK(worlds > 0 && worlds <= NONET_MAX_WORLDS, "viewer %d sees %d worlds in %s", viewer,
              worlds, text_of(f, state));
        game->hidden->observe(&f->options, &seen, viewer, &again);
        CHECK(memcmp(&seen, &again, game->state_size) == 0, "observing twice changes %s",
              text_of(f, state));
        check_observation_text(f, state, viewer, &seen);
        struct legal *legal = malloc(sizeof *legal);
        list_legal(&f->options, &seen, NULL, &f->random, legal);
        CHECK(legal->count == f->legal->count &&
                  memcmp(legal->moves, f->legal->moves,
                         (size_t)legal->count * sizeof(nonet_move)) == 0,
              "viewer %d sees other moves in %s", viewer, text_of(f, state));
        free(legal);
    }
}

/* Whoever may expect something is on one side, and only one. Without weights all sides expect the
 * same, and no move appeals. All moves are judged by one set of weights. */
static void check_counts(struct fixture *f, const void *state) {
    static const int16_t nothing[NONET_MAX_COUNTED_WEIGHTS];
    const struct nonet_counts *counts = f->options.game->hidden->counts;
    struct nonet_side sides[NONET_MAX_PLAYERS];
    int shares[NONET_MAX_PLAYERS], alike[NONET_MAX_PLAYERS], set;
    int count = counts->sides(&f->options, state, sides, &set);
    CHECK(count >= 1 && count <= f->options.players && set >= 0 && set < counts->side_sets,
          "%d sides and set %d in %s", count, set, text_of(f, state));
    nonet_expect(&f->options, NULL, state, shares);
    nonet_expect(&f->options, nothing, state, alike);
    for (int player = 0; player < NONET_MAX_PLAYERS; player++) {
        int on = 0;
        for (int i = 0; i < count; i++)
            on += (int)(sides[i].players >> player & 1);
        CHECK(on <= 1 && (on == 1 || shares[player] == 0) &&
                  alike[player] == on * (NONET_EXPECTED_WHOLE / count),
              "player %d is on %d sides, and expects %d in %s", player + 1, on, alike[player],
              text_of(f, state));
    }
    struct nonet_state seen;
    nonet_observe(&f->options, state, f->options.game->turn(&f->options, state), &seen);
    int first = -1;
    for (int i = 0; i < f->legal->count; i++) {
        int16_t row[NONET_MAX_COUNTS];
        nonet_move move = f->legal->moves[i];
        set = counts->move(&f->options, &seen, move, row);
        first = i == 0 ? set : first;
        CHECK(set == first && set >= 0 && set < counts->move_sets, "set %d in %s", set,
              text_of(f, state));
        CHECK(nonet_appeal(&f->options, nothing, &seen, move) == 0, "a move appeals in %s",
              text_of(f, state));
    }
}

/* What players expect is the whole win together, and what they expect and like is the same however
 * the board is turned. */
static void check_expectations(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (game->hidden == NULL || f->legal->count == 0)
        return;
    int shares[NONET_MAX_PLAYERS] = {0}, sum = 0, players = f->options.players;
    check_counts(f, state);
    nonet_expect(&f->options, NULL, state, shares);
    bool teams = players == 4 && (game->facts & NONET_TEAMS) != 0;
    for (int i = 0; i < players; i++) {
        CHECK(shares[i] >= 0 && (!teams || shares[i] == shares[(i + 2) % 4]),
              "player %d expects %d in %s", i + 1, shares[i], text_of(f, state));
        sum += shares[i];
    }
    sum /= teams ? 2 : 1;
    CHECK(sum > NONET_EXPECTED_WHOLE - players && sum <= NONET_EXPECTED_WHOLE,
          "all together expect %d in %s", sum, text_of(f, state));
    int symmetries = game->symmetries != NULL ? game->symmetries(&f->options) : 1;
    int mover = game->turn(&f->options, state);
    struct nonet_state seen, turned;
    game->hidden->observe(&f->options, state, mover, &seen);
    for (int symmetry = 1; symmetry < symmetries; symmetry++) {
        int others[NONET_MAX_PLAYERS] = {0};
        noise(f, &turned);
        game->turn_state(&f->options, symmetry, state, &turned);
        nonet_expect(&f->options, NULL, &turned, others);
        CHECK(memcmp(shares, others, sizeof shares) == 0, "by symmetry %d others expect to win %s",
              symmetry, text_of(f, state));
        game->turn_state(&f->options, symmetry, &seen, &turned);
        for (int i = 0; i < f->legal->count; i++) {
            nonet_move move = f->legal->moves[i];
            int one = nonet_appeal(&f->options, NULL, &seen, move);
            int other = nonet_appeal(&f->options, NULL, &turned,
                                     game->turn_move(&f->options, symmetry, move));
            CHECK(one == other, "a move appeals by %d and by symmetry %d by %d in %s", one,
                  symmetry, other, text_of(f, state));
        }
    }
}

/* The evaluation of a game that is not over is the same however the board is turned. Between two
 * players who see everything, the evaluations of both sides are opposite. */
static void check_evaluation(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (game->evaluate == NULL || f->legal->count == 0)
        return;
    int symmetries = game->symmetries != NULL ? game->symmetries(&f->options) : 1, sum = 0;
    for (int player = 1; player <= f->options.players; player++) {
        int value = game->evaluate(&f->options, state, player);
        CHECK(value >= -1000 && value <= 1000, "player %d has %d in %s", player, value,
              text_of(f, state));
        sum += value;
        for (int symmetry = 1; symmetry < symmetries; symmetry++) {
            struct nonet_state turned;
            noise(f, &turned);
            game->turn_state(&f->options, symmetry, state, &turned);
            int same = game->evaluate(&f->options, &turned, player);
            CHECK(same == value, "player %d has %d and by symmetry %d has %d in %s", player, value,
                  symmetry, same, text_of(f, state));
        }
    }
    if (f->options.players == 2 && game->hidden == NULL)
        CHECK(sum == 0, "the players have %d together in %s", sum, text_of(f, state));
}

/* Standings keep their entries and their order; only numbers change. */
static void check_standings(struct fixture *f, const void *state) {
    static struct nonet_standings standings;
    nonet_standings_for(&f->options, state, NONET_SPECTATOR, &standings);
    if (f->first_standings.count == 0)
        f->first_standings = standings;
    CHECK(!standings.cut && standings.count == f->first_standings.count, "standings of %s",
          text_of(f, state));
    for (int i = 0; i < standings.count; i++) {
        const struct nonet_standing *now = &standings.list[i], *first = &f->first_standings.list[i];
        CHECK(now->player <= f->options.players && now->player == first->player &&
                  (now->material == first->material || is_swapped(f, state)) &&
                  now->most == first->most && now->label.phrase == first->label.phrase,
              "standing %d is another one in %s", i, text_of(f, state));
        CHECK(now->most == NONET_NO_MOST || now->number <= now->most, "%d of %d in %s", now->number,
              now->most, text_of(f, state));
        check_words(&now->label);
    }
}

/* What legal moves do is told about places that there are. A piece that travels was there before,
 * and an equal one is there afterwards. */
static void check_events(struct fixture *f, const void *state) {
    enum { TRIED = 12 };
    const struct nonet_game *game = f->options.game;
    static struct nonet_scene after_scene;
    static struct nonet_events events;
    for (int i = 0; i < f->legal->count && i < TRIED && game->wide == NULL; i++) {
        nonet_move move =
            f->legal->moves[nonet_random_below(&f->random, (uint32_t)f->legal->count)];
        struct nonet_state after;
        memcpy(&after, state, game->state_size);
        game->play(&f->options, &after, NULL, move);
        int viewer = (int)nonet_random_below(&f->random, f->options.players + 1u);
        nonet_events_for(&f->options, state, move, &after, viewer, &events);
        nonet_scene_for(&f->options, &after, viewer, &after_scene);
        nonet_scene_for(&f->options, state, viewer, f->scene);
        CHECK(!events.cut, "too many events: %s in %s", move_text_of(f, move), text_of(f, state));
        for (int j = 0; j < events.count; j++) {
            const struct nonet_event *event = &events.list[j];
            check_words(&event->says);
            for (int k = 0; k < event->count; k++)
                CHECK(event->places[k] < f->scene->place_count, "an event is nowhere");
        }
        for (int j = 0; j < events.journey_count; j++) {
            const struct nonet_journey *journey = &events.journeys[j];
            bool left = false, arrived = journey->to == NONET_NOWHERE;
            for (int k = 0; k < f->scene->piece_count; k++)
                left |= f->scene->pieces[k].place == journey->from;
            for (int k = 0; k < after_scene.piece_count; k++)
                arrived |= after_scene.pieces[k].place == journey->to;
            CHECK(left && arrived, "nothing goes from %d to %d: %s in %s", journey->from,
                  journey->to, move_text_of(f, move), text_of(f, state));
        }
    }
}

static void check_position(struct fixture *f, const void *state) {
    struct nonet_state before;
    memcpy(&before, state, f->options.game->state_size);
    check_moves(f, state);
    check_numbers(f, state);
    check_text(f, state);
    check_parse(f, state);
    check_actions(f, state);
    check_scene(f, state);
    check_editing(f, state);
    check_symmetries(f, state);
    check_result(f, state);
    check_observation(f, state);
    check_expectations(f, state);
    check_evaluation(f, state);
    check_standings(f, state);
    check_events(f, state);
    CHECK(memcmp(&before, state, f->options.game->state_size) == 0, "a look changed %s",
          text_of(f, state));
}

/* Plays a session forward, back and forward again. */
static void check_session(struct fixture *f) {
    const struct nonet_game *game = f->options.game;
    struct nonet_session *session = nonet_session_new(&f->options);
    assert_non_null(session);
    struct nonet_state states[LONGEST + 1];
    int plies = 0;
    struct nonet_message why;
    memcpy(&states[0], nonet_session_state(session), game->state_size);
    while (nonet_session_turn(session) != 0 && plies < LONGEST) {
        uint64_t count = nonet_session_count(session);
        nonet_move move =
            nonet_session_nth(session, nonet_random_below(&f->random, (uint32_t)count));
        CHECK(!nonet_session_play(session, move | 1u << 31, &why),
              "played something that is not a move");
        CHECK(nonet_session_play(session, move, &why), "refused");
        memcpy(&states[++plies], nonet_session_state(session), game->state_size);
    }
    uint64_t last_count = nonet_session_count(session);
    for (int ply = plies; ply > 0; ply--) {
        CHECK(memcmp(nonet_session_state(session), &states[ply], game->state_size) == 0, "bytes");
        CHECK(nonet_session_undo(session), "undo");
        CHECK(nonet_session_turn(session) != 0 && nonet_session_count(session) > 0, "undone");
    }
    CHECK(memcmp(nonet_session_state(session), &states[0], game->state_size) == 0, "bytes");
    CHECK(!nonet_session_undo(session), "undo at the start");
    for (int ply = 1; ply <= plies; ply++) {
        CHECK(nonet_session_redo(session), "redo");
        CHECK(memcmp(nonet_session_state(session), &states[ply], game->state_size) == 0, "bytes");
    }
    CHECK(!nonet_session_redo(session), "redo at the end");
    CHECK(nonet_session_count(session) == last_count, "count");
    nonet_session_free(session);
}

/* Two orders of the same placements lead to the same bytes. Wherever scene, turn and legal moves
 * are the same after m1 x m2 and m2 x m1, the states must be the same. */
static void check_transpositions(struct fixture *f, const void *state) {
    const struct nonet_game *game = f->options.game;
    if (game->wide != NULL || game->hidden != NULL || f->legal->count == 0)
        return;
    struct legal *list = malloc(sizeof *list);
    nonet_move first = f->legal->moves[nonet_random_below(&f->random, (uint32_t)f->legal->count)];
    nonet_move second = f->legal->moves[nonet_random_below(&f->random, (uint32_t)f->legal->count)];
    struct nonet_state ends[2];
    bool reached = true;
    nonet_move between[NONET_MAX_PLAYERS];
    for (int order = 0; order < 2 && reached; order++) {
        nonet_move sequence[NONET_MAX_PLAYERS + 1];
        struct nonet_state *s = &ends[order];
        memcpy(s, state, game->state_size);
        int players = f->options.players;
        for (int i = 0; i <= players && reached; i++) {
            list_legal(&f->options, s, NULL, &f->random, list);
            if (list->count == 0) {
                reached = false;
                break;
            }
            if (i == 0)
                sequence[i] = order == 0 ? first : second;
            else if (i == players)
                sequence[i] = order == 0 ? second : first;
            else if (order == 0)
                sequence[i] = between[i] =
                    list->moves[nonet_random_below(&f->random, (uint32_t)list->count)];
            else
                sequence[i] = between[i];
            reached = is_listed(list, sequence[i]);
            if (reached)
                game->play(&f->options, s, NULL, sequence[i]);
        }
    }
    free(list);
    if (!reached || game->turn(&f->options, &ends[0]) != game->turn(&f->options, &ends[1]))
        return;
    char texts[2][NONET_POSITION_TEXT];
    struct nonet_scene *scenes = calloc(2, sizeof *scenes);
    for (int i = 0; i < 2; i++) {
        nonet_scene_for(&f->options, &ends[i], NONET_SPECTATOR, &scenes[i]);
        strcpy(texts[i], text_of(f, &ends[i]));
    }
    bool same = scenes[0].piece_count == scenes[1].piece_count;
    for (int i = 0; i < scenes[0].piece_count && same; i++) {
        const struct nonet_piece *piece = &scenes[0].pieces[i];
        bool found = false;
        for (int j = 0; j < scenes[1].piece_count && !found; j++) {
            const struct nonet_piece *other = &scenes[1].pieces[j];
            found = piece->place == other->place && piece->material == other->material &&
                    piece->owner == other->owner && piece->count == other->count &&
                    piece->x == other->x && piece->y == other->y && piece->width == other->width &&
                    piece->depth == other->depth && piece->height == other->height;
        }
        same = found;
    }
    free(scenes);
    if (same)
        CHECK(memcmp(&ends[0], &ends[1], game->state_size) == 0, "\"%s\" and \"%s\" differ",
              texts[0], texts[1]);
}

static void run_contract(void **state) {
    struct fixture *f = *state;
    f->random.state = 12345;
    for (int i = 0; i < GAMES; i++)
        random_game(f, gather);
    for (int i = 0; i < GAMES; i++) {
        random_game(f, check_position);
        random_game(f, check_transpositions);
    }
    check_session(f);
}

static void games_keep_the_contract(void **unused) {
    (void)unused;
    for (int i = 0; i < nonet_game_count_with_template; i++) {
        const struct nonet_game *game = nonet_games[i];
        char line[256];
        struct nonet_text why = NONET_TEXT_IN(line);
        CHECK(nonet_contract_check(game, &why), "%s: %s", game->id, line);
        CHECK(nonet_game_find(game->id) == game, "two games %s", game->id);
        game = nonet_game_with_swap(game, true);
        CHECK(nonet_contract_check(game, &why), "%s with swap: %s", game->id, line);
    }
}

/* Games that break the contract, each in one way, and a part of the reason. They are copies of a
 * good game, broken by `spoil`. */
static struct nonet_option spoilt_options[NONET_MAX_OPTIONS + 2];
static struct nonet_phrase spoilt_phrases[2];
static struct nonet_hidden spoilt_hidden;
static struct nonet_counts spoilt_counts;
static struct nonet_wide spoilt_wide;
static struct nonet_features spoilt_features;

static void no_start(struct nonet_game *game) {
    game->start = NULL;
}
static void no_scene(struct nonet_game *game) {
    game->scene = NULL;
}
static void no_title(struct nonet_game *game) {
    game->title = NULL;
}
static void odd_id(struct nonet_game *game) {
    game->id = "my game";
}
static void one_player(struct nonet_game *game) {
    game->min_players = 1;
}
static void five_players(struct nonet_game *game) {
    game->max_players = 5;
}
static void large_state(struct nonet_game *game) {
    game->state_size = NONET_STATE_MAX + 1;
}
static void no_state(struct nonet_game *game) {
    game->state_size = 0;
}
static void unknown_fact(struct nonet_game *game) {
    game->facts |= 0x80;
}
static void chance_without_deal(struct nonet_game *game) {
    game->facts |= NONET_CHANCE;
}
static void teams_of_two(struct nonet_game *game) {
    game->facts |= NONET_TEAMS;
}
static void neither_listed_nor_wide(struct nonet_game *game) {
    game->moves = NULL;
}
static void few_without_next(struct nonet_game *game) {
    game->next = NULL;
}
static void half_symmetric(struct nonet_game *game) {
    game->turn_move = NULL;
}
static void orbit_alone(struct nonet_game *game) {
    game->symmetries = NULL;
    game->turn_state = NULL;
    game->turn_move = NULL;
    game->canonical = nonet_canonical;
}
static void bounds_without_points(struct nonet_game *game) {
    game->bounds = nonet_game_find("ksar")->bounds;
}
static void no_worlds(struct nonet_game *game) {
    spoilt_hidden = *game->hidden;
    spoilt_hidden.worlds = NULL;
    game->hidden = &spoilt_hidden;
}
static void no_secret_name(struct nonet_game *game) {
    spoilt_hidden = *game->hidden;
    spoilt_hidden.secret_name = NULL;
    game->hidden = &spoilt_hidden;
}
static struct nonet_counts *spoil_counts(struct nonet_game *game) {
    spoilt_hidden = *game->hidden;
    spoilt_counts = *game->hidden->counts;
    spoilt_hidden.counts = &spoilt_counts;
    game->hidden = &spoilt_hidden;
    return &spoilt_counts;
}
static void no_counts(struct nonet_game *game) {
    spoil_counts(game);
    spoilt_hidden.counts = NULL;
}
static void no_weights(struct nonet_game *game) {
    spoil_counts(game)->weights = NULL;
}
static void nothing_counted(struct nonet_game *game) {
    spoil_counts(game)->move_counts = 0;
}
static void too_much_counted(struct nonet_game *game) {
    spoil_counts(game)->side_counts = NONET_MAX_COUNTS + 1;
}
static void too_many_sets(struct nonet_game *game) {
    spoil_counts(game)->side_sets = NONET_MAX_COUNT_SETS;
}
static void no_nearest(struct nonet_game *game) {
    spoilt_wide = *game->wide;
    spoilt_wide.nearest = NULL;
    game->wide = &spoilt_wide;
}
static void no_feature_names(struct nonet_game *game) {
    spoilt_features = *game->features;
    spoilt_features.names = NULL;
    game->features = &spoilt_features;
}
static void many_features(struct nonet_game *game) {
    spoilt_features = *game->features;
    spoilt_features.count = NONET_MAX_FEATURES + 1;
    game->features = &spoilt_features;
}
static void hidden_and_wide(struct nonet_game *game) {
    game->hidden = nonet_game_find("masker")->hidden;
}
static void six_options(struct nonet_game *game) {
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i <= NONET_MAX_OPTIONS; i++)
        spoilt_options[i] = (struct nonet_option){
            .key = keys[i], .values = "1|2", .help = "", .kind = NONET_CHOICE};
    spoilt_options[NONET_MAX_OPTIONS + 1] = (struct nonet_option){0};
    game->options = spoilt_options;
}
static void no_options(struct nonet_game *game) {
    game->options = NULL;
}
static void one_option(struct nonet_game *game, struct nonet_option option) {
    spoilt_options[0] = option;
    spoilt_options[1] = (struct nonet_option){0};
    game->options = spoilt_options;
}
static void long_default(struct nonet_game *game) {
    one_option(game,
               (struct nonet_option){
                   .key = "row",
                   .values = "7123456789012345678901234567890123456789012345678901234567890|5",
                   .help = ""});
}
static void value_twice(struct nonet_game *game) {
    one_option(game, (struct nonet_option){.key = "row", .values = "7|5|7", .help = ""});
}
static void size_out_of_range(struct nonet_game *game) {
    one_option(
        game,
        (struct nonet_option){
            .key = "row", .values = "9x9", .help = "", .kind = NONET_SIZE, .least = 3, .most = 8});
}
static void number_out_of_range(struct nonet_game *game) {
    one_option(
        game,
        (struct nonet_option){
            .key = "row", .values = "2", .help = "", .kind = NONET_NUMBER, .least = 3, .most = 8});
}
static void no_help(struct nonet_game *game) {
    one_option(game, (struct nonet_option){.key = "row", .values = "7|5"});
}
static void no_values(struct nonet_game *game) {
    one_option(game, (struct nonet_option){.key = "e", .help = ""});
}
static void nine_can_play(struct nonet_game *game) {
    one_option(game, (struct nonet_option){.key = "players", .values = "2|9", .help = ""});
}
static void players_untold(struct nonet_game *game) {
    game->max_players = 3;
}
static void option_twice(struct nonet_game *game) {
    one_option(game, (struct nonet_option){.key = "row", .values = "7|5", .help = ""});
    spoilt_options[1] = spoilt_options[0];
    spoilt_options[2] = (struct nonet_option){0};
}
static void skills_that_fall(struct nonet_game *game) {
    static const uint8_t falling[][NONET_LOWER_LEVELS] = {{9, 8, 7, 6, 5, 4, 3, 2, 1}};
    game->skills = falling;
}
static void too_much_skill(struct nonet_game *game) {
    static const uint8_t great[][NONET_LOWER_LEVELS] = {
        {1, 2, 3, 4, 5, 6, 7, 8, NONET_MOST_SKILL + 1}};
    game->skills = great;
}
static void phrase_of_another(struct nonet_game *game) {
    spoilt_phrases[0] = (struct nonet_phrase){"ksar.beside", "no"};
    game->phrases = spoilt_phrases;
    game->phrase_count = 1;
}
static void phrase_twice(struct nonet_game *game) {
    spoilt_phrases[0] = spoilt_phrases[1] = (struct nonet_phrase){"template.beside", "no"};
    game->phrases = spoilt_phrases;
    game->phrase_count = 2;
}
static void phrase_with_many_arguments(struct nonet_game *game) {
    spoilt_phrases[0] = (struct nonet_phrase){"template.beside", "{7}"};
    game->phrases = spoilt_phrases;
    game->phrase_count = 1;
}

static const struct {
    const char *like, *why;
    void (*spoil)(struct nonet_game *game);
} bad_games[] = {
    {"template", "start is missing", no_start},
    {"template", "scene is missing", no_scene},
    {"template", "title is missing", no_title},
    {"template", "an id", odd_id},
    {"template", "2 to 4 can play, not 1 to 2", one_player},
    {"template", "2 to 4 can play, not 2 to 5", five_players},
    {"template", "state_size is 257", large_state},
    {"template", "state_size is 0", no_state},
    {"template", "facts", unknown_fact},
    {"template", "NONET_CHANCE", chance_without_deal},
    {"template", "NONET_TEAMS", teams_of_two},
    {"template", "moves and wide", neither_listed_nor_wide},
    {"template", "next", few_without_next},
    {"trix", "all or none", half_symmetric},
    {"trix", "need symmetries", orbit_alone},
    {"template", "NONET_POINTS", bounds_without_points},
    {"template", "skills rise", skills_that_fall},
    {"template", "skills rise, from 1 to 160", too_much_skill},
    {"masker", "worlds is missing", no_worlds},
    {"masker", "secret_name is missing", no_secret_name},
    {"masker", "counts is missing", no_counts},
    {"masker", "weights is missing", no_weights},
    {"masker", "1 to 64 things are counted", nothing_counted},
    {"masker", "1 to 64 things are counted", too_much_counted},
    {"masker", "at most 32 sets", too_many_sets},
    {"fullend", "nearest is missing", no_nearest},
    {"ksar", "names is missing", no_feature_names},
    {"ksar", "65 features, not 1 to 64", many_features},
    {"fullend", "hidden and wide", hidden_and_wide},
    {"template", "more than 5 options", six_options},
    {"template", "option row", long_default},
    {"template", "7 is listed twice", value_twice},
    {"template", "no such size", size_out_of_range},
    {"template", "no such number", number_out_of_range},
    {"template", "help is missing", no_help},
    {"template", "values is missing", no_values},
    {"template", "options is missing", no_options},
    {"template", "9 cannot play", nine_can_play},
    {"template", "no option players", players_untold},
    {"template", "option row is listed twice", option_twice},
    {"template", "begins with template.", phrase_of_another},
    {"template", "template.beside is listed twice", phrase_twice},
    {"template", "{0} to {3}", phrase_with_many_arguments},
};

/* Options of a bad game can be set without harm, and the game is refused before it starts. */
static void bad_games_are_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof bad_games / sizeof bad_games[0]; i++) {
        struct nonet_game game = *nonet_game_find(bad_games[i].like);
        bad_games[i].spoil(&game);
        char line[256], said[256];
        struct nonet_text why = NONET_TEXT_IN(line), words = NONET_TEXT_IN(said);
        CHECK(!nonet_contract_check(&game, &why) && strstr(line, bad_games[i].why) != NULL,
              "\"%s\" and not \"%s\"", line, bad_games[i].why);
        CHECK(strlen(line) < NONET_ARGUMENT_TEXT, "\"%s\" is too long for a message", line);
        struct {
            struct nonet_options options;
            unsigned char after[sizeof(struct nonet_option_value)];
        } guarded;
        memset(&guarded, 0x55, sizeof guarded);
        nonet_options_default(&guarded.options, &game);
        struct nonet_message message = {0};
        nonet_options_set(&guarded.options, "f=2", &message);
        nonet_options_set(&guarded.options, "e=2", &message);
        CHECK(!nonet_options_check(&guarded.options, &message), "%s is played", bad_games[i].why);
        nonet_message_write(&message, NULL, &words);
        CHECK(strstr(said, bad_games[i].why) != NULL, "\"%s\"", said);
        for (size_t b = 0; b < sizeof guarded.after; b++)
            CHECK(guarded.after[b] == 0x55, "options of a bad game overflow");
    }
}

/* What a game puts into a scene beyond its room is dropped. */
static void scenes_do_not_overflow(void **unused) {
    (void)unused;
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    nonet_scene_board(scene, 26, 99);
    assert_int_equal(scene->place_count, NONET_MAX_PLACES);
    assert_true(scene->cut);
    memset(scene, 0, sizeof *scene);
    nonet_scene_board(scene, NONET_MAX_SIDE, NONET_MAX_SIDE);
    assert_false(scene->cut);
    for (int i = 0; i < 300; i++)
        nonet_scene_on_cell(scene, i, NONET_TILE, NONET_MAPLE)->count = 2;
    assert_int_equal(scene->piece_count, NONET_MAX_PIECES);
    assert_true(scene->cut);
    for (int i = 0; i < 300; i++)
        nonet_scene_figure(scene, 1, 1)->closed = true;
    assert_int_equal(scene->figure_count, NONET_MAX_FIGURES);
    memset(scene, 0, sizeof *scene);
    nonet_scene_hands(scene, 9);
    assert_int_equal(scene->place_count, NONET_MAX_PLAYERS);
    assert_false(scene->cut);
    nonet_scene_on_cell(scene, 77, NONET_TILE, NONET_MAPLE);
    assert_int_equal(scene->piece_count, 0);
    assert_true(scene->cut);
    scene->cut = false;
    nonet_scene_place(scene, NONET_BUTTON, "a name that is too long");
    assert_int_equal(scene->place_count, NONET_MAX_PLAYERS);
    assert_true(scene->cut);
    free(scene);
}

int main(int argc, char **argv) {
    enum { MOST_TESTS = 256 };
    static struct CMUnitTest tests[MOST_TESTS];
    size_t count = 0;
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(games_keep_the_contract);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(bad_games_are_refused);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(scenes_do_not_overflow);
    for (int i = 0; i < nonet_game_count_with_template; i++) {
        const struct nonet_game *game = nonet_games[i];
        if (argc > 1 && strcmp(argv[1], game->id) != 0)
            continue;
        static struct nonet_options variants[2 * MOST_VARIANTS];
        int variant_count = variants_of(game, 1, variants);
        variant_count += swap_variants_of(game, variants + variant_count);
        for (int v = 0; v < variant_count; v++) {
            struct fixture *f = aligned_alloc(64, (sizeof *f + 63) / 64 * 64);
            memset(f, 0, sizeof *f);
            f->options = variants[v];
            f->workspace = new_workspace(game);
            f->other_workspace = new_workspace(game);
            f->scene = calloc(1, sizeof *f->scene);
            f->first_scene = calloc(1, sizeof *f->first_scene);
            f->legal = calloc(1, sizeof *f->legal);
            tests[count++] =
                (struct CMUnitTest){strdup(variant_name(&f->options)), run_contract, NULL, NULL, f};
        }
    }
    return _cmocka_run_group_tests("contract", tests, count, NULL, NULL);
}
