/* What the page calls: the engine in the browser, as WebAssembly.
 *
 * An instance holds one game. The page keeps one to show, and a worker another one of the same game
 * to think with. Texts go in through one buffer and come out through another. The page writes the
 * input of a function at page_input(), ended by a zero byte, calls the function, and reads the
 * answer at page_output(). A function returns whether it did what was asked. If not, the answer is
 * the reason: a sentence in the language that page_language has set, one of the codes below, or an
 * empty text.
 *
 * Nothing here knows a particular game. Nothing shows viewers more than they may see. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "rules/hidden.h"
#include "rules/observation.h"
#include "rules/setup.h"
#include "rules/wide.h"
#include "search/player.h"
#include "study/describe.h"
#include "study/difference.h"
#include "study/draw_svg.h"
#include "study/measure.h"

enum {
    GAME_ROOM = NONET_POSITION_TEXT + NONET_MAX_OPTIONS * 2 * NONET_OPTION_TEXT +
                NONET_MAX_PLIES * (NONET_MOVE_TEXT + 1), /* a game as text */
    INPUT = 1 << 21,
    OUTPUT = 1 << 21,
};
_Static_assert(2 * GAME_ROOM + 64 < OUTPUT && OUTPUT <= INPUT, "a sealed game fits");
static char input[INPUT], output[OUTPUT];
static size_t output_room = OUTPUT; /* a test makes it smaller */

static struct nonet_session *session;      /* null before the first game */
static struct nonet_options options;       /* of it */
static struct difference_numbers numbered; /* the pieces that are shown */
static int shown_ply;                      /* of the scene that is shown; -1: not of this line */
static struct nonet_events events_told;    /* of the move that was asked about last */

static char game_text[GAME_ROOM]; /* see tell_game */

struct nonet_session *page_session(void) {
    return session;
}

char *EXPORT(page_input)(void) {
    return input;
}

int EXPORT(page_input_room)(void) {
    return INPUT;
}

const char *EXPORT(page_output)(void) {
    return output;
}

/* ---- Answers ---- */

struct nonet_text page_answer(void) {
    return nonet_text_in(output, output_room);
}

bool page_no(const char *code) {
    strcpy(output, code);
    return false;
}

bool page_none(void) {
    return page_no("");
}

/* A cut answer is dropped, as half of a JSON text would be misread. */
bool page_answered(const struct nonet_text *text) {
    return !text->cut || page_no(PAGE_NO_ROOM);
}

/* ---- Words ---- */

/* The words in the language of this page's reader. */
static struct nonet_wording words;
static const struct nonet_catalogue language = {nonet_wording_text, &words};

const struct nonet_catalogue *page_words(void) {
    return &language;
}

/* Takes a catalogue, "key<TAB>text" in each line. What it lacks is shown in English. */
bool EXPORT(page_language)(void) {
    char *taken = malloc(strlen(input) + 1);
    if (taken == NULL)
        return page_no(PAGE_NO_MEMORY);
    free(words.bytes);
    words = nonet_wording_read(input, taken);
    return true;
}

bool page_refuse(const struct nonet_message *why) {
    struct nonet_text text = page_answer();
    nonet_message_write(why, &language, &text);
    return page_answered(&text) && false;
}

/* ---- The shelf ---- */

bool EXPORT(page_shelf)(void) {
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (int i = 0; i < nonet_game_count; i++)
        describe_game(&json, nonet_games[i]);
    nonet_json_close(&json, ']');
    return page_answered(&text);
}

/* ---- Setting up a game ---- */

static void drop_search(void);
static void forget_game(void);

/* The game so far as lines of text that page_new takes, in game_text; returns its length. */
static size_t tell_game(void) {
    struct nonet_text text = NONET_TEXT_IN(game_text);
    nonet_setup_write(session, &text);
    return text.length;
}

/* The game is over, though not by its rules. */
static bool ended;

/* The new game takes the place of the current one. */
static void take_session(struct nonet_session *fresh) {
    ended = false;
    forget_game();
    nonet_session_free(session);
    session = fresh;
    options = *nonet_session_options(session);
}

/* A game from the lines that nonet_setup_read takes. The two numbers decide by chance what the
 * options leave open. If the new game is refused, the current one stays. */
bool EXPORT(page_new)(uint64_t open, uint64_t secret) {
    const struct nonet_chance chance = {open, secret};
    struct nonet_setup_error error;
    struct nonet_session *fresh = nonet_setup_read(input, &chance, &error);
    if (fresh == NULL && error.kind == NONET_SETUP_MEMORY)
        return page_no(PAGE_NO_MEMORY);
    if (fresh == NULL)
        return page_refuse(&error.why);
    take_session(fresh);
    difference_forget(&numbered);
    shown_ply = -1;
    return true;
}

/* Cuts a text after its first line, or before its first move, and returns the rest. */
static char *cut(char *text, const char *before) {
    char *end = strstr(text, before);
    if (end == NULL)
        return text + strlen(text);
    *end = '\0';
    return end + 1;
}

/* A game that hides something, from what one viewer knows of it: a line with what they saw first, a
 * line with what they see now, and the lines that page_new takes. The game in the engine is one of
 * those that look like this to them. If it goes on with the game that is shown, its pieces keep
 * their numbers. */
bool EXPORT(page_observe)(int viewer, bool goes_on) {
    static char *moves[NONET_MAX_PLIES];
    const struct nonet_chance chance = {1, 2};
    struct nonet_setup_error error;
    char *seen = cut(input, "\n"), *lines = cut(seen, "\n"), *rest = cut(lines, "\n ");
    int count = 0;
    for (char *move = strtok(rest, " \n"); move != NULL && count < NONET_MAX_PLIES;
         move = strtok(NULL, " \n"))
        moves[count++] = move;
    struct nonet_session *rules = nonet_setup_read(lines, &chance, &error);
    if (rules == NULL)
        return error.kind == NONET_SETUP_MEMORY ? page_no(PAGE_NO_MEMORY) : page_refuse(&error.why);
    const struct nonet_options its = *nonet_session_options(rules);
    nonet_session_free(rules);
    if (viewer < 0 || viewer > its.players)
        return page_none();
    struct nonet_text why = page_answer();
    struct nonet_session *fresh =
        nonet_observation_open(&its, viewer, input, moves, count, seen, &why);
    if (fresh == NULL)
        return false;
    take_session(fresh);
    if (!goes_on) {
        difference_forget(&numbered);
        shown_ply = -1;
    }
    return true;
}

/* The game is over, since somebody gave up or their time was over: nothing is hidden any more. */
void EXPORT(page_end)(void) {
    ended = true;
}

/* ---- Keeping a game ---- */

/* An envelope, not a safe: a person who looks into the browser's storage should not read secrets by
 * accident. */
static void seal(char *bytes, size_t size, uint64_t number) {
    struct nonet_random random = {number};
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(bytes[i] ^ (char)nonet_random_next(&random));
}

static const char sealed_mark[] = "sealed:";

bool page_hides(void) {
    return options.game->hidden != NULL && nonet_session_turn(session) != 0 && !ended;
}

/* The game so far as text, for page_restore. While a game hides something, the text is sealed. */
bool EXPORT(page_keep)(uint64_t number) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    struct nonet_text text = page_answer();
    size_t length = tell_game();
    if (!page_hides()) {
        nonet_text_add(&text, game_text);
        return page_answered(&text);
    }
    seal(game_text, length, number);
    nonet_text_format(&text, "%s%016llx", sealed_mark, (unsigned long long)number);
    for (size_t i = 0; i < length; i++)
        nonet_text_format(&text, "%02x", (unsigned)(unsigned char)game_text[i]);
    return page_answered(&text);
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Opens the envelope in place; false if the text is no envelope, or a damaged one. */
static bool unseal(void) {
    char *digits = input + strlen(sealed_mark);
    size_t length = strlen(digits);
    uint64_t number = 0;
    if (length < 16 || length % 2 != 0 || strspn(digits, "0123456789abcdef") != length)
        return false;
    for (int i = 0; i < 16; i++)
        number = number << 4 | (uint64_t)hex(digits[i]);
    size_t size = (length - 16) / 2;
    for (size_t i = 0; i < size; i++)
        input[i] = (char)(hex(digits[16 + 2 * i]) << 4 | hex(digits[17 + 2 * i]));
    seal(input, size, number);
    input[size] = '\0';
    return true;
}

/* If the input is the current game with more moves, plays only those. The worker that thinks gets
 * the whole game before every move, and need not play all of it again. */
static bool go_on(const char *moves) {
    struct nonet_setup_error error;
    int known = nonet_session_ply(session);
    drop_search();
    if (nonet_setup_play_lines(session, moves, &error))
        return true;
    while (nonet_session_ply(session) > known)
        nonet_session_undo(session);
    return page_refuse(&error.why);
}

/* Restores the game that page_keep gave. If somebody changed the text so that it no longer holds
 * the deal, the numbers decide by chance. */
bool EXPORT(page_restore)(uint64_t open, uint64_t secret) {
    if (strncmp(input, sealed_mark, strlen(sealed_mark)) == 0 && !unseal())
        return page_no(PAGE_DAMAGED);
    size_t known = session != NULL ? tell_game() : 0;
    if (known > 0 && strncmp(input, game_text, known) == 0 && input[known] == ' ')
        return go_on(input + known);
    return page_new(open, secret);
}

/* ---- The position ---- */

static void write_moves(struct nonet_json *json) {
    nonet_json_number_member(json, "count", (int64_t)nonet_session_count(session));
    nonet_json_name(json, "moves");
    if (options.game->wide != NULL) {
        nonet_json_null(json);
        return;
    }
    nonet_json_open(json, '[');
    for (uint64_t i = 0; i < nonet_session_count(session); i++) {
        nonet_move move = nonet_session_nth(session, i);
        char name[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(name);
        options.game->print(&options, move, &text);
        uint16_t places[NONET_MAX_TOUCHES];
        int touches = options.game->touches(&options, move, places);
        nonet_json_open(json, '[');
        nonet_json_string(json, name);
        for (int j = 0; j < touches; j++)
            nonet_json_number(json, places[j]);
        nonet_json_close(json, ']');
    }
    nonet_json_close(json, ']');
}

/* A seat, or 0 for a viewer without one. */
static int viewer_of(int number) {
    return number > 0 && number <= options.players ? number : NONET_SPECTATOR;
}

/* The state before a move, or the current one. */
static const void *state_at(int ply) {
    return ply >= 0 && ply < nonet_session_ply(session) ? nonet_session_state_before(session, ply)
                                                        : nonet_session_state(session);
}

/* The scene before a move, or the current one: at the end of a game everything is turned up. */
static void scene_at(int ply, int viewer, struct nonet_scene *scene) {
    if (ended && ply >= nonet_session_ply(session))
        nonet_scene_open(&options, nonet_session_state(session), scene);
    else
        nonet_scene_for(&options, state_at(ply), viewer, scene);
}

/* A scene, and how the game stands in it. Returns the scene. */
static const struct nonet_scene *write_scene(struct nonet_json *json, int ply, int viewer) {
    static struct nonet_scene scene;
    static struct nonet_standings standings;
    nonet_standings_for(&options, state_at(ply), viewer, &standings);
    describe_standings(json, &standings, &language);
    scene_at(ply, viewer, &scene);
    nonet_json_name(json, "scene");
    describe_scene(json, &scene, &language);
    return &scene;
}

/* What only this seat sees, in words: the labels of its own pieces whose face a spectator does not
 * see. */
static void write_secret(struct nonet_json *json, int viewer) {
    static struct nonet_scene seen, open;
    if (viewer == NONET_SPECTATOR || !page_hides())
        return;
    nonet_scene_for(&options, nonet_session_state(session), viewer, &seen);
    nonet_scene_for(&options, nonet_session_state(session), NONET_SPECTATOR, &open);
    for (int i = 0; i < seen.piece_count && i < open.piece_count; i++) {
        if (seen.pieces[i].owner != viewer || open.pieces[i].material != NONET_HIDDEN)
            continue;
        char label[256];
        struct nonet_text text = NONET_TEXT_IN(label);
        nonet_message_write(&seen.pieces[i].label, &language, &text);
        nonet_json_string_member(json, "secret", label);
        return;
    }
}

/* Everything to show a viewer: a seat, or 0 for a viewer without one. Each move comes as its text
 * and the places that a hand touches to make it. */
bool EXPORT(page_position)(int viewer) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    viewer = viewer_of(viewer);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    struct nonet_result result = {0};
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    int turn = nonet_session_turn(session);
    if (turn == 0)
        nonet_session_result(session, &result);
    nonet_message_write(&result.reason, &language, &why);
    nonet_json_open(&json, '{');
    nonet_json_number_member(&json, "ply", nonet_session_ply(session));
    nonet_json_number_member(&json, "turn", turn);
    describe_result(&json, session);
    nonet_json_string_member(&json, "reason", reason);
    write_secret(&json, viewer);
    write_moves(&json);
    write_scene(&json, nonet_session_ply(session), viewer);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

/* The scene as it was before the ply-th move, from 0, for stepping through a game. */
bool EXPORT(page_scene)(int ply, int viewer) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    viewer = viewer_of(viewer);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    write_scene(&json, ply, viewer);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

/* The same scene, now to be shown instead of the last one. `numbers` tells for each piece which it
 * is: a piece that stays or moves keeps its number. */
bool EXPORT(page_show)(int ply, int viewer) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    viewer = viewer_of(viewer);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    const struct nonet_scene *scene = write_scene(&json, ply, viewer);
    bool is_next = shown_ply >= 0 && ply == shown_ply + 1 && ply <= nonet_session_ply(session);
    if (is_next)
        nonet_session_events(session, shown_ply, viewer, &events_told);
    difference_follow(&numbered, scene, is_next ? &events_told : NULL);
    shown_ply = ply;
    nonet_json_name(&json, "numbers");
    nonet_json_open(&json, '[');
    for (int i = 0; i < scene->piece_count; i++)
        nonet_json_number(&json, numbered.of_piece[i]);
    nonet_json_close(&json, ']');
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

/* The position as a picture. */
bool EXPORT(page_picture)(int viewer) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    viewer = viewer_of(viewer);
    static struct nonet_scene scene;
    struct nonet_text text = page_answer();
    const struct draw_svg_style style = {
        .title = options.game->title, .coordinates = true, .catalogue = &language};
    scene_at(nonet_session_ply(session), viewer, &scene);
    draw_svg(&scene, &style, &text);
    return page_answered(&text);
}

/* A game beside the one that is played, from the lines that nonet_setup_read takes, the same every
 * time. Null with the reason. */
static struct nonet_session *open_aside(void) {
    const struct nonet_chance chance = {1, 2};
    struct nonet_setup_error error;
    struct nonet_session *aside = nonet_setup_read(input, &chance, &error);
    if (aside == NULL)
        (void)(error.kind == NONET_SETUP_MEMORY ? page_no(PAGE_NO_MEMORY)
                                                : page_refuse(&error.why));
    return aside;
}

/* A picture for the box of the game whose id is the input, if it has no picture file: a position
 * some moves after the beginning. */
bool EXPORT(page_box)(void) {
    enum { MOVES = 7 };
    static struct nonet_scene scene;
    struct nonet_random random = {1};
    struct nonet_message why;
    struct nonet_session *shown = open_aside();
    if (shown == NULL)
        return false;
    for (uint64_t count; nonet_session_ply(shown) < MOVES;) {
        if ((count = nonet_session_count(shown)) == 0)
            break;
        nonet_move move = nonet_session_nth(shown, nonet_random_next(&random) % count);
        if (!nonet_session_play(shown, move, &why))
            break;
    }
    const struct nonet_options *usual = nonet_session_options(shown);
    struct nonet_text text = page_answer();
    const struct draw_svg_style style = {.title = usual->game->title, .catalogue = &language};
    nonet_scene_for(usual, nonet_session_state(shown), NONET_SPECTATOR, &scene);
    draw_svg(&scene, &style, &text);
    nonet_session_free(shown);
    return page_answered(&text);
}

/* A figure for the rules: the position that the input leads to, drawn as `nonet draw` does, but in
 * the reader's language. Whoever wrote the input knows all of it, so nothing is hidden. */
bool EXPORT(page_figure)(void) {
    static struct nonet_scene scene;
    struct nonet_session *shown = open_aside();
    if (shown == NULL)
        return false;
    const struct nonet_options *its = nonet_session_options(shown);
    struct nonet_text text = page_answer();
    const struct draw_svg_style style = {
        .title = its->game->title, .coordinates = true, .catalogue = &language};
    memset(&scene, 0, sizeof scene);
    its->game->scene(its, nonet_session_state(shown), &scene);
    draw_svg(&scene, &style, &text);
    nonet_session_free(shown);
    return page_answered(&text);
}

/* What a record and a link tell of the game: its options, the position that it began at if that is
 * another one, its moves. Nothing is told while the game hides something. */
bool EXPORT(page_setup)(void) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (page_hides())
        return page_none();
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_setup_json(&json, session);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

/* The moves from one ply, counted from 0, to before another: the player and the text of each. */
bool EXPORT(page_history)(int from, int to) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (int i = from < 0 ? 0 : from; i < to && i < nonet_session_ply(session); i++) {
        char name[NONET_MOVE_TEXT];
        struct nonet_text move = NONET_TEXT_IN(name);
        options.game->print(&options, nonet_session_move(session, i), &move);
        nonet_json_open(&json, '[');
        nonet_json_number(&json, options.game->turn(&options, state_at(i)));
        nonet_json_string(&json, name);
        nonet_json_close(&json, ']');
    }
    nonet_json_close(&json, ']');
    return page_answered(&text);
}

/* ---- Moves ---- */

/* Plays the move whose text is the input. */
bool EXPORT(page_play)(void) {
    struct nonet_message why;
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (!nonet_session_play_text(session, input, &why))
        return page_refuse(&why);
    drop_search();
    return true;
}

bool EXPORT(page_undo)(void) {
    drop_search();
    shown_ply = -1;
    return (session != NULL && nonet_session_undo(session)) || page_none();
}

bool EXPORT(page_redo)(void) {
    drop_search();
    return (session != NULL && nonet_session_redo(session)) || page_none();
}

/* ---- Variations ---- */

/* The node after this one, each line before the variations beside it. */
static int next_node(int node) {
    int next = nonet_session_first_child(session, node);
    while (next == NONET_NO_NODE && node > 0) {
        next = nonet_session_next_sibling(session, node);
        node = nonet_session_parent(session, node);
    }
    return next;
}

static bool is_node(int wanted) {
    int node = session != NULL ? 0 : NONET_NO_NODE;
    while (node != NONET_NO_NODE && node != wanted)
        node = next_node(node);
    return node != NONET_NO_NODE;
}

/* All nodes but the first: of each its number, that of its parent, and the move to it. */
bool EXPORT(page_tree)(void) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (int node = next_node(0); node != NONET_NO_NODE; node = next_node(node)) {
        char name[NONET_MOVE_TEXT];
        struct nonet_text move = NONET_TEXT_IN(name);
        options.game->print(&options, nonet_session_move_to(session, node), &move);
        nonet_json_open(&json, '[');
        nonet_json_number(&json, node);
        nonet_json_number(&json, nonet_session_parent(session, node));
        nonet_json_string(&json, name);
        nonet_json_close(&json, ']');
    }
    nonet_json_close(&json, ']');
    return page_answered(&text);
}

/* The number of the current position. */
int EXPORT(page_node)(void) {
    return session != NULL ? nonet_session_node(session) : 0;
}

bool EXPORT(page_go)(int node) {
    if (!is_node(node))
        return page_none();
    drop_search();
    if (node == 0 || nonet_session_parent(session, node) != nonet_session_node(session))
        shown_ply = -1;
    nonet_session_go(session, node);
    return true;
}

/* Removes a node and what follows it. */
bool EXPORT(page_prune)(int node) {
    if (node == 0 || !is_node(node))
        return page_none();
    drop_search();
    shown_ply = -1;
    nonet_session_prune(session, node);
    return true;
}

/* Whether the move could be played; if not, the reason. */
bool EXPORT(page_why)(void) {
    struct nonet_message why;
    nonet_move move;
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (!options.game->parse(&options, input, &move, &why) ||
        !nonet_session_legal(session, move, &why))
        return page_refuse(&why);
    return true;
}

/* A state to try moves in: the current one as far as the viewer knows it, with invented values for
 * what is hidden from them. */
static void state_known_to(int viewer, struct nonet_state *state) {
    const struct nonet_game *game = options.game;
    if (game->hidden == NULL) {
        memcpy(state, nonet_session_state(session), game->state_size);
        return;
    }
    struct nonet_state seen;
    nonet_observe(&options, nonet_session_state(session), viewer, &seen);
    game->hidden->world(&options, &seen, viewer, 0, state);
}

/* What a move does: the pieces that left a place, those that arrived at one, which of them are the
 * same, and the events. */
static bool answer_difference(const struct nonet_scene *before, const struct nonet_scene *after,
                              const struct nonet_events *events) {
    static struct difference difference;
    difference_find(before, after, events, &difference);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    describe_difference(&json, before, after, &difference, &language);
    describe_events(&json, events, &language);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

static struct nonet_scene before, after;

/* What the move whose text is the input would do, without playing it. Where information is hidden,
 * the events would be guesses, so none are told. */
bool EXPORT(page_preview)(int viewer) {
    struct nonet_message why;
    nonet_move move;
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (options.game->wide != NULL || !options.game->parse(&options, input, &move, &why) ||
        !nonet_session_legal(session, move, &why))
        return page_none();
    struct nonet_state old, state;
    viewer = viewer_of(viewer);
    state_known_to(viewer, &state);
    old = state;
    nonet_scene_for(&options, &state, viewer, &before);
    options.game->play(&options, &state, NULL, move);
    nonet_scene_for(&options, &state, viewer, &after);
    nonet_events_for(&options, &old, move, &state, viewer, &events_told);
    if (options.game->hidden != NULL)
        events_told.count = 0;
    return answer_difference(&before, &after, &events_told);
}

/* What the ply-th move, from 1, did. */
bool EXPORT(page_difference)(int ply, int viewer) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (ply < 1 || ply > nonet_session_ply(session))
        return page_none();
    viewer = viewer_of(viewer);
    nonet_scene_for(&options, state_at(ply - 1), viewer, &before);
    nonet_scene_for(&options, state_at(ply), viewer, &after);
    nonet_session_events(session, ply - 1, viewer, &events_told);
    return answer_difference(&before, &after, &events_told);
}

/* The text of the move that a hand tries by touching places. The input lists their numbers, with
 * spaces between. */
bool EXPORT(page_spell)(void) {
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    static struct nonet_scene scene;
    uint16_t places[NONET_MAX_TOUCHES];
    int count = 0;
    nonet_scene_for(&options, nonet_session_state(session), NONET_SPECTATOR, &scene);
    for (char *number = strtok(input, " "); number != NULL && count < NONET_MAX_TOUCHES;
         number = strtok(NULL, " ")) {
        long place = strtol(number, NULL, 10);
        if (place >= 0 && place < scene.place_count)
            places[count++] = (uint16_t)place;
    }
    struct nonet_text text = page_answer();
    nonet_spell(&options, &scene, places, count, &text);
    return page_answered(&text);
}

/* Null where moves are listed. */
static const struct nonet_wide *wide_game(void) {
    return session != NULL ? options.game->wide : NULL;
}

/* Where there are too many moves to list: the text of the move that takes a piece from a place and
 * lays it down with this centre and angle. */
bool EXPORT(page_wish)(int place, int x, int y, int degrees) {
    nonet_move move;
    const struct nonet_wide *wide = wide_game();
    if (wide == NULL || place < 0 || place > UINT16_MAX ||
        !wide->wish(&options, (uint16_t)place, x, y, degrees, &move))
        return page_none();
    struct nonet_text text = page_answer();
    options.game->print(&options, move, &text);
    return page_answered(&text);
}

/* The piece that the move in the input would lay down. */
bool EXPORT(page_ghost)(void) {
    struct nonet_message why;
    nonet_move move;
    struct nonet_piece piece;
    if (wide_game() == NULL || !options.game->parse(&options, input, &move, &why))
        return page_none();
    options.game->wide->piece(&options, move, &piece);
    if (piece.place == NONET_NOWHERE)
        return page_none();
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    describe_piece(&json, &piece, &language);
    return page_answered(&text);
}

/* The legal move nearest to the input, of the same kind and angle. */
bool EXPORT(page_nearest)(void) {
    struct nonet_message why;
    nonet_move wish, found;
    const struct nonet_wide *wide = wide_game();
    if (wide == NULL || !options.game->parse(&options, input, &wish, &why) ||
        nonet_session_turn(session) == 0 ||
        !wide->nearest(&options, nonet_session_state(session), nonet_session_workspace(session),
                       wish, &found))
        return page_none();
    struct nonet_text text = page_answer();
    options.game->print(&options, found, &text);
    return page_answered(&text);
}

/* The centres where a move of the input's kind and angle is possible: rows of 64-bit words, lowest
 * bit first. Null where there are none. */
static int region_rows, region_words;
const uint64_t *EXPORT(page_region)(void) {
    struct nonet_message why;
    nonet_move like;
    if (wide_game() == NULL || !options.game->parse(&options, input, &like, &why))
        return NULL;
    return options.game->wide->region(&options, nonet_session_workspace(session), like,
                                      &region_rows, &region_words);
}

int EXPORT(page_region_rows)(void) {
    return region_rows;
}

int EXPORT(page_region_words)(void) {
    return region_words;
}

/* ---- Thinking ---- */

static struct nonet_player *player; /* null before the first search */
static bool thinking;
static struct nonet_report report;

static void drop_search(void) {
    if (player != NULL)
        nonet_player_end(player);
    thinking = false;
}

/* Memory of another game is of no use. */
static void forget_game(void) {
    drop_search();
    if (player != NULL)
        nonet_player_new_game(player);
}

/* Begins to think for the seat whose turn it is. */
bool EXPORT(page_think)(int level, uint64_t seed) {
    drop_search();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (level < 1 || level > NONET_SEARCH_LEVELS || nonet_session_turn(session) == 0)
        return page_none();
    const struct nonet_player_limits limits = {.level = level, .searches = 1, .seed = seed};
    if (player == NULL)
        player = nonet_player_open();
    thinking = player != NULL && nonet_player_begin(player, session, &limits);
    return thinking || page_no(PAGE_NO_MEMORY);
}

/* Thinks about this many more positions; true once there is nothing left to think about. */
bool EXPORT(page_advance)(uint64_t nodes) {
    return !thinking || nonet_player_advance(player, 0, nodes);
}

/* How many positions a level looks at; 0 if only time limits it. */
uint64_t EXPORT(page_level_nodes)(int level) {
    return session != NULL && level >= 1 && level <= NONET_SEARCH_LEVELS
               ? nonet_level(&options, level, 0).nodes
               : 0;
}

/* The move that it would play, and how it judges that move. */
bool EXPORT(page_report)(void) {
    if (!thinking)
        return page_none();
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_player_report(player, &report);
    nonet_json_open(&json, '{');
    describe_opinion(&json, &options, &report.moves[0], report.by);
    nonet_json_number_member(&json, "nodes", (int64_t)report.nodes);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

/* ---- Bench ---- */

/* The same as `nonet bench`, one game at a time: returns the signature so far. */
uint64_t EXPORT(page_bench)(int game, int players, uint64_t games, uint64_t nodes,
                            uint64_t signature) {
    struct nonet_options measured;
    struct measure_tally tally = {.signature = signature};
    nonet_options_default(&measured, nonet_games[game]);
    if (players != measured.players) {
        char assignment[] = "players=2";
        struct nonet_message why;
        assignment[8] = (char)('0' + players);
        nonet_options_set(&measured, assignment, &why);
    }
    if (games > 0)
        measure_games(&measured, games, &tally);
    if (nodes > 0)
        measure_searches(&measured, nodes, &tally);
    return tally.signature;
}

/* The last signature as `nonet bench` prints it. */
uint64_t EXPORT(page_bench_end)(uint64_t signature) {
    return nonet_hash_words(&signature, sizeof signature);
}
