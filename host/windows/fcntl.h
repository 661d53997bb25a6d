/* fcntl.h as POSIX has it. */
#include_next <fcntl.h>
#ifndef NONET_WINDOWS_FCNTL_H
#define NONET_WINDOWS_FCNTL_H

/* Nothing to ask for: no program is started that could inherit a file, no terminal takes control,
 * no pipe waits to be opened, links are for administrators, and a folder is not opened as a file.
 */
enum { O_CLOEXEC = 0, O_NOCTTY = 0, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 };

/* Files that were opened need no flags taken away. */
#define fcntl(file, command, flags) ((void)(file))

int openat(int folder, const char *name, int flags);

#endif
