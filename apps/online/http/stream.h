/* Streams of events: a browser that listens to its tables.
 *
 * A stream sleeps until something happens at one of its tables, or until it has been silent for so
 * long that the browser would doubt it. It keeps only a place in each table's list of events, so a
 * browser that reads slowly costs no more than one that reads fast. */
#ifndef NONET_ONLINE_STREAM_H
#define NONET_ONLINE_STREAM_H

#include <microhttpd.h>

#include "online/api/desk.h"
#include "pulse.h"

struct streams {
    struct hall *hall;
    const struct pulse *pulse;
    struct stream *first;
    int count;
    bool woken;         /* somebody can be told something: the loop must not wait */
    bool ending;        /* all are told that it is over */
    uint64_t delivered; /* events */
};

struct stream;

/* A stream for the tables of a query. Null if the query is malformed, or there is no memory. */
struct stream *stream_open(struct streams *streams, struct MHD_Connection *connection,
                           const char *query, room_who who, int64_t now);
void stream_close(struct stream *stream, int64_t now);

/* What the connection sends; the stream must outlive it. Null if there is no memory. */
struct MHD_Response *stream_response(struct stream *stream);

/* For hall_open: something can be told to a stream. */
void stream_wake(void *stream);

/* For links: nobody reads it any more. */
void stream_abandon(void *stream);

/* Breaks long silences. To be called several times a second. */
void streams_tick(struct streams *streams, int64_t now);
/* Ends all streams. */
void streams_end(struct streams *streams);

#endif
