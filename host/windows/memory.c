/* Memory that `free` frees, aligned or not. Windows' library has functions for aligned memory, but
 * neither its `free` nor its `realloc` knows what they return. So all memory is aligned here, and
 * these functions replace the library's. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* a cache line: nothing asks for more */

static void *take(void *memory, size_t size) {
    memory = _aligned_realloc(memory, size > 0 ? size : 1, ALIGNMENT);
    if (memory == NULL)
        errno = ENOMEM;
    return memory;
}

void *realloc(void *memory, size_t size) {
    return take(memory, size);
}

void *malloc(size_t size) {
    return take(NULL, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    (void)alignment;
    return take(NULL, size);
}

/* A compiler may make a call of `calloc` of `malloc` and `memset`, so it is not `malloc` here. */
void *calloc(size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = take(NULL, count * size);
    return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

void free(void *memory) {
    _aligned_free(memory);
}

char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *strdup(const char *text) {
    return strndup(text, strlen(text));
}
