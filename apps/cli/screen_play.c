#include "screen_play.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "rules/hidden.h"
#include "rules/wide.h"
#include "screen_board.h"
#include "touching.h"
#include "words.h"

enum {
    PANEL = 31,       /* least columns beside the board */
    MOST_ITEMS = 24,  /* that can be touched beside the board */
    SAID = 8192,      /* bytes of what is said at once */
    NO_LOOKING = -1,  /* the present position is shown */
    NO_REPORT = -1,   /* no position has been analysed */
    LINE_ROOM = 512,  /* of what is typed */
    SHOWN_MOVES = 60, /* at the end of the list of moves */
};

/* Something beside the board that can be touched. */
struct item {
    int place;
    int row, column, columns;
};

struct play {
    struct tabletop *tabletop;
    struct nonet_scene scene, after;
    struct board board;
    struct touching touching;
    int node;    /* that all of the above is for */
    bool active; /* a person may touch something now */

    int cursor; /* the cell where the hand is */
    /* The piece over a floor: where it comes from, where it is wanted, and where it would lie. */
    int kind, degrees, step;
    int32_t x, y;
    bool fits;
    nonet_move lies;
    struct nonet_piece ghost;

    struct item items[MOST_ITEMS];
    int item_count;
    int pressed; /* the place where the mouse button went down, or -1 */

    const struct nonet_session *session; /* that the nodes are of */
    int looking;                         /* the node to come back to, or NO_LOOKING */
    int judged;                          /* the node that the opinion is about, or NO_REPORT */
    bool settled;
    char opinion[256], line[2048];

    bool ended, leaving_asked;
    bool building; /* the message is about a table that is being built */
    struct nonet_text said;
    char said_bytes[SAID], message[SAID];
};

static const struct nonet_game *game_of(const struct play *play) {
    return tabletop_options(play->tabletop)->game;
}

static struct nonet_session *session_of(const struct play *play) {
    return play->tabletop->record.session;
}

/* ---- What is said ---- */

static void tell(struct play *play, struct nonet_message message) {
    struct nonet_text text = NONET_TEXT_IN(play->message);
    cli_write(&text, message);
}

/* What was said since the last time becomes the message; a long one is a page of its own. */
static void take_said(struct play *play) {
    enum { MANY_LINES = 8 };
    if (play->said.length == 0)
        return;
    int lines = 0;
    for (const char *c = play->said_bytes; *c != '\0'; c++)
        lines += *c == '\n';
    if (lines > MANY_LINES) {
        screen_page(play->tabletop->terminal, game_of(play)->title, play->said_bytes);
        play->message[0] = '\0';
    } else {
        strcpy(play->message, play->said_bytes);
    }
    play->said = NONET_TEXT_IN(play->said_bytes);
}

/* ---- The position ---- */

static bool is_cell(const struct play *play, int place) {
    return play->scene.places[place].kind == NONET_CELL;
}

static int nearest_cell(const struct play *play, int64_t x, int64_t y) {
    int best = -1;
    int64_t least = INT64_MAX;
    for (int i = 0; i < play->scene.place_count; i++) {
        const struct nonet_place *place = &play->scene.places[i];
        int64_t dx = place->x + place->width / 2 - x, dy = place->y + place->depth / 2 - y;
        if (place->kind == NONET_CELL && dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = i;
        }
    }
    return best;
}

/* Where the piece over the floor would lie, nearest to where it is wanted. */
static void settle_ghost(struct play *play) {
    const struct nonet_options *options = tabletop_options(play->tabletop);
    const struct nonet_wide *wide = options->game->wide;
    const struct nonet_session *session = session_of(play);
    nonet_move wish;
    play->fits =
        wide != NULL && play->active &&
        wide->wish(options, (uint16_t)play->kind, play->x, play->y, play->degrees, &wish) &&
        wide->nearest(options, nonet_session_state(session), nonet_session_workspace(session), wish,
                      &play->lies);
    if (!play->fits)
        return;
    wide->piece(options, play->lies, &play->ghost);
}

static bool is_in_hand(const struct play *play, int place) {
    for (int i = 0; i < play->scene.piece_count; i++)
        if (play->scene.pieces[i].place == place)
            return play->scene.places[place].kind == NONET_HAND;
    return false;
}

/* To the next kind of piece that is left; to the first if none was chosen. */
static void change_kind(struct play *play) {
    int count = play->scene.place_count;
    for (int i = 1; i <= count; i++) {
        int place = (play->kind + i) % count;
        if (is_in_hand(play, place)) {
            play->kind = place;
            return;
        }
    }
}

/* What is shown and what can be touched, after the position has changed. */
static void refresh(struct play *play) {
    const struct nonet_options *options = tabletop_options(play->tabletop);
    struct nonet_session *session = session_of(play);
    int viewer = tabletop_viewer(play->tabletop), turn = nonet_session_turn(session);
    memset(&play->scene, 0, sizeof play->scene);
    nonet_scene_for(options, nonet_session_state(session), viewer < 0 ? NONET_SPECTATOR : viewer,
                    &play->scene);
    play->node = nonet_session_node(session);
    if (play->session != session) { /* another game */
        play->session = session;
        play->looking = NO_LOOKING;
        play->judged = NO_REPORT;
    }
    play->active =
        turn != 0 && tabletop_is_person(play->tabletop, turn) && play->looking == NO_LOOKING;
    play->pressed = -1;
    touching_forget(&play->touching);
    if (play->active) {
        touching_begin(&play->touching, session);
        touching_hurry(&play->touching, &play->scene);
    }
    if (play->cursor < 0 || play->cursor >= play->scene.place_count || !is_cell(play, play->cursor))
        play->cursor = nearest_cell(play, play->scene.width / 2, play->scene.depth / 2);
    if (play->kind < 0)
        change_kind(play);
    settle_ghost(play);
}

/* The scene after a move, for a ghost of it. Nothing is shown of what is hidden. */
static bool foresee(struct play *play, nonet_move move) {
    const struct nonet_options *options = tabletop_options(play->tabletop);
    if (options->game->hidden != NULL || options->game->wide != NULL)
        return false;
    struct nonet_state state;
    memcpy(&state, nonet_session_state(session_of(play)), options->game->state_size);
    options->game->play(options, &state, NULL, move);
    memset(&play->after, 0, sizeof play->after);
    options->game->scene(options, &state, &play->after);
    return true;
}

/* ---- Drawing ---- */

/* The part of the screen beside the board, filled from the top. */
struct panel {
    int row, column, end, columns;
};

static void add_lines(struct panel *panel, int emphasis, const char *text) {
    panel->row += screen_paragraph(panel->row, panel->column, panel->end - panel->row,
                                   panel->columns, emphasis, text);
}

static void add_indented(struct panel *panel, const char *text) {
    enum { INDENT = 2 };
    panel->row += screen_paragraph(panel->row, panel->column + INDENT, panel->end - panel->row,
                                   panel->columns - INDENT, 0, text);
}

/* The pieces in a player's hands, each on its material, in a line. A touch of one takes it. */
static void add_hands(struct play *play, struct panel *panel, int owner) {
    enum { INDENT = 2 };
    int column = panel->column + INDENT;
    for (int i = 0; i < play->scene.piece_count && panel->row < panel->end; i++) {
        const struct nonet_piece *piece = &play->scene.pieces[i];
        const struct nonet_place *hand = &play->scene.places[piece->place];
        if (hand->kind != NONET_HAND || hand->owner != owner || piece->count == 0)
            continue;
        char text[24], mark[8];
        if (piece->count == NONET_ENDLESS)
            snprintf(text, sizeof text, "%s", screen_unicode() ? "∞×" : "any ");
        else
            snprintf(text, sizeof text, screen_unicode() ? "%d×" : "%dx", piece->count);
        snprintf(mark, sizeof mark, screen_colours() ? " %.4s " : "%.4s", piece->mark);
        int wide = screen_width(text) + (int)strlen(mark);
        if (column > panel->column + INDENT && column + wide > panel->column + panel->columns) {
            column = panel->column + INDENT;
            if (++panel->row >= panel->end)
                return;
        }
        int begun = column;
        column += screen_text(panel->row, column, wide, 0, text);
        struct draw_glyph glyph = draw_material(piece);
        for (const char *c = mark; *c != '\0'; c++) {
            glyph.code = (unsigned char)*c;
            screen_glyph(panel->row, column++, glyph, piece->lit ? SCREEN_BOLD : 0);
        }
        int place = piece->button != NONET_NOWHERE ? piece->button : piece->place;
        if (play->item_count < MOST_ITEMS && touching_next(&play->touching, place))
            play->items[play->item_count++] =
                (struct item){place, panel->row, begun, column - begun};
        column++;
    }
    panel->row += column > panel->column + INDENT;
}

static void add_players(struct play *play, struct panel *panel) {
    const struct nonet_options *options = tabletop_options(play->tabletop);
    const struct nonet_session *session = session_of(play);
    struct nonet_standings standings;
    int turn = nonet_session_turn(session);
    tabletop_read_standings(play->tabletop, &standings);
    for (int seat = 0; seat <= options->players; seat++) {
        char bytes[1024];
        struct nonet_text text = NONET_TEXT_IN(bytes);
        if (seat > 0) {
            nonet_text_add(&text, seat != turn ? "  " : screen_unicode() ? "▸ " : "> ");
            tabletop_write_seat(play->tabletop, seat, &text);
            add_lines(panel, seat == turn ? SCREEN_BOLD : 0, bytes);
        }
        add_hands(play, panel, seat);
        text = NONET_TEXT_IN(bytes);
        tabletop_write_standings(&standings, seat, screen_unicode(), &text);
        if (text.length > 0)
            add_indented(panel, bytes);
    }
}

/* Buttons, and what a hand over a floor can hold, each with the number that touches it. */
static void add_items(struct play *play, struct panel *panel) {
    bool wide = game_of(play)->wide != NULL;
    int column = panel->column, keyed = 0, end = panel->column + panel->columns;
    struct item keys[MOST_ITEMS];
    for (int i = 0; i < play->scene.place_count && keyed < 9 && play->active; i++) {
        const struct nonet_place *place = &play->scene.places[i];
        bool has = touching_has(&play->touching, i) || (wide && i == play->kind);
        bool usable =
            wide ? place->kind == NONET_HAND
                 : place->kind == NONET_BUTTON && (has || touching_next(&play->touching, i) ||
                                                   touching_instead(&play->touching, i));
        if (!usable)
            continue;
        char bytes[256];
        struct nonet_text text = NONET_TEXT_IN(bytes);
        nonet_text_format(&text, "[%d] ", keyed + 1);
        if (place->label.phrase != NULL)
            nonet_message_write(&place->label, host_language, &text);
        else
            nonet_text_add(&text, place->name);
        int columns = screen_width(bytes);
        if (column > panel->column && column + columns > end) {
            column = panel->column;
            panel->row++;
        }
        if (panel->row >= panel->end)
            break;
        keys[keyed++] = (struct item){i, panel->row, column, columns};
        int rows = screen_paragraph(panel->row, column, panel->end - panel->row, end - column,
                                    has ? SCREEN_REVERSE | SCREEN_BOLD : SCREEN_BOLD, bytes);
        panel->row += rows > 1 ? rows - 1 : 0;
        column += columns + 2;
    }
    panel->row += column > panel->column;
    /* The numbered ones come first, by their numbers. */
    int room = MOST_ITEMS - keyed, others = play->item_count < room ? play->item_count : room;
    memmove(play->items + keyed, play->items, (size_t)others * sizeof *play->items);
    memcpy(play->items, keys, (size_t)keyed * sizeof *keys);
    play->item_count = keyed + others;
}

/* The moves so far, the last ones if there is not room for all, with the marks of a review. */
static void add_moves(struct play *play, struct panel *panel) {
    struct nonet_session *session = session_of(play);
    int ply = nonet_session_ply(session), room = panel->end - panel->row - 1;
    if (room < 1 || ply == 0)
        return;
    struct {
        char text[NONET_MOVE_TEXT + 16];
    } lines[SHOWN_MOVES];
    int first = ply > SHOWN_MOVES ? ply - SHOWN_MOVES : 0, widest = 0;
    for (int i = first; i < ply; i++) {
        tabletop_move_text move;
        tabletop_print(play->tabletop, nonet_session_move(session, i), move);
        snprintf(lines[i - first].text, sizeof lines[0].text, "%d %s%s", i + 1, move,
                 tabletop_mark(play->tabletop, i + 1));
        int wide = (int)strlen(lines[i - first].text);
        widest = wide > widest ? wide : widest;
    }
    char title[64];
    struct nonet_text text = NONET_TEXT_IN(title);
    cli_write(&text, nonet_say(&cli_words[WORD_MOVES]));
    screen_text(panel->row++, panel->column, panel->columns, SCREEN_UNDERLINE, title);
    int columns = panel->columns / (widest + 2), shown = ply - first;
    columns = columns < 1 ? 1 : columns;
    /* Whole rows, so that a player's moves stay in their column. */
    int skip =
        shown > room * columns ? ((shown - room * columns) + columns - 1) / columns * columns : 0;
    for (int i = skip; i < shown; i++) {
        int at = i - skip;
        screen_text(panel->row + at / columns, panel->column + at % columns * (widest + 2), widest,
                    i == shown - 1 ? SCREEN_BOLD : 0, lines[i].text);
    }
    panel->row = panel->end;
}

static void add_analysis(const struct play *play, struct panel *panel) {
    char bytes[1024];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    const struct review *review = play->tabletop->review;
    if (play->tabletop->reviewing)
        cli_write(&text,
                  nonet_say(&cli_words[WORD_REVIEWING], nonet_number(review_rows(review) - 1),
                            nonet_number(review_all_rows(review) - 1)));
    if (text.length > 0)
        add_lines(panel, 0, bytes);
    if (!play->tabletop->analysing || play->judged != play->node)
        return;
    text = NONET_TEXT_IN(bytes);
    cli_write(&text, nonet_say(&cli_words[WORD_ANALYSIS]));
    cli_write(&text, nonet_say(&nonet_common[NONET_SAY_COLON]));
    nonet_text_add(&text, play->opinion);
    add_lines(panel, SCREEN_BOLD, bytes);
    /* A line to the end of the game may be long: half of the room is for the moves played. */
    int end = panel->end;
    panel->end = (panel->row + end + 1) / 2;
    add_lines(panel, 0, play->line);
    panel->end = end;
}

/* What the review says about the move that led to what is shown. */
static void add_remark(const struct play *play, struct panel *panel) {
    char bytes[256];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    tabletop_write_remark(play->tabletop, nonet_session_ply(session_of(play)), &text);
    add_lines(panel, SCREEN_BOLD, bytes);
}

static void draw_panel(struct play *play, struct panel panel) {
    play->item_count = 0;
    add_players(play, &panel);
    add_items(play, &panel);
    if (play->message[0] != '\0' && panel.row + 1 < panel.end) {
        panel.row++;
        add_lines(&panel, SCREEN_BOLD, play->message);
    }
    add_remark(play, &panel);
    add_analysis(play, &panel);
    if (panel.row + 2 < panel.end)
        panel.row++;
    add_moves(play, &panel);
}

static void title_text(const struct play *play, struct nonet_text *out) {
    const struct nonet_session *session = session_of(play);
    int turn = nonet_session_turn(session), ply = nonet_session_ply(session);
    nonet_text_format(out, " %s - ", game_of(play)->title);
    if (play->looking != NO_LOOKING) {
        int all = ply;
        for (int node = play->looking; node != nonet_session_node(session) && node > 0;
             node = nonet_session_parent(session, node))
            all++;
        cli_write(out, nonet_say(&cli_words[WORD_LOOKING], nonet_number(ply), nonet_number(all)));
        return;
    }
    cli_write(out,
              nonet_say(&cli_words[WORD_MOVE_NUMBER], nonet_number(turn != 0 ? ply + 1 : ply)));
    nonet_text_add(out, " - ");
    if (turn == 0)
        cli_write(out, nonet_say(&cli_words[WORD_OVER]));
    else
        cli_write(out, nonet_say(&cli_words[play->active ? WORD_TO_MOVE : WORD_THINKS],
                                 nonet_quote(tabletop_who(play->tabletop, turn))));
}

static void mark_board(struct play *play) {
    struct nonet_session *session = session_of(play);
    const struct nonet_options *options = tabletop_options(play->tabletop);
    int ply = nonet_session_ply(session);
    memset(play->board.marks, 0, sizeof play->board.marks);
    if (ply > 0) {
        uint16_t places[NONET_MAX_TOUCHES];
        int count = options->game->touches(options, nonet_session_move(session, ply - 1), places);
        for (int i = 0; i < count; i++)
            play->board.marks[places[i]] |= BOARD_LAST;
    }
    for (int i = 0; i < play->scene.place_count && play->active; i++)
        play->board.marks[i] |= (uint8_t)((touching_next(&play->touching, i) ? BOARD_LIT : 0) |
                                          (touching_has(&play->touching, i) ? BOARD_CHOSEN : 0));
}

/* What the board would become, if the hand let go here. */
static const struct nonet_scene *ghost_of(struct play *play) {
    nonet_move move;
    if (game_of(play)->wide != NULL) {
        if (!play->fits || play->scene.piece_count >= NONET_MAX_PIECES)
            return NULL;
        /* It comes after those that lie there, before those in hands, so its name stays. */
        play->after = play->scene;
        struct nonet_piece *pieces = play->after.pieces;
        int at = play->after.piece_count++;
        for (; at > 0 && play->scene.places[pieces[at - 1].place].kind != NONET_FLOOR; at--)
            pieces[at] = pieces[at - 1];
        pieces[at] = play->ghost;
        return &play->after;
    }
    return play->active && play->cursor >= 0 &&
                   touching_would(&play->touching, play->cursor, &move) && foresee(play, move)
               ? &play->after
               : NULL;
}

static void draw_cursor(struct play *play, const struct draw_box *box) {
    int row = box->row + box->rows / 2, column = box->column + box->columns / 2;
    bool seen = board_on_screen(&play->board, &row, &column);
    screen_show(seen ? row : -1, column);
}

static void draw(struct play *play) {
    int rows, columns;
    screen_clear();
    screen_size(&rows, &columns);
    if (!screen_is_enough())
        return;
    bool wide = game_of(play)->wide != NULL;
    char title[256], keys[256];
    struct nonet_text text = NONET_TEXT_IN(title);
    title_text(play, &text);
    text = NONET_TEXT_IN(keys);
    cli_write(&text,
              nonet_say(&cli_words[play->looking != NO_LOOKING                 ? WORD_KEYS_LOOKING
                                   : nonet_session_turn(session_of(play)) == 0 ? WORD_KEYS_OVER
                                   : wide                                      ? WORD_KEYS_FLOOR
                                                                               : WORD_KEYS_PLAY]));
    screen_frame(title, keys);
    struct board *board = &play->board;
    board->scene = &play->scene;
    board->ghost = ghost_of(play);
    mark_board(play);
    int used = board_fit(board, 1, 0, rows - 2, columns - PANEL);
    struct draw_box focus = {0};
    if (wide)
        board_spot(board, play->fits ? play->ghost.x : play->x,
                   play->fits ? play->ghost.y : play->y, &focus);
    else if (play->cursor >= 0)
        board_cell(board, play->cursor, &focus);
    board_draw(board, &focus, play->active && !wide);
    draw_panel(play, (struct panel){1, used + 2, rows - 1, columns - used - 2});
    draw_cursor(play, &focus);
}

/* ---- Thinking, while the screen stays alive ---- */

static void note_report(struct play *play, const struct nonet_report *report) {
    struct nonet_text text = NONET_TEXT_IN(play->opinion), line = NONET_TEXT_IN(play->line);
    tabletop_write_opinion(play->tabletop, report, &text);
    tabletop_write_line(play->tabletop, report, &line);
    play->judged = nonet_session_node(session_of(play));
}

/* While an analysis runs: shows what it says, and stops as soon as there is something to do. */
static bool watch_analysis(void *context, const struct nonet_report *report, double seconds) {
    struct play *play = context;
    (void)seconds;
    note_report(play, report);
    draw(play);
    return !terminal_await(play->tabletop->terminal, 0);
}

/* While a computer thinks about its move, only leaving and the size of the window matter. */
static bool watch_opponent(void *context, const struct nonet_report *report, double seconds) {
    struct play *play = context;
    (void)report, (void)seconds;
    while (terminal_await(play->tabletop->terminal, 0)) {
        struct screen_event event = screen_wait(play->tabletop->terminal, 0);
        if (event.kind == SCREEN_NOTHING)
            break;
        if (event.kind == SCREEN_RESIZED)
            draw(play);
        if (event.kind == SCREEN_KEY && event.key == 'q')
            play->tabletop->leaving = true;
    }
    return !play->tabletop->leaving;
}

static void watch_table(void *context, const char *what, double share, double seconds_left) {
    struct play *play = context;
    (void)what, (void)seconds_left;
    tell(play, nonet_say(&cli_words[WORD_BUILDING], nonet_number((int32_t)(share * 100))));
    play->building = true;
    draw(play);
}

static void analyse(struct play *play) {
    struct tabletop *tabletop = play->tabletop;
    tabletop->watch = watch_analysis;
    tabletop->seconds = 1e6;
    const struct nonet_report *report =
        tabletop_think(tabletop, NONET_SEARCH_LEVELS, TABLETOP_TO_ANALYSE);
    tabletop->watch = watch_opponent;
    tabletop->seconds = 0;
    if (report == NULL)
        return;
    note_report(play, report);
    play->settled = !terminal_await(tabletop->terminal, 0);
}

/* ---- Looking back, and the review ---- */

static void look(struct play *play, int steps) {
    struct nonet_session *session = session_of(play);
    if (play->tabletop->shown_to != 0 && nonet_session_turn(session) != 0 &&
        play->looking == NO_LOOKING)
        return; /* others share the screen, and would see what they may not know */
    if (play->looking == NO_LOOKING && steps < 0)
        play->looking = nonet_session_node(session);
    if (play->looking == NO_LOOKING)
        return;
    for (; steps < 0 && nonet_session_undo(session); steps++)
        ;
    for (; steps > 0 && nonet_session_node(session) != play->looking; steps--)
        nonet_session_redo(session);
    if (nonet_session_node(session) == play->looking)
        play->looking = NO_LOOKING;
    play->message[0] = '\0';
    refresh(play);
}

static void stop_looking(struct play *play) {
    if (play->looking == NO_LOOKING)
        return;
    nonet_session_go(session_of(play), play->looking);
    play->looking = NO_LOOKING;
    refresh(play);
}

/* ---- Playing ---- */

static void say_last_events(struct play *play) {
    play->message[0] = '\0';
    tabletop_say_last_events(play->tabletop);
}

static void make_move(struct play *play, nonet_move move) {
    struct nonet_message why;
    if (tabletop_play(play->tabletop, move, &why)) {
        say_last_events(play);
    } else {
        tell(play, why);
    }
    refresh(play);
}

/* Says why a place cannot be touched: by what the rules say of the move that was meant. */
static void refuse(struct play *play, int place) {
    const struct nonet_options *options = tabletop_options(play->tabletop);
    uint16_t places[NONET_MAX_TOUCHES];
    int count = play->touching.touched_count < NONET_MAX_TOUCHES - 1 ? play->touching.touched_count
                                                                     : NONET_MAX_TOUCHES - 1;
    memcpy(places, play->touching.touched, (size_t)count * sizeof *places);
    places[count] = (uint16_t)place;
    tabletop_move_text text;
    struct nonet_text out = NONET_TEXT_IN(text);
    nonet_spell(options, &play->scene, places, count + 1, &out);
    struct nonet_state seen;
    struct nonet_message why;
    nonet_move move;
    nonet_observe(options, nonet_session_state(session_of(play)),
                  nonet_session_turn(session_of(play)), &seen);
    if (options->game->parse(options, text, &move, &why) &&
        !options->game->why(options, &seen, move, &why)) {
        tell(play, why);
        play->message[0] = (char)toupper((unsigned char)play->message[0]);
    } else {
        tell(play,
             nonet_say(&cli_words[WORD_NOT_HERE], nonet_quote(play->scene.places[place].name)));
    }
}

static void touch(struct play *play, int place) {
    nonet_move move;
    if (!play->active)
        return;
    if (game_of(play)->wide != NULL) {
        play->kind = place;
        settle_ghost(play);
        return;
    }
    /* A second touch of what was touched last lets it go. */
    if (play->touching.touched_count > 0 && !touching_next(&play->touching, place) &&
        play->touching.touched[play->touching.touched_count - 1] == place) {
        touching_back(&play->touching);
        return;
    }
    if (!touching_touch(&play->touching, place)) {
        refuse(play, place);
        return;
    }
    play->message[0] = '\0';
    if (touching_named(&play->touching, &move))
        make_move(play, move);
    else
        touching_hurry(&play->touching, &play->scene);
}

static void lay_down(struct play *play) {
    if (!play->active)
        return;
    if (play->fits)
        make_move(play, play->lies);
    else
        tell(play, nonet_say(&cli_words[WORD_FITS_NOWHERE]));
}

/* To the next cell in a direction. */
static void move_cursor(struct play *play, int dx, int dy) {
    if (game_of(play)->wide != NULL) {
        /* From where the piece lies, so that every key moves it. */
        int32_t step = play->step * NONET_UNIT / 2;
        play->x += dx * step;
        play->y += dy * step;
        play->x = play->x < 0 ? 0 : play->x > play->scene.width ? play->scene.width : play->x;
        play->y = play->y < 0 ? 0 : play->y > play->scene.depth ? play->scene.depth : play->y;
        settle_ghost(play);
        return;
    }
    if (play->cursor < 0)
        return;
    const struct nonet_place *from = &play->scene.places[play->cursor];
    int best = play->cursor;
    int64_t least = INT64_MAX;
    for (int i = 0; i < play->scene.place_count; i++) {
        const struct nonet_place *to = &play->scene.places[i];
        int64_t x = to->x - from->x, y = to->y - from->y;
        int64_t ahead = x * dx + y * dy, aside = llabs(x * dy) + llabs(y * dx);
        if (to->kind == NONET_CELL && ahead > 0 && ahead + 2 * aside < least) {
            least = ahead + 2 * aside;
            best = i;
        }
    }
    play->cursor = best;
}

static void turn_piece(struct play *play, int degrees) {
    play->degrees = (play->degrees + degrees + 360) % 360;
    settle_ghost(play);
}

/* To the next angle at which the piece fits somewhere; if there is none, with another piece. */
static void turn_to_fit(struct play *play, int degrees) {
    int kind = play->kind;
    do {
        for (int turned = 0; turned < 360; turned++) {
            turn_piece(play, degrees);
            if (play->fits)
                return;
        }
        change_kind(play);
    } while (play->kind != kind);
}

/* To the next lit cell, in the order of the board; on a floor without cells, to what fits. */
static void next_lit(struct play *play, int step) {
    int count = play->scene.place_count;
    if (play->active && game_of(play)->wide != NULL) {
        turn_to_fit(play, step);
        return;
    }
    if (!play->active || play->cursor < 0)
        return;
    for (int i = 1; i <= count; i++) {
        int place = ((play->cursor + i * step) % count + count) % count;
        if (is_cell(play, place) && touching_next(&play->touching, place)) {
            play->cursor = place;
            return;
        }
    }
    tell(play, nonet_say(&cli_words[WORD_NOTHING_LIT]));
}

/* ---- Commands ---- */

/* A line typed at the bottom of the screen; false if the person thinks better of it. */
static bool type_line(struct play *play, char line[LINE_ROOM]) {
    struct terminal *terminal = play->tabletop->terminal;
    struct nonet_text text = nonet_text_in(line, LINE_ROOM);
    char prompt[64];
    struct nonet_text words = NONET_TEXT_IN(prompt);
    cli_write(&words, nonet_say(&cli_words[WORD_TYPE]));
    while (terminal_signal(terminal) == 0) {
        int rows, columns;
        draw(play);
        screen_size(&rows, &columns);
        if (screen_is_enough()) {
            char blank[256];
            memset(blank, ' ', sizeof blank);
            blank[columns < (int)sizeof blank ? columns : (int)sizeof blank - 1] = '\0';
            screen_text(rows - 1, 0, columns, 0, blank);
            int at = screen_text(rows - 1, 0, columns / 2, SCREEN_BOLD, prompt) + 1;
            int long_by = screen_width(line) - (columns - at - 1);
            const char *shown = line;
            for (; long_by > 0 && *shown != '\0'; shown++)
                long_by -= ((unsigned char)shown[1] & 0xc0) != 0x80;
            at += screen_text(rows - 1, at, columns - at, 0, shown);
            screen_show(rows - 1, at);
        }
        struct screen_event event = screen_wait(terminal, -1);
        if (event.kind != SCREEN_KEY)
            continue;
        if (event.key == SCREEN_ESCAPE)
            return false;
        if (event.key == SCREEN_ENTER)
            return true;
        if (event.key == SCREEN_BACK) {
            while (text.length > 0 && ((unsigned char)line[text.length - 1] & 0xc0) == 0x80)
                text.length--;
            text.length -= text.length > 0;
            line[text.length] = '\0';
        } else if (event.key >= ' ' && event.key < 0x80) {
            nonet_text_char(&text, (char)event.key);
        } else if (event.key >= 0x80 && event.key < 0x800) {
            nonet_text_char(&text, (char)(0xc0 | event.key >> 6));
            nonet_text_char(&text, (char)(0x80 | (event.key & 0x3f)));
        }
    }
    return false;
}

static void run_line(struct play *play, const char *line) {
    stop_looking(play);
    line += strspn(line, " ");
    if (line[0] != '\0' && !tabletop_command(play->tabletop, line) &&
        nonet_session_turn(session_of(play)) != 0)
        tabletop_try(play->tabletop, line);
    refresh(play);
}

static void rematch(struct play *play) {
    if (!tabletop_rematch(play->tabletop))
        return;
    play->ended = false;
    play->message[0] = '\0';
    refresh(play);
}

static void show_rules(struct play *play) {
    char *bytes = malloc(CLI_RULES_ROOM);
    if (bytes == NULL)
        return;
    struct nonet_text text = nonet_text_in(bytes, CLI_RULES_ROOM);
    if (cli_rules_text(game_of(play), screen_unicode(), &text) == CLI_DONE)
        screen_page(play->tabletop->terminal, game_of(play)->title, bytes);
    free(bytes);
}

static void show_help(struct play *play) {
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    cli_write(&text, nonet_say(&cli_words[WORD_HELP]));
    screen_page(play->tabletop->terminal, "Nonet", bytes);
}

static void press_key(struct play *play, int key) {
    enum { ALL = NONET_MAX_PLIES };
    char line[LINE_ROOM] = "";
    bool asked = play->leaving_asked;
    play->leaving_asked = false;
    if (key >= '1' && key <= '9' && key - '1' < play->item_count) {
        touch(play, play->items[key - '1'].place);
        return;
    }
    switch (key) {
    case SCREEN_UP:
    case SCREEN_DOWN:
        move_cursor(play, 0, key == SCREEN_UP ? 1 : -1);
        break;
    case SCREEN_LEFT:
    case SCREEN_RIGHT:
        move_cursor(play, key == SCREEN_RIGHT ? 1 : -1, 0);
        break;
    case '\t':
    case SCREEN_BACK_TAB:
        next_lit(play, key == '\t' ? 1 : -1);
        break;
    case SCREEN_ENTER:
    case ' ':
        if (play->looking != NO_LOOKING)
            stop_looking(play);
        else if (game_of(play)->wide != NULL)
            lay_down(play);
        else if (play->cursor >= 0)
            touch(play, play->cursor);
        break;
    case SCREEN_ESCAPE:
    case SCREEN_BACK:
        play->message[0] = '\0';
        if (play->looking != NO_LOOKING)
            stop_looking(play);
        else
            touching_back(&play->touching);
        break;
    case 'r':
    case 'R':
        turn_piece(play, key == 'r' ? 15 : -15);
        break;
    case 'e':
    case 'E':
        turn_piece(play, key == 'e' ? 1 : -1);
        break;
    case '+':
    case '-':
        play->step = key == '+' ? (play->step < 32 ? play->step * 2 : play->step)
                                : (play->step > 1 ? play->step / 2 : 1);
        break;
    case 'z':
        play->board.close = !play->board.close;
        break;
    case 'a':
        play->tabletop->analysing = !play->tabletop->analysing;
        if (!play->tabletop->analysing)
            tell(play, nonet_say(&cli_words[WORD_ANALYSIS_OFF]));
        else
            play->message[0] = '\0';
        play->judged = NO_REPORT;
        break;
    case 'h':
        run_line(play, "hint");
        break;
    case 'u':
        run_line(play, "undo");
        break;
    case 'U':
        run_line(play, "redo");
        break;
    case SCREEN_PAGE_UP:
    case SCREEN_PAGE_DOWN:
        look(play, key == SCREEN_PAGE_UP ? -1 : 1);
        break;
    case SCREEN_HOME:
        look(play, -ALL);
        break;
    case SCREEN_END:
        stop_looking(play);
        break;
    case 'v':
        stop_looking(play);
        tabletop_begin_review(play->tabletop);
        break;
    case 'n':
        if (nonet_session_turn(session_of(play)) == 0 || play->looking != NO_LOOKING) {
            stop_looking(play);
            if (nonet_session_turn(session_of(play)) == 0)
                rematch(play);
        }
        break;
    case 'i':
        show_rules(play);
        break;
    case '?':
        show_help(play);
        break;
    case ':':
    case '/':
    case 'm':
        if (type_line(play, line))
            run_line(play, line);
        break;
    case 'q':
        /* A game that is kept can be left without a question. */
        if (asked || play->tabletop->keep != NULL || nonet_session_turn(session_of(play)) == 0) {
            play->tabletop->leaving = true;
        } else {
            play->leaving_asked = true;
            tell(play, nonet_say(&cli_words[WORD_REALLY_QUIT]));
        }
        break;
    default:
        break;
    }
}

static int item_at(const struct play *play, int row, int column) {
    for (int i = 0; i < play->item_count; i++) {
        const struct item *item = &play->items[i];
        if (row == item->row && column >= item->column && column < item->column + item->columns)
            return item->place;
    }
    return -1;
}

/* The mouse: a click touches, and so do both ends of a drag. Over a floor, the first click shows
 * where the piece would lie, the next one there lays it down; a drag from a hand does both. */
static void use_mouse(struct play *play, struct screen_event event) {
    int place = item_at(play, event.row, event.column);
    bool beside = place >= 0;
    int32_t x, y;
    if (event.kind == SCREEN_WHEEL) {
        turn_piece(play, event.key * 15);
        return;
    }
    if (!beside && board_point_at(&play->board, event.row, event.column, &x, &y)) {
        bool dragged = event.kind == SCREEN_RELEASE && play->pressed >= 0;
        bool again = event.kind == SCREEN_PRESS && llabs(x - play->x) < 6 * NONET_UNIT &&
                     llabs(y - play->y) < 6 * NONET_UNIT && play->fits;
        if (event.kind == SCREEN_PRESS || dragged) {
            play->x = x;
            play->y = y;
            settle_ghost(play);
        }
        if (again || dragged || !play->fits) /* which is told */
            lay_down(play);
        play->pressed = -1;
        return;
    }
    if (!beside)
        place = board_place_at(&play->board, event.row, event.column);
    if (event.kind == SCREEN_PRESS) {
        play->pressed = -1;
        if (place < 0)
            return;
        if (!beside)
            play->cursor = place;
        touch(play, place);
        play->pressed = place;
    } else if (play->pressed >= 0) {
        int from = play->pressed;
        play->pressed = -1;
        if (place < 0 || place == from || beside || play->touching.touched_count == 0)
            return;
        play->cursor = place;
        touch(play, place);
    }
}

/* Gives the screen to another person, who alone may see what is shown next. */
static void hand_over(struct play *play, int seat) {
    struct tabletop *tabletop = play->tabletop;
    tabletop->shown_to = 0;
    play->said = NONET_TEXT_IN(play->said_bytes);
    tabletop_say_moves_since(tabletop, seat);
    char words[256];
    struct nonet_text text = NONET_TEXT_IN(words);
    cli_write(&text,
              nonet_say(&cli_words[WORD_HAND_OVER], nonet_quote(tabletop_who(tabletop, seat))));
    while (!tabletop->leaving && terminal_signal(tabletop->terminal) == 0) {
        int rows, columns;
        screen_clear();
        screen_size(&rows, &columns);
        if (screen_is_enough()) {
            screen_frame(game_of(play)->title, words);
            int used = screen_paragraph(2, 2, rows - 6, columns - 4, 0, play->said_bytes);
            screen_paragraph(used + 3, 2, 3, columns - 4, SCREEN_BOLD, words);
        }
        screen_show(-1, 0);
        struct screen_event event = screen_wait(tabletop->terminal, -1);
        if (event.kind == SCREEN_KEY && event.key == 'q')
            tabletop->leaving = true;
        if ((event.kind == SCREEN_KEY && event.key == SCREEN_ENTER) || event.kind == SCREEN_PRESS)
            break;
    }
    play->said = NONET_TEXT_IN(play->said_bytes);
    play->message[0] = '\0';
    tabletop->shown_to = seat;
    tabletop_changed(tabletop);
    tabletop_say_secret(tabletop, seat);
    refresh(play);
}

/* One event, or a slice of work while there is none. */
static void attend(struct play *play) {
    struct terminal *terminal = play->tabletop->terminal;
    bool thinks = play->tabletop->analysing && nonet_session_turn(session_of(play)) != 0 &&
                  !(play->judged == play->node && play->settled);
    if (play->tabletop->reviewing && !terminal_await(terminal, 0)) {
        tabletop_advance_review(play->tabletop);
        return;
    }
    if (thinks && !terminal_await(terminal, 0)) {
        play->settled = false;
        analyse(play);
        return;
    }
    struct screen_event event = screen_wait(terminal, -1);
    if (event.kind == SCREEN_KEY)
        press_key(play, event.key);
    else if (event.kind != SCREEN_NOTHING && event.kind != SCREEN_RESIZED)
        use_mouse(play, event);
}

static void step(struct play *play) {
    struct tabletop *tabletop = play->tabletop;
    int turn = nonet_session_turn(session_of(play));
    if (play->looking == NO_LOOKING) {
        if (nonet_session_ply(session_of(play)) > 0)
            tabletop_keep(tabletop);
        if (turn != 0 && tabletop_is_person(tabletop, turn) && tabletop_needs_hand_over(tabletop) &&
            tabletop->shown_to != turn) {
            hand_over(play, turn);
            return;
        }
        /* The result stays in view, until something else is to be said. */
        if (turn == 0 && (!play->ended || play->message[0] == '\0'))
            tabletop_say_end(tabletop);
        play->ended = turn == 0;
    }
    if (play->node != nonet_session_node(session_of(play)))
        refresh(play);
    take_said(play);
    draw(play);
    if (turn != 0 && !tabletop_is_person(tabletop, turn) && play->looking == NO_LOOKING) {
        tabletop_computer_turn(tabletop, turn);
        refresh(play);
    } else {
        attend(play);
    }
    if (play->building)
        play->message[0] = '\0';
    play->building = false;
}

int screen_play(struct tabletop *tabletop) {
    struct play *play = calloc(1, sizeof *play);
    if (play == NULL) {
        screen_close();
        return cli_fail(CLI_FAILED, "there is no memory left");
    }
    play->tabletop = tabletop;
    play->cursor = play->kind = play->judged = -1;
    play->looking = NO_LOOKING;
    play->step = 8;
    play->board.style = tabletop->style;
    play->board.style.colour = screen_colours();
    play->board.style.unicode = screen_unicode();
    tabletop->style.colour = false; /* what is said has no escapes */
    play->said = NONET_TEXT_IN(play->said_bytes);
    terminal_capture(tabletop->terminal, &play->said);
    tabletop->watch = watch_opponent;
    tabletop->waiting = watch_table;
    tabletop->watcher = play;
    tabletop_changed(tabletop);
    tabletop->unsaved = false;
    refresh(play);
    play->x = play->scene.width / 2;
    play->y = play->scene.depth / 2;
    settle_ghost(play);
    while (!tabletop->leaving && terminal_signal(tabletop->terminal) == 0)
        step(play);
    stop_looking(play);
    if (nonet_session_ply(session_of(play)) > 0)
        tabletop_keep(tabletop);
    screen_close();
    terminal_capture(tabletop->terminal, NULL);
    tabletop->watch = NULL;
    tabletop->waiting = NULL;
    free(play);
    return tabletop_leave(tabletop);
}
