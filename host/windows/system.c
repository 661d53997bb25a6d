/* The console, random numbers, texts and sorting by POSIX's names, and what is set before the
 * program begins. */
#include <fcntl.h>
#include <io.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>
#include <windows.h>

/* Lines end as they do elsewhere, and two variables that are set elsewhere are set. */
__attribute__((constructor)) static void begin(void) {
    static const char *const variables[][2] = {{"HOME", "USERPROFILE"}, {"TMPDIR", "TEMP"}};
    _fmode = _O_BINARY;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        _setmode(file, _O_BINARY);
    for (int i = 0; i < 2; i++) {
        const char *value = getenv(variables[i][1]);
        if (getenv(variables[i][0]) == NULL && value != NULL)
            _putenv_s(variables[i][0], value);
    }
}

long sysconf(int name) {
    SYSTEM_INFO facts;
    (void)name;
    GetSystemInfo(&facts);
    return (long)facts.dwNumberOfProcessors;
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags) {
    (void)flags;
    for (size_t done = 0; done < size;) {
        unsigned number;
        if (rand_s(&number) != 0)
            return -1;
        size_t part = size - done < sizeof number ? size - done : sizeof number;
        memcpy((char *)bytes + done, &number, part);
        done += part;
    }
    return (ssize_t)size;
}

const char *nl_langinfo(int item) {
    (void)item;
    return GetConsoleOutputCP() == CP_UTF8 ? "UTF-8" : "";
}

int ioctl(int file, int request, struct winsize *size) {
    CONSOLE_SCREEN_BUFFER_INFO facts;
    (void)request;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(file), &facts))
        return -1;
    size->ws_col = (unsigned short)(facts.srWindow.Right - facts.srWindow.Left + 1);
    return 0;
}

char *strsep(char **rest, const char *ends) {
    char *begin = *rest;
    if (begin == NULL)
        return NULL;
    char *end = begin + strcspn(begin, ends);
    *rest = *end != '\0' ? end + 1 : NULL;
    *end = '\0';
    return begin;
}

/* Windows' own has its arguments in another order. */
struct order {
    int (*compare)(const void *, const void *, void *);
    void *context;
};

static int compare(void *context, const void *a, const void *b) {
    const struct order *order = context;
    return order->compare(a, b, order->context);
}

void qsort_r(void *base, size_t count, size_t size,
             int (*comparison)(const void *, const void *, void *), void *context) {
    qsort_s(base, count, size, compare, &(struct order){comparison, context});
}
