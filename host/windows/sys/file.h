/* sys/file.h as POSIX has it. */
#ifndef NONET_WINDOWS_FILE_H
#define NONET_WINDOWS_FILE_H

enum { LOCK_EX = 2, LOCK_NB = 4 };

int flock(int file, int how);

#endif
