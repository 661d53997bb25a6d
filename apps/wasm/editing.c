/* The position editor: a draft, and what edits make of it (rules/editing.h). Nothing is kept
 * between calls but the memory to work in. The current game gives the options, and a position to
 * begin with. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "page.h"
#include "rules/editing.h"
#include "rules/hidden.h"
#include "rules/wide.h"
#include "study.h"
#include "study/describe.h"

static struct nonet_editing editing;

/* A workspace for a wide game; null for any other, or if there is no memory. */
static void *workspace_of(const struct nonet_game *game) {
    static void *workspace;
    static size_t size;
    if (game->wide == NULL)
        return NULL;
    if (size < game->wide->workspace_size) {
        free(workspace);
        workspace = malloc(game->wide->workspace_size);
        size = workspace != NULL ? game->wide->workspace_size : 0;
    }
    return workspace;
}

/* A line is a word and numbers: "put KIND PLACE", "lay KIND PLACE X Y DEGREES", "take PIECE",
 * "set FIELD VALUE", "turn PLAYER", "clear". */
static bool edit(const char *line) {
    long numbers[5] = {0};
    const char *rest = line + strcspn(line, " ");
    size_t length = (size_t)(rest - line);
    for (int i = 0; i < 5; i++) {
        char *end;
        long number = strtol(rest, &end, 10);
        numbers[i] = number < INT16_MIN * 100 ? -1 : number > INT16_MAX * 100 ? -1 : number;
        rest = end;
    }
    int first = (int)numbers[0], second = (int)numbers[1];
    if (length == 3 && (strncmp(line, "put", length) == 0 || strncmp(line, "lay", length) == 0))
        return nonet_editing_put(&editing, first, second, (int32_t)numbers[2], (int32_t)numbers[3],
                                 (int)numbers[4]);
    if (strncmp(line, "take", length) == 0)
        return nonet_editing_take(&editing, first);
    if (strncmp(line, "set", length) == 0)
        return nonet_editing_set(&editing, first, second);
    if (strncmp(line, "turn", length) == 0)
        return nonet_editing_turn(&editing, first);
    return strncmp(line, "clear", length) == 0 && nonet_editing_clear(&editing);
}

static void write_message(struct nonet_json *json, const struct nonet_message *message) {
    char line[1024];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_message_write(message, page_words(), &text);
    nonet_json_string(json, line);
}

static void write_numbers(struct nonet_json *json, const char *name, const uint16_t *numbers,
                          int count) {
    nonet_json_name(json, name);
    nonet_json_open(json, '[');
    for (int i = 0; i < count; i++)
        nonet_json_number(json, numbers[i]);
    nonet_json_close(json, ']');
}

static void write_fields(struct nonet_json *json) {
    nonet_json_name(json, "fields");
    nonet_json_open(json, '[');
    for (int i = 0; i < editing.field_count; i++) {
        const struct nonet_field *field = &editing.fields[i];
        nonet_json_open(json, '{');
        nonet_json_name(json, "label");
        write_message(json, &field->label);
        nonet_json_number_member(json, "least", field->least);
        nonet_json_number_member(json, "most", field->most);
        nonet_json_number_member(json, "value", editing.draft.values[i]);
        nonet_json_name(json, "names");
        nonet_json_open(json, '[');
        for (int value = 0; field->names != NULL && value <= field->most - field->least; value++)
            write_message(json, &nonet_say(&field->names[value]));
        nonet_json_close(json, ']');
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

/* What can be played from: the position, with what nobody told drawn by lot. Whether it is over,
 * and what is in the hands, where that follows from the board. */
static void write_position(struct nonet_json *json, uint64_t seed) {
    static struct nonet_scene scene;
    const struct nonet_options *options = &editing.options;
    const struct nonet_game *game = options->game;
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    struct nonet_state state, whole;
    struct nonet_message why;
    nonet_json_name(json, "position");
    if (!editing.is_position ||
        !game->read(options, editing.text, &state, editing.workspace, &why)) {
        nonet_json_null(json);
        return;
    }
    memcpy(&whole, &state, game->state_size);
    bool dealt = !nonet_is_whole(options, &state);
    if (dealt) {
        int worlds = game->hidden->worlds(options, &state, NONET_SPECTATOR);
        game->hidden->world(options, &state, NONET_SPECTATOR, (int)(seed % (uint64_t)worlds),
                            &whole);
    }
    game->write(options, &whole, &text);
    memset(&scene, 0, sizeof scene);
    game->scene(options, &state, &scene);
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "text", line);
    nonet_json_bool_member(json, "dealt", dealt);
    nonet_json_bool_member(json, "over", game->turn(options, &state) == 0);
    nonet_json_name(json, "hands");
    nonet_json_open(json, '[');
    for (int i = 0; i < scene.piece_count && editing.field_count == 0; i++)
        if (scene.places[scene.pieces[i].place].kind == NONET_HAND)
            write_message(json, &scene.pieces[i].label);
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

/* The position where the game stands, as everybody sees it. */
static void write_current(const struct nonet_session *session, char line[NONET_POSITION_TEXT]) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_text text = nonet_text_in(line, NONET_POSITION_TEXT);
    struct nonet_state seen;
    nonet_observe(options, nonet_session_state(session), NONET_SPECTATOR, &seen);
    options->game->write(options, &seen, &text);
}

/* The input has a draft in its first line, nothing for the current position, and an edit in each of
 * the others. The answer describes the draft that this makes; `refused` counts edits that could not
 * be made. A text that is no draft is refused with the reason. */
bool EXPORT(study_edit)(uint64_t seed) {
    struct nonet_session *session = page_session();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    const struct nonet_options *options = nonet_session_options(session);
    void *workspace = workspace_of(options->game);
    if (options->game->wide != NULL && workspace == NULL)
        return page_no(PAGE_NO_MEMORY);
    char *line = page_input(), *rest = strchr(line, '\n');
    struct nonet_message why;
    int refused = 0;
    if (rest != NULL)
        *rest++ = '\0';
    if (!nonet_editing_begin(&editing, options, workspace))
        return page_none();
    char current[NONET_POSITION_TEXT];
    if (*line == '\0') {
        write_current(session, current);
        line = current;
    }
    if (!nonet_editing_read(&editing, line, &why))
        return page_refuse(&why);
    for (char *next = rest; next != NULL; next = rest) {
        rest = strchr(next, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        refused += !edit(next);
    }
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "text", editing.text);
    nonet_json_number_member(&json, "refused", refused);
    nonet_json_number_member(&json, "turn", editing.draft.turn);
    nonet_json_name(&json, "why");
    write_message(&json, &editing.why);
    write_numbers(&json, "places", editing.places, editing.place_count);
    write_numbers(&json, "pieces", editing.pieces, editing.piece_count);
    write_position(&json, seed);
    nonet_json_name(&json, "kinds");
    nonet_json_open(&json, '[');
    for (int kind = 0; kind < editing.kind_count; kind++)
        describe_piece(&json, &editing.kinds[kind], page_words());
    nonet_json_close(&json, ']');
    nonet_json_name(&json, "drafted"); /* the kinds of the pieces */
    nonet_json_open(&json, '[');
    for (int i = 0; i < editing.draft.count; i++)
        nonet_json_number(&json, editing.draft.pieces[i].kind);
    nonet_json_close(&json, ']');
    write_fields(&json);
    nonet_json_name(&json, "scene");
    describe_scene(&json, &editing.scene, page_words());
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
