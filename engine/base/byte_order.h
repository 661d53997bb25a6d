/* The order of bytes in memory.
 *
 * Some structs are hashed, compared or kept in files as bytes, which must be the same on every
 * machine: the least byte of a number first. On most machines all numbers are like that. On the
 * others NONET_LITTLE_ENDIAN after a struct makes the compiler store the numbers in it so. Vectors
 * are stored as they are, and numbers must not be read or written through a pointer to a member
 * array. */
#ifndef NONET_BASE_BYTE_ORDER_H
#define NONET_BASE_BYTE_ORDER_H

#include <stdint.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NONET_LITTLE_ENDIAN
#define NONET_LITTLE_ENDIAN16(number) (number)
#elif defined __clang__
#error "for a big-endian machine, the engine has to be compiled by GCC"
#else
#define NONET_LITTLE_ENDIAN __attribute__((scalar_storage_order("little-endian")))
#define NONET_LITTLE_ENDIAN16(number) ((number) << 8 | (number) >> 8)
#endif

/* From a number as it was read from such bytes to what it is, or back. That of 16 bits is a macro,
 * which takes vectors too. */
static inline uint64_t nonet_little_endian64(uint64_t word) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

#endif
