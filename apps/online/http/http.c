#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"

/* A page uses about six connections and a few hundred bytes of headers. Cookies of other servers at
 * this host, at any port, may add some kilobytes. A client that does nothing for a while is
 * disconnected. A request's body is discarded, and a client that sends more than MOST_BODY is
 * disconnected. */
enum {
    MOST_CONNECTIONS = 512,
    MOST_CONNECTIONS_FROM_ONE = 128,
    MOST_MEMORY = 64 * 1024, /* of one connection: its request line and headers, cookies twice */
    MOST_BODY = 64 * 1024,
    PATIENCE = 10, /* seconds */
};

struct http_server {
    const struct site_file *files;
    struct sockaddr_storage address;
    struct MHD_Daemon *daemon;
};

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

bool http_is_address(const char *text) {
    struct sockaddr_storage address;
    socklen_t size;
    return read_address(text, 0, &address, &size);
}

static bool is_loopback(const struct sockaddr_storage *address) {
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
        nonet_text_format(why, "port %d is in use; try --port %d", port,
                          port < UINT16_MAX ? port + 1 : 8080);
    else if (error == EACCES)
        nonet_text_format(why, "port %d needs a permission that you do not have; try --port 8080",
                          port);
    else if (error == EADDRNOTAVAIL)
        nonet_text_format(why, "%s is no address of this machine", address);
    else
        nonet_text_format(why, "cannot listen at %s port %d: %s", address, port, strerror(error));
}

/* Binds a socket and listens; puts the address it got into `server`. -1 with errno. */
static int listen_at(struct http_server *server, socklen_t size) {
    int listener = socket(server->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return -1;
    struct sockaddr *address = (struct sockaddr *)&server->address;
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

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result count_host(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind, (void)value;
    if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0)
        ++*(int *)cls;
    return MHD_YES;
}

/* The library closes the file that a response comes from, so it gets one of its own. */
static struct MHD_Response *respond(const struct answer *answer) {
    if (answer->body != NULL)
        return MHD_create_response_from_buffer(answer->length, (void *)(uintptr_t)answer->body,
                                               MHD_RESPMEM_PERSISTENT);
    int file = fcntl(answer->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        return NULL;
    struct MHD_Response *response =
        MHD_create_response_from_fd_at_offset64(answer->length, file, answer->offset);
    if (response == NULL)
        close(file);
    return response;
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, const struct answer *answer) {
    struct MHD_Response *response = respond(answer);
    if (response == NULL)
        return MHD_NO;
    enum MHD_Result result = MHD_YES;
    if (answer->content_range[0] != '\0')
        result =
            MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_RANGE, answer->content_range);
    for (int i = 0; i < answer->header_count && result == MHD_YES; i++)
        result =
            MHD_add_response_header(response, answer->headers[i].name, answer->headers[i].value);
    if (result == MHD_YES)
        result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return result;
}

/* libmicrohttpd calls this when the headers have arrived, for every part of a body, and at the end,
 * when it is time to answer. *context counts the calls and bytes of the body so far; it is null
 * before the first call. A client that announces too much is answered before it sends the body. */
static enum MHD_Result take_request(void *cls, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version,
                                    const char *upload_data, size_t *upload_size, void **context) {
    (void)upload_data;
    const struct http_server *server = cls;
    size_t taken = (size_t)*context;
    *context = (void *)(taken + *upload_size + 1);
    if (taken > MOST_BODY)
        return MHD_NO;
    const char *announced = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    bool oversized = announced != NULL && strtoull(announced, NULL, 10) > MOST_BODY;
    if ((taken == 0 && !oversized) || *upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    struct request request = {
        .method = method,
        .target = url,
        .version = version,
        .oversized = oversized,
        .host = header(connection, MHD_HTTP_HEADER_HOST),
        .accept_encoding = header(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING),
        .if_none_match = header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH),
        .range = header(connection, MHD_HTTP_HEADER_RANGE),
        .if_range = header(connection, MHD_HTTP_HEADER_IF_RANGE),
    };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_host, &request.hosts);
    struct answer answer;
    answer_request(server->files, is_loopback(&server->address), &request, &answer);
    return send_answer(connection, &answer);
}

/* A path stays as it was sent: ours have no percent signs, and a decoded "%00" would cut it. */
static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *path) {
    (void)cls, (void)connection;
    return strlen(path);
}

struct http_server *http_start(const struct site_file *files, const char *address, uint16_t port,
                               struct nonet_text *why) {
    struct http_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    server->files = files;
    socklen_t size;
    if (!read_address(address, port, &server->address, &size)) {
        nonet_text_format(why, "\"%s\" is no address", address);
        goto failed;
    }
    int listener = listen_at(server, size);
    if (listener < 0) {
        say_why_not(errno, address, port, why);
        goto failed;
    }
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, listener, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, MOST_CONNECTIONS, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, MOST_CONNECTIONS_FROM_ONE, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, MOST_MEMORY, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, PATIENCE, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    /* Not by epoll: with it, libmicrohttpd does not notice that a client hangs up after half a
     * request, and keeps the connection until the timeout. */
    server->daemon =
        MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, take_request,
                         server, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_ARRAY,
                         options, MHD_OPTION_END);
    if (server->daemon != NULL)
        return server;
    nonet_text_add(why, "the server does not start");
    /* libmicrohttpd closes the socket if it fails late, but not if it fails early. No other thread
     * exists yet that could have opened a file with the same number since. */
    if (fcntl(listener, F_GETFD) >= 0)
        close(listener);
failed:
    free(server);
    return NULL;
}

void http_url(const struct http_server *server, struct nonet_text *out) {
    const struct sockaddr_storage *address = &server->address;
    char text[INET6_ADDRSTRLEN];
    if (address->ss_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, sizeof text);
    else
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, sizeof text);
    nonet_text_format(out, address->ss_family == AF_INET ? "http://%s:%d/" : "http://[%s]:%d/",
                      text, port_of(address));
}

void http_stop(struct http_server *server) {
    MHD_stop_daemon(server->daemon);
    free(server);
}
