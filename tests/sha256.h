/* SHA-256 (FIPS 180-4), for fixtures that give a digest instead of a long list. */
#ifndef NONET_TESTS_SHA256_H
#define NONET_TESTS_SHA256_H

#include <stddef.h>

/* Writes 64 hexadecimal digits and a zero byte. */
void sha256_hex(const void *bytes, size_t size, char hex[65]);

#endif
