/* A text buffer of fixed size, which cuts off rather than overflows.
 *
 * Everything the engine puts into words is appended to one of these; the caller owns the bytes. A
 * text that did not fit sets `cut`, so that callers can tell. */
#ifndef NONET_BASE_TEXT_H
#define NONET_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nonet_text {
    char *bytes; /* always terminated by a zero byte */
    size_t size, length;
    bool cut;
};

/* Starts an empty text in `bytes`; there must be at least one byte. */
struct nonet_text nonet_text_in(char *bytes, size_t size);

#define NONET_TEXT_IN(array) nonet_text_in((array), sizeof(array))

void nonet_text_char(struct nonet_text *text, char c);
void nonet_text_add(struct nonet_text *text, const char *string);
void nonet_text_bytes(struct nonet_text *text, const char *bytes, size_t length);
void nonet_text_number(struct nonet_text *text, int64_t number); /* faster than nonet_text_format */
__attribute__((format(printf, 2, 3))) void nonet_text_format(struct nonet_text *text,
                                                             const char *format, ...);

/* Reads digits without sign, leading zero or white space, as the rules write numbers. Moves
 * `*cursor` past them. Where there is no such number, or it exceeds `max`, returns false and moves
 * nothing. */
bool nonet_scan_number(const char **cursor, uint32_t max, uint32_t *value);

/* Moves `*cursor` past `word` if it comes next. */
bool nonet_scan_word(const char **cursor, const char *word);

/* Appends text in UTF-8 as ASCII, for a reader that can show nothing else: letters without their
 * accents, and signs that look alike. */
void nonet_text_ascii(struct nonet_text *text, const char *bytes, size_t length);

#endif
