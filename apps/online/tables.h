/* Tables of exact values that lie on this machine, for the page to read parts of. */
#ifndef NONET_ONLINE_TABLES_H
#define NONET_ONLINE_TABLES_H

#include "http/site.h"

/* The files of the page and, as /tables/NAME, the tables in the folder of a person's own tables.
 * They are opened now and read when somebody asks for them. Null if there is no memory. */
struct site_file *tables_beside(const struct site_file *page);
void tables_close(struct site_file *files);

#endif
