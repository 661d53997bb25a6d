/* sys/random.h as Linux has it. */
#ifndef NONET_WINDOWS_RANDOM_H
#define NONET_WINDOWS_RANDOM_H

#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t size, unsigned flags);

#endif
