/* string.h as POSIX has it. */
#include_next <string.h>
#ifndef NONET_WINDOWS_STRING_H
#define NONET_WINDOWS_STRING_H

char *strndup(const char *text, size_t most);
char *strsep(char **rest, const char *ends);

#endif
