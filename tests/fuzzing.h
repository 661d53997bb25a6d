/* What fuzz targets share: the function that libFuzzer calls, and checks that end the program. */
#ifndef NONET_TESTS_FUZZING_H
#define NONET_TESTS_FUZZING_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#define PROMISE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "broken: %s\n", #condition);                                           \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
