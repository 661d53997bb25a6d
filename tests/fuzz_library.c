/* The fuzz target of the installed library: a program of calls to all its functions, with any
 * numbers and texts as arguments. Nothing may crash, a refused move changes nothing, whatever is
 * returned as a text ends within its memory, and what was written can be read again. Null is tried
 * by tests/library.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzzing.h"
#include "nonet/nonet.h"

enum { MOST_CALLS = 48 };

/* The input, read from front to back; zeros after its end. */
struct input {
    const unsigned char *bytes;
    size_t size;
};

static unsigned take(struct input *input) {
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->bytes++;
}

static uint32_t take_number(struct input *input) {
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        number = number << 8 | take(input);
    return number;
}

/* The text up to the next zero byte, at the end of memory of its own so that reading on is noticed.
 */
static char *take_text(struct input *input) {
    size_t length = 0;
    while (length < input->size && input->bytes[length] != '\0')
        length++;
    char *text = malloc(length + 1);
    PROMISE(text != NULL);
    memcpy(text, input->bytes, length);
    text[length] = '\0';
    for (size_t i = 0; i <= length; i++)
        take(input);
    return text;
}

static char *copy_of(const char *text) {
    char *copy = text != NULL ? strdup(text) : NULL;
    PROMISE(copy != NULL);
    return copy;
}

static void check_text(const char *text, const struct nonet_error *error) {
    PROMISE(text != NULL ? strlen(text) < 1u << 21 : error->message[0] != '\0');
}

/* A move by number or by text that must be accepted or refused whole. */
static void try_move(struct nonet_round *round, struct input *input, int as_text) {
    struct nonet_error error = {0};
    int ply = nonet_round_ply(round), code;
    if (as_text) {
        char *text = take_text(input);
        code = nonet_round_play_text(round, text, &error);
        free(text);
    } else {
        uint32_t move = take_number(input);
        uint64_t count = nonet_round_legal_count(round);
        if (move & 1 && count > 0) /* often one that is legal */
            nonet_round_legal(round, move % count, &move, 1);
        int why = nonet_round_why(round, move, &error);
        const char *text = nonet_round_move_text(round, move, &error);
        PROMISE(why != NONET_OK || text != NULL);
        if (text != NULL) {
            char *kept = copy_of(text);
            uint32_t parsed;
            PROMISE(nonet_round_parse(round, kept, &parsed, &error) == NONET_OK && parsed == move);
            free(kept);
        }
        code = nonet_round_play(round, move, &error);
        PROMISE((code == NONET_OK) == (why == NONET_OK));
    }
    PROMISE(nonet_round_ply(round) == ply + (code == NONET_OK));
    PROMISE(code == NONET_OK || (error.code == code && error.message[0] != '\0'));
}

/* What is played is what is asked for later, and what players have adds up. */
static void ask_numbers(const struct nonet_round *round, struct input *input) {
    struct nonet_error error = {0};
    int index = (int)take(input) - 8, player = (int)(take(input) % 8) - 2, points;
    uint32_t move;
    int code = nonet_round_played(round, index, &move, &error);
    PROMISE((code == NONET_OK) == (index >= 0 && index < nonet_round_ply(round)));
    nonet_round_points(round, player, &points, &error);
    int shares = nonet_round_share(round, player - 8); /* nobody's */
    for (int i = 1; i <= nonet_round_players(round); i++)
        shares += nonet_round_share(round, i);
    PROMISE(shares == (nonet_round_turn(round) == 0 ? 12 : 0));
}

/* The whole game as text gives the same game. */
static void write_and_read(struct nonet_round *round, const struct nonet_words *words) {
    struct nonet_error error = {0};
    char *lines = copy_of(nonet_round_write(round, &error));
    struct nonet_round *other = nonet_round_read(lines, words, &error);
    PROMISE(other != NULL && nonet_round_ply(other) == nonet_round_ply(round));
    PROMISE(strcmp(nonet_round_write(other, &error), lines) == 0);
    nonet_round_close(other);
    free(lines);
}

/* What a seat has seen is a game as that seat knows it, and shows it the same. */
static void see(struct nonet_round *round, const struct nonet_variant *variant, int seat) {
    struct nonet_error error = {0};
    struct nonet_round *begun = nonet_round_copy(round, &error);
    PROMISE(begun != NULL);
    nonet_round_restart(begun);
    char *first = copy_of(nonet_round_text(begun, seat, &error));
    char *now = copy_of(nonet_round_text(round, seat, &error));
    char *moves[MOST_CALLS];
    int count = nonet_round_ply(round);
    for (int i = 0; i < count; i++) {
        uint32_t move;
        PROMISE(nonet_round_played(round, i, &move, &error) == NONET_OK);
        moves[i] = copy_of(nonet_round_move_text(round, move, &error));
    }
    struct nonet_round *seen = nonet_round_open_seen(variant, seat, first, (const char **)moves,
                                                     (size_t)count, now, &error);
    PROMISE(seen != NULL && strcmp(nonet_round_text(seen, seat, &error), now) == 0);
    nonet_round_close(seen);
    nonet_round_close(begun);
    for (int i = 0; i < count; i++)
        free(moves[i]);
    free(first);
    free(now);
}

/* A player of any level but the highest, which would build tables. */
static struct nonet_thinking take_thinking(struct input *input) {
    static const int32_t levels[] = {1, 5, 9, 11, -1};
    return (struct nonet_thinking){.nodes = 1 + take(input) % 8,
                                   .seed = take(input),
                                   .memory = 1 << 20,
                                   .level = levels[take(input) % 5]};
}

/* A proof, for a moment, where no table is built for it; elsewhere seconds that are refused. */
static void probe(struct nonet_round *round, const struct nonet_variant *variant,
                  struct input *input) {
    static const char *const searched[] = {"ksar", "masker", "fullend"};
    struct nonet_error error = {0};
    double seconds = take(input) % 2 == 0 ? -1.0 : 0.0 / 0.0;
    for (int i = 0; i < 3; i++)
        if (strcmp(nonet_variant_game(variant), searched[i]) == 0 && take(input) % 2 == 0)
            seconds = 0.001;
    check_text(nonet_round_probe(round, seconds, &error), &error);
}

static void call(struct nonet_round **round, const struct nonet_variant *variant,
                 const struct nonet_words *words, struct input *input) {
    struct nonet_error error = {0};
    int which = (int)(take(input) % 19), viewer = (int)(take(input) % 8) - 2;
    char *lines;
    struct nonet_round *other;
    switch (which) {
    case 0:
    case 1:
        try_move(*round, input, which);
        break;
    case 2:
        nonet_round_undo(*round);
        break;
    case 3:
        check_text(nonet_round_text(*round, viewer, &error), &error);
        break;
    case 4:
        check_text(nonet_round_position(*round, viewer, &error), &error);
        break;
    case 5:
        check_text(nonet_round_scene(*round, viewer, &error), &error);
        break;
    case 6:
        check_text(nonet_round_draw(*round, viewer, viewer, &error), &error);
        break;
    case 7: {
        const struct nonet_thinking thinking = take_thinking(input);
        check_text(nonet_round_think(*round, &thinking, &error), &error);
        break;
    }
    case 8: {
        struct nonet_tally tally;
        PROMISE(nonet_round_playouts(*round, 1, take(input), &tally, &error) == NONET_OK);
        break;
    }
    case 9:
        other = nonet_round_copy(*round, &error);
        PROMISE(other != NULL && nonet_round_ply(other) == nonet_round_ply(*round));
        nonet_round_close(*round);
        *round = other;
        break;
    case 10:
        lines = take_text(input);
        other = nonet_round_read(lines, words, &error);
        check_text(other != NULL ? "" : NULL, &error);
        nonet_round_close(other);
        free(lines);
        break;
    case 12: {
        float numbers[1 << 14];
        uint8_t mask[1 << 13];
        size_t room = nonet_round_tensor_size(*round);
        PROMISE(room < sizeof numbers / sizeof numbers[0]);
        nonet_round_tensor(*round, viewer, numbers, room - take(input) % 2, &error);
        nonet_round_mask(*round, mask, sizeof mask, &error);
        break;
    }
    case 13:
        if (viewer < 0)
            nonet_round_restart(*round);
        PROMISE(viewer >= 0 || (nonet_round_ply(*round) == 0 && !nonet_round_redo(*round)));
        nonet_round_redo(*round);
        break;
    case 14:
        ask_numbers(*round, input);
        break;
    case 15:
        write_and_read(*round, words);
        break;
    case 16: {
        const struct nonet_thinking thinking = take_thinking(input);
        uint32_t move;
        if (nonet_round_choose(*round, &thinking, &move, &error) == NONET_OK)
            PROMISE(nonet_round_why(*round, move, &error) == NONET_OK);
        else
            check_text(NULL, &error);
        break;
    }
    case 17:
        probe(*round, variant, input);
        break;
    case 18:
        if (viewer >= 1 && viewer <= nonet_round_players(*round))
            see(*round, variant, viewer);
        break;
    default:
        check_text(nonet_round_reason(*round, &error), &error);
        PROMISE((nonet_round_winners(*round) != 0) == (nonet_round_turn(*round) == 0));
    }
}

static void try_batch(const struct nonet_variant *variant, struct input *input) {
    struct nonet_error error;
    struct nonet_batch *batch = nonet_batch_open(variant, 3, take(input), &error);
    PROMISE(batch != NULL);
    uint32_t moves[3];
    uint8_t steps[3], turns[3], winners[3];
    PROMISE(nonet_batch_size(batch) == 3);
    for (int i = 0; i < 4; i++) {
        nonet_batch_choose(batch, moves, &error);
        moves[take(input) % 3] ^= take_number(input);
        PROMISE(nonet_batch_step(batch, moves, steps, &error) == NONET_OK);
        nonet_batch_turns(batch, turns, &error);
        nonet_batch_winners(batch, winners, &error);
        for (int k = 0; k < 3; k++) {
            PROMISE((turns[k] == 0) == (winners[k] != 0));
            PROMISE(steps[k] == NONET_STEP_REFUSED || (steps[k] == NONET_STEP_OVER) == !turns[k]);
        }
        nonet_batch_legal(batch, take(input) % 4, take_number(input), moves, take(input) % 4);
        nonet_batch_restart(batch);
    }
    nonet_batch_close(batch);
}

/* What is told of a variant and of the shelf. */
static void ask_variant(const struct nonet_variant *variant, struct input *input) {
    struct nonet_error error = {0};
    int index = (int)take(input) - 8;
    PROMISE((nonet_shelf_game(index) != NULL) == (index >= 0 && index < nonet_shelf_size()));
    PROMISE(nonet_version()[0] != '\0' && nonet_variant_json(variant)[0] == '{');
    PROMISE(nonet_variant_players(variant) >= 2 && nonet_variant_facts(variant) < 32);
    struct nonet_variant *same = nonet_variant_open(nonet_variant_name(variant), NULL, &error);
    PROMISE(same != NULL);
    PROMISE(strcmp(nonet_variant_name(same), nonet_variant_name(variant)) == 0);
    nonet_variant_close(same);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    struct input input = {bytes, size};
    struct nonet_error error = {0};
    char *language = take_text(&input), *name = take_text(&input), *from = take_text(&input);
    struct nonet_words *words = nonet_words_open(language, &error);
    PROMISE(words != NULL);
    struct nonet_variant *variant = nonet_variant_open(name, words, &error);
    check_text(variant != NULL ? "" : NULL, &error);
    struct nonet_round *round = NULL;
    if (variant != NULL) {
        round = nonet_round_open(variant, from[0] != '\0' ? from : NULL, &error);
        check_text(round != NULL ? "" : NULL, &error);
        uint32_t move;
        int action = nonet_variant_action_of(variant, take_number(&input));
        PROMISE(action < nonet_variant_actions(variant) || action == -1);
        PROMISE(action < 0 ||
                nonet_variant_action_move(variant, action, &move, &error) == NONET_OK);
        if (take(&input) == 1)
            try_batch(variant, &input);
        int seat = (int)take(&input) % 4 + 1;
        struct nonet_round *seen =
            nonet_round_open_seen(variant, seat, from, NULL, 0, NULL, &error);
        nonet_round_close(seen);
        ask_variant(variant, &input);
    }
    for (int i = 0; round != NULL && i < MOST_CALLS && input.size > 0; i++)
        call(&round, variant, words, &input);
    nonet_round_close(round);
    nonet_variant_close(variant);
    nonet_words_close(words);
    free(language);
    free(name);
    free(from);
    return 0;
}
