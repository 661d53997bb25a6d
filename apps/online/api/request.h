/* A request to a table, as JSON: {"wish":"move","seat":1,"ply":4,"id":"8123","move":"a1b2"}.
 *
 * Nothing else may be in it, and nothing may be missing, so that a mistake of a client is told
 * instead of guessed away. */
#ifndef NONET_ONLINE_REQUEST_H
#define NONET_ONLINE_REQUEST_H

#include "online/room/room.h"

enum { REQUEST_MOST = 16384 }; /* bytes: conditional moves may have PROMISE_TEXT */

/* A request, and room for the texts in it. */
struct api_request {
    struct room_request room; /* `who` and `absent` are left for the caller to fill in */
    char move[NONET_MOVE_TEXT], name[ROOM_NAME], lines[PROMISE_TEXT];
};

/* False if it is none; `why` then says what is wrong, and what would be right. */
bool api_request_read(const char *body, size_t length, struct api_request *request,
                      struct nonet_text *why);

#endif
