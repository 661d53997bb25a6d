/* The inside of the server, for the files that it is made of: http.c has the loop, calls.c the
 * requests, metrics.c what those want to know who run it. */
#ifndef NONET_ONLINE_SERVER_H
#define NONET_ONLINE_SERVER_H

#include "answer.h"
#include "links.h"
#include "online/api/desk.h"
#include "online/computers.h"
#include "online/store/writer.h"
#include "pulse.h"
#include "rate_limits.h"
#include "stream.h"

/* A request on its way. */
struct call {
    struct http_server *server;
    struct MHD_Connection *connection;
    struct call *next; /* that waits for the same batch */
    size_t taken;      /* bytes of the body, read or thrown away */
    char *body;
    bool decided;
    struct desk_call desk;
    struct in6_addr address;
    struct stream *stream;
};

struct http_server {
    const struct site_file *files;
    struct sockaddr_storage address;
    struct MHD_Daemon *daemon;
    bool local; /* for this machine alone */
    bool has_proxy;
    struct in6_addr proxy;
    struct limits *limits; /* null: none */
    struct links links;
    unsigned ticks;
    struct pulse pulse;

    /* Tables; all null if there are none. */
    struct hall *hall;
    int lock;
    struct store *reading;
    struct writer *writer;
    struct computers *computers;
    struct streams streams;
    uint64_t batch; /* that is being written; 0: none */
    uint64_t batches;
    struct call *waiting[2]; /* for batches with even and odd numbers */
    int waiting_count;
    bool disk_fails;
    bool trying;                       /* whether the disk still fails */
    int64_t writing_since, last_write; /* the batch that is being written; how long the last took */
    char *text;                        /* of the answer that is being made */
    uint64_t requests, refusals;
};

/* For libmicrohttpd: a request comes, in several calls; and it is answered, or its client is gone.
 */
enum MHD_Result calls_take(void *server, struct MHD_Connection *connection, const char *url,
                           const char *method, const char *version, const char *upload_data,
                           size_t *upload_size, void **context);
void calls_end(void *server, struct MHD_Connection *connection, void **context,
               enum MHD_RequestTerminationCode code);

/* The batch that these requests waited for is on disk, or will never be. */
void calls_wake(struct http_server *server, struct call **list, bool fine);

/* What all answers of the API have: they are for one reader, now, and no other site may use them.
 */
bool calls_add_headers(struct MHD_Response *response, const char *type);

/* Answers /healthz and /metrics. */
enum MHD_Result metrics_answer(const struct http_server *server, struct MHD_Connection *connection,
                               const char *url);

#endif
