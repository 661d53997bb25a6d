/* Which games a match consists of: who meets whom, who sits where, and whose points they are. */
#include <string.h>

#include "matching.h"

static bool in_teams(const struct match *match) {
    return (match->options.game->facts & NONET_TEAMS) != 0 && match->options.players == 4;
}

/* One seat for A and the others for B; partners are the same entrant. */
static const char *usual_seats(const struct match *match) {
    static const char *const usual[] = {"AB", "ABB", "ABBB"};
    return in_teams(match) ? "ABAB" : usual[match->options.players - 2];
}

/* How many letters a pattern has, if they are the first of the alphabet; else 0. */
static int count_letters(const char *pattern) {
    int most = 0, seen = 0;
    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c < 'A' || *c >= 'A' + NONET_MAX_PLAYERS)
            return 0;
        seen |= 1 << (*c - 'A');
        if (*c - 'A' + 1 > most)
            most = *c - 'A' + 1;
    }
    return seen == (1 << most) - 1 ? most : 0;
}

/* The first rotation that gives the pattern itself again. */
static int count_rotations(const char *pattern) {
    int length = (int)strlen(pattern);
    for (int shift = 1; shift < length; shift++)
        if (memcmp(pattern, pattern + shift, (size_t)(length - shift)) == 0 &&
            memcmp(pattern, pattern + length - shift, (size_t)shift) == 0)
            return shift;
    return length;
}

int match_arrange(struct match *match, const char *pattern) {
    int players = match->options.players;
    if (pattern == NULL)
        pattern = usual_seats(match);
    match->letters = count_letters(pattern);
    if ((int)strlen(pattern) != players || match->letters < 2)
        return cli_fail(CLI_USAGE,
                        "--seats cannot be \"%s\"; it has a letter for each of %d players, such as "
                        "%s",
                        nonet_quote(pattern).text, players, usual_seats(match));
    if (in_teams(match) && memcmp(pattern, pattern + 2, 2) != 0)
        return cli_fail(CLI_USAGE, "--seats cannot be %s: players 1 and 3 are a team, and 2 and 4",
                        pattern);
    if (match->letters > 2 && match->letters != match->entrant_count)
        return cli_fail(CLI_USAGE, "--seats %s is for %d players, and there are %d", pattern,
                        match->letters, match->entrant_count);
    memcpy(match->seats, pattern, (size_t)players + 1);
    match->rotations = count_rotations(match->seats);
    if (match->letters > 2) {
        match->pairing_count = 1;
        for (int i = 0; i < match->letters; i++)
            match->pairings[0].entrants[i] = i;
        return CLI_DONE;
    }
    for (int a = 0; a < match->entrant_count; a++)
        for (int b = a + 1; b < match->entrant_count; b++)
            match->pairings[match->pairing_count++] = (struct match_pairing){{a, b}};
    return CLI_DONE;
}

int match_letter(const struct match *match, int rotation, int seat) {
    return match->seats[(seat + rotation) % match->options.players] - 'A';
}

uint64_t match_number(const struct match *match, uint64_t opening, int pairing, int rotation) {
    return (opening * (uint64_t)match->pairing_count + (uint64_t)pairing) *
               (uint64_t)match->rotations +
           (uint64_t)rotation;
}

uint64_t match_opening(const struct match *match, uint64_t number) {
    return number / (uint64_t)match->rotations / (uint64_t)match->pairing_count;
}

bool match_whole(const struct match *match, uint64_t opening, int pairing) {
    for (int rotation = 0; rotation < match->rotations; rotation++)
        if (match->games[match_number(match, opening, pairing, rotation)].ending == MATCH_UNPLAYED)
            return false;
    return true;
}

int match_points(const struct match *match, uint64_t opening, int pairing, int letter) {
    int points = 0;
    for (int rotation = 0; rotation < match->rotations; rotation++) {
        const struct match_game *game =
            &match->games[match_number(match, opening, pairing, rotation)];
        for (int seat = 0; seat < match->options.players; seat++)
            if (match_letter(match, rotation, seat) == letter)
                points += game->shares[seat];
    }
    /* Partners win together. */
    return in_teams(match) ? points / 2 : points;
}

struct elo_sample match_sample(const struct match *match, int pairing, int letter) {
    int own = 0;
    for (int seat = 0; seat < match->options.players; seat++)
        own += match_letter(match, 0, seat) == letter;
    struct elo_sample sample = {.games = match->rotations,
                                .even = (double)own / match->options.players};
    for (uint64_t opening = 0; opening < match->counted; opening++)
        if (match_whole(match, opening, pairing))
            sample.openings[match_points(match, opening, pairing, letter)]++;
    return sample;
}
