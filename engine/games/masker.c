/* Masker (Philippe Proux, 2018): 35 coloured crosses and an uncoloured one. Each player secretly
 * owns a colour. The uncoloured cross captures its way through the grid; a player whose colour is
 * gone from it is out, and the last player left wins.
 *
 * A turn is one to three captures, each onto a neighbouring cross. After a white cross, or when a
 * turn begins with no neighbour to capture, any cross on the board may be taken. In the variant 3d
 * the crosses are piled four high, and only the top of a pile can be taken.
 *
 * Position text, six fields: the board from the top rank, the holdings of the players, the discs
 * (lower case once eliminated, ? where unknown), the captures made in this turn or `fill`, w if the
 * last cross captured was white or else -, and the player to move or `over`: "VYW.NG/…/RRG.BV 4,3
 * VG 1 - 2". In 3d a cell is its pile from the bottom up, commas separate cells, and - is an empty
 * one: "RGBY,-,RN/…". A move is a cell, STOP, or FILL plus a number. */
#include "../base/random.h"
#include "../rules/editing.h"
#include "../rules/events.h"
#include "../rules/standings.h"
#include "masker_board.h"

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

static const char letters[] = ".RYGBVWN";
enum { UNKNOWN = '?' }; /* in place of a disc's letter */
static const uint8_t crosses_of[] = {0, 6, 6, 6, 6, 6, 5, 1};

enum phrase {
    BEGIN_WITH_CAPTURE,
    NOT_ASKED_TO_FILL,
    FILL_FIRST,
    FILL_RANGE,
    NO_CROSS,
    ITSELF,
    NOTHING_BENEATH,
    BENEATH_ONLY_FREE,
    NO_NEIGHBOUR,
    BAD_DEAL_LENGTH,
    BAD_DEAL_LETTER,
    BAD_DEAL_COUNT,
    BAD_BOTTOM_WHITE,
    BAD_BOTTOM_COUNT,
    BAD_TOP,
    BAD_COLOURS_LENGTH,
    BAD_COLOURS_LETTER,
    BAD_COLOURS_TWICE,
    BAD_PILES,
    BAD_FIELD,
    BAD_UNCOLOURED,
    BAD_SUM,
    BAD_HOLDING,
    BAD_VIEW,
    BAD_HIDDEN,
    BAD_OUT,
    BAD_LIVING,
    BAD_OVER,
    BAD_NOT_OVER,
    BAD_MOVER,
    BAD_TURN_ENDED,
    BAD_WHITE,
    BAD_FILL,
    BAD_BEGINNING,
    LAST_ONE,
    LAST_TEAM,
    ALL_FULL,
    CROSS_ON,
    UNCOLOURED_ON,
    HOLDING_OF,
    DISC_PLACE,
    DISC_OF,
    UNKNOWN_DISC_OF,
    BUTTON_STOP,
    BUTTON_FILL,
    WORD_UNKNOWN, /* the colours of discs come after it */
    WORD_RED,
    WORD_YELLOW,
    WORD_GREEN,
    WORD_BLUE,
    WORD_VIOLET,
    WORD_WHITE,
    WORD_UNCOLOURED,
    TEAM_DISC,
    CAPTURES_MADE,
    LAST_WHITE,
    FILLS_UP,
    OUT,
    OUT_BY_THEMSELVES,
    TEAM_OUT,
    FILLED_UP,
    GIVEN,
    CAPTURE_AGAIN,
    CAPTURE_FREELY,
    ENDS_THIRD,
    ENDS_ALONE,
    ENDS_FULL,
    ENDS_OUT,
    CHOOSES,
    SKIPPED,
    SAME_AGAIN,
    BEGINS_FREE_WHITE,
    BEGINS_FREE_ALONE,
    CROSSES_HELD,
    CROSSES_LEFT,
    PHRASES
};
static const struct nonet_phrase phrases[PHRASES] = {
    [BEGIN_WITH_CAPTURE] = {"masker.begin-with-capture",
                            "a turn begins with a capture; you may stop after it"},
    [NOT_ASKED_TO_FILL] = {"masker.not-asked-to-fill", "there is no holding to fill up now"},
    [FILL_FIRST] = {"masker.fill-first",
                    "player {0}, who is out, first says how many crosses to take from player {1}: "
                    "fill:{2} to fill:{3}"},
    [FILL_RANGE] = {"masker.fill-range",
                    "player {0} must take from {1} to {2} crosses from player {3}"},
    [NO_CROSS] = {"masker.no-cross", "there is no cross on {0}"},
    [ITSELF] = {"masker.itself", "the uncoloured cross itself stands on {0}"},
    [NOTHING_BENEATH] = {"masker.nothing-beneath",
                         "there is no cross beneath the uncoloured one on {0}"},
    [BENEATH_ONLY_FREE] =
        {"masker.beneath-only-free",
         "the cross beneath the uncoloured one on {0} may be taken only in a free "
         "capture"},
    [NO_NEIGHBOUR] = {"masker.no-neighbour",
                      "{0} is not beside the uncoloured cross on {1}, and this is no free capture"},
    [BAD_DEAL_LENGTH] = {"masker.deal-length", "a deal has 36 letters, not {0}"},
    [BAD_DEAL_LETTER] = {"masker.deal-letter", "a deal has the letters RYGBVWN, not \"{0}\""},
    [BAD_DEAL_COUNT] = {"masker.deal-count", "letter {0} in the deal: {1} instead of {2}"},
    [BAD_BOTTOM_WHITE] = {"masker.bottom-white", "the bottom level must have no white cross"},
    [BAD_BOTTOM_COUNT] = {"masker.bottom-count",
                          "the bottom level must have no more than two of a colour, not {1} {0}"},
    [BAD_TOP] = {"masker.top", "the uncoloured cross must be in the top level"},
    [BAD_COLOURS_LENGTH] = {"masker.colours-length", "colours needs {0} letters, not {1}"},
    [BAD_COLOURS_LETTER] = {"masker.colours-letter",
                            "a disc has one of the colours RYGBV, not \"{0}\""},
    [BAD_COLOURS_TWICE] = {"masker.colours-twice", "two discs cannot both be {0}"},
    [BAD_PILES] =
        {"masker.bad-piles",
         "the board must have 3 ranks of 3 piles from the top, with / between ranks and a "
         "comma between piles; a pile is 1 to 4 letters of RYGBVWN or -"},
    [BAD_FIELD] = {"masker.bad-field",
                   "\"{0}\" does not fit; after the board come holdings, discs, captures, last "
                   "colour and player, such as: 0,0 VG 0 - 1"},
    [BAD_UNCOLOURED] = {"masker.bad-uncoloured",
                        "there must be one uncoloured cross N, with nothing above it"},
    [BAD_SUM] = {"masker.bad-sum",
                 "crosses: {0} on the board and {1} in the holdings, which must make 35"},
    [BAD_HOLDING] = {"masker.bad-holding", "player {0} holds more than {1} crosses"},
    [BAD_VIEW] = {"masker.bad-view", "nobody knows just these discs: a player knows their own disc "
                                     "and those of players who are out"},
    [BAD_HIDDEN] = {"masker.bad-hidden",
                    "hidden discs: {0}, but only so many colours are left for them: {1}"},
    [BAD_OUT] = {"masker.bad-out", "player {0} is out, but has crosses left on the board: {1}"},
    [BAD_LIVING] = {"masker.bad-living", "player {0} is not out, but no {1} cross is left"},
    [BAD_OVER] = {"masker.bad-over", "the game is not over yet"},
    [BAD_NOT_OVER] = {"masker.bad-not-over", "the game is over, so nobody is to move"},
    [BAD_MOVER] = {"masker.bad-mover", "player {0} cannot be to move: that player is full or out"},
    [BAD_TURN_ENDED] = {"masker.bad-turn-ended",
                        "this turn would have ended: there is no cross beside the uncoloured one"},
    [BAD_WHITE] = {"masker.bad-white", "no white cross has been captured yet"},
    [BAD_FILL] = {"masker.bad-fill", "nobody has to choose how to fill a holding in this position"},
    [BAD_BEGINNING] = {"masker.bad-beginning",
                       "with no cross captured it is the beginning of player 1's turn"},
    [LAST_ONE] = {"masker.last-one", "player {0} is the last one left"},
    [LAST_TEAM] = {"masker.last-team", "only the team of players {0} and {1} is left"},
    [ALL_FULL] = {"masker.all-full", "everybody left has a full holding"},
    [CROSS_ON] = {"masker.cross-on", "{0} cross on {1}"},
    [UNCOLOURED_ON] = {"masker.uncoloured-on", "the uncoloured cross on {0}"},
    [HOLDING_OF] = {"masker.holding-of", "crosses captured by player {0}"},
    [DISC_PLACE] = {"masker.disc-place", "disc of player {0}"},
    [DISC_OF] = {"masker.disc-of", "disc of player {0}: {1}"},
    [UNKNOWN_DISC_OF] = {"masker.unknown-disc-of", "disc of player {0}, face down"},
    [BUTTON_STOP] = {"masker.button-stop", "end the turn"},
    [BUTTON_FILL] = {"masker.button-fill", "crosses from the next player: {0}"},
    [WORD_UNKNOWN] = {"masker.unknown", "face down"},
    [WORD_RED] = {"masker.red", "red"},
    [WORD_YELLOW] = {"masker.yellow", "yellow"},
    [WORD_GREEN] = {"masker.green", "green"},
    [WORD_BLUE] = {"masker.blue", "blue"},
    [WORD_VIOLET] = {"masker.violet", "violet"},
    [WORD_WHITE] = {"masker.white", "white"},
    [WORD_UNCOLOURED] = {"masker.uncoloured", "uncoloured"},
    [TEAM_DISC] = {"masker.team-disc", "disc of players {0} and {1}"},
    [CAPTURES_MADE] = {"masker.captures-made", "captures made in this turn"},
    [LAST_WHITE] = {"masker.last-white", "the cross captured last was white"},
    [FILLS_UP] = {"masker.fills-up", "the player to move is out and fills up their holding"},
    [OUT] = {"masker.out", "player {0} is out: their colour was {1}, and player {2} has captured "
                           "the last cross of it"},
    [OUT_BY_THEMSELVES] = {"masker.out-by-themselves",
                           "player {0} is out: their colour was {1}, and they have captured the "
                           "last cross of it themselves"},
    [TEAM_OUT] = {"masker.team-out",
                  "players {0} and {1} are out: their colour was {2}, and player "
                  "{3} has captured the last cross of it"},
    [FILLED_UP] = {"masker.filled-up",
                   "player {0} was the first to go out, so their holding is filled up: now {1} of "
                   "12 crosses"},
    [GIVEN] = {"masker.given", "crosses given by player {0}: {1}"},
    [CAPTURE_AGAIN] = {"masker.capture-again", "capture {0} of 3: capture again, or stop"},
    [CAPTURE_FREELY] = {"masker.capture-freely",
                        "capture {0} of 3, of a white cross: capture again, or stop; the next "
                        "capture is free, whoever makes it, and may take any cross"},
    [ENDS_THIRD] = {"masker.ends-third", "the turn of player {0} ends after the third capture"},
    [ENDS_ALONE] = {"masker.ends-alone", "the turn of player {0} ends, as no cross is left beside "
                                         "the uncoloured one"},
    [ENDS_FULL] = {"masker.ends-full", "the turn of player {0} ends, as their holding is full: {1} "
                                       "crosses; they capture no more"},
    [ENDS_OUT] = {"masker.ends-out", "the turn of player {0} ends, as they are out"},
    [CHOOSES] = {"masker.chooses",
                 "player {0} now fills up their holding to 12 crosses, and chooses how many come "
                 "from player {1}; the rest come from player {2}; needed: {3}"},
    [SKIPPED] = {"masker.skipped", "player {0} has a full holding and is skipped"},
    [SAME_AGAIN] = {"masker.same-again",
                    "player {0} has another turn, as everybody else is full or out"},
    [BEGINS_FREE_WHITE] = {"masker.begins-free-white",
                           "the cross captured last was white, so player {0} begins with a free "
                           "capture: any cross may be taken"},
    [BEGINS_FREE_ALONE] = {"masker.begins-free-alone",
                           "no cross is beside the uncoloured one, so player {0} begins with a "
                           "free capture: any cross may be taken"},
    [CROSSES_HELD] = {"masker.crosses-held", "crosses held"},
    [CROSSES_LEFT] = {"masker.crosses-left", "{0} crosses left"},
};

static const struct nonet_phrase *word_for(int colour) {
    return &phrases[WORD_RED + colour - RED];
}

/* --- The deal ------------------------------------------------------------------------------- */

static int colour_of(char letter) {
    const char *found = letter != '\0' && letter != '.' ? strchr(letters, letter) : NULL;
    return found != NULL ? (int)(found - letters) : NONE;
}

/* The bottom level of 3d: no white cross, no more than two of any colour. */
static bool check_bottom(const uint8_t *cross, struct nonet_message *why) {
    int count[8] = {0};
    for (int i = 0; i < PILES; i++)
        count[cross[i]]++;
    if (count[WHITE] > 0) {
        *why = nonet_say(&phrases[BAD_BOTTOM_WHITE]);
        return false;
    }
    for (int colour = RED; colour <= VIOLET; colour++)
        if (count[colour] > 2) {
            *why = nonet_say(&phrases[BAD_BOTTOM_COUNT], nonet_word(word_for(colour)),
                             nonet_number(count[colour]));
            return false;
        }
    return true;
}

static bool check_deal(const struct nonet_options *options, struct nonet_message *why) {
    const char *deal = options->value[DEAL].text;
    if (strlen(deal) != CROSSES) {
        *why = nonet_say(&phrases[BAD_DEAL_LENGTH], nonet_number((int32_t)strlen(deal)));
        return false;
    }
    uint8_t cross[CROSSES];
    int count[8] = {0};
    for (int i = 0; i < CROSSES; i++) {
        cross[i] = (uint8_t)colour_of(deal[i]);
        if (cross[i] == NONE) {
            char letter[2] = {deal[i], '\0'};
            *why = nonet_say(&phrases[BAD_DEAL_LETTER], nonet_quote(letter));
            return false;
        }
        count[cross[i]]++;
    }
    for (int colour = RED; colour <= UNCOLOURED; colour++)
        if (count[colour] != crosses_of[colour]) {
            char letter[2] = {letters[colour], '\0'};
            *why = nonet_say(&phrases[BAD_DEAL_COUNT], nonet_quote(letter),
                             nonet_number(count[colour]), nonet_number(crosses_of[colour]));
            return false;
        }
    if (!piled(options))
        return true;
    if (!check_bottom(cross, why))
        return false;
    if (memchr(cross + CROSSES - PILES, UNCOLOURED, PILES) == NULL) {
        *why = nonet_say(&phrases[BAD_TOP]);
        return false;
    }
    return true;
}

/* Discs: one for each player, or for each of the two teams of four. */
static int disc_count(const struct nonet_options *options) {
    return options->players == 4 ? 2 : options->players;
}

/* Whether these are letters of discs, no two alike; those of the text of a position may be hidden.
 */
static bool check_discs(const char *colours, bool may_hide, struct nonet_message *why) {
    for (int i = 0; colours[i] != '\0'; i++) {
        if (may_hide && colours[i] == UNKNOWN)
            continue;
        int colour = colour_of(colours[i]);
        if (colour < RED || colour > VIOLET) {
            char letter[2] = {colours[i], '\0'};
            *why = nonet_say(&phrases[BAD_COLOURS_LETTER], nonet_quote(letter));
            return false;
        }
        if (strchr(colours + i + 1, colours[i]) != NULL) {
            *why = nonet_say(&phrases[BAD_COLOURS_TWICE], nonet_word(word_for(colour)));
            return false;
        }
    }
    return true;
}

static bool check_colours(const struct nonet_options *options, struct nonet_message *why) {
    const char *colours = options->value[COLOURS].text;
    int wanted = disc_count(options), given = (int)strlen(colours);
    if (given != wanted)
        *why = nonet_say(&phrases[BAD_COLOURS_LENGTH], nonet_number(wanted), nonet_number(given));
    return given == wanted && check_discs(colours, false, why);
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

/* --- Play ----------------------------------------------------------------------------------- */

/* Sets what follows from `cross`: counts, heights, the uncoloured cross, what can be taken. */
static void derive_board(const struct nonet_options *options, struct state *s) {
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

static void set_discs(const struct nonet_options *options, struct state *s, const uint8_t *discs) {
    for (int player = 0; player < options->players; player++)
        s->disc[player] = discs[player % disc_count(options)];
}

static void start(const struct nonet_options *options, void *state, void *workspace) {
    (void)workspace;
    struct state s = {.mover = 1};
    for (int i = 0; i < CROSSES; i++)
        s.cross[i] = (uint8_t)colour_of(options->value[DEAL].text[i]);
    derive_board(options, &s);
    uint8_t discs[NONET_MAX_PLAYERS] = {0};
    for (int i = 0; i < disc_count(options); i++)
        discs[i] = (uint8_t)colour_of(options->value[COLOURS].text[i]);
    set_discs(options, &s, discs);
    *(struct state *)state = s;
}

static int turn(const struct nonet_options *options, const void *state) {
    (void)options;
    return ((const struct state *)state)->mover;
}

/* How many crosses an eliminated player may take from the next player. The rest are the other's. */
struct choice {
    int next, other; /* players, from 0 */
    int need, least, most;
};

static struct choice fill_choice(const struct state *s, int player) {
    struct choice c = {.next = (player + 1) % 3, .other = (player + 2) % 3};
    int from_next = s->holding[c.next], from_other = s->holding[c.other];
    c.need = MOST_FILLED - s->holding[player];
    c.least = c.need > from_other ? c.need - from_other : 0;
    c.most = c.need < from_next ? c.need : from_next;
    return c;
}

/* The cells that the next capture may name. */
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

/* Takes from the two others what fills up the holding of a player put out by their own capture. */
static void take_from_others(struct state *s, int player, const struct choice *c, int from_next) {
    int from_other =
        c->need - from_next < s->holding[c->other] ? c->need - from_next : s->holding[c->other];
    s->holding[c->next] = (uint8_t)(s->holding[c->next] - from_next);
    s->holding[c->other] = (uint8_t)(s->holding[c->other] - from_other);
    s->holding[player] = (uint8_t)(s->holding[player] + from_next + from_other);
}

/* The colour of `victims` is gone. True if the mover's turn goes on. */
static bool eliminate(const struct nonet_options *options, struct state *s, unsigned victims) {
    int mover = s->mover - 1;
    bool mover_is_out = victims >> mover & 1;
    s->out |= (uint8_t)victims;
    if (options->players != 3 || nonet_bits_count(s->out) == 2) {
        s->captures = 0;
        s->mover = 0;
        return false;
    }
    int player = nonet_bits_first(victims);
    if (!mover_is_out) {
        int need = MOST_FILLED - s->holding[player];
        int given = need < s->holding[mover] ? need : s->holding[mover];
        s->holding[mover] = (uint8_t)(s->holding[mover] - given);
        s->holding[player] = (uint8_t)(s->holding[player] + given);
        return true;
    }
    struct choice c = fill_choice(s, player);
    if (c.least < c.most) {
        s->captures = 0;
        s->filling = FILLING;
        return false;
    }
    take_from_others(s, player, &c, c.most);
    pass_turn(options, s, player);
    return false;
}

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

static void capture(const struct nonet_options *options, struct state *s, int cell) {
    int mover = s->mover - 1, colour = take(options, s, cell);
    s->left[colour]--;
    s->holding[mover]++;
    s->captures++;
    s->white = colour == WHITE;
    if (s->left[colour] == 0) {
        unsigned victims = 0;
        for (int player = 0; player < options->players; player++)
            victims |= (unsigned)(s->disc[player] == colour) << player;
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
        s->filling = TURN_GOES_ON;
        pass_turn(options, s, mover);
    }
}

static void result(const struct nonet_options *options, const void *state,
                   struct nonet_result *result) {
    const struct state *s = state;
    unsigned living = ((1u << options->players) - 1) & ~(unsigned)s->out;
    result->winners = (uint8_t)living;
    int first = nonet_bits_first(living) + 1;
    if (options->players == 4 && s->out != 0)
        result->reason =
            nonet_say(&phrases[LAST_TEAM], nonet_player(first), nonet_player(first + 2));
    else if (nonet_bits_count(living) == 1)
        result->reason = nonet_say(&phrases[LAST_ONE], nonet_player(first));
    else
        result->reason = nonet_say(&phrases[ALL_FULL]);
}

/* --- Reasons and notation ------------------------------------------------------------------- */

static bool why_not_fill(const struct state *s, nonet_move move, struct nonet_message *why) {
    struct choice c = fill_choice(s, s->mover - 1);
    int taken = (int)move - FILL;
    if (move <= STOP)
        *why = nonet_say(&phrases[FILL_FIRST], nonet_player(s->mover), nonet_player(c.next + 1),
                         nonet_number(c.least), nonet_number(c.most));
    else if (taken < c.least || taken > c.most)
        *why = nonet_say(&phrases[FILL_RANGE], nonet_player(s->mover), nonet_number(c.least),
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
        *why = nonet_say(&phrases[ITSELF], name);
    else if (cell == s->at && !has_beneath(options, s))
        *why = nonet_say(&phrases[NOTHING_BENEATH], name);
    else if (cell == s->at && !is_free(s, near))
        *why = nonet_say(&phrases[BENEATH_ONLY_FREE], name);
    else if (cell != s->at && !(s->takable >> cell & 1))
        *why = nonet_say(&phrases[NO_CROSS], name);
    else if (cell != s->at && !is_free(s, near) && !(near >> cell & 1))
        *why = nonet_say(&phrases[NO_NEIGHBOUR], name, nonet_cell_argument(side, s->at));
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
        *why = nonet_say(&phrases[NOT_ASKED_TO_FILL]);
    else if (move == STOP && s->captures == 0)
        *why = nonet_say(&phrases[BEGIN_WITH_CAPTURE]);
    else
        return move == STOP || why_not_capture(options, s, (int)move, why);
    return false;
}

static void print(const struct nonet_options *options, nonet_move move, struct nonet_text *out) {
    if (move < STOP)
        nonet_cell_print(side_of(options), (int)move, out);
    else if (move == STOP)
        nonet_text_add(out, "stop");
    else
        nonet_text_format(out, "fill:%d", (int)move - FILL);
}

static bool parse(const struct nonet_options *options, const char *text, nonet_move *move,
                  struct nonet_message *why) {
    const char *cursor = text;
    uint32_t number;
    int side = side_of(options), cell;
    if (nonet_scan_word(&cursor, "stop")) {
        *move = STOP;
    } else if (options->players == 3 && nonet_scan_word(&cursor, "fill:") &&
               nonet_scan_number(&cursor, MOST_FILLED, &number)) {
        *move = FILL + number;
    } else {
        cursor = text;
        cell = nonet_cell_scan(&cursor, side, side);
        *move = (nonet_move)cell;
        if (cell < 0)
            goto bad;
    }
    if (*cursor == '\0')
        return true;
bad:
    *why = nonet_say(&nonet_common[NONET_SAY_NOT_A_MOVE], nonet_quote(text),
                     nonet_quote(options->players == 3 ? "b3, stop or fill:2" : "b3 or stop"));
    return false;
}

static void write_piles(const struct state *s, struct nonet_text *out) {
    for (int rank = 2; rank >= 0; rank--)
        for (int file = 0; file < 3; file++) {
            int pile = 3 * rank + file;
            for (int level = 0; level < s->height[pile]; level++)
                nonet_text_char(out, letters[s->cross[level * PILES + pile]]);
            if (s->height[pile] == 0)
                nonet_text_char(out, '-');
            if (pile != 2)
                nonet_text_char(out, file < 2 ? ',' : '/');
        }
}

static void write(const struct nonet_options *options, const void *state, struct nonet_text *out) {
    const struct state *s = state;
    if (piled(options)) {
        write_piles(s, out);
    } else {
        char board[CROSSES];
        for (int i = 0; i < CROSSES; i++)
            board[i] = letters[s->cross[i]];
        nonet_board_write(6, 6, board, out);
    }
    for (int player = 0; player < options->players; player++)
        nonet_text_format(out, "%c%d", player == 0 ? ' ' : ',', s->holding[player]);
    nonet_text_char(out, ' ');
    for (int i = 0; i < disc_count(options); i++) {
        char letter = s->disc[i] == NONE ? UNKNOWN : letters[s->disc[i]];
        nonet_text_char(out, s->out >> i & 1 ? (char)(letter - 'A' + 'a') : letter);
    }
    if (s->filling)
        nonet_text_add(out, " fill");
    else
        nonet_text_format(out, " %d", s->captures);
    nonet_text_add(out, s->white ? " w " : " - ");
    if (s->mover == 0)
        nonet_text_add(out, "over");
    else
        nonet_text_format(out, "%d", s->mover);
}

static bool scan_piles(const char **cursor, struct state *s, struct nonet_message *why) {
    for (int rank = 2; rank >= 0; rank--)
        for (int file = 0; file < 3; file++) {
            int pile = 3 * rank + file, level = 0;
            if (!nonet_scan_word(cursor, "-")) {
                int colour;
                for (; level < LEVELS && (colour = colour_of(**cursor)) != NONE; level++) {
                    s->cross[level * PILES + pile] = (uint8_t)colour;
                    (*cursor)++;
                }
                if (level == 0)
                    goto bad;
            }
            if (pile != 2 && !nonet_scan_word(cursor, file < 2 ? "," : "/"))
                goto bad;
        }
    return true;
bad:
    *why = nonet_say(&phrases[BAD_PILES]);
    return false;
}

static bool scan_crosses(const struct nonet_options *options, const char **cursor, struct state *s,
                         struct nonet_message *why) {
    char board[CROSSES];
    if (piled(options))
        return scan_piles(cursor, s, why);
    if (!nonet_board_scan(cursor, 6, 6, letters, board, why))
        return false;
    for (int i = 0; i < CROSSES; i++)
        s->cross[i] = (uint8_t)colour_of(board[i]);
    return true;
}

static bool scan_board(const struct nonet_options *options, const char **cursor, struct state *s,
                       struct nonet_message *why) {
    if (!scan_crosses(options, cursor, s, why))
        return false;
    int uncoloured = 0;
    for (int i = 0; i < CROSSES; i++)
        uncoloured += s->cross[i] == UNCOLOURED;
    if (uncoloured == 1) {
        derive_board(options, s);
        if (s->cross[top_of(options, s, s->at)] == UNCOLOURED)
            return !piled(options) || check_bottom(s->cross, why);
    }
    *why = nonet_say(&phrases[BAD_UNCOLOURED]);
    return false;
}

/* Reads the fields after the board; check_position then checks whether they fit together. */
static bool scan_fields(const struct nonet_options *options, const char **cursor, struct state *s,
                        struct nonet_message *why) {
    const char *c = *cursor;
    uint32_t number;
    uint8_t discs[NONET_MAX_PLAYERS] = {0};
    for (int player = 0; player < options->players; player++) {
        if (!nonet_scan_word(&c, player == 0 ? " " : ",") ||
            !nonet_scan_number(&c, CAPTURED_AT_MOST, &number))
            goto bad;
        s->holding[player] = (uint8_t)number;
    }
    if (!nonet_scan_word(&c, " "))
        goto bad;
    for (int i = 0; i < disc_count(options); i++, c++) {
        bool gone = *c >= 'a' && *c <= 'z';
        discs[i] = (uint8_t)colour_of(gone ? (char)(*c - 'a' + 'A') : *c);
        if (*c == '\0' || (*c != UNKNOWN && discs[i] == NONE))
            goto bad;
        s->out |= (uint8_t)(gone << i);
    }
    set_discs(options, s, discs);
    if (options->players == 4)
        s->out |= (uint8_t)(s->out << 2);
    if (nonet_scan_word(&c, " fill"))
        s->filling = FILLING;
    else if (nonet_scan_word(&c, " ") && nonet_scan_number(&c, 2, &number))
        s->captures = (uint8_t)number;
    else
        goto bad;
    s->white = nonet_scan_word(&c, " w");
    if (!s->white && !nonet_scan_word(&c, " -"))
        goto bad;
    if (nonet_scan_word(&c, " over"))
        s->mover = 0;
    else if (nonet_scan_word(&c, " ") && nonet_scan_number(&c, options->players, &number) &&
             number > 0)
        s->mover = (uint8_t)number;
    else
        goto bad;
    if (*c == '\0')
        return true;
bad:
    *why = nonet_say(&phrases[BAD_FIELD], nonet_quote(*cursor));
    return false;
}

static bool check_disc_letters(const struct nonet_options *options, const struct state *s,
                               struct nonet_message *why) {
    char colours[NONET_MAX_PLAYERS + 1] = {0};
    for (int i = 0; i < disc_count(options); i++)
        colours[i] = s->disc[i] == NONE ? UNKNOWN : letters[s->disc[i]];
    return check_discs(colours, true, why);
}

/* Checks the numbers of crosses, and which players are out. */
static bool check_counts(const struct nonet_options *options, const struct state *s,
                         struct nonet_message *why) {
    int board = 0, held = 0, limit = limit_of(options);
    for (int colour = RED; colour <= WHITE; colour++) {
        board += s->left[colour];
        if (s->left[colour] > crosses_of[colour]) {
            char letter[2] = {letters[colour], '\0'};
            *why = nonet_say(&phrases[BAD_DEAL_COUNT], nonet_quote(letter),
                             nonet_number(s->left[colour]), nonet_number(crosses_of[colour]));
            return false;
        }
    }
    for (int player = 0; player < options->players; player++) {
        held += s->holding[player];
        if (s->holding[player] > limit) {
            *why = nonet_say(&phrases[BAD_HOLDING], nonet_player(player + 1), nonet_number(limit));
            return false;
        }
        int colour = s->disc[player], left = s->left[colour];
        bool out = s->out >> player & 1;
        if (colour != NONE && out == (left > 0)) {
            *why = out ? nonet_say(&phrases[BAD_OUT], nonet_player(player + 1), nonet_number(left))
                       : nonet_say(&phrases[BAD_LIVING], nonet_player(player + 1),
                                   nonet_word(word_for(colour)));
            return false;
        }
    }
    if (board + held != CAPTURED_AT_MOST) {
        *why = nonet_say(&phrases[BAD_SUM], nonet_number(board), nonet_number(held));
        return false;
    }
    return true;
}

/* Whether the turn can be where it is said to be. */
static bool check_turn(const struct nonet_options *options, const struct state *s,
                       struct nonet_message *why) {
    int mover = s->mover - 1, limit = limit_of(options), able = 0, held = 0;
    unsigned living = ((1u << options->players) - 1) & ~(unsigned)s->out;
    for (int player = 0; player < options->players; player++) {
        able += living >> player & 1 && s->holding[player] < limit;
        held += s->holding[player];
    }
    bool over = able == 0 || living == 0 || (options->players == 4 && s->out != 0) ||
                (options->players != 4 && nonet_bits_count(living) == 1);
    bool bad_fill = false;
    if (s->filling && s->mover != 0) {
        struct choice c = fill_choice(s, mover);
        bad_fill = options->players != 3 || s->out != 1u << mover || s->white || c.least >= c.most;
    }
    if (living == 0 || bad_fill || (s->filling && s->mover == 0))
        *why = nonet_say(&phrases[BAD_FILL]);
    else if (s->filling)
        return true;
    else if (s->mover == 0 && !over)
        *why = nonet_say(&phrases[BAD_OVER]);
    else if (s->mover != 0 && over)
        *why = nonet_say(&phrases[BAD_NOT_OVER]);
    else if (s->white && s->left[WHITE] == crosses_of[WHITE])
        *why = nonet_say(&phrases[BAD_WHITE]);
    else if (s->mover == 0 && s->captures == 0)
        return true;
    else if (s->mover == 0 || s->out >> mover & 1 || s->holding[mover] >= limit)
        *why = nonet_say(&phrases[BAD_MOVER], nonet_player(s->mover));
    else if (held < s->captures || (held == 0 && s->mover != 1))
        *why = nonet_say(&phrases[BAD_BEGINNING]);
    else if (s->captures > 0 && !s->white && neighbours(options, s) == 0)
        *why = nonet_say(&phrases[BAD_TURN_ENDED]);
    else
        return true;
    return false;
}

/* The colours that an unseen disc may have, in order; returns how many. A colour that is gone from
 * the board belongs to nobody who is still in the game. */
static int open_colours(const struct nonet_options *options, const struct state *seen,
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

/* Whether somebody can see exactly these discs: all of them, or one besides those of players who
 * are out, or none; and whether each unseen disc can have a colour of its own. */
static bool check_view(const struct nonet_options *options, const struct state *s,
                       struct nonet_message *why) {
    uint8_t colours[COLOURS_OF_DISCS];
    int open = open_colours(options, s, colours), unseen = 0, seen = 0;
    for (int i = 0; i < disc_count(options); i++) {
        unseen += s->disc[i] == NONE;
        seen += s->disc[i] != NONE && !(s->out >> i & 1);
    }
    if (unseen > 0 && seen > 1)
        *why = nonet_say(&phrases[BAD_VIEW]);
    else if (unseen > open)
        *why = nonet_say(&phrases[BAD_HIDDEN], nonet_number(unseen), nonet_number(open));
    else
        return true;
    return false;
}

static bool read(const struct nonet_options *options, const char *text, void *state,
                 void *workspace, struct nonet_message *why) {
    (void)workspace;
    struct state s = {0};
    if (!scan_board(options, &text, &s, why) || !scan_fields(options, &text, &s, why) ||
        !check_disc_letters(options, &s, why) || !check_counts(options, &s, why) ||
        !check_view(options, &s, why) || !check_turn(options, &s, why))
        return false;
    *(struct state *)state = s;
    return true;
}

/* --- Views ---------------------------------------------------------------------------------- */

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
    int left = open_colours(options, s, colours), count = 1;
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
    int left = open_colours(options, &s, colours);
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

/* Places after the cells: each player's holding and disc, then the buttons. */
static int hand_place(const struct nonet_options *options, int player) {
    return side_of(options) * side_of(options) + 2 * player;
}

static int button_place(const struct nonet_options *options, nonet_move move) {
    return hand_place(options, options->players) + (int)(move - STOP);
}

static int touches(const struct nonet_options *options, nonet_move move,
                   uint16_t places[NONET_MAX_TOUCHES]) {
    places[0] = (uint16_t)(move < STOP ? (int)move : button_place(options, move));
    return 1;
}

static const uint8_t material_of[] = {NONET_HIDDEN, NONET_RED,    NONET_YELLOW, NONET_GREEN,
                                      NONET_BLUE,   NONET_VIOLET, NONET_WHITE,  NONET_NATURAL};

static void add_places(const struct nonet_options *options, struct nonet_scene *scene) {
    nonet_scene_board(scene, side_of(options), side_of(options));
    char name[NONET_PLACE_NAME];
    for (int player = 1; player <= options->players; player++)
        for (int disc = 0; disc < 2; disc++) {
            struct nonet_text text = NONET_TEXT_IN(name);
            nonet_text_format(&text, "%s %d", disc ? "disc" : "held", player);
            struct nonet_place *place = nonet_scene_place(scene, NONET_HAND, name);
            place->owner = (uint8_t)player;
            place->label =
                nonet_say(&phrases[disc ? DISC_PLACE : HOLDING_OF], nonet_player(player));
        }
    nonet_scene_place(scene, NONET_BUTTON, "stop")->label = nonet_say(&phrases[BUTTON_STOP]);
    for (int number = 0; options->players == 3 && number <= MOST_FILLED; number++) {
        struct nonet_text text = NONET_TEXT_IN(name);
        nonet_text_format(&text, "fill:%d", number);
        nonet_scene_place(scene, NONET_BUTTON, name)->label =
            nonet_say(&phrases[BUTTON_FILL], nonet_number(number));
    }
}

static bool has_won(const struct nonet_options *options, const struct state *s, int player) {
    return turn(options, s) == 0 && !(s->out >> player & 1);
}

/* The winners' colours, as far as they are known, as a set: empty while the game goes on. */
static unsigned winning_colours(const struct nonet_options *options, const struct state *s) {
    unsigned colours = 0;
    for (int player = 0; player < options->players; player++)
        if (has_won(options, s, player) && s->disc[player] != NONE)
            colours |= 1u << s->disc[player];
    return colours;
}

static struct nonet_message cross_label(const struct nonet_options *options, int cell, int colour) {
    struct nonet_argument name = nonet_cell_argument(side_of(options), cell);
    return colour == UNCOLOURED ? nonet_say(&phrases[UNCOLOURED_ON], name)
                                : nonet_say(&phrases[CROSS_ON], nonet_word(word_for(colour)), name);
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
static void scene(const struct nonet_options *options, const void *state,
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
            held->label = nonet_say(&phrases[HOLDING_OF], nonet_player(player + 1));
        }
        int colour = s->disc[player];
        struct nonet_piece *disc =
            nonet_scene_piece(scene, place + 1, NONET_DISC, material_of[colour]);
        disc->owner = (uint8_t)(player + 1);
        disc->lit = has_won(options, s, player);
        disc->mark[0] = colour == NONE ? UNKNOWN : letters[colour];
        disc->label = colour == NONE
                          ? nonet_say(&phrases[UNKNOWN_DISC_OF], nonet_player(player + 1))
                          : nonet_say(&phrases[DISC_OF], nonet_player(player + 1),
                                      nonet_word(word_for(colour)));
    }
}

/* --- Events and standings: told from what everybody may see ------------------------------- */

static void tell(struct nonet_events *events, int place, struct nonet_message says) {
    nonet_event_at(nonet_event_add(events, says), place);
}

/* Whether nobody is left but one player or team. */
static bool is_decided(const struct nonet_options *options, const struct state *s) {
    return options->players == 3 ? nonet_bits_count(s->out) == 2 : s->out != 0;
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
                    ? nonet_say(&phrases[TEAM_OUT], player, nonet_player(first + 3), colour, by)
                : first + 1 == old->mover ? nonet_say(&phrases[OUT_BY_THEMSELVES], player, colour)
                                          : nonet_say(&phrases[OUT], player, colour, by));
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
                 nonet_say(&phrases[FILLED_UP], nonet_player(player + 1),
                           nonet_number(new->holding[player])));
    }
    for (int player = 0; player < options->players; player++)
        if (change[player] < 0)
            tell(events, hand_place(options, player),
                 nonet_say(&phrases[GIVEN], nonet_player(player + 1),
                           nonet_number(-change[player])));
}

/* What may follow a capture in the same turn, or why the turn has ended. */
static void tell_capture(const struct nonet_options *options, const struct state *old,
                         const struct state *new, struct nonet_events *events) {
    struct nonet_argument mover = nonet_player(old->mover), number = nonet_number(new->captures);
    struct nonet_message says;
    if (new->captures > 0)
        says = nonet_say(&phrases[new->white ? CAPTURE_FREELY : CAPTURE_AGAIN], number);
    else if (new->out >> (old->mover - 1) & 1)
        says = nonet_say(&phrases[ENDS_OUT], mover);
    else if (new->holding[old->mover - 1] >= limit_of(options))
        says = nonet_say(&phrases[ENDS_FULL], mover, nonet_number(limit_of(options)));
    else
        says = nonet_say(&phrases[old->captures == 2 ? ENDS_THIRD : ENDS_ALONE], mover);
    tell(events, new->at, says);
}

/* How a turn begins: who was passed over, and whether the first capture is free. */
static void tell_turn(const struct nonet_options *options, const struct state *old,
                      const struct state *new, struct nonet_events *events) {
    struct nonet_argument mover = nonet_player(new->mover);
    if (new->mover == old->mover)
        nonet_event_add(events, nonet_say(&phrases[SAME_AGAIN], mover));
    for (int i = 1; i < options->players; i++) {
        int player = (old->mover - 1 + i) % options->players;
        if (new->mover == old->mover || player + 1 == new->mover)
            break;
        if (!(new->out >> player & 1))
            tell(events, hand_place(options, player),
                 nonet_say(&phrases[SKIPPED], nonet_player(player + 1)));
    }
    if (is_free(new, neighbours(options, new)))
        tell(events, new->at,
             nonet_say(&phrases[new->white ? BEGINS_FREE_WHITE : BEGINS_FREE_ALONE], mover));
}

static void tell_choice(const struct nonet_options *options, const struct state *s,
                        struct nonet_events *events) {
    struct choice c = fill_choice(s, s->mover - 1);
    tell(events, hand_place(options, s->mover - 1),
         nonet_say(&phrases[CHOOSES], nonet_player(s->mover), nonet_player(c.next + 1),
                   nonet_player(c.other + 1), nonet_number(c.need)));
}

/* First what has happened, then what may follow. */
static void events(const struct nonet_options *options, const void *before, nonet_move move,
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

static void standings(const struct nonet_options *options, const void *state,
                      struct nonet_standings *standings) {
    const struct state *s = state;
    for (int player = 0; player < options->players; player++)
        nonet_standing_add(standings, player + 1, s->holding[player],
                           nonet_say(&phrases[CROSSES_HELD]))
            ->most = (int16_t)limit_of(options);
    for (int colour = RED; colour <= WHITE; colour++) {
        struct nonet_standing *left =
            nonet_standing_add(standings, 0, s->left[colour],
                               nonet_say(&phrases[CROSSES_LEFT], nonet_word(word_for(colour))));
        left->most = crosses_of[colour];
        left->material = material_of[colour];
    }
}

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

static const struct nonet_hidden hidden = {
    .observe = observe,
    .secret_name = "disc",
    .secret = secret,
    .worlds = worlds,
    .world = world,
    .counts = &nonet_masker_counts,
};

/* --- For an editor: what one player knows is enough, so a disc may be unknown --- */

static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    for (int colour = RED; colour <= UNCOLOURED; colour++) {
        struct nonet_piece *kind = &kinds[colour - RED];
        *kind = nonet_piece_on(0, NONET_CROSS, material_of[colour]);
        kind->mark[0] = letters[colour];
        kind->label =
            nonet_say(colour == UNCOLOURED ? &phrases[WORD_UNCOLOURED] : word_for(colour));
        kind->count = piled(options) ? LEVELS : 1;
    }
    return UNCOLOURED;
}

/* The fields after the holdings: the discs, then these, of which the last is for three players. */
enum { CAPTURES_FIELD, WHITE_FIELD, FILL_FIELD };

static int field_of(const struct nonet_options *options, int field) {
    return options->players + disc_count(options) + field;
}

static int fields(const struct nonet_options *options,
                  struct nonet_field fields[NONET_MAX_FIELDS]) {
    struct nonet_field *field = fields;
    for (int player = 1; player <= options->players; player++)
        *field++ =
            (struct nonet_field){.label = nonet_say(&phrases[HOLDING_OF], nonet_player(player)),
                                 .most = (int16_t)limit_of(options)};
    for (int player = 1; player <= disc_count(options); player++)
        *field++ = (struct nonet_field){
            .label = options->players == 4 ? nonet_say(&phrases[TEAM_DISC], nonet_player(player),
                                                       nonet_player(player + 2))
                                           : nonet_say(&phrases[DISC_PLACE], nonet_player(player)),
            .most = COLOURS_OF_DISCS,
            .names = &phrases[WORD_UNKNOWN]};
    const struct nonet_phrase *no_yes = &nonet_common[NONET_SAY_NO];
    *field++ = (struct nonet_field){.label = nonet_say(&phrases[CAPTURES_MADE]), .most = 2};
    *field++ =
        (struct nonet_field){.label = nonet_say(&phrases[LAST_WHITE]), .most = 1, .names = no_yes};
    if (options->players == 3)
        *field++ = (struct nonet_field){
            .label = nonet_say(&phrases[FILLS_UP]), .most = 1, .names = no_yes};
    return (int)(field - fields);
}

/* A pile is listed from the bottom up, as the deal order has it. */
static bool take_apart(const struct nonet_options *options, const char *text,
                       struct nonet_draft *draft) {
    struct nonet_message why;
    struct state s = {0};
    if (!scan_crosses(options, &text, &s, &why) || !scan_fields(options, &text, &s, &why))
        return false;
    for (int i = 0; i < CROSSES; i++)
        if (s.cross[i] != NONE)
            draft->pieces[draft->count++] =
                (struct nonet_draft_piece){.kind = (uint8_t)(s.cross[i] - RED),
                                           .place = (uint16_t)(piled(options) ? i % PILES : i)};
    for (int player = 0; player < options->players; player++)
        draft->values[player] = s.holding[player];
    for (int i = 0; i < disc_count(options); i++)
        draft->values[options->players + i] = s.disc[i];
    draft->values[field_of(options, CAPTURES_FIELD)] = s.captures;
    draft->values[field_of(options, WHITE_FIELD)] = s.white;
    draft->values[field_of(options, FILL_FIELD)] = s.filling;
    draft->turn = s.mover;
    return true;
}

/* A player whose colour is gone is out. */
static void put_together(const struct nonet_options *options, const struct nonet_draft *draft,
                         struct nonet_text *out) {
    struct state s = {.mover = (uint8_t)draft->turn};
    bool left[8] = {false};
    for (int i = 0; i < draft->count; i++) {
        int place = draft->pieces[i].place, colour = RED + draft->pieces[i].kind;
        int level = piled(options) ? s.height[place]++ : 0;
        s.cross[level * PILES + place] = (uint8_t)colour;
        left[colour] = true;
    }
    for (int player = 0; player < options->players; player++)
        s.holding[player] = (uint8_t)draft->values[player];
    for (int i = 0; i < disc_count(options); i++) {
        s.disc[i] = (uint8_t)draft->values[options->players + i];
        s.out |= (uint8_t)((s.disc[i] != NONE && !left[s.disc[i]]) << i);
    }
    s.captures = (uint8_t)draft->values[field_of(options, CAPTURES_FIELD)];
    s.white = (uint8_t)draft->values[field_of(options, WHITE_FIELD)];
    s.filling = options->players == 3 ? (uint8_t)draft->values[field_of(options, FILL_FIELD)] : 0;
    write(options, &s, out);
}

/* There is one uncoloured cross, so it moves. What is not on the board is held: the player to move
 * takes it, and where one holding is said, the next players have the rest. */
static void settle(const struct nonet_options *options, const struct nonet_draft *before,
                   struct nonet_draft *draft, int edited) {
    if (edited == field_of(options, CAPTURES_FIELD)) /* the text has one or the other */
        draft->values[field_of(options, FILL_FIELD)] = 0;
    if (edited >= options->players || edited == NONET_EDITED_TURN)
        return;
    int uncoloured = 0, rest = CAPTURED_AT_MOST, players = options->players;
    for (int i = 0; i < draft->count; i++)
        uncoloured += draft->pieces[i].kind == UNCOLOURED - RED;
    for (int i = 0; i < before->count && uncoloured > 1; i++) {
        struct nonet_draft_piece old = before->pieces[i];
        for (int k = 0; k < draft->count && old.kind == UNCOLOURED - RED; k++)
            if (draft->pieces[k].kind == old.kind && draft->pieces[k].place == old.place) {
                draft->count--;
                uncoloured--;
                memmove(&draft->pieces[k], &draft->pieces[k + 1],
                        (size_t)(draft->count - k) * sizeof draft->pieces[0]);
                break;
            }
    }
    rest -= draft->count - uncoloured;
    for (int player = 0; player < players; player++)
        rest -= draft->values[player];
    int first = edited >= 0 ? edited + 1 : draft->turn > 0 ? draft->turn - 1 : 0;
    for (int i = 0; i < players; i++) {
        int player = (first + i) % players, limit = limit_of(options);
        int value = draft->values[player] + rest;
        if (player == edited)
            continue;
        value = value < 0 ? 0 : value > limit ? limit : value;
        rest -= value - draft->values[player];
        draft->values[player] = (int16_t)value;
    }
}

static const struct nonet_editor editor = {.kinds = kinds,
                                           .fields = fields,
                                           .take_apart = take_apart,
                                           .put_together = put_together,
                                           .settle = settle};

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
    .phrases = phrases,
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
    .print = print,
    .parse = parse,
    .write = write,
    .read = read,
    .touches = touches,
    .scene = scene,
    .events = events,
    .standings = standings,
    .editor = &editor,
    .symmetries = symmetries,
    .turn_state = turn_state,
    .turn_move = turn_move,
    .action_count = action_count,
};
