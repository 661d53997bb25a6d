/* The report at the end of a match: a table for people, or JSON for programs. It includes only
 * openings that were played with all their seatings. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matching.h"

enum { ROOM = 1 << 18, FAILURES_TOLD = 20 };

/* What an entrant did in all its games. */
struct tally {
    uint64_t wins[NONET_MAX_PLAYERS], shared[NONET_MAX_PLAYERS], losses[NONET_MAX_PLAYERS];
    uint64_t openings, points, moves, nodes, failures; /* points of ELO_WIN a win */
    double seconds;
};

/* Calls `tell` for every game that counts. */
static void for_games(const struct match *match,
                      void (*tell)(const struct match *match, uint64_t number,
                                   const struct match_pairing *pairing, int rotation,
                                   const struct match_game *game, void *context),
                      void *context) {
    for (uint64_t opening = 0; opening < match->counted; opening++)
        for (int pairing = 0; pairing < match->pairing_count; pairing++) {
            if (!match_whole(match, opening, pairing))
                continue;
            for (int rotation = 0; rotation < match->rotations; rotation++) {
                uint64_t number = match_number(match, opening, pairing, rotation);
                tell(match, number, &match->pairings[pairing], rotation, &match->games[number],
                     context);
            }
        }
}

struct summary {
    uint64_t games, too_long, failures;
    struct tally entrants[MATCH_ENTRANTS];
};

static void add_game(const struct match *match, uint64_t number,
                     const struct match_pairing *pairing, int rotation,
                     const struct match_game *game, void *context) {
    (void)number;
    struct summary *summary = context;
    summary->games++;
    summary->too_long += game->ending == MATCH_BY_LENGTH;
    summary->failures += game->ending == MATCH_BY_FAILURE;
    for (int seat = 0; seat < match->options.players; seat++) {
        struct tally *tally =
            &summary->entrants[pairing->entrants[match_letter(match, rotation, seat)]];
        int share = game->shares[seat];
        tally->wins[seat] += share == NONET_WHOLE_WIN;
        tally->losses[seat] += share == 0;
        tally->shared[seat] += share > 0 && share < NONET_WHOLE_WIN;
    }
    for (int letter = 0; letter < match->letters; letter++) {
        struct tally *tally = &summary->entrants[pairing->entrants[letter]];
        tally->moves += game->moves[letter];
        tally->nodes += game->nodes[letter];
        tally->seconds += game->seconds[letter];
        tally->failures += game->ending == MATCH_BY_FAILURE && game->failed == letter;
    }
}

static void summarise(const struct match *match, struct summary *summary) {
    memset(summary, 0, sizeof *summary);
    for_games(match, add_game, summary);
    for (int pairing = 0; pairing < match->pairing_count; pairing++)
        for (int letter = 0; letter < match->letters; letter++) {
            struct tally *tally = &summary->entrants[match->pairings[pairing].entrants[letter]];
            struct elo_sample sample = match_sample(match, pairing, letter);
            tally->openings += elo_openings(&sample);
            for (int points = 0; points <= sample.games * ELO_WIN; points++)
                tally->points += sample.openings[points] * (uint64_t)points;
        }
}

static double games_of(const struct match *match, const struct tally *tally) {
    return (double)tally->openings * match->rotations;
}

static const char *accepted(const struct match *match) {
    return match->ratio >= elo_test_bound()    ? "elo1"
           : match->ratio <= -elo_test_bound() ? "elo0"
                                               : NULL;
}

/* ---- For people ---- */

static int widest_name(const struct match *match) {
    size_t width = 0;
    for (int i = 0; i < match->entrant_count; i++)
        if (strlen(match->entrants[i].name) > width)
            width = strlen(match->entrants[i].name);
    return (int)width;
}

static void tell_heading(const struct match *match, const struct summary *summary,
                         struct nonet_text *text) {
    char options[256];
    struct nonet_text game = NONET_TEXT_IN(options);
    nonet_options_write(&match->options, &game);
    nonet_text_format(text, "%s: %" PRIu64 " game%s, every opening of %d random pl%s at all seats",
                      options, summary->games, summary->games == 1 ? "" : "s", match->opening_plies,
                      match->opening_plies == 1 ? "y" : "ies");
    if (match->options.players > 2)
        nonet_text_format(text, ", seated %s", match->seats);
    nonet_text_format(text, "; seed %" PRIu64 "\n", match->seed);
    if (summary->too_long > 0)
        nonet_text_format(text, "%" PRIu64 " drawn at %d plies\n", summary->too_long,
                          match->max_plies);
}

static void tell_scores(const struct match *match, int width, struct nonet_text *text) {
    nonet_text_format(text, "\n%*s   score  95 %% interval        Elo  95 %% interval\n", width,
                      "");
    for (int pairing = 0; pairing < match->pairing_count; pairing++)
        for (int letter = 0; letter < match->letters; letter++) {
            const struct match_pairing *who = &match->pairings[pairing];
            struct elo_sample sample = match_sample(match, pairing, letter);
            if (elo_openings(&sample) == 0)
                continue;
            struct elo_interval score = elo_score(&sample), elo = elo_difference(&sample);
            nonet_text_format(text, "%-*s  %5.1f %%  %5.1f to %5.1f %%  %+7.0f  %+.0f to %+.0f",
                              width, match->entrants[who->entrants[letter]].name, 100 * score.value,
                              100 * score.low, 100 * score.high, elo.value, elo.low, elo.high);
            if (match->pairing_count > 1)
                nonet_text_format(text, "  against %s",
                                  match->entrants[who->entrants[1 - letter]].name);
            nonet_text_char(text, '\n');
        }
}

/* Points of the entrant in the row against the entrant in the column. */
static void tell_crosstable(const struct match *match, const struct summary *summary, int width,
                            struct nonet_text *text) {
    nonet_text_format(text, "\n%*s", width + 4, "");
    for (int column = 0; column < match->entrant_count; column++)
        nonet_text_format(text, "  %6d", column + 1);
    nonet_text_add(text, "   points     games\n");
    for (int row = 0; row < match->entrant_count; row++) {
        const struct tally *tally = &summary->entrants[row];
        nonet_text_format(text, "%2d  %-*s", row + 1, width, match->entrants[row].name);
        for (int column = 0; column < match->entrant_count; column++) {
            if (row == column)
                nonet_text_add(text, "       -");
            for (int pairing = 0; pairing < match->pairing_count; pairing++) {
                const int *pair = match->pairings[pairing].entrants;
                if (!((pair[0] == row && pair[1] == column) ||
                      (pair[1] == row && pair[0] == column)))
                    continue;
                struct elo_sample sample = match_sample(match, pairing, pair[0] == row ? 0 : 1);
                double score = elo_openings(&sample) > 0 ? elo_score(&sample).value : 0;
                nonet_text_format(text, "  %6.1f",
                                  score * (double)elo_openings(&sample) * sample.games);
            }
        }
        nonet_text_format(text, "  %7.1f  %8.0f\n", (double)tally->points / ELO_WIN,
                          games_of(match, tally));
    }
}

static void tell_entrants(const struct match *match, const struct summary *summary, int width,
                          struct nonet_text *text) {
    nonet_text_format(text, "\n%*s  player     wins   shared   losses\n", width, "");
    for (int i = 0; i < match->entrant_count; i++)
        for (int seat = 0; seat < match->options.players; seat++) {
            const struct tally *tally = &summary->entrants[i];
            nonet_text_format(text, "%-*s  %6d  %7" PRIu64 "  %7" PRIu64 "  %7" PRIu64 "\n", width,
                              match->entrants[i].name, seat + 1, tally->wins[seat],
                              tally->shared[seat], tally->losses[seat]);
        }
    nonet_text_format(text, "\n%*s    moves  nodes a move%s\n", width, "",
                      match->untimed ? "" : "  milliseconds a move");
    for (int i = 0; i < match->entrant_count; i++) {
        const struct tally *tally = &summary->entrants[i];
        double moves = tally->moves > 0 ? (double)tally->moves : 1;
        nonet_text_format(text, "%-*s  %7" PRIu64 "  %12.0f", width, match->entrants[i].name,
                          tally->moves, (double)tally->nodes / moves);
        if (!match->untimed)
            nonet_text_format(text, "  %19.2f", 1000 * tally->seconds / moves);
        nonet_text_char(text, '\n');
    }
}

struct failures {
    struct nonet_text *text;
    struct nonet_json *json; /* or null: for people */
    uint64_t told;
};

static void tell_failure(const struct match *match, uint64_t number,
                         const struct match_pairing *pairing, int rotation,
                         const struct match_game *game, void *context) {
    (void)rotation;
    struct failures *failures = context;
    if (game->ending != MATCH_BY_FAILURE || failures->told++ >= FAILURES_TOLD)
        return;
    const char *name = match->entrants[pairing->entrants[game->failed]].name;
    const char *why = game->failure != NULL ? game->failure : "";
    if (failures->json == NULL) {
        nonet_text_format(failures->text, "game %" PRIu64 ", lost by %s after %d plies: %s\n",
                          number + 1, name, game->plies, why);
        return;
    }
    nonet_json_open(failures->json, '{');
    nonet_json_number_member(failures->json, "game", (int64_t)number + 1);
    nonet_json_string_member(failures->json, "entrant", name);
    nonet_json_number_member(failures->json, "plies", game->plies);
    nonet_json_string_member(failures->json, "reason", why);
    nonet_json_close(failures->json, '}');
}

static void tell_test(const struct match *match, struct nonet_text *text) {
    const char *verdict = accepted(match);
    nonet_text_format(text, "\nElo %g against Elo %g: log-likelihood ratio %.2f of %.2f; ",
                      match->elo0, match->elo1, match->ratio, elo_test_bound());
    if (verdict == NULL)
        nonet_text_add(text, "undecided\n");
    else
        nonet_text_format(text, "%s is accepted\n", verdict[3] == '1' ? "the second" : "the first");
}

int match_print(const struct match *match) {
    char *out = malloc(ROOM);
    struct summary *summary = malloc(sizeof *summary);
    if (out == NULL || summary == NULL) {
        free(out);
        free(summary);
        return cli_fail(CLI_FAILED, "there is no memory left");
    }
    struct nonet_text text = nonet_text_in(out, ROOM);
    int width = widest_name(match);
    summarise(match, summary);
    tell_heading(match, summary, &text);
    if (summary->games > 0) {
        tell_scores(match, width, &text);
        if (match->pairing_count > 1)
            tell_crosstable(match, summary, width, &text);
        tell_entrants(match, summary, width, &text);
    }
    if (summary->failures > 0) {
        nonet_text_char(&text, '\n');
        for_games(match, tell_failure, &(struct failures){.text = &text});
        if (summary->failures > FAILURES_TOLD)
            nonet_text_format(&text, "and %" PRIu64 " more games lost like this\n",
                              summary->failures - FAILURES_TOLD);
    }
    if (match->testing)
        tell_test(match, &text);
    if (!match->untimed)
        nonet_text_format(&text, "\n%.1f seconds\n", match->seconds);
    int code = cli_output(out);
    free(out);
    free(summary);
    return code;
}

/* ---- For programs ---- */

/* A number with a fraction, or null for an infinite one. */
static void json_real(struct nonet_json *json, const char *name, double value) {
    nonet_json_name(json, name);
    if (!isfinite(value)) {
        nonet_json_null(json);
        return;
    }
    nonet_text_format(json->text, "%.6g", value);
    json->follows = true;
}

static void json_count(struct nonet_json *json, const char *name, uint64_t count) {
    nonet_json_number_member(json, name, (int64_t)count);
}

static void json_text(struct nonet_json *json, const char *name, const char *text) {
    nonet_json_name(json, name);
    if (text != NULL)
        nonet_json_string(json, text);
    else
        nonet_json_null(json);
}

static void json_interval(struct nonet_json *json, const char *name, struct elo_interval interval) {
    nonet_json_name(json, name);
    nonet_json_open(json, '{');
    json_real(json, "low", interval.low);
    json_real(json, "value", interval.value);
    json_real(json, "high", interval.high);
    nonet_json_close(json, '}');
}

static void json_entrant(struct nonet_json *json, const struct match *match, int index,
                         const struct tally *tally) {
    const struct match_entrant *entrant = &match->entrants[index];
    double moves = tally->moves > 0 ? (double)tally->moves : 1;
    nonet_json_open(json, '{');
    json_text(json, "name", entrant->name);
    json_text(json, "kind", entrant->kind);
    json_count(json, "games", tally->openings * (uint64_t)match->rotations);
    json_real(json, "points", (double)tally->points / ELO_WIN);
    nonet_json_name(json, "seats");
    nonet_json_open(json, '[');
    for (int seat = 0; seat < match->options.players; seat++) {
        nonet_json_open(json, '{');
        json_count(json, "wins", tally->wins[seat]);
        json_count(json, "shared", tally->shared[seat]);
        json_count(json, "losses", tally->losses[seat]);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
    json_count(json, "failures", tally->failures);
    json_count(json, "moves", tally->moves);
    json_real(json, "nodes_a_move", (double)tally->nodes / moves);
    if (!match->untimed)
        json_real(json, "milliseconds_a_move", 1000 * tally->seconds / moves);
    nonet_json_close(json, '}');
}

/* The scores of all letters of a pairing; `openings` lists how many openings brought A how many
 * points. */
static void json_pairing(struct nonet_json *json, const struct match *match, int pairing) {
    struct elo_sample first = match_sample(match, pairing, 0);
    nonet_json_open(json, '{');
    nonet_json_name(json, "openings");
    nonet_json_open(json, '[');
    for (int points = 0; points <= first.games * ELO_WIN; points++) {
        if (first.openings[points] == 0)
            continue;
        nonet_json_open(json, '{');
        json_real(json, "points", (double)points / ELO_WIN);
        json_count(json, "openings", first.openings[points]);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
    nonet_json_name(json, "entrants");
    nonet_json_open(json, '[');
    for (int letter = 0; letter < match->letters; letter++) {
        struct elo_sample sample = match_sample(match, pairing, letter);
        nonet_json_open(json, '{');
        json_count(json, "entrant", (uint64_t)match->pairings[pairing].entrants[letter]);
        if (elo_openings(&sample) > 0) {
            json_interval(json, "score", elo_score(&sample));
            json_interval(json, "elo", elo_difference(&sample));
        }
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

int match_print_json(const struct match *match) {
    char *out = malloc(ROOM), options[256];
    struct summary *summary = malloc(sizeof *summary);
    if (out == NULL || summary == NULL) {
        free(out);
        free(summary);
        return cli_fail(CLI_FAILED, "there is no memory left");
    }
    struct nonet_text text = nonet_text_in(out, ROOM), game = NONET_TEXT_IN(options);
    struct nonet_json json = nonet_json_in(&text);
    nonet_options_write(&match->options, &game);
    summarise(match, summary);
    nonet_json_open(&json, '{');
    json_text(&json, "game", options);
    json_count(&json, "seed", match->seed);
    json_text(&json, "seats", match->seats);
    json_count(&json, "opening_plies", (uint64_t)match->opening_plies);
    json_count(&json, "games", summary->games);
    json_count(&json, "too_long", summary->too_long);
    nonet_json_name(&json, "entrants");
    nonet_json_open(&json, '[');
    for (int i = 0; i < match->entrant_count; i++)
        json_entrant(&json, match, i, &summary->entrants[i]);
    nonet_json_close(&json, ']');
    nonet_json_name(&json, "pairings");
    nonet_json_open(&json, '[');
    for (int pairing = 0; pairing < match->pairing_count; pairing++)
        json_pairing(&json, match, pairing);
    nonet_json_close(&json, ']');
    nonet_json_name(&json, "test");
    if (match->testing) {
        nonet_json_open(&json, '{');
        json_real(&json, "elo0", match->elo0);
        json_real(&json, "elo1", match->elo1);
        json_real(&json, "ratio", match->ratio);
        json_real(&json, "bound", elo_test_bound());
        json_text(&json, "accepted", accepted(match));
        nonet_json_close(&json, '}');
    } else {
        nonet_json_null(&json);
    }
    nonet_json_name(&json, "failures");
    nonet_json_open(&json, '[');
    for_games(match, tell_failure, &(struct failures){.json = &json});
    nonet_json_close(&json, ']');
    if (!match->untimed)
        json_real(&json, "seconds", match->seconds);
    nonet_json_close(&json, '}');
    nonet_text_char(&text, '\n');
    int code = cli_output(out);
    free(out);
    free(summary);
    return code;
}
