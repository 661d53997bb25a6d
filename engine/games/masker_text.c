/* Masker's notation: moves and positions as text, and the editor that sets positions up.
 *
 * Position text, six fields: the board from the top rank, the holdings of the players, the discs
 * (lower case once eliminated, ? where unknown), the captures made in this turn or `fill`, w if the
 * last cross captured was white or else -, and the player to move or `over`: "VYW.NG/…/RRG.BV 4,3
 * VG 1 - 2". In 3d a cell is its pile from the bottom up, commas separate cells, and - is an empty
 * one: "RGBY,-,RN/…". A move is a cell, STOP, or FILL plus a number. */
#include "../rules/editing.h"
#include "masker_words.h"

/* --- Moves --- */

void nonet_masker_print(const struct nonet_options *options, nonet_move move,
                        struct nonet_text *out) {
    if (move < STOP)
        nonet_cell_print(side_of(options), (int)move, out);
    else if (move == STOP)
        nonet_text_add(out, "stop");
    else
        nonet_text_format(out, "fill:%d", (int)move - FILL);
}

bool nonet_masker_parse(const struct nonet_options *options, const char *text, nonet_move *move,
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

/* --- A position is written --- */

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

void nonet_masker_write(const struct nonet_options *options, const void *state,
                        struct nonet_text *out) {
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

/* --- A position is read --- */

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
    *why = nonet_say(phrase(BAD_PILES));
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
        nonet_masker_derive_board(options, s);
        if (s->cross[top_of(options, s, s->at)] == UNCOLOURED)
            return !piled(options) || nonet_masker_check_bottom(s->cross, why);
    }
    *why = nonet_say(phrase(BAD_UNCOLOURED));
    return false;
}

/* Reads the fields after the board; whether they fit together is checked after that. */
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
        s->filling = true;
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
    *why = nonet_say(phrase(BAD_FIELD), nonet_quote(*cursor));
    return false;
}

static bool check_disc_letters(const struct nonet_options *options, const struct state *s,
                               struct nonet_message *why) {
    char colours[NONET_MAX_PLAYERS + 1] = {0};
    for (int i = 0; i < disc_count(options); i++)
        colours[i] = s->disc[i] == NONE ? UNKNOWN : letters[s->disc[i]];
    return nonet_masker_check_discs(colours, true, why);
}

/* Checks the numbers of crosses, and which players are out. */
static bool check_counts(const struct nonet_options *options, const struct state *s,
                         struct nonet_message *why) {
    int board = 0, held = 0, limit = limit_of(options);
    for (int colour = RED; colour <= WHITE; colour++) {
        board += s->left[colour];
        if (s->left[colour] > crosses_of[colour]) {
            char letter[2] = {letters[colour], '\0'};
            *why = nonet_say(phrase(BAD_DEAL_COUNT), nonet_quote(letter),
                             nonet_number(s->left[colour]), nonet_number(crosses_of[colour]));
            return false;
        }
    }
    for (int player = 0; player < options->players; player++) {
        held += s->holding[player];
        if (s->holding[player] > limit) {
            *why = nonet_say(phrase(BAD_HOLDING), nonet_player(player + 1), nonet_number(limit));
            return false;
        }
        int colour = s->disc[player], left = s->left[colour];
        bool out = s->out >> player & 1;
        if (colour != NONE && out == (left > 0)) {
            *why = out ? nonet_say(phrase(BAD_OUT), nonet_player(player + 1), nonet_number(left))
                       : nonet_say(phrase(BAD_LIVING), nonet_player(player + 1),
                                   nonet_word(word_for(colour)));
            return false;
        }
    }
    if (board + held != CAPTURED_AT_MOST) {
        *why = nonet_say(phrase(BAD_SUM), nonet_number(board), nonet_number(held));
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
    bool over = able == 0 || is_decided(options, s);
    bool bad_fill = false;
    if (s->filling && s->mover != 0) {
        struct choice c = fill_choice(s, mover);
        bad_fill = options->players != 3 || s->out != 1u << mover || s->white || c.least >= c.most;
    }
    if (living == 0 || bad_fill || (s->filling && s->mover == 0))
        *why = nonet_say(phrase(BAD_FILL));
    else if (s->filling)
        return true;
    else if (s->mover == 0 && !over)
        *why = nonet_say(phrase(BAD_OVER));
    else if (s->mover != 0 && over)
        *why = nonet_say(phrase(BAD_NOT_OVER));
    else if (s->white && s->left[WHITE] == crosses_of[WHITE])
        *why = nonet_say(phrase(BAD_WHITE));
    else if (s->mover == 0 && s->captures == 0)
        return true;
    else if (s->mover == 0 || s->out >> mover & 1 || s->holding[mover] >= limit)
        *why = nonet_say(phrase(BAD_MOVER), nonet_player(s->mover));
    else if (held < s->captures || (held == 0 && s->mover != 1))
        *why = nonet_say(phrase(BAD_BEGINNING));
    else if (s->captures > 0 && !s->white && neighbours(options, s) == 0)
        *why = nonet_say(phrase(BAD_TURN_ENDED));
    else
        return true;
    return false;
}
/* Whether somebody can see exactly these discs: all of them, or one besides those of players who
 * are out, or none; and whether each unseen disc can have a colour of its own. */
static bool check_view(const struct nonet_options *options, const struct state *s,
                       struct nonet_message *why) {
    uint8_t colours[COLOURS_OF_DISCS];
    int open = nonet_masker_open_colours(options, s, colours), unseen = 0, seen = 0;
    for (int i = 0; i < disc_count(options); i++) {
        unseen += s->disc[i] == NONE;
        seen += s->disc[i] != NONE && !(s->out >> i & 1);
    }
    if (unseen > 0 && seen > 1)
        *why = nonet_say(phrase(BAD_VIEW));
    else if (unseen > open)
        *why = nonet_say(phrase(BAD_HIDDEN), nonet_number(unseen), nonet_number(open));
    else
        return true;
    return false;
}

bool nonet_masker_read(const struct nonet_options *options, const char *text, void *state,
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

/* --- The editor: what one player knows is enough, so a disc may be unknown --- */

static int kinds(const struct nonet_options *options, struct nonet_piece kinds[NONET_MAX_KINDS]) {
    for (int colour = RED; colour <= UNCOLOURED; colour++) {
        struct nonet_piece *kind = &kinds[colour - RED];
        *kind = nonet_piece_on(0, NONET_CROSS, material_of[colour]);
        kind->mark[0] = letters[colour];
        kind->label = nonet_say(colour == UNCOLOURED ? phrase(WORD_UNCOLOURED) : word_for(colour));
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
            (struct nonet_field){.label = nonet_say(phrase(HOLDING_OF), nonet_player(player)),
                                 .most = (int16_t)limit_of(options)};
    for (int player = 1; player <= disc_count(options); player++)
        *field++ = (struct nonet_field){
            .label = options->players == 4 ? nonet_say(phrase(TEAM_DISC), nonet_player(player),
                                                       nonet_player(player + 2))
                                           : nonet_say(phrase(DISC_PLACE), nonet_player(player)),
            .most = COLOURS_OF_DISCS,
            .names = phrase(WORD_UNKNOWN)};
    const struct nonet_phrase *no_yes = &nonet_common[NONET_SAY_NO];
    *field++ = (struct nonet_field){.label = nonet_say(phrase(CAPTURES_MADE)), .most = 2};
    *field++ =
        (struct nonet_field){.label = nonet_say(phrase(LAST_WHITE)), .most = 1, .names = no_yes};
    if (options->players == 3)
        *field++ =
            (struct nonet_field){.label = nonet_say(phrase(FILLS_UP)), .most = 1, .names = no_yes};
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
    nonet_masker_write(options, &s, out);
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

const struct nonet_editor nonet_masker_editor = {.kinds = kinds,
                                                 .fields = fields,
                                                 .take_apart = take_apart,
                                                 .put_together = put_together,
                                                 .settle = settle};
