/* The server side of the Universal Game Interface: it takes commands, and answers them on a stream
 * (docs/ugi.md). */
#ifndef NONET_CLI_UGI_H
#define NONET_CLI_UGI_H

#include <stdio.h>

#include "rules/options.h"

enum { UGI_LINE = 1 << 20 }; /* the most bytes of a command */

struct ugi;

/* Null without memory. The stream is the caller's. */
struct ugi *ugi_new(const struct nonet_options *options, FILE *out);

/* Obeys a command of at most UGI_LINE bytes, which is split in place. A search continues after
 * that, in a thread of its own. False when there can be no more commands: it was `quit`, or the
 * stream is closed. */
bool ugi_obey(struct ugi *ugi, char *line);

/* Stops a search and waits for its answer. False if the stream could not be written to. */
bool ugi_free(struct ugi *ugi);

#endif
