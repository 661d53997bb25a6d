#include "answer.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Nothing from other sites, nothing inline. WebAssembly may be compiled, strings may not. Pictures
 * that the reader saves are made on the page: blob: and data:. */
static const char POLICY[] =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "img-src 'self' blob: data:; manifest-src 'self'; worker-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static const struct answer_header ALWAYS[] = {
    {"Content-Security-Policy", POLICY},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

#define NOTE(title, text)                                                                          \
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"                                  \
    "<meta name=\"viewport\" content=\"width=device-width\">"                                      \
    "<title>" title "</title><h1>" title "</h1><p>" text "\n"
static const char NOT_FOUND[] = NOTE("Nothing here", "<a href=\"/\">To the games</a>");
static const char MOVED[] = NOTE("Moved", "This is a folder: its name ends with a slash.");
static const char NOT_ALLOWED[] = NOTE("Not allowed", "This server only answers GET and HEAD.");
static const char TOO_LARGE[] = NOTE("Too large", "This server reads only requests.");
static const char NO_HOST[] =
    NOTE("For whom?", "A request must name the host that it is meant for, in one Host header.");
static const char TWO_ENDS[] =
    NOTE("How long?", "A request says once how long its body is, by its length or by its coding.");
static const char MISDIRECTED[] = NOTE(
    "Another name", "This server answers as localhost or 127.0.0.1 only. To let other machines in, "
                    "start it with <code>--address</code>.");

static void add_header(struct answer *answer, const char *name, const char *value) {
    answer->headers[answer->header_count++] = (struct answer_header){name, value};
}

static void answer_note(struct answer *answer, unsigned status, const char *note) {
    answer->status = status;
    answer->body = note;
    answer->length = strlen(note);
    add_header(answer, "Content-Type", "text/html; charset=utf-8");
    add_header(answer, "Cache-Control", "no-store");
}

/* An element of a header's list: a word, perhaps followed by ";q=0.5". */
struct listed {
    const char *word;
    size_t length;
    int thousandths; /* 1000 unless stated */
};

static const char *skip_space(const char *at) {
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* A weight: 0 or 1, or 0 with up to three digits after the point. Anything else counts as 0, so
 * that no client gets a coding that it may not understand. */
static int read_weight(const char *at) {
    if (*at != '0' && *at != '1')
        return 0;
    int weight = (*at++ - '0') * 1000;
    if (*at == '.') {
        at++;
        for (int place = 100; place > 0 && isdigit((unsigned char)*at); place /= 10)
            weight += (*at++ - '0') * place;
    }
    at = skip_space(at);
    return weight > 1000 || (*at != ',' && *at != ';' && *at != '\0') ? 0 : weight;
}

/* Reads the next element and moves past it; false at the end. */
static bool next_listed(const char **list, struct listed *element) {
    const char *at = *list;
    while (*at == ',' || *at == ' ' || *at == '\t')
        at++;
    if (*at == '\0')
        return false;
    *element = (struct listed){at, strcspn(at, " \t;,"), 1000};
    at += element->length;
    while (*at != ',' && *at != '\0') {
        if (*at == ';') {
            const char *parameter = skip_space(at + 1);
            if (strncasecmp(parameter, "q=", 2) == 0)
                element->thousandths = read_weight(parameter + 2);
        }
        at++;
    }
    *list = at;
    return true;
}

static bool is_word(const struct listed *element, const char *word) {
    return element->length == strlen(word) &&
           strncasecmp(element->word, word, element->length) == 0;
}

enum site_coding answer_coding(const struct site_file *file, const char *accept_encoding) {
    static const char *const names[SITE_CODINGS] = {"identity", "gzip", "br"};
    enum { UNNAMED = -1 };
    int weights[SITE_CODINGS] = {UNNAMED, UNNAMED, UNNAMED}, others = UNNAMED;
    struct listed element;
    for (const char *at = accept_encoding; at != NULL && next_listed(&at, &element);) {
        if (is_word(&element, "*"))
            others = element.thousandths;
        for (int coding = 0; coding < SITE_CODINGS; coding++)
            if (is_word(&element, names[coding]))
                weights[coding] = element.thousandths;
    }
    /* A client that accepts no other coding gets the file as it is: no client is left without an
     * answer. Of two codings with the same weight, the smaller file is sent. */
    enum site_coding best = SITE_IDENTITY;
    int most = weights[SITE_IDENTITY] > 0 ? weights[SITE_IDENTITY] : 0;
    for (int coding = SITE_GZIP; coding < SITE_CODINGS; coding++) {
        int weight = weights[coding] != UNNAMED ? weights[coding] : others;
        if (file->bodies[coding].bytes != NULL && weight > 0 && weight >= most) {
            best = (enum site_coding)coding;
            most = weight;
        }
    }
    return best;
}

bool answer_tag_matches(const char *if_none_match, const char *etag) {
    struct listed element;
    for (const char *at = if_none_match; at != NULL && next_listed(&at, &element);) {
        if (element.length > 2 && strncmp(element.word, "W/", 2) == 0) {
            element.word += 2;
            element.length -= 2;
        }
        if (is_word(&element, "*") ||
            (element.length == strlen(etag) && strncmp(element.word, etag, element.length) == 0))
            return true;
    }
    return false;
}

/* A number, and the text after it; false if there is none. One that is too large is the largest. */
static bool read_number(const char **text, size_t *number) {
    if (!isdigit((unsigned char)**text))
        return false;
    for (*number = 0; isdigit((unsigned char)**text); ++*text) {
        size_t digit = (size_t)(**text - '0');
        *number = *number > (SIZE_MAX - digit) / 10 ? SIZE_MAX : 10 * *number + digit;
    }
    return true;
}

enum answer_range answer_read_range(const char *range, size_t length, size_t *first, size_t *last) {
    static const char unit[] = "bytes=";
    if (range == NULL || strncasecmp(range, unit, strlen(unit)) != 0)
        return ANSWER_WHOLE;
    const char *at = skip_space(range + strlen(unit));
    bool from = read_number(&at, first);
    if (*at++ != '-')
        return ANSWER_WHOLE;
    bool to = read_number(&at, last);
    at = skip_space(at);
    if (*at != '\0' || (!from && !to) || (from && to && *last < *first))
        return ANSWER_WHOLE;
    if (!from) { /* the last bytes */
        if (*last == 0 || length == 0)
            return ANSWER_NO_PART;
        *first = *last < length ? length - *last : 0;
        *last = length - 1;
        return ANSWER_PART;
    }
    if (*first >= length)
        return ANSWER_NO_PART;
    if (!to || *last >= length)
        *last = length - 1;
    return ANSWER_PART;
}

/* Cuts the answer to the range that is asked for. A condition that names another version of the
 * file, or a date, makes it whole. */
static void cut_to_range(struct answer *answer, const struct request *request, const char *etag) {
    size_t first, last, length = answer->length;
    if (strcmp(request->method, "GET") != 0 ||
        (request->if_range != NULL && strcmp(request->if_range, etag) != 0))
        return;
    enum answer_range part = answer_read_range(request->range, length, &first, &last);
    if (part == ANSWER_WHOLE)
        return;
    if (part == ANSWER_NO_PART) {
        answer->status = 416;
        answer->body = "";
        answer->length = 0;
        snprintf(answer->content_range, sizeof answer->content_range, "bytes */%zu", length);
        return;
    }
    answer->status = 206;
    answer->offset = first;
    answer->length = last - first + 1;
    if (answer->body != NULL)
        answer->body += first;
    snprintf(answer->content_range, sizeof answer->content_range, "bytes %zu-%zu/%zu", first, last,
             length);
}

bool answer_host_is_local(const char *host) {
    if (host == NULL) /* HTTP/1.0, which no browser speaks */
        return true;
    size_t name = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    if (name > strlen(host))
        return false;
    const char *port = host + name;
    if (*port != '\0' && (*port != ':' || port[1 + strspn(port + 1, "0123456789")] != '\0'))
        return false;
    return (name == 9 && strncasecmp(host, "localhost", name) == 0) ||
           (name == 5 && strncmp(host, "[::1]", name) == 0) ||
           (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == name);
}

/* The path and the host of the request. A whole address names both; then its host counts, not that
 * of the header (RFC 9112, 3.2.2). */
struct target {
    const char *path;
    const char *host;
    char authority[64];
};

static void read_target(const struct request *request, struct target *target) {
    static const char scheme[] = "http://";
    target->path = request->target;
    target->host = request->host;
    if (strncasecmp(request->target, scheme, strlen(scheme)) != 0)
        return;
    const char *authority = request->target + strlen(scheme);
    size_t length = strcspn(authority, "/");
    target->path = authority[length] != '\0' ? authority + length : "/";
    target->host = target->authority;
    bool fits = length < sizeof target->authority; /* a longer one is no name of this machine */
    memcpy(target->authority, authority, fits ? length : 0);
    target->authority[fits ? length : 0] = '\0';
}

/* The file whose path is these two texts, one after the other. */
static const struct site_file *find_file(const struct site_file *files, const char *path,
                                         const char *rest) {
    size_t length = strlen(path);
    for (; files->path != NULL; files++)
        if (strncmp(files->path, path, length) == 0 && strcmp(files->path + length, rest) == 0)
            return files;
    return NULL;
}

/* A folder's name without its slash: the links of its page would lead astray, so the client is sent
 * to the name with it. The way there is relative, since a proxy may have put the site elsewhere. */
static bool answer_folder(struct answer *answer, const struct site_file *files, const char *path) {
    const char *name = strrchr(path, '/');
    if (name == NULL || strlen(name) + 1 > sizeof answer->location ||
        find_file(files, path, "/index.html") == NULL)
        return false;
    answer_note(answer, 301, MOVED);
    snprintf(answer->location, sizeof answer->location, "%s/", name + 1);
    return true;
}

static void answer_file(struct answer *answer, const struct site_file *file,
                        const struct request *request) {
    enum site_coding coding = answer_coding(file, request->accept_encoding);
    const struct site_body *body = &file->bodies[coding];
    add_header(answer, "ETag", body->etag);
    add_header(answer, "Cache-Control",
               file->lasting ? "public, max-age=31536000, immutable" : "no-cache");
    if (file->bodies[SITE_GZIP].bytes != NULL || file->bodies[SITE_BROTLI].bytes != NULL)
        add_header(answer, "Vary", "Accept-Encoding");
    if (answer_tag_matches(request->if_none_match, body->etag)) {
        answer->status = 304;
        return;
    }
    answer->status = 200;
    answer->body = body->bytes;
    answer->file = body->file;
    answer->length = body->length;
    add_header(answer, "Content-Type", file->type);
    add_header(answer, "Accept-Ranges", "bytes");
    if (coding != SITE_IDENTITY)
        add_header(answer, "Content-Encoding", coding == SITE_GZIP ? "gzip" : "br");
    cut_to_range(answer, request, body->etag);
}

/* Begins an answer, and refuses what is not meant for this server. */
static bool refuses(bool local, const struct request *request, const struct target *target,
                    struct answer *answer) {
    *answer = (struct answer){.body = ""};
    for (size_t i = 0; i < sizeof ALWAYS / sizeof ALWAYS[0]; i++)
        add_header(answer, ALWAYS[i].name, ALWAYS[i].value);
    if (request->lengths > 1) { /* a proxy may have taken the rest for another request */
        answer_note(answer, 400, TWO_ENDS);
        add_header(answer, "Connection", "close");
    } else if (request->hosts > 1 ||
               (request->hosts == 0 && strcmp(request->version, "HTTP/1.0") != 0))
        answer_note(answer, 400, NO_HOST);
    else if (local && !answer_host_is_local(target->host))
        answer_note(answer, 421, MISDIRECTED);
    return answer->status != 0;
}

bool answer_refuses(bool local, const struct request *request, struct answer *answer) {
    struct target target;
    read_target(request, &target);
    return refuses(local, request, &target, answer);
}

void answer_request(const struct site_file *files, bool local, const struct request *request,
                    struct answer *answer) {
    struct target target;
    read_target(request, &target);
    if (refuses(local, request, &target, answer))
        return;
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
        answer_note(answer, 405, NOT_ALLOWED);
        add_header(answer, "Allow", "GET, HEAD");
        return;
    }
    if (request->oversized) {
        answer_note(answer, 413, TOO_LARGE);
        return;
    }
    bool folder = target.path[0] != '\0' && target.path[strlen(target.path) - 1] == '/';
    const struct site_file *file = find_file(files, target.path, folder ? "index.html" : "");
    if (file != NULL)
        answer_file(answer, file, request);
    else if (!answer_folder(answer, files, target.path))
        answer_note(answer, 404, NOT_FOUND);
}
