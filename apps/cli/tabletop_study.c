/* What a game being played is worth, which of its moves were mistakes, and how it stands: the words
 * that both the full screen and the line mode say. */
#include <stdio.h>
#include <stdlib.h>

#include "progress.h"
#include "study/describe.h"
#include "tabletop.h"
#include "words.h"

/* ---- The value of the position ---- */

void tabletop_write_opinion(const struct tabletop *tabletop, const struct nonet_report *report,
                            struct nonet_text *out) {
    const struct nonet_opinion *opinion = &report->moves[0];
    struct nonet_argument who =
        nonet_quote(tabletop_who(tabletop, nonet_session_turn(tabletop->record.session)));
    if (opinion->known == NONET_PROVEN) {
        static const enum cli_word words[] = {[NONET_LOSS] = WORD_PROVEN_LOSS,
                                              [NONET_DRAW] = WORD_PROVEN_DRAW,
                                              [NONET_WIN] = WORD_PROVEN_WIN};
        cli_write(out, nonet_say(&cli_words[words[opinion->value.outcome]], who));
        char margin[16];
        snprintf(margin, sizeof margin, "%+d", opinion->value.margin);
        if (opinion->value.has_margin)
            cli_write(out, nonet_say(&cli_words[WORD_MARGIN], nonet_quote(margin)));
        else if (opinion->value.outcome != NONET_DRAW && opinion->value.distance > 0)
            cli_write(out,
                      nonet_say(&cli_words[WORD_IN_PLIES], nonet_number(opinion->value.distance)));
        return;
    }
    int score = opinion->score;
    cli_write(out, nonet_say(&cli_words[score > 600     ? WORD_WINNING
                                        : score > 200   ? WORD_BETTER
                                        : score >= -200 ? WORD_EVEN
                                        : score >= -600 ? WORD_WORSE
                                                        : WORD_LOSING],
                             who));
    nonet_text_format(out, " (%c%d.%02d)", score < 0 ? '-' : '+', abs(score) / 1000,
                      abs(score) % 1000 / 10);
}

void tabletop_write_line(const struct tabletop *tabletop, const struct nonet_report *report,
                         struct nonet_text *out) {
    cli_write(out, nonet_say(&cli_words[WORD_LINE]));
    tabletop_move_text move;
    for (int i = 0; i < report->line_length; i++) {
        tabletop_print(tabletop, report->line[i], move);
        nonet_text_format(out, " %s", move);
    }
    if (report->line_length == 0) {
        tabletop_print(tabletop, report->moves[0].move, move);
        nonet_text_format(out, " %s", move);
    }
}

/* ---- The review ---- */

void tabletop_forget_review(struct tabletop *tabletop) {
    review_close(tabletop->review);
    tabletop->review = NULL;
    tabletop->reviewing = false;
}

bool tabletop_begin_review(struct tabletop *tabletop) {
    enum { NODES = 20000 };
    tabletop_forget_review(tabletop);
    const struct review_wish wish = {.limits = {.proof_nodes = NODES, .nodes = NODES}};
    tabletop->review = review_open(tabletop->record.session, &wish);
    tabletop->reviewing = tabletop->review != NULL;
    return tabletop->reviewing;
}

void tabletop_advance_review(struct tabletop *tabletop) {
    enum { SLICE = 2000 };
    tabletop->reviewing = review_advance(tabletop->review, SLICE) == REVIEW_WORKING;
}

void tabletop_finish_review(struct tabletop *tabletop) {
    struct cli_progress progress;
    cli_progress_begin(&progress);
    while (tabletop->reviewing && terminal_signal(tabletop->terminal) == 0) {
        int done = review_rows(tabletop->review), all = review_all_rows(tabletop->review);
        cli_progress_positions(&progress, done, all);
        tabletop_advance_review(tabletop);
    }
    cli_progress_end(&progress);
}

const struct review_row *tabletop_reviewed(const struct tabletop *tabletop, int ply) {
    const struct review *review = tabletop->review;
    if (review == NULL || ply < 1 || ply >= review_rows(review) || !review_row(review, ply)->judged)
        return NULL;
    /* The game may have gone another way since. */
    for (int i = 1; i <= ply; i++)
        if (review_row(review, i)->move != nonet_session_move(tabletop->record.session, i - 1))
            return NULL;
    return review_row(review, ply);
}

const char *tabletop_mark(const struct tabletop *tabletop, int ply) {
    const struct review_row *row = tabletop_reviewed(tabletop, ply);
    return row != NULL && row->mark != REVIEW_PLAIN ? describe_marks[row->mark] : "";
}

void tabletop_write_remark(const struct tabletop *tabletop, int ply, struct nonet_text *out) {
    const struct review_row *row = tabletop_reviewed(tabletop, ply);
    if (row == NULL || row->mark == REVIEW_PLAIN)
        return;
    tabletop_move_text best;
    tabletop_print(tabletop, row->best.move, best);
    if (row->mark == REVIEW_GOOD)
        cli_write(out, nonet_say(&cli_words[WORD_REVIEW_GOOD]));
    else
        cli_write(out, nonet_say(&cli_words[WORD_REVIEW_BEST], nonet_quote(best)));
}

/* ---- How it stands ---- */

void tabletop_read_standings(const struct tabletop *tabletop, struct nonet_standings *standings) {
    int viewer = tabletop_viewer(tabletop);
    *standings = (struct nonet_standings){0};
    nonet_standings_for(tabletop_options(tabletop), nonet_session_state(tabletop->record.session),
                        viewer < 0 ? NONET_SPECTATOR : viewer, standings);
}

void tabletop_write_standings(const struct nonet_standings *standings, int player, bool unicode,
                              struct nonet_text *out) {
    const char *between = "";
    for (int i = 0; i < standings->count; i++) {
        const struct nonet_standing *entry = &standings->list[i];
        if (entry->player != player)
            continue;
        nonet_text_add(out, between);
        cli_write(out, entry->label);
        if (entry->number == NONET_ENDLESS)
            nonet_text_add(out, unicode ? " ∞" : " -");
        else
            nonet_text_format(out, entry->most == NONET_NO_MOST ? " %d" : " %d/%d", entry->number,
                              entry->most);
        between = ", ";
    }
}

/* ---- The next game ---- */

bool tabletop_rematch(struct tabletop *tabletop) {
    struct record next = {0};
    struct nonet_setup setup = {*tabletop_options(tabletop), NULL};
    nonet_options_forget_deal(&setup.options);
    struct nonet_chance chance;
    struct nonet_setup_error error;
    next.session =
        cli_chance(&setup.options, &chance) ? nonet_setup_open(&setup, &chance, &error) : NULL;
    if (next.session == NULL)
        return false;
    /* Everybody moves on by a seat, so that somebody else begins. */
    int players = setup.options.players;
    int levels[NONET_MAX_PLAYERS];
    for (int i = 0; i < players; i++) {
        next.seats[(i + 1) % players] = tabletop->record.seats[i];
        levels[(i + 1) % players] = tabletop->levels[i];
    }
    for (int i = 0; i < players; i++)
        tabletop->levels[i] = levels[i];
    tabletop_replace(tabletop, &next);
    tabletop_changed(tabletop);
    return true;
}
