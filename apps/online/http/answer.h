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
    int hosts;           /* how many Host headers there are, */
    int lengths;         /* and how many that say where the body ends */
    const char *host;    /* the first of them */
    bool oversized;      /* announces more content than the server is willing to discard */
    const char *accept_encoding;
    const char *if_none_match;
    const char *range;
    const char *if_range;
};

struct answer_header {
    const char *name, *value;
};

enum { ANSWER_HEADERS = 16 };

/* All texts and bytes are valid as long as the files are. */
struct answer {
    unsigned status;
    const char *body; /* null if it comes from an open file, from `offset` on */
    int file;
    size_t offset;
    size_t length;
    char content_range[64]; /* the header of this name; empty if there is none */
    char location[64];      /* the same */
    int header_count;
    struct answer_header headers[ANSWER_HEADERS];
};

/* `local`: whether the server listens to this machine alone. It then refuses requests for another
 * host name: a foreign site may make its own name point here, and would pass for ours. */
void answer_request(const struct site_file *files, bool local, const struct request *request,
                    struct answer *answer);

/* Whether a request is not meant for this server, whatever it asks for; then what to answer. */
bool answer_refuses(bool local, const struct request *request, struct answer *answer);

/* The coding that an Accept-Encoding header (or null) prefers among those the file has. */
enum site_coding answer_coding(const struct site_file *file, const char *accept_encoding);

/* Whether an If-None-Match header (or null) names the tag. */
bool answer_tag_matches(const char *if_none_match, const char *etag);

/* What a Range header asks for of a body of this length: one range, first <= last < length. Several
 * ranges, or what is none, are ignored, which every server may do. */
enum answer_range { ANSWER_WHOLE, ANSWER_PART, ANSWER_NO_PART };
enum answer_range answer_read_range(const char *range, size_t length, size_t *first, size_t *last);

/* Whether a Host header (or null) names this machine. */
bool answer_host_is_local(const char *host);

#endif
