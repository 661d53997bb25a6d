/* Memory that `free` frees, aligned or not. The system has functions for aligned memory, which its
 * own `free` does not know. So all memory is of that kind here: a linker that finds these functions
 * does not look for the system's. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 16 };

void *aligned_alloc(size_t alignment, size_t size) {
    void *memory = _aligned_malloc(size > 0 ? size : 1, alignment < USUAL ? USUAL : alignment);
    if (memory == NULL)
        errno = ENOMEM;
    return memory;
}

void *malloc(size_t size) {
    return aligned_alloc(USUAL, size);
}

void *calloc(size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = aligned_alloc(USUAL, count * size);
    return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

void *realloc(void *memory, size_t size) {
    memory = _aligned_realloc(memory, size > 0 ? size : 1, USUAL);
    if (memory == NULL)
        errno = ENOMEM;
    return memory;
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
