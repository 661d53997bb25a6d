/* Any lines as a conversation in the Universal Game Interface: each line is obeyed or refused.
 * Searches are made small first, and are stopped by the end of the input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ugi.h"
#include "fuzzing.h"
#include "rules/game.h"

static bool obey(struct ugi *ugi, const char *line, size_t length) {
    static const char *const small[] = {"setoption name Level value 1",
                                        "setoption name Threads value 2",
                                        "setoption name Hash value 1"};
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, line, length);
    copy[length] = '\0';
    size_t begin = strspn(copy, " \t\r");
    bool searches = strncmp(copy + begin, "go", 2) == 0 || strncmp(copy + begin, "isr", 3) == 0;
    for (int i = 0; searches && i < 3; i++) {
        char option[64];
        strcpy(option, small[i]);
        ugi_obey(ugi, option);
    }
    bool on = ugi_obey(ugi, copy);
    free(copy);
    return on;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    if (size == 0 || nowhere == NULL)
        return 0;
    struct nonet_options options;
    nonet_options_default(&options, nonet_games[data[0] % nonet_game_count]);
    struct ugi *ugi = ugi_new(&options, nowhere);
    if (ugi == NULL)
        return 0;
    const char *cursor = (const char *)data + 1, *end = (const char *)data + size;
    while (cursor < end) {
        const char *line_end = memchr(cursor, '\n', (size_t)(end - cursor));
        size_t length = (size_t)((line_end != NULL ? line_end : end) - cursor);
        /* The reader of the lines refuses a zero byte. */
        if (memchr(cursor, '\0', length) == NULL && !obey(ugi, cursor, length))
            break;
        cursor += length + 1;
    }
    ugi_free(ugi);
    return 0;
}
