#include "program.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

bool program_beside(const char *where, struct nonet_text *path) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    nonet_text_format(path, "%s/%s", program, where);
    return !path->cut;
}
