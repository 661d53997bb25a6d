/* Checks that name the position at which they failed. */
#ifndef NONET_TESTS_CHECK_H
#define NONET_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("%s:%d: ", __FILE__, __LINE__);                                            \
            print_error(__VA_ARGS__);                                                              \
            print_error("\n");                                                                     \
            fail_msg("%s", #condition);                                                            \
        }                                                                                          \
    } while (0)

#endif
