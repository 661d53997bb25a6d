/* time.h as POSIX has it. */
#include_next <time.h>
#ifndef NONET_WINDOWS_TIME_H
#define NONET_WINDOWS_TIME_H

#define gmtime_r(time, parts) (_gmtime64_s(parts, time) == 0 ? (parts) : NULL)
#define timegm(parts) _mkgmtime64(parts)

#endif
