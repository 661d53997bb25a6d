/* The server itself: a listening socket, libmicrohttpd, and one loop in which everything happens.
 *
 * A round of the loop reads all requests that are ready, lets the hall decide them, and hands what
 * is to be written to the writer. When a batch is on disk, its requests are answered and its
 * streams woken, together. answer.h decides what to answer about files, desk.h what to answer about
 * tables. */
#ifndef NONET_ONLINE_HTTP_H
#define NONET_ONLINE_HTTP_H

#include "base/text.h"
#include "online/store/store.h"
#include "site.h"

struct http_server;

struct http_plan {
    const struct site_file *files;
    const char *address; /* in digits */
    uint16_t port;       /* 0 for any free one */
    const char *store;   /* the file with the tables; null: there are none */
    const char *proxy;   /* the address of a proxy whose word about others is taken; or null */
    bool unlimited;      /* one address may ask for as much as it likes */
};

/* Listens. Null, with the reason in `why`, if that fails. */
struct http_server *http_start(const struct http_plan *plan, struct nonet_text *why);

/* "http://127.0.0.1:8080/" */
void http_url(const struct http_server *server, struct nonet_text *out);

/* Serves until this descriptor is readable. Then answers what is being written, ends the streams
 * and returns. */
void http_run(struct http_server *server, int end);

/* Closes what is open and frees the server. */
void http_stop(struct http_server *server);

#endif
