/* sys/ioctl.h as POSIX has it: how wide the console is. */
#ifndef NONET_WINDOWS_IOCTL_H
#define NONET_WINDOWS_IOCTL_H

enum { TIOCGWINSZ };

struct winsize {
    unsigned short ws_col;
};

int ioctl(int file, int request, struct winsize *size);

#endif
