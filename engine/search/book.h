/* A book of openings: positions from the start of a game on, with what long searches thought of
 * their best moves. The player of the highest level plays from it when only time limits it, so the
 * opening costs no time, is thought out better than there would be time for, and is not always the
 * same. docs/books.md describes the file; `nonet book` makes it.
 *
 * A book is a text. Its first line says which game it is for and how it was made; then there is a
 * line for each position, and at the end a checksum. Positions are canonical, so one line serves
 * all positions that are equal by symmetry. A line gives each of its moves the score that a search
 * of the position after it found. Where the book has a line for that position too, the score of the
 * move follows from that line instead: so a book gets better with each line, and its scores agree.
 *
 * A book may come from anywhere. It is checked when it is read, and can do no more harm than
 * suggest bad moves. */
#ifndef NONET_SEARCH_BOOK_H
#define NONET_SEARCH_BOOK_H

#include "search.h"

enum {
    NONET_BOOK_VERSION = 1,
    NONET_BOOK_MOVES = 16,      /* the most of a line */
    NONET_BOOK_LINE = 1 << 12,  /* bytes of a line, with the zero byte */
    NONET_BOOK_SIZE = 1 << 22,  /* bytes of a book */
    NONET_BOOK_LINES = 1 << 14, /* the most positions */
    /* Moves are played that are at most so much worse than the best: two wins in a hundred games.
     */
    NONET_BOOK_MARGIN = 40,
};

struct nonet_book;

/* An empty book for a game whose moves are listed, in which nothing is hidden or dealt, and which
 * is not one with the swap rule: nonet_book_suits. Null if memory runs out. The options must stay
 * where they are. */
bool nonet_book_suits(const struct nonet_options *options);
struct nonet_book *nonet_book_new(const struct nonet_options *options);
void nonet_book_free(struct nonet_book *book);

/* The book that this text is; null with the reason. */
struct nonet_book *nonet_book_read(const struct nonet_options *options, const char *text,
                                   struct nonet_message *why);

/* ---- Playing ---- */

/* What the book says about a position, with all its legal moves. Returns how many of them it names,
 * with images by symmetry: those come first. 0 if it does not know the position. The seed chooses
 * between moves that are about as good: one of them is the first of the report. The others come by
 * their scores; those that the book does not name get the score of its worst. */
int nonet_book_report(const struct nonet_book *book, const void *state, uint64_t seed,
                      struct nonet_report *report);

/* ---- Making a book ---- */

struct nonet_book_move {
    nonet_move move;
    int16_t worth[NONET_MAX_PLAYERS]; /* what each player expects: -1000 (lost) to 1000 (won) */
};

/* Begins the text: which game, how it was made. */
void nonet_book_begin(const struct nonet_options *options, const char *how, struct nonet_text *out);
/* A line for a canonical position. */
void nonet_book_write(const struct nonet_options *options, const void *state,
                      const struct nonet_book_move *moves, int count, struct nonet_text *out);
/* The last line of a text that has all others. */
void nonet_book_end(struct nonet_text *text);

/* Adds what a line says, as nonet_book_write wrote it; false with the reason. What it changes in
 * the scores of others is found out when the next position is asked for. */
bool nonet_book_add(struct nonet_book *book, const char *line, struct nonet_message *why);
int nonet_book_count(const struct nonet_book *book); /* of its lines */

/* The position for which the next line should be: the one that is most likely to be reached by good
 * play among those that the book's lines lead to, or the first. It is canonical. False if there is
 * no such position, because all games of the book are over. */
bool nonet_book_next(struct nonet_book *book, void *state);

/* The first `most` different moves of a report about a position: moves after which positions are
 * equal by symmetry count once. Returns how many. */
int nonet_book_choose(const struct nonet_options *options, const void *state,
                      const struct nonet_report *report, int most, nonet_move *moves);

#endif
