#include "playing.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

typedef char move_text[NONET_MOVE_TEXT];

static const struct {
    const char *kind;
    const struct nonet_searcher *searcher; /* null for a person */
} kinds[] = {
    {"human", NULL},
    {"random", &nonet_search_random},
    {"computer", &nonet_search_random},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
const char playing_kinds[] = "human, random or computer";

static const struct nonet_options *options_of(const struct playing *playing) {
    return nonet_session_options(playing->record.session);
}

static const struct nonet_game *game_of(const struct playing *playing) {
    return options_of(playing)->game;
}

static bool is_person(const struct playing *playing, int seat) {
    return playing->players[seat - 1] == NULL;
}

static int count_people(const struct playing *playing) {
    int count = 0;
    for (int seat = 1; seat <= options_of(playing)->players; seat++)
        count += is_person(playing, seat);
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

bool playing_seat(struct playing *playing, int seat, const char *kind) {
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].kind, kind) != 0)
            continue;
        playing->players[seat - 1] = kinds[i].searcher;
        struct nonet_text text = NONET_TEXT_IN(playing->record.seats[seat - 1].kind);
        nonet_text_add(&text, kinds[i].searcher != NULL ? kinds[i].searcher->name : kind);
        return true;
    }
    return false;
}

bool playing_seat_record(struct playing *playing, struct nonet_text *why) {
    for (int seat = 1; seat <= options_of(playing)->players; seat++) {
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

static void print_move(const struct playing *playing, nonet_move move, move_text out) {
    struct nonet_text text = nonet_text_in(out, sizeof(move_text));
    game_of(playing)->print(options_of(playing), move, &text);
}

static void print_nth(const struct playing *playing, uint64_t index, move_text out) {
    print_move(playing, nonet_session_nth(playing->record.session, index), out);
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

static int seat_before(const struct playing *playing, int index) {
    return game_of(playing)->turn(options_of(playing),
                                  nonet_session_state_before(playing->record.session, index));
}

/* ---- What is on the screen ---- */

/* Whose eyes the board is drawn for, or -1: nobody may look now. */
static int viewer(const struct playing *playing) {
    int turn = nonet_session_turn(playing->record.session);
    if (needs_hand_over(playing) && turn != 0)
        return turn == playing->shown_to ? turn : -1;
    for (int seat = 1; seat <= options_of(playing)->players; seat++)
        if (is_person(playing, seat))
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
    nonet_observe(options_of(playing), nonet_session_state(playing->record.session), seat, &seen);
    game->secret(options_of(playing), &seen, seat, &text);
    terminal_format(playing->terminal, "%s, your %s: %s\n", who(playing, seat), game->secret_name,
                    secret);
}

/* Draws the board, and with it the secret of who is looking. */
static void show(struct playing *playing) {
    int seat = viewer(playing);
    if (seat < 0)
        return;
    playing->stale = false;
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    char *bytes = malloc(DRAW_TEXT_ROOM);
    if (scene == NULL || bytes == NULL) {
        terminal_say(playing->terminal, "(There is no memory left to draw the board.)\n");
    } else {
        nonet_scene_for(options_of(playing), nonet_session_state(playing->record.session), seat,
                        scene);
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
static void add_examples(const struct playing *playing, struct nonet_text *out) {
    uint64_t count = nonet_session_count(playing->record.session);
    const uint64_t at[] = {0, count / 2, count - 1};
    const char *between = "";
    for (int i = 0; i < 3 && count > 0; i++) {
        if (i > 0 && at[i] == at[i - 1])
            continue;
        move_text move;
        print_nth(playing, at[i], move);
        nonet_text_format(out, "%s%s", between, move);
        between = i == 1 ? " or " : ", ";
    }
}

static void say_seats(struct playing *playing) {
    int people = count_people(playing);
    char bytes[512];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int seat = 1; seat <= options_of(playing)->players; seat++) {
        nonet_text_format(&text, "%s%s: ", seat > 1 ? "; " : "", who(playing, seat));
        if (!is_person(playing, seat))
            nonet_text_format(&text, "computer, %s", playing->players[seat - 1]->name);
        else
            nonet_text_add(&text, people == 1 ? "you" : "a person");
    }
    terminal_format(playing->terminal, "%s.\n", bytes);
}

static void greet(struct playing *playing) {
    const struct nonet_options *options = options_of(playing);
    const struct nonet_game *game = options->game;
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    const char *bold = playing->style.colour ? "\033[1m" : "";
    const char *plain = playing->style.colour ? "\033[0m" : "";
    nonet_text_format(&text, "\n%s%s%s, by %s. %s\n", bold, game->title, plain, game->author,
                      game->summary);
    bool any = false;
    for (int i = 0; game->options[i].key != NULL; i++)
        if (!game->options[i].chance && !game->options[i].secret &&
            options->value[i].text[0] != '\0') {
            nonet_text_format(&text, "%s%s=%s", any ? ", " : "Options: ", game->options[i].key,
                              options->value[i].text);
            any = true;
        }
    nonet_text_add(&text, any ? ".\n" : "");
    terminal_say(playing->terminal, bytes);
    say_seats(playing);
    if (count_people(playing) > 0 && nonet_session_turn(playing->record.session) != 0) {
        text = NONET_TEXT_IN(bytes);
        nonet_text_add(&text, "Type a move, such as ");
        add_examples(playing, &text);
        nonet_text_format(&text, ", or help.%s\n",
                          terminal_has_screen(playing->terminal) ? " Tab completes moves." : "");
        terminal_say(playing->terminal, bytes);
    }
}

/* ---- Files ---- */

static bool save(struct playing *playing, const char *path, struct nonet_text *why) {
    if (!record_save(path, &playing->record, why))
        return false;
    playing->unsaved = false;
    return true;
}

static void warn_of_secrets(struct playing *playing, const char *path) {
    if (game_of(playing)->facts & NONET_HIDDEN_INFORMATION)
        terminal_format(playing->terminal,
                        "Mind: %s holds what is hidden, every player's %s. Who reads it knows.\n",
                        cli_printable(path), game_of(playing)->secret_name);
}

static void keep(struct playing *playing) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (playing->keep != NULL && playing->unsaved && !save(playing, playing->keep, &why))
        terminal_format(playing->terminal, "The game could not be saved in %s: %s.\n",
                        cli_printable(playing->keep), reason);
}

/* ---- Moves ---- */

/* The position is another one: to be drawn, saved and thought about. */
static void changed(struct playing *playing) {
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

static bool play(struct playing *playing, nonet_move move, struct nonet_message *why) {
    int index = nonet_session_ply(playing->record.session);
    if (!nonet_session_play(playing->record.session, move, why))
        return false;
    note_time(playing, index, milliseconds_now() - playing->since);
    changed(playing);
    return true;
}

static void stop_without_memory(struct playing *playing) {
    playing->leaving = true;
    playing->code = cli_fail(CLI_FAILED, "there is no memory left");
}

static void computer_turn(struct playing *playing, int seat) {
    enum { SLICE = 10000 };
    const struct nonet_searcher *searcher = playing->players[seat - 1];
    struct nonet_search_task task;
    if (!nonet_search_task_open(&task, playing->record.session, seat)) {
        stop_without_memory(playing);
        return;
    }
    task.seed = playing->seed;
    void *search = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(&task));
    if (search == NULL) {
        nonet_search_task_close(&task);
        stop_without_memory(playing);
        return;
    }
    searcher->begin(search, &task);
    while (!searcher->advance(search, SLICE) && terminal_signal(playing->terminal) == 0)
        continue;
    nonet_move move = searcher->best(search);
    free(search);
    nonet_search_task_close(&task);
    /* A game between computers is there to be watched. */
    if (count_people(playing) == 0 && terminal_has_screen(playing->terminal))
        terminal_wait(playing->terminal, 300);
    if (terminal_signal(playing->terminal) != 0)
        return;
    struct nonet_message why;
    if (!play(playing, move, &why)) {
        stop_without_memory(playing);
        return;
    }
    move_text text;
    print_move(playing, move, text);
    terminal_format(playing->terminal, "%s plays %s.\n", who(playing, seat), text);
}

/* Whether a person may play the move; judged by what this person may know, so that no reason can
 * tell more. */
static bool is_legal(const struct playing *playing, nonet_move move, struct nonet_message *why) {
    const struct nonet_session *session = playing->record.session;
    int turn = nonet_session_turn(session);
    if (turn == 0)
        return nonet_session_legal(session, move, why);
    struct nonet_state seen;
    nonet_observe(options_of(playing), nonet_session_state(session), turn, &seen);
    return game_of(playing)->why(options_of(playing), &seen, move, why);
}

/* ---- Help for what was nearly right ---- */

/* Drops what people write between the parts of a move, and case. */
static void simplify(const char *text, char *out, size_t room) {
    struct nonet_text simple = nonet_text_in(out, room);
    for (; *text != '\0'; text++)
        if (!isspace((unsigned char)*text) && *text != '-' && *text != '>')
            nonet_text_char(&simple, (char)tolower((unsigned char)*text));
}

static bool hint_listed(struct playing *playing, const char *simple) {
    uint64_t count = nonet_session_count(playing->record.session), begin = 0;
    move_text move, first = "", same = "";
    for (uint64_t i = 0; i < count; i++) {
        char other[NONET_MOVE_TEXT];
        print_nth(playing, i, move);
        simplify(move, other, sizeof other);
        if (strcmp(other, simple) == 0)
            memcpy(same, move, sizeof same);
        if (strncmp(other, simple, strlen(simple)) == 0 && begin++ == 0)
            memcpy(first, move, sizeof first);
    }
    if (same[0] != '\0')
        terminal_format(playing->terminal, "Did you mean %s?\n", same);
    else if (begin == 1)
        terminal_format(playing->terminal, "Did you mean %s?\n", first);
    else if (begin > 1)
        terminal_format(playing->terminal,
                        "%d legal moves begin so, %s for one; moves %s lists them.\n", (int)begin,
                        first, simple);
    return begin > 0;
}

static bool hint_wide(struct playing *playing, const char *simple) {
    const struct nonet_options *options = options_of(playing);
    const struct nonet_session *session = playing->record.session;
    struct nonet_message why;
    nonet_move wish, found;
    if (!options->game->parse(options, simple, &wish, &why))
        return false;
    move_text move;
    if (nonet_session_legal(session, wish, &why)) {
        print_move(playing, wish, move);
        terminal_format(playing->terminal, "Did you mean %s?\n", move);
    } else if (options->game->wide->nearest(options, nonet_session_state(session),
                                            nonet_session_workspace(session), wish, &found)) {
        print_move(playing, found, move);
        terminal_format(playing->terminal, "The nearest place where it fits: %s\n", move);
    } else {
        terminal_say(playing->terminal, "Turned like this, it fits nowhere.\n");
    }
    return true;
}

static void hint(struct playing *playing, const char *typed) {
    char simple[NONET_MOVE_TEXT];
    simplify(typed, simple, sizeof simple);
    bool given = false;
    if (simple[0] != '\0' && nonet_session_turn(playing->record.session) != 0)
        given = game_of(playing)->wide != NULL ? hint_wide(playing, simple)
                                               : hint_listed(playing, simple);
    if (!given)
        terminal_say(playing->terminal, "Type moves to see the legal ones, help for more.\n");
}

/* ---- Commands ---- */

static void command_help(struct playing *playing, const char *argument);

static void list_wide(struct playing *playing, uint64_t count) {
    char bytes[512];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_text_format(&text, "%llu legal moves, such as ", (unsigned long long)count);
    add_examples(playing, &text);
    nonet_text_add(&text, ".\n");
    terminal_say(playing->terminal, bytes);
}

/* Counts moves by what stands before the @, where there are too many to read. */
static void list_stems(struct playing *playing, uint64_t count, struct nonet_text *out) {
    enum { MOST = 32 };
    move_text stems[MOST];
    int moves_with[MOST], found = 0;
    for (uint64_t i = 0; i < count; i++) {
        move_text move;
        print_nth(playing, i, move);
        move[strcspn(move, "@")] = '\0';
        int at = 0;
        while (at < found && strcmp(stems[at], move) != 0)
            at++;
        if (at == MOST)
            continue;
        if (at == found) {
            memcpy(stems[found], move, sizeof move);
            moves_with[found++] = 0;
        }
        moves_with[at]++;
    }
    nonet_text_format(out, "%d legal moves:\n", (int)count);
    for (int i = 0; i < found; i++)
        nonet_text_format(out, "  %s@...  %d place%s\n", stems[i], moves_with[i],
                          moves_with[i] == 1 ? "" : "s");
    nonet_text_format(out, "moves %s lists the places for that piece.\n", stems[0]);
}

static void command_moves(struct playing *playing, const char *start) {
    enum { EASY = 120, WIDTH = 76 };
    uint64_t count = nonet_session_count(playing->record.session);
    if (count == 0) {
        terminal_say(playing->terminal, "There are no moves: the game is over.\n");
        return;
    }
    if (game_of(playing)->wide != NULL) {
        list_wide(playing, count);
        return;
    }
    size_t room = (size_t)count * (NONET_MOVE_TEXT + 4) + 4096;
    char *bytes = malloc(room);
    if (bytes == NULL) {
        terminal_say(playing->terminal, "There is no memory left to list them.\n");
        return;
    }
    struct nonet_text text = nonet_text_in(bytes, room);
    move_text move;
    print_nth(playing, 0, move);
    if (start[0] == '\0' && count > EASY && strchr(move, '@') != NULL) {
        list_stems(playing, count, &text);
    } else {
        int column = 0;
        for (uint64_t i = 0; i < count; i++) {
            print_nth(playing, i, move);
            if (strncasecmp(move, start, strlen(start)) != 0)
                continue;
            if (column + (int)strlen(move) > WIDTH) {
                nonet_text_char(&text, '\n');
                column = 0;
            }
            nonet_text_format(&text, "%s%s", column > 0 ? "  " : "", move);
            column += (int)strlen(move) + 2;
        }
        if (column == 0)
            nonet_text_format(&text, "No legal move begins with %s.", nonet_quote(start).text);
        nonet_text_char(&text, '\n');
    }
    terminal_say(playing->terminal, bytes);
    free(bytes);
}

static void say_reason(struct playing *playing, const char *prefix,
                       const struct nonet_message *why) {
    char reason[512];
    struct nonet_text text = NONET_TEXT_IN(reason);
    nonet_message_write(why, NULL, &text);
    terminal_format(playing->terminal, "%s%s.\n", prefix, reason);
}

static void command_why(struct playing *playing, const char *typed) {
    const struct nonet_options *options = options_of(playing);
    if (typed[0] == '\0') {
        terminal_say(playing->terminal, "Why what? Type why and a move.\n");
        return;
    }
    struct nonet_message why;
    nonet_move move;
    if (!options->game->parse(options, typed, &move, &why)) {
        say_reason(playing, "That is no move: ", &why);
        hint(playing, typed);
    } else if (is_legal(playing, move, &why)) {
        terminal_format(playing->terminal, "%s is legal.\n", nonet_quote(typed).text);
    } else {
        char prefix[NONET_ARGUMENT_TEXT + 32];
        snprintf(prefix, sizeof prefix, "%s is not legal: ", nonet_quote(typed).text);
        say_reason(playing, prefix, &why);
    }
}

/* Back to the last decision of a person; what computers answered is taken back with it. */
static void command_undo(struct playing *playing, const char *argument) {
    (void)argument;
    struct nonet_session *session = playing->record.session;
    int index = nonet_session_ply(session) - 1;
    while (index >= 0 && !is_person(playing, seat_before(playing, index)))
        index--;
    if (index < 0) {
        terminal_say(playing->terminal, "There is nothing of yours to take back.\n");
        return;
    }
    int taken = nonet_session_ply(session) - index;
    while (nonet_session_ply(session) > index)
        nonet_session_undo(session);
    changed(playing);
    terminal_format(playing->terminal, "Took back %d move%s.\n", taken, taken == 1 ? "" : "s");
}

static void command_redo(struct playing *playing, const char *argument) {
    (void)argument;
    struct nonet_session *session = playing->record.session;
    int played = 0;
    while (nonet_session_redo(session)) {
        played++;
        int turn = nonet_session_turn(session);
        if (turn != 0 && is_person(playing, turn))
            break;
    }
    if (played == 0) {
        terminal_say(playing->terminal, "There is nothing to play again.\n");
        return;
    }
    changed(playing);
    terminal_format(playing->terminal, "Played %d move%s again.\n", played, played == 1 ? "" : "s");
}

static void remember_path(struct playing *playing, const char *path) {
    struct nonet_text text = NONET_TEXT_IN(playing->path);
    nonet_text_add(&text, path);
}

static void command_save(struct playing *playing, const char *argument) {
    const char *path = argument[0] != '\0' ? argument : playing->path;
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (path[0] == '\0') {
        terminal_say(playing->terminal, "Save where? Type save and a file name.\n");
    } else if (!save(playing, path, &why)) {
        terminal_format(playing->terminal, "%s: %s.\n", cli_printable(path), reason);
    } else {
        terminal_format(playing->terminal, "Saved in %s.\n", cli_printable(path));
        warn_of_secrets(playing, path);
        if (path != playing->path)
            remember_path(playing, path);
    }
}

static void command_load(struct playing *playing, const char *path) {
    if (path[0] == '\0') {
        terminal_say(playing->terminal, "Load what? Type load and a file name.\n");
        return;
    }
    struct playing loaded = *playing;
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    /* The standard input is where this line came from. */
    if (strcmp(path, "-") == 0) {
        terminal_say(playing->terminal, "Load a file, by its name.\n");
        return;
    }
    if (!record_read_file(path, &loaded.record, &why)) {
        terminal_format(playing->terminal, "%s: %s.\n", cli_printable(path), reason);
        return;
    }
    if (!playing_seat_record(&loaded, &why)) {
        record_close(&loaded.record);
        terminal_format(playing->terminal, "%s: %s.\n", cli_printable(path), reason);
        return;
    }
    record_close(&playing->record);
    *playing = loaded;
    int ply = nonet_session_ply(playing->record.session);
    playing->timed = playing->record.times != NULL || ply == 0 ? ply : -1;
    changed(playing);
    playing->unsaved = false;
    playing->shown_to = 0;
    remember_path(playing, path);
    greet(playing);
}

static void command_draw(struct playing *playing, const char *argument) {
    (void)argument;
    show(playing);
}

static void command_rules(struct playing *playing, const char *argument) {
    (void)argument;
    const struct nonet_game *game = game_of(playing);
    terminal_format(playing->terminal, "%s\nThe rules: nonet rules %s\n", game->summary, game->id);
}

static void command_quit(struct playing *playing, const char *argument) {
    (void)argument;
    playing->leaving = true;
}

static const struct {
    const char *name, *argument, *help;
    void (*run)(struct playing *playing, const char *argument);
} commands[] = {
    {"help", "", "this list", command_help},
    {"moves", " [START]", "the legal moves, or those that begin so", command_moves},
    {"why", " MOVE", "whether a move is legal, and if not, why", command_why},
    {"undo", "", "back to your last decision", command_undo},
    {"redo", "", "play again what was taken back", command_redo},
    {"draw", "", "draw the board again", command_draw},
    {"rules", "", "where the rules are", command_rules},
    {"save", " FILE", "save the game", command_save},
    {"load", " FILE", "go on with a saved game", command_load},
    {"quit", "", "leave; so does Ctrl-D", command_quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void command_help(struct playing *playing, const char *argument) {
    (void)argument;
    char bytes[2048];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (nonet_session_turn(playing->record.session) != 0) {
        nonet_text_add(&text, "Type a move, such as ");
        add_examples(playing, &text);
        nonet_text_add(&text, ", or a command:\n");
    }
    for (int i = 0; i < COMMANDS; i++) {
        char usage[32];
        snprintf(usage, sizeof usage, "%s%s", commands[i].name, commands[i].argument);
        nonet_text_format(&text, "  %-14s %s\n", usage, commands[i].help);
    }
    terminal_say(playing->terminal, bytes);
}

/* Runs the command that the line begins with, if it does. */
static bool run_command(struct playing *playing, const char *line) {
    size_t length = strcspn(line, " \t");
    for (int i = 0; i < COMMANDS; i++) {
        if (strlen(commands[i].name) != length || strncasecmp(commands[i].name, line, length) != 0)
            continue;
        const char *argument = line + length + strspn(line + length, " \t");
        commands[i].run(playing, argument);
        return true;
    }
    return false;
}

/* A command that the line begins to name, or names but for one wrong letter or two swapped ones. */
static const char *likely_command(const char *line) {
    char typed[16];
    struct nonet_text text = NONET_TEXT_IN(typed);
    for (size_t i = 0; i < strcspn(line, " \t"); i++)
        nonet_text_char(&text, (char)tolower((unsigned char)line[i]));
    for (int i = 0; i < COMMANDS && text.length >= 2; i++) {
        const char *name = commands[i].name;
        size_t whole = strlen(name), longer = whole > text.length ? whole : text.length;
        size_t same = 0, tail = 0;
        while (same < text.length && typed[same] == name[same])
            same++;
        while (tail < text.length && tail < whole &&
               typed[text.length - 1 - tail] == name[whole - 1 - tail])
            tail++;
        bool swapped = whole == text.length && same + tail + 2 == whole &&
                       typed[same] == name[same + 1] && typed[same + 1] == name[same];
        if (same == text.length || same + tail + 1 >= longer || swapped)
            return name;
    }
    return NULL;
}

void playing_complete(void *context, const char *line, terminal_offer *offer,
                      struct terminal *terminal) {
    const struct playing *playing = context;
    if (playing->record.session == NULL)
        return;
    /* Behind "why " and "moves " stand moves too. */
    char whole[NONET_MOVE_TEXT + 16];
    const char *prefix = strncasecmp(line, "why ", 4) == 0     ? "why "
                         : strncasecmp(line, "moves ", 6) == 0 ? "moves "
                                                               : "";
    for (int i = 0; i < COMMANDS && prefix[0] == '\0' && line[0] != '\0'; i++) {
        snprintf(whole, sizeof whole, "%s%s", commands[i].name,
                 commands[i].argument[0] != '\0' ? " " : "");
        offer(terminal, whole);
    }
    /* What stands before an @ is offered by itself first: there may be a great many places behind
     * it, in a wide game more than anybody could list. */
    bool wide = game_of(playing)->wide != NULL, stems = strchr(line, '@') == NULL;
    uint64_t count = nonet_session_count(playing->record.session), steps = wide ? 64 : count;
    char last[sizeof whole] = "";
    for (uint64_t i = 0; i < steps && count > 0 && (!wide || stems); i++) {
        move_text move;
        print_nth(playing, wide ? (count - 1) * i / (steps - 1) : i, move);
        char *at = strchr(move, '@');
        if (at != NULL && stems)
            at[1] = '\0';
        snprintf(whole, sizeof whole, "%s%s", prefix, move);
        if (strcmp(whole, last) != 0)
            offer(terminal, whole);
        strcpy(last, whole);
    }
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
    while (first > 0 && seat_before(playing, first - 1) != seat)
        first--;
    if (first == ply)
        return;
    char bytes[900];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    for (int i = first; i < ply; i++) {
        int mover = seat_before(playing, i);
        move_text move;
        print_move(playing, nonet_session_move(playing->record.session, i), move);
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
    playing->shown_to = 0;
    terminal_clear(playing->terminal);
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
    const struct nonet_options *options = options_of(playing);
    char prompt[RECORD_NAME + 32];
    snprintf(prompt, sizeof prompt, "%s to move> ", who(playing, seat));
    const char *line = ask(playing, prompt);
    if (line == NULL || line[0] == '\0' || run_command(playing, line))
        return;
    struct nonet_message why;
    nonet_move move;
    if (!options->game->parse(options, line, &move, &why)) {
        const char *command = likely_command(line);
        say_reason(playing, "That is no move: ", &why);
        if (command != NULL)
            terminal_format(playing->terminal, "Did you mean the command %s?\n", command);
        else
            hint(playing, line);
    } else if (!is_legal(playing, move, &why) || !play(playing, move, &why)) {
        say_reason(playing, "Not legal: ", &why);
        if (options->game->wide != NULL)
            hint(playing, line);
    }
}

static void say_end(struct playing *playing) {
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    const struct nonet_game *game = game_of(playing);
    cli_say_result(playing->record.session, &text);
    for (int seat = 1; game->secret != NULL && seat <= options_of(playing)->players; seat++) {
        char secret[64];
        struct nonet_text own = NONET_TEXT_IN(secret);
        game->secret(options_of(playing), nonet_session_state(playing->record.session), seat, &own);
        nonet_text_format(&text, "%s had this %s: %s\n", who(playing, seat), game->secret_name,
                          secret);
    }
    terminal_say(playing->terminal, bytes);
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
    else if (!run_command(playing, line))
        terminal_say(playing->terminal, "The game is over. Type save FILE, undo, or quit.\n");
}

int playing_leave(struct playing *playing) {
    struct terminal *terminal = playing->terminal;
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
    greet(playing);
    if (playing->keep != NULL)
        warn_of_secrets(playing, playing->keep);
    playing->stale = true;
    playing->since = milliseconds_now();
    while (!playing->leaving && terminal_signal(playing->terminal) == 0 &&
           terminal_error(playing->terminal) == 0) {
        int turn = nonet_session_turn(playing->record.session);
        bool asks = turn == 0 || is_person(playing, turn);
        if (asks)
            keep(playing);
        if (asks && turn != 0 && needs_hand_over(playing) && playing->shown_to != turn) {
            hand_over(playing, turn);
            continue;
        }
        bool news = playing->stale;
        if (news)
            show(playing);
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
        if (!save(playing, playing->keep, &why))
            playing->code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(playing->keep), reason);
    }
    return playing_leave(playing);
}
