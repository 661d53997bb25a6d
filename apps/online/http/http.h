/* The server itself: a listening socket, and libmicrohttpd, which takes requests from it in a
 * thread of its own. answer.h decides what to answer. */
#ifndef NONET_ONLINE_HTTP_H
#define NONET_ONLINE_HTTP_H

#include "base/text.h"
#include "site.h"

struct http_server;

/* Whether a text is an IPv4 or IPv6 address in digits. */
bool http_is_address(const char *text);

/* Listens at such an address and a port, 0 for any free one. Null, with the reason in `why`, if
 * that fails. */
struct http_server *http_start(const struct site_file *files, const char *address, uint16_t port,
                               struct nonet_text *why);

/* "http://127.0.0.1:8080/" */
void http_url(const struct http_server *server, struct nonet_text *out);

/* Stops answering, closes what is open and frees the server. */
void http_stop(struct http_server *server);

#endif
