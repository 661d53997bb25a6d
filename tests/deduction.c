/* What a seat can deduce: as much as a plain count over all deals says, and no more.
 *
 * The plain count sets up every deal by the options, plays the same moves in a session of its own,
 * and keeps those deals in which the seat sees the same texts before every move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/hidden.h"
#include "study/deduction.h"
#include "variants.h"

enum { MOST_PLIES = 128, MOST_DEALS = 64 };

static const char letters[] = "RYGBV";

static void set(struct nonet_options *options, const char *assignment) {
    struct nonet_message why;
    CHECK(nonet_options_set(options, assignment, &why), "%s", assignment);
}

/* Every way to give the discs different colours; returns how many. */
static int every_deal(int discs, char deals[MOST_DEALS][8]) {
    int count = 0, most = 1;
    for (int i = 0; i < discs; i++)
        most *= 5;
    for (int number = 0; number < most; number++) {
        char deal[8] = "";
        bool twice = false;
        for (int i = 0, rest = number; i < discs; i++, rest /= 5) {
            twice |= strchr(deal, letters[rest % 5]) != NULL;
            deal[i] = letters[rest % 5];
        }
        if (!twice)
            memcpy(deals[count++], deal, sizeof deal);
    }
    return count;
}

static struct nonet_session *open_deal(const struct nonet_options *options, const char *deal) {
    struct nonet_options dealt = *options;
    char assignment[32];
    snprintf(assignment, sizeof assignment, "colours=%s", deal);
    set(&dealt, assignment);
    return nonet_session_new(&dealt);
}

/* What the seat sees in the session's position, as text. */
static void seen_text(const struct nonet_session *session, int seat,
                      char bytes[NONET_POSITION_TEXT]) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_state seen;
    struct nonet_text text = nonet_text_in(bytes, NONET_POSITION_TEXT);
    nonet_observe(options, nonet_session_state(session), seat, &seen);
    options->game->write(options, &seen, &text);
}

/* After how many moves of the game the seat sees something else in this deal; one more than the
 * game has if it never does. */
static int differs_after(const struct nonet_session *game, const char *deal, int seat) {
    struct nonet_session *same = nonet_session_new(nonet_session_options(game));
    struct nonet_session *other = open_deal(nonet_session_options(game), deal);
    int plies = nonet_session_ply(game), after = 0;
    for (; after <= plies; after++) {
        char truth[NONET_POSITION_TEXT], text[NONET_POSITION_TEXT];
        seen_text(same, seat, truth);
        seen_text(other, seat, text);
        if (strcmp(truth, text) != 0)
            break;
        if (after == plies)
            continue;
        struct nonet_message why;
        CHECK(nonet_session_play(same, nonet_session_move(game, after), &why), "replay");
        if (!nonet_session_play(other, nonet_session_move(game, after), &why)) {
            after++;
            break;
        }
    }
    nonet_session_free(same);
    nonet_session_free(other);
    return after;
}

/* The letter of a player's disc in a deal; four players are two teams. */
static char disc_of(const char *deal, int discs, int player) {
    return deal[(player - 1) % discs];
}

/* Compares all that is deduced with the plain count. */
static void check_against_count(const struct nonet_session *game, int seat,
                                const struct deduction *deduction) {
    const struct nonet_options *options = nonet_session_options(game);
    int discs = options->players == 4 ? 2 : options->players, plies = nonet_session_ply(game);
    char deals[MOST_DEALS][8];
    int count = every_deal(discs, deals), left = 0, lost[MOST_DEALS];
    for (int i = 0; i < count; i++) {
        lost[i] = differs_after(game, deals[i], seat);
        left += lost[i] > plies;
    }
    assert_int_equal(deduction->deals, left);
    for (int player = 1; player <= options->players; player++) {
        const struct deduction_player *known = &deduction->players[player - 1];
        assert_int_equal(known->count, 5);
        for (int s = 0; s < known->count; s++) {
            const struct deduction_secret *secret = &known->secrets[s];
            int has = 0, last_with = 0, last_without = 0;
            for (int i = 0; i < count; i++) {
                bool with = disc_of(deals[i], discs, player) == secret->text[0];
                int *last = with ? &last_with : &last_without;
                has += with && lost[i] > plies;
                if (lost[i] > *last)
                    *last = lost[i];
            }
            CHECK(secret->deals == has, "%s: player %d, %s: %d deals, not %d",
                  variant_name(options), player, secret->text, secret->deals, has);
            int since = has == 0 ? last_with : has == left ? last_without : DEDUCTION_UNDECIDED;
            CHECK(secret->since == since, "%s: player %d, %s: since %d, not %d",
                  variant_name(options), player, secret->text, secret->since, since);
        }
    }
}

/* What is told, without the examples, which are a choice. */
static void told(const struct deduction *deduction, char *out, size_t room) {
    struct nonet_text text = nonet_text_in(out, room);
    nonet_text_format(&text, "%d:", deduction->deals);
    for (int p = 0; p < NONET_MAX_PLAYERS; p++)
        for (int s = 0; s < deduction->players[p].count; s++) {
            const struct deduction_secret *secret = &deduction->players[p].secrets[s];
            nonet_text_format(&text, " %d%s %d %d", p + 1, secret->text, secret->deals,
                              secret->since);
        }
    CHECK(!text.cut, "too long");
}

static void play_some(struct nonet_session *session, struct nonet_random *random, int plies) {
    for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++) {
        uint64_t count = nonet_session_count(session);
        struct nonet_message why;
        nonet_move move = nonet_session_nth(session, nonet_random_below(random, (uint32_t)count));
        CHECK(nonet_session_play(session, move, &why), "a legal move");
    }
}

static void a_seat_deduces_what_a_count_of_all_deals_says(void **unused) {
    (void)unused;
    const struct nonet_game *game = nonet_game_find("masker");
    static struct nonet_options variants[MOST_VARIANTS];
    static struct deduction deduction;
    struct nonet_random random = {11};
    int decided = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        int count = variants_of(game, seed, variants);
        for (int v = 0; v < count; v++) {
            struct nonet_session *session = nonet_session_new(&variants[v]);
            while (nonet_session_turn(session) != 0) {
                play_some(session, &random, 9);
                for (int seat = 0; seat <= variants[v].players; seat++) {
                    assert_true(deduction_make(&deduction, session, seat));
                    check_against_count(session, seat, &deduction);
                    for (int p = 0; p < variants[v].players; p++)
                        for (int s = 0; s < deduction.players[p].count; s++)
                            decided += deduction.players[p].secrets[s].since > 0;
                }
            }
            nonet_session_free(session);
        }
    }
    CHECK(decided > 100, "captures told a seat only %d things", decided);
}

/* Two games by the same moves in which only what the seat may not know differs. */
static void hidden_discs_change_nothing(void **unused) {
    (void)unused;
    const struct nonet_game *game = nonet_game_find("masker");
    static struct nonet_options variants[MOST_VARIANTS];
    static struct deduction deduction;
    struct nonet_random random = {12};
    int compared = 0;
    int count = variants_of(game, 5, variants);
    for (int v = 0; v < count; v++) {
        int players = variants[v].players, discs = players == 4 ? 2 : players;
        char deals[MOST_DEALS][8];
        int deal_count = every_deal(discs, deals);
        for (int plies = 3; plies < 30; plies += 6) {
            const char *deal = deals[nonet_random_below(&random, (uint32_t)deal_count)];
            struct nonet_session *session = open_deal(&variants[v], deal);
            play_some(session, &random, plies);
            for (int seat = 1; seat <= players; seat++) {
                char truth[4096], text[4096];
                assert_true(deduction_make(&deduction, session, seat));
                told(&deduction, truth, sizeof truth);
                for (int i = 0; i < deal_count; i++) {
                    if (differs_after(session, deals[i], seat) <= nonet_session_ply(session))
                        continue;
                    struct nonet_session *other = open_deal(&variants[v], deals[i]);
                    struct nonet_message why;
                    for (int ply = 0; ply < nonet_session_ply(session); ply++)
                        nonet_session_play(other, nonet_session_move(session, ply), &why);
                    assert_true(deduction_make(&deduction, other, seat));
                    told(&deduction, text, sizeof text);
                    assert_string_equal(truth, text);
                    compared += strcmp(deal, deals[i]) != 0;
                    nonet_session_free(other);
                }
            }
            nonet_session_free(session);
        }
    }
    CHECK(compared > 100, "only %d pairs of games", compared);
}

static void an_open_game_has_nothing_to_deduce(void **unused) {
    (void)unused;
    static struct deduction deduction;
    struct nonet_options options = options_of("trix");
    struct nonet_session *session = nonet_session_new(&options);
    assert_false(deduction_make(&deduction, session, 1));
    nonet_session_free(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seat_deduces_what_a_count_of_all_deals_says),
        cmocka_unit_test(hidden_discs_change_nothing),
        cmocka_unit_test(an_open_game_has_nothing_to_deduce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
