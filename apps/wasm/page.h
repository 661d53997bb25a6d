/* What the files of the engine for the page share: page.c holds the game, the words and the
 * buffers, and every other file adds functions to ask about that game. How a function is called and
 * how it answers stands in page.c.
 *
 * There are two engines. The first view needs page.c alone. Everything for studying is in the other
 * one as well, which is fetched when somebody wants it. */
#ifndef NONET_WASM_PAGE_H
#define NONET_WASM_PAGE_H

#include "rules/session.h"

/* Seen by the page; elsewhere a function like any other, which tests call. */
#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#else
#define EXPORT(name) name
#endif

/* The game; null before the first one. */
struct nonet_session *page_session(void);
/* Whether it keeps something from somebody at the moment. */
bool page_hides(void);
/* The words of the reader's language. */
const struct nonet_catalogue *page_words(void);
/* Where the page puts the text that a function works on. */
char *page_input(void);

/* An answer: begun, filled in, and closed as the last thing that a function does. */
struct nonet_text page_answer(void);
bool page_answered(const struct nonet_text *text);

/* Answers that return false. Reasons that are not sentences: the page has its own words for them.
 */
#define PAGE_NO_GAME "game"
#define PAGE_NO_MEMORY "memory"
#define PAGE_DAMAGED "damaged"
#define PAGE_NO_ROOM "room"
bool page_no(const char *code);
/* There is no such thing, and nothing to say about it. */
bool page_none(void);
/* The reason in words. */
bool page_refuse(const struct nonet_message *why);

#endif
