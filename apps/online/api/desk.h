/* The desk of the hall: what a request to the API leads to, and what is answered.
 *
 * It works on texts and knows no socket, so tests and fuzzers call it as the server does. A request
 * is first decided. If its answer depends on something that is not on disk yet, it waits for a
 * batch; then the answer is written. docs/api.md has all requests. */
#ifndef NONET_ONLINE_DESK_H
#define NONET_ONLINE_DESK_H

#include "online/hall/hall.h"
#include "request.h"

enum {
    DESK_BODY = REQUEST_MOST, /* bytes of a request's body, at most */
    DESK_STREAM_TABLES = 50,
    DESK_TEXT = 256 * 1024, /* enough for any answer */
};

struct desk_request {
    const char *method, *path, *query; /* "GET", "/api/tables", "seat=1"; no query is "" */
    const char *token;                 /* of the visitor; null if there was none */
    const char *body;
    size_t length;
    bool only_known; /* whoever is no visitor yet does not become one now */
    bool no_more;    /* no table is opened, by a rematch either */
};

enum desk_saying {
    DESK_REFUSAL, /* status, kind, reason; with status 409 the table */
    DESK_NUMBER,
    DESK_TABLE,
    DESK_LOBBY,
    DESK_OWN,
    DESK_RECORD,
    DESK_KEY,
    DESK_STREAM, /* the caller opens it */
};

/* A request that was decided. */
struct desk_call {
    unsigned status;
    enum desk_saying says;
    const char *kind; /* of the refusal */
    const char *allow;
    char reason[256];
    uint64_t table;
    bool opens;                  /* a rematch was offered, which may open a table at once */
    int seconds;                 /* after which it may be asked again; 0: nobody knows */
    char key[VISITORS_SEAT_KEY]; /* of the seat, as it was when somebody asked */
    room_who who;
    uint64_t batch;             /* that must be on disk before the answer; 0: none */
    char token[VISITORS_TOKEN]; /* of a new visitor; else empty */
};

void desk_decide(struct hall *hall, const struct desk_request *request, int64_t now,
                 struct desk_call *call);

/* Makes a refusal of the call. */
void desk_refuse(struct desk_call *call, unsigned status, const char *why);

/* The batch that a decided call must wait for now, or 0: its table may have gone on since. */
uint64_t desk_waits(struct hall *hall, const struct desk_call *call, int64_t now);

/* The answer's body, when its batch is on disk. It may turn the call into a refusal. */
void desk_answer(struct hall *hall, struct desk_call *call, int64_t now, struct nonet_text *text);

/* Which tables a stream wants, as "tables=ID:NUMBER,ID": each with the last event that it has seen,
 * 0 for none. Returns how many there are, or -1 if the query is malformed. */
struct desk_wanted {
    uint64_t table;
    int64_t told;
};
int desk_read_stream(const char *query, struct desk_wanted wanted[DESK_STREAM_TABLES]);

#endif
