#include "choices.h"

#include <stdlib.h>
#include <string.h>

#include "games.h"

/* Makes room for one more item; null if there is no memory. */
static void *grow(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return items;
    size_t more = *room == 0 ? 1 << 14 : 2 * *room;
    void *moved = realloc(items, more * size);
    if (moved != NULL)
        *room = more;
    return moved;
}

/* The next row of the choice that is being made; null without memory. */
static struct row *add_row(struct choices *choices) {
    struct row *rows = grow(choices->row, choices->rows, &choices->row_room, sizeof *rows);
    if (rows == NULL)
        return NULL;
    choices->row = rows;
    return &rows[choices->rows++];
}

/* Makes a choice of the rows since the last one, if there are several. */
static bool add_choice(struct choices *choices, int set, bool held_out) {
    struct choice *all = grow(choices->choice, choices->count, &choices->room, sizeof *all);
    if (all == NULL)
        return false;
    choices->choice = all;
    const struct choice *last = choices->count > 0 ? &all[choices->count - 1] : NULL;
    size_t first = last != NULL ? last->first + (size_t)last->rows : 0;
    if (choices->rows - first < 2) {
        choices->rows = first;
        return true;
    }
    all[choices->count++] = (struct choice){
        .first = first, .rows = (int)(choices->rows - first), .set = set, .held_out = held_out};
    return true;
}

/* Forgets the choices from this one on. */
static void cut(struct choices *choices, size_t count) {
    if (count < choices->count) {
        choices->rows = choices->choice[count].first;
        choices->count = count;
    }
}

/* ---- Games ---- */

static bool add_sides(struct lessons *lessons, const struct nonet_session *session,
                      unsigned winners, bool held_out) {
    struct nonet_side sides[NONET_MAX_PLAYERS];
    int set, won = 0;
    int count = lessons->game->hidden->counts->sides(nonet_session_options(session),
                                                     nonet_session_state(session), sides, &set);
    for (int i = 0; i < count; i++)
        won += (sides[i].players & winners) != 0;
    for (int i = 0; i < count; i++) {
        struct row *row = add_row(&lessons->sides);
        if (row == NULL)
            return false;
        row->aim = (sides[i].players & winners) != 0 ? 1 / (float)won : 0;
        memcpy(row->count, sides[i].count, sizeof row->count);
    }
    return add_choice(&lessons->sides, set, held_out);
}

static bool add_moves(struct lessons *lessons, const struct nonet_session *session,
                      const char *played, bool held_out, struct nonet_text *why) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    struct nonet_state seen;
    nonet_observe(options, nonet_session_state(session), nonet_session_turn(session), &seen);
    nonet_move chosen;
    struct nonet_message message;
    if (!game->parse(options, played, &chosen, &message)) {
        nonet_message_write(&message, NULL, why);
        return false;
    }
    int set = 0;
    uint64_t count = nonet_session_count(session);
    for (uint64_t i = 0; i < count; i++) {
        nonet_move move = nonet_session_nth(session, i);
        struct row *row = add_row(&lessons->moves);
        if (row == NULL)
            return false;
        row->aim = move == chosen;
        set = game->hidden->counts->move(options, &seen, move, row->count);
    }
    return add_choice(&lessons->moves, set, held_out);
}

/* Begins the game of a line: its winners, its options with the deal, its moves. Null with the
 * reason. */
static struct nonet_session *begin(const struct lessons *lessons, char **line, unsigned *winners,
                                   struct nonet_text *why) {
    struct nonet_options options;
    struct nonet_message message;
    *winners = 0;
    for (; **line >= '1' && **line <= '0' + NONET_MAX_PLAYERS; ++*line)
        *winners |= 1u << (**line - '1');
    const char *text = strtok_r(*line, " ", line);
    if (!nonet_options_read(text != NULL ? text : "", &options, &message)) {
        nonet_message_write(&message, NULL, why);
        return NULL;
    }
    if (options.game != lessons->game || *winners == 0) {
        nonet_text_add(why, "a game begins with its winners and its options");
        return NULL;
    }
    nonet_options_deal(&options, 0, 0); /* what follows from a seed is not written */
    struct nonet_session *session = nonet_session_new(&options);
    if (session == NULL)
        nonet_text_add(why, "there is no memory left");
    return session;
}

/* Takes the choices of a game. After a random move, the result says little about the positions
 * before it. */
static bool read_game(struct lessons *lessons, char *line, struct nonet_text *why) {
    unsigned winners;
    struct nonet_session *session = begin(lessons, &line, &winners, why);
    if (session == NULL)
        return false;
    bool good = true, held_out = lessons->games++ % GAMES_HELD_OUT == 0;
    size_t first = lessons->sides.count;
    struct games_move move;
    while (good && games_next(&line, &move)) {
        if (nonet_session_turn(session) != 0 && move.score != NULL)
            good = add_sides(lessons, session, winners, held_out) &&
                   add_moves(lessons, session, move.text, held_out, why);
        else
            cut(&lessons->sides, first);
        good = good && games_play(session, move.text, why);
    }
    nonet_session_free(session);
    return good;
}

bool lessons_read(struct lessons *lessons, const char *path, struct nonet_text *why) {
    struct games games;
    if (!games_open(&games, path, &lessons->game, why))
        return false;
    bool good = lessons->game->hidden != NULL;
    if (!good)
        nonet_text_add(why, "nothing is hidden in this game");
    char *line;
    while (good && (line = games_line(&games)) != NULL)
        good = read_game(lessons, line, why);
    games_close(&games);
    return good;
}

void lessons_free(struct lessons *lessons) {
    free(lessons->sides.choice);
    free(lessons->sides.row);
    free(lessons->moves.choice);
    free(lessons->moves.row);
}
