#include "journal.h"

#include <stdio.h>
#include <time.h>

#include "base/json.h"

static bool for_programs;

void journal_for_programs(void) {
    for_programs = true;
}

/* One write, so that lines of several threads do not mix. */
static void write_object(const char *level, const char *event, const struct journal_field *fields,
                         const char *message) {
    char bytes[1 << 16], date[32];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    struct nonet_json json = nonet_json_in(&text);
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "time", date);
    nonet_json_string_member(&json, "level", level);
    nonet_json_string_member(&json, "event", event);
    for (; fields != NULL && fields->name != NULL; fields++)
        if (fields->text != NULL)
            nonet_json_string_member(&json, fields->name, fields->text);
        else
            nonet_json_number_member(&json, fields->name, fields->number);
    nonet_json_string_member(&json, "message", message);
    nonet_json_close(&json, '}');
    fprintf(stderr, "%s\n", bytes);
}

void journal_tell(enum journal_kind kind, const char *event, const struct journal_field *fields,
                  const char *message) {
    if (for_programs)
        write_object(kind == JOURNAL_TROUBLE ? "error" : "info", event, fields, message);
    else if (kind != JOURNAL_ROUTINE)
        fprintf(stderr, "nonet: %s\n", message);
}
