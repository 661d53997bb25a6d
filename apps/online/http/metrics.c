#include <string.h>

#include "server.h"

enum {
    SLOW = 250,    /* milliseconds that a batch takes on a disk that is in trouble */
    SILENT = 10000 /* and on one that may never answer */
};

/* How long the batch that is being written takes already, or else how long the last one took. */
static int64_t writing_time(const struct http_server *server) {
    return server->batch != 0 || server->trying ? pulse_now(&server->pulse) - server->writing_since
                                                : server->last_write;
}

static void write_metrics(const struct http_server *server, struct nonet_text *text) {
    struct hall_counts counts = {0};
    if (server->hall != NULL)
        counts = hall_count(server->hall);
    const struct {
        const char *name, *kind, *help;
        uint64_t value;
    } metrics[] = {
        {"nonet_requests_total", "counter", "Requests to the API.", server->requests},
        {"nonet_refusals_total", "counter", "Requests that were refused.", server->refusals},
        {"nonet_batches_total", "counter", "Batches written to disk.", server->batches},
        {"nonet_events_delivered_total", "counter", "Events told to streams.",
         server->streams.delivered},
        {"nonet_streams", "gauge", "Streams that are open.", (uint64_t)server->streams.count},
        {"nonet_tables_waiting", "gauge", "Tables that wait for players.",
         (uint64_t)counts.waiting},
        {"nonet_tables_playing", "gauge", "Games that are being played.", (uint64_t)counts.playing},
        {"nonet_visitors", "gauge", "Visitors that are known.", (uint64_t)counts.visitors},
        {"nonet_disk_fails", "gauge", "1 if the last batch could not be written.",
         server->disk_fails},
        {"nonet_batch_milliseconds", "gauge", "How long writing takes now, or took last.",
         (uint64_t)writing_time(server)},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        nonet_text_format(text, "# HELP %s %s\n# TYPE %s %s\n%s %llu\n", metrics[i].name,
                          metrics[i].help, metrics[i].name, metrics[i].kind, metrics[i].name,
                          (unsigned long long)metrics[i].value);
}

enum MHD_Result metrics_answer(const struct http_server *server, struct MHD_Connection *connection,
                               const char *url) {
    char bytes[4096];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    bool health = strcmp(url, "/healthz") == 0;
    int64_t took = writing_time(server);
    bool ill = server->disk_fails || took > SILENT;
    if (health)
        nonet_text_format(&text, "{\"status\":\"%s\"}\n",
                          server->disk_fails ? "the disk fails"
                          : took > SILENT    ? "the disk does not answer"
                          : took > SLOW      ? "the disk is slow"
                                             : "fine");
    else
        write_metrics(server, &text);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(text.length, bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    enum MHD_Result result = MHD_NO;
    if (calls_add_headers(response, health ? "application/json" : "text/plain; version=0.0.4"))
        result = MHD_queue_response(connection, health && ill ? 503 : 200, response);
    MHD_destroy_response(response);
    return result;
}
