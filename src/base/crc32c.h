/*
 * crc32c.h - the checksum of checkpoints: CRC-32 with Castagnoli's polynomial.
 */
#ifndef TFP_BASE_CRC32C_H
#define TFP_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues the checksum `crc`, which is 0 for the first bytes. Uses the
 * processor's CRC instruction if there is one. */
uint32_t tfp_crc32c(uint32_t crc, const void *data, size_t size);

/* The same without that instruction, for any processor. */
uint32_t tfp_crc32c_portable(uint32_t crc, const void *data, size_t size);

/* The masked form that table files store. The CRC of bytes followed by their
 * own CRC is the same for any bytes, so a checksum over them would detect
 * nothing; the mask avoids that. */
static inline uint32_t tfp_crc32c_mask(uint32_t crc)
{
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

#endif
