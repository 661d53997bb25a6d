#include "editing.h"

#include <string.h>

#include "swap.h"

/* ---- Texts that are taken apart for the game: a board of letters, fields, the player to move ----
 */

static int board_width(const struct nonet_editing *e) {
    return e->scene.width / NONET_UNIT;
}

static int board_depth(const struct nonet_editing *e) {
    return e->scene.depth / NONET_UNIT;
}

static bool scan_field(const struct nonet_field *field, const char **cursor, int16_t *value) {
    const char *c = *cursor;
    uint32_t number;
    if (!nonet_scan_word(&c, " "))
        return false;
    if (field->texts == NULL) {
        if (!nonet_scan_number(&c, (uint32_t)field->most, &number))
            return false;
        *value = (int16_t)number;
    } else {
        *value = field->least;
        while (*value <= field->most && !nonet_scan_word(&c, field->texts[*value - field->least]))
            (*value)++;
    }
    *cursor = c;
    return true;
}

static bool take_apart_board(const struct nonet_editing *e, const char *text,
                             struct nonet_draft *draft) {
    char allowed[NONET_MAX_KINDS + 2] = ".", letters[NONET_MAX_SIDE * NONET_MAX_SIDE];
    for (int kind = 0; kind < e->kind_count; kind++)
        allowed[kind + 1] = e->kinds[kind].mark[0];
    struct nonet_message why;
    int width = board_width(e), depth = board_depth(e), turn;
    if (!nonet_board_scan(&text, width, depth, allowed, letters, &why))
        return false;
    for (int cell = 0; cell < width * depth; cell++)
        if (letters[cell] != '.' && draft->count < NONET_MAX_PIECES)
            draft->pieces[draft->count++] = (struct nonet_draft_piece){
                .kind = (uint8_t)(strchr(allowed, letters[cell]) - allowed - 1),
                .place = (uint16_t)cell};
    for (int i = 0; i < e->field_count; i++)
        if (!scan_field(&e->fields[i], &text, &draft->values[i]))
            return false;
    if (!nonet_turn_scan(&text, e->options.players, &turn, &why))
        return false;
    draft->turn = (int16_t)turn;
    return true;
}

static void put_together_board(const struct nonet_editing *e, const struct nonet_draft *draft,
                               struct nonet_text *out) {
    char letters[NONET_MAX_SIDE * NONET_MAX_SIDE];
    memset(letters, '.', sizeof letters);
    for (int i = 0; i < draft->count; i++)
        letters[draft->pieces[i].place] = e->kinds[draft->pieces[i].kind].mark[0];
    nonet_board_write(board_width(e), board_depth(e), letters, out);
    for (int i = 0; i < e->field_count; i++) {
        const struct nonet_field *field = &e->fields[i];
        if (field->texts != NULL)
            nonet_text_format(out, " %s", field->texts[draft->values[i] - field->least]);
        else
            nonet_text_format(out, " %d", draft->values[i]);
    }
    nonet_text_format(out, " %d", draft->turn);
}

/* ---- Drafts ---- */

static bool is_cell(const struct nonet_editing *e, int place) {
    return place >= 0 && place < e->scene.place_count && e->scene.places[place].kind == NONET_CELL;
}

/* Whatever a game made of a text, the rest relies on this. */
static bool makes_sense(const struct nonet_editing *e, const struct nonet_draft *draft) {
    bool sense = draft->count >= 0 && draft->count <= NONET_MAX_PIECES && draft->turn >= 0 &&
                 draft->turn <= e->options.players;
    for (int i = 0; sense && i < draft->count; i++) {
        const struct nonet_draft_piece *piece = &draft->pieces[i];
        sense = piece->kind < e->kind_count && piece->place < e->scene.place_count &&
                e->scene.places[piece->place].kind <= NONET_FLOOR;
    }
    for (int i = 0; sense && i < e->field_count; i++)
        sense = draft->values[i] >= e->fields[i].least && draft->values[i] <= e->fields[i].most;
    return sense;
}

static bool take_apart(const struct nonet_editing *e, const char *text, struct nonet_draft *draft) {
    const struct nonet_editor *editor = e->options.game->editor;
    memset(draft, 0, sizeof *draft);
    return strlen(text) < NONET_POSITION_TEXT &&
           (editor->take_apart != NULL ? editor->take_apart(&e->options, text, draft)
                                       : take_apart_board(e, text, draft)) &&
           makes_sense(e, draft);
}

static bool put_together(const struct nonet_editing *e, const struct nonet_draft *draft,
                         char line[NONET_POSITION_TEXT]) {
    const struct nonet_editor *editor = e->options.game->editor;
    struct nonet_text out = nonet_text_in(line, NONET_POSITION_TEXT);
    if (editor->put_together != NULL)
        editor->put_together(&e->options, draft, &out);
    else
        put_together_board(e, draft, &out);
    return !out.cut;
}

/* Whether the text is a position; then it is written as positions are. */
static bool judge(struct nonet_editing *e, char line[NONET_POSITION_TEXT]) {
    struct nonet_state state;
    const struct nonet_game *game = e->options.game;
    e->why = (struct nonet_message){0};
    e->is_position = game->read(&e->options, line, &state, e->workspace, &e->why);
    if (e->is_position) {
        struct nonet_text out = nonet_text_in(line, NONET_POSITION_TEXT);
        game->write(&e->options, &state, &out);
    }
    return e->is_position;
}

static bool judge_turn(struct nonet_editing *e, struct nonet_draft *draft, int turn,
                       char line[NONET_POSITION_TEXT]) {
    draft->turn = (int16_t)turn;
    put_together(e, draft, line);
    return judge(e, line);
}

/* Whether the draft is a position, perhaps with somebody else to move. If `read` names who that
 * must be, it is changed even where other reasons remain. */
static bool find_turn(struct nonet_editing *e, struct nonet_draft *draft,
                      char line[NONET_POSITION_TEXT]) {
    if (judge_turn(e, draft, draft->turn, line))
        return true;
    if (e->why.phrase == &nonet_common[NONET_SAY_WRONG_TURN] &&
        judge_turn(e, draft, e->why.arguments[0].number, line))
        return true;
    int before = draft->turn;
    for (int turn = 0; turn <= e->options.players; turn++)
        if (turn != before && judge_turn(e, draft, turn, line))
            return true;
    return judge_turn(e, draft, before, line);
}

/* ---- What the reason is about ---- */

static void add_about(uint16_t list[NONET_MAX_ABOUT], int *count, int index) {
    if (*count < NONET_MAX_ABOUT)
        list[(*count)++] = (uint16_t)index;
}

static void find_named(struct nonet_editing *e, const char *name) {
    const struct nonet_game *game = e->options.game;
    for (int place = 0; place < e->scene.place_count; place++)
        if (is_cell(e, place) && strcmp(e->scene.places[place].name, name) == 0)
            add_about(e->places, &e->place_count, place);
    nonet_move move;
    struct nonet_message why;
    struct nonet_piece piece;
    if (game->wide == NULL || !game->parse(&e->options, name, &move, &why))
        return;
    game->wide->piece(&e->options, move, &piece);
    for (int i = 0; i < e->scene.piece_count; i++) {
        const struct nonet_piece *other = &e->scene.pieces[i];
        if (other->x == piece.x && other->y == piece.y && other->angle == piece.angle &&
            other->height == piece.height)
            add_about(e->pieces, &e->piece_count, i);
    }
}

/* Arguments that are names of cells, also several with commas between them; or pieces on a floor,
 * as the moves that put them there. */
static void find_about(struct nonet_editing *e) {
    e->place_count = e->piece_count = 0;
    for (int i = 0; !e->is_position && i < NONET_ARGUMENTS; i++) {
        const struct nonet_argument *argument = &e->why.arguments[i];
        if (argument->kind != NONET_ARG_TEXT)
            continue;
        find_named(e, argument->text);
        char names[NONET_ARGUMENT_TEXT], *rest = names;
        struct nonet_text copy = NONET_TEXT_IN(names);
        nonet_text_add(&copy, argument->text);
        for (char *comma; (comma = strstr(rest, ", ")) != NULL; rest = comma + 2) {
            *comma = '\0';
            find_named(e, rest);
        }
        if (rest != names)
            find_named(e, rest);
    }
}

/* ---- The scene of a draft ---- */

static void draw(struct nonet_editing *e) {
    struct nonet_scene *scene = &e->scene;
    const struct nonet_wide *wide = e->options.game->wide;
    int32_t top[NONET_MAX_PLACES] = {0};
    scene->piece_count = scene->figure_count = 0;
    for (int i = 0; i < e->draft.count; i++) {
        const struct nonet_draft_piece *drafted = &e->draft.pieces[i];
        const struct nonet_place *place = &scene->places[drafted->place];
        struct nonet_piece piece = e->kinds[drafted->kind];
        nonet_move move;
        if (wide != NULL &&
            wide->wish(&e->options, piece.place, drafted->x, drafted->y, drafted->angle, &move)) {
            wide->piece(&e->options, move, &piece);
        } else {
            /* In the middle of a cell, or, where it covers several, from its lower-left corner. */
            piece.x = place->x + (piece.width > place->width ? piece.width : place->width) / 2;
            piece.y = place->y + (piece.depth > place->depth ? piece.depth : place->depth) / 2;
            piece.z = top[drafted->place];
            top[drafted->place] += piece.height;
        }
        piece.place = drafted->place;
        piece.count = 1;
        scene->pieces[scene->piece_count++] = piece;
    }
}

/* Takes a text as the draft that is shown. */
static bool show(struct nonet_editing *e, const char *line) {
    if (!take_apart(e, line, &e->draft))
        return false;
    struct nonet_text copy = NONET_TEXT_IN(e->text);
    nonet_text_add(&copy, line);
    draw(e);
    find_about(e);
    return true;
}

bool nonet_editing_begin(struct nonet_editing *editing, const struct nonet_options *played,
                         void *workspace) {
    memset(editing, 0, sizeof *editing);
    editing->options = nonet_swap_without(played);
    editing->swap = played->game->inner != NULL;
    const struct nonet_options *options = &editing->options;
    const struct nonet_game *game = options->game;
    if (game->editor == NULL)
        return false;
    struct nonet_state first, seen;
    editing->workspace = workspace;
    game->start(options, &first, workspace);
    nonet_scene_for(options, &first, NONET_SPECTATOR, &editing->scene);
    editing->kind_count = game->editor->kinds(options, editing->kinds);
    for (int kind = 0; kind < editing->kind_count; kind++)
        if (editing->kinds[kind].width == 0)
            nonet_piece_fit(&editing->kinds[kind], &editing->scene.places[0]);
    if (game->editor->fields != NULL)
        editing->field_count = game->editor->fields(options, editing->fields);
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_observe(options, &first, NONET_SPECTATOR, &seen);
    game->write(options, &seen, &text);
    judge(editing, line);
    return show(editing, line);
}

bool nonet_editing_read(struct nonet_editing *editing, const char *text,
                        struct nonet_message *why) {
    struct nonet_draft draft;
    char line[NONET_POSITION_TEXT];
    struct nonet_text copy = NONET_TEXT_IN(line);
    size_t length = editing->swap ? nonet_swap_text(text) : strlen(text);
    nonet_text_format(&copy, "%.*s", length < sizeof line ? (int)length : (int)sizeof line, text);
    if (!take_apart(editing, line, &draft)) {
        struct nonet_state state;
        *why = nonet_say(&nonet_common[NONET_SAY_NO_POSITION]);
        editing->options.game->read(&editing->options, line, &state, editing->workspace, why);
        return false;
    }
    judge(editing, line);
    return show(editing, line);
}

/* What every edit ends with. */
static bool finish(struct nonet_editing *e, struct nonet_draft *draft, int edited) {
    const struct nonet_editor *editor = e->options.game->editor;
    char line[NONET_POSITION_TEXT];
    struct nonet_draft after;
    if (editor->settle != NULL)
        editor->settle(&e->options, &e->draft, draft, edited);
    if (!put_together(e, draft, line) || !take_apart(e, line, &after))
        return false;
    if (edited == NONET_EDITED_TURN)
        judge(e, line);
    else
        find_turn(e, draft, line);
    return show(e, line);
}

static void remove_piece(struct nonet_draft *draft, int index) {
    draft->count--;
    memmove(&draft->pieces[index], &draft->pieces[index + 1],
            (size_t)(draft->count - index) * sizeof draft->pieces[0]);
}

bool nonet_editing_put(struct nonet_editing *editing, int kind, int place, int32_t x, int32_t y,
                       int degrees) {
    struct nonet_draft draft = editing->draft;
    const struct nonet_wide *wide = editing->options.game->wide;
    if (kind < 0 || kind >= editing->kind_count || place < 0 ||
        place >= editing->scene.place_count || draft.count == NONET_MAX_PIECES)
        return false;
    struct nonet_draft_piece put = {.kind = (uint8_t)kind, .place = (uint16_t)place};
    if (is_cell(editing, place)) {
        int piled = 0, last = -1;
        for (int i = 0; i < draft.count; i++)
            if (draft.pieces[i].place == place) {
                piled++;
                last = i;
            }
        if (piled > 0 && editing->kinds[kind].count == 1)
            remove_piece(&draft, last);
        else if (piled >= editing->kinds[kind].count)
            return false;
    } else {
        nonet_move move;
        struct nonet_piece piece;
        if (editing->scene.places[place].kind != NONET_FLOOR || wide == NULL ||
            !wide->wish(&editing->options, editing->kinds[kind].place, x, y, degrees, &move))
            return false;
        wide->piece(&editing->options, move, &piece);
        put.x = piece.x;
        put.y = piece.y;
        put.angle = piece.angle;
    }
    draft.pieces[draft.count++] = put;
    return finish(editing, &draft, NONET_EDITED_PIECES);
}

bool nonet_editing_take(struct nonet_editing *editing, int index) {
    struct nonet_draft draft = editing->draft;
    if (index < 0 || index >= draft.count)
        return false;
    remove_piece(&draft, index);
    return finish(editing, &draft, NONET_EDITED_PIECES);
}

bool nonet_editing_clear(struct nonet_editing *editing) {
    struct nonet_draft draft = editing->draft;
    draft.count = 0;
    return finish(editing, &draft, NONET_EDITED_PIECES);
}

bool nonet_editing_set(struct nonet_editing *editing, int field, int value) {
    struct nonet_draft draft = editing->draft;
    if (field < 0 || field >= editing->field_count || value < editing->fields[field].least ||
        value > editing->fields[field].most)
        return false;
    draft.values[field] = (int16_t)value;
    return finish(editing, &draft, field);
}

bool nonet_editing_turn(struct nonet_editing *editing, int player) {
    struct nonet_draft draft = editing->draft;
    if (player < 1 || player > editing->options.players)
        return false;
    draft.turn = (int16_t)player;
    return finish(editing, &draft, NONET_EDITED_TURN);
}
