/* Where the running program is in the file system, and what is beside it. */
#ifndef NONET_HOST_PROGRAM_H
#define NONET_HOST_PROGRAM_H

#include "base/text.h"

/* The path of something beside the program, such as "../share/nonet/tables". False if the system
 * does not say where the program is, or the path does not fit. */
bool program_beside(const char *where, struct nonet_text *path);

#endif
