/* What a log is, as a file of SQLite: for those who write it and for those who save it. */
#ifndef NONET_ONLINE_FORMAT_H
#define NONET_ONLINE_FORMAT_H

enum {
    FORMAT_APPLICATION = 0x4e6f6e65, /* "None": how SQLite's header names our files */
    FORMAT_VERSION = 2,
};

/* A question to a log, whose answer is 1 if no line is missing, and every table is known to be
 * running, over or lost. */
extern const char format_whole[];

#endif
