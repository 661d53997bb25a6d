/* Plays the games of a match on several threads. Each game is the same whichever thread plays it
 * and whatever the others do. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "base/siphash.h"
#include "host/thinker.h"
#include "host/ugi_client.h"
#include "matching.h"
#include "progress.h"

/* Where the games are played. */
struct hall {
    struct match *match;
    uint64_t total;
    atomic_uint_fast64_t next; /* the game that is started next */

    pthread_mutex_t lock; /* for the members that follow, and for output */
    uint64_t done;
    struct elo_sample test; /* of A, up to the first opening that is not whole */
    struct cli_progress progress;
    int code;
};

struct worker {
    pthread_t thread;
    struct hall *hall;
    struct match_player players[MATCH_ENTRANTS][NONET_MAX_PLAYERS];
};

/* The first thing that goes wrong in the program itself ends the match. */
static void give_up(struct hall *hall, const char *why) {
    pthread_mutex_lock(&hall->lock);
    if (hall->code == CLI_DONE) {
        cli_progress_end(&hall->progress);
        hall->code = cli_fail(CLI_FAILED, "%s", why);
    }
    atomic_store(&hall->match->stop, true);
    pthread_mutex_unlock(&hall->lock);
}

/* ---- Openings ---- */

enum purpose { FOR_OPEN_DEAL, FOR_SECRET_DEAL, FOR_OPENING, FOR_PLAYER };

/* A number that follows from the seed of the match, for one purpose and one thing. Players are told
 * some of these numbers, and see consequences of others. As the hash is keyed by the seed, they
 * learn nothing about the rest. The second word only separates this use of a seed from others. */
static uint64_t derive(const struct match *match, enum purpose purpose, uint64_t of,
                       uint64_t which) {
    const struct nonet_siphash_key key = {{match->seed, 0x686374616d}};
    const uint64_t numbers[] = {purpose, of, which};
    unsigned char bytes[sizeof numbers];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(numbers[i / 8] >> (i % 8 * 8));
    return nonet_siphash(&key, bytes, sizeof bytes);
}

/* The games of an opening begin with the same layout. Secrets are dealt anew for each game: a
 * player who has held a card in one game would know who holds it in the next. Null with the error.
 */
static struct nonet_session *begin_session(const struct match *match, uint64_t number,
                                           struct nonet_setup_error *error) {
    const struct nonet_setup setup = {match->options, match->from};
    const struct nonet_chance chance = {
        derive(match, FOR_OPEN_DEAL, match_opening(match, number), 0),
        derive(match, FOR_SECRET_DEAL, number, 0)};
    return nonet_setup_open(&setup, &chance, error);
}

/* A game after the random plies of its opening. If the game is over by then, new random plies are
 * tried. If that happens again and again, the opening is a ply shorter. Null without memory. */
static struct nonet_session *open_game(const struct match *match, uint64_t number) {
    enum { TRIES = 100 };
    uint64_t opening = match_opening(match, number);
    struct nonet_message why;
    for (int plies = match->opening_plies; plies >= 0; plies--) {
        for (uint64_t attempt = 0; attempt < TRIES; attempt++) {
            struct nonet_random random = {derive(match, FOR_OPENING, opening, attempt)};
            struct nonet_setup_error error; /* the arguments were checked: there is no memory */
            struct nonet_session *session = begin_session(match, number, &error);
            if (session == NULL)
                return NULL;
            for (int i = 0; i < plies && nonet_session_turn(session) != 0; i++) {
                uint32_t count = (uint32_t)nonet_session_count(session);
                nonet_session_play(
                    session, nonet_session_nth(session, nonet_random_below(&random, count)), &why);
            }
            if (nonet_session_turn(session) != 0)
                return session;
            nonet_session_free(session);
        }
    }
    return NULL;
}

/* Checks that games can begin as they should, before threads start to play them. */
static int check_opening(const struct match *match) {
    struct nonet_setup_error error;
    struct nonet_session *session = begin_session(match, 0, &error);
    if (session == NULL)
        return cli_fail_setup(CLI_FAILED, &error);
    bool over = nonet_session_turn(session) == 0;
    nonet_session_free(session);
    if (over)
        return cli_fail(CLI_FAILED, "the game is over at this position");
    session = open_game(match, 0);
    int plies = session != NULL ? nonet_session_ply(session) : 0;
    nonet_session_free(session);
    if (plies < match->opening_plies)
        return cli_fail(CLI_FAILED, "games are over within the %d plies of --opening",
                        match->opening_plies);
    return CLI_DONE;
}

/* ---- One game ---- */

/* A game being played: its number taken apart, and who sits where. */
struct board {
    uint64_t number;
    int rotation;
    const struct match_pairing *pairing;
    struct nonet_session *session;
    uint32_t times[NONET_MAX_PLIES];
};

static int letter_at(const struct match *match, const struct board *board, int seat) {
    return match_letter(match, board->rotation, seat);
}

static struct match_place place_at(const struct match *match, const struct board *board, int seat) {
    return (struct match_place){
        .match = match,
        .entrant = &match->entrants[board->pairing->entrants[letter_at(match, board, seat)]],
        .session = board->session,
        .seat = seat + 1,
        .seed = derive(match, FOR_PLAYER, board->number, (uint64_t)seat),
    };
}

/* An entrant with several seats has a player for each, as seats may know different things. */
static struct match_player *player_at(struct worker *worker, const struct board *board, int seat) {
    const struct match *match = worker->hall->match;
    int letter = letter_at(match, board, seat), before = 0;
    for (int other = 0; other < seat; other++)
        before += letter_at(match, board, other) == letter;
    return &worker->players[board->pairing->entrants[letter]][before];
}

/* Each seat's share of the win. */
static void share_out(const struct nonet_options *options, const struct nonet_result *result,
                      struct match_game *game) {
    for (int seat = 0; seat < NONET_MAX_PLAYERS; seat++)
        game->shares[seat] =
            seat < options->players ? (uint8_t)nonet_result_share(options, result, seat + 1) : 0;
}

static void end_by_result(const struct match *match, const struct nonet_session *session,
                          struct match_game *game) {
    struct nonet_result result;
    nonet_session_result(session, &result);
    game->ending = MATCH_BY_RULES;
    if (nonet_session_turn(session) != 0) {
        game->ending = MATCH_BY_LENGTH;
        result.winners = (uint8_t)((1u << match->options.players) - 1);
    }
    share_out(nonet_session_options(session), &result, game);
}

/* An entrant that fails loses at all its seats, and the others share the win. */
static void end_by_failure(const struct match *match, const struct board *board, int seat,
                           const char *why, struct match_game *game) {
    struct nonet_result result = {0};
    game->failed = letter_at(match, board, seat);
    for (int other = 0; other < match->options.players; other++)
        if (letter_at(match, board, other) != game->failed)
            result.winners |= (uint8_t)(1u << other);
    share_out(&match->options, &result, game);
    game->failure = strdup(why);
    game->ending = MATCH_BY_FAILURE;
}

/* *seat is the first whose player could not begin the game, if there is one. */
static enum match_answer begin_players(struct worker *worker, const struct board *board, int *seat,
                                       struct nonet_text *why) {
    const struct match *match = worker->hall->match;
    enum match_answer answer = MATCH_DONE;
    for (*seat = 0; *seat < match->options.players; ++*seat) {
        struct match_place place = place_at(match, board, *seat);
        answer = match_player_begin(player_at(worker, board, *seat), &place, why);
        if (answer != MATCH_DONE)
            break;
    }
    return answer;
}

static enum match_answer make_move(struct worker *worker, struct board *board, int seat,
                                   struct match_game *game, struct nonet_text *why) {
    const struct match *match = worker->hall->match;
    const struct nonet_options *options = nonet_session_options(board->session);
    struct match_place place = place_at(match, board, seat);
    struct match_choice choice;
    struct nonet_message refused;
    struct match_player *player = player_at(worker, board, seat);
    enum match_answer answer = match_player_choose(player, &place, &choice, why);
    if (answer != MATCH_DONE)
        return answer;
    int letter = letter_at(match, board, seat);
    game->moves[letter]++;
    game->nodes[letter] += choice.nodes;
    game->seconds[letter] += choice.seconds;
    board->times[nonet_session_ply(board->session)] = (uint32_t)(choice.seconds * 1000);
    if (nonet_session_play(board->session, choice.move, &refused))
        return MATCH_DONE;
    nonet_text_add(why, "the move ");
    options->game->print(options, choice.move, why);
    nonet_text_add(why, " is not legal: ");
    nonet_message_write(&refused, NULL, why);
    match_player_end(player); /* it may have got more things wrong */
    return MATCH_FAILED;
}

/* Plays until the game is over; *game says how it ended. */
static enum match_answer play(struct worker *worker, struct board *board, struct match_game *game) {
    const struct match *match = worker->hall->match;
    char reason[MATCH_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    int seat;
    enum match_answer answer = begin_players(worker, board, &seat, &why);
    while (answer == MATCH_DONE && nonet_session_turn(board->session) != 0 &&
           nonet_session_ply(board->session) < match->max_plies) {
        seat = nonet_session_turn(board->session) - 1;
        answer = make_move(worker, board, seat, game, &why);
    }
    game->plies = nonet_session_ply(board->session);
    if (answer == MATCH_DONE)
        end_by_result(match, board->session, game);
    else if (answer == MATCH_FAILED)
        end_by_failure(match, board, seat, reason, game);
    return answer;
}

static bool keep_record(struct hall *hall, struct board *board) {
    const struct match *match = hall->match;
    char path[4096], reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason), place = NONET_TEXT_IN(path);
    struct record record = {.session = board->session,
                            .times = match->untimed ? NULL : board->times};
    for (int seat = 0; seat < match->options.players; seat++) {
        const struct match_entrant *entrant = place_at(match, board, seat).entrant;
        memcpy(record.seats[seat].kind, entrant->kind, sizeof entrant->kind);
        memcpy(record.seats[seat].name, entrant->name, sizeof entrant->name);
    }
    nonet_text_format(&place, "%s/game-%06llu.json", match->records,
                      (unsigned long long)board->number + 1);
    if (place.cut)
        give_up(hall, "the path of the records is too long");
    else if (!record_save(path, &record, &why))
        give_up(hall, reason);
    else
        return true;
    return false;
}

/* ---- All games ---- */

/* The test takes openings in their order. So it ends with the same opening however many games are
 * played at a time, and quick games do not count more than slow ones. */
static void go_on_testing(struct hall *hall) {
    struct match *match = hall->match;
    while (match->counted < match->openings && match_whole(match, match->counted, 0)) {
        hall->test.openings[match_points(match, match->counted++, 0, 0)]++;
        match->ratio = elo_likelihood_ratio(&hall->test, match->elo0, match->elo1);
        if (match->ratio >= elo_test_bound() || match->ratio <= -elo_test_bound()) {
            atomic_store(&match->stop, true);
            return;
        }
    }
}

static void hand_in(struct hall *hall, uint64_t number, const struct match_game *game) {
    struct match *match = hall->match;
    pthread_mutex_lock(&hall->lock);
    match->games[number] = *game;
    hall->done++;
    if (match->testing && !atomic_load(&match->stop))
        go_on_testing(hall);
    if (hall->code == CLI_DONE) {
        double share = (double)hall->done / (double)hall->total;
        double left = cli_progress_seconds(&hall->progress) * (1 / share - 1);
        char what[80];
        int length = snprintf(what, sizeof what, "%llu games", (unsigned long long)hall->done);
        if (match->testing)
            snprintf(what + length, sizeof what - (size_t)length, ", log-likelihood ratio %+.2f",
                     match->ratio);
        cli_progress_show(&hall->progress, what, share, match->testing ? -1 : left);
    }
    pthread_mutex_unlock(&hall->lock);
}

static void play_number(struct worker *worker, struct board *board, uint64_t number) {
    struct hall *hall = worker->hall;
    const struct match *match = hall->match;
    uint64_t rotations = (uint64_t)match->rotations, pairings = (uint64_t)match->pairing_count;
    board->number = number;
    board->rotation = (int)(number % rotations);
    board->pairing = &match->pairings[number / rotations % pairings];
    memset(board->times, 0, sizeof board->times[0] * (size_t)match->opening_plies);
    board->session = open_game(match, number);
    struct match_game game = {0};
    enum match_answer answer =
        board->session != NULL ? play(worker, board, &game) : MATCH_NO_MEMORY;
    if (answer == MATCH_NO_MEMORY)
        give_up(hall, "there is no memory left");
    if (game.ending != MATCH_UNPLAYED && (match->records == NULL || keep_record(hall, board)))
        hand_in(hall, number, &game);
    else
        free(game.failure);
    nonet_session_free(board->session);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct hall *hall = worker->hall;
    struct board *board = malloc(sizeof *board);
    if (board == NULL)
        give_up(hall, "there is no memory left");
    while (!atomic_load(&hall->match->stop)) {
        uint64_t number = atomic_fetch_add(&hall->next, 1);
        if (number >= hall->total)
            break;
        play_number(worker, board, number);
    }
    free(board);
    for (int entrant = 0; entrant < hall->match->entrant_count; entrant++)
        for (int seat = 0; seat < NONET_MAX_PLAYERS; seat++)
            match_player_end(&worker->players[entrant][seat]);
    return NULL;
}

/* Ctrl-C ends the match with the table so far; a second one ends the program. */
static atomic_bool *stop_on_signal;

static void on_signal(int signal) {
    (void)signal;
    atomic_store(stop_on_signal, true);
}

static void listen_to_signals(struct match *match) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    stop_on_signal = &match->stop;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGCHLD, SIG_DFL); /* so that no child's process id is reused unnoticed */
}

/* The highest level asks the game's table. A table that is built on first use is built here, once,
 * and not in every thread. */
static void build_table(const struct match *match) {
    for (int i = 0; i < match->entrant_count && match->options.game->deal == NULL; i++) {
        const struct match_entrant *entrant = &match->entrants[i];
        struct thinker *thinker = entrant->command == NULL && entrant->searcher == NULL
                                      ? thinker_open(&match->options)
                                      : NULL;
        if (thinker != NULL)
            cli_note(cli_prepare(thinker, entrant->level));
        thinker_close(thinker);
    }
}

/* If a program does not even answer a greeting, the command line is wrong. */
static int greet_programs(const struct match *match) {
    for (int i = 0; i < match->entrant_count; i++) {
        const struct match_entrant *entrant = &match->entrants[i];
        char reason[MATCH_REASON];
        struct nonet_text why = NONET_TEXT_IN(reason);
        if (entrant->command == NULL)
            continue;
        struct ugi_client *client = ugi_open(entrant->command, match->timeout, &match->stop, &why);
        if (client == NULL && !atomic_load(&match->stop))
            return cli_fail(CLI_FAILED, "%s: %s", entrant->name, reason);
        ugi_close(client);
    }
    return CLI_DONE;
}

int match_play(struct match *match) {
    listen_to_signals(match);
    struct hall hall = {.match = match, .code = check_opening(match)};
    if (hall.code != CLI_DONE)
        return hall.code;
    if (match->records != NULL && mkdir(match->records, 0777) != 0 && errno != EEXIST)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(match->records), host_error(errno));
    hall.code = greet_programs(match);
    if (hall.code != CLI_DONE)
        return hall.code;
    hall.total = match_number(match, match->openings, 0, 0);
    match->games = calloc(hall.total, sizeof *match->games);
    struct worker *workers = calloc((size_t)match->jobs, sizeof *workers);
    if (match->games == NULL || workers == NULL) {
        free(workers);
        return cli_fail(CLI_FAILED, "there is no memory left");
    }
    hall.test = match_sample(match, 0, 0); /* still empty */
    if (!match->testing)
        match->counted = match->openings;
    build_table(match);
    pthread_mutex_init(&hall.lock, NULL);
    cli_progress_begin(&hall.progress);
    int started = 0;
    for (; started < match->jobs; started++) {
        workers[started].hall = &hall;
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    if (started == 0)
        give_up(&hall, "the system starts no threads");
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    cli_progress_end(&hall.progress);
    match->seconds = cli_progress_seconds(&hall.progress);
    pthread_mutex_destroy(&hall.lock);
    free(workers);
    return hall.code;
}

void match_free(struct match *match) {
    if (match->games != NULL)
        for (uint64_t i = 0; i < match_number(match, match->openings, 0, 0); i++)
            free(match->games[i].failure);
    free(match->games);
    for (int i = 0; i < match->entrant_count; i++)
        free(match->entrants[i].command), free(match->entrants[i].weights);
}
