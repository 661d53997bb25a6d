#include "trial.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/siphash.h"
#include "../search/player.h"

/* ---- Sides: players who win together are one ---- */

static bool has_teams(const struct nonet_options *options) {
    return (options->game->facts & NONET_TEAMS) != 0 && options->players == 4;
}

static int side_count(const struct nonet_options *options) {
    return has_teams(options) ? 2 : options->players;
}

static int side_of(const struct nonet_options *options, int player) {
    return (player - 1) % side_count(options);
}

/* ---- One game ---- */

void trial_track_begin(struct trial_track *track, uint32_t number) {
    *track = (struct trial_track){.game.number = number, .game.decided = -1, .leader = -1};
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        track->sure_since[i] = -1;
}

/* Whether equal positions of different games can be found: everything is seen, nothing is dealt,
 * and there are few enough moves. A swap is for two players. */
static bool openings_compare(const struct nonet_options *options) {
    return nonet_is_open(options) && options->players == 2 && options->game->deal == NULL;
}

/* The position after one of the first plies, and the move that led there. */
static void keep_opening(struct trial_game *game, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    int ply = nonet_session_ply(session);
    if (ply < 1 || ply > TRIAL_OPENING || !openings_compare(options))
        return;
    struct nonet_state canonical;
    nonet_canonical(options, nonet_session_state(session), &canonical);
    uint64_t hash = nonet_hash(&canonical, options->game->state_size);
    game->openings[ply - 1] = hash != 0 ? hash : 1;
    struct nonet_text text = NONET_TEXT_IN(game->moves[ply - 1]);
    options->game->print(options, nonet_session_move(session, ply - 1), &text);
}

/* What each side expects, in thousandths of a win. */
static void expectations(const struct nonet_options *options, int turn,
                         const struct nonet_opinion *opinion, int *expects) {
    int sides = side_count(options), mover = side_of(options, turn), known = 0;
    for (int player = 1; player <= options->players; player++)
        known += opinion->chances[player - 1];
    for (int player = 1; known > 0 && player <= options->players; player++)
        expects[side_of(options, player)] = opinion->chances[player - 1];
    if (known > 0)
        return;
    /* Only the mover's is known; the others share the rest. */
    int own = (opinion->score + NONET_SCORE_WON) / 2;
    for (int side = 0; side < sides; side++)
        expects[side] = side == mover ? own : (1000 - own) / (sides - 1);
}

static void lead(struct trial_track *track, int side) {
    if (track->leader >= 0 && track->leader != side)
        track->game.lead_changes++;
    track->leader = side;
}

void trial_track_position(struct trial_track *track, const struct nonet_session *session,
                          const struct nonet_opinion *opinion) {
    const struct nonet_options *options = nonet_session_options(session);
    int ply = nonet_session_ply(session), sides = side_count(options), best = 0, next = INT_MIN;
    int expects[NONET_MAX_PLAYERS];
    keep_opening(&track->game, session);
    track->game.choices += nonet_session_count(session);
    expectations(options, nonet_session_turn(session), opinion, expects);
    for (int side = 0; side < sides; side++) {
        if (expects[side] < TRIAL_SURE)
            track->sure_since[side] = -1;
        else if (track->sure_since[side] < 0)
            track->sure_since[side] = ply;
        best = expects[side] > expects[best] ? side : best;
    }
    for (int side = 0; side < sides; side++)
        if (side != best && expects[side] > next)
            next = expects[side];
    if (expects[best] - next >= TRIAL_LEAD)
        lead(track, best);
}

void trial_track_end(struct trial_track *track, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    struct trial_game *game = &track->game;
    struct nonet_result result = {.winners = (uint8_t)((1 << options->players) - 1)};
    keep_opening(game, session);
    game->plies = nonet_session_ply(session);
    game->cut = nonet_session_turn(session) != 0;
    if (!game->cut)
        nonet_session_result(session, &result);
    game->draw = result.winners == (1 << options->players) - 1;
    for (int player = 1; player <= options->players; player++) {
        game->shares[player - 1] = (uint8_t)nonet_result_share(options, &result, player);
        if (game->shares[player - 1] != NONET_WHOLE_WIN)
            continue;
        int side = side_of(options, player), since = track->sure_since[side];
        lead(track, side); /* for a team twice, which changes nothing */
        game->decided = since >= 0 ? since : game->plies;
    }
}

/* ---- Playing ---- */

/* For each position the umpire says how the game stands, then the player chooses a move. */
enum step { UMPIRE, PLAYER };

struct trial {
    struct trial_wish wish;
    struct nonet_scratch *scratch;
    struct nonet_session *session; /* null before the first game */
    struct nonet_player *player;   /* thinks for all of them, one after the other */
    struct nonet_report *report;
    enum step step;
    bool thinking;
    struct trial_track track;
};

struct trial *trial_open(const struct trial_wish *wish) {
    struct trial *trial = calloc(1, sizeof *trial);
    if (trial == NULL)
        return NULL;
    trial->wish = *wish;
    trial->scratch = nonet_scratch_new(wish->options.game);
    trial->player = nonet_player_open();
    trial->report = malloc(sizeof *trial->report);
    if (trial->scratch != NULL && trial->player != NULL && trial->report != NULL)
        return trial;
    trial_close(trial);
    return NULL;
}

void trial_close(struct trial *trial) {
    if (trial == NULL)
        return;
    nonet_session_free(trial->session);
    if (trial->scratch != NULL)
        nonet_scratch_free(trial->scratch);
    nonet_player_close(trial->player);
    free(trial->report);
    free(trial);
}

enum purpose { FOR_OPEN_DEAL, FOR_SECRET_DEAL, FOR_UMPIRE, FOR_PLAYER };

/* A number for one purpose in one game. As the hash is keyed, one number tells nothing about
 * another: not what was dealt to somebody, say. */
static uint64_t derive(const struct trial *trial, uint32_t number, int purpose) {
    const struct nonet_siphash_key key = {{trial->wish.seed, 0x6c61697274}};
    const unsigned char bytes[] = {(unsigned char)number, (unsigned char)(number >> 8),
                                   (unsigned char)(number >> 16), (unsigned char)(number >> 24),
                                   (unsigned char)purpose};
    return nonet_siphash(&key, bytes, sizeof bytes);
}

bool trial_begin(struct trial *trial, uint32_t number) {
    struct nonet_options dealt = trial->wish.options;
    nonet_options_deal(&dealt, derive(trial, number, FOR_OPEN_DEAL),
                       derive(trial, number, FOR_SECRET_DEAL));
    nonet_player_new_game(trial->player);
    nonet_session_free(trial->session);
    trial->session = nonet_session_new_at(&dealt, trial->scratch);
    trial->step = UMPIRE;
    trial->thinking = false;
    trial_track_begin(&trial->track, number);
    return trial->session != NULL;
}

/* The umpire overlooks nothing, and looks at as many positions as a player of the middle. */
static bool begin_thinking(struct trial *trial) {
    enum { SKILL = 59, MEMORY = 16 << 20 }; /* more than so few nodes need */
    int turn = nonet_session_turn(trial->session);
    uint32_t number = trial->track.game.number;
    struct nonet_player_limits limits = {.searches = 1, .memory = MEMORY};
    if (trial->step == UMPIRE) {
        limits.level = NONET_SEARCH_LEVELS;
        limits.nodes = nonet_level(&trial->wish.options, 1, SKILL).nodes;
        limits.seed = derive(trial, number, FOR_UMPIRE);
    } else {
        limits.level = trial->wish.levels[turn - 1];
        limits.seed = derive(trial, number, FOR_PLAYER + turn);
    }
    return nonet_player_begin(trial->player, trial->session, &limits);
}

/* A move, or what the umpire says. False if there is no memory to play on. */
static bool take_report(struct trial *trial) {
    struct nonet_message why;
    const struct nonet_opinion *best = &trial->report->moves[0];
    nonet_player_report(trial->player, trial->report);
    if (trial->step == UMPIRE) {
        trial_track_position(&trial->track, trial->session, best);
        trial->step = PLAYER;
        return true;
    }
    trial->step = UMPIRE;
    return nonet_session_play(trial->session, best->move, &why);
}

enum trial_status trial_advance(struct trial *trial, uint64_t nodes) {
    enum { PORTION = 64 };
    for (uint64_t spent = 0; spent < nodes; spent += PORTION) {
        if (nonet_session_turn(trial->session) == 0 ||
            nonet_session_ply(trial->session) >= TRIAL_LONGEST) {
            trial_track_end(&trial->track, trial->session);
            nonet_player_end(trial->player);
            return TRIAL_DONE;
        }
        if (!trial->thinking && !begin_thinking(trial))
            return TRIAL_NO_MEMORY;
        uint64_t left = nodes - spent;
        trial->thinking = !nonet_player_advance(trial->player, 0, left < PORTION ? left : PORTION);
        if (!trial->thinking && !take_report(trial))
            return TRIAL_NO_MEMORY;
    }
    return TRIAL_WORKING;
}

const struct trial_game *trial_game(const struct trial *trial) {
    return &trial->track.game;
}

/* ---- Records ---- */

void trial_write(const struct trial_game *game, struct nonet_text *out) {
    nonet_text_format(out, "%u\t%d\t%d", game->number, game->draw, game->cut);
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        nonet_text_format(out, "\t%d", game->shares[i]);
    nonet_text_format(out, "\t%d\t%llu\t%d\t%d", game->plies, (unsigned long long)game->choices,
                      game->lead_changes, game->decided);
    for (int i = 0; i < TRIAL_OPENING; i++)
        nonet_text_format(out, "\t%llu\t%s", (unsigned long long)game->openings[i], game->moves[i]);
}

/* A number up to `most`, and the tab or end after it. */
static bool take_number(const char **at, uint64_t most, uint64_t *number) {
    *number = 0;
    const char *digit = *at;
    for (; isdigit((unsigned char)*digit); digit++) {
        uint64_t value = (uint64_t)(*digit - '0');
        if (*number > (most - value) / 10)
            return false;
        *number = *number * 10 + value;
    }
    if (digit == *at || *number > most || (*digit != '\t' && *digit != '\0'))
        return false;
    *at = digit + (*digit == '\t');
    return true;
}

static bool take_text(const char **at, char *text, size_t size) {
    size_t length = strcspn(*at, "\t");
    if (length >= size)
        return false;
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length + ((*at)[length] == '\t');
    return true;
}

/* More than any game has, and few enough to compute with. */
static const uint64_t most_choices = (uint64_t)1 << 48;

bool trial_read(const char *line, struct trial_game *game) {
    uint64_t head[7], plies, choices, changes, decided = 0;
    const char *at = line;
    *game = (struct trial_game){.decided = -1};
    for (int i = 0; i < 7; i++)
        if (!take_number(&at, i == 0 ? UINT32_MAX : i < 3 ? 1 : NONET_WHOLE_WIN, &head[i]))
            return false;
    if (!take_number(&at, TRIAL_LONGEST, &plies) || !take_number(&at, most_choices, &choices) ||
        !take_number(&at, plies, &changes))
        return false;
    bool undecided = strncmp(at, "-1\t", 3) == 0;
    at += undecided ? 3 : 0;
    if (!undecided && !take_number(&at, plies, &decided))
        return false;
    for (int i = 0; i < TRIAL_OPENING; i++)
        if (!take_number(&at, UINT64_MAX, &game->openings[i]) ||
            !take_text(&at, game->moves[i], sizeof game->moves[i]))
            return false;
    game->number = (uint32_t)head[0];
    game->draw = head[1] != 0;
    game->cut = head[2] != 0;
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        game->shares[i] = (uint8_t)head[3 + i];
    game->plies = (int)plies;
    game->choices = choices;
    game->lead_changes = (int)changes;
    game->decided = undecided ? -1 : (int)decided;
    return *at == '\0';
}

/* ---- Figures ---- */

/* In the order of their keys, and of their numbers. */
static int compare(const void *a, const void *b) {
    const struct trial_game *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static void sort(struct trial_game *games, int count) {
    qsort(games, (size_t)count, sizeof *games, compare);
}

static double share_of(const struct trial_game *game, int player) {
    return (double)game->shares[player - 1] / NONET_WHOLE_WIN;
}

/* Whoever chooses takes the better side. */
static struct interval chooser_of(const struct interval *first) {
    double low = fabs(first->low - 0.5), high = fabs(first->high - 0.5);
    bool maybe_even = first->low <= 0.5 && first->high >= 0.5;
    return (struct interval){first->count, 0.5 + fabs(first->value - 0.5),
                             maybe_even ? 0.5 : 0.5 + fmin(low, high), 0.5 + fmax(low, high)};
}

/* Games whose first `plies` plies led to the same position are one opening. */
static void find_swap(struct trial_game *games, int count, int plies, struct trial_swap *swap) {
    *swap = (struct trial_swap){0};
    for (int i = 0; i < count; i++)
        games[i].key = games[i].openings[plies - 1];
    sort(games, count);
    for (int i = 0, next; i < count; i = next) {
        double sum = 0;
        for (next = i; next < count && games[next].key == games[i].key; next++)
            sum += share_of(&games[next], 1);
        if (games[i].key == 0)
            continue;
        swap->openings++;
        if (next - i < TRIAL_TIMES)
            continue;
        swap->often++;
        struct interval first = interval_share(sum, next - i);
        double off = fabs(first.value - 0.5), best = fabs(swap->first.value - 0.5);
        if (swap->first.count > 0 &&
            (off > best || (off == best && first.count <= swap->first.count)))
            continue;
        swap->first = first;
        swap->chooser = chooser_of(&first);
        memset(swap->moves, 0, sizeof swap->moves);
        memcpy(swap->moves, games[i].moves, sizeof games[i].moves[0] * (size_t)plies);
    }
}

/* Numbers whose mean is wanted. */
struct sample {
    double sum, squares;
    int count;
};

static void add(struct sample *sample, double number) {
    sample->sum += number;
    sample->squares += number * number;
    sample->count++;
}

static struct interval mean_of(const struct sample *sample) {
    return interval_mean(sample->sum, sample->squares, sample->count);
}

void trial_figures(struct trial_game *games, int count, int players,
                   struct trial_figures *figures) {
    struct sample plies = {0}, choices = {0}, changes = {0}, decided = {0};
    double shares[NONET_MAX_PLAYERS] = {0};
    *figures = (struct trial_figures){.games = count, .players = players};
    /* Sums of fractions depend on the order, if only in the last digit. */
    for (int i = 0; i < count; i++)
        games[i].key = 0;
    sort(games, count);
    for (int i = 0; i < count; i++) {
        const struct trial_game *game = &games[i];
        figures->draws += game->draw;
        figures->cut += game->cut;
        for (int player = 1; player <= players; player++) {
            figures->wins[player - 1] += game->shares[player - 1] == NONET_WHOLE_WIN;
            shares[player - 1] += share_of(game, player);
        }
        add(&plies, game->plies);
        add(&changes, game->lead_changes);
        if (game->plies > 0)
            add(&choices, (double)game->choices / game->plies);
        if (game->plies > 0 && game->decided >= 0)
            add(&decided, (double)game->decided / game->plies);
    }
    for (int player = 0; player < players; player++)
        figures->shares[player] = interval_share(shares[player], count);
    figures->drawn = interval_share(figures->draws, count);
    figures->plies = mean_of(&plies);
    figures->choices = mean_of(&choices);
    figures->lead_changes = mean_of(&changes);
    figures->decided = mean_of(&decided);
    for (int i = 0; i < TRIAL_OPENING; i++)
        find_swap(games, count, i + 1, &figures->swaps[i]);
}
