#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "host/refusal.h"

static bool read_address(const char *text, uint16_t port, struct sockaddr_storage *address,
                         socklen_t *size) {
    memset(address, 0, sizeof *address);
    struct sockaddr_in *in4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)address;
    if (inet_pton(AF_INET, text, &in4->sin_addr) == 1) {
        in4->sin_family = AF_INET;
        in4->sin_port = htons(port);
        *size = sizeof *in4;
    } else if (inet_pton(AF_INET6, text, &in6->sin6_addr) == 1) {
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons(port);
        *size = sizeof *in6;
    } else {
        return false;
    }
    return true;
}

bool address_check(const char *text) {
    struct sockaddr_storage address;
    socklen_t size;
    return read_address(text, 0, &address, &size);
}

bool address_is_loopback(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static uint16_t port_of(const struct sockaddr_storage *address) {
    return ntohs(address->ss_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
                                               : ((const struct sockaddr_in6 *)address)->sin6_port);
}

static void say_why_not(int error, const char *address, uint16_t port, struct nonet_text *why) {
    if (error == EADDRINUSE)
        host_refuse(why, "port %d is in use; try --port %d", port,
                    port < UINT16_MAX ? port + 1 : 8080);
    else if (error == EACCES)
        host_refuse(why, "port %d needs a permission that you do not have; try --port 8080", port);
    else if (error == EADDRNOTAVAIL)
        host_refuse(why, "%s is no address of this machine", address);
    else
        host_refuse(why, "cannot listen at %s port %d: %s", address, port, host_error(error));
}

/* Binds a socket and listens; `address` becomes the one it got. -1 with errno. */
static int listen_at(struct sockaddr_storage *storage, socklen_t size) {
    int listener = socket(storage->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return -1;
    struct sockaddr *address = (struct sockaddr *)storage;
    /* So that old connections to an earlier server do not block the port for a minute. */
    int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, address, size) == 0 && listen(listener, SOMAXCONN) == 0 &&
        getsockname(listener, address, &size) == 0)
        return listener;
    int error = errno;
    close(listener);
    errno = error;
    return -1;
}

int address_listen(const char *text, uint16_t port, struct sockaddr_storage *bound,
                   struct nonet_text *why) {
    socklen_t size;
    if (!read_address(text, port, bound, &size)) {
        nonet_text_format(why, "\"%s\" is no address", text);
        return -1;
    }
    int listener = listen_at(bound, size);
    if (listener < 0)
        say_why_not(errno, text, port, why);
    return listener;
}

void address_url(const struct sockaddr_storage *address, struct nonet_text *out) {
    char text[INET6_ADDRSTRLEN];
    if (address->ss_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, sizeof text);
    else
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, sizeof text);
    nonet_text_format(out, address->ss_family == AF_INET ? "http://%s:%d/" : "http://[%s]:%d/",
                      text, port_of(address));
}

struct in6_addr address_of(const struct sockaddr *address) {
    if (address->sa_family == AF_INET6)
        return ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    struct in6_addr mapped = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    if (address->sa_family == AF_INET)
        memcpy(&mapped.s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr,
               4);
    return mapped;
}

bool address_read(const char *text, struct in6_addr *address) {
    struct sockaddr_storage storage;
    socklen_t size;
    if (!read_address(text, 0, &storage, &size))
        return false;
    *address = address_of((const struct sockaddr *)&storage);
    return true;
}
