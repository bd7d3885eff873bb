/*
 * crc32c.h - the checksum of checkpoints: CRC-32 with Castagnoli's polynomial.
 */
#ifndef TFP_BASE_CRC32C_H
#define TFP_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from `crc`, which is 0 for the first bytes. Uses the processor's
 * own instruction where it has one. */
uint32_t tfp_crc32c(uint32_t crc, const void *data, size_t size);

/* The same without it, as on every processor. */
uint32_t tfp_crc32c_portable(uint32_t crc, const void *data, size_t size);

/* Tables store a checksum in this form: bytes that hold their own checksum
 * would have one that says little. */
static inline uint32_t tfp_crc32c_mask(uint32_t crc)
{
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

#endif
