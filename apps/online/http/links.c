#include "links.h"

#include <stdlib.h>
#include <sys/socket.h>

void links_notify(void *context, struct MHD_Connection *connection, void **own,
                  enum MHD_ConnectionNotificationCode code) {
    struct links *links = context;
    struct link *link = *own;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *own = link = calloc(1, sizeof *link);
        if (link == NULL)
            return;
        link->socket =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        link->next = links->first;
        if (link->next != NULL)
            link->next->before = link;
        links->first = link;
    } else if (link != NULL) {
        if (link->before != NULL)
            link->before->next = link->next;
        else
            links->first = link->next;
        if (link->next != NULL)
            link->next->before = link->before;
        free(link);
        *own = NULL;
    }
}

struct link *link_of(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void links_tick(struct links *links) {
    struct link *next;
    for (struct link *link = links->first; link != NULL; link = next) {
        next = link->next;
        char byte;
        if ((link->busy && link->stream == NULL) ||
            recv(link->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
            continue;
        shutdown(link->socket, SHUT_RDWR); /* which the library notices */
        if (link->stream != NULL)
            links->wake(link->stream);
    }
}
