#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "address.h"
#include "server.h"

enum {
    MOST_BODY = 64 * 1024,   /* more than that is not even thrown away */
    STREAM_PATIENCE = 30000, /* milliseconds that a stream may take to acknowledge what was sent */
};

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result count_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                    const char *value) {
    (void)kind, (void)value;
    struct request *request = cls;
    request->hosts += strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0;
    request->lengths += strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0 ||
                        strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0;
    return MHD_YES;
}

/* ---- Files ---- */

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
    if (answer->location[0] != '\0' && result == MHD_YES)
        result = MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, answer->location);
    for (int i = 0; i < answer->header_count && result == MHD_YES; i++)
        result =
            MHD_add_response_header(response, answer->headers[i].name, answer->headers[i].value);
    if (result == MHD_YES)
        result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static void read_request(struct MHD_Connection *connection, const char *url, const char *method,
                         const char *version, bool oversized, struct request *request) {
    *request = (struct request){
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
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, request);
}

/* ---- The API ---- */

static bool is_api(const char *url, const char *method) {
    bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    return strncmp(url, "/api/", 5) == 0 ||
           (reads && (strcmp(url, "/healthz") == 0 || strcmp(url, "/metrics") == 0));
}

static bool from_proxy(const struct http_server *server, struct MHD_Connection *connection) {
    struct in6_addr peer = address_of(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
    return server->has_proxy && memcmp(&peer, &server->proxy, sizeof peer) == 0;
}

static enum MHD_Result take_forwarded(void *cls, enum MHD_ValueKind kind, const char *name,
                                      const char *value) {
    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0)
        *(const char **)cls = value;
    return MHD_YES;
}

/* Who is at the other end. A proxy adds the address that it saw at the end of a list, the rest of
 * which anybody may have written; some add a header of their own, after those that were there. */
static struct in6_addr client_of(const struct http_server *server,
                                 struct MHD_Connection *connection) {
    struct in6_addr peer = address_of(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
    const char *list = NULL;
    if (from_proxy(server, connection))
        MHD_get_connection_values(connection, MHD_HEADER_KIND, take_forwarded, &list);
    if (list != NULL) {
        const char *last = strrchr(list, ',');
        last = last == NULL ? list : last + 1;
        last += strspn(last, " ");
        struct in6_addr told;
        if (address_read(last, &told))
            return told;
    }
    return peer;
}

static bool is_https(const struct http_server *server, struct MHD_Connection *connection) {
    const char *scheme =
        from_proxy(server, connection) ? header(connection, "X-Forwarded-Proto") : NULL;
    return scheme != NULL && strcmp(scheme, "https") == 0;
}

/* Whether a page of another site asks. Browsers say so, and cannot be made to lie. */
static bool from_elsewhere(struct MHD_Connection *connection) {
    const char *site = header(connection, "Sec-Fetch-Site");
    const char *origin = header(connection, "Origin"), *host = header(connection, "Host");
    if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return true;
    if (origin == NULL)
        return false;
    const char *name = strstr(origin, "://");
    return name == NULL || host == NULL || strcasecmp(name + 3, host) != 0;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    if (type == NULL || strncasecmp(type, json, strlen(json)) != 0)
        return false;
    type += strlen(json);
    return *type == '\0' || *type == ';' || *type == ' ';
}

/* The visitor's token: from a header, or from the cookie. */
static const char *token_of(struct MHD_Connection *connection) {
    static const char bearer[] = "Bearer ";
    const char *authorization = header(connection, "Authorization");
    if (authorization != NULL && strncmp(authorization, bearer, strlen(bearer)) == 0)
        return authorization + strlen(bearer);
    return MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, "nonet");
}

static enum MHD_Result add_query(void *cls, enum MHD_ValueKind kind, const char *name,
                                 const char *value) {
    (void)kind;
    struct nonet_text *query = cls;
    if (query->length > 0)
        nonet_text_char(query, '&');
    nonet_text_format(query, "%s=%s", name, value != NULL ? value : "");
    return MHD_YES;
}

/* Whether this address may open one more table; if not, in how many seconds. */
static bool may_open(struct call *call, int64_t now, int *seconds) {
    struct limits *limits = call->server->limits;
    return limits == NULL || (limits_may(limits, &call->address, LIMITS_DAY, 1, now, seconds) &&
                              limits_may(limits, &call->address, LIMITS_OPENING, 1, now, seconds));
}

static void charge_opening(struct call *call, int64_t now) {
    struct limits *limits = call->server->limits;
    if (limits == NULL)
        return;
    limits_charge(limits, &call->address, LIMITS_DAY, 1, now);
    limits_charge(limits, &call->address, LIMITS_OPENING, 1, now);
}

/* Whether a request is too much from its address; then in how many seconds it may come. What is
 * posted is counted by its size too, since most of it is kept; and whoever asked for what takes
 * long waits until the server has had time for others. */
static bool is_too_often(struct call *call, bool posts, bool opens, int64_t now, int *seconds) {
    struct limits *limits = call->server->limits;
    int parts = (int)(call->taken / LIMITS_PART) + 1;
    return limits != NULL &&
           (!limits_take(limits, &call->address, LIMITS_REQUEST, 1, now, seconds) ||
            !limits_may(limits, &call->address, LIMITS_WORK, 1, now, seconds) ||
            (posts && !limits_take(limits, &call->address, LIMITS_BODY, parts, now, seconds)) ||
            (opens && !may_open(call, now, seconds)));
}

/* Decides about a request whose body is there. */
static void decide(struct call *call, const char *url, const char *method) {
    struct http_server *server = call->server;
    struct MHD_Connection *connection = call->connection;
    struct desk_call *desk = &call->desk;
    int64_t now = pulse_now(&server->pulse);
    int seconds = 0, until_opening = 0;
    bool posts = strcmp(method, "POST") == 0;
    *desk = (struct desk_call){0};
    call->address = client_of(server, connection);
    bool opens = posts && strcmp(url, "/api/tables") == 0;
    if (from_elsewhere(connection)) {
        desk_refuse(desk, 403, "this is only for pages of this site");
    } else if (server->hall == NULL) {
        desk_refuse(desk, 404, "this server has no tables");
    } else if (is_too_often(call, posts, opens, now, &seconds)) {
        desk_refuse(desk, 429, "that is too much at once; wait a little");
        desk->seconds = seconds;
    } else if (call->taken > DESK_BODY) {
        desk_refuse(desk, 413, "a request has at most 16384 bytes");
    } else if (posts && !is_json(header(connection, MHD_HTTP_HEADER_CONTENT_TYPE))) {
        desk_refuse(desk, 415, "a request's Content-Type is application/json");
    } else {
        char bytes[DESK_STREAM_TABLES * 36];
        struct nonet_text query = NONET_TEXT_IN(bytes);
        MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_query, &query);
        struct desk_request request = {
            .method = method,
            .path = url,
            .query = bytes,
            .token = token_of(connection),
            .body = call->body != NULL ? call->body : "",
            .length = call->taken,
            .no_more = posts && !may_open(call, now, &until_opening),
            .only_known = server->limits != NULL && !limits_may(server->limits, &call->address,
                                                                LIMITS_VISITOR, 1, now, &seconds),
        };
        desk_decide(server->hall, &request, now, desk);
        if (desk->status == 429)
            desk->seconds = desk->who == 0 ? seconds : until_opening;
        if (opens || desk->opens)
            charge_opening(call, now);
        if (desk->token[0] != '\0' && server->limits != NULL)
            limits_take(server->limits, &call->address, LIMITS_VISITOR, 1, now, &seconds);
        if (desk->says == DESK_STREAM && server->limits != NULL &&
            !limits_stream(server->limits, &call->address, 1, now))
            desk_refuse(desk, 429, "there are too many streams from one address");
        else if (desk->says == DESK_STREAM) {
            call->stream = stream_open(&server->streams, connection, bytes, desk->who, now);
            if (call->stream == NULL) {
                desk_refuse(desk, 503, "there is no memory left");
                if (server->limits != NULL)
                    limits_stream(server->limits, &call->address, -1, now);
            }
        }
    }
    call->decided = true;
    server->requests++;
    server->refusals += desk->says == DESK_REFUSAL;
}

/* Until its batch is on disk, a request waits. */
static void wait_for_disk(struct call *call) {
    struct call **list = &call->server->waiting[call->desk.batch % 2];
    call->next = *list;
    *list = call;
    call->server->waiting_count++;
    MHD_suspend_connection(call->connection);
}

void calls_wake(struct http_server *server, struct call **list, bool fine) {
    struct call *next;
    for (struct call *call = *list; call != NULL; call = next) {
        next = call->next;
        server->waiting_count--;
        if (!fine)
            desk_refuse(&call->desk, 503, "this could not be written, and nothing happened");
        call->desk.batch = 0;
        MHD_resume_connection(call->connection);
    }
    *list = NULL;
}

static bool add_header(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* What all answers have: they are for one reader, now, and no other site may use them. */
bool calls_add_headers(struct MHD_Response *response, const char *type) {
    return add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) &&
           add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") &&
           add_header(response, "X-Content-Type-Options", "nosniff") &&
           add_header(response, "Content-Security-Policy", "default-src 'none'") &&
           add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
}

static enum MHD_Result begin_stream(struct call *call) {
    struct MHD_Response *response = stream_response(call->stream);
    struct link *link = link_of(call->connection);
    if (response == NULL || link == NULL)
        return MHD_NO;
    link->stream = call->stream;
    int patience = STREAM_PATIENCE;
    int socket =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
    MHD_set_connection_option(call->connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
    bool fine = calls_add_headers(response, "text/event-stream") &&
                add_header(response, "X-Accel-Buffering", "no");
    enum MHD_Result result =
        fine ? MHD_queue_response(call->connection, MHD_HTTP_OK, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

static bool add_cookie(const struct call *call, struct MHD_Response *response) {
    char cookie[128];
    struct nonet_text text = NONET_TEXT_IN(cookie);
    nonet_text_format(&text, "nonet=%s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict%s",
                      call->desk.token, is_https(call->server, call->connection) ? "; Secure" : "");
    return call->desk.token[0] == '\0' || add_header(response, "Set-Cookie", cookie);
}

static enum MHD_Result answer_call(struct call *call) {
    struct http_server *server = call->server;
    struct desk_call *desk = &call->desk;
    if (desk->says == DESK_STREAM)
        return begin_stream(call);
    struct nonet_text text = nonet_text_in(server->text, DESK_TEXT);
    desk_answer(server->hall, desk, pulse_now(&server->pulse), &text);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(text.length, text.bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    bool fine = calls_add_headers(response, "application/json") && add_cookie(call, response);
    if (desk->status == 429 || desk->seconds > 0) {
        char seconds[16];
        struct nonet_text number = NONET_TEXT_IN(seconds);
        nonet_text_format(&number, "%d", desk->seconds > 0 ? desk->seconds : 10);
        fine = fine && add_header(response, "Retry-After", seconds);
    }
    if (desk->allow != NULL)
        fine = fine && add_header(response, "Allow", desk->allow);
    enum MHD_Result result =
        fine ? MHD_queue_response(call->connection, desk->status, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

/* ---- Requests ---- */

/* Takes a part of the body. What is too much is thrown away; far too much ends the connection. */
static bool take_body(struct call *call, const char *data, size_t size) {
    size_t before = call->taken;
    call->taken += size;
    if (call->taken <= DESK_BODY) {
        if (call->body == NULL && (call->body = malloc(DESK_BODY)) == NULL)
            return false;
        memcpy(call->body + before, data, size);
    }
    return call->taken <= MOST_BODY;
}

static enum MHD_Result decide_or_answer(struct call *call, const char *url, const char *method) {
    struct http_server *server = call->server;
    if (!call->decided)
        decide(call, url, method);
    else if (server->hall != NULL)
        call->desk.batch = desk_waits(server->hall, &call->desk, pulse_now(&server->pulse));
    if (call->desk.batch != 0 && call->desk.says != DESK_STREAM) {
        wait_for_disk(call);
        return MHD_YES;
    }
    return answer_call(call);
}

/* Microseconds that this thread has worked. */
static int64_t worked(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static enum MHD_Result take_api(struct call *call, const char *url, const char *method,
                                const struct request *request) {
    struct http_server *server = call->server;
    struct answer refusal;
    if (!call->decided && answer_refuses(server->local, request, &refusal))
        return send_answer(call->connection, &refusal);
    if (strncmp(url, "/api/", 5) != 0)
        return metrics_answer(server, call->connection, url);
    if (server->limits == NULL)
        return decide_or_answer(call, url, method);
    int64_t begun = worked();
    enum MHD_Result result = decide_or_answer(call, url, method);
    limits_charge(server->limits, &call->address, LIMITS_WORK,
                  (int)((worked() - begun) / LIMITS_TIME), pulse_now(&server->pulse));
    return result;
}

/* libmicrohttpd calls this when the headers have arrived, for every part of a body, at the end, and
 * when a request that waited goes on. A client that announces too much is answered before it sends
 * the body. */
enum MHD_Result calls_take(void *cls, struct MHD_Connection *connection, const char *url,
                           const char *method, const char *version, const char *upload_data,
                           size_t *upload_size, void **context) {
    struct http_server *server = cls;
    struct call *call = *context;
    const char *announced = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    bool oversized = announced != NULL && strtoull(announced, NULL, 10) > MOST_BODY;
    if (call == NULL) {
        *context = call = calloc(1, sizeof *call);
        if (call == NULL)
            return MHD_NO;
        call->server = server;
        call->connection = connection;
        if (!oversized)
            return MHD_YES;
    }
    if (*upload_size > 0) {
        bool fine = take_body(call, upload_data, *upload_size);
        *upload_size = 0;
        return fine ? MHD_YES : MHD_NO;
    }
    struct link *link = link_of(connection);
    if (link != NULL)
        link->busy = true;
    struct request request;
    read_request(connection, url, method, version, oversized, &request);
    if (oversized)
        call->taken = MOST_BODY; /* or more, of which nothing is read */
    if (is_api(url, method))
        return take_api(call, url, method, &request);
    struct answer answer;
    answer_request(server->files, server->local, &request, &answer);
    return send_answer(connection, &answer);
}

/* A request is answered, or its client is gone. */
void calls_end(void *cls, struct MHD_Connection *connection, void **context,
               enum MHD_RequestTerminationCode code) {
    (void)cls, (void)code;
    struct call *call = *context;
    struct link *link = link_of(connection);
    if (call == NULL)
        return;
    if (link != NULL) {
        link->busy = false;
        link->stream = NULL;
    }
    if (call->stream != NULL) {
        int64_t now = pulse_now(&call->server->pulse);
        stream_close(call->stream, now);
        if (call->server->limits != NULL)
            limits_stream(call->server->limits, &call->address, -1, now);
    }
    free(call->body);
    free(call);
    *context = NULL;
}
