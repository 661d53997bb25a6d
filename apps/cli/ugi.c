/* nonet ugi: a player that other programs talk to, over the Universal Game Interface (docs/ugi.md).
 *
 * The main thread reads commands. A search runs in a thread of its own, so that `stop` and
 * `isready` are obeyed meanwhile. The two share the position, which nobody changes during a search;
 * a flag that asks the search to stop; a flag that says that it has stopped; and the standard
 * output, on which lines are written whole. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "rules/observation.h"
#include "study/describe.h"
#include "think_flags.h"
#include "ugi.h"

enum {
    MOST_LISTED = 10000, /* legal moves that are listed */
    MOST_MEMORY = 65536, /* MiB */
    ANSWER = 1024,       /* room for any line but those with moves or positions */
    /* The reserve of a clock, in milliseconds, for everything except thinking. */
    CLOCK_RESERVE = 30,
};
static const double forever = 1e9;
static const uint64_t most_milliseconds = 1000000000;

/* The words of a command. */
struct words {
    char **at;
    int count;
};

struct ugi {
    struct words words; /* of the current command; room for those of any line */

    /* What setoption sets. */
    struct nonet_options options;
    int level, threads, memory, seat;
    uint64_t seed;

    /* The position; null before it is needed, and after the last one was refused. */
    struct nonet_session *session;
    bool refused;
    struct thinker *thinker; /* for the options; null before it is needed */

    /* The search. */
    bool searching; /* there is a thread to wait for */
    pthread_t thread;
    atomic_bool stop, finished;
    struct thinker_limits limits;
    int depth;      /* that ends the search; 0: none does */
    int told_depth; /* what the last info line said, and when */
    double told;

    FILE *out;
    pthread_mutex_t writing;
    atomic_bool broken; /* the output is closed */
    bool quit;
};

/* ---- Output ---- */

static void say(struct ugi *ugi, const char *line) {
    pthread_mutex_lock(&ugi->writing);
    if (fputs(line, ugi->out) == EOF || fputc('\n', ugi->out) == EOF || fflush(ugi->out) == EOF)
        atomic_store(&ugi->broken, true);
    pthread_mutex_unlock(&ugi->writing);
}

__attribute__((format(printf, 2, 3))) static void answer(struct ugi *ugi, const char *format, ...) {
    char line[ANSWER];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    say(ugi, line);
}

/* Says what is wrong, after a prefix that may be empty. */
static void complain(struct ugi *ugi, const char *prefix, const struct nonet_message *why) {
    char line[ANSWER];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_format(&text, "info string %s", prefix);
    nonet_message_write(why, NULL, &text);
    say(ugi, line);
}

/* ---- Words ---- */

static bool is(const struct words *words, int index, const char *word) {
    return index < words->count && strcmp(words->at[index], word) == 0;
}

/* The index of a word, from `from` on, or the number of words. */
static int find(const struct words *words, int from, const char *word) {
    while (from < words->count && strcmp(words->at[from], word) != 0)
        from++;
    return from;
}

/* The words from..to-1 with a space between each. */
static void join(const struct words *words, int from, int to, struct nonet_text *out) {
    for (int i = from; i < to; i++)
        nonet_text_format(out, "%s%s", i > from ? " " : "", words->at[i]);
}

/* ---- The position ---- */

static void forget_position(struct ugi *ugi) {
    nonet_session_free(ugi->session);
    ugi->session = NULL;
    ugi->refused = false;
}

static void forget_thinker(struct ugi *ugi) {
    thinker_close(ugi->thinker);
    ugi->thinker = NULL;
}

static void complain_of_setup(struct ugi *ugi, const struct nonet_setup_error *error) {
    char line[ANSWER];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, "info string ");
    nonet_setup_explain(error, NULL, &text);
    say(ugi, line);
}

/* Opens the first position, or that of the text, and plays the moves. */
static struct nonet_session *open_session(struct ugi *ugi, const char *from, char **moves,
                                          int move_count) {
    struct nonet_setup setup = {ugi->options, from};
    const struct nonet_option *table = ugi->options.game->options;
    for (int i = 0; from != NULL && table[i].key != NULL; i++)
        if (table[i].chance) /* options outlast a position, and the position is dealt already */
            setup.options.value[i] = (struct nonet_option_value){0};
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_open(&setup, NULL, &error);
    bool good = session != NULL;
    for (int i = 0; good && i < move_count; i++)
        good = nonet_setup_play(session, moves[i], &error);
    if (good)
        return session;
    complain_of_setup(ugi, &error);
    nonet_session_free(session);
    return NULL;
}

static struct nonet_session *open_observed(struct ugi *ugi, const char *first, char **moves,
                                           int move_count, const char *seen) {
    char line[ANSWER];
    struct nonet_text why = NONET_TEXT_IN(line);
    nonet_text_add(&why, "info string ");
    struct nonet_message message;
    if (!nonet_options_check(&ugi->options, &message)) {
        complain(ugi, "", &message);
        return NULL;
    }
    if (ugi->seat == 0 || ugi->seat > ugi->options.players) {
        answer(ugi, "info string set the option Seat first, to a player from 1 to %d",
               ugi->options.players);
        return NULL;
    }
    struct nonet_session *session =
        nonet_observation_open(&ugi->options, ugi->seat, first, moves, move_count, seen, &why);
    if (session == NULL)
        say(ugi, line);
    return session;
}

/* position startpos|fen TEXT [moves M…], position observed TEXT [moves M… seen TEXT] */
static void set_position(struct ugi *ugi, const struct words *words) {
    forget_position(ugi);
    ugi->refused = true;
    bool observed = is(words, 1, "observed");
    int moves = find(words, 1, "moves"), seen = find(words, moves, "seen");
    int first_move = moves < words->count ? moves + 1 : moves;
    int move_count = (observed ? seen : words->count) - first_move;
    char **move_texts = words->at + first_move;
    char first[NONET_POSITION_TEXT], last[NONET_POSITION_TEXT];
    struct nonet_text first_text = NONET_TEXT_IN(first), last_text = NONET_TEXT_IN(last);
    join(words, 2, moves, &first_text);
    join(words, seen + 1, words->count, &last_text);
    bool well_formed = is(words, 1, "startpos") ? moves == 2
                       : observed ? moves > 2 && (move_count == 0) == (seen == words->count)
                                  : is(words, 1, "fen") && moves > 2;
    if (!well_formed || first_text.cut || last_text.cut) {
        answer(ugi, "info string a position is: startpos [moves …], fen TEXT [moves …], or "
                    "observed TEXT [moves … seen TEXT]");
        return;
    }
    if (move_count > NONET_MAX_PLIES) {
        answer(ugi, "info string a game has at most %d moves", NONET_MAX_PLIES);
        return;
    }
    if (observed)
        ugi->session =
            open_observed(ugi, first, move_texts, move_count, move_count > 0 ? last : NULL);
    else
        ugi->session = open_session(ugi, moves > 2 ? first : NULL, move_texts, move_count);
    ugi->refused = ugi->session == NULL;
}

/* Makes sure that there is a position: the first one, if none was given yet. */
static bool has_position(struct ugi *ugi) {
    if (ugi->session == NULL && !ugi->refused) {
        ugi->session = open_session(ugi, NULL, NULL, 0);
        ugi->refused = ugi->session == NULL;
    } else if (ugi->refused) {
        answer(ugi, "info string there is no position, because the last one was refused");
    }
    return ugi->session != NULL;
}

/* ---- Options ---- */

static void list_options(struct ugi *ugi) {
    char line[ANSWER];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_format(&text, "option name Game type combo default %s", ugi->options.game->id);
    for (int i = 0; i < nonet_game_count; i++)
        nonet_text_format(&text, " var %s", nonet_games[i]->id);
    say(ugi, line);
    answer(ugi, "option name Level type spin default %d min 1 max %d", ugi->level,
           NONET_SEARCH_LEVELS);
    answer(ugi, "option name Threads type spin default %d min 1 max %d", ugi->threads,
           THINKER_MAX_THREADS);
    answer(ugi, "option name Hash type spin default %d min 1 max %d", ugi->memory, MOST_MEMORY);
    answer(ugi, "option name SearchSeed type string default %llu", (unsigned long long)ugi->seed);
    answer(ugi, "option name Seat type spin default %d min 0 max %d", ugi->seat, NONET_MAX_PLAYERS);
    const struct nonet_option *table = ugi->options.game->options;
    for (int i = 0; table[i].key != NULL; i++) {
        const char *value = ugi->options.value[i].text;
        text = NONET_TEXT_IN(line);
        nonet_text_format(&text, "option name %s type %s default %s", table[i].key,
                          table[i].kind == NONET_CHOICE ? "combo" : "string",
                          value[0] != '\0' ? value : "<empty>");
        if (table[i].kind == NONET_CHOICE) {
            nonet_text_add(&text, " var ");
            for (const char *c = table[i].values; *c != '\0'; c++)
                if (*c == '|')
                    nonet_text_add(&text, " var ");
                else
                    nonet_text_char(&text, *c);
        }
        say(ugi, line);
    }
}

static void set_game(struct ugi *ugi, const char *id) {
    const struct nonet_game *game = nonet_game_find(id);
    if (game == NULL) {
        answer(ugi, "info string there is no game \"%s\"; ugi lists them", nonet_quote(id).text);
        return;
    }
    nonet_options_default(&ugi->options, game);
    forget_position(ugi);
    forget_thinker(ugi);
}

static void set_game_option(struct ugi *ugi, int index, const char *value) {
    const struct nonet_option *option = &ugi->options.game->options[index];
    if (strcmp(value, "<empty>") == 0 &&
        (option->kind == NONET_SEED || option->kind == NONET_LETTERS)) {
        ugi->options.value[index] = (struct nonet_option_value){0};
    } else {
        char assignment[ANSWER];
        struct nonet_text text = NONET_TEXT_IN(assignment);
        nonet_text_format(&text, "%s=%s", option->key, value);
        struct nonet_message why;
        if (!nonet_options_set(&ugi->options, assignment, &why)) {
            complain(ugi, "", &why);
            return;
        }
    }
    forget_position(ugi);
    forget_thinker(ugi);
}

static void set_number(struct ugi *ugi, const char *name, const char *value, int least, int most,
                       int *number) {
    uint64_t given;
    if (cli_number(value, (uint64_t)most, &given) && (int)given >= least)
        *number = (int)given;
    else
        answer(ugi, "info string %s cannot be \"%s\"; it is a number from %d to %d", name,
               nonet_quote(value).text, least, most);
}

/* setoption name N value V */
static void set_option(struct ugi *ugi, const struct words *words) {
    int after = find(words, 1, "value");
    if (!is(words, 1, "name") || after != 3 || after + 1 >= words->count) {
        answer(ugi, "info string an option is set by: setoption name N value V");
        return;
    }
    const char *name = words->at[2];
    char value[ANSWER];
    struct nonet_text text = NONET_TEXT_IN(value);
    join(words, after + 1, words->count, &text);
    if (strcasecmp(name, "Game") == 0) {
        set_game(ugi, value);
    } else if (strcasecmp(name, "Level") == 0) {
        set_number(ugi, "Level", value, 1, NONET_SEARCH_LEVELS, &ugi->level);
    } else if (strcasecmp(name, "Threads") == 0) {
        set_number(ugi, "Threads", value, 1, THINKER_MAX_THREADS, &ugi->threads);
    } else if (strcasecmp(name, "Hash") == 0) {
        set_number(ugi, "Hash", value, 1, MOST_MEMORY, &ugi->memory);
    } else if (strcasecmp(name, "Seat") == 0) {
        set_number(ugi, "Seat", value, 0, NONET_MAX_PLAYERS, &ugi->seat);
        forget_position(ugi);
    } else if (strcasecmp(name, "SearchSeed") == 0) {
        if (!cli_number(value, UINT64_MAX, &ugi->seed))
            answer(ugi, "info string SearchSeed cannot be \"%s\"; it is a number below 2^64",
                   nonet_quote(value).text);
    } else {
        const struct nonet_option *table = ugi->options.game->options;
        for (int i = 0; table[i].key != NULL; i++)
            if (strcasecmp(name, table[i].key) == 0) {
                set_game_option(ugi, i, value);
                return;
            }
        answer(ugi, "info string there is no option \"%s\" in %s; ugi lists them",
               nonet_quote(name).text, ugi->options.game->title);
    }
}

/* ---- Searching ---- */

static void begin_game(struct ugi *ugi) {
    forget_position(ugi);
    if (ugi->thinker != NULL)
        thinker_new_game(ugi->thinker);
}

static bool open_thinker(struct ugi *ugi) {
    struct nonet_options dealt = ugi->options;
    struct nonet_message why;
    if (ugi->thinker == NULL && nonet_options_check(&dealt, &why)) {
        nonet_options_deal(&dealt, 0, 0);
        ugi->thinker = thinker_open(&dealt);
    }
    return ugi->thinker != NULL;
}

static void write_score(const struct nonet_opinion *opinion, struct nonet_text *out) {
    const struct nonet_value *value = &opinion->value;
    if (opinion->known == NONET_PROVEN && value->outcome != NONET_DRAW && !value->has_margin &&
        value->distance >= 0)
        nonet_text_format(out, " score mate %d",
                          value->outcome == NONET_WIN ? value->distance : -value->distance);
    else
        nonet_text_format(out, " score cp %d", opinion->score);
}

static void say_info(struct ugi *ugi, const struct nonet_report *report, double seconds) {
    const struct nonet_options *options = nonet_session_options(ugi->session);
    char line[NONET_SEARCH_LINE * NONET_MOVE_TEXT + ANSWER];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, "info");
    if (report->depth > 0)
        nonet_text_format(&text, " depth %d", report->depth);
    write_score(&report->moves[0], &text);
    double rate = seconds > 0 ? (double)report->nodes / seconds : 0;
    nonet_text_format(&text, " nodes %llu nps %.0f time %.0f pv", (unsigned long long)report->nodes,
                      rate, seconds * 1000);
    for (int i = 0; i < report->line_length; i++) {
        nonet_text_char(&text, ' ');
        options->game->print(options, report->line[i], &text);
    }
    say(ugi, line);
}

static void say_proof(struct ugi *ugi, const struct nonet_report *report) {
    const struct nonet_opinion *best = &report->moves[0];
    if (best->known != NONET_PROVEN)
        return;
    char line[ANSWER];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_format(&text, "info string proven: %s", describe_outcomes[best->value.outcome]);
    if (best->value.has_margin)
        nonet_text_format(&text, ", margin %d", best->value.margin);
    else if (best->value.outcome != NONET_DRAW && best->value.distance >= 0)
        nonet_text_format(&text, " in %d plies", best->value.distance);
    nonet_text_format(&text, ", by %s", describe_proof(best, report->by));
    say(ugi, line);
}

/* Reports each new depth, and otherwise four times a second. */
static bool progress(void *context, const struct nonet_report *report, double seconds) {
    struct ugi *ugi = context;
    if (report->depth > ugi->told_depth || seconds - ugi->told >= 0.25) {
        ugi->told_depth = report->depth;
        ugi->told = seconds;
        say_info(ugi, report, seconds);
    }
    return ugi->depth == 0 || report->depth < ugi->depth;
}

static void *search(void *context) {
    struct ugi *ugi = context;
    const struct nonet_options *options = nonet_session_options(ugi->session);
    const struct nonet_report *report =
        thinker_think(ugi->thinker, ugi->session, ugi->level, &ugi->limits);
    char line[NONET_MOVE_TEXT + 16];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, "bestmove ");
    if (report != NULL) {
        say_info(ugi, report, thinker_seconds(ugi->thinker));
        say_proof(ugi, report);
        options->game->print(options, report->moves[0].move, &text);
    } else {
        answer(ugi, "info string there is no memory left");
        nonet_text_add(&text, "none");
    }
    /* Before the answer, as the next command may follow it at once. */
    atomic_store(&ugi->finished, true);
    say(ugi, line);
    return NULL;
}

/* Waits for a search that was asked to stop, or that has ended. */
static void await_search(struct ugi *ugi) {
    if (ugi->searching)
        pthread_join(ugi->thread, NULL);
    ugi->searching = false;
}

static bool still_searching(const struct ugi *ugi) {
    return ugi->searching && !atomic_load(&ugi->finished) && !atomic_load(&ugi->stop);
}

/* How much time of a clock to spend, in seconds. */
static double share_of_clock(uint64_t left, uint64_t increment) {
    double share = (double)left / 20 + (double)increment * 0.75;
    double most = (double)left - CLOCK_RESERVE;
    share = share < most ? share : most;
    return (share > 1 ? share : 1) / 1000;
}

struct clocks {
    uint64_t left[NONET_MAX_PLAYERS], increment[NONET_MAX_PLAYERS];
};

/* The number that "p2time" or "p2inc" sets, or null. */
static uint64_t *clock_of(struct clocks *clocks, const char *word) {
    if (word[0] != 'p' || word[1] < '1' || word[1] > '0' + NONET_MAX_PLAYERS)
        return NULL;
    return strcmp(word + 2, "time") == 0  ? &clocks->left[word[1] - '1']
           : strcmp(word + 2, "inc") == 0 ? &clocks->increment[word[1] - '1']
                                          : NULL;
}

/* The limits of a go command. False after an error, which it reports. */
static bool read_limits(struct ugi *ugi, const struct words *words) {
    struct clocks clocks = {0};
    uint64_t movetime = 0, depth = 0;
    ugi->limits = (struct thinker_limits){.threads = ugi->threads,
                                          .memory = (size_t)ugi->memory << 20,
                                          .seed = ugi->seed,
                                          .whole_line = true,
                                          .stop = &ugi->stop,
                                          .progress = progress,
                                          .context = ugi};
    for (int i = 1; i < words->count; i++) {
        const char *word = words->at[i];
        if (strcmp(word, "infinite") == 0) {
            ugi->limits.seconds = forever;
            continue;
        }
        uint64_t *number = strcmp(word, "nodes") == 0      ? &ugi->limits.nodes
                           : strcmp(word, "movetime") == 0 ? &movetime
                           : strcmp(word, "depth") == 0    ? &depth
                                                           : clock_of(&clocks, word);
        uint64_t most = number == &ugi->limits.nodes ? UINT64_MAX / 2 : most_milliseconds;
        if (number == NULL || i + 1 == words->count || !cli_number(words->at[++i], most, number) ||
            (number == &ugi->limits.nodes && *number == 0)) {
            answer(ugi,
                   "info string \"%s\" does not fit; go takes nodes N, movetime MS, depth N, "
                   "infinite, p1time MS, p1inc MS and so on",
                   nonet_quote(word).text);
            return false;
        }
    }
    int player = nonet_session_turn(ugi->session);
    uint64_t left = clocks.left[player - 1];
    double seconds = ugi->limits.seconds;
    if (left > 0)
        seconds = share_of_clock(left, clocks.increment[player - 1]);
    if (movetime > 0 && (seconds <= 0 || (double)movetime / 1000 < seconds))
        seconds = (double)movetime / 1000;
    ugi->limits.seconds = seconds;
    ugi->limits.book = depth == 0 && (left > 0 || movetime > 0);
    ugi->depth = (int)depth;
    return true;
}

static bool can_search(struct ugi *ugi) {
    if (!has_position(ugi))
        return false;
    int turn = nonet_session_turn(ugi->session);
    if (turn == 0)
        answer(ugi, "info string the game is over");
    else if (ugi->seat != 0 && ugi->seat != turn)
        answer(ugi, "info string it is the turn of seat %d, not of %d", turn, ugi->seat);
    else
        return true;
    return false;
}

static void go(struct ugi *ugi, const struct words *words) {
    if (can_search(ugi) && read_limits(ugi, words)) {
        atomic_store(&ugi->stop, false);
        atomic_store(&ugi->finished, false);
        ugi->told_depth = 0;
        ugi->told = 0;
        if (open_thinker(ugi) && pthread_create(&ugi->thread, NULL, search, ugi) == 0) {
            ugi->searching = true;
            return;
        }
        answer(ugi, "info string there is no memory left");
    }
    say(ugi, "bestmove none");
}

/* ---- Queries ---- */

static void respond_result(struct ugi *ugi) {
    struct nonet_result result;
    nonet_session_result(ugi->session, &result);
    int players = nonet_session_options(ugi->session)->players;
    int winners = __builtin_popcount(result.winners);
    if (winners == 0)
        say(ugi, "response none");
    else if (winners == players)
        say(ugi, "response draw");
    else if (winners > 1)
        say(ugi, "response shared");
    else
        answer(ugi, "response p%dwin", __builtin_ctz(result.winners) + 1);
}

/* Players who win, or everybody's points. */
static void respond_numbers(struct ugi *ugi, bool points) {
    struct nonet_result result;
    nonet_session_result(ugi->session, &result);
    int players = nonet_session_options(ugi->session)->players;
    char line[ANSWER];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, "response");
    if (result.winners == 0 || (points && !result.has_points))
        nonet_text_add(&text, " none");
    else
        for (int player = 1; player <= players; player++)
            if (points)
                nonet_text_format(&text, " %d", result.points[player - 1]);
            else if (result.winners >> (player - 1) & 1)
                nonet_text_format(&text, " %d", player);
    say(ugi, line);
}

static void respond_legal(struct ugi *ugi) {
    const struct nonet_options *options = nonet_session_options(ugi->session);
    uint64_t count = nonet_session_count(ugi->session);
    if (count == 0 || count > MOST_LISTED) {
        say(ugi, count == 0 ? "response none" : "response many");
        return;
    }
    size_t room = (size_t)count * (NONET_MOVE_TEXT + 1) + 16;
    char *line = malloc(room);
    if (line == NULL) {
        say(ugi, "info string there is no memory left");
        say(ugi, "response none");
        return;
    }
    struct nonet_text text = nonet_text_in(line, room);
    nonet_text_add(&text, "response");
    for (uint64_t i = 0; i < count; i++) {
        nonet_text_char(&text, ' ');
        options->game->print(options, nonet_session_nth(ugi->session, i), &text);
    }
    say(ugi, line);
    free(line);
}

static void respond_islegal(struct ugi *ugi, const char *move_text) {
    const struct nonet_options *options = nonet_session_options(ugi->session);
    struct nonet_message why;
    nonet_move move;
    bool legal = options->game->parse(options, move_text, &move, &why) &&
                 nonet_session_legal(ugi->session, move, &why);
    if (!legal)
        complain(ugi, "", &why);
    say(ugi, legal ? "response true" : "response false");
}

/* With a seat, what that seat sees. */
static void respond_text(struct ugi *ugi) {
    const struct nonet_options *options = nonet_session_options(ugi->session);
    struct nonet_state seen;
    const void *state = nonet_session_state(ugi->session);
    if (ugi->seat != 0) {
        nonet_observe(options, state, ugi->seat, &seen);
        state = &seen;
    }
    char line[NONET_POSITION_TEXT + 16];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, "response ");
    options->game->write(options, state, &text);
    say(ugi, line);
}

static void query(struct ugi *ugi, const struct words *words) {
    if (!has_position(ugi)) {
        say(ugi, "response none");
        return;
    }
    int turn = nonet_session_turn(ugi->session);
    bool plain = words->count == 2;
    if (plain && is(words, 1, "gameover")) {
        say(ugi, turn == 0 ? "response true" : "response false");
    } else if (plain && is(words, 1, "p1turn")) {
        say(ugi, turn == 1 ? "response true" : "response false");
    } else if (plain && is(words, 1, "result")) {
        respond_result(ugi);
    } else if (plain && is(words, 1, "turn") && turn != 0) {
        answer(ugi, "response %d", turn);
    } else if (plain && is(words, 1, "turn")) {
        say(ugi, "response none");
    } else if (plain && (is(words, 1, "winners") || is(words, 1, "points"))) {
        respond_numbers(ugi, is(words, 1, "points"));
    } else if (plain && is(words, 1, "legal")) {
        respond_legal(ugi);
    } else if (plain && is(words, 1, "count")) {
        answer(ugi, "response %llu", (unsigned long long)nonet_session_count(ugi->session));
    } else if (plain && is(words, 1, "fen")) {
        respond_text(ugi);
    } else if (words->count == 3 && is(words, 1, "islegal")) {
        respond_islegal(ugi, words->at[2]);
    } else {
        say(ugi, "info string a query is gameover, p1turn, result, turn, winners, points, legal, "
                 "count, fen, or islegal M");
        say(ugi, "response none");
    }
}

/* ---- Commands ---- */

static void introduce(struct ugi *ugi) {
    say(ugi, "id name Nonet " NONET_VERSION);
    say(ugi, "id author the Nonet maintainers");
    list_options(ugi);
    say(ugi, "ugiok");
}

static void prepare(struct ugi *ugi) {
    if (!still_searching(ugi)) {
        await_search(ugi);
        const char *note = open_thinker(ugi) ? thinker_prepare(ugi->thinker, ugi->level) : NULL;
        if (note != NULL)
            answer(ugi, "info string %s", note);
    }
    say(ugi, "readyok");
}

static void obey(struct ugi *ugi, const struct words *words) {
    if (words->count == 0)
        return;
    if (is(words, 0, "isready")) {
        prepare(ugi);
        return;
    }
    if (is(words, 0, "stop") || is(words, 0, "quit")) {
        atomic_store(&ugi->stop, true);
        ugi->quit = is(words, 0, "quit");
        return;
    }
    if (still_searching(ugi)) {
        say(ugi, "info string a search is running; send stop first");
        return;
    }
    await_search(ugi);
    if (is(words, 0, "ugi"))
        introduce(ugi);
    else if (is(words, 0, "setoption"))
        set_option(ugi, words);
    else if (is(words, 0, "uginewgame"))
        begin_game(ugi);
    else if (is(words, 0, "position"))
        set_position(ugi, words);
    else if (is(words, 0, "go"))
        go(ugi, words);
    else if (is(words, 0, "query"))
        query(ugi, words);
    else
        answer(ugi,
               "info string there is no command \"%s\"; there are ugi, isready, setoption, "
               "uginewgame, position, go, stop, query and quit",
               nonet_quote(words->at[0]).text);
}

/* Reads a line without its end into room for UGI_LINE and a zero byte. False at the end of the
 * input. The length of a line that does not fit, or is not text, is -1. */
static bool read_line(char *line, int *length) {
    int c, at = 0;
    bool bad = false;
    while ((c = getc(stdin)) != EOF && c != '\n') {
        bad |= c == '\0' || at == UGI_LINE;
        if (!bad)
            line[at++] = (char)c;
    }
    line[at] = '\0';
    *length = bad ? -1 : at;
    return c != EOF || at > 0 || bad;
}

static void split(char *line, struct words *words) {
    words->count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest))
        words->at[words->count++] = word;
}

struct ugi *ugi_new(const struct nonet_options *options, FILE *out) {
    struct ugi *ugi = calloc(1, sizeof *ugi);
    if (ugi == NULL)
        return NULL;
    ugi->words.at = malloc((UGI_LINE / 2 + 1) * sizeof *ugi->words.at);
    if (ugi->words.at == NULL) {
        free(ugi);
        return NULL;
    }
    ugi->level = NONET_SEARCH_LEVELS;
    ugi->threads = 1;
    ugi->memory = NONET_SEARCH_MEMORY >> 20;
    ugi->out = out;
    ugi->options = *options;
    pthread_mutex_init(&ugi->writing, NULL);
    return ugi;
}

bool ugi_obey(struct ugi *ugi, char *line) {
    split(line, &ugi->words);
    obey(ugi, &ugi->words);
    return !ugi->quit && !atomic_load(&ugi->broken);
}

bool ugi_free(struct ugi *ugi) {
    atomic_store(&ugi->stop, true);
    await_search(ugi);
    bool told = !atomic_load(&ugi->broken);
    forget_position(ugi);
    forget_thinker(ugi);
    pthread_mutex_destroy(&ugi->writing);
    free(ugi->words.at);
    free(ugi);
    return told;
}

static void converse(struct ugi *ugi, char *line) {
    int length;
    bool on = true;
    while (on && read_line(line, &length)) {
        if (length >= 0)
            on = ugi_obey(ugi, line);
        else
            answer(ugi, "info string a command is a line of text of at most %d bytes", UGI_LINE);
    }
}

static int run(int argc, char **argv) {
    const struct cli_flag flags[] = {{0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.word_count > 0 || arguments.from != NULL)
        return cli_fail(CLI_USAGE, "give moves and positions by the command position");
    if (arguments.game == NULL)
        nonet_options_default(&arguments.options, nonet_games[0]);
    char *line = malloc(UGI_LINE + 1);
    struct ugi *ugi = line != NULL ? ugi_new(&arguments.options, stdout) : NULL;
    if (ugi == NULL)
        code = cli_fail(CLI_FAILED, "there is no memory left");
    else
        converse(ugi, line);
    if (ugi != NULL && !ugi_free(ugi))
        code = cli_fail(CLI_FAILED, "cannot write the output");
    free(line);
    return code;
}

const struct cli_command cli_ugi = {
    .name = "ugi",
    .usage = "[GAME [-o key=value]…]",
    .brief = "a player for other programs, over the Universal Game Interface",
    .help = "  GAME           the game to begin with; setoption name Game value … sets another\n"
            "  -o key=value   set an option of the game; nonet games lists them\n\n"
            "Reads commands on the standard input and answers on the standard output. A first\n"
            "conversation: ugi, position startpos, go movetime 1000, quit. docs/ugi.md\n"
            "describes all commands, and how players learn only what their seat may know.\n",
    .run = run,
};
