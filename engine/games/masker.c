/* Masker (Philippe Proux, 2018): 35 coloured crosses and an uncoloured one. Each player secretly
 * owns a colour. The uncoloured cross captures its way through the grid; a player whose colour is
 * gone from it is out, and the last player left wins.
 *
 * A turn is one to three captures, each onto a neighbouring cross. After a white cross, or when a
 * turn begins with no neighbour to capture, any cross on the board may be taken. A player who holds
 * their share of the crosses captures no more, but can still win. In the variant 3d the crosses are
 * piled four high, and only the top of a pile can be taken.
 *
 * Here are the rules. What a position is made of, and when a capture is free, is in masker_board.h;
 * moves and positions as text, and the editor, in masker_text.c; what is shown, in masker_shown.c;
 * what is said, in masker_words.c; the computer's judgement, in masker_judging.c. */
#include "../base/random.h"
#include "masker_words.h"

static const struct nonet_option options_table[] = {
    [PLAYERS] = {.key = "players",
                 .values = "2|3|4",
                 .help = "number of players; four play in two teams, 1 and 3 against 2 and 4",
                 .kind = NONET_CHOICE},
    [VARIANT] = {.key = "variant",
                 .values = "flat|3d",
                 .help = "a grid of 6x6 crosses, or 3x3 piles of four",
                 .kind = NONET_CHOICE},
    [SEED] = {.key = "seed",
              .values = "a number",
              .help = "deals layout and discs the same way every time",
              .kind = NONET_SEED,
              .chance = true,
              .secret = true},
    [DEAL] = {.key = "deal",
              .values = "36 letters of RYGBVWN",
              .help = "the layout, from a1 along the ranks; in 3d level by level from the bottom",
              .kind = NONET_LETTERS,
              .chance = true},
    [COLOURS] = {.key = "colours",
                 .values = "letters of RYGBV, one for each player or team",
                 .help = "the discs of the players, or of the two teams",
                 .kind = NONET_LETTERS,
                 .chance = true,
                 .secret = true},
    {0},
};

/* --- Setup: what may be dealt, the deal, and the first position ----------------------------- */

/* The bottom level of 3d: no white cross, no more than two of any colour. */
bool nonet_masker_check_bottom(const uint8_t *cross, struct nonet_message *why) {
    int count[8] = {0};
    for (int i = 0; i < PILES; i++)
        count[cross[i]]++;
    if (count[WHITE] > 0) {
        *why = nonet_say(phrase(BAD_BOTTOM_WHITE));
        return false;
    }
    for (int colour = RED; colour <= VIOLET; colour++)
        if (count[colour] > 2) {
            *why = nonet_say(phrase(BAD_BOTTOM_COUNT), nonet_word(word_for(colour)),
                             nonet_number(count[colour]));
            return false;
        }
    return true;
}

static bool check_deal(const struct nonet_options *options, struct nonet_message *why) {
    const char *deal = options->value[DEAL].text;
    if (strlen(deal) != CROSSES) {
        *why = nonet_say(phrase(BAD_DEAL_LENGTH), nonet_number((int32_t)strlen(deal)));
        return false;
    }
    uint8_t cross[CROSSES];
    int count[8] = {0};
    for (int i = 0; i < CROSSES; i++) {
        cross[i] = (uint8_t)colour_of(deal[i]);
        if (cross[i] == NONE) {
            char letter[2] = {deal[i], '\0'};
            *why = nonet_say(phrase(BAD_DEAL_LETTER), nonet_quote(letter));
            return false;
        }
        count[cross[i]]++;
    }
    for (int colour = RED; colour <= UNCOLOURED; colour++)
        if (count[colour] != crosses_of[colour]) {
            char letter[2] = {letters[colour], '\0'};
            *why = nonet_say(phrase(BAD_DEAL_COUNT), nonet_quote(letter),
                             nonet_number(count[colour]), nonet_number(crosses_of[colour]));
            return false;
        }
    if (!piled(options))
        return true;
    if (!nonet_masker_check_bottom(cross, why))
        return false;
    if (memchr(cross + CROSSES - PILES, UNCOLOURED, PILES) == NULL) {
        *why = nonet_say(phrase(BAD_TOP));
        return false;
    }
    return true;
}

/* Whether these are letters of discs, no two alike; those of the text of a position may be hidden.
 */
bool nonet_masker_check_discs(const char *colours, bool may_hide, struct nonet_message *why) {
    for (int i = 0; colours[i] != '\0'; i++) {
        if (may_hide && colours[i] == UNKNOWN)
            continue;
        int colour = colour_of(colours[i]);
        if (colour < RED || colour > VIOLET) {
            char letter[2] = {colours[i], '\0'};
            *why = nonet_say(phrase(BAD_COLOURS_LETTER), nonet_quote(letter));
            return false;
        }
        if (strchr(colours + i + 1, colours[i]) != NULL) {
            *why = nonet_say(phrase(BAD_COLOURS_TWICE), nonet_word(word_for(colour)));
            return false;
        }
    }
    return true;
}

static bool check_colours(const struct nonet_options *options, struct nonet_message *why) {
    const char *colours = options->value[COLOURS].text;
    int wanted = disc_count(options), given = (int)strlen(colours);
    if (given != wanted)
        *why = nonet_say(phrase(BAD_COLOURS_LENGTH), nonet_number(wanted), nonet_number(given));
    return given == wanted && nonet_masker_check_discs(colours, false, why);
}

static bool check(const struct nonet_options *options, struct nonet_message *why) {
    return (options->value[DEAL].text[0] == '\0' || check_deal(options, why)) &&
           (options->value[COLOURS].text[0] == '\0' || check_colours(options, why));
}

static void shuffle(char *first, int count, struct nonet_random *random) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)nonet_random_below(random, (uint32_t)i + 1);
        char kept = first[i];
        first[i] = first[j];
        first[j] = kept;
    }
}

/* Every layout that the setup rules allow is equally likely. In 3d the bottom level then has two of
 * each colour except one. */
static void deal_layout(const struct nonet_options *options, char *layout, uint64_t seed) {
    struct nonet_random random = {seed};
    int taken[8] = {0}, at = 0;
    if (piled(options)) {
        int single = RED + (int)nonet_random_below(&random, COLOURS_OF_DISCS);
        for (int colour = RED; colour <= VIOLET; colour++)
            for (; taken[colour] < (colour == single ? 1 : 2); taken[colour]++)
                layout[at++] = letters[colour];
        shuffle(layout, at, &random);
    }
    int bottom = at;
    for (int colour = RED; colour <= WHITE; colour++)
        for (; taken[colour] < crosses_of[colour]; taken[colour]++)
            layout[at++] = letters[colour];
    shuffle(layout + bottom, at - bottom, &random);
    int lowest = piled(options) ? CROSSES - PILES : 0;
    int place = lowest + (int)nonet_random_below(&random, (uint32_t)(CROSSES - lowest));
    layout[at] = layout[place];
    layout[place] = letters[UNCOLOURED];
    layout[CROSSES] = '\0';
}

static void deal(struct nonet_options *options, uint64_t open, uint64_t secret) {
    if (options->value[DEAL].text[0] == '\0')
        deal_layout(options, options->value[DEAL].text, open);
    if (options->value[COLOURS].text[0] == '\0') {
        char discs[] = "RYGBV";
        struct nonet_random random = {secret};
        shuffle(discs, COLOURS_OF_DISCS, &random);
        discs[disc_count(options)] = '\0';
        memcpy(options->value[COLOURS].text, discs, sizeof discs);
    }
}

/* Sets what follows from `cross`: counts, heights, the uncoloured cross, what can be taken. */
void nonet_masker_derive_board(const struct nonet_options *options, struct state *s) {
    for (int i = 0; i < CROSSES; i++) {
        int cell = piled(options) ? i % PILES : i;
        if (s->cross[i] == NONE)
            continue;
        s->left[s->cross[i]]++;
        if (piled(options))
            s->height[cell]++;
        if (s->cross[i] == UNCOLOURED)
            s->at = (uint8_t)cell;
        s->takable |= 1ull << cell;
    }
    s->left[UNCOLOURED] = 0;
    s->takable &= ~(1ull << s->at);
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)workspace;
    struct state s = {.mover = 1};
    for (int i = 0; i < CROSSES; i++)
        s.cross[i] = (uint8_t)colour_of(options->value[DEAL].text[i]);
    nonet_masker_derive_board(options, &s);
    uint8_t discs[NONET_MAX_PLAYERS] = {0};
    for (int i = 0; i < disc_count(options); i++)
        discs[i] = (uint8_t)colour_of(options->value[COLOURS].text[i]);
    set_discs(options, &s, discs);
    *(struct state *)state = s;
}

/* --- What the player to move may do --------------------------------------------------------- */

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->mover;
}

/* The cells that the next capture may name. In 3d, that of the uncoloured cross itself stands for
 * the cross just beneath it. */
static uint64_t capturable(const struct nonet_options *options, const struct state *s) {
    uint64_t near = neighbours(options, s);
    if (!is_free(s, near))
        return near;
    return has_beneath(options, s) ? s->takable | 1ull << s->at : s->takable;
}

static int moves(const struct nonet_options *options, const void *state, nonet_move *moves) {
    const struct state *s = state;
    if (s->mover == 0)
        return 0;
    int count = 0;
    if (s->filling) {
        struct choice c = fill_choice(s, s->mover - 1);
        for (int taken = c.least; taken <= c.most; taken++)
            moves[count++] = (nonet_move)(FILL + taken);
        return count;
    }
    for (uint64_t cells = capturable(options, s); cells != 0; cells &= cells - 1)
        moves[count++] = (nonet_move)nonet_bits_first(cells);
    if (s->captures > 0)
        moves[count++] = STOP;
    return count;
}

/* --- A capture ------------------------------------------------------------------------------ */

/* Moves the uncoloured cross onto the cell and returns the colour of the cross that left the board.
 */
static int take(const struct nonet_options *options, struct state *s, int cell) {
    int from = s->at, old = top_of(options, s, from);
    s->cross[old] = NONE;
    if (piled(options)) {
        s->height[from]--;
        if (s->height[from] > 0)
            s->takable |= 1ull << from;
    }
    int top = top_of(options, s, cell), colour = s->cross[top];
    s->cross[top] = UNCOLOURED;
    s->takable &= ~(1ull << cell);
    s->at = (uint8_t)cell;
    return colour;
}

/* --- The end of a turn ---------------------------------------------------------------------- */

/* The turn passes to the next player after `from` who is neither full nor out; it may be the same
 * player. If there is none, everybody left is full, and the game is over. */
static void pass_turn(const struct nonet_options *options, struct state *s, int from) {
    s->captures = 0;
    int limit = limit_of(options), player = from;
    for (int i = 0; i < options->players; i++) {
        player = player + 1 == options->players ? 0 : player + 1;
        if (!(s->out >> player & 1) && s->holding[player] < limit) {
            s->mover = (uint8_t)(player + 1);
            return;
        }
    }
    s->mover = 0;
}

/* --- Elimination: the last cross of a colour has left the board ----------------------------- */

static int at_most(int number, int limit) {
    return number < limit ? number : limit;
}

static void give(struct state *s, int from, int to, int crosses) {
    s->holding[from] = (uint8_t)(s->holding[from] - crosses);
    s->holding[to] = (uint8_t)(s->holding[to] + crosses);
}

/* Fills up the holding of a player put out by their own capture. What the next player does not give
 * comes from the other one, as far as it goes. */
static void take_from_others(struct state *s, int player, const struct choice *c, int from_next) {
    give(s, c->next, player, from_next);
    give(s, c->other, player, at_most(c->need - from_next, s->holding[c->other]));
}

/* Players with this colour, as a set. */
static unsigned owners(const struct nonet_options *options, const struct state *s, int colour) {
    unsigned players = 0;
    for (int player = 0; player < options->players; player++)
        players |= (unsigned)(s->disc[player] == colour) << player;
    return players;
}

/* These players, one or a team, are out. True if the mover's turn goes on. If that does not decide
 * the game, two of three players are left. Then the holding of the one who is out is filled up, and
 * those who give crosses for it can capture as many again. */
static bool eliminate(const struct nonet_options *options, struct state *s, unsigned victims) {
    int mover = s->mover - 1, player = nonet_bits_first(victims);
    s->out |= (uint8_t)victims;
    if (is_decided(options, s)) {
        s->captures = 0;
        s->mover = 0;
        return false;
    }
    if (player != mover) {
        give(s, mover, player, at_most(MOST_FILLED - s->holding[player], s->holding[mover]));
        return true;
    }
    struct choice c = fill_choice(s, player);
    if (c.least < c.most) {
        s->captures = 0;
        s->filling = true;
        return false;
    }
    take_from_others(s, player, &c, c.most);
    pass_turn(options, s, player);
    return false;
}

/* --- A move --------------------------------------------------------------------------------- */

static void capture(const struct nonet_options *options, struct state *s, int cell) {
    int mover = s->mover - 1, colour = take(options, s, cell);
    s->left[colour]--;
    s->holding[mover]++;
    s->captures++;
    s->white = colour == WHITE;
    /* A filling comes before the test for a full holding, as it may take crosses from the mover. */
    if (s->left[colour] == 0) {
        unsigned victims = owners(options, s, colour); /* nobody, if it was not drawn */
        if (victims != 0 && !eliminate(options, s, victims))
            return;
    }
    bool isolated = !s->white && neighbours(options, s) == 0;
    if (s->captures == 3 || isolated || s->holding[mover] >= limit_of(options))
        pass_turn(options, s, mover);
}

void nonet_masker_play(const struct nonet_options *options, void *state, void *workspace,
                       nonet_move move) {
    (void)workspace;
    struct state *s = state;
    int mover = s->mover - 1;
    if (move < STOP) {
        capture(options, s, (int)move);
    } else if (move == STOP) {
        pass_turn(options, s, mover);
    } else {
        struct choice c = fill_choice(s, mover);
        take_from_others(s, mover, &c, (int)move - FILL);
        s->filling = false;
        pass_turn(options, s, mover);
    }
}

/* --- The end of the game -------------------------------------------------------------------- */

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    const struct state *s = state;
    unsigned living = ((1u << options->players) - 1) & ~(unsigned)s->out;
    result->winners = (uint8_t)living;
    int first = nonet_bits_first(living) + 1;
    if (options->players == 4 && s->out != 0)
        result->reason = nonet_say(phrase(LAST_TEAM), nonet_player(first), nonet_player(first + 2));
    else if (nonet_bits_count(living) == 1)
        result->reason = nonet_say(phrase(LAST_ONE), nonet_player(first));
    else
        result->reason = nonet_say(phrase(ALL_FULL));
}

/* --- Why a move is not legal ---------------------------------------------------------------- */

static bool why_not_fill(const struct state *s, nonet_move move, struct nonet_message *why) {
    struct choice c = fill_choice(s, s->mover - 1);
    int taken = (int)move - FILL;
    if (move <= STOP)
        *why = nonet_say(phrase(FILL_FIRST), nonet_player(s->mover), nonet_player(c.next + 1),
                         nonet_number(c.least), nonet_number(c.most));
    else if (taken < c.least || taken > c.most)
        *why = nonet_say(phrase(FILL_RANGE), nonet_player(s->mover), nonet_number(c.least),
                         nonet_number(c.most), nonet_player(c.next + 1));
    else
        return true;
    return false;
}

static bool why_not_capture(const struct nonet_options *options, const struct state *s, int cell,
                            struct nonet_message *why) {
    int side = side_of(options);
    uint64_t near = neighbours(options, s);
    struct nonet_argument name = nonet_cell_argument(side, cell);
    if (cell == s->at && !piled(options))
        *why = nonet_say(phrase(ITSELF), name);
    else if (cell == s->at && !has_beneath(options, s))
        *why = nonet_say(phrase(NOTHING_BENEATH), name);
    else if (cell == s->at && !is_free(s, near))
        *why = nonet_say(phrase(BENEATH_ONLY_FREE), name);
    else if (cell != s->at && !(s->takable >> cell & 1))
        *why = nonet_say(phrase(NO_CROSS), name);
    else if (cell != s->at && !is_free(s, near) && !(near >> cell & 1))
        *why = nonet_say(phrase(NO_NEIGHBOUR), name, nonet_cell_argument(side, s->at));
    else
        return true;
    return false;
}

/* Whether the number stands for a cell, stopping, or a way to fill a holding up. */
static bool is_move(const struct nonet_options *options, nonet_move move) {
    return move < (nonet_move)(side_of(options) * side_of(options)) || move == STOP ||
           (options->players == 3 && move >= FILL && move <= FILL + MOST_FILLED);
}

static bool why(const struct nonet_options *options, const void *state, nonet_move move,
                struct nonet_message *why) {
    const struct state *s = state;
    if (s->mover == 0)
        *why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
    else if (!is_move(options, move))
        *why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
    else if (s->filling)
        return why_not_fill(s, move, why);
    else if (move >= FILL)
        *why = nonet_say(phrase(NOT_ASKED_TO_FILL));
    else if (move == STOP && s->captures == 0)
        *why = nonet_say(phrase(BEGIN_WITH_CAPTURE));
    else
        return move == STOP || why_not_capture(options, s, (int)move, why);
    return false;
}

/* --- Who knows which disc ------------------------------------------------------------------- */

/* The colours that an unseen disc may have, in order; returns how many. A colour that is gone from
 * the board belongs to nobody who is still in the game. */
int nonet_masker_open_colours(const struct nonet_options *options, const struct state *seen,
                              uint8_t colours[COLOURS_OF_DISCS]) {
    unsigned known = 0;
    for (int player = 0; player < options->players; player++)
        known |= 1u << seen->disc[player];
    int count = 0;
    for (int colour = RED; colour <= VIOLET; colour++)
        if (seen->left[colour] > 0 && !(known >> colour & 1))
            colours[count++] = (uint8_t)colour;
    return count;
}

/* A viewer of 0 is a spectator. */
static bool knows(const struct nonet_options *options, const struct state *s, int viewer,
                  int player) {
    bool team = options->players == 4 && viewer > 0 && (viewer - 1) % 2 == player % 2;
    return viewer - 1 == player || team || s->out >> player & 1;
}

static void observe(const struct nonet_options *options, const void *state, int viewer,
                    void *seen) {
    struct state s = *(const struct state *)state;
    for (int player = 0; player < NONET_MAX_PLAYERS; player++)
        if (!knows(options, &s, viewer, player))
            s.disc[player] = NONE;
    *(struct state *)seen = s;
}

static int worlds(const struct nonet_options *options, const void *seen, int seat) {
    (void)seat;
    const struct state *s = seen;
    uint8_t colours[COLOURS_OF_DISCS];
    int left = nonet_masker_open_colours(options, s, colours), count = 1;
    for (int i = 0; i < disc_count(options); i++)
        if (s->disc[i] == NONE)
            count *= left--;
    return count;
}

/* The index is read as a number with a digit for each unseen disc: which of the remaining colours
 * it has. */
static void world(const struct nonet_options *options, const void *seen, int seat, int index,
                  void *state) {
    (void)seat;
    struct state s = *(const struct state *)seen;
    uint8_t colours[COLOURS_OF_DISCS], discs[NONET_MAX_PLAYERS];
    int left = nonet_masker_open_colours(options, &s, colours);
    for (int i = 0; i < disc_count(options); i++) {
        discs[i] = s.disc[i];
        if (discs[i] != NONE)
            continue;
        int digit = index % left;
        index /= left;
        discs[i] = colours[digit];
        left--;
        memmove(colours + digit, colours + digit + 1, (size_t)(left - digit));
    }
    set_discs(options, &s, discs);
    *(struct state *)state = s;
}

static void secret(const struct nonet_options *options, const void *state, int seat,
                   struct nonet_text *out) {
    (void)options;
    nonet_text_char(out, letters[((const struct state *)state)->disc[seat - 1]]);
}

static const struct nonet_hidden hidden = {
    .observe = observe,
    .secret_name = "disc",
    .secret = secret,
    .worlds = worlds,
    .world = world,
    .counts = &nonet_masker_counts,
};

/* --- Symmetries: the eight of the square ---------------------------------------------------- */

static int symmetries(const struct nonet_options *options) {
    (void)options;
    return 8;
}

static int turn_cell(const struct nonet_options *options, int symmetry, int cell) {
    int side = side_of(options), x = cell % side, y = cell / side;
    if (symmetry & 1)
        x = side - 1 - x;
    if (symmetry & 2)
        y = side - 1 - y;
    return symmetry & 4 ? y + side * x : x + side * y;
}

static void turn_state(const struct nonet_options *options, int symmetry, const void *state,
                       void *turned) {
    const struct state *s = state;
    struct state t = *s;
    int cells = side_of(options) * side_of(options);
    t.takable = 0;
    for (int i = 0; i < CROSSES; i++)
        t.cross[i / cells * cells + turn_cell(options, symmetry, i % cells)] = s->cross[i];
    for (int cell = 0; cell < cells; cell++) {
        int image = turn_cell(options, symmetry, cell);
        t.takable |= (s->takable >> cell & 1) << image;
        if (piled(options))
            t.height[image] = s->height[cell];
    }
    t.at = (uint8_t)turn_cell(options, symmetry, s->at);
    *(struct state *)turned = t;
}

static nonet_move turn_move(const struct nonet_options *options, int symmetry, nonet_move move) {
    return move < STOP ? (nonet_move)turn_cell(options, symmetry, (int)move) : move;
}

static int action_count(const struct nonet_options *options) {
    return options->players == 3 ? FILL + MOST_FILLED + 1 : STOP + 1;
}

const struct nonet_game nonet_masker = {
    .id = "masker",
    .title = "Masker",
    .author = "Philippe Proux",
    .year = "2018",
    .summary = "Hide your colour, and outlast the others.",
    .box = "36 wooden crosses, five discs; 7 to 99 years",
    .minutes = 15,
    .min_players = 2,
    .max_players = 4,
    .facts = NONET_CHANCE | NONET_TEAMS,
    .state_size = sizeof(struct state),
    .options = options_table,
    .phrases = nonet_masker_phrases,
    .phrase_count = PHRASES,
    .hidden = &hidden,
    .check = check,
    .deal = deal,
    .start = start,
    .turn = turn,
    .moves = moves,
    .play = nonet_masker_play,
    .result = result,
    .why = why,
    .print = nonet_masker_print,
    .parse = nonet_masker_parse,
    .write = nonet_masker_write,
    .read = nonet_masker_read,
    .touches = nonet_masker_touches,
    .scene = nonet_masker_scene,
    .events = nonet_masker_events,
    .standings = nonet_masker_standings,
    .editor = &nonet_masker_editor,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .action_count = action_count,
};
