/* Addresses of this machine and of others. */
#ifndef NONET_ONLINE_ADDRESS_H
#define NONET_ONLINE_ADDRESS_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/text.h"

/* Whether a text is an IPv4 or IPv6 address in digits. */
bool address_check(const char *text);

/* Listens at such an address and a port, 0 for any free one; `bound` becomes what it got. -1, with
 * the reason in `why`, if that fails. */
int address_listen(const char *text, uint16_t port, struct sockaddr_storage *bound,
                   struct nonet_text *why);

bool address_is_loopback(const struct sockaddr_storage *address);
/* "http://127.0.0.1:8080/" */
void address_url(const struct sockaddr_storage *address, struct nonet_text *out);

/* Any address as one of IPv6, an IPv4 address mapped to it. */
struct in6_addr address_of(const struct sockaddr *address);
/* The same from text; false if it is none. */
bool address_read(const char *text, struct in6_addr *address);

#endif
