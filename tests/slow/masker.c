/* Masker, slowly: piles of letters, and the rules one sentence after the other. */
#include "slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model {
    int side;
    char pile[36][5]; /* a string from the bottom up; in the flat game one letter at most */
    int x, y;         /* where the uncoloured cross is */
    int players, limit;
    char disc[4];
    int holding[4];
    bool out[4];
    int player; /* whose turn it is, from 0 */
    int captures;
    char last;   /* the colour captured last */
    bool asking; /* a player, who is out, decides how to fill up */
    bool over;
};

static char *pile_at(const struct model *m, int x, int y) {
    if (x < 0 || y < 0 || x >= m->side || y >= m->side)
        return NULL;
    return (char *)m->pile[y * m->side + x];
}

static const char *option(const struct nonet_options *options, const char *key) {
    return options->value[nonet_option_find(options->game, key)].text;
}

static void start(const struct nonet_options *options, void *model) {
    struct model *m = model;
    memset(m, 0, sizeof *m);
    bool piles = strcmp(option(options, "variant"), "3d") == 0;
    m->side = piles ? 3 : 6;
    m->players = atoi(option(options, "players"));
    m->limit = 36 / m->players;
    const char *deal = option(options, "deal"), *colours = option(options, "colours");
    for (int i = 0; i < 36; i++) {
        int cell = piles ? i % 9 : i;
        strncat(m->pile[cell], deal + i, 1);
        if (deal[i] == 'N') {
            m->x = cell % m->side;
            m->y = cell / m->side;
        }
    }
    for (int p = 0; p < m->players && p < 4; p++)
        m->disc[p] = colours[m->players == 4 ? p % 2 : p];
}

static bool has_neighbour(const struct model *m) {
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < 4; i++) {
        const char *pile = pile_at(m, m->x + steps[i][0], m->y + steps[i][1]);
        if (pile != NULL && pile[0] != '\0')
            return true;
    }
    return false;
}

static int turn(const struct nonet_options *options, const void *model) {
    (void)options;
    const struct model *m = model;
    return m->over ? 0 : m->player + 1;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}
static int larger(int a, int b) {
    return a > b ? a : b;
}

static int least_fill(const struct model *m) {
    int need = 12 - m->holding[m->player];
    return larger(0, need - m->holding[(m->player + 2) % 3]);
}

static int most_fill(const struct model *m) {
    int need = 12 - m->holding[m->player];
    return smaller(need, m->holding[(m->player + 1) % 3]);
}

static int legal(const struct nonet_options *options, const void *model,
                 char (*moves)[NONET_MOVE_TEXT]) {
    const struct model *m = model;
    int count = 0;
    if (turn(options, m) == 0)
        return 0;
    if (m->asking) {
        for (int k = least_fill(m); k <= most_fill(m); k++)
            snprintf(moves[count++], NONET_MOVE_TEXT, "fill:%d", k);
        return count;
    }
    bool anywhere = m->last == 'W' || (m->captures == 0 && !has_neighbour(m));
    for (int y = 0; y < m->side; y++)
        for (int x = 0; x < m->side; x++) {
            const char *pile = pile_at(m, x, y);
            int distance = abs(x - m->x) + abs(y - m->y);
            bool here = distance == 0;
            if (here ? strlen(pile) < 2 || !anywhere
                     : pile[0] == '\0' || (!anywhere && distance != 1))
                continue;
            snprintf(moves[count++], NONET_MOVE_TEXT, "%c%d", 'a' + x, y + 1);
        }
    if (m->captures > 0)
        strcpy(moves[count++], "stop");
    return count;
}

static int colour_left(const struct model *m, char colour) {
    int count = 0;
    for (int cell = 0; cell < m->side * m->side; cell++)
        for (const char *c = m->pile[cell]; *c != '\0'; c++)
            count += *c == colour;
    return count;
}

/* The next player in turn order who is in the game and not full, from the one after `player`. */
static void next_turn(struct model *m, int player) {
    m->captures = 0;
    for (int i = 1; i <= m->players; i++) {
        int candidate = (player + i) % m->players;
        if (!m->out[candidate] && m->holding[candidate] < m->limit) {
            m->player = candidate;
            return;
        }
    }
    m->over = true; /* every living player is full */
}

static void move_crosses(struct model *m, int from, int to, int count) {
    m->holding[from] -= count;
    m->holding[to] += count;
}

static void fill_from_others(struct model *m, int from_next) {
    int p = m->player, next = (p + 1) % 3, other = (p + 2) % 3;
    int rest = 12 - m->holding[p] - from_next;
    move_crosses(m, next, p, from_next);
    move_crosses(m, other, p, smaller(rest, m->holding[other]));
    m->asking = false;
    next_turn(m, p);
}

static void play(const struct nonet_options *options, void *model, const char *move) {
    (void)options;
    struct model *m = model;
    int me = m->player;
    if (strcmp(move, "stop") == 0) {
        next_turn(m, me);
        return;
    }
    if (strncmp(move, "fill:", 5) == 0) {
        fill_from_others(m, atoi(move + 5));
        return;
    }
    /* The uncoloured cross leaves its pile, takes the top of the other, and stands in its place. */
    char *from = pile_at(m, m->x, m->y);
    from[strlen(from) - 1] = '\0';
    m->x = move[0] - 'a';
    m->y = move[1] - '1';
    char *to = pile_at(m, m->x, m->y);
    char taken = to[strlen(to) - 1];
    to[strlen(to) - 1] = 'N';
    m->last = taken;
    m->holding[me]++;
    m->captures++;

    if (colour_left(m, taken) == 0) {
        int victim = -1;
        for (int p = m->players - 1; p >= 0; p--)
            if (m->disc[p] == taken)
                victim = p;
        if (victim >= 0) {
            for (int p = 0; p < m->players; p++)
                m->out[p] |= m->disc[p] == taken;
            char alive = 0;
            bool several = false;
            for (int p = 0; p < m->players; p++)
                if (!m->out[p]) {
                    several |= alive != 0 && alive != m->disc[p];
                    alive = m->disc[p];
                }
            if (!several) {
                m->over = true;
                return;
            }
            /* Only three players come here: with two or two teams one side is left. */
            if (victim != me) {
                move_crosses(m, me, victim, smaller(12 - m->holding[victim], m->holding[me]));
            } else if (least_fill(m) < most_fill(m)) {
                m->asking = true;
                m->captures = 0;
                return;
            } else {
                fill_from_others(m, most_fill(m));
                return;
            }
        }
    }
    bool ends =
        m->captures == 3 || m->holding[me] >= m->limit || (taken != 'W' && !has_neighbour(m));
    if (ends)
        next_turn(m, me);
}

static void result(const struct nonet_options *options, const void *model,
                   struct nonet_result *result) {
    (void)options;
    const struct model *m = model;
    for (int p = 0; p < m->players; p++)
        if (!m->out[p])
            result->winners |= (uint8_t)(1 << p);
}

const struct slow_model slow_masker = {.id = "masker",
                                       .size = sizeof(struct model),
                                       .start = start,
                                       .turn = turn,
                                       .legal = legal,
                                       .play = play,
                                       .result = result};
