/* What the page calls: the engine in the browser, as WebAssembly.
 *
 * An instance holds one game. The page keeps one to show, and a worker another one of the same game
 * to think with. Texts go in through one buffer and come out through another: the page writes what
 * a function asks for at page_input(), ended by a zero byte, calls it, and reads the answer at
 * page_output(). Functions that can refuse return whether they did it; if not, the answer is the
 * reason, in the language that page_language has set.
 *
 * Nothing here knows a particular game, or shows a viewer more than he may see. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "rules/hidden.h"
#include "rules/setup.h"
#include "rules/wide.h"
#include "search/search.h"
#include "study/describe.h"
#include "study/draw_svg.h"
#include "study/measure.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

enum { INPUT = 1 << 20, OUTPUT = 1 << 20 };
static char input[INPUT], output[OUTPUT];

static struct nonet_session *session; /* null before the first game */
static struct nonet_options options;  /* of it */

char *EXPORT(page_input)(void) {
    return input;
}

int EXPORT(page_input_room)(void) {
    return INPUT;
}

const char *EXPORT(page_output)(void) {
    return output;
}

/* ---- Words ---- */

/* The catalogue: lines of a key, a tab and a text, as the page sent them, cut at tabs and ends. */
static char *words;
static size_t words_size;

static const char *word_of(const struct nonet_phrase *phrase) {
    for (size_t at = 0; at < words_size;) {
        const char *key = words + at, *text = key + strlen(key) + 1;
        if (strcmp(key, phrase->key) == 0)
            return text;
        at += (size_t)(text - key) + strlen(text) + 1;
    }
    return NULL;
}

/* Takes a catalogue, "key<TAB>text" in each line. What it lacks is said in English. */
bool EXPORT(page_language)(void) {
    size_t size = strlen(input);
    char *taken = malloc(size + 2);
    if (taken == NULL)
        return false;
    size_t end = 0;
    for (char *line = strtok(input, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *tab = strchr(line, '\t');
        if (tab == NULL)
            continue;
        size_t length = strlen(line) + 1;
        *tab = '\0';
        memcpy(taken + end, line, length);
        end += length;
    }
    free(words);
    words = taken;
    words_size = end;
    return true;
}

static void write_phrases(struct nonet_json *json, const struct nonet_phrase *phrases, int count) {
    for (int i = 0; i < count; i++) {
        nonet_json_name(json, phrases[i].key);
        nonet_json_string(json, phrases[i].english);
    }
}

/* Everything the engine can say, by key, in English. */
void EXPORT(page_phrases)(void) {
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    write_phrases(&json, nonet_common, NONET_COMMON_PHRASES);
    write_phrases(&json, nonet_option_phrases, nonet_option_phrase_count);
    for (int i = 0; i < nonet_game_count; i++)
        write_phrases(&json, nonet_games[i]->phrases, nonet_games[i]->phrase_count);
    nonet_json_close(&json, '}');
}

static bool refuse(const struct nonet_message *why) {
    struct nonet_text text = NONET_TEXT_IN(output);
    nonet_message_write(why, word_of, &text);
    return false;
}

/* ---- The shelf ---- */

void EXPORT(page_shelf)(void) {
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (int i = 0; i < nonet_game_count; i++)
        describe_game(&json, nonet_games[i]);
    nonet_json_close(&json, ']');
}

/* ---- Setting up a game ---- */

static bool no_memory(void) {
    strcpy(output, "memory");
    return false;
}

static void drop_search(void);

/* A game from the lines that nonet_setup_read takes. Chance decides by the two numbers, where
 * options do not. */
bool EXPORT(page_new)(uint64_t open, uint64_t secret) {
    const struct nonet_chance chance = {open, secret};
    struct nonet_setup_error error;
    struct nonet_session *fresh = nonet_setup_read(input, &chance, &error);
    if (fresh == NULL && error.kind == NONET_SETUP_MEMORY)
        return no_memory();
    if (fresh == NULL)
        return refuse(&error.why);
    drop_search();
    nonet_session_free(session);
    session = fresh;
    options = *nonet_session_options(session);
    return true;
}

/* ---- Keeping a game ---- */

/* An envelope, not a safe: what is hidden shall not be read by accident by whoever looks into the
 * browser's storage. */
static void seal(char *bytes, size_t size, uint64_t number) {
    struct nonet_random random = {number};
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(bytes[i] ^ (char)nonet_random_next(&random));
}

static const char sealed_mark[] = "sealed:";

static bool hides(void) {
    return options.game->hidden != NULL && nonet_session_turn(session) != 0;
}

/* The game so far as text, for page_restore. While a game hides something, it is sealed. */
bool EXPORT(page_keep)(uint64_t number) {
    static char plain[OUTPUT / 4];
    struct nonet_text text = NONET_TEXT_IN(plain), out = NONET_TEXT_IN(output);
    nonet_setup_write(session, &text);
    if (text.cut)
        return no_memory();
    if (!hides()) {
        nonet_text_add(&out, plain);
        return true;
    }
    seal(plain, text.length, number);
    nonet_text_format(&out, "%s%016llx", sealed_mark, (unsigned long long)number);
    for (size_t i = 0; i < text.length; i++)
        nonet_text_format(&out, "%02x", (unsigned)(unsigned char)plain[i]);
    return true;
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Opens the envelope in place; false if it is none, or damaged. */
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

/* Takes back what page_keep gave. */
bool EXPORT(page_restore)(void) {
    if (strncmp(input, sealed_mark, strlen(sealed_mark)) == 0 && !unseal()) {
        strcpy(output, "damaged");
        return false;
    }
    return page_new(0, 0);
}

/* ---- The position ---- */

static void write_moves(struct nonet_json *json) {
    nonet_json_name(json, "count");
    nonet_json_number(json, (int64_t)nonet_session_count(session));
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

/* The state before a move, or the current one. */
static const void *state_at(int ply) {
    return ply < nonet_session_ply(session) ? nonet_session_state_before(session, ply)
                                            : nonet_session_state(session);
}

static void write_scene(struct nonet_json *json, int ply, int viewer) {
    static struct nonet_scene scene;
    nonet_scene_for(&options, state_at(ply), viewer, &scene);
    nonet_json_name(json, "scene");
    describe_scene(json, &scene, word_of);
}

/* What this seat sees and nobody else does, in words: the labels of its own pieces that have no
 * face for a spectator. */
static void write_secret(struct nonet_json *json, int viewer) {
    static struct nonet_scene seen, open;
    if (viewer == NONET_SPECTATOR || !hides())
        return;
    nonet_scene_for(&options, nonet_session_state(session), viewer, &seen);
    nonet_scene_for(&options, nonet_session_state(session), NONET_SPECTATOR, &open);
    for (int i = 0; i < seen.piece_count && i < open.piece_count; i++) {
        if (seen.pieces[i].owner != viewer || open.pieces[i].material != NONET_HIDDEN)
            continue;
        char label[256];
        struct nonet_text text = NONET_TEXT_IN(label);
        nonet_message_write(&seen.pieces[i].label, word_of, &text);
        nonet_json_name(json, "secret");
        nonet_json_string(json, label);
        return;
    }
}

/* All there is to show a viewer: a seat, or 0 for one who holds none. Each move comes as its text
 * and the places that a hand touches to make it. */
void EXPORT(page_position)(int viewer) {
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    struct nonet_result result = {0};
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    int turn = nonet_session_turn(session);
    if (turn == 0)
        nonet_session_result(session, &result);
    nonet_message_write(&result.reason, word_of, &why);
    nonet_json_open(&json, '{');
    nonet_json_name(&json, "ply");
    nonet_json_number(&json, nonet_session_ply(session));
    nonet_json_name(&json, "turn");
    nonet_json_number(&json, turn);
    describe_result(&json, session);
    nonet_json_name(&json, "reason");
    nonet_json_string(&json, reason);
    write_secret(&json, viewer);
    write_moves(&json);
    write_scene(&json, nonet_session_ply(session), viewer);
    nonet_json_close(&json, '}');
}

/* The scene as it was before the ply-th move, from 0, for stepping through a game. */
void EXPORT(page_scene)(int ply, int viewer) {
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    write_scene(&json, ply, viewer);
    nonet_json_close(&json, '}');
}

/* The position as a picture. */
void EXPORT(page_picture)(int viewer) {
    static struct nonet_scene scene;
    struct nonet_text text = NONET_TEXT_IN(output);
    const struct draw_svg_style style = {
        .title = options.game->title, .coordinates = true, .catalogue = word_of};
    nonet_scene_for(&options, nonet_session_state(session), viewer, &scene);
    draw_svg(&scene, &style, &text);
}

/* The options that set up the same game again, and "from" where it began at another position: what
 * is hidden too, once the game is over. */
void EXPORT(page_options)(void) {
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    enum nonet_telling telling = hides() ? NONET_TELL_RULES : nonet_setup_telling(session);
    for (int i = -1; (i = nonet_option_next(&options, i, telling)) >= 0;) {
        nonet_json_name(&json, options.game->options[i].key);
        nonet_json_string(&json, options.value[i].text);
    }
    if (nonet_session_began_elsewhere(session) && !hides()) {
        char first[NONET_POSITION_TEXT];
        struct nonet_text position = NONET_TEXT_IN(first);
        options.game->write(&options, nonet_session_state_before(session, 0), &position);
        nonet_json_name(&json, "from");
        nonet_json_string(&json, first);
    }
    nonet_json_close(&json, '}');
}

/* The moves so far: who, and what. */
void EXPORT(page_history)(void) {
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (int i = 0; i < nonet_session_ply(session); i++) {
        char name[NONET_MOVE_TEXT];
        struct nonet_text move = NONET_TEXT_IN(name);
        options.game->print(&options, nonet_session_move(session, i), &move);
        nonet_json_open(&json, '[');
        nonet_json_number(&json, options.game->turn(&options, state_at(i)));
        nonet_json_string(&json, name);
        nonet_json_close(&json, ']');
    }
    nonet_json_close(&json, ']');
}

/* ---- Moves ---- */

/* Plays the move whose text is the input. */
bool EXPORT(page_play)(void) {
    struct nonet_message why;
    if (!nonet_session_play_text(session, input, &why))
        return refuse(&why);
    drop_search();
    return true;
}

/* Whether it could be played, with the reason if not. */
bool EXPORT(page_why)(void) {
    struct nonet_message why;
    nonet_move move;
    if (!options.game->parse(&options, input, &move, &why) ||
        !nonet_session_legal(session, move, &why))
        return refuse(&why);
    return true;
}

/* A state like the present one as far as the viewer knows, to try moves in: what is hidden from him
 * is made up. */
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

static bool lies_on_board(const struct nonet_scene *scene, const struct nonet_piece *piece) {
    return scene->places[piece->place].kind == NONET_CELL;
}

/* Writes the pieces on the board of one scene that the other does not have. */
static void write_difference(struct nonet_json *json, const char *name,
                             const struct nonet_scene *scene, const struct nonet_scene *other) {
    nonet_json_name(json, name);
    nonet_json_open(json, '[');
    for (int i = 0; i < scene->piece_count; i++) {
        const struct nonet_piece *piece = &scene->pieces[i];
        bool found = !lies_on_board(scene, piece);
        for (int j = 0; j < other->piece_count && !found; j++) {
            const struct nonet_piece *same = &other->pieces[j];
            found = same->place == piece->place && same->shape == piece->shape &&
                    same->material == piece->material && same->z == piece->z &&
                    same->width == piece->width && same->depth == piece->depth;
        }
        if (!found)
            describe_piece(json, piece, word_of);
    }
    nonet_json_close(json, ']');
}

/* What the move whose text is the input would change on the board, without playing it: the pieces
 * that would leave their places, and those that would then stand there. */
bool EXPORT(page_preview)(int viewer) {
    static struct nonet_scene before, after;
    struct nonet_message why;
    nonet_move move;
    if (options.game->wide != NULL || !options.game->parse(&options, input, &move, &why) ||
        !nonet_session_legal(session, move, &why))
        return false;
    struct nonet_state state;
    state_known_to(viewer, &state);
    nonet_scene_for(&options, &state, viewer, &before);
    options.game->play(&options, &state, NULL, move);
    nonet_scene_for(&options, &state, viewer, &after);
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    write_difference(&json, "gone", &before, &after);
    write_difference(&json, "placed", &after, &before);
    nonet_json_close(&json, '}');
    return true;
}

/* The text of what a hand tries that touches the places whose numbers the input lists, with spaces
 * between. */
void EXPORT(page_spell)(void) {
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
    struct nonet_text text = NONET_TEXT_IN(output);
    nonet_spell(&options, &scene, places, count, &text);
}

bool EXPORT(page_undo)(void) {
    drop_search();
    return nonet_session_undo(session);
}

bool EXPORT(page_redo)(void) {
    drop_search();
    return nonet_session_redo(session);
}

/* Where moves are too many to list: the text of the move that lays down a piece taken from a place
 * with its centre there, turned so far. */
bool EXPORT(page_wish)(int place, int x, int y, int degrees) {
    nonet_move move;
    const struct nonet_wide *wide = options.game->wide;
    if (wide == NULL || place < 0 || !wide->wish(&options, (uint16_t)place, x, y, degrees, &move))
        return false;
    struct nonet_text text = NONET_TEXT_IN(output);
    options.game->print(&options, move, &text);
    return true;
}

/* The piece that the move in the input would lay down. */
bool EXPORT(page_ghost)(void) {
    struct nonet_message why;
    nonet_move move;
    struct nonet_piece piece;
    if (options.game->wide == NULL || !options.game->parse(&options, input, &move, &why))
        return false;
    options.game->wide->piece(&options, move, &piece);
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    describe_piece(&json, &piece, word_of);
    return true;
}

/* The legal one nearest to the input, of the same kind and angle. */
bool EXPORT(page_nearest)(void) {
    struct nonet_message why;
    nonet_move wish, found;
    const struct nonet_wide *wide = options.game->wide;
    if (wide == NULL || !options.game->parse(&options, input, &wish, &why) ||
        nonet_session_turn(session) == 0 ||
        !wide->nearest(&options, nonet_session_state(session), nonet_session_workspace(session),
                       wish, &found))
        return false;
    struct nonet_text text = NONET_TEXT_IN(output);
    options.game->print(&options, found, &text);
    return true;
}

/* And the centres where a move of the input's kind and angle is possible: rows of 64-bit words,
 * lowest bit first. Null where there are none. */
static int region_rows, region_words;
const uint64_t *EXPORT(page_region)(void) {
    struct nonet_message why;
    nonet_move like;
    if (options.game->wide == NULL || !options.game->parse(&options, input, &like, &why))
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

static struct nonet_search_task task;
static const struct nonet_searcher *searcher; /* null while nobody thinks */
static void *search;
static struct nonet_report report;

static void drop_search(void) {
    if (searcher == NULL)
        return;
    free(search);
    free(task.shared);
    nonet_search_task_close(&task);
    searcher = NULL;
}

/* Begins to think for the seat whose turn it is. */
bool EXPORT(page_think)(int level, uint64_t seed) {
    enum { SHARED = 16 << 20 };
    drop_search();
    if (nonet_session_turn(session) == 0 ||
        !nonet_search_task_open(&task, session, nonet_session_turn(session)))
        return no_memory();
    task.level = level;
    task.seed = seed;
    task.shared = aligned_alloc(NONET_SEARCH_ALIGN, SHARED);
    task.shared_size = SHARED;
    searcher = nonet_searcher_for(&task);
    search = aligned_alloc(NONET_SEARCH_ALIGN, searcher->size(&task));
    if (task.shared == NULL || search == NULL) {
        drop_search();
        return no_memory();
    }
    memset(task.shared, 0, SHARED);
    searcher->begin(search, &task);
    return true;
}

/* Thinks about so many positions more; true once there is nothing left to think about. */
bool EXPORT(page_advance)(uint64_t nodes) {
    return searcher == NULL || searcher->advance(search, nodes);
}

/* How many a level looks at; 0 where only time limits it. */
uint64_t EXPORT(page_level_nodes)(int level) {
    return nonet_level(&options, level).nodes;
}

/* What it would play, and how it judges that. */
void EXPORT(page_report)(void) {
    static const char *const known[] = {
        [NONET_ESTIMATED] = "estimated", [NONET_SEARCHED] = "searched", [NONET_PROVEN] = "proven"};
    struct nonet_text text = NONET_TEXT_IN(output);
    struct nonet_json json = nonet_json_in(&text);
    searcher->report(search, &report);
    const struct nonet_opinion *best = &report.moves[0];
    char name[NONET_MOVE_TEXT];
    struct nonet_text move = NONET_TEXT_IN(name);
    options.game->print(&options, best->move, &move);
    nonet_json_open(&json, '{');
    nonet_json_name(&json, "move");
    nonet_json_string(&json, name);
    nonet_json_name(&json, "known");
    nonet_json_string(&json, known[best->known]);
    nonet_json_name(&json, "score");
    nonet_json_number(&json, best->score);
    if (best->known == NONET_PROVEN)
        describe_value(&json, &best->value);
    nonet_json_name(&json, "nodes");
    nonet_json_number(&json, (int64_t)report.nodes);
    nonet_json_close(&json, '}');
}

/* ---- Bench ---- */

/* The same as `nonet bench`, a game at a time: returns the signature so far. */
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

/* What `nonet bench` prints of the last signature. */
uint64_t EXPORT(page_bench_end)(uint64_t signature) {
    return nonet_hash(&signature, sizeof signature);
}
