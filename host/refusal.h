/* Why something is refused, in the language that people are spoken to in.
 *
 * Such reasons are many, and each is said in one place, so their English text is their key. The
 * language is not passed along: a process speaks to the person who started it, and sets it once,
 * before it starts threads. What a server tells its clients does not come from here. */
#ifndef NONET_HOST_REFUSAL_H
#define NONET_HOST_REFUSAL_H

#include "rules/message.h"

extern const struct nonet_catalogue *host_language; /* null: English */

/* A text in that language, or as it is. It may be a format of printf. */
__attribute__((format_arg(1))) const char *host_words(const char *english);

/* What the system says of an error in errno. */
const char *host_error(int error);

/* Appends why something is refused; false. */
__attribute__((format(printf, 2, 3))) bool host_refuse(struct nonet_text *why, const char *format,
                                                       ...);

#endif
