#include "playing.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

const char playing_kinds[] = "human, random, computer, or a level from 1 to 10";

const struct nonet_options *playing_options(const struct playing *playing) {
    return nonet_session_options(playing->record.session);
}

static const struct nonet_game *game_of(const struct playing *playing) {
    return playing_options(playing)->game;
}

bool playing_is_person(const struct playing *playing, int seat) {
    return playing->levels[seat - 1] == PLAYING_PERSON;
}

static int count_people(const struct playing *playing) {
    int count = 0;
    for (int seat = 1; seat <= playing_options(playing)->players; seat++)
        count += playing_is_person(playing, seat);
    return count;
}

/* Whether people who may not see each other's side share this screen. */
static bool needs_hand_over(const struct playing *playing) {
    return (game_of(playing)->facts & NONET_HIDDEN_INFORMATION) != 0 && count_people(playing) > 1;
}

static int milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)((now.tv_sec % 1000000) * 1000 + now.tv_nsec / 1000000);
}

bool playing_read_level(const char *text, int *level) {
    uint64_t number;
    if (strncmp(text, "level-", 6) == 0)
        text += 6;
    if (!cli_number(text, NONET_SEARCH_LEVELS, &number) || number == 0)
        return false;
    *level = (int)number;
    return true;
}

void playing_write_kind(int level, char kind[RECORD_KIND]) {
    if (level > 0)
        snprintf(kind, RECORD_KIND, "level-%d", level);
    else
        snprintf(kind, RECORD_KIND, "%s", level == PLAYING_PERSON ? "human" : "random");
}

bool playing_seat(struct playing *playing, int seat, const char *kind) {
    int level = playing->level;
    if (strcmp(kind, "human") == 0)
        level = PLAYING_PERSON;
    else if (strcmp(kind, "random") == 0)
        level = PLAYING_RANDOM;
    else if (strcmp(kind, "computer") != 0 && !playing_read_level(kind, &level))
        return false;
    playing->levels[seat - 1] = level;
    playing_write_kind(level, playing->record.seats[seat - 1].kind);
    return true;
}

bool playing_seat_record(struct playing *playing, struct nonet_text *why) {
    for (int seat = 1; seat <= playing_options(playing)->players; seat++) {
        char kind[RECORD_KIND];
        strcpy(kind, playing->record.seats[seat - 1].kind);
        if (kind[0] == '\0')
            strcpy(kind, seat == 1 ? "human" : "computer");
        if (!playing_seat(playing, seat, kind)) {
            nonet_text_format(why, "player %d is a \"%s\", who is not at hand here", seat, kind);
            return false;
        }
    }
    return true;
}

void playing_print(const struct playing *playing, nonet_move move, playing_move_text out) {
    struct nonet_text text = nonet_text_in(out, sizeof(playing_move_text));
    game_of(playing)->print(playing_options(playing), move, &text);
}

void playing_print_nth(const struct playing *playing, uint64_t index, playing_move_text out) {
    playing_print(playing, nonet_session_nth(playing->record.session, index), out);
}

/* A seat's name for the middle of a sentence. */
static const char *who(const struct playing *playing, int seat) {
    static char name[RECORD_NAME + 16];
    const char *own = playing->record.seats[seat - 1].name;
    if (own[0] != '\0')
        snprintf(name, sizeof name, "%s (player %d)", own, seat);
    else
        snprintf(name, sizeof name, "Player %d", seat);
    return name;
}

int playing_seat_before(const struct playing *playing, int index) {
    return game_of(playing)->turn(playing_options(playing),
                                  nonet_session_state_before(playing->record.session, index));
}

/* ---- What is on the screen ---- */

static const char *bold(const struct playing *playing) {
    return playing->style.colour ? "\033[1m" : "";
}

static const char *plain(const struct playing *playing) {
    return playing->style.colour ? "\033[0m" : "";
}

/* Whose eyes the board is drawn for, or -1: nobody may look now. */
static int viewer(const struct playing *playing) {
    int turn = nonet_session_turn(playing->record.session);
    if (needs_hand_over(playing) && turn != 0)
        return turn == playing->shown_to ? turn : -1;
    for (int seat = 1; seat <= playing_options(playing)->players; seat++)
        if (playing_is_person(playing, seat))
            return seat;
    return NONET_SPECTATOR;
}

static void say_secret(struct playing *playing, int seat) {
    const struct nonet_game *game = game_of(playing);
    if (game->secret == NULL || seat <= 0)
        return;
    char secret[64];
    struct nonet_text text = NONET_TEXT_IN(secret);
    struct nonet_state seen;
    nonet_observe(playing_options(playing), nonet_session_state(playing->record.session), seat,
                  &seen);
    game->secret(playing_options(playing), &seen, seat, &text);
    terminal_format(playing->terminal, "%s, your %s: %s\n", who(playing, seat), game->secret_name,
                    secret);
}

/* Draws the board, and with it the secret of who is looking. */
void playing_show(struct playing *playing) {
    int seat = viewer(playing);
    if (seat < 0)
        return;
    playing->stale = false;
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    char *bytes = malloc(DRAW_TEXT_ROOM);
    if (scene == NULL || bytes == NULL) {
        terminal_say(playing->terminal, "(There is no memory left to draw the board.)\n");
    } else {
        nonet_scene_for(playing_options(playing), nonet_session_state(playing->record.session),
                        seat, scene);
        struct nonet_text text = nonet_text_in(bytes, DRAW_TEXT_ROOM);
        nonet_text_char(&text, '\n');
        draw_text(scene, &playing->style, &text);
        nonet_text_char(&text, '\n');
        terminal_say(playing->terminal, bytes);
    }
    free(bytes);
    free(scene);
    if (nonet_session_turn(playing->record.session) != 0)
        say_secret(playing, seat);
}

/* Up to three different legal moves as examples. */
void playing_add_examples(const struct playing *playing, struct nonet_text *out) {
    uint64_t count = nonet_session_count(playing->record.session);
    const uint64_t at[] = {0, count / 2, count - 1};
    const char *between = "";
    for (int i = 0; i < 3 && count > 0; i++) {
        if (i > 0 && at[i] == at[i - 1])
            continue;
        playing_move_text move;
        playing_print_nth(playing, at[i], move);
        nonet_text_format(out, "%s%s", between, move);
        between = i == 1 ? " or " : ", ";
    }
}

static void say_seats(struct playing *playing) {
    int people = count_people(playing);
    char bytes[512];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int seat = 1; seat <= playing_options(playing)->players; seat++) {
        nonet_text_format(&text, "%s%s: ", seat > 1 ? "; " : "", who(playing, seat));
        int level = playing->levels[seat - 1];
        if (level > 0)
            nonet_text_format(&text, "computer (level %d)", level);
        else if (level == PLAYING_RANDOM)
            nonet_text_add(&text, "computer (random)");
        else
            nonet_text_add(&text, people == 1 ? "you" : "a person");
    }
    terminal_format(playing->terminal, "%s.\n", bytes);
}

void playing_greet(struct playing *playing) {
    const struct nonet_options *options = playing_options(playing);
    const struct nonet_game *game = options->game;
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_text_format(&text, "%s%s%s, by %s. %s\n", bold(playing), game->title, plain(playing),
                      game->author, game->summary);
    bool any = false;
    for (int i = 0; game->options[i].key != NULL; i++)
        if (!game->options[i].chance && !game->options[i].secret &&
            options->value[i].text[0] != '\0') {
            nonet_text_format(&text, "%s%s=%s", any ? ", " : "Options: ", game->options[i].key,
                              options->value[i].text);
            any = true;
        }
    nonet_text_add(&text, any ? ".\n" : "");
    terminal_format(playing->terminal, "%s", bytes);
    say_seats(playing);
    if (count_people(playing) > 0 && nonet_session_turn(playing->record.session) != 0) {
        text = NONET_TEXT_IN(bytes);
        nonet_text_add(&text, "Type a move, such as ");
        playing_add_examples(playing, &text);
        nonet_text_format(&text, ", or help.%s\n",
                          terminal_has_screen(playing->terminal) ? " Tab completes moves." : "");
        terminal_format(playing->terminal, "%s", bytes);
    }
}

/* ---- Files ---- */

bool playing_save(struct playing *playing, const char *path, struct nonet_text *why) {
    if (!record_save(path, &playing->record, why))
        return false;
    playing->unsaved = false;
    return true;
}

void playing_warn(struct playing *playing, const char *path) {
    if (game_of(playing)->facts & NONET_HIDDEN_INFORMATION)
        terminal_format(playing->terminal,
                        "Mind: %s holds what is hidden, every player's %s. Who reads it knows.\n",
                        cli_printable(path), game_of(playing)->secret_name);
}

static void keep(struct playing *playing) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (playing->keep != NULL && playing->unsaved && !playing_save(playing, playing->keep, &why))
        terminal_format(playing->terminal, "The game could not be saved in %s: %s.\n",
                        cli_printable(playing->keep), reason);
}

/* ---- Moves ---- */

/* The position is another one: to be drawn, saved and thought about. */
void playing_changed(struct playing *playing) {
    playing->stale = playing->unsaved = true;
    playing->since = milliseconds_now();
}

/* Notes how long a move took; `index` is the move's number from 0. */
static void note_time(struct playing *playing, int index, int milliseconds) {
    if (playing->timed < 0)
        return;
    if (index >= playing->timed) {
        int room = index * 2 + 32;
        uint32_t *times =
            realloc(playing->record.times, (size_t)room * sizeof *playing->record.times);
        if (times == NULL) {
            free(playing->record.times);
            playing->record.times = NULL;
            playing->timed = -1;
            return;
        }
        playing->record.times = times;
        playing->timed = room;
    }
    playing->record.times[index] = milliseconds < 0 ? 0 : (uint32_t)milliseconds;
}

bool playing_play(struct playing *playing, nonet_move move, struct nonet_message *why) {
    int index = nonet_session_ply(playing->record.session);
    if (!nonet_session_play(playing->record.session, move, why))
        return false;
    note_time(playing, index, milliseconds_now() - playing->since);
    playing_changed(playing);
    return true;
}

static void stop_without_memory(struct playing *playing) {
    playing->leaving = true;
    playing->code = cli_fail(CLI_FAILED, "there is no memory left");
}

static bool go_on(void *context, const struct nonet_report *report, double seconds) {
    const struct playing *playing = context;
    (void)report, (void)seconds;
    return terminal_signal(playing->terminal) == 0;
}

const struct nonet_report *playing_think(struct playing *playing, int level) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool strongest = level == NONET_SEARCH_LEVELS;
    struct thinker_limits limits = {
        .threads = !strongest || processors < 1       ? 1
                   : processors > THINKER_MAX_THREADS ? THINKER_MAX_THREADS
                                                      : (int)processors,
        .seed = playing->seed,
        .searcher = level == PLAYING_RANDOM ? &nonet_search_random : NULL,
        .progress = go_on,
        .context = playing,
    };
    if (playing->thinker == NULL)
        playing->thinker = thinker_open(playing_options(playing));
    if (playing->thinker == NULL)
        return NULL;
    return thinker_think(playing->thinker, playing->record.session,
                         level > 0 ? level : NONET_SEARCH_LEVELS, &limits);
}

static void computer_turn(struct playing *playing, int seat) {
    const struct nonet_report *report = playing_think(playing, playing->levels[seat - 1]);
    if (report == NULL) {
        stop_without_memory(playing);
        return;
    }
    nonet_move move = report->moves[0].move;
    /* A game between computers is there to be watched. */
    if (count_people(playing) == 0 && terminal_has_screen(playing->terminal))
        terminal_wait(playing->terminal, 300);
    if (terminal_signal(playing->terminal) != 0)
        return;
    struct nonet_message why;
    if (!playing_play(playing, move, &why)) {
        stop_without_memory(playing);
        return;
    }
    playing_move_text text;
    playing_print(playing, move, text);
    terminal_format(playing->terminal, "%s%s plays %s.%s\n", bold(playing), who(playing, seat),
                    text, plain(playing));
}

/* ---- Turns ---- */

/* The next line from a person; null, and leaving, when there is none. */
static const char *ask(struct playing *playing, const char *prompt) {
    const char *line = terminal_read(playing->terminal, prompt);
    if (line == NULL)
        playing->leaving = playing->on_prompt = true;
    return line;
}

/* What all have seen happen since this seat decided last. */
static void say_moves_since(struct playing *playing, int seat) {
    int ply = nonet_session_ply(playing->record.session), first = ply, last_seat = 0;
    while (first > 0 && playing_seat_before(playing, first - 1) != seat)
        first--;
    if (first == ply)
        return;
    char bytes[900];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int i = first; i < ply; i++) {
        int mover = playing_seat_before(playing, i);
        playing_move_text move;
        playing_print(playing, nonet_session_move(playing->record.session, i), move);
        if (mover != last_seat)
            nonet_text_format(&text, "%s%s played %s", last_seat != 0 ? ". " : "",
                              who(playing, mover), move);
        else
            nonet_text_format(&text, ", %s", move);
        last_seat = mover;
    }
    terminal_format(playing->terminal, "%s.\n", bytes);
}

/* Gives the screen to another person, who alone may see what comes. */
static void hand_over(struct playing *playing, int seat) {
    /* The first time, there is a greeting to be read and nothing to be hidden. */
    if (playing->shown_to != 0)
        terminal_clear(playing->terminal);
    playing->shown_to = 0;
    say_moves_since(playing, seat);
    char prompt[RECORD_NAME + 64];
    snprintf(prompt, sizeof prompt, "%s, press Enter when only you are looking. ",
             who(playing, seat));
    if (ask(playing, prompt) == NULL)
        return;
    terminal_clear(playing->terminal);
    playing->shown_to = seat;
    playing->stale = true;
    playing->since = milliseconds_now();
}

static void person_turn(struct playing *playing, int seat) {
    char prompt[RECORD_NAME + 32];
    snprintf(prompt, sizeof prompt, "%s to move> ", who(playing, seat));
    const char *line = ask(playing, prompt);
    if (line != NULL && line[0] != '\0' && !playing_command(playing, line))
        playing_try(playing, line);
}

static void say_end(struct playing *playing) {
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    const struct nonet_game *game = game_of(playing);
    cli_say_result(playing->record.session, &text);
    for (int seat = 1; game->secret != NULL && seat <= playing_options(playing)->players; seat++) {
        char secret[64];
        struct nonet_text own = NONET_TEXT_IN(secret);
        game->secret(playing_options(playing), nonet_session_state(playing->record.session), seat,
                     &own);
        nonet_text_format(&text, "%s had this %s: %s\n", who(playing, seat), game->secret_name,
                          secret);
    }
    terminal_format(playing->terminal, "%s", bytes);
}

/* After the end: save, take back, or leave. */
static void finished(struct playing *playing, bool just_ended) {
    if (just_ended)
        say_end(playing);
    if (count_people(playing) == 0) {
        playing->leaving = true;
        return;
    }
    if (just_ended)
        terminal_say(playing->terminal,
                     "Type save FILE to keep this game, undo to take back, or Enter to leave.\n");
    const char *line = ask(playing, "Game over> ");
    if (line == NULL)
        return;
    if (line[0] == '\0')
        playing->leaving = true;
    else if (!playing_command(playing, line))
        terminal_say(playing->terminal, "The game is over. Type save FILE, undo, or quit.\n");
}

int playing_leave(struct playing *playing) {
    struct terminal *terminal = playing->terminal;
    thinker_close(playing->thinker);
    playing->thinker = NULL;
    if (playing->on_prompt)
        terminal_say(terminal, "\n");
    int number = terminal_signal(terminal), error = terminal_error(terminal);
    bool lost = playing->record.session != NULL && playing->unsaved &&
                nonet_session_turn(playing->record.session) != 0;
    terminal_format(terminal, "%sGoodbye.%s\n", number != 0 ? "Stopped. " : "",
                    lost ? " This game was not saved." : "");
    if (number != 0)
        return 128 + number;
    if (error == 0)
        error = terminal_error(terminal);
    if (error != 0)
        return cli_fail(CLI_FAILED, "cannot write the output: %s", strerror(error));
    return playing->code;
}

int playing_run(struct playing *playing) {
    playing_greet(playing);
    if (playing->keep != NULL)
        playing_warn(playing, playing->keep);
    playing->stale = true;
    playing->since = milliseconds_now();
    while (!playing->leaving && terminal_signal(playing->terminal) == 0 &&
           terminal_error(playing->terminal) == 0) {
        int turn = nonet_session_turn(playing->record.session);
        bool asks = turn == 0 || playing_is_person(playing, turn);
        if (asks)
            keep(playing);
        if (asks && turn != 0 && needs_hand_over(playing) && playing->shown_to != turn) {
            hand_over(playing, turn);
            continue;
        }
        bool news = playing->stale;
        if (news)
            playing_show(playing);
        if (turn == 0)
            finished(playing, news);
        else if (asks)
            person_turn(playing, turn);
        else
            computer_turn(playing, turn);
    }
    if (playing->keep != NULL && playing->unsaved) {
        char reason[RECORD_REASON];
        struct nonet_text why = NONET_TEXT_IN(reason);
        if (!playing_save(playing, playing->keep, &why))
            playing->code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(playing->keep), reason);
    }
    return playing_leave(playing);
}
