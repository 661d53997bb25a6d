/* Masker's board: what its rules (masker.c), its notation (masker_text.c), what is shown of it
 * (masker_shown.c) and the judging of its positions (masker_judging.c) share. */
#ifndef NONET_GAMES_MASKER_BOARD_H
#define NONET_GAMES_MASKER_BOARD_H

#include <assert.h>
#include <string.h>

#include "../base/bits.h"
#include "../rules/hidden.h"

/* In masker.c: also without discs, when nobody goes out. */
void nonet_masker_play(const struct nonet_options *options, void *state, void *workspace,
                       nonet_move move);

/* In masker_judging.c. */
extern const struct nonet_counts nonet_masker_counts;

/* The options. */
enum { PLAYERS, VARIANT, SEED, DEAL, COLOURS };

enum cross { NONE, RED, YELLOW, GREEN, BLUE, VIOLET, WHITE, UNCOLOURED };
enum { COLOURS_OF_DISCS = 5, CROSSES = 36, CAPTURED_AT_MOST = 35, LEVELS = 4, PILES = 9 };
static const uint8_t crosses_of[] = {0, 6, 6, 6, 6, 6, 5, 1}; /* by colour */

/* Moves other than cells. */
enum { STOP = 64, FILL = 65, MOST_FILLED = 12 };

struct state {
    uint64_t takable; /* cells with a cross that can be taken, except that of the uncoloured one */
    uint8_t cross[CROSSES]; /* in deal order: what stands there, or NONE */
    uint8_t left[8];        /* of each colour on the board */
    uint8_t height[PILES];  /* of the piles in 3d */
    uint8_t holding[NONET_MAX_PLAYERS];
    uint8_t disc[NONET_MAX_PLAYERS]; /* each player's colour, NONE if unknown or no such player */
    uint8_t at;                      /* cell of the uncoloured cross */
    uint8_t out;                     /* bit p for player p, from 0 */
    uint8_t mover;                   /* player from 1, or 0: over */
    uint8_t captures;                /* in this turn */
    uint8_t white;                   /* whether the last cross captured was white */
    uint8_t filling;                 /* whether the mover, who is out, fills up the holding */
    uint8_t zero[5];
} NONET_LITTLE_ENDIAN;
static_assert(sizeof(struct state) == 80, "a state has no padding");

/* In masker.c, for positions that are read. */
bool nonet_masker_check_bottom(const uint8_t *cross, struct nonet_message *why);
bool nonet_masker_check_discs(const char *colours, bool may_hide, struct nonet_message *why);
void nonet_masker_derive_board(const struct nonet_options *options, struct state *s);
int nonet_masker_open_colours(const struct nonet_options *options, const struct state *seen,
                              uint8_t colours[COLOURS_OF_DISCS]);

/* In masker_text.c; game.h and editing.h describe them. */
void nonet_masker_print(const struct nonet_options *options, nonet_move move,
                        struct nonet_text *out);
bool nonet_masker_parse(const struct nonet_options *options, const char *text, nonet_move *move,
                        struct nonet_message *why);
void nonet_masker_write(const struct nonet_options *options, const void *state,
                        struct nonet_text *out);
bool nonet_masker_read(const struct nonet_options *options, const char *text, void *state,
                       void *workspace, struct nonet_message *why);
extern const struct nonet_editor nonet_masker_editor;

/* In masker_shown.c; game.h, events.h and standings.h describe them. */
int nonet_masker_touches(const struct nonet_options *options, nonet_move move,
                         uint16_t places[NONET_MAX_TOUCHES]);
void nonet_masker_scene(const struct nonet_options *options, const void *state,
                        struct nonet_scene *scene);
void nonet_masker_events(const struct nonet_options *options, const void *before, nonet_move move,
                         const void *after, struct nonet_events *events);
void nonet_masker_standings(const struct nonet_options *options, const void *state,
                            struct nonet_standings *standings);

static inline bool piled(const struct nonet_options *options) {
    return options->value[VARIANT].number;
}

static inline int side_of(const struct nonet_options *options) {
    return piled(options) ? 3 : 6;
}

static inline int limit_of(const struct nonet_options *options) {
    return options->players == 2 ? 18 : options->players == 3 ? 12 : 9;
}

/* Discs: one for each player, or for each of the two teams of four. */
static inline int disc_count(const struct nonet_options *options) {
    return options->players == 4 ? 2 : options->players;
}

static inline void set_discs(const struct nonet_options *options, struct state *s,
                             const uint8_t *discs) {
    for (int player = 0; player < options->players; player++)
        s->disc[player] = discs[player % disc_count(options)];
}

/* Neighbours on the 6x6 grid and on the 3x3 piles. */
#define CELL_AT(side, x, y)                                                                        \
    ((x) < 0 || (y) < 0 || (x) >= (side) || (y) >= (side) ? 0 : 1ull << (((y) * (side) + (x)) & 63))
#define BESIDE(side, x, y)                                                                         \
    (CELL_AT(side, (x)-1, y) | CELL_AT(side, (x) + 1, y) | CELL_AT(side, x, (y)-1) |               \
     CELL_AT(side, x, (y) + 1))
#define RANK6(y)                                                                                   \
    BESIDE(6, 0, y), BESIDE(6, 1, y), BESIDE(6, 2, y), BESIDE(6, 3, y), BESIDE(6, 4, y),           \
        BESIDE(6, 5, y)
#define RANK3(y) BESIDE(3, 0, y), BESIDE(3, 1, y), BESIDE(3, 2, y)
static const uint64_t beside[2][CROSSES] = {
    {RANK6(0), RANK6(1), RANK6(2), RANK6(3), RANK6(4), RANK6(5)},
    {RANK3(0), RANK3(1), RANK3(2)},
};

static inline uint64_t neighbours(const struct nonet_options *options, const struct state *s) {
    return beside[piled(options)][s->at] & s->takable;
}

/* In 3d the uncoloured cross may stand on another that a free capture can take. */
static inline bool has_beneath(const struct nonet_options *options, const struct state *s) {
    return piled(options) && s->height[s->at] > 1;
}

/* Whether the next capture is free: any cross on the board may be taken after a white one, whoever
 * took that, and when a turn begins with none beside the uncoloured cross. */
static inline bool is_free(const struct state *s, uint64_t near) {
    return s->white || (s->captures == 0 && near == 0);
}

/* Where in `cross` the top of a cell is. */
static inline int top_of(const struct nonet_options *options, const struct state *s, int cell) {
    return piled(options) ? (s->height[cell] - 1) * PILES + cell : cell;
}

/* The cross that a capture on this cell would take. */
static inline int colour_on(const struct nonet_options *options, const struct state *s, int cell) {
    int beneath = cell == s->at ? PILES : 0;
    return s->cross[top_of(options, s, cell) - beneath];
}

/* Whether eliminations have left one player or one team. */
static inline bool is_decided(const struct nonet_options *options, const struct state *s) {
    return options->players == 3 ? nonet_bits_count(s->out) == 2 : s->out != 0;
}

/* How many crosses a player put out by their own capture may take from the next player. The rest
 * are the other's. */
struct choice {
    int next, other; /* players, from 0 */
    int need, least, most;
};

static inline struct choice fill_choice(const struct state *s, int player) {
    struct choice c = {.next = (player + 1) % 3, .other = (player + 2) % 3};
    int from_next = s->holding[c.next], from_other = s->holding[c.other];
    c.need = MOST_FILLED - s->holding[player];
    c.least = c.need > from_other ? c.need - from_other : 0;
    c.most = c.need < from_next ? c.need : from_next;
    return c;
}

#endif
