#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "online/room/table_name.h"

enum {
    BLOCK = 1024, /* bytes that are sent at once, at most */
    BEAT_CLOCK = 5000,
    BEAT = 15000,
};
static const char heartbeat[] = ":\n\n";

struct stream {
    struct streams *all;
    struct stream *next, *before;
    struct MHD_Connection *connection;
    bool asleep, gone;
    int64_t beat_at;
    bool beats;
    char *pending; /* what did not fit into the last block */
    size_t sent, length;
    int count;
    struct hall_listener *listeners;
};

static int64_t next_beat(const struct stream *stream, int64_t now) {
    for (int i = 0; i < stream->count; i++)
        if (hall_clock_runs(&stream->listeners[i]))
            return now + BEAT_CLOCK;
    return now + BEAT;
}

static void tell_missing(uint64_t table, struct nonet_text *text) {
    char name[TABLE_NAME];
    table_name_write(table, name);
    nonet_text_format(text, "data: {\"event\":\"missing\",\"table\":\"%s\"}\n\n", name);
}

struct stream *stream_open(struct streams *streams, struct MHD_Connection *connection,
                           const char *query, room_who who, int64_t now) {
    struct desk_wanted wanted[DESK_STREAM_TABLES];
    char first[DESK_STREAM_TABLES * 64] = "";
    struct nonet_text text = NONET_TEXT_IN(first);
    int count = desk_read_stream(query, wanted);
    struct stream *stream = count >= 0 ? calloc(1, sizeof *stream) : NULL;
    if (stream == NULL)
        return NULL;
    nonet_text_add(&text, heartbeat); /* so that the browser knows at once that it is connected */
    stream->listeners = calloc((size_t)count + 1, sizeof *stream->listeners);
    for (int i = 0; i < count && stream->listeners != NULL; i++) {
        struct hall_table *table = hall_find(streams->hall, wanted[i].table, now);
        struct hall_listener *listener = &stream->listeners[stream->count];
        *listener = (struct hall_listener){.who = who, .told = wanted[i].told, .owner = stream};
        if (table == NULL) {
            tell_missing(wanted[i].table, &text);
        } else {
            hall_listen(streams->hall, listener, table, now);
            stream->count++;
        }
    }
    stream->pending = strdup(first);
    stream->length = text.length;
    stream->all = streams;
    stream->connection = connection;
    stream->beat_at = next_beat(stream, now);
    stream->next = streams->first;
    if (stream->next != NULL)
        stream->next->before = stream;
    streams->first = stream;
    streams->count++;
    if (stream->listeners != NULL && stream->pending != NULL)
        return stream;
    stream_close(stream, now);
    return NULL;
}

void stream_close(struct stream *stream, int64_t now) {
    for (int i = 0; i < stream->count; i++)
        hall_leave(stream->all->hall, &stream->listeners[i], now);
    if (stream->before != NULL)
        stream->before->next = stream->next;
    else
        stream->all->first = stream->next;
    if (stream->next != NULL)
        stream->next->before = stream->before;
    stream->all->count--;
    free(stream->listeners);
    free(stream->pending);
    free(stream);
}

/* Some of what is left of the last text; frees it when it is sent. */
static size_t send_pending(struct stream *stream, char *buffer, size_t most) {
    size_t length = stream->length - stream->sent;
    if (length > most)
        length = most;
    memcpy(buffer, stream->pending + stream->sent, length);
    stream->sent += length;
    if (stream->sent == stream->length) {
        free(stream->pending);
        stream->pending = NULL;
    }
    return length;
}

/* Adds a text to the block; what does not fit is kept for the next one. False if there is no memory
 * for that. */
static bool add(struct stream *stream, const char *text, size_t length, char *buffer, size_t most,
                size_t *used) {
    if (*used + length <= most) {
        memcpy(buffer + *used, text, length);
        *used += length;
        return true;
    }
    size_t fits = most - *used;
    stream->pending = malloc(length - fits);
    if (stream->pending == NULL)
        return false;
    memcpy(buffer + *used, text, fits);
    memcpy(stream->pending, text + fits, length - fits);
    stream->sent = 0;
    stream->length = length - fits;
    *used = most;
    return true;
}

/* Called by the library whenever the connection can send. */
static ssize_t tell(void *context, uint64_t position, char *buffer, size_t most) {
    (void)position;
    struct stream *stream = context;
    int64_t now = pulse_now(stream->all->pulse);
    size_t used = 0;
    if (stream->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (stream->pending != NULL)
        used = send_pending(stream, buffer, most);
    for (int i = 0; i < stream->count && stream->pending == NULL; i++) {
        const char *text;
        size_t length;
        while (stream->pending == NULL &&
               (text = hall_next(stream->all->hall, &stream->listeners[i], now, &length)) != NULL) {
            if (!add(stream, text, length, buffer, most, &used))
                return MHD_CONTENT_READER_END_WITH_ERROR;
            stream->all->delivered++;
        }
    }
    if (used == 0 && stream->all->ending)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (used == 0 && stream->beats)
        add(stream, heartbeat, sizeof heartbeat - 1, buffer, most, &used);
    if (used == 0) {
        stream->asleep = true;
        MHD_suspend_connection(stream->connection);
        return 0;
    }
    stream->beats = false;
    stream->beat_at = next_beat(stream, now);
    return (ssize_t)used;
}

struct MHD_Response *stream_response(struct stream *stream) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, tell, stream, NULL);
}

void stream_wake(void *owner) {
    struct stream *stream = owner;
    if (!stream->asleep)
        return;
    stream->asleep = false;
    stream->all->woken = true;
    MHD_resume_connection(stream->connection);
}

void stream_abandon(void *owner) {
    struct stream *stream = owner;
    stream->gone = true;
    stream_wake(stream);
}

void streams_tick(struct streams *streams, int64_t now) {
    for (struct stream *stream = streams->first; stream != NULL; stream = stream->next)
        if (stream->asleep && now >= stream->beat_at) {
            stream->beats = true;
            stream_wake(stream);
        }
}

void streams_end(struct streams *streams) {
    streams->ending = true;
    for (struct stream *stream = streams->first; stream != NULL; stream = stream->next)
        stream_wake(stream);
}
