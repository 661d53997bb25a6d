/* What the server answers to a request: a function of the request and the files alone. It needs no
 * socket, so tests can call it to check every promise about headers. */
#ifndef NONET_ONLINE_ANSWER_H
#define NONET_ONLINE_ANSWER_H

#include "site.h"

/* Headers that were not sent are null. */
struct request {
    const char *method;
    const char *target;  /* without query, as it was sent: "/x" or "http://localhost:8080/x" */
    const char *version; /* "HTTP/1.1" */
    int hosts;           /* how many Host headers there are */
    const char *host;    /* the first of them */
    bool oversized;      /* announces more content than the server is willing to discard */
    const char *accept_encoding;
    const char *if_none_match;
};

struct answer_header {
    const char *name, *value;
};

enum { ANSWER_HEADERS = 16 };

/* All texts and bytes are valid as long as the files are. */
struct answer {
    unsigned status;
    const char *body;
    size_t length;
    int header_count;
    struct answer_header headers[ANSWER_HEADERS];
};

/* `local`: whether the server listens to this machine alone. It then refuses requests for another
 * host name: a foreign site may make its own name point here, and would pass for ours. */
void answer_request(const struct site_file *files, bool local, const struct request *request,
                    struct answer *answer);

/* The coding that an Accept-Encoding header (or null) prefers among those the file has. */
enum site_coding answer_coding(const struct site_file *file, const char *accept_encoding);

/* Whether an If-None-Match header (or null) names the tag. */
bool answer_tag_matches(const char *if_none_match, const char *etag);

/* Whether a Host header (or null) names this machine. */
bool answer_host_is_local(const char *host);

#endif
