/* langinfo.h as POSIX has it: how the console writes letters. */
#ifndef NONET_WINDOWS_LANGINFO_H
#define NONET_WINDOWS_LANGINFO_H

enum { CODESET };

const char *nl_langinfo(int item);

#endif
