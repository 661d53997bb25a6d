/* Every position of a table with its value, one after the other, or a random sample of them.
 *
 * Positions come in the order of the table, and only a block of it is in memory. A position that
 * stands for symmetric ones comes once, with the number of them. In Kolem's second phase it also
 * stands for the same board with the colours exchanged, and when pieces move in Chasm with three
 * players for those with the seats exchanged in turn.
 *
 * Tables may come from strangers. Bytes of a listed position are given to the game only after they
 * have been written as text and read back to the same bytes. */
#ifndef NONET_HOST_TABLE_ROWS_H
#define NONET_HOST_TABLE_ROWS_H

#include "rules/game.h"
#include "table/table.h"

enum { TABLE_ROWS_MOST_SAMPLED = 10000000 };

struct table_row {
    char text[NONET_POSITION_TEXT];
    int player;               /* whose turn it is, or would be after the end */
    struct nonet_value value; /* for that player */
    /* With more than two players, of each: what they reach against all others. Else none. */
    int players;
    struct nonet_value values[NONET_MAX_PLAYERS];
    int orbit; /* positions that are symmetric to it, itself included */
};

struct table_rows;

/* All positions; or if `sample` is above 0, that many different ones, each as likely as any other,
 * chosen by the seed. The table must live as long, and nobody else may use it meanwhile. Null with
 * the reason. */
struct table_rows *table_rows_open(const struct nonet_options *options, struct nonet_table *table,
                                   uint64_t sample, uint64_t seed, struct nonet_text *why);
void table_rows_close(struct table_rows *rows);

enum table_rows_status { TABLE_ROWS_NEXT, TABLE_ROWS_END, TABLE_ROWS_FAILED };

/* The next position; TABLE_ROWS_FAILED with the reason if the table is damaged. */
enum table_rows_status table_rows_next(struct table_rows *rows, struct table_row *row,
                                       struct nonet_text *why);

/* How much of the table has been read, from 0 to 1. */
double table_rows_share(const struct table_rows *rows);

#endif
