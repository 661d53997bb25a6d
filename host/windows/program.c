/* Where this program is, by Windows. */
#include "../program.h"

#include <string.h>
#include <windows.h>

bool program_beside(const char *where, struct nonet_text *path) {
    char program[MAX_PATH];
    DWORD length = GetModuleFileNameA(NULL, program, sizeof program);
    if (length == 0 || length == sizeof program)
        return false;
    *strrchr(program, '\\') = '\0';
    nonet_text_format(path, "%s/%s", program, where);
    return !path->cut;
}
