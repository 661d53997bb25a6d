/* What is shown of Masker: the scene, what a move has done, and how the game stands. */
#include "../rules/events.h"
#include "../rules/standings.h"
#include "masker_words.h"

/* Places after the cells: each player's holding and disc, then the buttons. */
static int hand_place(const struct nonet_options *options, int player) {
    return side_of(options) * side_of(options) + 2 * player;
}

static int button_place(const struct nonet_options *options, nonet_move move) {
    return hand_place(options, options->players) + (int)(move - STOP);
}

int nonet_masker_touches(const struct nonet_options *options, nonet_move move,
                         uint16_t places[NONET_MAX_TOUCHES]) {
    places[0] = (uint16_t)(move < STOP ? (int)move : button_place(options, move));
    return 1;
}

static void add_places(const struct nonet_options *options, struct nonet_scene *scene) {
    nonet_scene_board(scene, side_of(options), side_of(options));
    char name[NONET_PLACE_NAME];
    for (int player = 1; player <= options->players; player++)
        for (int disc = 0; disc < 2; disc++) {
            struct nonet_text text = NONET_TEXT_IN(name);
            nonet_text_format(&text, "%s %d", disc ? "disc" : "held", player);
            struct nonet_place *place = nonet_scene_place(scene, NONET_HAND, name);
            place->owner = (uint8_t)player;
            place->label = nonet_say(phrase(disc ? DISC_PLACE : HOLDING_OF), nonet_player(player));
        }
    nonet_scene_place(scene, NONET_BUTTON, "stop")->label = nonet_say(phrase(BUTTON_STOP));
    for (int number = 0; options->players == 3 && number <= MOST_FILLED; number++) {
        struct nonet_text text = NONET_TEXT_IN(name);
        nonet_text_format(&text, "fill:%d", number);
        nonet_scene_place(scene, NONET_BUTTON, name)->label =
            nonet_say(phrase(BUTTON_FILL), nonet_number(number));
    }
}

static bool has_won(const struct state *s, int player) {
    return s->mover == 0 && !(s->out >> player & 1);
}

/* The winners' colours, as far as they are known, as a set: empty while the game goes on. */
static unsigned winning_colours(const struct nonet_options *options, const struct state *s) {
    unsigned colours = 0;
    for (int player = 0; player < options->players; player++)
        if (has_won(s, player) && s->disc[player] != NONE)
            colours |= 1u << s->disc[player];
    return colours;
}

static struct nonet_message cross_label(const struct nonet_options *options, int cell, int colour) {
    struct nonet_argument name = nonet_cell_argument(side_of(options), cell);
    return colour == UNCOLOURED ? nonet_say(phrase(UNCOLOURED_ON), name)
                                : nonet_say(phrase(CROSS_ON), nonet_word(word_for(colour)), name);
}

static void add_cross(const struct nonet_options *options, struct nonet_scene *scene, int index,
                      int colour, bool lit) {
    int cell = piled(options) ? index % PILES : index;
    struct nonet_piece *piece = nonet_scene_on_cell(scene, cell, NONET_CROSS, material_of[colour]);
    piece->z = piled(options) ? index / PILES * piece->height : 0;
    piece->mark[0] = letters[colour];
    piece->lit = lit;
    piece->label = cross_label(options, cell, colour);
}

/* The winners' discs and the remaining crosses of their colours are lit. */
void nonet_masker_scene(const struct nonet_options *options, const void *state,
                        struct nonet_scene *scene) {
    const struct state *s = state;
    unsigned won = winning_colours(options, s);
    add_places(options, scene);
    scene->tall = piled(options);
    for (int i = 0; i < CROSSES; i++)
        if (s->cross[i] != NONE)
            add_cross(options, scene, i, s->cross[i], won >> s->cross[i] & 1);
    for (int player = 0; player < options->players; player++) {
        int place = hand_place(options, player);
        if (s->holding[player] > 0) {
            struct nonet_piece *held = nonet_scene_piece(scene, place, NONET_CROSS, NONET_NATURAL);
            held->count = s->holding[player];
            held->owner = (uint8_t)(player + 1);
            held->mark[0] = '+';
            held->label = nonet_say(phrase(HOLDING_OF), nonet_player(player + 1));
        }
        int colour = s->disc[player];
        struct nonet_piece *disc =
            nonet_scene_piece(scene, place + 1, NONET_DISC, material_of[colour]);
        disc->owner = (uint8_t)(player + 1);
        disc->lit = has_won(s, player);
        disc->mark[0] = colour == NONE ? UNKNOWN : letters[colour];
        disc->label = colour == NONE ? nonet_say(phrase(UNKNOWN_DISC_OF), nonet_player(player + 1))
                                     : nonet_say(phrase(DISC_OF), nonet_player(player + 1),
                                                 nonet_word(word_for(colour)));
    }
}

/* --- Events and standings: told from what everybody may see ------------------------------- */

static void tell(struct nonet_events *events, int place, struct nonet_message says) {
    nonet_event_at(nonet_event_add(events, says), place);
}

/* Who went out by this capture, if anybody; their discs are known from now on. */
static void tell_out(const struct nonet_options *options, const struct state *old,
                     const struct state *new, struct nonet_events *events) {
    unsigned victims = new->out & ~(unsigned)old->out;
    if (victims == 0)
        return;
    int first = nonet_bits_first(victims);
    struct nonet_argument player = nonet_player(first + 1), by = nonet_player(old->mover);
    struct nonet_argument colour = nonet_word(word_for(new->disc[first]));
    struct nonet_event *event = nonet_event_add(
        events, options->players == 4
                    ? nonet_say(phrase(TEAM_OUT), player, nonet_player(first + 3), colour, by)
                : first + 1 == old->mover ? nonet_say(phrase(OUT_BY_THEMSELVES), player, colour)
                                          : nonet_say(phrase(OUT), player, colour, by));
    for (; victims != 0; victims &= victims - 1)
        nonet_event_at(event, hand_place(options, nonet_bits_first(victims)) + 1);
}

/* Whose holding was filled up, and by whom. A capture by itself also gives its maker one cross. */
static void tell_filling(const struct nonet_options *options, const struct state *old,
                         nonet_move move, const struct state *new, struct nonet_events *events) {
    int change[NONET_MAX_PLAYERS];
    for (int player = 0; player < options->players; player++) {
        change[player] = new->holding[player] - old->holding[player];
        if (move < STOP && player + 1 == old->mover)
            change[player]--;
        if (change[player] > 0)
            tell(events, hand_place(options, player),
                 nonet_say(phrase(FILLED_UP), nonet_player(player + 1),
                           nonet_number(new->holding[player])));
    }
    for (int player = 0; player < options->players; player++)
        if (change[player] < 0)
            tell(events, hand_place(options, player),
                 nonet_say(phrase(GIVEN), nonet_player(player + 1), nonet_number(-change[player])));
}

/* What may follow a capture in the same turn, or why the turn has ended. */
static void tell_capture(const struct nonet_options *options, const struct state *old,
                         const struct state *new, struct nonet_events *events) {
    struct nonet_argument mover = nonet_player(old->mover), number = nonet_number(new->captures);
    struct nonet_message says;
    if (new->captures > 0)
        says = nonet_say(phrase(new->white ? CAPTURE_FREELY : CAPTURE_AGAIN), number);
    else if (new->out >> (old->mover - 1) & 1)
        says = nonet_say(phrase(ENDS_OUT), mover);
    else if (new->holding[old->mover - 1] >= limit_of(options))
        says = nonet_say(phrase(ENDS_FULL), mover, nonet_number(limit_of(options)));
    else
        says = nonet_say(phrase(old->captures == 2 ? ENDS_THIRD : ENDS_ALONE), mover);
    tell(events, new->at, says);
}

/* How a turn begins: who was passed over, and whether the first capture is free. */
static void tell_turn(const struct nonet_options *options, const struct state *old,
                      const struct state *new, struct nonet_events *events) {
    struct nonet_argument mover = nonet_player(new->mover);
    if (new->mover == old->mover)
        nonet_event_add(events, nonet_say(phrase(SAME_AGAIN), mover));
    for (int i = 1; i < options->players; i++) {
        int player = (old->mover - 1 + i) % options->players;
        if (new->mover == old->mover || player + 1 == new->mover)
            break;
        if (!(new->out >> player & 1))
            tell(events, hand_place(options, player),
                 nonet_say(phrase(SKIPPED), nonet_player(player + 1)));
    }
    if (is_free(new, neighbours(options, new)))
        tell(events, new->at,
             nonet_say(phrase(new->white ? BEGINS_FREE_WHITE : BEGINS_FREE_ALONE), mover));
}

static void tell_choice(const struct nonet_options *options, const struct state *s,
                        struct nonet_events *events) {
    struct choice c = fill_choice(s, s->mover - 1);
    tell(events, hand_place(options, s->mover - 1),
         nonet_say(phrase(CHOOSES), nonet_player(s->mover), nonet_player(c.next + 1),
                   nonet_player(c.other + 1), nonet_number(c.need)));
}

/* First what has happened, then what may follow. */
void nonet_masker_events(const struct nonet_options *options, const void *before, nonet_move move,
                         const void *after, struct nonet_events *events) {
    const struct state *old = before, *new = after;
    tell_out(options, old, new, events);
    tell_filling(options, old, move, new, events);
    if (move < STOP && !is_decided(options, new))
        tell_capture(options, old, new, events);
    if (new->filling)
        tell_choice(options, new, events);
    else if (new->mover != 0 && new->captures == 0)
        tell_turn(options, old, new, events);
}

void nonet_masker_standings(const struct nonet_options *options, const void *state,
                            struct nonet_standings *standings) {
    const struct state *s = state;
    for (int player = 0; player < options->players; player++)
        nonet_standing_add(standings, player + 1, s->holding[player],
                           nonet_say(phrase(CROSSES_HELD)))
            ->most = (int16_t)limit_of(options);
    for (int colour = RED; colour <= WHITE; colour++) {
        struct nonet_standing *left =
            nonet_standing_add(standings, 0, s->left[colour],
                               nonet_say(phrase(CROSSES_LEFT), nonet_word(word_for(colour))));
        left->most = crosses_of[colour];
        left->material = material_of[colour];
    }
}
