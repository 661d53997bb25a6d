#include "swap.h"

#include <string.h>

#include "events.h"
#include "standings.h"

/* What the byte after the game's own state says: moves before the offer, 0 if there is none, or one
 * of these. */
enum { SWAPPED = 254, DECLINED = 255 };

static const struct nonet_game *inner_of(const struct nonet_options *options) {
    return options->game->inner;
}

static int stage_of(const struct nonet_options *options, const void *state) {
    return ((const uint8_t *)state)[inner_of(options)->state_size];
}

static void set_stage(const struct nonet_options *options, void *state, int stage) {
    uint8_t *ours = (uint8_t *)state + inner_of(options)->state_size;
    memset(ours, 0, (size_t)(options->game->state_size - inner_of(options)->state_size));
    ours[0] = (uint8_t)stage;
}

static bool is_swapped(const struct nonet_options *options, const void *state) {
    return stage_of(options, state) == SWAPPED;
}

/* The second side decides, so a first turn of several moves comes to its end before. */
static bool is_offered(const struct nonet_options *options, const void *state) {
    return stage_of(options, state) == 0 && inner_of(options)->turn(options, state) == 2;
}

/* The player of a side, and the side of a player; 0 stays 0. */
static int other_if(bool swapped, int player) {
    return swapped && player > 0 ? 3 - player : player;
}

static int moves_before_offer(const struct nonet_game *inner) {
    return inner->swap_after > 0 ? inner->swap_after : 1;
}

enum nonet_swap_stage nonet_swap_stage(const struct nonet_options *options, const void *state) {
    if (inner_of(options) == NULL || stage_of(options, state) >= SWAPPED)
        return NONET_SWAP_PAST;
    return is_offered(options, state) ? NONET_SWAP_NOW : NONET_SWAP_LATER;
}

static void turn_message(bool swapped, struct nonet_message *message) {
    for (int i = 0; i < NONET_ARGUMENTS; i++) {
        struct nonet_argument *argument = &message->arguments[i];
        if (argument->kind == NONET_ARG_PLAYER)
            argument->number = other_if(swapped, argument->number);
    }
}

/* ---- Rules ---- */

static void start(const struct nonet_options *options, void *state, void *workspace) {
    inner_of(options)->start(options, state, workspace);
    set_stage(options, state, moves_before_offer(inner_of(options)));
}

static int turn(const struct nonet_options *options, const void *state) {
    return other_if(is_swapped(options, state), inner_of(options)->turn(options, state));
}

static int next(const struct nonet_options *options, const void *state) {
    return other_if(is_swapped(options, state), inner_of(options)->next(options, state));
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    int count = inner_of(options)->moves(options, state, moves);
    if (is_offered(options, state))
        moves[count++] = NONET_SWAP;
    return count;
}

static void play(const struct nonet_options *options, void *state, void *workspace,
                 nonet_move move) {
    int stage = stage_of(options, state);
    if (move == NONET_SWAP) {
        set_stage(options, state, SWAPPED);
        return;
    }
    if (is_offered(options, state))
        set_stage(options, state, DECLINED);
    else if (stage > 0 && stage < SWAPPED)
        set_stage(options, state, stage - 1);
    inner_of(options)->play(options, state, workspace, move);
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    inner_of(options)->result(options, state, result);
    if (!is_swapped(options, state))
        return;
    int16_t first = result->points[0];
    result->points[0] = result->points[1];
    result->points[1] = first;
    result->winners = (uint8_t)((result->winners & 1) << 1 | result->winners >> 1);
    turn_message(true, &result->reason);
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct nonet_game *inner = inner_of(options);
    if (move != NONET_SWAP) {
        bool legal = inner->why(options, state, move, why);
        if (!legal)
            turn_message(is_swapped(options, state), why);
        return legal;
    }
    if (inner->turn(options, state) == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (!is_offered(options, state))
        *why = nonet_say(&nonet_common[NONET_SAY_SWAP_NOT_NOW],
                         nonet_number(moves_before_offer(inner)));
    else
        return true;
    return false;
}

/* ---- Notation ---- */

static const char word[] = "swap";

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    if (move == NONET_SWAP)
        nonet_text_add(out, word);
    else
        inner_of(options)->print(options, move, out);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    if (strcmp(text, word) != 0)
        return inner_of(options)->parse(options, text, move, why);
    *move = NONET_SWAP;
    return true;
}

static const char suffix[] = " swap", in[] = " in ", now[] = " now", done[] = "ped";

size_t nonet_swap_text(const char *text) {
    const char *ours = strstr(text, suffix);
    return ours != NULL ? (size_t)(ours - text) : strlen(text);
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    int stage = stage_of(options, state);
    inner_of(options)->write(options, state, out);
    if (stage == SWAPPED)
        nonet_text_format(out, "%s%s", suffix, done);
    else if (stage == 0)
        nonet_text_format(out, "%s%s", suffix, now);
    else if (stage != DECLINED)
        nonet_text_format(out, "%s%s%d", suffix, in, stage);
}

static bool scan_stage(const struct nonet_options *options, const char *text, int *stage,
                       struct nonet_message *why) {
    const char *c = text;
    uint32_t number = DECLINED;
    if (nonet_scan_word(&c, suffix)) {
        if (nonet_scan_word(&c, done))
            number = SWAPPED;
        else if (nonet_scan_word(&c, now))
            number = 0;
        else if (!nonet_scan_word(&c, in) ||
                 !nonet_scan_number(&c, (uint32_t)moves_before_offer(inner_of(options)), &number) ||
                 number == 0)
            c = text;
    }
    *stage = (int)number;
    if (*c != '\0')
        *why = nonet_say(&nonet_common[NONET_SAY_TRAILING], nonet_quote(c + (*c == ' ')));
    return *c == '\0';
}

/* Whether play leads to a position before or at the offer. */
static bool leads_to(const struct nonet_options *options, const void *from, const void *state) {
    size_t size = options->game->state_size;
    if (memcmp(from, state, size) == 0)
        return true;
    if (nonet_swap_stage(options, from) != NONET_SWAP_LATER ||
        stage_of(options, from) < stage_of(options, state))
        return false;
    nonet_move moves[NONET_MAX_MOVES];
    int count = inner_of(options)->moves(options, from, moves);
    for (int i = 0; i < count; i++) {
        struct nonet_state after;
        memcpy(&after, from, size);
        play(options, &after, NULL, moves[i]);
        if (leads_to(options, &after, state))
            return true;
    }
    return false;
}

static bool can_be_early(const struct nonet_options *options, const void *state) {
    if (inner_of(options)->wide != NULL) /* too many moves to look at: only whose turn it is */
        return inner_of(options)->turn(options, state) == (stage_of(options, state) > 0 ? 1 : 2);
    struct nonet_state first;
    start(options, &first, NULL);
    return leads_to(options, &first, state);
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    char line[NONET_POSITION_TEXT];
    struct nonet_text own = NONET_TEXT_IN(line);
    size_t length = nonet_swap_text(text);
    int stage;
    nonet_text_format(&own, "%.*s", length < sizeof line ? (int)length : (int)sizeof line, text);
    if (!inner_of(options)->read(options, line, state, workspace, why) ||
        !scan_stage(options, text + length, &stage, why))
        return false;
    set_stage(options, state, stage);
    if (stage < SWAPPED && !can_be_early(options, state)) {
        *why = nonet_say(&nonet_common[NONET_SAY_SWAP_PAST],
                         nonet_number(moves_before_offer(inner_of(options))));
        return false;
    }
    return true;
}

/* ---- What is seen ---- */

static void turn_scene(struct nonet_scene *scene) {
    for (int i = 0; i < scene->place_count; i++) {
        struct nonet_place *place = &scene->places[i];
        place->owner = (uint8_t)other_if(true, place->owner);
        place->home = (uint8_t)other_if(true, place->home);
        turn_message(true, &place->label);
    }
    for (int i = 0; i < scene->piece_count; i++) {
        scene->pieces[i].owner = (uint8_t)other_if(true, scene->pieces[i].owner);
        turn_message(true, &scene->pieces[i].label);
    }
    for (int i = 0; i < scene->figure_count; i++) {
        scene->figures[i].owner = (uint8_t)other_if(true, scene->figures[i].owner);
        turn_message(true, &scene->figures[i].label);
    }
}

static void scene(const struct nonet_options *options, const void *state,
                  struct nonet_scene *scene) {
    inner_of(options)->scene(options, state, scene);
    if (is_swapped(options, state))
        turn_scene(scene);
    nonet_scene_place(scene, NONET_BUTTON, word)->label = nonet_say(&nonet_common[NONET_SAY_SWAP]);
}

/* The button comes after the places of the game, which are the same in every position. */
static int button_of(const struct nonet_options *options) {
    struct nonet_state zeros = {0};
    struct nonet_scene scene;
    scene.place_count = scene.piece_count = scene.figure_count = 0;
    inner_of(options)->scene(options, &zeros, &scene);
    return scene.place_count;
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    if (move != NONET_SWAP)
        return inner_of(options)->touches(options, move, places);
    places[0] = (uint16_t)button_of(options);
    return 1;
}

static void spell(const struct nonet_options *options, const uint16_t *places, int count,
                  struct nonet_text *out) {
    if (count > 0 && places[count - 1] == button_of(options))
        nonet_text_add(out, word);
    else
        inner_of(options)->spell(options, places, count, out);
}

static void events(const struct nonet_options *options, const void *before, nonet_move move,
                   const void *after, struct nonet_events *events) {
    const struct nonet_game *inner = inner_of(options);
    if (move == NONET_SWAP) {
        nonet_event_add(
            events, nonet_say(&nonet_common[NONET_SAY_SWAPPED], nonet_player(2), nonet_player(1)));
        return;
    }
    if (inner->events != NULL)
        inner->events(options, before, move, after, events);
    for (int i = 0; i < events->count; i++)
        turn_message(is_swapped(options, after), &events->list[i].says);
    if (is_offered(options, after))
        nonet_event_add(events, nonet_say(&nonet_common[NONET_SAY_SWAP_NOW], nonet_player(2)));
}

/* Entries keep their order, so what is told of one player takes the place of what is told of the
 * other: the first of the one that of the first of the other, and so on. */
static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    inner_of(options)->standings(options, state, standings);
    if (!is_swapped(options, state))
        return;
    struct nonet_standing *list = standings->list;
    for (int i = 0, j = 0; i < standings->count && j < standings->count; i++, j++) {
        while (i < standings->count && list[i].player != 1)
            i++;
        while (j < standings->count && list[j].player != 2)
            j++;
        if (i == standings->count || j == standings->count)
            return;
        struct nonet_standing first = list[i];
        list[i] = list[j];
        list[j] = first;
        list[i].player = 1;
        list[j].player = 2;
        turn_message(true, &list[i].label);
        turn_message(true, &list[j].label);
    }
}

/* ---- A wide game ---- */

static uint64_t wide_count(const struct nonet_options *options, const void *state,
                           const void *workspace) {
    return inner_of(options)->wide->count(options, state, workspace) + is_offered(options, state);
}

/* The swap is the last one. */
static nonet_move wide_nth(const struct nonet_options *options, const void *state,
                           const void *workspace, uint64_t index) {
    const struct nonet_wide *wide = inner_of(options)->wide;
    if (is_offered(options, state) && index == wide->count(options, state, workspace))
        return NONET_SWAP;
    return wide->nth(options, state, workspace, index);
}

static bool wide_test(const struct nonet_options *options, const void *state, const void *workspace,
                      nonet_move move) {
    return move == NONET_SWAP ? is_offered(options, state)
                              : inner_of(options)->wide->test(options, state, workspace, move);
}

static bool wide_nearest(const struct nonet_options *options, const void *state,
                         const void *workspace, nonet_move wish, nonet_move *found) {
    if (wish != NONET_SWAP)
        return inner_of(options)->wide->nearest(options, state, workspace, wish, found);
    *found = NONET_SWAP;
    return is_offered(options, state);
}

/* A swap lays nothing down. */
static void wide_piece(const struct nonet_options *options, nonet_move move,
                       struct nonet_piece *piece) {
    if (move == NONET_SWAP)
        *piece = nonet_piece_on(NONET_NOWHERE, NONET_TILE, NONET_NATURAL);
    else
        inner_of(options)->wide->piece(options, move, piece);
}

static const uint64_t *wide_region(const struct nonet_options *options, const void *workspace,
                                   nonet_move like, int *rows, int *words) {
    if (like != NONET_SWAP)
        return inner_of(options)->wide->region(options, workspace, like, rows, words);
    *rows = *words = 0;
    return NULL;
}

/* ---- Set-up ---- */

static bool check(const struct nonet_options *options, struct nonet_message *why) {
    const struct nonet_game *inner = inner_of(options);
    if (options->players != 2) {
        *why = nonet_say(&nonet_common[NONET_SAY_SWAP_FOR_TWO], nonet_number(options->players));
        return false;
    }
    return inner->check == NULL || inner->check(options, why);
}

struct nonet_options nonet_swap_without(const struct nonet_options *options) {
    struct nonet_options without = *options;
    struct nonet_message never;
    if (inner_of(options) != NULL)
        nonet_options_set(&without, "swap=no", &never);
    return without;
}

/* ---- Symmetry ---- */

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    inner_of(options)->turn_state(options, symmetry, state, turned);
    set_stage(options, turned, stage_of(options, state));
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    return move == NONET_SWAP ? move : inner_of(options)->turn_move(options, symmetry, move);
}

static void canonical(const struct nonet_options *options, const void *state, void *canonical) {
    inner_of(options)->canonical(options, state, canonical);
    set_stage(options, canonical, stage_of(options, state));
}

/* ---- What helps solvers and searches ---- */

/* Until the offer is past, each player may come to have either side. */
static void bounds(const struct nonet_options *options, const void *state, int *low, int *high) {
    int lowest, highest;
    inner_of(options)->bounds(options, state, &lowest, &highest);
    bool open = nonet_swap_stage(options, state) != NONET_SWAP_PAST;
    bool swapped = is_swapped(options, state);
    *low = swapped || (open && -highest < lowest) ? -highest : lowest;
    *high = swapped || (open && -lowest > highest) ? -lowest : highest;
}

static int soonest(const struct nonet_options *options, const void *state, int player) {
    const struct nonet_game *inner = inner_of(options);
    int plies = inner->soonest(options, state, other_if(is_swapped(options, state), player));
    if (nonet_swap_stage(options, state) == NONET_SWAP_PAST)
        return plies;
    int others = inner->soonest(options, state, 3 - player);
    return others < plies ? others : plies;
}

/* Where the swap is offered, whoever chooses the side chooses the one that wins. Before that, the
 * reflections win for a side, and nobody knows for whom. */
static bool mirror(const struct nonet_options *options, const void *state, int *winner,
                   nonet_move *move) {
    enum nonet_swap_stage stage = nonet_swap_stage(options, state);
    int side;
    if (stage == NONET_SWAP_LATER || !inner_of(options)->mirror(options, state, &side, move))
        return false;
    if (stage == NONET_SWAP_NOW && side == 1)
        *move = NONET_SWAP;
    *winner =
        stage == NONET_SWAP_NOW ? turn(options, state) : other_if(is_swapped(options, state), side);
    return true;
}

/* Where the swap is offered, the better side is that of the player who chooses. */
static int evaluate(const struct nonet_options *options, const void *state, int player) {
    const struct nonet_game *inner = inner_of(options);
    int value = inner->evaluate(options, state, other_if(is_swapped(options, state), player));
    if (!is_offered(options, state))
        return value;
    int others = inner->evaluate(options, state, 3 - player);
    return player == turn(options, state) ? (others > value ? others : value)
                                          : (others < value ? others : value);
}

/* ---- Actions ---- */

/* The swap has the last number. */
static int action_count(const struct nonet_options *options) {
    return inner_of(options)->action_count(options) + 1;
}

static int action_of(const struct nonet_options *options, nonet_move move) {
    const struct nonet_game *inner = inner_of(options);
    int swap = inner->action_count(options);
    if (move == NONET_SWAP)
        return swap;
    int action = inner->action_of != NULL  ? inner->action_of(options, move)
                 : move < (nonet_move)swap ? (int)move
                                           : -1;
    return action < swap ? action : -1;
}

static nonet_move action_move(const struct nonet_options *options, int action) {
    const struct nonet_game *inner = inner_of(options);
    if (action == inner->action_count(options))
        return NONET_SWAP;
    return inner->action_move != NULL ? inner->action_move(options, action) : (nonet_move)action;
}

/* ---- The game around a game ---- */

/* Not offered: a ranking, and few positions, because tables are made of the game itself; an editor,
 * because it edits a text of the game itself. Features stay as they are, because they belong to the
 * side next in turn. */
void nonet_swap_make(struct nonet_swapped *swapped, const struct nonet_game *inner) {
    enum { WORD = 8 }; /* what states that lie side by side are aligned to */
    swapped->game = *inner;
    struct nonet_game *game = &swapped->game;
    game->inner = inner;
    game->state_size = (uint16_t)((inner->state_size / WORD + 1) * WORD);
    game->facts &= (uint8_t)~NONET_FEW_POSITIONS;
    game->ranking = NULL;
    game->editor = NULL;
    game->start = start;
    game->turn = turn;
    game->play = play;
    game->result = result;
    game->why = why;
    game->print = print;
    game->parse = parse;
    game->write = write;
    game->read = read;
    game->touches = touches;
    game->scene = scene;
    game->events = events;
    game->check = check;
#define IF_THERE(member) game->member = inner->member != NULL ? member : NULL
    IF_THERE(moves);
    IF_THERE(next);
    IF_THERE(spell);
    IF_THERE(standings);
    IF_THERE(turn_state);
    IF_THERE(turn_move);
    IF_THERE(canonical);
    IF_THERE(bounds);
    IF_THERE(soonest);
    IF_THERE(mirror);
    IF_THERE(evaluate);
    IF_THERE(action_count);
#undef IF_THERE
    if (inner->action_count != NULL) { /* also where a move of the game is its own number */
        game->action_of = action_of;
        game->action_move = action_move;
    }
    if (inner->wide == NULL)
        return;
    swapped->wide = *inner->wide;
    swapped->wide.count = wide_count;
    swapped->wide.nth = wide_nth;
    swapped->wide.test = wide_test;
    swapped->wide.nearest = wide_nearest;
    swapped->wide.piece = wide_piece;
    swapped->wide.region = wide_region;
    game->wide = &swapped->wide;
}
