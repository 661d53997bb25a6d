/* Any request, as the library splits it, and its answer: a known status, headers that are texts
 * without line ends, and a body that can be read to its end.
 *
 * Each line of the input is one part of the request; an empty line is a part that was not sent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzzing.h"
#include "online/http/answer.h"

static const struct site_file files[] = {
    {"/index.html",
     "text/html; charset=utf-8",
     false,
     {{"page", 4, "\"1\"", 0}, {"gz", 2, "\"2\"", 0}, {"b", 1, "\"3\"", 0}}},
    {"/assets/a-B3axNkdC.js", "text/javascript; charset=utf-8", true, {{"js", 2, "\"4\"", 0}}},
    {0}};

static void check(const struct answer *answer) {
    PROMISE(answer->status >= 200 && answer->status < 600);
    PROMISE(answer->header_count >= 0);
    for (int i = 0; i < answer->header_count; i++) {
        PROMISE(answer->headers[i].name != NULL && answer->headers[i].value != NULL);
        PROMISE(strpbrk(answer->headers[i].name, "\r\n: ") == NULL);
        PROMISE(strpbrk(answer->headers[i].value, "\r\n") == NULL);
    }
    static volatile char sum;
    for (size_t i = 0; i < answer->length; i++)
        sum = (char)(sum + answer->body[i]);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    enum { METHOD, TARGET, VERSION, HOST, ENCODING, MATCH, RANGE, IF_RANGE, PARTS };
    char *parts[PARTS] = {0};
    if (size == 0)
        return 0;
    const char *cursor = (const char *)data + 1, *end = (const char *)data + size;
    for (int i = 0; i < PARTS && cursor < end; i++) {
        size_t length = 0;
        while (cursor + length < end && cursor[length] != '\n' && cursor[length] != '\0')
            length++;
        parts[i] = length > 0 ? strndup(cursor, length) : NULL;
        cursor += length + 1;
    }
    const struct request request = {
        .method = parts[METHOD] != NULL ? parts[METHOD] : "GET",
        .target = parts[TARGET] != NULL ? parts[TARGET] : "/",
        .version = parts[VERSION] != NULL ? parts[VERSION] : "HTTP/1.1",
        .oversized = data[0] & 1,
        .host = parts[HOST],
        .hosts = parts[HOST] != NULL ? 1 + (data[0] >> 1 & 1) : 0,
        .accept_encoding = parts[ENCODING],
        .if_none_match = parts[MATCH],
        .range = parts[RANGE],
        .if_range = parts[IF_RANGE],
    };
    struct answer answer;
    answer_request(files, data[0] >> 2 & 1, &request, &answer);
    check(&answer);
    for (int i = 0; i < PARTS; i++)
        free(parts[i]);
    return 0;
}
