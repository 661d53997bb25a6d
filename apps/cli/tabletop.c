#include "tabletop.h"
#include "rules/hidden.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "host/clock.h"
#include "kept.h"
#include "progress.h"
#include "words.h"

const struct nonet_options *tabletop_options(const struct tabletop *tabletop) {
    return nonet_session_options(tabletop->record.session);
}

static const struct nonet_game *game_of(const struct tabletop *tabletop) {
    return tabletop_options(tabletop)->game;
}

bool tabletop_is_person(const struct tabletop *tabletop, int seat) {
    return tabletop->levels[seat - 1] == TABLETOP_PERSON;
}

int tabletop_count_people(const struct tabletop *tabletop) {
    int count = 0;
    for (int seat = 1; seat <= tabletop_options(tabletop)->players; seat++)
        count += tabletop_is_person(tabletop, seat);
    return count;
}

/* Whether people who may not see each other's side share this screen. */
bool tabletop_needs_hand_over(const struct tabletop *tabletop) {
    return game_of(tabletop)->hidden != NULL && tabletop_count_people(tabletop) > 1;
}

bool tabletop_read_level(const char *text, int *level) {
    uint64_t number;
    if (strncmp(text, "level-", 6) == 0)
        text += 6;
    if (!cli_number(text, NONET_SEARCH_LEVELS, &number) || number == 0)
        return false;
    *level = (int)number;
    return true;
}

void tabletop_write_kind(int level, char kind[RECORD_KIND]) {
    if (level > 0)
        snprintf(kind, RECORD_KIND, "level-%d", level);
    else
        snprintf(kind, RECORD_KIND, "%s", level == TABLETOP_PERSON ? "human" : "random");
}

bool tabletop_seat(struct tabletop *tabletop, int seat, const char *kind) {
    int level = tabletop->level;
    if (strcmp(kind, "human") == 0)
        level = TABLETOP_PERSON;
    else if (strcmp(kind, "random") == 0)
        level = TABLETOP_RANDOM;
    else if (strcmp(kind, "computer") != 0 && !tabletop_read_level(kind, &level))
        return false;
    tabletop->levels[seat - 1] = level;
    tabletop_write_kind(level, tabletop->record.seats[seat - 1].kind);
    return true;
}

bool tabletop_seat_record(struct tabletop *tabletop, struct nonet_text *why) {
    for (int seat = 1; seat <= tabletop_options(tabletop)->players; seat++) {
        char kind[RECORD_KIND];
        strcpy(kind, tabletop->record.seats[seat - 1].kind);
        if (kind[0] == '\0')
            strcpy(kind, seat == 1 ? "human" : "computer");
        if (!tabletop_seat(tabletop, seat, kind)) {
            cli_write(why, nonet_say(&cli_words[WORD_UNKNOWN_KIND], nonet_number(seat),
                                     nonet_quote(kind)));
            return false;
        }
    }
    return true;
}

void tabletop_replace(struct tabletop *tabletop, const struct record *record) {
    tabletop_forget_review(tabletop);
    record_close(&tabletop->record);
    thinker_close(tabletop->thinker);
    tabletop->thinker = NULL; /* it may be another game */
    tabletop->record = *record;
    int ply = nonet_session_ply(record->session);
    tabletop->timed = record->times != NULL || ply == 0 ? ply : -1;
    tabletop->shown_to = 0;
}

void tabletop_print(const struct tabletop *tabletop, nonet_move move, tabletop_move_text out) {
    struct nonet_text text = nonet_text_in(out, sizeof(tabletop_move_text));
    game_of(tabletop)->print(tabletop_options(tabletop), move, &text);
}

void tabletop_print_nth(const struct tabletop *tabletop, uint64_t index, tabletop_move_text out) {
    tabletop_print(tabletop, nonet_session_nth(tabletop->record.session, index), out);
}

/* A seat's name for the middle of a sentence. */
const char *tabletop_who(const struct tabletop *tabletop, int seat) {
    static char name[RECORD_NAME + 64];
    struct nonet_text text = NONET_TEXT_IN(name);
    const char *own = tabletop->record.seats[seat - 1].name;
    if (own[0] != '\0')
        cli_write(&text, nonet_say(&cli_words[WORD_NAMED], nonet_quote(own), nonet_number(seat)));
    else
        cli_write(&text, nonet_say(&cli_words[WORD_PLAYER], nonet_number(seat)));
    return name;
}

int tabletop_seat_before(const struct tabletop *tabletop, int index) {
    return game_of(tabletop)->turn(tabletop_options(tabletop),
                                   nonet_session_state_before(tabletop->record.session, index));
}

void tabletop_say(struct tabletop *tabletop, struct nonet_message message) {
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text, message);
    terminal_format(tabletop->terminal, "%s\n", bytes);
}

/* ---- What is on the screen ---- */

static const char *bold(const struct tabletop *tabletop) {
    return tabletop->style.colour ? "\033[1m" : "";
}

static const char *plain(const struct tabletop *tabletop) {
    return tabletop->style.colour ? "\033[0m" : "";
}

/* The seat that the board is drawn for, or -1: nobody may look now. */
int tabletop_viewer(const struct tabletop *tabletop) {
    int turn = nonet_session_turn(tabletop->record.session);
    if (tabletop_needs_hand_over(tabletop) && turn != 0)
        return turn == tabletop->shown_to ? turn : -1;
    for (int seat = 1; seat <= tabletop_options(tabletop)->players; seat++)
        if (tabletop_is_person(tabletop, seat))
            return seat;
    return NONET_SPECTATOR;
}

/* What the secrets of this game are called. */
static struct nonet_argument secret_name(const struct tabletop *tabletop) {
    const char *name = game_of(tabletop)->hidden->secret_name;
    char key[64];
    snprintf(key, sizeof key, "terminal.%s", name);
    return nonet_quote(cli_text_of(key, name));
}

void tabletop_say_secret(struct tabletop *tabletop, int seat) {
    const struct nonet_game *game = game_of(tabletop);
    if (game->hidden == NULL || seat <= 0)
        return;
    char secret[64];
    struct nonet_text text = NONET_TEXT_IN(secret);
    struct nonet_state seen;
    nonet_observe(tabletop_options(tabletop), nonet_session_state(tabletop->record.session), seat,
                  &seen);
    game->hidden->secret(tabletop_options(tabletop), &seen, seat, &text);
    tabletop_say(tabletop,
                 nonet_say(&cli_words[WORD_SECRET], nonet_quote(tabletop_who(tabletop, seat)),
                           secret_name(tabletop), nonet_quote(secret)));
}

void tabletop_draw(struct tabletop *tabletop, const void *state) {
    int seat = tabletop_viewer(tabletop);
    if (seat < 0)
        return;
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    char *bytes = malloc(DRAW_TEXT_ROOM);
    if (scene == NULL || bytes == NULL) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
    } else {
        nonet_scene_for(tabletop_options(tabletop), state, seat, scene);
        struct nonet_text text = nonet_text_in(bytes, DRAW_TEXT_ROOM);
        nonet_text_char(&text, '\n');
        draw_text(scene, &tabletop->style, &text);
        nonet_text_char(&text, '\n');
        terminal_say(tabletop->terminal, bytes);
    }
    free(bytes);
    free(scene);
}

void tabletop_show(struct tabletop *tabletop) {
    int seat = tabletop_viewer(tabletop);
    if (seat < 0)
        return;
    tabletop->stale = false;
    tabletop_draw(tabletop, nonet_session_state(tabletop->record.session));
    if (nonet_session_turn(tabletop->record.session) != 0)
        tabletop_say_secret(tabletop, seat);
}

/* Up to three different legal moves as examples. */
void tabletop_add_examples(const struct tabletop *tabletop, struct nonet_text *out) {
    uint64_t count = nonet_session_count(tabletop->record.session);
    const uint64_t at[] = {0, count / 2, count - 1};
    const char *between = "";
    for (int i = 0; i < 3 && count > 0; i++) {
        if (i > 0 && at[i] == at[i - 1])
            continue;
        tabletop_move_text move;
        tabletop_print_nth(tabletop, at[i], move);
        nonet_text_format(out, "%s%s", between, move);
        between = i == 1 ? cli_text_of("terminal.or", " or ") : ", ";
    }
}

void tabletop_write_seat(const struct tabletop *tabletop, int seat, struct nonet_text *out) {
    int level = tabletop->levels[seat - 1];
    nonet_text_add(out, tabletop_who(tabletop, seat));
    cli_write(out, nonet_say(&nonet_common[NONET_SAY_COLON]));
    if (level > 0)
        cli_write(out, nonet_say(&cli_words[WORD_COMPUTER], nonet_number(level)));
    else if (level == TABLETOP_RANDOM)
        cli_write(out, nonet_say(&cli_words[WORD_RANDOM]));
    else
        cli_write(
            out,
            nonet_say(&cli_words[tabletop_count_people(tabletop) == 1 ? WORD_YOU : WORD_PERSON]));
}

static void say_seats(struct tabletop *tabletop) {
    char bytes[512];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int seat = 1; seat <= tabletop_options(tabletop)->players; seat++) {
        if (seat > 1)
            cli_write(&text, nonet_say(&cli_words[WORD_SEMICOLON]));
        tabletop_write_seat(tabletop, seat, &text);
    }
    terminal_format(tabletop->terminal, "%s.\n", bytes);
}

void tabletop_greet(struct tabletop *tabletop) {
    const struct nonet_options *options = tabletop_options(tabletop);
    const struct nonet_game *game = options->game;
    char bytes[1024], key[64];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    snprintf(key, sizeof key, "%s.summary", game->id);
    nonet_text_add(&text, bold(tabletop));
    cli_write(&text,
              nonet_say(&cli_words[WORD_BY], nonet_quote(game->title), nonet_quote(game->author)));
    nonet_text_format(&text, "%s %s\n", plain(tabletop), cli_text_of(key, game->summary));
    bool any = false;
    for (int i = 0; game->options[i].key != NULL; i++)
        if (!game->options[i].chance && !game->options[i].secret && nonet_option_says(options, i)) {
            if (!any)
                cli_write(&text, nonet_say(&cli_words[WORD_OPTIONS]));
            nonet_text_format(&text, "%s %s=%s", any ? "," : "", game->options[i].key,
                              options->value[i].text);
            any = true;
        }
    nonet_text_add(&text, any ? ".\n" : "");
    terminal_format(tabletop->terminal, "%s", bytes);
    say_seats(tabletop);
    if (tabletop_count_people(tabletop) > 0 && nonet_session_turn(tabletop->record.session) != 0) {
        text = NONET_TEXT_IN(bytes);
        cli_write(&text, nonet_say(&cli_words[WORD_SUCH_AS]));
        tabletop_add_examples(tabletop, &text);
        cli_write(&text, nonet_say(&cli_words[WORD_OR_HELP]));
        nonet_text_char(&text, '\n');
        terminal_format(tabletop->terminal, "%s", bytes);
    }
}

/* ---- Files ---- */

bool tabletop_save(struct tabletop *tabletop, const char *path, struct nonet_text *why) {
    if (!record_save(path, &tabletop->record, why))
        return false;
    tabletop->unsaved = false;
    return true;
}

void tabletop_warn(struct tabletop *tabletop) {
    if (game_of(tabletop)->hidden != NULL)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_HIDDEN_FILE], secret_name(tabletop)));
}

void tabletop_keep(struct tabletop *tabletop) {
    char reason[RECORD_REASON], bytes[128];
    struct nonet_text why = NONET_TEXT_IN(reason), text = NONET_TEXT_IN(bytes);
    if (tabletop->keep == NULL || !tabletop->unsaved ||
        tabletop_save(tabletop, tabletop->keep, &why))
        return;
    cli_write(&text, nonet_say(&cli_words[WORD_NOT_KEPT]));
    terminal_format(tabletop->terminal, "%s %s: %s.\n", bytes, cli_printable(tabletop->keep),
                    reason);
}

void tabletop_keep_for_next_time(struct tabletop *tabletop) {
    static char path[TABLETOP_PATH];
    tabletop->resumes = tabletop->keep == NULL && kept_path(game_of(tabletop), path, sizeof path);
    if (tabletop->resumes)
        tabletop->keep = path;
}

/* ---- Moves ---- */

/* Notes that the position has changed: it must be drawn, saved and thought about. */
void tabletop_changed(struct tabletop *tabletop) {
    tabletop->stale = tabletop->unsaved = true;
    tabletop->since = clock_now();
}

/* Notes how long a move took; `index` is the move's number from 0. */
static void note_time(struct tabletop *tabletop, int index, double seconds) {
    if (tabletop->timed < 0)
        return;
    if (index >= tabletop->timed) {
        int room = index * 2 + 32;
        uint32_t *times =
            realloc(tabletop->record.times, (size_t)room * sizeof *tabletop->record.times);
        if (times == NULL) {
            free(tabletop->record.times);
            tabletop->record.times = NULL;
            tabletop->timed = -1;
            return;
        }
        tabletop->record.times = times;
        tabletop->timed = room;
    }
    tabletop->record.times[index] =
        seconds * 1000 < INT32_MAX ? (uint32_t)(seconds * 1000) : (uint32_t)INT32_MAX;
}

bool tabletop_play(struct tabletop *tabletop, nonet_move move, struct nonet_message *why) {
    int index = nonet_session_ply(tabletop->record.session);
    if (!nonet_session_play(tabletop->record.session, move, why))
        return false;
    note_time(tabletop, index, clock_now() - tabletop->since);
    tabletop_changed(tabletop);
    return true;
}

/* What the index-th move did, in words, as far as this seat may know. */
static void say_events(struct tabletop *tabletop, int index, int seat) {
    struct nonet_events events;
    nonet_session_events(tabletop->record.session, index, seat, &events);
    for (int i = 0; i < events.count; i++) {
        char words[256];
        struct nonet_text text = NONET_TEXT_IN(words);
        nonet_message_write(&events.list[i].says, host_language, &text);
        words[0] = (char)toupper((unsigned char)words[0]);
        terminal_format(tabletop->terminal, "%s.\n", words);
    }
}

void tabletop_say_last_events(struct tabletop *tabletop) {
    int seat = tabletop_viewer(tabletop);
    say_events(tabletop, nonet_session_ply(tabletop->record.session) - 1,
               seat > 0 ? seat : NONET_SPECTATOR);
}

static void stop_without_memory(struct tabletop *tabletop) {
    tabletop->leaving = true;
    tabletop->code = cli_fail(CLI_FAILED, "there is no memory left");
}

static bool go_on(void *context, const struct nonet_report *report, double seconds) {
    const struct tabletop *tabletop = context;
    return terminal_signal(tabletop->terminal) == 0 &&
           (tabletop->watch == NULL || tabletop->watch(tabletop->watcher, report, seconds));
}

const struct nonet_report *tabletop_think(struct tabletop *tabletop, int level,
                                          enum tabletop_purpose purpose) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool strongest = level == NONET_SEARCH_LEVELS;
    struct thinker_limits limits = {
        .threads = !strongest || processors < 1       ? 1
                   : processors > THINKER_MAX_THREADS ? THINKER_MAX_THREADS
                                                      : (int)processors,
        .seed = tabletop->seed,
        .searcher = level == TABLETOP_RANDOM ? &nonet_search_random : NULL,
        .seconds = tabletop->seconds,
        .book = purpose == TABLETOP_TO_PLAY,
        .whole_line = purpose == TABLETOP_TO_ANALYSE,
        .progress = go_on,
        .context = tabletop,
    };
    if (tabletop->thinker == NULL)
        tabletop->thinker = thinker_open(tabletop_options(tabletop));
    if (tabletop->thinker == NULL)
        return NULL;
    level = level > 0 ? level : NONET_SEARCH_LEVELS;
    const char *note = NULL;
    if (limits.searcher == NULL && tabletop->waiting != NULL) {
        thinker_watch(tabletop->thinker, tabletop->waiting, tabletop->watcher);
        note = thinker_prepare(tabletop->thinker, level);
    } else if (limits.searcher == NULL) {
        note = cli_prepare(tabletop->thinker, level);
    }
    if (note != NULL) {
        terminal_format(tabletop->terminal, "%s\n", note);
    }
    return thinker_think(tabletop->thinker, tabletop->record.session, level, &limits);
}

void tabletop_computer_turn(struct tabletop *tabletop, int seat) {
    const struct nonet_report *report =
        tabletop_think(tabletop, tabletop->levels[seat - 1], TABLETOP_TO_PLAY);
    if (report == NULL) {
        stop_without_memory(tabletop);
        return;
    }
    nonet_move move = report->moves[0].move;
    /* People want to watch a game between computers. */
    if (tabletop_count_people(tabletop) == 0 && terminal_has_screen(tabletop->terminal))
        terminal_wait(tabletop->terminal, 300);
    if (terminal_signal(tabletop->terminal) != 0)
        return;
    struct nonet_message why;
    if (!tabletop_play(tabletop, move, &why)) {
        stop_without_memory(tabletop);
        return;
    }
    tabletop_move_text text;
    tabletop_print(tabletop, move, text);
    char bytes[256];
    struct nonet_text words = NONET_TEXT_IN(bytes);
    cli_write(&words, nonet_say(&cli_words[WORD_PLAYS], nonet_quote(tabletop_who(tabletop, seat)),
                                nonet_quote(text)));
    terminal_format(tabletop->terminal, "%s%s%s\n", bold(tabletop), bytes, plain(tabletop));
    tabletop_say_last_events(tabletop);
}

/* ---- Turns ---- */

/* The next line from a person. When there is none, null, and the game is left. */
static const char *ask(struct tabletop *tabletop, const char *prompt) {
    const char *line = terminal_read(tabletop->terminal, prompt);
    if (line == NULL)
        tabletop->leaving = tabletop->on_prompt = true;
    return line;
}

/* The public moves since this seat's last decision. */
void tabletop_say_moves_since(struct tabletop *tabletop, int seat) {
    int ply = nonet_session_ply(tabletop->record.session), first = ply, last_seat = 0;
    while (first > 0 && tabletop_seat_before(tabletop, first - 1) != seat)
        first--;
    if (first == ply)
        return;
    char bytes[900];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int i = first; i < ply; i++) {
        int mover = tabletop_seat_before(tabletop, i);
        tabletop_move_text move;
        tabletop_print(tabletop, nonet_session_move(tabletop->record.session, i), move);
        if (mover != last_seat) {
            nonet_text_add(&text, last_seat != 0 ? ". " : "");
            cli_write(&text, nonet_say(&cli_words[WORD_PLAYED_LAST],
                                       nonet_quote(tabletop_who(tabletop, mover))));
            nonet_text_format(&text, " %s", move);
        } else
            nonet_text_format(&text, ", %s", move);
        last_seat = mover;
    }
    terminal_format(tabletop->terminal, "%s.\n", bytes);
    for (int i = first; i < ply; i++)
        say_events(tabletop, i, NONET_SPECTATOR);
}

/* Gives the screen to another person, who alone may see what is shown next. */
static void hand_over(struct tabletop *tabletop, int seat) {
    /* The first time, there is a greeting to read and nothing to hide. */
    if (tabletop->shown_to != 0)
        terminal_clear(tabletop->terminal);
    tabletop->shown_to = 0;
    tabletop_say_moves_since(tabletop, seat);
    char prompt[RECORD_NAME + 128];
    struct nonet_text text = NONET_TEXT_IN(prompt);
    cli_write(&text,
              nonet_say(&cli_words[WORD_HAND_OVER], nonet_quote(tabletop_who(tabletop, seat))));
    nonet_text_char(&text, ' ');
    if (ask(tabletop, prompt) == NULL)
        return;
    terminal_clear(tabletop->terminal);
    tabletop->shown_to = seat;
    tabletop->stale = true;
    tabletop->since = clock_now();
}

static void person_turn(struct tabletop *tabletop, int seat, bool news) {
    if (news && tabletop->analysing)
        tabletop_say_analysis(tabletop);
    char prompt[RECORD_NAME + 128];
    struct nonet_text text = NONET_TEXT_IN(prompt);
    cli_write(&text,
              nonet_say(&cli_words[WORD_TO_MOVE], nonet_quote(tabletop_who(tabletop, seat))));
    nonet_text_add(&text, "> ");
    const char *line = ask(tabletop, prompt);
    if (line != NULL && line[0] != '\0' && !tabletop_command(tabletop, line))
        tabletop_try(tabletop, line);
}

void tabletop_say_end(struct tabletop *tabletop) {
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    const struct nonet_game *game = game_of(tabletop);
    cli_say_result(tabletop->record.session, &text);
    for (int seat = 1; game->hidden != NULL && seat <= tabletop_options(tabletop)->players;
         seat++) {
        char secret[64];
        struct nonet_text own = NONET_TEXT_IN(secret);
        game->hidden->secret(tabletop_options(tabletop),
                             nonet_session_state(tabletop->record.session), seat, &own);
        cli_write(&text,
                  nonet_say(&cli_words[WORD_HAD_SECRET], nonet_quote(tabletop_who(tabletop, seat)),
                            secret_name(tabletop), nonet_quote(secret)));
        nonet_text_char(&text, '\n');
    }
    terminal_format(tabletop->terminal, "%s", bytes);
}

/* After the end: save, take back, or leave. */
static void finished(struct tabletop *tabletop, bool just_ended) {
    if (just_ended)
        tabletop_say_end(tabletop);
    if (tabletop_count_people(tabletop) == 0) {
        tabletop->leaving = true;
        return;
    }
    if (just_ended)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_AT_END]));
    char prompt[64];
    struct nonet_text text = NONET_TEXT_IN(prompt);
    cli_write(&text, nonet_say(&cli_words[WORD_PROMPT_OVER]));
    const char *line = ask(tabletop, prompt);
    if (line == NULL)
        return;
    if (line[0] == '\0')
        tabletop->leaving = true;
    else if (!tabletop_command(tabletop, line))
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_AFTER_END]));
}

int tabletop_leave(struct tabletop *tabletop) {
    struct terminal *terminal = tabletop->terminal;
    thinker_close(tabletop->thinker);
    tabletop->thinker = NULL;
    tabletop_forget_review(tabletop);
    if (tabletop->on_prompt)
        terminal_say(terminal, "\n");
    int number = terminal_signal(terminal), error = terminal_error(terminal);
    bool lost = tabletop->record.session != NULL && tabletop->unsaved &&
                nonet_session_turn(tabletop->record.session) != 0;
    char bytes[256];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (number != 0)
        cli_write(&text, nonet_say(&cli_words[WORD_STOPPED]));
    nonet_text_add(&text, number != 0 ? " " : "");
    cli_write(&text, nonet_say(&cli_words[WORD_GOODBYE]));
    nonet_text_char(&text, ' ');
    if (lost)
        cli_write(&text, nonet_say(&cli_words[WORD_NOT_SAVED]));
    else if (tabletop->resumes && nonet_session_turn(tabletop->record.session) != 0 &&
             nonet_session_ply(tabletop->record.session) > 0)
        cli_write(&text, nonet_say(&cli_words[WORD_KEPT], nonet_quote(game_of(tabletop)->id)));
    while (text.length > 0 && bytes[text.length - 1] == ' ')
        bytes[--text.length] = '\0';
    terminal_format(terminal, "%s\n", bytes);
    if (number != 0)
        return 128 + number;
    if (error == 0)
        error = terminal_error(terminal);
    if (error != 0)
        return cli_fail_output(error);
    return tabletop->code;
}

int tabletop_run(struct tabletop *tabletop) {
    tabletop_greet(tabletop);
    if (tabletop->keep != NULL && !tabletop->resumes)
        tabletop_warn(tabletop);
    tabletop->stale = true;
    tabletop->since = clock_now();
    while (!tabletop->leaving && terminal_signal(tabletop->terminal) == 0 &&
           terminal_error(tabletop->terminal) == 0) {
        int turn = nonet_session_turn(tabletop->record.session);
        bool asks = turn == 0 || tabletop_is_person(tabletop, turn);
        if (asks)
            tabletop_keep(tabletop);
        if (asks && turn != 0 && tabletop_needs_hand_over(tabletop) && tabletop->shown_to != turn) {
            hand_over(tabletop, turn);
            continue;
        }
        bool news = tabletop->stale;
        if (news)
            tabletop_show(tabletop);
        if (turn == 0)
            finished(tabletop, news);
        else if (asks)
            person_turn(tabletop, turn, news);
        else
            tabletop_computer_turn(tabletop, turn);
    }
    if (tabletop->keep != NULL && tabletop->unsaved) {
        char reason[RECORD_REASON];
        struct nonet_text why = NONET_TEXT_IN(reason);
        if (!tabletop_save(tabletop, tabletop->keep, &why))
            tabletop->code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(tabletop->keep), reason);
    }
    return tabletop_leave(tabletop);
}
