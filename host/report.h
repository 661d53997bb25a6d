/* Game reports as Abstract Play and other sites for abstract games exchange them ("AP Game Record",
 * version 1-0-0), from records and back. docs/record.md says what becomes of what. */
#ifndef NONET_HOST_REPORT_H
#define NONET_HOST_REPORT_H

#include "record.h"

/* What a report says and a record does not know. Times are "2026-11-18T20:15:00Z". */
struct report_facts {
    const char *site;
    const char *ended;
    const char *generated;
};

/* Whether a text is a time in this form, and then which: seconds since 1970. */
bool report_time(const char *text, long long *seconds);
/* The same the other way round. */
enum { REPORT_TIME = 32 };
void report_time_write(long long seconds, char text[REPORT_TIME]);

/* The report of a finished game, one line of text, to be freed; null with the reason. The session
 * stands where it stood. */
char *report_write(const struct record *record, const struct report_facts *facts,
                   struct nonet_text *why);

/* Reads a report as record_read_bytes reads a record, and trusts it as little. */
bool report_read_bytes(const void *bytes, size_t size, struct record *record,
                       struct nonet_text *why);

#endif
