/* Where books of openings (search/book.h) are looked for. Folders, in this order: $NONET_BOOKS, the
 * user's cache, the books that ship with the program (folders.h). */
#ifndef NONET_HOST_BOOK_STORE_H
#define NONET_HOST_BOOK_STORE_H

#include "search/book.h"

/* "chasm-players_3.nonet-book". */
void book_file_name(const struct nonet_options *options, struct nonet_text *name);

/* The first book for the game that can be used, or null. The options must live as long as the book.
 * If books that come before it cannot be used, the note says which, and why. */
struct nonet_book *book_file_find(const struct nonet_options *options, struct nonet_text *note);

#endif
