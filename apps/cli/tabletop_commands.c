/* What a person types in a game: moves and commands, and help with what was nearly right. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "drawing.h"
#include "rules/wide.h"
#include "tabletop.h"
#include "words.h"

/* Whether a person may play the move. This is judged by what the person may know, so that the
 * reason reveals nothing more. */
static bool is_legal(const struct tabletop *tabletop, nonet_move move, struct nonet_message *why) {
    const struct nonet_session *session = tabletop->record.session;
    int turn = nonet_session_turn(session);
    if (turn == 0)
        return nonet_session_legal(session, move, why);
    struct nonet_state seen;
    nonet_observe(tabletop_options(tabletop), nonet_session_state(session), turn, &seen);
    return tabletop_options(tabletop)->game->why(tabletop_options(tabletop), &seen, move, why);
}

/* Drops spaces, hyphens and arrows, which people write between the parts of a move, and ignores
 * case. */
static void simplify(const char *text, char *out, size_t room) {
    struct nonet_text simple = nonet_text_in(out, room);
    for (; *text != '\0'; text++)
        if (!isspace((unsigned char)*text) && *text != '-' && *text != '>')
            nonet_text_char(&simple, (char)tolower((unsigned char)*text));
}

static bool hint_listed(struct tabletop *tabletop, const char *simple) {
    uint64_t count = nonet_session_count(tabletop->record.session), begin = 0;
    tabletop_move_text move, first = "", same = "";
    for (uint64_t i = 0; i < count; i++) {
        char other[NONET_MOVE_TEXT];
        tabletop_print_nth(tabletop, i, move);
        simplify(move, other, sizeof other);
        if (strcmp(other, simple) == 0)
            memcpy(same, move, sizeof same);
        if (strncmp(other, simple, strlen(simple)) == 0 && begin++ == 0)
            memcpy(first, move, sizeof first);
    }
    if (same[0] != '\0')
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_MEANT], nonet_quote(same)));
    else if (begin == 1)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_MEANT], nonet_quote(first)));
    else if (begin > 1)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_BEGIN_LIKE], nonet_number((int32_t)begin),
                                         nonet_quote(first), nonet_quote(simple)));
    return begin > 0;
}

static bool hint_wide(struct tabletop *tabletop, const char *simple) {
    const struct nonet_options *options = tabletop_options(tabletop);
    const struct nonet_session *session = tabletop->record.session;
    struct nonet_message why;
    nonet_move wish, found;
    if (!options->game->parse(options, simple, &wish, &why))
        return false;
    tabletop_move_text move;
    if (nonet_session_legal(session, wish, &why)) {
        tabletop_print(tabletop, wish, move);
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_MEANT], nonet_quote(move)));
    } else if (options->game->wide->nearest(options, nonet_session_state(session),
                                            nonet_session_workspace(session), wish, &found)) {
        tabletop_print(tabletop, found, move);
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NEAREST], nonet_quote(move)));
    } else {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_FITS_NOWHERE]));
    }
    return true;
}

static void hint(struct tabletop *tabletop, const char *typed) {
    char simple[NONET_MOVE_TEXT];
    simplify(typed, simple, sizeof simple);
    bool given = false;
    if (simple[0] != '\0' && nonet_session_turn(tabletop->record.session) != 0)
        given = tabletop_options(tabletop)->game->wide != NULL ? hint_wide(tabletop, simple)
                                                               : hint_listed(tabletop, simple);
    if (!given)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_SEE_MOVES]));
}

static void command_help(struct tabletop *tabletop, const char *argument);

static void list_wide(struct tabletop *tabletop, uint64_t count) {
    char bytes[512];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text, nonet_say(&cli_words[WORD_LEGAL_SUCH_AS], nonet_number((int32_t)count)));
    tabletop_add_examples(tabletop, &text);
    nonet_text_add(&text, ".\n");
    terminal_format(tabletop->terminal, "%s", bytes);
}

/* Counts moves by the part before the @, where there are too many to read. */
static void list_stems(struct tabletop *tabletop, uint64_t count, struct nonet_text *out) {
    enum { MOST = 32 };
    tabletop_move_text stems[MOST];
    int moves_with[MOST], found = 0;
    for (uint64_t i = 0; i < count; i++) {
        tabletop_move_text move;
        tabletop_print_nth(tabletop, i, move);
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
    cli_write(out, nonet_say(&cli_words[WORD_LEGAL_COUNT], nonet_number((int32_t)count)));
    for (int i = 0; i < found; i++) {
        nonet_text_format(out, "\n  %s@...  ", stems[i]);
        cli_write(out, nonet_say(&cli_words[WORD_PLACES], nonet_number(moves_with[i])));
    }
    nonet_text_char(out, '\n');
    cli_write(out, nonet_say(&cli_words[WORD_LISTS_PLACES], nonet_quote(stems[0])));
    nonet_text_char(out, '\n');
}

static void command_moves(struct tabletop *tabletop, const char *start) {
    enum { EASY = 120, WIDTH = 76 };
    uint64_t count = nonet_session_count(tabletop->record.session);
    if (count == 0) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MOVES]));
        return;
    }
    if (tabletop_options(tabletop)->game->wide != NULL) {
        list_wide(tabletop, count);
        return;
    }
    size_t room = (size_t)count * (NONET_MOVE_TEXT + 4) + 4096;
    char *bytes = malloc(room);
    if (bytes == NULL) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
        return;
    }
    struct nonet_text text = nonet_text_in(bytes, room);
    tabletop_move_text move;
    tabletop_print_nth(tabletop, 0, move);
    if (start[0] == '\0' && count > EASY && strchr(move, '@') != NULL) {
        list_stems(tabletop, count, &text);
    } else {
        int column = 0;
        for (uint64_t i = 0; i < count; i++) {
            tabletop_print_nth(tabletop, i, move);
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
            cli_write(&text, nonet_say(&cli_words[WORD_NONE_BEGINS], nonet_quote(start)));
        nonet_text_char(&text, '\n');
    }
    terminal_say(tabletop->terminal, bytes);
    free(bytes);
}

/* A reason after some words about it. */
static void say_reason(struct tabletop *tabletop, struct nonet_message words,
                       const struct nonet_message *why) {
    char reason[1024];
    struct nonet_text text = NONET_TEXT_IN(reason);
    cli_write(&text, words);
    cli_write(&text, *why);
    terminal_format(tabletop->terminal, "%s.\n", reason);
}

static void command_why(struct tabletop *tabletop, const char *typed) {
    const struct nonet_options *options = tabletop_options(tabletop);
    if (typed[0] == '\0') {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_WHY_WHAT]));
        return;
    }
    struct nonet_message why;
    tabletop_move_text spelled;
    nonet_move move;
    typed = cli_spell_move(tabletop->record.session, typed, spelled);
    if (!options->game->parse(options, typed, &move, &why)) {
        say_reason(tabletop, nonet_say(&cli_words[WORD_NO_MOVE]), &why);
        hint(tabletop, typed);
    } else if (is_legal(tabletop, move, &why)) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_IS_LEGAL], nonet_quote(typed)));
    } else {
        say_reason(tabletop, nonet_say(&cli_words[WORD_IS_NOT_LEGAL], nonet_quote(typed)), &why);
    }
}

/* Goes back to the last decision of a person; the computers' replies are taken back with it. */
static void command_undo(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    struct nonet_session *session = tabletop->record.session;
    int index = nonet_session_ply(session) - 1;
    while (index >= 0 && !tabletop_is_person(tabletop, tabletop_seat_before(tabletop, index)))
        index--;
    if (index < 0) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NOTHING_TO_TAKE]));
        return;
    }
    int taken = nonet_session_ply(session) - index;
    while (nonet_session_ply(session) > index)
        nonet_session_undo(session);
    tabletop_changed(tabletop);
    tabletop_say(tabletop, nonet_say(&cli_words[taken == 1 ? WORD_TOOK_ONE : WORD_TOOK],
                                     nonet_number(taken)));
}

static void command_redo(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    struct nonet_session *session = tabletop->record.session;
    int played = 0;
    while (nonet_session_redo(session)) {
        played++;
        int turn = nonet_session_turn(session);
        if (turn != 0 && tabletop_is_person(tabletop, turn))
            break;
    }
    if (played == 0) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NOTHING_AGAIN]));
        return;
    }
    tabletop_changed(tabletop);
    tabletop_say(tabletop, nonet_say(&cli_words[played == 1 ? WORD_AGAIN_ONE : WORD_AGAIN],
                                     nonet_number(played)));
}

void tabletop_remember_path(struct tabletop *tabletop, const char *path) {
    struct nonet_text text = NONET_TEXT_IN(tabletop->path);
    nonet_text_add(&text, path);
}

static void command_save(struct tabletop *tabletop, const char *argument) {
    const char *path = argument[0] != '\0' ? argument : tabletop->path;
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (path[0] == '\0') {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_SAVE_WHERE]));
    } else if (!tabletop_save(tabletop, path, &why)) {
        terminal_format(tabletop->terminal, "%s: %s.\n", cli_printable(path), reason);
    } else {
        char bytes[64];
        struct nonet_text text = NONET_TEXT_IN(bytes);
        cli_write(&text, nonet_say(&cli_words[WORD_SAVED]));
        terminal_format(tabletop->terminal, "%s %s.\n", bytes, cli_printable(path));
        tabletop_warn(tabletop);
        if (path != tabletop->path)
            tabletop_remember_path(tabletop, path);
    }
}

static void command_load(struct tabletop *tabletop, const char *path) {
    /* The standard input is where this line came from. */
    if (path[0] == '\0' || strcmp(path, "-") == 0) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_LOAD_WHAT]));
        return;
    }
    struct tabletop loaded = *tabletop;
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (!record_read_file(path, &loaded.record, &why)) {
        terminal_format(tabletop->terminal, "%s: %s.\n", cli_printable(path), reason);
        return;
    }
    if (!tabletop_seat_record(&loaded, &why)) {
        record_close(&loaded.record);
        terminal_format(tabletop->terminal, "%s: %s.\n", cli_printable(path), reason);
        return;
    }
    memcpy(tabletop->levels, loaded.levels, sizeof loaded.levels);
    tabletop_replace(tabletop, &loaded.record);
    tabletop_changed(tabletop);
    tabletop->unsaved = false;
    tabletop_remember_path(tabletop, path);
    terminal_say(tabletop->terminal, "\n");
    tabletop_greet(tabletop);
}

/* What a proof or a search says of a move, in words. */
static void say_opinion(struct tabletop *tabletop, const struct nonet_opinion *opinion) {
    tabletop_move_text move;
    tabletop_print(tabletop, opinion->move, move);
    char bytes[512];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text, nonet_say(&cli_words[WORD_TRY], nonet_quote(move)));
    if (opinion->known == NONET_PROVEN) {
        static const enum cli_word outcomes[] = {
            [NONET_LOSS] = WORD_IT_LOSES, [NONET_DRAW] = WORD_IT_DRAWS, [NONET_WIN] = WORD_IT_WINS};
        char margin[16];
        snprintf(margin, sizeof margin, "%+d", opinion->value.margin);
        cli_write(&text, nonet_say(&cli_words[outcomes[opinion->value.outcome]]));
        if (opinion->value.has_margin)
            cli_write(&text, nonet_say(&cli_words[WORD_AT_THE_END], nonet_quote(margin)));
        else if (opinion->value.outcome != NONET_DRAW && opinion->value.distance > 0)
            cli_write(&text,
                      nonet_say(&cli_words[WORD_PLIES], nonet_number(opinion->value.distance)));
        cli_write(&text, nonet_say(&cli_words[WORD_IS_PROVEN]));
    } else {
        int score = opinion->score;
        cli_write(&text, nonet_say(&cli_words[score > 600     ? WORD_YOURS_WINNING
                                              : score > 200   ? WORD_YOURS_BETTER
                                              : score >= -200 ? WORD_YOURS_EVEN
                                              : score >= -600 ? WORD_YOURS_WORSE
                                                              : WORD_YOURS_BAD]));
    }
    terminal_format(tabletop->terminal, "%s.\n", bytes);
}

/* What the computer thinks at its best; null after a word about why it does not. */
static const struct nonet_report *think(struct tabletop *tabletop, enum tabletop_purpose purpose) {
    if (nonet_session_turn(tabletop->record.session) == 0) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_AFTER_END]));
        return NULL;
    }
    const struct nonet_report *report = tabletop_think(tabletop, NONET_SEARCH_LEVELS, purpose);
    if (report == NULL)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
    return report;
}

static void command_hint(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    const struct nonet_report *report = think(tabletop, TABLETOP_TO_HINT);
    if (report != NULL)
        say_opinion(tabletop, &report->moves[0]);
}

void tabletop_say_analysis(struct tabletop *tabletop) {
    const struct nonet_report *report = think(tabletop, TABLETOP_TO_ANALYSE);
    if (report == NULL)
        return;
    char bytes[2048];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text, nonet_say(&cli_words[WORD_ANALYSIS]));
    cli_write(&text, nonet_say(&nonet_common[NONET_SAY_COLON]));
    tabletop_write_opinion(tabletop, report, &text);
    nonet_text_add(&text, ".\n");
    tabletop_write_line(tabletop, report, &text);
    terminal_format(tabletop->terminal, "%s\n", bytes);
}

static void command_analyse(struct tabletop *tabletop, const char *argument) {
    if (argument[0] == '\0') {
        tabletop_say_analysis(tabletop);
        return;
    }
    tabletop->analysing = strcasecmp(argument, "off") != 0;
    tabletop_say(tabletop,
                 nonet_say(&cli_words[tabletop->analysing ? WORD_ANALYSIS_ON : WORD_ANALYSIS_OFF]));
    /* A front end that watches shows it by itself. */
    if (tabletop->analysing && tabletop->watch == NULL &&
        nonet_session_turn(tabletop->record.session) != 0)
        tabletop_say_analysis(tabletop);
}

/* Says a move with its number, its mark, and what the review has to say about it. */
static void say_move(struct tabletop *tabletop, int ply) {
    tabletop_move_text move;
    char bytes[256];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    tabletop_print(tabletop, nonet_session_move(tabletop->record.session, ply - 1), move);
    nonet_text_format(&text, "%d %s%s (", ply, move, tabletop_mark(tabletop, ply));
    nonet_text_format(&text, "%s) ",
                      tabletop_who(tabletop, tabletop_seat_before(tabletop, ply - 1)));
    tabletop_write_remark(tabletop, ply, &text);
    while (text.length > 0 && bytes[text.length - 1] == ' ')
        bytes[--text.length] = '\0';
    terminal_format(tabletop->terminal, "%s\n", bytes);
}

static void command_list(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    int ply = nonet_session_ply(tabletop->record.session);
    for (int i = 1; i <= ply; i++)
        say_move(tabletop, i);
    if (ply == 0)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MOVES_YET]));
}

static void command_review(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    int ply = nonet_session_ply(tabletop->record.session), marked = 0;
    if (ply == 0) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MOVES_YET]));
        return;
    }
    if (!tabletop_begin_review(tabletop)) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
        return;
    }
    /* A front end that watches advances it by itself, and shows it. */
    if (tabletop->watch != NULL)
        return;
    tabletop_finish_review(tabletop);
    for (int i = 1; i <= ply; i++)
        if (tabletop_mark(tabletop, i)[0] != '\0') {
            say_move(tabletop, i);
            marked++;
        }
    if (marked == 0)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_REVIEW_CLEAN]));
}

static void command_rematch(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    if (nonet_session_turn(tabletop->record.session) != 0)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NOT_OVER]));
    else if (!tabletop_rematch(tabletop))
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
    else
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_REMATCH]));
}

/* Who plays, whose turn it is, and what each of them has. */
static void command_status(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    struct nonet_standings standings;
    tabletop_read_standings(tabletop, &standings);
    int turn = nonet_session_turn(tabletop->record.session);
    char bytes[1024];
    for (int seat = 0; seat <= tabletop_options(tabletop)->players; seat++) {
        struct nonet_text text = NONET_TEXT_IN(bytes);
        if (seat > 0) {
            tabletop_write_seat(tabletop, seat, &text);
            nonet_text_add(&text, ". ");
        }
        tabletop_write_standings(&standings, seat, tabletop->style.unicode, &text);
        if (text.length > 0)
            terminal_format(tabletop->terminal, "%s\n", bytes);
    }
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (turn == 0)
        cli_write(&text, nonet_say(&cli_words[WORD_OVER]));
    else
        cli_write(&text,
                  nonet_say(&cli_words[WORD_TO_MOVE], nonet_quote(tabletop_who(tabletop, turn))));
    terminal_format(tabletop->terminal, "%s.\n", bytes);
}

/* Every piece in words, for those who do not see the drawing. */
static void command_pieces(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    int viewer = tabletop_viewer(tabletop);
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
        return;
    }
    nonet_scene_for(tabletop_options(tabletop), nonet_session_state(tabletop->record.session),
                    viewer < 0 ? NONET_SPECTATOR : viewer, scene);
    for (int i = 0; i < scene->piece_count; i++) {
        char bytes[256];
        struct nonet_text text = NONET_TEXT_IN(bytes);
        cli_write(&text, scene->pieces[i].label);
        terminal_format(tabletop->terminal, "%s\n", bytes);
    }
    free(scene);
}

static void command_level(struct tabletop *tabletop, const char *argument) {
    int level;
    if (!tabletop_read_level(argument, &level)) {
        tabletop_say(tabletop,
                     nonet_say(&cli_words[WORD_LEVEL_HOW], nonet_number(NONET_SEARCH_LEVELS)));
        return;
    }
    int computers = 0;
    for (int seat = 1; seat <= tabletop_options(tabletop)->players; seat++) {
        if (tabletop_is_person(tabletop, seat))
            continue;
        tabletop->levels[seat - 1] = level;
        tabletop_write_kind(level, tabletop->record.seats[seat - 1].kind);
        computers++;
    }
    if (computers == 0)
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_COMPUTER]));
    else
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NEW_LEVEL], nonet_number(level)));
}

static void command_draw(struct tabletop *tabletop, const char *argument) {
    const struct nonet_session *session = tabletop->record.session;
    int ply = nonet_session_ply(session);
    uint64_t moves;
    if (argument[0] == '\0')
        tabletop_show(tabletop);
    else if (!cli_number(argument, (uint64_t)ply, &moves))
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_MOVE_HOW], nonet_number(ply)));
    else
        tabletop_draw(tabletop, (int)moves == ply
                                    ? nonet_session_state(session)
                                    : nonet_session_state_before(session, (int)moves));
}

static void command_rules(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    char *bytes = malloc(CLI_RULES_ROOM);
    if (bytes == NULL) {
        tabletop_say(tabletop, nonet_say(&cli_words[WORD_NO_MEMORY]));
        return;
    }
    struct nonet_text text = nonet_text_in(bytes, CLI_RULES_ROOM);
    if (cli_rules_text(tabletop_options(tabletop)->game, tabletop->style.unicode, &text) ==
        CLI_DONE)
        terminal_say(tabletop->terminal, bytes);
    free(bytes);
}

static void command_quit(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    tabletop->leaving = true;
}

static const struct {
    const char *name, *argument;
    enum cli_word help;
    void (*run)(struct tabletop *tabletop, const char *argument);
} commands[] = {
    {"help", "", WORD_DOES_HELP, command_help},
    {"moves", " [START]", WORD_DOES_MOVES, command_moves},
    {"why", " MOVE", WORD_DOES_WHY, command_why},
    {"hint", "", WORD_DOES_HINT, command_hint},
    {"analyse", " [on|off]", WORD_DOES_ANALYSE, command_analyse},
    {"level", " N", WORD_DOES_LEVEL, command_level},
    {"undo", "", WORD_DOES_UNDO, command_undo},
    {"redo", "", WORD_DOES_REDO, command_redo},
    {"draw", " [N]", WORD_DOES_DRAW, command_draw},
    {"pieces", "", WORD_DOES_PIECES, command_pieces},
    {"status", "", WORD_DOES_STATUS, command_status},
    {"list", "", WORD_DOES_LIST, command_list},
    {"review", "", WORD_DOES_REVIEW, command_review},
    {"rematch", "", WORD_DOES_REMATCH, command_rematch},
    {"rules", "", WORD_DOES_RULES, command_rules},
    {"save", " FILE", WORD_DOES_SAVE, command_save},
    {"load", " FILE", WORD_DOES_LOAD, command_load},
    {"quit", "", WORD_DOES_QUIT, command_quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void command_help(struct tabletop *tabletop, const char *argument) {
    (void)argument;
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    if (nonet_session_turn(tabletop->record.session) != 0) {
        cli_write(&text, nonet_say(&cli_words[WORD_SUCH_AS]));
        tabletop_add_examples(tabletop, &text);
        cli_write(&text, nonet_say(&cli_words[WORD_OR_COMMAND]));
        nonet_text_char(&text, '\n');
    }
    for (int i = 0; i < COMMANDS; i++) {
        char usage[32];
        snprintf(usage, sizeof usage, "%s%s", commands[i].name, commands[i].argument);
        nonet_text_format(&text, "  %-16s ", usage);
        cli_write(&text, nonet_say(&cli_words[commands[i].help]));
        nonet_text_char(&text, '\n');
    }
    terminal_say(tabletop->terminal, bytes);
}

/* Runs the command that the line begins with, if there is one. */
bool tabletop_command(struct tabletop *tabletop, const char *line) {
    size_t length = strcspn(line, " \t");
    for (int i = 0; i < COMMANDS; i++) {
        if (strlen(commands[i].name) != length || strncasecmp(commands[i].name, line, length) != 0)
            continue;
        const char *argument = line + length + strspn(line + length, " \t");
        commands[i].run(tabletop, argument);
        return true;
    }
    return false;
}

/* A command whose beginning the line has, or whose name it has except for one wrong letter or two
 * swapped ones. */
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

void tabletop_complete(void *context, const char *line, terminal_offer *offer, void *asker) {
    const struct tabletop *tabletop = context;
    if (tabletop->record.session == NULL)
        return;
    /* Moves may also follow "why " and "moves ". */
    char whole[NONET_MOVE_TEXT + 16];
    const char *prefix = strncasecmp(line, "why ", 4) == 0     ? "why "
                         : strncasecmp(line, "moves ", 6) == 0 ? "moves "
                                                               : "";
    for (int i = 0; i < COMMANDS && prefix[0] == '\0' && line[0] != '\0'; i++) {
        snprintf(whole, sizeof whole, "%s%s", commands[i].name,
                 commands[i].argument[0] != '\0' ? " " : "");
        offer(asker, whole);
    }
    /* The part before an @ is offered by itself first: there may be very many places after it, in a
     * wide game more than anybody could list. */
    bool wide = tabletop_options(tabletop)->game->wide != NULL, stems = strchr(line, '@') == NULL;
    uint64_t count = nonet_session_count(tabletop->record.session), steps = wide ? 64 : count;
    char last[sizeof whole] = "";
    for (uint64_t i = 0; i < steps && count > 0 && (!wide || stems); i++) {
        tabletop_move_text move;
        tabletop_print_nth(tabletop, wide ? (count - 1) * i / (steps - 1) : i, move);
        char *at = strchr(move, '@');
        if (at != NULL && stems)
            at[1] = '\0';
        snprintf(whole, sizeof whole, "%s%s", prefix, move);
        if (strcmp(whole, last) != 0)
            offer(asker, whole);
        strcpy(last, whole);
    }
}

void tabletop_try(struct tabletop *tabletop, const char *line) {
    const struct nonet_options *options = tabletop_options(tabletop);
    tabletop_move_text spelled;
    line = cli_spell_move(tabletop->record.session, line, spelled);
    struct nonet_message why;
    nonet_move move;
    if (!options->game->parse(options, line, &move, &why)) {
        const char *command = likely_command(line);
        say_reason(tabletop, nonet_say(&cli_words[WORD_NO_MOVE]), &why);
        if (command != NULL)
            tabletop_say(tabletop, nonet_say(&cli_words[WORD_MEANT_COMMAND], nonet_quote(command)));
        else
            hint(tabletop, line);
    } else if (!is_legal(tabletop, move, &why) || !tabletop_play(tabletop, move, &why)) {
        say_reason(tabletop, nonet_say(&cli_words[WORD_NOT_LEGAL]), &why);
        if (options->game->wide != NULL)
            hint(tabletop, line);
    } else {
        tabletop_say_last_events(tabletop);
    }
}
