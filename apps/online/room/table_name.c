#include "table_name.h"

#include <string.h>

/* Without i, l, o and u, which people mistake for others. */
static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

void table_name_write(uint64_t table, char name[TABLE_NAME]) {
    name[TABLE_NAME - 1] = '\0';
    for (int i = TABLE_NAME - 2; i >= 0; i--, table /= 32)
        name[i] = digits[table % 32];
}

bool table_name_read(const char *name, uint64_t *table) {
    if (strlen(name) != TABLE_NAME - 1)
        return false;
    *table = 0;
    for (const char *at = name; *at != '\0'; at++) {
        const char *digit = strchr(digits, *at);
        if (digit == NULL || *table >> 58 != 0)
            return false;
        *table = *table * 32 + (uint64_t)(digit - digits);
    }
    return *table != 0;
}
