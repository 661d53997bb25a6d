/* The files of the page as `nonet serve` delivers them. The build puts them into the command
 * (scripts/embed_page.py): each file as it is and, where that saves space, compressed. */
#ifndef NONET_ONLINE_SITE_H
#define NONET_ONLINE_SITE_H

#include <stdbool.h>
#include <stddef.h>

enum site_coding { SITE_IDENTITY, SITE_GZIP, SITE_BROTLI, SITE_CODINGS };

struct site_body {
    const char *bytes; /* null where a file is not available in this coding, or is on disk */
    size_t length;
    const char *etag; /* with its quotes; different for each coding */
    int file;         /* on disk, and open: only where there is a length but no bytes */
};

struct site_file {
    const char *path; /* "/assets/index-B3axNkdC.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    bool lasting;     /* its name changes with its content */
    struct site_body bodies[SITE_CODINGS];
};

/* Ends with an entry that is all null. A build without a page has only that entry. */
extern const struct site_file site_files[];

#endif
