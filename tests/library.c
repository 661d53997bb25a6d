/* The installed library, through its header alone: whole games of every game and option, what is
 * refused and in which words, batches against rounds, random games, and every null pointer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "nonet/nonet.h"

static uint64_t dice;

static uint32_t random_number(void) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(dice >> 32);
}

/* Every game, with the options that change most. */
static const char *const variants[] = {
    "ksar",
    "ksar:frame=6x5",
    "masker:players=2,seed=1",
    "masker:players=4,seed=5",
    "kolem",
    "kudosu",
    "quadrangle",
    "mix3",
    "chasm:players=2",
    "chasm:players=4",
    "trix",
    "fullend",
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static struct nonet_variant *variant_of(const char *name) {
    struct nonet_error error;
    struct nonet_variant *variant = nonet_variant_open(name, NULL, &error);
    CHECK(variant != NULL, "%s: %s", name, error.message);
    return variant;
}

static struct nonet_round *round_of(const char *name) {
    struct nonet_variant *variant = variant_of(name);
    struct nonet_error error;
    struct nonet_round *round = nonet_round_open(variant, NULL, &error);
    CHECK(round != NULL, "%s: %s", name, error.message);
    nonet_variant_close(variant); /* a round does not need it any more */
    return round;
}

static uint32_t random_move(struct nonet_round *round) {
    uint64_t count = nonet_round_legal_count(round);
    uint32_t move = 0;
    assert_true(count > 0);
    assert_int_equal(nonet_round_legal(round, random_number() % count, &move, 1), 1);
    return move;
}

/* The text of the position, to be freed. */
static char *position_of(struct nonet_round *round) {
    const char *text = nonet_round_text(round, NONET_VIEW_ALL, NULL);
    assert_non_null(text);
    return strdup(text);
}

/* A number that is no legal move is refused with a reason, and changes nothing. */
static void check_number(struct nonet_round *round, uint32_t number) {
    struct nonet_error error = {0};
    char *before = position_of(round);
    int ply = nonet_round_ply(round);
    if (nonet_round_why(round, number, &error) == NONET_OK) {
        assert_int_equal(nonet_round_play(round, number, &error), NONET_OK);
        assert_int_equal(nonet_round_undo(round), 1);
    } else {
        assert_int_equal(error.code, NONET_ERROR_MOVE);
        assert_true(error.message[0] != '\0' && strchr(error.key, '.') != NULL);
        assert_int_equal(nonet_round_play(round, number, NULL), NONET_ERROR_MOVE);
    }
    assert_int_equal(nonet_round_ply(round), ply);
    assert_string_equal(nonet_round_text(round, NONET_VIEW_ALL, NULL), before);
    free(before);
    const char *text = nonet_round_move_text(round, number, NULL);
    if (text == NULL)
        return;
    char *kept = strdup(text);
    uint32_t parsed = ~number;
    CHECK(nonet_round_parse(round, kept, &parsed, &error) == NONET_OK && parsed == number,
          "%#x is %s is %#x", number, kept, parsed);
    free(kept);
}

static void check_end(struct nonet_round *round) {
    uint32_t winners = nonet_round_winners(round);
    int players = nonet_round_players(round), points;
    assert_true(winners != 0 && winners < 1u << players);
    assert_int_equal(nonet_round_legal_count(round), 0);
    for (int player = 1; player <= players; player++)
        assert_int_equal(nonet_round_share(round, player) > 0, winners >> (player - 1) & 1);
    assert_true(nonet_round_reason(round, NULL)[0] != '\0');
    struct nonet_error error;
    uint32_t move;
    assert_int_equal(nonet_round_choose(round, NULL, &move, &error), NONET_ERROR_MOVE);
    int code = nonet_round_points(round, 1, &points, &error);
    assert_true(code == NONET_OK || code == NONET_ERROR_NOT_THERE);
}

static void whole_games(void **unused) {
    (void)unused;
    for (int v = 0; v < VARIANTS; v++) {
        dice = (uint64_t)v;
        struct nonet_round *round = round_of(variants[v]);
        char *first = position_of(round);
        struct nonet_error error;
        while (nonet_round_turn(round) != 0) {
            assert_int_equal(nonet_round_winners(round), 0);
            uint32_t move = random_move(round), last;
            check_number(round, random_number());
            check_number(round, random_number() & 0xfff);
            check_number(round, 1u << (random_number() & 31));
            check_number(round, move ^ 1u << (random_number() & 31));
            const char *text = nonet_round_move_text(round, move, &error);
            assert_non_null(text);
            char *kept = strdup(text);
            if (random_number() & 1)
                assert_int_equal(nonet_round_play(round, move, &error), NONET_OK);
            else
                assert_int_equal(nonet_round_play_text(round, kept, &error), NONET_OK);
            free(kept);
            assert_int_equal(nonet_round_played(round, nonet_round_ply(round) - 1, &last, &error),
                             NONET_OK);
            assert_int_equal(last, move);
        }
        check_end(round);
        char *end = position_of(round);
        struct nonet_round *copy = nonet_round_copy(round, &error);
        assert_non_null(copy);
        assert_string_equal(nonet_round_text(copy, NONET_VIEW_ALL, NULL), end);
        assert_int_equal(nonet_round_winners(copy), nonet_round_winners(round));
        nonet_round_close(copy);
        int ply = nonet_round_ply(round);
        for (int i = 0; i < ply; i++)
            assert_int_equal(nonet_round_undo(round), 1);
        assert_int_equal(nonet_round_undo(round), 0);
        assert_string_equal(nonet_round_text(round, NONET_VIEW_ALL, NULL), first);
        for (int i = 0; i < ply; i++)
            assert_int_equal(nonet_round_redo(round), 1);
        assert_string_equal(nonet_round_text(round, NONET_VIEW_ALL, NULL), end);
        free(first);
        free(end);
        nonet_round_close(round);
    }
}

/* A program may play and undo as often as it likes: more positions than a game can keep. */
static void searching(void **unused) {
    (void)unused;
    struct nonet_error error;
    struct nonet_round *round = round_of("trix"), *other = round_of("trix");
    for (int i = 0; i < 7; i++) {
        uint32_t move = random_move(round);
        assert_int_equal(nonet_round_play(round, move, &error), NONET_OK);
        assert_int_equal(nonet_round_play(other, move, &error), NONET_OK);
    }
    char *here = position_of(round);
    for (int i = 0; i < 40000; i++) {
        for (int k = 0; k < 6 && nonet_round_turn(round) != 0; k++)
            assert_int_equal(nonet_round_play(round, random_move(round), &error), NONET_OK);
        while (nonet_round_ply(round) > 7)
            nonet_round_undo(round);
    }
    assert_string_equal(nonet_round_text(round, NONET_VIEW_ALL, &error), here);
    free(here);
    /* The line is still there: the rest of the game is the same, draws by repetition included. */
    while (nonet_round_turn(other) != 0) {
        uint32_t move = random_move(other);
        assert_int_equal(nonet_round_play(round, move, &error), NONET_OK);
        assert_int_equal(nonet_round_play(other, move, &error), NONET_OK);
    }
    assert_int_equal(nonet_round_turn(round), 0);
    assert_int_equal(nonet_round_winners(round), nonet_round_winners(other));
    nonet_round_restart(round);
    assert_int_equal(nonet_round_ply(round) | nonet_round_redo(round), 0);
    assert_int_equal(nonet_round_turn(round), 1);
    nonet_round_close(round);
    nonet_round_close(other);
}

/* The reasons are those of the rules pages. */
static void reasons(void **unused) {
    (void)unused;
    struct nonet_error error;
    struct nonet_round *round = round_of("ksar");
    static const char *const before[] = {"2x3@i1", "3x1@f1", "1x2@h2"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(nonet_round_play_text(round, before[i], &error), NONET_OK);
    assert_int_equal(nonet_round_play_text(round, "2x1@f2", &error), NONET_ERROR_MOVE);
    assert_string_equal(error.message, "the piece would touch the upright piece at h2, which has "
                                       "the same height");
    assert_memory_equal(error.key, "ksar.", 5);

    /* The same in another language: the words follow the key. */
    char lines[256];
    snprintf(lines, sizeof lines, "common.occupied\tbelegt: {0}\nnonsense\n%s\tzu nah", error.key);
    struct nonet_words *words = nonet_words_open(lines, &error);
    struct nonet_variant *variant = nonet_variant_open("ksar", words, &error);
    struct nonet_round *other = nonet_round_open(variant, NULL, &error);
    for (int i = 0; i < 3; i++)
        assert_int_equal(nonet_round_play_text(other, before[i], &error), NONET_OK);
    assert_int_equal(nonet_round_play_text(other, "2x1@f2", &error), NONET_ERROR_MOVE);
    assert_string_equal(error.message, "zu nah");
    nonet_round_close(other);
    nonet_variant_close(variant);
    nonet_words_close(words);
    nonet_round_close(round);

    assert_null(nonet_variant_open("whist", NULL, &error));
    assert_int_equal(error.code, NONET_ERROR_OPTIONS);
    assert_null(nonet_variant_open("ksar:frame=1x1", NULL, &error));
    assert_int_equal(error.code, NONET_ERROR_OPTIONS);
    variant = variant_of("quadrangle");
    assert_null(nonet_round_open(variant, "..../..../..../...A 1", &error));
    assert_int_equal(error.code, NONET_ERROR_POSITION);
    assert_true(error.message[0] != '\0');
    nonet_variant_close(variant);
}

/* A seat of Masker is told its own disc and no other. */
static void hidden(void **unused) {
    (void)unused;
    struct nonet_error error;
    struct nonet_round *round = round_of("masker:players=2,seed=7");
    char *all = position_of(round);
    char *seat = strdup(nonet_round_text(round, 1, &error));
    char *other = strdup(nonet_round_text(round, 2, &error));
    char *nobody = strdup(nonet_round_text(round, NONET_VIEW_PUBLIC, &error));
    assert_string_not_equal(seat, all);
    assert_string_not_equal(seat, other);
    assert_string_not_equal(seat, nobody);
    assert_non_null(strchr(seat, '?'));
    assert_null(strchr(all, '?'));

    /* Seat 1 opens what it knows, plays the same moves and sees the same. */
    char moves[4][32];
    const char *played[4];
    for (int i = 0; i < 4; i++) {
        uint32_t move = random_move(round);
        strcpy(moves[i], nonet_round_move_text(round, move, &error));
        played[i] = moves[i];
        assert_int_equal(nonet_round_play(round, move, &error), NONET_OK);
    }
    char *now = strdup(nonet_round_text(round, 1, &error));
    struct nonet_variant *variant = variant_of("masker:players=2");
    struct nonet_round *seen = nonet_round_open_seen(variant, 1, seat, played, 4, now, &error);
    CHECK(seen != NULL, "%s", error.message);
    assert_string_equal(nonet_round_text(seen, 1, &error), now);
    assert_int_equal(nonet_round_ply(seen), 4);
    assert_null(nonet_round_open_seen(variant, 1, "nonsense", played, 4, now, &error));
    assert_int_equal(error.code, NONET_ERROR_POSITION);
    nonet_round_close(seen);
    nonet_variant_close(variant);
    free(all), free(seat), free(other), free(nobody), free(now);
    nonet_round_close(round);
}

/* The games of a batch are those that rounds play. */
static void batches(void **unused) {
    (void)unused;
    enum { SIZE = 7 };
    static const char *const names[] = {"trix", "ksar:frame=6x5", "chasm:players=3", "kudosu",
                                        "masker:players=2,seed=3"};
    for (int v = 0; v < 5; v++) {
        struct nonet_error error;
        struct nonet_variant *variant = variant_of(names[v]);
        struct nonet_batch *batch = nonet_batch_open(variant, SIZE, 1, &error);
        assert_non_null(batch);
        assert_int_equal(nonet_batch_size(batch), SIZE);
        struct nonet_round *rounds[SIZE];
        for (int i = 0; i < SIZE; i++)
            rounds[i] = nonet_round_open(variant, NULL, &error);
        uint32_t moves[SIZE], listed[4000], own[4000];
        uint8_t steps[SIZE], turns[SIZE], winners[SIZE];
        for (int ply = 0; ply < 60; ply++) {
            assert_int_equal(nonet_batch_choose(batch, moves, &error), NONET_OK);
            if (ply == 5)
                moves[2] = 0xffffffff;
            assert_int_equal(nonet_batch_step(batch, moves, steps, &error), NONET_OK);
            assert_int_equal(nonet_batch_turns(batch, turns, &error), NONET_OK);
            assert_int_equal(nonet_batch_winners(batch, winners, &error), NONET_OK);
            for (int i = 0; i < SIZE; i++) {
                if (nonet_round_turn(rounds[i]) != 0)
                    assert_int_equal(nonet_round_play(rounds[i], moves[i], NULL) == NONET_OK,
                                     steps[i] != NONET_STEP_REFUSED);
                assert_int_equal(turns[i], nonet_round_turn(rounds[i]));
                assert_int_equal(winners[i], nonet_round_winners(rounds[i]));
                if (steps[i] != NONET_STEP_REFUSED)
                    assert_int_equal(steps[i] == NONET_STEP_OVER, turns[i] == 0);
                size_t count = nonet_batch_legal(batch, (size_t)i, 0, listed, 4000);
                assert_int_equal(count, nonet_round_legal(rounds[i], 0, own, 4000));
                assert_memory_equal(listed, own, count * sizeof own[0]);
            }
            if (ply == 5 && turns[2] != 0)
                assert_int_equal(steps[2], NONET_STEP_REFUSED);
        }
        size_t over = 0;
        for (int i = 0; i < SIZE; i++)
            over += turns[i] == 0;
        assert_int_equal(nonet_batch_restart(batch), over);
        assert_int_equal(nonet_batch_restart(batch), 0);
        nonet_batch_turns(batch, turns, &error);
        for (int i = 0; i < SIZE; i++) {
            assert_int_not_equal(turns[i], 0);
            nonet_round_close(rounds[i]);
        }
        nonet_batch_close(batch);
        nonet_variant_close(variant);
    }
}

static void random_games(void **unused) {
    (void)unused;
    struct nonet_error error;
    struct nonet_tally tally, again, other;
    for (int v = 0; v < VARIANTS; v++) {
        struct nonet_round *round = round_of(variants[v]);
        uint64_t games = strcmp(variants[v], "fullend") == 0 ? 3 : 200;
        assert_int_equal(nonet_round_playouts(round, games, 1, &tally, &error), NONET_OK);
        assert_int_equal(nonet_round_playouts(round, games, 1, &again, &error), NONET_OK);
        assert_int_equal(nonet_round_playouts(round, games, 2, &other, &error), NONET_OK);
        assert_memory_equal(&tally, &again, sizeof tally);
        CHECK(games < 200 || memcmp(&tally, &other, sizeof tally) != 0, "%s", variants[v]);
        assert_int_equal(tally.games, games);
        assert_int_equal(nonet_round_ply(round), 0);
        uint64_t sum = 0;
        for (int i = 0; i < 4; i++)
            sum += tally.shares[i];
        /* All of every win is shared out, or the whole of it given to each of two teams' players.
         */
        CHECK(sum >= 12 * games && sum <= 24 * games, "%s: %llu", variants[v],
              (unsigned long long)sum);
        while (nonet_round_turn(round) != 0)
            assert_int_equal(nonet_round_play(round, random_move(round), &error), NONET_OK);
        /* From the end there is nothing to play. */
        assert_int_equal(nonet_round_playouts(round, 5, 1, &tally, &error), NONET_OK);
        assert_int_equal(tally.moves, 0);
        for (int player = 1; player <= nonet_round_players(round); player++)
            assert_int_equal(tally.shares[player - 1], 5 * nonet_round_share(round, player));
        nonet_round_close(round);
    }
}

/* Quadrangle from here is won at once by c3: it completes the square of b2, c2, b3, c3. */
static void players(void **unused) {
    (void)unused;
    struct nonet_error error;
    struct nonet_round *round = round_of("quadrangle");
    static const char *const moves[] = {"b2", "a4", "c2", "d4", "b3", "d1"};
    for (int i = 0; i < 6; i++)
        assert_int_equal(nonet_round_play_text(round, moves[i], &error), NONET_OK);
    struct nonet_thinking thinking = {.level = 9, .nodes = 2000, .seed = 4};
    uint32_t move, winning;
    assert_int_equal(nonet_round_choose(round, &thinking, &move, &error), NONET_OK);
    assert_int_equal(nonet_round_parse(round, "c3", &winning, &error), NONET_OK);
    assert_int_equal(move, winning);
    char *first = strdup(nonet_round_think(round, &thinking, &error));
    assert_non_null(strstr(first, "\"move\":\"c3\""));
    /* It depends on nothing else, except the seconds that it took. */
    const char *second = nonet_round_think(round, &thinking, &error);
    assert_int_equal(strstr(first, "\"nodes_per_second\"") - first,
                     strstr(second, "\"nodes_per_second\"") - second);
    assert_memory_equal(first, second, (size_t)(strstr(first, "\"nodes_per_second\"") - first));
    free(first);
    static const struct nonet_thinking wrong[] = {
        {.level = 11}, {.level = -1},     {.threads = 65}, {.threads = -1},    {.nodes = ~0ull},
        {.memory = 1}, {.memory = ~0ull}, {.seconds = -1}, {.seconds = 1e300},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(nonet_round_choose(round, &wrong[i], &move, &error), NONET_ERROR_ARGUMENT);
        assert_null(nonet_round_think(round, &wrong[i], &error));
    }
    assert_null(nonet_round_probe(round, -1, &error));
    assert_int_equal(error.code, NONET_ERROR_ARGUMENT);
    nonet_round_close(round);
    /* Nothing proves what is hidden. */
    round = round_of("masker:players=2,seed=1");
    assert_null(nonet_round_probe(round, 1, &error));
    assert_int_equal(error.code, NONET_ERROR_UNPROVEN);
    nonet_round_close(round);
}

static void seen(void **unused) {
    (void)unused;
    for (int v = 0; v < VARIANTS; v++) {
        struct nonet_error error;
        struct nonet_round *round = round_of(variants[v]);
        for (int viewer = -1; viewer <= nonet_round_players(round); viewer++) {
            assert_int_equal(nonet_round_scene(round, viewer, &error)[0], '{');
            assert_int_equal(nonet_round_position(round, viewer, &error)[0], '{');
            assert_non_null(nonet_round_text(round, viewer, &error));
            assert_non_null(nonet_round_draw(round, viewer, NONET_PICTURE_TEXT, &error));
            assert_non_null(
                strstr(nonet_round_draw(round, viewer, NONET_PICTURE_SVG, &error), "<svg"));
        }
        for (int i = 0; i < 2; i++) {
            int viewer = i == 0 ? -2 : nonet_round_players(round) + 1;
            assert_null(nonet_round_scene(round, viewer, &error));
            assert_null(nonet_round_position(round, viewer, &error));
            assert_null(nonet_round_text(round, viewer, &error));
            assert_null(nonet_round_draw(round, viewer, NONET_PICTURE_TEXT, &error));
            assert_int_equal(error.code, NONET_ERROR_ARGUMENT);
        }
        assert_null(nonet_round_draw(round, 0, 2, &error));
        nonet_round_close(round);
    }
}

/* The actions that the mask shows are the legal moves; numbers tell a seat nothing hidden. */
static void learning(void **unused) {
    (void)unused;
    struct nonet_error error;
    static uint8_t mask[1 << 14];
    for (int v = 0; v < VARIANTS; v++) {
        dice = (uint64_t)v;
        struct nonet_variant *variant = variant_of(variants[v]);
        struct nonet_round *round = nonet_round_open(variant, NULL, &error);
        int actions = nonet_variant_actions(variant);
        assert_int_equal(actions == 0, strcmp(variants[v], "fullend") == 0);
        size_t size = nonet_round_tensor_size(round);
        float *numbers = malloc(size * sizeof *numbers), *again = malloc(size * sizeof *again);
        for (int ply = 0; ply < 40 && nonet_round_turn(round) != 0; ply++) {
            uint32_t move;
            uint64_t shown = 0;
            if (actions > 0)
                assert_int_equal(nonet_round_mask(round, mask, sizeof mask, &error), NONET_OK);
            for (int i = 0; i < actions; i++) {
                assert_int_equal(nonet_variant_action_move(variant, i, &move, &error), NONET_OK);
                assert_int_equal(nonet_round_why(round, move, NULL) == NONET_OK, mask[i]);
                shown += mask[i];
            }
            assert_true(actions == 0 || shown == nonet_round_legal_count(round));
            assert_int_equal(nonet_round_tensor_size(round), size);
            assert_int_equal(nonet_round_tensor(round, 1, numbers, size, &error), NONET_OK);
            char *before = strdup(nonet_round_scene(round, 1, &error));
            nonet_round_play(round, random_move(round), &error);
            assert_int_equal(nonet_round_tensor(round, 1, again, size, &error), NONET_OK);
            /* A scene does not tell everything, such as captures in a turn that has ended. */
            if (strcmp(before, nonet_round_scene(round, 1, &error)) != 0)
                CHECK(memcmp(numbers, again, size * sizeof *numbers) != 0, "%s", variants[v]);
            free(before);
        }
        assert_int_equal(nonet_round_tensor(round, 1, numbers, size - 1, &error),
                         NONET_ERROR_ARGUMENT);
        assert_int_equal(nonet_round_mask(round, mask, 1, NULL) == NONET_OK, 0);
        uint32_t move;
        assert_int_equal(nonet_variant_action_of(variant, 0xffffffff), -1);
        assert_int_not_equal(nonet_variant_action_move(variant, actions, &move, NULL), NONET_OK);
        free(numbers);
        free(again);
        nonet_round_close(round);
        nonet_variant_close(variant);
    }
    /* Two deals that differ only in the disc of seat 2. */
    struct nonet_round *deals[2];
    float *seen[2];
    for (int i = 0; i < 2; i++) {
        char name[128];
        snprintf(name, sizeof name, "masker:players=2,deal=%s,colours=%s",
                 "BBBBBBGGGGGGNRRRRRRVVVVVVWWWWWYYYYYY", i == 0 ? "RY" : "RG");
        deals[i] = round_of(name);
        size_t size = nonet_round_tensor_size(deals[i]);
        seen[i] = calloc(3 * size, sizeof(float));
        for (int viewer = 0; viewer < 3; viewer++)
            nonet_round_tensor(deals[i], viewer, seen[i] + (size_t)viewer * size, size, &error);
    }
    size_t size = nonet_round_tensor_size(deals[0]) * sizeof(float);
    assert_memory_equal(seen[0], seen[1], 2 * size);
    assert_memory_not_equal(seen[0], seen[1], 3 * size);
    for (int i = 0; i < 2; i++) {
        free(seen[i]);
        nonet_round_close(deals[i]);
    }
}

static void nulls(void **unused) {
    (void)unused;
    struct nonet_error error;
    struct nonet_variant *variant = variant_of("trix");
    struct nonet_round *round = nonet_round_open(variant, NULL, NULL);
    struct nonet_batch *batch = nonet_batch_open(variant, 1, 0, NULL);
    struct nonet_tally tally;
    uint32_t move;
    uint8_t byte;
    int points;
    for (int i = 0; i < 2; i++) { /* with and without an error to fill in */
        struct nonet_error *e = i == 0 ? &error : NULL;
        assert_null(nonet_words_open(NULL, e));
        assert_null(nonet_variant_open(NULL, NULL, e));
        assert_null(nonet_round_open(NULL, NULL, e));
        assert_null(nonet_round_open_seen(NULL, 1, "", NULL, 0, NULL, e));
        assert_null(nonet_round_open_seen(variant, 0, "", NULL, 0, NULL, e));
        assert_null(nonet_round_open_seen(variant, 1, NULL, NULL, 0, NULL, e));
        assert_null(nonet_round_open_seen(variant, 1, "", NULL, 1, "", e));
        assert_null(nonet_round_open_seen(variant, 1, "", &(const char *){NULL}, 1, "", e));
        assert_null(nonet_round_write(NULL, e));
        assert_null(nonet_round_read(NULL, NULL, e));
        assert_null(nonet_round_read("", NULL, e));
        assert_null(nonet_round_copy(NULL, e));
        assert_int_not_equal(nonet_round_played(NULL, 0, &move, e), NONET_OK);
        assert_int_not_equal(nonet_round_played(round, 0, &move, e), NONET_OK);
        assert_null(nonet_round_move_text(NULL, 0, e));
        assert_int_not_equal(nonet_round_parse(NULL, "", &move, e), NONET_OK);
        assert_int_not_equal(nonet_round_parse(round, NULL, &move, e), NONET_OK);
        assert_int_not_equal(nonet_round_parse(round, "a1", NULL, e), NONET_OK);
        assert_int_not_equal(nonet_round_why(NULL, 0, e), NONET_OK);
        assert_int_not_equal(nonet_round_play(NULL, 0, e), NONET_OK);
        assert_int_not_equal(nonet_round_play_text(NULL, "a1", e), NONET_OK);
        assert_int_not_equal(nonet_round_play_text(round, NULL, e), NONET_OK);
        assert_int_not_equal(nonet_round_points(NULL, 1, &points, e), NONET_OK);
        assert_int_not_equal(nonet_round_points(round, 1, NULL, e), NONET_OK);
        assert_int_not_equal(nonet_round_points(round, 3, &points, e), NONET_OK);
        assert_null(nonet_round_reason(NULL, e));
        assert_null(nonet_round_text(NULL, 0, e));
        assert_null(nonet_round_position(NULL, 0, e));
        assert_null(nonet_round_scene(NULL, 0, e));
        assert_null(nonet_round_draw(NULL, 0, 0, e));
        assert_null(nonet_round_probe(NULL, 1, e));
        assert_int_not_equal(nonet_round_tensor(NULL, 0, NULL, 0, e), NONET_OK);
        assert_int_not_equal(nonet_round_tensor(round, 0, NULL, 1 << 20, e), NONET_OK);
        assert_int_not_equal(nonet_round_mask(NULL, &byte, 1, e), NONET_OK);
        assert_int_not_equal(nonet_round_mask(round, NULL, 1 << 20, e), NONET_OK);
        assert_int_not_equal(nonet_variant_action_move(NULL, 0, &move, e), NONET_OK);
        assert_int_not_equal(nonet_variant_action_move(variant, 0, NULL, e), NONET_OK);
        assert_null(nonet_round_think(NULL, NULL, e));
        assert_int_not_equal(nonet_round_choose(NULL, NULL, &move, e), NONET_OK);
        assert_int_not_equal(nonet_round_choose(round, NULL, NULL, e), NONET_OK);
        assert_int_not_equal(nonet_round_playouts(NULL, 1, 1, &tally, e), NONET_OK);
        assert_int_not_equal(nonet_round_playouts(round, 1, 1, NULL, e), NONET_OK);
        assert_null(nonet_batch_open(NULL, 1, 1, e));
        assert_null(nonet_batch_open(variant, 0, 1, e));
        assert_null(nonet_batch_open(variant, SIZE_MAX, 1, e));
        assert_int_not_equal(nonet_batch_step(NULL, &move, &byte, e), NONET_OK);
        assert_int_not_equal(nonet_batch_step(batch, NULL, &byte, e), NONET_OK);
        assert_int_not_equal(nonet_batch_choose(NULL, &move, e), NONET_OK);
        assert_int_not_equal(nonet_batch_choose(batch, NULL, e), NONET_OK);
        assert_int_not_equal(nonet_batch_turns(NULL, &byte, e), NONET_OK);
        assert_int_not_equal(nonet_batch_turns(batch, NULL, e), NONET_OK);
        assert_int_not_equal(nonet_batch_winners(NULL, &byte, e), NONET_OK);
        assert_int_not_equal(nonet_batch_winners(batch, NULL, e), NONET_OK);
    }
    assert_int_equal(error.code, NONET_ERROR_ARGUMENT);
    assert_int_equal(nonet_round_turn(NULL) | nonet_round_ply(NULL) | nonet_round_players(NULL), 0);
    assert_int_equal(nonet_round_undo(NULL) | nonet_round_redo(NULL), 0);
    assert_int_equal(nonet_round_winners(NULL), 0);
    assert_int_equal(nonet_round_share(NULL, 1) | nonet_round_share(round, 0), 0);
    assert_int_equal(nonet_round_legal_count(NULL), 0);
    assert_int_equal(nonet_round_legal(NULL, 0, &move, 1), 0);
    assert_int_equal(nonet_round_legal(round, 0, NULL, 1), 0);
    assert_int_equal(nonet_round_legal(round, UINT64_MAX, &move, 1), 0);
    assert_int_equal(nonet_batch_legal(NULL, 0, 0, &move, 1), 0);
    assert_int_equal(nonet_batch_legal(batch, 1, 0, &move, 1), 0);
    assert_int_equal(nonet_batch_size(NULL) + nonet_batch_restart(NULL), 0);
    assert_null(nonet_variant_name(NULL));
    assert_null(nonet_variant_game(NULL));
    assert_null(nonet_variant_json(NULL));
    assert_int_equal(nonet_variant_actions(NULL), 0);
    assert_int_equal(nonet_variant_action_of(NULL, 0), -1);
    assert_int_equal(nonet_round_tensor_size(NULL), 0);
    assert_int_equal(nonet_variant_players(NULL) + (int)nonet_variant_facts(NULL), 0);
    assert_null(nonet_shelf_game(-1));
    assert_null(nonet_shelf_game(nonet_shelf_size()));
    nonet_round_restart(NULL);
    nonet_words_close(NULL);
    nonet_variant_close(NULL);
    nonet_round_close(NULL);
    nonet_batch_close(NULL);
    nonet_batch_close(batch);
    nonet_round_close(round);
    nonet_variant_close(variant);
}

static void shelf(void **unused) {
    (void)unused;
    assert_true(nonet_shelf_size() >= 9);
    for (int i = 0; i < nonet_shelf_size(); i++) {
        struct nonet_variant *variant = variant_of(nonet_shelf_game(i));
        assert_string_equal(nonet_variant_game(variant), nonet_shelf_game(i));
        const char *json = nonet_variant_json(variant);
        assert_true(json[0] == '{' && json[strlen(json) - 1] == '}');
        struct nonet_variant *same = variant_of(nonet_variant_name(variant));
        assert_string_equal(nonet_variant_name(same), nonet_variant_name(variant));
        assert_int_equal(nonet_variant_players(variant), 2);
        uint32_t facts = nonet_variant_facts(variant);
        assert_int_equal((facts & NONET_FACT_HIDDEN) != 0,
                         strcmp(nonet_shelf_game(i), "masker") == 0);
        assert_int_equal((facts & NONET_FACT_WIDE) != 0,
                         strcmp(nonet_shelf_game(i), "fullend") == 0);
        nonet_variant_close(same);
        nonet_variant_close(variant);
    }
    assert_true(nonet_version()[0] >= '0' && nonet_version()[0] <= '9');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shelf),        cmocka_unit_test(whole_games), cmocka_unit_test(reasons),
        cmocka_unit_test(searching),    cmocka_unit_test(hidden),      cmocka_unit_test(batches),
        cmocka_unit_test(random_games), cmocka_unit_test(players),     cmocka_unit_test(seen),
        cmocka_unit_test(learning),     cmocka_unit_test(nulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
