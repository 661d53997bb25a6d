/* The connections of the server, looked after: libmicrohttpd in one loop does not notice a client
 * that hangs up after half a request, nor one whose request or stream sleeps. */
#ifndef NONET_ONLINE_LINKS_H
#define NONET_ONLINE_LINKS_H

#include <microhttpd.h>
#include <stdbool.h>

struct link {
    struct link *next, *before;
    int socket;
    bool busy;    /* a request is being answered */
    void *stream; /* or a stream, which is woken if its client is gone */
};

struct links {
    struct link *first;
    void (*wake)(void *stream);
};

/* To be given to libmicrohttpd as MHD_OPTION_NOTIFY_CONNECTION, with the links. */
void links_notify(void *links, struct MHD_Connection *connection, void **context,
                  enum MHD_ConnectionNotificationCode code);

/* The link of a connection; null if there was no memory for it. */
struct link *link_of(struct MHD_Connection *connection);

/* Ends connections whose clients are gone. To be called now and then. */
void links_tick(struct links *links);

#endif
