/* The name of a table, as in its link: 13 letters and digits for a random number below 2^63. A
 * table that is not listed is found by those who have its link; nobody guesses one. */
#ifndef NONET_ONLINE_TABLE_NAME_H
#define NONET_ONLINE_TABLE_NAME_H

#include <stdbool.h>
#include <stdint.h>

enum { TABLE_NAME = 14 }; /* with the zero at its end */

void table_name_write(uint64_t table, char name[TABLE_NAME]);

/* False if it is no name that table_name_write could have written. */
bool table_name_read(const char *name, uint64_t *table);

#endif
